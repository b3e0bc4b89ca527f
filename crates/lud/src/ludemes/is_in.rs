//! `(is In …)`: is a site in a region, or a number in a list?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "is In ([int] | [{int}]) (region | ints)",
    "The site, `(to)` where it is left out, is in the region, or the number is in the list. Of several, all are.",
    "(is In (last To) (sites Corners))",
    read,
)];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    if args.has("{int}") {
        // No record uses several sites. The reference speaks of the sites, so all of them are meant.
        let (values, list) = (args.int_items("{int}")?, args.has("ints"));
        let each = |list: Option<Ints>, region: Option<Region>| AllIn { values, list, region };
        return Ok(Bool::of(match list {
            true => each(Some(args.ints("ints")?), None),
            false => each(None, Some(args.region("region")?)),
        }));
    }
    let value = args.try_int("int")?.unwrap_or(Int::To);
    if args.has("ints") {
        return Ok(Bool::of(InList { value, list: args.ints("ints")? }));
    }
    Ok(Bool::of(InRegion { site: value, region: args.region("region")? }))
}

node! {
    /// A site is in a region.
    struct InRegion = "is In", iterators NONE { site: Int, region: Region }
}

impl Condition for InRegion {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.site.get(c);
        self.region.contains(c, site)
    }
}

node! {
    /// A number is in a list.
    struct InList = "is In", iterators NONE { value: Int, list: Ints }
}

impl Condition for InList {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let value = self.value.get(c);
        self.list.contains(c, value)
    }
}

node! {
    /// All of several sites are in a region, or all of several numbers in a list.
    struct AllIn = "is In", iterators NONE { values: Vec<Int>, list: Option<Ints>, region: Option<Region> }
}

impl Condition for AllIn {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.values.iter().all(|value| {
            let value = value.get(c);
            self.list.as_ref().is_none_or(|list| list.contains(c, value))
                && self.region.as_ref().is_none_or(|region| region.contains(c, value))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn a_site_is_in_a_region() {
        assert!(holds("", "(is In 8 (sites Top))") && !holds("", "(is In 0 (sites Top))"));
        assert!(holds("", "(is In {6 8} (sites Top))") && !holds("", "(is In {0 8} (sites Top))"));
    }
}
