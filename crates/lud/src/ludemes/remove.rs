//! `(move Remove …)` and `(remove …)`: pieces that leave the game.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Remove [siteType] (int | region) [level:int] [at:whenType] [count:int] [then]",
        "Remove a piece of the sites.",
        "(move Remove (sites Occupied by:Next))",
        read,
    )
    .on_all_kinds()
    .sites_in(&["int"]),
    effect(
        "remove [siteType] (int | region) [level:int] [at:whenType] [count:int] [then]",
        "The pieces on the sites are removed: now, or at the end of the turn.",
        "(remove (last To))",
        read,
    )
    .on_all_kinds()
    .sites_in(&["int"]),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (level, count) = (args.try_int("level")?, args.try_int("count")?);
    let late = match args.word("at") {
        None => false,
        Some("EndOfTurn") => true,
        Some(_) => return Err(args.unsupported()),
    };
    Ok(Box::new(Remove { region: args.one_region(&["int", "region"])?, level, count, late }))
}

node! {
    /// Pieces are removed.
    struct Remove = "remove", reads CELLS | TURN, writes CELLS | STACKS | CLEARING {
        region: Region,
        level: Option<Int>,
        /// The number of pieces; where it is left out, the whole pile or the top of a stack.
        count: Option<Int>,
        /// At the end of the turn.
        late: bool,
    }
}

impl Generate for Remove {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let all = if c.rules.stacking { 1 } else { u16::MAX };
        self.region.each(c, |c, site| {
            if c.what(site) != 0 {
                let level = self.level.as_ref().map_or(-1, |level| level.get(c).max(0)) as i16;
                let count = self.count.as_ref();
                let count =
                    count.map_or(all, |count| count.get(c).clamp(1, u16::MAX.into()) as u16);
                let first = out.actions.len();
                // From a stack they are taken one by one.
                let (one, times) = match (self.late, c.rules.stacking) {
                    (true, stacking) => (Action::Clear(site), if stacking { count } else { 1 }),
                    (false, true) => (Action::Remove { at: site, level, count: 1 }, count),
                    (false, false) => (Action::Remove { at: site, level, count }, 1),
                };
                match times {
                    1 => out.actions.push(one),
                    times => out.actions.extend(std::iter::repeat_n(one, times.into())),
                }
                out.close(first, c.state.s.mover, Kind::Remove, site, site);
            }
            !out.full()
        });
    }

    fn is_narrow(&self) -> bool {
        matches!(self.region, Region::One(Int::To))
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn removed_pieces_leave_the_board() {
        let remove = "(move Remove (sites Occupied by:Next))";
        assert_eq!(after("(place \"Disc1\" 0) (place \"Disc2\" {4 5})", remove, 4), "0:1 5:2");
    }
}
