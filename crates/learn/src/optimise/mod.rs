//! Optimisers of noisy functions by asking and telling.
//!
//! An [`Optimiser`] proposes points of the unit cube and is told how good each of them was; more
//! is better. It keeps no clock and calls nothing, so that games may be played in between, on any
//! number of threads or machines. All its luck comes from its seed: the same answers lead to the
//! same questions, so a search that was killed is taken up again by telling it once more what was
//! measured before.
//!
//! One idea a file: [`cmaes`] learns the shape of the landscape, [`spsa`] follows a gradient that
//! two measurements a step give, [`ntbea`] models the parameters of a grid and their pairs.

pub(crate) mod cmaes;
pub(crate) mod ntbea;
pub(crate) mod spsa;

use ludex_core::Rng;

/// A point of the unit cube: a number from 0 to 1 for each parameter.
pub(crate) type Point = Vec<f64>;

/// A search for the point that is best on average.
pub(crate) trait Optimiser: Send {
    /// The points to measure next. All of them are told together.
    fn ask(&mut self) -> Vec<Point>;

    /// How good the points of the last [`ask`](Optimiser::ask) were, in its order; more is better.
    fn tell(&mut self, points: &[Point], worth: &[f64]);

    /// What it would take now.
    fn best(&self) -> Point;
}

/// A draw from the normal distribution with mean 0 and variance 1 (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

/// Folds a number into 0..=1 as mirrors at both ends would: near a border the search goes on as
/// smoothly as elsewhere.
fn mirror(x: f64) -> f64 {
    let x = x.rem_euclid(2.0);
    if x > 1.0 { 2.0 - x } else { x }
}

/// What tests optimise.
#[cfg(test)]
pub(crate) mod testkit {
    use super::{Optimiser, Point, normal};
    use ludex_core::Seed;

    /// Lets a search measure `f` with noise so many times, and returns what it then takes.
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

    /// A bowl whose axes are turned and stretched: no parameter can be set alone.
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
