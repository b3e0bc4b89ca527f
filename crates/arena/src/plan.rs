//! The schedule of an experiment: which game is number N. It is computed and never stored. So a run is resumed by playing
//! the numbers that are not in the store, and grows by playing higher numbers.
//!
//! A round holds every game of the experiment, a game every group of agents, a group every order of seats. The games of a
//! group in all orders of seats have consecutive numbers and share opening and dice: they are a *block*, the unit of
//! paired statistics.

use crate::contender::Contender;
use crate::experiment::{Seats, Stop};
use crate::record::GameRecord;
use crate::referee::{Deal, Referee, Seat, fault, opening};
use ludex_agents::{Budget, Failure};
use ludex_core::{AnyGame, AnyState, Game, Player, Seed};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A schedule that can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlanError {
    /// There are too many groups of agents.
    #[error("{agents} agents at {seats} seats make too many groups")]
    TooManyGroups {
        /// The number of agents.
        agents: usize,
        /// The number of seats.
        seats: usize,
    },
    /// There are too many orders of seats.
    #[error("{seats} seats have too many orders; rotate them")]
    TooManyOrders {
        /// The number of seats.
        seats: usize,
    },
    /// No group of agents meets.
    #[error("no two agents meet")]
    NoGroups,
    /// There are more games than can be counted.
    #[error("that would never end")]
    TooManyGames,
}

/// One game of an experiment and the groups of agents that meet in it.
pub struct Table {
    /// The game.
    pub game: AnyGame,
    /// The first position, where it is not the usual start.
    pub origin: Option<AnyState>,
    groups: Vec<Vec<usize>>,
    /// For each order of seats: the member of the group at each seat.
    orders: Vec<Vec<usize>>,
    /// The number of its first game in a round, and of its first block.
    first: u64,
    first_block: u64,
}

/// The most groups of one game.
const MOST: usize = 1_000_000;

impl Table {
    /// The digest of the rules: a run is not resumed under other rules.
    pub fn digest(&self) -> String {
        self.game.info().source.to_string()
    }

    /// Lays out the groups of agents and their orders of seats.
    pub(crate) fn new(
        game: AnyGame,
        origin: Option<AnyState>,
        agents: usize,
        seats: usize,
        champions: Option<usize>,
        how: Seats,
    ) -> Result<Self, PlanError> {
        let size = agents.min(seats);
        let ways = (0..size).try_fold(1usize, |n, i| Some(n.checked_mul(agents - i)? / (i + 1)));
        if ways.is_none_or(|n| n > MOST) {
            return Err(PlanError::TooManyGroups { agents, seats });
        }
        let mut groups = combinations(agents, size);
        if let Some(champions) = champions {
            groups.retain(|group| group.iter().any(|&agent| agent < champions));
            if seats == 2 {
                // Champions don't meet each other.
                groups.retain(|group| group.iter().any(|&agent| agent >= champions));
            }
        }
        // Where there are fewer agents than seats, each agent fills several.
        let plain: Vec<usize> = (0..seats).map(|seat| seat % size.max(1)).collect();
        let orders = match how {
            Seats::Fixed => vec![plain],
            Seats::Rotate => (0..size)
                .map(|shift| plain.iter().map(|&place| (place + shift) % size).collect())
                .collect(),
            Seats::All => arrangements(&plain).ok_or(PlanError::TooManyOrders { seats })?,
        };
        Ok(Table { game, origin, groups, orders, first: 0, first_block: 0 })
    }

    fn games(&self) -> u64 {
        self.groups.len() as u64 * self.orders.len() as u64
    }

    /// The number of games of a block: one for each order of seats.
    pub fn block(&self) -> u64 {
        self.orders.len() as u64
    }
}

/// Data that all games share.
pub struct Setup {
    /// The agents.
    pub agents: Vec<Arc<dyn Contender>>,
    /// The budget of agents that have none in their name.
    pub budget: Budget,
    /// The seed of all randomness.
    pub seed: Seed,
    /// How games are conducted.
    pub referee: Referee,
    /// Random plies at the beginning of a game, before the agents choose.
    pub openings: u32,
    /// Are the dice the same for every order of seats?
    pub paired: bool,
    /// The agent whose rating is 0.
    pub anchor: Option<usize>,
    /// The stop rules.
    pub stop: Option<Stop>,
}

/// All games of an experiment.
pub struct Plan {
    /// Data that all games share.
    pub setup: Setup,
    /// The games and the groups that meet in them.
    pub tables: Vec<Table>,
    /// The digest of the program that plays the games; see [`World::build`](crate::World::build).
    pub build: String,
    /// The number of games and of blocks in a round.
    round: u64,
    blocks: u64,
    total: u64,
}

/// Digests that must be the same on all machines that play games of one plan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Digests {
    /// The digest of the program; empty if unknown. See [`World::build`](crate::World::build).
    pub build: String,
    /// The digests of the rules of all games.
    pub rules: Vec<String>,
}

/// One game to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// The number of the game in the experiment.
    pub number: u64,
    /// The round.
    pub round: u64,
    /// The index of the game in the plan's tables.
    pub table: usize,
    /// The index of the order of seats, and the number of orders.
    pub order: (u64, u64),
    /// The agent at each seat.
    pub seats: Vec<usize>,
    /// The seed of the game's own randomness.
    pub seed: Seed,
}

impl Plan {
    /// Lays out `rounds` rounds, or as many as contain `limit` games.
    pub(crate) fn new(
        setup: Setup,
        mut tables: Vec<Table>,
        rounds: Option<u64>,
        limit: Option<u64>,
    ) -> Result<Self, PlanError> {
        let (mut round, mut blocks) = (0, 0);
        for table in &mut tables {
            (table.first, table.first_block) = (round, blocks);
            round += table.games();
            blocks += table.groups.len() as u64;
        }
        if round == 0 {
            return Err(PlanError::NoGroups);
        }
        let whole = rounds.map(|rounds| rounds.checked_mul(round).ok_or(PlanError::TooManyGames));
        let total = whole.transpose()?.unwrap_or(u64::MAX).min(limit.unwrap_or(u64::MAX));
        Ok(Plan { setup, tables, build: String::new(), round, blocks, total })
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The number of games in a round.
    pub fn round(&self) -> u64 {
        self.round
    }

    /// The names of the agents.
    pub fn names(&self) -> Vec<String> {
        self.setup.agents.iter().map(|agent| agent.name()).collect()
    }

    /// The names of the games.
    pub fn games(&self) -> Vec<String> {
        self.tables.iter().map(|table| table.game.info().name.clone()).collect()
    }

    /// The digests of this program and of the rules as it reads them.
    pub fn digests(&self) -> Digests {
        let rules = self.tables.iter().map(Table::digest).collect();
        Digests { build: self.build.clone(), rules }
    }

    /// Checks that this program plays the same games as the one with these digests.
    ///
    /// # Errors
    /// A text that says how they differ.
    pub fn check(&self, digests: &Digests) -> Result<(), String> {
        let here = self.digests();
        if here.rules != digests.rules {
            return Err("the rules of a game differ from those of the run".into());
        }
        if here.build != digests.build && !here.build.is_empty() && !digests.build.is_empty() {
            return Err(format!(
                "this program is build {}, the run is played by build {}",
                here.build, digests.build
            ));
        }
        Ok(())
    }

    /// Game number `number`. It depends on nothing that has been played.
    pub fn fixture(&self, number: u64) -> Fixture {
        let (round, rest) = (number / self.round, number % self.round);
        let table = self.tables.partition_point(|table| table.first <= rest) - 1;
        let chosen = &self.tables[table];
        let orders = chosen.orders.len() as u64;
        let (block, order) = ((rest - chosen.first) / orders, (rest - chosen.first) % orders);
        let group = &chosen.groups[block as usize];
        let seats = chosen.orders[order as usize].iter().map(|&place| group[place]).collect();
        let before = round * self.blocks + chosen.first_block + block;
        let seed = self.setup.seed.named("round").child(before);
        let seed = if self.setup.paired { seed } else { seed.named("free").child(order) };
        Fixture { number, round, table, order: (order, orders), seats, seed }
    }

    /// Plays one game. An agent that can't be built for the game forfeits.
    pub fn play(&self, fixture: &Fixture) -> GameRecord {
        let setup = &self.setup;
        let table = &self.tables[fixture.table];
        let game = &table.game;
        let mut seats = Vec::with_capacity(fixture.seats.len());
        for (place, &agent) in fixture.seats.iter().enumerate() {
            let agent = &setup.agents[agent];
            let player = Player(place as u8);
            let own = fixture.seed.named("agent").child(fixture.number).child(place as u64);
            let grace = setup.referee.grace;
            let able = agent.supports(game.info());
            let built =
                able.map_err(Failure::from).and_then(|()| agent.build(game, player, own, grace));
            match built {
                Ok(built) => {
                    seats.push(Seat { agent: built, budget: agent.budget().or(&setup.budget) });
                }
                Err(error) => {
                    let names = fixture.seats.iter().map(|&a| setup.agents[a].name()).collect();
                    let mut record = GameRecord::new(game, names, fixture.seed);
                    record.position = table.origin.as_ref().map(|state| game.position(state));
                    record.lose(player, fault(&error), error.to_string());
                    return record;
                }
            }
        }
        // All groups and orders of seats share the opening of a round and game.
        let line = match setup.openings {
            0 => Vec::new(),
            plies => {
                let place = setup.seed.named("opening").child(fixture.table as u64);
                opening(game, table.origin.as_ref(), plies, place.child(fixture.round))
            }
        };
        let deal = Deal { origin: table.origin.as_ref(), opening: &line, seed: fixture.seed };
        setup.referee.conduct(game, deal, &mut seats, |_| {})
    }
}

/// All ways to choose `k` of `0..n`, in order.
fn combinations(n: usize, k: usize) -> Vec<Vec<usize>> {
    fn extend(from: usize, n: usize, k: usize, chosen: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
        if chosen.len() == k {
            out.push(chosen.clone());
            return;
        }
        for next in from..n {
            chosen.push(next);
            extend(next + 1, n, k, chosen, out);
            chosen.pop();
        }
    }
    let mut out = Vec::new();
    extend(0, n, k, &mut Vec::new(), &mut out);
    out
}

/// All different orders of `items`, the given one first; `None` for more than nine items.
fn arrangements(items: &[usize]) -> Option<Vec<Vec<usize>>> {
    if items.len() > 9 {
        return None;
    }
    let mut out: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in items {
        let mut longer = Vec::new();
        for begun in &out {
            let mut tried = Vec::new();
            for &next in items {
                let used = begun.iter().filter(|&&x| x == next).count();
                let there = items.iter().filter(|&&x| x == next).count();
                if used < there && !tried.contains(&next) {
                    tried.push(next);
                    longer.push([begun.as_slice(), &[next]].concat());
                }
            }
        }
        out = longer;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_equal_items_are_counted_once() {
        assert_eq!(arrangements(&[0, 1, 2]).unwrap().len(), 6);
        assert_eq!(arrangements(&[0, 1, 0, 1]).unwrap().len(), 6);
        assert_eq!(arrangements(&[0, 1]).unwrap(), [[0, 1], [1, 0]]);
        assert!(arrangements(&[0; 10]).is_none());
    }
}
