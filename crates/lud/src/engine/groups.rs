//! Connected sites.

use super::args::Args;
use super::condition::{Place, Test};
use super::context::{Context, Registers};
use super::directions::{Direction, Dirs};
use super::equipment::Equipment;
use super::functions::Result;
use super::moves::Generator;
use super::node::{Field, Iterators, Node, Parts};
use super::pyramid::Veil;
use super::sites::Sites;

/// The neighbours of sites.
pub(crate) struct Near {
    directions: Dirs,
    /// By site: the bits of its neighbours, where these are always the same.
    bits: Vec<u64>,
    /// The pieces that hide a contact of two sites, where the contact must be visible.
    veil: Option<Veil>,
}

impl Near {
    pub(crate) fn new(directions: Dirs, equipment: &Equipment) -> Near {
        let words = equipment.sites.div_ceil(64);
        let mut bits = Vec::new();
        if let Dirs::Fixed(table) = &directions {
            bits.resize(words * equipment.sites, 0);
            for site in 0..equipment.sites {
                for &ray in table.of(site as i32) {
                    let next = equipment.directions.line(ray)[0] as usize;
                    bits[words * site + (next >> 6)] |= 1 << (next & 63);
                }
            }
        }
        Near { directions, bits, veil: None }
    }

    /// By site: the sites whose neighbour it is. Nothing where neighbours depend on the state.
    pub(crate) fn into(&self, equipment: &Equipment) -> Vec<Vec<u32>> {
        let Dirs::Fixed(table) = &self.directions else { return Vec::new() };
        let mut into = vec![Vec::new(); equipment.sites];
        for from in 0..equipment.sites {
            for &ray in table.of(from as i32) {
                into[equipment.directions.line(ray)[0] as usize].push(from as u32);
            }
        }
        into
    }

    /// Puts in all sites next to some.
    pub(crate) fn around(&self, c: &mut Context<'_>, sites: &Sites, out: &mut Sites) {
        let words = c.rules.layout.words;
        for site in sites.iter() {
            match self.bits.get(words * site as usize..words * (site as usize + 1)) {
                Some(bits) => out.add(bits),
                None => {
                    for &ray in self.directions.rays(c, site).iter() {
                        out.insert(c.equipment.directions.line(ray)[0] as i32);
                    }
                }
            }
        }
    }

    /// The bits of the neighbours of a site, where they are always the same.
    pub(crate) fn of(&self, c: &Context<'_>, site: i32) -> &[u64] {
        let (Ok(site), words) = (usize::try_from(site), c.rules.layout.words) else { return &[] };
        self.bits.get(words * site..words * (site + 1)).unwrap_or(&[])
    }

    /// Are the same neighbours always known?
    pub(crate) fn fixed(&self) -> bool {
        !self.bits.is_empty()
    }

    /// Lists the sites of a set that hang together with a site of it, if no empty site and no site of
    /// `alive` is next to them. If there is one, what was seen is alive, too.
    pub(crate) fn enclosed(
        &self,
        c: &mut Context<'_>,
        site: i32,
        of: &Sites,
        alive: &mut Sites,
        list: &mut Vec<i32>,
    ) -> bool {
        let words = c.rules.layout.words;
        let mut seen = c.sites();
        seen.insert(site);
        list.clear();
        list.push(site);
        let mut at = 0;
        let mut closed = true;
        while let Some(&here) = list.get(at).filter(|_| closed) {
            at += 1;
            let near = &self.bits[words * here as usize..words * (here as usize + 1)];
            let open = near.iter().zip(c.state.empty(c.rules.layout)).zip(alive.words());
            closed = open.fold(0, |any, ((near, empty), alive)| any | near & (empty | alive)) == 0;
            for (word, (&near, &of)) in near.iter().zip(of.words()).enumerate() {
                let mut new = near & of & !seen.words()[word];
                seen.insert_word(word, new);
                while new != 0 {
                    list.push((word * 64) as i32 + new.trailing_zeros() as i32);
                    new &= new - 1;
                }
            }
        }
        if !closed {
            alive.add(seen.words());
        }
        c.free(seen);
        closed
    }

    /// Puts in the sites of a set that hang together with a site of it.
    pub(crate) fn flood(&self, c: &mut Context<'_>, site: i32, of: &Sites, out: &mut Sites) {
        let words = c.rules.layout.words;
        if site < 0 || site as usize >= c.equipment.sites {
            return;
        }
        let mut todo = std::mem::take(&mut c.pad.todo);
        todo.clear();
        todo.push(site);
        out.insert(site);
        while let Some(here) = todo.pop() {
            let near = &self.bits[words * here as usize..words * (here as usize + 1)];
            for (at, (&near, &of)) in near.iter().zip(of.words()).enumerate() {
                let mut new = near & of & !out.words()[at];
                out.insert_word(at, new);
                while new != 0 {
                    todo.push((at * 64) as i32 + new.trailing_zeros() as i32);
                    new &= new - 1;
                }
            }
        }
        c.pad.todo = todo;
    }
}

/// Puts in the group of a site: connected sites with pieces of the same owner, or on which a
/// condition holds.
pub(crate) fn group(
    c: &mut Context<'_>,
    site: i32,
    near: &Near,
    condition: Option<&Test>,
    out: &mut Sites,
) {
    if member(c, site, c.who(site), condition) {
        expand(c, site, near, condition, out);
    }
}

/// Is a site one of a group?
fn member(c: &mut Context<'_>, site: i32, owner: usize, condition: Option<&Test>) -> bool {
    match condition {
        Some(test) => test.holds(c, Registers { to: site, ..c.at }),
        None => {
            let what = c.what(site);
            what != 0 && c.owner(what) == owner
        }
    }
}

/// Puts in a site and all that are connected with it.
pub(crate) fn expand(
    c: &mut Context<'_>,
    site: i32,
    near: &Near,
    condition: Option<&Test>,
    out: &mut Sites,
) {
    let owner = c.who(site);
    if near.fixed() && matches!(condition, None | Some(Test::Owner(_, Place::To))) {
        let mut of = c.sites();
        match condition {
            Some(Test::Owner(owners, _)) => owners.fill(c, &mut of),
            _ => of.add(c.state.owned(c.rules.layout, owner)),
        }
        near.flood(c, site, &of, out);
        return c.free(of);
    }
    out.insert(site);
    let mut todo = std::mem::take(&mut c.pad.todo);
    todo.clear();
    todo.push(site);
    let equipment = c.equipment;
    while let Some(here) = todo.pop() {
        for &ray in near.directions.rays(c, here).iter() {
            let next = equipment.directions.line(ray)[0] as i32;
            if !out.contains(next)
                && near.veil.as_ref().is_none_or(|veil| !veil.hides(c, here, next))
                && member(c, next, owner, condition)
            {
                out.insert(next);
                todo.push(next);
            }
        }
    }
    c.pad.todo = todo;
}

/// Goes over all sites that steps lead to, the nearest first, with the number of steps, until `f`
/// says no. Is the step the same `everywhere`, whatever `(site)` is, it may be kept.
pub(crate) fn walk(
    c: &mut Context<'_>,
    from: i32,
    step: &Generator,
    everywhere: bool,
    mut f: impl FnMut(i32, i32) -> bool,
) {
    let address = std::ptr::from_ref(step) as usize;
    let keeps = everywhere && c.pad.ways.keeps(address, &c.at, c.equipment.sites);
    let mut seen = c.sites();
    seen.insert(from);
    let mut moves = c.moves();
    let mut todo = c.list();
    todo.push(from);
    // How far the next site is, and where the first that is farther is in the list.
    let (mut next, mut far, mut farther) = (0, 0, 1);
    while let Some(&site) = todo.get(next) {
        if next == farther {
            (far, farther) = (far + 1, todo.len());
        }
        next += 1;
        if !f(site, far) {
            break;
        }
        let mut reach = |to: i32| {
            if to >= 0 && !seen.contains(to) {
                seen.insert(to);
                todo.push(to);
            }
        };
        let known = if keeps { c.pad.ways.span(site) } else { None };
        let span = match known {
            Some(span) => span,
            None => {
                moves.clear();
                let at = Registers { from: site, to: site, ..c.at };
                c.with(at, |c| step.generate(c, &mut moves));
                let sites = moves.heads.iter().map(|head| head.to);
                if !keeps {
                    sites.for_each(&mut reach);
                    continue;
                }
                c.pad.ways.keep(site, sites)
            }
        };
        (span.0..span.1).for_each(|number| reach(c.pad.ways.site(number)));
    }
    c.free_list(todo);
    c.free_moves(moves);
    c.free(seen);
}

/// Goes over all groups of the sites that `starts` holds.
pub(crate) fn each_group(
    c: &mut Context<'_>,
    starts: &Sites,
    near: &Near,
    condition: Option<&Test>,
    mut f: impl FnMut(&mut Context<'_>, &Sites) -> bool,
) {
    let mut seen = c.sites();
    // Groups are in the order in which their first pieces came (decided by Brood, ply 3, and Manifold, ply 4).
    if !c.state.order.is_empty() {
        let mut sites = c.list();
        sites.extend(starts.iter());
        let age = |&site: &i32| match c.state.order.get(site as usize) {
            None | Some(0) => u32::MAX,
            Some(&order) => order,
        };
        sites.sort_unstable_by_key(|site| (age(site), *site));
        sites.iter().all(|&site| new_group(c, site, near, condition, &mut seen, &mut f));
        c.free_list(sites);
        return c.free(seen);
    }
    if let (true, Some(Test::Owner(owners, Place::To))) = (near.fixed(), condition) {
        let mut of = c.sites();
        owners.fill(c, &mut of);
        while let Some(site) = of.iter().find(|&site| starts.contains(site)) {
            seen.clear();
            near.flood(c, site, &of, &mut seen);
            of.subtract(seen.words());
            if !f(c, &seen) {
                break;
            }
        }
        c.free(of);
        c.free(seen);
        return;
    }
    starts.iter().all(|site| new_group(c, site, near, condition, &mut seen, &mut f));
    c.free(seen);
}

/// Looks at the group of a site unless that has been seen; `false` if that is enough.
fn new_group(
    c: &mut Context<'_>,
    site: i32,
    near: &Near,
    condition: Option<&Test>,
    seen: &mut Sites,
    f: &mut impl FnMut(&mut Context<'_>, &Sites) -> bool,
) -> bool {
    if seen.contains(site) {
        return true;
    }
    let mut members = c.sites();
    group(c, site, near, condition, &mut members);
    let go_on = members.is_empty() || f(c, &members);
    seen.add(members.words());
    c.free(members);
    go_on
}

/// The sites of the mover's pieces, or all that a condition may hold on.
pub(crate) fn starts(
    c: &mut Context<'_>,
    owners: Option<u32>,
    condition: bool,
    place: &Sites,
) -> Sites {
    let mut sites = c.sites();
    match owners {
        Some(owners) => {
            let layout = c.rules.layout;
            super::functions::ones(owners).for_each(|o| sites.add(c.state.owned(layout, o)));
            sites.keep(place.words());
        }
        None if condition => sites.add(place.words()),
        None => {
            sites.add(place.words());
            sites.subtract(c.state.empty(c.rules.layout));
        }
    }
    sites
}

impl Args<'_, '_, '_> {
    /// The neighbours of sites in the directions of a form, or all that touch.
    pub(crate) fn near(&mut self) -> Result<Near> {
        let directions = self.directions(Direction::Adjacent)?;
        Ok(match self.veil()? {
            None => Near::new(directions, self.lower.equipment),
            // The visible contacts depend on the pieces on the board.
            veil => Near { directions, bits: Vec::new(), veil },
        })
    }
}

impl Field for Near {
    fn show(&self, out: &mut String) {
        self.directions.show(out);
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        self.directions.nodes(visit);
    }

    fn reads(&self) -> Parts {
        let seen = if self.veil.is_some() { Parts::CELLS } else { Parts::NONE };
        self.directions.reads() | seen
    }

    fn iterators(&self) -> Iterators {
        self.directions.iterators()
    }
}
