//! Many states at once: playouts and explanations of percepts by the batch engine.

use ludex_core::playout::{self, Outcomes};
use ludex_core::trial::{self, Trial};
use ludex_core::{Game, Player, Seed};

use super::{GdlGame, GdlState};
use crate::engines::lanes::steps::{Steps, Try};
use crate::engines::reasoner;

impl GdlGame {
    /// [`Game::playouts`] by the batch engine, however few they are; one by one where there is
    /// none, or where chance has still to move.
    pub fn playouts_in_lanes(&self, starts: &[GdlState], n: usize, seed: Seed, out: &mut Outcomes) {
        let Some(batch) = &self.shared.batch else {
            return playout::one_by_one(self, starts, n, seed, out);
        };
        if starts.iter().any(|s| !s.pending.is_empty()) {
            return playout::one_by_one(self, starts, n, seed, out);
        }
        let facts: Vec<&reasoner::State> = starts.iter().map(|s| &s.facts).collect();
        let seats = &self.shared.role_of;
        if !batch.phased.playouts(&facts, n, seed, seats, out) {
            batch.general().playouts(&facts, n, seed, seats, out);
        }
    }

    /// Steps of many states in lanes, where there is a batch engine.
    pub(super) fn steps(&self) -> Option<&Steps> {
        let shared = &*self.shared;
        let fleet = shared.batch.as_ref()?;
        Some(shared.steps.get_or_init(|| Steps::new(&fleet.propnet, &shared.role_of)))
    }

    /// Is the next step of the players alone, and chance has still to move after it?
    fn is_half(&self, trial: &Trial<'_, GdlState>) -> bool {
        let shared = &*self.shared;
        // Where a step has not two turns by rule, players and chance never choose in the same one.
        trial.state.pending.is_empty() && shared.halves && {
            let mv = trial.joints.first().map(|mv| mv.0 as usize);
            let chances = shared.batch.as_ref().zip(shared.random);
            let chances = chances.map(|(fleet, random)| fleet.propnet.moves_of(random));
            let chance = mv.zip(chances).is_some_and(|(mv, chances)| chances.contains(&mv));
            shared.role_of.len() > 1 || !chance
        }
    }

    /// [`Game::explain`] with all trials that are whole steps in lanes.
    pub(super) fn explain_in_lanes(
        &self,
        steps: &Steps,
        role: usize,
        trials: &[Trial<'_, GdlState>],
        player: Player,
        out: &mut Vec<Option<(usize, GdlState)>>,
    ) {
        let number = |word: u64| u32::try_from(word).unwrap_or(u32::MAX);
        let from = out.len();
        // The moves of all tries one after the other; what was seen, and could be done then, by trial.
        let (mut moves, mut ends) = (Vec::new(), Vec::new());
        let mut told: Vec<(Vec<u32>, Option<Vec<u32>>)> = Vec::new();
        for (at, trial) in trials.iter().enumerate() {
            // Lanes compare percepts as sets. Percepts with repeats, or whose order matters, take the slow path.
            let sets = trial.percept.is_sorted_by(|a, b| a < b)
                && trial.legal.is_none_or(|legal| legal.is_sorted_by(|a, b| a < b));
            if !sets || self.is_half(trial) {
                trial::one_by_one(self, std::slice::from_ref(trial), player, out);
                continue;
            }
            out.push(None);
            for joint in trial.joints.chunks(trial.movers.max(1)) {
                if !trial.state.pending.is_empty() {
                    moves.extend(self.shared.role_of.iter().map(|&role| trial.state.pending[role]));
                }
                moves.extend(joint.iter().map(|mv| number(mv.0)));
                ends.push((at, told.len(), moves.len()));
            }
            let legal = trial.legal.map(|legal| legal.iter().map(|mv| number(mv.0)).collect());
            told.push((trial.percept.iter().map(|&word| number(word)).collect(), legal));
        }
        let mut start = 0;
        let tries: Vec<Try<'_>> = ends
            .iter()
            .map(|&(at, told_at, end)| {
                let (percepts, legal) = &told[told_at];
                let moves = &moves[std::mem::replace(&mut start, end)..end];
                Try { state: &trials[at].state.facts, moves, percepts, legal: legal.as_deref() }
            })
            .collect();
        let mut found = Vec::new();
        steps.run(role, &tries, &mut found);
        let (mut last, mut place) = (usize::MAX, 0);
        for (&(at, ..), facts) in ends.iter().zip(found) {
            place = if at == last { place + 1 } else { 0 };
            last = at;
            let Some(facts) = facts.filter(|_| out[from + at].is_none()) else { continue };
            let state = GdlState { facts, pending: Vec::new() };
            // A player with only one move may have no turn.
            let sure = trials[at].legal.is_none_or(|legal| legal.len() > 1);
            if sure || self.turn(&state).includes(player) {
                out[from + at] = Some((place, state));
            }
        }
    }
}
