//! A ludeme game as a [scene](ludex_core::scene): its board's graph, its pieces, its hands.

use crate::board::SiteType;
use crate::board::radials::Compass;
use crate::code::{Labels, parts};
use crate::compile::Value;
use crate::engine::equipment::Component;
use crate::engine::{Equipment, Lud, State};
use crate::graphics::Graphics;
use ludex_core::Move;
use ludex_core::scene::{
    Container, ContainerKind, Line, MoveSites, Painter, Piece, Placed, Scene, Site, SiteKind,
    Stack, Symbol, View,
};
use std::collections::BTreeMap;

/// The names of the eight directions, counted from the east against the clock.
const DIRECTIONS: [&str; 8] = ["E", "NE", "N", "NW", "W", "SW", "S", "SE"];

/// The fixed part of the drawing.
pub(crate) fn scene(lud: &Lud, labels: &Labels, graphics: &Graphics, players: &[String]) -> Scene {
    let equipment = &lud.equipment;
    let scale = 1.0 / spacing(equipment);
    let painter = painter(lud, graphics);
    let mut sites: Vec<Site> = board_sites(equipment, labels, scale);
    if painter == Painter::Points {
        shape_points(&mut sites);
    }
    let columns = stands_in_columns(lud, &sites);
    if columns {
        sites.iter_mut().for_each(|site| site.corners = tall(site.x, site.y));
    }
    mark_regions(equipment, &mut sites);
    let mut containers =
        vec![Container { name: "board".into(), kind: ContainerKind::Board, owner: None }];
    add_hands(equipment, labels, players, &mut containers, &mut sites);
    let pieces: Vec<Piece> = equipment
        .components
        .iter()
        .skip(1)
        .map(|kind| piece(equipment, kind, graphics, players))
        .collect();
    let lines = if painter == Painter::Lines { lines(equipment, scale) } else { Vec::new() };
    let colour = |seat: usize| {
        let named = graphics.colours.iter().rev().find(|(player, _)| *player == seat + 1);
        named.map(|(_, colour)| colour.clone()).unwrap_or_default()
    };
    let colours = match graphics.colours.is_empty() {
        true => Vec::new(),
        false => (0..players.len()).map(colour).collect(),
    };
    Scene {
        painter,
        stack: if columns { Stack::Column } else { stack(painter, graphics) },
        symbols: symbols(equipment, labels, graphics, sites.len()),
        containers,
        sites,
        lines,
        pieces: distinct_letters(pieces),
        players: players.to_vec(),
        colours,
    }
}

/// Adds hands and dice below the board, one row each.
fn add_hands(
    equipment: &Equipment,
    labels: &Labels,
    players: &[String],
    containers: &mut Vec<Container>,
    sites: &mut Vec<Site>,
) {
    let corners = |site: &Site| site.corners.iter().map(|c| c[1]).fold(site.y, f32::min);
    let bottom = sites.iter().map(corners).fold(f32::INFINITY, f32::min);
    let left = sites.iter().map(|site| site.x).fold(f32::INFINITY, f32::min);
    let (bottom, left) = if sites.is_empty() { (0.0, 0.0) } else { (bottom, left) };
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
                y: bottom - 1.3 - row as f32 * 1.1,
                label: labels.site(number).to_string(),
                ..Site::default()
            });
        }
    }
}

/// The height of a backgammon board in board units.
const POINTS_HEIGHT: f32 = 11.0;

/// Turns the two rows of a backgammon board into points: triangles from the border towards the middle. A column between two
/// halves is the bar.
fn shape_points(sites: &mut [Site]) {
    let low = sites.iter().map(|site| site.y).fold(f32::INFINITY, f32::min);
    let columns = sites.iter().filter(|site| (site.y - low).abs() < 0.1).count();
    let left = sites.iter().map(|site| site.x).fold(f32::INFINITY, f32::min);
    for site in sites {
        let (bottom, column) = ((site.y - low).abs() < 0.1, (site.x - left).round() as usize);
        let bar = columns % 2 == 1 && column == columns / 2;
        let (base, way) = if bottom { (0.0, 1.0) } else { (POINTS_HEIGHT, -1.0) };
        let x = site.x;
        site.corners = match bar {
            true => {
                let end = base + way * POINTS_HEIGHT / 2.0;
                vec![[x - 0.4, base], [x + 0.4, base], [x + 0.4, end], [x - 0.4, end]]
            }
            false => vec![[x - 0.5, base], [x + 0.5, base], [x, base + way * 5.0]],
        };
        site.kind = SiteKind::Cell;
        site.phase = u8::from((column + usize::from(bottom)) % 2 == 0);
        site.y = base + way * 0.45;
    }
}

/// Is the board one row of cells on which pieces are stacked, as in Connect Four? Then stacks are drawn as columns.
fn stands_in_columns(lud: &Lud, sites: &[Site]) -> bool {
    let cells = sites.iter().all(|site| site.kind == SiteKind::Cell);
    let level = sites.windows(2).all(|pair| (pair[0].y - pair[1].y).abs() < 0.1);
    cells && level && (4..=20).contains(&sites.len()) && lud.rules.stacking
}

/// A cell with room for a column of six pieces.
fn tall(x: f32, y: f32) -> Vec<[f32; 2]> {
    vec![[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 5.5], [x - 0.5, y + 5.5]]
}

/// Marks the sites of regions that belong to players, where their sites are fixed.
fn mark_regions(equipment: &Equipment, sites: &mut [Site]) {
    for region in &equipment.regions {
        let seat = region.owner.checked_sub(1).filter(|_| region.owner <= equipment.players);
        let Some(seat) = seat.and_then(|seat| u8::try_from(seat).ok()) else { continue };
        let fixed = region.sites.iter().flat_map(|value| fixed_sites(equipment, value));
        let fixed: Vec<usize> = fixed.collect();
        // A region that is most of the board says nothing.
        if fixed.len() * 2 > sites.len() {
            continue;
        }
        for site in fixed {
            if let Some(site) = sites.get_mut(site) {
                site.region = Some(seat);
            }
        }
    }
}

/// The fixed sites of all regions of a player, from 1.
pub(crate) fn sites_of_player(equipment: &Equipment, player: usize) -> Vec<usize> {
    let own = equipment.regions.iter().filter(|region| region.owner == player);
    let values = own.flat_map(|region| &region.sites);
    values.flat_map(|value| fixed_sites(equipment, value)).collect()
}

/// The sites of a region that is written with numbers, or with one word for a part of the board; none for all other forms.
fn fixed_sites(equipment: &Equipment, value: &Value) -> Vec<usize> {
    match value {
        Value::Int(site) => usize::try_from(*site).ok().into_iter().collect(),
        Value::List(list) => list.iter().flat_map(|v| fixed_sites(equipment, v)).collect(),
        Value::Call(call) if call.signature().result == "region" => {
            let values: Vec<&Value> = call.values().collect();
            match values.as_slice() {
                [Value::Word(part)] => part_of_board(equipment, part),
                [Value::Word(side), Value::Word(way)] if side == "Side" => {
                    let direction = Compass::named(way);
                    direction.and_then(|way| equipment.named.side(way)).unwrap_or_default()
                }
                [list @ Value::List(_)] => fixed_sites(equipment, list),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn part_of_board(equipment: &Equipment, word: &str) -> Vec<usize> {
    let named = &equipment.named;
    match word {
        "Top" => named.top.clone(),
        "Bottom" => named.bottom.clone(),
        "Left" => named.left.clone(),
        "Right" => named.right.clone(),
        "Centre" => named.centre.clone(),
        "Corners" => named.corners.clone(),
        _ => Vec::new(),
    }
}

fn stack(painter: Painter, graphics: &Graphics) -> Stack {
    match graphics.stack.as_deref() {
        _ if painter == Painter::Points => Stack::Column,
        Some("count" | "defaultandcount") => Stack::Count,
        Some("fan" | "fanalternating") => Stack::Fan,
        _ => Stack::Spread,
    }
}

/// The marks that the description wishes, on sites or on regions by name.
fn symbols(
    equipment: &Equipment,
    labels: &Labels,
    graphics: &Graphics,
    sites: usize,
) -> Vec<Symbol> {
    let mut out = Vec::new();
    for wish in &graphics.symbols {
        let numbers = wish.sites.iter().filter_map(|&site| usize::try_from(site).ok());
        let mut places: Vec<usize> = numbers.collect();
        for name in &wish.names {
            places.extend((0..sites).filter(|&site| labels.site(site as i32) == name.as_str()));
            let regions = equipment.regions.iter().filter(|region| region.name == *name);
            let values = regions.flat_map(|region| &region.sites);
            places.extend(values.flat_map(|value| fixed_sites(equipment, value)));
        }
        places.retain(|site| *site < sites);
        out.extend(places.into_iter().map(|site| Symbol { site, text: wish.name.clone() }));
    }
    out
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
            region: None,
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

fn painter(lud: &Lud, graphics: &Graphics) -> Painter {
    let equipment = &lud.equipment;
    let has = |stems: &[&str]| {
        equipment.components.iter().any(|c| stems.iter().any(|s| c.stem.eq_ignore_ascii_case(s)))
    };
    let elements = equipment.elements();
    let layers = elements.iter().map(|element| element.layer).max().unwrap_or(0);
    let two_rows = elements.iter().all(|element| element.row < 2);
    let points = two_rows && (24..=30).contains(&elements.len()) && !has(&["seed"]);
    let square = equipment.board.graph.faces.iter().all(|face| face.len() == 4);
    match (graphics.style.as_deref(), equipment.board.sites) {
        (Some("backgammon"), _) if two_rows => Painter::Points,
        (None, _) if points && !equipment.dice.is_empty() => Painter::Points,
        (Some("mancala"), _) => Painter::Mancala,
        (_, SiteType::Vertex) if has(&["seed"]) && equipment.board.graph.faces.len() <= 64 => {
            Painter::Mancala
        }
        _ if layers > 0 => Painter::Pyramid,
        (_, SiteType::Vertex) => Painter::Lines,
        (_, SiteType::Edge) => Painter::Edges,
        (_, SiteType::Cell) if graphics.checkered || graphics.style.as_deref() == Some("chess") => {
            Painter::Checkered
        }
        (None, SiteType::Cell)
            if square && has(&["king", "queen", "bishop", "knight", "counter"]) =>
        {
            Painter::Checkered
        }
        (_, SiteType::Cell) => Painter::Cells,
    }
}

/// A kind of piece: its name in the description, without suffixes as in `King_noCross`.
fn piece(
    equipment: &Equipment,
    kind: &Component,
    graphics: &Graphics,
    players: &[String],
) -> Piece {
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
    let renamed = graphics.renames.iter().find(|(of, _)| *of == name);
    let glyph = renamed.map_or_else(|| name.clone(), |(_, to)| to.clone());
    Piece { name: full, glyph, letters, owner }
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
    /// The viewer knows only that a piece may be there.
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
                        turn: None,
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
