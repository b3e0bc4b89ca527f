//! `uct`: Monte Carlo tree search with UCB1 (Kocsis and Szepesvári 2006).
//!
//! One simulation goes down the tree by [`Ucb1`] (chance nodes draw, joint nodes let every mover
//! choose its own arm: decoupled UCT), expands the leaf where it has been visited before, plays
//! one random game and takes the payoffs back up. Each slot keeps the payoff of the player who
//! chooses it, so any number of players is played by max^n. Finished games are proofs, which
//! climb by [`Tree::deduce`]; a search whose root is proven stops.

use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::tree::{Id, Kind, NONE, ROOT, Tree};
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
    /// Keep what was learned about the position reached?
    pub reuse: bool,
}

impl Default for Params {
    fn default() -> Self {
        Params { c: 0.7, fpu: f32::INFINITY, memory: 256, reuse: true }
    }
}

impl Params {
    /// Reads `uct(c=..,fpu=..,memory=..,reuse=..)`.
    ///
    /// # Errors
    /// Unknown keys, values that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        spec.expect(&["c", "fpu", "memory", "reuse"], 0)?;
        let default = Params::default();
        let params = Params {
            c: spec.param("c", None, default.c)?,
            fpu: spec.param("fpu", None, default.fpu)?,
            memory: spec.param("memory", None, default.memory)?,
            reuse: spec.param("reuse", None, default.reuse)?,
        };
        let bad = |reason: &str| Error::BadParameter { name: "uct".into(), reason: reason.into() };
        if !(params.c.is_finite() && params.c >= 0.0) {
            return Err(bad("`c` must be a number from 0 up"));
        }
        if params.fpu.is_nan() || params.fpu == f32::NEG_INFINITY {
            return Err(bad("`fpu` must be a number, or inf"));
        }
        if params.memory == 0 {
            return Err(bad("`memory` must be at least 1 (MiB)"));
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
            (self.memory != default.memory).then(|| format!("memory={}", self.memory)),
            (self.reuse != default.reuse).then(|| format!("reuse={}", self.reuse)),
        ];
        crate::spec::write_call(f, "uct", given)
    }
}

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
    ucb: Ucb1,
    rng: Rng,
    tree: Tree,
    /// The root's position, and how many steps of the match lead to it.
    root: Option<(G::State, usize)>,
    // Scratch space of a simulation.
    state: Option<G::State>,
    path: Vec<Step>,
    line: Vec<Move>,
    arms: Vec<Id>,
    pad: Vec<Move>,
    payoffs: Vec<f32>,
    depth: u32,
}

impl<G: Game> Uct<G> {
    /// A mind for `game`.
    pub fn new(game: &G, params: Params, seed: Seed) -> Self {
        let seats = game.info().seats();
        Uct {
            ucb: Ucb1::new(params.c),
            rng: seed.rng(),
            tree: Tree::new(seats, (params.memory as usize) << 20, params.fpu),
            root: None,
            state: None,
            path: Vec::new(),
            line: Vec::new(),
            arms: Vec::new(),
            pad: Vec::new(),
            payoffs: vec![0.0; seats],
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
        let most_sims = budget.sims.unwrap_or(u64::MAX);
        let most_nodes = budget.nodes.unwrap_or(u64::MAX);
        if self.tree.links[ROOT as usize].kind == Kind::Leaf {
            self.tree.expand(game, state, ROOT, &mut self.rng);
        }
        let mut at = self.state.take().unwrap_or_else(|| state.clone());
        let mut sims = 0;
        while sims < most_sims && self.tree.links[ROOT as usize].proof == NONE {
            at.clone_from(state);
            self.simulate(game, &mut at);
            sims += 1;
            if clock.tick() || self.tree.len() as u64 >= most_nodes {
                break;
            }
        }
        self.state = Some(at);
        sims
    }

    /// One simulation from the root, whose position `state` is.
    #[inline]
    fn simulate(&mut self, game: &G, state: &mut G::State) {
        self.path.clear();
        self.line.clear();
        self.path.push(Step { slot: ROOT, chooser: 0, arm: false });
        let mut id = ROOT;
        let fresh_proof = loop {
            let link = self.tree.links[id as usize];
            if link.proof != NONE {
                break self.known(id);
            }
            match link.kind {
                Kind::One => {
                    let stat = self.tree.stats[id as usize];
                    let first = stat.first as usize;
                    let children = &self.tree.stats[first..first + link.count as usize];
                    let scale = self.ucb.scale(stat.visits);
                    id = stat.first + Ucb1::best(children, scale) as Id;
                    self.line.push(self.tree.links[id as usize].mv);
                    self.path.push(Step { slot: id, chooser: link.mover, arm: false });
                }
                Kind::Chance => {
                    id = self.tree.draw(id, &mut self.rng);
                    self.line.push(self.tree.links[id as usize].mv);
                    self.path.push(Step { slot: id, chooser: 0, arm: false });
                }
                Kind::Joint => id = self.descend_joint(game, state, id),
                Kind::Leaf | Kind::Over => {
                    game.apply_line(state, &self.line);
                    self.line.clear();
                    // The first visit is a playout alone; the second expands.
                    if self.tree.stats[id as usize].visits > 0 && !self.tree.is_full() {
                        self.tree.expand(game, state, id, &mut self.rng);
                    } else {
                        break self.play_out(game, state, id);
                    }
                }
            }
        };
        self.back_up();
        if fresh_proof {
            self.spread_proof();
        }
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
        game.apply_line(state, &self.line);
        self.line.clear();
        self.arms.clear();
        let scale = self.ucb.scale(self.tree.stats[id as usize].visits);
        let all = self.tree.children(id);
        let mut from = all.start;
        while from < all.end {
            let mover = self.tree.links[from].mover;
            let until = (from..all.end).find(|&arm| self.tree.links[arm].mover != mover);
            let until = until.unwrap_or(all.end);
            let arm = (from + Ucb1::best(&self.tree.stats[from..until], scale)) as Id;
            self.arms.push(arm);
            self.path.push(Step { slot: arm, chooser: mover, arm: true });
            self.line.push(self.tree.links[arm as usize].mv);
            from = until;
        }
        game.apply(state, &self.line);
        self.line.clear();
        let child = self.tree.joint_child(id, &self.arms);
        self.path.push(Step { slot: child, chooser: 0, arm: false });
        child
    }

    /// Plays a random game from the leaf `id`. A game that is over there is a proof: returns
    /// whether it was.
    #[inline]
    fn play_out(&mut self, game: &G, state: &mut G::State, id: Id) -> bool {
        match game.playout(state, &mut self.rng, &mut self.pad, LONGEST) {
            Some(plies) => {
                game.payoffs(state, &mut self.payoffs);
                if plies == 0 {
                    self.tree.links[id as usize].kind = Kind::Over;
                }
                plies == 0
            }
            None => {
                self.payoffs.fill(0.5);
                false
            }
        }
    }

    /// Takes the payoffs up the path.
    #[inline]
    fn back_up(&mut self) {
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        for step in &self.path {
            let stat = &mut self.tree.stats[step.slot as usize];
            let proven = stat.visits > 0 && stat.urge == 0.0;
            stat.visits = stat.visits.saturating_add(1);
            if proven {
                continue;
            }
            let urge = 1.0 / (stat.visits as f32).sqrt();
            let before = if stat.visits == 1 { 0.0 } else { stat.mean };
            // A mean in 32 bits stops learning after some ten million payoffs; from four million
            // on each new one weighs as much as the last.
            let weight = (urge * urge).max(1.0 / (1 << 22) as f32);
            stat.mean = before + (self.payoffs[step.chooser as usize] - before) * weight;
            stat.urge = urge;
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
    /// Most visits count; but a proven result is certain, so a proven move is taken where it is
    /// worth more than the most visited of the others seems to be, and a proven loss only where
    /// nothing else is left (then the most visited: it took the longest to refute). At a joint
    /// turn a fixed choice could be read by the others, so it is drawn by visits from those arms
    /// that have at least a tenth of the visits of the first.
    fn rank(&mut self, seat: Player) -> Vec<Id> {
        let mut ids: Vec<Id> = self.tree.choices(ROOT, seat).collect();
        let stat = |id: Id| self.tree.stats[id as usize];
        // The sort is stable and siblings stand in random order: ties are broken at random.
        ids.sort_by(|&a, &b| {
            let (a, b) = (stat(a), stat(b));
            b.visits.cmp(&a.visits).then(b.mean.total_cmp(&a.mean))
        });
        let front = match self.tree.links[ROOT as usize].kind {
            Kind::Joint => {
                let most = ids.first().map_or(0, |&id| stat(id).visits);
                let weight = |id: Id| match stat(id).visits {
                    n if u64::from(n) * 10 >= u64::from(most) => u64::from(n),
                    _ => 0,
                };
                let total: u64 = ids.iter().map(|&id| weight(id)).sum();
                let mut left = self.rng.index(total as usize) as u64;
                ids.iter().position(|&id| {
                    let here = left < weight(id);
                    left = left.saturating_sub(weight(id));
                    here
                })
            }
            _ => {
                let proven = |id: Id| self.tree.links[id as usize].proof != NONE;
                let open = ids.iter().position(|&id| !proven(id) && stat(id).visits > 0);
                let mut sure = None;
                for (i, &id) in ids.iter().enumerate().filter(|&(_, &id)| proven(id)) {
                    if sure.is_none_or(|best: usize| stat(id).mean > stat(ids[best]).mean) {
                        sure = Some(i);
                    }
                }
                match (sure, open) {
                    (Some(sure), Some(open)) => {
                        Some(if stat(ids[sure]).mean > stat(ids[open]).mean { sure } else { open })
                    }
                    (sure, open) => sure.or(open),
                }
            }
        };
        if let Some(front) = front {
            ids[..=front].rotate_right(1);
        }
        ids
    }

    /// How the tree would go on after the root's child `id`: always the most visited.
    fn line_of(&self, id: Id) -> Vec<Move> {
        let mut line = vec![self.tree.links[id as usize].mv];
        let mut at = id;
        while line.len() < 24 && matches!(self.tree.links[at as usize].kind, Kind::One) {
            let tree = &self.tree;
            let visits = |child: &usize| (tree.stats[*child].visits, std::cmp::Reverse(*child));
            match tree.children(at).max_by_key(visits) {
                Some(child) if tree.stats[child].visits > 0 => {
                    line.push(tree.links[child].mv);
                    at = child as Id;
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
                let stat = self.tree.stats[id as usize];
                Candidate {
                    mv: self.tree.links[id as usize].mv,
                    visits: stat.visits.into(),
                    value: if stat.visits > 0 { stat.mean } else { 0.0 },
                    proven: self.tree.links[id as usize].proof != NONE,
                    line: self.line_of(id),
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
