//! Chance in all positions of a description, on small games.

#[path = "common/small.rs"]
mod small;

use ludex_core::{Game, Move, Player, Turn};
use ludex_lud::game::LudGame;
use ludex_lud::source::Text;
use ludex_lud::tree;

fn game(players: u32, equipment: &str, rules: &str) -> LudGame {
    let text = format!(
        "(game \"Chance\" (players {players}) (equipment {{{equipment}}})
            (rules {rules} (end (if (= 99 (count Moves)) (result Mover Win)))))"
    );
    let text = Text::of_file(0, &text);
    LudGame::new("chance", &tree::game(&text).0.expect("a tree")).expect("a game")
}

fn outcomes(game: &LudGame, position: &<LudGame as Game>::State) -> Vec<Move> {
    let mut list = Vec::new();
    game.chances(position, &mut list);
    let sum: f64 = list.iter().map(|(_, chance)| chance).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    list.into_iter().map(|(outcome, _)| outcome).collect()
}

/// What stands on each site of a position, with the number of pieces.
fn table(game: &LudGame, position: &<LudGame as Game>::State) -> String {
    let text = game.position(position);
    let sites = text.split(' ').filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    sites.collect::<Vec<_>>().join(" ")
}

#[test]
fn chance_draws_the_numbers_of_a_listed_move_once_it_is_chosen() {
    let game = game(
        1,
        "(board (square 2)) (hand P1) (piece \"Bean\" Shared)",
        "(start (place \"Bean\" 0 count:5))
         (play (move (from (sites {0})) (to (handSite P1)) count:(value Random (range 1 (count at:0)))))",
    );
    let mut position = game.start();
    let mut moves = Vec::new();
    game.moves(&position, Player(0), &mut moves);
    assert_eq!(moves.len(), 1);
    game.apply(&mut position, &moves);
    assert_eq!(game.turn(&position), Turn::Chance);
    let drawn = outcomes(&game, &position);
    assert_eq!(drawn.len(), 5);
    game.apply(&mut position, &drawn[2..3]);
    assert_eq!(table(&game, &position), "0:1x2 4:1x3");
}

#[test]
fn a_consequence_throws_dice_while_the_move_is_made() {
    let game = game(
        1,
        "(board (square 2)) (piece \"A\" P1) (dice d:4 num:2)",
        "(play (move Add (to (sites Empty)) (then (and (roll) (moveAgain)))))",
    );
    let mut position = game.start();
    let mut moves = Vec::new();
    game.moves(&position, Player(0), &mut moves);
    assert_eq!(moves.len(), 4);
    game.apply(&mut position, &moves[..1]);
    // The dice fall one after the other, and the move is made with both.
    for face in [1, 3] {
        assert_eq!(game.turn(&position), Turn::Chance);
        let drawn = outcomes(&game, &position);
        assert_eq!(drawn.len(), 4);
        game.apply(&mut position, &drawn[face..face + 1]);
    }
    assert_eq!(game.turn(&position), Turn::One(Player(0)));
    let shown: Vec<i32> = (4..6).map(|site| i32::from(position.state.cells[site].state)).collect();
    assert_eq!(shown, [1, 3]);
}

#[test]
fn effects_of_a_listed_move_draw_too() {
    let game = game(
        1,
        "(board (square 2)) (piece \"A\" P1 (move Step (to if:(is Empty (to))
            (apply (set Value at:(from) (value Random (range 1 3)))))))",
        "(start (place \"A1\" 0)) (play (forEach Piece))",
    );
    let mut position = game.start();
    let mut moves = Vec::new();
    game.moves(&position, Player(0), &mut moves);
    game.apply(&mut position, &moves[..1]);
    let drawn = outcomes(&game, &position);
    assert_eq!(drawn.len(), 3);
    game.apply(&mut position, &drawn[1..2]);
    assert!(table(&game, &position).ends_with(":1v2"), "{}", table(&game, &position));
}

#[test]
fn which_moves_there_are_is_not_drawn() {
    let text = "(game \"G\" (players 1) (equipment {(board (square 2)) (piece \"A\" P1)})
        (rules (play (if (= 1 (value Random (range 1 2))) (move Add (to (sites Empty))) (move Pass)))
        (end (if (is Full) (result Mover Win)))))";
    assert!(small::load(text).is_err_and(|why| why.contains("value Random")));
}

#[test]
fn one_of_some_pieces_or_a_stack_of_them_lies_at_the_start() {
    let play = "(play (move Remove (sites Occupied by:All)))";
    let one = game(
        1,
        "(board (square 2)) (hand P1) (piece \"A\" P1) (piece \"B\" P1)",
        &format!("(start (place Random (sites {{(handSite P1)}}) {{\"A1\" \"B1\"}} True)) {play}"),
    );
    let mut position = one.start();
    let drawn = outcomes(&one, &position);
    assert_eq!(drawn.len(), 2);
    one.apply(&mut position, &drawn[1..]);
    assert_eq!(table(&one, &position), "4:2");
    for stack in ["{\"A1\" \"B1\"} count:{2 1} 3", "{(count \"A1\" 2) (count \"B1\" 1)} 3"] {
        let game = game(
            1,
            "(board (square 2)) (piece \"A\" P1) (piece \"B\" P1)",
            &format!("(start (place Random {stack})) {play}"),
        );
        let mut position = game.start();
        for left in [3, 2] {
            let drawn = outcomes(&game, &position);
            assert_eq!(drawn.len(), left, "{stack}");
            game.apply(&mut position, &drawn[left - 1..]);
        }
        assert_eq!(table(&game, &position), "3:2/1/1", "{stack}");
    }
}

#[test]
fn a_pass_has_the_effects_after_which_no_move_is_left() {
    let game = game(
        2,
        "(board (square 2)) (dice d:2 from:1 num:1) (piece \"A\" Each)",
        "(play (do (roll) next:(do (set Value Mover 4) next:(forEach Piece))))",
    );
    let mut position = game.start();
    let thrown = outcomes(&game, &position);
    game.apply(&mut position, &thrown[..1]);
    let mut moves = Vec::new();
    game.moves(&position, Player(0), &mut moves);
    assert_eq!(moves.len(), 1);
    game.apply(&mut position, &moves);
    let numbers = game.position(&position);
    assert!(numbers.contains(" numbers:0,0,0,-1,4,-1,"), "{numbers}");
}
