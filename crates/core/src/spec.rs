//! The strings that people type for games and agents: `nim(2,3,2)`, `uct(c=1.4,playout=mast)`,
//! `ensemble(uct,mast)@time=1s`.
//!
//! ```text
//! spec  = name [ "(" arg { "," arg } ")" ] { "@" key "=" value }
//! arg   = [ key "=" ] spec
//! name  = characters other than ( ) , = @ ", or a part in "double quotes"
//! ```
//! Printing a [`Spec`] gives a string that reads back as the same spec.

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// Deeper nesting than this is refused rather than risked on the stack.
const DEEPEST: usize = 32;

/// A parsed name with its arguments.
///
/// ```
/// use ludex_core::Spec;
/// let spec: Spec = "uct(c=1.4, playout=mast)@sims=500".parse().unwrap();
/// assert_eq!(spec.name, "uct");
/// assert_eq!(spec.get("c").unwrap().name, "1.4");
/// assert_eq!(spec.to_string(), "uct(c=1.4,playout=mast)@sims=500");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Spec {
    /// The name in front, or a plain value such as `3`.
    pub name: String,
    /// The arguments in the parentheses.
    pub args: Vec<Arg>,
    /// The budget behind `@`: key and value.
    pub budget: Vec<(String, String)>,
}

/// One argument: `key=value` or just a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Arg {
    /// The key, if there is one.
    pub key: Option<String>,
    /// The value, itself a spec.
    pub value: Spec,
}

impl Spec {
    /// A name without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Spec { name: name.into(), ..Spec::default() }
    }

    /// The value of a keyed argument.
    pub fn get(&self, key: &str) -> Option<&Spec> {
        self.args.iter().find(|arg| arg.key.as_deref() == Some(key)).map(|arg| &arg.value)
    }

    /// The arguments without a key, in order.
    pub fn positional(&self) -> impl Iterator<Item = &Spec> {
        self.args.iter().filter(|arg| arg.key.is_none()).map(|arg| &arg.value)
    }

    /// A parameter by key or, where `place` is given, by place; `default` where it is absent.
    pub fn param<T: FromStr>(&self, key: &str, place: Option<usize>, default: T) -> Result<T> {
        let value = self.get(key).or_else(|| place.and_then(|i| self.positional().nth(i)));
        match value {
            None => Ok(default),
            Some(value) => value.name.parse().map_err(|_| Error::BadParameter {
                name: self.name.clone(),
                reason: format!("`{key}` can't be `{value}`"),
            }),
        }
    }

    /// Refuses keys other than `known` and more than `places` arguments without a key.
    pub fn expect(&self, known: &[&str], places: usize) -> Result<()> {
        let bad = |reason| Err(Error::BadParameter { name: self.name.clone(), reason });
        for (i, arg) in self.args.iter().enumerate() {
            let Some(key) = arg.key.as_deref() else { continue };
            if !known.contains(&key) {
                let hint = match known {
                    [] => ": it takes none".to_string(),
                    _ => format!("; it takes {}", known.join(", ")),
                };
                return bad(format!("no parameter `{key}`{hint}"));
            }
            if self.args[..i].iter().any(|other| other.key == arg.key) {
                return bad(format!("`{key}` is given twice"));
            }
        }
        match self.positional().count() {
            n if n > places => bad(format!("takes at most {places} plain arguments, not {n}")),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, &self.name)?;
        for (i, arg) in self.args.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { "," })?;
            if let Some(key) = &arg.key {
                write_name(f, key)?;
                f.write_str("=")?;
            }
            write!(f, "{}", arg.value)?;
        }
        if !self.args.is_empty() {
            f.write_str(")")?;
        }
        for (key, value) in &self.budget {
            f.write_str("@")?;
            write_name(f, key)?;
            f.write_str("=")?;
            write_name(f, value)?;
        }
        Ok(())
    }
}

/// Names with special characters, outer blanks or nothing in them are quoted; a quote inside is
/// doubled.
fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if name.is_empty() || name != name.trim() || name.contains(special) {
        write!(f, "\"{}\"", name.replace('"', "\"\""))
    } else {
        f.write_str(name)
    }
}

fn special(c: char) -> bool {
    matches!(c, '(' | ')' | ',' | '=' | '@' | '"')
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut reader = Reader { text, at: 0 };
        let spec = reader.spec(0)?;
        reader.blanks();
        match reader.peek() {
            None => Ok(spec),
            Some(c) => Err(reader.error(format!("unexpected `{c}`"))),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.blanks();
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn error(&self, reason: String) -> Error {
        let column = self.text.get(..self.at).map_or(0, |before| before.chars().count()) + 1;
        Error::BadSpec { text: self.text.to_string(), column, reason }
    }

    fn spec(&mut self, depth: usize) -> Result<Spec> {
        if depth > DEEPEST {
            return Err(self.error(format!("nested deeper than {DEEPEST}")));
        }
        let mut spec = Spec::new(self.name()?);
        if self.eat('(') && !self.eat(')') {
            loop {
                let value = self.spec(depth + 1)?;
                let keyed = value.args.is_empty() && value.budget.is_empty() && self.eat('=');
                spec.args.push(if keyed {
                    Arg { key: Some(value.name), value: self.spec(depth + 1)? }
                } else {
                    Arg { key: None, value }
                });
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return Err(self.error("expected `,` or `)`".into()));
                }
            }
        }
        while self.eat('@') {
            let key = self.name()?;
            if !self.eat('=') {
                return Err(self.error("expected `=`, as in `@sims=500`".into()));
            }
            spec.budget.push((key, self.name()?));
        }
        Ok(spec)
    }

    /// A name: plain and quoted parts; blanks around it don't count.
    fn name(&mut self) -> Result<String> {
        self.blanks();
        let start = self.at;
        let mut name = String::new();
        let mut quoted = false;
        let mut kept = 0; // length of `name` that trailing blanks don't touch
        while let Some(c) = self.peek() {
            if c == '"' {
                quoted = true;
                self.at += 1;
                loop {
                    let Some(c) = self.peek() else {
                        return Err(self.error("the quoted name has no closing `\"`".into()));
                    };
                    self.at += c.len_utf8();
                    if c == '"' {
                        if self.peek() != Some('"') {
                            break;
                        }
                        self.at += 1;
                    }
                    name.push(c);
                }
                kept = name.len();
            } else if special(c) {
                break;
            } else {
                self.at += c.len_utf8();
                name.push(c);
                if !c.is_whitespace() {
                    kept = name.len();
                }
            }
        }
        name.truncate(kept);
        if name.is_empty() && !quoted {
            self.at = start;
            return Err(self.error("expected a name".into()));
        }
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_spec() -> impl Strategy<Value = Spec> {
        let name = "[ -~é]{0,6}";
        let leaf = name.prop_map(Spec::new);
        leaf.prop_recursive(3, 20, 4, move |inner| {
            let arg =
                (proptest::option::of(name), inner).prop_map(|(key, value)| Arg { key, value });
            let budget = proptest::collection::vec((name, name), 0..2);
            (name, proptest::collection::vec(arg, 0..4), budget)
                .prop_map(|(name, args, budget)| Spec { name, args, budget })
        })
    }

    proptest! {
        #[test]
        fn printed_specs_read_back(spec in any_spec()) {
            prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
            }
        }
    }

    #[test]
    fn errors_name_the_column() {
        let column = |text: &str| match text.parse::<Spec>() {
            Err(Error::BadSpec { column, .. }) => column,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(column(""), 1);
        assert_eq!(column("uct(c=1.4"), 10);
        assert_eq!(column("uct(c=)"), 7);
        assert_eq!(column("uct)"), 4);
        assert_eq!(column("uct@sims"), 9);
        assert_eq!(column(&"a(".repeat(40)), 67);
    }

    #[test]
    fn paths_and_addresses_are_names() {
        for text in
            ["exec:./my-bot", "kif:games/x y.kif", "ggp:127.0.0.1:9147", "lud:Hex?Board Size/11x11"]
        {
            assert_eq!(text.parse::<Spec>().unwrap(), Spec::new(text));
        }
    }
}
