//! Games as points: distances, representatives, groups, and a map.
//!
//! - [`Landscape`]: scaled rows and their cosine distances (Stephenson et al. 2023);
//! - [`representatives`]: some games that are far from each other;
//! - [`cluster`] by k-means;
//! - [`chart`]: all of this in one call;
//! - [`draw`]: the map by t-SNE, as SVG, PNG and HTML.

mod chart;
pub mod cluster;
pub mod draw;
mod select;
mod tsne;

use crate::table::Table;
pub use chart::{Charted, Described, Settings, chart};
use ludex_model::Matrix;
use ludex_model::scaling::Scaling;
use rayon::prelude::*;
pub use select::{Selection, representatives};

/// The distances of all pairs of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    n: usize,
    values: Vec<f64>,
}

impl Distances {
    /// The cosine distances of the rows of a table.
    pub fn cosine(x: &Matrix) -> Self {
        let n = x.rows();
        let lengths: Vec<f64> =
            x.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>().sqrt()).collect();
        let values = (0..n)
            .into_par_iter()
            .flat_map_iter(|i| {
                let lengths = &lengths;
                (0..n).map(move |j| {
                    let dot: f64 = x.row(i).iter().zip(x.row(j)).map(|(a, b)| a * b).sum();
                    let scale = lengths[i] * lengths[j];
                    if i == j || scale <= 0.0 { 0.0 } else { (1.0 - dot / scale).max(0.0) }
                })
            })
            .collect();
        Distances { n, values }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Are there no rows?
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The distance of two rows.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.n + j]
    }

    /// The distances from one row to all.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.n..(i + 1) * self.n]
    }
}

/// Comparable rows: z-scores of the logarithms of numbers, and unscaled flags.
#[derive(Debug, Clone, PartialEq)]
pub struct Landscape {
    /// The scaled rows, by name.
    pub table: Table,
}

impl Landscape {
    /// Scales the numbers of `concepts`, then joins the flags of `ludemes`.
    pub fn new(concepts: &Table, ludemes: Option<&Table>) -> Self {
        let scaled = Table {
            values: standardised(&concepts.values, true),
            names: concepts.names.clone(),
            columns: concepts.columns.clone(),
        };
        Landscape { table: ludemes.map_or(scaled.clone(), |ludemes| scaled.join(ludemes)) }
    }

    /// All columns scaled once more, for the map and the groups.
    pub fn scaled_again(&self) -> Matrix {
        standardised(&self.table.values, false)
    }
}

/// The z-scores of all columns; constant columns become 0.
fn standardised(x: &Matrix, log: bool) -> Matrix {
    let scaling = Scaling { factor: 1.0, ..Scaling::fit(x, log, None) };
    scaling.apply_all(x)
}
