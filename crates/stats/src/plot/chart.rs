//! Curves over one axis, with bands and dots.

use super::canvas::{Area, COLOURS, Draw, Drawn, GRID};
use super::{bounds, short};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Curves over one axis.
///
/// ```
/// use ludex_stats::plot::{Chart, Drawing, Series};
/// let curve = Series { label: "mean".into(), line: vec![(0.0, 0.2), (1.0, 0.6)], ..Series::default() };
/// let chart = Chart { title: "win rate".into(), series: vec![curve], ..Chart::default() };
/// assert!(chart.svg().unwrap().contains("win rate"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// The line above the chart.
    pub title: String,
    /// The label of the x axis.
    pub x: String,
    /// The label of the y axis.
    pub y: String,
    /// The range of the x axis; `None`: as wide as the data.
    pub x_range: Option<(f64, f64)>,
    /// The range of the y axis; `None`: as wide as the data.
    pub y_range: Option<(f64, f64)>,
    /// Is the y axis logarithmic? Values that are not positive are then left out.
    pub log: bool,
    /// Where the legend stands.
    pub legend: Legend,
    /// The curves.
    pub series: Vec<Series>,
}

/// The corner of a chart that holds its legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Legend {
    /// Lower right.
    #[default]
    LowerRight,
    /// Upper left.
    UpperLeft,
}

/// A curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// The name in the legend; an empty name is left out.
    pub label: String,
    /// The points of the line.
    pub line: Vec<(f64, f64)>,
    /// A band around the line: (x, low, high).
    pub band: Vec<(f64, f64, f64)>,
    /// Dots without a line.
    pub dots: Vec<(f64, f64)>,
}

impl Chart {
    /// A copy whose y values are logarithms, where the y axis is logarithmic.
    fn scaled(&self) -> Chart {
        let mut all = self.clone();
        if self.log {
            all.y_range = self.y_range.map(|(low, high)| (low.log10(), high.log10()));
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

    /// The ranges of both axes.
    fn ranges(&self) -> [(f64, f64); 2] {
        let points = self.series.iter().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
            series.line.iter().chain(&series.dots).copied().chain(band)
        });
        let points: Vec<(f64, f64)> =
            points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        let [x, y] = [bounds(points.iter().map(|p| p.0)), bounds(points.iter().map(|p| p.1))];
        [self.x_range.unwrap_or(x), self.y_range.unwrap_or(y)]
    }
}

impl Draw for Chart {
    fn size(&self) -> (u32, u32) {
        (800, 480)
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        let all = self.scaled();
        let [x, y] = all.ranges();
        let mut chart = ChartBuilder::on(root)
            .margin(14)
            .caption(&self.title, ("sans-serif", 15))
            .x_label_area_size(38)
            .y_label_area_size(54)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        // Wide axes need no digits after the point.
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
            series.draw(&mut chart, COLOURS[i % COLOURS.len()])?;
        }
        chart
            .configure_series_labels()
            .position(match self.legend {
                Legend::LowerRight => SeriesLabelPosition::LowerRight,
                Legend::UpperLeft => SeriesLabelPosition::UpperLeft,
            })
            .background_style(WHITE.mix(0.8))
            .label_font(("sans-serif", 12))
            .draw()
    }
}

/// A plane with linear axes on which curves are drawn.
type Plane<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

impl Series {
    fn draw<B: DrawingBackend>(&self, chart: &mut Plane<'_, B>, colour: RGBColor) -> Drawn<B> {
        let upper = self.band.iter().map(|&(x, _, high)| (x, high));
        let lower = self.band.iter().rev().map(|&(x, low, _)| (x, low));
        let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
        if !outline.is_empty() {
            chart.draw_series([Polygon::new(outline, colour.mix(0.15).filled())])?;
        }
        let dot = |&at: &(f64, f64)| Circle::new(at, 2, colour.mix(0.35).filled());
        chart.draw_series(self.dots.iter().map(dot))?;
        let line = LineSeries::new(self.line.iter().copied(), colour.stroke_width(2));
        let drawn = chart.draw_series(line)?;
        if !self.label.is_empty() {
            drawn.label(short(&self.label, 40)).legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
            });
        }
        Ok(())
    }
}
