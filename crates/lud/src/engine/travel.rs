//! Pieces that go a step, or from anywhere to anywhere.

use super::action::{Action, Kind, Moves};
use super::context::{Context, Registers};
use super::directions::{Direction, Dirs};
use super::equipment::Equipment;
use super::functions::{Bool, Int, Result};
use super::lots::Candidates;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::parts::{Gait, To};
use super::test::{Place, is_of, mask_or};
use crate::compile::{Ludeme, Value};

/// As the directions of a step see it: inside another move `(from)` is where that one begins.
fn outer(c: &Context<'_>, at: Registers) -> Registers {
    Registers { from: if c.at.from >= 0 { c.at.from } else { at.from }, ..at }
}

impl Lower<'_> {
    /// A whole stack goes, unless it is said from which level.
    pub(crate) fn gait(&self, l: &Ludeme) -> Result<Gait> {
        let level =
            matches!(l.typed("from"), Some(Value::Call(f)) if f.labelled("level").is_some());
        let stack = Self::known_flag(l, "stack", false)?;
        Ok(if stack && !level { Gait::Stack } else { Gait::Piece })
    }

    pub(crate) fn step(&mut self, l: &Ludeme) -> Result<Generator> {
        let (gait, from, to) = (self.gait(l)?, self.from(l)?, self.to(l)?);
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let most = directions.widest();
        Ok(self.moves_from(from, Step { to, directions, gait, most }))
    }

    pub(crate) fn carry(&mut self, l: &Ludeme) -> Result<Generator> {
        let count = self.optional_int(l, "count")?;
        let copy = self.optional_bool(l, "copy")?;
        if count.is_some() && copy.is_some() {
            return Err(unsupported(l));
        }
        let gait = self.gait(l)?;
        let mover = match l.typed("roleType") {
            Some(value) => Some(self.player_value(value, l)?),
            None => None,
        };
        let (from, mut to) = (self.from(l)?, self.to(l)?);
        let region = to.region.take();
        let carry = self.trial(Carry { to, gait, count, copy, mover });
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                if c.what(at.from) == 0 {
                    return;
                }
                let Some(region) = &region else {
                    let to = c.at.to;
                    return carry.kind.attempt(c, at, to as u32, out);
                };
                // While the region is worked out, `(to)` is where the move begins if nowhere else.
                let to = if at.to < 0 { at.from } else { at.to };
                c.with(Registers { to, ..at }, |c| carry.each(c, region, at, out));
            });
        }))
    }
}

/// A step to a neighbour, by direction.
struct Step {
    to: To,
    directions: Dirs,
    gait: Gait,
    most: u32,
}

impl Candidates for Step {
    fn most(&self) -> u32 {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow {
            return Vec::new();
        }
        self.directions.reach(&equipment.directions, equipment.sites, false)
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let rays = c.with(outer(c, at), |c| self.directions.rays(c, at.from));
        if let Some(&ray) = rays.get(number as usize) {
            let to = c.equipment.directions.line(ray)[0] as i32;
            self.to.go(c, Registers { to, ..at }, self.gait, out);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let rays = c.with(outer(c, at), |c| self.directions.rays(c, at.from));
        let open = mask_or(self.to.condition.as_ref(), c, &[Place::To], u32::MAX);
        for &ray in rays.iter() {
            let to = c.equipment.directions.line(ray)[0] as i32;
            if !self.to.aims(to, out) || open.is_some_and(|mask| !is_of(c, mask, to)) {
                continue;
            }
            self.to.go(c, Registers { to, ..at }, self.gait, out);
            if out.full() {
                return;
            }
        }
    }
}

/// A piece goes from anywhere to anywhere, by site.
struct Carry {
    to: To,
    gait: Gait,
    count: Option<Int>,
    copy: Option<Bool>,
    mover: Option<Int>,
}

impl Candidates for Carry {
    fn most(&self) -> u32 {
        1
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let site = number as i32;
        let here = Registers { to: site, ..at };
        if site < 0 || !self.to.allows(c, here) {
            return;
        }
        let at_move = out.heads.len();
        let copy = self.copy.as_ref().is_some_and(|f| c.with(at, |c| f(c)));
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
            out.heads[at_move] = super::action::Head { mover, ..head };
        }
    }

    fn aims(&self, site: i32, out: &Moves) -> bool {
        self.to.aims(site, out)
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        self.attempt(c, at, at.to as u32, out);
    }
}
