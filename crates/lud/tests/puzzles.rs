//! Deduction puzzles of our own: moves give variables values, and no value contradicts a constraint.

#[path = "common/small.rs"]
mod small;

use ludex_lud::engine::{Lud, Moves, Pad, State};

/// A puzzle with this equipment and these constraints.
fn puzzle(board: &str, equipment: &str, start: &str, constraints: &str) -> Lud {
    let text = format!(
        "(game \"Puzzle\" (players 1) (equipment {{(board {board}) {equipment}}})
            (rules (start {{{start}}}) (play (satisfy {{{constraints}}}))
                (end (if (is Solved) (result P1 Win)))))"
    );
    small::load(&text).expect("a puzzle")
}

/// The moves as site and value.
fn moves(game: &Lud, state: &mut State) -> Vec<(i32, u16)> {
    let (mut pad, mut list) = (Pad::default(), Moves::default());
    game.legal(state, &mut pad, &mut list);
    list.heads.iter().filter(|head| head.to >= 0).map(|head| (head.to, head.extra)).collect()
}

fn give(game: &Lud, state: &mut State, site: i32, value: u16) {
    let (mut pad, mut list) = (Pad::default(), Moves::default());
    game.legal(state, &mut pad, &mut list);
    let wanted = list.heads.iter().find(|head| head.to == site && head.extra == value);
    let head = *wanted.expect("a value that contradicts nothing");
    game.apply(state, &mut pad, &list, head);
}

#[test]
fn a_latin_square_is_filled() {
    let board = "(square 2) (values Cell (range 1 2))";
    let game = puzzle(board, "(regions {Rows Columns})", "(set {{0 1}})", "(all Different)");
    let mut state = game.start();
    // The first cell is given; next to it only 2 is left.
    assert_eq!(moves(&game, &mut state), [(1, 2), (2, 2), (3, 1), (3, 2)]);
    give(&game, &mut state, 3, 2);
    assert!(
        moves(&game, &mut state).is_empty(),
        "3 was a wrong guess: no value is left for its neighbours"
    );
    let mut state = game.start();
    give(&game, &mut state, 1, 2);
    give(&game, &mut state, 2, 2);
    assert!(!state.s.over);
    give(&game, &mut state, 3, 1);
    assert!(state.s.over && state.rank[1] == 1.0);
}

#[test]
fn sums_and_blocks_are_kept() {
    let game = puzzle(
        "(square 4) (values Cell (range 1 4))",
        "(regions {SubGrids Diagonals})",
        "",
        "(all Different)",
    );
    let mut state = game.start();
    assert_eq!(moves(&game, &mut state).len(), 64);
    give(&game, &mut state, 0, 3);
    // Three cells of the block and three of the diagonal, of which one is in both.
    assert_eq!(moves(&game, &mut state).len(), 15 * 4 - 5);
    let game = puzzle(
        "(square 2) (values Cell (range 0 3))",
        "",
        "",
        "(is Sum (sites Row 0) 2) (is Count (sites Board) of:3 1)",
    );
    let mut state = game.start();
    assert_eq!(moves(&game, &mut state).iter().filter(|(site, _)| *site == 0).count(), 3);
    give(&game, &mut state, 0, 0);
    give(&game, &mut state, 1, 2);
    give(&game, &mut state, 2, 3);
    // A second 3 would be one too many.
    assert_eq!(moves(&game, &mut state), [(3, 0), (3, 1), (3, 2)]);
}

#[test]
fn clues_ask_for_edges() {
    let board = "(square 2) (values Edge (range 0 1))";
    let clue = "(forAll Hint (is Count (sites Incident Edge of:Cell at:(from)) of:1 (hint)))";
    let game = puzzle(board, "(hints {(hint 0 4) (hint 3 0)} Cell)", "", clue);
    let mut state = game.start();
    let edges = 12;
    // The edges of the last cell are 0.
    assert_eq!(moves(&game, &mut state).len(), 2 * edges - 4);
    let mut plies = 0;
    while !state.s.over {
        let first = *moves(&game, &mut state).last().expect("a move");
        give(&game, &mut state, first.0, first.1);
        plies += 1;
    }
    assert_eq!(plies, edges);
}

#[test]
fn rows_can_have_to_be_unique() {
    let game = puzzle("(square 2) (values Cell (range 0 1))", "(regions Rows)", "", "(is Unique)");
    let mut state = game.start();
    give(&game, &mut state, 0, 0);
    give(&game, &mut state, 1, 1);
    give(&game, &mut state, 2, 0);
    assert_eq!(moves(&game, &mut state), [(3, 0)]);
}
