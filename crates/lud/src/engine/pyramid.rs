//! Boards of several layers: what lies on what, what falls, and what hides what from above.

use super::action::{Action, Head, Kind};
use super::args::Args;
use super::context::Context;
use super::equipment::Equipment;
use super::functions::Result;
use super::node::{Field, Parts};
use crate::board::topology::Element;

/// The rules for pieces that lie on others.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// By site: those on which its piece lies.
    below: Vec<Vec<i32>>,
    /// By site: those whose pieces lie on it.
    above: Vec<Vec<i32>>,
    /// Does what has lost its hold fall?
    pub(crate) falls: bool,
    /// Must what holds several pieces stay?
    pub(crate) pins: bool,
    /// Must nothing be put on what it has just left?
    pub(crate) firm: bool,
}

/// By site: those touching it one layer below, or above.
pub(crate) fn layers(elements: &[Element], up: bool) -> Vec<Vec<i32>> {
    let next = |element: &Element, n: usize| match up {
        true => elements[n].layer == element.layer + 1,
        false => elements[n].layer + 1 == element.layer,
    };
    let list = |e: &Element| {
        e.adjacent.iter().filter(|&&n| next(e, n)).map(|&n| n as i32).collect::<Vec<_>>()
    };
    elements.iter().map(list).collect()
}

impl Layers {
    /// The pyramid of a board, without rules.
    pub(crate) fn new(equipment: &Equipment) -> Layers {
        let elements = equipment.elements();
        Layers {
            below: layers(elements, false),
            above: layers(elements, true),
            ..Layers::default()
        }
    }

    /// Must a move be left out?
    pub(crate) fn forbid(&self, c: &Context<'_>, head: Head) -> bool {
        let list = |lists: &'_ [Vec<i32>], site: i32| {
            usize::try_from(site).ok().and_then(|s| lists.get(s)).map_or(0..0, |l| 0..l.len())
        };
        let held = list(&self.above, head.from);
        let pinned = self.pins
            && matches!(head.kind, Kind::Go | Kind::Remove)
            && held.filter(|&k| c.what(self.above[head.from as usize][k]) != 0).count() > 1;
        let mut holds = list(&self.below, head.to);
        pinned
            || self.firm
                && head.kind == Kind::Go
                && holds.any(|k| self.below[head.to as usize][k] == head.from)
    }

    /// A piece that has lost its hold, and where it falls to.
    pub(crate) fn falling(&self, c: &Context<'_>) -> Option<Action> {
        let sites = self.below.iter().enumerate().filter(|&(site, _)| c.what(site as i32) != 0);
        sites.into_iter().find_map(|(site, below)| {
            let to = below.iter().copied().find(|&s| c.what(s) == 0)?;
            Some(Action::Move { from: site as i32, level: -1, to, onto: -1 })
        })
    }
}

/// From above, two pieces that touch can be seen to unless something lies over where they do: both
/// pieces on top of a pair on one layer, and on the lower of two layers the piece two layers up.
#[derive(Debug)]
pub(crate) struct Veil {
    /// By site: its neighbours, each with what together hides that they touch.
    over: Vec<Vec<(i32, Vec<i32>)>>,
}

impl Veil {
    pub(crate) fn new(equipment: &Equipment) -> Veil {
        let elements = equipment.elements();
        let above = layers(elements, true);
        let over = |a: usize, b: usize| -> Vec<i32> {
            let (one, other) = (&elements[a], &elements[b]);
            if one.layer == other.layer {
                let both: Vec<i32> =
                    above[a].iter().copied().filter(|site| above[b].contains(site)).collect();
                return if both.len() > 1 { both } else { Vec::new() };
            }
            let low = if one.layer < other.layer { one } else { other };
            let high = elements.iter().position(|e| {
                let near = |x: f64, y: f64| (x - y).abs() < 0.01;
                e.layer == low.layer + 2
                    && near(e.centre[0], low.centre[0])
                    && near(e.centre[1], low.centre[1])
            });
            high.map(|site| site as i32).into_iter().collect()
        };
        let list = |a: usize| {
            elements[a].adjacent.iter().map(|&b| (b as i32, over(a, b))).collect::<Vec<_>>()
        };
        Veil { over: (0..elements.len()).map(list).collect() }
    }

    /// Is it hidden that the pieces on two sites touch?
    pub(crate) fn hides(&self, c: &Context<'_>, a: i32, b: i32) -> bool {
        let list = usize::try_from(a).ok().and_then(|a| self.over.get(a));
        let over = list.and_then(|list| list.iter().find(|(site, _)| *site == b));
        over.is_some_and(|(_, over)| !over.is_empty() && over.iter().all(|&s| c.what(s) != 0))
    }
}

impl Args<'_, '_, '_> {
    /// The pieces that hide a contact of two others, for forms that ask for visible contacts.
    pub(crate) fn veil(&mut self) -> Result<Option<Veil>> {
        let visible = self.flag("isVisible", false)?;
        Ok(visible.then(|| Veil::new(self.lower.equipment)))
    }
}

impl Field for Veil {
    fn show(&self, out: &mut String) {
        out.push_str("visible");
    }

    fn reads(&self) -> Parts {
        Parts::CELLS
    }
}
