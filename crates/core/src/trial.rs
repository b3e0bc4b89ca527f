//! Finding a step that explains a percept, for agents that sample worlds consistent with their records.

use crate::deadline;
use crate::game::{Game, Move};
use crate::player::Player;

/// Candidate steps from a state, in the order in which they are tried, and the observation that one of them must explain.
#[derive(Debug)]
pub struct Trial<'a, S> {
    /// The state before the step.
    pub state: &'a S,
    /// Legal joint moves, one after the other.
    pub joints: &'a [Move],
    /// How many moves a joint move has.
    pub movers: usize,
    /// The player's percept of the step.
    pub percept: &'a [u64],
    /// The player's legal moves after the step, sorted, where it was asked to move.
    pub legal: Option<&'a [Move]>,
}

/// The default of [`Game::explain`]: tries one step after the other, up to the first that agrees with the observation.
/// When the thread's [`deadline`] passes there are fewer answers than trials.
pub fn one_by_one<G: Game + ?Sized>(
    game: &G,
    trials: &[Trial<'_, G::State>],
    player: Player,
    out: &mut Vec<Option<(usize, G::State)>>,
) {
    let (mut words, mut pad) = (Vec::new(), Vec::new());
    for trial in trials {
        let mut after = trial.state.clone();
        let mut joints = trial.joints.chunks(trial.movers.max(1));
        let found = joints.position(|joint| {
            if deadline::look() {
                return true;
            }
            after.clone_from(trial.state);
            game.apply(&mut after, joint);
            words.clear();
            game.percept(trial.state, joint, &after, player, &mut words);
            words == trial.percept
                && trial.legal.is_none_or(|legal| allows(game, &after, player, legal, &mut pad))
        });
        if deadline::expired() {
            return;
        }
        out.push(found.map(|number| (number, after)));
    }
}

/// Is `player` to move in `state`, with exactly the legal moves `legal` (sorted)? `pad` is scratch space.
pub fn allows<G: Game + ?Sized>(
    game: &G,
    state: &G::State,
    player: Player,
    legal: &[Move],
    pad: &mut Vec<Move>,
) -> bool {
    if !game.turn(state).includes(player) {
        return false;
    }
    pad.clear();
    game.moves(state, player, pad);
    pad.len() == legal.len() && {
        pad.sort_unstable();
        pad == legal
    }
}
