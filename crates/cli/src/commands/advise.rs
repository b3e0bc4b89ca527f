//! `ludex advise GAME`

use super::{BudgetArgs, agent, default_agent, origin, seed};
use crate::error::usage;
use crate::output;
use clap::Args;
use ludex_agents::{Candidate, Thought};
use ludex_core::{AnyGame, Game, Move, Player, Turn, View};
use serde_json::json;

/// The best move here, with values, visits and the line behind it
#[derive(Args)]
#[command(after_help = "Examples:
  ludex advise tictactoe --position 'x2/1o1/3'
  ludex advise connect4 --agent alphabeta --depth 8
  ludex advise 'nim(2,3,2)' --agent mbm        wins and losses of every move by depth
  ludex advise 'nim(3,4,5)' --sims 20000 --json")]
pub(crate) struct Advise {
    /// The game
    game: String,
    /// The position (the start)
    #[arg(long)]
    position: Option<String>,
    /// The mind that advises
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
        let state = origin(&game, self.position.as_deref())?.unwrap_or_else(|| game.start());
        let player = mover(&game, game.turn(&state), self.seat.as_deref())?;
        let spec = match &self.agent {
            Some(text) => agent(text)?,
            None => default_agent(&game)?,
        };
        spec.supports(game.info())?;
        let mut mind = spec.build(&game, player, seed(self.seed))?;
        let mut legal = Vec::new();
        game.moves(&state, player, &mut legal);
        let view = View::new(&game, &state, player, &[], &state, &legal);
        let budget = spec.budget().or(&self.budget.budget());
        let choice = mind.choose(&game, &view, &budget)?;
        if self.json {
            return output::json(&report(
                &game,
                player,
                choice.mv,
                &choice.thought,
                &spec.to_string(),
            ));
        }
        let info = game.info();
        output::line(game.draw(&state, info.hidden.then_some(player)))?;
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
        output::line(format!("({})", facts.join(", ")))
    }
}

/// How simulated games ended by depth, for minds that keep such a record: wins-neutrals-losses
/// of each move, and where it came to an end.
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

/// Whose move is asked for.
fn mover(game: &AnyGame, turn: Turn, seat: Option<&str>) -> anyhow::Result<Player> {
    let info = game.info();
    let movers: Vec<Player> = turn.movers().iter().collect();
    let names = || movers.iter().map(|&p| info.player(p)).collect::<Vec<_>>().join(", ");
    match (turn, seat) {
        (Turn::Over, _) => Err(usage!("the game is over in this position")),
        (Turn::Chance, _) => Err(usage!("chance moves in this position, nobody needs advice")),
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
        "candidates": candidates,
    })
}
