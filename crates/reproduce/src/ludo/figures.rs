//! Figures 1 to 5, drawn from our own runs.

use super::{evolve, plan};
use crate::{Claim, Options, Verdict};
use ludex_arena::chart::{Chart, Panels, Series};
use ludex_core::{Error, Result};
use ludex_games::ludo::values::Kind;
use ludex_learn::evolve::figure::{genes, reach, win_rates};
use ludex_learn::evolve::{Genome, Outcome, Plan};
use std::path::PathBuf;

/// What the paper's curve shows, read off the figure, and how far ours may be from it: the curves
/// are single runs.
const SLACK: f64 = 0.06;

/// A run of the figure's settings.
fn run(options: &Options<'_>, kind: Kind, change: impl FnOnce(&mut Plan)) -> Result<Outcome> {
    let mut plan = plan(kind, options.quick);
    plan.seed = options.seed.0;
    change(&mut plan);
    evolve(options, kind, &plan)
}

/// Writes a picture as SVG and PNG and says where.
fn save(
    options: &Options<'_>,
    name: &str,
    svg: std::result::Result<String, String>,
    png: std::result::Result<Vec<u8>, String>,
) -> Result<String> {
    let at = |ending: &str| -> PathBuf { options.out.join(format!("{name}.{ending}")) };
    let failed = |reason: String| Error::Unsupported(format!("{name}: {reason}"));
    let write = |ending: &str, bytes: &[u8]| {
        std::fs::create_dir_all(&options.out)
            .and_then(|()| std::fs::write(at(ending), bytes))
            .map_err(|e| failed(format!("{}: {e}", at(ending).display())))
    };
    write("svg", svg.map_err(failed)?.as_bytes())?;
    write("png", &png.map_err(failed)?)?;
    Ok(at("svg").display().to_string())
}

fn chart(
    options: &Options<'_>,
    name: &str,
    title: &str,
    x: &str,
    series: Vec<Series>,
) -> Result<String> {
    let chart = Chart {
        title: title.into(),
        x: x.into(),
        y: "win rate against three random players".into(),
        range: Some((0.0, 1.0)),
        series,
        ..Chart::default()
    };
    save(options, name, chart.svg(), chart.png())
}

/// The mean of the measurements from a generation on.
fn mean_from(outcome: &Outcome, generation: u64) -> f64 {
    let late: Vec<f64> =
        outcome.points.iter().filter(|p| p.generation >= generation).map(|p| p.mean).collect();
    late.iter().sum::<f64>() / late.len().max(1) as f64
}

/// A curve's level beside the paper's.
fn level(
    id: &str,
    claim: &str,
    ours: f64,
    paper: (f64, f64),
    compare: bool,
    note: String,
) -> Claim {
    let (low, high) = paper;
    let shown = match low == high {
        true => format!("about {low:.2}"),
        false => format!("{low:.2} to {high:.2}"),
    };
    let verdict = match ours {
        ours if ours > high + SLACK => Verdict::Beaten,
        ours if ours < low - SLACK => Verdict::FallsShort,
        _ => Verdict::Holds,
    };
    Claim {
        id: id.into(),
        claim: claim.into(),
        paper: Some(shown),
        ours: format!("{ours:.3}"),
        interval: None,
        verdict: compare.then_some(verdict),
        note,
    }
}

fn drawn(id: &str, file: String) -> Claim {
    Claim {
        id: format!("{id}.file"),
        claim: "the figure, drawn".into(),
        paper: None,
        ours: file,
        interval: None,
        verdict: None,
        note: String::new(),
    }
}

/// A curve without single agents.
fn curve(label: &str, outcome: &Outcome, by_games: bool, band: bool) -> Series {
    let mut series = win_rates(label, &outcome.points, by_games);
    series.dots.clear();
    if !band {
        series.band.clear();
    }
    series
}

/// Figure 1: the simple player by size of mutations.
pub(crate) fn fig1(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let mut series = Vec::new();
    for (sigma, paper) in [(0.01, (0.55, 0.60)), (0.1, (0.55, 0.60)), (1.0, (0.35, 0.45))] {
        let outcome = run(options, Kind::Simple, |plan| {
            plan.mutation = format!("normal(sigma={sigma})");
        })?;
        series.push(curve(&format!("sigma {sigma}"), &outcome, false, true));
        tell(level(
            &format!("ludo-fig1.sigma-{sigma}"),
            &format!("simple, sigma {sigma}: mean win rate from generation 10 on"),
            mean_from(&outcome, 10),
            paper,
            true,
            String::new(),
        ));
    }
    let title = "Figure 1: the simple player, three sizes of mutations";
    let file = chart(options, "ludo-fig1", title, "generation", series)?;
    tell(drawn("ludo-fig1", file));
    Ok(())
}

/// Figure 2: the advanced player.
pub(crate) fn fig2(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let outcome = run(options, Kind::Advanced, |_| ())?;
    tell(level(
        "ludo-fig2.level",
        "advanced: mean win rate from generation 12 on",
        mean_from(&outcome, 12),
        (0.75, 0.75),
        true,
        String::new(),
    ));
    let mut series = win_rates("", &outcome.points, false);
    series.band.clear();
    let title = "Figure 2: the advanced player, agents and their mean";
    let file = chart(options, "ludo-fig2", title, "generation", vec![series])?;
    tell(drawn("ludo-fig2", file));
    Ok(())
}

/// Figure 3: the full player by size of the population.
pub(crate) fn fig3(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let (mut by_generation, mut by_games) = (Vec::new(), Vec::new());
    for (population, paper) in [(20, 0.62), (40, 0.68), (80, 0.73), (160, 0.76)] {
        let outcome = run(options, Kind::Full, |plan| plan.population = population)?;
        let label = format!("population {population}");
        by_generation.push(curve(&label, &outcome, false, false));
        by_games.push(curve(&label, &outcome, true, false));
        let last = outcome.generation - outcome.generation / 12;
        tell(level(
            &format!("ludo-fig3.population-{population}"),
            &format!("full, population {population}: mean win rate of the last twelfth"),
            mean_from(&outcome, last),
            (paper, paper),
            !options.quick,
            format!("{} generations, {} games", outcome.generation, outcome.games),
        ));
    }
    let title = "Figure 3: the full player, sizes of population";
    let a = chart(options, "ludo-fig3a", title, "generation", by_generation)?;
    let b = chart(options, "ludo-fig3b", title, "games", by_games)?;
    tell(drawn("ludo-fig3a", a));
    tell(drawn("ludo-fig3b", b));
    Ok(())
}

/// The recombinations of figures 4 and 5.
const RECOMBINATIONS: [&str; 4] = ["none", "uniform", "whole", "blend(alpha=0.5)"];

/// Figure 4: the genes of the simple player by recombination.
pub(crate) fn fig4(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let mut runs = Vec::new();
    for recombination in RECOMBINATIONS {
        let outcome = run(options, Kind::Simple, |plan| {
            (plan.generations, plan.recombination) = (20, recombination.into());
        })?;
        let spread = outcome.trail.last().map_or(0.0, |all| spread(all));
        tell(Claim {
            id: format!("ludo-fig4.{}", recombination.split('(').next().unwrap_or_default()),
            claim: format!("simple, {recombination}: win rate in the end, spread of genes"),
            paper: Some("all end alike; whole converges most tightly".into()),
            ours: format!("{:.3}, {spread:.3}", mean_from(&outcome, 15)),
            interval: None,
            verdict: None,
            note: String::new(),
        });
        runs.push((recombination, outcome));
    }
    let labels = Kind::Simple.labels();
    let columns: Vec<_> = runs
        .iter()
        .map(|(name, outcome)| genes(&format!("{name}: "), &outcome.trail, &labels))
        .collect();
    let rows = columns.first().map_or(0, Vec::len);
    let panels: Vec<_> =
        (0..rows).flat_map(|row| columns.iter().map(move |c| c[row].clone())).collect();
    let reach = reach(runs.iter().flat_map(|(_, outcome)| &outcome.trail));
    let panels = Panels { columns: columns.len(), panels, reach };
    tell(drawn("ludo-fig4", save(options, "ludo-fig4", panels.svg(), panels.png())?));
    Ok(())
}

/// The standard deviation of genes within a population, the mean over genes.
fn spread(all: &[Vec<f64>]) -> f64 {
    let count = all.first().map_or(0, Vec::len);
    let n = all.len().max(1) as f64;
    let sum: f64 = (0..count)
        .map(|i| {
            let mean = all.iter().map(|genes| genes[i]).sum::<f64>() / n;
            (all.iter().map(|genes| (genes[i] - mean).powi(2)).sum::<f64>() / n).sqrt()
        })
        .sum();
    sum / count.max(1) as f64
}

/// Figure 5: the full player by recombination. So small a population ends where chance leads it:
/// three runs each instead of the paper's one; and the size of mutations of all its other figures
/// beside that of the caption.
pub(crate) fn fig5(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let (generations, seeds) = if options.quick { (100, 1) } else { (200, 3) };
    for (sigma, name) in [("0.01", "ludo-fig5"), ("0.1", "ludo-fig5-sigma-0.1")] {
        let mut series = Vec::new();
        for recombination in RECOMBINATIONS {
            let runs = (0..seeds)
                .map(|seed| {
                    run(options, Kind::Full, |plan| {
                        plan.seed = options.seed.0.wrapping_add(seed);
                        (plan.population, plan.generations) = (20, generations);
                        plan.recombination = recombination.into();
                        plan.mutation = format!("normal(sigma={sigma})");
                    })
                })
                .collect::<Result<Vec<Outcome>>>()?;
            let label = recombination.split('(').next().unwrap_or_default();
            series.push(mean_curve(label, &runs));
            let mut ends: Vec<f64> =
                runs.iter().map(|run| mean_from(run, generations - generations / 20)).collect();
            let shown: Vec<String> = ends.iter().map(|end| format!("{end:.3}")).collect();
            ends.sort_by(f64::total_cmp);
            tell(level(
                &format!("{name}.{label}"),
                &format!("full, {recombination}, sigma {sigma}: win rate in the end"),
                ends[ends.len() / 2],
                (0.54, 0.60),
                !options.quick,
                format!("the median of: {}", shown.join(", ")),
            ));
        }
        let title = format!("Figure 5: the full player, recombinations (sigma {sigma})");
        let file = chart(options, name, &title, "generation", series)?;
        tell(drawn(name, file));
    }
    Ok(())
}

/// The mean of several runs with the same generations.
fn mean_curve(label: &str, runs: &[Outcome]) -> Series {
    let mut series = Series { label: label.into(), ..Series::default() };
    let length = runs.iter().map(|run| run.points.len()).min().unwrap_or(0);
    for i in 0..length {
        let at = runs[0].points[i].generation as f64;
        let means: Vec<f64> = runs.iter().map(|run| run.points[i].mean).collect();
        series.line.push((at, means.iter().sum::<f64>() / means.len() as f64));
    }
    series
}
