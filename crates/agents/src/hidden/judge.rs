//! Moves judged in the worlds of a bag: by random games (HyperPlay as published), or by a tree search in
//! each of some worlds (perfect-information Monte Carlo).
//!
//! Both take each world for the truth and so believe to know what they only guess: asking is worth nothing
//! to them (the strategy fusion error of Frank and Basin 1998).

use super::bag::{Bag, World};
use super::belief::{Believer, Seen, Task};
use super::vote::Votes;
use crate::agent::{Agent, Choice, Failure};
use crate::best::{self, Best};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::minds::uct::{self, Backup, Uct};
use ludex_core::deadline;
use ludex_core::{Game, Move, Outcomes, Player, Result, Rng, Turn, View};
use std::time::{Duration, Instant};

/// Random games in one batch, about.
const BATCH: usize = 512;

/// Against the clock batches grow as long as they take less than this.
const QUICK: Duration = Duration::from_millis(5);

/// The state after `mv` in a world. Players who move at the same time, and chance, move at random.
pub(crate) fn after<G: Game>(
    game: &G,
    world: &G::State,
    seat: Player,
    mv: Move,
    rng: &mut Rng,
    pad: &mut Vec<Move>,
) -> G::State {
    let mut state = world.clone();
    let movers = game.turn(&state).movers();
    let joint: Vec<Move> = movers
        .iter()
        .map(|p| if p == seat { mv } else { game.sample(world, p, rng, pad) })
        .collect();
    game.apply(&mut state, &joint);
    // A batch can't begin in the middle of a step.
    while game.turn(&state) == Turn::Chance {
        let outcome = game.sample_chance(&state, rng);
        game.apply(&mut state, &[outcome]);
    }
    state
}

/// Random games: each move as often as the others in every world, world by world in random order,
/// until `sims` are played or the clock rings. Batches go through [`Game::playouts`].
pub(crate) fn playouts<G: Game>(
    game: &G,
    worlds: &[&G::State],
    seat: Player,
    votes: &mut Votes,
    sims: Option<u64>,
    clock: &mut Clock,
    rng: &mut Rng,
) {
    let moves = votes.moves().to_vec();
    if sims.is_none() {
        return against_clock(game, worlds, seat, votes, clock, rng);
    }
    let mut left = sims.unwrap_or(u64::MAX);
    let mut order: Vec<usize> = (0..worlds.len()).collect();
    let mut turns: Vec<usize> = (0..moves.len()).collect();
    let (mut starts, mut cells, mut pad) = (Vec::new(), Vec::new(), Vec::new());
    let mut out = Outcomes::new(game.info().seats());
    let mut begun = false;
    loop {
        rng.shuffle(&mut order);
        rng.shuffle(&mut turns);
        for chunk in order.chunks((BATCH / moves.len().max(1)).max(1)) {
            starts.clear();
            cells.clear();
            for &world in chunk {
                // A world has its say on all moves or on none.
                if begun && left < moves.len() as u64 {
                    left = 0;
                }
                for &mv in turns.iter().take(left as usize) {
                    if deadline::look() {
                        return;
                    }
                    starts.push(after(game, worlds[world], seat, moves[mv], rng, &mut pad));
                    cells.push((world, mv));
                    left -= 1;
                }
                begun = true;
            }
            out.clear();
            game.playouts(&starts, 1, rng.seed(), &mut out);
            for (&(world, mv), row) in cells.iter().zip(out.rows()) {
                votes.add(world, mv, row.get(seat.index()).copied().unwrap_or(0.5).into());
            }
            if left == 0 || clock.look() {
                return;
            }
        }
    }
}

/// [`playouts`] for as long as the clock allows. Batches begin small and grow as long as they are quick: where a step is slow
/// the clock must not ring before the first batch is played.
fn against_clock<G: Game>(
    game: &G,
    worlds: &[&G::State],
    seat: Player,
    votes: &mut Votes,
    clock: &mut Clock,
    rng: &mut Rng,
) {
    let moves = votes.moves().to_vec();
    let mut order: Vec<usize> = (0..worlds.len()).collect();
    let mut turns: Vec<usize> = (0..moves.len()).collect();
    let mut out = Outcomes::new(game.info().seats());
    let (mut starts, mut cells, mut pad) = (Vec::new(), Vec::new(), Vec::new());
    let (mut size, mut begun, mut shown) = (1, Instant::now(), Instant::now());
    while !worlds.is_empty() && !moves.is_empty() {
        rng.shuffle(&mut order);
        rng.shuffle(&mut turns);
        for &world in &order {
            for &mv in &turns {
                starts.push(after(game, worlds[world], seat, moves[mv], rng, &mut pad));
                cells.push((world, mv));
                if starts.len() < size && !deadline::look() {
                    continue;
                }
                out.clear();
                game.playouts(&starts, 1, rng.seed(), &mut out);
                for (&(world, mv), row) in cells.iter().zip(out.rows()) {
                    votes.add(world, mv, row.get(seat.index()).copied().unwrap_or(0.5).into());
                }
                starts.clear();
                cells.clear();
                if clock.look() {
                    return;
                }
                let quick = begun.elapsed() < QUICK;
                size = if quick { (size * 2).min(BATCH) } else { (size / 2).max(1) };
                if shown.elapsed() > 2 * QUICK && Best::current().is_some() {
                    let best = votes.best(&mut rng.clone());
                    best.and_then(|at| moves.get(at).copied()).into_iter().for_each(best::publish);
                    shown = Instant::now();
                }
                begun = Instant::now();
            }
        }
    }
}

/// The worlds that a tree search may look at.
pub(crate) struct ByTree<'a, 'w, G: Game> {
    pub(crate) worlds: &'a [World<'w, G>],
    pub(crate) weights: &'a [f64],
    /// How many of them are drawn by their weights and searched.
    pub(crate) count: usize,
}

/// A tree search in each of some worlds; they vote as equals.
///
/// # Errors
/// The search refuses the game.
pub(crate) fn choose_by_tree<G: Game>(
    believer: &mut Believer<G>,
    bag: &Bag<G>,
    task: Task<'_, '_, G>,
    by: ByTree<'_, '_, G>,
) -> Result<Choice, Failure> {
    let legal = task.view.legal();
    let (picks, votes, spent) = search(task, &by, &mut believer.rng)?;
    let weight = 1.0 / picks.len().max(1) as f64;
    let seen = picks
        .into_iter()
        .map(|at| Seen { state: by.worlds[at].state().clone(), weight, models: 1 })
        .collect();
    let states = bag.rounds().last().map_or(0, |round| round.states);
    let Some(mut choice) = votes.choice(states, 1, &mut believer.rng) else {
        return believer.guess(legal);
    };
    choice.thought.sims = spent;
    believer.remember(seen, votes);
    Ok(choice)
}

/// Returns the worlds drawn, their votes, and the simulations run.
fn search<G: Game>(
    task: Task<'_, '_, G>,
    by: &ByTree<'_, '_, G>,
    rng: &mut Rng,
) -> Result<(Vec<usize>, Votes, u64)> {
    let Task { game, view, sims, clock } = task;
    // Every move must have its say in every world that is searched.
    let each = 2 * view.legal().len() as u64;
    let count = by.count.min(sims.map_or(usize::MAX, |sims| (sims / each) as usize)).max(1);
    let picks = systematic(by.weights, count, rng);
    let mut votes = Votes::new(view.legal(), vec![1.0 / count as f64; count]);
    // Without proofs: a search that stops at the first proof leaves other moves without a value.
    let params = uct::Params { backup: Backup::Mean, memory: 32, ..uct::Params::default() };
    let (seat, mut spent) = (view.seat(), 0);
    // The best move of one world is not yet the choice.
    let _hidden = best::hide();
    for (i, &pick) in picks.iter().enumerate() {
        let budget = Budget {
            sims: sims.map(|sims| ((sims - spent) / (count - i) as u64).max(1)),
            time: clock.left().map(|left| left / (count - i) as u32),
            ..Budget::default()
        };
        let state = by.worlds[pick].state();
        let world = View::cheating(state, seat, &[], state, view.legal());
        let choice = Uct::new(game, params.clone(), rng.seed())?.choose(game, &world, &budget)?;
        spent += choice.thought.sims;
        for candidate in choice.thought.candidates.iter().filter(|c| c.visits > 0) {
            let at = view.legal().iter().position(|&mv| mv == candidate.mv);
            at.into_iter().for_each(|at| votes.add(i, at, candidate.value.into()));
        }
        if sims.is_some_and(|sims| spent >= sims) || clock.look() {
            break;
        }
    }
    Ok((picks, votes, spent))
}

/// Systematic resampling: `count` draws by weight with one random number.
pub(crate) fn systematic(weights: &[f64], count: usize, rng: &mut Rng) -> Vec<usize> {
    let step = 1.0 / count as f64;
    let mut at = rng.unit() * step;
    let (mut picks, mut sum) = (Vec::with_capacity(count), 0.0);
    for (i, weight) in weights.iter().enumerate() {
        sum += weight;
        while at < sum && picks.len() < count {
            picks.push(i);
            at += step;
        }
    }
    while picks.len() < count {
        picks.push(weights.len().saturating_sub(1));
    }
    rng.shuffle(&mut picks);
    picks
}
