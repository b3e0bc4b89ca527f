//! The grounder: clauses over variables to rules over atoms.
//!
//! What depends neither on the state nor on moves is computed once, stratum by stratum. For the
//! rest a relaxed reachability (negation dropped, `true` grows from `init` and `next`, `does` from
//! `legal`) finds every atom that can ever hold; then each clause is instantiated over those
//! atoms. `base` and `input` are not needed, nor trusted.

mod query;
mod relation;
mod split_bodies;

use std::cell::Cell;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use self::query::{Db, Part, Plan, Ranged, Sink};
use self::relation::Relation;
use self::split_bodies::{Known, Splitter};
use crate::columns::Columns;
use crate::lower::{Arg, Clause, FlatAtom, FlatLit, PredId, Program};
use crate::scc;
use crate::symbol::{Sym, kw};

/// How much a grounding may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Literals in bodies of ground rules.
    pub literals: usize,
    /// Rows visited in joins.
    pub rows: u64,
    /// Bytes of relations and ground rules.
    pub bytes: usize,
    /// Time on the clock.
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            literals: 5_000_000,
            rows: 1_000_000_000,
            bytes: 3 << 30,
            time: Duration::from_secs(8),
        }
    }
}

/// Why a rule sheet was not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// The ground rules exceed the budget.
    #[error("the ground rules are too many: more than {0}")]
    TooBig(String),
    /// A predicate depends on its own negation.
    #[error("`{0}` depends on its own negation")]
    NotStratified(String),
}

/// A ground rule sheet. Atoms that can hold in some state are numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// The clauses after splitting, and the words.
    pub(crate) program: Program,
    /// The rows by predicate; a dynamic predicate's row `r` is the atom `first[pred] + r`.
    pub(crate) db: Db,
    /// Number of a dynamic predicate's first atom; `None` for static ones.
    pub(crate) first: Vec<Option<u32>>,
    /// Number of atoms.
    pub(crate) atoms: usize,
    /// The bodies: atom `a` holds if all literals of one of `bodies[rules_of[a]..rules_of[a+1]]`
    /// hold. A literal is twice an atom's number, plus one if negated.
    pub(crate) rules_of: Vec<u32>,
    /// Where each body's literals begin in [`Ground::literals`]; one entry more than bodies.
    pub(crate) bodies: Vec<u32>,
    /// All bodies' literals, one after the other.
    pub(crate) literals: Vec<u32>,
    /// The names of the roles.
    pub(crate) roles: Vec<Sym>,
}

impl Ground {
    /// How many atoms, bodies and literals there are.
    pub fn size(&self) -> [usize; 3] {
        [self.atoms, self.bodies.len().saturating_sub(1), self.literals.len()]
    }

    /// The bodies of an atom.
    pub(crate) fn bodies_of(&self, atom: u32) -> impl Iterator<Item = &[u32]> {
        let range = self.rules_of[atom as usize]..self.rules_of[atom as usize + 1];
        range.map(|b| {
            let (from, to) = (self.bodies[b as usize], self.bodies[b as usize + 1]);
            &self.literals[from as usize..to as usize]
        })
    }

    /// The atom of a row, or `None` if the predicate is static (then the row simply holds).
    pub(crate) fn atom(&self, pred: PredId, row: usize) -> Option<u32> {
        self.first[pred.index()].map(|first| first + row as u32)
    }
}

/// Grounds a program.
pub fn ground(program: &Program, budget: &Budget) -> Result<Ground, GroundError> {
    Grounder::new(program, budget).run()
}

struct Grounder {
    program: Program,
    db: Db,
    budget: Budget,
    /// By predicate: depends on the state or on moves.
    dynamic: Vec<bool>,
    /// `next` to `true`, `legal` to `does`, by predicate.
    link: FxHashMap<PredId, PredId>,
}

impl Known for Grounder {
    fn size(&self, pred: PredId) -> Option<usize> {
        let fixed = self.dynamic.get(pred.index()) == Some(&false);
        fixed.then(|| self.db.rels[pred.index()].len())
    }

    fn is_static(&self, pred: PredId) -> bool {
        !self.dynamic[pred.index()]
    }
}

/// Before anything is evaluated only pure facts have known sizes.
struct FactSizes(Vec<Option<usize>>);

impl Known for FactSizes {
    fn size(&self, pred: PredId) -> Option<usize> {
        self.0.get(pred.index()).copied().flatten()
    }

    fn is_static(&self, _: PredId) -> bool {
        true
    }
}

impl Grounder {
    fn new(program: &Program, budget: &Budget) -> Grounder {
        let mut link = FxHashMap::default();
        for (from, to) in [(kw::INIT, kw::TRUE), (kw::NEXT, kw::TRUE), (kw::LEGAL, kw::DOES)] {
            for &pred in program.preds_of(from) {
                if let Some(twin) = program.twin(pred, to) {
                    link.insert(pred, twin);
                }
            }
        }
        Grounder {
            program: program.clone(),
            db: Db {
                fuel: Cell::new(budget.rows),
                deadline: Some(Instant::now() + budget.time),
                ..Db::default()
            },
            budget: *budget,
            dynamic: Vec::new(),
            link,
        }
    }

    fn run(mut self) -> Result<Ground, GroundError> {
        let relevant = self.relevant_clauses();
        self.program.clauses.clear();
        self.dynamic = dynamic_preds(&self.program, &relevant);
        let (dynamic, fixed): (Vec<Clause>, Vec<Clause>) =
            relevant.into_iter().partition(|c| self.dynamic[c.head.pred.index()]);

        // Splitting wants to know what may stand in each column.
        let links: Vec<(usize, usize)> =
            self.link.iter().map(|(&from, &to)| (from.index(), to.index())).collect();
        let all: Vec<&Clause> = fixed.iter().chain(&dynamic).collect();
        let arities: Vec<usize> = self.program.preds.iter().map(|pred| pred.arity).collect();
        let mut columns = Columns::new(&arities, &all, &links);

        let fixed = self.split_fixed(fixed, &mut columns);
        self.add_relations();
        self.evaluate_fixed(&fixed)?;
        let dynamic = self.split_dynamic(dynamic, &mut columns)?;
        self.add_relations();
        self.reach(&dynamic)?;
        self.instantiate(&dynamic)
    }

    /// The clauses on which legal, next, goal, terminal, sees, init and role depend.
    fn relevant_clauses(&self) -> Vec<Clause> {
        let program = &self.program;
        let mut by_head: FxHashMap<PredId, Vec<usize>> = FxHashMap::default();
        for (i, clause) in program.clauses.iter().enumerate() {
            by_head.entry(clause.head.pred).or_default().push(i);
        }
        let roots = [kw::ROLE, kw::INIT, kw::LEGAL, kw::NEXT, kw::GOAL, kw::TERMINAL, kw::SEES];
        let mut todo: Vec<PredId> =
            roots.iter().flat_map(|&r| program.preds_of(r)).copied().collect();
        let mut seen: FxHashSet<PredId> = todo.iter().copied().collect();
        let mut chosen = vec![false; program.clauses.len()];
        while let Some(pred) = todo.pop() {
            for &i in by_head.get(&pred).into_iter().flatten() {
                chosen[i] = true;
                for lit in &program.clauses[i].body {
                    if let FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) = lit
                        && seen.insert(a.pred)
                    {
                        todo.push(a.pred);
                    }
                }
            }
        }
        let clauses = program.clauses.iter().zip(chosen);
        clauses.filter(|(_, chosen)| *chosen).map(|(clause, _)| clause.clone()).collect()
    }

    fn split_fixed(&mut self, clauses: Vec<Clause>, columns: &mut Columns) -> Vec<Clause> {
        let mut sizes = vec![Some(0); self.program.preds.len()];
        for clause in &clauses {
            let size = &mut sizes[clause.head.pred.index()];
            *size = if clause.body.is_empty() { size.map(|n| n + 1) } else { None };
        }
        let mut made = FxHashMap::default();
        let mut out = Vec::new();
        // Recursive predicates keep their clauses whole: splitting would hide the recursion's
        // bound columns from the join planner for no gain.
        let mut splitter = Splitter {
            program: &mut self.program,
            columns,
            known: &FactSizes(sizes),
            made: &mut made,
            cache: FxHashMap::default(),
        };
        for clause in clauses {
            splitter.split(clause, &mut out);
        }
        self.dynamic.resize(self.program.preds.len(), false);
        out
    }

    fn split_dynamic(
        &mut self,
        clauses: Vec<Clause>,
        columns: &mut Columns,
    ) -> Result<Vec<Clause>, GroundError> {
        let mut made = FxHashMap::default();
        let mut out = Vec::new();
        let mut program = std::mem::take(&mut self.program);
        let mut splitter = Splitter {
            program: &mut program,
            columns,
            known: self,
            made: &mut made,
            cache: FxHashMap::default(),
        };
        for clause in clauses {
            splitter.split(clause, &mut out);
        }
        drop(splitter);
        self.program = program;
        self.dynamic.resize(self.program.preds.len(), true);
        for (pred, is_static) in made {
            self.dynamic[pred.index()] = !is_static;
        }
        self.add_relations();
        // Some of the new predicates are static after all.
        let (fixed, dynamic): (Vec<Clause>, Vec<Clause>) =
            out.into_iter().partition(|c| !self.dynamic[c.head.pred.index()]);
        self.evaluate_fixed(&fixed)?;
        Ok(dynamic)
    }

    fn add_relations(&mut self) {
        for pred in &self.program.preds[self.db.rels.len()..] {
            self.db.rels.push(Relation::new(pred.arity));
            self.db.delta.push(0);
        }
    }

    /// Evaluates static clauses stratum by stratum.
    fn evaluate_fixed(&mut self, clauses: &[Clause]) -> Result<(), GroundError> {
        let count = self.program.preds.len();
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut by_head: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (i, clause) in clauses.iter().enumerate() {
            by_head[clause.head.pred.index()].push(i);
            for lit in &clause.body {
                if let FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) = lit {
                    edges[clause.head.pred.index()].push(a.pred.0);
                }
            }
        }
        for component in scc::components(count, |p| &edges[p as usize]) {
            let members: FxHashSet<u32> = component.iter().copied().collect();
            let own: Vec<&Clause> = component
                .iter()
                .flat_map(|&p| &by_head[p as usize])
                .map(|&i| &clauses[i])
                .collect();
            for clause in &own {
                for lit in &clause.body {
                    if let FlatLit::Neg(a) = lit
                        && members.contains(&a.pred.0)
                    {
                        return Err(self.not_stratified(a.pred));
                    }
                }
            }
            self.fixpoint(&own, &|pred| members.contains(&pred.0))?;
        }
        Ok(())
    }

    fn not_stratified(&self, pred: PredId) -> GroundError {
        let name = self.program.preds[pred.index()].name;
        GroundError::NotStratified(self.program.symbols.name(name).to_owned())
    }

    /// The atoms that can hold when negation is ignored.
    fn reach(&mut self, clauses: &[Clause]) -> Result<(), GroundError> {
        let relaxed: Vec<Clause> = clauses
            .iter()
            .map(|clause| {
                let mut clause = clause.clone();
                clause
                    .body
                    .retain(|lit| !matches!(lit, FlatLit::Neg(a) if self.dynamic[a.pred.index()]));
                clause
            })
            .collect();
        let links: Vec<(PredId, PredId)> = self.link.iter().map(|(&a, &b)| (a, b)).collect();
        for (from, to) in links {
            if !self.dynamic[from.index()] {
                for row in 0..self.db.rels[from.index()].len() {
                    let row = self.db.rels[from.index()].row(row).to_vec();
                    self.db.rels[to.index()].insert(&row);
                }
            }
        }
        let dynamic = self.dynamic.clone();
        self.fixpoint(&relaxed.iter().collect::<Vec<_>>(), &|pred| dynamic[pred.index()])
    }

    fn check(&self) -> Result<(), GroundError> {
        if self.db.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(GroundError::TooBig(format!("{:?} of work", self.budget.time)));
        }
        if self.db.fuel.get() == 0 {
            return Err(GroundError::TooBig(format!("{} rows to visit", self.budget.rows)));
        }
        Ok(())
    }

    fn check_bytes(&self, more: usize) -> Result<(), GroundError> {
        let used = self.db.rels.iter().map(Relation::bytes).sum::<usize>() + more;
        if used > self.budget.bytes {
            return Err(GroundError::TooBig(format!("{} MB", self.budget.bytes >> 20)));
        }
        Ok(())
    }

    /// Semi-naive evaluation of clauses until nothing new appears. `recursive` says which
    /// predicates grow meanwhile.
    fn fixpoint(
        &mut self,
        clauses: &[&Clause],
        recursive: &dyn Fn(PredId) -> bool,
    ) -> Result<(), GroundError> {
        let mut news: FxHashMap<PredId, Relation> = FxHashMap::default();
        // First every clause over the facts that are there.
        for clause in clauses {
            let body: Vec<Ranged<'_>> = clause.body.iter().map(|l| (l, Part::All)).collect();
            self.derive(clause, &body, None, &mut None, &mut news)?;
        }
        // Then each clause for each literal over the last round's new rows.
        let mut plans: Vec<Vec<CachedPlan>> =
            clauses.iter().map(|c| vec![None; c.body.len()]).collect();
        while !news.is_empty() {
            for pred in 0..self.db.rels.len() {
                self.db.delta[pred] = self.db.rels[pred].len();
            }
            let mut order: Vec<PredId> = news.keys().copied().collect();
            order.sort_unstable();
            for pred in order {
                let rows = news.remove(&pred).unwrap_or_default();
                for row in rows.rows() {
                    self.db.rels[pred.index()].insert(row);
                    if let Some(to) = self.link.get(&pred) {
                        self.db.rels[to.index()].insert(row);
                    }
                }
            }
            self.check_bytes(0)?;
            for (clause, plans) in clauses.iter().zip(&mut plans) {
                for (i, cached) in plans.iter_mut().enumerate() {
                    let (FlatLit::Pos(atom) | FlatLit::Dom(atom)) = &clause.body[i] else {
                        continue;
                    };
                    let pred = atom.pred.index();
                    if !recursive(atom.pred) || self.db.delta[pred] == self.db.rels[pred].len() {
                        continue;
                    }
                    let body: Vec<Ranged<'_>> = clause
                        .body
                        .iter()
                        .enumerate()
                        .map(|(j, lit)| {
                            let grows = matches!(lit, FlatLit::Pos(a) | FlatLit::Dom(a)
                                if recursive(a.pred));
                            let part = match j.cmp(&i) {
                                std::cmp::Ordering::Less if grows => Part::Old,
                                std::cmp::Ordering::Equal => Part::Delta,
                                _ => Part::All,
                            };
                            (lit, part)
                        })
                        .collect();
                    self.derive(clause, &body, Some(i), cached, &mut news)?;
                }
            }
        }
        for pred in 0..self.db.rels.len() {
            self.db.delta[pred] = self.db.rels[pred].len();
        }
        Ok(())
    }

    /// Adds the head rows of a clause that are not known yet to `news`.
    fn derive(
        &mut self,
        clause: &Clause,
        body: &[Ranged<'_>],
        first: Option<usize>,
        cached: &mut CachedPlan,
        news: &mut FxHashMap<PredId, Relation>,
    ) -> Result<(), GroundError> {
        let volume: usize = body
            .iter()
            .map(|(lit, _)| match lit {
                FlatLit::Pos(a) | FlatLit::Dom(a) => self.db.rels[a.pred.index()].len(),
                _ => 0,
            })
            .sum();
        // Plan again when the relations have grown a lot since.
        if cached.as_ref().is_none_or(|(planned, _)| volume > 4 * planned + 16) {
            let wanted: Vec<u32> = clause.head.vars().collect();
            *cached =
                Some((volume, Plan::new(&mut self.db, body, first, clause.vars, &[], &wanted)));
        }
        let Some((_, plan)) = cached else { return Ok(()) };
        let arity = clause.head.args.len();
        let target = news.entry(clause.head.pred).or_insert_with(|| Relation::new(arity));
        let known = &self.db.rels[clause.head.pred.index()];
        let mut sink = Heads { head: &clause.head, known, news: target, row: Vec::new() };
        plan.run(&self.db, &mut vec![Sym(0); clause.vars as usize], &mut sink);
        if target.is_empty() {
            news.remove(&clause.head.pred);
        }
        self.check()
    }

    /// All instances of the clauses over the reachable atoms.
    fn instantiate(mut self, clauses: &[Clause]) -> Result<Ground, GroundError> {
        let mut first = vec![None; self.program.preds.len()];
        let mut atoms = 0usize;
        for (pred, rel) in self.db.rels.iter().enumerate() {
            if self.dynamic[pred] {
                first[pred] = Some(atoms as u32);
                atoms += rel.len();
            }
        }
        // Heads with the extent of their literals.
        let mut heads: Vec<(u32, u32)> = Vec::new();
        let mut literals: Vec<u32> = Vec::new();
        let needed = needed_preds(&self.program, clauses);
        for clause in clauses {
            if !needed[clause.head.pred.index()] {
                continue;
            }
            let mut wanted: Vec<u32> = clause.head.vars().collect();
            let mut body: Vec<Ranged<'_>> = Vec::new();
            let mut inputs: Vec<(&FlatAtom, bool)> = Vec::new();
            for lit in &clause.body {
                match lit {
                    FlatLit::Pos(a) if self.dynamic[a.pred.index()] => {
                        wanted.extend(a.vars());
                        inputs.push((a, false));
                        body.push((lit, Part::All));
                    }
                    FlatLit::Neg(a) if self.dynamic[a.pred.index()] => {
                        wanted.extend(a.vars());
                        inputs.push((a, true));
                    }
                    _ => body.push((lit, Part::All)),
                }
            }
            let plan = Plan::new(&mut self.db, &body, None, clause.vars, &[], &wanted);
            let mut sink = Instances {
                clause,
                inputs: &inputs,
                db: &self.db,
                first: &first,
                heads: &mut heads,
                literals: &mut literals,
                limit: self.budget.literals,
                row: Vec::new(),
            };
            plan.run(&self.db, &mut vec![Sym(0); clause.vars as usize], &mut sink);
            if literals.len() > self.budget.literals {
                let many = format!("{} literals", self.budget.literals);
                return Err(GroundError::TooBig(many));
            }
            self.check()?;
        }
        self.check_bytes(literals.len() * 4 + heads.len() * 8)?;

        // Sort the bodies by head (counting sort keeps this linear).
        let mut rules_of = vec![0u32; atoms + 1];
        for &(head, _) in &heads {
            rules_of[head as usize + 1] += 1;
        }
        for a in 0..atoms {
            rules_of[a + 1] += rules_of[a];
        }
        let mut place = rules_of.clone();
        let mut order = vec![0u32; heads.len()];
        for (i, &(head, _)) in heads.iter().enumerate() {
            order[place[head as usize] as usize] = i as u32;
            place[head as usize] += 1;
        }
        let mut bodies = Vec::with_capacity(heads.len() + 1);
        let mut sorted = Vec::with_capacity(literals.len());
        bodies.push(0);
        for &i in &order {
            let from = heads[i as usize].1 as usize;
            let to = heads.get(i as usize + 1).map_or(literals.len(), |h| h.1 as usize);
            sorted.extend_from_slice(&literals[from..to]);
            bodies.push(sorted.len() as u32);
        }
        let roles = self
            .program
            .preds_of(kw::ROLE)
            .iter()
            .flat_map(|p| self.db.rels[p.index()].rows())
            .filter_map(|row| row.first().copied())
            .collect();
        Ok(Ground {
            program: self.program,
            db: self.db,
            first,
            atoms,
            rules_of,
            bodies,
            literals: sorted,
            roles,
        })
    }
}

type CachedPlan = Option<(usize, Plan)>;

/// The predicates that depend on the state or on moves.
fn dynamic_preds(program: &Program, clauses: &[Clause]) -> Vec<bool> {
    let mut dynamic: Vec<bool> =
        program.preds.iter().map(|p| matches!(p.name, kw::TRUE | kw::DOES)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for clause in clauses {
            let head = clause.head.pred.index();
            if !dynamic[head]
                && clause.body.iter().any(|lit| match lit {
                    FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) => dynamic[a.pred.index()],
                    FlatLit::Distinct(..) => false,
                })
            {
                dynamic[head] = true;
                changed = true;
            }
        }
    }
    dynamic
}

/// Predicates whose truth (not only whose reachability) the roots depend on.
fn needed_preds(program: &Program, clauses: &[Clause]) -> Vec<bool> {
    let mut needed = vec![false; program.preds.len()];
    let mut todo: Vec<PredId> = [kw::LEGAL, kw::NEXT, kw::GOAL, kw::TERMINAL, kw::SEES]
        .iter()
        .flat_map(|&name| program.preds_of(name))
        .copied()
        .collect();
    let mut by_head: FxHashMap<PredId, Vec<&Clause>> = FxHashMap::default();
    for clause in clauses {
        by_head.entry(clause.head.pred).or_default().push(clause);
    }
    while let Some(pred) = todo.pop() {
        if std::mem::replace(&mut needed[pred.index()], true) {
            continue;
        }
        for clause in by_head.get(&pred).into_iter().flatten() {
            for lit in &clause.body {
                if let FlatLit::Pos(a) | FlatLit::Neg(a) = lit {
                    todo.push(a.pred);
                }
            }
        }
    }
    needed
}

fn fill(row: &mut Vec<Sym>, args: &[Arg], values: &[Sym]) {
    row.clear();
    row.extend(args.iter().map(|arg| match arg {
        Arg::Var(v) => values[*v as usize],
        Arg::Const(c) => *c,
    }));
}

/// Collects head rows that are not known yet.
struct Heads<'a> {
    head: &'a FlatAtom,
    known: &'a Relation,
    news: &'a mut Relation,
    row: Vec<Sym>,
}

impl Sink for Heads<'_> {
    fn skip(&mut self, values: &[Sym]) -> bool {
        fill(&mut self.row, &self.head.args, values);
        self.known.find(&self.row).is_some() || self.news.find(&self.row).is_some()
    }

    fn found(&mut self, values: &[Sym]) {
        fill(&mut self.row, &self.head.args, values);
        self.news.insert(&self.row);
    }
}

/// Collects ground instances.
struct Instances<'a> {
    clause: &'a Clause,
    inputs: &'a [(&'a FlatAtom, bool)],
    db: &'a Db,
    first: &'a [Option<u32>],
    heads: &'a mut Vec<(u32, u32)>,
    literals: &'a mut Vec<u32>,
    limit: usize,
    row: Vec<Sym>,
}

impl Instances<'_> {
    fn atom(&mut self, atom: &FlatAtom, values: &[Sym]) -> Option<u32> {
        fill(&mut self.row, &atom.args, values);
        let row = self.db.rels[atom.pred.index()].find(&self.row)?;
        self.first[atom.pred.index()].map(|first| first + row as u32)
    }
}

impl Sink for Instances<'_> {
    fn skip(&mut self, _: &[Sym]) -> bool {
        false
    }

    fn found(&mut self, values: &[Sym]) {
        // Beyond the limit the caller gives up; stop the join by its fuel.
        if self.literals.len() > self.limit {
            self.db.fuel.set(0);
            return;
        }
        let clause = self.clause;
        let Some(head) = self.atom(&clause.head, values) else { return };
        let start = self.literals.len() as u32;
        for &(atom, negated) in self.inputs {
            match self.atom(atom, values) {
                Some(number) => self.literals.push(number << 1 | u32::from(negated)),
                // An atom that can never hold: its negation is true.
                None => debug_assert!(negated),
            }
        }
        self.heads.push((head, start));
    }
}
