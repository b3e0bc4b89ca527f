//! `ludex evolve` through the real binary.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn ludex(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("ludex").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

const PLAN: &str = "game = 'ludo'\ngenome = 'simple'\npopulation = 16\ngenerations = 300\n\
                    games = 4\n[evaluate]\nevery = 20\nagents = 4\ngames = 20\n[reduce]\ngames = 40\n";

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap()
}

#[test]
fn a_killed_evolution_goes_on_and_ends_as_if_it_had_not_been() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    fs::write(at("plan.toml"), PLAN).unwrap();
    let (out, error, code) = ludex(&["evolve", &at("plan.toml"), "--out", &at("whole"), "--json"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.lines().last().unwrap().contains("\"done\":true"), "{out}");
    let broken = dir.path().join("broken");
    let mut kills = 0;
    for _ in 0..3 {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("ludex"))
            .args(["evolve", &at("plan.toml"), "--out", &at("broken"), "--threads", "1"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let before = fs::read(broken.join("run.json")).ok();
        // As soon as there is a new checkpoint, so that every round gets further.
        while fs::read(broken.join("run.json")).ok() == before {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += usize::from(!broken.join("champion.json").exists());
    }
    assert!(kills >= 1, "killed before its end at least once");
    let (out, error, code) = ludex(&["evolve", &at("plan.toml"), "--out", &at("broken")]);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("the best: "), "{out}");
    let whole = dir.path().join("whole");
    for name in ["champion.json", "champion.npy", "population-300.npy", "genes.svg"] {
        assert!(bytes(&whole, name) == bytes(&broken, name), "{name}");
    }
    let leftovers = fs::read_dir(&broken).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with("population-")
    });
    assert_eq!(leftovers.count(), 1, "old populations are removed");
    let genes = format!("ludo-simple(file={})", broken.join("champion.npy").display());
    let (out, error, code) =
        ludex(&["match", "ludo", &genes, "random", "random", "random", "--games", "4"]);
    assert_eq!(code, Some(0), "{out}{error}");
}

#[test]
fn a_wrong_key_is_shown_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.toml").display().to_string();
    fs::write(&file, "game = 'ludo'\ngenome = 'simple'\npopulation = 18\ngenerations = 1\n")
        .unwrap();
    let (_, error, code) = ludex(&["evolve", &file]);
    assert_eq!(code, Some(2));
    assert!(error.contains("bad.toml:3:") && error.contains("groups of four"), "{error}");
    fs::write(&file, "mutaton = 'normal'\n").unwrap();
    let (_, error, code) = ludex(&["evolve", &file]);
    assert_eq!(code, Some(2));
    assert!(error.contains("did you mean `mutation`?"), "{error}");
}

#[test]
fn a_trained_value_can_be_played_with() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("short.bin").display().to_string();
    let train = ["train", "ludo", "--games", "128", "--measure", "8", "--out", &file, "--json"];
    let (out, error, code) = ludex(&train);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.lines().last().unwrap().contains("\"pairs-advanced\":"), "{out}");
    let agent = format!("ludo(file={file})");
    let (out, error, code) = ludex(&["match", "ludo", &agent, "random", "--games", "4"]);
    assert_eq!(code, Some(0), "{out}{error}");
    let (_, error, code) = ludex(&["train", "nim"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("no value to learn"), "{error}");
    fs::write(&file, "LUDEXV1\nnothing").unwrap();
    let (_, error, code) = ludex(&["match", "ludo", &agent, "random", "--games", "4"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("no weights"), "{error}");
}
