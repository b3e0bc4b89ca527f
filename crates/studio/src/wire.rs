//! The messages between server and page. `web/src/types.ts` is generated from these types by a test.

use ludex_core::scene;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares types of messages: JSON in both directions, a schema for the API description, and a TypeScript type in tests.
macro_rules! messages {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field:meta])* pub $key:ident: $type:ty,)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
            #[cfg_attr(test, derive(ts_rs::TS))]
            #[serde(default)]
            pub struct $name { $($(#[$field])* pub $key: $type,)* }
        )*

        /// The JSON schemas of all messages, by name.
        pub(crate) fn schemas(generator: &mut schemars::SchemaGenerator) {
            $(generator.subschema_for::<$name>();)*
        }

        #[cfg(test)]
        pub(crate) fn typescript() -> Vec<String> {
            let config = ts_rs::Config::default();
            vec![$(format!("export {}\n", <$name as ts_rs::TS>::decl(&config))),*]
        }
    };
}

messages! {
    /// A game in the gallery.
    pub struct GameCard {
        /// The name that opens it.
        pub name: String,
        /// The title for people.
        pub title: String,
        /// `native`, `kif` or `lud`.
        pub kind: String,
        /// The folder of a game of `LUDEX_PATH`; empty for built-in games.
        pub folder: String,
        /// Its properties, once the server has loaded it.
        pub facts: Option<GameFacts>,
    }

    /// The properties of a game.
    pub struct GameFacts {
        /// The seats.
        pub players: Vec<String>,
        /// Has it hidden information?
        pub hidden: bool,
        /// Does chance move?
        pub chance: bool,
        /// Do players move at the same time?
        pub simultaneous: bool,
        /// The number of sites; 0 where there is no board.
        pub sites: u32,
        /// How the board is painted.
        pub painter: String,
        /// Why it cannot be opened.
        pub error: Option<String>,
    }

    /// The list of games.
    pub struct GameList {
        /// The games.
        pub games: Vec<GameCard>,
        /// Are the facts of all games known?
        pub complete: bool,
    }

    /// A game and what can be done with it.
    pub struct GameDetail {
        /// The name that opens it.
        pub name: String,
        /// The title for people.
        pub title: String,
        /// Its properties.
        pub facts: GameFacts,
        /// The agents that can play it.
        pub agents: Vec<String>,
        /// The agent that plays it by default.
        pub usual: String,
        /// Parameters of a native game.
        pub params: Vec<ParamInfo>,
        /// Options of a description: a heading and its items.
        pub options: Vec<OptionInfo>,
        /// The text of the rules, where they are a text.
        pub rules: Option<String>,
    }

    /// The options under one heading.
    pub struct OptionInfo {
        /// The heading.
        pub heading: String,
        /// The items; the first is the default.
        pub items: Vec<String>,
    }

    /// A parameter of a game or an agent.
    pub struct ParamInfo {
        /// The key.
        pub key: String,
        /// The values, for people.
        pub kind: String,
        /// The words that it takes, if these are all.
        pub words: Vec<String>,
        /// The default.
        pub default: String,
        /// The meaning.
        pub meaning: String,
    }

    /// An agent.
    pub struct AgentInfo {
        /// The name.
        pub name: String,
        /// One line on how it chooses its moves.
        pub summary: String,
        /// The games that it plays.
        pub plays: String,
        /// Its parameters.
        pub params: Vec<ParamInfo>,
    }

    /// The fixed part of a table: game and board.
    pub struct Setting {
        /// The table.
        pub table: String,
        /// The name of the game.
        pub game: String,
        /// The title of the game.
        pub title: String,
        /// The properties of the game.
        pub facts: GameFacts,
        /// The board.
        pub board: BoardInfo,
        /// The agents that can play the game.
        pub agents: Vec<String>,
        /// The agent that plays it by default.
        pub usual: String,
        /// The position in which the game began, where it is not the usual start.
        pub position: Option<String>,
        /// The notation of its community in which the game can be written: `PGN` or `SGF`.
        pub notation: Option<String>,
        /// The seed.
        pub seed: u64,
    }

    /// A board for the page: coordinates are those of the picture.
    pub struct BoardInfo {
        /// The `viewBox` of the picture.
        pub view_box: String,
        /// The board as an SVG fragment.
        pub svg: String,
        /// The sites.
        pub sites: Vec<SiteInfo>,
        /// The kinds of pieces.
        pub pieces: Vec<PieceInfo>,
        /// The colours of the seats, where the game names them.
        pub colours: Vec<String>,
    }

    /// A site.
    pub struct SiteInfo {
        /// The centre.
        pub x: f32,
        /// The centre.
        pub y: f32,
        /// The distance to the nearest other site, at most 1.
        pub size: f32,
        /// The corners of a cell, or the ends of an edge.
        pub points: Vec<[f32; 2]>,
        /// `cell`, `vertex` or `edge`.
        pub kind: String,
        /// The coordinate for people.
        pub label: String,
        /// The name of its container where that is not the board, such as a hand.
        pub place: Option<String>,
        /// The nearest sites by direction.
        pub neighbours: std::collections::BTreeMap<String, u32>,
    }

    /// A kind of piece.
    pub struct PieceInfo {
        /// The name for people.
        pub name: String,
        /// One or two letters.
        pub letters: String,
        /// The seat that owns it.
        pub owner: Option<u8>,
    }

    /// A new table.
    pub struct NewTable {
        /// The name of the game.
        pub game: String,
        /// The position, where it is not the usual start.
        pub position: Option<String>,
        /// Steps made since: one line a step, ` | ` between moves that are made at once.
        pub moves: Option<String>,
        /// `human`, `usual` (the default agent), or the name of an agent with its budget, by seat.
        pub seats: Vec<String>,
        /// The seed of all randomness.
        pub seed: Option<u64>,
        /// Milliseconds between two moves of agents.
        pub pace: u32,
        /// Do the agents wait until they are told to go on?
        pub paused: bool,
    }

    /// The keys of a new table.
    pub struct TableKeys {
        /// The table.
        pub table: String,
        /// The key of each human seat.
        pub keys: Vec<Option<String>>,
    }

    /// A step of the game, as the viewer may know it.
    pub struct Step {
        /// Its number.
        pub id: u32,
        /// The step before it; `None` for the start.
        pub parent: Option<u32>,
        /// The number of steps from the start.
        pub ply: u32,
        /// The move as text.
        pub text: String,
        /// The seats that moved; empty for chance, or where the viewer may not know.
        pub movers: Vec<u8>,
        /// Where it begins.
        pub from: Option<u32>,
        /// Where it ends.
        pub to: Option<u32>,
        /// The expected payoff of each seat after the step, where it is known.
        pub values: Option<Vec<f32>>,
    }

    /// A legal move.
    pub struct MoveInfo {
        /// Its index in the list of legal moves of its seat.
        pub index: u32,
        /// The seat.
        pub seat: u8,
        /// The text.
        pub text: String,
        /// Where it begins.
        pub from: Option<u32>,
        /// Where it ends.
        pub to: Option<u32>,
    }

    /// A seat of the table.
    pub struct SeatInfo {
        /// The name of the seat.
        pub name: String,
        /// `human`, or the name of the agent.
        pub agent: String,
        /// Does the viewer hold its key?
        pub yours: bool,
        /// Is its agent thinking, or has its person not chosen yet?
        pub waiting: bool,
    }

    /// A position as the viewer may see it.
    pub struct Snapshot {
        /// The table.
        pub table: String,
        /// Grows with every change of the table.
        pub version: u64,
        /// The step whose position this is.
        pub node: u32,
        /// The last step of the game.
        pub live: u32,
        /// The first step of `steps`; the page knows the steps before it.
        pub first: u32,
        /// The steps from `first` on.
        pub steps: Vec<Step>,
        /// The seats.
        pub seats: Vec<SeatInfo>,
        /// The seat whose view this is; `None`: everything is shown.
        pub viewer: Option<u8>,
        /// Is a part of the position hidden from the viewer?
        pub hides: bool,
        /// May the viewer ask for the whole position?
        pub may_reveal: bool,
        /// The pieces as an SVG fragment.
        pub svg: String,
        /// The pieces as data.
        pub pieces: Vec<PlacedInfo>,
        /// The dice.
        pub dice: Vec<u32>,
        /// Named numbers beside the board.
        pub counters: Vec<(String, String)>,
        /// The position as text where no board can show it.
        pub facts: String,
        /// The position in the notation of the game, where the viewer may see it.
        pub position: Option<String>,
        /// `over`, `chance`, `one` or `joint`.
        pub turn: String,
        /// The seats that move, as far as the viewer may know.
        pub movers: Vec<u8>,
        /// The legal moves that the viewer may make here.
        pub moves: Vec<MoveInfo>,
        /// The payoffs of a finished game.
        pub payoffs: Option<Vec<f32>>,
        /// The seat that resigned.
        pub resigned: Option<u8>,
        /// Do the agents wait until they are told to go on?
        pub paused: bool,
        /// Milliseconds between two moves of agents.
        pub pace: u32,
        /// A message for people, such as the reason why an agent failed.
        pub note: Option<String>,
    }

    /// A piece on a site.
    pub struct PlacedInfo {
        /// The site.
        pub site: u32,
        /// The kind of piece; `None`: unknown to the viewer.
        pub piece: Option<u32>,
        /// How many.
        pub count: u32,
        /// The seat that owns it.
        pub owner: Option<u8>,
        /// Its state or value.
        pub state: Option<i32>,
    }

    /// A move of a person.
    pub struct MakeMove {
        /// The step after which the move is made.
        pub node: u32,
        /// The seat.
        pub seat: u8,
        /// The index in the list of legal moves.
        pub index: Option<u32>,
        /// The text of the move, or a short form that leaves no doubt.
        pub text: Option<String>,
        /// The number of steps that the page knows.
        pub known: u32,
    }

    /// Controls the agents of a table.
    pub struct Control {
        /// Wait, or go on.
        pub paused: Option<bool>,
        /// Milliseconds between two moves of agents.
        pub pace: Option<u32>,
        /// Takes the last move of a person back, with the answers to it.
        pub undo: bool,
        /// Makes this step the last one of the game.
        pub live: Option<u32>,
        /// This seat resigns.
        pub resign: Option<u8>,
        /// The agent of a seat (`human`, or a name), from now on.
        pub seat: Option<(u8, String)>,
        /// The number of steps that the page knows.
        pub known: u32,
    }

    /// An agent's thought about a position.
    pub struct ThoughtInfo {
        /// Which of the analyses of the page.
        pub slot: u8,
        /// The step.
        pub node: u32,
        /// The agent.
        pub agent: String,
        /// The seat for which it thinks.
        pub seat: u8,
        /// Milliseconds since it began.
        pub ms: u32,
        /// Simulations.
        pub sims: u64,
        /// Nodes.
        pub nodes: u64,
        /// Depth.
        pub depth: u32,
        /// The expected payoff of the seat.
        pub value: Option<f32>,
        /// Is the value certain?
        pub proven: bool,
        /// Has it finished?
        pub done: bool,
        /// The moves, best first.
        pub candidates: Vec<CandidateInfo>,
        /// The worlds that it holds possible.
        pub belief: Option<BeliefInfo>,
        /// Remarks.
        pub notes: Vec<String>,
    }

    /// A move that an agent thinks about.
    pub struct CandidateInfo {
        /// The text.
        pub text: String,
        /// Where it begins.
        pub from: Option<u32>,
        /// Where it ends.
        pub to: Option<u32>,
        /// How often it was tried.
        pub visits: u64,
        /// The payoff that it promises.
        pub value: f32,
        /// The 95 % interval of the value.
        pub low: f32,
        /// The 95 % interval of the value.
        pub high: f32,
        /// Is the value certain?
        pub proven: bool,
        /// How play would go on.
        pub line: Vec<String>,
        /// Wins, neutral results and losses of simulated games by the depth at which they ended.
        pub depths: Vec<[u64; 4]>,
    }

    /// The worlds that an agent holds possible.
    pub struct BeliefInfo {
        /// Models in its sample.
        pub models: u32,
        /// Models that explain all observations.
        pub active: u32,
        /// The worlds, the likeliest first.
        pub worlds: Vec<WorldInfo>,
    }

    /// A world.
    pub struct WorldInfo {
        /// The position as text.
        pub position: String,
        /// The position as a small SVG document, where it can be drawn.
        pub svg: Option<String>,
        /// Its probability.
        pub weight: f64,
        /// The best move in it.
        pub best: Option<String>,
    }

    /// A position in the tree of a search, and the moves that an agent found in it.
    pub struct BranchInfo {
        /// The step from which the line begins.
        pub node: u32,
        /// The moves that lead from the step to the position.
        pub line: Vec<String>,
        /// `over`, `chance`, `one` or `joint`.
        pub turn: String,
        /// The seat that moves.
        pub seat: Option<u8>,
        /// The payoff that the seat may expect.
        pub value: Option<f32>,
        /// Simulations.
        pub sims: u64,
        /// The moves, best first.
        pub candidates: Vec<CandidateInfo>,
        /// The outcomes of chance with their probabilities.
        pub outcomes: Vec<(String, f64)>,
        /// The payoffs where the game is over.
        pub payoffs: Option<Vec<f32>>,
        /// Why there are no moves.
        pub error: Option<String>,
    }

    /// The features of a game, and how well a model expects agents to play it.
    pub struct Insight {
        /// The features that are not 0, with their values.
        pub concepts: Vec<(String, f64)>,
        /// The agents, best first.
        pub agents: Vec<PredictedInfo>,
        /// The opponent of the predicted win rates.
        pub against: String,
        /// Was the model trained on this game? Then models without it made the prediction.
        pub held_out: bool,
        /// Known games that are most similar, with their distance.
        pub nearest: Vec<(String, f64)>,
        /// Why there is no prediction.
        pub note: Option<String>,
    }

    /// The expected win rate of an agent.
    pub struct PredictedInfo {
        /// The agent.
        pub agent: String,
        /// Percent of the games won.
        pub value: f64,
        /// The interval that held 95 % of the measured win rates.
        pub interval: Option<(f64, f64)>,
    }

    /// A map of games: similar games are near each other.
    pub struct MapInfo {
        /// Games that are described so far.
        pub done: u32,
        /// Games of the map.
        pub total: u32,
        /// The games, once all are described.
        pub points: Vec<MapPoint>,
        /// Why there is no map.
        pub error: Option<String>,
    }

    /// A game on the map.
    pub struct MapPoint {
        /// The name that opens it.
        pub name: String,
        /// The title for people.
        pub title: String,
        /// The place, from 0 to 1.
        pub x: f64,
        /// The place, from 0 to 1.
        pub y: f64,
        /// The number of its group.
        pub group: u32,
        /// Does it represent games around it?
        pub chosen: bool,
        /// The most similar games: numbers of points, the nearest first.
        pub near: Vec<u32>,
    }

    /// A draft of rules that is kept.
    pub struct DraftInfo {
        /// The name that opens it as a game.
        pub name: String,
        /// The title of the game.
        pub title: String,
        /// `kif` or `lud`.
        pub language: String,
        /// When it was kept, in milliseconds since 1970.
        pub saved_ms: i64,
    }

    /// A text of rules to be checked.
    pub struct RulesText {
        /// `kif` or `lud`.
        pub language: String,
        /// The text.
        pub text: String,
    }

    /// The findings about a text of rules.
    pub struct RulesReport {
        /// The findings in the order of the text.
        pub findings: Vec<Finding>,
        /// The name that opens the game, if there is no error.
        pub name: Option<String>,
        /// The title of the game.
        pub title: String,
        /// The properties of the game.
        pub facts: Option<GameFacts>,
        /// The first position as an SVG document.
        pub svg: Option<String>,
    }

    /// A finding about a text of rules.
    pub struct Finding {
        /// The first character, counted in UTF-16 units.
        pub start: u32,
        /// One past the last character.
        pub end: u32,
        /// The line, from 1.
        pub line: u32,
        /// The column, from 1.
        pub column: u32,
        /// `error` or `warning`.
        pub severity: String,
        /// The code.
        pub code: String,
        /// The message.
        pub message: String,
        /// The advice.
        pub hint: Option<String>,
    }

    /// A word of a rule language.
    pub struct WordHelp {
        /// The word.
        pub word: String,
        /// Its meaning or class.
        pub meaning: String,
    }

    /// Statistics of random games.
    pub struct Playouts {
        /// The games.
        pub games: u32,
        /// Games that did not end in time.
        pub unfinished: u32,
        /// Mean, least and greatest number of steps.
        pub length: [f32; 3],
        /// The mean number of legal moves of a decision.
        pub branching: f32,
        /// The mean payoff by seat.
        pub payoffs: Vec<f32>,
        /// Games without a single winner.
        pub draws: u32,
        /// Milliseconds that it took.
        pub ms: u32,
    }

    /// A run of the database.
    pub struct RunInfo {
        /// The name.
        pub name: String,
        /// When it began, in milliseconds since 1970.
        pub created_ms: i64,
        /// The agents.
        pub agents: Vec<String>,
        /// The games.
        pub games: Vec<String>,
        /// Games that are stored.
        pub played: u64,
        /// Games that it will have.
        pub total: u64,
        /// Is it played by this server now?
        pub running: bool,
        /// Why it stopped early, or why it failed.
        pub verdict: Option<String>,
    }

    /// The report of a run.
    pub struct RunReport {
        /// The run.
        pub run: RunInfo,
        /// One line.
        pub summary: String,
        /// The state of the sequential test, where the run has one.
        pub sprt: Option<String>,
        /// The tables.
        pub tables: Vec<TableInfo>,
        /// The figures as SVG documents, with their names.
        pub figures: Vec<(String, String)>,
    }

    /// A table of a report.
    pub struct TableInfo {
        /// The heading.
        pub heading: String,
        /// What its cells mean.
        pub caption: Option<String>,
        /// The notes below it.
        pub notes: Option<String>,
        /// The titles of the columns; `true`: numbers.
        pub columns: Vec<(String, bool)>,
        /// The cells.
        pub rows: Vec<Vec<String>>,
        /// Is it for a long report only?
        pub detail: bool,
    }

    /// A stored game in a list.
    pub struct StoredInfo {
        /// The number of the game in its run.
        pub number: u64,
        /// The game.
        pub game: String,
        /// The agents by seat.
        pub agents: Vec<String>,
        /// The payoffs by seat.
        pub payoffs: Vec<f32>,
        /// The number of steps.
        pub steps: u32,
        /// How it ended.
        pub ending: String,
    }

    /// A tournament to be played: an experiment as TOML.
    pub struct NewRun {
        /// The experiment.
        pub toml: String,
    }

    /// An error.
    pub struct Failure {
        /// What went wrong, for people.
        pub error: String,
        /// The moves that a short text could mean.
        pub choices: Vec<MoveInfo>,
    }
}

/// A message from the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Ask {
    /// Show the table from this step; `None`: follow the last step of the game.
    Look {
        /// The step.
        node: Option<u32>,
        /// The seat whose view is wanted, of those whose keys the page holds.
        seat: Option<u8>,
        /// Show the whole position?
        reveal: bool,
        /// The number of steps that the page knows.
        known: u32,
    },
    /// Let an agent think about a position, and stream its thoughts.
    Analyse {
        /// Which of the analyses of the page: 0 or 1.
        slot: u8,
        /// The step.
        node: u32,
        /// The agent.
        agent: String,
        /// The seat; `None`: the mover.
        seat: Option<u8>,
        /// Show the whole position?
        reveal: bool,
        /// Seconds.
        seconds: u32,
    },
    /// Stop an analysis.
    Stop {
        /// Which of the analyses.
        slot: u8,
    },
    /// Search the position after a line of moves, for the browser of the search tree.
    Branch {
        /// The step from which the line begins.
        node: u32,
        /// The moves.
        line: Vec<String>,
        /// The agent.
        agent: String,
        /// Milliseconds.
        ms: u32,
        /// Show the whole position?
        reveal: bool,
    },
    /// Evaluate all positions of the line that ends with a step.
    Graph {
        /// The step.
        node: u32,
        /// The agent.
        agent: String,
        /// Milliseconds a position.
        ms: u32,
        /// Show the whole position?
        reveal: bool,
    },
}

/// A message to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Tell {
    /// The table as the viewer may see it.
    Snapshot {
        /// The position.
        snapshot: Box<Snapshot>,
    },
    /// An agent's thought.
    Thought {
        /// The thought.
        thought: Box<ThoughtInfo>,
    },
    /// A position of the search tree.
    Branch {
        /// The position.
        branch: Box<BranchInfo>,
    },
    /// The value of a position.
    Value {
        /// The step.
        node: u32,
        /// The expected payoff of each seat.
        values: Vec<f32>,
        /// Steps of the line that have a value, and all of them.
        done: (u32, u32),
    },
    /// Something went wrong.
    Error {
        /// What, for people.
        error: String,
    },
}

/// The name of a value of an enumeration as its JSON has it.
pub(crate) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

impl PlacedInfo {
    pub(crate) fn of(scene: &scene::Scene, placed: &scene::Placed) -> PlacedInfo {
        let kind = placed.piece.and_then(|piece| scene.pieces.get(piece));
        PlacedInfo {
            site: placed.site as u32,
            piece: placed.piece.map(|piece| piece as u32),
            count: placed.count,
            owner: placed.owner.or(kind.and_then(|kind| kind.owner)),
            state: placed.state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `LUDEX_UPDATE=1 cargo test -p ludex-studio types` writes the file.
    #[test]
    fn the_types_of_the_page_are_those_of_the_server() {
        let config = ts_rs::Config::default();
        let mut text = String::from(
            "// Generated from crates/studio/src/wire.rs by `LUDEX_UPDATE=1 cargo test -p ludex-studio types`.\n\n",
        );
        for part in typescript() {
            text.push_str(&part);
        }
        text.push_str(&format!("export {}\n", <Ask as ts_rs::TS>::decl(&config)));
        text.push_str(&format!("export {}\n", <Tell as ts_rs::TS>::decl(&config)));
        // JSON has one kind of number, and ours stay below 2^53.
        let text = text.replace("bigint", "number");
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/types.ts");
        if std::env::var_os("LUDEX_UPDATE").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(committed, text, "web/src/types.ts is out of date");
    }
}
