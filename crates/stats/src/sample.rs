//! Count, sum and sum of squares: all that means, variances and t-tests need of a sample.

/// A sample of numbers, as sums.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// How many observations there are.
    pub count: f64,
    /// The sum of the observations.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Sample {
    /// The sample of these observations.
    pub fn of(x: &[f64]) -> Self {
        let mut sample = Sample::default();
        x.iter().for_each(|&v| sample.add(v));
        sample
    }

    /// Adds one observation.
    pub fn add(&mut self, x: f64) {
        self.count += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    /// The mean; 0 for an empty sample.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    /// The unbiased variance; 0 for fewer than two observations.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        ((self.squares - self.count * mean * mean) / (self.count - 1.0).max(1.0)).max(0.0)
    }
}
