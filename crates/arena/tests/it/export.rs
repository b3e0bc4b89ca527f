//! Games for other tools: every format holds every seat of every game.

use crate::common;

use ludex_arena::{Experiment, export};

fn played(folder: &tempfile::TempDir) -> (ludex_arena::Store, ludex_arena::Run) {
    let place = folder.path().join("games.db").to_string_lossy().into_owned();
    let experiment = Experiment::new("r", &["tictactoe"], &["random", "random@sims=2"], 5);
    common::run(&place, &experiment, 2)
}

#[test]
fn csv_has_a_line_a_seat_and_json_an_object_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let (store, run) = played(&folder);
    let mut text = Vec::new();
    assert_eq!(export::csv(&store, &run, &mut text).unwrap(), 10);
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|h| h == name).unwrap();
    let (payoff, agent) = (column("payoff"), column("agent"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 20);
    let sum: f32 = rows.iter().map(|row| row[payoff].parse::<f32>().unwrap()).sum();
    assert_eq!(sum, 10.0);
    assert_eq!(rows.iter().filter(|row| &row[agent] == "random").count(), 10);
    let mut lines = Vec::new();
    assert_eq!(export::jsonl(&store, &run, &mut lines).unwrap(), 10);
    assert_eq!(lines.iter().filter(|&&b| b == b'\n').count(), 10);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_a_row_a_seat() {
    use parquet::file::reader::FileReader;
    let folder = tempfile::tempdir().unwrap();
    let (store, run) = played(&folder);
    let file = folder.path().join("games.parquet");
    assert_eq!(export::parquet(&store, &run, std::fs::File::create(&file).unwrap()).unwrap(), 10);
    let opened = std::fs::File::open(&file).unwrap();
    let reader = parquet::file::serialized_reader::SerializedFileReader::new(opened).unwrap();
    assert_eq!(reader.metadata().file_metadata().num_rows(), 20);
}
