//! Random games, one per lane, until all are played.
//!
//! All lanes are in the same phase of the game. A lane whose game is over is frozen until the goals
//! are worth evaluating, once for many lanes; then it waits for a game that begins in the phase at
//! hand. When no more games are to begin and those under way fit into half the lanes, they move
//! together and go on in narrower blocks.

use ludex_core::Seed;
use ludex_core::deadline::Ticker;
use ludex_core::playout::LONGEST;

use super::values::Values;
use super::{Choice, Lanes, Phase};
use crate::engines::lanes::block::{Block, Streams};
use crate::engines::lanes::select::choose;
use crate::engines::reasoner::State;

/// Marks the row of a game that did not end.
pub(super) const UNFINISHED: u32 = u32::MAX;

/// The games to play: for each phase the starts, with the number of games that are still to begin.
pub(super) struct Job<'a> {
    pub(super) starts: &'a [&'a State],
    pub(super) n: usize,
    pub(super) queues: Vec<Vec<(u32, u32)>>,
}

impl Job<'_> {
    fn is_empty(&self) -> bool {
        self.queues.iter().all(Vec::is_empty)
    }
}

/// One row per game: payoffs by role, number of plies.
pub(super) struct Results {
    pub(super) payoffs: Vec<f32>,
    pub(super) plies: Vec<u32>,
}

/// Plays a job, with the widest vector instructions of this machine; `width` is 4, 8 or 16 words
/// of lanes.
pub(super) fn play(lanes: &Lanes, job: Job<'_>, seed: Seed, width: usize) -> Results {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn avx2(lanes: &Lanes, job: Job<'_>, seed: Seed, width: usize) -> Results {
            run(lanes, job, seed, width)
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn avx512(lanes: &Lanes, job: Job<'_>, seed: Seed, width: usize) -> Results {
            run(lanes, job, seed, width)
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
            return unsafe { avx512(lanes, job, seed, width) };
        }
        if avx2_here {
            // SAFETY: this machine has the instructions.
            return unsafe { avx2(lanes, job, seed, width) };
        }
    }
    run(lanes, job, seed, width)
}

#[inline(always)]
fn run(lanes: &Lanes, mut job: Job<'_>, seed: Seed, width: usize) -> Results {
    let rows = job.starts.len() * job.n;
    let mut course = Course {
        now: 0,
        phase: 0,
        results: Results { payoffs: vec![0.0; rows * lanes.roles], plies: vec![UNFINISHED; rows] },
        rng: Streams::new(seed),
    };
    let mut games = Games::default();
    if width >= 16 {
        games = Batch::<16>::new(lanes, &mut course, games).play(&mut job, 8 * 64);
    }
    if width >= 8 {
        games = Batch::<8>::new(lanes, &mut course, games).play(&mut job, 4 * 64);
    }
    Batch::<4>::new(lanes, &mut course, games).play(&mut job, 0);
    course.results
}

/// The part of a batch that survives when games change their lanes.
struct Course {
    now: u32,
    phase: usize,
    results: Results,
    rng: Streams,
}

/// Games under way, without gaps.
#[derive(Default)]
struct Games {
    /// By game: its row in the results and the step at which it began.
    rows: Vec<(u32, u32)>,
    /// The fluents one after the other, each as words of one bit per game.
    bits: Vec<u64>,
}

/// The lanes at work.
struct Batch<'a, const W: usize> {
    lanes: &'a Lanes,
    course: &'a mut Course,
    values: Values<W>,
    /// Lanes with a game under way.
    active: Block<W>,
    /// Lanes whose game is over and whose goals are still to be read, by phase.
    over: Vec<Block<W>>,
    /// Lanes with such a game.
    frozen: Block<W>,
    /// Work lost so far because frozen lanes played no game.
    lost: f64,
    /// By lane: the game's row in the results.
    row: Vec<u32>,
    /// By lane: the step at which its game began.
    began: Vec<u32>,
    live: Vec<u32>,
    stage: Vec<Block<W>>,
}

impl<'a, const W: usize> Batch<'a, W> {
    fn new(lanes: &'a Lanes, course: &'a mut Course, games: Games) -> Self {
        let mut batch = Batch {
            lanes,
            course,
            values: Values::new(lanes.slots),
            active: Block::NONE,
            over: vec![Block::NONE; lanes.phases.len()],
            frozen: Block::NONE,
            lost: 0.0,
            row: vec![0; W * 64],
            began: vec![0; W * 64],
            live: Vec::new(),
            stage: Vec::new(),
        };
        for (lane, &(row, began)) in games.rows.iter().enumerate() {
            batch.active.insert(lane);
            (batch.row[lane], batch.began[lane]) = (row, began);
        }
        let words = games.rows.len().div_ceil(64);
        if words > 0 {
            let blocks = batch.values.blocks()[1..].iter_mut();
            for (block, bits) in blocks.zip(games.bits.chunks_exact(words)) {
                block.0[..words].copy_from_slice(bits);
            }
        }
        batch
    }

    /// Takes the games under way out of their lanes.
    fn games(&self) -> Games {
        let mut games = Games::default();
        self.active.each(|lane| games.rows.push((self.row[lane], self.began[lane])));
        for slot in 1..=self.lanes.bases.len() as u32 {
            let block = self.values.get(slot);
            let (mut word, mut filled) = (0u64, 0);
            for (&bits, &mask) in block.0.iter().zip(&self.active.0) {
                let (packed, count) = (compress(bits, mask), mask.count_ones());
                word |= packed.unbounded_shl(filled);
                filled += count;
                if filled >= 64 {
                    games.bits.push(word);
                    filled -= 64;
                    word = packed.unbounded_shr(count - filled);
                }
            }
            if filled > 0 {
                games.bits.push(word);
            }
        }
        games
    }

    /// Plays until all games are over, or until no more are to begin and no more than `few` are
    /// under way: those are given back. Where the thread's deadline passes, the rest is given up.
    #[inline(always)]
    fn play(mut self, job: &mut Job<'_>, few: usize) -> Games {
        let lanes = self.lanes;
        let phases = lanes.phases.len();
        let mut ticker = Ticker::default();
        loop {
            if ticker.step() {
                job.queues.iter_mut().for_each(Vec::clear);
                return Games::default();
            }
            let phase = self.course.phase;
            let taken = self.active.or(self.frozen);
            if !job.queues[phase].is_empty() && taken != Block::ALL {
                self.refill(job, phase);
            }
            let no_more = job.is_empty();
            if no_more && self.active.count() as usize <= few {
                for (code, phase) in lanes.phases.iter().zip(0..) {
                    if self.over[phase].any() {
                        self.values.evaluate(&code.view);
                        self.read_goals(code, phase);
                    }
                }
                return self.games();
            }
            if self.active.any() || self.frozen.any() {
                self.step(&lanes.phases[phase], no_more);
                self.course.now += 1;
            }
            self.course.phase = (phase + 1) % phases;
            if self.course.now.is_multiple_of(1024) {
                self.give_up();
            }
        }
    }

    /// One step of all games; `no_more` are waiting to begin.
    #[inline(always)]
    fn step(&mut self, code: &Phase, no_more: bool) {
        let (random, phase) = (self.lanes.random, self.course.phase);
        self.values.evaluate(&code.view);
        let over = self.values.wire(code.terminal).and(self.active);
        if over.any() {
            self.freeze(over, phase);
        }
        if self.over[phase].any() {
            // Idle lanes cost nothing if there is no game for them.
            if !no_more {
                let idle = f64::from(self.frozen.count()) / (W * 64) as f64;
                self.lost += idle * (code.view.wires().len() + code.step.wires().len()) as f64;
            }
            if self.lost > code.goal.wires().len() as f64 || !no_more && !self.active.any() {
                self.read_goals(code, phase);
                self.lost = 0.0;
            }
        }
        if !self.active.any() {
            return;
        }
        let playing = self.active;
        let (mut chance, mut players) = (Block::NONE, Block::NONE);
        for (role, choice) in code.choices.iter().enumerate() {
            if let Choice::Among(moves) = choice {
                let open = self.choose(moves);
                if Some(role) == random {
                    chance = open;
                } else {
                    players = players.or(open);
                }
            }
        }
        // A role without a legal move: the game goes no further.
        let stuck = playing.and_not(self.active);
        if stuck.any() {
            self.freeze(stuck, phase);
        }
        // Where players and chance both choose, that is two steps of the game; in some games always.
        if random.is_some() {
            let began = &mut self.began;
            let twice = match (self.lanes.halves, self.lanes.roles) {
                (false, _) => chance.and(players),
                (true, 0..=2) => players,
                (true, _) => self.active,
            };
            twice.each(|lane| began[lane] = began[lane].wrapping_sub(1));
        }
        self.values.evaluate(&code.step);
        self.stage.clear();
        self.stage.extend(code.next.iter().map(|&(_, wire)| self.values.wire(wire)));
        let frozen = self.frozen;
        if frozen.any() {
            for (&(slot, _), &value) in code.next.iter().zip(&self.stage) {
                let kept = self.values.get(slot).and(frozen);
                self.values.set(slot, value.and_not(frozen).or(kept));
            }
        } else {
            for (&(slot, _), &value) in code.next.iter().zip(&self.stage) {
                self.values.set(slot, value);
            }
        }
    }

    /// The games in these lanes are over.
    #[inline(always)]
    fn freeze(&mut self, lanes: Block<W>, phase: usize) {
        let (row, began, plies) = (&self.row, &self.began, &mut self.course.results.plies);
        let now = self.course.now;
        lanes.each(|lane| plies[row[lane] as usize] = now.wrapping_sub(began[lane]));
        self.active = self.active.and_not(lanes);
        self.over[phase] = self.over[phase].or(lanes);
        self.frozen = self.frozen.or(lanes);
    }

    /// Evaluates the goals of the phase, whose view is there, and lets its frozen lanes go.
    #[inline(always)]
    fn read_goals(&mut self, code: &Phase, phase: usize) {
        self.values.evaluate(&code.goal);
        let over = std::mem::replace(&mut self.over[phase], Block::NONE);
        self.frozen = self.frozen.and_not(over);
        let roles = self.lanes.roles;
        for (role, goals) in code.goals.iter().enumerate() {
            for &(value, wire) in goals.iter().filter(|goal| goal.0 > 0) {
                let won = self.values.wire(wire).and(over);
                let payoff = f32::from(value) / 100.0;
                let (row, payoffs) = (&self.row, &mut self.course.results.payoffs);
                won.each(|lane| payoffs[row[lane] as usize * roles + role] = payoff);
            }
        }
    }

    /// Takes lanes out whose game does not end.
    fn give_up(&mut self) {
        let mut late = Block::NONE;
        self.active.each(|lane| {
            if self.course.now.wrapping_sub(self.began[lane]) > LONGEST {
                late.insert(lane);
            }
        });
        self.active = self.active.and_not(late);
    }

    /// Begins new games in free lanes.
    fn refill(&mut self, job: &mut Job<'_>, phase: usize) {
        let mut free = Block::ALL.and_not(self.active.or(self.frozen));
        let mut few: Vec<(usize, &State)> = Vec::new();
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
                    self.began[lane] = self.course.now;
                    taken += 1;
                }
            }
            if taken < left {
                job.queues[phase].push((start, left - taken));
            }
            self.active = self.active.or(mask);
            let state = job.starts[start as usize];
            if taken > 2 || job.n > 64 {
                self.values.fill(&self.lanes.bases, state, mask);
            } else {
                // Lanes are taken from below, so the list ascends.
                mask.each(|lane| few.push((lane, state)));
            }
        }
        self.values.load(&self.lanes.bases, &few);
    }

    /// One random move of a role in every active lane; lanes without a legal move are given up.
    /// Returns the lanes in which there was a choice.
    #[inline(always)]
    fn choose(&mut self, moves: &[(u32, u32)]) -> Block<W> {
        self.live.clear();
        for &(legal, slot) in moves {
            let plane = self.values.wire(legal).and(self.active);
            self.values.set(slot, plane);
            if plane.any() {
                self.live.push(slot);
            }
        }
        let (some, open) = match self.live.as_slice() {
            [only] => (self.values.get(*only), Block::NONE),
            live => choose(self.values.blocks(), live, &mut self.course.rng),
        };
        self.active = self.active.and(some);
        open
    }
}

/// The bits of a word at the places of a mask, moved together at the low end.
#[inline(always)]
fn compress(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the target has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut out, mut at, mut mask) = (0, 0, mask);
        while mask != 0 {
            out |= (word >> mask.trailing_zeros() & 1) << at;
            at += 1;
            mask &= mask - 1;
        }
        out
    }
}
