//! Faults point at what was written, through options and defines; nothing that is written panics.

use ludex_lud::board::Board;
use ludex_lud::expand::{Library, expand};
use ludex_lud::tree::{self, Form};
use proptest::prelude::*;

fn fault(source: &str) -> String {
    match expand("game.lud", source, &Library::default(), &[]) {
        Err(located) => located.to_string(),
        Ok(expanded) => match tree::game(&expanded.game) {
            Err(fault) => fault.render(&expanded.sources),
            Ok(game) => {
                let mut found = String::new();
                game.walk(&mut |node| {
                    if node.keyword() == Some("board")
                        && let Err(fault) = Board::new(node)
                    {
                        found = fault.render(&expanded.sources);
                    }
                });
                found
            }
        },
    }
}

#[test]
fn a_fault_inside_a_define_points_at_both_places() {
    let text = fault(
        "(define \"Grid\" (board (square #1)))\n(game \"X\" (equipment { (\"Grid\" 3000) }))",
    );
    // The number was written at the use, the rest at the definition.
    assert!(text.starts_with("game.lud:2:"), "{text}");
    let text =
        fault("(define \"Grid\" (board (nowhere #1)))\n(game \"X\" (equipment { (\"Grid\" 3) }))");
    assert!(text.starts_with("game.lud:1:23: error[L031]"), "{text}");
    assert!(text.contains("in \"Grid\", used here") && text.contains("game.lud:2:25"), "{text}");
}

#[test]
fn faults_of_writing_have_their_places() {
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
        let text = fault(source);
        assert!(text.starts_with(start), "{source}: {text}");
    }
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
        expand("x", source, &Library::default(), &choices)
            .map(|e| e.game.str(0, e.game.len()).split_whitespace().collect::<Vec<_>>().join(" "))
            .map_err(|e| e.to_string())
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
    let trees = tree::read(&text).expect("reads");
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
        let _ = fault(&source);
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
        let _ = fault(&format!("(game \"X\" (board ({}) use:Vertex))", words.join(" ")));
    }
}
