//! `(sites Incident …)`: the elements of one kind that touch an element of another.

use super::prelude::*;
use crate::board::SiteType;

pub(super) const FORMS: &[Form] = &[region(
    "sites Incident siteType of:siteType at:int ([owner:player] | [roleType])",
    "The elements of the first kind that touch the element of the second, with pieces of the player.",
    "(sites Incident Edge of:Vertex at:(to))",
    read,
)
.own_sites()];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let mut kind = |name| args.word(name).and_then(SiteType::named);
    let (Some(to), Some(of)) = (kind("siteType"), kind("of")) else {
        return Err(args.unsupported());
    };
    let at = args.int("at")?;
    let who = args.try_who(&["roleType", "owner"])?;
    let equipment = args.lower.equipment;
    let board = &equipment.board;
    // Owners are known of the elements on which pieces stand.
    let unknown = who.is_some() && to != board.sites;
    if unknown || board.topology.elements(to).len() > equipment.sites {
        return Err(args.unsupported());
    }
    let incidence = board.incidence();
    let elements = board.topology.elements(of);
    let touching = |index: usize| match of == to {
        true => elements[index].adjacent.iter().map(|&other| other as u32).collect(),
        false => incidence.of(of, index, to),
    };
    let table = (0..elements.len()).map(touching).collect();
    Ok(Region::of_node(Incident { at, who, table: Table(table) }))
}

node! {
    /// Elements that touch another.
    struct Incident = "sites Incident", reads CELLS { at: Int, who: Option<Who>, table: Table<Vec<Vec<u32>>> }
}

impl SiteSet for Incident {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let at = self.at.get(c);
        let who = self.who.as_ref().map(|who| who.get(c));
        let list = usize::try_from(at).ok().and_then(|at| self.table.get(at));
        for &site in list.into_iter().flatten() {
            let site = site as i32;
            if who.is_none_or(|who| who >> c.who(site) & 1 == 1) {
                out.insert(site);
            }
        }
    }
}
