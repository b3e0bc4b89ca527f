//! `mbm`: the multi-agent bandit Monte Carlo system of Banda 2019 (seed 004).
//!
//! A population of agents pulls the arms of one position, its legal moves. Each agent has a *core
//! move* with which all its simulations begin; after it both sides move at random, but that the
//! mock agents on the other seats take a win at hand ([`simulation`], Algorithm 1). How a
//! simulation ended, and at which depth, goes into a common table ([`arms`]), which says at the
//! end which move to make, and why.
//!
//! Between simulations an agent keeps or changes its core move by the *Wise Explorer* (section
//! 5.2). The simulations come in two halves:
//! - **Bad branches** (Algorithm 2): an agent that did not win keeps its core move, one that won
//!   draws another. As printed, `Agent.change` selects the branch that keeps the move, against
//!   the meaning of its name in section 5.1, and the remark that it 'indicates that the agent
//!   either won or tied' contradicts Algorithm 1, which sets it on ties and losses. But 'focused
//!   only on moves that have sub-par outcomes' and, in 5.3, 'bad a have a high t' in this phase
//!   leave no doubt what is meant: the algorithm as printed.
//! - **Promising branches** (Algorithm 3): an agent that did not win takes the top move of the
//!   table, one that won draws another.
//!
//! Which cost function ranks the table depends on the [`kind`] of game.
//!
//! Beyond the seed's experiments, from its section 8: several populations whose tables are joined
//! after each simulation or at the end, on several threads; a short look-ahead that drops core
//! moves which lose by force; the best reply to each core move by a nested run; the equilibria of populations compared by vote; data of
//! all moves at all depths ([`memory`]). With `mock=random` the other players do not look for wins, and all simulations of a
//! step are one batch of [`Game::playouts`], in lanes where the engine has them.

pub mod arms;
pub mod kind;
pub mod memory;
pub mod simulation;

use crate::agent::{Agent, Candidate, Choice, Failure, Tally, Thought};
use crate::best::{self, Best};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::{Clock, cpu_time};
use arms::{Arm, Cost, Ending, Reading};
pub use kind::Kind;
use ludex_core::deadline::{self, Deadline};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Outcomes, Player, Result, Rng, Seed, Turn, View};
use memory::Memory;
use simulation::Simulator;
use std::time::{Duration, Instant};

pub(crate) const ENTRY: Entry = Entry {
    name: "mbm",
    summary: "multi-agent bandit: a population explores bad branches, then promising ones",
    needs: Needs::TURNS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of [`Mbm`].
    pub struct Params {
        /// Agents in a population.
        pub agents: u32 = 50, 1..=1_000_000;
        /// Simulations of each agent; auto: as the budget says, else 50.
        pub simulations: Option<u32> = None, (1..=1_000_000, "auto");
        /// A simulation is neutral after so many turns of the agent.
        pub depth: u32 = 200, 1..=10_000;
        /// Kind of game: normal, indifferent (both players move the same pieces), or auto (found out by random games).
        pub kind: Option<Kind> = None, "auto";
        /// How indifferent games weigh late wins: ratio (to early wins), versus (early losses) or difference.
        pub reading: Reading = Reading::Ratio;
        /// Other players take a win at hand (win) or move at random, in lanes (random).
        pub mock: bool = true, ["random", "win"];
        /// Populations, each exploring on its own.
        pub populations: u32 = 1, 1..=1024;
        /// Join the tables of populations after each simulation (sim) or at the end (end), or let their top moves vote (vote).
        pub merge: Merge = Merge::End;
        /// Data of core moves (core), or of all moves at all depths (all), on one thread.
        pub all as "data": bool = false, ["core", "all"];
        /// Simulations of each agent in a nested run that finds the best reply to each core move; 0: none.
        pub nested: u32 = 0, 0..=10_000;
        /// Drop core moves that lose by force within so many plies.
        pub look: u32 = 0, 0..=8;
        /// Threads.
        pub threads: u32 = 1, 1..=256;
    }
}

/// How the tables of several populations are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// The tables of all populations are added up at the end.
    End,
    /// All populations have one table.
    Sim,
    /// Each population's equilibrium names a move; the most named move is made, by the joined table among equals.
    Vote,
}

ludex_core::words!(Merge { End = "end", Sim = "sim", Vote = "vote" });

impl Recipe for Params {
    fn build(&self, game: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(Mbm::new(game, self.clone(), seed)))
    }
}

/// Simulations of each agent where nothing is said, as in the seed's experiments.
const SIMULATIONS: u64 = 50;

/// One agent of a population.
#[derive(Debug, Clone, Copy)]
struct Member {
    /// The agent's core move, as an index into the arms.
    arm: usize,
    /// Did its last simulation end without a win?
    change: bool,
}

/// How long the exploring goes on, and where its first half ends.
struct Plan {
    /// Simulations of an agent.
    rounds: u64,
    /// Agents of a population.
    agents: usize,
    populations: usize,
    /// Games over all agents.
    games: u64,
    /// Where time is the only limit: the end of the first half.
    half_time: Option<Instant>,
}

impl Plan {
    /// A budget in simulations is spent to the last one, with at least two for each agent; one
    /// in time runs as many as fit, half of the time for each half of the algorithm.
    fn new(params: &Params, budget: &Budget) -> Plan {
        let agents = u64::from(params.agents);
        let mut plan = Plan {
            rounds: params.simulations.map_or(SIMULATIONS, u64::from),
            agents: agents as usize,
            populations: params.populations as usize,
            games: u64::MAX,
            half_time: None,
        };
        match (params.simulations, budget.sims, budget.time) {
            (simulations, Some(sims), _) => {
                if sims < agents * u64::from(params.populations) * 2 {
                    plan.populations = 1;
                    plan.agents = agents.min(sims.isqrt().max(1)) as usize;
                }
                let step = (plan.agents * plan.populations) as u64;
                plan.games = sims;
                plan.rounds = simulations.map_or(u64::MAX, u64::from).min(sims.div_ceil(step));
            }
            (None, None, Some(time)) => {
                plan.rounds = u64::MAX;
                plan.half_time = Instant::now().checked_add(time / 2);
            }
            _ => {}
        }
        plan
    }

    /// Is the simulation with this number, counted from 1, one of the first half?
    fn first_half(&self, round: u64) -> bool {
        match self.half_time {
            Some(half) => Instant::now() < half,
            None => round <= self.rounds / 2,
        }
    }
}

/// Processor time for finding out the kind of a game; most take milliseconds, and a game that takes longer counts as normal.
const KIND_TIME: Duration = Duration::from_secs(2);

/// The agent.
pub struct Mbm<G: Game> {
    params: Params,
    cost: Cost,
    rng: Rng,
    simulators: Vec<Simulator<G>>,
    memory: Memory<G>,
    out: Outcomes,
}

/// The result of the exploration.
struct Explored {
    /// The table of all populations.
    arms: Vec<Arm>,
    /// The top move of each population, where they vote.
    votes: Vec<usize>,
}

impl<G: Game> Mbm<G> {
    /// An agent for `game`. Finds out what [`Kind`] of game it is, where that is not given.
    pub fn new(game: &G, params: Params, seed: Seed) -> Self {
        let kind = params.kind.unwrap_or_else(|| {
            // Not by the agent's own seed: all agents of a match judge a game alike.
            let cpu = cpu_time().checked_add(KIND_TIME);
            let _scope = Deadline { cpu, ..Deadline::default() }.enter();
            kind::kind_of(game, &game.start(), Seed(4).named("kind"))
        });
        let cost = match kind {
            Kind::Normal => Cost::Normal,
            Kind::Indifferent => Cost::Indifferent(params.reading),
        };
        Mbm {
            cost,
            rng: seed.rng(),
            simulators: (0..params.threads).map(|_| Simulator::new(game)).collect(),
            memory: Memory::new(game),
            out: Outcomes::new(game.info().seats()),
            params,
        }
    }

    /// The kind of the game: normal or indifferent.
    pub fn kind(&self) -> Kind {
        match self.cost {
            Cost::Normal => Kind::Normal,
            Cost::Indifferent(_) => Kind::Indifferent,
        }
    }

    /// The Wise Explorer: fills the tables until the plan is done or the clock rings.
    fn explore(
        &mut self,
        game: &G,
        me: Player,
        starts: &[G::State],
        blank: &[Arm],
        plan: &Plan,
        clock: &mut Clock,
    ) -> Explored {
        let tables = if self.params.merge == Merge::Sim { 1 } else { plan.populations };
        let mut tables: Vec<Vec<Arm>> = vec![blank.to_vec(); tables];
        let mut members: Vec<Member> = (0..plan.agents * plan.populations)
            .map(|_| Member { arm: self.rng.index(starts.len()), change: false })
            .collect();
        let mut left = plan.games;
        for round in 1..=plan.rounds {
            let jobs = (left.min(members.len() as u64)) as usize;
            let seed = self.rng.seed();
            let ends = match self.params.mock || self.params.all {
                true if self.params.all => {
                    self.step_in_memory(game, me, starts, &members[..jobs], clock)
                }
                true => self.step(game, me, starts, &members[..jobs], seed, clock),
                false => self.step_in_batch(game, me, starts, &members[..jobs], seed),
            };
            let ran = ends.len();
            if ran == 0 {
                break;
            }
            for (i, &(end, depth)) in ends.iter().enumerate() {
                let table = (i / plan.agents).min(tables.len() - 1);
                let member = &mut members[i];
                tables[table][member.arm].add(end, depth);
                member.change = end != Ending::Win;
            }
            left -= ran as u64;
            if Best::current().is_some() {
                let (order, _) = self.rank(game, me, starts, &tables[0]);
                order.first().map(|&at| tables[0][at].mv).into_iter().for_each(best::publish);
            }
            if left == 0 || ran < jobs || clock.look() || round == plan.rounds {
                break;
            }
            let tops = match plan.first_half(round) {
                true => Vec::new(),
                false => {
                    tables.iter().map(|table| self.top(game, me, starts, table)).collect::<Vec<_>>()
                }
            };
            for (i, member) in members.iter_mut().enumerate() {
                if !member.change {
                    member.arm = self.rng.index(starts.len());
                } else if let Some(&top) = tops.get((i / plan.agents).min(tables.len() - 1)) {
                    member.arm = top;
                }
            }
            if self.params.all {
                self.spread(game, me, starts, &mut members);
            }
        }
        let votes = match self.params.merge {
            Merge::Vote => tables.iter().map(|table| self.top(game, me, starts, table)).collect(),
            _ => Vec::new(),
        };
        let mut arms = blank.to_vec();
        for table in &tables {
            arms.iter_mut().zip(table).for_each(|(sum, arm)| sum.merge(arm));
        }
        Explored { arms, votes }
    }

    /// The order of a table, the best first, and how many share first place.
    fn rank(
        &self,
        game: &G,
        me: Player,
        starts: &[G::State],
        table: &[Arm],
    ) -> (Vec<usize>, usize) {
        if !self.params.all {
            return arms::rank(table, self.cost);
        }
        let known: Vec<Option<Ending>> =
            starts.iter().map(|state| self.memory.certain(game, state, me)).collect();
        self.memory.rank(table, &known)
    }

    /// The top move of a table; equals draw lots.
    fn top(&mut self, game: &G, me: Player, starts: &[G::State], table: &[Arm]) -> usize {
        let (order, ties) = self.rank(game, me, starts, table);
        order.get(self.rng.index(ties)).copied().unwrap_or(0)
    }

    /// One simulation of every member, with data of all moves.
    fn step_in_memory(
        &mut self,
        game: &G,
        me: Player,
        starts: &[G::State],
        members: &[Member],
        clock: &mut Clock,
    ) -> Vec<(Ending, u32)> {
        let mut ends = Vec::with_capacity(members.len());
        for member in members {
            let start = &starts[member.arm];
            let end = self.memory.run(game, start, me, self.params.depth, &mut self.rng);
            ends.extend(end);
            if end.is_none() || clock.tick() {
                break;
            }
        }
        ends
    }

    /// Members whose core move has a certain end draw one that has none: another simulation of it tells nothing.
    fn spread(&mut self, game: &G, me: Player, starts: &[G::State], members: &mut [Member]) {
        let known = |start: &G::State| self.memory.certain(game, start, me).is_some();
        let known: Vec<bool> = starts.iter().map(known).collect();
        let open: Vec<usize> = (0..starts.len()).filter(|&i| !known[i]).collect();
        for member in members.iter_mut().filter(|member| known[member.arm]) {
            if !open.is_empty() {
                member.arm = open[self.rng.index(open.len())];
            }
        }
    }

    /// Section 8: 'another simulation would be run to determine its best nextMove b'. The position after each core move and the
    /// best reply to it, by a whole run of its own; where somebody else than the other player moves next, the position after
    /// the core move. The simulations of the nested runs are added to `spent`.
    fn replies(
        &mut self,
        game: &G,
        me: Player,
        starts: Vec<G::State>,
        clock: &mut Clock,
        spent: &mut u64,
    ) -> Vec<G::State> {
        let inner = Params {
            nested: 0,
            simulations: Some(self.params.nested),
            kind: Some(self.kind()),
            ..self.params.clone()
        };
        let reply = |start: G::State, seed: Seed, spent: &mut u64| {
            let Turn::One(player) = game.turn(&start) else { return start };
            let mut legal = Vec::new();
            game.moves(&start, player, &mut legal);
            if player == me || legal.is_empty() {
                return start;
            }
            let here = ludex_core::Match::at(game, start.clone());
            let view = here.view(player, &mut legal);
            let choice =
                Mbm::new(game, inner.clone(), seed).choose(game, &view, &Budget::default());
            let Ok(choice) = choice else { return start };
            *spent += choice.thought.sims;
            let mut next = start;
            game.apply(&mut next, &[choice.mv]);
            next
        };
        let mut after = Vec::with_capacity(starts.len());
        for start in starts {
            let seed = self.rng.seed();
            after.push(if clock.look() { start } else { reply(start, seed, spent) });
        }
        after
    }

    /// One simulation of every member. The clock may cut the list short. Each member has its
    /// own stream, so that the number of threads does not matter.
    fn step(
        &mut self,
        game: &G,
        me: Player,
        starts: &[G::State],
        members: &[Member],
        seed: Seed,
        clock: &Clock,
    ) -> Vec<(Ending, u32)> {
        let depth = self.params.depth;
        let run = |simulator: &mut Simulator<G>, from: usize, members: &[Member]| {
            let mut clock = clock.on_thread();
            let _scope = clock.enter();
            let mut ends = Vec::with_capacity(members.len());
            for (i, member) in members.iter().enumerate() {
                let mut rng = seed.child((from + i) as u64).rng();
                let end = simulator.run(game, &starts[member.arm], me, depth, &mut rng);
                ends.extend(end);
                if end.is_none() || clock.tick() {
                    break;
                }
            }
            ends
        };
        if self.simulators.len() == 1 {
            return run(&mut self.simulators[0], 0, members);
        }
        let share = members.len().div_ceil(self.simulators.len()).max(1);
        let run = &run;
        let parts: Vec<Vec<(Ending, u32)>> = std::thread::scope(|scope| {
            let threads: Vec<_> = members
                .chunks(share)
                .zip(&mut self.simulators)
                .enumerate()
                .map(|(i, (part, simulator))| scope.spawn(move || run(simulator, i * share, part)))
                .collect();
            // A thread that panicked has nothing to say; the caller sees a step cut short.
            threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
        });
        // Results must stay with their members: what comes after a part cut short is dropped.
        let mut ends = Vec::with_capacity(members.len());
        for part in parts {
            let whole = part.len() == share;
            ends.extend(part);
            if !whole {
                break;
            }
        }
        ends
    }

    /// One simulation of every member as one batch of plain random games. The depth is counted
    /// in rounds of all players, which is the same where they take turns one by one.
    fn step_in_batch(
        &mut self,
        game: &G,
        me: Player,
        starts: &[G::State],
        members: &[Member],
        seed: Seed,
    ) -> Vec<(Ending, u32)> {
        let batch: Vec<G::State> = members.iter().map(|m| starts[m.arm].clone()).collect();
        self.out.clear();
        game.playouts(&batch, 1, seed, &mut self.out);
        let seats = game.info().seats().max(1) as u32;
        let rows = self.out.rows().zip(self.out.lengths());
        rows.map(|(payoffs, &plies)| {
            let depth = 1 + plies / seats;
            match depth > self.params.depth {
                true => (Ending::Neutral, self.params.depth),
                false => (simulation::ending(payoffs, me), depth),
            }
        })
        .collect()
    }

    /// Section 8: 'a small simulation that reaches 2 or 3 levels deep for coreMove'. What is
    /// certain after a core move within `plies` more, with everybody against `me`. `fuel` bounds
    /// the positions looked at.
    fn certain(
        game: &G,
        state: &G::State,
        me: Player,
        plies: u32,
        fuel: &mut u32,
    ) -> Option<Ending> {
        *fuel = fuel.checked_sub(1).filter(|_| !deadline::look())?;
        let player = match game.turn(state) {
            Turn::Over => {
                let mut payoffs = vec![0.0; game.info().seats()];
                game.payoffs(state, &mut payoffs);
                return Some(simulation::ending(&payoffs, me));
            }
            Turn::One(player) if plies > 0 => player,
            _ => return None,
        };
        let mut moves = Vec::new();
        game.moves(state, player, &mut moves);
        let (best, worst) = match player == me {
            true => (Ending::Win, Ending::Loss),
            false => (Ending::Loss, Ending::Win),
        };
        let mut all = Some(worst);
        for mv in moves {
            let mut next = state.clone();
            game.apply(&mut next, &[mv]);
            match Self::certain(game, &next, me, plies - 1, fuel) {
                Some(end) if end == best => return Some(best),
                Some(end) if end == worst => {}
                _ => all = None,
            }
        }
        all
    }
}

/// Positions that the look-ahead may visit in all.
const LOOK_FUEL: u32 = 100_000;

impl<G: Game> Agent<G> for Mbm<G> {
    fn name(&self) -> String {
        self.params.call("mbm", &Params::default()).to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let state = crate::spec::visible(game, view, "mbm")?;
        let mut blank: Vec<Arm> = view.legal().iter().map(|&mv| Arm::new(mv)).collect();
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        if blank.is_empty() {
            return Err(crate::spec::not_to_move("mbm").into());
        }
        let plan = Plan::new(&self.params, budget);
        let mut clock = Clock::start(budget, plan.half_time.is_none());
        let _scope = clock.enter();
        let me = view.seat();
        let mut starts: Vec<G::State> = Vec::with_capacity(blank.len());
        for arm in &blank {
            if clock.look() {
                break;
            }
            let mut next = state.clone();
            game.apply(&mut next, &[arm.mv]);
            starts.push(next);
        }
        // Moves that the clock left no time for are not looked at.
        blank.truncate(starts.len());
        if blank.is_empty() {
            let any = view.legal().get(self.rng.index(view.legal().len())).copied();
            debug_assert!(any.is_some(), "a player to move has a legal move");
            return Ok(Choice::plain(any.unwrap_or_default()));
        }
        if self.params.look > 0 {
            let mut fuel = LOOK_FUEL;
            let look = self.params.look - 1;
            let known: Vec<Option<Ending>> =
                starts.iter().map(|s| Self::certain(game, s, me, look, &mut fuel)).collect();
            let wins = known.contains(&Some(Ending::Win));
            let keep = |end: &Option<Ending>| match wins {
                true => *end == Some(Ending::Win),
                false => *end != Some(Ending::Loss),
            };
            if known.iter().any(keep) {
                let mut kept = known.iter().map(keep);
                blank.retain(|_| kept.next().unwrap_or(true));
                let mut kept = known.iter().map(keep);
                starts.retain(|_| kept.next().unwrap_or(true));
            }
        }
        let mut spent = 0;
        if self.params.nested > 0 {
            starts = self.replies(game, me, starts, &mut clock, &mut spent);
        }
        self.memory.clear();
        let Explored { arms, votes } = self.explore(game, me, &starts, &blank, &plan, &mut clock);
        let (mut order, ties) = self.rank(game, me, &starts, &arms);
        let lot = self.rng.index(ties);
        order[..=lot].rotate_right(1);
        let count = |i: usize| votes.iter().filter(|&&vote| vote == i).count();
        // A stable sort: moves with equal votes stay in the order of the joined table.
        order.sort_by_key(|&i| std::cmp::Reverse(count(i)));
        let candidates: Vec<Candidate> = order
            .iter()
            .map(|&i| {
                let arm = &arms[i];
                Candidate {
                    mv: arm.mv,
                    visits: arm.trials(),
                    value: arm.mean() as f32,
                    line: vec![arm.mv],
                    depths: arm.depths().map(Tally::from).collect(),
                    ..Candidate::default()
                }
            })
            .collect();
        let best = arms[order[0]].clone();
        let deepest = arms.iter().filter_map(|arm| arm.depths().next_back()).map(|(d, _)| d).max();
        Ok(Choice {
            mv: best.mv,
            thought: Thought {
                sims: spent + arms.iter().map(Arm::trials).sum::<u64>(),
                nodes: arms.len() as u64,
                depth: deepest.unwrap_or(0),
                value: Some(best.mean() as f32),
                proven: false,
                notes: Vec::new(),
                candidates,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Move;

    #[test]
    fn a_plan_spends_a_budget_of_simulations_to_the_last() {
        let params = Params::default();
        let plan = |sims| Plan::new(&params, &Budget::sims(sims));
        assert_eq!((plan(2500).rounds, plan(2500).agents), (50, 50));
        assert_eq!((plan(2510).rounds, plan(2510).games), (51, 2510));
        assert_eq!((plan(90).rounds, plan(90).agents), (10, 9));
        assert_eq!((plan(1).rounds, plan(1).agents), (1, 1));
        assert_eq!(Plan::new(&params, &Budget::default()).rounds, 50);
    }

    #[test]
    fn ties_in_rank_keep_every_arm_once() {
        let arms: Vec<Arm> = (0..5).map(|i| Arm::new(Move(i))).collect();
        let (order, ties) = arms::rank(&arms, Cost::Normal);
        assert_eq!((order.len(), ties), (5, 5));
    }
}
