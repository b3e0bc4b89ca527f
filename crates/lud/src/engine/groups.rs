//! Connected sites.

use super::context::{Context, Registers};
use super::directions::{Direction, Dirs};
use super::equipment::Equipment;
use super::functions::{Bool, Int, Result};
use super::lists::Ints;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::pyramid::Veil;
use super::sites::Sites;
use super::test::{Owners, Place, Test};
use crate::compile::{Ludeme, Value};

/// Goes over sizes.
type EachSize = Box<dyn Fn(&mut Context<'_>, &mut dyn FnMut(i32)) + Send + Sync>;

/// The neighbours of sites.
pub(crate) struct Near {
    directions: Dirs,
    /// By site: the bits of its neighbours, where these are always the same.
    bits: Vec<u64>,
    /// What hides that sites touch, where that must be seen.
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
fn expand(c: &mut Context<'_>, site: i32, near: &Near, condition: Option<&Test>, out: &mut Sites) {
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
/// says no.
pub(crate) fn walk(c: &mut Context<'_>, from: i32, step: &Generator, mut f: impl FnMut(i32, i32) -> bool) {
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
        moves.clear();
        let at = Registers { from: site, to: site, ..c.at };
        c.with(at, |c| step(c, &mut moves));
        for head in &moves.heads {
            if head.to >= 0 && !seen.contains(head.to) {
                seen.insert(head.to);
                todo.push(head.to);
            }
        }
    }
    c.free_list(todo);
    c.free_moves(moves);
    c.free(seen);
}

/// Goes over all groups of the sites that `starts` holds.
fn each_group(
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
fn starts(c: &mut Context<'_>, owners: Option<u32>, condition: bool) -> Sites {
    let mut sites = c.sites();
    match owners {
        Some(owners) => {
            let layout = c.rules.layout;
            super::functions::ones(owners).for_each(|o| sites.add(c.state.owned(layout, o)));
            sites.keep(c.equipment.on_board.words());
        }
        None if condition => sites.add(c.equipment.on_board.words()),
        None => {
            sites.add(c.equipment.on_board.words());
            sites.subtract(c.state.empty(c.rules.layout));
        }
    }
    sites
}

impl Lower<'_> {
    /// The neighbours of sites in the directions of a form, or all that touch.
    pub(crate) fn near(&mut self, l: &Ludeme) -> Result<Near> {
        let directions = self.direction_or(l, Direction::Adjacent)?;
        Ok(match self.veil(l)? {
            None => Near::new(directions, self.equipment),
            // What can be seen depends on what lies on the board.
            veil => Near { directions, bits: Vec::new(), veil },
        })
    }

    /// What goes over the sizes of groups.
    fn each_size(&mut self, l: &Ludeme, condition: Option<Test>) -> Result<EachSize> {
        let near = self.near(l)?;
        let who = self.optional_roles(l)?;
        let min = self.int_or(l, "min", 0)?;
        Ok(Box::new(move |c, f| {
            let who = who.as_ref().map(|who| who.get(c));
            let min = min.get(c);
            let starts = starts(c, who, condition.is_some());
            each_group(c, &starts, &near, condition.as_ref(), |_, members| {
                let n = members.len() as i32;
                if n >= min {
                    f(n);
                }
                true
            });
            c.free(starts);
        }))
    }

    /// The sizes of groups.
    pub(crate) fn group_sizes(&mut self, l: &Ludeme) -> Result<Ints> {
        let condition = self.optional_test(l, "if")?;
        let each = self.each_size(l, condition)?;
        Ok(Ints::new(move |c, out| each(c, &mut |n| out.push(n))))
    }

    /// `(count Groups …)` and `(count SizeBiggestGroup …)`.
    pub(crate) fn count_groups(&mut self, l: &Ludeme, biggest: bool) -> Result<Int> {
        let mut condition = self.optional_test(l, "if")?;
        if condition.is_none() {
            // Pieces of any owner hang together.
            condition = Some(Test::Owner(Owners::occupied(), Place::To));
        }
        if let Some(region) = l.typed("region") {
            return self.groups_within(l, region, condition, biggest);
        }
        let each = self.each_size(l, condition)?;
        Ok(Int::new(move |c| {
            let mut total = 0;
            each(c, &mut |n| total = if biggest { n.max(total) } else { total + 1 });
            total
        }))
    }

    /// The same of the groups that have a site of a region.
    fn groups_within(
        &mut self,
        l: &Ludeme,
        region: &Value,
        condition: Option<Test>,
        biggest: bool,
    ) -> Result<Int> {
        let (near, region) = (self.near(l)?, self.region(region, l)?);
        let min = self.int_or(l, "min", 0)?;
        Ok(Int::new(move |c| {
            let (mut starts, min, mut total) = (c.sites(), min.get(c), 0);
            region.fill(c, &mut starts);
            each_group(c, &starts, &near, condition.as_ref(), |_, members| {
                let n = members.len() as i32;
                if n >= min {
                    total = if biggest { n.max(total) } else { total + 1 };
                }
                true
            });
            c.free(starts);
            total
        }))
    }

    /// `(forEach Group …)`: `(sites)` stands for each in turn.
    pub(crate) fn for_each_group(&mut self, l: &Ludeme) -> Result<Generator> {
        let near = self.near(l)?;
        let condition = self.optional_test(l, "if")?;
        let moves = self.typed_moves(l)?;
        Ok(Box::new(move |c, out| {
            let owners = condition.is_none().then_some(1 << c.state.s.mover);
            let starts = starts(c, owners, condition.is_some());
            each_group(c, &starts, &near, condition.as_ref(), |c, members| {
                c.with_region(members, |c| moves(c, out));
                !out.full()
            });
            c.free(starts);
        }))
    }

    /// `(all Groups …)`.
    pub(crate) fn all_groups(&mut self, l: &Ludeme) -> Result<Bool> {
        let near = self.near(l)?;
        let of = self.optional_test(l, "of")?;
        let condition = self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
        Ok(Box::new(move |c| {
            let owners = of.is_none().then_some(1 << c.state.s.mover);
            let starts = starts(c, owners, of.is_some());
            let mut all = true;
            each_group(c, &starts, &near, of.as_ref(), |c, members| {
                all = c.with_region(members, |c| condition(c));
                all
            });
            c.free(starts);
            all
        }))
    }

    /// `(sites Group …)`.
    pub(crate) fn group_region(&mut self, l: &Ludeme) -> Result<super::functions::Region> {
        let near = self.near(l)?;
        let condition = self.optional_test(l, "if")?;
        let value = l.labelled("at").or(l.labelled("from")).ok_or_else(|| unsupported(l))?;
        let origin = self.region(value, l)?;
        // A single origin need not meet the condition (decided by Diaballik, ply 134).
        let whole = l.labelled("at").is_some() && condition.is_some();
        Ok(super::functions::Region::new(move |c, out| {
            origin.each(c, |c, site| {
                match whole {
                    true => expand(c, site, &near, condition.as_ref(), out),
                    false => group(c, site, &near, condition.as_ref(), out),
                }
                true
            });
        }))
    }

    /// Empty sites next to a group.
    pub(crate) fn liberties(&mut self, l: &Ludeme) -> Result<Int> {
        let at = match l.labelled("at") {
            Some(v) => self.int(v, l)?,
            None => Int::LastTo(self.last()),
        };
        let near = self.near(l)?;
        let condition = self.optional_test(l, "if")?;
        Ok(Int::new(move |c| {
            let site = at.get(c);
            let mut members = c.sites();
            group(c, site, &near, condition.as_ref(), &mut members);
            let mut free = c.sites();
            near.around(c, &members, &mut free);
            free.keep(c.state.empty(c.rules.layout));
            let n = free.len() as i32;
            c.free(free);
            c.free(members);
            n
        }))
    }

    /// Sites of empty areas that touch only one player's pieces.
    pub(crate) fn territory(&mut self, l: &Ludeme) -> Result<Int> {
        let who = match l.arg(1).or(l.arg(2)) {
            Some(_) => self.optional_roles(l)?.ok_or_else(|| unsupported(l))?,
            None => return Err(unsupported(l)),
        };
        let directions = match l.typed("absoluteDirection") {
            Some(v @ Value::Word(_)) => self.directions(v, l)?,
            _ => self.rays(&[Direction::Adjacent]),
        };
        let near = Near::new(directions, self.equipment);
        let free = Test::Owner(Owners::free(), Place::To);
        Ok(Int::new(move |c| {
            let who = who.get(c);
            let layout = c.rules.layout;
            let mut empty = c.sites();
            empty.add(c.state.empty(layout));
            empty.keep(c.equipment.on_board.words());
            let mut total = 0;
            while let Some(start) = empty.first() {
                let (mut area, mut border) = (c.sites(), c.sites());
                expand(c, start, &near, Some(&free), &mut area);
                near.around(c, &area, &mut border);
                border.subtract(area.words());
                let touched = border.iter().fold(0u32, |bits, site| bits | 1 << c.who(site));
                if touched != 0 && touched & !who == 0 {
                    total += area.len() as i32;
                }
                empty.subtract(area.words());
                c.free(area);
                c.free(border);
            }
            c.free(empty);
            total
        }))
    }

    /// The size of a site's group.
    pub(crate) fn group_size(&mut self, l: &Ludeme) -> Result<Int> {
        let region = self.group_region(l)?;
        Ok(Int::new(move |c| region.of(c, |_, r| r.len() as i32)))
    }
}
