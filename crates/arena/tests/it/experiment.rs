//! Experiments: what files say, who meets whom, and when to stop.

use crate::common;

use common::{Here, games, plan, run};
use ludex_arena::experiment::{Dice, Format, Openings, Seats, Stop, Unsupported};
use ludex_arena::monitor::Monitor;
use ludex_arena::{Experiment, Fault, Report, Store};
use ludex_stats::sprt::Sprt;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// How often each order of seats comes up.
fn orders(experiment: &Experiment) -> BTreeMap<(usize, Vec<usize>), u64> {
    let plan = plan(experiment);
    let mut count = BTreeMap::new();
    for number in 0..plan.total() {
        let fixture = plan.fixture(number);
        *count.entry((fixture.table, fixture.seats)).or_default() += 1;
    }
    count
}

#[test]
fn in_a_round_robin_every_group_meets_in_every_order_equally_often() {
    let agents = ["random", "flat@sims=1", "flat@sims=2", "flat@sims=3"];
    let mut experiment = Experiment::new("r", &["tictactoe", "pig"], &agents, 3);
    let count = orders(&experiment);
    assert_eq!(count.len(), 2 * 4 * 3);
    assert!(count.values().all(|&n| n == 3));
    experiment.games[0].game = "pig(target=20,players=3)".into();
    experiment.seats = Seats::All;
    let count = orders(&experiment);
    assert_eq!(count.iter().filter(|((table, _), _)| *table == 0).count(), 4 * 6);
    experiment.seats = Seats::Fixed;
    assert_eq!(orders(&experiment).len(), 4 + 6);
}

#[test]
fn in_a_gauntlet_only_the_champions_meet_the_others() {
    let agents = ["random", "flat@sims=1", "flat@sims=2", "flat@sims=3"];
    let experiment = Experiment {
        format: Format::Gauntlet,
        champions: Some(2),
        ..Experiment::new("r", &["tictactoe"], &agents, 1)
    };
    let pairs: Vec<Vec<usize>> = orders(&experiment).into_keys().map(|(_, seats)| seats).collect();
    assert_eq!(pairs, [[0, 2], [0, 3], [1, 2], [1, 3], [2, 0], [2, 1], [3, 0], [3, 1]]);
}

#[test]
fn agents_without_a_budget_take_part_with_each_budget() {
    let experiment = Experiment {
        budgets: vec!["sims=5".into(), "sims=50".into()],
        ..Experiment::new("r", &["tictactoe"], &["uct", "flat@sims=9"], 1)
    };
    assert_eq!(plan(&experiment).names(), ["uct@sims=5", "uct@sims=50", "flat@sims=9"]);
}

#[test]
fn openings_are_random_by_round_and_the_same_for_all_orders_and_groups() {
    let experiment = Experiment {
        openings: Some(Openings { plies: 3 }),
        ..Experiment::new("r", &["connect4"], &["random", "flat@sims=1", "flat@sims=2"], 8)
    };
    let plan = plan(&experiment);
    let mut lines = Vec::new();
    for round in 0..8 {
        let first = plan.play(&plan.fixture(round * 6));
        assert_eq!(first.opening, 3);
        for game in 1..6 {
            let other = plan.play(&plan.fixture(round * 6 + game));
            assert_eq!(other.moves[..3], first.moves[..3]);
        }
        lines.push(first.moves[..3].to_vec());
    }
    lines.sort();
    lines.dedup();
    assert!(lines.len() > 4, "{lines:?}");
}

#[test]
fn paired_dice_fall_alike_for_every_order_of_seats_and_free_dice_do_not() {
    let mut experiment = Experiment::new("r", &["pig(target=20)"], &["random", "flat@sims=1"], 20);
    let seeds = |experiment: &Experiment| {
        let plan = plan(experiment);
        (0..40).map(|n| plan.fixture(n).seed).collect::<Vec<_>>()
    };
    assert!(seeds(&experiment).chunks(2).all(|pair| pair[0] == pair[1]));
    experiment.dice = Dice::Free;
    assert!(seeds(&experiment).chunks(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn an_agent_that_cannot_play_is_refused_or_forfeits() {
    let mut experiment = Experiment::new("r", &["rps"], &["alphabeta", "random"], 1);
    let error = experiment.plan(&Here).err().expect("an error").to_string();
    assert!(error.contains("alphabeta can't play rps"), "{error}");
    experiment.unsupported = Unsupported::Forfeit;
    let plan = plan(&experiment);
    let record = plan.play(&plan.fixture(1));
    assert_eq!(record.forfeit.map(|f| (f.seat, f.fault)), Some((1, Fault::Error)));
    assert_eq!(record.payoffs, [1.0, 0.0]);
}

#[test]
fn problems_have_a_place_and_a_suggestion() {
    let says = |text: &str| {
        let read = Experiment::from_toml("x.toml", text);
        let planned = read.and_then(|e| e.plan(&Here).map_err(|p| p.at("x.toml", text)));
        planned.err().expect("a problem").to_string()
    };
    for (text, place, words) in [
        ("games = ['nim']\nagnts = []", "x.toml:2:1:", "did you mean `agents`?"),
        (
            "games = ['tictacto']\nagents = ['random']\nrounds = 1",
            "x.toml:1:10:",
            "did you mean `tictactoe`?",
        ),
        (
            "games = ['nim']\nagents = ['random', 'ucb']\nrounds = 1",
            "x.toml:2:21:",
            "did you mean `uct`?",
        ),
        ("games = ['nim']\nagents = ['random']", "x.toml:1:1:", "rounds or limit"),
        ("games = ['nim']\nagents = ['random']\nrounds = 0", "x.toml:3:10:", "at least one"),
        ("games = ['nim'\nagents = []", "x.toml:2:1:", ""),
        (
            "games = ['nim']\nagents = ['random']\nrounds = 1\n[stop]\nwidth = 7",
            "x.toml:5:9:",
            "between 0 and 1",
        ),
        (
            "games = [{game = 'nim', position = 'x'}]\nagents = ['random']\nrounds = 1",
            "x.toml:1:10:",
            "",
        ),
        (
            "games = ['nim']\nagents = ['random']\nrounds = 1\nformat = 'knockout'",
            "x.toml:4:10:",
            "round-robin, gauntlet",
        ),
    ] {
        let problem = says(text);
        assert!(problem.starts_with(place) && problem.contains(words), "{text}\n{problem}");
    }
    let json = "{\"games\": [\"nim\"],\n \"agent\": []}";
    let problem = Experiment::from_json("x.json", json).unwrap_err().to_string();
    assert!(problem.starts_with("x.json:2:") && problem.contains("`agents`?"), "{problem}");
}

#[test]
fn toml_and_json_are_the_same_schema() {
    let text = "games = ['nim', {game = 'tictactoe', position = 'x2/1o1/3'}]\nagents = ['uct']\n\
                budgets = ['sims=5']\nrounds = 3\n[openings]\nplies = 2\n[stop]\nwidth = 0.1\n\
                sprt = {elo0 = 0.0, elo1 = 10.0}\n[adjudicate]\nproven = true";
    let experiment = Experiment::from_toml("a.toml", text).unwrap();
    let json = serde_json::to_string(&experiment).unwrap();
    assert_eq!(Experiment::from_json("b.json", &json).unwrap(), experiment);
}

#[test]
fn a_proof_and_a_cap_end_games_early() {
    let mut experiment = Experiment::new("r", &["nim(2,3,2)"], &["uct@sims=2000", "random"], 1);
    experiment.adjudicate.proven = true;
    let plan_proven = plan(&experiment);
    let record = plan_proven.play(&plan_proven.fixture(0));
    assert_eq!(record.ending, ludex_arena::Ending::Proven, "{record:?}");
    // The first player wins this position of Nim.
    assert_eq!(record.payoffs, [1.0, 0.0]);
    experiment.adjudicate.proven = false;
    experiment.adjudicate.steps = 2;
    let plan_capped = plan(&experiment);
    let record = plan_capped.play(&plan_capped.fixture(0));
    assert_eq!((record.ending, record.moves.len()), (ludex_arena::Ending::Cap, 2));
    assert_eq!(record.payoffs, [0.5, 0.5]);
}

/// Follows a run to its verdict.
fn verdict(store: &Store, name: &str, experiment: &Experiment) -> Option<(u64, String)> {
    let plan = plan(experiment);
    let mut monitor = Monitor::new(&plan);
    let run = store.run(name).unwrap();
    let verdict = monitor.read(store, &run, &plan).unwrap()?;
    Some((monitor.next(), verdict))
}

#[test]
fn stop_rules_look_at_rounds_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.db").to_string_lossy().into_owned();
    let experiment = Experiment {
        stop: Some(Stop {
            sprt: Some(Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 }),
            width: None,
            min_rounds: 3,
        }),
        ..Experiment::new("r", &["tictactoe"], &["flat@sims=50", "random"], 60)
    };
    let (store, _) = run(&place, &experiment, 3);
    let (at, text) = verdict(&store, "r", &experiment).expect("a verdict");
    let report = Report::read(&store, &store.run("r").unwrap()).unwrap();
    let state = report.sprt.expect("the state of the test");
    assert_eq!(state.verdict, ludex_stats::sprt::Verdict::H1, "{state}");
    assert!(state.ratio > state.high && state.blocks >= at / 2, "{state}");
    assert!(text.starts_with("H1 accepted"), "{text}");
    assert!((6..120).contains(&at) && at % 2 == 0, "{at}");
    // The same verdict where only so much had been played: nothing after it is looked at.
    let short = Experiment { name: "s".into(), rounds: Some(at / 2), ..experiment.clone() };
    let (store, _) = run(&place, &short, 1);
    assert_eq!(verdict(&store, "s", &short), Some((at, text)));
    let shorter = Experiment { name: "t".into(), rounds: Some(at / 2 - 1), ..experiment };
    let (store, _) = run(&place, &shorter, 1);
    assert_eq!(verdict(&store, "t", &shorter), None);
}

#[test]
fn a_report_counts_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.db").to_string_lossy().into_owned();
    let agents = ["uct@sims=50", "flat@sims=20", "random"];
    let names = ["tictactoe", "pig(target=20,players=3)"];
    let experiment =
        Experiment { anchor: Some("random".into()), ..Experiment::new("r", &names, &agents, 10) };
    let (store, run) = run(&place, &experiment, 2);
    let report = Report::read(&store, &run).unwrap();
    let stored = games(&store, &run);
    assert_eq!(report.games as usize, stored.len());
    let wins = |a: usize, b: usize| {
        let two =
            stored.iter().filter(|g| g.result.seats.contains(&a) && g.result.seats.contains(&b));
        let payoff = |g: &ludex_arena::store::Stored, agent: usize| {
            g.result.payoffs[g.result.seats.iter().position(|&x| x == agent).unwrap()]
        };
        two.filter(|g| payoff(g, a) > payoff(g, b)).count() as u64
    };
    for a in 0..3 {
        for b in (0..3).filter(|&b| b != a) {
            let cross = report.cross[a][b].as_ref().unwrap();
            assert_eq!(cross.wins, wins(a, b));
            assert_eq!((cross.losses, cross.games), (wins(b, a), 20 + 30));
            assert_eq!(cross.paired.blocks, 20);
            // Tic-Tac-Toe is played in pairs; a block of three players has six games.
            let pairs = cross.pairs.expect("pairs of games").pentanomial;
            assert_eq!(pairs.pairs(), 10);
            let flipped = report.cross[b][a].as_ref().unwrap().pairs.unwrap().pentanomial;
            assert_eq!(pairs.flipped(), flipped);
            let back = report.cross[b][a].as_ref().unwrap();
            assert!((cross.superiority.unwrap() + back.superiority.unwrap() - 1.0).abs() < 1e-9);
        }
    }
    assert_eq!(report.agents[2].elo.unwrap().value, 0.0);
    assert!(report.agents[0].elo.unwrap().value > 100.0);
    assert!(report.agents.iter().all(|a| a.strength.is_some() && a.nash.is_some()));
    let lengths: u64 = report.by_game[0].lengths.iter().sum();
    assert_eq!(lengths, report.by_game[0].games);
    for figure in ludex_arena::plot::Figure::ALL {
        assert!(figure.svg(&report).unwrap().contains("<svg"));
        assert!(figure.png(&report).unwrap().starts_with(b"\x89PNG"));
    }
    let origin = ludex_arena::report::Origin::read(&store, &run).unwrap();
    for name in ["begun", "program", "seed", "budget", "openings", "games", "processor"] {
        assert!(
            origin.lines.iter().any(|(line, text)| *line == name && !text.is_empty()),
            "{name}"
        );
    }
    let page = ludex_arena::report::html::page(&report, &origin, "<h2>Games</h2>").unwrap();
    for (name, text) in &origin.lines {
        assert!(page.contains(&format!(">{name}</th><td>{text}<")), "no line {name}");
    }
    for title in ["over games", "LOS", "strength", "alpha-Rank", "Nash score"] {
        assert!(page.contains(&format!(">{title}</th>")), "no column {title}");
    }
    assert!(page.contains("<h2>Games</h2></main>"));
    // The page has every cell of the full text report.
    let tables = report.tables();
    assert_eq!(tables.len(), 9);
    for table in &tables {
        assert!(page.contains(&format!("<h2>{}</h2>", table.heading)));
        let cells = table.rows.iter().flatten();
        for cell in cells.chain(table.columns.iter().map(|column| &column.title)) {
            assert!(page.contains(&format!(">{cell}<")), "no `{cell}` of {}", table.heading);
        }
    }
    // JSON has the columns, too, and nothing under the same key.
    let json = serde_json::to_value(&report).unwrap();
    for key in ["rank", "agent", "score", "interval", "clustered", "elo", "los", "nash"] {
        assert!(!json["agents"][0][key].is_null(), "no {key}: {json}");
    }
    let text = serde_json::to_string_pretty(&report.agents[0]).unwrap();
    for key in json["agents"][0].as_object().unwrap().keys() {
        // Two spaces: a key of the object itself, not of an object in it.
        let own = text.lines().filter(|line| line.starts_with(&format!("  \"{key}\":")));
        assert_eq!(own.count(), 1, "{key}: {text}");
    }
    assert!(page.contains("<svg") && page.ends_with("</html>\n"));
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org").count()
    );
}

proptest! {
    #[test]
    fn any_text_is_an_experiment_or_a_problem(text in "(games|agents|rounds|stop|[=\\[\\]{}'\", \n.a-z0-9-]){0,40}") {
        for file in ["x.toml", "x.json"] {
            if let Err(problem) = Experiment::read(file, &text) {
                prop_assert!(problem.to_string().starts_with(file));
            }
        }
    }
}
