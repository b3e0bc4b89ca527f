//! Bounds of payoffs: score-bounded Monte Carlo tree search (Cazenave and Saffidine 2010,
//! "Score Bounded Monte-Carlo Tree Search", section 3).
//!
//! Each slot has a pessimistic and an optimistic bound of the first player's payoff, so this is
//! for games of one player, or of two with a constant sum. The bounds of a node follow from its
//! children's (section 3.2); where they meet, the slot is proven (here the plain solver, which
//! knows exact values only, needs all children, the bounds don't); and a child whose optimistic
//! bound is no better than what its parent is sure of is cut (section 3.3). The bias of section 3.4
//! is not used.

use super::{CUT, Id, Kind, Tree};

/// Lower and upper bound of the first player's payoff.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    low: f32,
    high: f32,
}

impl Bounds {
    pub(super) const OPEN: Bounds = Bounds { low: 0.0, high: 1.0 };

    /// Bounds closer than this have met; probabilities of chance are not exact.
    const MET: f32 = 1e-6;

    fn met(self) -> bool {
        self.high - self.low <= Self::MET
    }

    /// The bounds as the other of two players sees them.
    fn turned(self) -> Bounds {
        Bounds { low: 1.0 - self.high, high: 1.0 - self.low }
    }

    fn seen_by(self, player: usize) -> Bounds {
        if player == 0 { self } else { self.turned() }
    }
}

impl Tree {
    /// Are bounds kept?
    #[inline]
    pub fn bounded(&self) -> bool {
        self.bounds.is_some()
    }

    /// `id` is worth these payoffs. Where they show that the sum is not constant after all, there
    /// are no bounds any more.
    pub(super) fn close(&mut self, id: Id, payoffs: &[f32]) {
        let fits = match payoffs {
            [_] => true,
            [first, second] => (first + second - 1.0).abs() < 1e-4,
            _ => false,
        };
        match (&mut self.bounds, payoffs) {
            (Some(bounds), [first, ..]) if fits => {
                bounds[id as usize] = Bounds { low: *first, high: *first };
            }
            _ => self.bounds = None,
        }
    }

    /// Draws the bounds of `id` from those of its children: proves it (`chooser` chooses it)
    /// where they meet, cuts children that are not wanted. Returns whether anything changed.
    pub fn tighten(&mut self, id: Id, chooser: usize) -> bool {
        let family = self.family(id);
        let Some(bounds) = &self.bounds else { return false };
        if family.is_none() || self.proven(id) {
            return false;
        }
        let mover = family.mover() as usize;
        let children = family.ids().map(|child| bounds[child as usize]);
        let best = match family.kind() {
            Kind::One => children.map(|b| b.seen_by(mover)).fold(
                Bounds { low: 0.0, high: 0.0 },
                |best, b| Bounds { low: best.low.max(b.low), high: best.high.max(b.high) },
            ),
            Kind::Chance => family.ids().zip(children).fold(
                Bounds { low: 0.0, high: 0.0 },
                |sum, (child, b)| {
                    let chance = self.chance(child);
                    Bounds { low: sum.low + chance * b.low, high: sum.high + chance * b.high }
                },
            ),
            // A mixed strategy may be worth anything between.
            Kind::Joint => return false,
        };
        let one = family.kind() == Kind::One;
        let found = if one { best.seen_by(mover) } else { best };
        let before = bounds[id as usize];
        if one {
            for child in family.ids() {
                let open = self.links[child as usize].proof == super::NONE;
                let known = self.bounds.as_ref().map(|b| b[child as usize].seen_by(mover));
                if open && known.is_some_and(|known| known.high <= best.low) {
                    self.links[child as usize].proof = CUT;
                    let (block, lane) = self.block_mut(child);
                    (block.mean[lane], block.urge[lane]) = (0.0, 0.0);
                }
            }
        }
        if found == before {
            return false;
        }
        if let Some(bounds) = &mut self.bounds {
            bounds[id as usize] = found;
        }
        if found.met() {
            let payoffs = [found.low, 1.0 - found.low];
            self.prove(id, chooser, &payoffs[..self.seats.min(2)]);
        }
        true
    }
}
