//! `(hand …)`: a hand of a player.

use super::{ItemArgs, Result, Stage, item};
use crate::engine::equipment::Container;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] =
    &[item("hand roleType [size:int]", "A hand of a player.", "(hand Each)", Stage::Hands, add)];

fn add(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let size = args.literal("size")?.unwrap_or(1);
    if !(1..1000).contains(&size) {
        return Err(args.unsupported());
    }
    for owner in args.owners("Shared")? {
        let (name, from) = (format!("Hand{owner}"), args.equipment.sites as u32);
        args.equipment.containers.push(Container { name, from, sites: size as u32, owner });
        args.equipment.sites += size as usize;
    }
    Ok(())
}
