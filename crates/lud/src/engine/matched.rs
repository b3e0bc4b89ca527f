//! Matches of several games: which game runs, what is won in each, and when the match is over.
//!
//! A match is a [`Lud`] that plays another `Lud` at a time. The state is that of the game that runs; it also tells
//! which game that is and what the players have won so far. When a game is over, one move leads to the next game.

use super::action::{Head, Kind, Moves};
use super::context::{Pad, Registers};
use super::end::{EndRule, judge};
use super::functions::Int;
use super::lower::{Lower, unsupported};
use super::play::Lud;
use super::state::{OFF, State};
use crate::compile::{Ludeme, Value};
use ludex_core::diagnostic::Diagnostic;
use std::sync::Arc;

/// A match that has had so many games is drawn.
const MOST_GAMES: u32 = 1000;

/// One of the games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subgame {
    /// The name of the game.
    pub(crate) name: String,
    /// The option that it is played with, if one is named.
    pub(crate) option: Option<String>,
}

/// The games of a match and the rules of its end.
pub(crate) struct Match {
    stages: Vec<Stage>,
    end: Vec<EndRule>,
}

/// A game of a match.
struct Stage {
    lud: Lud,
    /// The number of the game that follows, or the next in order.
    next: Option<Int>,
    /// The gain of the winner.
    result: Option<Int>,
}

impl std::fmt::Debug for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Match({} games)", self.stages.len())
    }
}

/// The calls of the subgames of a match.
fn calls(tree: &Ludeme) -> impl Iterator<Item = &Arc<Ludeme>> {
    let games = tree.call("games").into_iter();
    games.flat_map(|games| games.values()).flat_map(Value::items).filter_map(Value::call)
}

/// The games that a match consists of.
pub(crate) fn subgames(tree: &Ludeme) -> Vec<Subgame> {
    let subgame = |call: &Arc<Ludeme>| {
        let mut texts = call.values().filter_map(Value::text).map(str::to_owned);
        Subgame { name: texts.next().unwrap_or_default(), option: texts.next() }
    };
    calls(tree).map(subgame).collect()
}

impl Lud {
    /// A match of these games, in the order of its `(games …)`. `table` is the first of them once more: the match has its equipment.
    pub(crate) fn of_match(
        tree: &Arc<Ludeme>,
        table: Lud,
        luds: Vec<Lud>,
    ) -> Result<Lud, Vec<Diagnostic>> {
        let mut stages = Vec::new();
        let mut found = Vec::new();
        for (call, lud) in calls(tree).zip(luds) {
            if lud.matched.is_some() || lud.simultaneous {
                found.push(unsupported(call));
            }
            let mut lower = Lower::over(tree, &lud.equipment, &lud.rules);
            let mut number = |label: &str| {
                let value = call.labelled(label)?;
                let number = lower.int(value, call);
                lower.keep(number)
            };
            let (next, result) = (number("next"), number("result"));
            found.append(&mut lower.found);
            stages.push(Stage { lud, next, result });
        }
        let mut lower = Lower::over(tree, &table.equipment, &table.rules);
        let end = tree.call("end").map(|end| lower.end(end)).unwrap_or_default();
        found.append(&mut lower.found);
        if !found.is_empty() {
            return Err(found);
        }
        let name = match tree.values().find_map(Value::text) {
            Some(name) => name.to_owned(),
            None => table.name.clone(),
        };
        Ok(Lud { name, matched: Some(Match { stages, end }), ..table })
    }

    /// The game that is being played: a match plays one game after another.
    pub fn of(&self, state: &State) -> &Lud {
        self.stage(state).unwrap_or(self)
    }

    /// The game of a match that is being played.
    #[inline]
    pub(super) fn stage(&self, state: &State) -> Option<&Lud> {
        let matched = self.matched.as_ref()?;
        matched.stages.get(usize::from(state.s.game)).map(|stage| &stage.lud)
    }

    /// Is it a match of several games?
    pub fn is_match(&self) -> bool {
        self.matched.is_some()
    }

    /// All games that are played: those of a match, or itself.
    pub(crate) fn all(&self) -> Vec<&Lud> {
        match &self.matched {
            Some(matched) => matched.stages.iter().map(|stage| &stage.lud).collect(),
            None => vec![self],
        }
    }

    /// Makes the state one of a match, before the first move.
    pub(super) fn seat(&self, mut state: State) -> State {
        if self.matched.is_some() {
            state.won = vec![0; self.equipment.players + 1];
        }
        state
    }

    /// A game of a match that is over leads to the next game by a move.
    pub(crate) fn pause(&self, state: &mut State) {
        if self.matched.is_some() && state.s.over {
            (state.s.over, state.s.between) = (false, true);
        }
    }

    /// The only move between two games.
    pub(super) fn list_next(state: &State, out: &mut Moves) {
        out.clear();
        let first = out.actions.len();
        out.close(first, state.s.mover, Kind::NextGame, OFF, OFF);
    }

    /// Goes on to the next game of a match, or ends the match.
    pub(super) fn next_game(&self, state: &mut State, pad: &mut Pad) {
        let Some(matched) = &self.matched else { return };
        let Some(stage) = matched.stages.get(usize::from(state.s.game)) else { return };
        stage.count(state, pad);
        state.s.between = false;
        let players = self.equipment.players;
        let ranks = std::mem::replace(&mut state.rank, vec![0.0; players + 1]);
        (state.s.active, state.s.won) = ((2 << players) - 2, 0);
        let mut c = stage.lud.context(state, pad);
        matched.end.iter().for_each(|rule| {
            judge(&mut c, rule);
        });
        if stage.lud.rules.teams && c.state.s.won != 0 {
            // The members of a team win and lose together.
            let won = (1..=players).filter(|&p| c.state.s.won >> p & 1 == 1);
            let won = won.fold(0u32, |bits, winner| {
                let friends = (1..=players).filter(|&p| c.friends(p, winner));
                friends.fold(bits, |bits, p| bits | 1 << p)
            });
            let after = won.count_ones() as f32 + 1.0;
            for p in 1..=players {
                c.state.rank[p] = if won >> p & 1 == 1 { 1.0 } else { after };
            }
            c.state.s.over = true;
        }
        if state.s.over {
            return;
        }
        if state.s.trials >= MOST_GAMES {
            state.rank = ranks;
            super::end::draw(&mut stage.lud.context(state, pad));
            return;
        }
        let next = match &stage.next {
            Some(next) => next.get(&mut stage.lud.context(state, pad)),
            None => i32::from(state.s.game) + 1,
        };
        let next = next.rem_euclid(matched.stages.len().max(1) as i32) as usize;
        let Some(stage) = matched.stages.get(next) else { return };
        let mut new = stage.lud.start();
        (new.s.game, new.s.trials) = (next as u16, state.s.trials);
        new.won = std::mem::take(&mut state.won);
        *state = new;
    }

    /// Plays random moves of a match, at most so many, up to its end or to where chance is asked: how many it were.
    pub(super) fn run_match(
        &self,
        state: &mut State,
        pad: &mut Pad,
        out: &mut Moves,
        longest: u32,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> u32 {
        let mut plies = 0;
        while plies < longest && !state.s.over {
            if state.s.between {
                self.next_game(state, pad);
                plies += 1;
                continue;
            }
            let Some(lud) = self.stage(state) else { break };
            let made = lud.run(state, pad, out, longest - plies, &mut *below);
            plies += made;
            if !state.s.over {
                break;
            }
            self.pause(state);
        }
        plies
    }

    /// Makes a move of a match: of the game that runs, or the move to the next game.
    pub(super) fn apply_match(&self, state: &mut State, pad: &mut Pad, moves: &Moves, head: Head) {
        match head.kind {
            Kind::NextGame => self.next_game(state, pad),
            _ => {
                if let Some(lud) = self.stage(state) {
                    lud.apply(state, pad, moves, head);
                }
                self.pause(state);
            }
        }
    }
}

impl Stage {
    /// Counts a game that is over: its winner gains the result that the match names. Without one, every player gains as many points as
    /// others are ranked lower.
    fn count(&self, state: &mut State, pad: &mut Pad) {
        let players = self.lud.equipment.players;
        state.s.trials += 1;
        let mut first = (1..=players).filter(|&p| state.rank.get(p) == Some(&1.0));
        match (&self.result, (first.next(), first.next())) {
            (Some(result), (Some(winner), None)) => {
                let mut c = self.lud.context(state, pad);
                let gain = c.with(Registers::NONE, |c| result.get(c));
                if let Some(won) = state.won.get_mut(winner) {
                    *won = won.saturating_add(gain);
                }
            }
            (Some(_), _) => {}
            (None, _) => {
                for (won, &rank) in state.won.iter_mut().zip(&state.rank).skip(1) {
                    if rank > 0.0 {
                        *won = won.saturating_add((players as f32 - rank) as i32);
                    }
                }
            }
        }
    }
}
