//! Tournaments and stored games.

use crate::Studio;
use ludex_studio::Settings;
use ludex_studio::wire::{RunInfo, RunReport, StoredInfo, TableKeys};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_tournament_is_played_reported_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("games.db").display().to_string();
    let studio = Studio::with(Settings { db: Some(db), ..Settings::default() });
    assert!(studio.get::<Vec<RunInfo>>("api/runs").is_empty());
    let toml =
        "name = 'cup'\ngames = ['tictactoe']\nagents = ['greedy', 'random']\nrounds = 5\nseed = 3";
    let name: String = studio.post("api/runs", &json!({ "toml": toml }));
    let begun = Instant::now();
    let report = loop {
        let report: RunReport = studio.get(&format!("api/runs/{name}"));
        if !report.run.running {
            break report;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{report:?}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!((report.run.played, report.run.total), (10, 10));
    assert!(report.tables.iter().any(|table| table.heading == "Standings"));
    assert!(!report.figures.is_empty());
    let games: Vec<StoredInfo> = studio.get("api/runs/cup/games");
    assert_eq!(games.len(), 10);
    let keys: TableKeys = studio.post("api/runs/cup/games/3", &json!(null));
    let snapshot: ludex_studio::wire::Snapshot =
        studio.get(&format!("api/tables/{}/snapshot", keys.table));
    assert_eq!(snapshot.steps.len() as u32, games[3].steps + 1);
    assert_eq!(snapshot.payoffs.unwrap(), games[3].payoffs);
    assert!(snapshot.seats.iter().any(|seat| seat.agent.starts_with("greedy")));
}

#[test]
fn an_experiment_with_a_mistake_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("games.db").display().to_string();
    let studio = Studio::with(Settings { db: Some(db), ..Settings::default() });
    let toml = "name = 'cup'\ngames = ['tictactoo']\nagents = ['uct', 'random']\nrounds = 5";
    let (status, text) = studio.post_text("api/runs", &json!({ "toml": toml }));
    assert_eq!(status, 400);
    assert!(text.contains("tournament.toml:2") && text.contains("did you mean"), "{text}");
    let (status, _) = studio.post_text("api/runs", &json!({ "toml": "name=" }));
    assert_eq!(status, 400);
    let studio = Studio::start();
    assert_eq!(studio.get_text("api/runs/none").0, 404);
}
