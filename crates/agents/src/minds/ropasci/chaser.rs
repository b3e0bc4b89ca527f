//! `ropasci-chaser`: rules instead of a search, as many public agents of the course have them (docs/ropasci.md): take what can be
//! taken, run from a hunter at hand, bring the nearest hunter nearer to its prey, throw where nothing hunts. An opponent of known
//! style for the strong player.

use super::{Judge, NEEDS, Seat, ranked, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use ludex_core::{AnyGame, Move, Player, Result, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::{State, terms};

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci-chaser",
    summary: "RoPaSci 360 by rules: take, run, chase the nearest prey",
    needs: NEEDS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `ropasci-chaser`.
    #[derive(Copy)]
    pub struct Params {
        /// Tokens that it throws before it does anything else.
        pub early: u32 = 3, 0..=9;
        /// Throws that it keeps while a token of its own can chase.
        pub keep: u32 = 4, 0..=9;
        /// It runs from a hunter that can take a token next turn.
        pub run: bool = true, ["no", "yes"];
        /// The chance of a random move.
        pub slips: f64 = 0.0, 0.0..=1.0;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(seat(ENTRY.name, Chaser { params: *self, rng: seed.rng() }))
    }
}

/// The agent.
struct Chaser {
    params: Params,
    rng: Rng,
}

/// Values of the rules, each above the sum of those below it.
const TAKE: f64 = 1000.0;
const THROW: f64 = 300.0;
const RUN: f64 = 100.0;

impl Judge for Chaser {
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        if self.rng.unit() < self.params.slips {
            let any = seat.legal.iter().map(|&mv| (mv, 0.0)).collect();
            return ranked(any, &mut self.rng);
        }
        let me = seat.player;
        let used = state.used(me);
        let [prey, hunter] = terms::nearest(state, me);
        let kills = terms::of(state, me)[1];
        let opening = used < self.params.early as u8;
        let throws = opening || prey == NONE || used < 9 - self.params.keep.min(9) as u8;
        let mut next = state.clone();
        let judged = seat.legal.iter().map(|&mv| {
            game.alone(state, me, mv, &mut next);
            let [nearer, danger] = terms::nearest(&next, me).map(f64::from);
            let thrown = game.back(mv).is_none();
            let taken = 9.0 * (terms::of(&next, me)[1] - kills);
            let mut value = TAKE * taken - nearer + 0.1 * danger;
            if thrown {
                value += if throws { if opening { THROW } else { 0.0 } } else { -THROW };
            }
            if self.params.run && hunter <= 2 {
                value += RUN * f64::from(u8::from(danger > 2.0));
            }
            (mv, value)
        });
        let judged = judged.collect();
        ranked(judged, &mut self.rng)
    }
}

/// The distance that [`terms::nearest`] gives if there is no token to chase.
const NONE: u8 = 10;
