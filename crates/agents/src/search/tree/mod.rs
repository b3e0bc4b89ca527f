//! The search tree: nodes in flat arrays, siblings side by side.
//!
//! A node is a slot, eight slots are a [`Block`], a family of siblings is a run of blocks. What
//! the way down reads of eight siblings lies in two cache lines and is compared in a few vector
//! instructions; moves, counts and proofs are apart ([`Link`]). A slot is a leaf until
//! [`Tree::expand`] gives it children; nodes are never freed one by one: [`Tree::reroot`] copies
//! what is still wanted.

pub mod actions;
pub mod bounds;
pub mod joint;

pub use actions::Actions;

use crate::search::select::Ucb1;
use bounds::Bounds;
use joint::Joint;
use ludex_core::{Game, Move, Player, Rng, Turn};

/// The number of a slot: eight times its block, plus its lane.
pub type Id = u32;

/// No slot, no proof.
pub const NONE: u32 = u32::MAX;

/// The root's number.
pub const ROOT: Id = 0;

/// Slots in a block.
pub const LANES: usize = 8;

/// The numbers of eight siblings that selection reads. A lane without a sibling has a negative mean.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Block {
    /// The mean payoff of the player who chooses the slot (the mover of its parent); the exact one where the slot is
    /// proven; first-play urgency before the first try.
    pub mean: [f32; LANES],
    /// 1 / sqrt(visits): the slot's part of the exploration term; 0 where there is nothing to
    /// explore, because the slot is proven or was never tried.
    pub urge: [f32; LANES],
    /// The children.
    family: [Family; LANES],
}

impl Block {
    /// No siblings at all.
    pub const EMPTY: Block =
        Block { mean: [-1.0; LANES], urge: [0.0; LANES], family: [Family::NONE; LANES] };
}

/// The children of a node, packed into a word: where they begin, how many there are, who
/// chooses among them, what kind of node it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family(u64);

impl Family {
    /// A leaf has none.
    pub const NONE: Family = Family(u64::MAX);
    /// The most siblings; more moves than this are not looked at.
    const MOST: usize = (1 << 20) - 1;

    fn new(first: Id, count: usize, mover: u8, kind: Kind) -> Self {
        let meta = (count as u64) << 12 | (kind as u64) << 8 | u64::from(mover);
        Family(meta << 32 | u64::from(first))
    }

    /// Is it empty?
    #[inline]
    pub fn is_none(self) -> bool {
        self == Family::NONE
    }

    /// The first child, or, at a joint node, arm.
    #[inline]
    pub fn first(self) -> Id {
        self.0 as Id
    }

    /// How many children.
    #[inline]
    pub fn count(self) -> usize {
        if self.is_none() { 0 } else { (self.0 >> 44) as usize }
    }

    /// The children.
    #[inline]
    pub fn ids(self) -> std::ops::Range<Id> {
        self.first()..self.first().wrapping_add(self.count() as Id)
    }

    /// The player who chooses.
    #[inline]
    pub fn mover(self) -> u8 {
        (self.0 >> 32) as u8
    }

    /// The kind of node.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.0 >> 40 & 15 {
            0 => Kind::One,
            1 => Kind::Chance,
            _ => Kind::Joint,
        }
    }
}

/// The kinds of expanded nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// One player chooses among the children.
    One,
    /// Chance chooses among the children.
    Chance,
    /// Several players choose at once: the children are the movers' arms, in seat order, each
    /// mover's in blocks of their own, and the joint table leads to the node of each combination.
    Joint,
}

/// The rest of a slot.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The move that leads here.
    pub mv: Move,
    /// How often the slot was tried.
    pub visits: u32,
    /// Where the proven payoffs are, or [`NONE`].
    pub proof: u32,
    /// Below a chance node: the chance of this slot, as bits. An arm: whose it is. A joint node:
    /// the number of its table.
    pub extra: u32,
    /// The move's number in the statistics of actions ([`Actions`]), where any are kept.
    pub action: u32,
}

const EMPTY: Link = Link { mv: Move(0), visits: 0, proof: NONE, extra: NONE, action: NONE };

/// In the place of a proof: the slot can't be worth more to its chooser than a sibling, so it
/// needs no more visits.
const CUT: u32 = NONE - 1;

/// The tree. Slot 0 is the root.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    seats: usize,
    blocks: Vec<Block>,
    links: Vec<Link>,
    proofs: Vec<f32>,
    joints: Vec<Joint>,
    /// One a slot, where bounds are kept.
    bounds: Option<Vec<Bounds>>,
    urgency: f32,
    most: usize,
    moves: Vec<Move>,
    chances: Vec<(Move, f64)>,
}

impl Tree {
    /// A tree for so many players that grows to about `bytes`; untried moves count as
    /// `urgency`.
    pub fn new(seats: usize, bytes: usize, urgency: f32) -> Self {
        let block = size_of::<Block>() + LANES * size_of::<Link>();
        let most = (bytes / block).clamp(1024, NONE as usize / (2 * LANES));
        let mut tree = Tree { seats, urgency, most, ..Tree::default() };
        tree.clear();
        tree
    }

    /// Keeps bounds of payoffs, too ([`bounds`]).
    pub fn with_bounds(mut self) -> Self {
        self.bounds = Some(Vec::new());
        self.clear();
        self
    }

    /// Just a root, never visited.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.links.clear();
        self.proofs.clear();
        self.joints.clear();
        if let Some(bounds) = &mut self.bounds {
            bounds.clear();
        }
        self.push_family(&[Move::default()]);
    }

    /// The number of slots, the empty ones in half-filled blocks too.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Always false: there is always a root.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Is there no room for another expansion?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.blocks.len() >= self.most
    }

    /// Appends blocks with a slot for each of `moves`; returns the first slot.
    fn push_family(&mut self, moves: &[Move]) -> Id {
        let first = self.links.len() as Id;
        for chunk in moves.chunks(LANES) {
            let mut block = Block::EMPTY;
            block.mean[..chunk.len()].fill(self.urgency);
            self.blocks.push(block);
            let mut links = [EMPTY; LANES];
            for (link, &mv) in links.iter_mut().zip(chunk) {
                link.mv = mv;
            }
            self.links.extend_from_slice(&links);
        }
        if let Some(bounds) = &mut self.bounds {
            bounds.resize(self.links.len(), Bounds::OPEN);
        }
        first
    }

    #[inline]
    fn block(&self, id: Id) -> (&Block, usize) {
        (&self.blocks[id as usize / LANES], id as usize % LANES)
    }

    #[inline]
    fn block_mut(&mut self, id: Id) -> (&mut Block, usize) {
        (&mut self.blocks[id as usize / LANES], id as usize % LANES)
    }

    /// The children of a slot.
    #[inline]
    pub fn family(&self, id: Id) -> Family {
        let (block, lane) = self.block(id);
        block.family[lane]
    }

    /// See [`Block::mean`].
    #[inline]
    pub fn mean(&self, id: Id) -> f32 {
        let (block, lane) = self.block(id);
        block.mean[lane]
    }

    /// See [`Block::urge`].
    #[inline]
    pub fn urge(&self, id: Id) -> f32 {
        let (block, lane) = self.block(id);
        block.urge[lane]
    }

    /// The numbers of a slot that selection does not read.
    #[inline]
    pub fn link(&self, id: Id) -> &Link {
        &self.links[id as usize]
    }

    /// How often a slot was tried.
    #[inline]
    pub fn visits(&self, id: Id) -> u32 {
        self.links[id as usize].visits
    }

    /// Is the slot's value certain?
    #[inline]
    pub fn proven(&self, id: Id) -> bool {
        self.links[id as usize].proof < CUT
    }

    /// Is the slot certain to be no better than a sibling?
    #[inline]
    pub fn cut(&self, id: Id) -> bool {
        self.links[id as usize].proof == CUT
    }

    /// The player who chooses the arm.
    #[inline]
    pub fn owner(&self, arm: Id) -> u8 {
        self.links[arm as usize].extra as u8
    }

    /// The best of `count` siblings by UCB1.
    #[inline(always)]
    pub fn best(&self, first: Id, count: usize, scale: f32) -> Id {
        let from = first as usize / LANES;
        let run = &self.blocks[from..from + count.div_ceil(LANES)];
        first + Ucb1::best(run, scale) as Id
    }

    /// The most visited child whose value is not certain yet.
    pub fn most_visited_open(&self, family: Family) -> Option<Id> {
        let open = family.ids().filter(|&id| !self.proven(id) && !self.cut(id));
        open.max_by_key(|&id| (self.visits(id), std::cmp::Reverse(id)))
    }

    /// Adds visits of a slot, with their mean payoff for the player who chose it.
    #[inline(always)]
    pub fn learn(&mut self, id: Id, payoff: f32, more: u32) {
        let link = &mut self.links[id as usize];
        let first = link.visits == 0;
        link.visits = (link.visits + more).min(i32::MAX as u32);
        if link.proof != NONE {
            return;
        }
        // Signed, because that is one instruction to convert.
        let visits = link.visits as i32;
        let urge = 1.0 / (visits as f32).sqrt();
        let (block, lane) = self.block_mut(id);
        let before = if first { 0.0 } else { block.mean[lane] };
        // A mean in 32 bits stops learning after some ten million payoffs; from four million on
        // each new one weighs as much as the last.
        let weight = (more as f32 * urge * urge).max(1.0 / (1 << 22) as f32);
        block.mean[lane] = before + (payoff - before) * weight;
        block.urge[lane] = urge;
    }

    /// So many visits that are under way: they count as lost until [`settle`](Tree::settle)
    /// (virtual loss: Chaslot, Winands, van den Herik 2008, "Parallel Monte-Carlo Tree Search",
    /// section 3.3).
    #[inline]
    pub fn hold(&mut self, id: Id, more: u32) {
        self.learn(id, 0.0, more);
    }

    /// The visits that were held have come back with this mean payoff.
    #[inline]
    pub fn settle(&mut self, id: Id, payoff: f32, held: u32) {
        if self.links[id as usize].proof != NONE {
            return;
        }
        let (block, lane) = self.block_mut(id);
        let urge = block.urge[lane];
        let weight = (held as f32 * urge * urge).max(1.0 / (1 << 22) as f32);
        block.mean[lane] = (block.mean[lane] + payoff * weight).min(1.0);
    }

    /// The visits that were held will not come back.
    pub fn release(&mut self, id: Id, held: u32) {
        let urgency = self.urgency;
        let link = &mut self.links[id as usize];
        link.visits = link.visits.saturating_sub(held);
        if link.proof != NONE {
            return;
        }
        let visits = link.visits as f32;
        let (block, lane) = self.block_mut(id);
        if visits > 0.0 {
            block.mean[lane] = (block.mean[lane] * (visits + held as f32) / visits).min(1.0);
            block.urge[lane] = 1.0 / visits.sqrt();
        } else {
            (block.mean[lane], block.urge[lane]) = (urgency, 0.0);
        }
    }

    /// The proven payoffs of a slot.
    #[inline]
    pub fn proof(&self, id: Id) -> Option<&[f32]> {
        let at = self.links[id as usize].proof;
        (at < CUT).then(|| &self.proofs[at as usize..at as usize + self.seats])
    }

    /// Gives the leaf `id`, whose position is `state`, its children in random order; `false`
    /// where it can have none, because the game is over.
    ///
    /// With `actions` each move is given its number in the statistics.
    pub fn expand<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        id: Id,
        rng: &mut Rng,
        actions: Option<&Actions>,
    ) -> bool {
        let first = self.links.len() as Id;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        let (kind, mover) = match game.turn(state) {
            Turn::Over => (Kind::One, 0),
            Turn::One(player) => {
                game.moves(state, player, &mut moves);
                moves.truncate(Family::MOST);
                rng.shuffle(&mut moves);
                self.push_family(&moves);
                self.number(game, state, player, first, actions);
                (Kind::One, player.0)
            }
            Turn::Chance => {
                let mut chances = std::mem::take(&mut self.chances);
                chances.clear();
                game.chances(state, &mut chances);
                moves.extend(chances.iter().map(|&(mv, _)| mv).take(Family::MOST));
                self.push_family(&moves);
                for (link, (_, chance)) in self.links[first as usize..].iter_mut().zip(&chances) {
                    link.extra = (*chance as f32).to_bits();
                }
                self.chances = chances;
                (Kind::Chance, 0)
            }
            Turn::Joint(players) => {
                for player in players.iter() {
                    moves.clear();
                    game.moves(state, player, &mut moves);
                    rng.shuffle(&mut moves);
                    let arm = self.push_family(&moves);
                    for link in &mut self.links[arm as usize..] {
                        link.extra = player.0.into();
                    }
                    self.number(game, state, player, arm, actions);
                }
                self.links[id as usize].extra = self.joints.len() as u32;
                let arms = self.links.len() - first as usize;
                self.joints.push(Joint::new(arms, self.seats));
                (Kind::Joint, 0)
            }
        };
        // Arms of several movers stand in blocks of their own, with empty slots between.
        let count = match kind {
            Kind::Joint => (self.links.len() - first as usize).min(Family::MOST),
            _ => moves.len(),
        };
        self.moves = moves;
        if count > 0 {
            let (block, lane) = self.block_mut(id);
            block.family[lane] = Family::new(first, count, mover, kind);
        }
        count > 0
    }

    /// Is there a sibling in this slot?
    fn filled(&self, id: Id) -> bool {
        self.mean(id) >= 0.0
    }

    /// The arms of a joint node as runs, one a mover.
    pub fn arms(&self, family: Family) -> impl Iterator<Item = (u8, Id, usize)> {
        let mut from = family.first();
        let end = family.ids().end;
        std::iter::from_fn(move || {
            if from >= end {
                return None;
            }
            let (first, owner) = (from, self.owner(from));
            while from < end && self.owner(from) == owner {
                from += LANES as Id;
            }
            Some((owner, first, (from - first) as usize))
        })
    }

    /// Gives the slots from `first` on their numbers in the statistics of actions.
    fn number<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        first: Id,
        actions: Option<&Actions>,
    ) {
        let Some(actions) = actions else { return };
        for link in &mut self.links[first as usize..] {
            link.action = actions.id(game.action_key(state, player, link.mv));
        }
    }

    /// The number of filled slots of a run of arms; they stand first.
    pub fn arm_count(&self, first: Id, count: usize) -> usize {
        (first..first + count as Id).take_while(|&arm| self.filled(arm)).count()
    }

    /// The statistics of the joint node `id`.
    #[inline]
    pub fn joint(&self, id: Id) -> &Joint {
        &self.joints[self.links[id as usize].extra as usize]
    }

    /// The statistics of the joint node `id`.
    #[inline]
    pub fn joint_mut(&mut self, id: Id) -> &mut Joint {
        &mut self.joints[self.links[id as usize].extra as usize]
    }

    /// The node below the joint node `id` for the chosen arms (in seat order); a new leaf where
    /// it was never reached.
    pub fn joint_child(&mut self, id: Id, arms: &[Id]) -> Id {
        let key = joint::combination(self.family(id).first(), arms);
        if let Some(child) = self.joint(id).child(key) {
            return child;
        }
        let child = self.push_family(&[Move::default()]);
        self.joint_mut(id).insert(key, child);
        child
    }

    /// The probability of a slot below a chance node.
    #[inline]
    pub fn chance(&self, id: Id) -> f32 {
        f32::from_bits(self.links[id as usize].extra)
    }

    /// Draws one of the outcomes of chance by its probability.
    pub fn draw(&self, family: Family, rng: &mut Rng) -> Id {
        let mut left = rng.unit() as f32;
        let mut drawn = family.first();
        for child in family.ids() {
            drawn = child;
            left -= self.chance(child);
            if left < 0.0 {
                break;
            }
        }
        drawn
    }

    /// Writes down that `id` is worth `payoffs` for certain; `chooser` chooses it.
    pub fn prove(&mut self, id: Id, chooser: usize, payoffs: &[f32]) {
        self.close(id, payoffs);
        self.links[id as usize].proof = self.proofs.len() as u32;
        self.proofs.extend_from_slice(payoffs);
        let (block, lane) = self.block_mut(id);
        block.mean[lane] = payoffs.get(chooser).copied().unwrap_or(0.0);
        block.urge[lane] = 0.0;
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
        let family = self.family(id);
        if family.is_none() {
            return false;
        }
        let mover = family.mover() as usize;
        match family.kind() {
            Kind::One => {
                let mut best: Option<&[f32]> = None;
                let mut whole = true;
                for child in family.ids() {
                    match self.proof(child) {
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
                for child in family.ids() {
                    let Some(payoffs) = self.proof(child) else { return false };
                    let chance = self.chance(child);
                    for (sum, payoff) in out.iter_mut().zip(payoffs) {
                        *sum += chance * payoff;
                    }
                }
                true
            }
            Kind::Joint => false,
        }
    }

    /// The slot that the joint move `joint` leads to from `id`.
    pub fn follow(&self, id: Id, joint: &[Move]) -> Option<Id> {
        let family = self.family(id);
        if family.is_none() {
            return None;
        }
        match (family.kind(), joint) {
            (Kind::One | Kind::Chance, [mv]) => {
                family.ids().find(|&child| self.link(child).mv == *mv)
            }
            (Kind::Joint, _) => {
                let mut arms: Vec<Id> = Vec::new();
                for ((_, first, count), &mv) in self.arms(family).zip(joint) {
                    let mut run = first..first + count as Id;
                    arms.push(run.find(|&arm| self.filled(arm) && self.link(arm).mv == mv)?);
                }
                self.joint(id).child(joint::combination(family.first(), &arms))
            }
            _ => None,
        }
    }

    /// Makes `root` the root and forgets everything that can't be reached from it; `moved` gets
    /// the old and the new number of every slot that is kept.
    pub fn reroot(&mut self, root: Id, mut moved: impl FnMut(Id, Id)) {
        let fresh = Tree {
            seats: self.seats,
            urgency: self.urgency,
            most: self.most,
            bounds: self.bounds.as_ref().map(|_| Vec::new()),
            ..Tree::default()
        };
        let mut old = std::mem::replace(self, fresh);
        self.push_family(&[Move::default()]);
        self.copy_slot(&old, root, ROOT);
        moved(root, ROOT);
        // Slots whose children are still to be copied, oldest first.
        let mut waiting = vec![ROOT];
        let mut at = 0;
        while let Some(&id) = waiting.get(at) {
            at += 1;
            let family = self.family(id);
            if family.is_none() {
                continue;
            }
            let first = self.links.len() as Id;
            for block in 0..family.count().div_ceil(LANES) as Id {
                self.push_family(&[Move::default(); LANES]);
                for lane in 0..LANES as Id {
                    let offset = block * LANES as Id + lane;
                    self.copy_slot(&old, family.first() + offset, first + offset);
                    moved(family.first() + offset, first + offset);
                }
            }
            let here = Family::new(first, family.count(), family.mover(), family.kind());
            let (block, lane) = self.block_mut(id);
            block.family[lane] = here;
            if family.kind() != Kind::Joint {
                waiting.extend(here.ids());
                continue;
            }
            let table = self.links[id as usize].extra as usize;
            let mut joint = std::mem::take(&mut old.joints[table]);
            for child in joint.children() {
                let new = self.push_family(&[Move::default()]);
                self.copy_slot(&old, *child, new);
                moved(*child, new);
                waiting.push(new);
                *child = new;
            }
            self.links[id as usize].extra = self.joints.len() as u32;
            self.joints.push(joint);
        }
    }

    fn copy_slot(&mut self, old: &Tree, from: Id, to: Id) {
        let mut link = *old.link(from);
        if let Some(payoffs) = old.proof(from) {
            link.proof = self.proofs.len() as u32;
            self.proofs.extend_from_slice(payoffs);
        }
        self.links[to as usize] = link;
        if let (Some(bounds), Some(known)) = (&mut self.bounds, &old.bounds) {
            bounds[to as usize] = known[from as usize];
        }
        let (source, lane) = old.block(from);
        let copied = (source.mean[lane], source.urge[lane], source.family[lane]);
        let (block, lane) = self.block_mut(to);
        (block.mean[lane], block.urge[lane], block.family[lane]) = copied;
    }

    /// The root's children whose choice is `player`'s: all, or its arms where it is joint.
    pub fn choices(&self, player: Player) -> Vec<Id> {
        let family = self.family(ROOT);
        if family.is_none() {
            return Vec::new();
        }
        match family.kind() {
            Kind::One if family.mover() == player.0 => family.ids().collect(),
            Kind::Joint => {
                let mine = |&id: &Id| self.owner(id) == player.0 && self.filled(id);
                family.ids().filter(mine).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;
    use ludex_core::testkit::Coins;

    #[test]
    fn held_visits_count_as_lost_until_they_come_back_or_are_released() {
        let game = Coins::default();
        let mut tree = Tree::new(2, 1 << 20, f32::INFINITY);
        assert!(tree.expand(&game, &game.start(), ROOT, &mut Seed(1).rng(), None));
        let child = tree.family(ROOT).first();
        tree.learn(child, 1.0, 3);
        tree.hold(child, 2);
        assert_eq!((tree.visits(child), tree.mean(child)), (5, 0.6));
        tree.settle(child, 0.5, 2);
        assert!((tree.mean(child) - 0.8).abs() < 1e-6);
        tree.hold(child, 5);
        tree.release(child, 5);
        assert_eq!(tree.visits(child), 5);
        assert!((tree.mean(child) - 0.8).abs() < 1e-6);
        // One that was never tried before is as if it had not been.
        let other = child + 1;
        tree.hold(other, 1);
        tree.release(other, 1);
        assert_eq!(
            (tree.visits(other), tree.mean(other), tree.urge(other)),
            (0, f32::INFINITY, 0.0)
        );
    }
}
