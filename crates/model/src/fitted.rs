//! Models after training: plain data, and their predictions.

use crate::matrix::Matrix;
use crate::scaling::{Scaling, cosine_distance};
use crate::tree::Tree;
use serde::{Deserialize, Serialize};

/// A model after training. It gives one number a target: a predicted win rate, or for
/// classifiers how likely the target is the best.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Fitted {
    /// The same numbers for every row.
    Constant {
        /// One number a target.
        values: Vec<f64>,
    },
    /// A weighted sum a target.
    Linear {
        /// One row of weights a target.
        weights: Matrix,
        /// One number a target.
        bias: Vec<f64>,
    },
    /// The mean of the nearest known rows by cosine distance.
    Nearest {
        /// How rows are scaled.
        scaling: Scaling,
        /// The known rows, scaled.
        rows: Matrix,
        /// The targets of the known rows.
        targets: Matrix,
        /// How many count.
        k: usize,
        /// A row at distance d weighs exp(-d / width).
        width: f64,
        /// The weight of the mean of all known targets.
        shrink: f64,
    },
    /// Means over trees: one group a target, or one group for all.
    Forest {
        /// The groups.
        groups: Vec<Vec<Tree>>,
    },
    /// Sums over trees, one group a target.
    Boosted {
        /// The value before the first tree, by target.
        base: Vec<f64>,
        /// The factor of each tree (the learning rate).
        rate: f64,
        /// The groups.
        groups: Vec<Vec<Tree>>,
    },
    /// Weighted similarities to known rows: kernel ridge and support vectors.
    Kernel {
        /// How rows are scaled.
        scaling: Scaling,
        /// The similarity of two rows.
        kernel: Kernel,
        /// The known rows, scaled.
        rows: Matrix,
        /// One row of weights a known row.
        weights: Matrix,
        /// One number a target.
        bias: Vec<f64>,
    },
    /// One hidden layer of rectified linear units.
    Mlp {
        /// How rows are scaled.
        scaling: Scaling,
        /// One row of weights a column.
        hidden: Matrix,
        /// One number a hidden unit.
        hidden_bias: Vec<f64>,
        /// One row of weights a hidden unit.
        output: Matrix,
        /// One number a target.
        output_bias: Vec<f64>,
    },
    /// Normal distributions, independent by column, one a class.
    Bayes {
        /// The logarithm of each class's share.
        prior: Vec<f64>,
        /// One row of means a class.
        mean: Matrix,
        /// One row of variances a class.
        variance: Matrix,
    },
    /// The mean of several models' numbers.
    Average {
        /// The models.
        members: Vec<Fitted>,
    },
}

/// A similarity of two rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
pub enum Kernel {
    /// exp(-gamma |x - y|²).
    Rbf {
        /// The sharpness.
        gamma: f64,
    },
    /// tanh(gamma x·y).
    Sigmoid {
        /// The slope.
        gamma: f64,
    },
    /// x·y.
    Linear,
}

impl Kernel {
    /// The similarity of two rows.
    pub fn of(self, a: &[f64], b: &[f64]) -> f64 {
        let dot = || a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        match self {
            Kernel::Rbf { gamma } => {
                let square: f64 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
                (-gamma * square).exp()
            }
            Kernel::Sigmoid { gamma } => (gamma * dot()).tanh(),
            Kernel::Linear => dot(),
        }
    }
}

impl Fitted {
    /// One number a target for a row.
    pub fn predict(&self, row: &[f64]) -> Vec<f64> {
        match self {
            Fitted::Constant { values } => values.clone(),
            Fitted::Linear { weights, bias } => {
                let sums = weights.iter().map(|w| Kernel::Linear.of(w, row));
                sums.zip(bias).map(|(sum, b)| sum + b).collect()
            }
            Fitted::Nearest { scaling, rows, targets, k, width, shrink } => {
                let row = scaling.apply(row);
                let mut near: Vec<(f64, usize)> =
                    rows.iter().enumerate().map(|(i, r)| (cosine_distance(&row, r), i)).collect();
                near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let mut sums: Vec<f64> = targets.means().iter().map(|m| m * shrink).collect();
                let mut total = *shrink;
                for &(distance, i) in near.iter().take((*k).max(1)) {
                    let weight = (-distance / width).exp();
                    total += weight;
                    sums.iter_mut().zip(targets.row(i)).for_each(|(s, y)| *s += weight * y);
                }
                sums.iter().map(|sum| sum / total.max(f64::MIN_POSITIVE)).collect()
            }
            Fitted::Forest { groups } => {
                groups.iter().flat_map(|trees| mean_of(trees, row)).collect()
            }
            Fitted::Boosted { base, rate, groups } => {
                let sum = |trees: &Vec<Tree>| -> f64 {
                    trees.iter().filter_map(|tree| tree.predict(row).first()).sum()
                };
                base.iter().zip(groups).map(|(base, trees)| base + rate * sum(trees)).collect()
            }
            Fitted::Kernel { scaling, kernel, rows, weights, bias } => {
                let row = scaling.apply(row);
                let mut sums = bias.clone();
                for (known, weights) in rows.iter().zip(weights.iter()) {
                    if weights.iter().any(|w| *w != 0.0) {
                        let near = kernel.of(known, &row);
                        sums.iter_mut().zip(weights).for_each(|(s, w)| *s += near * w);
                    }
                }
                sums
            }
            Fitted::Mlp { scaling, hidden, hidden_bias, output, output_bias } => {
                let row = scaling.apply(row);
                let mut units = hidden_bias.clone();
                for (x, weights) in row.iter().zip(hidden.iter()).filter(|(x, _)| **x != 0.0) {
                    units.iter_mut().zip(weights).for_each(|(u, w)| *u += x * w);
                }
                let mut sums = output_bias.clone();
                for (unit, weights) in units.iter().zip(output.iter()).filter(|(u, _)| **u > 0.0) {
                    sums.iter_mut().zip(weights).for_each(|(s, w)| *s += unit * w);
                }
                sums
            }
            Fitted::Bayes { prior, mean, variance } => prior
                .iter()
                .zip(mean.iter().zip(variance.iter()))
                .map(|(prior, (mean, variance))| {
                    let fit = row.iter().zip(mean.iter().zip(variance));
                    let fit = fit.map(|(x, (m, v))| {
                        (std::f64::consts::TAU * v).ln() + (x - m) * (x - m) / v
                    });
                    prior - 0.5 * fit.sum::<f64>()
                })
                .collect(),
            Fitted::Average { members } => {
                let mut sums: Vec<f64> = Vec::new();
                let n = members.len().max(1) as f64;
                for member in members {
                    let values = member.predict(row);
                    sums.resize(values.len(), 0.0);
                    sums.iter_mut().zip(&values).for_each(|(s, v)| *s += v / n);
                }
                sums
            }
        }
    }

    /// The disagreement of the model's parts about a row: the standard deviation over trees or
    /// members, by target; `None` for models of one part.
    pub fn spread(&self, row: &[f64]) -> Option<Vec<f64>> {
        match self {
            Fitted::Forest { groups } => {
                Some(groups.iter().flat_map(|trees| deviation_of(trees, row)).collect())
            }
            Fitted::Average { members } => {
                // The largest spread of a member: the means of the members differ less than real results do.
                let spreads: Vec<Vec<f64>> =
                    members.iter().filter_map(|member| member.spread(row)).collect();
                let widest = |j: usize| spreads.iter().filter_map(move |s| s.get(j)).copied();
                let columns = spreads.first()?.len();
                Some((0..columns).map(|j| widest(j).fold(0.0, f64::max)).collect())
            }
            _ => None,
        }
    }

    /// The contribution of each column to the prediction of `target` for a row. Along a row's path through a
    /// tree, the change of the value from a node to its child counts for the column of the node. `None` for
    /// models without trees.
    pub fn reasons(&self, row: &[f64], target: usize) -> Option<Vec<f64>> {
        let mut reasons = vec![0.0; row.len()];
        match self {
            Fitted::Forest { groups } => {
                let (trees, output) = match groups.as_slice() {
                    [joint] => (joint, target),
                    _ => (groups.get(target)?, 0),
                };
                credit(trees, row, output, 1.0 / trees.len().max(1) as f64, &mut reasons)?;
            }
            Fitted::Boosted { groups, rate, .. } => {
                credit(groups.get(target)?, row, 0, *rate, &mut reasons)?;
            }
            Fitted::Average { members } => {
                let parts: Vec<Vec<f64>> =
                    members.iter().filter_map(|member| member.reasons(row, target)).collect();
                let n = parts.len();
                if n == 0 {
                    return None;
                }
                for part in parts {
                    reasons.iter_mut().zip(part).for_each(|(r, p)| *r += p / n as f64);
                }
            }
            _ => return None,
        }
        Some(reasons)
    }

    /// The first inconsistency of the model. A model without one can predict every row of
    /// `columns` numbers, and gives `targets` numbers.
    pub fn fault(&self, columns: usize, targets: usize) -> Option<String> {
        let count = |what: &str, n: usize, wanted: usize| {
            (n != wanted).then(|| format!("{what}: {n} where {wanted} are due"))
        };
        let scaled = |scaling: &Scaling| {
            let fits = [scaling.mean.len(), scaling.deviation.len()]
                .iter()
                .all(|&n| n == 0 || n == columns);
            (!fits).then(|| "a scaling of other columns".to_string())
        };
        let trees = |trees: &[Tree], outputs: usize| {
            trees.iter().find_map(|tree| tree.fault(columns, outputs))
        };
        match self {
            Fitted::Constant { values } => count("values", values.len(), targets),
            Fitted::Linear { weights, bias } => count("weights", weights.columns(), columns)
                .or(count("weights", weights.rows(), targets))
                .or(count("bias", bias.len(), targets)),
            Fitted::Nearest { scaling, rows, targets: known, .. } => scaled(scaling)
                .or(count("columns", rows.columns(), columns))
                .or(count("targets", known.columns(), targets))
                .or(count("targets", known.rows(), rows.rows())),
            Fitted::Forest { groups } if groups.len() == 1 => trees(&groups[0], targets),
            Fitted::Forest { groups } => count("groups of trees", groups.len(), targets)
                .or_else(|| groups.iter().find_map(|group| trees(group, 1))),
            Fitted::Boosted { base, groups, .. } => count("bases", base.len(), targets)
                .or(count("groups of trees", groups.len(), targets))
                .or_else(|| groups.iter().find_map(|group| trees(group, 1))),
            Fitted::Kernel { scaling, rows, weights, bias, .. } => scaled(scaling)
                .or(count("columns", rows.columns(), columns))
                .or(count("weights", weights.columns(), targets))
                .or(count("weights", weights.rows(), rows.rows()))
                .or(count("bias", bias.len(), targets)),
            Fitted::Mlp { scaling, hidden, hidden_bias, output, output_bias } => scaled(scaling)
                .or(count("inputs", hidden.rows(), columns))
                .or(count("units", hidden.columns(), hidden_bias.len()))
                .or(count("units", output.rows(), hidden_bias.len()))
                .or(count("outputs", output.columns(), targets))
                .or(count("bias", output_bias.len(), targets)),
            Fitted::Bayes { prior, mean, variance } => count("classes", prior.len(), targets)
                .or(count("means", mean.columns(), columns))
                .or(count("means", mean.rows(), targets))
                .or(count("variances", variance.columns(), columns))
                .or(count("variances", variance.rows(), targets)),
            Fitted::Average { members } if members.is_empty() => {
                Some("an average of nothing".into())
            }
            Fitted::Average { members } => {
                members.iter().find_map(|member| member.fault(columns, targets))
            }
        }
    }
}

/// The mean over trees, by output.
fn mean_of(trees: &[Tree], row: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; trees.first().map_or(0, |tree| tree.outputs)];
    for tree in trees {
        sums.iter_mut().zip(tree.predict(row)).for_each(|(sum, value)| *sum += value);
    }
    let n = trees.len().max(1) as f64;
    sums.iter_mut().for_each(|sum| *sum /= n);
    sums
}

/// The standard deviation over trees, by output.
fn deviation_of(trees: &[Tree], row: &[f64]) -> Vec<f64> {
    let means = mean_of(trees, row);
    let mut squares = vec![0.0; means.len()];
    for tree in trees {
        for ((square, mean), value) in squares.iter_mut().zip(&means).zip(tree.predict(row)) {
            *square += (value - mean).powi(2);
        }
    }
    let n = trees.len().max(1) as f64;
    squares.iter().map(|square| (square / n).sqrt()).collect()
}

fn credit(
    trees: &[Tree],
    row: &[f64],
    output: usize,
    scale: f64,
    reasons: &mut [f64],
) -> Option<()> {
    for tree in trees {
        let mut node = 0;
        while let Some(next) = tree.next(node, row) {
            let change = tree.values(next).get(output)? - tree.values(node).get(output)?;
            let feature = usize::try_from(tree.feature[node]).ok()?;
            *reasons.get_mut(feature)? += scale * change;
            node = next;
        }
    }
    Some(())
}
