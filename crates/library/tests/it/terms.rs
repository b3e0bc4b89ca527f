//! The terms of heuristics have the values that one computes by hand, in both rule languages.

use ludex_core::{Game, Player};

/// Tic-Tac-Toe with crosses on a1 and b2, a ring on b1. The values are those of the crosses.
///
/// - `material`: 2 pieces against 1, each worth 1: 1/3.
/// - `centre`: b2 has 1, b1 has 1 - 1/sqrt(2) = 0.2929, a1 has 0: means of 0.5 and 0.2929. `corners`: a1 has 1, b2 has 0, the same means.
/// - `sides`: a1 and b1 have 1, b2 has 0: means of 0.5 and 1.
/// - `advance`: a1 has 0 and b2 has 0.5 for the first player, b1 has 1 for the second.
/// - `line`: the crosses have two in a1-b2-c3 (4) and one in three more rows (3), the ring has no row of its own.
const EXPECTED: [(&str, f32); 6] = [
    ("material", 1.0 / 3.0),
    ("centre", 0.261_204),
    ("corners", 0.261_204),
    ("sides", -1.0 / 3.0),
    ("advance", -0.6),
    ("line", 1.0),
];

/// The terms of descriptions alone. Both players would have six moves, which end on the six empty sites. No move ends on a piece, so
/// all pieces are safe. It is the turn of the ring.
const OF_DESCRIPTIONS: [(&str, f32); 5] =
    [("mobility", 0.0), ("influence", 0.0), ("safe", 1.0 / 3.0), ("mover", -1.0), ("held", 0.0)];

#[test]
fn terms_have_the_values_computed_by_hand() {
    let moves = [
        ("kif:tictactoe", ["(mark 1 1)", "(mark 2 1)", "(mark 2 2)"]),
        ("lud:tic-tac-toe", ["Cross1@A1", "Nought2@B1", "Cross1@B2"]),
    ];
    for (name, moves) in moves {
        let game = ludex_library::open(name).unwrap();
        let mut state = game.start();
        for (i, text) in moves.iter().enumerate() {
            let mv = game.parse_move(&state, Player(i as u8 % 2), text).unwrap();
            game.apply(&mut state, &[mv]);
        }
        let mut values = vec![0.0; game.terms().len()];
        for seat in 0..2 {
            let sign = if seat == 0 { 1.0 } else { -1.0 };
            game.evaluate(&state, Player(seat), &mut values);
            let own = OF_DESCRIPTIONS.iter().filter(|_| name.starts_with("lud:"));
            for (term, expected) in EXPECTED.iter().chain(own) {
                let at = game.terms().iter().position(|known| known == term).unwrap();
                let value = values[at];
                assert!((value - sign * expected).abs() < 1e-4, "{name} {term}: {value}");
            }
        }
    }
}

/// The goal values of the position and the moves of the player to move: 6 moves are worth 6/22, to the disadvantage of the other.
#[test]
fn sheets_without_a_board_have_a_score_and_mobility() {
    let game = ludex_library::open("kif:nim").unwrap();
    assert_eq!(game.terms(), ["score", "mobility"]);
    let state = game.start();
    let mut legal = Vec::new();
    game.moves(&state, Player(0), &mut legal);
    let expected = legal.len() as f32 / (legal.len() as f32 + 16.0);
    let mut values = [0.0; 2];
    game.evaluate(&state, Player(1), &mut values);
    assert!((values[1] + expected).abs() < 1e-6, "{values:?}");
}

/// A queen has more moves than a pawn in random play, so she is worth more.
#[test]
fn pieces_are_worth_what_they_can_do() {
    let game = ludex_library::open("kif:minichess").unwrap();
    let start = game.start();
    let material = |text: &str| {
        let state = game.parse_position(text).unwrap();
        let mut values = vec![0.0; game.terms().len()];
        game.evaluate(&state, Player(0), &mut values);
        values[0]
    };
    let text = game.position(&start);
    assert!(material(&text).abs() < 1e-6, "both sides begin with the same pieces");
    let without = |piece: &str| material(&text.replace(piece, ""));
    let (queen, pawn) = (without("(cell 2 5 second queen)"), without("(cell 2 4 second pawn)"));
    assert!(queen > 1.5 * pawn && pawn > 0.0, "queen {queen}, pawn {pawn}");
}

/// Breakthrough with two white pieces, a1 and c4, and one black piece, d5. White would have six moves, a1-a2, a1-b2, c4-b5, c4-c5, c4xd5
/// and no other, because c4 stands behind nothing: two from a1 and three from c4. Black would have three: d5-d4, d5xc4 and d5-e4.
///
/// - `mobility`: (5 - 3) / 8, `influence`: the same, since all moves end on different sites.
/// - `safe`: the moves of both sides end on c4 and d5, so only a1 is safe: (v - 0) / v = 1.
#[test]
fn reach_and_safety_follow_from_the_moves_of_both_sides() {
    let game = ludex_library::open("lud:breakthrough").unwrap();
    let state = game.parse_position("8/8/8/3p4/2P5/8/8/P7 w").unwrap();
    let mut values = vec![0.0; game.terms().len()];
    game.evaluate(&state, Player(0), &mut values);
    let value = |term: &str| values[game.terms().iter().position(|known| *known == term).unwrap()];
    assert!((value("mobility") - 0.25).abs() < 1e-6, "{}", value("mobility"));
    assert!((value("influence") - 0.25).abs() < 1e-6, "{}", value("influence"));
    assert!((value("safe") - 1.0).abs() < 1e-6, "{}", value("safe"));
}
