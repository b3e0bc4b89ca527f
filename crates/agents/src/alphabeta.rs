//! `alphabeta`: iterative deepening with alpha-beta, a transposition table, killer and history
//! ordering (Knuth and Moore 1975; Schaeffer 1989), expectimax over chance; for more than two
//! players paranoid (everybody against the one who searches: Sturtevant and Korf 2000) or max^n.
//!
//! Values are payoffs, 0 to 1, of the seat that searches. Each comes with a flag, *sure*: all
//! lines that it rests on end. A search whose root is sure has solved the position and stops.

use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::heuristic::{Evaluator, Heuristic};
use crate::order::Order;
use crate::table::{Bound, Entry, Table};
use ludex_core::{Error, Game, Move, Player, Result, Rng, Seed, Spec, Turn, View};
use std::fmt;
use std::str::FromStr;

/// The parameters of [`AlphaBeta`].
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// How positions are judged at the horizon.
    pub heuristic: Heuristic,
    /// What the other players want.
    pub others: Others,
    /// The size of the transposition table in MiB.
    pub table: u32,
}

/// What a player believes about the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// They all play against it.
    Paranoid,
    /// Each plays for itself.
    MaxN,
}

impl FromStr for Others {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "paranoid" => Ok(Others::Paranoid),
            "maxn" => Ok(Others::MaxN),
            _ => Err(()),
        }
    }
}

impl Default for Params {
    fn default() -> Self {
        Params { heuristic: Heuristic::Auto, others: Others::Paranoid, table: 16 }
    }
}

impl Params {
    /// Reads `alphabeta(heuristic=..,others=..,table=..)`.
    ///
    /// # Errors
    /// Unknown keys, values that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        spec.expect(&["heuristic", "others", "table"], 0)?;
        let default = Params::default();
        let heuristic = spec.get("heuristic").map(Heuristic::read).transpose()?;
        let params = Params {
            heuristic: heuristic.unwrap_or_default(),
            others: spec.param("others", None, default.others)?,
            table: spec.param("table", None, default.table)?,
        };
        if !(1..=65_536).contains(&params.table) {
            let reason = "`table` must be from 1 to 65536 (MiB)".into();
            return Err(Error::BadParameter { name: "alphabeta".into(), reason });
        }
        Ok(params)
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Params::default();
        let given = [
            (self.heuristic != default.heuristic).then(|| format!("heuristic={}", self.heuristic)),
            (self.others != default.others).then(|| "others=maxn".to_string()),
            (self.table != default.table).then(|| format!("table={}", self.table)),
        ];
        crate::spec::write_call(f, "alphabeta", given)
    }
}

/// The mind.
#[derive(Debug)]
pub struct AlphaBeta<G: Game> {
    params: Params,
    evaluator: Evaluator,
    table: Table,
    order: Order,
    rng: Rng,
    /// The positions, move lists and (for max^n) values of the line being searched, by ply.
    states: Vec<G::State>,
    lists: Vec<Vec<(u32, Move)>>,
    values: Vec<Vec<f32>>,
    pad: Vec<Move>,
    me: Player,
    nodes: u64,
    most_nodes: u64,
    clock: Clock,
    stopped: bool,
}

/// A value and whether it is certain.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    value: f32,
    sure: bool,
}

/// Lines longer than this are cut off; the stack must hold them.
const DEEPEST: u32 = 400;

impl<G: Game> AlphaBeta<G> {
    /// A mind for `game`.
    ///
    /// # Errors
    /// A heuristic that asks for terms which the game does not have.
    pub fn new(game: &G, params: Params, seed: Seed) -> Result<Self> {
        Ok(AlphaBeta {
            evaluator: params.heuristic.resolve(game)?,
            table: Table::new(params.table),
            order: Order::new(game),
            rng: seed.rng(),
            states: Vec::new(),
            lists: Vec::new(),
            values: Vec::new(),
            pad: Vec::new(),
            me: Player(0),
            nodes: 0,
            most_nodes: u64::MAX,
            clock: Clock::start(&Budget::default(), true),
            stopped: false,
            params,
        })
    }

    /// Makes the position at `ply + 1` the one after `mv`.
    fn step(&mut self, game: &G, ply: usize, mv: Move) {
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
    fn out_of_budget(&mut self) -> bool {
        self.stopped |= self.nodes >= self.most_nodes || self.clock.tick();
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// The moves at `ply`, best guess first.
    fn moves(&mut self, game: &G, ply: usize, player: Player, first: Option<Move>) {
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, Vec::new);
        }
        self.pad.clear();
        game.moves(&self.states[ply], player, &mut self.pad);
        let list = &mut self.lists[ply];
        list.clear();
        list.extend(self.pad.iter().map(|&mv| (0, mv)));
        self.order.sort(game, &self.states[ply], player, ply, first, list);
    }

    /// The value of the position at `ply`, exact where it lies between `alpha` and `beta`,
    /// else a bound (fail-soft).
    fn search(&mut self, game: &G, ply: usize, depth: u32, mut alpha: f32, mut beta: f32) -> Found {
        if self.out_of_budget() {
            return Found { value: 0.5, sure: false };
        }
        let turn = game.turn(&self.states[ply]);
        let player = match turn {
            Turn::Over => {
                let value = self.payoff(game, ply);
                return Found { value, sure: true };
            }
            _ if depth == 0 => {
                let value = self.evaluator.value(game, &self.states[ply], self.me);
                return Found { value, sure: false };
            }
            Turn::Chance => return self.expect(game, ply, depth),
            Turn::One(player) => player,
            // Simultaneous games are refused at the door.
            Turn::Joint(_) => return Found { value: 0.5, sure: false },
        };
        let key = game.hash(&self.states[ply]);
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
        let max = player == self.me;
        let mut best = if max { f32::NEG_INFINITY } else { f32::INFINITY };
        let mut best_move = list.first().map_or(Move::default(), |&(_, mv)| mv);
        let mut sure = true;
        for &(_, mv) in &list {
            self.step(game, ply, mv);
            let found = self.search(game, ply + 1, depth - 1, alpha, beta);
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
                sure = found.sure;
                self.order.reward(game, &self.states[ply], player, ply, depth, mv);
                break;
            }
        }
        self.lists[ply] = list;
        if self.stopped {
            return Found { value: 0.5, sure: false };
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
    fn expect(&mut self, game: &G, ply: usize, depth: u32) -> Found {
        let mut outcomes = Vec::new();
        game.chances(&self.states[ply], &mut outcomes);
        let mut mean = Found { value: 0.0, sure: true };
        for (mv, chance) in outcomes {
            self.step(game, ply, mv);
            let found = self.search(game, ply + 1, depth - 1, 0.0, 1.0);
            if self.stopped {
                break;
            }
            mean.value += chance as f32 * found.value;
            mean.sure &= found.sure;
        }
        mean
    }

    fn payoff(&mut self, game: &G, ply: usize) -> f32 {
        self.values_at(game, ply);
        game.payoffs(&self.states[ply], &mut self.values[ply]);
        self.values[ply].get(self.me.index()).copied().unwrap_or(0.0)
    }

    fn values_at(&mut self, game: &G, ply: usize) {
        let seats = game.info().seats();
        if self.values.len() <= ply {
            self.values.resize_with(ply + 1, || vec![0.0; seats]);
        }
    }

    /// Max^n (Luckhardt and Irani 1986): leaves everybody's value of the position at `ply` in
    /// `values[ply]`; returns whether it is sure. Nothing is pruned but what follows a mover's
    /// full payoff.
    fn maxn(&mut self, game: &G, ply: usize, depth: u32) -> bool {
        self.values_at(game, ply);
        if self.out_of_budget() {
            return false;
        }
        let player = match game.turn(&self.states[ply]) {
            Turn::Over => {
                game.payoffs(&self.states[ply], &mut self.values[ply]);
                return true;
            }
            Turn::One(player) if depth > 0 => player,
            Turn::Chance if depth > 0 => return self.maxn_chance(game, ply, depth),
            _ => {
                for p in 0..game.info().seats() {
                    let value = self.evaluator.value(game, &self.states[ply], Player(p as u8));
                    self.values[ply][p] = value;
                }
                return false;
            }
        };
        let key = game.hash(&self.states[ply]);
        let first = self.table.get(key).map(|entry| entry.mv);
        self.moves(game, ply, player, first);
        let list = std::mem::take(&mut self.lists[ply]);
        let mover = player.index();
        let (mut best, mut best_move) = (f32::NEG_INFINITY, Move::default());
        let mut sure = true;
        for &(_, mv) in &list {
            self.step(game, ply, mv);
            let found = self.maxn(game, ply + 1, depth - 1);
            if self.stopped {
                break;
            }
            sure &= found;
            let value = self.values[ply + 1][mover];
            if value > best {
                (best, best_move) = (value, mv);
                let (before, after) = self.values.split_at_mut(ply + 1);
                before[ply].copy_from_slice(&after[0]);
            }
            if best >= 1.0 {
                sure = found;
                self.order.reward(game, &self.states[ply], player, ply, depth, mv);
                break;
            }
        }
        self.lists[ply] = list;
        if !self.stopped {
            let depth = depth.min(u16::MAX.into()) as u16;
            let entry = Entry { mv: best_move, value: best, depth, bound: Bound::Exact, sure };
            self.table.put(key, entry);
        }
        sure
    }

    fn maxn_chance(&mut self, game: &G, ply: usize, depth: u32) -> bool {
        let mut outcomes = Vec::new();
        game.chances(&self.states[ply], &mut outcomes);
        let mut sure = true;
        self.values[ply].fill(0.0);
        for (mv, chance) in outcomes {
            self.step(game, ply, mv);
            sure &= self.maxn(game, ply + 1, depth - 1);
            if self.stopped {
                break;
            }
            let (before, after) = self.values.split_at_mut(ply + 1);
            for (sum, value) in before[ply].iter_mut().zip(&after[0]) {
                *sum += chance as f32 * value;
            }
        }
        sure
    }

    /// One iteration at the root: searches all candidates to `depth` and puts them in order.
    /// Returns whether the root is sure. Where the budget ends it, the moves not reached keep
    /// their old values and places behind.
    fn iterate(&mut self, game: &G, depth: u32, candidates: &mut [Candidate]) -> bool {
        let mut best = f32::NEG_INFINITY;
        let (mut sure, mut done) = (true, 0);
        for candidate in candidates.iter_mut() {
            let before = self.nodes;
            let floor = best.max(0.0);
            self.step(game, 0, candidate.mv);
            let found = match self.params.others {
                Others::Paranoid => self.search(game, 1, depth - 1, floor, 1.0),
                Others::MaxN => {
                    let sure = self.maxn(game, 1, depth - 1);
                    Found { value: self.values[1][self.me.index()], sure }
                }
            };
            candidate.visits += self.nodes - before;
            if self.stopped {
                break;
            }
            // A value at or below the best is only a bound, but for 0, below which is nothing.
            let exact = self.params.others == Others::MaxN || found.value > floor;
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

    /// The line that the table remembers after the root move `mv`.
    fn line_of(&self, game: &G, state: &G::State, mv: Move) -> Vec<Move> {
        let mut line = vec![mv];
        let mut at = state.clone();
        game.apply(&mut at, &[mv]);
        let mut legal = Vec::new();
        while line.len() < 24
            && let Turn::One(player) = game.turn(&at)
            && let Some(entry) = self.table.get(game.hash(&at))
        {
            legal.clear();
            game.moves(&at, player, &mut legal);
            if !legal.contains(&entry.mv) {
                break;
            }
            line.push(entry.mv);
            game.apply(&mut at, &[entry.mv]);
        }
        line
    }
}

impl<G: Game> Agent<G> for AlphaBeta<G> {
    fn name(&self) -> String {
        self.params.to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice> {
        let state = crate::spec::visible(game, view, "alphabeta")?;
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        let bound = budget.sims.is_some() || budget.nodes.is_some() || budget.depth.is_some();
        self.clock = Clock::start(budget, bound);
        if game.turn(state) != Turn::One(view.seat()) {
            return Err(crate::spec::not_to_move("alphabeta"));
        }
        self.me = view.seat();
        (self.nodes, self.stopped) = (0, false);
        // Without simulations of its own, a budget of simulations counts positions.
        let limits = [budget.nodes, budget.sims];
        self.most_nodes = limits.into_iter().flatten().min().unwrap_or(u64::MAX);
        self.order.age();
        self.states.clear();
        self.states.push(state.clone());
        let mut candidates: Vec<Candidate> = view
            .legal()
            .iter()
            .map(|&mv| Candidate { mv, value: 0.5, ..Candidate::default() })
            .collect();
        self.rng.shuffle(&mut candidates);
        let mut thought = Thought::default();
        let deepest = budget.depth.unwrap_or(DEEPEST).min(DEEPEST);
        for depth in 1..=deepest {
            let stand = candidates.first().map(|c| c.mv);
            let sure = self.iterate(game, depth, &mut candidates);
            if self.stopped {
                break;
            }
            thought.depth = depth;
            if sure {
                thought.proven = true;
                // All is lost: what looked best a ply ago holds out longest.
                let lost = candidates.first().is_some_and(|c| c.value <= 0.0);
                if lost && let Some(at) = candidates.iter().position(|c| Some(c.mv) == stand) {
                    candidates[..=at].rotate_right(1);
                }
                break;
            }
        }
        for (i, candidate) in candidates.iter_mut().enumerate() {
            candidate.line = match i {
                0..8 => self.line_of(game, state, candidate.mv),
                _ => vec![candidate.mv],
            };
        }
        let Some(best) = candidates.first() else {
            return Err(crate::spec::not_to_move("alphabeta"));
        };
        thought.nodes = self.nodes;
        thought.value = Some(best.value);
        Ok(Choice { mv: best.mv, thought: Thought { candidates, ..thought } })
    }
}
