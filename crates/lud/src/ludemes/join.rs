//! `(and …)`, `(or …)`, `(priority …)`, `(if …)`, `(seq …)`, `(while …)`, `(apply …)`, `(append …)`,
//! `(allCombinations …)`: moves made of others.

use super::prelude::*;
use crate::compile::Ludeme;
use crate::engine::play;

pub(super) const FORMS: &[Form] = &[
    effect(
        "apply If:boolean",
        "A condition without an effect.",
        "(apply if:(is Empty (to)))",
        apply,
    ),
    effect("apply effect", "An effect.", "(apply (remove (to)))", apply),
    effect(
        "apply If:boolean effect",
        "An effect under a condition.",
        "(apply if:(is Occupied (to)) (remove (to)))",
        apply,
    ),
    effect(
        "priority {moves} [then]",
        "The moves of the first part that has any.",
        "(priority {(forEach Piece (move Hop (to if:(is Empty (to))))) (forEach Piece)})",
        priority,
    )
    .joins(),
    effect(
        "priority moves moves [then]",
        "The moves of the first part that has any.",
        "(priority (forEach Piece \"King\") (forEach Piece))",
        priority,
    )
    .joins(),
    effect(
        "while boolean moves [then]",
        "The effects again and again while the condition holds.",
        "(while (is Occupied 3) (remove 3))",
        |args| {
            Ok(Box::new(While { condition: args.bool("boolean")?, moves: args.moves("moves")? }))
        },
    ),
    effect(
        "allCombinations moves moves [then]",
        "Each move of the first part with each of the second.",
        "(allCombinations (move Add (to (sites Empty))) (set Pending))",
        |args| Ok(Box::new(Combinations { a: args.moves("moves")?, b: args.moves("moves")? })),
    ),
    effect(
        "and moves moves [then]",
        "The moves of both parts. Effects before a decision are made with it.",
        "(and (remove (last To)) (moveAgain))",
        and,
    )
    .joins(),
    effect(
        "and {moves} [then]",
        "The moves of all parts.",
        "(and {(moveAgain) (addScore Mover 1)})",
        and,
    )
    .joins(),
    effect(
        "append effect [then]",
        "All effects as one move.",
        "(append (custodial (between if:(is Enemy (who at:(between))))))",
        |args| Ok(Box::new(Append { effects: args.moves("effect")? })),
    ),
    effect(
        "if boolean moves [moves] [then]",
        "The first moves if the condition holds, else the second.",
        "(if (is Mover P1) (forEach Piece) (move Pass))",
        |args| {
            let (condition, yes) = (args.bool("boolean")?, args.moves("moves")?);
            Ok(Box::new(If { condition, yes, no: args.try_moves("moves")? }))
        },
    ),
    effect(
        "or moves moves [then]",
        "The moves of both parts.",
        "(or (forEach Piece) (move Pass))",
        |args| Ok(Box::new(Or { parts: parts(args)? })),
    )
    .joins(),
    effect(
        "or {moves} [then]",
        "The moves of all parts.",
        "(or {(forEach Piece) (move Pass)})",
        |args| Ok(Box::new(Or { parts: parts(args)? })),
    )
    .joins(),
    effect(
        "seq {moves}",
        "The effects one after the other, each on the state that those before it leave.",
        "(seq {(remove 3) (moveAgain)})",
        |args| Ok(Box::new(Seq { parts: parts(args)? })),
    ),
];

fn parts(args: &mut Args<'_, '_, '_>) -> Result<Vec<Generator>> {
    let values = args.items();
    values.into_iter().map(|value| args.lower.moves(value, args.ludeme)).collect()
}

node! {
    /// All moves of some parts.
    struct Or = "or" { parts: Vec<Generator> }
}

impl Generate for Or {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        for part in &self.parts {
            part.generate(c, out);
            if out.full() {
                break;
            }
        }
    }

    fn bound(&self) -> Bound {
        Bound::any(self.parts.iter().map(|part| part.bound()).collect())
    }

    fn is_narrow(&self) -> bool {
        self.parts.iter().all(|part| part.is_narrow())
    }
}

fn and(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let values = args.items();
    let chosen: Vec<bool> = values.iter().map(|value| is_decision(value)).collect();
    let parts = values.into_iter().map(|value| args.lower.moves(value, args.ludeme));
    let mut effects = parts.collect::<Result<Vec<Generator>>>()?;
    // Effects that come before decisions only are made with each of these.
    let first = chosen.iter().position(|&chosen| chosen).filter(|&first| first > 0);
    match first.filter(|&first| chosen[first..].iter().all(|&chosen| chosen)) {
        Some(first) => {
            let decisions = effects.split_off(first);
            Ok(Box::new(WithEffects { effects, decisions }))
        }
        None => Ok(Box::new(And { parts: effects })),
    }
}

/// Is it a move of a player's choice, or does it join such moves?
fn is_decision(value: &Value) -> bool {
    let joined = |call: &Ludeme| {
        let joins = call.reader().is_some_and(|(form, _)| form.joins);
        joins && call.values().any(is_decision)
    };
    match value {
        Value::Call(call) => call.signature().result == "moves" || joined(call),
        Value::List(list) => list.iter().any(is_decision),
        _ => false,
    }
}

node! {
    /// All effects of some parts.
    struct And = "and" { parts: Vec<Generator> }
}

impl Generate for And {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        for part in &self.parts {
            part.generate(c, out);
            if out.full() {
                break;
            }
        }
    }

    fn is_narrow(&self) -> bool {
        self.parts.iter().all(|part| part.is_narrow())
    }
}

node! {
    /// Effects that are made with each of some decisions.
    struct WithEffects = "and" { effects: Vec<Generator>, decisions: Vec<Generator> }
}

impl Generate for WithEffects {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (mut before, mut all) = (c.moves(), c.moves());
        self.effects.iter().for_each(|part| part.generate(c, &mut before));
        self.decisions.iter().for_each(|part| part.generate(c, &mut all));
        for &head in &all.heads {
            let (start, mut then) = (out.actions.len() as u32, NONE);
            for &effect in &before.heads {
                out.actions.extend_from_slice(before.actions(effect));
                then = out.chained_to(then, &before, effect.then);
            }
            out.take(&all, head);
            // The consequences of the effects come first.
            let then = (then != NONE).then(|| out.chained_to(then, &all, head.then));
            if let Some(head) = out.heads.last_mut() {
                (head.first, head.then) = (start, then.unwrap_or(head.then));
            }
            if out.full() {
                break;
            }
        }
        c.free_moves(all);
        c.free_moves(before);
    }
}

fn priority(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    Ok(Box::new(Priority { parts: parts(args)? }))
}

node! {
    /// The moves of the first part that has any.
    struct Priority = "priority" { parts: Vec<Generator> }
}

impl Generate for Priority {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        // Where only one move is wanted, the last part is the likeliest to have it.
        if out.enough == 1 {
            for part in self.parts.iter().rev() {
                part.generate(c, out);
                if out.full() {
                    break;
                }
            }
            return;
        }
        // List every part but the last in full: we must know whether it is empty.
        let (first, lazy) = (out.len(), std::mem::take(&mut out.lazy));
        for (number, part) in self.parts.iter().enumerate() {
            out.lazy = lazy && number + 1 == self.parts.len();
            part.generate(c, out);
            if out.len() > first {
                break;
            }
        }
        out.lazy = lazy;
    }
}

node! {
    /// One of two parts, or none.
    struct If = "if" { condition: Bool, yes: Generator, no: Option<Generator> }
}

impl Generate for If {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        if self.condition.holds(c) {
            self.yes.generate(c, out);
        } else if let Some(no) = &self.no {
            no.generate(c, out);
        }
    }

    fn bound(&self) -> Bound {
        let yes = self.yes.bound();
        match &self.no {
            Some(no) => yes.either(&no.bound()),
            None => yes.either(&yes),
        }
    }

    fn is_single(&self) -> bool {
        self.yes.is_single() && self.no.as_ref().is_none_or(|no| no.is_single())
    }

    fn is_narrow(&self) -> bool {
        self.yes.is_narrow() && self.no.as_ref().is_none_or(|no| no.is_narrow())
    }
}

fn apply(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    Ok(Box::new(Conditional { condition: args.try_bool("if")?, effect: args.try_moves("effect")? }))
}

node! {
    /// An effect under a condition.
    struct Conditional = "apply" { condition: Option<Bool>, effect: Option<Generator> }
}

impl Generate for Conditional {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        if self.condition.as_ref().is_none_or(|condition| condition.holds(c))
            && let Some(effect) = &self.effect
        {
            effect.generate(c, out);
        }
    }
}

node! {
    /// Effects one after the other.
    struct Seq = "seq" { parts: Vec<Generator> }
}

impl Generate for Seq {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        one_by_one(c, self.parts.iter().map(|part| (None, part)), out);
    }

    fn is_narrow(&self) -> bool {
        self.parts.iter().all(|part| part.is_narrow())
    }
}

/// An effect is repeated no more often.
const MOST_TIMES: usize = 1000;

node! {
    /// Effects again and again.
    struct While = "while" { condition: Bool, moves: Generator }
}

impl Generate for While {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let again = std::iter::repeat_n((Some(&self.condition), &self.moves), MOST_TIMES);
        one_by_one(c, again, out);
    }
}

/// Effects one after the other, each on the state that those before it leave, until a condition fails.
fn one_by_one<'a>(
    c: &mut Context<'_>,
    parts: impl Iterator<Item = (Option<&'a Bool>, &'a Generator)>,
    out: &mut Moves,
) {
    let mut all = c.moves();
    let asked = c.asked;
    c.ahead(
        // This is done, not only looked at.
        |c| {
            c.asking(asked, |c| {
                for (condition, part) in parts {
                    if condition.is_some_and(|condition| !condition.holds(c)) {
                        break;
                    }
                    let mut made = c.moves();
                    part.generate(c, &mut made);
                    for &head in &made.heads {
                        play::effect(c, &made, head, asked.depth.into());
                        all.take(&made, head);
                    }
                    c.free_moves(made);
                }
            })
        },
        |_| (),
    );
    for &head in &all.heads {
        out.take(&all, head);
    }
    c.free_moves(all);
}

node! {
    /// All effects as one move.
    struct Append = "append", reads TURN { effects: Generator }
}

impl Generate for Append {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let mut all = c.moves();
        self.effects.generate(c, &mut all);
        if !all.is_empty() {
            let (first, mut then) = (out.actions.len(), NONE);
            for &head in &all.heads {
                out.actions.extend_from_slice(all.actions(head));
                then = out.chained_to(then, &all, head.then);
            }
            // The joined move has the place of the first effect with a place.
            let at = all.heads.iter().find(|head| head.to >= 0);
            let (from, to) = at.map_or((OFF, OFF), |head| (head.from, head.to));
            out.close(first, c.state.s.mover, Kind::Add, from, to).then = then;
        }
        c.free_moves(all);
    }

    fn is_single(&self) -> bool {
        true
    }
}

node! {
    /// Each move of one part with each of another.
    struct Combinations = "allCombinations" { a: Generator, b: Generator }
}

impl Generate for Combinations {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (mut first, mut second) = (c.moves(), c.moves());
        self.a.generate(c, &mut first);
        self.b.generate(c, &mut second);
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
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::moves;

    #[test]
    fn moves_are_joined_chosen_and_preferred() {
        let (one, other) = ("(move Add (to (sites {0})))", "(move Add (to (sites {1})))");
        let none = "(move Add (to (sites Occupied by:Mover)))";
        assert_eq!(moves("", &format!("(or {one} {other})")), [(0, 0), (1, 1)]);
        assert_eq!(moves("", &format!("(priority {one} {other})")), [(0, 0)]);
        assert_eq!(moves("", &format!("(priority {none} {other})")), [(1, 1)]);
        assert_eq!(moves("", &format!("(if (is Mover P1) {one} {other})")), [(0, 0)]);
        assert_eq!(moves("", &format!("(if (is Mover P2) {one} {other})")), [(1, 1)]);
    }
}
