//! `(sites Incident …)`: the elements of one kind that touch an element of another.

use super::prelude::*;
use crate::board::SiteType;

pub(super) const FORMS: &[Form] = &[region(
    "sites Incident siteType of:siteType at:int ([owner:player] | [roleType])",
    "The elements of the first kind that touch the element of the second, with pieces of the player.",
    "(sites Incident Edge of:Vertex at:(to))",
    read,
).on_all_kinds()
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
    if who.is_some() && !equipment.has_kind(to) {
        return Err(args.unsupported());
    }
    let incidence = board.incidence();
    let elements = board.topology.elements(of);
    let touching = |index: usize| match of == to {
        // Cells that share a side (decided by Triple Tangle, ply 0), vertices that share an edge, edges that share an end.
        true if of == SiteType::Cell => {
            elements[index].orthogonal.iter().map(|&o| o as u32).collect()
        }
        true => elements[index].adjacent.iter().map(|&other| other as u32).collect(),
        false => incidence.of(of, index, to),
    };
    let mut table = vec![Sites::default(); equipment.sites];
    for index in 0..elements.len() {
        let sites = touching(index).into_iter().map(|n| equipment.converted(n as i32, to));
        if let Some(set) = table.get_mut(equipment.converted(index as i32, of) as usize) {
            *set = Sites::of(equipment.sites, sites);
        }
    }
    Ok(Region::of_node(Incident { at, who, table: Table(table) }))
}

node! {
    /// Elements that touch another.
    struct Incident = "sites Incident", reads CELLS { at: Int, who: Option<Who>, table: Table<Vec<Sites>> }
}

impl SiteSet for Incident {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let at = self.at.get(c);
        let who = self.who.as_ref().map(|who| who.get(c));
        let Some(sites) = usize::try_from(at).ok().and_then(|at| self.table.get(at)) else {
            return;
        };
        match who {
            None => out.add(sites.words()),
            // A named owner has a piece there, even if all owners are named (decided by LastEdge with "LastEdgeR-G-B", ply 2).
            Some(who) => ones(who).for_each(|owner| {
                out.add_both(c.state.owned(c.rules.layout, owner), sites.words());
            }),
        }
    }

    fn size(&self, c: &mut Context<'_>) -> i32 {
        let at = self.at.get(c);
        match &self.who {
            None => {
                let sites = usize::try_from(at).ok().and_then(|at| self.table.get(at));
                sites.map_or(0, |sites| sites.len() as i32)
            }
            Some(_) => {
                let mut sites = c.sites();
                self.fill(c, &mut sites);
                let size = sites.len() as i32;
                c.free(sites);
                size
            }
        }
    }
}
