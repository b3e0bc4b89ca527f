//! t-SNE: points in the plane whose neighbours are those of the given distances (van der Maaten and Hinton 2008,
//! "Visualizing Data using t-SNE"). Names are the paper's: `p` and `q` are the similarities in the data and on the map,
//! `y` the points, `beta` is 1 / 2 sigma^2.
//!
//! All pairs are looked at, which is fast enough for some thousand games.

use super::Distances;

const EPOCHS: usize = 1000;
/// In these first epochs similar points are pulled together more strongly (section 3.4, "early exaggeration").
const EARLY: usize = 250;
const EXAGGERATION: f64 = 12.0;
/// Momentum in the early epochs and after them.
const MOMENTUM: [f64; 2] = [0.5, 0.8];
/// The smallest step of the gradient descent.
const LEAST_RATE: f64 = 50.0;
/// Adaptive gains (Jacobs 1988): a direction that persists gains, one that changes loses.
const GAIN: f64 = 0.2;
const LOSS: f64 = 0.8;
const LEAST_GAIN: f64 = 0.01;

/// Moves the points `y` to where they fit the distances.
pub(super) fn fit(distances: &Distances, perplexity: f64, y: &mut [[f64; 2]]) {
    let n = y.len();
    let p = joint(distances, n, perplexity);
    let rate = (n as f64 / EXAGGERATION / 4.0).max(LEAST_RATE);
    let mut velocity = vec![[0.0f64; 2]; n];
    let mut gains = vec![[1.0f64; 2]; n];
    let mut pull = vec![[0.0f64; 2]; n];
    let mut push = vec![[0.0f64; 2]; n];
    for epoch in 0..EPOCHS {
        let early = epoch < EARLY;
        let (exaggeration, momentum) =
            if early { (EXAGGERATION, MOMENTUM[0]) } else { (1.0, MOMENTUM[1]) };
        let sum = forces(&p, y, &mut pull, &mut push);
        for i in 0..n {
            for axis in 0..2 {
                // Equation 5 without its factor 4, which the rate holds.
                let slope = exaggeration * pull[i][axis] - push[i][axis] / sum;
                let (gain, step) = (&mut gains[i][axis], &mut velocity[i][axis]);
                let turns = (slope > 0.0) != (*step > 0.0);
                *gain = if turns { *gain + GAIN } else { (*gain * LOSS).max(LEAST_GAIN) };
                *step = momentum * *step - rate * *gain * slope;
                y[i][axis] += *step;
            }
        }
        centre(y);
    }
}

/// The forces of all pairs on each point: towards similar points, and away from all. Returns the sum of the similarities on
/// the map before they are normalised.
fn forces(p: &[f64], y: &[[f64; 2]], pull: &mut [[f64; 2]], push: &mut [[f64; 2]]) -> f64 {
    pull.fill([0.0; 2]);
    push.fill([0.0; 2]);
    let mut sum = 0.0;
    let mut rest = p;
    for i in 0..y.len() {
        let (row, after) = rest.split_at(y.len() - i - 1);
        rest = after;
        let ([x0, y0], mut pulled, mut pushed) = (y[i], pull[i], push[i]);
        let others = y[i + 1..].iter().zip(&mut pull[i + 1..]).zip(&mut push[i + 1..]);
        for ((([x1, y1], pull), push), p) in others.zip(row) {
            let (dx, dy) = (x0 - x1, y0 - y1);
            let q = 1.0 / (1.0 + dx * dx + dy * dy);
            sum += 2.0 * q;
            let (near, far) = (p * q, q * q);
            pulled = [pulled[0] + near * dx, pulled[1] + near * dy];
            *pull = [pull[0] - near * dx, pull[1] - near * dy];
            pushed = [pushed[0] + far * dx, pushed[1] + far * dy];
            *push = [push[0] - far * dx, push[1] - far * dy];
        }
        (pull[i], push[i]) = (pulled, pushed);
    }
    sum
}

/// Puts the middle of all points at the origin.
fn centre(y: &mut [[f64; 2]]) {
    for axis in 0..2 {
        let mean = y.iter().map(|point| point[axis]).sum::<f64>() / y.len() as f64;
        y.iter_mut().for_each(|point| point[axis] -= mean);
    }
}

/// The similarity of each pair `i < j`, row by row; all pairs together have a half.
fn joint(distances: &Distances, n: usize, perplexity: f64) -> Vec<f64> {
    let mut whole = vec![0.0; n * n];
    let mut squares = vec![0.0; n];
    for (i, row) in whole.chunks_exact_mut(n).enumerate() {
        for (j, square) in squares.iter_mut().enumerate() {
            *square = distances.get(i, j).powi(2);
        }
        conditional(&squares, i, perplexity, row);
    }
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    pairs.map(|(i, j)| (whole[i * n + j] + whole[j * n + i]) / (2 * n) as f64).collect()
}

/// The similarities of the others to `i`, with a bandwidth that gives the perplexity (section 2).
fn conditional(squares: &[f64], i: usize, perplexity: f64, row: &mut [f64]) {
    let wanted = perplexity.ln();
    let (mut beta, mut low, mut high) = (1.0, 0.0, f64::INFINITY);
    // The nearest neighbour's distance is taken off all: a factor that the normalising removes, and no row is all zeros.
    let others = squares.iter().enumerate().filter(|&(j, _)| j != i);
    let nearest = others.map(|(_, &square)| square).fold(f64::INFINITY, f64::min);
    for _ in 0..200 {
        let (mut sum, mut weighted) = (0.0, 0.0);
        for (j, (p, &square)) in row.iter_mut().zip(squares).enumerate() {
            *p = if j == i { 0.0 } else { (-beta * (square - nearest)).exp() };
            sum += *p;
            weighted += *p * (square - nearest);
        }
        row.iter_mut().for_each(|p| *p /= sum);
        let entropy = sum.ln() + beta * weighted / sum;
        if (entropy - wanted).abs() < 1e-5 {
            break;
        }
        if entropy > wanted {
            low = beta;
            beta = if high.is_finite() { (beta + high) / 2.0 } else { beta * 2.0 };
        } else {
            high = beta;
            beta = (beta + low) / 2.0;
        }
        if !beta.is_finite() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bandwidth_gives_the_perplexity() {
        let squares: Vec<f64> = (0..50).map(|j| f64::from(j * j) / 100.0).collect();
        let mut row = vec![0.0; 50];
        for perplexity in [3.0f64, 10.0, 30.0] {
            conditional(&squares, 7, perplexity, &mut row);
            let entropy: f64 = row.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum();
            assert!((entropy.exp() - perplexity).abs() < 1e-2, "{}", entropy.exp());
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12 && row[7] == 0.0);
        }
    }

    #[test]
    fn the_forces_are_the_gradient_of_the_divergence() {
        let y = [[0.3, -0.2], [1.1, 0.4], [-0.7, 0.9]];
        let p = [0.2, 0.1, 0.2];
        // Kullback and Leibler's divergence between the similarities (equation 2).
        let cost = |y: &[[f64; 2]]| {
            let pairs = [(0, 1), (0, 2), (1, 2)];
            let near = |(i, j): (usize, usize)| {
                1.0 / (1.0 + (y[i][0] - y[j][0]).powi(2) + (y[i][1] - y[j][1]).powi(2))
            };
            let sum: f64 = pairs.iter().map(|&pair| 2.0 * near(pair)).sum();
            let each =
                pairs.iter().zip(p).map(|(&pair, p)| 2.0 * p * (p / (near(pair) / sum)).ln());
            each.sum::<f64>()
        };
        let (mut pull, mut push) = ([[0.0; 2]; 3], [[0.0; 2]; 3]);
        let sum = forces(&p, &y, &mut pull, &mut push);
        for i in 0..3 {
            for axis in 0..2 {
                let mut moved = y;
                moved[i][axis] += 1e-6;
                let slope = (cost(&moved) - cost(&y)) / 1e-6;
                let ours = 4.0 * (pull[i][axis] - push[i][axis] / sum);
                assert!((slope - ours).abs() < 1e-4, "{slope} {ours}");
            }
        }
    }
}
