//! The four terms of the report's heuristic (Fern and Lyons Keenan 2021, section 2.2), as their
//! code has them: a player's advantage over the other, -1..=1 each.

use super::hexes::DISTANCE;
use super::{State, THROWS, beater, side};
use crate::bits::indices;
use ludex_core::Player;

/// The names of the terms: throws left, tokens killed, nearness of the hunters, diversity of the tokens.
pub const NAMES: [&str; 4] = ["throws", "kills", "distance", "diversity"];

/// The weights with which the report ends.
pub const REPORT: [f64; 4] = [1.0, 5.0, 1.0, 1.0];

/// How the distance of a hunter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// By its logarithm, as in the program that played.
    #[default]
    Log,
    /// By the steps themselves, as section 2.2 of the report has it: three hexes score three.
    Plain,
}

ludex_core::words!(Way { Log = "log", Plain = "plain" });

/// The value of each term for `player`, with the logarithms of distances.
pub fn of(state: &State, player: Player) -> [f64; 4] {
    of_way(state, player, Way::Log)
}

/// The value of each term for `player`.
pub fn of_way(state: &State, player: Player, way: Way) -> [f64; 4] {
    let (me, other) = (side(player), side(player) ^ 1);
    let used = state.used.map(f64::from);
    let tokens = [0, 1].map(|p| f64::from(state.tokens(p)));
    let dead = |p: usize| used[p] - tokens[p];
    let nine = f64::from(THROWS);
    [
        (used[other] - used[me]) / nine,
        (dead(other) - dead(me)) / nine,
        (hunt(state, other, tokens[me], way) - hunt(state, me, tokens[other], way)) / far(way),
        entropy(state, me) - entropy(state, other),
    ]
}

/// The heuristic: the weighted sum.
pub fn value(state: &State, player: Player, weights: &[f64; 4], way: Way) -> f64 {
    of_way(state, player, way).iter().zip(weights).map(|(term, weight)| term * weight).sum()
}

/// The steps, 1 to 10, from a token of `player` to the nearest token that it beats, and from its
/// token most in danger to the one that beats it; 10 where there is none.
pub fn nearest(state: &State, player: Player) -> [u8; 2] {
    let (me, other) = (side(player), side(player) ^ 1);
    let least = |hunter: usize, prey: usize| {
        let mut least = 9;
        for symbol in 0..3 {
            let hunters = state.symbols[beater(symbol)] & state.sides[hunter];
            for hex in indices(state.symbols[symbol] & state.sides[prey]) {
                for h in indices(hunters) {
                    least = least.min(DISTANCE[h as usize][hex as usize]);
                }
            }
        }
        least + 1
    };
    [least(me, other), least(other, me)]
}

/// The term of a token without a hunter, which is also the greatest possible. By logarithms it is that of the authors' program; the
/// report's text does not say what it was, so that it is one step more than the longest way on the board.
fn far(way: Way) -> f64 {
    match way {
        Way::Log => 4.0,
        Way::Plain => 9.0,
    }
}

/// How near the tokens of `hunter` are to their prey: the mean over the other's tokens of the way to the nearest token that
/// beats it, or of the logarithm of that way.
fn hunt(state: &State, hunter: usize, prey_tokens: f64, way: Way) -> f64 {
    if prey_tokens == 0.0 {
        return 0.0;
    }
    let prey = hunter ^ 1;
    let mut sum = 0.0;
    for symbol in 0..3 {
        let hunters = state.symbols[beater(symbol)] & state.sides[hunter];
        for hex in indices(state.symbols[symbol] & state.sides[prey]) {
            let steps = indices(hunters).map(|h| DISTANCE[h as usize][hex as usize]).min();
            let score = steps.map_or(far(way), |steps| match way {
                Way::Log => LOG[usize::from(steps)],
                Way::Plain => f64::from(steps),
            });
            sum += score * f64::from(state.counts[prey][hex as usize]);
        }
    }
    sum / prey_tokens
}

/// log2(1 + steps).
const LOG: [f64; 9] = [
    0.0,
    1.0,
    1.584_962_500_721_156,
    2.0,
    2.321_928_094_887_362,
    2.584_962_500_721_156,
    2.807_354_922_057_604,
    3.0,
    3.169_925_001_442_312,
];

/// The entropy of the symbols of a player's tokens, 1 where they are even. (The formula in the
/// report lacks the minus sign.) With counts c of n tokens: log n - sum c log c / n, which needs
/// the logarithms of small numbers alone.
fn entropy(state: &State, player: usize) -> f64 {
    let (mut total, mut sum) = (0usize, 0.0);
    for symbol in 0..3 {
        let own = indices(state.symbols[symbol] & state.sides[player]);
        let count: usize = own.map(|h| usize::from(state.counts[player][h as usize])).sum();
        total += count;
        sum += count as f64 * log(count);
    }
    match total {
        0 => 0.0,
        _ => (log(total) - sum / total as f64) / LOG[2],
    }
}

/// log2 of a number of tokens; 0 for none.
fn log(count: usize) -> f64 {
    count.checked_sub(1).and_then(|steps| LOG.get(steps)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::Ropasci360;
    use super::*;
    use ludex_core::{Game, Spec};

    #[test]
    fn three_hexes_score_three_in_the_text_and_two_in_the_program() {
        let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
        // Upper's scissors are three steps from lower's paper, which nothing of its own hunts.
        let state = game.parse_position("0,0=S 3,0=p | 1,1 | 1").unwrap();
        let distance = |way| of_way(&state, Player(0), way)[2];
        assert!((distance(Way::Plain) - (9.0 - 3.0) / 9.0).abs() < 1e-12);
        assert!((distance(Way::Log) - (4.0 - 2.0) / 4.0).abs() < 1e-12);
    }

    #[test]
    fn the_logarithms_are_right() {
        for (steps, log) in LOG.iter().enumerate() {
            assert!((log - (1.0 + steps as f64).log2()).abs() < 1e-15);
        }
    }
}
