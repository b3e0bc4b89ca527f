//! One thread of an alpha-beta search: the line being searched, and what it has learned.

use super::best_reply;
use super::order::Order;
use super::table::{Bound, Entry, Table};
use crate::agent::Candidate;
use crate::clock::Clock;
use crate::heuristic::Evaluator;
use ludex_core::deadline;
use ludex_core::{Game, Move, Player, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the searching player models the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// All others play against the agent.
    Paranoid,
    /// Each plays for itself.
    MaxN,
    /// One of them replies, against it; the others make their likeliest move.
    BestReply,
}

ludex_core::words!(Others { Paranoid = "paranoid", MaxN = "maxn", BestReply = "best-reply" });

/// A value and whether it is certain: all lines that it rests on end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    pub(crate) value: f32,
    pub(crate) sure: bool,
}

impl Found {
    /// The value of a search that was stopped. It must not be used.
    pub(crate) const NOTHING: Found = Found { value: 0.5, sure: false };
}

/// A searcher. Values are payoffs, 0 to 1, of the seat `me`.
#[derive(Debug)]
pub(crate) struct Worker<G: Game> {
    pub(crate) others: Others,
    /// Plies of quiescence at the horizon.
    pub(crate) quiescence: u32,
    pub(crate) me: Player,
    pub(crate) nodes: u64,
    pub(crate) most_nodes: u64,
    pub(crate) clock: Clock,
    pub(crate) stopped: bool,
    /// Set by the worker that ends the search of all workers.
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) evaluator: Evaluator,
    pub(crate) table: Arc<Table>,
    pub(crate) order: Order,
    /// The positions, move lists and values of all players on the line being searched, by ply.
    pub(crate) states: Vec<G::State>,
    pub(crate) lists: Vec<Vec<(u32, Move)>>,
    pub(crate) values: Vec<Vec<f32>>,
    pad: Vec<Move>,
    seats: usize,
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(
        game: &G,
        evaluator: Evaluator,
        others: Others,
        quiescence: u32,
        table: Arc<Table>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        Worker {
            others,
            quiescence,
            me: Player(0),
            nodes: 0,
            most_nodes: u64::MAX,
            clock: Clock::start(&crate::Budget::default(), true),
            stopped: false,
            stop,
            evaluator,
            table,
            order: Order::new(game),
            states: Vec::new(),
            lists: Vec::new(),
            values: Vec::new(),
            pad: Vec::new(),
            seats: game.info().seats(),
        }
    }

    /// Gets ready for a search of `state` for `me`.
    pub(crate) fn begin(&mut self, state: &G::State, me: Player, most_nodes: u64, clock: Clock) {
        (self.me, self.most_nodes, self.clock) = (me, most_nodes, clock);
        (self.nodes, self.stopped) = (0, false);
        self.order.age();
        self.states.clear();
        self.states.push(state.clone());
    }

    /// Makes the position at `ply + 1` the one after `mv`.
    pub(crate) fn step(&mut self, game: &G, ply: usize, mv: Move) {
        if self.states.len() == ply + 1 {
            let copy = self.states[ply].clone();
            self.states.push(copy);
        } else {
            let (before, after) = self.states.split_at_mut(ply + 1);
            after[0].clone_from(&before[ply]);
        }
        game.apply(&mut self.states[ply + 1], &[mv]);
    }

    /// Counts a position; is the search over its limits?
    pub(crate) fn out_of_budget(&mut self) -> bool {
        self.stopped |=
            self.nodes >= self.most_nodes || self.clock.tick() || self.stop.load(Ordering::Relaxed);
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// The moves at `ply`, best guess first.
    pub(crate) fn moves(&mut self, game: &G, ply: usize, player: Player, first: Option<Move>) {
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, Vec::new);
        }
        self.pad.clear();
        game.moves(&self.states[ply], player, &mut self.pad);
        let list = &mut self.lists[ply];
        list.clear();
        list.extend(self.pad.iter().map(|&mv| (0, mv)));
        self.order.sort(game, &self.states[ply], player, ply, first, list);
        // A list of moves that was made when the time ran out may be incomplete.
        self.stopped |= deadline::expired();
    }

    /// The payoff of `me` in a finished position.
    pub(crate) fn payoff(&mut self, game: &G, ply: usize) -> f32 {
        self.values_at(ply);
        game.payoffs(&self.states[ply], &mut self.values[ply]);
        self.values[ply].get(self.me.index()).copied().unwrap_or(0.0)
    }

    pub(crate) fn values_at(&mut self, ply: usize) {
        let seats = self.seats;
        if self.values.len() <= ply {
            self.values.resize_with(ply + 1, || vec![0.0; seats]);
        }
    }

    /// The value of the position at `ply`, exact where it lies between `alpha` and `beta`,
    /// else a bound (fail-soft). `replied`: an opponent has had its free move since the last
    /// move of `me` (see [`best_reply`]).
    ///
    /// Principal variation search (Marsland and Campbell 1982): moves after the first must only
    /// show that they are no better, in a window without inside, and are searched again where
    /// they are.
    pub(crate) fn search(
        &mut self,
        game: &G,
        ply: usize,
        depth: u32,
        mut alpha: f32,
        mut beta: f32,
        replied: bool,
    ) -> Found {
        if self.out_of_budget() {
            return Found::NOTHING;
        }
        let player = match game.turn(&self.states[ply]) {
            Turn::Over => return Found { value: self.payoff(game, ply), sure: true },
            turn if depth == 0 => return self.horizon(game, ply, turn, alpha, beta),
            Turn::Chance => return self.expect(game, ply, depth, replied),
            Turn::One(player) => player,
            // Simultaneous games are refused at the door.
            Turn::Joint(_) => return Found::NOTHING,
        };
        let max = player == self.me;
        let narrow = !max && self.seats > 2 && self.others == Others::BestReply;
        let bound_to_pass = narrow && replied;
        let key = game.hash(&self.states[ply]) ^ best_reply::key(bound_to_pass);
        let known = self.table.get(key);
        if let Some(entry) = known
            && (entry.sure || u32::from(entry.depth) >= depth)
        {
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if enough {
                return Found { value: entry.value, sure: entry.sure };
            }
        }
        self.moves(game, ply, player, known.map(|entry| entry.mv));
        let list = std::mem::take(&mut self.lists[ply]);
        let (floor, ceiling) = (alpha, beta);
        let mut best = if max { f32::NEG_INFINITY } else { f32::INFINITY };
        let mut best_move = list.first().map_or(Move::default(), |&(_, mv)| mv);
        let tried = if bound_to_pass { 1 } else { list.len() };
        let mut sure = tried == list.len();
        for (i, &(_, mv)) in list.iter().take(tried).enumerate() {
            self.step(game, ply, mv);
            let spent = narrow && (replied || i > 0);
            let (low, high) = match (i, max) {
                (0, _) => (alpha, beta),
                (_, true) => (alpha, alpha.next_up()),
                (_, false) => (beta.next_down(), beta),
            };
            let mut found = self.search(game, ply + 1, depth - 1, low, high, spent);
            if !self.stopped && (low, high) != (alpha, beta) {
                let inside = found.value > alpha && found.value < beta;
                if inside {
                    found = self.search(game, ply + 1, depth - 1, alpha, beta, spent);
                }
            }
            if self.stopped {
                break;
            }
            sure &= found.sure;
            if if max { found.value > best } else { found.value < best } {
                (best, best_move) = (found.value, mv);
            }
            if max {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                // One reply refutes: the others don't matter.
                sure = found.sure && !bound_to_pass;
                self.order.reward(game, &self.states[ply], player, ply, depth, mv);
                break;
            }
        }
        self.lists[ply] = list;
        if self.stopped {
            return Found::NOTHING;
        }
        // Payoffs end at 0 and 1, so a bound there is exact.
        let bound = if best >= ceiling && best < 1.0 {
            Bound::Lower
        } else if best <= floor && best > 0.0 {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let depth = depth.min(u16::MAX.into()) as u16;
        self.table.put(key, Entry { mv: best_move, value: best, depth, bound, sure });
        Found { value: best, sure }
    }

    /// The mean over the outcomes of chance.
    fn expect(&mut self, game: &G, ply: usize, depth: u32, replied: bool) -> Found {
        let mut outcomes = Vec::new();
        game.chances(&self.states[ply], &mut outcomes);
        let mut mean = Found { value: 0.0, sure: true };
        for (mv, chance) in outcomes {
            self.step(game, ply, mv);
            let found = self.search(game, ply + 1, depth - 1, 0.0, 1.0, replied);
            if self.stopped {
                break;
            }
            mean.value += chance as f32 * found.value;
            mean.sure &= found.sure;
        }
        mean
    }

    /// One iteration at the root: searches all candidates to `depth` and puts them in order.
    /// Returns whether the root is sure. Where the budget ends it, the moves not reached keep
    /// their old values and places behind.
    pub(crate) fn iterate(&mut self, game: &G, depth: u32, candidates: &mut [Candidate]) -> bool {
        let mut best = f32::NEG_INFINITY;
        let (mut sure, mut done) = (true, 0);
        for candidate in candidates.iter_mut() {
            let before = self.nodes;
            let floor = best.max(0.0);
            self.step(game, 0, candidate.mv);
            let found = match self.others {
                Others::MaxN => {
                    let sure = self.maxn(game, 1, depth - 1);
                    Found { value: self.values[1][self.me.index()], sure }
                }
                _ if done == 0 => self.search(game, 1, depth - 1, 0.0, 1.0, false),
                _ => {
                    let found = self.search(game, 1, depth - 1, floor, floor.next_up(), false);
                    match found.value > floor && !self.stopped {
                        true => self.search(game, 1, depth - 1, floor, 1.0, false),
                        false => found,
                    }
                }
            };
            candidate.visits += self.nodes - before;
            if self.stopped {
                break;
            }
            // A value at or below the best is only a bound, but for 0, below which is nothing.
            let exact = self.others == Others::MaxN || done == 0 || found.value > floor;
            candidate.value = found.value;
            candidate.proven = found.sure && (exact || found.value <= 0.0);
            done += 1;
            sure &= found.sure;
            if found.value > best {
                best = found.value;
                if best >= 1.0 {
                    sure = found.sure;
                    break;
                }
            }
        }
        // Stable: of equals the one that was searched first, the only one known exactly, leads.
        candidates[..done].sort_by(|a, b| b.value.total_cmp(&a.value));
        sure && !self.stopped
    }
}
