//! Gradient boosting for squared errors: each tree is grown on the residuals of the trees before it (Friedman 2001), on a
//! share of the rows and of the columns (stochastic boosting).

use super::cart::{Grower, Growth};
use super::columns::Columns;
use ludex_core::Seed;
use ludex_model::{Fitted, Matrix, Tree};
use rayon::prelude::*;

/// The parameters of boosting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Boost {
    pub(crate) trees: usize,
    pub(crate) rate: f64,
    pub(crate) growth: Growth,
    /// The share of the rows and of the columns that each tree sees.
    pub(crate) rows: f64,
    pub(crate) columns: f64,
}

impl Boost {
    pub(crate) fn fit(&self, x: &Matrix, y: &Matrix, seed: Seed) -> Fitted {
        let columns = Columns::new(x);
        let fitted: Vec<(f64, Vec<Tree>)> = (0..y.columns())
            .into_par_iter()
            .map(|j| self.target(x, &columns, &y.column(j), seed))
            .collect();
        let (base, groups) = fitted.into_iter().unzip();
        Fitted::Boosted { base, rate: self.rate, groups }
    }

    fn target(&self, x: &Matrix, columns: &Columns, y: &[f64], seed: Seed) -> (f64, Vec<Tree>) {
        let base = y.iter().sum::<f64>() / y.len().max(1) as f64;
        let mut left: Vec<f64> = y.iter().map(|y| y - base).collect();
        let mut trees = Vec::with_capacity(self.trees);
        for number in 0..self.trees {
            let mut rng = seed.child(number as u64).rng();
            let mut share = |n: usize, share: f64| -> Vec<bool> {
                let mut chosen: Vec<bool> =
                    (0..n).map(|i| i < (share * n as f64).round() as usize).collect();
                rng.shuffle(&mut chosen);
                chosen
            };
            let rows = share(y.len(), self.rows);
            let allowed = match self.columns < 1.0 {
                true => share(columns.twins.len(), self.columns),
                false => Vec::new(),
            };
            let weights: Vec<f64> = rows.iter().map(|&row| f64::from(u8::from(row))).collect();
            let target = Matrix::from_rows(1, left.iter().map(|&r| [r]));
            let tree =
                Grower::new(columns, &target, self.growth).grow(&weights, &allowed, &mut rng);
            for (i, left) in left.iter_mut().enumerate() {
                *left -= self.rate * tree.predict(x.row(i))[0];
            }
            trees.push(tree);
        }
        (base, trees)
    }
}
