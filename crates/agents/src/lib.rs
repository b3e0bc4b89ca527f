//! The minds of Ludex.
//!
//! A mind is an [`Agent`]: it sits at one seat of one game and answers with a [`Choice`]. People
//! name it by an [`AgentSpec`] such as `uct(c=0.7)@sims=500`; [`catalog()`] lists what there is.
//!
//! One idea a file:
//! - [`agent`]: the trait, the choice and the thought behind it;
//! - [`budget`]: how long a mind may think, and the [`clock`] that watches over it; [`best`]: its best move so far;
//! - [`spec`] and [`mod@catalog`]: names, parameters, what each mind can play;
//! - the minds: [`random`], [`flat`], [`greedy`], [`uct`] and its family, [`alphabeta`],
//!   [`double_oracle`], [`mbm`], [`human`]; those for games that hide something: [`hidden`]; those of
//!   one game alone: [`ropasci`], [`ludo`];
//! - their parts: [`tree`], [`select`] and [`playout`] of the Monte Carlo minds, [`minimax`] and
//!   [`heuristic`] of the minimax ones, [`joint`] of those for simultaneous moves;
//! - [`npy`]: files of NumPy, for genes;
//! - [`testkit`]: the laws of minds as a test that each of them must pass.
//!
//! ```
//! use ludex_agents::AgentSpec;
//! use ludex_core::{AnyGame, Game, Player, Seed, View, testkit::Coins};
//! let game = AnyGame::new(Coins::default());
//! let spec: AgentSpec = "uct@sims=200".parse().unwrap();
//! let mut mind = spec.build(&game, Player(0), Seed(1)).unwrap();
//! let state = game.parse_position("6 0").unwrap();
//! let mut legal = Vec::new();
//! game.moves(&state, Player(0), &mut legal);
//! let view = View::new(&game, &state, Player(0), &[], &state, &legal);
//! let choice = mind.choose(&game, &view, spec.budget()).unwrap();
//! assert!(legal.contains(&choice.mv));
//! ```

pub mod agent;
pub mod alphabeta;
pub mod best;
pub mod budget;
pub mod catalog;
pub mod clock;
pub mod double_oracle;
pub mod flat;
pub mod greedy;
pub mod heuristic;
pub mod hidden;
pub mod human;
pub mod hyper;
pub mod joint;
pub mod ludo;
pub mod mbm;
pub mod minimax;
pub mod npy;
pub mod playout;
pub mod random;
pub mod ropasci;
pub mod select;
pub mod spec;
pub mod testkit;
pub mod tree;
pub mod uct;

pub use agent::{Agent, Belief, Candidate, Choice, Possible, Tally, Thought, Watch};
pub use best::Best;
pub use budget::Budget;
pub use catalog::{Entry, Param, catalog, supporting, usual};
pub use spec::AgentSpec;
