//! Tables: opening one, its position, moves, and what a page may ask of it.

use ludex_core::scene;

use super::messages;

messages! {
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
