//! The agents, one file or folder for each name that people type, and the list of them all.
//!
//! A file holds the agent's [`Entry`]: its name, its summary, what it needs of a game, and its usual parameters. To add an agent,
//! write such a file and add it here, as a module and in `ALL`.

use crate::catalog::Entry;

pub mod alphabeta;
mod best_reply;
mod cheat_uct;
pub mod double_oracle;
pub mod flat;
pub mod greedy;
pub mod human;
pub mod hyper;
mod hyperplay;
mod hyperplay2;
mod hyperplay_ismcts;
pub mod ludo;
pub mod mbm;
mod mccfr;
mod mo_ismcts;
mod pimc;
mod pomcp;
pub mod random;
pub mod ropasci;
mod so_ismcts;
pub mod uct;

/// All agents: those for any game first, the weakest first among their kind.
pub(crate) static ALL: &[Entry] = &[
    human::ENTRY,
    random::ENTRY,
    greedy::ENTRY,
    flat::ENTRY,
    ropasci::rollouts::ENTRY,
    ropasci::mcts::ENTRY,
    ropasci::lookahead::ENTRY,
    ropasci::greedy::ENTRY,
    ropasci::chaser::ENTRY,
    ropasci::negamax::REPORT,
    ropasci::nash::ENTRY,
    ropasci::negamax::ENTRY,
    ropasci::strong::ENTRY,
    ludo::FAST,
    ludo::AGGRESSIVE,
    ludo::DEFENSIVE,
    ludo::chromosome::SIMPLE_ENTRY,
    ludo::SMART,
    ludo::chromosome::FELLOW_ENTRY,
    ludo::chromosome::ADVANCED_ENTRY,
    ludo::chromosome::FULL_ENTRY,
    ludo::ENTRY,
    mbm::ENTRY,
    best_reply::ENTRY,
    alphabeta::ENTRY,
    double_oracle::ENTRY,
    cheat_uct::ENTRY,
    mccfr::ENTRY,
    pimc::ENTRY,
    pomcp::ENTRY,
    so_ismcts::ENTRY,
    hyperplay::ENTRY,
    hyperplay2::ENTRY,
    mo_ismcts::ENTRY,
    hyperplay_ismcts::ENTRY,
    uct::family::TUNED,
    uct::family::BOUNDED,
    uct::family::PH,
    uct::family::UCB1_GRAVE,
    uct::family::GRAVE,
    uct::family::NST,
    uct::family::MAST,
    uct::family::UCT,
    hyper::ensemble::PLAIN,
    hyper::ensemble::WEIGHTED,
    hyper::ensemble::PARALLEL,
    hyper::ensemble::PARALLEL_WEIGHTED,
    hyper::portfolio::ENTRY,
];
