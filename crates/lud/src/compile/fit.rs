//! Fits a tree to the forms of the table, and says what does not fit.
//!
//! A call may have several forms, and a slot several kinds, so an attempt that fails is no error yet.
//! If the whole game does not fit, the node at which attempts got furthest in reading order is the
//! error. That part is then taken for something that fits everywhere, and the game is fitted again:
//! so every bad part yields one error, and all of them are found.

use std::sync::Arc;

use ludex_core::diagnostic::{Diagnostic, did_you_mean};
use rustc_hash::{FxHashMap, FxHashSet};

use super::table::{Choice, Kind, Signature, Slot, Table};
use super::{Ludeme, Value};
use crate::tree::{Form, Node};

/// No more errors than this are looked for.
const MOST_ERRORS: usize = 50;

/// No more alternatives than this are listed in a hint.
const MOST_LISTED: usize = 12;

/// Fits a tree to the table. Without a ludeme there is at least one finding, unless the tree holds
/// parts that could not be read and were reported before.
///
/// ```
/// use ludex_lud::{compile, source::Text, tree};
/// let text = Text::of_file(0, "(game \"X\" (players 2) (equipment {(board (square 3))})
///     (rules (play (move Add (to (sites Empty)))) (end (if (is Lien 3) (result Mover Win)))))");
/// let (tree, _) = tree::game(&text);
/// let (game, found) = compile::compile(&tree.unwrap());
/// assert!(game.is_none());
/// assert_eq!(found[0].hint.as_deref(), Some("did you mean `Line`?"));
/// ```
pub fn compile(game: &Node) -> (Option<Arc<Ludeme>>, Vec<Diagnostic>) {
    let keyword = if game.keyword() == Some("match") { "match" } else { "game" };
    let expected = Kind::Type(keyword.to_owned());
    let mut compiler = Compiler::new(game);
    let unreadable = !compiler.holes.is_empty();
    let mut found = Vec::new();
    loop {
        let value = compiler.value(game, &expected);
        match value {
            Some(Value::Call(ludeme)) if found.is_empty() && !unreadable => {
                return (Some(ludeme), found);
            }
            Some(_) => return (None, found),
            None if found.len() >= MOST_ERRORS => return (None, found),
            None => found.push(compiler.report(game)),
        }
    }
}

/// Fits one call to the forms of a type.
pub(crate) fn fit_to(call: &Node, kind: &str) -> Option<Arc<Ludeme>> {
    let mut compiler = Compiler::new(call);
    match compiler.value(call, &Kind::Type(kind.to_owned())) {
        Some(Value::Call(ludeme)) => Some(ludeme),
        _ => None,
    }
}

/// An argument that would have fitted where a node or the end of a call stands.
#[derive(Clone, PartialEq)]
enum Expected {
    /// A value without a label.
    Value(Kind),
    /// A value with a label.
    Labelled(String, Kind),
    /// No further argument of this call.
    End(&'static Signature),
    /// One of these, where the call of this form ends.
    More(&'static Signature, &'static Slot),
}

impl Expected {
    fn of(choice: &Choice) -> Expected {
        match &choice.label {
            Some(label) => Expected::Labelled(label.clone(), choice.kind.clone()),
            None => Expected::Value(choice.kind.clone()),
        }
    }

    fn text(&self, table: &Table) -> String {
        match self {
            Expected::Value(kind) => kind_text(kind, table),
            Expected::Labelled(label, kind) => format!("{label}:{}", kind_text(kind, table)),
            Expected::End(signature) => format!("the end of ({} …)", signature.keyword),
            Expected::More(_, slot) => {
                let choices = slot.choices.iter().map(|c| Expected::of(c).text(table));
                choices.collect::<Vec<_>>().join(" or ")
            }
        }
    }
}

/// `(players …)` where a type has one word for its forms, `<int>` where it has many.
fn kind_text(kind: &Kind, table: &Table) -> String {
    match kind {
        Kind::Type(name) if !table.forms(name).is_empty() => format!("({name} …)"),
        Kind::List(of) => format!("{{{}}}", kind_text(of, table)),
        other => other.to_string(),
    }
}

/// The attempts that got furthest.
struct Furthest<'a> {
    /// How far: twice the number of the node, and one more for the end of a call behind it.
    at: usize,
    /// The node that did not fit, or the call that ended too early.
    tried: Vec<(&'a Node, Expected)>,
}

/// A call that is being fitted to one form.
struct Attempt<'a> {
    call: &'a Node,
    signature: &'static Signature,
    /// By slot: which of its choices, and the value.
    given: Vec<Option<(usize, Value)>>,
    /// Arguments and slots from which on nothing fits. Without this list, a call of many arguments
    /// that fit many slots would take exponential time.
    failed: Vec<(usize, usize)>,
}

struct Compiler<'a> {
    table: &'static Table,
    /// By node: its number in reading order, that of the last node in it, and its parent.
    order: FxHashMap<*const Node, (usize, usize, Option<&'a Node>)>,
    /// The value of a node where a kind is expected.
    known: FxHashMap<(*const Node, Kind), Option<Value>>,
    /// Nodes that are taken for whatever is expected, because they are reported already.
    holes: FxHashSet<*const Node>,
    furthest: Option<Furthest<'a>>,
}

impl<'a> Compiler<'a> {
    fn new(game: &'a Node) -> Compiler<'a> {
        let mut order = FxHashMap::default();
        let mut holes = FxHashSet::default();
        number(game, None, &mut 0, &mut order);
        game.walk(&mut |node| {
            if node.form == Form::Bad {
                holes.insert(std::ptr::from_ref(node));
            }
        });
        let (known, table) = (FxHashMap::default(), Table::get());
        Compiler { table, order, known, holes, furthest: None }
    }

    fn value(&mut self, node: &'a Node, kind: &Kind) -> Option<Value> {
        if self.is_hole(node) {
            return Some(Value::List(Vec::new()));
        }
        let key = (std::ptr::from_ref(node), kind.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let value = self.fresh(node, kind);
        if value.is_none() {
            self.miss(node, || Expected::Value(kind.clone()));
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
            let given = vec![None; signature.slots.len()];
            let mut attempt = Attempt { call: node, signature, given, failed: Vec::new() };
            if self.fill(&mut attempt, 0, 0) {
                return Some(Value::Call(Arc::new(Ludeme {
                    form,
                    given: attempt.given,
                    span: node.span,
                })));
            }
        }
        None
    }

    /// Fits the arguments of a call from `arg` on to slots from `slot` on, in order.
    fn fill(&mut self, attempt: &mut Attempt<'a>, arg: usize, slot: usize) -> bool {
        let (nodes, signature) = (&attempt.call.args()[arg..], attempt.signature);
        let Some(here) = signature.slots.get(slot) else {
            let rest = nodes.iter().find(|node| !self.is_hole(node));
            if let Some(extra) = rest {
                self.miss(extra, || Expected::End(signature));
            }
            return rest.is_none();
        };
        if attempt.failed.contains(&(arg, slot)) {
            return false;
        }
        if let Some(node) = nodes.first() {
            let hole = self.is_hole(node);
            for (number, choice) in here.choices.iter().enumerate() {
                if choice.label != node.label && !hole {
                    if choice.label.is_some() {
                        self.miss(node, || Expected::of(choice));
                    }
                    continue;
                }
                if let Some(value) = self.value(node, &choice.kind) {
                    attempt.given[slot] = Some((number, value));
                    if self.fill(attempt, arg + 1, slot + 1) {
                        return true;
                    }
                    attempt.given[slot] = None;
                }
            }
            if hole && self.fill(attempt, arg + 1, slot) {
                return true;
            }
        } else if !here.optional {
            self.ends(attempt.call, signature, here);
        }
        let fits = here.optional && self.fill(attempt, arg, slot + 1);
        if !fits {
            attempt.failed.push((arg, slot));
        }
        fits
    }

    fn is_hole(&self, node: &Node) -> bool {
        self.holes.contains(&std::ptr::from_ref(node))
    }

    /// The number of a node in reading order, the number of the last node inside it, and its parent.
    fn place(&self, node: &Node) -> (usize, usize, Option<&'a Node>) {
        let place = self.order.get(&std::ptr::from_ref(node)).copied();
        debug_assert!(place.is_some(), "every node of the tree has a number");
        place.unwrap_or_default()
    }

    /// A node that does not fit.
    fn miss(&mut self, node: &'a Node, expected: impl Fn() -> Expected) {
        self.tried(2 * self.place(node).0, node, expected);
    }

    /// A call that ends before all that it needs.
    fn ends(&mut self, call: &'a Node, signature: &'static Signature, slot: &'static Slot) {
        self.tried(2 * self.place(call).1 + 1, call, || Expected::More(signature, slot));
    }

    fn tried(&mut self, at: usize, node: &'a Node, expected: impl Fn() -> Expected) {
        match &mut self.furthest {
            Some(furthest) if furthest.at > at => {}
            Some(furthest) if furthest.at == at => {
                let new = (node, expected());
                let same = |(other, text): &(&Node, Expected)| {
                    std::ptr::eq(*other, new.0) && *text == new.1
                };
                if !furthest.tried.iter().any(same) {
                    furthest.tried.push(new);
                }
            }
            _ => self.furthest = Some(Furthest { at, tried: vec![(node, expected())] }),
        }
    }

    /// Reports the fault, and treats the bad part as a hole from now on.
    fn report(&mut self, game: &'a Node) -> Diagnostic {
        let Some(mut furthest) = self.furthest.take() else {
            self.holes.insert(std::ptr::from_ref(game));
            return Diagnostic::error("L040", game.span, "this is no game");
        };
        // One of two calls that end at the same place may have fitted in another form.
        let fits = |node: &Node| {
            let of_it = |(key, value): (&(*const Node, Kind), &Option<Value>)| {
                std::ptr::eq(key.0, node) && value.is_some()
            };
            self.known.iter().any(of_it)
        };
        if furthest.at % 2 == 1 && furthest.tried.iter().any(|(node, _)| !fits(node)) {
            furthest.tried.retain(|(node, _)| !fits(node));
        }
        let node = furthest.tried[0].0;
        furthest.tried.retain(|(other, _)| std::ptr::eq(*other, node));
        let expected: Vec<Expected> = furthest.tried.into_iter().map(|(_, e)| e).collect();
        let parent = self.place(node).2;
        // Without its first word nothing can be said of a call.
        let selects = |call: &&Node| {
            let first = call.args().first().is_some_and(|first| std::ptr::eq(first, node));
            first && matches!(node.form, Form::Word(_)) && node.label.is_none()
        };
        let call = parent.filter(|call| call.keyword().is_some()).filter(selects);
        self.holes.insert(std::ptr::from_ref(call.unwrap_or(node)));
        self.known.retain(|_, value| value.is_some());
        match &expected[0] {
            Expected::More(signature, _) => self.lacks(node, signature, &expected),
            _ => self.misfit(node, call, &expected),
        }
    }

    fn lacks(&self, call: &Node, signature: &Signature, expected: &[Expected]) -> Diagnostic {
        let what = list(expected, self.table);
        let message = format!("({} …) lacks {what}", signature.keyword);
        let hint = format!("the form is ({})", signature.text);
        Diagnostic::error("L043", call.span, message).with_hint(hint)
    }

    fn misfit(&self, node: &Node, call: Option<&Node>, expected: &[Expected]) -> Diagnostic {
        let span = node.span;
        match (&node.form, node.keyword()) {
            (Form::Call(_), Some(keyword)) if self.table.forms(keyword).is_empty() => {
                let message = format!("there is no ludeme ({keyword} …)");
                return self.hinted(Diagnostic::error("L041", span, message), node, expected);
            }
            (Form::Call(items), None) => {
                if let Some(Node { form: Form::Str(name), span, .. }) = items.first() {
                    let message = format!("there is no define \"{name}\"");
                    return Diagnostic::error("L023", *span, message);
                }
            }
            (Form::Word(word), _) if word.len() > 2 && word.starts_with('<') => {
                let message = format!("no option has the tag {word}");
                return Diagnostic::error("L013", span, message);
            }
            _ => {}
        }
        let what = match &node.form {
            Form::Call(_) => format!("({} …)", node.keyword().unwrap_or("")),
            Form::List(_) => "{…}".to_owned(),
            Form::Str(text) => format!("\"{text}\""),
            Form::Int(n) => n.to_string(),
            Form::Float(x) => x.to_string(),
            Form::Word(word) => word.clone(),
            Form::Bad => "this".to_owned(),
        };
        let label = node.label.as_ref().map(|l| format!("{l}:")).unwrap_or_default();
        let message = match (call.and_then(Node::keyword), expected) {
            (Some(keyword), _) => format!("there is no ({keyword} {what} …)"),
            (None, [Expected::End(signature)]) => {
                format!("({} …) has no place for {label}{what}", signature.keyword)
            }
            _ => format!("{label}{what} does not fit here"),
        };
        self.hinted(Diagnostic::error("L040", span, message), node, expected)
    }

    /// A finding with the word that was probably meant, or with what would fit.
    fn hinted(&self, finding: Diagnostic, node: &Node, expected: &[Expected]) -> Diagnostic {
        let hint = self.meant(node, expected).unwrap_or_else(|| match expected {
            [Expected::End(signature)] => format!("the form is ({})", signature.text),
            _ => format!("expected {}", list(expected, self.table)),
        });
        finding.with_hint(hint)
    }

    /// `did you mean …?` for an unknown label, word or keyword.
    fn meant(&self, node: &Node, expected: &[Expected]) -> Option<String> {
        let kinds = || {
            expected.iter().filter_map(|expected| match expected {
                Expected::Value(kind) | Expected::Labelled(_, kind) => Some(kind),
                _ => None,
            })
        };
        if let Some(label) = &node.label {
            let labels = expected.iter().filter_map(|expected| match expected {
                Expected::Labelled(label, _) => Some(label.as_str()),
                _ => None,
            });
            return did_you_mean(label, labels);
        }
        match &node.form {
            Form::Word(word) => {
                let words = kinds().flat_map(|kind| match kind {
                    Kind::Literal(word) => std::slice::from_ref(word),
                    Kind::Type(name) => self.table.words(name),
                    Kind::List(_) => &[],
                });
                did_you_mean(word, words.map(String::as_str))
            }
            Form::Call(_) => {
                let keyword = node.keyword()?;
                if !self.table.forms(keyword).is_empty() {
                    return None;
                }
                let fits = |signature: &&Signature| {
                    let mut kinds = kinds();
                    kinds.any(|k| matches!(k, Kind::Type(n) if self.table.fits(signature, n)))
                };
                let fitting = self.table.signatures.iter().filter(fits);
                did_you_mean(keyword, fitting.map(|signature| signature.keyword.as_str()))
                    .or_else(|| did_you_mean(keyword, self.table.keywords()))
            }
            _ => None,
        }
    }
}

/// Numbers the nodes in reading order.
fn number<'a>(
    node: &'a Node,
    parent: Option<&'a Node>,
    next: &mut usize,
    order: &mut FxHashMap<*const Node, (usize, usize, Option<&'a Node>)>,
) {
    let own = *next;
    *next += 1;
    for item in node.items() {
        number(item, Some(node), next, order);
    }
    order.insert(std::ptr::from_ref(node), (own, *next - 1, parent));
}

/// Alternatives as a text.
fn list(expected: &[Expected], table: &Table) -> String {
    let mut all: Vec<String> = Vec::new();
    for text in expected.iter().map(|expected| expected.text(table)) {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    let more = if all.len() > MOST_LISTED { ", …" } else { "" };
    all.truncate(MOST_LISTED);
    match all.as_slice() {
        [only] => only.clone(),
        all => format!("one of {}{more}", all.join(", ")),
    }
}
