//! `so-ismcts`: single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012). One tree: every
//! node, also that of an opponent, is what the searcher knows. Worlds count as equals.

use crate::catalog::{Entry, Needs, recipe};
use crate::hidden::ismcts::Trees;
use crate::hidden::tree_search::Params;

pub(crate) const ENTRY: Entry = Entry {
    name: "so-ismcts",
    summary: "information-set tree search, one tree of what the searcher knows",
    needs: Needs::HIDDEN,
    usual: || recipe(Params::of_equals("so-ismcts", Trees::One)),
};
