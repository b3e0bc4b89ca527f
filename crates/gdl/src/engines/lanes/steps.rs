//! Steps of many different states at once, one lane each. A step is compared with the percepts of one role; the next state
//! is read back only where they agree. Bags of models follow a match in this way.

use std::sync::{Mutex, PoisonError};

use super::values::Values;
use super::whole::Whole;
use crate::engines::lanes::block::{Block, transpose};
use crate::engines::reasoner::State;
use crate::net::propnet::Propnet;

/// Words of lanes.
const WIDTH: usize = 4;

/// A step to try.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Try<'a> {
    /// From where.
    pub(crate) state: &'a State,
    /// The chosen moves. A role without one has a single legal move.
    pub(crate) moves: &'a [u32],
    /// The role's percepts, ascending.
    pub(crate) percepts: &'a [u32],
    /// The role's legal moves afterwards, ascending, where they count.
    pub(crate) legal: Option<&'a [u32]>,
}

/// Tries steps of a game in lanes.
#[derive(Debug)]
pub(crate) struct Steps {
    whole: Whole,
    /// By move: its role.
    role_of: Vec<u32>,
    /// The roles that must have a legal move, or else the game is over.
    seats: Vec<usize>,
    pool: Mutex<Vec<Values<WIDTH>>>,
}

impl Steps {
    /// For a game in which these roles have seats.
    pub(crate) fn new(propnet: &Propnet, seats: &[usize]) -> Steps {
        let whole = Whole::new(propnet, |_| true);
        let moves = whole.choices.iter().map(Vec::len).sum();
        let mut role_of = vec![0; moves];
        for (role, choices) in whole.choices.iter().enumerate() {
            choices.iter().for_each(|&(_, _, mv)| role_of[mv as usize] = role as u32);
        }
        Steps { whole, role_of, seats: seats.to_vec(), pool: Mutex::default() }
    }

    /// The number of steps up to which single steps are faster. A sweep costs as much as the net, a single step about
    /// as much as 1,500 wires.
    pub(crate) fn few(&self) -> usize {
        (2 * self.whole.view.literals() + self.whole.step.literals()) / 1500
    }

    /// Appends the next state of each step after which `role` has seen what it saw.
    pub(crate) fn run(&self, role: usize, tries: &[Try<'_>], out: &mut Vec<Option<State>>) {
        let taken = self.pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut values = taken.unwrap_or_else(|| Values::new(self.whole.slots));
        for tries in tries.chunks(64 * WIDTH) {
            let agree = self.sweep(&mut values, role, tries);
            let from = out.len();
            out.resize(from + tries.len(), None);
            self.read(&values, agree, &mut out[from..]);
        }
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(values);
    }

    /// Makes the steps; the lanes that agree.
    fn sweep(&self, values: &mut Values<WIDTH>, role: usize, tries: &[Try<'_>]) -> Block<WIDTH> {
        let whole = &self.whole;
        let lanes: Vec<(usize, &State)> = tries.iter().map(|t| t.state).enumerate().collect();
        values.load(&whole.bases, &lanes);
        values.evaluate(&whole.view);
        let mut agree = Block::NONE;
        let mut given = vec![Block::<WIDTH>::NONE; whole.choices.len()];
        for (lane, one) in tries.iter().enumerate() {
            agree.insert(lane);
            for &mv in one.moves {
                match self.role_of.get(mv as usize) {
                    Some(&role) => given[role as usize].insert(lane),
                    None => agree = without(agree, lane),
                }
            }
        }
        agree = agree.and_not(values.wire(whole.terminal));
        for (choices, given) in whole.choices.iter().zip(&given) {
            for &(wire, slot, _) in choices {
                let only = values.wire(wire).and_not(*given);
                values.set(slot, only);
            }
        }
        let first_move = 1 + whole.bases.len() as u32;
        for (lane, one) in tries.iter().enumerate() {
            for &mv in one.moves.iter().filter(|&&mv| (mv as usize) < self.role_of.len()) {
                let mut plane = values.get(first_move + mv);
                plane.insert(lane);
                values.set(first_move + mv, plane);
            }
        }
        values.evaluate(&whole.step);
        let percepts = tries.iter().map(|one| Some(one.percepts));
        agree = hold(values, agree, &whole.sees[role], percepts);
        let next: Vec<Block<WIDTH>> = whole.next.iter().map(|&wire| values.wire(wire)).collect();
        for (slot, block) in (1..).zip(next) {
            values.set(slot, block);
        }
        if agree.any() && tries.iter().any(|one| one.legal.is_some()) {
            values.evaluate(&whole.view);
            let mut over = values.wire(whole.terminal);
            for &seat in &self.seats {
                let wires = whole.choices[seat].iter().map(|&(wire, ..)| values.wire(wire));
                let some = wires.fold(Block::NONE, Block::or);
                over = over.or(Block::ALL.and_not(some));
            }
            for (lane, _) in tries.iter().enumerate().filter(|(_, one)| one.legal.is_none()) {
                over = without(over, lane);
            }
            let moves: Vec<(u32, u32)> =
                whole.choices[role].iter().map(|&(wire, _, mv)| (mv, wire)).collect();
            agree = hold(values, agree.and_not(over), &moves, tries.iter().map(|one| one.legal));
        }
        agree
    }

    /// The states in the lanes of a mask.
    fn read(&self, values: &Values<WIDTH>, lanes: Block<WIDTH>, out: &mut [Option<State>]) {
        let bases = self.whole.bases.len();
        let words = bases.div_ceil(64);
        for (w, &mask) in lanes.0.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            let mut left = mask;
            while left != 0 {
                out[w * 64 + left.trailing_zeros() as usize] = Some(vec![0; words]);
                left &= left - 1;
            }
            for word in 0..words {
                let mut square = [0u64; 64];
                for (i, row) in square.iter_mut().enumerate().take(bases - word * 64) {
                    *row = values.get((1 + word * 64 + i) as u32).0[w];
                }
                transpose(&mut square);
                let mut left = mask;
                while left != 0 {
                    let lane = left.trailing_zeros() as usize;
                    left &= left - 1;
                    if let Some(state) = &mut out[w * 64 + lane] {
                        state[word] = square[lane];
                    }
                }
            }
        }
    }
}

fn without<const W: usize>(block: Block<W>, lane: usize) -> Block<W> {
    let mut one = Block::NONE;
    one.insert(lane);
    block.and_not(one)
}

/// The lanes in which just those wires are on that are expected there; anything will do where nothing is.
/// `wires` are numbers, ascending, and wires.
fn hold<'a>(
    values: &Values<WIDTH>,
    mut agree: Block<WIDTH>,
    wires: &[(u32, u32)],
    expected: impl Iterator<Item = Option<&'a [u32]>>,
) -> Block<WIDTH> {
    let mut planes = vec![Block::<WIDTH>::NONE; wires.len()];
    let mut care = Block::NONE;
    let first = wires.first().map_or(0, |&(number, _)| number);
    for (lane, expected) in expected.enumerate() {
        let Some(expected) = expected else { continue };
        care.insert(lane);
        for &number in expected {
            // Numbers of a role follow each other.
            match number.checked_sub(first).and_then(|i| planes.get_mut(i as usize)) {
                Some(plane) => plane.insert(lane),
                None => agree = without(agree, lane),
            }
        }
    }
    for (&(_, wire), plane) in wires.iter().zip(planes) {
        agree = agree.and_not(values.wire(wire).xor(plane).and(care));
    }
    agree
}
