//! The members of a hyper-agent that names none, and the heuristic that a model chooses for them at the start of a game.

use super::predict::{self, Forecast, Which};
use crate::spec::AgentSpec;
use ludex_core::{AnyGame, Game, Player, Result, Seed};

/// The members of an ensemble that names none: the thesis' five, in its order.
pub const MEMBERS: [&str; 5] = ["alphabeta", "mast", "grave", "ph", "uct"];

/// The same five with the settings of the thesis: playouts of at most 200 plies, MAST with an epsilon of 0.1, history with W = 3,
/// means as the only values, and a new tree for every move.
pub const THESIS: [&str; 5] = [
    "alphabeta",
    "mast(backup=mean,cap=200,epsilon=0.1,reuse=false)",
    "grave(backup=mean,cap=200,reuse=false)",
    "ph(backup=mean,cap=200,weight=3,reuse=false)",
    "uct(backup=mean,cap=200,reuse=false)",
];

/// A set of members for a hyper-agent that names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// Our agents as they are, each with its own heuristic.
    #[default]
    Usual,
    /// The sub-agents of the thesis. A model chooses the heuristic at the start.
    Thesis,
}

ludex_core::words!(Preset { Usual = "usual", Thesis = "thesis" });

impl Preset {
    /// The members that people named, or those of the preset.
    ///
    /// # Errors
    /// A name of the preset cannot be read.
    pub(super) fn members(self, named: &[AgentSpec]) -> Result<Vec<AgentSpec>> {
        let names = match (named, self) {
            ([], Preset::Usual) => MEMBERS,
            ([], Preset::Thesis) => THESIS,
            _ => return Ok(named.to_vec()),
        };
        names.iter().map(|name| name.parse()).collect()
    }

    /// The model that chooses the heuristic; `None`: members keep their own.
    pub(super) fn heuristics(self, given: Option<&str>) -> Option<Which<'_>> {
        match (given, self) {
            (Some("none"), _) | (None, Preset::Usual) => None,
            (Some("usual"), _) | (None, Preset::Thesis) => Some(Which::Short),
            (Some(file), _) => Some(Which::File(file)),
        }
    }

    /// Reads the model that chooses the heuristic.
    ///
    /// # Errors
    /// A file that is no model.
    pub(super) fn load(self, given: Option<&str>) -> Result<()> {
        self.heuristics(given).map_or(Ok(()), |which| predict::model(which).map(|_| ()))
    }
}

/// Asks a model for the best heuristic and gives it to every member that is plain `alphabeta` (listings 1, 2 and 4 of the thesis).
/// The choice is a note of the forecast.
///
/// # Errors
/// A model that can't be read, or that knows no heuristic.
pub(super) fn choose_heuristic(
    members: &mut [AgentSpec],
    forecast: &mut Forecast,
    model: Option<Which<'_>>,
    (game, seat, seed): (&AnyGame, Player, Seed),
) -> Result<()> {
    let Some(model) = model else { return Ok(()) };
    let plain = |member: &AgentSpec| {
        member.name() == "alphabeta"
            && member.with_budget(crate::Budget::default()).to_string() == "alphabeta"
    };
    if !members.iter().any(plain)
        || "alphabeta".parse::<AgentSpec>()?.obstacle(game.info()).is_some()
    {
        return Ok(());
    }
    let Some((chosen, value)) = predict::heuristic(game, model, seat, seed)? else {
        forecast.notes.push("no heuristic of the model fits the game".into());
        return Ok(());
    };
    forecast.notes.push(format!("heuristic: {chosen}, {value:.0} % expected"));
    for member in members.iter_mut().filter(|member| plain(member)) {
        *member = chosen.with_budget(member.budget().clone());
    }
    Ok(())
}
