//! What a position is worth to the strong player: upper's expected payoff by a logistic model of
//! [`features`], one set of weights for the opening and one for the end, mixed by the throws left.

use ludex_core::Result;
use ludex_core::schema::{Bounds, Kind, Param, Reader, give};
use ludex_core::spec::Arg;
use ludex_games::ropasci::features::{self, COUNT, MEANINGS, NAMES};
use ludex_games::ropasci::{End, State};
use std::sync::LazyLock;

/// The weights of all features, at the start and without throws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Where all throws are left.
    pub opening: [f32; COUNT],
    /// Where none is.
    pub end: [f32; COUNT],
    /// How much the nearness of hunters to their prey counts: upper's where it is positive, lower's where it is negative.
    pub hunt: f32,
}

impl Evaluation {
    /// Upper's expected payoff, 0..=1; that of a finished game is its payoff, a draw being worth
    /// `drawn`.
    pub fn value(&self, state: &State, drawn: f64) -> f64 {
        match state.end() {
            End::Not => {
                let (features, phase) = features::of(state);
                let mut logit = self.logit(&features, phase);
                if self.hunt != 0.0 {
                    logit += self.hunt * features::hunt(state, usize::from(self.hunt < 0.0));
                }
                f64::from(1.0 / (1.0 + (-logit).exp()))
            }
            End::Upper => 1.0,
            End::Lower => 0.0,
            _ => drawn,
        }
    }

    /// The evaluation with throws in the hand worth `factor` times as much.
    pub(crate) fn with_throws(&self, factor: f32) -> Self {
        let mut other = *self;
        other.opening[0] *= factor;
        other.end[0] *= factor;
        other
    }

    /// The weighted sum.
    fn logit(&self, features: &[f32; COUNT], phase: f32) -> f32 {
        let sum = |weights: &[f32; COUNT]| -> f32 {
            features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        };
        phase * sum(&self.opening) + (1.0 - phase) * sum(&self.end)
    }

    /// Reads the weights that are given; the others are as in `self`.
    ///
    /// # Errors
    /// A weight that is no number.
    pub(crate) fn read(mut self, reader: &mut Reader<'_>) -> Result<Self> {
        for i in 0..COUNT {
            for (key, weight) in
                [(NAMES[i], &mut self.opening[i]), (END_NAMES[i], &mut self.end[i])]
            {
                *weight = reader.take(key, weight, &Bounds::default())?;
            }
        }
        Ok(self)
    }

    /// The arguments that make `self` out of `usual`.
    pub(crate) fn given(&self, usual: &Evaluation, args: &mut Vec<Arg>) {
        let bounds = Bounds::default();
        for i in 0..COUNT {
            give(args, NAMES[i], &self.opening[i], &usual.opening[i], &bounds);
            give(args, END_NAMES[i], &self.end[i], &usual.end[i], &bounds);
        }
    }

    /// The weights as parameters: those of the opening, then those of the end.
    pub(crate) fn describe(&self) -> Vec<Param> {
        let weight = |key, value: f32, meaning| Param {
            key,
            kind: Kind::Number(f64::MIN, f64::MAX),
            none: None,
            default: value.to_string(),
            meaning,
        };
        let opening = (0..COUNT).map(|i| {
            weight(NAMES[i], self.opening[i], format!("Weight at the start: {}.", MEANINGS[i]))
        });
        let end = (0..COUNT).map(|i| {
            weight(END_NAMES[i], self.end[i], format!("Weight without throws: {}.", MEANINGS[i]))
        });
        opening.chain(end).collect()
    }
}

/// The keys of the weights of the end: `free_end` for `free`.
static END_NAMES: LazyLock<[&'static str; COUNT]> =
    LazyLock::new(|| NAMES.map(|name| &*format!("{name}_end").leak()));

/// Throws in the hand above tokens on the board, hunters near their prey, and what can never be beaten.
///
/// Chosen by matches against players of several kinds (docs/ropasci.md says what each change gained); a fit to
/// the results of games plays worse, for in them who spends less wins whatever else it does.
pub(crate) const CHOSEN: Evaluation = Evaluation {
    opening: [
        0.6, 0.5, 2.0, 0.0, -1.0, -0.5, -0.12, -0.2, 0.03, -0.08, -0.04, -0.02, 0.03, -0.02, 0.5,
        0.1, 0.1, -0.05, -0.02, 0.0, 0.0, 0.0, 0.0,
    ],
    end: [
        0.9, 0.7, 3.0, -0.3, -1.0, -0.5, -0.15, -0.2, 0.03, -0.1, -0.06, -0.03, 0.05, -0.02, 1.0,
        0.2, 0.1, -0.05, -0.03, 0.0, 0.0, 0.0, 0.0,
    ],
    hunt: 0.0,
};
