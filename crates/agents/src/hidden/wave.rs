//! Models brought up to the present together: in each wave every one of them tries its next options, and all of
//! these steps are made in one call, which engines with lanes make at once.
//!
//! A model that fails often tries several options in a wave. They are taken in the order in which it would have drawn
//! them one by one, and only up to the first that agrees, so what is visited, and what comes
//! out, is the same whatever the engine and the number of models under way.

use super::model::{Model, Run, Update};
use super::observations::Observations;
use ludex_core::{Game, deadline};
use std::time::{Duration, Instant};

/// Steps in one wave, about.
const LANES: usize = 256;

/// Fewer models than this take one option at a time.
const FEW: usize = 4;

/// Against the clock groups of models grow as long as a group takes less than this.
const QUICK: Duration = Duration::from_millis(2);

/// The observations that the models must explain, and the limit of states.
pub(crate) struct Wave<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) observed: &'a Observations,
    /// States that a model may visit.
    pub(crate) cap: u64,
    /// Is there a limit of time? Then models are done group by group, so that some are done when it ends; else all go
    /// in step.
    pub(crate) timed: bool,
    /// Are all done when the first is?
    pub(crate) race: bool,
}

impl<G: Game> Wave<'_, G> {
    /// Updates these models; tells how each one ended. Those that the thread's deadline leaves no time for end as if capped.
    pub(crate) fn run(
        &self,
        models: &mut [Model<G>],
        who: impl Iterator<Item = usize>,
        runs: &mut Vec<Run>,
        mut ended: impl FnMut(usize, Update, &Run),
    ) {
        if !self.timed {
            self.together(models, who, runs, &mut ended);
            return;
        }
        let who: Vec<usize> = who.collect();
        let (mut left, mut size) = (who.as_slice(), 1);
        while !left.is_empty() {
            let begun = Instant::now();
            let (group, rest) = left.split_at(size.min(left.len()));
            let won = self.together(models, group.iter().copied(), runs, &mut ended);
            left = rest;
            if deadline::look() || self.race && won {
                break;
            }
            size = if begun.elapsed() < QUICK { size * 2 } else { (size / 2).max(1) };
        }
        let idle = Run::default();
        left.iter().for_each(|&at| ended(at, Update::Capped, &idle));
    }

    /// Updates models in step; is one of them done?
    fn together(
        &self,
        models: &mut [Model<G>],
        who: impl Iterator<Item = usize>,
        runs: &mut Vec<Run>,
        ended: &mut impl FnMut(usize, Update, &Run),
    ) -> bool {
        let Wave { game, observed, cap, .. } = *self;
        let target = observed.len();
        // The models under way, each with its run.
        let mut open: Vec<(usize, usize)> = who.enumerate().map(|(run, at)| (at, run)).collect();
        runs.resize_with(runs.len().max(open.len()), Run::default);
        runs.iter_mut().for_each(Run::begin);
        let mut won = false;
        let mut found = Vec::new();
        while !open.is_empty() {
            let width = if open.len() < FEW { 1 } else { LANES.div_ceil(open.len()) };
            open.retain(|&(at, run)| {
                let end = models[at].draw(game, observed, target, cap, width, &mut runs[run]);
                won |= end == Some(Update::Done);
                end.into_iter().for_each(|end| ended(at, end, &runs[run]));
                end.is_none()
            });
            if self.race && won || deadline::expired() {
                open.iter().for_each(|&(at, run)| ended(at, Update::Capped, &runs[run]));
                return won;
            }
            let trials: Vec<_> =
                open.iter().map(|&(at, run)| models[at].trial(observed, &runs[run])).collect();
            found.clear();
            game.explain(&trials, observed.seat, &mut found);
            drop(trials);
            for (&(at, run), found) in open.iter().zip(found.drain(..)) {
                models[at].take(found, &mut runs[run]);
            }
        }
        won
    }
}
