//! The GGP protocol over real sockets.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod http;
mod player;
mod protocol;
