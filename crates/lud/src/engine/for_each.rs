//! Moves for each of something: pieces, sites, values, players, directions, teams, levels.

use std::sync::Arc;

use super::action::Moves;
use super::context::{Context, Registers};
use super::functions::{Result, Who, ones};
use super::lots::{self, Bound, Candidates};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::state::OFF;
use crate::compile::{Ludeme, Value};

/// From so many pieces on they are drawn before they are asked for their moves.
const MANY: usize = 6;

/// Pieces may move as other pieces do, but not for ever.
const MOST_INSIDE: u8 = 4;

impl Lower<'_> {
    pub(crate) fn for_each(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
        Ok(match first {
            "Piece" => self.for_each_piece(l)?,
            "Site" => {
                let region = self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?;
                let moves = self.typed_moves(l)?;
                let otherwise = match l.labelled("noMoveYet") {
                    Some(value) => Some(self.moves(value, l)?),
                    None => None,
                };
                let single = l.typed("moves").is_some_and(single);
                let sites = self.trial(ForSite { moves, single });
                let each: Generator = Box::new(move |c, out| {
                    let at = c.at;
                    sites.each(c, &region, at, out);
                });
                if otherwise.is_none() {
                    return Ok(each);
                }
                // What follows does so from the moves of the sites alone.
                let each = self.with_then(l, each)?;
                Box::new(move |c, out| {
                    let first = out.len();
                    let lazy = std::mem::take(&mut out.lazy);
                    each(c, out);
                    out.lazy = lazy;
                    if let Some(otherwise) = &otherwise
                        && out.len() == first
                    {
                        otherwise(c, out);
                    }
                })
            }
            "Player" => {
                let moves = self.typed_moves(l)?;
                Box::new(move |c, out| {
                    for player in 1..=c.equipment.players as i32 {
                        let at = Registers { player, ..c.at };
                        c.with(at, |c| moves(c, out));
                    }
                })
            }
            "Value" => {
                let moves = self.typed_moves(l)?;
                if let Some(values) = l.typed("ints") {
                    let values = self.int_list(values, l)?;
                    return Ok(Box::new(move |c, out| {
                        values.of(c, |c, values| {
                            for &value in &*values {
                                let at = Registers { value, ..c.at };
                                c.with(at, |c| moves(c, out));
                            }
                        });
                    }));
                }
                let (min, max) = (self.int_or(l, "min", 0)?, self.int_or(l, "max", -1)?);
                Box::new(move |c, out| {
                    let (min, max) = (min.get(c), max.get(c));
                    for value in min..=max.min(min.saturating_add(10_000)) {
                        let at = Registers { value, ..c.at };
                        c.with(at, |c| moves(c, out));
                        if out.full() {
                            break;
                        }
                    }
                })
            }
            "" => {
                let moves = self.typed_moves(l)?;
                let values = self.int_list(l.typed("ints").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c, out| {
                    values.of(c, |c, values| {
                        for &player in &*values {
                            let at = Registers { player, ..c.at };
                            c.with(at, |c| moves(c, out));
                        }
                    });
                })
            }
            "Direction" => self.for_each_direction(l)?,
            "Level" => {
                let moves = self.typed_moves(l)?;
                let site = self.typed_int(l)?;
                let top = l.typed("stackDirection").and_then(Value::word) != Some("FromBottom");
                Box::new(move |c, out| {
                    let site = site.get(c);
                    let height = c.state.height(site);
                    for i in 0..height {
                        let level = if top { height - 1 - i } else { i };
                        let at = Registers { level, ..c.at };
                        c.with(at, |c| moves(c, out));
                        if out.full() {
                            break;
                        }
                    }
                })
            }
            "Die" => self.for_each_die(l)?,
            "Group" => self.for_each_group(l)?,
            _ => return Err(unsupported(l)),
        })
    }

    fn for_each_direction(&mut self, l: &Ludeme) -> Result<Generator> {
        let from = self.from(l)?;
        let directions = self.direction_or(l, super::directions::Direction::Adjacent)?;
        let mut range = super::parts::Bounds::NONE;
        let mut condition = None;
        if let Some(Value::Call(between)) = l.typed("between") {
            range = self.range(between)?;
            condition = self.optional_test(between, "if")?;
        }
        let to = match l.typed("to") {
            Some(_) => Some(self.to(l)?),
            None => None,
        };
        let moves = match l.typed("moves") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        Ok(Box::new(move |c, out| {
            let origin = c.at.from;
            from.each(c, out, |c, at, out| {
                // Inside another direction, forward is where that one leads.
                let heading = c.heading;
                let looks = std::mem::replace(&mut c.looks, heading);
                let rays = c.with(at, |c| directions.rays(c, at.from));
                c.looks = looks;
                // The move begins where the outermost does.
                let at = Registers { from: if origin >= 0 { origin } else { at.from }, ..at };
                let least = range.least.as_ref().map_or(1, |f| f.get(c));
                let most = range.most.as_ref().map_or(1, |f| f.get(c));
                let equipment = c.equipment;
                for &ray in rays.iter() {
                    let bearing = equipment.directions.rays[ray as usize].bearing;
                    c.heading = Some((bearing / 22.5).round() as usize % 16);
                    for (k, &site) in equipment.directions.line(ray).iter().enumerate() {
                        let (site, steps) = (site as i32, k as i32 + 1);
                        if steps > most {
                            break;
                        }
                        let here = Registers { to: site, site, between: site, ..at };
                        if steps >= least {
                            match (&to, &moves) {
                                // What applies are the moves, if anything does.
                                (Some(to), _) if to.allows(c, here) => match &to.apply {
                                    Some(super::parts::Apply { effect: Some(effect), .. }) => {
                                        c.with(here, |c| effect(c, out));
                                    }
                                    _ => drop(to.go_on(c, here, super::parts::Gait::Piece, out)),
                                },
                                (Some(_), _) => break,
                                (None, Some(moves)) => c.with(here, |c| moves(c, out)),
                                _ => {}
                            }
                        }
                        if !super::test::holds(condition.as_ref(), c, here) {
                            break;
                        }
                    }
                    if out.full() {
                        break;
                    }
                }
                c.heading = heading;
            });
        }))
    }

    fn for_each_piece(&mut self, l: &Ludeme) -> Result<Generator> {
        let here = format!("{:?}", self.equipment.board.sites);
        if l.labelled("on").is_some_and(|on| on.word() != Some(here.as_str())) {
            return Err(unsupported(l));
        }
        let top = Self::known_flag(l, "top", false)?;
        let mut names = Self::strings(l);
        // The second string, if any, is a container.
        let mut place: Option<super::sites::Sites> = None;
        let known = |n: &String, this: &Self| {
            this.equipment.components.iter().any(|k| k.stem == *n || k.name == *n)
        };
        if let Some(at) = names.iter().position(|n| !known(n, self)) {
            let name = names.remove(at);
            let containers = self.equipment.containers.iter().filter(|k| k.name.starts_with(&name));
            let sites = containers.flat_map(|k| k.from as i32..(k.from + k.sites) as i32);
            place = Some(self.sites_of(sites));
        }
        let container = self.optional_int(l, "container")?;
        let place = place.unwrap_or_else(|| self.equipment.on_board.clone());
        let containers: Vec<super::sites::Sites> = (self.equipment.containers.iter())
            .map(|k| self.sites_of(k.from as i32..(k.from + k.sites) as i32))
            .collect();
        let wanted = if names.is_empty() { None } else { Some(self.named(&names)) };
        let who = self.optional_roles(l)?.unwrap_or(Who::Mover);
        let own = match l.typed("moves") {
            Some(value) => Some(Arc::new(self.moves(value, l)?)),
            None => None,
        };
        let bound = match own.is_some() {
            true => std::mem::take(&mut self.bound),
            false => Bound::default(),
        };
        let most = bound.most;
        let pieces = self.trial(Pieces { own: own.clone(), bound });
        let stacking = self.stacking;
        Ok(Box::new(move |c, out| {
            let who = who.get(c);
            let layout = c.rules.layout;
            let place = match &container {
                None => &place,
                Some(number) => match containers.get(number.get(c).max(0) as usize) {
                    Some(place) => place,
                    None => return,
                },
            };
            let mut sites = c.sites();
            if stacking && !top {
                sites.add(place.words());
                sites.subtract(c.state.empty(layout));
            } else {
                ones(who).for_each(|owner| sites.add(c.state.owned(layout, owner)));
                sites.keep(place.words());
            }
            // Another's pieces move as that player's.
            let (mover, next) = (c.state.s.mover, c.state.s.next);
            let other = ones(who).next().filter(|&p| {
                who.count_ones() == 1 && p != mover && p >= 1 && p <= c.equipment.players
            });
            // … and must be looked at while they do.
            let lazy = out.lazy;
            if let Some(player) = other {
                (c.state.s.mover, c.state.s.next) = (player, mover);
                out.lazy = false;
            }
            let (rules, listed) = (c.rules, out.heads.len());
            // One lot for all pieces of a kind, where there are many.
            let many = sites.len() >= MANY;
            if many && !stacking && other.is_none() && pieces.waits(c, out) {
                let mut rest = c.sites();
                rest.add(sites.words());
                let mut alike = c.sites();
                while let Some(first) = rest.first() {
                    let what = c.what(first);
                    let each = if own.is_some() { most } else { rules.bounds[what].most };
                    if each == 0 || c.inside >= MOST_INSIDE {
                        rest.remove(first);
                        continue;
                    }
                    alike.clear();
                    match own.is_some() && wanted.is_none() {
                        true => alike.add(rest.words()),
                        false => {
                            rest.iter()
                                .filter(|&s| c.what(s) == what)
                                .for_each(|s| alike.insert(s));
                        }
                    }
                    rest.subtract(alike.words());
                    sites.subtract(alike.words());
                    if wanted.as_ref().is_none_or(|w| w.get(what) == Some(&true)) {
                        pieces.at_each(c, &alike, each, out);
                    }
                }
                c.free(rest);
                c.free(alike);
            }
            let piece =
                |c: &mut Context<'_>, site: i32, level: i32, what: usize, out: &mut Moves| {
                    if wanted.as_ref().is_some_and(|w| w.get(what) != Some(&true)) {
                        return;
                    }
                    let at = Registers { from: site, site, level, ..c.at };
                    c.with(at, |c| match &own {
                        Some(moves) => moves(c, out),
                        None => {
                            if let Some(Some(moves)) = rules.pieces.get(what)
                                && c.inside < MOST_INSIDE
                            {
                                c.inside += 1;
                                moves(c, out);
                                c.inside -= 1;
                            }
                        }
                    });
                };
            for site in sites.iter() {
                if stacking && !top {
                    for level in 0..c.state.height(site) {
                        let what = usize::from(c.state.level(site, level).what);
                        if who >> c.owner(what) & 1 == 1 {
                            piece(c, site, level, what, out);
                        }
                    }
                } else {
                    let what = c.what(site);
                    let level = if stacking { c.state.height(site) - 1 } else { OFF };
                    piece(c, site, level, what, out);
                }
                if out.full() {
                    break;
                }
            }
            // They are moves of the one whose turn it is.
            if other.is_some() {
                out.heads[listed..].iter_mut().for_each(|head| head.mover = mover as u16);
            }
            (c.state.s.mover, c.state.s.next) = (mover, next);
            out.lazy = lazy;
            c.free(sites);
        }))
    }
}

/// Is a form never more than one move?
fn single(value: &Value) -> bool {
    let Value::Call(l) = value else { return false };
    let mut parts = l.values();
    match l.signature().keyword.as_str() {
        "append" => true,
        "if" => {
            parts.next();
            parts.all(|part| {
                matches!(part, Value::Call(l) if l.signature().result == "then") || single(part)
            })
        }
        _ => false,
    }
}

/// The moves of a site.
struct ForSite {
    moves: Generator,
    single: bool,
}

impl Candidates for ForSite {
    fn most(&self) -> u32 {
        u32::from(self.single)
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let site = number as i32;
        c.with(Registers { site, to: site, ..at }, |c| (self.moves)(c, out));
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        self.attempt(c, at, at.site as u32, out);
    }
}

/// The moves of pieces.
struct Pieces {
    own: Option<Arc<Generator>>,
    bound: Bound,
}

impl Pieces {
    fn moves(&self, c: &mut Context<'_>, what: usize, out: &mut Moves) {
        let rules = c.rules;
        match (&self.own, rules.pieces.get(what)) {
            (Some(moves), _) => moves(c, out),
            (None, Some(Some(moves))) => {
                c.inside += 1;
                moves(c, out);
                c.inside -= 1;
            }
            _ => {}
        }
    }
}

impl Candidates for Pieces {
    fn most(&self) -> u32 {
        self.bound.most
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let what = c.what(at.from);
        let rules = c.rules;
        let bound = if self.own.is_some() { &self.bound } else { &rules.bounds[what] };
        if !bound.attempt(c, at, number, out) {
            lots::candidate(c, number, bound.most, out, |c, out| self.moves(c, what, out));
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let what = c.what(at.from);
        self.moves(c, what, out);
    }
}
