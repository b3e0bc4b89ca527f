//! What lies around the moves: defines, phases, ends, the start.

mod common;
#[path = "common/small.rs"]
mod small;

use ludex_lud::board::Board;
use ludex_lud::engine::{Lud, Moves, Pad};
use ludex_lud::expand::{Library, expand};
use ludex_lud::source::Text;
use ludex_lud::{load, tree};
use small::{load, play};

/// A game on nine squares with these rules, the board and players being given.
fn game(players: usize, more: &str, rules: &str) -> Lud {
    let text = format!(
        "(game \"G\" (players {players}) (equipment {{(board (square 3)) (piece \"Disc\" Each) {more}}}) (rules {rules}))"
    );
    load(&text).expect("a game")
}

#[test]
fn a_define_in_the_body_of_another_is_known() {
    let source = "(define \"Play\" (define \"Where\" (sites #1)) (move Add (to (\"Where\" Empty))))
        (game \"Nested\" (\"Play\"))";
    let (expanded, found) = expand("nested", source, &Library::default(), &[]);
    assert_eq!(found, []);
    let text = expanded.game.str(0, expanded.game.len());
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words.join(" "), "(game \"Nested\" (move Add (to (sites Empty))))");
    let deep = "(define \"A\" ".repeat(5_000) + &")".repeat(5_000);
    assert_eq!(expand("deep", &deep, &Library::default(), &[]).1[0].code, "L021");
}

#[test]
fn after_the_last_phase_comes_the_first() {
    let add = "(play (move Add (to (sites Empty))))";
    let game = game(
        1,
        "",
        &format!(
            "phases:{{(phase \"A\" {add} (nextPhase Shared))
                (phase \"B\" Shared {add} {{(nextPhase \"Nowhere\") (nextPhase)}})}}
            (end (if (is Full) (result Mover Win)))"
        ),
    );
    let mut state = game.start();
    let phase = game.layout().phase(1);
    for expected in [0, 1, 0, 1] {
        assert_eq!(state.numbers[phase], expected);
        play(&game, &mut state, None);
    }
}

#[test]
fn what_holds_anyway_holds_only_if_nothing_else_does() {
    let end = "(end (if (is Full) {(if (= 1 1) (result P2 Win))} (result P3 Win)))";
    let game = game(3, "", &format!("(play (move Add (to (sites Empty)))) {end}"));
    let mut state = game.start();
    (0..9).for_each(|_| play(&game, &mut state, None));
    // Two go on for the second place.
    assert_eq!(state.rank, [0.0, 0.0, 1.0, 0.0]);
    assert!(!state.s.over);
}

#[test]
fn a_side_that_a_board_does_not_have_has_no_sites() {
    let text =
        "(game \"T\" (players 2) (equipment {(board (tri 3) use:Vertex) (piece \"Disc\" Each)})
        (rules (play (move Add (to (union (sites Side N) (sites Side S)))))
        (end (if (is Full) (result Mover Win)))))";
    let game = load(text).expect("a game");
    let (mut pad, mut moves) = (Pad::default(), Moves::default());
    game.legal(&mut game.start(), &mut pad, &mut moves);
    assert_eq!(moves.len(), 3);
}

#[test]
fn regions_belong_to_each_or_to_all() {
    let more = "(regions \"Home\" Each (sites Bottom)) (regions \"Wide\" Shared (sites Top))
        (map {(pair 0 8)})";
    let rules =
        "(play (or {(move Add (to (sites Mover \"Home\"))) (move Add (to (sites Shared \"Wide\")))
            (move Add (to (mapEntry \"Map\" 0)))}))
        (end (if (is Full) (result Mover Win)))";
    let game = game(2, more, rules);
    let (mut pad, mut moves) = (Pad::default(), Moves::default());
    game.legal(&mut game.start(), &mut pad, &mut moves);
    let to: Vec<i32> = moves.heads.iter().map(|head| head.to).collect();
    assert_eq!(to, [0, 1, 2, 6, 7, 8, 8]);
}

fn board(text: &str) -> Result<Board, String> {
    let (nodes, found) = tree::read(&Text::of_file(0, text));
    assert_eq!(found, []);
    Board::of(&nodes[0]).map_err(|finding| finding.message)
}

#[test]
fn boards_are_built_as_told_or_refused() {
    let size = |text: &str| board(text).map(|b| (b.graph.vertices.len(), b.graph.edges.len()));
    assert_eq!(size("(board (square (+ {1 1 1})) use:Vertex)"), Ok((9, 12)));
    let curved = "(board (add (square 2) edgesCurved:{{{0 0} {5 5} {1 2} {-1 2}}}) use:Vertex)";
    assert_eq!(size(curved), Ok((5, 5)));
    // One above the other.
    let tower = "(board (add (graph vertices:{{0 0} {0 0 1}}) edges:{{{0 0} {0 0 1}}}) use:Vertex)";
    assert_eq!(size(tower), Ok((2, 1)));
    for refused in [
        "(board (brick 3 trim:True))",
        "(board (quadhex 3 thirds:True))",
        "(board (square {2 2 2 2} diagonals:Solid))",
        "(board (hole (square 5) (poly {{0 0} {0 1} {1 1}} rotns:4)))",
        "(mancalaBoard 2 6 store:Inner)",
        "(mancalaBoard 2 6 numStores:1)",
    ] {
        assert!(board(refused).is_err(), "{refused}");
    }
}

#[test]
fn a_cross_of_slanted_lines_has_its_rows_along_them() {
    let arms = "(rectangle 3 7 diagonals:Solid) (shift 2 -2 (rectangle 7 3 diagonals:Solid))";
    let cross = board(&format!("(board (merge {arms}) use:Vertex)")).expect("a board");
    assert_eq!(cross.topology.vertices.len(), 53);
    assert_eq!(cross.topology.vertices[0].label, "A7");
    // On a square there are as many of either: rows are upright.
    let square = board("(board (square 5 diagonals:Solid) use:Vertex)").expect("a board");
    assert_eq!(square.topology.vertices[0].label, "A1");
}

/// The defines of the public library that no public description uses.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn defines_that_no_description_uses_can_be_played() {
    let shared = common::shared();
    let (library, _) = Library::read(&shared.join("def"));
    assert_eq!(library.len(), common::files(&shared.join("def"), ".def").len());
    let square = "(board (square 5) use:Vertex) (piece \"Disc\" Each)";
    let forward = "(piece \"Disc\" Each (or (\"HopOrthogonalSequenceCapture\" ~ after:(count Rows)) (\"HopRotationalSequenceCapture\")))";
    let tables = "(piece \"Disc\" Each (move (from) (to (trackSite Move steps:1)))) (hand Each)";
    let end = "(end (if (is Full) (result Mover Win)))";
    let add = format!("(play (move Add (to (sites Empty)))) {end}");
    let placed = |rules: &str| {
        format!("(start {{(place \"Disc1\" {{0 6}}) (place \"Disc2\" {{1 7}})}}) {rules} {end}")
    };
    let cases = [
        (
            "(board (rectangle 2 13) (\"BackgammonTracksWithHands\" End) use:Vertex)".to_owned() + tables,
            "(start (place \"Disc\" \"Hand\")) (play (forEach Piece container:(mover))) ".to_owned() + end,
        ),
        (
            "(board (rectangle 2 12) (\"TableTracksOppositeWithHands2\") use:Vertex)".to_owned() + tables,
            "(start (place \"Disc\" \"Hand\")) (play (forEach Piece container:(mover))) ".to_owned() + end,
        ),
        (
            "(board (rectangle 2 12) (\"TableTracksSameDirectionOppositeCorners\" End))".to_owned() + tables,
            placed("(play (forEach Piece))"),
        ),
        (
            format!("(board (square 5)) {forward}"),
            placed(
                "(play (if (is Prev Mover) (or (\"HopOrthogonalSequenceCaptureAgain\" ~ ~ at:EndOfTurn)
                    (\"HopRotationalSequenceCaptureAgain\")) (forEach Piece)))",
            ),
        ),
        ("(\"LascaBoard\") (piece \"Disc\" Each)".to_owned(), add.clone()),
        (
            square.to_owned(),
            "(start (place Stack \"Disc1\" 0 count:3)) (play (forEach Level 0 FromTop
                (if (\"IsTopLevel\" 0) (move Add (to (sites Empty)))))) "
                .to_owned()
                + end,
        ),
        (
            square.to_owned(),
            format!("(play (move Add (to (sites Empty) if:(= 0 (\"OccupiedNbors\" (to) Mover))))) {end}"),
        ),
        (
            square.to_owned(),
            "(play (move Add (to (sites Empty)))) (end (\"SingleGroupWin\" Mover))".to_owned(),
        ),
        (
            square.to_owned(),
            format!("(play (move Add (to (sites Empty)) (then (\"SurroundCapture\" Orthogonal)))) {end}"),
        ),
    ];
    for (equipment, rules) in cases {
        let source =
            format!("(game \"Own\" (players 2) (equipment {{{equipment}}}) (rules {rules}))");
        let game = load::load("own", "own", &source, &library, &[]).into_game();
        let game = game.unwrap_or_else(|error| panic!("{error}"));
        let game = game.lud();
        let mut state = game.start();
        let (mut pad, mut moves) = (Pad::default(), Moves::default());
        game.legal(&mut state, &mut pad, &mut moves);
        let forced = moves.len() == 1 && moves.heads[0].to < 0;
        assert!(!moves.is_empty() && !forced, "no moves: {source}");
        play(game, &mut state, None);
    }
}

#[test]
fn nobody_sees_where_chance_hides_a_piece() {
    use ludex_core::{Game, Player};
    let text = "(game \"H\" (players 2) (equipment {(board (square 2)) (piece \"Disc\" Each)})
        (rules (start {(place Random {\"Disc1\"}) (set Hidden (sites Board) to:P2)})
        (play (move Add (to (sites Empty)))) (end (if (is Full) (result Mover Win)))))";
    let game = common::game(text).expect("a game");
    let start = game.start();
    let mut outcomes = Vec::new();
    game.chances(&start, &mut outcomes);
    assert_eq!(outcomes.len(), 4);
    let seen = |mv, player| {
        let (mut after, mut out) = (start.clone(), Vec::new());
        game.apply(&mut after, &[mv]);
        game.percept(&start, &[mv], &after, Player(player), &mut out);
        out
    };
    let (one, other) = (outcomes[0].0, outcomes[1].0);
    assert_eq!(seen(one, 1), seen(other, 1));
    assert_ne!(seen(one, 0), seen(other, 0));
}

#[test]
fn pieces_go_to_the_hand_of_their_owner_by_either_name() {
    let rules = |name: &str| {
        format!(
            "(game \"Hands\" (players 2) (equipment {{(board (square 3)) (hand Each) (piece \"Disc\" Each)}})
            (rules (start (place \"{name}\" \"Hand\" count:3)) (play (move Add (to (sites Empty))))
            (end (if (is Full) (result Mover Win)))))"
        )
    };
    let counts = |name: &str| load(&rules(name)).map(|g| [9, 10].map(|s| g.start().cell(s).count));
    assert_eq!(counts("Disc"), Ok([3, 3]));
    assert_eq!(counts("Disc2"), Ok([0, 3]));
    assert!(counts("Cross").is_err());
}

#[test]
fn the_start_may_go_over_some_players() {
    let rules = "(start (forEach (players NonMover) (set Score Player 7)))
        (play (move Add (to (sites Empty)))) (end (if (is Full) (byScore)))";
    let game = game(3, "", rules);
    let layout = game.layout();
    let state = game.start();
    assert_eq!([1, 2, 3].map(|p| state.numbers[layout.score(p)]), [0, 7, 7]);
}
