//! `greedy`: one ply of look-ahead by heuristic, or by a few random games where the game gives
//! no terms to judge by.

use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::heuristic::{Evaluator, Heuristic};
use crate::minds::flat::{Sampler, Trial, ranked};
use ludex_core::deadline;
use ludex_core::perft::{choices, each_joint};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed, Turn, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "greedy",
    summary: "one ply of look-ahead by heuristic, or by a few random games",
    needs: Needs::SIGHT,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of [`Greedy`].
    pub struct Params {
        /// How positions are judged: auto, zero, mobility, a term of the game such as material, or
        /// terms(material=1,mobility=0.1).
        pub heuristic: Heuristic = Heuristic::Auto;
        /// Random games a move where the game has no terms to judge by.
        pub playouts: u32 = 16, 1..;
    }
}

impl Recipe for Params {
    fn build(&self, game: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(Greedy::new(game, self.clone(), seed)?))
    }
}

/// The agent.
#[derive(Debug, Clone)]
pub struct Greedy {
    params: Params,
    /// `None`: judge by random games.
    evaluator: Option<Evaluator>,
    rng: Rng,
}

impl Greedy {
    /// More joint replies than this are sampled rather than listed.
    const MOST_REPLIES: usize = 64;

    /// An agent for `game`.
    ///
    /// # Errors
    /// A heuristic that asks for terms which the game does not have.
    pub fn new<G: Game>(game: &G, params: Params, seed: Seed) -> Result<Self> {
        let blind = params.heuristic == Heuristic::Auto && game.terms().is_empty();
        let evaluator = if blind { None } else { Some(params.heuristic.resolve(game)?) };
        Ok(Greedy { params, evaluator, rng: seed.rng() })
    }

    /// The value of `mv`: the mean over what others play at the same time and over the chance
    /// that follows at once. `None` where the clock rings before anything is known.
    fn judge<G: Game>(
        &mut self,
        evaluator: &mut Evaluator,
        game: &G,
        state: &G::State,
        seat: Player,
        mv: Move,
    ) -> Option<f32> {
        let turn = game.turn(state);
        let mut lists = choices(game, state, turn);
        if let Some(own) = lists.get_mut(turn.movers().position(seat)) {
            *own = vec![mv];
        }
        let (mut sum, mut n) = (0.0, 0.0);
        let mut visit = |joint: &[Move]| {
            if deadline::look() {
                return;
            }
            let mut next = state.clone();
            game.apply(&mut next, joint);
            let value = settled(evaluator, game, &next, seat, 0);
            if !deadline::expired() {
                (sum, n) = (sum + value, n + 1.0);
            }
        };
        let size = lists.iter().try_fold(1usize, |size, list| size.checked_mul(list.len()));
        if size.is_some_and(|size| size <= Self::MOST_REPLIES) {
            each_joint(&lists, visit);
        } else {
            let mut joint = Vec::new();
            for _ in 0..Self::MOST_REPLIES {
                joint.clear();
                joint.extend(lists.iter().filter_map(|l| l.get(self.rng.index(l.len()))));
                visit(&joint);
            }
        }
        (n > 0.0).then(|| sum / n)
    }
}

/// The value of a position after chance has moved (two throws deep at most).
fn settled<G: Game>(
    evaluator: &mut Evaluator,
    game: &G,
    state: &G::State,
    seat: Player,
    throws: u32,
) -> f32 {
    match game.turn(state) {
        Turn::Over => {
            let mut payoffs = vec![0.0; game.info().seats()];
            game.payoffs(state, &mut payoffs);
            payoffs.get(seat.index()).copied().unwrap_or(0.0)
        }
        Turn::Chance if throws < 2 => {
            let mut outcomes = Vec::new();
            game.chances(state, &mut outcomes);
            let mut mean = 0.0;
            for (mv, chance) in outcomes {
                if deadline::look() {
                    break;
                }
                let mut next = state.clone();
                game.apply(&mut next, &[mv]);
                mean += chance as f32 * settled(evaluator, game, &next, seat, throws + 1);
            }
            mean
        }
        _ => evaluator.value(game, state, seat),
    }
}

impl<G: Game> Agent<G> for Greedy {
    fn name(&self) -> String {
        self.params.call("greedy", &Params::default()).to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice> {
        let state = crate::spec::visible(game, view, "greedy")?;
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        let mut clock = Clock::start(budget, true);
        let _scope = clock.enter();
        let seat = view.seat();
        let mut trials: Vec<Trial> = view.legal().iter().map(|&mv| Trial::new(mv)).collect();
        self.rng.shuffle(&mut trials);
        let Some(mut evaluator) = self.evaluator.take() else {
            let mut left = budget.sims.unwrap_or(u64::MAX);
            let mut sampler = Sampler::new(game);
            let share = (left / trials.len().max(1) as u64).max(1);
            for trial in &mut trials {
                let n = u64::from(self.params.playouts).min(share).min(left);
                if n == 0 || clock.look() {
                    break;
                }
                sampler.run(game, state, seat, trial, n, &mut self.rng);
                left -= n;
            }
            return ranked(trials).ok_or_else(|| crate::spec::not_to_move("greedy"));
        };
        let mut candidates: Vec<Candidate> = Vec::with_capacity(trials.len());
        for trial in &trials {
            // The moves that the clock does not leave time for stand last.
            let value = match clock.look() {
                true => None,
                false => self.judge(&mut evaluator, game, state, seat, trial.mv),
            };
            candidates.push(Candidate {
                mv: trial.mv,
                visits: value.is_some().into(),
                value: value.unwrap_or(0.0),
                proven: false,
                line: vec![trial.mv],
                ..Candidate::default()
            });
        }
        self.evaluator = Some(evaluator);
        candidates.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        let Some(best) = candidates.first() else {
            return Err(crate::spec::not_to_move("greedy"));
        };
        Ok(Choice {
            mv: best.mv,
            thought: Thought {
                nodes: candidates.len() as u64,
                depth: 1,
                value: Some(best.value),
                candidates,
                ..Thought::default()
            },
        })
    }
}
