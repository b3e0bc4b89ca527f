//! The editor, the gallery and the agents.

use crate::Studio;
use ludex_studio::wire::{AgentInfo, GameDetail, GameList, Playouts, RulesReport};
use serde_json::json;

#[test]
fn the_gallery_has_every_built_in_game_and_its_picture() {
    let studio = Studio::start();
    let list: GameList = studio.get("api/games");
    assert!(list.games.len() > 50);
    for name in ["connect4", "kif:monty-hall", "lud:hex"] {
        assert!(list.games.iter().any(|card| card.name == name), "{name}");
        let (status, svg) = studio.get_text(&format!("api/thumbnail?game={name}"));
        assert!(status == 200 && svg.starts_with("<svg"), "{name}");
    }
    let detail: GameDetail = studio.get("api/game?game=connect4");
    assert!(detail.agents.contains(&"uct".to_string()) && !detail.params.is_empty());
    let agents: Vec<AgentInfo> = studio.get("api/agents");
    assert!(agents.iter().any(|agent| agent.name == "uct" && !agent.params.is_empty()));
}

#[test]
fn a_draft_is_checked_played_and_measured() {
    let studio = Studio::start();
    let detail: GameDetail = studio.get("api/game?game=kif:tictactoe");
    let text = detail.rules.unwrap();
    let report: RulesReport = studio.post("api/rules", &json!({ "language": "kif", "text": text }));
    let name = report.name.unwrap();
    let table = studio.table(json!({ "game": name, "seats": ["human", "random"] }));
    assert!(!table.snapshot().moves.is_empty());
    let sum: Playouts = studio.get(&format!("api/playouts?game={name}"));
    assert!(sum.games > 10 && sum.unfinished == 0);
    let broken = format!("{text}\n(<= (legal ?p");
    let report: RulesReport =
        studio.post("api/rules", &json!({ "language": "kif", "text": broken }));
    assert!(report.name.is_none() && report.findings.iter().any(|f| f.severity == "error"));
}
