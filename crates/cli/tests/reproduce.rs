//! `ludex reproduce` through the real binary.

use assert_cmd::Command;

fn ludex(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("ludex").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn experiments_are_listed_and_a_wrong_name_gets_a_hint() {
    let (list, _, code) = ludex(&["reproduce"]);
    assert_eq!(code, Some(0));
    assert!(list.contains("mbm "), "{list}");
    for figure in ["fig3", "fig4", "fig5", "fig6", "fig7", "questions"] {
        assert!(list.contains(&format!("hyperplay-{figure}")), "{list}");
    }
    let (_, error, code) = ludex(&["reproduce", "mbn"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("did you mean `mbm`?"), "{error}");
}

#[test]
fn a_figure_of_the_ludo_paper_is_drawn_and_its_runs_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let args = ["reproduce", "ludo-fig4", "--quick", "--json", "--out", &out];
    let (first, error, code) = ludex(&args);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(first.lines().count(), 5, "{first}");
    let svg = std::fs::read_to_string(dir.path().join("ludo-fig4.svg")).unwrap();
    assert!(svg.contains("whole: left home"), "titles of panels");
    assert!(dir.path().join("ludo-evolved/simple-20-20-none-0.1-seed1/champion.json").exists());
    let (again, _, _) = ludex(&args);
    assert_eq!(first, again, "from what was kept");
}

#[test]
fn a_figure_of_hyperplay_is_measured_in_the_size_asked_for() {
    let figure =
        |more: &[&str]| ludex(&[&["reproduce", "hyperplay-fig6", "--json"], more].concat());
    let (two, error, code) = figure(&["--games", "2"]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(two.lines().count(), 8, "{two}");
    assert_ne!(figure(&["--games", "3"]).0, two);
    assert_eq!(figure(&["--games", "2", "--quick"]).0, two, "--games comes before --quick");
    let (_, error, code) = ludex(&["reproduce", "mbm", "--games", "2"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("takes no --games"), "{error}");
}
