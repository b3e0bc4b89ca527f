//! Moves and effects as nodes, and the consequences that follow them.

use super::action::Moves;
use super::args::Args;
use super::context::Context;
use super::functions::Result;
use super::lots::Bound;
use super::lower::{Lower, unsupported};
use super::node::{self, Field, Node, node};
use crate::compile::{Ludeme, Value};
use crate::ludemes::{Read, ThenOf};

/// A node that lists moves, or effects that follow a move.
pub(crate) trait Generate: Node {
    /// Appends its moves to a list.
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves);

    /// The candidates for its moves from `(from)`.
    fn bound(&self) -> Bound {
        Bound::default()
    }

    /// Is it never more than one move?
    fn is_single(&self) -> bool {
        false
    }

    /// Does the move capture nothing but the piece on `(to)`?
    fn is_narrow(&self) -> bool {
        false
    }

    /// The number of the consequence that follows from all moves of a phase, if it is one.
    fn phase_then(&self) -> Option<u32> {
        None
    }
}

/// Lists moves.
pub(crate) type Generator = Box<dyn Generate>;

impl Field for dyn Generate {
    fn show(&self, out: &mut String) {
        node::show(self, out);
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        visit(self);
    }
}

node! {
    /// Moves with a consequence more.
    struct Then = "with consequence" {
        moves: Generator,
        /// By its number in [`Rules::thens`](super::Rules).
        number: u32,
        /// A move that is listed twice is one move, so a consequence that all moves of a form share happens twice
        /// (decided by Garrisons, ply 2, and by Tri-It-Out, ply 23).
        shared: bool,
        /// Does it follow from all moves of a phase?
        phase: bool,
    }
}

impl Generate for Then {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (first, first_lot) = (out.len(), out.lots.len());
        self.moves.generate(c, out);
        if out.len() > first {
            out.follow(first, self.number, self.shared);
        }
        out.follow_lots(first_lot, self.number);
    }

    fn bound(&self) -> Bound {
        self.moves.bound().followed_by(self.number)
    }

    fn is_single(&self) -> bool {
        self.moves.is_single()
    }

    fn is_narrow(&self) -> bool {
        self.moves.is_narrow()
    }

    fn phase_then(&self) -> Option<u32> {
        self.phase.then_some(self.number)
    }
}

impl Lower<'_> {
    /// Lowers moves or effects.
    pub(crate) fn moves(&mut self, value: &Value, of: &Ludeme) -> Result<Generator> {
        match value {
            Value::Call(ludeme) => self.moves_of(ludeme),
            _ => Err(unsupported(of)),
        }
    }

    fn moves_of(&mut self, ludeme: &Ludeme) -> Result<Generator> {
        let Some((form, Read::Moves(reader))) = ludeme.reader() else {
            return Err(unsupported(ludeme));
        };
        let moves = self.read(ludeme, form, reader)?;
        match form.then {
            ThenOf::Own => Ok(moves),
            then => self.with_then(ludeme, moves, then),
        }
    }

    /// Adds the consequence of a form to its moves.
    pub(crate) fn with_then(
        &mut self,
        ludeme: &Ludeme,
        moves: Generator,
        of: ThenOf,
    ) -> Result<Generator> {
        let mut outer = Args::new(self, ludeme);
        let Some(Value::Call(then)) = outer.take("then") else { return Ok(moves) };
        if of == ThenOf::Ignored {
            return Ok(moves);
        }
        self.following += 1;
        let effect = Args::new(self, then).then();
        self.following -= 1;
        let number = self.thens.len() as u32;
        let (effect, late) = effect?;
        self.thens.push(effect);
        self.late.extend(late.then_some(number));
        let (shared, phase) = (of != ThenOf::Each, of == ThenOf::Phase);
        Ok(Box::new(Then { moves, number, shared, phase }))
    }
}

impl Args<'_, '_, '_> {
    /// The effect of `(then …)`, and whether it waits for the moves of all players.
    fn then(mut self) -> Result<(Generator, bool)> {
        let effect = self.moves("effect")?;
        let late = self.flag("applyAfterAllMoves", false)?;
        self.finish()?;
        Ok((effect, late))
    }
}
