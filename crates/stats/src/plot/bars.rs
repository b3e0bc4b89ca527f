//! Bars with names and intervals.

use super::canvas::{Area, COLOURS, Draw, Drawn, GRID, INK, text};
use super::short;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// Horizontal bars, one below the other.
///
/// ```
/// use ludex_stats::plot::{Bar, Bars, Drawing};
/// let bar = Bar { name: "forest".into(), value: 5.2, interval: Some([4.3, 6.2]), mark: Some(5.3) };
/// let bars = Bars { title: "regret".into(), bars: vec![bar], ..Bars::default() };
/// assert!(bars.svg().unwrap().contains("forest"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// The line above the bars.
    pub title: String,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
    /// The value at the right end of the axis, which then has a grid of ten steps. `None`: the longest bar, without a
    /// grid.
    pub scale: Option<f64>,
}

/// One bar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bar {
    /// The label to the left of the bar.
    pub name: String,
    /// The length of the bar.
    pub value: f64,
    /// An interval around the value, drawn as a line with end strokes.
    pub interval: Option<[f64; 2]>,
    /// A published value, drawn as a stroke across the bar.
    pub mark: Option<f64>,
}

/// The left and the right end of the axis, and the height of the first row, in pixels.
const LEFT: i32 = 280;
const RIGHT: i32 = 820;
const TOP: i32 = 57;
/// The height of a row.
const ROW: i32 = 34;

impl Bars {
    fn most(&self) -> f64 {
        let ends = self.bars.iter().flat_map(|bar| {
            [bar.value, bar.mark.unwrap_or(0.0), bar.interval.map_or(0.0, |[_, high]| high)]
        });
        self.scale.unwrap_or_else(|| ends.fold(0.0, f64::max).max(1e-9) * 1.02)
    }

    fn bottom(&self) -> i32 {
        44 + ROW * self.bars.len() as i32
    }
}

impl Draw for Bars {
    fn size(&self) -> (u32, u32) {
        let axis = if self.scale.is_some() { 20 } else { 0 };
        (900, (80 + axis + 34 * self.bars.len() as u32).min(8000))
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        let most = self.most();
        let at = |value: f64| {
            LEFT + (f64::from(RIGHT - LEFT) * (value / most).clamp(0.0, 1.0)).round() as i32
        };
        text(root, &self.title, (LEFT, 20), HPos::Left, &INK)?;
        root.draw(&PathElement::new([(LEFT, 36), (LEFT, self.bottom())], GRID))?;
        if let Some(scale) = self.scale {
            for tick in 1..=10 {
                let value = scale * f64::from(tick) / 10.0;
                root.draw(&PathElement::new([(at(value), 36), (at(value), self.bottom())], GRID))?;
                if tick % 2 == 0 {
                    let below = (at(value), self.bottom() + 14);
                    text(root, &format!("{value:.1}"), below, HPos::Center, &INK)?;
                }
            }
        }
        for (row, bar) in self.bars.iter().enumerate() {
            bar.draw(root, TOP + ROW * row as i32, &at)?;
        }
        Ok(())
    }
}

impl Bar {
    fn draw<B: DrawingBackend>(
        &self,
        root: &Area<B>,
        y: i32,
        at: &impl Fn(f64) -> i32,
    ) -> Drawn<B> {
        text(root, &short(&self.name, 34), (LEFT - 8, y), HPos::Right, &INK)?;
        let body = [(LEFT, y - 9), (at(self.value), y + 9)];
        root.draw(&Rectangle::new(body, COLOURS[0].mix(0.7).filled()))?;
        if let Some([low, high]) = self.interval {
            let line = INK.stroke_width(2);
            root.draw(&PathElement::new([(at(low), y), (at(high), y)], line))?;
            for end in [at(low), at(high)] {
                root.draw(&PathElement::new([(end, y - 5), (end, y + 5)], line))?;
            }
        }
        if let Some(mark) = self.mark {
            let line = COLOURS[1].stroke_width(3);
            root.draw(&PathElement::new([(at(mark), y - 12), (at(mark), y + 12)], line))?;
        }
        text(root, &format!("{:.3}", self.value), (RIGHT + 8, y), HPos::Left, &INK)
    }
}
