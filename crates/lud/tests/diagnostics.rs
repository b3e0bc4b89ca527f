//! What is wrong with a description is found, all of it, and shown where it was written, through
//! options and defines; no text makes the reader panic.

use ludex_lud::expand::{Library, expand};
use ludex_lud::load::{Loaded, load};
use ludex_lud::tree::{self, Form};
use proptest::prelude::*;

fn check(source: &str) -> Loaded {
    load("lud:game", "game.lud", source, &Library::default(), &[])
}

/// All findings, as people see them.
fn shown(source: &str) -> String {
    check(source).into_game().err().unwrap_or_default()
}

/// A game on nine squares with these rules.
fn nine(rules: &str) -> String {
    format!(
        "(game \"X\" (players 2)\n(equipment {{(board (square 3)) (piece \"Disc\" Each)}})\n(rules\n{rules}))"
    )
}

const PLAY: &str = "(play (move Add (to (sites Empty))))";
const END: &str = "(end (if (is Line 3) (result Mover Win)))";

/// Code, place, message and hint of each finding.
fn found(source: &str) -> Vec<(&'static str, (usize, usize), String, String)> {
    let Loaded { found, texts, .. } = check(source);
    let each = found
        .into_iter()
        .map(|d| (d.code, texts.line_column(d.span), d.message, d.hint.unwrap_or_default()));
    each.collect()
}

#[test]
fn an_error_inside_a_define_points_at_both_places() {
    let text = shown(
        "(define \"Grid\" (board (square #1)))\n(game \"X\" (players 2) (equipment { (\"Grid\" 3000) }))",
    );
    // The number was written at the use, the rest at the definition.
    assert!(text.contains("game.lud:2:") && text.contains("3000"), "{text}");
    let text = shown(
        "(define \"Grid\" (board (nowhere #1)))\n(game \"X\" (players 2) (equipment { (\"Grid\" 3) }) (rules))",
    );
    assert!(text.starts_with("game.lud:1:23: error[L041]"), "{text}");
    assert!(text.contains("in \"Grid\", used here") && text.contains("game.lud:2:37"), "{text}");
}

#[test]
fn errors_of_writing_have_their_places() {
    for (source, start) in [
        ("(game \"X\"", "game.lud:1:1: error[L001]"),
        ("(game \"X\" }", "game.lud:1:11: error[L001]"),
        ("(game \"X)", "game.lud:1:7: error[L003]"),
        ("(game \"X\" use:)", "game.lud:1:11: error[L004]"),
        ("(game \"X\" \"A1\"..\"b\")", "game.lud:1:11: error[L005]"),
        ("(players 2)", "game.lud:1:1: error[L006]"),
        ("(define \"A\" (\"A\"))\n(game \"A\" (\"A\"))", "game.lud:1:14: error[L021]"),
        (
            "(game \"X\") (option Size <S> args:{ <n> } { (item \"a\" <1> \"\") })",
            "game.lud:1:20: error[L010]",
        ),
    ] {
        let text = shown(source);
        assert!(text.contains(start), "{source}: {text}");
    }
}

#[test]
fn a_missing_bracket_is_looked_for_where_the_layout_breaks() {
    let lines = [
        "(game \"X\"",
        "    (players 2)",
        "    (equipment {",
        "        (board (square 3))",
        "        (piece \"Disc\" Each)",
        "    })",
        "    (rules",
        "        (play (move Add (to (sites Empty))))",
        "        (end (if (is Line 3) (result Mover Win)))",
        "    )",
        ")",
    ];
    assert!(check(&lines.join("\n")).game.is_some());
    for (line, column) in [(2, 5), (4, 9), (5, 9), (8, 9), (9, 9)] {
        let mut lines = lines.map(str::to_owned);
        lines[line - 1].pop();
        let found = found(&lines.join("\n"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].0, found[0].1), ("L001", (line, column)), "{found:?}");
    }
}

#[test]
fn every_bad_part_is_one_error() {
    // In the order of the text.
    let text = "(game \"X\" (players 2)\n(equipment {(board (squar 3)) (piece \"Disc\" Eech)})
(rules (play (move Add (to (sites Emty)))) (end (if (is Lien 3) (result Mover Win)))))";
    let all = found(text);
    let brief: Vec<(&str, (usize, usize), &str)> =
        all.iter().map(|(code, at, _, hint)| (*code, *at, hint.as_str())).collect();
    assert_eq!(
        brief,
        [
            ("L041", (2, 20), "did you mean `square`?"),
            ("L040", (2, 45), "did you mean `Each`?"),
            ("L040", (3, 35), "did you mean `Empty`?"),
            ("L040", (3, 57), "did you mean `Line`?"),
        ]
    );
    assert_eq!(all[3].2, "there is no (is Lien …)");
    // A bad part hides what is in it, and nothing else.
    let rules = format!("(play (foo (bar) (baz {{1 2}}))) {END}");
    assert_eq!(found(&nine(&rules)).len(), 1);
    let rules =
        format!("{PLAY} (end {{(if (is Lien 3) (result Mover Wyn)) (if 7 (result Next Loss))}})");
    let codes: Vec<_> = found(&nine(&rules)).into_iter().map(|f| f.2).collect();
    assert_eq!(codes, ["there is no (is Lien …)", "Wyn does not fit here", "7 does not fit here"]);
}

#[test]
fn what_is_missing_or_too_much_is_named() {
    let says = |source: &str| {
        let found = found(source);
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        (found[0].2.clone(), found[0].3.clone())
    };
    let (message, hint) = says("(game \"X\")");
    assert_eq!(message, "(game …) lacks (players …)");
    assert_eq!(hint, "the form is (game string players [mode] equipment rules)");
    let (message, _) = says("(game \"X\" (players 2) (equipment {(board (square 3))}))");
    assert_eq!(message, "(game …) lacks (rules …)");
    let (message, hint) = says(&nine(&format!("{PLAY} (end (if (is Line) (result Mover Win)))")));
    assert_eq!(message, "(is …) lacks <int>");
    assert!(hint.starts_with("the form is (is Line"), "{hint}");
    let (message, _) = says(&nine(&format!("{PLAY} (end (if (is Full 3) (result Mover Win)))")));
    assert_eq!(message, "(is …) has no place for 3");
    let (message, hint) =
        says(&nine(&format!("{PLAY} (end (if (is Line 3 thruogh:4) (result Mover Win)))")));
    assert_eq!(
        (message.as_str(), hint.as_str()),
        ("thruogh:4 does not fit here", "did you mean `through`?")
    );
}

#[test]
fn unknown_defines_and_tags_are_called_so() {
    let rules = format!("(play (\"PlaceAnywher\")) {END}");
    let source =
        format!("(define \"PlaceAnywhere\" (move Add (to (sites Empty))))\n{}", nine(&rules));
    let all = found(&source);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].2, "there is no define \"PlaceAnywher\"");
    assert_eq!(all[0].3, "did you mean `PlaceAnywhere`?");
    let all = found(&nine(&format!("(play <Rule>) {END}")));
    assert_eq!((all[0].0, all[0].2.as_str()), ("L013", "no option has the tag <Rule>"));
    // An option that can't be read is the only error: its tag is none.
    let source =
        format!("{}\n(option \"Rule\" <Rule> {{ }})", nine(&format!("(play <Rule>) {END}")));
    let codes: Vec<_> = found(&source).into_iter().map(|f| f.0).collect();
    assert_eq!(codes, ["L010"]);
}

#[test]
fn all_that_is_not_supported_is_found() {
    let rules = "(start {(place \"Disc1\" 0) (place \"Nobody\" 1)})
        (play (move Add (to (sites Empty)))) (end {(if (is Line 3) (result Mover Win)) (if (is Hidden What at:0 to:P1) (result Mover Loss))})";
    let codes: Vec<_> = found(&nine(rules)).into_iter().map(|f| (f.0, f.1.0)).collect();
    assert_eq!(codes, [("L050", 4), ("L050", 5)]);
    // A board that can't be built, and rules that do not fit.
    let text = "(game \"X\" (players 2)\n(equipment {(board (square 3000)) (piece \"Disc\" Each)})\n(rules (play (mov Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))";
    let codes: Vec<_> = found(text).into_iter().map(|f| (f.0, f.1.0)).collect();
    assert_eq!(codes, [("L030", 2), ("L041", 3)]);
}

#[test]
fn options_and_rulesets_choose() {
    let source = r#"
        (game "X" (board (square <Size:n>)) <Rule>)
        (option "Size" <Size> args:{ <n> } { (item "S" <3> "")* (item "L" <(+ 4 5)> "")** })
        (option "Rule" <Rule> args:{ <r> } { (item "On" <(if (< 1 2) (win))> "") (item "Off" <> "")* })
        (rulesets { (ruleset "Ruleset/Old" { "Size/S" "Rule/On" }) })"#;
    let text = |choices: &[&str]| {
        let choices: Vec<String> = choices.iter().map(|&c| c.to_owned()).collect();
        let (expanded, found) = expand("x", source, &Library::default(), &choices);
        let text = expanded.game.str(0, expanded.game.len());
        let all: Vec<String> = found.iter().map(|d| d.render(&expanded.texts)).collect();
        match all.is_empty() {
            true => Ok(text.split_whitespace().collect::<Vec<_>>().join(" ")),
            false => Err(all.join("\n")),
        }
    };
    assert_eq!(text(&[]).expect("expands"), "(game \"X\" (board (square (+ 4 5))) )");
    assert_eq!(
        text(&["Old"]).expect("expands"),
        "(game \"X\" (board (square 3)) (if (< 1 2) (win)))"
    );
    let wrong = text(&["Size/XL"]).expect_err("no such size");
    assert!(wrong.contains("no option Size/XL") && wrong.contains("S, L"), "{wrong}");
}

#[test]
fn ranges_stand_for_what_they_cover() {
    let text = ludex_lud::source::Text::of_file(0, "{3..5 \"A1\"..\"B2\" 2..1}");
    let (trees, found) = tree::read(&text);
    assert_eq!(found, []);
    let items: Vec<String> = trees[0]
        .items()
        .iter()
        .map(|node| match &node.form {
            Form::Int(n) => n.to_string(),
            Form::Str(s) => s.clone(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(items, ["3", "4", "5", "A1", "B1", "A2", "B2", "2", "1"]);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(source in "[()\\[\\]{}<>\"#~:/*. \n0-9A-Za-z-]{0,200}") {
        check(&source);
    }

    #[test]
    fn no_board_makes_the_builder_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "(", ")", "{", "}", "square", "hex", "tri", "rectangle", "merge", "shift", "remove",
                "add", "concentric", "rotate", "wedge", "cells:", "edges:", "vertices:", "0", "1",
                "3", "-2", "0.5", "Star", "rings:", "regular", "dual", "keep", "poly", "graph",
                "complete", "splitCrossings", "subdivide", "tiling", "T3464", "pyramidal:True",
            ]),
            0..40,
        )
    ) {
        let board = format!("(board ({}) use:Vertex)", words.join(" "));
        check(&format!("(game \"X\" (players 2) (equipment {{{board}}}) (rules {PLAY} {END}))"));
    }
}
