//! Comparing with recorded games, end tests and heuristic values of another engine, one JSON
//! object a line.

use super::terms::{self, REPORT, Way};
use super::{End, Ropasci360, State, text};
use ludex_core::{Game, Move, Player};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
enum Record {
    Game { result: String, n: usize, turns: Vec<TurnRecord> },
    End { b: String, t: [u8; 2], r: Option<String> },
    Heur(Heur),
}

#[derive(Deserialize)]
struct TurnRecord {
    /// Both actions.
    u: String,
    l: String,
    /// How many legal actions each had, and on some turns which.
    nu: usize,
    nl: usize,
    lu: Option<Vec<String>>,
    ll: Option<Vec<String>>,
    /// The board and the throws used afterwards, and how often that configuration has come up.
    b: String,
    t: [u8; 2],
    rep: u32,
}

#[derive(Deserialize)]
struct Heur {
    side: String,
    b: String,
    t: [u8; 2],
    /// The heuristic value and its four terms.
    h: [f64; 5],
    n: usize,
    max: f64,
    best: Vec<String>,
}

/// Values agree to within this.
const TOLERANCE: f64 = 1e-7;
/// Moves whose values are closer than this are equally good.
const TIE: f64 = 1e-9;

/// Checks one line.
///
/// # Errors
/// The first difference, or why the line can't be read.
pub fn verify(game: &Ropasci360, line: &str) -> Result<(), String> {
    match serde_json::from_str(line).map_err(|e| format!("not a record: {e}"))? {
        Record::Game { result, n, turns } => replay(game, &result, n, &turns),
        Record::End { b, t, r } => {
            let state = text::parse_board(&b, t)?;
            compare("end", end_text(state.end()), r.as_deref().unwrap_or_default())
        }
        Record::Heur(record) => heuristic(game, &record),
    }
}

fn compare<T: PartialEq + std::fmt::Display + ?Sized>(
    what: &str,
    ours: &T,
    theirs: &T,
) -> Result<(), String> {
    match ours == theirs {
        true => Ok(()),
        false => Err(format!("{what}: `{ours}`, recorded `{theirs}`")),
    }
}

/// The referee's words.
fn end_text(end: End) -> &'static str {
    match end {
        End::Not => "",
        End::Upper => "winner: upper",
        End::Lower => "winner: lower",
        End::Empty => "draw: no remaining tokens or throws",
        End::Invincible => "draw: both players have an invincible token",
        End::Repetition => "draw: same game state occurred for 3rd time",
        End::Turns => "draw: maximum number of turns reached",
    }
}

fn legal(game: &Ropasci360, state: &State, player: Player) -> Vec<(String, Move)> {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let mut named: Vec<_> = moves.into_iter().map(|mv| (game.move_text(mv), mv)).collect();
    named.sort();
    named
}

fn replay(game: &Ropasci360, result: &str, n: usize, turns: &[TurnRecord]) -> Result<(), String> {
    compare("turns", &turns.len(), &n)?;
    let mut state = game.start();
    for (i, turn) in turns.iter().enumerate() {
        let at = |error: String| format!("turn {}: {error}", i + 1);
        compare("end", end_text(state.end()), "").map_err(at)?;
        let mut joint = Vec::new();
        let sides = [
            (Player(0), &turn.u, turn.nu, &turn.lu, "upper's"),
            (Player(1), &turn.l, turn.nl, &turn.ll, "lower's"),
        ];
        for (player, action, count, list, whose) in sides {
            let legal = legal(game, &state, player);
            compare(&format!("{whose} legal actions"), &legal.len(), &count).map_err(at)?;
            if let Some(list) = list {
                let ours: Vec<&str> = legal.iter().map(|(name, _)| name.as_str()).collect();
                let mut theirs: Vec<&str> = list.iter().map(String::as_str).collect();
                theirs.sort_unstable();
                compare(&format!("{whose} list"), &ours.join("; "), &theirs.join("; "))
                    .map_err(at)?;
            }
            let found = legal.iter().find(|(name, _)| name == action);
            let Some((_, mv)) = found else {
                return Err(at(format!("{whose} `{action}` is not legal")));
            };
            joint.push(*mv);
        }
        game.apply(&mut state, &joint);
        let theirs = text::parse_board(&turn.b, turn.t).map_err(at)?;
        compare("board", &text::board(&state), &text::board(&theirs)).map_err(at)?;
        for (player, whose) in ["upper's", "lower's"].into_iter().enumerate() {
            compare(&format!("{whose} throws"), &state.used[player], &turn.t[player])
                .map_err(at)?;
        }
        compare("repetitions", &state.repeats(), &turn.rep).map_err(at)?;
    }
    compare("result", end_text(state.end()), result)
}

fn heuristic(game: &Ropasci360, record: &Heur) -> Result<(), String> {
    let player = match record.side.as_str() {
        "upper" => Player(0),
        "lower" => Player(1),
        other => return Err(format!("no side `{other}`")),
    };
    let state = text::parse_board(&record.b, record.t)?;
    let ours = terms::of(&state, player);
    let sum = terms::value(&state, player, &REPORT, Way::Log);
    let names = ["value"].iter().chain(&terms::NAMES);
    for ((name, ours), theirs) in names.zip([sum].iter().chain(&ours)).zip(&record.h) {
        if (ours - theirs).abs() > TOLERANCE {
            return Err(format!("{name}: {ours}, recorded {theirs}"));
        }
    }
    let legal = legal(game, &state, player);
    compare("legal actions", &legal.len(), &record.n)?;
    let mut next = state.clone();
    let mut after = |mv: Move| {
        game.alone(&state, player, mv, &mut next);
        terms::value(&next, player, &REPORT, Way::Log)
    };
    let values: Vec<f64> = legal.iter().map(|&(_, mv)| after(mv)).collect();
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    if (most - record.max).abs() > TOLERANCE {
        return Err(format!("best value: {most}, recorded {}", record.max));
    }
    let best = legal.iter().zip(&values).filter(|(_, value)| most - **value <= TIE);
    let ours: Vec<&str> = best.map(|((name, _), _)| name.as_str()).collect();
    let mut theirs: Vec<&str> = record.best.iter().map(String::as_str).collect();
    theirs.sort_unstable();
    compare("best actions", &ours.join("; "), &theirs.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Spec;

    #[test]
    fn differences_are_named() {
        let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
        let check = |line: &str| verify(&game, line).unwrap_err();
        assert!(check("{}").starts_with("not a record"));
        let end = r#"{"k":"end","b":"4,-4=R","t":[9,9],"r":null}"#;
        assert_eq!(check(end), "end: `winner: upper`, recorded ``");
        let turn = r#"{"u":"T s 4 -2","l":"T r -4 3","nu":14,"nl":15,"b":"-","t":[1,1],"rep":1}"#;
        let played = format!(r#"{{"k":"game","result":"","n":1,"turns":[{turn}]}}"#);
        assert_eq!(check(&played), "turn 1: upper's legal actions: `15`, recorded `14`");
    }
}
