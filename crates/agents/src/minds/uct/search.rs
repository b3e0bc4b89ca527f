//! One simulation: the way down, the playout, the way back.
//!
//! What threads may share is in [`Core`]; what each has for itself is in [`Worker`].

use super::params::{Backup, Params};
use crate::heuristic::Evaluator;
use crate::search::playout::{Policy, Tracer};
use crate::search::select::{Lesson, Select, Step, Ucb1};
use crate::search::tree::actions::{Act, Actions};
use crate::search::tree::joint::{Rule, Run};
use crate::search::tree::{Id, Kind, ROOT, Tree};
use ludex_core::deadline;
use ludex_core::playout::{LONGEST, Pads};
use ludex_core::{Game, Move, Player, Result, Rng, Seed};

/// The tree and all that is learned about it.
pub(super) struct Core<S> {
    pub(super) tree: Tree,
    pub(super) select: S,
    /// The longest way down.
    pub(super) depth: u32,
    /// Were moves listed when the clock rang? Then the list may be wrong, and the tree must not be used again.
    pub(super) spoiled: bool,
    /// UCB1 for the arms of joint nodes.
    ucb: Ucb1,
    /// Simulations in a row whose payoffs were known.
    known: u32,
    rule: Rule,
    /// Where the selection or the playouts keep statistics of actions.
    actions: Option<Actions>,
    backup: Backup,
    expand: u32,
    runs: Vec<Run>,
    offsets: Vec<usize>,
    shares: Vec<f32>,
}

/// Scratch space of one thread, its luck and its playout policy.
pub(super) struct Worker<G: Game, P> {
    pub(super) rng: Rng,
    pub(super) policy: P,
    pub(super) path: Vec<Step>,
    pub(super) payoffs: Vec<f32>,
    /// The actions of the simulation: those in the tree, then those of each playout.
    acts: Vec<Act>,
    /// Where the tree's acts end, and each playout's.
    ends: Vec<usize>,
    /// The payoffs of each traced playout.
    results: Vec<f32>,
    has_arms: bool,
    at_leaf: Option<G::State>,
    line: Vec<Move>,
    arms: Vec<Id>,
    pads: Pads,
    one: Vec<f32>,
    longest: u32,
    evaluator: Option<Evaluator>,
}

/// Where a playout looks at the clock after so few plies, steps are slow enough for a look after each.
const SLOW: u32 = 4;

#[inline]
fn is_slow() -> bool {
    deadline::stride() <= SLOW
}

/// After so many simulations in a row that ended at proven nodes, one looks only at nodes that are not proven. Otherwise a
/// proven draw that is the best move so far would take nearly all simulations, and the other moves would not be proven.
const STALLED: u32 = 64;

/// Where a descent of the tree ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    /// At a slot whose payoffs are known: they are the worker's.
    Known,
    /// At a leaf, whose position the worker's state is.
    Leaf,
    /// On the way: the clock rang.
    Cut,
}

impl<S: Select> Core<S> {
    pub(super) fn new<G: Game>(game: &G, params: &Params, select: S, bytes: usize) -> Self {
        let info = game.info();
        let tree = Tree::new(info.seats(), bytes, params.fpu);
        let two_sided = info.seats() == 1 || info.seats() == 2 && info.constant_sum;
        let bounded = params.backup == Backup::Bounded && two_sided;
        Core {
            tree: if bounded { tree.with_bounds() } else { tree },
            select,
            depth: 0,
            spoiled: false,
            ucb: Ucb1::new(params.c),
            known: 0,
            rule: params.joint,
            actions: params.traced().then(|| Actions::new(game)),
            backup: params.backup,
            expand: params.expand,
            runs: Vec::new(),
            offsets: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Gives the root its children.
    pub(super) fn open<G: Game>(&mut self, game: &G, state: &G::State, rng: &mut Rng) {
        if self.tree.family(ROOT).is_none() {
            // A root without moves stays a leaf; the caller finds no candidates.
            self.tree.expand(game, state, ROOT, rng, self.actions.as_ref());
            self.spoiled |= deadline::expired();
        }
    }

    /// From the root, whose position `state` is, to a leaf.
    #[inline]
    pub(super) fn walk<G: Game, P: Policy>(
        &mut self,
        game: &G,
        state: &mut G::State,
        worker: &mut Worker<G, P>,
    ) -> Arrival {
        worker.path.clear();
        worker.path.push(Step { slot: ROOT, chooser: 0, arm: false });
        worker.has_arms = false;
        self.select.start();
        let probes = self.known >= STALLED;
        // The steps of the path that `state` has not made yet.
        let mut ahead = 1;
        let mut id = ROOT;
        loop {
            let family = self.tree.family(id);
            if family.is_none() || self.tree.urge(id) == 0.0 && self.tree.proven(id) {
                if let Some(proof) = self.tree.proof(id) {
                    worker.payoffs.copy_from_slice(proof);
                    self.known = if probes { 0 } else { self.known + 1 };
                    return Arrival::Known;
                }
                self.known = 0;
                if worker.catch_up(&self.tree, game, state, ahead) {
                    return Arrival::Cut;
                }
                ahead = worker.path.len();
                let ripe = self.tree.visits(id) >= self.expand && !self.tree.is_full();
                let actions = self.actions.as_ref();
                if ripe {
                    let expanded = self.tree.expand(game, state, id, &mut worker.rng, actions);
                    if deadline::expired() {
                        self.spoiled = true;
                        return Arrival::Cut;
                    }
                    if is_slow() && deadline::look() {
                        return Arrival::Cut;
                    }
                    if !expanded {
                        return Arrival::Leaf;
                    }
                    continue;
                }
                return Arrival::Leaf;
            }
            match family.kind() {
                Kind::One => {
                    id = self.select.best(&self.tree, id, family);
                    if probes && self.tree.proven(id) {
                        id = self.tree.most_visited_open(family).unwrap_or(id);
                    }
                    worker.path.push(Step { slot: id, chooser: family.mover(), arm: false });
                }
                Kind::Chance => {
                    id = self.tree.draw(family, &mut worker.rng);
                    worker.path.push(Step { slot: id, chooser: 0, arm: false });
                }
                Kind::Joint => {
                    if worker.catch_up(&self.tree, game, state, ahead) {
                        return Arrival::Cut;
                    }
                    id = self.walk_joint(game, state, worker, id);
                    ahead = worker.path.len();
                    if is_slow() && deadline::look() {
                        return Arrival::Cut;
                    }
                }
            }
        }
    }

    /// Every mover chooses its own arm, without knowing the others'.
    fn walk_joint<G: Game, P: Policy>(
        &mut self,
        game: &G,
        state: &mut G::State,
        worker: &mut Worker<G, P>,
        id: Id,
    ) -> Id {
        worker.has_arms = true;
        worker.line.clear();
        worker.arms.clear();
        self.list_runs(id);
        let first = self.tree.family(id).first();
        let scale = self.ucb.scale(self.tree.urge(id));
        for &run in &self.runs {
            let offset = match self.rule {
                Rule::Ducb => {
                    let at = first + run.first as Id;
                    (self.tree.best(at, run.count, scale) - first) as usize
                }
                rule => {
                    let joint = self.tree.joint_mut(id);
                    joint.draw(rule, run, &mut worker.rng, &mut self.shares)
                }
            };
            let arm = first + offset as Id;
            worker.arms.push(arm);
            worker.path.push(Step { slot: arm, chooser: run.mover, arm: true });
            worker.line.push(self.tree.link(arm).mv);
        }
        game.apply(state, &worker.line);
        let child = self.tree.joint_child(id, &worker.arms);
        worker.path.push(Step { slot: child, chooser: 0, arm: false });
        child
    }

    /// The runs of arms of a joint node, into `self.runs`.
    fn list_runs(&mut self, id: Id) {
        let family = self.tree.family(id);
        self.runs.clear();
        for (mover, first, count) in self.tree.arms(family) {
            let count = self.tree.arm_count(first, count);
            self.runs.push(Run { first: (first - family.first()) as usize, count, mover });
        }
    }

    /// Takes the worker's payoffs up its path, as so many visits; `over`: the game is over at
    /// the leaf.
    #[inline(always)]
    pub(super) fn back_up<G: Game, P: Policy>(
        &mut self,
        worker: &mut Worker<G, P>,
        weight: u32,
        over: bool,
    ) {
        for step in &worker.path {
            let payoff = worker.payoffs[step.chooser as usize];
            self.tree.learn(step.slot, payoff, weight);
        }
        self.conclude(worker, weight, over);
    }

    /// Removes the visits that [`hold`](Core::hold) counted.
    pub(super) fn release<G: Game, P: Policy>(&mut self, worker: &Worker<G, P>, weight: u32) {
        worker.path.iter().for_each(|step| self.tree.release(step.slot, weight));
    }

    /// Counts visits of the worker's path as lost until [`settle`](Core::settle).
    pub(super) fn hold<G: Game, P: Policy>(&mut self, worker: &Worker<G, P>, weight: u32) {
        worker.path.iter().for_each(|step| self.tree.hold(step.slot, weight));
    }

    /// As [`back_up`](Core::back_up) for a path that was held.
    pub(super) fn settle<G: Game, P: Policy>(
        &mut self,
        worker: &mut Worker<G, P>,
        weight: u32,
        over: bool,
    ) {
        for step in &worker.path {
            self.tree.settle(step.slot, worker.payoffs[step.chooser as usize], weight);
        }
        self.conclude(worker, weight, over);
    }

    /// Updates the statistics beside means and visits: those of the selection rule and of joint nodes.
    #[inline(always)]
    fn conclude<G: Game, P: Policy>(&mut self, worker: &mut Worker<G, P>, weight: u32, over: bool) {
        self.depth = self.depth.max(worker.path.len() as u32 - 1);
        if worker.has_arms {
            self.learn_arms(&worker.path, &worker.payoffs);
        }
        if self.actions.is_some() {
            worker.each_game(|lesson| self.select.learn(&self.tree, lesson));
        } else {
            let Worker { path, payoffs, .. } = &*worker;
            self.select.learn(&self.tree, Lesson { path, acts: &[], payoffs, weight });
        }
        if over {
            self.spread_proof(worker);
        }
    }

    /// Updates the arms of the joint nodes on the path.
    fn learn_arms(&mut self, path: &[Step], payoffs: &[f32]) {
        let mut from = 1;
        while let Some(skip) = path.get(from..).and_then(|p| p.iter().position(|step| step.arm)) {
            let start = from + skip;
            let arms = path[start..].iter().take_while(|step| step.arm).count();
            let node = path[start - 1].slot;
            self.list_runs(node);
            let first = self.tree.family(node).first();
            self.offsets.clear();
            let chosen = path[start..start + arms].iter();
            self.offsets.extend(chosen.map(|step| (step.slot - first) as usize));
            let Core { tree, runs, offsets, shares, rule, .. } = self;
            tree.joint_mut(node).learn(*rule, runs, offsets, payoffs, shares);
            from = start + arms;
        }
    }

    /// The game is over at the leaf of the path: records the proof, and the proofs that follow from it above.
    #[cold]
    fn spread_proof<G: Game, P: Policy>(&mut self, worker: &mut Worker<G, P>) {
        if self.backup == Backup::Mean {
            return;
        }
        let mut nodes = worker.path.iter().rev().filter(|step| !step.arm);
        if let Some(leaf) = nodes.next()
            && !self.tree.proven(leaf.slot)
        {
            self.tree.prove(leaf.slot, leaf.chooser as usize, &worker.payoffs);
        }
        for step in nodes {
            let chooser = step.chooser as usize;
            if self.tree.bounded() {
                if !self.tree.tighten(step.slot, chooser) {
                    break;
                }
            } else if !self.tree.proven(step.slot)
                && self.tree.deduce(step.slot, &mut worker.payoffs)
            {
                self.tree.prove(step.slot, chooser, &worker.payoffs);
            } else {
                break;
            }
        }
    }
}

impl<G: Game, P: Policy> Worker<G, P> {
    pub(super) fn new(game: &G, params: &Params, policy: P, seed: Seed) -> Result<Self> {
        let seats = game.info().seats();
        let evaluator = match params.cap {
            Some(_) => Some(params.heuristic.resolve(game)?),
            None => None,
        };
        Ok(Worker {
            rng: seed.rng(),
            policy,
            path: Vec::new(),
            payoffs: vec![0.0; seats],
            acts: Vec::new(),
            ends: Vec::new(),
            results: Vec::new(),
            has_arms: false,
            at_leaf: None,
            line: Vec::new(),
            arms: Vec::new(),
            pads: Pads::default(),
            one: vec![0.0; seats],
            longest: params.cap.unwrap_or(LONGEST).min(LONGEST),
            evaluator,
        })
    }

    /// Makes the steps of the path from `ahead` on. The way down reads no moves, so that their
    /// places in memory are fetched here all at once and not one after the other. Returns whether the
    /// clock rang meanwhile.
    #[inline]
    fn catch_up(&mut self, tree: &Tree, game: &G, state: &mut G::State, ahead: usize) -> bool {
        self.line.clear();
        self.line.extend(self.path[ahead..].iter().map(|step| tree.link(step.slot).mv));
        if is_slow() {
            return self.line.iter().any(|&mv| {
                game.apply(state, &[mv]);
                deadline::look()
            });
        }
        game.apply_line(state, &self.line);
        false
    }

    /// Plays `n` games from a leaf and takes the mean of their payoffs. A game that is over there
    /// is a proof: returns whether it was.
    #[inline]
    pub(super) fn play_out(
        &mut self,
        game: &G,
        state: &mut G::State,
        n: u32,
        actions: Option<&Actions>,
    ) -> bool {
        if n > 1 {
            match &mut self.at_leaf {
                Some(leaf) => leaf.clone_from(state),
                none => *none = Some(state.clone()),
            }
        }
        if self.play_one(game, state, actions) == Some(0) {
            return true;
        }
        if n > 1 {
            self.play_more(game, state, n, actions);
        }
        false
    }

    /// The second to `n`-th playout at a leaf.
    fn play_more(&mut self, game: &G, state: &mut G::State, n: u32, actions: Option<&Actions>) {
        let Some(leaf) = self.at_leaf.take() else { return };
        self.one.copy_from_slice(&self.payoffs);
        for _ in 1..n {
            if deadline::expired() {
                break;
            }
            state.clone_from(&leaf);
            self.play_one(game, state, actions);
            for (sum, payoff) in self.one.iter_mut().zip(&self.payoffs) {
                *sum += payoff;
            }
        }
        let share = 1.0 / n as f32;
        self.payoffs.iter_mut().zip(&self.one).for_each(|(payoff, sum)| *payoff = sum * share);
        self.at_leaf = Some(leaf);
    }

    /// One playout: its payoffs are the worker's.
    #[inline(always)]
    fn play_one(
        &mut self,
        game: &G,
        state: &mut G::State,
        actions: Option<&Actions>,
    ) -> Option<u32> {
        let Worker { policy, acts, rng, pads, longest, .. } = self;
        let plies = match actions {
            None => game.playout(state, rng, &mut pads.moves, *longest),
            Some(actions) => {
                let mut guide = Tracer::new(policy, actions, acts);
                game.guided_playout(state, rng, pads, *longest, &mut guide)
            }
        };
        match plies {
            Some(_) => game.payoffs(state, &mut self.payoffs),
            // The caller drops this simulation.
            None if deadline::expired() => {}
            None => self.estimate(game, state),
        }
        if actions.is_some() {
            self.ends.push(self.acts.len());
            self.results.extend_from_slice(&self.payoffs);
        }
        plies
    }

    /// The payoffs of a playout that was cut off, by the heuristic.
    #[cold]
    fn estimate(&mut self, game: &G, state: &G::State) {
        for (player, payoff) in self.payoffs.iter_mut().enumerate() {
            *payoff = match &mut self.evaluator {
                Some(evaluator) => evaluator.value(game, state, Player(player as u8)),
                None => 0.5,
            };
        }
    }

    /// Goes back to a path that was left.
    pub(super) fn retrace(&mut self, path: &[Step]) {
        self.path.clear();
        self.path.extend_from_slice(path);
        self.has_arms = path.iter().any(|step| step.arm);
    }

    /// Begins the trace of a simulation with the actions of the path.
    pub(super) fn trace(&mut self, tree: &Tree) {
        self.acts.clear();
        self.ends.clear();
        self.results.clear();
        for step in self.path.iter().skip(1) {
            let action = tree.link(step.slot).action;
            if action != crate::search::tree::NONE {
                self.acts.push(Act { player: step.chooser, action });
            }
        }
        self.ends.push(self.acts.len());
    }

    /// Lets the policy learn from the traced games, and then `learn`.
    fn each_game(&mut self, mut learn: impl FnMut(Lesson<'_>)) {
        let Worker { path, acts, ends, results, policy, payoffs, .. } = self;
        let Some(&stem) = ends.first() else { return };
        if results.is_empty() {
            // The payoffs were known without a playout.
            policy.learn(acts, payoffs);
            learn(Lesson { path, acts, payoffs, weight: 1 });
            return;
        }
        let seats = payoffs.len();
        for (i, payoffs) in results.chunks_exact(seats).enumerate() {
            let (from, to) = (ends[i], ends[i + 1]);
            if i > 0 {
                // The stem stands before the first game only: the later ones move up to it.
                acts.copy_within(from..to, stem);
            }
            let acts = &acts[..stem + to - from];
            policy.learn(acts, payoffs);
            learn(Lesson { path, acts, payoffs, weight: 1 });
        }
    }
}

impl<S> Core<S> {
    /// The numbers of actions, where they are used.
    pub(super) fn actions(&self) -> Option<Actions> {
        self.actions
    }
}
