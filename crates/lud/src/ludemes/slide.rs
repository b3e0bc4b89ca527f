//! `(move Slide …)`: pieces that slide along lines, or along a track.

use super::prelude::*;
use crate::engine::condition::{FREE, is_of, mask_or};
use crate::engine::equipment::Equipment;
use crate::engine::track::Track;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Slide [from] [string] [direction] [between] [to] [stack:boolean] [then]",
        "Slide over empty sites, or over sites for which `(between if:…)` holds, up to one for which `(to if:…)` holds.",
        "(move Slide Orthogonal (to if:(is Enemy (who at:(to))) (apply (remove (to)))))",
        read,
    ),
    effect(
        "slide [from] [string] [direction] [between] [to] [stack:boolean] [then]",
        "The same as an effect.",
        "(slide (from (last To)) N)",
        read,
    ),
];

pub(super) fn bound(f: &Option<Int>, c: &mut Context<'_>, default: i32) -> i32 {
    f.as_ref().map_or(default, |f| f.get(c))
}

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    match args.text("string") {
        Some("AllTracks") => return super::slide_on_loops::read(args),
        Some(track) => return on_track(args, track),
        None => {}
    }
    let gait = args.gait()?;
    let (from, mut to) = (args.from()?, args.to()?);
    to.apply.iter_mut().for_each(|apply| apply.strict = true);
    // A direction that is named twice lists each slide twice (decided by Taikyoku Shogi, ply 4).
    let directions = args.counted_directions(Direction::Adjacent)?;
    // Distances before and after belong to hops and mean nothing here.
    let Between { condition, range, apply, trail, before: _, after: _ } = args.between()?;
    let most = directions.longest(args.lower.equipment);
    let slide = Slide { to, directions, gait, condition, range, trail, apply, most };
    Ok(args.lower.moves_from(from, slide, true))
}

/// Slides along a track.
fn on_track(args: &mut Args<'_, '_, '_>, name: &str) -> Result<Generator> {
    let (from, to, gait) = (args.from()?, args.to()?, args.gait()?);
    let Between { condition, range, apply: None, trail: None, before: None, after: None } =
        args.between()?
    else {
        return Err(args.unsupported());
    };
    let tracks = args.lower.tracks_named(Some(name));
    let tracks = tracks.into_iter().map(|n| args.lower.equipment.tracks[n].clone()).collect();
    Ok(Box::new(OnTrack { from, to, gait, condition, range, tracks: Table(tracks) }))
}

node! {
    /// Slides along tracks.
    struct OnTrack = "slide on track", reads CELLS {
        from: crate::engine::parts::From,
        to: To,
        gait: Gait,
        condition: Option<Test>,
        range: Bounds,
        tracks: Table<Vec<Track>>,
    }
}

impl OnTrack {
    /// Slides from a place of a track on.
    fn along(
        &self,
        c: &mut Context<'_>,
        track: &Track,
        place: usize,
        at: Registers,
        out: &mut Moves,
    ) {
        let (least, most) = self.range.range(c, 1);
        for steps in 1..=(track.sites.len() as i32) {
            let Some(next) = track.step(place, steps) else { break };
            let site = track.sites[next];
            if steps > most || site < 0 || site == at.from && next == place {
                break;
            }
            let here = Registers { to: site, between: site, ..at };
            let free = match &self.condition {
                Some(test) => test.holds(c, here),
                None => c.is_empty(site),
            };
            if !free {
                if self.to.condition.is_some() && steps >= least {
                    self.to.go(c, here, self.gait, out);
                }
                break;
            }
            if steps >= least {
                self.to.go_on(c, here, self.gait, out);
            }
        }
    }
}

impl Generate for OnTrack {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.from.each(c, out, |c, at, out| {
            for track in self.tracks.iter() {
                for &place in track.spots(at.from) {
                    self.along(c, track, place, at, out);
                }
            }
        });
    }
}

/// The site that is so many places along some rays.
pub(super) fn nth<'a>(
    c: &Context<'a>,
    rays: &[u32],
    mut number: usize,
) -> Option<(&'a [u32], usize)> {
    for &ray in rays {
        let line = c.equipment.directions.line(ray);
        if number < line.len() {
            return Some((line, number));
        }
        number -= line.len();
    }
    None
}

/// By ray: the sites, at most so many, up to the first that is not of these owners.
fn walks<'a>(
    c: &Context<'a>,
    rays: &[u32],
    free: u32,
    most: i32,
) -> impl Iterator<Item = &'a [u32]> {
    rays.iter().map(move |&ray| {
        let line = c.equipment.directions.line(ray);
        let line = &line[..line.len().min(most.max(0) as usize)];
        let far = line.iter().take_while(|&&site| is_of(c, free, site as i32)).count();
        &line[..far]
    })
}

/// How many sites such walks reach.
pub(super) fn reached(c: &Context<'_>, rays: &[u32], free: u32, most: i32) -> u32 {
    walks(c, rays, free, most).map(|walk| walk.len() as u32).sum()
}

/// The site of a number that such walks reach, after those that are passed.
pub(super) fn reached_by<'a>(
    c: &Context<'a>,
    rays: &[u32],
    free: u32,
    most: i32,
    number: u32,
) -> Option<(&'a [u32], i32)> {
    let mut left = number as usize;
    for walk in walks(c, rays, free, most) {
        if let Some(&site) = walk.get(left) {
            return Some((&walk[..left], site as i32));
        }
        left -= walk.len();
    }
    None
}

node! {
    /// A slide, by the site that it ends on.
    struct Slide = "slide", reads CELLS | TURN, writes CELLS {
        to: To,
        directions: Dirs,
        gait: Gait,
        condition: Option<Test>,
        range: Bounds,
        trail: Option<Int>,
        apply: Option<Apply>,
        most: Most,
    }
}

impl Slide {
    /// May a slide go on over a site?
    fn free(&self, c: &mut Context<'_>, here: Registers) -> bool {
        match &self.condition {
            Some(test) => test.holds(c, here),
            None => c.is_empty(here.to),
        }
    }

    /// Does it stop on a site, be it free or not?
    fn stops(&self, c: &mut Context<'_>, here: Registers, far: bool) -> bool {
        if !(far || c.rules.leaves_levels) || self.to.condition.is_none() {
            return false;
        }
        // The condition is asked also where it is too near to stop, which matters where it leaves a level behind (decided by
        // Rithmomachia, ply 460).
        let allowed = self.to.allows(c, here);
        far && allowed
    }

    /// The owners whose sites the slide may pass, and the owners on whose sites it stops, where owners alone decide.
    fn masks(&self, c: &Context<'_>) -> Option<(u32, u32)> {
        let free = mask_or(self.condition.as_ref(), c, &[Place::To, Place::Between], FREE)?;
        let stops = mask_or(self.to.condition.as_ref(), c, &[Place::To], 0)?;
        Some((free, stops))
    }

    /// The owners whose sites the slide passes, and its range, where each site on the way is a move.
    fn plain(&self, c: &mut Context<'_>) -> Option<(u32, i32)> {
        if self.range.least.is_some() || self.to.apply.is_some() {
            return None;
        }
        match self.masks(c)? {
            // The slide stops on no site.
            (free, 0) => Some((free, bound(&self.range.most, c, i32::MAX))),
            _ => None,
        }
    }

    /// Does it stop on the site that is so many places along a line, and may it pass it?
    #[inline]
    fn look(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        masks: Option<(u32, u32)>,
        site: i32,
        far: bool,
    ) -> (bool, bool) {
        if let Some((free, stop)) = masks {
            let stops = far && is_of(c, stop, site);
            return (stops, !stops && is_of(c, free, site));
        }
        let here = Registers { to: site, between: site, ..at };
        let stops = self.stops(c, here, far);
        (stops, !stops && self.free(c, here))
    }

    /// The effects on the sites that are passed, and on the last.
    fn end(&self, c: &mut Context<'_>, passed: &[u32], here: Registers, out: &mut Moves) {
        let (mark, mut chain) = (out.actions.len(), NONE);
        if let Some(apply) = &self.apply {
            for &between in passed.iter().rev() {
                let here = Registers { between: between as i32, ..here };
                chain = apply.run(c, here, chain, out).unwrap_or(chain);
            }
        }
        let then = match &self.to.apply {
            Some(apply) => apply.run(c, here, chain, out),
            None => Some(chain),
        };
        let Some(then) = then else {
            out.actions.truncate(mark);
            return;
        };
        self.to.close(c, here, self.gait, mark, then, out);
        if let Some(trail) = &self.trail {
            let what = trail.get(c).max(0) as u16;
            for to in std::iter::once(here.from).chain(passed.iter().map(|&s| s as i32)) {
                out.actions.push(Action::Add { to, what, count: 1, state: 0, stack: false });
            }
            let end = out.actions.len() as u32;
            if let Some(head) = out.heads.last_mut() {
                head.end = end;
            }
        }
    }
}

impl Candidates for Slide {
    fn most(&self) -> Most {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow || self.apply.is_some() {
            return Vec::new();
        }
        self.directions.reach(&equipment.directions, equipment.sites, true)
    }

    fn count(&self, c: &mut Context<'_>, at: Registers) -> Option<u32> {
        let (free, most) = self.plain(c)?;
        let rays = self.directions.rays_at(c, at);
        Some(reached(c, &rays, free, most))
    }

    fn nth(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let Some((free, most)) = self.plain(c) else { return };
        let rays = self.directions.rays_at(c, at);
        if let Some((passed, site)) = reached_by(c, &rays, free, most, number) {
            self.end(c, passed, Registers { to: site, between: site, ..at }, out);
        }
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let rays = self.directions.rays_at(c, at);
        let Some((line, last)) = nth(c, &rays, number as usize) else { return };
        if last as i32 >= bound(&self.range.most, c, i32::MAX) {
            return;
        }
        let least = bound(&self.range.least, c, 1);
        let masks = self.masks(c);
        for (k, &site) in line[..=last].iter().enumerate() {
            let (site, far) = (site as i32, k as i32 + 1 >= least);
            let (stops, free) = self.look(c, at, masks, site, far);
            if k == last && far && (stops || free) {
                let here = Registers { to: site, between: site, ..at };
                self.end(c, &line[..k], here, out);
            } else if !free {
                break;
            }
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let rays = self.directions.rays_at(c, at);
        let least = bound(&self.range.least, c, 1);
        let most = bound(&self.range.most, c, i32::MAX);
        let (equipment, masks) = (c.equipment, self.masks(c));
        for &ray in rays.iter() {
            let line = equipment.directions.line(ray);
            let any = self.apply.is_some();
            if !any && !line.iter().any(|&site| self.to.aims(site as i32, out)) {
                continue;
            }
            for (k, &site) in line.iter().enumerate() {
                if k as i32 >= most || out.full() {
                    break;
                }
                let (site, far) = (site as i32, k as i32 + 1 >= least);
                let (stops, free) = self.look(c, at, masks, site, far);
                if far && (stops || free) && (any || self.to.aims(site, out)) {
                    let here = Registers { to: site, between: site, ..at };
                    self.end(c, &line[..k], here, out);
                }
                if !free {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::moves;

    #[test]
    fn a_slide_ends_before_a_piece() {
        let start = "(place \"Disc1\" 0) (place \"Disc2\" 2)";
        let slide = "(move Slide (from 0) Orthogonal)";
        assert_eq!(moves(start, slide), [(0, 1), (0, 3), (0, 6)]);
    }

    #[test]
    fn a_slide_may_be_short_and_may_capture() {
        let start = "(place \"Disc1\" 0) (place \"Disc2\" 2)";
        let short = "(move Slide (from 0) Orthogonal (between (max 1)))";
        assert_eq!(moves(start, short), [(0, 1), (0, 3)]);
        let capture = "(move Slide (from 0) Orthogonal
            (to if:(is Enemy (who at:(to))) (apply (remove (to)))))";
        assert_eq!(moves(start, capture), [(0, 1), (0, 2), (0, 3), (0, 6)]);
    }
}
