//! Checks by simulation: what can only be seen by playing.
//!
//! Random games from a seed. A finding proves a fault; no finding proves nothing, it only says
//! that this much play met none.

use ludex_core::{Rng, Seed};
use rustc_hash::FxHashSet;

use crate::engines::joins::{JoinError, Joins, Limits};
use crate::engines::reasoner::{Reasoner, State, normal_text};
use crate::rules::Rules;
use crate::symbol::{Sym, kw};
use ludex_core::diagnostic::{Diagnostic, Span};

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Random games.
    pub playouts: u32,
    /// A game that takes more steps counts as endless.
    pub longest: u32,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { playouts: 100, longest: 1000, seed: 1 }
    }
}

/// Plays random games of a rule sheet and reports what goes wrong, each fault once.
///
/// ```
/// use ludex_gdl::{check::dynamic::{Effort, simulate}, rules::Rules};
/// let (rules, _) = Rules::read("(role a) (init on) (<= (legal a go) (true off))
///     (<= terminal (true off)) (<= (goal a 100) (true off)) (<= (next off) (does a go))");
/// let found = simulate(&rules, &Effort::default());
/// assert_eq!(found[0].code, "P401"); // no legal move at the start
/// ```
pub fn simulate(rules: &Rules, effort: &Effort) -> Vec<Diagnostic> {
    match Joins::load(rules, &Limits::default()) {
        Ok(game) => {
            let set = |list: Vec<String>| list.iter().map(|t| normal_text(t)).collect();
            let declared = Declared {
                fluents: set(game.declared_fluents()),
                moves: set(game.declared_moves()),
            };
            play(rules, &game, &declared, effort)
        }
        Err(JoinError::Rules(finding)) => vec![finding],
        Err(error) => {
            let text = format!("the rule sheet cannot be played: {error}");
            vec![Diagnostic::error("P400", Span::default(), text)]
        }
    }
}

/// The declarations by `base` and `input` as normal texts (`fluent`, `role move`). A sheet may do without them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    /// The fluents.
    pub(crate) fluents: FxHashSet<String>,
    /// The moves with their roles.
    pub(crate) moves: FxHashSet<String>,
}

/// Plays random games with an engine, and tells the faults of the rules.
pub(crate) fn play(
    rules: &Rules,
    game: &dyn Reasoner,
    declared: &Declared,
    effort: &Effort,
) -> Vec<Diagnostic> {
    let roles = game.roles().len();
    let mut simulation = Simulation {
        rules,
        game,
        declared,
        found: Vec::new(),
        won: vec![false; roles],
        fluents: FxHashSet::default(),
        moves: FxHashSet::default(),
    };
    let mut rng = Seed(effort.seed).rng();
    let mut ended = 0;
    for _ in 0..effort.playouts {
        ended += u32::from(simulation.playout(&mut rng, effort.longest));
    }
    simulation.winnable(ended);
    simulation.found
}

struct Simulation<'a> {
    rules: &'a Rules,
    game: &'a dyn Reasoner,
    declared: &'a Declared,
    found: Vec<Diagnostic>,
    won: Vec<bool>,
    /// The fluents that were compared with the declarations.
    fluents: FxHashSet<u64>,
    moves: FxHashSet<(usize, u32)>,
}

impl Simulation<'_> {
    /// Reports a fault once, at the head of the first rule for a relation.
    fn report(&mut self, code: &'static str, relation: Sym, message: String, hint: &str) {
        if self.found.iter().any(|d| d.code == code) {
            return;
        }
        let rule = self.rules.rules.iter().find(|r| r.head.pred == relation);
        let span = rule.map_or_else(Span::default, |r| r.head.span);
        let finding = match code {
            "P402" | "P407" => Diagnostic::warning(code, span, message),
            _ => Diagnostic::error(code, span, message),
        };
        self.found.push(finding.with_hint(hint));
    }

    fn facts(&self, state: &State) -> String {
        let mut facts = self.game.facts(state);
        facts.sort_unstable();
        let more = facts.len().saturating_sub(8);
        facts.truncate(8);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{{{}{rest}}}", facts.join(" "))
    }

    /// Plays one game; true if it came to its end.
    fn playout(&mut self, rng: &mut Rng, longest: u32) -> bool {
        let game = self.game;
        let mut state = game.start();
        let (mut legal, mut joint) = (Vec::new(), Vec::new());
        for ply in 0..=longest {
            self.compare_fluents(&state);
            if game.terminal(&state) {
                self.goals(&state);
                return true;
            }
            joint.clear();
            for role in 0..game.roles().len() {
                legal.clear();
                game.legal(&state, role, &mut legal);
                self.compare_moves(role, &legal);
                if legal.is_empty() {
                    let name = &game.roles()[role];
                    let text =
                        format!("{name} has no legal move at ply {ply} in {}", self.facts(&state));
                    let hint = "every role needs a move in every state that is not terminal; \
                                a `noop` will do";
                    self.report("P401", kw::LEGAL, text, hint);
                    return false;
                }
                joint.push(legal[rng.below(legal.len() as u32) as usize]);
            }
            game.advance(&mut state, &joint);
        }
        let text = format!("a random game has not ended after {longest} steps");
        let hint = "every game must end; count steps and make a largest number terminal";
        self.report("P402", kw::TERMINAL, text, hint);
        false
    }

    fn goals(&mut self, state: &State) {
        let mut values = Vec::new();
        for role in 0..self.game.roles().len() {
            values.clear();
            self.game.goals(state, role, &mut values);
            let name = &self.game.roles()[role];
            match values.as_slice() {
                [value] => self.won[role] |= *value == 100,
                [] if normal_text(name) == "random" => {}
                [] => {
                    let text =
                        format!("{name} has no goal value in the terminal {}", self.facts(state));
                    let hint = "every role needs exactly one goal value in a terminal state";
                    self.report("P403", kw::GOAL, text, hint);
                }
                several => {
                    let text = format!(
                        "{name} has the goal values {several:?} in the terminal {}",
                        self.facts(state)
                    );
                    let hint = "exactly one may hold in a terminal state";
                    self.report("P404", kw::GOAL, text, hint);
                }
            }
        }
    }

    fn compare_fluents(&mut self, state: &State) {
        if self.declared.fluents.is_empty() {
            return;
        }
        for &fact in state {
            if self.fluents.insert(fact)
                && let Some(text) = self.game.facts(&vec![fact]).first()
                && !self.declared.fluents.contains(&normal_text(text))
            {
                let text = format!("{text} becomes true but `base` does not declare it");
                self.report("P405", kw::BASE, text, "`base` must list every fluent");
            }
        }
    }

    fn compare_moves(&mut self, role: usize, legal: &[u32]) {
        if self.declared.moves.is_empty() {
            return;
        }
        for &mv in legal {
            if self.moves.insert((role, mv)) {
                let text = format!("{} {}", self.game.roles()[role], self.game.move_text(mv));
                if !self.declared.moves.contains(&normal_text(&text)) {
                    let text = format!("{text} becomes legal but `input` does not declare it");
                    self.report("P406", kw::INPUT, text, "`input` must list every move");
                }
            }
        }
    }

    /// Weak winnability: for each role some game ends with 100 for it.
    fn winnable(&mut self, ended: u32) {
        // Without sound goal values there is nothing to win.
        if ended == 0 || self.found.iter().any(|d| matches!(d.code, "P403" | "P404")) {
            return;
        }
        for role in 0..self.won.len() {
            let name = self.game.roles()[role].clone();
            if !self.won[role] && normal_text(&name) != "random" {
                let text = format!("none of {ended} random games ended with 100 for {name}");
                let hint = "there should be joint moves that win for each role; more games may \
                            find them";
                self.report("P407", kw::GOAL, text, hint);
            }
        }
    }
}
