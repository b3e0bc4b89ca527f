//! The referee: owns the true state, shows each seat only what it may see, and enforces
//! legality and budgets. A mind that breaks them, or breaks down, forfeits; the match goes on.

use crate::record::{Ending, Fault, GameRecord};
use ludex_agents::{Agent, Budget, Choice};
use ludex_core::deadline;
use ludex_core::{
    AnyGame, AnyState, Error, Game, Move, Percept, Player, Record, Rng, Seed, Turn, View,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A mind with what it may spend on a move.
pub struct Seat {
    /// The mind.
    pub agent: Box<dyn Agent<AnyGame>>,
    /// Its budget for each move.
    pub budget: Budget,
}

/// How a game is conducted.
#[derive(Debug, Clone)]
pub struct Referee {
    /// How long after the end of its time a move still counts. The overrun is recorded.
    pub grace: Duration,
    /// The game is a draw (half for everybody) after so many steps.
    pub longest: u32,
    /// Does a result that a mind has proven end a game of two with constant sum?
    pub proven: bool,
}

impl Default for Referee {
    fn default() -> Self {
        Referee { grace: Duration::from_secs(1), longest: 10_000, proven: false }
    }
}

/// How a game begins.
#[derive(Debug, Clone, Copy)]
pub struct Deal<'a> {
    /// The first position, where it is not the usual start.
    pub origin: Option<&'a AnyState>,
    /// The first steps, dealt before the minds may choose; legal ones.
    pub opening: &'a [Vec<Move>],
    /// Where the luck of the game itself comes from.
    pub seed: Seed,
}

impl<'a> Deal<'a> {
    /// A game from `origin` without an opening.
    pub fn new(origin: Option<&'a AnyState>, seed: Seed) -> Self {
        Deal { origin, opening: &[], seed }
    }
}

/// An opening: `plies` random steps of players (chance moves between them don't count) that
/// don't end the game. Where 100 attempts all end it, one ply less is tried.
///
/// ```
/// use ludex_arena::referee::opening;
/// use ludex_core::Seed;
/// let game = ludex_games::open("tictactoe").unwrap();
/// assert_eq!(opening(&game, None, 4, Seed(1)).len(), 4);
/// assert!(opening(&game, None, 99, Seed(1)).len() < 9);
/// ```
pub fn opening(
    game: &AnyGame,
    origin: Option<&AnyState>,
    plies: u32,
    seed: Seed,
) -> Vec<Vec<Move>> {
    let mut legal = Vec::new();
    // No opening is longer than the longest game.
    let plies = game.info().longest.map_or(plies, |longest| plies.min(longest));
    for plies in (1..=plies).rev() {
        for attempt in 0..100 {
            let mut rng = seed.child(plies.into()).child(attempt).rng();
            if let Some(steps) = random_line(game, origin, plies, &mut rng, &mut legal) {
                return steps;
            }
        }
    }
    Vec::new()
}

/// A random line that does not end the game.
fn random_line(
    game: &AnyGame,
    origin: Option<&AnyState>,
    plies: u32,
    rng: &mut Rng,
    legal: &mut Vec<Move>,
) -> Option<Vec<Vec<Move>>> {
    let mut state = origin.cloned().unwrap_or_else(|| game.start());
    let mut steps = Vec::new();
    let mut made = 0;
    while made < plies {
        let joint = match game.turn(&state) {
            Turn::Over => return None,
            Turn::Chance => vec![game.sample_chance(&state, rng)],
            turn => {
                made += 1;
                turn.movers().iter().map(|p| game.sample(&state, p, rng, legal)).collect()
            }
        };
        game.apply(&mut state, &joint);
        steps.push(joint);
    }
    (!game.is_over(&state)).then_some(steps)
}

/// What the referee tells of a step as it happens.
#[derive(Debug)]
pub struct Step<'a> {
    /// The state before.
    pub before: &'a AnyState,
    /// The joint move.
    pub joint: &'a [Move],
    /// The state after.
    pub after: &'a AnyState,
    /// What each mover thought, in seat order (none for chance).
    pub choices: &'a [(Player, Choice)],
}

impl Referee {
    /// Plays one game from `origin`. Luck of the game itself comes from `seed`.
    pub fn play(
        &self,
        game: &AnyGame,
        origin: Option<&AnyState>,
        seats: &mut [Seat],
        seed: Seed,
        watch: impl FnMut(&Step<'_>),
    ) -> GameRecord {
        self.conduct(game, Deal::new(origin, seed), seats, watch)
    }

    /// Plays one game as `deal` begins it. Where the thread is told to [stop](deadline::stopped) the game is
    /// [abandoned](Ending::Abandoned).
    pub fn conduct(
        &self,
        game: &AnyGame,
        deal: Deal<'_>,
        seats: &mut [Seat],
        mut watch: impl FnMut(&Step<'_>),
    ) -> GameRecord {
        let start = deal.origin.cloned().unwrap_or_else(|| game.start());
        let players = game.info().seats();
        let names = seats.iter().map(|seat| seat.agent.name()).collect();
        let mut record = GameRecord::new(game, names, deal.seed);
        record.position = deal.origin.map(|state| game.position(state));
        record.opening = deal.opening.len() as u32;
        let mut dice = deal.seed.named("dice").rng();
        let mut lives: Vec<Vec<Record>> = vec![Vec::new(); players];
        let mut state = start.clone();
        let mut before = start.clone();
        let mut legal = Vec::new();
        let mut joint = Vec::new();
        let mut choices: Vec<(Player, Choice)> = Vec::new();
        for step in 0..self.longest as usize {
            let turn = game.turn(&state);
            joint.clear();
            choices.clear();
            match (turn, deal.opening.get(step)) {
                (Turn::Over, _) => {
                    game.payoffs(&state, &mut record.payoffs);
                    record.ending = Ending::Rules;
                    return record;
                }
                (_, Some(dealt)) => joint.extend_from_slice(dealt),
                (Turn::Chance, None) => joint.push(game.sample_chance(&state, &mut dice)),
                (Turn::One(_) | Turn::Joint(_), None) => {
                    for player in turn.movers().iter() {
                        legal.clear();
                        game.moves(&state, player, &mut legal);
                        let seat = &mut seats[player.index()];
                        let asked = Instant::now();
                        let life = &lives[player.index()];
                        let answer = ask(game, &start, &state, player, life, &legal, seat);
                        let spent = asked.elapsed();
                        if deadline::stopped() {
                            record.ending = Ending::Abandoned;
                            return record;
                        }
                        record.think_ms[player.index()] += spent.as_secs_f64() * 1e3;
                        let limit = seat.budget.time;
                        record.overruns[player.index()] +=
                            u32::from(limit.is_some_and(|limit| spent > limit));
                        let late = limit.is_some_and(|limit| spent > limit + self.grace);
                        match judge(game, answer, &legal, late.then_some(spent)) {
                            Ok(choice) => {
                                record.note(player, &choice.thought.notes);
                                joint.push(choice.mv);
                                choices.push((player, choice));
                            }
                            Err((fault, reason)) => {
                                record.lose(player, fault, reason);
                                return record;
                            }
                        }
                    }
                }
            }
            before.clone_from(&state);
            game.apply(&mut state, &joint);
            record.moves.push(joint.iter().map(|&mv| game.move_text(mv)).collect());
            let movers = turn.movers();
            for (p, life) in lives.iter_mut().enumerate() {
                let player = Player(p as u8);
                let own = movers.contains(player).then(|| joint[movers.position(player)]);
                let mut percept = Percept::default();
                game.percept(&before, &joint, &state, player, &mut percept.0);
                life.push(Record { own, percept });
            }
            watch(&Step { before: &before, joint: &joint, after: &state, choices: &choices });
            if self.proven
                && let Some(payoffs) = proof(game, &choices)
            {
                record.payoffs.copy_from_slice(&payoffs);
                record.ending = Ending::Proven;
                return record;
            }
        }
        if game.is_over(&state) {
            game.payoffs(&state, &mut record.payoffs);
            record.ending = Ending::Rules;
        }
        record
    }
}

/// The result that the mover has proven, where two play for a constant sum.
fn proof(game: &AnyGame, choices: &[(Player, Choice)]) -> Option<[f32; 2]> {
    let [(player, choice)] = choices else { return None };
    let info = game.info();
    if info.seats() != 2 || !info.constant_sum || info.chance || !choice.thought.proven {
        return None;
    }
    let value = choice.thought.value?;
    let mut payoffs = [1.0 - value; 2];
    *payoffs.get_mut(player.index())? = value;
    Some(payoffs)
}

/// Asks a mind for its move; a panic is an answer, too.
fn ask(
    game: &AnyGame,
    origin: &AnyState,
    state: &AnyState,
    player: Player,
    life: &[Record],
    legal: &[Move],
    seat: &mut Seat,
) -> Result<Choice, (Fault, String)> {
    let view = if seat.agent.cheats() {
        View::cheating(origin, player, life, state, legal)
    } else {
        View::new(game, origin, player, life, state, legal)
    };
    match catch_unwind(AssertUnwindSafe(|| seat.agent.choose(game, &view, &seat.budget))) {
        Ok(Ok(choice)) => Ok(choice),
        Ok(Err(error)) => {
            let fault = match error {
                Error::IllegalMove { .. } => Fault::Illegal,
                Error::Crashed(_) => Fault::Crash,
                Error::Late(_) => Fault::Late,
                _ => Fault::Error,
            };
            Err((fault, error.to_string()))
        }
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            Err((Fault::Crash, text.unwrap_or("panicked").to_string()))
        }
    }
}

/// Accepts a legal move in time.
fn judge(
    game: &AnyGame,
    answer: Result<Choice, (Fault, String)>,
    legal: &[Move],
    late: Option<Duration>,
) -> Result<Choice, (Fault, String)> {
    let choice = answer?;
    if let Some(spent) = late {
        return Err((Fault::Late, format!("answered after {:.3} s", spent.as_secs_f64())));
    }
    if !legal.contains(&choice.mv) {
        let text = catch_unwind(AssertUnwindSafe(|| game.move_text(choice.mv)));
        let text = text.unwrap_or_else(|_| format!("{:#x}", choice.mv.0));
        return Err((Fault::Illegal, format!("`{text}` is not legal here")));
    }
    Ok(choice)
}
