//! The joint moves of a step in which one seat's own move is known.

use ludex_core::{Game, Move, Player, Turn};

/// The greatest number of joint moves of one step; further ones are left out.
const MOST: usize = 1 << 22;

/// The joint moves of a step with the seat's own move fixed, by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// By mover: its moves, one after the other; the own move alone for the seat.
    moves: Vec<Move>,
    /// By mover: where its moves begin.
    from: Vec<usize>,
    /// At chance: the logarithm of each outcome's probability.
    ln_chance: Vec<f64>,
    ln_uniform: f64,
    count: usize,
    outcomes: Vec<(Move, f64)>,
}

impl Options {
    /// Lists the joint moves in `state`; none where the seat could not have made its move `own`
    /// there, or where the game is over.
    pub(crate) fn fill<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Player,
        own: Option<Move>,
    ) {
        self.fill_at(game, state, game.turn(state), seat, own);
    }

    pub(crate) fn fill_at<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        turn: Turn,
        seat: Player,
        own: Option<Move>,
    ) {
        self.moves.clear();
        self.from.clear();
        self.ln_chance.clear();
        (self.ln_uniform, self.count) = (0.0, 0);
        if turn.includes(seat) != own.is_some() {
            return;
        }
        match turn {
            Turn::Over => {}
            Turn::Chance => {
                self.outcomes.clear();
                game.chances(state, &mut self.outcomes);
                self.from.push(0);
                for &(mv, probability) in self.outcomes.iter().filter(|(_, p)| *p > 0.0) {
                    self.moves.push(mv);
                    self.ln_chance.push(probability.ln());
                }
                self.count = self.moves.len();
            }
            Turn::One(_) | Turn::Joint(_) => {
                let mut count = 1usize;
                for player in turn.movers().iter() {
                    let from = self.moves.len();
                    self.from.push(from);
                    game.moves(state, player, &mut self.moves);
                    if player == seat {
                        let legal = own.filter(|mv| self.moves[from..].contains(mv));
                        self.moves.truncate(from);
                        self.moves.extend(legal);
                    }
                    let here = self.moves.len() - from;
                    count = count.saturating_mul(here);
                    if player != seat && here > 0 {
                        self.ln_uniform -= (here as f64).ln();
                    }
                }
                self.count = if count <= MOST { count } else { 0 };
            }
        }
    }

    /// How many joint moves.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Appends the joint move with this number.
    pub(crate) fn joint(&self, mut number: usize, out: &mut Vec<Move>) {
        for (mover, &from) in self.from.iter().enumerate() {
            let to = self.from.get(mover + 1).copied().unwrap_or(self.moves.len());
            let here = to - from;
            if here > 0 {
                out.push(self.moves[from + number % here]);
                number /= here;
            }
        }
    }

    /// The logarithm of how likely it is where the others choose at random: minus the choice
    /// factor of the step. Chance keeps its own probabilities.
    pub(crate) fn ln_chance(&self, number: usize) -> f64 {
        self.ln_chance.get(number).copied().unwrap_or(self.ln_uniform)
    }

    /// A number drawn as the others would choose at random.
    pub(crate) fn draw(&self, rng: &mut ludex_core::Rng) -> usize {
        if self.ln_chance.is_empty() {
            return rng.index(self.count);
        }
        let mut left = rng.unit();
        for (number, ln) in self.ln_chance.iter().enumerate() {
            left -= ln.exp();
            if left < 0.0 {
                return number;
            }
        }
        self.count.saturating_sub(1)
    }
}
