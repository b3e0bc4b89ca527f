//! An information set in full: every history that explains what a seat observed.

use super::observations::Observations;
use super::options::Options;
use ludex_core::deadline;
use ludex_core::random::mix;
use ludex_core::{Error, Game, Move, Result};

/// The most histories that anybody may ask for.
pub const MOST: u64 = 10_000_000;

/// How many states an enumeration may visit for each history that it may find.
const WORK: u64 = 64;

/// One history of an information set.
#[derive(Debug)]
pub struct History<'a, S> {
    /// Where it leads.
    pub state: &'a S,
    /// The logarithm of its probability where the others choose at random.
    pub ln_chance: f64,
    /// Equal for equal histories.
    pub footprint: u64,
    /// The joint moves, one step after the other.
    pub steps: &'a [Vec<Move>],
}

/// A step more in the footprint of a history.
pub(crate) fn step_footprint(footprint: u64, joint: &[Move]) -> u64 {
    joint.iter().fold(mix(footprint ^ 0x1234_5678_9abc_def1), |hash, mv| {
        mix(hash.rotate_left(11) ^ mv.0.wrapping_add(1))
    })
}

/// Calls `found` for each history from `origin` that agrees with `observed`; returns how many there
/// are and how many states were visited.
///
/// # Errors
/// More than `most` histories (or far more states than that on the way, or more than the thread's deadline allows), or
/// none at all: then rules and record contradict each other.
pub fn enumerate<G: Game>(
    game: &G,
    origin: &G::State,
    observed: &Observations,
    most: u64,
    mut found: impl FnMut(&History<'_, G::State>),
) -> Result<(u64, u64)> {
    let most = most.min(MOST);
    let mut search = Search {
        game,
        observed,
        most,
        count: 0,
        visited: 0,
        steps: Vec::new(),
        pad: Vec::new(),
        words: Vec::new(),
    };
    if observed.allows(game, origin, 0, &mut search.pad) {
        search.down(origin, 0.0, 0, &mut found)?;
    }
    match search.count {
        // A list of moves that was made when the time ran out may be incomplete.
        _ if deadline::expired() => Err(search.too_many()),
        0 => Err(contradiction(observed)),
        count => Ok((count, search.visited)),
    }
}

/// No history explains an observation history.
pub(crate) fn contradiction(observed: &Observations) -> Error {
    Error::Contradiction(format!(
        "no history of {} steps agrees with the record of seat {}; the rules and the record \
         contradict each other",
        observed.len(),
        observed.seat.0 + 1
    ))
}

struct Search<'a, G: Game> {
    game: &'a G,
    observed: &'a Observations,
    most: u64,
    count: u64,
    visited: u64,
    steps: Vec<Vec<Move>>,
    pad: Vec<Move>,
    words: Vec<u64>,
}

impl<G: Game> Search<'_, G> {
    fn down(
        &mut self,
        state: &G::State,
        ln_chance: f64,
        footprint: u64,
        found: &mut impl FnMut(&History<'_, G::State>),
    ) -> Result<()> {
        let depth = self.steps.len();
        let Some(step) = self.observed.steps.get(depth) else {
            self.count += 1;
            if self.count > self.most {
                return Err(self.too_many());
            }
            found(&History { state, ln_chance, footprint, steps: &self.steps });
            return Ok(());
        };
        let mut options = Options::default();
        options.fill(self.game, state, self.observed.seat, step.record.own);
        let mut joint = Vec::new();
        let mut after = state.clone();
        for number in 0..options.count() {
            self.visited += 1;
            if self.visited > self.most.saturating_mul(WORK) || deadline::look() {
                return Err(self.too_many());
            }
            joint.clear();
            options.joint(number, &mut joint);
            after.clone_from(state);
            self.game.apply(&mut after, &joint);
            self.words.clear();
            self.game.percept(state, &joint, &after, self.observed.seat, &mut self.words);
            if self.words != step.record.percept.0
                || !self.observed.allows(self.game, &after, depth + 1, &mut self.pad)
            {
                continue;
            }
            let footprint = step_footprint(footprint, &joint);
            self.steps.push(joint.clone());
            let ln_chance = ln_chance + options.ln_chance(number);
            self.down(&after, ln_chance, footprint, found)?;
            self.steps.pop();
        }
        Ok(())
    }

    fn too_many(&self) -> Error {
        Error::Unsupported(format!(
            "the information set has more than {} histories; sample it instead",
            self.most
        ))
    }
}
