//! Comparing an engine with recorded play of an independent prover.
//!
//! A trace is text, one JSON object a line: first `{"roles":[..]}`, then per state `playout`,
//! `ply`, `state` (facts), `terminal`, and either `goals` or `legal` and `joint`.

use serde_json::Value;
use std::time::Instant;

use crate::engines::patience::Patience;
use crate::engines::reasoner::{Reasoner, State, normal_text};

/// The numbers of compared facts, and the differences.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// States compared.
    pub states: usize,
    /// Steps compared with the recorded successor.
    pub steps: usize,
    /// Time ran out before the end of the trace.
    pub cut_short: bool,
    /// The differences, at most `MAX_DIFFERENCES`.
    pub differences: Vec<String>,
}

impl Report {
    /// Nothing differed, and something was compared.
    pub fn passed(&self) -> bool {
        self.states > 0 && self.differences.is_empty()
    }
}

/// After so many differences a trace is given up.
pub(crate) const MAX_DIFFERENCES: usize = 10;

/// Replays a trace.
pub fn verify_trace(engine: &dyn Reasoner, trace: &str) -> Report {
    verify_until(engine, trace, None)
}

/// Replays a trace until some time; slow engines on large games compare what they come to. An
/// engine with `Patience` is stopped in the middle of an answer,
/// which then does not count.
pub fn verify_until(engine: &dyn Reasoner, trace: &str, end: Option<Instant>) -> Report {
    let patience = engine.patience();
    if let Some(patience) = patience {
        patience.until(end);
    }
    let report = replay(engine, trace, end);
    if let Some(patience) = patience {
        patience.until(None);
    }
    report
}

fn replay(engine: &dyn Reasoner, trace: &str, end: Option<Instant>) -> Report {
    let mut report = Report::default();
    let mut lines = trace.lines().enumerate();
    let roles = lines
        .next()
        .and_then(|(_, line)| serde_json::from_str::<Value>(line).ok())
        .map(|head| strings(&head["roles"]))
        .unwrap_or_default();
    let ours: Vec<String> = engine.roles().iter().map(|r| normal_text(r)).collect();
    if roles != ours {
        report.differences.push(format!("roles: recorded {roles:?}, ours {ours:?}"));
        return report;
    }
    // Where our own step led from the line before, to be compared with what was recorded.
    let mut led_to: Option<(Value, State)> = None;
    for (number, line) in lines {
        if report.differences.len() >= MAX_DIFFERENCES {
            break;
        }
        if end.is_some_and(|end| Instant::now() > end) {
            report.cut_short = true;
            break;
        }
        if line.trim().is_empty() {
            continue;
        }
        let Ok(record) = serde_json::from_str::<Value>(line) else {
            report.differences.push(format!("line {}: not JSON", number + 1));
            break;
        };
        let before = report.clone();
        led_to = check_line(engine, &record, number + 1, led_to, &mut report);
        if engine.patience().is_some_and(Patience::lost) {
            report = Report { cut_short: true, ..before };
            break;
        }
    }
    report
}

fn strings(list: &Value) -> Vec<String> {
    let items = list.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(Value::as_str).map(normal_text).collect()
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort_unstable();
    list.dedup();
    list
}

fn check_line(
    engine: &dyn Reasoner,
    record: &Value,
    line: usize,
    led_to: Option<(Value, State)>,
    report: &mut Report,
) -> Option<(Value, State)> {
    let recorded = sorted(strings(&record["state"]));
    let facts =
        |state: &State| sorted(engine.facts(state).iter().map(|fact| normal_text(fact)).collect());
    let mut complain = |what: &str, recorded: &dyn std::fmt::Debug, ours: &dyn std::fmt::Debug| {
        report
            .differences
            .push(format!("line {line}: {what}: recorded {recorded:?}, ours {ours:?}"));
    };
    report.states += 1;
    let state = match engine.state_of(&recorded) {
        Ok(state) => state,
        Err(fact) => {
            complain("state", &fact, &"no such fact");
            return None;
        }
    };
    // A playout begins with the first state, and goes on where our step led.
    let reached = match led_to {
        Some((playout, state)) if playout == record["playout"] => {
            report.steps += 1;
            Some(facts(&state))
        }
        _ if record["ply"] == 0 => Some(facts(&engine.start())),
        _ => None,
    };
    if let Some(reached) = reached
        && reached != recorded
    {
        let (lost, extra) = difference(&recorded, &reached);
        complain("state", &lost, &extra);
    }
    let terminal = engine.terminal(&state);
    if record["terminal"] != Value::Bool(terminal) {
        complain("terminal", &record["terminal"], &terminal);
    }
    if let Some(goals) = record["goals"].as_array() {
        for (role, goal) in goals.iter().enumerate() {
            let mut ours = Vec::new();
            engine.goals(&state, role, &mut ours);
            if !matches!(ours.as_slice(), [one] if goal.as_u64() == Some(u64::from(*one))) {
                complain("goal", goal, &ours);
            }
        }
    }
    let legal = record["legal"].as_array()?;
    let joint = strings(&record["joint"]);
    let mut moves = Vec::new();
    for (role, recorded) in legal.iter().enumerate() {
        let recorded = sorted(strings(recorded));
        let mut list = Vec::new();
        engine.legal(&state, role, &mut list);
        let texts: Vec<String> =
            list.iter().map(|&mv| normal_text(&engine.move_text(mv))).collect();
        moves.extend(texts.iter().position(|t| Some(t) == joint.get(role)).map(|at| list[at]));
        let ours = sorted(texts);
        if ours != recorded || ours.len() != list.len() {
            let (lost, extra) = difference(&recorded, &ours);
            complain(&format!("legal moves of role {role}"), &lost, &extra);
        }
    }
    if moves.len() != engine.roles().len() {
        return None;
    }
    let mut after = state;
    engine.advance(&mut after, &moves);
    Some((record["playout"].clone(), after))
}

/// The lines of the first list alone, and those of the second alone.
fn difference(a: &[String], b: &[String]) -> (Vec<String>, Vec<String>) {
    let without = |a: &[String], b: &[String]| {
        a.iter().filter(|x| !b.contains(x)).take(5).cloned().collect::<Vec<_>>()
    };
    (without(a, b), without(b, a))
}
