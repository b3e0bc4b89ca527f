//! `(move Pass)`, `(pass)`, `(moveAgain)`, `(roll)`, `(note …)`: moves and effects without a place.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    decision(
        "move moveSimpleType=Pass [then]",
        "Pass.",
        "(or (forEach Piece) (move Pass))",
        |_| Ok(Box::new(Pass {})),
    ),
    effect("pass [then]", "The mover passes.", "(pass)", |_| Ok(Box::new(Pass {}))),
    effect("moveAgain [then]", "The mover moves again.", "(then (moveAgain))", |_| {
        Ok(Box::new(MoveAgain {}))
    }),
    effect(
        "roll [then]",
        "The dice are thrown: before the moves are listed, or, in a consequence, while the move is made.",
        "(do (roll) next:(forEach Piece))",
        |args| match args.lower.following > 0 {
            true => Ok(Box::new(RollAgain {})),
            false => Ok(Box::new(Roll {})),
        },
    ),
    effect(
        "note ([player:int] | [Player:roleType]) (string | int | ints | float | boolean | region | range | direction | graph) ([to:player] | [To:roleType])",
        "Something is said to the players. It changes nothing.",
        "(note \"Check\")",
        |args| {
            args.rest();
            Ok(Box::new(Note {}))
        },
    ),
];

node! {
    /// A pass.
    struct Pass = "pass", reads TURN {}
}

impl Generate for Pass {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        out.pass(c.state.s.mover);
    }
}

node! {
    /// The mover moves again.
    struct MoveAgain = "moveAgain", reads TURN, writes TURN {}
}

impl Generate for MoveAgain {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        out.effect(Action::Next(c.state.s.mover as u16));
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

/// An effect that does nothing, from which something may follow.
fn nothing(out: &mut Moves) {
    let first = out.actions.len();
    out.close(first, 0, Kind::Effect, OFF, OFF);
}

node! {
    /// Dice are thrown.
    struct Roll = "roll", reads DICE, writes DICE {}
}

impl Generate for Roll {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        if c.state.s.rolled {
            nothing(out);
        } else {
            c.wants_dice = true;
        }
    }
}

node! {
    /// Dice are thrown while a move is made (decided by Pagade Kayi Ata (Sixteen-handed), ply 247 of its second record).
    struct RollAgain = "roll again", reads DICE | DRAWS, writes DICE {}
}

impl Generate for RollAgain {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        if !c.draws_count() {
            // Nothing is thrown in a question.
            return Roll {}.generate(c, out);
        }
        let first = out.actions.len();
        let (mut equal, mut before) = (true, None);
        for (number, die) in c.equipment.dice.iter().enumerate() {
            let face = c.draw(0, die.faces.len() as i32 - 1);
            let shown = die.faces.get(face as usize);
            equal &= before.is_none_or(|before| before == shown);
            before = Some(shown);
            let (site, die) = (die.site as i32, number as u16);
            out.actions.push(Action::Die { site, die, face: face as u16 });
        }
        out.actions.push(Action::DiceEqual(equal));
        out.close(first, c.state.s.mover, Kind::Effect, OFF, OFF);
    }
}

node! {
    /// A word to the players.
    struct Note = "note" {}
}

impl Generate for Note {
    fn generate(&self, _: &mut Context<'_>, out: &mut Moves) {
        nothing(out);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::played;

    #[test]
    fn a_pass_changes_the_turn_and_no_piece() {
        let end = "(if (is Full) (result Mover Win))";
        let state = played("(place \"Disc1\" 0)", "(move Pass)", end, 1);
        assert_eq!((state.s.mover, state.s.passes), (2, 1));
        assert_ne!(state.cell(0).what, 0);
    }
}
