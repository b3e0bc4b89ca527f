//! RoPaSci 360 against games, end tests and heuristic values of the official referee's rules.

use flate2::read::GzDecoder;
use ludex_core::Spec;
use ludex_games::Ropasci360;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn every_recorded_turn_end_and_value_agrees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ropasci");
    let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
    let mut records = 0;
    for name in ["traces.jsonl.gz", "tournament.jsonl.gz"] {
        let file = File::open(folder.join(name)).unwrap();
        for (i, line) in BufReader::new(GzDecoder::new(file)).lines().enumerate() {
            let line = line.unwrap();
            let checked = ludex_games::ropasci::verify::verify(&game, &line);
            checked.unwrap_or_else(|e| panic!("{name} line {}: {e}", i + 1));
            records += 1;
        }
    }
    assert_eq!(records, 1409);
}
