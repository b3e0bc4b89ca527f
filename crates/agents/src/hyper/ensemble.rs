//! All members are asked for every move, and vote.

use super::member::{Member, proved_win, share};
use super::params::{Params, Ties, Votes};
use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::best::Best;
use crate::budget::Budget;
use crate::clock::Clock;
use crate::spec::not_to_move;
use ludex_core::deadline::{self, Deadline};
use ludex_core::{AnyGame, Error, Move, Result, Rng, Seed, View};

/// The mind.
pub struct Ensemble {
    params: Params,
    members: Vec<Member>,
    notes: Vec<String>,
    rng: Rng,
}

impl Ensemble {
    /// An ensemble of these members.
    pub fn new(params: Params, members: Vec<Member>, notes: Vec<String>, seed: Seed) -> Self {
        Ensemble { params, members, notes, rng: seed.named("ties").rng() }
    }

    /// One after the other, each with its share of the budget; a proved win ends it.
    fn in_turn(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Vec<Result<Choice>> {
        let _scope = Clock::start(budget, true).enter();
        let total: f64 = self.members.iter().map(|member| member.weight).sum();
        let even = 1.0 / self.members.len().max(1) as f64;
        let mut answers = Vec::new();
        for member in &mut self.members {
            let part = if total > 0.0 { member.weight / total } else { even };
            if part <= 0.0 {
                answers.push(Err(Error::Unsupported("nothing is expected of it".into())));
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
    ) -> Vec<Result<Choice>> {
        let part = share(budget, 1.0 / self.members.len().max(1) as f64);
        let each = &Budget { time: budget.time, cpu: budget.cpu, ..part };
        let outer = &Deadline::current();
        // One of them tells what it holds best meanwhile.
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
            let gone = |_| Err(Error::Crashed("its thread is gone".into()));
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
            for (mv, part, value) in votes(choice, self.params.votes) {
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
            let ties = match self.params.ties {
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
        self.params.to_string()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice> {
        let Some(&only) = view.legal().first() else { return Err(not_to_move("an ensemble")) };
        if view.legal().len() == 1 {
            return Ok(Choice::plain(only));
        }
        let answers = match self.params.parallel() {
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
        let best = candidates.first().cloned().unwrap_or_default();
        let value = Some(best.value);
        let thought = Thought { sims, nodes, depth, value, proven: false, candidates, notes };
        Ok(Choice { mv: best.mv, thought })
    }
}
