//! `(is Repeat …)` and `(is Cycle)`: has the position been there before?

use super::prelude::*;
use crate::engine::repeat;
use crate::engine::rules::Repeat;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isSimpleType=Cycle",
        "The same positions have followed one another three times.",
        "(end (if (is Cycle) (result Mover Draw)))",
        |_| Ok(Bool::of(IsCycle {})),
    )
    .looks_ahead(),
    condition(
        "is Repeat [repetitionType]",
        "The position has been there before.",
        "(if (is Repeat Positional) (result Mover Loss))",
        read,
    ),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let repeat = Repeat::named(args.word("repetitionType").unwrap_or("Positional"));
    args.lower.repeat = Some(repeat.ok_or_else(|| args.unsupported())?);
    Ok(Bool::of(IsRepeat {}))
}

node! {
    /// The position has been there before, see `Rules::repeat`.
    struct IsRepeat = "is Repeat", reads HISTORY | CELLS {}
}

impl Condition for IsRepeat {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        repeat::repeated(c)
    }
}

node! {
    /// Play goes round in circles.
    struct IsCycle = "is Cycle", reads TRAIL | CELLS {}
}

impl Condition for IsCycle {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        repeat::cycle(c)
    }
}
