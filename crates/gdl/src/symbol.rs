//! Words as small numbers. GDL compares words without regard to case; the spelling seen first is
//! the one that is printed.

use rustc_hash::FxHashMap;

/// An interned word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

macro_rules! keywords {
    ($($name:ident = $index:literal $text:literal),* $(,)?) => {
        /// The words with a meaning in GDL, interned first so that their numbers are constants.
        pub mod kw {
            use super::Sym;
            $(#[doc = concat!("`", $text, "`")] pub const $name: Sym = Sym($index);)*
        }
        const KEYWORDS: &[&str] = &[$($text),*];
    };
}

keywords! {
    ROLE = 0 "role",
    INIT = 1 "init",
    TRUE = 2 "true",
    NEXT = 3 "next",
    LEGAL = 4 "legal",
    DOES = 5 "does",
    GOAL = 6 "goal",
    TERMINAL = 7 "terminal",
    BASE = 8 "base",
    INPUT = 9 "input",
    SEES = 10 "sees",
    IF = 11 "<=",
    NOT = 12 "not",
    OR = 13 "or",
    AND = 14 "and",
    DISTINCT = 15 "distinct",
    RANDOM = 16 "random",
}

impl Sym {
    /// True for the words with a meaning in GDL (`random` is an ordinary word but for roles).
    pub fn is_keyword(self) -> bool {
        self.0 < kw::RANDOM.0
    }
}

/// The table of words.
#[derive(Clone, Debug)]
pub struct Symbols {
    names: Vec<String>,
    numbers: FxHashMap<String, Sym>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        let mut symbols = Symbols { names: Vec::new(), numbers: FxHashMap::default() };
        for word in KEYWORDS {
            symbols.intern(word);
        }
        symbols
    }
}

impl Symbols {
    /// The number of a word, new or known.
    pub fn intern(&mut self, word: &str) -> Sym {
        if let Some(known) = self.get(word) {
            return known;
        }
        let sym = Sym(self.names.len() as u32);
        self.names.push(word.to_owned());
        self.numbers.insert(word.to_lowercase(), sym);
        sym
    }

    /// A new word that no rule sheet can contain, for predicates that we make up.
    pub(crate) fn fresh(&mut self, stem: &str) -> Sym {
        let number = self.names.len();
        self.intern(&format!("({stem} {number})"))
    }

    /// The number of a known word.
    pub fn get(&self, word: &str) -> Option<Sym> {
        match self.numbers.get(word) {
            Some(&sym) => Some(sym),
            None => self.numbers.get(&word.to_lowercase()).copied(),
        }
    }

    /// The spelling seen first.
    pub fn name(&self, sym: Sym) -> &str {
        self.names.get(sym.0 as usize).map_or("?", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_ignored_and_the_first_spelling_kept() {
        let mut symbols = Symbols::default();
        let cell = symbols.intern("Cell");
        assert_eq!(symbols.intern("CELL"), cell);
        assert_eq!(symbols.name(cell), "Cell");
        assert_eq!(symbols.intern("TRUE"), kw::TRUE);
        assert_eq!(symbols.get("random"), Some(kw::RANDOM));
    }
}
