//! What ludemes with a value are lowered to. What can be worked out beforehand is, the commonest
//! ones are told apart without a call, and the rest are closures over the [`Context`].

use super::context::Context;
use super::last::Last;
use super::sites::Sites;
use super::state::OFF;
use ludex_core::diagnostic::Diagnostic;

/// A function of the context.
pub(crate) type Function<T> = Box<dyn Fn(&mut Context<'_>) -> T + Send + Sync>;

/// A condition.
pub(crate) type Bool = Function<bool>;

pub(crate) type Result<T> = std::result::Result<T, Diagnostic>;

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
    /// `(last To)`.
    LastTo(Last),
    /// Anything else.
    Dyn(Function<i32>),
}

impl Int {
    /// From a closure.
    pub(crate) fn new(f: impl Fn(&mut Context<'_>) -> i32 + Send + Sync + 'static) -> Int {
        Int::Dyn(Box::new(f))
    }

    /// Its value.
    #[inline]
    pub(crate) fn get(&self, c: &mut Context<'_>) -> i32 {
        match self {
            Int::Const(n) => *n,
            Int::From => c.at.from,
            Int::To => c.at.to,
            Int::Site => c.at.site,
            Int::Between => c.at.between,
            Int::Mover => c.state.s.mover as i32,
            Int::LastTo(last) => c.state.s.last.to(*last),
            Int::Dyn(f) => f(c),
        }
    }

    /// The value if it is always the same.
    pub(crate) fn fixed(&self) -> Option<i32> {
        match self {
            Int::Const(n) => Some(*n),
            _ => None,
        }
    }
}

/// Some players: a bit for each, bit 0 for nobody's pieces, the one after the last player for
/// shared ones.
pub(crate) enum Who {
    /// Always the same.
    Const(u32),
    /// The mover.
    Mover,
    /// Anything else.
    Dyn(Function<u32>),
}

impl Who {
    /// The bits.
    #[inline]
    pub(crate) fn get(&self, c: &mut Context<'_>) -> u32 {
        match self {
            Who::Const(bits) => *bits,
            Who::Mover => 1 << c.state.s.mover,
            Who::Dyn(f) => f(c),
        }
    }
}

/// The numbers of the bits that are set.
pub(crate) fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            bit
        })
    })
}

/// What fills a set of sites.
pub(crate) type Fill = Box<dyn Fn(&mut Context<'_>, &mut Sites) + Send + Sync>;

/// What asks whether a site is in a set.
pub(crate) type Has = Box<dyn Fn(&mut Context<'_>, i32) -> bool + Send + Sync>;

/// A set of sites.
pub(crate) enum Region {
    /// Always the same.
    Fixed(Sites),
    /// The empty sites of the board.
    Empty,
    /// One site, or none.
    One(Int),
    /// Those sites of another for which a condition on `(site)` holds.
    Filter(Box<Region>, Bool),
    /// Sites that are quicker to ask about than to list.
    Test(Fill, Has),
    /// Anything else.
    Dyn(Fill),
}

/// Does a condition hold where `(site)` is a site?
#[inline]
pub(crate) fn at_site(c: &mut Context<'_>, site: i32, condition: &Bool) -> bool {
    let before = std::mem::replace(&mut c.at.site, site);
    let holds = condition(c);
    c.at.site = before;
    holds
}

impl Region {
    /// From a closure that puts sites in.
    pub(crate) fn new(f: impl Fn(&mut Context<'_>, &mut Sites) + Send + Sync + 'static) -> Region {
        Region::Dyn(Box::new(f))
    }

    /// Puts its sites into a set.
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
            Region::Test(f, _) | Region::Dyn(f) => f(c, out),
        }
    }

    /// Is a site in it?
    pub(crate) fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        match self {
            Region::Fixed(sites) => sites.contains(site),
            Region::Empty => c.is_empty(site) && c.equipment.on_board.contains(site),
            Region::One(one) => site >= 0 && one.get(c) == site,
            Region::Filter(region, condition) => {
                region.contains(c, site) && at_site(c, site, condition)
            }
            Region::Test(_, has) => has(c, site),
            Region::Dyn(_) => self.of(c, |_, sites| sites.contains(site)),
        }
    }

    /// Evaluates with its sites.
    pub(crate) fn of<T>(&self, c: &mut Context<'_>, f: impl FnOnce(&mut Context<'_>, &Sites) -> T) -> T {
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
    pub(crate) fn each(&self, c: &mut Context<'_>, mut f: impl FnMut(&mut Context<'_>, i32) -> bool) {
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
}
