//! Agents that think about a position of a table while a page watches.

use crate::driver::{STACK, payoffs, spread};
use crate::error::{Error, Result, panic_text};
use crate::players;
use crate::table::{Eye, Table, Viewer};
use crate::tree::Sight;
use crate::wire::{BeliefInfo, CandidateInfo, Tell, ThoughtInfo, WorldInfo};
use ludex_agents::{Agent, AgentSpec, Belief, Budget, Candidate, Thought, Watch};
use ludex_core::deadline::{Deadline, Stop};
use ludex_core::{AnyGame, Game, Player, Seed, Turn};
use ludex_draw::Marks;
use ludex_stats::Z95;
use ludex_stats::interval::wilson;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::Sender;

/// The time between two thoughts on the page: 15 a second, so that 10 arrive also on a busy machine.
const EVERY: Duration = Duration::from_millis(66);
/// The first, short round. It finds out whether the agent reports while it thinks.
const FIRST: Duration = Duration::from_millis(300);
/// The longest analysis.
const LONGEST: u32 = 600;
/// The most moves, and worlds, that a page gets.
const MOST_MOVES: usize = 60;
const MOST_WORLDS: usize = 12;

/// Ends the work of an analysis when it is dropped.
pub(crate) struct Running(Stop);

impl Running {
    pub(crate) fn new(stop: Stop) -> Running {
        Running(stop)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// The question that an analysis answers.
pub(crate) struct Question {
    pub(crate) slot: u8,
    pub(crate) node: usize,
    pub(crate) agent: String,
    pub(crate) seat: Option<u8>,
    pub(crate) seconds: u32,
}

/// Starts an analysis. Its thoughts go to `tell` until the answer is dropped.
///
/// # Errors
/// The viewer may not know this, the agent cannot play the game, or too many searches run.
pub(crate) fn analyse(
    table: &Arc<Table>,
    viewer: &Viewer,
    question: Question,
    tell: Sender<Tell>,
) -> Result<Running> {
    let spec = players::read(&question.agent, table.game.info())?;
    let (sight, all) = sight(table, viewer, &question)?;
    let permit = permit(table)?;
    let stop = Stop::default();
    let search = Search {
        table: table.clone(),
        question,
        spec,
        sight,
        all,
        stop: stop.clone(),
        tell,
        begun: Instant::now(),
    };
    spawn(permit, move || search.run())?;
    Ok(Running(stop))
}

pub(crate) fn permit(table: &Table) -> Result<OwnedSemaphorePermit> {
    table.searches.clone().try_acquire_owned().map_err(|_| {
        Error::Busy("too many searches run already; stop one, or try again in a moment".into())
    })
}

pub(crate) fn spawn(
    permit: OwnedSemaphorePermit,
    work: impl FnOnce() + Send + 'static,
) -> Result<()> {
    let thread = std::thread::Builder::new().name("analysis".into()).stack_size(STACK);
    let started = thread.spawn(move || {
        work();
        drop(permit);
    });
    started.map(drop).map_err(|error| Error::Busy(error.to_string()))
}

/// The view for the agent: the seat's own view, and the whole position only where the viewer may see it.
fn sight(table: &Table, viewer: &Viewer, question: &Question) -> Result<(Sight, bool)> {
    let inner = table.lock();
    let eye = inner.eye(&table.game, viewer);
    let turn = inner.tree.node(question.node)?.turn;
    let mover = match eye {
        Eye::Blind => return Err(Error::Forbidden("only the players may analyse now".into())),
        Eye::Seat(seat) => Some(seat).filter(|&seat| turn.includes(seat)),
        Eye::All => {
            let wanted = question.seat.map(Player).filter(|&seat| turn.includes(seat));
            wanted.or_else(|| turn.movers().iter().next())
        }
    };
    let Some(seat) = mover else {
        let text = match (turn, eye) {
            (Turn::Over, _) => "the game is over here",
            (_, Eye::Seat(_)) => "your seat does not move here",
            _ => "chance moves here",
        };
        return Err(Error::Bad(text.into()));
    };
    Ok((inner.tree.sight(question.node, seat)?, eye == Eye::All))
}

struct Search {
    table: Arc<Table>,
    question: Question,
    spec: AgentSpec,
    sight: Sight,
    /// May the viewer see everything?
    all: bool,
    stop: Stop,
    tell: Sender<Tell>,
    begun: Instant,
}

impl Search {
    fn run(&self) {
        let done = catch_unwind(AssertUnwindSafe(|| self.rounds()));
        let error = match done {
            Ok(Ok(())) => return,
            Ok(Err(text)) => text,
            Err(panic) => panic_text(&*panic),
        };
        let _ = self.tell.blocking_send(Tell::Error { error: format!("{}: {error}", self.spec) });
    }

    /// Agents that report while they think get one long round. The others get rounds of growing length, and each round
    /// ends with a thought.
    fn rounds(&self) -> Result<(), String> {
        let seconds = self.question.seconds.clamp(1, LONGEST);
        let whole = Duration::from_secs(seconds.into());
        let reports = Arc::new(AtomicU32::new(0));
        self.round(FIRST.min(whole), &reports, false)?;
        if reports.load(Ordering::Relaxed) >= 2 {
            return self.round(whole, &reports, true);
        }
        let mut length = FIRST * 3;
        while !self.stop.is_set() {
            let left = whole.saturating_sub(self.begun.elapsed());
            let last = left <= length;
            self.round(length.min(left).max(Duration::from_millis(50)), &reports, last)?;
            if last {
                break;
            }
            length *= 2;
        }
        Ok(())
    }

    fn round(&self, time: Duration, reports: &Arc<AtomicU32>, last: bool) -> Result<(), String> {
        let game = &self.sight.game;
        let seed = self.table.seed.named("analysis").child(self.question.node as u64);
        let build = self.spec.with_budget(Budget::default());
        let mut agent = build.build(game, self.sight.seat, seed).map_err(|e| e.to_string())?;
        if agent.cheats() && !self.all {
            return Err("it looks at what your seat may not see".into());
        }
        agent.watch(Some(self.watch(reports)));
        let view = self.sight.view(agent.cheats());
        let deadline = Deadline { stops: vec![self.stop.clone()], ..Deadline::default() };
        let scope = deadline.enter();
        let choice = agent.choose(game, &view, &Budget::time(time));
        drop(scope);
        if self.stop.is_set() {
            return Ok(());
        }
        let choice = choice.map_err(|e| e.to_string())?;
        let mut info = self.report().info(&choice.thought);
        if info.candidates.is_empty() {
            let only = Candidate { mv: choice.mv, line: vec![choice.mv], ..Candidate::default() };
            info.candidates.push(candidate(&self.table, &only));
        }
        info.belief = belief(&self.table, &*agent);
        info.done = last;
        let _ = self.tell.blocking_send(Tell::Thought { thought: Box::new(info) });
        Ok(())
    }

    fn report(&self) -> Report {
        Report {
            table: self.table.clone(),
            slot: self.question.slot,
            node: self.question.node as u32,
            agent: self.question.agent.clone(),
            seat: self.sight.seat,
            begun: self.begun,
        }
    }

    fn watch(&self, reports: &Arc<AtomicU32>) -> Watch {
        let (report, tell, reports) = (self.report(), self.tell.clone(), reports.clone());
        Watch::new(EVERY, move |thought| {
            reports.fetch_add(1, Ordering::Relaxed);
            // A page that is slow misses a thought; the next one has everything.
            let _ = tell.try_send(Tell::Thought { thought: Box::new(report.info(thought)) });
        })
    }
}

/// Makes messages of thoughts.
struct Report {
    table: Arc<Table>,
    slot: u8,
    node: u32,
    agent: String,
    seat: Player,
    begun: Instant,
}

impl Report {
    fn info(&self, thought: &Thought) -> ThoughtInfo {
        ThoughtInfo {
            slot: self.slot,
            node: self.node,
            agent: self.agent.clone(),
            seat: self.seat.0,
            ms: self.begun.elapsed().as_millis() as u32,
            sims: thought.sims,
            nodes: thought.nodes,
            depth: thought.depth,
            value: thought.value.filter(|value| value.is_finite()),
            proven: thought.proven,
            done: false,
            candidates: thought
                .candidates
                .iter()
                .take(MOST_MOVES)
                .map(|c| candidate(&self.table, c))
                .collect(),
            belief: None,
            notes: thought.notes.clone(),
        }
    }
}

pub(crate) fn candidate(table: &Table, of: &Candidate) -> CandidateInfo {
    let info = table.describe(of.mv, 0, 0);
    let value = if of.value.is_finite() { of.value } else { 0.5 };
    let interval = wilson(f64::from(value.clamp(0.0, 1.0)), of.visits, Z95);
    let exact = of.proven || of.visits == 0;
    CandidateInfo {
        text: info.text,
        from: info.from,
        to: info.to,
        visits: of.visits,
        value,
        low: if exact { value } else { interval.low as f32 },
        high: if exact { value } else { interval.high as f32 },
        proven: of.proven,
        line: of.line.iter().take(12).map(|&mv| table.game.move_text(mv)).collect(),
        depths: of
            .depths
            .iter()
            .map(|t| [u64::from(t.depth), t.wins, t.neutrals, t.losses])
            .collect(),
    }
}

/// The worlds of an agent that keeps a belief, each with a small picture.
fn belief(table: &Table, agent: &dyn Agent<AnyGame>) -> Option<BeliefInfo> {
    let game = &table.game;
    let belief: Belief = agent.belief(game)?;
    let world = |possible: &ludex_agents::Possible| {
        let state = game.parse_position(&possible.position).ok();
        let drawable = state.filter(|_| !table.scene.sites.is_empty());
        WorldInfo {
            position: possible.position.clone(),
            svg: drawable.map(|state| {
                ludex_draw::svg(&table.scene, &game.view(&state, None), &Marks::default())
            }),
            weight: possible.weight,
            best: possible.best.map(|mv| game.move_text(mv)),
        }
    };
    Some(BeliefInfo {
        models: belief.models as u32,
        active: belief.active as u32,
        worlds: belief.possible.iter().take(MOST_WORLDS).map(world).collect(),
    })
}

/// Evaluates all positions of a line, one after the other.
///
/// # Errors
/// The viewer may not know this, the agent cannot play the game, or too many searches run.
pub(crate) fn graph(
    table: &Arc<Table>,
    viewer: &Viewer,
    (node, agent, ms): (usize, &str, u32),
    tell: Sender<Tell>,
) -> Result<Running> {
    let spec = players::read(agent, table.game.info())?;
    let line = {
        let inner = table.lock();
        if inner.eye(&table.game, viewer) != Eye::All {
            return Err(Error::Forbidden("positions are evaluated after the game".into()));
        }
        inner.tree.node(node)?;
        inner.tree.line(node)
    };
    let permit = permit(table)?;
    let stop = Stop::default();
    let (table, flag) = (table.clone(), stop.clone());
    let time = Duration::from_millis(ms.clamp(10, 10_000).into());
    spawn(permit, move || {
        let all = line.len() as u32;
        for (done, &node) in line.iter().enumerate() {
            if flag.is_set() {
                return;
            }
            let work = AssertUnwindSafe(|| evaluate(&table, node, &spec, time, &flag));
            let values = catch_unwind(work).ok().flatten().unwrap_or_default();
            if !values.is_empty() {
                table.lock().tree.set_values(node, values.clone());
            }
            let done = (done as u32 + 1, all);
            if tell.blocking_send(Tell::Value { node: node as u32, values, done }).is_err() {
                return;
            }
        }
    })?;
    Ok(Running(stop))
}

/// The payoffs that an agent expects in a position.
fn evaluate(
    table: &Table,
    node: usize,
    spec: &AgentSpec,
    time: Duration,
    stop: &Stop,
) -> Option<Vec<f32>> {
    let (sight, seat) = {
        let inner = table.lock();
        if let Some(payoffs) = payoffs(&inner, node) {
            return Some(payoffs);
        }
        let seat = inner.tree.node(node).ok()?.turn.movers().iter().next()?;
        (inner.tree.sight(node, seat).ok()?, seat)
    };
    let build = spec.with_budget(Budget::default());
    let mut agent = build.build(&sight.game, seat, Seed(1)).ok()?;
    let view = sight.view(agent.cheats());
    let scope = Deadline { stops: vec![stop.clone()], ..Deadline::default() }.enter();
    let choice = agent.choose(&sight.game, &view, &Budget::time(time));
    drop(scope);
    let thought = choice.ok()?.thought;
    let best = || thought.candidates.first().map(|c| c.value);
    spread(table.game.info(), seat, thought.value.or_else(best)?)
}
