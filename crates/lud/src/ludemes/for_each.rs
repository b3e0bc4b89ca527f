//! `(forEach Site …)`, `(forEach Player …)`, `(forEach Value …)`, `(forEach (players …) …)`: moves for each of something.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    effect(
        "forEach Site region moves [noMoveYet:moves] [then]",
        "The moves for each `(site)` of the region, or, if there are none, other moves.",
        "(forEach Site (sites Empty) (move Add (to (site))))",
        sites,
    )
    .joins()
    .then(ThenOf::Own),
    effect(
        "forEach Value ints moves [then]",
        "The moves for each `(value)` of the list.",
        "(forEach Value (values Remembered) (remove (value)))",
        |args| {
            Ok(Box::new(ForEachListed {
                list: args.ints("ints")?,
                players: false,
                moves: args.moves("moves")?,
            }))
        },
    )
    .joins(),
    effect(
        "forEach Value min:int max:int moves [then]",
        "The moves for each `(value)` of a range.",
        "(forEach Value min:1 max:3 (move (from) (to) count:(value)))",
        |args| {
            let (min, max) = (args.int("min")?, args.int("max")?);
            Ok(Box::new(ForEachValue { min, max, moves: args.moves("moves")? }))
        },
    )
    .joins(),
    effect(
        "forEach Team moves [then]",
        "The moves for each team, whose players are `(team)`.",
        "(forEach Team (forEach (team) (addScore (player (player)) 1)))",
        |args| Ok(Box::new(ForEachTeam { moves: args.moves("moves")? })),
    )
    .needs(Parts::TEAMS)
    .joins(),
    effect(
        "forEach Player moves [then]",
        "The moves for each `(player)`.",
        "(forEach Player (addScore (player (player)) 1))",
        |args| Ok(Box::new(ForEachPlayer { moves: args.moves("moves")? })),
    )
    .joins(),
    effect(
        "forEach ints moves [then]",
        "The moves for each `(player)` of the list.",
        "(forEach (players Enemy) (addScore (player (player)) 1))",
        |args| {
            Ok(Box::new(ForEachListed {
                list: args.ints("ints")?,
                players: true,
                moves: args.moves("moves")?,
            }))
        },
    )
    .joins(),
];

fn sites(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (region, moves) = (args.region("region")?, args.moves("moves")?);
    let otherwise = args.try_moves("noMoveYet")?;
    let single = moves.is_single();
    let each = Box::new(ForEachSite { region, sites: args.lower.trial(OneSite { moves, single }) });
    // Only the moves of the sites have the consequence.
    let each = args.lower.with_then(args.ludeme, each, ThenOf::Shared)?;
    Ok(match otherwise {
        Some(otherwise) => Box::new(OrElse { each, otherwise }),
        None => each,
    })
}

node! {
    /// Moves for each site.
    struct ForEachSite = "forEach Site" { region: Region, sites: Trial }
}

impl Generate for ForEachSite {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let at = c.at;
        self.sites.each(c, &self.region, at, out);
    }
}

node! {
    /// Moves, or others if there are none.
    struct OrElse = "noMoveYet" { each: Generator, otherwise: Generator }
}

impl Generate for OrElse {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (first, lazy) = (out.len(), std::mem::take(&mut out.lazy));
        self.each.generate(c, out);
        out.lazy = lazy;
        if out.len() == first {
            self.otherwise.generate(c, out);
        }
    }
}

node! {
    /// The moves of a site.
    struct OneSite = "site" { moves: Generator, single: bool }
}

impl Candidates for OneSite {
    fn most(&self) -> Most {
        Most::all(u32::from(self.single))
    }

    fn attempt(&self, c: &mut Context<'_>, _: Registers, number: u32, out: &mut Moves) {
        // Sites of a region are tried with the iterators as they are.
        c.with_site(number as i32, |c| self.moves.generate(c, out));
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        self.attempt(c, at, at.site as u32, out);
    }
}

node! {
    /// Moves for each player.
    struct ForEachPlayer = "forEach Player" { moves: Generator }
}

impl Generate for ForEachPlayer {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        for player in 1..=c.equipment.players as i32 {
            c.with(Registers { player, ..c.at }, |c| self.moves.generate(c, out));
        }
    }
}

node! {
    /// Moves for each value, or each player, of a list.
    struct ForEachListed = "forEach" { list: Ints, players: bool, moves: Generator }
}

impl Generate for ForEachListed {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.list.of(c, |c, list| {
            for &number in &*list {
                let at = match self.players {
                    true => Registers { player: number, ..c.at },
                    false => Registers { value: number, ..c.at },
                };
                c.with(at, |c| self.moves.generate(c, out));
            }
        });
    }
}

/// The most values of a range.
pub(super) const MOST_VALUES: i32 = 10_000;

node! {
    /// Moves for each value of a range.
    struct ForEachValue = "forEach Value" { min: Int, max: Int, moves: Generator }
}

impl Generate for ForEachValue {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (min, max) = (self.min.get(c), self.max.get(c));
        for value in min..=max.min(min.saturating_add(MOST_VALUES)) {
            c.with(Registers { value, ..c.at }, |c| self.moves.generate(c, out));
            if out.full() {
                break;
            }
        }
    }
}

node! {
    /// The moves for each team.
    pub(super) struct ForEachTeam = "forEach Team", reads TEAMS { pub(super) moves: Generator }
}

impl Generate for ForEachTeam {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        c.each_team(|c| self.moves.generate(c, out));
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn levels_of_a_stack_are_numbers() {
        let start = "(place Stack items:{\"Disc1\" \"Disc2\" \"Disc1\"} 4)";
        let levels = |more: &str| sites(start, &format!("(forEach Level at:4 {more})"));
        assert_eq!(levels(""), [0, 1, 2]);
        assert_eq!(levels("if:(= 1 (who at:4 level:(level)))"), [0, 2]);
        assert_eq!(levels("FromBottom startAt:1"), [1, 2]);
        assert_eq!(levels("FromTop startAt:1"), [0, 1]);
    }
}
