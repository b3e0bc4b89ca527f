//! Regions that are worked out once for a state.
//!
//! Rules may ask for the same large region for every move of every piece: all sites around the enemy's pieces, say. Where
//! neither an iterator such as `(from)` nor anything but pieces, what is remembered and whose turn it is decides it, its sites are kept
//! until the state changes.

use super::context::Context;
use super::functions::{Region, SiteSet};
use super::node::{Field, Iterators, Parts, node, touched_by};
use super::sites::Sites;

/// The parts of the state that change by actions alone, and the turn, which is compared.
const LASTING: Parts = Parts::CELLS
    .and(Parts::STACKS)
    .and(Parts::COUNTS)
    .and(Parts::STATES)
    .and(Parts::VALUES)
    .and(Parts::ROTATIONS)
    .and(Parts::TEAMS)
    .and(Parts::MEMORY)
    .and(Parts::TURN);

/// The mover, the next player, and the one before.
type Turn = (usize, usize, usize);

/// Regions that were worked out, and the number of the state for which they hold.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The number of the state as it is. Equal numbers mean equal pieces and equal memory.
    now: u64,
    /// The last number that was given.
    last: u64,
    regions: Vec<Entry>,
}

#[derive(Debug, Default)]
struct Entry {
    /// The address of the node, the number of the state and the turn for which it was asked.
    of: (usize, u64, Turn),
    /// Are its sites known, or was it only asked for one of them?
    filled: bool,
    sites: Sites,
}

impl Known {
    /// The state is another one from here on.
    #[inline]
    pub(crate) fn change(&mut self) {
        self.last += 1;
        self.now = self.last;
    }

    /// The number of the state as it is.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// The state is again as it was.
    pub(crate) fn back(&mut self, now: u64) {
        self.now = now;
    }
}

node! {
    /// A region that is worked out once for a state.
    struct Once = "once", iterators NONE { region: Region, number: usize }
}

impl Once {
    /// The address of the node, the number of the state, and the turn.
    fn key(&self, c: &Context<'_>) -> (usize, u64, Turn) {
        let s = &c.state.s;
        (std::ptr::from_ref(self) as usize, c.pad.known.now, (s.mover, s.next, s.prev))
    }

    /// Its sites, if they are known.
    fn known<'c>(&self, c: &'c Context<'_>) -> Option<&'c Sites> {
        let entry = c.pad.known.regions.get(self.number)?;
        (entry.filled && entry.of == self.key(c)).then_some(&entry.sites)
    }

    /// Was the region asked for a site of this state before? From now on it was.
    fn was_asked(&self, c: &mut Context<'_>) -> bool {
        let key = self.key(c);
        let entry = self.entry(c);
        let asked = entry.of == key;
        if !asked {
            (entry.of, entry.filled) = (key, false);
        }
        asked
    }

    fn entry<'c>(&self, c: &'c mut Context<'_>) -> &'c mut Entry {
        let regions = &mut c.pad.known.regions;
        if regions.len() <= self.number {
            regions.resize_with(self.number + 1, Entry::default);
        }
        &mut regions[self.number]
    }

    /// Works it out.
    fn learn(&self, c: &mut Context<'_>) {
        let mut sites = c.sites();
        self.region.fill(c, &mut sites);
        let key = self.key(c);
        let entry = self.entry(c);
        (entry.of, entry.filled) = (key, true);
        std::mem::swap(&mut entry.sites, &mut sites);
        c.free(sites);
    }
}

impl SiteSet for Once {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        // Where pieces look may be another than where they stand, for a while.
        if c.looks.is_some() {
            return self.region.fill(c, out);
        }
        if self.known(c).is_none() {
            self.learn(c);
        }
        if let Some(sites) = self.known(c) {
            out.add(sites.words());
        }
    }

    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        if c.looks.is_some() {
            return self.region.contains(c, site);
        }
        if self.known(c).is_none() {
            // One site may be all that is asked for.
            if !self.was_asked(c) {
                return self.region.contains(c, site);
            }
            self.learn(c);
        }
        self.known(c).is_some_and(|sites| sites.contains(site))
    }

    fn is_dear(&self) -> bool {
        true
    }

    fn is_quick(&self, c: &Context<'_>) -> bool {
        self.region.is_quick(c)
    }
}

impl super::lower::Lower<'_> {
    /// A region, which is worked out once for a state where that is worth it and nothing else decides it.
    pub(crate) fn once(&mut self, region: Region) -> Region {
        let lasts = || {
            let (reads, writes) = touched_by(&region);
            reads.within(LASTING) && writes == Parts::NONE
        };
        if !region.takes_long() || region.iterators() != Iterators::NONE || !lasts() {
            return region;
        }
        self.regions += 1;
        Region::of_node(Once { region, number: self.regions - 1 })
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{after, moves};

    const NEAR: &str = "(sites Around (sites Occupied by:P1))";

    /// A region is worked out again for each state that a look-ahead makes, and for the state to which it goes back.
    #[test]
    fn a_region_follows_the_state() {
        let near = format!("(is In 8 (forEach {NEAR} if:(is Empty (site))))");
        let play = |condition: &str| {
            format!(
                "(do (move Add (to (difference (sites Empty) {NEAR}))) ifAfterwards:{condition})"
            )
        };
        assert_eq!(moves("", &play(&near)), [(4, 4), (5, 5), (7, 7)]);
        assert_eq!(moves("", &play(&format!("(and {near} {near})"))), [(4, 4), (5, 5), (7, 7)]);
        // The sites around the first piece are no ends, whatever was looked at before.
        assert_eq!(moves("(place \"Disc1\" 0)", &play(&near)), [(5, 5), (7, 7)]);
    }

    #[test]
    fn a_region_follows_the_consequences_of_a_move() {
        let once = format!("(forEach {NEAR} if:(is Empty (site)))");
        let more = format!("(if (is In 7 {once}) (add (piece \"Disc1\") (to 7)))");
        let play = format!("(move Add (to {once}) (then {more}))");
        assert_eq!(after("(place \"Disc1\" 0)", &play, 4), "0:1 4:1 7:1");
        assert_eq!(after("(place \"Disc1\" 0)", &play, 1), "0:1 1:1");
    }
}
