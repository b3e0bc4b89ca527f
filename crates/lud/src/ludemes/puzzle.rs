//! Deduction puzzles: `(satisfy …)`, `(forAll …)`, `(all Different …)`, `(is Solved)`, `(is Unique)`, `(is Count …)`, `(is Sum …)`, `(hint)`.
//!
//! A puzzle has variables: the sites of the kinds that `(values …)` of the board names, each with its range. A move gives a variable a
//! value. A constraint is a condition that holds as long as the values that are known do not contradict it, so that
//! half a solution satisfies it, too. The value of a variable is kept as the value of its site, plus one; 0 is no value yet.

use super::part;
use super::prelude::*;
use crate::board::SiteType;
use crate::compile::Ludeme;
use crate::engine::lower::Lower;
use crate::engine::perform::perform;
use std::sync::Arc;

pub(super) const FORMS: &[Form] = &[
    effect(
        "satisfy (boolean | {boolean})",
        "Give a variable a value that contradicts no constraint.",
        "(satisfy {(all Different) (is Sum 5)})",
        |args| {
            let constraints =
                args.take_any(&["boolean", "{boolean}"]).map_or(&[][..], Value::items);
            let constraints = constraints.iter().map(|one| args.lower.bool(one, args.ludeme));
            let constraints = constraints.collect::<Result<Vec<Bool>>>()?;
            let variables = Table(variables(args.lower, args.ludeme)?);
            Ok(Box::new(Satisfy { constraints, variables }))
        },
    )
    .constrains()
    .needs(Parts::VALUES),
    condition(
        "is Solved",
        "All variables have a value, and all constraints hold.",
        "(is Solved)",
        |args| {
            let mut given = Vec::new();
            args.lower.game.clone().walk(&mut |ludeme: &Ludeme| {
                if ludeme.reader().is_some_and(|(form, _)| form.constrains) {
                    given.extend(ludeme.values().flat_map(Value::items).cloned());
                }
            });
            let constraints = given.iter().map(|one| args.lower.bool(one, args.ludeme));
            let constraints = constraints.collect::<Result<Vec<Bool>>>()?;
            let variables = Table(variables(args.lower, args.ludeme)?);
            Ok(Bool::of(IsSolved { constraints, variables }))
        },
    ),
    condition(
        "forAll puzzleElementType boolean",
        "The constraint holds for each element or clue, whose site is `(from)`.",
        "(forAll Hint (is Count (sites Around (from) includeSelf:True) of:1 (hint)))",
        for_all,
    ),
    condition(
        "all Different [siteType] [region] ([except:int] | [excepts:{int}])",
        "No value stands twice in the region, or in one of the regions of the board.",
        "(all Different except:0)",
        |args| {
            let regions = regions(args)?;
            let mut excepts = args.int_items("excepts")?;
            excepts.extend(args.try_int("except")?);
            Ok(Bool::of(AllDifferent { regions, excepts }))
        },
    )
    .on_all_kinds()
    .own_sites(),
    condition(
        "is Unique [siteType]",
        "No two regions of the board have the same values in the same order.",
        "(is Unique)",
        |args| {
            args.take("siteType");
            let regions = regions(args)?;
            Ok(Bool::of(IsUnique { regions }))
        },
    )
    .own_sites(),
    condition(
        "is isPuzzleRegionResultType=Count [siteType] [region] [of:int] [string] int",
        "So many sites of the region have the value, which is 1 where it is left out.",
        "(is Count (sites Around (from)) of:1 (hint))",
        |args| total(args, false),
    )
    .own_sites(),
    condition(
        "is isPuzzleRegionResultType=Sum [siteType] [region] [of:int] [string] int",
        "The values of the region add up to the number.",
        "(is Sum (sites Row 0) 10)",
        |args| total(args, true),
    )
    .own_sites(),
    number(
        "hint [siteType] [at:int]",
        "The number of the clue on the site, or on `(from)`; -1 for none.",
        "(is Count of:1 (hint))",
        |args| {
            let at = args.try_int("at")?.unwrap_or(Int::From);
            args.take("siteType");
            let mut clues = Vec::new();
            for hint in &args.lower.equipment.hints {
                let kind = hint.kind.unwrap_or(args.lower.equipment.board.sites);
                if let (Some(&first), Some(value)) = (hint.sites.first(), hint.value) {
                    clues.push((args.lower.equipment.converted(first, kind), value));
                }
            }
            Ok(Int::of(HintAt { at, clues: Table(clues) }))
        },
    )
    .own_sites(),
    region(
        "sites sitesSimpleType=Hint [siteType]",
        "The sites of the clue whose first site is `(from)`; the sites of all clues where it is none.",
        "(forAll Hint (is Sum (sites Hint) (hint)))",
        |args| {
            let clues = clues(args.lower).collect();
            Ok(Region::of_node(SitesHint { clues: Table(clues) }))
        },
    ),
    start(
        "set [siteType] {{int}}",
        "Variables have values from the beginning: a site and its value each.",
        "(set {{0 3} {4 1}})",
        |args| {
            let pairs = args.value("{{int}}")?.items();
            let kind = args.kind();
            let mut values = Vec::new();
            for pair in pairs {
                let numbers = pair.items().iter().map(|one| args.lower.int(one, args.ludeme));
                let mut numbers = numbers.collect::<Result<Vec<Int>>>()?.into_iter();
                match (numbers.next(), numbers.next(), numbers.next()) {
                    (Some(site), Some(value), None) => {
                        values.push((args.lower.site_on(site, kind), value));
                    }
                    _ => return Err(args.unsupported()),
                }
            }
            let node: Generator = Box::new(SetValues { values });
            Ok(crate::engine::opening::Opening::Rule(node))
        },
    )
    .on_all_kinds()
    .own_sites()
    .needs(Parts::VALUES),
    part(
        "values",
        "values siteType range",
        "The values that the variables of a puzzle may have.",
        "(values Cell (range 1 4))",
    ),
];

/// A variable: its site, and its least and greatest value.
type Variable = (i32, i32, i32);

/// The variables of the puzzle.
fn variables(lower: &mut Lower<'_>, of: &Ludeme) -> Result<Vec<Variable>> {
    let mut ranges = Vec::new();
    let game: Arc<Ludeme> = lower.game.clone();
    game.walk(&mut |ludeme: &Ludeme| {
        if ludeme.signature().result == "values" {
            let word = ludeme.values().find_map(Value::word);
            ranges.push((word.and_then(SiteType::named), ludeme.values().find_map(Value::call)));
        }
    });
    let mut all = Vec::new();
    for (kind, range) in &ranges {
        let numbers = range.iter().flat_map(|range| range.values());
        let numbers = numbers.map(|value| Ok(lower.int(value, of)?.fixed()));
        let numbers: Option<Vec<i32>> = numbers.collect::<Result<Vec<_>>>()?.into_iter().collect();
        let Some([least, most]) = numbers.as_deref() else {
            return Err(crate::compile::slots::unsupported(of));
        };
        let kind = kind.unwrap_or(lower.equipment.board.sites);
        all.extend(lower.equipment.sites_on(kind).iter().map(|site| (site, *least, *most)));
    }
    if ranges.is_empty() {
        all.extend(lower.equipment.on_board.iter().map(|site| (site, 0, 1)));
    }
    Ok(all)
}

/// The sites of each clue.
pub(crate) fn clues<'a>(lower: &'a Lower<'_>) -> impl Iterator<Item = Sites> + 'a {
    let equipment = lower.equipment;
    equipment.hints.iter().map(move |hint| {
        let kind = hint.kind.unwrap_or(equipment.board.sites);
        lower.sites_of(hint.sites.iter().map(|&site| equipment.converted(site, kind)))
    })
}

/// The region that a form names; the regions of the board, or those of a name, where it names none.
fn regions(args: &mut Args<'_, '_, '_>) -> Result<Vec<Region>> {
    let named = args.named_kind().is_some();
    args.take("siteType");
    if let Some(value) = args.take("region") {
        let region = args.lower.region(value, args.ludeme)?;
        return Ok(vec![if named { args.on_kind(region) } else { region }]);
    }
    let name = args.text("string");
    let equipment = args.lower.equipment;
    let mut list = Vec::new();
    for region in equipment.regions.iter().filter(|r| name.is_none_or(|name| r.name == name)) {
        if region.sites.iter().all(|value| matches!(value, Value::Int(_))) {
            list.push(args.lower.region_values(&region.sites, args.ludeme)?);
            continue;
        }
        for value in &region.sites {
            match value {
                Value::Word(kind) => {
                    let sets = args.lower.static_regions(kind);
                    let sets = sets.ok_or_else(|| args.unsupported())?;
                    list.extend(sets.into_iter().map(Region::Fixed));
                }
                value => list.push(args.lower.region(value, args.ludeme)?),
            }
        }
    }
    Ok(list)
}

/// The value of a variable, if it is known.
fn known(c: &Context<'_>, site: i32) -> Option<i32> {
    let value = i32::from(c.cell(site).value);
    (value > 0).then_some(value - 1)
}

/// The number that is kept for a value.
fn kept(value: i32) -> i16 {
    value.saturating_add(1).clamp(0, i32::from(i16::MAX)) as i16
}

/// Sets what is kept for a variable.
fn set(c: &mut Context<'_>, at: i32, value: i16) {
    c.pad.known.change();
    perform(c.equipment, c.rules, c.state, Action::Value { at, level: -1, value });
}

node! {
    /// A variable gets a value.
    struct Satisfy = "satisfy", reads VALUES, writes VALUES { constraints: Vec<Bool>, variables: Table<Vec<Variable>> }
}

impl Generate for Satisfy {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let mover = c.state.s.mover;
        for &(at, least, most) in self.variables.iter() {
            if known(c, at).is_some() {
                continue;
            }
            for value in least..=most {
                set(c, at, kept(value));
                let good = self.constraints.iter().all(|constraint| constraint.holds(c));
                set(c, at, 0);
                if good {
                    let set = Action::Value { at, level: -1, value: kept(value) };
                    let head = out.push(mover, Kind::Set, at, at, set);
                    head.extra = value.max(0) as u16;
                }
                if out.full() {
                    return;
                }
            }
        }
    }
}

node! {
    /// The puzzle is solved.
    struct IsSolved = "is Solved", reads VALUES { constraints: Vec<Bool>, variables: Table<Vec<Variable>> }
}

impl Condition for IsSolved {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.variables.iter().all(|&(site, _, _)| known(c, site).is_some())
            && self.constraints.iter().all(|constraint| constraint.holds(c))
    }
}

fn for_all(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let word = args.word("puzzleElementType").unwrap_or_default();
    let equipment = args.lower.equipment;
    let sites: Vec<i32> = match SiteType::named(word) {
        Some(kind) if equipment.has_kind(kind) => equipment.sites_on(kind).iter().collect(),
        Some(kind) => (0..equipment.board.topology.elements(kind).len() as i32).collect(),
        None => {
            let first = |hint: &crate::engine::equipment::Hint| {
                let kind = hint.kind.unwrap_or(equipment.board.sites);
                hint.sites.first().map(|&site| equipment.converted(site, kind))
            };
            equipment.hints.iter().filter_map(first).collect()
        }
    };
    Ok(Bool::of(ForAll { sites: Table(sites), condition: args.bool("boolean")? }))
}

node! {
    /// A constraint holds for each of some sites.
    struct ForAll = "forAll" { sites: Table<Vec<i32>>, condition: Bool }
}

impl Condition for ForAll {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.sites.iter().all(|&site| {
            let at = Registers { from: site, to: site, site, ..c.at };
            self.condition.holds_at(c, at)
        })
    }
}

node! {
    /// No value stands twice.
    struct AllDifferent = "all Different", reads VALUES { regions: Vec<Region>, excepts: Vec<Int> }
}

impl Condition for AllDifferent {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let mut seen = c.list();
        let mut excepts = c.list();
        excepts.extend(self.excepts.iter().map(|value| value.get(c)));
        let good = self.regions.iter().all(|region| {
            seen.clear();
            !region.any(c, |c, site| {
                let value = known(c, site).filter(|value| !excepts.contains(value));
                let twice = value.is_some_and(|value| seen.contains(&value));
                seen.extend(value);
                twice
            })
        });
        c.free_list(seen);
        c.free_list(excepts);
        good
    }
}

node! {
    /// No two regions have the same values.
    struct IsUnique = "is Unique", reads VALUES { regions: Vec<Region> }
}

impl Condition for IsUnique {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        // The values of all regions whose values are all known, one region after the other.
        let (mut all, mut ends) = (c.list(), c.list());
        for region in &self.regions {
            let first = all.len();
            let unknown = region.any(c, |c, site| match known(c, site) {
                Some(value) => {
                    all.push(value);
                    false
                }
                None => true,
            });
            match unknown {
                true => all.truncate(first),
                false => ends.push(all.len() as i32),
            }
        }
        let part = |number: usize| {
            let first = if number == 0 { 0 } else { ends[number - 1] };
            &all[first as usize..ends[number] as usize]
        };
        let good = (0..ends.len()).all(|one| (0..one).all(|other| part(one) != part(other)));
        c.free_list(all);
        c.free_list(ends);
        good
    }
}

fn total(args: &mut Args<'_, '_, '_>, sum: bool) -> Result<Bool> {
    let regions = regions(args)?;
    let of = args.int_or("of", 1)?;
    Ok(Bool::of(Total { regions, of, sum, result: args.int("int")? }))
}

node! {
    /// The sum of values, or the number of sites with a value.
    struct Total = "is Sum", reads VALUES { regions: Vec<Region>, of: Int, sum: bool, result: Int }
}

impl Condition for Total {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (result, of) = (self.result.get(c), self.of.get(c));
        self.regions.iter().all(|region| {
            let (mut total, mut all) = (0i32, true);
            region.each(c, |c, site| {
                match known(c, site) {
                    None => all = false,
                    Some(value) if self.sum => total = total.saturating_add(value),
                    Some(value) => total += i32::from(value == of),
                }
                true
            });
            if all { total == result } else { total <= result }
        })
    }
}

node! {
    /// The number of a clue.
    struct HintAt = "hint" { at: Int, clues: Table<Vec<(i32, i32)>> }
}

impl Number for HintAt {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let at = self.at.get(c);
        self.clues.iter().find(|(site, _)| *site == at).map_or(OFF, |&(_, value)| value)
    }
}

node! {
    /// The sites of clues.
    struct SitesHint = "sites Hint" { clues: Table<Vec<Sites>> }
}

impl SiteSet for SitesHint {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let from = c.at.from;
        let own = self.clues.iter().find(|clue| clue.first() == Some(from));
        match own {
            Some(clue) => out.add(clue.words()),
            None => self.clues.iter().for_each(|clue| out.add(clue.words())),
        }
    }
}

node! {
    /// Variables have values.
    struct SetValues = "set", writes VALUES { values: Vec<(Int, Int)> }
}

impl Generate for SetValues {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        for (site, value) in &self.values {
            let (at, value) = (site.get(c), kept(value.get(c)));
            out.effect(Action::Value { at, level: -1, value });
        }
    }
}

node! {
    /// The value of a variable, where `(what …)` asks for it.
    pub(super) struct Assigned = "what", reads VALUES { pub(super) at: Int }
}

impl Number for Assigned {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let at = self.at.get(c);
        known(c, at).unwrap_or(0)
    }
}
