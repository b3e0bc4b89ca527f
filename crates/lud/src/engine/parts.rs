//! The parts of moves: `(from …)`, `(to …)`, `(between …)`, `(apply …)` and ranges.

use super::action::{Action, Kind, Moves, NONE};
use super::context::{Context, Registers};
use super::functions::{Int, Region, Result};
use super::lower::Lower;
use super::moves::Generator;
use super::test::{Test, holds};
use crate::compile::{Ludeme, Value};

/// What applies to a site: under a condition, an effect.
pub(crate) struct Apply {
    pub(crate) condition: Option<Test>,
    pub(crate) effect: Option<Generator>,
    /// Is the condition one on the move even where there is an effect?
    pub(crate) strict: bool,
}

impl Apply {
    /// Appends its actions to the move that is being made, and its consequences to those that the move has;
    /// `None` where the move may not be.
    pub(crate) fn run(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        mut then: u32,
        out: &mut Moves,
    ) -> Option<u32> {
        // A condition alone is one on the move; with an effect it is one on the effect.
        if !holds(self.condition.as_ref(), c, at) {
            return (self.effect.is_some() && !self.strict).then_some(then);
        }
        if let Some(effect) = &self.effect {
            let mut made = c.moves();
            c.with(at, |c| effect(c, &mut made));
            for &head in &made.heads {
                out.actions.extend_from_slice(made.actions(head));
                then = out.chained_to(then, &made, head.then);
            }
            c.free_moves(made);
        }
        Some(then)
    }
}

/// The part `(to …)` of a move.
pub(crate) struct To {
    pub(crate) region: Option<Region>,
    pub(crate) condition: Option<Test>,
    pub(crate) apply: Option<Apply>,
    pub(crate) level: Option<Int>,
    /// Is nothing taken but what is on the site?
    pub(crate) narrow: bool,
}

/// How a piece goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gait {
    /// Alone.
    Piece,
    /// With what lies under it.
    Stack,
}

impl To {
    /// May a move to a site be one that is wanted?
    #[inline]
    pub(crate) fn aims(&self, site: i32, out: &Moves) -> bool {
        out.target < 0 || site == out.target || !self.narrow
    }

    /// Is the condition met?
    pub(crate) fn allows(&self, c: &mut Context<'_>, at: Registers) -> bool {
        holds(self.condition.as_ref(), c, at)
    }

    /// Appends what applies to a site; `None` where it may not, else a chain of consequences.
    pub(crate) fn applies(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        out: &mut Moves,
    ) -> Option<u32> {
        match &self.apply {
            Some(apply) => apply.run(c, at, NONE, out),
            None => Some(NONE),
        }
    }

    /// Appends the move of a piece to a site, if it may go there.
    pub(crate) fn go(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        gait: Gait,
        out: &mut Moves,
    ) -> bool {
        self.allows(c, at) && self.go_on(c, at, gait, out)
    }

    /// The same where the condition has been looked at.
    pub(crate) fn go_on(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        gait: Gait,
        out: &mut Moves,
    ) -> bool {
        let first = out.actions.len();
        let Some(then) = self.applies(c, at, out) else {
            out.actions.truncate(first);
            return false;
        };
        self.close(c, at, gait, first, then, out);
        true
    }

    /// Ends a move whose effects are already there.
    pub(crate) fn close(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        gait: Gait,
        first: usize,
        then: u32,
        out: &mut Moves,
    ) {
        let (from, to) = (at.from, at.to);
        let level = at.level as i16;
        let onto = match &self.level {
            Some(level) => c.with(at, |c| level.get(c)) as i16,
            None => -1,
        };
        out.actions.push(match gait {
            Gait::Piece => Action::Move { from, level, to, onto },
            Gait::Stack => Action::MoveStack { from, level: 0, to },
        });
        let head = out.close(first, c.state.s.mover, Kind::Go, from, to);
        head.then = then;
        head.level = level;
    }
}

/// The part `(from …)` of a move.
pub(crate) struct From {
    pub(crate) region: Region,
    condition: Option<Test>,
    pub(crate) level: Option<Int>,
    /// Is the site given, not taken from a piece that is being looked at?
    named: bool,
}

impl From {
    /// Is it `(from)`, whatever that is?
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.region, Region::One(Int::From))
            && self.condition.is_none()
            && self.level.is_none()
            && !self.named
    }

    /// Goes over the sites where a move may begin.
    pub(crate) fn each(
        &self,
        c: &mut Context<'_>,
        out: &mut Moves,
        mut f: impl FnMut(&mut Context<'_>, Registers, &mut Moves),
    ) {
        self.region.each(c, |c, from| {
            let mut at = Registers { from, ..c.at };
            let level = match &self.level {
                Some(level) => c.with(at, |c| level.get(c)),
                None if self.named => super::state::OFF,
                None => at.level,
            };
            at.level = level;
            let asked = Registers { to: from, ..at };
            if holds(self.condition.as_ref(), c, asked) {
                f(c, at, out);
            }
            !out.full()
        });
    }
}

/// Both ends of a range.
pub(crate) struct Bounds {
    pub(crate) least: Option<Int>,
    pub(crate) most: Option<Int>,
    /// Are both the same?
    pub(crate) exact: bool,
}

impl Bounds {
    /// No bounds.
    pub(crate) const NONE: Bounds = Bounds { least: None, most: None, exact: false };
}

impl Lower<'_> {
    pub(crate) fn to(&mut self, l: &Ludeme) -> Result<To> {
        let Some(Value::Call(to)) = l.typed("to") else {
            return Ok(To {
                region: None,
                condition: None,
                apply: None,
                level: None,
                narrow: true,
            });
        };
        self.same_site_type(to)?;
        self.refuse(to, &[])?;
        if to.typed("rotations").is_some() {
            return Err(super::lower::unsupported(to));
        }
        let region = match to.typed("region").or(to.typed("int")) {
            Some(value) => Some(self.region(value, to)?),
            None => None,
        };
        let condition = self.optional_test(to, "if")?;
        let apply = self.apply(to)?;
        let level = self.optional_int(to, "level")?;
        let narrow = match to.typed("apply") {
            Some(Value::Call(apply)) => apply.typed("effect").is_none_or(narrow),
            _ => true,
        };
        Ok(To { region, condition, apply, level, narrow })
    }

    pub(crate) fn apply(&mut self, of: &Ludeme) -> Result<Option<Apply>> {
        let Some(Value::Call(apply)) = of.typed("apply") else { return Ok(None) };
        let condition = self.optional_test(apply, "if")?;
        let effect = match apply.typed("effect") {
            Some(value) => Some(self.moves(value, apply)?),
            None => None,
        };
        Ok(Some(Apply { condition, effect, strict: false }))
    }

    /// Where moves begin: the sites of `(from …)`, or `(from)`.
    pub(crate) fn from(&mut self, l: &Ludeme) -> Result<From> {
        let Some(Value::Call(from)) = l.typed("from") else {
            let region = Region::One(Int::From);
            return Ok(From { region, condition: None, level: None, named: false });
        };
        self.same_site_type(from)?;
        let region = match from.typed("region").or(from.typed("int")) {
            Some(value) => self.region(value, from)?,
            None => Region::One(Int::From),
        };
        let level = self.optional_int(from, "level")?;
        let named = from.typed("region").or(from.typed("int")).is_some();
        Ok(From { region, condition: self.optional_test(from, "if")?, level, named })
    }

    /// A move begins on a site.
    pub(crate) fn origin_at(&self, site: Int) -> From {
        From { region: Region::One(site), condition: None, level: None, named: false }
    }

    pub(crate) fn range(&mut self, l: &Ludeme) -> Result<Bounds> {
        let Some(Value::Call(range)) = l.typed("range") else {
            return Ok(Bounds::NONE);
        };
        self.bounds(range)
    }

    pub(crate) fn bounds(&mut self, range: &Ludeme) -> Result<Bounds> {
        let mut bound = |slot: usize| match range.arg(slot) {
            Some(value) => self.int(value, range).map(Some),
            None => Ok(None),
        };
        let (least, most) = match range.signature().keyword.as_str() {
            "range" => match bound(1)? {
                Some(most) => (bound(0)?, Some(most)),
                None => (bound(0)?, bound(0)?),
            },
            "exact" => (bound(0)?, bound(0)?),
            "max" => (None, bound(0)?),
            _ => (bound(0)?, None),
        };
        let exact = match range.signature().keyword.as_str() {
            "range" => range.arg(1).is_none(),
            word => word == "exact",
        };
        Ok(Bounds { least, most, exact })
    }
}

/// Does an effect take nothing but what is on `(to)`?
fn narrow(effect: &Value) -> bool {
    let Value::Call(l) = effect else { return true };
    let mut parts = l.values();
    match l.signature().keyword.as_str() {
        "remove" => parts.next().is_some_and(
            |at| matches!(at, Value::Call(to) if to.signature().keyword == "to" && to.arg(0).is_none()),
        ),
        "if" => parts.skip(1).all(narrow),
        "and" | "or" | "seq" => parts.all(|part| match part {
            Value::List(list) => list.iter().all(narrow),
            part => narrow(part),
        }),
        "add" | "set" | "moveAgain" | "addScore" | "promote" | "trigger" | "then" => true,
        _ => false,
    }
}
