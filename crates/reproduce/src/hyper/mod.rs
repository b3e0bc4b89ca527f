//! Hyper-agents for Ludii (Thompson 2024): models that pick an agent for a game, agents made of
//! agents, and the experiment with them. The public data are read in place (`--data`).

mod data;
mod experiment;
mod games;
mod models;
mod play;
mod results;

use crate::{Claim, Origin, Verdict};
pub(crate) use data::found;
pub(crate) use experiment::run as experiment;
pub(crate) use games::run as games;
pub(crate) use models::run as models;
pub(crate) use play::run as play;
pub(crate) use results::run as results;

/// Another program of ours on the same data: notes of pandas and scikit-learn runs, which are not kept here.
const NOTES: &str =
    "our notes of the same data under Python (pandas, scikit-learn 1.9.1); not kept here";

/// Are Ludii's game descriptions found? One that no game of ours stands for tells.
pub(crate) fn descriptions() -> bool {
    ludex_library::open("lud:Starchess").is_ok()
}

/// A figure to compare with.
#[derive(Clone, Copy)]
struct Known<'a> {
    origin: Origin,
    place: &'a str,
    value: f64,
    digits: usize,
}

impl Known<'_> {
    /// A figure of our notes.
    fn noted(value: f64, digits: usize) -> Self {
        Known { origin: Origin::Reference, place: NOTES, value, digits }
    }

    fn claim(self, id: String, claim: String, ours: f64) -> Claim {
        let digits = self.digits;
        let known = format!("{:.digits$}", self.value);
        Claim::new(id, claim, format!("{ours:.digits$}")).beside(self.origin, known, self.place)
    }
}

/// A figure without luck: ours agrees with the known one to within `tolerance`, or not.
fn exact(id: String, claim: String, known: Known<'_>, ours: f64, tolerance: f64) -> Claim {
    let agrees = (known.value - ours).abs() <= tolerance;
    let criterion = match tolerance == 0.0 {
        true => format!("equal to the {}", known.origin.name()),
        false => format!("within {tolerance} of the {}", known.origin.name()),
    };
    known.claim(id, claim, ours).judged(criterion, Verdict::of(agrees))
}

/// A figure with luck beside the spread of it in our notes.
fn spread(id: String, claim: String, ours: f64, [low, high]: [f64; 2]) -> Claim {
    Claim::new(id, claim, format!("{ours:.3}")).reference(format!("{low} to {high}"), NOTES).judged(
        "within the spread of the reference's forests",
        Verdict::of((low..=high).contains(&ours)),
    )
}

/// A figure with luck: ours lies within a tolerance, or not.
fn near(
    id: String,
    claim: String,
    known: Known<'_>,
    ours: f64,
    [low, high]: [f64; 2],
    why: &str,
) -> Claim {
    let criterion = format!("between {low} and {high} ({why})");
    let agrees = (low..=high).contains(&ours);
    known.claim(id, claim, ours).judged(criterion, Verdict::of(agrees))
}
