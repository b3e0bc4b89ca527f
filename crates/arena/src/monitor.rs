//! Watches a run while it is played and stops it when its stop rules say so.
//!
//! Stop rules look at whole rounds in the order of the game numbers, never at the games that happen to be finished. So the
//! last game that counts does not depend on how fast games were played.

use crate::experiment::Stop;
use crate::plan::Plan;
use crate::result::GameResult;
use crate::store::{Run, Store, StoreError};
use ludex_stats::sprt::Verdict;
use ludex_stats::{Sample, Tally};

/// Reads the results of a run in order as they come in, and applies the stop rules.
pub struct Monitor {
    next: u64,
    tally: Tally,
    /// Scores of the first agent against the second, one per block.
    blocks: Sample,
    /// The scores of the games of the unfinished block.
    block: Sample,
}

/// Results that are read from the database at a time.
const PAGE: u64 = 4096;

impl Monitor {
    /// Starts with the first game.
    pub fn new(plan: &Plan) -> Self {
        let tally = Tally::new(plan.setup.agents.len());
        Monitor { next: 0, tally, blocks: Sample::default(), block: Sample::default() }
    }

    /// The number of the next game to be read: all games before it have been read.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The sums of the games that have been read.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Reads on up to the first game that is missing. Returns the reason where a stop rule ends the run.
    ///
    /// # Errors
    /// The database failed.
    pub fn read(
        &mut self,
        store: &Store,
        run: &Run,
        plan: &Plan,
    ) -> Result<Option<String>, StoreError> {
        loop {
            let results = store.results(run, self.next, PAGE)?;
            for result in &results {
                if result.number != self.next {
                    return Ok(None);
                }
                if let Some(verdict) = self.add(plan, result) {
                    return Ok(Some(verdict));
                }
            }
            if (results.len() as u64) < PAGE {
                return Ok(None);
            }
        }
    }

    fn add(&mut self, plan: &Plan, result: &GameResult) -> Option<String> {
        self.next += 1;
        self.tally.add(&result.seats, &result.payoffs, result.forfeit_seat());
        self.block.add(duel_score(result));
        if self.block.count as u64 >= plan.tables.get(result.table).map_or(1, |t| t.block()) {
            self.blocks.add(self.block.mean());
            self.block = Sample::default();
        }
        let stop = plan.setup.stop.as_ref()?;
        let whole = self.next.is_multiple_of(plan.round());
        if whole && self.next / plan.round() >= stop.min_rounds.max(1) {
            self.verdict(stop)
        } else {
            None
        }
    }

    /// The reason to stop after a whole round.
    fn verdict(&self, stop: &Stop) -> Option<String> {
        if let Some(sprt) = &stop.sprt {
            let ratio = sprt.ratio(self.blocks);
            let (low, high) = sprt.bounds();
            let decided = match sprt.judge(ratio) {
                Verdict::Open => None,
                Verdict::H0 => Some(("H0", sprt.elo0)),
                Verdict::H1 => Some(("H1", sprt.elo1)),
            };
            if let Some((name, elo)) = decided {
                return Some(format!(
                    "{name} accepted ({elo:+} Elo): log-likelihood ratio {ratio:.2} of \
                     {low:.2} .. {high:.2} after {} pairs",
                    self.blocks.count
                ));
            }
        }
        let width = stop.width?;
        let narrow =
            self.tally.standings().iter().all(|s| s.interval.high - s.interval.low <= width);
        narrow.then(|| {
            format!("every interval is narrower than {width} after {} games", self.tally.games)
        })
    }
}

/// The first agent's score against the second in one game: a half plus half the difference of their mean payoffs.
pub(crate) fn duel_score(result: &GameResult) -> f64 {
    let mean = |agent: usize| {
        let mut payoffs = Sample::default();
        let seats = result.seats.iter().zip(&result.payoffs).filter(|(a, _)| **a == agent);
        seats.for_each(|(_, &payoff)| payoffs.add(payoff.into()));
        payoffs.mean()
    };
    0.5 + (mean(0) - mean(1)) / 2.0
}
