//! The features of a game, in any rule language.
//!
//! They come from three sources; a later source overrides an earlier one:
//! 1. [`Game::features`]: for ludeme descriptions their ludemes and concepts;
//! 2. [`Info`](ludex_core::Info), under the names of Ludii's concepts;
//! 3. random games: branching, length, draws, the mover's advantage and so on.
//!
//! Names are those of the public data where the same thing is meant (`NumPlayers`, `Stochastic`,
//! `HiddenInformation`), and of Ludii's concepts of play (`DurationMoves`, `Drawishness`).

use ludex_core::{AnyGame, Features, Game, Move, Player, Seed, Turn};
use std::time::{Duration, Instant};

/// The limits on random games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// At most so many games.
    pub games: u32,
    /// At most so many steps in all.
    pub steps: u64,
    /// At most so much time. It may end in the middle of a game, so with a short time the features depend on the
    /// machine.
    pub time: Duration,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { games: 200, steps: 40_000, time: Duration::from_millis(400) }
    }
}

/// The names that random games supply.
pub const PLAYED: [&str; 22] = [
    "DurationMoves",
    "DurationMovesStdDev",
    "DurationMovesLeast",
    "BranchingFactorAverage",
    "BranchingFactorStart",
    "BranchingFactorMaximum",
    "BranchingFactorDeviation",
    "DecisionMoves",
    "Drawishness",
    "Completion",
    "AdvantageP1",
    "Balance",
    "PayoffDeviation",
    "OutcomeValues",
    "PositionRepetition",
    "StateSpaceSeen",
    "ActionsSeen",
    "ActionReuse",
    "LeadChange",
    "Captures",
    "FinalBranching",
    "BranchingTrend",
];

/// The names that [`Info`](ludex_core::Info) supplies.
pub const RULED: [&str; 12] = [
    "NumPlayers",
    "Solitaire",
    "TwoPlayer",
    "Multiplayer",
    "Stochastic",
    "HiddenInformation",
    "Simultaneous",
    "Alternating",
    "ConstantSum",
    "LongestKnown",
    "NumTerms",
    "NumActionKeys",
];

/// Describes a game. The same seed and effort give the same numbers, except where the time runs out, and except
/// `MovesPerSecond`, which depends on the machine.
///
/// ```
/// use ludex_model::{Effort, describe};
/// let game = ludex_library::open("tictactoe").unwrap();
/// let features = describe(&game, Effort::default(), ludex_core::Seed(1));
/// assert_eq!(features.get("NumPlayers"), Some(2.0));
/// let length = features.get("DurationMoves").unwrap();
/// assert!((7.0..9.0).contains(&length));
/// ```
pub fn describe(game: &AnyGame, effort: Effort, seed: Seed) -> Features {
    let mut features = game.features();
    rules(game, &mut features);
    play(game, effort, seed, &mut features);
    features
}

fn rules(game: &AnyGame, features: &mut Features) {
    let info = game.info();
    let seats = info.seats();
    let flag = |yes: bool| f64::from(u8::from(yes));
    let values = [
        seats as f64,
        flag(seats == 1),
        flag(seats == 2),
        flag(seats > 2),
        flag(info.chance),
        flag(info.hidden),
        flag(info.simultaneous),
        flag(!info.simultaneous),
        flag(info.constant_sum),
        f64::from(info.longest.unwrap_or(0)),
        game.terms().len() as f64,
        f64::from(info.action_keys.unwrap_or(0)),
    ];
    RULED.iter().zip(values).for_each(|(name, value)| features.set(name, value));
}

/// Mean and deviation without keeping the numbers.
#[derive(Default)]
struct Moments {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, x: f64) {
        (self.n, self.sum, self.squares) = (self.n + 1.0, self.sum + x, self.squares + x * x);
    }

    fn mean(&self) -> f64 {
        self.sum / self.n.max(1.0)
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.n.max(1.0) - self.mean().powi(2)).max(0.0).sqrt()
    }
}

fn play(game: &AnyGame, effort: Effort, seed: Seed, features: &mut Features) {
    const LONGEST: u32 = 1000;
    let info = game.info();
    let seats = info.seats();
    let begun = Instant::now();
    let (mut lengths, mut branching, mut last) = <(Moments, Moments, Moments)>::default();
    let (mut early, mut late) = <(Moments, Moments)>::default();
    let (mut first_payoffs, mut payoffs) = <(Moments, Moments)>::default();
    let (mut games, mut steps, mut draws, mut ended) = (0u32, 0u64, 0u32, 0u32);
    let (mut decisions, mut repeats, mut leads, mut captures) = (0u64, 0u64, 0u64, 0u64);
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    let mut means = vec![0.0; seats];
    let mut outcomes: Vec<u32> = Vec::new();
    let mut states = std::collections::HashSet::new();
    let mut actions = std::collections::HashMap::<u64, u32>::new();
    let material = game.terms().iter().position(|term| *term == "material");
    let mut terms = vec![0.0f32; game.terms().len()];
    let (mut legal, mut joint): (Vec<Move>, Vec<Move>) = (Vec::new(), Vec::new());
    let start = game.start();
    let mut root = 0.0;
    let is_late = || begun.elapsed() >= effort.time;
    while games < effort.games && steps < effort.steps && (games == 0 || !is_late()) {
        let mut rng = seed.child(u64::from(games)).rng();
        let mut state = start.clone();
        let mut seen = std::collections::HashSet::new();
        let (mut length, mut leader, mut stock) = (0u32, 0i8, None::<f32>);
        let mut widths: Vec<f64> = Vec::new();
        let over = loop {
            let turn = game.turn(&state);
            if turn == Turn::Over {
                break true;
            }
            if length >= LONGEST || (length > 0 && is_late()) {
                break false;
            }
            joint.clear();
            if turn == Turn::Chance {
                joint.push(game.sample_chance(&state, &mut rng));
            } else {
                for seat in turn.movers().iter() {
                    legal.clear();
                    game.moves(&state, seat, &mut legal);
                    let mv = legal.get(rng.index(legal.len())).copied().unwrap_or_default();
                    let width = legal.len() as f64;
                    branching.add(width);
                    widths.push(width);
                    most = most.max(width);
                    decisions += u64::from(legal.len() > 1);
                    if length == 0 {
                        root = width;
                    }
                    *actions.entry(game.action_key(&state, seat, mv)).or_default() += 1;
                    joint.push(mv);
                }
            }
            game.apply(&mut state, &joint);
            length += 1;
            let hash = game.hash(&state);
            repeats += u64::from(!seen.insert(hash));
            states.insert(hash);
            if !terms.is_empty() && seats > 0 {
                game.evaluate(&state, Player(0), &mut terms);
                let lead =
                    terms.first().map_or(0, |v| if *v > 0.0 { 1 } else { -i8::from(*v < 0.0) });
                leads += u64::from(lead != 0 && leader != 0 && lead != leader);
                leader = if lead == 0 { leader } else { lead };
                if let Some(now) = material.and_then(|m| terms.get(m)) {
                    captures += u64::from(stock.is_some_and(|before| (now - before).abs() > 1e-6));
                    stock = Some(*now);
                }
            }
        };
        games += 1;
        steps += u64::from(length);
        lengths.add(f64::from(length));
        least = least.min(f64::from(length));
        last.add(widths.last().copied().unwrap_or(0.0));
        let (front, back) = widths.split_at(widths.len() / 2);
        front.iter().for_each(|w| early.add(*w));
        back.iter().for_each(|w| late.add(*w));
        if over {
            ended += 1;
            let mut row = vec![0.0f32; seats];
            game.payoffs(&state, &mut row);
            draws += u32::from(seats > 1 && row.iter().all(|p| (p - row[0]).abs() < 1e-6));
            for (mean, payoff) in means.iter_mut().zip(&row) {
                *mean += f64::from(*payoff);
                payoffs.add(f64::from(*payoff));
            }
            first_payoffs.add(row.first().map_or(0.5, |p| f64::from(*p)));
            let code = row.first().map_or(0, |p| (p * 1000.0) as u32);
            if !outcomes.contains(&code) {
                outcomes.push(code);
            }
        }
    }
    let n = f64::from(games.max(1));
    means.iter_mut().for_each(|mean| *mean /= f64::from(ended.max(1)));
    let spread = means.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - means.iter().copied().fold(f64::INFINITY, f64::min);
    let per_step = |count: u64| count as f64 / steps.max(1) as f64;
    let chosen: u32 = actions.values().sum();
    let values = [
        lengths.mean(),
        lengths.deviation(),
        if least.is_finite() { least } else { 0.0 },
        branching.mean(),
        root,
        most,
        branching.deviation(),
        decisions as f64 / branching.n.max(1.0),
        f64::from(draws) / n,
        f64::from(ended) / n,
        first_payoffs.mean() - payoffs.mean(),
        if ended > 0 { 1.0 - spread } else { 1.0 },
        first_payoffs.deviation(),
        outcomes.len() as f64,
        per_step(repeats),
        states.len() as f64 / steps.max(1) as f64,
        actions.len() as f64,
        f64::from(chosen) / actions.len().max(1) as f64,
        per_step(leads),
        per_step(captures),
        last.mean(),
        late.mean() - early.mean(),
    ];
    PLAYED.iter().zip(values).for_each(|(name, value)| features.set(name, value));
    let speed = steps as f64 / begun.elapsed().as_secs_f64().max(1e-9);
    features.set("MovesPerSecond", speed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_supplies_the_same_names_and_a_seed_repeats_them() {
        let effort = Effort { games: 20, ..Effort::default() };
        for name in ["nim(2,3)", "kif:tictactoe", "kuhn", "rps", "pig"] {
            let game = ludex_library::open(name).unwrap();
            let features = describe(&game, effort, Seed(1));
            for wanted in RULED.iter().chain(&PLAYED) {
                let value = features.get(wanted);
                assert!(value.is_some_and(f64::is_finite), "{name}: {wanted} {value:?}");
            }
            let again = describe(&game, effort, Seed(1));
            let timeless = |f: &Features| {
                f.iter().filter(|(n, _)| *n != "MovesPerSecond").map(|(_, v)| v).collect::<Vec<_>>()
            };
            assert_eq!(timeless(&features), timeless(&again), "{name}");
        }
    }

    #[test]
    fn numbers_mean_what_their_names_say() {
        let of = |name: &str| {
            let game = ludex_library::open(name).unwrap();
            describe(&game, Effort::default(), Seed(2))
        };
        let ttt = of("tictactoe");
        let get = |name: &str| ttt.get(name).unwrap();
        assert_eq!((get("BranchingFactorStart"), get("DurationMovesLeast")), (9.0, 5.0));
        // Random play: the first mover wins 58.5 %, draws are 12.7 %.
        assert!((0.05..0.21).contains(&get("Drawishness")), "{}", get("Drawishness"));
        assert!((0.07..0.25).contains(&get("AdvantageP1")), "{}", get("AdvantageP1"));
        assert_eq!(get("Completion"), 1.0);
        assert_eq!(of("pig").get("Stochastic"), Some(1.0));
        assert_eq!(of("kuhn").get("HiddenInformation"), Some(1.0));
    }
}
