//! Moves that are not listed. Where one move is all that is wanted, a rule tells where moves may begin
//! and how many candidates there are from each place; candidates are then drawn and tried until one is a
//! move. Each move is one candidate, so all moves are equally likely.

use super::action::{Condition, Head, Moves, NONE};
use super::context::{Context, Registers};
use super::equipment::Equipment;
use super::functions::Region;
use super::lower::Lower;
use super::moves::{Generate, Generator};
use super::node::{self, Field, Node};
use super::parts::From;
use super::sites::{self, Sites};
use super::state::OFF;
use std::sync::Arc;

/// On larger boards it is not worked out beforehand what moves can reach.
const MOST_SITES: usize = 256;

/// The number of candidates that a place has at most. Elements of other kinds may have many more neighbours than the sites
/// of the board have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Most {
    /// A site of the board or of a hand.
    pub(crate) board: u32,
    /// Any site.
    pub(crate) any: u32,
}

impl Most {
    /// Not known, or a candidate may be several moves.
    pub(crate) const UNKNOWN: Most = Most { board: 0, any: 0 };

    /// One bound for all places; 0 if it is unknown.
    pub(crate) const fn all(number: u32) -> Most {
        Most { board: number, any: number }
    }

    /// Is it known?
    #[inline]
    pub(crate) fn is_known(self) -> bool {
        self.any > 0
    }

    /// From a site.
    #[inline]
    pub(crate) fn at(self, equipment: &Equipment, site: i32) -> u32 {
        if equipment.is_on_plane(site) { self.any } else { self.board }
    }

    /// Both together.
    fn and(self, other: Most) -> Most {
        Most { board: self.board + other.board, any: self.any + other.any }
    }

    /// The larger numbers.
    fn or(self, other: Most) -> Most {
        Most { board: self.board.max(other.board), any: self.any.max(other.any) }
    }
}

impl Field for Most {
    fn show(&self, out: &mut String) {
        self.any.show(out);
    }
}

/// Moves from a place, by candidates.
pub(crate) trait Candidates: Node {
    /// Candidates are numbered below this. Unknown where a candidate may be several moves.
    fn most(&self) -> Most;

    /// Appends the move of a candidate, if it is one. The iterators may be others than `at`.
    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves);

    /// The number of moves, if it can be counted quickly without making them.
    fn count(&self, _c: &mut Context<'_>, _at: Registers) -> Option<u32> {
        None
    }

    /// Appends the move of a number below [`count`](Candidates::count).
    fn nth(&self, _c: &mut Context<'_>, _at: Registers, _number: u32, _out: &mut Moves) {}

    /// Appends all moves, in the order of the candidates.
    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves);

    /// For each origin, the set of sites on which a move can capture. Empty means unknown.
    fn reach(&self, _equipment: &Equipment) -> Vec<u64> {
        Vec::new()
    }

    /// May a move to a site be one that is wanted?
    fn aims(&self, _site: i32, _out: &Moves) -> bool {
        true
    }
}

/// The candidates for the moves of a form from `(from)`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bound {
    /// How many there are at most.
    pub(crate) most: Most,
    /// The kinds of candidates; none where they depend on the state.
    parts: Vec<Part>,
}

/// Candidates of one kind.
#[derive(Clone, Debug)]
struct Part {
    /// By its number in [`Rules::trials`](super::Rules).
    trial: u32,
    count: Most,
    /// The consequences, in order.
    thens: Vec<u32>,
}

impl Bound {
    /// The candidates of several forms together.
    pub(crate) fn any(all: Vec<Bound>) -> Bound {
        if !all.iter().all(|bound| bound.most.is_known()) {
            return Bound::default();
        }
        let most = all.iter().fold(Most::UNKNOWN, |most, bound| most.and(bound.most));
        let known = all.iter().all(|bound| !bound.parts.is_empty());
        let parts = all.into_iter().flat_map(|bound| bound.parts);
        Bound { most, parts: if known { parts.collect() } else { Vec::new() } }
    }

    /// The candidates of one of two forms.
    pub(crate) fn either(&self, other: &Bound) -> Bound {
        match self.most.is_known() && other.most.is_known() {
            true => Bound { most: self.most.or(other.most), parts: Vec::new() },
            false => Bound::default(),
        }
    }

    /// With a consequence more.
    pub(crate) fn followed_by(mut self, then: u32) -> Bound {
        self.parts.iter_mut().for_each(|part| part.thens.push(then));
        self
    }

    /// Appends the move of a candidate, if it is one; `false` where it is not known what they are.
    pub(crate) fn attempt(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        mut number: u32,
        out: &mut Moves,
    ) -> bool {
        for part in &self.parts {
            let count = part.count.at(c.equipment, at.from);
            if number < count {
                let (first, rules) = (out.len(), c.rules);
                if let Some(trial) = rules.trials.get(part.trial as usize) {
                    trial.attempt(c, at, number, out);
                }
                if out.len() > first {
                    part.thens.iter().for_each(|&then| out.follow(first, then, false));
                }
                break;
            }
            number -= count;
        }
        !self.parts.is_empty()
    }
}

/// Candidates from one place, or from each of some.
#[derive(Clone, Debug)]
pub struct Lot {
    /// The form that makes moves of them, by its number in [`Rules::trials`](super::Rules).
    trial: u32,
    /// From where.
    at: Registers,
    /// How many there are.
    count: u32,
    /// The candidates.
    kind: Kind,
    /// The consequences.
    pub(crate) then: u32,
    /// Conditions that are still to be looked at.
    pub(crate) check: u32,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Candidates have numbers.
    Numbers,
    /// All of them are moves.
    Counted,
    /// Candidates are these sites.
    Sites(Sites),
    /// A number of candidates at each of these sites.
    Each(Sites, u32),
}

impl Lot {
    /// The candidate with a number: the site where it begins, if there are several, and its number among the candidates
    /// there.
    #[inline]
    fn nth(&self, nth: u32) -> (i32, u32) {
        match &self.kind {
            Kind::Numbers | Kind::Counted => (OFF, nth),
            Kind::Sites(sites) => (OFF, sites.nth(nth as usize) as u32),
            Kind::Each(sites, each) => (sites.nth((nth / each) as usize), nth % each),
        }
    }

    /// The iterators at a site.
    #[inline]
    fn at(&self, site: i32) -> Registers {
        match &self.kind {
            Kind::Each(..) => Registers { from: site, site, level: OFF, ..self.at },
            _ => self.at,
        }
    }

    /// Appends the move of a candidate, if it is one.
    fn attempt(&self, c: &mut Context<'_>, (site, number): (i32, u32), out: &mut Moves) {
        let first = out.len();
        let Some(trial) = c.rules.trials.get(self.trial as usize) else { return };
        c.with(self.at(site), |c| {
            let at = c.at;
            match self.kind {
                Kind::Counted => trial.nth(c, at, number, out),
                _ => trial.attempt(c, at, number, out),
            }
        });
        if out.len() > first {
            self.seal(first, out);
        }
    }

    /// Appends all moves, until `enough` says so.
    fn all(
        &self,
        c: &mut Context<'_>,
        out: &mut Moves,
        mut enough: impl FnMut(&mut Context<'_>, &Moves) -> bool,
    ) -> bool {
        let Some(trial) = c.rules.trials.get(self.trial as usize) else { return false };
        match &self.kind {
            Kind::Numbers | Kind::Counted => {
                let first = out.len();
                c.with(self.at, |c| trial.all(c, self.at, out));
                self.seal(first, out);
                enough(c, out)
            }
            Kind::Sites(sites) => sites.iter().any(|site| {
                self.attempt(c, (OFF, site as u32), out);
                enough(c, out)
            }),
            Kind::Each(sites, _) => sites.iter().any(|site| {
                let (first, at) = (out.len(), self.at(site));
                c.with(at, |c| trial.all(c, at, out));
                self.seal(first, out);
                enough(c, out)
            }),
        }
    }

    /// Gives moves what follows from all of the lot.
    fn seal(&self, first: usize, out: &mut Moves) {
        for at in first..out.len() {
            (out.heads[at].then, out.heads[at].check) = match out.heads[at].then {
                NONE => (self.then, self.check),
                own => (after(out, own, self.then), checks_after(out, own, self.check)),
            };
        }
    }
}

/// Conditions of moves that have consequences of their own.
fn checks_after(out: &mut Moves, first: u32, check: u32) -> u32 {
    let Some(&condition) = out.conditions.get(check as usize) else { return NONE };
    let before = checks_after(out, first, condition.before);
    let then = after(out, first, condition.then);
    out.conditions.push(Condition { then, before, ..condition });
    out.conditions.len() as u32 - 1
}

/// One chain of consequences after another.
fn after(out: &mut Moves, first: u32, then: u32) -> u32 {
    let Some(&(number, before)) = out.chain.get(then as usize) else { return first };
    let before = after(out, first, before);
    out.chain.push((number, before));
    out.chain.len() as u32 - 1
}

impl Moves {
    /// Adds the candidates from a place.
    fn lot(&mut self, trial: u32, at: Registers, count: u32, kind: Kind) {
        self.lots.push(Lot { trial, at, count, kind, then: NONE, check: NONE });
    }
}

/// May candidates wait until the present look-ahead is over?
fn may_wait(c: &Context<'_>, out: &Moves) -> bool {
    out.lazy && c.is_straight()
}

/// Moves from all places of `(from …)`.
struct MovesFrom<K> {
    from: From,
    kind: Arc<K>,
    /// By its number in [`Rules::trials`](super::rules::Rules).
    trial: u32,
    /// The number of candidates from a place.
    count: Most,
    /// For each origin, the set of sites on which a move can capture. Empty means unknown.
    reach: Vec<u64>,
    /// Are the candidates from a place told to others?
    bounded: bool,
    /// Is it `(from)`, whatever that is?
    plain: bool,
}

impl<K: Candidates> Node for MovesFrom<K> {
    fn name(&self) -> &'static str {
        "moves from"
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("from", &self.from);
        visit("kind", &Kinds(&*self.kind));
    }
}

/// Candidates as a field.
struct Kinds<'a>(&'a dyn Candidates);

impl Field for Kinds<'_> {
    fn show(&self, out: &mut String) {
        node::show(self.0, out);
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        visit(self.0);
    }
}

impl<K: Candidates> MovesFrom<K> {
    /// Appends the moves from a place, or the candidates for them where these may wait.
    fn one(&self, c: &mut Context<'_>, at: Registers, wait: bool, out: &mut Moves) {
        if out.target >= 0 && !self.reach.is_empty() {
            let words = c.rules.layout.words;
            let from = words * at.from.max(0) as usize;
            let near = self.reach.get(from..from + words).unwrap_or(&[]);
            if !sites::contains(near, out.target) {
                return;
            }
        }
        if !wait {
            return self.kind.all(c, at, out);
        }
        match self.kind.count(c, at) {
            Some(0) => {}
            Some(count) => out.lot(self.trial, at, count, Kind::Counted),
            None => {
                let count = self.count.at(c.equipment, at.from);
                out.lot(self.trial, at, count, Kind::Numbers);
            }
        }
    }
}

impl<K: Candidates> Generate for MovesFrom<K> {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let wait = self.count.is_known() && may_wait(c, out);
        if !self.plain {
            self.from.each(c, out, |c, at, out| self.one(c, at, wait, out));
        } else if c.at.from >= 0 {
            self.one(c, c.at, wait, out);
        }
    }

    fn bound(&self) -> Bound {
        if !self.bounded || !self.plain || !self.count.is_known() {
            return Bound::default();
        }
        let part = Part { trial: self.trial, count: self.count, thens: Vec::new() };
        Bound { most: self.count, parts: vec![part] }
    }
}

impl Lower<'_> {
    /// Moves from all places of `(from …)`, whose candidates are told to others where that is `bounded`.
    pub(crate) fn moves_from(
        &mut self,
        from: From,
        kind: impl Candidates + 'static,
        bounded: bool,
    ) -> Generator {
        let (kind, plain) = (Arc::new(kind), from.is_plain());
        let (trial, count) = (self.trials.len() as u32, kind.most());
        let reach = match self.equipment.sites <= MOST_SITES {
            true => kind.reach(self.equipment),
            false => Vec::new(),
        };
        self.trials.push(kind.clone());
        Box::new(MovesFrom { from, kind, trial, count, reach, bounded, plain })
    }

    /// Registers a test of sites, for [`Trial::each`].
    pub(crate) fn trial(&mut self, kind: impl Candidates + 'static) -> Trial {
        let kind = Arc::new(kind);
        self.trials.push(kind.clone());
        Trial { number: self.trials.len() as u32 - 1, kind }
    }
}

impl Field for Trial {
    fn show(&self, out: &mut String) {
        node::show(&*self.kind, out);
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        visit(&*self.kind);
    }
}

/// Moves to sites.
pub(crate) struct Trial {
    number: u32,
    pub(crate) kind: Arc<dyn Candidates>,
}

impl Trial {
    /// The moves to the sites of a region, which is worked out with the iterators as they are.
    pub(crate) fn each(
        &self,
        c: &mut Context<'_>,
        region: &Region,
        at: Registers,
        out: &mut Moves,
    ) {
        // A question about threats asks only for moves that capture on a site.
        if out.target >= 0 && !self.kind.aims(OFF, out) {
            if region.contains(c, out.target) {
                let site = out.target as u32;
                c.with(at, |c| self.kind.attempt(c, at, site, out));
            }
            return;
        }
        if self.kind.most().is_known() && may_wait(c, out) {
            let sites = match region {
                Region::Empty => c.empty_sites(),
                _ => {
                    let mut sites = c.sites();
                    region.fill(c, &mut sites);
                    sites
                }
            };
            let count = sites.len() as u32;
            return out.lot(self.number, at, count, Kind::Sites(sites));
        }
        let mut one = |c: &mut Context<'_>, site: i32| {
            self.kind.attempt(c, at, site as u32, out);
            !out.full()
        };
        if let Region::One(_) = region {
            return region.each(c, |c, site| c.with(at, |c| one(c, site)));
        }
        region.of(c, |c, sites| c.with(at, |c| sites.iter().all(|site| one(c, site))));
    }
}

impl Trial {
    /// Candidates from each of some sites, at most `each`, if they can wait.
    pub(crate) fn at_each(&self, c: &mut Context<'_>, sites: &Sites, each: u32, out: &mut Moves) {
        let mut of = c.sites();
        of.add(sites.words());
        let count = of.len() as u32 * each;
        out.lot(self.number, c.at, count, Kind::Each(of, each));
    }

    /// May candidates from some sites wait?
    pub(crate) fn waits(&self, c: &Context<'_>, out: &Moves) -> bool {
        out.target < 0 && may_wait(c, out)
    }
}

/// Appends the move of a number among the candidates that a generator tells from a place, if it is one.
pub(crate) fn candidate(
    c: &mut Context<'_>,
    number: u32,
    most: u32,
    out: &mut Moves,
    moves: impl FnOnce(&mut Context<'_>, &mut Moves),
) {
    let spare = c.pad.lots.pop().unwrap_or_default();
    let outer = std::mem::replace(&mut out.lots, spare);
    let (first, lazy) = (out.len(), std::mem::replace(&mut out.lazy, true));
    moves(c, out);
    out.lazy = lazy;
    let listed = (out.len() - first) as u32;
    let mut lots = std::mem::replace(&mut out.lots, outer);
    debug_assert!(listed + lots.iter().map(|lot| lot.count).sum::<u32>() <= most);
    if number < listed {
        out.heads.swap(first, first + number as usize);
        out.heads.truncate(first + 1);
    } else {
        out.heads.truncate(first);
        let mut nth = number - listed;
        for lot in &lots {
            if nth < lot.count {
                lot.attempt(c, lot.nth(nth), out);
                break;
            }
            nth -= lot.count;
        }
    }
    free(c, &mut lots);
    c.pad.lots.push(lots);
}

/// A move of a lazy list, each as likely as it is often in the full one, for which `fits` holds.
/// `below` gives a number below another.
pub(crate) fn draw(
    c: &mut Context<'_>,
    out: &mut Moves,
    below: &mut impl FnMut(usize) -> usize,
    mut fits: impl FnMut(&mut Context<'_>, &Moves, Head) -> bool,
) -> Option<Head> {
    let mut lots = std::mem::take(&mut out.lots);
    let mut candidates: usize = lots.iter().map(|lot| lot.count as usize).sum();
    let mut patience = candidates / 2 + 4;
    let found = loop {
        let listed = out.len();
        if listed + candidates == 0 {
            break None;
        }
        let chosen = below(listed + candidates);
        let Some(mut nth) = chosen.checked_sub(listed) else {
            let head = out.heads[chosen];
            if fits(c, out, head) {
                break Some(head);
            }
            out.heads.swap_remove(chosen);
            continue;
        };
        let Some(lot) = lots.iter_mut().find(|lot| {
            let here = nth < lot.count as usize;
            nth -= if here { 0 } else { lot.count as usize };
            here
        }) else {
            break None;
        };
        let candidate = lot.nth(nth as u32);
        lot.attempt(c, candidate, out);
        let mut cost = 1;
        if let Some(&head) = out.heads.get(listed) {
            if fits(c, out, head) {
                break Some(head);
            }
            out.heads.truncate(listed);
            cost = 8;
        }
        if let Kind::Sites(sites) = &mut lot.kind {
            sites.remove(candidate.1 as i32);
            lot.count -= 1;
            candidates -= 1;
        } else {
            patience = patience.saturating_sub(cost);
        }
        // Too many that are no moves: list those that are.
        if patience == 0 {
            candidates = 0;
            for lot in &lots {
                lot.all(c, out, |_, _| false);
            }
        }
    };
    give_back(c, lots, out);
    found
}

/// Is there a move of a lazy list for which `fits` holds?
pub(crate) fn any(
    c: &mut Context<'_>,
    out: &mut Moves,
    mut fits: impl FnMut(&mut Context<'_>, &Moves, Head) -> bool,
) -> bool {
    let lots = std::mem::take(&mut out.lots);
    let mut looked = 0;
    let mut one = |c: &mut Context<'_>, out: &Moves| {
        let new = looked..out.len();
        looked = out.len();
        new.into_iter().any(|at| fits(c, out, out.heads[at]))
    };
    let found = one(c, out) || lots.iter().any(|lot| lot.all(c, out, &mut one));
    give_back(c, lots, out);
    found
}

fn give_back(c: &mut Context<'_>, mut lots: Vec<Lot>, out: &mut Moves) {
    free(c, &mut lots);
    out.lots = lots;
}

/// Gives back the memory of lots.
fn free(c: &mut Context<'_>, lots: &mut Vec<Lot>) {
    for lot in lots.drain(..) {
        if let Kind::Sites(sites) | Kind::Each(sites, _) = lot.kind {
            c.free(sites);
        }
    }
}
