//! Directions of a board: the neighbours of each site by bearing, and the lines that go on.

use crate::board::Element;

/// What lies in one direction from a site.
#[derive(Clone, Debug)]
pub struct Ray {
    /// Clockwise from the north, in degrees.
    pub bearing: f64,
    /// The relations in which the first site stands to the origin.
    pub relation: Relation,
    /// The sites one after the other.
    pub sites: Vec<u32>,
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
    /// Otherwise.
    pub off: bool,
}

/// The rays of every site.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    /// By site.
    pub rays: Vec<Vec<Ray>>,
    /// All bearings of adjacent sites that occur on the board, ascending.
    pub bearings: Vec<f64>,
}

/// A line may bend so much from one site to the next.
const BEND: f64 = 30.0;

/// The angle between two bearings.
pub fn turn(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(360.0);
    d.min(360.0 - d)
}

impl Directions {
    /// The directions of a board's elements.
    pub fn new(elements: &[Element]) -> Directions {
        let bearing = |a: usize, b: usize| {
            let (p, q) = (elements[a].centre, elements[b].centre);
            let degrees = (q[0] - p[0]).atan2(q[1] - p[1]).to_degrees().rem_euclid(360.0);
            if degrees > 359.99 { 0.0 } else { degrees }
        };
        let relation = |a: usize, b: usize| {
            let e = &elements[a];
            Relation {
                adjacent: e.adjacent.contains(&b),
                orthogonal: e.orthogonal.contains(&b),
                diagonal: e.diagonal.contains(&b),
                off: e.off_diagonal.contains(&b),
            }
        };
        let mut bearings: Vec<f64> = Vec::new();
        let mut rays = Vec::with_capacity(elements.len());
        for (a, e) in elements.iter().enumerate() {
            let mut neighbours = e.adjacent.clone();
            neighbours.extend(e.diagonal.iter().filter(|n| !e.adjacent.contains(n)));
            let mut own = Vec::new();
            for &b in &neighbours {
                let (degrees, kind) = (bearing(a, b), relation(a, b));
                if kind.adjacent && !bearings.iter().any(|&x| turn(x, degrees) < 1.0) {
                    bearings.push(degrees);
                }
                let mut sites = vec![b as u32];
                let (mut here, mut heading) = (b, degrees);
                // On in the same relation, as straight as can be, until the board ends.
                while sites.len() < elements.len() {
                    let next = &elements[here];
                    let list = if kind.orthogonal {
                        &next.orthogonal
                    } else if kind.diagonal {
                        &next.diagonal
                    } else {
                        &next.adjacent
                    };
                    let straight = list
                        .iter()
                        .map(|&n| (turn(bearing(here, n), heading), n))
                        .filter(|&(bend, _)| bend < BEND)
                        .min_by(|a, b| a.0.total_cmp(&b.0));
                    let Some((_, n)) = straight else { break };
                    if n == a || sites.contains(&(n as u32)) {
                        break;
                    }
                    heading = bearing(here, n);
                    sites.push(n as u32);
                    here = n;
                }
                own.push(Ray { bearing: degrees, relation: kind, sites });
            }
            rays.push(own);
        }
        bearings.sort_by(f64::total_cmp);
        Directions { rays, bearings }
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
    /// One bearing.
    Bearing(f64),
    /// So many steps to the right of where the piece looks, among the board's bearings.
    Right(i32),
    /// All bearings less than a right angle from that.
    Towards(f64),
}

const COMPASS: [&str; 16] = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW",
    "NNW",
];

/// The bearing of a compass direction.
pub fn compass(word: &str) -> Option<f64> {
    COMPASS.iter().position(|&name| name == word).map(|i| i as f64 * 22.5)
}

impl Direction {
    /// A direction by its word; `None` for words that are not supported.
    pub fn named(word: &str) -> Option<Direction> {
        Some(match word {
            "Adjacent" => Direction::Adjacent,
            "Orthogonal" => Direction::Orthogonal,
            "Diagonal" => Direction::Diagonal,
            "OffDiagonal" => Direction::OffDiagonal,
            "All" => Direction::All,
            "Forward" => Direction::Right(0),
            "FR" => Direction::Right(1),
            "FL" => Direction::Right(-1),
            "Forwards" => Direction::Towards(0.0),
            "Backwards" => Direction::Towards(180.0),
            "Rightwards" => Direction::Towards(90.0),
            "Leftwards" => Direction::Towards(270.0),
            "Backward" => Direction::Right(1000),
            "BR" => Direction::Right(999),
            "BL" => Direction::Right(1001),
            "Rightward" => Direction::Right(500),
            "Leftward" => Direction::Right(1500),
            _ => Direction::Bearing(compass(word)?),
        })
    }
}

impl Directions {
    /// The rays of a site in some directions, for a piece that looks at `facing`.
    pub fn select<'a>(
        &'a self,
        site: usize,
        directions: &'a [Direction],
        facing: f64,
    ) -> impl Iterator<Item = &'a Ray> + 'a {
        let rays = self.rays.get(site).map_or(&[][..], Vec::as_slice);
        rays.iter().filter(move |ray| {
            directions.iter().any(|direction| self.is(ray, rays, direction, facing))
        })
    }

    fn is(&self, ray: &Ray, rays: &[Ray], direction: &Direction, facing: f64) -> bool {
        let r = ray.relation;
        match *direction {
            Direction::Adjacent => r.adjacent,
            Direction::Orthogonal => r.orthogonal,
            Direction::Diagonal => r.diagonal,
            Direction::OffDiagonal => r.off,
            Direction::All => true,
            Direction::Bearing(bearing) => nearest(ray, rays, bearing),
            Direction::Right(steps) => match self.relative(facing, steps) {
                Some(bearing) => nearest(ray, rays, bearing),
                None => false,
            },
            Direction::Towards(side) => turn(ray.bearing, facing + side) < 89.0,
        }
    }

    /// The bearing so many of the board's bearings to the right of another.
    fn relative(&self, facing: f64, steps: i32) -> Option<f64> {
        let n = self.bearings.len() as i32;
        if n == 0 {
            return None;
        }
        let (base, steps) = match steps {
            -100..=100 => (facing, steps),
            400..=600 => (facing + 90.0, steps - 500),
            900..=1100 => (facing + 180.0, 1000 - steps),
            _ => (facing + 270.0, steps - 1500),
        };
        let base = base.rem_euclid(360.0);
        let at = (0..n).min_by(|&a, &b| {
            let bend = |i: i32| turn(self.bearings[i as usize], base);
            bend(a).total_cmp(&bend(b))
        })?;
        // Where the board has no such bearing, half a step counts as one.
        let bearing = self.bearings[at as usize];
        if turn(bearing, base) > 1.0 && steps != 0 {
            let wanted = if steps > 0 { base + 1.0 } else { base - 1.0 };
            let side = |i: &i32| {
                let d = (self.bearings[*i as usize] - base).rem_euclid(360.0);
                (d < 180.0) == (steps > 0)
            };
            let first = (0..n).filter(side).min_by(|&a, &b| {
                let bend = |i: i32| turn(self.bearings[i as usize], wanted);
                bend(a).total_cmp(&bend(b))
            })?;
            let more = steps - steps.signum();
            return Some(self.bearings[(first + more).rem_euclid(n) as usize]);
        }
        Some(self.bearings[(at + steps).rem_euclid(n) as usize])
    }
}

/// Is this ray the one of its site nearest to a bearing, and near enough?
fn nearest(ray: &Ray, rays: &[Ray], bearing: f64) -> bool {
    let bend = turn(ray.bearing, bearing);
    bend < 31.0 && rays.iter().all(|other| turn(other.bearing, bearing) >= bend - 1e-6)
}
