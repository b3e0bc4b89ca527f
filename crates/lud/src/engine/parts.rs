//! The parts of moves: `(from …)`, `(to …)`, `(between …)`, `(apply …)` and ranges.

use super::action::{Action, Move};
use super::context::{Context, Registers};
use super::functions::{Function, Result};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use crate::compile::{Ludeme, Value};

/// An end of a range, where there is one.
pub(super) type Bound = Option<Function<i32>>;

/// What applies to a site: under a condition, an effect.
pub(super) type Apply = (Option<Function<bool>>, Option<Generator>);

/// The part `(to …)` of a move.
pub(super) struct To {
    pub(super) region: Option<Function<Vec<i32>>>,
    pub(super) condition: Option<Function<bool>>,
    pub(super) apply: Option<Apply>,
}

impl To {
    /// Checks the condition for a site, and appends what applies to it.
    pub(super) fn allows(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        effects: &mut Vec<Action>,
    ) -> bool {
        self.condition.as_ref().is_none_or(|f| c.with(at, |c| f(c))) && self.applies(c, at, effects)
    }

    /// Appends what applies to a site; false where it may not.
    pub(super) fn applies(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        effects: &mut Vec<Action>,
    ) -> bool {
        c.with(at, |c| {
            let Some((condition, effect)) = &self.apply else { return true };
            if condition.as_ref().is_some_and(|f| !f(c)) {
                return false;
            }
            if let Some(effect) = effect {
                let mut out = Vec::new();
                effect(c, &mut out);
                effects.extend(out.into_iter().flat_map(|m| m.actions));
            }
            true
        })
    }

    /// Appends the move of a piece to a site, if it may go there.
    pub(super) fn go(&self, c: &mut Context<'_>, from: i32, site: i32, out: &mut Vec<Move>) {
        let mut actions = Vec::new();
        if self.allows(c, Registers { from, to: site, ..c.at }, &mut actions) {
            actions.push(Action::Move { from, to: site });
            out.push(Move { mover: c.state.mover, from, to: site, actions, then: Vec::new() });
        }
    }
}

impl Lower<'_> {
    pub(super) fn to(&mut self, l: &Ludeme) -> Result<To> {
        let Some(Value::Call(to)) = l.typed("to") else {
            return Ok(To { region: None, condition: None, apply: None });
        };
        self.same_site_type(to)?;
        if to.labelled("level").is_some() || to.typed("rotations").is_some() {
            return Err(unsupported(to));
        }
        let region = match to.typed("region").or(to.typed("int")) {
            Some(value) => Some(self.region(value, to)?),
            None => None,
        };
        let condition = match to.labelled("if") {
            Some(value) => Some(self.bool(value, to)?),
            None => None,
        };
        let apply = self.apply(to)?;
        Ok(To { region, condition, apply })
    }

    pub(super) fn apply(&mut self, of: &Ludeme) -> Result<Option<Apply>> {
        let Some(Value::Call(apply)) = of.typed("apply") else { return Ok(None) };
        let condition = match apply.labelled("if") {
            Some(value) => Some(self.bool(value, apply)?),
            None => None,
        };
        let effect = match apply.typed("effect") {
            Some(value) => Some(self.moves(value, apply)?),
            None => None,
        };
        Ok(Some((condition, effect)))
    }

    /// Where moves begin: the sites of `(from …)`, or `(from)`.
    pub(super) fn from(&mut self, l: &Ludeme) -> Result<Function<Vec<i32>>> {
        let Some(Value::Call(from)) = l.typed("from") else {
            return Ok(Box::new(|c| vec![c.at.from]));
        };
        self.same_site_type(from)?;
        if from.labelled("level").is_some() {
            return Err(unsupported(from));
        }
        let region = match from.typed("region").or(from.typed("int")) {
            Some(value) => self.region(value, from)?,
            None => Box::new(|c: &mut Context<'_>| vec![c.at.from]),
        };
        let condition = match from.labelled("if") {
            Some(value) => Some(self.bool(value, from)?),
            None => None,
        };
        Ok(Box::new(move |c| {
            let sites = region(c);
            match &condition {
                None => sites,
                Some(f) => sites
                    .into_iter()
                    .filter(|&from| {
                        let at = Registers { from, site: from, ..c.at };
                        c.with(at, |c| f(c))
                    })
                    .collect(),
            }
        }))
    }

    pub(super) fn range(&mut self, l: &Ludeme) -> Result<(Bound, Bound)> {
        let Some(Value::Call(range)) = l.typed("range") else { return Ok((None, None)) };
        let mut bound = |slot: usize| match range.arg(slot) {
            Some(value) => self.int(value, range).map(Some),
            None => Ok(None),
        };
        Ok(match range.signature().keyword.as_str() {
            "range" => {
                let low = bound(0)?;
                let high = bound(1)?;
                match high {
                    Some(high) => (low, Some(high)),
                    None => (low, bound(0)?),
                }
            }
            "exact" => (bound(0)?, bound(0)?),
            "max" => (None, bound(0)?),
            "min" => (bound(0)?, None),
            _ => return Err(unsupported(range)),
        })
    }
}
