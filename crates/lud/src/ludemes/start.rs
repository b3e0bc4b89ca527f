//! The start: `(place …)`, `(set …)`, `(forEach …)`: what lies where when a game begins.

use super::for_each::MOST_VALUES;
use super::prelude::*;
use super::score::{Account, SetAccount};
use super::set_next_player::{hidden, team};
use crate::engine::opening::{Opening, Scatter};

pub(super) const FORMS: &[Form] = &[
    start("forEach Site region [If:boolean] startRule", "The rule for each `(site)` of the region.",
        "(forEach Site (sites Bottom) (place \"Pawn1\" (site)))", |args| {
            let (region, condition) = (args.region("region")?, args.try_bool("if")?);
            rule(ForEachSite { region, condition, rule: inner_rule(args)? })
        }),
    start("forEach Value min:int max:int startRule", "The rule for each `(value)` of a range.",
        "(forEach Value min:0 max:3 (place \"Pawn1\" (value)))", |args| {
            let (min, max) = (args.int("min")?, args.int("max")?);
            rule(ForEachNumber { min, max, players: false, rule: inner_rule(args)? })
        }),
    start("forEach Player startRule", "The rule for each `(player)`.",
        "(forEach Player (set Score Player 5))", |args| {
            let (min, max) = (Int::Const(1), Int::Const(args.lower.equipment.players as i32));
            rule(ForEachNumber { min, max, players: true, rule: inner_rule(args)? })
        }),
    start("forEach Team startRule", "The rule for each team, whose players are `(team)`.",
        "(forEach Team (forEach (team) (set Score Player 5)))", |args| {
            rule(super::for_each::ForEachTeam { moves: inner_rule(args)? })
        }).needs(Parts::TEAMS),
    start("forEach ints startRule", "The rule for each `(player)` of the list.",
        "(forEach (players All) (set Score Player 5))", |args| {
            let players = args.ints("ints")?;
            rule(ForEachListed { players, rule: inner_rule(args)? })
        }),
    start("place Random [region] {string} [count:int] [state:int] [value:int] [siteType]",
        "So many pieces of each kind on empty sites of the region that chance chooses.",
        "(place Random {\"Disc1\" \"Disc2\"} count:3)", scatter).on_all_kinds(),
    start("place Random region {string} boolean", "One of these pieces, which chance chooses, on the site of the region.",
        "(place Random (sites {(handSite 1)}) {\"Disc1\" \"Disc2\"} True)", |args| {
            let whats = named_kinds(args)?;
            let region = args.region("region")?;
            args.flag("boolean", true)?;
            rule(OneOf { region, whats })
        }),
    start("place Random {string} [count:{int}] [state:int] [value:int] int [siteType]",
        "A stack of so many pieces of each kind, in an order that chance chooses.",
        "(place Random {\"Disc1\" \"Disc2\"} count:{3 3} 4)", |args| {
            let whats = named_kinds(args)?;
            let (counts, state, value) = (args.int_items("count")?, args.try_int("state")?, args.try_int("value")?);
            shuffled(args, whats, counts, state, value)
        }).on_all_kinds().sites_in(&["int"]).needs(Parts::STACKS),
    start("place Random {count} int [siteType]", "The same, with the numbers beside the names.",
        "(place Random {(count \"Disc1\" 3) (count \"Disc2\" 3)} 4)", |args| {
            let (mut whats, mut counts) = (Vec::new(), Vec::new());
            for value in args.take("{count}").map_or(&[][..], Value::items) {
                let Value::Call(call) = value else { return Err(args.unsupported()) };
                let (what, count) = args.inner(call, |one| {
                    let what = one.text("string").and_then(|name| one.lower.component(name));
                    Ok((what.ok_or_else(|| one.unsupported())? as u16, one.int("int")?))
                })?;
                whats.push(what);
                counts.push(count);
            }
            shuffled(args, whats, counts, None, None)
        }).on_all_kinds().sites_in(&["int"]).needs(Parts::STACKS),
    super::part("count", "count string int", "So many pieces of a kind.", "(count \"Disc1\" 3)"),
    start("set RememberValue [string] (int | region) [unique:boolean]", "A value, or the sites of a region, are remembered.",
        "(set RememberValue \"Row\" 3)", remember),
    start("set Hidden ([hiddenData] | [{hiddenData}]) [siteType] (at:int | region) [level:int] [boolean] to:roleType",
        "A part of the pieces on the sites is hidden from the players.", "(set Hidden What (sites Board) to:P1)",
        |args| Ok(Opening::Rule(hidden(args)?))).on_all_kinds().needs(Parts::HIDDEN),
    start("set roleType [siteType] [int] [coord:string]", "A piece of the player on a site.", "(set P1 4)", own_piece).on_all_kinds().sites_in(&["int"]),
    start("set roleType [siteType] [{int}] [region] [{string}]", "Pieces of the player on sites.", "(set P1 {4 5})", own_piece).on_all_kinds(),
    start("set setStartSitesType=Count int [siteType] (at:int | to:region)", "So many pieces on each of the sites.",
        "(set Count 4 to:(sites Track))", count).on_all_kinds().needs(Parts::COUNTS),
    start("set setStartSitesType=Cost int [siteType] (at:int | to:region)", "What the sites cost.",
        "(set Cost 3 at:5)", cost).on_all_kinds(),
    start("set setStartPlayerType=Amount [roleType] int", "What the player has to stake.", "(set Amount 100)",
        |args| account(args, Account::Amount)),
    start("set setStartPlayerType=Score [roleType] int", "The score of the player.", "(set Score P1 5)",
        |args| account(args, Account::Score)),
    start("set Team int {roleType}", "The players play together.", "(set Team 1 {P1 P3})",
        |args| Ok(Opening::Rule(team(args)?))).needs(Parts::TEAMS),
];

fn rule(node: impl Generate + 'static) -> Result<Opening> {
    Ok(Opening::Rule(Box::new(node)))
}

/// The rule inside another. Chance comes in only by rules of their own.
fn inner_rule(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    let value = args.value("startRule")?;
    match args.lower.opening(value, args.ludeme)? {
        Opening::Rule(rule) => Ok(rule),
        Opening::Scatter(_) => Err(args.unsupported()),
    }
}

node! {
    /// A rule for each site.
    struct ForEachSite = "forEach Site" { region: Region, condition: Option<Bool>, rule: Generator }
}

impl Generate for ForEachSite {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.region.each(c, |c, site| {
            c.with(Registers { site, ..c.at }, |c| {
                if self.condition.as_ref().is_none_or(|condition| condition.holds(c)) {
                    self.rule.generate(c, out);
                }
            });
            true
        });
    }
}

node! {
    /// A rule for each value or player of a range.
    struct ForEachNumber = "forEach Value" { min: Int, max: Int, players: bool, rule: Generator }
}

impl Generate for ForEachNumber {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (min, max) = (self.min.get(c), self.max.get(c));
        for number in min..=max.min(min.saturating_add(MOST_VALUES)) {
            let at = match self.players {
                true => Registers { player: number, ..c.at },
                false => Registers { value: number, ..c.at },
            };
            c.with(at, |c| self.rule.generate(c, out));
        }
    }
}

node! {
    /// A rule for each player of a list.
    struct ForEachListed = "forEach" { players: Ints, rule: Generator }
}

impl Generate for ForEachListed {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.players.of(c, |c, players| {
            for &player in &*players {
                c.with(Registers { player, ..c.at }, |c| self.rule.generate(c, out));
            }
        });
    }
}

/// The kinds of pieces that are named.
fn named_kinds(args: &mut Args<'_, '_, '_>) -> Result<Vec<u16>> {
    let names = args.texts();
    let whats = names.iter().map(|name| args.lower.component(name).map(|what| what as u16));
    let whats = whats.collect::<Option<Vec<u16>>>().filter(|whats| !whats.is_empty());
    whats.ok_or_else(|| args.unsupported())
}

node! {
    /// One of some pieces on every site of a region.
    struct OneOf = "place Random", reads DRAWS, writes CELLS { region: Region, whats: Vec<u16> }
}

impl Generate for OneOf {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.region.each(c, |c, to| {
            let drawn = c.draw(0, self.whats.len() as i32 - 1).max(0) as usize;
            let what = self.whats.get(drawn).copied().unwrap_or(0);
            out.effect(Action::Add { to, what, count: 1, state: 0, stack: false });
            true
        });
    }
}

/// A stack of pieces in any order.
fn shuffled(
    args: &mut Args<'_, '_, '_>,
    whats: Vec<u16>,
    counts: Vec<Int>,
    state: Option<Int>,
    value: Option<Int>,
) -> Result<Opening> {
    let site = args.int("int")?;
    rule(Shuffled { site, whats, counts, state, value })
}

node! {
    /// A stack of pieces in an order that chance chooses.
    struct Shuffled = "place Random", reads DRAWS, writes CELLS | STACKS | STATES | VALUES {
        site: Int,
        whats: Vec<u16>,
        counts: Vec<Int>,
        state: Option<Int>,
        value: Option<Int>,
    }
}

impl Generate for Shuffled {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let to = self.site.get(c);
        let mut left = c.list();
        for (number, &what) in self.whats.iter().enumerate() {
            let count = self.counts.get(number).map_or(1, |count| count.get(c));
            left.extend(std::iter::repeat_n(i32::from(what), count.clamp(0, 1000) as usize));
        }
        let state = self.state.as_ref().map_or(0, |state| state.get(c)) as i16;
        let value = self.value.as_ref().map(|value| value.get(c) as i16);
        while !left.is_empty() && c.wants.is_none() {
            let drawn = c.draw(0, left.len() as i32 - 1).max(0) as usize;
            let what = left.remove(drawn.min(left.len() - 1)) as u16;
            out.effect(Action::Add { to, what, count: 1, state, stack: true });
            if let Some(value) = value {
                out.effect(Action::Value { at: to, level: -1, value });
            }
        }
        c.free_list(left);
    }
}

fn scatter(args: &mut Args<'_, '_, '_>) -> Result<Opening> {
    let whats = named_kinds(args)?;
    let region = args.try_region(&["region"])?;
    let region = region.unwrap_or_else(|| Region::Fixed(args.lower.equipment.on_board.clone()));
    let (count, state) = (args.int_or("count", 1)?, args.try_int("state")?);
    Ok(Opening::Scatter(Scatter { region, whats, count, state, value: args.try_int("value")? }))
}

fn remember(args: &mut Args<'_, '_, '_>) -> Result<Opening> {
    let name = args.text("string").unwrap_or_default();
    let (name, unique) = (args.lower.memory(name), args.flag("unique", false)?);
    match args.try_int("int")? {
        Some(value) => rule(RememberValue { name, unique, value }),
        None => rule(RememberSites { name, unique, region: args.region("region")? }),
    }
}

node! {
    /// A value is remembered.
    struct RememberValue = "set RememberValue", writes MEMORY { name: u16, unique: bool, value: Int }
}

impl Generate for RememberValue {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let value = self.value.get(c);
        out.effect(Action::Remember(self.name, value, self.unique));
    }
}

node! {
    /// Sites are remembered.
    struct RememberSites = "set RememberValue", writes MEMORY { name: u16, unique: bool, region: Region }
}

impl Generate for RememberSites {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        self.region.each(c, |_, site| {
            out.effect(Action::Remember(self.name, site, self.unique));
            true
        });
    }
}

impl Args<'_, '_, '_> {
    /// The sites that a rule of the start names, in one of many ways.
    pub(super) fn start_sites(&mut self) -> Result<Region> {
        if let Some(label) = self.text("coord") {
            let site = self.lower.site(label).ok_or_else(|| self.unsupported())?;
            return Ok(Region::Fixed(self.lower.sites_of([site])));
        }
        self.one_region(&["int", "{int}", "region", "{string}"])
    }
}

fn own_piece(args: &mut Args<'_, '_, '_>) -> Result<Opening> {
    let equipment = args.lower.equipment;
    let owner = args.word("roleType").and_then(|role| equipment.owners_of(role));
    let owner = owner.and_then(|owners| owners.first().copied());
    let mut kinds = equipment.components.iter().enumerate().skip(1);
    let what = kinds.find(|(_, kind)| Some(kind.owner) == owner && kind.stem != "Die");
    let (what, _) = what.ok_or_else(|| args.unsupported())?;
    rule(OwnPiece { what: what as u16, region: args.start_sites()? })
}

node! {
    /// A player's piece on sites.
    struct OwnPiece = "set", writes CELLS { what: u16, region: Region }
}

impl Generate for OwnPiece {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let what = self.what;
        self.region.each(c, |_, to| {
            out.effect(Action::Add { to, what, count: 1, state: 0, stack: false });
            true
        });
    }
}

fn count(args: &mut Args<'_, '_, '_>) -> Result<Opening> {
    let (count, region) = (args.int("int")?, args.one_region(&["at", "to"])?);
    // Whatever there is to count.
    let mut kinds = args.lower.equipment.components.iter().enumerate().skip(1);
    let what = kinds.find(|(_, kind)| kind.stem != "Die").map_or(0, |(what, _)| what as u16);
    rule(SetCount { count, region, what })
}

node! {
    /// A number of pieces on sites.
    struct SetCount = "set Count", writes CELLS | COUNTS { count: Int, region: Region, what: u16 }
}

impl Generate for SetCount {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let (count, what) = (self.count.get(c).clamp(0, 60_000) as u16, self.what);
        self.region.each(c, |_, at| {
            out.effect(Action::Count { at, count, what });
            true
        });
    }
}

/// The cost of a site is the same throughout the game.
fn cost(args: &mut Args<'_, '_, '_>) -> Result<Opening> {
    let (cost, region) = (args.known_int("int")?, args.one_region(&["at", "to"])?);
    match region {
        Region::Fixed(sites) => args.lower.costs.extend(sites.iter().map(|site| (site, cost))),
        Region::One(site) => {
            let site = site.fixed().ok_or_else(|| args.unsupported())?;
            args.lower.costs.push((site, cost));
        }
        _ => return Err(args.unsupported()),
    }
    rule(Nothing {})
}

node! {
    /// Nothing happens.
    struct Nothing = "set Cost" {}
}

impl Generate for Nothing {
    fn generate(&self, _: &mut Context<'_>, _: &mut Moves) {}
}

fn account(args: &mut Args<'_, '_, '_>, account: Account) -> Result<Opening> {
    let who = match args.try_who(&["roleType"])? {
        Some(who) => who,
        None => args.lower.each_player(),
    };
    rule(SetAccount::new(account, who, args.int("int")?))
}
