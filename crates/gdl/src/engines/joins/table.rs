//! Tables of rows with direct addressing.
//!
//! The constants that can stand in a column are known beforehand ([`crate::columns`]), so a row
//! has an address in mixed radix: the sum over its columns of a weight looked up by constant.
//! Membership is one bit at that address, an index is one chain of rows per address of its key;
//! nothing is hashed unless the address space is too large.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use crate::columns::Domain;

/// Weight of a constant that cannot stand in a column: beyond every address.
pub(super) const OUT: u32 = 1 << 26;
/// Largest address space of a table.
const MAX_ROWS: usize = 1 << 25;
/// Largest address space of an index.
const MAX_KEYS: usize = 1 << 18;
/// No row.
const NONE: u32 = u32::MAX;

/// Weights of constants by column, in one array; equal lists are shared.
#[derive(Debug, Default)]
pub(super) struct Weights {
    data: Vec<u32>,
    known: FxHashMap<(Domain, u32), u32>,
}

impl Weights {
    /// Where the weights of a column with this stride begin.
    fn of(&mut self, domain: &Domain, stride: u32, constants: usize) -> u32 {
        if let Some(&known) = self.known.get(&(domain.clone(), stride)) {
            return known;
        }
        let start = self.data.len();
        self.data.resize(start + constants, OUT);
        for (i, c) in domain.iter().enumerate() {
            self.data[start + c as usize] = i as u32 * stride;
        }
        self.known.insert((domain.clone(), stride), start as u32);
        start as u32
    }

    #[inline]
    pub(super) fn get(&self, column: u32, constant: u32) -> u32 {
        self.data[(column + constant) as usize]
    }
}

/// How rows of some columns are addressed.
#[derive(Clone, Debug)]
struct Address {
    /// Weights by column.
    weights: Vec<u32>,
    size: usize,
}

impl Address {
    fn new(
        columns: impl Iterator<Item = usize>,
        domains: &[Domain],
        limit: usize,
        weights: &mut Weights,
        constants: usize,
    ) -> Option<Address> {
        let (mut size, mut list) = (1usize, Vec::new());
        for column in columns {
            let domain = &domains[column];
            list.push((domain, size as u32));
            size = size.checked_mul(domain.len().max(1)).filter(|&s| s <= limit)?;
        }
        if list.len() > 31 {
            return None;
        }
        let weights = list.into_iter().map(|(d, s)| weights.of(d, s, constants)).collect();
        Some(Address { weights, size })
    }
}

/// The fixed part of a table.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) arity: usize,
    pub(super) domains: Vec<Domain>,
    /// `None`: too many rows are possible, so they are hashed.
    rows: Option<Address>,
    indices: Vec<(Vec<usize>, Address)>,
}

impl Layout {
    pub(super) fn new(domains: Vec<Domain>, weights: &mut Weights, constants: usize) -> Layout {
        let arity = domains.len();
        let rows = Address::new(0..arity, &domains, MAX_ROWS, weights, constants);
        Layout { arity, domains, rows, indices: Vec::new() }
    }

    /// The weights of the columns of a row, if rows have addresses.
    pub(super) fn row_weights(&self) -> Option<&[u32]> {
        self.rows.as_ref().map(|a| a.weights.as_slice())
    }

    /// An index on as many of the columns as can be addressed, made if need be: its number and
    /// its columns with their weights.
    pub(super) fn index_on(
        &mut self,
        columns: &[usize],
        weights: &mut Weights,
        constants: usize,
    ) -> (usize, Vec<(usize, u32)>) {
        let (mut size, mut chosen) = (1usize, Vec::new());
        for &column in columns {
            let grown = size.saturating_mul(self.domains[column].len().max(1));
            if grown <= MAX_KEYS && chosen.len() < 31 {
                size = grown;
                chosen.push(column);
            }
        }
        let at = match self.indices.iter().position(|(known, _)| *known == chosen) {
            Some(at) => at,
            None => {
                let address = Address::new(
                    chosen.iter().copied(),
                    &self.domains,
                    MAX_KEYS,
                    weights,
                    constants,
                )
                .unwrap_or(Address { weights: Vec::new(), size: 1 });
                self.indices.push((chosen, address));
                self.indices.len() - 1
            }
        };
        let (columns, address) = &self.indices[at];
        (at, columns.iter().copied().zip(address.weights.iter().copied()).collect())
    }

    /// Forgets the indices; tables of this layout must be made anew.
    pub(super) fn drop_indices(&mut self) {
        self.indices.clear();
    }
}

#[derive(Clone, Debug)]
struct Chains {
    /// The newest row of a key.
    newest: Vec<u32>,
    /// By row: the next older row of the same key, and the key.
    older: Vec<(u32, u32)>,
}

/// A set of rows.
#[derive(Clone, Debug)]
pub(super) struct Table {
    count: usize,
    rows: Vec<u32>,
    bits: Vec<u64>,
    addresses: Vec<u32>,
    hashed: HashTable<u32>,
    indices: Vec<Chains>,
}

fn hash_row(row: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|&v| hasher.write_u32(v));
    hasher.finish()
}

impl Table {
    pub(super) fn new(layout: &Layout) -> Table {
        let bits = layout.rows.as_ref().map_or(0, |a| a.size.div_ceil(64));
        let mut table = Table { bits: vec![0; bits], ..Table::unused() };
        for (_, address) in &layout.indices {
            table.indices.push(Chains { newest: vec![NONE; address.size], older: Vec::new() });
        }
        table
    }

    /// A table that is never filled.
    pub(super) fn unused() -> Table {
        Table {
            count: 0,
            rows: Vec::new(),
            bits: Vec::new(),
            addresses: Vec::new(),
            hashed: HashTable::new(),
            indices: Vec::new(),
        }
    }

    /// Copies the cells of all rows; a row without cells is one cell.
    pub(super) fn copy_rows(&self, out: &mut Vec<u32>) {
        out.clear();
        if self.rows.is_empty() {
            out.resize(self.count, 0);
        } else {
            out.extend_from_slice(&self.rows);
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub(super) fn row(&self, row: usize, arity: usize) -> &[u32] {
        &self.rows[row * arity..(row + 1) * arity]
    }

    pub(super) fn rows(&self, arity: usize) -> impl Iterator<Item = &[u32]> {
        (0..self.count).map(move |row| self.row(row, arity))
    }

    /// Is there a row at this address?
    #[inline]
    pub(super) fn at(&self, address: u32) -> bool {
        self.bits.get(address as usize / 64).is_some_and(|w| w >> (address % 64) & 1 == 1)
    }

    /// Is the row there, where rows are hashed?
    pub(super) fn has_hashed(&self, row: &[u32]) -> bool {
        let same = |&known: &u32| self.row(known as usize, row.len()) == row;
        self.hashed.find(hash_row(row), same).is_some()
    }

    /// Adds a row; false if it was there or cannot be.
    pub(super) fn insert(&mut self, layout: &Layout, weights: &Weights, row: &[u32]) -> bool {
        match &layout.rows {
            Some(address) => {
                let at: u32 =
                    address.weights.iter().zip(row).map(|(&w, &c)| weights.get(w, c)).sum();
                let Some(word) = self.bits.get_mut(at as usize / 64) else { return false };
                let bit = 1u64 << (at % 64);
                if *word & bit != 0 {
                    return false;
                }
                *word |= bit;
                self.addresses.push(at);
            }
            None => {
                if self.has_hashed(row) {
                    return false;
                }
                let (rows, arity) = (&self.rows, row.len());
                let rehash = |&known: &u32| {
                    hash_row(&rows[known as usize * arity..(known as usize + 1) * arity])
                };
                self.hashed.insert_unique(hash_row(row), self.count as u32, rehash);
            }
        }
        self.rows.extend_from_slice(row);
        for (chains, (columns, address)) in self.indices.iter_mut().zip(&layout.indices) {
            chains.add(columns, address, weights, row, self.count as u32);
        }
        self.count += 1;
        true
    }

    /// Makes the indices that the layout has and the table has not yet.
    pub(super) fn complete(&mut self, layout: &Layout, weights: &Weights) {
        for (columns, address) in &layout.indices[self.indices.len()..] {
            let mut chains = Chains { newest: vec![NONE; address.size], older: Vec::new() };
            for row in 0..self.count {
                let values = self.row(row, layout.arity);
                chains.add(columns, address, weights, values, row as u32);
            }
            self.indices.push(chains);
        }
    }

    /// The newest row of a key; go on with [`Table::older`].
    #[inline]
    pub(super) fn newest(&self, index: usize, key: u32) -> Option<usize> {
        let row = *self.indices[index].newest.get(key as usize)?;
        (row != NONE).then_some(row as usize)
    }

    #[inline]
    pub(super) fn older(&self, index: usize, row: usize) -> Option<usize> {
        let row = self.indices[index].older[row].0;
        (row != NONE).then_some(row as usize)
    }

    /// Takes all rows out.
    pub(super) fn clear(&mut self) {
        if self.count == 0 {
            return;
        }
        for &at in &self.addresses {
            self.bits[at as usize / 64] = 0;
        }
        for chains in &mut self.indices {
            for &(_, key) in &chains.older {
                chains.newest[key as usize] = NONE;
            }
            chains.older.clear();
        }
        self.addresses.clear();
        self.hashed.clear();
        self.rows.clear();
        self.count = 0;
    }

    /// How many different values stand in a column.
    pub(super) fn distinct(&self, column: usize, arity: usize, constants: usize) -> usize {
        let mut seen = vec![false; constants];
        self.rows(arity)
            .filter(|row| !std::mem::replace(&mut seen[row[column] as usize], true))
            .count()
    }
}

impl Chains {
    #[inline]
    fn add(
        &mut self,
        columns: &[usize],
        address: &Address,
        weights: &Weights,
        row: &[u32],
        id: u32,
    ) {
        let key: u32 =
            columns.iter().zip(&address.weights).map(|(&c, &w)| weights.get(w, row[c])).sum();
        let older = std::mem::replace(&mut self.newest[key as usize], id);
        self.older.push((older, key));
    }
}
