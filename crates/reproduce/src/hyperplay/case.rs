//! Figure 7, the case study: Blind Breakthrough 8x8, where random sampling becomes impossible.

use super::{CAP, Setup, parallel, play, records, worked};
use crate::claim::Claim;
use crate::{Options, Verdict};
use ludex_agents::hidden::{Bag, Config, Round};
use ludex_core::{Game, Player, Result, Seed};

/// A row of the table of the paper.
struct Row {
    round: usize,
    /// The probability that a random history is valid.
    valid: &'static str,
    /// The greatest number of histories, as printed and as a logarithm to base 10.
    histories: &'static str,
    log_histories: f64,
    /// The share of models on line.
    active: &'static str,
}

const PAPER: [Row; 6] = [
    row(1, "100 %", "22", 1.342_422_680_822_206_2, "100 %"),
    row(2, "100 %", "22", 1.342_422_680_822_206_2, "100 %"),
    row(16, "1.19 %", "4.2e11", 11.62, "71.9 %"),
    row(17, "0.73 %", "1.5e13", 13.18, "70.3 %"),
    row(32, "< 0.01 %", "6.0e23", 23.78, "50.0 %"),
    row(33, "< 0.01 %", "1.7e25", 25.23, "48.7 %"),
];

const fn row(
    round: usize,
    valid: &'static str,
    histories: &'static str,
    log_histories: f64,
    active: &'static str,
) -> Row {
    Row { round, valid, histories, log_histories, active }
}

pub(super) const TITLE: &str = "Blind Breakthrough 8x8";
pub(super) const SHEET: &str = "blind-breakthrough8";
/// The second player: it gets imperfect information first.
const BLACK: Player = Player(1);

/// The criterion for probabilities that change fast.
const FACTOR: &str = "within a factor of 3 of the paper's";

/// One round of one game.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    round: Round,
    /// The logarithm to base 10 of the largest choice factor of a model.
    factor: f64,
    models: usize,
    /// The improved bag: models on line, different histories, CPU seconds.
    active: usize,
    different: usize,
    seconds: f64,
}

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> crate::Result<()> {
    let setup = Setup {
        title: TITLE,
        name: SHEET.into(),
        game: ludex_library::open(SHEET)?,
        seat: BLACK,
        matches: options.matches(4, 100),
        lists: true,
        cap: CAP,
        models: 0,
    };
    let played = play_all(options, &setup, true)?;
    let valid = valid_histories(&played);
    for row in &PAPER {
        let seen: Vec<&Seen> =
            played.iter().filter_map(|rounds| rounds.get(row.round.checked_sub(1)?)).collect();
        if seen.is_empty() {
            tell(Claim::new(
                format!("hyperplay-fig7.round-{}", row.round),
                format!("round {}", row.round),
                "no game was so long",
            ));
            continue;
        }
        row.judge(&seen, valid.get(row.round).copied().unwrap_or(0.0), tell);
    }
    improvement(&played, tell);
    Ok(())
}

/// The probability of a valid history by the number of rounds (from 0), and the share of models on line by round (from 1),
/// in the bag as published.
pub(super) fn published(
    options: &Options<'_>,
    setup: &Setup,
) -> crate::Result<(Vec<f64>, Vec<f64>)> {
    let played = play_all(options, setup, false)?;
    let longest = played.iter().map(Vec::len).max().unwrap_or(0);
    let online = (0..longest).map(|n| {
        let seen = || played.iter().filter_map(|rounds| rounds.get(n));
        let shares = seen().map(|s| s.round.active as f64 / s.models.max(1) as f64);
        shares.sum::<f64>() / seen().count().max(1) as f64
    });
    Ok((valid_histories(&played), online.collect()))
}

fn play_all(options: &Options<'_>, setup: &Setup, improve: bool) -> crate::Result<Vec<Vec<Seen>>> {
    options.progress.begin(setup.title, setup.matches);
    Ok(parallel(options, setup.matches, |number| {
        one_game(setup, improve, options.seed.named("fig7").child(number))
    })?)
}

/// Plays one game and watches bags of models of the second player: the published one and, with `improve`, the improved one.
fn one_game(setup: &Setup, improve: bool, seed: Seed) -> Result<Vec<Seen>> {
    let game = &setup.game;
    let bag = |config| Bag::new(game, &game.start(), setup.seat, config, seed.named("bag"));
    let mut published = bag(Config { revive: false, cap: setup.cap, ..Config::default() });
    let mut improved = bag(Config { cap: 10_000_000, memory: 1 << 22, ..Config::default() });
    let mut rounds = Vec::new();
    play(setup, seed, |observed, over| {
        // The table ends with round 33.
        if over || observed.len() > 33 {
            return Ok(());
        }
        let told = records(observed);
        published.observe(game, &told, observed.now.as_deref(), None)?;
        let begun = worked();
        if improve {
            improved.observe(game, &told, observed.now.as_deref(), None)?;
        }
        let seconds = worked() - begun;
        let worlds = improved.worlds();
        let mut different: Vec<u64> = worlds.iter().map(|w| w.footprint()).collect();
        different.sort_unstable();
        different.dedup();
        let factors = worlds.iter().map(|w| -w.ln_chance() / std::f64::consts::LN_10);
        rounds.push(Seen {
            round: published.rounds().last().copied().unwrap_or_default(),
            factor: factors.fold(0.0, f64::max),
            models: published.len(),
            active: worlds.len(),
            different: different.len(),
            seconds,
        });
        Ok(())
    })?;
    Ok(rounds)
}

/// The probability that a random history is valid, by round.
fn valid_histories(played: &[Vec<Seen>]) -> Vec<f64> {
    let longest = played.iter().map(Vec::len).max().unwrap_or(0);
    let mut valid = vec![1.0];
    for n in 0..longest {
        let rounds = played.iter().filter_map(|rounds| rounds.get(n));
        let (tried, first) =
            rounds.fold((0, 0), |(t, f), s| (t + s.round.tried, f + s.round.first));
        valid.push(valid[n] * first as f64 / (tried as f64).max(1.0));
    }
    valid
}

impl Row {
    /// The claims about one round.
    fn judge(&self, seen: &[&Seen], valid: f64, tell: &mut dyn FnMut(Claim)) {
        let n = self.round;
        let mean =
            |f: &dyn Fn(&Seen) -> f64| seen.iter().map(|s| f(s)).sum::<f64>() / seen.len() as f64;
        let factor = mean(&|s| s.factor);
        let active = mean(&|s| s.round.active as f64 / s.models.max(1) as f64);
        let (criterion, holds) = match n {
            1 | 2 => ("above 99.9 %", valid > 0.999),
            16 => (FACTOR, (0.0119 / 3.0..=0.0119 * 3.0).contains(&valid)),
            17 => (FACTOR, (0.0073 / 3.0..=0.0073 * 3.0).contains(&valid)),
            _ => ("below 0.01 %", valid < 1e-4),
        };
        tell(
            Claim::new(
                format!("hyperplay-fig7.round-{n}.valid"),
                format!("round {n}: a random history is valid with probability"),
                format!("{:.4} %", 100.0 * valid),
            )
            .paper(self.valid, "figure 7")
            .judged(criterion, Verdict::of(holds))
            .note(format!("{} games", seen.len())),
        );
        let gap = (factor - self.log_histories).abs();
        let most = match n {
            1 | 2 => 0.001,
            16 | 17 => 1.5,
            _ => 2.0,
        };
        tell(
            Claim::new(
                format!("hyperplay-fig7.round-{n}.histories"),
                format!("round {n}: at most so many histories"),
                format!("10^{factor:.2}"),
            )
            .paper(self.histories, "figure 7")
            .judged(
                format!("the logarithms to base 10 differ by at most {most}"),
                Verdict::of(gap <= most),
            )
            .note("the largest choice factor of a model, mean of its logarithm over the games"),
        );
        let least = match n {
            1 | 2 => 0.999,
            16 | 17 => 0.6,
            _ => 0.45,
        };
        tell(
            Claim::new(
                format!("hyperplay-fig7.round-{n}.active"),
                format!("round {n}: models on line (cap 100,000, none come back)"),
                format!("{:.1} %", 100.0 * active),
            )
            .paper(self.active, "figure 7")
            .judged(format!("at least {} %", 100.0 * least), Verdict::of(active >= least)),
        );
    }
}

/// The claims about the improved bag, with a cap of ten million and models that come back.
fn improvement(played: &[Vec<Seen>], tell: &mut dyn FnMut(Claim)) {
    let late: Vec<&Seen> = played.iter().filter_map(|r| r.get(31)).collect();
    let every: Vec<&Seen> = played.iter().flatten().collect();
    let mean = |of: &[&Seen], f: &dyn Fn(&Seen) -> f64| {
        of.iter().map(|s| f(s)).sum::<f64>() / of.len().max(1) as f64
    };
    let most = |of: &[&Seen]| of.iter().map(|s| s.seconds).fold(0.0, f64::max);
    let (update, all) = (
        every.iter().map(|s| s.round.states_updated).sum::<u64>() as f64
            / every.iter().map(|s| s.round.updated).sum::<u64>().max(1) as f64,
        mean(&late, &|s| s.round.states as f64),
    );
    tell(
        Claim::new(
            "hyperplay-fig7.states",
            "states a successful update (all rounds), states a bag (round 32)",
            format!("{update:.1}; {all:.0}"),
        )
        .paper("745; 166,000", "interpretation of results, the case study game")
        .note("published way: 100 models, cap 100,000"),
    );
    if late.is_empty() {
        return;
    }
    let active = mean(&late, &|s| s.active as f64 / s.models.max(1) as f64);
    tell(
        Claim::new(
            "hyperplay-fig7.improved.active",
            "improved bag, round 32: models on line (cap 10,000,000, models come back)",
            format!(
                "{:.1} %, {:.0} different histories",
                100.0 * active,
                mean(&late, &|s| s.different as f64)
            ),
        )
        .goal("at least 95 %")
        .judged("the goal", Verdict::of(active >= 0.95))
        .note(
            "a model off line becomes a relative of one on line: it goes back a random number of steps and \
             forward again",
        ),
    );
    let seconds = mean(&late, &|s| s.seconds);
    tell(
        Claim::new(
            "hyperplay-fig7.improved.seconds",
            "improved bag, round 32: seconds of one thread an update; most over all rounds",
            format!("{seconds:.3} s; {:.3} s", most(&every)),
        )
        .goal("below 1 s a bag")
        .judged("the goal, in the mean of round 32", Verdict::of(seconds < 1.0)),
    );
}
