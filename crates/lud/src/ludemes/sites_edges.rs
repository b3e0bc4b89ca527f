//! `(sites Axial)`, `(sites Horizontal)` and other sets of edges by the way they lie.

use super::prelude::*;
use crate::board::SiteType;

pub(super) const FORMS: &[Form] = &[
    region(
        "sites sitesEdgeType=Axial",
        "The horizontal and the vertical edges.",
        "(sites Axial)",
        |args| edges(args, |x, y| flat(x) || flat(y)),
    ),
    region(
        "sites sitesEdgeType=Horizontal",
        "The horizontal edges.",
        "(sites Horizontal)",
        |args| edges(args, |_, y| flat(y)),
    ),
    region("sites sitesEdgeType=Vertical", "The vertical edges.", "(sites Vertical)", |args| {
        edges(args, |x, _| flat(x))
    }),
    region(
        "sites sitesEdgeType=Angled",
        "The edges that are not axial.",
        "(sites Angled)",
        |args| edges(args, |x, y| !flat(x) && !flat(y)),
    ),
    region(
        "sites sitesEdgeType=Slash",
        "The edges that rise to the right.",
        "(sites Slash)",
        |args| edges(args, |x, y| !flat(x) && !flat(y) && x * y > 0.0),
    ),
    region(
        "sites sitesEdgeType=Slosh",
        "The edges that fall to the right.",
        "(sites Slosh)",
        |args| edges(args, |x, y| !flat(x) && !flat(y) && x * y < 0.0),
    ),
];

/// Is a distance none?
fn flat(distance: f64) -> bool {
    distance.abs() < 1e-3
}

/// The edges whose width and height fit.
fn edges(args: &Args<'_, '_, '_>, fits: fn(f64, f64) -> bool) -> Result<Region> {
    let equipment = args.lower.equipment;
    if !equipment.has_kind(SiteType::Edge) {
        return Err(args.unsupported());
    }
    let graph = &equipment.board.graph;
    let lies = |&(_, &(a, b)): &(usize, &(usize, usize))| {
        let (from, to) = (graph.vertices[a], graph.vertices[b]);
        fits(to[0] - from[0], to[1] - from[1])
    };
    let all = graph.edges.iter().enumerate().filter(lies);
    let sites = all.map(|(edge, _)| equipment.converted(edge as i32, SiteType::Edge));
    Ok(Region::Fixed(args.lower.sites_of(sites.collect::<Vec<_>>())))
}
