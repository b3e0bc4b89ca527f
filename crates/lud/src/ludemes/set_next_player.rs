//! `(set NextPlayer …)`, `(set Team …)`, `(set Pending …)`, `(set Hidden …)`: the next player, the teams, pending
//! values, and hidden sites.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    decision("move Set NextPlayer (player | ints) [then]", "Choose who moves next.",
        "(move Set NextPlayer (players NonMover))", |args| next_players(args, true)),
    effect("set NextPlayer (player | ints) [then]", "The player moves next: of a list, the last.",
        "(set NextPlayer (player (mover)))", |args| next_players(args, false)),
    effect("set Team int {roleType} [then]", "The players play together.", "(set Team 1 {P1 P3})", team).needs(Parts::TEAMS),
    // A consequence of `(set Pending)` is ignored (decided by Cylinder Chess, ply 1 of its record).
    effect("set Pending ([int] | [region]) [then]", "A value, or the sites of a region, wait for the next move.",
        "(set Pending (sites Around (to)))", pending).then(ThenOf::Ignored),
    // Every part of a piece is hidden alike: the player knows only that a piece is there.
    effect("set Hidden ([hiddenData] | [{hiddenData}]) [siteType] (at:int | region) [level:int] [boolean] (to:player | To:roleType) [then]",
        "A part of the pieces on the sites is hidden from the players, or all that is there, or shown.",
        "(set Hidden What (sites Board) to:P1)", hidden).on_all_kinds().needs(Parts::HIDDEN),
];

fn next_players(args: &mut Args<'_, '_, '_>, decision: bool) -> Result<Generator> {
    if args.has("player") {
        return Ok(Box::new(SetNextPlayer { player: args.player(&["player"])?, decision }));
    }
    Ok(Box::new(ChooseNextPlayer { players: args.ints("ints")?, decision }))
}

node! {
    /// A player moves next.
    struct SetNextPlayer = "set NextPlayer", reads TURN, writes TURN { player: Int, decision: bool }
}

/// A move or an effect that says who is next.
fn next(c: &Context<'_>, player: i32, decision: bool, out: &mut Moves) {
    let player = player.clamp(0, 30) as u16;
    match decision {
        true => out.push(c.state.s.mover, Kind::Set, OFF, OFF, Action::Next(player)).extra = player,
        false => out.effect(Action::Next(player)),
    }
}

impl Generate for SetNextPlayer {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let player = self.player.get(c);
        next(c, player, self.decision, out);
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

node! {
    /// The mover chooses who moves next.
    struct ChooseNextPlayer = "move Set NextPlayer", reads TURN, writes TURN { players: Ints, decision: bool }
}

impl Generate for ChooseNextPlayer {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.players.of(c, |c, players| {
            players.iter().for_each(|&player| next(c, player, self.decision, out))
        });
    }
}

/// The players of a team, as a rule of the start or as an effect.
pub(super) fn team(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let team = args.int("int")?;
    let roles = args.take("{roleType}").map_or(&[][..], Value::items);
    let mut members = 0;
    for role in roles {
        let players = role.word().and_then(|role| args.lower.equipment.owners_of(role));
        for player in players.ok_or_else(|| args.unsupported())? {
            members |= 1u32 << player;
        }
    }
    Ok(Box::new(SetTeam { team, members: Who::Const(members) }))
}

node! {
    /// Players play together.
    struct SetTeam = "set Team", writes TEAMS { team: Int, members: Who }
}

impl Generate for SetTeam {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (team, members) = (self.team.get(c), self.members.get(c));
        for player in ones(members) {
            out.effect(Action::Number(c.rules.layout.team(player) as u16, team));
        }
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

fn pending(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    if let Some(region) = args.try_region(&["region"])? {
        return Ok(Box::new(SetPendingSites { region }));
    }
    Ok(Box::new(SetPending { value: args.int_or("int", 1)? }))
}

node! {
    /// A value waits.
    struct SetPending = "set Pending", writes PENDING { value: Int }
}

impl Generate for SetPending {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let value = self.value.get(c);
        out.effect(Action::Pending(value));
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

node! {
    /// Sites wait.
    struct SetPendingSites = "set Pending", writes PENDING { region: Region }
}

impl Generate for SetPendingSites {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.region.each(c, |_, site| {
            out.effect(Action::Pending(site));
            true
        });
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

/// Hiding, as a rule of the start or as an effect.
pub(super) fn hidden(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let part = args.take_any(&["hiddenData", "{hiddenData}"]);
    let region = args.one_region(&["at", "region"])?;
    let hidden = args.try_bool("boolean")?.unwrap_or(Bool::Const(true));
    // Levels of a stack are hidden together.
    args.take("level");
    Ok(Box::new(SetHidden { region, hidden, who: args.who(&["to"])?, whole: part.is_none() }))
}

node! {
    /// Sites are hidden from players, or shown.
    struct SetHidden = "set Hidden", writes HIDDEN {
        region: Region,
        hidden: Bool,
        who: Who,
        /// Is it hidden that there is anything at all?
        whole: bool,
    }
}

impl Generate for SetHidden {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (who, hidden, whole) = (self.who.get(c), self.hidden.holds(c), self.whole);
        self.region.each(c, |_, at| {
            for player in ones(who) {
                out.effect(Action::Hide { at, player: player as u16, hidden, whole });
            }
            true
        });
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::played;

    #[test]
    fn who_moves_again_keeps_the_turn() {
        let end = "(if (is Full) (result Mover Win))";
        let again = "(move Add (to (sites Empty)) (then (moveAgain)))";
        assert_eq!(played("", again, end, 1).s.mover, 1);
        assert_eq!(played("", "(move Add (to (sites Empty)))", end, 1).s.mover, 2);
        let other = "(move Add (to (sites Empty)) (then (set NextPlayer (player 2))))";
        assert_eq!((played("", other, end, 1).s.mover, played("", other, end, 2).s.mover), (2, 2));
    }
}
