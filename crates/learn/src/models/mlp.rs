//! A network with one hidden layer of rectified linear units, trained by Adam (Kingma and Ba 2015) on small batches, for
//! win rates (squared errors) or classes (cross-entropy).

use ludex_core::Seed;
use ludex_model::scaling::Scaling;
use ludex_model::{Fitted, Matrix};

/// The parameters of a network. Rates and stop rules are the defaults of scikit-learn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mlp {
    pub(crate) hidden: usize,
    pub(crate) epochs: usize,
    pub(crate) classes: bool,
    /// Are inputs scaled?
    pub(crate) scale: bool,
}

const BATCH: usize = 200;
const RATE: f32 = 1e-3;
const DECAY: f32 = 1e-4;
/// Training ends when the loss has not fallen by `PROGRESS` in `PATIENCE` epochs.
const PROGRESS: f64 = 1e-4;
const PATIENCE: u32 = 10;

/// Weights with their gradient and the two moments of Adam.
struct Weights {
    value: Vec<f32>,
    slope: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    decay: f32,
}

impl Weights {
    fn new(rows: usize, columns: usize, fan: f32, decay: f32, seed: Seed) -> Self {
        let n = rows * columns;
        let mut rng = seed.rng();
        let value = (0..n).map(|_| fan * (2.0 * rng.unit() - 1.0) as f32).collect();
        Weights { value, slope: vec![0.0; n], first: vec![0.0; n], second: vec![0.0; n], decay }
    }

    fn step(&mut self, rows: f32, rate: f32) {
        let (first, second) = (&mut self.first, &mut self.second);
        for (((value, slope), m), v) in
            self.value.iter_mut().zip(&mut self.slope).zip(first).zip(second)
        {
            let g = (*slope + self.decay * *value) / rows;
            *m = 0.9 * *m + 0.1 * g;
            *v = 0.999 * *v + 0.001 * g * g;
            *value -= rate * *m / (v.sqrt() + 1e-8);
            *slope = 0.0;
        }
    }
}

impl Mlp {
    pub(crate) fn fit(&self, x: &Matrix, y: &Matrix, seed: Seed) -> Fitted {
        let mut scaling = match self.scale {
            true => Scaling::fit(x, true, Some(5.0)),
            false => Scaling::none(),
        };
        scaling.factor = 1.0;
        let scaled = scaling.apply_all(x);
        // The targets of a regression are centred and divided by the largest standard deviation.
        let means = y.means();
        let size = y.deviations().into_iter().fold(1e-9, f64::max);
        let (inputs, outputs, hidden) = (x.columns(), y.columns(), self.hidden.max(1));
        let sparse: Vec<Vec<(u32, f32)>> = scaled
            .iter()
            .map(|row| {
                let some = row.iter().enumerate().filter(|(_, v)| **v != 0.0);
                some.map(|(j, v)| (j as u32, *v as f32)).collect()
            })
            .collect();
        let fan = |a: usize, b: usize| (6.0 / (a + b) as f32).sqrt();
        let (f1, f2) = (fan(inputs, hidden), fan(hidden, outputs));
        let mut w1 = Weights::new(inputs, hidden, f1, DECAY, seed.named("w1"));
        let mut b1 = Weights::new(1, hidden, f1, 0.0, seed.named("b1"));
        let mut w2 = Weights::new(hidden, outputs, f2, DECAY, seed.named("w2"));
        let mut b2 = Weights::new(1, outputs, f2, 0.0, seed.named("b2"));
        let mut rng = seed.named("order").rng();
        let mut order: Vec<usize> = (0..x.rows()).collect();
        let (mut best, mut idle, mut steps) = (f64::INFINITY, 0, 0i32);
        let (mut units, mut out, mut back) =
            (vec![0.0f32; hidden], vec![0.0f32; outputs], vec![0.0f32; hidden]);
        for _ in 0..self.epochs {
            rng.shuffle(&mut order);
            let mut loss = 0.0f64;
            for batch in order.chunks(BATCH) {
                for &row in batch {
                    units.copy_from_slice(&b1.value);
                    for &(j, v) in &sparse[row] {
                        let weights = &w1.value[j as usize * hidden..][..hidden];
                        units.iter_mut().zip(weights).for_each(|(u, w)| *u += v * w);
                    }
                    units.iter_mut().for_each(|u| *u = u.max(0.0));
                    out.copy_from_slice(&b2.value);
                    for (u, weights) in units.iter().zip(w2.value.chunks_exact(outputs)) {
                        out.iter_mut().zip(weights).for_each(|(o, w)| *o += u * w);
                    }
                    loss += self.errors(&mut out, y.row(row), &means, size);
                    for (((u, back), weights), slopes) in units
                        .iter()
                        .zip(&mut back)
                        .zip(w2.value.chunks_exact(outputs))
                        .zip(w2.slope.chunks_exact_mut(outputs))
                    {
                        *back = 0.0;
                        if *u > 0.0 {
                            for ((e, w), slope) in out.iter().zip(weights).zip(slopes) {
                                *slope += u * e;
                                *back += e * w;
                            }
                        }
                    }
                    b2.slope.iter_mut().zip(&out).for_each(|(s, e)| *s += e);
                    b1.slope.iter_mut().zip(&back).for_each(|(s, e)| *s += e);
                    for &(j, v) in &sparse[row] {
                        let slopes = &mut w1.slope[j as usize * hidden..][..hidden];
                        slopes.iter_mut().zip(&back).for_each(|(s, e)| *s += v * e);
                    }
                }
                steps += 1;
                let rate = RATE * (1.0 - 0.999f32.powi(steps)).sqrt() / (1.0 - 0.9f32.powi(steps));
                for weights in [&mut w1, &mut b1, &mut w2, &mut b2] {
                    weights.step(batch.len() as f32, rate);
                }
            }
            let loss = loss / x.rows().max(1) as f64;
            idle = if loss > best - PROGRESS { idle + 1 } else { 0 };
            best = best.min(loss);
            if idle > PATIENCE {
                break;
            }
        }
        let matrix = |columns: usize, values: &[f32], scale: f64| {
            let wide = |row: &[f32]| row.iter().map(|v| f64::from(*v) * scale).collect::<Vec<_>>();
            Matrix::from_rows(columns, values.chunks_exact(columns).map(wide))
        };
        let (scale, shift) = if self.classes { (1.0, vec![0.0; outputs]) } else { (size, means) };
        Fitted::Mlp {
            scaling,
            hidden: matrix(hidden, &w1.value, 1.0),
            hidden_bias: b1.value.iter().map(|v| f64::from(*v)).collect(),
            output: matrix(outputs, &w2.value, scale),
            output_bias: b2
                .value
                .iter()
                .zip(shift)
                .map(|(b, s)| f64::from(*b) * scale + s)
                .collect(),
        }
    }

    /// Replaces the outputs by their errors, and returns the loss.
    fn errors(&self, out: &mut [f32], y: &[f64], means: &[f64], size: f64) -> f64 {
        let mut loss = 0.0;
        if self.classes {
            let most = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            out.iter_mut().for_each(|o| *o = (*o - most).exp());
            let sum: f32 = out.iter().sum();
            for (o, y) in out.iter_mut().zip(y) {
                *o /= sum;
                loss -= y * f64::from(o.max(1e-10)).ln();
                *o -= *y as f32;
            }
        } else {
            for ((o, y), mean) in out.iter_mut().zip(y).zip(means) {
                *o -= ((y - mean) / size) as f32;
                loss += 0.5 * f64::from(*o * *o);
            }
        }
        loss
    }
}
