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
    /// The curves.
    pub series: Vec<Series>,
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

    /// The corner whose legend would cover the least of the curves.
    fn legend(&self, [x, y]: [(f64, f64); 2]) -> SeriesLabelPosition {
        use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
        let labels = self.series.iter().map(|series| series.label.chars().count().min(40));
        let rows = labels.clone().filter(|&length| length > 0).count();
        // Shares of the plane, from the size of the letters.
        let wide = (labels.max().unwrap_or(0) as f64 * 7.0 + 50.0) / 700.0;
        let high = (rows as f64 * 15.0 + 20.0) / 390.0;
        let share = |(at, (low, high)): (f64, (f64, f64))| (at - low) / (high - low).max(1e-300);
        let mut covered = [(LowerRight, 0), (UpperLeft, 0), (UpperRight, 0), (LowerLeft, 0)];
        let mut count = |at: (f64, f64)| {
            let (across, up) = (share((at.0, x)), share((at.1, y)));
            let (left, right) = (across < wide, across > 1.0 - wide);
            let (low, top) = (up < high, up > 1.0 - high);
            let inside = [right && low, left && top, right && top, left && low];
            covered
                .iter_mut()
                .zip(inside)
                .for_each(|(corner, inside)| corner.1 += usize::from(inside));
        };
        for series in &self.series {
            series.dots.iter().for_each(|&at| count(at));
            for ends in series.line.windows(2) {
                // A line covers what lies between its points, too.
                for step in 0..=8 {
                    let t = f64::from(step) / 8.0;
                    let between = |a: f64, b: f64| a + t * (b - a);
                    count((between(ends[0].0, ends[1].0), between(ends[0].1, ends[1].1)));
                }
            }
        }
        covered.into_iter().min_by_key(|corner| corner.1).map_or(LowerRight, |corner| corner.0)
    }
}

/// A value of a logarithmic axis.
fn power(exponent: f64) -> String {
    let value = 10f64.powf(exponent);
    match value {
        _ if value >= 10.0 => format!("{value:.0}"),
        _ if value >= 0.01 => format!("{value:.2}"),
        _ => format!("{value:.0e}"),
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
                if self.log { power(*v) } else { format!("{v:.up$}") }
            })
            .draw()?;
        for (i, series) in all.series.iter().enumerate() {
            series.draw(&mut chart, COLOURS[i % COLOURS.len()])?;
        }
        chart
            .configure_series_labels()
            .position(all.legend([x, y]))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_stands_where_no_curve_is() {
        let at = |line: &[(f64, f64)]| {
            let series = Series { label: "a".into(), line: line.to_vec(), ..Series::default() };
            let chart = Chart { series: vec![series], ..Chart::default() };
            chart.legend([(0.0, 10.0), (0.0, 10.0)])
        };
        assert!(matches!(at(&[(0.0, 0.0), (10.0, 0.0)]), SeriesLabelPosition::UpperLeft));
        assert!(matches!(at(&[(0.0, 10.0), (10.0, 10.0)]), SeriesLabelPosition::LowerRight));
        let three = [(0.0, 0.0), (0.0, 10.0), (9.9, 10.0), (9.9, 9.0)];
        assert!(matches!(at(&three), SeriesLabelPosition::LowerRight));
    }

    #[test]
    fn small_values_of_logarithmic_axes_have_digits() {
        assert_eq!([2.0, 0.0, -1.0, -4.0].map(power), ["100", "1.00", "0.10", "1e-4"]);
    }
}
