//! The histories of an information set as a tree of prefixes, for samples that are aimed at the set.

use super::bag::Bag;
use super::enumerate::{enumerate, step_footprint};
use super::observations::Observations;
use ludex_core::{Game, Move, Rng};
use rustc_hash::FxHashMap;

/// The joint moves that lead on from a prefix: each with the footprint of the longer prefix and its share of the samples.
type Children = Vec<(Vec<Move>, u64, f64)>;

/// An information set, or a sample of it, to aim at. A history is drawn with a probability in proportion to its weight.
#[derive(Debug, Default)]
pub struct Target {
    depth: usize,
    children: FxHashMap<u64, Children>,
    shares: FxHashMap<u64, f64>,
}

impl Target {
    /// A target of histories with their weights. All histories have the same length.
    pub fn new<'a>(histories: impl IntoIterator<Item = (Vec<&'a [Move]>, f64)>) -> Self {
        let mut target = Target::default();
        let mut total = 0.0;
        for (steps, weight) in histories {
            total += weight;
            target.depth = steps.len();
            target.add(&steps, weight);
        }
        let total = if total > 0.0 { total } else { 1.0 };
        target.shares.values_mut().for_each(|share| *share /= total);
        let children = target.children.values_mut().flatten();
        children.for_each(|(_, _, share)| *share /= total);
        target
    }

    fn add(&mut self, steps: &[&[Move]], weight: f64) {
        let mut at = 0;
        *self.shares.entry(at).or_default() += weight;
        for joint in steps {
            let next = step_footprint(at, joint);
            *self.shares.entry(next).or_default() += weight;
            let children = self.children.entry(at).or_default();
            match children.iter_mut().find(|(_, known, _)| *known == next) {
                Some((_, _, share)) => *share += weight,
                None => children.push((joint.to_vec(), next, weight)),
            }
            at = next;
        }
    }

    /// The information set of an observation history: in full where it has at most `most` histories, else the histories of a
    /// bag of models. `None` where neither finds one in time.
    pub fn of<G: Game>(
        game: &G,
        origin: &G::State,
        observed: &Observations,
        most: u64,
        bag: &Bag<G>,
    ) -> Option<Self> {
        let mut listed: Vec<(Vec<Vec<Move>>, f64)> = Vec::new();
        let whole = enumerate(game, origin, observed, most, |history| {
            listed.push((history.steps.to_vec(), history.ln_chance));
        });
        if whole.is_err() {
            let (worlds, ..) = bag.histories(false);
            listed = worlds
                .iter()
                .map(|world| {
                    (world.steps().map(|(_, joint, _)| joint.to_vec()).collect(), world.ln_chance())
                })
                .collect();
        }
        // Logarithms of probabilities may be far below zero.
        let most = listed.iter().map(|(_, ln)| *ln).fold(f64::NEG_INFINITY, f64::max);
        let weighted = listed
            .iter()
            .map(|(steps, ln)| (steps.iter().map(Vec::as_slice).collect(), (ln - most).exp()));
        (!listed.is_empty()).then(|| Target::new(weighted))
    }

    /// The number of steps of its histories.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The share of aimed samples that pass through a prefix.
    pub(crate) fn share(&self, prefix: u64) -> f64 {
        self.shares.get(&prefix).copied().unwrap_or(0.0)
    }

    /// The share of aimed samples that pass through a prefix and in which the first movers of the next step choose `moves`.
    pub(crate) fn share_of(&self, prefix: u64, moves: &[Move]) -> f64 {
        let children = self.children.get(&prefix).into_iter().flatten();
        children.filter(|(joint, ..)| joint.starts_with(moves)).map(|(_, _, share)| share).sum()
    }

    /// Draws the next joint move after a prefix.
    pub(crate) fn draw(&self, prefix: u64, rng: &mut Rng) -> Option<&[Move]> {
        let children = self.children.get(&prefix)?;
        let mut left = rng.unit() * self.share(prefix);
        let chosen = children.iter().find(|(_, _, share)| {
            left -= share;
            left < 0.0
        });
        chosen.or(children.last()).map(|(joint, ..)| joint.as_slice())
    }
}
