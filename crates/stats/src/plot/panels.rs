//! Several planes of dots with common axes.

use super::canvas::{Area, Draw, Drawn, GRID};
use plotters::prelude::*;

/// Panels of dots in rows, all with the same axes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panels {
    /// The number of panels in a row.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Both axes go from minus this value to this value.
    pub reach: f64,
}

/// Dots that show progress: early dots are blue, later ones red, the last ones green.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// The line above the panel.
    pub title: String,
    /// x, y, and the progress from 0 to 1.
    pub dots: Vec<(f64, f64, f64)>,
}

impl Panels {
    fn shape(&self) -> (usize, usize) {
        let columns = self.columns.clamp(1, 16);
        (self.panels.len().div_ceil(columns).clamp(1, 16), columns)
    }
}

impl Draw for Panels {
    fn size(&self) -> (u32, u32) {
        let (rows, columns) = self.shape();
        (260 * columns as u32, 280 * rows as u32)
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
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

/// The colour of a progress from 0 (blue) over a half (red) to 1 (green).
fn ramp(progress: f64) -> RGBColor {
    let p = progress.clamp(0.0, 1.0);
    let up = |from: f64| (255.0 * (1.0 - (2.0 * p - from).abs()).max(0.0)).round() as u8;
    RGBColor(up(1.0), up(2.0), up(0.0))
}
