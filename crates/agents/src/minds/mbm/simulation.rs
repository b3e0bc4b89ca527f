//! Algorithm 1: one simulated game between an agent and its mock agents.

use super::arms::Ending;
use ludex_core::deadline::{self, Ticker};
use ludex_core::{Game, Move, Player, Rng, Turn};

/// What a finished game is worth to `player`: a win where it alone came first, neutral where it
/// shares the first place. A single player wins with the full payoff and loses with none.
pub fn ending(payoffs: &[f32], player: Player) -> Ending {
    let own = payoffs.get(player.index()).copied().unwrap_or(0.0);
    let others = payoffs.iter().enumerate().filter(|&(p, _)| p != player.index());
    let best = others.map(|(_, &payoff)| payoff).fold(f32::NEG_INFINITY, f32::max);
    match payoffs {
        [_] if own >= 1.0 => Ending::Win,
        [_] if own > 0.0 => Ending::Neutral,
        [_] => Ending::Loss,
        _ if own > best => Ending::Win,
        _ if own == best => Ending::Neutral,
        _ => Ending::Loss,
    }
}

/// Plays simulations; owns their scratch space.
pub struct Simulator<G: Game> {
    state: Option<G::State>,
    next: Option<G::State>,
    pad: Vec<Move>,
    payoffs: Vec<f32>,
    ticker: Ticker,
}

impl<G: Game> Simulator<G> {
    /// Scratch space for `game`.
    pub fn new(game: &G) -> Self {
        let payoffs = vec![0.0; game.info().seats()];
        let ticker = Ticker::default();
        Simulator { state: None, next: None, pad: Vec::new(), payoffs, ticker }
    }

    /// A random game from `start`, the position after the core move of `me`, in which everybody
    /// else takes a win at hand. The depth counts the turns of `me`, the core move included;
    /// beyond `depth` of them the game is neutral. `None` where the clock rings.
    pub fn run(
        &mut self,
        game: &G,
        start: &G::State,
        me: Player,
        depth: u32,
        rng: &mut Rng,
    ) -> Option<(Ending, u32)> {
        let mut state = renew(self.state.take(), start);
        let mut turns = 1;
        let end = loop {
            if self.ticker.step() {
                self.state = Some(state);
                return None;
            }
            match game.turn(&state) {
                Turn::Over => {
                    game.payoffs(&state, &mut self.payoffs);
                    break ending(&self.payoffs, me);
                }
                Turn::One(player) => {
                    let mine = player == me;
                    if mine && turns >= depth {
                        break Ending::Neutral;
                    }
                    turns += u32::from(mine);
                    let win = if mine { None } else { self.winning(game, &state, player) };
                    let mv = match win {
                        Some(mv) => mv,
                        None => game.sample(&state, player, rng, &mut self.pad),
                    };
                    game.apply(&mut state, &[mv]);
                }
                Turn::Chance => {
                    let mv = game.sample_chance(&state, rng);
                    game.apply(&mut state, &[mv]);
                }
                // Refused at the door.
                Turn::Joint(_) => break Ending::Neutral,
            }
        };
        self.state = Some(state);
        (!deadline::expired()).then_some((end, turns))
    }

    /// A move of `player` that wins on this turn.
    pub fn winning(&mut self, game: &G, state: &G::State, player: Player) -> Option<Move> {
        self.pad.clear();
        game.moves(state, player, &mut self.pad);
        let mut next = renew(self.next.take(), state);
        let mut found = None;
        for (i, &mv) in self.pad.iter().enumerate() {
            if self.ticker.step() {
                break;
            }
            if i > 0 {
                next.clone_from(state);
            }
            game.apply(&mut next, &[mv]);
            if game.is_over(&next) {
                game.payoffs(&next, &mut self.payoffs);
                if ending(&self.payoffs, player) == Ending::Win {
                    found = Some(mv);
                    break;
                }
            }
        }
        self.next = Some(next);
        found
    }
}

/// A copy of `from` in old memory where there is some.
pub(super) fn renew<S: Clone>(old: Option<S>, from: &S) -> S {
    match old {
        Some(mut state) => {
            state.clone_from(from);
            state
        }
        None => from.clone(),
    }
}
