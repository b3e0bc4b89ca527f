//! Features of a RoPaSci 360 position for a linear evaluation: the tokens and throws left, how soon tokens
//! can take others, and which tokens can never be taken.
//!
//! Every feature is upper's count less lower's, so that an evaluation without a constant is fair to
//! both. They are made for search: a position takes some hundred nanoseconds.

use super::hexes::{DISTANCE, HEXES, NEAR};
use super::{State, THROWS, beater};
use crate::bits::indices;

/// The number of features.
pub const COUNT: usize = 23;

/// The names of the features.
pub const NAMES: [&str; COUNT] = [
    "throws",
    "tokens",
    "share",
    "empty",
    "one_left",
    "two_left",
    "reached",
    "fork",
    "guarded",
    "two",
    "three",
    "four",
    "free",
    "zone",
    "invincible",
    "immortals",
    "kinds",
    "stacked",
    "edge",
    "pairs",
    "centre",
    "near",
    "second_near",
];

/// The meaning of each feature, for one player.
pub const MEANINGS: [&str; COUNT] = [
    "throws left",
    "tokens on the board",
    "the share of all that is alive",
    "no throws left",
    "one token or throw left in all",
    "two tokens or throws left in all",
    "tokens that can be taken next turn",
    "such tokens beyond the first",
    "such tokens whose taker can be taken in turn",
    "tokens two steps from a hunter",
    "tokens three steps from a hunter",
    "tokens four steps from a hunter",
    "tokens that nothing on the board hunts",
    "tokens where the other can throw",
    "is there a token that nothing can ever beat?",
    "tokens that nothing can ever beat",
    "different symbols on the board",
    "tokens that share a hex",
    "hunted tokens on the edge",
    "neighbours to swing around",
    "steps of all tokens from the centre",
    "how near the nearest hunter is, over all tokens: 1 on the same hex, 0 eight steps away",
    "how near the second nearest hunter is",
];

/// The features, and the share of all throws that is left: the phase of the game, 1 at the start.
pub fn of(state: &State) -> ([f32; COUNT], f32) {
    let reach = [0, 1].map(|p| reaches(state, p));
    let upper = side(state, 0, &reach);
    let lower = side(state, 1, &reach);
    let mut difference = [0.0; COUNT];
    for ((out, a), b) in difference.iter_mut().zip(upper).zip(lower) {
        *out = a - b;
    }
    let left = 2 * THROWS - state.used[0].min(THROWS) - state.used[1].min(THROWS);
    (difference, f32::from(left) / f32::from(2 * THROWS))
}

/// The hexes that a player's tokens of each symbol can move to.
fn reaches(state: &State, player: usize) -> [u64; 3] {
    let mut reach = [0; 3];
    for (symbol, set) in reach.iter_mut().enumerate() {
        for hex in indices(state.symbols[symbol] & state.sides[player]) {
            let (slides, swings) = state.reach(player, hex);
            *set |= slides | swings;
        }
    }
    reach
}

/// The centre of the board, and its edge.
const CENTRE: usize = 30;

fn side(state: &State, me: usize, reach: &[[u64; 3]; 2]) -> [f32; COUNT] {
    let other = me ^ 1;
    let throws = [0, 1].map(|p| f32::from(THROWS - state.used[p].min(THROWS)));
    let disarmed = throws[other] == 0.0;
    let (mut tokens, mut reached, mut guarded, mut free, mut kinds, mut stacked) =
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    let (mut edge, mut pairs, mut centre) = (0.0, 0.0, 0.0);
    let mut steps = [0.0; 3];
    let mut ways = [0.0; 2];
    for symbol in 0..3 {
        let own = state.symbols[symbol] & state.sides[me];
        if own == 0 {
            continue;
        }
        kinds += 1.0;
        let hunters = state.symbols[beater(symbol)] & state.sides[other];
        let taken = reach[other][beater(symbol)];
        // The symbol that beats the hunter is the one that this symbol beats.
        let avengers = reach[me][beater(beater(symbol))];
        for hex in indices(own) {
            let count = f32::from(state.counts[me][hex as usize]);
            tokens += count;
            stacked += count - 1.0;
            centre += count * f32::from(DISTANCE[hex as usize][CENTRE]);
            pairs += (NEAR[hex as usize] & state.sides[me]).count_ones() as f32;
            if hunters == 0 {
                free += count;
                continue;
            }
            if NEAR[hex as usize].count_ones() < 6 {
                edge += count;
            }
            let [first, second] = two_nearest(hunters, &state.counts[other], hex);
            ways[0] += count * (1.0 - f32::from(first) / FAR);
            ways[1] += count * (1.0 - f32::from(second) / FAR);
            if taken >> hex & 1 == 1 {
                reached += count;
                guarded += count * (avengers >> hex & 1) as f32;
                continue;
            }
            if let Some(at) = steps.get_mut(usize::from(first).max(2) - 2) {
                *at += count;
            }
        }
    }
    let enemies = state.tokens(other) as f32;
    let alive = throws[me] + tokens;
    let all = alive + throws[other] + enemies;
    let zone = match disarmed {
        true => 0.0,
        false => (state.zone(other) & state.sides[me]).count_ones() as f32,
    };
    let immortals = if disarmed { free } else { 0.0 };
    let flag = |is: bool| f32::from(u8::from(is));
    [
        throws[me],
        tokens,
        if all > 0.0 { alive / all } else { 0.5 },
        flag(throws[me] == 0.0),
        flag(alive == 1.0),
        flag(alive == 2.0),
        reached,
        (reached - 1.0).max(0.0),
        guarded,
        steps[0],
        steps[1],
        steps[2],
        free,
        zone,
        flag(immortals > 0.0),
        immortals,
        kinds,
        stacked,
        edge,
        pairs,
        centre,
        ways[0],
        ways[1],
    ]
}

/// How near a player's hunters are to the other's tokens, in the mean over these tokens: 1 on the same hex, 0 eight steps away or
/// where nothing hunts them. The nearest hunter counts for more than the second nearest, which cuts off the way. 1 where no
/// token is left.
pub fn hunt(state: &State, player: usize) -> f32 {
    let [me, other] = [player & 1, (player & 1) ^ 1];
    let (mut near, mut tokens) = (0.0, 0.0);
    for symbol in 0..3 {
        let hunters = state.symbols[beater(symbol)] & state.sides[me];
        for hex in indices(state.symbols[symbol] & state.sides[other]) {
            let count = f32::from(state.counts[other][hex as usize]);
            tokens += count;
            if hunters != 0 {
                let [first, second] =
                    two_nearest(hunters, &state.counts[me], hex).map(|way| f32::from(way) / FAR);
                near += count * (1.0 - FIRST * first - (1.0 - FIRST) * second);
            }
        }
    }
    if tokens > 0.0 { near / tokens } else { 1.0 }
}

/// The longest way on the board.
const FAR: f32 = 8.0;
/// The share of the nearest of two hunters.
const FIRST: f32 = 0.7;

/// The steps from the nearest and the second nearest hunter; a single hunter is second from far away, too.
fn two_nearest(hunters: u64, counts: &[u8; HEXES], hex: u32) -> [u8; 2] {
    let [mut first, mut second] = [FAR as u8; 2];
    for hunter in indices(hunters) {
        let way = DISTANCE[hunter as usize][hex as usize];
        let pair = counts[hunter as usize] > 1;
        if way < first {
            second = if pair { way } else { first };
            first = way;
        } else if way < second {
            second = way;
        }
    }
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::super::Ropasci360;
    use super::*;
    use ludex_core::{Game, Spec};

    fn features(text: &str) -> ([f32; COUNT], f32) {
        let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
        of(&game.parse_position(text).unwrap())
    }

    fn named(text: &str, name: &str) -> f32 {
        features(text).0[NAMES.iter().position(|n| *n == name).unwrap()]
    }

    #[test]
    fn a_mirrored_position_has_opposite_features() {
        let (one, phase) = features("1,0=R 0,0=SS -1,0=p | 4,2 | 7");
        let (two, same) = features("-1,0=r 0,0=ss 1,0=P | 2,4 | 7");
        assert_eq!(phase, same);
        assert!(one.iter().zip(two).all(|(a, b)| (a + b).abs() < 1e-6), "{one:?} {two:?}");
    }

    #[test]
    fn who_can_be_taken_and_who_takes_in_turn() {
        // Lower's scissors stand beside upper's rock; upper's paper is two steps from them.
        let text = "0,0=s 0,1=R 2,-1=P | 2,1 | 3";
        assert_eq!(named(text, "reached"), -1.0);
        assert_eq!(named(text, "two"), 1.0);
        // A second token of its own beside the paper shields it, but scissors can still swing to it.
        assert_eq!(named("0,0=s 1,-1=s 2,-1=P | 1,2 | 3", "reached"), 1.0);
        // Paper is lost to scissors, which then are lost to the rock beside them.
        assert_eq!(named("0,0=s 0,1=P 0,2=R | 2,1 | 3", "guarded"), 1.0);
    }

    #[test]
    fn how_near_the_two_nearest_hunters_are() {
        // Papers two and four steps from the rock; scissors hunt nothing here.
        let text = "0,0=R 2,0=p 0,4=p -4,0=s | 1,3 | 3";
        assert_eq!(named(text, "near"), 6.0 / 8.0 - 4.0 / 8.0, "the rock's less the scissors'");
        assert_eq!(named(text, "second_near"), 4.0 / 8.0);
    }

    #[test]
    fn hunters_count_by_their_steps_to_the_prey() {
        let hunt = |text: &str, player: usize| {
            let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
            hunt(&game.parse_position(text).unwrap(), player)
        };
        // Upper's papers are two and four steps from the rock; nothing of lower's hunts paper.
        let text = "0,0=r 2,0=P 0,4=P | 3,1 | 3";
        assert!((hunt(text, 0) - (0.7 * 6.0 / 8.0 + 0.3 * 4.0 / 8.0)).abs() < 1e-6);
        assert_eq!(hunt(text, 1), 0.0);
        // A second token that nothing hunts halves the mean.
        assert!((hunt("0,0=r 2,0=P 0,4=P -4,0=s | 3,2 | 3", 0) - 0.3375).abs() < 1e-6);
    }

    #[test]
    fn what_nothing_can_beat_counts_only_without_throws() {
        assert_eq!(named("4,-4=R 0,0=s 0,1=s | 9,9 | 5", "immortals"), 1.0);
        assert_eq!(named("4,-4=R 0,0=s 0,1=s | 9,8 | 5", "immortals"), 0.0);
    }
}
