//! The thread that plays for chance and for the agents of a table. It ends when a person must move, and it is started again
//! after every change of the table.

use crate::error::panic_text;
use crate::table::{Inner, Seat, Table};
use crate::tree::Sight;
use ludex_agents::{AgentSpec, Choice};
use ludex_core::deadline::{Deadline, Stop};
use ludex_core::{Game, Info, Move, Player, Turn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// The stack of a thread that searches.
pub(crate) const STACK: usize = 16 << 20;
/// How often a waiting thread looks around.
const POLL: Duration = Duration::from_millis(10);

/// Starts the thread of a table if there is something to do and it does not run.
pub(crate) fn wake(table: &Arc<Table>) {
    {
        let mut inner = table.lock();
        if inner.driving || !has_work(&inner) {
            return;
        }
        inner.driving = true;
    }
    let driven = table.clone();
    let thread = std::thread::Builder::new().name("table".into()).stack_size(STACK);
    let started = thread.spawn(move || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drive(&driven))) {
            let mut inner = driven.lock_idle();
            inner.driving = false;
            inner.paused = true;
            inner.note = Some(format!("the game stopped: {}", panic_text(&*panic)));
            drop(inner);
            driven.changed();
        }
    });
    if started.is_err() {
        table.lock().driving = false;
    }
}

/// Must chance or an agent move?
fn has_work(inner: &Inner) -> bool {
    let Ok(node) = inner.tree.node(inner.live) else { return false };
    match node.turn {
        _ if inner.resigned.is_some() => false,
        Turn::Over => false,
        Turn::Chance => true,
        turn => !inner.paused && turn.movers().iter().any(|p| needs_agent(inner, p)),
    }
}

/// Has the agent of this mover not chosen yet?
fn needs_agent(inner: &Inner, player: Player) -> bool {
    let agent = inner.seats.get(player.index()).is_some_and(|seat| !seat.is_person());
    agent && inner.pending.get(player.index()).is_some_and(Option::is_none)
}

/// The next thing to do.
enum Job {
    Roll,
    Think { player: Player, spec: Box<AgentSpec>, sight: Box<Sight>, epoch: u64 },
    Done,
}

fn drive(table: &Arc<Table>) {
    loop {
        match next(table) {
            Job::Roll if roll(table) => {}
            Job::Roll => return,
            Job::Think { player, spec, sight, epoch } => think(table, player, &spec, &sight, epoch),
            Job::Done => return,
        }
    }
}

fn next(table: &Table) -> Job {
    let mut inner = table.lock_idle();
    let job = if table.is_idle(&inner) || !has_work(&inner) { None } else { job(&inner) };
    job.unwrap_or_else(|| {
        inner.driving = false;
        Job::Done
    })
}

fn job(inner: &Inner) -> Option<Job> {
    let turn = inner.tree.node(inner.live).ok()?.turn;
    if turn == Turn::Chance {
        return Some(Job::Roll);
    }
    let player = turn.movers().iter().find(|&p| needs_agent(inner, p))?;
    let Seat::Agent { spec, .. } = inner.seats.get(player.index())? else { return None };
    let sight = Box::new(inner.tree.sight(inner.live, player).ok()?);
    Some(Job::Think { player, spec: spec.clone(), sight, epoch: inner.epoch })
}

/// Draws an outcome of chance. The dice of a step depend on the seed and the number of the step alone.
fn roll(table: &Table) -> bool {
    let mut inner = table.lock_idle();
    let Ok(node) = inner.tree.node(inner.live) else { return false };
    let mut dice = table.seed.named("dice").child(node.ply.into()).rng();
    let outcome = table.game.sample_chance(&node.state, &mut dice);
    let made = inner.advance(&[outcome]);
    if let Err(error) = &made {
        inner.note = Some(error.to_string());
        inner.driving = false;
    }
    drop(inner);
    table.changed();
    made.is_ok()
}

/// Lets the agent of a seat choose, and makes the step if all movers have chosen.
fn think(table: &Table, player: Player, spec: &AgentSpec, sight: &Sight, epoch: u64) {
    let stop = table.stop_flag();
    let permit = loop {
        match table.searches.clone().try_acquire_owned() {
            Ok(permit) => break permit,
            Err(_) if stop.is_set() || table.lock_idle().epoch != epoch => return,
            Err(_) => std::thread::sleep(POLL),
        }
    };
    let choice = choose(table, (player, epoch), spec, sight, &stop);
    drop(permit);
    let due = {
        let inner = table.lock_idle();
        inner.last_step + Duration::from_millis(inner.pace.into())
    };
    while std::time::Instant::now() < due && table.lock_idle().epoch == epoch {
        std::thread::sleep(POLL);
    }
    let mut inner = table.lock_idle();
    if inner.epoch != epoch {
        return;
    }
    match choice {
        Ok(choice) if sight.legal.contains(&choice.mv) => {
            if let Some(pending) = inner.pending.get_mut(player.index()) {
                *pending = Some(choice.mv);
            }
            match inner.settle() {
                Ok(true) => note_value(&mut inner, table.game.info(), player, &choice),
                Ok(false) => {}
                Err(error) => fail(&mut inner, error.to_string()),
            }
        }
        Ok(_) => fail(&mut inner, format!("{spec} chose a move that is not legal")),
        Err(text) => fail(&mut inner, format!("{spec}: {text}")),
    }
    drop(inner);
    table.changed();
}

/// Stops the game with a message.
fn fail(inner: &mut Inner, text: String) {
    inner.paused = true;
    inner.note = Some(text);
}

fn choose(
    table: &Table,
    (player, epoch): (Player, u64),
    spec: &AgentSpec,
    sight: &Sight,
    stop: &Stop,
) -> Result<Choice, String> {
    let mut kept = table.agents.lock().unwrap_or_else(PoisonError::into_inner);
    let (since, agents) = &mut *kept;
    if *since != epoch {
        // Agents remember the game as it was.
        *since = epoch;
        agents.iter_mut().for_each(|agent| *agent = None);
    }
    if let [mv] = *sight.legal {
        return Ok(Choice::plain(mv));
    }
    let Some(place) = agents.get_mut(player.index()) else { return Err("no such seat".into()) };
    let work = || {
        let seed = table.seed.named("agents").child(player.0.into());
        let mut agent = match place.take() {
            Some(agent) => agent,
            None => spec.build(&sight.game, player, seed).map_err(|e| e.to_string())?,
        };
        let view = sight.view(agent.cheats());
        let deadline = Deadline { stops: vec![stop.clone()], ..Deadline::default() };
        let scope = deadline.enter();
        let choice = agent.choose(&sight.game, &view, spec.budget());
        drop(scope);
        if !stop.is_set() {
            *place = Some(agent);
        }
        choice.map_err(|e| e.to_string())
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panic_text(&*panic)))
}

/// Notes what the agent expected, for the evaluation graph.
fn note_value(inner: &mut Inner, info: &Info, player: Player, choice: &Choice) {
    if let Some(values) = choice.thought.value.and_then(|value| spread(info, player, value)) {
        let live = inner.live;
        inner.tree.set_values(live, values);
    }
}

/// The payoffs that all seats expect if `player` expects `value`, where that follows.
pub(crate) fn spread(info: &Info, player: Player, value: f32) -> Option<Vec<f32>> {
    let seats = info.seats();
    let known = value.is_finite() && (seats == 1 || info.constant_sum);
    let others = if seats > 1 { (1.0 - value) / (seats - 1) as f32 } else { 0.0 };
    known.then(|| (0..seats).map(|s| if s == player.index() { value } else { others }).collect())
}

/// The payoffs of a finished position.
pub(crate) fn payoffs(inner: &Inner, node: usize) -> Option<Vec<f32>> {
    let game = inner.tree.game();
    let node = inner.tree.node(node).ok().filter(|node| node.turn == Turn::Over)?;
    let mut out = vec![0.0; game.info().seats()];
    game.payoffs(&node.state, &mut out);
    Some(out)
}

/// The text of a joint move.
pub(crate) fn joint_text(game: &ludex_core::AnyGame, joint: &[Move]) -> String {
    joint.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>().join(" | ")
}
