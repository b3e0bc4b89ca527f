//! `(move Add …)`, `(move Claim …)`, `(add …)`, `(claim …)`: pieces that come onto the board.

use std::sync::Arc;

use super::prelude::*;
use crate::engine::condition::at_site;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move moveSiteType=Add [piece] to [count:int] [stack:boolean] [then]",
        "Put a new piece on a site.",
        "(move Add (to (sites Empty)))",
        |args| read(args, true),
    ),
    decision(
        "move moveSiteType=Claim [piece] to [count:int] [stack:boolean] [then]",
        "Claim a site with a new piece.",
        "(move Claim (to (sites Empty)))",
        |args| read(args, true),
    ),
    effect(
        "add [piece] to [count:int] [stack:boolean] [then]",
        "A new piece is put on a site.",
        "(add (piece \"Wall0\") (to (last From)))",
        |args| read(args, false),
    )
    .then(ThenOf::Each),
    effect(
        "claim [piece] to [then]",
        "A site is claimed with a new piece.",
        "(claim (to (last To)))",
        |args| read(args, false),
    )
    .then(ThenOf::Each),
];

fn read(args: &mut Args<'_, '_, '_>, decision: bool) -> Result<Generator> {
    let (kinds, state) = args.pieces()?;
    let (count, stack) = (args.int_or("count", 1)?, args.flag("stack", false)?);
    let mut to = args.to()?;
    // A condition on the sites of a region can be asked of one site at a time.
    let (region, filter) = match to.region.take() {
        Some(Region::Filter(region, filter)) => (Some(*region), Some(filter)),
        region => (region, None),
    };
    // A placement in a region with an effect is listed twice (decided by 00'Y', ply 8, and Vigilance, ply 4).
    let effect = to.apply.as_ref().is_some_and(|apply| apply.effect.is_some());
    let twice = decision && to.wide && effect;
    let how = Arc::new(How { filter, state, count, to, stack, twice });
    let kinds = kinds.into_iter().map(|what| args.lower.trial(Adding { what, how: how.clone() }));
    Ok(Box::new(Add { region, kinds: kinds.collect() }))
}

node! {
    /// New pieces of one or several kinds.
    struct Add = "add" { region: Option<Region>, kinds: Vec<Trial> }
}

impl Generate for Add {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let at = c.at;
        for adding in &self.kinds {
            match &self.region {
                Some(region) => adding.each(c, region, at, out),
                None if at.to >= 0 => adding.kind.attempt(c, at, at.to as u32, out),
                None => {}
            }
        }
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

node! {
    /// How pieces are added.
    struct How = "add" {
        filter: Option<Bool>,
        state: Option<Int>,
        count: Int,
        to: To,
        stack: bool,
        /// Is every move listed twice?
        twice: bool,
    }
}

inner!(How);

node! {
    /// Pieces of a kind are added, by site.
    struct Adding = "add", reads TURN, writes CELLS | COUNTS | STATES { what: Int, how: Arc<How> }
}

impl Candidates for Adding {
    fn most(&self) -> Most {
        Most::all(u32::from(!self.how.twice))
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let how = &*self.how;
        let to = number as i32;
        if how.filter.as_ref().is_some_and(|filter| !at_site(c, to, filter)) {
            return;
        }
        let Ok(what) = u16::try_from(self.what.get(c)) else { return };
        let count = how.count.get(c).clamp(0, 60_000) as u16;
        let state = how.state.as_ref().map_or(0, |state| state.get(c)) as i16;
        let here = Registers { to, site: to, ..at };
        if !how.to.allows(c, here) {
            return;
        }
        let large = c.equipment.large.as_ref();
        if large.is_some_and(|large| !large.fits(c.rules, c.state, to, what, state)) {
            return;
        }
        let first = out.actions.len();
        let Some(then) = how.to.applies(c, here, out) else {
            out.actions.truncate(first);
            return;
        };
        out.actions.push(match &how.to.level {
            Some(level) if how.stack => {
                Action::Insert { to, level: c.with(here, |c| level.get(c)) as i16, what }
            }
            _ => Action::Add { to, what, count, state, stack: how.stack },
        });
        let head = out.close(first, c.state.s.mover, Kind::Add, to, to);
        (head.then, head.extra) = (then, what);
        if how.twice {
            let again = *head;
            out.heads.push(again);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        self.attempt(c, at, at.to as u32, out);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{after, moves};

    #[test]
    fn pieces_come_onto_the_sites_that_a_rule_names() {
        let add = "(move Add (to (sites Empty)))";
        assert_eq!(moves("(place \"Disc2\" {0 1 2 3 4 5})", add), [(6, 6), (7, 7), (8, 8)]);
        assert_eq!(after("(place \"Disc2\" 0)", add, 3), "0:2 3:1");
    }
}
