//! The table of ludemes against the language reference, where it is there.

mod common;

use common::{files, shared};
use ludex_lud::compile::table::{Signature, Slot, Table};

/// Names of types in the reference and in the table.
const TYPES: [(&str, &str); 6] = [
    ("intArrayFunction", "ints"),
    ("dimFunction", "dim"),
    ("graphFunction", "graph"),
    ("floatFunction", "float"),
    ("rangeFunction", "range"),
    ("nonDecision", "effect"),
];

/// A constructor of the reference in the way that the table writes it.
fn form(line: &str) -> Option<String> {
    let inside = line.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (keyword, rest) = inside.split_once(' ').unwrap_or((inside, ""));
    let mut text = String::new();
    // Some alternatives are written `(a (b)`.
    let mut open = false;
    for c in rest.chars() {
        match c {
            '<' | '>' => {}
            '(' if open => text.push_str("| "),
            _ => {
                match c {
                    '(' => open = true,
                    ')' => open = false,
                    _ => {}
                }
                text.push(c);
            }
        }
    }
    for (theirs, ours) in TYPES {
        text = text.replace(theirs, ours);
    }
    Some(format!("{keyword} {text}"))
}

fn fits(theirs: &Slot, ours: &Slot) -> bool {
    theirs.choices.iter().all(|choice| ours.choices.contains(choice))
        && (ours.optional || !theirs.optional)
}

/// Are all slots of the one among those of the other, in order, and can the rest be left out?
fn holds(ours: &Signature, theirs: &Signature) -> bool {
    let mut wanted = theirs.slots.iter().peekable();
    for slot in &ours.slots {
        match wanted.peek() {
            Some(next) if fits(next, slot) => {
                wanted.next();
            }
            _ if slot.optional => {}
            _ => return false,
        }
    }
    wanted.peek().is_none()
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn every_constructor_of_the_reference_is_in_the_table() {
    let shared = shared();
    let found = files(&shared.join("language"), "EditorHelp.txt");
    let bytes = std::fs::read(found.first().expect("the reference")).expect("readable reference");
    let text = String::from_utf8_lossy(&bytes);
    let table = Table::get();
    let (mut constructors, mut missing) = (0, Vec::new());
    let (mut of_game, mut next) = (false, false);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("TYPE: ") {
            // What describes a game to people is no part of its rules.
            of_game = name.starts_with("game.");
        }
        if std::mem::replace(&mut next, line.trim() == "NEW CTOR") && of_game {
            constructors += 1;
            let wanted = Signature::read("", &form(line).expect("a constructor in brackets"));
            let mut forms = table.forms(&wanted.keyword).iter();
            if !forms.any(|&n| holds(&table.signatures[n], &wanted)) {
                missing.push(wanted.text);
            }
        }
    }
    assert!(constructors > 400, "only {constructors} constructors found");
    assert!(missing.is_empty(), "{} are not in the table: {missing:#?}", missing.len());
}
