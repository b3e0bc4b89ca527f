//! Charts of anything, as SVG and PNG. A chart is plain data with a [`Drawing`].
//!
//! - [`Chart`]: curves with bands and dots over one axis;
//! - [`Bars`]: one bar a name, with intervals and published values;
//! - [`Heat`]: a table of coloured numbers;
//! - [`Histograms`]: counts by size;
//! - [`Scatter`]: dots in the plane by group; [`Panels`]: several planes with common axes;
//! - [`sparkline`]: a curve as one line of text.

mod bars;
mod canvas;
mod chart;
mod heat;
mod histogram;
mod panels;
mod scatter;
mod sparkline;

pub use bars::{Bar, Bars};
pub use canvas::{DrawError, Drawing};
pub use chart::{Chart, Series};
pub use heat::Heat;
pub use histogram::{Histogram, Histograms};
pub use panels::{Panel, Panels};
pub use scatter::Scatter;
pub use sparkline::sparkline;

/// The least and the greatest of the finite values; 0 to 1 where there are none.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values = values.filter(|value| value.is_finite());
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    match low <= high {
        true if low == high => (low - 0.5, high + 0.5),
        true => (low, high),
        false => (0.0, 1.0),
    }
}

/// A name cut to fit a margin.
fn short(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_string();
    }
    let kept: String = name.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}
