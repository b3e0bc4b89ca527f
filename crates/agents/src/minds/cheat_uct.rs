//! `cheat-uct`: a tree search that looks at the true state. A measuring stick for honest agents.

use crate::agent::{Agent, Choice, Failure};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::minds::uct::{self, Uct};
use ludex_core::{AnyGame, Game, Player, Result, Seed, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "cheat-uct",
    summary: "looks at the true state: a measuring stick, no honest player",
    needs: Needs::HIDDEN,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// [`CheatUct`] has nothing to set.
    pub struct Params {}
}

impl Recipe for Params {
    fn build(&self, game: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(CheatUct::new(game, seed)?))
    }
}

/// The agent. The referee shows it everything because it says that it [cheats](Agent::cheats).
struct CheatUct<G: Game>(Uct<G>);

impl<G: Game> CheatUct<G> {
    /// An agent for `game`.
    ///
    /// # Errors
    /// The search refuses the game.
    fn new(game: &G, seed: Seed) -> Result<Self> {
        Ok(CheatUct(Uct::new(game, uct::Params::default(), seed)?))
    }
}

impl<G: Game> Agent<G> for CheatUct<G> {
    fn name(&self) -> String {
        "cheat-uct".into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let state = crate::spec::visible(game, view, "cheat-uct")?;
        // Without the records: the percepts of a game with hidden information do not tell the moves.
        let here = View::cheating(state, view.seat(), &[], state, view.legal());
        self.0.choose(game, &here, budget)
    }

    fn cheats(&self) -> bool {
        true
    }
}
