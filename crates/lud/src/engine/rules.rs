//! The rules of a game, lowered: phases, the end, consequences.

use std::rc::Rc;

use super::end::EndRule;
use super::equipment::Equipment;
use super::functions::{Function, Result};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use crate::compile::{Ludeme, Value};
use crate::error::Fault;

/// A way to another phase: for whom, on what condition, and to which, the next one without a name.
pub(super) type NextPhase = (Option<Function<Vec<usize>>>, Option<Function<bool>>, Option<usize>);

/// A phase of a game.
pub(super) struct Phase {
    pub(super) play: Generator,
    pub(super) end: Vec<EndRule>,
    pub(super) next: Vec<NextPhase>,
    /// Only for this player.
    pub(super) owner: Option<usize>,
}

/// The rules.
pub struct Rules {
    pub(super) start: Vec<Generator>,
    pub(super) phases: Vec<Phase>,
    pub(super) end: Vec<EndRule>,
    /// By component: its moves.
    pub pieces: Vec<Option<Generator>>,
    pub(super) thens: Vec<Generator>,
    pub(super) vars: usize,
    pub(super) swap: bool,
    pub(super) starts: bool,
    pub(super) asks_moves: bool,
    /// Positions must not come again: with the mover counted, or without.
    pub(super) no_repeat: Option<bool>,
    /// By site: what stood there first, where rules ask for it.
    pub first: Vec<u16>,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rules({} phases)", self.phases.len())
    }
}

impl Rules {
    pub(super) fn new(game: &Rc<Ludeme>, equipment: &Equipment) -> Result<Rules> {
        let mut lower = Lower {
            equipment,
            game: game.clone(),
            vars: Vec::new(),
            thens: Vec::new(),
            pieces: Vec::new(),
            starts: false,
            asks_moves: false,
        };
        let rules = game.args.iter().flatten().find_map(|(_, v)| match v {
            Value::Call(l) if l.signature().keyword == "rules" => Some(l.clone()),
            _ => None,
        });
        let rules = rules.ok_or_else(|| Fault::new("L051", game.place, "a game needs rules"))?;
        let mut swap = false;
        let mut no_repeat = None;
        if let Some(Value::Call(meta)) = rules.typed("meta") {
            let list = match meta.arg(0) {
                Some(Value::List(list)) => list.clone(),
                Some(value) => vec![value.clone()],
                None => Vec::new(),
            };
            for rule in list {
                match rule {
                    Value::Call(l) if l.signature().keyword == "swap" => swap = true,
                    Value::Call(l) if l.signature().keyword == "no" => {
                        match (l.arg(0).and_then(Value::word), l.arg(1).and_then(Value::word)) {
                            (Some("Repeat"), None | Some("Positional")) => no_repeat = Some(false),
                            (Some("Repeat"), Some("Situational")) => no_repeat = Some(true),
                            _ => return Err(unsupported(&l)),
                        }
                    }
                    Value::Call(l) => return Err(unsupported(&l)),
                    _ => return Err(unsupported(meta)),
                }
            }
        }
        for component in &equipment.components {
            let moves = match &component.moves {
                Some(l) => Some(lower.moves(&Value::Call(l.clone()), l)?),
                None => None,
            };
            lower.pieces.push(moves);
        }
        let start = match rules.typed("start") {
            Some(Value::Call(l)) => lower.start(l)?,
            _ => Vec::new(),
        };
        let end = match rules.typed("end") {
            Some(Value::Call(l)) => lower.end(l)?,
            _ => Vec::new(),
        };
        let common = match rules.typed("play") {
            Some(Value::Call(l)) => Some(l.clone()),
            _ => None,
        };
        let mut phases = Vec::new();
        match rules.labelled("phases") {
            None => {
                let play = common.ok_or_else(|| unsupported(&rules))?;
                let play = lower.moves(play.arg(0).ok_or_else(|| unsupported(&play))?, &play)?;
                phases.push(Phase { play, end: Vec::new(), next: Vec::new(), owner: None });
            }
            Some(Value::List(list)) => {
                let names: Vec<String> = list
                    .iter()
                    .map(|v| match v {
                        Value::Call(l) => match l.arg(0) {
                            Some(Value::Str(name)) => name.clone(),
                            _ => String::new(),
                        },
                        _ => String::new(),
                    })
                    .collect();
                for value in list {
                    let Value::Call(l) = value else { return Err(unsupported(&rules)) };
                    phases.push(lower.phase(l, &names)?);
                }
            }
            _ => return Err(unsupported(&rules)),
        }
        let Lower { vars, thens, pieces, starts, asks_moves, .. } = lower;
        let vars = vars.len();
        let first = Vec::new();
        Ok(Rules {
            start,
            phases,
            end,
            pieces,
            thens,
            vars,
            swap,
            starts,
            asks_moves,
            no_repeat,
            first,
        })
    }
}

impl Lower<'_> {
    fn phase(&mut self, l: &Rc<Ludeme>, names: &[String]) -> Result<Phase> {
        if l.typed("mode").is_some() {
            return Err(unsupported(l));
        }
        let owner = match l.typed("roleType").and_then(Value::word) {
            None => None,
            Some(word) => match word.strip_prefix('P').and_then(|n| n.parse().ok()) {
                Some(player) => Some(player),
                None => return Err(unsupported(l)),
            },
        };
        let Some(Value::Call(play)) = l.typed("play") else { return Err(unsupported(l)) };
        let play = self.moves(play.arg(0).ok_or_else(|| unsupported(play))?, play)?;
        let end = match l.typed("end") {
            Some(Value::Call(end)) => self.end(end)?,
            _ => Vec::new(),
        };
        let mut next = Vec::new();
        let list: Vec<Rc<Ludeme>> = l
            .args
            .iter()
            .flatten()
            .flat_map(|(_, v)| match v {
                Value::Call(k) if k.signature().keyword == "nextPhase" => vec![k.clone()],
                Value::List(list) => list
                    .iter()
                    .filter_map(|v| match v {
                        Value::Call(k) if k.signature().keyword == "nextPhase" => Some(k.clone()),
                        _ => None,
                    })
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        for rule in list {
            let who = match rule.typed("roleType").or(rule.typed("player")) {
                Some(value) => Some(self.roles(value, &rule)?),
                None => None,
            };
            let condition = match rule.typed("boolean") {
                Some(value) => Some(self.bool(value, &rule)?),
                None => None,
            };
            let to = match rule.typed("string") {
                Some(Value::Str(name)) => {
                    Some(names.iter().position(|n| n == name).ok_or_else(|| unsupported(&rule))?)
                }
                _ => None,
            };
            next.push((who, condition, to));
        }
        Ok(Phase { play, end, next, owner })
    }
}
