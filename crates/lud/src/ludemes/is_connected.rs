//! `(is Connected …)` and `(is Blocked …)`: do pieces join regions, or can they never?

use super::prelude::*;
use crate::engine::groups::{Near, group};

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isConnectType=Connected [int] [siteType] [at:int] [direction] ({region} | roleType | regionTypeStatic)",
        "The group of the piece at the site joins the regions: all of them, or so many.",
        "(end (if (is Connected Mover) (result Mover Win)))", connected,
    ).on_all_kinds().on_board(),
    condition(
        "is isConnectType=Blocked [int] [siteType] [at:int] [direction] ({region} | roleType | regionTypeStatic)",
        "No way over empty sites and the player's pieces joins the player's regions.",
        "(is Blocked Next)", blocked,
    ).on_board().refuses("directions that depend on a piece"),
];

/// Regions, each with its owner.
type Regions = Vec<(usize, Region)>;

/// Regions of players, or of everybody.
fn regions(args: &mut Args<'_, '_, '_>) -> Result<(Regions, Option<Who>)> {
    if let Some(list) = args.take("{region}") {
        let each = list.items().iter().map(|value| {
            let region = args.lower.region(value, args.ludeme)?;
            Ok((0, args.on_kind(region)))
        });
        return Ok((each.collect::<Result<_>>()?, None));
    }
    if let Some(who) = args.try_who(&["roleType"])? {
        let owned = args.lower.owned_regions()?.into_iter();
        return Ok((
            owned.map(|(owner, region)| (owner, args.on_kind(region))).collect(),
            Some(who),
        ));
    }
    let sets = args.word("regionTypeStatic").and_then(|kind| args.lower.static_regions(kind));
    let sets = sets.ok_or_else(|| args.unsupported())?;
    Ok((sets.into_iter().map(|sites| (0, Region::Fixed(sites))).collect(), None))
}

fn connected(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (least, at, near) = (args.try_int("int")?, args.site_or_last("at")?, args.near()?);
    let (regions, who) = regions(args)?;
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
    let (least, near) = (args.try_int("int")?, args.near()?);
    if !near.fixed() {
        return Err(args.unsupported());
    }
    let (regions, who) = regions(args)?;
    Ok(Bool::of(IsBlocked { least, near, regions, who, place: Table(args.place()) }))
}

node! {
    /// A player can never join the player's regions.
    struct IsBlocked = "is Blocked", reads CELLS | TURN {
        /// The number of regions that must be connected; all where it is left out.
        least: Option<Int>,
        near: Near,
        regions: Regions,
        /// The player whose pieces are no hindrance; the mover where regions are listed.
        who: Option<Who>,
        place: Table<Sites>,
    }
}

impl Condition for IsBlocked {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let who = self.who.as_ref().map_or(1 << c.state.s.mover, |who| who.get(c));
        let all = self.who.is_none();
        let own = || self.regions.iter().filter(|(owner, _)| all || who >> owner & 1 == 1);
        let wanted = self.least.as_ref().map_or(own().count() as i32, |least| least.get(c));
        let layout = c.rules.layout;
        let (mut open, mut area) = (c.sites(), c.sites());
        open.add(c.state.empty(layout));
        ones(who).for_each(|player| open.add(c.state.owned(layout, player)));
        open.keep(self.place.words());
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
