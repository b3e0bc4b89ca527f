//! Nets specialised to the phase of the game.
//!
//! In most games some fluents (`control`) go round with the number of steps whatever is played.
//! With those fixed, half of the legal moves, and the logic behind them, are constants. Which
//! fluents go round is guessed from random play and then proved by induction on the nets, so a
//! state that agrees with a phase stays in step for ever.

use crate::engines::reasoner::{Reasoner, State};
use crate::engines::single::Single;
use crate::net::factor::factor;
use crate::net::propnet::{PerceptInfo, Propnet};
use crate::net::{FALSE, Kind, Lit, Net, TRUE};
use ludex_core::Seed;

/// The net of one phase.
#[derive(Clone, Debug)]
pub(crate) struct PhaseNet {
    /// The logic with this phase's constants folded in.
    pub net: Net,
    /// By move; `FALSE` if never legal in this phase.
    pub legal: Vec<Lit>,
    /// By fluent; meaningless for fluents that do not matter.
    pub next: Vec<Lit>,
    /// Is the game over?
    pub terminal: Lit,
    /// By role: values and wires.
    pub goals: Vec<Vec<(u8, Lit)>>,
    /// By percept; none where the net is for playouts.
    pub sees: Vec<Lit>,
    /// By move: `Some` if it is always or never made in this phase.
    pub does: Vec<Option<bool>>,
}

impl PhaseNet {
    /// The phase as a network without names.
    pub(crate) fn into_propnet(self, whole: &Propnet) -> Propnet {
        let percepts = whole.sees.iter().zip(self.sees);
        Propnet {
            sees: percepts.map(|(old, wire)| PerceptInfo { wire, ..old.clone() }).collect(),
            net: self.net,
            roles: whole.roles.clone(),
            init: whole.init.clone(),
            role_moves: whole.role_moves.clone(),
            legal: self.legal,
            next: self.next,
            terminal: self.terminal,
            goals: self.goals,
            ..Propnet::default()
        }
    }

    /// This net with common parts of its gates shared.
    fn factored(mut self) -> PhaseNet {
        let goals = self.goals.iter().flatten().map(|&(_, w)| w);
        let roots: Vec<Lit> = (self.legal.iter().copied())
            .chain(self.next.iter().copied())
            .chain([self.terminal])
            .chain(goals)
            .chain(self.sees.iter().copied())
            .collect();
        let (net, roots) = factor(&self.net, &roots);
        let mut wires = roots.into_iter();
        let mut set = |wire: &mut Lit| *wire = wires.next().unwrap_or(FALSE);
        self.legal.iter_mut().for_each(&mut set);
        self.next.iter_mut().for_each(&mut set);
        set(&mut self.terminal);
        self.goals.iter_mut().flatten().for_each(|goal| set(&mut goal.1));
        self.sees.iter_mut().for_each(&mut set);
        self.net = net;
        self
    }
}

/// The common part of the states of a phase, as words of fluents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    /// Word number, the fluents that are fixed, and their values; words without any are left out.
    words: Vec<(u32, u64, u64)>,
}

impl Pattern {
    /// The pattern of some fluents' values.
    pub(crate) fn new(values: &[Option<bool>]) -> Pattern {
        let word = |(number, values): (usize, &[Option<bool>])| {
            let bits = |wanted: fn(&Option<bool>) -> bool| {
                let bits = values.iter().enumerate().filter(|(_, value)| wanted(value));
                bits.fold(0u64, |word, (i, _)| word | 1 << i)
            };
            (number as u32, bits(Option::is_some), bits(|value| *value == Some(true)))
        };
        let words = values.chunks(64).enumerate().map(word).filter(|word| word.1 != 0);
        Pattern { words: words.collect() }
    }

    /// Does a state have these values?
    pub(crate) fn agrees(&self, state: &[u64]) -> bool {
        let word = |number: u32| state.get(number as usize).copied().unwrap_or(0);
        self.words.iter().all(|&(number, mask, value)| word(number) & mask == value)
    }
}

/// The phases of a game.
#[derive(Clone, Debug)]
pub(crate) struct Phases {
    /// One net per phase, in the order of play; the first state is in the first.
    pub nets: Vec<PhaseNet>,
    /// By phase, by fluent: the value that a state in this phase is known to have.
    pub fixed: Vec<Vec<Option<bool>>>,
    /// By fluent: does it matter for anything but itself?
    pub live: Vec<bool>,
}

/// How long and how often to play when guessing.
const GUESS_PLAYOUTS: usize = 24;
const GUESS_PLIES: usize = 160;

impl Phases {
    /// One phase, nothing fixed: good for every state.
    pub(crate) fn general(propnet: &Propnet) -> Phases {
        let fixed = vec![vec![None; propnet.bases.len()]];
        let live = live_bases(propnet);
        let nets = specialise(propnet, &fixed, &live);
        let nets = nets.into_iter().map(PhaseNet::factored).collect();
        Phases { nets, fixed, live }
    }

    /// The phases found for a game; falls back to the general one.
    pub(crate) fn find(propnet: &Propnet) -> Phases {
        let seen = observe(propnet);
        let general = vec![vec![None; propnet.bases.len()]];
        let fixed_of = |period: usize| {
            let guess = guess(propnet, &seen, period);
            // Only worth a longer period if something really goes round.
            let turns = |i: usize| guess.iter().any(|phase| phase[i] != guess[0][i]);
            let useful = period == 1 || (0..propnet.bases.len()).any(turns);
            useful.then(|| prove(propnet, guess)).flatten()
        };
        let count =
            |fixed: &[Vec<Option<bool>>]| fixed[0].iter().filter(|value| value.is_some()).count();
        let mut best = fixed_of(1).unwrap_or(general);
        for period in [2, 3, 4, 6] {
            if let Some(fixed) = fixed_of(period)
                && count(&fixed) > count(&best)
            {
                best = fixed;
            }
        }
        let live = live_bases(propnet);
        let nets = specialise(propnet, &best, &live);
        let nets = nets.into_iter().map(PhaseNet::factored).collect();
        Phases { nets, fixed: best, live }
    }

    /// The nets once more, with percepts and the fluents that matter only for themselves.
    pub(crate) fn complete_nets(&self, propnet: &Propnet) -> Vec<PhaseNet> {
        let everything = vec![true; propnet.bases.len()];
        let nets = self
            .fixed
            .iter()
            .map(|fixed| specialise_one(propnet, fixed, &everything, &propnet.sees));
        nets.map(PhaseNet::factored).collect()
    }

    /// By phase: what its states have in common.
    pub(crate) fn patterns(&self) -> Vec<Pattern> {
        self.fixed.iter().map(|values| Pattern::new(values)).collect()
    }
}

/// States of random play by ply (state words; one list per ply).
fn observe(propnet: &Propnet) -> Vec<Vec<State>> {
    let engine = Single::new(propnet.clone());
    let mut rng = Seed(0x9_a5e5).rng();
    let mut seen: Vec<Vec<State>> = vec![Vec::new(); GUESS_PLIES];
    let mut legal = Vec::new();
    for _ in 0..GUESS_PLAYOUTS {
        let mut state = engine.start();
        for ply in seen.iter_mut() {
            ply.push(state.clone());
            if engine.terminal(&state) {
                break;
            }
            let mut joint = Vec::new();
            for role in 0..propnet.roles.len() {
                legal.clear();
                engine.legal(&state, role, &mut legal);
                if legal.is_empty() {
                    break;
                }
                joint.push(legal[rng.index(legal.len())]);
            }
            if joint.len() < propnet.roles.len() {
                break;
            }
            engine.advance(&mut state, &joint);
        }
    }
    seen
}

type Fixed = Vec<Vec<Option<bool>>>;

/// The fluents whose value was always a function of the ply modulo the period.
fn guess(propnet: &Propnet, seen: &[Vec<State>], period: usize) -> Fixed {
    let bases = propnet.bases.len();
    let mut fixed: Fixed = vec![vec![None; bases]; period];
    let mut good = vec![true; bases];
    for (ply, states) in seen.iter().enumerate() {
        for state in states {
            for i in 0..bases {
                let value = state[i / 64] >> (i % 64) & 1 == 1;
                match &mut fixed[ply % period][i] {
                    Some(known) => good[i] &= *known == value,
                    open => *open = Some(value),
                }
            }
        }
    }
    for phase in &mut fixed {
        for (value, good) in phase.iter_mut().zip(&good) {
            if !good {
                *value = None;
            }
        }
    }
    // A phase that was never seen says nothing, and a fluent that was never seen to hold is most
    // likely only rare: the grounder has left out what cannot be reached.
    let all = (0..bases)
        .map(|i| {
            fixed.iter().all(|phase| phase[i].is_some())
                && fixed.iter().any(|phase| phase[i] == Some(true))
        })
        .collect::<Vec<_>>();
    for phase in &mut fixed {
        phase.iter_mut().zip(&all).filter(|(_, all)| !**all).for_each(|(value, _)| *value = None);
    }
    fixed
}

/// Keeps the fluents for which the step from each phase to the next follows from the net; the
/// first state agrees with phase 0 because it was among those seen.
fn prove(propnet: &Propnet, mut fixed: Fixed) -> Option<Fixed> {
    let period = fixed.len();
    for _ in 0..20 {
        let wanted: Vec<bool> = fixed[0].iter().map(Option::is_some).collect();
        let nets = specialise(propnet, &fixed, &wanted);
        let mut failed: Vec<usize> = Vec::new();
        for (p, net) in nets.iter().enumerate() {
            for (i, value) in fixed[(p + 1) % period].iter().enumerate() {
                let wanted = match value {
                    None => continue,
                    Some(true) => TRUE,
                    Some(false) => FALSE,
                };
                if net.next[i] != wanted {
                    failed.push(i);
                }
            }
        }
        if failed.is_empty() {
            return Some(fixed);
        }
        for i in failed {
            fixed.iter_mut().for_each(|phase| phase[i] = None);
        }
    }
    None
}

/// The fluents on which legality, the end or the goals ever depend.
fn live_bases(propnet: &Propnet) -> Vec<bool> {
    let goals = propnet.goals.iter().flatten().map(|&(_, w)| w);
    let mut roots: Vec<Lit> =
        propnet.legal.iter().copied().chain([propnet.terminal]).chain(goals).collect();
    let mut live = vec![false; propnet.bases.len()];
    loop {
        let mark = propnet.net.cone(roots.iter().copied());
        let mut grew = false;
        for (n, _) in mark.iter().enumerate().filter(|(_, marked)| **marked) {
            if let Kind::Base(i) = propnet.net.kind(n)
                && !std::mem::replace(&mut live[i as usize], true)
            {
                roots.push(propnet.next[i as usize]);
                grew = true;
            }
        }
        if !grew {
            return live;
        }
    }
}

/// The nets with the fixed fluents folded in.
fn specialise(propnet: &Propnet, fixed: &Fixed, live: &[bool]) -> Vec<PhaseNet> {
    fixed.iter().map(|values| specialise_one(propnet, values, live, &[])).collect()
}

fn specialise_one(
    propnet: &Propnet,
    values: &[Option<bool>],
    live: &[bool],
    sees: &[PerceptInfo],
) -> PhaseNet {
    let base = |kind: Kind| match kind {
        Kind::Base(i) => values[i as usize],
        _ => None,
    };
    // The moves that are possible at all, and those that are certain.
    let (_, legal) = propnet.net.rebuild(&propnet.legal, base);
    let mut does: Vec<Option<bool>> =
        legal.iter().map(|&l| (l == FALSE).then_some(false)).collect();
    for role in 0..propnet.roles.len() {
        let mut open = propnet.moves_of(role).filter(|&m| legal[m] != FALSE);
        if let (Some(only), None) = (open.next(), open.next())
            && legal[only] == TRUE
        {
            does[only] = Some(true);
        }
    }
    let mut roots: Vec<Lit> = propnet.legal.clone();
    let next = propnet.next.iter().zip(live);
    roots.extend(next.map(|(&w, &live)| if live { w } else { FALSE }));
    roots.push(propnet.terminal);
    roots.extend(propnet.goals.iter().flatten().map(|&(_, w)| w));
    roots.extend(sees.iter().map(|percept| percept.wire));
    let (net, roots) = propnet.net.rebuild(&roots, |kind| match kind {
        Kind::Does(m) => does[m as usize],
        kind => base(kind),
    });
    let mut wires = roots.into_iter();
    let mut take = |n: usize| wires.by_ref().take(n).collect::<Vec<Lit>>();
    let legal = take(propnet.legal.len());
    let next = take(propnet.next.len());
    let terminal = take(1)[0];
    let goals = propnet
        .goals
        .iter()
        .map(|list| list.iter().map(|g| g.0).zip(take(list.len())).collect())
        .collect();
    let sees = take(sees.len());
    PhaseNet { net, legal, next, terminal, goals, sees, does }
}
