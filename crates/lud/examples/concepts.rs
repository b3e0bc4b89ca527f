//! Compares the features of descriptions with a public table: `concepts FOLDER TABLE [COLUMN]`. Prints the columns that agree in
//! less than 98 % of the games that load, the worst first, and how many there are; with a column, the games that differ there.

use std::collections::HashMap;
use std::path::PathBuf;

use ludex_core::Game;
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use ludex_lud::source;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, root, table, only @ ..] = args.as_slice() else {
        return Err("concepts FOLDER TABLE [COLUMN]".into());
    };
    let root = PathBuf::from(root);
    let library = Library::read(&root.join("def")).0;
    let mut reader = csv::Reader::from_path(table)?;
    let columns: Vec<String> = reader.headers()?.iter().skip(1).map(str::to_owned).collect();
    let rows: HashMap<String, Vec<f64>> = reader
        .records()
        .filter_map(|row| {
            let row = row.ok()?;
            let values = row.iter().skip(1).map(|cell| cell.parse().unwrap_or(f64::NAN));
            Some((row.get(0)?.to_owned(), values.collect()))
        })
        .collect();
    // By column: games compared, and those that differ with the public value and ours.
    let mut compared = vec![0usize; columns.len()];
    let mut differ: Vec<Vec<(String, f64, f64)>> = vec![Vec::new(); columns.len()];
    for path in source::files(&root.join("lud"), ".lud").0 {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(row) = rows.get(&name) else { continue };
        let text = std::fs::read_to_string(&path)?;
        let Some(game) = load(&name, &name, &text, &library, &[]).game else { continue };
        let features = game.features();
        for (at, (column, public)) in columns.iter().zip(row).enumerate() {
            let Some(own) = features.get(column) else { continue };
            compared[at] += 1;
            if (own - public).abs() >= 0.005 * public.abs().max(1.0) {
                differ[at].push((name.clone(), *public, own));
            }
        }
    }
    let games = compared.iter().max().copied().unwrap_or(0);
    let missing: Vec<&str> =
        columns.iter().zip(&compared).filter(|(_, n)| **n == 0).map(|(c, _)| c.as_str()).collect();
    let share = |at: usize| 1.0 - differ[at].len() as f64 / compared[at].max(1) as f64;
    let mut worst: Vec<usize> = (0..columns.len()).filter(|&at| compared[at] > 0).collect();
    worst.sort_by(|a, b| share(*a).total_cmp(&share(*b)));
    let good = worst.iter().filter(|&&at| share(at) >= 0.98).count();
    println!(
        "{games} games, {} columns, {} supplied, {good} agree in 98 %",
        columns.len(),
        worst.len()
    );
    let all: usize = compared.iter().sum();
    let wrong: usize = differ.iter().map(Vec::len).sum();
    println!("{} of {all} values agree", all - wrong);
    println!("not supplied: {}", missing.join(" "));
    for at in worst {
        let asked = only.contains(&columns[at]);
        if asked || only.is_empty() && share(at) < 0.98 {
            let shown = if asked { usize::MAX } else { 6 };
            let some: Vec<String> = differ[at]
                .iter()
                .take(shown)
                .map(|(name, public, own)| format!("{name} {public}/{own}"))
                .collect();
            println!("{:.4} {}: {}", share(at), columns[at], some.join(", "));
        }
    }
    Ok(())
}
