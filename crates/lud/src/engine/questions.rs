//! Questions about moves that rules ask: can a player move, may a move be made, would it win, could it take a piece? They are answered on
//! the state itself, which is put back.

use super::action::{Action, Head, Kind, Moves, NONE};
use super::context::{Asked, Context, Registers};
use super::lots;
use super::moves::Generator;
use super::play::{generate, make, step};
use super::repeat;
use super::sites::Sites;

/// Has a player no move?
pub(crate) fn stuck(c: &mut Context<'_>, player: usize) -> bool {
    if player == 0 || player > c.equipment.players {
        return true;
    }
    // Asking "can X move?" while moves are listed could recurse without end. Inside such a question, assume that X can.
    if c.asked.depth > 0 {
        return false;
    }
    let mover = c.state.s.mover;
    as_mover(c, player, |c| {
        // As it will be.
        c.state.s.prev = mover;
        let mut out = c.moves();
        // Conditions on what comes after are looked at one by one; else the first is enough.
        let loose = u32::from(c.rules.layers.is_none());
        (out.enough, out.lazy) = (loose, !c.rules.checks.is_empty());
        generate(c, &mut out);
        out.lazy = false;
        let none = !c.wants_dice && !lots::any(c, &mut out, checked);
        c.wants_dice = false;
        c.free_moves(out);
        none
    })
}

/// Do the conditions of a move hold that were put off, and is the position new where it must be?
pub(crate) fn holds(c: &mut Context<'_>, moves: &Moves, head: Head) -> bool {
    let rules = c.rules;
    if rules.layers.as_ref().is_some_and(|layers| layers.forbid(c, head)) {
        return false;
    }
    let Some(repeat) = rules.no_repeat.filter(|_| !repeat::without_pieces(head.kind)) else {
        return checked(c, moves, head);
    };
    let new = |c: &mut Context<'_>| {
        let hash = repeat::hash(c, repeat);
        !c.state.history.contains(&hash)
    };
    match moves.conditions.get(head.check as usize) {
        // Both on the same state.
        Some(last) if last.then == head.then && last.before == NONE => {
            let condition = rules.checks.get(last.number as usize);
            c.ahead(
                |c| make(c, moves, head),
                |c| condition.is_none_or(|f| c.afterwards(f)) && new(c),
            )
        }
        _ => checked(c, moves, head) && c.ahead(|c| make(c, moves, head), new),
    }
}

/// Do the conditions of a move hold that were put off, each on what comes after?
pub(crate) fn checked(c: &mut Context<'_>, moves: &Moves, head: Head) -> bool {
    let rules = c.rules;
    if rules.layers.as_ref().is_some_and(|layers| layers.forbid(c, head)) {
        return false;
    }
    let Some(&condition) = moves.conditions.get(head.check as usize) else { return true };
    let before = Head { check: condition.before, ..head };
    let then = Head { then: condition.then, ..head };
    checked(c, moves, before)
        && (rules.checks.get(condition.number as usize))
            .is_none_or(|f| c.ahead(|c| make(c, moves, then), |c| c.afterwards(f)))
}

/// Evaluates as if it were another's turn.
fn as_mover<T>(c: &mut Context<'_>, player: usize, f: impl FnOnce(&mut Context<'_>) -> T) -> T {
    let s = c.state.s;
    let players = c.equipment.players;
    let asked = Asked { depth: c.asked.depth + 1, ..c.asked };
    c.state.s.mover = player;
    c.state.s.prev = if player == 1 { players } else { player - 1 };
    c.state.s.next = player % players + 1;
    let result = c.asking(asked, f);
    (c.state.s.mover, c.state.s.next, c.state.s.prev) = (s.mover, s.next, s.prev);
    result
}

/// The sites at which effects would win the game for a player whose turn it were.
pub(crate) fn winning(c: &mut Context<'_>, player: usize, effect: &Generator, out: &mut Sites) {
    if player == 0 || player > c.equipment.players || c.asked.depth > 0 {
        return;
    }
    as_mover(c, player, |c| {
        let mut moves = c.moves();
        c.with(Registers::NONE, |c| effect.generate(c, &mut moves));
        for &head in moves.heads.iter().filter(|head| head.to >= 0) {
            let wins = |c: &mut Context<'_>| {
                let first = c.state.s.over && c.state.rank[player] == 1.0;
                first || c.state.s.won >> player & 1 == 1
            };
            if c.ahead(|c| step(c, &moves, head), wins) {
                out.insert(head.to);
            }
        }
        c.free_moves(moves);
    });
}

/// Does a move capture on a site, by going there or by jumping over it?
fn takes(moves: &Moves, head: Head, site: i32) -> bool {
    let captures = |action: &Action| match *action {
        Action::Remove { at, .. } | Action::Clear(at) => Some(at),
        _ => None,
    };
    head.to == site && head.kind == Kind::Go
        || moves.actions(head).iter().find_map(captures) == Some(site)
}

/// Could an opponent capture on a site?
pub(crate) fn threatened(
    c: &mut Context<'_>,
    site: i32,
    what: Option<usize>,
    moves: Option<&Generator>,
) -> bool {
    if c.asked.threat || site < 0 {
        return false;
    }
    let owner = match what {
        Some(what) => c.owner(what),
        None => c.who(site),
    };
    let owner = if owner == 0 || owner > c.equipment.players { c.state.s.mover } else { owner };
    for enemy in 1..=c.equipment.players {
        if c.friends(enemy, owner) {
            continue;
        }
        // The next player stays the same, but a turn that goes on counts as over.
        let next = match c.state.s.next {
            next if next == c.state.s.mover => next % c.equipment.players + 1,
            next => next,
        };
        let hit = as_mover(c, enemy, |c| {
            let mut out = c.moves();
            c.asked.threat = true;
            c.state.s.next = next;
            (out.lazy, out.target) = (true, site);
            match moves {
                Some(moves) => c.with(Registers::NONE, |c| moves.generate(c, &mut out)),
                None => generate(c, &mut out),
            }
            out.lazy = false;
            let hit = lots::any(c, &mut out, |c, out, head| {
                takes(out, head, site) && checked(c, out, head)
            });
            c.wants_dice = false;
            c.free_moves(out);
            hit
        });
        if hit {
            return true;
        }
    }
    false
}
