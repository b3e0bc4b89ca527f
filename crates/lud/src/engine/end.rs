//! How games end, and with what ranks.

use super::args::Args;
use super::condition::Bool;
use super::context::{Context, Registers};
use super::functions::{Int, Result, Who, ones};
use super::lower::{Lower, unsupported};
use super::node::{Field, Node, Parts};
use crate::compile::{Ludeme, Value};
use crate::ludemes::Read;
use crate::ludemes::floats::Real;

/// How a game ends for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Win,
    Loss,
    Draw,
}

/// The result of an end rule.
pub(crate) enum Verdict {
    /// For some players.
    Result(Who, Outcome),
    /// For a team, and the other way round for all others.
    Team(Who, bool),
    /// The highest payoff wins.
    Payoffs(Vec<(Who, Real)>),
    /// The highest score wins, or the lowest.
    ByScore { scores: Vec<(Who, Int)>, misere: bool },
}

/// A rule of an end.
pub(crate) enum EndRule {
    /// If, then, else.
    If(Bool, Vec<EndRule>, Option<Verdict>),
    /// For each of some players.
    Each(Who, Bool, Verdict),
    /// For each track of the board.
    EachTrack(Bool, Verdict),
}

/// Judges by a rule: did it say anything?
pub(crate) fn judge(c: &mut Context<'_>, rule: &EndRule) -> bool {
    if c.state.s.over {
        return false;
    }
    match rule {
        EndRule::If(condition, inner, verdict) => {
            if !condition.holds(c) {
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
                let holds = condition.holds_at(c, at);
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
        EndRule::EachTrack(condition, verdict) => {
            let mut tracks = 0..c.equipment.tracks.len() as i32;
            let any = tracks.any(|track| condition.holds_at(c, Registers { track, ..c.at }));
            if any {
                pronounce(c, verdict);
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
            let sign = if *misere { -1.0 } else { 1.0 };
            let mut totals = [0.0; MOST_PLAYERS + 1];
            for (p, total) in totals.iter_mut().enumerate().take(players + 1).skip(1) {
                *total = sign * f64::from(c.state.numbers[layout.score(p)]);
            }
            rank_by(c, &totals);
        }
        Verdict::Payoffs(payoffs) => {
            let mut totals = [0.0; MOST_PLAYERS + 1];
            for (who, payoff) in payoffs {
                for player in ones(who.get(c)).filter(|&p| p >= 1 && p <= players) {
                    let at = Registers { player: player as i32, ..c.at };
                    totals[player] = c.with(at, |c| payoff.get(c));
                }
            }
            rank_by(c, &totals);
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

/// No game has more players.
const MOST_PLAYERS: usize = 16;

/// Ranks all players by numbers, the highest first. Equal numbers share their ranks.
fn rank_by(c: &mut Context<'_>, totals: &[f64; MOST_PLAYERS + 1]) {
    let players = &totals[1..=c.equipment.players.min(MOST_PLAYERS)];
    for (number, &own) in players.iter().enumerate() {
        let better = players.iter().filter(|&&other| other > own).count();
        let equal = players.iter().filter(|&&other| other == own).count();
        c.state.rank[number + 1] = 1.0 + better as f32 + (equal as f32 - 1.0) / 2.0;
    }
    c.state.s.over = true;
}

/// Does a player have this rank, or do several share it?
fn taken(c: &Context<'_>, rank: usize) -> bool {
    let ranks = &c.state.rank[1..];
    ranks.iter().filter(|&&r| r > 0.0).any(|&r| {
        let sharing = ranks.iter().filter(|&&other| other == r).count();
        (r - rank as f32).abs() < sharing as f32 / 2.0
    })
}

/// The best rank that is free.
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
    pub(crate) fn end(&mut self, end: &Ludeme) -> Vec<EndRule> {
        let rules = end.values().flat_map(Value::items);
        let rules = rules.filter_map(|value| {
            let rule = self.end_rule(value, end);
            self.keep(rule)
        });
        rules.collect()
    }

    fn end_rule(&mut self, value: &Value, of: &Ludeme) -> Result<EndRule> {
        let Value::Call(rule) = value else { return Err(unsupported(of)) };
        match rule.reader() {
            Some((form, Read::End(reader))) => self.read(rule, form, reader),
            _ => Err(unsupported(rule)),
        }
    }
}

impl Args<'_, '_, '_> {
    /// The result that a rule of an end pronounces, if it has one.
    pub(crate) fn verdict(&mut self) -> Result<Option<Verdict>> {
        let Some(Value::Call(result)) = self.take("result") else { return Ok(None) };
        match result.reader() {
            Some((form, Read::Verdict(reader))) => self.lower.read(result, form, reader).map(Some),
            _ => Err(unsupported(result)),
        }
    }

    /// The rules inside a rule of an end.
    pub(crate) fn end_rules(&mut self) -> Result<Vec<EndRule>> {
        let rules = self.take_any(&["if", "{if}"]).map_or(&[][..], Value::items);
        rules.iter().map(|rule| self.lower.end_rule(rule, self.ludeme)).collect()
    }
}

impl Field for Verdict {
    fn show(&self, out: &mut String) {
        match self {
            Verdict::Result(who, outcome) => {
                out.push_str("(result ");
                who.show(out);
                out.push_str(&format!(" {outcome:?})"));
            }
            Verdict::Team(who, wins) => {
                out.push_str("(result team ");
                who.show(out);
                out.push_str(if *wins { " Win)" } else { " Loss)" });
            }
            Verdict::Payoffs(payoffs) => {
                out.push_str("(payoffs ");
                payoffs.show(out);
                out.push(')');
            }
            Verdict::ByScore { scores, misere } => {
                out.push_str("(byScore ");
                scores.show(out);
                out.push_str(if *misere { " misere)" } else { ")" });
            }
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            Verdict::Result(who, _) | Verdict::Team(who, _) => who.nodes(visit),
            Verdict::ByScore { scores, .. } => scores.nodes(visit),
            Verdict::Payoffs(payoffs) => payoffs.nodes(visit),
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Verdict::Result(who, _) | Verdict::Team(who, _) => who.reads(),
            Verdict::ByScore { scores, .. } => scores.reads() | Parts::SCORES,
            Verdict::Payoffs(payoffs) => payoffs.reads(),
        }
    }
}

impl Field for EndRule {
    fn show(&self, out: &mut String) {
        match self {
            EndRule::If(condition, inner, verdict) => {
                out.push_str("(if ");
                condition.show(out);
                for rule in inner {
                    out.push(' ');
                    rule.show(out);
                }
                if let Some(verdict) = verdict {
                    out.push(' ');
                    verdict.show(out);
                }
            }
            EndRule::EachTrack(condition, verdict) => {
                out.push_str("(forEach Track if:");
                condition.show(out);
                out.push(' ');
                verdict.show(out);
            }
            EndRule::Each(who, condition, verdict) => {
                out.push_str("(forEach ");
                who.show(out);
                out.push_str(" if:");
                condition.show(out);
                out.push(' ');
                verdict.show(out);
            }
        }
        out.push(')');
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            EndRule::If(condition, inner, verdict) => {
                condition.nodes(visit);
                inner.nodes(visit);
                verdict.nodes(visit);
            }
            EndRule::EachTrack(condition, verdict) => {
                condition.nodes(visit);
                verdict.nodes(visit);
            }
            EndRule::Each(who, condition, verdict) => {
                who.nodes(visit);
                condition.nodes(visit);
                verdict.nodes(visit);
            }
        }
    }

    fn reads(&self) -> Parts {
        match self {
            EndRule::If(condition, inner, verdict) => {
                condition.reads() | inner.reads() | verdict.reads()
            }
            EndRule::EachTrack(condition, verdict) => condition.reads() | verdict.reads(),
            EndRule::Each(who, condition, verdict) => {
                who.reads() | condition.reads() | verdict.reads()
            }
        }
    }
}
