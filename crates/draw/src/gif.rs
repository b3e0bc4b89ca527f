//! Pictures one after the other as a GIF file, for chats and forums that show no SVG.
//!
//! The format is that of GIF89a: one table of 255 colours for all pictures, and after the first picture only the pixels that
//! changed. Drawings of boards have few colours; the most frequent ones are taken, and the others become the nearest of them.

use crate::png::{Painter, pixels};
use resvg::tiny_skia::Pixmap;
use std::collections::HashMap;

/// The index of pixels that stay as they are.
const SAME: u8 = 255;
/// The colours of a table.
const COLOURS: usize = 255;
/// Pictures that are looked at for the table of colours.
const SAMPLES: usize = 12;
/// Bits of a code at the beginning: 8 for the colours, one more for the codes.
const FIRST_BITS: u32 = 9;
const CLEAR: u16 = 256;
const END: u16 = 257;
const MOST_CODES: u16 = 4096;
/// The background where a picture is smaller than the file.
const PAPER: [u8; 3] = [0xfb, 0xf9, 0xf4];

/// SVG documents as the pictures of a GIF file of at most `width` pixels, `delay` hundredths of a second each, the last one four
/// times as long; `None` where a document cannot be drawn or there is none.
pub fn gif(documents: &[String], width: u32, delay: u16) -> Option<Vec<u8>> {
    let painter = Painter::new();
    let mut largest = (0.0f32, 0.0f32);
    for document in documents {
        let size = painter.read(document)?.size();
        largest = (largest.0.max(size.width()), largest.1.max(size.height()));
    }
    let scale = width as f32 / largest.0;
    let draw = |document: &String| pixels(&painter.read(document)?, scale);
    let side = |length: f32| u16::try_from((length * scale).round() as u32).ok();
    let (width, height) = (side(largest.0)?, side(largest.1)?);
    let step = documents.len().div_ceil(SAMPLES).max(1);
    let samples = documents.iter().step_by(step).chain(documents.last());
    let palette = Palette::new(&samples.map(draw).collect::<Option<Vec<_>>>()?);
    let mut out = header(width, height, &palette);
    let mut shown: Option<Vec<u8>> = None;
    for (number, document) in documents.iter().enumerate() {
        let picture = palette.picture(&draw(document)?, width, height);
        let time = if number + 1 == documents.len() { delay.saturating_mul(4) } else { delay };
        frame(&mut out, &picture, shown.as_deref(), width, time);
        shown = Some(picture);
    }
    shown?;
    out.push(0x3b);
    Some(out)
}

/// The beginning of the file: its size, the table of colours, and that it is shown again and again.
fn header(width: u16, height: u16, palette: &Palette) -> Vec<u8> {
    let mut out = b"GIF89a".to_vec();
    out.extend(width.to_le_bytes());
    out.extend(height.to_le_bytes());
    // A table of 256 colours, no background, square pixels.
    out.extend([0xf7, 0, 0]);
    out.extend(palette.colours.iter().flatten());
    out.resize(13 + 3 * 256, 0);
    out.extend(*b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00");
    out
}

/// Adds a picture: the rectangle in which it differs from the one that is shown.
fn frame(out: &mut Vec<u8>, picture: &[u8], shown: Option<&[u8]>, width: u16, delay: u16) {
    let wide = usize::from(width.max(1));
    let differs = |at: usize| shown.is_none_or(|shown| shown.get(at) != picture.get(at));
    let changed: Vec<usize> = (0..picture.len()).filter(|&at| differs(at)).collect();
    // A picture without a change still takes its time: one pixel is drawn again.
    let rows = changed.iter().map(|at| at / wide);
    let columns = changed.iter().map(|at| at % wide);
    let (top, bottom) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
    let (left, right) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
    // Graphic control: frames stay on the canvas, one colour is transparent.
    out.extend([0x21, 0xf9, 4, 0b101]);
    out.extend(delay.to_le_bytes());
    out.extend([SAME, 0, 0x2c]);
    for length in [left, top, right - left + 1, bottom - top + 1] {
        out.extend((length as u16).to_le_bytes());
    }
    out.push(0);
    let inside = (top..=bottom).flat_map(|row| (left..=right).map(move |x| row * wide + x));
    let bytes = inside.map(|at| match picture.get(at) {
        Some(&colour) if differs(at) => colour,
        _ => SAME,
    });
    compress(out, bytes);
}

/// The colours of all pictures.
struct Palette {
    colours: Vec<[u8; 3]>,
    /// By colour with 5 bits a part: its index.
    index: Vec<u8>,
}

fn coarse([red, green, blue]: [u8; 3]) -> usize {
    usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
}

fn colours(pixels: &Pixmap) -> impl Iterator<Item = [u8; 3]> {
    pixels.pixels().iter().map(|pixel| {
        let colour = pixel.demultiply();
        [colour.red(), colour.green(), colour.blue()]
    })
}

impl Palette {
    fn new(pictures: &[Pixmap]) -> Palette {
        let mut sums = vec![[0u64; 4]; 1 << 15];
        for colour in pictures.iter().flat_map(colours).chain([PAPER]) {
            let sum = &mut sums[coarse(colour)];
            sum[3] += 1;
            sum.iter_mut().zip(colour).for_each(|(sum, part)| *sum += u64::from(part));
        }
        let mut used: Vec<usize> = (0..sums.len()).filter(|&i| sums[i][3] > 0).collect();
        used.sort_by_key(|&i| std::cmp::Reverse(sums[i][3]));
        used.truncate(COLOURS);
        let mean = |&i: &usize| {
            let [red, green, blue, count] = sums[i];
            [red, green, blue].map(|sum| (sum / count.max(1)) as u8)
        };
        let colours: Vec<[u8; 3]> = used.iter().map(mean).collect();
        let part = |bits: usize| ((bits & 31) << 3 | 4) as u8;
        let nearest = |i: usize| {
            let wanted = [part(i >> 10), part(i >> 5), part(i)];
            let far = |colour: &[u8; 3]| -> u32 {
                let parts = colour.iter().zip(wanted);
                parts.map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
            };
            colours.iter().enumerate().min_by_key(|(_, colour)| far(colour)).map_or(0, |(i, _)| i)
        };
        let index = (0..sums.len()).map(|i| nearest(i) as u8).collect();
        Palette { index, colours }
    }

    /// A picture as indices of colours, on paper of the size of the file.
    fn picture(&self, pixels: &Pixmap, width: u16, height: u16) -> Vec<u8> {
        let (width, height) = (usize::from(width), usize::from(height));
        let mut out = vec![self.index[coarse(PAPER)]; width * height];
        let row = pixels.width().max(1) as usize;
        for (at, colour) in colours(pixels).enumerate() {
            let (x, y) = (at % row, at / row);
            if x < width && y < height {
                out[y * width + x] = self.index[coarse(colour)];
            }
        }
        out
    }
}

/// Writes bytes with the codes of Lempel, Ziv and Welch, in blocks of at most 255 bytes.
fn compress(out: &mut Vec<u8>, bytes: impl Iterator<Item = u8>) {
    out.push(8);
    let mut codes = Codes { block: Vec::new(), bits: 0, waiting: 0, width: FIRST_BITS };
    codes.put(out, CLEAR);
    let mut known: HashMap<(u16, u8), u16> = HashMap::new();
    let mut next = END + 1;
    let mut prefix: Option<u16> = None;
    for byte in bytes {
        let Some(before) = prefix else {
            prefix = Some(byte.into());
            continue;
        };
        if let Some(&code) = known.get(&(before, byte)) {
            prefix = Some(code);
            continue;
        }
        codes.put(out, before);
        if next == MOST_CODES {
            codes.put(out, CLEAR);
            known.clear();
            (next, codes.width) = (END + 1, FIRST_BITS);
        } else {
            known.insert((before, byte), next);
            // A reader is one code behind.
            if next == 1 << codes.width {
                codes.width += 1;
            }
            next += 1;
        }
        prefix = Some(byte.into());
    }
    if let Some(code) = prefix {
        codes.put(out, code);
    }
    codes.put(out, END);
    codes.finish(out);
}

/// Codes on their way into blocks.
struct Codes {
    block: Vec<u8>,
    bits: u32,
    waiting: u32,
    width: u32,
}

impl Codes {
    fn put(&mut self, out: &mut Vec<u8>, code: u16) {
        self.waiting |= u32::from(code) << self.bits;
        self.bits += self.width;
        while self.bits >= 8 {
            self.byte(out, self.waiting as u8);
            self.waiting >>= 8;
            self.bits -= 8;
        }
    }

    fn byte(&mut self, out: &mut Vec<u8>, byte: u8) {
        self.block.push(byte);
        if self.block.len() == 255 {
            self.flush(out);
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        if !self.block.is_empty() {
            out.push(self.block.len() as u8);
            out.append(&mut self.block);
        }
    }

    fn finish(mut self, out: &mut Vec<u8>) {
        if self.bits > 0 {
            self.byte(out, self.waiting as u8);
        }
        self.flush(out);
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the codes of one picture again: a plain decoder, written against the format alone.
    fn expand(data: &[u8]) -> Vec<u8> {
        assert_eq!(data[0], 8);
        let (mut bytes, mut at) = (Vec::<u8>::new(), 1);
        while data[at] > 0 {
            let length = usize::from(data[at]);
            bytes.extend(&data[at + 1..at + 1 + length]);
            at += 1 + length;
        }
        let bit = |i: usize| u32::from(bytes[i / 8] >> (i % 8) & 1);
        let start: Vec<Vec<u8>> = (0..258u16).map(|i| vec![i as u8]).collect();
        let (mut table, mut width, mut place) = (start.clone(), 9, 0);
        let (mut out, mut last): (Vec<u8>, Option<Vec<u8>>) = (Vec::new(), None);
        loop {
            let code = (0..width).map(|i| bit(place + i) << i).sum::<u32>() as usize;
            place += width;
            match code {
                256 => (table, width, last) = (start.clone(), 9, None),
                257 => return out,
                _ => {
                    let word = match (table.get(code), &last) {
                        (Some(word), _) => word.clone(),
                        (None, Some(last)) => [&last[..], &last[..1]].concat(),
                        (None, None) => panic!("a code that nobody knows"),
                    };
                    out.extend(&word);
                    if let Some(last) = last.filter(|_| table.len() < 4096) {
                        table.push([&last[..], &word[..1]].concat());
                        if table.len() == 1 << width && width < 12 {
                            width += 1;
                        }
                    }
                    last = Some(word);
                }
            }
        }
    }

    #[test]
    fn codes_are_read_again() {
        let long = (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8);
        for bytes in [vec![], vec![7], vec![3; 1000], (0..=255).collect(), long.collect()] {
            let mut data = Vec::new();
            compress(&mut data, bytes.iter().copied());
            assert_eq!(expand(&data), bytes);
        }
    }

    #[test]
    fn only_changed_pixels_are_written_again() {
        let square = |x: u32| {
            format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'><rect width='100' height='50' fill='#fff'/><rect x='{x}' y='10' width='9' height='9' fill='#123456'/></svg>"
            )
        };
        let one = gif(&[square(5)], 100, 50).unwrap();
        let two = gif(&[square(5), square(40)], 100, 50).unwrap();
        assert!(two.starts_with(b"GIF89a\x64\0\x32\0") && two.ends_with(&[0x3b]));
        // The second picture is the rectangle that holds both squares: 44 by 9 pixels at (5, 10).
        let place = [0x2c, 5, 0, 10, 0, 44, 0, 9, 0];
        assert!(two.windows(9).any(|window| window == place));
        assert!(two.len() - one.len() < 120, "{} {}", two.len(), one.len());
        assert!(gif(&[], 100, 50).is_none() && gif(&["<svg".into()], 100, 50).is_none());
    }
}
