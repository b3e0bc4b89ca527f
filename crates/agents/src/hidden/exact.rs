//! Exact tools for small games: the whole tree by information sets, best responses, exploitability.

use super::mccfr::{Mccfr, set_key};
use super::observations::{Observations, learn};
use crate::budget::Budget;
use crate::spec::AgentSpec;
use ludex_core::{AnyGame, Error, Game, Move, Player, Players, Record, Result, Seed, Turn, View};
use rustc_hash::FxHashMap;

/// A point of the tree. Those who move at once choose one after the other, unseen.
#[derive(Debug, Clone)]
enum Node {
    Over(Vec<f32>),
    Chance(Vec<(f64, u32)>),
    Choice { set: u32, children: Vec<u32> },
}

/// An information set.
#[derive(Debug, Clone)]
pub struct Set {
    /// The player to move.
    pub player: Player,
    /// The moves there.
    pub moves: Vec<Move>,
    /// The observation history of the player.
    pub records: Vec<Record>,
    /// A hash of its knowledge.
    pub key: u64,
    nodes: Vec<u32>,
}

/// The whole tree of a game.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    sets: Vec<Set>,
    players: usize,
}

/// For each information set of a tree: the probability of each of its moves.
pub type Policy = Vec<Vec<f64>>;

struct Build<'a, G> {
    game: &'a G,
    most: usize,
    index: FxHashMap<u64, u32>,
    tree: Tree,
}

impl Tree {
    /// Unfolds a game.
    ///
    /// # Errors
    /// More than `most` nodes.
    pub fn new<G: Game>(game: &G, most: usize) -> Result<Tree> {
        let players = game.info().seats();
        let tree = Tree { nodes: Vec::new(), sets: Vec::new(), players };
        let mut build = Build { game, most, index: FxHashMap::default(), tree };
        let histories: Vec<(u64, Observations)> =
            (0..players).map(|p| (0, Observations::new(Player(p as u8)))).collect();
        build.state(&game.start(), &histories)?;
        Ok(build.tree)
    }

    /// How many points it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The player's information sets.
    pub fn sets(&self) -> &[Set] {
        &self.sets
    }

    /// All players move at random.
    pub fn uniform(&self) -> Policy {
        self.sets.iter().map(|s| vec![1.0 / s.moves.len() as f64; s.moves.len()]).collect()
    }

    /// Each player's expected payoff where all follow `policy`.
    pub fn values(&self, policy: &Policy) -> Vec<f64> {
        let mut values = vec![vec![0.0; self.players]; self.nodes.len()];
        // Children come after their parents.
        for at in (0..self.nodes.len()).rev() {
            let mut here = vec![0.0; self.players];
            let mut add = |weight: f64, from: &[f64]| {
                here.iter_mut().zip(from).for_each(|(h, f)| *h += weight * f);
            };
            match &self.nodes[at] {
                Node::Over(payoffs) => {
                    let payoffs: Vec<f64> = payoffs.iter().map(|&p| p.into()).collect();
                    add(1.0, &payoffs);
                }
                Node::Chance(children) => {
                    children.iter().for_each(|&(p, child)| add(p, &values[child as usize]));
                }
                Node::Choice { set, children } => {
                    for (&child, &p) in children.iter().zip(&policy[*set as usize]) {
                        add(p, &values[child as usize]);
                    }
                }
            }
            values[at] = here;
        }
        debug_assert!(!values.is_empty(), "the tree has a root");
        values.into_iter().next().unwrap_or_default()
    }

    /// The payoff of `player` for its best response to the others' `policy`.
    pub fn best_response(&self, player: Player, policy: &Policy) -> f64 {
        // How likely the others and chance make each point.
        let mut reach = vec![0.0; self.nodes.len()];
        if let Some(first) = reach.first_mut() {
            *first = 1.0;
        }
        for at in 0..self.nodes.len() {
            match &self.nodes[at] {
                Node::Over(_) => {}
                Node::Chance(children) => {
                    children.iter().for_each(|&(p, child)| reach[child as usize] = reach[at] * p);
                }
                Node::Choice { set, children } => {
                    let set = *set as usize;
                    let own = self.sets[set].player == player;
                    for (&child, &p) in children.iter().zip(&policy[set]) {
                        reach[child as usize] = reach[at] * if own { 1.0 } else { p };
                    }
                }
            }
        }
        let mut response = Response {
            tree: self,
            player,
            policy,
            reach,
            value: vec![f64::NAN; self.nodes.len()],
            best: vec![None; self.sets.len()],
        };
        if self.is_empty() { 0.0 } else { response.value(0) }
    }

    /// How much a player who knows the policy can gain by it, on average over the seats; 0 for
    /// an equilibrium. For two players with constant sum.
    pub fn exploitability(&self, policy: &Policy) -> f64 {
        let values = self.values(policy);
        let gains = (0..self.players)
            .map(|p| self.best_response(Player(p as u8), policy) - values.get(p).unwrap_or(&0.0));
        gains.sum::<f64>() / self.players.max(1) as f64
    }

    /// The average strategy of regret minimisation; uniform where it has never been.
    pub fn policy_from(&self, regrets: &Mccfr) -> Policy {
        let share = |set: &Set| {
            let strategy = regrets.strategy(set.key);
            let even = 1.0 / set.moves.len().max(1) as f64;
            let of = |mv: &Move| {
                let found = strategy.as_ref().and_then(|s| s.iter().find(|s| s.0 == *mv));
                found.map_or(even, |s| s.1)
            };
            set.moves.iter().map(of).collect()
        };
        self.sets.iter().map(share).collect()
    }

    /// The policy of an agent: in each information set a fresh one is asked `samples` times, each
    /// with its own seed. `told` is called after each set.
    ///
    /// # Errors
    /// The agent refuses the game.
    pub fn policy_of(
        &self,
        game: &AnyGame,
        spec: &AgentSpec,
        budget: &Budget,
        samples: u32,
        seed: Seed,
        mut told: impl FnMut(),
    ) -> Result<Policy> {
        let origin = game.start();
        let mut policy = Vec::with_capacity(self.sets.len());
        for (number, set) in self.sets.iter().enumerate() {
            let mut row = vec![0.0; set.moves.len()];
            for sample in 0..samples.max(1) {
                let seed = seed.child(number as u64).child(sample.into());
                let mut mind = spec.build(game, set.player, seed)?;
                let view = View::new(game, &origin, set.player, &set.records, &origin, &set.moves);
                let chosen = mind.choose(game, &view, budget)?.mv;
                if let Some(at) = set.moves.iter().position(|&mv| mv == chosen) {
                    row[at] += 1.0 / f64::from(samples.max(1));
                }
            }
            policy.push(row);
            told();
        }
        Ok(policy)
    }
}

struct Response<'a> {
    tree: &'a Tree,
    player: Player,
    policy: &'a Policy,
    reach: Vec<f64>,
    value: Vec<f64>,
    best: Vec<Option<usize>>,
}

impl Response<'_> {
    fn value(&mut self, at: usize) -> f64 {
        if !self.value[at].is_nan() {
            return self.value[at];
        }
        let tree = self.tree;
        let value = match &tree.nodes[at] {
            Node::Over(payoffs) => payoffs.get(self.player.index()).copied().unwrap_or(0.0).into(),
            Node::Chance(children) => {
                children.iter().map(|&(p, child)| p * self.value(child as usize)).sum()
            }
            Node::Choice { set, children } => {
                let set = *set as usize;
                if tree.sets[set].player == self.player {
                    let best = self.best(set);
                    children.get(best).map_or(0.0, |&child| self.value(child as usize))
                } else {
                    let policy = &self.policy[set];
                    let mut sum = 0.0;
                    for (&child, &p) in children.iter().zip(policy) {
                        if p > 0.0 {
                            sum += p * self.value(child as usize);
                        }
                    }
                    sum
                }
            }
        };
        self.value[at] = value;
        value
    }

    /// The best move of an information set: it must be the same at all of its points.
    fn best(&mut self, set: usize) -> usize {
        if let Some(best) = self.best[set] {
            return best;
        }
        let tree = self.tree;
        let mut sums = vec![0.0; tree.sets[set].moves.len()];
        for &node in &tree.sets[set].nodes {
            let reach = self.reach[node as usize];
            if reach <= 0.0 {
                continue;
            }
            if let Node::Choice { children, .. } = &tree.nodes[node as usize] {
                for (i, &child) in children.iter().enumerate() {
                    sums[i] += reach * self.value(child as usize);
                }
            }
        }
        let mut best = 0;
        for (i, &sum) in sums.iter().enumerate() {
            if sum > sums[best] {
                best = i;
            }
        }
        self.best[set] = Some(best);
        best
    }
}

impl<G: Game> Build<'_, G> {
    fn node(&mut self, node: Node) -> Result<u32> {
        if self.tree.nodes.len() >= self.most {
            return Err(Error::Unsupported(format!(
                "{} has more than {} positions; exact tools are for small games",
                self.game.info().name,
                self.most
            )));
        }
        self.tree.nodes.push(node);
        Ok(self.tree.nodes.len() as u32 - 1)
    }

    fn state(&mut self, state: &G::State, histories: &[(u64, Observations)]) -> Result<u32> {
        match self.game.turn(state) {
            Turn::Over => {
                let mut payoffs = vec![0.0; histories.len()];
                self.game.payoffs(state, &mut payoffs);
                self.node(Node::Over(payoffs))
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chances(state, &mut outcomes);
                let at = self.node(Node::Chance(Vec::new()))?;
                let mut children = Vec::new();
                for (mv, p) in outcomes {
                    children.push((p, self.after(state, Turn::Chance, &[mv], histories)?));
                }
                self.tree.nodes[at as usize] = Node::Chance(children);
                Ok(at)
            }
            turn => self.choices(state, turn, turn.movers(), &mut Vec::new(), histories),
        }
    }

    fn after(
        &mut self,
        state: &G::State,
        turn: Turn,
        joint: &[Move],
        histories: &[(u64, Observations)],
    ) -> Result<u32> {
        let mut after = state.clone();
        self.game.apply(&mut after, joint);
        let histories: Vec<(u64, Observations)> = histories
            .iter()
            .map(|(known, observed)| {
                let record = Record::of_step(self.game, state, turn, joint, &after, observed.seat);
                let known = learn(*known, record.own, &record.percept.0);
                let mut observed = observed.clone();
                observed.push(record);
                (known, observed)
            })
            .collect();
        self.state(&after, &histories)
    }

    fn choices(
        &mut self,
        state: &G::State,
        turn: Turn,
        left: Players,
        joint: &mut Vec<Move>,
        histories: &[(u64, Observations)],
    ) -> Result<u32> {
        let Some(player) = left.iter().next() else {
            return self.after(state, turn, &joint.clone(), histories);
        };
        let Some((known, observed)) = histories.get(player.index()) else {
            return Err(Error::Unsupported("a seat moves that the game does not have".into()));
        };
        let mut moves = Vec::new();
        self.game.moves(state, player, &mut moves);
        let key = set_key(*known, player, &moves);
        let next = self.tree.sets.len() as u32;
        let set = *self.index.entry(key).or_insert(next);
        if set == next {
            let records = observed.steps.iter().map(|m| m.record.clone()).collect();
            let moves = moves.clone();
            self.tree.sets.push(Set { player, moves, records, key, nodes: Vec::new() });
        }
        let at = self.node(Node::Choice { set, children: Vec::new() })?;
        self.tree.sets[set as usize].nodes.push(at);
        let mut children = Vec::new();
        // In the order of the set, whatever the order here.
        for mv in self.tree.sets[set as usize].moves.clone() {
            joint.push(mv);
            children.push(self.choices(state, turn, left.without(player), joint, histories)?);
            joint.pop();
        }
        self.tree.nodes[at as usize] = Node::Choice { set, children };
        Ok(at)
    }
}
