//! One invalid rule sheet for each rule of the validator, each with its exact place.

use ludex_core::diagnostic::{Severity, Texts, line_column};
use ludex_gdl::check::{Mode, check};

/// A valid game of five lines; the cases add to it from line 6 on.
const GAME: &str = "\
(role a) (role b) (init (p 1)) (succ 1 2)
(<= (legal ?r go) (role ?r))
(<= (next (p ?y)) (true (p ?x)) (succ ?x ?y))
(<= terminal (true (p 2)))
(<= (goal ?r 50) (role ?r))
";

const ERROR: Severity = Severity::Error;
const WARNING: Severity = Severity::Warning;

/// What is added, the code, its severity in strict mode, and where (line, column).
const CASES: &[(&str, &str, Severity, (usize, usize))] = &[
    // Parentheses.
    ("(q 1", "K001", ERROR, (6, 1)),
    ("(q 1))", "K002", ERROR, (6, 6)),
    // Sentences.
    ("(<= )", "R002", ERROR, (6, 1)),
    ("(<= (legal a x) (not))", "R003", ERROR, (6, 17)),
    ("(<= (legal a x) (distinct a))", "R004", ERROR, (6, 17)),
    ("()", "R005", ERROR, (6, 1)),
    ("((legal) a)", "R006", ERROR, (6, 2)),
    ("(<= (legal a x) (?p 1))", "R007", ERROR, (6, 18)),
    // Words.
    ("(<= (legal a x)\n    (Succ 1 2))", "W101", ERROR, (7, 6)),
    ("(<= (legal a x) (succ 1 not))", "W102", ERROR, (6, 25)),
    ("(<= (legal a x) (succ 1 true))", "W103", WARNING, (6, 25)),
    ("(<= (legal a x\u{e9}) (succ 1 2))", "W104", WARNING, (6, 14)),
    ("(<= (legal a x) (succ 1 ?))", "W105", ERROR, (6, 25)),
    // Datalog.
    ("(<= (legal a x) (succ 1 2 3))", "D201", ERROR, (6, 17)),
    ("(<= (legal a (f 1)) (true (f 1 2)))", "D201", ERROR, (6, 27)),
    ("(<= (legal a x 3) (succ 1 2))", "D202", ERROR, (6, 5)),
    ("(<= (legal a x) (true p 1))", "D202", ERROR, (6, 17)),
    ("(legal a ?x)", "D203", ERROR, (6, 10)),
    ("(<= (legal a ?x) (succ 1 2))", "D204", ERROR, (6, 14)),
    ("(<= (legal a (f ?x)) (or (succ ?x 2) (succ 1 2)))", "D204", ERROR, (6, 17)),
    ("(<= (legal a x) (succ 1 2) (not (true (p ?x))))", "D205", ERROR, (6, 42)),
    ("(<= (legal a x) (succ 1 ?y) (distinct ?x ?y))", "D206", ERROR, (6, 39)),
    ("(<= (distinct a b) (succ 1 2))", "D207", ERROR, (6, 5)),
    ("(<= (legal a x) (not (distinct a b)))", "D208", ERROR, (6, 17)),
    ("(<= (legal a x) (not (or (succ 1 2) (succ 2 1))))", "D208", ERROR, (6, 17)),
    ("(<= (terminal) (true (p 2)))", "D209", ERROR, (6, 5)),
    ("(<= (legal a x) (and (succ 1 2) (succ 2 1)))", "D210", ERROR, (6, 17)),
    ("(<= (legal a x) (or (succ 1 2) (or (succ 2 1) (succ 1 1))))", "D211", WARNING, (6, 32)),
    ("(<= (legal a x))", "D212", WARNING, (6, 1)),
    ("(succ 1 2)", "D214", WARNING, (6, 1)),
    ("(<= (legal a x) (or))", "D215", WARNING, (6, 17)),
    ("(<= (legal a x) (q 1))\n(<= (q ?x) (succ ?x ?y) (not (q ?y)))", "D216", ERROR, (7, 25)),
    ("(<= (legal a x) q)\n(<= q (not r))\n(<= r q)", "D216", ERROR, (7, 7)),
    ("(<= (legal a x) (q 1))\n(q 1)\n(<= (q ?x) (succ ?x ?x) (q ?y))", "D217", ERROR, (8, 28)),
    ("(<= (legal a x) (q 1))\n(q 1)\n(<= (q (s ?x)) (q ?x))", "D217", ERROR, (8, 19)),
    ("(<= (goal ?r 0) (role ?r) (not (goal ?r 50)))", "D218", WARNING, (6, 27)),
    // Words with a meaning.
    ("(<= (role c) (succ 1 2))", "G301", ERROR, (6, 5)),
    ("(<= (legal a (does a go)) (succ 1 2))", "G302", ERROR, (6, 14)),
    ("(<= (true (p 2)) (succ 1 2))", "G303", ERROR, (6, 5)),
    ("(does a go)", "G303", ERROR, (6, 1)),
    ("(<= (sees a x) (next (p 2)))", "G304", ERROR, (6, 16)),
    ("(<= (legal a x) (init (p 1)))", "G305", ERROR, (6, 17)),
    ("(<= (legal a x) (base (p 1)))", "G306", WARNING, (6, 17)),
    ("(<= (goal a 101) (succ 1 2))", "G307", ERROR, (6, 13)),
    ("(<= (goal a win) (succ 1 2))", "G307", ERROR, (6, 13)),
    ("(<= (goal a -1) (succ 1 2))", "G307", ERROR, (6, 13)),
    ("(<= (legal a x) (does b go))", "G308", ERROR, (6, 5)),
    ("(<= terminal moved)\n(<= moved (does ?r go))", "G308", ERROR, (6, 5)),
    ("(<= (init (p 2)) (true (p 1)))", "G309", ERROR, (6, 5)),
    ("(<= (base (p 2)) (true (p 1)))", "G310", ERROR, (6, 5)),
    ("(<= (input a x) (legal a x))", "G310", ERROR, (6, 5)),
    ("(<= (legal a x) (sees a y))", "G313", ERROR, (6, 17)),
    ("(<= (legal a x) (quux 1))", "G314", WARNING, (6, 17)),
    ("(quux 1)", "G315", WARNING, (6, 1)),
];

#[test]
fn the_base_game_is_clean() {
    assert_eq!(check(GAME, Mode::Strict), []);
}

#[test]
fn each_fault_is_found_at_its_place() {
    for (added, code, severity, place) in CASES {
        let source = format!("{GAME}{added}\n");
        let found = check(&source, Mode::Strict);
        let here: Vec<_> = found
            .iter()
            .filter(|d| d.code == *code)
            .map(|d| (d.severity, line_column(&source, d.span.start as usize)))
            .collect();
        assert!(
            here.contains(&(*severity, *place)),
            "{added}: wanted {code} {place:?}, got {found:#?}"
        );
        assert!(found.iter().all(|d| d.hint.is_some()), "{added}: a finding without a hint");
    }
}

#[test]
fn a_fault_alone_gives_no_other_errors() {
    // Faults that bring others with them by nature.
    let several = ["W102", "W105", "D202", "D203", "D216", "G303", "G307", "G308"];
    for (added, code, severity, _) in CASES {
        if *severity == ERROR && !several.contains(code) {
            let found = check(&format!("{GAME}{added}\n"), Mode::Strict);
            let errors: Vec<_> = found.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
            assert_eq!(errors, [*code], "{added}");
        }
    }
}

#[test]
fn what_a_game_must_have_is_asked_for_at_the_end_of_the_sheet() {
    let source = "(role a)\n(init (p 1))\n";
    let found = check(source, Mode::Strict);
    let missing: Vec<_> = found.iter().filter(|d| d.code == "G312").collect();
    assert_eq!(missing.len(), 3, "{found:?}"); // legal, terminal, goal
    assert!(missing.iter().all(|d| line_column(source, d.span.start as usize) == (2, 12)));
    let found = check("", Mode::Strict);
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["W106"]);
}

#[test]
fn nesting_without_end_is_one_finding() {
    let found = check(&"(".repeat(100_000), Mode::Strict);
    assert_eq!(found.iter().filter(|d| d.code == "K003").count(), 1);
}

#[test]
fn lenient_mode_forgives_what_public_sheets_do() {
    for added in [
        "(<= (sees a (does b go)) (next (p 2)))",
        "(<= (legal a x) (not (distinct a b)))",
        "(<= (terminal) (true (p 2)))",
        "(<= (legal a x) (and (succ 1 2) (succ 2 1)))",
        "(<= (legal A x) (succ 1 2))",
        "(<= (sees ?p x) (true (p 2)))",
    ] {
        let source = format!("{GAME}{added}\n");
        assert!(check(&source, Mode::Strict).iter().any(|d| d.is_error()), "{added}");
        let errors: Vec<_> =
            check(&source, Mode::Lenient).into_iter().filter(|d| d.is_error()).collect();
        assert_eq!(errors, [], "{added}");
    }
}

/// Leaves out each `)` of our own sheets in turn.
#[test]
fn one_missing_parenthesis_is_one_error() {
    for name in ["tictactoe", "monty-hall", "breakthrough"] {
        let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let sheet = std::fs::read_to_string(games.join(format!("{name}.kif"))).expect("a sheet");
        let code = |at: usize| !sheet[..at].rsplit('\n').next().unwrap_or("").contains(';');
        for (at, _) in sheet.match_indices(')').filter(|&(at, _)| code(at)) {
            let source = format!("{}{}", &sheet[..at], &sheet[at + 1..]);
            let found = check(&source, Mode::Strict);
            let errors: Vec<_> = found.iter().filter(|d| d.is_error()).collect();
            assert_eq!(errors.len(), 1, "{name}, byte {at}: {errors:#?}");
            assert_eq!(errors[0].code, "K001");
            assert!(found.len() < 4, "{name}, byte {at}: {found:#?}");
        }
    }
}

#[test]
fn a_misspelled_word_gets_a_suggestion() {
    let hint = |added: &str, code: &str| {
        let found = check(&format!("{GAME}{added}\n"), Mode::Strict);
        let finding = found.into_iter().find(|d| d.code == code).expect(code);
        finding.hint.unwrap_or_default()
    };
    assert_eq!(hint("(<= (legall a x) (succ 1 2))", "G315"), "did you mean `legal`?");
    assert_eq!(hint("(<= (legal a x) (tru (p 1)))", "G314"), "did you mean `true`?");
    assert_eq!(hint("(<= (legal a x) (suc 1 2))", "G314"), "did you mean `succ`?");
    assert_eq!(hint("(<= (legal a x) (quux 1))", "G314"), "it never holds: is it misspelled?");
    assert_eq!(hint("(rank 1)\n(<= (legal a x) (ranks 1))", "G314"), "did you mean `rank`?");
    // The place where the number of arguments was first seen.
    let found = check(&format!("{GAME}(<= (legal a x) (succ 1 2 3))\n"), Mode::Strict);
    let notes: Vec<_> = found.iter().flat_map(|d| &d.notes).map(|n| n.message.as_str()).collect();
    assert_eq!(notes, ["`succ` has 2 arguments here"]);
}

/// Every code is documented, and every documented code is tested.
#[test]
fn the_list_of_codes_is_complete() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gdl-checks.md");
    let docs = std::fs::read_to_string(docs).expect("docs/gdl-checks.md");
    let documented: Vec<&str> =
        docs.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let mut tested: Vec<&str> = CASES.iter().map(|(_, code, ..)| *code).collect();
    // Tested on their own: the last two beside the reader of the infix form.
    tested.extend(["K003", "W106", "G312", "H501", "H502"]);
    for code in &tested {
        assert!(documented.contains(code), "{code} is not in docs/gdl-checks.md");
    }
    for code in documented.iter().filter(|code| !code.starts_with('P')) {
        assert!(tested.contains(code), "{code} has no test");
    }
}

/// Our own rule sheets are valid in strict mode, without even a warning.
#[test]
fn our_own_sheets_are_clean() {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut sheets = 0;
    for entry in std::fs::read_dir(games).expect("games/").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "kif") {
            let source = std::fs::read_to_string(&path).expect("a sheet");
            let texts = Texts::one(path.to_string_lossy(), source.as_str());
            let found: Vec<String> =
                check(&source, Mode::Strict).iter().map(|d| d.render(&texts)).collect();
            assert!(found.is_empty(), "{}", found.join("\n"));
            sheets += 1;
        }
    }
    assert!(sheets >= 20, "{sheets}");
}
