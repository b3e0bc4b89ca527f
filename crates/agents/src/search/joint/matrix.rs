//! Two players choose at once, and what one gains the other loses: the equilibrium of a payoff
//! matrix, exactly, by linear programming.
//!
//! The simplex here is the textbook's for matrix games (Dantzig 1951): one dense tableau gives the
//! strategies of both players, as the primal and the dual solution. A search solves thousands of
//! matrices of a few rows a second; a general solver takes longer to set a problem up than this
//! takes to solve it.

/// Payoffs of the player who chooses the row; the one who chooses the column wants them small.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    columns: usize,
    cells: Vec<f64>,
}

/// An equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// The value of the game: the expected payoff that the row player can secure.
    pub value: f64,
    /// How often each row is played.
    pub rows: Vec<f64>,
    /// How often each column is played.
    pub columns: Vec<f64>,
}

impl Matrix {
    /// A matrix by rows of equal length.
    ///
    /// ```
    /// use ludex_agents::joint::matrix::Matrix;
    /// // Rock, paper, scissors where a win with rock counts double.
    /// let m = Matrix::new(3, vec![0.0, -1.0, 2.0, 1.0, 0.0, -1.0, -2.0, 1.0, 0.0]);
    /// let e = m.solve();
    /// assert!(e.value.abs() < 1e-9);
    /// assert!(e.rows.iter().zip([0.25, 0.5, 0.25]).all(|(p, q)| (p - q).abs() < 1e-9));
    /// ```
    pub fn new(columns: usize, cells: Vec<f64>) -> Self {
        Matrix { columns, cells }
    }

    fn row_count(&self) -> usize {
        self.cells.len().checked_div(self.columns).unwrap_or(0)
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.columns + column]
    }

    /// An equilibrium in pure strategies, where there is one.
    fn saddle(&self) -> Option<(usize, usize)> {
        let rows = 0..self.row_count();
        let columns = 0..self.columns;
        let worst = |row: usize| columns.clone().map(|c| self.at(row, c)).fold(f64::MAX, f64::min);
        let best =
            |column: usize| rows.clone().map(|r| self.at(r, column)).fold(f64::MIN, f64::max);
        let row = rows.clone().max_by(|&a, &b| worst(a).total_cmp(&worst(b)))?;
        let column = columns.clone().min_by(|&a, &b| best(a).total_cmp(&best(b)))?;
        (worst(row) >= best(column)).then_some((row, column))
    }

    /// Solves it. An empty matrix has value 0 and no strategies.
    pub fn solve(&self) -> Equilibrium {
        let (m, n) = (self.row_count(), self.columns);
        let mut found = Equilibrium { value: 0.0, rows: vec![0.0; m], columns: vec![0.0; n] };
        if let Some((row, column)) = self.saddle() {
            found.value = self.at(row, column);
            found.rows[row] = 1.0;
            found.columns[column] = 1.0;
        } else if m > 0 && n > 0 {
            self.simplex(&mut found);
        }
        found
    }

    /// Maximise the sum of y where A y <= 1 and y >= 0, A shifted to be positive. Then the value
    /// is 1 / sum, y times the value the column player's strategy, and the prices of the rows
    /// times the value the row player's.
    fn simplex(&self, found: &mut Equilibrium) {
        let (m, n) = (self.row_count(), self.columns);
        let low = self.cells.iter().copied().fold(f64::MAX, f64::min);
        let high = self.cells.iter().copied().fold(f64::MIN, f64::max);
        // Entries from 1 to 2, whatever the unit of the payoffs.
        let scale = 1.0 / (high - low).max(f64::MIN_POSITIVE);
        let width = n + m + 1;
        let mut tableau = vec![0.0; (m + 1) * width];
        let mut basis: Vec<usize> = (n..n + m).collect();
        for r in 0..m {
            for c in 0..n {
                tableau[r * width + c] = 1.0 + (self.at(r, c) - low) * scale;
            }
            tableau[r * width + n + r] = 1.0;
            tableau[r * width + width - 1] = 1.0;
        }
        tableau[m * width..m * width + n].fill(-1.0);
        // Dantzig's rule is fast; Bland's, after a while, can't cycle.
        let patience = 8 * (m + n);
        for pivots in 0..64 * (m + n) {
            let costs = &tableau[m * width..(m + 1) * width - 1];
            let entering = match pivots < patience {
                true => {
                    let least = costs.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
                    least.filter(|(_, cost)| **cost < -EPSILON).map(|(c, _)| c)
                }
                false => costs.iter().position(|&cost| cost < -EPSILON),
            };
            let Some(entering) = entering else { break };
            let mut leaving: Option<(f64, usize)> = None;
            for r in 0..m {
                let slope = tableau[r * width + entering];
                if slope > EPSILON {
                    let ratio = tableau[r * width + width - 1] / slope;
                    let better = leaving.is_none_or(|(least, row)| {
                        ratio < least || ratio == least && basis[r] < basis[row]
                    });
                    if better {
                        leaving = Some((ratio, r));
                    }
                }
            }
            // All entries are positive, so that the problem is bounded.
            let Some((_, leaving)) = leaving else { break };
            pivot(&mut tableau, width, leaving, entering);
            basis[leaving] = entering;
        }
        let sum = tableau[(m + 1) * width - 1];
        for (r, &variable) in basis.iter().enumerate() {
            if variable < n {
                found.columns[variable] = tableau[r * width + width - 1] / sum;
            }
        }
        for r in 0..m {
            found.rows[r] = (tableau[m * width + n + r] / sum).max(0.0);
        }
        found.value = low + (1.0 / sum - 1.0) / scale;
        for strategy in [&mut found.rows, &mut found.columns] {
            let total: f64 = strategy.iter().sum();
            strategy.iter_mut().for_each(|p| *p /= total);
        }
    }
}

/// Smaller numbers of a tableau are rounding.
const EPSILON: f64 = 1e-11;

/// Makes the column `entering` a unit vector with its 1 in the row `leaving`.
fn pivot(tableau: &mut [f64], width: usize, leaving: usize, entering: usize) {
    let scale = 1.0 / tableau[leaving * width + entering];
    for cell in &mut tableau[leaving * width..(leaving + 1) * width] {
        *cell *= scale;
    }
    let (before, rest) = tableau.split_at_mut(leaving * width);
    let (pivot, after) = rest.split_at_mut(width);
    for row in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
        let factor = row[entering];
        if factor != 0.0 {
            row.iter_mut().zip(pivot.iter()).for_each(|(cell, p)| *cell -= factor * p);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_saddle_point_is_pure() {
        let e = Matrix::new(2, vec![3.0, 2.0, 1.0, 0.0]).solve();
        assert_eq!(e, Equilibrium { value: 2.0, rows: vec![1.0, 0.0], columns: vec![0.0, 1.0] });
    }

    #[test]
    fn matching_pennies_with_uneven_stakes() {
        // Value and mix by hand: p = q = 2/5, value 1/5 for ((1, -1/3... scaled)).
        let e = Matrix::new(2, vec![2.0, -1.0, -1.0, 1.0]).solve();
        assert!((e.value - 0.2).abs() < 1e-12);
        assert!((e.rows[0] - 0.4).abs() < 1e-12 && (e.columns[0] - 0.4).abs() < 1e-12);
    }

    #[test]
    fn an_empty_matrix_is_no_trouble() {
        assert_eq!(Matrix::default().solve().value, 0.0);
    }

    proptest! {
        /// The minimax theorem, which is also the proof that a solution is right: neither player
        /// gains by leaving the equilibrium.
        #[test]
        fn nobody_gains_by_leaving_the_equilibrium(
            (m, n) in (1usize..12, 1usize..12),
            seed in any::<u64>(),
            coarse in any::<bool>(),
        ) {
            let mut rng = ludex_core::Seed(seed).rng();
            let mut cell = || if coarse { f64::from(rng.below(3)) } else { rng.unit() * 4.0 - 2.0 };
            let matrix = Matrix::new(n, (0..m * n).map(|_| cell()).collect());
            let e = matrix.solve();
            for strategy in [&e.rows, &e.columns] {
                prop_assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!(strategy.iter().all(|&p| (-1e-9..=1.0 + 1e-9).contains(&p)));
            }
            for r in 0..m {
                let gain: f64 = (0..n).map(|c| e.columns[c] * matrix.at(r, c)).sum();
                prop_assert!(gain <= e.value + 1e-7, "row {} gets {} > {}", r, gain, e.value);
            }
            for c in 0..n {
                let loss: f64 = (0..m).map(|r| e.rows[r] * matrix.at(r, c)).sum();
                prop_assert!(loss >= e.value - 1e-7, "column {} pays {} < {}", c, loss, e.value);
            }
        }
    }
}
