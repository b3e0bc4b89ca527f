//! `(move Shoot …)`: pieces that are shot along lines.

use super::prelude::*;
use super::slide::{nth, reached, reached_by};
use crate::engine::condition::{FREE, is_of, mask_or};
use crate::engine::parts::From;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Shoot piece [from] [absoluteDirection] [between] [to] [then]",
        "Shoot a piece along a line of empty sites, from the end of the last move where the origin is left out.",
        "(move Shoot (piece \"Arrow0\"))",
        read,
    )
    .refuses("an effect between: no public description has one"),
    effect(
        "shoot piece [from] [absoluteDirection] [between] [to] [then]",
        "The same as an effect.",
        "(shoot (piece \"Arrow0\"))",
        read,
    )
    .refuses("an effect between: no public description has one"),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let what = args.piece()?;
    let (from, to) = (args.try_from()?, args.to()?);
    let directions = args.directions(Direction::Adjacent)?;
    // Trails belong to slides, distances before and after to hops: they mean nothing here.
    let Between { condition, range, apply: None, .. } = args.between()? else {
        return Err(args.unsupported());
    };
    let most = directions.longest(args.lower.equipment);
    let shot = Shot { what, to, directions, condition, range, most };
    let from = match from {
        Some(from) => from,
        None => From::at(Int::LastTo(args.lower.last())),
    };
    Ok(args.lower.moves_from(from, shot, false))
}

node! {
    /// A piece that is shot, by the site that it falls on.
    struct Shot = "shoot", reads CELLS | TURN, writes CELLS {
        what: Int,
        to: To,
        directions: Dirs,
        condition: Option<Test>,
        range: Bounds,
        most: Most,
    }
}

impl Shot {
    /// Over whose sites it flies, where it may fall on each of them.
    fn plain(&self, c: &Context<'_>) -> Option<u32> {
        if self.range.least.is_some() || self.range.most.is_some() {
            return None;
        }
        let free = mask_or(self.condition.as_ref(), c, &[Place::To, Place::Between], FREE)?;
        let open = mask_or(self.to.condition.as_ref(), c, &[Place::To], FREE)?;
        (free == open && self.to.apply.is_none()).then_some(free)
    }

    /// May it fly on over a site?
    fn free(&self, c: &mut Context<'_>, here: Registers) -> bool {
        match &self.condition {
            Some(test) => test.holds(c, here),
            None => c.is_empty(here.to),
        }
    }

    /// Falls on a site, if it may.
    fn land(&self, c: &mut Context<'_>, what: i32, here: Registers, out: &mut Moves) {
        let open = match &self.to.condition {
            Some(test) => test.holds(c, here),
            None => c.is_empty(here.to),
        };
        if !open || what <= 0 {
            return;
        }
        let first = out.actions.len();
        let Some(then) = self.to.applies(c, here, out) else {
            out.actions.truncate(first);
            return;
        };
        let (to, what) = (here.to, what as u16);
        out.actions.push(Action::Add { to, what, count: 1, state: 0, stack: false });
        let head = out.close(first, c.state.s.mover, Kind::Add, to, to);
        (head.then, head.extra) = (then, what);
    }
}

impl Candidates for Shot {
    fn most(&self) -> Most {
        self.most
    }

    fn count(&self, c: &mut Context<'_>, at: Registers) -> Option<u32> {
        let free = self.plain(c)?;
        let rays = self.directions.rays_at(c, at);
        Some(reached(c, &rays, free, i32::MAX))
    }

    fn nth(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let Some(free) = self.plain(c) else { return };
        let rays = self.directions.rays_at(c, at);
        if let Some((_, site)) = reached_by(c, &rays, free, i32::MAX, number) {
            let what = self.what.get(c);
            self.land(c, what, Registers { to: site, between: site, ..at }, out);
        }
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let what = self.what.get(c);
        let rays = self.directions.rays_at(c, at);
        let Some((line, last)) = nth(c, &rays, number as usize) else { return };
        let (least, most) = self.range.range(c, 1);
        if !(least..=most).contains(&(last as i32 + 1)) {
            return;
        }
        let here = |site: u32| Registers { to: site as i32, between: site as i32, ..at };
        let free = mask_or(self.condition.as_ref(), c, &[Place::To, Place::Between], FREE);
        if line[..last].iter().all(|&site| match free {
            Some(free) => is_of(c, free, site as i32),
            None => self.free(c, here(site)),
        }) {
            self.land(c, what, here(line[last]), out);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let what = self.what.get(c);
        let rays = self.directions.rays_at(c, at);
        let (least, most) = self.range.range(c, 1);
        let equipment = c.equipment;
        for &ray in rays.iter() {
            for (steps, &site) in (1..=most).zip(equipment.directions.line(ray)) {
                let here = Registers { to: site as i32, between: site as i32, ..at };
                if steps >= least {
                    self.land(c, what, here, out);
                }
                if !self.free(c, here) || out.full() {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{after, moves};

    #[test]
    fn a_shot_puts_a_piece_on_a_free_line() {
        let start = "(place \"Disc1\" 0) (place \"Disc2\" 2)";
        assert_eq!(after(start, "(move Shoot (piece \"Rock0\") (from 0))", 8), "0:1 2:2 8:0");
        let ends = moves(start, "(move Shoot (piece \"Rock0\") (from 0))").into_iter();
        assert_eq!(ends.map(|(_, to)| to).collect::<Vec<_>>(), [1, 3, 4, 6, 8]);
    }
}
