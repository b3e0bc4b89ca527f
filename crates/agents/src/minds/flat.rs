//! `flat`: flat Monte Carlo. Every move gets the same number of random games; the best mean wins.

use crate::agent::{Agent, Candidate, Choice, Failure, Thought};
use crate::best;
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use ludex_core::deadline;
use ludex_core::{AnyGame, Game, Move, Outcomes, Player, Result, Rng, Seed, Turn, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "flat",
    summary: "flat Monte Carlo: the move with the best mean over random games",
    needs: Needs::SIGHT,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// [`Flat`] has nothing to set.
    pub struct Params {}
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(Flat::new(seed)))
    }
}

/// The agent. Its playouts go through [`Game::playouts`] in batches, so it runs at the full speed
/// of an engine that steps many states at once.
#[derive(Debug, Clone)]
pub struct Flat {
    rng: Rng,
}

impl Flat {
    /// The most playouts of one move in one batch.
    const BATCH: u64 = 256;

    /// An agent with its own stream.
    pub fn new(seed: Seed) -> Self {
        Flat { rng: seed.rng() }
    }
}

impl<G: Game> Agent<G> for Flat {
    fn name(&self) -> String {
        "flat".into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let state = crate::spec::visible(game, view, "flat")?;
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        let mut clock = Clock::start(budget, budget.sims.is_some());
        let _scope = clock.enter();
        let mut left = budget.sims.unwrap_or(u64::MAX);
        // In random order, so that no move gains from ties or from an uneven rest of the budget.
        let mut trials: Vec<Trial> = view.legal().iter().map(|&mv| Trial::new(mv)).collect();
        self.rng.shuffle(&mut trials);
        let mut sampler = Sampler::new(game);
        let mut batch = 1;
        'rounds: while left > 0 {
            let each = batch.min(left / trials.len() as u64).max(1);
            for trial in &mut trials {
                if left == 0 {
                    break;
                }
                sampler.run(game, state, view.seat(), trial, each, &mut self.rng);
                left -= each;
                if clock.look() {
                    break 'rounds;
                }
            }
            leader(&trials).into_iter().for_each(best::publish);
            batch = (batch * 2).min(Self::BATCH);
        }
        match ranked(trials) {
            Some(choice) => Ok(choice),
            None => Err(crate::spec::not_to_move("flat").into()),
        }
    }
}

/// A move with the results of its random games.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub(crate) mv: Move,
    pub(crate) sum: f64,
    pub(crate) visits: u64,
}

impl Trial {
    pub(crate) fn new(mv: Move) -> Self {
        Trial { mv, sum: 0.0, visits: 0 }
    }

    pub(crate) fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.sum / self.visits as f64 }
    }
}

/// The move with the best mean so far.
fn leader(trials: &[Trial]) -> Option<Move> {
    let tried = trials.iter().filter(|trial| trial.visits > 0);
    tried.max_by(|a, b| a.mean().total_cmp(&b.mean())).map(|trial| trial.mv)
}

/// The trials as a choice: best mean first, untried moves last.
pub(crate) fn ranked(mut trials: Vec<Trial>) -> Option<Choice> {
    trials.sort_by(|a, b| (b.visits > 0).cmp(&(a.visits > 0)).then(b.mean().total_cmp(&a.mean())));
    let best = trials.first()?;
    let thought = Thought {
        sims: trials.iter().map(|t| t.visits).sum(),
        nodes: trials.len() as u64,
        depth: 1,
        value: Some(best.mean() as f32),
        proven: false,
        notes: Vec::new(),
        candidates: trials
            .iter()
            .map(|t| Candidate {
                mv: t.mv,
                visits: t.visits,
                value: t.mean() as f32,
                proven: false,
                line: vec![t.mv],
                ..Candidate::default()
            })
            .collect(),
    };
    Some(Choice { mv: best.mv, thought })
}

/// Plays random games after a move.
pub(crate) struct Sampler<G: Game> {
    starts: Vec<G::State>,
    joint: Vec<Move>,
    pad: Vec<Move>,
    out: Outcomes,
}

impl<G: Game> Sampler<G> {
    pub(crate) fn new(game: &G) -> Self {
        Sampler {
            starts: Vec::new(),
            joint: Vec::new(),
            pad: Vec::new(),
            out: Outcomes::new(game.info().seats()),
        }
    }

    /// `n` random games after `seat`'s move in `state`; those who move at the same time move at
    /// random too.
    pub(crate) fn run(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Player,
        trial: &mut Trial,
        n: u64,
        rng: &mut Rng,
    ) {
        self.out.clear();
        self.starts.clear();
        let turn = game.turn(state);
        let (starts, each) = match turn {
            Turn::Joint(_) => (n as usize, 1),
            _ => (1, n as usize),
        };
        for _ in 0..starts {
            if deadline::look() {
                return;
            }
            self.joint.clear();
            for player in turn.movers().iter() {
                let mv = match player == seat {
                    true => trial.mv,
                    false => game.sample(state, player, rng, &mut self.pad),
                };
                self.joint.push(mv);
            }
            let mut next = state.clone();
            game.apply(&mut next, &self.joint);
            self.starts.push(next);
        }
        game.playouts(&self.starts, each, rng.seed(), &mut self.out);
        for row in self.out.rows() {
            trial.sum += row.get(seat.index()).copied().map_or(0.0, f64::from);
        }
        // Fewer than asked for where the clock rang.
        trial.visits += self.out.len() as u64;
    }
}
