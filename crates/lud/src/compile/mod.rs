//! From trees to ludemes: every call is fitted to a form of the [`table`], directed by the type
//! that is expected where it stands.

pub mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use self::table::{Kind, Signature, Table};
use crate::error::Fault;
use crate::tree::{Form, Node};

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
    pub place: crate::source::Place,
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

/// Fits a tree to the table.
///
/// # Errors
/// The first thing that fits nowhere, with what would.
///
/// ```
/// use ludex_lud::{compile, source::Text, tree};
/// let text = Text::of_file(0, "(game \"X\" (players 2) (equipment {(board (square 3))})
///     (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))");
/// let game = compile::compile(&tree::game(&text).unwrap()).unwrap();
/// assert_eq!(game.signature().keyword, "game");
/// ```
pub fn compile(game: &Node) -> Result<Arc<Ludeme>, Fault> {
    let mut compiler = Compiler {
        table: Table::get(),
        order: FxHashMap::default(),
        known: FxHashMap::default(),
        furthest: None,
    };
    let mut number = 0;
    game.walk(&mut |node| {
        compiler.order.insert(std::ptr::from_ref(node), number);
        number += 1;
    });
    let expected = if game.keyword() == Some("match") { "match" } else { "game" };
    match compiler.value(game, &Kind::Type(expected.to_owned())) {
        Some(Value::Call(ludeme)) => Ok(ludeme),
        _ => Err(compiler.fault(game)),
    }
}

struct Compiler<'a> {
    table: &'static Table,
    /// By node: its number in reading order.
    order: FxHashMap<*const Node, usize>,
    /// What a node is where a kind is expected.
    known: FxHashMap<(*const Node, Kind), Option<Value>>,
    /// The last node in reading order that fitted nowhere, and what was expected.
    furthest: Option<(usize, &'a Node, Vec<String>)>,
}

impl<'a> Compiler<'a> {
    fn fault(&self, game: &Node) -> Fault {
        let Some((_, node, expected)) = &self.furthest else {
            return Fault::new("L040", game.place, "this is no game");
        };
        if let Some(keyword) = node.keyword()
            && self.table.forms(keyword).is_empty()
        {
            let message = format!("there is no ludeme ({keyword} …)");
            return Fault::new("L041", node.place, message);
        }
        let what = match &node.form {
            Form::Call(_) => format!("({} …)", node.keyword().unwrap_or("?")),
            Form::List(_) => "{…}".to_owned(),
            Form::Str(text) => format!("\"{text}\""),
            Form::Int(n) => n.to_string(),
            Form::Float(x) => x.to_string(),
            Form::Word(word) => word.clone(),
        };
        let label = node.label.as_ref().map(|l| format!("{l}:")).unwrap_or_default();
        let mut expected = expected.clone();
        expected.dedup();
        let hint = match expected.len() {
            0 => "nothing is expected here".to_owned(),
            1 => format!("expected {}", expected[0]),
            _ => format!("expected one of {}", expected.join(", ")),
        };
        Fault::new("L040", node.place, format!("{label}{what} does not fit here")).with_hint(hint)
    }

    fn miss(&mut self, node: &'a Node, expected: impl Fn() -> String) {
        let number = self.order.get(&std::ptr::from_ref(node)).copied().unwrap_or(0);
        match &mut self.furthest {
            Some((at, _, list)) if *at == number => {
                let text = expected();
                if !list.contains(&text) {
                    list.push(text);
                }
            }
            Some((at, ..)) if *at > number => {}
            _ => self.furthest = Some((number, node, vec![expected()])),
        }
    }

    fn value(&mut self, node: &'a Node, kind: &Kind) -> Option<Value> {
        let key = (std::ptr::from_ref(node), kind.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let value = self.fresh(node, kind);
        if value.is_none() {
            self.miss(node, || kind.to_string());
        }
        self.known.insert(key, value.clone());
        value
    }

    fn fresh(&mut self, node: &'a Node, kind: &Kind) -> Option<Value> {
        match (kind, &node.form) {
            (Kind::Literal(word), Form::Word(found)) => {
                word.eq_ignore_ascii_case(found).then(|| Value::Word(word.clone()))
            }
            (Kind::Literal(_), _) => None,
            (Kind::List(of), Form::List(items)) => {
                let values: Option<Vec<Value>> =
                    items.iter().map(|item| self.value(item, of)).collect();
                values.map(Value::List)
            }
            (Kind::List(_), _) => None,
            (Kind::Type(name), form) => match (name.as_str(), form) {
                ("int" | "dim" | "float", Form::Int(n)) => Some(Value::Int(*n)),
                ("float", Form::Float(x)) => Some(Value::Float(*x)),
                ("string", Form::Str(text)) => Some(Value::Str(text.clone())),
                ("boolean", Form::Word(word)) if self.table.has_word(name, word) => {
                    Some(Value::Bool(word == "True"))
                }
                (_, Form::Word(word)) if self.table.has_word(name, word) => {
                    Some(Value::Word(word.clone()))
                }
                (_, Form::Call(_)) => self.call(node, name),
                _ => None,
            },
        }
    }

    fn call(&mut self, node: &'a Node, expected: &str) -> Option<Value> {
        let table = self.table;
        let forms = table.forms(node.keyword()?);
        for &form in forms {
            let signature = &table.signatures[form];
            if !table.fits(signature, expected) {
                continue;
            }
            let mut args = vec![None; signature.slots.len()];
            if self.fill(node.args(), signature, 0, &mut args) {
                return Some(Value::Call(Arc::new(Ludeme {
                    form,
                    given: args,
                    place: node.place,
                    read: Read::default(),
                })));
            }
        }
        None
    }

    /// Fits arguments to slots from `slot` on, in order.
    fn fill(
        &mut self,
        nodes: &'a [Node],
        signature: &'static Signature,
        slot: usize,
        args: &mut [Option<(usize, Value)>],
    ) -> bool {
        let Some(here) = signature.slots.get(slot) else {
            if let Some(extra) = nodes.first() {
                self.miss(extra, || format!("the end of ({} …)", signature.keyword));
            }
            return nodes.is_empty();
        };
        if let Some((node, rest)) = nodes.split_first() {
            for (number, choice) in here.choices.iter().enumerate() {
                if choice.label != node.label {
                    if let Some(label) = &choice.label {
                        self.miss(node, || format!("{label}:{}", choice.kind));
                    }
                    continue;
                }
                if let Some(value) = self.value(node, &choice.kind) {
                    args[slot] = Some((number, value));
                    if self.fill(rest, signature, slot + 1, args) {
                        return true;
                    }
                    args[slot] = None;
                }
            }
        }
        here.optional && self.fill(nodes, signature, slot + 1, args)
    }
}
