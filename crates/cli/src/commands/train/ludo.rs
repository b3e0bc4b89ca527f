//! `ludex train ludo`

use crate::error::usage;
use crate::{output, stop};
use anyhow::Context;
use clap::Args;
use ludex_agents::ludo::hand::Hand;
use ludex_agents::ludo::outlook::{Net, Outlook};
use ludex_agents::ludo::player::Player;
use ludex_core::Seed;
use ludex_games::Ludo as Rules;
use ludex_games::ludo::values::Kind;
use ludex_learn::outlook::{Course, Training};
use ludex_learn::play::contest;
use ludex_stats::{Z95, wilson};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Learn the value of positions by self-play
#[derive(Args)]
pub(super) struct Ludo {
    /// The game: `ludo` or `ludo(stars=fixed)`
    game: String,
    /// The number of games of self-play
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How far ahead the targets look, from 0 (the next position) to 1 (the end of the game)
    #[arg(long, default_value_t = Course::default().lambda)]
    lambda: f32,
    // Not the shared arguments: clap does not see an optional group with another group in it.
    /// The seed of all random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// The file of the weights
    #[arg(long, default_value = "ludo.bin")]
    out: PathBuf,
    /// The number of games of each of ten measurements; 0 measures nothing
    #[arg(long, default_value_t = 1000)]
    measure: u64,
    /// Print one JSON object per measurement
    #[arg(long)]
    json: bool,
}

impl Ludo {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let Some(game) = game.get::<Rules>() else {
            return Err(usage!("{} has no value to learn; `ludo` has one", self.game));
        };
        if !(0.0..=1.0).contains(&self.lambda) {
            return Err(usage!("--lambda must be from 0 to 1, not {}", self.lambda));
        }
        let course = Course {
            games: self.games,
            lambda: self.lambda,
            seed: Seed(self.seed),
            ..Course::default()
        };
        writable(&self.out)?;
        let mut training = Training::new(game.clone(), course);
        let bar = output::progress(self.games, "train");
        let mut next = self.games.div_ceil(10);
        stop::control();
        while training.round() {
            if stop::asked() {
                bar.finish_and_clear();
                write(&self.out, &training.net().to_bytes())?;
                let (played, out) = (training.played(), self.out.display());
                eprintln!(
                    "stopped after {played} of {} games; {out} holds the weights so far",
                    self.games
                );
                return stop::outcome();
            }
            bar.set_position(training.played().min(self.games));
            if training.played() < next && training.played() < self.games {
                continue;
            }
            next += self.games.div_ceil(10);
            write(&self.out, &training.net().to_bytes())?;
            if self.measure > 0 {
                bar.suspend(|| self.measure(game, training.played(), training.net()))?;
            }
        }
        bar.finish_and_clear();
        match self.json {
            true => Ok(()),
            false => output::line(format!(
                "{} games; the weights are in {}",
                output::thousands(training.played() as f64),
                self.out.display()
            )),
        }
    }

    /// Plays against the players of the paper. The player does not search, so that only its value is measured.
    fn measure(&self, game: &Rules, played: u64, net: &Net) -> anyhow::Result<()> {
        let ours = Player::Outlook(Outlook::new(Arc::new(net.clone()), 0));
        let advanced = Player::evolved(Kind::Advanced, &ludex_agents::ludo::chromosome::ADVANCED);
        let (pairs, alone) = ([true, true, false, false], [true, false, false, false]);
        let rates = [
            ("pairs-advanced", advanced.unwrap_or(Player::Random), pairs),
            ("pairs-smart", Player::Hand(Hand::Smart), pairs),
            ("alone-random", Player::Random, alone),
        ]
        .map(|(name, theirs, teams)| {
            let seed = Seed(self.seed).named("measure");
            let wins = contest(game, &ours, &theirs, &teams, self.measure, seed);
            (name, wins / self.measure as f64)
        });
        if self.json {
            let mut line = json!({ "games": played });
            rates.iter().for_each(|(name, rate)| line[*name] = json!(rate));
            return output::json(&line);
        }
        let words: Vec<String> = rates
            .iter()
            .map(|&(name, rate)| {
                let interval = wilson(rate, self.measure, Z95);
                format!("{name} {rate:.3} ({:.3} .. {:.3})", interval.low, interval.high)
            })
            .collect();
        output::line(format!("{:>9} games: {}", output::thousands(played as f64), words.join("  ")))
    }
}

/// Fails now rather than after hours where the file can't be written.
fn writable(path: &Path) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    std::fs::write(&part, b"")
        .and_then(|()| std::fs::remove_file(&part))
        .with_context(|| format!("can't write `{}`", path.display()))
}

/// Writes a whole file or leaves it unchanged.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    std::fs::write(&part, bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| path.display().to_string())
}
