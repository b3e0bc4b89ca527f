//! `(sites Hand …)`, `(sites Winning …)` and `(sites Start …)`: the sites of hands, those of winning moves, and those on
//! which pieces stood first.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    region(
        "sites sitesPlayerType=Hand [siteType] ([player] | [roleType]) [effect] [string]",
        "The sites of the hands of the players.",
        "(from (sites Hand Mover))",
        hand,
    ),
    region(
        "sites sitesPlayerType=Winning [siteType] ([player] | [roleType]) [effect] [string]",
        "The sites at which the effects would win the game for the player, if it were the player's turn.",
        "(sites Winning Next (add (to (sites Empty))))",
        |args| {
            let player = args.player(&["player", "roleType"])?;
            Ok(Region::of_node(SitesWinning { player, effect: args.moves("effect")? }))
        },
    ),
    region(
        "sites Start piece",
        "The sites on which pieces of this kind stood at the start.",
        "(is In (from) (sites Start (piece (what at:(from)))))",
        start,
    )
    .on_board(),
];

fn hand(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let who = args.who(&["player", "roleType"])?;
    let containers = args.lower.equipment.containers.iter().skip(1);
    let hands = containers.filter(|hand| hand.name.starts_with("Hand"));
    let hands = hands.map(|hand| (hand.owner, (hand.from as i32, (hand.from + hand.sites) as i32)));
    Ok(Region::of_node(SitesHand { who, hands: Table(hands.collect()) }))
}

node! {
    /// The sites at which effects would win the game for a player.
    struct SitesWinning = "sites Winning", reads CELLS | STACKS | TURN { player: Int, effect: Generator }
}

impl SiteSet for SitesWinning {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let player = self.player.player(c);
        crate::engine::questions::winning(c, player, &self.effect, out);
    }
}

/// An owner, the first site of the hand and the one after its last.
type Hand = (usize, (i32, i32));

node! {
    /// The sites of hands.
    struct SitesHand = "sites Hand" { who: Who, hands: Table<Vec<Hand>> }
}

impl SiteSet for SitesHand {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let who = self.who.get(c);
        for &(_, (from, end)) in self.hands.iter().filter(|hand| who >> hand.0 & 1 == 1) {
            (from..end).for_each(|site| out.insert(site));
        }
    }
}

fn start(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let what = args.part("piece", |piece| match piece.take_any(&["string", "int"]) {
        Some(Value::Str(name)) => {
            let what = piece.lower.component(name).ok_or_else(|| piece.unsupported())?;
            Ok(Int::Const(what as i32))
        }
        Some(value) => piece.lower.int(value, piece.ludeme),
        None => Err(piece.unsupported()),
    })?;
    Ok(Region::of_node(SitesStart { what: what.ok_or_else(|| args.unsupported())? }))
}

node! {
    /// The sites on which a kind of piece stood first.
    struct SitesStart = "sites Start", reads START { what: Int }
}

impl SiteSet for SitesStart {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let what = self.what.get(c);
        for (site, &first) in c.rules.first.iter().enumerate() {
            if i32::from(first) == what && what > 0 {
                out.insert(site as i32);
            }
        }
    }

    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        let what = self.what.get(c);
        let first = usize::try_from(site).ok().and_then(|site| c.rules.first.get(site));
        what > 0 && first.is_some_and(|&first| i32::from(first) == what)
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn a_hand_has_sites_beside_the_board() {
        assert_eq!(sites("", "(sites Hand Mover)"), [9, 10]);
        assert_eq!(sites("", "(sites Hand P2)"), [11, 12]);
    }
}
