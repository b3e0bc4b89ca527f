//! A ludeme game as a [scene](ludex_core::scene): its board's graph, its pieces, its hands.

use crate::board::SiteType;
use crate::code::{Labels, parts};
use crate::engine::equipment::Component;
use crate::engine::{Equipment, Lud, State};
use ludex_core::Move;
use ludex_core::scene::{
    Container, ContainerKind, Line, MoveSites, Painter, Piece, Placed, Scene, Site, SiteKind,
    Stack, View,
};
use std::collections::BTreeMap;

/// The names of the eight directions, counted from the east against the clock.
const DIRECTIONS: [&str; 8] = ["E", "NE", "N", "NW", "W", "SW", "S", "SE"];

/// The fixed part of the drawing.
pub(crate) fn scene(lud: &Lud, labels: &Labels, players: &[String]) -> Scene {
    let equipment = &lud.equipment;
    let scale = 1.0 / spacing(equipment);
    let mut sites: Vec<Site> = board_sites(equipment, labels, scale);
    let mut containers =
        vec![Container { name: "board".into(), kind: ContainerKind::Board, owner: None }];
    let bottom = sites.iter().map(|site| site.y).fold(f32::INFINITY, f32::min);
    let left = sites.iter().map(|site| site.x).fold(f32::INFINITY, f32::min);
    // Hands and dice stand below the board, one row each.
    for (row, held) in equipment.containers.iter().skip(1).enumerate() {
        let dice = held.name.starts_with("Dice");
        let kind = if dice { ContainerKind::Dice } else { ContainerKind::Hand };
        let owner = held.owner.checked_sub(1).filter(|seat| *seat < players.len());
        let owner = owner.and_then(|seat| u8::try_from(seat).ok());
        let name = owner.and_then(|seat| players.get(usize::from(seat)));
        let name = name.map_or_else(|| held.name.clone(), |player| format!("hand of {player}"));
        containers.push(Container { name, kind, owner });
        for i in 0..held.sites {
            let number = (held.from + i) as i32;
            sites.push(Site {
                container: containers.len() - 1,
                x: left + i as f32,
                y: bottom - 1.5 - row as f32 * 1.1,
                label: labels.site(number).to_string(),
                ..Site::default()
            });
        }
    }
    let pieces: Vec<Piece> =
        equipment.components.iter().skip(1).map(|kind| piece(equipment, kind, players)).collect();
    let painter = painter(lud);
    let lines = if painter == Painter::Lines { lines(equipment, scale) } else { Vec::new() };
    Scene {
        painter,
        stack: Stack::Spread,
        containers,
        sites,
        lines,
        symbols: Vec::new(),
        pieces: distinct_letters(pieces),
        players: players.to_vec(),
    }
}

/// The distance of neighbouring sites in the units of the board.
fn spacing(equipment: &Equipment) -> f32 {
    let elements = equipment.elements();
    let mut least = f64::INFINITY;
    for element in elements {
        for &other in element.adjacent.iter().chain(&element.orthogonal) {
            let Some(other) = elements.get(other) else { continue };
            let (dx, dy) =
                (element.centre[0] - other.centre[0], element.centre[1] - other.centre[1]);
            let distance = dx.hypot(dy);
            if distance > 1e-3 {
                least = least.min(distance);
            }
        }
    }
    if least.is_finite() { least as f32 } else { 1.0 }
}

fn board_sites(equipment: &Equipment, labels: &Labels, scale: f32) -> Vec<Site> {
    let board = &equipment.board;
    let point = |at: [f64; 3]| [at[0] as f32 * scale, at[1] as f32 * scale];
    let elements = equipment.elements();
    let on_board = equipment.containers.first().map_or(elements.len(), |c| c.sites as usize);
    let mut sites = Vec::with_capacity(on_board);
    for (number, element) in elements.iter().enumerate().take(on_board) {
        let [x, y] = point(element.centre);
        let (kind, corners, ends) = match board.sites {
            SiteType::Cell => {
                let face = board.graph.faces.get(number).map_or(&[][..], Vec::as_slice);
                let corner = |v: &usize| board.graph.vertices.get(*v).map(|&p| point(p));
                (SiteKind::Cell, face.iter().filter_map(corner).collect(), None)
            }
            SiteType::Edge => {
                let ends = board.graph.edges.get(number).and_then(|&(a, b)| {
                    let end = |v: usize| board.graph.vertices.get(v).map(|&p| point(p));
                    Some([end(a)?, end(b)?])
                });
                (SiteKind::Edge, Vec::new(), ends)
            }
            SiteType::Vertex => (SiteKind::Vertex, Vec::new(), None),
        };
        let mut neighbours = BTreeMap::new();
        for &other in element.adjacent.iter().chain(&element.orthogonal) {
            let Some(to) = elements.get(other).filter(|_| other < on_board) else { continue };
            let (dx, dy) = (to.centre[0] - element.centre[0], to.centre[1] - element.centre[1]);
            let eighth = (dy.atan2(dx) / std::f64::consts::FRAC_PI_4).round() as i64;
            let name = DIRECTIONS[eighth.rem_euclid(8) as usize];
            neighbours.entry(name.to_string()).or_insert(other);
        }
        sites.push(Site {
            container: 0,
            kind,
            x,
            y,
            corners,
            ends,
            label: labels.site(number as i32).to_lowercase(),
            phase: ((element.row + element.column) % 2) as u8,
            layer: u8::try_from(element.layer).unwrap_or(u8::MAX),
            neighbours,
        });
    }
    sites
}

/// Boards of lines show all edges of their graph.
fn lines(equipment: &Equipment, scale: f32) -> Vec<Line> {
    let graph = &equipment.board.graph;
    let point =
        |v: usize| graph.vertices.get(v).map(|at| [at[0] as f32 * scale, at[1] as f32 * scale]);
    let line =
        |&(a, b): &(usize, usize)| Some(Line { points: vec![point(a)?, point(b)?], strong: false });
    graph.edges.iter().filter_map(line).collect()
}

fn painter(lud: &Lud) -> Painter {
    let equipment = &lud.equipment;
    let has = |stems: &[&str]| {
        equipment.components.iter().any(|c| stems.iter().any(|s| c.stem.eq_ignore_ascii_case(s)))
    };
    let square = equipment.board.graph.faces.iter().all(|face| face.len() == 4);
    match equipment.board.sites {
        SiteType::Vertex if has(&["seed"]) && equipment.board.graph.faces.len() <= 64 => {
            Painter::Mancala
        }
        SiteType::Vertex => Painter::Lines,
        SiteType::Edge => Painter::Edges,
        SiteType::Cell if square && has(&["king", "queen", "bishop", "knight", "counter"]) => {
            Painter::Checkered
        }
        SiteType::Cell => Painter::Cells,
    }
}

/// A kind of piece: its name in the description, without prefixes such as `King_noCross`.
fn piece(equipment: &Equipment, kind: &Component, players: &[String]) -> Piece {
    let stem = kind.stem.split('_').next().unwrap_or(&kind.stem);
    let owner = kind.owner.checked_sub(1).filter(|_| kind.owner <= equipment.players);
    let owner = owner.and_then(|seat| u8::try_from(seat).ok());
    let who = owner.and_then(|seat| players.get(usize::from(seat)));
    let name = stem.to_lowercase();
    let letters: String = if name == "knight" {
        "N".into()
    } else {
        stem.chars()
            .find(|c| c.is_alphanumeric())
            .map_or("O".into(), |c| c.to_uppercase().to_string())
    };
    let full = who.map_or_else(|| name.clone(), |who| format!("{who} {name}"));
    Piece { name: full, glyph: name, letters, owner }
}

/// Gives kinds of pieces of one owner that share a letter a second letter of their names.
fn distinct_letters(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for i in 0..pieces.len() {
        let taken = |pieces: &[Piece], letters: &str| {
            let glyph = &pieces[i].glyph;
            pieces.iter().take(i).any(|other| other.letters == letters && other.glyph != *glyph)
        };
        if !taken(&pieces, &pieces[i].letters) {
            continue;
        }
        let first = pieces[i].letters.clone();
        let more: Vec<char> =
            pieces[i].glyph.chars().skip(1).filter(|c| c.is_alphanumeric()).collect();
        let found = more.iter().map(|c| format!("{first}{c}")).find(|text| !taken(&pieces, text));
        if let Some(letters) = found {
            pieces[i].letters = letters;
        }
    }
    pieces
}

/// How much of a site a viewer may see.
pub(crate) enum Seen {
    /// All of it.
    All,
    /// That something may be there.
    Something,
    /// Nothing: the site looks empty.
    Nothing,
}

/// A position; `seen` tells what the viewer may see of a site, `seat` the seat of a player's number.
pub(crate) fn view(
    lud: &Lud,
    state: &State,
    seen: impl Fn(usize) -> Seen,
    seat: impl Fn(usize) -> usize,
) -> View {
    let mut pieces = Vec::new();
    let owner_of = |kind: &Component, state_of: i16| {
        let player = match kind.owner {
            // The state of a neutral piece is often the player whose colour is up, as in Reversi.
            owner if owner == 0 || owner > lud.equipment.players => {
                usize::try_from(state_of).unwrap_or(0)
            }
            owner => owner,
        };
        let player = Some(player).filter(|p| (1..=lud.equipment.players).contains(p))?;
        u8::try_from(seat(player)).ok()
    };
    for site in 0..state.cells.len() {
        let cells = state.under.get(site).into_iter().flatten().chain([&state.cells[site]]);
        match seen(site) {
            Seen::Nothing => {}
            // Also where nothing is there: that, too, is hidden.
            Seen::Something => {
                pieces.push(Placed { site, piece: None, count: 1, ..Placed::default() });
            }
            Seen::All => {
                for cell in cells.filter(|cell| cell.what != 0) {
                    let Some(kind) = lud.equipment.components.get(usize::from(cell.what)) else {
                        continue;
                    };
                    pieces.push(Placed {
                        site,
                        piece: Some(usize::from(cell.what) - 1),
                        count: u32::from(cell.count.max(1)),
                        owner: owner_of(kind, cell.state),
                        state: Some(i32::from(cell.state)).filter(|state| *state > 0),
                    });
                }
            }
        }
    }
    let layout = lud.rules.layout;
    let dice = match lud.equipment.dice.is_empty() {
        true => Vec::new(),
        false => (0..layout.dice)
            .filter_map(|die| state.numbers.get(layout.die(die)).copied())
            .map(|pips| u32::try_from(pips).unwrap_or(0))
            .collect(),
    };
    let scores: Vec<i32> = (1..=layout.players)
        .map(|player| state.numbers.get(layout.score(player)).copied().unwrap_or(0))
        .collect();
    let counters = match scores.iter().all(|score| *score == 0) {
        true => Vec::new(),
        false => scores
            .iter()
            .enumerate()
            .map(|(player, score)| (format!("score of P{}", player + 1), score.to_string()))
            .collect(),
    };
    View { pieces, dice, counters, ..View::default() }
}

/// Where a move begins and ends.
pub(crate) fn move_sites(mv: Move) -> MoveSites {
    let parts = parts(mv);
    let site = |site: i32| usize::try_from(site).ok();
    match parts.kind {
        None => MoveSites::default(),
        Some(_) => {
            let (from, to) = (site(parts.from), site(parts.to));
            MoveSites { from: from.filter(|_| from != to), to: to.or(from) }
        }
    }
}
