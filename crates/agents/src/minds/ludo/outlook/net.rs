//! The network behind the learned value: one layer of rectified units over the [`Features`], and
//! four outputs, the probabilities of the players to win, in the order of turns.

use super::features::{DENSE, Features, TOKENS};

/// Hidden units.
pub const HIDDEN: usize = 64;
/// Rows of the first layer: tokens, values, and the constant one.
const ROWS: usize = TOKENS + DENSE + 1;
/// Weights in all.
pub const WEIGHTS: usize = ROWS * HIDDEN + 4 * HIDDEN + 4;
const OUTPUT: usize = ROWS * HIDDEN;
const BIAS: usize = OUTPUT + 4 * HIDDEN;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"LUDEXV1\n";

/// The hidden units of one position.
pub type Hidden = [f32; HIDDEN];

/// The network.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// All weights: first layer by input, then those of the four outputs, then their constants.
    pub weights: Vec<f32>,
}

impl Net {
    /// A network by its weights; `None` where there are too few or too many.
    pub fn new(weights: Vec<f32>) -> Option<Self> {
        (weights.len() == WEIGHTS).then_some(Net { weights })
    }

    /// All weights zero: every player has the same chance in every position.
    pub fn blank() -> Self {
        Net { weights: vec![0.0; WEIGHTS] }
    }

    #[inline]
    fn row(&self, row: usize) -> &[f32; HIDDEN] {
        row_of(&self.weights, row)
    }

    /// The hidden units.
    #[inline]
    pub fn hidden(&self, features: &Features) -> Hidden {
        let mut hidden = *self.row(TOKENS + DENSE);
        for &token in &features.tokens {
            let row = self.row(usize::from(token));
            for (h, w) in hidden.iter_mut().zip(row) {
                *h += w;
            }
        }
        for (i, &value) in features.dense.iter().enumerate() {
            if value == 0.0 {
                continue;
            }
            let row = self.row(TOKENS + i);
            for (h, w) in hidden.iter_mut().zip(row) {
                *h += value * w;
            }
        }
        for h in &mut hidden {
            *h = h.max(0.0);
        }
        hidden
    }

    /// The probabilities to win, by the hidden units.
    #[inline]
    pub fn output(&self, hidden: &Hidden) -> [f32; 4] {
        let mut logits = [0.0f32; 4];
        for (k, logit) in logits.iter_mut().enumerate() {
            let at = OUTPUT + k * HIDDEN;
            let weights = &self.weights[at..at + HIDDEN];
            // Eight sums at once, so that the additions can go on side by side.
            let mut sums = [0.0f32; 8];
            for (h, w) in hidden.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for i in 0..8 {
                    sums[i] += h[i] * w[i];
                }
            }
            *logit = sums.iter().sum::<f32>() + self.weights[BIAS + k];
        }
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shares = logits.map(|logit| (logit - most).exp());
        let sum: f32 = shares.iter().sum();
        shares.map(|share| share / sum)
    }

    /// The probabilities to win: of the player who has just moved, of the next, and so on.
    #[inline]
    pub fn judge(&self, features: &Features) -> [f32; 4] {
        self.output(&self.hidden(features))
    }

    /// Adds the gradient of the cross entropy between what the network says and `target`.
    pub fn gradient(&self, features: &Features, target: &[f32; 4], gradient: &mut [f32]) {
        let hidden = self.hidden(features);
        let says = self.output(&hidden);
        let mut back = [0.0f32; HIDDEN];
        for k in 0..4 {
            let error = says[k] - target[k];
            let at = OUTPUT + k * HIDDEN;
            let weights = &self.weights[at..at + HIDDEN];
            let slope = &mut gradient[at..at + HIDDEN];
            for i in 0..HIDDEN {
                slope[i] += error * hidden[i];
                back[i] += error * weights[i];
            }
            gradient[BIAS + k] += error;
        }
        for (b, h) in back.iter_mut().zip(&hidden) {
            if *h <= 0.0 {
                *b = 0.0;
            }
        }
        let mut add = |row: usize, by: f32| {
            let slope = &mut gradient[row * HIDDEN..(row + 1) * HIDDEN];
            for (s, b) in slope.iter_mut().zip(&back) {
                *s += by * b;
            }
        };
        for &token in &features.tokens {
            add(usize::from(token), 1.0);
        }
        for (i, &value) in features.dense.iter().enumerate() {
            if value != 0.0 {
                add(TOKENS + i, value);
            }
        }
        add(TOKENS + DENSE, 1.0);
    }

    /// The net as a compact file: 16 bits a weight, with a scale a row.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for row in self.weights.chunks(HIDDEN) {
            let most = row.iter().fold(0.0f32, |most, w| most.max(w.abs()));
            let scale = if most > 0.0 { most / 32767.0 } else { 1.0 };
            bytes.extend(scale.to_le_bytes());
            let numbers = row.iter().map(|w| (w / scale).round() as i16);
            bytes.extend(numbers.flat_map(i16::to_le_bytes));
        }
        bytes
    }

    /// Reads a file of weights; `None` if the bytes are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut weights = Vec::with_capacity(WEIGHTS);
        while !rest.is_empty() {
            let (scale, tail) = rest.split_first_chunk::<4>()?;
            let scale = f32::from_le_bytes(*scale);
            let size = HIDDEN.min(WEIGHTS.checked_sub(weights.len())?);
            let row = tail.get(..2 * size)?;
            weights.extend(
                row.chunks_exact(2).map(|c| f32::from(i16::from_le_bytes([c[0], c[1]])) * scale),
            );
            rest = &tail[2 * size..];
        }
        weights.iter().all(|w| w.is_finite()).then_some(())?;
        Net::new(weights)
    }
}

#[inline]
fn row_of(weights: &[f32], row: usize) -> &[f32; HIDDEN] {
    let at = row * HIDDEN;
    match weights[at..at + HIDDEN].first_chunk() {
        Some(row) => row,
        None => &[0.0; HIDDEN],
    }
}
