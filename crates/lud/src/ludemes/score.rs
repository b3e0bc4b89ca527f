//! Numbers of players: `(score …)`, `(addScore …)`, `(set Score …)`, `(value Player …)`, `(set Value …)`, `(amount …)`.

use super::prelude::*;
use crate::engine::state::Layout;

pub(super) const FORMS: &[Form] = &[
    number(
        "score (player | roleType)",
        "The score of the player.",
        "(> (score Mover) 10)",
        |args| of_player(args, Account::Score),
    ),
    number(
        "amount (roleType | player)",
        "The amount that the player has to stake.",
        "(amount Mover)",
        |args| of_player(args, Account::Amount),
    ),
    number(
        "value Player (int | roleType)",
        "The value of the player.",
        "(value Player Mover)",
        |args| of_player(args, Account::Value),
    ),
    effect(
        "addScore (player | roleType) int [then]",
        "The player's score grows.",
        "(addScore Mover 1)",
        |args| {
            let who = args.who(&["player", "roleType"])?;
            Ok(Box::new(AddScore { scores: vec![(who, args.int("int")?)] }))
        },
    ),
    effect(
        "addScore ({int} | {roleType}) {int} [then]",
        "The scores of several players grow.",
        "(addScore {P1 P2} {1 2})",
        |args| {
            let who = args.take_any(&["{roleType}", "{int}"]).map_or(&[][..], Value::items);
            let who = who.iter().map(|value| args.lower.roles(value, args.ludeme));
            let who = who.collect::<Result<Vec<Who>>>()?;
            Ok(Box::new(AddScore {
                scores: who.into_iter().zip(args.int_items("{int}")?).collect(),
            }))
        },
    ),
    effect(
        "set setPlayerType=Score (player | roleType) int [then]",
        "The player's score becomes a number.",
        "(set Score Mover 0)",
        |args| set(args, Account::Score),
    ),
    effect(
        "set setPlayerType=Value (player | roleType) int [then]",
        "The player's value becomes a number.",
        "(set Value Mover 3)",
        |args| set(args, Account::Value),
    ),
];

/// A number that is kept for a player.
#[derive(Clone, Copy)]
pub(super) enum Account {
    Score,
    Value,
    Amount,
}

impl Account {
    pub(super) fn at(self, layout: Layout, player: usize) -> usize {
        match self {
            Account::Score => layout.score(player),
            Account::Value => layout.value(player),
            Account::Amount => layout.amount(player),
        }
    }
}

fn of_player(args: &mut Args<'_, '_, '_>, account: Account) -> Result<Int> {
    let player = args.player(&["player", "int", "roleType"])?;
    Ok(Int::of(OfPlayer { account: Table(account), player }))
}

node! {
    /// A number of a player.
    struct OfPlayer = "score", reads SCORES { account: Table<Account>, player: Int }
}

impl Number for OfPlayer {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let player = self.player.player(c);
        c.state.numbers[self.account.at(c.rules.layout, player)]
    }
}

node! {
    /// Scores grow.
    struct AddScore = "addScore", writes SCORES { scores: Vec<(Who, Int)> }
}

impl Generate for AddScore {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let layout = c.rules.layout;
        for (who, more) in &self.scores {
            let (who, more) = (who.get(c), more.get(c));
            for player in ones(who).filter(|&p| p >= 1 && p <= layout.players) {
                out.effect(Action::More(layout.score(player) as u16, more));
            }
        }
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

fn set(args: &mut Args<'_, '_, '_>, account: Account) -> Result<Generator> {
    let who = args.who(&["player", "roleType"])?;
    Ok(Box::new(SetAccount { account: Table(account), who, value: args.int("int")? }))
}

node! {
    /// A number of players becomes another.
    pub(super) struct SetAccount = "set Score", writes SCORES {
        account: Table<Account>,
        who: Who,
        value: Int,
    }
}

impl SetAccount {
    pub(super) fn new(account: Account, who: Who, value: Int) -> SetAccount {
        SetAccount { account: Table(account), who, value }
    }
}

impl Generate for SetAccount {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (who, value, layout) = (self.who.get(c), self.value.get(c), c.rules.layout);
        for player in ones(who).filter(|&p| p >= 1 && p <= layout.players) {
            out.effect(Action::Number(self.account.at(layout, player) as u16, value));
        }
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn points_are_added_to_the_score_of_a_player() {
        let add = |who: &str| {
            let known = format!("(if (= 3 (score {who})) (remove 0))");
            format!("(move Add (to (sites Empty)) (then (addScore Mover 3 (then {known}))))")
        };
        assert_eq!(after("(place \"Disc1\" 0)", &add("P1"), 8), "8:1");
        assert_eq!(after("(place \"Disc1\" 0)", &add("P2"), 8), "0:1 8:1");
    }
}
