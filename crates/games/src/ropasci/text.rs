//! Moves and positions in the words of the reference, and the board for people.

use super::hexes::{PLACE, hex};
use super::{Action, SYMBOLS, State, THROWS, throw_key};
use crate::bits::indices;
use crate::grid::bad_position;
use ludex_core::Result;
use std::fmt::Write;

/// `T s 4 -2`, `L 4 -2 3 -2`, `W 2 -3 1 -1`.
pub(super) fn action(action: Action) -> String {
    let place = |hex: u8| PLACE[usize::from(hex)];
    match action {
        Action::Throw { symbol, to } => {
            let (r, q) = place(to);
            format!("T {} {r} {q}", SYMBOLS[usize::from(symbol)])
        }
        Action::Slide { from, to } | Action::Swing { from, to } => {
            let kind = if matches!(action, Action::Slide { .. }) { 'L' } else { 'W' };
            let ((r, q), (s, t)) = (place(from), place(to));
            format!("{kind} {r} {q} {s} {t}")
        }
    }
}

/// The letters on a hex, upper's first.
fn letters(state: &State, hex: u32) -> String {
    let letter = SYMBOLS[state.symbol_at(hex as u8).min(2)];
    let [upper, lower] = state.counts.map(|counts| usize::from(counts[hex as usize]));
    letter.to_uppercase().to_string().repeat(upper) + &letter.to_string().repeat(lower)
}

/// The tokens by hex, sorted by coordinates; `-` for an empty board.
pub(super) fn board(state: &State) -> String {
    let mut places: Vec<((i32, i32), String)> = indices(state.sides[0] | state.sides[1])
        .map(|h| (PLACE[h as usize], letters(state, h)))
        .collect();
    places.sort();
    let texts: Vec<String> =
        places.into_iter().map(|((r, q), tokens)| format!("{r},{q}={tokens}")).collect();
    if texts.is_empty() { "-".into() } else { texts.join(" ") }
}

pub(super) fn position(state: &State) -> String {
    let [upper, lower] = state.used;
    let mut text = format!("{} | {upper},{lower} | {}", board(state), state.turn);
    if state.past != [state.key] {
        let keys: Vec<String> = state.past.iter().map(|key| format!("{key:x}")).collect();
        let _ = write!(text, " | {}", keys.join(" "));
    }
    text
}

/// Reads tokens and throws; the past is this configuration alone.
pub(super) fn parse_board(tokens: &str, used: [u8; 2]) -> std::result::Result<State, String> {
    let mut state = State::new();
    let mut on_board = [0u32; 2];
    for word in tokens.split_whitespace().filter(|word| *word != "-") {
        let parts = word.split_once('=').and_then(|(place, letters)| {
            let (r, q) = place.split_once(',')?;
            Some((hex(r.parse().ok()?, q.parse().ok()?)?, letters))
        });
        let Some((hex, letters)) = parts else {
            return Err(format!("`{word}` is not like 4,-2=S with a hex of the board"));
        };
        let first = letters.chars().next().map(|c| c.to_ascii_lowercase());
        let Some(symbol) = SYMBOLS.iter().position(|&s| Some(s) == first) else {
            return Err(format!("`{word}` has no r, p or s"));
        };
        let mut counts = [0u8; 2];
        for letter in letters.chars() {
            if letter.to_ascii_lowercase() != SYMBOLS[symbol] {
                return Err(format!("`{word}`: different symbols on a hex would have fought"));
            }
            let player = usize::from(letter.is_ascii_lowercase());
            counts[player] = counts[player].saturating_add(1);
            on_board[player] += 1;
        }
        if (state.sides[0] | state.sides[1]) >> hex & 1 == 1 {
            return Err(format!("the hex of `{word}` is named twice"));
        }
        if on_board.iter().any(|&n| n > THROWS.into()) {
            return Err("a player has more than nine tokens".into());
        }
        state.place(hex, symbol, counts);
    }
    for player in 0..2 {
        if used[player] > THROWS || on_board[player] > used[player].into() {
            return Err(format!(
                "throws used must be from the tokens on the board to 9, not {}",
                used[player]
            ));
        }
        state.used[player] = used[player];
        let key = throw_key(player).wrapping_mul(used[player].into());
        state.key = state.key.wrapping_add(key);
    }
    state.past = vec![state.key];
    state.end = state.judge();
    Ok(state)
}

pub(super) fn parse(text: &str) -> Result<State> {
    read(text).or_else(|reason| bad_position(text, reason))
}

fn read(text: &str) -> std::result::Result<State, String> {
    let mut parts = text.split('|').map(str::trim);
    let tokens = parts.next().unwrap_or_default();
    let used = parts.next().and_then(|used| used.split_once(','));
    let used = used.and_then(|(u, l)| Some([u.trim().parse().ok()?, l.trim().parse().ok()?]));
    let Some(used) = used else {
        return Err("expected the throws used, as in `4,-2=S | 1,0 | 1`".into());
    };
    let mut state = parse_board(tokens, used)?;
    let turn = parts.next().unwrap_or("0");
    state.turn = match turn.parse() {
        Ok(turn) if turn <= super::MOST_TURNS => turn,
        _ => return Err(format!("the turns played can't be `{turn}`")),
    };
    if let Some(keys) = parts.next() {
        let keys = keys.split_whitespace().map(|key| u64::from_str_radix(key, 16));
        state.past = keys
            .collect::<std::result::Result<Vec<u64>, _>>()
            .map_err(|_| "the past must be keys of configurations in hexadecimal".to_string())?;
        if state.past.last() != Some(&state.key) || state.past.len() > 400 {
            return Err("the past must end with the key of this very configuration".into());
        }
    }
    if parts.next().is_some() {
        return Err("there is something after the past".into());
    }
    state.end = state.judge();
    Ok(state)
}

/// The hexagon, row 4 above; upper's tokens in upper case, a number where several stand together.
pub(super) fn draw(state: &State) -> String {
    let mut text = String::new();
    let mut row = i32::MAX;
    for (n, &(r, _)) in PLACE.iter().enumerate() {
        if r != row {
            row = r;
            let _ = write!(text, "{}{r:>3} {}", if n == 0 { "" } else { "\n" }, indent(r));
        }
        let tokens = letters(state, n as u32);
        let cell = match tokens.len() {
            0 => ".".to_string(),
            1 | 2 => tokens,
            n => format!("{}{n}", tokens.chars().next().unwrap_or(' ')),
        };
        let _ = write!(text, "{cell:<4}");
    }
    let left = state.used.map(|used| THROWS.saturating_sub(used));
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!(
        "{}\n\nthrows left: upper {}, lower {}; turn {}\n",
        text.join("\n"),
        left[0],
        left[1],
        state.turn
    )
}

/// Half a cell for every row away from the middle.
fn indent(r: i32) -> String {
    " ".repeat(2 * r.unsigned_abs() as usize)
}
