//! `(counter)`, `(set Counter …)`, `(pot)`, `(set Pot …)`, `(var …)`, `(set Var …)`: numbers that rules keep.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number(
        "counter",
        "How many moves were made since the counter was set.",
        "(= (counter) 99)",
        |_| Ok(Int::of(Counter {})),
    )
    .needs(Parts::COUNTER),
    number("pot", "What all players have staked.", "(pot)", |_| Ok(Int::of(Pot {}))),
    number(
        "var [string]",
        "The value of the variable; -1 before it is set.",
        "(= (var \"Phase\") 1)",
        |args| {
            let name = args.text("string").unwrap_or_default();
            Ok(Int::of(Var { number: args.lower.var(name) }))
        },
    ),
    effect(
        "set Var [string] [int] [then]",
        "The variable gets a value.",
        "(set Var \"Phase\" 1)",
        |args| {
            let name = args.text("string").unwrap_or_default();
            let number = args.lower.var(name);
            Ok(Box::new(SetVar { number, value: args.int_or("int", OFF)? }))
        },
    ),
    effect(
        "set setValueType=Counter [int] [then]",
        "The counter gets a value, -1 where it is left out.",
        "(set Counter)",
        |args| Ok(Box::new(SetCounter { value: args.int_or("int", -1)? })),
    ),
    effect("set setValueType=Pot [int] [then]", "The pot gets a value.", "(set Pot 10)", |args| {
        Ok(Box::new(SetPot { value: args.int("int")? }))
    }),
];

node! {
    /// The counter.
    struct Counter = "counter", reads COUNTER {}
}

impl Number for Counter {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.s.counter
    }
}

node! {
    /// The pot.
    struct Pot = "pot", reads SCORES {}
}

impl Number for Pot {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.s.pot
    }
}

node! {
    /// A variable.
    struct Var = "var", reads VARS { number: usize }
}

impl Number for Var {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.numbers.get(self.number).copied().unwrap_or(OFF)
    }
}

node! {
    /// A variable gets a value.
    struct SetVar = "set Var", writes VARS { number: usize, value: Int }
}

impl Generate for SetVar {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let value = self.value.get(c);
        out.effect(Action::Number(self.number as u16, value));
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

node! {
    /// The counter gets a value.
    struct SetCounter = "set Counter", writes COUNTER { value: Int }
}

impl Generate for SetCounter {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let value = self.value.get(c);
        out.effect(Action::Counter(value));
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

node! {
    /// The pot gets a value.
    struct SetPot = "set Pot", writes SCORES { value: Int }
}

impl Generate for SetPot {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let value = self.value.get(c);
        out.effect(Action::Pot(value));
    }

    fn is_narrow(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn a_variable_keeps_its_value() {
        let set = |value: i32| {
            let seen = "(if (= 5 (var \"Seen\")) (remove 0))";
            format!("(move Add (to (sites Empty)) (then (set Var \"Seen\" {value} (then {seen}))))")
        };
        assert_eq!(after("(place \"Disc1\" 0)", &set(5), 8), "8:1");
        assert_eq!(after("(place \"Disc1\" 0)", &set(4), 8), "0:1 8:1");
    }
}
