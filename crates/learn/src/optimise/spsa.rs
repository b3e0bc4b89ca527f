//! SPSA: simultaneous perturbation stochastic approximation (Spall 1992; gains and advice from
//! Spall 1998, 'Implementation of the Simultaneous Perturbation Algorithm for Stochastic
//! Optimization').
//!
//! A step measures two points. All parameters are moved up or down at once, at random; the difference of the two values
//! gives a slope for every parameter. Steps are cheap and many. Stockfish is tuned by this method.

use super::{Optimiser, Point};
use ludex_core::{Rng, Seed};

/// The gains of SPSA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gains {
    /// The move of each parameter in the first step if the values of the two points differ by 1: Spall's `a`, scaled.
    pub step: f64,
    /// The distance of the two points of the first step from their middle: Spall's `c`.
    pub spread: f64,
    /// The number of steps during which gains hardly fall, a tenth of all steps: Spall's `A`.
    pub stability: f64,
}

impl Gains {
    /// The usual gains for this number of steps.
    pub(crate) fn for_steps(steps: u32) -> Self {
        Gains { step: 0.1, spread: 0.1, stability: f64::from(steps) / 10.0 }
    }
}

/// How fast steps and spreads fall: Spall's practical values.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The search.
pub(crate) struct Spsa {
    rng: Rng,
    gains: Gains,
    theta: Point,
    k: f64,
    /// The difference of the points of the last `ask` in each parameter.
    delta: Vec<f64>,
    /// All points of the search. The mean of their later half is less noisy than the last point (Polyak and Juditsky 1992).
    trail: Vec<Point>,
}

impl Spsa {
    /// Starts at a point.
    pub(crate) fn new(start: &[f64], gains: Gains, seed: Seed) -> Self {
        Spsa {
            rng: seed.named("spsa").rng(),
            gains,
            theta: start.to_vec(),
            k: 0.0,
            delta: Vec::new(),
            trail: Vec::new(),
        }
    }
}

impl Optimiser for Spsa {
    fn ask(&mut self) -> Vec<Point> {
        let c = self.gains.spread / (self.k + 1.0).powf(GAMMA);
        let coins: Vec<f64> =
            self.theta.iter().map(|_| if self.rng.below(2) == 0 { -1.0 } else { 1.0 }).collect();
        let point = |sign: f64| -> Point {
            let moved = self.theta.iter().zip(&coins).map(|(x, coin)| x + sign * c * coin);
            moved.map(|x| x.clamp(0.0, 1.0)).collect()
        };
        let points = vec![point(1.0), point(-1.0)];
        self.delta = points[0].iter().zip(&points[1]).map(|(a, b)| a - b).collect();
        points
    }

    fn tell(&mut self, _: &[Point], worth: &[f64]) {
        let [up, down] = worth else { return };
        let g = &self.gains;
        // a so that a_0 = step; a_k = a / (A + k + 1)^alpha.
        let a = g.step * ((g.stability + 1.0) / (g.stability + self.k + 1.0)).powf(ALPHA);
        for (x, delta) in self.theta.iter_mut().zip(&self.delta) {
            // At a border both points can have the same value of a parameter, which says nothing about its slope.
            if delta.abs() > 1e-12 {
                // The slope is in units of the spread, so that `step` is a length.
                let slope = (up - down) * self.gains.spread / delta * 2.0;
                *x = (*x + a * slope).clamp(0.0, 1.0);
            }
        }
        self.k += 1.0;
        self.trail.push(self.theta.clone());
    }

    fn best(&self) -> Point {
        let late = &self.trail[self.trail.len() / 2..];
        if late.is_empty() {
            return self.theta.clone();
        }
        let n = late.len() as f64;
        (0..self.theta.len()).map(|i| late.iter().map(|point| point[i]).sum::<f64>() / n).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testkit::search;
    use super::*;

    fn hill(point: &[f64]) -> f64 {
        1.0 - point.iter().zip([0.3, 0.7, 0.5, 0.9]).map(|(x, top)| (x - top).powi(2)).sum::<f64>()
    }

    #[test]
    fn it_climbs_a_hill_through_noise() {
        let start = [0.5, 0.2, 0.9, 0.4];
        let gains = Gains { step: 0.15, ..Gains::for_steps(2000) };
        let climb = |seed| search(Spsa::new(&start, gains, Seed(seed)), 4000, 0.3, hill);
        let mean = (0..5).map(|seed| hill(&climb(seed))).sum::<f64>() / 5.0;
        assert!(hill(&start) < 0.4 && mean > 0.95, "{mean}");
    }

    #[test]
    fn the_border_holds_and_is_left_again() {
        let start = [0.0, 1.0, 0.0, 0.0];
        let gains = Gains { step: 0.5, ..Gains::for_steps(1000) };
        let best = search(Spsa::new(&start, gains, Seed(4)), 2000, 0.0, hill);
        assert!(hill(&best) > 0.99, "{best:?}");
    }

    #[test]
    fn coins_are_fair_and_come_from_the_seed() {
        let mut one = Spsa::new(&[0.5; 2], Gains::for_steps(10), Seed(1));
        let mut two = Spsa::new(&[0.5; 2], Gains::for_steps(10), Seed(1));
        let mut ups = 0;
        for _ in 0..400 {
            let points = one.ask();
            assert_eq!(points, two.ask());
            ups += u32::from(points[0][0] > 0.5);
        }
        // Fair: 200, sd 10; four of them.
        assert!((160..=240).contains(&ups), "{ups}");
    }
}
