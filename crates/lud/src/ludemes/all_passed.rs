//! `(all Passed)`, `(all DiceUsed)`, `(all DiceEqual)`: facts of all players or all dice.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "all allSimpleType=DiceUsed",
        "All dice of this turn are used.",
        "(if (not (all DiceUsed)) (moveAgain))",
        |_| Ok(Bool::of(DiceUsed {})),
    ),
    condition(
        "all allSimpleType=DiceEqual",
        "All dice show the same.",
        "(if (all DiceEqual) (moveAgain))",
        |_| Ok(Bool::of(DiceEqual {})),
    ),
    condition(
        "all allSimpleType=Passed",
        "All players passed one after the other.",
        "(end (if (all Passed) (byScore)))",
        |_| Ok(Bool::of(AllPassed {})),
    )
    .needs(Parts::PASSES),
];

node! {
    /// All players passed.
    struct AllPassed = "all Passed", reads PASSES {}
}

impl Condition for AllPassed {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        c.state.s.passes as usize >= c.equipment.players
    }
}

node! {
    /// All dice are used.
    struct DiceUsed = "all DiceUsed", reads DICE {}
}

impl Condition for DiceUsed {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let layout = c.rules.layout;
        (0..layout.dice).all(|die| c.state.numbers[layout.die(die)] == 0)
    }
}

node! {
    /// All dice show the same.
    struct DiceEqual = "all DiceEqual", reads DICE {}
}

impl Condition for DiceEqual {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        c.state.s.dice_equal
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::played;

    #[test]
    fn all_have_passed_when_nobody_moved_in_a_round() {
        let end = "(if (all Passed) (result P1 Win))";
        assert!(!played("", "(move Pass)", end, 1).s.over);
        assert!(played("", "(move Pass)", end, 2).s.over);
    }
}
