//! Concepts of Ludii that a description has: the rules are in `concepts.txt`.

mod outline;
mod pattern;
mod shape;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

pub(crate) use self::outline::Outline;
use self::pattern::Pattern;
use crate::compile::{Ludeme, Value};
use crate::tree::{Form, Node};

/// A condition of a concept.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    not: bool,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Always,
    /// A concept of an earlier line, by its number.
    Concept(usize),
    /// A piece whose name begins so.
    Piece(String),
    /// Facts that no ludeme tells.
    Fact(String),
    /// Patterns, each in a ludeme that fits the one before, and a concept that the last one must have.
    Path(Place, Vec<usize>, Option<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    End,
    Win,
    Loss,
    Draw,
}

/// A concept: it holds where all terms of one of the alternatives do.
struct Rule {
    name: &'static str,
    any: Vec<Vec<Term>>,
}

#[derive(Default)]
struct Rules {
    rules: Vec<Rule>,
    by_name: FxHashMap<&'static str, usize>,
    /// Every pattern once.
    patterns: Vec<Pattern>,
    numbers: FxHashMap<String, usize>,
}

impl Rules {
    fn get() -> &'static Rules {
        static RULES: OnceLock<Rules> = OnceLock::new();
        RULES.get_or_init(|| Rules::read(include_str!("concepts.txt")))
    }

    fn read(text: &'static str) -> Rules {
        let mut rules = Rules::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((name, right)) = line.split_once('=') else { continue };
            let mut any: Vec<Vec<Term>> = Vec::new();
            let mut joined = false;
            for word in right.split_whitespace() {
                if word == "&" {
                    joined = true;
                    continue;
                }
                let term = rules.term(word);
                match any.last_mut().filter(|_| joined) {
                    Some(all) => all.push(term),
                    None => any.push(vec![term]),
                }
                joined = false;
            }
            rules.by_name.insert(name.trim(), rules.rules.len());
            rules.rules.push(Rule { name: name.trim(), any });
        }
        rules
    }

    fn term(&mut self, word: &str) -> Term {
        let (not, word) = match word.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let what = match word.split_at_checked(1) {
            _ if word == "1" => What::Always,
            Some(("$", name)) => What::Concept(self.concept(name)),
            Some(("@", name)) => What::Fact(name.to_owned()),
            Some(("\"", name)) => What::Piece(name.trim_end_matches('"').to_lowercase()),
            _ => self.path(word),
        };
        Term { not, what }
    }

    fn path(&mut self, word: &str) -> What {
        let places = [
            ("end(", Place::End),
            ("win(", Place::Win),
            ("loss(", Place::Loss),
            ("draw(", Place::Draw),
        ];
        let inside = |(start, place): &(&str, Place)| Some((word.strip_prefix(start)?, *place));
        let (path, place) = match places.iter().find_map(inside) {
            Some((path, place)) => (path.strip_suffix(')').unwrap_or(path), place),
            None => (word, Place::Anywhere),
        };
        let (mut patterns, mut last) = (Vec::new(), None);
        for part in path.split('>') {
            match part.strip_prefix('$') {
                Some(name) => last = Some(self.concept(name)),
                None => patterns.push(self.pattern(part)),
            }
        }
        What::Path(place, patterns, last)
    }

    fn concept(&self, name: &str) -> usize {
        self.by_name.get(name).copied().unwrap_or(usize::MAX)
    }

    fn pattern(&mut self, text: &str) -> usize {
        let next = self.patterns.len();
        let number = *self.numbers.entry(text.to_owned()).or_insert(next);
        if number == next {
            self.patterns.push(Pattern::read(text));
        }
        number
    }
}

/// Facts of a description that no ludeme tells, such as its graphics.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts(HashSet<String>);

impl Facts {
    /// The facts that the items of the metadata's graphics tell: `graphics:board_style_chess`, each as `graphics:board`
    /// and `graphics:board_style`, too; and the defines that were used.
    pub(crate) fn beside(metadata: &[Node], defines: &[&str]) -> Facts {
        let mut facts = Facts::default();
        for name in defines {
            facts.add(format!("define:{name}"));
        }
        for node in metadata {
            node.walk(&mut |node| {
                if node.keyword() == Some("graphics") {
                    node.args().iter().flat_map(list).for_each(|item| facts.graphics(item));
                }
            });
        }
        facts
    }

    /// Adds a fact.
    pub(crate) fn add(&mut self, fact: impl Into<String>) {
        self.0.insert(fact.into());
    }

    /// The name of a piece, without its number.
    pub(crate) fn piece(&mut self, name: &str) {
        let name = name.to_lowercase();
        self.add(format!("piece:{}", name.trim_end_matches(|c: char| c.is_ascii_digit())));
    }

    /// The shape of a board and the kind of its sites.
    pub(crate) fn board(&mut self, board: &Ludeme) {
        shape::of(board).into_iter().for_each(|name| self.add(name));
        self.add(format!("item:{}", board.signature().keyword));
        if let Some(kind) = board.labelled("use").and_then(Value::word) {
            self.add(format!("use:{kind}"));
        }
    }

    fn graphics(&mut self, item: &Node) {
        let Some(keyword) = item.keyword() else { return };
        let mut fact = format!("graphics:{}", keyword.to_lowercase());
        self.add(fact.clone());
        for arg in item.args().iter().take(2).flat_map(list) {
            let (Form::Word(word) | Form::Str(word)) = &arg.form else { continue };
            fact = format!("{fact}_{}", word.to_lowercase());
            self.add(fact.clone());
        }
    }
}

/// The parts of a list, or the node alone.
fn list(node: &Node) -> &[Node] {
    match &node.form {
        Form::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}

/// Answers which concepts a description has.
struct Search<'a> {
    rules: &'a Rules,
    outline: &'a Outline<'a>,
    pieces: &'a [&'a str],
    facts: &'a Facts,
    /// By pattern: the ludemes that it fits, once they have been looked up.
    found: Vec<Option<Vec<usize>>>,
    /// The answers so far: does a part have a concept?
    known: FxHashMap<(usize, usize), bool>,
}

impl Search<'_> {
    /// Has a ludeme, with all in it, a concept?
    fn has(&mut self, concept: usize, at: usize) -> bool {
        if let Some(known) = self.known.get(&(concept, at)) {
            return *known;
        }
        let rules = self.rules;
        let Some(rule) = rules.rules.get(concept) else { return false };
        let holds = rule.any.iter().any(|all| all.iter().all(|term| self.holds(term, at)));
        self.known.insert((concept, at), holds);
        holds
    }

    fn holds(&mut self, term: &Term, at: usize) -> bool {
        let within = self.outline.within(at);
        let holds = match &term.what {
            What::Always => true,
            What::Concept(concept) => self.has(*concept, at),
            What::Piece(start) => {
                self.pieces.iter().any(|piece| piece.to_lowercase().starts_with(start))
            }
            What::Fact(fact) => self.facts.0.contains(fact),
            What::Path(place, patterns, last) => {
                let ends = &self.outline.ends;
                let starts = match place {
                    Place::Anywhere => return self.path(within, patterns, *last) != term.not,
                    Place::End => &ends.all,
                    Place::Win => &ends.win,
                    Place::Loss => &ends.loss,
                    Place::Draw => &ends.draw,
                };
                starts.iter().any(|&at| self.path(self.outline.within(at), patterns, *last))
            }
        };
        holds != term.not
    }

    /// Is there a ludeme for each pattern, each in the one before, the last with a concept?
    fn path(&mut self, within: Range<usize>, patterns: &[usize], last: Option<usize>) -> bool {
        let rules = self.rules;
        let Some((&first, rest)) = patterns.split_first() else { return false };
        let mut number = self.first_from(first, within.start);
        while let Some(at) = self.found[first].as_ref().and_then(|found| found.get(number)).copied()
        {
            if !within.contains(&at) {
                break;
            }
            let holds = match (rest, last) {
                ([], None) => true,
                ([], Some(concept)) => self.has(concept, at),
                // A label is that of a ludeme, so the next pattern may fit the same one.
                _ if rules.patterns[first].is_label() => {
                    self.path(self.outline.within(at), rest, last)
                }
                _ => self.path(at + 1..self.outline.within(at).end, rest, last),
            };
            if holds {
                return true;
            }
            number += 1;
        }
        false
    }

    /// The number of the first ludeme from `start` on among those that a pattern fits.
    fn first_from(&mut self, pattern: usize, start: usize) -> usize {
        let (rules, outline) = (self.rules, self.outline);
        let found =
            self.found[pattern].get_or_insert_with(|| rules.patterns[pattern].find(outline));
        found.partition_point(|&at| at < start)
    }
}

/// The concepts of a description: the value of each rule, in the order of the rules.
pub(crate) fn of(
    outline: &Outline<'_>,
    pieces: &[&str],
    facts: &Facts,
) -> Vec<(&'static str, bool)> {
    let rules = Rules::get();
    let found = vec![None; rules.patterns.len()];
    let mut search = Search { rules, outline, pieces, facts, found, known: FxHashMap::default() };
    rules.rules.iter().enumerate().map(|(n, rule)| (rule.name, search.has(n, 0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_reads_and_names_only_earlier_ones() {
        let rules = Rules::get();
        assert!(rules.rules.len() > 250);
        for rule in &rules.rules {
            assert!(!rule.any.is_empty(), "{}", rule.name);
            let lost = |term: &Term| match &term.what {
                What::Concept(at) | What::Path(_, _, Some(at)) => *at == usize::MAX,
                _ => false,
            };
            assert!(!rule.any.iter().flatten().any(lost), "{}", rule.name);
        }
        assert_eq!(rules.by_name.len(), rules.rules.len(), "each concept once");
    }

    fn concepts(equipment: &str, rules: &str) -> Vec<&'static str> {
        let text =
            format!("(game \"X\" (players 2) (equipment {{ {equipment} }}) (rules {rules}))");
        let text = crate::source::Text::of_file(0, &text);
        let game = crate::compile::compile(&crate::tree::game(&text).0.unwrap()).0.unwrap();
        let outline = Outline::of(&game);
        let mut facts = Facts::default();
        for item in outline.items.iter().filter(|item| item.ludeme.signature().result == "item") {
            facts.board(item.ludeme);
        }
        let all = of(&outline, &["Disc"], &facts);
        all.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect()
    }

    #[test]
    fn concepts_of_ends_and_decisions() {
        let all = concepts(
            "(board (square 3)) (piece \"Disc\" Each)",
            "(play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))",
        );
        for (name, holds) in [
            ("LineWin", true),
            ("LineLoss", false),
            ("DiscComponent", true),
            ("AddDecision", true),
            ("HopDecision", false),
            ("SquareShape", true),
            ("HexShape", false),
            ("AdjacentDirection", true),
        ] {
            assert_eq!(all.contains(&name), holds, "{name}");
        }
    }

    #[test]
    fn what_a_step_lands_on_follows_from_its_condition() {
        let step = |condition: &str| {
            let piece = format!(
                "(board (hex 3)) (piece \"Disc\" Each (move Step Orthogonal (to if:{condition})))"
            );
            concepts(&piece, "(play (forEach Piece)) (end (if (no Moves Next) (result Mover Win)))")
        };
        let free = step("(is Empty (to))");
        assert!(free.contains(&"IsEmpty") && !free.contains(&"StepDecisionToEnemy"));
        assert!(free.contains(&"HexShape") && !free.contains(&"AdjacentDirection"));
        // A site without a friend is free or has an enemy.
        let open = step("(not (is Friend (who at:(to))))");
        assert!(open.contains(&"IsEmpty") && open.contains(&"StepDecisionToEnemy"));
        assert!(!open.contains(&"StepDecisionToFriend"));
    }
}
