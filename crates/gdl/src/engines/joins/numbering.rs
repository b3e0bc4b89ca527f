//! Facts, moves and percepts as numbers: mixed radix over the constants of their columns.

use crate::columns::Domain;
use crate::lower::Shape;

#[derive(Clone, Debug)]
struct Column {
    /// By constant: its place in the domain.
    rank: Vec<u32>,
    values: Vec<u32>,
    stride: u64,
}

/// Numbers for the terms of one shape.
#[derive(Clone, Debug)]
pub(super) struct Coder {
    pub(super) shape: Shape,
    pub(super) first: u64,
    columns: Vec<Column>,
}

impl Coder {
    /// The terms of a shape whose leaves come from `domains`, numbered from `first` on; also the
    /// first number after them. `None`: more numbers than 64 bits hold.
    pub(super) fn new(
        shape: Shape,
        domains: &[Domain],
        first: u64,
        constants: usize,
    ) -> Option<(Coder, u64)> {
        let (mut stride, mut columns) = (1u64, Vec::new());
        for domain in domains {
            let values: Vec<u32> = domain.iter().collect();
            let mut rank = vec![0; constants];
            for (i, &c) in values.iter().enumerate() {
                rank[c as usize] = i as u32;
            }
            let next = stride.checked_mul(values.len().max(1) as u64)?;
            columns.push(Column { rank, values, stride });
            stride = next;
        }
        Some((Coder { shape, first, columns }, first.checked_add(stride)?))
    }

    #[inline]
    pub(super) fn encode(&self, row: &[u32]) -> u64 {
        let weigh =
            |(column, &c): (&Column, &u32)| u64::from(column.rank[c as usize]) * column.stride;
        self.first + self.columns.iter().zip(row).map(weigh).sum::<u64>()
    }

    #[inline]
    pub(super) fn decode(&self, code: u64, row: &mut Vec<u32>) {
        let code = code - self.first;
        for column in &self.columns {
            let n = column.values.len().max(1) as u64;
            let at = (code / column.stride % n) as usize;
            row.extend(column.values.get(at));
        }
    }

    /// The row of these constants, if each can stand in its column.
    pub(super) fn fits(&self, row: &[u32]) -> bool {
        row.len() == self.columns.len()
            && self.columns.iter().zip(row).all(|(column, c)| column.values.contains(c))
    }
}

/// Numbers for the terms of several shapes.
#[derive(Clone, Debug, Default)]
pub(super) struct Codes {
    pub(super) coders: Vec<Coder>,
    end: u64,
}

impl Codes {
    /// Adds a shape; its place in `coders`.
    pub(super) fn add(
        &mut self,
        shape: Shape,
        domains: &[Domain],
        constants: usize,
    ) -> Option<usize> {
        let (coder, end) = Coder::new(shape, domains, self.end, constants)?;
        self.end = end;
        self.coders.push(coder);
        Some(self.coders.len() - 1)
    }

    /// One more than the largest number.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The coder that made a number.
    #[inline]
    pub(super) fn coder_of(&self, code: u64) -> Option<usize> {
        self.coders.partition_point(|coder| coder.first <= code).checked_sub(1)
    }
}
