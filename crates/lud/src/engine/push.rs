//! Pieces that are pushed or drawn along lines, and pieces that change hands.

use super::action::Action;
use super::directions::Direction;
use super::functions::{Region, Result};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use crate::compile::Ludeme;

impl Lower<'_> {
    /// All pieces in a row from the origin go a step on; one that has no site to go to is lost.
    pub(crate) fn push(&mut self, l: &Ludeme) -> Result<Generator> {
        let origin = self.origin(l)?;
        let directions = self.directions(l.typed("direction").ok_or_else(|| unsupported(l))?, l)?;
        if self.stacking {
            return Err(unsupported(l));
        }
        Ok(Box::new(move |c, out| {
            origin.each(c, |c, from| {
                let equipment = c.equipment;
                for &ray in directions.rays(c, from).iter() {
                    let mut pushed = c.cell(from);
                    if pushed.what == 0 {
                        continue;
                    }
                    out.effect(Action::Remove { at: from, level: -1, count: u16::MAX });
                    for &site in equipment.directions.line(ray) {
                        let (to, there) = (site as i32, c.cell(site as i32));
                        if there.what != 0 {
                            out.effect(Action::Remove { at: to, level: -1, count: u16::MAX });
                        }
                        let (what, count, state) = (pushed.what, 1, pushed.state);
                        out.effect(Action::Add { to, what, count, state, stack: false });
                        if there.what == 0 {
                            break;
                        }
                        pushed = there;
                    }
                }
                true
            });
        }))
    }

    /// All pieces in a row from the origin come as near to it as they can, and stay in order.
    pub(crate) fn attract(&mut self, l: &Ludeme) -> Result<Generator> {
        let origin = self.origin(l)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        if self.stacking {
            return Err(unsupported(l));
        }
        Ok(Box::new(move |c, out| {
            origin.each(c, |c, from| {
                let equipment = c.equipment;
                for &ray in directions.rays(c, from).iter() {
                    let line = equipment.directions.line(ray);
                    let mut free = 0;
                    for &site in line {
                        let (at, cell) = (site as i32, c.cell(site as i32));
                        if cell.what == 0 {
                            continue;
                        }
                        let to = line[free] as i32;
                        free += 1;
                        if to != at {
                            let (what, count, state) = (cell.what, cell.count, cell.state);
                            out.effect(Action::Remove { at, level: -1, count: u16::MAX });
                            out.effect(Action::Add { to, what, count, state, stack: false });
                        }
                    }
                }
                true
            });
        }))
    }

    /// Pieces of one player become the same of another.
    pub(crate) fn take_control(&mut self, l: &Ludeme) -> Result<Generator> {
        let of = self.roles(l.labelled("of").ok_or_else(|| unsupported(l))?, l)?;
        let by = self.player_value(l.labelled("by").ok_or_else(|| unsupported(l))?, l)?;
        let region = match l.labelled("at").or(l.labelled("to")) {
            Some(value) => self.region(value, l)?,
            None => Region::Fixed(self.equipment.on_board.clone()),
        };
        if self.stacking {
            return Err(unsupported(l));
        }
        // By player and component: the same piece of that player.
        let all = &self.equipment.components;
        let same = |what: usize, owner: usize| {
            let mut like = all.iter().enumerate().skip(1);
            let found = like.find(|(_, k)| k.stem == all[what].stem && k.owner == owner);
            found.map(|(n, _)| n as u16)
        };
        let table: Vec<Vec<Option<u16>>> = (0..=self.equipment.players + 1)
            .map(|owner| (0..all.len()).map(|what| same(what, owner)).collect())
            .collect();
        Ok(Box::new(move |c, out| {
            let (of, by) = (of.get(c), by.get(c).max(0) as usize);
            region.each(c, |c, at| {
                let what = c.what(at);
                if what != 0
                    && of >> c.owner(what) & 1 == 1
                    && let Some(Some(what)) = table.get(by).and_then(|t| t.get(what)).copied()
                {
                    out.effect(Action::Promote { at, what });
                }
                true
            });
        }))
    }
}
