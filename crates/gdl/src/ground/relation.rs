//! Sets of rows of constants with hash indices: the storage of the Datalog engine.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::symbol::Sym;

const NONE: u32 = u32::MAX;

fn hash_row(values: impl Iterator<Item = Sym>) -> u64 {
    let mut hasher = FxHasher::default();
    values.for_each(|v| hasher.write_u32(v.0));
    hasher.finish()
}

/// A relation: distinct rows in the order of their arrival, numbered from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relation {
    arity: usize,
    count: usize,
    values: Vec<Sym>,
    table: HashTable<u32>,
    indices: Vec<Index>,
}

/// Rows with equal values in some columns, chained from the newest to the oldest.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<usize>,
    newest: HashTable<u32>,
    older: Vec<u32>,
}

impl Relation {
    /// An empty relation.
    pub(crate) fn new(arity: usize) -> Relation {
        Relation { arity, ..Relation::default() }
    }

    /// How many rows.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// True if there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Row number `row`.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[Sym] {
        &self.values[row * self.arity..(row + 1) * self.arity]
    }

    /// All rows, oldest first.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Sym]> {
        (0..self.count).map(|row| self.row(row))
    }

    /// The number of a row.
    pub(crate) fn find(&self, row: &[Sym]) -> Option<usize> {
        let hash = hash_row(row.iter().copied());
        self.table.find(hash, |&known| self.row(known as usize) == row).map(|&known| known as usize)
    }

    /// Adds a row; false if it was there.
    pub(crate) fn insert(&mut self, row: &[Sym]) -> bool {
        if self.find(row).is_some() {
            return false;
        }
        let hash = hash_row(row.iter().copied());
        let (arity, id) = (self.arity, self.count as u32);
        self.values.extend_from_slice(row);
        self.count += 1;
        let values = &self.values;
        let rehash = |&known: &u32| {
            let start = known as usize * arity;
            hash_row(values[start..start + arity].iter().copied())
        };
        self.table.insert_unique(hash, id, rehash);
        for index in &mut self.indices {
            index.add(values, arity, id);
        }
        true
    }

    /// The number of the index on these columns, made if need be.
    pub(crate) fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(known) = self.indices.iter().position(|i| i.columns == columns) {
            return known;
        }
        let mut index =
            Index { columns: columns.to_vec(), newest: HashTable::new(), older: Vec::new() };
        for row in 0..self.count {
            index.add(&self.values, self.arity, row as u32);
        }
        self.indices.push(index);
        self.indices.len() - 1
    }

    /// The newest row with these values in an index's columns; go on with [`Relation::older`].
    #[inline]
    pub(crate) fn newest(&self, index: usize, key: &[Sym]) -> Option<usize> {
        let index = &self.indices[index];
        let hash = hash_row(key.iter().copied());
        let same = |&row: &u32| {
            let values = self.row(row as usize);
            index.columns.iter().zip(key).all(|(&c, k)| values[c] == *k)
        };
        index.newest.find(hash, same).map(|&row| row as usize)
    }

    /// The next older row of the same key.
    #[inline]
    pub(crate) fn older(&self, index: usize, row: usize) -> Option<usize> {
        let older = self.indices[index].older[row];
        (older != NONE).then_some(older as usize)
    }

    /// Bytes in use, roughly.
    pub(crate) fn bytes(&self) -> usize {
        self.values.len() * 4 + self.count * (8 + 12 * self.indices.len())
    }
}

impl Index {
    fn add(&mut self, values: &[Sym], arity: usize, id: u32) {
        let columns = &self.columns;
        let key =
            |row: u32| columns.iter().map(move |&column| values[row as usize * arity + column]);
        let hash = hash_row(key(id));
        let same = |&known: &u32| key(known).eq(key(id));
        match self.newest.find_mut(hash, same) {
            Some(newest) => {
                self.older.push(*newest);
                *newest = id;
            }
            None => {
                self.older.push(NONE);
                self.newest.insert_unique(hash, id, |&known| hash_row(key(known)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_distinct_and_indices_find_them_newest_first() {
        let mut relation = Relation::new(2);
        let late = relation.index_on(&[0]);
        for (a, b) in [(1, 1), (1, 2), (2, 1), (1, 1)] {
            relation.insert(&[Sym(a), Sym(b)]);
        }
        assert_eq!(relation.len(), 3);
        let early = relation.index_on(&[1]);
        let newest = relation.newest(late, &[Sym(1)]).expect("rows with 1");
        assert_eq!(relation.row(newest), [Sym(1), Sym(2)]);
        assert_eq!(relation.older(late, newest), Some(0));
        assert_eq!(relation.older(late, 0), None);
        assert_eq!(relation.newest(early, &[Sym(1)]), Some(2));
        assert_eq!(relation.newest(early, &[Sym(3)]), None);
        let mut nullary = Relation::new(0);
        assert!(nullary.insert(&[]) && !nullary.insert(&[]));
    }
}
