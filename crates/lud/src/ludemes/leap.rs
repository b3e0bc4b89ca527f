//! `(move Leap …)`: pieces that leap, such as a knight.

use std::sync::Arc;

use super::prelude::*;
use crate::engine::directions::turn;
use crate::engine::equipment::Equipment;
use crate::engine::leap::{Turn, walk};

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Leap [from] {{stepType}} [forward:boolean] [rotations:boolean] to [then]",
        "Leap to the end of a walk: `F` goes a step, `L` and `R` turn.",
        "(move Leap {{F F R F} {F F L F}} (to if:(not (is Friend (who at:(to))))))",
        read,
    ),
    effect(
        "leap [from] {{stepType}} [forward:boolean] [rotations:boolean] to [then]",
        "The same as an effect.",
        "(leap {{F F R F}} (to if:(is Empty (to))))",
        read,
    ),
];

/// Walks, whether only forward, and whether in all directions.
pub(crate) type Walks = (Vec<Vec<Turn>>, bool, bool);

/// By facing and site: where walks end.
pub(crate) type Ends = Arc<Vec<Vec<Vec<u32>>>>;

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (forward, rotations) = (args.flag("forward", false)?, args.flag("rotations", true)?);
    let (from, to) = (args.from()?, args.to()?);
    let walks = Turn::walks(args.value("{{stepType}}")?).ok_or_else(|| args.unsupported())?;
    let tables = leaps(args, (walks, forward, rotations));
    let most = Most::all(tables.iter().flatten().map(Vec::len).max().unwrap_or(0) as u32);
    Ok(args.lower.moves_from(from, Leap { to, tables: Table(tables), most }, true))
}

/// By facing and site: where walks end. Pieces of large games leap in the same few ways.
fn leaps(args: &Args<'_, '_, '_>, walks: Walks) -> Ends {
    let lower = &args.lower;
    let known =
        lower.tables.leaps.borrow().iter().find(|(own, _)| *own == walks).map(|(_, t)| t.clone());
    if let Some(known) = known {
        return known;
    }
    let turned = walks.1 || !walks.2;
    let facings = if turned { 0..16 } else { 0..1 };
    let table = |facing: usize| match !turned || lower.facings.contains(&facing) {
        true => ends(lower.equipment, &walks, facing),
        false => vec![Vec::new(); lower.equipment.elements().len()],
    };
    let tables: Ends = Arc::new(facings.map(table).collect());
    lower.tables.leaps.borrow_mut().push((walks, tables.clone()));
    tables
}

/// By site: where walks of a piece end that looks in a direction.
fn ends(
    equipment: &Equipment,
    (walks, forward, rotations): &Walks,
    facing: usize,
) -> Vec<Vec<u32>> {
    let elements = equipment.elements();
    let angle = facing as f64 * 22.5;
    let (sin, cos) = angle.to_radians().sin_cos();
    let mut table: Vec<Vec<u32>> = vec![Vec::new(); elements.len()];
    for steps in walks {
        for (site, ends) in table.iter_mut().enumerate() {
            for (heading, end) in walk(equipment, site, steps) {
                let (there, here) = (elements[end as usize].centre, elements[site].centre);
                let ahead = (there[0] - here[0]) * sin + (there[1] - here[1]) * cos;
                let away = !rotations && turn(heading, angle) > 1.0 || *forward && ahead <= 0.01;
                if !away && !ends.contains(&end) {
                    ends.push(end);
                }
            }
        }
    }
    table
}

node! {
    /// A leap, by its end.
    struct Leap = "leap", reads CELLS | TURN, writes CELLS {
        to: To,
        /// By where the piece looks, if that matters, and site.
        tables: Table<Ends>,
        most: Most,
    }
}

impl Leap {
    fn ends(&self, c: &Context<'_>, from: i32) -> &[u32] {
        let table = if self.tables.len() == 1 { 0 } else { c.facing(from) };
        let table = self.tables.get(table).map_or(&[][..], |table| table);
        usize::try_from(from).ok().and_then(|from| table.get(from)).map_or(&[], |ends| ends)
    }
}

impl Candidates for Leap {
    fn most(&self) -> Most {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow {
            return Vec::new();
        }
        let words = equipment.sites.div_ceil(64);
        let mut bits = vec![0; words * equipment.sites];
        for table in self.tables.iter() {
            for (from, ends) in table.iter().enumerate() {
                for &to in ends {
                    bits[words * from + (to as usize >> 6)] |= 1 << (to & 63);
                }
            }
        }
        bits
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        if let Some(&site) = self.ends(c, at.from).get(number as usize) {
            self.to.go(c, Registers { to: site as i32, ..at }, Gait::Piece, out);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        for &site in self.ends(c, at.from) {
            if !self.to.aims(site as i32, out) {
                continue;
            }
            self.to.go(c, Registers { to: site as i32, ..at }, Gait::Piece, out);
            if out.full() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::moves;

    #[test]
    fn a_leap_ends_where_its_walk_ends() {
        let knight = "(move Leap (from 0) {{F F R F} {F F L F}} (to if:(is Empty (to))))";
        assert_eq!(moves("(place \"Disc1\" 0)", knight), [(0, 5), (0, 7)]);
        assert_eq!(moves("(place \"Disc1\" {0 5})", knight), [(0, 7)]);
    }
}
