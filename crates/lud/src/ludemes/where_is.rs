//! `(where …)`: the site, or the level of a stack, on which a piece stands.

use super::id::component_of;
use super::prelude::*;
use crate::engine::state::Cell;

pub(super) const FORMS: &[Form] = &[
    number(
        "where string (int | roleType) [state:int] [siteType]",
        "The first site of the board on which the player's piece of this name stands; -1 for none.",
        "(where \"King\" Mover)",
        |args| read(args, false),
    )
    .on_all_kinds()
    .on_board(),
    number(
        "where int [siteType]",
        "The first site of the board on which a piece of this kind stands; -1 for none.",
        "(where (id \"King1\"))",
        |args| read(args, false),
    )
    .on_all_kinds()
    .on_board(),
    number(
        "where Level string (int | roleType) [state:int] [siteType] at:int [fromTop:boolean]",
        "The level of the stack on which the player's piece of this name stands; -1 for none.",
        "(where Level \"King\" Mover at:(to))",
        |args| read(args, true),
    )
    .on_all_kinds()
    .needs(Parts::STACKS)
    .on_board(),
    number(
        "where Level int [siteType] at:int [fromTop:boolean]",
        "The level of the stack on which a piece of this kind stands; -1 for none.",
        "(where Level 1 at:(to))",
        |args| read(args, true),
    )
    .on_all_kinds()
    .needs(Parts::STACKS)
    .on_board(),
];

/// The pieces that are sought: a kind, or some names that belong to some players.
enum Wanted {
    Kind(Int),
    Of(Who, Vec<bool>),
}

impl Field for Wanted {
    fn show(&self, out: &mut String) {
        match self {
            Wanted::Kind(kind) => kind.show(out),
            Wanted::Of(who, _) => who.show(out),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            Wanted::Kind(kind) => kind.nodes(visit),
            Wanted::Of(who, _) => who.nodes(visit),
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Wanted::Kind(kind) => kind.reads(),
            Wanted::Of(who, _) => who.reads(),
        }
    }
}

fn read(args: &mut Args<'_, '_, '_>, level: bool) -> Result<Int> {
    let wanted = match args.text("string") {
        Some(name) => piece(args, name)?,
        None => Wanted::Kind(args.int("int")?),
    };
    let state = args.try_int("state")?;
    if level {
        let (at, top) = (args.int("at")?, args.flag("fromTop", true)?);
        return Ok(Int::of(WhereLevel { wanted, state, at, top }));
    }
    let place = Table(args.place());
    Ok(Int::of(Where { wanted, state, place }))
}

/// A piece by its name and its owner.
fn piece(args: &mut Args<'_, '_, '_>, name: &str) -> Result<Wanted> {
    let all = &args.lower.equipment.components;
    // A name that no piece has means the first piece whose name begins with it.
    let stem = match all.iter().any(|kind| kind.stem == name || kind.name == name) {
        true => name.to_owned(),
        false => {
            let longer = all.iter().find(|kind| kind.stem.starts_with(name));
            longer.map_or(name, |kind| kind.stem.as_str()).to_owned()
        }
    };
    let owner = args.take_any(&["int", "roleType"]).ok_or_else(|| args.unsupported())?;
    let exact = all.iter().position(|kind| kind.name == stem && kind.stem != stem);
    if let Some(exact) = exact.filter(|_| all.iter().all(|kind| kind.stem != stem)) {
        return Ok(Wanted::Kind(Int::Const(exact as i32)));
    }
    let several = owner.word().is_some_and(|role| {
        matches!(role, "NonMover" | "Enemy" | "Friend" | "Ally" | "Each")
            || role.starts_with("Team")
    });
    if several {
        let who = args.lower.roles(owner, args.ludeme)?;
        return Ok(Wanted::Of(who, args.lower.named(&[stem])));
    }
    let player = args.lower.player_value(owner, args.ludeme)?;
    Ok(Wanted::Kind(component_of(args, player, &stem)))
}

/// The pieces that are sought, once their numbers are known.
enum Sought<'a> {
    Kind(usize),
    Of(u32, &'a [bool]),
}

impl Wanted {
    fn now(&self, c: &mut Context<'_>) -> Option<Sought<'_>> {
        Some(match self {
            Wanted::Kind(kind) => Sought::Kind(usize::try_from(kind.get(c)).ok()?),
            Wanted::Of(who, named) => Sought::Of(who.get(c), named),
        })
    }
}

impl Sought<'_> {
    fn is(&self, c: &Context<'_>, cell: Cell, state: Option<i32>) -> bool {
        let what = usize::from(cell.what);
        let fits = match self {
            Sought::Kind(kind) => what == *kind,
            Sought::Of(who, named) => {
                named.get(what) == Some(&true) && who >> c.owner(what) & 1 == 1
            }
        };
        fits && state.is_none_or(|state| i32::from(cell.state) == state)
    }
}

node! {
    /// The first site with a piece.
    struct Where = "where", reads CELLS | STACKS | STATES {
        wanted: Wanted,
        state: Option<Int>,
        place: Table<Sites>,
    }
}

impl Number for Where {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let state = self.state.as_ref().map(|state| state.get(c));
        let Some(sought) = self.wanted.now(c) else { return OFF };
        let board = &*self.place;
        if let Sought::Kind(kind) = sought
            && c.state.under.is_empty()
        {
            let mut own = c.state.sites_of(c.rules.layout, c.owner(kind));
            let here = |&at: &i32| board.contains(at) && sought.is(c, c.state.cell(at), state);
            return own.find(here).unwrap_or(OFF);
        }
        let on = |&site: &i32| {
            (0..c.state.height(site)).any(|level| sought.is(c, c.state.level(site, level), state))
        };
        board.iter().find(on).unwrap_or(OFF)
    }
}

node! {
    /// The level of a stack with a piece.
    struct WhereLevel = "where Level", reads STACKS | STATES {
        wanted: Wanted,
        state: Option<Int>,
        at: Int,
        /// The highest level, or the lowest.
        top: bool,
    }
}

impl Number for WhereLevel {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let state = self.state.as_ref().map(|state| state.get(c));
        let site = self.at.get(c);
        let Some(sought) = self.wanted.now(c) else { return OFF };
        let is = |&level: &i32| sought.is(c, c.state.level(site, level), state);
        let mut levels = (0..c.state.height(site)).filter(is);
        if self.top { levels.next_back() } else { levels.next() }.unwrap_or(OFF)
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, number};

    #[test]
    fn a_piece_that_is_only_in_a_hand_is_nowhere() {
        assert_eq!(number("(place \"King1\" 4)", "(where \"King\" P1)"), 4);
        assert!(holds("(place \"King1\" \"Hand1\")", "(= Off (where \"King\" P1))"));
        assert_eq!(number("(place \"Disc2\" 5)", "(where \"Disc\" Enemy)"), 5);
    }
}
