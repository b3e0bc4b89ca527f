//! `(all Sites …)`, `(all Different …)`, `(all Values …)`: does a condition hold for each of some sites or values?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition("all Values ints If:boolean", "The condition holds for each `(value)` of the list.",
        "(all Values (values Remembered) if:(> (value) 0))", values).on_board(),
    condition("all allSitesType=Sites region If:boolean", "The condition holds for each `(site)` of the region.",
        "(all Sites (sites Board) if:(is Occupied (site)))", |args| sites(args, false)).on_board(),
    condition("all allSitesType=Different region If:boolean",
        "The condition holds for each `(site)` of the region, and no kind of piece stands there twice.",
        "(all Different (sites Board) if:True)", |args| sites(args, true)).on_board(),
];

fn values(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    Ok(Bool::of(AllValues { values: args.ints("ints")?, condition: args.bool("if")? }))
}

fn sites(args: &mut Args<'_, '_, '_>, different: bool) -> Result<Bool> {
    let region = args.region("region")?;
    Ok(Bool::of(AllSites { region, condition: args.bool("if")?, different }))
}

node! {
    /// A condition holds for all values.
    struct AllValues = "all Values" { values: Ints, condition: Bool }
}

impl Condition for AllValues {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.values.of(c, |c, values| {
            values.iter().all(|&value| self.condition.holds_at(c, Registers { value, ..c.at }))
        })
    }
}

node! {
    /// A condition holds for all sites, whose pieces may have to differ.
    struct AllSites = "all Sites", reads CELLS { region: Region, condition: Bool, different: bool }
}

impl Condition for AllSites {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let mut kinds = c.list();
        let broken = self.region.any(c, |c, site| {
            let mut holds = self.condition.holds_at(c, Registers { site, ..c.at });
            if self.different {
                let what = c.what(site) as i32;
                holds &= what == 0 || !kinds.contains(&what);
                kinds.push(what);
            }
            !holds
        });
        c.free_list(kinds);
        !broken
    }
}
