//! Changes of the state.

use super::action::Action;
use super::equipment::Equipment;
use super::rules::Rules;
use super::state::{Cell, State};

/// Puts something on a site (on top if it is a stack), and keeps the bits right.
pub(crate) fn put(equipment: &Equipment, rules: &Rules, s: &mut State, site: usize, cell: Cell) {
    let words = rules.layout.words;
    let (word, bit) = (site >> 6, 1u64 << (site & 63));
    let at = |owner: usize| words * (1 + owner) + word;
    let owner = |what: u16| equipment.owners.get(usize::from(what)).map_or(0, |&o| usize::from(o));
    let before = s.cells[site].what;
    if before == 0 {
        s.bits[word] &= !bit;
    } else {
        s.bits[at(owner(before))] &= !bit;
    }
    if cell.what == 0 {
        s.bits[word] |= bit;
    } else {
        s.bits[at(owner(cell.what))] |= bit;
    }
    if !s.order.is_empty() && (before == 0 || cell.what == 0 || owner(before) != owner(cell.what)) {
        let last = s.order.iter().max().copied().unwrap_or(0);
        s.order[site] = if cell.what == 0 { 0 } else { last + 1 };
    }
    if rules.hashes() {
        s.key ^= s.cells[site].key(site) ^ cell.key(site);
    }
    s.cells[site] = cell;
}

/// Takes what is on a level, -1 being the top, of a stack.
fn take(e: &Equipment, r: &Rules, s: &mut State, site: usize, level: i16) -> Cell {
    let height = s.height(site as i32);
    if level < 0 || i32::from(level) >= height - 1 {
        let top = s.cells[site];
        let below = s.under.get_mut(site).and_then(Vec::pop).unwrap_or_default();
        put(e, r, s, site, below);
        return top;
    }
    s.under[site].remove(level as usize)
}

/// Puts something on a stack, on top where the level is -1.
fn push(e: &Equipment, r: &Rules, s: &mut State, site: usize, level: i16, cell: Cell) {
    let height = s.height(site as i32);
    if height == 0 || s.under.is_empty() {
        put(e, r, s, site, cell);
    } else if level < 0 || i32::from(level) >= height {
        let top = s.cells[site];
        s.under[site].push(top);
        put(e, r, s, site, cell);
    } else {
        s.under[site].insert(level as usize, cell);
    }
}

/// Makes a change.
pub(crate) fn perform(e: &Equipment, r: &Rules, s: &mut State, action: Action) {
    let n = s.cells.len();
    let place = |site: i32| usize::try_from(site).ok().filter(|&i| i < n);
    let kinds = e.components.len();
    let kind = |what: u16| Some(what).filter(|&what| usize::from(what) < kinds);
    match action {
        Action::Add { to, what, count, state, stack } => {
            let (Some(i), Some(what)) = (place(to), kind(what)) else { return };
            let here = s.cells[i];
            // What was set on an empty site becomes the piece's.
            let new = match here.what {
                0 if !r.stacking => {
                    Cell { what, count, state: if state == 0 { here.state } else { state }, ..here }
                }
                _ => Cell { what, count, state, ..Cell::default() },
            };
            if !s.places.is_empty() {
                // A piece that is put on a stack counts twice on its track (decided by Pachih, ply 203).
                let many = count.max(1).saturating_mul(1 + u16::from(stack));
                for track in &e.tracks {
                    (0..many).for_each(|_| track.came(s, what, None, to));
                }
            }
            if r.stacking {
                for _ in 0..count.max(1) {
                    push(e, r, s, i, -1, Cell { count: 1, ..new });
                }
                return;
            }
            let pile = r.piles || !e.on_board.contains(to);
            // What is there stays there.
            if here.what != 0 && here.what != what {
                let more = if pile { count } else { 0 };
                put(e, r, s, i, Cell { count: here.count.saturating_add(more), ..here });
                return;
            }
            let more = if pile && s.cells[i].what == what { s.cells[i].count } else { 0 };
            put(e, r, s, i, Cell { count: count.saturating_add(more), ..new });
        }
        Action::Move { from, level, to, onto } => {
            let (Some(a), Some(b)) = (place(from), place(to)) else { return };
            // Along a winding track a piece may come back to where it was.
            if !s.places.is_empty() && (a != b || !r.stacking) {
                let what = match level {
                    0.. if r.stacking => s.level(from, level.into()).what,
                    _ => s.cells[a].what,
                };
                e.tracks.iter().for_each(|track| track.moved(s, what, from, to));
            }
            if a == b {
                return;
            }
            if r.stacking {
                let mut piece = take(e, r, s, a, level);
                // State and value are reset when a piece goes between a hand and the board (decided by Tables Rabbatuees, ply 30).
                if e.on_board.contains(from) != e.on_board.contains(to) {
                    (piece.state, piece.value) = (0, 0);
                }
                if piece.what != 0 {
                    push(e, r, s, b, onto, piece);
                }
                return;
            }
            let (piece, there) = (s.cells[a], s.cells[b]);
            let same = there.what == piece.what && there.count > 0;
            if piece.count > 1 {
                put(e, r, s, a, Cell { count: piece.count - 1, ..piece });
                // What is known of a hole stays with it.
                let kept = if same { there } else { piece };
                let count = if same { there.count.saturating_add(1) } else { 1 };
                put(e, r, s, b, Cell { count, ..kept });
            } else {
                let pile = same && (r.piles || !e.on_board.contains(to));
                let count = if pile { there.count.saturating_add(1) } else { piece.count };
                put(e, r, s, b, Cell { count, ..if pile { there } else { piece } });
                put(e, r, s, a, Cell::default());
            }
        }
        Action::MoveStack { from, level, to } => {
            let (Some(a), Some(b)) = (place(from), place(to)) else { return };
            if a == b || s.under.is_empty() {
                return;
            }
            let mut pieces = std::mem::take(&mut s.under[a]);
            if s.cells[a].what != 0 {
                pieces.push(s.cells[a]);
            }
            let moving = pieces.split_off((level.max(0) as usize).min(pieces.len()));
            let top = pieces.pop().unwrap_or_default();
            s.under[a] = pieces;
            put(e, r, s, a, top);
            for piece in moving {
                push(e, r, s, b, -1, piece);
            }
        }
        Action::MoveCount { from, to, count } | Action::Sow { from, to, count } => {
            let (Some(a), Some(b)) = (place(from), place(to)) else { return };
            if r.stacking {
                for _ in 0..if a == b { 0 } else { count } {
                    let piece = take(e, r, s, a, -1);
                    if piece.what != 0 {
                        push(e, r, s, b, -1, piece);
                    }
                }
                return;
            }
            let (pile, there) = (s.cells[a], s.cells[b]);
            let count = count.min(pile.count);
            if a == b || count == 0 {
                return;
            }
            // They go as one.
            if !s.places.is_empty() {
                e.tracks.iter().for_each(|track| track.moved(s, pile.what, from, to));
            }
            // What is known of a hole stays with it.
            let sown = matches!(action, Action::Sow { .. });
            let bare = Cell { state: if sown { pile.state } else { 0 }, ..Cell::default() };
            let left = pile.count - count;
            put(e, r, s, a, if left == 0 { bare } else { Cell { count: left, ..pile } });
            let more = if there.what == pile.what { there.count } else { 0 };
            let kept =
                if there.what == pile.what { there } else { Cell { state: there.state, ..pile } };
            put(e, r, s, b, Cell { count: count.saturating_add(more), ..kept });
        }
        Action::Copy { from, to } => {
            let (Some(a), Some(b)) = (place(from), place(to)) else { return };
            let piece = Cell { count: 1, ..s.cells[a] };
            match r.stacking {
                true => push(e, r, s, b, -1, piece),
                false => put(e, r, s, b, piece),
            }
        }
        Action::Remove { at, level, .. } => {
            let Some(i) = place(at) else { return };
            if r.stacking {
                take(e, r, s, i, level);
                return;
            }
            put(e, r, s, i, Cell::default());
        }
        Action::Promote { at, what } => {
            let (Some(i), Some(what)) = (place(at), kind(what)) else { return };
            let here = s.cells[i];
            put(e, r, s, i, Cell { what, count: here.count.max(1), ..here });
        }
        Action::Insert { to, level, what } => {
            let (Some(i), Some(what)) = (place(to), kind(what)) else { return };
            push(e, r, s, i, level, Cell { what, count: 1, ..Cell::default() });
        }
        Action::Swap(a, b) => {
            let (Some(a), Some(b)) = (place(a), place(b)) else { return };
            let (x, y) = (s.cells[a], s.cells[b]);
            // The first goes there as it is, the other comes as a new piece.
            let Cell { what, count, .. } = y;
            put(e, r, s, a, Cell { what, count, ..Cell::default() });
            put(e, r, s, b, x);
            if !s.under.is_empty() {
                s.under.swap(a, b);
            }
        }
        Action::Pass | Action::Select => {}
        Action::Next(player) => s.s.next = player.into(),
        Action::Number(at, value) => {
            if let Some(number) = s.numbers.get_mut(usize::from(at)) {
                *number = value;
            }
        }
        Action::More(at, more) => {
            if let Some(number) = s.numbers.get_mut(usize::from(at)) {
                *number = number.wrapping_add(more);
            }
        }
        Action::Counter(value) => s.s.counter = value,
        Action::Temp(value) => s.s.temp = value,
        Action::State { at, level, value } => {
            change(e, r, s, at, level, |cell| cell.state = value);
        }
        Action::Value { at, level, value } => {
            change(e, r, s, at, level, |cell| cell.value = value);
        }
        Action::Rotation(at, value) => {
            change(e, r, s, at, -1, |cell| cell.rotation = value);
        }
        Action::Count { at, count, what } => {
            let Some(i) = place(at) else { return };
            let here = s.cells[i];
            let what = if what != 0 { what } else { here.what };
            let Some(what) = kind(what) else { return };
            let empty = count == 0 || what == 0;
            put(e, r, s, i, if empty { Cell::default() } else { Cell { what, count, ..here } });
        }
        // Perhaps once more: what waited before this move will not wait on.
        Action::Pending(value) => s.pending.push(value),
        Action::Clear(site) => {
            if !s.to_clear.contains(&site) {
                s.to_clear.push(site);
            }
        }
        Action::SwapPlayers(..) => s.s.swapped = !s.s.swapped,
        Action::Remember(name, value, unique) => {
            if let Some(list) = s.remembered.get_mut(usize::from(name))
                && !(unique && list.contains(&value))
            {
                list.push(value);
            }
        }
        Action::Forget(name, value) => {
            if let Some(list) = s.remembered.get_mut(usize::from(name))
                && let Some(at) = list.iter().position(|&v| v == value)
            {
                list.remove(at);
            }
        }
        Action::ForgetAll(u16::MAX) => s.remembered.iter_mut().for_each(Vec::clear),
        Action::ForgetAll(name) => {
            if let Some(list) = s.remembered.get_mut(usize::from(name)) {
                list.clear();
            }
        }
        Action::Store => s.s.stored = s.hash() as i64,
        Action::UseDie(die) => {
            let at = r.layout.die(die.into());
            if let Some(number) = s.numbers.get_mut(at) {
                *number = 0;
            }
        }
        Action::Die { site, die, face } => {
            let value = e.dice.get(usize::from(die)).and_then(|d| d.faces.get(usize::from(face)));
            let at = r.layout.die(die.into());
            if let (Some(number), Some(&value)) = (s.numbers.get_mut(at), value) {
                *number = value;
            }
            change(e, r, s, site, -1, |cell| cell.state = face as i16);
        }
        Action::DiceEqual(equal) => s.s.dice_equal = equal,
        Action::Trigger(player) => s.s.triggered |= 1 << player.min(31),
        Action::Propose(what) => s.s.proposed |= 1 << (what.clamp(1, 16) - 1),
        Action::Vote(player, word) => super::ballot::vote(r.layout, s, player, word),
        Action::Pot(value) => s.s.pot = value,
        Action::Hide { at, player, hidden, whole } => {
            let (Some(i), words) = (place(at), r.layout.words) else { return };
            let part = if whole { s.hidden.len() / 2 } else { 0 };
            let word = part + words * usize::from(player) + (i >> 6);
            if let Some(word) = s.hidden.get_mut(word) {
                let bit = 1u64 << (i & 63);
                *word = if hidden { *word | bit } else { *word & !bit };
            }
        }
    }
}

/// Changes what is on a level, -1 being the top.
fn change(
    e: &Equipment,
    r: &Rules,
    s: &mut State,
    site: i32,
    level: i16,
    f: impl FnOnce(&mut Cell),
) {
    let height = s.height(site);
    let Some(at) = usize::try_from(site).ok().filter(|&i| i < s.cells.len()) else { return };
    // A level that is gone by now has nothing to change.
    if r.stacking && level > 0 && i32::from(level) >= height {
        return;
    }
    if level < 0 || i32::from(level) >= height - 1 {
        let mut cell = s.cells[at];
        f(&mut cell);
        put(e, r, s, at, cell);
    } else if let Some(cell) = s.under.get_mut(at).and_then(|u| u.get_mut(level as usize)) {
        f(cell);
    }
}
