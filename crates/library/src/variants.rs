//! Options of a rule sheet. KIF has none, so they live in comments: every reader of KIF sees the default rules.
//!
//! ```text
//! ;#option draws = two, ten            the name, and its values; the first is the default
//! ;#when draws=two                     rules of the default stand as they are ...
//! (chance 0) (chance 1)
//! ;#when draws=ten                     ... and the others behind `;|`
//! ;| (chance 0) (chance 1) (chance 2)
//! ;#end
//! ```
//!
//! A block holds where each of its conditions (parted by spaces, without spaces inside) allows the chosen value; a condition may
//! allow several (`draws=two|ten`). [`choose`] comments lines in and out and keeps their number, so diagnostics still name the right line.

/// An option of a rule sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetOption {
    /// The name of the option.
    pub name: String,
    /// The values of the option; the first is the default.
    pub values: Vec<String>,
}

impl std::fmt::Display for SheetOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.name, self.values.join("|"))
    }
}

/// The mark of a line that a variant leaves out.
const OUT: &str = ";|";

/// The options that a rule sheet declares.
pub fn sheet_options(text: &str) -> Vec<SheetOption> {
    let declared = text.lines().filter_map(|line| line.trim().strip_prefix(";#option "));
    let option = |line: &str| {
        let (name, values) = line.split_once('=')?;
        let values = values.split(',').map(|value| value.trim().to_owned()).collect();
        Some(SheetOption { name: name.trim().to_owned(), values })
    };
    declared.filter_map(option).collect()
}

/// The text of a rule sheet in the variant with these values; the other options have their defaults.
///
/// # Errors
/// A value that an option does not have, a condition on an option that was not declared, or a block without an end.
pub(crate) fn choose(text: &str, chosen: &[(String, String)]) -> Result<String, String> {
    let mut values: Vec<(String, String)> = Vec::new();
    for option in sheet_options(text) {
        let wish = chosen.iter().find(|(name, _)| *name == option.name);
        let value = match wish {
            Some((_, value)) if !option.values.contains(value) => {
                let known = option.values.join(", ");
                return Err(format!("`{}` is one of {known}, not `{value}`", option.name));
            }
            Some((_, value)) => value.clone(),
            None => option.values.first().cloned().unwrap_or_default(),
        };
        values.push((option.name, value));
    }
    let mut out = String::with_capacity(text.len());
    let mut block = None;
    for (number, line) in text.lines().enumerate() {
        let mark = line.trim();
        if let Some(conditions) = mark.strip_prefix(";#when ") {
            let holds = holds(conditions, &values);
            block = Some(holds.map_err(|reason| format!("line {}: {reason}", number + 1))?);
        } else if mark == ";#end" {
            block = None;
        } else if let Some(holds) = block {
            push(&mut out, line, holds);
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    match block {
        Some(_) => Err("a block of an option has no `;#end`".into()),
        None => Ok(out),
    }
}

/// A line of a block: commented in where the block holds, else out.
fn push(out: &mut String, line: &str, holds: bool) {
    match (line.strip_prefix(OUT), holds) {
        (Some(rest), true) => out.push_str(rest.strip_prefix(' ').unwrap_or(rest)),
        (None, false) => {
            out.push_str(OUT);
            out.push(' ');
            out.push_str(line);
        }
        _ => out.push_str(line),
    }
    out.push('\n');
}

/// Do these values meet all conditions of a block?
fn holds(conditions: &str, values: &[(String, String)]) -> Result<bool, String> {
    let mut all = true;
    for condition in conditions.split_whitespace() {
        let (name, allowed) =
            condition.split_once('=').ok_or_else(|| format!("`{condition}` is no condition"))?;
        let value = values.iter().find(|(known, _)| known == name);
        let (_, value) = value.ok_or_else(|| format!("there is no option `{name}`"))?;
        all &= allowed.split('|').any(|allowed| allowed == value);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = ";#option draws = two, ten\n;#option told = yes, no\n(role a)\n;#when draws=two\n(n 2)\n\
                         ;#when draws=ten told=no\n;| (n 10)\n;#when draws=ten told=yes\n;| (n 11)\n;#end\n(x)\n";

    fn active(chosen: &[(&str, &str)]) -> Result<String, String> {
        let chosen: Vec<_> = chosen.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
        let text = choose(SHEET, &chosen)?;
        assert_eq!(text.lines().count(), SHEET.lines().count(), "lines keep their numbers");
        Ok(text.lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_variant_has_its_blocks_and_the_default_is_the_text_as_it_stands() {
        assert_eq!(choose(SHEET, &[]).unwrap(), SHEET);
        assert_eq!(active(&[]).unwrap(), "(role a) (n 2) (x)");
        assert_eq!(active(&[("draws", "ten")]).unwrap(), "(role a) (n 11) (x)");
        assert_eq!(active(&[("told", "no"), ("draws", "ten")]).unwrap(), "(role a) (n 10) (x)");
    }

    #[test]
    fn what_is_no_value_or_no_block_is_said() {
        assert!(active(&[("draws", "six")]).unwrap_err().contains("one of two, ten, not `six`"));
        assert!(choose(";#when odd=1\n;#end\n", &[]).unwrap_err().contains("line 1"));
        assert!(choose(";#option a = 1\n;#when a=1\n(x)\n", &[]).unwrap_err().contains(";#end"));
    }
}
