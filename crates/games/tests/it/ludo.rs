//! Ludo against games, steps and values of the paper's engine, both versions of the rules.

use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn every_recorded_step_and_value_agrees() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludo/traces.jsonl.gz");
    let file = File::open(path).unwrap();
    let mut records = 0;
    for (i, line) in BufReader::new(GzDecoder::new(file)).lines().enumerate() {
        let checked = ludex_games::ludo::verify::verify(&line.unwrap());
        checked.unwrap_or_else(|e| panic!("line {}: {e}", i + 1));
        records += 1;
    }
    assert_eq!(records, 7774);
}
