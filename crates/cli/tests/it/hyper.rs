//! Models of games through the real binary: survey, training, prediction, map, hyper-agents.

use assert_cmd::Command;
use std::path::Path;

fn ludex(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("ludex").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_survey_goes_on_and_a_model_of_it_predicts_and_plays() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let survey = path("survey");
    let games = ["tictactoe", "nim(2,3)", "kif:tictactoe", "pig(target=20)"];
    let mut args = vec!["train", "table", "--out", &survey, "--agents", "uct", "flat", "random"];
    args.extend(["--rounds", "2", "--sims", "20", "--json", "--games"]);
    let (first, error, code) = ludex(&[&args[..], &games[..2]].concat());
    assert_eq!((code, first.lines().count()), (Some(0), 6), "{error}");
    let (second, error, code) = ludex(&[&args[..], &games[..]].concat());
    assert_eq!((code, second.lines().count()), (Some(0), 6), "only what was missing: {error}");

    let (features, targets) = (format!("{survey}/features.csv"), format!("{survey}/agents.csv"));
    let (model, forest) = (path("a.model"), path("a.pmml"));
    let (out, error, code) = ludex(&[
        "train",
        "model",
        "--features",
        &features,
        "--targets",
        &targets,
        "--model",
        "forest(trees=10)",
        "--model",
        "bayes",
        "--folds",
        "2",
        "--grouped",
        "--out",
        &model,
        "--pmml",
        &forest,
        "--exclude",
        "pig(target=20)",
        "--json",
    ]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(out.lines().count(), 3, "two models and the naive one: {out}");
    assert!(std::fs::read_to_string(&forest).unwrap().contains("multiModelChain"));

    let (out, error, code) = ludex(&["predict", "pig", "--model", &model, "--json"]);
    assert_eq!(code, Some(0), "{error}");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["predicted"].as_array().unwrap().len(), 3);
    assert_eq!(value["held_out"], false);
    let missing = value["missing"].as_array().unwrap();
    let only_of_sheets = |name: &serde_json::Value| name.as_str().unwrap().starts_with("Gdl");
    assert!(!missing.is_empty() && missing.iter().all(only_of_sheets), "{missing:?}");
    assert!(!value.to_string().contains("pig(target=20)"), "kept out of training");

    let (out, error, code) = ludex(&["predict", "pig", "--model", &forest, "--json"]);
    assert_eq!(code, Some(0), "{error}");
    let again: serde_json::Value = serde_json::from_str(&out).unwrap();
    // PMML has no place for held-out predictions, so there are no intervals.
    let values = |value: &serde_json::Value| {
        let rows = value["predicted"].as_array().cloned().unwrap_or_default();
        rows.iter().map(|row| (row["target"].clone(), row["value"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(values(&again), values(&value), "the same forest, as PMML");
    assert!(value["predicted"][0]["interval"]["low"].is_number(), "{value}");

    // A game of the training table gets the prediction of models that were trained without it.
    let (out, error, code) = ludex(&["predict", games[0], "--model", &model, "--json"]);
    assert_eq!(code, Some(0), "{error}");
    let known: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&known["held_out"], &known["predicted"][0]["spread"]),
        (&true.into(), &serde_json::Value::Null)
    );

    let portfolio = format!("portfolio(model=\"{model}\")@sims=20");
    let (out, error, code) =
        ludex(&["match", "tictactoe", &portfolio, "random", "--games", "2", "--json"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.lines().last().unwrap().contains("\"forfeits\""), "{out}");
}

#[test]
fn inputs_that_a_game_can_not_supply_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (features, targets, model) = (path("x.csv"), path("y.csv"), path("a.model"));
    let ludeme = "Line_game.functions.booleans.is.IsLineType";
    let rows =
        format!("game,NumPlayers,{ludeme},LineWin,Colour\na,2,1,1,3\nb,2,0,0,1\nc,1,0,0,2\n");
    std::fs::write(&features, rows).unwrap();
    std::fs::write(&targets, "game,uct,alphabeta\na,1,2\nb,2,1\nc,0,1\n").unwrap();
    let args = ["train", "model", "--features", &features, "--targets", &targets];
    let (_, error, code) = ludex(&[&args[..], &["--folds", "0", "--out", &model]].concat());
    assert_eq!(code, Some(0), "{error}");
    let missing = |game: &str| {
        let (out, error, code) = ludex(&["predict", game, "--model", &model, "--json"]);
        assert_eq!(code, Some(0), "{error}");
        let value: serde_json::Value = serde_json::from_str(&out).unwrap();
        value["missing"].as_array().unwrap().iter().map(|m| m.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(missing("lud:tic-tac-toe"), ["\"Colour\""]);
    assert_eq!(missing("connect4").len(), 3, "ludemes are in no native game");
    let (out, _, _) = ludex(&["predict", "connect4", "--model", &model]);
    assert!(out.contains("3 of the model's 4 inputs say nothing about this game"), "{out}");

    let foreign = path("foreign.model");
    std::fs::write(&features, "game,Colour\na,3\nb,1\nc,2\n").unwrap();
    let (_, error, code) = ludex(&[&args[..], &["--folds", "0", "--out", &foreign]].concat());
    assert_eq!(code, Some(0), "{error}");
    let (_, error, code) = ludex(&["predict", "connect4", "--model", &foreign]);
    assert_eq!(code, Some(2));
    assert!(error.contains("knows nothing that connect4 has"), "{error}");
    let portfolio = format!("portfolio(model=\"{foreign}\")");
    let (_, error, code) = ludex(&["advise", "connect4", "--agent", &portfolio]);
    assert_ne!(code, Some(0));
    assert!(error.contains("knows nothing that connect4 has"), "{error}");
}

#[test]
fn damaged_and_foreign_models_and_tables_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.model");
    std::fs::write(&file, "hello").unwrap();
    let file = file.display().to_string();
    let (_, error, code) = ludex(&["predict", "nim", "--model", &file]);
    assert_eq!(code, Some(2));
    assert!(error.contains("no model file"), "{error}");
    let portfolio = format!("portfolio(model=\"{file}\")");
    let (_, error, code) = ludex(&["match", "nim", &portfolio, "random", "--games", "1"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("no model file"), "{error}");
    let table = dir.path().join("t.csv");
    std::fs::write(&table, "game,x\na,1\nb,?\n").unwrap();
    let table = table.display().to_string();
    let args = ["train", "model", "--features", &table, "--targets", &table];
    let (_, error, code) = ludex(&args);
    assert_eq!(code, Some(2));
    assert!(error.contains("line 3, x: `?` is not a number"), "{error}");
    let (_, error, code) = ludex(&["reproduce", "hyper-games", "--data", &table]);
    assert_eq!(code, Some(1));
    assert!(error.contains("--data DIR names the folder"), "{error}");
}

#[test]
fn a_map_is_drawn_with_names_to_be_found() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("map");
    let games = ["tictactoe", "connect4", "nim(2,3)", "pig", "kuhn", "rps"];
    let args = ["--out", out.to_str().unwrap(), "--choose", "3", "--json"];
    let (text, error, code) = ludex(&[&["map"][..], &games[..], &args[..]].concat());
    assert_eq!(code, Some(0), "{error}");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["chosen"].as_array().unwrap().len(), 3);
    let page = std::fs::read_to_string(out.with_extension("html")).unwrap();
    assert!(games.iter().all(|game| page.contains(game)), "{page}");
    assert!(out.with_extension("svg").exists() && out.with_extension("png").exists());
}

#[test]
fn the_portfolio_in_the_binary_starts_on_every_rule_language() {
    for game in ["connect4", "kif:tictactoe", "lud:hex"] {
        let (text, error, code) =
            ludex(&["advise", game, "--agent", "portfolio@sims=50", "--json"]);
        assert_eq!(code, Some(0), "{error}");
        assert!(text.contains("plays"), "{text}");
    }
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn the_published_results_are_recomputed_to_their_digits() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/hyperagents");
    let dir = tempfile::tempdir().unwrap();
    let (data, out) = (data.display().to_string(), dir.path().display().to_string());
    let args = ["reproduce", "hyper-results", "--quick", "--json", "--data", &data, "--out", &out];
    let (text, error, code) = ludex(&args);
    assert_eq!(code, Some(0), "{error}");
    let claim = |id: &str| -> serde_json::Value {
        let line = text.lines().find(|line| line.contains(id)).unwrap_or_default();
        serde_json::from_str(line).unwrap()
    };
    assert_eq!(claim("hyper-results.table5")["ours"], "110");
    assert_eq!(claim("hyper-results.fig4.portfolio")["verdict"], "holds");
    assert_eq!(claim("picks.same.leaked--ludemes-lost")["verdict"], "holds");
}
