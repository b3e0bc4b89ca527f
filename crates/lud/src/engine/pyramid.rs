//! Boards of several layers: what lies on what, what falls, and what hides what from above.

use super::action::{Action, Head, Kind};
use super::context::{Context, Registers};
use super::directions::Direction;
use super::equipment::Equipment;
use super::functions::{Bool, Int, Region, Result};
use super::line::Axes;
use super::lower::{Lower, unsupported};
use crate::board::topology::Element;
use crate::compile::{Ludeme, Value};

/// What rules say of pieces that lie on others.
#[derive(Debug, Default)]
pub struct Layers {
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
fn layers(elements: &[Element], up: bool) -> Vec<Vec<i32>> {
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
    /// Those of a board, without rules.
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

impl Lower<'_> {
    /// What hides touching pieces, where a form asks for those that are seen to.
    pub(crate) fn veil(&self, l: &Ludeme) -> Result<Option<Veil>> {
        match l.labelled("isVisible") {
            None | Some(Value::Bool(false)) => Ok(None),
            Some(Value::Bool(true)) => Ok(Some(Veil::new(self.equipment))),
            Some(_) => Err(unsupported(l)),
        }
    }

    /// `(count SitesPlatformBelow …)`: pieces of a kind, or of somebody, on which a site lies.
    pub(crate) fn platform(&mut self, l: &Ludeme) -> Result<Int> {
        let site = match l.typed("int") {
            Some(value) => self.int(value, l)?,
            None => Int::To,
        };
        let below = layers(self.equipment.elements(), false);
        let what = self.optional_int(l, "what")?;
        let who = match l.labelled("who").or(l.typed("roleType")) {
            Some(value) => Some(self.roles(value, l)?),
            None => None,
        };
        Ok(Int::new(move |c| {
            let site = site.get(c);
            let list = usize::try_from(site).ok().and_then(|s| below.get(s));
            let (what, who) =
                (what.as_ref().map(|w| w.get(c)), who.as_ref().map_or(u32::MAX, |w| w.get(c)));
            let counts = |&&s: &&i32| {
                let here = c.what(s);
                what.map_or(here != 0, |what| here as i32 == what) && who >> c.owner(here) & 1 == 1
            };
            list.into_iter().flatten().filter(counts).count() as i32
        }))
    }

    /// `(count SizeBiggestLine …)`.
    pub(crate) fn biggest_line(&mut self, l: &Ludeme) -> Result<Int> {
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let axes = Axes::new(directions, self.equipment, true);
        let condition = self.optional_bool(l, "if")?;
        Ok(Int::new(move |c| {
            let mut fit = c.sites();
            for site in c.equipment.on_board.iter() {
                let at = Registers { to: site, site, ..c.at };
                if condition.as_ref().map_or(c.what(site) != 0, |f| c.with(at, |c| f(c))) {
                    fit.insert(site);
                }
            }
            let mut most = 0;
            for site in fit.iter() {
                axes.any(c, site, |_, ways| {
                    let run = |way: &[u32]| {
                        way.iter().take_while(|&&s| fit.contains(s as i32)).count() as i32
                    };
                    most = most.max(1 + ways.into_iter().map(run).sum::<i32>());
                    false
                });
                most = most.max(1);
            }
            c.free(fit);
            most
        }))
    }

    /// `(is PyramidCorners …)`: are the corners of a pyramid and its top among some sites?
    pub(crate) fn pyramid_corners(&mut self, l: &Ludeme) -> Result<Bool> {
        let sites = match l.labelled("froms") {
            Some(value) => self.region(value, l)?,
            None => Region::One(Int::LastTo(self.last())),
        };
        if l.labelled("froms").is_none() {
            return Err(unsupported(l));
        }
        let elements = self.equipment.elements();
        let mut pyramids: Vec<Vec<i32>> = Vec::new();
        for (top, e) in elements.iter().enumerate() {
            for layer in 0..e.layer {
                let half = (e.layer - layer) as f64 / 2.0;
                let corner = |(x, y): (f64, f64)| {
                    let near = |a: f64, b: f64| (a - b).abs() < 0.01;
                    elements.iter().position(|k| {
                        k.layer == layer
                            && near(k.centre[0], e.centre[0] + x * half)
                            && near(k.centre[1], e.centre[1] + y * half)
                    })
                };
                let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(corner);
                let all: Option<Vec<usize>> = corners.into_iter().collect();
                if let Some(mut all) = all {
                    all.push(top);
                    pyramids.push(all.into_iter().map(|site| site as i32).collect());
                }
            }
        }
        Ok(Box::new(move |c| {
            sites.of(c, |_, sites| {
                pyramids.iter().any(|all| all.iter().all(|&site| sites.contains(site)))
            })
        }))
    }
}
