//! The fonts of drawings and charts.
//!
//! The functions of `dejavu` are inlined into every crate that calls them, each time with a copy of the font. These are
//! not, so that a program has each font once.

/// DejaVu Sans.
#[inline(never)]
pub fn sans() -> &'static [u8] {
    dejavu::sans::regular()
}

/// DejaVu Sans Mono, whose letters are all of one width.
#[inline(never)]
pub fn mono() -> &'static [u8] {
    dejavu::sans_mono::regular()
}
