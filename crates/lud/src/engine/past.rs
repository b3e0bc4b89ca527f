//! Earlier positions, as hashes, with one hash of them all.

use ludex_core::random::mix;
use std::ops::Deref;

/// Hashes of earlier positions, oldest first. The hash of them all is kept up to date: rules that ask for earlier
/// positions make them a part of the state.
///
/// The hash is a polynomial in `K`, which is odd. With `K = 1` it is a sum, and the order of the positions does not
/// count.
#[derive(Debug, Default, PartialEq)]
pub struct Past<const K: u64> {
    list: Vec<u64>,
    key: u64,
}

/// Positions whose order does not count.
pub(crate) type Set = Past<1>;

/// Positions in their order.
pub(crate) type Sequence = Past<0x9E37_79B9_7F4A_7C15>;

impl<const K: u64> Past<K> {
    /// `1 / K` modulo 2^64, by Newton's method: each step doubles the number of right bits, from three.
    const INVERSE: u64 = {
        let mut inverse = K;
        let mut step = 0;
        while step < 5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(K.wrapping_mul(inverse)));
            step += 1;
        }
        inverse
    };

    /// One hash of all positions.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Remembers a position.
    pub(crate) fn push(&mut self, hash: u64) {
        self.key = self.key.wrapping_mul(K).wrapping_add(mix(hash));
        self.list.push(hash);
    }

    /// Forgets the last one.
    pub(crate) fn pop(&mut self) {
        if let Some(hash) = self.list.pop() {
            self.key = self.key.wrapping_sub(mix(hash)).wrapping_mul(Self::INVERSE);
        }
    }

    /// Forgets all but the first so many.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.list.len() > len {
            self.pop();
        }
    }

    /// Forgets the first so many.
    pub(crate) fn forget(&mut self, first: usize) {
        self.list.drain(..first.min(self.list.len()));
        self.key =
            self.list.iter().fold(0, |key: u64, &hash| key.wrapping_mul(K).wrapping_add(mix(hash)));
    }
}

impl<const K: u64> Deref for Past<K> {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.list
    }
}

impl<const K: u64> From<Vec<u64>> for Past<K> {
    fn from(list: Vec<u64>) -> Past<K> {
        let mut past = Past { list: Vec::with_capacity(list.len()), key: 0 };
        list.into_iter().for_each(|hash| past.push(hash));
        past
    }
}

impl<const K: u64> Clone for Past<K> {
    fn clone(&self) -> Past<K> {
        Past { list: self.list.clone(), key: self.key }
    }

    fn clone_from(&mut self, other: &Past<K>) {
        self.list.clone_from(&other.list);
        self.key = other.key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_follows_every_change() {
        let mut set = Set::from(vec![3, 1, 2]);
        assert_eq!(set.key(), Set::from(vec![1, 2, 3]).key());
        set.forget(1);
        set.push(7);
        set.pop();
        assert_eq!(set.key(), Set::from(vec![2, 1]).key());
        let mut line = Sequence::from(vec![3, 1, 2]);
        assert_ne!(line.key(), Sequence::from(vec![1, 2, 3]).key());
        line.truncate(1);
        assert_eq!(line.key(), Sequence::from(vec![3]).key());
        line.truncate(0);
        assert_eq!(line.key(), 0);
    }
}
