//! Conditions, and conditions on the owner of the piece on one site, which one look at the site answers.

use super::context::{Context, Registers};
use super::functions::Int;
use super::node::{self, Field, Iterators, Node, Parts};
use super::sites::Sites;

/// A node that holds or does not.
pub(crate) trait Condition: Node {
    /// Does it hold?
    fn holds(&self, c: &mut Context<'_>) -> bool;

    /// The iterators that it compares, if it asks whether two are equal.
    fn same_sites(&self) -> Option<(Place, Place)> {
        None
    }

    /// The owners that it asks for and the iterator that it is about, if it asks for nothing else.
    fn owners(&self) -> Option<(Owners, Place)> {
        None
    }

    /// Is it known to be the same whatever the iterators are?
    fn is_free(&self) -> bool {
        false
    }
}

/// A condition.
pub(crate) enum Bool {
    /// Always the same.
    Const(bool),
    /// The other one does not hold.
    Not(Box<Bool>),
    /// All hold.
    All(Vec<Bool>),
    /// One holds.
    Any(Vec<Bool>),
    /// Anything else.
    Dyn(Box<dyn Condition>),
}

/// A condition on the owner of the piece on an iterator's site. A look at the site answers it.
struct OfOwner {
    owners: Owners,
    place: Place,
    /// The condition itself.
    node: Box<dyn Condition>,
}

impl Node for OfOwner {
    fn name(&self) -> &'static str {
        self.node.name()
    }

    fn reads(&self) -> Parts {
        self.node.reads() | self.owners.reads() | Parts::CELLS
    }

    fn iterators(&self) -> Iterators {
        self.place.iterators()
    }

    fn asks_for_empty(&self) -> bool {
        self.node.asks_for_empty()
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        self.node.fields(visit);
    }
}

impl Condition for OfOwner {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        is_of(c, self.owners.bits(c), self.place.of(&c.at))
    }

    fn owners(&self) -> Option<(Owners, Place)> {
        Some((self.owners.clone(), self.place))
    }
}

impl Bool {
    /// The condition of a node.
    pub(crate) fn of(node: impl Condition + 'static) -> Bool {
        Bool::Dyn(Box::new(node))
    }

    /// The condition in its fastest form: where it asks for an owner alone, one look at the site answers it.
    pub(crate) fn by_owner(self, players: usize, teams: bool) -> Bool {
        match self {
            Bool::Dyn(node) => match node.owners() {
                Some((owners, place)) => {
                    let owners = owners.settled(players, teams);
                    Bool::of(OfOwner { owners, place, node })
                }
                None => Bool::Dyn(node),
            },
            other => other,
        }
    }

    /// See [`Condition::is_free`].
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Bool::Const(_) => true,
            Bool::Not(other) => other.is_free(),
            Bool::All(all) | Bool::Any(all) => all.iter().all(Bool::is_free),
            Bool::Dyn(node) => node.is_free(),
        }
    }

    /// Does it hold?
    #[inline]
    pub(crate) fn holds(&self, c: &mut Context<'_>) -> bool {
        match self {
            Bool::Dyn(node) => node.holds(c),
            other => other.joined(c),
        }
    }

    /// Does a condition hold that is made of others?
    fn joined(&self, c: &mut Context<'_>) -> bool {
        match self {
            Bool::Const(value) => *value,
            Bool::Not(other) => !other.holds(c),
            Bool::All(all) => all.iter().all(|part| part.holds(c)),
            Bool::Any(all) => all.iter().any(|part| part.holds(c)),
            Bool::Dyn(node) => node.holds(c),
        }
    }

    /// Does it hold with these iterators?
    #[inline]
    pub(crate) fn holds_at(&self, c: &mut Context<'_>, at: Registers) -> bool {
        c.with(at, |c| self.holds(c))
    }

    /// The other part of `(or (= (between) (from)) …)`, or the condition itself where it is not of this form.
    pub(crate) fn without_home(self) -> Result<Bool, Bool> {
        let mut parts = match self {
            Bool::Any(parts) => parts,
            other => return Err(other),
        };
        let home = match &parts[..] {
            [Bool::Dyn(first), _] => first.same_sites() == Some((Place::Between, Place::From)),
            _ => false,
        };
        match parts.pop() {
            Some(other) if home => Ok(other),
            last => {
                parts.extend(last);
                Err(Bool::Any(parts))
            }
        }
    }

    /// See [`Condition::owners`].
    fn owners(&self) -> Option<(Owners, Place)> {
        match self {
            Bool::Const(_) => None,
            Bool::Not(other) => {
                let (owners, place) = other.owners()?;
                Some((Owners::Not(Box::new(owners)), place))
            }
            Bool::All(all) => {
                let (parts, place) = owners_of(all)?;
                Some((Owners::All(parts), place))
            }
            Bool::Any(all) => {
                let (parts, place) = owners_of(all)?;
                Some((Owners::Any(parts), place))
            }
            Bool::Dyn(node) => node.owners(),
        }
    }
}

/// The owners of several conditions that are all about the same iterator.
fn owners_of(all: &[Bool]) -> Option<(Vec<Owners>, Place)> {
    let mut about = None;
    let mut parts = Vec::new();
    for part in all {
        let (owners, place) = part.owners()?;
        if about.is_some_and(|other| other != place) {
            return None;
        }
        about = Some(place);
        parts.push(owners);
    }
    Some((parts, about?))
}

impl Field for Bool {
    fn show(&self, out: &mut String) {
        let mut join = |word: &str, all: &[Bool]| {
            out.push_str(word);
            for part in all {
                out.push(' ');
                part.show(out);
            }
            out.push(')');
        };
        match self {
            Bool::Const(value) => out.push_str(if *value { "True" } else { "False" }),
            Bool::Not(other) => join("(not", std::slice::from_ref(&**other)),
            Bool::All(all) => join("(and", all),
            Bool::Any(all) => join("(or", all),
            Bool::Dyn(node) => node::show(&**node, out),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        match self {
            Bool::Const(_) => {}
            Bool::Not(other) => other.nodes(visit),
            Bool::All(all) | Bool::Any(all) => all.nodes(visit),
            Bool::Dyn(node) => visit(&**node),
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Bool::Not(other) => other.reads(),
            Bool::All(all) | Bool::Any(all) => all.reads(),
            Bool::Const(_) | Bool::Dyn(_) => Parts::NONE,
        }
    }

    fn iterators(&self) -> Iterators {
        match self {
            Bool::Const(_) => Iterators::NONE,
            Bool::Not(other) => other.iterators(),
            Bool::All(all) | Bool::Any(all) => all.iterators(),
            Bool::Dyn(node) => node::iterators(&**node),
        }
    }
}

/// Does a condition hold where `(site)` is a site?
#[inline]
pub(crate) fn at_site(c: &mut Context<'_>, site: i32, condition: &Bool) -> bool {
    let before = std::mem::replace(&mut c.at.site, site);
    let holds = condition.holds(c);
    c.at.site = before;
    holds
}

/// The bit of empty sites; those of owners are as in [`Who`](super::functions::Who).
const EMPTY: u32 = 31;

/// The mask of free sites, see [`is_of`].
pub(crate) const FREE: u32 = 1 << EMPTY;

/// A condition on a site.
pub(crate) enum Test {
    /// A condition on the owner of the piece on an iterator's site.
    Owner(Owners, Place),
    /// Any other.
    Other(Bool),
}

impl Field for Test {
    fn show(&self, out: &mut String) {
        match self {
            Test::Owner(Owners::ByMover(owners, _), place) => {
                out.push_str(&format!("({owners:?} at {place:?})"));
            }
            Test::Owner(owners, place) => out.push_str(&format!("({owners:?} at {place:?})")),
            Test::Other(condition) => condition.show(out),
        }
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        if let Test::Other(condition) = self {
            condition.nodes(visit);
        }
    }

    fn reads(&self) -> Parts {
        match self {
            Test::Owner(owners, _) => owners.reads() | Parts::CELLS,
            Test::Other(condition) => condition.reads(),
        }
    }

    fn iterators(&self) -> Iterators {
        match self {
            Test::Owner(_, place) => place.iterators(),
            Test::Other(condition) => condition.iterators(),
        }
    }
}

/// The iterator that a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// `(from)`.
    From,
    /// `(to)`.
    To,
    /// `(between)`.
    Between,
    /// `(site)`.
    Site,
}

/// Some owners, and perhaps nothing.
#[derive(Clone, Debug)]
pub(crate) enum Owners {
    /// Always the same.
    Const(u32),
    /// The mover.
    Mover,
    /// The next player.
    Next,
    /// The player before.
    Prev,
    /// The mover's side.
    Friends,
    /// The other sides.
    Enemies,
    /// All others.
    Not(Box<Owners>),
    /// The sites in all of these sets.
    All(Vec<Owners>),
    /// The sites in any of these sets.
    Any(Vec<Owners>),
    /// Owners that only the mover decides, and by mover: their bits.
    ByMover(Box<Owners>, Box<[u32]>),
}

impl Owners {
    /// The owners with their bits by mover, where the mover alone decides them.
    fn settled(self, players: usize, teams: bool) -> Owners {
        let bits: Option<Box<[u32]>> = match self {
            Owners::Const(_) | Owners::ByMover(..) => None,
            _ => (0..=players).map(|mover| self.bits_for(mover, players, teams)).collect(),
        };
        match bits {
            Some(bits) => Owners::ByMover(Box::new(self), bits),
            None => self,
        }
    }

    /// A bit for each where a player moves; `None` where more decides them.
    fn bits_for(&self, mover: usize, players: usize, teams: bool) -> Option<u32> {
        let of = |owners: &Owners| owners.bits_for(mover, players, teams);
        match self {
            Owners::Const(bits) => Some(*bits),
            Owners::Mover => Some(1 << mover),
            Owners::Friends if !teams => Some(1 << mover),
            Owners::Enemies if !teams => Some(enemies(players, 1 << mover)),
            Owners::Not(other) => of(other).map(|bits| !bits),
            Owners::ByMover(other, _) => of(other),
            Owners::All(all) => all.iter().try_fold(u32::MAX, |bits, part| Some(bits & of(part)?)),
            Owners::Any(all) => all.iter().try_fold(0, |bits, part| Some(bits | of(part)?)),
            Owners::Friends | Owners::Enemies | Owners::Next | Owners::Prev => None,
        }
    }

    /// No owner: free sites.
    pub(crate) fn free() -> Owners {
        Owners::Const(FREE)
    }

    /// The owners of all pieces.
    pub(crate) fn occupied() -> Owners {
        Owners::Const(!FREE)
    }

    /// The parts of the state that tell who they are.
    pub(crate) fn reads(&self) -> Parts {
        match self {
            Owners::Const(_) => Parts::NONE,
            Owners::Mover | Owners::Next | Owners::Prev => Parts::TURN,
            Owners::Friends | Owners::Enemies => Parts::TURN | Parts::TEAMS,
            Owners::Not(other) | Owners::ByMover(other, _) => other.reads(),
            Owners::All(all) | Owners::Any(all) => {
                all.iter().fold(Parts::NONE, |parts, part| parts | part.reads())
            }
        }
    }

    /// Do they name free sites?
    fn mentions_free(&self) -> bool {
        match self {
            Owners::Const(bits) => *bits == FREE,
            Owners::Not(other) | Owners::ByMover(other, _) => other.mentions_free(),
            Owners::All(all) | Owners::Any(all) => all.iter().any(Owners::mentions_free),
            _ => false,
        }
    }

    /// The player of a number, if it can be told by a mask.
    pub(crate) fn player(number: &Int) -> Option<Owners> {
        match number {
            Int::Mover => Some(Owners::Mover),
            Int::Next => Some(Owners::Next),
            Int::Const(player @ 1..=16) => Some(Owners::Const(1 << player)),
            _ => None,
        }
    }

    /// A bit for each.
    #[inline]
    pub(crate) fn bits(&self, c: &Context<'_>) -> u32 {
        match self {
            Owners::Const(bits) => *bits,
            Owners::Mover => 1 << c.state.s.mover,
            Owners::Next => 1 << c.state.s.next,
            Owners::Prev => 1 << c.state.s.prev,
            Owners::Friends => friends(c),
            Owners::Enemies => enemies(c.equipment.players, friends(c)),
            Owners::Not(other) => !other.bits(c),
            Owners::All(all) => all.iter().fold(u32::MAX, |bits, part| bits & part.bits(c)),
            Owners::Any(all) => all.iter().fold(0, |bits, part| bits | part.bits(c)),
            Owners::ByMover(owners, bits) => match bits.get(c.state.s.mover) {
                Some(&bits) => bits,
                None => owners.bits(c),
            },
        }
    }

    /// Puts in the sites of the board that have one of them.
    pub(crate) fn fill(&self, c: &Context<'_>, out: &mut Sites) {
        let (bits, layout) = (self.bits(c), c.rules.layout);
        for owner in 0..=c.equipment.players + 1 {
            if bits >> owner & 1 == 1 {
                out.add(c.state.owned(layout, owner));
            }
        }
        if bits >> EMPTY & 1 == 1 {
            out.add(c.state.empty(layout));
        }
        out.keep(c.equipment.on_board.words());
    }
}

/// All players but these.
fn enemies(players: usize, friends: u32) -> u32 {
    ((2 << players) - 2) & !friends
}

/// The players on the mover's side.
#[inline]
fn friends(c: &Context<'_>) -> u32 {
    let mover = c.state.s.mover;
    if !c.rules.teams {
        return 1 << mover;
    }
    (1..=c.equipment.players).filter(|&p| c.friends(p, mover)).fold(0, |bits, p| bits | 1 << p)
}

impl Place {
    /// The iterator that a number is.
    pub(crate) fn of_number(number: &Int) -> Option<Place> {
        match number {
            Int::From => Some(Place::From),
            Int::To => Some(Place::To),
            Int::Between => Some(Place::Between),
            Int::Site => Some(Place::Site),
            _ => None,
        }
    }

    /// The iterator whose owner a number is.
    pub(crate) fn of_owner(number: &Int) -> Option<Place> {
        match number {
            Int::Dyn(node) => node.owner_at(),
            _ => None,
        }
    }

    /// The iterator.
    fn iterators(self) -> Iterators {
        match self {
            Place::From => Iterators::FROM,
            Place::To => Iterators::TO,
            Place::Between => Iterators::BETWEEN,
            Place::Site => Iterators::SITE,
        }
    }

    /// The site of the iterator.
    #[inline]
    fn of(self, at: &Registers) -> i32 {
        match self {
            Place::From => at.from,
            Place::To => at.to,
            Place::Between => at.between,
            Place::Site => at.site,
        }
    }
}

impl Test {
    /// A condition on a site: a mask of owners where it asks for nothing else.
    pub(crate) fn new(condition: Bool) -> Test {
        match condition.owners() {
            Some((owners, place)) => Test::Owner(owners, place),
            None => Test::Other(condition),
        }
    }

    /// The test with its owners worked out for each mover, where the mover alone decides them.
    pub(crate) fn settled(self, players: usize, teams: bool) -> Test {
        match self {
            Test::Owner(owners, place) => Test::Owner(owners.settled(players, teams), place),
            other => other,
        }
    }

    /// Does it ask for empty sites?
    pub(crate) fn mentions_empty(&self) -> bool {
        match self {
            Test::Owner(owners, _) => owners.mentions_free(),
            Test::Other(condition) => {
                let mut found = false;
                let mut look = |node: &dyn Node| found |= node.asks_for_empty();
                condition.nodes(&mut |node| node::walk(node, &mut look));
                found
            }
        }
    }

    /// A bit for each owner that it asks for, where it is about one of these iterators.
    #[inline]
    pub(crate) fn mask(&self, c: &Context<'_>, about: &[Place]) -> Option<u32> {
        match self {
            Test::Owner(owners, place) if about.contains(place) => Some(owners.bits(c)),
            _ => None,
        }
    }

    /// Does it hold?
    #[inline]
    pub(crate) fn holds(&self, c: &mut Context<'_>, at: Registers) -> bool {
        match self {
            Test::Owner(owners, site) => is_of(c, owners.bits(c), site.of(&at)),
            Test::Other(condition) => condition.holds_at(c, at),
        }
    }
}

/// Does one of these owners have a piece on the site? An empty site has a bit of its own.
#[inline]
pub(crate) fn is_of(c: &Context<'_>, mask: u32, site: i32) -> bool {
    let what = c.what(site);
    let bit = if what == 0 { EMPTY } else { c.owner(what) as u32 };
    mask >> bit & 1 == 1
}

/// The mask of a condition, or of another where there is none.
#[inline]
pub(crate) fn mask_or(
    test: Option<&Test>,
    c: &Context<'_>,
    about: &[Place],
    otherwise: u32,
) -> Option<u32> {
    test.map_or(Some(otherwise), |test| test.mask(c, about))
}

/// Does a condition hold, if there is one?
#[inline]
pub(crate) fn holds(test: Option<&Test>, c: &mut Context<'_>, at: Registers) -> bool {
    test.is_none_or(|test| test.holds(c, at))
}
