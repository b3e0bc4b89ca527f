//! The protocol of the general game playing community: rules and moves in KIF over HTTP.
//!
//! One idea a file:
//! - [`message`]: what hosts say; [`http`] carries it, bounded in size and time;
//! - [`player`]: the player's side without a network, [`server`] puts it on one;
//!   [`seat`] is one match of it, [`belief`] knows what may be true in a game that hides;
//! - [`host`]: the referee's side, over a [`client`] for each player; [`scramble`] hides words;
//! - [`mind`]: a player on the network as a mind at one seat, for tournaments;
//! - [`table`]: from the protocol's whole steps to the turns of a game.

pub mod belief;
pub mod client;
pub mod host;
pub mod http;
pub mod message;
pub mod mind;
pub mod player;
pub mod scramble;
pub mod seat;
pub mod server;
pub mod table;
pub mod turn;

pub use client::Remote;
pub use host::{Host, Outcome, Side};
pub use message::{Message, News};
pub use mind::NetworkPlayer;
pub use player::{Config, Player};
