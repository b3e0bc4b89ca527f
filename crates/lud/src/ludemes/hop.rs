//! `(move Hop …)`: pieces that hop over others.

use super::prelude::*;
use super::slide::bound;
use crate::engine::condition::{holds, is_of, mask_or};
use crate::engine::equipment::Equipment;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Hop [from] [direction] [between] to [stack:boolean] [then]",
        "Hop over pieces for which `(between if:…)` holds to a site for which `(to if:…)` holds.",
        "(move Hop (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is Empty (to))))",
        read,
    ),
    effect(
        "hop [from] [direction] [between] to [stack:boolean] [then]",
        "The same as an effect.",
        "(hop (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to))))",
        read,
    ),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let gait = args.gait()?;
    let (mut from, mut to) = (args.from()?, args.to()?);
    // A hop begins at `(from)`, whatever region is named (decided by Tibetan Jiuqi, ply 229).
    from.forget_region();
    to.apply.iter_mut().for_each(|apply| apply.strict = true);
    let ends = to.apply.as_ref().is_some_and(|a| a.condition.is_some() && a.effect.is_some());
    let directions = args.directions(Direction::Adjacent)?;
    // A trail belongs to slides and means nothing here.
    let Between { condition, range, apply, before, after, trail: _ } = args.between()?;
    // Over so many pieces to the site behind: one move in each direction.
    let one = |bound: &Option<Int>, n| bound.as_ref().is_none_or(|b| b.fixed() == Some(n));
    let over_one = range.least.is_none() && one(&range.most, 1);
    let single = (range.exact || over_one) && one(&after, 0);
    let short = over_one && one(&before, 0) && one(&after, 0);
    let most = if single { directions.widest(args.lower.equipment) } else { Most::UNKNOWN };
    let hop =
        Hop { to, directions, gait, condition, before, after, range, apply, ends, short, most };
    Ok(args.lower.moves_from(from, hop, true))
}

node! {
    /// A hop over pieces, by direction.
    struct Hop = "hop", reads CELLS | TURN, writes CELLS {
        to: To,
        directions: Dirs,
        gait: Gait,
        condition: Option<Test>,
        before: Option<Int>,
        after: Option<Int>,
        range: Bounds,
        apply: Option<Apply>,
        /// Does a condition of the effect tell where the hop ends? That of the site tells only how far it goes on then.
        ends: bool,
        /// Does it go over one piece to the site behind?
        short: bool,
        most: Most,
    }
}

impl Hop {
    /// Over whose pieces it goes, and to whose sites, where it goes over one and nothing else is asked for.
    fn masks(&self, c: &Context<'_>) -> Option<(u32, u32)> {
        if !self.short || self.ends {
            return None;
        }
        let over = [Place::To, Place::Between];
        let over = mask_or(self.condition.as_ref(), c, &over, u32::MAX)?;
        Some((over, mask_or(self.to.condition.as_ref(), c, &[Place::To], u32::MAX)?))
    }

    /// Can there be a hop along a line?
    #[inline]
    fn may(c: &Context<'_>, masks: Option<(u32, u32)>, line: &[u32]) -> bool {
        let Some((over, to)) = masks else { return true };
        match *line {
            [first, second, ..] => is_of(c, over, first as i32) && is_of(c, to, second as i32),
            _ => false,
        }
    }

    fn hurdle(&self, c: &mut Context<'_>, at: Registers, site: u32) -> bool {
        let site = site as i32;
        holds(self.condition.as_ref(), c, Registers { to: site, between: site, ..at })
    }

    /// All along a line.
    fn along(&self, c: &mut Context<'_>, at: Registers, line: &[u32], out: &mut Moves) {
        // Over one, or if only the least is said, over as many as there are.
        let far = if self.range.least.is_some() { i32::MAX } else { 1 };
        let (least, most) = (bound(&self.range.least, c, 1), bound(&self.range.most, c, far));
        let (before, after) = (bound(&self.before, c, 0), bound(&self.after, c, 0));
        // Empty sites up to the hurdles.
        let mut first = 0;
        while first < line.len()
            && (first as i32) < before
            && c.is_empty(line[first] as i32)
            && !self.hurdle(c, at, line[first])
        {
            first += 1;
        }
        let mut n = 0;
        while let Some(&site) = line.get(first + n)
            && (n as i32) < most
            && self.hurdle(c, at, site)
        {
            n += 1;
        }
        for jumped in (0..=n).filter(|&n| (least..=most).contains(&(n as i32))) {
            let over = &line[first..first + jumped];
            for step in 0..=after {
                let Some(&site) = line.get(first + jumped + step as usize) else { break };
                let site = site as i32;
                let last = over.last().map_or(at.from, |&s| s as i32);
                let here = Registers { to: site, between: last, ..at };
                let passes = self.to.allows(c, here);
                if self.ends && passes && c.is_empty(site) {
                    continue;
                }
                if !passes && (!self.ends || c.is_empty(site)) {
                    if step > 0 || !c.is_empty(site) {
                        break;
                    }
                    continue;
                }
                let mark = out.actions.len();
                let mut then = self.to.applies(c, here, out);
                for &between in over {
                    let (Some(apply), Some(chain)) = (&self.apply, then) else { break };
                    let here = Registers { between: between as i32, ..here };
                    then = apply.run(c, here, chain, out);
                }
                match then {
                    Some(then) => self.to.close(c, here, self.gait, mark, then, out),
                    None => out.actions.truncate(mark),
                }
                if (self.ends && !c.is_empty(site)) || out.full() {
                    break;
                }
            }
        }
    }
}

impl Candidates for Hop {
    fn most(&self) -> Most {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow || self.apply.is_some() {
            return Vec::new();
        }
        self.directions.reach(&equipment.directions, equipment.sites, true)
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let rays = self.directions.rays_at(c, at);
        let equipment = c.equipment;
        if let Some(&ray) = rays.get(number as usize) {
            let line = equipment.directions.line(ray);
            if Self::may(c, self.masks(c), line) {
                self.along(c, at, line, out);
            }
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let rays = self.directions.rays_at(c, at);
        let (equipment, masks) = (c.equipment, self.masks(c));
        // An effect may capture the piece between.
        let aimed = out.target >= 0 && self.apply.is_none();
        for &ray in rays.iter() {
            let line = equipment.directions.line(ray);
            if aimed && !line.iter().any(|&site| self.to.aims(site as i32, out)) {
                continue;
            }
            if Self::may(c, masks, line) {
                self.along(c, at, line, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{after, moves};

    #[test]
    fn a_hop_goes_over_a_neighbour_to_the_site_behind() {
        let start = "(place \"Disc1\" 0) (place \"Disc2\" {1 4}) (place \"Disc1\" 8)";
        let hop = "(move Hop (from 0) (between if:(is Enemy (who at:(between)))
            (apply (remove (between)))) (to if:(is Empty (to))))";
        // Behind cell 4 there is an own piece.
        assert_eq!(moves(start, hop), [(0, 2)]);
        assert_eq!(after(start, hop, 2), "2:1 4:2 8:1");
    }
}
