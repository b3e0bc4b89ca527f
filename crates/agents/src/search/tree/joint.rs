//! Joint nodes: several players choose at once, so that a best move may need to be a mixture.
//!
//! Each mover chooses its own arm without knowing the others' ([`Rule`]). What the rules share is
//! kept here: the node below each combination of arms, with the payoffs seen there, and two
//! numbers an arm.

use super::Id;
use ludex_core::Rng;
use rustc_hash::FxHashMap;

/// How a mover chooses its arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rule {
    /// Decoupled UCB1: each mover as if it were alone (Finnsson and Björnsson 2008; Tak, Lanctot,
    /// Winands 2014). Need not come to rest at an equilibrium.
    Ducb,
    /// Regret matching (Hart and Mas-Colell 2000; Lanctot, Wittlinger, Winands, Den Teuling 2013,
    /// "Monte Carlo Tree Search for Simultaneous Move Games", section 4): in proportion to how
    /// much better each arm would have done against what the others did.
    #[default]
    Regret,
    /// Exp3 (Auer, Cesa-Bianchi, Freund, Schapire 2002, Fig. 1; Lanctot et al. 2013, section 4).
    Exp3,
}

impl Rule {
    /// The share of choices that are uniform, whatever was learned.
    fn exploration(self) -> f32 {
        match self {
            Rule::Ducb => 0.0,
            Rule::Regret => 0.05,
            Rule::Exp3 => 0.1,
        }
    }
}

ludex_core::words!(Rule { Ducb = "ducb", Regret = "regret", Exp3 = "exp3" });

/// The statistics of a joint node.
#[derive(Debug, Clone, Default)]
pub struct Joint {
    seats: usize,
    cells: FxHashMap<u64, Cell>,
    /// The sums of payoffs of each cell, one a seat.
    sums: Vec<f32>,
    /// By arm: its regret, or, for Exp3, its estimated sum of payoffs.
    score: Vec<f32>,
    /// By arm: the sum of the strategies so far, without the exploration.
    average: Vec<f32>,
}

/// One combination of arms.
#[derive(Debug, Clone, Copy)]
struct Cell {
    child: Id,
    /// Where its sums begin.
    at: u32,
    visits: u32,
}

/// A mover's run of arms, as offsets into its node's family.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The first arm.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// The mover.
    pub mover: u8,
}

impl Joint {
    /// A table for this number of arms, blanks between runs included.
    pub fn new(arms: usize, seats: usize) -> Self {
        Joint { seats, score: vec![0.0; arms], average: vec![0.0; arms], ..Joint::default() }
    }

    /// The node below a combination.
    #[inline]
    pub fn child(&self, key: u64) -> Option<Id> {
        self.cells.get(&key).map(|cell| cell.child)
    }

    /// The first visit of a combination.
    pub fn insert(&mut self, key: u64, child: Id) {
        let at = self.sums.len() as u32;
        self.sums.resize(self.sums.len() + self.seats, 0.0);
        self.cells.insert(key, Cell { child, at, visits: 0 });
    }

    /// The nodes below, always in the same order.
    pub fn children(&mut self) -> Vec<&mut Id> {
        let mut cells: Vec<(&u64, &mut Cell)> = self.cells.iter_mut().collect();
        cells.sort_unstable_by_key(|(key, _)| **key);
        cells.into_iter().map(|(_, cell)| &mut cell.child).collect()
    }

    /// The share of each arm of a run, without exploration.
    fn strategy(&self, rule: Rule, run: Run, out: &mut Vec<f32>) {
        out.clear();
        let scores = &self.score[run.first..run.first + run.count];
        match rule {
            Rule::Regret | Rule::Ducb => out.extend(scores.iter().map(|r| r.max(0.0))),
            Rule::Exp3 => {
                let eta = rule.exploration() / run.count as f32;
                let top = scores.iter().copied().fold(f32::MIN, f32::max);
                out.extend(scores.iter().map(|s| (eta * (s - top)).exp()));
            }
        }
        let total: f32 = out.iter().sum();
        match total > 0.0 {
            true => out.iter_mut().for_each(|share| *share /= total),
            false => out.fill(1.0 / run.count as f32),
        }
    }

    /// Draws an arm of a run; `pad` is scratch space.
    pub fn draw(&mut self, rule: Rule, run: Run, rng: &mut Rng, pad: &mut Vec<f32>) -> usize {
        self.strategy(rule, run, pad);
        for (sum, share) in self.average[run.first..].iter_mut().zip(&*pad) {
            *sum += share;
        }
        if (rng.unit() as f32) < rule.exploration() {
            return run.first + rng.index(run.count);
        }
        run.first + draw(pad, rng)
    }

    /// Learns the payoffs of a combination: `arms[i]`, an offset, is the choice of `runs[i]`.
    pub fn learn(
        &mut self,
        rule: Rule,
        runs: &[Run],
        arms: &mut [usize],
        payoffs: &[f32],
        pad: &mut Vec<f32>,
    ) {
        if let Some(cell) = self.cells.get_mut(&key_of(arms)) {
            cell.visits += 1;
            let sums = &mut self.sums[cell.at as usize..];
            sums.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += payoff);
        }
        for (i, &run) in runs.iter().enumerate() {
            let payoff = payoffs[run.mover as usize];
            let chosen = arms[i];
            match rule {
                Rule::Ducb => {}
                Rule::Regret => {
                    // Another arm's payoff against the same choice of the others is the mean of its cell. A cell
                    // without a visit tells nothing.
                    for arm in run.first..run.first + run.count {
                        arms[i] = arm;
                        let seen = self.cells.get(&key_of(arms)).filter(|cell| cell.visits > 0);
                        if let Some(cell) = seen.filter(|_| arm != chosen) {
                            let sum = self.sums[cell.at as usize + run.mover as usize];
                            self.score[arm] += sum / cell.visits as f32 - payoff;
                        }
                    }
                    arms[i] = chosen;
                }
                Rule::Exp3 => {
                    self.strategy(rule, run, pad);
                    let gamma = rule.exploration();
                    let share = pad[chosen - run.first];
                    let chance = (1.0 - gamma) * share + gamma / run.count as f32;
                    self.score[chosen] += payoff / chance;
                }
            }
        }
    }

    /// The average strategy of a run. It converges to an equilibrium in two-player zero-sum matrix games.
    pub fn average(&self, run: Run) -> Vec<f32> {
        let sums = &self.average[run.first..run.first + run.count];
        let total: f32 = sums.iter().sum();
        sums.iter().map(|sum| if total > 0.0 { sum / total } else { 0.0 }).collect()
    }
}

/// Draws an index by shares.
pub fn draw(shares: &[f32], rng: &mut Rng) -> usize {
    let total: f32 = shares.iter().sum();
    let mut left = rng.unit() as f32 * total;
    shares
        .iter()
        .position(|share| {
            left -= share;
            left < 0.0
        })
        .unwrap_or(shares.len().saturating_sub(1))
}

/// The key of a combination of arms, given as slots of the family that begins at `first`.
pub fn combination(first: Id, arms: &[Id]) -> u64 {
    arms.iter().fold(0, |key, arm| step(key, (arm - first) as usize))
}

/// The key of a combination of arms, given as offsets into the family.
fn key_of(arms: &[usize]) -> u64 {
    arms.iter().fold(0, |key, &arm| step(key, arm))
}

fn step(key: u64, arm: usize) -> u64 {
    key.wrapping_mul(0x1_0000_01b3).wrapping_add(arm as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a matrix game of two (payoffs of the first, the second gets the rest) against itself
    /// and returns the average strategies.
    fn solve(rule: Rule, matrix: &[&[f32]], rounds: u32) -> [Vec<f32>; 2] {
        let (rows, columns) = (matrix.len(), matrix[0].len());
        let runs = [
            Run { first: 0, count: rows, mover: 0 },
            Run { first: rows, count: columns, mover: 1 },
        ];
        let mut joint = Joint::new(rows + columns, 2);
        let (mut rng, mut pad) = (ludex_core::Seed(1).rng(), Vec::new());
        for _ in 0..rounds {
            let mut arms = runs.map(|run| joint.draw(rule, run, &mut rng, &mut pad));
            if joint.child(key_of(&arms)).is_none() {
                joint.insert(key_of(&arms), 0);
            }
            let payoff = matrix[arms[0]][arms[1] - rows];
            joint.learn(rule, &runs, &mut arms, &[payoff, 1.0 - payoff], &mut pad);
        }
        runs.map(|run| joint.average(run))
    }

    /// How much the best answers gain against both strategies together.
    fn exploitability(matrix: &[&[f32]], [row, column]: &[Vec<f32>; 2]) -> f32 {
        let against_column = matrix
            .iter()
            .map(|payoffs| payoffs.iter().zip(column).map(|(p, share)| p * share).sum::<f32>());
        let against_row = (0..column.len()).map(|j| {
            matrix.iter().zip(row).map(|(payoffs, share)| payoffs[j] * share).sum::<f32>()
        });
        against_column.fold(f32::MIN, f32::max) - against_row.fold(f32::MAX, f32::min)
    }

    #[test]
    fn regret_matching_and_exp3_approach_the_equilibrium_of_a_biased_matrix() {
        // Rock, paper, scissors in which rock wins double: equilibrium 1/4, 1/2, 1/4 in paper's
        // favour; in payoffs from 0 to 1.
        let biased: &[&[f32]] = &[&[0.5, 0.25, 1.0], &[0.75, 0.5, 0.25], &[0.0, 0.75, 0.5]];
        for (rule, bound) in [(Rule::Regret, 0.02), (Rule::Exp3, 0.08)] {
            let found = solve(rule, biased, 200_000);
            let gain = exploitability(biased, &found);
            assert!(gain < bound, "{rule}: {gain} {found:?}");
            assert!((found[0][1] - 0.5).abs() < 0.1, "{rule}: {found:?}");
        }
    }

    #[test]
    fn a_dominated_arm_is_left() {
        let matrix: &[&[f32]] = &[&[0.6, 0.7], &[0.2, 0.1]];
        for rule in [Rule::Regret, Rule::Exp3] {
            let found = solve(rule, matrix, 20_000);
            assert!(found[0][0] > 0.9 && found[1][0] > 0.9, "{rule}: {found:?}");
        }
    }
}
