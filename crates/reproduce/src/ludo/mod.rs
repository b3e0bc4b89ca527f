//! Haugaard 2019, 'Ludo AI': tables 1 and 2, figures 1 to 5, and the experiment with mutations that adapt.
//!
//! Each evolution has a folder under [`Options::out`](crate::Options), named after its settings. Tables and figures share
//! the evolutions, and an interrupted evolution is resumed.

mod figures;
mod mutation;
mod players;
mod tables;

pub(crate) use figures::{fig1, fig2, fig3, fig4, fig5};
pub(crate) use mutation::mutation;
pub(crate) use tables::{best, table1, table2};

use crate::{Options, Result};
use ludex_core::Spec;
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_learn::evolve::{Outcome, Plan, Point, Watch, run_with};
use std::sync::atomic::AtomicBool;

/// Ludo with the rules of the paper.
fn game() -> Result<Ludo> {
    Ok(Ludo::new(&Spec::new("ludo"))?)
}

/// The settings of the paper for each player (section 4, 'Chosen player populations'). Quick runs of the full player have
/// a quarter of the population and an eighth of the generations.
fn plan(kind: Kind, quick: bool) -> Plan {
    let (population, generations, every) = match kind {
        Kind::Simple => (20, 100, 1),
        Kind::Advanced => (80, 55, 1),
        Kind::Full if quick => (40, 150, 10),
        Kind::Full => (160, 1200, 10),
        // The paper does not say how many; figures of ours.
        Kind::Fellow => (20, 50, 10),
    };
    let mut plan = Plan::new("ludo", kind.name(), population, generations);
    if kind == Kind::Simple {
        plan.recombination = "none".into();
    }
    if kind == Kind::Fellow {
        plan.games = 100;
        plan.recombination = "uniform".into();
        plan.mutation = "normal(sigma=1)".into();
    }
    plan.evaluate.every = every;
    plan
}

/// Runs an evolution, or reads its result from its folder.
fn evolve(options: &Options<'_>, kind: Kind, plan: &Plan) -> Result<Outcome> {
    let against = plan.opponents.as_ref().map_or(String::new(), |name| format!("-v-{name}"));
    let name = format!(
        "{}{against}-{}-{}-{}-{}-seed{}",
        plan.genome,
        plan.population,
        plan.generations,
        plan.recombination.split('(').next().unwrap_or_default(),
        plan.mutation.trim_start_matches("normal(sigma=").trim_end_matches(')'),
        plan.seed
    );
    let folder = options.out.join("ludo-evolved").join(&name);
    options.progress.begin(&format!("evolving {name}"), plan.generations);
    let mut steps = Steps { options, done: 0 };
    Ok(run_with(plan, &game()?, &kind, &folder, &AtomicBool::new(false), &mut steps)?)
}

/// Reports finished generations as progress.
struct Steps<'a> {
    options: &'a Options<'a>,
    done: u64,
}

impl Watch for Steps<'_> {
    fn generation(&mut self, done: u64, _: u64) {
        // A resumed run begins in the middle.
        while self.done < done {
            self.options.progress.step();
            self.done += 1;
        }
    }

    fn measured(&mut self, _: &[Point]) {}
}
