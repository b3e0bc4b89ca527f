//! Letters as paths: the texts of our own drawings, written with the outlines of a font.
//!
//! The renderer of pixels is built without its support for text, which can set every script of the world and is larger
//! than all the rest of it. Our drawings have short texts on one line: each letter stands beside the one before.

use std::fmt::Write as _;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Two fonts: letters that one lacks are taken from the other.
pub(crate) struct Fonts {
    sans: Option<Face<'static>>,
    mono: Option<Face<'static>>,
}

/// Attributes that a text inherits from the elements around it.
#[derive(Clone, Copy)]
struct Style {
    size: f32,
    /// The share of a text's width that lies before its place.
    before: f32,
    mono: bool,
}

/// These attributes say how a text is set; a path has no use for them.
const OF_TEXT: [&str; 7] =
    ["x", "y", "font-size", "font-weight", "font-family", "text-anchor", "xml:space"];

impl Fonts {
    pub(crate) fn new() -> Fonts {
        Fonts {
            sans: Face::parse(ludex_fonts::sans(), 0).ok(),
            mono: Face::parse(ludex_fonts::mono(), 0).ok(),
        }
    }

    /// A drawing of ours with paths in place of texts.
    pub(crate) fn outlined(&self, svg: &str) -> String {
        let mut out = String::with_capacity(svg.len() * 2);
        let mut styles = vec![Style { size: 1.0, before: 0.0, mono: false }];
        let mut rest = svg;
        while let Some(start) = rest.find('<') {
            let (before, from) = rest.split_at(start);
            let Some(end) = end_of_tag(from) else { break };
            let (tag, after) = from.split_at(end);
            out.push_str(before);
            let style =
                styles.last().copied().unwrap_or(Style { size: 1.0, before: 0.0, mono: false });
            if tag.starts_with("</") {
                if styles.len() > 1 {
                    styles.pop();
                }
            } else if !tag.ends_with("/>") && !tag.starts_with("<?") {
                let inner = style.within(tag);
                if tag.starts_with("<text ")
                    && let Some((content, after)) = after.split_once("</text>")
                {
                    self.path(&mut out, tag, content, inner);
                    rest = after;
                    continue;
                }
                styles.push(inner);
            }
            out.push_str(tag);
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// Writes a text as a path with the other attributes of its tag.
    fn path(&self, out: &mut String, tag: &str, content: &str, style: Style) {
        let mut text = unescape(content);
        if !tag.contains("xml:space='preserve'") {
            text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let place = |name: &str| {
            let found = attributes(tag).find(|(key, _)| *key == name);
            found.and_then(|(_, value)| value.parse::<f32>().ok()).unwrap_or(0.0)
        };
        let letters: Vec<Letter<'_>> =
            text.chars().filter_map(|letter| self.letter(letter, style)).collect();
        let width: f32 = letters.iter().map(|letter| letter.width).sum();
        let mut pen = Pen { x: place("x") - width * style.before, y: place("y"), scale: 1.0, out };
        pen.out.push_str("<path");
        for (key, value) in attributes(tag).filter(|(key, _)| !OF_TEXT.contains(key)) {
            let _ = write!(pen.out, " {key}='{value}'");
        }
        pen.out.push_str(" d='");
        for letter in letters {
            pen.scale = letter.scale;
            letter.face.outline_glyph(letter.glyph, &mut pen);
            pen.x += letter.width;
        }
        pen.out.push_str("'/>");
    }

    fn letter(&self, letter: char, style: Style) -> Option<Letter<'_>> {
        let fonts = if style.mono { [&self.mono, &self.sans] } else { [&self.sans, &self.mono] };
        let fonts = || fonts.into_iter().flatten();
        let found = fonts().find_map(|face| Some((face, face.glyph_index(letter)?)));
        // The first glyph of a font is the box that stands for all letters without a glyph.
        let (face, glyph) = found.or_else(|| Some((fonts().next()?, GlyphId(0))))?;
        let scale = style.size / f32::from(face.units_per_em());
        let width = f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        Some(Letter { face, glyph, scale, width })
    }
}

struct Letter<'a> {
    face: &'a Face<'static>,
    glyph: GlyphId,
    /// The units of the drawing that are one unit of the font.
    scale: f32,
    width: f32,
}

impl Style {
    /// The style inside of an element.
    fn within(mut self, tag: &str) -> Style {
        for (key, value) in attributes(tag) {
            match key {
                "font-size" => self.size = value.parse().unwrap_or(self.size),
                "font-family" => self.mono = value.contains("Mono"),
                "text-anchor" => {
                    self.before = match value {
                        "middle" => 0.5,
                        "end" => 1.0,
                        _ => 0.0,
                    }
                }
                _ => {}
            }
        }
        self
    }
}

/// Writes outlines at a place of the drawing, where y grows downwards.
struct Pen<'a> {
    x: f32,
    y: f32,
    scale: f32,
    out: &'a mut String,
}

impl Pen<'_> {
    fn draw<const N: usize>(&mut self, command: char, points: [(f32, f32); N]) {
        self.out.push(command);
        for (x, y) in points {
            let (x, y) = (self.x + x * self.scale, self.y - y * self.scale);
            let _ = write!(self.out, "{x:.4} {y:.4} ");
        }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.draw('M', [(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.draw('L', [(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.draw('Q', [(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.draw('C', [(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.out.push('Z');
    }
}

/// The length of the tag that the text begins with. A `>` in quotes does not end it.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b'>' if !quoted => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The attributes of a tag of our drawings, whose values are in single quotes.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = tag.split_once(' ').map_or("", |(_, rest)| rest);
    std::iter::from_fn(move || {
        let (key, after) = rest.split_once("='")?;
        let (value, after) = after.split_once('\'')?;
        rest = after;
        Some((key.trim(), value))
    })
}

/// The characters that a text stands for.
fn unescape(text: &str) -> String {
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    marks.iter().fold(text.to_owned(), |text, (mark, letter)| text.replace(mark, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_path_at_its_place() {
        let drawing = "<svg font-size='2' text-anchor='middle'><text x='5' y='7' fill='red'>I</text><g/></svg>";
        let out = Fonts::new().outlined(drawing);
        assert!(
            out.starts_with("<svg font-size='2' text-anchor='middle'><path fill='red' d='M"),
            "{out}"
        );
        assert!(out.ends_with("Z'/><g/></svg>"), "{out}");
        // The letter stands on the line y = 7 and its middle is at x = 5.
        let path = out.split("d='").nth(1).unwrap();
        let path = path.split('Z').next().unwrap();
        let numbers: Vec<f32> =
            path.split(['M', 'L', ' ']).filter_map(|word| word.parse().ok()).collect();
        let (xs, ys): (Vec<f32>, Vec<f32>) = numbers.chunks(2).map(|p| (p[0], p[1])).unzip();
        let most = |v: &[f32]| v.iter().copied().fold(f32::MIN, f32::max);
        let least = |v: &[f32]| v.iter().copied().fold(f32::MAX, f32::min);
        assert_eq!(most(&ys), 7.0);
        assert!((most(&xs) + least(&xs) - 10.0).abs() < 0.01, "{xs:?}");
        assert!((1.3..1.6).contains(&(most(&ys) - least(&ys))), "{ys:?}");
    }

    #[test]
    fn styles_end_with_their_element() {
        let fonts = Fonts::new();
        let end = |svg: &str| fonts.outlined(svg).split("<path").last().unwrap().to_owned();
        let plain = end("<svg><text x='1' y='1'>a</text></svg>");
        let after = end(
            "<svg><g font-size='3' font-family='DejaVu Sans Mono'><text y='1'>a</text></g><text x='1' y='1'>a</text></svg>",
        );
        assert_eq!(plain, after);
        assert_ne!(plain, end("<svg font-size='3'><text x='1' y='1'>a</text></svg>"));
    }

    #[test]
    fn marks_stand_for_letters() {
        let fonts = Fonts::new();
        let drawn = |text: &str| fonts.outlined(&format!("<text y='1'>{text}</text>"));
        assert_eq!(drawn("&amp;lt;"), drawn("&amp;lt;"));
        assert_ne!(drawn("&lt;"), drawn("lt"));
        assert_eq!(unescape("a &lt; &amp;lt;"), "a < &lt;");
        assert_eq!(drawn(" a\n b "), drawn("a b"));
    }
}
