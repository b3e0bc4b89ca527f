//! `(sow …)`: seeds that are sown along a track.

use super::prelude::*;
use crate::engine::play;
use crate::engine::track::{END, Track};

pub(super) const FORMS: &[Form] = &[effect(
    "sow [siteType] [int] [count:int] [numPerHole:int] [string] [owner:int] [If:boolean] [sowEffect:moves] [apply:effect] [includeSelf:boolean] [origin:boolean] [skipIf:boolean] ([backtracking:boolean] | [forward:boolean]) [then]",
    "The seeds of a hole are sown one by one along the track. If the condition holds for the last hole, the effect \
     applies to it, and to the holes before or after it as long as `backtracking:` or `forward:` holds.",
    "(sow if:(= (count at:(to)) 2) apply:(remove (to)))",
    read,
).sites_in(&["int"])
.needs(Parts::COUNTS)];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let start = args.site_or_last("int")?;
    let tracks = args.text("string");
    let tracks = args.lower.tracks_named(tracks);
    if tracks.is_empty() {
        return Err(args.unsupported());
    }
    Ok(Box::new(Sow {
        start,
        tracks: Table(tracks),
        each: args.try_moves("sowEffect")?,
        count: args.try_int("count")?,
        per_hole: args.int_or("numPerHole", 1)?,
        owner: args.try_int("owner")?,
        condition: args.try_bool("if")?,
        apply: args.try_moves("apply")?,
        include_self: args.flag("includeSelf", true)?,
        origin: args.try_bool("origin")?,
        skip: args.try_bool("skipIf")?,
        backtracking: args.try_bool("backtracking")?,
        forward: args.try_bool("forward")?,
    }))
}

node! {
    /// Seeds are sown.
    struct Sow = "sow", reads COUNTS | STACKS | TURN, writes CELLS | COUNTS | SOWING {
        start: Int,
        tracks: Table<Vec<usize>>,
        /// The effect on each hole before it is sown.
        each: Option<Generator>,
        count: Option<Int>,
        per_hole: Int,
        owner: Option<Int>,
        condition: Option<Bool>,
        /// The effects of captures.
        apply: Option<Generator>,
        /// Is the hole that the seeds come from sown, too?
        include_self: bool,
        /// Does the first seed stay?
        origin: Option<Bool>,
        skip: Option<Bool>,
        backtracking: Option<Bool>,
        forward: Option<Bool>,
    }
}

/// Where sowing ended.
struct End {
    /// The last hole that was sown.
    last: i32,
    /// The place on the track from which captures are judged.
    judged: usize,
}

impl Sow {
    /// The first track of the owner that contains a hole, or the first track of all that does.
    fn track<'a>(&self, c: &mut Context<'a>, start: i32) -> Option<&'a Track> {
        let tracks = &c.equipment.tracks;
        let on = |number: &&usize| tracks[**number].index(start).is_some();
        if let Some(owner) = &self.owner {
            let owner = owner.player(c);
            let fits = |whose: usize| {
                self.tracks.iter().find(|number| tracks[**number].owner == whose && on(number))
            };
            if let Some(&number) = fits(owner).or_else(|| fits(0)) {
                return Some(&tracks[number]);
            }
        }
        self.tracks.iter().find(on).map(|&number| &tracks[number])
    }

    /// Sows the seeds of a hole.
    fn seeds(
        &self,
        c: &mut Context<'_>,
        track: &Track,
        first: usize,
        seeds: i32,
        out: &mut Moves,
    ) -> End {
        let start = track.sites[first];
        let (mut at, mut end) = (first, End { last: start, judged: first });
        let mut left = seeds;
        let from = Registers { from: start, ..c.at };
        if self.origin.as_ref().is_some_and(|origin| origin.holds_at(c, from)) {
            left -= self.per_hole.get(c).max(1).min(left);
        }
        let (mut leapt, mut steps) = (false, 0);
        while left > 0 && steps < 20_000 {
            steps += 1;
            let Some(next) = track.step(at, 1) else { break };
            at = next;
            let site = track.sites[at];
            if site == END || site < 0 {
                break;
            }
            if site == start && !self.include_self {
                // After a leap over the origin, the origin itself is judged (decided by Kay, ply 18, and Wouri, ply 36), but not where
                // holes can be skipped (decided by Oware with at most 12 counters by hole, ply 50).
                end.judged = at;
                leapt = self.skip.is_none();
                continue;
            }
            if !std::mem::take(&mut leapt) {
                end.judged = at;
            }
            // In this condition `(value)` is the number of seeds that are left.
            let here = Registers { to: site, site, value: left, ..c.at };
            if self.skip.as_ref().is_some_and(|skip| skip.holds_at(c, here)) {
                continue;
            }
            end.last = site;
            let many = c.with(here, |c| self.per_hole.get(c)).max(1).min(left);
            left -= many;
            if let Some(each) = &self.each {
                let mut made = c.moves();
                c.with(here, |c| each.generate(c, &mut made));
                made.heads
                    .iter()
                    .for_each(|&head| out.actions.extend_from_slice(made.actions(head)));
                c.free_moves(made);
            }
            out.actions.push(Action::Sow { from: start, to: site, count: many as u16 });
        }
        end
    }

    /// Appends the captures, hole by hole.
    fn captures(
        &self,
        c: &mut Context<'_>,
        track: &Track,
        start: i32,
        judged: usize,
        made: &mut Moves,
    ) {
        let Some(apply) = &self.apply else { return };
        let mut at = judged;
        let mut on = true;
        for hole in 0..track.sites.len() {
            let site = track.sites[at];
            let here = Registers { from: start, to: site, site, ..c.at };
            // Captures go on from hole to hole while all of them are said to.
            let more = self.backtracking.as_ref().or(self.forward.as_ref());
            on &= more.is_some_and(|more| more.holds_at(c, here));
            let fits = |c: &mut Context<'_>| {
                self.condition.as_ref().is_none_or(|condition| condition.holds_at(c, here))
            };
            if hole > 0 && !on || !fits(c) {
                break;
            }
            let before = made.len();
            c.with(here, |c| apply.generate(c, made));
            if made.len() == before {
                break;
            }
            match track.step(at, if self.backtracking.is_some() { -1 } else { 1 }) {
                Some(next) => at = next,
                None => break,
            }
        }
    }
}

impl Generate for Sow {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let start = self.start.get(c);
        let seeds = match &self.count {
            Some(count) => count.get(c),
            None if c.rules.stacking => c.state.height(start),
            None => i32::from(c.cell(start).count),
        };
        let Some(track) = self.track(c, start) else { return };
        let Some(first) = track.index(start) else { return };
        let (mover, mark) = (c.state.s.mover, out.actions.len());
        let end = self.seeds(c, track, first, seeds, out);
        // Captures are judged when the seeds lie, and are part of the same effect.
        let sown = *out.close(mark, mover, Kind::Sown, start, end.last);
        let Some(apply) = &self.apply else { return };
        let mut made = c.moves();
        let list = &*out;
        c.ahead(
            |c| play::effect(c, list, sown, 0),
            |c| match seeds {
                // Without seeds there is no last hole: `(to)` stays as it is (decided by Khutka Boia, ply 121 of its second record).
                ..=0 => apply.generate(c, &mut made),
                _ => self.captures(c, track, start, end.judged, &mut made),
            },
        );
        let mut then = NONE;
        for &head in &made.heads {
            out.actions.extend_from_slice(made.actions(head));
            then = out.chained_to(then, &made, head.then);
        }
        let end = out.actions.len() as u32;
        if let Some(head) = out.heads.last_mut() {
            (head.end, head.then) = (end, then);
        }
        c.free_moves(made);
    }
}
