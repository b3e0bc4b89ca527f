//! T0 asked about single states: they are loaded into lanes, the code of playouts is run over
//! them, and the answers are read back. This is how the batch engine is compared with recorded
//! play and with the other engines; for stepping single states there are faster ones.
//!
//! Playouts neither need percepts nor fluents that matter only for themselves. Those are left
//! out of their code and have a little code of their own here.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::values::{ON, Values};
use super::{Choice, Lanes};
use crate::engines::lanes::block::Block;
use crate::engines::names::Names;
use crate::engines::reasoner::{Reasoner, State};
use crate::net::code::{Code, Compiler};
use crate::net::levels::Levels;
use crate::net::phases::Phases;
use crate::net::propnet::Propnet;
use crate::net::{Kind, Lit};

/// Words of lanes.
const WIDTH: usize = 8;

/// The batch engine with all that it needs for any state of the game.
#[derive(Debug)]
pub(crate) struct Fleet {
    /// The game.
    pub(crate) propnet: Propnet,
    /// For states in step with the phases of the game.
    pub(crate) phased: Lanes,
    general: OnceLock<Lanes>,
}

impl Fleet {
    /// The engine of a network whose phases are known.
    pub(crate) fn new(propnet: Propnet, phases: &Phases) -> Fleet {
        let phased = Lanes::new(&propnet, phases);
        Fleet { propnet, phased, general: OnceLock::new() }
    }

    /// For all states.
    pub(crate) fn general(&self) -> &Lanes {
        self.general.get_or_init(|| Lanes::new(&self.propnet, &Phases::general(&self.propnet)))
    }
}

/// A [`Reasoner`] over lanes.
#[derive(Debug)]
pub struct Probe {
    fleet: Arc<Fleet>,
    names: Names,
    rest: Rest,
    phased: Mutex<Desk>,
    general: Mutex<Desk>,
}

/// The parts of a net that playouts leave out: fluents that matter only for themselves, and percepts.
#[derive(Debug)]
struct Rest {
    code: Code,
    /// Fluents and their wires.
    next: Vec<(u32, u32)>,
    /// By percept.
    sees: Vec<u32>,
    values: Mutex<Values<WIDTH>>,
}

impl Rest {
    fn new(propnet: &Propnet, lanes: &Lanes) -> Rest {
        let (bases, moves) = (propnet.bases.len() as u32, propnet.moves.len() as u32);
        let dead: Vec<u32> =
            (0..bases).filter(|base| lanes.bases.binary_search(base).is_err()).collect();
        let wires = dead.iter().map(|&base| propnet.next[base as usize]);
        let roots: Vec<Lit> = wires.chain(propnet.sees.iter().map(|p| p.wire)).collect();
        let (net, roots) = propnet.net.rebuild(&roots, |_| None);
        let levels = Levels::new(&net);
        let mut compiler = Compiler::new(&net, &levels, 1 + bases + moves, |kind| match kind {
            Kind::Base(base) => 1 + base,
            Kind::Does(mv) => 1 + bases + mv,
            _ => ON,
        });
        let code = compiler.compile(&roots, &[]);
        let (next, sees) = roots.split_at(dead.len());
        Rest {
            next: dead.into_iter().zip(next.iter().map(|&w| compiler.wire(w))).collect(),
            sees: sees.iter().map(|&w| compiler.wire(w)).collect(),
            values: Mutex::new(Values::new(compiler.slots())),
            code,
        }
    }

    fn is_empty(&self) -> bool {
        self.next.is_empty() && self.sees.is_empty()
    }

    /// The values in lane 0 after a joint move in a state.
    fn after(
        &self,
        propnet: &Propnet,
        state: &State,
        joint: &[u32],
    ) -> MutexGuard<'_, Values<WIDTH>> {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let bases: Vec<u32> = (0..propnet.bases.len() as u32).collect();
        values.load(&bases, &[(0, state)]);
        for (mv, slot) in (0..propnet.moves.len() as u32).zip(1 + bases.len() as u32..) {
            set_lane(&mut values, slot, 0, joint.contains(&mv));
        }
        values.evaluate(&self.code);
        values
    }
}

/// Lanes at which questions are asked: the last states, one after the other in the next lane.
#[derive(Debug)]
struct Desk {
    values: Option<Values<WIDTH>>,
    lane: usize,
    /// The state in `lane`, with its phase.
    asked: Option<(State, usize)>,
}

impl Desk {
    fn new() -> Mutex<Desk> {
        Mutex::new(Desk { values: None, lane: 0, asked: None })
    }
}

fn set_lane(values: &mut Values<WIDTH>, slot: u32, lane: usize, on: bool) {
    let mut mask = Block::NONE;
    mask.insert(lane);
    let old = values.get(slot);
    values.set(slot, if on { old.or(mask) } else { old.and_not(mask) });
}

fn in_lane(values: &Values<WIDTH>, wire: u32, lane: usize) -> bool {
    values.wire(wire).0[lane / 64] >> (lane % 64) & 1 == 1
}

impl Probe {
    /// Questions for a batch engine.
    pub(crate) fn new(fleet: Arc<Fleet>) -> Probe {
        let rest = Rest::new(&fleet.propnet, &fleet.phased);
        let names = Names::new(&fleet.propnet);
        Probe { names, rest, fleet, phased: Desk::new(), general: Desk::new() }
    }

    /// Calls `f` with lanes in one of which the state is, and what can be seen of it evaluated.
    fn with<T>(
        &self,
        state: &State,
        f: impl FnOnce(&super::Phase, &Lanes, &mut Values<WIDTH>, usize) -> T,
    ) -> T {
        let (lanes, desk, phase) = match self.fleet.phased.phase_of(state) {
            Some(phase) => (&self.fleet.phased, &self.phased, phase),
            None => (self.fleet.general(), &self.general, 0),
        };
        let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
        let Desk { values, lane, asked } = &mut *desk;
        let values = values.get_or_insert_with(|| Values::new(lanes.slots));
        let code = &lanes.phases[phase];
        if !matches!(asked, Some((known, at)) if known == state && *at == phase) {
            *lane = (*lane + 1) % (WIDTH * 64);
            values.load(&lanes.bases, &[(*lane, state)]);
            values.evaluate(&code.view);
            *asked = Some((state.clone(), phase));
        }
        f(code, lanes, values, *lane)
    }
}

impl Reasoner for Probe {
    fn engine(&self) -> &'static str {
        "lanes"
    }

    fn roles(&self) -> &[String] {
        &self.fleet.propnet.roles
    }

    fn start(&self) -> State {
        self.fleet.propnet.start()
    }

    fn terminal(&self, state: &State) -> bool {
        self.with(state, |code, _, values, lane| in_lane(values, code.terminal, lane))
    }

    fn legal(&self, state: &State, role: usize, out: &mut Vec<u32>) {
        self.with(state, |code, _, values, lane| match &code.choices[role] {
            Choice::Fixed => out.extend(&code.moves[role]),
            Choice::Among(wires) => {
                let legal = wires.iter().map(|&(legal, _)| in_lane(values, legal, lane));
                let moves = legal.zip(&code.moves[role]).filter(|(legal, _)| *legal);
                out.extend(moves.map(|(_, &mv)| mv));
            }
        });
    }

    fn advance(&self, state: &mut State, joint: &[u32]) {
        let mut next = vec![0; state.len()];
        let mut put =
            |base: u32, on: bool| next[base as usize / 64] |= u64::from(on) << (base % 64);
        self.with(state, |code, lanes, values, lane| {
            for (choice, moves) in code.choices.iter().zip(&code.moves) {
                if let Choice::Among(wires) = choice {
                    for (&(_, slot), mv) in wires.iter().zip(moves) {
                        set_lane(values, slot, lane, joint.contains(mv));
                    }
                }
            }
            values.evaluate(&code.step);
            let mut stays = vec![true; lanes.bases.len()];
            for &(slot, wire) in &code.next {
                stays[slot as usize - 1] = false;
                put(lanes.bases[slot as usize - 1], in_lane(values, wire, lane));
            }
            for (i, _) in stays.iter().enumerate().filter(|(_, stays)| **stays) {
                put(lanes.bases[i], in_lane(values, (1 + i as u32) << 1, lane));
            }
        });
        if !self.rest.next.is_empty() {
            let values = self.rest.after(&self.fleet.propnet, state, joint);
            for &(base, wire) in &self.rest.next {
                put(base, in_lane(&values, wire, 0));
            }
        }
        *state = next;
    }

    fn goals(&self, state: &State, role: usize, out: &mut Vec<u8>) {
        self.with(state, |code, _, values, lane| {
            // Every time: a step has written over them.
            values.evaluate(&code.goal);
            for &(value, wire) in &code.goals[role] {
                if in_lane(values, wire, lane) && out.last() != Some(&value) {
                    out.push(value);
                }
            }
        });
    }

    fn sees(&self, state: &State, joint: &[u32], role: usize, out: &mut Vec<u32>) {
        if self.rest.is_empty() {
            return;
        }
        let values = self.rest.after(&self.fleet.propnet, state, joint);
        for (i, percept) in self.fleet.propnet.sees.iter().enumerate() {
            if percept.role as usize == role && in_lane(&values, self.rest.sees[i], 0) {
                out.push(i as u32);
            }
        }
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.fleet.propnet.facts(state)
    }

    fn state_of(&self, facts: &[String]) -> Result<State, String> {
        self.names.state_of(facts)
    }

    fn move_text(&self, mv: u32) -> String {
        self.fleet.propnet.move_text(mv)
    }

    fn find_move(&self, state: &State, role: usize, text: &str) -> Option<u32> {
        let mv = self.names.find_move(role, text)?;
        let mut legal = Vec::new();
        self.legal(state, role, &mut legal);
        legal.contains(&mv).then_some(mv)
    }

    fn percept_text(&self, percept: u32) -> String {
        self.fleet.propnet.percept_text(percept)
    }

    fn move_count(&self) -> Option<u32> {
        Some(self.fleet.propnet.moves.len() as u32)
    }
}
