//! Tree search with an evaluator in Python: PUCT (Rosin 2011; Silver et al. 2017) that collects leaves and judges them in
//! one call, so that the interpreter is not called once a leaf.
//!
//! While a batch is collected, each leaf on the way counts as a lost visit (virtual loss), so that the next walk goes
//! elsewhere. Values are payoffs from 0 to 1 by seat.

use ludex_agents::{Agent, Budget, Candidate, Choice, Failure, Thought};
use ludex_core::deadline;
use ludex_core::encode::Features;
use ludex_core::{AnyGame, AnyState, Error, Game, Info, Move, Player, Rng, Seed, Turn, View};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::sync::Arc;

/// The parameters of the search.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) sims: u64,
    pub(crate) batch: usize,
    pub(crate) c: f32,
    pub(crate) name: String,
}

/// A tree search with an evaluator in Python.
pub(crate) struct Puct {
    evaluator: Arc<Py<PyAny>>,
    params: Params,
    rng: Rng,
    seats: usize,
    width: usize,
    shape: Vec<usize>,
    size: usize,
}

/// A position of the tree. Children of chance are found by their outcome.
struct Node {
    turn: Turn,
    edges: Vec<Edge>,
    visits: u32,
    /// Sums of payoffs by seat.
    values: Vec<f32>,
    expanded: bool,
}

struct Edge {
    mv: Move,
    number: u32,
    prior: f32,
    child: Option<usize>,
    /// Walks that wait for the evaluator below this edge.
    waiting: u32,
}

/// A leaf that waits for the evaluator.
struct Leaf {
    path: Vec<(usize, usize)>,
    node: usize,
    state: AnyState,
}

impl Puct {
    /// Checks that it can play such a game.
    pub(crate) fn supports(info: &Info) -> Result<(), Error> {
        let reason = match (info.hidden, info.simultaneous) {
            (true, _) => "needs to see the whole position, and this game hides a part",
            (_, true) => "needs players who move one by one, and in this game they move at once",
            _ => return Ok(()),
        };
        Err(Error::Unsupported(format!("puct can't play {}: it {reason}", info.name)))
    }

    pub(crate) fn new(
        game: &AnyGame,
        evaluator: Arc<Py<PyAny>>,
        params: Params,
        seed: Seed,
    ) -> Result<Puct, Error> {
        Puct::supports(game.info())?;
        let encoding = game.encoding();
        if encoding.width() == 0 {
            let name = &game.info().name;
            return Err(Error::Unsupported(format!("{name} has no encoding of positions")));
        }
        Ok(Puct {
            evaluator,
            params,
            rng: seed.rng(),
            seats: game.info().seats(),
            width: encoding.width(),
            shape: encoding.shape,
            size: game.action_space().size() as usize,
        })
    }

    fn node(&self, game: &AnyGame, state: &AnyState) -> Node {
        let turn = game.turn(state);
        let mut edges = Vec::new();
        if let Turn::One(player) = turn {
            let (mut legal, mut numbers) = (Vec::new(), Vec::new());
            game.moves(state, player, &mut legal);
            game.actions(&legal, &mut numbers);
            let prior = 1.0 / legal.len().max(1) as f32;
            let edge = |(mv, number)| Edge { mv, number, prior, child: None, waiting: 0 };
            edges.extend(legal.into_iter().zip(numbers).map(edge));
        }
        Node { turn, edges, visits: 0, values: vec![0.0; self.seats], expanded: false }
    }

    /// Walks down to a leaf. Returns it, or nothing where the walk ended at a finished game.
    fn walk(&mut self, game: &AnyGame, tree: &mut Vec<Node>, root: &AnyState) -> Option<Leaf> {
        let mut state = root.clone();
        let (mut at, mut path) = (0, Vec::new());
        loop {
            let node = &tree[at];
            let edge = match node.turn {
                Turn::Over => {
                    let mut payoffs = vec![0.5; self.seats];
                    game.payoffs(&state, &mut payoffs);
                    back_up(tree, &path, at, &payoffs);
                    return None;
                }
                Turn::Chance => self.draw(game, tree, at, &state),
                _ if !node.expanded => {
                    return Some(Leaf { path, node: at, state });
                }
                turn => self.select(tree, at, turn.movers().iter().next().unwrap_or_default()),
            };
            path.push((at, edge));
            let next = tree.len();
            let chosen = &mut tree[at].edges[edge];
            chosen.waiting += 1;
            game.apply(&mut state, &[chosen.mv]);
            at = *chosen.child.get_or_insert(next);
            if at == next {
                tree.push(self.node(game, &state));
            }
        }
    }

    /// The edge of a random outcome of chance.
    fn draw(&mut self, game: &AnyGame, tree: &mut [Node], at: usize, state: &AnyState) -> usize {
        let mv = game.sample_chance(state, &mut self.rng);
        let edges = &mut tree[at].edges;
        edges.iter().position(|edge| edge.mv == mv).unwrap_or_else(|| {
            edges.push(Edge { mv, number: 0, prior: 0.0, child: None, waiting: 0 });
            edges.len() - 1
        })
    }

    /// The edge with the greatest upper bound for the mover.
    fn select(&self, tree: &[Node], at: usize, mover: Player) -> usize {
        let node = &tree[at];
        let explore = self.params.c * (node.visits.max(1) as f32).sqrt();
        let parent = node.values[mover.index()] / node.visits.max(1) as f32;
        let bound = |edge: &Edge| {
            let child = edge.child.map(|child| &tree[child]);
            let visits = child.map_or(0, |child| child.visits) + edge.waiting;
            let sum = child.map_or(0.0, |child| child.values[mover.index()]);
            // A walk that waits counts as lost; a move that was never tried as the parent.
            let value = if visits == 0 { parent } else { sum / visits as f32 };
            value + explore * edge.prior / (1.0 + visits as f32)
        };
        let bounds = node.edges.iter().map(bound).enumerate();
        bounds.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(edge, _)| edge)
    }

    /// Judges leaves by one call of the evaluator.
    fn judge(
        &self,
        game: &AnyGame,
        origin: &AnyState,
        tree: &mut [Node],
        leaves: &[Leaf],
    ) -> Result<(), Error> {
        let n = leaves.len();
        let mut observations = vec![0.0f32; n * self.width];
        let mut masks = vec![0i8; n * self.size];
        let mut players = vec![0i32; n];
        let mut features = Features::new();
        for (row, leaf) in leaves.iter().enumerate() {
            let node = &tree[leaf.node];
            let mover = node.turn.movers().iter().next().unwrap_or_default();
            players[row] = mover.0.into();
            let legal: Vec<Move> = node.edges.iter().map(|edge| edge.mv).collect();
            let view = View::new(game, origin, mover, &[], &leaf.state, &legal);
            features.clear();
            game.encode(&view, &mut features);
            for &(at, value) in features.iter().filter(|(at, _)| (*at as usize) < self.width) {
                observations[row * self.width + at as usize] = value;
            }
            for edge in node.edges.iter().filter(|edge| (edge.number as usize) < self.size) {
                masks[row * self.size + edge.number as usize] = 1;
            }
        }
        let (priors, values) = Python::attach(|py| self.call(py, n, observations, masks, players))
            .map_err(|error| Error::Unsupported(format!("the evaluator failed: {error}")))?;
        for (row, leaf) in leaves.iter().enumerate() {
            let node = &mut tree[leaf.node];
            let mover = node.turn.movers().iter().next().unwrap_or_default();
            if !node.expanded {
                node.expanded = true;
                set_priors(node, &priors[row * self.size..][..self.size]);
            }
            let given = &values[row];
            let payoffs: Vec<f32> = match given.len() {
                1 => {
                    let own = (given[0].clamp(-1.0, 1.0) + 1.0) / 2.0;
                    let others = (1.0 - own) / (self.seats.max(2) - 1) as f32;
                    (0..self.seats).map(|s| if s == mover.index() { own } else { others }).collect()
                }
                _ => given.iter().map(|value| (value.clamp(-1.0, 1.0) + 1.0) / 2.0).collect(),
            };
            back_up(tree, &leaf.path, leaf.node, &payoffs);
        }
        Ok(())
    }

    /// Calls the evaluator. It gives `(policy, value)`: weights of actions, one row a leaf, and the value of each leaf for
    /// its mover, or for all players, from -1 to 1.
    #[allow(clippy::type_complexity)]
    fn call(
        &self,
        py: Python<'_>,
        n: usize,
        observations: Vec<f32>,
        masks: Vec<i8>,
        players: Vec<i32>,
    ) -> PyResult<(Vec<f32>, Vec<Vec<f32>>)> {
        let shape: Vec<usize> = [n].iter().chain(&self.shape).copied().collect();
        let observations = PyArray1::from_vec(py, observations).reshape(shape)?;
        let masks = PyArray1::from_vec(py, masks).reshape([n, self.size])?;
        let players = PyArray1::from_vec(py, players);
        let answer = self.evaluator.bind(py).call1((observations, masks, players))?;
        let (policy, value) = answer.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let numpy = py.import("numpy")?;
        let (policy, value) = (floats(&numpy, policy)?, floats(&numpy, value)?);
        let wrong = |what: &str, shape: &[usize]| {
            crate::error::value(format!("the evaluator gave a {what} of shape {shape:?}"))
        };
        if policy.shape() != [n, self.size] {
            return Err(wrong("policy", policy.shape()));
        }
        let per_row = value.len() / n.max(1);
        if value.len() != n * per_row || ![1, self.seats].contains(&per_row) {
            return Err(wrong("value", value.shape()));
        }
        let rows = value.readonly();
        let rows = rows.as_slice()?.chunks(per_row).map(<[f32]>::to_vec).collect();
        Ok((policy.readonly().as_slice()?.to_vec(), rows))
    }

    fn thought(&self, tree: &[Node], sims: u64, seat: Player) -> (Move, Thought) {
        let root = &tree[0];
        let stats = |edge: &Edge| {
            let child = edge.child.map(|child| &tree[child]);
            let visits = child.map_or(0, |child| child.visits);
            let sum = child.map_or(0.0, |child| child.values[seat.index()]);
            (visits, if visits == 0 { 0.0 } else { sum / visits as f32 })
        };
        let mut candidates: Vec<Candidate> = root
            .edges
            .iter()
            .map(|edge| {
                let (visits, value) = stats(edge);
                let (mv, visits) = (edge.mv, visits.into());
                Candidate { mv, visits, value, line: vec![mv], ..Candidate::default() }
            })
            .collect();
        candidates.sort_by(|a, b| {
            (b.visits, b.value)
                .partial_cmp(&(a.visits, a.value))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let best = candidates.first().cloned().unwrap_or_default();
        let thought = Thought {
            sims,
            nodes: tree.len() as u64,
            value: Some(best.value),
            candidates,
            ..Thought::default()
        };
        (best.mv, thought)
    }
}

/// An array of the evaluator as contiguous floats.
fn floats<'py>(
    numpy: &Bound<'py, PyModule>,
    array: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let array = numpy.call_method1("ascontiguousarray", (array, "float32"))?;
    Ok(array.cast_into::<PyArrayDyn<f32>>()?)
}

/// Weights of the legal actions that add up to 1; equal ones where the evaluator gives none.
fn set_priors(node: &mut Node, policy: &[f32]) {
    let weight = |edge: &Edge| {
        let weight = policy.get(edge.number as usize).copied().unwrap_or(0.0);
        if weight.is_finite() { weight.max(0.0) } else { 0.0 }
    };
    let sum: f32 = node.edges.iter().map(weight).sum();
    let equal = 1.0 / node.edges.len().max(1) as f32;
    for edge in &mut node.edges {
        let given = weight(edge);
        edge.prior = if sum > 0.0 { given / sum } else { equal };
    }
}

/// Adds payoffs to all nodes of a walk.
fn back_up(tree: &mut [Node], path: &[(usize, usize)], leaf: usize, payoffs: &[f32]) {
    for &(at, edge) in path {
        tree[at].edges[edge].waiting = tree[at].edges[edge].waiting.saturating_sub(1);
    }
    for at in path.iter().map(|&(at, _)| at).chain([leaf]) {
        let node = &mut tree[at];
        node.visits += 1;
        node.values.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += payoff);
    }
}

impl Agent<AnyGame> for Puct {
    fn name(&self) -> String {
        self.params.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        _: &Budget,
    ) -> Result<Choice, Failure> {
        let Some(state) = view.state() else {
            return Err(Error::Unsupported("puct needs to see the whole position".into()).into());
        };
        let mut tree = vec![self.node(game, state)];
        let mut sims = 0;
        while sims < self.params.sims && !deadline::look() {
            let mut leaves: Vec<Leaf> = Vec::new();
            // The root must be judged before a second walk can go on.
            let most = if sims == 0 { 1 } else { self.params.batch };
            for _ in 0..most {
                if sims >= self.params.sims {
                    break;
                }
                sims += 1;
                leaves.extend(self.walk(game, &mut tree, state));
            }
            if !leaves.is_empty() {
                self.judge(game, view.origin(), &mut tree, &leaves)?;
            }
        }
        let (mv, thought) = self.thought(&tree, sims, view.seat());
        Ok(Choice { mv, thought })
    }
}
