//! One member plays: the one of which a model expects most.

use super::member::{Member, share};
use super::predict::{self, Which};
use super::preset::{Preset, choose_heuristic};
use super::trial::{self, duel};
use super::{check_members, obstacle, seat_members};
use crate::agent::{Agent, Choice, Failure};
use crate::best;
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::spec::AgentSpec;
use ludex_core::deadline::Deadline;
use ludex_core::{AnyGame, Error, Game, Info, Player, Result, Seed, View};
use std::time::{Duration, Instant};

pub(crate) const ENTRY: Entry = Entry {
    name: "portfolio",
    summary: "plays as the member that a model predicts to be the best for the game",
    needs: Needs::MEMBER,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of [`Portfolio`].
    pub struct Params {
        /// Members, as plain arguments; none: the agents that the model knows.
        pub members: Vec<AgentSpec> = Vec::new();
        /// Model file of `ludex train`; usual: the one in the binary.
        pub model: Option<String> = None, "usual";
        /// Members where none are named: usual, or thesis (the sub-agents of Thompson 2024 with their settings).
        pub preset: Preset = Preset::Usual;
        /// Model that chooses the heuristic of `alphabeta` at the start: a model file, usual (the one in the binary) or none;
        /// auto: usual for preset=thesis, else none.
        pub heuristics: Option<String> = None, "auto";
        /// Short games between the two best predicted members, before the first move.
        pub check: u32 = 0, 0..=1000;
    }
    check = |params| check_members(&params.members);
}

impl Params {
    fn candidates(&self) -> Result<Vec<AgentSpec>> {
        match (self.members.as_slice(), self.preset) {
            ([], Preset::Usual) => predict::targets(self.model.as_deref()),
            (members, preset) => preset.members(members),
        }
    }
}

impl Recipe for Params {
    fn build(&self, game: &AnyGame, seat: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let mut candidates = self.candidates()?;
        let mut forecast = predict::forecast(game, self.model.as_deref(), &candidates)?;
        let (heuristics, at) =
            (self.preset.heuristics(self.heuristics.as_deref()), (game, seat, seed));
        choose_heuristic(&mut candidates, &mut forecast, heuristics, at)?;
        let (members, notes) = seat_members(candidates, forecast, 1.0, at)?;
        let mut portfolio = Portfolio::new(members, self.check, notes, seed);
        let open = !game.info().hidden && !game.info().simultaneous;
        let usual = self.preset == Preset::Usual && self.members.is_empty();
        if open && usual && self.model.is_none() {
            let known = predict::targets(Which::Long)?;
            let forecast = predict::forecast(game, Which::Long, &known)?;
            portfolio.long = known.into_iter().zip(forecast.values).collect();
            portfolio.try_out(game);
        }
        Ok(Box::new(portfolio))
    }

    fn obstacle(&self, info: &Info) -> Option<String> {
        obstacle(self.candidates(), info)
    }

    fn load(&self) -> Result<()> {
        self.preset.load(self.heuristics.as_deref())?;
        predict::model(self.model.as_deref()).map(|_| ())
    }
}

/// The agent.
pub struct Portfolio {
    /// The best expected first; the first one plays.
    members: Vec<Member>,
    check: u32,
    notes: Vec<String>,
    seed: Seed,
    /// Predictions for longer thinking times. They are used, or dropped, at the first move, when the budget is known.
    long: Vec<(AgentSpec, f64)>,
    /// The trial that is part of these predictions.
    tried: Option<String>,
}

/// The least time for a move at which the model of longer thinking times is asked.
const LONG: Duration = Duration::from_millis(10);

impl Portfolio {
    /// A portfolio of these members, checked by so many games before the first move.
    pub fn new(mut members: Vec<Member>, check: u32, notes: Vec<String>, seed: Seed) -> Self {
        // The order of equals stays.
        members.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Portfolio { members, check, notes, seed, long: Vec::new(), tried: None }
    }

    /// Lets the agents that the model of longer thinking times knows play short games, and corrects its prediction by them.
    fn try_out(&mut self, game: &AnyGame) {
        let [first, second] = &mut self.long[..] else { return };
        let trial = trial::play(game, &[first.0.clone(), second.0.clone()]);
        let predicted = (0.5 + (first.1 - second.1) / 200.0).clamp(0.0, 1.0);
        let expected = trial.with(predicted);
        (first.1, second.1) = (100.0 * expected, 100.0 * (1.0 - expected));
        self.tried = Some(format!("{} of {} trial games for {}", trial.won, trial.games, first.0));
    }

    /// Orders the members by the model of longer thinking times if the budget has that time. Members that this model does
    /// not know come last.
    fn order_by_time(&mut self, budget: &Budget) {
        let known = std::mem::take(&mut self.long);
        let time = budget.time.or(budget.cpu);
        let short = !budget.is_empty() && time.is_none_or(|time| time < LONG);
        if known.is_empty() || short {
            return;
        }
        let value = |member: &Member| {
            let found = known.iter().find(|(spec, _)| *spec == member.spec);
            found.map_or(f64::NEG_INFINITY, |(_, value)| *value)
        };
        self.members.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let list = known.iter().map(|(spec, value)| format!("{spec} {value:.0} %"));
        let list = list.collect::<Vec<_>>().join(", ");
        let tried = self.tried.take().map(|tried| format!(" ({tried})")).unwrap_or_default();
        self.notes.push(format!("expected at 20 ms a move: {list}{tried}"));
    }

    /// Lets the two best expected play each other, short of time, and puts the second first where
    /// it wins clearly: the prediction counts as much as half of the games.
    fn compare(&mut self, game: &AnyGame, view: &View<'_, AnyGame>, budget: &Budget) {
        let games = std::mem::take(&mut self.check);
        let seats = game.info().seats();
        let ([first, second, ..], true) = (&self.members[..], seats >= 2 && games > 0) else {
            return;
        };
        let pair = [first.spec.clone(), second.spec.clone()];
        // A half of the first move's budget for all games together.
        let short = share(budget, 0.02);
        let limit = budget.time.map(|time| time.mul_f64(0.5));
        let wall = limit.and_then(|limit| Instant::now().checked_add(limit));
        let _scope = Deadline { wall, ..Deadline::default() }.enter();
        let _hidden = best::hide();
        let (mut gained, mut played) = (0.0, 0u32);
        for number in 0..games {
            let seed = self.seed.named("check").child(u64::from(number));
            match duel(game, view.origin(), &pair, (number as usize % 2, 500), &short, seed) {
                Ok(Some(gain)) => (gained, played) = (gained + gain, played + 1),
                // The time is up: a game cut short says nothing.
                Ok(None) => break,
                Err((loser, error)) => {
                    self.notes.push(format!("{} is dropped: {error}", pair[loser]));
                    self.members.remove(loser);
                    return;
                }
            }
        }
        let expected = first.weight / (first.weight + second.weight).max(f64::MIN_POSITIVE);
        let trust = 0.5 * f64::from(played.max(1));
        let mean = (gained + trust * expected) / (f64::from(played) + trust);
        self.notes.push(format!(
            "checked by {played} games: {} {:.2} against {}",
            pair[0],
            gained / f64::from(played.max(1)),
            pair[1]
        ));
        if mean < 0.5 {
            self.members.swap(0, 1);
        }
    }
}

impl Agent<AnyGame> for Portfolio {
    fn name(&self) -> String {
        self.members.first().map_or("portfolio".into(), |m| format!("portfolio: {}", m.spec))
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let _scope = Clock::start(budget, true).enter();
        let mut budget = budget.clone();
        self.order_by_time(&budget);
        if self.check > 0 {
            let begun = Instant::now();
            self.compare(game, view, &budget);
            budget.time = budget
                .time
                .map(|time| time.saturating_sub(begun.elapsed()).max(time.mul_f64(0.25)));
        }
        // A member that fails is dropped, and the next best takes over.
        while let Some(member) = self.members.first_mut() {
            match member.choose(game, view, &budget) {
                Ok(mut choice) => {
                    let mut notes = vec![format!("{} plays", member.spec)];
                    notes.extend(self.notes.iter().cloned());
                    choice.thought.notes = notes;
                    return Ok(choice);
                }
                Err(error) => {
                    self.notes.push(format!("{} is dropped: {error}", member.spec));
                    self.members.remove(0);
                }
            }
        }
        let text = format!("no member is left: {}", self.notes.join("; "));
        Err(Error::Unsupported(text).into())
    }
}
