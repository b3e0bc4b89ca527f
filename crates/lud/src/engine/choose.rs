//! Ludemes that choose among moves or join them: `do`, `append`, `allCombinations`, `max`, `seq`.

use super::action::{Action, Head, Kind, Moves};
use super::context::{Context, Registers};
use super::functions::{Bool, Result};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::play;
use super::state::OFF;
use crate::compile::Ludeme;

impl Lower<'_> {
    pub(crate) fn do_moves(&mut self, l: &Ludeme) -> Result<Generator> {
        let moves = self.moves(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
        let next = match l.labelled("next") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        let condition = self.optional_bool(l, "ifAfterwards")?.map(std::sync::Arc::new);
        let check = self.checks.len() as u32;
        self.checks.extend(condition.clone());
        Ok(Box::new(move |c, out| {
            // The condition can wait where nothing else depends on it.
            if out.lazy && next.is_none() && condition.is_some() && c.at == Registers::NONE {
                let (first, first_lot) = (out.len(), out.lots.len());
                // One whose condition does not hold is not enough.
                out.enough = 0;
                moves(c, out);
                out.check(first, first_lot, check);
                return;
            }
            let mut all = c.moves();
            moves(c, &mut all);
            if let Some(next) = &next {
                if c.wants_dice {
                    c.free_moves(all);
                    return;
                }
                let mut following = c.moves();
                let prior = all;
                let mut done = Vec::new();
                c.ahead(
                    |c| {
                        let all = &prior.heads;
                        done =
                            c.recorded(|c| all.iter().for_each(|&h| play::effect(c, &prior, h, 0)));
                    },
                    |c| next(c, &mut following),
                );
                all = c.moves();
                for (k, &head) in following.heads.iter().enumerate() {
                    if following.repeats(k) {
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
            }
            let mut fits = false;
            for (k, &head) in all.heads.iter().enumerate() {
                if fits && all.repeats(k) {
                    out.heads.extend(out.heads.last().copied());
                    continue;
                }
                fits = match &condition {
                    None => true,
                    Some(f) => c.ahead(|c| play::make(c, &all, head), |c| c.afterwards(f)),
                };
                if fits {
                    out.take(&all, head);
                    if out.full() {
                        break;
                    }
                }
            }
            c.free_moves(all);
        }))
    }

    /// Only the moves that do not lead to the position that is kept in mind.
    pub(crate) fn avoid_stored(&mut self, l: &Ludeme) -> Result<Generator> {
        let moves = self.typed_moves(l)?;
        Ok(Box::new(move |c, out| {
            let mut all = c.moves();
            moves(c, &mut all);
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
        }))
    }

    /// Effects again and again while a condition holds.
    pub(crate) fn while_moves(&mut self, l: &Ludeme) -> Result<Generator> {
        let (condition, moves) = (self.bool_at(l, 0)?, self.typed_moves(l)?);
        Ok(Box::new(move |c, out| {
            let again = std::iter::repeat_n((Some(&condition), &moves), MOST_TIMES);
            one_by_one(c, again, out);
        }))
    }

    /// All effects as one move.
    pub(crate) fn append(&mut self, l: &Ludeme) -> Result<Generator> {
        let effects = self.moves(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
        Ok(Box::new(move |c, out| {
            let mut all = c.moves();
            effects(c, &mut all);
            if !all.is_empty() {
                let first = out.actions.len();
                let mut then = super::action::NONE;
                for &head in &all.heads {
                    out.actions.extend_from_slice(all.actions(head));
                    then = out.chained_to(then, &all, head.then);
                }
                // It is where the first piece is put.
                let at = all.heads.iter().find(|head| head.to >= 0);
                let (from, to) = at.map_or((OFF, OFF), |head| (head.from, head.to));
                let head = out.close(first, c.state.s.mover, Kind::Add, from, to);
                head.then = then;
            }
            c.free_moves(all);
        }))
    }

    /// Each move of one kind with each of another.
    pub(crate) fn combinations(&mut self, l: &Ludeme) -> Result<Generator> {
        let [a, b] = [0, 1].map(|slot| l.arg(slot).ok_or_else(|| unsupported(l)));
        let (a, b) = (self.moves(a?, l)?, self.moves(b?, l)?);
        Ok(Box::new(move |c, out| {
            let (mut first, mut second) = (c.moves(), c.moves());
            a(c, &mut first);
            b(c, &mut second);
            for &one in &first.heads {
                for &two in &second.heads {
                    let mark = out.actions.len();
                    out.actions.extend_from_slice(first.actions(one));
                    out.actions.extend_from_slice(second.actions(two));
                    let then = out.chained(&first, one.then);
                    let then = out.chained_to(then, &second, two.then);
                    out.close(mark, one.mover.into(), one.kind, one.from, one.to).then = then;
                }
            }
            c.free_moves(first);
            c.free_moves(second);
        }))
    }

    /// Only the moves that begin the longest turns, or capture most.
    pub(crate) fn max(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
        let moves = self.typed_moves(l)?;
        let with_value = self.optional_bool(l, "withValue")?;
        let captures = first == "Captures";
        // The value of a stack is unknown: Fenix, ply 25 of its record, contradicts the sum. So stacks are refused.
        if with_value.is_some() && (captures || self.stacking) {
            return Err(unsupported(l));
        }
        Ok(Box::new(move |c, out| {
            // While the lengths of turns are measured all moves count: the longest is the same.
            if c.measuring && !captures {
                moves(c, out);
                return;
            }
            let mut all = c.moves();
            moves(c, &mut all);
            let mut scores = c.list();
            c.pad.lengths.clear();
            let worth = with_value.as_ref().is_some_and(|f| f(c));
            for &head in &all.heads {
                scores.push(if captures {
                    // What follows from a move captures, too.
                    let done = c.recorded(|c| c.ahead(|c| play::make(c, &all, head), |_| ()));
                    let captures =
                        |a: &&Action| matches!(a, Action::Remove { .. } | Action::Clear(_));
                    let many = done.iter().filter(captures).count();
                    c.free_actions(done);
                    many as i32
                } else {
                    let before = std::mem::replace(&mut c.measuring, true);
                    let length = turn_length(c, &all, head, worth, 0);
                    c.measuring = before;
                    length as i32
                });
            }
            let most = scores.iter().copied().max().unwrap_or(0);
            for (&head, &score) in all.heads.iter().zip(&scores) {
                if score == most {
                    out.take(&all, head);
                }
            }
            c.free_list(scores);
            c.free_moves(all);
        }))
    }
}

/// How many moves the turn has that begins with a move, at most, or what it takes is worth. Moves in another
/// order often lead to the same position, so what was found is kept in [`Pad::lengths`](super::context::Pad) as long as
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

/// What the pieces that a move takes are worth.
fn taken(c: &Context<'_>, moves: &Moves, head: Head) -> u32 {
    let worth = |action: &Action| match *action {
        Action::Remove { at, .. } | Action::Clear(at) => c.cell(at).value.max(0) as u32,
        _ => 0,
    };
    moves.actions(head).iter().map(worth).sum()
}

/// An effect is repeated no more often.
const MOST_TIMES: usize = 1000;

/// Effects one after the other, each on the state that those before it leave.
pub(crate) fn in_turn(c: &mut Context<'_>, parts: &[Generator], out: &mut Moves) {
    one_by_one(c, parts.iter().map(|part| (None, part)), out);
}

/// The same, until a condition that belongs to an effect fails.
fn one_by_one<'a>(
    c: &mut Context<'_>,
    parts: impl Iterator<Item = (Option<&'a Bool>, &'a Generator)>,
    out: &mut Moves,
) {
    let mut all = c.moves();
    let depth = c.depth;
    c.ahead(
        |c| {
            // This is done, not only looked at.
            c.looking -= 1;
            for (condition, part) in parts {
                if condition.is_some_and(|f| !f(c)) {
                    break;
                }
                let mut made = c.moves();
                part(c, &mut made);
                for &head in &made.heads {
                    play::effect(c, &made, head, depth.into());
                    all.take(&made, head);
                }
                c.free_moves(made);
            }
            c.looking += 1;
        },
        |_| (),
    );
    for &head in &all.heads {
        out.take(&all, head);
    }
    c.free_moves(all);
}
