//! `(move (from …) (to …))` and `(fromTo …)`: pieces that go from anywhere to anywhere.

use super::prelude::*;
use crate::engine::parts::From;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move from to [count:int] [copy:boolean] [stack:boolean] [roleType] [then]",
        "Move a piece, a part of a pile, or a copy of a piece from one site to another.",
        "(move (from (sites Hand Mover)) (to (sites Empty)))",
        read,
    )
    .refuses("a count beside copy")
    .counts("count"),
    effect(
        "fromTo from to [count:int] [copy:boolean] [stack:boolean] [roleType] [then]",
        "The same as an effect.",
        "(fromTo (from (last To)) (to (handSite Mover)))",
        read,
    )
    .refuses("a count beside copy")
    .counts("count"),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    args.lower.listing += 1;
    let count = args.try_int("count");
    args.lower.listing -= 1;
    let (count, copy) = (count?, args.try_bool("copy")?);
    if count.is_some() && copy.is_some() {
        return Err(args.unsupported());
    }
    args.lower.relists |= count.is_some();
    // A large piece lies within the region with all of its sites.
    let within = match (args.lower.equipment.large.is_some(), args.peek("to")) {
        (true, Some(Value::Call(to))) => {
            Args::new(args.lower, to).try_region(&["region", "int"])?
        }
        _ => None,
    };
    let (gait, mover) = (args.gait()?, args.try_player(&["roleType"])?);
    let (from, mut to) = (args.from()?, args.turned_to()?);
    let region = to.region.take();
    let carry = args.lower.trial(Carry { to, gait, count, copy, mover, within });
    Ok(Box::new(FromTo { from, region, carry }))
}

/// Appends a move of a tile once for each rotation.
fn turn(head: Head, rotations: &mut Vec<i32>, out: &mut Moves) {
    for &mut rotation in rotations {
        let first = out.actions.len() as u32;
        out.actions.extend_from_within(head.first as usize..head.end as usize);
        out.actions.push(Action::Rotation(head.to, rotation as i16));
        let end = out.actions.len() as u32;
        out.heads.push(Head { first, end, extra: rotation as u16, ..head });
    }
}

node! {
    /// Pieces go from some sites to others.
    struct FromTo = "fromTo", reads CELLS { from: From, region: Option<Region>, carry: Trial }
}

impl Generate for FromTo {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.from.each(c, out, |c, at, out| {
            if c.what(at.from) == 0 {
                return;
            }
            let Some(region) = &self.region else {
                let to = c.at.to;
                return self.carry.kind.attempt(c, at, to as u32, out);
            };
            // While the region is worked out, `(to)` is where the move begins if nowhere else.
            let to = if at.to < 0 { at.from } else { at.to };
            c.with(Registers { to, ..at }, |c| self.carry.each(c, region, at, out));
        });
    }
}

node! {
    /// A piece goes from anywhere to anywhere, by site.
    struct Carry = "fromTo", reads CELLS | STACKS | TURN, writes CELLS | STACKS | COUNTS {
        to: To,
        gait: Gait,
        count: Option<Int>,
        copy: Option<Bool>,
        mover: Option<Int>,
        /// The region once more, in games with large pieces.
        within: Option<Region>,
    }
}

impl Carry {
    /// Lists the moves of a large piece to a site: one for each way that it can lie there (decided by Battleships, ply 0).
    fn lay(&self, c: &mut Context<'_>, here: Registers, what: u16, out: &mut Moves) {
        let Some(large) = &c.equipment.large else { return };
        let (from, to) = (here.from, here.to);
        let mut sites = c.sites();
        if let Some(within) = &self.within {
            c.with(here, |c| within.fill(c, &mut sites));
        }
        let allowed = |site: i32| self.within.is_none() || sites.contains(site);
        for state in 0..large.states(what) {
            if !large.may_lie((c.rules, c.state), from, (to, what, state), allowed) {
                continue;
            }
            let first = out.actions.len();
            let Some(then) = self.to.applies(c, here, out) else {
                out.actions.truncate(first);
                continue;
            };
            out.actions.extend([
                Action::Remove { at: from, level: -1, count: u16::MAX },
                Action::Add { to, what, count: 1, state, stack: false },
            ]);
            let head = out.close(first, c.state.s.mover, Kind::Go, from, to);
            (head.then, head.extra) = (then, state as u16);
        }
        c.free(sites);
    }
}

impl Candidates for Carry {
    fn most(&self) -> Most {
        // Large pieces go to a site in several ways.
        Most::all(u32::from(self.within.is_none() && self.to.rotations.is_none()))
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let site = number as i32;
        let here = Registers { to: site, ..at };
        if site < 0 || !self.to.allows(c, here) {
            return;
        }
        if let Some(large) = &c.equipment.large {
            let what = c.what(at.from) as u16;
            if large.states(what) > 0 {
                return self.lay(c, here, what, out);
            }
        }
        let at_move = out.heads.len();
        let copy = self.copy.as_ref().is_some_and(|copy| copy.holds_at(c, at));
        if self.count.is_none() && !copy {
            self.to.go_on(c, here, self.gait, out);
        } else {
            let first = out.actions.len();
            let Some(then) = self.to.applies(c, here, out) else {
                out.actions.truncate(first);
                return;
            };
            let (from, to) = (at.from, site);
            out.actions.push(match &self.count {
                Some(count) if !copy => {
                    let count = c.with(at, |c| count.get(c)).clamp(0, 60_000);
                    match self.gait {
                        Gait::Stack if c.rules.stacking => {
                            let level = (c.state.height(from) - count).max(0) as i16;
                            Action::MoveStack { from, level, to }
                        }
                        _ => Action::MoveCount { from, to, count: count as u16 },
                    }
                }
                _ => Action::Copy { from, to },
            });
            out.close(first, c.state.s.mover, Kind::Go, from, to).then = then;
        }
        if let (Some(mover), Some(head)) = (&self.mover, out.heads.get(at_move).copied()) {
            let mover = c.with(here, |c| mover.get(c)).max(0) as u16;
            out.heads[at_move] = Head { mover, ..head };
        }
        if let (Some(rotations), Some(head)) = (&self.to.rotations, out.heads.get(at_move).copied())
        {
            out.heads.truncate(at_move);
            c.with(here, |c| rotations.of(c, |_, rotations| turn(head, rotations, out)));
        }
    }

    fn aims(&self, site: i32, out: &Moves) -> bool {
        self.to.aims(site, out)
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        self.attempt(c, at, at.to as u32, out);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{after, moves};

    #[test]
    fn a_piece_goes_to_the_sites_of_a_region() {
        let go = "(move (from 0) (to (sites {4 8}) if:(is Empty (to))))";
        assert_eq!(moves("(place \"Disc1\" 0)", go), [(0, 4), (0, 8)]);
        assert_eq!(moves("(place \"Disc1\" {0 4})", go), [(0, 8)]);
        assert_eq!(after("(place \"Disc1\" 0)", go, 8), "8:1");
    }
}
