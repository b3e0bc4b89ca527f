//! Models on small tables with known answers.

use ludex_core::Seed;
use ludex_learn::models::{ENTRIES, Recipe};
use ludex_learn::validate::{Estimate, Folds, numpy_shuffle, predictions, regrets};
use ludex_model::{Matrix, argmax};

/// Games of two kinds: with the flag the second agent is better, without it the first; the other
/// columns are noise.
fn games(n: usize) -> (Matrix, Matrix) {
    let mut rng = Seed(7).rng();
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let flag = rng.below(2) as f64;
        let noise: Vec<f64> = (0..6).map(|_| f64::from(rng.below(3))).collect();
        x.push([&[flag][..], &noise].concat());
        let luck = || 4.0;
        let (good, bad) = (60.0 + luck() * rng.unit(), 40.0 + luck() * rng.unit());
        y.push(if flag > 0.0 { [bad, good, 45.0] } else { [good, bad, 45.0] });
    }
    (Matrix::from_rows(7, x), Matrix::from_rows(3, y))
}

#[test]
fn every_model_but_the_naive_ones_learns_a_simple_rule() {
    let (x, y) = games(80);
    let folds = Folds::contiguous(&numpy_shuffle(80, 1), 5);
    for name in ENTRIES.iter().map(|entry| entry.name) {
        let recipe = match name {
            "mean" => "mean(forest(trees=20),kernel)".to_string(),
            "forest" | "forest-class" | "extra" => format!("{name}(trees=20)"),
            "mlp" | "mlp-class" => format!("{name}(hidden=16,epochs=300)"),
            "svm" => "svm(kernel=rbf,cost=10)".to_string(),
            name => name.to_string(),
        };
        let recipe: Recipe = recipe.parse().unwrap();
        let predicted = predictions(&recipe, &x, &y, &folds, Seed(3), &mut || {}).unwrap();
        let regret = Estimate::of(&regrets(&predicted, &y)).mean;
        match name.starts_with("naive") {
            true => assert!(regret > 5.0, "{recipe}: {regret}"),
            false => assert!(regret < 2.0, "{recipe}: {regret}"),
        }
        let again = predictions(&recipe, &x, &y, &folds, Seed(3), &mut || {}).unwrap();
        assert_eq!(predicted, again, "{recipe}: the same seed, the same model");
    }
}

#[test]
fn a_tree_splits_where_squares_fall_most() {
    // The best first split is at 2.5 of the number, worth more than the flag.
    let x = Matrix::from_rows(2, [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]]);
    let y = Matrix::from_rows(1, [[1.0], [2.0], [11.0], [12.0]]);
    let tree: Recipe = "tree(depth=1)".parse().unwrap();
    let fitted = tree.fit(&x, &y, Seed(1)).unwrap();
    assert_eq!(fitted.predict(&[2.4, 1.0]), [1.5]);
    assert_eq!(fitted.predict(&[2.6, 0.0]), [11.5]);
    let whole: Recipe = "tree".parse().unwrap();
    let fitted = whole.fit(&x, &y, Seed(1)).unwrap();
    assert!((0..4).all(|i| fitted.predict(x.row(i)) == y.row(i)), "a whole tree knows its rows");
    let leaf: Recipe = "tree(leaf=3)".parse().unwrap();
    assert_eq!(leaf.fit(&x, &y, Seed(1)).unwrap().predict(&[1.0, 0.0]), [6.5]);
}

#[test]
fn least_squares_find_the_line_and_a_ridge_flattens_it() {
    let x = Matrix::from_rows(2, (0..6).map(|i| [f64::from(i), f64::from(i * i)]));
    let y = Matrix::from_rows(1, (0..6).map(|i| [3.0 + 2.0 * f64::from(i) - f64::from(i * i)]));
    let plain: Recipe = "linear".parse().unwrap();
    let fitted = plain.fit(&x, &y, Seed(1)).unwrap();
    assert!((fitted.predict(&[10.0, 100.0])[0] + 77.0).abs() < 1e-6);
    let ridge: Recipe = "linear(ridge=1e9)".parse().unwrap();
    let flat = ridge.fit(&x, &y, Seed(1)).unwrap();
    assert!((flat.predict(&[10.0, 100.0])[0] - y.means()[0]).abs() < 1e-2);
}

#[test]
fn a_classifier_s_label_is_the_first_best() {
    let x = Matrix::from_rows(1, [[0.0], [0.0], [1.0]]);
    let y = Matrix::from_rows(2, [[5.0, 5.0], [5.0, 4.0], [1.0, 2.0]]);
    let recipe: Recipe = "naive-class".parse().unwrap();
    let fitted = recipe.fit(&x, &y, Seed(1)).unwrap();
    assert_eq!(argmax(&fitted.predict(&[1.0])), 0);
    assert_eq!(fitted.predict(&[1.0])[0], 2.0 / 3.0);
}

#[test]
fn names_that_are_no_model_are_refused() {
    let says = |name: &str| name.parse::<Recipe>().unwrap_err().to_string();
    assert!(says("forrest").contains("did you mean `forest`"));
    assert!(says("forest(tree=3)").contains("no parameter `tree`"));
    assert!(says("forest(trees=0)").contains("from 1 to"));
    assert!(says("svm(kernel=cubic)").contains("sigmoid or rbf"));
    assert!(says("mean()").contains("takes models"));
    assert!(says("forest@sims=3").contains("no budget"));
    let recipe: Recipe = "forest".parse().unwrap();
    let (x, y) = (Matrix::zeros(0, 2), Matrix::zeros(0, 1));
    assert!(recipe.fit(&x, &y, Seed(1)).unwrap_err().to_string().contains("needs rows"));
    let (x, y) = (Matrix::from_rows(1, [[f64::NAN]]), Matrix::from_rows(1, [[1.0]]));
    assert!(recipe.fit(&x, &y, Seed(1)).unwrap_err().to_string().contains("finite"));
}

/// The published folds and the regret of naive Bayes on them, where the public data are at hand.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn the_public_data_give_the_published_regret_of_naive_bayes() {
    use ludex_learn::table::Table;
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/hyperagents");
    let read = |name: &str| Table::read(&folder.join(name)).unwrap();
    let agents = read("gameAgents.csv").select_columns(&[2, 4, 5, 6, 7]);
    let all = agents.join(&read("gameConceptsCompilation.csv")).join(&read("gameLudemes.csv"));
    let columns: Vec<usize> = (0..all.columns.len()).collect();
    let (x, y) =
        (all.values.select_columns(&columns[5..]), all.values.select_columns(&columns[..5]));
    let order = numpy_shuffle(649, 69);
    assert_eq!(all.names[order[0]], "Six Mens Morris");
    assert_eq!(all.names[order[2]], "Kawade Kelia");
    let folds = Folds::contiguous(&order, 10);
    for (name, published) in [("bayes", 14.144_890_326_405_894), ("naive", 12.989_728_737_14)] {
        let recipe: Recipe = name.parse().unwrap();
        let predicted = predictions(&recipe, &x, &y, &folds, Seed(1), &mut || {}).unwrap();
        let regret = Estimate::of(&regrets(&predicted, &y)).mean;
        assert!((regret - published).abs() < 1e-9, "{name}: {regret}");
    }
}
