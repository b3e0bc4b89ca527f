//! Walks over the board, such as a knight's.

use super::directions::turn;
use super::equipment::Equipment;
use crate::compile::Value;

/// A step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// `F`: a step on.
    Forward,
    /// `L`: a turn to the left.
    Left,
    /// `R`: a turn to the right.
    Right,
}

impl Turn {
    /// The steps of a walk such as `{F F R F}`.
    pub(crate) fn walk(value: &Value) -> Option<Vec<Turn>> {
        let step = |value: &Value| {
            Some(match value.word()? {
                "L" => Turn::Left,
                "R" => Turn::Right,
                _ => Turn::Forward,
            })
        };
        value.items().iter().map(step).collect()
    }

    /// The steps of several walks such as `{{F F R F} {F F L F}}`.
    pub(crate) fn walks(value: &Value) -> Option<Vec<Vec<Turn>>> {
        value.items().iter().map(Turn::walk).collect()
    }
}

/// Where a walk ends, begun in every direction in which the board has neighbours across a side: the first bearing and the end. A
/// step in such a direction may lead to any neighbour (decided by SnipSnip on "Square 6 omni", ply 2).
pub(crate) fn walk(equipment: &Equipment, site: usize, steps: &[Turn]) -> Vec<(f64, u32)> {
    let directions = &equipment.directions;
    let bearings = &directions.orthogonal;
    let count = bearings.len();
    let step = |at: usize, heading: usize| {
        let mut near = directions.of(at).filter(|&ray| {
            let ray = &directions.rays[ray as usize];
            ray.relation.up == 0 && turn(ray.bearing, bearings[heading]) < 10.0
        });
        near.next().map(|ray| directions.line(ray)[0] as usize)
    };
    let end = |first: usize| {
        let (mut at, mut heading) = (site, first);
        for turn in steps {
            match turn {
                Turn::Left => heading = (heading + count - 1) % count,
                Turn::Right => heading = (heading + 1) % count,
                Turn::Forward => at = step(at, heading)?,
            }
        }
        Some((bearings[first], at as u32))
    };
    (0..count).filter_map(end).collect()
}
