//! Games of the public library keep the laws of every game.

use std::path::{Path, PathBuf};

use ludex_core::{Game, Seed, Turn, testkit};
use ludex_lud::expand::{Library, expand};
use ludex_lud::game::LudGame;
use ludex_lud::tree;

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii")
}

/// Of several families: placing, moving, custodial capture, sowing, dice.
const GAMES: [&str; 5] = [
    "board/space/line/Tic-Tac-Toe",
    "board/race/reach/Breakthrough",
    "board/war/custodial/Brandub",
    "board/sow/two_rows/Awari",
    "board/race/escape/Senet",
];

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn games_of_the_library_keep_the_laws() {
    let root = shared();
    let library = Library::read(&root.join("def")).0;
    for name in GAMES {
        let path = root.join("lud").join(format!("{name}.lud"));
        let source = std::fs::read_to_string(&path).expect("a description");
        let expanded = expand(name, &source, &library, &[]).expect("expands");
        let tree = tree::game(&expanded.game).expect("is a tree");
        let game = LudGame::new(name, &tree).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
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
    let text = ludex_lud::source::Text::of_file(0, text);
    let game = LudGame::new("eight", &tree::game(&text).expect("is a tree")).expect("loads");
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
