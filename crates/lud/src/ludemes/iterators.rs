//! `(from)`, `(to)`, `(between)`, `(site)`, `(level)`, `(pips)`, `(player)`, `(track)`, `(value)`: the values that other
//! ludemes go through.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number(
        "between",
        "The site between origin and end that is looked at.",
        "(between if:(is Enemy (who at:(between))))",
        |_| Ok(Int::Between),
    )
    .iterator(Iterators::BETWEEN),
    number(
        "from [at:whenType]",
        "The origin of the move, or of the first move of this turn.",
        "(is Empty (from))",
        |args| {
            Ok(match args.word("at") {
                None => Int::From,
                Some("StartOfTurn") => Int::of(FirstFrom {}),
                Some(_) => return Err(args.unsupported()),
            })
        },
    )
    .iterator(Iterators::FROM),
    number("level", "The level of a stack that is looked at.", "(level)", |_| {
        Ok(Int::of(Level {}))
    }),
    number(
        "pips",
        "What the dice show that are looked at.",
        "(trackSite Move steps:(pips))",
        |_| Ok(Int::of(Pips {})),
    ),
    number(
        "player",
        "The player that is looked at.",
        "(forEach Player (addScore (player (player)) 1))",
        |_| Ok(Int::of(PlayerNow {})),
    ),
    number(
        "site",
        "The site that is looked at.",
        "(forEach (sites Board) if:(is Empty (site)))",
        |_| Ok(Int::Site),
    )
    .iterator(Iterators::SITE),
    number("to", "The end of the move.", "(to if:(is Empty (to)))", |_| Ok(Int::To))
        .iterator(Iterators::TO),
    number("track", "The track that is looked at.", "(track)", |_| Ok(Int::of(TrackNow {}))),
    number(
        "value",
        "The value that is looked at.",
        "(forEach Value min:1 max:3 (addScore Mover (value)))",
        |_| Ok(Int::of(ValueNow {})),
    ),
];

node! {
    /// The origin of the first move of this turn.
    struct FirstFrom = "from", reads VISITED {}
}

impl Number for FirstFrom {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.visited.first().copied().unwrap_or(c.at.from)
    }
}

macro_rules! iterator {
    ($($(#[$meta:meta])* $name:ident $text:literal $field:ident)*) => {$(
        node! {
            $(#[$meta])*
            struct $name = $text {}
        }

        impl Number for $name {
            fn get(&self, c: &mut Context<'_>) -> i32 {
                c.at.$field
            }
        }
    )*};
}

iterator! {
    /// The level.
    Level "level" level
    /// The pips.
    Pips "pips" pips
    /// The player.
    PlayerNow "player" player
    /// The track.
    TrackNow "track" track
    /// The value.
    ValueNow "value" value
}

/// The player that is looked at.
pub(crate) fn player() -> Int {
    Int::of(PlayerNow {})
}
