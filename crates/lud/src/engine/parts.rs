//! The parts of moves: `(from …)`, `(to …)`, `(between …)`, `(apply …)`, `(piece …)` and ranges.

use super::action::{Action, Kind, Moves, NONE};
use super::args::Args;
use super::condition::{Test, holds};
use super::context::{Context, Registers};
use super::functions::{Int, Ints, Region, Result};
use super::lower::unsupported;
use super::moves::Generator;
use super::node::{Field, inner, node};
use crate::compile::Value;
use crate::ludemes::Read;

node! {
    /// An effect on a site, under a condition.
    pub(crate) struct Apply = "apply" {
        pub(crate) condition: Option<Test>,
        pub(crate) effect: Option<Generator>,
        /// Is the condition one on the move even where there is an effect?
        pub(crate) strict: bool,
    }
}

inner!(Apply);

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
            c.with(at, |c| effect.generate(c, &mut made));
            for &head in &made.heads {
                out.actions.extend_from_slice(made.actions(head));
                then = out.chained_to(then, &made, head.then);
            }
            c.free_moves(made);
        }
        Some(then)
    }

    /// Appends what applies as effects of their own.
    pub(crate) fn run_alone(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        if !holds(self.condition.as_ref(), c, at) {
            return;
        }
        if let Some(effect) = &self.effect {
            c.with(at, |c| effect.generate(c, out));
        }
    }
}

node! {
    /// The part `(to …)` of a move.
    pub(crate) struct To = "to" {
        pub(crate) region: Option<Region>,
        pub(crate) condition: Option<Test>,
        pub(crate) apply: Option<Apply>,
        pub(crate) level: Option<Int>,
        /// The rotations in which a tile can be laid.
        pub(crate) rotations: Option<Ints>,
        /// Does the move capture nothing but the piece on the site?
        pub(crate) narrow: bool,
        /// Is the site given by a region?
        pub(crate) wide: bool,
        /// Is it written at all?
        pub(crate) given: bool,
    }
}

inner!(To);

/// How a piece goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gait {
    /// The piece without its stack.
    Piece,
    /// With what lies under it.
    Stack,
}

impl Field for Gait {
    fn show(&self, out: &mut String) {
        out.push_str(match self {
            Gait::Piece => "piece",
            Gait::Stack => "stack",
        });
    }
}

impl To {
    /// An end without conditions.
    pub(crate) const ANY: To = To {
        region: None,
        condition: None,
        apply: None,
        level: None,
        rotations: None,
        narrow: true,
        wide: false,
        given: false,
    };

    /// May a move to a site be one that is wanted?
    #[inline]
    pub(crate) fn aims(&self, site: i32, out: &Moves) -> bool {
        out.target < 0 || site == out.target || !self.narrow
    }

    /// Is the condition met?
    #[inline]
    pub(crate) fn allows(&self, c: &mut Context<'_>, at: Registers) -> bool {
        holds(self.condition.as_ref(), c, at)
    }

    /// Appends what applies to a site; `None` where it may not, else a chain of consequences.
    #[inline]
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
    #[inline]
    pub(crate) fn go(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        gait: Gait,
        out: &mut Moves,
    ) -> bool {
        self.allows(c, at) && self.go_on(c, at, gait, out)
    }

    /// Makes the move; the condition is known to hold.
    #[inline]
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

node! {
    /// The part `(from …)` of a move.
    pub(crate) struct From = "from" {
        pub(crate) region: Region,
        condition: Option<Test>,
        pub(crate) level: Option<Int>,
        /// Is the site given, not taken from a piece that is being looked at?
        named: bool,
        /// Is it given by a region?
        wide: bool,
    }
}

inner!(From);

impl From {
    /// A move begins on a site.
    pub(crate) fn at(site: Int) -> From {
        From { region: Region::One(site), condition: None, level: None, named: false, wide: false }
    }

    /// Is it `(from)`, whatever that is?
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.region, Region::One(Int::From))
            && self.condition.is_none()
            && self.level.is_none()
            && !self.named
    }

    /// Makes it `(from)` where a region is named.
    pub(crate) fn forget_region(&mut self) {
        if self.wide {
            (self.region, self.named) = (Region::One(Int::From), false);
        }
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

node! {
    /// Both ends of a range.
    pub(crate) struct Bounds = "range" {
        pub(crate) least: Option<Int>,
        pub(crate) most: Option<Int>,
        /// Are both the same?
        pub(crate) exact: bool,
    }
}

inner!(Bounds);

impl Bounds {
    /// No bounds.
    pub(crate) const NONE: Bounds = Bounds { least: None, most: None, exact: false };

    /// The least, or another, and the greatest, or the largest number.
    #[inline]
    pub(crate) fn range(&self, c: &mut Context<'_>, least: i32) -> (i32, i32) {
        let least = self.least.as_ref().map_or(least, |number| number.get(c));
        (least, self.most.as_ref().map_or(i32::MAX, |number| number.get(c)))
    }
}

/// The part `(between …)` of a move.
pub(crate) struct Between {
    pub(crate) condition: Option<Test>,
    pub(crate) range: Bounds,
    pub(crate) apply: Option<Apply>,
    pub(crate) before: Option<Int>,
    pub(crate) after: Option<Int>,
    pub(crate) trail: Option<Int>,
}

impl Args<'_, '_, '_> {
    /// The part `(to …)`, or anywhere.
    pub(crate) fn to(&mut self) -> Result<To> {
        let to = self.turned_to()?;
        if to.rotations.is_some() { Err(self.unsupported()) } else { Ok(to) }
    }

    /// The part `(to …)`, or anywhere, where a tile may be laid in several rotations.
    pub(crate) fn turned_to(&mut self) -> Result<To> {
        let part = self.part("to", |to| {
            let kind = to.other_kind();
            to.own_sites()?;
            let wide = to.has("region");
            let mut region = to.try_region(&["region", "int"])?;
            // Only hands have cells where the board is not played on cells (decided by Loop Xiangqi, ply 171 of its second record).
            if let Some(kind) = kind {
                region = region.map(|region| to.lower.region_on(region, kind));
            }
            let condition = to.try_test("if")?;
            let apply = to.apply()?;
            let effect = apply.as_ref().and_then(|apply| apply.effect.as_ref());
            let narrow = effect.is_none_or(|effect| effect.is_narrow());
            let level = to.try_int("level")?;
            let rotations = to.try_ints("rotations")?;
            Ok(To { region, condition, apply, level, rotations, narrow, wide, given: true })
        })?;
        Ok(part.unwrap_or(To::ANY))
    }

    /// The part `(apply …)`, if it is there.
    pub(crate) fn apply(&mut self) -> Result<Option<Apply>> {
        self.part("apply", |apply| {
            let condition = apply.try_test("if")?;
            apply.lower.listing += 1;
            let effect = apply.try_moves("effect");
            apply.lower.listing -= 1;
            Ok(Apply { condition, effect: effect?, strict: false })
        })
    }

    /// Where moves begin: the sites of `(from …)`, or `(from)`.
    pub(crate) fn from(&mut self) -> Result<From> {
        let on_the_way = std::mem::take(&mut self.lower.on_the_way);
        let from = self.try_from()?.filter(|_| !on_the_way);
        Ok(from.unwrap_or_else(|| From::at(Int::From)))
    }

    /// The part `(from …)`, if it is there.
    pub(crate) fn try_from(&mut self) -> Result<Option<From>> {
        self.part("from", |from| {
            from.own_sites()?;
            let wide = from.has("region");
            let region = from.try_region(&["region", "int"])?;
            let named = region.is_some();
            let region = region.unwrap_or(Region::One(Int::From));
            let level = from.try_int("level")?;
            Ok(From { region, condition: from.try_test("if")?, level, named, wide })
        })
    }

    /// The part `(between …)`, or nothing of it.
    pub(crate) fn between(&mut self) -> Result<Between> {
        let part = self.part("between", |between| {
            Ok(Between {
                before: between.try_int("before")?,
                range: between.try_range("range")?,
                after: between.try_int("after")?,
                condition: between.try_test("if")?,
                trail: between.try_int("trail")?,
                apply: between.apply()?,
            })
        })?;
        Ok(part.unwrap_or(Between {
            condition: None,
            range: Bounds::NONE,
            apply: None,
            before: None,
            after: None,
            trail: None,
        }))
    }

    /// A range, or no bounds.
    pub(crate) fn try_range(&mut self, name: &str) -> Result<Bounds> {
        if self.has(name) { self.range(name) } else { Ok(Bounds::NONE) }
    }

    /// A range.
    pub(crate) fn range(&mut self, name: &str) -> Result<Bounds> {
        let Value::Call(range) = self.value(name)? else { return Err(self.unsupported()) };
        match range.reader() {
            Some((form, Read::Range(reader))) => self.lower.read(range, form, reader),
            _ => Err(unsupported(range)),
        }
    }

    /// A whole stack goes, unless it is said from which level.
    pub(crate) fn gait(&mut self) -> Result<Gait> {
        let level = matches!(self.peek("from"), Some(Value::Call(from)) if from.has("level"));
        let stack = self.flag("stack", false)?;
        Ok(if stack && !level { Gait::Stack } else { Gait::Piece })
    }

    /// The kinds of pieces of `(piece …)`, for the mover where it names a stem, and their local state. The mover's
    /// first kind where it is left out.
    pub(crate) fn pieces(&mut self) -> Result<(Vec<Int>, Option<Int>)> {
        let part = self.part("piece", |piece| {
            let values = piece.take_any(&["string", "int", "{string}", "{int}"]);
            let values = values.map_or(&[][..], Value::items);
            let kinds = values.iter().map(|value| piece.lower.piece_value(value, piece.ludeme));
            Ok((kinds.collect::<Result<Vec<Int>>>()?, piece.try_int("state")?))
        })?;
        match part {
            Some((kinds, _)) if kinds.is_empty() => Err(self.unsupported()),
            Some(part) => Ok(part),
            None => Ok((vec![self.lower.first_piece()], None)),
        }
    }
}
