//! Ludemes that are numbers.

use ludex_core::deadline;
use std::collections::BTreeSet;

use super::directions::Direction;
use super::equipment::Die;
use super::functions::{Int, Region, Result, Who};
use super::lower::{Lower, unsupported};
use super::state::{Cell, OFF};
use crate::board::Element;
use crate::compile::{Ludeme, Value};

/// What is looked for: a kind of piece, or pieces of some names that belong to some players.
enum Wanted {
    Kind(Int),
    Of(Who, Vec<bool>),
}

/// A very large number.
const INFINITY: i32 = 1_000_000_000;

impl Lower<'_> {
    /// A number.
    pub(crate) fn int(&mut self, value: &Value, of: &Ludeme) -> Result<Int> {
        match value {
            Value::Int(n) => Ok(Int::Const(*n)),
            Value::Word(word) => match word.as_str() {
                "Off" | "Undefined" => Ok(Int::Const(OFF)),
                "End" => Ok(Int::Const(super::track::END)),
                "Infinity" => Ok(Int::Const(INFINITY)),
                "Nobody" => Ok(Int::Const(0)),
                word if self.is_role(word) => self.player_value(value, of),
                _ => Err(unsupported(of)),
            },
            Value::Call(ludeme) => self.int_of(ludeme),
            _ => Err(unsupported(of)),
        }
    }

    fn labelled_int(&mut self, l: &Ludeme, label: &str) -> Result<Int> {
        self.optional_int(l, label)?.ok_or_else(|| unsupported(l))
    }

    /// A number of what is on a site, or on a level of it.
    fn of_cell(
        &mut self,
        l: &Ludeme,
        f: impl Fn(&super::Context<'_>, Cell) -> i32 + Send + Sync + 'static,
    ) -> Result<Int> {
        let at = self.labelled_int(l, "at")?;
        Ok(match self.optional_int(l, "level")? {
            None => Int::new(move |c| {
                let site = at.get(c);
                f(c, c.cell(site))
            }),
            Some(level) => Int::new(move |c| {
                let (site, level) = (at.get(c), level.get(c));
                f(c, c.state.level(site, level))
            }),
        })
    }

    pub(crate) fn int_of(&mut self, l: &Ludeme) -> Result<Int> {
        let keyword = l.signature().keyword.as_str();
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        if keyword == "count" && first.is_empty() && self.other_sites(l) {
            // Nothing ever stands there.
            if let Some(value) = l.labelled("in").or(l.labelled("at")) {
                self.region(value, l)?;
            }
            return Ok(Int::Const(0));
        }
        self.same_site_type(l)?;
        let layout = self.layout;
        Ok(match keyword {
            "from" if l.arg(0).is_none() => Int::From,
            "to" => Int::To,
            "between" => Int::Between,
            "site" => Int::Site,
            "player" => Int::new(|c| c.at.player),
            "level" => Int::new(|c| c.at.level),
            "pips" => Int::new(|c| c.at.pips),
            "track" => Int::new(|c| c.at.track),
            "value" if l.signature().slots.is_empty() => Int::new(|c| c.at.value),
            "value" => match first.as_str() {
                "Piece" => self.of_cell(l, |_, cell| cell.value.into())?,
                "Player" => {
                    let who = self.player(l, 1)?;
                    Int::new(move |c| {
                        let player = who.get(c).max(0) as usize;
                        c.state.numbers[layout.value(player)]
                    })
                }
                "Pending" => Int::new(|c| c.state.pending.last().copied().unwrap_or(0)),
                "Random" => self.random_value(l)?,
                "TurnLimit" => Int::Const(super::play::MOST_TURNS as i32),
                "MoveLimit" => Int::Const(super::play::MOST_MOVES as i32),
                _ => return Err(unsupported(l)),
            },
            "mover" => Int::Mover,
            "next" => Int::new(|c| c.state.s.next as i32),
            "prev" => {
                if first == "MoverLastTurn" {
                    return Ok(Int::new(|c| c.state.s.before as i32));
                }
                Int::new(|c| c.state.s.prev as i32)
            }
            "cost" => {
                let region = l.labelled("at").or(l.labelled("in")).ok_or_else(|| unsupported(l))?;
                let region = self.region(region, l)?;
                Int::new(move |c| {
                    let mut sum = 0i32;
                    region.each(c, |c, site| {
                        let costs = c.rules.costs.iter().rev();
                        let cost = costs.into_iter().find(|(s, _)| *s == site).map_or(0, |k| k.1);
                        sum = sum.wrapping_add(cost);
                        true
                    });
                    sum
                })
            }
            "counter" => Int::new(|c| c.state.s.counter),
            "pot" => Int::new(|c| c.state.s.pot),
            "amount" => {
                let who = self.player(l, 0)?;
                Int::new(move |c| {
                    let player = who.get(c).max(0) as usize;
                    c.state.numbers[layout.amount(player)]
                })
            }
            "what" => self.of_cell(l, |_, cell| cell.what.into())?,
            "who" => self.of_cell(l, |c, cell| c.owner(cell.what.into()) as i32)?,
            "state" => self.of_cell(l, |_, cell| cell.state.into())?,
            "rotation" => self.of_cell(l, |_, cell| cell.rotation.into())?,
            "score" => {
                let who = self.player(l, 0)?;
                Int::new(move |c| {
                    let player = who.get(c).max(0) as usize;
                    c.state.numbers[layout.score(player)]
                })
            }
            "var" => {
                let number = self.var(&Self::text(l.arg(0)).unwrap_or_default());
                Int::new(move |c| c.state.numbers[number])
            }
            "last" => {
                let last = self.last();
                match first.as_str() {
                    "To" if Self::flag(l, "afterConsequence") => {
                        Int::new(move |c| c.state.s.last.after(last))
                    }
                    "To" => Int::LastTo(last),
                    "From" => Int::new(move |c| c.state.s.last.from(last)),
                    "LevelFrom" => Int::new(move |c| c.state.s.last.levels(last).0.into()),
                    "LevelTo" => Int::new(move |c| c.state.s.last.levels(last).1.into()),
                    _ => return Err(unsupported(l)),
                }
            }
            "handSite" => {
                let who = self.player(l, 0)?;
                let index = match l.arg(1) {
                    Some(value) => self.int(value, l)?,
                    None => Int::Const(0),
                };
                let hands: Vec<Option<(i32, i32)>> = (0..=self.equipment.players + 1)
                    .map(|p| self.equipment.hand(p).map(|h| (h.from as i32, h.sites as i32)))
                    .collect();
                let site = move |player: i32, index: i32| match hands.get(player.max(0) as usize) {
                    Some(Some((from, sites))) if (0..*sites).contains(&index) => from + index,
                    _ => OFF,
                };
                if let (Some(player), Some(index)) = (who.fixed(), index.fixed()) {
                    return Ok(Int::Const(site(player, index)));
                }
                Int::new(move |c| {
                    let (player, index) = (who.get(c), index.get(c));
                    site(player, index)
                })
            }
            "centrePoint" => Int::Const(self.centres().first().copied().unwrap_or(OFF)),
            "coord" => match l.typed("string") {
                Some(Value::Str(label)) => {
                    Int::Const(self.site(label).ok_or_else(|| unsupported(l))?)
                }
                _ => {
                    let (row, column) =
                        (self.labelled_int(l, "row")?, self.labelled_int(l, "column")?);
                    let find = move |e: &super::Equipment, row: i32, column: i32| {
                        let at = e
                            .elements()
                            .iter()
                            .position(|e| e.row as i32 == row && e.column as i32 == column);
                        at.map_or(OFF, |at| at as i32)
                    };
                    if let (Some(row), Some(column)) = (row.fixed(), column.fixed()) {
                        return Ok(Int::Const(find(self.equipment, row, column)));
                    }
                    Int::new(move |c| {
                        let (row, column) = (row.get(c), column.get(c));
                        find(c.equipment, row, column)
                    })
                }
            },
            "row" | "column" | "layer" => {
                let of = self.labelled_int(l, "of")?;
                let elements = self.equipment.elements().iter();
                let mut list: Vec<i32> = elements
                    .map(|e| match keyword {
                        "row" => e.row as i32,
                        "column" => e.column as i32,
                        _ => e.layer as i32,
                    })
                    .collect();
                // Hands lie as low as the board.
                if keyword == "layer" {
                    list.resize(self.equipment.sites, 0);
                }
                self.table(of, list)
            }
            "phase" => {
                let of = self.labelled_int(l, "of")?;
                let list = self.colours();
                self.table(of, list)
            }
            "id" => {
                let name = Self::text(l.typed("string"));
                match (l.typed("roleType"), name) {
                    (None, Some(name)) => {
                        Int::Const(self.component(&name).ok_or_else(|| unsupported(l))? as i32)
                    }
                    (Some(role), None) => self.player_value(role, l)?,
                    (Some(role), Some(stem)) => {
                        let all = &self.equipment.components;
                        if all.iter().all(|k| k.stem != stem)
                            && let Some(exact) = all.iter().position(|k| k.name == stem)
                        {
                            return Ok(Int::Const(exact as i32));
                        }
                        let who = self.player_value(role, l)?;
                        self.component_of(who, &stem)
                    }
                    (None, None) => return Err(unsupported(l)),
                }
            }
            "mapEntry" => {
                let name = Self::text(l.typed("string")).unwrap_or_default();
                let key = match (l.typed("int"), l.typed("roleType")) {
                    (Some(value), _) => self.int(value, l)?,
                    (None, Some(role)) => self.player_value(role, l)?,
                    _ => return Err(unsupported(l)),
                };
                let mut pairs = Vec::new();
                let maps = self.equipment.maps.clone();
                for (_, list) in maps.iter().filter(|(n, _)| name.is_empty() || *n == name) {
                    // Of several entries with the same key the last counts (decided by Tai Shogi, ply 260).
                    for (a, b) in list.iter().rev() {
                        let pair = |this: &mut Self| Ok((this.entry(a, l)?, this.entry(b, l)?));
                        pairs.push(self.by_name(l, pair)?);
                    }
                }
                Int::new(move |c| {
                    let key = key.get(c);
                    // What has no entry stands for itself.
                    pairs.iter().find(|(a, _)| *a == key).map_or(key, |(_, b)| *b)
                })
            }
            "ahead" => {
                let site = self.typed_int(l)?;
                let steps = self.int_or(l, "steps", 1)?;
                let directions = match l.typed("direction") {
                    Some(v) => self.directions(v, l)?,
                    None => self.directions(&Value::Word("Forward".into()), l)?,
                };
                Int::new(move |c| {
                    let (site, steps) = (site.get(c), steps.get(c));
                    let rays = directions.rays(c, site);
                    let Some(&ray) = rays.first() else { return site };
                    let line = c.equipment.directions.line(ray);
                    match steps {
                        ..=0 => site,
                        _ => line.get(steps as usize - 1).map_or(site, |&s| s as i32),
                    }
                })
            }
            "count" => return self.count(l, &first),
            "countSizeBiggestGroup" => self.count_groups(l, true)?,
            "size" => match first.as_str() {
                "Group" => self.group_size(l)?,
                "Territory" => self.territory(l)?,
                "Array" => {
                    let list = self.int_list(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                    Int::new(move |c| list.of(c, |_, list| list.len() as i32))
                }
                "Stack" => {
                    let region = match l.labelled("in").or(l.labelled("at")) {
                        Some(value) => self.region(value, l)?,
                        None => Region::One(Int::LastTo(self.last())),
                    };
                    Int::new(move |c| {
                        let mut n = 0;
                        region.each(c, |c, site| {
                            n += c.state.height(site);
                            true
                        });
                        n
                    })
                }
                _ => return Err(unsupported(l)),
            },
            "topLevel" => {
                let at = self.labelled_int(l, "at")?;
                Int::new(move |c| {
                    let site = at.get(c);
                    (c.state.height(site) - 1).max(0)
                })
            }
            "arrayValue" => {
                let list = self.int_list(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let index = self.labelled_int(l, "index")?;
                Int::new(move |c| {
                    let index = index.get(c);
                    let at = usize::try_from(index).unwrap_or(usize::MAX);
                    list.of(c, |_, list| list.get(at).copied().unwrap_or(OFF))
                })
            }
            "abs" => {
                let x = self.int_at(l, 0)?;
                Int::new(move |c| x.get(c).wrapping_abs())
            }
            "+" | "*" | "-" | "/" | "%" | "mod" | "add" | "^" | "pow" | "min" | "max" => {
                return self.arithmetic(l);
            }
            "if" => {
                let condition = self.bool_at(l, 0)?;
                let (yes, no) = (self.int_at(l, 1)?, self.int_at(l, 2)?);
                Int::new(move |c| if condition(c) { yes.get(c) } else { no.get(c) })
            }
            "toInt" => match l.arg(0) {
                Some(v @ (Value::Bool(_) | Value::Call(_))) => {
                    let b = self.bool(v, l)?;
                    Int::new(move |c| b(c).into())
                }
                _ => return Err(unsupported(l)),
            },
            "regionSite" => {
                let region = self.region(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let index = self.labelled_int(l, "index")?;
                Int::new(move |c| {
                    let i = usize::try_from(index.get(c)).unwrap_or(usize::MAX);
                    region.of(c, |_, r| r.iter().nth(i).unwrap_or(OFF))
                })
            }
            "where" => self.where_is(l, &first)?,
            "face" => {
                let site = self.typed_int(l)?;
                Int::new(move |c| {
                    let site = site.get(c);
                    let die = c.equipment.dice.iter().find(|d| d.site as i32 == site);
                    let face = c.cell(site).state;
                    die.and_then(|d| d.faces.get(face.max(0) as usize)).copied().unwrap_or(OFF)
                })
            }
            "trackSite" => self.track_site(l, &first)?,
            _ => return Err(unsupported(l)),
        })
    }

    /// A number by site.
    fn table(&self, of: Int, list: Vec<i32>) -> Int {
        let look = move |site: i32| usize::try_from(site).ok().and_then(|s| list.get(s).copied());
        match of.fixed() {
            Some(site) => Int::Const(look(site).unwrap_or(OFF)),
            None => Int::new(move |c| look(of.get(c)).unwrap_or(OFF)),
        }
    }

    /// The component of a name that belongs to a player.
    fn component_of(&self, who: Int, stem: &str) -> Int {
        let table: Vec<i32> = (0..=self.equipment.players + 1)
            .map(|p| self.equipment.component_of(stem, p).map_or(OFF, |n| n as i32))
            .collect();
        self.table(who, table)
    }

    fn where_is(&mut self, l: &Ludeme, first: &str) -> Result<Int> {
        let state = self.optional_int(l, "state")?;
        // Where in a stack: from the top, if not said otherwise.
        let stack = match first {
            "Level" => Some(self.int(l.labelled("at").ok_or_else(|| unsupported(l))?, l)?),
            _ => None,
        };
        let from_top = !matches!(l.labelled("fromTop"), Some(Value::Bool(false)));
        let wanted = match Self::text(l.typed("string")) {
            Some(stem) => {
                let slot = if stack.is_some() { 2 } else { 1 };
                // A name that no piece has means the first that begins so.
                let all = &self.equipment.components;
                let stem = match all.iter().any(|k| k.stem == stem || k.name == stem) {
                    true => stem,
                    false => all
                        .iter()
                        .find(|k| k.stem.starts_with(&stem))
                        .map_or(stem, |k| k.stem.clone()),
                };
                let exact = all.iter().position(|k| k.name == stem && k.stem != stem);
                match exact.filter(|_| all.iter().all(|k| k.stem != stem)) {
                    Some(exact) => {
                        l.arg(slot);
                        Wanted::Kind(Int::Const(exact as i32))
                    }
                    None => match self.player(l, slot) {
                        Ok(who) => Wanted::Kind(self.component_of(who, &stem)),
                        // Of a side, or of several players.
                        Err(_) => {
                            let who = l.arg(slot).ok_or_else(|| unsupported(l))?;
                            Wanted::Of(self.roles(who, l)?, self.named(&[stem]))
                        }
                    },
                }
            }
            None => Wanted::Kind(self.typed_int(l)?),
        };
        let layout = self.layout;
        Ok(Int::new(move |c| {
            let state = state.as_ref().map(|s| s.get(c));
            let stack = stack.as_ref().map(|site| site.get(c));
            let (kind, of) = match &wanted {
                Wanted::Kind(kind) => (kind.get(c), None),
                Wanted::Of(who, named) => (0, Some((who.get(c), named))),
            };
            let Ok(kind) = usize::try_from(kind) else { return OFF };
            let s = &*c.state;
            let is = |cell: Cell| {
                let what = usize::from(cell.what);
                let fits = match of {
                    None => what == kind,
                    Some((who, named)) => {
                        named.get(what) == Some(&true) && who >> c.owner(what) & 1 == 1
                    }
                };
                fits && state.is_none_or(|n| i32::from(cell.state) == n)
            };
            if let Some(site) = stack {
                let mut levels = (0..s.height(site)).filter(|&level| is(s.level(site, level)));
                return if from_top { levels.next_back() } else { levels.next() }.unwrap_or(OFF);
            }
            let board = &c.equipment.on_board;
            if s.under.is_empty() && of.is_none() {
                let mut own = s.sites_of(layout, c.owner(kind));
                return own.find(|&at| board.contains(at) && is(s.cell(at))).unwrap_or(OFF);
            }
            let on = |&site: &i32| (0..s.height(site)).any(|level| is(s.level(site, level)));
            board.iter().find(on).unwrap_or(OFF)
        }))
    }

    fn arithmetic(&mut self, l: &Ludeme) -> Result<Int> {
        let keyword = l.signature().keyword.as_str();
        let f: fn(i32, i32) -> i32 = match keyword {
            "+" | "add" => i32::wrapping_add,
            "*" => i32::wrapping_mul,
            "-" => i32::wrapping_sub,
            "/" => |a, b| if b == 0 { 0 } else { a.wrapping_div(b) },
            "%" | "mod" => |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) },
            // Beyond what a number can hold it is the largest, not a remainder.
            "^" | "pow" => |a, b| f64::from(a).powi(b) as i32,
            "min" => Ord::min,
            _ => Ord::max,
        };
        let values: Vec<&Value> = l.args().iter().flatten().map(|(_, v)| v).collect();
        if let [v] = values[..]
            && self.is_ints(v)
        {
            let list = self.int_list(v, l)?;
            // The largest or smallest of none is no number.
            let none = if matches!(keyword, "min" | "max") { OFF } else { 0 };
            return Ok(Int::new(move |c| {
                list.of(c, |_, list| list.iter().copied().reduce(f).unwrap_or(none))
            }));
        }
        let mut list: Vec<Int> = match l.arg(0) {
            Some(Value::List(list)) => {
                list.iter().map(|v| self.int(v, l)).collect::<Result<_>>()?
            }
            _ => values.iter().map(|v| self.int(v, l)).collect::<Result<_>>()?,
        };
        if let Some(fixed) = list.iter().map(Int::fixed).collect::<Option<Vec<i32>>>() {
            let value = match (&fixed[..], keyword) {
                ([x], "-") => x.wrapping_neg(),
                _ => fixed.into_iter().reduce(f).unwrap_or(0),
            };
            return Ok(Int::Const(value));
        }
        Ok(match list.len() {
            1 if keyword == "-" => Int::new(move |c| list[0].get(c).wrapping_neg()),
            2 => {
                let (Some(b), Some(a)) = (list.pop(), list.pop()) else {
                    return Err(unsupported(l));
                };
                Int::new(move |c| f(a.get(c), b.get(c)))
            }
            _ => Int::new(move |c| list.iter().map(|x| x.get(c)).reduce(f).unwrap_or(0)),
        })
    }

    fn count(&mut self, l: &Ludeme, first: &str) -> Result<Int> {
        let elements = self.equipment.elements();
        Ok(match first {
            "Moves" => Int::new(|c| c.state.s.moves as i32),
            "Turns" => Int::new(|c| c.state.s.turns as i32 + 1),
            "MovesThisTurn" => Int::new(|c| c.state.s.same_turn as i32),
            "Players" => Int::Const(self.equipment.players as i32),
            "Active" => Int::new(|c| c.state.s.active.count_ones() as i32),
            // Those of the lowest layer.
            "Rows" | "Columns" => {
                let base = elements.iter().filter(|e| e.layer == 0);
                let line = |e: &Element| if first == "Rows" { e.row } else { e.column };
                Int::Const(base.map(line).collect::<BTreeSet<_>>().len() as i32)
            }
            "Cells" => Int::Const(self.equipment.board.topology.cells.len() as i32),
            "Vertices" => Int::Const(self.equipment.board.topology.vertices.len() as i32),
            "Edges" => Int::Const(self.equipment.board.topology.edges.len() as i32),
            "Phases" => return Err(unsupported(l)),
            "Pieces" => self.count_pieces(l, false)?,
            // Of dice that are used, too.
            "Pips" => Int::new(|c| {
                let shown = |die: &Die| {
                    let face = c.cell(die.site as i32).state.max(0) as usize;
                    die.faces.get(face).copied().unwrap_or(0)
                };
                c.equipment.dice.iter().map(shown).sum()
            }),
            "Sites" => match l.labelled("in").or(l.labelled("at")) {
                Some(value) => {
                    let region = self.region(value, l)?;
                    Int::new(move |c| region.of(c, |_, r| r.len() as i32))
                }
                // Those of a container.
                None => match Self::text(l.typed("string")).as_deref() {
                    Some("Board") => {
                        let board = &self.equipment.board.topology;
                        Int::Const(board.elements(self.equipment.declared).len() as i32)
                    }
                    Some(name) => {
                        let sites = self.container(name).ok_or_else(|| unsupported(l))?;
                        Int::Const(sites.len() as i32)
                    }
                    None => return Err(unsupported(l)),
                },
            },
            "Adjacent" | "Neighbours" | "Orthogonal" | "Diagonal" | "Off" => {
                let at = match self.optional_int(l, "at")? {
                    Some(at) => at,
                    None => Int::LastTo(self.last()),
                };
                let elements = self.equipment.elements();
                let list = elements
                    .iter()
                    .map(|e| match first {
                        "Orthogonal" => e.orthogonal.len(),
                        "Diagonal" => e.diagonal.len(),
                        "Off" => e.off_diagonal.len(),
                        _ => e.adjacent.len(),
                    } as i32)
                    .collect();
                self.table(at, list)
            }
            "" => {
                let region = match l.labelled("in").or(l.labelled("at")) {
                    Some(value) => self.region(value, l)?,
                    None => Region::One(Int::LastTo(self.last())),
                };
                // Hands are cells: on a board of vertices they count only where cells are meant.
                let cells = self.equipment.board.sites == crate::board::SiteType::Cell
                    || l.typed("siteType").and_then(Value::word) == Some("Cell");
                Int::new(move |c| {
                    let mut n = 0;
                    region.each(c, |c, site| {
                        if cells || c.equipment.on_board.contains(site) {
                            n += match c.rules.stacking {
                                true => c.state.height(site),
                                false => c.cell(site).count.into(),
                            };
                        }
                        true
                    });
                    n
                })
            }
            "Groups" => self.count_groups(l, false)?,
            "SizeBiggestGroup" => self.count_groups(l, true)?,
            "Stack" => {
                let region = l.labelled("at").or(l.labelled("to")).ok_or_else(|| unsupported(l))?;
                let region = self.region(region, l)?;
                let (condition, stop) =
                    (self.optional_bool(l, "if")?, self.optional_bool(l, "stop")?);
                let down = l.typed("stackDirection").and_then(Value::word) == Some("FromTop");
                Int::new(move |c| {
                    let mut n = 0;
                    region.each(c, |c, site| {
                        let height = c.state.height(site);
                        for level in 0..height {
                            let level = if down { height - 1 - level } else { level };
                            let at = super::Registers { to: site, site, level, ..c.at };
                            if c.with(at, |c| stop.as_ref().is_some_and(|f| f(c))) {
                                break;
                            }
                            n += i32::from(c.with(at, |c| condition.as_ref().is_none_or(|f| f(c))));
                        }
                        true
                    });
                    n
                })
            }
            "SizeBiggestLine" => self.biggest_line(l)?,
            "SitesPlatformBelow" => self.platform(l)?,
            "Liberties" => self.liberties(l)?,
            "Value" => {
                let value = self.typed_int(l)?;
                let list = self.int_list(l.labelled("in").ok_or_else(|| unsupported(l))?, l)?;
                Int::new(move |c| {
                    let value = value.get(c);
                    list.of(c, |_, list| list.iter().filter(|&&x| x == value).count() as i32)
                })
            }
            "Steps" => self.count_steps(l)?,
            _ => return Err(unsupported(l)),
        })
    }

    /// Steps from one site to another, whatever stands between.
    fn count_steps(&mut self, l: &Ludeme) -> Result<Int> {
        self.refuse(l, &["newRotation"])?;
        if let Some(Value::Call(step)) = l.typed("step") {
            let step = self.moves_of(step)?;
            let is_step =
                |v: &Value| matches!(v, Value::Call(k) if k.signature().keyword == "step");
            let values: Vec<&Value> = (l.args().iter().flatten().map(|(_, v)| v))
                .filter(|v| !matches!(v, Value::Word(w) if w != "Off") && !is_step(v))
                .collect();
            let [a, b] = values[..] else { return Err(unsupported(l)) };
            let (from, to) = (self.int(a, l)?, self.region(b, l)?);
            return Ok(Int::new(move |c| {
                // The dearest question of all: in Skirt thousands of them make a step of 70 ms. After the deadline nobody
                // uses what follows from the answer.
                if deadline::look() {
                    return OFF;
                }
                let from = from.get(c);
                let mut goal = c.sites();
                to.fill(c, &mut goal);
                // Where there is no way it is endless.
                let mut least = INFINITY;
                if goal.is_empty() {
                    c.free(goal);
                    return OFF;
                }
                super::groups::walk(c, from, &step, |site, far| {
                    if goal.contains(site) {
                        least = far;
                    }
                    least == INFINITY
                });
                c.free(goal);
                least
            }));
        }
        let relation = l.typed("relationType").and_then(Value::word).unwrap_or("Adjacent");
        let direction = Direction::named(relation, super::directions::Base::Adjacent)
            .ok_or_else(|| unsupported(l))?;
        let values: Vec<&Value> = l
            .args()
            .iter()
            .flatten()
            .map(|(_, v)| v)
            .filter(|v| !matches!(v, Value::Word(w) if w != "Off"))
            .collect();
        let [a, b] = values[..] else { return Err(unsupported(l)) };
        let (from, to) = (self.int(a, l)?, self.region(b, l)?);
        let far = self.distances(&direction);
        Ok(Int::new(move |c| {
            let from = from.get(c);
            let Some(row) = usize::try_from(from).ok().and_then(|s| far.get(s)) else { return OFF };
            let mut least = INFINITY;
            to.each(c, |_, site| {
                if let Some(&d) = row.get(site as usize)
                    && d >= 0
                {
                    least = least.min(d.into());
                }
                true
            });
            if least == INFINITY { OFF } else { least }
        }))
    }

    /// By site and site: how many steps apart they are; -1 where there is no way.
    pub(crate) fn distances(&self, direction: &Direction) -> Vec<Vec<i16>> {
        let directions = &self.equipment.directions;
        let n = self.equipment.elements().len();
        let list = std::slice::from_ref(direction);
        let next: Vec<Vec<u32>> = (0..n)
            .map(|s| {
                directions.select(s, list, 0.0).iter().map(|&r| directions.line(r)[0]).collect()
            })
            .collect();
        (0..n)
            .map(|start| {
                let mut far = vec![-1i16; n];
                far[start] = 0;
                let mut todo = std::collections::VecDeque::from([start]);
                while let Some(here) = todo.pop_front() {
                    for &to in &next[here] {
                        if far[to as usize] < 0 {
                            far[to as usize] = far[here] + 1;
                            todo.push_back(to as usize);
                        }
                    }
                }
                far
            })
            .collect()
    }
}
