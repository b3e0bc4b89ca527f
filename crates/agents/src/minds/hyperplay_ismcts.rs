//! `hyperplay-ismcts`: the search of [`mo_ismcts`](super::mo_ismcts), fed by the models of HyperPlay, which count by their choice
//! factors (Schofield and Thielscher 2017).

use crate::catalog::{Entry, Needs, recipe};
use crate::hidden::ismcts::Trees;
use crate::hidden::tree_search::Params;

pub(crate) const ENTRY: Entry = Entry {
    name: "hyperplay-ismcts",
    summary: "mo-ismcts fed by HyperPlay's models, weighted by choice factor",
    needs: Needs::HIDDEN,
    usual: || recipe(Params { name: "hyperplay-ismcts", trees: Trees::Each, ..Params::default() }),
};
