//! Board units to picture units.

use ludex_core::scene::Scene;
use std::fmt::Write;

/// The space around the board, in board units: it holds the coordinates.
const MARGIN: f32 = 0.9;

/// The rectangle that holds all sites of a scene, and the way from board units to picture units: in a picture the origin is
/// at the top left and `y` grows downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Frame {
    /// The frame of a scene.
    pub fn of(scene: &Scene) -> Frame {
        let mut frame = Frame {
            left: f32::INFINITY,
            top: f32::NEG_INFINITY,
            right: f32::NEG_INFINITY,
            bottom: f32::INFINITY,
        };
        for site in &scene.sites {
            let ends = site.ends.iter().flatten();
            for &[x, y] in site.corners.iter().chain(ends).chain([&[site.x, site.y]]) {
                frame.include(x, y);
            }
        }
        for &[x, y] in scene.lines.iter().flat_map(|line| &line.points) {
            frame.include(x, y);
        }
        if frame.left > frame.right {
            frame = Frame { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 };
        }
        frame
    }

    fn include(&mut self, x: f32, y: f32) {
        self.left = self.left.min(x);
        self.right = self.right.max(x);
        self.bottom = self.bottom.min(y);
        self.top = self.top.max(y);
    }

    /// The width of the picture, margins included.
    pub fn width(&self) -> f32 {
        self.right - self.left + 2.0 * MARGIN
    }

    /// The height of the picture, margins included.
    pub fn height(&self) -> f32 {
        self.top - self.bottom + 2.0 * MARGIN
    }

    /// The value of the attribute `viewBox` of a picture with this frame.
    pub fn view_box(&self) -> String {
        format!("0 0 {:.2} {:.2}", self.width(), self.height())
    }

    /// A point of the board in the picture.
    pub fn point(&self, x: f32, y: f32) -> (f32, f32) {
        (x - self.left + MARGIN, self.top - y + MARGIN)
    }

    /// The vertical middle of the board, in board units.
    pub(super) fn middle(&self) -> f32 {
        (self.top + self.bottom) / 2.0
    }

    /// The path through some points of the board, for the attribute `d`.
    pub(super) fn path(&self, points: &[[f32; 2]]) -> String {
        let mut path = String::new();
        for (i, &[x, y]) in points.iter().enumerate() {
            let (x, y) = self.point(x, y);
            let _ = write!(path, "{}{x:.3} {y:.3}", if i == 0 { "M" } else { "L" });
        }
        path
    }
}
