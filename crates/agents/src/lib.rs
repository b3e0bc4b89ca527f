//! The agents of Ludex.
//!
//! An [`Agent`] sits at one seat of one game and answers with a [`Choice`]. People
//! name it by an [`AgentSpec`] such as `uct(c=0.7)@sims=500`; [`catalog()`] lists what there is.
//!
//! - [`agent`]: the trait, the choice and the thought behind it;
//! - [`budget`]: how long an agent may think, and the [`clock`] that watches over it; [`best`]: its best move so far;
//! - [`spec`] and [`mod@catalog`]: names, parameters, and what each agent can play;
//! - [`minds`]: the agents, one file or folder for each name that people type, and the list of them;
//! - [`search`]: the parts that searching agents share; [`heuristic`]: judging a position without playing it out;
//! - [`hidden`]: beliefs, for games with hidden information;
//! - [`testkit`]: the laws of agents as a test that each of them must pass.
//!
//! ```
//! use ludex_agents::AgentSpec;
//! use ludex_core::{AnyGame, Game, Player, Seed, View, testkit::Coins};
//! let game = AnyGame::new(Coins::default());
//! let spec: AgentSpec = "uct@sims=200".parse().unwrap();
//! let mut agent = spec.build(&game, Player(0), Seed(1)).unwrap();
//! let state = game.parse_position("6 0").unwrap();
//! let mut legal = Vec::new();
//! game.moves(&state, Player(0), &mut legal);
//! let view = View::new(&game, &state, Player(0), &[], &state, &legal);
//! let choice = agent.choose(&game, &view, spec.budget()).unwrap();
//! assert!(legal.contains(&choice.mv));
//! ```

pub mod agent;
pub mod best;
pub mod budget;
pub mod catalog;
pub mod clock;
pub mod heuristic;
pub mod hidden;
pub mod minds;
pub mod search;
pub mod spec;
pub mod testkit;

pub use agent::{Agent, Belief, Candidate, Choice, Possible, Tally, Thought, Watch};
pub use best::Best;
pub use budget::Budget;
pub use catalog::{Entry, Needs, catalog, supporting, usual};
pub use minds::{hyper, ludo, mbm, uct};
pub use search::joint;
pub use spec::AgentSpec;
