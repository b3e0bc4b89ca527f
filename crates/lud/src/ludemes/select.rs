//! `(move Select …)` and `(select …)`: sites that are pointed at.

use super::prelude::*;
use crate::engine::parts::From;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Select from [to] [roleType] [then]",
        "Point at a site, or at two sites.",
        "(move Select (from (sites Occupied by:Mover)) (then (remove (last To))))",
        read,
    ),
    effect(
        "select from [to] [roleType] [then]",
        "The same as an effect.",
        "(select (from (last To)))",
        read,
    ),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let mover = args.try_player(&["roleType"])?;
    Ok(Box::new(Select { from: args.from()?, to: args.to()?, mover }))
}

node! {
    /// Sites are pointed at.
    struct Select = "select", reads TURN { from: From, to: To, mover: Option<Int> }
}

impl Select {
    /// Points at a second site, if it may.
    fn pair(&self, c: &mut Context<'_>, at: Registers, mover: usize, site: i32, out: &mut Moves) {
        let here = Registers { to: site, ..at };
        if !self.to.allows(c, here) {
            return;
        }
        let first = out.actions.len();
        let Some(then) = self.to.applies(c, here, out) else {
            out.actions.truncate(first);
            return;
        };
        out.actions.push(Action::Select);
        let head = out.close(first, mover, Kind::Select, at.from, site);
        (head.then, head.level) = (then, at.level as i16);
    }
}

impl Generate for Select {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.from.each(c, out, |c, at, out| {
            let mover = self.mover.as_ref().map_or(c.state.s.mover, |mover| mover.player(c));
            if !self.to.given {
                let head = out.push(mover, Kind::Select, at.from, at.from, Action::Select);
                head.level = at.level as i16;
                return;
            }
            let Some(region) = &self.to.region else {
                return self.pair(c, at, mover, at.from, out);
            };
            let before = std::mem::replace(&mut c.at, at);
            region.each(c, |c, site| {
                let inner = std::mem::replace(&mut c.at, before);
                self.pair(c, at, mover, site, out);
                c.at = inner;
                !out.full()
            });
            c.at = before;
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::moves;

    #[test]
    fn a_selection_names_an_origin_and_an_end() {
        let select = "(move Select (from (sites Occupied by:Mover)) (to (sites {3 4})))";
        assert_eq!(moves("(place \"Disc1\" 0) (place \"Disc2\" 1)", select), [(0, 3), (0, 4)]);
    }
}
