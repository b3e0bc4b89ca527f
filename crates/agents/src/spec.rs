//! The names of minds: `uct`, `uct(c=0.7)@sims=500`, `alphabeta(heuristic=material)`.

use crate::agent::{Agent, Choice, Watch};
use crate::alphabeta::{self, AlphaBeta};
use crate::best::{self, Best};
use crate::budget::Budget;
use crate::catalog::catalog;
use crate::clock::Clock;
use crate::double_oracle::{self, DoubleOracle};
use crate::flat::Flat;
use crate::greedy::{self, Greedy};
use crate::hidden::{self, CheatUct, Hidden};
use crate::human::Human;
use crate::hyper;
use crate::ludo;
use crate::mbm::{self, Mbm};
use crate::random::Random;
use crate::ropasci;
use crate::uct::{self, Uct};
use ludex_core::deadline::Stop;
use ludex_core::error::did_you_mean;
use ludex_core::{AnyGame, Error, Game, Info, Player, Result, Seed, Spec, View};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A mind by name, with its parameters and its own budget, checked and ready to be built.
///
/// ```
/// use ludex_agents::AgentSpec;
/// let spec: AgentSpec = "uct(c=1.4)@sims=500".parse().unwrap();
/// assert_eq!(spec.to_string(), "uct(c=1.4)@sims=500");
/// let error = "ucb".parse::<AgentSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown agent `ucb`: did you mean `uct`?");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AgentSpec {
    kind: Kind,
    budget: Budget,
}

/// A mind with its parameters.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Random,
    Flat,
    Greedy(greedy::Params),
    Uct(uct::Params),
    AlphaBeta(alphabeta::Params),
    Mbm(mbm::Params),
    DoubleOracle(double_oracle::Params),
    Ropasci(ropasci::Params),
    Ludo(ludo::Params),
    Hidden(hidden::Params),
    Hyper(hyper::Params),
    Human,
}

impl Kind {
    fn read(spec: &Spec) -> Result<Self> {
        let plain = |kind| spec.expect(&[], 0).map(|()| kind);
        match spec.name.as_str() {
            "random" => plain(Kind::Random),
            "flat" => plain(Kind::Flat),
            "greedy" => greedy::Params::read(spec).map(Kind::Greedy),
            name if uct::NAMES.contains(&name) => uct::Params::read(spec).map(Kind::Uct),
            "alphabeta" | "best-reply" => alphabeta::Params::read(spec).map(Kind::AlphaBeta),
            "mbm" => mbm::Params::read(spec).map(Kind::Mbm),
            "double-oracle" => double_oracle::Params::read(spec).map(Kind::DoubleOracle),
            name if ropasci::NAMES.contains(&name) => {
                ropasci::Params::read(spec).map(Kind::Ropasci)
            }
            name if ludo::NAMES.contains(&name) => ludo::Params::read(spec).map(Kind::Ludo),
            name if hidden::NAMES.contains(&name) => hidden::Params::read(spec).map(Kind::Hidden),
            name if hyper::NAMES.contains(&name) => hyper::Params::read(spec).map(Kind::Hyper),
            "human" => plain(Kind::Human),
            name => {
                let known = catalog().iter().map(|entry| entry.name);
                let mut hint = did_you_mean(name, known.clone());
                if hint.is_empty() {
                    hint = format!("; there are {}", known.collect::<Vec<_>>().join(", "));
                }
                Err(Error::Unknown { what: "agent", name: name.into(), hint })
            }
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Kind::Random => "random",
            Kind::Flat => "flat",
            Kind::Greedy(_) => "greedy",
            Kind::Uct(params) => params.name(),
            Kind::AlphaBeta(params) => params.name(),
            Kind::Mbm(_) => "mbm",
            Kind::DoubleOracle(_) => "double-oracle",
            Kind::Ropasci(params) => params.name(),
            Kind::Ludo(params) => params.name(),
            Kind::Hidden(params) => params.name(),
            Kind::Hyper(params) => params.name(),
            Kind::Human => "human",
        }
    }

    /// Must it see the whole position?
    fn needs_state(&self) -> bool {
        !matches!(self, Kind::Random | Kind::Hidden(_) | Kind::Human)
    }

    /// Must there be two players with opposite interests?
    fn needs_duel(&self) -> bool {
        matches!(self, Kind::DoubleOracle(_))
    }

    /// Must the players move one by one?
    fn needs_turns(&self) -> bool {
        matches!(self, Kind::AlphaBeta(_) | Kind::Mbm(_))
    }
}

impl AgentSpec {
    /// Reads a parsed name.
    ///
    /// # Errors
    /// An unknown name, parameters or limits that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        let kind = Kind::read(spec)?;
        let mut budget = Budget::default();
        for (key, value) in &spec.budget {
            budget.set(key, value)?;
        }
        Ok(AgentSpec { kind, budget })
    }

    /// The bare name, without parameters and budget.
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Its own limits; empty where the name gives none.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The same with these limits of its own.
    #[must_use]
    pub fn with_budget(&self, budget: Budget) -> Self {
        AgentSpec { kind: self.kind.clone(), budget }
    }

    /// Can it play such a game?
    ///
    /// # Errors
    /// What stands in the way, and who can play it instead.
    pub fn supports(&self, info: &Info) -> Result<()> {
        let Some(obstacle) = self.obstacle(info) else {
            // What it reads from files must be there before the first game.
            return match &self.kind {
                Kind::Ludo(params) => params.load().map(|_| ()),
                Kind::Hyper(params) => params.load(),
                _ => Ok(()),
            };
        };
        let instead = crate::catalog::usual(info);
        Err(Error::Unsupported(format!(
            "{} can't play {}: it {obstacle}; `{instead}` can play it",
            self.kind.name(),
            info.name
        )))
    }

    /// What keeps it from such a game.
    pub(crate) fn obstacle(&self, info: &Info) -> Option<&'static str> {
        if let Kind::Ropasci(params) = &self.kind {
            params.obstacle(info)
        } else if let Kind::Ludo(params) = &self.kind {
            params.obstacle(info)
        } else if let Kind::Hidden(params) = &self.kind {
            params.obstacle(info)
        } else if let Kind::Hyper(params) = &self.kind {
            params.obstacle(info)
        } else if info.hidden && self.kind.needs_state() {
            Some("needs to see the whole position, and this game hides a part")
        } else if info.simultaneous && self.kind.needs_turns() {
            Some("needs players who move one by one, and in this game they move at once")
        } else if self.kind.needs_duel() && (info.seats() != 2 || !info.constant_sum) {
            Some("needs two players of whom one gains what the other loses")
        } else {
            None
        }
    }

    /// Sits down at `seat`.
    ///
    /// # Errors
    /// Where the mind can't play this game, or a parameter does not fit it.
    pub fn build(
        &self,
        game: &AnyGame,
        seat: Player,
        seed: Seed,
    ) -> Result<Box<dyn Agent<AnyGame>>> {
        let info = game.info();
        self.supports(info)?;
        if seat.index() >= info.seats() {
            return Err(Error::Unsupported(format!(
                "{} has {} seats; there is no {seat}",
                info.name,
                info.seats()
            )));
        }
        let mind: Box<dyn Agent<AnyGame>> = match &self.kind {
            Kind::Random => Box::new(Random::new(seed)),
            Kind::Flat => Box::new(Flat::new(seed)),
            Kind::Greedy(params) => Box::new(Greedy::new(game, params.clone(), seed)?),
            Kind::Uct(params) => Box::new(Uct::new(game, params.clone(), seed)?),
            Kind::AlphaBeta(params) => Box::new(AlphaBeta::new(game, params.clone(), seed)?),
            Kind::Mbm(params) => Box::new(Mbm::new(game, params.clone(), seed)),
            Kind::DoubleOracle(params) => Box::new(DoubleOracle::new(game, params.clone(), seed)?),
            Kind::Ropasci(params) => params.build(seed),
            Kind::Ludo(params) => params.build(seed)?,
            Kind::Hidden(params) if params.kind == hidden::Kind::CheatUct => {
                Box::new(CheatUct::new(game, seed)?)
            }
            Kind::Hidden(params) => Box::new(Hidden::new(params.clone(), seed)),
            Kind::Hyper(params) => params.build(game, seat, seed)?,
            Kind::Human => Box::new(Human::terminal()),
        };
        Ok(Box::new(Seated { name: self.to_string(), budget: self.budget.clone(), mind }))
    }
}

impl FromStr for AgentSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        AgentSpec::read(&text.parse()?)
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Greedy(params) => params.fmt(f)?,
            Kind::Uct(params) => params.fmt(f)?,
            Kind::AlphaBeta(params) => params.fmt(f)?,
            Kind::Mbm(params) => params.fmt(f)?,
            Kind::DoubleOracle(params) => params.fmt(f)?,
            Kind::Ropasci(params) => params.fmt(f)?,
            Kind::Ludo(params) => params.fmt(f)?,
            Kind::Hidden(params) => params.fmt(f)?,
            Kind::Hyper(params) => params.fmt(f)?,
            plain => f.write_str(plain.name())?,
        }
        if self.budget.is_empty() { Ok(()) } else { write!(f, "@{}", self.budget) }
    }
}

/// A mind with the name and the budget that it was asked for by.
struct Seated {
    name: String,
    budget: Budget,
    mind: Box<dyn Agent<AnyGame>>,
}

impl Agent<AnyGame> for Seated {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice> {
        let budget = self.budget.or(budget);
        // Agents keep to their limits by themselves; this holds whatever they call to them, too.
        let _scope = Clock::start(&budget, true).enter();
        first_guess(game, view, &budget);
        let choice = self.mind.choose(game, view, &budget)?;
        best::publish(choice.mv);
        Ok(choice)
    }

    fn watch(&mut self, watch: Option<Watch>) {
        self.mind.watch(watch);
    }

    fn ponder(&mut self, game: &AnyGame, view: &View<'_, AnyGame>, stop: &Stop) {
        self.mind.ponder(game, view, stop);
    }

    fn belief(&self, game: &AnyGame) -> Option<crate::Belief> {
        self.mind.belief(game)
    }

    fn cheats(&self) -> bool {
        self.mind.cheats()
    }
}

/// Publishes a cheap first choice, where anybody wants to see one: any move, then what one ply of look-ahead says within a
/// small part of the time.
fn first_guess(game: &AnyGame, view: &View<'_, AnyGame>, budget: &Budget) {
    let ([first, _, ..], Some(best)) = (view.legal(), Best::current()) else { return };
    if best.get().is_some() {
        return;
    }
    best.set(*first);
    let time = budget.time.unwrap_or(Budget::DEFAULT_TIME) / 10;
    let short = Budget::time(time.min(Duration::from_millis(200)));
    let guess = match view.state() {
        Some(_) => Greedy::new(game, greedy::Params::default(), Seed(1)),
        None => return,
    };
    if let Ok(choice) = guess.and_then(|mut guess| guess.choose(game, view, &short)) {
        best::publish(choice.mv);
    }
}

/// Writes `name(a=1,b=2)` with the parameters that are there.
pub(crate) fn write_call<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    given: [Option<String>; N],
) -> fmt::Result {
    let given: Vec<String> = given.into_iter().flatten().collect();
    match given.is_empty() {
        true => f.write_str(name),
        false => write!(f, "{name}({})", given.join(",")),
    }
}

/// The position, for a mind that needs to see it.
pub(crate) fn visible<'a, G: Game>(
    game: &G,
    view: &View<'a, G>,
    mind: &str,
) -> Result<&'a G::State> {
    view.state().ok_or_else(|| {
        Error::Unsupported(format!(
            "{mind} needs to see the whole position, and {} hides a part",
            game.info().name
        ))
    })
}

/// The caller asked a seat that has no move to make.
pub(crate) fn not_to_move(mind: &str) -> Error {
    Error::Unsupported(format!("{mind} was asked for a move where none is due from its seat"))
}
