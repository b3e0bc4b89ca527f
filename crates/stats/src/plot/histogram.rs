//! Counts by size.

use super::canvas::{Area, COLOURS, Draw, Drawn, GRID};
use plotters::prelude::*;

/// Histograms one below the other.
///
/// ```
/// use ludex_stats::plot::{Drawing, Histogram, Histograms};
/// let lengths = Histogram { title: "nim".into(), bin: 2, counts: vec![0, 3, 5] };
/// let figure = Histograms { x: "steps".into(), histograms: vec![lengths] };
/// assert!(figure.svg().unwrap().contains("nim"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histograms {
    /// The label of the horizontal axis.
    pub x: String,
    /// The histograms, from top to bottom.
    pub histograms: Vec<Histogram>,
}

/// One histogram.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram {
    /// The line above it.
    pub title: String,
    /// The width of a bin.
    pub bin: u32,
    /// The number of observations in each bin; the first bin begins at 0.
    pub counts: Vec<u64>,
}

impl Draw for Histograms {
    fn size(&self) -> (u32, u32) {
        (800, (60 + 220 * self.histograms.len() as u32).min(8000))
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        let rows = root.split_evenly((self.histograms.len().max(1), 1));
        for (area, histogram) in rows.iter().zip(&self.histograms) {
            histogram.draw(area, &self.x)?;
        }
        Ok(())
    }
}

impl Histogram {
    fn draw<B: DrawingBackend>(&self, area: &Area<B>, x: &str) -> Drawn<B> {
        let most = self.counts.iter().copied().max().unwrap_or(1).max(1);
        let end = (self.counts.len() as u32 * self.bin).max(1);
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .caption(&self.title, ("sans-serif", 14))
            .x_label_area_size(30)
            .y_label_area_size(54)
            .build_cartesian_2d(0.0..f64::from(end), 0.0..most as f64 * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .label_style(("sans-serif", 12))
            .x_desc(x)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .draw()?;
        chart.draw_series(self.counts.iter().enumerate().map(|(i, &count)| {
            let from = f64::from(i as u32 * self.bin);
            let to = from + f64::from(self.bin) * 0.9;
            Rectangle::new([(from, 0.0), (to, count as f64)], COLOURS[0].mix(0.7).filled())
        }))?;
        Ok(())
    }
}
