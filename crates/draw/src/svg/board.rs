//! The fixed part of a picture: one painter for each kind of board.

use super::Frame;
use crate::Palette;
use crate::glyph::{escape, shape};
use ludex_core::scene::{ContainerKind, Painter, Scene, Site, SiteKind};
use std::fmt::Write;

/// The colour of lines and coordinates.
const LINE: &str = "#6d675b";

/// Paints cells, lines, symbols and coordinates.
pub(super) fn board(out: &mut String, scene: &Scene, frame: &Frame, palette: &Palette) {
    background(out, scene, frame);
    // A cell may contain others, as in a board of boards: the larger ones lie below.
    let mut sites: Vec<&Site> = scene.sites.iter().collect();
    sites.sort_by(|a, b| area(b).total_cmp(&area(a)));
    for site in sites {
        let container = scene.containers.get(site.container);
        match container.map_or(ContainerKind::Board, |container| container.kind) {
            ContainerKind::Board => paint(out, scene.painter, site, frame, palette),
            ContainerKind::Hand => tray(out, site, frame),
            ContainerKind::Dice => {}
        }
    }
    lines(out, scene, frame);
    symbols(out, scene, frame);
    hand_names(out, scene, frame);
    coordinates(out, scene, frame);
}

/// The area of a cell in whole board units, so that cells of about one size keep their order.
fn area(site: &Site) -> f32 {
    let corners = site.corners.iter().zip(site.corners.iter().cycle().skip(1));
    let twice: f32 = corners.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    (twice.abs() / 2.0).floor()
}

/// The wood below a backgammon or mancala board.
fn background(out: &mut String, scene: &Scene, frame: &Frame) {
    if !matches!(scene.painter, Painter::Points | Painter::Mancala | Painter::Pyramid) {
        return;
    }
    let board = |site: &&Site| {
        scene.containers.get(site.container).is_none_or(|c| c.kind == ContainerKind::Board)
    };
    let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for site in scene.sites.iter().filter(board) {
        for &[x, y] in site.corners.iter().chain([&[site.x, site.y]]) {
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
    }
    if low[0] > high[0] {
        return;
    }
    let room = if scene.painter == Painter::Points { 0.15 } else { 0.6 };
    let (x, y) = frame.point(low[0] - room, high[1] + room);
    let _ = write!(
        out,
        "<rect x='{x:.2}' y='{y:.2}' width='{:.2}' height='{:.2}' rx='.2' fill='#dcc59a' stroke='{LINE}' stroke-width='.05'/>",
        high[0] - low[0] + 2.0 * room,
        high[1] - low[1] + 2.0 * room
    );
}

fn paint(out: &mut String, painter: Painter, site: &Site, frame: &Frame, palette: &Palette) {
    match (site.kind, painter) {
        (SiteKind::Edge, _) => {
            if let Some(ends) = &site.ends {
                let path = frame.path(ends);
                let _ = write!(
                    out,
                    "<path d='{path}' stroke='#c9c2b2' stroke-width='.04' fill='none' stroke-dasharray='.08 .08'/>"
                );
            }
        }
        (_, Painter::Mancala) => pit(out, site, frame),
        (_, Painter::Points) => point(out, site, frame),
        (_, Painter::Pyramid) => hole(out, site, frame),
        (_, Painter::Table) => spot(out, site, frame),
        (SiteKind::Vertex, _) => {}
        (SiteKind::Cell, _) => cell(out, painter, site, frame, palette),
    }
}

/// A pit, as large as its site.
fn pit(out: &mut String, site: &Site, frame: &Frame) {
    let (x, y) = frame.point(site.x, site.y);
    let _ = write!(
        out,
        "<circle cx='{x:.2}' cy='{y:.2}' r='.45' fill='#b8955d' stroke='#7d6137' stroke-width='.04'/>\
         <circle cx='{x:.2}' cy='{:.2}' r='.38' fill='#c7a871'/>",
        y + 0.03
    );
}

/// A point of a backgammon board: a triangle in one of two colours, or the bar.
fn point(out: &mut String, site: &Site, frame: &Frame) {
    let colour = match (site.corners.len(), site.phase) {
        (3, 0) => "#8d5b3a",
        (3, _) => "#f3e7cb",
        _ => "#c3a873",
    };
    let path = frame.path(&site.corners);
    let _ = write!(out, "<path d='{path}Z' fill='{colour}' stroke='{LINE}' stroke-width='.015'/>");
}

/// A hole of a pyramid: smaller the higher it lies, so that all layers can be seen.
fn hole(out: &mut String, site: &Site, frame: &Frame) {
    let (x, y) = frame.point(site.x, site.y);
    let radius = (0.4 - 0.08 * f32::from(site.layer)).max(0.14);
    let dash = if site.layer == 0 { "" } else { " stroke-dasharray='.06 .06'" };
    let _ = write!(
        out,
        "<circle cx='{x:.2}' cy='{y:.2}' r='{radius:.2}' fill='#cdb27f' fill-opacity='.6' stroke='#7d6137' stroke-width='.03'{dash}/>"
    );
}

fn cell(out: &mut String, painter: Painter, site: &Site, frame: &Frame, palette: &Palette) {
    let (x, y) = frame.point(site.x, site.y);
    let colour = match (painter, site.phase) {
        (Painter::Checkered, 0) => "#c9b48b",
        (Painter::Checkered, 1) => "#ece1c8",
        (Painter::Checkered, _) => "#dbc9a6",
        _ => "#e9dcc1",
    };
    if site.corners.len() < 3 {
        let _ = write!(
            out,
            "<circle cx='{x:.2}' cy='{y:.2}' r='.46' fill='{colour}' stroke='#8a8375' stroke-width='.03'/>"
        );
        return;
    }
    let path = frame.path(&site.corners);
    let _ = write!(
        out,
        "<path d='{path}Z' fill='{colour}' stroke='#8a8375' stroke-width='.03' stroke-linejoin='round'/>"
    );
    // On a checkered board the tint of a region would look like a third kind of square.
    if let Some(seat) = site.region.filter(|_| painter == Painter::Cells) {
        let fill = palette.fill(Some(seat));
        let _ = write!(
            out,
            "<path d='{path}Z' fill='{fill}' fill-opacity='.8' stroke='#8a8375' stroke-width='.03'/>"
        );
    }
}

/// A place of a hand.
fn tray(out: &mut String, site: &Site, frame: &Frame) {
    let (x, y) = frame.point(site.x, site.y);
    let _ = write!(
        out,
        "<rect x='{:.2}' y='{:.2}' width='.96' height='.96' rx='.12' fill='#efeae0' stroke='#c9c2b2' stroke-width='.02'/>",
        x - 0.48,
        y - 0.48
    );
}

/// A place on a table, with its number where it has one.
fn spot(out: &mut String, site: &Site, frame: &Frame) {
    tray(out, site, frame);
    if site.label.len() <= 4 && site.label.bytes().all(|byte| byte.is_ascii_digit()) {
        let (x, y) = frame.point(site.x, site.y);
        let _ = write!(
            out,
            "<text x='{x:.2}' y='{:.2}' font-size='.26' fill='#8a8375'>{}</text>",
            y + 0.1,
            site.label
        );
    }
}

fn lines(out: &mut String, scene: &Scene, frame: &Frame) {
    for line in &scene.lines {
        let (path, width) = (frame.path(&line.points), if line.strong { 0.06 } else { 0.03 });
        let _ = write!(
            out,
            "<path d='{path}' stroke='{LINE}' stroke-width='{width}' fill='none' stroke-linecap='round'/>"
        );
    }
    let dots = matches!(scene.painter, Painter::Lines | Painter::Edges | Painter::Cells);
    for site in scene.sites.iter().filter(|site| dots && site.kind == SiteKind::Vertex) {
        let (x, y) = frame.point(site.x, site.y);
        let _ = write!(out, "<circle cx='{x:.2}' cy='{y:.2}' r='.06' fill='{LINE}'/>");
    }
    if scene.painter == Painter::Edges {
        for [x, y] in ends(scene) {
            let (x, y) = frame.point(x, y);
            let _ = write!(out, "<circle cx='{x:.2}' cy='{y:.2}' r='.09' fill='#26282c'/>");
        }
    }
}

/// The points at which edges meet, each once.
fn ends(scene: &Scene) -> Vec<[f32; 2]> {
    let mut all: Vec<[f32; 2]> =
        scene.sites.iter().filter_map(|site| site.ends).flatten().collect();
    all.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    all.dedup_by(|a, b| (a[0] - b[0]).abs() < 0.01 && (a[1] - b[1]).abs() < 0.01);
    all
}

/// The longest symbol that is written on a site.
const LONGEST_SYMBOL: usize = 4;

fn symbols(out: &mut String, scene: &Scene, frame: &Frame) {
    for symbol in &scene.symbols {
        let Some(site) = scene.sites.get(symbol.site) else { continue };
        let (x, y) = frame.point(site.x, site.y);
        if let Some(shape) = shape(&symbol.text) {
            let _ = write!(
                out,
                "<g transform='translate({x:.2} {y:.2}) scale(.8)' fill='none' stroke='#a89c82' stroke-width='.04'>{shape}</g>"
            );
            continue;
        }
        // A long text is the name of a picture that we do not have; it would cover the neighbours.
        if symbol.text.chars().count() > LONGEST_SYMBOL {
            continue;
        }
        let _ = write!(
            out,
            "<text x='{x:.2}' y='{:.2}' font-size='.36' fill='#9a917f'>{}</text>",
            y + 0.12,
            escape(&symbol.text)
        );
    }
}

/// The names of hands, to the right of their last place.
fn hand_names(out: &mut String, scene: &Scene, frame: &Frame) {
    for (number, container) in scene.containers.iter().enumerate() {
        if container.kind != ContainerKind::Hand {
            continue;
        }
        let of = scene.sites.iter().filter(|site| site.container == number);
        let last = of.max_by(|a, b| a.x.total_cmp(&b.x));
        let Some(last) = last else { continue };
        let (x, y) = frame.point(last.x + 0.62, last.y);
        let _ = write!(
            out,
            "<text x='{x:.2}' y='{:.2}' font-size='.28' text-anchor='start' fill='{LINE}'>{}</text>",
            y + 0.1,
            escape(&container.name)
        );
    }
}

/// Coordinates: those of the first column on the left, those of the lowest row below.
fn coordinates(out: &mut String, scene: &Scene, frame: &Frame) {
    if matches!(scene.painter, Painter::Points | Painter::Table) {
        return;
    }
    for (text, x, y) in crate::text::margins(scene) {
        let (x, y) = frame.point(x, y);
        let _ = write!(
            out,
            "<text x='{x:.2}' y='{:.2}' font-size='.3' fill='{LINE}'>{}</text>",
            y + 0.1,
            escape(&text)
        );
    }
}
