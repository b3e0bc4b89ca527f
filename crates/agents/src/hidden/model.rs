//! One model of a bag: a history that explains what the seat lived, with what is known to be bad.

use super::enumerate::step_footprint;
use super::life::{Life, learn, own_move};
use super::options::Options;
use ludex_core::{Game, Move, Player, Rng, Seed};

/// A vertex on the path of a model.
#[derive(Debug, Clone)]
struct Node<S> {
    state: S,
    /// The joint move that led here; empty at the start.
    joint: Vec<Move>,
    /// Its number among the options of the node before.
    number: u32,
    /// The logarithm of the path's probability where the others choose at random.
    ln_chance: f64,
    footprint: u64,
    /// What each player knows here, as a number.
    known: Vec<u64>,
    /// The options that were not tried yet. Tried ones are bad for good: nothing after them
    /// explains the life, and a longer life is harder to explain.
    untried: Option<Vec<u32>>,
}

/// How an update ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Update {
    /// The model explains the whole life.
    Done,
    /// The cap was reached; it can go on later.
    Capped,
    /// No history explains the life at all.
    Impossible,
}

/// Scratch space and counters of updates.
pub(crate) struct Desk<G: Game> {
    options: Options,
    joint: Vec<Move>,
    pad: Vec<Move>,
    words: Vec<u64>,
    after: G::State,
    pub(crate) rng: Rng,
    /// States visited in this update.
    pub(crate) visited: u64,
    /// Was the first draw of this update a success?
    pub(crate) first: bool,
}

impl<G: Game> Desk<G> {
    pub(crate) fn new(origin: &G::State, seed: Seed) -> Self {
        Desk {
            rng: seed.rng(),
            options: Options::default(),
            joint: Vec::new(),
            pad: Vec::new(),
            words: Vec::new(),
            after: origin.clone(),
            visited: 0,
            first: false,
        }
    }
}

/// A history with its bad lists.
pub(crate) struct Model<G: Game> {
    path: Vec<Node<G::State>>,
    pub(crate) online: bool,
}

impl<G: Game> Clone for Model<G> {
    fn clone(&self) -> Self {
        Model { path: self.path.clone(), online: self.online }
    }
}

impl<G: Game> Model<G> {
    pub(crate) fn new(origin: &G::State, players: usize) -> Self {
        let node = Node {
            state: origin.clone(),
            joint: Vec::new(),
            number: 0,
            ln_chance: 0.0,
            footprint: 0,
            known: vec![0; players],
            untried: None,
        };
        Model { path: vec![node], online: true }
    }

    fn last(&self) -> &Node<G::State> {
        // A path is never empty: `down` keeps the start, `cut` at least one node.
        &self.path[self.path.len() - 1]
    }

    /// How many steps it explains.
    pub(crate) fn depth(&self) -> usize {
        self.path.len() - 1
    }

    pub(crate) fn state(&self) -> &G::State {
        &self.last().state
    }

    pub(crate) fn ln_chance(&self) -> f64 {
        self.last().ln_chance
    }

    pub(crate) fn footprint(&self) -> u64 {
        self.last().footprint
    }

    pub(crate) fn known(&self) -> &[u64] {
        &self.last().known
    }

    /// The states and joint moves along the path.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&G::State, &[Move], &G::State)> {
        self.path.windows(2).map(|w| (&w[0].state, w[1].joint.as_slice(), &w[1].state))
    }

    /// What it takes up: states, and untried options at eight to a state.
    pub(crate) fn size(&self) -> usize {
        let untried = |node: &Node<_>| node.untried.as_ref().map_or(0, Vec::len) / 8;
        self.path.iter().map(|node| 1 + untried(node)).sum()
    }

    /// Goes back to `depth`; the step made from there may be made again.
    pub(crate) fn cut(&mut self, depth: usize) {
        let depth = depth.min(self.depth());
        if let Some(next) = self.path.get(depth + 1) {
            let number = next.number;
            self.path.truncate(depth + 1);
            if let Some(untried) = self.path[depth].untried.as_mut() {
                untried.push(number);
            }
        }
    }

    /// Makes the model explain the first `target` steps of `life`: substitution of a random
    /// option at each step, backtracking where all of them fail (Schofield, Cerexhe and
    /// Thielscher 2012). `stop` is asked now and then.
    pub(crate) fn update(
        &mut self,
        game: &G,
        life: &Life,
        target: usize,
        cap: u64,
        desk: &mut Desk<G>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Update {
        (desk.visited, desk.first) = (0, false);
        let mut back = false;
        // The node whose options lie on the desk.
        let mut laid = usize::MAX;
        loop {
            let depth = self.path.len() - 1;
            if depth >= target {
                return Update::Done;
            }
            let Some(moment) = life.moments.get(depth) else { return Update::Done };
            let node = &mut self.path[depth];
            if laid != depth {
                desk.options.fill(game, &node.state, life.seat, moment.record.own);
                laid = depth;
            }
            let count = desk.options.count() as u32;
            let untried = node.untried.get_or_insert_with(|| (0..count).collect());
            if untried.is_empty() {
                if depth == 0 {
                    return Update::Impossible;
                }
                // Its number was taken from the parent's options when it was drawn: it is bad.
                self.path.pop();
                back = true;
                continue;
            }
            if desk.visited >= cap || (desk.visited & 255 == 255 && stop()) {
                return Update::Capped;
            }
            let number = untried.swap_remove(desk.rng.index(untried.len()));
            desk.visited += 1;
            desk.options.joint(number as usize, &mut desk.joint);
            desk.after.clone_from(&node.state);
            game.apply(&mut desk.after, &desk.joint);
            desk.words.clear();
            game.percept(&node.state, &desk.joint, &desk.after, life.seat, &mut desk.words);
            let agrees = desk.words == moment.record.percept.0
                && life.allows(game, &desk.after, depth + 1, &mut desk.pad);
            desk.first |= desk.visited == 1 && agrees && !back;
            if agrees {
                let next = self.next(game, depth, number, life.seat, desk);
                self.path.push(next);
            }
        }
    }

    /// The node after the joint move on the desk.
    fn next(
        &self,
        game: &G,
        depth: usize,
        number: u32,
        seat: Player,
        desk: &mut Desk<G>,
    ) -> Node<G::State> {
        let node = &self.path[depth];
        let turn = game.turn(&node.state);
        let mut known = node.known.clone();
        let mut words = Vec::new();
        for (p, known) in known.iter_mut().enumerate() {
            let player = Player(p as u8);
            words.clear();
            if player == seat {
                words.extend_from_slice(&desk.words);
            } else {
                game.percept(&node.state, &desk.joint, &desk.after, player, &mut words);
            }
            *known = learn(*known, own_move(turn, &desk.joint, player), &words);
        }
        Node {
            state: desk.after.clone(),
            joint: desk.joint.clone(),
            number,
            ln_chance: node.ln_chance + desk.options.ln_chance(number as usize),
            footprint: step_footprint(node.footprint, &desk.joint),
            known,
            untried: None,
        }
    }
}
