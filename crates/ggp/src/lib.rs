//! The protocol of the general game playing community: rules and moves in KIF over HTTP.
//!
//! The player's side: [`Player`] answers messages without a network, and [`serve`] puts it on one. The host's side:
//! [`Host`] plays a match between players on the network and agents of our own. [`NetworkPlayer`] is a player on the
//! network as an agent of a tournament.
//!
//! One idea a file:
//! - `message`: what hosts say; `http`: what can go wrong on the way;
//! - `player`: one match at a time, on a thread of its own; `seat` is the player's part of a match, `turn` one move of
//!   it, `belief` the states that are possible in a game with hidden information; `server` listens for hosts (hyper);
//! - `host`: the referee; `client` sends a message to a player (ureq); `scramble` replaces the words of the rules;
//! - `network_player`: a player on the network behind the interface of an agent;
//! - `table`: whole steps, in which every role moves, as turns of a game.

mod belief;
mod client;
mod host;
mod http;
mod message;
mod network_player;
mod player;
mod scramble;
mod seat;
mod server;
mod table;
mod turn;

pub use client::Remote;
pub use host::{Dialect, Host, Mistake, Outcome, Side};
pub use http::HttpError;
pub use message::{BadMessage, Message, News};
pub use network_player::{FindRules, NetworkPlayer};
pub use player::{Answer, Config, Log, Maker, Player};
pub use server::serve;
pub use table::Table;
