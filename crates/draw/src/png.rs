//! A picture in pixels.

use crate::{Marks, svg};
use ludex_core::scene::{Scene, View};
use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// The largest side of a picture.
const MOST_PIXELS: u32 = 8192;

/// A position as a PNG file, `width` pixels wide; `None` if it would be empty or too large.
pub fn png(scene: &Scene, view: &View, marks: &Marks, width: u32) -> Option<Vec<u8>> {
    let mut options = usvg::Options::default();
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans_mono::regular().to_vec());
    options.font_family = "DejaVu Sans".into();
    let tree = usvg::Tree::from_str(&svg(scene, view, marks), &options).ok()?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).ceil() as u32;
    if width > MOST_PIXELS || height > MOST_PIXELS {
        return None;
    }
    let mut pixels = tiny_skia::Pixmap::new(width, height)?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().ok()
}
