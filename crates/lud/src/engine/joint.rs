//! Games in which all players choose at the same time: `(mode Simultaneous)`.
//!
//! The rules list the moves of all players at once; a move belongs to the player whom it names. All players choose, a
//! player without a move passes, and then the moves are made in the order of the players. Consequences that are marked
//! `applyAfterAllMoves:True` follow when all moves are made.

use super::action::{Head, Kind, Moves};
use super::context::{Context, Pad};
use super::play::{self, Lud};
use super::state::State;

/// The consequences of a move that follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Follow {
    /// All of them.
    #[default]
    All,
    /// Consequences that do not wait for the moves of the other players.
    Early,
    /// Consequences that wait for the moves of the other players.
    Late,
}

impl Follow {
    /// Does a consequence follow now?
    pub(crate) fn includes(self, late: bool) -> bool {
        match self {
            Follow::All => true,
            Follow::Early => !late,
            Follow::Late => late,
        }
    }
}

impl Lud {
    /// Do all players choose at the same time?
    pub fn is_simultaneous(&self) -> bool {
        self.simultaneous
    }

    /// The moves of a player among those of all players, by place in the list.
    pub fn moves_of<'a>(
        &self,
        moves: &'a Moves,
        player: usize,
    ) -> impl Iterator<Item = (usize, Head)> + 'a {
        let all = moves.heads.iter().copied().enumerate();
        all.filter(move |(_, head)| usize::from(head.mover) == player)
    }

    /// A pass for every player who has no move (decided by Morra, ply 2).
    pub(crate) fn pass_for_others(&self, out: &mut Moves) {
        for player in 1..=self.equipment.players {
            if !out.heads.iter().any(|head| usize::from(head.mover) == player) {
                out.pass(player);
                if let Some(pass) = out.heads.last_mut() {
                    pass.extra = play::FORCED;
                }
            }
        }
    }

    /// Makes one move of each player. A player without one passes.
    pub fn apply_joint(&self, state: &mut State, pad: &mut Pad, moves: &Moves, heads: &[Head]) {
        let mut c = self.context(state, pad);
        let (waiting, made) = (c.state.pending.len(), c.state.s.moves);
        c.follow = Follow::Early;
        heads.iter().for_each(|&head| play::make(&mut c, moves, head));
        c.follow = Follow::Late;
        heads.iter().for_each(|&head| late(&mut c, moves, head));
        c.follow = Follow::All;
        // All moves together are one of the game.
        c.state.s.moves = made + 1;
        c.state.pending.drain(..waiting.min(c.state.pending.len()));
        let active = heads.iter().find(|head| head.kind != Kind::Pass);
        if let Some(&head) = active.or(heads.first()) {
            play::finish(&mut c, head);
        }
        if !c.state.s.over {
            c.state.s.mover = 1;
            c.state.s.next = if self.equipment.players > 1 { 2 } else { 1 };
        }
    }
}

/// The consequences of a move that wait for the moves of the other players.
fn late(c: &mut Context<'_>, moves: &Moves, head: Head) {
    let mover = std::mem::replace(&mut c.state.s.mover, usize::from(head.mover).max(1));
    play::consequences(c, moves, head, 0);
    c.state.s.mover = mover;
}
