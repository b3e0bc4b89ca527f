//! One random game of every game, with everything the contract tells along the way, against the
//! files of `tests/playthroughs`. After a change on purpose: `LUDEX_BLESS=1 cargo test`.

use ludex_core::perft::choices;
use ludex_core::{Game, Move, Player, Seed, Turn};
use std::fmt::Write;
use std::path::Path;

fn playthrough(name: &str) -> String {
    let game = ludex_games::open(name).unwrap();
    let info = game.info();
    let mut text = format!("{info:#?}\nterms: {:?}\n", game.terms());
    let mut rng = Seed(2026).named(name).rng();
    let mut state = game.start();
    for step in 0.. {
        let turn = game.turn(&state);
        writeln!(text, "\n# step {step}\nposition: {}", game.position(&state)).unwrap();
        writeln!(text, "hash: {:016x}\nturn: {turn:?}", game.hash(&state)).unwrap();
        writeln!(text, "json: {}", game.json(&state)).unwrap();
        for p in 0..info.seats() {
            let mut values = vec![0.0; game.terms().len()];
            game.evaluate(&state, Player(p as u8), &mut values);
            writeln!(text, "terms of {}: {values:?}", info.players[p]).unwrap();
        }
        text += &game.draw(&state, None);
        if info.hidden {
            for p in 0..info.seats() {
                writeln!(text, "seen by {}:", info.players[p]).unwrap();
                text += &game.draw(&state, Some(Player(p as u8)));
            }
        }
        match turn {
            Turn::Over => {
                let mut payoffs = vec![0.0; info.seats()];
                game.payoffs(&state, &mut payoffs);
                writeln!(text, "payoffs: {payoffs:?}").unwrap();
                return text;
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chances(&state, &mut outcomes);
                for (mv, p) in outcomes {
                    writeln!(text, "chance {}: {p:.6}", game.move_text(mv)).unwrap();
                }
            }
            Turn::One(_) | Turn::Joint(_) => {
                for player in turn.movers().iter() {
                    let mut moves = Vec::new();
                    game.moves(&state, player, &mut moves);
                    let moves: Vec<String> = moves
                        .iter()
                        .map(|&mv| {
                            let key = game.action_key(&state, player, mv);
                            format!("{}={:x}/{key}", game.move_text(mv), mv.0)
                        })
                        .collect();
                    writeln!(text, "moves of {}: {}", info.player(player), moves.join(" "))
                        .unwrap();
                }
            }
        }
        let lists = choices(&game, &state, turn);
        let joint: Vec<Move> = lists.iter().map(|list| list[rng.index(list.len())]).collect();
        let named: Vec<String> = joint.iter().map(|&mv| game.move_text(mv)).collect();
        writeln!(text, "played: {}", named.join(" ")).unwrap();
        let before = state.clone();
        game.apply(&mut state, &joint);
        for p in 0..info.seats() {
            let mut words = Vec::new();
            game.percept(&before, &joint, &state, Player(p as u8), &mut words);
            let shown = game.percept_text(&words);
            writeln!(text, "percept of {}: {words:?} {shown}", info.players[p]).unwrap();
        }
    }
    text
}

#[test]
fn playthroughs_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    let bless = std::env::var_os("LUDEX_BLESS").is_some();
    for entry in ludex_games::catalog() {
        // Small versions keep the files short.
        let name = match entry.name {
            "pig" => "pig(target=20,players=3)",
            "breakthrough" => "breakthrough(columns=5,rows=6)",
            "rps" => "rps(rounds=3)",
            "minichess" => "minichess(quiet=10)",
            name => name,
        };
        let path = folder.join(format!("{}.txt", entry.name));
        let text = playthrough(name);
        if bless {
            std::fs::write(&path, &text).unwrap();
            continue;
        }
        let recorded = std::fs::read_to_string(&path)
            .unwrap_or_else(|e| panic!("{}: {e}; LUDEX_BLESS=1 writes it", path.display()));
        for (i, (now, then)) in text.lines().zip(recorded.lines()).enumerate() {
            assert_eq!(now, then, "{name}: line {} of {}", i + 1, path.display());
        }
        assert_eq!(text.lines().count(), recorded.lines().count(), "{name}");
    }
}
