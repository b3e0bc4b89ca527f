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
        let outlook = outlook(&game, self.model.as_deref(), self.seed.get())?;
        let Outlook { model, answer, order, left_out } = &outlook;
        let spread = |i: usize| answer.spread.as_ref().and_then(|s| s.get(i)).copied();
        let interval = |i: usize| model.interval(i, answer.values[i]);
        let near = model.nearest(&answer.row, self.most);
        let best = order.first().copied().unwrap_or(0);
        let mut reasons: Vec<(usize, f64)> = model
            .fitted
            .reasons(&answer.row, best)
            .unwrap_or_default()
            .into_iter()
            .enumerate()
            .filter(|(_, change)| change.abs() > 1e-9)
            .collect();
        reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        reasons.truncate(self.most);
        if self.json {
            let predicted: Vec<_> = order
                .iter()
                .map(|&i| {
                    let (target, value) = (&model.targets[i], answer.values[i]);
                    let interval =
                        interval(i).map(|(low, high)| json!({ "low": low, "high": high }));
                    json!({
                        "target": target,
                        "value": value,
                        "interval": interval,
                        "spread": spread(i),
                    })
                })
                .collect();
            let near: Vec<_> =
                near.iter().map(|(g, d)| json!({ "game": g, "distance": d })).collect();
            let why: Vec<_> = reasons
                .iter()
                .map(|&(i, by)| {
                    json!({ "feature": model.features[i], "value": answer.row[i], "change": by })
                })
                .collect();
            return output::json(&json!({
                "game": name,
                "against": model.opponent,
                "held_out": answer.held_out,
                "predicted": predicted,
                "left_out": left_out.iter().map(|(agent, why)| json!({ "agent": agent, "reason": why })).collect::<Vec<_>>(),
                "nearest": near,
                "reasons": why,
                "missing": answer.missing,
            }));
        }
        if !model.opponent.is_empty() {
            output::line(format!("Win rates in percent against {}\n", model.opponent))?;
        }
        let mut table = output::table(&["expected of", "win rate", "95 % interval", "spread"], 1);
        for &i in order {
            let spread = spread(i).map_or_else(String::new, |s| format!("± {s:.1}"));
            let interval =
                interval(i).map_or_else(String::new, |(l, h)| format!("{l:.0} .. {h:.0}"));
            let value = format!("{:.1}", answer.values[i]);
            table.add_row([model.targets[i].clone(), value, interval, spread]);
        }
        output::print(&table)?;
        if answer.held_out {
            output::line(
                "\nThe model was trained on this game: these are predictions of models trained without it.",
            )?;
        }
        if let [(_, reason), ..] = &left_out[..] {
            let names: Vec<&str> = left_out.iter().map(|(name, _)| name.as_str()).collect();
            output::line(format!("\nLeft out: {} ({reason})", names.join(", ")))?;
        }
        if !near.is_empty() {
            let near: Vec<String> = near.iter().map(|(g, d)| format!("{g} ({d:.3})")).collect();
            output::line(format!("\nNearest known games: {}", near.join(", ")))?;
        }
        if !reasons.is_empty() {
            output::line(format!("\nWhat moved the prediction for {}:", model.targets[best]))?;
            let mut table = output::table(&["feature", "value", "change"], 1);
            for (i, change) in reasons {
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
}
