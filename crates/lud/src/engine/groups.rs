//! Connected pieces of the same owner.

use super::context::Context;
use super::directions::Direction;

/// The group of a site: connected sites with pieces of the same owner.
pub fn group(c: &Context<'_>, site: i32, directions: &[Direction]) -> Vec<i32> {
    let owner = c.who(site);
    let mut group = Vec::new();
    if c.what(site) == 0 {
        return group;
    }
    group.push(site);
    let mut at = 0;
    while let Some(&here) = group.get(at) {
        at += 1;
        let Ok(here) = usize::try_from(here) else { continue };
        for ray in c.equipment.directions.select(here, directions, 0.0) {
            let next = ray.sites[0] as i32;
            if c.what(next) != 0 && c.who(next) == owner && !group.contains(&next) {
                group.push(next);
            }
        }
    }
    group
}

/// The sizes of the mover's groups.
pub fn sizes(c: &Context<'_>, directions: &[Direction]) -> Vec<i32> {
    let mut seen: Vec<i32> = Vec::new();
    let mut sizes = Vec::new();
    for site in 0..c.equipment.elements().len() as i32 {
        if c.what(site) != 0 && c.who(site) == c.state.mover && !seen.contains(&site) {
            let members = group(c, site, directions);
            sizes.push(members.len() as i32);
            seen.extend(members);
        }
    }
    sizes
}
