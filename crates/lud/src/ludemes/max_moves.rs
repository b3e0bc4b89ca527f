//! `(max Moves …)` and `(max Captures …)`: the moves that begin the longest turns, or capture most.

use super::prelude::*;
use crate::engine::play;

pub(super) const FORMS: &[Form] = &[
    effect(
        "max maxMovesType=Moves [withValue:boolean] moves [then]",
        "The moves that begin the longest turns, or, with values, the turns that take the most valuable pieces.",
        "(max Moves (forEach Piece))",
        |args| {
            let (moves, with_value) = (args.moves("moves")?, args.try_bool("withValue")?);
            // The value of a stack is unknown: Fenix, ply 25 of its record, contradicts the sum. So stacks are refused.
            if with_value.is_some() && args.lower.stacking {
                return Err(args.unsupported());
            }
            Ok(Box::new(MaxMoves { moves, with_value }))
        },
    )
    .refuses("values of stacks: ply 25 of the record of Fenix contradicts their sum"),
    effect(
        "max maxMovesType=Captures [withValue:boolean] moves [then]",
        "The moves that capture most.",
        "(max Captures (forEach Piece))",
        |args| Ok(Box::new(MaxCaptures { moves: args.moves("moves")? })),
    ),
];

/// Appends the moves of a list with the greatest score.
fn keep_best(all: &Moves, scores: &[i32], out: &mut Moves) {
    let most = scores.iter().copied().max().unwrap_or(0);
    for (&head, &score) in all.heads.iter().zip(scores) {
        if score == most {
            out.take(all, head);
        }
    }
}

node! {
    /// The moves that capture most.
    struct MaxCaptures = "max Captures" { moves: Generator }
}

impl Generate for MaxCaptures {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (mut all, mut scores) = (c.moves(), c.list());
        self.moves.generate(c, &mut all);
        for &head in &all.heads {
            // Consequences of a move capture, too.
            let done = c.recorded(|c| c.ahead(|c| play::make(c, &all, head), |_| ()));
            let captures = |a: &&Action| matches!(a, Action::Remove { .. } | Action::Clear(_));
            scores.push(done.iter().filter(captures).count() as i32);
            c.free_actions(done);
        }
        keep_best(&all, &scores, out);
        c.free_list(scores);
        c.free_moves(all);
    }
}

node! {
    /// The moves that begin the longest turns.
    struct MaxMoves = "max Moves" { moves: Generator, with_value: Option<Bool> }
}

impl Generate for MaxMoves {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        // While the lengths of turns are measured all moves count: the longest is the same.
        if c.asked.turn_length {
            return self.moves.generate(c, out);
        }
        let (mut all, mut scores) = (c.moves(), c.list());
        self.moves.generate(c, &mut all);
        c.pad.lengths.clear();
        let worth = self.with_value.as_ref().is_some_and(|with| with.holds(c));
        for &head in &all.heads {
            let asked = Asked { turn_length: true, ..c.asked };
            scores.push(c.asking(asked, |c| turn_length(c, &all, head, worth, 0)) as i32);
        }
        keep_best(&all, &scores, out);
        c.free_list(scores);
        c.free_moves(all);
    }
}

/// How many moves the turn has that begins with a move, at most, or what it takes is worth. Moves in another
/// order often lead to the same position, so what was found is kept in [`Pad::lengths`](crate::engine::Pad) as long as
/// one list of moves is measured.
fn turn_length(c: &mut Context<'_>, moves: &Moves, head: Head, worth: bool, depth: u32) -> u32 {
    let gain = if worth { taken(c, moves, head) } else { 1 };
    if depth >= 64 {
        return gain;
    }
    let mover = c.state.s.mover;
    c.ahead(
        |c| play::step(c, moves, head),
        |c| {
            if c.state.s.over || c.state.s.mover != mover {
                return gain;
            }
            // Where earlier positions count, the way to a position matters.
            let key = (!c.rules.hashes()).then(|| c.state.fingerprint(c.rules));
            if let Some(&known) = key.and_then(|key| c.pad.lengths.get(&key)) {
                return gain + known;
            }
            let mut next = c.moves();
            play::generate(c, &mut next);
            // Having to pass is a move, too.
            let mut most = u32::from(next.is_empty() && !worth);
            for &head in &next.heads {
                most = most.max(turn_length(c, &next, head, worth, depth + 1));
            }
            c.free_moves(next);
            if let Some(key) = key {
                c.pad.lengths.insert(key, most);
            }
            gain + most
        },
    )
}

/// The value of the pieces that a move takes.
fn taken(c: &Context<'_>, moves: &Moves, head: Head) -> u32 {
    let worth = |action: &Action| match *action {
        Action::Remove { at, .. } | Action::Clear(at) => c.cell(at).value.max(0) as u32,
        _ => 0,
    };
    moves.actions(head).iter().map(worth).sum()
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::moves;

    #[test]
    fn the_moves_that_capture_most_stay() {
        let take = "(move (from 0) (to (sites {1}) (apply (remove (to)))))";
        let go = "(move (from 0) (to (sites {4})))";
        let start = "(place \"Disc1\" 0) (place \"Disc2\" 1)";
        assert_eq!(moves(start, &format!("(max Captures (or {take} {go}))")), [(0, 1)]);
        assert_eq!(moves(start, &format!("(max Captures {go})")), [(0, 4)]);
    }
}
