//! Figure 3: what a sample costs by HyperPlay and by random sampling, in states visited.

use super::{BASKET, Entry, claim, numbers, parallel, play_whole, records, whole_steps};
use crate::claim::Claim;
use crate::{Options, Verdict};
use ludex_agents::hidden::{Bag, Config, Cost, Round, Sampler};
use ludex_arena::chart::{Chart, Series};
use ludex_core::{Game, Player, Result};
use ludex_gdl::game::GdlGame;

/// States that random sampling may visit for one life.
const MOST: u64 = 40_000;

/// Random histories for one life, in lanes.
const ATTEMPTS: u64 = 4096;

/// What one step of a game cost, over all games.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    round: Round,
    random: Cost,
}

fn add(sum: &mut Round, round: &Round) {
    sum.tried += round.tried;
    sum.first += round.first;
    sum.updated += round.updated;
    sum.states_updated += round.states_updated;
    sum.states += round.states;
    sum.active += round.active;
}

/// A point of the curve.
#[derive(Debug, Clone, Copy)]
struct Step {
    complete: f64,
    visited: f64,
    rejection: f64,
    paper: f64,
    measured: f64,
    observations: u64,
    /// The relative standard error of the step's probability.
    error: f64,
}

/// Runs everything.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let mut figure = Vec::new();
    for entry in BASKET {
        let steps = curve(options, &entry)?;
        let above: Vec<String> = steps
            .iter()
            .enumerate()
            .filter(|(_, s)| s.visited > s.rejection * (1.0 + 2.0 * s.error))
            .map(|(n, s)| format!("step {} ({:.0} %)", n + 1, 100.0 * s.visited / s.rejection))
            .collect();
        let blind = entry.sheet == "blind-breakthrough5";
        let holds = if blind { above.len() <= 1 } else { above.is_empty() };
        let last = steps.last().map_or(1.0, |s| s.visited / s.rejection);
        let least = steps.iter().map(|s| s.observations).min().unwrap_or(0);
        tell(claim(
            &format!("hyperplay-fig3.{}", entry.sheet),
            format!("{}: HyperPlay's cost of random sampling's, last step", entry.title),
            Some(if blind {
                "2.2 % in the long run; one point above 100 %"
            } else {
                "below 100 %"
            }),
            format!(
                "{:.2} %; above 100 %: {}",
                100.0 * last,
                if above.is_empty() { "nowhere".into() } else { above.join(", ") }
            ),
            Some(holds),
            &format!(
                "{} steps, at least {least} observations each; random sampling's cost by the \
                 probabilities of first-draw success, (sum of products) / product; above means by \
                 two standard errors{}",
                steps.len(),
                if blind && above.is_empty() {
                    ". The paper's point at the first contact does not appear: our percepts tell \
                     the mover its targets, so random sampling suffers there as well"
                } else {
                    ""
                }
            ),
        ));
        if blind {
            let tail = tail(&steps);
            tell(Claim {
                verdict: Some(match tail {
                    _ if tail < 0.01 => Verdict::Beaten,
                    _ if tail <= 0.05 => Verdict::Holds,
                    _ => Verdict::FallsShort,
                }),
                ..claim(
                    "hyperplay-fig3.long-run",
                    "Blind Breakthrough 5x5: long-run cost (last third of the steps)",
                    Some("2.2 %"),
                    format!("{:.4} %", 100.0 * tail),
                    None,
                    "1 to 5 % holds; cheaper is better for HyperPlay. The sheet is ours: the mover \
                     is told its targets, which makes random histories fail more often",
                )
            });
        }
        let (worst, compared) = agreement(&steps);
        tell(claim(
            &format!("hyperplay-fig3.{}.measured", entry.sheet),
            format!("{}: cost by first draws against cost measured, worst step", entry.title),
            None,
            format!("{:.1} % apart over {compared} steps", 100.0 * worst),
            Some(worst <= 0.10),
            "measured by drawing histories forward from the start; steps where at least 200 were \
             valid. First draws are those of the bag's models, which are flatter than chance",
        ));
        if let Some(last) = steps.last() {
            tell(claim(
                &format!("hyperplay-fig3.{}.formulas", entry.sheet),
                format!("{}: random sampling at the last step, states a sample", entry.title),
                None,
                format!(
                    "n/2/P {:.0}, by first draws {:.0}, measured {:.0}",
                    last.paper, last.rejection, last.measured
                ),
                None,
                "",
            ));
        }
        figure.push(Series {
            label: entry.title.to_string(),
            line: steps
                .iter()
                .map(|s| (100.0 * s.complete, 100.0 * s.visited / s.rejection))
                .collect(),
            ..Series::default()
        });
    }
    let chart = Chart {
        title: "HyperPlay's cost of random sampling's, states visited".into(),
        x: "% of the game played".into(),
        y: "% (log)".into(),
        log: true,
        series: figure,
        ..Chart::default()
    };
    let svg = chart.svg().map_err(ludex_core::Error::Unsupported)?;
    crate::write(&options.out, "hyperplay-fig3.svg", svg.as_bytes())?;
    Ok(())
}

/// The mean ratio over the last third.
fn tail(steps: &[Step]) -> f64 {
    let last = &steps[steps.len() - (steps.len() / 3).max(1).min(steps.len())..];
    last.iter().map(|s| s.visited / s.rejection).sum::<f64>() / last.len().max(1) as f64
}

/// How far the two costs differ at worst, where enough samples were found.
fn agreement(steps: &[Step]) -> (f64, usize) {
    let able: Vec<f64> = steps
        .iter()
        .filter(|s| s.measured.is_finite() && s.observations > 0)
        .map(|s| (s.measured / s.rejection - 1.0).abs())
        .collect();
    (able.iter().copied().fold(0.0, f64::max), able.len())
}

/// Plays games and measures.
fn curve(options: &Options<'_>, entry: &Entry) -> Result<Vec<Step>> {
    let game = ludex_library::open(entry.sheet)?;
    let games = if options.quick { 30 } else { 200 };
    let seat = Player(entry.seat);
    options.progress.begin(entry.title, games);
    let played = parallel(options, games, |number| {
        let seed = options.seed.named("fig3").named(entry.sheet).child(number);
        let config = Config { revive: false, ..Config::default() };
        let mut bag = Bag::new(&game, &game.start(), seat, config, seed.named("bag"));
        let mut sampler = Sampler::new(seed.named("sampler"));
        let mut rng = seed.named("random").rng();
        let mut points: Vec<Point> = Vec::new();
        let lanes = game.get::<GdlGame>().and_then(|game| game.histories(seat));
        let length = play_whole(&game, seat, seed, |life, ends, over| {
            if over {
                return Ok(());
            }
            bag.observe(&game, &records(life), life.now.as_deref(), None)?;
            let random = match (&lanes, whole_steps(life, ends)) {
                (Some(lanes), Some((steps, sizes))) => {
                    let now = life.now.as_deref().map(numbers);
                    let found = lanes.run(&steps, now.as_deref(), ATTEMPTS, rng.seed());
                    let visited = found.steps.iter().zip(&sizes).map(|(n, size)| n * size).sum();
                    Cost { attempts: found.attempts, valid: found.valid, visited }
                }
                // In the middle of a step.
                _ => sampler.run(&game, &game.start(), life, 50, MOST, |_| {}),
            };
            let round = bag.rounds().last().copied().unwrap_or_default();
            points.push(Point { round, random });
            Ok(())
        })?;
        Ok((length, points))
    })?;
    let lengths: usize = played.iter().map(|(length, _)| length).sum();
    let mean = lengths as f64 / played.len().max(1) as f64;
    let longest = played.iter().map(|(_, points)| points.len()).max().unwrap_or(0);
    let mut steps = Vec::new();
    // The probability that a random history agrees so far, and the states of an attempt.
    let (mut valid, mut attempt) = (1.0, 0.0);
    for n in 0..longest {
        let (mut round, mut random) = (Round::default(), Cost::default());
        let (mut found, mut count) = (0, 0);
        for point in played.iter().filter_map(|(_, points)| points.get(n)) {
            add(&mut round, &point.round);
            random.attempts += point.random.attempts;
            random.valid += point.random.valid;
            random.visited += point.random.visited;
            found += u64::from(point.random.valid > 0);
            count += 1;
        }
        // Too few games are so long.
        if round.tried < 1000 || count * 5 < played.len() {
            break;
        }
        attempt += valid;
        let first = round.first as f64 / round.tried as f64;
        valid *= first;
        if valid <= 0.0 {
            break;
        }
        steps.push(Step {
            complete: ((n + 1) as f64 / mean).min(1.0),
            visited: round.states as f64 / round.tried as f64,
            rejection: attempt / valid,
            paper: (n + 1) as f64 / 2.0 / valid,
            measured: if random.valid >= 200 && found as usize == count {
                random.visited as f64 / random.valid as f64
            } else {
                f64::INFINITY
            },
            observations: round.tried,
            error: ((1.0 - first) / (first * round.tried as f64)).sqrt(),
        });
    }
    Ok(steps)
}
