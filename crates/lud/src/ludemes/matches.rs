//! `(match …)`, `(games …)`, `(subgame …)`: several games one after the other; `(matchScore …)` and `(count Trials)`.

use super::part;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    part(
        "games",
        "games (subgame | {subgame})",
        "The games of a match, in order.",
        "(games {(subgame \"Hex\") (subgame \"Reversi\")})",
    ),
    part(
        "match",
        "match string [players] games end",
        "A match of several games.",
        "(match \"Both\" (players 2) (games {(subgame \"Hex\") (subgame \"Reversi\")}) (end (if (= (count Trials) 2) (result P1 Draw))))",
    ),
    part(
        "subgame",
        "subgame string [string] [next:int] [result:int]",
        "A game of a match, its option, the number of the game that follows, and what the winner gains.",
        "(subgame \"Hex\" next:1 result:2)",
    ),
    number(
        "matchScore roleType",
        "What the player has won in the match.",
        "(> (matchScore P1) 2)",
        |args| Ok(Int::of(MatchScore { player: args.player(&["roleType"])? })),
    ),
    number(
        "count countSimpleType=Trials [siteType]",
        "The number of games of the match that are over.",
        "(= (count Trials) 3)",
        |_| Ok(Int::of(Trials {})),
    )
    .siteless(),
];

node! {
    /// The score of a player in a match.
    struct MatchScore = "matchScore" { player: Int }
}

impl Number for MatchScore {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let player = self.player.player(c);
        c.state.won.get(player).copied().unwrap_or(0)
    }
}

node! {
    /// The games of a match that are over.
    struct Trials = "count Trials" {}
}

impl Number for Trials {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.s.trials as i32
    }
}
