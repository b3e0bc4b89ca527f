//! From ludemes to functions: what all kinds of them share.

use std::cell::RefCell;
use std::sync::Arc;

use super::directions::{Base, Direction, Dirs};
use super::equipment::Equipment;
use super::functions::{Bool, Int, Result, Who};
use super::last::Last;
use super::lots::{Bound, Candidates};
use super::moves::Generator;
use super::sites::Sites;
use super::state::{Layout, OFF};
use crate::board::SiteType;
use crate::compile::table::Kind;
use crate::compile::{Ludeme, Value};
use ludex_core::diagnostic::Diagnostic;

/// The fault of a form that has no meaning yet.
pub(crate) fn unsupported(ludeme: &Ludeme) -> Diagnostic {
    let signature = ludeme.signature();
    let first = ludeme.arg(0).and_then(Value::word).map(|w| format!(" {w}")).unwrap_or_default();
    let message = format!("({}{first} …) is not supported yet in this form", signature.keyword);
    Diagnostic::error("L050", ludeme.span, message)
        .with_hint(format!("the form is ({})", signature.text))
}

/// Is it about single sites, which may be in a hand, and not about the shape of the board?
fn of_one_site(l: &Ludeme) -> bool {
    let first = l.values().next().and_then(Value::word).unwrap_or_default();
    match l.signature().keyword.as_str() {
        "sites" => first == "Hand" || l.signature().text.starts_with("sites ([player]"),
        "count" => first == "Cell",
        "is" => matches!(first, "Empty" | "Occupied"),
        "size" => first == "Stack",
        "ahead" | "centrePoint" | "column" | "row" | "coord" | "phase" | "layer" | "expand"
        | "where" | "no" | "all" | "sizes" => false,
        _ => true,
    }
}

/// Lowers the rules of one game.
pub(crate) struct Lower<'a> {
    /// What lies on the table.
    pub equipment: &'a Equipment,
    /// The whole game.
    pub game: Arc<Ludeme>,
    /// Where numbers of the state are.
    pub layout: Layout,
    /// Names of variables.
    pub vars: Vec<String>,
    /// Names under which values are remembered.
    pub memories: Vec<String>,
    /// Words that are proposed and voted for, from 1.
    pub words: Vec<String>,
    /// Consequences of moves.
    pub thens: Vec<Generator>,
    /// Conditions on what comes after moves.
    pub checks: Vec<Arc<Bool>>,
    /// See [`Rules::trials`](super::Rules).
    pub(crate) trials: Vec<Arc<dyn Candidates>>,
    /// By component: its moves.
    pub pieces: Vec<Option<Generator>>,
    /// By component: the candidates for its moves from a site.
    pub(crate) bounds: Vec<Bound>,
    /// The same of the last generator that was made.
    pub(crate) bound: Bound,
    /// Where pieces may look, in sixteenths.
    pub facings: Vec<usize>,
    /// How many names of regions and maps are being looked up, one for another.
    pub names: u32,
    /// Do rules ask where pieces stood first?
    pub starts: bool,
    /// What sites cost.
    pub costs: Vec<(i32, i32)>,
    /// Do rules read the last move? `Lower::last` says so.
    pub(crate) reads_last: bool,
    /// How deep the consequence that is being made is inside others.
    pub following: u32,
    /// Does chance draw while moves are made?
    pub random: bool,
    /// What rules that ask for earlier positions compare.
    pub repeat: Option<super::rules::Repeat>,
    /// Can several pieces stand on a site, one on the other?
    pub stacking: bool,
    /// What was worked out before.
    pub tables: Tables,
    /// What is not supported.
    pub found: Vec<Diagnostic>,
}

/// A table of directions that was worked out before.
type Known<T> = RefCell<Vec<(Vec<Direction>, Arc<T>)>>;

/// Tables that were worked out before: pieces of large games go the same few ways.
#[derive(Default)]
pub(crate) struct Tables {
    fixed: Known<super::directions::Table>,
    facing: Known<Vec<super::directions::Table>>,
    /// By walks, whether only forward, and whether turned: where leaps end.
    pub(crate) leaps: RefCell<Vec<(super::leap::Walks, super::leap::Ends)>>,
}

/// What is known for some directions, or is worked out now.
fn known<T>(list: &Known<T>, of: &[Direction], new: impl FnOnce() -> Arc<T>) -> Arc<T> {
    let found = list.borrow().iter().find(|(known, _)| known == of).map(|(_, t)| t.clone());
    found.unwrap_or_else(|| {
        let table = new();
        list.borrow_mut().push((of.to_vec(), table.clone()));
        table
    })
}

/// So many names may stand for others in a row.
const MOST_NAMES: u32 = 16;

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
    pub(crate) fn by_name<T>(&mut self, of: &Ludeme, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.names >= MOST_NAMES {
            let fault = Diagnostic::error("L052", of.span, "this is described by itself");
            return Err(fault.with_hint("name what it consists of"));
        }
        self.names += 1;
        let result = f(self);
        self.names -= 1;
        result
    }

    /// Refuses labels that have no meaning yet.
    pub(crate) fn refuse(&self, l: &Ludeme, labels: &[&str]) -> Result<()> {
        match labels.iter().any(|label| l.labelled(label).is_some()) {
            true => Err(unsupported(l)),
            false => Ok(()),
        }
    }

    /// Is it about sites of another kind than pieces stand on anywhere?
    pub(crate) fn other_sites(&self, l: &Ludeme) -> bool {
        l.typed("siteType").is_some() && self.same_site_type(l).is_err()
    }

    /// Refuses sites of another kind than those of the board.
    pub(crate) fn same_site_type(&self, l: &Ludeme) -> Result<()> {
        for (number, (slot, arg)) in l.slots().enumerate() {
            let Some((choice, Value::Word(word))) = arg else { continue };
            let is_type = slot
                .choices
                .get(*choice)
                .is_some_and(|c| matches!(&c.kind, Kind::Type(name) if name == "siteType"));
            let here = match self.equipment.board.sites {
                SiteType::Cell => "Cell",
                SiteType::Edge => "Edge",
                SiteType::Vertex => "Vertex",
            };
            // Hands have cells, whatever the board has.
            let of_hand = word == "Cell" && self.equipment.containers.len() > 1 && of_one_site(l);
            if is_type && word != here && !of_hand {
                return Err(unsupported(l));
            }
            if is_type {
                l.arg(number);
            }
        }
        Ok(())
    }

    /// The number of a name in a list, which grows where it is new.
    fn number(list: &mut Vec<String>, name: &str) -> usize {
        match list.iter().position(|known| known == name) {
            Some(number) => number,
            None => {
                list.push(name.to_owned());
                list.len() - 1
            }
        }
    }

    /// The place of a variable among the numbers of the state.
    pub(crate) fn var(&mut self, name: &str) -> usize {
        // Room was made for all that the description names.
        let number = Self::number(&mut self.vars, name).min(self.layout.vars.saturating_sub(1));
        self.layout.var(number)
    }

    /// The number of a list of remembered values.
    pub(crate) fn memory(&mut self, name: &str) -> u16 {
        Self::number(&mut self.memories, name) as u16
    }

    /// The number of a word that is voted for, from 1.
    pub(crate) fn vote(&mut self, word: &str) -> u16 {
        Self::number(&mut self.words, word) as u16 + 1
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
        let exact = all.iter().position(|k| k.name == name);
        exact.or_else(|| all.iter().position(|k| k.stem == name)).filter(|&n| n > 0)
    }

    /// By component: does one of these names mean it?
    pub(crate) fn named(&self, names: &[String]) -> Vec<bool> {
        let all = self.equipment.components.iter();
        all.map(|k| names.iter().any(|name| *name == k.stem || *name == k.name)).collect()
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

    /// The strings of a ludeme, in lists or not.
    pub(crate) fn strings(l: &Ludeme) -> Vec<String> {
        let mut all = Vec::new();
        for (number, value) in
            l.slots().enumerate().filter_map(|(i, (_, arg))| Some((i, arg.as_ref()?)))
        {
            let before = all.len();
            match &value.1 {
                Value::Str(s) => all.push(s.clone()),
                Value::List(list) => all
                    .extend(list.iter().filter_map(|v| {
                        if let Value::Str(s) = v { Some(s.clone()) } else { None }
                    })),
                _ => {}
            }
            if all.len() > before {
                l.arg(number);
            }
        }
        all
    }

    /// Is this value a string?
    pub(crate) fn text(value: Option<&Value>) -> Option<String> {
        match value {
            Some(Value::Str(s)) => Some(s.clone()),
            _ => None,
        }
    }

    /// Does this word stand for players?
    pub(crate) fn is_role(&self, word: &str) -> bool {
        matches!(word, "Mover" | "Next" | "Prev" | "Neutral" | "Shared" | "All" | "Player")
            || word.strip_prefix('P').is_some_and(|n| n.parse::<usize>().is_ok())
    }

    /// The number with a label, if it is there.
    pub(crate) fn optional_int(&mut self, l: &Ludeme, label: &str) -> Result<Option<Int>> {
        match l.labelled(label) {
            Some(value) => self.int(value, l).map(Some),
            None => Ok(None),
        }
    }

    /// The number with a label, or another.
    pub(crate) fn int_or(&mut self, l: &Ludeme, label: &str, default: i32) -> Result<Int> {
        Ok(self.optional_int(l, label)?.unwrap_or(Int::Const(default)))
    }

    /// The number of a slot.
    pub(crate) fn int_at(&mut self, l: &Ludeme, slot: usize) -> Result<Int> {
        self.int(l.arg(slot).ok_or_else(|| unsupported(l))?, l)
    }

    /// The first number without a label.
    pub(crate) fn typed_int(&mut self, l: &Ludeme) -> Result<Int> {
        self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)
    }

    /// The condition with a label, if it is there.
    pub(crate) fn optional_bool(&mut self, l: &Ludeme, label: &str) -> Result<Option<Bool>> {
        match l.labelled(label) {
            Some(value) => self.bool(value, l).map(Some),
            None => Ok(None),
        }
    }

    /// The condition of a slot.
    pub(crate) fn bool_at(&mut self, l: &Ludeme, slot: usize) -> Result<Bool> {
        self.bool(l.arg(slot).ok_or_else(|| unsupported(l))?, l)
    }

    /// A flag that must be known beforehand.
    pub(crate) fn known_flag(l: &Ludeme, label: &str, default: bool) -> Result<bool> {
        match l.labelled(label) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(unsupported(l)),
        }
    }

    /// Is a label there with `True`?
    pub(crate) fn flag(l: &Ludeme, label: &str) -> bool {
        matches!(l.labelled(label), Some(Value::Bool(true)))
    }

    /// An entry of a map that is known beforehand.
    pub(crate) fn entry(&mut self, value: &Value, of: &Ludeme) -> Result<i32> {
        match value {
            Value::Int(n) => Ok(*n),
            Value::Word(word) => match word.strip_prefix('P').and_then(|n| n.parse().ok()) {
                Some(player) => Ok(player),
                None => match word.as_str() {
                    "Neutral" => Ok(0),
                    "Off" | "Undefined" => Ok(OFF),
                    "End" => Ok(super::track::END),
                    word => self.landmark(word).ok_or_else(|| unsupported(of)),
                },
            },
            Value::Str(label) => {
                let component = || self.component(label).map(|n| n as i32);
                self.site(label).or_else(component).ok_or_else(|| unsupported(of))
            }
            Value::Call(l) => self.int_of(l)?.fixed().ok_or_else(|| unsupported(of)),
            _ => Err(unsupported(of)),
        }
    }

    /// The one player of an argument: a role, a number, or `(player …)`.
    pub(crate) fn player(&mut self, l: &Ludeme, slot: usize) -> Result<Int> {
        self.player_value(l.arg(slot).ok_or_else(|| unsupported(l))?, l)
    }

    /// The same of a value.
    pub(crate) fn player_value(&mut self, value: &Value, l: &Ludeme) -> Result<Int> {
        match value {
            Value::Word(word) => Ok(match word.as_str() {
                "Mover" => Int::Mover,
                "Next" => Int::new(|c| c.state.s.next as i32),
                "Prev" => Int::new(|c| c.state.s.prev as i32),
                "Player" => Int::new(|c| c.at.player),
                "Neutral" => Int::Const(0),
                "Shared" | "All" => Int::Const(self.equipment.players as i32 + 1),
                "Off" | "Undefined" => Int::Const(OFF),
                word => {
                    let player = word.strip_prefix('P').and_then(|n| n.parse::<i32>().ok());
                    Int::Const(player.ok_or_else(|| unsupported(l))?)
                }
            }),
            Value::Call(k) if k.signature().result == "player" => self.player(k, 0),
            value => self.int(value, l),
        }
    }

    /// The players of a role.
    pub(crate) fn roles(&mut self, value: &Value, of: &Ludeme) -> Result<Who> {
        let players = self.equipment.players;
        let all: u32 = (1 << (players + 2)) - 1;
        let each: u32 = all & !1 & !(1 << (players + 1));
        Ok(match value {
            Value::Word(word) => match word.as_str() {
                "Mover" => Who::Mover,
                "Next" => Who::Dyn(Box::new(|c| 1 << c.state.s.next)),
                "Prev" => Who::Dyn(Box::new(|c| 1 << c.state.s.prev)),
                "All" => Who::Const(all),
                "Each" => Who::Const(each),
                "Neutral" => Who::Const(1),
                "Shared" => Who::Const(1 << (players + 1)),
                "NonMover" => Who::Dyn(Box::new(move |c| each & !(1 << c.state.s.mover))),
                "Enemy" => Who::Dyn(Box::new(move |c| {
                    let mover = c.state.s.mover;
                    super::functions::ones(each)
                        .filter(|&p| !c.friends(p, mover))
                        .fold(0, |m, p| m | 1 << p)
                })),
                "Friend" | "TeamMover" => Who::Dyn(Box::new(move |c| {
                    let mover = c.state.s.mover;
                    super::functions::ones(each)
                        .filter(|&p| c.friends(p, mover))
                        .fold(0, |m, p| m | 1 << p)
                })),
                "Ally" => Who::Dyn(Box::new(move |c| {
                    let mover = c.state.s.mover;
                    super::functions::ones(each)
                        .filter(|&p| p != mover && c.friends(p, mover))
                        .fold(0, |m, p| m | 1 << p)
                })),
                "Player" => Who::Dyn(Box::new(|c| {
                    u32::try_from(c.at.player).ok().filter(|&p| p < 32).map_or(0, |p| 1 << p)
                })),
                word => match word.strip_prefix("Team").and_then(|n| n.parse::<i32>().ok()) {
                    Some(team) => {
                        let layout = self.layout;
                        Who::Dyn(Box::new(move |c| {
                            super::functions::ones(each)
                                .filter(|&p| c.state.numbers[layout.team(p)] == team)
                                .fold(0, |m, p| m | 1 << p)
                        }))
                    }
                    None => {
                        let player = word.strip_prefix('P').and_then(|n| n.parse::<u32>().ok());
                        let player = player.filter(|&p| p < 30).ok_or_else(|| unsupported(of))?;
                        Who::Const(1 << player)
                    }
                },
            },
            Value::Call(k) if k.signature().result == "player" => {
                let who = self.player(k, 0)?;
                player_bit(who)
            }
            value @ (Value::Int(_) | Value::Call(_)) => player_bit(self.int(value, of)?),
            _ => return Err(unsupported(of)),
        })
    }

    /// The players that a ludeme names in one of several ways: a role, a player, `of:`.
    pub(crate) fn optional_roles(&mut self, l: &Ludeme) -> Result<Option<Who>> {
        let value = l.typed("roleType").or(l.typed("player")).or(l.labelled("of"));
        match value.or(l.labelled("by")).or(l.labelled("to")) {
            Some(value) => self.roles(value, l).map(Some),
            None => Ok(None),
        }
    }

    /// The component of an argument `(piece …)`, for the mover where it names a stem; the mover's
    /// first without one.
    pub(crate) fn piece(&mut self, l: &Ludeme) -> Result<Int> {
        let Some(Value::Call(piece)) = l.typed("piece") else {
            let (all, players) = (&self.equipment.components, self.equipment.players);
            // Dice are components, too, but nobody's to place.
            let shared = || all.iter().position(|k| k.owner > players && k.stem != "Die");
            return Ok(self.by_player(&|p| {
                all.iter().skip(1).position(|k| k.owner == p).map(|n| n + 1).or_else(shared)
            }));
        };
        match piece.arg(0) {
            Some(value) => self.piece_value(value, piece),
            None => Err(unsupported(piece)),
        }
    }

    /// The components of an argument `(piece …)`, of which one is to be chosen.
    pub(crate) fn pieces(&mut self, l: &Ludeme) -> Result<Vec<Int>> {
        if let Some(Value::Call(piece)) = l.typed("piece")
            && let Some(Value::List(list)) = piece.arg(0)
        {
            return list.iter().map(|value| self.piece_value(value, piece)).collect();
        }
        Ok(vec![self.piece(l)?])
    }

    /// The component of a name, for the mover where it is a stem, or of a number.
    fn piece_value(&mut self, value: &Value, of: &Ludeme) -> Result<Int> {
        match value {
            Value::Str(name) => {
                let all = &self.equipment.components;
                let exact = || all.iter().position(|k| k.name == *name);
                let any = || all.iter().position(|k| k.stem == *name);
                Ok(self.by_player(&|p| {
                    let own = all.iter().position(|k| k.stem == *name && k.owner == p);
                    own.or_else(exact).or_else(any)
                }))
            }
            Value::Int(_) | Value::Call(_) => self.int(value, of),
            _ => Err(unsupported(of)),
        }
    }

    /// A component that depends on who moves.
    fn by_player(&self, pick: &dyn Fn(usize) -> Option<usize>) -> Int {
        let players = self.equipment.players;
        let table: Vec<i32> =
            (0..=players + 1).map(|p| pick(p).map_or(OFF, |n| n as i32)).collect();
        Int::new(move |c| table.get(c.state.s.mover).copied().unwrap_or(OFF))
    }

    /// The local state of an argument `(piece … state:…)`.
    pub(crate) fn piece_state(&mut self, l: &Ludeme) -> Result<Option<Int>> {
        match l.typed("piece") {
            Some(Value::Call(piece)) => self.optional_int(piece, "state"),
            _ => Ok(None),
        }
    }

    fn direction_list(&mut self, value: &Value, base: Base, of: &Ludeme) -> Result<Vec<Direction>> {
        let named = |word: &str| Direction::named(word, base).ok_or_else(|| unsupported(of));
        match value {
            Value::Word(word) => Ok(vec![named(word)?]),
            Value::List(list) => {
                list.iter().map(|v| named(v.word().ok_or_else(|| unsupported(of))?)).collect()
            }
            _ => Err(unsupported(of)),
        }
    }

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

    /// Directions, each once.
    pub(crate) fn directions(&mut self, value: &Value, of: &Ludeme) -> Result<Dirs> {
        Ok(self.counted_directions(value, of)?.distinct())
    }

    /// Directions, each as often as it is named.
    fn counted_directions(&mut self, value: &Value, of: &Ludeme) -> Result<Dirs> {
        match value {
            Value::Word(word) if word == "SameDirection" || word == "OppositeDirection" => {
                Ok(same_direction(word == "SameDirection", self.last()))
            }
            Value::Word(_) | Value::List(_) => {
                let list = self.direction_list(value, Base::Adjacent, of)?;
                Ok(self.rays(&list))
            }
            Value::Call(l) => match l.signature().keyword.as_str() {
                "if" => Ok(Dirs::If(
                    self.bool_at(l, 0)?,
                    Box::new(self.counted_directions(l.arg(1).ok_or_else(|| unsupported(l))?, l)?),
                    Box::new(self.counted_directions(l.arg(2).ok_or_else(|| unsupported(l))?, l)?),
                )),
                "union" | "difference" => {
                    let a = self.directions(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                    let b = self.directions(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                    let union = l.signature().keyword == "union";
                    Ok(Dirs::Dyn(Box::new(move |c, site| {
                        let mut rays = a.rays(c, site).to_vec();
                        let other = b.rays(c, site);
                        if union {
                            rays.extend(
                                other
                                    .iter()
                                    .filter(|r| !rays.contains(r))
                                    .copied()
                                    .collect::<Vec<_>>(),
                            );
                        } else {
                            rays.retain(|r| !other.contains(r));
                        }
                        rays
                    })))
                }
                "directions" => self.directions_of(l),
                _ => Err(unsupported(l)),
            },
            _ => Err(unsupported(of)),
        }
    }

    fn directions_of(&mut self, l: &Ludeme) -> Result<Dirs> {
        if l.labelled("from").is_some() {
            let (from, to) = (self.int_or(l, "from", OFF)?, self.int_or(l, "to", OFF)?);
            return Ok(Dirs::Way(Box::new(move |c, site| {
                let (from, to) = (from.get(c), to.get(c));
                along(c, site, from, to)
            })));
        }
        if l.arg(0).and_then(Value::word) == Some("Random") {
            return Err(unsupported(l));
        }
        let base = match l.labelled("of").and_then(Value::word) {
            Some("Orthogonal") => Base::Orthogonal,
            Some("Diagonal") => Base::Diagonal,
            Some("All") => Base::All,
            Some("Adjacent") | None if Self::flag(l, "bySite") => Base::Site,
            Some("Adjacent") | None => Base::Adjacent,
            _ => return Err(unsupported(l)),
        };
        match l.arg(0) {
            Some(Value::Word(word)) if word == "SameDirection" || word == "OppositeDirection" => {
                Ok(same_direction(word == "SameDirection", self.last()))
            }
            Some(value) => {
                let list = self.direction_list(value, base, l)?;
                Ok(self.rays(&list))
            }
            None => {
                let named = match base {
                    Base::Orthogonal => Direction::Orthogonal,
                    Base::Diagonal => Direction::Diagonal,
                    Base::Adjacent | Base::Site => Direction::Adjacent,
                    Base::All => Direction::All,
                };
                Ok(self.rays(&[named]))
            }
        }
    }

    /// The directions of a slot, or others where it is empty.
    pub(crate) fn direction_or(&mut self, l: &Ludeme, default: Direction) -> Result<Dirs> {
        Ok(self.counted_direction_or(l, default)?.distinct())
    }

    /// The directions of a slot, each as often as it is named, or others where it is empty.
    pub(crate) fn counted_direction_or(&mut self, l: &Ludeme, default: Direction) -> Result<Dirs> {
        let value =
            l.typed("direction").or(l.typed("absoluteDirection")).or(l.typed("relationType"));
        match value {
            Some(value) => self.counted_directions(value, l),
            None => Ok(self.rays(&[default])),
        }
    }
}

/// The ray of a site in the direction from one site to another.
fn along(c: &super::Context<'_>, site: i32, from: i32, to: i32) -> Option<u32> {
    let (Ok(at), Ok(from), Ok(to)) =
        (usize::try_from(site), usize::try_from(from), u32::try_from(to))
    else {
        return None;
    };
    let directions = &c.equipment.directions;
    let way = directions.of(from).find(|&ray| directions.line(ray).contains(&to))?;
    if at == from {
        return Some(way);
    }
    let (bearing, up) =
        (directions.rays[way as usize].bearing, directions.rays[way as usize].relation.up);
    directions
        .of(at)
        .filter(|&r| {
            let ray = &directions.rays[r as usize];
            ray.relation.up == up && super::directions::turn(ray.bearing, bearing) < 23.0
        })
        .min_by(|&a, &b| {
            let bend =
                |r: u32| super::directions::turn(directions.rays[r as usize].bearing, bearing);
            bend(a).total_cmp(&bend(b))
        })
}

fn same_direction(same: bool, last: Last) -> Dirs {
    Dirs::Way(Box::new(move |c, site| {
        // Of the move that is being made, else of the last one.
        let (from, to) = match (c.at.from, c.at.to) {
            (from, to) if from >= 0 && to >= 0 && from != to => (from, to),
            _ => (c.state.s.last.from(last), c.state.s.last.to(last)),
        };
        if same { along(c, site, from, to) } else { along(c, site, to, from) }
    }))
}

fn player_bit(who: Int) -> Who {
    Who::Dyn(Box::new(move |c| {
        u32::try_from(who.get(c)).ok().filter(|&p| p < 32).map_or(0, |p| 1 << p)
    }))
}
