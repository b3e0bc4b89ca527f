//! A board as SVG: a whole document, or its layers for a page that changes the pieces and keeps the board.
//!
//! All layers use the units of [`Frame`]: a site is about one unit wide, the origin is at the top left.

mod board;
mod frame;
mod pieces;

pub use frame::Frame;

use crate::glyph::escape;
use crate::{Marks, Palette};
use ludex_core::scene::{MoveSites, Scene, View};
use std::fmt::Write;

/// Pixels of a board unit.
const UNIT: f32 = 48.0;

/// The attributes of text that all layers share.
const FONT: &str = "font-family='DejaVu Sans, Verdana, sans-serif' text-anchor='middle'";

/// The fixed part of a picture as a `<g>` element: cells, lines, symbols and coordinates.
pub fn board_layer(scene: &Scene) -> String {
    let mut out = format!("<g class='board' {FONT}>");
    board::board(&mut out, scene, &Frame::of(scene), &Palette::of(scene));
    out.push_str("</g>");
    out
}

/// The pieces of a position as a `<g>` element.
pub fn piece_layer(scene: &Scene, view: &View) -> String {
    let mut out = format!("<g class='pieces' {FONT}>");
    pieces::pieces(&mut out, scene, view, &Frame::of(scene), &Palette::of(scene));
    out.push_str("</g>");
    out
}

/// A position as an SVG document.
pub fn svg(scene: &Scene, view: &View, marks: &Marks) -> String {
    if scene.sites.is_empty() {
        return facts(scene, view);
    }
    let (frame, palette) = (Frame::of(scene), Palette::of(scene));
    let beside = beside(view);
    let width = frame.width();
    let height = frame.height() + beside.len() as f32 * LINE;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.2} {height:.2}' width='{:.0}' height='{:.0}' {FONT} role='img'>",
        width * UNIT,
        height * UNIT
    );
    let _ = write!(out, "<rect width='{width:.2}' height='{height:.2}' fill='#fbf9f4'/>");
    board::board(&mut out, scene, &frame, &palette);
    if let Some(last) = &marks.last {
        highlight(&mut out, scene, &frame, last);
    }
    pieces::pieces(&mut out, scene, view, &frame, &palette);
    for (number, line) in beside.iter().enumerate() {
        let y = frame.height() + number as f32 * LINE;
        let _ = write!(
            out,
            "<text x='.4' y='{y:.2}' font-size='.3' text-anchor='start' fill='#26282c'>{}</text>",
            escape(line)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The height of a line of text below the board.
const LINE: f32 = 0.45;

/// The most characters of a line below the board.
const MOST_CHARACTERS: usize = 60;

/// The lines below a board: named numbers.
fn beside(view: &View) -> Vec<String> {
    let line = |(name, value): &(String, String)| {
        format!("{name}: {value}").chars().take(MOST_CHARACTERS).collect()
    };
    view.counters.iter().map(line).collect()
}

/// Marks the sites of the last move.
fn highlight(out: &mut String, scene: &Scene, frame: &Frame, last: &MoveSites) {
    for site in [last.from, last.to].into_iter().flatten().filter_map(|s| scene.sites.get(s)) {
        if site.corners.len() > 2 {
            let path = frame.path(&site.corners);
            let _ = write!(out, "<path d='{path}Z' fill='#ffd24d' fill-opacity='.5'/>");
        } else {
            let (x, y) = frame.point(site.x, site.y);
            let _ = write!(
                out,
                "<circle cx='{x:.2}' cy='{y:.2}' r='.46' fill='#ffd24d' fill-opacity='.55'/>"
            );
        }
    }
}

/// A picture without a board: the facts as lines of text.
fn facts(scene: &Scene, view: &View) -> String {
    let mut lines: Vec<String> = view.facts.lines().map(str::to_owned).collect();
    lines.extend(beside(view));
    if lines.is_empty() {
        lines.push(scene.players.join(", "));
    }
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = ((longest as f32 * 0.17 + 1.0).max(6.0), lines.len() as f32 * 0.4 + 0.8);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.2} {height:.2}' width='{:.0}' height='{:.0}' \
         font-family='DejaVu Sans Mono, monospace' font-size='.28' role='img'><title>{}</title>\
         <rect width='{width:.2}' height='{height:.2}' fill='#fbf9f4'/>",
        width * UNIT,
        height * UNIT,
        escape(&scene.players.join(", "))
    );
    for (i, line) in lines.iter().enumerate() {
        let _ = write!(
            out,
            "<text x='.5' y='{:.2}' fill='#26282c' xml:space='preserve'>{}</text>",
            0.7 + i as f32 * 0.4,
            escape(line)
        );
    }
    out.push_str("</svg>\n");
    out
}
