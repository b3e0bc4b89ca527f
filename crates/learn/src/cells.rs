//! A survey as a job: each unit is a cell of its table, one agent in one game, or the features of one game.

use crate::measure::{Measured, Task, measure};
use ludex_agents::{AgentSpec, Budget};
use ludex_arena::job::Job;
use ludex_core::deadline::Deadline;
use ludex_core::{AnyGame, Error, Game, Result, Seed};
use ludex_model::{Effort, describe};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One cell of a survey: everything that is needed to measure it on another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The game.
    pub game: String,
    /// The digest of its rules.
    pub rules: String,
    /// The agent to measure; `None` for the features of the game.
    pub agent: Option<String>,
    /// The agent at all other seats.
    pub opponent: String,
    /// The budget of agents that have none in their name.
    pub budget: String,
    /// Instead of the budget: as many simulations as take each agent about this time.
    pub work: Option<Duration>,
    /// The number of games.
    pub games: u64,
    /// Does the agent always have the first seat?
    pub first: bool,
    /// The number of steps after which a game is a draw.
    pub longest: u32,
    /// The seed of all randomness.
    pub seed: u64,
}

/// The result of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Line {
    /// The score of an agent.
    Score(Measured),
    /// The features of a game.
    Features(Vec<(String, f64)>),
}

/// Opens a game by its name.
pub type Open = fn(&str) -> Result<AnyGame>;

/// Does parallel work on one thread: a unit is computed on one thread, because several units are computed at a time.
///
/// # Errors
/// The system gives no thread.
pub fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let one = one.map_err(|e| Error::Unsupported(format!("a thread: {e}")))?;
    let deadline = Deadline::current();
    Ok(one.install(|| {
        let _scope = deadline.enter();
        work()
    }))
}

/// The cells of a survey, to be measured anywhere.
pub struct Cells {
    cells: Vec<Cell>,
    open: Open,
    /// Games that were opened last: cells of one game follow each other.
    recent: Mutex<Vec<(String, AnyGame)>>,
}

/// Opened games that are kept.
const RECENT: usize = 8;

impl Cells {
    /// A job of these cells. `open` opens games.
    pub fn new(cells: Vec<Cell>, open: Open) -> Self {
        Cells { cells, open, recent: Mutex::default() }
    }

    fn cell(&self, number: u64) -> Result<&Cell> {
        let missing = || Error::BadMatch(format!("the survey has no cell {number}"));
        usize::try_from(number).ok().and_then(|n| self.cells.get(n)).ok_or_else(missing)
    }

    fn game(&self, name: &str) -> Result<AnyGame> {
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, game)) = recent().iter().find(|(known, _)| known == name) {
            return Ok(game.clone());
        }
        let game = (self.open)(name)?;
        let mut recent = recent();
        if recent.len() >= RECENT {
            recent.remove(0);
        }
        recent.push((name.into(), game.clone()));
        Ok(game)
    }
}

impl Job for Cells {
    type Row = Line;

    fn total(&self) -> u64 {
        self.cells.len() as u64
    }

    fn refuses(&self, number: u64) -> Option<String> {
        let cell = self.cell(number).ok()?;
        match self.game(&cell.game) {
            Ok(game) if game.info().source.to_string() == cell.rules => None,
            Ok(_) => Some(format!("the rules of {} differ from those of the survey", cell.game)),
            Err(error) => Some(error.to_string()),
        }
    }

    fn compute(&self, number: u64) -> Result<Line> {
        let cell = self.cell(number)?;
        let game = self.game(&cell.game)?;
        let seed = Seed(cell.seed);
        let Some(agent) = &cell.agent else {
            let features = describe(&game, Effort::default(), seed);
            let pairs = features.iter().map(|(name, value)| (name.to_string(), value));
            return Ok(Line::Features(pairs.collect()));
        };
        let (agent, opponent): (AgentSpec, AgentSpec) = (agent.parse()?, cell.opponent.parse()?);
        let budget: Budget = cell.budget.parse()?;
        let task = Task {
            game: &game,
            agent: &agent,
            opponent: &opponent,
            budget: &budget,
            work: cell.work,
            games: cell.games,
            first: cell.first,
            longest: cell.longest,
            seed,
        };
        let measured = on_one_thread(|| measure(&task, &|| {}))??;
        Ok(Line::Score(measured))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_arena::job::{AnyJob, compute};
    use ludex_arena::runner::Control;

    fn cell(agent: Option<&str>) -> Cell {
        let game = ludex_games::open("tictactoe").unwrap();
        Cell {
            game: "tictactoe".into(),
            rules: game.info().source.to_string(),
            agent: agent.map(Into::into),
            opponent: "uct".into(),
            budget: "sims=20".into(),
            work: None,
            games: 10,
            first: false,
            longest: 100,
            seed: 5,
        }
    }

    #[test]
    fn a_cell_is_the_same_on_any_number_of_threads_and_after_a_journey() {
        // An agent that can't play the game has no budget.
        let unable = "ludo-simple";
        let cells = vec![cell(None), cell(Some("flat")), cell(Some(unable))];
        let text = serde_json::to_string(&cells).unwrap();
        let here = Cells::new(cells, ludex_games::open);
        let there = Cells::new(serde_json::from_str(&text).unwrap(), ludex_games::open);
        let control = Control::default();
        let one = compute(&here, &[0, 1, 2], 1, &control).unwrap();
        let three = there.compute_json(&[0, 1, 2], 3, &control).unwrap();
        let back: Vec<Line> = three.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
        // One of the features is the speed of this machine.
        assert_eq!(one[1..], back[1..]);
        let (Line::Features(a), Line::Features(b)) = (&one[0], &back[0]) else { panic!("{one:?}") };
        assert!(a.len() > 10 && a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)));
        let Line::Score(measured) = &one[1] else { panic!("{:?}", one[1]) };
        assert_eq!((measured.games, measured.supported), (10, true));
        assert_eq!(measured.budget.to_string(), "sims=20");
        assert!(matches!(&one[2], Line::Score(measured) if !measured.supported));
    }

    #[test]
    fn other_rules_are_refused() {
        let other = Cell { rules: "other".into(), ..cell(Some("random")) };
        let job = Cells::new(vec![cell(Some("random")), other], ludex_games::open);
        assert_eq!(Job::refuses(&job, 0), None);
        assert!(Job::refuses(&job, 1).unwrap().contains("tictactoe"));
    }
}
