//! The picks of the portfolio: as recorded, and by models with and without two faults of the experiment. The games of the
//! experiment were in the training table (a leak), and the recorded portfolio saw no ludemes.

use super::data::{Data, Problem};
use super::results::{FIGURE, Scores, place, read_csv};
use super::{Known, NOTES, exact, spread};
use crate::{Claim, Options, Result, Verdict};
use ludex_learn::models::Recipe;
use ludex_learn::validate::regret;
use ludex_model::{Fitted, Matrix, argmax};
use std::collections::HashMap;
use std::path::Path;

/// A game of the experiment that is in the training table, too.
#[derive(Clone, Copy)]
struct Leak {
    /// The index of the game in the scores of the experiment.
    game: usize,
    /// The row of the game in the training table.
    row: usize,
    /// The recorded pick, as an index of the targets.
    recorded: usize,
}

/// The picks of one kind of forest, beside the numbers of our notes.
struct Case<'a> {
    name: &'static str,
    forests: &'a [Fitted],
    /// Does the forest see the ludemes of a game?
    ludemes: bool,
    /// The number of recorded picks that the forest makes, in our notes and with a tolerance.
    same: Option<(&'static str, [f64; 2])>,
    /// The spread of the regret in our notes.
    regret: Option<[f64; 2]>,
    /// The score of the picks in our notes.
    score: Option<&'static str>,
}

/// The table that the picks are judged on.
struct Picks<'a> {
    problem: &'a Problem,
    scores: &'a Scores,
    leaks: Vec<Leak>,
}

/// Judges the recorded picks, and picks of our forests.
pub(super) fn picks(
    data: &Data,
    results: &Path,
    scores: &Scores,
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    let problem = data.agents()?;
    let picks = Picks::new(&problem, scores, &of_portfolio(results, "selected_agent")?);
    let leaks = picks.leaks.len();
    let what = "games of the experiment that are in the training table".to_string();
    tell(
        Claim::new("hyper-results.leak", what, leaks.to_string())
            .paper("0: chosen from games outside of the training set", "page 13, game selection")
            .judged("no game", Verdict::of(leaks == 0))
            .note("the thesis' models are fitted on every row of that table; what this is worth is below"),
    );
    let recipe: Recipe = "forest".parse()?;
    let all: Vec<usize> = (0..problem.names.len()).collect();
    let held: Vec<usize> =
        all.iter().copied().filter(|row| picks.leaks.iter().all(|leak| leak.row != *row)).collect();
    // Several forests of each kind, because a single one depends on its seed.
    let forests = if options.quick { 1 } else { 5 };
    options.progress.begin("forests with and without the 30 games", 2 * forests);
    let leaked = picks.fit(&recipe, &all, forests, options)?;
    let honest = picks.fit(&recipe, &held, forests, options)?;
    for case in cases(&leaked, &honest) {
        picks.judge(&case, tell);
    }
    picks.exact_values(tell);
    picks.in_sample(&leaked, &all, tell);
    heuristics(data, &of_portfolio(results, "selected_heuristic")?, &recipe, options, tell)
}

fn cases<'a>(leaked: &'a [Fitted], honest: &'a [Fitted]) -> [Case<'a>; 4] {
    [
        Case {
            name: "leaked, ludemes lost",
            forests: leaked,
            ludemes: false,
            same: Some(("27 to 30", [26.0, 30.0])),
            regret: None,
            score: None,
        },
        Case {
            name: "leaked, ludemes seen",
            forests: leaked,
            ludemes: true,
            same: Some(("24", [22.0, 26.0])),
            regret: Some([0.5, 0.7]),
            score: Some("75.6"),
        },
        Case {
            name: "held out, ludemes lost",
            forests: honest,
            ludemes: false,
            same: None,
            regret: Some([10.6, 13.6]),
            score: Some("69.1"),
        },
        Case {
            name: "held out, ludemes seen",
            forests: honest,
            ludemes: true,
            same: Some(("23 to 24", [20.0, 26.0])),
            regret: Some([8.2, 9.0]),
            score: Some("71.1"),
        },
    ]
}

fn id(what: &str) -> String {
    format!("hyper-results.picks.{}", what.replace([' ', ','], "-"))
}

fn mean(forests: &[Fitted], of: impl Fn(&Fitted) -> f64) -> f64 {
    forests.iter().map(of).sum::<f64>() / forests.len().max(1) as f64
}

impl<'a> Picks<'a> {
    fn new(problem: &'a Problem, scores: &'a Scores, recorded: &HashMap<String, String>) -> Self {
        let leak = |(game, name): (usize, &String)| {
            let row = problem.names.iter().position(|known| known == name)?;
            let recorded = problem.targets.iter().position(|t| Some(t) == recorded.get(name))?;
            Some(Leak { game, row, recorded })
        };
        let leaks = scores.games.iter().enumerate().filter_map(leak).collect();
        Picks { problem, scores, leaks }
    }

    /// Trains forests on some rows.
    fn fit(
        &self,
        recipe: &Recipe,
        rows: &[usize],
        forests: u64,
        options: &Options<'_>,
    ) -> Result<Vec<Fitted>> {
        let (x, y) = (self.problem.x.select(rows), self.problem.y.select(rows));
        (0..forests)
            .map(|number| {
                let fitted = recipe.fit(&x, &y, options.seed.named("picks").child(number))?;
                options.progress.step();
                Ok(fitted)
            })
            .collect()
    }

    /// The pick of a forest for a row.
    fn pick(&self, forest: &Fitted, row: usize, ludemes: bool) -> usize {
        let x = match ludemes {
            true => self.problem.x.row(row).to_vec(),
            false => self.problem.without_ludemes(row),
        };
        argmax(&forest.predict(&x))
    }

    /// The mean score of the picked sub-agents in the experiment.
    fn score(&self, pick: impl Fn(&Leak) -> usize) -> f64 {
        let own = self.leaks.iter().map(|leak| {
            let name = &self.problem.targets[pick(leak)];
            let agent = FIGURE.iter().position(|(known, _, _)| known == name).unwrap_or(0);
            self.scores.means(agent)[leak.game]
        });
        own.sum::<f64>() / self.leaks.len().max(1) as f64
    }

    /// The mean regret of picks for the games of the experiment.
    fn regret(&self, pick: impl Fn(&Leak) -> usize) -> f64 {
        let costs = self.leaks.iter().map(|leak| regret(self.problem.y.row(leak.row), pick(leak)));
        costs.sum::<f64>() / self.leaks.len().max(1) as f64
    }

    /// The claims about one kind of forest.
    fn judge(&self, case: &Case<'_>, tell: &mut dyn FnMut(Claim)) {
        let Case { name, forests, ludemes, .. } = *case;
        let same = mean(forests, |forest| {
            let same = self.leaks.iter();
            same.filter(|leak| self.pick(forest, leak.row, ludemes) == leak.recorded).count() as f64
        });
        let claim = Claim::new(
            id(&format!("same.{name}")),
            format!("recorded picks of 30 that a forest makes too: {name}"),
            format!("{same:.1}"),
        )
        .note(format!("mean of {} forests", forests.len()));
        tell(match case.same {
            None => claim,
            Some((known, [low, high])) => claim.reference(known, NOTES).judged(
                format!("between {low} and {high} (a tolerance of ours)"),
                Verdict::of((low..=high).contains(&same)),
            ),
        });
        if let Some(range) = case.regret {
            let what = format!("regret of the picks on the 30 games, {name}");
            let ours =
                mean(forests, |forest| self.regret(|leak| self.pick(forest, leak.row, ludemes)));
            tell(spread(id(&format!("regret.{name}")), what, ours, range));
        }
        let worth = mean(forests, |forest| self.score(|leak| self.pick(forest, leak.row, ludemes)));
        let claim = Claim::new(
            id(&format!("value.{name}")),
            format!("mean score of the picked sub-agents in the experiment, {name}"),
            format!("{worth:.1}"),
        );
        tell(match case.score {
            None => claim,
            Some(score) => {
                claim.reference(score, NOTES).note("one forest there: nothing is decided")
            }
        });
    }

    /// Regrets and scores without randomness: of the recorded picks, and of always picking Alpha-Beta.
    fn exact_values(&self, tell: &mut dyn FnMut(Claim)) {
        let alphabeta = self.problem.targets.iter().position(|t| t == "Alpha-Beta").unwrap_or(0);
        let values = [
            ("recorded picks: regret", 2.817, self.regret(|leak| leak.recorded), 3),
            ("always Alpha-Beta: regret", 16.917, self.regret(|_| alphabeta), 3),
            (
                "recorded picks: mean score of the picked sub-agents",
                73.3,
                self.score(|leak| leak.recorded),
                1,
            ),
        ];
        for (what, known, ours, digits) in values {
            let tolerance = if digits == 3 { 6e-4 } else { 6e-2 };
            tell(exact(id(what), what.to_string(), Known::noted(known, digits), ours, tolerance));
        }
    }

    /// The regret of the leaked forests on all games of their training table.
    fn in_sample(&self, leaked: &[Fitted], all: &[usize], tell: &mut dyn FnMut(Claim)) {
        for (name, ludemes, range) in
            [("ludemes seen", true, [0.40, 0.47]), ("ludemes lost", false, [3.6, 3.8])]
        {
            let ours = mean(leaked, |forest| {
                let cost =
                    |&row: &usize| regret(self.problem.y.row(row), self.pick(forest, row, ludemes));
                all.iter().map(cost).sum::<f64>() / all.len() as f64
            });
            let what = format!("regret of the forest on its own training games, {name}");
            tell(spread(id(&format!("in-sample.{name}")), what, ours, range));
        }
    }
}

/// The recorded heuristics, and the picks of a forest of ours.
fn heuristics(
    data: &Data,
    recorded: &HashMap<String, String>,
    recipe: &Recipe,
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    if options.quick {
        tell(Claim::left_out(
            "hyper-results",
            "recorded heuristics by a forest; four of five forests for the picks",
        ));
        return Ok(());
    }
    let problem = data.heuristics()?;
    options.progress.begin("the forest of heuristics", 1);
    let fitted = recipe.fit(&problem.x, &problem.y, options.seed.named("picks"))?;
    options.progress.step();
    // The forest also picks for games that are not in its table of heuristics.
    let features = data.concepts.join(&data.ludemes);
    let places = features.places();
    let width = problem.columns.len();
    let same = |ludemes: bool| {
        recorded
            .iter()
            .filter(|(game, heuristic)| {
                let Some(&row) = places.get(game.as_str()) else { return false };
                let mut x = Matrix::from_rows(width, [features.values.row(row)]);
                if !ludemes {
                    x.row_mut(0).iter_mut().skip(problem.concepts).for_each(|v| *v = 0.0);
                }
                problem.targets.get(argmax(&fitted.predict(x.row(0)))) == Some(heuristic)
            })
            .count()
    };
    for (name, ludemes, known) in [("lost", false, 20.0), ("seen", true, 11.0)] {
        let id = format!("hyper-results.picks.heuristics.{name}");
        let what = format!("recorded heuristics of 30 that a forest picks too, ludemes {name}");
        let claim = exact(id, what, Known::noted(known, 0), same(ludemes) as f64, 5.0);
        tell(claim.note("another forest program; it varies by a few"));
    }
    Ok(())
}

/// The recorded choices of the portfolio in this column, by game.
fn of_portfolio(file: &Path, column: &str) -> Result<HashMap<String, String>> {
    let (header, rows) = read_csv(file)?;
    let [game, agent, wanted] =
        [place(&header, "game_name")?, place(&header, "agent_name")?, place(&header, column)?];
    let rows = rows.iter().filter(|row| row.get(agent).is_some_and(|name| name == "Portfolio"));
    Ok(rows.filter_map(|row| Some((row.get(game)?.clone(), row.get(wanted)?.clone()))).collect())
}
