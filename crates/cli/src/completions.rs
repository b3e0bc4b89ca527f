//! Completions for shells, with the names of games and agents.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use std::any::TypeId;
use std::sync::LazyLock;

/// The script that completes the words of `command` in a shell.
pub(crate) fn script(shell: Shell, command: Command) -> Vec<u8> {
    let mut text = Vec::new();
    let mut command = with_names(command);
    clap_complete::generate(shell, &mut command, "ludex", &mut text);
    match shell {
        Shell::Elvish => add_names(&command, text, &ELVISH),
        Shell::PowerShell => add_names(&command, text, &POWER_SHELL),
        _ => text,
    }
}

/// How a script that knows only options and subcommands is told the values of arguments.
struct Dialect {
    /// The line with which the words of a command begin, around the path of the command.
    begin: (&'static str, &'static str),
    /// One word, around the word and its kind.
    word: fn(&str) -> String,
    /// The words of a command hold for all its arguments, not for the first one alone.
    all: fn(&mut String, path: &str, words: &str),
    /// A piece of the script, and what stands there instead.
    instead: (&'static str, &'static str),
}

const ELVISH: Dialect = Dialect {
    begin: ("        &'", "'= {"),
    word: |word| format!("            cand '{word}' ''\n"),
    all: |_, _, _| {},
    // The script looks for the words of the command and all its arguments; here arguments are left out.
    instead: (
        "    $completions[$command]\n",
        "    while (not (has-key $completions $command)) {\n        set command = (str:join ';' [(str:split ';' $command)][..-1])\n    }\n    \
         $completions[$command]\n",
    ),
};

const POWER_SHELL: Dialect = Dialect {
    begin: ("        '", "' {"),
    word: |word| {
        format!(
            "            [CompletionResult]::new('{word}', '{word}', [CompletionResultType]::ParameterValue, '{word}')\n"
        )
    },
    all: |out, path, words| {
        *out += &format!(
            "        {{ $_ -like '{path};*' }} {{\n{words}            break\n        }}\n"
        );
    },
    instead: ("", ""),
};

/// Adds the names of games and agents to a script whose generator leaves values out.
fn add_names(command: &Command, script: Vec<u8>, dialect: &Dialect) -> Vec<u8> {
    let Ok(script) = String::from_utf8(script) else { return Vec::new() };
    let mut known = Vec::new();
    collect(command, "ludex", &mut known);
    let mut out = String::with_capacity(script.len() * 4);
    for line in script.split_inclusive('\n') {
        let (before, after) = dialect.begin;
        let path = line.trim_end().strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let words = path.and_then(|path| known.iter().find(|(known, _)| known == path));
        let words: Option<String> =
            words.map(|(_, names)| names.iter().map(|name| (dialect.word)(name)).collect());
        if let (Some(path), Some(words)) = (path, &words) {
            (dialect.all)(&mut out, path, words);
        }
        out += line;
        out += words.as_deref().unwrap_or_default();
    }
    let (from, to) = dialect.instead;
    if !from.is_empty() {
        out = out.replace(from, to);
    }
    out.into_bytes()
}

/// The path of each command with the names that its arguments take.
fn collect(command: &Command, path: &str, out: &mut Vec<(String, Vec<String>)>) {
    let of_names = |arg: &&Arg| {
        !arg.get_possible_values().is_empty()
            && arg.get_value_parser().type_id() == TypeId::of::<String>()
    };
    let values = command.get_arguments().filter(of_names).flat_map(|arg| arg.get_possible_values());
    let mut names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
    names.dedup();
    if !names.is_empty() {
        out.push((path.to_owned(), names));
    }
    for part in command.get_subcommands() {
        collect(part, &format!("{path};{}", part.get_name()), out);
    }
}

/// The command with the known names as values of the arguments that take names. Scripts propose values, they refuse
/// nothing: parameters and files can still be typed.
fn with_names(command: Command) -> Command {
    let of_agents = command.get_name() == "agents";
    let name = |arg: Arg| {
        let names: Vec<&'static str> = match arg.get_id().as_str() {
            "game" | "games" if takes_text(&arg) => GAMES.iter().map(String::as_str).collect(),
            "agent" | "agents" => agents(),
            "name" if of_agents => agents(),
            _ => return arg,
        };
        arg.value_parser(PossibleValuesParser::new(names))
    };
    command.mut_args(name).mut_subcommands(with_names)
}

/// Is the value of the argument a text? The number of games has the same name as a list of games.
fn takes_text(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<String>()
}

/// The built-in games. Their parameters are left out: parentheses would need quotes.
static GAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let natives = ludex_games::catalog().iter().map(|entry| entry.name.to_string());
    let sheets = ludex_library::SHEETS.iter().map(|(name, _)| format!("kif:{name}"));
    let descriptions = ludex_library::DESCRIPTIONS.iter().map(|(name, _)| format!("lud:{name}"));
    natives.chain(sheets).chain(descriptions).collect()
});

fn agents() -> Vec<&'static str> {
    ludex_agents::catalog().iter().map(|entry| entry.name).collect()
}
