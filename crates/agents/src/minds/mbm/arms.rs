//! The common table of the population, `{core move: {depth: {win, neutral, loss}}}`, and the two
//! cost functions that choose from it (seed 004, sections 5.1 and 5.3).

use ludex_core::Move;
use std::cmp::Ordering;

/// How a simulation ended for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The mover alone came first.
    Win,
    /// A tie, or the depth limit.
    Neutral,
    /// Another came first.
    Loss,
}

/// One arm of the bandit: a core move and how its simulations ended, by depth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arm {
    /// The core move.
    pub mv: Move,
    /// Wins, neutrals and losses by depth in turns of the agent; the first entry is depth 0,
    /// at which nothing ends.
    depths: Vec<[u64; 3]>,
    /// The sums over all depths.
    total: [u64; 3],
}

/// The value of an arm under a [`Kind`](super::Kind): a class, then numbers that order arms of the same class.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Worth {
    class: Class,
    value: f64,
    /// Breaks ties: the share of wins, then the trials behind them.
    wins: f64,
    trials: u64,
}

/// The order of section 5.3: 'If move a never loses, it will be selected as topMove move by
/// default. Otherwise \[…\] a that win & tie but never lose, followed by a that tie, followed by
/// a that tie & lose, finally followed by a that only lose'. Arms that both win and lose, for
/// which the list has no place, stand below those that never lose and above those that never win,
/// in the order of the cost function. An arm without trials is better than one that only loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    OnlyLoses,
    Untried,
    TiesAndLoses,
    WinsAndLoses,
    OnlyTies,
    NeverLoses,
}

impl Arm {
    /// An arm without trials.
    pub fn new(mv: Move) -> Self {
        Arm { mv, ..Arm::default() }
    }

    /// Adds a simulation that ended after so many turns of the agent.
    pub fn add(&mut self, ending: Ending, depth: u32) {
        let depth = depth as usize;
        if self.depths.len() <= depth {
            self.depths.resize(depth + 1, [0; 3]);
        }
        self.depths[depth][ending as usize] += 1;
        self.total[ending as usize] += 1;
    }

    /// Adds the trials of another population.
    pub fn merge(&mut self, other: &Arm) {
        if self.depths.len() < other.depths.len() {
            self.depths.resize(other.depths.len(), [0; 3]);
        }
        for (mine, theirs) in self.depths.iter_mut().zip(&other.depths) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
        self.total.iter_mut().zip(&other.total).for_each(|(a, b)| *a += b);
    }

    /// Wins, neutrals and losses over all depths.
    pub fn total(&self) -> [u64; 3] {
        self.total
    }

    /// The depths at which simulations ended, each with its wins, neutrals and losses.
    pub fn depths(&self) -> impl DoubleEndedIterator<Item = (u32, [u64; 3])> {
        let rows = self.depths.iter().enumerate();
        rows.filter(|(_, row)| row.iter().any(|&n| n > 0)).map(|(d, &row)| (d as u32, row))
    }

    /// How often it was pulled.
    pub fn trials(&self) -> u64 {
        self.total.iter().sum()
    }

    /// The payoff that it promises: a tie counts half.
    pub fn mean(&self) -> f64 {
        let [wins, neutrals, _] = self.total;
        share(wins as f64 + neutrals as f64 / 2.0, self.trials() as f64)
    }

    fn class(&self) -> Class {
        match self.total {
            [0, 0, 0] => Class::Untried,
            [0, _, 0] => Class::OnlyTies,
            [_, _, 0] => Class::NeverLoses,
            [0, 0, _] => Class::OnlyLoses,
            [0, _, _] => Class::TiesAndLoses,
            _ => Class::WinsAndLoses,
        }
    }

    fn worth(&self, class: Class, value: f64) -> Worth {
        let wins = share(self.total[0] as f64, self.trials() as f64);
        Worth { class, value, wins, trials: self.trials() }
    }

    /// `Q_Norm = w / (w + l)` over all depths. Neutrals leave it as it is; among arms that tie
    /// and lose, the one that ties more often is better.
    fn normal(&self) -> Worth {
        let [wins, neutrals, losses] = self.total.map(|n| n as f64);
        let class = self.class();
        let value = match class {
            Class::TiesAndLoses => share(neutrals, neutrals + losses),
            _ => share(wins, wins + losses),
        };
        self.worth(class, value)
    }

    /// The share of wins at the greatest depth reached: `S_max`. The formula of section 5.3
    /// divides wins by losses, but the text below it reads `S_max = 1` as '100% certainty that
    /// the player will win on that state', and section 4 speaks of win percentages: wins over
    /// all, then, which also is a number where there are no losses.
    fn s_max(&self) -> f64 {
        self.depths().next_back().map_or(0.0, |(_, row)| share_of(row, Ending::Win))
    }

    /// `Q_Indiff`, by one of the readings of the text.
    fn indifferent(&self, reading: Reading) -> Worth {
        let first = self.depths().next().map_or([0; 3], |(_, row)| row);
        let s_max = self.s_max();
        let value = match reading {
            Reading::Ratio => s_max / divisor(share_of(first, Ending::Win)),
            Reading::Versus => s_max / divisor(share_of(first, Ending::Loss)),
            Reading::Difference => s_max - share_of(first, Ending::Win),
        };
        let class = match self.class() {
            Class::OnlyTies | Class::TiesAndLoses => Class::WinsAndLoses,
            class => class,
        };
        self.worth(class, value)
    }
}

/// How `Q_Indiff` compares the end of an arm with its beginning.
///
/// Section 5.3 writes `P = S_max / S_min`, and explains it as 'the ratio of how much we win in the
/// future versus how much we lose in the beginning'; section 4 subtracts percentages of wins. The
/// formula as written is the one that gives all of the seed's games of Nim, down to the moves it
/// prints, where an arm that never wins at its least depth is not divided at all (`P = S_max`). To
/// call such an arm infinitely good would be absurd, and finds none of the seed's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As written in 5.3: wins at the greatest depth over wins at the least.
    Ratio,
    /// As explained in 5.3: wins at the greatest depth over losses at the least.
    Versus,
    /// As written in 4: the difference of the two percentages.
    Difference,
}

ludex_core::words!(Reading { Ratio = "ratio", Versus = "versus", Difference = "difference" });

fn divisor(share: f64) -> f64 {
    if share > 0.0 { share } else { 1.0 }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn share_of(row: [u64; 3], ending: Ending) -> f64 {
    share(row[ending as usize] as f64, row.iter().sum::<u64>() as f64)
}

/// How a table is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// `Q_Norm`, for games in which each player has pieces of its own.
    Normal,
    /// `Q_Indiff`, for games in which both move the same pieces.
    Indifferent(Reading),
}

/// The arms in the order of the cost function, the best first, and how many share first place.
///
/// Where no arm has won or lost yet the depth was too small and there is 'no information': all
/// share the first place.
pub fn rank(arms: &[Arm], cost: Cost) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..arms.len()).collect();
    if arms.iter().all(|arm| arm.total[0] == 0 && arm.total[2] == 0) {
        return (order, arms.len());
    }
    let worths: Vec<Worth> = arms
        .iter()
        .map(|arm| match cost {
            Cost::Normal => arm.normal(),
            Cost::Indifferent(reading) => arm.indifferent(reading),
        })
        .collect();
    // 'If there is an S_max s.t. S_max = 1, we only consider a in A where S_max = 1.'
    let sure: Vec<bool> = arms.iter().map(|arm| arm.s_max() >= 1.0).collect();
    let filter = matches!(cost, Cost::Indifferent(_)) && sure.contains(&true);
    let compare = |&a: &usize, &b: &usize| {
        let by_filter = if filter { sure[b].cmp(&sure[a]) } else { Ordering::Equal };
        let (x, y) = (&worths[a], &worths[b]);
        by_filter
            .then(y.class.cmp(&x.class))
            .then(y.value.total_cmp(&x.value))
            .then(y.wins.total_cmp(&x.wins))
            .then(y.trials.cmp(&x.trials))
    };
    order.sort_by(compare);
    let ties = order.iter().take_while(|i| compare(&order[0], i) == Ordering::Equal).count();
    (order, ties)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(name: u64, rows: &[(u32, [u64; 3])]) -> Arm {
        let mut arm = Arm::new(Move(name));
        for &(depth, [wins, neutrals, losses]) in rows {
            for (ending, n) in
                [(Ending::Win, wins), (Ending::Neutral, neutrals), (Ending::Loss, losses)]
            {
                (0..n).for_each(|_| arm.add(ending, depth));
            }
        }
        arm
    }

    fn order(arms: &[Arm], cost: Cost) -> Vec<u64> {
        rank(arms, cost).0.iter().map(|&i| arms[i].mv.0).collect()
    }

    #[test]
    fn normal_games_prefer_not_to_lose() {
        let arms = [
            arm(0, &[(1, [0, 0, 9])]),
            arm(1, &[(1, [0, 2, 8])]),
            arm(2, &[(1, [0, 5, 5])]),
            arm(3, &[(1, [9, 0, 1])]),
            arm(4, &[(1, [2, 0, 8])]),
            arm(5, &[(1, [0, 3, 0])]),
            arm(6, &[(1, [1, 9, 0])]),
            arm(7, &[(1, [5, 5, 0])]),
            arm(8, &[]),
        ];
        assert_eq!(order(&arms, Cost::Normal), [7, 6, 5, 3, 4, 2, 1, 8, 0]);
    }

    #[test]
    fn indifferent_games_look_at_the_last_depth_only_where_it_is_sure() {
        // 0 wins 90 % at the end, 1 to 3 always; at the beginning 1 never, 2 seldom, 3 often.
        let arms = [
            arm(0, &[(1, [1, 0, 9]), (4, [9, 0, 1])]),
            arm(1, &[(2, [0, 0, 5]), (3, [5, 0, 0])]),
            arm(2, &[(2, [1, 0, 4]), (3, [2, 0, 0])]),
            arm(3, &[(2, [4, 0, 1]), (3, [2, 0, 0])]),
        ];
        assert_eq!(order(&arms, Cost::Indifferent(Reading::Ratio)), [2, 3, 1, 0]);
        assert_eq!(order(&arms, Cost::Indifferent(Reading::Versus)), [3, 2, 1, 0]);
        assert_eq!(order(&arms, Cost::Indifferent(Reading::Difference)), [1, 2, 3, 0]);
    }

    #[test]
    fn without_information_all_are_equal() {
        let arms = [arm(0, &[(200, [0, 9, 0])]), arm(1, &[]), arm(2, &[(200, [0, 1, 0])])];
        assert_eq!(rank(&arms, Cost::Normal).1, 3);
    }

    #[test]
    fn merging_adds_row_by_row() {
        let mut one = arm(0, &[(1, [1, 0, 0])]);
        one.merge(&arm(0, &[(1, [1, 2, 0]), (3, [0, 0, 4])]));
        assert_eq!(one, arm(0, &[(1, [2, 2, 0]), (3, [0, 0, 4])]));
    }
}
