//! How games end, and with what ranks.

use std::sync::Arc;

use super::context::{Context, Registers};
use super::functions::{Bool, Int, Result, Who, ones};
use super::lower::{Lower, unsupported};
use crate::compile::{Ludeme, Value};

/// How a game ends for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Win,
    Loss,
    Draw,
}

/// What an end rule says.
pub(crate) enum Verdict {
    /// For some players.
    Result(Who, Outcome),
    /// For a team, and the other way round for all others.
    Team(Who, bool),
    /// The highest score wins, or the lowest.
    ByScore { scores: Vec<(Who, Int)>, misere: bool },
}

/// A rule of an end.
pub(crate) enum EndRule {
    /// If, then, else.
    If(Bool, Vec<EndRule>, Option<Verdict>),
    /// For each of some players.
    Each(Who, Bool, Verdict),
}

/// Judges by a rule: did it say anything?
pub(crate) fn judge(c: &mut Context<'_>, rule: &EndRule) -> bool {
    if c.state.s.over {
        return false;
    }
    match rule {
        EndRule::If(condition, inner, verdict) => {
            if !condition(c) {
                return false;
            }
            // The first that says something; else what holds anyway.
            if inner.iter().any(|rule| judge(c, rule)) {
                return true;
            }
            if let Some(verdict) = verdict {
                pronounce(c, verdict);
            }
            verdict.is_some()
        }
        EndRule::Each(who, condition, verdict) => {
            let who = who.get(c);
            let before = c.state.s.active;
            let mut any = false;
            for player in ones(who) {
                let at = Registers { player: player as i32, ..c.at };
                let holds = c.with(at, |c| condition(c));
                if holds && !c.state.s.over {
                    c.with(at, |c| pronounce(c, verdict));
                    any = true;
                }
            }
            // Players who lose at the same time share their ranks (decided by Three-Player Hex). Players who win at the same
            // time do so one after the other (decided by Sig wa Duqqan (Houmt Taourit)).
            let out = before & !c.state.s.active;
            if out.count_ones() > 1 && matches!(verdict, Verdict::Result(_, Outcome::Loss)) {
                let sum: f32 = ones(out).map(|p| c.state.rank[p]).sum();
                let mean = sum / out.count_ones() as f32;
                ones(out).for_each(|p| c.state.rank[p] = mean);
            }
            any
        }
    }
}

fn pronounce(c: &mut Context<'_>, verdict: &Verdict) {
    let players = c.equipment.players;
    match verdict {
        Verdict::ByScore { scores, misere } => {
            let layout = c.rules.layout;
            for (who, score) in scores {
                let who = who.get(c);
                for player in ones(who).filter(|&p| p >= 1 && p <= players) {
                    let at = Registers { player: player as i32, ..c.at };
                    let score = c.with(at, |c| score.get(c));
                    c.state.numbers[layout.score(player)] = score;
                }
            }
            let sign = if *misere { -1 } else { 1 };
            for p in 1..=players {
                let score = |p: usize| sign * c.state.numbers[layout.score(p)];
                let better = (1..=players).filter(|&q| score(q) > score(p)).count();
                let equal = (1..=players).filter(|&q| score(q) == score(p)).count();
                c.state.rank[p] = 1.0 + better as f32 + (equal as f32 - 1.0) / 2.0;
            }
            c.state.s.over = true;
        }
        // All players of a team have the rank of the team, not a mean of ranks (decided by Pachisi).
        Verdict::Team(who, wins) => {
            let who = who.get(c);
            let won = |p: usize| (who >> p & 1 == 1) == *wins;
            let after = (1..=players).filter(|&p| won(p)).count() as f32 + 1.0;
            (1..=players).for_each(|p| c.state.rank[p] = if won(p) { 1.0 } else { after });
            c.state.s.over = true;
        }
        Verdict::Result(who, outcome) => {
            let who = who.get(c) & c.state.s.active;
            let n = who.count_ones() as f32;
            match outcome {
                Outcome::Draw => return draw(c),
                Outcome::Win => {
                    let rank = best_free(c) + (n - 1.0) / 2.0;
                    ones(who).for_each(|p| c.state.rank[p] = rank);
                    c.state.s.won |= who;
                }
                // Alone at the table there is no rank to share.
                Outcome::Loss if players == 1 => {
                    c.state.s.over = true;
                    return;
                }
                Outcome::Loss => {
                    // If all players lose, all are last (decided by Safe Passage).
                    let shared = if who == c.state.s.active { 0.0 } else { (n - 1.0) / 2.0 };
                    let rank = worst_free(c) - shared;
                    ones(who).for_each(|p| c.state.rank[p] = rank);
                }
            }
            c.state.s.active &= !who;
            let left = c.state.s.active;
            if left.count_ones() <= 1 {
                if left != 0 {
                    // Alone at the table: a single player plays on.
                    if players == 1 {
                        return;
                    }
                    let last = left.trailing_zeros() as usize;
                    c.state.rank[last] = best_free(c);
                }
                c.state.s.over = true;
            }
        }
    }
}

/// Has somebody this rank, or share some it?
fn taken(c: &Context<'_>, rank: usize) -> bool {
    let ranks = &c.state.rank[1..];
    ranks.iter().filter(|&&r| r > 0.0).any(|&r| {
        let sharing = ranks.iter().filter(|&&other| other == r).count();
        (r - rank as f32).abs() < sharing as f32 / 2.0
    })
}

/// The best rank that nobody has.
fn best_free(c: &Context<'_>) -> f32 {
    (1..=c.equipment.players).find(|&rank| !taken(c, rank)).unwrap_or(1) as f32
}

fn worst_free(c: &Context<'_>) -> f32 {
    (1..=c.equipment.players).rev().find(|&rank| !taken(c, rank)).unwrap_or(1) as f32
}

pub(crate) fn draw(c: &mut Context<'_>) {
    c.state.s.over = true;
    // Alone at the table there is no rank to share.
    if c.equipment.players == 1 {
        return;
    }
    let (best, worst) = (best_free(c), worst_free(c));
    for player in ones(c.state.s.active) {
        c.state.rank[player] = (best + worst) / 2.0;
    }
}

impl Lower<'_> {
    /// The rules of an end that are supported; the others are reported.
    pub(crate) fn end(&mut self, l: &Arc<Ludeme>) -> Vec<EndRule> {
        let rules = l.arg(0).map_or(&[][..], Value::items);
        let rules = rules.iter().filter_map(|value| {
            let rule = self.end_rule(value, l);
            self.keep(rule)
        });
        rules.collect()
    }

    fn end_rule(&mut self, value: &Value, of: &Ludeme) -> Result<EndRule> {
        let Value::Call(l) = value else { return Err(unsupported(of)) };
        let verdict = match l.typed("result") {
            Some(Value::Call(result)) => Some(self.verdict(result)?),
            _ => None,
        };
        match l.signature().keyword.as_str() {
            "if" => {
                let condition = self.bool_at(l, 0)?;
                let inner = match l.arg(1) {
                    Some(Value::List(list)) => {
                        list.iter().map(|v| self.end_rule(v, l)).collect::<Result<_>>()?
                    }
                    Some(value @ Value::Call(_)) => vec![self.end_rule(value, l)?],
                    _ => Vec::new(),
                };
                Ok(EndRule::If(condition, inner, verdict))
            }
            "forEach" => {
                let each = Value::Word("Each".into());
                let who = match l.arg(0) {
                    None => self.roles(&each, l)?,
                    Some(Value::Word(word)) if word == "Player" => self.roles(&each, l)?,
                    Some(value @ Value::Word(_)) => self.roles(value, l)?,
                    _ => return Err(unsupported(l)),
                };
                let condition = self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
                Ok(EndRule::Each(who, condition, verdict.ok_or_else(|| unsupported(l))?))
            }
            _ => Err(unsupported(l)),
        }
    }

    fn verdict(&mut self, l: &Ludeme) -> Result<Verdict> {
        match l.signature().keyword.as_str() {
            "byScore" => {
                let mut scores = Vec::new();
                if let Some(Value::List(list)) = l.arg(0) {
                    for score in list {
                        let Value::Call(score) = score else { return Err(unsupported(l)) };
                        let who = self.roles(score.arg(0).ok_or_else(|| unsupported(l))?, score)?;
                        scores.push((who, self.int_at(score, 1)?));
                    }
                }
                Ok(Verdict::ByScore { scores, misere: Self::flag(l, "misere") })
            }
            "result" => {
                let who = self.roles(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let outcome = match l.arg(1).and_then(Value::word) {
                    Some("Win") => Outcome::Win,
                    Some("Loss") => Outcome::Loss,
                    Some("Draw" | "Tie") => Outcome::Draw,
                    _ => return Err(unsupported(l)),
                };
                let team =
                    l.arg(0).and_then(Value::word).is_some_and(|word| word.starts_with("Team"));
                Ok(match outcome {
                    Outcome::Draw => Verdict::Result(who, outcome),
                    _ if team => Verdict::Team(who, outcome == Outcome::Win),
                    _ => Verdict::Result(who, outcome),
                })
            }
            _ => Err(unsupported(l)),
        }
    }
}
