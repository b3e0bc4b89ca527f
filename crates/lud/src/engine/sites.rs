//! Sets of sites as bits.

/// A set of sites.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sites {
    words: Vec<u64>,
}

impl Sites {
    /// No site, with room for so many.
    pub fn new(sites: usize) -> Sites {
        Sites { words: vec![0; sites.div_ceil(64)] }
    }

    /// The set of these sites, without negative numbers.
    pub fn of(sites: usize, list: impl IntoIterator<Item = i32>) -> Sites {
        let mut set = Sites::new(sites);
        list.into_iter().for_each(|site| set.insert(site));
        set
    }

    /// The bits.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Takes all out.
    #[inline]
    pub fn clear(&mut self) {
        // Most boards have few words: a call would cost more than the work.
        match self.words.as_mut_slice() {
            [one] => *one = 0,
            [one, two] => (*one, *two) = (0, 0),
            words => words.fill(0),
        }
    }

    /// Puts a site in, if it is one.
    #[inline]
    pub fn insert(&mut self, site: i32) {
        if let Some(word) = self.words.get_mut((site >> 6) as usize)
            && site >= 0
        {
            *word |= 1 << (site & 63);
        }
    }

    /// Puts in the sites of a word of bits.
    #[inline]
    pub fn insert_word(&mut self, at: usize, bits: u64) {
        if let Some(word) = self.words.get_mut(at) {
            *word |= bits;
        }
    }

    /// Takes a site out.
    #[inline]
    pub fn remove(&mut self, site: i32) {
        if let Some(word) = self.words.get_mut((site >> 6) as usize)
            && site >= 0
        {
            *word &= !(1 << (site & 63));
        }
    }

    /// Is the site in it?
    #[inline]
    pub fn contains(&self, site: i32) -> bool {
        contains(&self.words, site)
    }

    /// Is none in it?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many are in it.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The first of them.
    pub fn first(&self) -> Option<i32> {
        self.iter().next()
    }

    /// The last of them.
    pub(crate) fn last(&self) -> Option<i32> {
        let (at, word) = self.words.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some((at * 64) as i32 + 63 - word.leading_zeros() as i32)
    }

    /// One of them by its number.
    #[inline]
    pub fn nth(&self, mut n: usize) -> i32 {
        for (at, &word) in self.words.iter().enumerate() {
            let ones = word.count_ones() as usize;
            if n < ones {
                let bit = ludex_core::cpu::nth_bit(word, n as u32);
                return (at * 64) as i32 + bit.trailing_zeros() as i32;
            }
            n -= ones;
        }
        super::state::OFF
    }

    /// All of them, ascending.
    #[inline]
    pub fn iter(&self) -> Ones<'_> {
        Ones::new(&self.words)
    }

    /// Adds the sites of another set.
    #[inline]
    pub fn add(&mut self, other: &[u64]) {
        self.words.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
    }

    /// Adds the sites that two other sets have in common.
    #[inline]
    pub fn add_both(&mut self, one: &[u64], other: &[u64]) {
        self.words.iter_mut().zip(one.iter().zip(other)).for_each(|(a, (b, c))| *a |= b & c);
    }

    /// Becomes the intersection of two other sets.
    #[inline]
    pub fn set_both(&mut self, one: &[u64], other: &[u64]) {
        let both = one.iter().zip(other).map(|(b, c)| b & c).chain(std::iter::repeat(0));
        self.words.iter_mut().zip(both).for_each(|(a, both)| *a = both);
    }

    /// Keeps the sites that are also in another set.
    #[inline]
    pub fn keep(&mut self, other: &[u64]) {
        self.words.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
    }

    /// Keeps what is in one of some others, too.
    #[inline]
    pub(crate) fn keep_any<'a>(&mut self, others: impl Iterator<Item = &'a [u64]> + Clone) {
        for (at, word) in self.words.iter_mut().enumerate() {
            let any = others.clone().filter_map(|other| other.get(at));
            *word &= any.fold(0, |any, other| any | other);
        }
    }

    /// Removes the sites of another set.
    #[inline]
    pub fn subtract(&mut self, other: &[u64]) {
        self.words.iter_mut().zip(other).for_each(|(a, b)| *a &= !b);
    }

    /// Is one of them in another?
    #[inline]
    pub fn meets(&self, other: &[u64]) -> bool {
        self.words.iter().zip(other).any(|(a, b)| a & b != 0)
    }
}

/// Is a site in a set?
#[inline]
pub(crate) fn contains(words: &[u64], site: i32) -> bool {
    site >= 0 && words.get((site >> 6) as usize).is_some_and(|word| word >> (site & 63) & 1 == 1)
}

/// The sites of a set, ascending.
#[derive(Clone, Debug)]
pub struct Ones<'a> {
    words: &'a [u64],
    at: usize,
    word: u64,
}

impl<'a> Ones<'a> {
    /// The set of these bits.
    #[inline]
    pub fn new(words: &'a [u64]) -> Ones<'a> {
        Ones { words, at: 0, word: words.first().copied().unwrap_or(0) }
    }
}

impl Iterator for Ones<'_> {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        while self.word == 0 {
            self.at += 1;
            self.word = *self.words.get(self.at)?;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some((self.at * 64) as i32 + bit as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in_and_ignores_what_is_no_site() {
        let mut set = Sites::of(130, [129, 3, 64, -1, 5000, 3]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 129]);
        assert!(set.contains(64) && !set.contains(-1) && !set.contains(9999));
        set.remove(64);
        assert_eq!((set.len(), set.first()), (2, Some(3)));
        let other = Sites::of(130, [3, 7]);
        assert!(set.meets(other.words()));
        set.subtract(other.words());
        assert_eq!(set.iter().collect::<Vec<_>>(), [129]);
    }
}
