//! The players of the tables.

use super::{evolve, game, plan};
use crate::claim::Rate;
use crate::{Options, Result};
use ludex_agents::ludo::hand::Hand;
use ludex_agents::ludo::outlook::Outlook;
use ludex_agents::ludo::player::Player;
use ludex_core::{Error, Seed};
use ludex_games::ludo::values::Kind;
use ludex_learn::play::contest;

/// A row or column of a table.
pub(super) struct Entrant {
    /// The name in the paper.
    pub(super) name: &'static str,
    /// One player, or one for each seed.
    pub(super) players: Vec<Player>,
}

impl Entrant {
    /// The player of a seed.
    pub(super) fn player(&self, seed: usize) -> &Player {
        &self.players[seed % self.players.len().max(1)]
    }
}

/// The paper's players in the order of its tables. The two of the fellow student (section 2.5) are evolved anew from the text.
pub(super) const NAMES: [&str; 7] =
    ["random", "smart", "chr-random", "chr-smart", "simple", "advanced", "full"];

/// All players of the tables. Evolved players have five seeds, or one in a quick run.
pub(super) fn entrants(options: &Options<'_>) -> Result<Vec<Entrant>> {
    NAMES.into_iter().map(|name| entrant(options, name)).collect()
}

/// One player of the tables.
pub(super) fn entrant(options: &Options<'_>, name: &'static str) -> Result<Entrant> {
    let kind = match name {
        "random" => return Ok(Entrant { name, players: vec![Player::Random] }),
        "smart" => return Ok(Entrant { name, players: vec![Player::Hand(Hand::Smart)] }),
        "ludo" => {
            let outlook = Outlook::usual(game()?.stars());
            return Ok(Entrant { name, players: vec![Player::Outlook(outlook)] });
        }
        "chr-random" | "chr-smart" => Kind::Fellow,
        "simple" => Kind::Simple,
        "advanced" => Kind::Advanced,
        _ => Kind::Full,
    };
    let seeds = if options.quick { 1 } else { 5 };
    let players = (0..seeds)
        .map(|k| {
            let mut plan = plan(kind, options.quick);
            plan.opponents = name.strip_prefix("chr-").map(str::to_string);
            plan.seed = options.seed.0.wrapping_add(k);
            let outcome = evolve(options, kind, &plan)?;
            Player::evolved(kind, &outcome.champion)
                .ok_or_else(|| Error::Unsupported(format!("no {name} player came out")).into())
        })
        .collect::<Result<_>>()?;
    Ok(Entrant { name, players })
}

/// The win rates of one player against another, one for each seed.
pub(super) fn meet(
    options: &Options<'_>,
    ours: &Entrant,
    theirs: &Entrant,
    teams: &[bool; 4],
    games: u64,
) -> Result<Vec<Rate>> {
    let game = game()?;
    let count = ours.players.len().max(theirs.players.len());
    options.progress.begin(&format!("{} v {}", ours.name, theirs.name), count as u64);
    let count_of = teams.iter().filter(|our| **our).count() as u64;
    let seed: Seed = options.seed.named(ours.name).named(theirs.name).child(count_of);
    Ok((0..count)
        .map(|k| {
            let seed = seed.child(k as u64);
            let hits = contest(&game, ours.player(k), theirs.player(k), teams, games, seed);
            options.progress.step();
            Rate { hits: hits.round() as u64, of: games }
        })
        .collect())
}

/// The rate with the median share of wins.
pub(super) fn median(rates: &[Rate]) -> Rate {
    let mut sorted = rates.to_vec();
    sorted.sort_by_key(|rate| rate.hits);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
