//! Dots in the plane, coloured by group; some of them have a name.

use super::bounds;
use super::canvas::{Area, COLOURS, Draw, Drawn, INK};
use plotters::prelude::*;

/// Dots without axes: only the distances between them have a meaning.
///
/// ```
/// use ludex_stats::plot::{Drawing, Scatter};
/// let marks = vec![(0.0, 1.0, "chess".to_string())];
/// let dots = vec![(0.0, 1.0, 0), (2.0, 0.5, 1)];
/// let scatter = Scatter { title: "games".into(), dots, marks };
/// assert!(scatter.svg().unwrap().contains("chess"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scatter {
    /// The line above the chart.
    pub title: String,
    /// x, y, and the group.
    pub dots: Vec<(f64, f64, usize)>,
    /// x, y, and a name: drawn as a cross.
    pub marks: Vec<(f64, f64, String)>,
}

impl Draw for Scatter {
    fn size(&self) -> (u32, u32) {
        (1000, 1000)
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        let (x, y) = (
            bounds(self.dots.iter().map(|d| d.0).chain(self.marks.iter().map(|m| m.0))),
            bounds(self.dots.iter().map(|d| d.1).chain(self.marks.iter().map(|m| m.1))),
        );
        let pad = |(low, high): (f64, f64)| low - 0.03 * (high - low)..high + 0.1 * (high - low);
        let mut chart = ChartBuilder::on(root)
            .margin(10)
            .caption(&self.title, ("sans-serif", 18))
            .build_cartesian_2d(pad(x), pad(y))?;
        chart.draw_series(self.dots.iter().map(|&(x, y, group)| {
            Circle::new((x, y), 3, COLOURS[group % COLOURS.len()].mix(0.6).filled())
        }))?;
        chart.draw_series(
            self.marks.iter().map(|(x, y, _)| Cross::new((*x, *y), 6, INK.stroke_width(2))),
        )?;
        let label = ("sans-serif", 12).into_font().color(&INK);
        chart.draw_series(self.marks.iter().map(|(x, y, name)| {
            EmptyElement::at((*x, *y)) + Text::new(name.clone(), (8, -6), label.clone())
        }))?;
        Ok(())
    }
}
