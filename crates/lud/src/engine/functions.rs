//! Values of a lowered program: numbers, players, regions and lists of numbers.
//!
//! The commonest kinds are variants of an enum, so that they are evaluated without a call. All others are boxed nodes,
//! see [`Node`]; the file of a ludeme has the node.

use super::condition::{Bool, Place, at_site};
use super::context::Context;
use super::last::Last;
use super::node::{self, Field, Iterators, Node, Parts};
use super::sites::Sites;
use super::state::OFF;
use ludex_core::diagnostic::Diagnostic;

pub(crate) type Result<T> = std::result::Result<T, Diagnostic>;

/// A node that is a number.
pub(crate) trait Number: Node {
    /// The value of the number.
    fn get(&self, c: &mut Context<'_>) -> i32;

    /// The iterator whose owner it is, for `(who at:(to))` and the like.
    fn owner_at(&self) -> Option<Place> {
        None
    }

    /// Is it known to be the same whatever the iterators are?
    fn is_free(&self) -> bool {
        false
    }
}

/// A number.
pub(crate) enum Int {
    /// Always the same.
    Const(i32),
    /// `(from)`.
    From,
    /// `(to)`.
    To,
    /// `(site)`.
    Site,
    /// `(between)`.
    Between,
    /// `(mover)`.
    Mover,
    /// `(next)`.
    Next,
    /// `(last To)`.
    LastTo(Last),
    /// Anything else.
    Dyn(Box<dyn Number>),
}

impl Int {
    /// A number of a node.
    pub(crate) fn of(node: impl Number + 'static) -> Int {
        Int::Dyn(Box::new(node))
    }

    /// The value of the number.
    #[inline]
    pub(crate) fn get(&self, c: &mut Context<'_>) -> i32 {
        match self {
            Int::Const(n) => *n,
            Int::From => c.at.from,
            Int::To => c.at.to,
            Int::Site => c.at.site,
            Int::Between => c.at.between,
            Int::Mover => c.state.s.mover as i32,
            Int::Next => c.state.s.next as i32,
            Int::LastTo(last) => c.state.s.last.to(*last),
            Int::Dyn(node) => node.get(c),
        }
    }

    /// See [`Number::is_free`].
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Int::Const(_) | Int::Mover | Int::Next | Int::LastTo(_) => true,
            Int::From | Int::To | Int::Site | Int::Between => false,
            Int::Dyn(node) => node.is_free(),
        }
    }

    /// The value if it is always the same.
    pub(crate) fn fixed(&self) -> Option<i32> {
        match self {
            Int::Const(n) => Some(*n),
            _ => None,
        }
    }

    /// The value as a number of a player.
    #[inline]
    pub(crate) fn player(&self, c: &mut Context<'_>) -> usize {
        self.get(c).max(0) as usize
    }
}

impl Field for Int {
    fn show(&self, out: &mut String) {
        match self {
            Int::Const(n) => n.show(out),
            Int::Dyn(node) => node::show(&**node, out),
            Int::From => out.push_str("(from)"),
            Int::To => out.push_str("(to)"),
            Int::Site => out.push_str("(site)"),
            Int::Between => out.push_str("(between)"),
            Int::Mover => out.push_str("(mover)"),
            Int::Next => out.push_str("(next)"),
            Int::LastTo(_) => out.push_str("(last To)"),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        if let Int::Dyn(node) = self {
            visit(&**node);
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Int::Mover | Int::Next => Parts::TURN,
            Int::LastTo(last) => last.reads(),
            _ => Parts::NONE,
        }
    }

    fn iterators(&self) -> Iterators {
        match self {
            Int::Const(_) | Int::Mover | Int::Next | Int::LastTo(_) => Iterators::NONE,
            Int::From => Iterators::FROM,
            Int::To => Iterators::TO,
            Int::Site => Iterators::SITE,
            Int::Between => Iterators::BETWEEN,
            Int::Dyn(node) => node::iterators(&**node),
        }
    }
}

/// A node that is some players.
pub(crate) trait Players: Node {
    /// A bit for each, see [`Who`].
    fn bits(&self, c: &mut Context<'_>) -> u32;
}

/// Some players: a bit for each, bit 0 for neutral pieces, the bit after the last player for shared ones.
pub(crate) enum Who {
    /// Always the same.
    Const(u32),
    /// The mover.
    Mover,
    /// Anything else.
    Dyn(Box<dyn Players>),
}

impl Who {
    /// The players of a node.
    pub(crate) fn of(node: impl Players + 'static) -> Who {
        Who::Dyn(Box::new(node))
    }

    /// The bits.
    #[inline]
    pub(crate) fn get(&self, c: &mut Context<'_>) -> u32 {
        match self {
            Who::Const(bits) => *bits,
            Who::Mover => 1 << c.state.s.mover,
            Who::Dyn(node) => node.bits(c),
        }
    }
}

impl Field for Who {
    fn show(&self, out: &mut String) {
        match self {
            Who::Const(bits) => {
                let players: Vec<String> = ones(*bits).map(|p| format!("P{p}")).collect();
                out.push_str(&players.join("+"));
            }
            Who::Mover => out.push_str("Mover"),
            Who::Dyn(node) => node::show(&**node, out),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        if let Who::Dyn(node) = self {
            visit(&**node);
        }
    }

    fn reads(&self) -> Parts {
        if matches!(self, Who::Mover) { Parts::TURN } else { Parts::NONE }
    }

    fn iterators(&self) -> Iterators {
        match self {
            Who::Const(_) | Who::Mover => Iterators::NONE,
            Who::Dyn(node) => node::iterators(&**node),
        }
    }
}

/// The numbers of the bits that are set.
pub(crate) fn ones(mut bits: u32) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            bit
        })
    })
}

/// A node that is a set of sites.
pub(crate) trait SiteSet: Node {
    /// Puts its sites into a set.
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites);

    /// Is a site in it?
    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        fills_with(self, c, site)
    }

    /// Does it take long to work out all of it?
    fn is_dear(&self) -> bool {
        false
    }

    /// Is it told whether a site is in it without working out all of it?
    fn is_quick(&self, _c: &Context<'_>) -> bool {
        false
    }

    /// The number of its sites.
    fn size(&self, c: &mut Context<'_>) -> i32 {
        let mut sites = c.sites();
        self.fill(c, &mut sites);
        let size = sites.len() as i32;
        c.free(sites);
        size
    }
}

/// Is a site in a set? All of the set is worked out.
pub(crate) fn fills_with(set: &(impl SiteSet + ?Sized), c: &mut Context<'_>, site: i32) -> bool {
    let mut sites = c.sites();
    set.fill(c, &mut sites);
    let found = sites.contains(site);
    c.free(sites);
    found
}

/// A set of sites.
pub(crate) enum Region {
    /// Always the same.
    Fixed(Sites),
    /// The empty sites of the board.
    Empty,
    /// One site, or none.
    One(Int),
    /// The sites of a region for which a condition on `(site)` holds.
    Filter(Box<Region>, Bool),
    /// Anything else.
    Dyn(Box<dyn SiteSet>),
}

impl Region {
    /// The sites of a node.
    pub(crate) fn of_node(node: impl SiteSet + 'static) -> Region {
        Region::Dyn(Box::new(node))
    }

    /// Puts its sites into a set.
    #[inline]
    pub(crate) fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        match self {
            Region::Fixed(sites) => out.add(sites.words()),
            Region::Empty => {
                out.add_both(c.state.empty(c.rules.layout), c.equipment.on_board.words());
            }
            Region::One(site) => {
                let site = site.get(c);
                out.insert(site);
            }
            Region::Filter(region, condition) => region.each(c, |c, site| {
                if at_site(c, site, condition) {
                    out.insert(site);
                }
                true
            }),
            Region::Dyn(node) => node.fill(c, out),
        }
    }

    /// Is a site in it?
    #[inline]
    pub(crate) fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        match self {
            Region::Fixed(sites) => sites.contains(site),
            Region::Empty => c.is_empty(site) && c.equipment.on_board.contains(site),
            Region::One(one) => site >= 0 && one.get(c) == site,
            Region::Filter(region, condition) => {
                region.contains(c, site) && at_site(c, site, condition)
            }
            Region::Dyn(node) => node.contains(c, site),
        }
    }

    /// Does it take long to work out all of it?
    pub(crate) fn takes_long(&self) -> bool {
        match self {
            Region::Fixed(_) | Region::Empty | Region::One(_) => false,
            Region::Filter(..) => true,
            Region::Dyn(node) => node.is_dear(),
        }
    }

    /// Is it quicker to ask for a few sites than to work out all of them?
    pub(crate) fn is_dear(&self, c: &Context<'_>) -> bool {
        matches!(self, Region::Dyn(node) if node.is_dear() && node.is_quick(c))
    }

    /// See [`SiteSet::is_quick`].
    pub(crate) fn is_quick(&self, c: &Context<'_>) -> bool {
        match self {
            Region::Fixed(_) | Region::Empty | Region::One(_) => true,
            Region::Filter(region, _) => region.is_quick(c),
            Region::Dyn(node) => node.is_quick(c),
        }
    }

    /// Evaluates with its sites.
    pub(crate) fn of<T>(
        &self,
        c: &mut Context<'_>,
        f: impl FnOnce(&mut Context<'_>, &Sites) -> T,
    ) -> T {
        if let Region::Fixed(sites) = self {
            return f(c, sites);
        }
        let mut sites = c.sites();
        self.fill(c, &mut sites);
        let result = f(c, &sites);
        c.free(sites);
        result
    }

    /// Goes over its sites until `f` says no.
    pub(crate) fn each(
        &self,
        c: &mut Context<'_>,
        mut f: impl FnMut(&mut Context<'_>, i32) -> bool,
    ) {
        if let Region::One(one) = self {
            let site = one.get(c);
            if site > OFF {
                f(c, site);
            }
            return;
        }
        self.of(c, |c, sites| {
            for site in sites.iter() {
                if !f(c, site) {
                    break;
                }
            }
        });
    }

    /// Does a condition hold for one of its sites?
    pub(crate) fn any(
        &self,
        c: &mut Context<'_>,
        mut f: impl FnMut(&mut Context<'_>, i32) -> bool,
    ) -> bool {
        let mut found = false;
        self.each(c, |c, site| {
            found = f(c, site);
            !found
        });
        found
    }
}

impl Field for Region {
    fn show(&self, out: &mut String) {
        match self {
            Region::Fixed(sites) => sites.show(out),
            Region::Empty => out.push_str("(sites Empty)"),
            Region::One(site) => site.show(out),
            Region::Filter(region, condition) => {
                out.push_str("(forEach ");
                region.show(out);
                out.push_str(" if:");
                condition.show(out);
                out.push(')');
            }
            Region::Dyn(node) => node::show(&**node, out),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            Region::One(site) => site.nodes(visit),
            Region::Filter(region, condition) => {
                region.nodes(visit);
                condition.nodes(visit);
            }
            Region::Dyn(node) => visit(&**node),
            Region::Fixed(_) | Region::Empty => {}
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Region::Empty => Parts::CELLS,
            Region::One(site) => site.reads(),
            Region::Filter(region, condition) => region.reads() | condition.reads(),
            Region::Fixed(_) | Region::Dyn(_) => Parts::NONE,
        }
    }

    fn iterators(&self) -> Iterators {
        match self {
            Region::Fixed(_) | Region::Empty => Iterators::NONE,
            Region::One(site) => site.iterators(),
            Region::Filter(region, condition) => {
                region.iterators() | condition.iterators().without(Iterators::SITE)
            }
            Region::Dyn(node) => node::iterators(&**node),
        }
    }
}

/// A node that is a list of numbers.
pub(crate) trait NumberList: Node {
    /// Puts it at the end of a list.
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>);
}

/// A list of numbers.
pub(crate) enum Ints {
    /// The values that are remembered under a name.
    Remembered(usize),
    /// Anything else.
    Dyn(Box<dyn NumberList>),
}

impl Ints {
    /// The list of a node.
    pub(crate) fn of_node(node: impl NumberList + 'static) -> Ints {
        Ints::Dyn(Box::new(node))
    }

    /// Puts it at the end of a list.
    pub(crate) fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        match self {
            Ints::Remembered(name) => {
                out.extend_from_slice(c.state.remembered.get(*name).map_or(&[], Vec::as_slice));
            }
            Ints::Dyn(node) => node.fill(c, out),
        }
    }

    /// Evaluates with it.
    pub(crate) fn of<T>(
        &self,
        c: &mut Context<'_>,
        f: impl FnOnce(&mut Context<'_>, &mut Vec<i32>) -> T,
    ) -> T {
        let mut list = c.list();
        self.fill(c, &mut list);
        let result = f(c, &mut list);
        c.free_list(list);
        result
    }

    /// Is a number in it?
    pub(crate) fn contains(&self, c: &mut Context<'_>, value: i32) -> bool {
        match self {
            Ints::Remembered(name) => {
                c.state.remembered.get(*name).is_some_and(|list| list.contains(&value))
            }
            Ints::Dyn(_) => self.of(c, |_, list| list.contains(&value)),
        }
    }
}

impl Field for Ints {
    fn show(&self, out: &mut String) {
        match self {
            Ints::Remembered(name) => out.push_str(&format!("(values Remembered {name})")),
            Ints::Dyn(node) => node::show(&**node, out),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        if let Ints::Dyn(node) = self {
            visit(&**node);
        }
    }

    fn reads(&self) -> Parts {
        if matches!(self, Ints::Remembered(_)) { Parts::MEMORY } else { Parts::NONE }
    }

    fn iterators(&self) -> Iterators {
        match self {
            Ints::Remembered(_) => Iterators::NONE,
            Ints::Dyn(node) => node::iterators(&**node),
        }
    }
}
