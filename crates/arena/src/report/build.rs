//! Computes a report from the sums of its games: ratings, intervals and tests.

use super::gather::{Duel, GameSums, Sums};
use super::{
    AgentReport, Checkpoint, Clustered, Cross, Endings, ForfeitReport, GameReport, Nash,
    PairResults, Paired, Rating, Report, SeatReport, SprtState, Statistic, Steps, TTest, Times,
};
use crate::experiment::Experiment;
use crate::store::{Run, Store, StoreError};
use ludex_core::Seed;
use ludex_stats::elo::{self, Ratings};
use ludex_stats::hypothesis::{chi_squared, holm, one_t, permutation, sign, student_t_of};
use ludex_stats::interval::clustered;
use ludex_stats::payoff::{alpha_rank, nash_average};
use ludex_stats::plackett_luce::{Table, plackett_luce};
use ludex_stats::sprt::Sprt;
use ludex_stats::{Interval, Sample, Z95, wilson};

impl Report {
    /// Reads the games of a run, which may still be played.
    ///
    /// # Errors
    /// The database failed.
    pub fn read(store: &Store, run: &Run) -> Result<Self, StoreError> {
        let sums = Sums::read(store, run)?;
        let experiment: Option<Experiment> = serde_json::from_str(&run.config).ok();
        let name = experiment.as_ref().and_then(|e| e.anchor.clone());
        let anchor = name.and_then(|name| run.agents.iter().position(|agent| *agent == name));
        let test = experiment.as_ref().and_then(|e| e.stop.as_ref()?.sprt);
        let mut report = Report::new(run, experiment.and_then(|e| e.about), anchor, &sums);
        report.sprt = test.map(|test| sprt(test, sums.tested));
        report.rank();
        report.rate_without_ladder();
        Ok(report)
    }

    fn new(run: &Run, about: Option<String>, anchor: Option<usize>, sums: &Sums) -> Self {
        let results = sums.results();
        let ratings = (results.games() > 0.0).then(|| elo::rate(&results, anchor));
        let curve = match &ratings {
            Some(_) => {
                let point =
                    |(n, r): &(u64, _)| Checkpoint { games: *n, elo: elo::rate(r, anchor).elo };
                sums.curve.iter().map(point).collect()
            }
            None => Vec::new(),
        };
        let [rules, cap, proven, forfeit] = sums.endings;
        Report {
            run: run.name.clone(),
            about,
            games: sums.all.games,
            total: run.total,
            verdict: run.verdict.clone(),
            draws: sums.all.draws,
            endings: Endings { rules, cap, proven, forfeit },
            agents: agents(run, sums, anchor, ratings.as_ref()),
            cross: cross(run.agents.len(), sums, ratings.as_ref()),
            anchor,
            by_game: (run.games.iter().zip(&sums.games))
                .map(|(game, sums)| of_game(&game.game, sums))
                .collect(),
            curve,
            sprt: None,
            forfeits: forfeits(run, sums),
            times: (run.agents.iter().enumerate())
                .map(|(i, agent)| Times {
                    agent: agent.clone(),
                    think_ms: sums.think_us[i].mean() / 1e3,
                    overruns: sums.overruns[i],
                })
                .collect(),
        }
    }

    /// Sets the place of each agent in the ranking, and its superiority over the next one.
    fn rank(&mut self) {
        let order = self.ranking();
        for (place, &i) in order.iter().enumerate() {
            self.agents[i].rank = Some(place + 1);
            let next = order.get(place + 1);
            self.agents[i].los = next.and_then(|&j| self.cross[i][j].as_ref()?.superiority);
        }
    }

    /// alpha-Rank and Nash averaging, where all agents have met each other.
    fn rate_without_ladder(&mut self) {
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
            agent.nash =
                (mix.get(i).zip(skill.get(i))).map(|(&weight, &score)| Nash { weight, score });
        }
    }
}

fn agents(
    run: &Run,
    sums: &Sums,
    anchor: Option<usize>,
    ratings: Option<&Ratings>,
) -> Vec<AgentReport> {
    let strength = strengths(run.agents.len(), sums);
    let agents = run.agents.iter().zip(sums.all.standings()).enumerate();
    agents
        .map(|(i, (agent, standing))| {
            let played = |game: &GameSums| {
                game.payoffs.get(i).filter(|s| s.count > 0.0).map(|sample| sample.mean())
            };
            let by_game: Vec<Option<f64>> = sums.games.iter().map(played).collect();
            let means: Vec<f64> = by_game.iter().copied().flatten().collect();
            AgentReport {
                anchor: anchor == Some(i),
                clustered: clustered(&means).map(|(mean, interval)| Clustered { mean, interval }),
                by_game,
                elo: ratings.and_then(|r| Some(rating(*r.elo.get(i)?, *r.error.get(i)?))),
                strength: strength.get(i).copied(),
                ..AgentReport::new(agent, standing)
            }
        })
        .collect()
}

fn rating(value: f64, error: f64) -> Rating {
    let half = Z95 * error;
    Rating { value, error, interval: Interval { low: value - half, high: value + half } }
}

fn sprt(test: Sprt, blocks: Sample) -> SprtState {
    let ratio = test.ratio(blocks);
    let (low, high) = test.bounds();
    SprtState { test, ratio, low, high, blocks: blocks.count as u64, verdict: test.judge(ratio) }
}

/// The Plackett-Luce strengths of all agents; empty where no game has more than two players.
fn strengths(agents: usize, sums: &Sums) -> Vec<f64> {
    if sums.rankings.is_empty() {
        return Vec::new();
    }
    // Sorted, so that sums of floats do not depend on the order of a hash table.
    let mut rankings: Vec<_> = sums.rankings.iter().collect();
    rankings.sort_by(|a, b| a.0.cmp(b.0));
    let payoff = |&(agent, bits): &(usize, u32)| (agent, f64::from(f32::from_bits(bits)));
    let results: Vec<(Table, f64)> =
        rankings.into_iter().map(|(t, n)| (t.iter().map(payoff).collect(), *n)).collect();
    plackett_luce(agents, &results)
}

/// The results of all pairs of agents.
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
        let score = duel.score;
        let games = score.games() as u64;
        let paired = paired(duel, Seed(1).named("permutation").child(a as u64).child(b as u64));
        let entry = |wins: f64, losses: f64, sign: f64, superiority: Option<f64>| {
            let share = (wins + score.draws / 2.0) / games.max(1) as f64;
            Some(Cross {
                games,
                wins: wins as u64,
                draws: score.draws as u64,
                losses: losses as u64,
                score: share,
                interval: wilson(share, games, Z95),
                superiority,
                t_test: tests[k].map(|(t, p)| TTest { t: sign * t, p, holm: adjusted[k] }),
                draw_ratio: score.draws / games.max(1) as f64,
                pairs: PairResults::new(if sign > 0.0 { duel.pairs } else { duel.pairs.flipped() }),
                paired: Paired {
                    t: paired.t.map(|t| Statistic { value: sign * t.value, p: t.p }),
                    ..paired
                },
            })
        };
        cross[a][b] = entry(score.wins, score.losses, 1.0, ratings.map(|r| r.superiority(a, b)));
        cross[b][a] = entry(score.losses, score.wins, -1.0, ratings.map(|r| r.superiority(b, a)));
    }
    cross
}

/// The tests on the blocks of a pair of agents.
fn paired(duel: &Duel, seed: Seed) -> Paired {
    let mut rng = seed.rng();
    Paired {
        blocks: duel.blocks.count as u64,
        t: one_t(duel.blocks).map(|(value, p)| Statistic { value, p }),
        sign: sign(duel.better, duel.worse),
        permutation: permutation(&duel.gaps, 2000, || rng.bits() & 1 == 0),
    }
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
            .map(|s| SeatReport { mean: s.mean(), interval: wilson(s.mean(), s.count as u64, Z95) })
            .collect(),
        seat_bias,
        steps: Steps {
            mean: sums.steps.mean(),
            least: sums.shortest.min(sums.longest),
            most: sums.longest,
        },
        bin: sums.bin,
        lengths: sums.lengths.clone(),
    }
}

fn forfeits(run: &Run, sums: &Sums) -> Vec<ForfeitReport> {
    sums.forfeits
        .iter()
        .map(|(number, agent, reason)| ForfeitReport {
            number: *number,
            agent: run.agents.get(*agent).cloned().unwrap_or_default(),
            reason: reason.clone(),
        })
        .collect()
}
