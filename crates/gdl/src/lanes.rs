//! T0: many random games at once, one per bit lane.
//!
//! Every wire of the net is a [`Block`] of 256 to 1024 lanes; a gate costs a few vector
//! instructions for all of them. All lanes are in the same phase of the game (see
//! [`crate::phases`]); a lane whose game is over waits for its phase and gets the next game.

use ludex_core::Seed;
use ludex_core::playout::{LONGEST, Outcomes};

use crate::block::{Block, Streams, transpose};
use crate::code::{Code, Compiler, Op, Run, Sweep};
use crate::net::{FALSE, Kind};
use crate::phases::{PhaseNet, Phases};
use crate::propnet::Propnet;
use crate::reasoner::State;
use crate::select::choose;

/// Slot of the constant.
const ON: u32 = 0;

/// What a role does in a phase.
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
    /// Fluent's slot and what it becomes; left out if it stays as it is.
    next: Vec<(u32, u32)>,
    /// By role: payoffs other than 0 with their wires, ascending.
    goals: Vec<Vec<(f32, u32)>>,
    slots: usize,
}

/// The batch engine of a game.
#[derive(Clone, Debug)]
pub struct Lanes {
    phases: Vec<Phase>,
    fixed: Phases,
    /// The fluents that have slots: fluent `bases[i]` is in slot `1 + i`.
    bases: Vec<u32>,
    roles: usize,
    /// The role that is chance.
    random: Option<usize>,
    slots: usize,
    width: usize,
}

impl Lanes {
    /// An engine for the states that agree with the phases.
    pub fn new(propnet: &Propnet, phases: Phases) -> Lanes {
        let bases: Vec<u32> =
            (0..propnet.bases.len() as u32).filter(|&i| phases.live[i as usize]).collect();
        let mut base_slot = vec![ON; propnet.bases.len()];
        for (i, &base) in bases.iter().enumerate() {
            base_slot[base as usize] = 1 + i as u32;
        }
        let code: Vec<Phase> =
            phases.nets.iter().map(|net| Phase::new(propnet, net, &bases, &base_slot)).collect();
        let slots = code.iter().map(|p| p.slots).max().unwrap_or(1);
        // As many lanes as keep the values within the cache, more being better for small nets.
        let width = match slots {
            0..=4000 => 16,
            4001..=16000 => 8,
            _ => 4,
        };
        let roles = propnet.roles.len();
        let random = propnet.roles.iter().position(|r| r.eq_ignore_ascii_case("random"));
        Lanes { phases: code, fixed: phases, bases, roles, random, slots, width }
    }

    /// How many games run at once.
    pub fn lanes(&self) -> usize {
        self.width * 64
    }

    /// The phase that a state is in; `None` if this engine is not for it.
    pub fn phase_of(&self, state: &State) -> Option<usize> {
        self.fixed.phase_of(state)
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
        codes.map(|code| code.wires.len()).sum()
    }

    /// Plays `n` random games from each start and appends the payoffs of the roles `seats`;
    /// false, and nothing done, if a start agrees with no phase.
    pub fn playouts(
        &self,
        starts: &[State],
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
        let results = match self.width {
            16 => dispatch::<16>(self, job, seed),
            8 => dispatch::<8>(self, job, seed),
            _ => dispatch::<4>(self, job, seed),
        };
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
        let mut compiler = Compiler::new(&net.net, free, |kind| match kind {
            Kind::Base(i) => base_slot[i as usize],
            Kind::Does(m) => move_slot[m as usize],
            _ => ON,
        });
        let open = |m: &usize| net.does[*m].is_none();
        let legal = (0..propnet.moves.len()).filter(open).map(|m| net.legal[m]);
        let view = compiler.compile(legal.chain([net.terminal]));
        let goal = compiler.compile(net.goals.iter().flatten().map(|&(_, w)| w));
        let step = compiler.compile(bases.iter().map(|&b| net.next[b as usize]));
        let choices = (0..propnet.roles.len())
            .map(|role| {
                let moves: Vec<(u32, u32)> = propnet
                    .moves_of(role)
                    .filter(open)
                    .map(|m| (compiler.wire(net.legal[m]), move_slot[m]))
                    .collect();
                if moves.is_empty() { Choice::Fixed } else { Choice::Among(moves) }
            })
            .collect();
        let next = bases
            .iter()
            .map(|&b| (base_slot[b as usize], compiler.wire(net.next[b as usize])))
            .filter(|&(slot, wire)| slot << 1 != wire)
            .collect();
        let goals = net
            .goals
            .iter()
            .map(|list| {
                let paying = list.iter().filter(|&&(value, w)| value > 0 && w != FALSE);
                paying.map(|&(v, w)| (f32::from(v) / 100.0, compiler.wire(w))).collect()
            })
            .collect();
        let terminal = compiler.wire(net.terminal);
        let slots = compiler.slots();
        let phase = Phase { view, goal, step, terminal, choices, next, goals, slots };
        phase.check();
        phase
    }

    /// The evaluator trusts slots: see to it here that none lies outside.
    fn check(&self) {
        let inside = |slot: u32| assert!((slot as usize) < self.slots, "slot out of range");
        for code in [&self.view, &self.goal, &self.step] {
            code.wires.iter().for_each(|&slot| inside(slot));
            for op in &code.ops {
                match op {
                    Op::Run(run) => {
                        inside(run.out + run.gates - 1);
                        let wires = (run.plain + run.negated) * run.gates;
                        assert!((run.from + wires) as usize <= code.wires.len());
                    }
                    Op::Loop(sweeps) => sweeps.iter().for_each(|sweep| match sweep {
                        Sweep::Gate { out, plain, negated } => {
                            [*out].iter().chain(plain).chain(negated).for_each(|&s| inside(s));
                        }
                        Sweep::Grow { latch, def } => {
                            inside(*latch);
                            inside(def >> 1);
                        }
                    }),
                }
            }
        }
    }
}

const UNFINISHED: u32 = u32::MAX;

/// What is to be played: for each phase the starts with the games still to begin.
struct Job<'a> {
    starts: &'a [State],
    n: usize,
    queues: Vec<Vec<(u32, u32)>>,
}

/// One row per game: payoffs by role, number of plies.
struct Results {
    payoffs: Vec<f32>,
    plies: Vec<u32>,
}

/// Runs a batch with the widest vector instructions of this machine.
fn dispatch<const W: usize>(lanes: &Lanes, job: Job<'_>, seed: Seed) -> Results {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn avx2<const W: usize>(lanes: &Lanes, job: Job<'_>, seed: Seed) -> Results {
            run::<W>(lanes, job, seed)
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn avx512<const W: usize>(lanes: &Lanes, job: Job<'_>, seed: Seed) -> Results {
            run::<W>(lanes, job, seed)
        }
        let avx2_here = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        if avx2_here
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
        {
            // SAFETY: this machine has the instructions.
            return unsafe { avx512::<W>(lanes, job, seed) };
        }
        if avx2_here {
            // SAFETY: this machine has the instructions.
            return unsafe { avx2::<W>(lanes, job, seed) };
        }
    }
    run::<W>(lanes, job, seed)
}

#[inline(always)]
fn run<const W: usize>(lanes: &Lanes, job: Job<'_>, seed: Seed) -> Results {
    let rows = job.starts.len() * job.n;
    let mut batch = Batch::<W> {
        lanes,
        values: vec![Block::NONE; lanes.slots],
        active: Block::NONE,
        row: vec![0; W * 64],
        began: vec![0; W * 64],
        results: Results { payoffs: vec![0.0; rows * lanes.roles], plies: vec![UNFINISHED; rows] },
        rng: Streams::new(seed),
        live: Vec::new(),
        stage: Vec::new(),
    };
    batch.values[ON as usize] = Block::ALL;
    batch.play(job);
    batch.results
}

/// The lanes at work.
struct Batch<'a, const W: usize> {
    lanes: &'a Lanes,
    values: Vec<Block<W>>,
    /// Lanes with a game under way.
    active: Block<W>,
    /// By lane: the game's row in the results.
    row: Vec<u32>,
    /// By lane: the step at which its game began.
    began: Vec<u32>,
    results: Results,
    rng: Streams,
    live: Vec<u32>,
    stage: Vec<Block<W>>,
}

impl<const W: usize> Batch<'_, W> {
    #[inline(always)]
    fn play(&mut self, mut job: Job<'_>) {
        let lanes = self.lanes;
        let mut now = 0u32;
        let mut phase = 0;
        loop {
            if !job.queues[phase].is_empty() && self.active != Block::ALL {
                self.refill(&mut job, phase, now);
            }
            if !self.active.any() {
                if job.queues.iter().all(Vec::is_empty) {
                    return;
                }
                phase = (phase + 1) % lanes.phases.len();
                continue;
            }
            let code = &lanes.phases[phase];
            self.evaluate(&code.view);
            let over = self.wire(code.terminal).and(self.active);
            if over.any() {
                self.evaluate(&code.goal);
                self.record(code, over, now);
                self.active = self.active.and_not(over);
            }
            let playing = self.active;
            let (mut chance, mut players) = (Block::NONE, Block::NONE);
            for (role, choice) in code.choices.iter().enumerate() {
                if let Choice::Among(moves) = choice {
                    let open = self.choose(moves);
                    if Some(role) == lanes.random {
                        chance = open;
                    } else {
                        players = players.or(open);
                    }
                }
            }
            // A role without a legal move: the game goes no further.
            let stuck = playing.and_not(self.active);
            if stuck.any() {
                self.evaluate(&code.goal);
                self.record(code, stuck, now);
            }
            // Where players and chance both choose, that is two steps of the game.
            if lanes.random.is_some() {
                let began = &mut self.began;
                chance.and(players).each(|lane| began[lane] = began[lane].wrapping_sub(1));
            }
            self.evaluate(&code.step);
            self.stage.clear();
            for &(_, wire) in &code.next {
                let value = self.wire(wire);
                self.stage.push(value);
            }
            for (&(slot, _), &value) in code.next.iter().zip(&self.stage) {
                self.values[slot as usize] = value;
            }
            now += 1;
            phase = (phase + 1) % lanes.phases.len();
            if now.is_multiple_of(1024) {
                self.give_up(now);
            }
        }
    }

    /// Takes lanes out whose game does not end.
    fn give_up(&mut self, now: u32) {
        let mut late = Block::NONE;
        let began = &self.began;
        self.active.each(|lane| {
            if now.wrapping_sub(began[lane]) > LONGEST {
                late.insert(lane);
            }
        });
        self.active = self.active.and_not(late);
    }

    #[inline(always)]
    fn wire(&self, wire: u32) -> Block<W> {
        let value = self.values[(wire >> 1) as usize];
        if wire & 1 == 1 { Block::ALL.and_not(value) } else { value }
    }

    /// Begins new games in free lanes.
    fn refill(&mut self, job: &mut Job<'_>, phase: usize, now: u32) {
        let mut free = Block::ALL.and_not(self.active);
        let mut singles: Vec<(usize, u32)> = Vec::new();
        while free.any()
            && let Some((start, left)) = job.queues[phase].pop()
        {
            let mut mask = Block::NONE;
            let mut taken = 0;
            for w in 0..W {
                while free.0[w] != 0 && taken < left {
                    let bit = free.0[w] & free.0[w].wrapping_neg();
                    free.0[w] ^= bit;
                    mask.0[w] |= bit;
                    let lane = w * 64 + bit.trailing_zeros() as usize;
                    self.row[lane] = start * job.n as u32 + (left - 1 - taken);
                    self.began[lane] = now;
                    taken += 1;
                }
            }
            if taken < left {
                job.queues[phase].push((start, left - taken));
            }
            self.active = self.active.or(mask);
            let state = &job.starts[start as usize];
            if taken > 2 || self.lanes.bases.len() < 64 {
                for (i, &base) in self.lanes.bases.iter().enumerate() {
                    let slot = &mut self.values[1 + i];
                    let holds = state[base as usize / 64] >> (base % 64) & 1 == 1;
                    *slot = if holds { slot.or(mask) } else { slot.and_not(mask) };
                }
            } else {
                mask.each(|lane| singles.push((lane, start)));
            }
        }
        if !singles.is_empty() {
            singles.sort_unstable();
            self.load(job.starts, &singles);
        }
    }

    /// Loads many different states, word by word of lanes, through bit transposes.
    fn load(&mut self, starts: &[State], lanes_starts: &[(usize, u32)]) {
        let mut at = 0;
        while at < lanes_starts.len() {
            let word = lanes_starts[at].0 / 64;
            let end = at + lanes_starts[at..].iter().take_while(|x| x.0 / 64 == word).count();
            let group = &lanes_starts[at..end];
            let mask = group.iter().fold(0u64, |m, x| m | 1 << (x.0 % 64));
            let mut square = [0u64; 64];
            let mut loaded = usize::MAX;
            for (index, &base) in self.lanes.bases.iter().enumerate() {
                let (w, bit) = (base as usize / 64, base as usize % 64);
                if w != loaded {
                    square = [0; 64];
                    for &(lane, start) in group {
                        square[lane % 64] = starts[start as usize][w];
                    }
                    transpose(&mut square);
                    loaded = w;
                }
                let value = &mut self.values[1 + index].0[word];
                *value = *value & !mask | square[bit];
            }
            at = end;
        }
    }

    #[inline(always)]
    fn record(&mut self, code: &Phase, over: Block<W>, now: u32) {
        let (row, began, results) = (&self.row, &self.began, &mut self.results);
        over.each(|lane| results.plies[row[lane] as usize] = now.wrapping_sub(began[lane]));
        let roles = self.lanes.roles;
        for (role, goals) in code.goals.iter().enumerate() {
            for &(payoff, wire) in goals {
                let won = self.wire(wire).and(over);
                let (row, payoffs) = (&self.row, &mut self.results.payoffs);
                won.each(|lane| payoffs[row[lane] as usize * roles + role] = payoff);
            }
        }
    }

    /// One random move of a role in every active lane; lanes without a legal move are given up.
    /// Returns the lanes in which there was a choice.
    #[inline(always)]
    fn choose(&mut self, moves: &[(u32, u32)]) -> Block<W> {
        self.live.clear();
        for &(legal, slot) in moves {
            let plane = self.wire(legal).and(self.active);
            self.values[slot as usize] = plane;
            if plane.any() {
                self.live.push(slot);
            }
        }
        let (some, open) = match self.live.as_slice() {
            [only] => (self.values[*only as usize], Block::NONE),
            live => choose(&mut self.values, live, &mut self.rng),
        };
        self.active = self.active.and(some);
        open
    }

    #[inline(always)]
    fn evaluate(&mut self, code: &Code) {
        for op in &code.ops {
            match op {
                Op::Run(run) => self.run(run, &code.wires),
                Op::Loop(sweeps) => self.sweep(sweeps),
            }
        }
    }

    #[inline(always)]
    fn run(&mut self, run: &Run, wires: &[u32]) {
        macro_rules! by_shape {
            ($(($p:literal, $n:literal))*) => {
                match (run.plain, run.negated) {
                    $(($p, $n) => self.run_fixed::<$p, $n>(run, wires),)*
                    _ => self.run_any(run, wires),
                }
            };
        }
        by_shape!((2, 0)(1, 1)(0, 2)(3, 0)(2, 1)(1, 2)(0, 3)(4, 0)(3, 1)(2, 2)(1, 3)(0, 4));
    }

    #[inline(always)]
    fn run_fixed<const P: usize, const N: usize>(&mut self, run: &Run, wires: &[u32]) {
        let values = self.values.as_mut_ptr();
        let mut from = run.from as usize;
        for gate in 0..run.gates as usize {
            // SAFETY: `Phase::check` has seen that all slots and wire indices of the code lie
            // inside, and `values` has as many slots as the largest phase needs.
            unsafe {
                let wire = wires.as_ptr().add(from);
                let mut all = Block::<W>::ALL;
                for i in 0..P {
                    all = all.and(*values.add(*wire.add(i) as usize));
                }
                for i in P..P + N {
                    all = all.and_not(*values.add(*wire.add(i) as usize));
                }
                *values.add(run.out as usize + gate) = all;
            }
            from += P + N;
        }
    }

    #[inline(always)]
    fn run_any(&mut self, run: &Run, wires: &[u32]) {
        let values = self.values.as_mut_ptr();
        let (plain, all_wires) = (run.plain as usize, (run.plain + run.negated) as usize);
        let mut from = run.from as usize;
        for gate in 0..run.gates as usize {
            // SAFETY: as in `run_fixed`.
            unsafe {
                let wire = wires.as_ptr().add(from);
                let mut all = Block::<W>::ALL;
                for i in 0..plain {
                    all = all.and(*values.add(*wire.add(i) as usize));
                }
                for i in plain..all_wires {
                    all = all.and_not(*values.add(*wire.add(i) as usize));
                }
                *values.add(run.out as usize + gate) = all;
            }
            from += all_wires;
        }
    }

    /// A loop's least fixpoint in all lanes.
    fn sweep(&mut self, sweeps: &[Sweep]) {
        for sweep in sweeps {
            if let Sweep::Grow { latch, .. } = sweep {
                self.values[*latch as usize] = Block::NONE;
            }
        }
        loop {
            let mut grew = Block::NONE;
            for sweep in sweeps {
                match sweep {
                    Sweep::Gate { out, plain, negated } => {
                        let mut all = Block::ALL;
                        for &slot in plain {
                            all = all.and(self.values[slot as usize]);
                        }
                        for &slot in negated {
                            all = all.and_not(self.values[slot as usize]);
                        }
                        self.values[*out as usize] = all;
                    }
                    Sweep::Grow { latch, def } => {
                        let old = self.values[*latch as usize];
                        let new = old.or(self.wire(*def));
                        grew = grew.or(new.and_not(old));
                        self.values[*latch as usize] = new;
                    }
                }
            }
            if !grew.any() {
                return;
            }
        }
    }
}
