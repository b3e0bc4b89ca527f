//! The weights of the report's heuristic.

use ludex_core::{Error, Move, Player, Result, Spec};
use ludex_games::Ropasci360;
use ludex_games::ropasci::{State, terms};

/// One weight a term of [`terms::NAMES`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights(pub [f64; 4]);

impl Default for Weights {
    fn default() -> Self {
        Weights(terms::REPORT)
    }
}

impl Weights {
    pub(crate) const KEYS: [&'static str; 4] = terms::NAMES;

    pub(crate) fn read(spec: &Spec) -> Result<Self> {
        let mut weights = Weights::default();
        for (key, weight) in Self::KEYS.iter().zip(&mut weights.0) {
            *weight = spec.param(key, None, *weight)?;
            if !weight.is_finite() {
                let reason = format!("`{key}` must be a number");
                return Err(Error::BadParameter { name: spec.name.clone(), reason });
            }
        }
        Ok(weights)
    }

    /// Writes what differs from what is usual.
    pub(crate) fn write(&self, given: &mut Vec<String>, usual: Weights) {
        for ((key, weight), usual) in Self::KEYS.iter().zip(self.0).zip(usual.0) {
            if weight != usual {
                given.push(format!("{key}={weight}"));
            }
        }
    }

    /// The value of a position for `player`.
    pub(crate) fn value(&self, state: &State, player: Player) -> f64 {
        terms::value(state, player, &self.0)
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
