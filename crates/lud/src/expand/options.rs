//! Options: named choices whose expressions stand in the description as `<Tag:argument>`, and
//! rulesets, which are named sets of choices.
//!
//! ```text
//! (option "Board Size" <Board> args:{ <size> } {
//!     (item "3x3" <3> "Small.")
//!     (item "5x5" <5> "Large.")*
//! })
//! ```

use super::scan::{forms, skip_brackets, skip_space, skip_string};
use crate::source::Text;
use ludex_core::diagnostic::Diagnostic;

/// A named choice.
#[derive(Clone, Debug)]
pub struct OptionGroup {
    /// The heading, e.g. `Board Size`.
    pub heading: String,
    /// The word that stands for it in the description.
    tag: String,
    /// Names of the items' arguments.
    args: Vec<String>,
    /// The items of the option.
    pub items: Vec<Item>,
}

/// One thing to choose.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name of the item, such as `11x11`.
    pub name: String,
    /// The meaning of the item.
    pub description: String,
    /// The number of stars behind it; the first item with most stars is the default.
    pub stars: usize,
    expressions: Vec<Text>,
}

/// A named set of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The name of the option.
    pub name: String,
    /// `Heading/Item` each.
    pub choices: Vec<String>,
}

/// Is this sign a comparison's, `(< a b)` or `(<= a b)`, and no angle bracket?
fn is_operator(bytes: &[u8], at: usize) -> bool {
    let behind = bytes.get(at + 1).copied().unwrap_or(b' ');
    at > 0 && bytes[at - 1] == b'(' && (behind == b'=' || behind.is_ascii_whitespace())
}

/// The end of a part of the text in angle brackets that begins at `at`, behind its closing bracket. The signs of
/// comparisons, as in `(< …)`, do not count as brackets.
fn angle(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = at;
    while let Some(&byte) = bytes.get(i) {
        let operator = is_operator(bytes, i);
        match byte {
            b'"' => {
                i = skip_string(bytes, i);
                continue;
            }
            b'<' if !operator => depth += 1,
            b'>' if !operator => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
        i += 1;
    }
    None
}

fn string(text: &Text, at: usize) -> (String, usize) {
    let end = skip_string(text.bytes(), at);
    (text.str(at + 1, end.saturating_sub(1).max(at + 1)), end)
}

/// Takes the options out of a text. Options that can't be read are reported and left out.
pub(crate) fn take(text: &Text, found: &mut Vec<Diagnostic>) -> (Text, Vec<OptionGroup>) {
    let mut rest = Text::default();
    let mut groups = Vec::new();
    let mut from = 0;
    for (start, end) in forms(text.bytes(), "option") {
        rest.extend(text, from, start);
        match group(text, start, end) {
            Ok(group) => groups.push(group),
            Err(finding) => found.push(finding),
        }
        from = end;
    }
    rest.extend(text, from, text.len());
    (rest, groups)
}

fn group(text: &Text, start: usize, end: usize) -> Result<OptionGroup, Diagnostic> {
    let bytes = &text.bytes()[..end];
    let fault = |at: usize, message: &str| {
        Diagnostic::error("L010", text.span(at, at + 1), message)
            .with_hint("an option is (option \"Heading\" <Tag> args:{ <a> } { (item \"Name\" <x> \"what it means\") … })")
    };
    let at = skip_space(bytes, skip_space(bytes, start + 1) + "option".len());
    if bytes.get(at) != Some(&b'"') {
        return Err(fault(at, "an option begins with its heading"));
    }
    let (heading, at) = string(text, at);
    let at = skip_space(bytes, at);
    let tag_end =
        angle(bytes, at).ok_or_else(|| fault(at, "an option has a tag such as <Board>"))?;
    let tag = text.str(at + 1, tag_end - 1).trim().to_owned();
    let at = skip_space(bytes, tag_end);
    if !bytes[at..].starts_with(b"args:") {
        return Err(fault(at, "an option names its arguments: args:{ <a> <b> }"));
    }
    let at = skip_space(bytes, at + "args:".len());
    let args_end = skip_brackets(bytes, at).ok_or_else(|| fault(at, "this list has no end"))?;
    let mut args = Vec::new();
    let mut i = at + 1;
    while let Some(open) = bytes[i..args_end].iter().position(|&b| b == b'<').map(|p| p + i) {
        // A name must end inside the list.
        let close = angle(&bytes[..args_end], open);
        let close = close.ok_or_else(|| fault(open, "this name has no end"))?;
        args.push(text.str(open + 1, close - 1).trim().to_owned());
        i = close;
    }
    let mut items = Vec::new();
    let body = &bytes[args_end..];
    for (open, close) in forms(body, "item") {
        let (open, close) = (open + args_end, close + args_end);
        items.push(item(text, open, close)?);
        let stars = bytes[close..].iter().take_while(|&&b| b == b'*').count();
        if let Some(last) = items.last_mut() {
            last.stars = stars;
        }
    }
    if items.is_empty() {
        return Err(fault(args_end, "an option has items"));
    }
    Ok(OptionGroup { heading, tag, args, items })
}

fn item(text: &Text, start: usize, end: usize) -> Result<Item, Diagnostic> {
    let bytes = &text.bytes()[..end];
    let at = skip_space(bytes, skip_space(bytes, start + 1) + "item".len());
    if bytes.get(at) != Some(&b'"') {
        return Err(Diagnostic::error(
            "L011",
            text.span(at, at + 1),
            "an item begins with its name",
        ));
    }
    let (name, mut at) = string(text, at);
    let (mut expressions, mut description) = (Vec::new(), String::new());
    loop {
        at = skip_space(bytes, at);
        match bytes.get(at) {
            Some(b'<') => {
                let close = angle(bytes, at).ok_or_else(|| {
                    Diagnostic::error(
                        "L011",
                        text.span(at, at + 1),
                        "this expression has no end: > is missing",
                    )
                })?;
                expressions.push(text.part(at + 1, close - 1));
                at = close;
            }
            Some(b'"') => (description, at) = string(text, at),
            Some(b')') => return Ok(Item { name, description, stars: 0, expressions }),
            _ => {
                return Err(Diagnostic::error(
                    "L011",
                    text.span(at, at + 1),
                    "an item holds <expressions>",
                )
                .with_hint("put the expression into angle brackets"));
            }
        }
    }
}

/// Takes the rulesets out of a text.
pub(crate) fn take_rulesets(text: &Text) -> (Text, Vec<Ruleset>) {
    let mut rest = Text::default();
    let mut rulesets = Vec::new();
    let mut from = 0;
    for (start, end) in forms(text.bytes(), "rulesets") {
        rest.extend(text, from, start);
        let inside = text.part(start, end);
        for (open, close) in forms(inside.bytes(), "ruleset") {
            rulesets.push(ruleset(&inside.part(open, close)));
        }
        from = end;
    }
    rest.extend(text, from, text.len());
    (rest, rulesets)
}

fn ruleset(text: &Text) -> Ruleset {
    let bytes = text.bytes();
    let variations = b"variations:";
    let end = bytes.windows(variations.len()).position(|w| w == variations).unwrap_or(bytes.len());
    let mut strings = Vec::new();
    let mut i = 0;
    while i < end {
        if bytes[i] == b'"' {
            let (value, next) = string(text, i);
            strings.push(value);
            i = next;
        } else {
            i += 1;
        }
    }
    let mut strings = strings.into_iter();
    let name = strings.next().unwrap_or_default();
    let name = name.strip_prefix("Ruleset/").unwrap_or(&name).to_owned();
    Ruleset { name, choices: strings.collect() }
}

/// Expressions that stand for tags nest no deeper.
const DEEPEST: usize = 16;

/// Puts the chosen items' expressions in the place of the tags. `chosen` gives the item by group.
pub(crate) fn substitute(text: &Text, groups: &[OptionGroup], chosen: &[usize]) -> Text {
    let mut out = Text::default();
    replace(text, groups, chosen, 0, &mut out);
    out
}

fn replace(text: &Text, groups: &[OptionGroup], chosen: &[usize], depth: usize, out: &mut Text) {
    let bytes = text.bytes();
    let (mut from, mut i) = (0, 0);
    while i < bytes.len() {
        if bytes[i] == b'<'
            && !is_operator(bytes, i)
            && let Some((expression, end)) = expression(text, i, groups, chosen)
        {
            out.extend(text, from, i);
            match expression {
                Some(found) if depth < DEEPEST => {
                    replace(found, groups, chosen, depth + 1, out);
                }
                _ => {}
            }
            (from, i) = (end, end);
        } else {
            i += 1;
        }
    }
    out.extend(text, from, bytes.len());
}

/// The text that replaces the tag at a byte, if there is one, and the byte behind the tag.
fn expression<'g>(
    text: &Text,
    at: usize,
    groups: &'g [OptionGroup],
    chosen: &[usize],
) -> Option<(Option<&'g Text>, usize)> {
    let bytes = text.bytes();
    let end = bytes[at..].iter().position(|&b| b == b'>').map(|p| at + p)?;
    let name = text.str(at + 1, end);
    let (tag, arg) = match name.split_once(':') {
        Some((tag, arg)) => (tag.trim(), Some(arg.trim())),
        None => (name.trim(), None),
    };
    // Groups may share a tag and differ in its arguments.
    let (group, &choice, index) = groups.iter().zip(chosen).find_map(|(group, choice)| {
        let index = match arg {
            Some(arg) => group.args.iter().position(|name| name == arg)?,
            None => 0,
        };
        (group.tag == tag).then_some((group, choice, index))
    })?;
    let item = group.items.get(choice)?;
    Some((item.expressions.get(index), end + 1))
}
