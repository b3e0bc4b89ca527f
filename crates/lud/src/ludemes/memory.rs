//! `(remember …)`, `(forget …)`, `(values Remembered …)`: values and positions that rules keep in mind.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    list(
        "values Remembered [string]",
        "The values that are remembered, under a name or without one.",
        "(is In (to) (values Remembered))",
        |args| {
            let name = args.text("string").unwrap_or_default();
            Ok(Ints::Remembered(args.lower.memory(name).into()))
        },
    ),
    effect(
        "forget Value [string] All [then]",
        "All values are forgotten: of the name, or of all names.",
        "(forget Value All)",
        |args| {
            let name = args.text("string").map(|name| args.lower.memory(name));
            Ok(Box::new(ForgetAll { name: name.unwrap_or(u16::MAX) }))
        },
    ),
    effect(
        "forget Value [string] int [then]",
        "A value is forgotten.",
        "(forget Value 3)",
        |args| {
            let name = args.text("string").unwrap_or_default();
            Ok(Box::new(Forget { name: args.lower.memory(name), value: args.int("int")? }))
        },
    ),
    effect(
        "remember Value [string] int [unique:boolean] [then]",
        "A value is remembered, once or as often as it comes.",
        "(remember Value (last To))",
        |args| {
            let name = args.text("string").unwrap_or_default();
            let (name, value) = (args.lower.memory(name), args.int("int")?);
            Ok(Box::new(Remember { name, value, unique: args.flag("unique", false)? }))
        },
    ),
    effect(
        "remember State [then]",
        "The position is kept in mind, see `avoidStoredState`.",
        "(remember State)",
        |_| Ok(Box::new(RememberState {})),
    )
    .needs(Parts::STORED),
];

node! {
    /// A value is remembered.
    struct Remember = "remember Value", reads MEMORY, writes MEMORY { name: u16, value: Int, unique: bool }
}

impl Generate for Remember {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let value = self.value.get(c);
        // A value that is there already is no effect, and nothing follows from it (decided by OffShore, "Weak Territory", ply 20).
        let known = c.state.remembered.get(usize::from(self.name));
        if self.unique && known.is_some_and(|values| values.contains(&value)) {
            return;
        }
        out.effect(Action::Remember(self.name, value, self.unique));
    }
}

node! {
    /// A value is forgotten.
    struct Forget = "forget Value", writes MEMORY { name: u16, value: Int }
}

impl Generate for Forget {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let value = self.value.get(c);
        out.effect(Action::Forget(self.name, value));
    }
}

node! {
    /// All values of a name are forgotten; of all names where it is the largest number.
    struct ForgetAll = "forget Value All", writes MEMORY { name: u16 }
}

impl Generate for ForgetAll {
    fn generate(&self, _: &mut Context<'_>, out: &mut Moves) {
        out.effect(Action::ForgetAll(self.name));
    }
}

node! {
    /// The position is kept in mind.
    struct RememberState = "remember State", reads CELLS, writes STORED {}
}

impl Generate for RememberState {
    fn generate(&self, _: &mut Context<'_>, out: &mut Moves) {
        out.effect(Action::Store);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn values_are_remembered_until_they_are_forgotten() {
        let known = "(if (is In 7 (values Remembered)) (remove 0))";
        let remember =
            format!("(move Add (to (sites Empty)) (then (remember Value 7 (then {known}))))");
        assert_eq!(after("(place \"Disc1\" 0)", &remember, 8), "8:1");
        let forget = format!("(remember Value 7 (then (forget Value 7 (then {known}))))");
        let forget = format!("(move Add (to (sites Empty)) (then {forget}))");
        assert_eq!(after("(place \"Disc1\" 0)", &forget, 8), "0:1 8:1");
    }
}
