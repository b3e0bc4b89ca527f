//! The door: names open games, and what is wrong with a name or a position is said.

use ludex_core::{Game, testkit};
use ludex_games::{catalog, open};
use proptest::prelude::*;

#[test]
fn every_example_opens_conforms_and_names_itself() {
    for entry in catalog() {
        assert!(!entry.examples.is_empty(), "{}", entry.name);
        for name in entry.examples {
            let game = open(name).unwrap();
            let own = &game.info().name;
            assert_eq!(open(own).unwrap().info(), game.info(), "{name}");
            testkit::check(&game, 5, ludex_core::Seed(3)).unwrap();
        }
    }
}

#[test]
fn canonical_names_leave_defaults_out() {
    for (given, canonical) in [
        ("connect4(7,6,4)", "connect4"),
        ("connect4(5,4)", "connect4(columns=5,rows=4)"),
        ("connect4( rows = 5 )", "connect4(rows=5)"),
        ("nim", "nim(3,4,5)"),
        ("nim(1,2,misere=false)", "nim(1,2)"),
        ("goofspiel(4,ascending)", "goofspiel(cards=4,order=ascending)"),
        ("pig(players=3)", "pig(players=3)"),
        ("minichess(promotion=none,quiet=50)", "minichess(promotion=none)"),
    ] {
        assert_eq!(open(given).unwrap().info().name, canonical);
    }
}

#[test]
fn the_example_position_of_each_game_is_read() {
    for entry in catalog() {
        let game = open(entry.name).unwrap();
        let state = game.parse_position(entry.position).unwrap();
        assert_eq!(game.position(&state), entry.position);
        assert!(!game.is_over(&state), "{}", entry.name);
    }
}

#[test]
fn the_listed_defaults_are_the_real_ones() {
    for entry in catalog().iter().filter(|entry| entry.name != "nim") {
        let all: Vec<String> =
            entry.params().iter().map(|p| format!("{}={}", p.key, p.default)).collect();
        let spelled = format!("{}({})", entry.name, all.join(","));
        assert_eq!(open(&spelled).unwrap().info(), open(entry.name).unwrap().info());
    }
}

#[test]
fn bad_names_are_refused_with_the_reason() {
    for (name, reason) in [
        ("tictactoo", "did you mean `tictactoe`"),
        ("go", "unknown game `go`"),
        ("nim(", "column"),
        ("tictactoe(3)", "at most 0 plain arguments"),
        ("tictactoe(size=3)", "it takes none"),
        ("connect4(width=3)", "it takes columns, rows, line"),
        ("connect4(columns=-3)", "from 1 to 26, not `-3`"),
        ("connect4(9,9)", "at most 64, not 90"),
        ("connect4(3,3,4)", "no line of 4 fits"),
        ("connect4(7,columns=7)", "given twice"),
        ("breakthrough(9,8)", "at most 64, not 72"),
        ("breakthrough(1,8)", "from 2 to 16"),
        ("goofspiel(order=up)", "must be one of random"),
        ("goofspiel(14)", "from 1 to 13"),
        ("pig(players=1)", "from 2 to 10"),
        ("pig(100(3))", "not `100(3)`"),
        ("rps(0)", "from 1 to 10000"),
        ("minichess(quiet=9999999999999)", "from 1 to 400"),
        ("kuhn@sims=5", "no budget"),
    ] {
        let error = open(name).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
}

/// Texts near a real position, so that parsers get past their first check.
fn near(position: String) -> impl Strategy<Value = String> {
    let chars: Vec<char> = position.chars().collect();
    let edits =
        prop::collection::vec((0..=chars.len(), any::<prop::sample::Index>(), 0..4u8), 0..4);
    edits.prop_map(move |edits| {
        let mut text = chars.clone();
        let pool: Vec<char> = "xowbPRQKprqk.0123456789/-,: \u{e9}JQK".chars().collect();
        for (at, pick, kind) in edits {
            let at = at.min(text.len());
            let c = pool[pick.index(pool.len())];
            match kind {
                0 => text.insert(at, c),
                1 if at < text.len() => text[at] = c,
                2 if at < text.len() => {
                    text.remove(at);
                }
                _ => text.extend_from_slice(&chars[at.min(chars.len())..]),
            }
        }
        text.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn any_text_is_a_position_or_refused(text in "\\PC{0,60}") {
        for entry in catalog() {
            let _ = open(entry.name).unwrap().parse_position(&text);
        }
    }

    #[test]
    fn accepted_positions_are_written_and_read_alike(
        text in (0..catalog().len()).prop_flat_map(|i| near(catalog()[i].position.to_string())),
    ) {
        for entry in catalog() {
            let game = open(entry.name).unwrap();
            if let Ok(state) = game.parse_position(&text) {
                let own = game.position(&state);
                let back = game.parse_position(&own).unwrap();
                prop_assert_eq!(game.position(&back), own);
                prop_assert_eq!(game.hash(&back), game.hash(&state));
                prop_assert_eq!(game.turn(&back), game.turn(&state));
                // Play from any accepted position comes to an end.
                let mut state = state;
                let mut rng = ludex_core::Seed(1).rng();
                let longest = ludex_core::playout::LONGEST;
                prop_assert!(game.playout(&mut state, &mut rng, &mut Vec::new(), longest).is_some());
            }
        }
    }

    #[test]
    fn any_name_opens_or_is_refused(text in "[a-z0-9(),=@-]{0,30}") {
        let _ = open(&text);
    }

    #[test]
    fn any_parameters_open_or_are_refused(a in -2i64..70, b in -2i64..70, c in -2i64..70) {
        for entry in catalog() {
            for name in [
                format!("{}({a})", entry.name),
                format!("{}({a},{b})", entry.name),
                format!("{}({a},{b},{c})", entry.name),
            ] {
                if let Ok(game) = open(&name) {
                    let again = open(&game.info().name).unwrap();
                    prop_assert_eq!(again.info(), game.info());
                    let position = game.position(&game.start());
                    prop_assert!(game.parse_position(&position).is_ok());
                }
            }
        }
    }
}
