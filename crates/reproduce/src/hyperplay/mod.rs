//! Schofield and Thielscher 2017, 'The Efficiency of the HyperPlay Technique Over Random Sampling': figures 3 to 7, and
//! the questions that the paper leaves open.
//!
//! The rule sheets of the paper are lost. Ours, in `games/`, follow its descriptions; the head of each sheet states its
//! size and its percepts. So the shapes of curves and the verdicts can be compared, but absolute values only where the
//! rules leave no choice.

mod bias;
mod case;
mod cost;
mod questions;
mod remedies;
mod variants;

pub(crate) use bias::{end_game, mid_game};
pub(crate) use case::run as case_study;
pub(crate) use cost::run as sampling_cost;
pub(crate) use questions::run as questions;
pub(crate) use remedies::run as remedies;
pub(crate) use variants::run as variants;

use crate::Options;
use ludex_agents::hidden::Observations;
use ludex_agents::{Agent, AgentSpec, Budget};
use ludex_core::{AnyGame, Game, Match, Move, Player, Record, Result, Seed, Turn};
use ludex_gdl::game::{GdlGame, GdlState};
use ludex_gdl::lanes::histories::Lived;
use rustix::time::{ClockId, clock_gettime};

/// A game of the paper's basket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The name in the paper.
    pub(crate) title: &'static str,
    /// Our rule sheet.
    pub(crate) sheet: &'static str,
    /// The measured seat: the second player in games of two.
    pub(crate) seat: u8,
}

/// The basket, in the paper's order.
pub(crate) const BASKET: [Entry; 8] = [
    Entry { title: "Battleships In Fog", sheet: "battleships-in-fog", seat: 1 },
    Entry { title: "Blind Breakthrough", sheet: "blind-breakthrough5", seat: 1 },
    Entry { title: "Border Protection", sheet: "border-protection", seat: 0 },
    Entry { title: "Guess Who", sheet: "guess-who", seat: 0 },
    Entry { title: "Hidden Connect", sheet: "hidden-connect", seat: 1 },
    Entry { title: "Krieg TTT", sheet: "krieg-tictactoe", seat: 1 },
    Entry { title: "Mastermind", sheet: "mastermind-small", seat: 0 },
    Entry { title: "Transit", sheet: "transit", seat: 0 },
];

/// A game under measurement: a sheet of the basket, or a variant of it.
#[derive(Debug)]
pub(crate) struct Setup {
    /// The name in the paper.
    pub(crate) title: &'static str,
    /// The name of the game; it also separates the streams of random numbers.
    pub(crate) name: String,
    pub(crate) game: AnyGame,
    /// The measured seat.
    pub(crate) seat: Player,
    /// The number of matches.
    pub(crate) matches: u64,
    /// Is a model held against the list of legal moves that the seat is shown, and not only against its percepts?
    pub(crate) lists: bool,
    /// The states that a model may visit in an update.
    pub(crate) cap: u64,
    /// The number of models in figures 4 and 5: five for each history of the largest tested set.
    pub(crate) models: usize,
}

/// The published cap.
pub(crate) const CAP: u64 = 100_000;

impl Setup {
    /// A game of the basket as its sheet stands.
    pub(crate) fn of(entry: &Entry, matches: u64) -> Result<Setup> {
        Ok(Setup {
            title: entry.title,
            name: entry.sheet.into(),
            game: ludex_library::open(entry.sheet)?,
            seat: Player(entry.seat),
            matches,
            lists: true,
            cap: CAP,
            models: bias::MODELS,
        })
    }
}

/// The published player with few models and few simulations, so that play varies.
const SUB_OPTIMAL: &str = "hyperplay(models=6,cap=2000,remedy=none)@sims=48";

/// Plays a game among sub-optimal players. After each step `watch` gets the observation history of the measured seat (with
/// its legal moves if it is to move and they count) and whether the game is over. Returns the number of steps.
pub(crate) fn play(
    setup: &Setup,
    seed: Seed,
    mut watch: impl FnMut(&Observations, bool) -> Result<()>,
) -> Result<usize> {
    play_whole(setup, seed, |observed, _, over| watch(observed, over))
}

/// [`play`], where `watch` also gets a flag for each record: did a step of the rule sheet end with it? A step in which
/// players and chance choose has two records.
pub(crate) fn play_whole(
    setup: &Setup,
    seed: Seed,
    mut watch: impl FnMut(&Observations, &[bool], bool) -> Result<()>,
) -> Result<usize> {
    let (game, seat) = (&setup.game, setup.seat);
    let spec: AgentSpec = SUB_OPTIMAL.parse()?;
    let players = game.info().seats();
    let mut agents = (0..players)
        .map(|p| spec.build(game, Player(p as u8), seed.named("mind").child(p as u64)))
        .collect::<Result<Vec<Box<dyn Agent<AnyGame>>>>>()?;
    let mut dice = seed.named("dice").rng();
    let mut play = Match::new(game);
    let mut observed = Observations::new(seat);
    let mut pad = Vec::new();
    let mut ends = Vec::new();
    loop {
        if setup.lists && play.turn().includes(seat) {
            observed.asked(&play.legal(seat));
        }
        if !observed.is_empty() {
            watch(&observed, &ends, play.is_over())?;
        }
        let mut joint = Vec::new();
        match play.turn() {
            Turn::Over => return Ok(observed.len()),
            Turn::Chance => joint.push(play.sample_chance(&mut dice)),
            turn => {
                for player in turn.movers().iter() {
                    let view = play.view(player, &mut pad);
                    let choice = agents[player.index()].choose(game, &view, &Budget::default())?;
                    joint.push(choice.mv);
                }
            }
        }
        play.try_apply(&joint)?;
        let within = game.get::<GdlGame>().zip(play.state().get::<GdlState>());
        ends.push(!within.is_some_and(|(game, state)| game.is_within_step(state)));
        play.records(seat).last().into_iter().for_each(|record| observed.push(record.clone()));
    }
}

/// An observation history in whole steps of the rule sheet, in the numbers of its engine, with the number of records of
/// each step. `None` in the middle of a step.
pub(crate) fn whole_steps(
    observed: &Observations,
    ends: &[bool],
) -> Option<(Vec<Lived>, Vec<u64>)> {
    if ends.last() != Some(&true) {
        return None;
    }
    let number = |word: u64| u32::try_from(word).unwrap_or(u32::MAX);
    let (mut steps, mut sizes) = (Vec::new(), Vec::new());
    let (mut step, mut size) = (Lived::default(), 0);
    for (seen, &end) in observed.steps.iter().zip(ends) {
        size += 1;
        step.own = step.own.or(seen.record.own.map(|mv| number(mv.0)));
        step.legal = step.legal.or(seen.legal.as_deref().map(numbers));
        if end {
            step.percepts = seen.record.percept.0.iter().map(|&word| number(word)).collect();
            steps.push(std::mem::take(&mut step));
            sizes.push(std::mem::take(&mut size));
        }
    }
    Some((steps, sizes))
}

/// Moves as numbers of the engine.
pub(crate) fn numbers(moves: &[Move]) -> Vec<u32> {
    moves.iter().map(|mv| u32::try_from(mv.0).unwrap_or(u32::MAX)).collect()
}

/// The records of an observation history.
pub(crate) fn records(observed: &Observations) -> Vec<Record> {
    observed.steps.iter().map(|m| m.record.clone()).collect()
}

/// The CPU time of this thread in seconds.
pub(crate) fn worked() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Runs `task` for the numbers below `count` on all cores. Results are in the order of the numbers.
pub(crate) fn parallel<T: Send>(
    options: &Options<'_>,
    count: u64,
    task: impl Fn(u64) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    use rayon::prelude::*;
    (0..count)
        .into_par_iter()
        .map(|number| {
            let done = task(number);
            options.progress.step();
            done
        })
        .collect()
}
