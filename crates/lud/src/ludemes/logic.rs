//! `(and …)`, `(or …)`, `(xor …)`, `(not …)`, `(if …)`, `(toBool …)`: conditions made of others.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition("toBool (int | float)", "The number is not 0.", "(toBool (var))", to_bool),
    condition("and boolean boolean", "Both hold.", "(and (is Mover P1) (is Full))", and),
    condition("and {boolean}", "All hold.", "(and {(is Full) (is Pending)})", and),
    condition(
        "if boolean boolean [boolean]",
        "If the first holds, the second, else the third.",
        "(if (is Mover P1) (is Full) (is Line 3))",
        choose,
    ),
    condition("not boolean", "The other one does not hold.", "(not (is Full))", not),
    condition("or boolean boolean", "One of them holds.", "(or (is Full) (is Line 3))", or),
    condition("or {boolean}", "One of them holds.", "(or {(is Full) (is Line 3)})", or),
    condition(
        "xor boolean boolean",
        "Exactly one of them holds.",
        "(xor (is Full) (is Line 3))",
        xor,
    ),
];

fn parts(args: &mut Args<'_, '_, '_>) -> Result<Vec<Bool>> {
    let values = args.items();
    values.into_iter().map(|value| args.lower.bool(value, args.ludeme)).collect()
}

fn and(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    Ok(Bool::All(parts(args)?))
}

fn or(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    Ok(Bool::Any(parts(args)?))
}

fn not(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    Ok(Bool::Not(Box::new(args.bool("boolean")?)))
}

fn xor(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    Ok(Bool::of(Xor { parts: parts(args)? }))
}

fn choose(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (condition, yes) = (args.bool("boolean")?, args.bool("boolean")?);
    Ok(Bool::of(If { condition, yes, no: args.try_bool("boolean")? }))
}

fn to_bool(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    match args.has("int") {
        true => Ok(Bool::of(ToBool { number: args.int("int")? })),
        false => args.not_zero(),
    }
}

node! {
    /// An odd number of conditions holds.
    struct Xor = "xor" { parts: Vec<Bool> }
}

impl Condition for Xor {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.parts.iter().fold(false, |odd, part| odd != part.holds(c))
    }
}

node! {
    /// One of two conditions, or none.
    struct If = "if" { condition: Bool, yes: Bool, no: Option<Bool> }
}

impl Condition for If {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        match self.condition.holds(c) {
            true => self.yes.holds(c),
            false => self.no.as_ref().is_some_and(|no| no.holds(c)),
        }
    }
}

node! {
    /// A number that is not 0.
    struct ToBool = "toBool" { number: Int }
}

impl Condition for ToBool {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.number.get(c) != 0
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn conditions_are_joined() {
        assert!(holds("", "(and (= 1 1) (not (= 1 2)))") && !holds("", "(and (= 1 1) (= 1 2))"));
        assert!(holds("", "(or (= 1 2) (= 1 1))") && !holds("", "(or (= 1 2) (= 2 1))"));
        assert!(holds("", "(xor (= 1 2) (= 1 1))") && !holds("", "(xor (= 1 1) (= 2 2))"));
        assert!(holds("", "(if (= 1 2) (= 1 1) (= 2 2))"));
    }
}
