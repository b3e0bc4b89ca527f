//! `ludex show GAME`

use super::origin;
use crate::error::usage;
use crate::output;
use clap::Args;
use ludex_agents::heuristic::Heuristic;
use ludex_core::error::did_you_mean;
use ludex_core::{AnyGame, AnyState, Game, Spec, Turn};
use serde_json::{Map, Value, json};

/// Show a game: players, position, features, and which agents can play it
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex show connect4\n  ludex show 'nim(3,4,5)' --position '1,4,0 second'\n  ludex show kuhn --json\n  ludex show lud:hex\n  ludex show --ludemes sow\n  ludex show lud:hex --code"
)]
pub(crate) struct Show {
    /// The game, such as `connect4` or `nim(2,3,2)`
    #[arg(required_unless_present = "ludemes")]
    game: Option<String>,
    /// Show the forms of ludemes instead: of all ludemes, or of this keyword
    #[arg(long, value_name = "KEYWORD", num_args = 0..=1, default_missing_value = "")]
    ludemes: Option<String>,
    /// Show the program that a ludeme description became, with the parts of the state it reads and writes
    #[arg(long, conflicts_with_all = ["ludemes", "position", "json"])]
    code: bool,
    /// Show this position instead of the start
    #[arg(long)]
    position: Option<String>,
    /// Show the features that models of games use, as far as they are not 0
    #[arg(long)]
    features: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(keyword) = &self.ludemes {
            return ludemes(keyword, self.json);
        }
        if self.code {
            let game = ludex_library::open_lud(self.game.as_deref().unwrap_or_default())?;
            return output::line(game.lud().code().trim_end());
        }
        let game = ludex_library::open(self.game.as_deref().unwrap_or_default())?;
        let state = origin(&game, self.position.as_deref())?.unwrap_or_else(|| game.start());
        if self.json {
            return output::json(&describe(&game, &state));
        }
        let info = game.info();
        output::line(format!("{}: {}", info.name, info.title))?;
        let mut rows = vec![
            ("players", info.players.join(", ")),
            ("kind", kind(&game)),
            ("engine", info.engine.to_string()),
            ("position", game.forsyth(&state).unwrap_or_else(|| game.position(&state))),
            ("to move", to_move(&game, &state)),
        ];
        let options = sheet_options(&info.name);
        if !options.is_empty() {
            rows.push(("options", options.join(", ")));
        }
        if !game.terms().is_empty() {
            rows.push(("heuristic terms", game.terms().join(", ")));
        }
        if !info.hidden {
            rows.push(("heuristic auto", Heuristic::Auto.explicit(&game).to_string()));
        }
        if let Some(longest) = info.longest {
            rows.push(("longest play", format!("{longest} steps")));
        }
        rows.push(("agents", ludex_agents::supporting(info).join(", ")));
        let features = game.features();
        match self.features {
            true => {
                let told = features.iter().filter(|(_, value)| *value != 0.0);
                let told: Vec<String> = told.map(|(k, v)| format!("{k} {v}")).collect();
                rows.push(("features", told.join(", ")));
            }
            false => {
                let count = features.iter().filter(|(_, value)| *value != 0.0).count();
                rows.push(("features", format!("{count} are not 0; --features shows them")));
            }
        }
        for (name, text) in rows {
            output::wrapped(&format!("  {name:<16}"), &text)?;
        }
        output::line(format!("\n{}", output::board(&game, &state, None, None)))
    }
}

/// The options of a rule sheet with their values, the default first. Other games have none here.
fn sheet_options(name: &str) -> Vec<String> {
    let source = name.parse::<Spec>().ok().and_then(|spec| {
        let sheet = spec.name.strip_prefix("kif:")?.to_owned();
        ludex_library::find_kif(&sheet).ok()
    });
    let options = source.map(|source| ludex_library::sheet_options(&source.text));
    options.iter().flatten().map(ToString::to_string).collect()
}

/// The forms of ludemes, what they mean, and an example of each.
fn ludemes(keyword: &str, as_json: bool) -> anyhow::Result<()> {
    let table = ludex_lud::compile::table::Table::get();
    let mut known = table.signatures.iter().map(|form| form.keyword.as_str());
    if !keyword.is_empty() && !known.clone().any(|known| known == keyword) {
        let hint = did_you_mean(keyword, known.by_ref());
        return Err(usage!("there is no ludeme `{keyword}`{hint}"));
    }
    let forms = table.signatures.iter().enumerate();
    let mut last = "";
    for (number, form) in forms.filter(|(_, form)| keyword.is_empty() || form.keyword == keyword) {
        let meanings = table.meanings(number);
        if as_json {
            let meanings: Vec<Value> = (meanings.iter())
                .map(|m| json!({ "form": m.text, "meaning": m.meaning, "example": m.example }))
                .collect();
            output::json(&json!({
                "type": form.result, "keyword": form.keyword, "form": form.text, "meanings": meanings
            }))?;
            continue;
        }
        if form.result != last {
            output::line(format!("{}:", form.result))?;
            last = &form.result;
        }
        if meanings.is_empty() {
            output::line(format!("  ({})", form.text))?;
        }
        for ludeme in meanings {
            output::line(format!("  ({})", ludeme.text))?;
            output::line(format!("      {}", ludeme.meaning))?;
            output::line(format!("      {}", ludeme.example))?;
        }
        for reason in table.refusals(number) {
            output::line(format!("      refused: {reason}"))?;
        }
    }
    Ok(())
}

/// How the game is played, in words: turns, chance, information.
fn kind(game: &AnyGame) -> String {
    let info = game.info();
    let words = [
        (true, if info.simultaneous { "simultaneous moves" } else { "moves in turn" }),
        (info.chance, "chance"),
        (info.hidden, "hidden information"),
        (info.constant_sum, "constant sum"),
    ];
    words.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect::<Vec<_>>().join(", ")
}

/// The player to move, and the number of legal moves.
pub(crate) fn to_move(game: &AnyGame, state: &AnyState) -> String {
    let turn = game.turn(state);
    match turn {
        Turn::Over => {
            let mut payoffs = vec![0.0; game.info().seats()];
            game.payoffs(state, &mut payoffs);
            let parts: Vec<String> =
                game.info().players.iter().zip(&payoffs).map(|(n, p)| format!("{n} {p}")).collect();
            format!("the game is over: {}", parts.join(", "))
        }
        Turn::Chance => "chance".into(),
        Turn::One(_) | Turn::Joint(_) => {
            let mut legal = Vec::new();
            let parts: Vec<String> = turn
                .movers()
                .iter()
                .map(|player| {
                    legal.clear();
                    game.moves(state, player, &mut legal);
                    let count = legal.len();
                    let moves = if count == 1 { "move" } else { "moves" };
                    format!("{} ({count} {moves})", game.info().player(player))
                })
                .collect();
            parts.join(", ")
        }
    }
}

/// The game as JSON.
fn describe(game: &AnyGame, state: &AnyState) -> Value {
    let info = game.info();
    let mut moves = Map::new();
    let turn = game.turn(state);
    for player in turn.movers().iter() {
        let mut legal = Vec::new();
        game.moves(state, player, &mut legal);
        let texts: Vec<String> = legal.iter().map(|&mv| game.move_text(mv)).collect();
        moves.insert(info.player(player).to_string(), json!(texts));
    }
    let features: Map<String, Value> =
        game.features().iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
    json!({
        "game": info.name,
        "title": info.title,
        "players": info.players,
        "engine": info.engine,
        "chance": info.chance,
        "hidden": info.hidden,
        "simultaneous": info.simultaneous,
        "constant_sum": info.constant_sum,
        "longest": info.longest,
        "position": game.position(state),
        "forsyth": game.forsyth(state),
        "state": game.json(state),
        "over": turn == Turn::Over,
        "moves": moves,
        "terms": game.terms(),
        "features": features,
        "agents": ludex_agents::supporting(info),
    })
}
