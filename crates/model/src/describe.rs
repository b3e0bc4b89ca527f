//! The features of a game, in any rule language.
//!
//! They come from three sources; a later source overrides an earlier one:
//! 1. [`Game::features`]: for ludeme descriptions their ludemes and concepts;
//! 2. [`Info`](ludex_core::Info), under the names of Ludii's concepts;
//! 3. random games: branching, length, draws, the mover's advantage and so on.
//!
//! Names are those of the public data where the same thing is meant (`NumPlayers`, `Stochastic`,
//! `HiddenInformation`), and of Ludii's concepts of play (`DurationMoves`, `Drawishness`).

use ludex_core::{AnyGame, AnyState, Features, Game, Move, Player, Rng, Seed, Turn};
use std::collections::{HashMap, HashSet};
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

/// The longest random game, in steps.
const LONGEST: u32 = 1000;

/// Random games, and what they say about a game.
struct Survey<'a> {
    game: &'a AnyGame,
    /// The place of the term `material`, where the game has it.
    material: Option<usize>,
    terms: Vec<f32>,
    legal: Vec<Move>,
    joint: Vec<Move>,
    games: u32,
    steps: u64,
    draws: u32,
    ended: u32,
    /// Turns with more than one legal move.
    decisions: u64,
    /// Positions that came up before in their game.
    repeats: u64,
    /// Changes of the leader by the first term.
    leads: u64,
    /// Steps that changed the material.
    captures: u64,
    lengths: Moments,
    branching: Moments,
    last_width: Moments,
    early_width: Moments,
    late_width: Moments,
    first_payoffs: Moments,
    payoffs: Moments,
    /// Legal moves of the first turn.
    root: f64,
    least_length: f64,
    most_width: f64,
    /// Sums of payoffs by seat.
    totals: Vec<f64>,
    /// The different payoffs of the first seat, in thousandths.
    outcomes: Vec<u32>,
    states: HashSet<u64>,
    actions: HashMap<u64, u32>,
}

/// One random game under way.
#[derive(Default)]
struct Course {
    length: u32,
    /// The leader by the first term: 1 the first seat, -1 another, 0 unknown.
    leader: i8,
    /// The material after the last step.
    stock: Option<f32>,
    /// The number of legal moves of each turn.
    widths: Vec<f64>,
    seen: HashSet<u64>,
}

impl<'a> Survey<'a> {
    fn new(game: &'a AnyGame) -> Self {
        Survey {
            game,
            material: game.terms().iter().position(|term| *term == "material"),
            terms: vec![0.0; game.terms().len()],
            legal: Vec::new(),
            joint: Vec::new(),
            games: 0,
            steps: 0,
            draws: 0,
            ended: 0,
            decisions: 0,
            repeats: 0,
            leads: 0,
            captures: 0,
            lengths: Moments::default(),
            branching: Moments::default(),
            last_width: Moments::default(),
            early_width: Moments::default(),
            late_width: Moments::default(),
            first_payoffs: Moments::default(),
            payoffs: Moments::default(),
            root: 0.0,
            least_length: f64::INFINITY,
            most_width: 0.0,
            totals: vec![0.0; game.info().seats()],
            outcomes: Vec::new(),
            states: HashSet::new(),
            actions: HashMap::new(),
        }
    }

    /// Plays one random game until it is over, too long, or late.
    fn game(&mut self, start: &AnyState, mut rng: Rng, is_late: impl Fn() -> bool) {
        let mut state = start.clone();
        let mut course = Course::default();
        let over = loop {
            let turn = self.game.turn(&state);
            if turn == Turn::Over {
                break true;
            }
            if course.length >= LONGEST || (course.length > 0 && is_late()) {
                break false;
            }
            self.choose(&state, turn, &mut rng, &mut course);
            self.game.apply(&mut state, &self.joint);
            course.length += 1;
            let hash = self.game.hash(&state);
            self.repeats += u64::from(!course.seen.insert(hash));
            self.states.insert(hash);
            self.judge(&state, &mut course);
        };
        self.finish(&course);
        if over {
            self.pay(&state);
        }
    }

    /// Draws the next joint move.
    fn choose(&mut self, state: &AnyState, turn: Turn, rng: &mut Rng, course: &mut Course) {
        self.joint.clear();
        if turn == Turn::Chance {
            self.joint.push(self.game.sample_chance(state, rng));
            return;
        }
        for seat in turn.movers().iter() {
            self.legal.clear();
            self.game.moves(state, seat, &mut self.legal);
            let mv = self.legal.get(rng.index(self.legal.len())).copied().unwrap_or_default();
            let width = self.legal.len() as f64;
            self.branching.add(width);
            course.widths.push(width);
            self.most_width = self.most_width.max(width);
            self.decisions += u64::from(self.legal.len() > 1);
            if course.length == 0 {
                self.root = width;
            }
            *self.actions.entry(self.game.action_key(state, seat, mv)).or_default() += 1;
            self.joint.push(mv);
        }
    }

    /// Follows the terms of the game: who leads, and whether material changed.
    fn judge(&mut self, state: &AnyState, course: &mut Course) {
        if self.terms.is_empty() || self.totals.is_empty() {
            return;
        }
        self.game.evaluate(state, Player(0), &mut self.terms);
        let sign = |value: &f32| if *value > 0.0 { 1 } else { -i8::from(*value < 0.0) };
        let lead = self.terms.first().map_or(0, sign);
        self.leads += u64::from(lead != 0 && course.leader != 0 && lead != course.leader);
        course.leader = if lead == 0 { course.leader } else { lead };
        if let Some(now) = self.material.and_then(|m| self.terms.get(m)) {
            let changed = course.stock.is_some_and(|before| (now - before).abs() > 1e-6);
            self.captures += u64::from(changed);
            course.stock = Some(*now);
        }
    }

    fn finish(&mut self, course: &Course) {
        let length = f64::from(course.length);
        self.games += 1;
        self.steps += u64::from(course.length);
        self.lengths.add(length);
        self.least_length = self.least_length.min(length);
        self.last_width.add(course.widths.last().copied().unwrap_or(0.0));
        let (front, back) = course.widths.split_at(course.widths.len() / 2);
        front.iter().for_each(|width| self.early_width.add(*width));
        back.iter().for_each(|width| self.late_width.add(*width));
    }

    fn pay(&mut self, state: &AnyState) {
        let seats = self.totals.len();
        self.ended += 1;
        let mut row = vec![0.0f32; seats];
        self.game.payoffs(state, &mut row);
        self.draws += u32::from(seats > 1 && row.iter().all(|p| (p - row[0]).abs() < 1e-6));
        for (total, payoff) in self.totals.iter_mut().zip(&row) {
            *total += f64::from(*payoff);
            self.payoffs.add(f64::from(*payoff));
        }
        self.first_payoffs.add(row.first().map_or(0.5, |p| f64::from(*p)));
        let code = row.first().map_or(0, |p| (p * 1000.0) as u32);
        if !self.outcomes.contains(&code) {
            self.outcomes.push(code);
        }
    }

    /// The features in the order of [`PLAYED`].
    fn values(&self) -> [f64; 22] {
        let games = f64::from(self.games.max(1));
        let mean = |total: &f64| total / f64::from(self.ended.max(1));
        let means = || self.totals.iter().map(mean);
        let spread =
            means().fold(f64::NEG_INFINITY, f64::max) - means().fold(f64::INFINITY, f64::min);
        let steps = self.steps.max(1) as f64;
        let chosen: u32 = self.actions.values().sum();
        [
            self.lengths.mean(),
            self.lengths.deviation(),
            if self.least_length.is_finite() { self.least_length } else { 0.0 },
            self.branching.mean(),
            self.root,
            self.most_width,
            self.branching.deviation(),
            self.decisions as f64 / self.branching.n.max(1.0),
            f64::from(self.draws) / games,
            f64::from(self.ended) / games,
            self.first_payoffs.mean() - self.payoffs.mean(),
            if self.ended > 0 { 1.0 - spread } else { 1.0 },
            self.first_payoffs.deviation(),
            self.outcomes.len() as f64,
            self.repeats as f64 / steps,
            self.states.len() as f64 / steps,
            self.actions.len() as f64,
            f64::from(chosen) / self.actions.len().max(1) as f64,
            self.leads as f64 / steps,
            self.captures as f64 / steps,
            self.last_width.mean(),
            self.late_width.mean() - self.early_width.mean(),
        ]
    }
}

fn play(game: &AnyGame, effort: Effort, seed: Seed, features: &mut Features) {
    let begun = Instant::now();
    let is_late = || begun.elapsed() >= effort.time;
    let start = game.start();
    let mut survey = Survey::new(game);
    while survey.games < effort.games
        && survey.steps < effort.steps
        && (survey.games == 0 || !is_late())
    {
        let rng = seed.child(u64::from(survey.games)).rng();
        survey.game(&start, rng, is_late);
    }
    PLAYED.iter().zip(survey.values()).for_each(|(name, value)| features.set(name, value));
    let speed = survey.steps as f64 / begun.elapsed().as_secs_f64().max(1e-9);
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
