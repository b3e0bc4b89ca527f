//! The items of the equipment besides boards: hands, dice, pieces, regions, maps and tracks.
//!
//! Items are numbered by kind, so their readers add them to the [`Equipment`] in the order of [`Stage`].

pub(super) mod dice;
pub(super) mod hand;
pub(in crate::ludemes) mod hints;
pub(super) mod map;
pub(super) mod piece;
pub(super) mod regions;
pub(super) mod track;

use super::{Form, Read, form, part};
use crate::compile::slots::{Slots, takes_slots};
use crate::compile::{Ludeme, Value};
use crate::engine::equipment::Equipment;
use ludex_core::diagnostic::Diagnostic;

pub(crate) type Result<T> = std::result::Result<T, Diagnostic>;

/// The order in which items are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Hands of players.
    Hands,
    /// Hands of dice.
    Dice,
    /// Named sites.
    Regions,
    /// Maps.
    Maps,
    /// Kinds of pieces.
    Pieces,
}

impl Stage {
    /// All of them, in order.
    pub(crate) const ALL: [Stage; 5] =
        [Stage::Hands, Stage::Dice, Stage::Regions, Stage::Maps, Stage::Pieces];
}

/// Adds an item to the equipment.
pub(crate) type AddItem = fn(&mut ItemArgs<'_, '_>) -> Result<()>;

/// An item of the equipment.
const fn item(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    stage: Stage,
    add: AddItem,
) -> Form {
    form("item", text, meaning, example, Read::Item(stage, add))
}

pub(super) const FORMS: &[Form] = &[part(
    "equipment",
    "equipment {item}",
    "Boards, pieces and all that lies on the table.",
    "(equipment {(board (square 8)) (piece \"Pawn\" Each)})",
)];

/// The arguments of an item, and the equipment to which it is added.
pub(crate) struct ItemArgs<'e, 'l> {
    slots: Slots<'l>,
    equipment: &'e mut Equipment,
}

takes_slots!('l, ItemArgs<'_, 'l>);

impl ItemArgs<'_, '_> {
    /// Takes the owners of an item, or those of a role where none is named.
    fn owners(&mut self, default: &str) -> Result<Vec<usize>> {
        let role = self.word("roleType").unwrap_or(default);
        self.equipment.owners_of(role).ok_or_else(|| self.unsupported())
    }
}

/// When an item is added; none for boards and for forms that have no meaning yet.
fn stage(item: &Ludeme) -> Option<(Stage, AddItem)> {
    match item.reader()? {
        (_, Read::Item(stage, add)) => Some((stage, add)),
        _ => None,
    }
}

/// Adds all items but the board, and finds those that have no meaning yet.
pub(crate) fn add_all(equipment: &mut Equipment, items: &[Value]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let calls = || items.iter().filter_map(Value::call);
    for wanted in Stage::ALL {
        for (item, add) in calls().filter_map(|item| {
            let (stage, add) = stage(item)?;
            (stage == wanted).then_some((item, add))
        }) {
            found.extend(read(equipment, item, add).err());
        }
    }
    for item in calls() {
        match item.reader() {
            Some((_, Read::Item(..))) => {}
            Some((_, Read::Board(_))) => found.extend(add_tracks(equipment, item).err()),
            _ => found.push(Slots::new(item).unsupported()),
        }
    }
    found
}

/// Adds an item: all of its arguments have a meaning, or it is an error.
fn read(equipment: &mut Equipment, item: &Ludeme, add: AddItem) -> Result<()> {
    let mut args = ItemArgs { slots: Slots::new(item), equipment };
    args.take_words();
    add(&mut args)?;
    args.finish()
}

/// Adds the tracks of a board, which may lead to hands.
fn add_tracks(equipment: &mut Equipment, board: &Ludeme) -> Result<()> {
    let calls = board.values().flat_map(Value::items).filter_map(Value::call);
    for call in calls.filter(|call| call.signature().result == "track") {
        read(equipment, call, track::add)?;
    }
    Ok(())
}
