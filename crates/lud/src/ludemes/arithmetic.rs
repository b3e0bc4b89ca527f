//! `(+ …)`, `(- …)`, `(* …)`, `(/ …)`, `(% …)`, `(^ …)`, `(min …)`, `(max …)`, `(abs …)`, `(if …)`, `(toInt …)`.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number(
        "toInt (boolean | float)",
        "1 if the condition holds, else 0; or the number without its fraction.",
        "(toInt (is Full))",
        |args| match args.has("boolean") {
            true => Ok(Int::of(ToInt { condition: args.bool("boolean")? })),
            false => args.whole(),
        },
    ),
    number("abs int", "The number without its sign.", "(abs (- (row of:(to)) 3))", |args| {
        Ok(Int::of(Abs { number: args.int("int")? }))
    }),
    number("+ int int", "The sum.", "(+ (score P1) 2)", |args| fold(args, "+", i32::wrapping_add)),
    number("+ ({int} | ints)", "The sum of all.", "(+ {1 2 3})", |args| {
        fold(args, "+", i32::wrapping_add)
    }),
    number(
        "/ int int",
        "The quotient, without its fraction; 0 where the divisor is 0.",
        "(/ (count Moves) 2)",
        |args| fold(args, "/", |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
    ),
    number(
        "if boolean int int",
        "The first number if the condition holds, else the second.",
        "(if (is Mover P1) 3 4)",
        |args| {
            let condition = args.bool("boolean")?;
            Ok(Int::of(If { condition, yes: args.int("int")?, no: args.int("int")? }))
        },
    ),
    number("max int int", "The larger number.", "(max (score P1) (score P2))", |args| {
        fold(args, "max", Ord::max)
    }),
    number(
        "max ints",
        "The largest number; -1 where there is none.",
        "(max (sizes Group P1))",
        |args| fold(args, "max", Ord::max),
    ),
    number("min int int", "The smaller number.", "(min (score P1) 5)", |args| {
        fold(args, "min", Ord::min)
    }),
    number(
        "min ints",
        "The smallest number; -1 where there is none.",
        "(min (sizes Group P1))",
        |args| fold(args, "min", Ord::min),
    ),
    number("% int int", "The rest of the division.", "(% (count Moves) 3)", |args| {
        fold(args, "%", rest)
    }),
    number("mod int int", "The rest of the division.", "(mod (count Moves) 3)", |args| {
        fold(args, "%", rest)
    }),
    number("add int int", "The sum.", "(add 1 2)", |args| fold(args, "+", i32::wrapping_add)),
    number("* int int", "The product.", "(* 2 (score P1))", |args| {
        fold(args, "*", i32::wrapping_mul)
    }),
    number("* ({int} | ints)", "The product of all.", "(* {2 3 4})", |args| {
        fold(args, "*", i32::wrapping_mul)
    }),
    number(
        "^ int int",
        "The power; the largest number where it is too large.",
        "(^ 2 (count Moves))",
        |args| fold(args, "^", power),
    ),
    number("pow int int", "The power.", "(pow 2 3)", |args| fold(args, "^", power)),
    number(
        "- [int] int",
        "The difference, or the opposite of one number.",
        "(- (score P1) (score P2))",
        difference,
    ),
];

/// An operation on two numbers.
type Operation = fn(i32, i32) -> i32;

fn rest(a: i32, b: i32) -> i32 {
    if b == 0 { 0 } else { a.wrapping_rem(b) }
}

fn power(a: i32, b: i32) -> i32 {
    f64::from(a).powi(b) as i32
}

fn fold(args: &mut Args<'_, '_, '_>, name: &'static str, operation: Operation) -> Result<Int> {
    if args.has("ints") {
        // The largest or smallest of none is no number.
        let none = if operation(0, 1) == operation(1, 0) && operation(2, 2) == 2 { OFF } else { 0 };
        return Ok(Int::of(FoldList { name, operation, none, list: args.ints("ints")? }));
    }
    let values = args.items();
    let numbers: Result<Vec<Int>> =
        values.into_iter().map(|value| args.lower.int(value, args.ludeme)).collect();
    let mut numbers = numbers?;
    if let Some(fixed) = numbers.iter().map(Int::fixed).collect::<Option<Vec<i32>>>() {
        return Ok(Int::Const(fixed.into_iter().reduce(operation).unwrap_or(0)));
    }
    if numbers.len() == 2
        && let (Some(b), Some(a)) = (numbers.pop(), numbers.pop())
    {
        return Ok(Int::of(Two { name, operation, a, b }));
    }
    Ok(Int::of(Fold { name, operation, numbers }))
}

fn difference(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let (first, second) = (args.int("int")?, args.try_int("int")?);
    Ok(match (first, second) {
        (Int::Const(a), None) => Int::Const(a.wrapping_neg()),
        (number, None) => Int::of(Opposite { number }),
        (Int::Const(a), Some(Int::Const(b))) => Int::Const(a.wrapping_sub(b)),
        (a, Some(b)) => Int::of(Two { name: "-", operation: i32::wrapping_sub, a, b }),
    })
}

/// An operation on two numbers.
struct Two {
    name: &'static str,
    operation: Operation,
    a: Int,
    b: Int,
}

impl Node for Two {
    fn name(&self) -> &'static str {
        self.name
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("a", &self.a);
        visit("b", &self.b);
    }
}

impl Number for Two {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let a = self.a.get(c);
        (self.operation)(a, self.b.get(c))
    }
}

/// An operation on several numbers.
struct Fold {
    name: &'static str,
    operation: Operation,
    numbers: Vec<Int>,
}

impl Node for Fold {
    fn name(&self) -> &'static str {
        self.name
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("numbers", &self.numbers);
    }
}

impl Number for Fold {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.numbers.iter().map(|number| number.get(c)).reduce(self.operation).unwrap_or(0)
    }
}

/// An operation on a list.
struct FoldList {
    name: &'static str,
    operation: Operation,
    /// The value of an empty list.
    none: i32,
    list: Ints,
}

impl Node for FoldList {
    fn name(&self) -> &'static str {
        self.name
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("list", &self.list);
    }
}

impl Number for FoldList {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (operation, none) = (self.operation, self.none);
        self.list.of(c, |_, list| list.iter().copied().reduce(operation).unwrap_or(none))
    }
}

node! {
    /// The opposite of a number.
    struct Opposite = "-", iterators NONE { number: Int }
}

impl Number for Opposite {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.number.get(c).wrapping_neg()
    }
}

node! {
    /// A number without its sign.
    struct Abs = "abs", iterators NONE { number: Int }
}

impl Number for Abs {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.number.get(c).wrapping_abs()
    }
}

node! {
    /// One of two numbers.
    struct If = "if", iterators NONE { condition: Bool, yes: Int, no: Int }
}

impl Number for If {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        if self.condition.holds(c) { self.yes.get(c) } else { self.no.get(c) }
    }
}

node! {
    /// 1 or 0.
    struct ToInt = "toInt", iterators NONE { condition: Bool }
}

impl Number for ToInt {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.condition.holds(c).into()
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, number};

    #[test]
    fn numbers_have_bounds() {
        assert_eq!(number("", "(^ 2 3)"), 8);
        assert!(holds("", "(= Infinity (min Infinity (^ 10 40)))"));
        assert!(holds("", "(= 0 (^ 2 -1))"));
    }

    #[test]
    fn quotients_and_remainders_are_whole() {
        assert_eq!(number("", "(/ 7 2)"), 3);
        assert_eq!(number("", "(% 7 4)"), 3);
        assert_eq!(number("", "(abs (- 2 7))"), 5);
        assert_eq!(number("", "(max (array {1 6 4}))"), 6);
    }
}
