//! `(directions …)`, `(union …)`, `(difference …)`, `(if …)`: directions.

use super::prelude::*;
use crate::engine::directions::{Base, Choose, Directions, Rays, Table as RayTable, turn};

pub(super) const FORMS: &[Form] = &[
    directions(
        "difference direction direction",
        "The first directions without the second.",
        "(difference Adjacent N)",
        |args| join(args, false),
    ),
    directions(
        "directions (absoluteDirection | {absoluteDirection})",
        "These directions.",
        "(directions {N S})",
        |args| {
            let value = args.take_any(&["absoluteDirection", "{absoluteDirection}"]);
            let value = value.ok_or_else(|| args.unsupported())?;
            args.lower.direction_words(value, Base::Adjacent, args.ludeme)
        },
    ),
    directions(
        "directions ([relativeDirection] | [{relativeDirection}]) [of:relationType] [bySite:boolean]",
        "Directions relative to where the piece looks, among the neighbours in this relation.",
        "(directions {Forward Leftward} of:Orthogonal)",
        relative,
    ),
    directions(
        "directions siteType from:int to:int",
        "The direction from one site to another.",
        "(directions Cell from:(from) to:(to))",
        |args| {
            args.take("siteType");
            Ok(Dirs::of(Towards { from: args.int("from")?, to: args.int("to")? }))
        },
    )
    .sites_in(&["to"])
    .own_sites(),
    directions(
        "if boolean direction direction",
        "The first directions if the condition holds, else the second.",
        "(if (is Mover P1) N S)",
        |args| {
            let condition = args.bool("boolean")?;
            let (yes, no) = (args.value("direction")?, args.value("direction")?);
            let yes = args.lower.counted_directions(yes, args.ludeme)?;
            let no = args.lower.counted_directions(no, args.ludeme)?;
            Ok(Dirs::If(condition, Box::new(yes), Box::new(no)))
        },
    ),
    directions("union direction direction", "Both directions.", "(union Orthogonal NE)", |args| {
        join(args, true)
    }),
];

fn relative(args: &mut Args<'_, '_, '_>) -> Result<Dirs> {
    let by_site = args.flag("bySite", false)?;
    let (base, all) = match args.word("of") {
        Some("Orthogonal") => (Base::Orthogonal, Direction::Orthogonal),
        Some("Diagonal") => (Base::Diagonal, Direction::Diagonal),
        Some("All") => (Base::All, Direction::All),
        // Relative directions are not told apart among the other corners.
        Some("OffDiagonal")
            if !args.has("relativeDirection") && !args.has("{relativeDirection}") =>
        {
            (Base::All, Direction::OffDiagonal)
        }
        Some("Adjacent") | None if by_site => (Base::Site, Direction::Adjacent),
        Some("Adjacent") | None => (Base::Adjacent, Direction::Adjacent),
        Some(_) => return Err(args.unsupported()),
    };
    match args.take_any(&["relativeDirection", "{relativeDirection}"]) {
        Some(value) => args.lower.direction_words(value, base, args.ludeme),
        None => Ok(args.lower.rays(&[all])),
    }
}

fn join(args: &mut Args<'_, '_, '_>, union: bool) -> Result<Dirs> {
    let (a, b) = (args.value("direction")?, args.value("direction")?);
    let (a, b) = (args.lower.directions(a, args.ludeme)?, args.lower.directions(b, args.ludeme)?);
    Ok(joined(a, b, union, &args.lower.equipment.directions))
}

/// Both directions, or the first without the second: worked out at once where both are tables.
fn joined(a: Dirs, b: Dirs, union: bool, all: &Directions) -> Dirs {
    let join = |a: &[u32], b: &[u32]| join_rays(a.to_vec(), b, union);
    if let Some(directions) = a.merged(&b, &join) {
        return directions;
    }
    let with_first = a.with_each_ray(all, &|rays, ray| join(rays, &[ray]));
    let with_second = b.with_each_ray(all, &|rays, ray| join(&[ray], rays));
    let tables = with_first.or(with_second).map(Table);
    Dirs::of(Joined { a, b, union, tables })
}

/// Some rays with others, or without them.
fn join_rays(mut rays: Vec<u32>, other: &[u32], union: bool) -> Vec<u32> {
    if union {
        let more: Vec<u32> = other.iter().filter(|ray| !rays.contains(ray)).copied().collect();
        rays.extend(more);
    } else {
        rays.retain(|ray| !other.contains(ray));
    }
    rays
}

node! {
    /// Both directions, or the first without the second.
    struct Joined = "union or difference" {
        a: Dirs,
        b: Dirs,
        union: bool,
        /// By where a piece looks, if that matters, and ray: the result where one of the directions is known for every site and the
        /// other is this ray.
        tables: Option<Table<Vec<RayTable>>>,
    }
}

impl Choose for Joined {
    fn rays(&self, c: &mut Context<'_>, site: i32) -> Rays<'_> {
        let rays = self.a.rays(c, site);
        let other = self.b.rays(c, site);
        if other.is_empty() {
            return rays;
        }
        if rays.is_empty() {
            return if self.union { other } else { rays };
        }
        let one = match (&rays, &other) {
            (Rays::One([ray]), Rays::Known(_)) | (Rays::Known(_), Rays::One([ray])) => Some(*ray),
            _ => None,
        };
        if let (Some(ray), Some(tables)) = (one, &self.tables) {
            let facing = if tables.len() > 1 { c.facing(site) } else { 0 };
            if let Some(table) = tables.get(facing) {
                return Rays::Known(table.of(ray as i32));
            }
        }
        match (&rays, &other) {
            (Rays::One([one]), Rays::One([other])) if self.union && one != other => {
                Rays::Two([*one, *other])
            }
            (Rays::One(one), Rays::One(_)) if self.union => Rays::One(*one),
            _ => Rays::Many(join_rays(rays.to_vec(), &other, self.union)),
        }
    }
}

/// The ray of a site in the direction from one site to another.
fn along(c: &Context<'_>, site: i32, from: i32, to: i32) -> Option<u32> {
    let (at, from) = (usize::try_from(site).ok()?, usize::try_from(from).ok()?);
    let to = u32::try_from(to).ok()?;
    let directions = &c.equipment.directions;
    let way = directions.of(from).find(|&ray| directions.line(ray).contains(&to))?;
    if at == from {
        return Some(way);
    }
    let of = |ray: u32| &directions.rays[ray as usize];
    let (bearing, up) = (of(way).bearing, of(way).relation.up);
    let bend = |ray: u32| turn(of(ray).bearing, bearing);
    let near = directions.of(at).filter(|&ray| of(ray).relation.up == up && bend(ray) < 23.0);
    near.min_by(|&a, &b| bend(a).total_cmp(&bend(b)))
}

/// No ray, or one.
fn one(ray: Option<u32>) -> Rays<'static> {
    ray.map_or(Rays::Known(&[]), |ray| Rays::One([ray]))
}

node! {
    /// The direction from one site to another.
    struct Towards = "directions" { from: Int, to: Int }
}

impl Choose for Towards {
    fn rays(&self, c: &mut Context<'_>, site: i32) -> Rays<'_> {
        let (from, to) = (self.from.get(c), self.to.get(c));
        one(along(c, site, from, to))
    }
}

/// The direction of the move that is being made, else of the last one, or the opposite direction.
pub(crate) fn same_direction(same: bool, last: Last) -> Dirs {
    Dirs::of(SameDirection { same, last })
}

node! {
    /// The direction of the move that is being made, else of the last one, or the opposite direction.
    struct SameDirection = "SameDirection" { same: bool, last: Last }
}

impl Choose for SameDirection {
    fn rays(&self, c: &mut Context<'_>, site: i32) -> Rays<'_> {
        let (from, to) = match (c.at.from, c.at.to) {
            (from, to) if from >= 0 && to >= 0 && from != to => (from, to),
            _ => (c.state.s.last.from(self.last), c.state.s.last.to(self.last)),
        };
        one(if self.same { along(c, site, from, to) } else { along(c, site, to, from) })
    }
}
