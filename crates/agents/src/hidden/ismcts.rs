//! Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) and POMCP (Silver
//! and Veness 2010) on one engine.
//!
//! A simulation draws a world, goes down by UCB among the moves that are legal in it, adds a node,
//! plays at random and takes the payoffs back. A node is not a state but what somebody knows, a hash of own
//! moves and percepts, so that worlds which can't be told apart share their statistics; asking leads to
//! different nodes by the answer, and waiting to the same one. Whose knowledge, is the difference:
//! - one tree: all nodes are the searcher's knowledge, those of the others too;
//! - a tree each: every player decides by its own knowledge, that of the past included. What the others know differs from world to
//!   world, so that their nodes are many and rarely visited: until such a node has enough visits (`shared`), its player decides by a
//!   node of the searcher's knowledge, as in one tree;
//! - own tree: only the searcher decides, the others move at random.

use super::observations::{learn, own_move};
use ludex_core::deadline;
use ludex_core::playout::LONGEST;
use ludex_core::random::mix;
use ludex_core::{Game, Move, Player, Rng, Turn};
use rustc_hash::FxHashMap;

/// Whose knowledge makes the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trees {
    One,
    Each,
    Own,
}

/// A move at a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arm {
    pub(crate) mv: Move,
    pub(crate) visits: u32,
    /// How often it was legal when the node was passed.
    available: u32,
    sum: f64,
}

impl Arm {
    pub(crate) fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.sum / f64::from(self.visits) }
    }
}

/// All nodes, by the knowledge of the player who moves there.
pub(crate) struct Forest {
    trees: Trees,
    c: f64,
    /// Visits from which on a node of another player's own knowledge decides.
    shared: u32,
    index: FxHashMap<u64, u32>,
    nodes: Vec<Vec<Arm>>,
    arms: usize,
    most: usize,
    // Scratch space of a simulation.
    moves: Vec<Move>,
    joint: Vec<Move>,
    words: Vec<u64>,
    known: Vec<u64>,
    passed: Vec<(u32, u32, Player)>,
    payoffs: Vec<f32>,
}

/// Sets the nodes at which another player decides by the searcher's knowledge apart from those of its own knowledge.
const COMMON: u64 = 0x5a4e_d0de;

fn key(known: u64, player: Player) -> u64 {
    mix(known ^ (u64::from(player.0) + 1) << 57)
}

impl Forest {
    /// At most about `most` arms are kept.
    pub(crate) fn new(trees: Trees, c: f64, shared: u32, most: usize) -> Self {
        Forest {
            trees,
            c,
            shared,
            index: FxHashMap::default(),
            nodes: Vec::new(),
            arms: 0,
            most,
            moves: Vec::new(),
            joint: Vec::new(),
            words: Vec::new(),
            known: Vec::new(),
            passed: Vec::new(),
            payoffs: Vec::new(),
        }
    }

    /// Forgets all where there is little room left.
    pub(crate) fn make_room(&mut self) {
        if self.arms > self.most / 2 {
            self.index.clear();
            self.nodes.clear();
            self.arms = 0;
        }
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The moves at the searcher's node where it knows `known`.
    pub(crate) fn root(&self, known: u64, seat: Player) -> &[Arm] {
        let node = self.index.get(&key(known, seat)).and_then(|&i| self.nodes.get(i as usize));
        node.map_or(&[], Vec::as_slice)
    }

    /// One simulation from a world in which the players know `known`; returns the choices in the
    /// tree, the searcher's first move and its payoff; `None` where the clock rings.
    pub(crate) fn simulate<G: Game>(
        &mut self,
        game: &G,
        world: &G::State,
        known: &[u64],
        seat: Player,
        rng: &mut Rng,
    ) -> Option<(u32, Move, f32)> {
        let mut state = world.clone();
        let mut after = world.clone();
        self.known.clear();
        self.known.extend_from_slice(known);
        self.passed.clear();
        self.payoffs.clear();
        self.payoffs.resize(game.info().seats(), 0.5);
        let (mut growing, mut choices) = (false, 0);
        for depth in 0.. {
            if deadline::look() {
                return None;
            }
            let turn = game.turn(&state);
            if turn == Turn::Over {
                game.payoffs(&state, &mut self.payoffs);
                break;
            }
            if growing || depth >= LONGEST {
                match game.playout(&mut state, rng, &mut self.moves, LONGEST) {
                    Some(_) => game.payoffs(&state, &mut self.payoffs),
                    None if deadline::expired() => return None,
                    None => {}
                }
                break;
            }
            self.joint.clear();
            if turn == Turn::Chance {
                self.joint.push(game.sample_chance(&state, rng));
            }
            for player in turn.movers().iter() {
                if self.trees == Trees::Own && player != seat {
                    let mv = game.sample(&state, player, rng, &mut self.moves);
                    self.joint.push(mv);
                    continue;
                }
                self.moves.clear();
                game.moves(&state, player, &mut self.moves);
                // A list of moves that was made when the time ran out may be incomplete.
                if deadline::expired() {
                    return None;
                }
                let whose = if self.trees == Trees::Each { player } else { seat };
                debug_assert!(whose.index() < self.known.len(), "every player knows something");
                let known = self.known.get(whose.index()).copied().unwrap_or_default();
                let (own, fresh) = self.node(key(known, player));
                let (node, fresh) = match whose == seat || self.is_known(own) {
                    true => (own, fresh),
                    false => {
                        let searcher = self.known.get(seat.index()).copied().unwrap_or_default();
                        self.node(key(searcher, player) ^ COMMON)
                    }
                };
                let (arm, untried) = self.select(node, rng);
                growing |= fresh || untried;
                choices += 1;
                self.passed.push((node, arm, player));
                let mv = self.nodes[node as usize][arm as usize].mv;
                if own != node {
                    let arm = self.arm(own, mv);
                    self.passed.push((own, arm, player));
                }
                self.joint.push(mv);
            }
            after.clone_from(&state);
            game.apply(&mut after, &self.joint);
            for p in 0..self.known.len() {
                let player = Player(p as u8);
                if self.trees != Trees::Each && player != seat {
                    continue;
                }
                self.words.clear();
                game.percept(&state, &self.joint, &after, player, &mut self.words);
                let own = own_move(turn, &self.joint, player);
                self.known[p] = learn(self.known[p], own, &self.words);
            }
            std::mem::swap(&mut state, &mut after);
        }
        let mut first = None;
        for &(node, arm, player) in &self.passed {
            let arm = &mut self.nodes[node as usize][arm as usize];
            arm.visits += 1;
            arm.sum += f64::from(self.payoffs[player.index()]);
            if player == seat {
                first.get_or_insert(arm.mv);
            }
        }
        let payoff = self.payoffs.get(seat.index()).copied().unwrap_or(0.5);
        Some((choices, first.unwrap_or_default(), payoff))
    }

    /// The node with this key, and whether it is new. A full forest shares one node for all that
    /// finds no room.
    fn node(&mut self, key: u64) -> (u32, bool) {
        if let Some(&node) = self.index.get(&key) {
            return (node, false);
        }
        let key = if self.arms >= self.most { 0 } else { key };
        let next = self.nodes.len() as u32;
        let node = *self.index.entry(key).or_insert(next);
        if node == next {
            self.nodes.push(Vec::new());
        }
        (node, true)
    }

    /// Does this node have enough visits to decide by itself?
    fn is_known(&self, node: u32) -> bool {
        let arms = self.nodes.get(node as usize).map_or(&[][..], Vec::as_slice);
        self.shared == 0 || arms.iter().map(|arm| arm.visits).sum::<u32>() >= self.shared
    }

    /// The arm of a move at a node.
    fn arm(&mut self, node: u32, mv: Move) -> u32 {
        let arms = &mut self.nodes[node as usize];
        let at = arms.iter().position(|arm| arm.mv == mv).unwrap_or_else(|| {
            arms.push(Arm { mv, visits: 0, available: 0, sum: 0.0 });
            self.arms += 1;
            arms.len() - 1
        });
        arms[at].available += 1;
        at as u32
    }

    /// Chooses among the moves that are legal now: one never tried, or the best upper bound.
    fn select(&mut self, node: u32, rng: &mut Rng) -> (u32, bool) {
        let arms = &mut self.nodes[node as usize];
        let (mut best, mut bound) = (0, f64::NEG_INFINITY);
        let (mut untried, mut count) = (0, 0);
        for (i, &mv) in self.moves.iter().enumerate() {
            let at = match arms.get(i) {
                Some(arm) if arm.mv == mv => i,
                _ => arms.iter().position(|arm| arm.mv == mv).unwrap_or_else(|| {
                    arms.push(Arm { mv, visits: 0, available: 0, sum: 0.0 });
                    self.arms += 1;
                    arms.len() - 1
                }),
            };
            let arm = &mut arms[at];
            arm.available += 1;
            if arm.visits == 0 {
                count += 1;
                if rng.below(count) == 0 {
                    untried = at;
                }
            } else {
                let explore = (f64::from(arm.available).ln() / f64::from(arm.visits)).sqrt();
                let value = arm.mean() + self.c * explore;
                if value > bound {
                    (best, bound) = (at, value);
                }
            }
        }
        if count > 0 { (untried as u32, true) } else { (best as u32, false) }
    }
}
