//! One rule sheet for each fault that only play shows, each with its exact place.

use ludex_core::diagnostic::{Severity, line_column};
use ludex_gdl::check::dynamic::{Effort, simulate};
use ludex_gdl::rules::Rules;

/// The rule sheet, the code, its severity, and where (line, column).
const CASES: &[(&str, &str, Severity, (usize, usize))] = &[
    (
        "(role a) (init (p 1)) (succ 1 2) (succ 2 3)\n\
         (<= (legal a go) (true (p 1)))\n\
         (<= (next (p ?y)) (true (p ?x)) (succ ?x ?y))\n\
         (<= terminal (true (p 3)))\n\
         (<= (goal a 100) (true (p 3)))",
        "P401",
        Severity::Error,
        (2, 5),
    ),
    (
        "(role a) (init (p 1)) (succ 1 2) (succ 2 1)\n\
         (legal a go)\n\
         (<= (next (p ?y)) (true (p ?x)) (succ ?x ?y))\n\
         (<= terminal (true (p 3)))\n\
         (<= (goal a 100) (true (p 3)))",
        "P402",
        Severity::Warning,
        (4, 5),
    ),
    (
        "(role a) (init (p 1))\n\
         (legal a go)\n\
         (<= (next (p 2)) (true (p 1)))\n\
         (<= terminal (true (p 2)))\n\
         (<= (goal a 100) (true (p 1)))",
        "P403",
        Severity::Error,
        (5, 5),
    ),
    (
        "(role a) (init (p 1))\n\
         (legal a go)\n\
         (<= (next (p 2)) (true (p 1)))\n\
         (<= terminal (true (p 2)))\n\
         (<= (goal a 100) (true (p 2))) (goal a 0)",
        "P404",
        Severity::Error,
        (5, 5),
    ),
    (
        "(role a) (init (p 1)) (base (p 1)) (input a go)\n\
         (legal a go)\n\
         (<= (next (p 2)) (true (p 1)))\n\
         (<= terminal (true (p 2)))\n\
         (<= (goal a 100) (true (p 2)))",
        "P405",
        Severity::Error,
        (1, 23),
    ),
    (
        "(role a) (init (p 1)) (base (p 1)) (base (p 2)) (input a stay)\n\
         (legal a go)\n\
         (<= (next (p 2)) (true (p 1)))\n\
         (<= terminal (true (p 2)))\n\
         (<= (goal a 100) (true (p 2)))",
        "P406",
        Severity::Error,
        (1, 49),
    ),
    (
        "(role a) (init (p 1))\n\
         (legal a go)\n\
         (<= (next (p 2)) (true (p 1)))\n\
         (<= terminal (true (p 2)))\n\
         (<= (goal a 50) (true (p 2)))",
        "P407",
        Severity::Warning,
        (5, 5),
    ),
];

#[test]
fn every_fault_of_play_is_found_alone_and_in_its_place() {
    let effort = Effort { playouts: 10, longest: 50, seed: 1 };
    for (source, code, severity, place) in CASES {
        let (rules, errors) = Rules::read(source);
        assert!(errors.is_empty(), "{code}: {errors:?}");
        let found = simulate(&rules, &effort);
        let [finding] = found.as_slice() else { panic!("{code}: {found:?}") };
        assert_eq!((finding.code, finding.severity), (*code, *severity));
        assert_eq!(line_column(source, finding.span.start as usize), *place, "{code}");
    }
}

#[test]
fn a_sound_game_has_no_finding() {
    let source =
        "(role a) (role b) (init (p 1)) (base (p 1)) (base (p 2)) (base (won a)) (base (won b))
        (<= (input ?r (pick ?s)) (role ?r) (role ?s))
        (<= (legal ?r (pick ?s)) (role ?r) (role ?s))
        (<= (next (p 2)) (true (p 1))) (<= (next (won ?s)) (does a (pick ?s)))
        (<= terminal (true (p 2)))
        (<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (not (true (won ?r))))";
    let found = simulate(&Rules::read(source).0, &Effort::default());
    assert!(found.is_empty(), "{found:?}");
}
