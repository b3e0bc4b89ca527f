//! `(move Swap …)` and `(swap …)`: players who change sides, pieces that change places.

use super::last::last_from;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Swap Players (int | roleType) (int | roleType) [then]",
        "Change sides with the other player.",
        "(move Swap Players P1 P2)",
        players,
    ),
    decision(
        "move Swap Pieces [int] [int] [then]",
        "Let two pieces change places: those of the last move where the sites are left out.",
        "(move Swap Pieces)",
        pieces,
    ),
    effect(
        "swap Pieces [int] [int] [then]",
        "Two pieces change places.",
        "(swap Pieces (last From) (last To))",
        pieces,
    ),
    effect(
        "swap Players (int | roleType) (int | roleType) [then]",
        "Two players change sides.",
        "(swap Players P1 P2)",
        players,
    )
    .refuses("more than two players: no record tells who sits where then"),
];

fn players(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (a, b) = (args.player(&["int", "roleType"])?, args.player(&["int", "roleType"])?);
    if args.lower.equipment.players != 2 {
        return Err(args.unsupported());
    }
    Ok(Box::new(SwapPlayers { a, b }))
}

node! {
    /// Two players change sides, and the mover moves on.
    struct SwapPlayers = "swap Players", reads TURN, writes TURN | PLAYERS { a: Int, b: Int }
}

impl Generate for SwapPlayers {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (a, b) = (self.a.player(c) as u16, self.b.player(c) as u16);
        let (mover, first) = (c.state.s.mover, out.actions.len());
        out.actions.extend([Action::SwapPlayers(a, b), Action::Next(mover as u16)]);
        out.close(first, mover, Kind::Swap, OFF, OFF);
    }
}

fn pieces(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (a, b) = match (args.try_int("int")?, args.try_int("int")?) {
        (Some(a), Some(b)) => (a, b),
        (Some(a), None) => (a, Int::LastTo(args.lower.last())),
        (None, None) => {
            let last = args.lower.last();
            (last_from(last), Int::LastTo(last))
        }
        _ => return Err(args.unsupported()),
    };
    Ok(Box::new(SwapPieces { a, b }))
}

node! {
    /// Two pieces change places.
    struct SwapPieces = "swap Pieces", reads TURN, writes CELLS { a: Int, b: Int }
}

impl Generate for SwapPieces {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (a, b) = (self.a.get(c), self.b.get(c));
        if a >= 0 && b >= 0 {
            out.push(c.state.s.mover, Kind::Exchange, a, b, Action::Swap(a, b));
        }
    }
}
