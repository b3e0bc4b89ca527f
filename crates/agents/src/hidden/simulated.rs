//! A simulated match: the state, and the observation history of every player.

use super::observations::{Observations, learn};
use ludex_core::deadline;
use ludex_core::{Game, Move, Player, Record, Turn};
use std::rc::Rc;

/// A record and the link to the record before it. Histories that branch share their common beginning.
#[derive(Debug)]
struct Link {
    record: Record,
    before: Option<Rc<Link>>,
}

/// A match that an agent simulates.
#[derive(Debug)]
pub(crate) struct Simulated<S> {
    pub(crate) state: S,
    histories: Vec<Option<Rc<Link>>>,
    known: Vec<u64>,
}

impl<S: Clone> Clone for Simulated<S> {
    fn clone(&self) -> Self {
        let Simulated { state, histories, known } = self;
        Simulated { state: state.clone(), histories: histories.clone(), known: known.clone() }
    }
}

impl<S: Clone> Simulated<S> {
    /// The match after these joint moves from `origin`; `None` where the clock rings.
    pub(crate) fn after<'a, G: Game<State = S>>(
        game: &G,
        origin: &S,
        steps: impl Iterator<Item = &'a [Move]>,
    ) -> Option<Self> {
        let players = game.info().seats();
        let state = origin.clone();
        let mut simulated =
            Simulated { state, histories: vec![None; players], known: vec![0; players] };
        for joint in steps {
            if deadline::look() {
                return None;
            }
            simulated.step(game, game.turn(&simulated.state), joint);
        }
        (!deadline::expired()).then_some(simulated)
    }

    /// Makes one step, which every player observes.
    pub(crate) fn step<G: Game<State = S>>(&mut self, game: &G, turn: Turn, joint: &[Move]) {
        let before = self.state.clone();
        game.apply(&mut self.state, joint);
        for (p, (observed, known)) in self.histories.iter_mut().zip(&mut self.known).enumerate() {
            let player = Player(p as u8);
            let record = Record::of_step(game, &before, turn, joint, &self.state, player);
            *known = learn(*known, record.own, &record.percept.0);
            *observed = Some(Rc::new(Link { record, before: observed.take() }));
        }
    }

    /// A hash of a player's knowledge.
    pub(crate) fn known(&self, player: Player) -> u64 {
        debug_assert!(player.index() < self.known.len(), "every player knows something");
        self.known.get(player.index()).copied().unwrap_or_default()
    }

    /// Hashes of the knowledge of all players but one.
    pub(crate) fn known_to_others(&self, player: Player) -> impl Iterator<Item = u64> {
        let others = self.known.iter().enumerate().filter(move |(p, _)| *p != player.index());
        others.map(|(_, &known)| known)
    }

    /// The observation history of a player, with its legal moves now.
    pub(crate) fn observed(&self, player: Player, legal: &[Move]) -> Observations {
        let mut records = Vec::new();
        let mut at = self.histories.get(player.index()).and_then(Option::as_ref);
        while let Some(link) = at {
            records.push(link.record.clone());
            at = link.before.as_ref();
        }
        let mut observed = Observations::new(player);
        records.into_iter().rev().for_each(|record| observed.push(record));
        observed.asked(legal);
        observed
    }
}
