//! T2: rules without grounding. Relations are tables of constants, clauses are join plans, and a
//! state is evaluated bottom-up, component by component, as far as the question needs it.
//!
//! What depends neither on state nor moves is computed once, when the rule sheet is loaded. Plans
//! are made twice: when a component is first evaluated, with the sizes of what it reads known by
//! then, and again after some random play.

mod demand;
mod load;
mod numbering;
mod plan;
mod run;
mod strata;
mod table;

use std::sync::{Mutex, PoisonError};

use ludex_core::Rng;
use ludex_core::deadline::Pace;

pub use self::load::{JoinError, Limits};

use self::numbering::Codes;
use self::run::{Component, Scratch};
use self::table::{Layout, Table, Weights};
use crate::engines::patience::Patience;
use crate::engines::reasoner::{Playout, Reasoner, State};
use crate::lower::{Pred, Shape};
use crate::rules::{Term, TermKind, read_term};
use crate::symbol::{Sym, Symbols, kw};

/// The components that answer a question, in order of evaluation.
#[derive(Debug, Default)]
struct Targets {
    terminal: Vec<usize>,
    legal: Vec<usize>,
    goal: Vec<usize>,
    next: Vec<usize>,
    sees: Vec<usize>,
    base: Vec<usize>,
    input: Vec<usize>,
    init: Vec<usize>,
}

/// A relation whose first argument is a role: its rows for that role.
#[derive(Clone, Debug)]
struct OfRole {
    pred: usize,
    /// The role's constants, the first cells of a row.
    role: Vec<u32>,
    /// The coder of the rest of a row.
    coder: usize,
}

/// The engine. States are the sorted numbers of their facts.
///
/// ```
/// use ludex_gdl::{joins::Joins, reasoner::Reasoner, rules::Rules};
/// let (rules, _) = Rules::read(
///     "(role a) (init (n 0)) (succ 0 1) (<= (legal a go) (true (n ?x)))
///      (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 1)))
///      (<= (goal a 100) (true (n 1)))",
/// );
/// let game = Joins::load(&rules, &Default::default()).unwrap();
/// let (mut state, mut moves) = (game.start(), Vec::new());
/// game.legal(&state, 0, &mut moves);
/// game.advance(&mut state, &moves);
/// assert_eq!(game.facts(&state), ["(n 1)"]);
/// assert!(game.terminal(&state) && game.goal(&state, 0) == Some(100));
/// ```
pub struct Joins {
    symbols: Symbols,
    /// The constants by number.
    constants: Vec<Sym>,
    /// The predicates of the lowered program; more follow that splitting made.
    preds: Vec<Pred>,
    weights: Weights,
    layouts: Vec<Layout>,
    is_static: Vec<bool>,
    statics: Vec<Table>,
    components: Vec<Component>,
    /// By predicate: its component, for relations that are only asked.
    asks: Vec<usize>,
    targets: Targets,
    roles: Vec<String>,
    facts: Codes,
    /// By coder of `facts`: the predicates `true` and, if any, `next`.
    true_preds: Vec<usize>,
    next_preds: Vec<Option<usize>>,
    moves: Codes,
    /// By coder of `moves`: `does`.
    does_preds: Vec<usize>,
    /// By role and coder: the first cells of a row of `does`.
    does_roles: Vec<Vec<u32>>,
    percepts: Codes,
    terminal_preds: Vec<usize>,
    legal: Vec<Vec<OfRole>>,
    goal: Vec<Vec<OfRole>>,
    sees: Vec<Vec<OfRole>>,
    start: State,
    pool: Mutex<Vec<Scratch>>,
    patience: Patience,
}

impl std::fmt::Debug for Joins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Joins({} predicates, {} components)", self.preds.len(), self.components.len())
    }
}

impl Joins {
    /// Calls `f` with memory that, if possible, already holds the state.
    fn with<T>(&self, state: &State, f: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut s = self.take(Some(state));
        if s.state.as_ref() != Some(state) {
            self.set(&mut s, state);
        }
        let answer = f(&mut s);
        self.give(s);
        answer
    }

    fn take(&self, state: Option<&State>) -> Scratch {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let at = pool.iter().position(|s| s.state.as_ref() == state);
        match at {
            Some(at) => pool.swap_remove(at),
            None => {
                let any = pool.pop();
                drop(pool);
                any.unwrap_or_else(|| self.scratch())
            }
        }
    }

    fn give(&self, s: Scratch) {
        // An unfinished table is of no use.
        if s.stopped {
            return;
        }
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(s);
    }

    fn scratch(&self) -> Scratch {
        let frame = |c: &Component| {
            c.plans.iter().chain(&c.rounds).map(|plan| plan.frame.clone()).collect()
        };
        Scratch {
            tables: self
                .layouts
                .iter()
                .zip(&self.is_static)
                .map(|(layout, fixed)| if *fixed { Table::unused() } else { Table::new(layout) })
                .collect(),
            delta: vec![(0, 0); self.layouts.len()],
            done: vec![false; self.components.len()],
            frames: self.components.iter().map(frame).collect(),
            spent: vec![0; self.components.len()],
            ..Scratch::default()
        }
    }

    /// Loads a state into the tables.
    fn set(&self, s: &mut Scratch, state: &State) {
        let mut words = s.state.take().unwrap_or_default();
        self.forget_state(s);
        let mut row = Vec::new();
        for &fact in state {
            let Some(coder) = self.facts.coder_of(fact) else { continue };
            row.clear();
            self.facts.coders[coder].decode(fact, &mut row);
            let pred = self.true_preds[coder];
            s.tables[pred].insert(&self.layouts[pred], &self.weights, &row);
        }
        words.clone_from(state);
        s.state = Some(words);
    }

    fn set_moves(&self, s: &mut Scratch, joint: &[u32]) {
        if s.joint.as_deref() == Some(joint) {
            return;
        }
        let mut words = s.joint.take().unwrap_or_default();
        self.forget_moves(s);
        let mut row = std::mem::take(&mut s.row);
        for (role, &mv) in joint.iter().enumerate().take(self.roles.len()) {
            let Some(coder) = self.moves.coder_of(u64::from(mv)) else { continue };
            row.clear();
            row.extend_from_slice(&self.does_roles[role]);
            self.moves.coders[coder].decode(u64::from(mv), &mut row);
            let pred = self.does_preds[coder];
            s.tables[pred].insert(&self.layouts[pred], &self.weights, &row);
        }
        s.row = row;
        words.clear();
        words.extend_from_slice(joint);
        s.joint = Some(words);
    }

    /// Makes the next state the state; its words are not made.
    fn step(&self, s: &mut Scratch, joint: &[u32]) {
        self.set_moves(s, joint);
        self.need(s, &self.targets.next);
        let mut after = std::mem::take(&mut s.after);
        after.resize_with(self.true_preds.len(), Vec::new);
        for (rows, next) in after.iter_mut().zip(&self.next_preds) {
            if let Some(next) = next {
                let table =
                    if self.is_static[*next] { &self.statics[*next] } else { &s.tables[*next] };
                table.copy_rows(rows);
            }
        }
        self.forget_state(s);
        for (coder, rows) in after.iter_mut().enumerate() {
            let pred = self.true_preds[coder];
            let layout = &self.layouts[pred];
            if layout.arity == 0 {
                if !rows.is_empty() {
                    s.tables[pred].insert(layout, &self.weights, &[]);
                }
            } else {
                for row in rows.chunks_exact(layout.arity) {
                    s.tables[pred].insert(layout, &self.weights, row);
                }
            }
            rows.clear();
        }
        s.after = after;
    }

    /// The words of the state in the tables.
    fn words(&self, s: &Scratch, out: &mut State) {
        out.clear();
        for (coder, &pred) in self.facts.coders.iter().zip(&self.true_preds) {
            let arity = self.layouts[pred].arity;
            out.extend(s.tables[pred].rows(arity).map(|row| coder.encode(row)));
        }
        out.sort_unstable();
    }

    fn is_terminal(&self, s: &mut Scratch) -> bool {
        self.need(s, &self.targets.terminal);
        self.terminal_preds.iter().any(|&p| self.rows_of(s, p).len() > 0)
    }

    fn rows_of<'a>(&'a self, s: &'a Scratch, pred: usize) -> &'a Table {
        if self.is_static[pred] { &self.statics[pred] } else { &s.tables[pred] }
    }

    fn numbers(&self, s: &Scratch, codes: &Codes, of: &[OfRole], out: &mut Vec<u32>) {
        let before = out.len();
        for OfRole { pred, role, coder } in of {
            let (coder, k) = (&codes.coders[*coder], role.len());
            for row in self.rows_of(s, *pred).rows(self.layouts[*pred].arity) {
                if row[..k] == role[..] {
                    out.push(coder.encode(&row[k..]) as u32);
                }
            }
        }
        out[before..].sort_unstable();
    }

    /// Plays random moves in the tables; the steps made, `None` if it took too long or a role had
    /// no move.
    fn play(&self, s: &mut Scratch, rng: &mut Rng, longest: u32) -> Option<u32> {
        let (mut moves, mut joint) = (Vec::new(), Vec::with_capacity(self.roles.len()));
        let mut steps = 0;
        let mut pace = Pace::start();
        while !self.is_terminal(s) {
            if steps == longest || s.stopped || pace.step() {
                return None;
            }
            self.need(s, &self.targets.legal);
            joint.clear();
            for of in &self.legal {
                moves.clear();
                self.numbers(s, &self.moves, of, &mut moves);
                if moves.is_empty() {
                    return None;
                }
                joint.push(moves[rng.below(moves.len() as u32) as usize]);
            }
            self.step(s, &joint);
            steps += 1;
        }
        Some(steps)
    }

    /// A random legal joint move of the state in the tables.
    fn random_joint(&self, s: &Scratch, rng: &mut Rng) -> Option<Vec<u32>> {
        let mut moves = Vec::new();
        let mut joint = Vec::with_capacity(self.roles.len());
        for of in &self.legal {
            moves.clear();
            self.numbers(s, &self.moves, of, &mut moves);
            let n = u32::try_from(moves.len()).ok().filter(|&n| n > 0)?;
            joint.push(moves[rng.below(n) as usize]);
        }
        Some(joint)
    }

    fn text(&self, shape: &Shape, row: &mut std::slice::Iter<'_, u32>) -> String {
        match shape {
            Shape::Leaf => {
                let constant = row.next().and_then(|&c| self.constants.get(c as usize));
                constant.map_or("?", |&sym| self.symbols.name(sym)).to_owned()
            }
            Shape::Fun(f, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.text(arg, row)).collect();
                format!("({} {})", self.symbols.name(*f), args.join(" "))
            }
        }
    }

    fn code_text(&self, codes: &Codes, code: u64) -> String {
        let Some(coder) = codes.coder_of(code) else { return "?".to_owned() };
        let mut row = Vec::new();
        codes.coders[coder].decode(code, &mut row);
        self.text(&codes.coders[coder].shape, &mut row.iter())
    }

    /// The number of a fact given as text.
    fn fact_of(&self, text: &str, symbols: &mut Symbols) -> Option<u64> {
        let term = read_term(text, symbols).ok()?;
        self.facts.coders.iter().find_map(|coder| {
            let mut row = Vec::new();
            (self.match_shape(&term, &coder.shape, &mut row) && coder.fits(&row))
                .then(|| coder.encode(&row))
        })
    }

    fn match_shape(&self, term: &Term, shape: &Shape, row: &mut Vec<u32>) -> bool {
        match (&term.kind, shape) {
            (TermKind::Const(c), Shape::Leaf) => {
                let number = self.constants.iter().position(|known| known == c);
                row.extend(number.map(|n| n as u32));
                number.is_some()
            }
            (TermKind::Fun(f, args), Shape::Fun(g, shapes)) => {
                f == g
                    && args.len() == shapes.len()
                    && args.iter().zip(shapes).all(|(a, s)| self.match_shape(a, s, row))
            }
            _ => false,
        }
    }

    /// The fluents that `base` declares, as terms; empty if the sheet has no `base`.
    pub(crate) fn declared_fluents(&self) -> Vec<String> {
        self.declared(kw::BASE, &self.targets.base)
    }

    /// The moves that `input` declares, as role and move; empty if the sheet has no `input`.
    pub(crate) fn declared_moves(&self) -> Vec<String> {
        self.declared(kw::INPUT, &self.targets.input)
    }

    fn declared(&self, name: Sym, target: &[usize]) -> Vec<String> {
        self.with(&Vec::new(), |s| {
            self.need(s, target);
            let mut texts = Vec::new();
            for (i, pred) in self.preds.iter().enumerate().filter(|(_, p)| p.name == name) {
                for row in self.rows_of(s, i).rows(pred.arity) {
                    let mut row = row.iter();
                    let args: Vec<String> =
                        pred.shapes.iter().map(|shape| self.text(shape, &mut row)).collect();
                    texts.push(args.join(" "));
                }
            }
            texts
        })
    }
}

impl Reasoner for Joins {
    fn engine(&self) -> &'static str {
        "joins"
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn start(&self) -> State {
        self.start.clone()
    }

    fn terminal(&self, state: &State) -> bool {
        self.with(state, |s| self.is_terminal(s))
    }

    fn legal(&self, state: &State, role: usize, out: &mut Vec<u32>) {
        let Some(of) = self.legal.get(role) else { return };
        self.with(state, |s| {
            self.need(s, &self.targets.legal);
            self.numbers(s, &self.moves, of, out);
        });
    }

    fn advance(&self, state: &mut State, joint: &[u32]) {
        let mut s = self.take(Some(state));
        if s.state.as_ref() != Some(state) {
            self.set(&mut s, state);
        }
        self.step(&mut s, joint);
        self.words(&s, state);
        s.state = Some(state.clone());
        self.give(s);
    }

    fn goals(&self, state: &State, role: usize, out: &mut Vec<u8>) {
        let Some(of) = self.goal.get(role) else { return };
        let before = out.len();
        self.with(state, |s| {
            self.need(s, &self.targets.goal);
            for OfRole { pred, role, .. } in of {
                for row in self.rows_of(s, *pred).rows(self.layouts[*pred].arity) {
                    if row[..role.len()] != role[..] {
                        continue;
                    }
                    let value = row.get(role.len()).and_then(|&c| self.constants.get(c as usize));
                    let text = value.map_or("", |&sym| self.symbols.name(sym));
                    out.extend(text.parse::<u8>().ok().filter(|&v| v <= 100));
                }
            }
        });
        out[before..].sort_unstable();
    }

    fn sees(&self, state: &State, joint: &[u32], role: usize, out: &mut Vec<u32>) {
        let Some(of) = self.sees.get(role) else { return };
        self.with(state, |s| {
            self.set_moves(s, joint);
            self.need(s, &self.targets.sees);
            self.numbers(s, &self.percepts, of, out);
        });
    }

    fn facts(&self, state: &State) -> Vec<String> {
        state.iter().map(|&fact| self.code_text(&self.facts, fact)).collect()
    }

    fn state_of(&self, facts: &[String]) -> Result<State, String> {
        let mut symbols = self.symbols.clone();
        let mut state = facts
            .iter()
            .map(|text| self.fact_of(text, &mut symbols).ok_or_else(|| text.clone()))
            .collect::<Result<State, String>>()?;
        state.sort_unstable();
        state.dedup();
        Ok(state)
    }

    fn move_text(&self, mv: u32) -> String {
        self.code_text(&self.moves, u64::from(mv))
    }

    fn percept_text(&self, percept: u32) -> String {
        self.code_text(&self.percepts, u64::from(percept))
    }

    fn patience(&self) -> Option<&Patience> {
        Some(&self.patience)
    }

    fn playout(&self, state: &mut State, rng: &mut Rng, longest: u32) -> Playout {
        let mut s = self.take(Some(state));
        if s.state.as_ref() != Some(state) {
            self.set(&mut s, state);
        }
        let steps = self.play(&mut s, rng, longest);
        self.words(&s, state);
        s.state = Some(state.clone());
        self.give(s);
        steps.map_or(Playout::Cut, Playout::Over)
    }
}
