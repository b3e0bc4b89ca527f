//! Pieces that are shot along lines.

use super::action::{Action, Kind, Moves};
use super::context::{Context, Registers};
use super::directions::{Direction, Dirs};
use super::functions::{Int, Result};
use super::lots::Candidates;
use super::lower::Lower;
use super::moves::Generator;
use super::parts::To;
use super::slide::{nth, reached, reached_by};
use super::test::{FREE, Place, Test, is_of, mask_or};
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    /// A piece is shot from a site along a line.
    pub(crate) fn shoot(&mut self, l: &Ludeme) -> Result<Generator> {
        let what = self.piece(l)?;
        let from = match l.typed("from") {
            Some(_) => Some(self.from(l)?),
            None => None,
        };
        let to = self.to(l)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let condition = match l.typed("between") {
            Some(Value::Call(between)) => self.optional_test(between, "if")?,
            _ => None,
        };
        let most = directions.longest(&self.equipment.directions);
        let shot = Shot { what, to, directions, condition, most };
        Ok(match from {
            Some(from) => self.moves_from(from, shot),
            None => {
                let last = Int::LastTo(self.last());
                let from = self.origin_at(last);
                self.moves_from(from, shot)
            }
        })
    }
}

/// A piece that is shot, by the site that it falls on.
struct Shot {
    what: Int,
    to: To,
    directions: Dirs,
    condition: Option<Test>,
    most: u32,
}

impl Shot {
    /// Over whose sites it flies, where it may fall on each of them.
    fn plain(&self, c: &Context<'_>) -> Option<u32> {
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
    fn most(&self) -> u32 {
        self.most
    }

    fn count(&self, c: &mut Context<'_>, at: Registers) -> Option<u32> {
        let free = self.plain(c)?;
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        Some(reached(c, &rays, free, i32::MAX))
    }

    fn nth(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let Some(free) = self.plain(c) else { return };
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        if let Some((_, site)) = reached_by(c, &rays, free, i32::MAX, number) {
            let what = self.what.get(c);
            self.land(c, what, Registers { to: site, between: site, ..at }, out);
        }
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let what = self.what.get(c);
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let Some((line, last)) = nth(c, &rays, number as usize) else { return };
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
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let equipment = c.equipment;
        for &ray in rays.iter() {
            for &site in equipment.directions.line(ray) {
                let here = Registers { to: site as i32, between: site as i32, ..at };
                self.land(c, what, here, out);
                if !self.free(c, here) || out.full() {
                    break;
                }
            }
        }
    }
}
