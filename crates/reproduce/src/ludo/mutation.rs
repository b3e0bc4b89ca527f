//! Section 4, 'Mutation experiments': the full player with mutation sizes that are fixed, or evolve, one for all genes or one for each.

use super::figures::{SLACK, chart, drawn, mean_curve, mean_from, run};
use crate::{Claim, Options, Result, Verdict};
use ludex_games::ludo::values::Kind;
use ludex_learn::evolve::Outcome;

/// The mutations that the paper compares. The first is the one that it uses elsewhere.
const MUTATIONS: [(&str, &str); 3] = [
    ("normal", "normal(sigma=0.1)"),
    ("one-step", "one-step(rate=0.1)"),
    ("n-step", "n-step(global=0.1,local=0.1)"),
];

/// Population 40, 10 games a tournament, whole recombination, 1,000 generations.
pub(crate) fn mutation(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let (generations, seeds) = if options.quick { (100, 1) } else { (1000, 3) };
    let (mut series, mut ends) = (Vec::new(), Vec::new());
    for (name, mutation) in MUTATIONS {
        let runs = (0..seeds)
            .map(|seed| {
                run(options, Kind::Full, |plan| {
                    plan.seed = options.seed.0.wrapping_add(seed);
                    (plan.population, plan.generations) = (40, generations);
                    plan.recombination = "whole".into();
                    plan.mutation = mutation.into();
                })
            })
            .collect::<Result<Vec<Outcome>>>()?;
        let mut all: Vec<f64> =
            runs.iter().map(|run| mean_from(run, generations - generations / 12)).collect();
        let shown: Vec<String> = all.iter().map(|end| format!("{end:.3}")).collect();
        all.sort_by(f64::total_cmp);
        let end = all.get(all.len() / 2).copied().unwrap_or(f64::NAN);
        let what = format!("full, population 40, {mutation}: mean win rate of the last twelfth");
        tell(
            Claim::new(format!("ludo-mutation.{name}"), what, format!("{end:.3}"))
                .note(format!("{generations} generations; by seed: {}", shown.join(", "))),
        );
        series.push(mean_curve(name, &runs));
        ends.push(end);
    }
    let shown: Vec<String> = ends.iter().map(|end| format!("{end:.3}")).collect();
    let claim = Claim::new(
        "ludo-mutation.no-gain",
        "full: win rates by normal, one-step and n-step mutation",
        shown.join(", "),
    )
    .paper("neither adaptive one showed 'any improvement'", "section 4, mutation experiments");
    tell(match (options.quick, &ends[..]) {
        (false, [fixed, adaptive @ ..]) => claim.judged(
            format!("neither is more than {SLACK} above the first (a tolerance of ours)"),
            Verdict::of(adaptive.iter().all(|end| *end <= fixed + SLACK)),
        ),
        _ => claim.note("not judged: a quick run has a tenth of the generations"),
    });
    let title = "Section 4: the full player, fixed and adaptive mutations";
    tell(drawn("ludo-mutation", chart(options, "ludo-mutation", title, "generation", series)?));
    Ok(())
}
