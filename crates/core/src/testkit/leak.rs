//! The law of hidden information: what a seat is shown depends only on what it has seen.
//!
//! The law compares pairs of worlds. The first world is a random game. The second one, its twin, repeats the
//! seat's own moves, and chance and the other players choose anew, but only such moves that the seat sees the
//! same. Whenever the seat has to choose in both worlds after the same observations, its records, its drawing and its legal
//! moves must be the same in both.
//!
//! "The same observations" ignores where one record ends and the next begins: a seat has seen its own moves,
//! the steps that all seats notice ([`Game::noticed`]), and, after each of these, a set of words. A game whose
//! number of records depends on something hidden breaks the law.

use std::collections::BTreeSet;

use crate::game::{Game, Move, Turn};
use crate::perft::choices;
use crate::player::Player;
use crate::random::{Rng, Seed};
use crate::view::Record;

/// How many steps of a game are looked at: leaks show early, and twins of long games are rare.
const STEPS: usize = 80;

/// How many twins are tried for each seat of each game.
const TWINS: usize = 12;

/// How many random steps are tried to find one with the same percept as in the first world.
const TRIES: usize = 24;

/// The observations of a seat from one event to the next: the words of its percepts, as a set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Observed {
    /// The seat's own move; `None` for a noticed step of others and for the beginning of the match.
    own: Option<Move>,
    words: BTreeSet<u64>,
}

/// A world, and what one seat has seen of it.
struct World<S> {
    state: S,
    seen: Vec<Observed>,
    records: Vec<Record>,
}

impl<S: Clone> Clone for World<S> {
    fn clone(&self) -> Self {
        World { state: self.state.clone(), seen: self.seen.clone(), records: self.records.clone() }
    }
}

impl<S: Clone> World<S> {
    fn new<G: Game<State = S>>(game: &G) -> Self {
        World { state: game.start(), seen: vec![Observed::default()], records: Vec::new() }
    }

    fn step<G: Game<State = S>>(&mut self, game: &G, seat: Player, turn: Turn, joint: &[Move]) {
        let before = self.state.clone();
        game.apply(&mut self.state, joint);
        let record = Record::of_step(game, &before, turn, joint, &self.state, seat);
        let noticed = game.noticed(&before, joint, &self.state);
        for event in [record.own.map(Some), noticed.then_some(None)].into_iter().flatten() {
            self.seen.push(Observed { own: event, words: BTreeSet::new() });
        }
        if let Some(scene) = self.seen.last_mut() {
            scene.words.extend(&record.percept.0);
        }
        self.records.push(record);
    }

    /// Are the seat's observations so far a prefix of `all`?
    fn begins(&self, all: &[Observed]) -> bool {
        let Some((last, before)) = self.seen.split_last() else { return true };
        all.starts_with(before)
            && all
                .get(before.len())
                .is_some_and(|scene| scene.own == last.own && last.words.is_subset(&scene.words))
    }
}

/// A choice of the seat in the first world.
struct Choice {
    /// The observations before the choice.
    seen: Vec<Observed>,
    /// The number of records before the choice.
    records: usize,
    legal: Vec<Move>,
    /// The drawing for the seat.
    drawing: crate::scene::View,
    position: String,
}

/// Plays `games` random games and compares each with twins of it, for every seat: how many pairs of different
/// worlds were compared.
///
/// # Errors
/// The first pair that the seat can tell apart without having seen a difference.
pub fn check_leaks<G: Game>(game: &G, games: u32, seed: Seed) -> Result<u64, String> {
    let mut pairs = 0;
    for i in 0..games {
        for seat in 0..game.info().seats() {
            let seed = seed.named("leak").child(u64::from(i) << 8 | seat as u64);
            pairs += twins(game, Player(seat as u8), &mut seed.rng())?;
        }
    }
    Ok(pairs)
}

fn twins<G: Game>(game: &G, seat: Player, rng: &mut Rng) -> Result<u64, String> {
    let mut world = World::new(game);
    let mut way = vec![world.clone()];
    let mut decisions = Vec::new();
    let mut legal = Vec::new();
    for _ in 0..STEPS {
        let turn = game.turn(&world.state);
        if turn == Turn::Over {
            break;
        }
        if turn.includes(seat) {
            legal.clear();
            game.moves(&world.state, seat, &mut legal);
            decisions.push(Choice {
                seen: world.seen.clone(),
                records: world.records.len(),
                legal: legal.clone(),
                drawing: game.view(&world.state, Some(seat)),
                position: game.position(&world.state),
            });
        }
        let joint = random_joint(game, &world.state, turn, rng);
        world.step(game, seat, turn, &joint);
        way.push(world.clone());
    }
    let mut pairs = 0;
    for number in 0..TWINS {
        // Half of the twins share a part of the first world, so that late steps are compared, too.
        let shared = if number % 2 == 0 { 0 } else { rng.index(way.len()) };
        let mut twin = way[shared].clone();
        while twin.records.len() < 2 * STEPS {
            let turn = game.turn(&twin.state);
            if turn == Turn::Over {
                break;
            }
            if turn.includes(seat) {
                let same = decisions.iter().find(|choice: &&Choice| choice.seen == twin.seen);
                if let Some(choice) = same {
                    let position = game.position(&twin.state);
                    if position != choice.position {
                        pairs += 1;
                        compare(game, seat, &world, choice, &twin, &position)?;
                    }
                }
            }
            if !follow(game, seat, turn, &world.seen, &mut twin, rng) {
                break;
            }
        }
    }
    Ok(pairs)
}

fn compare<G: Game>(
    game: &G,
    seat: Player,
    first: &World<G::State>,
    choice: &Choice,
    twin: &World<G::State>,
    position: &str,
) -> Result<(), String> {
    let name = game.info().player(seat);
    let worlds = format!("{} | {position}", choice.position);
    if first.records[..choice.records] != twin.records[..] {
        return Err(format!(
            "{name} has seen the same in two worlds, but its records differ ({} and {} of them): {worlds}",
            choice.records,
            twin.records.len()
        ));
    }
    let mut legal = Vec::new();
    game.moves(&twin.state, seat, &mut legal);
    if legal != choice.legal && !game.info().tells_moves {
        return Err(format!(
            "{name} has seen the same in two worlds, but its legal moves differ: {worlds}"
        ));
    }
    if game.view(&twin.state, Some(seat)) != choice.drawing {
        return Err(format!(
            "{name} has seen the same in two worlds, but its drawings differ: {worlds}"
        ));
    }
    Ok(())
}

/// Makes a random step after which the seat has seen a beginning of `seen`. False where none was found.
fn follow<G: Game>(
    game: &G,
    seat: Player,
    turn: Turn,
    seen: &[Observed],
    twin: &mut World<G::State>,
    rng: &mut Rng,
) -> bool {
    let own = match (turn.includes(seat), seen.get(twin.seen.len())) {
        (true, Some(&Observed { own: Some(mv), .. })) => Some(mv),
        (true, _) => return false,
        (false, _) => None,
    };
    for _ in 0..TRIES {
        let mut joint = random_joint(game, &twin.state, turn, rng);
        if let Some(mv) = own {
            joint[turn.movers().position(seat)] = mv;
        }
        let mut next = twin.clone();
        if game.try_apply(&mut next.state.clone(), &joint).is_err() {
            return false;
        }
        next.step(game, seat, turn, &joint);
        if next.begins(seen) {
            *twin = next;
            return true;
        }
    }
    false
}

fn random_joint<G: Game>(game: &G, state: &G::State, turn: Turn, rng: &mut Rng) -> Vec<Move> {
    choices(game, state, turn).iter().map(|list| list[rng.index(list.len())]).collect()
}
