//! What a ludeme sees while it is evaluated.

use super::equipment::{Component, Equipment};
use super::rules::Rules;
use super::state::{OFF, State};

/// The values of iterators such as `(from)` and `(to)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// `(from)`.
    pub from: i32,
    /// `(to)`.
    pub to: i32,
    /// `(between)`.
    pub between: i32,
    /// `(site)`.
    pub site: i32,
    /// `(player)`.
    pub player: i32,
    /// `(value)`.
    pub value: i32,
}

impl Registers {
    /// Nothing set.
    pub const NONE: Registers =
        Registers { from: OFF, to: OFF, between: OFF, site: OFF, player: OFF, value: OFF };
}

/// A state, the rules that apply to it, and the iterators.
#[derive(Clone)]
pub struct Context<'a> {
    /// What lies on the table.
    pub equipment: &'a Equipment,
    /// The rules.
    pub rules: &'a Rules,
    /// The state.
    pub state: State,
    /// The iterators.
    pub at: Registers,
    /// How deep one question for moves is inside another.
    pub depth: u8,
}

impl Context<'_> {
    /// The component on a site; 0 for none, or for a site that is none.
    pub fn what(&self, site: i32) -> usize {
        usize::try_from(site).ok().and_then(|s| self.state.what.get(s)).map_or(0, |&w| w.into())
    }

    /// The owner of what is on a site; 0 for nobody.
    pub fn who(&self, site: i32) -> usize {
        self.component(site).owner
    }

    /// The kind of piece on a site; that of nothing where there is none.
    pub fn component(&self, site: i32) -> &Component {
        let all = &self.equipment.components;
        all.get(self.what(site)).unwrap_or(&all[0])
    }

    /// Is a site of the game, and nothing on it?
    pub fn is_empty(&self, site: i32) -> bool {
        usize::try_from(site).is_ok_and(|s| self.state.what.get(s) == Some(&0))
    }

    /// Where the piece on a site looks.
    pub fn facing(&self, site: i32) -> f64 {
        let component = self.component(site);
        let owner = if component.owner == 0 { self.state.mover } else { component.owner };
        let of_player = self.equipment.facing.get(owner).copied().unwrap_or(0.0);
        component.facing.unwrap_or(of_player)
    }

    /// Evaluates with other iterators, which are put back afterwards.
    pub fn with<T>(&mut self, at: Registers, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.at, at);
        let result = f(self);
        self.at = before;
        result
    }
}
