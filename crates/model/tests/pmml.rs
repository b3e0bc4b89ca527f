//! Forests as PMML: what is written reads back, and what others write can be read.

use ludex_model::{Fitted, Tree, pmml};

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_string()).collect()
}

/// A tree with one split: at most `threshold` in `feature` gives `low`, more gives `high`.
fn stump(feature: i32, threshold: f64, low: f64, high: f64) -> Tree {
    let mut tree = Tree::leaf(&[0.5 * (low + high)]);
    let (left, right) = (tree.push(&[low]), tree.push(&[high]));
    (tree.feature[0], tree.threshold[0]) = (feature, threshold);
    (tree.left[0], tree.right[0]) = (left as u32, right as u32);
    tree
}

fn forest() -> Fitted {
    let uct = vec![stump(0, 2.5, 40.0, 60.25), stump(1, 0.5, 10.0, 33.3)];
    let mast = vec![stump(1, 0.5, 1.0, 2.0), Tree::leaf(&[7.0])];
    Fitted::Forest { groups: vec![uct, mast] }
}

#[test]
fn a_forest_reads_back_as_it_was_written() {
    let (features, targets) = (names(&["Num<Players>", "a & \"b\""]), names(&["uct", "mast(x=1)"]));
    let text = pmml::write(&features, &targets, &forest()).unwrap();
    let back = pmml::read(&text).unwrap();
    assert_eq!((back.features, back.targets), (features, targets));
    let row = [3.0, 0.0];
    assert_eq!(back.fitted.predict(&row), [(60.25 + 10.0) / 2.0, 4.0]);
    // Nodes are numbered anew, so the answers are compared, over every side of every split.
    for row in [[0.0, 0.0], [2.5, 0.5], [2.6, 0.6], [9.0, 1.0]] {
        assert_eq!(back.fitted.predict(&row), forest().predict(&row));
    }
}

#[test]
fn boosted_trees_keep_their_base_and_rate() {
    let boosted = Fitted::Boosted {
        base: vec![50.0],
        rate: 0.1,
        groups: vec![vec![stump(0, 1.0, -5.0, 5.0), stump(0, 2.0, -1.0, 1.0)]],
    };
    let text = pmml::write(&names(&["x"]), &names(&["uct"]), &boosted).unwrap();
    assert_eq!(pmml::read(&text).unwrap().fitted, boosted);
}

/// The golden document: its answers are those of JPMML's evaluator and of sklearn-pmml-model.
#[test]
fn the_text_of_a_forest_is_fixed() {
    let text = pmml::write(
        &names(&["NumPlayers", "Stochastic"]),
        &names(&["uct"]),
        &Fitted::Forest {
            groups: vec![vec![stump(0, 2.5, 40.0, 60.25), stump(1, 0.5, 10.0, 33.3)]],
        },
    );
    assert_eq!(text.unwrap(), include_str!("golden/forest.pmml"));
}

#[test]
fn strict_tests_and_a_single_tree_are_understood() {
    let text = r#"<PMML version="4.3" xmlns="http://www.dmg.org/PMML-4_3"><DataDictionary>
        <DataField name="y" optype="continuous" dataType="double"/>
        <DataField name="x" optype="continuous" dataType="double"/></DataDictionary>
        <TreeModel functionName="regression"><MiningSchema><MiningField name="y" usageType="target"/>
        <MiningField name="x"/></MiningSchema><Node score="1"><True/>
        <Node score="2"><SimplePredicate field="x" operator="lessThan" value="3"/></Node>
        <Node score="4"><SimplePredicate field="x" operator="greaterOrEqual" value="3"/></Node></Node>
        </TreeModel></PMML>"#;
    let document = pmml::read(text).unwrap();
    assert_eq!(document.targets, ["y"]);
    let ask = |x: f64| document.fitted.predict(&[x])[0];
    assert_eq!([ask(2.999), ask(3.0), ask(3.1)], [2.0, 4.0, 4.0]);
}

#[test]
fn what_is_no_forest_is_refused_with_its_line() {
    let says = |text: &str| pmml::read(text).unwrap_err().to_string();
    assert!(says("hello").contains("no PMML"), "{}", says("hello"));
    assert!(says("<PMML></PMML>").contains("no trees"));
    assert!(says("<PMML><a></b></PMML>").contains("line 1"), "{}", says("<PMML><a></b></PMML>"));
    let neural = "<PMML>\n<NeuralNetwork/>\n</PMML>";
    assert!(says(neural).contains("line 2: only forests"), "{}", says(neural));
    let whole = pmml::write(
        &names(&["x"]),
        &names(&["y"]),
        &Fitted::Forest { groups: vec![vec![stump(0, 1.0, 1.0, 2.0)]] },
    )
    .unwrap();
    assert!(says(&whole.replace("greaterThan", "isIn")).contains("no test of a number"));
    assert!(says(&whole.replace("score=\"1\"", "score=\"one\"")).contains("`one` is no number"));
    let joint = Fitted::Forest { groups: vec![vec![Tree::leaf(&[1.0, 2.0])]] };
    assert!(pmml::write(&names(&["x"]), &names(&["a", "b"]), &joint).is_err());
}
