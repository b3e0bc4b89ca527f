//! Boards of real games as text and as SVG.

use ludex_core::{Game, Match, Seed};
use ludex_draw::{Marks, board, svg};

fn drawn(name: &str) -> String {
    let game = ludex_library::open(name).unwrap();
    board(&game, &game.start(), None, &Marks::default())
}

#[test]
fn chess_has_a_letter_for_every_kind_of_piece_and_small_letters_for_the_second_player() {
    let text = drawn("lud:chess");
    assert!(text.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n"), "{text}");
    assert!(text.contains("1  R N B Q K B N R\n   a b c d e f g h\n"), "{text}");
    assert!(text.contains("N P1 knight"), "{text}");
}

#[test]
fn a_legend_is_cut_into_lines_that_fit_a_terminal() {
    let text = drawn("lud:chess");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("r P2 rook"), "{text}");
}

#[test]
fn four_players_with_a_letter_each_need_no_numbers() {
    let text = drawn("ludo");
    assert!(text.contains("A first token, B second token, C third token"), "{text}");
    assert!(!text.contains("C3"), "{text}");
}

#[test]
fn both_colours_of_reversi_can_be_told_apart() {
    let text = drawn("lud:reversi");
    assert!(text.contains("5  . . . d D . . .\n4  . . . D d . . .\n"), "{text}");
}

#[test]
fn pits_show_how_many_seeds_they_hold() {
    let text = drawn("lud:oware");
    assert!(text.contains("S4 S4 S4 S4 S4 S4"), "{text}");
    // The stores are closer to the pits than the pits are to each other, and have a letter of their own all the same.
    assert!(text.contains("f  g  h") || text.contains("f  g h"), "{text}");
    let game = ludex_library::open("lud:oware").unwrap();
    let state = game.parse_position("1:1x1 6:1x1 mover:1 next:2").unwrap();
    let text = board(&game, &state, None, &Marks::default());
    assert!(text.contains("a b c d e f g h"), "{text}");
}

#[test]
fn rule_sheets_have_boards_without_knowing_any_name() {
    let text = drawn("kif:breakthrough6");
    assert!(text.starts_with("6  o o o o o o\n5  o o o o o o\n4  . . ."), "{text}");
    let game = ludex_library::open("kif:connect4").unwrap();
    let drop = game.parse_move(&game.start(), ludex_core::Player(0), "(drop 4)").unwrap();
    let site = game.move_sites(drop).to.and_then(|site| game.scene().sites.get(site).cloned());
    assert_eq!(site.map(|site| site.label).as_deref(), Some("d6"));
    assert!(drawn("kif:nim").contains("(heap a 3)"));
}

#[test]
fn a_board_of_hexagons_has_coordinates_and_sides() {
    let board = drawn("lud:hex");
    assert!(board.contains("a11  - . . . . . . . . . -  k1") || board.contains("k1"), "{board}");
    assert!(board.contains("- side of P1, = side of P2"), "{board}");
    let middle = board.lines().find(|line| line.trim_start().starts_with("a11")).unwrap();
    assert!(middle.trim_end().ends_with("k1"), "{board}");
}

#[test]
fn lines_that_can_be_drawn_are_shown_between_their_points() {
    let board = drawn("lud:dots-and-boxes");
    assert!(board.contains("1  + . + . + . + . +"), "{board}");
    assert!(board.contains("a b c d e f g h i"), "{board}");
}

#[test]
fn stacks_of_connect_four_stand_in_columns() {
    let game = ludex_library::open("lud:connect-four").unwrap();
    let mut play = Match::new(&game);
    let first = play.legal(ludex_core::Player(0))[0];
    play.apply(&[first]);
    let second = play.legal(ludex_core::Player(1))[0];
    play.apply(&[second]);
    let text = board(&game, play.state(), None, &Marks::default());
    assert!(text.contains(" 2  d . . . . . .\n 1  D . . . . . .\n    a b c d e f g\n"), "{text}");
}

#[test]
fn a_picture_can_be_made_of_pixels() {
    let game = ludex_library::open("lud:backgammon").unwrap();
    let view = game.view(&game.start(), None);
    let picture = ludex_draw::png(&game.scene(), &view, &Marks::default(), 300).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 2000);
    assert!(ludex_draw::png(&game.scene(), &view, &Marks::default(), 100_000).is_none());
}

#[test]
fn the_last_move_is_marked() {
    let game = ludex_library::open("tictactoe").unwrap();
    let mut play = Match::new(&game);
    play.try_apply_text(&["b2"]).unwrap();
    let last = play.joint(0).map(|joint| game.move_sites(joint[0]));
    let text = board(&game, play.state(), None, &Marks { last, colour: false });
    assert!(text.contains("2  .  X* ."), "{text}");
}

/// Plays random moves in a built-in game. Every piece must stand on a site, every move must name sites that exist, and the
/// SVG must be well-formed.
fn check(name: &str) {
    let game = ludex_library::open(name).unwrap();
    let scene = game.scene();
    let mut play = Match::new(&game);
    let mut rng = Seed(1).rng();
    for _ in 0..12 {
        let view = game.view(play.state(), None);
        for placed in &view.pieces {
            assert!(placed.site < scene.sites.len(), "{name}: {placed:?}");
            assert!(placed.piece.is_none_or(|piece| piece < scene.pieces.len()), "{name}");
        }
        well_formed(name, &svg(&scene, &view, &Marks::default()));
        for mover in play.turn().movers().iter() {
            for mv in play.legal(mover) {
                let sites = game.move_sites(mv);
                let there = [sites.from, sites.to].into_iter().flatten();
                assert!(
                    there.into_iter().all(|site| site < scene.sites.len()),
                    "{name}: {}",
                    game.move_text(mv)
                );
            }
        }
        play.apply_random(&mut rng);
    }
}

fn well_formed(name: &str, picture: &str) {
    let mut reader = quick_xml::Reader::from_str(picture);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => return,
            Ok(_) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn every_built_in_game_is_drawn() {
    let names = ludex_library::names();
    assert!(names.len() > 60, "{names:?}");
    names.iter().for_each(|name| check(name));
}
