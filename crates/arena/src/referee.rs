//! The referee: owns the true state, shows each seat only what it may see, and enforces
//! legality and budgets. A mind that breaks them, or breaks down, forfeits; the match goes on.

use crate::record::{Fault, Forfeit, GameRecord};
use ludex_agents::{Agent, Budget, Choice};
use ludex_core::{AnyGame, AnyState, Game, Move, Percept, Player, Record, Seed, Turn, View};
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
}

impl Default for Referee {
    fn default() -> Self {
        Referee { grace: Duration::from_secs(1), longest: 10_000 }
    }
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
        mut watch: impl FnMut(&Step<'_>),
    ) -> GameRecord {
        let start = origin.cloned().unwrap_or_else(|| game.start());
        let players = game.info().seats();
        let mut record = GameRecord {
            game: game.info().name.clone(),
            position: origin.map(|state| game.position(state)),
            agents: seats.iter().map(|seat| seat.agent.name()).collect(),
            seed: seed.0,
            moves: Vec::new(),
            payoffs: vec![0.5; players],
            forfeit: None,
            think_ms: vec![0.0; players],
            overruns: vec![0; players],
        };
        let mut dice = seed.named("dice").rng();
        let mut lives: Vec<Vec<Record>> = vec![Vec::new(); players];
        let mut state = start.clone();
        let mut before = start.clone();
        let mut legal = Vec::new();
        let mut joint = Vec::new();
        let mut choices = Vec::new();
        for _ in 0..self.longest {
            let turn = game.turn(&state);
            joint.clear();
            choices.clear();
            match turn {
                Turn::Over => {
                    game.payoffs(&state, &mut record.payoffs);
                    return record;
                }
                Turn::Chance => joint.push(game.sample_chance(&state, &mut dice)),
                Turn::One(_) | Turn::Joint(_) => {
                    for player in turn.movers().iter() {
                        legal.clear();
                        game.moves(&state, player, &mut legal);
                        let life = &lives[player.index()];
                        let asked = Instant::now();
                        let answer = ask(
                            game,
                            &start,
                            &state,
                            player,
                            life,
                            &legal,
                            &mut seats[player.index()],
                        );
                        let spent = asked.elapsed();
                        record.think_ms[player.index()] += spent.as_secs_f64() * 1e3;
                        let limit = seats[player.index()].budget.time;
                        record.overruns[player.index()] +=
                            u32::from(limit.is_some_and(|limit| spent > limit));
                        let late = limit.is_some_and(|limit| spent > limit + self.grace);
                        match judge(game, answer, &legal, late.then_some(spent)) {
                            Ok(choice) => {
                                joint.push(choice.mv);
                                choices.push((player, choice));
                            }
                            Err((fault, reason)) => {
                                record.forfeit = Some(Forfeit { seat: player.0, fault, reason });
                                share_out(&mut record.payoffs, player);
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
        }
        record
    }
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
        Ok(Err(error)) => Err((Fault::Error, error.to_string())),
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

/// The result of a forfeit: nothing for the one, an equal share of the win for the others.
fn share_out(payoffs: &mut [f32], loser: Player) {
    let others = payoffs.len().saturating_sub(1).max(1) as f32;
    payoffs.fill(1.0 / others);
    if let Some(payoff) = payoffs.get_mut(loser.index()) {
        *payoff = 0.0;
    }
}
