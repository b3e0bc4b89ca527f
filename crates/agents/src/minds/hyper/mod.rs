//! Agents made of agents (Thompson 2024): a portfolio picks one member for a game, an ensemble asks
//! all of them for every move.
//!
//! - [`ensemble`]: time shares, votes, ties; [`portfolio`]: the pick, and its check by playing, which `trial` does before a match;
//! - [`predict`]: what a model says about the members;
//! - [`preset`]: the members where none are named, and the heuristic that a model chooses for them;
//! - [`member`]: a sub-agent that may fail without taking the others with it.
//!
//! The thesis' rules are the defaults where they are no faults: time in proportion to weight, a
//! proved win is played at once, members in the given order. What differs: members that can't play
//! a game are dropped and named (the thesis' portfolio did not look), *parallel* means threads (it
//! meant one after the other, each with the full time), and a tie goes to the move that its voters
//! value most (it went to the first voter; `ties=first` does so again).

pub mod ensemble;
pub mod member;
pub mod portfolio;
pub mod predict;
pub mod preset;
mod trial;

use crate::spec::AgentSpec;
use ludex_core::{AnyGame, Error, Info, Player, Result, Seed};
use member::Member;
use predict::Forecast;

pub use preset::MEMBERS;

/// A person cannot be a member: an ensemble asks several times a move.
fn check_members(members: &[AgentSpec]) -> std::result::Result<(), String> {
    match members.iter().find(|member| member.name() == "human") {
        Some(person) => Err(format!("`{person}` can't be a member")),
        None => Ok(()),
    }
}

/// Why none of the members can play such a game.
fn obstacle(members: Result<Vec<AgentSpec>>, info: &Info) -> Option<String> {
    // A model that can't be read is reported when it is loaded.
    let able = members.ok()?.iter().any(|member| member.obstacle(info).is_none());
    (!able).then(|| "has no member that can play it".to_string())
}

/// Seats the members that can play the game, each with its forecast to the power of `sharpen` as its weight. Members that
/// cannot play are named in the notes.
///
/// # Errors
/// No member can play.
fn seat_members(
    candidates: Vec<AgentSpec>,
    forecast: Forecast,
    sharpen: f64,
    (game, seat, seed): (&AnyGame, Player, Seed),
) -> Result<(Vec<Member>, Vec<String>)> {
    let (mut members, mut notes) = (Vec::new(), forecast.notes);
    for (i, spec) in candidates.into_iter().enumerate() {
        match spec.build(game, seat, seed.child(i as u64)) {
            Ok(mind) => {
                let weight = forecast.values.get(i).copied().unwrap_or(0.0).max(0.0);
                members.push(Member::new(spec, mind, weight.powf(sharpen)));
            }
            Err(error) => notes.push(format!("{spec} is left out: {error}")),
        }
    }
    match members.is_empty() {
        true => Err(Error::Unsupported(format!("no member can play: {}", notes.join("; ")))),
        false => Ok((members, notes)),
    }
}
