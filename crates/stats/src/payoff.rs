//! Ratings that do not assume a ladder of strength. Agents that beat each other in a circle, as in rock-paper-scissors,
//! have no meaningful Elo. `payoff[i][j]` is the mean score of agent i against agent j, from 0 to 1.

use nalgebra::DMatrix;

/// alpha-Rank (Omidshafiei et al. 2019) for one population: the share of time that an evolving population spends at each
/// agent. `alpha` is the strength of selection; 100 is the usual strong selection.
///
/// ```
/// use ludex_stats::payoff::alpha_rank;
/// let rps = vec![vec![0.5, 0.0, 1.0], vec![1.0, 0.5, 0.0], vec![0.0, 1.0, 0.5]];
/// let shares = alpha_rank(&rps, 100.0);
/// assert!(shares.iter().all(|s| (s - 1.0 / 3.0).abs() < 1e-9));
/// ```
pub fn alpha_rank(payoff: &[Vec<f64>], alpha: f64) -> Vec<f64> {
    let n = payoff.len();
    if n < 2 {
        return vec![1.0; n];
    }
    let eta = 1.0 / (n as f64 - 1.0);
    let mut chain = DMatrix::from_fn(n, n, |i, j| {
        if i == j { 0.0 } else { eta * fixation(alpha * (payoff[j][i] - payoff[i][j])) }
    });
    for i in 0..n {
        chain[(i, i)] = 1.0 - chain.row(i).sum();
    }
    stationary(&chain)
}

/// The fixation probability of one mutant (equation 3 of the paper): rho = (1 - e^{-u}) / (1 - e^{-m u}), and 1/m where
/// u = 0, for a population of m = 50.
fn fixation(u: f64) -> f64 {
    let m = 50.0;
    if u.abs() < 1e-12 {
        1.0 / m
    } else if -m * u > 700.0 {
        // The denominator overflows. The limit of the quotient does not.
        0.0f64.max((-u).exp_m1() * (m * u).exp())
    } else {
        (-u).exp_m1() / (-m * u).exp_m1()
    }
}

/// The long-run shares of a Markov chain: power iteration that squares the matrix. The lazy chain, which stays where it
/// is half of the time, has the same shares and no period.
fn stationary(chain: &DMatrix<f64>) -> Vec<f64> {
    let n = chain.nrows();
    // A tiny chance of a restart at a random agent gives chains with separate parts a unique answer.
    let restart = 1e-12 / n as f64;
    let mut power = DMatrix::from_fn(n, n, |i, j| {
        let lazy = 0.5 * chain[(i, j)] + if i == j { 0.5 } else { 0.0 };
        lazy * (1.0 - 1e-12) + restart
    });
    for _ in 0..64 {
        power = &power * &power;
        for mut row in power.row_iter_mut() {
            row /= row.sum();
        }
    }
    power.row_mean().iter().copied().collect()
}

/// Nash averaging (Balduzzi et al. 2018): the weight of each agent in the maximum-entropy equilibrium of the game "pick
/// an agent", and the mean score of each agent against that equilibrium. Copies of an agent change nothing.
///
/// The equilibrium is exact to about 1e-3.
///
/// ```
/// use ludex_stats::payoff::nash_average;
/// let rps = vec![vec![0.5, 0.0, 1.0], vec![1.0, 0.5, 0.0], vec![0.0, 1.0, 0.5]];
/// let (mix, skill) = nash_average(&rps);
/// assert!(mix.iter().all(|m| (m - 1.0 / 3.0).abs() < 1e-3));
/// assert!(skill.iter().all(|s| (s - 0.5).abs() < 1e-3));
/// ```
pub fn nash_average(payoff: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let n = payoff.len();
    if n == 0 {
        return (Vec::new(), Vec::new());
    }
    let value = |mix: &[f64], i: usize| -> f64 {
        mix.iter().enumerate().map(|(j, m)| m * (payoff[i][j] - payoff[j][i]) / 2.0).sum()
    };
    // For a falling temperature t, solve the smoothed equilibrium mix = softmax(A mix / t). Its limit is the equilibrium
    // of maximum entropy. Damped steps converge because A is antisymmetric.
    let mut mix = vec![1.0 / n as f64; n];
    let mut temperature: f64 = 1.0;
    while temperature > 2e-4 {
        let damp = (temperature * temperature / (temperature * temperature + 0.25)).max(2e-5);
        for _ in 0..(8.0 / damp).min(20_000.0) as usize {
            let scores: Vec<f64> = (0..n).map(|i| value(&mix, i) / temperature).collect();
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let weights: Vec<f64> = scores.iter().map(|s| (s - top).exp()).collect();
            let sum: f64 = weights.iter().sum();
            for (m, w) in mix.iter_mut().zip(&weights) {
                *m += damp * (w / sum - *m);
            }
        }
        temperature *= 0.7;
    }
    let skill = (0..n).map(|i| 0.5 + value(&mix, i)).collect();
    (mix, skill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_agent_takes_all() {
        let ladder = vec![vec![0.5, 0.9, 0.9], vec![0.1, 0.5, 0.8], vec![0.1, 0.2, 0.5]];
        assert!(alpha_rank(&ladder, 100.0)[0] > 0.999);
        let (mix, skill) = nash_average(&ladder);
        assert!(mix[0] > 0.999 && (skill[1] - 0.1).abs() < 1e-2, "{mix:?} {skill:?}");
    }

    /// Balduzzi et al., proposition: a copy of an agent shares its weight and moves nothing else.
    #[test]
    fn copies_change_nothing() {
        let rps = [vec![0.5, 0.0, 1.0], vec![1.0, 0.5, 0.0], vec![0.0, 1.0, 0.5]];
        let index = [0, 1, 2, 2];
        let copied: Vec<Vec<f64>> =
            index.iter().map(|&i| index.iter().map(|&j| rps[i][j]).collect()).collect();
        let (mix, _) = nash_average(&copied);
        assert!((mix[2] + mix[3] - 1.0 / 3.0).abs() < 2e-3, "{mix:?}");
        assert!((mix[2] - mix[3]).abs() < 1e-9);
    }
}
