//! How games end, and with what ranks.

use std::rc::Rc;

use super::context::{Context, Registers};
use super::functions::{Function, Result};
use super::lower::{Lower, unsupported};
use crate::compile::{Ludeme, Value};

/// How a game ends for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Win,
    Loss,
    Draw,
}

/// What an end rule says.
pub(super) enum Verdict {
    /// For some players.
    Result(Function<Vec<usize>>, Outcome),
    /// The highest score wins, or the lowest.
    ByScore { scores: Vec<(Function<Vec<usize>>, Function<i32>)>, misere: bool },
}

/// A rule of an end.
pub(super) enum EndRule {
    /// If, then, else.
    If(Function<bool>, Vec<EndRule>, Option<Verdict>),
    /// For each of some players.
    Each(Function<Vec<usize>>, Function<bool>, Verdict),
}

pub(super) fn judge(c: &mut Context<'_>, rule: &EndRule) {
    if c.state.over {
        return;
    }
    match rule {
        EndRule::If(condition, inner, verdict) => {
            if condition(c) {
                inner.iter().for_each(|rule| judge(c, rule));
                if let Some(verdict) = verdict
                    && !c.state.over
                {
                    pronounce(c, verdict);
                }
            }
        }
        EndRule::Each(who, condition, verdict) => {
            for player in who(c) {
                let at = Registers { player: player as i32, ..c.at };
                let holds = c.with(at, |c| condition(c));
                if holds && !c.state.over {
                    c.with(at, |c| pronounce(c, verdict));
                }
            }
        }
    }
}

fn pronounce(c: &mut Context<'_>, verdict: &Verdict) {
    match verdict {
        Verdict::ByScore { scores, misere } => {
            for (who, score) in scores {
                for player in who(c) {
                    let at = Registers { player: player as i32, ..c.at };
                    let score = c.with(at, |c| score(c));
                    if let Some(slot) = c.state.score.get_mut(player) {
                        *slot = score;
                    }
                }
            }
            let players = c.equipment.players;
            let score = |p: usize| if *misere { -c.state.score[p] } else { c.state.score[p] };
            let ranks: Vec<f64> = (1..=players)
                .map(|p| {
                    let better = (1..=players).filter(|&q| score(q) > score(p)).count();
                    let equal = (1..=players).filter(|&q| score(q) == score(p)).count();
                    1.0 + better as f64 + (equal as f64 - 1.0) / 2.0
                })
                .collect();
            c.state.rank[1..].copy_from_slice(&ranks);
            c.state.over = true;
        }
        Verdict::Result(who, outcome) => {
            let who: Vec<usize> = who(c)
                .into_iter()
                .filter(|&p| p > 0 && p <= c.equipment.players && c.state.active[p])
                .collect();
            match outcome {
                Outcome::Draw => return draw(c),
                Outcome::Win => {
                    let rank = best_free(c) + (who.len() as f64 - 1.0) / 2.0;
                    who.iter().for_each(|&p| c.state.rank[p] = rank);
                }
                // Alone at the table there is no rank to share.
                Outcome::Loss if c.equipment.players == 1 => {
                    c.state.over = true;
                    return;
                }
                Outcome::Loss => {
                    let rank = worst_free(c) - (who.len() as f64 - 1.0) / 2.0;
                    who.iter().for_each(|&p| c.state.rank[p] = rank);
                }
            }
            who.iter().for_each(|&p| c.state.active[p] = false);
            let left: Vec<usize> =
                (1..=c.equipment.players).filter(|&p| c.state.active[p]).collect();
            if left.len() <= 1 {
                if let [last] = left[..] {
                    // Alone at the table: a single player plays on.
                    if c.equipment.players == 1 {
                        return;
                    }
                    c.state.rank[last] = best_free(c);
                }
                c.state.over = true;
            }
        }
    }
}

/// The best rank that nobody has.
fn best_free(c: &Context<'_>) -> f64 {
    let taken = |rank: usize| c.state.rank[1..].iter().any(|&r| (r - rank as f64).abs() < 0.25);
    (1..=c.equipment.players).find(|&rank| !taken(rank)).unwrap_or(1) as f64
}

fn worst_free(c: &Context<'_>) -> f64 {
    let taken = |rank: usize| c.state.rank[1..].iter().any(|&r| (r - rank as f64).abs() < 0.25);
    (1..=c.equipment.players).rev().find(|&rank| !taken(rank)).unwrap_or(1) as f64
}

pub(super) fn draw(c: &mut Context<'_>) {
    let open: Vec<usize> = (1..=c.equipment.players).filter(|&p| c.state.active[p]).collect();
    let (best, worst) = (best_free(c), worst_free(c));
    open.iter().for_each(|&p| c.state.rank[p] = (best + worst) / 2.0);
    c.state.over = true;
}

impl Lower<'_> {
    pub(super) fn end(&mut self, l: &Rc<Ludeme>) -> Result<Vec<EndRule>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.end_rule(v, l)).collect(),
            Some(value) => Ok(vec![self.end_rule(value, l)?]),
            None => Ok(Vec::new()),
        }
    }

    pub(super) fn end_rule(&mut self, value: &Value, of: &Ludeme) -> Result<EndRule> {
        let Value::Call(l) = value else { return Err(unsupported(of)) };
        let verdict = match l.typed("result") {
            Some(Value::Call(result)) => Some(self.verdict(result)?),
            _ => None,
        };
        match l.signature().keyword.as_str() {
            "if" => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
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
                let who: Function<Vec<usize>> = match l.arg(0) {
                    None => Box::new(|c| (1..=c.equipment.players).collect()),
                    Some(Value::Word(word)) if word == "Player" => {
                        Box::new(|c| (1..=c.equipment.players).collect())
                    }
                    Some(value @ Value::Word(_)) => self.roles(value, l)?,
                    _ => return Err(unsupported(l)),
                };
                let condition = self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
                Ok(EndRule::Each(who, condition, verdict.ok_or_else(|| unsupported(l))?))
            }
            _ => Err(unsupported(l)),
        }
    }

    pub(super) fn verdict(&mut self, l: &Ludeme) -> Result<Verdict> {
        match l.signature().keyword.as_str() {
            "byScore" => {
                let mut scores = Vec::new();
                if let Some(Value::List(list)) = l.arg(0) {
                    for score in list {
                        let Value::Call(score) = score else { return Err(unsupported(l)) };
                        let who = self.roles(score.arg(0).ok_or_else(|| unsupported(l))?, score)?;
                        let value = self.int(score.arg(1).ok_or_else(|| unsupported(l))?, score)?;
                        scores.push((who, value));
                    }
                }
                let misere = matches!(l.labelled("misere"), Some(Value::Bool(true)));
                Ok(Verdict::ByScore { scores, misere })
            }
            "result" => {
                let role = l.arg(0).ok_or_else(|| unsupported(l))?;
                let who = self.roles(role, l)?;
                let outcome = match l.arg(1).and_then(Value::word) {
                    Some("Win") => Outcome::Win,
                    Some("Loss") => Outcome::Loss,
                    Some("Draw" | "Tie") => Outcome::Draw,
                    _ => return Err(unsupported(l)),
                };
                Ok(Verdict::Result(who, outcome))
            }
            _ => Err(unsupported(l)),
        }
    }
}
