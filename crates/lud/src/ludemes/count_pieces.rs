//! `(count Pieces …)` and `(no Pieces …)`: how many pieces there are: of whom, of what name, where.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number(
        "count countComponentType=Pieces [siteType] ([roleType] | [of:int]) [string] [in:region] [If:boolean]",
        "How many pieces there are: of these players, of this name, in this region, for whose `(to)` the condition holds.",
        "(= (count Pieces Next) 2)", |args| Ok(Int::of(read(args, false)?)),
    ).on_all_kinds().on_board(),
    condition(
        "no Pieces [siteType] ([roleType] | [of:int]) [string] [in:region]",
        "There is no such piece.",
        "(end (if (no Pieces Next) (result Mover Win)))",
        |args| Ok(Bool::of(NoPieces { count: read(args, true)? })),
    ).on_all_kinds().on_board(),
];

fn read(args: &mut Args<'_, '_, '_>, any: bool) -> Result<CountPieces> {
    let who = args.try_who(&["roleType", "of"])?;
    let name = args.text("string");
    let mut kinds = name.map(|name| args.lower.named(&[name.to_owned()]));
    // A name that no piece has may be that of a container.
    let unknown = kinds.as_ref().is_some_and(|kinds| !kinds.contains(&true));
    let place = name.filter(|_| unknown).and_then(|name| args.lower.container(name));
    kinds = kinds.filter(|_| place.is_none());
    let place = place.or_else(|| args.sites_named());
    let (region, condition) = (args.try_region(&["in"])?, args.try_bool("if")?);
    Ok(CountPieces { who, kinds, place, region, condition, any })
}

node! {
    /// A number of pieces. Dice are everybody's, and counted where the pieces of all are.
    struct CountPieces = "count Pieces", iterators NONE, reads CELLS | STACKS | COUNTS {
        who: Option<Who>,
        /// By component: does it count?
        kinds: Option<Vec<bool>>,
        /// In a container.
        place: Option<Sites>,
        region: Option<Region>,
        condition: Option<Bool>,
        /// Is it enough to know whether there is any?
        any: bool,
    }
}

impl CountPieces {
    /// Is there a site that is still listed among those of such pieces, see [`State::relisted`](crate::engine::State)?
    fn lists_empty_sites(&self, c: &mut Context<'_>) -> bool {
        let Some(region) = self.region.as_ref().filter(|_| !c.state.relisted.is_empty()) else {
            return false;
        };
        let everybody = (1 << (c.equipment.players + 2)) - 1;
        let who = self.who.as_ref().map_or(everybody, |who| who.get(c));
        let mut sites = c.sites();
        let counts = |what: usize| {
            who >> c.owner(what) & 1 == 1
                && self.kinds.as_ref().is_none_or(|kinds| kinds.get(what) == Some(&true))
        };
        for (site, what, _) in c.state.relisted() {
            if counts(what) && self.place.as_ref().is_none_or(|place| place.contains(site)) {
                sites.insert(site);
            }
        }
        region.of(c, |_, region| sites.keep(region.words()));
        let any = !sites.is_empty();
        c.free(sites);
        any
    }

    /// The sites that may hold such pieces.
    fn sites(&self, c: &mut Context<'_>, who: u32) -> Sites {
        let layout = c.rules.layout;
        let mut sites = c.sites();
        match &self.region {
            Some(region) => region.fill(c, &mut sites),
            None => sites.add(c.equipment.everywhere.words()),
        }
        match c.rules.stacking {
            true => sites.subtract(c.state.empty(layout)),
            false => sites.keep_any(ones(who).map(|owner| c.state.owned(layout, owner))),
        }
        if let Some(place) = &self.place {
            sites.keep(place.words());
        }
        sites
    }
}

impl Number for CountPieces {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let everybody = (1 << (c.equipment.players + 2)) - 1;
        let who = self.who.as_ref().map_or(everybody, |who| who.get(c));
        let (sites, stacking) = (self.sites(c, who), c.rules.stacking);
        let mut count = 0;
        if self.kinds.is_none() && self.condition.is_none() && c.rules.singles {
            count = sites.len() as i32;
            c.free(sites);
            return count;
        }
        for site in sites.iter() {
            let levels = if stacking { c.state.height(site) } else { 1 };
            for level in 0..levels {
                let cell = if stacking { c.state.level(site, level) } else { c.cell(site) };
                let what = usize::from(cell.what);
                if stacking && who >> c.owner(what) & 1 == 0
                    || self.kinds.as_ref().is_some_and(|kinds| kinds.get(what) != Some(&true))
                {
                    continue;
                }
                let at = Registers { site, to: site, level, ..c.at };
                if self.condition.as_ref().is_none_or(|condition| condition.holds_at(c, at)) {
                    count += i32::from(cell.count.max(1));
                }
            }
            if self.any && count > 0 {
                break;
            }
        }
        c.free(sites);
        count
    }
}

node! {
    /// The count of such pieces is 0.
    struct NoPieces = "no Pieces", reads LISTS { count: CountPieces }
}

impl Condition for NoPieces {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.count.get(c) == 0 && !self.count.lists_empty_sites(c)
    }
}

inner!(CountPieces);

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, number, sites};

    #[test]
    fn pieces_are_counted_by_kind_or_by_container() {
        let start =
            "(place \"Disc1\" {0 1}) (place \"Disc2\" 2) (place \"Disc1\" \"Hand1\" count:3)";
        assert_eq!(number(start, "(count Pieces P1 \"Disc\")"), 5);
        assert_eq!(number(start, "(count Pieces P1 \"Board\")"), 2);
        assert_eq!(number(start, "(count Pieces P1 \"Hand1\")"), 3);
        assert_eq!(number(start, "(count Pieces All \"Hand\")"), 3);
        assert!(holds(start, "(no Pieces P2 \"Hand\")"));
        assert_eq!(number(start, "(count Sites \"Hand1\")"), 2);
        assert_eq!(sites(start, "(sites Empty 2)"), [11, 12]);
    }
}
