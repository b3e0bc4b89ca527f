//! Conditions on one site. Most ask only whose piece is there, if any, and are answered by one look at the
//! site instead of a walk through closures.

use super::context::{Context, Registers};
use super::functions::{Bool, Result};
use super::lower::Lower;
use super::sites::Sites;
use crate::compile::{Ludeme, Value};

/// The bit of empty sites; those of owners are as in [`Who`](super::functions::Who).
const EMPTY: u32 = 31;

/// The mask of free sites, see [`is_of`].
pub(crate) const FREE: u32 = 1 << EMPTY;

/// A condition on a site.
pub(crate) enum Test {
    /// On the owner of what is on the site that an iterator tells.
    Owner(Owners, Place),
    /// Any other.
    Other(Bool),
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
    /// Those in all of these.
    All(Vec<Owners>),
    /// Those in any of these.
    Any(Vec<Owners>),
}

impl Owners {
    /// Nobody: free sites.
    pub(crate) fn free() -> Owners {
        Owners::Const(FREE)
    }

    /// Of all pieces.
    pub(crate) fn occupied() -> Owners {
        Owners::Const(!FREE)
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
            Owners::Enemies => ((2 << c.equipment.players) - 2) & !friends(c),
            Owners::Not(other) => !other.bits(c),
            Owners::All(all) => all.iter().fold(u32::MAX, |bits, part| bits & part.bits(c)),
            Owners::Any(all) => all.iter().fold(0, |bits, part| bits | part.bits(c)),
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
    /// Its value.
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
            Test::Other(f) => c.with(at, |c| f(c)),
        }
    }
}

/// Is what is on a site of one of these owners? Nothing is a bit of its own.
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

impl Lower<'_> {
    /// A condition on a site.
    pub(crate) fn test(&mut self, value: &Value, of: &Ludeme) -> Result<Test> {
        Ok(match self.owners(value) {
            Some((owners, site)) => Test::Owner(owners, site),
            None => Test::Other(self.bool(value, of)?),
        })
    }

    /// That of a label, if it is there.
    pub(crate) fn optional_test(&mut self, l: &Ludeme, label: &str) -> Result<Option<Test>> {
        l.labelled(label).map(|value| self.test(value, l)).transpose()
    }

    /// Which owners a condition is about, if it asks for nothing else.
    fn owners(&self, value: &Value) -> Option<(Owners, Place)> {
        // Players have numbers below that of the bit of empty sites.
        let Value::Call(l) = value else { return None };
        if self.equipment.players + 1 >= EMPTY as usize {
            return None;
        }
        match l.signature().keyword.as_str() {
            "not" => {
                let (owners, site) = self.owners(l.arg(0)?)?;
                Some((Owners::Not(Box::new(owners)), site))
            }
            word @ ("and" | "or") => {
                let parts: Vec<&Value> = match l.arg(0)? {
                    Value::List(list) => list.iter().collect(),
                    _ => l.args().iter().flatten().map(|(_, part)| part).collect(),
                };
                let mut all = Vec::new();
                let mut about = None;
                for part in parts {
                    let (owners, site) = self.owners(part)?;
                    if about.is_some_and(|other| other != site) {
                        return None;
                    }
                    about = Some(site);
                    all.push(owners);
                }
                Some((if word == "and" { Owners::All(all) } else { Owners::Any(all) }, about?))
            }
            word @ ("=" | "!=") => {
                let (owner, at) = match (who(l.arg(0)?), who(l.arg(1)?)) {
                    (Some(at), None) => (self.player_of(l.arg(1)?)?, at),
                    (None, Some(at)) => (self.player_of(l.arg(0)?)?, at),
                    _ => return None,
                };
                Some(if word == "=" { (owner, at) } else { (Owners::Not(Box::new(owner)), at) })
            }
            "is" => {
                let site = l.typed("int")?;
                Some(match l.arg(0).and_then(Value::word)? {
                    "Empty" => (Owners::free(), iterator(site)?),
                    "Occupied" => (Owners::occupied(), iterator(site)?),
                    "Mover" => (Owners::Mover, who(site)?),
                    "Next" => (Owners::Next, who(site)?),
                    "Prev" => (Owners::Prev, who(site)?),
                    "Friend" => (Owners::Friends, who(site)?),
                    "Enemy" => (Owners::Enemies, who(site)?),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

impl Lower<'_> {
    /// A player that `(who …)` may be compared with.
    fn player_of(&self, value: &Value) -> Option<Owners> {
        match value {
            Value::Call(l) if l.values().next().is_some() => None,
            Value::Call(l) => match l.signature().keyword.as_str() {
                "mover" => Some(Owners::Mover),
                "next" => Some(Owners::Next),
                _ => None,
            },
            Value::Word(word) => match word.as_str() {
                "Mover" => Some(Owners::Mover),
                "Next" => Some(Owners::Next),
                _ => {
                    let number: u32 = word.strip_prefix('P')?.parse().ok()?;
                    let known = (1..=self.equipment.players as u32).contains(&number);
                    known.then_some(Owners::Const(1 << number))
                }
            },
            _ => None,
        }
    }
}

/// The iterator of `(who at:(to))` and the like.
fn who(value: &Value) -> Option<Place> {
    match value {
        Value::Call(l) if l.signature().keyword == "who" && l.labelled("level").is_none() => {
            iterator(l.labelled("at")?)
        }
        _ => None,
    }
}

fn iterator(value: &Value) -> Option<Place> {
    let Value::Call(l) = value else { return None };
    if l.values().next().is_some() {
        return None;
    }
    Some(match l.signature().keyword.as_str() {
        "from" => Place::From,
        "to" => Place::To,
        "between" => Place::Between,
        "site" => Place::Site,
        _ => return None,
    })
}
