//! Concepts of Ludii that follow from the ludemes of a description: the rules are in `concepts.txt`.

use std::sync::OnceLock;

use crate::classes::Description;

/// A condition of a concept.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Term {
    Always,
    /// A concept of an earlier line, by its number.
    Concept(usize),
    /// A piece whose name begins so.
    Piece(String),
    /// A ludeme, and where.
    Ludeme(Place, String),
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

fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| read(include_str!("concepts.txt")))
}

fn read(text: &'static str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, right)) = line.split_once('=') else { continue };
        let mut any: Vec<Vec<Term>> = Vec::new();
        let mut joined = false;
        for word in right.split_whitespace() {
            if word == "&" {
                joined = true;
                continue;
            }
            let term = term(word, &rules);
            match any.last_mut().filter(|_| joined) {
                Some(all) => all.push(term),
                None => any.push(vec![term]),
            }
            joined = false;
        }
        rules.push(Rule { name: name.trim(), any });
    }
    rules
}

fn term(word: &str, earlier: &[Rule]) -> Term {
    if word == "1" {
        return Term::Always;
    }
    if let Some(name) = word.strip_prefix('$') {
        let at = earlier.iter().position(|rule| rule.name == name);
        return Term::Concept(at.unwrap_or(usize::MAX));
    }
    if let Some(name) = word.strip_prefix('"') {
        return Term::Piece(name.trim_end_matches('"').to_lowercase());
    }
    let places = [
        ("end(", Place::End),
        ("win(", Place::Win),
        ("loss(", Place::Loss),
        ("draw(", Place::Draw),
    ];
    for (start, place) in places {
        if let Some(inside) = word.strip_prefix(start) {
            return Term::Ludeme(place, inside.trim_end_matches(')').to_owned());
        }
    }
    Term::Ludeme(Place::Anywhere, word.to_owned())
}

/// Which concepts a description has, all of those that follow from ludemes, in the order of the rules.
pub(crate) fn of(description: &Description, pieces: &[&str]) -> Vec<(&'static str, bool)> {
    let mut found: Vec<(&'static str, bool)> = Vec::new();
    for rule in rules() {
        let holds = |term: &Term| match term {
            Term::Always => true,
            Term::Concept(at) => found.get(*at).is_some_and(|(_, holds)| *holds),
            Term::Piece(name) => pieces.iter().any(|piece| piece.to_lowercase().starts_with(name)),
            Term::Ludeme(place, ludeme) => {
                let usage = match place {
                    Place::Anywhere => &description.all,
                    Place::End => &description.ends,
                    Place::Win => &description.wins,
                    Place::Loss => &description.losses,
                    Place::Draw => &description.draws,
                };
                usage.has(ludeme)
            }
        };
        let value = rule.any.iter().any(|all| all.iter().all(holds));
        found.push((rule.name, value));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_reads_and_names_only_earlier_ones() {
        let rules = rules();
        assert!(rules.len() > 250);
        for rule in rules {
            assert!(!rule.any.is_empty(), "{}", rule.name);
            let lost = rule.any.iter().flatten().any(|term| *term == Term::Concept(usize::MAX));
            assert!(!lost, "{}", rule.name);
        }
        let mut names: Vec<&str> = rules.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rules.len(), "each concept once");
    }
}
