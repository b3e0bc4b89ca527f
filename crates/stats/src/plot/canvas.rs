//! The canvas of a chart: the same drawing as SVG or PNG. The font comes from a crate, so nothing need be installed.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::sync::Once;

pub(super) type Area<B> = DrawingArea<B, Shift>;
pub(super) type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

pub(super) const INK: RGBColor = RGBColor(40, 40, 40);
pub(super) const GRID: RGBColor = RGBColor(220, 220, 220);

/// The palette of Okabe and Ito, which colour-blind people can tell apart.
pub(super) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(160, 160, 0),
];

/// A chart that could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The drawing library refused.
    #[error("can't draw the figure: {0}")]
    Canvas(String),
    /// The pixels could not be written as PNG.
    #[error("can't write the figure as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// A chart that can be written as SVG and PNG.
pub trait Drawing {
    /// The chart as SVG.
    ///
    /// # Errors
    /// The drawing library refused.
    fn svg(&self) -> Result<String, DrawError>;

    /// The chart as PNG.
    ///
    /// # Errors
    /// The drawing library refused.
    fn png(&self) -> Result<Vec<u8>, DrawError>;
}

/// A chart implements this trait to become a [`Drawing`].
pub(super) trait Draw {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws the chart on a white area of this size.
    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B>;
}

impl<T: Draw> Drawing for T {
    fn svg(&self) -> Result<String, DrawError> {
        let mut text = String::new();
        present(self, SVGBackend::with_string(&mut text, self.size()))?;
        Ok(text)
    }

    fn png(&self) -> Result<Vec<u8>, DrawError> {
        let (width, height) = self.size();
        let mut pixels = vec![0; width as usize * height as usize * 3];
        present(self, BitMapBackend::with_buffer(&mut pixels, (width, height)))?;
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(file)
    }
}

fn present<B: DrawingBackend>(chart: &impl Draw, backend: B) -> Result<(), DrawError> {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // A font that can't be read shows as missing text; the figure is drawn all the same.
        let _ = register_font("sans-serif", FontStyle::Normal, ludex_fonts::sans());
    });
    let root = backend.into_drawing_area();
    let drawn = root.fill(&WHITE).and_then(|()| chart.draw(&root)).and_then(|()| root.present());
    drawn.map_err(|error| DrawError::Canvas(error.to_string()))
}

/// Writes a line of text, centred at the height of `at`.
pub(super) fn text<B: DrawingBackend>(
    root: &Area<B>,
    words: &str,
    at: (i32, i32),
    anchor: HPos,
    colour: &RGBColor,
) -> Drawn<B> {
    let style = ("sans-serif", 13).into_font().color(colour);
    root.draw(&Text::new(words.to_string(), at, style.pos(Pos::new(anchor, VPos::Center))))
}
