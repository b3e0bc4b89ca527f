//! `(sites Occupied …)`: the sites with pieces of some players.

use super::prelude::*;
use crate::board::SiteType;
use crate::engine::functions::fills_with;

pub(super) const FORMS: &[Form] = &[region(
    "sites Occupied (by:player | By:roleType) ([container:int] | [Container:string]) ([component:int] | [Component:string] | [components:{string}]) [top:boolean] [on:siteType]",
    "The sites with pieces of the players: in this container, of this kind. Only the top of a stack counts unless \
     `top:` says otherwise.",
    "(sites Occupied by:Mover component:\"Pawn\")",
    read,
).on_all_kinds()
.on_board()];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let equipment = args.lower.equipment;
    let kind = args.named_kind();
    let (mut place, container) = place(args)?;
    if let Some(kind) = kind.filter(|&kind| kind != equipment.board.sites) {
        place = equipment.sites_on(kind);
    } else if !equipment.planes.is_empty() {
        let planes = equipment.planes.iter();
        planes.for_each(|plane| place.subtract(equipment.sites_on(plane.kind).words()));
    }
    // Dice lie apart.
    let dice = args.lower.sites_of(equipment.dice.iter().map(|die| die.site as i32));
    place.subtract(dice.words());
    let who = args.who(&["by"])?;
    let (mut kinds, mut number) = (None, None);
    match args.take_any(&["component", "components"]) {
        None => {}
        Some(Value::Str(name)) => kinds = Some(args.lower.named(std::slice::from_ref(name))),
        Some(Value::List(list)) => {
            let names: Vec<String> =
                list.iter().filter_map(Value::text).map(str::to_owned).collect();
            kinds = Some(args.lower.named(&names));
        }
        Some(value) => number = Some(args.lower.int(value, args.ludeme)?),
    }
    let top = !matches!(args.take("top"), Some(Value::Bool(false)));
    let containers = args.lower.containers();
    let occupied = Occupied { who, place, kinds, number, top };
    Ok(match container {
        Some(container) => Region::of_node(OccupiedIn { occupied, container, containers }),
        None => Region::of_node(occupied),
    })
}

/// The sites of the container that is named, or a number of a container that is not known yet.
fn place(args: &mut Args<'_, '_, '_>) -> Result<(Sites, Option<Int>)> {
    let equipment = args.lower.equipment;
    Ok(match args.take("container") {
        // Hands are cells: they do not count where pieces stand on something else.
        None if equipment.board.sites != SiteType::Cell => (equipment.on_board.clone(), None),
        None => (equipment.everywhere.clone(), None),
        Some(Value::Str(name)) => {
            let sites = args.lower.container(name);
            (sites.unwrap_or_else(|| args.lower.no_sites()), None)
        }
        Some(Value::Int(number)) => {
            let sites = usize::try_from(*number).ok();
            let sites = sites.and_then(|number| args.lower.containers().into_iter().nth(number));
            (sites.ok_or_else(|| args.unsupported())?, None)
        }
        Some(value) => {
            let number = args.lower.int(value, args.ludeme)?;
            (equipment.everywhere.clone(), Some(number))
        }
    })
}

node! {
    /// The sites with pieces of players.
    struct Occupied = "sites Occupied", iterators NONE, reads CELLS | STACKS {
        who: Who,
        place: Sites,
        /// By component: does it count?
        kinds: Option<Vec<bool>>,
        /// Only this kind.
        number: Option<Int>,
        /// Does only the top of a stack count?
        top: bool,
    }
}

inner!(Occupied);

impl Occupied {
    /// Do pieces under the top of a stack count? Where a kind is named they do (decided by Minesweeper, ply 8 of its second record).
    fn deep(&self, c: &Context<'_>) -> bool {
        c.rules.stacking && (!self.top || self.kinds.is_some() || self.number.is_some())
    }
}

impl SiteSet for Occupied {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let (who, layout) = (self.who.get(c), c.rules.layout);
        let deep = self.deep(c);
        if !deep && self.kinds.is_none() && self.number.is_none() {
            let place = self.place.words();
            return ones(who).for_each(|owner| out.add_both(c.state.owned(layout, owner), place));
        }
        let mut sites = c.sites();
        if deep {
            sites.add(self.place.words());
            sites.subtract(c.state.empty(layout));
        } else {
            ones(who).for_each(|owner| sites.add(c.state.owned(layout, owner)));
            sites.keep(self.place.words());
        }
        let number = self.number.as_ref().map(|number| number.get(c));
        // Where only the top counts, the sites are those of the owners.
        let fits = |what: usize| {
            (!deep || who >> c.owner(what) & 1 == 1)
                && self.kinds.as_ref().is_none_or(|kinds| kinds.get(what) == Some(&true))
                && number.is_none_or(|number| number == what as i32)
        };
        for site in sites.iter() {
            let any = match deep {
                true => (0..c.state.height(site))
                    .any(|level| fits(c.state.level(site, level).what.into())),
                false => fits(c.what(site)),
            };
            if any {
                out.insert(site);
            }
        }
        c.free(sites);
    }

    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        if self.deep(c) {
            return fills_with(self, c, site);
        }
        let what = c.what(site);
        what != 0
            && self.place.contains(site)
            && self.kinds.as_ref().is_none_or(|kinds| kinds.get(what) == Some(&true))
            && self.number.as_ref().is_none_or(|number| number.get(c) == what as i32)
            && self.who.get(c) >> c.owner(what) & 1 == 1
    }

    fn is_quick(&self, c: &Context<'_>) -> bool {
        !self.deep(c)
    }
}

node! {
    /// Occupied sites of a container whose number is known only while a game is played.
    struct OccupiedIn = "sites Occupied", iterators NONE { occupied: Occupied, container: Int, containers: Vec<Sites> }
}

impl SiteSet for OccupiedIn {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let number = usize::try_from(self.container.get(c)).ok();
        let Some(place) = number.and_then(|number| self.containers.get(number)) else { return };
        let mut sites = c.sites();
        self.occupied.fill(c, &mut sites);
        sites.keep(place.words());
        out.add(sites.words());
        c.free(sites);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn occupied_sites_are_told_apart_by_owner_and_kind() {
        let start = "(place \"Disc1\" {0 1}) (place \"King1\" 2) (place \"Disc2\" 5)";
        assert_eq!(sites(start, "(sites Occupied by:P1)"), [0, 1, 2]);
        assert_eq!(sites(start, "(sites Occupied by:P1 component:\"King\")"), [2]);
        assert_eq!(sites(start, "(sites Occupied by:All)"), [0, 1, 2, 5]);
    }
}
