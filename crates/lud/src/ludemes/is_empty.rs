//! `(is Empty …)` and `(is Occupied …)`: is there nothing on a site, or a piece?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isSiteType=Empty [siteType] int",
        "Nothing is on the site.",
        "(to if:(is Empty (to)))",
        |args| Ok(Bool::of(IsEmpty { site: args.int("int")? })),
    )
    .on_all_kinds()
    .sites_in(&["int"]),
    condition(
        "is isSiteType=Occupied [siteType] int",
        "A piece is on the site.",
        "(is Occupied (last To))",
        |args| Ok(Bool::of(IsOccupied { site: args.int("int")? })),
    )
    .on_all_kinds()
    .sites_in(&["int"]),
];

/// Nothing is on a site.
struct IsEmpty {
    site: Int,
}

impl Node for IsEmpty {
    fn name(&self) -> &'static str {
        "is Empty"
    }

    fn reads(&self) -> Parts {
        Parts::CELLS
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn asks_for_empty(&self) -> bool {
        true
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("site", &self.site);
    }
}

impl Condition for IsEmpty {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.site.get(c);
        c.is_empty(site)
    }

    fn owners(&self) -> Option<(Owners, Place)> {
        Some((Owners::free(), Place::of_number(&self.site)?))
    }
}

node! {
    /// A piece is on a site.
    struct IsOccupied = "is Occupied", iterators NONE, reads CELLS { site: Int }
}

impl Condition for IsOccupied {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.site.get(c);
        c.what(site) != 0
    }

    fn owners(&self) -> Option<(Owners, Place)> {
        Some((Owners::occupied(), Place::of_number(&self.site)?))
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn a_site_is_empty_or_occupied() {
        let start = "(place \"Disc1\" 0)";
        assert!(holds(start, "(is Occupied 0)") && !holds(start, "(is Empty 0)"));
        assert!(holds(start, "(is Empty 1)") && !holds(start, "(is Occupied 1)"));
    }
}
