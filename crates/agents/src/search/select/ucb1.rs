//! UCB1, the selection rule of UCT.

use super::Select;
use crate::search::tree::{Block, Family, Id, LANES, Tree};

/// Chooses the child with the largest `mean + c * sqrt(ln N / n)`, where the parent was tried
/// `N` times and the child `n` times (Auer, Cesa-Bianchi, Fischer 2002, Fig. 1, with `c` for the
/// square root of 2).
///
/// A child keeps `1 / sqrt(n)` ([`Block::urge`]); the parent's part, `c * sqrt(ln N)`, comes from
/// a table, by the parent's own `1 / sqrt(N)`.
#[derive(Debug, Clone)]
pub struct Ucb1 {
    /// `c * sqrt(ln N)` by the leading eight bits of `1 / sqrt(N)`, from `N` = 1 on.
    scale: Box<[f32]>,
}

/// The bits of a float below its first seven after the binary point.
const DROPPED: u32 = 16;
/// The place of 1.0, from which the table counts down.
const ONE: u32 = 1f32.to_bits() >> DROPPED;
/// The place of 2^-16, where `N` is 2^32.
const LAST: u32 = (1.0 / 65536f32).to_bits() >> DROPPED;

impl Ucb1 {
    /// With the exploration constant `c`.
    pub fn new(c: f32) -> Self {
        let scale = (LAST..=ONE).rev().map(|bits| {
            let urge = f64::from(f32::from_bits(bits << DROPPED));
            c * (-2.0 * urge.ln()).max(0.0).sqrt() as f32
        });
        Ucb1 { scale: scale.collect() }
    }

    /// `c * sqrt(ln N)` where `urge` is `1 / sqrt(N)`.
    #[inline]
    pub fn scale(&self, urge: f32) -> f32 {
        let at = ONE.saturating_sub(urge.to_bits() >> DROPPED) as usize;
        self.scale[at.min(self.scale.len() - 1)]
    }

    /// The index of the best child in a run of blocks, to within a millionth of a score.
    ///
    /// Scores of children are not negative, so their bits are ordered as they are; with the lane
    /// in the lowest three of them, one integer maximum over a block finds the child without a
    /// branch to mispredict. Written so that it compiles to vector instructions.
    #[inline(always)]
    pub fn best(run: &[Block], scale: f32) -> usize {
        let mut top = i32::MIN;
        let mut best = 0;
        for (i, block) in run.iter().enumerate() {
            let mut keys = [0i32; LANES];
            let stats = block.mean.iter().zip(&block.urge);
            for ((key, (mean, urge)), lane) in keys.iter_mut().zip(stats).zip(0..) {
                let score = mean + scale * urge;
                *key = (score.to_bits() as i32 & !7) | (7 - lane);
            }
            let key = keys.iter().fold(i32::MIN, |top, &key| top.max(key));
            if key | 7 > top | 7 {
                top = key;
                best = i * LANES + (7 - key as usize % LANES);
            }
        }
        best
    }
}

impl Select for Ucb1 {
    const KEYED: bool = false;

    #[inline(always)]
    fn best(&mut self, tree: &Tree, id: Id, family: Family) -> Id {
        tree.best(family.first(), family.count(), self.scale(tree.urge(id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_formula() {
        let ucb = Ucb1::new(1.5);
        for n in (2..2000).chain((0..1000).map(|i| 2000u32 + i * 4_294_000)) {
            let exact = 1.5 * f64::from(n).ln().sqrt();
            let scale = f64::from(ucb.scale(1.0 / (n as f32).sqrt()));
            assert!((scale - exact).abs() < 0.012 * exact, "{n}: {scale}, not {exact}");
        }
        assert_eq!(ucb.scale(1.0), 0.0);
    }

    #[test]
    fn the_best_child_is_found_in_any_lane_of_any_block() {
        let mut rng = ludex_core::Seed(9).rng();
        for _ in 0..2000 {
            let count = 1 + rng.index(30);
            let mut run = vec![Block::EMPTY; count.div_ceil(LANES)];
            let mut scores = Vec::new();
            for i in 0..count {
                let (mean, urge) = (rng.unit() as f32, rng.unit() as f32);
                run[i / LANES].mean[i % LANES] = mean;
                run[i / LANES].urge[i % LANES] = urge;
                scores.push(mean + 0.8 * urge);
            }
            let best = Ucb1::best(&run, 0.8);
            let top = scores.iter().copied().fold(f32::MIN, f32::max);
            assert!(best < count && scores[best] > top - 2e-6, "{best}: {scores:?}");
        }
    }

    #[test]
    fn of_equals_the_first_is_best() {
        let mut run = [Block::EMPTY; 2];
        run[0].mean[3..].fill(f32::INFINITY);
        run[1].mean.fill(f32::INFINITY);
        run[0].mean[1] = 0.7;
        assert_eq!(Ucb1::best(&run, 0.8), 3);
    }
}
