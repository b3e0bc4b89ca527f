//! Trees that take the best split at every node (CART, Breiman et al. 1984).
//!
//! The best split lowers the sum of squares of all targets about their means the most. For classes, with one target per
//! class that is 1 or 0, this is Gini's criterion. So the same code grows trees for regression, for several targets at
//! once, and for classification.

use super::columns::Columns;
use ludex_core::Rng;
use ludex_model::{Matrix, Tree};

/// The limits of a tree and the choice of its splits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Growth {
    /// The most splits on a path.
    pub(crate) depth: usize,
    /// The most leaves, where the split with the greatest gain comes first; 0 for any number.
    pub(crate) leaves: usize,
    /// The least weight of rows in a leaf.
    pub(crate) least: f64,
    /// The number of random columns that each split considers; 0 for all.
    pub(crate) tries: usize,
    /// Does each column get one random threshold instead of the best (extra trees, Geurts et al. 2006)?
    pub(crate) random: bool,
}

impl Default for Growth {
    fn default() -> Self {
        Growth { depth: usize::MAX, leaves: 0, least: 1.0, tries: 0, random: false }
    }
}

/// Scores with a smaller relative difference count as equal, and a random one is taken. Rounding depends on the order of
/// sums.
const TOLERANCE: f64 = 1e-10;

/// A node that may be split.
struct Open {
    node: usize,
    depth: usize,
    from: usize,
    to: usize,
    weight: f64,
    sums: Vec<f64>,
    /// For each flag: the weight of the rows with the rarer value, and their sums by target.
    weights: Vec<f64>,
    totals: Vec<f64>,
    /// The numbers that are not constant in the parent node. Only their rows are kept in order.
    active: Vec<u32>,
    split: Option<Split>,
}

#[derive(Clone, Copy)]
struct Split {
    place: usize,
    threshold: f64,
    gain: f64,
}

/// Grows trees on the same rows, one after the other.
pub(crate) struct Grower<'a> {
    columns: &'a Columns,
    y: &'a Matrix,
    growth: Growth,
    /// The rows of all nodes, and the same in the order of each number.
    rows: Vec<u32>,
    sorted: Vec<Vec<u32>>,
    left: Vec<bool>,
    pad: Vec<u32>,
    scores: Vec<f64>,
    thresholds: Vec<f64>,
    sums: Vec<f64>,
    draws: Vec<u32>,
    spare: Vec<(Vec<f64>, Vec<f64>)>,
}

impl<'a> Grower<'a> {
    pub(crate) fn new(columns: &'a Columns, y: &'a Matrix, growth: Growth) -> Self {
        let places = columns.flags.len() + columns.numbers.len();
        Grower {
            columns,
            y,
            growth,
            rows: Vec::new(),
            sorted: vec![Vec::new(); columns.numbers.len()],
            left: vec![false; columns.rows],
            pad: Vec::new(),
            scores: vec![0.0; places],
            thresholds: vec![0.0; columns.numbers.len()],
            sums: Vec::new(),
            draws: (0..columns.places.len() as u32).collect(),
            spare: Vec::new(),
        }
    }

    /// Grows a tree on the rows with a weight above 0. `allowed` says which flags and numbers the tree may use; empty: all.
    pub(crate) fn grow(&mut self, weights: &[f64], allowed: &[bool], rng: &mut Rng) -> Tree {
        let outputs = self.y.columns();
        let mut tree = Tree { outputs, ..Tree::default() };
        self.rows.clear();
        self.rows.extend((0..self.columns.rows as u32).filter(|&i| weights[i as usize] > 0.0));
        for (sorted, number) in self.sorted.iter_mut().zip(&self.columns.numbers) {
            sorted.clear();
            sorted.extend(number.order.iter().filter(|&&i| weights[i as usize] > 0.0));
        }
        let mut root = self.open(0, 0, 0, self.rows.len(), weights);
        root.active = (0..self.columns.numbers.len() as u32).collect();
        self.count(&mut root, weights);
        tree.push(&means(&root));
        self.judge(&mut root, weights, allowed, rng);
        let mut open = vec![root];
        let mut leaves = 1;
        while let Some(at) = self.pick(&open) {
            if self.growth.leaves > 0 && leaves >= self.growth.leaves {
                break;
            }
            let node = open.swap_remove(at);
            let Some(split) = node.split else { continue };
            leaves += 1;
            let middle = self.part(&node, split);
            let depth = node.depth + 1;
            let mut pair = [(node.from, middle), (middle, node.to)].map(|(from, to)| {
                let child = self.open(0, depth, from, to, weights);
                Open { node: tree.push(&means(&child)), active: node.active.clone(), ..child }
            });
            // Equal columns may differ in rows outside of training. A random one of them is used.
            let twins = &self.columns.twins[split.place];
            tree.feature[node.node] = twins[rng.index(twins.len())] as i32;
            tree.threshold[node.node] = split.threshold;
            tree.left[node.node] = pair[0].node as u32;
            tree.right[node.node] = pair[1].node as u32;
            // The sums of the smaller child are counted; the sums of the other child are the difference.
            let small = usize::from(pair[1].to - pair[1].from < pair[0].to - pair[0].from);
            let wanted = [self.useful(&pair[0]), self.useful(&pair[1])];
            if wanted[0] || wanted[1] {
                self.count(&mut pair[small], weights);
                let (mut w, mut t) = (node.weights, node.totals);
                w.iter_mut().zip(&pair[small].weights).for_each(|(a, b)| *a -= b);
                t.iter_mut().zip(&pair[small].totals).for_each(|(a, b)| *a -= b);
                (pair[1 - small].weights, pair[1 - small].totals) = (w, t);
            } else {
                self.spare.push((node.weights, node.totals));
            }
            for (mut child, wanted) in pair.into_iter().zip(wanted) {
                if wanted {
                    self.judge(&mut child, weights, allowed, rng);
                }
                if child.split.is_some() {
                    open.push(child);
                } else if !child.weights.is_empty() {
                    self.spare.push((child.weights, child.totals));
                }
            }
        }
        tree
    }

    /// The next node to split: the last one, or the one with the greatest gain if the leaves are limited.
    fn pick(&self, open: &[Open]) -> Option<usize> {
        if self.growth.leaves == 0 {
            return open.len().checked_sub(1);
        }
        let gain = |node: &Open| node.split.map_or(f64::NEG_INFINITY, |split| split.gain);
        (0..open.len()).max_by(|&a, &b| gain(&open[a]).total_cmp(&gain(&open[b])))
    }

    fn open(&self, node: usize, depth: usize, from: usize, to: usize, weights: &[f64]) -> Open {
        let mut sums = vec![0.0; self.y.columns()];
        let mut weight = 0.0;
        for &row in &self.rows[from..to] {
            let w = weights[row as usize];
            weight += w;
            let y = self.y.row(row as usize);
            sums.iter_mut().zip(y).for_each(|(sum, y)| *sum += w * y);
        }
        let (weights, totals) = (Vec::new(), Vec::new());
        let active = Vec::new();
        Open { node, depth, from, to, weight, sums, weights, totals, active, split: None }
    }

    /// Can the node be split?
    fn useful(&self, node: &Open) -> bool {
        if node.to - node.from < 2
            || node.depth >= self.growth.depth
            || node.weight < 2.0 * self.growth.least
        {
            return false;
        }
        let first = self.y.row(self.rows[node.from] as usize);
        self.rows[node.from..node.to].iter().any(|&row| self.y.row(row as usize) != first)
    }

    /// Sums up the rows of a node by flag.
    fn count(&mut self, node: &mut Open, weights: &[f64]) {
        let (flags, outputs) = (self.columns.flags.len(), self.y.columns());
        let (mut w, mut t) = self.spare.pop().unwrap_or_default();
        w.clear();
        w.resize(flags, 0.0);
        t.clear();
        t.resize(flags * outputs, 0.0);
        for &row in &self.rows[node.from..node.to] {
            let weight = weights[row as usize];
            let y = self.y.row(row as usize);
            if let [y] = y {
                for &flag in &self.columns.sparse[row as usize] {
                    w[flag as usize] += weight;
                    t[flag as usize] += weight * y;
                }
                continue;
            }
            for &flag in &self.columns.sparse[row as usize] {
                let flag = flag as usize;
                w[flag] += weight;
                let sums = &mut t[flag * outputs..(flag + 1) * outputs];
                sums.iter_mut().zip(y).for_each(|(sum, y)| *sum += weight * y);
            }
        }
        (node.weights, node.totals) = (w, t);
    }

    /// Finds the best split of a node.
    fn judge(&mut self, node: &mut Open, weights: &[f64], allowed: &[bool], rng: &mut Rng) {
        if !self.useful(node) {
            return;
        }
        let (columns, sorted) = (self.columns, &self.sorted);
        node.active.retain(|&number| {
            let number = number as usize;
            let value = |at: usize| columns.numbers[number].values[sorted[number][at] as usize];
            value(node.from) < value(node.to - 1)
        });
        let flags = self.columns.flags.len();
        let base = node.sums.iter().map(|s| s * s).sum::<f64>() / node.weight;
        let none = f64::NEG_INFINITY;
        self.scores.fill(none);
        let all = self.growth.tries == 0 || self.growth.tries >= self.columns.places.len();
        if all {
            self.flag_scores(node);
            for i in 0..node.active.len() {
                self.number_score(node, node.active[i] as usize, weights, rng);
            }
            if !allowed.is_empty() {
                for (score, allowed) in self.scores.iter_mut().zip(allowed) {
                    *score = if *allowed { *score } else { none };
                }
            }
        } else {
            // Draw `tries` columns of the table, constant ones included, and more until one can be split.
            let (n, mut drawn, mut found) = (self.draws.len(), 0, false);
            while drawn < n && (drawn < self.growth.tries || !found) {
                let at = drawn + rng.index(n - drawn);
                self.draws.swap(drawn, at);
                let column = self.draws[drawn] as usize;
                drawn += 1;
                let Some(place) = self.columns.places[column] else { continue };
                let place = place as usize;
                if !allowed.is_empty() && !allowed[place] {
                    continue;
                }
                if self.scores[place] == none {
                    match place.checked_sub(flags) {
                        None => self.scores[place] = self.flag_score(node, place),
                        Some(number) if node.active.binary_search(&(number as u32)).is_err() => {}
                        Some(number) => self.number_score(node, number, weights, rng),
                    }
                }
                found |= self.scores[place] > none;
            }
        }
        let best = self.scores.iter().copied().fold(none, f64::max);
        // A split without gain is made, too, because the next one may gain.
        if best == none || (self.growth.leaves > 0 && best <= base) {
            return;
        }
        let close = best - TOLERANCE * best.abs().max(1e-300);
        let twins = &self.columns.twins;
        let tied = self.scores.iter().zip(twins).filter(|(score, _)| **score >= close);
        let mut left = rng.index(tied.map(|(_, twins)| twins.len()).sum());
        for (place, score) in self.scores.iter().enumerate() {
            if *score < close {
                continue;
            }
            match left.checked_sub(twins[place].len()) {
                Some(rest) => left = rest,
                None => {
                    let threshold = match place.checked_sub(flags) {
                        None => self.columns.flags[place].threshold,
                        Some(number) => self.thresholds[number],
                    };
                    node.split = Some(Split { place, threshold, gain: best - base });
                    return;
                }
            }
        }
    }

    /// The scores of all flags.
    fn flag_scores(&mut self, node: &Open) {
        let least = self.growth.least;
        if let [sum] = node.sums[..] {
            let sums = node.weights.iter().zip(&node.totals);
            for (score, (&w, &s)) in self.scores.iter_mut().zip(sums) {
                let (rest, other) = (node.weight - w, sum - s);
                let split = w >= least && rest >= least;
                let value = s * s / w + other * other / rest;
                *score = if split { value } else { f64::NEG_INFINITY };
            }
            return;
        }
        for flag in 0..self.columns.flags.len() {
            self.scores[flag] = self.flag_score(node, flag);
        }
    }

    fn flag_score(&self, node: &Open, flag: usize) -> f64 {
        let (w, outputs) = (node.weights[flag], node.sums.len());
        let rest = node.weight - w;
        if w < self.growth.least || rest < self.growth.least {
            return f64::NEG_INFINITY;
        }
        let (mut here, mut there) = (0.0, 0.0);
        for (s, sum) in node.totals[flag * outputs..(flag + 1) * outputs].iter().zip(&node.sums) {
            here += s * s;
            there += (sum - s) * (sum - s);
        }
        here / w + there / rest
    }

    /// Scores the best (or a random) threshold of a number.
    fn number_score(&mut self, node: &Open, number: usize, weights: &[f64], rng: &mut Rng) {
        let values = &self.columns.numbers[number].values;
        let rows = &self.sorted[number][node.from..node.to];
        let (low, high) = (values[rows[0] as usize], values[rows[rows.len() - 1] as usize]);
        let place = self.columns.flags.len() + number;
        let chosen = self.growth.random.then(|| low + rng.unit() * (high - low));
        let least = self.growth.least;
        let skipped = |here: f64, next: f64| chosen.is_some_and(|c| !(here <= c && c < next));
        let (mut w, mut best) = (0.0, f64::NEG_INFINITY);
        let mut here = low;
        if let [total] = node.sums[..] {
            let mut sum = 0.0;
            for pair in rows.windows(2) {
                let (row, next) = (pair[0] as usize, values[pair[1] as usize]);
                w += weights[row];
                sum += weights[row] * self.y.row(row)[0];
                let (this, rest) = (here, node.weight - w);
                here = next;
                if this == next || w < least || rest < least || skipped(this, next) {
                    continue;
                }
                let score = sum * sum / w + (total - sum) * (total - sum) / rest;
                if score > best {
                    best = score;
                    self.thresholds[number] = chosen.unwrap_or(0.5 * (this + next));
                }
            }
            self.scores[place] = best;
            return;
        }
        self.sums.clear();
        self.sums.resize(node.sums.len(), 0.0);
        for pair in rows.windows(2) {
            let (row, next) = (pair[0] as usize, values[pair[1] as usize]);
            w += weights[row];
            let y = self.y.row(row);
            self.sums.iter_mut().zip(y).for_each(|(sum, y)| *sum += weights[row] * y);
            let (this, rest) = (here, node.weight - w);
            here = next;
            if this == next || w < least || rest < least || skipped(this, next) {
                continue;
            }
            let (mut left, mut right) = (0.0, 0.0);
            for (s, sum) in self.sums.iter().zip(&node.sums) {
                left += s * s;
                right += (sum - s) * (sum - s);
            }
            let score = left / w + right / rest;
            if score > best {
                best = score;
                self.thresholds[number] = chosen.unwrap_or(0.5 * (this + next));
            }
        }
        self.scores[place] = best;
    }

    /// Partitions the rows of a node by a split. Returns the index of the first row of the right child.
    fn part(&mut self, node: &Open, split: Split) -> usize {
        let flags = self.columns.flags.len();
        match split.place.checked_sub(flags) {
            None => {
                let low = self.columns.flags[split.place].low;
                let place = split.place as u32;
                for &row in &self.rows[node.from..node.to] {
                    let rare = self.columns.sparse[row as usize].binary_search(&place).is_ok();
                    self.left[row as usize] = rare == low;
                }
            }
            Some(number) => {
                let values = &self.columns.numbers[number].values;
                for &row in &self.rows[node.from..node.to] {
                    self.left[row as usize] = values[row as usize] <= split.threshold;
                }
            }
        }
        let (left, pad) = (&self.left, &mut self.pad);
        let mut part = |rows: &mut [u32]| {
            pad.clear();
            let mut kept = 0;
            for i in 0..rows.len() {
                let row = rows[i];
                if left[row as usize] {
                    rows[kept] = row;
                    kept += 1;
                } else {
                    pad.push(row);
                }
            }
            rows[kept..].copy_from_slice(pad);
            kept
        };
        for &number in &node.active {
            part(&mut self.sorted[number as usize][node.from..node.to]);
        }
        node.from + part(&mut self.rows[node.from..node.to])
    }
}

fn means(node: &Open) -> Vec<f64> {
    node.sums.iter().map(|sum| sum / node.weight.max(f64::MIN_POSITIVE)).collect()
}
