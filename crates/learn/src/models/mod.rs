//! Models by name and their training. The result is a [`Fitted`] of `ludex-model`.
//!
//! A model maps the features of a game to one number per target (the win rate of each agent), or to the best target (names
//! ending in `-class`, and `bayes`).
//!
//! Forests, boosting, support vectors and networks are written here, though libraries for them exist, because they must
//! break ties exactly as scikit-learn does: the published regrets depend on it.
//!
//! ```
//! use ludex_core::Seed;
//! use ludex_learn::models::Recipe;
//! use ludex_model::Matrix;
//! let x = Matrix::from_rows(1, [[0.0], [0.0], [1.0], [1.0]]);
//! let y = Matrix::from_rows(2, [[9.0, 1.0], [8.0, 2.0], [1.0, 9.0], [2.0, 8.0]]);
//! let recipe: Recipe = "tree".parse().unwrap();
//! let fitted = recipe.fit(&x, &y, Seed(1)).unwrap();
//! assert_eq!(fitted.predict(&[1.0]), [1.5, 8.5]);
//! ```

mod bayes;
mod boost;
mod cart;
mod columns;
mod forest;
mod linear;
mod mlp;
mod names;
mod svm;

use boost::Boost;
use forest::Forest;
use ludex_core::error::did_you_mean;
use ludex_core::{Error, Result, Seed, Spec};
use ludex_model::scaling::Scaling;
use ludex_model::{Fitted, Matrix, argmax};
use mlp::Mlp;
pub use names::{ENTRIES, Entry};
use std::fmt;
use std::str::FromStr;
use svm::Svm;

/// A model before training, read from a name such as `forest(trees=150,share=0.33)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    spec: Spec,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Naive { classes: bool },
    Linear { ridge: f64 },
    Nearest { k: usize, width: f64, shrink: f64 },
    Forest { forest: Forest, share: Share, classes: bool, centred: bool },
    Boost { boost: Boost },
    Kernel { gamma: f64, ridge: f64 },
    Svm { svm: Svm },
    Mlp { mlp: Mlp },
    Bayes,
    Mean { members: Vec<Recipe> },
}

/// The share of the columns that each split of a tree considers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Share {
    Root,
    Of(f64),
}

impl Recipe {
    fn read(spec: &Spec) -> Result<Self> {
        let name = spec.name.as_str();
        if !spec.budget.is_empty() {
            let reason = "a model takes no budget".into();
            return Err(Error::BadParameter { name: name.into(), reason });
        }
        let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
            let names = ENTRIES.iter().map(|entry| entry.name);
            let mut hint = did_you_mean(name, names.clone());
            if hint.is_empty() {
                hint = format!("; there are {}", names.collect::<Vec<_>>().join(", "));
            }
            return Err(Error::Unknown { what: "model", name: name.into(), hint });
        };
        Ok(Recipe { spec: spec.clone(), kind: (entry.read)(spec)? })
    }

    /// Trains the model. Each game is one row of `x` and one row of `y`.
    ///
    /// # Errors
    /// There are no rows, `x` and `y` have different numbers of rows, a number is not finite, or a system of equations can't
    /// be solved.
    pub fn fit(&self, x: &Matrix, y: &Matrix, seed: Seed) -> Result<Fitted> {
        let bad =
            |reason: &str| Error::BadParameter { name: self.to_string(), reason: reason.into() };
        if x.rows() == 0 || x.rows() != y.rows() {
            return Err(bad("training needs rows, and as many targets as rows"));
        }
        if x.iter().chain(y.iter()).flatten().any(|v| !v.is_finite()) {
            return Err(bad("training needs finite numbers"));
        }
        self.fit_checked(x, y, seed)
    }

    fn fit_checked(&self, x: &Matrix, y: &Matrix, seed: Seed) -> Result<Fitted> {
        Ok(match &self.kind {
            Kind::Naive { classes: false } => Fitted::Constant { values: y.means() },
            Kind::Naive { classes: true } => Fitted::Constant { values: one_hot(y).means() },
            Kind::Linear { ridge } => linear::least_squares(x, y, *ridge),
            Kind::Nearest { k, width, shrink } => {
                let scaling = Scaling::fit(x, true, None);
                let rows = scaling.apply_all(x);
                let (k, width, shrink) = (*k, *width, *shrink);
                Fitted::Nearest { scaling, rows, targets: y.clone(), k, width, shrink }
            }
            Kind::Forest { forest, share, classes, centred } => {
                let columns = x.columns() as f64;
                let mut forest = *forest;
                forest.growth.tries = match share {
                    Share::Root => columns.sqrt().floor() as usize,
                    Share::Of(share) => (columns * share).floor() as usize,
                }
                .max(1);
                let y = if *classes { &one_hot(y) } else { y };
                let y = if *centred { &centre(y) } else { y };
                forest.fit(x, y, seed)
            }
            Kind::Boost { boost } => boost.fit(x, y, seed),
            Kind::Kernel { gamma, ridge } => linear::kernel_ridge(x, y, *gamma, *ridge)?,
            Kind::Svm { svm } => svm.fit(x, y),
            Kind::Mlp { mlp } => match mlp.classes {
                true => mlp.fit(x, &one_hot(y), seed),
                false => mlp.fit(x, y, seed),
            },
            Kind::Bayes => {
                let labels: Vec<usize> = y.iter().map(argmax).collect();
                bayes::bayes(x, &labels, y.columns())
            }
            Kind::Mean { members } => {
                let fit =
                    |(i, member): (usize, &Recipe)| member.fit_checked(x, y, seed.child(i as u64));
                let members: Result<Vec<_>> = members.iter().enumerate().map(fit).collect();
                Fitted::Average { members: members? }
            }
        })
    }
}

impl FromStr for Recipe {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Recipe::read(&text.parse()?)
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}

/// 1 for the first best target of each row, 0 for the others.
fn one_hot(y: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(y.rows(), y.columns());
    for i in 0..y.rows() {
        if let Some(best) = out.row_mut(i).get_mut(argmax(y.row(i))) {
            *best = 1.0;
        }
    }
    out
}

/// Subtracts the mean of each row from its values.
fn centre(y: &Matrix) -> Matrix {
    let mean = |row: &[f64]| row.iter().sum::<f64>() / row.len().max(1) as f64;
    Matrix::from_rows(
        y.columns(),
        y.iter().map(|row| row.iter().map(|v| v - mean(row)).collect::<Vec<_>>()),
    )
}
