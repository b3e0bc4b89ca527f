//! UCB1, the selection rule of UCT.

use crate::tree::Stat;

/// Chooses the child with the largest `mean + c * sqrt(ln N / n)`, where the parent was tried
/// `N` times and the child `n` times (Auer, Cesa-Bianchi, Fischer 2002, Fig. 1, with `c` for the
/// square root of 2).
///
/// A child keeps `1 / sqrt(n)` ([`Stat::urge`]), the parent's part `c * sqrt(ln N)` comes from a
/// table, so a child costs one multiplication and one comparison.
#[derive(Debug, Clone)]
pub struct Ucb1 {
    /// `c * sqrt(ln N)` by the leading seven bits of `N`: exact to 127, then to within half a
    /// percent of `ln N`.
    scale: Box<[f32]>,
}

/// The bits of a float below its first six after the binary point.
const DROPPED: u32 = 17;
/// Where 1.0 stands in the table.
const ONE: u32 = 1f32.to_bits() >> DROPPED;

impl Ucb1 {
    /// With the exploration constant `c`.
    pub fn new(c: f32) -> Self {
        let last = (u32::MAX as f32).to_bits() >> DROPPED;
        let scale = (ONE..=last).map(|bits| {
            let n = f32::from_bits(bits << DROPPED);
            c * f64::from(n).ln().sqrt() as f32
        });
        Ucb1 { scale: scale.collect() }
    }

    /// `c * sqrt(ln n)`.
    #[inline]
    pub fn scale(&self, n: u32) -> f32 {
        let at = ((n.max(1) as f32).to_bits() >> DROPPED) - ONE;
        self.scale.get(at as usize).copied().unwrap_or(0.0)
    }

    /// The index of the best child; the first where several are.
    #[inline]
    pub fn best(children: &[Stat], scale: f32) -> usize {
        let mut best = 0;
        let mut top = f32::NEG_INFINITY;
        for (i, child) in children.iter().enumerate() {
            let score = child.mean + scale * child.urge;
            if score > top {
                (top, best) = (score, i);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_formula() {
        let ucb = Ucb1::new(1.5);
        for n in (1..2000).chain((0..1000).map(|i| 2000 + i * 4_294_000)) {
            let exact = 1.5 * f64::from(n).ln().sqrt();
            let error = (f64::from(ucb.scale(n)) - exact).abs();
            assert!(error <= if n < 128 { 1e-6 } else { 0.003 * exact }, "{n}: {error}");
        }
    }
}
