//! `(trigger …)` and `(is Triggered …)`: events that happen to players.

use super::prelude::*;

// The name of an event does not matter (decided by the end of Shatranj al-Mustatila, which asks for another name).
pub(super) const FORMS: &[Form] = &[
    condition(
        "is Triggered string (int | roleType)",
        "The event has happened to the player.",
        "(is Triggered \"Lost\" Next)",
        |args| {
            args.take("string");
            Ok(Bool::of(IsTriggered { player: args.player(&["int", "roleType"])? }))
        },
    ),
    effect(
        "trigger string (int | roleType) [then]",
        "The event happens to the player.",
        "(trigger \"Lost\" Next)",
        |args| {
            args.take("string");
            Ok(Box::new(Trigger { player: args.player(&["int", "roleType"])? }))
        },
    ),
];

node! {
    /// Something has happened to a player.
    struct IsTriggered = "is Triggered", reads BALLOTS { player: Int }
}

impl Condition for IsTriggered {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let player = self.player.get(c);
        (0..32).contains(&player) && c.state.s.triggered >> player & 1 == 1
    }
}

node! {
    /// Something happens to a player.
    struct Trigger = "trigger", writes BALLOTS { player: Int }
}

impl Generate for Trigger {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let player = self.player.player(c) as u16;
        out.effect(Action::Trigger(player));
    }

    fn is_narrow(&self) -> bool {
        true
    }
}
