//! The pieces of a position.

use super::Frame;
use crate::Palette;
use crate::glyph::{die, escape, lettered, shape};
use ludex_core::scene::{ContainerKind, Painter, Placed, Scene, Site, SiteKind, Stack, View};
use std::fmt::Write;

/// Draws all pieces, those of a stack from the bottom up, then the dice.
pub(super) fn pieces(
    out: &mut String,
    scene: &Scene,
    view: &View,
    frame: &Frame,
    palette: &Palette,
) {
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
        let at = *level;
        *level += 1;
        match container(scene, site) {
            ContainerKind::Dice => continue,
            ContainerKind::Board if site.kind == SiteKind::Edge => {
                edge(out, scene, placed, site, frame, palette);
            }
            ContainerKind::Board if scene.painter == Painter::Mancala && placed.piece.is_some() => {
                seeds(out, placed.count.max(height), frame.point(site.x, site.y));
            }
            _ => stacked(out, scene, placed, site, (at, height), frame, palette),
        }
    }
    dice(out, scene, view, frame);
}

fn container(scene: &Scene, site: &Site) -> ContainerKind {
    scene.containers.get(site.container).map_or(ContainerKind::Board, |container| container.kind)
}

/// A piece at its level of a stack.
fn stacked(
    out: &mut String,
    scene: &Scene,
    placed: &Placed,
    site: &Site,
    (level, height): (u32, u32),
    frame: &Frame,
    palette: &Palette,
) {
    let (x, y) = frame.point(site.x, site.y);
    let last = level + 1 == height;
    match scene.stack {
        Stack::Column if scene.painter == Painter::Points => {
            let upwards = site.y < frame.middle();
            let step = (4.6 / height.max(1) as f32).min(0.78);
            let away = level as f32 * step;
            let y = if upwards { y - away } else { y + away };
            piece(out, scene, placed, (x, y), 1.0, palette);
        }
        Stack::Column => {
            let step = (5.0 / height.saturating_sub(1).max(1) as f32).min(1.0);
            piece(out, scene, placed, (x, y - level as f32 * step), 1.0, palette);
        }
        Stack::Count => {
            if last {
                piece(out, scene, placed, (x, y), 1.0, palette);
                if height > 1 {
                    number(out, (x + 0.3, y + 0.4), &height.to_string());
                }
            }
        }
        Stack::Spread | Stack::Fan => {
            let (dx, dy) = offset(scene.stack, level, height);
            let size = if scene.painter == Painter::Pyramid {
                (1.0 - 0.12 * f32::from(site.layer)).max(0.5)
            } else {
                1.0
            };
            piece(out, scene, placed, (x + dx, y - dy), size, palette);
            // A high stack is hard to count by eye.
            if last && height > 3 {
                number(out, (x + 0.36, y + 0.44), &height.to_string());
            }
        }
    }
}

/// The place of a piece of a stack, relative to its site: right and up.
fn offset(stack: Stack, level: u32, height: u32) -> (f32, f32) {
    if height < 2 {
        return (0.0, 0.0);
    }
    let step = (0.5 / (height - 1) as f32).min(0.16);
    let at = level as f32 - (height - 1) as f32 / 2.0;
    match stack {
        Stack::Spread => (0.0, at * step),
        Stack::Fan => (at * step, 0.0),
        Stack::Count | Stack::Column => (0.0, 0.0),
    }
}

fn piece(
    out: &mut String,
    scene: &Scene,
    placed: &Placed,
    (x, y): (f32, f32),
    size: f32,
    palette: &Palette,
) {
    let kind = placed.piece.and_then(|piece| scene.pieces.get(piece));
    let owner = placed.owner.or(kind.and_then(|kind| kind.owner));
    let turn = placed.turn.map(|turn| format!(" rotate({turn})")).unwrap_or_default();
    let scale = if size == 1.0 { String::new() } else { format!(" scale({size:.2})") };
    let _ = write!(
        out,
        "<g transform='translate({x:.2} {y:.2}){turn}{scale}' fill='{}' stroke='{}' stroke-width='.03'>",
        palette.fill(owner),
        palette.outline(owner)
    );
    let ink = palette.ink(owner);
    match kind {
        Some(kind) => {
            let _ = write!(out, "<title>{}</title>", escape(&kind.name));
            match shape(&kind.glyph) {
                Some(shape) => out.push_str(shape),
                None => lettered(out, &kind.glyph, &kind.letters, ink),
            }
        }
        None => lettered(out, "", "?", ink),
    }
    out.push_str("</g>");
    if placed.count > 1 {
        number(out, (x, y + 0.12), &placed.count.to_string());
    }
}

/// A line that a player has drawn between two points.
fn edge(
    out: &mut String,
    scene: &Scene,
    placed: &Placed,
    site: &Site,
    frame: &Frame,
    palette: &Palette,
) {
    let kind = placed.piece.and_then(|piece| scene.pieces.get(piece));
    let owner = placed.owner.or(kind.and_then(|kind| kind.owner));
    let Some(ends) = &site.ends else { return };
    let path = frame.path(ends);
    let _ = write!(
        out,
        "<path d='{path}' stroke='#26282c' stroke-width='.16' stroke-linecap='round' fill='none'/>\
         <path d='{path}' stroke='{}' stroke-width='.1' stroke-linecap='round' fill='none'/>",
        palette.fill(owner)
    );
}

/// The seeds of a pit: as many dots as can be counted at a glance, and their number.
fn seeds(out: &mut String, count: u32, (x, y): (f32, f32)) {
    // A spiral of dots (Vogel's model): even for any number.
    const GOLDEN: f32 = 2.399_963;
    let shown = count.min(MOST_SEEDS);
    for seed in 0..shown {
        let radius = 0.3 * ((seed as f32 + 0.5) / shown.max(4) as f32).sqrt();
        let angle = seed as f32 * GOLDEN;
        let _ = write!(
            out,
            "<circle cx='{:.2}' cy='{:.2}' r='.07' fill='#4d4a42' stroke='#f3ead6' stroke-width='.015'/>",
            x + radius * angle.cos(),
            y + radius * angle.sin()
        );
    }
    if count > 1 {
        number(out, (x + 0.34, y + 0.44), &count.to_string());
    }
}

/// More seeds than these in a pit are only counted.
const MOST_SEEDS: u32 = 16;

fn number(out: &mut String, (x, y): (f32, f32), text: &str) {
    let _ = write!(
        out,
        "<text x='{x:.2}' y='{y:.2}' font-size='.32' font-weight='bold' fill='#26282c' stroke='#fbf9f4' stroke-width='.08' \
         paint-order='stroke'>{text}</text>"
    );
}

/// The dice: on their own sites where there are any, else below the board.
fn dice(out: &mut String, scene: &Scene, view: &View, frame: &Frame) {
    let mut sites = scene.sites.iter().filter(|site| container(scene, site) == ContainerKind::Dice);
    for (number, &pips) in view.dice.iter().enumerate() {
        let (x, y) = match sites.next() {
            Some(site) => frame.point(site.x, site.y),
            None => (0.9 + number as f32 * 0.9, frame.height() - 0.45),
        };
        die(out, pips, (x, y));
    }
}
