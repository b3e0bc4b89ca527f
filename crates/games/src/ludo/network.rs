//! A fast version of the paper's network. Weights have 32 bits and rows as wide as registers. The sixteen
//! tokens of a position are summed once; for each successor only the changed tokens are summed again.

use super::Frame;
use super::values::{HIDDEN, INPUTS, Kind, SLOTS};

/// The number of hidden neurons, rounded up to whole registers.
const WIDTH: usize = HIDDEN.next_multiple_of(8);

/// A chromosome of the *full* player, ready to play.
#[derive(Debug, Clone)]
pub struct Network {
    /// The first layer by input, already scaled, then the weights of the output.
    rows: Vec<[f32; WIDTH]>,
}

/// The sums of the first layer for one position.
#[derive(Debug, Clone, Copy)]
pub struct Sums([f32; WIDTH]);

/// The input of a token of the player `p` seats on.
#[inline]
fn input(p: usize, n: i8) -> usize {
    p * SLOTS + ((i32::from(n) + 1).clamp(0, SLOTS as i32 - 1)) as usize
}

impl Network {
    /// The network of these genes; `None` where their number is wrong.
    pub fn new(genes: &[f64]) -> Option<Self> {
        if genes.len() != Kind::Full.genes() {
            return None;
        }
        let scale = (1.0 / INPUTS as f64).sqrt();
        let row = |genes: &[f64], scale: f64| {
            let mut row = [0.0; WIDTH];
            row.iter_mut().zip(genes).for_each(|(w, gene)| *w = (gene * scale) as f32);
            row
        };
        let (first, output) = genes.split_at(INPUTS * HIDDEN);
        let mut rows: Vec<_> = first.chunks(HIDDEN).map(|genes| row(genes, scale)).collect();
        rows.push(row(output, 1.0));
        Some(Network { rows })
    }

    /// The sums of a position.
    pub fn sums(&self, frame: &Frame) -> Sums {
        let mut sums = self.rows[INPUTS - 1];
        for (p, row) in frame.iter().enumerate() {
            for &n in row {
                let weights = &self.rows[input(p, n)];
                sums.iter_mut().zip(weights).for_each(|(s, w)| *s += w);
            }
        }
        Sums(sums)
    }

    /// The value of the position `after` a move in `before`, whose sums are known.
    pub fn value(&self, sums: &Sums, before: &Frame, after: &Frame) -> f32 {
        let mut sums = sums.0;
        for p in 0..4 {
            if before[p] == after[p] {
                continue;
            }
            for (&old, &new) in before[p].iter().zip(&after[p]) {
                if old != new {
                    let (gone, come) = (&self.rows[input(p, old)], &self.rows[input(p, new)]);
                    for i in 0..WIDTH {
                        sums[i] += come[i] - gone[i];
                    }
                }
            }
        }
        let output = &self.rows[INPUTS];
        let mut parts = [0.0f32; 8];
        for (s, w) in sums.chunks_exact(8).zip(output.chunks_exact(8)) {
            for i in 0..8 {
                parts[i] += tanh(s[i]) * w[i];
            }
        }
        parts.iter().sum()
    }
}

/// The hyperbolic tangent by a quotient of polynomials (the continued fraction cut after seven
/// terms), right to 2e-6 up to 4.97, where it reaches one; without branches, so that eight go at
/// once.
#[inline]
fn tanh(x: f32) -> f32 {
    let x = x.clamp(-4.97, 4.97);
    let y = x * x;
    let over = x * (135_135.0 + y * (17_325.0 + y * (378.0 + y)));
    let under = 135_135.0 + y * (62_370.0 + y * (3_150.0 + y * 28.0));
    over / under
}

/// The sums and values of what each token's move leads to; ties go to the first.
pub fn best(network: &Network, before: &Frame, next: &[Option<Frame>; 4]) -> Option<usize> {
    let sums = network.sums(before);
    let mut best: Option<(f32, usize)> = None;
    for (token, after) in next.iter().enumerate() {
        let Some(after) = after else { continue };
        let value = network.value(&sums, before, after);
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, token));
        }
    }
    best.map(|(_, token)| token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ludo;
    use crate::ludo::Stars;
    use ludex_core::{Game, Seed, Turn};

    #[test]
    fn the_tangent_is_right_to_two_millionths_where_it_bends() {
        for i in -4000..=4000 {
            let x = f64::from(i) / 500.0;
            let off = (f64::from(tanh(x as f32)) - x.tanh()).abs();
            assert!(off < if x.abs() < 3.0 { 2e-6 } else { 1e-4 }, "{x}: {off}");
        }
    }

    #[test]
    fn it_values_positions_as_the_paper_does() {
        let game = Ludo::new(&"ludo".parse().unwrap()).unwrap();
        let mut rng = Seed(3).rng();
        let genes: Vec<f64> = (0..Kind::Full.genes()).map(|_| 2.0 * rng.unit() - 1.0).collect();
        let network = Network::new(&genes).unwrap();
        let mut state = game.start();
        let mut pads = Vec::new();
        let mut compared = 0;
        while compared < 2000 {
            let mv = match game.turn(&state) {
                Turn::Over => {
                    state = game.start();
                    continue;
                }
                Turn::One(player) => {
                    let before = state.frame();
                    let sums = network.sums(&before);
                    for after in game.successors(&state).iter().flatten() {
                        let exact = Kind::Full.value(&genes, &before, after, Stars::Paper);
                        let fast = f64::from(network.value(&sums, &before, after));
                        assert!((exact - fast).abs() < 1e-4, "{exact} {fast}");
                        compared += 1;
                    }
                    game.sample(&state, player, &mut rng, &mut pads)
                }
                _ => game.sample_chance(&state, &mut rng),
            };
            game.apply(&mut state, &[mv]);
        }
    }
}
