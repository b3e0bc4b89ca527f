//! Bars with names and intervals.

use crate::canvas::{Area, COLOURS, Drawing, Drawn, GRID, INK};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Bars from the left, one below the other.
///
/// ```
/// use ludex_arena::bars::{Bar, Bars};
/// let bar = Bar { name: "forest".into(), value: 5.2, interval: Some([4.3, 6.2]), mark: Some(5.3) };
/// let bars = Bars { title: "regret".into(), bars: vec![bar] };
/// assert!(bars.svg().unwrap().contains("forest"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// Above them.
    pub title: String,
    /// The bars, from above.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bar {
    /// Left of it.
    pub name: String,
    /// How long it is.
    pub value: f64,
    /// A line over its end.
    pub interval: Option<[f64; 2]>,
    /// A published value: a stroke across.
    pub mark: Option<f64>,
}

impl Bars {
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

impl Drawing for Bars {
    fn size(&self) -> (u32, u32) {
        (900, (80 + 34 * self.bars.len() as u32).min(8000))
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        root.fill(&WHITE)?;
        let ends = self.bars.iter().flat_map(|bar| {
            [bar.value, bar.mark.unwrap_or(0.0), bar.interval.map_or(0.0, |[_, high]| high)]
        });
        let most = ends.fold(0.0, f64::max).max(1e-9) * 1.02;
        let (left, right) = (280, 820);
        let at = |value: f64| {
            left + (f64::from(right - left) * (value / most).clamp(0.0, 1.0)).round() as i32
        };
        let text = |words: &str, at: (i32, i32), side: HPos| {
            let style = ("sans-serif", 13).into_font().color(&INK);
            root.draw(&Text::new(words.to_string(), at, style.pos(Pos::new(side, VPos::Center))))
        };
        text(&self.title, (left, 20), HPos::Left)?;
        root.draw(&PathElement::new([(left, 36), (left, 44 + 34 * self.bars.len() as i32)], GRID))?;
        for (row, bar) in self.bars.iter().enumerate() {
            let y = 57 + 34 * row as i32;
            text(&bar.name, (left - 8, y), HPos::Right)?;
            let body = [(left, y - 9), (at(bar.value), y + 9)];
            root.draw(&Rectangle::new(body, COLOURS[0].mix(0.7).filled()))?;
            if let Some([low, high]) = bar.interval {
                let line = INK.stroke_width(2);
                root.draw(&PathElement::new([(at(low), y), (at(high), y)], line))?;
            }
            if let Some(mark) = bar.mark {
                let line = COLOURS[1].stroke_width(3);
                root.draw(&PathElement::new([(at(mark), y - 12), (at(mark), y + 12)], line))?;
            }
            text(&format!("{:.3}", bar.value), (right + 8, y), HPos::Left)?;
        }
        Ok(())
    }
}
