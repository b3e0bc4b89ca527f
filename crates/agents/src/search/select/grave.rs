//! GRAVE: a move with few visits borrows the value that its action had later in simulations from an ancestor.

use super::{Column, Lesson, Select, Ucb1, best_by};
use crate::search::tree::actions::{Actions, Mean};
use crate::search::tree::{Family, Id, NONE, Tree};
use rustc_hash::FxHashMap;

/// Chooses the child with the largest `(1 - beta) * mean + beta * AMAF + c * sqrt(ln N / n)`,
/// where AMAF is the mean payoff of all simulations in which the mover made the move at any time
/// after the *reference node*, and `beta = m / (m + n + bias * m * n)` for `m` such simulations
/// and `n` visits.
///
/// RAVE (Gelly and Silver 2011, "Monte-Carlo tree search and rapid action value estimation in
/// computer Go", section 4) refers to the node itself. GRAVE (Cazenave 2015, "Generalized Rapid
/// Action Value Estimation", the GRAVE algorithm) refers to its nearest ancestor, or itself, with more
/// than `ref` visits, and has no exploration term (`c` = 0); with one it is UCB1-GRAVE.
///
/// A node begins its table at a quarter of `ref` visits, and not at the first: nobody reads it
/// before, and far fewer nodes get one.
#[derive(Debug, Clone)]
pub struct Grave {
    ucb: Ucb1,
    reference: u32,
    bias: f32,
    count: usize,
    /// By slot: the number of its table.
    table_of: Column<u32>,
    tables: Vec<Table>,
    most: usize,
    /// The table that the way down reads now.
    anchor: u32,
}

/// AMAF of one node, by action.
#[derive(Debug, Clone)]
enum Table {
    Dense(Box<[Mean]>),
    Sparse(FxHashMap<u32, Mean>),
}

impl Table {
    /// Up to so many actions the table is an array.
    const DENSE: usize = 1024;

    fn new(count: usize) -> Self {
        match count {
            0..=Self::DENSE => Table::Dense(vec![Mean::default(); count].into()),
            _ => Table::Sparse(FxHashMap::default()),
        }
    }

    #[inline]
    fn get(&self, action: u32) -> Mean {
        match self {
            Table::Dense(means) => means.get(action as usize).copied().unwrap_or_default(),
            Table::Sparse(means) => means.get(&action).copied().unwrap_or_default(),
        }
    }

    #[inline]
    fn add(&mut self, action: u32, payoff: f32) {
        match self {
            Table::Dense(means) => {
                if let Some(mean) = means.get_mut(action as usize) {
                    mean.add(payoff);
                }
            }
            Table::Sparse(means) => means.entry(action).or_default().add(payoff),
        }
    }
}

impl Grave {
    /// With the exploration constant, the visits of a reference node, the bias, and the most
    /// bytes for tables.
    pub fn new(c: f32, reference: u32, bias: f32, actions: &Actions, bytes: usize) -> Self {
        let each = actions.count().min(Table::DENSE) * size_of::<Mean>();
        Grave {
            ucb: Ucb1::new(c),
            reference,
            bias,
            count: actions.count(),
            table_of: Column::new(NONE),
            tables: Vec::new(),
            most: (bytes / each.max(1)).max(16),
            anchor: NONE,
        }
    }
}

impl Select for Grave {
    const KEYED: bool = true;

    fn start(&mut self) {
        self.anchor = NONE;
    }

    fn best(&mut self, tree: &Tree, id: Id, family: Family) -> Id {
        let own = self.table_of.get(id);
        if own != NONE && (self.anchor == NONE || tree.visits(id) > self.reference) {
            self.anchor = own;
        }
        let table = self.tables.get(self.anchor as usize);
        let scale = self.ucb.scale(tree.urge(id));
        best_by(tree, family, |child| {
            let (mean, n) = (tree.mean(child), tree.visits(child) as f32);
            let amaf = table.map_or(Mean::default(), |table| table.get(tree.link(child).action));
            let m = amaf.count;
            match (n > 0.0, m > 0.0) {
                (_, false) => mean + scale * tree.urge(child),
                (false, true) => amaf.or(0.0) + scale,
                (true, true) => {
                    let beta = m / (m + n + self.bias * m * n);
                    (1.0 - beta) * mean + beta * amaf.or(0.0) + scale * tree.urge(child)
                }
            }
        })
    }

    fn learn(&mut self, tree: &Tree, lesson: Lesson<'_>) {
        let ripe = (self.reference / 4).max(1);
        // How many of the acts lie before the node.
        let mut before = 0;
        for (i, step) in lesson.path.iter().enumerate() {
            before += usize::from(i > 0 && tree.link(step.slot).action != NONE);
            if step.arm || (i > 0 && tree.visits(step.slot) < ripe) {
                continue;
            }
            let mut at = self.table_of.get(step.slot);
            if at == NONE {
                if self.tables.len() >= self.most {
                    continue;
                }
                at = self.tables.len() as u32;
                self.tables.push(Table::new(self.count));
                *self.table_of.at(tree, step.slot) = at;
            }
            let (table, acts) = (&mut self.tables[at as usize], &lesson.acts[before..]);
            for act in acts {
                table.add(act.action, lesson.payoffs[act.player as usize]);
            }
        }
    }

    fn moved(&mut self, tree: &Tree, new_of: &[(Id, Id)]) {
        let kept: Vec<(Id, u32)> = new_of
            .iter()
            .map(|&(old, new)| (new, self.table_of.get(old)))
            .filter(|&(_, at)| at != NONE)
            .collect();
        let mut tables: Vec<Option<Table>> =
            std::mem::take(&mut self.tables).into_iter().map(Some).collect();
        self.table_of = Column::new(NONE);
        for (new, at) in kept {
            if let Some(table) = tables.get_mut(at as usize).and_then(Option::take) {
                *self.table_of.at(tree, new) = self.tables.len() as u32;
                self.tables.push(table);
            }
        }
    }
}
