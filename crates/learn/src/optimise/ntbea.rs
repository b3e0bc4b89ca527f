//! NTBEA: the n-tuple bandit evolutionary algorithm (Lucas, Liu and Perez-Liebana 2018, 'The
//! N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation').
//!
//! Each parameter has a few levels. The model keeps the number of trials and the mean value of every level of every
//! parameter, of every pair of parameters, and of all parameters together. Each step makes mutants of the current point and
//! moves to the one with the highest upper confidence bound. A step costs one measurement.

use super::{Optimiser, Point};
use ludex_core::{Rng, Seed};
use std::collections::HashMap;

/// The search.
pub(crate) struct Ntbea {
    rng: Rng,
    levels: Vec<usize>,
    /// The modelled tuples of parameters: each alone, each pair, all together.
    tuples: Vec<Vec<usize>>,
    /// For each tuple: the statistics of its values.
    known: Vec<HashMap<Vec<usize>, Arm>>,
    current: Vec<usize>,
    asked: Vec<usize>,
    /// The measured points in order, each once.
    seen: Vec<Vec<usize>>,
    settings: Settings,
}

/// The settings of NTBEA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    /// The weight of exploration: about the spread of the values.
    pub k: f64,
    /// The number of mutants per step.
    pub neighbours: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { k: 1.0, neighbours: 50 }
    }
}

/// The epsilon of the paper: keeps the bound of an untried value finite.
const EPSILON: f64 = 0.5;

#[derive(Debug, Clone, Copy, Default)]
struct Arm {
    n: f64,
    sum: f64,
}

impl Ntbea {
    /// Starts on a grid, with this number of levels per parameter, at the levels nearest to `start`.
    pub(crate) fn new(levels: &[usize], start: &[f64], settings: Settings, seed: Seed) -> Self {
        let levels: Vec<usize> = levels.iter().map(|&n| n.max(1)).collect();
        let n = levels.len();
        let mut tuples: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
        for i in 0..n {
            tuples.extend((i + 1..n).map(|j| vec![i, j]));
        }
        if n > 2 {
            tuples.push((0..n).collect());
        }
        let current: Vec<usize> = levels
            .iter()
            .zip(start)
            .map(|(&levels, &x)| (x.clamp(0.0, 1.0) * (levels - 1) as f64).round() as usize)
            .collect();
        Ntbea {
            rng: seed.named("ntbea").rng(),
            known: vec![HashMap::new(); tuples.len()],
            tuples,
            asked: current.clone(),
            current,
            levels,
            seen: Vec::new(),
            settings,
        }
    }

    fn key(&self, tuple: usize, point: &[usize]) -> Vec<usize> {
        self.tuples[tuple].iter().map(|&i| point[i]).collect()
    }

    /// The mean value of the tuples of a point, and their mean uncertainty.
    fn estimate(&self, point: &[usize]) -> (f64, f64) {
        let all = (self.seen_evaluations() + 1.0).ln();
        let (mut worth, mut unsure, mut told) = (0.0, 0.0, 0.0);
        for tuple in 0..self.tuples.len() {
            let arm = self.known[tuple].get(&self.key(tuple, point)).copied().unwrap_or_default();
            unsure += (all / (arm.n + EPSILON)).sqrt();
            if arm.n > 0.0 {
                worth += arm.sum / arm.n;
                told += 1.0;
            }
        }
        let tuples = self.tuples.len().max(1) as f64;
        (if told > 0.0 { worth / told } else { 0.0 }, unsure / tuples)
    }

    fn seen_evaluations(&self) -> f64 {
        self.known.first().map_or(0.0, |known| known.values().map(|arm| arm.n).sum())
    }

    /// A mutant of the current point: one parameter certainly gets a new level, each other one with probability 1/n.
    fn mutant(&mut self) -> Vec<usize> {
        let n = self.levels.len();
        let mut point = self.current.clone();
        let sure = self.rng.index(n);
        for (i, (at, &levels)) in point.iter_mut().zip(&self.levels).enumerate() {
            let chosen = i == sure || self.rng.index(n) == 0;
            if chosen && levels > 1 {
                let other = self.rng.index(levels - 1);
                *at = if other >= *at { other + 1 } else { other };
            }
        }
        point
    }

    fn place(&self, point: &[usize]) -> Point {
        let place = |(&at, &levels): (&usize, &usize)| match levels {
            1 => 0.5,
            _ => at as f64 / (levels - 1) as f64,
        };
        point.iter().zip(&self.levels).map(place).collect()
    }
}

impl Optimiser for Ntbea {
    fn ask(&mut self) -> Vec<Point> {
        self.asked = self.current.clone();
        vec![self.place(&self.asked)]
    }

    fn tell(&mut self, _: &[Point], worth: &[f64]) {
        let &[worth] = worth else { return };
        let asked = self.asked.clone();
        for tuple in 0..self.tuples.len() {
            let key = self.key(tuple, &asked);
            let arm = self.known[tuple].entry(key).or_default();
            arm.n += 1.0;
            arm.sum += worth;
        }
        if !self.seen.contains(&asked) {
            self.seen.push(asked);
        }
        let mut best = (f64::NEG_INFINITY, self.current.clone());
        for _ in 0..self.settings.neighbours.max(1) {
            let mutant = self.mutant();
            let (worth, unsure) = self.estimate(&mutant);
            let urge = worth + self.settings.k * unsure;
            if urge > best.0 {
                best = (urge, mutant);
            }
        }
        self.current = best.1;
    }

    /// The measured point with the highest estimate of the model.
    fn best(&self) -> Point {
        let mut best = (f64::NEG_INFINITY, &self.current);
        for point in &self.seen {
            let (worth, _) = self.estimate(point);
            if worth > best.0 {
                best = (worth, point);
            }
        }
        self.place(best.1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testkit::search;
    use super::*;

    /// A value that grows with the number of right parameters; the first two count only together.
    fn chance(point: &[f64]) -> f64 {
        let right = |x: f64, at: f64| f64::from(u8::from((x - at).abs() < 1e-9));
        let pair = right(point[0], 0.25) * right(point[1], 0.75);
        0.2 + 0.4 * pair + 0.15 * right(point[2], 1.0) + 0.15 * right(point[3], 0.0)
    }

    #[test]
    fn it_finds_levels_that_are_good_together_through_noise() {
        let settings = Settings { k: 0.5, ..Settings::default() };
        let found = |seed| {
            let ntbea = Ntbea::new(&[5, 5, 5, 5], &[0.5; 4], settings, Seed(seed));
            chance(&search(ntbea, 1000, 0.4, chance))
        };
        let mean = (0..10).map(found).sum::<f64>() / 10.0;
        // The mean of the grid is 0.276, the best point has 0.9.
        assert!(mean > 0.8, "{mean}");
    }

    #[test]
    fn a_parameter_with_one_level_stays() {
        let ntbea = Ntbea::new(&[1, 3], &[0.5, 0.0], Settings::default(), Seed(1));
        let best = search(ntbea, 60, 0.0, |p| p[1]);
        assert_eq!(best, [0.5, 1.0]);
    }

    #[test]
    fn the_same_answers_lead_to_the_same_questions() {
        let new = || Ntbea::new(&[4, 4, 4], &[0.0; 3], Settings::default(), Seed(5));
        let (mut a, mut b) = (new(), new());
        for _ in 0..100 {
            let points = a.ask();
            assert_eq!(points, b.ask());
            let worth = [points[0].iter().sum()];
            a.tell(&points, &worth);
            b.tell(&points, &worth);
        }
    }
}
