//! `(is Within …)`: is a piece of a kind in a region?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "is isComponentType=Within [int] [siteType] ([at:int] | [in:region]) [moves]",
    "A piece of this kind stands in the region.",
    "(is Within (id \"King\" P1) in:(sites Corners))",
    |args| {
        let what = args.try_int("int")?;
        // The moves that lead there have no meaning here.
        args.take("moves");
        Ok(Bool::of(IsWithin { what, region: args.region_or_last(&["in", "at"])? }))
    },
)
.on_all_kinds()
.on_board()];

node! {
    /// A piece of a kind is in a region.
    struct IsWithin = "is Within", reads CELLS { what: Option<Int>, region: Region }
}

impl Condition for IsWithin {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let what = self.what.as_ref().map(|what| what.get(c));
        self.region.any(c, |c, site| {
            let here = c.what(site) as i32;
            what.map_or(here > 0, |what| here == what)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn a_kind_is_within_a_region_if_one_of_its_pieces_is() {
        let within = "(is Within (id \"King1\") in:(sites Corners))";
        assert!(holds("(place \"King1\" {0 4})", within) && !holds("(place \"King1\" 4)", within));
        assert!(!holds("(place \"Disc1\" 0)", within));
    }
}
