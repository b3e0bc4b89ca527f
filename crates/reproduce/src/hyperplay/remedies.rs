//! Figure 6: do the remedies for biased samples make a better player?

use super::{BASKET, Entry, parallel};
use crate::claim::Claim;
use crate::{Options, Verdict};
use ludex_agents::{AgentSpec, Budget};
use ludex_arena::{Referee, Seat};
use ludex_core::{AnyGame, Game, Player, Result};
use ludex_stats::Sample;
use ludex_stats::hypothesis::{holm, student_t_of};

const PAPER: [[f64; 3]; 8] = [
    [82.0, 85.3, 82.8],
    [52.5, 51.4, 53.2],
    [51.0, 49.2, 51.0],
    [67.8, 68.6, 69.4],
    [37.2, 36.6, 36.0],
    [51.6, 50.9, 51.7],
    [92.8, 93.3, 93.8],
    [72.2, 74.6, 73.0],
];

const REMEDIES: [&str; 3] = ["none", "weight", "balance"];

/// A player with a remedy and the resources of this experiment.
fn player(remedy: &str) -> Result<AgentSpec> {
    format!("hyperplay(models=20,cap=2000,remedy={remedy})@sims=400").parse()
}

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> crate::Result<()> {
    let mut cells = Vec::new();
    for entry in BASKET {
        let game = ludex_library::open(entry.sheet)?;
        let mut row = Vec::new();
        for remedy in REMEDIES {
            row.push(batch(options, &entry, &game, remedy)?);
        }
        cells.push(row);
    }
    // Each remedy against the base, on every game.
    let tests: Vec<f64> = cells
        .iter()
        .flat_map(|row| row[1..].iter().map(|cell| student_t_of(row[0], *cell)))
        .map(|test| test.map_or(1.0, |(_, p)| p))
        .collect();
    let adjusted = holm(&tests);
    for ((entry, paper), (row, p)) in
        BASKET.iter().zip(PAPER).zip(cells.iter().zip(adjusted.chunks(2)))
    {
        let cell = |sample: &Sample| {
            let half = 196.0 * (sample.variance() / sample.count).sqrt();
            format!("{:.1}±{half:.1}", 100.0 * sample.mean())
        };
        let same = p.iter().all(|&p| p >= 0.05);
        tell(
            Claim::new(
                format!("hyperplay-fig6.{}", entry.sheet),
                format!("{}: base / weight / balance", entry.title),
                row.iter().map(cell).collect::<Vec<_>>().join(" / "),
            )
            .paper(paper.map(|p| format!("{p:.1}")).join(" / "), "figure 6")
            .judged(
                "no remedy is shown to differ from the base (Student's t at 5 %, Holm over 16 tests)",
                Verdict::of(same),
            )
            .note(format!(
                "p = {:.2}, {:.2}; {} games a cell; values depend on the rules, which are ours",
                p[0], p[1], row[0].count
            )),
        );
        let base = 100.0 * row[0].mean();
        let (criterion, agrees) = match entry.sheet {
            "krieg-tictactoe" => ("the base is within 45 .. 55", (45.0..=55.0).contains(&base)),
            "mastermind-small" => ("the base is at least 90", base >= 90.0),
            _ => continue,
        };
        tell(
            Claim::new(
                format!("hyperplay-fig6.{}.base", entry.sheet),
                format!("{}: base", entry.title),
                cell(&row[0]),
            )
            .paper(format!("{:.1}", paper[0]), "figure 6")
            .judged(criterion, Verdict::of(agrees))
            .note("the rules leave little choice here, so that the value itself can be compared"),
        );
    }
    Ok(())
}

/// The payoffs of the measured seat with a remedy against players without one.
fn batch(options: &Options<'_>, entry: &Entry, game: &AnyGame, remedy: &str) -> Result<Sample> {
    let games = options.matches(100, 1000);
    options.progress.begin(&format!("{}: {remedy}", entry.title), games);
    let payoffs = parallel(options, games, |number| {
        let seed = options.seed.named("fig6").named(entry.sheet).child(number);
        let mut seats = Vec::new();
        for p in 0..game.info().seats() {
            let spec = player(if p == usize::from(entry.seat) { remedy } else { "none" })?;
            let agent = spec.build(game, Player(p as u8), seed.named(remedy).child(p as u64))?;
            seats.push(Seat { agent, budget: Budget::default() });
        }
        let record = Referee::default().play(game, None, &mut seats, seed, |_| {});
        if let Some(forfeit) = &record.forfeit {
            return Err(ludex_core::Error::Unsupported(format!(
                "{}: {}",
                entry.sheet, forfeit.reason
            )));
        }
        Ok(f64::from(record.payoffs.get(usize::from(entry.seat)).copied().unwrap_or(0.5)))
    })?;
    Ok(Sample::of(&payoffs))
}
