//! Compares the engines with each other along random games: facts, end, legal moves, goals and
//! the next state, as text, at every state.
//!
//! `cargo run --release -p ludex-gdl --example agree -- [--states N] [--seconds S] FILE.kif..`
//!
//! `single` leads; `joins` follows at every state, `naive` as long as its share of the time lasts.

use std::path::PathBuf;
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
        let mut next = state.clone();
        engine.advance(&mut next, &moves);
        let mut facts = engine.facts(&next);
        facts.sort();
        text += &format!("next {facts:?}\n");
    }
    Ok(text)
}

fn main() {
    let (mut most, mut seconds, mut files) = (2500u32, 10.0, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--states" => most = args.next().and_then(|s| s.parse().ok()).unwrap_or(most),
            "--seconds" => seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            file => files.push(PathBuf::from(file)),
        }
    }
    let (mut total, mut total_naive, mut differ) = (0u64, 0u64, 0u64);
    for file in &files {
        let Ok(source) = std::fs::read_to_string(file) else { continue };
        let (rules, _) = Rules::read(&source);
        let Some(leader) = load(&rules, Engine::Single) else {
            println!("{}: does not ground", file.display());
            continue;
        };
        let others = [load(&rules, Engine::Joins), load(&rules, Engine::Naive)];
        let engine = leader.reasoner();
        let mut rng = Seed(77).rng();
        let (mut states, mut naive_states) = (0, 0);
        let (begun, mut naive_time) = (Instant::now(), Duration::ZERO);
        let mut state = engine.start();
        while states < most && begun.elapsed().as_secs_f64() < seconds {
            let facts = engine.facts(&state);
            let over = engine.terminal(&state);
            let mut joint = Vec::new();
            let mut chosen = Vec::new();
            for role in 0..engine.roles().len() {
                let mut legal = Vec::new();
                engine.legal(&state, role, &mut legal);
                if let (false, Some(&mv)) = (over, legal.get(rng.index(legal.len()))) {
                    chosen.push(mv);
                    joint.push(engine.move_text(mv));
                }
            }
            let ours = says(engine, &facts, &joint);
            for (i, other) in others.iter().enumerate() {
                let Some(other) = other else { continue };
                if i == 1 && naive_time.as_secs_f64() > seconds / 3.0 {
                    continue;
                }
                let asked = Instant::now();
                let theirs = says(other.reasoner(), &facts, &joint);
                if i == 1 {
                    naive_time += asked.elapsed();
                    naive_states += 1;
                }
                if ours != theirs {
                    differ += 1;
                    println!(
                        "{}: {ours:?}\n  but {}: {theirs:?}",
                        file.display(),
                        other.reasoner().engine()
                    );
                }
            }
            states += 1;
            if over || chosen.len() < engine.roles().len() {
                state = engine.start();
            } else {
                engine.advance(&mut state, &chosen);
            }
        }
        println!("{}: {states} states, {naive_states} of them with naive", file.display());
        total += u64::from(states);
        total_naive += u64::from(naive_states as u32);
    }
    println!("{total} states, {total_naive} with naive, {differ} differences");
}
