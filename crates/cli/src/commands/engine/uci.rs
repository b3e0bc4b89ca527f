//! `ludex uci`: the Universal Chess Interface.

use super::{Behind, Table};
use crate::output;
use clap::Args;
use ludex_agents::Budget;
use ludex_core::deadline::{Deadline, Stop};
use ludex_core::{Game, Match, Move, Player};
use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

/// Speak UCI on standard input and output, as an engine for chess programs
#[derive(Args)]
#[command(after_help = "Examples:
  ludex uci < /dev/null
  ludex uci lud:chess --agent alphabeta < /dev/null
In a chess program, give `ludex uci` as the command of the engine.")]
pub(crate) struct Uci {
    /// The game: one on a board of squares
    #[arg(default_value = "lud:chess")]
    game: String,
    #[command(flatten)]
    behind: Behind,
}

impl Uci {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let mut table = Table::new(&game, &self.behind)?;
        let lines = stdin_lines();
        while let Ok(line) = lines.recv() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.split_first() {
                Some((&"uci", _)) => {
                    output::line(format!("id name Ludex {}", env!("CARGO_PKG_VERSION")))?;
                    output::line("id author the Ludex authors")?;
                    output::line("uciok")?;
                }
                Some((&"isready", _)) => {
                    table.get_ready()?;
                    output::line("readyok")?;
                }
                Some((&"ucinewgame", _)) => table.play = Match::new(&game),
                Some((&"position", rest)) => {
                    if let Err(error) = position(&mut table, rest) {
                        output::line(format!("info string {error}"))?;
                    }
                }
                Some((&"go", rest)) => {
                    let over = go(&mut table, rest, &lines)?;
                    if over {
                        return Ok(());
                    }
                }
                Some((&"quit", _)) => return Ok(()),
                // Unknown commands and a late `stop` are to be ignored.
                _ => {}
            }
        }
        Ok(())
    }
}

/// The lines of standard input, read in a thread of its own so that `stop` reaches a search.
fn stdin_lines() -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// `position startpos|fen F [moves M ...]`.
fn position(table: &mut Table<'_>, words: &[&str]) -> Result<(), String> {
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(at);
    let game = table.game;
    let origin = match start.split_first() {
        Some((&"startpos", _)) => game.start(),
        Some((&"fen", fen)) => {
            game.parse_position(&fen.join(" ")).map_err(|error| error.to_string())?
        }
        _ => return Err("expected `position startpos` or `position fen`".into()),
    };
    let mut play = Match::at(game, origin);
    for text in moves.iter().skip(1) {
        let mut promotion = None;
        for _ in 0..2 {
            let Some(player) = play.turn().movers().iter().next() else { break };
            let legal = play.legal(player);
            let found: Option<(Move, Option<char>)> = match promotion.take() {
                Some(letter) => table.squares.promotion(game, &legal, letter).map(|mv| (mv, None)),
                None => table.squares.from_uci(game, &legal, text),
            };
            let Some((mv, next)) = found else { return Err(format!("illegal move {text}")) };
            play.apply(&[mv]);
            promotion = next;
            if promotion.is_none() {
                break;
            }
        }
    }
    table.play = play;
    Ok(())
}

/// `go ...`: thinks and answers; true where the program is told to end meanwhile.
fn go(table: &mut Table<'_>, words: &[&str], lines: &Receiver<String>) -> anyhow::Result<bool> {
    let budget = budget(words, table.mover());
    let stop = Stop::default();
    let mut quit = false;
    let best = std::thread::scope(|scope| {
        let thinking = scope.spawn(|| {
            let deadline = Deadline { stops: vec![stop.clone()], ..Deadline::default() };
            let _scope = deadline.enter();
            table.think(&budget)
        });
        while !thinking.is_finished() {
            match lines.try_recv() {
                Ok(line) if line.trim() == "stop" => stop.set(),
                Ok(line) if line.trim() == "quit" => {
                    quit = true;
                    stop.set();
                }
                Ok(line) if line.trim() == "isready" => {
                    let _ = output::line("readyok");
                }
                Ok(_) => {}
                // The end of the input is no reason to stop: the answer may be waited for.
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        }
        thinking.join().ok().flatten()
    });
    let text = best.map(|mv| answer(table, mv));
    output::line(format!("bestmove {}", text.unwrap_or_else(|| "(none)".into())))?;
    Ok(quit)
}

/// A move as UCI writes it. After a pawn's last step the agent is asked again for the piece.
fn answer(table: &mut Table<'_>, mv: Move) -> String {
    let (mover, steps) = (table.mover(), table.play.len());
    table.play.apply(&[mv]);
    let mut moves = vec![mv];
    if table.mover() == mover {
        let short = Budget { time: Some(Duration::from_millis(100)), ..Budget::default() };
        moves.extend(table.think(&short));
    }
    table.play.truncate(steps);
    table.squares.uci_line(table.game, &moves).concat()
}

/// The budget of `go`.
fn budget(words: &[&str], mover: Option<Player>) -> Budget {
    let number = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let (clock, bonus) = match mover {
        Some(Player(1)) => (number("btime"), number("binc")),
        _ => (number("wtime"), number("winc")),
    };
    // A game lasts about 30 more moves.
    let share = clock.map(|left| (left / 30 + bonus.unwrap_or(0)).clamp(1, left.max(1)));
    let unlimited = words.contains(&"infinite").then_some(Duration::from_secs(24 * 3600));
    Budget {
        time: number("movetime").or(share).map(Duration::from_millis).or(unlimited),
        nodes: number("nodes"),
        depth: number("depth").and_then(|depth| u32::try_from(depth).ok()),
        ..Budget::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_become_budgets() {
        let words: Vec<&str> = "wtime 60000 btime 30000 winc 100".split(' ').collect();
        assert_eq!(budget(&words, Some(Player(0))).time, Some(Duration::from_millis(2100)));
        assert_eq!(budget(&words, Some(Player(1))).time, Some(Duration::from_millis(1000)));
        assert_eq!(budget(&["nodes", "500"], None).nodes, Some(500));
        assert_eq!(budget(&["movetime", "x"], None).time, None);
    }
}
