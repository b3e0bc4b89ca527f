//! Loading: from flat clauses to tables, components and plans.

use std::time::{Duration, Instant};

use ludex_core::Seed;
use rustc_hash::FxHashMap;

use super::demand;
use super::numbering::Codes;
use super::plan::{Planner, Sizes};
use super::run::{Component, Scratch};
use super::strata::Graph;
use super::table::{Layout, Table, Weights};
use super::{Joins, OfRole, Targets};
use crate::columns::Columns;
use crate::engines::patience::Patience;
use crate::lower::{Arg, Clause, FlatAtom, FlatLit, Pred, PredId, Program, Shape, lower};
use crate::rules::Rules;
use crate::symbol::{Sym, kw};
use ludex_core::diagnostic::Diagnostic;

/// The limits of loading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time for relations that are computed once.
    pub time: Duration,
    /// Time for random play, from which plans learn the sizes of relations.
    pub trial: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(15), trial: Duration::from_millis(200) }
    }
}

/// Why a rule sheet cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The rules are not understood.
    #[error("{}", .0.message)]
    Rules(Diagnostic),
    /// The relations that never change, or the first state, are too large.
    #[error("what holds in every state takes longer than {0:?} to compute")]
    TooSlow(Duration),
    /// The terms cannot be numbered.
    #[error("more possible {0} than can be numbered")]
    TooMany(&'static str),
}

/// States of random play from which sizes are learnt.
const TRIAL_STATES: u32 = 200;

impl Joins {
    /// Loads a rule sheet.
    pub fn load(rules: &Rules, limits: &Limits) -> Result<Joins, JoinError> {
        let (program, found) = lower(rules);
        if let Some(error) = found.into_iter().find(Diagnostic::is_error) {
            return Err(JoinError::Rules(error));
        }
        Joins::from_program(program, limits)
    }

    /// Loads a lowered rule sheet.
    pub(crate) fn from_program(mut program: Program, limits: &Limits) -> Result<Joins, JoinError> {
        let (constants, clauses) = number_constants(std::mem::take(&mut program.clauses));
        let arities = program.preds.iter().map(|p| p.arity).collect();
        let mut graph = Graph { arities, clauses };
        graph.stratify().map_err(JoinError::Rules)?;
        let (mut joins, mut work) = Joins::build(&program, &constants, &graph, limits)?;
        // Where a state is much work, some relations are better derived on demand. Whether that
        // saves work, only trying can tell.
        let total = |work: &[f64]| work.iter().sum::<f64>();
        for share in [0.0, 0.05] {
            let whole = total(&work);
            if whole < DEMAND_WORK {
                break;
            }
            let wanted = wanted(&program, &graph, &work, share * whole);
            let Some(other) = demand::restrict(&graph, &wanted) else { continue };
            let Ok((built, spent)) = Joins::build(&program, &constants, &other, limits) else {
                continue;
            };
            if total(&spent) < DEMAND_GAIN * whole {
                (joins, work, graph) = (built, spent, other);
            }
        }
        Ok(joins)
    }

    /// Loads clauses; also the rows looked at for a state, by predicate.
    fn build(
        program: &Program,
        constants: &[Sym],
        graph: &Graph,
        limits: &Limits,
    ) -> Result<(Joins, Vec<f64>), JoinError> {
        let (constants, graph) = (constants.to_vec(), graph.clone());
        let mut links = Vec::new();
        for (from, to) in [(kw::INIT, kw::TRUE), (kw::NEXT, kw::TRUE), (kw::LEGAL, kw::DOES)] {
            for &pred in program.preds_of(from) {
                links.extend(program.twin(pred, to).map(|twin| (pred.index(), twin.index())));
            }
        }
        let mut weights = Weights::default();
        let clauses: Vec<&Clause> = graph.clauses.iter().collect();
        let columns = Columns::new(&graph.arities, &clauses, &links);
        let layouts: Vec<Layout> = (0..graph.arities.len() as u32)
            .map(|pred| columns.of(PredId(pred)).to_vec())
            .map(|columns| Layout::new(columns, &mut weights, constants.len()))
            .collect();
        let preds = program.preds.clone();
        let named = |name: Sym| (0..preds.len()).filter(|&p| preds[p].name == name).collect();
        let statics = layouts.iter().map(|_| Table::unused()).collect();
        let joins = Joins {
            constants,
            weights,
            is_static: vec![false; layouts.len()],
            statics,
            asks: vec![0; layouts.len()],
            layouts,
            components: Vec::new(),
            targets: Targets::default(),
            roles: Vec::new(),
            facts: Codes::default(),
            true_preds: named(kw::TRUE),
            next_preds: Vec::new(),
            moves: Codes::default(),
            does_preds: named(kw::DOES),
            does_roles: Vec::new(),
            percepts: Codes::default(),
            terminal_preds: named(kw::TERMINAL),
            legal: Vec::new(),
            goal: Vec::new(),
            sees: Vec::new(),
            start: Vec::new(),
            pool: std::sync::Mutex::default(),
            patience: Patience::default(),
            symbols: program.symbols.clone(),
            preds,
        };
        let mut loader = Loader {
            asked: vec![false; graph.arities.len()],
            sizes: Sizes::default(),
            body: Vec::new(),
            work: Vec::new(),
            joins,
            graph,
        };
        loader.components(program);
        loader.statics(limits)?;
        loader.joins.number_terms()?;
        if (0..loader.joins.components.len())
            .any(|c| loader.joins.components[c].dynamic && !loader.feasible(c))
        {
            return Err(JoinError::TooSlow(limits.time));
        }
        loader.dynamics(limits)?;
        let mut joins = loader.joins;
        // Memory of the trial has the wrong indices.
        joins.pool = std::sync::Mutex::default();
        let mut work = vec![0.0; loader.graph.arities.len()];
        for (component, rows) in joins.components.iter().zip(loader.work) {
            // Any of its predicates will do: they go on demand together.
            component.preds.first().into_iter().for_each(|&pred| work[pred] = rows);
        }
        Ok((joins, work))
    }

    fn preds_named(&self, name: Sym) -> Vec<usize> {
        (0..self.preds.len()).filter(|&p| self.preds[p].name == name).collect()
    }

    /// Numbers for facts, moves and percepts, and where each role's rows are.
    fn number_terms(&mut self) -> Result<(), JoinError> {
        let n = self.constants.len();
        for pred in self.true_preds.clone() {
            let Some(shape) = self.preds[pred].shapes.first().cloned() else { continue };
            let added = self.facts.add(shape, &self.layouts[pred].domains, n);
            added.ok_or(JoinError::TooMany("facts"))?;
            let shapes = &self.preds[pred].shapes;
            let next = |q: &Pred| q.name == kw::NEXT && q.shapes == *shapes;
            self.next_preds.push(self.preds.iter().position(next));
        }
        let mut roles: Vec<(Shape, Vec<u32>)> = Vec::new();
        for pred in self.preds_named(kw::ROLE) {
            let Some(shape) = self.preds[pred].shapes.first() else { continue };
            let arity = self.preds[pred].arity;
            roles.extend(self.statics[pred].rows(arity).map(|row| (shape.clone(), row.to_vec())));
        }
        self.roles = roles.iter().map(|(shape, row)| self.text(shape, &mut row.iter())).collect();
        self.does_roles = roles.iter().map(|(_, row)| row.clone()).collect();
        let mut codes = Codes::default();
        for pred in self.does_preds.clone() {
            let Some(shape) = self.preds[pred].shapes.get(1).cloned() else { continue };
            let skip = leaves(&self.preds[pred].shapes[0]);
            let added = codes.add(shape, &self.layouts[pred].domains[skip..], n);
            added.filter(|_| small(&codes)).ok_or(JoinError::TooMany("moves"))?;
        }
        self.legal = self.of_roles(kw::LEGAL, &roles, &mut codes)?;
        self.moves = codes;
        let mut codes = Codes::default();
        self.sees = self.of_roles(kw::SEES, &roles, &mut codes)?;
        self.percepts = codes;
        self.goal = self.of_roles(kw::GOAL, &roles, &mut Codes::default())?;
        Ok(())
    }

    fn of_roles(
        &self,
        name: Sym,
        roles: &[(Shape, Vec<u32>)],
        codes: &mut Codes,
    ) -> Result<Vec<Vec<OfRole>>, JoinError> {
        let mut lists = vec![Vec::new(); roles.len()];
        for pred in self.preds_named(name) {
            let [who, what] = self.preds[pred].shapes.as_slice() else { continue };
            let known = codes.coders.iter().position(|c| c.shape == *what);
            let coder = match known {
                Some(known) => known,
                None => {
                    let domains = &self.layouts[pred].domains[leaves(who)..];
                    let added = codes.add(what.clone(), domains, self.constants.len());
                    added.filter(|_| small(codes)).ok_or(JoinError::TooMany("moves or percepts"))?
                }
            };
            for (list, (shape, row)) in lists.iter_mut().zip(roles) {
                if shape == who {
                    list.push(OfRole { pred, role: row.clone(), coder });
                }
            }
        }
        Ok(lists)
    }
}

/// Do the numbers fit into 32 bits?
fn small(codes: &Codes) -> bool {
    codes.end() <= u64::from(u32::MAX)
}

fn leaves(shape: &Shape) -> usize {
    match shape {
        Shape::Leaf => 1,
        Shape::Fun(_, args) => args.iter().map(leaves).sum(),
    }
}

/// Numbers the constants of the clauses from 0 on.
fn number_constants(mut clauses: Vec<Clause>) -> (Vec<Sym>, Vec<Clause>) {
    let (mut constants, mut numbers) = (Vec::new(), FxHashMap::default());
    let mut number = |arg: &mut Arg| {
        if let Arg::Const(c) = arg {
            let next = constants.len() as u32;
            let n = *numbers.entry(*c).or_insert_with(|| {
                constants.push(*c);
                next
            });
            *arg = Arg::Const(Sym(n));
        }
    };
    for clause in &mut clauses {
        clause.head.args.iter_mut().for_each(&mut number);
        for lit in &mut clause.body {
            match lit {
                FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) => {
                    a.args.iter_mut().for_each(&mut number);
                }
                FlatLit::Distinct(a, b) => {
                    number(a);
                    number(b);
                }
            }
        }
    }
    (constants, clauses)
}

/// Rows of a state below which nothing is put on demand.
const DEMAND_WORK: f64 = 3000.0;
/// The part of the work that may remain for demand to be worth its while.
const DEMAND_GAIN: f64 = 0.4;

/// The predicates to put on demand: those that are much work, and those that ask them.
fn wanted(program: &Program, graph: &Graph, work: &[f64], least: f64) -> Vec<bool> {
    let mut wanted: Vec<bool> = work.iter().map(|&rows| rows > least).collect();
    let mut grew = true;
    while grew {
        grew = false;
        for clause in &graph.clauses {
            let head = clause.head.pred.index();
            if !wanted[head] && atoms(clause).skip(1).any(|atom| wanted[atom.pred.index()]) {
                wanted[head] = true;
                grew = true;
            }
        }
    }
    // Keywords such as `legal` are computed whole, because the game enumerates them.
    for (wanted, pred) in wanted.iter_mut().zip(&program.preds) {
        *wanted &= !pred.name.is_keyword();
    }
    wanted
}

struct Loader {
    joins: Joins,
    graph: Graph,
    sizes: Sizes,
    /// The clauses of each component.
    body: Vec<Vec<usize>>,
    /// By predicate: too large to store, so it is only asked about rows.
    asked: Vec<bool>,
    /// By component: rows looked at for a state.
    work: Vec<f64>,
}

/// Rows looked at for one relation that never changes; with more it is only asked.
const STATIC_WORK: u64 = 8 << 20;

impl Loader {
    /// Orders the predicates and finds what answers which question.
    fn components(&mut self, program: &Program) {
        let (joins, graph) = (&mut self.joins, &self.graph);
        let order = graph.components();
        let count = graph.arities.len();
        let mut component_of = vec![0; count];
        for (i, preds) in order.iter().enumerate() {
            preds.iter().for_each(|&p| component_of[p as usize] = i);
        }
        self.body = vec![Vec::new(); order.len()];
        let mut reads: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (i, clause) in graph.clauses.iter().enumerate() {
            let home = component_of[clause.head.pred.index()];
            self.body[home].push(i);
            reads[home].extend(atoms(clause).map(|a| component_of[a.pred.index()]));
        }
        let needed = |names: &[Sym]| {
            let mut need = vec![false; order.len()];
            for &name in names {
                program.preds_of(name).iter().for_each(|p| need[component_of[p.index()]] = true);
            }
            for c in (0..order.len()).rev() {
                if need[c] {
                    reads[c].iter().for_each(|&r| need[r] = true);
                }
            }
            need
        };
        let main =
            needed(&[kw::ROLE, kw::INIT, kw::TERMINAL, kw::LEGAL, kw::GOAL, kw::NEXT, kw::SEES]);
        for (c, preds) in order.iter().enumerate() {
            let preds: Vec<usize> = preds.iter().map(|&p| p as usize).collect();
            let is =
                |name| preds.iter().any(|&p| joins.preds.get(p).is_some_and(|q| q.name == name));
            let read = |f: fn(&Component) -> bool| {
                reads[c].iter().any(|&r| r < c && f(&joins.components[r]))
            };
            let moves = is(kw::DOES) || read(|r| r.moves);
            let dynamic = moves || is(kw::TRUE) || !main[c] || read(|r| r.dynamic);
            joins.components.push(Component { preds, moves, dynamic, ..Component::default() });
        }
        let target = |names: &[Sym]| -> Vec<usize> {
            let need = needed(names);
            (0..order.len())
                .filter(|&c| need[c] && joins.components[c].dynamic && !self.body[c].is_empty())
                .collect()
        };
        joins.targets = Targets {
            terminal: target(&[kw::TERMINAL]),
            legal: target(&[kw::LEGAL]),
            goal: target(&[kw::GOAL]),
            next: target(&[kw::NEXT]),
            sees: target(&[kw::SEES]),
            base: target(&[kw::BASE]),
            input: target(&[kw::INPUT]),
            init: target(&[kw::INIT]),
        };
        // A guess until the relation's size is known: a part of the possible rows.
        let guess = |p: usize| {
            let all: f64 = joins.layouts[p].domains.iter().map(|d| d.len() as f64).product();
            all.sqrt().min(1000.0)
        };
        self.sizes = Sizes {
            rows: (0..count).map(guess).collect(),
            distinct: (0..count)
                .map(|p| joins.layouts[p].domains.iter().map(|d| d.len() as f64).collect())
                .collect(),
        };
    }

    /// Can every variable of every clause of a component get a value?
    fn feasible(&self, c: usize) -> bool {
        self.body[c].iter().all(|&i| {
            let clause = &self.graph.clauses[i];
            let mut bound = vec![false; clause.vars as usize];
            if self.asked[clause.head.pred.index()] {
                clause.head.vars().for_each(|v| bound[v as usize] = true);
            }
            for lit in &clause.body {
                if let FlatLit::Pos(a) | FlatLit::Dom(a) = lit
                    && !self.asked[a.pred.index()]
                {
                    a.vars().for_each(|v| bound[v as usize] = true);
                }
            }
            clause.body.iter().flat_map(FlatLit::vars).all(|v| bound[v as usize])
        })
    }

    /// The relation of a component that could be asked instead of stored: the only one, not
    /// recursive, and none that the game itself enumerates.
    fn askable(&self, c: usize) -> Option<usize> {
        let [pred] = self.joins.components[c].preds[..] else { return None };
        let recursive =
            |&i: &usize| atoms(&self.graph.clauses[i]).skip(1).any(|a| a.pred.index() == pred);
        let root = self.joins.preds.get(pred).is_some_and(|p| p.name.is_keyword());
        (!root && !self.body[c].iter().any(recursive)).then_some(pred)
    }

    /// Makes a component one that is only asked, if it can be.
    fn make_asked(&mut self, c: usize) -> bool {
        let Some(pred) = self.askable(c) else { return false };
        self.asked[pred] = true;
        self.joins.asks[pred] = c;
        self.feasible(c)
    }

    /// Plans the clauses of a component with the sizes known.
    fn plan(&mut self, c: usize) {
        let joins = &mut self.joins;
        let (mut plans, mut rounds) = (Vec::new(), Vec::new());
        let mut planner = Planner {
            layouts: &mut joins.layouts,
            weights: &mut joins.weights,
            constants: joins.constants.len(),
            sizes: &self.sizes,
            asked: &self.asked,
        };
        for &i in &self.body[c] {
            let clause = &self.graph.clauses[i];
            let inside = |lit: &FlatLit| match lit {
                FlatLit::Pos(a) | FlatLit::Dom(a) => {
                    joins.components[c].preds.contains(&a.pred.index())
                }
                _ => false,
            };
            let recursive: Vec<usize> =
                (0..clause.body.len()).filter(|&l| inside(&clause.body[l])).collect();
            if recursive.is_empty() {
                plans.push(planner.plan(clause, None));
            } else {
                rounds.extend(recursive.iter().map(|&l| planner.plan(clause, Some(l))));
            }
        }
        joins.components[c].plans = plans;
        joins.components[c].rounds = rounds;
    }

    /// Makes the indices that plans of a component ask for.
    fn complete(&mut self, c: usize, s: &mut Scratch) {
        let joins = &mut self.joins;
        for &i in &self.body[c] {
            for atom in atoms(&self.graph.clauses[i]) {
                let pred = atom.pred.index();
                let table = if joins.is_static[pred] {
                    &mut joins.statics[pred]
                } else {
                    &mut s.tables[pred]
                };
                table.complete(&joins.layouts[pred], &joins.weights);
            }
        }
        let component = &joins.components[c];
        s.frames[c] =
            component.plans.iter().chain(&component.rounds).map(|p| p.frame.clone()).collect();
    }

    /// Plans and evaluates a component for the first time.
    fn first(&mut self, c: usize, s: &mut Scratch) {
        self.plan(c);
        self.complete(c, s);
        if !s.done[c] {
            self.joins.component(s, c);
            s.done[c] = true;
            s.ran.push(c);
        }
        for pred in self.joins.components[c].preds.clone() {
            self.measure(pred, &s.tables[pred]);
        }
    }

    fn measure(&mut self, pred: usize, table: &Table) {
        let arity = self.joins.layouts[pred].arity;
        self.sizes.rows[pred] = table.len() as f64;
        for column in 0..arity {
            let distinct = table.distinct(column, arity, self.joins.constants.len());
            self.sizes.distinct[pred][column] = distinct as f64;
        }
    }

    /// Computes once what depends neither on the state nor on moves.
    fn statics(&mut self, limits: &Limits) -> Result<(), JoinError> {
        let mut s = self.joins.scratch();
        s.deadline = Some(Instant::now() + limits.time);
        for c in 0..self.joins.components.len() {
            if self.joins.components[c].dynamic {
                continue;
            }
            // Facts need no plan.
            let body = std::mem::take(&mut self.body[c]);
            let (facts, rules): (Vec<usize>, Vec<usize>) =
                body.into_iter().partition(|&i| self.graph.clauses[i].body.is_empty());
            self.body[c] = rules;
            if !(self.feasible(c) || facts.is_empty() && self.make_asked(c)) {
                return Err(JoinError::TooSlow(limits.time));
            }
            if self.joins.components[c].preds.iter().any(|&p| self.asked[p]) {
                self.plan(c);
                self.complete(c, &mut s);
                continue;
            }
            let mut row = Vec::new();
            let no_facts = facts.is_empty();
            for i in facts {
                let head = &self.graph.clauses[i].head;
                let pred = head.pred.index();
                row.clear();
                row.extend(head.args.iter().filter_map(|arg| match arg {
                    Arg::Const(c) => Some(c.0),
                    Arg::Var(_) => None,
                }));
                s.tables[pred].complete(&self.joins.layouts[pred], &self.joins.weights);
                s.tables[pred].insert(&self.joins.layouts[pred], &self.joins.weights, &row);
            }
            let limited = no_facts && self.askable(c).is_some();
            // Rows without addresses are probably too many.
            let addressed = |&p: &usize| self.joins.layouts[p].row_weights().is_some();
            let all = self.joins.components[c].preds.iter().all(addressed);
            let most = if all { STATIC_WORK } else { STATIC_WORK / 8 };
            s.limit = limited.then_some(s.work + most);
            self.first(c, &mut s);
            if s.stopped {
                let late = s.deadline.is_some_and(|d| Instant::now() > d);
                if late || !self.make_asked(c) {
                    return Err(JoinError::TooSlow(limits.time));
                }
                s.stopped = false;
                self.joins.components[c].preds.iter().for_each(|&p| s.tables[p] = Table::unused());
                self.plan(c);
                self.complete(c, &mut s);
                continue;
            }
            for pred in self.joins.components[c].preds.clone() {
                self.joins.statics[pred] = std::mem::replace(&mut s.tables[pred], Table::unused());
                self.joins.is_static[pred] = true;
            }
            self.joins.components[c].plans.clear();
            self.joins.components[c].rounds.clear();
        }
        Ok(())
    }

    /// Finds the first state, plays a little, and plans with the sizes met there.
    fn dynamics(&mut self, limits: &Limits) -> Result<(), JoinError> {
        let mut s = self.joins.scratch();
        s.deadline = Some(Instant::now() + limits.time);
        for c in self.joins.targets.init.clone() {
            self.first(c, &mut s);
        }
        if s.stopped {
            return Err(JoinError::TooSlow(limits.time));
        }
        let mut start = Vec::new();
        for (coder, &pred) in self.joins.facts.coders.iter().zip(&self.joins.true_preds) {
            let shapes = &self.joins.preds[pred].shapes;
            let init = self.joins.preds_named(kw::INIT);
            for init in init.into_iter().filter(|&p| self.joins.preds[p].shapes == *shapes) {
                let rows = self.joins.rows_of(&s, init).rows(self.joins.preds[pred].arity);
                start.extend(rows.map(|row| coder.encode(row)));
            }
        }
        start.sort_unstable();
        start.dedup();
        self.joins.set(&mut s, &start);
        self.joins.start = start;
        for pred in self.joins.true_preds.clone() {
            self.measure(pred, &s.tables[pred]);
        }
        let targets = std::mem::take(&mut self.joins.targets);
        for &c in targets.terminal.iter().chain(&targets.legal).chain(&targets.goal) {
            if !s.done[c] {
                self.first(c, &mut s);
            }
        }
        let mut rng = Seed(1).rng();
        if let Some(joint) = self.joins.random_joint(&s, &mut rng) {
            self.joins.set_moves(&mut s, &joint);
        }
        for pred in self.joins.does_preds.clone() {
            self.sizes.rows[pred] = 1.0;
            self.measure(pred, &s.tables[pred]);
        }
        for &c in targets.next.iter().chain(&targets.sees) {
            if !s.done[c] {
                self.first(c, &mut s);
            }
        }
        for &c in targets.base.iter().chain(&targets.input) {
            self.plan(c);
        }
        self.joins.targets = targets;
        self.work = s.spent.iter().map(|&rows| rows as f64).collect();
        self.learn(limits);
        // Everything once more, with what was learnt.
        for c in 0..self.joins.components.len() {
            for pred in self.joins.components[c].preds.clone() {
                if !self.joins.is_static[pred] {
                    self.joins.layouts[pred].drop_indices();
                }
            }
        }
        let mut s = self.joins.scratch();
        for c in 0..self.joins.components.len() {
            if self.joins.components[c].dynamic {
                self.plan(c);
            }
        }
        for c in 0..self.joins.components.len() {
            self.complete(c, &mut s);
        }
        Ok(())
    }

    /// Plays at random and averages the sizes of the relations.
    fn learn(&mut self, limits: &Limits) {
        let joins = &self.joins;
        let mut s = joins.scratch();
        s.deadline = Some(Instant::now() + limits.trial);
        let mut rng = Seed(2).rng();
        let mut sums = self.sizes.rows.iter().map(|_| (0.0, Vec::new())).collect::<Vec<_>>();
        for (pred, (_, columns)) in sums.iter_mut().enumerate() {
            columns.resize(joins.layouts[pred].arity, 0.0);
        }
        let (mut states, n) = (0u32, joins.constants.len());
        joins.set(&mut s, &joins.start);
        while states < TRIAL_STATES {
            let over = joins.is_terminal(&mut s);
            joins.need(&mut s, &joins.targets.legal);
            let joint = if over { None } else { joins.random_joint(&s, &mut rng) };
            if let Some(joint) = &joint {
                joins.set_moves(&mut s, joint);
                joins.need(&mut s, &joins.targets.next);
                joins.need(&mut s, &joins.targets.sees);
            }
            if s.stopped || Instant::now() > s.deadline.unwrap_or_else(Instant::now) {
                break;
            }
            states += 1;
            for (pred, (rows, columns)) in sums.iter_mut().enumerate() {
                if joins.is_static[pred] {
                    continue;
                }
                *rows += s.tables[pred].len() as f64;
                for (column, sum) in columns.iter_mut().enumerate() {
                    *sum += s.tables[pred].distinct(column, joins.layouts[pred].arity, n) as f64;
                }
            }
            match joint {
                Some(joint) => joins.step(&mut s, &joint),
                None if states == 1 => break,
                None => joins.set(&mut s, &joins.start),
            }
        }
        if states == 0 {
            return;
        }
        self.work = s.spent.iter().map(|&rows| rows as f64 / f64::from(states)).collect();
        for (pred, (rows, columns)) in sums.into_iter().enumerate() {
            if !joins.is_static[pred] {
                self.sizes.rows[pred] = rows / f64::from(states);
                let means = columns.iter().map(|sum| sum / f64::from(states));
                self.sizes.distinct[pred] = means.collect();
            }
        }
    }
}

/// The atoms of a clause, its head included.
fn atoms(clause: &Clause) -> impl Iterator<Item = &FlatAtom> {
    std::iter::once(&clause.head).chain(clause.body.iter().filter_map(|lit| match lit {
        FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) => Some(a),
        FlatLit::Distinct(..) => None,
    }))
}
