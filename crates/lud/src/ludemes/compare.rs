//! `(= …)`, `(!= …)`, `(< …)`, `(<= …)`, `(> …)`, `(>= …)`: comparisons of numbers and regions.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition("= int (int | roleType)", "Both numbers are equal.", "(= (count Moves) 3)", |args| {
        compare(args, Equal)
    }),
    condition(
        "= region region",
        "Both regions have the same sites.",
        "(= (sites Occupied by:P1) (sites P1))",
        |args| same(args, true),
    ),
    condition(
        ">= int int",
        "The first number is at least the second.",
        "(>= (score Mover) 5)",
        |args| compare(args, AtLeast),
    ),
    condition("> int int", "The first number is greater.", "(> (score Mover) 5)", |args| {
        compare(args, Greater)
    }),
    condition(
        "<= int int",
        "The first number is at most the second.",
        "(<= (count Moves) 9)",
        |args| compare(args, AtMost),
    ),
    condition("< int int", "The first number is smaller.", "(< (count Moves) 9)", |args| {
        compare(args, Less)
    }),
    condition("!= int (int | roleType)", "The numbers differ.", "(!= (mover) P1)", |args| {
        compare(args, Differ)
    }),
    condition(
        "!= region region",
        "The regions differ.",
        "(!= (sites Occupied by:P1) (sites P1))",
        |args| same(args, false),
    ),
];

/// Compares two numbers.
trait Relation: Send + Sync + 'static {
    const NAME: &'static str;

    /// Is it equality?
    const EQUALITY: bool = false;

    fn holds(a: i32, b: i32) -> bool;

    /// Owners for which the relation holds with these.
    fn owners(_: Owners) -> Option<Owners> {
        None
    }
}

macro_rules! relation {
    ($($name:ident $text:literal $sign:tt)*) => {$(
        struct $name;

        impl Relation for $name {
            const NAME: &'static str = $text;

            fn holds(a: i32, b: i32) -> bool {
                a $sign b
            }
        }
    )*};
}

relation! { AtLeast ">=" >=  Greater ">" >  AtMost "<=" <=  Less "<" < }

struct Equal;

impl Relation for Equal {
    const NAME: &'static str = "=";

    const EQUALITY: bool = true;

    fn holds(a: i32, b: i32) -> bool {
        a == b
    }

    fn owners(owners: Owners) -> Option<Owners> {
        Some(owners)
    }
}

struct Differ;

impl Relation for Differ {
    const NAME: &'static str = "!=";

    fn holds(a: i32, b: i32) -> bool {
        a != b
    }

    fn owners(owners: Owners) -> Option<Owners> {
        Some(Owners::Not(Box::new(owners)))
    }
}

fn compare<R: Relation>(args: &mut Args<'_, '_, '_>, _: R) -> Result<Bool> {
    let a = args.int("int")?;
    let b = args.player(&["int", "roleType"])?;
    Ok(Bool::of(Compare::<R> { a, b, relation: std::marker::PhantomData }))
}

fn same(args: &mut Args<'_, '_, '_>, equal: bool) -> Result<Bool> {
    let same = Bool::of(Same { a: args.region("region")?, b: args.region("region")? });
    Ok(if equal { same } else { Bool::Not(Box::new(same)) })
}

/// Compares two numbers.
struct Compare<R> {
    a: Int,
    b: Int,
    relation: std::marker::PhantomData<R>,
}

impl<R: Relation> Node for Compare<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("a", &self.a);
        visit("b", &self.b);
    }
}

impl<R: Relation> Condition for Compare<R> {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let a = self.a.get(c);
        R::holds(a, self.b.get(c))
    }

    fn same_sites(&self) -> Option<(Place, Place)> {
        let sites = (Place::of_number(&self.a)?, Place::of_number(&self.b)?);
        R::EQUALITY.then_some(sites)
    }

    fn owners(&self) -> Option<(Owners, Place)> {
        let (place, player) = match (Place::of_owner(&self.a), Place::of_owner(&self.b)) {
            (Some(place), None) => (place, &self.b),
            (None, Some(place)) => (place, &self.a),
            _ => return None,
        };
        Some((R::owners(Owners::player(player)?)?, place))
    }
}

node! {
    /// Two regions with the same sites.
    struct Same = "=" { a: Region, b: Region }
}

impl Condition for Same {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.a.of(c, |c, a| self.b.of(c, |_, b| a == b))
    }
}
