//! `ludex reproduce` through the real binary: one quick run for each of the five documents, with its verdicts.

use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn ludex(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("ludex").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// The claims of a run that ends well. Each keeps the laws of all claims.
fn claims(args: &[&str]) -> Vec<Value> {
    let (text, error, code) = ludex(&[&["reproduce", "--json"], args].concat());
    assert_eq!(code, Some(0), "{error}");
    let claims: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!claims.is_empty());
    for claim in &claims {
        let known = |field: &str| claim[field].is_string();
        assert_eq!(known("verdict"), known("criterion"), "a verdict needs a criterion: {claim}");
        let note = claim["note"].as_str().unwrap();
        for origin in ["paper", "record", "plot", "reference"] {
            let placed = note.contains(&format!("{origin}: "));
            assert_eq!(known(origin), placed, "the note says where it comes from: {claim}");
        }
    }
    claims
}

/// The verdicts by the ends of ids, the claims that are only shown left out.
fn verdicts(claims: &[Value]) -> Vec<(&str, &str)> {
    let judged = claims.iter().filter_map(|claim| Some((claim, claim["verdict"].as_str()?)));
    judged.map(|(claim, verdict)| (claim["id"].as_str().unwrap(), verdict)).collect()
}

fn verdict<'a>(claims: &'a [Value], id: &str) -> Option<&'a str> {
    let claim = claims.iter().find(|claim| claim["id"] == id);
    claim.unwrap_or_else(|| panic!("no claim {id}"))["verdict"].as_str()
}

#[test]
fn the_list_says_what_each_needs_and_how_long_it_takes() {
    let (list, _, code) = ludex(&["reproduce"]);
    assert_eq!(code, Some(0));
    let line = |id: &str| {
        let start = format!("{id} ");
        list.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{id}: {list}"))
    };
    for id in ["mbm", "ropasci", "ludo-fig4", "hyperplay-fig3", "hyperplay-questions"] {
        assert!(!line(id).contains("github.com"), "{id} needs nothing");
    }
    for id in ["hyper-models", "hyper-results", "hyper-games", "hyper-play"] {
        assert!(line(id).contains("github.com/thom11345/HyperAgents"), "{id}");
    }
    for id in ["hyper-play", "hyper-experiment"] {
        assert!(line(id).contains("github.com/Ludeme/Ludii"), "{id}");
    }
    for line in list.lines().skip(1).take_while(|line| !line.is_empty()) {
        assert!(line.contains(" min") || line.contains(" s ") || line.contains(" h "), "{line}");
    }
    let (_, error, code) = ludex(&["reproduce", "mbn"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("did you mean `mbm`?"), "{error}");
}

#[test]
fn data_that_are_missing_are_asked_for_without_an_empty_table() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().display().to_string();
    let (text, error, code) = ludex(&["reproduce", "hyper-games", "--data", &data]);
    assert_eq!((text.as_str(), code), ("", Some(1)));
    assert!(error.contains("github.com/thom11345/HyperAgents"), "{error}");
}

#[test]
fn a_figure_or_document_that_cannot_be_written_is_a_failure() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a-file");
    std::fs::write(&file, "").unwrap();
    let out = file.join("below").display().to_string();
    let (_, error, code) =
        ludex(&["reproduce", "hyperplay-fig3", "--games", "2", "--json", "--out", &out]);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains("can't write") && error.contains("hyperplay-fig3.svg"), "{error}");
    let (_, error, code) = ludex(&["reproduce", "ludo-fig4", "--quick", "--out", &out]);
    assert_eq!(code, Some(1), "{error}");
    let (text, error, code) = ludex(&["reproduce", "mbm", "--quick", "--markdown", &out]);
    assert_eq!((text.as_str(), code), ("", Some(1)), "before it is measured: {error}");
}

#[test]
fn a_figure_of_the_ludo_paper_is_drawn_and_its_runs_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let args = ["ludo-fig4", "--quick", "--out", &out];
    let first = claims(&args);
    assert_eq!(verdicts(&first), [("ludo-fig4.tightest", "holds")]);
    let svg = std::fs::read_to_string(dir.path().join("ludo-fig4.svg")).unwrap();
    assert!(svg.contains("whole: left home"), "titles of panels");
    assert!(dir.path().join("ludo-evolved/simple-20-20-none-0.1-seed1/champion.json").exists());
    assert_eq!(first, claims(&args), "from what was kept");
}

#[test]
fn figures_of_hyperplay_are_judged_in_the_size_asked_for() {
    let two = claims(&["hyperplay-fig6", "--games", "2"]);
    assert_ne!(claims(&["hyperplay-fig6", "--games", "3"]), two);
    assert_eq!(claims(&["hyperplay-fig6", "--games", "2", "--quick"]), two, "--games comes first");
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let cost = claims(&["hyperplay-fig3", "--quick", "--out", &out]);
    // Ours is cheaper than the first criterion allows, and both criteria are told.
    assert_eq!(verdict(&cost, "hyperplay-fig3.long-run"), Some("falls short"));
    assert_eq!(verdict(&cost, "hyperplay-fig3.long-run-cheaper"), Some("beaten"));
    assert_eq!(verdict(&cost, "hyperplay-fig3.blind-breakthrough5"), Some("falls short"));
    for sheet in ["battleships-in-fog", "border-protection", "hidden-connect", "transit"] {
        for line in ["", ".published", ".measured"] {
            let id = format!("hyperplay-fig3.{sheet}{line}");
            assert_eq!(verdict(&cost, &id), Some("holds"), "{id}");
        }
    }
    // By the paper's own estimate random sampling is cheaper in Krieg's first step.
    assert_eq!(verdict(&cost, "hyperplay-fig3.krieg-tictactoe.published"), Some("falls short"));
    let (_, error, code) = ludex(&["reproduce", "mbm", "--games", "2"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("takes no --games"), "{error}");
}

#[test]
fn the_bandit_of_banda_is_judged_line_by_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("reproduced.md");
    let claims = claims(&["mbm", "--quick", "--markdown", file.to_str().unwrap()]);
    assert_eq!(
        verdicts(&claims),
        [
            ("mbm.tictactoe-self-play", "holds"),
            ("mbm.tictactoe-positions", "falls short"),
            ("mbm.nim-2-3-2", "holds"),
            ("mbm.nim-1-2-3-2", "holds"),
            ("mbm.nim-1-5-5", "holds"),
            ("mbm.minichess-fortress", "holds"),
            ("mbm.minichess-line-1", "holds"),
            ("mbm.minichess-line-2", "holds"),
            ("mbm.minichess-line-3", "holds"),
            ("mbm.minichess-line-4", "holds"),
            ("mbm.minichess-line-5", "holds"),
            ("mbm.minichess-line-6", "holds"),
            ("mbm.minichess-line-7", "holds"),
            ("mbm.beyond-tictactoe-mbm-agents-50-simulations-50-data-all", "holds"),
            ("mbm.beyond-nim-mbm-agents-50-simulations-50-data-all", "holds"),
        ]
    );
    assert!(claims.iter().all(|claim| !claim["note"].as_str().unwrap().contains("seed says")));
    let document = std::fs::read_to_string(file).unwrap();
    assert!(document.contains("`ludex reproduce mbm --quick`; ludex "), "{document}");
    assert!(document.contains("- [mbm](#mbm): "), "{document}");
    for claim in &claims {
        assert!(document.contains(claim["ours"].as_str().unwrap()), "{claim}");
    }
}

#[test]
fn the_agents_of_the_ropasci_report_are_judged_line_by_line() {
    let claims = claims(&["ropasci", "--quick"]);
    // The times are the machine's, but far from their limits.
    assert_eq!(
        verdicts(&claims),
        [
            ("ropasci.pair-1-5-1-1-v-1-1-1-1", "holds"),
            ("ropasci.pair-1-5-1-1-v-1-5-5-1", "holds"),
            ("ropasci.pair-1-5-1-1-v-1-5-10-1", "holds"),
            ("ropasci.pair-1-5-1-1-v-1-5-1-5", "holds"),
            ("ropasci.pair-1-8-4-1-v-1-1-1-1", "holds"),
            ("ropasci.rollouts", "holds"),
            ("ropasci.negamax-report", "artefact"),
            ("ropasci.negamax", "beaten"),
            ("ropasci.published-weights", "falls short"),
            ("ropasci.tuned-weights", "holds"),
            ("ropasci.best-v-worst", "falls short"),
            ("ropasci.best-v-next-1", "holds"),
            ("ropasci.best-v-next-2", "holds"),
            ("ropasci.best-v-next-3", "falls short"),
            ("ropasci.best-v-next-4", "holds"),
            ("ropasci.best-v-next-5", "falls short"),
            ("ropasci.strong-v-greedy", "holds"),
            ("ropasci.strong-v-negamax", "holds"),
            ("ropasci.strong-v-hoarder", "holds"),
            ("ropasci.pool-development", "falls short"),
            ("ropasci.pool-unseen", "holds"),
            ("ropasci.time-ropasci-greedy", "beaten"),
            ("ropasci.time-ropasci-negamax", "beaten"),
            ("ropasci.time-ropasci", "holds"),
        ]
    );
    for claim in &claims {
        let id = claim["id"].as_str().unwrap();
        assert_eq!(id.contains(".pair-"), claim["record"].is_string(), "{claim}");
        assert!(
            !id.contains("strong") || claim["paper"].is_null(),
            "no figure of the report: {claim}"
        );
    }
}

/// Tables as the thesis has them, of few games and without `folds.csv`, in the folders of its repository.
fn small_thesis(root: &Path) {
    let games = 40;
    let data = root.join("Models/data");
    std::fs::create_dir_all(&data).unwrap();
    let table = |name: &str, columns: &[&str], value: &dyn Fn(usize, usize) -> usize| {
        let mut text = format!("GameName,{}\n", columns.join(","));
        for game in 0..games {
            let row: Vec<String> = (0..columns.len()).map(|j| value(game, j).to_string()).collect();
            writeln!(text, "Game {game},{}", row.join(",")).unwrap();
        }
        std::fs::write(data.join(name), text).unwrap();
    };
    table("gameConceptsCompilation.csv", &["Concept", "Other"], &|game, j| (game + j) % 5);
    table("gameLudemes.csv", &["Ludeme_a.b"], &|game, _| game % 2);
    // Alpha-Beta wins 80 of 100 games of even number, UCT 60 of all.
    table("gameAgents.csv", &["Random", "UCT", "Alpha-Beta"], &|game, j| match j {
        0 => 5,
        1 => 60,
        _ => 80 * ((game + 1) % 2),
    });
    table("gameHeuristics.csv", &["MaterialPos", "MobilitySimplePos"], &|game, j| {
        (7 * game + 30 * j) % 100
    });
}

#[test]
fn models_are_measured_from_the_public_data_alone() {
    let dir = tempfile::tempdir().unwrap();
    small_thesis(dir.path());
    let out = dir.path().join("out").display().to_string();
    let found =
        claims(&["hyper-models", "--quick", "--data", dir.path().to_str().unwrap(), "--out", &out]);
    let claim = |id: &str| found.iter().find(|claim| claim["id"] == id).unwrap();
    let folds = claim("hyper-models.agents.folds");
    assert_eq!(folds["ours"], "40 games, 4 at most in a fold");
    assert_eq!((&folds["verdict"], &folds["reference"]), (&Value::Null, &Value::Null));
    // 20 games where Alpha-Beta's 80 is the best, and 20 where it has 0 and UCT's 60 is.
    assert_eq!(claim("hyper-models.agents.always.UCT")["ours"], "10.000");
    assert_eq!(claim("hyper-models.agents.always.Alpha-Beta")["ours"], "30.000");
    assert_eq!(claim("hyper-models.agents.naive")["ours"], "10.000000");
    // The parity of a game is one of its features.
    assert_eq!(claim("hyper-models.agents.forest")["ours"], "0.000");
    assert_eq!(verdict(&found, "hyper-models.data.games-with-agents"), Some("falls short"));
    assert_eq!(verdict(&found, "hyper-models.agents.naive"), Some("falls short"));
    let left_out = claim("hyper-models.heuristics.left-out")["ours"].as_str().unwrap();
    for model in ["Linear regression", "MLP classifier", "SVR, sigmoid", "Gradient boosting"] {
        assert!(left_out.contains(model), "{left_out}");
    }
    // Folds of a file are compared, and are never called the paper's.
    std::fs::write(dir.path().join("Models/data/folds.csv"), "Target,Position,GameName\n").unwrap();
    let (text, error, code) = ludex(&[
        "reproduce",
        "hyper-models",
        "--quick",
        "--json",
        "--data",
        dir.path().to_str().unwrap(),
        "--out",
        &out,
    ]);
    assert_eq!(code, Some(0), "{error}");
    let line = text.lines().find(|line| line.contains("agents.folds")).unwrap();
    let folds: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&folds["verdict"], &folds["paper"]), (&"falls short".into(), &Value::Null));
}

/// The public data of the hyper-agents, where they are.
fn public_data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = ["../../../shared", "../../../../shared"];
    let found = places.map(|place| root.join(place).join("data/hyperagents"));
    let found = found.into_iter().find(|folder| folder.is_dir());
    if found.is_none() {
        println!("skipped: the public data of the hyper-agents are not there");
    }
    found
}

#[test]
fn the_results_of_the_thesis_are_judged_line_by_line() {
    let Some(public) = public_data() else { return };
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    std::fs::create_dir(&data).unwrap();
    for file in std::fs::read_dir(&public).unwrap() {
        let file = file.unwrap();
        if file.file_name() != "folds.csv" {
            std::fs::copy(file.path(), data.join(file.file_name())).unwrap();
        }
    }
    let (data, out) = (data.to_str().unwrap(), dir.path().to_str().unwrap());
    let found = claims(&["hyper-results", "--quick", "--data", data, "--out", out]);
    for (id, expected) in [
        ("margin", "holds"),
        ("order", "holds"),
        ("table5", "holds"),
        ("by-game.holm", "artefact"),
        ("scores.rule", "falls short"),
        ("leak", "falls short"),
        ("fig4.portfolio", "holds"),
        ("picks.same.leaked--ludemes-lost", "holds"),
    ] {
        assert_eq!(verdict(&found, &format!("hyper-results.{id}")), Some(expected), "{id}");
    }
    let games = claims(&["hyper-games", "--quick", "--data", data, "--out", out]);
    assert!(verdicts(&games).iter().all(|(_, verdict)| *verdict == "holds"), "{games:?}");
    let printed: Vec<&Value> = games.iter().filter(|claim| claim["paper"].is_string()).collect();
    assert_eq!(printed.len(), 2, "the thesis prints the list of games and the counts of figure 1");
}
