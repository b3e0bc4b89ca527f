//! Where the rules of a game come from: native code, or a text with a digest.

use std::fmt;

/// A language in which rules are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// The game description language, GDL and GDL-II.
    Gdl,
    /// The language of ludemes.
    Ludemes,
}

/// Where the rules of a game come from. Runs, databases and records carry it, so that results of different rules
/// are never mixed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Source {
    /// Code of this version of Ludex.
    #[default]
    Native,
    /// A text in a rule language.
    Text {
        /// The language of the rules.
        language: Language,
        /// A digest of the text as its front end understands it: with all defines and options in place, without
        /// comments and layout.
        digest: [u8; 32],
    },
}

impl Source {
    /// The source of rules that were read from a text. `parts` are its words or clauses, without layout and comments.
    ///
    /// ```
    /// use ludex_core::source::{Language, Source};
    /// let rules = Source::of_text(Language::Gdl, ["(role x)", "(role o)"]);
    /// assert_ne!(rules, Source::of_text(Language::Gdl, ["(role x)"]));
    /// assert_ne!(rules, Source::Native);
    /// ```
    pub fn of_text<T: AsRef<[u8]>>(
        language: Language,
        parts: impl IntoIterator<Item = T>,
    ) -> Source {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(part.as_ref());
            hasher.update(b" ");
        }
        Source::Text { language, digest: *hasher.finalize().as_bytes() }
    }

    /// The language of the rules, where they are a text.
    pub fn language(&self) -> Option<Language> {
        match self {
            Source::Native => None,
            Source::Text { language, .. } => Some(*language),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Native => write!(f, "native {}", env!("CARGO_PKG_VERSION")),
            Source::Text { digest, .. } => {
                digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}
