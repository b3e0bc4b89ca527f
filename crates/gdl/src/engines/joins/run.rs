//! Running plans: the inner loop of the engine.

use ludex_core::deadline;
use std::time::Instant;

use super::Joins;
use super::plan::{Access, Plan, Step};
use super::table::Table;
use crate::engines::reasoner::State;

/// Memory for the evaluation of one state, used again and again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By predicate; those of static predicates stay empty.
    pub(super) tables: Vec<Table>,
    /// The rows of the last round, by predicate.
    pub(super) delta: Vec<(usize, usize)>,
    /// By component: evaluated for this state (and joint move)?
    pub(super) done: Vec<bool>,
    /// The components that are done.
    pub(super) ran: Vec<usize>,
    /// The state that the tables hold.
    pub(super) state: Option<State>,
    /// The joint move that the tables hold.
    pub(super) joint: Option<Vec<u32>>,
    /// The frames of plans, by component and plan.
    pub(super) frames: Vec<Vec<Vec<u32>>>,
    pub(super) row: Vec<u32>,
    /// The next state's rows, by coder.
    pub(super) after: Vec<Vec<u32>>,
    /// Rows looked at, in all and by component.
    pub(super) work: u64,
    pub(super) spent: Vec<u64>,
    /// When to give up, and whether we did.
    pub(super) deadline: Option<Instant>,
    pub(super) stopped: bool,
    /// How much work is too much.
    pub(super) limit: Option<u64>,
}

/// The predicates that are evaluated together.
#[derive(Debug, Default)]
pub(super) struct Component {
    pub(super) preds: Vec<usize>,
    /// Depends on moves.
    pub(super) moves: bool,
    /// Depends on the state or on moves.
    pub(super) dynamic: bool,
    /// Clauses without recursion.
    pub(super) plans: Vec<Plan>,
    /// Variants of the recursive clauses, each over the last round's rows of one literal.
    pub(super) rounds: Vec<Plan>,
}

impl Joins {
    /// Evaluates the components of a target that are not done yet.
    pub(super) fn need(&self, s: &mut Scratch, target: &[usize]) {
        for &c in target {
            if !s.done[c] {
                self.component(s, c);
                s.done[c] = true;
                s.ran.push(c);
            }
        }
    }

    pub(super) fn component(&self, s: &mut Scratch, c: usize) {
        let component = &self.components[c];
        let before = s.work;
        let mut frames = std::mem::take(&mut s.frames[c]);
        for (plan, frame) in component.plans.iter().zip(&mut frames) {
            self.go(s, plan, 0, frame);
        }
        if !component.rounds.is_empty() {
            for &pred in &component.preds {
                s.delta[pred] = (0, 0);
            }
            loop {
                let mut grew = false;
                for &pred in &component.preds {
                    let (_, before) = s.delta[pred];
                    let now = s.tables[pred].len();
                    s.delta[pred] = (before, now);
                    grew |= now > before;
                }
                if !grew || s.stopped {
                    break;
                }
                let frames = frames[component.plans.len()..].iter_mut();
                for (plan, frame) in component.rounds.iter().zip(frames) {
                    self.go(s, plan, 0, frame);
                }
            }
        }
        s.frames[c] = frames;
        s.spent[c] += s.work - before;
    }

    #[inline]
    fn table<'a>(&'a self, s: &'a Scratch, pred: usize) -> &'a Table {
        if self.is_static[pred] { &self.statics[pred] } else { &s.tables[pred] }
    }

    #[inline]
    fn address(&self, key: &[(u16, u32)], frame: &[u32]) -> u32 {
        key.iter().map(|&(slot, w)| self.weights.get(w, frame[slot as usize])).sum()
    }

    /// Runs a plan from a step on; true if there is a solution.
    fn go(&self, s: &mut Scratch, plan: &Plan, mut at: usize, frame: &mut [u32]) -> bool {
        loop {
            let Some(step) = plan.steps.get(at) else {
                self.emit(s, plan, frame);
                return true;
            };
            if at == plan.wanted
                && let Some(key) = &plan.head_key
                && s.tables[plan.head].at(self.address(key, frame))
            {
                return false;
            }
            match step {
                Step::Distinct(a, b) => {
                    if frame[*a as usize] == frame[*b as usize] {
                        return false;
                    }
                }
                Step::Test { pred, key, negated } => {
                    let address = self.address(key, frame);
                    if self.table(s, *pred).at(address) == *negated {
                        return false;
                    }
                }
                Step::TestHashed { pred, slots, negated } => {
                    let mut row = std::mem::take(&mut s.row);
                    row.clear();
                    row.extend(slots.iter().map(|&slot| frame[slot as usize]));
                    let holds = self.table(s, *pred).has_hashed(&row);
                    s.row = row;
                    if holds == *negated {
                        return false;
                    }
                }
                Step::Ask { pred, slots, negated } => {
                    if self.ask(s, *pred, slots, frame) == *negated {
                        return false;
                    }
                }
                Step::Scan { pred, access, bind, same } => {
                    return self.scan(s, plan, at, frame, *pred, access, bind, same);
                }
            }
            at += 1;
        }
    }

    /// Proves a row from the clauses of a relation that is not stored.
    fn ask(&self, s: &mut Scratch, pred: usize, slots: &[u16], from: &[u32]) -> bool {
        let home = self.asks[pred];
        // The relation does not depend on itself, so its frames are free.
        let mut frames = std::mem::take(&mut s.frames[home]);
        let mut holds = false;
        for (plan, frame) in self.components[home].plans.iter().zip(&mut frames) {
            let Some(given) = &plan.given else { continue };
            let value = |column: u16| from[slots[column as usize] as usize];
            for &(column, slot) in &given.bind {
                frame[slot as usize] = value(column);
            }
            holds = given.same.iter().all(|&(column, slot)| frame[slot as usize] == value(column))
                && self.go(s, plan, 0, frame);
            if holds {
                break;
            }
        }
        s.frames[home] = frames;
        holds
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one step")]
    #[inline]
    fn scan(
        &self,
        s: &mut Scratch,
        plan: &Plan,
        at: usize,
        frame: &mut [u32],
        pred: usize,
        access: &Access,
        bind: &[(u16, u16)],
        same: &[(u16, u16)],
    ) -> bool {
        let arity = self.layouts[pred].arity;
        let only_one = at >= plan.wanted;
        let mut any = false;
        let mut visit = |s: &mut Scratch, row: usize, frame: &mut [u32]| -> bool {
            s.work += 1;
            if s.work & 0xFFFF == 0 {
                s.stopped |= deadline::look();
            }
            if s.work & 0xF_FFFF == 0 {
                s.stopped |= self.patience.check();
                s.stopped |= s.deadline.is_some_and(|d| Instant::now() > d);
                s.stopped |= s.limit.is_some_and(|limit| s.work > limit);
            }
            let cells = self.table(s, pred).row(row, arity);
            for &(column, slot) in bind {
                frame[slot as usize] = cells[column as usize];
            }
            for &(column, slot) in same {
                if frame[slot as usize] != cells[column as usize] {
                    return false;
                }
            }
            let hit = self.go(s, plan, at + 1, frame);
            any |= hit;
            (hit && only_one) || s.stopped
        };
        match access {
            Access::All => {
                for row in 0..self.table(s, pred).len() {
                    if visit(s, row, frame) {
                        break;
                    }
                }
            }
            Access::Delta => {
                let (from, to) = s.delta[pred];
                for row in from..to {
                    if visit(s, row, frame) {
                        break;
                    }
                }
            }
            Access::Index(index, key) => {
                let key = self.address(key, frame);
                let mut next = self.table(s, pred).newest(*index, key);
                while let Some(row) = next {
                    next = self.table(s, pred).older(*index, row);
                    if visit(s, row, frame) {
                        break;
                    }
                }
            }
        }
        any
    }

    #[inline]
    fn emit(&self, s: &mut Scratch, plan: &Plan, frame: &[u32]) {
        if plan.given.is_some() {
            return;
        }
        s.row.clear();
        s.row.extend(plan.head_slots.iter().map(|&slot| frame[slot as usize]));
        s.tables[plan.head].insert(&self.layouts[plan.head], &self.weights, &s.row);
    }

    /// Empties what was derived, and the state.
    pub(super) fn forget_state(&self, s: &mut Scratch) {
        for c in s.ran.drain(..) {
            s.done[c] = false;
            for &pred in &self.components[c].preds {
                s.tables[pred].clear();
            }
        }
        for &pred in self.true_preds.iter().chain(&self.does_preds) {
            s.tables[pred].clear();
        }
        s.state = None;
        s.joint = None;
    }

    /// Empties what was derived from moves, and the moves.
    pub(super) fn forget_moves(&self, s: &mut Scratch) {
        let (done, tables) = (&mut s.done, &mut s.tables);
        s.ran.retain(|&c| {
            let component = &self.components[c];
            if component.moves {
                done[c] = false;
                component.preds.iter().for_each(|&pred| tables[pred].clear());
            }
            !component.moves
        });
        for &pred in &self.does_preds {
            s.tables[pred].clear();
        }
        s.joint = None;
    }
}
