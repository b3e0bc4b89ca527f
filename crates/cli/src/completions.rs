//! Completions for shells, with the names of games and agents.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use std::any::TypeId;
use std::sync::LazyLock;

/// The script that completes the words of `command` in a shell.
pub(crate) fn script(shell: Shell, command: Command) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut with_names(command), "ludex", &mut text);
    text
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
