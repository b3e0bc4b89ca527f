//! `(enclose …)`: groups next to a site that have no empty neighbour are captured.

use super::capture::Captured;
use super::prelude::*;
use crate::engine::groups::Near;

pub(super) const FORMS: &[Form] = &[effect(
    "enclose [siteType] [from] [direction] [between] [numException:int] [then]",
    "Groups of pieces of others next to the origin that have no empty neighbour, or so many, are captured.",
    "(enclose (from (last To)) Orthogonal (between if:(is Enemy (who at:(between)))))",
    read,
).on_all_kinds()
    .refuses("areas of free sites: which of them count as enclosed is unknown (Mig Mang)")];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let origin = args.origin()?;
    let value = args.peek("direction");
    let near = args.near()?;
    let directions = match value {
        Some(value) => args.lower.directions(value, args.ludeme)?,
        None => args.lower.rays(&[Direction::Adjacent]),
    };
    let (between, except) = (args.captured()?, args.int_or("numException", 0)?);
    // No record tells which enclosed areas of free sites are meant, so they are refused.
    if between.condition.as_ref().is_some_and(Test::mentions_empty) {
        return Err(args.unsupported());
    }
    let owners = match &between.condition {
        Some(Test::Owner(owners, Place::To | Place::Between)) => Some(owners.clone()),
        _ => None,
    };
    Ok(match owners {
        Some(owners) if except.fixed() == Some(0) && near.fixed() => {
            Box::new(EncloseOwners { origin, near, between, owners: Table(owners) })
        }
        _ => Box::new(Enclose { origin, directions, between, except }),
    })
}

node! {
    /// Enclosed groups of pieces of some owners.
    struct EncloseOwners = "enclose", reads CELLS | TURN | TEAMS {
        origin: Region,
        near: Near,
        between: Captured,
        owners: Table<Owners>,
    }
}

impl Generate for EncloseOwners {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let (mut of, mut alive, mut starts) = (c.sites(), c.sites(), c.sites());
            self.owners.fill(c, &mut of);
            starts.insert(from);
            let mut around = c.sites();
            self.near.around(c, &starts, &mut around);
            around.keep(of.words());
            let mut list = std::mem::take(&mut c.pad.list);
            while let Some(start) = around.first() {
                around.remove(start);
                if self.near.enclosed(c, start, &of, &mut alive, &mut list) {
                    for &site in &list {
                        around.remove(site);
                        let here = Registers { from, to: site, between: site, ..c.at };
                        self.between.capture(c, here, out);
                    }
                }
                around.subtract(alive.words());
            }
            c.pad.list = list;
            for sites in [of, alive, starts, around] {
                c.free(sites);
            }
            true
        });
    }
}

node! {
    /// Enclosed groups of pieces for which a condition holds.
    struct Enclose = "enclose", reads CELLS | TURN | TEAMS {
        origin: Region,
        directions: Dirs,
        between: Captured,
        /// The number of empty neighbours that are allowed.
        except: Int,
    }
}

/// The groups that are known to be enclosed or open.
struct Known {
    seen: Sites,
    alive: Sites,
}

impl Enclose {
    /// Lists the group of a site, if it is enclosed.
    fn group(
        &self,
        c: &mut Context<'_>,
        (from, start, except): (i32, i32, i32),
        known: &mut Known,
        group: &mut Vec<i32>,
    ) -> bool {
        let (mut open, mut members) = (c.sites(), c.sites());
        let equipment = c.equipment;
        // A free site that is allowed belongs to the enclosed group.
        let held = self.between.holds(c, from, start);
        let mut enclosed = held || except >= 1 && c.is_empty(start);
        if enclosed && !held {
            open.insert(start);
        }
        group.clear();
        group.push(start);
        members.insert(start);
        let mut at = 0;
        while let Some(&here) = group.get(at).filter(|_| enclosed) {
            at += 1;
            for &ray in self.directions.rays(c, here).iter() {
                let next = equipment.directions.line(ray)[0] as i32;
                if [&members, &open, &known.seen].iter().any(|set| set.contains(next)) {
                    continue;
                }
                if known.alive.contains(next) {
                    // The group touches a group that is known to be open.
                    enclosed = false;
                } else if self.between.holds(c, from, next) {
                    members.insert(next);
                    group.push(next);
                } else if c.is_empty(next) {
                    open.insert(next);
                    group.push(next);
                    enclosed &= open.len() as i32 <= except;
                }
            }
        }
        if enclosed {
            known.seen.add(members.words());
            known.seen.add(open.words());
        } else if held {
            known.alive.add(members.words());
        }
        c.free(open);
        c.free(members);
        enclosed
    }
}

impl Generate for Enclose {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.origin.each(c, |c, from| {
            let around = self.directions.rays(c, from);
            let equipment = c.equipment;
            let except = self.except.get(c);
            let mut known = Known { seen: c.sites(), alive: c.sites() };
            let mut group = std::mem::take(&mut c.pad.list);
            for &ray in around.iter() {
                let start = equipment.directions.line(ray)[0] as i32;
                if known.seen.contains(start) || known.alive.contains(start) {
                    continue;
                }
                if self.group(c, (from, start, except), &mut known, &mut group) {
                    for &site in &group {
                        let here = Registers { from, to: site, between: site, ..c.at };
                        self.between.capture(c, here, out);
                    }
                }
            }
            c.pad.list = group;
            c.free(known.seen);
            c.free(known.alive);
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn a_group_without_an_empty_neighbour_is_captured() {
        let add = "(move Add (to (sites Empty)) (then (enclose (from (last To)) Orthogonal
            (between if:(is Enemy (who at:(between))) (apply (remove (between)))))))";
        let start = "(place \"Disc2\" {0 1}) (place \"Disc1\" {3 4})";
        assert_eq!(after(start, add, 2), "2:1 3:1 4:1");
        // Cell 5 leaves the group its empty neighbour.
        assert_eq!(after(start, add, 5), "0:2 1:2 3:1 4:1 5:1");
    }
}
