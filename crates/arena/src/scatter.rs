//! Dots in the plane, coloured by group, some of them with a name.

use crate::canvas::{Area, COLOURS, Drawing, Drawn, INK};
use crate::chart::bounds;
use plotters::prelude::*;

/// Dots without axes: only how near they are to each other means something.
///
/// ```
/// use ludex_arena::scatter::Scatter;
/// let marks = vec![(0.0, 1.0, "chess".to_string())];
/// let dots = vec![(0.0, 1.0, 0), (2.0, 0.5, 1)];
/// let scatter = Scatter { title: "games".into(), dots, marks };
/// assert!(scatter.svg().unwrap().contains("chess"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scatter {
    /// Above it.
    pub title: String,
    /// Across, up, and the group.
    pub dots: Vec<(f64, f64, usize)>,
    /// Across, up, and a name: drawn as a cross.
    pub marks: Vec<(f64, f64, String)>,
}

impl Scatter {
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
}

impl Drawing for Scatter {
    fn size(&self) -> (u32, u32) {
        (1000, 1000)
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        root.fill(&WHITE)?;
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
