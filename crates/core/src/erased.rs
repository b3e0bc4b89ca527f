//! Any game behind one type, for the command line, the arena, the web and Python.
//!
//! [`AnyGame`] is a [`Game`] itself, so every generic mind runs on it unchanged. A step costs a
//! virtual call more; [`Game::playouts`] passes through as one call a batch, so the inner loop of
//! a playout stays monomorphised.

use crate::error::Result;
use crate::features::Features;
use crate::game::{Game, Info, Move, Turn};
use crate::player::Player;
use crate::playout::{Guide, Outcomes, Pads};
use crate::random::{Rng, Seed};
use crate::trial::Trial;
use std::any::Any;
use std::fmt;
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
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyGame({})", Game::info(self).name)
    }
}

/// The object-safe face of [`Game`].
trait ErasedGame: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn info(&self) -> &Info;
    fn start(&self) -> AnyState;
    fn turn(&self, state: &AnyState) -> Turn;
    fn moves(&self, state: &AnyState, player: Player, out: &mut Vec<Move>);
    fn apply(&self, state: &mut AnyState, joint: &[Move]);
    fn apply_line(&self, state: &mut AnyState, line: &[Move]);
    fn payoffs(&self, state: &AnyState, out: &mut [f32]);
    fn hash(&self, state: &AnyState) -> u64;
    fn move_text(&self, mv: Move) -> String;
    fn position(&self, state: &AnyState) -> String;
    fn parse_position(&self, text: &str) -> Result<AnyState>;
    fn chances(&self, state: &AnyState, out: &mut Vec<(Move, f64)>);
    fn sample(&self, state: &AnyState, player: Player, rng: &mut Rng, pad: &mut Vec<Move>) -> Move;
    fn sample_chance(&self, state: &AnyState, rng: &mut Rng) -> Move;
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
    fn percept_text(&self, words: &[u64]) -> String;
    fn action_key(&self, state: &AnyState, player: Player, mv: Move) -> u64;
    fn playout(
        &self,
        state: &mut AnyState,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32>;
    fn guided_playout(
        &self,
        state: &mut AnyState,
        rng: &mut Rng,
        pads: &mut Pads,
        longest: u32,
        guide: &mut dyn Guide,
    ) -> Option<u32>;
    fn playouts(&self, starts: &[AnyState], n: usize, seed: Seed, out: &mut Outcomes);
    fn draw(&self, state: &AnyState, viewer: Option<Player>) -> String;
    fn json(&self, state: &AnyState) -> serde_json::Value;
    fn parse_json(&self, json: &serde_json::Value) -> Result<AnyState>;
    fn terms(&self) -> &[&'static str];
    fn evaluate(&self, state: &AnyState, player: Player, out: &mut [f32]);
    fn features(&self) -> Features;
    fn parse_move(&self, state: &AnyState, player: Player, text: &str) -> Result<Move>;
}

impl<G: Game> ErasedGame for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn info(&self) -> &Info {
        Game::info(self)
    }

    fn start(&self) -> AnyState {
        AnyState::new(Game::start(self))
    }

    fn turn(&self, state: &AnyState) -> Turn {
        Game::turn(self, state.of())
    }

    fn moves(&self, state: &AnyState, player: Player, out: &mut Vec<Move>) {
        Game::moves(self, state.of(), player, out);
    }

    fn apply(&self, state: &mut AnyState, joint: &[Move]) {
        Game::apply(self, state.of_mut(), joint);
    }

    fn apply_line(&self, state: &mut AnyState, line: &[Move]) {
        Game::apply_line(self, state.of_mut(), line);
    }

    fn payoffs(&self, state: &AnyState, out: &mut [f32]) {
        Game::payoffs(self, state.of(), out);
    }

    fn hash(&self, state: &AnyState) -> u64 {
        Game::hash(self, state.of())
    }

    fn move_text(&self, mv: Move) -> String {
        Game::move_text(self, mv)
    }

    fn position(&self, state: &AnyState) -> String {
        Game::position(self, state.of())
    }

    fn parse_position(&self, text: &str) -> Result<AnyState> {
        Game::parse_position(self, text).map(AnyState::new)
    }

    fn chances(&self, state: &AnyState, out: &mut Vec<(Move, f64)>) {
        Game::chances(self, state.of(), out);
    }

    fn sample(&self, state: &AnyState, player: Player, rng: &mut Rng, pad: &mut Vec<Move>) -> Move {
        Game::sample(self, state.of(), player, rng, pad)
    }

    fn sample_chance(&self, state: &AnyState, rng: &mut Rng) -> Move {
        Game::sample_chance(self, state.of(), rng)
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

    fn percept_text(&self, words: &[u64]) -> String {
        Game::percept_text(self, words)
    }

    fn action_key(&self, state: &AnyState, player: Player, mv: Move) -> u64 {
        Game::action_key(self, state.of(), player, mv)
    }

    fn playout(
        &self,
        state: &mut AnyState,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32> {
        Game::playout(self, state.of_mut(), rng, pad, longest)
    }

    fn guided_playout(
        &self,
        state: &mut AnyState,
        rng: &mut Rng,
        pads: &mut Pads,
        longest: u32,
        guide: &mut dyn Guide,
    ) -> Option<u32> {
        Game::guided_playout(self, state.of_mut(), rng, pads, longest, guide)
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

    fn draw(&self, state: &AnyState, viewer: Option<Player>) -> String {
        Game::draw(self, state.of(), viewer)
    }

    fn json(&self, state: &AnyState) -> serde_json::Value {
        Game::json(self, state.of())
    }

    fn parse_json(&self, json: &serde_json::Value) -> Result<AnyState> {
        Game::parse_json(self, json).map(AnyState::new)
    }

    fn terms(&self) -> &[&'static str] {
        Game::terms(self)
    }

    fn evaluate(&self, state: &AnyState, player: Player, out: &mut [f32]) {
        Game::evaluate(self, state.of(), player, out);
    }

    fn features(&self) -> Features {
        Game::features(self)
    }

    fn parse_move(&self, state: &AnyState, player: Player, text: &str) -> Result<Move> {
        Game::parse_move(self, state.of(), player, text)
    }
}

impl Game for AnyGame {
    type State = AnyState;

    fn info(&self) -> &Info {
        self.0.info()
    }

    fn start(&self) -> AnyState {
        self.0.start()
    }

    #[inline]
    fn turn(&self, state: &AnyState) -> Turn {
        self.0.turn(state)
    }

    #[inline]
    fn moves(&self, state: &AnyState, player: Player, out: &mut Vec<Move>) {
        self.0.moves(state, player, out);
    }

    #[inline]
    fn apply(&self, state: &mut AnyState, joint: &[Move]) {
        self.0.apply(state, joint);
    }

    #[inline]
    fn apply_line(&self, state: &mut AnyState, line: &[Move]) {
        self.0.apply_line(state, line);
    }

    fn payoffs(&self, state: &AnyState, out: &mut [f32]) {
        self.0.payoffs(state, out);
    }

    fn hash(&self, state: &AnyState) -> u64 {
        self.0.hash(state)
    }

    fn move_text(&self, mv: Move) -> String {
        self.0.move_text(mv)
    }

    fn position(&self, state: &AnyState) -> String {
        self.0.position(state)
    }

    fn parse_position(&self, text: &str) -> Result<AnyState> {
        self.0.parse_position(text)
    }

    fn chances(&self, state: &AnyState, out: &mut Vec<(Move, f64)>) {
        self.0.chances(state, out);
    }

    fn sample(&self, state: &AnyState, player: Player, rng: &mut Rng, pad: &mut Vec<Move>) -> Move {
        self.0.sample(state, player, rng, pad)
    }

    fn sample_chance(&self, state: &AnyState, rng: &mut Rng) -> Move {
        self.0.sample_chance(state, rng)
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

    fn percept_text(&self, words: &[u64]) -> String {
        self.0.percept_text(words)
    }

    fn action_key(&self, state: &AnyState, player: Player, mv: Move) -> u64 {
        self.0.action_key(state, player, mv)
    }

    fn playout(
        &self,
        state: &mut AnyState,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32> {
        self.0.playout(state, rng, pad, longest)
    }

    fn guided_playout(
        &self,
        state: &mut AnyState,
        rng: &mut Rng,
        pads: &mut Pads,
        longest: u32,
        guide: &mut dyn Guide,
    ) -> Option<u32> {
        self.0.guided_playout(state, rng, pads, longest, guide)
    }

    fn playouts(&self, starts: &[AnyState], n: usize, seed: Seed, out: &mut Outcomes) {
        self.0.playouts(starts, n, seed, out);
    }

    fn draw(&self, state: &AnyState, viewer: Option<Player>) -> String {
        self.0.draw(state, viewer)
    }

    fn json(&self, state: &AnyState) -> serde_json::Value {
        self.0.json(state)
    }

    fn parse_json(&self, json: &serde_json::Value) -> Result<AnyState> {
        self.0.parse_json(json)
    }

    fn terms(&self) -> &[&'static str] {
        self.0.terms()
    }

    fn evaluate(&self, state: &AnyState, player: Player, out: &mut [f32]) {
        self.0.evaluate(state, player, out);
    }

    fn features(&self) -> Features {
        self.0.features()
    }

    fn parse_move(&self, state: &AnyState, player: Player, text: &str) -> Result<Move> {
        self.0.parse_move(state, player, text)
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
