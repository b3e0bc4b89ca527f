//! One pass over the results of a run, in order: the sums behind every number of the report. Memory does not grow with the
//! number of games.

use crate::monitor::duel_score;
use crate::result::GameResult;
use crate::store::{Run, Store, StoreError};
use ludex_stats::elo::{Results, Score};
use ludex_stats::pairs::Pentanomial;
use ludex_stats::tally::{Winner, winner};
use ludex_stats::{Sample, Tally};
use rustc_hash::FxHashMap;

/// The number of points of the curve of ratings.
const CHECKPOINTS: u64 = 40;
/// The most different results of games of more than two players that are counted.
const MOST_RESULTS: usize = 100_000;
/// The most blocks of a pair that are kept for the permutation test.
const MOST_GAPS: usize = 10_000;

/// The sums of one game.
pub(super) struct GameSums {
    pub(super) tally: Tally,
    /// By agent.
    pub(super) payoffs: Vec<Sample>,
    /// By seat.
    pub(super) seats: Vec<Sample>,
    /// Games won alone, by seat.
    pub(super) seat_wins: Vec<f64>,
    pub(super) steps: Sample,
    pub(super) shortest: u32,
    pub(super) longest: u32,
    /// The number of games by length, in bins of `bin` steps.
    pub(super) lengths: Vec<u64>,
    pub(super) bin: u32,
}

/// Results of two agents against each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Duel {
    pub(super) score: Score,
    /// The first agent's mean score less a half, by block.
    pub(super) blocks: Sample,
    pub(super) better: u64,
    pub(super) worse: u64,
    pub(super) gaps: Vec<f64>,
    /// The scores of the first agent in blocks of two games.
    pub(super) pairs: Pentanomial,
}

/// The sums of a run.
pub(super) struct Sums {
    pub(super) games: Vec<GameSums>,
    pub(super) all: Tally,
    pub(super) payoffs: Vec<Sample>,
    /// By pair of agents, first < second.
    pub(super) duels: FxHashMap<(usize, usize), Duel>,
    /// Results of games of two players, for ratings.
    two: FxHashMap<(usize, usize), Score>,
    /// Results after a number of games.
    pub(super) curve: Vec<(u64, Results)>,
    /// Results of games of more than two players (agents and the bits of their payoffs, best first), and how often each
    /// came up.
    pub(super) rankings: FxHashMap<Vec<(usize, u32)>, f64>,
    pub(super) endings: [u64; 4],
    pub(super) forfeits: Vec<(u64, usize, String)>,
    pub(super) think_us: Vec<Sample>,
    pub(super) overruns: Vec<u64>,
    /// The first agent's scores against the second, one per block, as stop rules count them.
    pub(super) tested: Sample,
    tested_block: Sample,
    block: FxHashMap<(usize, usize), Sample>,
    /// The game of the current block, and the orders of seats that the block has had.
    block_of: (usize, Vec<Vec<usize>>),
    every: u64,
}

impl Sums {
    pub(super) fn new(run: &Run) -> Self {
        let agents = run.agents.len();
        let game = || GameSums {
            tally: Tally::new(agents),
            payoffs: vec![Sample::default(); agents],
            seats: Vec::new(),
            seat_wins: Vec::new(),
            steps: Sample::default(),
            shortest: u32::MAX,
            longest: 0,
            lengths: Vec::new(),
            bin: 1,
        };
        Sums {
            games: run.games.iter().map(|_| game()).collect(),
            all: Tally::new(agents),
            payoffs: vec![Sample::default(); agents],
            duels: FxHashMap::default(),
            two: FxHashMap::default(),
            curve: Vec::new(),
            rankings: FxHashMap::default(),
            endings: [0; 4],
            forfeits: Vec::new(),
            think_us: vec![Sample::default(); agents],
            overruns: vec![0; agents],
            tested: Sample::default(),
            tested_block: Sample::default(),
            block: FxHashMap::default(),
            block_of: (0, Vec::new()),
            every: (run.total / CHECKPOINTS).max(1),
        }
    }

    /// Reads all results of a run.
    pub(super) fn read(store: &Store, run: &Run) -> Result<Self, StoreError> {
        let mut sums = Sums::new(run);
        let mut from = 0;
        loop {
            let results = store.results(run, from, 8192)?;
            let Some(last) = results.last() else { break };
            from = last.number + 1;
            results.iter().for_each(|result| sums.add(result));
        }
        sums.end_block();
        Ok(sums)
    }

    fn add(&mut self, result: &GameResult) {
        self.all.add(&result.seats, &result.payoffs, result.forfeit_seat());
        self.endings[result.ending as usize] += 1;
        if let Some(forfeit) = &result.forfeit
            && self.forfeits.len() < 20
            && let Some(&agent) = result.seats.get(usize::from(forfeit.seat))
        {
            let text = format!("{}: {}", forfeit.fault, forfeit.reason);
            self.forfeits.push((result.number, agent, text));
        }
        for (seat, (&agent, &payoff)) in result.seats.iter().zip(&result.payoffs).enumerate() {
            let Some(sample) = self.payoffs.get_mut(agent) else { continue };
            sample.add(payoff.into());
            if let Some(&us) = result.think_us.get(seat) {
                self.think_us[agent].add(us as f64);
            }
            self.overruns[agent] += u64::from(result.overruns.get(seat).copied().unwrap_or(0));
        }
        if let Some(game) = self.games.get_mut(result.table) {
            game.add(result);
        }
        // The games of a block have consecutive numbers. The next block begins where an order of seats comes up again, or
        // other agents play.
        let (table, orders) = &self.block_of;
        let sorted = |seats: &[usize]| {
            let mut seats = seats.to_vec();
            seats.sort_unstable();
            seats
        };
        let same = orders.first().is_some_and(|o| sorted(o) == sorted(&result.seats));
        if *table != result.table || !same || orders.contains(&result.seats) {
            self.end_block();
            self.block_of = (result.table, Vec::new());
        }
        self.block_of.1.push(result.seats.clone());
        self.tested_block.add(duel_score(result));
        self.compare(result);
        if self.all.games.is_multiple_of(self.every) {
            self.curve.push((self.all.games, self.results()));
        }
    }

    /// Compares all pairs of agents of a game.
    fn compare(&mut self, result: &GameResult) {
        let two = result.seats.len() == 2;
        for (i, (&a, &pa)) in result.seats.iter().zip(&result.payoffs).enumerate() {
            for (&b, &pb) in result.seats.iter().zip(&result.payoffs).skip(i + 1) {
                if a == b {
                    continue;
                }
                let (first, second, pa, pb) = if a < b { (a, b, pa, pb) } else { (b, a, pb, pa) };
                let score = Score {
                    wins: f64::from(u8::from(pa > pb)),
                    draws: f64::from(u8::from(pa == pb)),
                    losses: f64::from(u8::from(pa < pb)),
                };
                self.duels.entry((first, second)).or_default().score += score;
                self.block.entry((first, second)).or_default().add(score.points());
                if two {
                    *self.two.entry((first, second)).or_default() += score;
                }
            }
        }
        if result.seats.len() > 2 {
            let mut ranking: Vec<(usize, u32)> =
                result.seats.iter().zip(&result.payoffs).map(|(&a, p)| (a, p.to_bits())).collect();
            ranking.sort_by_key(|&(agent, bits)| (std::cmp::Reverse(bits), agent));
            if self.rankings.len() < MOST_RESULTS || self.rankings.contains_key(&ranking) {
                *self.rankings.entry(ranking).or_default() += 1.0;
            }
        }
    }

    /// The results of games of two players so far.
    pub(super) fn results(&self) -> Results {
        let mut pairs: Vec<_> = self.two.iter().collect();
        pairs.sort_by_key(|(pair, _)| **pair);
        let mut results = Results::new(self.payoffs.len());
        pairs.into_iter().for_each(|(&(a, b), &score)| results.add(a, b, score));
        results
    }

    fn end_block(&mut self) {
        let scores = std::mem::take(&mut self.tested_block);
        if scores.count > 0.0 {
            self.tested.add(scores.mean());
        }
        for (pair, scores) in self.block.drain() {
            let duel = self.duels.entry(pair).or_default();
            let gap = scores.mean() - 0.5;
            duel.blocks.add(gap);
            if scores.count == 2.0 {
                duel.pairs.add(scores.sum);
            }
            duel.better += u64::from(gap > 0.0);
            duel.worse += u64::from(gap < 0.0);
            if duel.gaps.len() < MOST_GAPS {
                duel.gaps.push(gap);
            }
        }
    }
}

impl GameSums {
    fn add(&mut self, result: &GameResult) {
        self.tally.add(&result.seats, &result.payoffs, result.forfeit_seat());
        if self.seats.is_empty() {
            self.seats = vec![Sample::default(); result.seats.len()];
            self.seat_wins = vec![0.0; result.seats.len()];
        }
        for (seat, (&agent, &payoff)) in result.seats.iter().zip(&result.payoffs).enumerate() {
            if let (Some(own), Some(at)) = (self.payoffs.get_mut(agent), self.seats.get_mut(seat)) {
                own.add(payoff.into());
                at.add(payoff.into());
            }
        }
        if let Winner::Seat(seat) = winner(&result.payoffs)
            && let Some(wins) = self.seat_wins.get_mut(seat)
        {
            *wins += 1.0;
        }
        self.steps.add(result.steps.into());
        self.shortest = self.shortest.min(result.steps);
        self.longest = self.longest.max(result.steps);
        // There are at most 64 bins. Their width doubles when a longer game comes up.
        while result.steps / self.bin >= 64 {
            self.bin *= 2;
            self.lengths = self.lengths.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
        let at = (result.steps / self.bin) as usize;
        if self.lengths.len() <= at {
            self.lengths.resize(at + 1, 0);
        }
        self.lengths[at] += 1;
    }
}
