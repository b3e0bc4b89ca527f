//! Which game is number N: a schedule that is computed, never kept, so that a run goes on by
//! playing the numbers that are not in the store, and grows by asking for more.
//!
//! Numbers run through the rounds; a round holds every game, a game every group of agents, a
//! group every order of seats. The orders of one group are neighbours and share opening and dice:
//! a *block*, the unit of paired statistics.

use crate::contender::Contender;
use crate::experiment::{Seats, Stop};
use crate::record::GameRecord;
use crate::referee::{Deal, Referee, Seat, fault, opening};
use ludex_agents::{Budget, Failure};
use ludex_core::{AnyGame, AnyState, Game, Player, Seed};
use std::sync::Arc;

/// One game with who meets at it.
pub struct Table {
    /// The game.
    pub game: AnyGame,
    /// Where it begins, where that is not the usual start.
    pub origin: Option<AnyState>,
    groups: Vec<Vec<usize>>,
    /// By order: for each seat, who of the group sits there.
    orders: Vec<Vec<usize>>,
    /// The place of its first game in a round, and of its first block.
    first: u64,
    first_block: u64,
}

/// The most groups and orders of one game.
const MOST: usize = 1_000_000;

impl Table {
    /// What tells its rules from others: a run does not go on under other rules.
    pub fn digest(&self) -> String {
        self.game.info().source.to_string()
    }

    /// Lays out who meets whom.
    pub(crate) fn new(
        game: AnyGame,
        origin: Option<AnyState>,
        agents: usize,
        seats: usize,
        champions: Option<usize>,
        how: Seats,
    ) -> Result<Self, String> {
        let size = agents.min(seats);
        let ways = (0..size).try_fold(1usize, |n, i| Some(n.checked_mul(agents - i)? / (i + 1)));
        if ways.is_none_or(|n| n > MOST) {
            return Err(format!("{agents} agents at {seats} seats make too many groups"));
        }
        let mut groups = combinations(agents, size);
        if let Some(champions) = champions {
            groups.retain(|group| group.iter().any(|&agent| agent < champions));
            if seats == 2 {
                // Champions don't meet each other.
                groups.retain(|group| group.iter().any(|&agent| agent >= champions));
            }
        }
        // Fewer agents than seats share them in turn.
        let plain: Vec<usize> = (0..seats).map(|seat| seat % size.max(1)).collect();
        let orders = match how {
            Seats::Fixed => vec![plain],
            Seats::Rotate => (0..size)
                .map(|shift| plain.iter().map(|&place| (place + shift) % size).collect())
                .collect(),
            Seats::All => arrangements(&plain)
                .ok_or_else(|| format!("{seats} seats have too many orders; rotate them"))?,
        };
        Ok(Table { game, origin, groups, orders, first: 0, first_block: 0 })
    }

    fn games(&self) -> u64 {
        self.groups.len() as u64 * self.orders.len() as u64
    }

    /// The games of a block: one an order of seats.
    pub fn block(&self) -> u64 {
        self.orders.len() as u64
    }
}

/// What all games share.
pub struct Setup {
    /// Who plays.
    pub agents: Vec<Arc<dyn Contender>>,
    /// The budget of agents that don't bring their own.
    pub budget: Budget,
    /// Where all luck comes from.
    pub seed: Seed,
    /// How games are conducted.
    pub referee: Referee,
    /// Random plies before the minds may choose.
    pub openings: u32,
    /// The same dice for every order of seats?
    pub paired: bool,
    /// The agent whose rating is 0.
    pub anchor: Option<usize>,
    /// When to stop early.
    pub stop: Option<Stop>,
}

/// All games of an experiment.
pub struct Plan {
    /// What all games share.
    pub setup: Setup,
    /// The games and who meets at them.
    pub tables: Vec<Table>,
    /// Games and blocks of a round.
    round: u64,
    blocks: u64,
    total: u64,
}

/// One game to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the experiment.
    pub number: u64,
    /// The round.
    pub round: u64,
    /// Which of the plan's tables.
    pub table: usize,
    /// Which order of seats, and of how many.
    pub order: (u64, u64),
    /// Which agent sits at each seat.
    pub seats: Vec<usize>,
    /// The luck of the game itself.
    pub seed: Seed,
}

impl Plan {
    /// Lays out `rounds` rounds, or as many as hold `limit` games.
    pub(crate) fn new(
        setup: Setup,
        mut tables: Vec<Table>,
        rounds: Option<u64>,
        limit: Option<u64>,
    ) -> Result<Self, String> {
        let (mut round, mut blocks) = (0, 0);
        for table in &mut tables {
            (table.first, table.first_block) = (round, blocks);
            round += table.games();
            blocks += table.groups.len() as u64;
        }
        if round == 0 {
            return Err("nobody meets anybody".into());
        }
        let whole = rounds.map(|rounds| rounds.checked_mul(round).ok_or("that would never end"));
        let total = whole.transpose()?.unwrap_or(u64::MAX).min(limit.unwrap_or(u64::MAX));
        Ok(Plan { setup, tables, round, blocks, total })
    }

    /// How many games there are.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many games a round has.
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

    /// Game number `number`, whatever has been played.
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

    /// Plays one game. An agent that can't sit down forfeits.
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
                Ok(mind) => {
                    seats.push(Seat { agent: mind, budget: agent.budget().or(&setup.budget) });
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
        // One opening a round and game: the same for all groups and orders of seats.
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

/// All different orders of `items`, the given one first; `None` where they are too many.
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
