//! What a position is worth to the strong player: upper's expected payoff by a logistic model of
//! [`features`], one set of weights for the opening and one for the end, mixed by the throws left.

use crate::catalog::Param;
use ludex_core::{Error, Result, Spec};
use ludex_games::ropasci::features::{self, COUNT, MEANINGS, NAMES};
use ludex_games::ropasci::{End, State};

/// The weights of all features, at the start and without throws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Where all throws are left.
    pub opening: [f32; COUNT],
    /// Where none is.
    pub end: [f32; COUNT],
}

/// What each weight of the end is called: `free_end` for `free`.
const END: &str = "_end";

impl Evaluation {
    /// Upper's expected payoff, 0..=1; that of a finished game is its payoff, a draw being worth
    /// `drawn`.
    pub fn value(&self, state: &State, drawn: f64) -> f64 {
        match state.end() {
            End::Not => {
                let (features, phase) = features::of(state);
                f64::from(1.0 / (1.0 + (-self.logit(&features, phase)).exp()))
            }
            End::Upper => 1.0,
            End::Lower => 0.0,
            _ => drawn,
        }
    }

    /// The same with throws in the hand worth `factor` times as much.
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

    /// All names of weights.
    pub(crate) fn keys() -> Vec<String> {
        NAMES
            .iter()
            .map(|n| n.to_string())
            .chain(NAMES.iter().map(|n| format!("{n}{END}")))
            .collect()
    }

    /// Reads what is given; the rest is as in `self`.
    pub(crate) fn read(mut self, spec: &Spec) -> Result<Self> {
        for (i, name) in NAMES.iter().enumerate() {
            for (key, weight) in [
                (name.to_string(), &mut self.opening[i]),
                (format!("{name}{END}"), &mut self.end[i]),
            ] {
                *weight = spec.param(&key, None, *weight)?;
                if !weight.is_finite() {
                    let reason = format!("`{key}` must be a number");
                    return Err(Error::BadParameter { name: spec.name.clone(), reason });
                }
            }
        }
        Ok(self)
    }

    /// Writes what differs from what is usual.
    pub(crate) fn write(&self, given: &mut Vec<String>, usual: &Evaluation) {
        for (i, name) in NAMES.iter().enumerate() {
            if self.opening[i] != usual.opening[i] {
                given.push(format!("{name}={}", self.opening[i]));
            }
            if self.end[i] != usual.end[i] {
                given.push(format!("{name}{END}={}", self.end[i]));
            }
        }
    }
}

/// The weights as parameters of the mind. Called once, for texts that live as long as the program.
pub(crate) fn params() -> Vec<Param> {
    let weight = |name: String, value: f32, meaning: String| Param {
        name: name.leak(),
        default: value.to_string().leak(),
        meaning: meaning.leak(),
    };
    let opening = (0..COUNT).map(|i| {
        weight(NAMES[i].into(), CHOSEN.opening[i], format!("weight at the start: {}", MEANINGS[i]))
    });
    let end = (0..COUNT).map(|i| {
        let meaning = format!("weight without throws: {}", MEANINGS[i]);
        weight(format!("{}{END}", NAMES[i]), CHOSEN.end[i], meaning)
    });
    opening.chain(end).collect()
}

/// Throws in the hand above tokens on the board, hunters near their prey, and what can never be beaten.
///
/// Chosen by matches against players of several kinds (docs/ropasci.md says what each change gained); a fit to
/// the results of games plays worse, for in them who spends less wins whatever else it does.
pub(crate) const CHOSEN: Evaluation = Evaluation {
    opening: [
        0.6, 0.5, 2.0, 0.0, -1.0, -0.5, -0.12, -0.2, 0.03, -0.08, -0.04, -0.02, 0.03, -0.02, 0.5,
        0.1, 0.1, -0.05, -0.02, 0.0, 0.0,
    ],
    end: [
        0.9, 0.7, 3.0, -0.3, -1.0, -0.5, -0.15, -0.2, 0.03, -0.1, -0.06, -0.03, 0.05, -0.02, 1.0,
        0.2, 0.1, -0.05, -0.03, 0.0, 0.0,
    ],
};
