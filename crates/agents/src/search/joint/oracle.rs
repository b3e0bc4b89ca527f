//! Backward induction over simultaneous moves by double oracle with alpha-beta bounds (Bošanský,
//! Lisý, Lanctot, Čermák and Winands 2016, sections 4.2 to 4.4).
//!
//! The value of a joint turn is that of the matrix of its successors. Most of its cells need not
//! be known: the *double oracle* solves the matrix of a few moves of each player, asks for the
//! best replies to that solution, and stops where they bring nothing new. And often no matrix is
//! needed: let one player choose first and the other see it, and plain *alpha-beta* finds a bound
//! on the value; where the bounds of both orders meet, the turn has a pure equilibrium.

use super::matrix::Matrix;
use crate::clock::Clock;
use crate::heuristic::Evaluator;
use ludex_core::deadline;
use ludex_core::{Game, Move, Player, Turn};
use rustc_hash::FxHashMap;

/// Values closer than this are one.
const EPSILON: f64 = 1e-9;

/// The player who chooses first where a joint turn is played one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The first player, which is bad for it: a lower bound on its value.
    RowFirst,
    /// The second player: an upper bound.
    ColumnFirst,
}

/// Bounds on the first player's value of a position, found by a search of `depth`.
#[derive(Debug, Clone, Copy)]
struct Known {
    low: f64,
    high: f64,
    depth: u32,
    sure: bool,
}

/// A solved turn: the chosen player's strategy, and the value of each move.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    /// The player's value, 0..=1.
    pub(crate) value: f64,
    /// Each move with its probability and its value against the other's strategy.
    pub(crate) moves: Vec<(Move, f64, f64)>,
    /// Did every line end?
    pub(crate) sure: bool,
}

/// A search. Values are payoffs, 0..=1, of the first player; the second gets the rest.
pub(crate) struct Search<G: Game> {
    evaluator: Evaluator,
    known: FxHashMap<u64, Known>,
    most_known: usize,
    pub(crate) nodes: u64,
    pub(crate) most_nodes: u64,
    pub(crate) clock: Clock,
    pub(crate) stopped: bool,
    /// Positions to write on.
    spare: Vec<G::State>,
    payoffs: Vec<f32>,
}

/// The row player is seat 0, the column player seat 1.
const ROW: Player = Player(0);
const COLUMN: Player = Player(1);

/// A joint turn being solved.
struct Turns<'a, G: Game> {
    state: &'a G::State,
    rows: Vec<Move>,
    columns: Vec<Move>,
    cells: Vec<Option<f64>>,
    depth: u32,
}

impl<G: Game> Search<G> {
    pub(crate) fn new(evaluator: Evaluator, most_known: usize, clock: Clock) -> Self {
        Search {
            evaluator,
            known: FxHashMap::default(),
            most_known,
            nodes: 0,
            most_nodes: u64::MAX,
            clock,
            stopped: false,
            spare: Vec::new(),
            payoffs: vec![0.0; 2],
        }
    }

    /// Clears the table of positions if it takes too much memory.
    pub(crate) fn tidy(&mut self) {
        if self.known.len() > self.most_known {
            self.known.clear();
        }
    }

    /// The strategy of `player` in `state`, looking `depth` turns ahead; `None` where the search
    /// was stopped.
    pub(crate) fn plan(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        depth: u32,
    ) -> Option<Plan> {
        let plan = match game.turn(state) {
            Turn::Joint(_) => self.plan_joint(game, state, player, depth),
            _ => self.plan_alone(game, state, player, depth),
        };
        (!self.stopped).then_some(plan)
    }

    /// Every move's value, and all weight on the best.
    fn plan_alone(&mut self, game: &G, state: &G::State, player: Player, depth: u32) -> Plan {
        let mut legal = Vec::new();
        game.moves(state, player, &mut legal);
        let mut plan = Plan { value: 0.0, moves: Vec::new(), sure: true };
        for &mv in &legal {
            let (value, sure) = self.child(game, state, &[mv], depth - 1, 0.0, 1.0);
            plan.moves.push((mv, 0.0, own(player, value)));
            plan.sure &= sure;
        }
        let best =
            (0..plan.moves.len()).max_by(|&a, &b| plan.moves[a].2.total_cmp(&plan.moves[b].2));
        if let Some(best) = best {
            plan.moves[best].1 = 1.0;
            plan.value = plan.moves[best].2;
        }
        plan
    }

    fn plan_joint(&mut self, game: &G, state: &G::State, player: Player, depth: u32) -> Plan {
        let mut turns = self.turns(game, state, depth);
        let (value, rows, columns, sure) = self.double_oracle(game, &mut turns, 0.0, 1.0);
        let (mine, weights) = match player {
            ROW => (turns.rows.clone(), &rows),
            _ => (turns.columns.clone(), &columns),
        };
        // The value of a move against the other's strategy; cells that were never computed count as the
        // worst, for no best reply lies there.
        let width = turns.columns.len();
        let worth = |i: usize| -> f64 {
            match player {
                ROW => (0..width)
                    .filter(|&c| columns[c] > 0.0)
                    .map(|c| columns[c] * turns.cells[i * width + c].unwrap_or(0.0))
                    .sum(),
                _ => (0..turns.rows.len())
                    .filter(|&r| rows[r] > 0.0)
                    .map(|r| rows[r] * (1.0 - turns.cells[r * width + i].unwrap_or(1.0)))
                    .sum(),
            }
        };
        let moves = mine.iter().enumerate().map(|(i, &mv)| (mv, weights[i], worth(i))).collect();
        Plan { value: own(player, value), moves, sure }
    }

    fn turns<'a>(&mut self, game: &G, state: &'a G::State, depth: u32) -> Turns<'a, G> {
        let list = |player: Player| {
            let mut moves = Vec::new();
            if game.turn(state).includes(player) {
                game.moves(state, player, &mut moves);
            }
            moves
        };
        let (rows, columns) = (list(ROW), list(COLUMN));
        self.stopped |= deadline::expired();
        let cells = vec![None; rows.len() * columns.len()];
        Turns { state, rows, columns, cells, depth }
    }

    /// Solves a joint turn: the value, both strategies over all moves, and whether it is sure.
    /// Where the value lies outside `alpha` and `beta` a bound is enough.
    fn double_oracle(
        &mut self,
        game: &G,
        turns: &mut Turns<'_, G>,
        alpha: f64,
        beta: f64,
    ) -> (f64, Vec<f64>, Vec<f64>, bool) {
        let (m, n) = (turns.rows.len(), turns.columns.len());
        let (mut sure, mut value) = (true, 0.5);
        let (mut x, mut y) = (vec![0.0; m], vec![0.0; n]);
        let (mut rows, mut columns) = (vec![0], vec![0]);
        while !self.stopped && m > 0 && n > 0 {
            let mut cells = Vec::with_capacity(rows.len() * columns.len());
            for &r in &rows {
                for &c in &columns {
                    cells.push(self.cell(game, turns, r, c, &mut sure));
                }
            }
            let solved = Matrix::new(columns.len(), cells).solve();
            value = solved.value;
            x.fill(0.0);
            y.fill(0.0);
            rows.iter().zip(&solved.rows).for_each(|(&r, &p)| x[r] = p);
            columns.iter().zip(&solved.columns).for_each(|(&c, &p)| y[c] = p);
            // The best replies of both players. A move is left as soon as it cannot be a best reply.
            let (mut high, mut best_row) = (value, None);
            for r in 0..m {
                if let Some(gain) = self.reply(game, turns, &y, high, ROW, r, &mut sure)
                    && gain > high + EPSILON
                {
                    (high, best_row) = (gain, Some(r));
                }
            }
            let (mut low, mut best_column) = (value, None);
            for c in 0..n {
                if let Some(loss) = self.reply(game, turns, &x, low, COLUMN, c, &mut sure)
                    && loss < low - EPSILON
                {
                    (low, best_column) = (loss, Some(c));
                }
            }
            if high <= alpha {
                value = high;
                break;
            }
            if low >= beta {
                value = low;
                break;
            }
            let fresh_row = best_row.filter(|r| !rows.contains(r));
            let fresh_column = best_column.filter(|c| !columns.contains(c));
            if fresh_row.is_none() && fresh_column.is_none() {
                break;
            }
            rows.extend(fresh_row);
            columns.extend(fresh_column);
        }
        (value, x, y, sure)
    }

    /// The value of `player`'s move `i` against the other's strategy; `None` once it is clear
    /// that it is no better than `bar`.
    #[expect(clippy::too_many_arguments, reason = "one place, one loop")]
    fn reply(
        &mut self,
        game: &G,
        turns: &mut Turns<'_, G>,
        other: &[f64],
        bar: f64,
        player: Player,
        i: usize,
        sure: &mut bool,
    ) -> Option<f64> {
        let mut sum = 0.0;
        let mut left: f64 = 1.0;
        for (j, &p) in other.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let (r, c) = if player == ROW { (i, j) } else { (j, i) };
            sum += p * self.cell(game, turns, r, c, sure);
            left -= p;
            // The rest may be all that the player hopes for, and it would not do.
            let hopeless = match player {
                ROW => sum + left <= bar + EPSILON,
                _ => sum >= bar - EPSILON,
            };
            if self.stopped || hopeless && left > EPSILON {
                return None;
            }
        }
        Some(sum)
    }

    /// The value after one pair of moves.
    fn cell(
        &mut self,
        game: &G,
        turns: &mut Turns<'_, G>,
        r: usize,
        c: usize,
        sure: &mut bool,
    ) -> f64 {
        let at = r * turns.columns.len() + c;
        if let Some(value) = turns.cells[at] {
            return value;
        }
        let joint = [turns.rows[r], turns.columns[c]];
        let (value, ends) = self.child(game, turns.state, &joint, turns.depth - 1, 0.0, 1.0);
        *sure &= ends;
        turns.cells[at] = Some(value);
        value
    }

    /// The value of the position after `joint`.
    fn child(
        &mut self,
        game: &G,
        state: &G::State,
        joint: &[Move],
        depth: u32,
        alpha: f64,
        beta: f64,
    ) -> (f64, bool) {
        // A value asked for after the search has ended is not used.
        if self.stopped {
            return (0.5, false);
        }
        let next = self.after(game, state, joint);
        let found = self.value(game, &next, depth, alpha, beta);
        self.spare.push(next);
        found
    }

    fn after(&mut self, game: &G, state: &G::State, joint: &[Move]) -> G::State {
        let mut next = match self.spare.pop() {
            Some(mut spare) => {
                spare.clone_from(state);
                spare
            }
            None => state.clone(),
        };
        game.apply(&mut next, joint);
        next
    }

    /// Counts a position; is the search over its limits?
    fn out_of_budget(&mut self) -> bool {
        self.stopped |= self.nodes >= self.most_nodes || self.clock.tick();
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// The first player's value of a position, exact between `alpha` and `beta`, else a bound.
    fn value(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
    ) -> (f64, bool) {
        if self.out_of_budget() {
            return (0.5, false);
        }
        let turn = game.turn(state);
        if let Some(leaf) = self.leaf(game, state, turn, depth) {
            return leaf;
        }
        if turn == Turn::Chance {
            return self.expect(game, state, depth, None);
        }
        let key = game.hash(state);
        if let Some(known) = self.recall(key, depth, &mut alpha, &mut beta) {
            return known;
        }
        let (value, sure) = match turn {
            Turn::One(player) => self.alone(game, state, player, depth, alpha, beta, None),
            _ => {
                // Two orders first: where they agree, or leave the window, no matrix is needed.
                let (low, low_sure) = self.serial(game, state, depth, alpha, beta, Order::RowFirst);
                if low >= beta || self.stopped {
                    (low, low_sure)
                } else {
                    let (high, high_sure) =
                        self.serial(game, state, depth, alpha, beta, Order::ColumnFirst);
                    if high <= alpha || high - low < EPSILON || self.stopped {
                        (high, high_sure && low_sure)
                    } else {
                        let mut turns = self.turns(game, state, depth);
                        let (low, high) = (alpha.max(low), beta.min(high));
                        let (value, _, _, sure) = self.double_oracle(game, &mut turns, low, high);
                        (value, sure)
                    }
                }
            }
        };
        self.remember(key, depth, value, alpha, beta, sure);
        (value, sure)
    }

    /// The value of a finished position, or of one at the horizon.
    fn leaf(&mut self, game: &G, state: &G::State, turn: Turn, depth: u32) -> Option<(f64, bool)> {
        if turn == Turn::Over {
            game.payoffs(state, &mut self.payoffs);
            return Some((f64::from(self.payoffs[0]), true));
        }
        (depth == 0).then(|| (f64::from(self.evaluator.value(game, state, ROW)), false))
    }

    /// The value of a position where the table's bounds are tight enough. Otherwise narrows the window to the bounds.
    fn recall(&self, key: u64, depth: u32, alpha: &mut f64, beta: &mut f64) -> Option<(f64, bool)> {
        let known = self.known.get(&key).filter(|known| known.sure || known.depth == depth)?;
        if known.low >= *beta || known.high <= known.low {
            return Some((known.low, known.sure));
        }
        if known.high <= *alpha {
            return Some((known.high, known.sure));
        }
        (*alpha, *beta) = (alpha.max(known.low), beta.min(known.high));
        None
    }

    fn remember(&mut self, key: u64, depth: u32, value: f64, alpha: f64, beta: f64, sure: bool) {
        if self.stopped {
            return;
        }
        let low = if value > alpha || value <= 0.0 { value } else { 0.0 };
        let high = if value < beta || value >= 1.0 { value } else { 1.0 };
        self.known.insert(key, Known { low, high, depth, sure });
    }

    /// One player chooses.
    #[expect(clippy::too_many_arguments, reason = "one place, one loop")]
    fn alone(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
        order: Option<Order>,
    ) -> (f64, bool) {
        let mut legal = Vec::new();
        game.moves(state, player, &mut legal);
        // A list of moves that was made when the time ran out may be incomplete.
        self.stopped |= deadline::expired();
        if self.stopped {
            return (0.5, false);
        }
        let max = player == ROW;
        let (mut best, mut sure) = (if max { f64::MIN } else { f64::MAX }, true);
        for mv in legal {
            let next = self.after(game, state, &[mv]);
            let (value, ends) = match order {
                None => self.value(game, &next, depth - 1, alpha, beta),
                Some(order) => self.serial(game, &next, depth - 1, alpha, beta, order),
            };
            self.spare.push(next);
            if self.stopped {
                return (0.5, false);
            }
            sure &= ends;
            if max {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                return (best, ends);
            }
        }
        (best, sure)
    }

    /// The mean over the outcomes of chance.
    fn expect(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        order: Option<Order>,
    ) -> (f64, bool) {
        let mut outcomes = Vec::new();
        game.chances(state, &mut outcomes);
        let (mut mean, mut sure) = (0.0, true);
        for (mv, chance) in outcomes {
            let next = self.after(game, state, &[mv]);
            let (value, ends) = match order {
                None => self.value(game, &next, depth - 1, 0.0, 1.0),
                Some(order) => self.serial(game, &next, depth - 1, 0.0, 1.0, order),
            };
            self.spare.push(next);
            mean += chance * value;
            sure &= ends;
            if self.stopped {
                return (0.5, false);
            }
        }
        (mean, sure)
    }

    /// The value where joint turns are played one after the other in `order`: alpha-beta.
    fn serial(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
        order: Order,
    ) -> (f64, bool) {
        if self.out_of_budget() {
            return (0.5, false);
        }
        let turn = game.turn(state);
        if let Some(leaf) = self.leaf(game, state, turn, depth) {
            return leaf;
        }
        if turn == Turn::Chance {
            return self.expect(game, state, depth, Some(order));
        }
        let key = game.hash(state)
            ^ match order {
                Order::RowFirst => 0xbb67_ae85_84ca_a73b,
                Order::ColumnFirst => 0x3c6e_f372_fe94_f82b,
            };
        if let Some(known) = self.recall(key, depth, &mut alpha, &mut beta) {
            return known;
        }
        let (value, sure) = match turn {
            Turn::One(player) => self.alone(game, state, player, depth, alpha, beta, Some(order)),
            _ => self.serial_joint(game, state, depth, alpha, beta, order),
        };
        self.remember(key, depth, value, alpha, beta, sure);
        (value, sure)
    }

    fn serial_joint(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
        order: Order,
    ) -> (f64, bool) {
        let turns = self.turns(game, state, depth);
        let row_first = order == Order::RowFirst;
        let (leaders, followers) = match row_first {
            true => (&turns.rows, &turns.columns),
            false => (&turns.columns, &turns.rows),
        };
        let mut sure = true;
        let mut best = if row_first { f64::MIN } else { f64::MAX };
        for &lead in leaders {
            let mut answer = if row_first { f64::MAX } else { f64::MIN };
            let (mut low, mut high) = (alpha, beta);
            for &follow in followers {
                let joint = if row_first { [lead, follow] } else { [follow, lead] };
                let next = self.after(game, state, &joint);
                let (value, ends) = self.serial(game, &next, depth - 1, low, high, order);
                self.spare.push(next);
                if self.stopped {
                    return (0.5, false);
                }
                sure &= ends;
                if row_first {
                    answer = answer.min(value);
                    high = high.min(answer);
                } else {
                    answer = answer.max(value);
                    low = low.max(answer);
                }
                if low >= high {
                    break;
                }
            }
            if row_first {
                best = best.max(answer);
                alpha = alpha.max(best);
            } else {
                best = best.min(answer);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        (best, sure)
    }
}

/// A value of the first player as `player` sees it.
fn own(player: Player, value: f64) -> f64 {
    if player == ROW { value } else { 1.0 - value }
}
