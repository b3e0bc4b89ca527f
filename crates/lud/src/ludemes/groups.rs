//! Groups of connected sites: `(all Groups …)`, `(sizes Group …)`, `(count Groups …)`, `(count SizeBiggestGroup …)`,
//! `(forEach Group …)`, `(sites Group …)`, `(size Group …)`, `(count Liberties …)`, `(size Territory …)`.

use super::prelude::*;
use crate::engine::groups::{Near, each_group, expand, group, starts};

pub(super) const FORMS: &[Form] = &[
    condition("all Groups [siteType] [direction] [of:boolean] If:boolean",
        "The condition holds for each group, whose sites are `(sites)`.",
        "(all Groups if:(> (count Sites in:(sites)) 2))", all).on_all_kinds().on_board(),
    list("sizes Group [siteType] [direction] ([roleType] | [of:int] | [If:boolean]) [min:int] [isVisible:boolean]",
        "The sizes of all groups that have so many sites.",
        "(max (sizes Group P1))", sizes).on_all_kinds().on_board(),
    number("count countGroupsType=Groups [siteType] [direction] [If:boolean] [min:int] [isVisible:boolean]",
        "How many groups there are.", "(= 1 (count Groups if:(is Mover (who at:(to)))))",
        |args| count(args, false)).on_all_kinds().on_board(),
    number("count countGroupsType=SizeBiggestGroup [siteType] [direction] [If:boolean] [min:int] [isVisible:boolean]",
        "The size of the largest group.", "(count SizeBiggestGroup)", |args| count(args, true)).on_all_kinds().on_board(),
    number("count countGroupsType=Groups region [If:boolean] [min:int] [isVisible:boolean]",
        "How many groups have a site of the region.", "(count Groups (sites P1))",
        |args| count_within(args, false)).on_board(),
    number("count countGroupsType=SizeBiggestGroup region [If:boolean] [min:int] [isVisible:boolean]",
        "The size of the largest group that has a site of the region.", "(count SizeBiggestGroup (sites P1))",
        |args| count_within(args, true)).on_board(),
    number("countSizeBiggestGroup [siteType] [direction] ([If:boolean] | [isVisible:boolean])",
        "The size of the largest group.", "(countSizeBiggestGroup)", |args| count(args, true)).on_all_kinds(),
    region("sites Group [siteType] (at:int | From:region) [direction] [If:boolean] [isVisible:boolean]",
        "The sites of the group of a site, or of several.", "(remove (sites Group at:(last To)))",
        |args| Ok(Region::of_node(sites(args)?))).on_all_kinds().on_board(),
    number("size Group [siteType] at:int [direction] [If:boolean]", "The number of sites of the group of a site.",
        "(size Group at:(last To))", |args| Ok(Int::of(GroupSize { sites: sites(args)? }))).on_all_kinds().on_board(),
    number("count Liberties [siteType] [at:int] [direction] [If:boolean]",
        "The number of empty sites next to the group of a site.", "(= 0 (count Liberties at:(to)))", liberties).on_all_kinds().on_board(),
    number("size Territory [siteType] (roleType | player) [absoluteDirection]",
        "The number of sites of empty areas that touch only pieces of the player.", "(size Territory Mover)",
        territory).on_all_kinds().on_board(),
    effect("forEach Group [siteType] [direction] [If:boolean] moves [then]",
        "The moves for each group, whose sites are `(sites)`.",
        "(forEach Group (addScore Mover (count Sites in:(sites))))", for_each).on_all_kinds().needs(Parts::ORDER).joins(),
];

/// A condition that holds on every occupied site: a group may then contain pieces of several players.
fn pieces() -> Test {
    Test::Owner(Owners::occupied(), Place::To)
}

node! {
    /// The groups of the board: of the pieces of these players, or of the sites on which a condition on `(to)` holds.
    struct Groups = "groups", reads CELLS | ORDER {
        near: Near,
        who: Option<Who>,
        condition: Option<Test>,
        min: Int,
        /// The sites of the kind of elements that the form is about.
        place: Table<Sites>,
    }
}

inner!(Groups);

impl Groups {
    /// Goes over the sizes of groups that are large enough.
    fn sizes(&self, c: &mut Context<'_>, mut f: impl FnMut(i32)) {
        let who = self.who.as_ref().map(|who| who.get(c));
        let min = self.min.get(c);
        let starts = starts(c, who, self.condition.is_some(), &self.place);
        each_group(c, &starts, &self.near, self.condition.as_ref(), |_, members| {
            let size = members.len() as i32;
            if size >= min {
                f(size);
            }
            true
        });
        c.free(starts);
    }
}

/// The groups that a form asks for. Counts take pieces of all owners for connected.
fn groups(args: &mut Args<'_, '_, '_>, any_owner: bool) -> Result<Groups> {
    let condition = args.try_test("if")?;
    let condition = condition.or_else(|| any_owner.then(pieces));
    let (near, who) = (args.near()?, args.try_who(&["roleType", "of"])?);
    Ok(Groups { near, who, condition, min: args.int_or("min", 0)?, place: Table(args.place()) })
}

/// Pieces of all owners hang together where no owner is named (decided by Catchup, end of its second record).
fn sizes(args: &mut Args<'_, '_, '_>) -> Result<Ints> {
    let any_owner = !args.has("roleType") && !args.has("of");
    Ok(Ints::of_node(GroupSizes { groups: groups(args, any_owner)? }))
}

node! {
    /// The sizes of groups.
    struct GroupSizes = "sizes Group" { groups: Groups }
}

impl NumberList for GroupSizes {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        self.groups.sizes(c, |size| out.push(size));
    }
}

fn count(args: &mut Args<'_, '_, '_>, biggest: bool) -> Result<Int> {
    Ok(Int::of(CountGroups { groups: groups(args, true)?, biggest }))
}

/// One group more, or the larger of two.
fn add(total: i32, size: i32, biggest: bool) -> i32 {
    if biggest { size.max(total) } else { total + 1 }
}

node! {
    /// The number of groups, or the size of the largest.
    struct CountGroups = "count Groups" { groups: Groups, biggest: bool }
}

impl Number for CountGroups {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let mut total = 0;
        self.groups.sizes(c, |size| total = add(total, size, self.biggest));
        total
    }
}

fn count_within(args: &mut Args<'_, '_, '_>, biggest: bool) -> Result<Int> {
    let region = args.region("region")?;
    Ok(Int::of(CountWithin { region, groups: groups(args, true)?, biggest }))
}

node! {
    /// The number of groups that have a site of a region, or the size of the biggest of them.
    struct CountWithin = "count Groups" { region: Region, groups: Groups, biggest: bool }
}

impl Number for CountWithin {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (min, mut total) = (self.groups.min.get(c), 0);
        let Groups { near, condition, .. } = &self.groups;
        self.region.of(c, |c, starts| {
            each_group(c, starts, near, condition.as_ref(), |_, members| {
                let size = members.len() as i32;
                if size >= min {
                    total = add(total, size, self.biggest);
                }
                true
            });
        });
        total
    }
}

fn all(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (near, of) = (args.near()?, args.try_test("of")?);
    let place = Table(args.place());
    Ok(Bool::of(AllGroups { near, of, condition: args.bool("if")?, place }))
}

node! {
    /// A condition holds for all groups.
    struct AllGroups = "all Groups", reads CELLS | TURN | ORDER {
        near: Near,
        of: Option<Test>,
        condition: Bool,
        place: Table<Sites>,
    }
}

impl Condition for AllGroups {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let owners = self.of.is_none().then_some(1 << c.state.s.mover);
        let starts = starts(c, owners, self.of.is_some(), &self.place);
        let mut all = true;
        each_group(c, &starts, &self.near, self.of.as_ref(), |c, members| {
            all = c.with_region(members, |c| self.condition.holds(c));
            all
        });
        c.free(starts);
        all
    }
}

fn for_each(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (near, condition) = (args.near()?, args.try_test("if")?);
    let place = Table(args.place());
    Ok(Box::new(ForEachGroup { near, condition, moves: args.moves("moves")?, place }))
}

node! {
    /// Moves for each group.
    struct ForEachGroup = "forEach Group", reads CELLS | TURN | ORDER {
        near: Near,
        condition: Option<Test>,
        moves: Generator,
        place: Table<Sites>,
    }
}

impl Generate for ForEachGroup {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let owners = self.condition.is_none().then_some(1 << c.state.s.mover);
        let starts = starts(c, owners, self.condition.is_some(), &self.place);
        each_group(c, &starts, &self.near, self.condition.as_ref(), |c, members| {
            c.with_region(members, |c| self.moves.generate(c, out));
            !out.full()
        });
        c.free(starts);
    }
}

fn sites(args: &mut Args<'_, '_, '_>) -> Result<SitesGroup> {
    let (near, condition) = (args.near()?, args.try_test("if")?);
    // A single origin need not meet the condition (decided by Diaballik, ply 134).
    let whole = args.has("at") && condition.is_some();
    Ok(SitesGroup { origin: args.one_region(&["at", "from"])?, near, condition, whole })
}

node! {
    /// The groups of some sites.
    struct SitesGroup = "sites Group", reads CELLS {
        origin: Region,
        near: Near,
        condition: Option<Test>,
        /// Does the origin belong to its group whatever the condition says?
        whole: bool,
    }
}

impl SiteSet for SitesGroup {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let condition = self.condition.as_ref();
        self.origin.each(c, |c, site| {
            match self.whole {
                true => expand(c, site, &self.near, condition, out),
                false => group(c, site, &self.near, condition, out),
            }
            true
        });
    }
}

inner!(SitesGroup);

node! {
    /// The size of a group.
    struct GroupSize = "size Group" { sites: SitesGroup }
}

impl Number for GroupSize {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.sites.size(c)
    }
}

fn liberties(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let (at, near) = (args.site_or_last("at")?, args.near()?);
    Ok(Int::of(CountLiberties { at, near, condition: args.try_test("if")? }))
}

node! {
    /// Empty sites next to a group.
    struct CountLiberties = "count Liberties", reads CELLS { at: Int, near: Near, condition: Option<Test> }
}

impl Number for CountLiberties {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.at.get(c);
        let (mut members, mut free) = (c.sites(), c.sites());
        group(c, site, &self.near, self.condition.as_ref(), &mut members);
        self.near.around(c, &members, &mut free);
        free.keep(c.state.empty(c.rules.layout));
        let count = free.len() as i32;
        c.free(free);
        c.free(members);
        count
    }
}

fn territory(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let who = args.who(&["roleType", "player"])?;
    let near = args.near()?;
    let (free, place) = (Test::Owner(Owners::free(), Place::To), Table(args.place()));
    Ok(Int::of(Territory { who, near, free, place }))
}

node! {
    /// Empty areas that touch only a player's pieces.
    struct Territory = "size Territory", reads CELLS {
        who: Who,
        near: Near,
        free: Test,
        place: Table<Sites>,
    }
}

impl Number for Territory {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let who = self.who.get(c);
        let mut empty = c.sites();
        empty.add(c.state.empty(c.rules.layout));
        empty.keep(self.place.words());
        let mut total = 0;
        while let Some(start) = empty.first() {
            let (mut area, mut border) = (c.sites(), c.sites());
            expand(c, start, &self.near, Some(&self.free), &mut area);
            self.near.around(c, &area, &mut border);
            border.subtract(area.words());
            let touched = border.iter().fold(0u32, |bits, site| bits | 1 << c.who(site));
            if touched != 0 && touched & !who == 0 {
                total += area.len() as i32;
            }
            empty.subtract(area.words());
            c.free(area);
            c.free(border);
        }
        c.free(empty);
        total
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, number, sites};

    #[test]
    fn groups_are_of_all_pieces_or_of_the_mover() {
        let start = "(place \"Disc1\" {0 1}) (place \"Disc2\" {2 8})";
        assert_eq!(number(start, "(count SizeBiggestGroup Orthogonal)"), 3);
        assert_eq!(number(start, "(count SizeBiggestLine Orthogonal)"), 3);
        assert!(holds(start, "(all Groups if:(= 2 (count Sites in:(sites))))"));
    }

    #[test]
    fn a_group_ends_where_its_neighbours_differ() {
        let start = "(place \"Disc1\" {0 1 4 8}) (place \"Disc2\" 3)";
        assert_eq!(sites(start, "(sites Group at:0 Orthogonal)"), [0, 1, 4]);
        assert_eq!(sites(start, "(sites Group at:0 All)"), [0, 1, 4, 8]);
        assert_eq!(number(start, "(size Group at:0 Orthogonal)"), 3);
    }
}
