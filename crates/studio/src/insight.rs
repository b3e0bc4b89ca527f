//! Facts that models know about a game: its features, the agents that they expect to play it well, and similar games.

use crate::wire::{Insight, PredictedInfo};
use ludex_agents::hyper::predict::{Outlook, outlook};
use ludex_core::{AnyGame, Seed};
use ludex_model::{Effort, describe};

/// The known games that a page gets.
const MOST_NEAR: usize = 6;

/// Describes a game by about half a second of random play, and asks the built-in model about it.
pub(crate) fn insight(game: &AnyGame) -> Insight {
    let features = describe(game, Effort::default(), Seed(1));
    let mut concepts: Vec<(String, f64)> = features
        .iter()
        .filter(|(_, value)| *value != 0.0 && value.is_finite())
        .map(|(name, value)| (name.to_string(), value))
        .collect();
    concepts.sort_by(|a, b| a.0.cmp(&b.0));
    match outlook(game, &features, None) {
        Ok(outlook) => Insight { concepts, ..predicted(&outlook) },
        Err(error) => Insight { concepts, note: Some(error.to_string()), ..Insight::default() },
    }
}

fn predicted(outlook: &Outlook) -> Insight {
    let Outlook { model, answer, order, .. } = outlook;
    let agent = |&target: &usize| {
        let value = answer.values.get(target).copied()?;
        let agent = model.targets.get(target)?.clone();
        Some(PredictedInfo { agent, value, interval: model.interval(target, value) })
    };
    let near = model.nearest(&answer.row, MOST_NEAR);
    let agents: Vec<PredictedInfo> = order.iter().filter_map(agent).collect();
    let note = agents.is_empty().then(|| "the model knows no agent that can play this game".into());
    Insight {
        agents,
        against: model.opponent.clone(),
        held_out: answer.held_out,
        nearest: near.into_iter().map(|(game, distance)| (game.to_string(), distance)).collect(),
        note,
        ..Insight::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_game_has_features_and_predictions() {
        let insight = insight(&ludex_library::open("connect4").unwrap());
        assert!(insight.concepts.iter().any(|(name, value)| name == "NumPlayers" && *value == 2.0));
        assert!(insight.agents.len() > 3 && insight.note.is_none(), "{insight:?}");
        let rates: Vec<f64> = insight.agents.iter().map(|agent| agent.value).collect();
        assert!(rates.is_sorted_by(|a, b| a >= b), "{rates:?}");
    }
}
