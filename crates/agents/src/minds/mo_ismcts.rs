//! `mo-ismcts`: multiple-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012). Every player
//! has a tree of its own knowledge and decides by it. Worlds count as equals.

use crate::catalog::{Entry, Needs, recipe};
use crate::hidden::ismcts::Trees;
use crate::hidden::tree_search::Params;

pub(crate) const ENTRY: Entry = Entry {
    name: "mo-ismcts",
    summary: "information-set tree search, a tree of each player's knowledge",
    needs: Needs::HIDDEN,
    usual: || recipe(Params::of_equals("mo-ismcts", Trees::Each)),
};
