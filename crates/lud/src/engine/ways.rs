//! The steps of ways, kept while nothing changes.
//!
//! A rule may ask for a way from each site of a region: `(forEach (sites Empty) if:(= Infinity (count Steps … (step …) (site) …)))`. The
//! steps from a site are then the same for every way that comes to it, so they are worked out once.

use super::context::Registers;
use super::node::Iterators;
use super::state::OFF;
use crate::compile::Ludeme;
use crate::ludemes::Way;

/// Where steps lead, by the site that they come from.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    open: bool,
    /// The address of the step that is kept, and the iterators with which it was worked out.
    of: Option<(usize, Registers)>,
    /// By site: where its steps begin and end in `sites`.
    spans: Vec<Option<(u32, u32)>>,
    sites: Vec<i32>,
}

impl Ways {
    /// Begins to keep steps, if they are not kept already. The one who begins has to [`close`](Ways::close).
    pub(crate) fn open(&mut self) -> bool {
        let opens = !self.open;
        if opens {
            (self.open, self.of) = (true, None);
        }
        opens
    }

    /// Forgets all steps.
    pub(crate) fn close(&mut self) {
        self.open = false;
    }

    /// Are the steps of this generator kept from here on? Those of another one are forgotten.
    pub(crate) fn keeps(&mut self, step: usize, at: &Registers, sites: usize) -> bool {
        if self.open {
            let of = Some((step, Registers { from: OFF, to: OFF, site: OFF, ..*at }));
            if self.of != of {
                self.of = of;
                self.sites.clear();
                self.spans.clear();
                self.spans.resize(sites, None);
            }
        }
        self.open
    }

    /// Where the steps from a site begin and end, once they are known.
    pub(crate) fn span(&self, site: i32) -> Option<(u32, u32)> {
        *self.spans.get(usize::try_from(site).ok()?)?
    }

    /// Keeps the steps from a site.
    pub(crate) fn keep(&mut self, site: i32, to: impl Iterator<Item = i32>) -> (u32, u32) {
        let begin = self.sites.len() as u32;
        self.sites.extend(to);
        let span = (begin, self.sites.len() as u32);
        if let Some(kept) = usize::try_from(site).ok().and_then(|site| self.spans.get_mut(site)) {
            *kept = Some(span);
        }
        span
    }

    /// A site to which a step leads.
    pub(crate) fn site(&self, number: u32) -> i32 {
        self.sites.get(number as usize).copied().unwrap_or(OFF)
    }
}

/// Asks a condition for ways, without a change of the state while it is answered?
pub(crate) fn asks_for_ways(condition: &Ludeme) -> bool {
    let (mut ways, mut still) = (false, true);
    each(condition, &mut |ludeme, above| {
        let result = ludeme.signature().result.as_str();
        let step =
            part(ludeme) == Way::Step && above.is_some_and(|above| part(above) == Way::Along);
        ways |= step;
        still &= step || (result != "moves" && result != "effect");
        still &= !ludeme.reader().is_some_and(|(form, _)| form.looks_ahead || form.draws);
    });
    ways && still
}

/// The part of a ludeme in ways.
fn part(ludeme: &Ludeme) -> Way {
    ludeme.reader().map_or(Way::None, |(form, _)| form.way)
}

/// Is a step the same for every `(site)` of a region?
pub(crate) fn is_the_same_everywhere(step: &Ludeme) -> bool {
    let mut same = true;
    each(step, &mut |ludeme, _| {
        same &= !ludeme.reader().is_some_and(|(form, _)| form.iterator == Iterators::SITE);
    });
    same
}

/// Goes over a ludeme and all in it, each with the one above.
fn each(root: &Ludeme, visit: &mut impl FnMut(&Ludeme, Option<&Ludeme>)) {
    fn go(
        ludeme: &Ludeme,
        above: Option<&Ludeme>,
        visit: &mut impl FnMut(&Ludeme, Option<&Ludeme>),
    ) {
        visit(ludeme, above);
        for value in ludeme.values() {
            for item in value.items() {
                if let Some(inner) = item.call() {
                    go(inner, Some(ludeme), visit);
                }
            }
        }
    }
    go(root, None, visit);
}
