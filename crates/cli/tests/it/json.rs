//! Every command with `--json` prints objects that fit its schema in `docs/schema`.

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema")
}

/// A schema of `docs/schema`, and command lines whose output it describes. `{dir}` is a folder of the test.
const COMMANDS: [(&str, &[&str]); 29] = [
    ("games", &["games --json"]),
    ("agents", &["agents --json"]),
    (
        "show",
        &[
            "show connect4 --json",
            "show kuhn --json",
            "show lud:chess --json",
            "show kif:monty-hall --json",
        ],
    ),
    ("ludemes", &["show --ludemes sow --json"]),
    (
        "draw",
        &["draw connect4 --json", "draw lud:backgammon --random 3 --json", "draw kuhn --json"],
    ),
    (
        "play",
        &[
            "play tictactoe --seat 1=random --seat 2=random --seed 1 --json",
            "play pig --seat 1=random --seat 2=random --seed 1 --json",
        ],
    ),
    (
        "advise",
        &[
            "advise tictactoe --sims 50 --json",
            "advise tictactoe --agent alphabeta --depth 2 --json",
            "advise nim(1,2) --agent mbm --sims 50 --json",
            "advise kuhn --moves deal:KQ --agent hyperplay --sims 50 --json",
        ],
    ),
    (
        "match",
        &[
            "match tictactoe uct@sims=20 random --games 4 --json",
            "match tictactoe exec:nosuchcommand random --games 2 --json",
        ],
    ),
    ("tour", &["tour --games 1 --json"]),
    ("arena-run", &["arena run {dir}/e.toml --db {dir}/e.db --json"]),
    ("arena-report", &["arena report --db {dir}/e.db --json"]),
    ("arena-status", &["arena status --db {dir}/e.db --json"]),
    ("replay", &["replay e/0 --db {dir}/e.db --json"]),
    (
        "bench",
        &["bench tictactoe --seconds 0.02 --json", "bench kif:tictactoe --seconds 0.02 --json"],
    ),
    ("perft", &["perft tictactoe --depth 3 --json"]),
    ("check", &["check {dir}/bad.kif --json", "check {dir}/bad.lud --json"]),
    ("check-coverage", &["check --coverage {dir} --json"]),
    (
        "verify",
        &[
            "verify gdl {dir}/bad.jsonl --json",
            "verify ludo {dir}/bad.jsonl --json",
            "verify ropasci {dir}/bad.jsonl --json",
            "verify lud {dir}/bad.jsonl --library {dir} --json",
        ],
    ),
    ("predict", &["predict tictactoe --json"]),
    ("concepts", &["concepts tictactoe --json"]),
    ("reproduce", &["reproduce mbm --quick --json"]),
    ("map", &["map connect4 connect4(5,4) tictactoe nim pig --out {dir}/map --json"]),
    ("bot-check", &["bot check nosuchcommand --game tictactoe --games 1 --json"]),
    ("evolve", &["evolve {dir}/evolve.toml --out {dir}/evolved --json"]),
    ("tune", &["tune {dir}/tune.toml --db {dir}/tune.db --json"]),
    ("train-ludo", &["train ludo --games 100 --measure 10 --out {dir}/ludo.bin --json"]),
    (
        "train-table",
        &[
            "train table --out {dir}/survey --games tictactoe kuhn --agents uct flat --sims 5 --rounds 2 --json",
        ],
    ),
    (
        "train-model",
        &[
            "train model --features crates/reproduce/tables/hyper-features.csv --targets crates/reproduce/tables/hyper-agents.csv \
           --model naive --json",
        ],
    ),
    (
        "ggp-match",
        &[
            "ggp-match kif:tictactoe --player 1=agent:random --player 2=agent:random --startclock 1 --playclock 1 --json",
        ],
    ),
];

const EXPERIMENT: &str = "
name = 'e'
games = ['tictactoe', 'pig(target=20)']
agents = ['uct@sims=10', 'flat@sims=10', 'random']
rounds = 2
";

const EVOLUTION: &str = "
game = 'ludo'
genome = 'simple'
population = 4
generations = 1
recombination = 'none'
mutation = 'normal(sigma=0.1)'
";

const SEARCH: &str = "
game = 'tictactoe'
agent = 'uct(c={c})@sims=5'
opponents = ['random']
method = 'spsa'
games = 8
steps = 2
[parameters]
c = { from = 0, to = 2, start = 0.7 }
";

/// The objects that a command prints. The exit code may be 1: findings are no failure of the program.
fn objects(line: &str, folder: &Path) -> Vec<Value> {
    let line = line.replace("{dir}", &folder.to_string_lossy());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let words: Vec<&str> = line.split(' ').collect();
    let output =
        Command::new(env!("CARGO_BIN_EXE_ludex")).args(&words).current_dir(root).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    let objects: Vec<Value> = text
        .lines()
        .map(|object| {
            serde_json::from_str(object).unwrap_or_else(|e| panic!("{line}: {e}: {object}"))
        })
        .collect();
    assert!(!objects.is_empty(), "{line} prints nothing: {complaint}");
    objects
}

/// Intervals have one shape everywhere.
fn check_intervals(line: &str, value: &Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if key == "interval" && !value.is_null() {
                    let list = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                    for interval in list {
                        let keys: Vec<&String> =
                            interval.as_object().into_iter().flat_map(|i| i.keys()).collect();
                        assert_eq!(keys, ["low", "high"], "{line}: {interval}");
                    }
                }
                check_intervals(line, value);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| check_intervals(line, value)),
        _ => {}
    }
}

#[test]
fn every_object_fits_the_schema_of_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("e.toml", EXPERIMENT);
    write("evolve.toml", EVOLUTION);
    write("tune.toml", SEARCH);
    write("bad.kif", "(role a)\n(init (n 1)\n(<= (legall a go) (true (n 1)))\n");
    write(
        "bad.lud",
        "(game \"X\" (players 2) (equipment {(board (square 3))}) (rules (play (move Ad))))",
    );
    write("bad.jsonl", "{}\n");
    for (name, lines) in COMMANDS {
        let file = schemas().join(format!("{name}.json"));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let schema: Value = serde_json::from_str(&text).unwrap();
        let validator =
            jsonschema::validator_for(&schema).unwrap_or_else(|e| panic!("{name}: {e}"));
        for line in lines {
            for object in objects(line, folder.path()) {
                let faults: Vec<String> = validator
                    .iter_errors(&object)
                    .map(|fault| format!("{fault} at {}", fault.instance_path()))
                    .collect();
                assert!(faults.is_empty(), "{line}: {}\n{object}", faults.join("; "));
                check_intervals(line, &object);
            }
        }
    }
}

#[test]
fn a_schema_refuses_what_it_does_not_know() {
    let text = std::fs::read_to_string(schemas().join("match.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let line = "match tictactoe random random --games 2 --json";
    let mut object = objects(line, folder.path()).pop().unwrap();
    assert!(validator.is_valid(&object), "{object}");
    object["games"] = "two".into();
    assert!(!validator.is_valid(&object), "a number became a text");
    object["games"] = 2.into();
    object["new"] = 1.into();
    assert!(!validator.is_valid(&object), "a field without a meaning");
}

#[test]
fn every_schema_belongs_to_a_command() {
    for entry in std::fs::read_dir(schemas()).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(COMMANDS.iter().any(|(known, _)| *known == name), "{name}.json");
    }
}
