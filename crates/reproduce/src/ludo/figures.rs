//! Figures 1 to 5 from our own runs.

use super::{evolve, plan};
use crate::{Claim, Options, Result, Verdict};
use ludex_games::ludo::values::Kind;
use ludex_learn::evolve::figure::{genes, reach, win_rates};
use ludex_learn::evolve::{Genome, Outcome, Plan};
use ludex_stats::plot::{Chart, Panels, Series};

/// The tolerance for values that are read off a curve of the paper, because the curves are single runs.
pub(super) const SLACK: f64 = 0.06;

/// The note on how the curves were read.
const READ: &str =
    "read by eye off the curve in the PDF, about 0.02 exact; the paper prints no value";

/// Runs an evolution with the settings of a figure.
pub(super) fn run(
    options: &Options<'_>,
    kind: Kind,
    change: impl FnOnce(&mut Plan),
) -> Result<Outcome> {
    let mut plan = plan(kind, options.quick);
    plan.seed = options.seed.0;
    change(&mut plan);
    evolve(options, kind, &plan)
}

pub(super) fn chart(
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
        y_range: Some((0.0, 1.0)),
        series,
        ..Chart::default()
    };
    crate::draw(&options.out, name, &chart)
}

/// The mean of the measurements from this generation on.
pub(super) fn mean_from(outcome: &Outcome, generation: u64) -> f64 {
    let late: Vec<f64> =
        outcome.points.iter().filter(|p| p.generation >= generation).map(|p| p.mean).collect();
    late.iter().sum::<f64>() / late.len().max(1) as f64
}

/// A claim about the level of a curve, beside the level in the plot.
fn level(id: &str, claim: &str, ours: f64, (low, high): (f64, f64)) -> Claim {
    let shown = match low == high {
        true => format!("about {low:.2}"),
        false => format!("{low:.2} to {high:.2}"),
    };
    Claim::new(id, claim, format!("{ours:.3}")).plot(shown, READ)
}

/// Judges a level; a higher one is better.
fn judged(claim: Claim, ours: f64, (low, high): (f64, f64)) -> Claim {
    let verdict = match ours {
        ours if ours > high + SLACK => Verdict::Beaten,
        ours if ours < low - SLACK => Verdict::FallsShort,
        _ => Verdict::Holds,
    };
    let criterion = format!(
        "within {SLACK} of the plot's value (a tolerance of ours: the curves are single runs); beaten: above that"
    );
    claim.judged(criterion, verdict)
}

/// Judges a level that is low in the plot because its settings are bad: a higher one does not agree.
fn judged_low(claim: Claim, ours: f64, (low, high): (f64, f64)) -> Claim {
    let agrees = (low - SLACK..=high + SLACK).contains(&ours);
    let criterion = format!(
        "within {SLACK} of the plot's value (a tolerance of ours: the curves are single runs)"
    );
    claim.judged(criterion, Verdict::of(agrees))
}

/// The note on levels of quick runs.
const SHORT: &str = "not judged: a quick run is much shorter than the plotted one";

pub(super) fn drawn(id: &str, file: String) -> Claim {
    Claim::new(format!("{id}.file"), "the figure, drawn", file)
}

/// A curve without the dots of single individuals.
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
    let mut means = Vec::new();
    for (sigma, plot) in [(0.01, (0.55, 0.60)), (0.1, (0.55, 0.60)), (1.0, (0.35, 0.45))] {
        let outcome = run(options, Kind::Simple, |plan| {
            plan.mutation = format!("normal(sigma={sigma})");
        })?;
        series.push(curve(&format!("sigma {sigma}"), &outcome, false, true));
        let mean = mean_from(&outcome, 10);
        means.push(mean);
        let claim = level(
            &format!("ludo-fig1.sigma-{sigma}"),
            &format!("simple, sigma {sigma}: mean win rate from generation 10 on"),
            mean,
            plot,
        );
        tell(match sigma == 1.0 {
            true => judged_low(claim, mean, plot),
            false => judged(claim, mean, plot),
        });
    }
    if let [small, middle, large] = means[..] {
        tell(
            Claim::new(
                "ludo-fig1.large-mutations",
                "simple: the mean win rates for sigma 0.01, 0.1 and 1",
                format!("{small:.3}, {middle:.3}, {large:.3}"),
            )
            .paper("lower for sigma 1", "section 4, mutation experiments")
            .judged("the third is below both others", Verdict::of(large < small.min(middle))),
        );
    }
    let title = "Figure 1: the simple player, three sizes of mutations";
    let file = chart(options, "ludo-fig1", title, "generation", series)?;
    tell(drawn("ludo-fig1", file));
    Ok(())
}

/// Figure 2: the advanced player.
pub(crate) fn fig2(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let outcome = run(options, Kind::Advanced, |_| ())?;
    let (mean, plot) = (mean_from(&outcome, 12), (0.75, 0.75));
    let claim = "advanced: mean win rate from generation 12 on";
    tell(judged(level("ludo-fig2.level", claim, mean, plot), mean, plot));
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
    for (population, plot) in [(20, 0.62), (40, 0.68), (80, 0.73), (160, 0.76)] {
        let outcome = run(options, Kind::Full, |plan| plan.population = population)?;
        let label = format!("population {population}");
        by_generation.push(curve(&label, &outcome, false, false));
        by_games.push(curve(&label, &outcome, true, false));
        let last = outcome.generation - outcome.generation / 12;
        let (mean, plot) = (mean_from(&outcome, last), (plot, plot));
        let claim = level(
            &format!("ludo-fig3.population-{population}"),
            &format!("full, population {population}: mean win rate of the last twelfth"),
            mean,
            plot,
        )
        .note(format!("{} generations, {} games", outcome.generation, outcome.games));
        tell(if options.quick { claim.note(SHORT) } else { judged(claim, mean, plot) });
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
    let mut spreads = Vec::new();
    for recombination in RECOMBINATIONS {
        let outcome = run(options, Kind::Simple, |plan| {
            (plan.generations, plan.recombination) = (20, recombination.into());
        })?;
        let spread = outcome.trail.last().map_or(0.0, |all| spread(all));
        spreads.push(spread);
        tell(
            Claim::new(
                format!("ludo-fig4.{}", recombination.split('(').next().unwrap_or_default()),
                format!("simple, {recombination}: win rate in the end, spread of genes"),
                format!("{:.3}, {spread:.3}", mean_from(&outcome, 15)),
            )
            .paper(
                "all four 'perform similarly'; whole 'has converged tightly'",
                "section 4, recombination experiment",
            ),
        );
        runs.push((recombination, outcome));
    }
    let shown: Vec<String> = spreads.iter().map(|spread| format!("{spread:.3}")).collect();
    let least = spreads.iter().copied().fold(f64::INFINITY, f64::min);
    tell(
        Claim::new(
            "ludo-fig4.tightest",
            "simple: spread of genes in the end by none, uniform, whole, blend",
            shown.join(", "),
        )
        .paper("whole 'has converged tightly'", "section 4, recombination experiment")
        .judged(
            "whole has the least spread of the four",
            Verdict::of(spreads.get(2) == Some(&least)),
        ),
    );
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
    tell(drawn("ludo-fig4", crate::draw(&options.out, "ludo-fig4", &panels)?));
    Ok(())
}

/// The standard deviation of genes within a population, as the mean over all genes.
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

/// Figure 5: the full player by recombination. The result of such a small population depends on chance, so there are three
/// runs instead of one. Besides the mutation size of the caption, the size of all other figures is tried.
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
            let (median, plot) = (ends[ends.len() / 2], (0.54, 0.60));
            let claim = level(
                &format!("{name}.{label}"),
                &format!("full, {recombination}, sigma {sigma}: win rate in the end"),
                median,
                plot,
            )
            .note(format!("the median of: {}", shown.join(", ")));
            let claim = match sigma {
                "0.01" => claim,
                _ => claim
                    .note("the caption of the plot says sigma 0.01; its other figures have 0.1"),
            };
            tell(if options.quick { claim.note(SHORT) } else { judged(claim, median, plot) });
        }
        let title = format!("Figure 5: the full player, recombinations (sigma {sigma})");
        let file = chart(options, name, &title, "generation", series)?;
        tell(drawn(name, file));
    }
    Ok(())
}

/// The mean of several runs with the same generations.
pub(super) fn mean_curve(label: &str, runs: &[Outcome]) -> Series {
    let mut series = Series { label: label.into(), ..Series::default() };
    let length = runs.iter().map(|run| run.points.len()).min().unwrap_or(0);
    for i in 0..length {
        let at = runs[0].points[i].generation as f64;
        let means: Vec<f64> = runs.iter().map(|run| run.points[i].mean).collect();
        series.line.push((at, means.iter().sum::<f64>() / means.len() as f64));
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    #[test]
    fn a_value_read_off_a_plot_is_no_figure_of_the_paper() {
        let claim = level("a", "b", 0.5, (0.55, 0.60));
        assert_eq!(claim.figure(Origin::Paper), None);
        assert_eq!(claim.figure(Origin::Plot), Some("0.55 to 0.60"));
        assert!(claim.note.contains("by eye"), "{}", claim.note);
        assert_eq!(claim.verdict(), None);
    }

    #[test]
    fn more_wins_are_better_only_where_the_setting_is_not_a_bad_one() {
        let claim = || level("a", "b", 0.7, (0.35, 0.45));
        assert_eq!(judged(claim(), 0.7, (0.35, 0.45)).verdict(), Some(Verdict::Beaten));
        assert_eq!(judged_low(claim(), 0.7, (0.35, 0.45)).verdict(), Some(Verdict::FallsShort));
        assert_eq!(judged_low(claim(), 0.4, (0.35, 0.45)).verdict(), Some(Verdict::Holds));
    }
}
