//! Where the numbers of a report come from: date, program, seed, budget and machines. Only the HTML page shows this. The tables
//! do not, so that two runs of the same experiment print the same tables.

use super::counted;
use crate::date::date_time;
use crate::experiment::{Experiment, GameEntry};
use crate::store::{Machine, Run, Store, StoreError};
use ludex_agents::Budget;

/// How a run was made: pairs of a name and a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The lines, in the order in which they are shown.
    pub lines: Vec<(&'static str, String)>,
}

impl Origin {
    /// Reads how a run was made.
    ///
    /// # Errors
    /// The database failed.
    pub fn read(store: &Store, run: &Run) -> Result<Self, StoreError> {
        let mut lines = vec![("begun", date_time(run.created_ms.max(0) as u64 / 1000))];
        let build = run.build.as_ref().map(|build| format!(", build {build}"));
        lines.push(("program", format!("ludex {}{}", run.version, build.unwrap_or_default())));
        if let Ok(experiment) = serde_json::from_str::<Experiment>(&run.config) {
            settings(&experiment, &mut lines);
        }
        let machines = store.machines(run)?;
        let text =
            |machine: &Machine| format!("{} ({})", machine.cpu, counted(machine.games, "game"));
        let machines: Vec<String> = machines.iter().map(text).collect();
        if !machines.is_empty() {
            lines.push(("processor", machines.join(", ")));
        }
        Ok(Origin { lines })
    }
}

/// The settings of an experiment that the numbers depend on.
fn settings(experiment: &Experiment, lines: &mut Vec<(&'static str, String)>) {
    lines.push(("seed", experiment.seed.to_string()));
    let budgets = match (&experiment.budget, experiment.budgets.as_slice()) {
        (_, [_, ..]) => experiment.budgets.join(", "),
        (Some(budget), _) => budget.clone(),
        (None, []) => Budget { time: Some(Budget::DEFAULT_TIME), ..Budget::default() }.to_string(),
    };
    lines.push(("budget", format!("{budgets} a move for agents without one in their name")));
    if let Some(rounds) = experiment.rounds {
        lines.push(("rounds", rounds.to_string()));
    }
    let openings = match &experiment.openings {
        Some(openings) => format!("{} random moves", openings.plies),
        None => "none".into(),
    };
    lines.push(("openings", openings));
    let position = |game: &GameEntry| {
        let from = game.position.as_ref().map(|position| format!(" from {position}"));
        format!("{}{}", game.game, from.unwrap_or_default())
    };
    let games: Vec<String> = experiment.games.iter().map(position).collect();
    lines.push(("games", games.join(", ")));
}
