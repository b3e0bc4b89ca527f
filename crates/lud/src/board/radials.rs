//! The ways over a board: from each site, in each direction, the sites that follow each other.

use super::graph::Point;
use super::topology::Element;

/// A direction of the compass, clockwise from the north in steps of 22.5 degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Compass(pub u8);

const NAMES: [&str; 16] = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW",
    "NNW",
];

impl Compass {
    /// The direction nearest to a bearing in degrees.
    pub fn nearest(bearing: f64) -> Compass {
        Compass((bearing.rem_euclid(360.0) / 22.5).round() as u8 % 16)
    }

    /// By its name, e.g. `NNE`.
    pub fn named(name: &str) -> Option<Compass> {
        NAMES.iter().position(|&n| n == name).map(|i| Compass(i as u8))
    }

    /// The name of the relation.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0 % 16)]
    }

    /// In degrees, clockwise from the north.
    pub fn bearing(self) -> f64 {
        f64::from(self.0) * 22.5
    }
}

/// Around the middle of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// To the right.
    Clockwise,
    /// To the left.
    Counterclockwise,
    /// Towards the middle.
    In,
    /// Away from it.
    Out,
}

impl Rotation {
    /// By its name: `CW`, `CCW`, `In`, `Out`.
    pub fn named(name: &str) -> Option<Rotation> {
        Some(match name {
            "CW" => Rotation::Clockwise,
            "CCW" => Rotation::Counterclockwise,
            "In" => Rotation::In,
            "Out" => Rotation::Out,
            _ => return None,
        })
    }
}

/// How the first site of a way touches its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touch {
    /// In any way.
    pub adjacent: bool,
    /// Across a side, along an edge.
    pub orthogonal: bool,
    /// Straight across a corner.
    pub diagonal: bool,
    /// Across a corner, but not straight.
    pub off_diagonal: bool,
}

/// A way from a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Radial {
    /// The bearing of the first step, in degrees clockwise from the north.
    pub bearing: f64,
    /// The compass direction of the first step; `None` if it goes straight up or down.
    pub compass: Option<Compass>,
    /// 1 if it goes up a layer, -1 if down.
    pub rise: i8,
    /// Around the middle of the board, where that can be said.
    pub rotation: Option<Rotation>,
    /// How the first site touches the origin.
    pub touch: Touch,
    /// The sites after the origin, in order.
    pub sites: Vec<u32>,
}

impl Radial {
    /// Does it go in a direction by its name: of the compass, `CW` and so on, or, over layers, `U`,
    /// `D`, `UNE`, `DSW` and so on?
    pub fn is(&self, name: &str) -> bool {
        if let Some(rotation) = Rotation::named(name) {
            return self.rotation == Some(rotation);
        }
        let (rise, rest) = match name.split_at_checked(1) {
            Some(("U", rest)) => (1, rest),
            Some(("D", rest)) => (-1, rest),
            _ => (0, name),
        };
        if rise != self.rise {
            return false;
        }
        match self.compass {
            None => rest.is_empty() && rise != 0,
            Some(compass) => Compass::named(rest) == Some(compass),
        }
    }
}

/// The rings on which elements lie.
#[derive(Clone, Copy, Debug)]
pub struct Rings<'a> {
    /// The middle.
    pub at: Point,
    /// By element: is there no way around over it?
    pub seam: &'a [bool],
}

/// The ways from every site of a kind.
#[derive(Clone, Debug, Default)]
pub struct Radials {
    /// By site, clockwise from the north.
    pub from: Vec<Vec<Radial>>,
    /// The compass directions to adjacent sites that occur on the board, clockwise.
    pub compass: Vec<Compass>,
}

/// A way bends no more from one step to the next.
const BEND: f64 = 15.0;
/// Rings are so round.
const SAME_RADIUS: f64 = 0.05;

/// The angle between two bearings.
pub fn turn(a: f64, b: f64) -> f64 {
    let d = (a - b).abs();
    // Bearings are nearly always less than a whole turn: a division would cost more than all the rest.
    let d = if d < 360.0 { d } else { d.rem_euclid(360.0) };
    d.min(360.0 - d)
}

fn bearing(p: Point, q: Point) -> f64 {
    let degrees = (q[0] - p[0]).atan2(q[1] - p[1]).to_degrees().rem_euclid(360.0);
    if degrees > 359.99 { 0.0 } else { degrees }
}

fn flat(p: Point, q: Point) -> f64 {
    (p[0] - q[0]).hypot(p[1] - q[1])
}

impl Radials {
    /// The ways over some elements, which may lie on rings.
    pub fn new(elements: &[Element], rings: Option<Rings<'_>>) -> Radials {
        let steps: Vec<Vec<(usize, Touch)>> = elements.iter().map(neighbours).collect();
        // By step: the one that goes on, as (site, number among its steps).
        let mut on = Vec::with_capacity(elements.len());
        for (a, list) in steps.iter().enumerate() {
            let next = |&(b, touch): &(usize, Touch)| {
                let n = go_on(elements, a, b, touch, rings)?;
                let number = steps[b].iter().position(|&(m, _)| m == n)?;
                Some((b, number))
            };
            on.push(list.iter().map(next).collect::<Vec<_>>());
        }
        let mut compass = Vec::new();
        let mut from = Vec::with_capacity(elements.len());
        // By site: the last way that came by.
        let mut seen = vec![0usize; elements.len()];
        let mut way = 0;
        for (a, list) in steps.iter().enumerate() {
            let mut ways = Vec::with_capacity(list.len());
            for (number, &(b, touch)) in list.iter().enumerate() {
                way += 1;
                (seen[a], seen[b]) = (way, way);
                let mut sites = vec![b as u32];
                let mut step = (a, number);
                while let Some(next) = on[step.0][step.1] {
                    let site = steps[next.0][next.1].0;
                    if std::mem::replace(&mut seen[site], way) == way {
                        break;
                    }
                    sites.push(site as u32);
                    step = next;
                }
                ways.push(radial(elements, a, b, touch, rings, sites));
            }
            ways.sort_by(|x, y| x.bearing.total_cmp(&y.bearing));
            for way in ways.iter().filter(|way| way.touch.adjacent) {
                if let Some(c) = way.compass
                    && !compass.contains(&c)
                {
                    compass.push(c);
                }
            }
            from.push(ways);
        }
        compass.sort_unstable();
        Radials { from, compass }
    }

    /// The ways from a site in a direction by its name.
    pub fn towards<'a>(&'a self, site: usize, name: &'a str) -> impl Iterator<Item = &'a Radial> {
        self.from.get(site).into_iter().flatten().filter(move |way| way.is(name))
    }
}

/// The sites to which ways go first.
fn neighbours(e: &Element) -> Vec<(usize, Touch)> {
    let beyond = e.diagonal.iter().filter(|n| !e.adjacent.contains(n));
    let touch = |&b: &usize| {
        let touch = Touch {
            adjacent: e.adjacent.contains(&b),
            orthogonal: e.orthogonal.contains(&b),
            diagonal: e.diagonal.contains(&b),
            off_diagonal: e.off_diagonal.contains(&b),
        };
        (b, touch)
    };
    e.adjacent.iter().chain(beyond).map(touch).collect()
}

/// The site after the step from `a` to `b`: in the same relation, as straight as can be, or along
/// the same ring.
fn go_on(
    elements: &[Element],
    a: usize,
    b: usize,
    touch: Touch,
    rings: Option<Rings<'_>>,
) -> Option<usize> {
    let at = |n: usize| elements[n].centre;
    let (from, here) = (&elements[a], &elements[b]);
    let list = if touch.orthogonal {
        &here.orthogonal
    } else if touch.diagonal {
        &here.diagonal
    } else {
        &here.adjacent
    };
    let around = |a: usize, b: usize| rotation(elements, rings, a, b, false);
    if let way @ Some(Rotation::Clockwise | Rotation::Counterclockwise) = around(a, b) {
        return list.iter().copied().find(|&n| around(b, n) == way);
    }
    let rise = |x: &Element, y: &Element| (y.layer as i64 - x.layer as i64).signum();
    let (heading, upright) = (bearing(at(a), at(b)), flat(at(a), at(b)) < 1e-6);
    list.iter()
        .copied()
        .filter(|&n| {
            rise(here, &elements[n]) == rise(from, here) && (flat(at(b), at(n)) < 1e-6) == upright
        })
        .map(|n| (if upright { 0.0 } else { turn(bearing(at(b), at(n)), heading) }, n))
        .filter(|(bend, _)| *bend < BEND)
        // The nearer one of two that are equally straight.
        .min_by(|x, y| {
            let far = |n: usize| (flat(at(b), at(n)) * 1e6).round();
            let bend = |bend: f64| (bend * 1e6).round();
            let by = |(b, n): (f64, usize)| (bend(b), far(n), n);
            let (x, y) = (by(*x), by(*y));
            x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)).then(x.2.cmp(&y.2))
        })
        .map(|(_, n)| n)
}

fn radial(
    elements: &[Element],
    a: usize,
    b: usize,
    touch: Touch,
    rings: Option<Rings<'_>>,
    sites: Vec<u32>,
) -> Radial {
    let (from, to) = (&elements[a], &elements[b]);
    let degrees = bearing(from.centre, to.centre);
    let upright = flat(from.centre, to.centre) < 1e-6;
    Radial {
        bearing: degrees,
        compass: (!upright).then(|| Compass::nearest(degrees)),
        rise: (to.layer as i64 - from.layer as i64).signum() as i8,
        rotation: rotation(elements, rings, a, b, touch.orthogonal),
        touch,
        sites,
    }
}

/// Where a step goes around a middle: along a circle, or along a ray. A step across a side to another ring goes in or out, even where
/// the sites of the rings do not lie behind one another (decided by Los Escaques, ply 19 of its second record).
fn rotation(
    elements: &[Element],
    rings: Option<Rings<'_>>,
    from: usize,
    to: usize,
    orthogonal: bool,
) -> Option<Rotation> {
    let Rings { at: pivot, seam } = rings?;
    let at_seam = [from, to].iter().any(|&n| seam.get(n) == Some(&true));
    let (from, to) = (elements[from].centre, elements[to].centre);
    let (r, s) = (flat(pivot, from), flat(pivot, to));
    if (r - s).abs() < SAME_RADIUS && r > SAME_RADIUS {
        if at_seam {
            return None;
        }
        let side =
            (from[0] - pivot[0]) * (to[1] - pivot[1]) - (from[1] - pivot[1]) * (to[0] - pivot[0]);
        return Some(if side > 0.0 { Rotation::Counterclockwise } else { Rotation::Clockwise });
    }
    let straight = orthogonal
        || r < SAME_RADIUS
        || s < SAME_RADIUS
        || turn(bearing(pivot, from), bearing(pivot, to)) < 1.0;
    straight.then_some(if s < r { Rotation::In } else { Rotation::Out })
}
