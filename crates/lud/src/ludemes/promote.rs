//! `(move Promote …)` and `(promote …)`: pieces that become others.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Promote [siteType] [int] piece ([player] | [roleType]) [then]",
        "Change the piece on the site, which is the end of the move where it is left out, into one of these.",
        "(move Promote (last To) (piece {\"Queen\" \"Rook\"}) Mover)",
        read,
    ).on_all_kinds().sites_in(&["int"]),
    effect(
        "promote [siteType] [int] piece ([player] | [roleType]) [then]",
        "The piece on the site becomes another.",
        "(promote (last To) (piece \"King\") Mover)",
        read,
    ).on_all_kinds().sites_in(&["int"]),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let site = args.try_int("int")?.unwrap_or(Int::To);
    let owner = args.try_who(&["player", "roleType"])?;
    let kinds = args.part("piece", |piece| {
        let values = piece.take_any(&["string", "int", "{string}", "{int}"]);
        let values = values.map_or(&[][..], Value::items);
        let names: Vec<&str> = values.iter().filter_map(Value::text).collect();
        let others = values.iter().filter(|value| value.text().is_none());
        let numbers = others.map(|value| piece.lower.int(value, piece.ludeme));
        let numbers = numbers.collect::<Result<Vec<Int>>>()?;
        let equipment = piece.lower.equipment;
        let of = |player: usize| {
            let own = |name: &&str| {
                equipment.component_of(name, player).or_else(|| piece.lower.component(name))
            };
            names.iter().filter_map(own).map(|what| what as u16).collect()
        };
        Ok(((0..=equipment.players + 1).map(of).collect(), numbers))
    })?;
    let (named, numbers) = kinds.unwrap_or_default();
    Ok(Box::new(Promote { site, owner, named, numbers }))
}

node! {
    /// A piece becomes another.
    struct Promote = "promote", reads TURN, writes CELLS {
        site: Int,
        owner: Option<Who>,
        /// By player: the kinds of pieces that are named.
        named: Vec<Vec<u16>>,
        numbers: Vec<Int>,
    }
}

impl Generate for Promote {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let at = self.site.get(c);
        if at < 0 {
            return;
        }
        let mover = c.state.s.mover;
        let owner = match &self.owner {
            Some(who) => ones(who.get(c)).next().unwrap_or(0),
            None => mover,
        };
        let mut into = |what: u16| {
            out.push(mover, Kind::Promote, at, at, Action::Promote { at, what }).extra = what;
        };
        self.named.get(owner).into_iter().flatten().for_each(|&what| into(what));
        for number in &self.numbers {
            if let Ok(what) = u16::try_from(number.get(c))
                && what > 0
            {
                into(what);
            }
        }
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{after, holds};

    #[test]
    fn a_piece_becomes_another_of_its_owner() {
        let step = "(move Step (from 4) (to if:(is Empty (to)))
            (then (promote (last To) (piece \"King\") Mover)))";
        assert_eq!(after("(place \"Disc1\" 4)", step, 7), "7:1");
        assert!(holds("(place \"King1\" 4)", "(= (what at:4) (id \"King\" P1))"));
    }
}
