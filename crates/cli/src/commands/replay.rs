//! `ludex replay RUN/NUMBER`

use super::arena::Db;
use crate::error::usage;
use crate::output;
use crate::world::Here;
use clap::Args;
use ludex_arena::notation::Played;
use ludex_arena::{GameRecord, World};
use ludex_core::{AnyGame, AnyState, Game, Player, Turn};
use serde_json::json;

/// Replay a stored game step by step and check it against its record
#[derive(Args)]
#[command(after_help = "Examples:
  ludex replay first/17 --db games.db
  ludex replay first/17 --json
  ludex replay first/17 --notation > game.pgn")]
pub(crate) struct Replay {
    /// The stored game: RUN/NUMBER
    id: String,
    #[command(flatten)]
    db: Db,
    /// Print one JSON object per position, then the record
    #[arg(long)]
    json: bool,
    /// Print the game in its own notation: PGN for chess, SGF for Go, Hex, Reversi and Gomoku
    #[arg(long, conflicts_with = "json")]
    notation: bool,
}

impl Replay {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (name, number) = self
            .id
            .rsplit_once('/')
            .and_then(|(name, number)| Some((name, number.parse::<u64>().ok()?)))
            .ok_or_else(|| usage!("expected RUN/NUMBER such as first/17, not `{}`", self.id))?;
        let (store, run) = self.db.open(Some(name))?;
        let stored = store.game(&run, number)?;
        let record = &stored.record;
        let game = Here.game(&record.game)?;
        let recorded = run.games.get(stored.result.table).map(|game| game.rules.as_str());
        if recorded != Some(game.info().source.to_string().as_str()) {
            eprintln!(
                "note: the rules of {} have changed since the game was recorded",
                record.game
            );
        }
        let states = record.replay(&game)?;
        if self.json {
            for (step, state) in states.iter().enumerate() {
                let moves = step.checked_sub(1).and_then(|last| record.moves.get(last));
                output::json(&json!({ "step": step, "moves": moves, "state": game.json(state) }))?;
            }
            return output::json(&json!({ "run": run.name, "number": number, "record": record }));
        }
        if self.notation {
            return output::line(notation(&game, record, &states)?.trim_end());
        }
        let info = game.info();
        output::line(format!(
            "{}, game {number} of {}, seed {}",
            info.title, run.name, record.seed
        ))?;
        for (seat, agent) in info.players.iter().zip(&record.agents) {
            output::line(format!("  {seat}: {agent}"))?;
        }
        if let Some(first) = states.first() {
            output::line(output::board(&game, first, None, None))?;
        }
        for (step, (moves, pair)) in record.moves.iter().zip(states.windows(2)).enumerate() {
            let [before, after] = pair else { continue };
            let movers: Vec<&str> = match game.turn(before) {
                Turn::Chance => vec!["chance"],
                turn => turn.movers().iter().map(|player| info.player(player)).collect(),
            };
            let made: Vec<String> =
                movers.iter().zip(moves).map(|(who, mv)| format!("{who} {mv}")).collect();
            let dealt = if (step as u32) < record.opening { "  (opening)" } else { "" };
            output::line(format!("{:>3}. {}{dealt}", step + 1, made.join(", ")))?;
            output::line(output::board(&game, after, None, None))?;
        }
        if let Some(forfeit) = &record.forfeit {
            let name = info.player(Player(forfeit.seat));
            output::line(format!("{name} forfeits ({}): {}", forfeit.fault, forfeit.reason))?;
        }
        let results: Vec<String> = info
            .players
            .iter()
            .zip(&record.payoffs)
            .map(|(name, p)| format!("{name} {p}"))
            .collect();
        output::line(format!("Result ({}): {}", record.ending.name(), results.join(", ")))
    }
}

/// A recorded game in the notation of its community.
fn notation(game: &AnyGame, record: &GameRecord, states: &[AnyState]) -> anyhow::Result<String> {
    let mut moves = Vec::new();
    for (state, texts) in states.iter().zip(&record.moves) {
        let (Turn::One(seat), [text]) = (game.turn(state), texts.as_slice()) else { continue };
        let mut legal = Vec::new();
        game.moves(state, seat, &mut legal);
        moves.extend(legal.into_iter().find(|&mv| game.move_text(mv) == *text));
    }
    let payoffs = Some(record.payoffs.as_slice());
    let played = Played { game, agents: &record.agents, states, moves: &moves, payoffs };
    let text = played.text().map(|(_, text)| text);
    text.ok_or_else(|| {
        usage!(
            "{} has no notation of its own: chess, Go, Hex, Reversi and Gomoku have",
            record.game
        )
    })
}
