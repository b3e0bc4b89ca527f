//! `(is Connected …)` and `(is Blocked …)`: do pieces join regions, or can they never?

use super::prelude::*;
use crate::engine::groups::{Near, group};

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isConnectType=Connected [int] [siteType] [at:int] [direction] ({region} | roleType | regionTypeStatic)",
        "The group of the piece at the site joins the regions: all of them, or so many.",
        "(end (if (is Connected Mover) (result Mover Win)))", connected,
    ).on_board(),
    condition(
        "is isConnectType=Blocked [int] [siteType] [at:int] [direction] ({region} | roleType | regionTypeStatic)",
        "No way over empty sites and the player's pieces joins the player's regions.",
        "(is Blocked Next)", blocked,
    ).on_board().refuses("directions that are not known beforehand, and regions given as a list"),
];

/// Regions, each with its owner.
type Regions = Vec<(usize, Region)>;

fn connected(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (least, at, near) = (args.try_int("int")?, args.site_or_last("at")?, args.near()?);
    let (regions, who): (Regions, _) = match args.take("{region}") {
        Some(list) => {
            let each =
                list.items().iter().map(|value| Ok((0, args.lower.region(value, args.ludeme)?)));
            (each.collect::<Result<_>>()?, None)
        }
        None => match args.try_who(&["roleType"])? {
            Some(who) => (args.lower.owned_regions()?, Some(who)),
            None => {
                let sets =
                    args.word("regionTypeStatic").and_then(|kind| args.lower.static_regions(kind));
                let sets = sets.ok_or_else(|| args.unsupported())?;
                (sets.into_iter().map(|sites| (0, Region::Fixed(sites))).collect(), None)
            }
        },
    };
    Ok(Bool::of(IsConnected { least, at, near, regions, who }))
}

node! {
    /// A group joins regions.
    struct IsConnected = "is Connected", reads CELLS {
        /// The number of regions that must be connected; all where it is left out.
        least: Option<Int>,
        /// The site of a piece of the group.
        at: Int,
        near: Near,
        regions: Regions,
        /// Only regions and pieces of these players.
        who: Option<Who>,
    }
}

impl Condition for IsConnected {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.at.get(c);
        if c.what(site) == 0 {
            return false;
        }
        let who = self.who.as_ref().map_or(u32::MAX, |who| who.get(c));
        // Regions of a player are joined by that player's pieces.
        if who >> c.who(site) & 1 == 0 {
            return false;
        }
        let own = || self.regions.iter().filter(|(owner, _)| who >> owner & 1 == 1);
        let all = own().count() as i32;
        let wanted = self.least.as_ref().map_or(all, |least| least.get(c));
        // Do so many regions have one of these sites?
        let touch = |c: &mut Context<'_>, sites: &Sites| {
            let met =
                own().filter(|(_, region)| region.of(c, |_, r| sites.meets(r.words()))).count();
            met as i32 >= wanted
        };
        let mut members = c.sites();
        // A group can only touch what all pieces of its owner touch.
        members.add(c.state.owned(c.rules.layout, c.who(site)));
        let mut holds = all > 0 && touch(c, &members);
        if holds {
            members.clear();
            group(c, site, &self.near, None, &mut members);
            holds = touch(c, &members);
        }
        c.free(members);
        holds
    }
}

fn blocked(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (least, near, who) = (args.try_int("int")?, args.near()?, args.who(&["roleType"])?);
    if !near.fixed() {
        return Err(args.unsupported());
    }
    Ok(Bool::of(IsBlocked { least, near, regions: args.lower.owned_regions()?, who }))
}

node! {
    /// A player can never join the player's regions.
    struct IsBlocked = "is Blocked", reads CELLS {
        /// The number of regions that must be connected; all where it is left out.
        least: Option<Int>,
        near: Near,
        regions: Regions,
        who: Who,
    }
}

impl Condition for IsBlocked {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let who = self.who.get(c);
        let own = || self.regions.iter().filter(|(owner, _)| who >> owner & 1 == 1);
        let wanted = self.least.as_ref().map_or(own().count() as i32, |least| least.get(c));
        let layout = c.rules.layout;
        let (mut open, mut area) = (c.sites(), c.sites());
        open.add(c.state.empty(layout));
        ones(who).for_each(|player| open.add(c.state.owned(layout, player)));
        open.keep(c.equipment.on_board.words());
        let mut blocked = true;
        while let Some(site) = open.first().filter(|_| blocked) {
            area.clear();
            self.near.flood(c, site, &open, &mut area);
            let met =
                own().filter(|(_, region)| region.of(c, |_, r| area.meets(r.words()))).count();
            blocked = (met as i32) < wanted;
            open.subtract(area.words());
        }
        c.free(open);
        c.free(area);
        blocked
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn a_player_is_blocked_when_no_way_is_left() {
        let blocked = "(is Blocked P1)";
        assert!(!holds("(place \"Disc2\" {1 4})", blocked));
        assert!(holds("(place \"Disc2\" {1 4 7})", blocked));
        // Own pieces are no hindrance, and corners may be turned.
        assert!(!holds("(place \"Disc1\" {1 4 7})", blocked));
        assert!(!holds("(place \"Disc2\" {1 5 7})", "(is Blocked P1)"));
        assert!(holds("(place \"Disc2\" {1 5 7})", "(is Blocked Orthogonal P1)"));
    }

    #[test]
    fn own_pieces_join_own_regions() {
        assert!(holds("(place \"Disc1\" {3 4 5})", "(is Connected at:4 P1)"));
        assert!(!holds("(place \"Disc1\" {3 4})", "(is Connected at:4 P1)"));
        assert!(!holds("(place \"Disc1\" {3 5}) (place \"Disc2\" 4)", "(is Connected at:3 P1)"));
    }
}
