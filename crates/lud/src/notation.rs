//! Positions as text, for machines and for people.
//!
//! A position is one line of words `key:value`. What stands on a site is `site:piece`, with `x` and a
//! number where there are several, `s`, `v` and `r` for state, value and rotation, and `/` between the
//! levels of a stack, the lowest first.

use std::fmt::Write;

use crate::engine::perform;
use crate::engine::state::{Cell, Scalars};
use crate::engine::{Lud, State};

fn cell_text(cell: Cell) -> String {
    let mut text = cell.what.to_string();
    for (letter, value, usual) in [
        ('x', i32::from(cell.count), 1),
        ('s', cell.state.into(), 0),
        ('v', cell.value.into(), 0),
        ('r', cell.rotation.into(), 0),
    ] {
        if value != usual {
            let _ = write!(text, "{letter}{value}");
        }
    }
    text
}

fn cell_of(text: &str) -> Option<Cell> {
    let mut cell = Cell { count: 1, ..Cell::default() };
    let mut rest = text;
    let mut key = 'w';
    loop {
        let sign = usize::from(rest.starts_with('-'));
        let end = rest[sign..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |i| i + sign);
        let number: i32 = rest[..end].parse().ok()?;
        match key {
            'w' => cell.what = u16::try_from(number).ok()?,
            'x' => cell.count = u16::try_from(number).ok()?,
            's' => cell.state = i16::try_from(number).ok()?,
            'v' => cell.value = i16::try_from(number).ok()?,
            'r' => cell.rotation = i16::try_from(number).ok()?,
            _ => return None,
        }
        rest = &rest[end..];
        let Some(next) = rest.chars().next() else { return Some(cell) };
        key = next;
        rest = &rest[next.len_utf8()..];
    }
}

/// The numbers of [`Scalars`], by name.
fn scalars(s: &mut Scalars, f: &mut impl FnMut(&str, &mut i64)) {
    macro_rules! number {
        ($($name:literal $field:expr),*) => {
            $({
                let mut value = $field as i64;
                f($name, &mut value);
                $field = value.try_into().unwrap_or_default();
            })*
        };
    }
    macro_rules! flag {
        ($($name:literal $field:expr),*) => {
            $({
                let mut value = i64::from($field);
                f($name, &mut value);
                $field = value != 0;
            })*
        };
    }
    number!("mover" s.mover, "next" s.next, "prev" s.prev, "before" s.before, "counter" s.counter, "moves" s.moves,
        "turns" s.turns, "same" s.same_turn, "passes" s.passes);
    s.last.fields(f);
    number!("temp" s.temp, "stored" s.stored, "pot" s.pot, "active" s.active, "won" s.won, "stuck" s.stuck, "triggered" s.triggered,
        "decided" s.decided, "proposed" s.proposed, "opening" s.opening, "placed" s.placed, "thrown" s.thrown,
        "game" s.game, "trials" s.trials);
    flag!("over" s.over, "rolled" s.rolled, "equal" s.dice_equal, "swapped" s.swapped, "between" s.between);
}

fn list<T: std::fmt::Display>(text: &mut String, key: &str, values: &[T]) {
    if !values.is_empty() {
        let values: Vec<String> = values.iter().map(T::to_string).collect();
        let _ = write!(text, " {key}:{}", values.join(","));
    }
}

/// The pieces of a site, the lowest first.
pub(crate) fn levels(cells: &[Cell]) -> String {
    cells.iter().map(|&cell| cell_text(cell)).collect::<Vec<_>>().join("/")
}

/// A state as text.
pub(crate) fn write(state: &State) -> String {
    let mut words = Vec::new();
    for (site, &cell) in state.cells.iter().enumerate() {
        if cell == Cell::default() {
            continue;
        }
        let under = state.under.get(site).into_iter().flatten().copied();
        let stack: Vec<Cell> = under.chain([cell]).collect();
        words.push(format!("{site}:{}", levels(&stack)));
    }
    let mut text = words.join(" ");
    let mut s = state.s;
    scalars(&mut s, &mut |name, value| {
        if *value != 0 {
            let _ = write!(text, " {name}:{value}");
        }
    });
    list(&mut text, "numbers", &state.numbers);
    list(&mut text, "rank", &state.rank);
    list(&mut text, "pending", &state.pending);
    list(&mut text, "visited", &state.visited);
    list(&mut text, "clear", &state.to_clear);
    for (i, values) in state.remembered.iter().enumerate() {
        list(&mut text, &format!("remembered{i}"), values);
    }
    list(&mut text, "history", &state.history);
    list(&mut text, "trail", &state.trail);
    list(&mut text, "begun", &state.touched[0]);
    list(&mut text, "ended", &state.touched[1]);
    list(&mut text, "crossed", &state.touched[2]);
    if state.places.iter().any(|&p| p != 0) {
        list(&mut text, "places", &state.places);
    }
    if state.hidden.iter().any(|&h| h != 0) {
        list(&mut text, "hiding", &state.hidden);
    }
    list(&mut text, "order", &state.order);
    if state.left_values.iter().any(|&value| value != 0) {
        list(&mut text, "left", &state.left_values);
    }
    if state.relisted.iter().any(|&times| times != 0) {
        list(&mut text, "relisted", &state.relisted);
    }
    list(&mut text, "won-games", &state.won);
    list(&mut text, "tape", &state.tape);
    if state.waits != 0 {
        list(&mut text, "waits", &[state.waits]);
    }
    text.trim_start().to_owned()
}

fn values<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, String> {
    text.split(',').map(|v| v.parse().map_err(|_| format!("`{v}` is no number"))).collect()
}

/// Reads a state.
///
/// # Errors
/// The word that can't be read.
pub(crate) fn read(lud: &Lud, text: &str) -> Result<State, String> {
    let game = text.split_whitespace().find_map(|word| word.strip_prefix("game:"));
    let game: u16 = game.and_then(|number| number.parse().ok()).unwrap_or(0);
    let mut table = lud.bare();
    table.s.game = game;
    // A match plays one game after another, each on its own table.
    let lud = lud.of(&table);
    let mut state = State { won: table.won, ..lud.bare() };
    state.s = Scalars::default();
    for word in text.split_whitespace() {
        let (key, value) = word.split_once(':').ok_or_else(|| format!("`{word}` has no `:`"))?;
        match key.parse::<usize>() {
            Ok(site) => read_site(lud, &mut state, site, value)?,
            Err(_) => read_part(lud, &mut state, key, value)?,
        }
    }
    let players = lud.equipment.players;
    if !(1..=players).contains(&state.s.mover) || !(1..=players).contains(&state.s.next) {
        return Err("`mover` and `next` must be players".into());
    }
    if state.s.thrown > 0 && usize::from(state.s.thrown) >= lud.equipment.dice.len() {
        return Err("`thrown` must leave a die to be thrown".into());
    }
    Ok(state)
}

/// Reads what stands on a site.
fn read_site(lud: &Lud, state: &mut State, site: usize, value: &str) -> Result<(), String> {
    if site >= state.cells.len() {
        return Err(format!("there is no site {site}"));
    }
    let levels: Option<Vec<Cell>> = value.split('/').map(cell_of).collect();
    let mut levels = levels.ok_or_else(|| format!("`{site}:{value}` is no piece"))?;
    let kinds = lud.equipment.components.len();
    if let Some(bad) = levels.iter().find(|c| usize::from(c.what) >= kinds) {
        return Err(format!("there is no piece {}", bad.what));
    }
    let top = levels.pop().unwrap_or_default();
    if !levels.is_empty() {
        match state.under.get_mut(site) {
            Some(under) => *under = levels,
            None => return Err("this game has no stacks".into()),
        }
    }
    perform::put(&lud.equipment, &lud.rules, state, site, top);
    Ok(())
}

/// Reads a list that has as many numbers as before.
fn read_same<T: std::str::FromStr>(
    key: &str,
    value: &str,
    list: &mut Vec<T>,
) -> Result<(), String> {
    let new: Vec<T> = values(value)?;
    if new.len() != list.len() {
        return Err(format!("`{key}` has {} numbers instead of {}", new.len(), list.len()));
    }
    *list = new;
    Ok(())
}

/// Reads a part of a state that is no site.
fn read_part(lud: &Lud, state: &mut State, key: &str, value: &str) -> Result<(), String> {
    match key {
        "numbers" => {
            read_same(key, value, &mut state.numbers)?;
            let (phases, layout) = (lud.rules.phases(), lud.rules.layout);
            let mut numbers =
                (0..=layout.players).map(|player| state.numbers[layout.phase(player)]);
            if let Some(bad) = numbers.find(|&phase| phase < 0 || phase as usize >= phases) {
                return Err(format!("there is no phase {bad}"));
            }
        }
        "rank" => read_same(key, value, &mut state.rank)?,
        "won-games" => read_same(key, value, &mut state.won)?,
        "places" => read_same(key, value, &mut state.places)?,
        "hiding" => read_same(key, value, &mut state.hidden)?,
        "order" => read_same(key, value, &mut state.order)?,
        "left" => read_same(key, value, &mut state.left_values)?,
        "relisted" => read_same(key, value, &mut state.relisted)?,
        "tape" => state.tape = values(value)?,
        "waits" => {
            state.waits = value.parse().map_err(|_| format!("`{key}:{value}` is no move"))?;
        }
        "pending" => state.pending = values(value)?,
        "visited" => state.visited = values(value)?,
        "clear" => state.to_clear = values(value)?,
        "history" => state.history = values(value)?.into(),
        "trail" => state.trail = values(value)?.into(),
        "begun" => state.touched[0] = values(value)?,
        "ended" => state.touched[1] = values(value)?,
        "crossed" => state.touched[2] = values(value)?,
        _ => match key.strip_prefix("remembered") {
            Some(number) => {
                let at: usize = number.parse().map_err(|_| key.to_owned())?;
                let slot = state.remembered.get_mut(at).ok_or("no such list".to_owned())?;
                *slot = values(value)?;
            }
            None => read_scalar(&mut state.s, key, value)?,
        },
    }
    Ok(())
}

/// Reads a number that has a name.
fn read_scalar(s: &mut Scalars, key: &str, value: &str) -> Result<(), String> {
    let number: i64 = value.parse().map_err(|_| format!("`{key}:{value}` is no number"))?;
    let mut known = false;
    scalars(s, &mut |name, slot| {
        if name == key {
            (*slot, known) = (number, true);
        }
    });
    if known { Ok(()) } else { Err(format!("there is no `{key}`")) }
}

/// The character of a site, with a number where there are several pieces.
fn symbol(lud: &Lud, state: &State, site: usize) -> String {
    let cell = state.cells[site];
    let Some(kind) = lud.equipment.components.get(usize::from(cell.what)) else {
        return "?".to_owned();
    };
    if cell.what == 0 {
        return ".".to_owned();
    }
    let letter = kind.stem.chars().next().unwrap_or('o');
    let letter = match kind.owner {
        1 => letter.to_uppercase().to_string(),
        n if n > 2 && n <= lud.equipment.players => format!("{}{n}", letter.to_lowercase()),
        _ => letter.to_lowercase().to_string(),
    };
    match (cell.count, state.height(site as i32)) {
        (count, _) if count > 1 || lud.rules.piles => count.to_string(),
        (_, height) if height > 1 => format!("{letter}{height}"),
        _ => letter,
    }
}

/// The board for people: pieces by their first letters, capitals for the first player.
pub(crate) fn draw(lud: &Lud, state: &State, shown: &dyn Fn(usize) -> bool) -> String {
    let elements = lud.equipment.elements();
    let mut rows: Vec<(i64, Vec<usize>)> = Vec::new();
    for (site, element) in elements.iter().enumerate() {
        let y = (element.centre[1] * 100.0).round() as i64;
        match rows.iter_mut().find(|(row, _)| (row - y).abs() < 10) {
            Some((_, sites)) => sites.push(site),
            None => rows.push((y, vec![site])),
        }
    }
    rows.sort_by_key(|(y, _)| std::cmp::Reverse(*y));
    let left = elements.iter().map(|e| e.centre[0]).fold(f64::INFINITY, f64::min);
    let mut xs: Vec<f64> = elements.iter().map(|e| e.centre[0]).collect();
    xs.sort_by(f64::total_cmp);
    let steps = xs.windows(2).map(|w| w[1] - w[0]).filter(|d| *d > 0.05);
    let step = steps.fold(f64::INFINITY, f64::min).clamp(0.05, 1e6);
    let symbol = |site: usize| match shown(site) {
        true => symbol(lud, state, site),
        false => "?".to_owned(),
    };
    let widest = (0..elements.len()).map(|s| symbol(s).chars().count()).max().unwrap_or(1);
    let mut text = String::new();
    for (_, mut sites) in rows {
        sites.sort_by(|&a, &b| elements[a].centre[0].total_cmp(&elements[b].centre[0]));
        let mut line = String::new();
        for site in sites {
            let column = ((elements[site].centre[0] - left) / step).round() as usize;
            let at = (column * (widest + 1)).min(400);
            while line.chars().count() < at {
                line.push(' ');
            }
            line.push_str(&symbol(site));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for container in &lud.equipment.containers[1..] {
        let sites = container.from as usize..(container.from + container.sites) as usize;
        let held: Vec<String> = sites.filter(|&s| state.cells[s].what != 0).map(symbol).collect();
        if !held.is_empty() && !container.name.starts_with("Dice") {
            let _ = writeln!(text, "{}: {}", container.name, held.join(" "));
        }
    }
    if !lud.equipment.dice.is_empty() {
        let layout = lud.rules.layout;
        let dice: Vec<String> =
            (0..layout.dice).map(|d| state.numbers[layout.die(d)].to_string()).collect();
        let _ = writeln!(text, "dice: {}", dice.join(" "));
    }
    let _ = write!(
        text,
        "{}",
        if state.s.over { "over".to_owned() } else { format!("P{} to move", state.s.mover) }
    );
    text
}
