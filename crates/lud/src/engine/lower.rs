//! From ludemes to nodes: what all kinds of them share.

use std::cell::RefCell;
use std::sync::Arc;

use super::condition::Bool;
use super::directions::{Base, Direction, Dirs};
use super::equipment::Equipment;
use super::functions::{Int, Ints, Players, Region, Result, Who, ones};
use super::last::Last;
use super::lots::Candidates;
use super::moves::Generator;
use super::node::node;
use super::opening::Opening;
use super::sites::Sites;
use super::state::{Layout, OFF};
use super::{Context, track};
use crate::board::SiteType;
pub(crate) use crate::compile::slots::unsupported;
use crate::compile::{Ludeme, Value};
use crate::ludemes::directions::same_direction;
use crate::ludemes::leap::{Ends, Walks};
use crate::ludemes::sets::{Combined, Join, listed};
use crate::ludemes::{Read, iterators, lists, turn};
use ludex_core::diagnostic::Diagnostic;

/// A very large number.
const INFINITY: i32 = 1_000_000_000;

/// Lowers the rules of one game.
pub(crate) struct Lower<'a> {
    /// The equipment.
    pub(crate) equipment: &'a Equipment,
    /// The whole game.
    pub(crate) game: Arc<Ludeme>,
    /// Where numbers of the state are.
    pub(crate) layout: Layout,
    /// Names of variables.
    pub(crate) vars: Vec<String>,
    /// Names under which values are remembered.
    pub(crate) memories: Vec<String>,
    /// Words that are proposed and voted for, from 1.
    pub(crate) words: Vec<String>,
    /// Consequences of moves.
    pub(crate) thens: Vec<Generator>,
    /// Consequences that wait for the moves of all players.
    pub(crate) late: Vec<u32>,
    /// Conditions on what comes after moves.
    pub(crate) checks: Vec<Arc<Bool>>,
    /// See [`Rules::trials`](super::rules::Rules).
    pub(crate) trials: Vec<Arc<dyn Candidates>>,
    /// Where pieces may look, in sixteenths.
    pub(crate) facings: Vec<usize>,
    /// How many names of regions and maps are being looked up, one for another.
    pub(crate) names: u32,
    /// The cost of each site.
    pub(crate) costs: Vec<(i32, i32)>,
    /// Is the start being read? There chance may draw.
    pub(crate) starting: bool,
    /// Does the next `(from …)` belong to the steps of a way? Such an origin is ignored: a way goes on from every site.
    pub(crate) on_the_way: bool,
    /// How deep the consequence that is being made is inside others.
    pub(crate) following: u32,
    /// How deep the part of a listed move that chance may draw for is inside others.
    pub(crate) listing: u32,
    /// Are there moves for each level of a stack that are not consequences?
    pub(crate) leaves_levels: bool,
    /// Do parts of piles move?
    pub(crate) relists: bool,
    /// Does chance draw numbers for moves that are listed?
    pub(crate) draws_for_listed: bool,
    /// The parts of positions that rules about repetition compare.
    pub(crate) repeat: Option<super::rules::Repeat>,
    /// Can several pieces stand on a site, one on the other?
    pub(crate) stacking: bool,
    /// Are there teams?
    pub(crate) teams: bool,
    /// Is the game a deduction puzzle?
    pub(crate) puzzle: bool,
    /// How many regions are worked out once for a state.
    pub(crate) regions: usize,
    /// Tables that were worked out before.
    pub(crate) tables: Tables,
    /// The forms that are not supported.
    pub(crate) found: Vec<Diagnostic>,
}

/// A table of directions that was worked out before.
type Known<T> = RefCell<Vec<(Vec<Direction>, Arc<T>)>>;

/// Tables that were worked out before: pieces of large games go the same few ways.
#[derive(Default)]
pub(crate) struct Tables {
    fixed: Known<super::directions::Table>,
    facing: Known<Vec<super::directions::Table>>,
    /// By walks, whether only forward, and whether turned: where leaps end.
    pub(crate) leaps: RefCell<Vec<(Walks, Ends)>>,
}

/// A table that is known for some directions, or is worked out now.
fn known<T>(list: &Known<T>, of: &[Direction], new: impl FnOnce() -> Arc<T>) -> Arc<T> {
    let found = list.borrow().iter().find(|(known, _)| known == of).map(|(_, t)| t.clone());
    found.unwrap_or_else(|| {
        let table = new();
        list.borrow_mut().push((of.to_vec(), table.clone()));
        table
    })
}

/// The longest chain of names that stand for one another.
const MOST_NAMES: u32 = 16;

/// The number of a name in a list, which grows where the name is new.
fn number(list: &mut Vec<String>, name: &str) -> usize {
    match list.iter().position(|known| known == name) {
        Some(number) => number,
        None => {
            list.push(name.to_owned());
            list.len() - 1
        }
    }
}

impl Lower<'_> {
    /// A part of the rules, or nothing where it is not supported, which is reported once.
    pub(crate) fn keep<T>(&mut self, part: Result<T>) -> Option<T> {
        match part {
            Ok(part) => Some(part),
            Err(finding) => {
                if !self.found.contains(&finding) {
                    self.found.push(finding);
                }
                None
            }
        }
    }

    /// Looks up what a name stands for, which may hold names, too, but not for ever.
    pub(crate) fn by_name<T>(
        &mut self,
        of: &Ludeme,
        f: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if self.names >= MOST_NAMES {
            let fault = Diagnostic::error("L052", of.span, "this is described by itself");
            return Err(fault.with_hint("name what it consists of"));
        }
        self.names += 1;
        let result = f(self);
        self.names -= 1;
        result
    }

    /// Refuses sites of another kind than those on which pieces stand. Hands have cells, whatever the board has.
    pub(crate) fn check_site_type(&self, word: &str, hands: bool, of: &Ludeme) -> Result<()> {
        let kind = SiteType::named(word);
        let in_hand = hands && kind == Some(SiteType::Cell) && self.equipment.containers.len() > 1;
        let all_kinds = of.reader().is_some_and(|(form, _)| form.all_kinds);
        let plane = all_kinds && kind.is_some_and(|kind| self.equipment.has_kind(kind));
        match kind == Some(self.equipment.board.sites) || in_hand || plane {
            true => Ok(()),
            false => Err(unsupported(of)),
        }
    }

    /// The place of a variable among the numbers of the state.
    pub(crate) fn var(&mut self, name: &str) -> usize {
        self.layout.var(number(&mut self.vars, name))
    }

    /// The number of a list of remembered values.
    pub(crate) fn memory(&mut self, name: &str) -> u16 {
        number(&mut self.memories, name) as u16
    }

    /// The number of a word that is voted for, from 1.
    pub(crate) fn vote(&mut self, word: &str) -> u16 {
        number(&mut self.words, word) as u16 + 1
    }

    /// The permission to read the last move: a field of the node that reads it.
    pub(crate) fn last(&self) -> Last {
        Last::new()
    }

    /// A set of sites, empty.
    pub(crate) fn no_sites(&self) -> Sites {
        Sites::new(self.equipment.sites)
    }

    /// A set of sites.
    pub(crate) fn sites_of(&self, list: impl IntoIterator<Item = i32>) -> Sites {
        Sites::of(self.equipment.sites, list)
    }

    /// The component of a name, with or without its owner's number.
    pub(crate) fn component(&self, name: &str) -> Option<usize> {
        let all = &self.equipment.components;
        let exact = all.iter().position(|kind| kind.name == name);
        exact.or_else(|| all.iter().position(|kind| kind.stem == name)).filter(|&n| n > 0)
    }

    /// By component: does one of these names mean it?
    pub(crate) fn named(&self, names: &[String]) -> Vec<bool> {
        let all = self.equipment.components.iter();
        all.map(|kind| names.iter().any(|name| *name == kind.stem || *name == kind.name)).collect()
    }

    /// By container: its sites.
    pub(crate) fn containers(&self) -> Vec<Sites> {
        let sites = |from: u32, count: u32| self.sites_of(from as i32..(from + count) as i32);
        self.equipment.containers.iter().map(|k| sites(k.from, k.sites)).collect()
    }

    /// The sites of the containers of a name, such as `Board`, `Hand1`, or `Hand` for all hands.
    pub(crate) fn container(&self, name: &str) -> Option<Sites> {
        let all = self.equipment.containers.iter().filter(|k| k.name.starts_with(name));
        let sites = self.sites_of(all.flat_map(|k| k.from as i32..(k.from + k.sites) as i32));
        (!name.is_empty() && !sites.is_empty()).then_some(sites)
    }

    /// The site of a label such as `B3`.
    pub(crate) fn site(&self, label: &str) -> Option<i32> {
        self.equipment.elements().iter().position(|e| e.label == label).map(|n| n as i32)
    }

    /// The site of a label among the elements of a kind.
    pub(crate) fn site_labelled(&self, label: &str, kind: SiteType) -> Option<i32> {
        let elements = self.equipment.board.topology.elements(kind);
        let at = elements.iter().position(|element| element.label == label)?;
        Some(self.equipment.converted(at as i32, kind))
    }

    /// The numbers of the tracks of a name, or whose name holds it; all without one.
    pub(crate) fn tracks_named(&self, name: Option<&str>) -> Vec<usize> {
        let tracks = &self.equipment.tracks;
        let exact = tracks.iter().any(|track| Some(track.name.as_str()) == name);
        let fits = |track: &track::Track| {
            name.is_none_or(
                |name| {
                    if exact { track.name == name } else { track.name.contains(name) }
                },
            )
        };
        (0..tracks.len()).filter(|&number| fits(&tracks[number])).collect()
    }
}

impl Lower<'_> {
    /// A condition.
    pub(crate) fn bool(&mut self, value: &Value, of: &Ludeme) -> Result<Bool> {
        match value {
            Value::Bool(value) => Ok(Bool::Const(*value)),
            Value::Call(ludeme) => match ludeme.reader() {
                Some((form, Read::Condition(reader))) => {
                    let condition = self.read(ludeme, form, reader)?;
                    // On other boards than those of cells, the pieces in hands may have no owner for a condition.
                    let cells = self.equipment.board.sites == SiteType::Cell;
                    Ok(match cells || self.equipment.containers.len() <= 1 {
                        true => condition.by_owner(self.equipment.players, self.teams),
                        false => condition,
                    })
                }
                _ => Err(unsupported(ludeme)),
            },
            _ => Err(unsupported(of)),
        }
    }

    /// A number.
    pub(crate) fn int(&mut self, value: &Value, of: &Ludeme) -> Result<Int> {
        match value {
            Value::Int(number) => Ok(Int::Const(*number)),
            Value::Word(word) => match constant(word) {
                Some(number) => Ok(Int::Const(number)),
                None => self.player_value(value, of),
            },
            Value::Call(ludeme) => match ludeme.reader() {
                Some((form, Read::Number(reader))) => self.read(ludeme, form, reader),
                _ => Err(unsupported(ludeme)),
            },
            _ => Err(unsupported(of)),
        }
    }

    /// A list of numbers.
    pub(crate) fn int_list(&mut self, value: &Value, of: &Ludeme) -> Result<Ints> {
        match value {
            Value::List(list) => {
                let list = list.iter().map(|item| self.int(item, of)).collect::<Result<_>>()?;
                Ok(lists::numbers(list))
            }
            Value::Call(ludeme) => match ludeme.reader() {
                Some((form, Read::List(reader))) => self.read(ludeme, form, reader),
                Some((_, Read::Region(_))) => Ok(lists::sites(self.region(value, ludeme)?)),
                _ => Err(unsupported(ludeme)),
            },
            _ => Err(unsupported(of)),
        }
    }

    /// An entry of a map that is known beforehand.
    pub(crate) fn entry(&mut self, value: &Value, of: &Ludeme) -> Result<i32> {
        let entry = match value {
            Value::Int(number) => Some(*number),
            Value::Word(word) => player_number(word)
                .or_else(|| (word == "Neutral").then_some(0))
                .or_else(|| constant(word).filter(|&number| number < 0))
                .or_else(|| self.landmark(word)),
            Value::Str(label) => {
                let component = || self.component(label).map(|n| n as i32);
                self.site(label).or_else(component)
            }
            Value::Call(_) => self.int(value, of)?.fixed(),
            _ => None,
        };
        entry.ok_or_else(|| unsupported(of))
    }
}

/// The number that a word stands for.
fn constant(word: &str) -> Option<i32> {
    match word {
        "Off" | "Undefined" => Some(OFF),
        "End" => Some(track::END),
        "Infinity" => Some(INFINITY),
        "Nobody" => Some(0),
        _ => None,
    }
}

/// The number of a role such as `P2`.
fn player_number(role: &str) -> Option<i32> {
    role.strip_prefix('P').and_then(|number| number.parse().ok())
}

impl Lower<'_> {
    /// One player: a role, a number, or `(player …)`.
    pub(crate) fn player_value(&mut self, value: &Value, of: &Ludeme) -> Result<Int> {
        match value {
            Value::Word(word) => Ok(match word.as_str() {
                "Mover" => Int::Mover,
                "Next" => Int::Next,
                "Prev" => turn::prev(),
                "Player" => iterators::player(),
                "Neutral" => Int::Const(0),
                "Shared" | "All" | "Each" => Int::Const(self.equipment.players as i32 + 1),
                "TeamMover" => Int::of(TeamOfMover {}),
                "NonMover" | "Enemy" | "Friend" | "Ally" => {
                    Int::of(FirstOf { who: self.roles(value, of)? })
                }
                word => {
                    let team = word.strip_prefix("Team").and_then(|number| number.parse().ok());
                    let number = player_number(word).or_else(|| constant(word)).or(team);
                    Int::Const(number.ok_or_else(|| unsupported(of))?)
                }
            }),
            Value::Call(call) if call.signature().result == "player" => {
                let inner = call.values().next().ok_or_else(|| unsupported(call))?;
                self.player_value(inner, call)
            }
            value => self.int(value, of),
        }
    }

    /// All players, without neutral and shared pieces.
    pub(crate) fn each_player(&self) -> Who {
        Who::Const(self.players())
    }

    /// The bits of all players.
    fn players(&self) -> u32 {
        (2 << self.equipment.players) - 2
    }

    /// The players of a role, a number, or `(player …)`.
    pub(crate) fn roles(&mut self, value: &Value, of: &Ludeme) -> Result<Who> {
        let players = self.equipment.players;
        let Value::Word(word) = value else {
            return Ok(Who::of(OnePlayer { player: self.player_value(value, of)? }));
        };
        let side = |side: Side| Who::of(Roles { side: super::node::Table(side) });
        Ok(match word.as_str() {
            "Mover" => Who::Mover,
            "Next" => Who::of(OnePlayer { player: Int::Next }),
            "Prev" => Who::of(OnePlayer { player: turn::prev() }),
            "Player" => Who::of(OnePlayer { player: iterators::player() }),
            "All" => Who::Const((1 << (players + 2)) - 1),
            "Each" => self.each_player(),
            "Neutral" => Who::Const(1),
            "Shared" => Who::Const(1 << (players + 1)),
            "NonMover" => side(Side::Others),
            "Enemy" => side(Side::Enemies),
            "Friend" | "TeamMover" => side(Side::Friends),
            "Ally" => side(Side::Allies),
            word => match word.strip_prefix("Team").and_then(|number| number.parse().ok()) {
                Some(team) => side(Side::Team(team)),
                None => {
                    let player = player_number(word).filter(|player| (0..30).contains(player));
                    Who::Const(1 << player.ok_or_else(|| unsupported(of))?)
                }
            },
        })
    }

    /// The kind of piece of a name, for the mover where it is a stem, or of a number.
    pub(crate) fn piece_value(&mut self, value: &Value, of: &Ludeme) -> Result<Int> {
        let Value::Str(name) = value else { return self.int(value, of) };
        let all = &self.equipment.components;
        let exact = || all.iter().position(|kind| kind.name == *name);
        let any = || all.iter().position(|kind| kind.stem == *name);
        Ok(self.by_mover(&|player| {
            let own = all.iter().position(|kind| kind.stem == *name && kind.owner == player);
            own.or_else(exact).or_else(any)
        }))
    }

    /// The mover's first kind of piece, or a shared one. Dice are components, too, but no player can place them.
    pub(crate) fn first_piece(&self) -> Int {
        let (all, players) = (&self.equipment.components, self.equipment.players);
        let shared = || all.iter().position(|kind| kind.owner > players && kind.stem != "Die");
        self.by_mover(&|player| {
            let own = all.iter().skip(1).position(|kind| kind.owner == player);
            own.map(|number| number + 1).or_else(shared)
        })
    }

    /// A component that depends on who moves.
    fn by_mover(&self, pick: &dyn Fn(usize) -> Option<usize>) -> Int {
        let kind = |player| pick(player).map_or(OFF, |number| number as i32);
        Int::of(OfMover { kinds: (0..=self.equipment.players + 1).map(kind).collect() })
    }
}

node! {
    /// One player.
    struct OnePlayer = "player", iterators NONE { player: Int }
}

impl Players for OnePlayer {
    fn bits(&self, c: &mut Context<'_>) -> u32 {
        u32::try_from(self.player.get(c)).ok().filter(|&player| player < 32).map_or(0, |p| 1 << p)
    }
}

node! {
    /// The first of some players, where one player is asked for; none where there is none.
    struct FirstOf = "first of", iterators NONE { who: Who }
}

impl super::functions::Number for FirstOf {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        ones(self.who.get(c)).next().map_or(OFF, |player| player as i32)
    }
}

node! {
    /// The number of the mover's team.
    struct TeamOfMover = "team of mover", iterators NONE, reads TURN | TEAMS {}
}

impl super::functions::Number for TeamOfMover {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.numbers[c.rules.layout.team(c.state.s.mover)]
    }
}

/// How players stand to the mover.
#[derive(Clone, Copy)]
enum Side {
    Others,
    Enemies,
    Friends,
    Allies,
    Team(i32),
}

node! {
    /// The players who stand so to the mover.
    struct Roles = "role", iterators NONE, reads TURN | TEAMS { side: super::node::Table<Side> }
}

impl Players for Roles {
    fn bits(&self, c: &mut Context<'_>) -> u32 {
        let (mover, all) = (c.state.s.mover, (2u32 << c.equipment.players) - 2);
        let fits = |&player: &usize| match *self.side {
            Side::Others => player != mover,
            Side::Enemies => !c.friends(player, mover),
            Side::Friends => c.friends(player, mover),
            Side::Allies => player != mover && c.friends(player, mover),
            Side::Team(team) => c.state.numbers[c.rules.layout.team(player)] == team,
        };
        ones(all).filter(fits).fold(0, |bits, player| bits | 1 << player)
    }
}

node! {
    /// A kind of piece that depends on who moves.
    struct OfMover = "piece", iterators NONE, reads TURN { kinds: Vec<i32> }
}

impl super::functions::Number for OfMover {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.kinds.get(c.state.s.mover).copied().unwrap_or(OFF)
    }
}

impl Lower<'_> {
    /// A region.
    pub(crate) fn region(&mut self, value: &Value, of: &Ludeme) -> Result<Region> {
        match value {
            Value::Call(ludeme) => match ludeme.reader() {
                Some((form, Read::Region(reader))) => {
                    let region = self.read(ludeme, form, reader)?;
                    Ok(self.once(region))
                }
                Some((form, Read::Number(reader))) => match self.read(ludeme, form, reader)? {
                    Int::Const(site) => Ok(Region::Fixed(self.sites_of([site]))),
                    site => Ok(Region::One(site)),
                },
                Some((_, Read::List(_))) => Ok(listed(self.int_list(value, ludeme)?)),
                _ => Err(unsupported(ludeme)),
            },
            Value::Int(site) => Ok(Region::Fixed(self.sites_of([*site]))),
            Value::List(list) if list.iter().all(|item| item.text().is_some()) => {
                let labels = list.iter().filter_map(Value::text);
                let known: Vec<i32> = labels.filter_map(|label| self.site(label)).collect();
                // A label that no site has is left out (decided by Terhuchu). Where many labels are unknown, the description means
                // other labels than ours (Bouge Shodra).
                if known.len() * 10 < list.len() * 9 {
                    return Err(unsupported(of));
                }
                Ok(Region::Fixed(self.sites_of(known)))
            }
            Value::List(list) => {
                let list = list.iter().map(|v| self.int(v, of)).collect::<Result<Vec<Int>>>()?;
                match list.iter().map(Int::fixed).collect::<Option<Vec<i32>>>() {
                    Some(sites) => Ok(Region::Fixed(self.sites_of(sites))),
                    None => Ok(listed(lists::numbers(list))),
                }
            }
            Value::Word(word) if constant(word).is_some_and(|site| site < 0) => {
                Ok(Region::Fixed(self.no_sites()))
            }
            _ => Err(unsupported(of)),
        }
    }

    /// Regions made one by an operation on sets, beforehand where all are fixed.
    pub(crate) fn combined(&self, parts: Vec<Region>, how: Join) -> Region {
        let fixed = |region: &Region| match region {
            Region::Fixed(sites) => Some(sites.clone()),
            _ => None,
        };
        let Some(all) = parts.iter().map(fixed).collect::<Option<Vec<Sites>>>() else {
            return Region::of_node(Combined { parts, how });
        };
        let both = |mut one: Sites, mut other: Sites| {
            if !self.equipment.same_kind(&one, &other) {
                for sites in [&mut one, &mut other] {
                    let mut plain = self.no_sites();
                    self.equipment.as_elements(sites, &mut plain);
                    *sites = plain;
                }
            }
            how.join(&mut one, other.words());
            one
        };
        Region::Fixed(all.into_iter().reduce(both).unwrap_or_else(|| self.no_sites()))
    }

    /// The region of the equipment that some values describe.
    pub(crate) fn region_values(&mut self, values: &[Value], of: &Ludeme) -> Result<Region> {
        if values.iter().all(|value| matches!(value, Value::Int(_))) {
            return self.region(&Value::List(values.to_vec()), of);
        }
        if let [Value::Word(kind)] = values {
            let sets = self.static_regions(kind).ok_or_else(|| unsupported(of))?;
            let mut all = self.no_sites();
            sets.iter().for_each(|sites| all.add(sites.words()));
            return Ok(Region::Fixed(all));
        }
        let parts = values.iter().map(|v| self.region(v, of)).collect::<Result<Vec<_>>>()?;
        Ok(self.combined(parts, Join::Union))
    }

    /// The regions that belong to players, one by one.
    pub(crate) fn owned_regions(&mut self) -> Result<Vec<(usize, Region)>> {
        let (equipment, game) = (self.equipment, self.game.clone());
        let mut list = Vec::new();
        for region in &equipment.regions {
            if region.sites.iter().all(|value| matches!(value, Value::Int(_))) {
                list.push((region.owner, self.region_values(&region.sites, &game)?));
                continue;
            }
            for value in &region.sites {
                match value {
                    Value::Word(kind) => {
                        let sets = self.static_regions(kind).ok_or_else(|| unsupported(&game))?;
                        list.extend(sets.into_iter().map(|s| (region.owner, Region::Fixed(s))));
                    }
                    value => {
                        let sites = self.by_name(&game, |this| this.region(value, &game))?;
                        list.push((region.owner, sites));
                    }
                }
            }
        }
        Ok(list)
    }

    /// A rule of the start.
    pub(crate) fn opening(&mut self, value: &Value, of: &Ludeme) -> Result<Opening> {
        let Value::Call(ludeme) = value else { return Err(unsupported(of)) };
        match ludeme.reader() {
            Some((form, Read::Start(reader))) => self.read(ludeme, form, reader),
            _ => Err(unsupported(ludeme)),
        }
    }
}

impl Lower<'_> {
    /// A table of rays for every way that a piece may look, each as often as it is named.
    pub(crate) fn rays(&self, list: &[Direction]) -> Dirs {
        let directions = &self.equipment.directions;
        if !list.iter().any(Direction::is_relative) {
            let table = || Arc::new(directions.table(list, 0.0));
            return Dirs::Fixed(known(&self.tables.fixed, list, table));
        }
        let table = |facing: usize| match self.facings.contains(&facing) {
            true => directions.table(list, facing as f64 * 22.5),
            false => super::directions::Table::default(),
        };
        let tables = || Arc::new((0..16).map(table).collect());
        Dirs::Facing(known(&self.tables.facing, list, tables))
    }

    /// Forward, as the piece looks.
    pub(crate) fn forward(&self) -> Dirs {
        self.rays(&[Direction::Relative(0.0, 0, Base::Adjacent)]).distinct()
    }

    /// The direction of the move that is being made, or of the last one.
    pub(crate) fn same_direction(&self) -> Dirs {
        same_direction(true, self.last())
    }

    /// Directions, each once.
    pub(crate) fn directions(&mut self, value: &Value, of: &Ludeme) -> Result<Dirs> {
        Ok(self.counted_directions(value, of)?.distinct())
    }

    /// Directions, each as often as it is named.
    pub(crate) fn counted_directions(&mut self, value: &Value, of: &Ludeme) -> Result<Dirs> {
        match value {
            Value::Call(ludeme) => match ludeme.reader() {
                Some((form, Read::Directions(reader))) => self.read(ludeme, form, reader),
                _ => Err(unsupported(ludeme)),
            },
            value => self.direction_words(value, Base::Adjacent, of),
        }
    }

    /// Directions that are named by words, alone or in a list.
    pub(crate) fn direction_words(&self, value: &Value, base: Base, of: &Ludeme) -> Result<Dirs> {
        match value.word() {
            Some("SameDirection") => return Ok(same_direction(true, self.last())),
            Some("OppositeDirection") => return Ok(same_direction(false, self.last())),
            _ => {}
        }
        let named = |value: &Value| value.word().and_then(|word| Direction::named(word, base));
        let list = value.items().iter().map(named).collect::<Option<Vec<Direction>>>();
        Ok(self.rays(&list.ok_or_else(|| unsupported(of))?))
    }
}
