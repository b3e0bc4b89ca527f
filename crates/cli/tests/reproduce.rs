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
