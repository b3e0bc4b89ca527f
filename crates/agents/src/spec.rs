//! The names of agents: `uct`, `uct(c=0.7)@sims=500`, `alphabeta(heuristic=material)`.

use crate::agent::{Agent, Choice, Failure, Watch};
use crate::best::{self, Best};
use crate::budget::Budget;
use crate::catalog::{AnyRecipe, Entry, catalog};
use crate::clock::Clock;
use crate::minds::greedy::{self, Greedy};
use ludex_core::deadline::Stop;
use ludex_core::error::did_you_mean;
use ludex_core::schema::{Bounds, Kind, Refusal, Value};
use ludex_core::{AnyGame, Error, Game, Info, Player, Result, Seed, Spec, View};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// An agent by name, with its parameters and its own budget, checked and ready to be built.
///
/// ```
/// use ludex_agents::AgentSpec;
/// let spec: AgentSpec = "uct(c=1.4)@sims=500".parse().unwrap();
/// assert_eq!(spec.to_string(), "uct(c=1.4)@sims=500");
/// let error = "ucb".parse::<AgentSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown agent `ucb`: did you mean `uct`?");
/// ```
#[derive(Debug, Clone)]
pub struct AgentSpec {
    entry: &'static Entry,
    recipe: Arc<dyn AnyRecipe>,
    budget: Budget,
}

impl AgentSpec {
    /// Reads a parsed name.
    ///
    /// # Errors
    /// An unknown name, parameters or limits that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        let Some(entry) = catalog().iter().find(|entry| entry.name == spec.name) else {
            return Err(unknown(&spec.name));
        };
        let recipe = (entry.usual)().read(spec)?;
        Ok(AgentSpec { entry, recipe, budget: Budget::read(spec)? })
    }

    /// The bare name, without parameters and budget.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// The agent's own limits; empty where the name gives none.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The agent with these limits of its own.
    #[must_use]
    pub fn with_budget(&self, budget: Budget) -> Self {
        AgentSpec { budget, ..self.clone() }
    }

    /// The name with its parameters and without its budget, as data.
    fn spec(&self) -> Spec {
        Spec { args: self.recipe.given(&*(self.entry.usual)()), ..Spec::new(self.entry.name) }
    }

    /// Can it play such a game?
    ///
    /// # Errors
    /// The reason why it cannot, and an agent that can play the game instead.
    pub fn supports(&self, info: &Info) -> Result<()> {
        let Some(obstacle) = self.obstacle(info) else { return self.recipe.load() };
        let instead = crate::catalog::usual(info);
        Err(Error::Unsupported(format!(
            "{} can't play {}: it {obstacle}; `{instead}` can play it",
            self.entry.name, info.name
        )))
    }

    /// Why it cannot play such a game; `None` if it can.
    pub(crate) fn obstacle(&self, info: &Info) -> Option<String> {
        self.entry.needs.obstacle(info).or_else(|| self.recipe.obstacle(info))
    }

    /// Sits down at `seat`.
    ///
    /// # Errors
    /// The agent can't play this game, or a parameter does not fit it.
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
        let mind = self.recipe.build(game, seat, seed)?;
        Ok(Box::new(Seated { name: self.to_string(), budget: self.budget.clone(), mind }))
    }
}

fn unknown(name: &str) -> Error {
    let known = catalog().iter().map(|entry| entry.name);
    let mut hint = did_you_mean(name, known.clone());
    if hint.is_empty() {
        hint = format!("; there are {}", known.collect::<Vec<_>>().join(", "));
    }
    Error::Unknown { what: "agent", name: name.into(), hint }
}

/// Two names are equal if they make the same agent: `uct` and `uct(c=0.7)` are.
impl PartialEq for AgentSpec {
    fn eq(&self, other: &Self) -> bool {
        self.budget == other.budget && self.spec() == other.spec()
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
        self.spec().fmt(f)?;
        if self.budget.is_empty() { Ok(()) } else { write!(f, "@{}", self.budget) }
    }
}

impl Value for AgentSpec {
    fn kind(_: &Bounds) -> Kind {
        Kind::Name("agent")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        Ok(AgentSpec::read(value)?)
    }

    fn write(&self, _: &Bounds) -> Spec {
        // A name that was printed reads back.
        self.to_string().parse().unwrap_or_else(|_| self.spec())
    }
}

/// An agent with the name and the budget that people gave it.
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
    ) -> Result<Choice, Failure> {
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

/// Publishes a cheap first choice where another thread waits for one: the first legal move, then the best move of one ply of
/// look-ahead within a tenth of the time.
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
    if let Ok(mut guess) = guess
        && let Ok(choice) = guess.choose(game, view, &short)
    {
        best::publish(choice.mv);
    }
}

/// The position, for an agent that needs to see it.
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

/// The error of a seat that was asked for a move although it has none to make.
pub(crate) fn not_to_move(mind: &str) -> Error {
    Error::Unsupported(format!("{mind} was asked for a move where none is due from its seat"))
}
