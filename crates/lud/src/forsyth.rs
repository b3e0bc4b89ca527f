//! Positions that people can type: Forsyth notation (FEN) for any board.
//!
//! Rows stand from the top with `/` between them. A letter is a piece, a number is so many empty sites. Letters are those of
//! the board in the terminal: capitals for the first player, small letters for the second. Everything else about a site stands in
//! brackets: `[K=1]` has state 1, `[S*4]` is four of them, `[B3]` is a piece of the third player, `[a,B]` is a stack from the
//! bottom up. Boards of pits have numbers with commas between them: `4,4,0/1,6,2`.
//!
//! The player to move follows: `w`, `b`, or a number. Chess goes on as in FEN: rights to castle, the square for taking in
//! passing, the counter of half-moves. Words `key:value` of the exact notation may follow; they overrule the rest.
//!
//! The notation is read by translating it into the exact one (see [`crate::notation`]). It does not tell the past: a position that
//! was typed has no earlier positions to repeat.

use crate::engine::state::Cell;
use crate::engine::{Lud, State};
use crate::notation;
use ludex_core::scene::{ContainerKind, Painter, Piece, Scene};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Words of the exact notation that tell the past.
const PAST: [&str; 8] = ["history", "trail", "begun", "ended", "crossed", "moves", "turns", "tape"];

/// Words that tell the last step: rules may ask for it. FEN does not tell it.
const LAST: [&str; 7] = ["from", "to", "after", "fromlevel", "tolevel", "before", "same"];

/// Is a text written in this notation? The words of the exact one have a colon each.
pub(crate) fn is_forsyth(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| !word.contains(':'))
}

/// A game as the notation sees it.
pub(crate) struct Board<'a> {
    lud: &'a Lud,
    scene: &'a Scene,
    start: &'a State,
    /// The sites of the board by row from the top, each row from the left.
    rows: Vec<Vec<usize>>,
}

impl<'a> Board<'a> {
    pub(crate) fn new(lud: &'a Lud, scene: &'a Scene, start: &'a State) -> Self {
        let on_board = |site: &usize| {
            let container = scene.sites.get(*site).map_or(0, |site| site.container);
            scene.containers.get(container).is_none_or(|c| c.kind == ContainerKind::Board)
        };
        let mut rows: Vec<(f32, Vec<usize>)> = Vec::new();
        for site in (0..scene.sites.len()).filter(on_board) {
            let y = scene.sites[site].y;
            match rows.iter_mut().find(|(row, _)| (*row - y).abs() < 0.1) {
                Some((_, sites)) => sites.push(site),
                None => rows.push((y, vec![site])),
            }
        }
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let x = |site: &usize| scene.sites.get(*site).map_or(0.0, |site| site.x);
        for (_, sites) in &mut rows {
            sites.sort_by(|a, b| x(a).total_cmp(&x(b)));
        }
        Board { lud, scene, start, rows: rows.into_iter().map(|(_, sites)| sites).collect() }
    }

    /// Are the pieces counters in pits, all of one kind?
    fn pits(&self) -> bool {
        self.scene.painter == Painter::Mancala && self.scene.pieces.len() == 1
    }

    /// Do kings and rooks start with a state that says that they may castle?
    fn castles(&self) -> bool {
        let fresh = |name: &str| {
            let named = |cell: &&Cell| self.stem(cell.what) == name && cell.state != 0;
            self.start.cells.iter().any(|cell| named(&cell))
        };
        fresh("king") && fresh("rook")
    }

    fn stem(&self, what: u16) -> String {
        let kind = self.lud.equipment.components.get(usize::from(what));
        kind.map_or_else(String::new, |kind| kind.stem.to_lowercase())
    }

    /// The letters of a piece on a site.
    fn letters(&self, cell: Cell) -> Option<String> {
        let kind = self.scene.pieces.get(usize::from(cell.what).checked_sub(1)?)?;
        let players = self.lud.equipment.players;
        let by_state = usize::try_from(cell.state).ok().filter(|p| (1..=players).contains(p));
        let owner = kind.owner.map(usize::from).or_else(|| by_state?.checked_sub(1));
        Some(lettered(kind, owner))
    }

    /// The piece that letters mean on a site. A piece that stands where it stands at the start has the state that it has there;
    /// a neutral piece has its player's number as its state where the start has such pieces.
    fn cell(&self, site: usize, letters: &str) -> Option<Cell> {
        let same = |cell: &Cell| self.letters(*cell).is_some_and(|own| own == letters);
        if let Some(start) = self.start.cells.get(site).filter(|cell| same(cell)) {
            return Some(Cell { count: 1, ..*start });
        }
        let known = self.start.cells.iter().find(|cell| cell.state != 0 && same(cell));
        let owned = |cell: &&Cell| self.scene.pieces[usize::from(cell.what) - 1].owner.is_some();
        if let Some(known) = known.filter(|cell| !owned(cell)) {
            return Some(Cell { count: 1, ..*known });
        }
        let kinds = 1..=u16::try_from(self.scene.pieces.len()).ok()?;
        let states = 0..=i16::try_from(self.lud.equipment.players).ok()?;
        states
            .flat_map(|state| {
                kinds.clone().map(move |what| Cell { what, state, count: 1, ..Cell::default() })
            })
            .find(same)
    }
}

/// Capitals for the first seat and for neutral pieces, small letters for the second, a number behind them for others.
fn lettered(kind: &Piece, owner: Option<usize>) -> String {
    match owner {
        Some(0) | None => kind.letters.to_uppercase(),
        Some(1) => kind.letters.to_lowercase(),
        Some(seat) => format!("{}{}", kind.letters.to_uppercase(), seat + 1),
    }
}

// Reading.

impl Board<'_> {
    /// Translates a position into the exact notation.
    ///
    /// # Errors
    /// The part that can't be read, and the reason.
    pub(crate) fn exact(&self, text: &str) -> Result<String, String> {
        let mut words = text.split_whitespace();
        let mut sites = self.read_rows(words.next().unwrap_or_default())?;
        let plain: Vec<&str> = words.clone().take_while(|word| !word.contains(':')).collect();
        let mover = self.read_mover(plain.first().copied())?;
        if let Some(rights) = plain.get(1) {
            self.read_castling(&mut sites, rights)?;
        }
        let mut all = words_of(&notation::write(self.start));
        let changed = self.rows.iter().flatten().any(|&site| {
            let (old, new) = (all.get(&site.to_string()), sites.get(&site));
            old.map(String::as_str) != new.map(|levels| notation::levels(levels)).as_deref()
        });
        if changed || mover != self.start.s.mover {
            self.rows.iter().flatten().for_each(|site| drop(all.remove(&site.to_string())));
            PAST.iter().for_each(|key| drop(all.remove(*key)));
            let players = self.lud.equipment.players;
            all.insert("mover".into(), mover.to_string());
            all.insert("next".into(), (mover % players + 1).to_string());
            all.insert("prev".into(), ((mover + players - 2) % players + 1).to_string());
        }
        for (site, levels) in &sites {
            all.insert(site.to_string(), notation::levels(levels));
        }
        self.read_rest(plain.get(2..).unwrap_or_default(), &mut all)?;
        for word in words.skip(plain.len()) {
            let (key, value) =
                word.split_once(':').ok_or_else(|| format!("`{word}` has no `:`"))?;
            all.insert(key.to_owned(), value.to_owned());
        }
        Ok(joined(&all))
    }

    fn read_rows(&self, text: &str) -> Result<BTreeMap<usize, Vec<Cell>>, String> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.rows.len() {
            let (given, own) = (rows.len(), self.rows.len());
            return Err(format!("rows: {given} are given, the board has {own}"));
        }
        let mut out = BTreeMap::new();
        for (number, (row, sites)) in rows.iter().zip(&self.rows).enumerate() {
            let read = if self.pits() { self.read_pits(row) } else { self.read_row(row, sites) };
            let cells = read.map_err(|error| format!("row {} `{row}`: {error}", number + 1))?;
            if cells.len() != sites.len() {
                let (given, own) = (cells.len(), sites.len());
                return Err(format!(
                    "row {} `{row}` has {given} sites instead of {own}",
                    number + 1
                ));
            }
            let full = sites.iter().zip(cells).filter(|(_, levels)| !levels.is_empty());
            out.extend(full.map(|(&site, levels)| (site, levels)));
        }
        Ok(out)
    }

    /// A row of pits: numbers with commas between them.
    fn read_pits(&self, row: &str) -> Result<Vec<Vec<Cell>>, String> {
        let pit = |text: &str| {
            let count: u16 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
            let cell = Cell { what: 1, count, ..Cell::default() };
            Ok(if count > 0 { vec![cell] } else { Vec::new() })
        };
        row.split(',').map(pit).collect()
    }

    fn read_row(&self, row: &str, sites: &[usize]) -> Result<Vec<Vec<Cell>>, String> {
        let mut out: Vec<Vec<Cell>> = Vec::new();
        let mut rest = row;
        while let Some(first) = rest.chars().next() {
            let site = sites.get(out.len()).copied();
            if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let empty: usize = rest[..end].parse().map_err(|_| "too many empty sites")?;
                if empty > sites.len() {
                    return Err(format!("{empty} empty sites are too many"));
                }
                out.resize(out.len() + empty, Vec::new());
                rest = &rest[end..];
                continue;
            }
            let (text, after) = match rest.strip_prefix('[') {
                Some(inner) => inner.split_once(']').ok_or("`[` without `]`")?,
                None => rest.split_at(first.len_utf8()),
            };
            let site = site.ok_or("more sites than the board has")?;
            let levels = text.split(',').map(|level| self.read_level(site, level));
            out.push(levels.collect::<Result<_, _>>()?);
            rest = after;
        }
        Ok(out)
    }

    /// A piece: letters, then `*` count, `=` state, `~` value, `^` rotation.
    fn read_level(&self, site: usize, text: &str) -> Result<Cell, String> {
        let end = text.find(['*', '=', '~', '^']).unwrap_or(text.len());
        let (letters, mut rest) = text.split_at(end);
        let mut cell = self.cell(site, letters).ok_or_else(|| self.unknown(letters))?;
        while let Some(sign) = rest.chars().next() {
            let body = &rest[sign.len_utf8()..];
            let end = body.find(['*', '=', '~', '^']).unwrap_or(body.len());
            let number: i16 = body[..end].parse().map_err(|_| format!("`{rest}` is no number"))?;
            match sign {
                '*' => cell.count = u16::try_from(number).map_err(|_| "a negative count")?,
                '=' => cell.state = number,
                '~' => cell.value = number,
                _ => cell.rotation = number,
            }
            rest = &body[end..];
        }
        Ok(cell)
    }

    fn unknown(&self, letters: &str) -> String {
        let players = 0..self.lud.equipment.players;
        let mut known: Vec<String> = (self.scene.pieces.iter())
            .flat_map(|kind| match kind.owner {
                Some(owner) => vec![lettered(kind, Some(owner.into()))],
                None => players.clone().map(|seat| lettered(kind, Some(seat))).collect(),
            })
            .collect();
        known.sort();
        known.dedup();
        known.truncate(40);
        format!("no piece is called `{letters}` (pieces: {})", known.join(" "))
    }

    fn read_mover(&self, word: Option<&str>) -> Result<usize, String> {
        let players = self.lud.equipment.players;
        let Some(word) = word else { return Ok(self.start.s.mover) };
        let by_name = self.scene.players.iter().position(|name| name.eq_ignore_ascii_case(word));
        let mover = match word {
            "w" => Some(1),
            "b" => Some(2),
            _ => word.parse().ok().or(by_name.map(|seat| seat + 1)),
        };
        mover
            .filter(|mover| (1..=players).contains(mover))
            .ok_or_else(|| format!("`{word}` is no player (1 to {players}, or w and b)"))
    }

    /// Takes the rights to castle away that are not named.
    fn read_castling(
        &self,
        sites: &mut BTreeMap<usize, Vec<Cell>>,
        rights: &str,
    ) -> Result<(), String> {
        if !self.castles() || (rights != "-" && !rights.chars().all(|c| "KQkq".contains(c))) {
            return Err(format!("`{rights}` does not belong here"));
        }
        for side in self.sides(|site| Some(*sites.get(&site)?.last()?)) {
            let has = |letter: char| {
                let letter = if side.player == 1 { letter } else { letter.to_ascii_lowercase() };
                rights.contains(letter)
            };
            let mut gone = Vec::new();
            if !has('K') && !has('Q') {
                gone.push(side.king);
            }
            gone.extend(side.right.filter(|_| !has('K')));
            gone.extend(side.left.filter(|_| !has('Q')));
            for site in gone {
                if let Some(cell) = sites.get_mut(&site).and_then(|levels| levels.last_mut()) {
                    cell.state = 0;
                }
            }
        }
        Ok(())
    }

    /// The square for taking in passing and the counter of half-moves; the number of the move is not needed.
    fn read_rest(&self, plain: &[&str], all: &mut BTreeMap<String, String>) -> Result<(), String> {
        if let Some(square) = plain.first().filter(|square| **square != "-") {
            let label = |site: &usize| self.scene.sites[*site].label.eq_ignore_ascii_case(square);
            let site = self.rows.iter().flatten().find(|site| label(site));
            let site = site.ok_or_else(|| format!("there is no square `{square}`"))?;
            all.insert("pending".into(), site.to_string());
        }
        if let Some(word) = plain.get(1) {
            // Our counter is -1 after a capture, FEN's is 0.
            let half_moves: u16 = word.parse().map_err(|_| format!("`{word}` is no number"))?;
            all.insert("counter".into(), (i32::from(half_moves) - 1).to_string());
        }
        Ok(())
    }

    /// The kings that have not moved, and the rooks on both sides of each that have not moved either.
    fn sides(&self, at: impl Fn(usize) -> Option<Cell>) -> Vec<Side> {
        let mut out = Vec::new();
        for row in &self.rows {
            let fresh = |site: usize, name: &str, player: usize| {
                at(site).is_some_and(|cell| {
                    let kind = self.lud.equipment.components.get(usize::from(cell.what));
                    cell.state != 0
                        && self.stem(cell.what) == name
                        && kind.is_some_and(|kind| kind.owner == player)
                })
            };
            for player in 1..=2 {
                let Some(place) = row.iter().position(|&site| fresh(site, "king", player)) else {
                    continue;
                };
                let rook = |site: &&usize| fresh(**site, "rook", player);
                let (left, right) = row.split_at(place);
                out.push(Side {
                    player,
                    king: row[place],
                    left: left.iter().find(rook).copied(),
                    right: right.iter().rev().find(rook).copied(),
                });
            }
        }
        out
    }
}

/// A king that may still castle.
struct Side {
    player: usize,
    king: usize,
    left: Option<usize>,
    right: Option<usize>,
}

// Writing.

impl Board<'_> {
    /// A position in this notation, without its past; `None` where the game has no board.
    pub(crate) fn write(&self, state: &State) -> Option<String> {
        if self.rows.is_empty() || self.scene.pieces.is_empty() {
            return None;
        }
        let chess = self.castles();
        let mut rows = Vec::new();
        for row in &self.rows {
            rows.push(self.write_row(row, state, chess)?);
        }
        let mut text = rows.join("/");
        let mover = state.s.mover;
        match chess {
            true => self.write_chess(&mut text, state),
            false => {
                let _ = write!(text, " {mover}");
            }
        }
        // The words that the notation would not give back.
        let wanted = words_of(&notation::write(state));
        let given = words_of(&self.exact(&text).ok()?);
        let castling = |key: &str| {
            let what = key.parse::<usize>().ok().and_then(|site| state.cells.get(site));
            chess && what.is_some_and(|cell| ["king", "rook"].contains(&&*self.stem(cell.what)))
        };
        // A player who moves again goes on with the last step; the first move may be answered by a swap of sides.
        let again = state.s.prev == state.s.mover;
        let swap = self.lud.rules.swap && state.s.moves == 1;
        let told = |key: &&String| {
            let past = PAST.contains(&key.as_str()) && !(swap || again && *key != "history");
            let last = LAST.contains(&key.as_str()) && chess && !again;
            !past && !last && !castling(key)
        };
        let keys: std::collections::BTreeSet<&String> =
            wanted.keys().chain(given.keys()).filter(told).collect();
        for key in keys {
            // The exact notation leaves out zeros.
            let value =
                |words: &BTreeMap<String, String>| words.get(key).map_or("0".into(), String::clone);
            let (new, old) = (value(&wanted), value(&given));
            if new != old {
                let _ = write!(text, " {key}:{new}");
            }
        }
        Some(text)
    }

    fn write_row(&self, sites: &[usize], state: &State, chess: bool) -> Option<String> {
        let count = |site: &usize| state.cells.get(*site).filter(|cell| cell.what != 0);
        if self.pits() {
            let numbers = sites.iter().map(|s| count(s).map_or(0, |cell| cell.count).to_string());
            return Some(numbers.collect::<Vec<_>>().join(","));
        }
        let mut out = String::new();
        let mut empty = 0;
        for &site in sites {
            let under = state.under.get(site).into_iter().flatten();
            let cells = under.chain(state.cells.get(site)).filter(|cell| cell.what != 0);
            let levels: Vec<&Cell> = cells.collect();
            if levels.is_empty() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                let _ = write!(out, "{empty}");
            }
            empty = 0;
            let levels: Option<Vec<String>> =
                levels.iter().map(|cell| self.write_level(site, **cell, chess)).collect();
            let text = levels?.join(",");
            match text.chars().count() == 1 && text.chars().all(char::is_alphabetic) {
                true => out.push_str(&text),
                false => {
                    let _ = write!(out, "[{text}]");
                }
            }
        }
        if empty > 0 {
            let _ = write!(out, "{empty}");
        }
        Some(out)
    }

    fn write_level(&self, site: usize, cell: Cell, chess: bool) -> Option<String> {
        let mut text = self.letters(cell)?;
        let usual = self.cell(site, &text)?;
        // The rights to castle are a word of their own.
        let castling = chess && ["king", "rook"].contains(&&*self.stem(cell.what));
        for (sign, value, usual) in [
            ('*', i32::from(cell.count), i32::from(usual.count)),
            ('=', cell.state.into(), if castling { cell.state.into() } else { usual.state.into() }),
            ('~', cell.value.into(), usual.value.into()),
            ('^', cell.rotation.into(), usual.rotation.into()),
        ] {
            if value != usual {
                let _ = write!(text, "{sign}{value}");
            }
        }
        Some(text)
    }

    /// Mover, castling, taking in passing, half-moves and the number of the move, as in FEN.
    fn write_chess(&self, text: &mut String, state: &State) {
        let mut rights = String::new();
        let mut sides = self.sides(|site| state.cells.get(site).copied());
        sides.sort_by_key(|side| side.player);
        for side in sides {
            for (letter, _) in
                [('K', side.right), ('Q', side.left)].iter().filter(|r| r.1.is_some())
            {
                rights.push(if side.player == 1 { *letter } else { letter.to_ascii_lowercase() });
            }
        }
        let rights = if rights.is_empty() { "-" } else { &rights };
        let mover = if state.s.mover == 2 { 'b' } else { 'w' };
        let passing = match state.pending.as_slice() {
            [site] => usize::try_from(*site).ok().and_then(|site| self.scene.sites.get(site)),
            _ => None,
        };
        let passing = passing.map_or("-", |site| site.label.as_str());
        let half_moves = state.s.counter.saturating_add(1).max(0);
        let number = 1 + state.s.turns / 2;
        let _ = write!(text, " {mover} {rights} {passing} {half_moves} {number}");
    }
}

/// The words of a position in the exact notation by their keys.
fn words_of(text: &str) -> BTreeMap<String, String> {
    let words = text.split_whitespace().filter_map(|word| word.split_once(':'));
    words.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn joined(words: &BTreeMap<String, String>) -> String {
    let words: Vec<String> = words.iter().map(|(key, value)| format!("{key}:{value}")).collect();
    words.join(" ")
}
