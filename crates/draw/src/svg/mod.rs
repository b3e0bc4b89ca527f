//! A board as SVG: a whole document, or its layers for a page that changes the pieces and keeps the board.

mod frame;

pub use frame::Frame;

use crate::glyph::{escape, lettered, shape};
use crate::{Marks, fill, ink};
use ludex_core::scene::{MoveSites, Painter, Placed, Scene, Site, SiteKind, Stack, View};
use std::fmt::Write;

/// Pixels of a board unit.
const UNIT: f32 = 48.0;

/// The attributes of text that all layers share.
const FONT: &str = "font-family='DejaVu Sans, Verdana, sans-serif' text-anchor='middle'";

/// The fixed part of a picture as a `<g>` element: cells, lines, symbols and coordinates, in the units of [`Frame`].
pub fn board_layer(scene: &Scene) -> String {
    let frame = Frame::of(scene);
    let mut out = format!("<g class='board' {FONT}>");
    board(&mut out, scene, &frame);
    coordinates(&mut out, scene, &frame);
    out.push_str("</g>");
    out
}

/// The pieces of a position as a `<g>` element, in the units of [`Frame`].
pub fn piece_layer(scene: &Scene, view: &View) -> String {
    let mut out = format!("<g class='pieces' {FONT}>");
    pieces(&mut out, scene, view, &Frame::of(scene));
    out.push_str("</g>");
    out
}

/// A position as an SVG document.
pub fn svg(scene: &Scene, view: &View, marks: &Marks) -> String {
    if scene.sites.is_empty() {
        return facts(scene, view);
    }
    let frame = Frame::of(scene);
    let mut out = String::new();
    let (width, height) = (frame.width(), frame.height());
    let _ = write!(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='{}' width='{:.0}' height='{:.0}' {FONT} role='img'>",
        frame.view_box(),
        width * UNIT,
        height * UNIT
    );
    let _ = write!(out, "<rect width='{width:.2}' height='{height:.2}' fill='#fbf9f4'/>");
    board(&mut out, scene, &frame);
    coordinates(&mut out, scene, &frame);
    if let Some(last) = &marks.last {
        highlight(&mut out, scene, &frame, last);
    }
    pieces(&mut out, scene, view, &frame);
    out.push_str("</svg>\n");
    out
}

/// Marks the sites of the last move.
fn highlight(out: &mut String, scene: &Scene, frame: &Frame, last: &MoveSites) {
    for site in [last.from, last.to].into_iter().flatten().filter_map(|s| scene.sites.get(s)) {
        let (x, y) = frame.point(site.x, site.y);
        let _ = write!(
            out,
            "<circle cx='{x:.2}' cy='{y:.2}' r='.46' fill='#ffd24d' fill-opacity='.55'/>"
        );
    }
}

fn board(out: &mut String, scene: &Scene, frame: &Frame) {
    for site in &scene.sites {
        match site.kind {
            SiteKind::Cell => cell(out, scene.painter, site, frame),
            SiteKind::Vertex if scene.painter == Painter::Mancala => {
                cell(out, scene.painter, site, frame);
            }
            SiteKind::Edge => {
                if let Some(ends) = &site.ends {
                    let path = frame.path(ends);
                    let _ = write!(
                        out,
                        "<path d='{path}' stroke='#8a8375' stroke-width='.03' fill='none'/>"
                    );
                }
            }
            SiteKind::Vertex => {}
        }
    }
    for line in &scene.lines {
        let (path, width) = (frame.path(&line.points), if line.strong { 0.06 } else { 0.03 });
        let _ = write!(
            out,
            "<path d='{path}' stroke='#6d675b' stroke-width='{width}' fill='none' stroke-linecap='round'/>"
        );
    }
    let dots = scene.painter != Painter::Mancala;
    for site in scene.sites.iter().filter(|site| dots && site.kind == SiteKind::Vertex) {
        let (x, y) = frame.point(site.x, site.y);
        let _ = write!(out, "<circle cx='{x:.2}' cy='{y:.2}' r='.06' fill='#6d675b'/>");
    }
    for symbol in &scene.symbols {
        let Some(site) = scene.sites.get(symbol.site) else { continue };
        let (x, y) = frame.point(site.x, site.y);
        let text = escape(&symbol.text);
        let _ = write!(
            out,
            "<text x='{x:.2}' y='{:.2}' font-size='.36' fill='#9a917f'>{text}</text>",
            y + 0.12
        );
    }
}

fn cell(out: &mut String, painter: Painter, site: &Site, frame: &Frame) {
    let (x, y) = frame.point(site.x, site.y);
    if painter == Painter::Mancala || site.corners.len() < 3 {
        let _ = write!(
            out,
            "<circle cx='{x:.2}' cy='{y:.2}' r='.46' fill='#e6d8bb' stroke='#8a8375' stroke-width='.03'/>"
        );
        return;
    }
    let colour = match (painter, site.phase) {
        (Painter::Checkered, 0) => "#c9b48b",
        (Painter::Checkered, 1) => "#ece1c8",
        (Painter::Checkered, _) => "#dbc9a6",
        _ => "#f0e6d0",
    };
    let path = frame.path(&site.corners);
    let _ = write!(
        out,
        "<path d='{path}Z' fill='{colour}' stroke='#8a8375' stroke-width='.03' stroke-linejoin='round'/>"
    );
}

fn pieces(out: &mut String, scene: &Scene, view: &View, frame: &Frame) {
    // How many pieces stand on each site, and how many are drawn already.
    let mut heights = vec![0u32; scene.sites.len()];
    for placed in &view.pieces {
        if let Some(height) = heights.get_mut(placed.site) {
            *height += 1;
        }
    }
    let mut drawn = vec![0u32; scene.sites.len()];
    for placed in &view.pieces {
        let (Some(site), Some(&height)) = (scene.sites.get(placed.site), heights.get(placed.site))
        else {
            continue;
        };
        let Some(level) = drawn.get_mut(placed.site) else { continue };
        let (x, y) = frame.point(site.x, site.y);
        let (dx, dy) = offset(scene.stack, *level, height);
        *level += 1;
        if scene.stack == Stack::Count && *level < height {
            continue;
        }
        piece(out, scene, placed, (x + dx, y - dy));
        if scene.stack == Stack::Count && height > 1 {
            number(out, (x + 0.3, y + 0.34), &height.to_string());
        }
    }
}

/// Where a piece of a stack is drawn, relative to its site: right and up.
fn offset(stack: Stack, level: u32, height: u32) -> (f32, f32) {
    if height < 2 {
        return (0.0, 0.0);
    }
    let step = (0.5 / (height - 1) as f32).min(0.16);
    let at = level as f32 - (height - 1) as f32 / 2.0;
    match stack {
        Stack::Spread => (0.0, at * step),
        Stack::Fan => (at * step, 0.0),
        Stack::Count => (0.0, 0.0),
    }
}

fn piece(out: &mut String, scene: &Scene, placed: &Placed, (x, y): (f32, f32)) {
    let kind = placed.piece.and_then(|piece| scene.pieces.get(piece));
    let owner = placed.owner.or(kind.and_then(|kind| kind.owner));
    let _ = write!(
        out,
        "<g transform='translate({x:.2} {y:.2})' fill='{}' stroke='#26282c' stroke-width='.03'>",
        fill(owner)
    );
    match kind {
        Some(kind) => {
            let _ = write!(out, "<title>{}</title>", escape(&kind.name));
            match shape(&kind.glyph) {
                Some(shape) => out.push_str(shape),
                None => lettered(out, &kind.letters, ink(owner)),
            }
        }
        None => lettered(out, "?", ink(owner)),
    }
    out.push_str("</g>");
    if placed.count > 1 {
        number(out, (x, y + 0.12), &placed.count.to_string());
    }
}

fn number(out: &mut String, (x, y): (f32, f32), text: &str) {
    let _ = write!(
        out,
        "<text x='{x:.2}' y='{y:.2}' font-size='.34' fill='#26282c' stroke='#fbf9f4' stroke-width='.06' \
         paint-order='stroke'>{text}</text>"
    );
}

/// Coordinates: those of the first column on the left, those of the lowest row below.
fn coordinates(out: &mut String, scene: &Scene, frame: &Frame) {
    for (text, x, y) in crate::text::margins(scene) {
        let (x, y) = frame.point(x, y);
        let _ = write!(
            out,
            "<text x='{x:.2}' y='{:.2}' font-size='.3' fill='#6d675b'>{}</text>",
            y + 0.1,
            escape(&text)
        );
    }
}

/// A picture without a board: the facts as lines of text.
fn facts(scene: &Scene, view: &View) -> String {
    let lines: Vec<&str> = view.facts.lines().collect();
    let (width, height) = (16.0, lines.len() as f32 * 0.4 + 1.0);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height:.2}' width='{:.0}' height='{:.0}' \
         font-family='DejaVu Sans Mono, monospace' font-size='.28' role='img'><title>{}</title>\
         <rect width='{width}' height='{height:.2}' fill='#fbf9f4'/>",
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
