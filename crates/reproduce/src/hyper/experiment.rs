//! The experiment of the thesis with our agents: eleven agents against UCT with rotated seats, a model that was trained
//! without the games of the experiment and their variants, and tests with a game as the unit.

use super::games::THIRTY;
use crate::{Claim, Options, Result, Verdict};
use ludex_agents::clock::cpu_time;
use ludex_agents::{AgentSpec, Budget};
use ludex_core::{AnyGame, Game, Seed};
use ludex_learn::file::FileError;
use ludex_learn::measure::{Row, Survey, Task, family, measure};
use ludex_learn::models::Recipe;
use ludex_learn::table::Table;
use ludex_model::file::{FORMAT, VERSION};
use ludex_model::{Matrix, Model};
use ludex_stats::hypothesis::{holm, paired_t};
use ludex_stats::interval::clustered;
use ludex_stats::plot::{Bar, Bars, Drawing};
use std::time::Duration;

/// Our own training table; docs/hyper-agents.md has the command that makes it.
const FEATURES: &str = include_str!("../../tables/hyper-features.csv");
const AGENTS: &str = include_str!("../../tables/hyper-agents.csv");

/// The sub-agents of the hyper-agents.
const MEMBERS: [&str; 5] = ["alphabeta", "mast", "grave", "ph", "uct"];

/// Games that are played instead if the 30 games of the thesis are not found.
const STAND_INS: [&str; 8] = [
    "connect4",
    "breakthrough(6,6)",
    "kif:nim",
    "minichess",
    "pig(target=50)",
    "goofspiel(5)",
    "kif:tictactoe",
    "connect4(columns=5,rows=4)",
];

/// The number of steps after which a game is a draw.
const LONGEST: u32 = 300;

/// The games of the experiment: those of the 30 that are found (`LUDEX_PATH`) and load. If there are fewer than six, other
/// games are added.
fn games() -> Vec<AnyGame> {
    const LEAST: usize = 6;
    let opens = |name: &str| {
        let game = ludex_library::open(name).ok()?;
        let opponent: AgentSpec = "uct".parse().ok()?;
        opponent.supports(game.info()).is_ok().then_some(game)
    };
    let mut found: Vec<AnyGame> = THIRTY
        .iter()
        .filter_map(|name| {
            let file = if *name == "Toki" { "T'oki" } else { name };
            opens(&ludex_core::Spec::new(format!("lud:{file}")).to_string())
        })
        .collect();
    if found.len() < LEAST {
        found.extend(STAND_INS.iter().filter_map(|name| opens(name)));
    }
    found
}

/// The CPU time of a random game.
fn playout(game: &AnyGame) -> Duration {
    const STEPS: u32 = 1000;
    let begun = cpu_time();
    game.playout(&mut game.start(), &mut Seed(1).rng(), &mut Vec::new(), STEPS);
    cpu_time() - begun
}

/// The model that was trained without the games of the experiment and without their variants.
fn held_out(played: &[String], options: &Options<'_>) -> Result<Model> {
    let parse = |text: &str| {
        Table::parse(text).map_err(|error| FileError::new("the built-in table".as_ref(), error))
    };
    let (features, agents) = match &options.table {
        Some(folder) => {
            (Table::read(&folder.join("features.csv"))?, Table::read(&folder.join("agents.csv"))?)
        }
        None => (parse(FEATURES)?, parse(AGENTS)?),
    };
    let families: Vec<String> = played.iter().map(|name| family(name)).collect();
    let all = agents.join(&features);
    let kept: Vec<usize> =
        (0..all.names.len()).filter(|&i| !families.contains(&family(&all.names[i]))).collect();
    let all = all.select(&kept);
    let n = agents.columns.len();
    // The targets are the five sub-agents. A feature that depends on the machine is left out.
    let targets: Vec<usize> =
        (0..n).filter(|&j| MEMBERS.contains(&all.columns[j].as_str())).collect();
    let inputs: Vec<usize> =
        (n..all.columns.len()).filter(|&j| all.columns[j] != "MovesPerSecond").collect();
    let (x, y) = (all.select_columns(&inputs), all.select_columns(&targets));
    let recipe: Recipe = "forest(trees=150)".parse()?;
    let fitted = recipe.fit(&x.values, &y.values, options.seed.named("held-out"))?;
    Ok(Model {
        format: FORMAT.into(),
        version: VERSION,
        about: "the own table without the games of the experiment".into(),
        recipe: recipe.to_string(),
        features: x.columns,
        targets: y.columns,
        trained_on: x.names,
        known: Matrix::default(),
        regret: None,
        opponent: String::new(),
        held_out: Matrix::default(),
        errors: Vec::new(),
        fitted,
    })
}

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let (times, rounds): (&[u64], u64) = match options.quick {
        true => (&[3], 2),
        // Three thinking times, each four times the one before.
        false => (&[10, 40, 160], 10),
    };
    let times = if options.times.is_empty() { times } else { &options.times };
    let rounds = options.rounds.unwrap_or(rounds);
    // Games of which a random game takes more than ten thinking times are too slow for a search.
    let shortest = times.iter().min().copied().unwrap_or(1);
    let (slow, games): (Vec<AnyGame>, Vec<AnyGame>) =
        games().into_iter().partition(|game| playout(game) > Duration::from_millis(10 * shortest));
    let names: Vec<String> = games.iter().map(|game| game.info().name.clone()).collect();
    let model = held_out(&names, options)?;
    tell(leak(&model, &names));
    tell(found(&names, &slow, rounds));
    if options.quick && options.times.is_empty() {
        tell(Claim::left_out(
            "hyper-experiment",
            "the think times of 10, 40 and 160 ms with ten games a cell; 3 ms and two games instead",
        ));
    }
    let agents = agents(&model, options)?;
    for &time in times {
        let (rows, kept) = survey(time, rounds, &games, &agents, options)?;
        tell(Claim::new(
            format!("hyper-experiment.{time}ms.kept"),
            format!("cells at {time} ms that an earlier run left in the output folder"),
            format!("{kept} of {}", games.len() * agents.len()),
        ));
        judge(time, &rows, &names, &agents, options, tell)?;
    }
    Ok(())
}

/// The claim that no game of the experiment, and no variant of one, was in the training table.
fn leak(model: &Model, names: &[String]) -> Claim {
    let known = |known: &&String| names.iter().any(|name| family(name) == family(known));
    let leaks = model.trained_on.iter().filter(known).count();
    Claim::new(
        "hyper-experiment.leak",
        "evaluation games, or variants of them, that the model was trained on",
        leaks.to_string(),
    )
    .goal("0")
    .judged("the goal", Verdict::of(leaks == 0))
}

/// The claim about the number of games that load.
fn found(names: &[String], slow: &[AnyGame], rounds: u64) -> Claim {
    let slow: Vec<&str> = slow.iter().map(|game| game.info().name.as_str()).collect();
    let loaded = names.iter().filter(|name| name.starts_with("lud:")).count() + slow.len();
    Claim::new("hyper-experiment.games", "games of the thesis' 30 that load", loaded.to_string())
        .paper("30", "page 14, game selection")
        .judged("all 30", Verdict::of(loaded == THIRTY.len()))
        .note(format!(
            "{rounds} games a cell, at most {LONGEST} steps; too slow for it: {}; played: {}",
            if slow.is_empty() { "none".into() } else { slow.join(", ") },
            names.join(", ")
        ))
}

/// The eleven agents: their names in claims and in the catalogue. The hyper-agents read the model from a file.
fn agents(model: &Model, options: &Options<'_>) -> Result<Vec<(&'static str, String)>> {
    crate::write(&options.out, "hyper-held-out.model", b"")?;
    let file = options.out.join("hyper-held-out.model");
    model.save(&file)?;
    let file = ludex_core::Spec::new(file.display().to_string());
    let hyper = |name: &str| format!("{name}({},model={file})", MEMBERS.join(","));
    let even = |name: &str| format!("{name}({})", MEMBERS.join(","));
    let members = MEMBERS.iter().map(|name| (*name, (*name).to_string()));
    Ok(members
        .chain([
            ("random", "random".to_string()),
            ("portfolio", hyper("portfolio")),
            ("ensemble", even("ensemble")),
            ("weighted-ensemble", hyper("weighted-ensemble")),
            ("parallel-ensemble", even("parallel-ensemble")),
            ("parallel-weighted-ensemble", hyper("parallel-weighted-ensemble")),
        ])
        .collect())
}

/// Measures all agents in all games at one thinking time. Returns the lines of the survey, and the number of cells that an
/// earlier run has measured.
fn survey(
    time: u64,
    rounds: u64,
    games: &[AnyGame],
    agents: &[(&str, String)],
    options: &Options<'_>,
) -> Result<(Vec<Row>, usize)> {
    // CPU time, so that the load of the machine does not matter and each of five threads on two cores has its full time.
    let budget = Budget { cpu: Some(Duration::from_millis(time)), ..Budget::default() };
    let folder = options.out.join(format!("hyper-experiment-{time}ms"));
    let mut survey = Survey::open(&folder)?;
    let opponent: AgentSpec = "uct".parse()?;
    options.progress.begin(&format!("{time} ms a move"), (games.len() * agents.len()) as u64);
    let mut kept = 0;
    for game in games {
        for (_, name) in agents {
            let agent: AgentSpec = name.parse()?;
            options.progress.step();
            if survey.has(&game.info().name, &agent.to_string()) {
                kept += 1;
                continue;
            }
            let task = Task {
                game,
                agent: &agent,
                opponent: &opponent,
                budget: &budget,
                work: None,
                games: rounds,
                first: false,
                longest: LONGEST,
                seed: options.seed.named(&game.info().name).named(name),
            };
            let measured = measure(&task, &|| {})?;
            survey.add(&game.info().name, &agent.to_string(), &measured)?;
        }
    }
    Ok((survey.rows()?, kept))
}

/// The claims of figure 4 and table 5 about our games.
fn judge(
    time: u64,
    rows: &[Row],
    games: &[String],
    agents: &[(&str, String)],
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    let of = |agent: &str, first: bool| -> Vec<f64> {
        let score = |game: &String| {
            let row = rows.iter().find(|row| row.game == *game && row.agent == agent)?;
            Some(100.0 * if first { row.first } else { row.score })
        };
        games.iter().filter_map(score).collect()
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let specs: Vec<String> = agents
        .iter()
        .map(|(_, name)| Ok(name.parse::<AgentSpec>()?.to_string()))
        .collect::<Result<_>>()?;
    let mut bars = Bars { title: format!("mean score, {time} ms a move"), ..Bars::default() };
    for ((name, _), spec) in agents.iter().zip(&specs) {
        let scores = of(spec, false);
        let interval = clustered(&scores).map(|(_, i)| [i.low, i.high]);
        bars.bars.push(Bar {
            name: (*name).to_string(),
            value: mean(&scores),
            interval,
            mark: None,
        });
        tell(
            Claim::new(
                format!("hyper-experiment.{time}ms.{name}"),
                format!("{name}, {time} ms of a processor a move: mean score, seats rotated"),
                format!("{:.1}", mean(&scores)),
            )
            .within(interval)
            .note(format!(
                "at the first seat alone, the thesis' design: {:.1}",
                mean(&of(spec, true))
            )),
        );
    }
    let svg = bars.svg()?;
    crate::write(&options.out, &format!("hyper-experiment-{time}ms.svg"), svg.as_bytes())?;
    let single = (0..MEMBERS.len())
        .max_by(|&a, &b| mean(&of(&specs[a], false)).total_cmp(&mean(&of(&specs[b], false))));
    let Some(single) = single else { return Ok(()) };
    let base = of(&specs[single], false);
    let hyper: Vec<usize> = (MEMBERS.len() + 1..agents.len()).collect();
    let tested: Vec<f64> = hyper
        .iter()
        .map(|&i| paired_t(&of(&specs[i], false), &base).map_or(1.0, |(_, p)| p))
        .collect();
    for (&i, p) in hyper.iter().zip(holm(&tested)) {
        let scores = of(&specs[i], false);
        let gaps: Vec<f64> = scores.iter().zip(&base).map(|(a, b)| a - b).collect();
        let gap = mean(&gaps);
        let claim = Claim::new(
            format!("hyper-experiment.{time}ms.{}-less-single", agents[i].0),
            format!("{} less {}, the best single agent", agents[i].0, agents[single].0),
            format!("{gap:+.1} (p {p:.3} by game, Holm)"),
        )
        .within(clustered(&gaps).map(|(_, i)| [i.low, i.high]));
        tell(published(claim, agents[i].0, gap, p));
    }
    Ok(())
}

/// Adds the statement of the thesis to a claim. The thesis finds a gain over the best single agent for the portfolio and
/// the parallel ensembles, and none for the others. A run that shows no difference confirms neither statement.
fn published(claim: Claim, agent: &str, gap: f64, p: f64) -> Claim {
    match agent {
        "ensemble" | "weighted-ensemble" => claim
            .paper("no significant gain", "abstract; page 19, discussion")
            .note("not judged: a run of this size could not show a small gain"),
        _ => claim
            .paper("a significant gain over each sub-agent", "abstract; pages 18 and 19, table 5")
            .judged(
                "a gain is shown at 5 % (paired t by game, Holm)",
                Verdict::of(gap > 0.0 && p < 0.05),
            ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_evaluation_game_and_no_variant_of_one_reaches_training() {
        let options = Options { quick: true, ..Options::default() };
        let mut names: Vec<String> = games().iter().map(|game| game.info().name.clone()).collect();
        assert!(names.len() >= 6);
        names.push("lud:Amazons".into());
        let model = held_out(&names, &options).unwrap();
        assert!(!model.trained_on.is_empty());
        for known in &model.trained_on {
            assert!(names.iter().all(|name| family(name) != family(known)), "{known}");
        }
        assert_eq!(model.targets.len(), MEMBERS.len(), "{:?}", model.targets);
    }

    #[test]
    fn the_table_has_the_games_and_families_that_its_readme_tells() {
        let table = Table::parse(AGENTS).unwrap();
        let mut families: Vec<String> = table.names.iter().map(|name| family(name)).collect();
        families.sort();
        families.dedup();
        assert_eq!((table.names.len(), families.len()), (164, 118));
    }

    #[test]
    fn no_difference_shown_confirms_no_gain() {
        let claim = || Claim::new("a", "b", "c");
        let verdict = |agent, gap, p| published(claim(), agent, gap, p).verdict();
        assert_eq!(verdict("portfolio", 6.5, 0.91), Some(Verdict::FallsShort));
        assert_eq!(verdict("portfolio", 6.5, 0.01), Some(Verdict::Holds));
        assert_eq!(verdict("parallel-ensemble", -6.5, 0.01), Some(Verdict::FallsShort));
        assert_eq!(verdict("ensemble", -11.6, 0.47), None);
    }
}
