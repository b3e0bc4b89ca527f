//! Leaf counts of the game tree: the field's first test of a move generator.

use crate::game::{Game, Move, Turn};

/// The number of positions reached by exactly `depth` steps from `state` along different paths.
/// Each combination of simultaneous moves and each outcome of chance is one step.
///
/// ```
/// use ludex_core::{Game, perft, testkit::Coins};
/// let game = Coins::default();
/// assert_eq!(perft(&game, &game.start(), 0), 1);
/// ```
pub fn perft<G: Game + ?Sized>(game: &G, state: &G::State, depth: u32) -> u64 {
    let turn = game.turn(state);
    if depth == 0 {
        return 1;
    }
    let lists = choices(game, state, turn);
    match lists.as_slice() {
        [] => 0,
        // The last step of a single mover needs no moves made: every legal move is a leaf.
        [list] if depth == 1 => list.len() as u64,
        _ => {
            let mut total = 0;
            each_joint(&lists, |joint| {
                let mut next = state.clone();
                game.apply(&mut next, joint);
                total += perft(game, &next, depth - 1);
            });
            total
        }
    }
}

/// The choices of each mover (or of chance, as one mover) at a state; none where it is over.
pub fn choices<G: Game + ?Sized>(game: &G, state: &G::State, turn: Turn) -> Vec<Vec<Move>> {
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chances(state, &mut outcomes);
        return vec![outcomes.into_iter().map(|(mv, _)| mv).collect()];
    }
    turn.movers()
        .iter()
        .map(|player| {
            let mut list = Vec::new();
            game.moves(state, player, &mut list);
            list
        })
        .collect()
}

/// Calls `visit` with every joint move, the last mover's choice changing fastest.
pub fn each_joint(lists: &[Vec<Move>], mut visit: impl FnMut(&[Move])) {
    if lists.is_empty() || lists.iter().any(Vec::is_empty) {
        return;
    }
    let mut at = vec![0; lists.len()];
    let mut joint: Vec<Move> = lists.iter().map(|list| list[0]).collect();
    loop {
        visit(&joint);
        let Some(turn) = (0..lists.len()).rev().find(|&i| at[i] + 1 < lists[i].len()) else {
            return;
        };
        at[turn] += 1;
        joint[turn] = lists[turn][at[turn]];
        for i in turn + 1..lists.len() {
            at[i] = 0;
            joint[i] = lists[i][0];
        }
    }
}
