//! Positions as the Python engine of the paper writes them: sixteen numbers by player, all in one
//! player's frame; -1 at home, 99 in goal, 0 to 51 on the common track, 52 to 71 in the lanes, five
//! a player.

use super::track::{GOAL, HOME, LAST, Tokens};

/// All tokens by player, in the frame of the first row's player.
pub type Frame = [[i8; 4]; 4];

/// At home and in goal, in every frame.
pub(super) const AT_HOME: i8 = -1;
pub(super) const IN_GOAL: i8 = 99;

/// A place in its owner's frame as a number of the frame in which the owner is `turns` seats on.
#[inline]
fn number(place: u8, turns: usize) -> i8 {
    match place {
        HOME => AT_HOME,
        GOAL => IN_GOAL,
        1..=LAST => ((usize::from(place) + 13 * turns) % 52) as i8,
        _ => (usize::from(place) + 5 * turns) as i8,
    }
}

/// The position as player `p` sees it: its own tokens first, then the others' in turn.
pub(super) fn seen_by(tokens: &Tokens, p: usize) -> Frame {
    let mut frame = Frame::default();
    for (turns, row) in frame.iter_mut().enumerate() {
        *row = tokens[(p + turns) % 4].map(|place| number(place, turns));
    }
    frame
}

/// Reads a position in player `p`'s frame; `None` where a number is none of a place.
pub(super) fn read(frame: &Frame, p: usize) -> Option<Tokens> {
    let mut tokens = Tokens::default();
    for (turns, row) in frame.iter().enumerate() {
        for (token, &n) in row.iter().enumerate() {
            let place = match n {
                AT_HOME => HOME,
                IN_GOAL => GOAL,
                // A token never stands on its own square 0.
                0..=51 => match (n as usize + 52 - 13 * turns) % 52 {
                    0 => return None,
                    place => place as u8,
                },
                52..=71 => match (n as usize - 52 + 20 - 5 * turns) % 20 {
                    lane @ 0..=4 => 52 + lane as u8,
                    _ => return None,
                },
                _ => return None,
            };
            tokens[(p + turns) % 4][token] = place;
        }
    }
    Some(tokens)
}

/// The same position in the frame of the player `p` seats on. Works on numbers, as the Python
/// engine does, so that synthetic positions, which no game reaches, change frames as well.
pub(super) fn turned(frame: &Frame, p: usize) -> Frame {
    let mut turned = Frame::default();
    for (i, row) in frame.iter().enumerate() {
        turned[(i + 4 - p % 4) % 4] = row.map(|n| match n {
            AT_HOME | IN_GOAL => n,
            ..=51 => (i32::from(n) - 13 * p as i32).rem_euclid(52) as i8,
            _ => ((i32::from(n) - 52 - 5 * p as i32).rem_euclid(20) + 52) as i8,
        });
    }
    turned
}
