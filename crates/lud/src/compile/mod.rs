//! From trees to ludemes: every call is fitted to a form of the [`table`], directed by the type
//! that is expected where it stands.

mod fit;
pub(crate) mod slots;
pub mod table;

pub use self::fit::compile;
pub(crate) use self::fit::fit_to;

use std::sync::Arc;

use self::table::{Entry, Kind, Signature, Table};
use crate::engine::node::Parts;
use crate::ludemes::{Form, Read};
use ludex_core::diagnostic::Span;

/// A value of a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A ludeme.
    Call(Arc<Ludeme>),
    /// A list.
    List(Vec<Value>),
    /// A whole number.
    Int(i32),
    /// Another number.
    Float(f32),
    /// `True` or `False`.
    Bool(bool),
    /// A string.
    Str(String),
    /// A word of an enumeration, a constant, or a word for itself.
    Word(String),
}

impl Value {
    /// The values of a list; any other value alone.
    pub fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            value => std::slice::from_ref(value),
        }
    }

    /// The text that it is.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The call that it is.
    pub(crate) fn call(&self) -> Option<&Arc<Ludeme>> {
        match self {
            Value::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The word that it is.
    pub fn word(&self) -> Option<&str> {
        match self {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// A call that fits a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Ludeme {
    /// The form, by its number in the [`Table`].
    pub form: usize,
    /// By slot: which of its choices, and the value; `None` if left out.
    given: Vec<Option<(usize, Value)>>,
    /// Where it stands.
    pub span: Span,
}

impl Ludeme {
    /// By slot: which of its choices, and the value; `None` if left out.
    pub(crate) fn args(&self) -> &[Option<(usize, Value)>] {
        &self.given
    }

    /// The value of a slot.
    pub(crate) fn arg(&self, slot: usize) -> Option<&Value> {
        self.given.get(slot)?.as_ref().map(|(_, value)| value)
    }

    /// The values of the call, in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.given.iter().flatten().map(|(_, value)| value)
    }

    /// The slots, each with its value.
    pub fn slots(&self) -> impl Iterator<Item = (&'static table::Slot, &Option<(usize, Value)>)> {
        self.signature().slots.iter().zip(&self.given)
    }

    /// The form that the call fits.
    pub fn signature(&self) -> &'static Signature {
        &Table::get().signatures[self.form]
    }

    /// The entry of the registry of ludemes that it fits.
    pub(crate) fn entry(&self) -> Option<&'static Entry> {
        let word = match self.given.first() {
            Some(Some((_, Value::Word(word)))) => word.as_str(),
            _ => "-",
        };
        let entries = Table::get().entries.get(self.form)?;
        entries.iter().find(|entry| entry.words.is_empty() || entry.words.contains(&word))
    }

    /// The reader that makes a node of it.
    pub(crate) fn reader(&self) -> Option<(&'static Form, Read)> {
        self.entry().map(|entry| (entry.form, entry.form.read))
    }

    /// The word with which it begins.
    pub(crate) fn first_word(&self) -> Option<&str> {
        self.given.first()?.as_ref().and_then(|(_, value)| value.word())
    }

    /// Has a slot with this label a value?
    pub(crate) fn has(&self, label: &str) -> bool {
        self.labelled(label).is_some()
    }

    /// The first argument that is a call of this type.
    pub(crate) fn call(&self, result: &str) -> Option<&Arc<Ludeme>> {
        self.values().filter_map(Value::call).find(|call| call.signature().result == result)
    }

    /// The value with a label.
    pub(crate) fn labelled(&self, label: &str) -> Option<&Value> {
        self.find(|choice| choice.label.as_deref() == Some(label))
    }

    /// The first value without a label where a type is expected.
    pub(crate) fn typed(&self, name: &str) -> Option<&Value> {
        self.find(|choice| {
            choice.label.is_none() && matches!(&choice.kind, Kind::Type(kind) if kind == name)
        })
    }

    fn find(&self, wanted: impl Fn(&table::Choice) -> bool) -> Option<&Value> {
        self.slots().find_map(|(slot, arg)| {
            let (choice, value) = arg.as_ref()?;
            wanted(slot.choices.get(*choice)?).then_some(value)
        })
    }

    /// The parts of the state that a game has because of these arguments.
    pub(crate) fn needs(&self) -> Parts {
        let mut needs = Parts::NONE;
        if self.has("level") || matches!(self.labelled("stack"), Some(Value::Bool(true))) {
            needs |= Parts::STACKS;
        }
        if self.has("rotation") {
            needs |= Parts::ROTATIONS;
        }
        if let Some((form, _)) = self.reader() {
            let (label, parts) = form.needs_with;
            if self.has(label) {
                needs |= parts;
            }
        }
        needs
    }

    /// The ludemes in it, itself first.
    pub fn walk<'a>(self: &'a Arc<Self>, f: &mut impl FnMut(&'a Ludeme)) {
        let mut stack: Vec<&'a Value> = Vec::new();
        let push = |ludeme: &'a Ludeme, stack: &mut Vec<&'a Value>| {
            stack.extend(ludeme.given.iter().rev().flatten().map(|(_, value)| value));
        };
        f(self);
        push(self, &mut stack);
        while let Some(value) = stack.pop() {
            match value {
                Value::Call(ludeme) => {
                    f(ludeme);
                    push(ludeme, &mut stack);
                }
                Value::List(items) => stack.extend(items.iter().rev()),
                _ => {}
            }
        }
    }
}
