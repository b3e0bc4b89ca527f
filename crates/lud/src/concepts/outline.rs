//! A description as a list of its ludemes, in which patterns are looked up.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::classes::{self, Named};
use crate::compile::{Ludeme, Value};

/// A ludeme of a description.
pub(crate) struct Item<'a> {
    pub ludeme: &'a Ludeme,
    /// The number of its text and its classes.
    pub kind: usize,
    /// The label with which it stands in the ludeme above it.
    pub label: Option<&'a str>,
    /// The ludeme above it; none above the first.
    pub above: Option<usize>,
    /// Behind the last ludeme in it.
    pub end: usize,
}

/// The common data of all ludemes of one form with the same words.
pub(crate) struct Look {
    /// The keyword, then words and the keywords of the calls in it: `no_Moves_Next`, `move_from_to`.
    pub text: String,
    pub named: Vec<Named>,
}

/// Where the conditions stand that end the game.
#[derive(Default)]
pub(crate) struct Ends {
    pub all: Vec<usize>,
    /// The mover wins.
    pub win: Vec<usize>,
    /// The mover loses.
    pub loss: Vec<usize>,
    pub draw: Vec<usize>,
}

/// The ludemes of a description, each before those in it.
pub(crate) struct Outline<'a> {
    pub items: Vec<Item<'a>>,
    pub looks: Vec<Look>,
    pub ends: Ends,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(game: &'a Arc<Ludeme>) -> Self {
        let mut outline = Outline { items: Vec::new(), looks: Vec::new(), ends: Ends::default() };
        let mut known = FxHashMap::default();
        // Ludemes still to come, the next one last. A number marks the end of a ludeme.
        let mut open: Vec<(&'a Ludeme, Option<&'a str>, Option<usize>)> = vec![(game, None, None)];
        while let Some((ludeme, label, above)) = open.pop() {
            let at = outline.items.len();
            let kind = outline.kind(ludeme, &mut known);
            outline.items.push(Item { ludeme, kind, label, above, end: at + 1 });
            let from = open.len();
            for (slot, given) in ludeme.slots() {
                let Some((choice, value)) = given else { continue };
                let label = slot.choices.get(*choice).and_then(|c| c.label.as_deref());
                calls(value, &mut |call| open.push((call, label, Some(at))));
            }
            open[from..].reverse();
        }
        for at in (0..outline.items.len()).rev() {
            let Item { end, above, .. } = outline.items[at];
            if let Some(above) = above {
                outline.items[above].end = outline.items[above].end.max(end);
            }
        }
        outline.ends = outline.find_ends();
        outline
    }

    /// All ludemes.
    pub(crate) fn whole(&self) -> Range<usize> {
        0..self.items.len()
    }

    /// A ludeme and all in it.
    pub(crate) fn within(&self, at: usize) -> Range<usize> {
        at..self.items.get(at).map_or(at, |item| item.end)
    }

    /// Its ludemes and words as public data name them.
    pub(crate) fn named(&self) -> BTreeSet<&Named> {
        self.looks.iter().flat_map(|look| &look.named).collect()
    }

    fn kind(
        &mut self,
        ludeme: &Ludeme,
        known: &mut FxHashMap<(String, Vec<Named>), usize>,
    ) -> usize {
        let (text, named) = (text(ludeme), classes::named(ludeme));
        *known.entry((text, named)).or_insert_with_key(|(text, named)| {
            self.looks.push(Look { text: text.clone(), named: named.clone() });
            self.looks.len() - 1
        })
    }

    fn find_ends(&self) -> Ends {
        let mut ends = Ends::default();
        for rule in self.whole() {
            let ludeme = self.items[rule].ludeme;
            if ludeme.signature().result != "endRule" {
                continue;
            }
            let condition = ludeme.typed("boolean").or(ludeme.labelled("if"));
            let Some(condition) = condition.and_then(Value::call) else { continue };
            let is = |at: &usize| std::ptr::eq(self.items[*at].ludeme, Arc::as_ptr(condition));
            let Some(at) = self.within(rule).find(is) else { continue };
            ends.all.push(at);
            let Some(Value::Call(result)) = ludeme.typed("result") else { continue };
            let word = |slot: usize| result.arg(slot).and_then(Value::word);
            let (Some(who), Some(what)) = (word(0), word(1)) else { continue };
            match (what, who) {
                ("Draw", _) => ends.draw.push(at),
                ("Win", "Mover" | "TeamMover") | ("Loss", "Next" | "TeamNext") => ends.win.push(at),
                ("Loss", "Mover" | "TeamMover") | ("Win", "Next" | "TeamNext") => {
                    ends.loss.push(at)
                }
                _ => {}
            }
        }
        ends
    }
}

/// The ludemes in a value, each in its place.
fn calls<'a>(value: &'a Value, f: &mut impl FnMut(&'a Ludeme)) {
    match value {
        Value::Call(call) => f(call),
        Value::List(items) => items.iter().for_each(|item| calls(item, f)),
        _ => {}
    }
}

fn text(ludeme: &Ludeme) -> String {
    let mut text = ludeme.signature().keyword.clone();
    for value in ludeme.values() {
        match value {
            Value::Word(word) => text.extend(["_", word]),
            Value::Call(inner) => text.extend(["_", &inner.signature().keyword]),
            _ => {}
        }
    }
    text
}
