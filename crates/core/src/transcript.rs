//! A match as plain data: which game, from which position, by which moves. Text and JSON forms.

use crate::error::{Error, Result};
use crate::source::Source;
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;

/// The separator of the moves of one step, where several players move at once.
const AT_ONCE: &str = " | ";

/// A match as plain data: everything that is needed to play it again.
///
/// [`Match::transcript`](crate::Match::transcript) writes it, [`Match::replay`](crate::Match::replay) plays it
/// again. The text form has three kinds of header lines, an empty line, and one line a step. Moves that are made
/// at once have ` | ` between them, in the order of the seats.
///
/// ```
/// use ludex_core::Transcript;
/// let text = "game: rps\nrules: native 0.1.0\n\nrock | paper\n";
/// let transcript: Transcript = text.parse().unwrap();
/// assert_eq!(transcript.steps, [["rock", "paper"]]);
/// assert_eq!(transcript.to_string(), text);
/// assert_eq!(Transcript::from_json(&transcript.to_json()).unwrap(), transcript);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    /// The string that opens the game.
    pub game: String,
    /// The [source](crate::Source) of the rules as text; empty where it is unknown.
    pub rules: String,
    /// The position in which the match began, where it is not the usual start.
    pub position: Option<String>,
    /// The steps: one text a mover (or one for chance) each.
    pub steps: Vec<Vec<String>>,
}

impl Transcript {
    /// Could the match have been played by rules of this source? The digests of rules that are texts must be
    /// equal. Native rules have no digest: their version may differ, and the replay finds out.
    pub(crate) fn fits(&self, source: &Source) -> bool {
        let native = |text: &str| text.split(' ').next() == Some("native");
        let here = source.to_string();
        self.rules.is_empty() || self.rules == here || native(&self.rules) && native(&here)
    }

    /// The transcript as a JSON object with the keys `game`, `rules`, `position` and `moves`.
    pub fn to_json(&self) -> Value {
        let mut json = json!({ "game": self.game, "rules": self.rules, "moves": self.steps });
        if let Some(position) = &self.position {
            json["position"] = position.as_str().into();
        }
        json
    }

    /// Reads what [`to_json`](Transcript::to_json) wrote. A step with one mover may be a plain string.
    ///
    /// # Errors
    /// A key that is missing or has a value of another type.
    pub fn from_json(json: &Value) -> Result<Transcript> {
        let word = |key: &str| match json.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(Error::BadMatch(format!("`{key}` must be a string, not {other}"))),
        };
        let missing = |key: &str| Error::BadMatch(format!("the key `{key}` is missing"));
        let moves = json.get("moves").ok_or_else(|| missing("moves"))?;
        let steps = moves.as_array().ok_or_else(|| {
            Error::BadMatch(format!("`moves` must be a list of steps, not {moves}"))
        })?;
        Ok(Transcript {
            game: word("game")?.ok_or_else(|| missing("game"))?,
            rules: word("rules")?.unwrap_or_default(),
            position: word("position")?,
            steps: steps
                .iter()
                .enumerate()
                .map(|(index, step)| read_step(index + 1, step))
                .collect::<Result<_>>()?,
        })
    }
}

/// A step of the JSON form: a list of strings, or one string.
fn read_step(number: usize, step: &Value) -> Result<Vec<String>> {
    let texts = match step {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().map(str::to_string)).collect::<Option<_>>()
        }
        _ => None,
    };
    texts.ok_or_else(|| {
        Error::BadMatch(format!("step {number} must be a list of strings, not {step}"))
    })
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game: {}", self.game)?;
        if !self.rules.is_empty() {
            writeln!(f, "rules: {}", self.rules)?;
        }
        if let Some(position) = &self.position {
            writeln!(f, "position: {position}")?;
        }
        writeln!(f)?;
        self.steps.iter().try_for_each(|step| writeln!(f, "{}", step.join(AT_ONCE)))
    }
}

impl FromStr for Transcript {
    type Err = Error;

    fn from_str(text: &str) -> Result<Transcript> {
        let mut transcript = Transcript::default();
        let mut lines = text.lines().enumerate();
        for (index, line) in lines.by_ref().map(|(index, line)| (index, line.trim())) {
            match line.split_once(':').map(|(key, value)| (key.trim(), value.trim().to_string())) {
                None if line.is_empty() => break,
                Some(("game", value)) => transcript.game = value,
                Some(("rules", value)) => transcript.rules = value,
                Some(("position", value)) => transcript.position = Some(value),
                _ => {
                    return Err(Error::BadMatch(format!(
                        "line {}: expected `game:`, `rules:`, `position:` or an empty line, not `{line}`",
                        index + 1
                    )));
                }
            }
        }
        if transcript.game.is_empty() {
            return Err(Error::BadMatch("the line `game: NAME` is missing".into()));
        }
        let steps = lines.map(|(_, line)| line.trim()).filter(|line| !line.is_empty());
        transcript.steps =
            steps.map(|step| step.split(AT_ONCE).map(str::to_string).collect()).collect();
        Ok(transcript)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Language;

    #[test]
    fn errors_of_the_text_form_say_what_is_wrong() {
        let refuse = |text: &str| text.parse::<Transcript>().unwrap_err().to_string();
        assert_eq!(refuse(""), "bad match: the line `game: NAME` is missing");
        assert!(
            refuse("game: nim\nmove: 3\n\n").contains("line 2"),
            "{}",
            refuse("game: nim\nmove: 3\n")
        );
    }

    #[test]
    fn errors_of_the_json_form_say_what_is_wrong() {
        let refuse = |json: Value| Transcript::from_json(&json).unwrap_err().to_string();
        assert_eq!(refuse(json!({})), "bad match: the key `moves` is missing");
        assert_eq!(refuse(json!({ "moves": [] })), "bad match: the key `game` is missing");
        let step = refuse(json!({ "game": "nim", "moves": [["1"], [2]] }));
        assert_eq!(step, "bad match: step 2 must be a list of strings, not [2]");
        assert!(refuse(json!({ "game": 3, "moves": [] })).contains("`game` must be a string"));
    }

    #[test]
    fn a_step_of_one_mover_may_be_a_plain_string() {
        let json = json!({ "game": "nim", "moves": ["1", ["2"]] });
        assert_eq!(Transcript::from_json(&json).unwrap().steps, [["1"], ["2"]]);
    }

    #[test]
    fn rules_that_are_texts_must_have_the_same_digest() {
        let [one, other] = ["(role x)", "(role o)"].map(|t| Source::of_text(Language::Gdl, [t]));
        let of = |rules: String| Transcript { rules, ..Transcript::default() };
        assert!(of(one.to_string()).fits(&one));
        assert!(!of(one.to_string()).fits(&other));
        assert!(!of(one.to_string()).fits(&Source::Native));
        assert!(of("native 0.0.1".into()).fits(&Source::Native));
        assert!(of(String::new()).fits(&one));
    }
}
