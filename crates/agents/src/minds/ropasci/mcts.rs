//! `ropasci-mcts`: the Monte Carlo tree search that section 1.1 of the report describes, with a tree, on joint moves.
//!
//! A node is a position at the beginning of a turn. Both players choose an arm there by UCB1, each from its own statistics and
//! without knowing the other's choice (decoupled UCT; Finnsson and Björnsson 2008): the report's 'information sets'. A pair of
//! arms that is new gets a node (expansion), a game is played from there to its end (rollout), and its result goes to every
//! arm on the way (back-propagation).
//!
//! Section 1.1.2 has two optimisations, both by the heuristic after a move alone: only the `best` moves of each player are
//! arms, and rollouts draw from the `among` best moves. 0 stands for all moves.

use super::weights::Weights;
use super::{Judge, NEEDS, Seat, ranked, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use ludex_core::deadline;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::terms::Way;
use ludex_games::ropasci::{End, State, terms};
use rustc_hash::FxHashMap;

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci-mcts",
    summary: "the RoPaSci report's Monte Carlo tree search with a tree of joint moves",
    needs: NEEDS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `ropasci-mcts`.
    pub struct Params {
        /// Rollouts a move, at most.
        pub rollouts: u32 = 200, 1..=10_000_000;
        /// Moves of each player that are arms of a node, the best by the heuristic; 0: all.
        pub best: u32 = 10, 0..=1_000;
        /// Rollouts draw from so many moves, the best by the heuristic; 0: from all.
        pub among: u32 = 0, 0..=1_000;
        /// A rollout is a draw after so many turns of its own.
        pub turns: u32 = 360, 1..=360;
        /// Exploration constant of UCB1, for payoffs from 0 to 1.
        pub c: f64 = 1.0, 0.0..;
        /// Weight of throws left.
        pub throws: f64 = terms::REPORT[0];
        /// Weight of tokens killed.
        pub kills: f64 = terms::REPORT[1];
        /// Weight of how near the hunters are.
        pub distance: f64 = terms::REPORT[2];
        /// Weight of mixed symbols.
        pub diversity: f64 = terms::REPORT[3];
        /// Distances count by their logarithm, as in the report's program, or plain, as in its text.
        pub way as "distances": Way = Way::Log;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(seat(ENTRY.name, Mcts::new(self.clone(), seed)))
    }
}

/// One move of one player at a node.
#[derive(Debug, Clone, Copy)]
struct Arm {
    mv: Move,
    visits: f64,
    /// The sum of the payoffs of the player who made the move.
    sum: f64,
}

/// A position at the beginning of a turn.
#[derive(Debug, Default)]
struct Node {
    /// Upper's arms and lower's; empty at the end of a game.
    arms: [Vec<Arm>; 2],
    visits: f64,
    /// The node below each pair of arms.
    below: FxHashMap<(u32, u32), usize>,
}

impl Node {
    /// The arm that UCB1 pulls: the first of equals, which are in random order.
    fn select(&self, player: usize, c: f64) -> Option<usize> {
        let all = self.visits.max(1.0).ln();
        let urge = |arm: &Arm| match arm.visits > 0.0 {
            true => arm.sum / arm.visits + c * (2.0 * all / arm.visits).sqrt(),
            false => f64::INFINITY,
        };
        let arms = &self.arms[player];
        (0..arms.len()).max_by(|&a, &b| urge(&arms[a]).total_cmp(&urge(&arms[b])).then(b.cmp(&a)))
    }
}

/// The agent.
pub(crate) struct Mcts {
    params: Params,
    weights: Weights,
    rng: Rng,
    nodes: Vec<Node>,
    pad: Vec<Move>,
}

impl Mcts {
    pub(crate) fn new(params: Params, seed: Seed) -> Self {
        let values = [params.throws, params.kills, params.distance, params.diversity];
        let weights = Weights { values, way: params.way };
        Mcts { params, weights, rng: seed.rng(), nodes: Vec::new(), pad: Vec::new() }
    }

    /// The moves of a player that are looked at, equals in random order.
    fn list(&mut self, game: &Ropasci360, state: &State, player: Player, width: u32) -> Vec<Move> {
        let mut legal = Vec::new();
        game.moves(state, player, &mut legal);
        self.rng.shuffle(&mut legal);
        match width {
            0 => legal,
            width => self.weights.best(game, state, player, &legal, width as usize),
        }
    }

    /// A new node; returns its number.
    fn expand(&mut self, game: &Ropasci360, state: &State) -> usize {
        let mut node = Node::default();
        if state.end() == End::Not {
            node.arms = [0, 1].map(|p| {
                let list = self.list(game, state, Player(p), self.params.best);
                list.into_iter().map(|mv| Arm { mv, visits: 0.0, sum: 0.0 }).collect()
            });
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Plays a game to its end, or until it has lasted long enough; upper's payoff.
    fn rollout(&mut self, game: &Ropasci360, state: &mut State) -> f64 {
        let width = self.params.among;
        if width == 0 {
            game.playout(state, &mut self.rng, &mut self.pad, self.params.turns);
        }
        for _ in 0..self.params.turns {
            if width == 0 || state.end() != End::Not || deadline::look() {
                break;
            }
            let moves = [0, 1].map(|p| {
                let list = self.list(game, state, Player(p), width);
                list.get(self.rng.index(list.len().max(1))).copied().unwrap_or_default()
            });
            game.apply(state, &moves);
        }
        match state.end() {
            End::Upper => 1.0,
            End::Lower => 0.0,
            _ => 0.5,
        }
    }

    /// One simulation: down the tree, a new node, a rollout, and back.
    fn simulate(
        &mut self,
        game: &Ropasci360,
        state: &mut State,
        path: &mut Vec<(usize, [usize; 2])>,
    ) {
        path.clear();
        let mut at = 0;
        while let (Some(i), Some(j)) =
            (self.nodes[at].select(0, self.params.c), self.nodes[at].select(1, self.params.c))
        {
            let node = &self.nodes[at];
            let moves = [node.arms[0][i].mv, node.arms[1][j].mv];
            path.push((at, [i, j]));
            game.apply(state, &moves);
            let pair = (i as u32, j as u32);
            match node.below.get(&pair) {
                Some(&below) => at = below,
                None => {
                    let below = self.expand(game, state);
                    self.nodes[at].below.insert(pair, below);
                    break;
                }
            }
        }
        let upper = self.rollout(game, state);
        if deadline::expired() {
            return;
        }
        for &(at, pulled) in path.iter() {
            let node = &mut self.nodes[at];
            node.visits += 1.0;
            for (player, payoff) in [(0, upper), (1, 1.0 - upper)] {
                let arm = &mut node.arms[player][pulled[player]];
                arm.visits += 1.0;
                arm.sum += payoff;
            }
        }
    }
}

impl Judge for Mcts {
    fn payoff(&self, value: f64) -> f32 {
        value.fract().abs() as f32
    }

    /// The value of a move is its visits, and behind the point its mean payoff.
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        self.nodes.clear();
        self.expand(game, state);
        let most = seat.budget.sims.unwrap_or(u64::MAX).min(self.params.rollouts.into());
        let mut next = state.clone();
        let mut path = Vec::new();
        for _ in 0..most {
            next.clone_from(state);
            self.simulate(game, &mut next, &mut path);
            if deadline::look() {
                break;
            }
        }
        let root = &self.nodes[0].arms[usize::from(seat.player != Player(0))];
        let value = |arm: &Arm| match arm.visits > 0.0 {
            true => arm.visits + 0.999 * arm.sum / arm.visits,
            false => 0.0,
        };
        let judged = root.iter().map(|arm| (arm.mv, value(arm))).collect();
        ranked(judged, &mut self.rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use ludex_core::Spec;

    fn think(position: &str, params: Params) -> (Mcts, Vec<(Move, f64)>, Ropasci360) {
        let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
        let state = game.parse_position(position).unwrap();
        let mut legal = Vec::new();
        game.moves(&state, Player(0), &mut legal);
        let budget = Budget::default();
        let seat = Seat { player: Player(0), legal: &legal, last: None, budget: &budget };
        let mut mind = Mcts::new(params, Seed(1));
        let judged = mind.judge(&game, &state, seat);
        (mind, judged, game)
    }

    #[test]
    fn the_tree_grows_by_a_node_a_rollout_and_every_arm_counts_its_visits() {
        for (best, among) in [(10, 0), (10, 10), (0, 0)] {
            let params = Params { rollouts: 60, best, among, turns: 40, ..Params::default() };
            let (mind, ..) = think("0,0=s 1,0=R -2,1=p 3,-1=P | 3,2 | 9", params);
            assert!((30..=61).contains(&mind.nodes.len()), "{}", mind.nodes.len());
            assert!(best == 0 || mind.nodes.iter().all(|n| n.arms.iter().all(|a| a.len() <= 10)));
            for arms in &mind.nodes[0].arms {
                assert_eq!(arms.iter().map(|arm| arm.visits).sum::<f64>(), 60.0);
            }
            let depths = mind.nodes.iter().filter(|node| node.visits > 0.0).count();
            assert!(depths > 1 || best == 0, "something below the root was visited");
        }
    }

    #[test]
    fn it_finds_the_win_at_hand() {
        // Either step takes one of two scissors, and what is left of lower can't beat the rock.
        let params = Params { rollouts: 400, ..Params::default() };
        let (_, judged, game) = think("0,0=R 1,0=s | 9,9 | 20", params.clone());
        assert!(judged.is_empty(), "over: {}", judged.len());
        let (_, judged, _) = think("0,0=R 1,0=s 4,0=s | 9,9 | 20", params);
        assert!(game.move_text(judged[0].0).starts_with("L 0 0"), "{:?}", judged[0]);
    }
}
