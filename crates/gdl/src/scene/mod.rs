//! A rule sheet as a [scene](ludex_core::scene): boards that its facts describe, and the rest as named values.
//!
//! Nothing here depends on the names of relations: [`axes`] finds boards by the domains of arguments. Sheets without a board
//! keep the default scene, a list of facts.

mod axes;
mod pieces;

use crate::terms::Standing;
use axes::{Axis, Fact, Relation};
use ludex_core::scene::{
    Container, MoveSites, Painter, Piece, Placed, Scene, Site, View, column_letters, square_sites,
};
use rustc_hash::FxHashMap;

/// The boards of a rule sheet.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The relations that are drawn, each with the first site of its board.
    boards: Vec<(Relation, usize)>,
    /// Words on squares that mean an empty square.
    blanks: Vec<String>,
    /// By relation and content of a square: the kind of piece.
    kinds: FxHashMap<(usize, Vec<String>), usize>,
    scene: Scene,
}

impl Layout {
    /// The layout of a sheet, if its facts describe a board. `known` holds the facts that can hold at all, as far as the
    /// engine knows them; `positions` the facts of sampled positions.
    pub(crate) fn find(
        known: &[String],
        positions: &[Vec<String>],
        roles: &[String],
    ) -> Option<Layout> {
        let read = |texts: &[String]| -> Vec<Fact> {
            texts.iter().filter_map(|text| Fact::read(text)).collect()
        };
        let known = read(known);
        let positions: Vec<Vec<Fact>> = positions.iter().map(|facts| read(facts)).collect();
        let found = axes::boards(&known, &positions);
        let everything: Vec<&Fact> = known.iter().chain(positions.iter().flatten()).collect();
        let mut layout = Layout {
            boards: Vec::new(),
            blanks: Vec::new(),
            kinds: FxHashMap::default(),
            scene: Scene { players: roles.to_vec(), ..Scene::default() },
        };
        for relation in found {
            layout.add(relation, &everything, roles);
        }
        pieces::assign_rest(&mut layout.scene.pieces, roles);
        layout.letter_pieces();
        (!layout.boards.is_empty()).then_some(layout)
    }

    /// Adds a relation: on top of a board with the same axes if its squares have no word for an empty one, else as a board
    /// of its own.
    fn add(&mut self, relation: Relation, facts: &[&Fact], roles: &[String]) {
        let of_relation = || facts.iter().filter(|fact| relation.place(fact).is_some());
        let mut words: Vec<String> = of_relation()
            .flat_map(|fact| {
                relation.content(fact).into_iter().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        words.sort();
        words.dedup();
        let blanks: Vec<String> =
            words.iter().filter(|word| pieces::is_blank(word, &words)).cloned().collect();
        let same = self.boards.iter().find(|(board, _)| board.axes == relation.axes);
        let first = match same {
            Some((_, first)) if blanks.is_empty() => *first,
            _ if self.boards.len() >= 4 => return,
            _ => self.place_board(&relation),
        };
        let number = self.boards.len();
        for fact in of_relation() {
            let content = relation.content(fact);
            if content.iter().any(|word| blanks.iter().any(|blank| blank == word)) {
                continue;
            }
            let key = (number, content.iter().map(|word| (*word).to_string()).collect::<Vec<_>>());
            if !self.kinds.contains_key(&key) {
                let kind = match content.is_empty() {
                    // A relation without further arguments says that a square has a property.
                    true => {
                        Piece::new(&relation.head, &relation.head, &initial(&relation.head), None)
                    }
                    false => pieces::piece(&content, roles),
                };
                self.kinds.insert(key, self.scene.pieces.len());
                self.scene.pieces.push(kind);
            }
        }
        self.blanks.extend(blanks);
        self.boards.push((relation, first));
    }

    /// Adds the sites of a board to the right of the boards before it, and tells the first.
    fn place_board(&mut self, relation: &Relation) -> usize {
        let first = self.scene.sites.len();
        let right = self.scene.sites.iter().map(|site| site.x).fold(f32::NEG_INFINITY, f32::max);
        let left = if right.is_finite() { right + 2.0 } else { 0.0 };
        let container = self.scene.containers.len();
        self.scene
            .containers
            .push(Container { name: relation.head.clone(), ..Container::default() });
        let (across, up) = inner(relation);
        let (columns, rows) = (relation.axes[across].values.len(), relation.axes[up].values.len());
        let outer: Vec<&Axis> = (0..relation.axes.len())
            .filter(|axis| *axis != across && *axis != up)
            .map(|axis| &relation.axes[axis])
            .collect();
        let (boards_across, boards_up) = (
            outer.first().map_or(1, |a| a.values.len()),
            outer.get(1).map_or(1, |a| a.values.len()),
        );
        for board_up in 0..boards_up {
            for board_across in 0..boards_across {
                let (dx, dy) = (board_across * (columns + 1), board_up * (rows + 1));
                let base = self.scene.sites.len();
                let label = |column: usize, row: usize| {
                    let names = [&relation.axes[across], &relation.axes[up]];
                    square_label(names, column, row)
                };
                for mut site in square_sites(columns as u32, rows as u32, base) {
                    let (column, row) = (site.x as usize, site.y as usize);
                    let shift = (left + dx as f32, dy as f32);
                    move_by(&mut site, shift);
                    site.label = label(column, row);
                    site.container = container;
                    self.scene.sites.push(site);
                }
            }
        }
        self.scene.painter = Painter::Cells;
        first
    }

    /// The site of a fact of a board.
    fn site(&self, relation: &Relation, first: usize, place: &[usize]) -> Option<usize> {
        let (across, up) = inner(relation);
        let size = |axis: usize| relation.axes.get(axis).map_or(1, |a| a.values.len());
        let outer: Vec<usize> =
            (0..relation.axes.len()).filter(|axis| *axis != across && *axis != up).collect();
        let at = |axis: Option<&usize>| axis.and_then(|&a| place.get(a)).copied().unwrap_or(0);
        let boards_across = outer.first().map_or(1, |&a| size(a));
        let board = at(outer.get(1)) * boards_across + at(outer.first());
        let cells = size(across) * size(up);
        let cell = place.get(up)? * size(across) + place.get(across)?;
        Some(first + board * cells + cell)
    }

    /// The piece of a player that a fact puts on the board.
    pub(crate) fn standing(&self, fact: &str) -> Option<Standing> {
        let fact = Fact::read(fact)?;
        self.boards.iter().enumerate().find_map(|(number, (relation, first))| {
            let place = relation.place(&fact)?;
            let content = relation.content(&fact);
            let key = (number, content.iter().map(|word| (*word).to_string()).collect::<Vec<_>>());
            let kind = *self.kinds.get(&key)?;
            let seat = self.scene.pieces.get(kind)?.owner?;
            Some(Standing { seat, kind, site: self.site(relation, *first, &place)? })
        })
    }

    /// The class of a kind of piece: the same word for both sides' rooks.
    pub(crate) fn class(&self, kind: usize) -> &str {
        self.scene.pieces.get(kind).map_or("", |piece| &piece.glyph)
    }

    /// Gives every kind of piece letters of its own, where one or two can do it.
    fn letter_pieces(&mut self) {
        let kinds = &mut self.scene.pieces;
        for i in 0..kinds.len() {
            let clash = |letters: &str, kinds: &[Piece]| {
                kinds.iter().take(i).any(|k| k.letters == letters && k.owner == kinds[i].owner)
            };
            if !clash(&kinds[i].letters, kinds) {
                continue;
            }
            let name: Vec<char> = kinds[i].name.chars().filter(|c| c.is_alphanumeric()).collect();
            let Some(&first) = name.first() else { continue };
            let options = name.iter().skip(1).map(|c| format!("{first}{c}").to_uppercase());
            let free = options.into_iter().find(|letters| !clash(letters, kinds));
            if let Some(letters) = free {
                kinds[i].letters = letters;
            }
        }
    }

    pub(crate) fn scene(&self) -> Scene {
        self.scene.clone()
    }

    /// A position: pieces on the boards, all other facts as named values.
    pub(crate) fn view(&self, facts: &[String]) -> View {
        let mut view = View::default();
        let mut rest: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let mut order = Vec::new();
        for fact in facts.iter().filter_map(|text| Fact::read(text)) {
            let mut drawn = false;
            for (number, (relation, first)) in self.boards.iter().enumerate() {
                let Some(place) = relation.place(&fact) else { continue };
                drawn = true;
                let content = relation.content(&fact);
                if content.iter().any(|word| self.blanks.iter().any(|blank| blank == word)) {
                    continue;
                }
                let key = (number, content.iter().map(|w| (*w).to_string()).collect::<Vec<_>>());
                if let Some(site) = self.site(relation, *first, &place) {
                    let piece = self.kinds.get(&key).copied();
                    view.pieces.push(Placed { site, piece, count: 1, ..Placed::default() });
                }
            }
            if !drawn {
                let value = if fact.args.is_empty() { "yes".into() } else { fact.args.join(" ") };
                let values = rest.entry(fact.head.clone()).or_insert_with(|| {
                    order.push(fact.head.clone());
                    Vec::new()
                });
                values.push(value);
            }
        }
        for head in order {
            let values = rest.remove(&head).unwrap_or_default();
            let shown = values.iter().take(MOST_VALUES).cloned().collect::<Vec<_>>().join(", ");
            let more = if values.len() > MOST_VALUES { ", ..." } else { "" };
            view.counters.push((head, format!("{shown}{more}")));
        }
        view
    }

    /// The squares that a move names: arguments that follow each other and lie on the axes of the first board.
    pub(crate) fn move_sites(&self, text: &str) -> MoveSites {
        let Some((relation, first)) = self.boards.first() else { return MoveSites::default() };
        let Some(fact) = Fact::read(text) else { return MoveSites::default() };
        let count = relation.axes.len();
        let mut found = Vec::new();
        let mut i = 0;
        while i + count <= fact.args.len() {
            let here = relation.axes.iter().zip(&fact.args[i..]);
            let place: Option<Vec<usize>> = here.map(|(axis, word)| axis.place(word)).collect();
            match place.and_then(|place| self.site(relation, *first, &place)) {
                Some(site) => {
                    found.push(site);
                    i += count;
                }
                None => i += 1,
            }
        }
        match found.as_slice() {
            [] => MoveSites { from: None, to: self.column(relation, *first, &fact) },
            [to] => MoveSites { from: None, to: Some(*to) },
            [from, .., to] => MoveSites { from: Some(*from), to: Some(*to) },
        }
    }

    /// A move that names a column alone, as in Connect Four: the top square of the column.
    fn column(&self, relation: &Relation, first: usize, fact: &Fact) -> Option<usize> {
        let [word] = fact.args.as_slice() else { return None };
        let (across, up) = inner(relation);
        if relation.axes.len() != 2 {
            return None;
        }
        let mut place = vec![0; 2];
        *place.get_mut(across)? = relation.axes.get(across)?.place(word)?;
        *place.get_mut(up)? = relation.axes.get(up)?.values.len().checked_sub(1)?;
        self.site(relation, first, &place)
    }
}

/// The most values of one relation beside the board.
const MOST_VALUES: usize = 12;

/// The axes that go across and up: the last two, letters across.
fn inner(relation: &Relation) -> (usize, usize) {
    let last = relation.axes.len().saturating_sub(1);
    let before = last.saturating_sub(1);
    match (relation.axes.get(before), relation.axes.get(last)) {
        (Some(first), Some(second)) if second.letters && !first.letters => (last, before),
        _ => (before, last),
    }
}

/// The label of a square: the words of the sheet, or letters and numbers where both are numbers.
fn square_label(axes: [&Axis; 2], column: usize, row: usize) -> String {
    let word = |axis: &Axis, place: usize| axis.values.get(place).cloned().unwrap_or_default();
    let (across, up) = (word(axes[0], column), word(axes[1], row));
    match axes[0].letters {
        true => format!("{across}{up}"),
        false => format!("{}{}", column_letters(column), row + 1),
    }
}

fn initial(word: &str) -> String {
    word.chars().find(|c| c.is_alphanumeric()).map_or("?".into(), |c| c.to_uppercase().to_string())
}

fn move_by(site: &mut Site, (dx, dy): (f32, f32)) {
    site.x += dx;
    site.y += dy;
    for corner in &mut site.corners {
        corner[0] += dx;
        corner[1] += dy;
    }
}
