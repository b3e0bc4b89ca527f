//! The names of the family: each is a combination of [parameters](Params) that has a name of its own in the literature.

use super::{Backup, Params, Playout, Selection, Uct};
use crate::agent::Agent;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use ludex_core::{AnyGame, Player, Result, Seed};

pub(crate) const TUNED: Entry = Entry {
    name: "ucb1-tuned",
    summary: "uct that explores by the variance of the payoffs",
    needs: Needs::SIGHT,
    usual: || recipe(Params { select: Selection::Tuned, c: 1.0, ..Params::default() }),
};

pub(crate) const BOUNDED: Entry = Entry {
    name: "bounded",
    summary: "uct with bounds of payoffs: proves draws sooner, cuts what is not wanted",
    needs: Needs::SIGHT,
    usual: || recipe(Params { backup: Backup::Bounded, ..Params::default() }),
};

pub(crate) const PH: Entry = Entry {
    name: "ph",
    summary: "uct with progressive history: actions good elsewhere are tried first",
    needs: Needs::SIGHT,
    usual: || recipe(Params { select: Selection::History, ..Params::default() }),
};

pub(crate) const UCB1_GRAVE: Entry = Entry {
    name: "ucb1-grave",
    summary: "grave with an exploration term",
    needs: Needs::SIGHT,
    usual: || recipe(Params { select: Selection::Grave, c: 0.2, ..Params::default() }),
};

pub(crate) const GRAVE: Entry = Entry {
    name: "grave",
    summary: "tree search by all-moves-as-first values of an ancestor, no exploration",
    needs: Needs::SIGHT,
    usual: || recipe(Params { select: Selection::Grave, c: 0.0, ..Params::default() }),
};

pub(crate) const NST: Entry = Entry {
    name: "nst",
    summary: "uct whose playouts prefer sequences that did well",
    needs: Needs::SIGHT,
    usual: || recipe(Params { playout: Playout::Nst, epsilon: 0.4, ..Params::default() }),
};

pub(crate) const MAST: Entry = Entry {
    name: "mast",
    summary: "uct whose playouts prefer actions that did well",
    needs: Needs::SIGHT,
    usual: || recipe(Params { playout: Playout::Mast, ..Params::default() }),
};

pub(crate) const UCT: Entry = Entry {
    name: "uct",
    summary: "Monte Carlo tree search by UCB1, with proofs; max^n, mixed strategies at joint moves",
    needs: Needs::SIGHT,
    usual: || recipe(Params::default()),
};

impl Recipe for Params {
    fn build(&self, game: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(Uct::new(game, self.clone(), seed)?))
    }
}
