//! Smart Game Format (FF 4): Go, Reversi, Gomoku and Hex.

use super::Played;
use ludex_core::Game;
use std::fmt::Write;

/// The number of Hex in SGF.
const HEX: u32 = 11;

/// The game as SGF; `None` where SGF has no number for it, or a move is neither a stone nor a pass.
pub(super) fn write(played: &Played<'_>) -> Option<String> {
    let game = played.game;
    let kind = match game.info().title.as_str() {
        "Go" => 1,
        "Reversi" | "Othello" => 2,
        "Gomoku" | "Free Gomoku" => 4,
        "Hex" => HEX,
        _ => return None,
    };
    let squares = played.squares()?;
    let (columns, rows) = squares.size();
    let size = if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
    let mut text = format!("(;FF[4]GM[{kind}]CA[UTF-8]AP[Ludex:{}]", env!("CARGO_PKG_VERSION"));
    let result = match played.score() {
        Some(1.0) => "B+",
        Some(0.0) => "W+",
        Some(_) => "0",
        None => "?",
    };
    let _ = writeln!(
        text,
        "SZ[{size}]PB[{}]PW[{}]RE[{result}]",
        escaped(played.agent(0)),
        escaped(played.agent(1))
    );
    let first = played.states.first()?;
    if game.hash(first) != game.hash(&game.start()) {
        // Stones before the first move would need to be placed one by one.
        return None;
    }
    let mut swapped = false;
    for (_, seat, mv) in played.steps() {
        let colour = if (seat.index() == 0) != swapped { 'B' } else { 'W' };
        if kind == HEX && game.move_text(mv) == "swap" {
            // From here on each player lays the stones of the other colour.
            swapped = !swapped;
            let _ = write!(text, ";{colour}[swap-sides]");
            continue;
        }
        // Like GTP, with a letter for every column.
        let word = squares.to_gtp(game, mv, false)?.to_lowercase();
        let point = match word.as_str() {
            "pass" => String::new(),
            hex if kind == HEX => hex.to_owned(),
            other => {
                let (column, row) = other.split_at(1);
                let row = rows.checked_sub(row.parse::<usize>().ok()?)?;
                format!("{column}{}", char::from(b'a' + u8::try_from(row).ok()?))
            }
        };
        let _ = write!(text, ";{colour}[{point}]");
    }
    text.push_str(")\n");
    Some(text)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:")
}
