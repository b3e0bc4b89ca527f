//! How a simulation goes on below the tree, one policy a file.

mod mast;
mod nst;

pub use mast::Mast;
pub use nst::Nst;

use crate::tree::actions::{Act, Actions};
use ludex_core::{Game, Move, Player, Players, Rng, Turn};

/// Where a playout stands when a policy chooses.
#[derive(Debug)]
pub struct Scene<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// Who is to choose.
    pub player: Player,
    /// The numbers of actions.
    pub actions: &'a Actions,
    /// What was done before in this playout.
    pub acts: &'a [Act],
}

impl<G: Game> Scene<'_, G> {
    /// The number of a move here.
    #[inline]
    pub fn action(&self, mv: Move) -> u32 {
        self.actions.id(self.game.action_key(self.state, self.player, mv))
    }

    /// Any move, each as likely as the others.
    #[inline]
    pub fn any(&self, rng: &mut Rng, pad: &mut Vec<Move>) -> (Move, u32) {
        let mv = self.game.sample(self.state, self.player, rng, pad);
        (mv, self.action(mv))
    }

    /// The move with the best score, a random one of equals; `score` gets a move's action.
    pub fn best(
        &self,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        mut score: impl FnMut(u32) -> f32,
    ) -> (Move, u32) {
        pad.clear();
        self.game.moves(self.state, self.player, pad);
        let mut best = (Move::default(), 0);
        let mut top = f32::NEG_INFINITY;
        let mut equals = 0;
        for &mv in &*pad {
            let action = self.action(mv);
            let value = score(action);
            if value > top {
                (best, top, equals) = ((mv, action), value, 1);
            } else if value == top {
                equals += 1;
                if rng.below(equals) == 0 {
                    best = (mv, action);
                }
            }
        }
        best
    }
}

/// A way to choose moves in playouts.
pub trait Policy: Clone + Send + 'static {
    /// Does it learn from simulations, so that they must be traced?
    const LEARNS: bool;

    /// Chooses a move and says which action it is; `pad` is scratch space.
    fn choose<G: Game>(
        &mut self,
        scene: &Scene<'_, G>,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
    ) -> (Move, u32);

    /// A simulation is over.
    fn learn(&mut self, acts: &[Act], payoffs: &[f32]) {
        let _ = (acts, payoffs);
    }

    /// A move was played in the match: what was learned before counts less.
    fn fade(&mut self) {}
}

/// Any move, each as likely as the others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl Policy for Uniform {
    const LEARNS: bool = false;

    #[inline]
    fn choose<G: Game>(
        &mut self,
        scene: &Scene<'_, G>,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
    ) -> (Move, u32) {
        scene.any(rng, pad)
    }
}

/// Plays from `state` by a policy until the game is over and appends what was done to `acts`.
/// Returns the number of steps, or `None` where the game did not end within `longest`.
#[allow(clippy::too_many_arguments, reason = "the parts of one inner loop")]
pub fn play<G: Game, P: Policy>(
    game: &G,
    state: &mut G::State,
    policy: &mut P,
    actions: &Actions,
    acts: &mut Vec<Act>,
    rng: &mut Rng,
    pad: &mut Vec<Move>,
    longest: u32,
) -> Option<u32> {
    let begun = acts.len();
    for ply in 0..=longest {
        match game.turn(state) {
            Turn::Over => return Some(ply),
            Turn::Chance => {
                let mv = game.sample_chance(state, rng);
                game.apply(state, &[mv]);
            }
            Turn::One(player) => {
                let scene = Scene { game, state, player, actions, acts: &acts[begun..] };
                let (mv, action) = policy.choose(&scene, rng, pad);
                acts.push(Act { player: player.0, action });
                game.apply(state, &[mv]);
            }
            Turn::Joint(players) => {
                let mut joint = [Move(0); Players::MOST];
                let mut n = 0;
                let known = acts.len();
                for player in players.iter() {
                    let scene = Scene { game, state, player, actions, acts: &acts[begun..known] };
                    let (mv, action) = policy.choose(&scene, rng, pad);
                    acts.push(Act { player: player.0, action });
                    joint[n] = mv;
                    n += 1;
                }
                game.apply(state, &joint[..n]);
            }
        }
    }
    None
}
