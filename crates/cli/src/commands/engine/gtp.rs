//! `ludex gtp GAME`: the Go Text Protocol, version 2.

use super::{Behind, Table};
use crate::commands::BudgetArgs;
use crate::output;
use clap::Args;
use ludex_core::{AnyGame, Game, Match, Player};
use std::io::BufRead;

/// Speak GTP on standard input and output, as an engine for Go, Hex and Othello programs
#[derive(Args)]
#[command(after_help = "Examples:
  ludex gtp 'lud:go(9)' --time 1s < /dev/null
  ludex gtp lud:hex --keep-i < /dev/null")]
pub(crate) struct Gtp {
    /// The game: one in which stones are placed on a board of squares or crossings
    #[arg(default_value = "lud:go(9)")]
    game: String,
    /// Use the letter I for the ninth column, as Hex programs do
    #[arg(long)]
    keep_i: bool,
    #[command(flatten)]
    behind: Behind,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// The commands that are known.
const COMMANDS: [&str; 13] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "quit",
];

impl Gtp {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let mut table = Table::new(&game, &self.behind)?;
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            let text = line.split('#').next().unwrap_or_default().trim();
            let mut words: Vec<&str> = text.split_whitespace().collect();
            // A number in front comes back with the answer.
            let number = words.first().filter(|word| word.parse::<u32>().is_ok()).copied();
            if number.is_some() {
                words.remove(0);
            }
            let Some((&command, rest)) = words.split_first() else { continue };
            let number = number.unwrap_or_default();
            match self.answer(&game, &mut table, command, rest) {
                Ok(answer) => output::line(format!("={number} {answer}\n"))?,
                Err(reason) => output::line(format!("?{number} {reason}\n"))?,
            }
            if command == "quit" {
                break;
            }
        }
        Ok(())
    }

    fn answer<'g>(
        &self,
        game: &'g AnyGame,
        table: &mut Table<'g>,
        command: &str,
        rest: &[&str],
    ) -> Result<String, String> {
        let first = rest.first().copied().unwrap_or_default();
        match command {
            "protocol_version" => Ok("2".into()),
            "name" => Ok("Ludex".into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => Ok(COMMANDS.contains(&first).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "boardsize" => {
                let (columns, _) = table.squares.size();
                match first.parse::<usize>() {
                    Ok(size) if size == columns => Ok(String::new()),
                    _ => {
                        Err("unacceptable size: start ludex gtp with the game of this size".into())
                    }
                }
            }
            "clear_board" => {
                table.play = Match::new(game);
                Ok(String::new())
            }
            // The rules of the game have their own komi.
            "komi" | "quit" => Ok(String::new()),
            "play" => self.play(table, rest),
            "genmove" => self.genmove(table, first),
            "undo" if table.play.undo() => Ok(String::new()),
            "undo" => Err("cannot undo".into()),
            "showboard" => {
                Ok(format!("\n{}", output::board(game, table.play.state(), None, None).trim_end()))
            }
            _ => Err("unknown command".into()),
        }
    }

    /// Checks that a colour is to move.
    fn turn(table: &Table<'_>, colour: &str) -> Result<Player, String> {
        let seat = match colour.to_lowercase().as_str() {
            "b" | "black" => Player(0),
            "w" | "white" => Player(1),
            _ => return Err("syntax error: expected black or white".into()),
        };
        match table.mover() {
            Some(mover) if mover == seat => Ok(seat),
            Some(_) => Err("it is the other player's turn".into()),
            None => Err("the game is over".into()),
        }
    }

    fn play(&self, table: &mut Table<'_>, rest: &[&str]) -> Result<String, String> {
        let [colour, vertex] = rest else { return Err("syntax error: play COLOUR VERTEX".into()) };
        let seat = Self::turn(table, colour)?;
        let legal = table.play.legal(seat);
        let mv = table.squares.from_gtp(table.game, &legal, vertex, !self.keep_i);
        table.play.apply(&[mv.ok_or("illegal move")?]);
        Ok(String::new())
    }

    fn genmove(&self, table: &mut Table<'_>, colour: &str) -> Result<String, String> {
        Self::turn(table, colour)?;
        let mv = table.think(&self.budget.budget()).ok_or("no move")?;
        let word = table.squares.to_gtp(table.game, mv, !self.keep_i);
        table.play.apply(&[mv]);
        word.ok_or_else(|| format!("GTP has no word for {}", table.game.move_text(mv)))
    }
}
