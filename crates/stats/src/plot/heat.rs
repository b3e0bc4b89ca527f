//! A table of coloured numbers.

use super::canvas::{Area, COLOURS, Draw, Drawn, INK, text};
use super::short;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// Numbers from 0 to 1 in rows and columns: orange for 0, white for a half, blue for 1.
///
/// ```
/// use ludex_stats::plot::{Drawing, Heat};
/// let rows = vec![("uct".to_string(), vec![Some(0.75), None])];
/// let heat = Heat { title: "payoff".into(), columns: vec!["nim".into(), "pig".into()], rows };
/// assert!(heat.svg().unwrap().contains("0.75"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    /// The line above the table.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The name of each row and its numbers; `None` leaves a cell empty.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
}

/// The upper left corner of the cells, and the size of a cell, in pixels.
const LEFT: i32 = 260;
const TOP: i32 = 70;
const WIDE: i32 = 110;
const HIGH: i32 = 34;

impl Draw for Heat {
    fn size(&self) -> (u32, u32) {
        let (columns, rows) = (self.columns.len() as u32, self.rows.len() as u32);
        ((300 + 110 * columns).clamp(500, 8000), (130 + 34 * rows).min(8000))
    }

    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B> {
        text(root, &self.title, (10, 20), HPos::Left, &INK)?;
        for (column, name) in self.columns.iter().enumerate() {
            let x = LEFT + WIDE * column as i32 + WIDE / 2;
            text(root, &short(name, 15), (x, TOP - 16), HPos::Center, &INK)?;
        }
        for (row, (name, values)) in self.rows.iter().enumerate() {
            let y = TOP + HIGH * row as i32;
            text(root, &short(name, 34), (LEFT - 8, y + HIGH / 2), HPos::Right, &INK)?;
            for (column, value) in values.iter().enumerate() {
                if let Some(value) = *value {
                    cell(root, LEFT + WIDE * column as i32, y, value)?;
                }
            }
        }
        Ok(())
    }
}

fn cell<B: DrawingBackend>(root: &Area<B>, x: i32, y: i32, value: f64) -> Drawn<B> {
    let strength = (2.0 * value - 1.0).clamp(-1.0, 1.0);
    let to = if strength < 0.0 { COLOURS[1] } else { COLOURS[0] };
    let mix = |c: u8| (255.0 + (f64::from(c) - 255.0) * strength.abs()).round() as u8;
    let fill = RGBColor(mix(to.0), mix(to.1), mix(to.2));
    root.draw(&Rectangle::new([(x, y), (x + WIDE - 2, y + HIGH - 2)], fill.filled()))?;
    let ink = if strength.abs() > 0.6 { WHITE } else { INK };
    text(root, &format!("{value:.2}"), (x + WIDE / 2, y + HIGH / 2), HPos::Center, &ink)
}
