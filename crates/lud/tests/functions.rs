//! Numbers, conditions and regions of the language that recorded games seldom ask for, on small games.

#[path = "common/small.rs"]
mod small;

use ludex_lud::engine::Lud;
use small::{legal, play};

/// Two players' discs, kings and a neutral rock on nine cells, with a hand each.
const PIECES: &str = "(piece \"Disc\" Each) (piece \"King\" Each) (piece \"Rock\" Neutral)";

fn load(board: &str, start: &str, play: &str) -> Result<Lud, String> {
    let text = format!(
        "(game \"Ask\" (players 2) (equipment {{(board {board}) (hand Each size:2) {PIECES}
            (regions P1 {{(sites Left) (sites Right)}}) (regions P2 {{(sites Top) (sites Bottom)}})}})
            (rules (start {{{start}}}) (play {play}) (end (if (is Full) (result Mover Win)))))"
    );
    small::load(&text)
}

/// The sites of a region in a position.
fn sites(start: &str, region: &str) -> Vec<i32> {
    on("(square 3)", start, region)
}

/// The same on another board.
fn on(board: &str, start: &str, region: &str) -> Vec<i32> {
    let play = format!("(move Select (from {region}))");
    let game = load(board, start, &play).expect("a game");
    let from = legal(&game, &mut game.start()).into_iter().map(|(from, _)| from);
    from.filter(|&site| site >= 0).collect()
}

/// A number in a position, as so many sites of the board.
fn number(start: &str, value: &str) -> i32 {
    let all = format!("(forEach (sites Board) if:(< (site) {value}))");
    sites(start, &all).len() as i32
}

/// Does a condition hold in a position?
fn holds(start: &str, condition: &str) -> bool {
    !sites(start, &format!("(if {condition} (sites {{0}}))")).is_empty()
}

#[test]
fn a_piece_that_is_only_in_a_hand_is_nowhere() {
    assert_eq!(number("(place \"King1\" 4)", "(where \"King\" P1)"), 4);
    assert!(holds("(place \"King1\" \"Hand1\")", "(= Off (where \"King\" P1))"));
    assert_eq!(number("(place \"Disc2\" 5)", "(where \"Disc\" Enemy)"), 5);
}

#[test]
fn pieces_are_counted_by_kind_or_by_container() {
    let start = "(place \"Disc1\" {0 1}) (place \"Disc2\" 2) (place \"Disc1\" \"Hand1\" count:3)";
    assert_eq!(number(start, "(count Pieces P1 \"Disc\")"), 5);
    assert_eq!(number(start, "(count Pieces P1 \"Board\")"), 2);
    assert_eq!(number(start, "(count Pieces P1 \"Hand1\")"), 3);
    assert_eq!(number(start, "(count Pieces All \"Hand\")"), 3);
    assert!(holds(start, "(no Pieces P2 \"Hand\")"));
    assert_eq!(number(start, "(count Sites \"Hand1\")"), 2);
    assert_eq!(sites(start, "(sites Empty 2)"), [11, 12]);
}

#[test]
fn numbers_have_bounds() {
    assert_eq!(number("", "(^ 2 3)"), 8);
    assert!(holds("", "(= Infinity (min Infinity (^ 10 40)))"));
    assert!(holds("", "(= 0 (^ 2 -1))"));
    assert_eq!(
        number("(place \"Rock0\" 4)", "(regionSite (sites Occupied by:Neutral) index:0)"),
        4
    );
    assert!(holds("", "(= Off (regionSite (sites Board) index:-1))"));
}

#[test]
fn who_is_whose_friend_depends_on_whom_one_asks() {
    let whose = |who: &str| {
        let region = format!("(forEach (players {who}) (sites Occupied by:Player))");
        sites("(place \"Disc1\" 3) (place \"Disc2\" 5)", &region)
    };
    assert_eq!(whose("Enemy of:2"), [3]);
    assert_eq!(whose("Friend of:2"), [5]);
    assert!(whose("Ally of:2").is_empty());
    assert_eq!(whose("NonMover"), [5]);
}

#[test]
fn a_player_is_blocked_when_no_way_is_left() {
    let blocked = "(is Blocked P1)";
    assert!(!holds("(place \"Disc2\" {1 4})", blocked));
    assert!(holds("(place \"Disc2\" {1 4 7})", blocked));
    // Own pieces are no hindrance, and corners may be turned.
    assert!(!holds("(place \"Disc1\" {1 4 7})", blocked));
    assert!(!holds("(place \"Disc2\" {1 5 7})", "(is Blocked P1)"));
    assert!(holds("(place \"Disc2\" {1 5 7})", "(is Blocked Orthogonal P1)"));
}

#[test]
fn the_sites_of_a_pattern_are_those_of_all_its_walks() {
    let corner = "(place \"Disc1\" {0 1 4})";
    assert_eq!(sites(corner, "(sites Pattern {F R F} from:4)"), [0, 1, 4]);
    assert_eq!(sites(corner, "(sites Pattern {F L F} from:0)"), [0, 1, 4]);
    assert!(sites(corner, "(sites Pattern {F L F} from:4)").is_empty());
    assert!(sites(corner, "(sites Pattern {F L F} from:0 what:(id \"Disc2\"))").is_empty());
    assert!(holds(corner, "(is Pattern {F R F} from:4)"));
    assert!(!holds(corner, "(is Pattern {F L F} from:4)"));
}

#[test]
fn empty_sites_next_to_pieces_are_playable() {
    assert_eq!(sites("(place \"Disc1\" 0)", "(sites Playable)"), [1, 3, 4]);
    assert!(sites("", "(sites Playable)").is_empty());
}

#[test]
fn corners_turn_around_a_board_or_into_it() {
    let cross = "(merge (shift 0 1 (rectangle 1 3)) (shift 1 0 (rectangle 3 1)))";
    let (convex, all) = (on(cross, "", "(sites ConvexCorners)"), on(cross, "", "(sites Corners)"));
    let concave = on(cross, "", "(sites ConcaveCorners)");
    assert_eq!((convex.len(), concave.len(), all.len()), (4, 1, 5));
}

#[test]
fn levels_of_a_stack_are_numbers() {
    let start = "(place Stack items:{\"Disc1\" \"Disc2\" \"Disc1\"} 4)";
    let levels = |more: &str| sites(start, &format!("(forEach Level at:4 {more})"));
    assert_eq!(levels(""), [0, 1, 2]);
    assert_eq!(levels("if:(= 1 (who at:4 level:(level)))"), [0, 2]);
    assert_eq!(levels("FromBottom startAt:1"), [1, 2]);
    assert_eq!(levels("FromTop startAt:1"), [0, 1]);
}

#[test]
fn groups_are_of_all_pieces_or_of_the_mover() {
    let start = "(place \"Disc1\" {0 1}) (place \"Disc2\" {2 8})";
    assert_eq!(number(start, "(count SizeBiggestGroup Orthogonal)"), 3);
    assert_eq!(number(start, "(count SizeBiggestLine Orthogonal)"), 3);
    assert!(holds(start, "(all Groups if:(= 2 (count Sites in:(sites))))"));
}

#[test]
fn sites_of_another_kind_are_refused_where_a_form_does_not_know_them() {
    let ask =
        |region: &str| load("(square 3) use:Vertex", "", &format!("(move Select (from {region}))"));
    assert!(ask("(sites Empty Vertex)").is_ok());
    assert!(ask("(sites Empty Cell)").is_ok());
    assert!(ask("(sites Group Cell at:0)").is_err());
    assert!(ask("(sites Distance Edge from:0 (range 1 2))").is_err());
    // Hands have cells.
    assert!(ask("(if (is Empty Cell (handSite P1)) (sites {0}))").is_ok());
}

#[test]
fn a_loop_may_be_anybodys_and_have_to_hold_somebody() {
    let ring = "(place \"Disc1\" {0 1 2 3 5 6 7 8})";
    let held = format!("{ring} (place \"Disc2\" 4)");
    assert!(holds(ring, "(is Loop 1 0)") && holds(&held, "(is Loop 1 0)"));
    assert!(!holds(ring, "(is Loop 2 0)") && !holds(ring, "(is Loop 1 4)"));
    assert!(!holds(ring, "(is Loop {P2} 1 0)") && holds(&held, "(is Loop {P2} 1 0)"));
    assert!(holds(&held, "(is Loop {P2 Neutral} 1 (sites {4 8}))"));
}

#[test]
fn words_that_have_no_meaning_yet_are_not_taken_for_names() {
    let ask = |region: &str| load("(square 3)", "", &format!("(move Select (from {region}))"));
    assert!(ask("(sites Mover)").is_ok() && ask("(sites \"B2\")").is_ok());
    for region in ["(sites Winning Mover)", "(sites Hint)"] {
        assert!(ask(region).is_err(), "{region}");
    }
}

#[test]
fn edges_cross_where_they_share_no_end() {
    let ask = |condition: &str| {
        let text = format!(
            "(game \"Edges\" (players 2) (equipment {{(board (graph
                vertices:{{{{0 0}} {{2 2}} {{0 2}} {{2 0}} {{4 0}}}} edges:{{{{0 1}} {{2 3}} {{3 4}}}})
                use:Edge) (piece \"Mark\" Each) (piece \"Line\" Shared)}})
                (rules (start (set Shared Edge (sites Board Edge)))
                    (play (move Remove (sites Occupied by:Shared)))
                    (end (if {condition} (result Mover Win)))))"
        );
        let game = small::load(&text).expect("a game");
        let mut state = game.start();
        play(&game, &mut state, None);
        state.s.over
    };
    assert!(ask("(is Crossing 0 1)") && !ask("(is Crossing 1 2)") && !ask("(is Crossing 0 2)"));
    // The first edge has been taken away.
    assert!(ask("(= (sites {1}) (sites Crossing at:0 All))"));
    assert!(ask("(= 0 (count Sites in:(sites Crossing at:1 All)))"));
    assert!(ask("(is LastTo Edge)") && !ask("(is LastTo Vertex)"));
}
