//! `(do …)` and `(avoidStoredState …)`: moves after others, and moves that lead to a certain position.

use std::sync::Arc;

use super::prelude::*;
use crate::engine::play;

pub(super) const FORMS: &[Form] = &[
    effect("do moves [next:moves] [ifAfterwards:boolean] [then]",
        "The moves, or, after the first effects, the next moves, of which only those remain after which the condition holds.",
        "(do (forEach Piece) ifAfterwards:(not (is Threatened (id \"King\" Mover))))", read).joins().then(ThenOf::Phase),
    effect("avoidStoredState moves [then]", "The moves that do not lead to the position that is kept in mind.",
        "(avoidStoredState (forEach Piece))", |args| Ok(Box::new(AvoidStored { moves: args.moves("moves")? })))
        .needs(Parts::STORED),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let (moves, next) = (args.moves("moves")?, args.try_moves("next")?);
    let condition = args.try_bool("ifAfterwards")?.map(Arc::new);
    let check = args.lower.checks.len() as u32;
    args.lower.checks.extend(condition.clone());
    let free = condition.as_ref().is_some_and(|condition| condition.is_free());
    Ok(Box::new(Do { moves, next, condition, check, free }))
}

node! {
    /// Moves, those after them, and a condition on what comes after.
    struct Do = "do" {
        moves: Generator,
        next: Option<Generator>,
        condition: Option<Arc<Bool>>,
        /// The number of the condition in [`Rules::checks`](crate::engine::rules::Rules).
        check: u32,
        /// Is the condition the same whatever the iterators are?
        free: bool,
    }
}

impl Do {
    /// The moves that are possible after the effects of others, each with those effects.
    fn following(&self, c: &mut Context<'_>, next: &Generator, prior: Box<Moves>) -> Box<Moves> {
        let mut following = c.moves();
        let mut done = c.actions();
        c.ahead(
            |c| {
                let mut before = 0;
                for &head in &prior.heads {
                    let made = c.recorded(|c| play::effect(c, &prior, head, 0));
                    // An effect and its consequences come behind as many actions as the effect before had, not behind all
                    // effects before (decided by Garrisons, ply 3).
                    let at = before.min(done.len());
                    done.splice(at..at, made.iter().copied());
                    before = made.len();
                    c.free_actions(made);
                }
            },
            |c| next.generate(c, &mut following),
        );
        // In games with dice, where no move is left after effects, a pass has them, beside the moves of other rules
        // (decided by Senet with the rules of Piccione, plies 0 and 3).
        let question = c.asked.depth > 0 || c.asked.threat || c.equipment.dice.is_empty();
        if following.is_empty() && !done.is_empty() && !question && !c.wants_dice {
            play::push_forced_pass(c, &mut following);
        }
        let mut all = c.moves();
        for (number, &head) in following.heads.iter().enumerate() {
            if following.repeats(number) {
                all.heads.extend(all.heads.last().copied());
                continue;
            }
            let first = all.actions.len();
            all.actions.extend_from_slice(&done);
            all.actions.extend_from_slice(following.actions(head));
            let then = all.chained(&following, head.then);
            let end = all.actions.len() as u32;
            all.heads.push(Head { first: first as u32, end, then, ..head });
        }
        c.free_moves(prior);
        c.free_moves(following);
        c.free_actions(done);
        all
    }

    /// Appends the moves after which the condition holds.
    fn keep(&self, c: &mut Context<'_>, all: &Moves, out: &mut Moves) {
        let mut fits = false;
        for (number, &head) in all.heads.iter().enumerate() {
            if fits && all.repeats(number) {
                out.heads.extend(out.heads.last().copied());
                continue;
            }
            fits = match &self.condition {
                None => true,
                Some(condition) => {
                    c.ahead(|c| play::make(c, all, head), |c| c.afterwards(condition))
                }
            };
            if fits {
                out.take(all, head);
                if out.full() {
                    break;
                }
            }
        }
    }
}

impl Generate for Do {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        // The condition can wait where nothing else depends on it, and where it will be the same later.
        let (at_once, later) = (c.at == Registers::NONE, self.free && c.is_straight());
        let waits = self.next.is_none() && self.condition.is_some() && (at_once || later);
        if out.lazy && waits {
            let (first, first_lot) = (out.len(), out.lots.len());
            // One whose condition does not hold is not enough.
            out.enough = 0;
            self.moves.generate(c, out);
            out.check(first, first_lot, self.check);
            return;
        }
        let mut all = c.moves();
        self.moves.generate(c, &mut all);
        if let Some(next) = &self.next {
            if c.wants_dice {
                return c.free_moves(all);
            }
            all = self.following(c, next, all);
        }
        self.keep(c, &all, out);
        c.free_moves(all);
    }
}

node! {
    /// Moves that do not lead to the position that is kept in mind.
    struct AvoidStored = "avoidStoredState", reads STORED | CELLS { moves: Generator }
}

impl Generate for AvoidStored {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let mut all = c.moves();
        self.moves.generate(c, &mut all);
        let stored = c.state.s.stored;
        for &head in &all.heads {
            if c.ahead(|c| play::make(c, &all, head), |c| c.state.hash() as i64) != stored {
                out.take(&all, head);
                if out.full() {
                    break;
                }
            }
        }
        c.free_moves(all);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::moves;

    #[test]
    fn a_move_stays_if_the_condition_holds_after_it() {
        let play = "(do (move Add (to (sites Empty))) ifAfterwards:(is Occupied 4))";
        assert_eq!(moves("(place \"Disc2\" 0)", play), [(4, 4)]);
        assert_eq!(moves("(place \"Disc2\" {0 1 2 3 4 5 6})", play), [(7, 7), (8, 8)]);
    }
}
