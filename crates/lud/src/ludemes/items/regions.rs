//! `(regions …)`: sites with a name or an owner.

use super::{ItemArgs, Result, Stage, item};
use crate::compile::Value;
use crate::engine::equipment::NamedRegion;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[item(
    "regions [string] [roleType] ({int} | region | {region} | regionTypeStatic | {regionTypeStatic}) [string]",
    "Sites with a name or an owner.",
    "(regions P1 (sites Side N))",
    Stage::Regions,
    add,
)
    .refuses("sites that chance draws")];

fn add(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let name = args.text("string").unwrap_or_default().to_owned();
    let role = args.word("roleType");
    let number = role.and_then(|role| role.strip_prefix('P')).and_then(|n| n.parse().ok());
    let owners = match (role, number) {
        (None, _) => vec![0],
        // A player who does not play may have a region.
        (_, Some(player)) => vec![player],
        (Some(role), None) => args.equipment.owners_of(role).ok_or_else(|| args.unsupported())?,
    };
    let kinds = ["{int}", "region", "{region}", "regionTypeStatic", "{regionTypeStatic}"];
    let sites = args.take_any(&kinds).map(Value::items);
    let sites = sites.ok_or_else(|| args.unsupported())?.to_vec();
    // The second text is a name for people.
    args.text("string");
    for owner in owners {
        args.equipment.regions.push(NamedRegion {
            name: name.clone(),
            owner,
            sites: sites.clone(),
        });
    }
    Ok(())
}
