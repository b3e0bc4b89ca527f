//! Random histories in lanes, thrown away at the first percept of one role that differs from what
//! it saw: how likely a random history explains a life, measured at the speed of playouts.

use ludex_core::Seed;

use super::values::{ON, Values};
use crate::block::{Block, Streams};
use crate::code::{Code, Compiler};
use crate::levels::Levels;
use crate::net::Kind;
use crate::propnet::Propnet;
use crate::reasoner::State;
use crate::select::choose;

/// Words of lanes.
const WIDTH: usize = 8;

/// One step as a role lived it, in the numbers of the engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lived {
    /// Its own move, where it had a choice.
    pub own: Option<u32>,
    /// What it saw, ascending.
    pub percepts: Vec<u32>,
    /// Its legal moves before the step, ascending, where they count.
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
    /// Those that explained everything, the legal moves now included.
    pub valid: u64,
}

/// Draws random histories for one role.
#[derive(Debug)]
pub struct Histories {
    role: usize,
    start: State,
    bases: Vec<u32>,
    view: Code,
    step: Code,
    terminal: u32,
    /// By role: legality, slot and number of each move.
    choices: Vec<Vec<(u32, u32, u32)>>,
    next: Vec<u32>,
    /// The role's percepts: number and wire.
    sees: Vec<(u32, u32)>,
    slots: usize,
}

impl Histories {
    /// For a role of a game.
    pub fn new(propnet: &Propnet, role: usize, start: State) -> Histories {
        let (bases, moves) = (propnet.bases.len() as u32, propnet.moves.len() as u32);
        let percepts: Vec<u32> = (0..propnet.sees.len() as u32)
            .filter(|&i| propnet.sees[i as usize].role as usize == role)
            .collect();
        let mut roots = propnet.legal.clone();
        roots.push(propnet.terminal);
        let view_roots = roots.len();
        roots.extend_from_slice(&propnet.next);
        roots.extend(percepts.iter().map(|&i| propnet.sees[i as usize].wire));
        let (net, roots) = propnet.net.rebuild(&roots, |_| None);
        let levels = Levels::new(&net);
        let mut compiler = Compiler::new(&net, &levels, 1 + bases + moves, |kind| match kind {
            Kind::Base(base) => 1 + base,
            Kind::Does(mv) => 1 + bases + mv,
            _ => ON,
        });
        let (view, step) = roots.split_at(view_roots);
        let view = compiler.compile(view, step);
        let step = compiler.compile(step, &[]);
        let wires: Vec<u32> = roots.iter().map(|&wire| compiler.wire(wire)).collect();
        let choices = (0..propnet.roles.len())
            .map(|role| {
                let moves = propnet.moves_of(role);
                moves.map(|m| (wires[m], 1 + bases + m as u32, m as u32)).collect()
            })
            .collect();
        let after = view_roots + bases as usize;
        Histories {
            role,
            start,
            bases: (0..bases).collect(),
            terminal: wires[moves as usize],
            choices,
            next: wires[view_roots..after].to_vec(),
            sees: percepts.into_iter().zip(wires[after..].iter().copied()).collect(),
            slots: compiler.slots(),
            view,
            step,
        }
    }

    /// Draws at least `attempts` histories. `now`: the role's legal moves after the last step,
    /// ascending, where they count.
    pub fn run(&self, life: &[Lived], now: Option<&[u32]>, attempts: u64, seed: Seed) -> Survivors {
        let mut rng = Streams::new(seed);
        let mut values: Values<WIDTH> = Values::new(self.slots);
        let mut sum = Survivors {
            steps: vec![0; life.len()],
            alive: vec![0; life.len()],
            ..Survivors::default()
        };
        while sum.attempts < attempts {
            sum.attempts += 64 * WIDTH as u64;
            values.fill(&self.bases, &self.start, ALL);
            let mut active = ALL;
            for (step, lived) in life.iter().enumerate() {
                active = self.advance(&mut values, active, lived, &mut rng, &mut sum.steps[step]);
                sum.alive[step] += u64::from(active.count());
                if !active.any() {
                    break;
                }
            }
            if let (Some(legal), true) = (now, active.any()) {
                values.evaluate(&self.view);
                active = self.asked(&values, active, legal);
            }
            sum.valid += u64::from(active.count());
        }
        sum
    }

    /// The lanes in which the role has just these legal moves; the view is there.
    fn asked(&self, values: &Values<WIDTH>, active: Block<WIDTH>, legal: &[u32]) -> Block<WIDTH> {
        let active = active.and_not(values.wire(self.terminal));
        self.choices[self.role].iter().fold(active, |active, &(wire, _, mv)| {
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
        values.evaluate(&self.view);
        active = active.and_not(values.wire(self.terminal));
        if let Some(legal) = &lived.legal {
            active = self.asked(values, active, legal);
        }
        let mut live = Vec::new();
        for (role, moves) in self.choices.iter().enumerate() {
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
        values.evaluate(&self.step);
        for &(percept, wire) in &self.sees {
            let on = values.wire(wire);
            let expected = lived.percepts.binary_search(&percept).is_ok();
            active = if expected { active.and(on) } else { active.and_not(on) };
        }
        let next: Vec<Block<WIDTH>> = self.next.iter().map(|&wire| values.wire(wire)).collect();
        for (slot, block) in (1..).zip(next) {
            values.set(slot, block);
        }
        active
    }
}

const ALL: Block<WIDTH> = Block([u64::MAX; WIDTH]);
