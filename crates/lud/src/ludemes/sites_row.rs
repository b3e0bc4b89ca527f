//! `(sites Row …)`, `(sites Column …)`, `(sites Layer …)`, `(sites Phase …)`, `(sites State …)`, `(sites Empty …)`: sites
//! with a number.

use super::prelude::*;
use crate::board::Element;

pub(super) const FORMS: &[Form] = &[
    region(
        "sites sitesIndexType=Row [siteType] [int]",
        "The sites of a row.",
        "(sites Row 1)",
        |args| line(args, "sites Row", |e| e.row),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesIndexType=Column [siteType] [int]",
        "The sites of a column.",
        "(sites Column 0)",
        |args| line(args, "sites Column", |e| e.column),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesIndexType=Layer [siteType] [int]",
        "The sites of a layer.",
        "(sites Layer 1)",
        |args| line(args, "sites Layer", |e| e.layer),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesIndexType=Phase [siteType] [int]",
        "The sites of a colour.",
        "(sites Phase 0)",
        |args| {
            let colours = args.colours();
            by_number(args, "sites Phase", colours)
        },
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesIndexType=State [siteType] [int]",
        "The sites whose pieces have a local state.",
        "(sites State 1)",
        |args| {
            let sites = args.lower.equipment.sites_on(args.kind());
            Ok(Region::of_node(SitesState { state: args.int("int")?, sites }))
        },
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesIndexType=Empty [siteType] [int]",
        "The empty sites of the board, or of a container.",
        "(move Add (to (sites Empty)))",
        empty,
    )
    .on_all_kinds()
    .on_board(),
];

fn line(
    args: &mut Args<'_, '_, '_>,
    name: &'static str,
    number: fn(&Element) -> usize,
) -> Result<Region> {
    let list = args.by_element(|_, element| number(element) as i32);
    by_number(args, name, list)
}

fn by_number(args: &mut Args<'_, '_, '_>, name: &'static str, list: Vec<i32>) -> Result<Region> {
    let node = ByNumber { name, number: args.int("int")?, list };
    Ok(match node.number.fixed() {
        Some(number) => Region::Fixed(args.lower.sites_of(node.sites(number))),
        None => Region::of_node(node),
    })
}

/// The sites of a number.
struct ByNumber {
    name: &'static str,
    number: Int,
    /// By site: its number.
    list: Vec<i32>,
}

impl ByNumber {
    fn sites(&self, number: i32) -> impl Iterator<Item = i32> {
        let sites = self.list.iter().enumerate();
        sites.filter(move |(_, own)| **own == number).map(|(site, _)| site as i32)
    }
}

impl Node for ByNumber {
    fn name(&self) -> &'static str {
        self.name
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("number", &self.number);
    }
}

impl SiteSet for ByNumber {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let number = self.number.get(c);
        self.sites(number).for_each(|site| out.insert(site));
    }
}

node! {
    /// The sites whose pieces have a local state.
    struct SitesState = "sites State", reads STATES { state: Int, sites: Sites }
}

impl SiteSet for SitesState {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let Ok(state) = i16::try_from(self.state.get(c)) else { return };
        for (at, (cells, &mask)) in c.state.cells.chunks(64).zip(self.sites.words()).enumerate() {
            let bits = cells.iter().enumerate();
            let bits = bits.fold(0, |bits, (n, cell)| bits | u64::from(cell.state == state) << n);
            out.insert_word(at, bits & mask);
        }
    }
}

fn empty(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    Ok(match args.try_int("int")? {
        Some(container) => {
            let containers = args.lower.containers();
            Region::of_node(EmptyIn { container, containers })
        }
        None if args.kind() == args.lower.equipment.board.sites => Region::Empty,
        None => {
            let sites = args.lower.equipment.sites_on(args.kind());
            Region::of_node(EmptyOn { sites })
        }
    })
}

node! {
    /// The empty sites of a kind of elements.
    struct EmptyOn = "sites Empty", reads CELLS { sites: Sites }
}

impl SiteSet for EmptyOn {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        out.add_both(c.state.empty(c.rules.layout), self.sites.words());
    }
}

node! {
    /// The empty sites of a container.
    struct EmptyIn = "sites Empty", reads CELLS { container: Int, containers: Vec<Sites> }
}

impl SiteSet for EmptyIn {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let number = usize::try_from(self.container.get(c)).unwrap_or(usize::MAX);
        if let Some(sites) = self.containers.get(number) {
            out.add_both(c.state.empty(c.rules.layout), sites.words());
        }
    }
}
