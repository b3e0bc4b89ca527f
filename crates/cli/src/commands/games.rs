//! `ludex games`

use crate::output;
use clap::Args;
use serde_json::json;

/// List the games that are built in
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex games\n  ludex games --json | head -3\n  ludex show 'nim(3,4,5)'"
)]
pub(crate) struct Games {
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

impl Games {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.json {
            for entry in ludex_games::catalog() {
                let parameters: Vec<_> = entry
                    .params()
                    .iter()
                    .map(|p| json!({ "name": p.key, "default": p.default, "values": p.kind.to_string(), "meaning": p.meaning }))
                    .collect();
                output::json(&json!({
                    "game": entry.name,
                    "language": "native",
                    "title": entry.title,
                    "parameters": parameters,
                    "examples": entry.examples,
                }))?;
            }
            for (language, names) in rule_files() {
                for name in names {
                    let game = format!("{language}:{name}");
                    let text = ludex_library::SHEETS
                        .iter()
                        .find(|(sheet, _)| language == "kif" && *sheet == name);
                    let options = text
                        .map(|(_, text)| ludex_library::sheet_options(text))
                        .unwrap_or_default();
                    let parameters: Vec<_> = options
                        .iter()
                        .map(|o| json!({ "name": o.name, "default": o.values.first(), "values": o.values.join("|"), "meaning": "a variant of the rules" }))
                        .collect();
                    output::json(&json!({
                        "game": game,
                        "language": language,
                        "title": title(name),
                        "parameters": parameters,
                        "examples": [game],
                    }))?;
                }
            }
            return Ok(());
        }
        let mut table = output::table(&["game", "title", "parameters"], 3);
        for entry in ludex_games::catalog() {
            let parameters: Vec<String> =
                entry.params().iter().map(|p| format!("{}={}", p.key, p.default)).collect();
            table.add_row([entry.name, entry.title, &parameters.join(" ")]);
        }
        output::print(&table)?;
        let [(_, sheets), (_, ludemes)] = rule_files();
        output::line("")?;
        output::wrapped("Rule sheets, as kif:NAME: ", &sheets.join(", "))?;
        output::line("")?;
        output::wrapped("Descriptions, as lud:NAME: ", &ludemes.join(", "))?;
        output::line("\n`ludex show GAME` describes a game.")
    }
}

/// The names of the built-in rule files, by rule language.
fn rule_files() -> [(&'static str, Vec<&'static str>); 2] {
    let sheets = ludex_library::SHEETS.iter().map(|(name, _)| *name).collect();
    let ludemes = ludex_library::DESCRIPTIONS.iter().map(|(name, _)| *name).collect();
    [("kif", sheets), ("lud", ludemes)]
}

/// A title made of the name of a rule file: `fox-and-geese` becomes `Fox And Geese`.
fn title(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    name.split('-').map(word).collect::<Vec<String>>().join(" ")
}
