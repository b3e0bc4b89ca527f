//! The engines without grounding: recorded play is reproduced, and both say the same of our own
//! rule sheets and of the public GDL-II ones.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ludex_core::Seed;
use ludex_gdl::check::{Mode, check};
use ludex_gdl::joins::{Joins, Limits};
use ludex_gdl::naive::{Naive, NaiveError};
use ludex_gdl::reasoner::{Playout, Reasoner, normal_text};
use ludex_gdl::rules::Rules;
use ludex_gdl::verify::{verify_trace, verify_until};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("readable entry").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    list.sort();
    list
}

/// The first lines of a trace: its head and so many states.
fn trace(path: &Path, states: usize) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).expect("readable trace"))
        .read_to_string(&mut text)
        .expect("a gzip file of text");
    text.lines().take(states + 1).collect::<Vec<_>>().join("\n")
}

fn rules(path: &Path) -> Rules {
    let source = std::fs::read_to_string(path).expect("readable rule sheet");
    let (rules, found) = Rules::read(&source);
    let errors: Vec<_> = found.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    rules
}

fn joins(path: &Path) -> Joins {
    Joins::load(&rules(path), &Limits::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sheet_of(trace: &Path) -> PathBuf {
    let name = trace.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.trim_end_matches(".jsonl.gz");
    trace.with_file_name(format!("../games/{name}.kif"))
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn joins_reproduce_the_recorded_play_of_every_public_game() {
    let list = files(&root().join("../shared/data/gdl/traces"), ".jsonl.gz");
    let (mut failed, mut states) = (Vec::new(), 0);
    for path in &list {
        let game = joins(&sheet_of(path));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let report = verify_trace(&game, &trace(path, 40));
        states += report.states;
        if !report.passed() {
            failed.push(format!("{name}: {:?}", report.differences));
        }
    }
    println!("{} traces, {states} states", list.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn the_naive_prover_reproduces_the_recorded_play_of_small_games() {
    let traces = root().join("../shared/data/gdl/traces");
    let mut seen = 0;
    for path in files(&traces, ".jsonl.gz") {
        // By size, so that a change of the collection changes the sample, not the test.
        let sheet = sheet_of(&path);
        if std::fs::metadata(&sheet).map_or(0, |m| m.len()) > 4_500 {
            continue;
        }
        let naive = Naive::load(&rules(&sheet)).expect("rules that load");
        let report = verify_trace(&naive, &trace(&path, 4));
        assert!(report.passed(), "{}: {:?}", path.display(), report.differences);
        seen += 1;
    }
    println!("{seen} games");
}

/// Plays random games with both engines and compares everything they say.
fn agree(name: &str, a: &dyn Reasoner, b: &dyn Reasoner, games: u32, longest: u32) {
    let texts = |list: &[u32], text: &dyn Fn(u32) -> String| {
        let mut list: Vec<String> = list.iter().map(|&m| normal_text(&text(m))).collect();
        list.sort();
        list
    };
    let sorted = |mut list: Vec<String>| {
        list.iter_mut().for_each(|fact| *fact = normal_text(fact));
        list.sort();
        list
    };
    assert_eq!(a.roles(), b.roles(), "{name}");
    let mut rng = Seed(5).rng();
    for _ in 0..games {
        let (mut sa, mut sb) = (a.start(), b.start());
        for ply in 0..longest {
            assert_eq!(sorted(a.facts(&sa)), sorted(b.facts(&sb)), "{name} at ply {ply}");
            let over = a.terminal(&sa);
            assert_eq!(over, b.terminal(&sb), "{name} at ply {ply}");
            let (mut ja, mut jb) = (Vec::new(), Vec::new());
            for role in 0..a.roles().len() {
                let (mut ga, mut gb) = (Vec::new(), Vec::new());
                a.goals(&sa, role, &mut ga);
                b.goals(&sb, role, &mut gb);
                assert_eq!(ga, gb, "{name} at ply {ply}: goals");
                let (mut la, mut lb) = (Vec::new(), Vec::new());
                a.legal(&sa, role, &mut la);
                b.legal(&sb, role, &mut lb);
                let (ta, tb) = (texts(&la, &|m| a.move_text(m)), texts(&lb, &|m| b.move_text(m)));
                assert_eq!(ta, tb, "{name} at ply {ply}: legal moves");
                if !over {
                    assert!(!la.is_empty(), "{name} at ply {ply}: role {role} has no move");
                    let mv = la[rng.below(la.len() as u32) as usize];
                    ja.push(mv);
                    jb.extend(b.find_move(&sb, role, &a.move_text(mv)));
                }
            }
            if over {
                break;
            }
            for role in 0..a.roles().len() {
                let (mut pa, mut pb) = (Vec::new(), Vec::new());
                a.sees(&sa, &ja, role, &mut pa);
                b.sees(&sb, &jb, role, &mut pb);
                let (pa, pb) =
                    (texts(&pa, &|p| a.percept_text(p)), texts(&pb, &|p| b.percept_text(p)));
                assert_eq!(pa, pb, "{name} at ply {ply}: percepts");
            }
            a.advance(&mut sa, &ja);
            b.advance(&mut sb, &jb);
        }
    }
}

#[test]
fn our_own_rule_sheets_are_valid_and_both_engines_agree_on_them() {
    for path in files(&root().join("games"), ".kif") {
        let source = std::fs::read_to_string(&path).expect("readable rule sheet");
        let errors: Vec<_> =
            check(&source, Mode::Strict).into_iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        let naive = Naive::load(&rules(&path)).expect("rules that load");
        agree(&path.to_string_lossy(), &joins(&path), &naive, 1, 8);
    }
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn public_gdl_ii_sheets_are_accepted_leniently_play_to_the_end_and_both_engines_agree() {
    for path in files(&root().join("../shared/data/gdl/imperfect"), ".kif") {
        let name = path.to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).expect("readable rule sheet");
        let errors: Vec<_> =
            check(&source, Mode::Lenient).into_iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        let game = joins(&path);
        let mut rng = Seed(6).rng();
        for _ in 0..3 {
            let mut state = game.start();
            let steps = game.playout(&mut state, &mut rng, 2_000);
            assert!(matches!(steps, Playout::Over(_)), "{name} does not end");
            assert!(game.terminal(&state), "{name}");
        }
        agree(&name, &game, &Naive::load(&rules(&path)).expect("rules that load"), 1, 5);
    }
}

#[test]
fn an_engine_that_is_stopped_compares_nothing_and_goes_on_afterwards() {
    let source = "(role a) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (init on)
        (<= (big ?a ?b ?c ?d ?e ?f) (true on) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
        (<= (legal a go) (big ?a ?b ?c ?d ?e ?f)) (<= (next on) (does a go))
        (<= terminal (not (true on))) (goal a 50)";
    let trace = "{\"roles\":[\"a\"]}
        {\"playout\":0,\"ply\":0,\"state\":[\"on\"],\"terminal\":false,
        \"legal\":[[\"go\"]],\"joint\":[\"go\"]}";
    let trace = trace.replace(",\n        ", ",");
    let rules = Rules::read(source).0;
    let late = Instant::now() - Duration::from_millis(1);
    assert!(matches!(Naive::load_until(&rules, Some(late)), Err(NaiveError::TooSlow)));
    let naive = Naive::load(&rules).expect("rules that load");
    // In the middle of the one answer, not between answers.
    let soon = Instant::now() + Duration::from_millis(5);
    let report = verify_until(&naive, &trace, Some(soon));
    assert!(report.cut_short && report.states == 0 && report.differences.is_empty(), "{report:?}");
    assert!(naive.patience().is_some_and(|patience| !patience.lost()));
    assert_eq!(naive.facts(&naive.start()), ["on"]);
}

#[test]
fn a_state_survives_the_way_through_text() {
    let source = "(role a) (init (n (s 0))) (init on) (succ 0 1) (succ 1 2)
        (<= (legal a (go ?y)) (true (n (s ?x))) (succ ?x ?y)) (<= (legal a stop) (true on))
        (<= (next (n (s ?y))) (does a (go ?y))) (<= (next on) (does a (go ?y)))
        (<= terminal (not (true on))) (goal a 50)";
    let game = Joins::load(&Rules::read(source).0, &Limits::default()).expect("rules that load");
    let mut state = game.start();
    assert_eq!(game.state_of(&game.facts(&state)), Ok(state.clone()));
    assert_eq!(game.state_of(&["(n (s x))".to_owned()]), Err("(n (s x))".to_owned()));
    let go = game.find_move(&state, 0, "( GO 1 )").expect("a legal move");
    game.advance(&mut state, &[go]);
    let mut facts = game.facts(&state);
    facts.sort();
    assert_eq!(facts, ["(n (s 1))", "on"]);
    let stop = game.find_move(&state, 0, "stop").expect("a legal move");
    game.advance(&mut state, &[stop]);
    assert!(game.facts(&state).is_empty() && game.terminal(&state));
}
