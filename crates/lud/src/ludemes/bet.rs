//! `(move Bet …)` and `(bet …)`: what a player stakes.

use super::prelude::*;
use crate::engine::parts::Bounds;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move Bet (player | roleType) range [then]",
        "Stake an amount of the range.",
        "(move Bet P1 (range 0 5))",
        |args| read(args, true),
    ),
    effect(
        "bet (player | roleType) range [then]",
        "The player stakes an amount of the range.",
        "(bet P1 (range 0 5))",
        |args| read(args, false),
    ),
];

fn read(args: &mut Args<'_, '_, '_>, decision: bool) -> Result<Generator> {
    let player = args.player(&["player", "roleType"])?;
    Ok(Box::new(Bet { player, range: args.range("range")?, decision }))
}

/// Stakes are no further apart.
const MOST: i32 = 10_000;

node! {
    /// A stake: one move for each amount.
    struct Bet = "bet", writes SCORES { player: Int, range: Bounds, decision: bool }
}

impl Generate for Bet {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let player = self.player.player(c);
        let (least, most) = self.range.range(c, 0);
        let at = c.rules.layout.amount(player) as u16;
        for amount in least..=most.min(least.saturating_add(MOST)) {
            let kind = if self.decision { Kind::Bet } else { Kind::Effect };
            let head = out.push(player, kind, OFF, OFF, Action::Number(at, amount));
            // The player tells stakes apart that are made at the same time.
            (head.extra, head.level) = (amount.max(0) as u16, player as i16);
        }
    }
}
