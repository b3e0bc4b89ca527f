//! Matches of several games: which game follows, what is won, and how the match ends.

use std::path::PathBuf;

use ludex_core::{Game, Move, Player, Turn, testkit};
use ludex_lud::expand::Library;
use ludex_lud::game::LudGame;
use ludex_lud::load;

/// The first player to place a piece wins, which is always the first one. The winner scores 3.
const FIRST: &str = "(game \"First\" (players 2) (equipment {(board (square 2)) (piece \"Disc\" Each)})
    (rules (play (move Add (to (sites Empty)) (then (addScore Mover 3)))) (end (if True (result Mover Win)))))";

/// Dice decide who wins; a tie of the dice is a draw.
const DICE: &str = "(game \"Dice\" (players 2) (equipment {(board (square 3)) (piece \"Disc\" Each) (piece \"King\" Each)
        (hand Each) (dice d:2 num:2)})
    (rules (start (place \"Disc1\" 4)) (play (do (roll) next:(move Add (to (sites Empty)))))
        (end {(if (all DiceEqual) (result P2 Win)) (if True (result P1 Draw))})))";

/// A match of games that lie in one folder.
fn open(name: &str, text: &str) -> Result<LudGame, String> {
    let folder = std::env::temp_dir().join(format!("ludex-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (game, text) in [("First", FIRST), ("Dice", DICE)] {
        std::fs::write(folder.join(format!("{game}.lud")), text).expect("a file");
    }
    let path: PathBuf = folder.join("Match.lud");
    let loaded = load::load(name, &path.display().to_string(), text, &Library::default(), &[]);
    std::fs::remove_dir_all(&folder).expect("an end");
    loaded.into_game()
}

/// Makes the first move, or the outcome of chance of this number.
fn go(game: &LudGame, position: &mut <LudGame as Game>::State, outcome: usize) -> String {
    let mv: Move = match game.turn(position) {
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chances(position, &mut outcomes);
            outcomes[outcome].0
        }
        Turn::One(player) => {
            let mut moves = Vec::new();
            game.moves(position, player, &mut moves);
            moves[0]
        }
        turn => panic!("{turn:?}"),
    };
    game.apply(position, &[mv]);
    game.move_text(mv)
}

#[test]
fn games_follow_one_another_until_the_match_is_won() {
    let game = open(
        "both",
        "(match \"Both\" (players 2)
            (games {(subgame \"First\" next:1 result:(score Mover)) (subgame \"Dice\" next:0 result:4)})
            (end {(if (>= (matchScore P1) 6) (result P1 Win)) (if (>= (matchScore P2) 6) (result P2 Win))}))",
    )
    .expect("a match");
    let mut position = game.start();
    let mut texts = Vec::new();
    // The outcome of the dice: equal, so the second player wins.
    while game.turn(&position) != Turn::Over {
        texts.push(go(&game, &mut position, 0));
        let text = game.position(&position);
        let again = game.parse_position(&text).expect("readable");
        assert_eq!(game.position(&again), text);
    }
    // First: 3 points for P1. Dice: 4 points for P2. First: 6 points for P1.
    let next = texts.iter().filter(|text| *text == "next-game").count();
    assert_eq!((next, texts.len()), (3, 7), "{texts:?}");
    assert_eq!(position.state.won, [0, 6, 4]);
    let mut payoffs = [0.5; 2];
    game.payoffs(&position, &mut payoffs);
    assert_eq!(payoffs, [1.0, 0.0]);
}

#[test]
fn without_a_result_points_are_counted_by_rank() {
    let game = open(
        "points",
        "(match \"Points\" (players 2) (games {(subgame \"First\") (subgame \"Dice\")})
            (end (if (= (count Trials) 3) (byScore {(score P1 (matchScore P1)) (score P2 (matchScore P2))}))))",
    )
    .expect("a match");
    let mut position = game.start();
    while game.turn(&position) != Turn::Over {
        go(&game, &mut position, 1);
    }
    // First is played twice, and the dice make a draw.
    assert_eq!(position.state.won, [0, 2, 0]);
    let mut payoffs = [0.5; 2];
    game.payoffs(&position, &mut payoffs);
    assert_eq!(payoffs, [1.0, 0.0]);
}

#[test]
fn matches_keep_the_laws_of_games() {
    let game = open(
        "laws",
        "(match \"Laws\" (players 2) (games {(subgame \"Dice\") (subgame \"First\")})
            (end (if (= (count Trials) 4) (result P1 Draw))))",
    )
    .expect("a match");
    testkit::conform(&game);
    assert_eq!(game.info().players.len(), 2);
    let mut moves = Vec::new();
    let position = game.start();
    game.moves(&position, Player(0), &mut moves);
    assert!(moves.is_empty(), "dice are thrown first");
}

#[test]
fn a_match_names_the_game_that_is_missing() {
    let error = open(
        "missing",
        "(match \"Missing\" (games {(subgame \"First\") (subgame \"Nowhere\")}) (end (if True (result P1 Win))))",
    )
    .expect_err("no such game");
    assert!(error.contains("the game Nowhere of this match is not found"), "{error}");
}

#[test]
fn a_match_reads_no_files_of_other_folders() {
    // The file exists, but its name leads out of the folder of the match and back.
    let name = format!("../ludex-outside-{}/First", std::process::id());
    let text = format!(
        "(match \"Outside\" (players 2) (games {{(subgame \"{name}\" next:0 result:1)}})
            (end (if (>= (matchScore P1) 6) (result P1 Win))))"
    );
    let error = open("outside", &text).err().unwrap_or_default();
    assert!(error.contains("of this match is not found"), "{error}");
}
