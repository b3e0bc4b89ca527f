//! The paper's three players (section 2.1): what a chromosome says about the position after each
//! move. Where the published program differs from the text, this follows the program: the paper's
//! figures come from it.

use super::frame::{AT_HOME, Frame, IN_GOAL, turned};
use super::{Stars, vulnerability};

/// The players, by their representation of actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Four weights for what a move does.
    Simple,
    /// Seven weights for where tokens stand.
    Advanced,
    /// A network of 237 inputs, 100 hidden neurons and one output.
    Full,
    /// Six weights for what a move does: the player of the fellow student (section 2.5), by the paper's text alone.
    Fellow,
}

/// Inputs of the network, the constant one included.
pub(super) const INPUTS: usize = 4 * SLOTS + 1;
/// Slots a player: home, 57 squares, goal.
pub(super) const SLOTS: usize = 59;
/// Hidden neurons.
pub(super) const HIDDEN: usize = 100;

impl Kind {
    /// The number of genes.
    pub fn genes(self) -> usize {
        match self {
            Kind::Simple => 4,
            Kind::Advanced => 7,
            Kind::Full => INPUTS * HIDDEN + HIDDEN,
            Kind::Fellow => 6,
        }
    }

    /// The name that people type.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Simple => "simple",
            Kind::Advanced => "advanced",
            Kind::Full => "full",
            Kind::Fellow => "fellow",
        }
    }

    /// The value of the position `after` a move in `before`, both as the mover sees them. Too few
    /// genes count as zeros.
    pub fn value(self, genes: &[f64], before: &Frame, after: &Frame, stars: Stars) -> f64 {
        match self {
            Kind::Simple => simple(genes, before, after),
            Kind::Advanced => advanced(genes, after, stars),
            Kind::Full => full(genes, after),
            Kind::Fellow => fellow(before, after, stars)
                .iter()
                .enumerate()
                .map(|(i, part)| part * gene(genes, i))
                .sum(),
        }
    }
}

fn gene(genes: &[f64], i: usize) -> f64 {
    genes.get(i).copied().unwrap_or(0.0)
}

/// A token has left home, entered the goal, entered lane or goal; tokens of others were sent home.
/// (The order of the program; the paper has lane before goal, and one bit for the last.)
fn simple(genes: &[f64], before: &Frame, after: &Frame) -> f64 {
    let count = |frame: &Frame, rows: std::ops::Range<usize>, f: fn(i8) -> bool| {
        frame[rows].iter().flatten().filter(|&&n| f(n)).count() as f64
    };
    let own = |f: fn(i8) -> bool| count(after, 0..1, f) - count(before, 0..1, f);
    let happened = |gain: f64| f64::from(u8::from(gain > 0.0));
    let parts = [
        happened(-own(|n| n == AT_HOME)),
        happened(own(|n| n == IN_GOAL)),
        happened(own(|n| n > 51)),
        count(after, 1..4, |n| n == AT_HOME) - count(before, 1..4, |n| n == AT_HOME),
    ];
    parts.iter().enumerate().map(|(i, part)| part * gene(genes, i)).sum()
}

/// The worth of all tokens of the frame's first player: the mean of four, each by its place, and
/// by 5/6 for every throw that may send it home.
fn worth(genes: &[f64], frame: &Frame, stars: Stars) -> f64 {
    let hits = vulnerability::of(frame, stars);
    let sums: [f64; 4] = [1, 2, 3, 4].map(|n| (0..n).map(|i| gene(genes, i)).sum());
    let token = |n: i8| match n {
        AT_HOME => 0.0,
        IN_GOAL => sums[3],
        0..=51 => gene(genes, 0) + gene(genes, 1) * f64::from(n) / 51.0,
        _ => sums[2],
    };
    let weighed = frame[0].iter().zip(hits).map(|(&n, h)| token(n) * (5.0f64 / 6.0).powi(h.into()));
    weighed.sum::<f64>() / 4.0
}

/// One's own worth less the others', who are weighed by strength, the strongest first.
fn advanced(genes: &[f64], after: &Frame, stars: Stars) -> f64 {
    let mut others = [1, 2, 3].map(|p| worth(genes, &turned(after, p), stars));
    others.sort_by(|a, b| b.total_cmp(a));
    let against: f64 = others.iter().enumerate().map(|(i, w)| w * gene(genes, 4 + i)).sum();
    worth(genes, after, stars) - against
}

/// What a move does, by the words of section 2.5: how far all tokens have come, a token has left home, a token of another was
/// sent home, the token that moved could hit one by its next throw, it went from danger to safety, it went into danger.
fn fellow(before: &Frame, after: &Frame, stars: Stars) -> [f64; 6] {
    let way = |n: i8| match n {
        AT_HOME => 0.0,
        IN_GOAL => 1.0,
        n => f64::from(n + 1) / 58.0,
    };
    let home = |frame: &Frame| frame[1..].iter().flatten().filter(|&&n| n == AT_HOME).count();
    let flag = |is: bool| f64::from(u8::from(is));
    let moved = (0..4).find(|&i| before[0][i] != after[0][i]);
    let feared = |frame: &Frame| moved.is_some_and(|i| vulnerability::of(frame, stars)[i] > 0);
    let (then, now) = (feared(before), feared(after));
    let from = moved.map_or(AT_HOME, |i| after[0][i]);
    // Tokens on the squares of safety send their guest home.
    let hit = |n: i8| {
        (0..52).contains(&from)
            && (1..=6).contains(&(n - from))
            && n < 52
            && ![1, 9].contains(&(n % 13))
    };
    [
        after[0].iter().map(|&n| way(n)).sum::<f64>() / 4.0,
        flag(moved.is_some_and(|i| before[0][i] == AT_HOME)),
        flag(home(after) > home(before)),
        flag(after[1..].iter().flatten().any(|&n| hit(n))),
        flag(then && !now),
        flag(!then && now),
    ]
}

/// The network. Lanes of others, which the mover sees as 57 and more, fall into the slot of the
/// goal, as in the program.
fn full(genes: &[f64], after: &Frame) -> f64 {
    if genes.len() < Kind::Full.genes() {
        return 0.0;
    }
    let (weights, output) = genes.split_at(INPUTS * HIDDEN);
    // The input is sparse: sixteen tokens and the constant.
    let mut hidden = [0.0; HIDDEN];
    let mut add = |row: usize| {
        let weights = &weights[row * HIDDEN..(row + 1) * HIDDEN];
        hidden.iter_mut().zip(weights).for_each(|(h, w)| *h += w);
    };
    for (p, row) in after.iter().enumerate() {
        for &n in row {
            add(p * SLOTS + (i32::from(n) + 1).clamp(0, SLOTS as i32 - 1) as usize);
        }
    }
    add(INPUTS - 1);
    let scale = (1.0 / INPUTS as f64).sqrt();
    hidden.iter().zip(output).map(|(h, w)| (h * scale).tanh() * w).sum()
}

/// The token that the *smart* player of the paper moves, where that is not left to chance: a six
/// with tokens at home brings one out (`None`: any of them); else the greatest sum of its own
/// numbers less the others', all as the mover sees them.
pub fn smart(before: &Frame, die: u8, next: &[Option<Frame>; 4]) -> Option<usize> {
    if die == 6 && before[0].contains(&AT_HOME) {
        return None;
    }
    let sum = |rows: &[[i8; 4]]| rows.iter().flatten().map(|&n| i32::from(n)).sum::<i32>();
    let mut best: Option<(i32, usize)> = None;
    for (token, next) in next.iter().enumerate() {
        let Some(next) = next else { continue };
        let lead = sum(&next[..1]) - sum(&next[1..]);
        if best.is_none_or(|(most, _)| lead > most) {
            best = Some((lead, token));
        }
    }
    best.map(|(_, token)| token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fellow_students_player_sees_what_the_text_says() {
        let far = [AT_HOME; 4];
        let before = [[AT_HOME, 20, IN_GOAL, 5], [24, AT_HOME, AT_HOME, AT_HOME], far, far];
        // A token leaves home.
        let mut after = before;
        after[0][0] = 1;
        let parts = fellow(&before, &after, Stars::Paper);
        assert_eq!(parts[1..], [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert!((parts[0] - (2.0 + 21.0 + 58.0 + 6.0) / 58.0 / 4.0).abs() < 1e-12);
        // A step towards the other's token: it can be hit by the next throw.
        let mut after = before;
        after[0][1] = 21;
        assert_eq!(fellow(&before, &after, Stars::Paper)[1..4], [0.0, 0.0, 1.0]);
        // The token is hit.
        let mut after = before;
        after[0][1] = 24;
        after[1][0] = AT_HOME;
        assert_eq!(fellow(&before, &after, Stars::Paper)[1..4], [0.0, 1.0, 0.0]);
        // A token goes past the other's, into the reach of its throws, and out of it.
        let [near, beyond] = [26, 35].map(|n| {
            let mut after = before;
            after[0][1] = n;
            after
        });
        assert_eq!(fellow(&before, &near, Stars::Paper)[4..], [0.0, 1.0]);
        assert_eq!(fellow(&near, &beyond, Stars::Paper)[4..], [1.0, 0.0]);
    }
}
