//! Relations on demand: derived only as far as somebody asks for them (magic sets, Bancilhon,
//! Maier, Sagiv and Ullman 1986).
//!
//! Of a relation that is always asked with some columns known, the values asked for are collected
//! in a relation of their own, its *demand*, from the conditions beside the question; the
//! relation's clauses are then guarded by that demand. What remains is an ordinary program.

use rustc_hash::FxHashSet;

use super::strata::Graph;
use crate::lower::{Arg, Clause, FlatAtom, FlatLit, PredId};

/// Puts components on demand where all of their predicates are `wanted` and every question binds
/// some column. The callers come first, so that demand is passed on. `None`: nothing was changed.
pub(super) fn restrict(graph: &Graph, wanted: &[bool]) -> Option<Graph> {
    let mut graph = graph.clone();
    let mut demands: FxHashSet<PredId> = FxHashSet::default();
    let mut changed = false;
    for component in graph.components().into_iter().rev() {
        if component.iter().all(|&p| wanted.get(p as usize) == Some(&true))
            && let Some((next, made)) = put_on_demand(&graph, &component, &demands)
            && !next.has_negative_cycle()
        {
            graph = next;
            demands.extend(made);
            changed = true;
        }
    }
    changed.then_some(graph)
}

fn atom_of(lit: &FlatLit) -> Option<&FlatAtom> {
    match lit {
        FlatLit::Pos(atom) | FlatLit::Neg(atom) | FlatLit::Dom(atom) => Some(atom),
        FlatLit::Distinct(..) => None,
    }
}

/// The predicates that depend on those of a component, themselves included.
fn dependents(graph: &Graph, component: &[u32]) -> Vec<bool> {
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); graph.arities.len()];
    for clause in &graph.clauses {
        for atom in clause.body.iter().filter_map(atom_of) {
            users[atom.pred.index()].push(clause.head.pred.0);
        }
    }
    let mut depends = vec![false; graph.arities.len()];
    let mut todo = component.to_vec();
    while let Some(pred) = todo.pop() {
        if !std::mem::replace(&mut depends[pred as usize], true) {
            todo.extend(&users[pred as usize]);
        }
    }
    depends
}

/// A component's way to demand.
struct Demand<'a> {
    graph: &'a Graph,
    component: &'a [u32],
    depends: Vec<bool>,
    /// The demands made so far: conditions on them may always stand beside a question.
    demands: &'a FxHashSet<PredId>,
    /// By predicate of the component: the columns that every question binds.
    bound: Vec<Vec<usize>>,
}

impl Demand<'_> {
    fn place(&self, pred: PredId) -> Option<usize> {
        self.component.iter().position(|&p| p == pred.0)
    }

    /// The conditions of a clause that stand beside the question at `at`: whatever binds and does
    /// not wait for the answer itself.
    fn beside<'c>(&self, clause: &'c Clause, at: usize) -> Vec<&'c FlatLit> {
        let free = |lit: &FlatLit| match lit {
            FlatLit::Pos(a) | FlatLit::Dom(a) => {
                self.demands.contains(&a.pred) || !self.depends[a.pred.index()]
            }
            _ => false,
        };
        let others = clause.body.iter().enumerate().filter(|(i, _)| *i != at);
        others.map(|(_, lit)| lit).filter(|lit| free(lit)).collect()
    }

    /// The known columns of a head of the component.
    fn head(&self, clause: &Clause) -> Option<Vec<Arg>> {
        let place = self.place(clause.head.pred)?;
        Some(self.bound[place].iter().map(|&column| clause.head.args[column]).collect())
    }

    /// The questions: clause, literal, place of the predicate asked.
    fn questions(&self) -> Vec<(&Clause, usize, usize)> {
        let mut list = Vec::new();
        for clause in &self.graph.clauses {
            for (at, lit) in clause.body.iter().enumerate() {
                let place = atom_of(lit).and_then(|atom| self.place(atom.pred));
                list.extend(place.map(|place| (clause, at, place)));
            }
        }
        list
    }

    /// Takes columns away that some question leaves open; true if there were any.
    fn narrow(&mut self) -> bool {
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (clause, at, place) in self.questions() {
            let beside = self.beside(clause, at);
            let mut known: Vec<u32> = beside.iter().flat_map(|lit| lit.vars()).collect();
            for arg in self.head(clause).into_iter().flatten() {
                known.extend(match arg {
                    Arg::Var(v) => Some(v),
                    Arg::Const(_) => None,
                });
            }
            let args = atom_of(&clause.body[at]).map_or(&[][..], |atom| &atom.args);
            for &column in &self.bound[place] {
                if matches!(args[column], Arg::Var(v) if !known.contains(&v)) {
                    open.push((place, column));
                }
            }
        }
        for &(place, column) in &open {
            self.bound[place].retain(|&c| c != column);
        }
        !open.is_empty()
    }
}

fn put_on_demand(
    graph: &Graph,
    component: &[u32],
    demands: &FxHashSet<PredId>,
) -> Option<(Graph, Vec<PredId>)> {
    let bound = component.iter().map(|&p| (0..graph.arities[p as usize]).collect()).collect();
    let depends = dependents(graph, component);
    let mut demand = Demand { graph, component, depends, demands, bound };
    while demand.narrow() {}
    let questions = demand.questions();
    let asked = |place| questions.iter().any(|&(_, _, p)| p == place);
    if (0..component.len()).any(|place| demand.bound[place].is_empty() || !asked(place)) {
        return None;
    }
    let mut next = graph.clone();
    let made: Vec<PredId> = demand
        .bound
        .iter()
        .map(|columns| {
            next.arities.push(columns.len());
            PredId(next.arities.len() as u32 - 1)
        })
        .collect();
    // A head of the component is known as far as it is asked for.
    let guard = |clause: &Clause| {
        let place = demand.place(clause.head.pred)?;
        Some(FlatLit::Pos(FlatAtom { pred: made[place], args: demand.head(clause)? }))
    };
    for clause in &mut next.clauses {
        if let Some(guard) = guard(clause) {
            clause.body.insert(0, guard);
        }
    }
    for &(clause, at, place) in &questions {
        let Some(atom) = atom_of(&clause.body[at]) else { continue };
        let args = demand.bound[place].iter().map(|&column| atom.args[column]).collect();
        let head = FlatAtom { pred: made[place], args };
        let mut body: Vec<FlatLit> = guard(clause).into_iter().collect();
        if body.first().is_some_and(|lit| atom_of(lit) == Some(&head)) {
            continue;
        }
        body.extend(demand.beside(clause, at).into_iter().cloned());
        next.clauses.push(Clause { head, body, vars: clause.vars, span: clause.span });
    }
    Some((next, made))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Sym;

    fn atom(pred: u32, args: &[Arg]) -> FlatAtom {
        FlatAtom { pred: PredId(pred), args: args.to_vec() }
    }

    #[test]
    fn a_path_from_one_place_is_followed_from_there_only() {
        // goal(y) <- path(1, y); path(x, y) <- edge(x, y); path(x, z) <- edge(x, y), path(y, z).
        let v = Arg::Var;
        let clause = |head, body: Vec<FlatAtom>| {
            let body = body.into_iter().map(FlatLit::Pos).collect();
            Clause { head, body, vars: 3, span: Default::default() }
        };
        let graph = Graph {
            arities: vec![1, 2, 2],
            clauses: vec![
                clause(atom(0, &[v(1)]), vec![atom(1, &[Arg::Const(Sym(1)), v(1)])]),
                clause(atom(1, &[v(0), v(1)]), vec![atom(2, &[v(0), v(1)])]),
                clause(
                    atom(1, &[v(0), v(2)]),
                    vec![atom(2, &[v(0), v(1)]), atom(1, &[v(1), v(2)])],
                ),
            ],
        };
        let demanded = restrict(&graph, &[false, true, false]).expect("a relation on demand");
        assert_eq!(demanded.arities, [1, 2, 2, 1]);
        let heads: Vec<u32> = demanded.clauses.iter().map(|c| c.head.pred.0).collect();
        assert_eq!(heads, [0, 1, 1, 3, 3]);
        // The question itself, and what a path asks of the rest of the path.
        assert!(demanded.clauses[3].body.is_empty());
        assert_eq!(demanded.clauses[4].head, atom(3, &[v(1)]));
        assert_eq!(
            demanded.clauses[4].body,
            [FlatLit::Pos(atom(3, &[v(0)])), FlatLit::Pos(atom(2, &[v(0), v(1)]))]
        );
        // Every question leaves the second column open, and no literal binds it.
        assert!(restrict(&graph, &[false, false, true]).is_none_or(|g| g.arities.len() > 3));
    }
}
