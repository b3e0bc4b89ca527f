//! The lowered program as text, for people: every part with its nodes and the parts of the state that it touches.

use super::Lud;
use super::node::{Field, Parts, touched_by};

/// Lines are no longer, if they can be broken.
const WIDTH: usize = 100;

impl Lud {
    /// The program that the description became.
    ///
    /// ```
    /// use ludex_lud::{game::LudGame, source::Text, tree};
    /// let text = Text::of_file(0, "(game \"Tiny\" (players 2)
    ///     (equipment {(board (square 3)) (piece \"Disc\" Each)})
    ///     (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))");
    /// let game = LudGame::new("tiny", &tree::game(&text).0.unwrap()).unwrap();
    /// let code = game.lud().code();
    /// assert!(code.contains("end: reads pieces, stacks, turn, last move\n"), "{code}");
    /// assert!(code.contains("(is Line length:3 pivots:(last To)"), "{code}");
    /// ```
    pub fn code(&self) -> String {
        let mut out = String::new();
        self.rules.each(&mut |name, field| part(&name, field, &mut out));
        let (reads, writes) = (self.rules.reads, self.rules.writes);
        out.push_str(&format!("all: {}\n", parts(reads, writes)));
        out.replace('\u{a0}', " ")
    }
}

fn parts(reads: Parts, writes: Parts) -> String {
    let list = |word: &str, parts: Parts| match parts == Parts::NONE {
        true => None,
        false => Some(format!("{word} {parts}")),
    };
    let all: Vec<String> =
        [list("reads", reads), list("writes", writes)].into_iter().flatten().collect();
    all.join("; ")
}

fn part(name: &str, field: &dyn Field, out: &mut String) {
    if field.is_absent() {
        return;
    }
    let mut text = String::new();
    field.show(&mut text);
    let (reads, writes) = touched_by(field);
    out.push_str(&format!("{name}: {}\n", parts(reads, writes)));
    wrap(&text, 1, out);
    out.push('\n');
}

/// Appends an expression; its arguments are lines of their own where it is too long for one.
fn wrap(text: &str, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let inside = text.strip_suffix([')', '}', ']']);
    let Some(inside) = inside.filter(|_| text.chars().count() + 2 * depth > WIDTH) else {
        out.push_str(&format!("{indent}{text}\n"));
        return;
    };
    let pieces = pieces(inside);
    let close = &text[inside.len()..];
    for (number, piece) in pieces.iter().enumerate() {
        let last = number + 1 == pieces.len();
        let piece = if last { format!("{piece}{close}") } else { (*piece).to_owned() };
        match number {
            0 => out.push_str(&format!("{indent}{piece}\n")),
            _ => wrap(&piece, depth + 1, out),
        }
    }
}

/// The parts of an expression without its last bracket that spaces separate, its first word first.
fn pieces(inside: &str) -> Vec<&str> {
    // The bracket with which the expression begins, perhaps after a name, is not closed inside.
    let (mut depth, mut start, mut all) = (0i32, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ' ' if depth == 1 => {
                all.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&inside[start..]);
    all
}
