//! Games: the gallery, a game's options and its board.

use super::messages;

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
}
