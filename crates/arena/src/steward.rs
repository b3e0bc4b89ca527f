//! Looks after a run while it is played: begins or finds it, watches the results in their order,
//! and stops it when its rules say so.
//!
//! Rules look at whole rounds in order, never at what happens to be finished: the last game that
//! counts is the same whoever played how fast.

use crate::experiment::{Experiment, Stop};
use crate::plan::Plan;
use crate::stats::sprt::Verdict;
use crate::store::{Line, NewRun, Run, RunGame, Store, StoreError};
use crate::tally::Tally;
use ludex_core::Game;

/// Begins a run or goes on with it. With more rounds than before the run grows.
///
/// # Errors
/// A run of this name that plays something else, or the database's own.
pub fn enrol(store: &Store, experiment: &Experiment, plan: &Plan) -> Result<Run, StoreError> {
    let games: Vec<RunGame> = plan
        .tables
        .iter()
        .zip(&experiment.games)
        .map(|(table, entry)| RunGame {
            game: table.game.info().name.clone(),
            position: entry.position.clone(),
            rules: table.digest(),
        })
        .collect();
    let config = serde_json::to_string(experiment).unwrap_or_default();
    let agents = plan.names();
    let new = NewRun {
        name: &experiment.name,
        config: &config,
        agents: &agents,
        games: &games,
        total: plan.total(),
    };
    let run = store.begin(&new)?;
    let other = |what: &str| StoreError::OtherRun { name: run.name.clone(), what: what.into() };
    let old: Experiment = serde_json::from_str(&run.config)
        .map_err(|_| other("its experiment can't be read by this version"))?;
    if old.identity() != experiment.identity() {
        return Err(other(&difference(&old, experiment)));
    }
    if run.games != games {
        return Err(other("the rules of a game have changed"));
    }
    if run.agents != agents {
        return Err(other("agents are named otherwise"));
    }
    // More games, fewer games, or other rules to stop: what is played stays. A run that its rules
    // have stopped is looked at afresh.
    if run.config != config || run.total != plan.total() {
        store.set_total(&run, &config, plan.total(), None)?;
    }
    store.close_gaps(&run)?;
    store.run(&run.name)
}

/// Which key differs, for people.
fn difference(old: &Experiment, new: &Experiment) -> String {
    let values = |e: &Experiment| serde_json::from_str::<serde_json::Value>(&e.identity());
    let (Ok(old), Ok(new)) = (values(old), values(new)) else { return "it differs".into() };
    let keys = old.as_object().into_iter().flat_map(|object| object.keys());
    let differs = keys.filter(|key| old.get(*key) != new.get(*key)).cloned();
    let keys: Vec<String> = differs.collect();
    format!("other {}", if keys.is_empty() { "keys".into() } else { keys.join(", ") })
}

/// Reads the results of a run in their order as they come in.
pub struct Follower {
    next: u64,
    tally: Tally,
    blocks: Blocks,
    /// The scores of the block that is being read.
    block: Vec<f64>,
}

/// Sums over blocks of the first agent's score against the second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Blocks {
    /// How many blocks.
    pub count: u64,
    sum: f64,
    squares: f64,
}

impl Blocks {
    fn add(&mut self, score: f64) {
        self.count += 1;
        self.sum += score;
        self.squares += score * score;
    }
}

impl Follower {
    /// From the first game on.
    pub fn new(plan: &Plan) -> Self {
        let tally = Tally::new(plan.setup.agents.len());
        Follower { next: 0, tally, blocks: Blocks::default(), block: Vec::new() }
    }

    /// All games before this number have been read.
    pub fn read(&self) -> u64 {
        self.next
    }

    /// The sums of what has been read.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Reads on as far as there are no gaps. `Some`: the rules stopped the run, for this reason.
    ///
    /// # Errors
    /// The database's own.
    pub fn follow(
        &mut self,
        store: &Store,
        run: &Run,
        plan: &Plan,
    ) -> Result<Option<String>, StoreError> {
        loop {
            let lines = store.lines(run, self.next, 4096)?;
            for line in &lines {
                if line.number != self.next {
                    return Ok(None);
                }
                if let Some(verdict) = self.add(plan, line) {
                    return Ok(Some(verdict));
                }
            }
            if lines.len() < 4096 {
                return Ok(None);
            }
        }
    }

    fn add(&mut self, plan: &Plan, line: &Line) -> Option<String> {
        self.next += 1;
        self.tally.add(&line.seats, &line.payoffs, line.forfeit.as_ref().map(|f| f.seat));
        self.block.push(duel(line));
        if self.block.len() as u64 >= plan.tables.get(line.table).map_or(1, |t| t.block()) {
            self.blocks.add(self.block.iter().sum::<f64>() / self.block.len() as f64);
            self.block.clear();
        }
        let stop = plan.setup.stop.as_ref()?;
        let whole = self.next.is_multiple_of(plan.round());
        if whole && self.next / plan.round() >= stop.min_rounds.max(1) {
            self.verdict(stop)
        } else {
            None
        }
    }

    /// What the rules say after a whole round.
    fn verdict(&self, stop: &Stop) -> Option<String> {
        if let Some(sprt) = &stop.sprt {
            let blocks = self.blocks;
            let ratio = sprt.ratio_of(blocks.count as f64, blocks.sum, blocks.squares);
            let (low, high) = sprt.bounds();
            let (name, elo) = match sprt.judge(ratio) {
                Verdict::Open => ("", 0.0),
                Verdict::H0 => ("H0", sprt.elo0),
                Verdict::H1 => ("H1", sprt.elo1),
            };
            if !name.is_empty() {
                return Some(format!(
                    "{name} accepted ({elo:+} Elo): log-likelihood ratio {ratio:.2} of \
                     {low:.2} .. {high:.2} after {} pairs",
                    blocks.count
                ));
            }
        }
        let width = stop.width?;
        let standings = self.tally.standings();
        let wide = |s: &crate::tally::Standing| s.interval.high - s.interval.low > width;
        let stopped = !standings.iter().any(wide);
        stopped.then(|| {
            format!("every interval is narrower than {width} after {} games", self.tally.games)
        })
    }
}

/// The first agent's score against the second in one game: a half and half the difference of
/// their mean payoffs.
fn duel(line: &Line) -> f64 {
    let mean = |agent: usize| {
        let own = line.seats.iter().zip(&line.payoffs).filter(|(a, _)| **a == agent);
        let (sum, count) = own.fold((0.0, 0.0), |(s, n), (_, &p)| (s + f64::from(p), n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    0.5 + (mean(0) - mean(1)) / 2.0
}
