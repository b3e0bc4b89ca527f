//! Figures of a report, as SVG and PNG.

use crate::report::{Checkpoint, Report};
use ludex_stats::plot::{
    Bar, Bars, Chart, DrawError, Drawing, Heat, Histogram, Histograms, Series,
};

/// A figure of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Mean payoffs with their 95 % intervals.
    Scores,
    /// The mean payoff of every agent in every game.
    Heat,
    /// Ratings after more and more games.
    Elo,
    /// The lengths of games.
    Lengths,
}

impl Figure {
    /// All figures.
    pub const ALL: [Figure; 4] = [Figure::Scores, Figure::Heat, Figure::Elo, Figure::Lengths];

    /// The name of the figure in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Scores => "scores",
            Figure::Heat => "heat",
            Figure::Elo => "elo",
            Figure::Lengths => "lengths",
        }
    }

    /// The figure as SVG.
    ///
    /// # Errors
    /// The drawing library refused.
    pub fn svg(self, report: &Report) -> Result<String, DrawError> {
        self.chart(report).svg()
    }

    /// The figure as PNG.
    ///
    /// # Errors
    /// The drawing library refused.
    pub fn png(self, report: &Report) -> Result<Vec<u8>, DrawError> {
        self.chart(report).png()
    }

    fn chart(self, report: &Report) -> Box<dyn Drawing> {
        match self {
            Figure::Scores => Box::new(scores(report)),
            Figure::Heat => Box::new(heat(report)),
            Figure::Elo => Box::new(elo(report)),
            Figure::Lengths => Box::new(lengths(report)),
        }
    }
}

fn scores(report: &Report) -> Bars {
    let bar = |&i: &usize| {
        let agent = &report.agents[i];
        let interval = agent.standing.interval;
        Bar {
            name: agent.agent.clone(),
            value: agent.standing.score,
            interval: Some([interval.low, interval.high]),
            mark: None,
        }
    };
    Bars {
        title: "mean payoff, 95 % interval (Wilson)".into(),
        bars: report.ranking().iter().map(bar).collect(),
        scale: Some(1.0),
    }
}

fn heat(report: &Report) -> Heat {
    let row = |&i: &usize| {
        let agent = &report.agents[i];
        (agent.agent.clone(), agent.by_game.clone())
    };
    Heat {
        title: "mean payoff by game".into(),
        columns: report.by_game.iter().map(|game| game.game.clone()).collect(),
        rows: report.ranking().iter().map(row).collect(),
    }
}

fn elo(report: &Report) -> Chart {
    let values = report.curve.iter().flat_map(|point| point.elo.iter().copied());
    let (low, high) = values.fold((-50.0f64, 50.0f64), |(l, h), v| (l.min(v), h.max(v)));
    let pad = (high - low) * 0.05;
    let last = report.curve.last().map_or(1, |point| point.games).max(1);
    let curve = |&i: &usize| {
        let point = |at: &Checkpoint| Some((at.games as f64, *at.elo.get(i)?));
        let line = report.curve.iter().filter_map(point).collect();
        Series { label: report.agents[i].agent.clone(), line, ..Series::default() }
    };
    Chart {
        title: "Elo as games came in".into(),
        x: "games".into(),
        x_range: Some((0.0, last as f64)),
        y_range: Some((low - pad, high + pad)),
        series: report.ranking().iter().map(curve).collect(),
        ..Chart::default()
    }
}

fn lengths(report: &Report) -> Histograms {
    let histogram = |game: &crate::report::GameReport| Histogram {
        title: format!("{}: {:.1} steps on average", game.game, game.steps.mean),
        bin: game.bin,
        counts: game.lengths.clone(),
    };
    Histograms { x: "steps".into(), histograms: report.by_game.iter().map(histogram).collect() }
}
