//! The arguments of a ludeme, taken one by one by its reader. An argument that is left over at the end is an error, so a
//! description never plays by less than it says.

use super::table::Kind;
use super::{Ludeme, Value};
use ludex_core::diagnostic::Diagnostic;

/// The arguments of a ludeme that is being read. A slot is named by its label, or by its type where it has none.
pub(crate) struct Slots<'l> {
    /// The ludeme.
    pub(crate) ludeme: &'l Ludeme,
    /// By bit: the slots that were taken.
    taken: u64,
}

/// A struct with a field `slots` takes arguments as [`Slots`] do.
macro_rules! takes_slots {
    ($l:lifetime, $type:ty) => {
        impl<$l> std::ops::Deref for $type {
            type Target = $crate::compile::slots::Slots<$l>;

            fn deref(&self) -> &Self::Target {
                &self.slots
            }
        }

        impl<$l> std::ops::DerefMut for $type {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.slots
            }
        }
    };
}

pub(crate) use takes_slots;

/// Does a slot take values of this type, or, for `{int}`, lists of them?
pub(crate) fn is_kind(kind: &Kind, name: &str) -> bool {
    match kind {
        Kind::Type(own) | Kind::Literal(own) => own == name,
        Kind::List(of) => name
            .strip_prefix('{')
            .and_then(|name| name.strip_suffix('}'))
            .is_some_and(|name| is_kind(of, name)),
    }
}

/// The error of a form without a meaning.
pub(crate) fn unsupported(ludeme: &Ludeme) -> Diagnostic {
    let signature = ludeme.signature();
    let first = ludeme.first_word().map(|word| format!(" {word}")).unwrap_or_default();
    let message = format!("({}{first} …) is not supported yet in this form", signature.keyword);
    let why = ludeme.entry().map_or("", |entry| entry.form.refuses);
    let hint = match why {
        "" => format!("the form is ({})", signature.text),
        why => format!("the form is ({}); {why}", signature.text),
    };
    Diagnostic::error("L050", ludeme.span, message).with_hint(hint)
}

impl<'l> Slots<'l> {
    /// All arguments of a ludeme.
    pub(crate) fn new(ludeme: &'l Ludeme) -> Slots<'l> {
        Slots { ludeme, taken: 0 }
    }

    /// Takes the words that tell forms apart, and the consequences, which the dispatch reads.
    pub(crate) fn take_words(&mut self) {
        for (number, (slot, given)) in self.ludeme.slots().enumerate() {
            let Some((choice, value)) = given else { continue };
            let kind = slot.choices.get(*choice).map(|choice| &choice.kind);
            let chosen = number == 0 && matches!(kind, Some(Kind::Type(_))) && self.selects(value);
            let then = matches!(kind, Some(Kind::Type(name)) if name == "then");
            if matches!(kind, Some(Kind::Literal(_))) || chosen || then {
                self.mark(number);
            }
        }
    }

    /// Is a first word one that chose the form?
    fn selects(&self, value: &Value) -> bool {
        let word = value.word();
        self.ludeme
            .entry()
            .is_some_and(|entry| word.is_some_and(|word| entry.words.contains(&word)))
    }

    /// An argument that is left over at the end is an error.
    pub(crate) fn finish(&self) -> Result<(), Diagnostic> {
        let mut slots = self.ludeme.slots().enumerate();
        match slots.any(|(number, (_, given))| given.is_some() && !self.is_taken(number)) {
            true => Err(self.unsupported()),
            false => Ok(()),
        }
    }

    /// The error of a form without a meaning.
    pub(crate) fn unsupported(&self) -> Diagnostic {
        unsupported(self.ludeme)
    }

    /// Takes a slot by its number.
    pub(crate) fn mark(&mut self, slot: usize) {
        self.taken |= bit(slot);
    }

    pub(crate) fn is_taken(&self, slot: usize) -> bool {
        self.taken & bit(slot) != 0
    }

    /// The number of the first slot that a name means and that has a value which was not taken.
    fn find(&self, name: &str) -> Option<(usize, &'l Value)> {
        let mut slots = self.ludeme.slots().enumerate();
        slots.find_map(|(number, (slot, given))| {
            let (choice, value) = given.as_ref()?;
            let choice = slot.choices.get(*choice)?;
            let named = match &choice.label {
                Some(label) => label == name,
                None => is_kind(&choice.kind, name),
            };
            (named && !self.is_taken(number)).then_some((number, value))
        })
    }

    /// Is there a value that was not taken?
    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// A value without taking it.
    pub(crate) fn peek(&self, name: &str) -> Option<&'l Value> {
        self.find(name).map(|(_, value)| value)
    }

    /// Takes a value, if it is there.
    pub(crate) fn take(&mut self, name: &str) -> Option<&'l Value> {
        let (number, value) = self.find(name)?;
        self.mark(number);
        Some(value)
    }

    /// Takes the first value, in the order of the slots, that one of several names means.
    pub(crate) fn take_any(&mut self, names: &[&str]) -> Option<&'l Value> {
        let found = names.iter().filter_map(|name| self.find(name));
        let (number, value) = found.min_by_key(|(number, _)| *number)?;
        self.mark(number);
        Some(value)
    }

    /// Takes a value that must be there.
    pub(crate) fn value(&mut self, name: &str) -> Result<&'l Value, Diagnostic> {
        self.take(name).ok_or_else(|| self.unsupported())
    }

    /// Takes all values that are left, in order.
    pub(crate) fn rest(&mut self) -> Vec<&'l Value> {
        let mut all = Vec::new();
        for (number, given) in self.ludeme.args().iter().enumerate() {
            if let Some((_, value)) = given
                && !self.is_taken(number)
            {
                self.mark(number);
                all.push(value);
            }
        }
        all
    }

    /// The items of a list, or of all values that are left.
    pub(crate) fn items(&mut self) -> Vec<&'l Value> {
        self.rest().into_iter().flat_map(Value::items).collect()
    }

    /// A flag that must be known beforehand.
    pub(crate) fn flag(&mut self, name: &str, default: bool) -> Result<bool, Diagnostic> {
        match self.take(name) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.unsupported()),
        }
    }

    /// A number that the description writes out, if it is there.
    pub(crate) fn literal(&mut self, name: &str) -> Result<Option<i32>, Diagnostic> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Int(number)) => Ok(Some(*number)),
            Some(_) => Err(self.unsupported()),
        }
    }

    /// A list of numbers that the description writes out, if it is there.
    pub(crate) fn literals(&mut self, name: &str) -> Result<Option<Vec<i32>>, Diagnostic> {
        let Some(value) = self.take(name) else { return Ok(None) };
        literals(value).map(Some).ok_or_else(|| self.unsupported())
    }

    /// A word.
    pub(crate) fn word(&mut self, name: &str) -> Option<&'l str> {
        self.take(name).and_then(Value::word)
    }

    /// Is a word of the form itself there?
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.ludeme.slots().any(|(slot, given)| {
            let choice = given.as_ref().and_then(|(choice, _)| slot.choices.get(*choice));
            choice.is_some_and(|choice| matches!(&choice.kind, Kind::Literal(own) if own == word))
        })
    }

    /// A text.
    pub(crate) fn text(&mut self, name: &str) -> Option<&'l str> {
        self.take(name).and_then(Value::text)
    }

    /// All texts that are left, in lists or not.
    pub(crate) fn texts(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        for (number, given) in self.ludeme.args().iter().enumerate() {
            let Some((_, value)) = given else { continue };
            let texts = value.items().iter().filter_map(Value::text).map(str::to_owned);
            let before = all.len();
            if !self.is_taken(number) {
                all.extend(texts);
            }
            if all.len() > before {
                self.mark(number);
            }
        }
        all
    }
}

/// A list of numbers that the description writes out.
pub(crate) fn literals(value: &Value) -> Option<Vec<i32>> {
    let Value::List(items) = value else { return None };
    let number = |item: &Value| match item {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    items.iter().map(number).collect()
}

fn bit(slot: usize) -> u64 {
    1u64.checked_shl(slot as u32).unwrap_or(0)
}
