//! The description of the REST addresses, in the format OpenAPI 3.1.

use crate::wire;
use serde_json::{Map, Value, json};

/// An address: method, path, what it does, its parameters, the message that it takes, the message that it gives.
type Entry = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    Option<&'static str>,
    Option<&'static str>,
);

/// The parameters of a viewer.
const VIEWER: &[&str] = &["key", "seat", "reveal"];

/// All addresses of the API but the stream of a table.
const ENTRIES: &[Entry] = &[
    ("get", "/api/games", "List the games", &[], None, Some("GameList")),
    ("get", "/api/game", "Describe a game", &["game"], None, Some("GameDetail")),
    ("get", "/api/thumbnail", "Draw the first position of a game as SVG", &["game"], None, None),
    (
        "get",
        "/api/playouts",
        "Play random games for about a second",
        &["game"],
        None,
        Some("Playouts"),
    ),
    ("get", "/api/agents", "List the agents", &[], None, Some("[AgentInfo]")),
    ("post", "/api/tables", "Set up a table", &[], Some("NewTable"), Some("TableKeys")),
    ("get", "/api/tables/{table}", "The game and the board of a table", &[], None, Some("Setting")),
    (
        "get",
        "/api/tables/{table}/snapshot",
        "A position as the viewer may see it",
        &["key", "seat", "reveal", "node", "known"],
        None,
        Some("Snapshot"),
    ),
    ("post", "/api/tables/{table}/move", "Make a move", VIEWER, Some("MakeMove"), Some("Snapshot")),
    (
        "post",
        "/api/tables/{table}/control",
        "Take back, resign, pause, or change the last step of the game",
        VIEWER,
        Some("Control"),
        Some("Snapshot"),
    ),
    (
        "post",
        "/api/tables/{table}/seat",
        "Give a seat to an agent or a person",
        VIEWER,
        Some("Control"),
        Some("TableKeys"),
    ),
    (
        "post",
        "/api/tables/{table}/preview",
        "The pieces after a line of moves that is not played",
        &["key", "node"],
        Some("[string]"),
        Some("string"),
    ),
    (
        "get",
        "/api/tables/{table}/export",
        "The game as text, json, notation (PGN or SGF), position, svg, animation or gif",
        &["key", "node", "format"],
        None,
        None,
    ),
    ("post", "/api/rules", "Check a text of rules", &[], Some("RulesText"), Some("RulesReport")),
    (
        "get",
        "/api/words",
        "Help on the words of a rule language",
        &["language"],
        None,
        Some("[WordHelp]"),
    ),
    ("get", "/api/drafts", "List the drafts that are kept", &[], None, Some("[DraftInfo]")),
    ("post", "/api/drafts", "Keep a draft", &[], Some("RulesText"), Some("DraftInfo")),
    ("delete", "/api/drafts", "Delete a draft", &["game"], None, None),
    (
        "get",
        "/api/insight",
        "The features of a game and the win rates that a model expects of agents",
        &["game"],
        None,
        Some("Insight"),
    ),
    (
        "get",
        "/api/map",
        "The map of games; the first request starts its making",
        &[],
        None,
        Some("MapInfo"),
    ),
    ("get", "/api/runs", "List the runs of the database", &[], None, Some("[RunInfo]")),
    ("post", "/api/runs", "Start a tournament", &[], Some("NewRun"), Some("string")),
    ("get", "/api/runs/{run}", "The report of a run", &[], None, Some("RunReport")),
    ("post", "/api/runs/{run}/stop", "Stop a tournament", &[], None, None),
    (
        "get",
        "/api/runs/{run}/games",
        "Games of a run, 200 at a time",
        &["from"],
        None,
        Some("[StoredInfo]"),
    ),
    (
        "post",
        "/api/runs/{run}/games/{number}",
        "Set up a table with a stored game",
        &[],
        None,
        Some("TableKeys"),
    ),
    ("get", "/api/openapi.json", "This description", &[], None, None),
];

/// The description of the API as JSON.
pub fn text() -> String {
    let mut generator = schemars::generate::SchemaSettings::openapi3().into_generator();
    wire::schemas(&mut generator);
    let mut paths = Map::new();
    for entry in ENTRIES {
        let place = paths.entry(entry.1).or_insert_with(|| json!({}));
        place[entry.0] = operation(entry);
    }
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ludex studio",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Play, analyse, replay and edit any game. The stream /api/tables/{table}/live is a WebSocket.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": generator.take_definitions(true) },
    });
    format!("{description:#}\n")
}

fn operation((_, path, summary, query, takes, gives): &Entry) -> Value {
    let in_path = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |name: &str, place: &str| {
        let kind = match name {
            "reveal" => "boolean",
            "seat" | "node" | "known" | "from" | "number" => "integer",
            _ => "string",
        };
        json!({ "name": name, "in": place, "required": place == "path" || name == "game", "schema": { "type": kind } })
    };
    let mut parameters: Vec<Value> = in_path.map(|name| parameter(name, "path")).collect();
    parameters.extend(query.iter().map(|name| parameter(name, "query")));
    let mut operation = json!({
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": { "description": "Done" },
            "4XX": { "description": "Refused", "content": content("Failure") },
        },
    });
    if let Some(gives) = gives {
        operation["responses"]["200"]["content"] = content(gives);
    }
    if let Some(takes) = takes {
        operation["requestBody"] = json!({ "required": true, "content": content(takes) });
    }
    operation
}

fn content(message: &str) -> Value {
    let schema = |name: &str| match name {
        "string" => json!({ "type": "string" }),
        name => json!({ "$ref": format!("#/components/schemas/{name}") }),
    };
    let list = message.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let schema = match list {
        Some(name) => json!({ "type": "array", "items": schema(name) }),
        None => schema(message),
    };
    json!({ "application/json": { "schema": schema } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_that_is_named_has_a_schema() {
        let description: Value = serde_json::from_str(&text()).unwrap();
        let schemas = &description["components"]["schemas"];
        let named = ENTRIES.iter().flat_map(|entry| [entry.4, entry.5]).flatten();
        for name in named.map(|name| name.trim_matches(['[', ']'])) {
            assert!(name == "string" || schemas.get(name).is_some(), "{name}");
        }
    }
}
