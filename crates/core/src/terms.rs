//! Heuristic terms about places: what all rule languages ask of a board.
//!
//! A rule language knows where the sites are and whose piece stands on each. [`Geometry`] has the rest, once for each game:
//! how near a site is to the centre, a corner and the border, how far up the board it lies, and the rows of three sites.

/// A point of the board.
pub type Point = [f64; 3];

/// The most rows of three sites: larger boards are judged by a part of them.
const MOST_ROWS: usize = 4096;

/// Tables about the sites of a board.
#[derive(Debug, Clone, Default)]
pub struct Geometry {
    /// By site: nearness to the centre, 0 to 1.
    pub centre: Vec<f32>,
    /// By site: nearness to a corner, 0 to 1.
    pub corners: Vec<f32>,
    /// By site: nearness to the border, 0 to 1.
    pub sides: Vec<f32>,
    /// By site: the height on the board, 0 to 1.
    pub height: Vec<f32>,
    /// Three sites of which the second lies in the middle between its neighbours.
    pub rows: Vec<[u32; 3]>,
}

impl Geometry {
    /// The tables of a board with these sites; `corners` and `border` are numbers of sites.
    pub fn new<'a>(
        points: &[Point],
        middle: Point,
        corners: &[usize],
        border: &[usize],
        neighbours: impl Fn(usize) -> &'a [usize],
    ) -> Geometry {
        let low = points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
        let height = |p: &Point| ((p[1] - low) / (high - low).max(1e-9)) as f32;
        let mut rows = Vec::new();
        for b in 0..points.len() {
            let around = neighbours(b);
            for (i, &a) in around.iter().enumerate() {
                for &c in around.iter().skip(i + 1) {
                    if in_middle(points.get(a), points.get(b), points.get(c)) {
                        rows.push([a as u32, b as u32, c as u32]);
                    }
                }
            }
        }
        rows.truncate(MOST_ROWS);
        Geometry {
            centre: nearness(points, &[middle]),
            corners: nearness(points, &at(points, corners)),
            sides: nearness(points, &at(points, border)),
            height: points.iter().map(height).collect(),
            rows,
        }
    }

    /// How far up the board a site is for the first player, how far down for the others.
    pub fn advance(&self, site: usize, first: bool) -> f32 {
        let height = self.height.get(site).copied().unwrap_or(0.5);
        if first { height } else { 1.0 - height }
    }

    /// Rows without enemy pieces, by the square of the own pieces in them. `owner` tells whose piece stands on a site:
    /// `Some(true)` one's own, `Some(false)` another one, `None` none.
    pub fn lines(&self, owner: impl Fn(usize) -> Option<bool>) -> f32 {
        let mut sum = 0;
        for row in &self.rows {
            let (mut own, mut enemy) = (0u32, false);
            for &site in row {
                match owner(site as usize) {
                    Some(true) => own += 1,
                    Some(false) => enemy = true,
                    None => {}
                }
            }
            sum += if enemy { 0 } else { own * own };
        }
        sum as f32
    }
}

/// The value of a term: one's own part less the others', divided by the sum of both.
pub fn balance(own: f32, others: f32) -> f32 {
    let scale = own.abs() + others.abs();
    if scale > 0.0 { ((own - others) / scale).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The values of pieces: 1 and the moves that a piece of its class has, on average. By kind: the name of its class (a white and
/// a black rook are of one class), the moves that were counted, and the pieces that might have made them.
pub fn piece_values(kinds: &[(&str, f32, f32)]) -> Vec<f32> {
    let value = |class: &str| {
        let of_class = || kinds.iter().filter(|kind| kind.0 == class);
        let (moves, pieces): (f32, f32) =
            (of_class().map(|kind| kind.1).sum(), of_class().map(|kind| kind.2).sum());
        if pieces > 0.0 { 1.0 + moves / pieces } else { 1.0 }
    };
    kinds.iter().map(|kind| value(kind.0)).collect()
}

/// By point: how near it is to the nearest of some places, 1 at the place and 0 at the farthest point.
pub fn nearness(points: &[Point], places: &[Point]) -> Vec<f32> {
    let between = |a: &Point, b: &Point| (a[0] - b[0]).hypot(a[1] - b[1]).hypot(a[2] - b[2]);
    let distance = |point: &Point| {
        places.iter().map(|place| between(point, place)).fold(f64::INFINITY, f64::min)
    };
    let far: Vec<f64> = points.iter().map(distance).collect();
    let most = far.iter().copied().filter(|d| d.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
    far.iter().map(|d| if d.is_finite() { (1.0 - d / most) as f32 } else { 0.0 }).collect()
}

/// The points of some sites.
pub fn at(points: &[Point], sites: &[usize]) -> Vec<Point> {
    sites.iter().filter_map(|&site| points.get(site)).copied().collect()
}

/// Does `b` lie in the middle between `a` and `c`?
fn in_middle(a: Option<&Point>, b: Option<&Point>, c: Option<&Point>) -> bool {
    let (Some(a), Some(b), Some(c)) = (a, b, c) else { return false };
    (0..3).all(|axis| (a[axis] + c[axis] - 2.0 * b[axis]).abs() < 0.02)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three sites in a column.
    fn column() -> Geometry {
        let points = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
        let around: [&[usize]; 3] = [&[1], &[0, 2], &[1]];
        Geometry::new(&points, points[1], &[0, 2], &[0, 2], |site| around[site])
    }

    #[test]
    fn tables_of_a_column_of_three_sites() {
        let column = column();
        assert_eq!(column.centre, [0.0, 1.0, 0.0]);
        assert_eq!(column.corners, [1.0, 0.0, 1.0]);
        assert_eq!(column.height, [0.0, 0.5, 1.0]);
        assert_eq!(column.rows, [[0, 1, 2]]);
        assert_eq!((column.advance(2, true), column.advance(2, false)), (1.0, 0.0));
    }

    #[test]
    fn a_row_counts_until_an_enemy_stands_in_it() {
        let column = column();
        let two = [Some(true), None, Some(true)];
        assert_eq!(column.lines(|site| two[site]), 4.0);
        let blocked = [Some(true), Some(false), Some(true)];
        assert_eq!(column.lines(|site| blocked[site]), 0.0);
    }

    #[test]
    fn pieces_of_one_class_have_one_value() {
        let kinds =
            [("rook", 10.0, 4.0), ("pawn", 8.0, 16.0), ("rook", 14.0, 4.0), ("king", 0.0, 0.0)];
        assert_eq!(piece_values(&kinds), [4.0, 1.5, 4.0, 1.0]);
    }

    #[test]
    fn a_balance_is_the_share_of_the_difference() {
        assert_eq!(balance(3.0, 1.0), 0.5);
        assert_eq!(balance(0.0, 0.0), 0.0);
        assert_eq!(balance(0.0, 2.0), -1.0);
    }
}
