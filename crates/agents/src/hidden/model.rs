//! One model of a bag: a history that explains the seat's observations, and the options that are known to be bad.

use super::enumerate::step_footprint;
use super::observations::{Observations, learn, own_move};
use super::options::Options;
use ludex_core::deadline;
use ludex_core::{Game, Move, Player, Rng, Seed, Trial, Turn};

/// A vertex on the path of a model.
#[derive(Debug, Clone)]
struct Node<S> {
    state: S,
    /// The joint move that led here; empty at the start.
    joint: Vec<Move>,
    /// The number of this option among those of the node before.
    number: u32,
    /// The logarithm of the path's probability where the others choose at random.
    ln_chance: f64,
    footprint: u64,
    /// What each player knows here, as a number; empty as long as nobody asked, because most of the states that
    /// backtracking visits are left again.
    known: Vec<u64>,
    /// The options that were not tried yet. Tried ones are bad for good: nothing after them
    /// explains the observation history, and a longer history is harder to explain.
    untried: Option<Vec<u32>>,
}

/// How an update ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Update {
    /// The model explains the whole observation history.
    Done,
    /// The cap or the thread's deadline was reached; it can go on later.
    Capped,
    /// No history explains the observation history at all.
    Impossible,
}

/// An update under way.
#[derive(Debug, Default)]
pub(crate) struct Run {
    options: Options,
    /// The depth of the node whose options these are, and one more.
    laid: usize,
    /// The options to be tried next, in this order, and their joint moves.
    numbers: Vec<u32>,
    joints: Vec<Move>,
    left: Vec<u32>,
    /// States visited.
    pub(crate) visited: u64,
    /// Was the first draw a success?
    pub(crate) first: bool,
    /// Has it gone back?
    back: bool,
}

impl Run {
    /// A new update.
    pub(crate) fn begin(&mut self) {
        (self.laid, self.visited, self.first, self.back) = (0, 0, false, false);
    }
}

/// A history with its bad lists.
pub(crate) struct Model<G: Game> {
    path: Vec<Node<G::State>>,
    pub(crate) online: bool,
    /// Each model has a stream of its own, so what one draws does not shift what another gets.
    rng: Rng,
}

impl<G: Game> Model<G> {
    pub(crate) fn new(origin: &G::State, players: usize, seed: Seed) -> Self {
        let node = Node {
            state: origin.clone(),
            joint: Vec::new(),
            number: 0,
            ln_chance: 0.0,
            footprint: 0,
            known: vec![0; players],
            untried: None,
        };
        Model { path: vec![node], online: true, rng: seed.rng() }
    }

    /// A copy of the history with another random stream.
    pub(crate) fn copy(&self, seed: Seed) -> Self {
        Model { path: self.path.clone(), online: self.online, rng: seed.rng() }
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

    /// Its memory in states; eight untried options count as one state.
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

    /// Goes on with an update that makes the model explain the first `target` steps of `observed`: substitution
    /// of a random option at each step, backtracking where all of them fail (Schofield, Cerexhe and
    /// Thielscher 2012). Goes back as far as need be and draws the next options, at most `width`,
    /// without taking them; or says how the update ended.
    pub(crate) fn draw(
        &mut self,
        game: &G,
        observed: &Observations,
        target: usize,
        cap: u64,
        width: usize,
        run: &mut Run,
    ) -> Option<Update> {
        loop {
            let depth = self.path.len() - 1;
            if depth < target && deadline::look() {
                return Some(Update::Capped);
            }
            let Some(step) = observed.steps.get(depth).filter(|_| depth < target) else {
                return Some(Update::Done);
            };
            let node = &mut self.path[depth];
            if run.laid != depth + 1 {
                run.options.fill(game, &node.state, observed.seat, step.record.own);
                run.laid = depth + 1;
                // A list of moves that was made when the time ran out may be incomplete.
                if deadline::expired() {
                    run.laid = 0;
                    return Some(Update::Capped);
                }
            }
            let count = run.options.count() as u32;
            let untried = node.untried.get_or_insert_with(|| (0..count).collect());
            if untried.is_empty() {
                if depth == 0 {
                    return Some(Update::Impossible);
                }
                // The option's number left the parent's list when it was drawn: the option is bad.
                self.path.pop();
                run.back = true;
                continue;
            }
            let able = usize::try_from(cap.saturating_sub(run.visited)).unwrap_or(usize::MAX);
            let width = width.min(able).min(untried.len());
            if width == 0 {
                return Some(Update::Capped);
            }
            // Options in the order in which they will be drawn.
            let Run { options, numbers, joints, left, .. } = run;
            numbers.clear();
            joints.clear();
            left.clone_from(untried);
            let mut rng = self.rng.clone();
            for _ in 0..width {
                let number = left.swap_remove(rng.index(left.len()));
                numbers.push(number);
                options.joint(number as usize, joints);
            }
            return None;
        }
    }

    /// The substitutions that were drawn and are to be tried.
    pub(crate) fn trial<'a>(
        &'a self,
        observed: &'a Observations,
        run: &'a Run,
    ) -> Trial<'a, G::State> {
        let depth = self.path.len() - 1;
        Trial {
            state: &self.path[depth].state,
            joints: &run.joints,
            movers: run.joints.len() / run.numbers.len().max(1),
            percept: observed.steps.get(depth).map_or(&[], |step| &step.record.percept.0),
            legal: observed.legal_at(depth + 1),
        }
    }

    /// Removes the drawn substitutions up to the first that agreed, or all if none agreed.
    pub(crate) fn take(&mut self, found: Option<(usize, G::State)>, run: &mut Run) {
        let depth = self.path.len() - 1;
        let node = &mut self.path[depth];
        let taken = found.as_ref().map_or(run.numbers.len(), |(at, _)| at + 1);
        if let Some(untried) = &mut node.untried {
            for _ in 0..taken {
                untried.swap_remove(self.rng.index(untried.len()));
            }
        }
        run.first |= run.visited == 0 && taken == 1 && found.is_some() && !run.back;
        run.visited += taken as u64;
        let Some((at, state)) = found else { return };
        let movers = run.joints.len() / run.numbers.len().max(1);
        let (number, joint) = (run.numbers[at], run.joints[at * movers..][..movers].to_vec());
        let next = Node {
            state,
            number,
            ln_chance: node.ln_chance + run.options.ln_chance(number as usize),
            footprint: step_footprint(node.footprint, &joint),
            joint,
            known: Vec::new(),
            untried: None,
        };
        self.path.push(next);
    }

    /// Works out what each player knows along the path, which explains the observation history.
    pub(crate) fn learn(&mut self, game: &G, observed: &Observations) {
        let from = self.path.iter().rposition(|node| !node.known.is_empty()).unwrap_or(0);
        let mut words = Vec::new();
        for (at, step) in (from + 1..self.path.len()).zip(observed.steps.iter().skip(from)) {
            let (before, after) = (&self.path[at - 1], &self.path[at]);
            let mut known = before.known.clone();
            let turn = if known.len() > 1 { game.turn(&before.state) } else { Turn::Over };
            for (p, known) in known.iter_mut().enumerate() {
                let player = Player(p as u8);
                if player == observed.seat {
                    *known = learn(*known, step.record.own, &step.record.percept.0);
                    continue;
                }
                words.clear();
                let joint = &after.joint;
                game.percept(&before.state, joint, &after.state, player, &mut words);
                *known = learn(*known, own_move(turn, joint, player), &words);
            }
            self.path[at].known = known;
        }
    }
}
