//! Random histories in lanes, thrown away at the first percept of one role that differs from what
//! it saw: how likely a random history explains a life, measured at the speed of playouts.

use ludex_core::Seed;

use super::values::Values;
use super::whole::Whole;
use crate::engines::lanes::block::{Block, Streams};
use crate::engines::lanes::select::choose;
use crate::engines::reasoner::State;
use crate::net::propnet::Propnet;

/// Words of lanes.
const WIDTH: usize = 8;

/// One step as a role lived it, in the numbers of the engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lived {
    /// The role's own move, where it had a choice.
    pub own: Option<u32>,
    /// The percepts of the role, ascending.
    pub percepts: Vec<u32>,
    /// The role's legal moves before the step, ascending, where they count.
    pub legal: Option<Vec<u32>>,
}

/// How many histories explained each step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survivors {
    /// Histories begun.
    pub attempts: u64,
    /// By step: those that made it.
    pub steps: Vec<u64>,
    /// By step: those that explained it.
    pub alive: Vec<u64>,
    /// The histories that explain every percept and the legal moves now.
    pub valid: u64,
}

/// Draws random histories for one role.
#[derive(Debug)]
pub struct Histories {
    role: usize,
    start: State,
    whole: Whole,
}

impl Histories {
    /// For a role of a game.
    pub(crate) fn new(propnet: &Propnet, role: usize, start: State) -> Histories {
        Histories { role, start, whole: Whole::new(propnet, |seer| seer == role) }
    }

    /// Draws at least `attempts` histories. `now`: the role's legal moves after the last step,
    /// ascending, where they count.
    pub fn run(&self, life: &[Lived], now: Option<&[u32]>, attempts: u64, seed: Seed) -> Survivors {
        let mut rng = Streams::new(seed);
        let mut values: Values<WIDTH> = Values::new(self.whole.slots);
        let mut sum = Survivors {
            steps: vec![0; life.len()],
            alive: vec![0; life.len()],
            ..Survivors::default()
        };
        while sum.attempts < attempts {
            sum.attempts += 64 * WIDTH as u64;
            values.fill(&self.whole.bases, &self.start, ALL);
            let mut active = ALL;
            for (step, lived) in life.iter().enumerate() {
                active = self.advance(&mut values, active, lived, &mut rng, &mut sum.steps[step]);
                sum.alive[step] += u64::from(active.count());
                if !active.any() {
                    break;
                }
            }
            if let (Some(legal), true) = (now, active.any()) {
                values.evaluate(&self.whole.view);
                active = self.asked(&values, active, legal);
            }
            sum.valid += u64::from(active.count());
        }
        sum
    }

    /// The lanes in which the role has just these legal moves; the view is there.
    fn asked(&self, values: &Values<WIDTH>, active: Block<WIDTH>, legal: &[u32]) -> Block<WIDTH> {
        let active = active.and_not(values.wire(self.whole.terminal));
        self.whole.choices[self.role].iter().fold(active, |active, &(wire, _, mv)| {
            let on = values.wire(wire);
            let expected = legal.binary_search(&mv).is_ok();
            if expected { active.and(on) } else { active.and_not(on) }
        })
    }

    /// One step of all lanes; the lanes that go on.
    fn advance(
        &self,
        values: &mut Values<WIDTH>,
        mut active: Block<WIDTH>,
        lived: &Lived,
        rng: &mut Streams,
        made: &mut u64,
    ) -> Block<WIDTH> {
        values.evaluate(&self.whole.view);
        active = active.and_not(values.wire(self.whole.terminal));
        if let Some(legal) = &lived.legal {
            active = self.asked(values, active, legal);
        }
        let mut live = Vec::new();
        for (role, moves) in self.whole.choices.iter().enumerate() {
            live.clear();
            let own = lived.own.filter(|_| role == self.role);
            for &(wire, slot, mv) in moves {
                let allowed = own.is_none_or(|own| own == mv);
                let plane = if allowed { values.wire(wire).and(active) } else { Block::NONE };
                values.set(slot, plane);
                if plane.any() {
                    live.push(slot);
                }
            }
            let some = match live.as_slice() {
                [only] => values.get(*only),
                live => choose(values.blocks(), live, rng).0,
            };
            active = active.and(some);
        }
        *made += u64::from(active.count());
        values.evaluate(&self.whole.step);
        for &(percept, wire) in &self.whole.sees[self.role] {
            let on = values.wire(wire);
            let expected = lived.percepts.binary_search(&percept).is_ok();
            active = if expected { active.and(on) } else { active.and_not(on) };
        }
        let next: Vec<Block<WIDTH>> =
            self.whole.next.iter().map(|&wire| values.wire(wire)).collect();
        for (slot, block) in (1..).zip(next) {
            values.set(slot, block);
        }
        active
    }
}

const ALL: Block<WIDTH> = Block([u64::MAX; WIDTH]);
