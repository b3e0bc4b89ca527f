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
    let count = list.iter().max().map_or(0, |&last| usize::try_from(last + 1).unwrap_or(0));
    let mut sites = vec![args.lower.no_sites(); count];
    for (site, number) in list.into_iter().enumerate() {
        if let Some(own) = usize::try_from(number).ok().and_then(|number| sites.get_mut(number)) {
            own.insert(site as i32);
        }
    }
    let number = args.int("int")?;
    Ok(match number.fixed() {
        Some(number) => {
            let own = usize::try_from(number).ok().and_then(|number| sites.into_iter().nth(number));
            Region::Fixed(own.unwrap_or_else(|| args.lower.no_sites()))
        }
        None => Region::of_node(ByNumber { name, number, sites }),
    })
}

/// The sites of a number.
struct ByNumber {
    name: &'static str,
    number: Int,
    /// By number: its sites.
    sites: Vec<Sites>,
}

impl ByNumber {
    /// The sites of the number as it is.
    fn own(&self, c: &mut Context<'_>) -> Option<&Sites> {
        usize::try_from(self.number.get(c)).ok().and_then(|number| self.sites.get(number))
    }
}

impl Node for ByNumber {
    fn name(&self) -> &'static str {
        self.name
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("number", &self.number);
    }
}

impl SiteSet for ByNumber {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        if let Some(own) = self.own(c) {
            out.add(own.words());
        }
    }

    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        self.own(c).is_some_and(|own| own.contains(site))
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
