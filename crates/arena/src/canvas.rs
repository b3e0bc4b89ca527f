//! What figures are drawn on: SVG or PNG, by one description. The font comes from a crate, so
//! nothing need be installed.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::sync::Once;

pub(crate) type Area<B> = DrawingArea<B, Shift>;
pub(crate) type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const GRID: RGBColor = RGBColor(220, 220, 220);

/// The palette of Okabe and Ito, which colour-blind people can tell apart.
pub(crate) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(160, 160, 0),
];

/// Something that can be drawn.
pub(crate) trait Drawing {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws it.
    fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Drawn<B>;

    /// As SVG.
    fn to_svg(&self) -> Result<String, String> {
        font();
        let mut text = String::new();
        let root = SVGBackend::with_string(&mut text, self.size()).into_drawing_area();
        self.draw(&root).map_err(|e| e.to_string())?;
        root.present().map_err(|e| e.to_string())?;
        drop(root);
        Ok(text)
    }

    /// As PNG.
    fn to_png(&self) -> Result<Vec<u8>, String> {
        font();
        let (width, height) = self.size();
        let mut pixels = vec![0; width as usize * height as usize * 3];
        let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        self.draw(&root).map_err(|e| e.to_string())?;
        root.present().map_err(|e| e.to_string())?;
        drop(root);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
        writer.write_image_data(&pixels).map_err(|e| e.to_string())?;
        writer.finish().map_err(|e| e.to_string())?;
        Ok(file)
    }
}

fn font() {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // A font that can't be read shows as missing text; the figure is drawn all the same.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
    });
}
