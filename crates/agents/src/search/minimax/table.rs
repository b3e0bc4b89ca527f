//! The transposition table of minimax: a fixed array that forgets.

use ludex_core::Move;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored value bounds the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The value is exact.
    Exact,
    /// The true one is at least this.
    Lower,
    /// The true one is at most this.
    Upper,
}

/// A stored search result of a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The best move.
    pub mv: Move,
    /// The value for the seat that searches.
    pub value: f32,
    /// The plies that were searched below.
    pub depth: u16,
    /// How `value` bounds the true value.
    pub bound: Bound,
    /// Did every line that matters end? Then no deeper search changes it.
    pub sure: bool,
}

/// Key, move, and the rest in one word; all zero is an empty place.
type Packed = [u64; 3];

/// A place that threads share without a lock. The first word holds the key mixed with the other
/// two: where two threads wrote at once the parts don't fit, and nothing is found (Hyatt and Mann
/// 2002).
#[derive(Debug, Default)]
struct Place([AtomicU64; 3]);

impl Place {
    #[inline]
    fn read(&self) -> Packed {
        let [mixed, mv, rest] = [0, 1, 2].map(|i| self.0[i].load(Ordering::Relaxed));
        [mixed ^ mv ^ rest, mv, rest]
    }

    #[inline]
    fn write(&self, [key, mv, rest]: Packed) {
        for (word, value) in self.0.iter().zip([key ^ mv ^ rest, mv, rest]) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

/// Pairs of places: the first keeps the deeper search, the second the newer one. Threads may share
/// it.
#[derive(Debug)]
pub struct Table {
    places: Vec<Place>,
}

const USED: u64 = 1 << 63;

impl Table {
    /// A table of about so many MiB.
    pub fn new(mebibytes: u32) -> Self {
        Table::of_pairs(((mebibytes as usize) << 20) / (2 * size_of::<Place>()))
    }

    fn of_pairs(pairs: usize) -> Self {
        let mut places = Vec::new();
        places.resize_with(2 * pairs.max(1), Place::default);
        Table { places }
    }

    fn pair(&self, key: u64) -> usize {
        // The high half of the product spreads keys over any number of places.
        let pairs = self.places.len() as u128 / 2;
        2 * ((u128::from(key) * pairs) >> 64) as usize
    }

    /// The stored result of the position with this hash.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let at = self.pair(key);
        let mut places = self.places[at..at + 2].iter().map(Place::read);
        places.find(|p| p[0] == key && p[2] & USED != 0).map(|p| unpack(&p))
    }

    /// Stores an entry.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        let at = self.pair(key);
        let deep = self.places[at].read();
        let same = deep[0] == key;
        let rank = |p: &Packed| (p[2] >> 34 & 1, p[2] >> 40 & 0xffff);
        let new = pack(key, entry);
        let keep = deep[2] & USED != 0 && !same && rank(&deep) > rank(&new);
        self.places[at + usize::from(keep)].write(new);
    }
}

fn pack(key: u64, entry: Entry) -> Packed {
    let rest = USED
        | u64::from(entry.depth) << 40
        | u64::from(entry.sure) << 34
        | (entry.bound as u64) << 32
        | u64::from(entry.value.to_bits());
    [key, entry.mv.0, rest]
}

fn unpack(place: &Packed) -> Entry {
    let rest = place[2];
    Entry {
        mv: Move(place[1]),
        value: f32::from_bits(rest as u32),
        depth: (rest >> 40) as u16,
        bound: match rest >> 32 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        sure: rest >> 34 & 1 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn what_is_put_is_got_and_a_deep_entry_survives_a_shallow_one() {
        let table = Table::new(1);
        let mut rng = Seed(3).rng();
        for i in 0..1000u64 {
            let entry = Entry {
                mv: Move(rng.bits()),
                value: rng.unit() as f32,
                depth: rng.below(60_000) as u16,
                bound: [Bound::Exact, Bound::Lower, Bound::Upper][i as usize % 3],
                sure: i % 2 == 0,
            };
            let key = rng.bits();
            table.put(key, entry);
            assert_eq!(table.get(key), Some(entry));
        }
        let entry =
            |depth| Entry { mv: Move(1), value: 0.5, depth, bound: Bound::Exact, sure: false };
        let one = Table::of_pairs(1);
        one.put(1, entry(9));
        one.put(2, entry(1));
        one.put(3, entry(2));
        assert_eq!((one.get(1), one.get(2), one.get(3)), (Some(entry(9)), None, Some(entry(2))));
    }
}
