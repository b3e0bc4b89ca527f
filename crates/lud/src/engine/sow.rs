//! Tracks as rules see them, and sowing along them.

use super::action::{Action, Kind};
use super::context::Registers;
use super::functions::{Int, Region, Result, ones};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::state::OFF;
use super::track::{END, Track};
use crate::compile::Ludeme;

/// Sets of dice as bits: one die each, then two, up to so many.
fn sets(dice: usize, most: u32) -> Vec<u32> {
    if most == 1 {
        return (0..dice.min(32)).map(|die| 1 << die).collect();
    }
    let all = 1u32 << dice.min(16);
    (1..=most).flat_map(|n| (1..all).filter(move |set| set.count_ones() == n)).collect()
}

/// The first track of these that is a player's, or everybody's.
fn track_of<'a>(tracks: &'a [Track], numbers: &[usize], player: usize) -> Option<&'a Track> {
    let all = || numbers.iter().filter_map(|&n| tracks.get(n));
    all()
        .find(|t| t.owner == player)
        .or_else(|| all().find(|t| t.owner == 0))
        .or_else(|| all().next())
}

impl Lower<'_> {
    /// The tracks of a name, or whose name holds it; all without one.
    fn tracks_named(&self, name: Option<&str>) -> Vec<usize> {
        let tracks = &self.equipment.tracks;
        let exact = tracks.iter().any(|t| Some(t.name.as_str()) == name);
        let fits = |t: &Track| {
            name.is_none_or(|name| if exact { t.name == name } else { t.name.contains(name) })
        };
        (0..tracks.len()).filter(|&n| fits(&tracks[n])).collect()
    }

    /// `(sites Track …)`.
    pub(crate) fn track_region(&mut self, l: &Ludeme) -> Result<Region> {
        let numbers = self.tracks_named(Self::text(l.typed("string")).as_deref());
        if numbers.is_empty() {
            return Err(unsupported(l));
        }
        let who = match l.typed("player").or(l.typed("roleType")) {
            Some(value) => Some(self.player_value(value, l)?),
            None => None,
        };
        let from = self.optional_int(l, "from")?;
        let to = self.optional_int(l, "to")?;
        Ok(Region::new(move |c, out| {
            let player = who.as_ref().map_or(0, |w| w.get(c).max(0) as usize);
            let tracks = &c.equipment.tracks;
            let Some(track) = track_of(tracks, &numbers, player) else { return };
            let sites = &track.sites;
            if from.is_none() && to.is_none() {
                sites.iter().for_each(|&s| out.insert(s));
                return;
            }
            let first = match &from {
                Some(from) => track.index(from.get(c)),
                None => Some(0),
            };
            // From a site that is not on the track nothing is.
            let Some(first) = first else { return };
            let Some(to) = &to else {
                sites[first..].iter().for_each(|&s| out.insert(s));
                return;
            };
            // Round a loop, if need be.
            let (to, round) = (to.get(c), if track.looped { first } else { 0 });
            for &site in sites[first..].iter().chain(&sites[..round]) {
                out.insert(site);
                if site == to {
                    break;
                }
            }
        }))
    }

    /// `(trackSite …)`.
    pub(crate) fn track_site(&mut self, l: &Ludeme, first: &str) -> Result<Int> {
        let numbers = self.tracks_named(Self::text(l.typed("string")).as_deref());
        if numbers.is_empty() {
            return Err(unsupported(l));
        }
        let who = match l.typed("player").or(l.typed("roleType")) {
            Some(value) => self.player_value(value, l)?,
            None => Int::Mover,
        };
        let from = self.optional_int(l, "from")?;
        let condition = self.optional_bool(l, "if")?;
        Ok(match first {
            "EndSite" => Int::new(move |c| {
                let player = who.get(c).max(0) as usize;
                let track = track_of(&c.equipment.tracks, &numbers, player);
                track.and_then(|t| t.sites.last()).copied().unwrap_or(OFF)
            }),
            "FirstSite" => Int::new(move |c| {
                let player = who.get(c).max(0) as usize;
                let equipment = c.equipment;
                let Some(track) = track_of(&equipment.tracks, &numbers, player) else { return OFF };
                let start = from.as_ref().map_or(0, |f| track.index(f.get(c)).unwrap_or(0));
                let n = track.sites.len();
                for i in 0..n {
                    let at = start + i;
                    if at >= n && !track.looped {
                        break;
                    }
                    let site = track.sites[at % n];
                    let fits = condition
                        .as_ref()
                        .is_none_or(|f| c.with(Registers { to: site, site, ..c.at }, |c| f(c)));
                    if fits {
                        return site;
                    }
                }
                OFF
            }),
            "Move" => {
                let steps = self.int_or(l, "steps", 0)?;
                // The tracks of every player, all where it has none.
                let of: Vec<Vec<usize>> = (0..=self.equipment.players)
                    .map(|player| {
                        let own =
                            |n: &usize| [player, 0].contains(&self.equipment.tracks[*n].owner);
                        let of: Vec<usize> = numbers.iter().copied().filter(own).collect();
                        if of.is_empty() { numbers.clone() } else { of }
                    })
                    .collect();
                Int::new(move |c| {
                    let from = from.as_ref().map_or(c.at.from, |f| f.get(c));
                    let steps = steps.get(c);
                    let player = who.get(c).max(0) as usize;
                    let equipment = c.equipment;
                    // The track that the piece is on.
                    let of = of.get(player).unwrap_or(&numbers);
                    let on = of.iter().find(|&&n| equipment.tracks[n].index(from).is_some());
                    let Some(&number) = on.or(of.first()) else { return OFF };
                    let track = &equipment.tracks[number];
                    let mut what = match c.state.level(from, c.at.level).what {
                        0 => c.cell(from).what,
                        what => what,
                    };
                    // In a stack the player's own piece counts, whichever is meant.
                    if track.winding.is_some() && c.owner(what.into()) != player {
                        let levels = (0..c.state.height(from)).rev();
                        let mut whats = levels.map(|level| c.state.level(from, level).what);
                        let own = whats.find(|&w| c.owner(w.into()) == player);
                        what = own.unwrap_or(what);
                    }
                    let place = track.place(c.state, what, from).or(track.looped.then_some(0));
                    let Some(at) = place else {
                        return OFF;
                    };
                    track.step(at, steps).map_or(OFF, |i| track.sites[i])
                })
            }
            _ => return Err(unsupported(l)),
        })
    }

    /// `(sow …)`.
    pub(crate) fn sow(&mut self, l: &Ludeme) -> Result<Generator> {
        // What becomes of each hole before it is sown.
        let each = match l.labelled("sowEffect") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        let start = match l.typed("int") {
            Some(value) => self.int(value, l)?,
            None => Int::LastTo(self.last()),
        };
        let count = self.optional_int(l, "count")?;
        let per_hole = self.int_or(l, "numPerHole", 1)?;
        let numbers = self.tracks_named(Self::text(l.typed("string")).as_deref());
        if numbers.is_empty() {
            return Err(unsupported(l));
        }
        let owner = self.optional_int(l, "owner")?;
        let condition = self.optional_bool(l, "if")?;
        let apply = match l.labelled("apply") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        let include_self = Self::known_flag(l, "includeSelf", true)?;
        let origin = self.optional_bool(l, "origin")?;
        let skip = self.optional_bool(l, "skipIf")?;
        let backtracking = self.optional_bool(l, "backtracking")?;
        let forward = self.optional_bool(l, "forward")?;
        Ok(Box::new(move |c, out| {
            let start = start.get(c);
            let seeds = match &count {
                Some(count) => count.get(c),
                None if c.rules.stacking => c.state.height(start),
                None => i32::from(c.cell(start).count),
            };
            let equipment = c.equipment;
            let player = owner.as_ref().map_or(c.state.s.mover, |o| o.get(c).max(0) as usize);
            let on = |t: &Track| t.index(start).is_some();
            let tracks = &equipment.tracks;
            let fits = |n: &&usize, whose: usize| tracks[**n].owner == whose && on(&tracks[**n]);
            let chosen = (numbers.iter().find(|n| owner.is_some() && fits(n, player)))
                .or_else(|| numbers.iter().find(|n| owner.is_some() && fits(n, 0)))
                .or_else(|| numbers.iter().find(|n| on(&tracks[**n])));
            let Some(track) = chosen.map(|&n| &tracks[n]) else { return };
            let Some(first) = track.index(start) else { return };
            if seeds <= 0 {
                return;
            }
            let mover = c.state.s.mover;
            let mark = out.actions.len();
            let mut at = first;
            // Where captures are judged.
            let mut judged = first;
            let mut left = seeds;
            let mut last = start;
            if origin.as_ref().is_some_and(|f| c.with(Registers { from: start, ..c.at }, |c| f(c)))
            {
                // The first seed stays where it was.
                left -= per_hole.get(c).max(1).min(left);
            }
            let mut leapt = false;
            let mut steps = 0;
            while left > 0 && steps < 20_000 {
                steps += 1;
                let Some(next) = track.step(at, 1) else { break };
                at = next;
                let site = track.sites[at];
                if site == END || site < 0 {
                    break;
                }
                if site == start && !include_self {
                    // After a leap over the origin, the origin itself is judged (decided by Kay, ply 18, and Wouri, ply 36).
                    judged = at;
                    leapt = true;
                    continue;
                }
                if !std::mem::take(&mut leapt) {
                    judged = at;
                }
                // There `(value)` is how many are left.
                let here = Registers { to: site, site, value: left, ..c.at };
                if skip.as_ref().is_some_and(|f| c.with(here, |c| f(c))) {
                    continue;
                }
                last = site;
                let many = c.with(here, |c| per_hole.get(c)).max(1).min(left);
                left -= many;
                if let Some(each) = &each {
                    let mut made = c.moves();
                    c.with(here, |c| each(c, &mut made));
                    for &head in &made.heads {
                        out.actions.extend_from_slice(made.actions(head));
                    }
                    c.free_moves(made);
                }
                out.actions.push(Action::Sow { from: start, to: site, count: many as u16 });
            }
            // Captures are judged when the seeds lie, and are part of the same effect.
            let sown = *out.close(mark, mover, Kind::Sown, start, last);
            let Some(apply) = &apply else { return };
            let mut made = c.moves();
            let list = &*out;
            c.ahead(
                |c| super::play::effect(c, list, sown, 0),
                |c| {
                    let mut at = judged;
                    let mut on = true;
                    for hole in 0..track.sites.len() {
                        let site = track.sites[at];
                        let here = Registers { from: start, to: site, site, ..c.at };
                        // Captures go on from hole to hole while all of them are said to.
                        let more = backtracking.as_ref().or(forward.as_ref());
                        on &= more.is_some_and(|f| c.with(here, |c| f(c)));
                        if hole > 0 && !on
                            || !condition.as_ref().is_none_or(|f| c.with(here, |c| f(c)))
                        {
                            break;
                        }
                        let before = made.len();
                        c.with(here, |c| apply(c, &mut made));
                        if made.len() == before {
                            break;
                        }
                        match track.step(at, if backtracking.is_some() { -1 } else { 1 }) {
                            Some(next) => at = next,
                            None => break,
                        }
                    }
                },
            );
            let mut then = super::action::NONE;
            for &head in &made.heads {
                out.actions.extend_from_slice(made.actions(head));
                then = out.chained_to(then, &made, head.then);
            }
            let end = out.actions.len() as u32;
            if let Some(head) = out.heads.last_mut() {
                (head.end, head.then) = (end, then);
            }
            c.free_moves(made);
        }))
    }

    /// The tracks that a form names, and whose they are.
    fn tracks_of(&mut self, l: &Ludeme) -> Result<(Vec<usize>, Int)> {
        let numbers = self.tracks_named(Self::text(l.typed("string")).as_deref());
        if numbers.is_empty() {
            return Err(unsupported(l));
        }
        let who = match l.typed("roleType") {
            Some(value) => self.player_value(value, l)?,
            None => Int::Mover,
        };
        Ok((numbers, who))
    }

    /// `(firstMoveOnTrack …)`: the moves of the first site that has any.
    pub(crate) fn first_move_on_track(&mut self, l: &Ludeme) -> Result<Generator> {
        let (numbers, who) = self.tracks_of(l)?;
        let moves = self.typed_moves(l)?;
        Ok(Box::new(move |c, out| {
            let player = who.get(c).max(0) as usize;
            let equipment = c.equipment;
            let Some(track) = track_of(&equipment.tracks, &numbers, player) else { return };
            let before = out.len();
            let lazy = std::mem::take(&mut out.lazy);
            for &site in track.sites.iter().filter(|&&site| site >= 0) {
                c.with(Registers { site, ..c.at }, |c| moves(c, out));
                if out.len() > before {
                    break;
                }
            }
            out.lazy = lazy;
        }))
    }

    /// `(max Distance …)`. No turn is dropped, also not one that leads less far (decided by Backgammon, ply 4, and Nard, ply 0).
    pub(crate) fn max_distance(&mut self, l: &Ludeme) -> Result<Generator> {
        self.tracks_of(l)?;
        self.typed_moves(l)
    }

    /// `(forEach Die …)`.
    pub(crate) fn for_each_die(&mut self, l: &Ludeme) -> Result<Generator> {
        let combined = self.optional_bool(l, "combined")?;
        let replay = self.optional_bool(l, "replayDouble")?;
        let condition = self.optional_bool(l, "if")?;
        let moves = self.typed_moves(l)?;
        let layout = self.layout;
        let sets = sets(layout.dice, if combined.is_some() { 3 } else { 1 });
        Ok(Box::new(move |c, out| {
            let double = replay.as_ref().is_some_and(|f| f(c));
            let shown = layout.die(0)..layout.die(layout.dice);
            let equal = c.state.numbers[shown].windows(2).all(|pair| pair[0] == pair[1]);
            // Dice alone, then, where they may be combined, two and three together.
            let combines = combined.as_ref().is_some_and(|f| f(c));
            let many = if combines { sets.len() } else { layout.dice };
            for &used in &sets[..many] {
                let shown = |&die: &usize| c.state.numbers[layout.die(die)];
                let mut dice = ones(used);
                let pips = ones(used).map(|die| shown(&die)).sum();
                if dice.any(|die| shown(&die) == 0) {
                    continue;
                }
                // Dice that show the same are played twice: what they show is kept with the first
                // move, they are laid again with the last, and then it is forgotten.
                let kept = c.state.s.temp;
                // Dice that may be combined are not laid again (decided by Pagade Kayi Ata, ply 33).
                let again = double && kept != OFF && !equal && !combines;
                let keep = match double && equal {
                    true if kept == OFF => Some(pips),
                    true => Some(OFF),
                    false => None,
                };
                let dice = &c.equipment.dice;
                let at = Registers { pips, ..c.at };
                c.with(at, |c| {
                    if condition.as_ref().is_some_and(|f| !f(c)) {
                        return;
                    }
                    let mut made = c.moves();
                    moves(c, &mut made);
                    for &head in &made.heads {
                        let first = out.actions.len();
                        out.actions.extend_from_slice(made.actions(head));
                        out.actions.extend(ones(used).map(|die| Action::UseDie(die as u16)));
                        out.actions.extend(keep.map(Action::Temp));
                        for (number, thrown) in dice.iter().enumerate().filter(|_| again) {
                            let face = thrown.faces.iter().position(|&f| f == kept);
                            let (site, die) = (thrown.site as i32, number as u16);
                            out.actions.extend(face.map(|face| Action::Die {
                                site,
                                die,
                                face: face as u16,
                            }));
                        }
                        let then = out.chained(&made, head.then);
                        let end = out.actions.len() as u32;
                        let extra = match used.count_ones() {
                            _ if head.extra > 0 => head.extra,
                            1 => used.trailing_zeros() as u16,
                            _ => used as u16,
                        };
                        out.heads.push(super::action::Head {
                            first: first as u32,
                            end,
                            then,
                            extra,
                            ..head
                        });
                    }
                    c.free_moves(made);
                });
            }
        }))
    }
}
