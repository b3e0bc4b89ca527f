//! Search signatures: with a fixed seed and a fixed number of simulations (or positions) every agent that
//! searches visits the root's moves exactly so often. A change of `signatures.txt` is a change of play:
//! make it knowingly (`LUDEX_BLESS=1 cargo test -p ludex-agents --test signatures`), and say why.

use crate::common;

use common::{ask, spec};
use ludex_core::{Game, Seed};
use std::fmt::Write as _;

const MINDS: [&str; 20] = [
    "flat@sims=300",
    "uct@sims=1000",
    "uct(leaf=4)@sims=1000",
    "uct(lanes=64)@sims=1000",
    "uct(threads=2)@sims=1000",
    "uct(joint=ducb)@sims=1000",
    "ucb1-tuned@sims=1000",
    "bounded@sims=1000",
    "ph@sims=1000",
    "grave@sims=1000",
    "ucb1-grave@sims=1000",
    "nst@sims=1000",
    "mast@sims=1000",
    "uct(select=grave,playout=mast)@sims=1000",
    "mbm@sims=500",
    "mbm(mock=random,populations=2)@sims=500",
    "alphabeta@nodes=2000",
    "alphabeta(others=maxn,quiescence=2)@nodes=2000",
    "best-reply@nodes=2000",
    "double-oracle@nodes=2000",
];

const POSITIONS: [(&str, Option<&str>); 8] = [
    ("tictactoe", None),
    ("connect4", Some("7/7/7/3o3/3x3/2oxx2")),
    ("breakthrough(6,6)", None),
    ("nim(2,3,2)", None),
    ("pig(target=20,players=3)", None),
    ("goofspiel(cards=4,order=descending)", None),
    ("rps", None),
    ("kif:tictactoe", None),
];

#[test]
fn searches_are_the_same_to_the_visit() {
    let mut found = String::new();
    for (name, position) in POSITIONS {
        let game = ludex_library::open(name).unwrap();
        let state = position.map_or_else(|| game.start(), |p| game.parse_position(p).unwrap());
        for mind in MINDS.iter().filter(|mind| spec(mind).supports(game.info()).is_ok()) {
            let mut candidates = ask(mind, &game, &state, Seed(7)).thought.candidates;
            candidates.sort_by_key(|candidate| game.move_text(candidate.mv));
            write!(found, "{name} | {mind} |").unwrap();
            for candidate in candidates {
                write!(found, " {}:{}", game.move_text(candidate.mv), candidate.visits).unwrap();
            }
            found.push('\n');
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/signatures.txt");
    if std::env::var_os("LUDEX_BLESS").is_some() {
        std::fs::write(file, &found).unwrap();
    }
    let known = std::fs::read_to_string(file).unwrap();
    for (found, known) in found.lines().zip(known.lines()) {
        assert_eq!(found, known);
    }
    assert_eq!(found.lines().count(), known.lines().count());
}
