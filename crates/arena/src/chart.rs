//! Charts of anything: curves with bands and dots, and panels of dots coloured by progress.

use crate::canvas::{Area, COLOURS, Drawing, Drawn, GRID};
use plotters::prelude::*;

/// Curves over one axis.
///
/// ```
/// use ludex_arena::chart::{Chart, Series};
/// let curve = Series { label: "mean".into(), line: vec![(0.0, 0.2), (1.0, 0.6)], ..Series::default() };
/// let chart = Chart { title: "win rate".into(), series: vec![curve], ..Chart::default() };
/// assert!(chart.svg().unwrap().contains("win rate"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// Above the chart.
    pub title: String,
    /// Under the first axis.
    pub x: String,
    /// Beside the second axis.
    pub y: String,
    /// The range of the second axis; `None`: as wide as the data.
    pub range: Option<(f64, f64)>,
    /// Is the second axis logarithmic? Values that are not positive are then left out.
    pub log: bool,
    /// The curves.
    pub series: Vec<Series>,
}

/// A curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// In the legend; empty: not there.
    pub label: String,
    /// The points of the line.
    pub line: Vec<(f64, f64)>,
    /// A band: at x from low to high.
    pub band: Vec<(f64, f64, f64)>,
    /// Single dots.
    pub dots: Vec<(f64, f64)>,
}

impl Chart {
    /// As SVG.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn svg(&self) -> Result<String, String> {
        self.to_svg()
    }

    /// As PNG.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        self.to_png()
    }

    /// The same with logarithms of the second axis where it is logarithmic.
    fn scaled(&self) -> Chart {
        let mut all = self.clone();
        if self.log {
            all.range = self.range.map(|(low, high)| (low.log10(), high.log10()));
            for series in &mut all.series {
                let points = series.line.iter_mut().chain(&mut series.dots);
                points.for_each(|point| point.1 = point.1.log10());
                series.band.iter_mut().for_each(|b| (b.1, b.2) = (b.1.log10(), b.2.log10()));
                series.line.retain(|point| point.1.is_finite());
                series.dots.retain(|point| point.1.is_finite());
                series.band.retain(|band| band.1.is_finite() && band.2.is_finite());
            }
        }
        all
    }

    /// The least and the greatest of the data on both axes, a little widened.
    fn ranges(&self) -> [(f64, f64); 2] {
        let points = self.series.iter().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
            series.line.iter().chain(&series.dots).copied().chain(band)
        });
        let points: Vec<(f64, f64)> =
            points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        let [x, y] = [bounds(points.iter().map(|p| p.0)), bounds(points.iter().map(|p| p.1))];
        [x, self.range.unwrap_or(y)]
    }
}

pub(crate) fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    match low <= high {
        true if low == high => (low - 0.5, high + 0.5),
        true => (low, high),
        false => (0.0, 1.0),
    }
}

impl Drawing for Chart {
    fn size(&self) -> (u32, u32) {
        (800, 480)
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        root.fill(&WHITE)?;
        let all = self.scaled();
        let [x, y] = all.ranges();
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .caption(&self.title, ("sans-serif", 15))
            .x_label_area_size(38)
            .y_label_area_size(54)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        // As many digits as tell the marks of an axis apart.
        let digits = |(low, high): (f64, f64)| if high - low >= 15.0 { 0 } else { 2 };
        let (across, up) = (digits(x), digits(y));
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .label_style(("sans-serif", 12))
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_label_formatter(&|v| format!("{v:.across$}"))
            .y_label_formatter(&|v| {
                if self.log { format!("{:.3}", 10f64.powf(*v)) } else { format!("{v:.up$}") }
            })
            .draw()?;
        for (i, series) in all.series.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let upper = series.band.iter().map(|&(x, _, high)| (x, high));
            let lower = series.band.iter().rev().map(|&(x, low, _)| (x, low));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            if !outline.is_empty() {
                chart.draw_series([Polygon::new(outline, colour.mix(0.15).filled())])?;
            }
            let dots = series.dots.iter().map(|&at| Circle::new(at, 2, colour.mix(0.35).filled()));
            chart.draw_series(dots)?;
            let line = LineSeries::new(series.line.iter().copied(), colour.stroke_width(2));
            let drawn = chart.draw_series(line)?;
            if !series.label.is_empty() {
                drawn.label(series.label.clone()).legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
                });
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.8))
            .label_font(("sans-serif", 12))
            .draw()
    }
}

/// Panels of dots beside and below each other, all with the same axes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panels {
    /// How many stand beside each other.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Each axis goes from minus this to this.
    pub reach: f64,
}

/// Dots with a colour from blue over red to green.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Across, up, and the progress from 0 to 1.
    pub dots: Vec<(f64, f64, f64)>,
}

impl Panels {
    /// As SVG.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn svg(&self) -> Result<String, String> {
        self.to_svg()
    }

    /// As PNG.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        self.to_png()
    }

    fn shape(&self) -> (usize, usize) {
        let columns = self.columns.clamp(1, 16);
        (self.panels.len().div_ceil(columns).clamp(1, 16), columns)
    }
}

impl Drawing for Panels {
    fn size(&self) -> (u32, u32) {
        let (rows, columns) = self.shape();
        (260 * columns as u32, 280 * rows as u32)
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        root.fill(&WHITE)?;
        let reach = if self.reach > 0.0 { self.reach } else { 1.0 };
        for (area, panel) in root.split_evenly(self.shape()).iter().zip(&self.panels) {
            let mut chart = ChartBuilder::on(area)
                .margin(10)
                .caption(&panel.title, ("sans-serif", 13))
                .build_cartesian_2d(-reach..reach, -reach..reach)?;
            let lines = (-reach.floor() as i32..=reach.floor() as i32).map(f64::from);
            for at in lines {
                let ink = if at == 0.0 { RGBColor(120, 120, 120) } else { GRID };
                chart.draw_series(LineSeries::new([(at, -reach), (at, reach)], ink))?;
                chart.draw_series(LineSeries::new([(-reach, at), (reach, at)], ink))?;
            }
            let dots = panel.dots.iter().map(|&(x, y, progress)| {
                Circle::new(
                    (x.clamp(-reach, reach), y.clamp(-reach, reach)),
                    2,
                    ramp(progress).filled(),
                )
            });
            chart.draw_series(dots)?;
        }
        Ok(())
    }
}

/// From blue over red to green.
fn ramp(progress: f64) -> RGBColor {
    let p = progress.clamp(0.0, 1.0);
    let up = |from: f64| (255.0 * (1.0 - (2.0 * p - from).abs()).max(0.0)).round() as u8;
    RGBColor(up(1.0), up(2.0), up(0.0))
}

/// A line of blocks as high as the values, between the least and the greatest.
///
/// ```
/// assert_eq!(ludex_arena::chart::sparkline(&[0.0, 0.5, 1.0], 8), "▁▅█");
/// ```
pub fn sparkline(values: &[f64], most: usize) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (low, high) = bounds(values.iter().copied());
    // Where there are more values than room, each block is the mean of its share.
    let room = most.clamp(1, values.len().max(1));
    (0..room)
        .filter_map(|i| {
            let share = values.get(i * values.len() / room..(i + 1) * values.len() / room)?;
            let mean = share.iter().sum::<f64>() / share.len().max(1) as f64;
            let height = ((mean - low) / (high - low) * 7.0).round();
            (!share.is_empty()).then(|| BLOCKS[(height.max(0.0) as usize).min(7)])
        })
        .collect()
}
