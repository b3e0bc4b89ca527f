//! Any game behind one type, for the command line, the arena, the web and Python.
//!
//! [`AnyGame`] is a [`Game`] itself, so every generic agent runs on it unchanged. A step costs one
//! virtual call more; [`Game::playouts`] passes through as one call a batch, so the inner loop of
//! a playout stays monomorphised.

use crate::batch::{AnyBatch, Batch, Frame, Rules};
use crate::cpu::Cpu;
use crate::encode::{self, ActionSpace, Encoding};
use crate::error::Result;
use crate::features::Features;
use crate::game::{Game, Info, Move, Turn};
use crate::player::Player;
use crate::playout::{Guide, Outcomes, Pads};
use crate::random::{Rng, Seed};
use crate::scene::{self, MoveSites, Scene};
use crate::trial::Trial;
use crate::view::View;
use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A state of some game. Only the game that made it can read it.
pub struct AnyState(Box<dyn ErasedState>);

trait ErasedState: Send + Sync {
    fn clone_box(&self) -> Box<dyn ErasedState>;
    fn assign(&mut self, from: &dyn ErasedState);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Clone + Send + Sync + 'static> ErasedState for S {
    fn clone_box(&self) -> Box<dyn ErasedState> {
        Box::new(self.clone())
    }

    fn assign(&mut self, from: &dyn ErasedState) {
        if let Some(from) = from.as_any().downcast_ref::<S>() {
            self.clone_from(from);
        } else {
            foreign();
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState(self.0.clone_box())
    }

    fn clone_from(&mut self, from: &Self) {
        self.0.assign(&*from.0);
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyState")
    }
}

impl AnyState {
    /// Wraps a state.
    pub fn new<S: Clone + Send + Sync + 'static>(state: S) -> Self {
        AnyState(Box::new(state))
    }

    /// The state inside, where it is of this type.
    #[inline]
    pub fn get<S: 'static>(&self) -> Option<&S> {
        self.0.as_any().downcast_ref()
    }

    #[inline]
    fn of<S: 'static>(&self) -> &S {
        self.get().unwrap_or_else(|| foreign())
    }

    #[inline]
    fn of_mut<S: 'static>(&mut self) -> &mut S {
        self.0.as_any_mut().downcast_mut().unwrap_or_else(|| foreign())
    }
}

/// States never come from a user, so a mix-up is a fault in the calling code.
#[cold]
fn foreign() -> ! {
    panic!("a state was given to a game that did not make it")
}

/// Any game: cheap to clone, shared between threads.
///
/// ```
/// use ludex_core::{AnyGame, Game, testkit::Coins};
/// let game = AnyGame::new(Coins::default());
/// let mut state = game.parse_position("10 0").unwrap();
/// let mv = game.parse_move(&state, ludex_core::Player(0), "2").unwrap();
/// game.try_apply(&mut state, &[mv]).unwrap();
/// ```
#[derive(Clone)]
pub struct AnyGame(Arc<dyn ErasedGame>);

impl AnyGame {
    /// Erases a game's type.
    pub fn new<G: Game>(game: G) -> Self {
        AnyGame(Arc::new(game))
    }

    /// The game inside, where it is of this type.
    pub fn get<G: Game>(&self) -> Option<&G> {
        ErasedGame::as_any(&*self.0).downcast_ref()
    }

    /// As [`Batch::new`], with the type of the game erased. The steps of a batch are one call each, so its inner loop
    /// stays monomorphised.
    pub fn batch(&self, numbers: Range<usize>, rules: Rules, seed: Seed) -> AnyBatch {
        self.0.batch(numbers, rules, seed)
    }

    /// As [`Batch::reset`], for a batch of this game.
    pub fn reset_batch(&self, batch: &mut AnyBatch, seed: Option<Seed>, out: &mut Frame<'_>) {
        self.0.reset(batch, seed, out);
    }

    /// As [`Batch::step`], for a batch of this game.
    pub fn step_batch(&self, batch: &mut AnyBatch, actions: &[i64], out: &mut Frame<'_>) {
        self.0.step(batch, actions, out);
    }

    /// As [`Batch::random_actions`], for a batch of this game.
    pub fn random_actions(&self, batch: &mut AnyBatch, out: &mut [i64]) {
        self.0.random_actions(batch, out);
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyGame({})", Game::info(self).name)
    }
}

/// Hands the signatures of all methods that pass through unchanged to the macro `$render`, so that each stands in the
/// code once. `rules` have no state, `read` take the state as `state: &State` before their arguments, `write` take
/// `state: &mut State`.
macro_rules! methods {
    ($render:ident) => {
        $render! {
            rules {
                fn info() -> &Info;
                fn move_text(mv: Move) -> String;
                fn percept_text(words: &[u64]) -> String;
                fn terms() -> &[&'static str];
                fn fits_terms() -> bool;
                fn features() -> Features;
                fn scene() -> Scene;
                fn action_space() -> ActionSpace;
                fn actions(legal: &[Move], out: &mut Vec<u32>);
                fn encoding() -> Encoding;
                fn move_sites(mv: Move) -> MoveSites;
            }
            read {
                fn turn() -> Turn;
                fn moves(player: Player, out: &mut Vec<Move>);
                fn payoffs(out: &mut [f32]);
                fn hash() -> u64;
                fn position() -> String;
                fn forsyth() -> Option<String>;
                fn chances(out: &mut Vec<(Move, f64)>);
                fn sample(player: Player, rng: &mut Rng, pad: &mut Vec<Move>) -> Move;
                fn sample_chance(rng: &mut Rng) -> Move;
                fn action_key(player: Player, mv: Move) -> u64;
                fn draw(viewer: Option<Player>) -> String;
                fn view(viewer: Option<Player>) -> scene::View;
                fn json() -> serde_json::Value;
                fn evaluate(player: Player, out: &mut [f32]);
                fn evaluate_some(player: Player, wanted: &[bool], out: &mut [f32]);
                fn parse_move(player: Player, text: &str) -> Result<Move>;
            }
            write {
                fn apply(joint: &[Move]);
                fn apply_line(line: &[Move]);
                fn playout(rng: &mut Rng, pad: &mut Vec<Move>, longest: u32) -> Option<u32>;
                fn guided_playout(
                    rng: &mut Rng,
                    pads: &mut Pads,
                    longest: u32,
                    guide: &mut dyn Guide,
                ) -> Option<u32>;
            }
        }
    };
}

/// The signatures of [`ErasedGame`].
macro_rules! declare {
    (
        rules { $(fn $rule:ident($($a:ident: $A:ty),* $(,)?) $(-> $R:ty)?;)* }
        read { $(fn $read:ident($($b:ident: $B:ty),* $(,)?) $(-> $S:ty)?;)* }
        write { $(fn $write:ident($($c:ident: $C:ty),* $(,)?) $(-> $T:ty)?;)* }
    ) => {
        $(fn $rule(&self, $($a: $A),*) $(-> $R)?;)*
        $(fn $read(&self, state: &AnyState, $($b: $B),*) $(-> $S)?;)*
        $(fn $write(&self, state: &mut AnyState, $($c: $C),*) $(-> $T)?;)*
    };
}

/// [`ErasedGame`] by [`Game`]: finds the state of the game's own type in the [`AnyState`].
macro_rules! erase {
    (
        rules { $(fn $rule:ident($($a:ident: $A:ty),* $(,)?) $(-> $R:ty)?;)* }
        read { $(fn $read:ident($($b:ident: $B:ty),* $(,)?) $(-> $S:ty)?;)* }
        write { $(fn $write:ident($($c:ident: $C:ty),* $(,)?) $(-> $T:ty)?;)* }
    ) => {
        $(fn $rule(&self, $($a: $A),*) $(-> $R)? {
            Game::$rule(self, $($a),*)
        })*
        $(fn $read(&self, state: &AnyState, $($b: $B),*) $(-> $S)? {
            Game::$read(self, state.of(), $($b),*)
        })*
        $(fn $write(&self, state: &mut AnyState, $($c: $C),*) $(-> $T)? {
            Game::$write(self, state.of_mut(), $($c),*)
        })*
    };
}

/// [`Game`] for [`AnyGame`] by [`ErasedGame`].
macro_rules! forward {
    (
        rules { $(fn $rule:ident($($a:ident: $A:ty),* $(,)?) $(-> $R:ty)?;)* }
        read { $(fn $read:ident($($b:ident: $B:ty),* $(,)?) $(-> $S:ty)?;)* }
        write { $(fn $write:ident($($c:ident: $C:ty),* $(,)?) $(-> $T:ty)?;)* }
    ) => {
        $(#[inline]
        fn $rule(&self, $($a: $A),*) $(-> $R)? {
            self.0.$rule($($a),*)
        })*
        $(#[inline]
        fn $read(&self, state: &AnyState, $($b: $B),*) $(-> $S)? {
            self.0.$read(state, $($b),*)
        })*
        $(#[inline]
        fn $write(&self, state: &mut AnyState, $($c: $C),*) $(-> $T)? {
            self.0.$write(state, $($c),*)
        })*
    };
}

/// [`Game`] in a form that can be called through a pointer: states are [`AnyState`]s.
trait ErasedGame: Send + Sync {
    methods!(declare);

    fn as_any(&self) -> &dyn Any;
    fn start(&self) -> AnyState;
    fn parse_position(&self, text: &str) -> Result<AnyState>;
    fn parse_json(&self, json: &serde_json::Value) -> Result<AnyState>;
    fn percept(
        &self,
        before: &AnyState,
        joint: &[Move],
        after: &AnyState,
        player: Player,
        out: &mut Vec<u64>,
    );
    fn noticed(&self, before: &AnyState, joint: &[Move], after: &AnyState) -> bool;
    fn explain(
        &self,
        trials: &[Trial<'_, AnyState>],
        player: Player,
        out: &mut Vec<Option<(usize, AnyState)>>,
    );
    fn playouts(&self, starts: &[AnyState], n: usize, seed: Seed, out: &mut Outcomes);
    fn encode(&self, view: &View<'_, AnyGame>, out: &mut encode::Features);
    fn batch(&self, numbers: Range<usize>, rules: Rules, seed: Seed) -> AnyBatch;
    fn reset(&self, batch: &mut AnyBatch, seed: Option<Seed>, out: &mut Frame<'_>);
    fn step(&self, batch: &mut AnyBatch, actions: &[i64], out: &mut Frame<'_>);
    fn random_actions(&self, batch: &mut AnyBatch, out: &mut [i64]);
}

impl<G: Game> ErasedGame for G {
    methods!(erase);

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn start(&self) -> AnyState {
        AnyState::new(Game::start(self))
    }

    fn parse_position(&self, text: &str) -> Result<AnyState> {
        Game::parse_position(self, text).map(AnyState::new)
    }

    fn percept(
        &self,
        before: &AnyState,
        joint: &[Move],
        after: &AnyState,
        player: Player,
        out: &mut Vec<u64>,
    ) {
        Game::percept(self, before.of(), joint, after.of(), player, out);
    }

    fn noticed(&self, before: &AnyState, joint: &[Move], after: &AnyState) -> bool {
        Game::noticed(self, before.of(), joint, after.of())
    }

    fn explain(
        &self,
        trials: &[Trial<'_, AnyState>],
        player: Player,
        out: &mut Vec<Option<(usize, AnyState)>>,
    ) {
        let trials: Vec<Trial<'_, G::State>> = trials
            .iter()
            .map(|&Trial { state, joints, movers, percept, legal }| Trial {
                state: state.of(),
                joints,
                movers,
                percept,
                legal,
            })
            .collect();
        let mut found = Vec::with_capacity(trials.len());
        Game::explain(self, &trials, player, &mut found);
        let wrap = |(number, state)| (number, AnyState::new(state));
        out.extend(found.into_iter().map(|found| found.map(wrap)));
    }

    fn playouts(&self, starts: &[AnyState], n: usize, seed: Seed, out: &mut Outcomes) {
        // One start is the common case (a leaf of a search): no copy of the list.
        match starts {
            [start] => Game::playouts(self, std::slice::from_ref(start.of()), n, seed, out),
            _ => {
                let starts: Vec<G::State> =
                    starts.iter().map(|s| s.of::<G::State>().clone()).collect();
                Game::playouts(self, &starts, n, seed, out);
            }
        }
    }

    fn parse_json(&self, json: &serde_json::Value) -> Result<AnyState> {
        Game::parse_json(self, json).map(AnyState::new)
    }

    fn encode(&self, view: &View<'_, AnyGame>, out: &mut encode::Features) {
        Game::encode(self, &view.of_game(AnyState::of), out);
    }

    fn batch(&self, numbers: Range<usize>, rules: Rules, seed: Seed) -> AnyBatch {
        AnyBatch::new(Batch::new(self, numbers, rules, seed))
    }

    fn reset(&self, batch: &mut AnyBatch, seed: Option<Seed>, out: &mut Frame<'_>) {
        batch.of_mut::<G>().unwrap_or_else(|| foreign()).reset(self, seed, out);
    }

    fn step(&self, batch: &mut AnyBatch, actions: &[i64], out: &mut Frame<'_>) {
        batch.of_mut::<G>().unwrap_or_else(|| foreign()).step(self, actions, out);
    }

    fn random_actions(&self, batch: &mut AnyBatch, out: &mut [i64]) {
        batch.of_mut::<G>().unwrap_or_else(|| foreign()).random_actions(out);
    }
}

impl Game for AnyGame {
    type State = AnyState;

    methods!(forward);

    fn start(&self) -> AnyState {
        self.0.start()
    }

    fn parse_position(&self, text: &str) -> Result<AnyState> {
        self.0.parse_position(text)
    }

    fn percept(
        &self,
        before: &AnyState,
        joint: &[Move],
        after: &AnyState,
        player: Player,
        out: &mut Vec<u64>,
    ) {
        self.0.percept(before, joint, after, player, out);
    }

    fn noticed(&self, before: &AnyState, joint: &[Move], after: &AnyState) -> bool {
        self.0.noticed(before, joint, after)
    }

    fn explain(
        &self,
        trials: &[Trial<'_, AnyState>],
        player: Player,
        out: &mut Vec<Option<(usize, AnyState)>>,
    ) {
        self.0.explain(trials, player, out);
    }

    fn playouts(&self, starts: &[AnyState], n: usize, seed: Seed, out: &mut Outcomes) {
        self.0.playouts(starts, n, seed, out);
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        _: C,
        state: &AnyState,
        player: Player,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
    ) -> Move {
        Game::sample(self, state, player, rng, pad)
    }

    #[inline]
    fn playout_on<C: Cpu>(
        &self,
        _: C,
        state: &mut AnyState,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32> {
        Game::playout(self, state, rng, pad, longest)
    }

    fn parse_json(&self, json: &serde_json::Value) -> Result<AnyState> {
        self.0.parse_json(json)
    }

    fn encode(&self, view: &View<'_, AnyGame>, out: &mut encode::Features) {
        self.0.encode(view, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Coins;

    #[test]
    fn the_game_inside_can_be_had_back() {
        let game = AnyGame::new(Coins::default());
        assert!(game.get::<Coins>().is_some());
        assert!(game.get::<AnyGame>().is_none());
    }
}
