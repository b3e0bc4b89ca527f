//! `(spiral …)`: sites on a spiral.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, shapes};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "spiral turns:dim sites:dim [clockwise:boolean]",
    "A spiral.",
    "(spiral turns:4 sites:80)",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    // The number of turns changes the picture, not which sites are next to one another.
    args.size("turns")?;
    let sites = args.size("sites")?;
    args.check(sites)?;
    Ok(shapes::spiral(sites, args.flag("clockwise", true)?))
}
