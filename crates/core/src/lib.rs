//! The contract that all of Ludex shares.
//!
//! A rule language (GDL, ludemes, native Rust) produces a [`Game`]; an agent sees only a `Game`
//! and a [`View`] of what its seat may know; the referee alone owns the true state.
//!
//! The crate holds, one idea a file:
//! - [`game`]: the trait [`Game`], with [`Turn`], [`Move`] and [`Info`];
//! - [`view`](mod@view): what a seat may see, and the [`Record`] of what it learned;
//! - [`Match`]: a match under way, with the records of every seat; [`Transcript`]: a match as text or JSON;
//! - [`random`]: seeds that split, and the one random generator;
//! - [`mod@playout`]: random games without allocation, single and in batches;
//! - [`encode`](mod@encode): positions and moves as numbers; [`batch`]: many games stepped together;
//! - [`deadline`]: when a thread must stop computing;
//! - [`diagnostic`]: what is wrong with a text of rules, and where;
//! - [`erased`]: [`AnyGame`], any game behind one type;
//! - [`schema`]: parameters of names as data; [`spec`]: the `name(arg,key=value)` strings that people type;
//! - [`terms`]: what heuristics ask of a board;
//! - [`perft`](mod@perft): leaf counts; [`features`]: numbers that describe a game;
//! - [`testkit`]: the laws of the contract as a test that every game must pass.
//!
//! ```
//! use ludex_core::{Game, Seed, testkit::Coins};
//! let game = Coins::default();
//! let mut rng = Seed(7).rng();
//! let mut state = game.start();
//! let mut pad = Vec::new();
//! let plies = ludex_core::playout(&game, &mut state, &mut rng, &mut pad, 1000);
//! assert!(plies.is_some());
//! ```

pub mod batch;
mod coins;
pub mod cpu;
pub mod deadline;
pub mod diagnostic;
pub mod encode;
pub mod erased;
pub mod error;
pub mod features;
pub mod game;
mod matches;
pub mod perft;
pub mod player;
pub mod playout;
pub mod random;
pub mod scene;
pub mod schema;
pub mod short;
pub mod source;
pub mod spec;
pub mod terms;
pub mod testkit;
mod transcript;
pub mod trial;
pub mod view;

pub use encode::{ActionSpace, Encoding};
pub use erased::{AnyGame, AnyState};
pub use error::{Error, Result};
pub use features::Features;
pub use game::{Game, Info, Move, Playouts, Turn};
pub use matches::Match;
pub use perft::perft;
pub use player::{Player, Players};
pub use playout::{Outcomes, playout};
pub use random::{Rng, Seed};
pub use source::{Language, Source};
pub use spec::Spec;
pub use transcript::Transcript;
pub use trial::Trial;
pub use view::{Percept, Record, View};
