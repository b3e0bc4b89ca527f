//! Native games: rules in Rust on bitboards and other small states, one game a file.
//!
//! They are the fastest games of the project, the subject of many tests, and examples of how a
//! game is written. [`open`] makes one from the string that people type:
//! ```
//! use ludex_core::Game;
//! let game = ludex_games::open("nim(2,3,2)").unwrap();
//! assert_eq!(game.info().name, "nim(2,3,2)");
//! assert_eq!(
//!     ludex_games::open("tictactoo").unwrap_err().to_string(),
//!     "unknown game `tictactoo`: did you mean `tictactoe`?"
//! );
//! ```

mod bits;
mod catalog;
mod grid;

mod breakthrough;
mod connect4;
mod goofspiel;
mod hex;
mod kuhn;
pub mod ludo;
mod minichess;
mod nim;
mod pig;
mod reversi;
pub mod ropasci;
mod rps;
mod table;
mod tictactoe;

pub use breakthrough::Breakthrough;
pub use catalog::{Entry, catalog, open, open_spec};
pub use connect4::Connect4;
pub use goofspiel::Goofspiel;
pub use hex::Hex;
pub use kuhn::Kuhn;
pub use ludo::Ludo;
pub use minichess::Minichess;
pub use nim::Nim;
pub use pig::Pig;
pub use reversi::Reversi;
pub use ropasci::Ropasci360;
pub use rps::Rps;
pub use tictactoe::TicTacToe;
