//! A board of characters for the terminal: coordinates, one letter for each kind of piece, a legend.
//!
//! The first player's pieces are capital letters, the second player's small ones. With more players the number of the seat follows,
//! unless each kind of piece has a letter of its own. With colours every player has its own.

use crate::Marks;
use ludex_core::scene::{ContainerKind, Painter, Piece, Placed, Scene, SiteKind, Stack, View};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The widest board of characters.
const MOST_COLUMNS: usize = 240;

/// A position as text.
pub fn text(scene: &Scene, view: &View, marks: &Marks) -> String {
    if scene.sites.is_empty() || scene.painter == Painter::Table {
        return format!("{}\n", view.facts.trim_end());
    }
    let mut out = String::new();
    for (number, container) in scene.containers.iter().enumerate() {
        match container.kind {
            ContainerKind::Board if stacks_in_columns(scene) => {
                columns(&mut out, scene, view, marks, number);
            }
            ContainerKind::Board => board(&mut out, scene, view, marks, number),
            ContainerKind::Hand => hand(&mut out, scene, view, marks, number),
            // The values of the dice follow below.
            ContainerKind::Dice => {}
        }
    }
    if !view.dice.is_empty() {
        let dice: Vec<String> = view.dice.iter().map(u32::to_string).collect();
        let _ = writeln!(out, "dice: {}", dice.join(" "));
    }
    for (name, value) in &view.counters {
        let _ = writeln!(out, "{name}: {value}");
    }
    legend(&mut out, scene, view);
    let movers: Vec<&str> = view
        .movers
        .iter()
        .filter_map(|seat| scene.players.get(usize::from(*seat)))
        .map(String::as_str)
        .collect();
    match (view.over, movers.as_slice()) {
        (true, _) => out.push_str("game over\n"),
        (false, []) => {}
        (false, movers) => {
            let _ = writeln!(out, "{} to move", movers.join(" and "));
        }
    }
    out
}

/// The characters of a site: what stands on it, its width without colour codes, and whether it is empty.
struct Mark {
    text: String,
    width: usize,
}

fn board(out: &mut String, scene: &Scene, view: &View, marks: &Marks, container: usize) {
    let lines = scene.painter == Painter::Edges;
    let sites: Vec<usize> = (0..scene.sites.len())
        .filter(|&s| scene.sites[s].container == container)
        .filter(|&s| {
            let drawn = || view.pieces.iter().any(|p| p.site == s);
            lines || scene.sites[s].kind != SiteKind::Edge || drawn()
        })
        .collect();
    let place = |s: usize| (scene.sites[s].x, scene.sites[s].y);
    let mut items: Vec<(f32, f32, Mark)> =
        sites.iter().map(|&s| (place(s).0, place(s).1, mark(scene, view, marks, s))).collect();
    if lines {
        // The points between which lines are drawn are no sites.
        let free =
            |&[x, y]: &[f32; 2]| !sites.iter().any(|&s| near(place(s).0, x) && near(place(s).1, y));
        let mut points: Vec<[f32; 2]> =
            sites.iter().filter_map(|&s| scene.sites[s].ends).flatten().filter(free).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        points.dedup_by(|a, b| near(a[0], b[0]) && near(a[1], b[1]));
        items.extend(points.iter().map(|&[x, y]| (x, y, Mark { text: "+".into(), width: 1 })));
    }
    items.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rows = levels(items.iter().map(|item| item.1));
    let columns = levels(items.iter().map(|item| item.0));
    let gap = smallest_gap(items.iter().map(|item| (item.0, item.1)));
    let mut step = items.iter().map(|item| item.2.width).max().unwrap_or(1) + 1;
    // Columns may be closer than a site is wide, as on a board of hexagons: then they need half of the room each.
    let staggered = columns.windows(2).any(|pair| pair[1] - pair[0] < 0.75 * gap);
    step += step % 2 * usize::from(staggered);
    let rooms = rooms(&columns, step as f32 / gap, if staggered { 0 } else { 2 });
    let room = |x: f32| {
        let column = columns.iter().position(|&column| near(column, x));
        column.and_then(|column| rooms.get(column).copied()).unwrap_or(0)
    };
    let (labels, ends) = match row_labels(scene, &sites, &rows) {
        labels if labels.iter().any(|label| !label.is_empty()) => (labels, Vec::new()),
        _ => row_ends(scene, &sites, &rows),
    };
    let margin = labels.iter().map(String::len).max().unwrap_or(0);
    for (number, (row, label)) in rows.iter().zip(&labels).enumerate().rev() {
        let mut line = String::new();
        let mut at = 0;
        for (x, _, mark) in items.iter().filter(|item| near(item.1, *row)) {
            let column = room(*x);
            line.push_str(&" ".repeat(column.saturating_sub(at)));
            line.push_str(&mark.text);
            at = at.max(column) + mark.width;
        }
        let end = ends.get(number).map_or("", String::as_str);
        // The label of a row that begins far to the right stands beside its first site.
        let text = if ends.is_empty() {
            format!("{label:>margin$}  {line}")
        } else {
            let bare = line.trim_start();
            let blank = line.len() - bare.len();
            format!("{}{label:>margin$}  {bare}  {end}", " ".repeat(blank))
        };
        let _ = writeln!(out, "{}", text.trim_end());
    }
    let letters = column_labels(scene, &sites, &columns);
    if !letters.is_empty() {
        let mut line = String::new();
        for (x, letter) in letters {
            let column = room(x);
            line.push_str(&" ".repeat(column.saturating_sub(line.chars().count())));
            line.push_str(&letter);
        }
        let _ = writeln!(out, "{:>margin$}  {}", "", line.trim_end());
    }
}

/// The character at which each column of sites begins, at `scale` characters a unit and `apart` characters apart at least.
fn rooms(columns: &[f32], scale: f32, apart: usize) -> Vec<usize> {
    let mut rooms: Vec<usize> = Vec::new();
    for x in columns {
        let at = ((x - columns[0]) * scale).round() as usize;
        let least = rooms.last().map_or(0, |last| last + apart);
        rooms.push(at.max(least).min(MOST_COLUMNS));
    }
    rooms
}

/// The labels of the first and the last site of each row, where a row has no label of its own, as on a board of hexagons that
/// stands on its corner. None where labels are long or missing.
fn row_ends(scene: &Scene, sites: &[usize], rows: &[f32]) -> (Vec<String>, Vec<String>) {
    let none = vec![String::new(); rows.len()];
    let fits = |&s: &usize| (1..=LONGEST_LABEL).contains(&scene.sites[s].label.len());
    if scene.painter == Painter::Points || !sites.iter().all(fits) {
        return (none, Vec::new());
    }
    let end = |row: &f32, last: bool| {
        let here = sites.iter().filter(|&&s| near(scene.sites[s].y, *row));
        let mut here: Vec<usize> = here.copied().collect();
        here.sort_by(|&a, &b| scene.sites[a].x.total_cmp(&scene.sites[b].x));
        let site = if last { here.last().filter(|_| here.len() > 1) } else { here.first() };
        site.map(|&s| scene.sites[s].label.to_lowercase()).unwrap_or_default()
    };
    let ends = |last: bool| rows.iter().map(|row| end(row, last)).collect();
    (ends(false), ends(true))
}

/// The longest label that stands beside a row.
const LONGEST_LABEL: usize = 4;

/// Is the board one row of stacks, as in Connect Four?
fn stacks_in_columns(scene: &Scene) -> bool {
    scene.stack == Stack::Column && scene.painter != Painter::Points
}

/// A board of stacks: one line for each level, the highest first.
fn columns(out: &mut String, scene: &Scene, view: &View, marks: &Marks, container: usize) {
    let sites: Vec<usize> =
        (0..scene.sites.len()).filter(|&s| scene.sites[s].container == container).collect();
    let height = |site: usize| view.pieces.iter().filter(|placed| placed.site == site).count();
    let highest = sites.iter().map(|&site| height(site)).max().unwrap_or(0).max(LEAST_LEVELS);
    for level in (0..highest).rev() {
        let line: Vec<String> = sites
            .iter()
            .map(|&site| {
                let mut here = view.pieces.iter().filter(|placed| placed.site == site);
                let one: Vec<&Placed> = here.nth(level).into_iter().collect();
                let top = level + 1 == height(site);
                let marks = Marks { last: marks.last.clone().filter(|_| top), ..marks.clone() };
                characters(scene, &one, &marks, site).text
            })
            .collect();
        let _ = writeln!(out, "{:>2}  {}", level + 1, line.join(" ").trim_end());
    }
    let labels = sites.iter().filter_map(|&site| scene.sites[site].label.chars().next());
    let labels: Vec<String> = labels.map(String::from).collect();
    let _ = writeln!(out, "    {}", labels.join(" "));
}

/// A board of stacks shows at least so many levels.
const LEAST_LEVELS: usize = 6;

fn hand(out: &mut String, scene: &Scene, view: &View, marks: &Marks, container: usize) {
    let Some(info) = scene.containers.get(container) else { return };
    let sites = (0..scene.sites.len()).filter(|&s| scene.sites[s].container == container);
    let texts: Vec<String> = sites
        .filter(|&s| view.pieces.iter().any(|placed| placed.site == s))
        .map(|s| mark(scene, view, marks, s).text)
        .collect();
    if !texts.is_empty() {
        let _ = writeln!(out, "{}: {}", info.name, texts.join(" "));
    }
}

/// The characters for what stands on a site.
fn mark(scene: &Scene, view: &View, marks: &Marks, site: usize) -> Mark {
    let here: Vec<&Placed> = view.pieces.iter().filter(|placed| placed.site == site).collect();
    characters(scene, &here, marks, site)
}

/// The characters for some pieces on a site.
fn characters(scene: &Scene, here: &[&Placed], marks: &Marks, site: usize) -> Mark {
    let fresh = marks.last.as_ref().is_some_and(|last| last.to == Some(site));
    let Some(top) = here.last() else {
        let text = if fresh { "+" } else { empty(scene, site) };
        return Mark { text: text.into(), width: 1 };
    };
    let kind = top.piece.and_then(|piece| scene.pieces.get(piece));
    let owner = top.owner.or(kind.and_then(|kind| kind.owner));
    let mut text = match kind {
        Some(kind) => letters(scene, kind, owner),
        None => "?".into(),
    };
    let count = if here.len() > 1 { here.len() as u32 } else { top.count };
    if count > 1 {
        let _ = write!(text, "{count}");
    }
    let width = text.chars().count();
    if marks.colour {
        let code = match owner {
            Some(seat) => ["97", "33", "36", "32", "35", "31", "34", "94"][usize::from(seat) % 8],
            None => "90",
        };
        let under = if fresh { ";4" } else { "" };
        text = format!("\x1b[1;{code}{under}m{text}\x1b[0m");
    } else if fresh {
        return Mark { text: format!("{text}*"), width: width + 1 };
    }
    Mark { text, width }
}

/// An empty site: a dot, or the sign of the player whose side it is.
fn empty(scene: &Scene, site: usize) -> &'static str {
    let owner = scene.sites.get(site).and_then(|site| site.region);
    owner.filter(|_| scene.painter == Painter::Cells).map_or(".", side)
}

/// The sign of an empty site on a player's side.
fn side(seat: u8) -> &'static str {
    ["-", "=", "~", ":", "^", "%", "_", ";"][usize::from(seat) % 8]
}

/// The letters of a piece: capitals for the first seat, small for the second, with the number of the seat for others.
fn letters(scene: &Scene, kind: &Piece, owner: Option<u8>) -> String {
    match owner {
        Some(0) | None => kind.letters.to_uppercase(),
        Some(_) if scene.players.len() > 2 && tells_its_owner(scene, kind) => {
            kind.letters.to_uppercase()
        }
        Some(1) => kind.letters.to_lowercase(),
        Some(seat) => format!("{}{}", kind.letters.to_uppercase(), seat + 1),
    }
}

/// Does a kind of piece belong to one player, and has no other kind its letters?
fn tells_its_owner(scene: &Scene, kind: &Piece) -> bool {
    let alike =
        scene.pieces.iter().filter(|other| other.letters.eq_ignore_ascii_case(&kind.letters));
    kind.owner.is_some() && alike.count() == 1
}

/// The different values, smallest first; values closer than a tenth are one.
fn levels(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_by(f32::total_cmp);
    sorted.dedup_by(|a, b| near(*a, *b));
    sorted
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.1
}

/// The smallest distance of two places in one row.
fn smallest_gap(places: impl Iterator<Item = (f32, f32)>) -> f32 {
    let mut by_row: BTreeMap<i64, Vec<f32>> = BTreeMap::new();
    for (x, y) in places {
        by_row.entry((y * 10.0).round() as i64).or_default().push(x);
    }
    let mut least = f32::INFINITY;
    for row in by_row.values_mut() {
        row.sort_by(f32::total_cmp);
        for pair in row.windows(2) {
            if !near(pair[0], pair[1]) {
                least = least.min(pair[1] - pair[0]);
            }
        }
    }
    if least.is_finite() { least } else { 1.0 }
}

/// The part of a label that all sites of a row share: its digits or its letters.
fn shared<'a>(labels: impl Iterator<Item = &'a str>, digits: bool) -> Option<String> {
    let part = |label: &str| -> String {
        label.chars().filter(|c| c.is_ascii_digit() == digits && c.is_alphanumeric()).collect()
    };
    let mut parts = labels.map(part);
    let first = parts.next().filter(|part| !part.is_empty())?;
    parts.all(|part| part == first).then_some(first)
}

fn row_labels(scene: &Scene, sites: &[usize], rows: &[f32]) -> Vec<String> {
    let label = |row: &f32| {
        let here = sites.iter().filter(|&&s| near(scene.sites[s].y, *row));
        let labels = here.map(|&s| scene.sites[s].label.as_str());
        shared(labels, true).unwrap_or_default()
    };
    let labels: Vec<String> = rows.iter().map(label).collect();
    // Some labels alone would mislead, as on a board of hexagons that stands on its corner.
    match labels.iter().any(String::is_empty) {
        true => vec![String::new(); rows.len()],
        false => labels,
    }
}

/// The letters below the board, where all sites of a column share them.
fn column_labels(scene: &Scene, sites: &[usize], columns: &[f32]) -> Vec<(f32, String)> {
    let label = |column: &f32| {
        let here = sites.iter().filter(|&&s| near(scene.sites[s].x, *column));
        let labels = here.map(|&s| scene.sites[s].label.as_str());
        Some((*column, shared(labels, false)?.to_lowercase()))
    };
    let found: Vec<(f32, String)> = columns.iter().filter_map(label).collect();
    if found.len() == columns.len() { found } else { slanted_labels(scene, sites) }
}

/// The letters below the bottom row of a board whose columns are slanted, such as a rhombus of hexagons. Every column of such a
/// board begins in the bottom row; for other boards the list is empty.
fn slanted_labels(scene: &Scene, sites: &[usize]) -> Vec<(f32, String)> {
    let letters = |site: usize| {
        let label = scene.sites[site].label.as_str();
        let row = label.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let good = row.len() < label.len() && !row.is_empty();
        (good && row.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| label.strip_suffix(row))
            .flatten()
    };
    let all: Option<BTreeSet<&str>> = sites.iter().map(|&site| letters(site)).collect();
    let bottom = sites.iter().map(|&site| scene.sites[site].y).fold(f32::INFINITY, f32::min);
    let row = sites.iter().filter(|&&site| near(scene.sites[site].y, bottom));
    let mut row: Vec<(f32, &str)> =
        row.filter_map(|&site| Some((scene.sites[site].x, letters(site)?))).collect();
    row.sort_by(|a, b| a.0.total_cmp(&b.0));
    match all {
        Some(all) if all.len() == row.len() && all.len() > 1 => {
            row.into_iter().map(|(x, letters)| (x, letters.to_lowercase())).collect()
        }
        _ => Vec::new(),
    }
}

/// The coordinates around a board: text and place.
pub(crate) fn margins(scene: &Scene) -> Vec<(String, f32, f32)> {
    let board = |site: usize| {
        let container = scene.sites[site].container;
        scene.containers.get(container).is_none_or(|c| c.kind == ContainerKind::Board)
    };
    let sites: Vec<usize> = (0..scene.sites.len())
        .filter(|&s| board(s) && scene.sites[s].kind != SiteKind::Edge)
        .collect();
    let rows = levels(sites.iter().map(|&s| scene.sites[s].y));
    let columns = levels(sites.iter().map(|&s| scene.sites[s].x));
    let (Some(left), Some(bottom)) = (columns.first().copied(), rows.first().copied()) else {
        return Vec::new();
    };
    // On a turned board every site may have a row of its own: such labels would lie on top of each other.
    let apart = |levels: &[f32]| levels.windows(2).all(|pair| pair[1] - pair[0] > 0.3);
    let labels = if apart(&rows) { row_labels(scene, &sites, &rows) } else { Vec::new() };
    let beside = rows.iter().zip(labels).filter(|(_, label)| !label.is_empty());
    let mut out: Vec<(String, f32, f32)> =
        beside.map(|(&row, label)| (label, left - 0.75, row)).collect();
    let below = if apart(&columns) { column_labels(scene, &sites, &columns) } else { Vec::new() };
    out.extend(below.into_iter().map(|(x, letter)| (letter, x, bottom - 0.75)));
    out
}

/// The names of the pieces that are on the board, by their letters.
fn legend(out: &mut String, scene: &Scene, view: &View) {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let dice = |placed: &&Placed| {
        let site = scene.sites.get(placed.site);
        let container = site.and_then(|site| scene.containers.get(site.container));
        container.is_some_and(|container| container.kind == ContainerKind::Dice)
    };
    for placed in view.pieces.iter().filter(|placed| !dice(placed)) {
        let Some(kind) = placed.piece.and_then(|piece| scene.pieces.get(piece)) else { continue };
        let owner = placed.owner.or(kind.owner);
        let who = owner.and_then(|seat| scene.players.get(usize::from(seat)));
        let named = who.is_some_and(|who| kind.name.contains(who.as_str()));
        let name = match who {
            Some(who) if !named => format!("{} ({who})", kind.name),
            _ => kind.name.clone(),
        };
        names.entry(letters(scene, kind, owner)).or_insert(name);
    }
    let mut list: Vec<String> =
        names.iter().map(|(letters, name)| format!("{letters} {name}")).collect();
    if scene.painter == Painter::Cells {
        let mut seats: Vec<u8> = scene.sites.iter().filter_map(|site| site.region).collect();
        seats.sort_unstable();
        seats.dedup();
        let named = seats.iter().filter_map(|&s| Some((s, scene.players.get(usize::from(s))?)));
        list.extend(named.map(|(seat, who)| format!("{} side of {who}", side(seat))));
    }
    for line in lines_of(&list) {
        let _ = writeln!(out, "{line}");
    }
}

/// The entries of a legend, as many in a line as fit a terminal.
fn lines_of(list: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (number, entry) in list.iter().enumerate() {
        let comma = if number + 1 < list.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if line.chars().count() + entry.chars().count() + 2 <= LEGEND_WIDTH => {
                let _ = write!(line, " {entry}{comma}");
            }
            _ => lines.push(format!("{entry}{comma}")),
        }
    }
    lines
}

/// The longest line of a legend.
const LEGEND_WIDTH: usize = 80;
