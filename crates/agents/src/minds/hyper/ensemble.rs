//! All members are asked for every move, and vote.

use super::member::{Member, proved_win, share};
use super::predict::{self, Forecast};
use super::preset::{Preset, choose_heuristic};
use super::{check_members, obstacle, seat_members};
use crate::agent::{Agent, Candidate, Choice, Failure, Thought};
use crate::best::Best;
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::spec::AgentSpec;
use crate::spec::not_to_move;
use ludex_core::deadline::{self, Deadline};
use ludex_core::{AnyGame, Error, Info, Move, Player, Result, Rng, Seed, View};

pub(crate) const PLAIN: Entry = Entry {
    name: "ensemble",
    summary: "its members, as in ensemble(uct,mast), share the time and vote on every move",
    needs: Needs::MEMBER,
    usual: || recipe(Params::default()),
};

pub(crate) const PARALLEL: Entry = Entry {
    name: "parallel-ensemble",
    summary: "an ensemble whose members think at the same time, one thread each",
    needs: Needs::MEMBER,
    usual: || recipe(Params { parallel: true, ..Params::default() }),
};

pub(crate) const WEIGHTED: Entry = Entry {
    name: "weighted-ensemble",
    summary: "an ensemble in which predicted win rates weigh votes and time",
    needs: Needs::MEMBER,
    usual: || recipe(WeightedParams::default()),
};

pub(crate) const PARALLEL_WEIGHTED: Entry = Entry {
    name: "parallel-weighted-ensemble",
    summary: "a weighted ensemble whose members think at the same time",
    needs: Needs::MEMBER,
    usual: || recipe(WeightedParams { parallel: true, ..WeightedParams::default() }),
};

/// How a member votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Votes {
    /// One vote for their move.
    #[default]
    One,
    /// Their vote in shares over all moves, by visits or values.
    Ranking,
}

ludex_core::words!(Votes { One = "one", Ranking = "ranking" });

/// The rule that decides between moves with equal votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// The move that its voters value most, then by lot.
    #[default]
    Value,
    /// The move that had so many votes first.
    First,
}

ludex_core::words!(Ties { Value = "value", First = "first" });

ludex_core::params! {
    /// The parameters of an ensemble whose members are equals.
    pub struct Params {
        /// Members, as plain arguments; none: alphabeta, mast, grave, ph and uct.
        pub members: Vec<AgentSpec> = Vec::new();
        /// Members where none are named: usual, or thesis (the sub-agents of Thompson 2024 with their settings).
        pub preset: Preset = Preset::Usual;
        /// Model that chooses the heuristic of `alphabeta` at the start: a model file, usual (the one in the binary) or none;
        /// auto: usual for preset=thesis, else none.
        pub heuristics: Option<String> = None, "auto";
        /// Each member votes for one move (one), or in shares over all moves (ranking).
        pub votes: Votes = Votes::One;
        /// Equal votes: the move that its voters value most (value), or the first (first, as in the thesis).
        pub ties: Ties = Ties::Value;
    }
    with {
        /// Do all members think at the same time, each with the full budget?
        pub parallel: bool = false;
    }
    check = |params| check_members(&params.members);
}

impl Recipe for Params {
    fn build(&self, game: &AnyGame, seat: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let mut candidates = self.preset.members(&self.members)?;
        let mut forecast = Forecast::even(candidates.len());
        let (heuristics, at) =
            (self.preset.heuristics(self.heuristics.as_deref()), (game, seat, seed));
        choose_heuristic(&mut candidates, &mut forecast, heuristics, at)?;
        let (members, notes) = seat_members(candidates, forecast, 1.0, at)?;
        let Params { votes, ties, parallel, .. } = *self;
        Ok(Box::new(Ensemble::new(Rules { votes, ties, parallel }, members, notes, seed)))
    }

    fn obstacle(&self, info: &Info) -> Option<String> {
        obstacle(self.preset.members(&self.members), info)
    }

    fn load(&self) -> Result<()> {
        self.preset.load(self.heuristics.as_deref())
    }
}

ludex_core::params! {
    /// The parameters of an ensemble that asks a model how much each member counts.
    pub struct WeightedParams {
        /// Members, as plain arguments; none: alphabeta, mast, grave, ph and uct.
        pub members: Vec<AgentSpec> = Vec::new();
        /// Members where none are named: usual, or thesis (the sub-agents of Thompson 2024 with their settings).
        pub preset: Preset = Preset::Usual;
        /// Model that chooses the heuristic of `alphabeta` at the start: a model file, usual (the one in the binary) or none;
        /// auto: usual for preset=thesis, else none.
        pub heuristics: Option<String> = None, "auto";
        /// Model file of `ludex train`; usual: the one in the binary.
        pub model: Option<String> = None, "usual";
        /// Each member votes for one move (one), or in shares over all moves (ranking).
        pub votes: Votes = Votes::One;
        /// Equal votes: the move that its voters value most (value), or the first (first, as in the thesis).
        pub ties: Ties = Ties::Value;
        /// Power to which predicted win rates are taken before they weigh.
        pub sharpen: f64 = 1.0, 0.0..=100.0;
    }
    with {
        /// Do all members think at the same time, each with the full budget?
        pub parallel: bool = false;
    }
    check = |params| check_members(&params.members);
}

impl Recipe for WeightedParams {
    fn build(&self, game: &AnyGame, seat: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let mut candidates = self.preset.members(&self.members)?;
        let mut forecast = predict::forecast(game, self.model.as_deref(), &candidates)?;
        let (heuristics, at) =
            (self.preset.heuristics(self.heuristics.as_deref()), (game, seat, seed));
        choose_heuristic(&mut candidates, &mut forecast, heuristics, at)?;
        let (members, notes) = seat_members(candidates, forecast, self.sharpen, at)?;
        let WeightedParams { votes, ties, parallel, .. } = *self;
        Ok(Box::new(Ensemble::new(Rules { votes, ties, parallel }, members, notes, seed)))
    }

    fn obstacle(&self, info: &Info) -> Option<String> {
        obstacle(self.preset.members(&self.members), info)
    }

    fn load(&self) -> Result<()> {
        self.preset.load(self.heuristics.as_deref())?;
        predict::model(self.model.as_deref()).map(|_| ())
    }
}

/// How an ensemble decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// How a member votes.
    pub votes: Votes,
    /// The rule that decides between moves with equal votes.
    pub ties: Ties,
    /// Do all members think at the same time, each with the full budget?
    pub parallel: bool,
}

/// The agent.
pub struct Ensemble {
    rules: Rules,
    members: Vec<Member>,
    notes: Vec<String>,
    rng: Rng,
}

impl Ensemble {
    /// An ensemble of these members.
    pub fn new(rules: Rules, members: Vec<Member>, notes: Vec<String>, seed: Seed) -> Self {
        Ensemble { rules, members, notes, rng: seed.named("ties").rng() }
    }

    /// One after the other, each with its share of the budget; a proved win ends it.
    fn in_turn(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Vec<Result<Choice, Failure>> {
        let _scope = Clock::start(budget, true).enter();
        let total: f64 = self.members.iter().map(|member| member.weight).sum();
        let even = 1.0 / self.members.len().max(1) as f64;
        let mut answers = Vec::new();
        for member in &mut self.members {
            let part = if total > 0.0 { member.weight / total } else { even };
            if part <= 0.0 {
                answers.push(Err(Error::Unsupported("nothing is expected of it".into()).into()));
                continue;
            }
            let answer = member.choose(game, view, &share(budget, part));
            let won = answer.as_ref().is_ok_and(|choice| proved_win(&choice.thought));
            answers.push(answer);
            // Once the time is up, the votes that are in must do.
            if won || deadline::look() {
                break;
            }
        }
        answers
    }

    /// All at the same time, a thread each, each with the full time; simulations and nodes are work,
    /// which is shared.
    fn at_once(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Vec<Result<Choice, Failure>> {
        let part = share(budget, 1.0 / self.members.len().max(1) as f64);
        let each = &Budget { time: budget.time, cpu: budget.cpu, ..part };
        let outer = &Deadline::current();
        // One member publishes its best move so far.
        let mut shown = Best::current();
        std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .members
                .iter_mut()
                .map(|member| {
                    let shown = shown.take();
                    scope.spawn(move || {
                        let _scope = outer.enter();
                        let _shown = shown.as_ref().map(Best::enter);
                        member.choose(game, view, each)
                    })
                })
                .collect();
            let gone = |_| Err(Failure::Crashed("its thread is gone".into()));
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(gone)).collect()
        })
    }

    /// The move with the most votes.
    fn count(&mut self, ballots: &[(f64, Choice)]) -> Option<Vec<Candidate>> {
        let total: f64 = ballots.iter().map(|(weight, _)| weight).sum();
        let even = 1.0 / ballots.len().max(1) as f64;
        // By move, in the order in which they were named: votes, and the values of voters.
        let mut tally: Vec<(Move, f64, f64, f64)> = Vec::new();
        let mut first: Option<(Move, f64)> = None;
        for (weight, choice) in ballots {
            let weight = if total > 0.0 { weight / total } else { even };
            for (mv, part, value) in votes(choice, self.rules.votes) {
                let at = tally.iter().position(|entry| entry.0 == mv).unwrap_or_else(|| {
                    tally.push((mv, 0.0, 0.0, 0.0));
                    tally.len() - 1
                });
                let entry = &mut tally[at];
                entry.1 += weight * part;
                entry.2 += weight * part * f64::from(value);
                entry.3 += weight * part;
                // The candidate changes only on strictly more votes.
                if first.is_none_or(|(_, most)| entry.1 > most) {
                    first = Some((mv, entry.1));
                }
            }
        }
        let (leader, _) = first?;
        let mut order: Vec<(Candidate, f64, u64)> = tally
            .iter()
            .map(|&(mv, votes, value, weight)| {
                let value = (value / weight.max(f64::MIN_POSITIVE)) as f32;
                let visits = (1000.0 * votes).round() as u64;
                let lot = self.rng.bits();
                (
                    Candidate { mv, visits, value, line: vec![mv], ..Candidate::default() },
                    votes,
                    lot,
                )
            })
            .collect();
        order.sort_by(|a, b| {
            let close = (a.1 - b.1).abs() < 1e-9;
            let votes = if close { std::cmp::Ordering::Equal } else { b.1.total_cmp(&a.1) };
            let ties = match self.rules.ties {
                Ties::Value => b.0.value.total_cmp(&a.0.value).then(a.2.cmp(&b.2)),
                Ties::First => (b.0.mv == leader).cmp(&(a.0.mv == leader)),
            };
            votes.then(ties)
        });
        Some(order.into_iter().map(|(candidate, _, _)| candidate).collect())
    }
}

/// How a member's vote is spread: the move, its part, and what the member thinks it is worth.
fn votes(choice: &Choice, how: Votes) -> Vec<(Move, f64, f32)> {
    let thought = &choice.thought;
    let own = thought.candidates.iter().find(|c| c.mv == choice.mv).map(|c| c.value);
    let value = own.or(thought.value).unwrap_or(0.5);
    let candidates = &thought.candidates;
    if how == Votes::One || candidates.len() < 2 {
        return vec![(choice.mv, 1.0, value)];
    }
    // Visits where the member counts them; else values, sharply.
    let visits: u64 = candidates.iter().map(|c| c.visits).sum();
    let best = candidates.iter().map(|c| c.value).fold(f32::NEG_INFINITY, f32::max);
    let weigh = |c: &Candidate| match visits {
        0 => f64::from((c.value - best) * 10.0).exp(),
        _ => c.visits as f64,
    };
    let total: f64 = candidates.iter().map(weigh).sum();
    candidates
        .iter()
        .map(|c| (c.mv, weigh(c) / total.max(f64::MIN_POSITIVE), c.value))
        .filter(|(_, part, _)| *part > 0.0)
        .collect()
}

impl Agent<AnyGame> for Ensemble {
    fn name(&self) -> String {
        "ensemble".into()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let Some(&only) = view.legal().first() else {
            return Err(not_to_move("an ensemble").into());
        };
        if view.legal().len() == 1 {
            return Ok(Choice::plain(only));
        }
        let answers = match self.rules.parallel {
            true => self.at_once(game, view, budget),
            false => self.in_turn(game, view, budget),
        };
        let mut ballots = Vec::new();
        let mut failed = Vec::new();
        let mut won = None;
        for (i, answer) in answers.into_iter().enumerate() {
            let member = &self.members[i];
            match answer {
                Ok(choice) => {
                    if won.is_none() && proved_win(&choice.thought) {
                        won = Some(choice.clone());
                    }
                    ballots.push((member.weight, choice));
                }
                Err(error) => {
                    self.notes.push(format!("{} is dropped: {error}", member.spec));
                    failed.push(i);
                }
            }
        }
        for i in failed.into_iter().rev() {
            self.members.remove(i);
        }
        let notes = self.notes.clone();
        if let Some(mut choice) = won {
            choice.thought.notes = notes;
            return Ok(choice);
        }
        let thoughts = ballots.iter().map(|(_, choice)| &choice.thought);
        let (sims, nodes, depth) =
            thoughts.fold((0, 0, 0), |(s, n, d), t| (s + t.sims, n + t.nodes, t.depth.max(d)));
        let candidates = self.count(&ballots).ok_or_else(|| {
            Error::Unsupported(format!("no member is left: {}", self.notes.join("; ")))
        })?;
        debug_assert!(!candidates.is_empty(), "every vote is for a move");
        let best = candidates.first().cloned().unwrap_or_default();
        let value = Some(best.value);
        let thought = Thought { sims, nodes, depth, value, proven: false, candidates, notes };
        Ok(Choice { mv: best.mv, thought })
    }
}
