//! A plain table of numbers.

use serde::{Deserialize, Serialize};

/// Numbers in rows, one row a game.
///
/// ```
/// use ludex_model::Matrix;
/// let m = Matrix::from_rows(2, [[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!(m.row(1), [3.0, 4.0]);
/// assert_eq!(m.get(0, 1), 2.0);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Matrix {
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// All zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { columns, values: vec![0.0; rows * columns] }
    }

    /// From rows of `columns` numbers each; longer rows are cut, shorter ones filled with zeros.
    pub fn from_rows<R: AsRef<[f64]>>(columns: usize, rows: impl IntoIterator<Item = R>) -> Self {
        let mut values = Vec::new();
        for row in rows {
            let row = row.as_ref();
            values.extend(row.iter().take(columns));
            values.resize(values.len() + columns.saturating_sub(row.len()), 0.0);
        }
        Matrix { columns, values }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..(i + 1) * self.columns]
    }

    /// One row, to be changed.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.values[i * self.columns..(i + 1) * self.columns]
    }

    /// One number.
    #[inline]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    /// All rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns.max(1))
    }

    /// One column.
    pub fn column(&self, j: usize) -> Vec<f64> {
        self.iter().map(|row| row[j]).collect()
    }

    /// The matrix of these rows, in this order.
    pub fn select(&self, rows: &[usize]) -> Self {
        Matrix::from_rows(self.columns, rows.iter().map(|&i| self.row(i)))
    }

    /// The matrix of these columns, in this order.
    pub fn select_columns(&self, columns: &[usize]) -> Self {
        let rows = self.iter().map(|row| columns.iter().map(|&j| row[j]).collect::<Vec<_>>());
        Matrix::from_rows(columns.len(), rows)
    }

    /// The mean of each column.
    pub fn means(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.columns];
        for row in self.iter() {
            means.iter_mut().zip(row).for_each(|(mean, x)| *mean += x);
        }
        let n = self.rows().max(1) as f64;
        means.iter_mut().for_each(|mean| *mean /= n);
        means
    }

    /// The standard deviation of each column about its mean, of the population.
    pub fn deviations(&self) -> Vec<f64> {
        let means = self.means();
        let mut squares = vec![0.0; self.columns];
        for row in self.iter() {
            for ((square, mean), x) in squares.iter_mut().zip(&means).zip(row) {
                *square += (x - mean).powi(2);
            }
        }
        let n = self.rows().max(1) as f64;
        squares.iter().map(|square| (square / n).sqrt()).collect()
    }
}

/// The place of the greatest number, the first of equals; 0 where there are none.
pub fn argmax(values: &[f64]) -> usize {
    let mut best = 0;
    for (i, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = i;
        }
    }
    best
}
