//! The figures of a run: win rates by generation, and genes coloured by progress.

use super::checkpoint::Folder;
use super::evolution::Point;
use ludex_stats::plot::{Chart, Drawing, Panel, Panels, Series};
use std::io::{Error, Result};

/// The win rates of a run: the mean, the standard deviation as a band, and each individual as a dot.
pub fn win_rates(label: &str, points: &[Point], by_games: bool) -> Series {
    let x = |point: &Point| (if by_games { point.games } else { point.generation }) as f64;
    let line = points.iter().map(|p| (x(p), p.mean)).collect();
    let band = points.iter().map(|p| (x(p), p.mean - p.spread, p.mean + p.spread)).collect();
    let dots = points.iter().flat_map(|p| p.rates.iter().map(move |&rate| (x(p), rate))).collect();
    Series { label: label.into(), line, band, dots }
}

/// The genes of the population at each measurement: one panel for each pair of genes.
pub fn genes(title: &str, trail: &[Vec<Vec<f64>>], labels: &[String]) -> Vec<Panel> {
    let last = trail.len().saturating_sub(1).max(1) as f64;
    let label = |i: usize| labels.get(i).cloned().unwrap_or_else(|| format!("gene {}", i + 1));
    let count = trail.first().and_then(|all| all.first()).map_or(0, Vec::len);
    let pairs = (0..count).step_by(2).map(|i| (i, (i + 1).min(count.saturating_sub(1))));
    pairs
        .map(|(a, b)| {
            let dots = trail.iter().enumerate().flat_map(|(then, all)| {
                all.iter().map(move |genes| (genes[a], genes[b], then as f64 / last))
            });
            let title = format!("{title}{} / {}", label(a), label(b));
            Panel { title, dots: dots.collect() }
        })
        .collect()
}

/// The range of axes that shows these genes: at least 2 and at most 6.
pub fn reach<'a>(trail: impl IntoIterator<Item = &'a Vec<Vec<f64>>>) -> f64 {
    let genes = trail.into_iter().flatten().flatten();
    genes.fold(2.0f64, |most, gene| most.max(gene.abs())).min(6.0)
}

/// Writes the figures of a run into its folder.
pub(super) fn write(
    folder: &Folder,
    points: &[Point],
    trail: &[Vec<Vec<f64>>],
    labels: &[String],
) -> Result<()> {
    let chart = Chart {
        title: "win rate against random players: mean, spread, agents".into(),
        x: "generation".into(),
        y: "win rate".into(),
        series: vec![win_rates("", points, false)],
        ..Chart::default()
    };
    folder.write("progress.svg", chart.svg().map_err(Error::other)?.as_bytes())?;
    folder.write("progress.png", &chart.png().map_err(Error::other)?)?;
    if !trail.is_empty() {
        let panels = genes("", trail, labels);
        let panels = Panels { columns: panels.len().min(4), panels, reach: reach(trail) };
        folder.write("genes.svg", panels.svg().map_err(Error::other)?.as_bytes())?;
        folder.write("genes.png", &panels.png().map_err(Error::other)?)?;
    }
    Ok(())
}
