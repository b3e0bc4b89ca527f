//! The propositional network of a game: a netlist with the game's meaning on its ends.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::{Ground, GroundError};
use crate::lower::PredId;
use crate::net::factor::factor;
use crate::net::{FALSE, Kind, Lit, Loop, Net, TRUE};
use crate::scc;
use crate::symbol::{Sym, kw};

/// A move of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveInfo {
    /// The role that makes the move.
    pub role: u32,
    /// The term of the move.
    pub text: String,
}

/// Something that a role may perceive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PerceptInfo {
    /// The role.
    pub role: u32,
    /// The term of the percept.
    pub text: String,
    /// The wire that says so, given state and moves.
    pub wire: Lit,
}

/// A game as a netlist: fluents and moves in; legality, terminality, goals, successor, percepts out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Propnet {
    /// The logic.
    pub net: Net,
    /// The roles' names.
    pub roles: Vec<String>,
    /// The fluents' terms.
    pub bases: Vec<String>,
    /// The first state, by fluent.
    pub init: Vec<bool>,
    /// The moves, sorted by role.
    pub moves: Vec<MoveInfo>,
    /// Where each role's moves begin; one entry more than roles.
    pub role_moves: Vec<u32>,
    /// By move: is it legal?
    pub legal: Vec<Lit>,
    /// By fluent: does it hold next?
    pub next: Vec<Lit>,
    /// Is the game over?
    pub terminal: Lit,
    /// By role: the values with the wires that give them.
    pub goals: Vec<Vec<(u8, Lit)>>,
    /// The percepts.
    pub sees: Vec<PerceptInfo>,
    /// Does the rule sheet say who sees what?
    pub has_sees: bool,
    /// Has every step a turn of the players and one of chance, whatever anybody's choices?
    pub halves: bool,
}

/// The leaves of the network: fluents and moves.
struct Leaves {
    net: Net,
    /// By atom: its wire, where it is a leaf.
    wire: Vec<Option<Lit>>,
    /// The fluents' terms.
    bases: Vec<String>,
    /// By predicate and row: the number of the fluent.
    base_of: FxHashMap<(PredId, usize), usize>,
}

impl Leaves {
    fn new(ground: &Ground) -> Leaves {
        Leaves {
            net: Net::default(),
            wire: vec![None; ground.atoms],
            bases: Vec::new(),
            base_of: FxHashMap::default(),
        }
    }

    /// Adds the fluents, in the order of their rows.
    fn add_fluents(&mut self, ground: &Ground) {
        for &pred in ground.program.preds_of(kw::TRUE) {
            for (row, values) in ground.db.rels[pred.index()].rows().enumerate() {
                let leaf = self.net.leaf(Kind::Base(self.bases.len() as u32));
                if let Some(atom) = ground.atom(pred, row) {
                    self.wire[atom as usize] = Some(leaf);
                }
                self.base_of.insert((pred, row), self.bases.len());
                self.bases.push(ground.program.argument_text(pred, 0, values));
            }
        }
    }

    /// Adds the moves, which are sorted by role. Returns where each role's moves begin, with one entry more than roles.
    fn add_moves(&mut self, ground: &Ground, moves: &[(MoveInfo, PredId, usize)]) -> Vec<u32> {
        let mut role_moves = vec![0u32; ground.roles.len() + 1];
        for (number, (info, pred, row)) in moves.iter().enumerate() {
            role_moves[info.role as usize + 1] = number as u32 + 1;
            let leaf = self.net.leaf(Kind::Does(number as u32));
            if let Some(does) = ground.program.twin(*pred, kw::DOES) {
                let values = ground.db.rels[pred.index()].row(*row);
                if let Some(row) = ground.db.rels[does.index()].find(values)
                    && let Some(atom) = ground.atom(does, row)
                {
                    self.wire[atom as usize] = Some(leaf);
                }
            }
        }
        for role in 0..ground.roles.len() {
            role_moves[role + 1] = role_moves[role + 1].max(role_moves[role]);
        }
        role_moves
    }
}

/// All moves that can be legal, sorted by role, each with its predicate and row.
fn moves_by_role(
    ground: &Ground,
    role_index: &FxHashMap<Sym, u32>,
) -> Vec<(MoveInfo, PredId, usize)> {
    let mut moves = Vec::new();
    each_of_role(ground, kw::LEGAL, role_index, |role, text, pred, row| {
        moves.push((MoveInfo { role, text }, pred, row));
    });
    moves.sort_by_key(|m: &(MoveInfo, PredId, usize)| m.0.role);
    moves
}

/// Goes over the rows of a relation of a role and a term: `legal`, `goal`, `sees`.
fn each_of_role(
    ground: &Ground,
    name: Sym,
    role_index: &FxHashMap<Sym, u32>,
    mut f: impl FnMut(u32, String, PredId, usize),
) {
    for &pred in ground.program.preds_of(name) {
        if ground.program.preds[pred.index()].shapes.len() != 2 {
            continue;
        }
        for (row, values) in ground.db.rels[pred.index()].rows().enumerate() {
            if let Some(&role) = values.first().and_then(|r| role_index.get(r)) {
                f(role, ground.program.argument_text(pred, 1, values), pred, row);
            }
        }
    }
}

/// Goes over the rows of `init` or `next` that are fluents.
fn each_fluent(
    ground: &Ground,
    name: Sym,
    base_of: &FxHashMap<(PredId, usize), usize>,
    mut f: impl FnMut(usize, PredId, usize),
) {
    for &pred in ground.program.preds_of(name) {
        let Some(twin) = ground.program.twin(pred, kw::TRUE) else { continue };
        for (row, values) in ground.db.rels[pred.index()].rows().enumerate() {
            let Some(found) = ground.db.rels[twin.index()].find(values) else { continue };
            if let Some(&base) = base_of.get(&(twin, found)) {
                f(base, pred, row);
            }
        }
    }
}

impl Propnet {
    /// Builds the network of a ground rule sheet: its leaves, the gates above them, and what the gates mean.
    pub(crate) fn new(ground: &Ground) -> Result<Propnet, GroundError> {
        let mut leaves = Leaves::new(ground);
        leaves.add_fluents(ground);
        let role_index: FxHashMap<Sym, u32> =
            ground.roles.iter().enumerate().map(|(i, &r)| (r, i as u32)).collect();
        let moves = moves_by_role(ground, &role_index);
        let role_moves = leaves.add_moves(ground, &moves);
        let Leaves { net, wire, bases, base_of } = leaves;

        let roots = [kw::LEGAL, kw::NEXT, kw::GOAL, kw::TERMINAL, kw::SEES];
        let root_atoms =
            roots.iter().flat_map(|&name| ground.program.preds_of(name)).flat_map(|&pred| {
                let rows = ground.db.rels[pred.index()].len();
                (0..rows).filter_map(move |row| ground.atom(pred, row))
            });
        let mut builder = Builder { ground, net, wire };
        builder.build(root_atoms)?;
        let Builder { mut net, wire, .. } = builder;
        let of_row = |pred: PredId, row: usize| match ground.atom(pred, row) {
            Some(atom) => wire[atom as usize].unwrap_or(FALSE),
            None => TRUE,
        };

        let mut init = vec![false; bases.len()];
        let mut next = vec![FALSE; bases.len()];
        each_fluent(ground, kw::INIT, &base_of, |base, _, _| init[base] = true);
        each_fluent(ground, kw::NEXT, &base_of, |base, pred, row| next[base] = of_row(pred, row));
        let legal = moves.iter().map(|&(_, pred, row)| of_row(pred, row)).collect();
        let mut ends: Vec<Lit> = Vec::new();
        for &pred in ground.program.preds_of(kw::TERMINAL) {
            ends.extend((0..ground.db.rels[pred.index()].len()).map(|row| of_row(pred, row)));
        }
        let terminal = net.or(&mut ends);
        let mut goals: Vec<Vec<(u8, Lit)>> = vec![Vec::new(); ground.roles.len()];
        each_of_role(ground, kw::GOAL, &role_index, |role, text, pred, row| {
            let wire = of_row(pred, row);
            if let Ok(value @ 0..=100) = text.parse::<u8>()
                && wire != FALSE
            {
                goals[role as usize].push((value, wire));
            }
        });
        goals.iter_mut().for_each(|g| g.sort_unstable());
        let mut sees = Vec::new();
        each_of_role(ground, kw::SEES, &role_index, |role, text, pred, row| {
            sees.push(PerceptInfo { role, text, wire: of_row(pred, row) });
        });
        sees.sort_by(|a, b| (a.role, &a.text).cmp(&(b.role, &b.text)));
        let name = |sym: &Sym| ground.program.symbols.name(*sym).to_owned();
        Ok(Propnet {
            net,
            roles: ground.roles.iter().map(name).collect(),
            bases,
            init,
            moves: moves.into_iter().map(|(info, _, _)| info).collect(),
            role_moves,
            legal,
            next,
            terminal,
            goals,
            sees,
            has_sees: !ground.program.preds_of(kw::SEES).is_empty(),
            halves: false,
        })
    }

    /// The network with common parts of its gates shared.
    #[must_use]
    pub(crate) fn factored(&self) -> Propnet {
        let (net, roots) = factor(&self.net, &self.roots());
        self.with_roots(net, &roots)
    }

    /// The moves of a role, as numbers.
    pub(crate) fn moves_of(&self, role: usize) -> std::ops::Range<usize> {
        self.role_moves[role] as usize..self.role_moves[role + 1] as usize
    }

    /// All wires that mean something, in a fixed order; see [`Propnet::with_roots`].
    pub(crate) fn roots(&self) -> Vec<Lit> {
        let goals = self.goals.iter().flatten().map(|&(_, wire)| wire);
        let sees = self.sees.iter().map(|p| p.wire);
        let next = self.next.iter().copied();
        self.legal
            .iter()
            .copied()
            .chain(next)
            .chain([self.terminal])
            .chain(goals)
            .chain(sees)
            .collect()
    }

    /// The network with another net, given the new wires in the order of [`Propnet::roots`].
    pub(crate) fn with_roots(&self, net: Net, roots: &[Lit]) -> Propnet {
        let mut new = Propnet { net, ..self.clone() };
        let mut wires = roots.iter().copied();
        let mut take = || wires.next().unwrap_or(FALSE);
        new.legal.iter_mut().for_each(|w| *w = take());
        new.next.iter_mut().for_each(|w| *w = take());
        new.terminal = take();
        new.goals.iter_mut().flatten().for_each(|g| g.1 = take());
        new.sees.iter_mut().for_each(|p| p.wire = take());
        new
    }
}

struct Builder<'a> {
    ground: &'a Ground,
    net: Net,
    wire: Vec<Option<Lit>>,
}

impl Builder<'_> {
    fn build(&mut self, roots: impl Iterator<Item = u32>) -> Result<(), GroundError> {
        let ground = self.ground;
        // The edges of an atom are the literals of all its bodies; they lie together.
        let edge = |atom: u32, i: usize| {
            let (a, b) = (ground.rules_of[atom as usize], ground.rules_of[atom as usize + 1]);
            let from = ground.bodies[a as usize] as usize;
            let to = ground.bodies[b as usize] as usize;
            (from + i < to).then(|| ground.literals[from + i] >> 1)
        };
        for component in scc::from_roots(ground.atoms, roots, edge) {
            match component.as_slice() {
                [atom] if self.wire[*atom as usize].is_some() => {}
                [atom] if (0..).map_while(|i| edge(*atom, i)).all(|to| to != *atom) => {
                    let lit = self.definition(*atom);
                    self.wire[*atom as usize] = Some(lit);
                }
                members => self.recursion(members)?,
            }
        }
        Ok(())
    }

    fn definition(&mut self, atom: u32) -> Lit {
        let mut any = Vec::new();
        let mut all = Vec::new();
        for body in self.ground.bodies_of(atom) {
            all.clear();
            for &lit in body {
                all.push(self.wire[(lit >> 1) as usize].unwrap_or(FALSE) ^ (lit & 1));
            }
            let body = self.net.and(&mut all);
            if body == TRUE {
                return TRUE;
            }
            any.push(body);
        }
        self.net.or(&mut any)
    }

    fn recursion(&mut self, members: &[u32]) -> Result<(), GroundError> {
        let set: FxHashSet<u32> = members.iter().copied().collect();
        for &atom in members {
            for &lit in self.ground.bodies_of(atom).flatten() {
                if lit & 1 == 1 && set.contains(&(lit >> 1)) {
                    return Err(GroundError::NotStratified(self.name(lit >> 1)));
                }
            }
        }
        let number = self.net.loops.len() as u32;
        for &atom in members {
            self.wire[atom as usize] = Some(self.net.leaf(Kind::Latch(number)));
        }
        self.net.loops.push(Loop::default());
        let mut latches = Vec::with_capacity(members.len());
        for &atom in members {
            let def = self.definition(atom);
            latches.push((self.wire[atom as usize].unwrap_or(FALSE) >> 1, def));
        }
        self.net.loops[number as usize].latches = latches;
        Ok(())
    }

    fn name(&self, atom: u32) -> String {
        let pred = self
            .ground
            .first
            .iter()
            .enumerate()
            .filter(|(_, first)| first.is_some_and(|f| f <= atom))
            .max_by_key(|(_, first)| **first)
            .map_or(0, |(pred, _)| pred);
        let name = self.ground.program.preds[pred].name;
        self.ground.program.symbols.name(name).to_owned()
    }
}
