//! The loops around the corners of a Surakarta board, on which pieces capture.

use super::context::Registers;
use super::equipment::Equipment;
use super::functions::Result;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::parts::Gait;
use super::test::{FREE, Place, is_of, mask_or};
use crate::compile::{Ludeme, Value};

/// A loop: its sites in order, and whether an arc around a corner leads to each; or a way along it.
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

/// The ways from a site along loops, in both directions: sites, and whether they are around a corner.
fn ways(loops: &[Loop], from: i32) -> Vec<Loop> {
    let mut ways = Vec::new();
    for track in loops {
        let n = track.len();
        let places = (0..n).filter(|&i| track[i].0 == from);
        for (place, ahead) in places.flat_map(|i| [(i, true), (i, false)]) {
            let mut around = false;
            let way = (1..n).map(|k| {
                // Going back, the arc is behind the site that it leads to.
                let next = if ahead { (place + k) % n } else { (place + n - k) % n };
                around |= track[if ahead { next } else { (next + 1) % n }].1;
                (track[next].0, around)
            });
            ways.push(way.collect());
        }
    }
    ways
}

/// What else a condition asks for that holds where a piece comes from: `(or (= (between) (from)) …)`.
fn or_from(condition: &Value) -> Option<&Value> {
    let word = |value: &Value| match value {
        Value::Call(l) if l.values().next().is_none() => Some(l.signature().keyword.clone()),
        _ => None,
    };
    let Value::Call(l) = condition else { return None };
    if l.signature().keyword != "or" {
        return None;
    }
    let parts: Vec<&Value> = l.values().collect();
    let [Value::Call(first), other] = parts[..] else { return None };
    let ends = (first.arg(0).and_then(word)?, first.arg(1).and_then(word)?);
    let same = first.signature().keyword == "=" && ends == ("between".into(), "from".into());
    same.then(|| {
        // Both parts are understood.
        l.args();
        first.args();
        other
    })
}

impl Lower<'_> {
    /// Slides along the loops in both directions to what can be captured, around at least one corner.
    pub(crate) fn slide_on_loops(&mut self, l: &Ludeme) -> Result<Generator> {
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
        // The effect applies whatever its condition says.
        if let Some(apply) = &mut to.apply {
            apply.condition = None;
        }
        // A piece may pass the site that it came from.
        let (mut free, mut home) = (None, false);
        if let Some(Value::Call(between)) = l.typed("between") {
            let condition = between.labelled("if");
            let other = condition.and_then(or_from);
            home = other.is_some();
            free = other.or(condition).map(|value| self.test(value, between)).transpose()?;
        }
        let sites = self.equipment.sites as i32;
        let ways: Vec<Vec<Loop>> = (0..sites).map(|from| ways(&loops, from)).collect();
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                let mask = mask_or(free.as_ref(), c, &[Place::To, Place::Between], FREE);
                let ways = usize::try_from(at.from).ok().and_then(|from| ways.get(from));
                for way in ways.into_iter().flatten() {
                    let blocked = way.iter().find(|&&(site, _)| match (mask, &free) {
                        _ if home && site == at.from => false,
                        (None, Some(test)) => {
                            !test.holds(c, Registers { to: site, between: site, ..at })
                        }
                        (mask, _) => !is_of(c, mask.unwrap_or(FREE), site),
                    });
                    if let Some(&(site, true)) = blocked {
                        let here = Registers { to: site, between: site, ..at };
                        to.go(c, here, Gait::Piece, out);
                    }
                }
            });
        }))
    }
}
