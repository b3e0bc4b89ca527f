//! Hyper-agents for Ludii (Thompson 2024): models that pick an agent for a game, agents made of
//! agents, and the experiment with them. The public data are read in place (`--data`).

mod data;
mod experiment;
mod games;
mod models;
mod play;
mod results;

use crate::{Claim, Verdict};
pub(crate) use experiment::run as experiment;
pub(crate) use games::run as games;
pub(crate) use models::run as models;
pub(crate) use play::run as play;
pub(crate) use results::run as results;

/// A figure without luck: ours agrees with the published one to within `tolerance`, or not.
fn exact(id: String, claim: String, paper: f64, ours: f64, tolerance: f64, digits: usize) -> Claim {
    let agrees = (paper - ours).abs() <= tolerance;
    Claim {
        id,
        claim,
        paper: Some(format!("{paper:.digits$}")),
        ours: format!("{ours:.digits$}"),
        interval: None,
        verdict: Some(if agrees { Verdict::Holds } else { Verdict::FallsShort }),
        note: String::new(),
    }
}

/// A figure with luck, lower is better: other runs of the same thing came out between the ends of
/// `range`.
fn near(id: String, claim: String, paper: f64, ours: f64, range: [f64; 2], digits: usize) -> Claim {
    let [low, high] = range;
    let verdict = match ours {
        x if x < low => Verdict::Beaten,
        x if x > high => Verdict::FallsShort,
        _ => Verdict::Holds,
    };
    let note = format!("other runs: {low} to {high}");
    Claim { verdict: Some(verdict), note, ..exact(id, claim, paper, ours, 0.0, digits) }
}
