//! `(no Moves …)`: has a player no legal move?

use super::prelude::*;
use crate::engine::questions;

pub(super) const FORMS: &[Form] = &[condition(
    "no Moves roleType",
    "The player has no legal move. For the next player it is worked out; of all others it is known whether they had to \
     pass last time.",
    "(end (if (no Moves Next) (result Mover Win)))",
    |args| {
        Ok(match args.player(&["roleType"])? {
            Int::Next => Bool::of(NextIsStuck {}),
            player => Bool::of(WasStuck { player }),
        })
    },
).looks_ahead()];

node! {
    /// The next player has no move.
    struct NextIsStuck = "no Moves Next", reads CELLS | TURN | PLAYERS, writes PLAYERS {}
}

impl Condition for NextIsStuck {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let next = c.state.s.next;
        let stuck = questions::stuck(c, next);
        let (bit, known) = (1 << next, &mut c.state.s.stuck);
        *known = if stuck { *known | bit } else { *known & !bit };
        stuck
    }
}

node! {
    /// A player had to pass last time.
    struct WasStuck = "no Moves", reads PLAYERS { player: Int }
}

impl Condition for WasStuck {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let player = self.player.get(c);
        (0..32).contains(&player) && c.state.s.stuck >> player & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::played;

    #[test]
    fn a_player_without_moves_may_have_lost() {
        let end = "(if (no Moves Next) (result Mover Win))";
        let one = played("", "(move Add (to (sites {0}) if:(is Empty (to))))", end, 1);
        assert!(one.s.over && one.rank[1] == 1.0);
        let two = played("", "(move Add (to (sites {0 1}) if:(is Empty (to))))", end, 1);
        assert!(!two.s.over);
    }
}
