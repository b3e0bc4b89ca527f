//! The observation history of a seat: its own moves, its percepts, and the legal moves that it was shown.

use ludex_core::random::mix;
use ludex_core::trial;
use ludex_core::{Game, Match, Move, Player, Record, Result, Turn};

/// One step of an observation history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observation {
    /// The seat's own move and what it saw.
    pub record: Record,
    /// The seat's legal moves before the step, sorted, where they are known.
    pub legal: Option<Vec<Move>>,
}

/// The observation history of a seat. All histories of joint moves that agree with it form the seat's information set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observations {
    /// The seat that observed.
    pub seat: Player,
    /// The steps so far.
    pub steps: Vec<Observation>,
    /// The legal moves now, sorted, where the seat is to move and was told.
    pub now: Option<Vec<Move>>,
}

impl Observations {
    /// A seat before the first step.
    pub fn new(seat: Player) -> Self {
        Observations { seat, ..Observations::default() }
    }

    /// How many steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Has nothing happened yet?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// One more step.
    pub fn push(&mut self, record: Record) {
        let legal = self.now.take();
        self.steps.push(Observation { record, legal });
    }

    /// The seat is to move, and these are its legal moves.
    pub fn asked(&mut self, legal: &[Move]) {
        let mut sorted = legal.to_vec();
        sorted.sort_unstable();
        self.now = Some(sorted);
    }

    /// The legal moves of the seat at this depth, where they are known.
    pub(crate) fn legal_at(&self, depth: usize) -> Option<&[Move]> {
        match self.steps.get(depth) {
            Some(step) => step.legal.as_deref(),
            None => self.now.as_deref(),
        }
    }

    /// Do the first steps of `records` agree with this observation history?
    pub(crate) fn begins(&self, records: &[Record]) -> bool {
        self.len() <= records.len() && self.steps.iter().zip(records).all(|(m, r)| m.record == *r)
    }

    /// Does a state at this depth have the legal moves that the seat was shown?
    pub(crate) fn allows<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        depth: usize,
        pad: &mut Vec<Move>,
    ) -> bool {
        let legal = self.legal_at(depth);
        legal.is_none_or(|legal| trial::allows(game, state, self.seat, legal, pad))
    }
}

/// A match after a line of moves in words, one mover a step: the state, and the records of `seat`.
///
/// # Errors
/// A move that is not legal, or no outcome of chance.
pub fn observe_line<G: Game>(
    game: &G,
    seat: Player,
    line: &[&str],
) -> Result<(G::State, Vec<Record>)> {
    let mut play = Match::new(game);
    line.iter().try_for_each(|text| play.try_apply_text(&[text]))?;
    Ok((play.state().clone(), play.records(seat).to_vec()))
}

/// The own move of `seat` in a joint move, where it is among the movers.
pub(crate) fn own_move(turn: Turn, joint: &[Move], seat: Player) -> Option<Move> {
    let movers = turn.movers();
    if movers.contains(seat) { joint.get(movers.position(seat)).copied() } else { None }
}

/// A number for all that a seat knows after one more step: equal histories have equal numbers.
pub(crate) fn learn(known: u64, own: Option<Move>, percept: &[u64]) -> u64 {
    let own = own.map_or(0x5bd1_e995, |mv| mix(mv.0 ^ 0x9e37_79b9_7f4a_7c15));
    let seen = percept.iter().fold(percept.len() as u64, |hash, &word| {
        mix(hash.rotate_left(9) ^ word.wrapping_add(0x2545_f491_4f6c_dd1d))
    });
    mix(known.rotate_left(17) ^ own).wrapping_add(mix(seen ^ 0x517c_c1b7_2722_0a95))
}
