//! Ludemes and concepts against public data on the same games.

mod common;

use std::collections::HashMap;
use std::path::PathBuf;

/// A public table: the names of its columns, and rows by game.
struct Public {
    columns: Vec<String>,
    rows: HashMap<String, Vec<f64>>,
}

fn public(file: &str) -> Public {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/hyperagents")
        .join(file);
    let mut reader = csv::Reader::from_path(&path).expect("a table");
    let columns = reader.headers().unwrap().iter().skip(1).map(str::to_owned).collect();
    let rows = reader
        .records()
        .map(|row| {
            let row = row.unwrap();
            let values = row.iter().skip(1).map(|cell| cell.parse().unwrap()).collect();
            (row[0].to_owned(), values)
        })
        .collect();
    Public { columns, rows }
}

/// How often ours is the public value: by column (agreeing, all) over the games that load.
fn agreement(table: &Public) -> (usize, Vec<(String, usize, usize)>) {
    let mut counts = vec![(0usize, 0usize); table.columns.len()];
    let mut games = 0;
    let library = common::library();
    for path in common::files(&common::shared().join("lud"), ".lud") {
        let Some(row) = table.rows.get(&common::stem(&path)) else { continue };
        let Ok(game) = common::open(&path, &library) else { continue };
        games += 1;
        let ours: HashMap<&str, f64> =
            game.lud().features.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        for ((column, value), count) in table.columns.iter().zip(row).zip(&mut counts) {
            if let Some(own) = ours.get(column.as_str()) {
                count.0 += usize::from((own - value).abs() < 0.005 * value.abs().max(1.0));
                count.1 += 1;
            }
        }
    }
    let named = table.columns.iter().zip(counts).map(|(c, (same, all))| (c.clone(), same, all));
    (games, named.collect())
}

/// Columns that agree in 98 % of the games.
fn report(what: &str, table: &Public, least: f64) -> usize {
    let (games, counts) = agreement(table);
    let supplied: Vec<_> = counts.iter().filter(|(_, _, all)| *all > 0).collect();
    let same: usize = supplied.iter().map(|(_, same, _)| same).sum();
    let all: usize = supplied.iter().map(|(_, _, all)| all).sum();
    let share = same as f64 / all.max(1) as f64;
    println!(
        "{what}: {games} games, {} of {} columns are supplied, {same} of {all} values agree ({:.2} %)",
        supplied.len(),
        counts.len(),
        100.0 * share
    );
    let mut worst: Vec<_> = supplied.iter().map(|(c, s, a)| (*s as f64 / *a as f64, c)).collect();
    worst.sort_by(|a, b| a.0.total_cmp(&b.0));
    let whole = worst.iter().filter(|(share, _)| *share >= 0.99).count();
    println!("  columns that agree in 99 % of the games: {whole}");
    for (share, column) in worst.iter().take(10) {
        println!("  {:.3} {column}", share);
    }
    let missing: Vec<_> = counts.iter().filter(|(_, _, all)| *all == 0).map(|c| &c.0).collect();
    println!("  not supplied: {missing:?}");
    assert!(games > 300, "{games}");
    assert!(share > least, "{share}");
    worst.iter().filter(|(share, _)| *share >= 0.98).count()
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn ludemes_agree_with_public_data() {
    let table = public("gameLudemes.csv");
    let columns = report("ludemes", &table, 0.999);
    assert!(columns >= 594, "{columns}");
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn concepts_agree_with_public_data() {
    let table = public("gameConceptsCompilation.csv");
    let columns = report("concepts", &table, 0.995);
    assert!(columns >= 490, "{columns}");
}
