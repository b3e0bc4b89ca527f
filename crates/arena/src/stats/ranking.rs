//! Ratings for more than two at a table: Plackett-Luce by Hunter's minorise-maximise iteration
//! (Annals of Statistics 2004, section 5). Ties are taken as Breslow takes them in survival
//! analysis: those who tie each stand above all who are not above them.

/// One game's result: agents and their payoffs.
pub type Table = Vec<(usize, f64)>;

/// The strength of each agent: the probability to come first against agents of strength 1 is in
/// proportion to it; the strengths add up to 1.
///
/// ```
/// use ludex_arena::stats::ranking::plackett_luce;
/// // Agent 0 beats agent 1 in three games of four: strengths 3 to 1 (less a weak prior).
/// let games: Vec<_> = (0..400).map(|g| vec![(0, if g % 4 == 0 { 0.0 } else { 1.0 }), (1, 0.5)]).collect();
/// let strength = plackett_luce(2, &games);
/// assert!((strength[0] - 0.75).abs() < 0.01);
/// ```
pub fn plackett_luce(agents: usize, tables: &[Table]) -> Vec<f64> {
    let once: Vec<(Table, f64)> = tables.iter().map(|table| (table.clone(), 1.0)).collect();
    plackett_luce_of(agents, &once)
}

/// [`plackett_luce`] where each result came up so many times.
pub fn plackett_luce_of(agents: usize, tables: &[(Table, f64)]) -> Vec<f64> {
    if agents == 0 {
        return Vec::new();
    }
    // For each game the stages: who is chosen, from whom. The prior is one virtual game won and
    // one lost against an agent of mean strength, which keeps everything finite.
    let mut stages: Vec<(Vec<usize>, Vec<usize>, f64)> = Vec::new();
    for (table, times) in tables {
        let mut levels: Vec<f64> = table.iter().map(|&(_, payoff)| payoff).collect();
        levels.sort_by(|a, b| b.total_cmp(a));
        levels.dedup();
        for &level in levels.iter().take(levels.len().saturating_sub(1)) {
            let chosen = table.iter().filter(|&&(_, p)| p == level).map(|&(a, _)| a).collect();
            let from = table.iter().filter(|&&(_, p)| p <= level).map(|&(a, _)| a).collect();
            stages.push((chosen, from, *times));
        }
    }
    let mut strength = vec![1.0 / agents as f64; agents];
    let mut wins = vec![1.0; agents];
    for (chosen, _, times) in &stages {
        chosen.iter().for_each(|&a| wins[a] += times);
    }
    for _ in 0..2000 {
        let mean = 1.0 / agents as f64;
        let mut load: Vec<f64> = strength.iter().map(|s| 2.0 / (s + mean)).collect();
        for (chosen, from, times) in &stages {
            let total: f64 = from.iter().map(|&a| strength[a]).sum();
            for &a in from {
                load[a] += times * chosen.len() as f64 / total;
            }
        }
        let mut next: Vec<f64> = wins.iter().zip(&load).map(|(w, l)| w / l).collect();
        let sum: f64 = next.iter().sum();
        next.iter_mut().for_each(|s| *s /= sum);
        let moved = next.iter().zip(&strength).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        strength = next;
        if moved < 1e-12 {
            break;
        }
    }
    strength
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn known_strengths_are_found_again() {
        let truth = [0.5, 0.3, 0.15, 0.05];
        let mut rng = Seed(5).rng();
        let tables: Vec<Table> = (0..4000)
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
                table
            })
            .collect();
        for (found, true_strength) in plackett_luce(4, &tables).iter().zip(truth) {
            assert!((found - true_strength).abs() < 0.02, "{found} for {true_strength}");
        }
    }

    #[test]
    fn ties_leave_equals_equal() {
        let tables = vec![vec![(0, 1.0), (1, 1.0), (2, 0.0)]; 50];
        let strength = plackett_luce(3, &tables);
        assert!((strength[0] - strength[1]).abs() < 1e-9 && strength[2] < strength[0]);
    }
}
