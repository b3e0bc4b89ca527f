//! The names that the files of ludemes use.

pub(crate) use super::{
    Form, ThenOf, Way, condition, decision, directions, effect, list, number, region, start,
};
pub(crate) use crate::compile::Value;
pub(crate) use crate::engine::action::{Action, Head, Kind, Moves, NONE};
pub(crate) use crate::engine::args::Args;
pub(crate) use crate::engine::condition::{Bool, Condition, Owners, Place, Test};
pub(crate) use crate::engine::context::{Asked, Context, Registers};
pub(crate) use crate::engine::directions::{Direction, Dirs};
pub(crate) use crate::engine::functions::{
    Int, Ints, Number, NumberList, Players, Region, Result, SiteSet, Who, ones,
};
pub(crate) use crate::engine::last::Last;
pub(crate) use crate::engine::lots::{Bound, Candidates, Most, Trial};
pub(crate) use crate::engine::moves::{Generate, Generator};
pub(crate) use crate::engine::node::{Field, Iterators, Node, Parts, Table, inner, node};
pub(crate) use crate::engine::parts::{Apply, Between, Bounds, Gait, To};
pub(crate) use crate::engine::sites::Sites;
pub(crate) use crate::engine::state::OFF;
