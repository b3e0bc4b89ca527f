//! A contest: agents play a game many times on all cores.

use crate::record::GameRecord;
use crate::referee::{Referee, Seat};
use crate::schedule::{Pairing, schedule};
use crate::stats::{Interval, Z95, wilson};
use ludex_agents::{AgentSpec, Budget};
use ludex_core::{AnyGame, AnyState, Game, Player, Result, Seed};
use rayon::prelude::*;
use serde::Serialize;

/// What is to be played.
pub struct Contest {
    /// The game.
    pub game: AnyGame,
    /// Where each game begins, where that is not the usual start.
    pub origin: Option<AnyState>,
    /// Who plays.
    pub agents: Vec<AgentSpec>,
    /// The budget of agents that don't bring their own.
    pub budget: Budget,
    /// How many games.
    pub games: u64,
    /// Where all luck comes from.
    pub seed: Seed,
    /// How games are conducted.
    pub referee: Referee,
}

impl Contest {
    /// Checks that every agent can play the game.
    ///
    /// # Errors
    /// The first agent that can't, with one that can.
    pub fn check(&self) -> Result<()> {
        self.agents.iter().try_for_each(|agent| agent.supports(self.game.info()))
    }

    /// The games to be played.
    pub fn schedule(&self) -> Vec<Pairing> {
        schedule(self.agents.len(), self.game.info().seats(), self.games, self.seed)
    }

    /// Plays one game of the schedule.
    ///
    /// # Errors
    /// An agent that can't be made.
    pub fn play(&self, pairing: &Pairing) -> Result<GameRecord> {
        let mut seats = pairing
            .seats
            .iter()
            .enumerate()
            .map(|(seat, &agent)| {
                let spec = &self.agents[agent];
                let seed = pairing.seed.named("agent").child(pairing.number).child(seat as u64);
                let agent = spec.build(&self.game, Player(seat as u8), seed)?;
                Ok(Seat { agent, budget: spec.budget().or(&self.budget) })
            })
            .collect::<Result<Vec<_>>>()?;
        let origin = self.origin.as_ref();
        Ok(self.referee.play(&self.game, origin, &mut seats, pairing.seed, |_| {}))
    }

    /// Plays everything on `threads` threads; `finished` is called with each game as it ends,
    /// in no particular order.
    ///
    /// # Errors
    /// An agent that can't be made, or threads that can't be had.
    pub fn run(
        &self,
        threads: usize,
        finished: impl Fn(&Pairing, &GameRecord) + Sync,
    ) -> Result<Tally> {
        self.check()?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|e| ludex_core::Error::Unsupported(format!("no threads to play on: {e}")))?;
        let pairings = self.schedule();
        let records: Vec<GameRecord> = pool.install(|| {
            pairings
                .par_iter()
                .map(|pairing| {
                    let record = self.play(pairing)?;
                    finished(pairing, &record);
                    Ok(record)
                })
                .collect::<Result<_>>()
        })?;
        let mut tally = Tally::new(self.agents.len());
        for (pairing, record) in pairings.iter().zip(&records) {
            tally.add(&pairing.seats, record);
        }
        Ok(tally)
    }
}

/// The sums of a contest; the order in which games are added does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games in which nobody alone came first.
    pub draws: u64,
    /// Games that ended by forfeit.
    pub forfeits: u64,
    agents: Vec<Sums>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Sums {
    seats: u64,
    wins: u64,
    losses: u64,
    forfeits: u64,
    // In 2^-24 of a payoff, so that the sum does not depend on the order of the games.
    payoff: u64,
}

/// How one agent did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Seats it filled.
    pub seats: u64,
    /// Times it came first alone.
    pub wins: u64,
    /// Times another came first alone.
    pub losses: u64,
    /// Times it forfeited.
    pub forfeits: u64,
    /// Mean payoff.
    pub score: f64,
    /// 95 % interval of the mean payoff.
    pub interval: Interval,
}

const PAYOFF_UNIT: f64 = (1u64 << 24) as f64;

impl Tally {
    /// Nothing yet, for so many agents.
    pub fn new(agents: usize) -> Self {
        Tally { games: 0, draws: 0, forfeits: 0, agents: vec![Sums::default(); agents] }
    }

    /// Adds a game in which the agents sat as `seats` says.
    pub fn add(&mut self, seats: &[usize], record: &GameRecord) {
        self.games += 1;
        let best = record.payoffs.iter().copied().fold(0.0, f32::max);
        let firsts = record.payoffs.iter().filter(|&&payoff| payoff == best).count();
        // Alone at the table, one wins by the full payoff and loses otherwise.
        let alone = record.payoffs.len() == 1;
        let decided = firsts == 1 && (!alone || best == 1.0 || best == 0.0);
        self.draws += u64::from(!decided);
        self.forfeits += u64::from(record.forfeit.is_some());
        for (seat, (&agent, &payoff)) in seats.iter().zip(&record.payoffs).enumerate() {
            let Some(sums) = self.agents.get_mut(agent) else { continue };
            let first = payoff == best && !(alone && best == 0.0);
            sums.seats += 1;
            sums.wins += u64::from(decided && first);
            sums.losses += u64::from(decided && !first);
            sums.forfeits +=
                u64::from(record.forfeit.as_ref().is_some_and(|f| usize::from(f.seat) == seat));
            sums.payoff += (f64::from(payoff) * PAYOFF_UNIT).round() as u64;
        }
    }

    /// How each agent did, in the order of the agents.
    pub fn standings(&self) -> Vec<Standing> {
        self.agents
            .iter()
            .map(|sums| {
                let score = sums.payoff as f64 / PAYOFF_UNIT / sums.seats.max(1) as f64;
                Standing {
                    seats: sums.seats,
                    wins: sums.wins,
                    losses: sums.losses,
                    forfeits: sums.forfeits,
                    score,
                    interval: wilson(score, sums.seats, Z95),
                }
            })
            .collect()
    }
}
