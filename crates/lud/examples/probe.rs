//! Looks closely at one record: `probe FOLDER RECORD [text | code | PLY]`. Prints the expanded description, the program, or
//! the recorded moves around a ply (the first that differs where none is given) with our legal moves there.

use std::io::Read;
use std::path::PathBuf;

use ludex_lud::engine::{Moves, Pad};
use ludex_lud::expand::{Library, expand};
use ludex_lud::load::load;
use ludex_lud::replay::{Trial, before, replay};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let (root, record) = (PathBuf::from(&args[1]), PathBuf::from(&args[2]));
    let what = args.get(3).map(String::as_str).unwrap_or_default();
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(root.join(&record))?)
        .read_to_string(&mut text)?;
    let trial = Trial::read(&text)?;
    let library = Library::read(&root.join("def")).0;
    let stem = record.display().to_string().replace('~', "/").replace(".txt.gz", "");
    let stem = stem.split_once('/').map_or(stem.as_str(), |(_, stem)| stem).to_owned();
    let stem = stem.split_once("__").map_or(stem.as_str(), |(stem, _)| stem);
    let source = std::fs::read_to_string(root.join("lud").join(format!("{stem}.lud")))?;
    println!("options: {:?}", trial.options);
    if what == "text" {
        let (expanded, _) = expand("", &source, &library, &trial.options);
        println!("{}", String::from_utf8_lossy(expanded.game.bytes()));
        return Ok(());
    }
    let loaded = load("lud", "", &source, &library, &trial.options);
    loaded.found.iter().for_each(|f| println!("{}", f.render(&loaded.texts)));
    let Some(game) = loaded.game else { return Ok(()) };
    if what == "code" {
        println!("{}", game.lud().code());
        return Ok(());
    }
    let result = replay(game.lud(), &trial);
    println!("{result:?}");
    let first = result.err().and_then(|e| e.strip_prefix("ply ")?.split_once(':')?.0.parse().ok());
    let ply: usize = what.parse().ok().or(first).unwrap_or(0);
    for n in ply.saturating_sub(2)..=ply + 1 {
        if let Some(m) = trial.moves.get(trial.setup + n) {
            println!("{n}: {} {m:?}", trial.counts.get(n).copied().unwrap_or(0));
        }
    }
    if let Some((state, legal)) = before(game.lud(), &trial, ply) {
        println!(
            "mover {} next {} prev {} {:?}",
            state.s.mover, state.s.next, state.s.prev, state.s
        );
        println!(
            "numbers {:?} pending {:?} remembered {:?}",
            state.numbers, state.pending, state.remembered
        );
        let relisted: Vec<_> = state.relisted().collect();
        println!("listed more than once: {relisted:?}");
        let cells = state.cells.iter().enumerate().filter(|(_, c)| c.what != 0);
        let cells: Vec<String> = cells
            .map(|(n, c)| format!("{n}:{}x{}s{}v{}", c.what, c.count, c.state, c.value))
            .collect();
        println!("{}", cells.join(" "));
        let under = state.under.iter().enumerate().filter(|(_, under)| !under.is_empty());
        let under = under.map(|(site, under)| {
            let levels = under.iter().map(|c| format!("{}s{}v{}", c.what, c.state, c.value));
            format!("{site}:{}", levels.collect::<Vec<_>>().join(","))
        });
        println!("under the tops: {}", under.collect::<Vec<_>>().join(" "));
        for head in &legal.heads {
            print!("{:?} {}-{}/{}@{} ", head.kind, head.from, head.to, head.extra, head.level);
        }
        println!();
        // With `FROM-TO` as a further argument: what can be played after that move.
        if let Some((from, to)) = args.get(4).and_then(|m| m.split_once('-')) {
            let (from, to): (i32, i32) = (from.parse()?, to.parse()?);
            let chosen = legal.heads.iter().find(|head| (head.from, head.to) == (from, to));
            let (mut state, mut pad, mut out) = (state.clone(), Pad::default(), Moves::default());
            if let Some(&head) = chosen {
                game.lud().apply(&mut state, &mut pad, &legal, head);
                game.lud().legal(&mut state, &mut pad, &mut out);
                println!("after {from}-{to}:");
                out.heads.iter().for_each(|head| print!("{}-{} ", head.from, head.to));
                println!();
            }
        }
        if let Some(list) = trial.lists.get(ply) {
            println!("recorded: {list:?}");
        }
    }
    Ok(())
}
