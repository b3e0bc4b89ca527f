//! Every engine agrees with recorded play of an independent prover, and every game that loads
//! keeps the laws of the contract.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ludex_core::{Seed, testkit};
use ludex_gdl::game::{Engine, GdlGame, LoadError, Options};
use ludex_gdl::ground::{Budget, GroundError};
use ludex_gdl::verify::verify_trace;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn options(engine: Engine) -> Options {
    let budget = Budget { literals: 60_000, time: Duration::from_secs(3), ..Budget::default() };
    Options { engine: Some(engine), budget, ..Options::default() }
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn recorded_play_of_an_independent_prover_is_reproduced() {
    let data = root().join("../shared/data/gdl");
    let entries = std::fs::read_dir(data.join("traces")).expect("a folder");
    let (mut passed, mut too_big, mut failed): (_, _, Vec<String>) = (0, Vec::new(), Vec::new());
    for entry in entries {
        let path = entry.expect("readable entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".jsonl.gz") else { continue };
        let source = std::fs::read_to_string(data.join("games").join(format!("{name}.kif")))
            .expect("the rule sheet beside the trace");
        let game = match GdlGame::load(name, &source, &options(Engine::Lanes)) {
            Ok(game) => game,
            Err(LoadError::Ground(GroundError::TooBig(_))) => {
                too_big.push(name.to_owned());
                continue;
            }
            Err(error) => {
                failed.push(format!("{name}: {error}"));
                continue;
            }
        };
        let mut trace = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(&path).expect("readable trace"))
            .read_to_string(&mut trace)
            .expect("a gzip file of text");
        let probe = game.probe().expect("the batch engine");
        for engine in [game.reasoner(), &probe] {
            let report = verify_trace(engine, &trace);
            if !report.passed() {
                failed.push(format!("{name} by {}: {:?}", engine.engine(), report.differences));
            }
        }
        passed += 1;
    }
    println!("{passed} passed; too big to ground in this test: {too_big:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed >= 100, "only {passed} grounded");
}

#[test]
fn our_own_rule_sheets_keep_the_laws_of_the_contract() {
    let mut checked = 0;
    for entry in std::fs::read_dir(root().join("games")).expect("our rule sheets") {
        let path = entry.expect("readable entry").path();
        if path.extension().is_none_or(|e| e != "kif") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("readable rule sheet");
        let name = format!("kif:{}", path.file_name().unwrap_or_default().to_string_lossy());
        for engine in [Engine::Lanes, Engine::Single] {
            let game = GdlGame::load(&name, &source, &options(engine))
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            if let Err(law) = testkit::check(&game, 8, Seed(7)) {
                panic!("{name} with {}: {law}", engine.name());
            }
        }
        checked += 1;
    }
    assert!(checked >= 15);
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn public_rule_sheets_keep_the_laws_of_the_contract() {
    let data = root().join("../shared/data/gdl");
    let names = [
        "games/ticTacToe",
        "games/connectFour",
        "games/breakthrough",
        "games/reversi",
        "games/englishDraughts",
        "games/blocker",
        "games/biddingTicTacToe",
        "games/chineseCheckers6",
        "games/dotsAndBoxes",
        "games/tron_10x10",
        "games/minichess",
        "imperfect/montyhall",
        "imperfect/kriegTTT_5x5",
        "imperfect/mastermind2x3",
        "imperfect/meier",
        "imperfect/transit",
        "imperfect/pennies",
    ];
    for name in names {
        let source = std::fs::read_to_string(data.join(format!("{name}.kif"))).expect("a sheet");
        let game = GdlGame::load(name, &source, &options(Engine::Lanes))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        if let Err(law) = testkit::check(&game, 3, Seed(8)) {
            panic!("{name}: {law}");
        }
    }
}
