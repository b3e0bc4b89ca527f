//! T3: a naive prover, the oracle of tests. It works on the rules as they were written, not on
//! what [`crate::lower`] makes of them, and is written to be seen to be right, not to be fast.
//!
//! Relations are evaluated bottom-up, component by component of the relations' names. A component
//! that depends on its own negation (`(<= (goal ?r 0) (not (goal ?r 100)))`) is evaluated by the
//! alternating fixpoint of the well-founded semantics, which is the perfect model wherever the
//! rules are stratified by their arguments.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::engines::patience::Patience;
use crate::engines::reasoner::{Reasoner, State};
use crate::rules::{Atom, Literal, LiteralKind, Rule, Rules, Term, TermKind, read_term};
use crate::scc;
use crate::symbol::{Sym, Symbols, kw};
use ludex_core::diagnostic::Diagnostic;

/// A ground term's number.
type Ground = u32;

/// Ground terms by number; numbers of words and terms grow as play goes on.
#[derive(Debug, Default)]
struct Terms {
    symbols: Symbols,
    list: Vec<(Sym, Vec<Ground>)>,
    numbers: FxHashMap<(Sym, Vec<Ground>), Ground>,
    patience: Arc<Patience>,
    ticks: u32,
}

impl Terms {
    /// Is it time to give up? To be asked often.
    fn tired(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(4096) { self.patience.check() } else { self.patience.lost() }
    }

    fn intern(&mut self, name: Sym, args: Vec<Ground>) -> Ground {
        let key = (name, args);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let number = self.list.len() as Ground;
        self.list.push(key.clone());
        self.numbers.insert(key, number);
        number
    }

    /// The number of a term under a binding; `None` if a variable is open.
    fn ground(&mut self, term: &Term, env: &Env) -> Option<Ground> {
        match &term.kind {
            TermKind::Var(v) => env.get(*v),
            TermKind::Const(c) => Some(self.intern(*c, Vec::new())),
            TermKind::Fun(f, args) => {
                let args = args.iter().map(|a| self.ground(a, env)).collect::<Option<_>>()?;
                Some(self.intern(*f, args))
            }
        }
    }

    fn text(&self, term: Ground) -> String {
        let Some((name, args)) = self.list.get(term as usize) else { return "?".to_owned() };
        let name = self.symbols.name(*name);
        if args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<String> = args.iter().map(|&a| self.text(a)).collect();
        format!("({name} {})", args.join(" "))
    }

    /// Binds variables so that the pattern is the term; false if it cannot be.
    fn matches(&self, pattern: &Term, term: Ground, env: &mut Env) -> bool {
        match &pattern.kind {
            TermKind::Var(v) => match env.get(*v) {
                Some(known) => known == term,
                None => {
                    env.0.push((*v, term));
                    true
                }
            },
            TermKind::Const(c) => {
                let (name, args) = &self.list[term as usize];
                name == c && args.is_empty()
            }
            TermKind::Fun(f, patterns) => {
                let (name, args) = &self.list[term as usize];
                name == f
                    && args.len() == patterns.len()
                    && patterns.iter().zip(args).all(|(p, &a)| self.matches(p, a, env))
            }
        }
    }
}

/// Values of variables.
#[derive(Clone, Debug, Default)]
struct Env(Vec<(Sym, Ground)>);

impl Env {
    fn get(&self, var: Sym) -> Option<Ground> {
        self.0.iter().find(|(v, _)| *v == var).map(|(_, value)| *value)
    }
}

/// Facts by relation and number of arguments.
#[derive(Clone, Debug, Default)]
struct Facts(FxHashMap<(Sym, usize), Arc<FxHashSet<Vec<Ground>>>>);

impl Facts {
    fn insert(&mut self, pred: Sym, args: Vec<Ground>) -> bool {
        Arc::make_mut(self.0.entry((pred, args.len())).or_default()).insert(args)
    }

    fn of(&self, pred: Sym, arity: usize) -> impl Iterator<Item = &Vec<Ground>> {
        self.0.get(&(pred, arity)).into_iter().flat_map(|set| set.iter())
    }

    fn has(&self, pred: Sym, args: &Vec<Ground>) -> bool {
        self.0.get(&(pred, args.len())).is_some_and(|set| set.contains(args))
    }

    fn count(&self, pred: Sym, arity: usize) -> usize {
        self.0.get(&(pred, arity)).map_or(0, |set| set.len())
    }
}

/// Relations evaluated together.
#[derive(Debug)]
struct Stratum {
    rules: Vec<usize>,
    /// Some rule negates a relation of the stratum itself.
    negates_itself: bool,
    /// Some rule reads a relation of the stratum itself.
    recursive: bool,
    /// Depends on `true` or `does`.
    dynamic: bool,
}

/// A state, a joint move, and all that holds then.
type Model = (State, Vec<u32>, Arc<Facts>);

/// The oracle.
#[derive(Debug)]
pub struct Naive {
    rules: Vec<Rule>,
    strata: Vec<Stratum>,
    /// The roles' terms and names.
    roles: Vec<Ground>,
    names: Vec<String>,
    /// What holds in every state.
    fixed: Facts,
    start: State,
    terms: Mutex<Terms>,
    /// The last state and joint move asked about.
    last: Mutex<Option<Model>>,
    patience: Arc<Patience>,
}

/// Why a rule sheet cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum NaiveError {
    /// The rules are not understood.
    #[error("{}", .0.message)]
    Rules(Diagnostic),
    /// Not within the time that was given.
    #[error("what holds in every state takes too long to prove")]
    TooSlow,
}

impl Naive {
    /// Loads a rule sheet, however long that takes.
    pub fn load(rules: &Rules) -> Result<Naive, NaiveError> {
        Naive::load_until(rules, None)
    }

    /// Loads a rule sheet, or gives up at some time.
    pub fn load_until(rules: &Rules, end: Option<Instant>) -> Result<Naive, NaiveError> {
        let mut list = rules.rules.clone();
        list.iter_mut().for_each(bind_open_role);
        if let Some((rule, var)) = list.iter().find_map(|r| Some((r, unbound_variable(r)?))) {
            let name = rules.symbols.name(var);
            let text = format!("{name} occurs in no positive condition of this rule");
            return Err(NaiveError::Rules(Diagnostic::error("L001", rule.span, text)));
        }
        let patience = Arc::new(Patience::default());
        patience.until(end);
        let symbols = rules.symbols.clone();
        let terms = Terms { symbols, patience: Arc::clone(&patience), ..Terms::default() };
        let strata = strata(&list);
        let naive = Naive {
            rules: list,
            strata,
            roles: Vec::new(),
            names: Vec::new(),
            fixed: Facts::default(),
            start: Vec::new(),
            terms: Mutex::new(terms),
            last: Mutex::default(),
            patience,
        };
        let mut terms = naive.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fixed = Facts::default();
        for stratum in naive.strata.iter().filter(|s| !s.dynamic) {
            naive.evaluate(stratum, &mut fixed, &mut terms);
        }
        // `role` in the order of the source; `init` may, in odd sheets, be derived like a state's.
        let (mut roles, mut names) = (Vec::new(), Vec::new());
        for rule in naive.rules.iter().filter(|r| r.head.pred == kw::ROLE) {
            if let [term] = rule.head.args.as_slice()
                && let Some(role) = terms.ground(term, &Env::default())
                && !roles.contains(&role)
            {
                roles.push(role);
                names.push(terms.text(role));
            }
        }
        drop(terms);
        let mut naive = Naive { roles, names, fixed, ..naive };
        let first = naive.model(&State::new(), &[]);
        naive.start = first.of(kw::INIT, 1).map(|args| u64::from(args[0])).collect();
        naive.start.sort_unstable();
        if naive.patience.check() {
            return Err(NaiveError::TooSlow);
        }
        naive.patience.until(None);
        Ok(naive)
    }

    /// Everything that holds in a state with a joint move (which may be empty).
    fn model(&self, state: &State, joint: &[u32]) -> Arc<Facts> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, moves, facts)) = &*last
            && known == state
            && moves == joint
        {
            return Arc::clone(facts);
        }
        let mut facts = self.fixed.clone();
        for &fact in state {
            facts.insert(kw::TRUE, vec![fact as Ground]);
        }
        for (role, &mv) in self.roles.iter().zip(joint) {
            facts.insert(kw::DOES, vec![*role, mv]);
        }
        let mut terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        for stratum in self.strata.iter().filter(|s| s.dynamic) {
            self.evaluate(stratum, &mut facts, &mut terms);
        }
        let facts = Arc::new(facts);
        if self.patience.lost() {
            return facts;
        }
        *last = Some((state.clone(), joint.to_vec(), Arc::clone(&facts)));
        facts
    }

    fn evaluate(&self, stratum: &Stratum, facts: &mut Facts, terms: &mut Terms) {
        if !stratum.negates_itself {
            self.fixpoint(stratum, facts, None, terms);
            return;
        }
        let below = facts.clone();
        // The alternating fixpoint: what surely holds grows, what may hold shrinks.
        let mut surely = below.clone();
        loop {
            let mut maybe = below.clone();
            self.fixpoint(stratum, &mut maybe, Some(&surely), terms);
            let mut again = below.clone();
            self.fixpoint(stratum, &mut again, Some(&maybe), terms);
            let size = |f: &Facts| f.0.values().map(|set| set.len()).sum::<usize>();
            let done = size(&again) == size(&surely);
            surely = again;
            if done || terms.patience.lost() {
                *facts = surely;
                return;
            }
        }
    }

    /// Adds what follows until nothing new does; `absent` is asked for what does not hold, or, as
    /// nothing in the stratum is negated in it, the growing facts themselves.
    fn fixpoint(
        &self,
        stratum: &Stratum,
        facts: &mut Facts,
        absent: Option<&Facts>,
        terms: &mut Terms,
    ) {
        loop {
            let mut new = Vec::new();
            for &rule in &stratum.rules {
                let rule = &self.rules[rule];
                let body: Vec<&Literal> = rule.body.iter().collect();
                let absent = absent.unwrap_or(facts);
                solve(&body, &mut Env::default(), facts, absent, terms, &mut |env, terms| {
                    let args: Option<Vec<Ground>> =
                        rule.head.args.iter().map(|a| terms.ground(a, env)).collect();
                    new.extend(args.map(|args| (rule.head.pred, args)));
                    true
                });
            }
            let mut grew = false;
            for (pred, args) in new {
                grew |= facts.insert(pred, args);
            }
            if !grew || !stratum.recursive || terms.patience.lost() {
                return;
            }
        }
    }

    fn ask<T>(&self, f: impl FnOnce(&mut Terms) -> T) -> T {
        f(&mut self.terms.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn second_arguments(&self, facts: &Facts, pred: Sym, role: usize) -> Vec<Ground> {
        let Some(role) = self.roles.get(role) else { return Vec::new() };
        let mut list: Vec<Ground> =
            facts.of(pred, 2).filter(|args| args[0] == *role).map(|args| args[1]).collect();
        list.sort_unstable();
        list
    }
}

/// Calls `found` for every binding under which all literals hold; it returns whether to go on.
/// Returns whether to go on.
fn solve(
    body: &[&Literal],
    env: &mut Env,
    facts: &Facts,
    absent: &Facts,
    terms: &mut Terms,
    found: &mut dyn FnMut(&Env, &mut Terms) -> bool,
) -> bool {
    if terms.tired() {
        return false;
    }
    if body.is_empty() {
        return found(env, terms);
    }
    // Conditions without open variables first, then atoms with few, and what cannot bind last.
    let open = |literal: &Literal, env: &Env| {
        let mut vars = Vec::new();
        literal.vars(&mut |v| {
            if env.get(v).is_none() && !vars.contains(&v) {
                vars.push(v);
            }
        });
        vars.len()
    };
    let rank = |literal: &Literal, env: &Env| match (&literal.kind, open(literal, env)) {
        (_, 0) => (0, 0, 0),
        (LiteralKind::Pos(atom), n) => (1, n, facts.count(atom.pred, atom.args.len())),
        (LiteralKind::Or(_) | LiteralKind::And(_), n) => (2, n, 0),
        (LiteralKind::Not(_) | LiteralKind::Distinct(..), n) => (3, n, 0),
    };
    let at = (0..body.len()).min_by_key(|&i| rank(body[i], env)).unwrap_or(0);
    let rest: Vec<&Literal> =
        body.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, l)| *l).collect();
    match &body[at].kind {
        LiteralKind::Pos(atom) => {
            let args: Option<Vec<Ground>> =
                atom.args.iter().map(|a| terms.ground(a, env)).collect();
            if let Some(args) = args {
                return !facts.has(atom.pred, &args)
                    || solve(&rest, env, facts, absent, terms, found);
            }
            for row in facts.of(atom.pred, atom.args.len()) {
                if terms.tired() {
                    return false;
                }
                let before = env.0.len();
                let fits = atom.args.iter().zip(row).all(|(a, &t)| terms.matches(a, t, env));
                let go_on = !fits || solve(&rest, env, facts, absent, terms, found);
                env.0.truncate(before);
                if !go_on {
                    return false;
                }
            }
            true
        }
        LiteralKind::Distinct(a, b) => {
            let same = terms.ground(a, env) == terms.ground(b, env);
            same || solve(&rest, env, facts, absent, terms, found)
        }
        LiteralKind::And(parts) => {
            let all: Vec<&Literal> = parts.iter().chain(rest).collect();
            solve(&all, env, facts, absent, terms, found)
        }
        LiteralKind::Or(parts) => parts.iter().all(|part| {
            let one: Vec<&Literal> = std::iter::once(part).chain(rest.iter().copied()).collect();
            solve(&one, env, facts, absent, terms, found)
        }),
        LiteralKind::Not(inner) => match &inner.kind {
            LiteralKind::Not(twice) => {
                let all: Vec<&Literal> = std::iter::once(twice.as_ref()).chain(rest).collect();
                solve(&all, env, facts, absent, terms, found)
            }
            // Equality is the one negation that can bind.
            LiteralKind::Distinct(a, b) => {
                let before = env.0.len();
                let equal = match (terms.ground(a, env), terms.ground(b, env)) {
                    (Some(a), Some(b)) => a == b,
                    (Some(a), None) => terms.matches(b, a, env),
                    (None, Some(b)) => terms.matches(a, b, env),
                    (None, None) => false,
                };
                let go_on = !equal || solve(&rest, env, facts, absent, terms, found);
                env.0.truncate(before);
                go_on
            }
            _ => {
                let mut holds = false;
                solve(&[inner], env, absent, facts, terms, &mut |_, _| {
                    holds = true;
                    false
                });
                holds || solve(&rest, env, facts, absent, terms, found)
            }
        },
    }
}

/// An open player in the head means every role: public GDL-II sheets leave it out.
fn bind_open_role(rule: &mut Rule) {
    if !matches!(rule.head.pred, kw::SEES | kw::LEGAL | kw::GOAL) {
        return;
    }
    let Some(who @ Term { kind: TermKind::Var(v), span }) = rule.head.args.first() else { return };
    let mut bound = Vec::new();
    rule.body.iter().for_each(|l| binds(l, &mut bound));
    if !bound.contains(v) {
        let atom = Atom { pred: kw::ROLE, args: vec![who.clone()], span: *span, parens: true };
        rule.body.push(Literal { kind: LiteralKind::Pos(atom), span: *span });
    }
}

fn unbound_variable(rule: &Rule) -> Option<Sym> {
    let mut bound = Vec::new();
    rule.body.iter().for_each(|l| binds(l, &mut bound));
    let mut open = None;
    rule.head.vars(&mut |v| {
        if !bound.contains(&v) {
            open.get_or_insert(v);
        }
    });
    open
}

/// The variables that a literal can give values, at least in one branch.
fn binds(literal: &Literal, bound: &mut Vec<Sym>) {
    match &literal.kind {
        LiteralKind::Pos(atom) => atom.vars(&mut |v| bound.push(v)),
        LiteralKind::Or(parts) | LiteralKind::And(parts) => {
            parts.iter().for_each(|p| binds(p, bound));
        }
        LiteralKind::Not(inner) => match &inner.kind {
            LiteralKind::Distinct(..) => inner.vars(&mut |v| bound.push(v)),
            LiteralKind::Not(twice) => binds(twice, bound),
            _ => {}
        },
        LiteralKind::Distinct(..) => {}
    }
}

fn strata(rules: &[Rule]) -> Vec<Stratum> {
    fn names(literal: &Literal, negated: bool, out: &mut Vec<(Sym, bool)>) {
        match &literal.kind {
            LiteralKind::Pos(atom) => out.push((atom.pred, negated)),
            LiteralKind::Not(inner) => names(inner, !negated, out),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter().for_each(|p| names(p, negated, out));
            }
            LiteralKind::Distinct(..) => {}
        }
    }
    let count = rules.iter().map(|r| largest_name(r) + 1).max().unwrap_or(0).max(32);
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); count];
    let reads: Vec<Vec<(Sym, bool)>> = rules
        .iter()
        .map(|rule| {
            let mut out = Vec::new();
            rule.body.iter().for_each(|l| names(l, false, &mut out));
            edges[rule.head.pred.0 as usize].extend(out.iter().map(|(name, _)| name.0));
            out
        })
        .collect();
    let mut dynamic = vec![false; count];
    let mut strata = Vec::new();
    for component in scc::components(count, |n| edges[n as usize].as_slice()) {
        let inside = |name: Sym| component.contains(&name.0);
        let list: Vec<usize> = (0..rules.len()).filter(|&r| inside(rules[r].head.pred)).collect();
        let is_dynamic = inside(kw::TRUE)
            || inside(kw::DOES)
            || list.iter().any(|&r| reads[r].iter().any(|(name, _)| dynamic[name.0 as usize]));
        component.iter().for_each(|&name| dynamic[name as usize] = is_dynamic);
        let negates_itself =
            list.iter().any(|&r| reads[r].iter().any(|&(name, not)| not && inside(name)));
        let recursive = list.iter().any(|&r| reads[r].iter().any(|&(name, _)| inside(name)));
        if !list.is_empty() {
            let dynamic = is_dynamic;
            strata.push(Stratum { rules: list, negates_itself, recursive, dynamic });
        }
    }
    strata
}

fn largest_name(rule: &Rule) -> usize {
    fn of(literal: &Literal) -> u32 {
        match &literal.kind {
            LiteralKind::Pos(atom) => atom.pred.0,
            LiteralKind::Not(inner) => of(inner),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter().map(of).max().unwrap_or(0)
            }
            LiteralKind::Distinct(..) => 0,
        }
    }
    rule.body.iter().map(of).max().unwrap_or(0).max(rule.head.pred.0) as usize
}

impl Reasoner for Naive {
    fn engine(&self) -> &'static str {
        "naive"
    }

    fn roles(&self) -> &[String] {
        &self.names
    }

    fn start(&self) -> State {
        self.start.clone()
    }

    fn terminal(&self, state: &State) -> bool {
        self.model(state, &[]).count(kw::TERMINAL, 0) > 0
    }

    fn legal(&self, state: &State, role: usize, out: &mut Vec<u32>) {
        let facts = self.model(state, &[]);
        out.extend(self.second_arguments(&facts, kw::LEGAL, role));
    }

    fn advance(&self, state: &mut State, joint: &[u32]) {
        let facts = self.model(state, joint);
        state.clear();
        state.extend(facts.of(kw::NEXT, 1).map(|args| u64::from(args[0])));
        state.sort_unstable();
    }

    fn goals(&self, state: &State, role: usize, out: &mut Vec<u8>) {
        let facts = self.model(state, &[]);
        let mut values: Vec<u8> = self.ask(|terms| {
            let values = self.second_arguments(&facts, kw::GOAL, role);
            values
                .iter()
                .filter_map(|&v| terms.text(v).parse().ok())
                .filter(|&v| v <= 100)
                .collect()
        });
        values.sort_unstable();
        out.extend(values);
    }

    fn sees(&self, state: &State, joint: &[u32], role: usize, out: &mut Vec<u32>) {
        let facts = self.model(state, joint);
        out.extend(self.second_arguments(&facts, kw::SEES, role));
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.ask(|terms| state.iter().map(|&fact| terms.text(fact as Ground)).collect())
    }

    fn state_of(&self, facts: &[String]) -> Result<State, String> {
        self.ask(|terms| {
            let mut state = State::new();
            for text in facts {
                let term = read_term(text, &mut terms.symbols).map_err(|_| text.clone())?;
                let fact = terms.ground(&term, &Env::default()).ok_or_else(|| text.clone())?;
                state.push(u64::from(fact));
            }
            state.sort_unstable();
            state.dedup();
            Ok(state)
        })
    }

    fn move_text(&self, mv: u32) -> String {
        self.ask(|terms| terms.text(mv))
    }

    fn percept_text(&self, percept: u32) -> String {
        self.ask(|terms| terms.text(percept))
    }

    fn patience(&self) -> Option<&Patience> {
        Some(&self.patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(source: &str) -> Naive {
        Naive::load(&Rules::read(source).0).expect("rules that load")
    }

    #[test]
    fn negation_that_only_arguments_stratify_is_decided() {
        let game = load(
            "(role a) (role b) (init (won a)) (<= (legal ?r go) (role ?r)) (<= terminal (true (won a)))
             (<= (goal ?r 100) (true (won ?r)))
             (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
        );
        let state = game.start();
        assert_eq!((game.goal(&state, 0), game.goal(&state, 1)), (Some(100), Some(0)));
        assert!(game.terminal(&state));
    }

    #[test]
    fn recursion_equality_disjunction_and_projection_are_understood() {
        let game = load(
            "(role a) (init (at 1)) (edge 1 2) (edge 2 1) (edge 2 3)
             (<= (path ?x ?y) (edge ?x ?y))
             (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
             (<= (legal a (go ?y)) (true (at ?x)) (path ?x ?y) (not (edge ?y ?z)))
             (<= (legal a (stay ?y)) (true (at ?x)) (or (edge ?x ?y) (not (distinct ?x ?y))))
             (<= (next (at ?y)) (or (does a (go ?y)) (does a (stay ?y))))
             (<= terminal (true (at 3))) (<= (goal a 100) (true (at 3)))",
        );
        let mut state = game.start();
        let mut moves = Vec::new();
        game.legal(&state, 0, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|&m| game.move_text(m)).collect();
        texts.sort();
        assert_eq!(texts, ["(go 3)", "(stay 1)", "(stay 2)"]);
        let go = game.find_move(&state, 0, "(go 3)").expect("a legal move");
        game.advance(&mut state, &[go]);
        assert_eq!(game.facts(&state), ["(at 3)"]);
    }
}
