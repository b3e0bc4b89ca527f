//! Paths on tiles: coloured ways from side to side that go on from tile to tile.

use super::equipment::Equipment;
use super::state::{Cell, State};

/// A path on a tile, from one side to another. Sides are counted clockwise from the first direction of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// The side where it begins.
    pub(crate) from: usize,
    /// The side where it ends.
    pub(crate) to: usize,
    /// The colour of the path.
    pub(crate) colour: i32,
}

/// The paths on the tiles of a game, and what lies across the sides of the sites.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    /// By component.
    of: Vec<Vec<Path>>,
    /// The number of sides of a tile.
    sides: usize,
    /// Sixteenths of a turn that one rotation is.
    turn: usize,
    /// By site: the sites across its sides.
    across: Vec<Vec<Option<u32>>>,
}

impl Equipment {
    /// Works out where paths lead from site to site.
    pub(super) fn lay_paths(&mut self) {
        let of: Vec<Vec<Path>> = self.components.iter().map(|kind| kind.paths.clone()).collect();
        if of.iter().all(Vec::is_empty) {
            return;
        }
        let bearings = &self.directions.orthogonal;
        let next = |site: usize, bearing: f64| {
            let bearing = [super::directions::Direction::Bearing(bearing)];
            let rays = self.directions.select(site, &bearing, 0.0);
            rays.first().and_then(|&ray| self.directions.line(ray).first().copied())
        };
        let sites = 0..self.elements().len();
        let across = sites.map(|site| bearings.iter().map(|&b| next(site, b)).collect()).collect();
        self.paths = Some(Paths { of, sides: bearings.len().max(1), turn: self.turn, across });
    }
}

impl Paths {
    /// The paths of what lies on a site, as it is turned.
    fn lying(&self, cell: Cell) -> impl Iterator<Item = Path> + '_ {
        let sides = self.sides;
        let turned = usize::try_from(cell.rotation).unwrap_or(0) * self.turn * sides / 16;
        let paths = self.of.get(usize::from(cell.what)).map_or(&[][..], Vec::as_slice);
        paths.iter().map(move |path| Path {
            from: (path.from + turned) % sides,
            to: (path.to + turned) % sides,
            ..*path
        })
    }

    /// The path that ends on a side of a site, with that side as its beginning.
    fn entered(&self, cell: Cell, side: usize) -> Option<Path> {
        let mut paths = self.lying(cell);
        paths.find_map(|path| match path {
            Path { from, .. } if from == side => Some(path),
            Path { from, to, .. } if to == side => Some(Path { from: to, to: from, ..path }),
            _ => None,
        })
    }

    /// The site across a side, and its side there.
    fn beyond(&self, site: u32, side: usize) -> Option<(u32, usize)> {
        let next = *self.across.get(site as usize)?.get(side)?.as_ref()?;
        let back = self.across.get(next as usize)?.iter().position(|&own| own == Some(site))?;
        Some((next, back))
    }

    /// Do the paths on a site meet paths of their colours on all neighbours that have tiles?
    pub(crate) fn matches(&self, state: &State, site: i32) -> bool {
        let cell = state.cell(site);
        let Ok(site) = u32::try_from(site) else { return true };
        (0..self.sides).all(|side| {
            let Some((next, back)) = self.beyond(site, side) else { return true };
            let other = state.cell(next as i32);
            let colour = |cell: Cell, side: usize| self.entered(cell, side).map(|p| p.colour);
            other.what == 0 || colour(cell, side) == colour(other, back)
        })
    }

    /// Follows a path from a side of a site on. True if it comes back to its beginning. `visit` sees every site that it passes.
    fn follow(&self, state: &State, site: u32, path: Path, mut visit: impl FnMut(u32)) -> bool {
        let (mut at, mut side) = (site, path.to);
        while let Some((next, back)) = self.beyond(at, side) {
            let Some(on) = self.entered(state.cell(next as i32), back) else { return false };
            if on.colour != path.colour {
                return false;
            }
            visit(next);
            if next == site && on.to == path.to {
                return true;
            }
            (at, side) = (next, on.to);
        }
        false
    }

    /// Does a path of a colour come back to a site?
    pub(crate) fn loops(&self, state: &State, site: i32, colour: i32) -> bool {
        let Ok(at) = u32::try_from(site) else { return false };
        let mut own = self.lying(state.cell(site)).filter(|path| path.colour == colour);
        own.any(|path| self.follow(state, at, path, |_| {}))
    }

    /// The most rows or columns that a path of a colour goes across from a site on, one way or the other. Both ways together do not
    /// count: they are eight rows after ply 32 of the second record of Trax, which goes on.
    pub(crate) fn extent(
        &self,
        equipment: &Equipment,
        state: &State,
        site: i32,
        colour: i32,
    ) -> i32 {
        let Ok(at) = u32::try_from(site) else { return 0 };
        let elements = equipment.elements();
        let place = |site: u32| elements.get(site as usize).map_or((0, 0), |e| (e.row, e.column));
        let extent = |path: Path| {
            let (mut low, mut high) = (place(at), place(at));
            self.follow(state, at, path, |site| {
                let (row, column) = place(site);
                low = (low.0.min(row), low.1.min(column));
                high = (high.0.max(row), high.1.max(column));
            });
            (high.0 - low.0).max(high.1 - low.1) as i32 + 1
        };
        let own = self.lying(state.cell(site)).filter(|path| path.colour == colour);
        let ways = own.flat_map(|path| [path, Path { from: path.to, to: path.from, ..path }]);
        ways.map(extent).max().unwrap_or(0)
    }
}
