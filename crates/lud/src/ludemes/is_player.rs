//! `(is Mover …)`, `(is Next …)`, `(is Prev …)`, `(is Friend …)`, `(is Enemy …)`, `(is Active …)`: who is a player?

use std::marker::PhantomData;

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isPlayerType=Mover (int | roleType)",
        "The player moves now.",
        "(is Mover P1)",
        side::<Mover>,
    ),
    condition(
        "is isPlayerType=Next (int | roleType)",
        "The player moves next.",
        "(is Next P1)",
        side::<Next>,
    ),
    condition(
        "is isPlayerType=Prev (int | roleType)",
        "The player moved before.",
        "(is Prev P1)",
        side::<Prev>,
    ),
    condition(
        "is isPlayerType=Friend (int | roleType)",
        "The player is on the mover's side.",
        "(to if:(is Friend (who at:(to))))",
        side::<Friend>,
    ),
    condition(
        "is isPlayerType=Enemy (int | roleType)",
        "The player is on another side than the mover.",
        "(to if:(is Enemy (who at:(to))))",
        side::<Enemy>,
    ),
    condition(
        "is isPlayerType=Active (int | roleType)",
        "The player is still in the game.",
        "(is Active P3)",
        active,
    ),
];

fn side<S: Side>(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let player = args.player(&["int", "roleType"])?;
    let plain = Place::of_owner(&player).is_none();
    Ok(Bool::of(IsSide { side: PhantomData::<S>, player, plain }))
}

fn active(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    Ok(Bool::of(IsActive { player: args.player(&["int", "roleType"])? }))
}

/// How a player stands to the one who moves. It is a type, so that nodes do not choose it again each time they are evaluated.
trait Side: Send + Sync + 'static {
    const NAME: &'static str;

    fn owners() -> Owners;

    /// Does a player stand so? See [`IsSide::plain`].
    fn holds(c: &Context<'_>, player: i32, plain: bool) -> bool;
}

/// Sides with their names and the owners of the pieces on that side.
macro_rules! sides {
    ($($side:ident $name:literal $owners:ident |$c:ident, $player:ident, $plain:pat_param| $holds:expr;)*) => {$(
        struct $side;

        impl Side for $side {
            const NAME: &'static str = $name;

            fn owners() -> Owners {
                Owners::$owners
            }

            #[inline]
            fn holds($c: &Context<'_>, $player: i32, $plain: bool) -> bool {
                $holds
            }
        }
    )*};
}

sides! {
    Mover "is Mover" Mover |c, player, _| player == c.state.s.mover as i32;
    Next "is Next" Next |c, player, _| player == c.state.s.next as i32;
    Prev "is Prev" Prev |c, player, _| player == c.state.s.prev as i32;
    Friend "is Friend" Friends |c, player, _| {
        player > 0 && c.friends(player as usize, c.state.s.mover)
    };
    Enemy "is Enemy" Enemies |c, player, plain| {
        player > 0
            && (plain || player as usize <= c.equipment.players)
            && !c.friends(player as usize, c.state.s.mover)
    };
}

/// A player stands so to the mover.
struct IsSide<S> {
    side: PhantomData<S>,
    player: Int,
    /// Is the number something else than the owner of a piece? Then numbers beyond the last player are enemies, too
    /// (decided by Rolit with two players, ply 0: the colours 3 and 4 are those of nobody).
    plain: bool,
}

impl<S: Side> Node for IsSide<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn reads(&self) -> Parts {
        S::owners().reads()
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("player", &self.player);
    }
}

impl<S: Side> Condition for IsSide<S> {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let player = self.player.get(c);
        S::holds(c, player, self.plain)
    }

    fn owners(&self) -> Option<(Owners, Place)> {
        Some((S::owners(), Place::of_owner(&self.player)?))
    }
}

node! {
    /// A player is still in the game.
    struct IsActive = "is Active", reads PLAYERS { player: Int }
}

impl Condition for IsActive {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let player = self.player.get(c);
        (0..32).contains(&player) && c.state.active(player as usize)
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn players_are_told_apart_by_the_turn_and_by_sides() {
        assert!(holds("", "(is Mover P1)") && !holds("", "(is Mover P2)"));
        assert!(holds("", "(is Next P2)") && !holds("", "(is Next P1)"));
        assert!(holds("", "(is Enemy P2)") && !holds("", "(is Enemy P1)"));
        assert!(holds("", "(is Friend P1)") && !holds("", "(is Friend P2)"));
        assert!(holds("", "(is Active P2)"));
    }
}
