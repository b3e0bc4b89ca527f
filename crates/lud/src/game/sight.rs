//! Hidden information: which sites a player sees, and the percepts of a step.

use std::hash::{Hash, Hasher};

use ludex_core::{Game, Player, Turn};

use super::LudGame;
use super::desk::{DESK, LISTS, Position};
use crate::engine::State;
use crate::engine::state::Cell;

/// Is something of a site hidden from a player: that anything is there (`whole`), or what it is?
pub(crate) fn hides(state: &State, words: usize, player: usize, site: usize, whole: bool) -> bool {
    let part = if whole { state.hidden.len() / 2 } else { 0 };
    let word = state.hidden.get(part + words * player + (site >> 6));
    word.is_some_and(|word| word >> (site & 63) & 1 == 1)
}

pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl LudGame {
    /// A site as a player sees it.
    fn site_seen(&self, state: &State, player: usize, site: usize) -> u64 {
        if hides(state, self.lud.rules.layout.words, player, site, true) {
            return hash_of(&(
                Some(Cell::default()),
                state.under.get(site).map(|_| Vec::<Cell>::new()),
            )) >> 16;
        }
        if hides(state, self.lud.rules.layout.words, player, site, false) {
            return u64::MAX;
        }
        hash_of(&(state.cells.get(site), state.under.get(site))) >> 16
    }

    /// Appends the percepts of a player after a step.
    pub(super) fn noticed_by(
        &self,
        before: &Position,
        after: &Position,
        player: Player,
        out: &mut Vec<u64>,
    ) {
        // Every site that looks different to the player. During the setup players see nothing; after it they see all sites that
        // are not hidden from them.
        let laid = before.state.s.opening > 0 && after.state.s.opening == 0;
        let sites = if after.state.s.opening > 0 { 0 } else { after.state.cells.len() };
        let me = self.seat(&after.state, player.index() + 1) + 1;
        for site in 0..sites {
            let (was, is) =
                (self.site_seen(&before.state, me, site), self.site_seen(&after.state, me, site));
            if laid || was != is {
                out.push((site as u64) << 48 | is & 0xFFFF_FFFF_FFFF);
            }
        }
        // The player to move, where that changed, and this player's legal moves: they may follow from hidden facts.
        let status = |p: &Position| (p.state.s.mover as u64) << 8 | u64::from(p.state.s.over);
        if laid || status(before) != status(after) {
            out.push(1 << 63 | status(after));
        }
        if self.turn(after) == Turn::One(player) {
            DESK.with_borrow_mut(|desk| {
                if desk.list(&self.lud, after) {
                    let list = &desk.lists[(after.stamp as usize) % LISTS];
                    out.push(1 << 62 | hash_of(&list.codes) >> 2);
                }
            });
        }
    }
}
