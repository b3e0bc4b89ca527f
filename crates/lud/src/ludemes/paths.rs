//! `(is SidesMatch …)`, `(pathExtent …)`, `(rotations …)`: paths on tiles, and tiles that are turned.

use super::lists;
use super::prelude::*;
use crate::engine::directions::compass;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isIntegerType=SidesMatch [int]",
        "The paths of the tile meet paths of their colours on all neighbours that have tiles.",
        "(do (move Add (to (sites Empty))) ifAfterwards:(is SidesMatch))",
        |args| {
            let last = args.lower.last();
            let site = args.try_int("int")?.unwrap_or(Int::LastTo(last));
            Ok(Bool::of(SidesMatch { site }))
        },
    ),
    number(
        "pathExtent [int] ([int] | [region])",
        "The most rows or columns that a path of the colour goes across from the last site on, one way or the other.",
        "(<= 8 (pathExtent (mover)))",
        |args| {
            let colour = args.try_int("int")?.unwrap_or(Int::Mover);
            Ok(Int::of(PathExtent { colour, start: args.try_region(&["int", "region"])? }))
        },
    )
    .needs(Parts::TOUCHED),
    list(
        "rotations (absoluteDirection | {absoluteDirection})",
        "The rotations in which a tile looks in these directions.",
        "(move (from (handSite Mover)) (to (sites Empty) (rotations Orthogonal)))",
        rotations,
    )
    .refuses("directions other than those of the compass, Orthogonal and Adjacent: no record tells their rotations"),
];

fn rotations(args: &mut Args<'_, '_, '_>) -> Result<Ints> {
    let value = args.take_any(&["absoluteDirection", "{absoluteDirection}"]);
    let words = value.map_or(&[][..], Value::items).iter().filter_map(Value::word);
    let equipment = args.lower.equipment;
    let mut all = Vec::new();
    for word in words {
        let sixteenth = |bearing: &f64| (bearing / 22.5).round() as usize;
        match (word, compass(word)) {
            ("Orthogonal", _) => all.extend(equipment.directions.orthogonal.iter().map(sixteenth)),
            ("Adjacent", _) => all.extend(equipment.directions.bearings.iter().map(sixteenth)),
            (_, Some(sixteenths)) => all.push(sixteenths),
            _ => return Err(args.unsupported()),
        }
    }
    let rotation = |sixteenths: usize| Int::Const((sixteenths / equipment.turn.max(1)) as i32);
    Ok(lists::numbers(all.into_iter().map(rotation).collect()))
}

node! {
    /// The sides of a tile match those of its neighbours.
    struct SidesMatch = "is SidesMatch", reads CELLS | ROTATIONS { site: Int }
}

impl Condition for SidesMatch {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.site.get(c);
        c.equipment.paths.as_ref().is_none_or(|paths| paths.matches(c.state, site))
    }
}

node! {
    /// How far paths of a colour go.
    struct PathExtent = "pathExtent", reads CELLS | ROTATIONS | TOUCHED {
        colour: Int,
        /// Where they begin; at all sites at which actions of the last move ended where none are named.
        start: Option<Region>,
    }
}

impl Number for PathExtent {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let colour = self.colour.get(c);
        let Some(paths) = &c.equipment.paths else { return 0 };
        let extent = |c: &Context<'_>, site: i32| paths.extent(c.equipment, c.state, site, colour);
        let Some(start) = &self.start else {
            let ends = c.state.touched[1].iter();
            return ends.map(|&site| extent(c, site)).max().unwrap_or(0);
        };
        let mut most = 0;
        start.each(c, |c, site| {
            most = most.max(extent(c, site));
            true
        });
        most
    }
}

node! {
    /// A path of a colour comes back to its beginning.
    pub(super) struct PathLoop = "is Loop", reads CELLS | ROTATIONS {
        pub(super) colour: Int,
        /// Where it begins; anywhere where nothing is named (decided by the last move of the record of Trax with lists).
        pub(super) start: Option<Region>,
    }
}

impl Condition for PathLoop {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let colour = self.colour.get(c);
        let Some(paths) = &c.equipment.paths else { return false };
        match &self.start {
            Some(start) => start.any(c, |c, site| paths.loops(c.state, site, colour)),
            None => (0..c.state.cells.len() as i32).any(|site| paths.loops(c.state, site, colour)),
        }
    }
}
