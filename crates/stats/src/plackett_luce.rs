//! Plackett-Luce ratings from games of more than two players, by Hunter's minorise-maximise iteration (Annals of
//! Statistics 2004, section 5). Ties follow Breslow's rule of survival analysis: each of the tied agents beats everyone
//! who is not above it.

/// The result of a game: agents and their payoffs.
pub type Table = Vec<(usize, f64)>;

/// One choice of the model: `chosen` come out on top of `from`, and this happened `times` times.
struct Stage {
    chosen: Vec<usize>,
    from: Vec<usize>,
    times: f64,
}

/// The strength of each agent. An agent's probability to come first is its share of the strengths at its table. The
/// strengths add up to 1. Each result comes with the number of games that ended so.
///
/// ```
/// use ludex_stats::plackett_luce::plackett_luce;
/// // Agent 0 beats agent 1 in 300 games of 400: strengths 3 to 1 (less a weak prior).
/// let results = vec![(vec![(0, 1.0), (1, 0.5)], 300.0), (vec![(0, 0.0), (1, 0.5)], 100.0)];
/// let strength = plackett_luce(2, &results);
/// assert!((strength[0] - 0.75).abs() < 0.01);
/// ```
pub fn plackett_luce(agents: usize, results: &[(Table, f64)]) -> Vec<f64> {
    if agents == 0 {
        return Vec::new();
    }
    let stages: Vec<Stage> =
        results.iter().flat_map(|(table, times)| stages(table, *times)).collect();
    // The prior is one game won and one lost against an agent of mean strength. It keeps every strength finite.
    let mean = 1.0 / agents as f64;
    let mut wins = vec![1.0; agents];
    for stage in &stages {
        stage.chosen.iter().for_each(|&a| wins[a] += stage.times);
    }
    let mut strength = vec![mean; agents];
    for _ in 0..2000 {
        let mut load: Vec<f64> = strength.iter().map(|s| 2.0 / (s + mean)).collect();
        for stage in &stages {
            let total: f64 = stage.from.iter().map(|&a| strength[a]).sum();
            for &a in &stage.from {
                load[a] += stage.times * stage.chosen.len() as f64 / total;
            }
        }
        let mut next: Vec<f64> = wins.iter().zip(&load).map(|(w, l)| w / l).collect();
        let sum: f64 = next.iter().sum();
        next.iter_mut().for_each(|s| *s /= sum);
        let change = next.iter().zip(&strength).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        strength = next;
        if change < 1e-12 {
            break;
        }
    }
    strength
}

/// The choices of one result, from the first place to the last but one.
fn stages(table: &Table, times: f64) -> Vec<Stage> {
    let mut levels: Vec<f64> = table.iter().map(|&(_, payoff)| payoff).collect();
    levels.sort_by(|a, b| b.total_cmp(a));
    levels.dedup();
    levels.pop();
    let agents = |keep: &dyn Fn(f64) -> bool| {
        table.iter().filter(|&&(_, payoff)| keep(payoff)).map(|&(agent, _)| agent).collect()
    };
    levels
        .iter()
        .map(|&level| Stage {
            chosen: agents(&|payoff| payoff == level),
            from: agents(&|payoff| payoff <= level),
            times,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn known_strengths_are_found_again() {
        let truth = [0.5, 0.3, 0.15, 0.05];
        let mut rng = Seed(5).rng();
        let results: Vec<(Table, f64)> = (0..4000)
            .map(|_| {
                // Draw a full order by the model.
                let mut left: Vec<usize> = (0..4).collect();
                let mut table = Vec::new();
                while !left.is_empty() {
                    let total: f64 = left.iter().map(|&a| truth[a]).sum();
                    let mut x = rng.unit() * total;
                    let at = left
                        .iter()
                        .position(|&a| {
                            x -= truth[a];
                            x < 0.0
                        })
                        .unwrap_or(left.len() - 1);
                    table.push((left.remove(at), left.len() as f64 / 3.0));
                }
                (table, 1.0)
            })
            .collect();
        for (found, true_strength) in plackett_luce(4, &results).iter().zip(truth) {
            assert!((found - true_strength).abs() < 0.02, "{found} for {true_strength}");
        }
    }

    #[test]
    fn ties_leave_equals_equal() {
        let results = [(vec![(0, 1.0), (1, 1.0), (2, 0.0)], 50.0)];
        let strength = plackett_luce(3, &results);
        assert!((strength[0] - strength[1]).abs() < 1e-9 && strength[2] < strength[0]);
    }
}
