//! `pomcp`: partially observable Monte Carlo planning (Silver and Veness 2010). Only the searcher decides, by a tree over its own
//! actions and observations; the others move at random.

use crate::catalog::{Entry, Needs, recipe};
use crate::hidden::ismcts::Trees;
use crate::hidden::tree_search::Params;

pub(crate) const ENTRY: Entry = Entry {
    name: "pomcp",
    summary: "a tree over own actions and observations; others move at random",
    needs: Needs::HIDDEN,
    usual: || recipe(Params { name: "pomcp", trees: Trees::Own, ..Params::default() }),
};
