//! Games of the public library keep the laws of every game.

mod common;

use ludex_core::{Game, Seed, Turn, testkit};

/// Games of several families: placing, moving, custodial capture, sowing, dice, several kinds of elements, large pieces, chance at
/// the start, hidden pieces.
const GAMES: [&str; 12] = [
    "board/space/line/Tic-Tac-Toe",
    "board/race/reach/Breakthrough",
    "board/war/custodial/Brandub",
    "board/sow/two_rows/Awari",
    "board/race/escape/Senet",
    "board/space/territory/Pula",
    "board/war/replacement/eliminate/all/Triple Tangle",
    "math/graph/Contagion",
    "experimental/Allemande",
    "board/space/blocking/Cram",
    "puzzle/planning/Lights Out",
    "board/space/blocking/Banqi",
];

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn games_of_the_library_keep_the_laws() {
    let (root, library) = (common::shared(), common::library());
    for name in GAMES {
        let path = root.join("lud").join(format!("{name}.lud"));
        let game = common::open(&path, &library).unwrap_or_else(|error| panic!("{error}"));
        if let Err(law) = testkit::check(&game, 1, Seed(7)) {
            panic!("{name}: {law}");
        }
    }
}

#[test]
fn many_dice_fall_one_after_the_other() {
    let text = "(game \"Eight\" (players 2)
        (equipment {(board (square 4)) (piece \"Disc\" Each (move Step (to if:(is Empty (to)))))
            (dice d:6 num:8)})
        (rules (start {(place \"Disc1\" {0 1}) (place \"Disc2\" {14 15})})
            (play (do (roll) next:(forEach Piece)))
            (end (if (= (count Turns) 5) (result Mover Win)))))";
    let game = common::game(text).expect("loads");
    let mut outcomes = Vec::new();
    let mut state = game.start();
    for die in 1..=8 {
        assert_eq!(game.turn(&state), Turn::Chance);
        outcomes.clear();
        game.chances(&state, &mut outcomes);
        assert_eq!(outcomes.len(), 6, "not all of 1,679,616 outcomes at once");
        assert_eq!(game.move_text(outcomes[2].0), format!("die{die}:3"));
        game.apply(&mut state, &[outcomes[2].0]);
    }
    assert!(matches!(game.turn(&state), Turn::One(_)));
    testkit::conform(&game);
    let text = game.position(&game.start());
    assert!(game.parse_position(&format!("{text} thrown:8")).is_err());
}
