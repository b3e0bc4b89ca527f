//! Forests: means over many trees. Each tree is grown on rows drawn with replacement (Breiman 2001), or on all rows with
//! random thresholds (extra trees, Geurts et al. 2006). A single tree is a forest of one.

use super::cart::{Grower, Growth};
use super::columns::Columns;
use ludex_core::{Rng, Seed};
use ludex_model::{Fitted, Matrix, Tree};
use rayon::prelude::*;

/// The parameters of a forest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Forest {
    pub(crate) trees: usize,
    pub(crate) growth: Growth,
    /// Are rows drawn with replacement for each tree?
    pub(crate) bootstrap: bool,
    /// Does one tree predict all targets?
    pub(crate) joint: bool,
}

/// How often each row is drawn in a bootstrap sample.
pub(crate) fn bootstrap(rows: usize, rng: &mut Rng) -> Vec<f64> {
    let mut weights = vec![0.0; rows];
    for _ in 0..rows {
        weights[rng.index(rows)] += 1.0;
    }
    weights
}

impl Forest {
    pub(crate) fn fit(&self, x: &Matrix, y: &Matrix, seed: Seed) -> Fitted {
        let columns = Columns::new(x);
        let targets: Vec<Matrix> = match self.joint {
            true => vec![y.clone()],
            false => (0..y.columns()).map(|j| y.select_columns(&[j])).collect(),
        };
        let grow = |target: &Matrix, tree: usize| -> Tree {
            // Trees with the same number get the same rows for every target, so that predictions differ only because the
            // targets differ.
            let mut rng = seed.child(tree as u64).rng();
            let weights = match self.bootstrap {
                true => bootstrap(x.rows(), &mut rng),
                false => vec![1.0; x.rows()],
            };
            Grower::new(&columns, target, self.growth).grow(&weights, &[], &mut rng)
        };
        let jobs: Vec<(usize, usize)> =
            (0..targets.len()).flat_map(|j| (0..self.trees).map(move |t| (j, t))).collect();
        let mut trees: Vec<Tree> =
            jobs.par_iter().map(|&(j, tree)| grow(&targets[j], tree)).collect();
        let mut groups = Vec::with_capacity(targets.len());
        while !trees.is_empty() {
            let rest = trees.split_off(self.trees.min(trees.len()));
            groups.push(std::mem::replace(&mut trees, rest));
        }
        Fitted::Forest { groups }
    }
}
