//! Hyper-agents for Ludii (Thompson 2024): models that pick an agent for a game, agents made of agents, and the experiment
//! with them. The public data are read from the folder `--data`.

mod data;
mod experiment;
mod games;
mod models;
mod picks;
mod play;
mod results;

use crate::{Claim, Origin, Verdict};
pub(crate) use data::found;
pub(crate) use experiment::run as experiment;
pub(crate) use games::run as games;
pub(crate) use models::run as models;
pub(crate) use play::run as play;
pub(crate) use results::run as results;

/// The source of references: notes of our runs of pandas and scikit-learn on the same data, which are not kept here.
const NOTES: &str =
    "our notes of the same data under Python (pandas, scikit-learn 1.9.1); not kept here";

/// Are Ludii's game descriptions found? We look for one that is not among our own games.
pub(crate) fn descriptions() -> bool {
    ludex_library::open("lud:Starchess").is_ok()
}

/// A known value to compare with.
#[derive(Clone, Copy)]
struct Known<'a> {
    origin: Origin,
    place: &'a str,
    value: f64,
    digits: usize,
}

impl Known<'_> {
    /// A value of our notes.
    fn noted(value: f64, digits: usize) -> Self {
        Known { origin: Origin::Reference, place: NOTES, value, digits }
    }

    fn claim(self, id: String, claim: String, ours: f64) -> Claim {
        let digits = self.digits;
        let known = format!("{:.digits$}", self.value);
        Claim::new(id, claim, format!("{ours:.digits$}")).beside(self.origin, known, self.place)
    }
}

/// A value without randomness: ours must agree with the known value up to `tolerance`.
fn exact(id: String, claim: String, known: Known<'_>, ours: f64, tolerance: f64) -> Claim {
    let agrees = (known.value - ours).abs() <= tolerance;
    let criterion = match tolerance == 0.0 {
        true => format!("equal to the {}", known.origin.name()),
        false => format!("within {tolerance} of the {}", known.origin.name()),
    };
    known.claim(id, claim, ours).judged(criterion, Verdict::of(agrees))
}

/// A value with randomness: ours must lie within its spread in our notes.
fn spread(id: String, claim: String, ours: f64, [low, high]: [f64; 2]) -> Claim {
    Claim::new(id, claim, format!("{ours:.3}")).reference(format!("{low} to {high}"), NOTES).judged(
        "within the spread of the reference's forests",
        Verdict::of((low..=high).contains(&ours)),
    )
}

/// A value with randomness: ours must lie within a tolerance.
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
