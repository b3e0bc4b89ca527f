//! `ludex advise GAME`

use super::{BudgetArgs, agent, default_agent, origin, seed};
use crate::error::usage;
use crate::{output, stop};
use clap::Args;
use ludex_agents::{Belief, Candidate, Thought, Watch};
use ludex_core::{AnyGame, AnyState, Game, Match, Move, Player, Turn};
use serde_json::json;
use std::time::Duration;

/// The best move here, with values, visits and the line behind it
#[derive(Args)]
#[command(after_help = "Examples:
  ludex advise tictactoe --position 'x2/1o1/3'
  ludex advise connect4 --agent alphabeta --depth 8
  ludex advise 'nim(2,3,2)' --agent mbm        wins and losses of every move by depth
  ludex advise breakthrough --agent grave --time 5s --watch
  ludex advise 'nim(3,4,5)' --sims 20000 --json
  ludex advise monty-hall --moves '(choose 1); (hide 3); (open 2)' --agent hyperplay
  ludex advise kuhn --moves 'deal:QK; pass' --seat second

In a game with hidden information the agent gets what its seat saw of --moves, never the position.
Its belief is shown: the worlds, how likely each is, and the best move if it were the true one.")]
pub(crate) struct Advise {
    /// The game
    game: String,
    /// The position (the start)
    #[arg(long)]
    position: Option<String>,
    /// Steps made since then: `;` between steps, `,` between those who move at once; chance's too
    #[arg(long)]
    moves: Option<String>,
    /// The agent that advises
    #[arg(long)]
    agent: Option<String>,
    /// For which seat, where several move at once
    #[arg(long)]
    seat: Option<String>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Show so many moves
    #[arg(long, default_value_t = 10)]
    best: usize,
    /// Show the agent's best moves while it thinks (to stderr)
    #[arg(long)]
    watch: bool,
    /// Where all luck comes from
    #[arg(long)]
    seed: Option<u64>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Advise {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let start = origin(&game, self.position.as_deref())?.unwrap_or_else(|| game.start());
        let play = follow(&game, start, self.moves.as_deref().unwrap_or_default())?;
        let player = mover(&game, play.turn(), self.seat.as_deref())?;
        let spec = match &self.agent {
            Some(text) => agent(text)?,
            None => default_agent(&game)?,
        };
        spec.supports(game.info())?;
        let mut mind = spec.build(&game, player, seed(self.seed))?;
        let mut pad = Vec::new();
        let view = match mind.cheats() {
            true => play.cheating_view(player, &mut pad),
            false => play.view(player, &mut pad),
        };
        let budget = spec.budget().or(&self.budget.budget());
        if self.watch {
            let (game, best) = (game.clone(), self.best.min(3));
            mind.watch(Some(Watch::new(Duration::from_millis(250), move |thought| {
                eprintln!("{}", news(&game, thought, best));
            })));
        }
        // Ctrl-C ends the thinking. The advice is the best move so far.
        stop::control();
        let choice = mind.choose(&game, &view, &budget)?;
        let belief = mind.belief(&game);
        if self.json {
            let mut report = report(&game, player, choice.mv, &choice.thought, &spec.to_string());
            if let Some(belief) = &belief {
                report["belief"] = belief_json(&game, belief);
            }
            return output::json(&report);
        }
        let info = game.info();
        output::line(output::board(&game, play.state(), info.hidden.then_some(player), None))?;
        output::line(format!(
            "\n{} should play {}",
            info.player(player),
            game.move_text(choice.mv)
        ))?;
        let thought = &choice.thought;
        if !thought.candidates.is_empty() {
            let mut table = output::table(&["move", "value", "visits", "", "line"], 1);
            for column in 3..5 {
                if let Some(column) = table.column_mut(column) {
                    column.set_cell_alignment(comfy_table::CellAlignment::Left);
                }
            }
            for candidate in thought.candidates.iter().take(self.best) {
                table.add_row([
                    game.move_text(candidate.mv),
                    format!("{:.3}", candidate.value),
                    output::thousands(candidate.visits as f64),
                    if candidate.proven { "proven".into() } else { String::new() },
                    line(&game, &candidate.line),
                ]);
            }
            output::print(&table)?;
        }
        by_depth(&game, &thought.candidates, self.best)?;
        if let Some(belief) = &belief {
            worlds(&game, belief, self.best)?;
        }
        let mut facts = vec![format!("by {spec}")];
        if thought.sims > 0 {
            facts.push(format!("{} simulations", output::thousands(thought.sims as f64)));
        }
        if thought.nodes > 0 {
            facts.push(format!("{} nodes", output::thousands(thought.nodes as f64)));
        }
        if thought.depth > 0 {
            facts.push(format!("depth {}", thought.depth));
        }
        output::line(format!("({})", facts.join(", ")))?;
        thought.notes.iter().try_for_each(|note| output::line(format!("note: {note}")))
    }
}

/// The results of simulated games by the depth at which they ended, for agents that keep such a record:
/// wins-neutrals-losses of each move.
fn by_depth(game: &AnyGame, candidates: &[Candidate], best: usize) -> anyhow::Result<()> {
    let shown: Vec<&Candidate> =
        candidates.iter().take(best).filter(|c| !c.depths.is_empty()).collect();
    let mut depths: Vec<u32> = shown.iter().flat_map(|c| &c.depths).map(|t| t.depth).collect();
    depths.sort_unstable();
    depths.dedup();
    if depths.is_empty() {
        return Ok(());
    }
    output::line("\nwins-neutrals-losses by the depth at which games ended:")?;
    // Long games end almost anywhere: the columns are ranges of depths then.
    let width = depths.len().div_ceil(MOST_COLUMNS);
    let ranges: Vec<(u32, u32)> =
        depths.chunks(width).filter_map(|part| Some((*part.first()?, *part.last()?))).collect();
    let names: Vec<String> = ranges
        .iter()
        .map(|&(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") })
        .collect();
    let mut header = vec!["move", "all"];
    header.extend(names.iter().map(String::as_str));
    let mut table = output::table(&header, 1);
    for candidate in shown {
        let sum = |from: u32, to: u32| {
            let rows = candidate.depths.iter().filter(|t| (from..=to).contains(&t.depth));
            let [w, n, l] =
                rows.fold([0, 0, 0], |[w, n, l], t| [w + t.wins, n + t.neutrals, l + t.losses]);
            if w + n + l == 0 { ".".to_string() } else { format!("{w}-{n}-{l}") }
        };
        let mut row = vec![game.move_text(candidate.mv), sum(0, u32::MAX)];
        row.extend(ranges.iter().map(|&(from, to)| sum(from, to)));
        table.add_row(row);
    }
    output::print(&table)
}

/// The most columns of depths.
const MOST_COLUMNS: usize = 10;

/// A thought in one line: the best moves with value and visits, then how play would go on.
fn news(game: &AnyGame, thought: &Thought, best: usize) -> String {
    let moves: Vec<String> = thought
        .candidates
        .iter()
        .take(best)
        .map(|c| {
            let visits = output::thousands(c.visits as f64);
            format!("{} {:.3} ({visits})", game.move_text(c.mv), c.value)
        })
        .collect();
    let future = thought.candidates.first().map(|c| line(game, &c.line)).unwrap_or_default();
    format!(
        "{:>12} sims, depth {:>3}: {}; {future}",
        output::thousands(thought.sims as f64),
        thought.depth,
        moves.join(", ")
    )
}

/// The match from `start` by the steps of `line`: `;` between steps, `,` between moves that are made at once.
fn follow<'g>(
    game: &'g AnyGame,
    start: AnyState,
    line: &str,
) -> anyhow::Result<Match<'g, AnyGame>> {
    let mut play = Match::at(game, start);
    for step in line.split(';').map(str::trim).filter(|step| !step.is_empty()) {
        let texts: Vec<&str> = step.split(',').map(str::trim).collect();
        let number = play.len() + 1;
        play.try_apply_text(&texts)
            .map_err(|error| usage!("--moves, step {number} (`{step}`): {error}"))?;
    }
    Ok(play)
}

/// The worlds that the agent holds possible, and how they would vote.
fn worlds(game: &AnyGame, belief: &Belief, best: usize) -> anyhow::Result<()> {
    output::line(format!(
        "\n{} worlds in {} of {} models ({} states visited):",
        belief.possible.len(),
        belief.active,
        belief.models,
        output::thousands(belief.states as f64)
    ))?;
    let mut table = output::table(&["chance", "models", "best move", "value", "world"], 0);
    for column in [2, 4] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Left);
        }
    }
    for world in belief.possible.iter().take(best) {
        let value = world.values.iter().find(|(mv, _)| Some(*mv) == world.best);
        table.add_row([
            format!("{:.3}", world.weight),
            world.models.to_string(),
            world.best.map(|mv| game.move_text(mv)).unwrap_or_default(),
            value.map(|(_, value)| format!("{value:.3}")).unwrap_or_default(),
            world.position.clone(),
        ]);
    }
    output::print(&table)?;
    let votes: Vec<String> = votes(belief)
        .into_iter()
        .take(best)
        .map(|(mv, weight)| format!("{} {:.1} %", game.move_text(mv), 100.0 * weight))
        .collect();
    output::line(format!("the worlds would vote: {}", votes.join(", ")))
}

/// How likely each move is the best one, by the worlds.
fn votes(belief: &Belief) -> Vec<(Move, f64)> {
    let mut votes: Vec<(Move, f64)> = Vec::new();
    for world in &belief.possible {
        let Some(best) = world.best else { continue };
        match votes.iter_mut().find(|(mv, _)| *mv == best) {
            Some((_, weight)) => *weight += world.weight,
            None => votes.push((best, world.weight)),
        }
    }
    votes.sort_by(|a, b| b.1.total_cmp(&a.1));
    votes
}

fn belief_json(game: &AnyGame, belief: &Belief) -> serde_json::Value {
    let worlds: Vec<_> = belief
        .possible
        .iter()
        .map(|world| {
            let values: serde_json::Map<String, serde_json::Value> =
                world.values.iter().map(|&(mv, v)| (game.move_text(mv), v.into())).collect();
            json!({
                "position": world.position, "weight": world.weight, "models": world.models,
                "best": world.best.map(|mv| game.move_text(mv)), "values": values,
            })
        })
        .collect();
    let votes: Vec<_> = votes(belief)
        .into_iter()
        .map(|(mv, weight)| json!({ "move": game.move_text(mv), "weight": weight }))
        .collect();
    json!({
        "models": belief.models, "active": belief.active, "states": belief.states,
        "worlds": worlds, "votes": votes,
    })
}

/// The player whose move is asked for.
fn mover(game: &AnyGame, turn: Turn, seat: Option<&str>) -> anyhow::Result<Player> {
    let info = game.info();
    let movers: Vec<Player> = turn.movers().iter().collect();
    let names = || movers.iter().map(|&p| info.player(p)).collect::<Vec<_>>().join(", ");
    match (turn, seat) {
        (Turn::Over, _) => Err(usage!("the game is over in this position")),
        (Turn::Chance, _) => {
            Err(usage!("chance moves in this position, so there is no move to advise"))
        }
        (_, None) => Ok(movers[0]),
        (_, Some(name)) => movers
            .iter()
            .copied()
            .find(|&p| info.player(p).eq_ignore_ascii_case(name))
            .ok_or_else(|| usage!("`{name}` does not move here; to move: {}", names())),
    }
}

/// A line of moves as text.
fn line(game: &AnyGame, moves: &[Move]) -> String {
    moves.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>().join(" ")
}

fn report(
    game: &AnyGame,
    player: Player,
    mv: Move,
    thought: &Thought,
    agent: &str,
) -> serde_json::Value {
    let candidates: Vec<_> = thought
        .candidates
        .iter()
        .map(|c| {
            let line: Vec<String> = c.line.iter().map(|&mv| game.move_text(mv)).collect();
            let depths: Vec<_> = c
                .depths
                .iter()
                .map(|t| {
                    json!({
                        "depth": t.depth, "wins": t.wins, "neutrals": t.neutrals,
                        "losses": t.losses,
                    })
                })
                .collect();
            let mut candidate = json!({
                "move": game.move_text(c.mv), "value": c.value, "visits": c.visits,
                "proven": c.proven, "line": line,
            });
            if !depths.is_empty() {
                candidate["depths"] = depths.into();
            }
            candidate
        })
        .collect();
    json!({
        "game": game.info().name, "player": game.info().player(player), "agent": agent,
        "move": game.move_text(mv), "value": thought.value, "proven": thought.proven,
        "sims": thought.sims, "nodes": thought.nodes, "depth": thought.depth,
        "notes": thought.notes,
        "candidates": candidates,
    })
}
