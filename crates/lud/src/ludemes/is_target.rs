//! `(is Target …)`: do sites hold given pieces?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "is Target ([int] | [string]) {int} ([int] | [{int}])",
    "The sites hold pieces of these kinds: all sites in order, or the sites that are listed.",
    "(is Target {1 2 1} {0 1 2})",
    |args| {
        let mut list = || -> Result<Option<Vec<i32>>> {
            let numbers = args.int_items("{int}")?;
            let fixed = numbers.iter().map(Int::fixed).collect::<Option<Vec<i32>>>();
            Ok(Some(fixed.ok_or_else(|| args.unsupported())?).filter(|list| !list.is_empty()))
        };
        let whats = list()?.unwrap_or_default();
        let sites = list()?.unwrap_or_else(|| (0..whats.len() as i32).collect());
        Ok(Bool::of(IsTarget { whats, sites }))
    },
)];

node! {
    /// Sites hold given pieces.
    struct IsTarget = "is Target", reads CELLS { whats: Vec<i32>, sites: Vec<i32> }
}

impl Condition for IsTarget {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.sites.iter().zip(&self.whats).all(|(&site, &what)| c.what(site) as i32 == what)
    }
}
