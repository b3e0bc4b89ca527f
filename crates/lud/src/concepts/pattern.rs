//! Patterns of ludemes: `move_Step>to>if:>is_Enemy^/not`.

use std::ops::Range;

use super::outline::{Item, Look, Outline};
use crate::compile::table::{Choice, Kind};
use crate::compile::{Ludeme, Value};

/// A ludeme, and what must hold around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Ludemes each right in the one before; the last is the one that is looked for.
    chain: Vec<Step>,
    /// The ludeme is none of these, and lies in none of them.
    outside: Vec<Outside>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Outside {
    /// Only the ludeme right above counts.
    right_above: bool,
    chain: Vec<Step>,
}

/// One ludeme.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    head: Head,
    tests: Vec<Test>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Head {
    /// `if:`, the label with which it stands in the ludeme above.
    Label(String),
    /// `is_In`, the beginning of its text.
    Text(String),
    /// `Line:IsLineType` or `effect.Hop`, one of its classes.
    Class(String),
}

/// A condition on a ludeme, or its negation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Test {
    not: bool,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// `count:`, an argument with this label.
    Label(String),
    /// `#Hand`, a text that begins so.
    Text(String),
    /// `direction`, a direction is given.
    Direction,
    /// A ludeme in it.
    Inside(Pattern),
}

impl Pattern {
    pub(super) fn read(text: &str) -> Pattern {
        let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                b'^' if depth == 0 => {
                    parts.push(&text[from..at]);
                    from = at + 1;
                }
                _ => {}
            }
        }
        parts.push(&text[from..]);
        let outside = parts.split_off(1).into_iter().map(|part| Outside {
            right_above: part.starts_with('/'),
            chain: chain(part.trim_start_matches('/')),
        });
        Pattern { chain: chain(parts[0]), outside: outside.collect() }
    }

    /// Is it a label?
    pub(super) fn is_label(&self) -> bool {
        matches!(self.chain.last(), Some(Step { head: Head::Label(_), .. }))
    }

    /// The ludemes that it fits, in order.
    pub(super) fn find(&self, outline: &Outline<'_>) -> Vec<usize> {
        let fits = fits_looks(&self.chain, &outline.looks);
        let outside: Vec<_> =
            self.outside.iter().map(|out| (out, fits_looks(&out.chain, &outline.looks))).collect();
        let apart = |at: usize| {
            let (mut here, mut steps) = (Some(at), 0);
            while let Some(at) = here {
                let inside = |(out, fits): &(&Outside, Vec<Vec<bool>>)| {
                    (steps == 1 || !out.right_above) && fits_chain(outline, at, &out.chain, fits)
                };
                if outside.iter().any(inside) {
                    return false;
                }
                (here, steps) = (outline.items[at].above, steps + 1);
            }
            true
        };
        let hit = |at: &usize| fits_chain(outline, *at, &self.chain, &fits) && apart(*at);
        outline.whole().filter(hit).collect()
    }
}

/// The kinds of ludemes that the head of each step fits.
fn fits_looks(chain: &[Step], looks: &[Look]) -> Vec<Vec<bool>> {
    let fits = |step: &Step| looks.iter().map(|look| step.head.fits(look)).collect();
    chain.iter().map(fits).collect()
}

fn fits_chain(outline: &Outline<'_>, at: usize, chain: &[Step], fits: &[Vec<bool>]) -> bool {
    let mut here = Some(at);
    chain.iter().zip(fits).rev().all(|(step, fits)| {
        let Some(at) = here else { return false };
        let item = &outline.items[at];
        here = item.above;
        let head = match &step.head {
            Head::Label(label) => item.label == Some(label),
            _ => fits[item.kind],
        };
        head && step.tests.iter().all(|test| test.holds(outline, at))
    })
}

impl Head {
    fn read(text: &str) -> Head {
        match text.strip_suffix(':') {
            Some(label) => Head::Label(label.to_owned()),
            None if text.contains([':', '.']) => Head::Class(text.to_owned()),
            None => Head::Text(text.to_owned()),
        }
    }

    fn fits(&self, look: &Look) -> bool {
        match self {
            Head::Label(_) => true,
            Head::Class(class) => look.named.iter().any(|named| named.is(class)),
            Head::Text(start) => {
                let rest = look.text.strip_prefix(start.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            }
        }
    }
}

fn chain(text: &str) -> Vec<Step> {
    text.split('/').map(step).collect()
}

fn step(text: &str) -> Step {
    let (head, tests) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((head, tests)) => (head, tests.split(',').map(Test::read).collect()),
        None => (text, Vec::new()),
    };
    Step { head: Head::read(head), tests }
}

impl Test {
    fn read(text: &str) -> Test {
        let (not, text) = match text.strip_prefix('~') {
            Some(text) => (true, text),
            None => (false, text),
        };
        let what = match (text.strip_suffix(':'), text.strip_prefix('#')) {
            (Some(label), _) => What::Label(label.to_owned()),
            (_, Some(start)) => What::Text(start.to_owned()),
            _ if text == "direction" => What::Direction,
            _ => What::Inside(Pattern::read(text)),
        };
        Test { not, what }
    }

    fn holds(&self, outline: &Outline<'_>, at: usize) -> bool {
        let Item { ludeme, end, .. } = &outline.items[at];
        let holds = match &self.what {
            What::Label(label) => ludeme.has(label),
            What::Text(start) => {
                ludeme.values().filter_map(Value::text).any(|text| text.starts_with(start))
            }
            What::Direction => directed(ludeme),
            What::Inside(pattern) => {
                let fits = fits_looks(&pattern.chain, &outline.looks);
                let within: Range<usize> = at..*end;
                within.into_iter().any(|at| fits_chain(outline, at, &pattern.chain, &fits))
            }
        };
        holds != self.not
    }
}

/// Has it a direction among its arguments?
fn directed(ludeme: &Ludeme) -> bool {
    let is = |choice: &Choice| match &choice.kind {
        Kind::Type(kind) => matches!(kind.as_str(), "direction" | "absoluteDirection"),
        _ => false,
    };
    ludeme.slots().any(|(slot, given)| {
        given.as_ref().and_then(|(choice, _)| slot.choices.get(*choice)).is_some_and(is)
    })
}
