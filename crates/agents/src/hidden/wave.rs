//! Models brought up to the present together: in each wave every one of them tries its next options, and all of
//! these steps are made in one call, which engines with lanes make at once.
//!
//! A model that fails often tries several options in a wave. They are taken in the order in which it would have drawn
//! them one by one, and only up to the first that agrees, so what is visited, and what comes
//! out, is the same whatever the engine and the number of models under way.

use super::life::Life;
use super::model::{Model, Run, Update};
use ludex_core::Game;
use std::time::Instant;

/// Steps in one wave, about.
const LANES: usize = 256;

/// Fewer models than this take one option at a time.
const FEW: usize = 4;

/// Once time is up each model still gets so many states: most need no more.
const LATE: u64 = 64;

/// What the models are to explain, and at what cost.
pub(crate) struct Wave<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) life: &'a Life,
    /// States that a model may visit.
    pub(crate) cap: u64,
    pub(crate) until: Option<Instant>,
    /// Are all done when the first is?
    pub(crate) race: bool,
}

impl<G: Game> Wave<'_, G> {
    /// Updates these models; tells how each one ended.
    pub(crate) fn run(
        &self,
        models: &mut [Model<G>],
        who: impl Iterator<Item = usize>,
        runs: &mut Vec<Run>,
        mut ended: impl FnMut(usize, Update, &Run),
    ) {
        let Wave { game, life, until, .. } = *self;
        let target = life.len();
        // The models under way, each with its run.
        let mut open: Vec<(usize, usize)> = who.enumerate().map(|(run, at)| (at, run)).collect();
        runs.resize_with(runs.len().max(open.len()), Run::default);
        runs.iter_mut().for_each(Run::begin);
        let (mut late, mut won) = (false, false);
        let mut found = Vec::new();
        while !open.is_empty() {
            late = late || until.is_some_and(|until| Instant::now() >= until);
            let cap = if late { self.cap.min(LATE) } else { self.cap };
            let width = if open.len() < FEW { 1 } else { LANES.div_ceil(open.len()) };
            open.retain(|&(at, run)| {
                let end = models[at].draw(game, life, target, cap, width, &mut runs[run]);
                won |= end == Some(Update::Done);
                end.into_iter().for_each(|end| ended(at, end, &runs[run]));
                end.is_none()
            });
            if self.race && won {
                open.iter().for_each(|&(at, run)| ended(at, Update::Capped, &runs[run]));
                return;
            }
            let trials: Vec<_> =
                open.iter().map(|&(at, run)| models[at].trial(life, &runs[run])).collect();
            found.clear();
            game.explain(&trials, life.seat, &mut found);
            drop(trials);
            for (&(at, run), found) in open.iter().zip(found.drain(..)) {
                models[at].take(found, &mut runs[run]);
            }
        }
    }
}
