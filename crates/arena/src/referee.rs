//! The referee plays one game between agents. It shows each seat only what the seat may see, and enforces legal moves
//! and budgets. An agent that breaks the rules, panics or fails forfeits the game.

use crate::record::{Ending, Fault, GameRecord};
use ludex_agents::{Agent, Budget, Choice, Failure};
use ludex_core::deadline;
use ludex_core::{AnyGame, AnyState, Error, Game, Match, Move, Player, Rng, Seed, Turn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// An agent with its budget for a move.
pub struct Seat {
    /// The agent.
    pub agent: Box<dyn Agent<AnyGame>>,
    /// The agent's budget for each move.
    pub budget: Budget,
}

/// How a game is conducted.
#[derive(Debug, Clone)]
pub struct Referee {
    /// How long after the end of its time an agent's move still counts. The overrun is recorded.
    pub grace: Duration,
    /// The game is a draw (0.5 for each seat) after so many steps.
    pub longest: u32,
    /// Does a result that an agent has proven end a game of two players with constant sum?
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
    /// The first steps, made before the agents may choose. They must be legal.
    pub opening: &'a [Vec<Move>],
    /// The seed of the game's own chance.
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
    // No opening is longer than the longest game.
    let plies = game.info().longest.map_or(plies, |longest| plies.min(longest));
    for plies in (1..=plies).rev() {
        for attempt in 0..100 {
            let mut rng = seed.child(plies.into()).child(attempt).rng();
            if let Some(steps) = random_line(game, origin, plies, &mut rng) {
                return steps;
            }
        }
    }
    Vec::new()
}

/// Random steps, `plies` of them by players, that don't end the game.
fn random_line(
    game: &AnyGame,
    origin: Option<&AnyState>,
    plies: u32,
    rng: &mut Rng,
) -> Option<Vec<Vec<Move>>> {
    let mut play = Match::at(game, origin.cloned().unwrap_or_else(|| game.start()));
    let mut made = 0;
    while made < plies {
        made += u32::from(play.turn() != Turn::Chance);
        if play.is_over() {
            return None;
        }
        play.apply_random(rng);
    }
    (!play.is_over()).then(|| play.joints().map(<[Move]>::to_vec).collect())
}

/// A step that was just made, for spectators.
#[derive(Debug)]
pub struct Step<'a> {
    /// The state before.
    pub before: &'a AnyState,
    /// The joint move.
    pub joint: &'a [Move],
    /// The state after.
    pub after: &'a AnyState,
    /// The choice of each mover, in seat order; empty for chance and for steps of the opening.
    pub choices: &'a [(Player, Choice)],
}

impl Referee {
    /// Plays one game from `origin`. `seed` is the seed of the game's own chance.
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
        watch: impl FnMut(&Step<'_>),
    ) -> GameRecord {
        let names = seats.iter().map(|seat| seat.agent.name()).collect();
        let mut record = GameRecord::new(game, names, deal.seed);
        record.position = deal.origin.map(|state| game.position(state));
        record.opening = deal.opening.len() as u32;
        let origin = deal.origin.cloned().unwrap_or_else(|| game.start());
        let mut play = Match::at(game, origin);
        let stop = self.run(&mut play, &deal, seats, &mut record, watch);
        record.moves = play.moves_text();
        match stop {
            Some(Stop::Forfeit(player, (fault, reason))) => record.lose(player, fault, reason),
            Some(Stop::Proven(payoffs)) => {
                record.payoffs.copy_from_slice(&payoffs);
                record.ending = Ending::Proven;
            }
            Some(Stop::Abandoned) => record.ending = Ending::Abandoned,
            None => {
                if let Some(payoffs) = play.payoffs() {
                    record.payoffs = payoffs;
                    record.ending = Ending::Rules;
                }
            }
        }
        record
    }

    /// Makes steps until the game is over, too long, or stopped for a reason.
    fn run(
        &self,
        play: &mut Match<'_, AnyGame>,
        deal: &Deal<'_>,
        seats: &mut [Seat],
        record: &mut GameRecord,
        mut watch: impl FnMut(&Step<'_>),
    ) -> Option<Stop> {
        let mut dice = deal.seed.named("dice").rng();
        let (mut joint, mut choices, mut pad) = (Vec::new(), Vec::new(), Vec::new());
        while play.len() < self.longest as usize && !play.is_over() {
            joint.clear();
            choices.clear();
            match (play.turn(), deal.opening.get(play.len())) {
                (_, Some(dealt)) => joint.extend_from_slice(dealt),
                (Turn::Chance, None) => joint.push(play.sample_chance(&mut dice)),
                (turn, None) => {
                    for player in turn.movers().iter() {
                        match self.ask(play, player, seats, record, &mut pad) {
                            Ok(choice) => {
                                joint.push(choice.mv);
                                choices.push((player, choice));
                            }
                            Err(stop) => return Some(stop),
                        }
                    }
                }
            }
            play.apply(&joint);
            let (before, after) = (play.before(), play.state());
            watch(&Step { before, joint: &joint, after, choices: &choices });
            if self.proven
                && let Some(payoffs) = proof(play.game(), &choices)
            {
                return Some(Stop::Proven(payoffs));
            }
        }
        None
    }

    /// Asks one mover for a legal move in time, and books the time that it took.
    fn ask(
        &self,
        play: &Match<'_, AnyGame>,
        player: Player,
        seats: &mut [Seat],
        record: &mut GameRecord,
        pad: &mut Vec<Move>,
    ) -> Result<Choice, Stop> {
        let seat = &mut seats[player.index()];
        let view = match seat.agent.cheats() {
            true => play.cheating_view(player, pad),
            false => play.view(player, pad),
        };
        let asked = Instant::now();
        let answer = guarded(|| seat.agent.choose(play.game(), &view, &seat.budget));
        let spent = asked.elapsed();
        if deadline::stopped() {
            return Err(Stop::Abandoned);
        }
        record.think_ms[player.index()] += spent.as_secs_f64() * 1e3;
        let limit = seat.budget.time;
        record.overruns[player.index()] += u32::from(limit.is_some_and(|limit| spent > limit));
        let late = limit.is_some_and(|limit| spent > limit + self.grace);
        let choice = judge(play.game(), answer, view.legal(), late.then_some(spent))
            .map_err(|failure| Stop::Forfeit(player, failure))?;
        record.note(player, &choice.thought.notes);
        Ok(choice)
    }
}

/// Why an agent has no move: the kind of fault, and the details for people.
type Forfeited = (Fault, String);

/// Why a game ends before the rules end it.
enum Stop {
    Forfeit(Player, Forfeited),
    Proven([f32; 2]),
    Abandoned,
}

/// The result that the mover has proven, in a game of two players with constant sum.
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

/// Runs code of an agent. Its errors and panics become failures.
fn guarded(work: impl FnOnce() -> Result<Choice, Failure>) -> Result<Choice, Forfeited> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(answer) => answer.map_err(|error| (fault(&error), error.to_string())),
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            Err((Fault::Crash, text.unwrap_or("panicked").to_string()))
        }
    }
}

/// The kind of fault that an agent's error is.
pub(crate) fn fault(failure: &Failure) -> Fault {
    match failure {
        Failure::Error(Error::IllegalMove { .. }) => Fault::Illegal,
        Failure::Crashed(_) => Fault::Crash,
        Failure::Late(_) => Fault::Late,
        Failure::Error(_) | Failure::Left(_) => Fault::Error,
    }
}

/// The agent's choice, if it is a legal move in time.
fn judge(
    game: &AnyGame,
    answer: Result<Choice, Forfeited>,
    legal: &[Move],
    late: Option<Duration>,
) -> Result<Choice, Forfeited> {
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
