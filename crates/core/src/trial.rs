//! Steps that are held to what a player saw: how a world is found that explains a record.

use crate::deadline;
use crate::game::{Game, Move};
use crate::player::Player;

/// Steps from a state, in the order in which they are to be tried, and what the player saw then.
#[derive(Debug)]
pub struct Trial<'a, S> {
    /// From where.
    pub state: &'a S,
    /// Joint moves, legal ones, one after the other.
    pub joints: &'a [Move],
    /// Moves in a joint move.
    pub movers: usize,
    /// What the player saw.
    pub percept: &'a [u64],
    /// Its legal moves afterwards, sorted, where it was asked to move and told.
    pub legal: Option<&'a [Move]>,
}

/// The plain way of [`Game::explain`]: one step after the other, up to the first that agrees. Where the thread's
/// [`deadline`] passes there are fewer answers than trials.
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

/// Is `player` to move, with just these moves (sorted)? `pad` is scratch space.
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
