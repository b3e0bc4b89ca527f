//! The weights of the report's heuristic.

use ludex_core::{Move, Player};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;
use ludex_games::ropasci::terms::{self, Way};

/// One weight a term of [`terms::NAMES`], and how distances count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// The weights.
    pub values: [f64; 4],
    /// Logarithms of distances, as the report's program has them, or distances, as its text.
    pub way: Way,
}

impl Default for Weights {
    fn default() -> Self {
        Weights::new(terms::REPORT)
    }
}

impl Weights {
    /// Weights on the terms as the report's program has them.
    pub const fn new(values: [f64; 4]) -> Self {
        Weights { values, way: Way::Log }
    }

    /// The value of a position for `player`.
    pub(crate) fn value(&self, state: &State, player: Player) -> f64 {
        terms::value(state, player, &self.values, self.way)
    }

    /// Each move with the value of the position after it alone.
    pub(crate) fn alone(
        &self,
        game: &Ropasci360,
        state: &State,
        player: Player,
        legal: &[Move],
    ) -> Vec<(Move, f64)> {
        let mut next = state.clone();
        legal
            .iter()
            .map(|&mv| {
                game.alone(state, player, mv, &mut next);
                (mv, self.value(&next, player))
            })
            .collect()
    }

    /// The `k` best moves by that value; equals in the order of the list.
    pub(crate) fn best(
        &self,
        game: &Ropasci360,
        state: &State,
        player: Player,
        legal: &[Move],
        k: usize,
    ) -> Vec<Move> {
        let mut judged = self.alone(game, state, player, legal);
        judged.sort_by(|a, b| b.1.total_cmp(&a.1));
        judged.into_iter().take(k).map(|(mv, _)| mv).collect()
    }
}
