//! Places of a board that rules name: the middle, the outside, sides, colours.

use super::lower::Lower;
use super::sites::Sites;
use crate::board::SiteType;

impl Lower<'_> {
    /// The site of a landmark of the board.
    pub(crate) fn landmark(&self, word: &str) -> Option<i32> {
        let elements = self.equipment.elements();
        let last = elements.len() as i32 - 1;
        let by = |key: &dyn Fn(usize) -> f64| {
            (0..elements.len()).min_by(|&a, &b| key(a).total_cmp(&key(b))).map(|i| i as i32)
        };
        match word {
            "FirstSite" => Some(0),
            "LastSite" => Some(last),
            "CentreSite" => self.centres().first().copied(),
            "LeftSite" => by(&|i| elements[i].centre[0]),
            "RightSite" => by(&|i| -elements[i].centre[0]),
            "BottomSite" => by(&|i| elements[i].centre[1]),
            "Topsite" | "TopSite" => by(&|i| -elements[i].centre[1]),
            _ => None,
        }
    }

    /// The sites nearest to the middle of the board.
    pub(crate) fn centres(&self) -> Vec<i32> {
        self.equipment.named.centre.iter().map(|&i| i as i32).collect()
    }

    /// Sets of sites that a word stands for: rows, corners, sides.
    pub(crate) fn static_regions(&self, kind: &str) -> Option<Vec<Sites>> {
        let elements = self.equipment.elements();
        let by = |key: &dyn Fn(usize) -> usize| {
            let most = (0..elements.len()).map(key).max().unwrap_or(0);
            (0..=most)
                .map(|n| {
                    self.sites_of((0..elements.len()).filter(|&i| key(i) == n).map(|i| i as i32))
                })
                .filter(|s| !s.is_empty())
                .collect::<Vec<_>>()
        };
        Some(match kind {
            "Rows" => by(&|i| elements[i].row),
            "Columns" => by(&|i| elements[i].column),
            "Layers" => by(&|i| elements[i].layer),
            "Touching" => {
                let next = |i: usize| elements[i].adjacent.iter().map(move |&j| (i, j));
                let pairs = (0..elements.len()).flat_map(next).filter(|(i, j)| i < j);
                pairs.map(|(i, j)| self.sites_of([i as i32, j as i32])).collect()
            }
            "SubGrids" => self.sub_grids(),
            "Diagonals" => self.main_diagonals(),
            "AllDirections" => self.stars(),
            "Vertices" if self.equipment.board.sites == SiteType::Vertex => {
                (0..elements.len()).map(|i| self.sites_of([i as i32])).collect()
            }
            "HintRegions" => crate::ludemes::puzzle::clues(self).collect(),
            "AllSites" => vec![self.equipment.on_board.clone()],
            "Corners" => {
                self.equipment.named.corners.iter().map(|&i| self.sites_of([i as i32])).collect()
            }
            "Sides" => {
                let sides = self.equipment.named.sides.iter();
                sides.map(|(_, s)| self.sites_of(s.iter().map(|&i| i as i32))).collect()
            }
            "SidesNoCorners" => {
                let corners = &self.equipment.named.corners;
                let sides = self.equipment.named.sides.iter();
                sides
                    .map(|(_, s)| {
                        let inner = s.iter().filter(|i| !corners.contains(i));
                        self.sites_of(inner.map(|&i| i as i32))
                    })
                    .collect()
            }
            _ => return None,
        })
    }

    /// The side of a square board: its number of rows; 0 for other boards.
    fn side(&self) -> usize {
        let elements = self.equipment.elements();
        let side = elements.iter().map(|e| e.row + 1).max().unwrap_or(0);
        if side * side == elements.len() { side } else { 0 }
    }

    /// The two diagonals of a square board, from corner to corner.
    fn main_diagonals(&self) -> Vec<Sites> {
        let side = self.side();
        let on = |f: &dyn Fn(usize, usize) -> bool| {
            let elements = self.equipment.elements().iter().enumerate();
            self.sites_of(elements.filter(|(_, e)| f(e.row, e.column)).map(|(i, _)| i as i32))
        };
        match side {
            0 => Vec::new(),
            _ => {
                vec![on(&|row, column| row == column), on(&|row, column| row + column + 1 == side)]
            }
        }
    }

    /// The blocks of a square board whose side is a square number.
    fn sub_grids(&self) -> Vec<Sites> {
        let side = self.side();
        let block = (1..=side).find(|n| n * n >= side).unwrap_or(1);
        if block * block != side {
            return Vec::new();
        }
        let blocks = (0..block).flat_map(|y| (0..block).map(move |x| (x, y)));
        let elements = || self.equipment.elements().iter().enumerate();
        let sites = |(x, y): (usize, usize)| {
            let inside = elements().filter(|(_, e)| (e.column / block, e.row / block) == (x, y));
            self.sites_of(inside.map(|(i, _)| i as i32))
        };
        blocks.map(sites).collect()
    }

    /// By site: itself and all sites on lines from it.
    fn stars(&self) -> Vec<Sites> {
        let directions = &self.equipment.directions;
        let star = |site: usize| {
            let lines = directions.of(site).flat_map(|ray| directions.line(ray));
            self.sites_of(lines.map(|&other| other as i32).chain([site as i32]))
        };
        (0..self.equipment.elements().len()).map(star).collect()
    }
}
