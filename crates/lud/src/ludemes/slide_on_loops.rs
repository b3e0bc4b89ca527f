//! `(move Slide "AllTracks" …)`: slides around the corners of a Surakarta board, on which pieces capture.

use super::prelude::*;
use crate::engine::condition::{FREE, is_of, mask_or};
use crate::engine::equipment::Equipment;
use crate::engine::parts::From;
use crate::engine::track::Track;

/// A loop: its sites in order, and whether an arc around a corner leads to each; or a way along it.
type Loop = Vec<(i32, bool)>;

/// Gives a Surakarta board a track for each of its loops.
pub(crate) fn add_loops(equipment: &mut Equipment) {
    let Some((first, count)) = equipment.board.loops else { return };
    for (number, sites) in loops(equipment, first, count).into_iter().flatten().enumerate() {
        let sites = sites.into_iter().map(|(site, _)| site).collect();
        let track = Track::new(format!("Track{number}"), sites, true, 0, equipment);
        equipment.tracks.push(track);
    }
}

/// The loops of a triangular board: each joins three lines that are as far from the sides.
fn triangle_loops(equipment: &Equipment, first: usize, count: Option<usize>) -> Option<Vec<Loop>> {
    // By row from the bottom: the sites from the left.
    let elements = equipment.elements();
    let mut rows: Vec<(f64, Vec<usize>)> = Vec::new();
    for (site, element) in elements.iter().enumerate() {
        let y = element.centre[1];
        match rows.iter_mut().find(|(row, _)| (row - y).abs() < 0.01) {
            Some((_, sites)) => sites.push(site),
            None => rows.push((y, vec![site])),
        }
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, sites) in &mut rows {
        sites.sort_by(|&a, &b| elements[a].centre[0].total_cmp(&elements[b].centre[0]));
    }
    let n = rows.len();
    if rows.iter().enumerate().any(|(row, (_, sites))| sites.len() != n - row) {
        return None;
    }
    let at = |row: usize, place: usize| Some(*rows.get(row)?.1.get(place)? as i32);
    let count = count.unwrap_or(n.saturating_sub(1) / 2);
    (first..first + count)
        .map(|i| {
            let last = n.checked_sub(1 + i)?;
            let east: Option<Vec<i32>> = (0..=last).map(|place| at(i, place)).collect();
            let up: Option<Vec<i32>> = (0..=last).map(|row| at(row, last - row)).collect();
            let down: Option<Vec<i32>> = (0..=last).rev().map(|row| at(row, i)).collect();
            let mut all = Vec::new();
            for line in [east?, up?, down?] {
                all.extend(line.into_iter().enumerate().map(|(k, site)| (site, k == 0)));
            }
            Some(all)
        })
        .collect()
}

/// The loops of a board of rows and columns: each joins two rows and two columns that are as far from
/// the border.
fn loops(equipment: &Equipment, first: usize, count: Option<usize>) -> Option<Vec<Loop>> {
    let elements = equipment.elements();
    let rows = elements.iter().map(|e| e.row).max()? + 1;
    let columns = elements.iter().map(|e| e.column).max()? + 1;
    if rows * columns != elements.len() {
        return triangle_loops(equipment, first, count);
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

/// Slides along the loops in both directions to what can be captured, around at least one corner.
pub(super) fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let equipment = args.lower.equipment;
    let loops = equipment.board.loops.and_then(|(first, count)| loops(equipment, first, count));
    let loops = loops.ok_or_else(|| args.unsupported())?;
    let (from, mut to) = (args.from()?, args.to()?);
    // The effect applies whatever its condition says. The condition tells on which free sites, around a corner, a slide may end without
    // a capture (decided by option `Slide/To Move or Capture` of Surakarta).
    let stops = to.apply.as_mut().and_then(|apply| apply.condition.take());
    let stops = stops.filter(|stops| !matches!(stops, Test::Other(Bool::Const(false))));
    let Between { condition, range, apply: None, trail: None, before: None, after: None } =
        args.between()?
    else {
        return Err(args.unsupported());
    };
    if range.least.is_some() || range.most.is_some() {
        return Err(args.unsupported());
    }
    // A piece may pass the site that it came from: `(or (= (between) (from)) …)`.
    let (free, home) = match condition {
        Some(Test::Other(condition)) => match condition.without_home() {
            Ok(other) => (Some(Test::new(other)), true),
            Err(condition) => (Some(Test::Other(condition)), false),
        },
        other => (other, false),
    };
    let ways = (0..equipment.sites as i32).map(|from| ways(&loops, from)).collect();
    Ok(Box::new(OnLoops { from, to, free, home, stops, ways: Table(ways) }))
}

node! {
    /// Slides along loops.
    struct OnLoops = "slide on loops", reads CELLS, writes CELLS {
        from: From,
        to: To,
        free: Option<Test>,
        /// May it pass the site that it came from?
        home: bool,
        /// On which sites may it end without a capture?
        stops: Option<Test>,
        /// By site: the ways along loops.
        ways: Table<Vec<Vec<Loop>>>,
    }
}

impl Generate for OnLoops {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.from.each(c, out, |c, at, out| {
            let mask = mask_or(self.free.as_ref(), c, &[Place::To, Place::Between], FREE);
            let ways = usize::try_from(at.from).ok().and_then(|from| self.ways.get(from));
            for way in ways.into_iter().flatten() {
                let home = |site: i32| self.home && site == at.from;
                let blocked = match (mask, &self.free) {
                    (None, Some(test)) => way.iter().find(|&&(site, _)| {
                        !home(site) && !test.holds(c, Registers { to: site, between: site, ..at })
                    }),
                    (None | Some(FREE), _) => {
                        way.iter().find(|&&(site, _)| c.what(site) != 0 && !home(site))
                    }
                    (Some(mask), _) => {
                        way.iter().find(|&&(site, _)| !is_of(c, mask, site) && !home(site))
                    }
                };
                if let Some(stops) = &self.stops {
                    let free = way
                        .iter()
                        .take_while(|step| blocked.is_none_or(|b| !std::ptr::eq(*step, b)));
                    for &(site, _) in free.filter(|&&(site, around)| around && site != at.from) {
                        let here = Registers { to: site, between: site, ..at };
                        if stops.holds(c, here) {
                            To::ANY.close(c, here, Gait::Piece, out.actions.len(), NONE, out);
                        }
                    }
                }
                if let Some(&(site, true)) = blocked {
                    let here = Registers { to: site, between: site, ..at };
                    self.to.go(c, here, Gait::Piece, out);
                }
            }
        });
    }
}
