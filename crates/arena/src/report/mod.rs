//! What the games of a run say: every table and figure as one value, the same in text, JSON, plots
//! and HTML.

mod gather;
pub mod html;

use crate::experiment::Experiment;
use crate::store::{Run, Store, StoreError};
use gather::{GameSums, Sums};
use ludex_core::Seed;
use ludex_stats::elo::{self, Ratings};
use ludex_stats::hypothesis::{chi_squared, holm, one_t, permutation, sign, student_t_of};
use ludex_stats::interval::clustered;
use ludex_stats::payoff::{alpha_rank, nash_average};
use ludex_stats::plackett_luce::plackett_luce;
use ludex_stats::{Interval, Standing, Z95, wilson};
use serde::Serialize;

/// Everything there is to say about a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The run.
    pub run: String,
    /// What it is about.
    pub about: Option<String>,
    /// Games that are stored, and how many there will be.
    pub games: u64,
    /// How many games there will be.
    pub total: u64,
    /// Why it stopped early.
    pub verdict: Option<String>,
    /// Games in which nobody alone came first.
    pub draws: u64,
    /// How the games ended.
    pub endings: Endings,
    /// The agents, in the order of the experiment.
    pub agents: Vec<AgentReport>,
    /// Who did how against whom: `cross[a][b]`; `None` where they never met.
    pub cross: Vec<Vec<Option<Cross>>>,
    /// The agent whose rating is 0; without one the mean is.
    pub anchor: Option<usize>,
    /// The games, in the order of the experiment.
    pub by_game: Vec<GameReport>,
    /// Ratings as games came in: after so many games, by agent.
    pub curve: Vec<(u64, Vec<f64>)>,
    /// The first forfeits, with their reasons.
    pub forfeits: Vec<ForfeitReport>,
    /// Times: they differ from run to run.
    pub times: Vec<Times>,
}

/// How games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Endings {
    /// By the rules.
    pub rules: u64,
    /// By the cap on steps.
    pub cap: u64,
    /// By a proof.
    pub proven: u64,
    /// By forfeit.
    pub forfeit: u64,
}

/// How one agent did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentReport {
    /// Its name.
    pub agent: String,
    /// Over all games.
    #[serde(flatten)]
    pub standing: Standing,
    /// By game: its mean payoff; `None` where it did not play it.
    pub by_game: Vec<Option<f64>>,
    /// The interval of its mean over games that differ; with two games or more.
    pub clustered: Option<(f64, Interval)>,
    /// Its rating from games of two, and the standard error of it.
    pub elo: Option<(f64, f64)>,
    /// Its Plackett-Luce strength at tables of more than two.
    pub strength: Option<f64>,
    /// The share that alpha-Rank gives it.
    pub alpha_rank: Option<f64>,
    /// Its weight in the maximum-entropy equilibrium, and its score against that.
    pub nash: Option<(f64, f64)>,
}

/// One agent against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cross {
    /// Games (comparisons, where more than two sit at a table).
    pub games: u64,
    /// Times it came out ahead.
    pub wins: u64,
    /// Times they came out level.
    pub draws: u64,
    /// Times the other came out ahead.
    pub losses: u64,
    /// Wins and half the draws, as a share.
    pub score: f64,
    /// Its 95 % interval (Wilson).
    pub interval: Interval,
    /// The likelihood that it is the stronger one.
    pub superiority: Option<f64>,
    /// The two-tailed t-test of all results of the one against all results of the other: t, p and p
    /// after Holm's correction.
    pub t_test: Option<TTest>,
    /// Tests on blocks, the games that share opening and dice.
    pub paired: Paired,
}

/// A t-test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TTest {
    /// The statistic.
    pub t: f64,
    /// Its two-sided p-value.
    pub p: f64,
    /// The p-value after Holm's correction over all pairs.
    pub holm: f64,
}

/// Tests on blocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Paired {
    /// How many blocks.
    pub blocks: u64,
    /// Student's t and its p-value.
    pub t: Option<(f64, f64)>,
    /// The sign test's p-value.
    pub sign: f64,
    /// The permutation test's p-value, on the first 10,000 blocks.
    pub permutation: f64,
}

/// How one game went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameReport {
    /// Its name.
    pub game: String,
    /// Games played of it.
    pub games: u64,
    /// Of those without a winner.
    pub draws: u64,
    /// How each agent did in it.
    pub standings: Vec<Standing>,
    /// Mean payoff and its interval by seat.
    pub seats: Vec<(f64, Interval)>,
    /// The chance that seats as unequal come up by luck (chi-squared on games won).
    pub seat_bias: Option<f64>,
    /// Mean, least and most steps.
    pub steps: (f64, u32, u32),
    /// The width of a bin of lengths.
    pub bin: u32,
    /// How many games fell into each bin.
    pub lengths: Vec<u64>,
}

/// A forfeit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForfeitReport {
    /// The game's number.
    pub number: u64,
    /// Whose.
    pub agent: String,
    /// Why.
    pub reason: String,
}

/// How long an agent thought.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Times {
    /// Whose.
    pub agent: String,
    /// Mean milliseconds a game.
    pub think_ms: f64,
    /// How often it thought longer than its budget.
    pub overruns: u64,
}

impl Report {
    /// Reads a run; it may still be played.
    ///
    /// # Errors
    /// The database's own.
    pub fn read(store: &Store, run: &Run) -> Result<Self, StoreError> {
        let sums = Sums::read(store, run)?;
        let experiment: Option<Experiment> = serde_json::from_str(&run.config).ok();
        let name = experiment.as_ref().and_then(|e| e.anchor.clone());
        let anchor = name.and_then(|name| run.agents.iter().position(|agent| *agent == name));
        Ok(Report::new(run, experiment.and_then(|e| e.about), anchor, &sums))
    }

    fn new(run: &Run, about: Option<String>, anchor: Option<usize>, sums: &Sums) -> Self {
        let n = run.agents.len();
        let pairs = sums.duels.values().any(|duel| duel.score.games() > 0.0);
        let results = sums.results();
        let rated = results.games() > 0.0;
        let ratings = rated.then(|| elo::rate(&results, anchor));
        let by_game: Vec<GameReport> = run
            .games
            .iter()
            .zip(&sums.games)
            .map(|(game, sums)| of_game(&game.game, sums))
            .collect();
        let mut report = Report {
            run: run.name.clone(),
            about,
            games: sums.all.games,
            total: run.total,
            verdict: run.verdict.clone(),
            draws: sums.all.draws,
            endings: Endings {
                rules: sums.endings[0],
                cap: sums.endings[1],
                proven: sums.endings[2],
                forfeit: sums.endings[3],
            },
            agents: agents(run, sums, ratings.as_ref()),
            cross: cross(n, sums, ratings.as_ref()),
            anchor,
            by_game,
            curve: Vec::new(),
            forfeits: sums
                .forfeits
                .iter()
                .map(|(number, agent, reason)| ForfeitReport {
                    number: *number,
                    agent: run.agents.get(*agent).cloned().unwrap_or_default(),
                    reason: reason.clone(),
                })
                .collect(),
            times: (run.agents.iter().enumerate())
                .map(|(i, agent)| Times {
                    agent: agent.clone(),
                    think_ms: sums.think_us[i].mean() / 1e3,
                    overruns: sums.overruns[i],
                })
                .collect(),
        };
        if rated {
            let rate = |results| elo::rate(results, anchor).elo;
            report.curve = sums.curve.iter().map(|(at, results)| (*at, rate(results))).collect();
        }
        if pairs {
            report.evolution();
        }
        report
    }

    /// alpha-Rank and Nash averaging, where everybody has met everybody.
    fn evolution(&mut self) {
        let n = self.agents.len();
        let met = (0..n).all(|a| (0..n).all(|b| a == b || self.cross[a][b].is_some()));
        if n < 2 || !met {
            return;
        }
        let score = |c: &Option<Cross>| c.as_ref().map_or(0.5, |c| c.score);
        let payoff: Vec<Vec<f64>> =
            self.cross.iter().map(|row| row.iter().map(score).collect()).collect();
        let shares = alpha_rank(&payoff, 100.0);
        let (mix, skill) = nash_average(&payoff);
        for (i, agent) in self.agents.iter_mut().enumerate() {
            agent.alpha_rank = shares.get(i).copied();
            agent.nash = mix.get(i).copied().zip(skill.get(i).copied());
        }
    }

    /// The agents from the best to the worst: by rating, else by mean payoff.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        let key = |i: usize| {
            let agent = &self.agents[i];
            (agent.elo.map_or(f64::MIN, |(elo, _)| elo), agent.standing.score)
        };
        order.sort_by(|&a, &b| {
            let (a, b) = (key(a), key(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        order
    }
}

fn agents(run: &Run, sums: &Sums, ratings: Option<&Ratings>) -> Vec<AgentReport> {
    let standings = sums.all.standings();
    let tables: Vec<_> = {
        let mut tables: Vec<_> = sums.rankings.iter().collect();
        tables.sort_by(|a, b| a.0.cmp(b.0));
        let payoff = |&(agent, bits): &(usize, u32)| (agent, f64::from(f32::from_bits(bits)));
        tables.into_iter().map(|(t, n)| (t.iter().map(payoff).collect(), *n)).collect()
    };
    let strength = (!tables.is_empty()).then(|| plackett_luce(run.agents.len(), &tables));
    let agents = run.agents.iter().zip(standings).enumerate();
    agents
        .map(|(i, (agent, standing))| {
            let played = |game: &GameSums| {
                game.payoffs.get(i).filter(|s| s.count > 0.0).map(|sample| sample.mean())
            };
            let by_game: Vec<Option<f64>> = sums.games.iter().map(played).collect();
            let means: Vec<f64> = by_game.iter().copied().flatten().collect();
            AgentReport {
                agent: agent.clone(),
                standing,
                clustered: clustered(&means),
                by_game,
                elo: ratings.and_then(|r| r.elo.get(i).copied().zip(r.error.get(i).copied())),
                strength: strength.as_ref().and_then(|s| s.get(i).copied()),
                alpha_rank: None,
                nash: None,
            }
        })
        .collect()
}

/// Every agent against every other.
fn cross(n: usize, sums: &Sums, ratings: Option<&Ratings>) -> Vec<Vec<Option<Cross>>> {
    let mut pairs: Vec<(usize, usize)> = sums.duels.keys().copied().collect();
    pairs.sort_unstable();
    let tests: Vec<Option<(f64, f64)>> =
        pairs.iter().map(|&(a, b)| student_t_of(sums.payoffs[a], sums.payoffs[b])).collect();
    let p: Vec<f64> = tests.iter().map(|test| test.map_or(1.0, |(_, p)| p)).collect();
    let adjusted = holm(&p);
    let mut cross = vec![vec![None; n]; n];
    for (k, &(a, b)) in pairs.iter().enumerate() {
        let duel = &sums.duels[&(a, b)];
        let t_test = tests[k].map(|(t, p)| TTest { t, p, holm: adjusted[k] });
        let mut rng = Seed(1).named("permutation").child(a as u64).child(b as u64).rng();
        let paired = Paired {
            blocks: duel.blocks.count as u64,
            t: one_t(duel.blocks),
            sign: sign(duel.better, duel.worse),
            permutation: permutation(&duel.gaps, 2000, || rng.bits() & 1 == 0),
        };
        let (wins, draws, losses) = (duel.score.wins, duel.score.draws, duel.score.losses);
        let games = duel.score.games() as u64;
        let entry = |wins: f64, losses: f64, sign: f64, superiority: Option<f64>| {
            let score = (wins + draws / 2.0) / games.max(1) as f64;
            Some(Cross {
                games,
                wins: wins as u64,
                draws: draws as u64,
                losses: losses as u64,
                score,
                interval: wilson(score, games, Z95),
                superiority,
                t_test: t_test.map(|test| TTest { t: sign * test.t, ..test }),
                paired: Paired { t: paired.t.map(|(t, p)| (sign * t, p)), ..paired },
            })
        };
        cross[a][b] = entry(wins, losses, 1.0, ratings.map(|r| r.superiority(a, b)));
        cross[b][a] = entry(losses, wins, -1.0, ratings.map(|r| r.superiority(b, a)));
    }
    cross
}

fn of_game(name: &str, sums: &GameSums) -> GameReport {
    let decided: f64 = sums.seat_wins.iter().sum();
    let seats = sums.seats.len();
    let fair = vec![decided / seats.max(1) as f64; seats];
    let seat_bias = (seats > 1 && decided > 0.0).then(|| chi_squared(&sums.seat_wins, &fair).1);
    GameReport {
        game: name.to_string(),
        games: sums.tally.games,
        draws: sums.tally.draws,
        standings: sums.tally.standings(),
        seats: (sums.seats.iter())
            .map(|s| (s.mean(), wilson(s.mean(), s.count as u64, Z95)))
            .collect(),
        seat_bias,
        steps: (sums.steps.mean(), sums.shortest.min(sums.longest), sums.longest),
        bin: sums.bin,
        lengths: sums.lengths.clone(),
    }
}
