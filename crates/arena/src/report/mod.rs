//! The report of a run: every table and figure as one value. Text, HTML, JSON and plots render this value.
//!
//! `gather` sums up the games in one pass, `build` computes ratings and tests from the sums, [`table`] makes tables of
//! them, `columns` lists the columns of the tables, and [`html`] writes a page.

mod build;
mod columns;
mod gather;
pub mod html;
mod origin;
pub mod table;

pub use origin::Origin;

use ludex_stats::pairs::{Estimate, Pentanomial};
use ludex_stats::sprt::{Sprt, Verdict};
use ludex_stats::{Interval, Standing};
use serde::Serialize;

/// The report of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The name of the run.
    pub run: String,
    /// The text that the experiment gives about itself.
    pub about: Option<String>,
    /// The number of stored games.
    pub games: u64,
    /// The number of games that the run will have.
    pub total: u64,
    /// Why the run stopped early.
    pub verdict: Option<String>,
    /// Games without a single winner.
    pub draws: u64,
    /// How the games ended.
    pub endings: Endings,
    /// The agents, in the order of the experiment.
    pub agents: Vec<AgentReport>,
    /// Results of pairs: `cross[a][b]`; `None` for agents that never met.
    pub cross: Vec<Vec<Option<Cross>>>,
    /// The agent whose rating is 0; without one the mean is 0.
    pub anchor: Option<usize>,
    /// The games, in the order of the experiment.
    pub by_game: Vec<GameReport>,
    /// The ratings of all agents after a number of games.
    pub curve: Vec<Checkpoint>,
    /// The state of the sequential test among the stop rules.
    pub sprt: Option<SprtState>,
    /// The first forfeits, with their reasons.
    pub forfeits: Vec<ForfeitReport>,
    /// Thinking times, which differ each time that a run is played.
    pub times: Vec<Times>,
}

/// How the games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Endings {
    /// By the rules of the game.
    pub rules: u64,
    /// By the cap on steps.
    pub cap: u64,
    /// By a proof.
    pub proven: u64,
    /// By forfeit.
    pub forfeit: u64,
}

/// The ratings of all agents after some games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Checkpoint {
    /// The number of games.
    pub games: u64,
    /// The Elo rating of each agent.
    pub elo: Vec<f64>,
}

/// The state of a sequential probability ratio test of the first agent against the second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtState {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio of all stored blocks of games.
    pub ratio: f64,
    /// H0 is accepted below this ratio.
    pub low: f64,
    /// H1 is accepted above this ratio.
    pub high: f64,
    /// The number of blocks.
    pub blocks: u64,
    /// The decision at this ratio.
    pub verdict: Verdict,
}

impl std::fmt::Display for SprtState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SprtState { test, ratio, low, high, blocks, verdict } = self;
        let verdict = match verdict {
            Verdict::Open => "undecided",
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
        };
        let (elo0, elo1) = (test.elo0, test.elo1);
        let blocks = counted(*blocks, "pair");
        write!(
            f,
            "SPRT of {elo0:+} against {elo1:+} Elo: {verdict}, log-likelihood ratio {ratio:.2} of {low:.2} .. {high:.2} \
             after {blocks}"
        )
    }
}

/// A mean over games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Clustered {
    /// The mean of the means of the games.
    pub mean: f64,
    /// The 95 % interval by Student's t.
    pub interval: Interval,
}

/// A rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// The rating.
    pub value: f64,
    /// The standard error.
    pub error: f64,
    /// The 95 % interval.
    pub interval: Interval,
}

/// How an agent fares in the maximum-entropy equilibrium of all agents.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Nash {
    /// The weight of the agent in the equilibrium.
    pub weight: f64,
    /// The score of the agent against the equilibrium.
    pub score: f64,
}

/// How one agent did. JSON and tables are rendered from the list in `columns`.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentReport {
    /// The place in the ranking, from 1.
    pub rank: Option<usize>,
    /// The name of the agent.
    pub agent: String,
    /// Is its rating fixed at 0?
    pub anchor: bool,
    /// The sums over all games.
    pub standing: Standing,
    /// The mean payoff in each game; `None` in games that the agent did not play.
    pub by_game: Vec<Option<f64>>,
    /// The mean over games with its interval, for two games or more.
    pub clustered: Option<Clustered>,
    /// The Elo rating from games of two players.
    pub elo: Option<Rating>,
    /// The likelihood that the agent is stronger than the next one in the ranking.
    pub los: Option<f64>,
    /// The Plackett-Luce strength from games of more than two players.
    pub strength: Option<f64>,
    /// The share of alpha-Rank.
    pub alpha_rank: Option<f64>,
    /// The weight in the maximum-entropy equilibrium, and the score against it.
    pub nash: Option<Nash>,
}

impl AgentReport {
    /// The report of an agent of which only the sums are known.
    pub fn new(agent: impl Into<String>, standing: Standing) -> Self {
        AgentReport {
            rank: None,
            agent: agent.into(),
            anchor: false,
            standing,
            by_game: Vec::new(),
            clustered: None,
            elo: None,
            los: None,
            strength: None,
            alpha_rank: None,
            nash: None,
        }
    }
}

/// The results of one agent against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cross {
    /// Games; in games of more than two players, comparisons of the two.
    pub games: u64,
    /// Games in which the agent came out ahead.
    pub wins: u64,
    /// Games in which both came out level.
    pub draws: u64,
    /// Games in which the other came out ahead.
    pub losses: u64,
    /// Wins plus half the draws, as a share of the games.
    pub score: f64,
    /// The 95 % interval of the score (Wilson).
    pub interval: Interval,
    /// The likelihood that the agent is the stronger one.
    pub superiority: Option<f64>,
    /// The two-tailed t-test of all results of the one against all results of the other.
    pub t_test: Option<TTest>,
    /// Drawn games as a share of the games.
    pub draw_ratio: f64,
    /// Results of pairs of games that share opening and dice; `None` without such a pair.
    pub pairs: Option<PairResults>,
    /// Tests on blocks: games that share opening and dice.
    pub paired: Paired,
}

/// Results of pairs of games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairResults {
    /// The number of pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial: Pentanomial,
    /// The difference in Elo.
    pub elo: Option<Estimate>,
    /// The difference in normalised Elo.
    pub normalised_elo: Option<Estimate>,
}

impl PairResults {
    /// The results of these pairs, if there are any.
    fn new(pentanomial: Pentanomial) -> Option<Self> {
        let (elo, normalised_elo) = (pentanomial.elo(), pentanomial.normalised_elo());
        (pentanomial.pairs() > 0).then_some(PairResults { pentanomial, elo, normalised_elo })
    }
}

/// A t-test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TTest {
    /// The statistic.
    pub t: f64,
    /// The two-sided p-value.
    pub p: f64,
    /// The p-value after Holm's correction over all pairs.
    pub holm: f64,
}

/// Tests on blocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Paired {
    /// The number of blocks.
    pub blocks: u64,
    /// Student's t.
    pub t: Option<Statistic>,
    /// The p-value of the sign test.
    pub sign: f64,
    /// The p-value of the permutation test on the first 10,000 blocks.
    pub permutation: f64,
}

/// The value of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Statistic {
    /// The statistic.
    pub value: f64,
    /// The two-sided p-value.
    pub p: f64,
}

/// The payoffs of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SeatReport {
    /// The mean payoff.
    pub mean: f64,
    /// The 95 % interval of the score (Wilson).
    pub interval: Interval,
}

/// The lengths of games in steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Steps {
    /// The mean.
    pub mean: f64,
    /// The shortest game.
    pub least: u32,
    /// The longest game.
    pub most: u32,
}

/// How one game went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameReport {
    /// The name of the game.
    pub game: String,
    /// How often it was played.
    pub games: u64,
    /// How often there was no single winner.
    pub draws: u64,
    /// How each agent did in it.
    pub standings: Vec<Standing>,
    /// The mean payoff of each seat, and its interval.
    pub seats: Vec<SeatReport>,
    /// The p-value of the chi-squared test that all seats win equally often.
    pub seat_bias: Option<f64>,
    /// The mean, the least and the greatest number of steps.
    pub steps: Steps,
    /// The width of a bin of `lengths`.
    pub bin: u32,
    /// The number of games in each bin of lengths.
    pub lengths: Vec<u64>,
}

/// A forfeit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForfeitReport {
    /// The number of the game.
    pub number: u64,
    /// The agent that forfeited.
    pub agent: String,
    /// The reason.
    pub reason: String,
}

/// How long an agent thought.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Times {
    /// The agent.
    pub agent: String,
    /// Mean milliseconds per game.
    pub think_ms: f64,
    /// How many moves took longer than the budget.
    pub overruns: u64,
}

impl Report {
    /// The numbers of games, draws and forfeits, as one line.
    pub fn summary(&self) -> String {
        let games = match self.games < self.total {
            true => format!("{} of {}", self.games, counted(self.total, "game")),
            false => counted(self.games, "game"),
        };
        let (draws, forfeits) =
            (counted(self.draws, "draw"), counted(self.endings.forfeit, "forfeit"));
        let early = match (self.endings.cap, self.endings.proven) {
            (0, 0) => String::new(),
            (cap, proven) => format!(", {cap} ended by the cap on steps, {proven} by proof"),
        };
        format!("{games}, {draws}, {forfeits}{early}")
    }

    /// The agents from the best to the worst: by rating, else by mean payoff.
    pub(crate) fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        let key = |i: usize| {
            let agent = &self.agents[i];
            (agent.elo.map_or(f64::MIN, |elo| elo.value), agent.standing.score)
        };
        order.sort_by(|&a, &b| {
            let (a, b) = (key(a), key(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        order
    }
}

/// A number with its noun: "1 game", "2 games".
pub fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
