//! The search tree: nodes in flat arrays, siblings side by side.
//!
//! A node is a slot; what selection reads of a slot is apart from the rest ([`Stat`] and
//! [`Link`]), so that the statistics of all moves of a position lie in one or two cache lines.
//! A slot is a leaf until [`Tree::expand`] gives it children; nodes are never freed one by one:
//! [`Tree::reroot`] copies what is still wanted.

use ludex_core::{Game, Move, Player, Rng, Turn};
use rustc_hash::FxHashMap;

/// The number of a slot.
pub type Id = u32;

/// No slot, no proof.
pub const NONE: u32 = u32::MAX;

/// What selection reads.
#[derive(Debug, Clone, Copy)]
pub struct Stat {
    /// The mean payoff of whoever chooses this slot (its parent's mover), the exact one where
    /// the slot is proven, first-play urgency where it was never tried.
    pub mean: f32,
    /// 1 / sqrt(visits): the slot's part of the exploration term; 0 where there is nothing to
    /// explore, because the slot is proven or was never tried.
    pub urge: f32,
    /// How often the slot was tried.
    pub visits: u32,
    /// The first child.
    pub first: Id,
}

/// The rest of a slot.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The move that leads here.
    pub mv: Move,
    /// The number of children (for [`Kind::Joint`]: arms).
    pub count: u32,
    /// Where the proven payoffs are, or [`NONE`].
    pub proof: u32,
    /// The chance of this slot below a chance node; else the number of the joint table.
    pub extra: u32,
    /// Who chooses among the children; of an arm: whose arm it is.
    pub mover: u8,
    /// What the slot is.
    pub kind: Kind,
}

/// What a slot is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Not expanded.
    Leaf,
    /// The game is over; there is a proof.
    Over,
    /// One player chooses among the children.
    One,
    /// Chance chooses among the children.
    Chance,
    /// Several players choose at once: the children are the movers' arms, in seat order, and
    /// the joint table leads to the node of each combination.
    Joint,
}

/// The tree. Slot 0 is the root.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    seats: usize,
    /// Hot and cold halves of the slots.
    pub stats: Vec<Stat>,
    /// See [`Link`].
    pub links: Vec<Link>,
    proofs: Vec<f32>,
    joints: Vec<FxHashMap<u64, Id>>,
    urgency: f32,
    most: usize,
    moves: Vec<Move>,
    chances: Vec<(Move, f64)>,
}

/// The root's number.
pub const ROOT: Id = 0;

impl Tree {
    /// A tree for so many players that grows to at most `bytes`; untried moves count as
    /// `urgency`.
    pub fn new(seats: usize, bytes: usize, urgency: f32) -> Self {
        let slot = size_of::<Stat>() + size_of::<Link>();
        let most = (bytes / slot).clamp(1024, NONE as usize / 2);
        let mut tree = Tree { seats, urgency, most, ..Tree::default() };
        tree.clear();
        tree
    }

    /// Just a root, never visited.
    pub fn clear(&mut self) {
        self.stats.clear();
        self.links.clear();
        self.proofs.clear();
        self.joints.clear();
        self.push(Move::default());
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.stats.len()
    }

    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        self.stats.is_empty()
    }

    /// Is there no room for another expansion?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.stats.len() >= self.most
    }

    fn push(&mut self, mv: Move) -> Id {
        let id = self.stats.len() as Id;
        self.stats.push(Stat { mean: self.urgency, urge: 0.0, visits: 0, first: NONE });
        self.links.push(Link { mv, count: 0, proof: NONE, extra: 0, mover: 0, kind: Kind::Leaf });
        id
    }

    /// The children of a slot (the arms, where it is joint).
    #[inline]
    pub fn children(&self, id: Id) -> std::ops::Range<usize> {
        let first = self.stats[id as usize].first as usize;
        first..first + self.links[id as usize].count as usize
    }

    /// The proven payoffs of a slot.
    #[inline]
    pub fn proof(&self, id: Id) -> Option<&[f32]> {
        let at = self.links[id as usize].proof;
        (at != NONE).then(|| &self.proofs[at as usize..at as usize + self.seats])
    }

    /// Gives the leaf `id`, whose position is `state`, its children in random order.
    pub fn expand<G: Game>(&mut self, game: &G, state: &G::State, id: Id, rng: &mut Rng) {
        let at = id as usize;
        let first = self.stats.len() as Id;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        match game.turn(state) {
            Turn::Over => {
                let mut payoffs = std::mem::take(&mut self.proofs);
                let from = payoffs.len();
                payoffs.resize(from + self.seats, 0.0);
                game.payoffs(state, &mut payoffs[from..]);
                self.proofs = payoffs;
                self.links[at].proof = from as u32;
                self.links[at].kind = Kind::Over;
            }
            Turn::One(player) => {
                game.moves(state, player, &mut moves);
                rng.shuffle(&mut moves);
                for &mv in &moves {
                    self.push(mv);
                }
                self.links[at].mover = player.0;
                self.links[at].kind = Kind::One;
            }
            Turn::Chance => {
                let mut chances = std::mem::take(&mut self.chances);
                chances.clear();
                game.chances(state, &mut chances);
                for &(mv, chance) in &chances {
                    let child = self.push(mv);
                    self.links[child as usize].extra = (chance as f32).to_bits();
                }
                self.chances = chances;
                self.links[at].kind = Kind::Chance;
            }
            Turn::Joint(players) => {
                for player in players.iter() {
                    moves.clear();
                    game.moves(state, player, &mut moves);
                    rng.shuffle(&mut moves);
                    for &mv in &moves {
                        let arm = self.push(mv);
                        self.links[arm as usize].mover = player.0;
                    }
                }
                self.links[at].extra = self.joints.len() as u32;
                self.joints.push(FxHashMap::default());
                self.links[at].kind = Kind::Joint;
            }
        }
        self.moves = moves;
        self.stats[at].first = first;
        self.links[at].count = self.stats.len() as u32 - first;
    }

    /// The node below the joint node `id` for the chosen arms (in seat order); a new leaf where
    /// it was never reached.
    pub fn joint_child(&mut self, id: Id, arms: &[Id]) -> Id {
        let table = self.links[id as usize].extra as usize;
        let first = self.stats[id as usize].first;
        let key = arms.iter().fold(0u64, |key, arm| {
            key.wrapping_mul(0x1_0000_01b3).wrapping_add(u64::from(arm - first) + 1)
        });
        if let Some(&child) = self.joints[table].get(&key) {
            return child;
        }
        let child = self.push(Move::default());
        self.joints[table].insert(key, child);
        child
    }

    /// The probability of a slot below a chance node.
    #[inline]
    pub fn chance(&self, id: Id) -> f32 {
        f32::from_bits(self.links[id as usize].extra)
    }

    /// Draws a child of the chance node `id` by its probability.
    pub fn draw(&self, id: Id, rng: &mut Rng) -> Id {
        let mut left = rng.unit() as f32;
        let children = self.children(id);
        let last = children.end - 1;
        for child in children {
            left -= self.chance(child as Id);
            if left < 0.0 {
                return child as Id;
            }
        }
        last as Id
    }

    /// Writes down that `id` is worth `payoffs` for certain; `chooser` chooses it.
    pub fn prove(&mut self, id: Id, chooser: usize, payoffs: &[f32]) {
        let at = id as usize;
        self.links[at].proof = self.proofs.len() as u32;
        self.proofs.extend_from_slice(payoffs);
        self.stats[at].mean = payoffs[chooser];
        self.stats[at].urge = 0.0;
    }

    /// What the children's proofs say about `id`, written into `out`; `false` where they say
    /// nothing yet.
    ///
    /// One mover: a child that gives it everything (1) decides; else all children must be
    /// proven, and the best counts. This is MCTS-Solver (Winands, Björnsson, Saito 2008, section
    /// 3) with payoff vectors in the place of win and loss; with several best children the first
    /// counts, which for two players and a constant sum makes no difference, and otherwise is
    /// one equilibrium of max^n. Chance: the expectation, once all outcomes are proven. A joint
    /// node is never proven: its value may need mixed strategies.
    pub fn deduce(&self, id: Id, out: &mut [f32]) -> bool {
        let link = self.links[id as usize];
        let mover = link.mover as usize;
        match link.kind {
            Kind::One => {
                let mut best: Option<&[f32]> = None;
                let mut whole = true;
                for child in self.children(id) {
                    match self.proof(child as Id) {
                        Some(payoffs) => {
                            if best.is_none_or(|best| payoffs[mover] > best[mover]) {
                                best = Some(payoffs);
                            }
                        }
                        None => whole = false,
                    }
                }
                match best {
                    Some(best) if whole || best[mover] >= 1.0 => {
                        out.copy_from_slice(best);
                        true
                    }
                    _ => false,
                }
            }
            Kind::Chance => {
                out.fill(0.0);
                for child in self.children(id) {
                    let Some(payoffs) = self.proof(child as Id) else { return false };
                    let chance = self.chance(child as Id);
                    for (sum, payoff) in out.iter_mut().zip(payoffs) {
                        *sum += chance * payoff;
                    }
                }
                true
            }
            Kind::Leaf | Kind::Over | Kind::Joint => false,
        }
    }

    /// The slot that the joint move `joint` leads to from `id`.
    pub fn follow(&self, id: Id, joint: &[Move]) -> Option<Id> {
        let link = self.links[id as usize];
        match (link.kind, joint) {
            (Kind::One | Kind::Chance, [mv]) => {
                let mut children = self.children(id);
                children.find(|&child| self.links[child].mv == *mv).map(|child| child as Id)
            }
            (Kind::Joint, _) => {
                let mut arms = Vec::new();
                for &mv in joint {
                    let after = arms.last().map(|&arm: &Id| self.links[arm as usize].mover);
                    let arm = self.children(id).find(|&arm| {
                        let link = &self.links[arm];
                        link.mv == mv && after.is_none_or(|after| link.mover > after)
                    })?;
                    arms.push(arm as Id);
                }
                let first = self.stats[id as usize].first;
                let key = arms.iter().fold(0u64, |key, arm| {
                    key.wrapping_mul(0x1_0000_01b3).wrapping_add(u64::from(arm - first) + 1)
                });
                self.joints[link.extra as usize].get(&key).copied()
            }
            _ => None,
        }
    }

    /// Makes `root` the root and forgets everything that can't be reached from it.
    pub fn reroot(&mut self, root: Id) {
        let mut old = std::mem::replace(
            self,
            Tree { seats: self.seats, urgency: self.urgency, most: self.most, ..Tree::default() },
        );
        self.copy_slot(&mut old, root);
        let mut at = 0;
        while at < self.len() {
            let (first, count) = (self.stats[at].first as usize, self.links[at].count as usize);
            if count > 0 {
                self.stats[at].first = self.len() as Id;
                for child in first..first + count {
                    self.copy_slot(&mut old, child as Id);
                }
            }
            if self.links[at].kind == Kind::Joint {
                let table = std::mem::take(&mut old.joints[self.links[at].extra as usize]);
                let mut entries: Vec<(u64, Id)> = table.into_iter().collect();
                entries.sort_unstable();
                for (_, child) in &mut entries {
                    let new = self.len() as Id;
                    self.copy_slot(&mut old, *child);
                    *child = new;
                }
                self.links[at].extra = self.joints.len() as u32;
                self.joints.push(entries.into_iter().collect());
            }
            at += 1;
        }
    }

    fn copy_slot(&mut self, old: &mut Tree, id: Id) {
        let mut link = old.links[id as usize];
        if let Some(payoffs) = old.proof(id) {
            link.proof = self.proofs.len() as u32;
            self.proofs.extend_from_slice(payoffs);
        }
        self.stats.push(old.stats[id as usize]);
        self.links.push(link);
    }

    /// The children of `id` whose choice is `player`'s: all, or its arms at a joint node.
    pub fn choices(&self, id: Id, player: Player) -> impl Iterator<Item = Id> {
        let link = self.links[id as usize];
        self.children(id)
            .filter(move |&child| match link.kind {
                Kind::One => link.mover == player.0,
                Kind::Joint => self.links[child].mover == player.0,
                _ => false,
            })
            .map(|child| child as Id)
    }
}
