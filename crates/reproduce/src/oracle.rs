//! The true values of small games, by full search.

use ludex_core::{AnyGame, AnyState, Game, Move, Player, Turn};
use std::collections::HashMap;

/// The values of positions of a game of two players without chance, computed on demand and remembered.
pub(crate) struct Oracle<'a> {
    game: &'a AnyGame,
    known: HashMap<u64, f32>,
}

impl<'a> Oracle<'a> {
    /// An oracle that has computed nothing yet.
    pub(crate) fn new(game: &'a AnyGame) -> Self {
        Oracle { game, known: HashMap::new() }
    }

    /// The payoff of the first player if both play perfectly.
    pub(crate) fn value(&mut self, state: &AnyState) -> f32 {
        let game = self.game;
        let player = match game.turn(state) {
            Turn::One(player) => player,
            _ => {
                let mut payoffs = vec![0.0; game.info().seats()];
                game.payoffs(state, &mut payoffs);
                return payoffs.first().copied().unwrap_or(0.5);
            }
        };
        let key = game.hash(state);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let values = self.moves(state, player).into_iter().map(|(_, value)| value);
        let best = match player {
            Player(0) => values.fold(0.0, f32::max),
            _ => values.fold(1.0, f32::min),
        };
        self.known.insert(key, best);
        best
    }

    /// The legal moves with the value after each.
    fn moves(&mut self, state: &AnyState, player: Player) -> Vec<(Move, f32)> {
        let mut legal = Vec::new();
        self.game.moves(state, player, &mut legal);
        legal
            .into_iter()
            .map(|mv| {
                let mut next = state.clone();
                self.game.apply(&mut next, &[mv]);
                (mv, self.value(&next))
            })
            .collect()
    }

    /// The moves that keep the value of the position; empty if the game is over.
    pub(crate) fn best(&mut self, state: &AnyState) -> Vec<Move> {
        let Turn::One(player) = self.game.turn(state) else { return Vec::new() };
        let value = self.value(state);
        let moves = self.moves(state, player).into_iter();
        moves.filter(|&(_, after)| after == value).map(|(mv, _)| mv).collect()
    }

    /// All unfinished positions that can be reached from the start.
    pub(crate) fn reachable(&self) -> Vec<AnyState> {
        let start = self.game.start();
        let mut seen = HashMap::from([(self.game.hash(&start), ())]);
        let mut found = Vec::new();
        let mut open = vec![start];
        let mut legal = Vec::new();
        while let Some(state) = open.pop() {
            let Turn::One(player) = self.game.turn(&state) else { continue };
            legal.clear();
            self.game.moves(&state, player, &mut legal);
            for &mv in &legal {
                let mut next = state.clone();
                self.game.apply(&mut next, &[mv]);
                if seen.insert(self.game.hash(&next), ()).is_none() {
                    open.push(next);
                }
            }
            found.push(state);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_solves_tic_tac_toe_and_counts_its_positions() {
        let game = ludex_library::open("tictactoe").unwrap();
        let mut oracle = Oracle::new(&game);
        assert_eq!(oracle.value(&game.start()), 0.5);
        // 5,478 positions, 958 of them finished.
        assert_eq!(oracle.reachable().len(), 4_520);
    }

    #[test]
    fn it_agrees_with_the_xor_rule() {
        let game = ludex_library::open("nim(3,4,5)").unwrap();
        let mut oracle = Oracle::new(&game);
        let best: Vec<String> =
            oracle.best(&game.start()).iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(best, ["a2"], "3 xor 4 xor 5 = 2: only 1, 4, 5 has xor 0");
    }
}
