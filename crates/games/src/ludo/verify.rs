//! Comparing with games, steps and values of the paper's engine, one JSON object a line.

use super::frame::{self, Frame};
use super::track::{self, HOME, Tokens};
use super::values::Kind;
use super::{Stars, vulnerability};
use serde::Deserialize;

type Flat = [i8; 16];

#[derive(Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
enum Record {
    Game { v: String, winner: usize, n: usize, turns: Vec<Played> },
    Step { v: String, s: Flat, d: u8, n: [Option<Flat>; 4] },
    Rel { s: Flat, p: usize, r: Flat },
    Vuln { v: String, s: Flat, n: [u8; 4] },
    Eval(Eval),
    Smart { v: String, s: Flat, d: u8, t: usize },
}

/// A turn: the throw and -1 where nothing could move, else the throw, the token, a bit for every
/// token that could move, and the position afterwards.
#[derive(Deserialize)]
#[serde(untagged)]
enum Played {
    Moved(u8, usize, u8, Flat),
    Passed(u8, #[expect(dead_code, reason = "always -1")] i8),
}

#[derive(Deserialize)]
struct Eval {
    v: String,
    pl: String,
    c: Genes,
    s: Flat,
    d: u8,
    a: [f64; 4],
    t: usize,
}

/// A chromosome, or the seed of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Genes {
    Listed(Vec<f64>),
    Seed(u64),
}

/// Values agree to within this.
const TOLERANCE: f64 = 1e-6;

/// Checks one line.
///
/// # Errors
/// The first difference, or why the line can't be read.
pub fn verify(line: &str) -> Result<(), String> {
    match serde_json::from_str(line).map_err(|e| format!("not a record: {e}"))? {
        Record::Game { v, winner, n, turns } => game(stars(&v)?, winner, n, &turns),
        Record::Step { v, s, d, n } => {
            let theirs = n.map(|state| state.map(rows));
            let ours = successors(&rows(s), d, stars(&v)?);
            compare("successors", &ours, &theirs)
        }
        Record::Rel { s, p, r } => compare("frame", &frame::turned(&rows(s), p), &rows(r)),
        Record::Vuln { v, s, n } => {
            compare("vulnerability", &vulnerability::of(&rows(s), stars(&v)?), &n)
        }
        Record::Eval(record) => eval(&record),
        Record::Smart { v, s, d, t } => {
            let next = successors(&rows(s), d, stars(&v)?);
            let ours = super::values::smart(&rows(s), d, &next);
            compare("smart's token", &ours, &Some(t))
        }
    }
}

fn stars(version: &str) -> Result<Stars, String> {
    match version {
        "perf" => Ok(Stars::Paper),
        "master" => Ok(Stars::Fixed),
        other => Err(format!("no version `{other}`")),
    }
}

fn rows(flat: Flat) -> Frame {
    let mut frame = Frame::default();
    frame.iter_mut().zip(flat.chunks_exact(4)).for_each(|(row, four)| row.copy_from_slice(four));
    frame
}

fn compare<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, theirs: &T) -> Result<(), String> {
    match ours == theirs {
        true => Ok(()),
        false => Err(format!("{what}: {ours:?}, recorded {theirs:?}")),
    }
}

/// The positions after each token's move. Synthetic positions may hold what no game does: then
/// the tokens can't be read, and no successor is given.
fn successors(state: &Frame, die: u8, stars: Stars) -> [Option<Frame>; 4] {
    let Some(tokens) = frame::read(state, 0) else { return [None; 4] };
    [0, 1, 2, 3].map(|token| {
        track::can_move(&tokens, 0, token, die).then(|| {
            let mut next = tokens;
            track::step(&mut next, 0, token, die, stars);
            frame::seen_by(&next, 0)
        })
    })
}

fn game(stars: Stars, winner: usize, n: usize, turns: &[Played]) -> Result<(), String> {
    compare("turns", &turns.len(), &n)?;
    let mut tokens: Tokens = [[HOME; 4]; 4];
    let done = |tokens: &Tokens| (0..4).find(|&p| tokens[p] == [track::GOAL; 4]);
    for (i, turn) in turns.iter().enumerate() {
        let at = |error: String| format!("turn {}: {error}", i + 1);
        compare("winner", &done(&tokens), &None).map_err(at)?;
        let p = i % 4;
        let (die, token, mask) = match turn {
            Played::Moved(die, token, mask, _) => (*die, Some(*token), *mask),
            Played::Passed(die, _) => (*die, None, 0),
        };
        let legal = (0..4).filter(|&t| track::can_move(&tokens, p, t, die));
        compare("tokens that can move", &legal.fold(0u8, |set, t| set | 1 << t), &mask)
            .map_err(at)?;
        if let (Some(token @ 0..=3), Played::Moved(.., after)) = (token, turn) {
            track::step(&mut tokens, p, token, die, stars);
            compare("position", &frame::seen_by(&tokens, 0), &rows(*after)).map_err(at)?;
        }
    }
    compare("winner", &done(&tokens), &Some(winner))
}

fn eval(record: &Eval) -> Result<(), String> {
    let kind = match record.pl.as_str() {
        "simple" => Kind::Simple,
        "advanced" => Kind::Advanced,
        "full" => Kind::Full,
        other => return Err(format!("no player `{other}`")),
    };
    let genes = match &record.c {
        Genes::Listed(genes) => genes.clone(),
        Genes::Seed(seed) => (0..kind.genes() as u64)
            .map(|i| ((7919 * i + 104_729 * seed) % 2003) as f64 / 1001.0 - 1.0)
            .collect(),
    };
    let stars = stars(&record.v)?;
    let before = rows(record.s);
    let next = successors(&before, record.d, stars);
    let mut best: Vec<(f64, usize)> = Vec::new();
    for (token, (next, theirs)) in next.iter().zip(record.a).enumerate() {
        let Some(next) = next else { continue };
        let ours = kind.value(&genes, &before, next, stars);
        if (ours - theirs).abs() > TOLERANCE {
            return Err(format!("value of token {token}: {ours}, recorded {theirs}"));
        }
        best.push((ours, token));
    }
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let clear = best.get(1).is_none_or(|second| best[0].0 - second.0 > TOLERANCE);
    match best.first() {
        Some(&(_, token)) if clear => compare("token", &token, &record.t),
        _ => Ok(()),
    }
}
