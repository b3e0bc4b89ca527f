//! Pieces on several kinds of elements: cells, edges and vertices of one board.
//!
//! The sites of the kind on which the board is played come first, then hands and dice. Each further kind that the rules
//! name has a plane: a range of site numbers above all others. The language itself knows plain numbers of elements and reads
//! them by the kind that a form names, so a site that comes to a form is converted to the plane of that form's kind.

use super::args::Args;
use super::context::Context;
use super::equipment::Equipment;
use super::functions::{Int, Number, Region, SiteSet};
use super::lower::Lower;
use super::node::{Table, node};
use super::sites::Sites;
use super::state::OFF;
use crate::board::SiteType;
use crate::compile::table::Kind;
use crate::compile::{Ludeme, Value};
use crate::ludemes::Read;

/// The sites of a kind of elements besides that on which the board is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    /// The kind of elements.
    pub(crate) kind: SiteType,
    /// The first site.
    pub(crate) from: u32,
    /// The number of sites.
    pub(crate) sites: u32,
}

/// The kinds of elements that the rules of a game name, except that on which the board is played.
pub(super) fn named(game: &std::sync::Arc<Ludeme>, own: SiteType, hands: bool) -> Vec<SiteType> {
    let mut kinds = Vec::new();
    game.walk(&mut |ludeme| {
        let Some((form, read)) = ludeme.reader() else { return };
        if form.asks_for_kind || matches!(read, Read::Board(_) | Read::Graph(_)) {
            return;
        }
        for (slot, given) in ludeme.slots() {
            let Some((choice, Value::Word(word))) = given else { continue };
            let Some(choice) = slot.choices.get(*choice) else { continue };
            let is_type = matches!(&choice.kind, Kind::Type(name) if name == "siteType");
            let Some(kind) = SiteType::named(word).filter(|&kind| is_type && kind != own) else {
                continue;
            };
            // Hands have cells: elsewhere than in a set of sites, cells may be theirs.
            let cells = hands && kind == SiteType::Cell && choice.label.is_none();
            let theirs = cells && !matches!(read, Read::Region(_));
            if !theirs && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    });
    kinds
}

impl Equipment {
    /// Adds planes for these kinds, with their ways.
    pub(super) fn add_planes(&mut self, kinds: &[SiteType]) {
        if kinds.is_empty() {
            return;
        }
        let count = |kind: SiteType| self.board.topology.elements(kind).len();
        let all = [SiteType::Cell, SiteType::Edge, SiteType::Vertex];
        let most = all.into_iter().map(count).max().unwrap_or(0);
        // A number of an element is never that of a site on a plane.
        self.sites = self.sites.max(most);
        for &kind in kinds {
            let (from, sites) = (self.sites, self.board.topology.elements(kind).len());
            self.directions.extend(&self.board.radials(kind), from);
            self.planes.push(Plane { kind, from: from as u32, sites: sites as u32 });
            self.sites += sites;
        }
    }

    /// Is a site on a plane?
    #[inline]
    pub(crate) fn is_on_plane(&self, site: i32) -> bool {
        self.planes.first().is_some_and(|plane| site >= plane.from as i32)
    }

    /// The plane of a site, if it is on one.
    fn plane_of(&self, site: i32) -> Option<&Plane> {
        let on = |plane: &&Plane| {
            u32::try_from(site).is_ok_and(|s| s >= plane.from && s < plane.from + plane.sites)
        };
        self.planes.iter().find(on)
    }

    /// The kind of the element that a site of the board or of a plane is.
    pub(crate) fn kind_of(&self, site: i32) -> Option<SiteType> {
        match self.plane_of(site) {
            Some(plane) => Some(plane.kind),
            None => self.on_board.contains(site).then_some(self.board.sites),
        }
    }

    /// The number of a site among the elements of its kind; sites of hands keep theirs.
    pub(crate) fn element(&self, site: i32) -> i32 {
        self.plane_of(site).map_or(site, |plane| site - plane.from as i32)
    }

    /// The site of the same number among the elements of a kind.
    pub(crate) fn converted(&self, site: i32, kind: SiteType) -> i32 {
        if site < 0 {
            return site;
        }
        if self.planes.is_empty() {
            // Hands have cells, the board has none that pieces could stand on.
            let missing = kind != self.board.sites && self.on_board.contains(site);
            return if missing { OFF } else { site };
        }
        let (number, on_plane) = (self.element(site), self.plane_of(site).is_some());
        if kind == self.board.sites {
            let here = self.board.topology.elements(kind).len() as i32;
            return if on_plane && number >= here { OFF } else { number };
        }
        match self.planes.iter().find(|plane| plane.kind == kind) {
            Some(plane) if (number as u32) < plane.sites => plane.from as i32 + number,
            // Hands have cells.
            Some(_) if kind == SiteType::Cell && !on_plane && !self.on_board.contains(site) => site,
            Some(_) => OFF,
            None => site,
        }
    }

    /// The sites of a kind of elements.
    pub(crate) fn sites_on(&self, kind: SiteType) -> Sites {
        match self.planes.iter().find(|plane| plane.kind == kind) {
            Some(plane) => {
                Sites::of(self.sites, plane.from as i32..(plane.from + plane.sites) as i32)
            }
            None if kind == self.board.sites => self.on_board.clone(),
            None => Sites::new(self.sites),
        }
    }

    /// Are all sites of a set of one kind of elements? None is of another kind than any.
    pub(crate) fn same_kind(&self, sites: &Sites, others: &Sites) -> bool {
        let kind = |sites: &Sites| sites.first().map(|site| self.plane_of(site).map(|p| p.kind));
        match (kind(sites), kind(others)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }

    /// Puts the sites of a set in as numbers of elements.
    pub(crate) fn as_elements(&self, sites: &Sites, out: &mut Sites) {
        sites.iter().for_each(|site| out.insert(self.element(site)));
    }

    /// Can a piece stand on elements of this kind?
    pub(crate) fn has_kind(&self, kind: SiteType) -> bool {
        kind == self.board.sites || self.planes.iter().any(|plane| plane.kind == kind)
    }
}

impl Lower<'_> {
    /// A site among the elements of a kind.
    pub(crate) fn site_on(&self, site: Int, kind: SiteType) -> Int {
        if self.equipment.planes.is_empty() && kind == self.equipment.board.sites {
            return site;
        }
        match site {
            Int::Const(site) => Int::Const(self.equipment.converted(site, kind)),
            site => Int::of(OnKind { site, kind: Table(kind) }),
        }
    }

    /// A region among the elements of a kind.
    pub(crate) fn region_on(&self, region: Region, kind: SiteType) -> Region {
        if self.equipment.planes.is_empty() && kind == self.equipment.board.sites {
            return region;
        }
        match region {
            Region::Fixed(sites) => {
                let sites = sites.iter().map(|site| self.equipment.converted(site, kind));
                Region::Fixed(self.sites_of(sites.collect::<Vec<_>>()))
            }
            Region::One(site) => Region::One(self.site_on(site, kind)),
            Region::Empty if kind == self.equipment.board.sites => Region::Empty,
            region => Region::of_node(RegionOn { region, kind: Table(kind) }),
        }
    }
}

impl Args<'_, '_, '_> {
    /// By number of a site of the form's kind: something of its element. Other sites have `OFF`.
    pub(crate) fn by_element(&self, f: impl Fn(usize, &crate::board::Element) -> i32) -> Vec<i32> {
        let (equipment, kind) = (self.lower.equipment, self.kind());
        let elements = equipment.board.topology.elements(kind);
        let numbers = elements.iter().enumerate().map(|(number, element)| f(number, element));
        if kind == equipment.board.sites {
            return numbers.collect();
        }
        let mut list = vec![OFF; equipment.sites];
        for (number, value) in numbers.enumerate() {
            let site = equipment.converted(number as i32, kind);
            if let Some(at) = usize::try_from(site).ok().and_then(|site| list.get_mut(site)) {
                *at = value;
            }
        }
        list
    }

    /// By site of the form's kind: its colour, such that neighbours across sides differ.
    pub(crate) fn colours(&self) -> Vec<i32> {
        let (regions, _) = self.named_regions();
        self.by_element(|number, _| regions.phase.get(number).map_or(OFF, |&phase| phase as i32))
    }

    /// The regions of the elements of the form's kind, and where their sites begin.
    pub(crate) fn named_regions(
        &self,
    ) -> (std::borrow::Cow<'_, crate::board::regions::Regions>, i32) {
        use std::borrow::Cow;
        let (equipment, kind) = (self.lower.equipment, self.kind());
        match equipment.planes.iter().find(|plane| plane.kind == kind) {
            Some(plane) => (Cow::Owned(equipment.board.regions(kind)), plane.from as i32),
            None => (Cow::Borrowed(&equipment.named), 0),
        }
    }
}

node! {
    /// The site of the same number among the elements of a kind.
    struct OnKind = "site on", iterators NONE { site: Int, kind: Table<SiteType> }
}

impl Number for OnKind {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.site.get(c);
        c.equipment.converted(site, *self.kind)
    }
}

node! {
    /// The sites of the same numbers among the elements of a kind.
    struct RegionOn = "sites on", iterators NONE { region: Region, kind: Table<SiteType> }
}

impl SiteSet for RegionOn {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let equipment = c.equipment;
        self.region.of(c, |_, sites| {
            sites.iter().for_each(|site| out.insert(equipment.converted(site, *self.kind)));
        });
    }
}
