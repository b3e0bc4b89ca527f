//! `(is In …)`: is a site in a region, or a number in a list?

use super::prelude::*;

// No record tells whether all of several sites are meant or one of them, so a list of sites is refused: the reader
// leaves it over.
pub(super) const FORMS: &[Form] = &[condition(
    "is In ([int] | [{int}]) (region | ints)",
    "The site, `(to)` where it is left out, is in the region, or the number is in the list.",
    "(is In (last To) (sites Corners))",
    read,
)];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let value = args.try_int("int")?.unwrap_or(Int::To);
    if args.has("ints") {
        return Ok(Bool::of(InList { value, list: args.ints("ints")? }));
    }
    Ok(Bool::of(InRegion { site: value, region: args.region("region")? }))
}

node! {
    /// A site is in a region.
    struct InRegion = "is In" { site: Int, region: Region }
}

impl Condition for InRegion {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.site.get(c);
        self.region.contains(c, site)
    }
}

node! {
    /// A number is in a list.
    struct InList = "is In" { value: Int, list: Ints }
}

impl Condition for InList {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let value = self.value.get(c);
        self.list.contains(c, value)
    }
}
