//! `(is Target …)`: do sites hold given pieces?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "is Target ([int] | [string]) {int} ([int] | [{int}])",
    "The sites hold pieces of these kinds: all sites in order, or the sites that are listed.",
    "(is Target {1 2 1} {0 1 2})",
    |args| {
        let first = container(args)?;
        let whats = args.int_items("{int}")?;
        let mut sites = args.int_items("{int}")?;
        sites.extend(args.try_int("int")?);
        if sites.is_empty() {
            sites = (0..whats.len() as i32).map(|site| Int::Const(first + site)).collect();
        }
        Ok(Bool::of(IsTarget { whats, sites }))
    },
)];

/// The first site of the container that is named or numbered; that of the board without one.
fn container(args: &mut Args<'_, '_, '_>) -> Result<i32> {
    let all = &args.lower.equipment.containers;
    let found = match args.text("string") {
        Some(name) => all.iter().find(|container| container.name.starts_with(name)),
        // A number before the kinds of pieces is a container, one after them a site.
        None if matches!(args.ludeme.arg(0), Some(Value::Int(_) | Value::Call(_))) => {
            let number = args.known_int("int")?;
            usize::try_from(number).ok().and_then(|number| all.get(number))
        }
        None => all.first(),
    };
    found.map(|container| container.from as i32).ok_or_else(|| args.unsupported())
}

node! {
    /// Sites hold given pieces.
    struct IsTarget = "is Target", reads CELLS { whats: Vec<Int>, sites: Vec<Int> }
}

impl Condition for IsTarget {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.sites.iter().zip(&self.whats).all(|(site, what)| {
            let site = site.get(c);
            c.what(site) as i32 == what.get(c)
        })
    }
}
