//! Lists of numbers: `(array …)`, `(union …)`, `(difference …)`, `(intersection …)`, `(if …)`, `(results …)`, `(team)`,
//! and what is asked of them: `(arrayValue …)`, `(size Array …)`, `(regionSite …)`.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    list("array region", "The sites of the region.", "(array (sites Corners))", |args| {
        args.ints("region")
    }),
    list("array {int}", "These numbers.", "(array {1 2 3})", |args| args.ints("{int}")),
    list(
        "team",
        "The players of the mover's side, or of the team that is gone through.",
        "(team)",
        |_| Ok(Ints::of_node(Team {})),
    ),
    list(
        "difference ints (ints | int)",
        "The first list without the numbers of the second.",
        "(difference (array {1 2}) 2)",
        |args| {
            let mut all = parts(args)?.into_iter();
            let (Some(a), Some(b)) = (all.next(), all.next()) else {
                return Err(args.unsupported());
            };
            Ok(Ints::of_node(Difference { a, b }))
        },
    ),
    list(
        "if boolean ints [ints]",
        "The first list if the condition holds, else the second.",
        "(if (is Full) (array {1}) (array {2}))",
        |args| {
            let (condition, yes) = (args.bool("boolean")?, args.ints("ints")?);
            let no = if args.has("ints") { Some(args.ints("ints")?) } else { None };
            Ok(Ints::of_node(If { condition, yes, no }))
        },
    ),
    list(
        "intersection ints ints",
        "The numbers of the first list that are in the second.",
        "(intersection (array {1 2}) (array {2 3}))",
        |args| Ok(Ints::of_node(Intersection { lists: parts(args)? })),
    ),
    list(
        "intersection {ints}",
        "The numbers of the first list that are in all others.",
        "(intersection {(array {1 2}) (array {2 3})})",
        |args| Ok(Ints::of_node(Intersection { lists: parts(args)? })),
    ),
    list(
        "results (from:int | From:region) (to:int | To:region) int",
        "The number for each `(from)` and `(to)`.",
        "(max (results from:(last To) to:(sites Board) (to)))",
        |args| {
            let (from, to) = (args.region("from")?, args.region("to")?);
            Ok(Ints::of_node(Results { from, to, value: args.int("int")? }))
        },
    ),
    list(
        "union ints ints",
        "Both lists, one after the other.",
        "(union (array {1}) (array {2}))",
        |args| Ok(Ints::of_node(Union { lists: parts(args)? })),
    ),
    list(
        "union {ints}",
        "All lists, one after the other.",
        "(union {(array {1}) (array {2})})",
        |args| Ok(Ints::of_node(Union { lists: parts(args)? })),
    ),
    number(
        "arrayValue ints index:int",
        "A number of the list, from 0; -1 beyond its end.",
        "(arrayValue (array {5 7}) index:1)",
        |args| Ok(Int::of(ArrayValue { list: args.ints("ints")?, index: args.int("index")? })),
    ),
    number(
        "size Array ints",
        "The length of the list.",
        "(size Array (values Remembered))",
        |args| Ok(Int::of(SizeArray { list: args.ints("ints")? })),
    )
    .on_board(),
    number(
        "regionSite region index:int",
        "A site of the region, from 0; -1 beyond its end.",
        "(regionSite (sites Corners) index:0)",
        |args| {
            Ok(Int::of(RegionSite { region: args.region("region")?, index: args.int("index")? }))
        },
    ),
];

/// The lists that one is made of. A number alone is a list of one.
fn parts(args: &mut Args<'_, '_, '_>) -> Result<Vec<Ints>> {
    let values = args.items();
    let ludeme = args.ludeme;
    let lower = &mut *args.lower;
    let one = |value: &Value| match value {
        Value::Call(call) if call.signature().result == "int" => {
            Ok(Ints::of_node(Numbers { numbers: vec![lower.int(value, ludeme)?] }))
        }
        Value::Int(_) | Value::Word(_) => {
            Ok(Ints::of_node(Numbers { numbers: vec![lower.int(value, ludeme)?] }))
        }
        _ => lower.int_list(value, ludeme),
    };
    values.into_iter().map(one).collect()
}

/// The list of these numbers.
pub(crate) fn numbers(numbers: Vec<Int>) -> Ints {
    Ints::of_node(Numbers { numbers })
}

/// The sites of a region.
pub(crate) fn sites(region: Region) -> Ints {
    Ints::of_node(SitesOf { region })
}

node! {
    /// The list of these numbers.
    struct Numbers = "array", iterators NONE { numbers: Vec<Int> }
}

impl NumberList for Numbers {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        out.extend(self.numbers.iter().map(|number| number.get(c)));
    }
}

node! {
    /// The sites of a region.
    struct SitesOf = "array", iterators NONE { region: Region }
}

impl NumberList for SitesOf {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        self.region.of(c, |_, sites| out.extend(sites.iter()));
    }
}

node! {
    /// The players of the mover's side.
    struct Team = "team", reads TEAMS | TURN {}
}

impl NumberList for Team {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        let (mover, team, layout) = (c.state.s.mover, c.at.team, c.rules.layout);
        let own = (1..=c.equipment.players).filter(|&player| match team {
            OFF => c.friends(player, mover),
            team => c.state.numbers[layout.team(player)] == team,
        });
        out.extend(own.map(|player| player as i32));
    }
}

node! {
    /// Lists one after the other.
    struct Union = "union", iterators NONE { lists: Vec<Ints> }
}

impl NumberList for Union {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        self.lists.iter().for_each(|list| list.fill(c, out));
    }
}

node! {
    /// Multiset difference: each value stays as many times as the first list has more of it.
    struct Difference = "difference", iterators NONE { a: Ints, b: Ints }
}

impl NumberList for Difference {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        let first = out.len();
        self.a.fill(c, out);
        self.b.of(c, |_, list| {
            for &value in &*list {
                let at = out.iter().skip(first).position(|&other| other == value);
                at.map(|at| out.remove(first + at));
            }
        });
    }
}

node! {
    /// The numbers of the first list that are in all others.
    struct Intersection = "intersection", iterators NONE { lists: Vec<Ints> }
}

impl NumberList for Intersection {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        let Some((first, others)) = self.lists.split_first() else { return };
        first.of(c, |c, list| {
            for other in others {
                other.of(c, |_, other| list.retain(|value| other.contains(value)));
            }
            out.append(list);
        });
    }
}

node! {
    /// One of two lists, or none.
    struct If = "if", iterators NONE { condition: Bool, yes: Ints, no: Option<Ints> }
}

impl NumberList for If {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        match (self.condition.holds(c), &self.no) {
            (true, _) => self.yes.fill(c, out),
            (false, Some(no)) => no.fill(c, out),
            (false, None) => {}
        }
    }
}

node! {
    /// A number for each pair of sites.
    struct Results = "results" { from: Region, to: Region, value: Int }
}

impl NumberList for Results {
    fn fill(&self, c: &mut Context<'_>, out: &mut Vec<i32>) {
        // One origin is gone through even if it is no site (decided by Plotto, ply 0).
        if let Region::One(from) = &self.from {
            let from = from.get(c);
            return c.with(Registers { from, ..c.at }, |c| {
                self.to.each(c, |c, to| {
                    out.push(c.with(Registers { to, ..c.at }, |c| self.value.get(c)));
                    true
                });
            });
        }
        self.from.each(c, |c, from| {
            c.with(Registers { from, ..c.at }, |c| {
                self.to.each(c, |c, to| {
                    out.push(c.with(Registers { to, ..c.at }, |c| self.value.get(c)));
                    true
                });
            });
            true
        });
    }
}

node! {
    /// A number of a list.
    struct ArrayValue = "arrayValue" { list: Ints, index: Int }
}

impl Number for ArrayValue {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let index = usize::try_from(self.index.get(c)).unwrap_or(usize::MAX);
        self.list.of(c, |_, list| list.get(index).copied().unwrap_or(OFF))
    }
}

node! {
    /// The length of a list.
    struct SizeArray = "size Array" { list: Ints }
}

impl Number for SizeArray {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.list.of(c, |_, list| list.len() as i32)
    }
}

node! {
    /// A site of a region.
    struct RegionSite = "regionSite" { region: Region, index: Int }
}

impl Number for RegionSite {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let index = usize::try_from(self.index.get(c)).unwrap_or(usize::MAX);
        self.region.of(c, |_, sites| sites.iter().nth(index).unwrap_or(OFF))
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::number;

    #[test]
    fn lists_are_joined_cut_and_looked_into() {
        assert_eq!(number("", "(size Array (union (array {1 2}) (array {2 3})))"), 4);
        assert_eq!(number("", "(size Array (intersection (array {1 2}) (array {2 3})))"), 1);
        // Each value stays as often as the first list has more of it.
        assert_eq!(number("", "(size Array (difference (array {1 2 2}) 2))"), 2);
        assert_eq!(number("", "(arrayValue (array {5 7}) index:1)"), 7);
        assert_eq!(number("", "(regionSite (sites Top) index:1)"), 7);
        assert_eq!(number("", "(max (results from:0 to:(sites {3 5}) (to)))"), 5);
    }
}
