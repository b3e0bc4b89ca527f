//! The parts of the minimax minds: [`worker`] searches by alpha-beta, with [`quiescence`] at the
//! horizon, narrowed by [`best_reply`] among several opponents; [`maxn`] lets everybody play for
//! itself; [`table`] remembers, [`order`] says which moves come first.

pub mod best_reply;
pub mod maxn;
pub mod order;
pub mod quiescence;
pub mod table;
pub mod worker;
