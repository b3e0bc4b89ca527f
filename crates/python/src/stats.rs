//! Statistics of game results: the functions of the crate `ludex-stats`, one by one.

use crate::error::value;
use ludex_stats::elo::{Results, Score, rate};
use ludex_stats::sprt::{Sprt, Verdict};
use ludex_stats::{Sample, Z95, hypothesis, interval, payoff};
use pyo3::prelude::*;

/// Wilson's 95 % interval for a mean score from 0 to 1 over `n` games.
#[pyfunction]
fn wilson(score: f64, n: u64) -> PyResult<(f64, f64)> {
    if !(0.0..=1.0).contains(&score) {
        return Err(value(format!("score must be from 0 to 1, not {score}")));
    }
    let interval = ludex_stats::wilson(score, n, Z95);
    Ok((interval.low, interval.high))
}

/// The mean of cluster means with its 95 % interval by Student's t; None for fewer than two clusters.
#[pyfunction]
fn clustered(means: Vec<f64>) -> Option<(f64, (f64, f64))> {
    interval::clustered(&means).map(|(mean, i)| (mean, (i.low, i.high)))
}

/// Elo ratings with standard errors from rows (a, b, wins of a, draws, losses of a). `anchor` has 0.
#[pyfunction]
#[pyo3(signature = (agents, results, anchor=None))]
fn elo(
    agents: usize,
    results: Vec<(usize, usize, f64, f64, f64)>,
    anchor: Option<usize>,
) -> PyResult<(Vec<f64>, Vec<f64>)> {
    if anchor.is_some_and(|anchor| anchor >= agents) {
        return Err(value("no agent has the number of the anchor"));
    }
    let mut all = Results::new(agents);
    for (a, b, wins, draws, losses) in results {
        let sound = [wins, draws, losses].iter().all(|n| n.is_finite() && *n >= 0.0);
        if a >= agents || b >= agents || !sound {
            return Err(value(format!("no result: {a} against {b}, +{wins} ={draws} -{losses}")));
        }
        all.add(a, b, Score { wins, draws, losses });
    }
    let ratings = rate(&all, anchor);
    Ok((ratings.elo, ratings.error))
}

/// The sequential probability ratio test of scores from 0 to 1: the log-likelihood ratio and "H0", "H1" or "open".
#[pyfunction]
#[pyo3(signature = (scores, elo0, elo1, alpha=0.05, beta=0.05))]
fn sprt(
    scores: Vec<f64>,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
) -> PyResult<(f64, &'static str)> {
    let errors = [alpha, beta].iter().all(|e| (0.0..0.5).contains(e) && *e > 0.0);
    let ordered = elo0 < elo1;
    if !errors || !ordered {
        return Err(value("a test needs elo0 < elo1 and errors between 0 and 0.5"));
    }
    let test = Sprt { elo0, elo1, alpha, beta };
    let ratio = test.ratio(Sample::of(&scores));
    let verdict = match test.judge(ratio) {
        Verdict::Open => "open",
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
    };
    Ok((ratio, verdict))
}

/// The paired t test of two lists: the statistic and the two-sided p value; None where it has no meaning.
#[pyfunction]
fn paired_t(a: Vec<f64>, b: Vec<f64>) -> Option<(f64, f64)> {
    hypothesis::paired_t(&a, &b)
}

/// The two-sided p value of the sign test.
#[pyfunction]
fn sign(wins: u64, losses: u64) -> f64 {
    hypothesis::sign(wins, losses)
}

/// Holm's correction of p values.
#[pyfunction]
fn holm(p: Vec<f64>) -> Vec<f64> {
    hypothesis::holm(&p)
}

/// The alpha-Rank of each agent from a square table of mean payoffs.
#[pyfunction]
#[pyo3(signature = (payoffs, alpha=10.0))]
fn alpha_rank(payoffs: Vec<Vec<f64>>, alpha: f64) -> PyResult<Vec<f64>> {
    square(&payoffs)?;
    Ok(payoff::alpha_rank(&payoffs, alpha))
}

/// The maximum-entropy Nash equilibrium of a table of payoffs, and the Nash average of each agent.
#[pyfunction]
fn nash_average(payoffs: Vec<Vec<f64>>) -> PyResult<(Vec<f64>, Vec<f64>)> {
    square(&payoffs)?;
    Ok(payoff::nash_average(&payoffs))
}

fn square(table: &[Vec<f64>]) -> PyResult<()> {
    match table.iter().all(|row| row.len() == table.len() && row.iter().all(|x| x.is_finite())) {
        true => Ok(()),
        false => Err(value("the table must be square and of finite numbers")),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(wilson, module)?)?;
    module.add_function(wrap_pyfunction!(clustered, module)?)?;
    module.add_function(wrap_pyfunction!(elo, module)?)?;
    module.add_function(wrap_pyfunction!(sprt, module)?)?;
    module.add_function(wrap_pyfunction!(paired_t, module)?)?;
    module.add_function(wrap_pyfunction!(sign, module)?)?;
    module.add_function(wrap_pyfunction!(holm, module)?)?;
    module.add_function(wrap_pyfunction!(alpha_rank, module)?)?;
    module.add_function(wrap_pyfunction!(nash_average, module)?)
}
