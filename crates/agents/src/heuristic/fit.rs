//! Weights of terms, fitted to random play and chosen by short games.
//!
//! Positions of random games are described by their terms and labelled with the result of the game. Ridge regression finds
//! the weights that predict the result best, beginning from what is good in most games. A term that says nothing gets no
//! weight, so a search need not compute it. Other weights with more mobility then play against these ([`contest`]). The same
//! rules give the same weights, unless they are so slow that time ends the sample.

use super::contest::{self, Candidate};
use ludex_core::deadline::cpu_time;
use ludex_core::{Game, Move, Player, Seed, Turn};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Random games that are played at most, plies of each, and plies of all.
const GAMES: u64 = 240;
const PLIES: usize = 300;
const ALL_PLIES: usize = 20_000;
/// Rules so slow that this processor time is not enough get weights from fewer games.
const LONGEST: Duration = Duration::from_millis(1500);
/// One of so many positions is used.
const EVERY: u32 = 8;
/// The weight of the prior, for each sample.
const RIDGE: f64 = 0.02;
/// The weights before any game is seen: in most games more of these is better.
const PRIOR: [(&str, f64); 2] = [("material", 0.3), ("score", 0.3)];
/// Terms for which moves must be listed. One of them costs a search more than all other terms together, and the next one costs
/// little more.
const COSTLY: [&str; 3] = ["mobility", "influence", "safe"];
/// The costly terms together must move the prediction by at least this part of the strongest other term.
const WORTH: f64 = 0.5;
/// Terms of things that are won, lost and counted. If they make up less than this part of the prediction of random play, its other
/// weights are no safe guess: in Amazons, where a player who cannot move loses, it prefers the centre.
const TANGIBLE: [&str; 3] = ["material", "score", "line"];
const LEADING: f64 = 0.5;
/// Terms without a list of moves, of which a little is added where that wins games.
const LITTLE: [&str; 7] = ["advance", "centre", "line", "region", "held", "sides", "corners"];
/// A term counts if it moves the prediction by so many standard errors.
const LEAST: f64 = 1.5;

/// The weights that are fitted to random play.
pub(super) fn fitted<G: Game>(game: &G) -> Vec<f32> {
    remembered("fitted", game, || fit(game).weights)
}

/// The weights that win short games, of the fitted ones and others.
pub(super) fn chosen<G: Game>(game: &G) -> Vec<f32> {
    remembered("chosen", game, || {
        let Fit { weights, spread, noise } = fit(game);
        let candidates = candidates(game, weights, &spread, noise);
        let best = contest::best(game, &candidates);
        let best = candidates.into_iter().nth(best);
        let weights = best.map(|candidate| candidate.weights).unwrap_or_default();
        let absent = |&term: &usize| spread[term] > 0.0 && weights[term] == 0.0;
        let terms: Vec<usize> = terms_in(game.terms(), &LITTLE).filter(absent).collect();
        match weights.iter().all(|weight| *weight == 0.0) {
            true => weights,
            false => contest::improved(game, weights, &terms, &spread),
        }
    })
}

/// Weights are worked out once for each game of a process.
fn remembered<G: Game>(kind: &str, game: &G, work_out: impl FnOnce() -> Vec<f32>) -> Vec<f32> {
    static KNOWN: OnceLock<Mutex<FxHashMap<String, Vec<f32>>>> = OnceLock::new();
    let info = game.info();
    let key = format!("{kind} {} {}", info.name, info.source);
    let known = KNOWN.get_or_init(Mutex::default);
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(weights) = lock().get(&key) {
        return weights.clone();
    }
    let weights = work_out();
    lock().insert(key, weights.clone());
    weights
}

/// The places of the terms with these names.
fn terms_in<'a>(names: &'a [&str], wanted: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    (0..names.len()).filter(|&term| wanted.contains(&names[term]))
}

/// The fitted weights, and others that random play cannot judge: without costly terms, with a costly term as strong as all
/// others together, a costly term alone, and rows or the centre alone where no pieces are taken.
fn candidates<G: Game>(game: &G, fitted: Vec<f32>, spread: &[f64], noise: f64) -> Vec<Candidate> {
    let names = game.terms();
    let alone = |term: usize, weight: f32| {
        let mut weights = vec![0.0; names.len()];
        weights.get_mut(term).into_iter().for_each(|slot| *slot = weight);
        weights
    };
    let costly: Vec<usize> = (0..names.len())
        .filter(|&term| COSTLY.contains(&names[term]) && spread[term] > 0.0)
        .collect();
    let mut cheap = fitted.clone();
    costly.iter().for_each(|&term| cheap[term] = 0.0);
    let effect: f64 = cheap.iter().zip(spread).map(|(w, s)| f64::from(w.abs()) * s).sum();
    let effect_of = |term: usize| f64::from(fitted[term].abs()) * spread[term];
    let clear = |effect: &f64| *effect > LEAST * noise;
    let part: f64 = terms_in(names, &TANGIBLE).map(effect_of).filter(clear).sum();
    let whole: f64 = (0..names.len()).map(effect_of).sum();
    let moves = costly.iter().find(|&&term| names[term] == "mobility");
    let mut all = Vec::new();
    // The champion at the beginning: pieces where they are taken and it is good to have more, else moves where there is little to win
    // or to count. It stays until games show that other weights are better.
    let pieces =
        terms_in(names, &["material"]).find(|&term| fitted[term] > 0.0 && spread[term] > 0.0);
    match pieces {
        Some(term) => all.push(alone(term, 1.0)),
        None if part < LEADING * whole => all.extend(moves.map(|&term| alone(term, 1.0))),
        None => {}
    }
    all.push(fitted.clone());
    if effect > 0.0 {
        all.push(cheap.clone());
    }
    for &term in &costly {
        if effect > 0.0 {
            let mut both = cheap.clone();
            both[term] = (effect / spread[term]) as f32;
            all.push(both);
        }
        all.push(alone(term, 1.0));
    }
    // Rows or the centre alone would forget the pieces.
    let others: &[&str] = if pieces.is_some() { &[] } else { &["line", "centre", "material"] };
    all.extend(
        terms_in(names, others).filter(|&term| spread[term] > 0.0).map(|term| alone(term, 1.0)),
    );
    let mut different: Vec<Candidate> = Vec::new();
    for weights in all {
        if different.iter().all(|known| known.weights != weights) {
            let costly = costly.iter().any(|&term| weights[term] != 0.0);
            different.push(Candidate { weights, costly });
        }
    }
    different
}

/// Terms and results of positions from random play.
struct Fit {
    /// By term: its weight.
    weights: Vec<f32>,
    /// By term: its standard deviation.
    spread: Vec<f64>,
    /// The standard error of a prediction.
    noise: f64,
}

fn fit<G: Game>(game: &G) -> Fit {
    let names = game.terms();
    let prior: Vec<f64> = names
        .iter()
        .map(|name| {
            PRIOR.iter().find(|(known, _)| known == name).map_or(0.0, |(_, weight)| *weight)
        })
        .collect();
    let (mut samples, games) = samples(game);
    // Who is to move is the same for all positions at one depth of a search.
    if let Some(mover) = names.iter().position(|name| *name == "mover") {
        samples.iter_mut().for_each(|sample| sample.0[mover] = 0.0);
    }
    // The last column is the seat: where one side is better off by the rules, no term shall get the credit.
    let solved = regress(&samples, &[&prior[..], &[0.0]].concat());
    let spread = spread(&samples, names.len());
    let noise = result_spread(&samples) / f64::from(games.max(1)).sqrt();
    // A term that moves the prediction by less than chance would is left out, unless it is usual.
    let weight = |term: usize| {
        let weight = solved[term];
        let clear = (weight * spread[term]).abs() > LEAST * noise;
        if clear || prior[term] > 0.0 && weight > 0.0 && spread[term] > 0.0 {
            weight as f32
        } else {
            0.0
        }
    };
    let mut weights: Vec<f32> = (0..names.len()).map(weight).collect();
    let effect = |term: usize| f64::from(weights[term].abs()) * spread[term];
    let is_costly = |term: &usize| COSTLY.contains(&names[*term]);
    let (costly, cheap): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(is_costly);
    let gained: f64 = costly.iter().map(|&term| effect(term)).sum();
    if gained < WORTH * cheap.iter().map(|&term| effect(term)).fold(0.0, f64::max) {
        costly.iter().for_each(|&term| weights[term] = 0.0);
    }
    // Random play says nothing: pieces or moves, if they differ between positions, or any term that does.
    if weights.iter().all(|weight| *weight == 0.0) {
        let differs = |&term: &usize| spread[term] > 0.0;
        let usual = ["material", "mobility"].into_iter();
        let mut places = usual.filter_map(|wanted| names.iter().position(|name| *name == wanted));
        let first = places.clone().next().unwrap_or(0);
        let chosen = places.find(differs).or_else(|| (0..names.len()).find(differs));
        weights.get_mut(chosen.unwrap_or(first)).into_iter().for_each(|weight| *weight = 1.0);
    }
    Fit { weights, spread, noise }
}

/// The terms of a position for a seat, and the result of the game for that seat, around 0.
type Sample = (Vec<f32>, f64);

/// Samples of random games, and the number of games that were decided.
fn samples<G: Game>(game: &G) -> (Vec<Sample>, u32) {
    let seats = game.info().seats();
    let terms = game.terms().len();
    let mut all: Vec<Sample> = Vec::new();
    let begun = cpu_time();
    let late = || cpu_time().saturating_sub(begun) > LONGEST;
    let (mut pad, mut plies, mut ended) = (Vec::new(), 0, 0);
    let mut payoffs = vec![0.0; seats];
    for number in 0..GAMES {
        let mut rng = Seed(0xf17).child(number).rng();
        let mut state = game.start();
        let first = all.len();
        for _ in 0..PLIES {
            if late() {
                break;
            }
            let turn = game.turn(&state);
            let joint: Vec<Move> = match turn {
                Turn::Over => break,
                Turn::Chance => vec![game.sample_chance(&state, &mut rng)],
                Turn::One(_) | Turn::Joint(_) => {
                    let movers = turn.movers();
                    movers.iter().map(|p| game.sample(&state, p, &mut rng, &mut pad)).collect()
                }
            };
            plies += 1;
            if rng.below(EVERY) == 0 {
                for seat in 0..seats {
                    let mut values = vec![0.0; terms];
                    game.evaluate(&state, Player(seat as u8), &mut values);
                    all.push((values, seat as f64));
                }
            }
            game.apply(&mut state, &joint);
        }
        let over = game.is_over(&state);
        if over {
            game.payoffs(&state, &mut payoffs);
        }
        let decided = over && payoffs.iter().any(|payoff| *payoff != payoffs[0]);
        match decided {
            true => {
                ended += 1;
                let mean = payoffs.iter().sum::<f32>() / seats.max(1) as f32;
                for sample in all.iter_mut().skip(first) {
                    let seat = sample.1 as usize;
                    sample.0.push(1.0 - 2.0 * seat as f32 / (seats as f32 - 1.0).max(1.0));
                    sample.1 = f64::from(payoffs.get(seat).copied().unwrap_or(mean) - mean);
                }
            }
            // A game that was cut, or drawn, says nothing.
            false => all.truncate(first),
        }
        if plies > ALL_PLIES || late() {
            break;
        }
    }
    (all, ended)
}

/// The standard deviation of the results.
fn result_spread(samples: &[Sample]) -> f64 {
    let n = samples.len().max(1) as f64;
    (samples.iter().map(|sample| sample.1 * sample.1).sum::<f64>() / n).sqrt()
}

/// By term: the standard deviation over the samples.
fn spread(samples: &[Sample], count: usize) -> Vec<f64> {
    let n = samples.len().max(1) as f64;
    let of = |term: usize| {
        let value = |sample: &Sample| f64::from(sample.0.get(term).copied().unwrap_or(0.0));
        let mean = samples.iter().map(value).sum::<f64>() / n;
        (samples.iter().map(|sample| (value(sample) - mean).powi(2)).sum::<f64>() / n).sqrt()
    };
    (0..count).map(of).collect()
}

/// Ridge regression towards the prior, without an intercept: every term and every result is even around 0.
fn regress(samples: &[Sample], prior: &[f64]) -> Vec<f64> {
    let count = prior.len();
    let mut matrix = vec![vec![0.0; count + 1]; count];
    for (values, result) in samples {
        for i in 0..count {
            for j in 0..count {
                matrix[i][j] += f64::from(values[i]) * f64::from(values[j]);
            }
            matrix[i][count] += f64::from(values[i]) * result;
        }
    }
    let ridge = RIDGE * samples.len().max(1) as f64;
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += ridge;
        row[count] += ridge * prior[i];
    }
    // The matrix is positive definite, so elimination needs no exchange of rows.
    for i in 0..count {
        let pivot = matrix[i].clone();
        for row in matrix.iter_mut().skip(i + 1) {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(&pivot).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut solved = vec![0.0; count];
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| matrix[i][j] * solved[j]).sum();
        solved[i] = (matrix[i][count] - known) / matrix[i][i];
    }
    solved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regression_finds_the_terms_that_matter() {
        let mut rng = Seed(4).rng();
        let sample = |_| {
            let x: Vec<f32> = (0..3).map(|_| rng.unit() as f32 * 2.0 - 1.0).collect();
            let result = 0.5 * f64::from(x[0]) - 0.25 * f64::from(x[2]);
            (x, result)
        };
        let samples: Vec<Sample> = (0..500).map(sample).collect();
        let solved = regress(&samples, &[0.0, 0.0, 0.0]);
        assert!((solved[0] - 0.5).abs() < 0.05 && solved[1].abs() < 0.02, "{solved:?}");
        assert!((solved[2] + 0.25).abs() < 0.05, "{solved:?}");
        assert_eq!(regress(&[], &[0.3, 0.0]), [0.3, 0.0]);
    }
}
