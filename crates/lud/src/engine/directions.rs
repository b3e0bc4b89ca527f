//! Directions of a board: the neighbours of each site by bearing, and the lines that go on.

use std::sync::Arc;

use super::condition::Bool;
use super::context::{Context, Registers};
use super::equipment::Equipment;
use super::lots::Most;
use super::node::{self, Field, Iterators, Node, Parts};
use crate::board::radials::{Compass, Radials, Rotation};

/// The sites in one direction from a site.
#[derive(Clone, Debug)]
pub struct Ray {
    /// Clockwise from the north, in degrees.
    pub bearing: f64,
    /// The relations in which the first site stands to the origin.
    pub relation: Relation,
    /// The ray of the same site that goes the other way, or this one itself.
    pub opposite: u32,
    pub(crate) first: u32,
    pub(crate) end: u32,
}

/// How two sites touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// In any way.
    pub adjacent: bool,
    /// Across a side.
    pub orthogonal: bool,
    /// Straight across a corner.
    pub diagonal: bool,
    /// Neither across a side nor straight across a corner.
    pub off: bool,
    /// One layer up (1), down (-1), or on the same (0).
    pub up: i8,
    /// Around the middle of the board.
    pub around: Option<Rotation>,
    /// Straight up or down.
    pub upright: bool,
}

/// The rays of every site.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    /// All of them.
    pub rays: Vec<Ray>,
    /// By site: its first ray; one more entry ends the last.
    first: Vec<u32>,
    pub(crate) lines: Vec<u32>,
    /// All bearings of adjacent sites that occur on the board, ascending.
    pub bearings: Vec<f64>,
    /// The directions of orthogonal sites.
    pub orthogonal: Vec<f64>,
    /// The directions of neighbours of any kind.
    pub all: Vec<f64>,
}

pub(crate) use crate::board::radials::turn;

impl Directions {
    /// The directions of the ways over a board.
    pub fn new(radials: &Radials) -> Directions {
        let mut all = Directions::default();
        all.add(radials, 0);
        all.bearings.sort_by(f64::total_cmp);
        all.orthogonal.sort_by(f64::total_cmp);
        all.all.sort_by(f64::total_cmp);
        all
    }

    /// Adds the ways over other elements, whose sites begin with `from`. The bearings of the board stay as they are.
    pub(crate) fn extend(&mut self, radials: &Radials, from: usize) {
        let known = (self.bearings.clone(), self.orthogonal.clone(), self.all.clone());
        self.first.pop();
        self.first.resize(from.max(self.first.len()), self.rays.len() as u32);
        self.add(radials, from as u32);
        (self.bearings, self.orthogonal, self.all) = known;
    }

    /// Adds the ways of sites that begin with `offset`.
    fn add(&mut self, radials: &Radials, offset: u32) {
        let all = self;
        for ways in &radials.from {
            let from = all.rays.len();
            all.first.push(from as u32);
            for way in ways {
                let kind = Relation {
                    adjacent: way.touch.adjacent,
                    orthogonal: way.touch.orthogonal,
                    diagonal: way.touch.diagonal,
                    off: way.touch.off_diagonal,
                    up: way.rise,
                    around: way.rotation,
                    upright: way.compass.is_none(),
                };
                for (list, is) in [
                    (&mut all.bearings, kind.adjacent),
                    (&mut all.orthogonal, kind.orthogonal && kind.up == 0),
                    (&mut all.all, !kind.upright),
                ] {
                    if is && !list.iter().any(|&x| turn(x, way.bearing) < 1.0) {
                        list.push(way.bearing);
                    }
                }
                let first = all.lines.len() as u32;
                all.lines.extend(way.sites.iter().map(|site| site + offset));
                let end = all.lines.len() as u32;
                all.rays.push(Ray {
                    bearing: way.bearing,
                    relation: kind,
                    opposite: 0,
                    first,
                    end,
                });
            }
            for i in from..all.rays.len() {
                let back = all.rays[i].bearing + 180.0;
                let kind = all.rays[i].relation;
                let turned = match kind.around {
                    Some(Rotation::Clockwise) => Some(Rotation::Counterclockwise),
                    Some(Rotation::Counterclockwise) => Some(Rotation::Clockwise),
                    _ => None,
                };
                let other = (from..all.rays.len()).find(|&j| {
                    let (ray, other) = (&all.rays[j], all.rays[j].relation);
                    let straight = turn(ray.bearing, back) < 10.0
                        || turned.is_some() && other.around == turned;
                    // Both touch the site in the same way (decided by Flowers, ply 24).
                    let alike =
                        (other.adjacent, other.orthogonal) == (kind.adjacent, kind.orthogonal);
                    straight && other.up == -kind.up && alike
                });
                all.rays[i].opposite = other.unwrap_or(i) as u32;
            }
        }
        all.first.push(all.rays.len() as u32);
    }

    /// In how many ways a piece can be turned: where sites have neighbours across corners that do
    /// not touch, these count.
    pub fn turns(&self) -> usize {
        match self.bearings.len() {
            4 => self.all.len().clamp(4, 8),
            n => n,
        }
    }

    /// The rays of a site, by number.
    pub fn of(&self, site: usize) -> std::ops::Range<u32> {
        match (self.first.get(site), self.first.get(site + 1)) {
            (Some(&a), Some(&b)) => a..b,
            _ => 0..0,
        }
    }

    /// The sites of a ray, the nearest first.
    #[inline]
    pub fn line(&self, ray: u32) -> &[u32] {
        let ray = &self.rays[ray as usize];
        &self.lines[ray.first as usize..ray.end as usize]
    }

    /// The ray from a site to a neighbour.
    pub fn towards(&self, from: usize, to: u32) -> Option<u32> {
        self.of(from).find(|&r| self.line(r).first() == Some(&to))
    }
}

/// A choice of directions.
#[derive(Clone, Debug, PartialEq)]
pub enum Direction {
    /// All that touch.
    Adjacent,
    /// Across sides.
    Orthogonal,
    /// Straight across corners.
    Diagonal,
    /// The other corners.
    OffDiagonal,
    /// All of them.
    All,
    /// The directions within the same layer.
    SameLayer,
    /// A layer up.
    Upward,
    /// A layer down.
    Downward,
    /// Around the middle of the board.
    Around(Rotation),
    /// Any of these.
    Rotational,
    /// Straight up (1) or down (-1).
    Upright(i8),
    /// One bearing.
    Bearing(f64),
    /// One bearing, up (1) or down (-1).
    Slope(f64, i8),
    /// So many steps to the right of a base bearing relative to where the piece looks, among the
    /// board's bearings of a relation.
    Relative(f64, i32, Base),
    /// All bearings less than a right angle from a base relative to where the piece looks.
    Towards(f64, Base),
}

/// Among which directions relative ones are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// All that touch.
    Adjacent,
    /// All that touch the site, whatever directions other sites have.
    Site,
    /// Across sides.
    Orthogonal,
    /// Across corners.
    Diagonal,
    /// In whatever way.
    All,
}

/// A neighbour lies in a direction that is no further away, in degrees.
const ASIDE: f64 = 31.0;

/// Half of a sixteenth of a turn, in degrees: bearings no further apart have the same name.
const HALF: f64 = 11.26;

const COMPASS: [&str; 16] = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW",
    "NNW",
];

/// The number of a compass direction, clockwise from the north in sixteenths.
pub(crate) fn compass(word: &str) -> Option<usize> {
    COMPASS.iter().position(|&name| name == word)
}

impl Direction {
    /// A direction by its word; `None` for words that are not supported.
    pub fn named(word: &str, base: Base) -> Option<Direction> {
        let side = match word.chars().next() {
            Some('F') => 0.0,
            Some('B') => 180.0,
            Some('R') => 90.0,
            _ => 270.0,
        };
        let turns = word.get(1..).unwrap_or_default();
        Some(match word {
            "Adjacent" => Direction::Adjacent,
            "Orthogonal" => Direction::Orthogonal,
            "Diagonal" => Direction::Diagonal,
            "OffDiagonal" => Direction::OffDiagonal,
            "All" => Direction::All,
            "SameLayer" => Direction::SameLayer,
            "Upward" => Direction::Upward,
            "Downward" => Direction::Downward,
            "Rotational" => Direction::Rotational,
            "CW" | "CCW" | "In" | "Out" => Direction::Around(Rotation::named(word)?),
            "U" => Direction::Upright(1),
            "D" => Direction::Upright(-1),
            "Forward" | "Backward" | "Rightward" | "Leftward" => Direction::Relative(side, 0, base),
            "Forwards" | "Backwards" | "Rightwards" | "Leftwards" => Direction::Towards(side, base),
            "FR" | "FRR" | "FRRR" => Direction::Relative(side, turns.len() as i32, base),
            "FL" | "FLL" | "FLLL" => Direction::Relative(side, -(turns.len() as i32), base),
            // Behind, right and left are those of the one who looks back.
            "BR" | "BRR" | "BRRR" => Direction::Relative(side, turns.len() as i32, base),
            "BL" | "BLL" | "BLLL" => Direction::Relative(side, -(turns.len() as i32), base),
            _ => match compass(word) {
                Some(n) => Direction::Bearing(n as f64 * 22.5),
                None => {
                    let up = match word.chars().next() {
                        Some('U') => 1,
                        Some('D') => -1,
                        _ => return None,
                    };
                    Direction::Slope(compass(turns)? as f64 * 22.5, up)
                }
            },
        })
    }

    /// Does it depend on where a piece looks?
    pub fn is_relative(&self) -> bool {
        matches!(self, Direction::Relative(..) | Direction::Towards(..))
    }
}

impl Directions {
    /// The rays of a site in some directions, for a piece that looks at `facing` (degrees).
    pub fn select(&self, site: usize, directions: &[Direction], facing: f64) -> Vec<u32> {
        let mut rays: Vec<u32> =
            self.chosen(site, &self.resolved(directions, facing), facing).collect();
        rays.dedup();
        rays
    }

    /// Directions, each with the bearing that it means where that is the same on all sites.
    fn resolved(&self, directions: &[Direction], facing: f64) -> Vec<(Direction, Option<f64>)> {
        let bearing = |d: &Direction| match *d {
            Direction::Relative(side, steps, base) => self.relative(facing + side, steps, base),
            _ => None,
        };
        directions.iter().map(|d| (d.clone(), bearing(d))).collect()
    }

    /// Each ray as often as a direction means it.
    fn chosen(
        &self,
        site: usize,
        directions: &[(Direction, Option<f64>)],
        facing: f64,
    ) -> impl Iterator<Item = u32> {
        let rays = self.of(site);
        rays.clone().flat_map(move |ray| {
            let is = |(d, bearing): &&(Direction, Option<f64>)| {
                self.is(ray, rays.clone(), d, *bearing, facing)
            };
            std::iter::repeat_n(ray, directions.iter().filter(is).count())
        })
    }

    fn is(
        &self,
        ray: u32,
        rays: std::ops::Range<u32>,
        direction: &Direction,
        relative: Option<f64>,
        facing: f64,
    ) -> bool {
        let of = &self.rays[ray as usize];
        let r = of.relation;
        let base = |base: Base| match base {
            Base::Adjacent | Base::Site => r.adjacent,
            Base::Orthogonal => r.orthogonal,
            Base::Diagonal => r.diagonal,
            Base::All => true,
        };
        // In whatever relation, where the board has the direction of the compass in that one.
        let along = |relation: Base| {
            let list = match relation {
                Base::Adjacent => &self.bearings,
                Base::Orthogonal => &self.orthogonal,
                _ => return base(relation),
            };
            let compass = Compass::nearest(of.bearing);
            base(relation) || list.iter().any(|&bearing| Compass::nearest(bearing) == compass)
        };
        match *direction {
            Direction::Adjacent => r.adjacent,
            Direction::Orthogonal => r.orthogonal,
            Direction::Diagonal => r.diagonal,
            Direction::OffDiagonal => r.off,
            Direction::All => true,
            Direction::SameLayer => r.up == 0,
            Direction::Upward => r.up > 0,
            Direction::Downward => r.up < 0,
            Direction::Rotational => r.around.is_some(),
            Direction::Around(way) => r.around == Some(way),
            Direction::Upright(up) => r.upright && r.up == up,
            Direction::Bearing(bearing) => r.up == 0 && self.nearest(ray, rays, bearing, 0, HALF),
            Direction::Slope(bearing, up) => {
                r.up == up && self.nearest(ray, rays, bearing, up, ASIDE)
            }
            Direction::Relative(_, steps, of) => {
                let aside = match steps {
                    // Only this direction, if the site has it.
                    _ if of == Base::Site => HALF,
                    0 => ASIDE,
                    _ => ASIDE - 2.0,
                };
                along(of) && relative.is_some_and(|b| self.nearest(ray, rays, b, 0, aside))
            }
            Direction::Towards(side, relation) => {
                along(relation) && turn(of.bearing, facing + side) < 89.0
            }
        }
    }

    /// Is this ray the one of its site nearest to a bearing, and near enough?
    fn nearest(
        &self,
        ray: u32,
        mut rays: std::ops::Range<u32>,
        bearing: f64,
        up: i8,
        aside: f64,
    ) -> bool {
        let bend = |ray: u32| turn(self.rays[ray as usize].bearing, bearing);
        let mine = bend(ray);
        mine < aside
            && rays.all(|other| {
                self.rays[other as usize].relation.up != up || bend(other) >= mine - 1e-6
            })
    }

    /// The bearing so many of the board's bearings to the right of another.
    fn relative(&self, base: f64, steps: i32, relation: Base) -> Option<f64> {
        let list = match relation {
            Base::Orthogonal => &self.orthogonal,
            Base::All => &self.all,
            _ => &self.bearings,
        };
        let n = list.len() as i32;
        let base = base.rem_euclid(360.0);
        let bend = |i: i32| turn(list[i as usize], base);
        let at = (0..n).min_by(|&a, &b| bend(a).total_cmp(&bend(b)))?;
        // Where the board has no such bearing, half a step counts as one.
        if bend(at) > HALF && steps != 0 {
            let wanted = if steps > 0 { base + 1.0 } else { base - 1.0 };
            let side = |i: &i32| {
                let d = (list[*i as usize] - base).rem_euclid(360.0);
                (d < 180.0) == (steps > 0)
            };
            let near = |i: i32| turn(list[i as usize], wanted);
            let first = (0..n).filter(side).min_by(|&a, &b| near(a).total_cmp(&near(b)))?;
            let more = steps - steps.signum();
            return Some(list[(first + more).rem_euclid(n) as usize]);
        }
        // Straight ahead is nowhere on such a board (decided by option `Board/Hexagon` of Breakthrough, ply 0).
        if bend(at) > HALF {
            return None;
        }
        Some(list[(at + steps).rem_euclid(n) as usize])
    }

    /// A table of the rays in some directions, each as often as one of them means it.
    pub fn table(&self, directions: &[Direction], facing: f64) -> Table {
        let mut table = Table { first: Vec::with_capacity(self.first.len()), rays: Vec::new() };
        let directions = self.resolved(directions, facing);
        for site in 0..self.first.len().saturating_sub(1) {
            table.first.push(table.rays.len() as u32);
            table.rays.extend(self.chosen(site, &directions, facing));
        }
        table.first.push(table.rays.len() as u32);
        table
    }
}

/// By site: the rays in some directions.
#[derive(Clone, Debug, Default)]
pub struct Table {
    first: Vec<u32>,
    rays: Vec<u32>,
}

impl Table {
    /// Has a site a ray twice?
    fn repeats(&self) -> bool {
        let twice =
            |w: &[u32]| self.rays[w[0] as usize..w[1] as usize].windows(2).any(|r| r[0] == r[1]);
        self.first.windows(2).any(twice)
    }

    /// Each ray once; the same ones follow each other.
    fn distinct(&self) -> Table {
        let mut once = Table { first: Vec::with_capacity(self.first.len()), rays: Vec::new() };
        for w in self.first.windows(2) {
            let begun = once.rays.len();
            once.first.push(begun as u32);
            for &ray in &self.rays[w[0] as usize..w[1] as usize] {
                if once.rays[begun..].last() != Some(&ray) {
                    once.rays.push(ray);
                }
            }
        }
        once.first.push(once.rays.len() as u32);
        once
    }

    /// By site: what `join` makes of its rays and those of another table.
    fn merged(&self, other: &Table, join: &impl Fn(&[u32], &[u32]) -> Vec<u32>) -> Table {
        let mut both = Table::default();
        for site in 0..self.first.len().max(other.first.len()).saturating_sub(1) as i32 {
            both.first.push(both.rays.len() as u32);
            both.rays.extend(join(self.of(site), other.of(site)));
        }
        both.first.push(both.rays.len() as u32);
        both
    }

    /// By ray: what `join` makes of the rays of its site and of this ray.
    fn with_each_ray(&self, all: &Directions, join: &impl Fn(&[u32], u32) -> Vec<u32>) -> Table {
        let mut each = Table::default();
        for site in 0..self.first.len().saturating_sub(1) {
            for ray in all.of(site) {
                each.first.push(each.rays.len() as u32);
                each.rays.extend(join(self.of(site as i32), ray));
            }
        }
        each.first.push(each.rays.len() as u32);
        each
    }

    /// The rays of a site.
    #[inline]
    pub fn of(&self, site: i32) -> &[u32] {
        let Ok(site) = usize::try_from(site) else { return &[] };
        match (self.first.get(site), self.first.get(site + 1)) {
            (Some(&a), Some(&b)) => &self.rays[a as usize..b as usize],
            _ => &[],
        }
    }
}

/// The site so many steps along the first of some rays from a site; the site itself where there is none.
pub(crate) fn end(equipment: &Equipment, site: i32, rays: &[u32], steps: i32) -> i32 {
    let Some(&ray) = rays.first() else { return site };
    match usize::try_from(steps - 1) {
        Ok(steps) => equipment.directions.line(ray).get(steps).map_or(site, |&s| s as i32),
        Err(_) => site,
    }
}

/// A node that works out the rays of a site.
pub(crate) trait Choose: Node {
    /// The rays of a site.
    fn rays(&self, c: &mut Context<'_>, site: i32) -> Rays<'_>;
}

/// The rays of a site.
#[derive(Clone, Debug)]
pub(crate) enum Rays<'a> {
    /// The rays of a table.
    Known(&'a [u32]),
    /// One ray.
    One([u32; 1]),
    /// Two.
    Two([u32; 2]),
    /// The rays that were computed for this state.
    Many(Vec<u32>),
}

impl std::ops::Deref for Rays<'_> {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        match self {
            Rays::Known(rays) => rays,
            Rays::One(ray) => ray,
            Rays::Two(rays) => rays,
            Rays::Many(rays) => rays,
        }
    }
}

/// Directions of a rule.
pub(crate) enum Dirs {
    /// Directions that do not depend on where a piece looks.
    Fixed(Arc<Table>),
    /// By sixteenths of a turn.
    Facing(Arc<Vec<Table>>),
    /// One or the other.
    If(Bool, Box<Dirs>, Box<Dirs>),
    /// Worked out when asked, by site.
    Dyn(Box<dyn Choose>),
}

impl Field for Dirs {
    fn show(&self, out: &mut String) {
        match self {
            Dirs::Fixed(_) => out.push_str("(table of rays)"),
            Dirs::Facing(_) => out.push_str("(tables of rays by facing)"),
            Dirs::If(condition, yes, no) => {
                out.push_str("(if ");
                condition.show(out);
                out.push(' ');
                yes.show(out);
                out.push(' ');
                no.show(out);
                out.push(')');
            }
            Dirs::Dyn(node) => node::show(&**node, out),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            Dirs::If(condition, yes, no) => {
                condition.nodes(visit);
                yes.nodes(visit);
                no.nodes(visit);
            }
            Dirs::Dyn(node) => visit(&**node),
            Dirs::Fixed(_) | Dirs::Facing(_) => {}
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Dirs::Facing(_) => Parts::ROTATIONS | Parts::TURN,
            Dirs::If(condition, yes, no) => condition.reads() | yes.reads() | no.reads(),
            Dirs::Fixed(_) | Dirs::Dyn(_) => Parts::NONE,
        }
    }

    fn iterators(&self) -> Iterators {
        match self {
            Dirs::Fixed(_) | Dirs::Facing(_) => Iterators::NONE,
            Dirs::If(condition, yes, no) => {
                condition.iterators() | yes.iterators() | no.iterators()
            }
            Dirs::Dyn(node) => node::iterators(&**node),
        }
    }
}

impl Dirs {
    /// The directions of a node.
    pub(crate) fn of(node: impl Choose + 'static) -> Dirs {
        Dirs::Dyn(Box::new(node))
    }

    /// The result of `join` on the rays of these directions and of others, where both are known for every site.
    pub(crate) fn merged(
        &self,
        other: &Dirs,
        join: &impl Fn(&[u32], &[u32]) -> Vec<u32>,
    ) -> Option<Dirs> {
        let facing = |tables: Vec<Table>| Some(Dirs::Facing(Arc::new(tables)));
        match (self, other) {
            (Dirs::Fixed(one), Dirs::Fixed(other)) => {
                Some(Dirs::Fixed(Arc::new(one.merged(other, join))))
            }
            (Dirs::Fixed(one), Dirs::Facing(others)) => {
                facing(others.iter().map(|other| one.merged(other, join)).collect())
            }
            (Dirs::Facing(ones), Dirs::Fixed(other)) => {
                facing(ones.iter().map(|one| one.merged(other, join)).collect())
            }
            (Dirs::Facing(ones), Dirs::Facing(others)) => {
                let pairs = ones.iter().zip(others.iter());
                facing(pairs.map(|(one, other)| one.merged(other, join)).collect())
            }
            _ => None,
        }
    }

    /// By where a piece looks, if that matters, and ray: what `join` makes of the rays of its site and of this ray. Nothing where more decides
    /// the rays of a site.
    pub(crate) fn with_each_ray(
        &self,
        all: &Directions,
        join: &impl Fn(&[u32], u32) -> Vec<u32>,
    ) -> Option<Vec<Table>> {
        match self {
            Dirs::Fixed(table) => Some(vec![table.with_each_ray(all, join)]),
            Dirs::Facing(tables) => {
                Some(tables.iter().map(|table| table.with_each_ray(all, join)).collect())
            }
            Dirs::If(..) | Dirs::Dyn(_) => None,
        }
    }

    /// The directions without repetitions.
    pub(crate) fn distinct(self) -> Dirs {
        match self {
            Dirs::Fixed(table) if table.repeats() => Dirs::Fixed(Arc::new(table.distinct())),
            Dirs::Facing(tables) if tables.iter().any(Table::repeats) => {
                Dirs::Facing(Arc::new(tables.iter().map(Table::distinct).collect()))
            }
            Dirs::If(condition, yes, no) => {
                Dirs::If(condition, Box::new(yes.distinct()), Box::new(no.distinct()))
            }
            other => other,
        }
    }

    /// Over all sites: the most of what `f` counts of its rays.
    fn most(&self, equipment: &Equipment, f: &impl Fn(&[u32]) -> usize) -> Most {
        let table = |most: Most, table: &Table| {
            (0..table.first.len() as i32).fold(most, |most, site| {
                let count = f(table.of(site)) as u32;
                let board = if equipment.is_on_plane(site) { 0 } else { count };
                Most { board: most.board.max(board), any: most.any.max(count) }
            })
        };
        let most = match self {
            Dirs::Fixed(one) => table(Most::UNKNOWN, one),
            Dirs::Facing(tables) => tables.iter().fold(Most::UNKNOWN, table),
            Dirs::If(..) | Dirs::Dyn(_) => Most::UNKNOWN,
        };
        // No way from the board is not the same as one that is not known.
        if most.board == 0 { Most::all(most.any) } else { most }
    }

    /// By site: the bits of the nearest sites of its rays, or of all sites on them; nothing where the rays are unknown.
    pub(crate) fn reach(&self, directions: &Directions, sites: usize, far: bool) -> Vec<u64> {
        let words = sites.div_ceil(64);
        let mut bits = vec![0; words * sites];
        let mut add = |table: &Table| {
            for from in 0..sites {
                for &ray in table.of(from as i32) {
                    let line = directions.line(ray);
                    for &to in &line[..if far { line.len() } else { 1 }] {
                        bits[words * from + (to as usize >> 6)] |= 1 << (to & 63);
                    }
                }
            }
        };
        match self {
            Dirs::Fixed(one) => add(one),
            Dirs::Facing(tables) => tables.iter().for_each(add),
            _ => return Vec::new(),
        }
        bits
    }

    /// By where a piece looks, if that matters, and site: the site so many steps away, see [`end`]. Nothing where more decides it.
    pub(crate) fn ends(&self, equipment: &Equipment, steps: i32) -> Vec<Vec<i32>> {
        let ends = |table: &Table| {
            let sites = 0..table.first.len().saturating_sub(1) as i32;
            sites.map(|site| end(equipment, site, table.of(site), steps)).collect()
        };
        match self {
            Dirs::Fixed(table) => vec![ends(table)],
            Dirs::Facing(tables) => tables.iter().map(ends).collect(),
            Dirs::If(..) | Dirs::Dyn(_) => Vec::new(),
        }
    }

    /// How many rays a site has at most.
    pub(crate) fn widest(&self, equipment: &Equipment) -> Most {
        self.most(equipment, &<[u32]>::len)
    }

    /// How many sites are on the rays of a site at most.
    pub(crate) fn longest(&self, equipment: &Equipment) -> Most {
        let line = |&ray: &u32| equipment.directions.line(ray).len();
        self.most(equipment, &|rays| rays.iter().map(line).sum())
    }

    /// The rays of a site.
    #[inline]
    pub(crate) fn rays<'a>(&'a self, c: &mut Context<'_>, site: i32) -> Rays<'a> {
        match self {
            Dirs::Fixed(table) => Rays::Known(table.of(site)),
            Dirs::Facing(tables) => {
                let facing = c.facing(site);
                Rays::Known(tables.get(facing).map_or(&[], |table| table.of(site)))
            }
            Dirs::If(..) | Dirs::Dyn(_) => self.chosen(c, site),
        }
    }

    /// The rays of `(from)` with these iterators.
    #[inline]
    pub(crate) fn rays_at<'a>(&'a self, c: &mut Context<'_>, at: Registers) -> Rays<'a> {
        match self {
            Dirs::Fixed(_) | Dirs::Facing(_) => self.rays(c, at.from),
            Dirs::If(..) | Dirs::Dyn(_) => c.with(at, |c| self.chosen(c, at.from)),
        }
    }

    /// The rays of a site where more decides them than where a piece looks.
    fn chosen<'a>(&'a self, c: &mut Context<'_>, site: i32) -> Rays<'a> {
        match self {
            Dirs::Fixed(_) | Dirs::Facing(_) => self.rays(c, site),
            Dirs::If(condition, yes, no) => {
                if condition.holds(c) {
                    yes.rays(c, site)
                } else {
                    no.rays(c, site)
                }
            }
            Dirs::Dyn(node) => node.rays(c, site),
        }
    }
}
