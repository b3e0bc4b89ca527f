//! `(players …)`: the numbers of some players.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    list(
        "players playersTeamType [If:boolean]",
        "The players of a team for whom the condition holds.",
        "(forEach (players Team1) (addScore (player (player)) 1))",
        |args| {
            let team = args.value("playersTeamType")?;
            let who = args.lower.roles(team, args.ludeme)?;
            Ok(Ints::of_node(Listed { who, condition: args.try_bool("if")? }))
        },
    ),
    list(
        "players playersManyType=All [of:int] [If:boolean]",
        "All players for whom the condition holds.",
        "(players All if:(> (score Player) 3))",
        |args| many(args, Side::All),
    ),
    list(
        "players playersManyType=NonMover [of:int] [If:boolean]",
        "All other players for whom the condition holds.",
        "(players NonMover)",
        |args| many(args, Side::Others),
    ),
    list(
        "players playersManyType=Enemy [of:int] [If:boolean]",
        "The enemies for whom the condition holds.",
        "(players Enemy)",
        |args| many(args, Side::Enemies),
    ),
    list(
        "players playersManyType=Friend [of:int] [If:boolean]",
        "The players of the same side for whom the condition holds.",
        "(players Friend)",
        |args| many(args, Side::Friends),
    ),
    list(
        "players playersManyType=Ally [of:int] [If:boolean]",
        "The other players of the same side for whom the condition holds.",
        "(players Ally)",
        |args| many(args, Side::Allies),
    ),
];

/// How players stand to another one.
#[derive(Clone, Copy)]
enum Side {
    All,
    Others,
    Enemies,
    Friends,
    Allies,
}

fn many(args: &mut Args<'_, '_, '_>, side: Side) -> Result<Ints> {
    let (of, condition) = (args.try_int("of")?, args.try_bool("if")?);
    let who = Who::of(Around { side: Table(side), of: of.unwrap_or(Int::Mover) });
    Ok(Ints::of_node(Listed { who, condition }))
}

node! {
    /// The players who stand so to another.
    struct Around = "players", reads TEAMS { side: Table<Side>, of: Int }
}

impl Players for Around {
    fn bits(&self, c: &mut Context<'_>) -> u32 {
        let of = self.of.player(c);
        let fits = |&player: &usize| match *self.side {
            Side::All => true,
            Side::Others => player != of,
            Side::Enemies => !c.friends(player, of),
            Side::Friends => c.friends(player, of),
            Side::Allies => player != of && c.friends(player, of),
        };
        (1..=c.equipment.players).filter(fits).fold(0, |bits, player| bits | 1 << player)
    }
}

node! {
    /// The players for whom a condition holds.
    struct Listed = "players" { who: Who, condition: Option<Bool> }
}

impl NumberList for Listed {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        let (who, players) = (self.who.get(c), c.equipment.players);
        for player in ones(who).filter(|&player| player >= 1 && player <= players) {
            let player = player as i32;
            let at = Registers { player, ..c.at };
            if self.condition.as_ref().is_none_or(|condition| condition.holds_at(c, at)) {
                out.push(player);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn who_is_whose_friend_depends_on_whom_one_asks() {
        let whose = |who: &str| {
            let region = format!("(forEach (players {who}) (sites Occupied by:Player))");
            sites("(place \"Disc1\" 3) (place \"Disc2\" 5)", &region)
        };
        assert_eq!(whose("Enemy of:2"), [3]);
        assert_eq!(whose("Friend of:2"), [5]);
        assert!(whose("Ally of:2").is_empty());
        assert_eq!(whose("NonMover"), [5]);
    }
}
