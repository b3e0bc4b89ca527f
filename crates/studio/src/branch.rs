//! The browser of the search tree: an agent searches the position after a line of moves that nobody has played.
//!
//! Each position that a page opens gets a search of its own, so that positions deep in the tree are known as well as the first
//! ones. The statistics of a position belong to that search, not to the search of the position above it.

use crate::analysis::{Running, candidate, permit, spawn};
use crate::error::{Error, Result, panic_text};
use crate::players;
use crate::snapshot::turn_word;
use crate::table::{Eye, Table, Viewer};
use crate::tree::Tree;
use crate::wire::{BranchInfo, Tell};
use ludex_agents::{AgentSpec, Budget, Candidate};
use ludex_core::deadline::{Deadline, Stop};
use ludex_core::{Game, Turn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// The longest line of moves.
const LONGEST_LINE: usize = 64;
/// The most moves, and outcomes of chance, that a page gets.
const MOST_MOVES: usize = 40;

/// A position of the tree.
pub(crate) struct Wanted {
    pub(crate) node: usize,
    pub(crate) line: Vec<String>,
    pub(crate) agent: String,
    pub(crate) ms: u32,
}

/// Starts the search. Its result goes to `tell`, unless the answer is dropped before.
///
/// # Errors
/// The viewer may not see the whole game, the line cannot be played, or too many searches run.
pub(crate) fn branch(
    table: &Arc<Table>,
    viewer: &Viewer,
    wanted: Wanted,
    tell: Sender<Tell>,
) -> Result<Running> {
    if wanted.line.len() > LONGEST_LINE {
        return Err(Error::Bad(format!("a line has {LONGEST_LINE} moves at most")));
    }
    let spec = players::read(&wanted.agent, table.game.info())?;
    let scratch = scratch(table, viewer, &wanted)?;
    let permit = permit(table)?;
    let stop = Stop::default();
    let (table, flag) = (table.clone(), stop.clone());
    spawn(permit, move || {
        let found = catch_unwind(AssertUnwindSafe(|| {
            let time = Duration::from_millis(wanted.ms.clamp(20, 5_000).into());
            look(&table, &scratch, &spec, time, &flag)
        }));
        if flag.is_set() {
            return;
        }
        let failed = |error: String| BranchInfo { error: Some(error), ..BranchInfo::default() };
        let found = match found {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => failed(error),
            Err(panic) => failed(panic_text(&*panic)),
        };
        let branch = Box::new(BranchInfo { node: wanted.node as u32, line: wanted.line, ..found });
        let _ = tell.blocking_send(Tell::Branch { branch });
    })?;
    Ok(Running::new(stop))
}

/// A tree with one line: the steps of the table up to a node, and the moves of the page. The table does not change.
fn scratch(table: &Table, viewer: &Viewer, wanted: &Wanted) -> Result<(Tree, usize)> {
    let (origin, joints) = {
        let inner = table.lock();
        if inner.eye(&table.game, viewer) != Eye::All {
            let text = "the tree of a game with hidden information is shown after the game";
            return Err(Error::Forbidden(text.into()));
        }
        inner.tree.node(wanted.node)?;
        let line = inner.tree.line(wanted.node);
        let joint = |&id: &usize| inner.tree.node(id).map(|node| node.joint.clone());
        let joints: Vec<_> = line.iter().skip(1).map(joint).collect::<Result<_>>()?;
        (inner.tree.node(0)?.state.clone(), joints)
    };
    let mut tree = Tree::new(table.game.clone(), origin);
    let mut at = 0;
    for joint in joints {
        at = tree.play(at, &joint)?;
    }
    let at = tree.play_text(at, &wanted.line.join("\n"))?;
    Ok((tree, at))
}

/// The moves that an agent finds in a position, or the outcomes of chance, or the result.
fn look(
    table: &Table,
    (tree, at): &(Tree, usize),
    spec: &AgentSpec,
    time: Duration,
    stop: &Stop,
) -> std::result::Result<BranchInfo, String> {
    let game = &table.game;
    let node = tree.node(*at).map_err(|e| e.to_string())?;
    let mut found =
        BranchInfo { turn: turn_word(node.turn, Eye::All, &[]).into(), ..BranchInfo::default() };
    match node.turn {
        Turn::Over => {
            let mut payoffs = vec![0.0; game.info().seats()];
            game.payoffs(&node.state, &mut payoffs);
            found.payoffs = Some(payoffs);
            return Ok(found);
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chances(&node.state, &mut outcomes);
            outcomes.sort_by(|a, b| b.1.total_cmp(&a.1));
            let texts = outcomes.iter().take(MOST_MOVES).map(|&(mv, p)| (game.move_text(mv), p));
            found.outcomes = texts.collect();
            return Ok(found);
        }
        _ => {}
    }
    let Some(seat) = node.turn.movers().iter().next() else { return Ok(found) };
    found.seat = Some(seat.0);
    let sight = tree.sight(*at, seat).map_err(|e| e.to_string())?;
    let seed = table.seed.named("branch").child(u64::from(node.ply));
    let build = spec.with_budget(Budget::default());
    let mut agent = build.build(game, seat, seed).map_err(|e| e.to_string())?;
    let view = sight.view(agent.cheats());
    let scope = Deadline { stops: vec![stop.clone()], ..Deadline::default() }.enter();
    let choice = agent.choose(game, &view, &Budget::time(time));
    drop(scope);
    let choice = choice.map_err(|e| e.to_string())?;
    let thought = choice.thought;
    found.sims = thought.sims;
    found.value = thought.value.filter(|value| value.is_finite());
    let moves = thought.candidates.iter().take(MOST_MOVES);
    found.candidates = moves.map(|of| candidate(table, of)).collect();
    if found.candidates.is_empty() {
        let only = Candidate { mv: choice.mv, line: vec![choice.mv], ..Candidate::default() };
        found.candidates.push(candidate(table, &only));
    }
    Ok(found)
}
