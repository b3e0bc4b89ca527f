//! Figure 4 and table 5 of the thesis from its recorded games, and the same tests with a game as the unit.

use super::data::Data;
use super::picks::picks;
use super::{Known, NOTES, exact};
use crate::{Claim, Options, Result, Verdict};
use ludex_core::Error;
use ludex_learn::file::FileError;
use ludex_stats::hypothesis::{holm, paired_t, student_t, wilcoxon};
use ludex_stats::interval::clustered;
use ludex_stats::plot::{Bar, Bars, Drawing};
use std::collections::HashMap;
use std::path::Path;

/// The agents: the name in the matrix of results, our name, and the mean score in our notes (figure 4 is a plot without
/// numbers). Random is last.
pub(super) const FIGURE: [(&str, &str, f64); 11] = [
    ("Parallel Weighted Ensemble", "parallel weighted ensemble", 80.550),
    ("Parallel UnWeighted Ensemble", "parallel ensemble", 74.733),
    ("Portfolio", "portfolio", 72.500),
    ("Weighted Ensemble", "weighted ensemble", 64.133),
    ("UnWeighted Ensemble", "ensemble", 62.900),
    ("Progressive History", "Progressive History", 61.517),
    ("MAST", "MAST", 58.250),
    ("Alpha-Beta", "Alpha-Beta", 57.000),
    ("MC-GRAVE", "MC-GRAVE", 56.867),
    ("UCT", "UCT", 56.533),
    ("Random", "Random", 6.983),
];

/// Pairs of agents with t by game, its p-value, and the p-value of Wilcoxon's test, from our notes.
const PAIRS: [(usize, usize, f64, f64, f64); 8] = [
    (2, 5, 2.133, 0.0415, 0.056),
    (2, 7, 2.676, 0.0121, 0.008),
    (2, 1, -1.198, 0.241, 0.50),
    (0, 1, 2.019, 0.0528, 0.016),
    (0, 2, 2.722, 0.0109, 0.018),
    (3, 5, 0.445, 0.659, 0.86),
    (8, 5, -0.939, 0.356, 0.08),
    (7, 6, -0.180, 0.858, 0.71),
];

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let data = Data::read(&options.data)?;
    let scores = Scores::read(&data.path("experimentMatrix.csv")?)?;
    figure(&scores, options, tell)?;
    printed(&scores, tell);
    table(&data.path("ttest.csv")?, &scores, tell)?;
    by_game(&scores, tell);
    let results = data.path("experimentResults.csv")?;
    draws(&results, tell)?;
    picks(&data, &results, &scores, options, tell)
}

/// The scores of all games, 0 to 100.
pub(super) struct Scores {
    pub(super) games: Vec<String>,
    /// For each agent of [`FIGURE`] and each game: the scores of the repeats.
    of: Vec<Vec<Vec<f64>>>,
}

impl Scores {
    fn read(file: &Path) -> Result<Self> {
        let (header, rows) = read_csv(file)?;
        let columns: Vec<usize> =
            FIGURE.iter().map(|(name, _, _)| place(&header, name)).collect::<Result<_>>()?;
        let mut games: Vec<String> = Vec::new();
        let mut of: Vec<Vec<Vec<f64>>> = vec![Vec::new(); FIGURE.len()];
        for row in &rows {
            let game = row.first().cloned().unwrap_or_default();
            let at = games.iter().position(|known| *known == game).unwrap_or_else(|| {
                games.push(game);
                of.iter_mut().for_each(|agent| agent.push(Vec::new()));
                games.len() - 1
            });
            for (agent, &column) in of.iter_mut().zip(&columns) {
                agent[at].push(row.get(column).and_then(|v| v.parse().ok()).unwrap_or(f64::NAN));
            }
        }
        Ok(Scores { games, of })
    }

    fn all(&self, agent: usize) -> Vec<f64> {
        self.of[agent].concat()
    }

    pub(super) fn means(&self, agent: usize) -> Vec<f64> {
        self.of[agent].iter().map(|s| s.iter().sum::<f64>() / s.len().max(1) as f64).collect()
    }

    fn mean(&self, agent: usize) -> f64 {
        let all = self.all(agent);
        all.iter().sum::<f64>() / all.len().max(1) as f64
    }
}

fn figure(scores: &Scores, options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let mut bars = Bars { title: "figure 4: mean score, 95 % by game".into(), ..Bars::default() };
    for (agent, &(_, name, known)) in FIGURE.iter().enumerate() {
        let id = format!("hyper-results.fig4.{}", name.replace(' ', "-"));
        let what = format!("{name}: mean score of 1500 games");
        let ours = scores.mean(agent);
        let interval = clustered(&scores.means(agent)).map(|(_, i)| [i.low, i.high]);
        bars.bars.push(Bar { name: name.to_string(), value: ours, interval, mark: Some(known) });
        tell(exact(id, what, Known::noted(known, 3), ours, 1e-3).within(interval));
    }
    let svg = bars.svg()?;
    crate::write(&options.out, "hyper-fig4.svg", svg.as_bytes())
}

/// Indices into [`FIGURE`]: the hyper-agents, the portfolio, the sequential ensembles, and the sub-agents.
const HYPER: std::ops::Range<usize> = 0..5;
const PORTFOLIO: usize = 2;
const SEQUENTIAL: [usize; 2] = [3, 4];
const MEMBERS: std::ops::Range<usize> = 5..10;

/// The statements of the thesis about figure 4.
fn printed(scores: &Scores, tell: &mut dyn FnMut(Claim)) {
    let best = MEMBERS.map(|i| scores.mean(i)).fold(f64::NEG_INFINITY, f64::max);
    let margin = scores.mean(PORTFOLIO) - best;
    tell(
        Claim::new(
            "hyper-results.margin",
            "the portfolio's mean score less that of the best sub-agent",
            format!("{margin:+.2}"),
        )
        .paper("at least +6 %", "page 19, discussion")
        .judged("at least 6", Verdict::of(margin >= 6.0)),
    );
    let least = HYPER.map(|i| scores.mean(i)).fold(f64::INFINITY, f64::min);
    tell(
        Claim::new(
            "hyper-results.order",
            "the lowest mean score of a hyper-agent, and the highest of a sub-agent",
            format!("{least:.2}, {best:.2}"),
        )
        .paper("'the hyper-agents outperformed each of the sub-agents on average'", "page 17")
        .judged("the first is above the second", Verdict::of(least > best)),
    );
}

/// Table 5: Student's t-test on 1500 against 1500 scores. Every cell must agree in its three digits.
fn table(file: &Path, scores: &Scores, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let (header, rows) = read_csv(file)?;
    let agent = |name: &str| FIGURE.iter().position(|(known, _, _)| *known == name);
    let (mut cells, mut same, mut first) = (0, 0, None);
    for row in &rows {
        let Some(a) = row.first().and_then(|name| agent(name)) else { continue };
        for (name, cell) in header.iter().zip(row).skip(1) {
            let Some(b) = agent(name).filter(|&b| b != a) else { continue };
            cells += 1;
            let ours = student_t(&scores.all(a), &scores.all(b))
                .map(|(t, p)| format!("T: {t:.3}\nP: {p:.3}"))
                .unwrap_or_default();
            if ours == cell.replace('\r', "") {
                same += 1;
            } else {
                first.get_or_insert(format!("{} v {name}: {cell} / {ours}", row[0]));
            }
        }
    }
    tell(
        Claim::new(
            "hyper-results.table5",
            "table 5: cells (t and p) equal in all printed digits",
            same.to_string(),
        )
        .paper(
            "110 cells",
            "page 18, table 5; its digits from the authors' Models/analysis/ttest.csv",
        )
        .judged("all 110", Verdict::of(cells == 110 && same == 110))
        .note(match first {
            Some(cell) => {
                format!("{cells} cells; the first that differs: {}", cell.replace('\n', " "))
            }
            None => "pooled: 50 repeats of 30 games count as 1500 independent samples".into(),
        }),
    );
    Ok(())
}

/// The tests of the same claims with a game as the unit.
fn by_game(scores: &Scores, tell: &mut dyn FnMut(Claim)) {
    let mut found = Vec::new();
    for &(a, b, t, p, w) in &PAIRS {
        let (x, y) = (scores.means(a), scores.means(b));
        let gaps: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
        let tested = paired_t(&x, &y);
        let rank = wilcoxon(&gaps);
        let name = format!("{} less {}", FIGURE[a].1, FIGURE[b].1);
        let id = format!("hyper-results.by-game.{}", name.replace(' ', "-"));
        let (Some((our_t, our_p)), Some((_, our_w))) = (tested, rank) else { continue };
        found.push(our_p);
        let agrees = (our_t - t).abs() < 6e-4
            && (our_p - p).abs() < 6e-4
            && (our_w - w).abs() < if w >= 0.1 { 6e-3 } else { 6e-4 } + 6e-3 * f64::from(w > 0.07);
        let interval = clustered(&gaps).map(|(_, i)| [i.low, i.high]);
        tell(
            Claim::new(
                id,
                format!("{name}: t, p, Wilcoxon's p by game (n = {})", scores.games.len()),
                format!("{our_t:.3} {our_p:.4} {our_w:.3}"),
            )
            .within(interval)
            .reference(format!("{t:.3} {p:.4} {w:.3}"), NOTES)
            .judged("equal in the digits of the reference", Verdict::of(agrees)),
        );
    }
    tell(significance(scores));
}

/// The agents that the portfolio beats at 5 %: with pooled samples, as printed, and with a game as the unit.
fn significance(scores: &Scores) -> Claim {
    let others: Vec<usize> = (0..FIGURE.len()).filter(|&i| i != PORTFOLIO).collect();
    let above = |i: usize| scores.mean(i) < scores.mean(PORTFOLIO);
    let pooled = |i: usize| {
        let test = student_t(&scores.all(PORTFOLIO), &scores.all(i));
        above(i) && test.is_some_and(|(_, p)| p < 0.05)
    };
    let p: Vec<f64> = others
        .iter()
        .map(|&i| paired_t(&scores.means(PORTFOLIO), &scores.means(i)).map_or(1.0, |(_, p)| p))
        .collect();
    let corrected = holm(&p);
    let beaten: Vec<usize> = others
        .iter()
        .zip(&corrected)
        .filter(|&(&i, p)| *p < 0.05 && above(i))
        .map(|(&i, _)| i)
        .collect();
    let claimed: Vec<usize> = MEMBERS.chain(SEQUENTIAL).collect();
    let missing = claimed.iter().filter(|i| !beaten.contains(i)).map(|&i| FIGURE[i].1);
    let missing: Vec<&str> = missing.collect();
    let names: Vec<&str> = beaten.iter().map(|&i| FIGURE[i].1).collect();
    let printed = claimed.iter().all(|&i| pooled(i));
    Claim::new(
        "hyper-results.by-game.holm",
        "agents that the portfolio beats at 5 %, a game as the unit",
        if names.is_empty() { "none".into() } else { names.join(", ") },
    )
    .paper("all five sub-agents and both sequential ensembles", "pages 18 and 19, table 5")
    .judged(
        "holds: all seven at 5 % by game (paired t, Holm over ten comparisons); artefact: all seven only if repeats \
         of a game count as independent samples",
        Verdict::of_fault(printed, missing.is_empty()),
    )
    .note(format!(
        "pooled, {} of the seven are significant; by game these are not: {}",
        claimed.iter().filter(|&&i| pooled(i)).count(),
        if missing.is_empty() { "none".into() } else { missing.join(", ") }
    ))
}

/// The scores of draws.
fn draws(file: &Path, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let (header, rows) = read_csv(file)?;
    let score = place(&header, "score")?;
    let mut counts: HashMap<String, u64> = HashMap::new();
    for row in &rows {
        *counts.entry(row.get(score).cloned().unwrap_or_default()).or_default() += 1;
    }
    let of = |values: &[&str]| values.iter().filter_map(|v| counts.get(*v)).sum::<u64>();
    let known: [(&str, &[&str], u64); 5] = [
        ("1", &["1", "1.0"], 9072),
        ("0.75", &["0.75"], 77),
        ("0.5", &["0.5"], 1296),
        ("0.25", &["0.25"], 7),
        ("0", &["0", "0.0"], 5948),
    ];
    for (name, values, known) in known {
        let what = format!("recorded games with the score {name}");
        let id = format!("hyper-results.scores.{name}");
        tell(exact(id, what, Known::noted(known as f64, 0), of(values) as f64, 0.0));
    }
    let odd = of(&["0.75"]);
    tell(
        Claim::new(
            "hyper-results.scores.rule",
            "recorded games with a score that the printed rule can't give",
            odd.to_string(),
        )
        .paper("0: a draw scores 1/(number of players)", "page 13, experiment parameters")
        .judged("no game", Verdict::of(odd == 0))
        .note("0.75 is no 1/n; shared ranks among three players give it"),
    );
    Ok(())
}

pub(super) fn place(header: &[String], name: &str) -> Result<usize> {
    let at = header.iter().position(|known| known == name);
    Ok(at.ok_or_else(|| Error::BadParameter {
        name: name.into(),
        reason: "the public results have no such column".into(),
    })?)
}

pub(super) fn read_csv(path: &Path) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let bad = |error: csv::Error| FileError::new(path, error);
    let mut reader = csv::Reader::from_path(path).map_err(bad)?;
    let words = |record: &csv::StringRecord| record.iter().map(str::to_string).collect::<Vec<_>>();
    let header = words(reader.headers().map_err(bad)?);
    let rows: std::result::Result<Vec<_>, _> =
        reader.records().map(|record| record.map(|record| words(&record))).collect();
    Ok((header, rows.map_err(bad)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of 30 games, `repeats` of each, in which the portfolio is above all others in some of the games.
    fn scores(better: usize, repeats: usize) -> Scores {
        let of = |agent: usize, game: usize| match agent == PORTFOLIO && game < better {
            true => vec![100.0; repeats],
            // Every agent wins half of the repeats.
            false => (0..repeats).map(|i| if i % 2 == 0 { 100.0 } else { 0.0 }).collect(),
        };
        Scores {
            games: (0..30).map(|game| game.to_string()).collect(),
            of: (0..FIGURE.len())
                .map(|agent| (0..30).map(|game| of(agent, game)).collect())
                .collect(),
        }
    }

    #[test]
    fn an_artefact_is_what_the_pooled_test_shows_and_the_test_by_game_does_not() {
        // Three games of 30, 50 repeats each: much for 1500 samples, little for 30.
        assert_eq!(significance(&scores(3, 50)).verdict(), Some(Verdict::Artefact));
        assert_eq!(significance(&scores(25, 50)).verdict(), Some(Verdict::Holds));
        assert_eq!(significance(&scores(0, 50)).verdict(), Some(Verdict::FallsShort));
    }
}
