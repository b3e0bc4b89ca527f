//! Ask-and-tell optimisers of noisy functions.
//!
//! An [`Optimiser`] proposes points of the unit cube and is told the value of each; a higher value is better. It calls
//! nothing itself, so that the values can be measured on any number of threads or machines. An optimiser is a function of
//! its seed and the answers: a search that was killed is resumed by telling it the measured values again.
//!
//! [`cmaes`] learns the shape of the landscape, [`spsa`] follows a gradient from two measurements per step, and [`ntbea`]
//! models the parameters of a grid and their pairs.

pub(crate) mod cmaes;
pub(crate) mod ntbea;
pub(crate) mod spsa;

use ludex_core::Rng;

/// A point of the unit cube: a number from 0 to 1 for each parameter.
pub(crate) type Point = Vec<f64>;

/// A search for the point with the best mean value.
pub(crate) trait Optimiser: Send {
    /// The points to measure next; their values are told together.
    fn ask(&mut self) -> Vec<Point>;

    /// Tells the values of the points of the last [`ask`](Optimiser::ask), in the same order.
    fn tell(&mut self, points: &[Point], worth: &[f64]);

    /// The best point by what is known so far.
    fn best(&self) -> Point;
}

/// A draw from the normal distribution with mean 0 and variance 1 (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

/// Folds a number into 0..=1 by reflection at both ends, so that the search stays smooth near a border.
fn mirror(x: f64) -> f64 {
    let x = x.rem_euclid(2.0);
    if x > 1.0 { 2.0 - x } else { x }
}

/// Functions that the tests optimise.
#[cfg(test)]
pub(crate) mod testkit {
    use super::{Optimiser, Point, normal};
    use ludex_core::Seed;

    /// Lets a search measure `f` with noise, and returns its best point.
    pub(crate) fn search(
        mut search: impl Optimiser,
        evaluations: usize,
        noise: f64,
        f: impl Fn(&[f64]) -> f64,
    ) -> Point {
        let mut rng = Seed(99).named("noise").rng();
        let mut spent = 0;
        while spent < evaluations {
            let points = search.ask();
            assert!(points.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
            let worth: Vec<f64> =
                points.iter().map(|point| f(point) + noise * normal(&mut rng)).collect();
            search.tell(&points, &worth);
            spent += points.len();
        }
        search.best()
    }

    /// A rotated and stretched bowl: no parameter can be optimised alone.
    pub(crate) fn bowl(point: &[f64]) -> f64 {
        let sum: f64 = point.iter().map(|x| x - 0.6).sum();
        let apart: f64 = point.windows(2).map(|w| (w[0] - w[1]).powi(2)).sum();
        -sum * sum - 10.0 * apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn normal_draws_have_mean_zero_and_variance_one() {
        let mut rng = Seed(3).rng();
        let draws: Vec<f64> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 2e4;
        let variance = draws.iter().map(|x| x * x).sum::<f64>() / 2e4;
        // Standard errors 0.0071 and 0.01: four of them.
        assert!(mean.abs() < 0.029 && (variance - 1.0).abs() < 0.04, "{mean} {variance}");
    }

    #[test]
    fn mirrors_fold_into_the_cube() {
        for (x, folded) in [(0.25, 0.25), (1.25, 0.75), (-0.25, 0.25), (2.5, 0.5), (-1.5, 0.5)] {
            assert!((mirror(x) - folded).abs() < 1e-12, "{x}");
        }
    }
}
