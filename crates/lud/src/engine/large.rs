//! Large pieces: pieces that lie on several sites. A piece stands on one of them; the others are covered, and not empty.

use super::equipment::Equipment;
use super::leap::{Turn, walk};
use super::rules::Rules;
use super::state::{Cell, State};

/// By kind of piece, local state and site: the other sites that the piece covers; `None` where it does not fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Large {
    covers: Vec<Vec<Vec<Option<Vec<u32>>>>>,
}

impl Equipment {
    /// Works out what large pieces cover. A local state is a walk and the direction in which it begins.
    pub(super) fn measure_large(&mut self) {
        if self.components.iter().all(|kind| kind.walks.is_empty()) {
            return;
        }
        let covers = self.components.iter().map(|kind| self.covers(&kind.walks)).collect();
        self.large = Some(Large { covers });
    }

    fn covers(&self, walks: &[Vec<Turn>]) -> Vec<Vec<Option<Vec<u32>>>> {
        let bearings = &self.directions.orthogonal;
        let sites = self.elements().len();
        let mut states = Vec::new();
        for steps in walks {
            for bearing in bearings {
                states.push((0..sites).map(|site| self.covered(site, steps, *bearing)).collect());
            }
        }
        states
    }

    /// The sites of a walk that begins in a direction, without the first.
    fn covered(&self, site: usize, steps: &[Turn], bearing: f64) -> Option<Vec<u32>> {
        let prefixes = (1..=steps.len()).filter(|&n| steps[n - 1] == Turn::Forward);
        let at = |n: usize| walk(self, site, &steps[..n]).into_iter().find(|end| end.0 == bearing);
        let mut sites: Vec<u32> =
            prefixes.map(|n| at(n).map(|end| end.1)).collect::<Option<_>>()?;
        sites.retain(|&other| other as usize != site);
        sites.sort_unstable();
        sites.dedup();
        Some(sites)
    }
}

impl Large {
    /// The sites that a piece covers besides its own. Nothing for pieces of one site.
    pub(crate) fn cover(&self, site: usize, what: u16, state: i16) -> &[u32] {
        self.place(site, what, state).unwrap_or_default()
    }

    fn place(&self, site: usize, what: u16, state: i16) -> Option<&[u32]> {
        let states = self.covers.get(usize::from(what))?;
        states.get(usize::try_from(state).ok()?)?.get(site)?.as_deref()
    }

    /// Does a piece fit on a site and the sites that it covers there?
    pub(crate) fn fits(
        &self,
        rules: &Rules,
        state: &State,
        site: i32,
        what: u16,
        local: i16,
    ) -> bool {
        let small = self.covers.get(usize::from(what)).is_none_or(Vec::is_empty);
        let empty = |site: i32| super::sites::contains(state.empty(rules.layout), site);
        small
            || usize::try_from(site)
                .ok()
                .and_then(|site| self.place(site, what, local))
                .is_some_and(|others| {
                    empty(site) && others.iter().all(|&other| empty(other as i32))
                })
    }

    /// The number of local states of a large piece; none for pieces of one site.
    pub(crate) fn states(&self, what: u16) -> i16 {
        self.covers.get(usize::from(what)).map_or(0, |states| states.len().min(1024) as i16)
    }

    /// Can a large piece go from a site to others, all of which must be free but for itself? `allows` says which sites it may lie on.
    pub(crate) fn may_lie(
        &self,
        (rules, state): (&Rules, &State),
        from: i32,
        (to, what, local): (i32, u16, i16),
        allows: impl Fn(i32) -> bool,
    ) -> bool {
        let cell = state.cell(from);
        let own = usize::try_from(from).map_or(&[][..], |at| self.cover(at, cell.what, cell.state));
        let free = |site: i32| {
            let empty = super::sites::contains(state.empty(rules.layout), site);
            (empty || site == from || own.contains(&(site.max(0) as u32))) && allows(site)
        };
        let covered = usize::try_from(to).ok().and_then(|to| self.place(to, what, local));
        covered.is_some_and(|covered| free(to) && covered.iter().all(|&site| free(site as i32)))
    }

    /// Keeps the bits of empty sites right where a piece takes the place of another.
    pub(crate) fn replace(&self, state: &mut State, site: usize, before: Cell, after: Cell) {
        for &other in self.cover(site, before.what, before.state) {
            if state.cells.get(other as usize).is_some_and(|cell| cell.what == 0) {
                state.bits[other as usize >> 6] |= 1 << (other & 63);
            }
        }
        for &other in self.cover(site, after.what, after.state) {
            state.bits[other as usize >> 6] &= !(1 << (other & 63));
        }
    }
}
