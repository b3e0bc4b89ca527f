//! Thoughts of agents, and positions of a search tree.

use super::messages;

messages! {
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
}
