//! `(set State …)`, `(set Value …)`, `(set Count …)`, `(set Rotation …)`, `(flip …)`: numbers of pieces.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    effect(
        "set setSiteType=State [siteType] at:int [level:int] int [then]",
        "The piece on the site gets a local state.",
        "(set State at:(last To) 1)",
        |args| cell(args, What::State),
    )
    .on_all_kinds(),
    effect(
        "set setSiteType=Value [siteType] at:int [level:int] int [then]",
        "The piece on the site gets a value.",
        "(set Value at:(last To) 3)",
        |args| cell(args, What::Value),
    )
    .on_all_kinds(),
    effect(
        "set setSiteType=Count [siteType] at:int [level:int] int [then]",
        "So many pieces are on the site.",
        "(set Count at:(last To) 4)",
        |args| cell(args, What::Count),
    )
    .on_all_kinds()
    .needs(Parts::COUNTS),
    decision(
        "move Set Rotation [to] ([{int}] | [int]) [previous:boolean] [next:boolean] [then]",
        "Turn a piece: to one of these rotations, or one step to either side.",
        "(move Set Rotation)",
        |args| rotation(args, true),
    )
    .needs(Parts::ROTATIONS),
    effect(
        "set Rotation [to] ([{int}] | [int]) [previous:boolean] [next:boolean] [then]",
        "A piece is turned.",
        "(set Rotation (to (last To)) 2)",
        |args| rotation(args, false),
    )
    .needs(Parts::ROTATIONS),
    effect(
        "flip [siteType] [int] [then]",
        "The piece on the site changes between its two states.",
        "(flip (last To))",
        flip,
    )
    .on_all_kinds()
    .sites_in(&["int"]),
];

/// A number of a piece.
#[derive(Clone, Copy)]
enum What {
    State,
    Value,
    Count,
}

fn cell(args: &mut Args<'_, '_, '_>, what: What) -> Result<Generator> {
    let (at, level) = (args.int("at")?, args.int_or("level", -1)?);
    Ok(Box::new(SetCell { what: Table(what), at, level, value: args.int("int")? }))
}

node! {
    /// A number of a piece is set.
    struct SetCell = "set State", reads CELLS, writes STATES | VALUES | COUNTS {
        what: Table<What>,
        at: Int,
        level: Int,
        value: Int,
    }
}

impl Generate for SetCell {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (at, level, value) = (self.at.get(c), self.level.get(c) as i16, self.value.get(c));
        out.effect(match *self.what {
            What::State => Action::State { at, level, value: value as i16 },
            What::Value => Action::Value { at, level, value: value as i16 },
            What::Count => {
                Action::Count { at, count: value.clamp(0, 60_000) as u16, what: c.what(at) as u16 }
            }
        });
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

fn rotation(args: &mut Args<'_, '_, '_>, decision: bool) -> Result<Generator> {
    let site = args.part("to", |to| to.try_region(&["int", "region"]))?.flatten();
    let site = site.unwrap_or(Region::One(Int::From));
    let values = match args.try_int("int")? {
        Some(value) => vec![value],
        None => args.int_items("{int}")?,
    };
    let (previous, next) = (args.flag("previous", true)?, args.flag("next", true)?);
    let turns = args.lower.equipment.directions.turns().max(1) as i32;
    Ok(Box::new(SetRotation { site, values, previous, next, turns, decision }))
}

node! {
    /// Pieces are turned.
    struct SetRotation = "set Rotation", reads ROTATIONS | TURN, writes ROTATIONS {
        site: Region,
        /// To these rotations; one turn to either side where there is none.
        values: Vec<Int>,
        previous: bool,
        next: bool,
        /// In how many ways a piece can be turned.
        turns: i32,
        decision: bool,
    }
}

impl Generate for SetRotation {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let kind = if self.decision { Kind::Set } else { Kind::Effect };
        self.site.each(c, |c, at| {
            let now = i32::from(c.cell(at).rotation);
            let mut all = c.list();
            all.extend(self.values.iter().map(|value| value.get(c)));
            if self.values.is_empty() {
                all.extend(self.previous.then(|| (now - 1).rem_euclid(self.turns)));
                all.extend(self.next.then(|| (now + 1).rem_euclid(self.turns)));
            }
            for &value in &all {
                let action = Action::Rotation(at, value as i16);
                out.push(c.state.s.mover, kind, at, at, action).extra = value as u16;
            }
            c.free_list(all);
            true
        });
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

fn flip(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let site = args.try_int("int")?.unwrap_or(Int::To);
    let flips = args.lower.equipment.components.iter().map(|kind| kind.flips).collect();
    Ok(Box::new(Flip { site, flips: Table(flips) }))
}

node! {
    /// A piece changes between its states.
    struct Flip = "flip", reads STATES, writes STATES {
        site: Int,
        /// By component: its states.
        flips: Table<Vec<Option<(i32, i32)>>>,
    }
}

impl Generate for Flip {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let at = self.site.get(c);
        let cell = c.cell(at);
        if let Some(Some((a, b))) = self.flips.get(usize::from(cell.what)) {
            let value = if i32::from(cell.state) == *a { *b } else { *a };
            out.effect(Action::State { at, level: -1, value: value as i16 });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn a_local_state_is_set_on_a_site() {
        let set = |state: i32| {
            let known = format!("(if (= {state} (state at:0)) (remove 0))");
            format!("(move Add (to (sites Empty)) (then (set State at:0 2 (then {known}))))")
        };
        assert_eq!(after("(place \"Disc1\" 0)", &set(2), 8), "8:1");
        assert_eq!(after("(place \"Disc1\" 0)", &set(1), 8), "0:1 8:1");
    }
}
