//! CMA-ES: evolution strategy with covariance matrix adaptation (Hansen 2016, 'The CMA Evolution
//! Strategy: A Tutorial', arXiv:1604.00772; symbols and defaults as in its table 1).
//!
//! Points are drawn from a normal distribution. The better half moves its mean, and its shape and size adapt to successful
//! steps. Only the order of the points counts, so that the scale of the values does not matter. Noise calls for a larger
//! population.

use super::{Optimiser, Point, mirror, normal};
use ludex_core::{Rng, Seed};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// The search.
pub(crate) struct Cmaes {
    rng: Rng,
    /// Points per generation.
    lambda: usize,
    /// Recombination weights of the better half.
    weights: Vec<f64>,
    /// The effective number of parents.
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// The expected length of a normal vector.
    chi_n: f64,
    mean: DVector<f64>,
    sigma: f64,
    covariance: DMatrix<f64>,
    /// The eigenvectors of the covariance, and the roots of its eigenvalues.
    basis: DMatrix<f64>,
    scale: DVector<f64>,
    /// Evolution paths: of the step size and of the covariance.
    path_sigma: DVector<f64>,
    path_c: DVector<f64>,
    generation: i32,
    /// The steps of the last points asked for, in units of `sigma`.
    steps: Vec<DVector<f64>>,
}

impl Cmaes {
    /// Starts at a point with steps of about `sigma`. A fifth to a third of the cube is a good value where nothing is known.
    pub(crate) fn new(start: &[f64], sigma: f64, seed: Seed) -> Self {
        let n = start.len();
        let lambda = 4 + (3.0 * (n.max(1) as f64).ln()) as usize;
        Cmaes::with_population(start, sigma, lambda, seed)
    }

    /// Starts with `lambda` points per generation (at least 4) instead of the usual 4 + 3 ln n. More points help against
    /// noise.
    pub(crate) fn with_population(start: &[f64], sigma: f64, lambda: usize, seed: Seed) -> Self {
        let n = start.len();
        let dim = n.max(1) as f64;
        let lambda = lambda.max(4);
        // Equations 49 to 51 with positive weights alone.
        let mu = lambda / 2;
        let raw: Vec<f64> =
            (0..mu).map(|i| ((lambda as f64 + 1.0) / 2.0).ln() - (i as f64 + 1.0).ln()).collect();
        let total: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / total).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        // Equations 55 to 58.
        let c_sigma = (mu_eff + 2.0) / (dim + mu_eff + 5.0);
        let d_sigma = 1.0 + 2.0 * (((mu_eff - 1.0) / (dim + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_c = (4.0 + mu_eff / dim) / (dim + 4.0 + 2.0 * mu_eff / dim);
        let c_1 = 2.0 / ((dim + 1.3).powi(2) + mu_eff);
        let rank_mu = 2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / ((dim + 2.0).powi(2) + mu_eff);
        Cmaes {
            rng: seed.named("cmaes").rng(),
            lambda,
            weights,
            mu_eff,
            c_sigma,
            d_sigma,
            c_c,
            c_1,
            c_mu: rank_mu.min(1.0 - c_1),
            chi_n: dim.sqrt() * (1.0 - 1.0 / (4.0 * dim) + 1.0 / (21.0 * dim * dim)),
            mean: DVector::from_row_slice(start),
            sigma,
            covariance: DMatrix::identity(n, n),
            basis: DMatrix::identity(n, n),
            scale: DVector::from_element(n, 1.0),
            path_sigma: DVector::zeros(n),
            path_c: DVector::zeros(n),
            generation: 0,
            steps: Vec::new(),
        }
    }
}

impl Optimiser for Cmaes {
    fn ask(&mut self) -> Vec<Point> {
        let n = self.mean.len();
        // Equations 38 to 40: x = m + sigma B D z.
        self.steps = (0..self.lambda)
            .map(|_| {
                let z = DVector::from_fn(n, |_, _| normal(&mut self.rng));
                &self.basis * z.component_mul(&self.scale)
            })
            .collect();
        // Points outside of the cube are reflected, and the reflected step is kept. Otherwise far steps would look as good
        // as near ones, and the distribution would grow without bound.
        for y in &mut self.steps {
            let inside = (&self.mean + &*y * self.sigma).map(mirror);
            *y = (inside - &self.mean) / self.sigma;
        }
        let point = |y: &DVector<f64>| -> Point {
            (&self.mean + y * self.sigma).iter().map(|x| x.clamp(0.0, 1.0)).collect()
        };
        self.steps.iter().map(point).collect()
    }

    fn tell(&mut self, points: &[Point], worth: &[f64]) {
        let mut order: Vec<usize> =
            (0..self.steps.len().min(points.len()).min(worth.len())).collect();
        order.sort_by(|&a, &b| worth[b].total_cmp(&worth[a]));
        if order.len() < self.weights.len() {
            return;
        }
        self.generation += 1;
        // Equations 41 and 42: the mean moves by the weighted steps of the better half.
        let n = self.mean.len();
        let mut y_w = DVector::zeros(n);
        for (&w, &i) in self.weights.iter().zip(&order) {
            y_w += &self.steps[i] * w;
        }
        self.mean += &y_w * self.sigma;
        // Only rounding can move a mean of points of the cube out of it.
        self.mean.iter_mut().for_each(|x| *x = x.clamp(0.0, 1.0));

        // Equations 43 and 44: the step size follows the length of its path.
        let inverse_root = &self.basis
            * DMatrix::from_diagonal(&self.scale.map(|d| 1.0 / d))
            * self.basis.transpose();
        let c = self.c_sigma;
        self.path_sigma = &self.path_sigma * (1.0 - c)
            + inverse_root * &y_w * (c * (2.0 - c) * self.mu_eff).sqrt();
        let length = self.path_sigma.norm();
        self.sigma *= ((c / self.d_sigma) * (length / self.chi_n - 1.0)).exp();
        // Larger steps than the cube make no sense.
        self.sigma = self.sigma.clamp(1e-12, 1.0);

        // Equations 45 to 47: rank-one and rank-mu updates of the covariance.
        let spread = (1.0 - (1.0 - c).powi(2 * self.generation)).sqrt();
        let dim = n.max(1) as f64;
        let h = f64::from(u8::from(length / spread < (1.4 + 2.0 / (dim + 1.0)) * self.chi_n));
        self.path_c = &self.path_c * (1.0 - self.c_c)
            + &y_w * (h * (self.c_c * (2.0 - self.c_c) * self.mu_eff).sqrt());
        let missing = (1.0 - h) * self.c_c * (2.0 - self.c_c);
        let keep = 1.0 + self.c_1 * missing - self.c_1 - self.c_mu;
        self.covariance *= keep;
        self.covariance += &self.path_c * self.path_c.transpose() * self.c_1;
        for (&w, &i) in self.weights.iter().zip(&order) {
            self.covariance += &self.steps[i] * self.steps[i].transpose() * (self.c_mu * w);
        }
        let eigen = SymmetricEigen::new(self.covariance.clone());
        self.scale = eigen.eigenvalues.map(|value| value.max(1e-20).sqrt());
        self.basis = eigen.eigenvectors;
    }

    fn best(&self) -> Point {
        self.mean.iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{bowl, search};
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_turned_bowl() {
        let best = search(Cmaes::new(&[0.2, 0.9, 0.5], 0.3, Seed(1)), 900, 0.0, bowl);
        // The bowl is least at 0.6 on average over the three: the sum of deviations is 0.
        assert!(bowl(&best) > -1e-9, "{best:?}");
    }

    #[test]
    fn noise_is_averaged_by_the_population() {
        // Noise as large as the bowl is deep at the start.
        let start = [0.2, 0.9, 0.5];
        let search_with =
            |seed| search(Cmaes::with_population(&start, 0.3, 30, Seed(seed)), 3000, 0.5, bowl);
        let mean = (0..5).map(|seed| bowl(&search_with(seed))).sum::<f64>() / 5.0;
        assert!(bowl(&start) < -6.0 && mean > -0.2, "{mean}");
    }

    #[test]
    fn an_optimum_in_a_corner_is_reached() {
        let corner = |p: &[f64]| -p.iter().map(|x| (1.0 - x).powi(2)).sum::<f64>();
        let best = search(Cmaes::new(&[0.3; 4], 0.3, Seed(2)), 1500, 0.0, corner);
        assert!(corner(&best) > -1e-4, "{best:?}");
    }

    #[test]
    fn the_same_answers_lead_to_the_same_questions() {
        let mut a = Cmaes::new(&[0.5; 3], 0.2, Seed(7));
        let mut b = Cmaes::new(&[0.5; 3], 0.2, Seed(7));
        for _ in 0..20 {
            let points = a.ask();
            assert_eq!(points, b.ask());
            let worth: Vec<f64> = points.iter().map(|p| bowl(p)).collect();
            a.tell(&points, &worth);
            b.tell(&points, &worth);
        }
    }
}
