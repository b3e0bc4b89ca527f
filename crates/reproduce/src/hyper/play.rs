//! The value of features of play: the games of the public data that load here are played at random, and the same models
//! learn with and without the statistics of these games.

use super::data::{Data, Problem, SHUFFLES};
use super::models::{BEST, FOREST, kept};
use crate::{Claim, Options, Result};
use ludex_core::{AnyGame, Error, Game, Spec};
use ludex_learn::models::Recipe;
use ludex_learn::table::Table;
use ludex_learn::validate::{Estimate, by_game};
use ludex_model::describe::PLAYED;
use ludex_model::{Effort, Matrix, describe};
use std::time::Duration;

/// The effort per game. Slow games are played less often.
const EFFORT: Effort = Effort { games: 200, steps: 200_000, time: Duration::from_secs(4) };

/// The least number of games for a comparison.
const LEAST: usize = 50;

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let data = Data::read(&options.data)?;
    let problems = [data.agents()?, data.heuristics()?];
    for (which, problem) in problems.iter().enumerate() {
        let (played, kept) = played(problem, options)?;
        tell(
            Claim::new(
                format!("hyper-play.{}.games", problem.id),
                format!("{}: games of the public data that load here", problem.id),
                format!("{} of {}", played.names.len(), problem.names.len()),
            )
            .note(format!(
                "an earlier run left the features of {kept} of them in the output folder"
            )),
        );
        if played.names.len() < LEAST {
            return Err(Error::BadParameter {
                name: ludex_library::PATH_VARIABLE.into(),
                reason: format!(
                    "only {} games of the public data load; it must name the folder with their \
                     descriptions",
                    played.names.len()
                ),
            }
            .into());
        }
        let sets = [
            part(problem, &played, true, false),
            part(problem, &played, true, true),
            part(problem, &played, false, true),
        ];
        // Our best model for heuristics takes hours.
        let recipes = if which == 0 { vec![FOREST, BEST[0]] } else { vec![FOREST] };
        for recipe in recipes {
            compare(&sets, recipe, options, tell)?;
        }
        if options.quick {
            tell(Claim::left_out("hyper-play", "heuristics; the shuffles 1 to 4"));
            break;
        }
    }
    Ok(())
}

/// The features of play of all games of a problem that load, which are kept in a file. Also returns the number of games
/// that were in the file already.
fn played(problem: &Problem, options: &Options<'_>) -> Result<(Table, usize)> {
    const FILE: &str = "hyper-play.csv";
    let path = options.out.join(FILE);
    let mut known = if path.is_file() { Table::read(&path)? } else { Table::default() };
    let mut rows = Vec::new();
    let mut kept = 0;
    let part = format!("{}: random games", problem.id);
    options.progress.begin(&part, problem.names.len() as u64);
    for name in &problem.names {
        options.progress.step();
        if known.names.contains(name) {
            kept += 1;
        } else {
            let Some(game) = open(name) else { continue };
            let features = describe(&game, EFFORT, options.seed.named(name));
            let play = PLAYED.iter().filter_map(|&name| Some((name, features.get(name)?)));
            known.add(name, play);
            crate::write(&options.out, FILE, known.to_csv("game").as_bytes())?;
        }
        rows.extend(known.names.iter().position(|known| known == name));
    }
    Ok((known.select(&rows), kept))
}

fn open(name: &str) -> Option<AnyGame> {
    let file = if name == "Toki" { "T'oki" } else { name };
    let game = ludex_library::open(&Spec::new(format!("lud:{file}")).to_string()).ok()?;
    (game.info().seats() > 0).then_some(game)
}

/// The problem restricted to the played games, with the features of the rules, of play, or of both.
fn part(problem: &Problem, played: &Table, rules: bool, play: bool) -> Problem {
    let place = |name: &String| problem.names.iter().position(|known| known == name);
    let rows: Vec<usize> = played.names.iter().filter_map(place).collect();
    let columns = |matrix: &Matrix, rows: &[usize]| -> Vec<Vec<f64>> {
        rows.iter().map(|&row| matrix.row(row).to_vec()).collect()
    };
    let mut x = vec![Vec::new(); rows.len()];
    let mut names = Vec::new();
    if rules {
        names.extend(problem.columns.iter().cloned());
        x = columns(&problem.x, &rows);
    }
    if play {
        names.extend(played.columns.iter().cloned());
        x.iter_mut().zip(played.values.iter()).for_each(|(row, more)| row.extend(more));
    }
    let y = columns(&problem.y, &rows);
    Problem {
        id: problem.id,
        names: played.names.clone(),
        targets: problem.targets.clone(),
        concepts: if rules { problem.concepts } else { 0 },
        x: Matrix::from_rows(names.len(), x),
        y: Matrix::from_rows(problem.targets.len(), y),
        columns: names,
    }
}

/// The regret with each set of features on the same shuffles, and the change by features of play.
fn compare(
    sets: &[Problem; 3],
    recipe: &str,
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    let shuffles = if options.quick { &SHUFFLES[..1] } else { &SHUFFLES[..] };
    let model = if recipe == FOREST { "forest" } else { "our best" };
    let fit: Recipe = recipe.parse()?;
    let id = sets[0].id;
    options.progress.begin(&format!("{id}: {model}"), 30 * shuffles.len() as u64);
    let mut games = Vec::new();
    for (set, name) in sets.iter().zip(["rules", "rules and play", "play alone"]) {
        let mut all = Vec::new();
        for &shuffle in shuffles {
            let step = &mut || options.progress.step();
            all.push(kept(set, &fit, shuffle, 0, options, step)?);
        }
        games.push(by_game(&all));
        let estimate = Estimate::of(&games[games.len() - 1]);
        tell(
            Claim::new(
                format!("hyper-play.{id}.{model}.{name}").replace(' ', "-"),
                format!("{id}: {model}, features of {name}, regret"),
                format!("{:.3}", estimate.mean),
            )
            .within(Some([estimate.interval.low, estimate.interval.high])),
        );
    }
    let paired = Estimate::paired(&games[1], &games[0]);
    tell(
        Claim::new(
            format!("hyper-play.{id}.{model}.change").replace(' ', "-"),
            format!("{id}: {model}, what features of play change, paired by game"),
            format!("{:+.3} (se {:.3}, p {:.3})", paired.mean, paired.error, paired.p),
        )
        .within(Some([paired.interval.low, paired.interval.high]))
        .note(recipe),
    );
    Ok(())
}
