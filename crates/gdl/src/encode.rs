//! Positions and moves of rule sheets as numbers, see [`ludex_core::encode`](mod@ludex_core::encode).
//!
//! A position of a game without hidden information is one feature for each fact that can hold. In a game with hidden
//! information a seat has its own percepts: those of the last step, how often each was seen, and how often each own move
//! was made. The seat itself is a feature too, since roles may differ.
//!
//! The number of an action is that of its term among the terms of all players' moves, so `(drop 3)` has one number, whoever
//! drops. Engines that do not ground the rules know neither, and number the legal moves of each position instead.

use std::collections::HashMap;

use ludex_core::encode::Features;
use ludex_core::{ActionSpace, Encoding, Move, Player, Record};

use crate::engines::reasoner::{self, Reasoner};

/// The layouts of a game.
pub(crate) struct Coder {
    /// By move: its action number.
    numbers: Vec<u32>,
    actions: u32,
    facts: Option<u32>,
    percepts: u32,
    moves: u32,
    seats: u32,
}

impl Coder {
    /// The layouts of a game in which these roles are the players.
    pub(crate) fn new(engine: &dyn Reasoner, roles: &[usize]) -> Coder {
        let mut known: HashMap<String, u32> = HashMap::new();
        let moves = engine.move_count().unwrap_or(0);
        let mut numbers = vec![u32::MAX; moves as usize];
        for range in roles.iter().filter_map(|&role| engine.role_moves(role)) {
            let own = numbers.get_mut(range.start as usize..range.end as usize);
            for (number, mv) in own.into_iter().flatten().zip(range) {
                let next = known.len() as u32;
                *number = *known.entry(engine.move_text(mv)).or_insert(next);
            }
        }
        Coder {
            numbers,
            actions: known.len() as u32,
            facts: engine.fact_count(),
            percepts: engine.percept_count().unwrap_or(0),
            moves,
            seats: roles.len() as u32,
        }
    }

    /// The action numbers; `None` where the engine does not know all moves.
    pub(crate) fn space(&self) -> Option<ActionSpace> {
        (self.actions > 0).then_some(ActionSpace::dense(self.actions))
    }

    pub(crate) fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        match self.actions {
            0 => out.extend(0..legal.len() as u32),
            _ => out.extend(
                legal.iter().map(|mv| self.numbers.get(mv.0 as usize).copied().unwrap_or(u32::MAX)),
            ),
        }
    }

    pub(crate) fn encoding(&self, hidden: bool) -> Encoding {
        match (self.facts, hidden) {
            (None, _) => Encoding::default(),
            (Some(facts), false) => {
                Encoding::flat((facts + self.seats) as usize, &["facts", "seat"])
            }
            (Some(_), true) => {
                let width = 2 * self.percepts + self.moves + self.seats;
                let groups = ["percepts of the last step", "percepts so far", "own moves", "seat"];
                Encoding::flat(width as usize, &groups)
            }
        }
    }

    pub(crate) fn encode(&self, state: &reasoner::State, seat: Player, out: &mut Features) {
        let Some(facts) = self.facts else { return };
        for (word, &bits) in state.iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                let fact = word as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                if fact < facts {
                    out.push((fact, 1.0));
                }
            }
        }
        out.push((facts + u32::from(seat.0), 1.0));
    }

    pub(crate) fn encode_hidden(&self, records: &[Record], seat: Player, out: &mut Features) {
        if self.facts.is_none() {
            return;
        }
        // Records without a percept are half steps, or steps in which the seat saw nothing.
        if let Some(last) = records.last() {
            let words = last.percept.0.iter().filter(|&&word| word < self.percepts.into());
            out.extend(words.map(|&word| (word as u32, 1.0)));
        }
        let mut counts = vec![0.0f32; (self.percepts + self.moves) as usize];
        let mut count = |at: u64| {
            if let Some(slot) = usize::try_from(at).ok().and_then(|at| counts.get_mut(at)) {
                *slot += 1.0;
            }
        };
        for record in records {
            record
                .percept
                .0
                .iter()
                .filter(|&&word| word < self.percepts.into())
                .for_each(|&word| count(word));
            if let Some(own) = record.own {
                count(u64::from(self.percepts) + own.0);
            }
        }
        let made = counts.iter().enumerate().filter(|(_, n)| **n > 0.0);
        out.extend(made.map(|(at, &n)| (self.percepts + at as u32, n)));
        out.push((2 * self.percepts + self.moves + u32::from(seat.0), 1.0));
    }
}
