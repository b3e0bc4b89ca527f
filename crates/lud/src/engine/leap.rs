//! Pieces that leap, such as a knight.

use std::sync::Arc;

use super::action::Moves;
use super::context::{Context, Registers};
use super::directions::turn;
use super::equipment::Equipment;
use super::functions::Result;
use super::lots::Candidates;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::parts::{Gait, To};
use crate::compile::{Ludeme, Value};

/// Walks, whether only forward, and whether in all directions.
pub(crate) type Walks = (Vec<Vec<String>>, bool, bool);

/// By facing and site: where they end.
pub(crate) type Ends = Arc<Vec<Vec<Vec<u32>>>>;

impl Lower<'_> {
    /// Jumps along walks, such as a knight's: `F` goes a step, `L` and `R` turn.
    pub(crate) fn leap(&mut self, l: &Ludeme) -> Result<Generator> {
        // How walks turn on celtic boards is unknown: Shut Off His Lights, ply 3 of its record, contradicts the usual turns.
        let mut knots = false;
        self.game.walk(&mut |k| knots |= k.signature().keyword == "celtic");
        if knots {
            return Err(unsupported(l));
        }
        let forward = Self::known_flag(l, "forward", false)?;
        let rotations = Self::known_flag(l, "rotations", true)?;
        let (from, to) = (self.from(l)?, self.to(l)?);
        let walks = l.args().iter().flatten().find_map(|(_, v)| match v {
            Value::List(walks) => Some(walks),
            _ => None,
        });
        let walks =
            walk_words(walks.ok_or_else(|| unsupported(l))?).ok_or_else(|| unsupported(l))?;
        let tables = self.leaps(walks, forward, rotations);
        let most = tables.iter().flatten().map(Vec::len).max().unwrap_or(0) as u32;
        Ok(self.moves_from(from, Leap { to, tables, most }))
    }

    /// Where a walk ends, begun in every direction across a side: the first bearing and the end.
    pub(crate) fn walk(&self, site: usize, steps: &[String]) -> Vec<(f64, u32)> {
        let directions = &self.equipment.directions;
        let bearings = &directions.orthogonal;
        let n = bearings.len();
        let step = |at: usize, heading: usize| {
            let mut near = directions.of(at).filter(|&r| {
                let ray = &directions.rays[r as usize];
                let level = ray.relation.orthogonal && ray.relation.up == 0;
                level && turn(ray.bearing, bearings[heading]) < 10.0
            });
            near.next().map(|r| directions.line(r)[0] as usize)
        };
        let mut ends = Vec::new();
        for (first, &bearing) in bearings.iter().enumerate() {
            let (mut at, mut heading, mut inside) = (site, first, true);
            for word in steps {
                match word.as_str() {
                    "L" => heading = (heading + n - 1) % n,
                    "R" => heading = (heading + 1) % n,
                    _ => match step(at, heading) {
                        Some(next) => at = next,
                        None => {
                            inside = false;
                            break;
                        }
                    },
                }
            }
            if inside {
                ends.push((bearing, at as u32));
            }
        }
        ends
    }

    /// By facing and site: where walks end.
    fn leaps(&self, walks: Vec<Vec<String>>, forward: bool, rotations: bool) -> Ends {
        let leap = (walks, forward, rotations);
        let known =
            self.tables.leaps.borrow().iter().find(|(k, _)| *k == leap).map(|(_, t)| t.clone());
        if let Some(known) = known {
            return known;
        }
        let walks = &leap.0;
        let facings: Vec<usize> = match forward || !rotations {
            true => (0..16).collect(),
            false => vec![0],
        };
        let sites = self.equipment.elements().len();
        let mut tables: Vec<Vec<Vec<u32>>> = Vec::new();
        for &facing in &facings {
            let mut table: Vec<Vec<u32>> = vec![Vec::new(); sites];
            if facings.len() == 1 || self.facings.contains(&facing) {
                for walk in walks {
                    for (site, ends) in table.iter_mut().enumerate() {
                        for (heading, end) in self.walk(site, walk) {
                            let bend = turn(heading, facing as f64 * 22.5);
                            let there = self.equipment.elements()[end as usize].centre;
                            let here = self.equipment.elements()[site].centre;
                            let (sin, cos) = (facing as f64 * 22.5).to_radians().sin_cos();
                            let ahead = (there[0] - here[0]) * sin + (there[1] - here[1]) * cos;
                            if !rotations && bend > 1.0 || forward && ahead <= 0.01 {
                                continue;
                            }
                            if !ends.contains(&end) {
                                ends.push(end);
                            }
                        }
                    }
                }
            }
            tables.push(table);
        }
        let tables = Arc::new(tables);
        self.tables.leaps.borrow_mut().push((leap, tables.clone()));
        tables
    }
}

/// A leap, by its end.
struct Leap {
    to: To,
    /// By where the piece looks, if that matters, and site.
    tables: Ends,
    most: u32,
}

impl Leap {
    fn ends(&self, c: &Context<'_>, from: i32) -> &[u32] {
        let table = if self.tables.len() == 1 { 0 } else { c.facing(from) };
        let table = self.tables.get(table).map_or(&[][..], |t| t);
        usize::try_from(from).ok().and_then(|f| table.get(f)).map_or(&[], |ends| ends)
    }
}

impl Candidates for Leap {
    fn most(&self) -> u32 {
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

/// The words of walks such as `{{F F R F}}`.
pub(crate) fn walk_words(walks: &[Value]) -> Option<Vec<Vec<String>>> {
    walks
        .iter()
        .map(|walk| match walk {
            Value::List(steps) => {
                Some(steps.iter().filter_map(Value::word).map(str::to_owned).collect())
            }
            _ => None,
        })
        .collect()
}
