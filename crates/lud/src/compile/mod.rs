//! From trees to ludemes: every call is fitted to a form of the [`table`], directed by the type
//! that is expected where it stands.

mod fit;
pub mod table;

pub use self::fit::compile;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use self::table::{Kind, Signature, Table};
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
    read: Read,
}

/// By bit: the slots of a ludeme that were looked at.
#[derive(Debug, Default)]
struct Read(AtomicU64);

impl Read {
    fn mark(&self, slots: u64) {
        self.0.fetch_or(slots, Ordering::Relaxed);
    }
}

impl Clone for Read {
    fn clone(&self) -> Read {
        Read(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

impl PartialEq for Read {
    fn eq(&self, _: &Read) -> bool {
        true
    }
}

impl Ludeme {
    /// By slot: which of its choices, and the value; `None` if left out.
    pub fn args(&self) -> &[Option<(usize, Value)>] {
        self.read.mark(u64::MAX);
        &self.given
    }

    /// Its values, none of which counts as looked at.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.given.iter().flatten().map(|(_, value)| value)
    }

    /// The slots, each with its value, none of which counts as looked at.
    pub fn slots(&self) -> impl Iterator<Item = (&'static table::Slot, &Option<(usize, Value)>)> {
        self.signature().slots.iter().zip(&self.given)
    }

    /// Looks at nothing yet, see [`unread`](Ludeme::unread).
    pub fn forget(&self) {
        self.read.0.store(0, Ordering::Relaxed);
    }

    /// The slots that have a value at which nobody has looked since [`forget`](Ludeme::forget).
    pub fn unread(&self) -> impl Iterator<Item = usize> {
        let read = self.read.0.load(Ordering::Relaxed);
        let slots = 0..self.given.len().min(64);
        slots.filter(move |&i| self.given[i].is_some() && read >> i & 1 == 0)
    }

    /// Its form.
    pub fn signature(&self) -> &'static Signature {
        &Table::get().signatures[self.form]
    }

    /// The value of a slot.
    pub fn arg(&self, slot: usize) -> Option<&Value> {
        self.read.mark(1u64.checked_shl(slot as u32).unwrap_or(0));
        self.given.get(slot)?.as_ref().map(|(_, value)| value)
    }

    /// The value with a label.
    pub fn labelled(&self, label: &str) -> Option<&Value> {
        self.find(|choice| choice.label.as_deref() == Some(label))
    }

    /// The first value without a label where a type is expected.
    pub fn typed(&self, name: &str) -> Option<&Value> {
        self.find(|choice| {
            choice.label.is_none() && matches!(&choice.kind, Kind::Type(kind) if kind == name)
        })
    }

    fn find(&self, wanted: impl Fn(&table::Choice) -> bool) -> Option<&Value> {
        self.slots().enumerate().find_map(|(number, (slot, arg))| {
            let (choice, value) = arg.as_ref()?;
            wanted(slot.choices.get(*choice)?).then(|| {
                self.read.mark(1u64.checked_shl(number as u32).unwrap_or(0));
                value
            })
        })
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
