//! Tracks: sites in the order in which pieces go round.

use super::directions::{Direction, compass};
use super::equipment::Equipment;
use super::journal::Undo;
use super::state::{OFF, State};

/// The end of a track, as rules see it.
pub(crate) const END: i32 = -2;

/// A track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// The name of the track.
    pub name: String,
    /// The sites of the track in order; [`END`] for a place beyond the board.
    pub sites: Vec<i32>,
    /// Does its end lead to its beginning?
    pub looped: bool,
    /// The places of every site, in order.
    spots: Vec<Vec<usize>>,
    /// The owner of the track; 0 for a shared one.
    pub owner: usize,
    /// Where its places begin among those of all tracks that pass a site more than once.
    pub winding: Option<usize>,
}

impl Track {
    /// A track over sites of some equipment.
    pub(crate) fn new(
        name: String,
        sites: Vec<i32>,
        looped: bool,
        owner: usize,
        equipment: &Equipment,
    ) -> Track {
        let mut spots = vec![Vec::new(); equipment.sites];
        for (place, &site) in sites.iter().enumerate() {
            if let Some(spots) = usize::try_from(site).ok().and_then(|site| spots.get_mut(site)) {
                spots.push(place);
            }
        }
        let repeated = spots.iter().any(|places: &Vec<usize>| places.len() > 1);
        // On a loop, the place of a piece is the first place of its site (decided by Issiren, ply 56, and Bheri Bakhri, ply 48).
        let winding = (repeated && !looped).then(|| places(&equipment.tracks));
        Track { name, sites, looped, spots, owner, winding }
    }

    /// The sites of a walk such as `0,E,N1,W,End`: a site, or a direction to go on in, to the end of
    /// the board or so many steps.
    pub(crate) fn walk(steps: &str, owner: usize, equipment: &Equipment) -> Option<Vec<i32>> {
        let mut sites: Vec<i32> = Vec::new();
        for step in steps.split(',').map(str::trim).filter(|s| !s.is_empty()) {
            if let Ok(site) = step.parse::<i32>() {
                sites.push(site);
            } else if let Some((a, b)) = step.split_once("..") {
                let (a, b): (i32, i32) = (a.parse().ok()?, b.parse().ok()?);
                if a <= b { sites.extend(a..=b) } else { sites.extend((b..=a).rev()) }
            } else if step == "End" {
                sites.push(END);
            } else if step == "Off" {
                sites.push(OFF);
            } else if step == "Hand" {
                sites.push(equipment.hand(owner)?.from as i32);
            } else {
                let letters = step.trim_end_matches(|c: char| c.is_ascii_digit());
                let bearing = compass(letters)? as f64 * 22.5;
                let many = step[letters.len()..].parse::<usize>().unwrap_or(usize::MAX);
                let at = usize::try_from(*sites.last()?).ok()?;
                let directions = &equipment.directions;
                let rays = directions.select(at, &[Direction::Bearing(bearing)], 0.0);
                let line = rays.first().map_or(&[][..], |&ray| directions.line(ray));
                sites.extend(line.iter().take(many).map(|&s| s as i32));
            }
        }
        Some(sites)
    }

    /// Changes the number of pieces on a place of a track that passes sites more than once.
    fn change(&self, state: &mut State, what: u16, place: usize, change: fn(i16, i16) -> i16) {
        let Some(winding) = self.winding else { return };
        let at = (winding + place) * state.kinds.max(1) + usize::from(what);
        if let Some(known) = state.places.get_mut(at) {
            state.journal.note(|| Undo::Place(at, *known));
            *known = change(*known, 1);
        }
    }

    /// The place on the track where a piece of a kind is known to be: the first of several (decided by Tsun K'i, ply 29).
    pub fn place(&self, state: &State, what: u16, site: i32) -> Option<usize> {
        if let Some(winding) = self.winding {
            let known = |place: usize| {
                let at = (winding + place) * state.kinds.max(1) + usize::from(what);
                state.places.get(at).is_some_and(|&n| n > 0)
            };
            return self.spots(site).iter().copied().find(|&place| known(place));
        }
        self.index(site)
    }

    /// A piece leaves the game. It is removed from all places at which the track passes its site, so a later piece may have
    /// no known place (decided by Barjis, ply 201, and Ghingskoot, ply 27).
    pub fn lost(&self, state: &mut State, what: u16, site: i32) {
        for &place in self.spots(site) {
            self.change(state, what, place, i16::saturating_sub);
        }
    }

    /// A piece comes to a site, from another if that is known.
    pub fn came(&self, state: &mut State, what: u16, before: Option<usize>, to: i32) {
        if self.winding.is_none() {
            return;
        }
        let next = before.and_then(|b| self.spots(to).iter().copied().find(|&place| place > b));
        if let Some(place) = next.or_else(|| self.index(to)) {
            self.change(state, what, place, i16::saturating_add);
        }
    }

    /// Pieces go from one site to another. An unknown place on the track stays unknown. A pile leaves its place piece by piece and comes as
    /// one, so a place that a pile has left may count less than nothing (decided by Tab, ply 35 of its second record).
    pub fn moved(&self, state: &mut State, what: u16, from: i32, to: i32, count: u16) {
        if self.winding.is_none() {
            return;
        }
        let before = self.place(state, what, from);
        if let Some(place) = before {
            (0..count).for_each(|_| self.change(state, what, place, i16::saturating_sub));
        }
        if before.is_some() {
            (0..count).for_each(|_| self.came(state, what, before, to));
        } else if self.index(from).is_none() {
            self.came(state, what, before, to);
        }
    }

    /// The places of a site of the board or of a hand.
    pub(crate) fn spots(&self, site: i32) -> &[usize] {
        usize::try_from(site).ok().and_then(|site| self.spots.get(site)).map_or(&[], Vec::as_slice)
    }

    /// Where on the track a site is first.
    pub fn index(&self, site: i32) -> Option<usize> {
        if site >= 0 {
            return self.spots(site).first().copied();
        }
        self.sites.iter().position(|&s| s == site)
    }

    /// The place so many steps on; `None` beyond the end.
    pub fn step(&self, at: usize, steps: i32) -> Option<usize> {
        let to = at as i64 + i64::from(steps);
        let n = self.sites.len() as i64;
        if self.looped && n > 0 {
            return Some(to.rem_euclid(n) as usize);
        }
        usize::try_from(to).ok().filter(|&i| i < self.sites.len())
    }
}

/// Where one track passes a site more than once, the places of pieces are kept on all tracks but loops (decided by option `Board size/15` of Tab,
/// ply 194).
pub(crate) fn wind(tracks: &mut [Track]) {
    if tracks.iter().all(|track| track.winding.is_none()) {
        return;
    }
    let mut first = 0;
    for track in tracks.iter_mut().filter(|track| !track.looped) {
        track.winding = Some(first);
        first += track.sites.len();
    }
}

/// How many places all tracks have that pass a site more than once.
pub(crate) fn places(tracks: &[Track]) -> usize {
    tracks.iter().filter(|t| t.winding.is_some()).map(|t| t.sites.len()).sum()
}
