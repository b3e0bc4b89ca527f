//! A simulated match: the state, and the observation history of every player.

use super::life::{Life, learn, own_move};
use ludex_core::deadline;
use ludex_core::{Game, Move, Percept, Player, Record, Turn};
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
    lives: Vec<Option<Rc<Link>>>,
    known: Vec<u64>,
}

impl<S: Clone> Clone for Simulated<S> {
    fn clone(&self) -> Self {
        let Simulated { state, lives, known } = self;
        Simulated { state: state.clone(), lives: lives.clone(), known: known.clone() }
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
            Simulated { state, lives: vec![None; players], known: vec![0; players] };
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
        for (p, (life, known)) in self.lives.iter_mut().zip(&mut self.known).enumerate() {
            let player = Player(p as u8);
            let mut percept = Percept::default();
            game.percept(&before, joint, &self.state, player, &mut percept.0);
            let own = own_move(turn, joint, player);
            *known = learn(*known, own, &percept.0);
            let record = Record { own, percept };
            *life = Some(Rc::new(Link { record, before: life.take() }));
        }
    }

    /// What a player knows, as a number.
    pub(crate) fn known(&self, player: Player) -> u64 {
        self.known.get(player.index()).copied().unwrap_or_default()
    }

    /// What all players but one know, as numbers.
    pub(crate) fn known_to_others(&self, player: Player) -> impl Iterator<Item = u64> {
        let others = self.known.iter().enumerate().filter(move |(p, _)| *p != player.index());
        others.map(|(_, &known)| known)
    }

    /// The observation history of a player, with its legal moves now.
    pub(crate) fn life(&self, player: Player, legal: &[Move]) -> Life {
        let mut records = Vec::new();
        let mut at = self.lives.get(player.index()).and_then(Option::as_ref);
        while let Some(link) = at {
            records.push(link.record.clone());
            at = link.before.as_ref();
        }
        let mut life = Life::new(player);
        records.into_iter().rev().for_each(|record| life.push(record));
        life.asked(legal);
        life
    }
}
