//! `(is Mover …)`, `(is Next …)`, `(is Prev …)`, `(is Friend …)`, `(is Enemy …)`, `(is Active …)`: who is a player?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isPlayerType=Mover (int | roleType)",
        "The player moves now.",
        "(is Mover P1)",
        |args| side(args, Side::Mover),
    ),
    condition(
        "is isPlayerType=Next (int | roleType)",
        "The player moves next.",
        "(is Next P1)",
        |args| side(args, Side::Next),
    ),
    condition(
        "is isPlayerType=Prev (int | roleType)",
        "The player moved before.",
        "(is Prev P1)",
        |args| side(args, Side::Prev),
    ),
    condition(
        "is isPlayerType=Friend (int | roleType)",
        "The player is on the mover's side.",
        "(to if:(is Friend (who at:(to))))",
        |args| side(args, Side::Friend),
    ),
    condition(
        "is isPlayerType=Enemy (int | roleType)",
        "The player is on another side than the mover.",
        "(to if:(is Enemy (who at:(to))))",
        |args| side(args, Side::Enemy),
    ),
    condition(
        "is isPlayerType=Active (int | roleType)",
        "The player is still in the game.",
        "(is Active P3)",
        active,
    ),
];

fn side(args: &mut Args<'_, '_, '_>, side: Side) -> Result<Bool> {
    let player = args.player(&["int", "roleType"])?;
    let plain = Place::of_owner(&player).is_none();
    Ok(Bool::of(IsSide { side, player, plain }))
}

fn active(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    Ok(Bool::of(IsActive { player: args.player(&["int", "roleType"])? }))
}

/// How a player stands to the one who moves.
#[derive(Clone, Copy)]
enum Side {
    Mover,
    Next,
    Prev,
    Friend,
    Enemy,
}

/// A player stands so to the mover.
struct IsSide {
    side: Side,
    player: Int,
    /// Is the number something else than the owner of a piece? Then numbers beyond the last player are enemies, too
    /// (decided by Rolit with two players, ply 0: the colours 3 and 4 are those of nobody).
    plain: bool,
}

impl Side {
    fn owners(self) -> Owners {
        match self {
            Side::Mover => Owners::Mover,
            Side::Next => Owners::Next,
            Side::Prev => Owners::Prev,
            Side::Friend => Owners::Friends,
            Side::Enemy => Owners::Enemies,
        }
    }
}

impl Node for IsSide {
    fn name(&self) -> &'static str {
        match self.side {
            Side::Mover => "is Mover",
            Side::Next => "is Next",
            Side::Prev => "is Prev",
            Side::Friend => "is Friend",
            Side::Enemy => "is Enemy",
        }
    }

    fn reads(&self) -> Parts {
        self.side.owners().reads()
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("player", &self.player);
    }
}

impl Condition for IsSide {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let player = self.player.get(c);
        let s = &c.state.s;
        match self.side {
            Side::Mover => player == s.mover as i32,
            Side::Next => player == s.next as i32,
            Side::Prev => player == s.prev as i32,
            Side::Friend => player > 0 && c.friends(player as usize, s.mover),
            Side::Enemy => {
                player > 0
                    && (self.plain || player as usize <= c.equipment.players)
                    && !c.friends(player as usize, s.mover)
            }
        }
    }

    fn owners(&self) -> Option<(Owners, Place)> {
        Some((self.side.owners(), Place::of_owner(&self.player)?))
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
