//! Every description of a folder by the laws of games, and every agent of a list on it:
//! `every_game FOLDER [PART OF A NAME] [--agents "a b c"] [--no-laws]`. A line for each broken law, then how many held.

use std::path::PathBuf;
use std::time::Instant;

use ludex_agents::testkit::{self, Verdict};
use ludex_core::{Seed, Spec};

const MINDS: &str = "uct@sims=1 mast@sims=1 grave@sims=1 ph@sims=1 alphabeta@sims=10";

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut minds = MINDS.to_owned();
    if let Some(at) = args.iter().position(|arg| arg == "--agents") {
        args.remove(at);
        if at < args.len() {
            minds = args.remove(at);
        }
    }
    // The laws take long where one playout takes seconds.
    let laws = args.iter().position(|arg| arg == "--no-laws").map(|at| args.remove(at)).is_none();
    let folder = PathBuf::from(args.first().map_or(".", String::as_str));
    let part = args.get(1).map_or("", String::as_str);
    let (mut loaded, mut lawful, mut played, mut refused) = (0, 0, 0, 0);
    for path in ludex_library::lud_files(&folder) {
        let name = path.display().to_string();
        if !name.contains(part) {
            continue;
        }
        let spec = Spec::new(format!("lud:{name}"));
        let Ok(game) = ludex_library::open_spec(&spec) else { continue };
        loaded += 1;
        let begun = Instant::now();
        if laws {
            match ludex_core::testkit::check(&game, 1, Seed(1)) {
                Ok(_) => lawful += 1,
                Err(law) => println!("{name}: {law}"),
            }
        }
        let by_laws = begun.elapsed();
        for mind in minds.split_whitespace() {
            match testkit::check(mind, &game, Seed(1)) {
                Ok(Verdict::Played(_)) => played += 1,
                Ok(Verdict::Refused) => refused += 1,
                Err(law) => println!("{name}: {mind}: {law}"),
            }
        }
        let minds = begun.elapsed() - by_laws;
        eprintln!("{:.1} s {:.1} s {name}", by_laws.as_secs_f64(), minds.as_secs_f64());
    }
    println!("{loaded} loaded, {lawful} lawful, {played} played by minds, {refused} refused");
}
