//! Pieces on several kinds of elements, large pieces, chance at the start, hidden pieces and teams, by descriptions of our own.

mod common;

use ludex_core::{Game, Player, Turn, testkit};
use ludex_lud::game::LudGame;

fn load(players: usize, items: &str, rules: &str) -> LudGame {
    let text =
        format!("(game \"Kinds\" (players {players}) (equipment {{{items}}}) (rules {rules}))");
    common::game(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The number of legal moves at the start.
fn moves(game: &LudGame) -> usize {
    count(game, &game.start())
}

fn count(game: &LudGame, position: &<LudGame as Game>::State) -> usize {
    let Turn::One(player) = game.turn(position) else { panic!("no player's turn") };
    let mut moves = Vec::new();
    game.moves(position, player, &mut moves);
    moves.len()
}

const END: &str = "(end (if (> (count Moves) 12) (result Mover Win)))";
const DISCS: &str = "(board (square 3)) (piece \"Disc\" Each)";

#[test]
fn pieces_stand_on_cells_edges_and_vertices_of_one_board() {
    for (kind, sites) in [("Cell", 9), ("Edge", 24), ("Vertex", 16)] {
        let rules = format!("(play (move Add (to {kind} (sites Empty {kind})))) {END}");
        let game = load(2, DISCS, &format!("(start (place \"Disc1\" 4)) {rules}"));
        let taken = usize::from(kind == "Cell");
        assert_eq!(moves(&game), sites - taken, "{kind}");
        testkit::conform(&game);
    }
}

#[test]
fn what_touches_a_site_is_found_on_other_kinds() {
    let cases = [
        ("(count Sites in:(sites Incident Edge of:Cell at:4))", 4),
        ("(count Sites in:(sites Incident Vertex of:Edge at:0))", 2),
        ("(count Sites in:(sites Incident Cell of:Vertex at:5))", 4),
        ("(count Sites in:(sites Incident Cell of:Cell at:4))", 4),
        ("(count Sites in:(sites Outer Edge))", 12),
        ("(count Sites in:(intersection (sites Outer Edge) (sites Horizontal)))", 6),
        ("(count Sites in:(sites Around Vertex 0))", 2),
        ("(who Edge at:(edge 0 1))", 2),
        ("(who at:0)", 0),
        ("(count Pieces Edge P2)", 3),
        ("(count Pieces Cell P2)", 0),
    ];
    for (number, value) in cases {
        let rules = format!(
            "(start (set P2 Edge (sites Incident Edge of:Vertex at:1)))
             (play (if (= {number} {value}) (move Add (to (sites Empty))))) {END}"
        );
        assert_eq!(moves(&load(2, DISCS, &rules)), 9, "{number} is not {value}");
    }
}

#[test]
fn a_large_tile_covers_the_sites_of_its_walk() {
    let items = "(board (square 3)) (tile \"Bar\" Each {F} numSides:4)";
    let rules = format!(
        "(play (or (move Add (piece (mover) state:0) (to (sites Empty)))
                   (move Add (piece (mover) state:1) (to (sites Empty))))) {END}"
    );
    let game = load(2, items, &rules);
    assert_eq!(moves(&game), 12);
    let mut position = game.start();
    let mut list = Vec::new();
    game.moves(&position, Player(0), &mut list);
    game.apply(&mut position, &list[..1]);
    // It lies on the sites 0 and 3: no tile may lie there any more.
    assert_eq!(count(&game, &position), 8);
    testkit::conform(&game);
}

#[test]
fn a_large_tile_that_moves_lies_in_every_way_that_fits() {
    let items = "(board (square 3)) (hand Each) (tile \"Bar\" Each {F} numSides:4)";
    let rules = format!(
        "(start {{(place \"Bar1\" (handSite P1)) (place \"Bar2\" (handSite P2))}})
         (play (move (from (handSite Mover)) (to (difference (sites Board) (sites Top))))) {END}"
    );
    let game = load(2, items, &rules);
    // Seven pairs of neighbours lie below the top row, and each can be covered from either end.
    assert_eq!(moves(&game), 14);
    testkit::conform(&game);
}

#[test]
fn tiles_are_turned_and_their_paths_meet_paths_of_their_colours() {
    let items = "(board (square 3)) (hand Shared) (tile \"Bend\" numSides:4
        {(path from:0 to:1 colour:1) (path from:2 to:3 colour:2)})";
    let rules = format!(
        "(start (place \"Bend\" (handSite Shared)))
         (play (do (move (from (handSite Shared)) (to (sites Empty) (rotations Orthogonal)) copy:True)
            ifAfterwards:(is SidesMatch))) {END}"
    );
    let game = load(2, items, &rules);
    assert_eq!(moves(&game), 36);
    let (mut position, mut list) = (game.start(), Vec::new());
    game.moves(&position, Player(0), &mut list);
    game.apply(&mut position, &list[..1]);
    // The tile in the corner has its first colour to the north and east: two rotations match it on each of the two sites beside it.
    assert_eq!(count(&game, &position), 6 * 4 + 2 * 2);
    testkit::conform(&game);
}

#[test]
fn chance_draws_at_the_start() {
    let start = "(start {(place \"Disc1\" (sites Random (sites Bottom) num:2))
        (place \"Disc2\" 8 value:(value Random (range 4 6)))
        (place Random {\"Disc2\"} count:(value Random (range 1 2)))})";
    let game = load(2, DISCS, &format!("{start} (play (move Add (to (sites Empty)))) {END}"));
    let (mut position, mut sizes, mut outcomes) = (game.start(), Vec::new(), Vec::new());
    while game.turn(&position) == Turn::Chance {
        outcomes.clear();
        game.chances(&position, &mut outcomes);
        sizes.push(outcomes.len());
        let text = game.position(&position);
        assert_eq!(game.position(&game.parse_position(&text).expect("readable")), text);
        game.apply(&mut position, &[outcomes[outcomes.len() - 1].0]);
    }
    // Two of three sites, one of three values, one of two numbers, and two of the free sites.
    assert_eq!(sizes, [3, 2, 3, 2, 6, 5]);
    assert_eq!(count(&game, &position), 4);
    testkit::conform(&game);
}

#[test]
fn a_hidden_piece_is_hidden_where_it_goes() {
    let rules = format!(
        "(start {{(place \"Disc1\" 0) (place \"Disc2\" 8)
            (set Hidden What at:0 to:P2) (set Hidden Who at:0 to:P2)}})
         (play (if (is Mover P1)
            (move (from 0) (to 1))
            (or (move Select (from (sites Hidden What to:Mover)))
                (if (is Hidden Who at:1 to:Mover) (move Pass))))) {END}"
    );
    let game = load(2, DISCS, &rules);
    let mut position = game.start();
    let mut list = Vec::new();
    game.moves(&position, Player(0), &mut list);
    game.apply(&mut position, &list);
    assert_eq!(count(&game, &position), 2);
}

#[test]
fn teams_are_gone_through_one_by_one() {
    let rules = format!(
        "(start {{(set Team 1 {{P1 P3}}) (set Team 2 {{P2 P4}})
            (forEach Team (forEach (team) (set Score Player 5)))}})
         (play (if (= 5 (score P4)) (move Add (to (sites Empty)) (then
            (forEach Team (forEach (team) (addScore (player (player)) 1))))))) {END}"
    );
    let game = load(4, DISCS, &rules);
    assert_eq!(moves(&game), 9);
    let mut position = game.start();
    let mut list = Vec::new();
    game.moves(&position, Player(0), &mut list);
    game.apply(&mut position, &list[..1]);
    assert_eq!(count(&game, &position), 1, "the score is 6 now, so that only a pass is left");
}

#[test]
fn steps_are_counted_along_a_track() {
    let items =
        "(board (square 3) {(track \"Round\" \"0,E,N,W,S1\" loop:True)}) (piece \"Disc\" Each)";
    for (steps, wanted) in [("0 2", 2), ("2 0", 6), ("0 4", -1)] {
        let rules = format!(
            "(play (if (= {wanted} (count StepsOnTrack {steps})) (move Add (to (sites Empty))))) {END}"
        );
        assert_eq!(moves(&load(2, items, &rules)), 9, "{steps}");
    }
}

#[test]
fn straight_ahead_is_nowhere_on_a_board_of_hexagons() {
    let items = "(board (hex 3)) (piece \"Disc\" P1 N) (piece \"Dot\" P2)";
    for (direction, wanted) in [("Forward", 1), ("(directions {FL FR})", 2)] {
        let rules = format!(
            "(start (place \"Disc\" (centrePoint)))
             (play (forEach Piece (move Step {direction} (to if:(is Empty (to)))))) {END}"
        );
        // The one move without a step is the pass.
        assert_eq!(moves(&load(2, items, &rules)), wanted, "{direction}");
    }
}
