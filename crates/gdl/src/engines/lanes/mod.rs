//! T0: many random games at once, one per bit lane.
//!
//! Every wire of the net is a `Block` of 256 to 1024 lanes; a gate costs a
//! few vector instructions for all of them. [`Lanes`] is the code of a game's phases (see
//! `net::phases`); `values` runs it, `batch` plays games with it, and `probe` asks it about
//! single states.

mod batch;
mod block;
pub mod histories;
pub(crate) mod probe;
mod select;
pub(crate) mod steps;
pub(crate) mod values;
mod whole;

use ludex_core::Seed;
use ludex_core::deadline;
use ludex_core::playout::{LONGEST, Outcomes};

use self::batch::{Job, UNFINISHED};
use self::values::ON;
use crate::engines::reasoner::State;
use crate::net::code::{Code, Compiler};
use crate::net::levels::Levels;
use crate::net::phases::{Pattern, PhaseNet, Phases};
use crate::net::propnet::Propnet;
use crate::net::{Kind, Lit};

/// The part of a role in a phase.
#[derive(Clone, Debug)]
enum Choice {
    /// Always the same move; the net knows.
    Fixed,
    /// One of these: wire of legality and slot of the move.
    Among(Vec<(u32, u32)>),
}

/// The code of a phase. Wires are slot times two plus sign.
#[derive(Clone, Debug)]
struct Phase {
    /// Legality and terminality.
    view: Code,
    /// Goals, when some lane is over.
    goal: Code,
    /// The next state.
    step: Code,
    terminal: u32,
    choices: Vec<Choice>,
    /// By role: the moves of its choice, in that order; or its only move.
    moves: Vec<Vec<u32>>,
    /// Fluent's slot and what it becomes; left out if it stays as it is.
    next: Vec<(u32, u32)>,
    /// By role: goal values with their wires, ascending.
    goals: Vec<Vec<(u8, u32)>>,
    slots: usize,
}

/// The batch engine of a game.
#[derive(Clone, Debug)]
pub struct Lanes {
    phases: Vec<Phase>,
    /// By phase: what its states have in common.
    patterns: Vec<Pattern>,
    /// The fluents that have slots: fluent `bases[i]` is in slot `1 + i`.
    bases: Vec<u32>,
    roles: usize,
    /// The role that is chance.
    random: Option<usize>,
    /// See [`Propnet::halves`].
    halves: bool,
    slots: usize,
    width: usize,
}

impl Lanes {
    /// An engine for the states that agree with the phases.
    pub(crate) fn new(propnet: &Propnet, phases: &Phases) -> Lanes {
        let bases: Vec<u32> =
            (0..propnet.bases.len() as u32).filter(|&i| phases.live[i as usize]).collect();
        let mut base_slot = vec![ON; propnet.bases.len()];
        for (i, &base) in bases.iter().enumerate() {
            base_slot[base as usize] = 1 + i as u32;
        }
        let code: Vec<Phase> =
            phases.nets.iter().map(|net| Phase::new(propnet, net, &bases, &base_slot)).collect();
        let slots = code.iter().map(|p| p.slots).max().unwrap_or(1);
        // As many lanes as keep the values within the cache. Small nets gain by more lanes.
        let width = match slots {
            0..=2500 => 16,
            _ => 8,
        };
        let roles = propnet.roles.len();
        let random = propnet.roles.iter().position(|r| r.eq_ignore_ascii_case("random"));
        let patterns = phases.patterns();
        let halves = propnet.halves;
        Lanes { phases: code, patterns, bases, roles, random, halves, slots, width }
    }

    /// How many games run at once.
    pub fn lanes(&self) -> usize {
        self.width * 64
    }

    /// The phase that a state is in; `None` if this engine is not for it.
    pub(crate) fn phase_of(&self, state: &State) -> Option<usize> {
        self.patterns.iter().position(|pattern| pattern.agrees(state))
    }

    /// Number of phases.
    pub fn period(&self) -> usize {
        self.phases.len()
    }

    /// Values held per lane.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Wires into gates, all phases together.
    pub fn literals(&self) -> usize {
        let codes = self.phases.iter().flat_map(|p| [&p.view, &p.goal, &p.step]);
        codes.map(Code::literals).sum()
    }

    /// So few games are played faster one by one: a step of all lanes costs what the net costs,
    /// however few of them play. Measured over 8 games; the figure errs on the side of lanes.
    pub(crate) fn few(&self) -> usize {
        self.literals() / self.period() / 40_000
    }

    /// Plays `n` random games from each start and appends the payoffs of the roles `seats`;
    /// false, and nothing done, if a start agrees with no phase.
    pub(crate) fn playouts(
        &self,
        starts: &[&State],
        n: usize,
        seed: Seed,
        seats: &[usize],
        out: &mut Outcomes,
    ) -> bool {
        let mut queues = vec![Vec::new(); self.phases.len()];
        for (i, start) in starts.iter().enumerate() {
            match self.phase_of(start) {
                Some(phase) => queues[phase].push((i as u32, n as u32)),
                None => return false,
            }
        }
        queues.iter_mut().for_each(|queue| queue.reverse());
        let job = Job { starts, n, queues };
        // No wider than there are games.
        let width = match starts.len().saturating_mul(n) {
            0..=256 => 4,
            257..=512 => 8,
            _ => self.width,
        };
        let results = batch::play(self, job, seed, width);
        // A batch that the deadline cut short holds only its short games, which are not a fair sample.
        if deadline::expired() {
            return true;
        }
        for (i, &plies) in results.plies.iter().enumerate() {
            if plies == UNFINISHED {
                out.push_unfinished(LONGEST.into());
            } else {
                let payoffs = &results.payoffs[i * self.roles..(i + 1) * self.roles];
                for (slot, &role) in out.push(plies.into()).iter_mut().zip(seats) {
                    *slot = payoffs[role];
                }
            }
        }
        true
    }
}

impl Phase {
    fn new(propnet: &Propnet, net: &PhaseNet, bases: &[u32], base_slot: &[u32]) -> Phase {
        let first_move = 1 + bases.len() as u32;
        let mut move_slot = vec![ON; propnet.moves.len()];
        let mut free = first_move;
        for (slot, does) in move_slot.iter_mut().zip(&net.does) {
            if does.is_none() {
                *slot = free;
                free += 1;
            }
        }
        let levels = Levels::new(&net.net);
        let mut compiler = Compiler::new(&net.net, &levels, free, |kind| match kind {
            Kind::Base(i) => base_slot[i as usize],
            Kind::Does(m) => move_slot[m as usize],
            _ => ON,
        });
        let open = |m: &usize| net.does[*m].is_none();
        let legal = (0..propnet.moves.len()).filter(open).map(|m| net.legal[m]);
        let view: Vec<Lit> = legal.chain([net.terminal]).collect();
        let goals: Vec<Lit> = net.goals.iter().flatten().map(|&(_, w)| w).collect();
        let next: Vec<Lit> = bases.iter().map(|&b| net.next[b as usize]).collect();
        let view = compiler.compile(&view, &[goals.as_slice(), &next].concat());
        // Goals are evaluated now and then only: the step must not rely on what they compute.
        let mut scorer = compiler.clone();
        let goal = scorer.compile(&goals, &[]);
        let step = compiler.compile(&next, &[]);
        let moves: Vec<Vec<u32>> = (0..propnet.roles.len())
            .map(|role| {
                let never = |m: &usize| net.does[*m] == Some(false);
                propnet.moves_of(role).filter(|m| !never(m)).map(|m| m as u32).collect()
            })
            .collect();
        let choices = moves
            .iter()
            .map(|moves| {
                let open = moves.iter().map(|&m| m as usize).filter(open);
                let among: Vec<(u32, u32)> =
                    open.map(|m| (compiler.wire(net.legal[m]), move_slot[m])).collect();
                if among.is_empty() { Choice::Fixed } else { Choice::Among(among) }
            })
            .collect();
        let next = bases
            .iter()
            .map(|&b| (base_slot[b as usize], compiler.wire(net.next[b as usize])))
            .filter(|&(slot, wire)| slot << 1 != wire)
            .collect();
        let wired =
            |list: &Vec<(u8, u32)>| list.iter().map(|&(v, w)| (v, scorer.wire(w))).collect();
        let goals = net.goals.iter().map(wired).collect();
        let terminal = compiler.wire(net.terminal);
        let slots = compiler.slots().max(scorer.slots());
        Phase { view, goal, step, terminal, choices, moves, next, goals, slots }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::reasoner::Reasoner;
    use crate::lower::lower;
    use crate::rules::Rules;
    use crate::{engines::single::Single, ground};

    /// Six throws of a coin; two heads in a row at any time win. What a step and the goals both
    /// need (`both`) is not part of the view.
    const COIN: &str = "
        (role p)
        (init (step 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (base (step ?n)) (succ ?m ?n)) (base (step 0)) (base x) (base y) (base won)
        (input p heads) (input p tails)
        (legal p heads) (legal p tails)
        (<= (next x) (does p heads))
        (<= (next y) (true x))
        (<= (next won) (true won))
        (<= (next won) both)
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= both (true x) (true y))
        (<= terminal (true (step 6)))
        (<= (goal p 100) (true won))
        (<= (goal p 100) both (not (true won)))
        (<= (goal p 0) (not both) (not (true won)))";

    /// Three places; a step makes one of three links, and who can go from a to c wins. Going is
    /// recursive, and the links may close a circle.
    const LINKS: &str = "
        (role p)
        (init (step 0)) (succ 0 1) (succ 1 2)
        (<= (base (step ?n)) (succ ?m ?n)) (base (step 0))
        (pair a b) (pair b c) (pair c a)
        (<= (base (link ?x ?y)) (pair ?x ?y)) (<= (input p (join ?x ?y)) (pair ?x ?y))
        (<= (legal p (join ?x ?y)) (pair ?x ?y))
        (<= (next (link ?x ?y)) (does p (join ?x ?y)))
        (<= (next (link ?x ?y)) (true (link ?x ?y)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (reach ?x ?y) (true (link ?x ?y)))
        (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
        (<= terminal (true (step 2)))
        (<= (goal p 100) (reach a c))
        (<= (goal p 0) (not (reach a c)))";

    fn mean(source: &str) -> f64 {
        let (rules, _) = Rules::read(source);
        let (program, _) = lower(&rules);
        let ground = ground::ground(&program, &ground::Budget::default()).expect("small");
        let propnet = Propnet::new(&ground).expect("a net");
        let lanes = Lanes::new(&propnet, &Phases::find(&propnet));
        let start = Single::new(propnet.clone()).start();
        let mut out = Outcomes::new(1);
        assert!(lanes.playouts(&[&start], 20_000, Seed(1), &[0], &mut out));
        out.means()[0]
    }

    #[test]
    fn recursion_is_played_in_lanes() {
        // In random play two of the nine ways to choose two links win. The tolerance is five standard errors.
        let mean = mean(LINKS);
        assert!((mean - 2.0 / 9.0).abs() < 5.0 * 0.003, "{mean}");
    }

    #[test]
    fn a_step_does_not_rely_on_goals_that_were_not_asked_for() {
        let mean = mean(COIN);
        // 21 of the 64 sequences have no two heads in a row. The tolerance is five standard errors.
        assert!((mean - 43.0 / 64.0).abs() < 5.0 * 0.0033, "{mean}");
    }
}
