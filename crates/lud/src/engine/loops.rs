//! The loops around the corners of a Surakarta board, on which pieces capture.

use super::context::Registers;
use super::equipment::Equipment;
use super::functions::Result;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::parts::Gait;
use crate::compile::{Ludeme, Value};

/// A loop: its sites in order, and whether an arc around a corner leads to each.
type Loop = Vec<(i32, bool)>;

/// The loops of a board of rows and columns: each joins two rows and two columns that are as far from
/// the border.
fn loops(equipment: &Equipment, first: usize, count: Option<usize>) -> Option<Vec<Loop>> {
    let elements = equipment.elements();
    let rows = elements.iter().map(|e| e.row).max()? + 1;
    let columns = elements.iter().map(|e| e.column).max()? + 1;
    if rows * columns != elements.len() {
        return None;
    }
    let at = |row: usize, column: usize| {
        let found = elements.iter().position(|e| (e.row, e.column) == (row, column));
        found.map(|i| i as i32)
    };
    let count = count.unwrap_or((rows.min(columns) - 1) / 2);
    (first..first + count)
        .map(|i| {
            let (far_row, far_column) = (rows.checked_sub(1 + i)?, columns.checked_sub(1 + i)?);
            let east: Option<Vec<i32>> = (0..columns).map(|c| at(i, c)).collect();
            let north: Option<Vec<i32>> = (0..rows).map(|r| at(r, far_column)).collect();
            let west: Option<Vec<i32>> = (0..columns).rev().map(|c| at(far_row, c)).collect();
            let south: Option<Vec<i32>> = (0..rows).rev().map(|r| at(r, i)).collect();
            let mut all = Vec::new();
            for line in [east?, north?, west?, south?] {
                all.extend(line.into_iter().enumerate().map(|(k, site)| (site, k == 0)));
            }
            Some(all)
        })
        .collect()
}

impl Lower<'_> {
    /// Slides along the loops in both directions to what can be captured, around at least one corner.
    pub(super) fn slide_on_loops(&mut self, l: &Ludeme) -> Result<Generator> {
        let mut board = None;
        self.game.walk(&mut |k| {
            if k.signature().keyword == "surakartaBoard" {
                let number = |label: &str| match k.labelled(label) {
                    Some(Value::Int(n)) => usize::try_from(*n).ok(),
                    _ => None,
                };
                board = Some((number("from").unwrap_or(1), number("loops")));
            }
        });
        let (first, count) = board.ok_or_else(|| unsupported(l))?;
        let loops = loops(self.equipment, first, count).ok_or_else(|| unsupported(l))?;
        let (from, mut to) = (self.from(l)?, self.to(l)?);
        // Recorded games show that what applies does so whatever its condition.
        if let Some(apply) = &mut to.apply {
            apply.condition = None;
        }
        let free = match l.typed("between") {
            Some(Value::Call(between)) => self.optional_test(between, "if")?,
            _ => None,
        };
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                for track in &loops {
                    let n = track.len();
                    let places = (0..n).filter(|&i| track[i].0 == at.from);
                    for (place, ahead) in places.flat_map(|i| [(i, true), (i, false)]) {
                        let mut around = false;
                        for k in 1..n {
                            // Going back, the arc is behind the site that it leads to.
                            let next = if ahead { (place + k) % n } else { (place + n - k) % n };
                            around |= track[if ahead { next } else { (next + 1) % n }].1;
                            let site = track[next].0;
                            let here = Registers { to: site, between: site, ..at };
                            let passes = match &free {
                                Some(test) => test.holds(c, here),
                                None => c.is_empty(site),
                            };
                            if !passes {
                                if around {
                                    to.go(c, here, Gait::Piece, out);
                                }
                                break;
                            }
                        }
                    }
                }
            });
        }))
    }
}
