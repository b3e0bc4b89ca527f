//! Names and options: `portfolio`, `ensemble(uct,mast,grave)`, `weighted-ensemble(sharpen=4)`.

use super::ensemble::Ensemble;
use super::member::Member;
use super::portfolio::Portfolio;
use super::predict::{self, Forecast};
use crate::agent::Agent;
use crate::catalog::{Entry, Param};
use crate::spec::AgentSpec;
use ludex_core::{AnyGame, Error, Info, Player, Result, Seed, Spec};
use std::fmt;

/// The names of hyper-agents.
pub const NAMES: [&str; 5] = [
    "portfolio",
    "ensemble",
    "weighted-ensemble",
    "parallel-ensemble",
    "parallel-weighted-ensemble",
];

/// The members of an ensemble that names none: the thesis' five, in its order.
pub const MEMBERS: [&str; 5] = ["alphabeta", "mast", "grave", "ph", "uct"];

/// What members give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Votes {
    /// One vote for their move.
    #[default]
    One,
    /// Their vote in shares over all moves, by visits or values.
    Ranking,
}

/// Who wins where votes are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// The move that its voters value most, then by lot.
    #[default]
    Value,
    /// The move that had so many votes first.
    First,
}

/// The parameters of a hyper-agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// Its place in [`NAMES`].
    kind: usize,
    /// The sub-agents; none: the usual ones.
    pub members: Vec<AgentSpec>,
    /// The file of the model; `None`: the one in the binary.
    pub model: Option<String>,
    /// What members give.
    pub votes: Votes,
    /// Who wins ties.
    pub ties: Ties,
    /// Predicted win rates are taken to this power before they weigh.
    pub sharpen: f64,
    /// Games by which a portfolio checks its pick against the second; 0: none.
    pub check: u32,
}

impl Params {
    /// Reads a name with its options.
    ///
    /// # Errors
    /// Unknown keys, values that can't be, members that are none.
    pub fn read(spec: &Spec) -> Result<Self> {
        let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
        let kind = NAMES.iter().position(|name| *name == spec.name).unwrap_or(0);
        let entry = ENTRIES.iter().find(|entry| entry.name == spec.name);
        let keys: Vec<&str> = entry.iter().flat_map(|e| e.params).map(|param| param.name).collect();
        spec.expect(&keys, 64)?;
        let members: Vec<AgentSpec> =
            spec.positional().map(AgentSpec::read).collect::<Result<_>>()?;
        if let Some(odd) = members.iter().find(|m| m.name() == "human") {
            return Err(bad(format!("`{odd}` can't be a member")));
        }
        let word = |key: &str| spec.get(key).map(|value| value.to_string());
        let votes = match word("votes").as_deref() {
            None | Some("one") => Votes::One,
            Some("ranking") => Votes::Ranking,
            Some(other) => return Err(bad(format!("`votes` is one or ranking, not `{other}`"))),
        };
        let ties = match word("ties").as_deref() {
            None | Some("value") => Ties::Value,
            Some("first") => Ties::First,
            Some(other) => return Err(bad(format!("`ties` is value or first, not `{other}`"))),
        };
        let sharpen: f64 = spec.param("sharpen", None, 1.0)?;
        if !(0.0..=100.0).contains(&sharpen) {
            return Err(bad(format!("`sharpen` must be from 0 to 100, not {sharpen}")));
        }
        let check: u32 = spec.param("check", None, 0)?;
        if check > 1000 {
            return Err(bad("`check` is at most 1000 games".into()));
        }
        let model = word("model").filter(|model| model != "usual");
        Ok(Params { kind, members, model, votes, ties, sharpen, check })
    }

    /// The bare name.
    pub fn name(&self) -> &'static str {
        NAMES[self.kind]
    }

    /// Do all members think at the same time, each with the full budget?
    pub fn parallel(&self) -> bool {
        self.kind >= 3
    }

    /// Does it ask a model?
    pub fn predicts(&self) -> bool {
        matches!(self.kind, 0 | 2 | 4)
    }

    /// The members that were asked for, or the usual ones: for a portfolio what the model knows.
    ///
    /// # Errors
    /// A model that can't be read.
    fn candidates(&self) -> Result<Vec<AgentSpec>> {
        if !self.members.is_empty() {
            return Ok(self.members.clone());
        }
        match self.kind {
            0 => predict::targets(self.model.as_deref()),
            _ => MEMBERS.iter().map(|name| name.parse()).collect(),
        }
    }

    /// What keeps it from such a game.
    pub(crate) fn obstacle(&self, info: &Info) -> Option<&'static str> {
        // A model that can't be read is told by `load`.
        let members = self.candidates().ok()?;
        let able = members.iter().any(|member| member.obstacle(info).is_none());
        (!able).then_some("has no member that can play it")
    }

    /// Reads the model, where it asks one.
    ///
    /// # Errors
    /// A model that can't be read.
    pub(crate) fn load(&self) -> Result<()> {
        match self.predicts() {
            true => predict::model(self.model.as_deref()).map(|_| ()),
            false => Ok(()),
        }
    }

    /// Sits down with those members that can play the game.
    ///
    /// # Errors
    /// A model that can't be read, or no member that can play.
    pub fn build(
        &self,
        game: &AnyGame,
        seat: Player,
        seed: Seed,
    ) -> Result<Box<dyn Agent<AnyGame>>> {
        let candidates = self.candidates()?;
        let forecast = match self.predicts() {
            true => predict::forecast(game, self.model.as_deref(), &candidates)?,
            false => Forecast::even(candidates.len()),
        };
        let (mut members, mut notes) = (Vec::new(), forecast.notes);
        for (i, spec) in candidates.into_iter().enumerate() {
            match spec.build(game, seat, seed.child(i as u64)) {
                Ok(mind) => {
                    let weight = forecast.values.get(i).copied().unwrap_or(0.0).max(0.0);
                    members.push(Member::new(spec, mind, weight.powf(self.sharpen)));
                }
                Err(error) => notes.push(format!("{spec} is left out: {error}")),
            }
        }
        if members.is_empty() {
            return Err(Error::Unsupported(format!("{self} has no member: {}", notes.join("; "))));
        }
        Ok(match self.kind {
            0 => Box::new(Portfolio::new(members, self.check, notes, seed)),
            _ => Box::new(Ensemble::new(self.clone(), members, notes, seed)),
        })
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut given: Vec<String> = self.members.iter().map(|member| member.to_string()).collect();
        if let Some(model) = &self.model {
            given.push(format!("model={}", Spec::new(model)));
        }
        if self.votes != Votes::One {
            given.push("votes=ranking".into());
        }
        if self.ties != Ties::Value {
            given.push("ties=first".into());
        }
        if self.sharpen != 1.0 {
            given.push(format!("sharpen={}", self.sharpen));
        }
        if self.check != 0 {
            given.push(format!("check={}", self.check));
        }
        match given.is_empty() {
            true => f.write_str(self.name()),
            false => write!(f, "{}({})", self.name(), given.join(",")),
        }
    }
}

const MODEL: Param = Param {
    name: "model",
    default: "usual",
    meaning: "a model file of `ludex train`; usual: the one in the binary",
};
const VOTES: Param = Param {
    name: "votes",
    default: "one",
    meaning: "each member votes for one move, or in shares over all moves (ranking)",
};
const TIES: Param = Param {
    name: "ties",
    default: "value",
    meaning: "equal votes: the move that its voters value most, or the first (the thesis)",
};
const SHARPEN: Param = Param {
    name: "sharpen",
    default: "1",
    meaning: "the power to which predicted win rates are taken before they weigh",
};
const PLAYS: &str = "what one of its members can play";

/// The hyper-agents as the catalog lists them.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "ensemble",
        summary: "its members, as in ensemble(uct,mast), share the time and vote on every move",
        params: &[VOTES, TIES],
        plays: PLAYS,
    },
    Entry {
        name: "weighted-ensemble",
        summary: "an ensemble in which predicted win rates weigh votes and time",
        params: &[MODEL, VOTES, TIES, SHARPEN],
        plays: PLAYS,
    },
    Entry {
        name: "parallel-ensemble",
        summary: "an ensemble whose members think at the same time, one thread each",
        params: &[VOTES, TIES],
        plays: PLAYS,
    },
    Entry {
        name: "parallel-weighted-ensemble",
        summary: "a weighted ensemble whose members think at the same time",
        params: &[MODEL, VOTES, TIES, SHARPEN],
        plays: PLAYS,
    },
    Entry {
        name: "portfolio",
        summary: "plays as the member that a model predicts to be the best for the game",
        params: &[
            MODEL,
            Param {
                name: "check",
                default: "0",
                meaning: "short games between the two best predicted, before the first move",
            },
        ],
        plays: PLAYS,
    },
];
