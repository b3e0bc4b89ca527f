//! The path of a token, and what a step does to it and to other tokens.
//!
//! A place is a number in its owner's frame: 0 at home, 1 to 51 on the common track (1 is where
//! one enters), 52 to 56 in one's own lane, 57 in goal. Squares of the common track also have a number
//! that is the same for all players: the place as player 0 sees it.

use super::Stars;

/// At home.
pub(super) const HOME: u8 = 0;
/// The last place of the common track.
pub(super) const LAST: u8 = 51;
/// In goal.
pub(super) const GOAL: u8 = 57;

/// All tokens, by owner, each in its owner's frame.
pub type Tokens = [[u8; 4]; 4];

/// The square of a place on the common track of player `p`; 52 and more for places off it.
#[inline]
pub(super) fn square(p: usize, place: u8) -> u8 {
    SQUARE[p][usize::from(place)]
}

static SQUARE: [[u8; 58]; 4] = {
    let mut table = [[u8::MAX; 58]; 4];
    let mut p = 0;
    while p < 4 {
        let mut place = 1;
        while place <= LAST as usize {
            table[p][place] = ((place + 13 * p) % 52) as u8;
            place += 1;
        }
        p += 1;
    }
    table
};

/// A globe protects a single token that stands on it. The frames differ by 13, so that a place
/// is a globe for all or for none.
#[inline]
fn is_globe(place: u8) -> bool {
    matches!(place % 13, 1 | 9)
}

/// How far a star carries a token that lands on it.
#[inline]
pub(super) fn jump(place: u8) -> u8 {
    match place % 13 {
        6 => 6,
        12 => 7,
        _ => 0,
    }
}

/// May `token` of player `p` be moved by this throw?
#[inline]
pub(super) fn can_move(tokens: &Tokens, p: usize, token: usize, die: u8) -> bool {
    match tokens[p][token] {
        GOAL => false,
        HOME => die == 6,
        _ => true,
    }
}

/// Moves a token that [can be moved](can_move).
#[inline]
pub(super) fn step(tokens: &mut Tokens, p: usize, token: usize, die: u8, stars: Stars) {
    let from = tokens[p][token];
    if from == HOME {
        tokens[p][token] = 1;
        send_home(tokens, p, square(p, 1));
        return;
    }
    let to = from + die;
    if to > LAST {
        // Beyond the goal one walks back.
        tokens[p][token] = if to <= GOAL { to } else { 2 * GOAL - to };
    } else if land(tokens, p, token, to, jump(to), stars) {
        let far = to + jump(to);
        match to == LAST {
            true => tokens[p][token] = GOAL,
            false => {
                land(tokens, p, token, far, 0, stars);
            }
        }
    }
}

/// Puts a token on a place of the common track, from which a star would carry it on by `jump`.
/// Returns whether it does.
#[inline]
fn land(tokens: &mut Tokens, p: usize, token: usize, to: u8, jump: u8, stars: Stars) -> bool {
    let at = square(p, to);
    let others = others_on(tokens, p, at);
    if others >= 2 || others == 1 && is_globe(to) {
        tokens[p][token] = HOME;
        return false;
    }
    if others == 1 && (jump == 0 || stars == Stars::Paper) {
        send_home(tokens, p, at);
    }
    tokens[p][token] = to;
    jump > 0
}

/// How many tokens of the others stand on a square.
#[inline]
fn others_on(tokens: &Tokens, p: usize, at: u8) -> u32 {
    let mut n = 0;
    for q in (0..4).filter(|&q| q != p) {
        for &place in &tokens[q] {
            n += u32::from(square(q, place) == at);
        }
    }
    n
}

/// Sends all tokens of the others on a square home.
#[inline]
fn send_home(tokens: &mut Tokens, p: usize, at: u8) {
    for q in (0..4).filter(|&q| q != p) {
        for place in &mut tokens[q] {
            if square(q, *place) == at {
                *place = HOME;
            }
        }
    }
}
