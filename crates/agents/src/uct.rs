//! `uct`: Monte Carlo tree search with UCB1 (Kocsis and Szepesvári 2006).
//!
//! One simulation goes down the tree by [`Ucb1`] (chance nodes draw, joint nodes let every mover
//! choose its own arm: decoupled UCT), expands the leaf where it has been visited before, plays
//! random games and takes the payoffs back up. Each slot keeps the payoff of the player who
//! chooses it, so any number of players is played by max^n. Finished games are proofs, which
//! climb by [`Tree::deduce`]; a search whose root is proven stops.

use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::tree::{Id, Kind, ROOT, Tree};
use crate::ucb::Ucb1;
use ludex_core::playout::LONGEST;
use ludex_core::{Error, Game, Move, Player, Result, Rng, Seed, Spec, View};
use std::fmt;

/// The parameters of [`Uct`].
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// The exploration constant, for payoffs from 0 to 1.
    pub c: f32,
    /// What a move counts that was never tried; infinite: try each once first.
    pub fpu: f32,
    /// The most memory for the tree, in MiB.
    pub memory: u32,
    /// A leaf gets children once it has been visited so often.
    pub expand: u32,
    /// Playouts at a leaf, each a simulation; `None`: [`CHEAP_LEAF`] where the game is native
    /// code and time the only limit, else one.
    pub leaf: Option<u32>,
    /// Keep what was learned about the position reached?
    pub reuse: bool,
}

impl Default for Params {
    fn default() -> Self {
        Params { c: 0.7, fpu: f32::INFINITY, memory: 256, expand: 1, leaf: None, reuse: true }
    }
}

impl Params {
    /// Reads `uct(c=..,fpu=..,expand=..,leaf=..,memory=..,reuse=..)`.
    ///
    /// # Errors
    /// Unknown keys, values that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        spec.expect(&["c", "fpu", "expand", "leaf", "memory", "reuse"], 0)?;
        let default = Params::default();
        let params = Params {
            c: spec.param("c", None, default.c)?,
            fpu: spec.param("fpu", None, default.fpu)?,
            memory: spec.param("memory", None, default.memory)?,
            expand: spec.param("expand", None, default.expand)?,
            leaf: match spec.get("leaf") {
                Some(value) if value.name != "auto" => Some(spec.param("leaf", None, 0)?),
                _ => None,
            },
            reuse: spec.param("reuse", None, default.reuse)?,
        };
        let bad = |reason: &str| Error::BadParameter { name: "uct".into(), reason: reason.into() };
        if !(params.c.is_finite() && params.c >= 0.0) {
            return Err(bad("`c` must be a number from 0 up"));
        }
        if params.fpu.is_nan() || params.fpu.is_sign_negative() {
            return Err(bad("`fpu` must be a number from 0 up, or inf"));
        }
        if params.memory == 0 {
            return Err(bad("`memory` must be at least 1 (MiB)"));
        }
        if params.expand == 0 {
            return Err(bad("`expand` must be at least 1 (visit)"));
        }
        if params.leaf.is_some_and(|leaf| !(1..=1024).contains(&leaf)) {
            return Err(bad("`leaf` must be auto, or from 1 to 1024 (playouts)"));
        }
        Ok(params)
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Params::default();
        let given = [
            (self.c != default.c).then(|| format!("c={}", self.c)),
            (self.fpu != default.fpu).then(|| format!("fpu={}", self.fpu)),
            (self.expand != default.expand).then(|| format!("expand={}", self.expand)),
            self.leaf.map(|leaf| format!("leaf={leaf}")),
            (self.memory != default.memory).then(|| format!("memory={}", self.memory)),
            (self.reuse != default.reuse).then(|| format!("reuse={}", self.reuse)),
        ];
        crate::spec::write_call(f, "uct", given)
    }
}

/// At a joint node a mover takes any arm once in so many times.
const STRAY: u32 = 16;

/// Playouts at a leaf of a native game. There a playout costs less than the way down to it, so
/// that several a leaf are as strong in the same time (Connect Four 0.54 ± 0.05, Breakthrough 0.51 ± 0.07
/// against one a leaf, 5 ms a move), while the tree costs a fifth instead of a half. With a budget
/// in simulations one a leaf is stronger.
pub const CHEAP_LEAF: u32 = 8;

/// One step of the way down: a slot whose statistics will learn, and who chose it.
#[derive(Debug, Clone, Copy)]
struct Step {
    slot: Id,
    chooser: u8,
    /// An arm of a joint node is no node: it has no proof.
    arm: bool,
}

/// The mind. Generic, so that a known game runs without a virtual call; with
/// [`AnyGame`](ludex_core::AnyGame) a simulation makes a handful of them.
#[derive(Debug)]
pub struct Uct<G: Game> {
    params: Params,
    native: bool,
    ucb: Ucb1,
    rng: Rng,
    tree: Tree,
    /// The root's position, and how many steps of the match lead to it.
    root: Option<(G::State, usize)>,
    // Scratch space of a simulation.
    state: Option<G::State>,
    at_leaf: Option<G::State>,
    path: Vec<Step>,
    line: Vec<Move>,
    arms: Vec<Id>,
    pad: Vec<Move>,
    payoffs: Vec<f32>,
    one: Vec<f32>,
    depth: u32,
}

impl<G: Game> Uct<G> {
    /// A mind for `game`.
    pub fn new(game: &G, params: Params, seed: Seed) -> Self {
        let seats = game.info().seats();
        Uct {
            native: game.info().engine == "native",
            ucb: Ucb1::new(params.c),
            rng: seed.rng(),
            tree: Tree::new(seats, (params.memory as usize) << 20, params.fpu),
            root: None,
            state: None,
            at_leaf: None,
            path: Vec::new(),
            line: Vec::new(),
            arms: Vec::new(),
            pad: Vec::new(),
            payoffs: vec![0.0; seats],
            one: vec![0.0; seats],
            depth: 0,
            params,
        }
    }

    /// Puts the root at `state`, `steps` records into the match, and keeps the subtree that
    /// the records since the last move lead to.
    fn sync(&mut self, game: &G, view: &View<'_, G>, state: &G::State) {
        let records = view.records();
        let kept = match self.root.take() {
            Some((mut at, seen)) if self.params.reuse && seen <= records.len() => {
                let mut slot = Some(ROOT);
                for record in &records[seen..] {
                    self.line.clear();
                    self.line.extend(record.percept.0.iter().map(|&word| Move(word)));
                    slot = slot.and_then(|slot| self.tree.follow(slot, &self.line));
                    if slot.is_none() {
                        break;
                    }
                    game.apply(&mut at, &self.line);
                }
                slot.filter(|_| game.hash(&at) == game.hash(state))
            }
            _ => None,
        };
        match kept {
            Some(ROOT) => {}
            Some(slot) => self.tree.reroot(slot),
            None => self.tree.clear(),
        }
        self.root = Some((state.clone(), records.len()));
    }

    /// Searches `state` until the root is proven or a limit is reached; returns the number of
    /// simulations.
    fn search(&mut self, game: &G, state: &G::State, budget: &Budget) -> u64 {
        let bound = budget.sims.is_some() || budget.nodes.is_some();
        let mut clock = Clock::start(budget, bound);
        let cheap = self.native && !bound;
        let leaf = u64::from(self.params.leaf.unwrap_or(if cheap { CHEAP_LEAF } else { 1 }));
        let most_sims = budget.sims.unwrap_or(u64::MAX);
        let most_nodes = budget.nodes.unwrap_or(u64::MAX);
        if self.tree.family(ROOT).is_none() {
            // A root without moves stays a leaf; the caller finds no candidates.
            self.tree.expand(game, state, ROOT, &mut self.rng);
        }
        let mut at = self.state.take().unwrap_or_else(|| state.clone());
        let mut sims = 0;
        while sims < most_sims && !self.tree.proven(ROOT) {
            at.clone_from(state);
            let most = leaf.min(most_sims - sims) as u32;
            sims += u64::from(self.simulate(game, &mut at, most));
            if clock.tick() || self.tree.len() as u64 >= most_nodes {
                break;
            }
        }
        self.state = Some(at);
        sims
    }

    /// One way down from the root, whose position `state` is, with up to `most` playouts at the
    /// leaf; returns how many simulations that was.
    #[inline]
    fn simulate(&mut self, game: &G, state: &mut G::State, most: u32) -> u32 {
        self.path.clear();
        self.path.push(Step { slot: ROOT, chooser: 0, arm: false });
        // The steps of the path that `state` has not made yet.
        let mut ahead = 1;
        let mut id = ROOT;
        let mut weight = 1;
        let fresh_proof = loop {
            let family = self.tree.family(id);
            if family.is_none() || self.tree.urge(id) == 0.0 && self.tree.proven(id) {
                if self.tree.proven(id) {
                    break self.known(id);
                }
                self.catch_up(game, state, ahead);
                ahead = self.path.len();
                let ripe = self.tree.visits(id) >= self.params.expand && !self.tree.is_full();
                if ripe && self.tree.expand(game, state, id, &mut self.rng) {
                    continue;
                }
                let over = self.play_out(game, state, most);
                weight = if over { 1 } else { most };
                break over;
            }
            match family.kind() {
                Kind::One => {
                    let scale = self.ucb.scale(self.tree.urge(id));
                    id = self.tree.best(family.first(), family.count(), scale);
                    self.path.push(Step { slot: id, chooser: family.mover(), arm: false });
                }
                Kind::Chance => {
                    id = self.tree.draw(family, &mut self.rng);
                    self.path.push(Step { slot: id, chooser: 0, arm: false });
                }
                Kind::Joint => {
                    self.catch_up(game, state, ahead);
                    id = self.descend_joint(game, state, id);
                    ahead = self.path.len();
                }
            }
        };
        self.back_up(weight);
        if fresh_proof {
            self.spread_proof();
        }
        weight
    }

    /// Makes the steps of the path from `ahead` on. The way down reads no moves, so that their
    /// places in memory are fetched here all at once and not one after the other.
    #[inline]
    fn catch_up(&mut self, game: &G, state: &mut G::State, ahead: usize) {
        self.line.clear();
        let tree = &self.tree;
        self.line.extend(self.path[ahead..].iter().map(|step| tree.link(step.slot).mv));
        game.apply_line(state, &self.line);
    }

    /// The payoffs of a proven node; nothing new is proven.
    fn known(&mut self, id: Id) -> bool {
        if let Some(proof) = self.tree.proof(id) {
            self.payoffs.copy_from_slice(proof);
        }
        false
    }

    /// Every mover chooses its own arm by UCB1, without knowing the others' (decoupled UCT:
    /// Finnsson and Björnsson 2008; Tak, Lanctot and Winands 2014, section III).
    fn descend_joint(&mut self, game: &G, state: &mut G::State, id: Id) -> Id {
        self.line.clear();
        self.arms.clear();
        let scale = self.ucb.scale(self.tree.urge(id));
        for (mover, first, count) in self.tree.arms(self.tree.family(id)) {
            // Left to itself, equal minds walk in step and see the diagonal of the matrix only.
            let arm = match self.rng.below(STRAY) {
                0 => self.tree.any_arm(first, count, &mut self.rng),
                _ => self.tree.best(first, count, scale),
            };
            self.arms.push(arm);
            self.path.push(Step { slot: arm, chooser: mover, arm: true });
            self.line.push(self.tree.link(arm).mv);
        }
        game.apply(state, &self.line);
        let child = self.tree.joint_child(id, &self.arms);
        self.path.push(Step { slot: child, chooser: 0, arm: false });
        child
    }

    /// Plays `n` random games from a leaf and takes the mean of their payoffs. A game that is
    /// over there is a proof: returns whether it was.
    #[inline]
    fn play_out(&mut self, game: &G, state: &mut G::State, n: u32) -> bool {
        if n > 1 {
            match &mut self.at_leaf {
                Some(leaf) => leaf.clone_from(state),
                none => *none = Some(state.clone()),
            }
        }
        match game.playout(state, &mut self.rng, &mut self.pad, LONGEST) {
            Some(plies) => {
                game.payoffs(state, &mut self.payoffs);
                if plies == 0 {
                    return true;
                }
            }
            None => self.payoffs.fill(0.5),
        }
        if n > 1 {
            self.play_more(game, state, n);
        }
        false
    }

    /// The second to `n`-th playout at a leaf.
    fn play_more(&mut self, game: &G, state: &mut G::State, n: u32) {
        let Some(leaf) = &self.at_leaf else { return };
        for _ in 1..n {
            state.clone_from(leaf);
            match game.playout(state, &mut self.rng, &mut self.pad, LONGEST) {
                Some(_) => game.payoffs(state, &mut self.one),
                None => self.one.fill(0.5),
            }
            for (sum, one) in self.payoffs.iter_mut().zip(&self.one) {
                *sum += one;
            }
        }
        let share = 1.0 / n as f32;
        self.payoffs.iter_mut().for_each(|sum| *sum *= share);
    }

    /// Takes the payoffs up the path, as so many visits.
    #[inline(always)]
    fn back_up(&mut self, weight: u32) {
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        for step in &self.path {
            let payoff = self.payoffs[step.chooser as usize];
            self.tree.learn(step.slot, payoff, weight);
        }
    }

    /// The leaf of the path is over: writes that down, and what follows from it above.
    #[cold]
    fn spread_proof(&mut self) {
        let mut nodes = self.path.iter().rev().filter(|step| !step.arm);
        if let Some(leaf) = nodes.next() {
            self.tree.prove(leaf.slot, leaf.chooser as usize, &self.payoffs);
        }
        for step in nodes {
            if !self.tree.deduce(step.slot, &mut self.payoffs) {
                break;
            }
            self.tree.prove(step.slot, step.chooser as usize, &self.payoffs);
        }
    }

    /// The root's moves for `seat`, the one to play first.
    ///
    /// Most visits count; but a proven result is certain, so the best proven move is left only
    /// for one that seems worth more and was tried more often (or for any that is not lost yet,
    /// where it is lost itself). Where all is lost it is the most visited: it took the longest
    /// to refute. At a joint
    /// turn a fixed choice could be read by the others, so it is drawn by visits from those arms
    /// that have at least a tenth of the visits of the first.
    fn rank(&mut self, seat: Player) -> Vec<Id> {
        let tree = &self.tree;
        let mut ids = tree.choices(seat);
        // The sort is stable and siblings stand in random order: ties are broken at random.
        ids.sort_by(|&a, &b| {
            let by_visits = tree.visits(b).cmp(&tree.visits(a));
            by_visits.then(tree.mean(b).total_cmp(&tree.mean(a)))
        });
        let joint = !ids.is_empty() && tree.family(ROOT).kind() == Kind::Joint;
        let front = if joint {
            let most = ids.first().map_or(0, |&id| u64::from(tree.visits(id)));
            let weight = |id: Id| match u64::from(tree.visits(id)) {
                n if n * 10 >= most => n,
                _ => 0,
            };
            let total: u64 = ids.iter().map(|&id| weight(id)).sum();
            let mut left = self.rng.index(total as usize) as u64;
            ids.iter().position(|&id| {
                let here = left < weight(id);
                left = left.saturating_sub(weight(id));
                here
            })
        } else {
            let open = ids.iter().position(|&id| !tree.proven(id) && tree.visits(id) > 0);
            let mut sure = None;
            for (i, &id) in ids.iter().enumerate().filter(|&(_, &id)| tree.proven(id)) {
                if sure.is_none_or(|best: usize| tree.mean(id) > tree.mean(ids[best])) {
                    sure = Some(i);
                }
            }
            match (sure, open) {
                (Some(sure), Some(open)) => {
                    let (a, b) = (ids[sure], ids[open]);
                    let known = tree.visits(b) > tree.visits(a) || tree.mean(a) <= 0.0;
                    let better = known && tree.mean(b) > tree.mean(a);
                    Some(if better && !tree.proven(ROOT) { open } else { sure })
                }
                (sure, open) => sure.or(open),
            }
        };
        if let Some(front) = front {
            ids[..=front].rotate_right(1);
        }
        ids
    }

    /// How the tree would go on after the root's child `id`: always the most visited.
    fn line_of(&self, id: Id) -> Vec<Move> {
        let tree = &self.tree;
        let mut line = vec![tree.link(id).mv];
        let mut family = tree.family(id);
        while line.len() < 24 && !family.is_none() && family.kind() == Kind::One {
            let visits = |child: &Id| (tree.visits(*child), std::cmp::Reverse(*child));
            match family.ids().max_by_key(visits) {
                Some(child) if tree.visits(child) > 0 => {
                    line.push(tree.link(child).mv);
                    family = tree.family(child);
                }
                _ => break,
            }
        }
        line
    }
}

impl<G: Game> Agent<G> for Uct<G> {
    fn name(&self) -> String {
        self.params.to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice> {
        let state = crate::spec::visible(game, view, "uct")?;
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        self.sync(game, view, state);
        self.depth = 0;
        let sims = self.search(game, state, budget);
        let seat = view.seat();
        let ranked = self.rank(seat);
        let candidates: Vec<Candidate> = ranked
            .iter()
            .map(|&id| {
                let visits = self.tree.visits(id);
                Candidate {
                    mv: self.tree.link(id).mv,
                    visits: visits.into(),
                    value: if visits > 0 { self.tree.mean(id) } else { 0.0 },
                    proven: self.tree.proven(id),
                    line: self.line_of(id),
                    ..Candidate::default()
                }
            })
            .collect();
        let Some(first) = candidates.first() else {
            return Err(crate::spec::not_to_move("uct"));
        };
        let proof = self.tree.proof(ROOT).and_then(|payoffs| payoffs.get(seat.index()).copied());
        Ok(Choice {
            mv: first.mv,
            thought: Thought {
                sims,
                nodes: self.tree.len() as u64,
                depth: self.depth,
                value: proof.or(Some(first.value)),
                proven: proof.is_some(),
                candidates,
            },
        })
    }
}
