//! Places of a board that rules name: the middle, the outside, sides, colours.

use super::lower::Lower;
use crate::board::radials::Compass;

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

    /// By site: its colour, such that neighbours across sides differ.
    pub(crate) fn colours(&self) -> Vec<i32> {
        self.equipment.named.phase.iter().map(|&p| p as i32).collect()
    }

    /// The sites on a side of the board.
    pub(crate) fn side(&self, word: &str) -> Option<Vec<i32>> {
        let side = self.equipment.named.side(Compass::named(word)?)?;
        Some(side.iter().map(|&i| i as i32).collect())
    }
}
