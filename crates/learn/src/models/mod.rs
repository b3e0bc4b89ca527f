//! Models by name: how they are trained. What comes out is a [`Fitted`] of `ludex-model`.
//!
//! A model gets a row of numbers a game and learns one number a target (a win rate per agent), or
//! which target is the best (names ending in `-class`, and `bayes`).
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
mod svm;

use boost::Boost;
use cart::Growth;
use forest::Forest;
use ludex_core::error::did_you_mean;
use ludex_core::{Error, Result, Seed, Spec};
use ludex_model::scaling::Scaling;
use ludex_model::{Fitted, Matrix, argmax};
use mlp::Mlp;
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

/// How many columns are looked at for each split.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Share {
    Root,
    Of(f64),
}

/// The models that there are: name, parameters with their defaults, what it is.
pub const RECIPES: &[(&str, &str, &str)] = &[
    ("naive", "", "the mean of each target; it always picks the one that is best on average"),
    ("naive-class", "", "the target that is the best most often"),
    ("linear", "ridge=0", "least squares, the shortest weights where there are several"),
    ("nearest", "k=10, width=0.15, shrink=0", "the nearest known games by cosine distance"),
    ("tree", "leaf=1, depth=0", "one tree a target"),
    ("tree-class", "leaf=1, depth=0", "one tree for the best target"),
    (
        "forest",
        "trees=150, share=1, leaf=1, joint=false, centred=false",
        "random forest, one a target or one for all (joint); centred: win rates about their game's mean",
    ),
    ("forest-class", "trees=150, share=sqrt, leaf=1", "random forest for the best target"),
    ("extra", "trees=150, share=0.1, leaf=1, joint=true, centred=false", "extra trees"),
    (
        "boost",
        "trees=100, rate=0.1, depth=3, leaves=0, leaf=1, rows=1, columns=1",
        "gradient boosting; rows and columns: the share of them that each tree sees",
    ),
    ("kernel", "gamma=1, ridge=0.3", "kernel ridge, radial, on logarithms of one size"),
    ("svm", "kernel=sigmoid, cost=1, epsilon=0.1", "support vectors; kernel: sigmoid or rbf"),
    ("mlp", "hidden=150, epochs=1000, scale=true", "a network of one hidden layer"),
    ("mlp-class", "hidden=150, epochs=1000, scale=false", "the same for the best target"),
    ("bayes", "", "naive Bayes with normal distributions, for the best target"),
    ("mean", "any models", "the mean of several models, as in mean(forest,boost,kernel)"),
];

impl Recipe {
    fn read(spec: &Spec) -> Result<Self> {
        let name = spec.name.as_str();
        let bad = |reason: String| Error::BadParameter { name: name.into(), reason };
        if !spec.budget.is_empty() {
            return Err(bad("a model takes no budget".into()));
        }
        let Some((_, known, _)) = RECIPES.iter().find(|(known, _, _)| *known == name) else {
            let names = RECIPES.iter().map(|(name, _, _)| *name);
            let mut hint = did_you_mean(name, names.clone());
            if hint.is_empty() {
                hint = format!("; there are {}", names.collect::<Vec<_>>().join(", "));
            }
            return Err(Error::Unknown { what: "model", name: name.into(), hint });
        };
        if name != "mean" {
            let keys: Vec<&str> =
                known.split(", ").filter_map(|p| Some(p.split_once('=')?.0)).collect();
            spec.expect(&keys, 0)?;
        }
        let number = |key: &str, default: f64, low: f64, high: f64| -> Result<f64> {
            let value: f64 = spec.param(key, None, default)?;
            match (low..=high).contains(&value) {
                true => Ok(value),
                false => Err(bad(format!("`{key}` must be from {low} to {high}, not {value}"))),
            }
        };
        let count = |key: &str, default: f64, low: f64, high: f64| -> Result<usize> {
            Ok(number(key, default, low, high)?.round() as usize)
        };
        let classes = name.ends_with("-class");
        let trees = |growth: Growth, trees: usize, bootstrap, joint| -> Result<Kind> {
            let share = match spec.get("share").map(|s| s.name.as_str()) {
                None if name == "forest-class" => Share::Root,
                Some("sqrt") => Share::Root,
                _ => Share::Of(number("share", if name == "extra" { 0.1 } else { 1.0 }, 0.0, 1.0)?),
            };
            let joint = classes || spec.param("joint", None, joint)?;
            let centred = spec.param("centred", None, false)?;
            let forest = Forest { trees, growth, bootstrap, joint };
            Ok(Kind::Forest { forest, share, classes, centred })
        };
        let least = || number("leaf", 1.0, 1.0, 1e6);
        let depth = |default: f64| -> Result<usize> {
            Ok(match count("depth", default, 0.0, 1e6)? {
                0 => usize::MAX,
                depth => depth,
            })
        };
        let kind = match name {
            "naive" | "naive-class" => Kind::Naive { classes },
            "linear" => Kind::Linear { ridge: number("ridge", 0.0, 0.0, 1e12)? },
            "nearest" => Kind::Nearest {
                k: count("k", 10.0, 1.0, 1e6)?,
                width: number("width", 0.15, 1e-6, 1e6)?,
                shrink: number("shrink", 0.0, 0.0, 1e6)?,
            },
            "tree" | "tree-class" => {
                let growth = Growth { least: least()?, depth: depth(0.0)?, ..Growth::default() };
                trees(growth, 1, false, false)?
            }
            "forest" | "forest-class" => {
                let growth = Growth { least: least()?, ..Growth::default() };
                trees(growth, count("trees", 150.0, 1.0, 1e5)?, true, false)?
            }
            "extra" => {
                let growth = Growth { least: least()?, random: true, ..Growth::default() };
                trees(growth, count("trees", 150.0, 1.0, 1e5)?, false, true)?
            }
            "boost" => {
                let growth = Growth {
                    least: least()?,
                    depth: depth(3.0)?,
                    leaves: count("leaves", 0.0, 0.0, 1e6)?,
                    ..Growth::default()
                };
                Kind::Boost {
                    boost: Boost {
                        trees: count("trees", 100.0, 1.0, 1e5)?,
                        rate: number("rate", 0.1, 1e-6, 1.0)?,
                        growth,
                        rows: number("rows", 1.0, 0.01, 1.0)?,
                        columns: number("columns", 1.0, 0.001, 1.0)?,
                    },
                }
            }
            "kernel" => Kind::Kernel {
                gamma: number("gamma", 1.0, 1e-9, 1e9)?,
                ridge: number("ridge", 0.3, 1e-9, 1e9)?,
            },
            "svm" => Kind::Svm {
                svm: Svm {
                    cost: number("cost", 1.0, 1e-9, 1e9)?,
                    epsilon: number("epsilon", 0.1, 0.0, 1e9)?,
                    sigmoid: match spec.get("kernel").map(|k| k.name.as_str()) {
                        None | Some("sigmoid") => true,
                        Some("rbf") => false,
                        Some(other) => {
                            return Err(bad(format!("no kernel `{other}`; sigmoid or rbf")));
                        }
                    },
                },
            },
            "mlp" | "mlp-class" => Kind::Mlp {
                mlp: Mlp {
                    hidden: count("hidden", 150.0, 1.0, 1e4)?,
                    epochs: count("epochs", 1000.0, 1.0, 1e6)?,
                    scale: spec.param("scale", None, !classes)?,
                    classes,
                },
            },
            "bayes" => Kind::Bayes,
            _ => {
                let members: Vec<Recipe> =
                    spec.positional().map(Recipe::read).collect::<Result<_>>()?;
                if members.is_empty() || members.len() != spec.args.len() {
                    return Err(bad("takes models, as in mean(forest,boost)".into()));
                }
                Kind::Mean { members }
            }
        };
        Ok(Recipe { spec: spec.clone(), kind })
    }

    /// Trains it: one row of `x` and one of `y` a game.
    ///
    /// # Errors
    /// No rows, rows that don't belong together, numbers that are none, or a system of equations
    /// that can't be solved.
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

/// Each row without its mean.
fn centre(y: &Matrix) -> Matrix {
    let mean = |row: &[f64]| row.iter().sum::<f64>() / row.len().max(1) as f64;
    Matrix::from_rows(
        y.columns(),
        y.iter().map(|row| row.iter().map(|v| v - mean(row)).collect::<Vec<_>>()),
    )
}
