//! `(id …)` and `(mapEntry …)`: the number of a piece, and what a map has for a number.

use super::places::lookup;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number(
        "id [string] roleType",
        "The number of the player's kind of piece of this name, or of the player.",
        "(id \"King\" Mover)",
        id,
    ),
    number("id string", "The number of the kind of piece of this name.", "(id \"King1\")", id),
    number(
        "mapEntry [string] (int | roleType)",
        "What the map has for the key; the key itself where it has nothing.",
        "(mapEntry \"Promote\" (what at:(to)))",
        map_entry,
    ),
];

fn id(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let (name, player) = (args.text("string"), args.try_player(&["roleType"])?);
    let Some(name) = name else { return player.ok_or_else(|| args.unsupported()) };
    let Some(player) = player else {
        let what = args.lower.component(name).ok_or_else(|| args.unsupported())?;
        return Ok(Int::Const(what as i32));
    };
    let all = &args.lower.equipment.components;
    match all.iter().position(|kind| kind.name == name) {
        Some(exact) if all.iter().all(|kind| kind.stem != name) => Ok(Int::Const(exact as i32)),
        _ => Ok(component_of(args, player, name)),
    }
}

/// The component of a name that belongs to a player.
pub(super) fn component_of(args: &Args<'_, '_, '_>, player: Int, stem: &str) -> Int {
    let equipment = args.lower.equipment;
    let of = |player| equipment.component_of(stem, player).map_or(OFF, |what| what as i32);
    lookup("id", player, (0..=equipment.players + 1).map(of).collect())
}

fn map_entry(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let name = args.text("string").unwrap_or_default();
    let key = args.player(&["int", "roleType"])?;
    let (mut pairs, ludeme) = (Vec::new(), args.ludeme);
    let maps = &args.lower.equipment.maps;
    for (_, list) in maps.iter().filter(|(own, _)| name.is_empty() || own == name) {
        // The last of several entries with the same key counts (decided by Tai Shogi, ply 260).
        for (a, b) in list.iter().rev() {
            let pair = args
                .lower
                .by_name(ludeme, |lower| Ok((lower.entry(a, ludeme)?, lower.entry(b, ludeme)?)));
            pairs.push(pair?);
        }
    }
    Ok(Int::of(MapEntry { key, pairs }))
}

node! {
    /// The value of a map for a number.
    struct MapEntry = "mapEntry" { key: Int, pairs: Vec<(i32, i32)> }
}

impl Number for MapEntry {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let key = self.key.get(c);
        self.pairs.iter().find(|(own, _)| *own == key).map_or(key, |(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn a_kind_of_piece_is_known_by_its_name_and_owner() {
        assert!(holds("", "(= (id \"King\" Mover) (id \"King1\"))"));
        assert!(holds("", "(= (id \"King\" Next) (id \"King2\"))"));
        assert!(!holds("", "(= (id \"King1\") (id \"Disc1\"))"));
    }
}
