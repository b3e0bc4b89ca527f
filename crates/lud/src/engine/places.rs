//! Places of a board that rules name: the middle, the outside, sides, colours.

use super::lower::Lower;
use super::sites::Sites;

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
}
