//! The inputs of the learned value: a position as the player who has just moved sees it.
//!
//! Tokens: for each player in the order of turns, how many stand on each place. Dangers: for each
//! ordered pair of players, how likely the next throw of one is to send a token of the other home,
//! and how far that token had come. Who walks how far in all.

use ludex_games::ludo::{Places, Stars};

/// Inputs a player: up to four at home and in goal, one and more on each square of the track, and
/// the five squares of the lane.
const ROW: usize = 4 + 2 * 51 + 5 + 4;
/// Inputs that are on or off (a third token on one square counts as another second one).
pub const TOKENS: usize = 4 * ROW;
/// Inputs with a value: two a pair of players, and the way of each.
pub const DENSE: usize = 2 * 12 + 4;

/// The inputs of one position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features {
    /// The input of each token, below [`TOKENS`].
    pub tokens: [u16; 16],
    /// The inputs with a value.
    pub dense: [f32; DENSE],
}

const LAST: u8 = 51;

impl Features {
    /// The features of a position: `places` begin with the player who has just moved.
    pub fn of(places: &Places, stars: Stars) -> Self {
        let mut features = Features { tokens: [0; 16], dense: [0.0; DENSE] };
        for (row, tokens) in places.iter().enumerate() {
            for (i, &place) in tokens.iter().enumerate() {
                let before = tokens[..i].iter().filter(|&&other| other == place).count();
                let at = match place {
                    0 => before,
                    1..=LAST => 4 + usize::from(place - 1) + 51 * before.min(1),
                    52..=56 => 106 + usize::from(place - 52),
                    _ => 111 + before,
                };
                features.tokens[4 * row + i] = (row * ROW + at) as u16;
            }
            let way: u32 = tokens.iter().map(|&place| u32::from(place)).sum();
            features.dense[24 + row] = way as f32 / 228.0;
        }
        dangers(places, stars, &mut features.dense);
        features
    }
}

/// The player whose token stands on each square of the track.
struct Track {
    /// Tokens in all.
    all: [u8; 52],
    /// Tokens of each player.
    of: [[u8; 52]; 4],
}

/// The dangers of all pairs: a hit by so many of six throws, and the way lost by them.
fn dangers(places: &Places, stars: Stars, dense: &mut [f32; DENSE]) {
    let mut track = Track { all: [0; 52], of: [[0; 52]; 4] };
    for (row, tokens) in places.iter().enumerate() {
        for &place in tokens.iter().filter(|&&place| (1..=LAST).contains(&place)) {
            let at = (usize::from(place) + 13 * row) % 52;
            track.all[at] += 1;
            track.of[row][at] += 1;
        }
    }
    for (hitter, tokens) in places.iter().enumerate() {
        // By victim and throw, the longest way lost.
        let mut lost = [[0u8; 6]; 4];
        for (i, &from) in tokens.iter().enumerate() {
            if from >= LAST || tokens[..i].contains(&from) {
                continue;
            }
            if from == 0 {
                let at = (1 + 13 * hitter) % 52;
                if track.all[at] > track.of[hitter][at] {
                    for victim in (0..4).filter(|&v| v != hitter && track.of[v][at] > 0) {
                        note(&mut lost[victim][5], victim, at);
                    }
                }
                continue;
            }
            for die in 1..=6 {
                let to = from + die;
                if to > LAST {
                    break;
                }
                land(&track, hitter, to, die, stars, &mut lost);
            }
        }
        for (victim, lost) in lost.iter().enumerate().filter(|&(v, _)| v != hitter) {
            let pair = 3 * hitter + (victim + 3 - hitter) % 4;
            let throws = lost.iter().filter(|&&way| way > 0).count();
            let way: u32 = lost.iter().map(|&way| u32::from(way)).sum();
            dense[2 * pair] = throws as f32 / 6.0;
            dense[2 * pair + 1] = way as f32 / (6.0 * 51.0);
        }
    }
}

/// Writes down who would be hit by a token of `hitter` that comes to `to`.
#[inline]
fn land(track: &Track, hitter: usize, to: u8, die: u8, stars: Stars, lost: &mut [[u8; 6]; 4]) {
    let jump = match to % 13 {
        6 => 6,
        12 => 7,
        _ => 0,
    };
    let at = (usize::from(to) + 13 * hitter) % 52;
    let others = track.all[at] - track.of[hitter][at];
    let globe = matches!(to % 13, 1 | 9);
    if others >= 2 || others == 1 && globe {
        return;
    }
    let throw = usize::from(die - 1);
    if others == 1 && (jump == 0 || stars == Stars::Paper) {
        hit(track, hitter, at, throw, lost);
    }
    if jump > 0 && to != LAST {
        let at = (usize::from(to + jump) + 13 * hitter) % 52;
        // Stars are no globes.
        if track.all[at] - track.of[hitter][at] == 1 {
            hit(track, hitter, at, throw, lost);
        }
    }
}

#[inline]
fn hit(track: &Track, hitter: usize, at: usize, throw: usize, lost: &mut [[u8; 6]; 4]) {
    if let Some(victim) = (0..4).find(|&v| v != hitter && track.of[v][at] > 0) {
        note(&mut lost[victim][throw], victim, at);
    }
}

#[inline]
fn note(lost: &mut u8, victim: usize, at: usize) {
    let way = ((at + 52 - 13 * victim) % 52) as u8;
    *lost = (*lost).max(way);
}
