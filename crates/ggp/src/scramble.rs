//! Words without a meaning: a one-to-one map of all words but keywords and numbers, so that a player can't recognise
//! a game by its names.

use ludex_core::{Rng, Seed};
use ludex_gdl::kif::{self, Sexp};
use ludex_gdl::symbol::Symbols;
use std::collections::{HashMap, HashSet};

/// A map of words, there and back. Without words it changes nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scramble {
    there: HashMap<String, String>,
    back: HashMap<String, String>,
}

impl Scramble {
    /// A fresh map for the words of a rule sheet.
    pub(crate) fn new(rules: &str, seed: Seed) -> Scramble {
        let mut words = HashSet::new();
        let (tree, _) = kif::read(rules);
        tree.iter().for_each(|sexp| gather(sexp, &mut words));
        let mut words: Vec<String> = words.into_iter().collect();
        words.sort_unstable();
        let mut rng = seed.rng();
        let mut scramble = Scramble::default();
        for word in words.iter().filter(|word| !is_fixed(word)) {
            let sign = if word.starts_with('?') { "?" } else { "" };
            let new = loop {
                let new = format!("{sign}{}", babble(&mut rng));
                // A new word must differ from the words of the rules, so that the way back is unique.
                if !scramble.back.contains_key(&new) && words.binary_search(&new).is_err() {
                    break new;
                }
            };
            scramble.back.insert(new.clone(), word.clone());
            scramble.there.insert(word.clone(), new);
        }
        scramble
    }

    /// The text in scrambled words; words that the rules don't have stay.
    pub(crate) fn scramble(&self, text: &str) -> String {
        if self.there.is_empty() {
            return text.to_string();
        }
        let new = |word: &str| self.there.get(&word.to_lowercase()).map_or(word, |w| w).to_string();
        let (tree, _) = kif::read(text);
        tree.iter().map(|sexp| map(sexp, &new)).collect::<Vec<_>>().join("\n")
    }

    /// The term that a player meant; `None` where it is not one term in KIF.
    pub(crate) fn restore(&self, text: &str) -> Option<String> {
        let (tree, found) = kif::read(text);
        if !found.is_empty() {
            return None;
        }
        let [term] = tree.as_slice() else { return None };
        let old = |word: &str| self.back.get(&word.to_lowercase()).map_or(word, |w| w).to_string();
        Some(map(term, &old))
    }
}

fn gather(sexp: &Sexp, words: &mut HashSet<String>) {
    match sexp {
        Sexp::Word(word, _) => {
            words.insert(word.to_lowercase());
        }
        Sexp::List(items, _) => items.iter().for_each(|item| gather(item, words)),
    }
}

/// Keywords, `random` and numbers keep their meaning.
fn is_fixed(word: &str) -> bool {
    Symbols::default().get(word).is_some() || word.parse::<i64>().is_ok()
}

/// A word that can be spoken, of three to five syllables.
fn babble(rng: &mut Rng) -> String {
    let (consonants, vowels) = (b"bdfghjklmnprstvwz", b"aeiou");
    let mut word = String::new();
    for _ in 0..3 + rng.index(3) {
        word.push(char::from(consonants[rng.index(consonants.len())]));
        word.push(char::from(vowels[rng.index(vowels.len())]));
    }
    word
}

pub(crate) fn map(sexp: &Sexp, word: &impl Fn(&str) -> String) -> String {
    match sexp {
        Sexp::Word(text, _) => word(text),
        Sexp::List(items, _) => {
            let items: Vec<String> = items.iter().map(|item| map(item, word)).collect();
            format!("({})", items.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_numbers_and_chance_stay_and_the_rest_comes_back() {
        let rules = "(role random) (role x)\n(<= (next (left ?n)) (does x (take ?N)) (succ ?n 2))";
        let words = Scramble::new(rules, Seed(3));
        let hidden = words.scramble(rules);
        assert!(hidden.starts_with("(role random)\n(role "));
        assert!(hidden.contains("(<= (next (") && hidden.contains(" 2)"));
        for word in ["left", "take", "succ", "?n", " x"] {
            assert!(!hidden.to_lowercase().contains(&format!("{word} ")), "{word}: {hidden}");
        }
        assert_eq!(words.there.len(), words.back.len());
        let spoken = words.scramble("(take 2)").to_uppercase();
        assert_eq!(words.restore(&spoken).as_deref(), Some("(take 2)"), "case is ignored");
        let move_text = words.scramble("(take 2)");
        assert_eq!(words.restore(&move_text).as_deref(), Some("(take 2)"));
        assert_eq!(words.restore("(take"), None);
        assert_eq!(words.restore("a b"), None);
        assert_ne!(Scramble::new(rules, Seed(4)).scramble(rules), hidden);
    }
}
