//! Compares the engines with each other along random games: facts, end, legal moves, goals and
//! the next state, as text, at every state.
//!
//! `cargo run --release -p ludex-gdl --example agree -- [--states N] [--seconds S] FILE.kif..`
//!
//! `single` leads; `lanes` and `joins` follow at every state, `naive` as long as its share of the
//! time lasts.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ludex_core::Seed;
use ludex_gdl::game::{Engine, GdlGame, Options};
use ludex_gdl::reasoner::Reasoner;
use ludex_gdl::rules::Rules;

fn load(rules: &Rules, engine: Engine) -> Option<GdlGame> {
    let options = Options { engine: Some(engine), ..Options::default() };
    GdlGame::from_rules("kif:agree", rules, &options).ok()
}

/// All that an engine says about the state with these facts, and about the step from it.
fn says(engine: &dyn Reasoner, facts: &[String], joint: &[String]) -> Result<String, String> {
    let state = engine.state_of(facts)?;
    let over = engine.terminal(&state);
    let mut text = format!("over {over}\n");
    let mut moves = Vec::new();
    for (role, name) in engine.roles().iter().enumerate() {
        let (mut legal, mut goals) = (Vec::new(), Vec::new());
        engine.goals(&state, role, &mut goals);
        if over {
            text += &format!("{name} goals {goals:?}\n");
            continue;
        }
        engine.legal(&state, role, &mut legal);
        let mut names: Vec<String> = legal.iter().map(|&mv| engine.move_text(mv)).collect();
        names.sort();
        text += &format!("{name} legal {names:?}\n");
        if let Some(wanted) = joint.get(role) {
            let mv = engine.find_move(&state, role, wanted);
            moves.push(mv.ok_or_else(|| format!("{wanted} is not legal for {name}"))?);
        }
    }
    if !over && moves.len() == engine.roles().len() {
        for (role, name) in engine.roles().iter().enumerate() {
            let mut seen = Vec::new();
            engine.sees(&state, &moves, role, &mut seen);
            let mut seen: Vec<String> = seen.iter().map(|&p| engine.percept_text(p)).collect();
            seen.sort();
            text += &format!("{name} sees {seen:?}\n");
        }
        let mut next = state.clone();
        engine.advance(&mut next, &moves);
        let mut facts = engine.facts(&next);
        facts.sort();
        text += &format!("next {facts:?}\n");
    }
    Ok(text)
}

/// What came of one sheet.
#[derive(Default)]
struct Count {
    lines: Vec<String>,
    states: u64,
    naive: u64,
    differ: u64,
}

/// Follows random games of one sheet with all engines.
fn follow(file: &Path, most: u64, seconds: f64) -> Count {
    let mut count = Count::default();
    let Ok(source) = std::fs::read_to_string(file) else { return count };
    let (rules, _) = Rules::read(&source);
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let Some(ground) = load(&rules, Engine::Lanes) else {
        count.lines.push(format!("{name}: does not ground"));
        return count;
    };
    let (engine, probe) = (ground.reasoner(), ground.probe());
    let (joins, naive) = (load(&rules, Engine::Joins), load(&rules, Engine::Naive));
    let mut others: Vec<&dyn Reasoner> = Vec::new();
    others.extend(probe.as_ref().map(|p| p as &dyn Reasoner));
    others.extend(joins.as_ref().map(|game| game.reasoner()));
    let mut rng = Seed(77).rng();
    let (begun, mut naive_time) = (Instant::now(), Duration::ZERO);
    let mut state = engine.start();
    while count.states < most && begun.elapsed().as_secs_f64() < seconds {
        let facts = engine.facts(&state);
        let over = engine.terminal(&state);
        let (mut joint, mut chosen) = (Vec::new(), Vec::new());
        for role in 0..engine.roles().len() {
            let mut legal = Vec::new();
            engine.legal(&state, role, &mut legal);
            if let (false, Some(&mv)) = (over, legal.get(rng.index(legal.len()))) {
                chosen.push(mv);
                joint.push(engine.move_text(mv));
            }
        }
        let ours = says(engine, &facts, &joint);
        let mut compare = |other: &dyn Reasoner| {
            let theirs = says(other, &facts, &joint);
            if ours != theirs {
                count.differ += 1;
                count.lines.push(format!("{name}: {ours:?}\n  but {}: {theirs:?}", other.engine()));
            }
        };
        others.iter().for_each(|other| compare(*other));
        if let Some(naive) = naive.as_ref().filter(|_| naive_time.as_secs_f64() < seconds / 3.0) {
            let asked = Instant::now();
            compare(naive.reasoner());
            naive_time += asked.elapsed();
            count.naive += 1;
        }
        count.states += 1;
        if over || chosen.len() < engine.roles().len() {
            state = engine.start();
        } else {
            engine.advance(&mut state, &chosen);
        }
    }
    let names: Vec<&str> = others.iter().map(|other| other.engine()).collect();
    count.lines.push(format!(
        "{name}: {} states with single, {}; {} of them with naive; {:.1} s",
        count.states,
        names.join(", "),
        count.naive,
        begun.elapsed().as_secs_f64()
    ));
    count
}

fn main() {
    let (mut most, mut seconds, mut files) = (2500, 10.0, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--states" => most = args.next().and_then(|s| s.parse().ok()).unwrap_or(most),
            "--seconds" => seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            file => files.push(PathBuf::from(file)),
        }
    }
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Count::default()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let count = follow(file, most, seconds);
                    count.lines.iter().for_each(|line| println!("{line}"));
                    if let Ok(mut total) = total.lock() {
                        total.states += count.states;
                        total.naive += count.naive;
                        total.differ += count.differ;
                    }
                }
            });
        }
    });
    if let Ok(Count { states, naive, differ, .. }) = total.into_inner() {
        println!("{states} states, {naive} of them with naive, {differ} differences");
    }
}
