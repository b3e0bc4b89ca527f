//! `best-reply`: alpha-beta for more than two players in which only one opponent a round replies freely (BRS+: Esser, Gras,
//! Winands, Schadd, Lanctot 2014). The search is that of [`alphabeta`].

use crate::agent::Agent;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::heuristic::Heuristic;
use crate::minds::alphabeta::{self, AlphaBeta};
use crate::search::minimax::worker::Others;
use ludex_core::{AnyGame, Player, Result, Seed};

pub(crate) const ENTRY: Entry = Entry {
    name: "best-reply",
    summary: "alpha-beta in which one opponent a round replies freely (BRS+)",
    needs: Needs::TURNS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `best-reply`.
    pub struct Params {
        /// How positions are judged at the horizon: auto, zero, mobility, a term of the game such as material, or
        /// terms(material=1,mobility=0.1).
        pub heuristic: Heuristic = Heuristic::Auto;
        /// Plies of loud moves, which change the heuristic, followed beyond the horizon.
        pub quiescence: u32 = 0, 0..=64;
        /// Size of the transposition table in MiB.
        pub table: u32 = 16, 1..=65_536;
        /// Threads that share the table.
        pub threads: u32 = 1, 1..=256;
    }
}

impl Recipe for Params {
    fn build(&self, game: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let Params { heuristic, quiescence, table, threads } = self.clone();
        let others = Others::BestReply;
        let params = alphabeta::Params { others, heuristic, quiescence, table, threads };
        Ok(Box::new(AlphaBeta::new(game, params, seed)?))
    }
}
