//! Which public descriptions load and play with every single choice that is not the default, and
//! with every ruleset: `options FOLDER [NAME]`. Each is played at random for some hundred plies; what
//! is drawn is looked for among the listed moves. One that takes longer than 180 s plays badly.

mod common;

use std::path::{Path, PathBuf};
use std::time::Duration;

use common::Outcome;
use ludex_core::{Game, Player, Rng, Seed, Turn};
use ludex_lud::engine::{Head, Moves, Pad, State};
use ludex_lud::expand::{Library, expand};
use ludex_lud::game::LudGame;
use ludex_lud::load::load;
use ludex_lud::source;

/// Listed plies, and drawn ones after them.
const PLIES: (usize, u32) = (100, 300);

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2).unwrap_or_default();
    let library = Library::read(&root.join("def")).0;
    let mut cases = Vec::new();
    for path in source::files(&root.join("lud"), ".lud").0 {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.display().to_string().contains(&only) {
            let all = choices(&path, &library).into_iter();
            cases.extend(all.map(|c| (format!("{name} [{c}]"), (path.clone(), c))));
        }
    }
    let work = move |(path, choice): &(PathBuf, String)| one(path, choice, &library);
    let outcomes = common::each(cases, Duration::from_secs(180), work);
    let refused: usize = outcomes.refused.iter().map(|(_, names)| names.len()).sum();
    let (good, bad) = (outcomes.good, outcomes.bad.len());
    println!("{good} load and play, {bad} play badly, {refused} are refused");
    outcomes.print();
}

/// Every choice that a description offers beside the default.
fn choices(path: &Path, library: &Library) -> Vec<String> {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let (expanded, _) = expand("", &source, library, &[]);
    let mut all = Vec::new();
    for (group, &chosen) in expanded.options.iter().zip(&expanded.chosen) {
        let others = group.items.iter().enumerate().filter(|&(i, _)| i != chosen);
        all.extend(others.map(|(_, item)| format!("{}/{}", group.heading, item.name)));
    }
    all.extend(expanded.rulesets.iter().map(|ruleset| format!("Ruleset/{}", ruleset.name)));
    all
}

fn one(path: &Path, choice: &str, library: &Library) -> Outcome {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let loaded = load("lud", "", &source, library, &[choice.to_owned()]);
    let Some(game) = loaded.game else {
        let first = loaded.found.into_iter().next();
        return Outcome::Refused(first.map(|f| f.message).unwrap_or_default());
    };
    let mut rng = Seed(1).rng();
    let mut position = game.start();
    let mut moves = Vec::new();
    for ply in 0..PLIES.0 {
        match game.turn(&position) {
            Turn::Over if ply == 0 => return Outcome::Bad("is over before it begins".into()),
            Turn::Over => return Outcome::Good,
            Turn::Chance => {
                let mv = game.sample_chance(&position, &mut rng);
                game.apply(&mut position, &[mv]);
                continue;
            }
            _ => {}
        }
        moves.clear();
        game.moves(&position, Player(0), &mut moves);
        let only_pass = moves.len() == 1 && game.move_text(moves[0]) == "pass";
        if moves.is_empty() || ply == 0 && only_pass {
            return Outcome::Bad("has no moves".into());
        }
        if let Some(fault) = stray(&game, &position.state, &mut rng) {
            return Outcome::Bad(fault);
        }
        let mv = moves[rng.index(moves.len())];
        game.apply(&mut position, &[mv]);
    }
    game.playout(&mut position, &mut rng, &mut moves, PLIES.1);
    Outcome::Good
}

/// A move that is drawn although it is not listed.
fn stray(game: &LudGame, state: &State, rng: &mut Rng) -> Option<String> {
    let lud = game.lud();
    let (mut state, mut pad) = (state.clone(), Pad::default());
    let (mut all, mut drawn) = (Moves::default(), Moves::default());
    lud.legal(&mut state, &mut pad, &mut all);
    let one = lud.random(&mut state, &mut pad, &mut drawn, |n| rng.index(n))?;
    let same = |head: &Head| {
        (head.kind, head.from, head.to, head.extra) == (one.kind, one.from, one.to, one.extra)
            && all.actions(*head) == drawn.actions(one)
    };
    (!all.heads.iter().any(same))
        .then(|| format!("{:?} from {} to {} is drawn and not listed", one.kind, one.from, one.to))
}
