//! `cheat-uct`: a tree search that looks at the true state. A measuring stick for honest minds, never a
//! player to be proud of.

use crate::agent::{Agent, Choice};
use crate::budget::Budget;
use crate::uct::{self, Uct};
use ludex_core::{Game, Result, Seed, View};

/// The mind. The referee shows it everything because it says that it [cheats](Agent::cheats).
pub struct CheatUct<G: Game>(Uct<G>);

impl<G: Game> CheatUct<G> {
    /// A mind for `game`.
    ///
    /// # Errors
    /// What the search says.
    pub fn new(game: &G, seed: Seed) -> Result<Self> {
        Ok(CheatUct(Uct::new(game, uct::Params::read(&"uct".parse()?)?, seed)?))
    }
}

impl<G: Game> Agent<G> for CheatUct<G> {
    fn name(&self) -> String {
        "cheat-uct".into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice> {
        let state = crate::spec::visible(game, view, "cheat-uct")?;
        // What happened before is of no use to it: percepts don't tell the moves.
        let here = View::cheating(state, view.seat(), &[], state, view.legal());
        self.0.choose(game, &here, budget)
    }

    fn cheats(&self) -> bool {
        true
    }
}
