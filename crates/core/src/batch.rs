//! Many games stepped together, for learners: one action number for each game in, observations, masks and rewards out.
//!
//! A [`Batch`] makes the moves of chance itself and gives simultaneous movers their turn one after the other, without
//! telling the second what the first has chosen. So each game of the batch always waits for exactly one action.
//!
//! ```
//! use ludex_core::batch::{Batch, Buffers, Rules};
//! use ludex_core::{Seed, testkit::Coins};
//! let game = Coins::default();
//! let mut buffers = Buffers::new(&game, 16);
//! let mut batch = Batch::new(&game, 0..16, Rules::default(), Seed(1));
//! batch.reset(&game, None, &mut buffers.frame());
//! let mut actions = vec![0; 16];
//! for _ in 0..100 {
//!     batch.random_actions(&mut actions);
//!     batch.step(&game, &actions, &mut buffers.frame());
//! }
//! assert!(buffers.rewards.iter().all(|reward| reward.abs() <= 1.0));
//! ```

use crate::encode::Features;
use crate::game::{Game, Move, Turn};
use crate::player::{Player, Players};
use crate::random::{Rng, Seed};
use crate::view::{Record, View};
use std::any::Any;
use std::ops::Range;

/// When a game that is over starts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AutoReset {
    /// At the next step, which ignores the action of this game.
    #[default]
    NextStep,
    /// In the step that ends it.
    SameStep,
    /// Never by itself: further steps change nothing and pay nothing.
    Disabled,
}

/// The effect of an action number that is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Illegal {
    /// The game ends. The mover gets the least result, every other player 0.
    #[default]
    End,
    /// A random legal move is made instead.
    Random,
}

/// How a batch is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// When games start again.
    pub reset: AutoReset,
    /// The effect of illegal actions.
    pub illegal: Illegal,
    /// A game is truncated after so many actions; 0: never.
    pub longest: u32,
    /// The size of the game's action space, if the caller wants another size than the game's own.
    pub actions: Option<u32>,
}

/// Where a batch writes: one row for each game.
#[derive(Debug)]
pub struct Frame<'a> {
    /// `width` features a row, for the player to move. A game that is over shows the view of the last mover.
    pub observations: &'a mut [f32],
    /// `size` action numbers a row: 1 where legal.
    pub masks: &'a mut [i8],
    /// One result for each seat a row.
    pub rewards: &'a mut [f32],
    /// Is the game over?
    pub terminated: &'a mut [bool],
    /// Was the game cut off?
    pub truncated: &'a mut [bool],
    /// The seat to move.
    pub players: &'a mut [i32],
    /// Was the action illegal?
    pub illegal: &'a mut [bool],
    /// The last observation of games that ended in this step, for [`AutoReset::SameStep`]; may be empty.
    pub finals: &'a mut [f32],
}

/// Memory for the [`Frame`] of a batch.
#[derive(Debug, Clone, Default)]
pub struct Buffers {
    /// See [`Frame::observations`].
    pub observations: Vec<f32>,
    /// See [`Frame::masks`].
    pub masks: Vec<i8>,
    /// See [`Frame::rewards`].
    pub rewards: Vec<f32>,
    /// See [`Frame::terminated`].
    pub terminated: Vec<bool>,
    /// See [`Frame::truncated`].
    pub truncated: Vec<bool>,
    /// See [`Frame::players`].
    pub players: Vec<i32>,
    /// See [`Frame::illegal`].
    pub illegal: Vec<bool>,
}

impl Buffers {
    /// Memory for `n` games.
    pub fn new<G: Game>(game: &G, n: usize) -> Self {
        Buffers {
            observations: vec![0.0; n * game.encoding().width()],
            masks: vec![0; n * game.action_space().size() as usize],
            rewards: vec![0.0; n * game.info().seats()],
            terminated: vec![false; n],
            truncated: vec![false; n],
            players: vec![0; n],
            illegal: vec![false; n],
        }
    }

    /// The frame over this memory.
    pub fn frame(&mut self) -> Frame<'_> {
        Frame {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            players: &mut self.players,
            illegal: &mut self.illegal,
            finals: &mut [],
        }
    }
}

/// Games that are stepped together.
pub struct Batch<G: Game> {
    origin: G::State,
    /// The number of the first game.
    first: usize,
    rows: Vec<Row<G>>,
    rules: Rules,
    width: usize,
    size: usize,
    seats: usize,
    hidden: bool,
    /// Scratch space.
    features: Features,
    payoffs: Vec<f32>,
    /// The longest list of legal moves that did not fit into the action space; 0: none.
    overflow: usize,
}

/// One game of a batch.
struct Row<G: Game> {
    state: G::State,
    /// The seats that have still to choose in this step.
    movers: Players,
    mover: Player,
    chosen: Vec<Move>,
    legal: Vec<Move>,
    numbers: Vec<u32>,
    rng: Rng,
    /// By seat; kept in games with hidden information only.
    records: Vec<Vec<Record>>,
    /// Waits for a reset: the game is over, or was cut off.
    over: bool,
    cut: bool,
    steps: u32,
}

impl<G: Game> Batch<G> {
    /// The games with these numbers, at their start. Game `i` draws from the random stream `seed.child(i)`, so results do
    /// not depend on how games are distributed over batches.
    pub fn new(game: &G, numbers: Range<usize>, rules: Rules, seed: Seed) -> Self {
        let origin = game.start();
        let info = game.info();
        let row = |number: usize| Row {
            state: origin.clone(),
            movers: Players(0),
            mover: Player(0),
            chosen: Vec::new(),
            legal: Vec::new(),
            numbers: Vec::new(),
            rng: seed.child(number as u64).rng(),
            records: vec![Vec::new(); if info.hidden { info.seats() } else { 0 }],
            over: false,
            cut: false,
            steps: 0,
        };
        Batch {
            first: numbers.start,
            rows: numbers.map(row).collect(),
            rules,
            width: game.encoding().width(),
            size: rules.actions.unwrap_or_else(|| game.action_space().size()) as usize,
            seats: info.seats(),
            hidden: info.hidden,
            features: Vec::new(),
            payoffs: vec![0.0; info.seats()],
            overflow: 0,
            origin,
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// No games?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The length of the longest list of legal moves that did not fit into the action space; 0: none so far.
    pub fn overflow(&self) -> usize {
        self.overflow
    }

    /// Starts all games again. With a seed, their random streams start again, too.
    pub fn reset(&mut self, game: &G, seed: Option<Seed>, out: &mut Frame<'_>) {
        for number in 0..self.rows.len() {
            let row = &mut self.rows[number];
            if let Some(seed) = seed {
                row.rng = seed.child((self.first + number) as u64).rng();
            }
            row.begin(game, &self.origin);
            out.illegal[number] = false;
            self.finish(game, number, out, false);
        }
    }

    /// Makes one action in each game.
    pub fn step(&mut self, game: &G, actions: &[i64], out: &mut Frame<'_>) {
        for (number, &action) in actions.iter().enumerate().take(self.rows.len()) {
            let row = &mut self.rows[number];
            out.illegal[number] = false;
            if row.over {
                if self.rules.reset != AutoReset::Disabled {
                    row.begin(game, &self.origin);
                }
                self.finish(game, number, out, false);
                continue;
            }
            let found = row.numbers.iter().position(|&known| i64::from(known) == action);
            let at = match (found, self.rules.illegal) {
                (Some(at), _) => at,
                (None, Illegal::Random) => {
                    out.illegal[number] = true;
                    row.rng.index(row.legal.len())
                }
                (None, Illegal::End) => {
                    out.illegal[number] = true;
                    row.over = true;
                    self.finish(game, number, out, true);
                    continue;
                }
            };
            row.choose(game, at, self.hidden);
            self.finish(game, number, out, true);
        }
    }

    /// Writes a random legal action number for each game.
    pub fn random_actions(&mut self, out: &mut [i64]) {
        for (row, out) in self.rows.iter_mut().zip(out) {
            let at = row.rng.index(row.numbers.len());
            *out = row.numbers.get(at).map_or(0, |&number| number.into());
        }
    }

    /// Writes the row of a game after a step or a reset, and starts it again where that is due.
    #[inline]
    fn finish(&mut self, game: &G, number: usize, out: &mut Frame<'_>, stepped: bool) {
        let row = &mut self.rows[number];
        let rewards = &mut out.rewards[number * self.seats..][..self.seats];
        rewards.fill(0.0);
        if row.over && stepped {
            let info = game.info();
            if out.illegal[number] && self.rules.illegal == Illegal::End {
                if let Some(reward) = rewards.get_mut(row.mover.index()) {
                    *reward = info.returns[0];
                }
            } else {
                game.payoffs(&row.state, &mut self.payoffs);
                for (reward, &payoff) in rewards.iter_mut().zip(&self.payoffs) {
                    *reward = info.result(payoff);
                }
            }
        } else if !row.over && self.rules.longest > 0 && row.steps >= self.rules.longest {
            (row.over, row.cut) = (true, true);
        }
        out.terminated[number] = row.over && !row.cut;
        out.truncated[number] = row.cut;
        if row.over && self.rules.reset == AutoReset::SameStep {
            let last = out.finals.get_mut(number * self.width..(number + 1) * self.width);
            if let Some(last) = last {
                row.observe(game, &self.origin, &mut self.features, last);
            }
            row.begin(game, &self.origin);
        }
        let mask = &mut out.masks[number * self.size..][..self.size];
        mask.fill(0);
        for &legal in &row.numbers {
            match mask.get_mut(legal as usize) {
                Some(bit) => *bit = 1,
                None => self.overflow = self.overflow.max(row.numbers.len()),
            }
        }
        out.players[number] = row.mover.0.into();
        let observation = &mut out.observations[number * self.width..][..self.width];
        row.observe(game, &self.origin, &mut self.features, observation);
    }
}

impl<G: Game> Row<G> {
    /// Starts again.
    fn begin(&mut self, game: &G, origin: &G::State) {
        self.state.clone_from(origin);
        self.records.iter_mut().for_each(Vec::clear);
        (self.over, self.cut, self.steps) = (false, false, 0);
        self.chosen.clear();
        self.settle(game, !self.records.is_empty());
    }

    /// Makes the choice of the mover, and the step when all movers have chosen.
    #[inline]
    fn choose(&mut self, game: &G, at: usize, hidden: bool) {
        self.steps += 1;
        self.chosen.extend(self.legal.get(at));
        self.movers = self.movers.without(self.mover);
        match self.movers.iter().next() {
            Some(next) => self.ask(game, next),
            None if hidden => {
                let joint = std::mem::take(&mut self.chosen);
                self.advance(game, &joint);
                self.chosen = joint;
                self.settle(game, true);
            }
            None => {
                game.apply(&mut self.state, &self.chosen);
                self.settle(game, false);
            }
        }
    }

    /// Makes a step and keeps the records of it.
    #[cold]
    fn advance(&mut self, game: &G, joint: &[Move]) {
        let before = self.state.clone();
        let turn = game.turn(&before);
        game.apply(&mut self.state, joint);
        for (seat, records) in self.records.iter_mut().enumerate() {
            let seat = Player(seat as u8);
            records.push(Record::of_step(game, &before, turn, joint, &self.state, seat));
        }
    }

    /// Lets chance move until a player must choose or the game is over.
    #[inline]
    fn settle(&mut self, game: &G, hidden: bool) {
        self.chosen.clear();
        loop {
            match game.turn(&self.state) {
                Turn::Over => {
                    self.over = true;
                    self.movers = Players(0);
                    self.legal.clear();
                    self.numbers.clear();
                    return;
                }
                Turn::Chance => {
                    let outcome = game.sample_chance(&self.state, &mut self.rng);
                    if hidden {
                        self.advance(game, &[outcome]);
                    } else {
                        game.apply(&mut self.state, &[outcome]);
                    }
                }
                turn => {
                    self.movers = turn.movers();
                    let first = self.movers.iter().next().unwrap_or_default();
                    return self.ask(game, first);
                }
            }
        }
    }

    /// Makes `mover` the seat to choose.
    #[inline]
    fn ask(&mut self, game: &G, mover: Player) {
        self.mover = mover;
        self.legal.clear();
        self.numbers.clear();
        game.moves(&self.state, mover, &mut self.legal);
        game.actions(&self.legal, &mut self.numbers);
    }

    /// Writes the mover's observation.
    #[inline]
    fn observe(&self, game: &G, origin: &G::State, features: &mut Features, out: &mut [f32]) {
        out.fill(0.0);
        features.clear();
        let records = self.records.get(self.mover.index()).map_or(&[][..], Vec::as_slice);
        let view = View::new(game, origin, self.mover, records, &self.state, &self.legal);
        game.encode(&view, features);
        for &(at, value) in &*features {
            if let Some(slot) = out.get_mut(at as usize) {
                *slot = value;
            }
        }
    }
}

/// A [`Batch`] of any game. Only the game that made it can step it.
pub struct AnyBatch(Box<dyn ErasedBatch>);

/// A batch behind a pointer.
trait ErasedBatch: Any + Send + Sync {
    fn overflow(&self) -> usize;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<G: Game> ErasedBatch for Batch<G> {
    fn overflow(&self) -> usize {
        Batch::overflow(self)
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl AnyBatch {
    pub(crate) fn new<G: Game>(batch: Batch<G>) -> Self {
        AnyBatch(Box::new(batch))
    }

    pub(crate) fn of_mut<G: Game>(&mut self) -> Option<&mut Batch<G>> {
        self.0.as_any_mut().downcast_mut()
    }

    /// See [`Batch::overflow`].
    pub fn overflow(&self) -> usize {
        self.0.overflow()
    }
}
