//! A picture in pixels.

use crate::outline::Fonts;
use crate::{Marks, svg};
use ludex_core::scene::{Scene, View};
use resvg::{tiny_skia, usvg};

/// The largest side of a picture.
const MOST_PIXELS: u32 = 8192;

/// Draws SVG documents of ours with our fonts.
pub(crate) struct Painter {
    fonts: Fonts,
}

impl Painter {
    pub(crate) fn new() -> Painter {
        Painter { fonts: Fonts::new() }
    }

    pub(crate) fn read(&self, svg: &str) -> Option<usvg::Tree> {
        usvg::Tree::from_str(&self.fonts.outlined(svg), &usvg::Options::default()).ok()
    }
}

/// The pixels of a document at a scale; `None` if there would be none or too many.
pub(crate) fn pixels(tree: &usvg::Tree, scale: f32) -> Option<tiny_skia::Pixmap> {
    let side = |length: f32| (length * scale).round().max(1.0) as u32;
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    if width > MOST_PIXELS || height > MOST_PIXELS {
        return None;
    }
    let mut pixels = tiny_skia::Pixmap::new(width, height)?;
    resvg::render(tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    Some(pixels)
}

/// A position as a PNG file, `width` pixels wide; `None` if it would be empty or too large.
pub fn png(scene: &Scene, view: &View, marks: &Marks, width: u32) -> Option<Vec<u8>> {
    let tree = Painter::new().read(&svg(scene, view, marks))?;
    pixels(&tree, width as f32 / tree.size().width())?.encode_png().ok()
}
