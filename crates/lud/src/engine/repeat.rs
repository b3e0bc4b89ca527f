//! Positions that were there before: those that may not come again, and play that goes round in circles.

use super::action::{Kind, Moves};
use super::context::Context;
use super::play::make;
use super::rules::Repeat;
use ludex_core::random::mix;

/// The first position counts among those that may not come again.
pub(crate) fn remember_start(c: &mut Context<'_>) {
    // Positions are told apart by who comes next, and that is who moves first.
    let next = std::mem::replace(&mut c.state.s.next, c.state.s.mover);
    if c.rules.no_repeat.is_some() || c.rules.repeat.is_some() {
        let hash = position_hash(c);
        c.state.history.push(hash);
    }
    if c.rules.cycles {
        let hash = turn_hash(c);
        c.state.trail.push(hash);
    }
    c.state.s.next = next;
}

/// After a move of some kind: its position is one of the earlier ones from now on.
pub(crate) fn remember(c: &mut Context<'_>, kind: Kind) {
    if c.rules.cycles {
        let hash = turn_hash(c);
        c.state.trail.push(hash);
    }
    if c.rules.no_repeat.is_some() || c.rules.repeat.is_some() {
        let in_turn = c.rules.forgets();
        // The positions of a turn are known until the first move of the next one is made.
        if in_turn && c.state.s.same_turn == 0 {
            let known = c.state.history.len().saturating_sub(1);
            c.state.history.forget(known);
        }
        // Positions reached by passing are not remembered.
        let seen = !(c.rules.no_repeat.is_some() && without_pieces(kind));
        // In a turn of several moves, the position after the first one is remembered (decided by Ludus Latrunculorum, ply 138).
        let first = c.state.s.same_turn == 0;
        if in_turn || first && seen {
            let hash = position_hash(c);
            c.state.history.push(hash);
        }
    }
}

/// Does a move of this kind leave the pieces alone? Such moves may always be made.
pub(crate) fn without_pieces(kind: Kind) -> bool {
    matches!(kind, Kind::Pass | Kind::Propose | Kind::Vote)
}

/// Drops the moves that lead to an earlier position.
pub(crate) fn keep_new(c: &mut Context<'_>, repeat: Repeat, out: &mut Moves) {
    let mut all = c.moves();
    std::mem::swap(&mut *all, out);
    for &head in &all.heads {
        let known = !without_pieces(head.kind)
            && c.ahead(
                |c| make(c, &all, head),
                |c| {
                    let hash = hash(c, repeat);
                    c.state.history.contains(&hash)
                },
            );
        if !known {
            out.take(&all, head);
        }
    }
    c.free_moves(all);
}

fn position_hash(c: &Context<'_>) -> u64 {
    let repeat = c.rules.no_repeat.or(c.rules.repeat).unwrap_or(Repeat::Positional);
    hash(c, repeat)
}

/// A hash of what must not come again.
pub(crate) fn hash(c: &Context<'_>, repeat: Repeat) -> u64 {
    match repeat {
        Repeat::Positional | Repeat::PositionalInTurn => c.state.hash(),
        // All that the state has: points, too.
        _ => {
            let layout = c.rules.layout;
            let points = (1..=layout.players).map(|p| c.state.numbers[layout.score(p)]);
            points.fold(turn_hash(c), |hash, points| mix(hash ^ points as u32 as u64))
        }
    }
}

/// A hash of what lies on the table and of who comes next.
fn turn_hash(c: &Context<'_>) -> u64 {
    c.state.hash() ^ (c.state.s.next as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Have the same positions followed one another three times?
pub(crate) fn cycle(c: &mut Context<'_>) -> bool {
    // While a move is made its position is none of the trail yet.
    let made = c.state.trail.len() <= c.state.s.moves as usize;
    if made {
        let hash = turn_hash(c);
        c.state.trail.push(hash);
    }
    let trail = &c.state.trail;
    let n = trail.len();
    let circle = (1..=n / 3).any(|length| {
        trail[n - 1] == trail[n - 1 - length]
            && trail[n - 2 * length..] == trail[n - 3 * length..n - length]
    });
    if made {
        c.state.trail.pop();
    }
    circle
}

/// Has this position been there before?
pub(crate) fn repeated(c: &mut Context<'_>) -> bool {
    let hash = position_hash(c);
    c.state.history.contains(&hash)
}
