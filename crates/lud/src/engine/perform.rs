//! Changes of the state.

use super::action::Action;
use super::equipment::Equipment;
use super::journal::Undo;
use super::rules::Rules;
use super::state::{Cell, State};

/// Makes a change.
#[inline]
pub(crate) fn perform(equipment: &Equipment, rules: &Rules, state: &mut State, action: Action) {
    Change { equipment, rules, state }.make(action);
}

/// Puts something on a site, on top if it is a stack.
pub(crate) fn put(
    equipment: &Equipment,
    rules: &Rules,
    state: &mut State,
    site: usize,
    cell: Cell,
) {
    Change { equipment, rules, state }.put(site, cell);
}

/// Levels of a site that keep the values of pieces that left.
pub(crate) const LEFT_LEVELS: usize = 16;

/// The place of a level in [`State::left_values`].
fn left_value(site: usize, level: i32) -> Option<usize> {
    let level = usize::try_from(level).ok().filter(|&level| level < LEFT_LEVELS)?;
    Some(site * LEFT_LEVELS + level)
}

/// A state that is changed.
struct Change<'a> {
    equipment: &'a Equipment,
    rules: &'a Rules,
    state: &'a mut State,
}

impl Change<'_> {
    #[inline]
    fn make(&mut self, action: Action) {
        match action {
            Action::Pass | Action::Select => {}
            Action::Add { .. }
            | Action::Move { .. }
            | Action::MoveStack { .. }
            | Action::MoveCount { .. }
            | Action::Sow { .. }
            | Action::Copy { .. }
            | Action::Remove { .. }
            | Action::Promote { .. }
            | Action::Insert { .. }
            | Action::Swap(..)
            | Action::Count { .. } => self.pieces(action),
            Action::State { at, level, value } => self.change(at, level, |cell| cell.state = value),
            Action::Value { at, level, value } => self.change(at, level, |cell| cell.value = value),
            Action::Rotation(at, value) => self.change(at, -1, |cell| cell.rotation = value),
            Action::Number(at, value) => {
                self.number(at.into(), |number| *number = value);
            }
            Action::More(at, more) => {
                self.number(at.into(), |number| *number = number.wrapping_add(more));
            }
            Action::UseDie(die) => self.number(self.rules.layout.die(die.into()), |die| *die = 0),
            Action::Die { site, die, face } => self.die(site, die, face),
            Action::Remember(name, value, unique) => self.memory(name, |list| {
                if !(unique && list.contains(&value)) {
                    list.push(value);
                }
            }),
            Action::Forget(name, value) => self.memory(name, |list| {
                let at = list.iter().position(|&own| own == value);
                at.map(|at| list.remove(at));
            }),
            Action::ForgetAll(u16::MAX) => self.state.remembered.iter_mut().for_each(Vec::clear),
            Action::ForgetAll(name) => self.memory(name, Vec::clear),
            Action::Hide { at, player, hidden, whole } => self.hide(at, player, hidden, whole),
            action => self.scalars(action),
        }
    }

    /// Changes that concern no piece and no list.
    fn scalars(&mut self, action: Action) {
        let s = &mut self.state.s;
        match action {
            Action::Next(player) => s.next = player.into(),
            Action::Counter(value) => s.counter = value,
            Action::Temp(value) => s.temp = value,
            Action::SwapPlayers(..) => s.swapped = !s.swapped,
            Action::DiceEqual(equal) => s.dice_equal = equal,
            Action::Trigger(player) => s.triggered |= 1 << player.min(31),
            Action::Propose(word) => s.proposed |= 1 << (word.clamp(1, 16) - 1),
            Action::Pot(value) => s.pot = value,
            Action::Store => self.state.s.stored = self.state.hash() as i64,
            Action::Vote(player, word) => {
                super::ballot::vote(self.rules.layout, self.state, player, word);
            }
            // Perhaps once more: what waited before this move will not wait on.
            Action::Pending(value) => self.state.pending.push(value),
            Action::Clear(site) if !self.state.to_clear.contains(&site) => {
                self.state.to_clear.push(site);
            }
            _ => {}
        }
    }

    /// Changes of pieces.
    #[inline]
    fn pieces(&mut self, action: Action) {
        match action {
            Action::Add { to, what, count, state, stack } => {
                let (Some(site), Some(what)) = (self.site(to), self.kind(what)) else { return };
                self.add(site, Cell { what, count, state, ..Cell::default() }, stack);
            }
            Action::Move { from, level, to, onto } => self.go(from, level, to, onto),
            Action::MoveStack { from, level, to } => self.go_stack(from, level, to),
            Action::MoveCount { from, to, count } => self.go_some(from, to, count, false),
            Action::Sow { from, to, count } => self.go_some(from, to, count, true),
            Action::Copy { from, to } => {
                let (Some(a), Some(b)) = (self.site(from), self.site(to)) else { return };
                let piece = Cell { count: 1, ..self.state.cells[a] };
                match self.rules.stacking {
                    true => self.push(b, -1, piece),
                    false => self.put(b, piece),
                }
            }
            Action::Remove { at, level, .. } => {
                self.lose(at, level);
                let Some(site) = self.site(at) else { return };
                match self.rules.stacking {
                    true => drop(self.take(site, level)),
                    false => self.put(site, Cell::default()),
                }
            }
            Action::Promote { at, what } => {
                let (Some(site), Some(what)) = (self.site(at), self.kind(what)) else { return };
                let here = self.state.cells[site];
                self.put(site, Cell { what, count: here.count.max(1), ..here });
            }
            Action::Insert { to, level, what } => {
                let (Some(site), Some(what)) = (self.site(to), self.kind(what)) else { return };
                self.push(site, level, Cell { what, count: 1, ..Cell::default() });
            }
            Action::Swap(a, b) => {
                let (Some(a), Some(b)) = (self.site(a), self.site(b)) else { return };
                self.swap(a, b);
            }
            Action::Count { at, count, what } => {
                let Some(site) = self.site(at) else { return };
                let here = self.state.cells[site];
                let Some(what) = self.kind(if what != 0 { what } else { here.what }) else {
                    return;
                };
                let empty = count == 0 || what == 0;
                self.put(site, if empty { Cell::default() } else { Cell { what, count, ..here } });
            }
            _ => {}
        }
    }

    /// A site of the game.
    #[inline]
    fn site(&self, site: i32) -> Option<usize> {
        usize::try_from(site).ok().filter(|&site| site < self.state.cells.len())
    }

    /// A kind of piece of the game.
    #[inline]
    fn kind(&self, what: u16) -> Option<u16> {
        Some(what).filter(|&what| usize::from(what) < self.equipment.components.len())
    }

    /// Puts something on a site (on top if it is a stack), and keeps the bits right.
    #[inline]
    fn put(&mut self, site: usize, cell: Cell) {
        let s = &mut *self.state;
        let was = std::mem::replace(&mut s.cells[site], cell);
        let order = &s.order;
        let note = || Undo::Cell { site, cell: was, order: order.get(site).copied().unwrap_or(0) };
        s.journal.note(note);
        if self.rules.hashes() {
            s.key ^= was.key(site) ^ cell.key(site);
        }
        if was.what != cell.what {
            self.replace(site, was.what, cell.what);
        }
        if let Some(large) = &self.equipment.large {
            large.replace(self.state, site, was, cell);
        }
    }

    /// Keeps the bits right, and the order of pieces, where a piece of another kind comes to a site.
    #[inline]
    fn replace(&mut self, site: usize, before: u16, after: u16) {
        let (owners, s) = (&self.equipment.owners, &mut *self.state);
        let owner = |what: u16| owners.get(usize::from(what)).map_or(0, |&owner| owner.into());
        // Empty sites have the first block of bits.
        let block = |what: u16| if what == 0 { 0 } else { 1 + owner(what) };
        let (from, to) = (block(before), block(after));
        if from == to {
            return;
        }
        let (words, word, bit) = (self.rules.layout.words, site >> 6, 1u64 << (site & 63));
        s.bits[words * from + word] &= !bit;
        s.bits[words * to + word] |= bit;
        if !s.order.is_empty() {
            let last = s.order.iter().max().copied().unwrap_or(0);
            s.order[site] = if after == 0 { 0 } else { last + 1 };
        }
    }

    /// Takes the piece on a level of a stack; -1 is the top.
    fn take(&mut self, site: usize, level: i16) -> Cell {
        let height = self.state.height(site as i32);
        self.leave_value(site, height - 1, level);
        if level < 0 || i32::from(level) >= height - 1 {
            let top = self.state.cells[site];
            let below = self.pop(site);
            self.put(site, below);
            return top;
        }
        let level = level as usize;
        let piece = self.state.under[site].remove(level);
        self.state.journal.note(|| Undo::Removed(site, level, piece));
        piece
    }

    /// Takes the highest piece under the top of a stack; nothing where there is none.
    fn pop(&mut self, site: usize) -> Cell {
        let Some(below) = self.state.under.get_mut(site).and_then(Vec::pop) else {
            return Cell::default();
        };
        self.state.journal.note(|| Undo::Popped(site, below));
        below
    }

    /// The highest level becomes free. It keeps the value of the piece that was on top where a level was named, and none where a
    /// piece was just taken from the top (decided by Kawasukuts with seven players, ply 48). See [`State::left_values`].
    fn leave_value(&mut self, site: usize, highest: i32, named: i16) {
        if self.state.left_values.is_empty() {
            return;
        }
        let value = if named < 0 { 0 } else { self.state.cells[site].value };
        let at = left_value(site, highest);
        if let Some((at, left)) = at.and_then(|at| Some((at, self.state.left_values.get_mut(at)?)))
        {
            self.state.journal.note(|| Undo::LeftValue(at, *left));
            *left = value;
        }
    }

    /// Puts something on a stack, on top where the level is -1.
    fn push(&mut self, site: usize, level: i16, cell: Cell) {
        let height = self.state.height(site as i32);
        if height == 0 || self.state.under.is_empty() {
            self.put(site, cell);
        } else if level < 0 || i32::from(level) >= height {
            let top = self.state.cells[site];
            self.state.under[site].push(top);
            self.state.journal.note(|| Undo::Pushed(site));
            self.put(site, cell);
        } else {
            let level = level as usize;
            self.state.under[site].insert(level, cell);
            self.state.journal.note(|| Undo::Inserted(site, level));
        }
    }

    /// Do pieces of a kind on a site count as one pile? In games with dice they do everywhere (decided by Sig (Tidikelt), ply 595).
    fn piles(&self, site: i32) -> bool {
        self.rules.piles
            || !self.equipment.dice.is_empty()
            || !self.equipment.on_board.contains(site)
    }

    /// A site is listed among those of a kind of piece once more, see [`State::relisted`].
    fn list_again(&mut self, site: usize, what: u16) {
        let at = site * self.state.kinds + usize::from(what);
        if let Some(times) = self.state.relisted.get_mut(at) {
            self.state.journal.note(|| Undo::Relisted(at, *times));
            *times = times.saturating_add(1);
        }
    }

    /// Pieces come to a site.
    #[inline]
    fn add(&mut self, site: usize, piece: Cell, stack: bool) {
        let (here, to) = (self.state.cells[site], site as i32);
        let Cell { what, count, state, .. } = piece;
        if !self.state.places.is_empty() {
            // A piece that is put on a stack counts twice on its track (decided by Pachih, ply 203).
            let many = count.max(1).saturating_mul(1 + u16::from(stack));
            for track in &self.equipment.tracks {
                (0..many).for_each(|_| track.came(self.state, what, None, to));
            }
        }
        if self.rules.stacking {
            for _ in 0..count.max(1) {
                self.push(site, -1, Cell { count: 1, ..piece });
            }
            return;
        }
        let pile = self.piles(to);
        // A piece of another kind stays where it is. In games with dice, sites hold several pieces, and the number of pieces grows
        // (decided by Chong (Sakhalin), "3x15", ply 13).
        if here.what != 0 && here.what != what {
            let more = if pile || !self.equipment.dice.is_empty() { count } else { 0 };
            self.put(site, Cell { count: here.count.saturating_add(more), ..here });
            return;
        }
        // A state that was set on an empty site becomes that of the piece.
        let new = match here.what {
            0 => Cell { what, state: if state == 0 { here.state } else { state }, ..here },
            _ => piece,
        };
        let more = if pile && here.what == what { here.count } else { 0 };
        self.put(site, Cell { count: count.saturating_add(more), ..new });
    }

    /// A piece leaves the game, or a pile, which counts as one piece: its tracks have to know (decided by Tsun K'i, ply 143, and option
    /// `Board size/15` of Tab, ply 197).
    fn lose(&mut self, at: i32, level: i16) {
        let (Some(site), false) = (self.site(at), self.state.places.is_empty()) else { return };
        let what = match level {
            0.. if self.rules.stacking => self.state.level(at, level.into()).what,
            _ => self.state.cells[site].what,
        };
        if what != 0 {
            let tracks = self.equipment.tracks.iter();
            tracks.for_each(|track| track.lost(self.state, what, at));
        }
    }

    /// A piece goes from one site to another.
    #[inline]
    fn go(&mut self, from: i32, level: i16, to: i32, onto: i16) {
        let (Some(a), Some(b)) = (self.site(from), self.site(to)) else { return };
        let stacking = self.rules.stacking;
        // Along a winding track a piece may come back to where it was.
        if !self.state.places.is_empty() && (a != b || !stacking) {
            let what = match level {
                0.. if stacking => self.state.level(from, level.into()).what,
                _ => self.state.cells[a].what,
            };
            self.equipment
                .tracks
                .iter()
                .for_each(|track| track.moved(self.state, what, from, to, 1));
        }
        if a == b {
            return;
        }
        if !self.state.hidden.is_empty() && !stacking {
            self.carry_hidden(a, b);
        }
        if stacking {
            let mut piece = self.take(a, level);
            // State and value are reset when a piece goes between a hand and the board (decided by Tables Rabbatuees, ply 30).
            let board = &self.equipment.on_board;
            if board.contains(from) != board.contains(to) {
                (piece.state, piece.value) = (0, 0);
            } else if level < 0 && !self.state.left_values.is_empty() {
                let at = left_value(b, self.state.height(to));
                let left = at.and_then(|at| self.state.left_values.get(at)).copied();
                piece.value = left.unwrap_or(0);
            }
            if piece.what != 0 {
                self.push(b, onto, piece);
            }
            return;
        }
        let (piece, there) = (self.state.cells[a], self.state.cells[b]);
        let same = there.what == piece.what && there.count > 0;
        if piece.count > 1 {
            self.put(a, Cell { count: piece.count - 1, ..piece });
            // State and value of a hole stay with it.
            let kept = if same { there } else { piece };
            let count = if same { there.count.saturating_add(1) } else { 1 };
            self.put(b, Cell { count, ..kept });
        } else {
            let pile = same && self.piles(to);
            let count = if pile { there.count.saturating_add(1) } else { piece.count };
            self.put(b, Cell { count, ..if pile { there } else { piece } });
            self.put(a, Cell::default());
        }
    }

    /// A stack goes from one site to another, from a level on.
    fn go_stack(&mut self, from: i32, level: i16, to: i32) {
        let (Some(a), Some(b)) = (self.site(from), self.site(to)) else { return };
        if a == b || self.state.under.is_empty() {
            return;
        }
        let under = self.state.under[a].len();
        let level = usize::try_from(level).unwrap_or(0);
        let last = self.state.cells[a];
        if last.what == 0 || level > under {
            return;
        }
        let top = level.checked_sub(1).map_or(Cell::default(), |top| self.state.under[a][top]);
        self.put(a, top);
        for at in level..under {
            self.push(b, -1, self.state.under[a][at]);
        }
        self.push(b, -1, last);
        while self.state.under[a].len() > level.saturating_sub(1) {
            self.pop(a);
        }
    }

    /// Moves some pieces of a pile from one site to another, or sows them.
    fn go_some(&mut self, from: i32, to: i32, count: u16, sown: bool) {
        let (Some(a), Some(b)) = (self.site(from), self.site(to)) else { return };
        if self.rules.stacking {
            for _ in 0..if a == b { 0 } else { count } {
                let piece = self.take(a, -1);
                if piece.what != 0 {
                    self.push(b, -1, piece);
                }
            }
            return;
        }
        let (pile, there) = (self.state.cells[a], self.state.cells[b]);
        let count = count.min(pile.count);
        if a == b || count == 0 {
            return;
        }
        // The pile moves along its tracks as one.
        if !self.state.places.is_empty() {
            let tracks = self.equipment.tracks.iter();
            tracks.for_each(|track| track.moved(self.state, pile.what, from, to, count));
        }
        // State and value of a hole stay with it.
        let bare = Cell { ..Cell::default() };
        let left = pile.count - count;
        self.put(a, if left == 0 { bare } else { Cell { count: left, ..pile } });
        let same = there.what == pile.what;
        let more = if same { there.count } else { 0 };
        if same && !sown {
            self.list_again(b, pile.what);
        }
        let kept = if same { there } else { Cell { state: there.state, ..pile } };
        self.put(b, Cell { count: count.saturating_add(more), ..kept });
    }

    /// Two pieces change places: the first goes there as it is, the other comes as a new piece.
    fn swap(&mut self, a: usize, b: usize) {
        let (one, other) = (self.state.cells[a], self.state.cells[b]);
        let Cell { what, count, .. } = other;
        self.put(a, Cell { what, count, ..Cell::default() });
        self.put(b, one);
        if !self.state.under.is_empty() {
            self.state.under.swap(a, b);
            self.state.journal.note(|| Undo::Swapped(a, b));
        }
    }

    /// Changes the piece on a level; -1 is the top.
    fn change(&mut self, site: i32, level: i16, f: impl FnOnce(&mut Cell)) {
        let height = self.state.height(site);
        let Some(at) = self.site(site) else { return };
        // A level that is gone by now has nothing to change.
        if self.rules.stacking && level > 0 && i32::from(level) >= height {
            return;
        }
        if level < 0 || i32::from(level) >= height - 1 {
            let mut cell = self.state.cells[at];
            f(&mut cell);
            self.put(at, cell);
        } else if let Some(cell) =
            self.state.under.get_mut(at).and_then(|under| under.get_mut(level as usize))
        {
            self.state.journal.note(|| Undo::Level(at, level as usize, *cell));
            f(cell);
        }
    }

    /// Changes a number.
    fn number(&mut self, at: usize, f: impl FnOnce(&mut i32)) {
        if let Some(number) = self.state.numbers.get_mut(at) {
            f(number);
        }
    }

    /// Changes the values that are remembered under a name.
    fn memory(&mut self, name: u16, f: impl FnOnce(&mut Vec<i32>)) {
        if let Some(list) = self.state.remembered.get_mut(usize::from(name)) {
            f(list);
        }
    }

    /// A die shows a face.
    fn die(&mut self, site: i32, die: u16, face: u16) {
        let thrown = self.equipment.dice.get(usize::from(die));
        if let Some(&value) = thrown.and_then(|die| die.faces.get(usize::from(face))) {
            self.number(self.rules.layout.die(die.into()), |number| *number = value);
        }
        self.change(site, -1, |cell| cell.state = face as i16);
    }

    /// A site is hidden from a player, or shown.
    /// A piece that moves stays hidden from those from whom it was (decided by Banqi, ply 9 of its record with lists).
    fn carry_hidden(&mut self, from: usize, to: usize) {
        let words = self.rules.layout.words.max(1);
        for block in self.state.hidden.chunks_mut(words) {
            let hidden = block[from >> 6] >> (from & 63) & 1;
            block[from >> 6] &= !(1 << (from & 63));
            block[to >> 6] = block[to >> 6] & !(1 << (to & 63)) | hidden << (to & 63);
        }
    }

    fn hide(&mut self, at: i32, player: u16, hidden: bool, whole: bool) {
        let Some(site) = self.site(at) else { return };
        let part = if whole { self.state.hidden.len() / 2 } else { 0 };
        let word = part + self.rules.layout.words * usize::from(player) + (site >> 6);
        if let Some(word) = self.state.hidden.get_mut(word) {
            let bit = 1u64 << (site & 63);
            *word = if hidden { *word | bit } else { *word & !bit };
        }
    }
}
