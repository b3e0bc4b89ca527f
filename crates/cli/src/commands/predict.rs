//! `ludex predict GAME`

use super::SeedArgs;
use crate::output;
use clap::Args;
use ludex_agents::hyper::predict::{Outlook, outlook};
use ludex_core::Game;
use ludex_model::{Effort, describe};
use serde_json::json;

/// Predict how well each agent plays a game, and why
#[derive(Args)]
#[command(after_help = "Examples:
  ludex predict connect4
  ludex predict kif:my-game.kif --model agents.model
  ludex predict breakthrough --features                   the features of the game

A prediction is a win rate from 0 to 100. The interval held 95 % of the measured win rates of games that the model had not \
seen. The spread is the standard deviation over the parts of the model.")]
pub(crate) struct Predict {
    /// The game
    game: String,
    /// A model file of `ludex train model` (default: the built-in model)
    #[arg(long)]
    model: Option<String>,
    /// The number of known games and reasons to show
    #[arg(long, default_value_t = 5)]
    most: usize,
    /// Show the features of the game instead
    #[arg(long)]
    features: bool,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Predict {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let name = &game.info().name;
        let features = describe(&game, Effort::default(), self.seed.get());
        if self.features {
            return super::concepts::show(name, &features, self.json);
        }
        let outlook = outlook(&game, &features, self.model.as_deref())?;
        let reasons = reasons(&outlook, self.most);
        let near = outlook.model.nearest(&outlook.answer.row, self.most);
        match self.json {
            true => print_json(name, &outlook, &near, &reasons),
            false => print_text(&outlook, &near, &reasons),
        }
    }
}

/// The features that moved the first prediction most, with the change. A held-out prediction has none: the models that
/// made it are not kept.
fn reasons(outlook: &Outlook, most: usize) -> Vec<(usize, f64)> {
    let Outlook { model, answer, order, .. } = outlook;
    let Some(&best) = order.first().filter(|_| !answer.held_out) else { return Vec::new() };
    let changes = model.fitted.reasons(&answer.row, best).unwrap_or_default();
    let mut reasons: Vec<(usize, f64)> =
        changes.into_iter().enumerate().filter(|(_, change)| change.abs() > 1e-9).collect();
    reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    reasons.truncate(most);
    reasons
}

fn print_json(
    name: &str,
    outlook: &Outlook,
    near: &[(&str, f64)],
    reasons: &[(usize, f64)],
) -> anyhow::Result<()> {
    let Outlook { model, answer, order, left_out } = outlook;
    let prediction = |&i: &usize| {
        let value = answer.values[i];
        let interval = model.interval(i, value);
        json!({
            "target": model.targets[i],
            "value": value,
            "interval": interval.map(|(low, high)| json!({ "low": low, "high": high })),
            "spread": answer.spread.as_ref().and_then(|spread| spread.get(i)),
        })
    };
    let unable = |(agent, reason): &(String, String)| json!({ "agent": agent, "reason": reason });
    let reason = |&(i, change): &(usize, f64)| json!({ "feature": model.features[i], "value": answer.row[i], "change": change });
    let game = |&(game, distance): &(&str, f64)| json!({ "game": game, "distance": distance });
    output::json(&json!({
        "game": name,
        "against": model.opponent,
        "held_out": answer.held_out,
        "predicted": order.iter().map(prediction).collect::<Vec<_>>(),
        "left_out": left_out.iter().map(unable).collect::<Vec<_>>(),
        "nearest": near.iter().map(game).collect::<Vec<_>>(),
        "reasons": reasons.iter().map(reason).collect::<Vec<_>>(),
        "missing": answer.missing,
    }))
}

fn print_text(
    outlook: &Outlook,
    near: &[(&str, f64)],
    reasons: &[(usize, f64)],
) -> anyhow::Result<()> {
    let Outlook { model, answer, order, left_out } = outlook;
    if !model.opponent.is_empty() {
        output::line(format!("Win rates in percent against {}\n", model.opponent))?;
    }
    let mut table = output::table(&["expected of", "win rate", "95 % interval", "spread"], 1);
    for &i in order {
        let value = answer.values[i];
        let interval = model.interval(i, value);
        let spread = answer.spread.as_ref().and_then(|spread| spread.get(i));
        table.add_row([
            model.targets[i].clone(),
            format!("{value:.1}"),
            interval.map_or_else(String::new, |(low, high)| format!("{low:.0} .. {high:.0}")),
            spread.map_or_else(String::new, |spread| format!("± {spread:.1}")),
        ]);
    }
    output::print(&table)?;
    if answer.held_out {
        let text = "The model was trained on this game: models that were trained without it made this prediction.";
        output::line(format!("\n{text}"))?;
    }
    if let [(_, reason), ..] = &left_out[..] {
        let names: Vec<&str> = left_out.iter().map(|(name, _)| name.as_str()).collect();
        output::line(format!("\nLeft out: {} ({reason})", names.join(", ")))?;
    }
    if !near.is_empty() {
        let near: Vec<String> = near.iter().map(|(game, d)| format!("{game} ({d:.3})")).collect();
        output::line(format!("\nNearest known games: {}", near.join(", ")))?;
    }
    if let (Some(&best), false) = (order.first(), reasons.is_empty()) {
        output::line(format!("\nWhat moved the prediction for {}:", model.targets[best]))?;
        let mut table = output::table(&["feature", "value", "change"], 1);
        for &(i, change) in reasons {
            let value = format!("{:.3}", answer.row[i]);
            table.add_row([model.features[i].clone(), value, format!("{change:+.2}")]);
        }
        output::print(&table)?;
    }
    if !answer.missing.is_empty() {
        output::line(format!(
            "\n{} of the model's {} inputs say nothing about this game (--json names them).",
            answer.missing.len(),
            model.features.len(),
        ))?;
    }
    Ok(())
}
