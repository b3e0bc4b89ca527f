//! `(place …)`: pieces that lie on the board or in hands when a game begins.

use super::prelude::*;
use crate::engine::opening::Opening;

pub(super) const FORMS: &[Form] = &[
    start("place string [string] [siteType] [int] [coord:string] [count:int] [state:int] [rotation:int] [value:int]",
        "Pieces on a site, or in hands.", "(place \"Pawn\" \"Hand\" count:9)", |args| read(args, false)).on_all_kinds().sites_in(&["int"])
        .counts("count"),
    start("place string [siteType] [{int}] [region] [{string}] [counts:{int}] [state:int] [rotation:int] [value:int]",
        "A piece on each of the sites.", "(place \"Pawn1\" (sites Row 1))", |args| read(args, false)).on_all_kinds()
        .counts("counts"),
    start("place Stack (string | items:{string}) [string] [siteType] ([int] | [{int}] | [region] | [coord:string] | [{string}]) ([count:int] | [counts:{int}]) [state:int] [rotation:int] [value:int]",
        "A stack of pieces on each of the sites.", "(place Stack items:{\"Disc1\" \"Disc2\"} 4)", |args| read(args, true)).on_all_kinds().sites_in(&["int"])
        .needs(Parts::STACKS),
];

fn read(args: &mut Args<'_, '_, '_>, stack: bool) -> Result<Opening> {
    let items = args.take("items").or_else(|| args.take("string"));
    let items = items.map_or(&[][..], Value::items);
    let items: Vec<&str> = items.iter().filter_map(Value::text).collect();
    let places = match args.text("string") {
        Some("Hand") => hands(args, &items)?,
        Some(place) => {
            let site = named_site(args, place)?;
            vec![(kinds(args, &items)?, Region::Fixed(args.lower.sites_of([site])))]
        }
        None => sites(args, &items)?,
    };
    Ok(Opening::Rule(Box::new(Place {
        places,
        stack,
        count: args.int_or("count", 1)?,
        counts: args.int_items("counts")?,
        state: args.try_int("state")?,
        value: args.try_int("value")?,
        rotation: args.try_int("rotation")?,
    })))
}

/// The pieces of these names.
fn kinds(args: &Args<'_, '_, '_>, items: &[&str]) -> Result<Vec<u16>> {
    let kind = |name: &&str| args.lower.component(name).map(|what| what as u16);
    items.iter().map(kind).collect::<Option<Vec<u16>>>().ok_or_else(|| args.unsupported())
}

/// A site of a hand that is named, or of a label.
fn named_site(args: &mut Args<'_, '_, '_>, name: &str) -> Result<i32> {
    if !name.starts_with("Hand") {
        return args.lower.site(name).ok_or_else(|| args.unsupported());
    }
    let hand = args.lower.equipment.containers.iter().skip(1).find(|hand| hand.name == name);
    let hand = hand.ok_or_else(|| args.unsupported())?;
    let index = if args.has("int") { args.known_int("int")? } else { 0 };
    Ok(hand.from as i32 + index)
}

/// Pieces with the sites on which they are placed.
type Placed = (Vec<u16>, Region);

/// A piece of each player in each hand, on its first free site.
fn hands(args: &Args<'_, '_, '_>, items: &[&str]) -> Result<Vec<Placed>> {
    let equipment = args.lower.equipment;
    let mut places = Vec::new();
    for hand in equipment.containers.iter().skip(1).filter(|hand| hand.name.starts_with("Hand")) {
        // Any piece of this kind, or one piece.
        let of = |name: &&str| {
            let named = || {
                let what = equipment.components.iter().position(|kind| kind.name == **name)?;
                (what > 0 && equipment.components[what].owner == hand.owner).then_some(what)
            };
            let what = equipment.component_of(name, hand.owner).or_else(named);
            what.map(|what| what as u16)
        };
        if let Some(own) = items.iter().map(of).collect::<Option<Vec<u16>>>() {
            let (first, end) = (hand.from as i32, (hand.from + hand.sites) as i32);
            places.push((own, Region::One(Int::of(FirstFree { first, end }))));
        }
    }
    // No player who has a hand has such a piece.
    if places.is_empty() { Err(args.unsupported()) } else { Ok(places) }
}

/// The sites of a list one by one, so that a site that is named twice gets two pieces, or of a region.
fn sites(args: &mut Args<'_, '_, '_>, items: &[&str]) -> Result<Vec<Placed>> {
    let list = args.peek("{int}").or_else(|| args.peek("{string}"));
    let site = |value: &Value| match value {
        Value::Str(label) => args.lower.site(label),
        Value::Int(site) => Some(*site),
        _ => None,
    };
    let listed: Option<Vec<i32>> = list.and_then(|list| list.items().iter().map(site).collect());
    let Some(listed) = listed else {
        return Ok(vec![(kinds(args, items)?, args.start_sites()?)]);
    };
    args.take_any(&["{int}", "{string}"]);
    let place = |site: i32| {
        let site = args.lower.equipment.converted(site, args.kind());
        Ok((kinds(args, items)?, Region::Fixed(args.lower.sites_of([site]))))
    };
    listed.into_iter().map(place).collect()
}

node! {
    /// The first free site of a hand, or its first site.
    struct FirstFree = "first free site", reads CELLS { first: i32, end: i32 }
}

impl Number for FirstFree {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        (self.first..self.end).find(|&site| c.is_empty(site)).unwrap_or(self.first)
    }
}

node! {
    /// Pieces are placed.
    struct Place = "place", writes CELLS | STACKS | COUNTS | STATES | VALUES | ROTATIONS {
        places: Vec<Placed>,
        stack: bool,
        count: Int,
        /// One for each site; the last is for all others, too.
        counts: Vec<Int>,
        state: Option<Int>,
        value: Option<Int>,
        rotation: Option<Int>,
    }
}

impl Place {
    /// Puts pieces on a site. State, value and rotation are told of every piece of a stack.
    fn put(&self, c: &mut Context<'_>, whats: &[u16], count: u16, to: i32, out: &mut Moves) {
        let mut number = |value: &Option<Int>| value.as_ref().map(|value| value.get(c) as i16);
        let (state, value, rotation) =
            (number(&self.state).unwrap_or(0), number(&self.value), number(&self.rotation));
        let (times, count) = if self.stack { (count, 1) } else { (1, count) };
        for &what in whats.iter().flat_map(|what| std::iter::repeat_n(what, times.into())) {
            out.effect(Action::Add { to, what, count, state, stack: self.stack });
            if let Some(value) = value {
                out.effect(Action::Value { at: to, level: -1, value });
            }
            if let Some(rotation) = rotation {
                out.effect(Action::Rotation(to, rotation));
            }
        }
    }
}

impl Generate for Place {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let mut count = self.count.get(c).clamp(0, 60_000) as u16;
        let mut own = self.counts.iter();
        for (whats, region) in &self.places {
            region.each(c, |c, to| {
                if let Some(next) = own.next() {
                    count = next.get(c).clamp(0, 60_000) as u16;
                }
                if count > 0 {
                    self.put(c, whats, count, to, out);
                }
                true
            });
        }
    }
}
