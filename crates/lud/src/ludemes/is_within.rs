//! `(is Within …)`: is a piece of a kind in a region?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "is isComponentType=Within [int] [siteType] ([at:int] | [in:region]) [moves]",
    "A piece of this kind stands in the region.",
    "(is Within (id \"King\" P1) in:(sites Corners))",
    |args| {
        let what = args.int("int")?;
        Ok(Bool::of(IsWithin { what, region: args.one_region(&["in", "at"])? }))
    },
)
.on_board()];

node! {
    /// A piece of a kind is in a region.
    struct IsWithin = "is Within", reads CELLS { what: Int, region: Region }
}

impl Condition for IsWithin {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let what = self.what.get(c);
        self.region.any(c, |c, site| c.what(site) as i32 == what)
    }
}
