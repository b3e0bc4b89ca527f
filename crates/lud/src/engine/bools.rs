//! Ludemes that are conditions.

use super::context::{Context, Registers};
use super::functions::{Bool, Int, Region, Result, Who};
use super::lower::{Lower, unsupported};
use super::sites::Sites;
use super::{play, repeat};
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    /// A condition.
    pub(crate) fn bool(&mut self, value: &Value, of: &Ludeme) -> Result<Bool> {
        match value {
            Value::Bool(b) => {
                let b = *b;
                Ok(Box::new(move |_| b))
            }
            Value::Call(l) => self.bool_of(l),
            _ => Err(unsupported(of)),
        }
    }

    fn bools(&mut self, l: &Ludeme) -> Result<Vec<Bool>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.bool(v, l)).collect(),
            _ => l.args().iter().flatten().map(|(_, v)| self.bool(v, l)).collect(),
        }
    }

    pub(crate) fn bool_of(&mut self, l: &Ludeme) -> Result<Bool> {
        let keyword = l.signature().keyword.as_str();
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        if !matches!(first.as_str(), "LastTo" | "LastFrom") {
            self.same_site_type(l)?;
        }
        Ok(match keyword {
            "and" => {
                let mut all = self.bools(l)?;
                if all.len() == 2
                    && let (Some(b), Some(a)) = (all.pop(), all.pop())
                {
                    return Ok(Box::new(move |c| a(c) && b(c)));
                }
                Box::new(move |c| all.iter().all(|b| b(c)))
            }
            "or" => {
                let all = self.bools(l)?;
                Box::new(move |c| all.iter().any(|b| b(c)))
            }
            "xor" => {
                let all = self.bools(l)?;
                Box::new(move |c| all.iter().fold(false, |x, b| x != b(c)))
            }
            "not" => {
                let b = self.bool_at(l, 0)?;
                Box::new(move |c| !b(c))
            }
            "if" => {
                let (condition, yes) = (self.bool_at(l, 0)?, self.bool_at(l, 1)?);
                let no = match l.arg(2) {
                    Some(v) => Some(self.bool(v, l)?),
                    None => None,
                };
                Box::new(
                    move |c| {
                        if condition(c) { yes(c) } else { no.as_ref().is_some_and(|f| f(c)) }
                    },
                )
            }
            "=" | "!=" if matches!(l.arg(0), Some(v) if self.is_region(v)) => {
                let a = self.region(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let b = self.region(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let equal = keyword == "=";
                Box::new(move |c| a.of(c, |c, a| b.of(c, |_, b| a == b)) == equal)
            }
            "=" | "!=" | "<" | ">" | "<=" | ">=" => {
                let a = self.int_at(l, 0)?;
                let b = match l.arg(1) {
                    Some(Value::Word(word)) if self.is_role(word) => self.player(l, 1)?,
                    Some(v) => self.int(v, l)?,
                    None => return Err(unsupported(l)),
                };
                match keyword {
                    "=" => Box::new(move |c| a.get(c) == b.get(c)),
                    "!=" => Box::new(move |c| a.get(c) != b.get(c)),
                    "<" => Box::new(move |c| a.get(c) < b.get(c)),
                    ">" => Box::new(move |c| a.get(c) > b.get(c)),
                    "<=" => Box::new(move |c| a.get(c) <= b.get(c)),
                    _ => Box::new(move |c| a.get(c) >= b.get(c)),
                }
            }
            "toBool" => {
                let x = self.int_at(l, 0)?;
                Box::new(move |c| x.get(c) != 0)
            }
            "is" => return self.is(l, &first),
            "no" => match first.as_str() {
                "Moves" => {
                    // Whether the next one can move has to be worked out; of the others it is known.
                    if l.arg(1).and_then(Value::word) == Some("Next") {
                        return Ok(Box::new(|c| {
                            let next = c.state.s.next;
                            let stuck = play::stuck(c, next);
                            let bit = 1 << next;
                            let known = &mut c.state.s.stuck;
                            *known = if stuck { *known | bit } else { *known & !bit };
                            stuck
                        }));
                    }
                    let who = self.player(l, 1)?;
                    Box::new(move |c| {
                        let player = who.get(c);
                        (0..32).contains(&player) && c.state.s.stuck >> player & 1 == 1
                    })
                }
                "Pieces" => {
                    let count = self.count_pieces(l, true)?;
                    Box::new(move |c| count.get(c) == 0)
                }
                _ => return Err(unsupported(l)),
            },
            "all" => return self.all(l, &first),
            "can" => {
                let moves = self.moves(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    let mut out = c.moves();
                    // Where the positions of a turn count, one can not move back to them.
                    let repeat = c.rules.no_repeat.filter(|repeat| repeat.in_turn()).is_some();
                    (out.enough, out.lazy) =
                        (u32::from(!repeat), repeat || !c.rules.checks.is_empty());
                    moves(c, &mut out);
                    out.lazy = false;
                    let fits = if repeat { play::holds } else { play::checked };
                    let some = super::lots::any(c, &mut out, fits);
                    c.free_moves(out);
                    some
                })
            }
            "was" => {
                let last = self.last();
                Box::new(move |c| {
                    c.state.s.last.to(last) == super::state::OFF && c.state.s.moves > 0
                })
            }
            _ => return Err(unsupported(l)),
        })
    }

    fn all(&mut self, l: &Ludeme, first: &str) -> Result<Bool> {
        Ok(match first {
            "Passed" => Box::new(|c| c.state.s.passes as usize >= c.equipment.players),
            "DiceUsed" => {
                let layout = self.layout;
                Box::new(move |c| (0..layout.dice).all(|d| c.state.numbers[layout.die(d)] == 0))
            }
            "DiceEqual" => Box::new(|c| c.state.s.dice_equal),
            "Sites" | "Different" => {
                let region = self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?;
                let condition = self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
                let different = first == "Different";
                Box::new(move |c| {
                    let (mut all, mut kinds) = (true, c.list());
                    region.each(c, |c, site| {
                        all = c.with(Registers { site, ..c.at }, |c| condition(c));
                        if different {
                            let what = c.what(site) as i32;
                            all &= what == 0 || !kinds.contains(&what);
                            kinds.push(what);
                        }
                        all
                    });
                    c.free_list(kinds);
                    all
                })
            }
            "Values" => {
                let values = self.int_list(l.typed("ints").ok_or_else(|| unsupported(l))?, l)?;
                let condition = self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    values.of(c, |c, values| {
                        let mut each = values.iter();
                        each.all(|&value| c.with(Registers { value, ..c.at }, |c| condition(c)))
                    })
                })
            }
            "Groups" => self.all_groups(l)?,
            _ => return Err(unsupported(l)),
        })
    }

    fn is(&mut self, l: &Ludeme, first: &str) -> Result<Bool> {
        Ok(match first {
            "Empty" | "Occupied" => {
                let site = self.typed_int(l)?;
                if first == "Empty" {
                    Box::new(move |c| {
                        let s = site.get(c);
                        c.is_empty(s)
                    })
                } else {
                    Box::new(move |c| {
                        let s = site.get(c);
                        c.what(s) != 0
                    })
                }
            }
            "Mover" | "Next" | "Prev" | "Friend" | "Enemy" | "Active" => {
                let who = match (l.typed("int"), l.typed("roleType")) {
                    (Some(v), _) => self.int(v, l)?,
                    _ => self.player(l, 1)?,
                };
                match first {
                    "Mover" => Box::new(move |c| who.get(c) == c.state.s.mover as i32),
                    "Friend" => Box::new(move |c| {
                        let p = who.get(c);
                        p > 0 && c.friends(p as usize, c.state.s.mover)
                    }),
                    "Next" => Box::new(move |c| who.get(c) == c.state.s.next as i32),
                    "Prev" => Box::new(move |c| who.get(c) == c.state.s.prev as i32),
                    "Active" => Box::new(move |c| {
                        let p = who.get(c);
                        (0..32).contains(&p) && c.state.active(p as usize)
                    }),
                    _ => Box::new(move |c| {
                        let p = who.get(c);
                        p > 0
                            && p as usize <= c.equipment.players
                            && !c.friends(p as usize, c.state.s.mover)
                    }),
                }
            }
            "In" => return self.is_in(l),
            "Even" | "Odd" => {
                let x = self.int_at(l, 1)?;
                let rest = i32::from(first == "Odd");
                Box::new(move |c| x.get(c).rem_euclid(2) == rest)
            }
            "Full" => Box::new(|c| {
                let mut empty = c.sites();
                Region::Empty.fill(c, &mut empty);
                let full = empty.is_empty();
                c.free(empty);
                full
            }),
            "Pending" => Box::new(|c| !c.state.pending.is_empty()),
            "Visited" => {
                let site = self.int_at(l, 1)?;
                Box::new(move |c| {
                    let s = site.get(c);
                    c.state.visited.contains(&s)
                })
            }
            "AnyDie" => {
                let value = self.int_at(l, 1)?;
                let layout = self.layout;
                Box::new(move |c| {
                    let value = value.get(c);
                    (0..layout.dice).any(|d| c.state.numbers[layout.die(d)] == value)
                })
            }
            "Line" => return self.line(l),
            "Threatened" => {
                let what = match l.typed("int") {
                    Some(v) => Some(self.int(v, l)?),
                    None => None,
                };
                let region = match l.labelled("at").or(l.labelled("in")) {
                    Some(v) => Some(self.region(v, l)?),
                    None => None,
                };
                let moves = match l.typed("moves") {
                    Some(v) => Some(self.moves(v, l)?),
                    None => None,
                };
                Box::new(move |c| {
                    let piece = what.as_ref().map(|w| w.get(c).max(0) as usize);
                    if let Some(region) = &region {
                        let mut hit = false;
                        region.each(c, |c, site| {
                            hit = play::threatened(c, site, piece, moves.as_ref());
                            !hit
                        });
                        return hit;
                    }
                    // All sites with such a piece; without a kind of piece, all sites (decided by the end of Safe Passage).
                    let layout = c.rules.layout;
                    let mut sites = c.sites();
                    match piece {
                        Some(0) => {}
                        Some(what) => sites.add(c.state.owned(layout, c.owner(what))),
                        None => {
                            sites.add(c.equipment.on_board.words());
                            sites.subtract(c.state.empty(layout));
                        }
                    }
                    let hit = sites.iter().any(|s| {
                        piece.is_none_or(|what| c.what(s) == what)
                            && play::threatened(c, s, piece, moves.as_ref())
                    });
                    c.free(sites);
                    hit
                })
            }
            "Proposed" | "Decided" => return self.is_ballot(l, first == "Proposed"),
            "Flat" => return self.flat(l),
            "RegularGraph" | "Tree" | "SpanningTree" | "CaterpillarTree" => {
                return self.is_graph(l, first);
            }
            "Related" => {
                let relation = l.typed("relationType").ok_or_else(|| unsupported(l))?;
                let directions = self.directions(relation, l)?;
                let sites: Vec<&Value> = l
                    .args()
                    .iter()
                    .flatten()
                    .map(|(_, v)| v)
                    .filter(|v| !matches!(v, Value::Word(_)))
                    .collect();
                let [from, to] = sites[..] else { return Err(unsupported(l)) };
                let (from, to) = (self.int(from, l)?, self.region(to, l)?);
                Box::new(move |c| {
                    let from = from.get(c);
                    let rays = directions.rays(c, from);
                    let directions = &c.equipment.directions;
                    let mut near = rays.iter().filter_map(|&ray| directions.line(ray).first());
                    near.any(|&site| to.contains(c, site as i32))
                })
            }
            "Target" => {
                let lists: Vec<&Vec<Value>> = (l.values())
                    .filter_map(|v| if let Value::List(list) = v { Some(list) } else { None })
                    .collect();
                let numbers = |list: &[Value]| -> Option<Vec<i32>> {
                    list.iter()
                        .map(|v| if let Value::Int(n) = v { Some(*n) } else { None })
                        .collect()
                };
                let lists: Option<Vec<Vec<i32>>> = lists.iter().map(|list| numbers(list)).collect();
                let lists = lists.filter(|_| l.arg(1).is_none()).ok_or_else(|| unsupported(l))?;
                let (whats, sites) = match &lists[..] {
                    [whats] => (whats.clone(), (0..whats.len() as i32).collect()),
                    [whats, sites] => (whats.clone(), sites.clone()),
                    _ => return Err(unsupported(l)),
                };
                l.args();
                Box::new(move |c| {
                    sites.iter().zip(&whats).all(|(&site, &what)| c.what(site) as i32 == what)
                })
            }
            "PyramidCorners" => return self.pyramid_corners(l),
            "Pattern" => return self.pattern(l),
            "Path" => return self.path(l),
            "Loop" => return self.closed_loop(l),
            "Connected" => return self.connected(l),
            "Blocked" => return self.blocked(l),
            "Crossing" => return self.is_crossing(l),
            "Within" => {
                let what = self.typed_int(l)?;
                let region = match l.labelled("in").or(l.labelled("at")) {
                    Some(v) => self.region(v, l)?,
                    None => return Err(unsupported(l)),
                };
                Box::new(move |c| {
                    let w = what.get(c);
                    let mut found = false;
                    region.each(c, |c, s| {
                        found = c.what(s) as i32 == w;
                        !found
                    });
                    found
                })
            }
            "Triggered" => {
                let who = self.player(l, 2)?;
                Box::new(move |c| {
                    let p = who.get(c);
                    (0..32).contains(&p) && c.state.s.triggered >> p & 1 == 1
                })
            }
            "LastTo" | "LastFrom" => {
                let kind =
                    l.typed("siteType").and_then(Value::word).ok_or_else(|| unsupported(l))?;
                let board = kind == format!("{:?}", self.equipment.board.sites);
                let (to, hand) = (first == "LastTo", kind == "Cell");
                let last = self.last();
                Box::new(move |c| {
                    let (from, to) =
                        (c.state.s.last.from(last), to.then(|| c.state.s.last.to(last)));
                    let site = to.unwrap_or(from);
                    // Hands are cells.
                    if c.equipment.on_board.contains(site) { board } else { hand && site >= 0 }
                })
            }
            "Cycle" => Box::new(repeat::cycle),
            "Repeat" => {
                let repeat = match l.arg(1).and_then(Value::word) {
                    Some("Situational") => super::rules::Repeat::Situational,
                    None | Some("Positional") => super::rules::Repeat::Positional,
                    Some("PositionalInTurn") => super::rules::Repeat::PositionalInTurn,
                    Some("SituationalInTurn") => super::rules::Repeat::SituationalInTurn,
                    _ => return Err(unsupported(l)),
                };
                self.repeat = Some(repeat);
                Box::new(repeat::repeated)
            }
            _ => return Err(unsupported(l)),
        })
    }

    fn is_in(&mut self, l: &Ludeme) -> Result<Bool> {
        // No record tells whether all of several sites are meant or one of them, so a list is refused.
        if matches!(l.arg(1), Some(Value::List(_))) {
            return Err(unsupported(l));
        }
        let wanted = l.args().iter().flatten().map(|(_, v)| v).find(|v| self.is_region(v));
        let Some(wanted) = wanted else {
            // In a list of numbers.
            let list = l.args().iter().flatten().map(|(_, v)| v).find(|v| self.is_ints(v));
            let list = self.int_list(list.ok_or_else(|| unsupported(l))?, l)?;
            let value = match l.typed("int") {
                Some(v) => self.int(v, l)?,
                None => Int::To,
            };
            return Ok(Box::new(move |c| {
                let value = value.get(c);
                list.contains(c, value)
            }));
        };
        let region = self.region(wanted, l)?;
        let sites = match l.arg(1) {
            Some(Value::List(list)) => {
                list.iter().map(|v| self.int(v, l)).collect::<Result<Vec<Int>>>()?
            }
            Some(v) if !self.is_region(v) => vec![self.int(v, l)?],
            _ => vec![Int::To],
        };
        if let [_] = sites[..]
            && let Some(site) = sites.into_iter().next()
        {
            return Ok(Box::new(move |c| {
                let site = site.get(c);
                region.contains(c, site)
            }));
        }
        Err(unsupported(l))
    }

    fn connected(&mut self, l: &Ludeme) -> Result<Bool> {
        let least = match l.typed("int") {
            Some(v) => Some(self.int(v, l)?),
            None => None,
        };
        let at = match l.labelled("at") {
            Some(v) => self.int(v, l)?,
            None => Int::LastTo(self.last()),
        };
        let near = self.near(l)?;
        let list = l.args().iter().flatten().map(|(_, v)| v).find_map(|v| match v {
            Value::List(list) => Some(list.clone()),
            _ => None,
        });
        let (regions, who): (Vec<(usize, Region)>, Option<Who>) =
            match (list, l.typed("roleType"), l.typed("regionTypeStatic")) {
                (Some(list), ..) => {
                    let list = list.iter().map(|v| Ok((0, self.region(v, l)?)));
                    (list.collect::<Result<_>>()?, None)
                }
                (None, Some(v), _) => (self.owned_regions()?, Some(self.roles(v, l)?)),
                (None, None, Some(Value::Word(kind))) => {
                    let sets = self.static_regions(kind).ok_or_else(|| unsupported(l))?;
                    (sets.into_iter().map(|s| (0, Region::Fixed(s))).collect(), None)
                }
                _ => return Err(unsupported(l)),
            };
        Ok(Box::new(move |c| {
            let site = at.get(c);
            if c.what(site) == 0 {
                return false;
            }
            let who = who.as_ref().map_or(u32::MAX, |w| w.get(c));
            // Regions of a player are joined by that player's pieces.
            if who >> c.who(site) & 1 == 0 {
                return false;
            }
            let all = regions.iter().filter(|(owner, _)| who >> owner & 1 == 1).count() as i32;
            let wanted = least.as_ref().map_or(all, |n| n.get(c));
            // Do so many regions have one of these sites?
            let touch = |c: &mut Context<'_>, sites: &Sites| {
                let regions = regions.iter().filter(|(owner, _)| who >> owner & 1 == 1);
                let met = regions.filter(|(_, r)| r.of(c, |_, r| sites.meets(r.words()))).count();
                met as i32 >= wanted
            };
            let mut group = c.sites();
            // Where all of the owner's pieces do not, a group of them can't.
            group.add(c.state.owned(c.rules.layout, c.who(site)));
            let mut holds = all > 0 && touch(c, &group);
            if holds {
                group.clear();
                super::groups::group(c, site, &near, None, &mut group);
                holds = touch(c, &group);
            }
            c.free(group);
            holds
        }))
    }

    /// `(is Blocked …)`: no way over empty sites and a player's own joins the player's regions.
    fn blocked(&mut self, l: &Ludeme) -> Result<Bool> {
        let least = match l.typed("int") {
            Some(v) => Some(self.int(v, l)?),
            None => None,
        };
        let near = self.near(l)?;
        let Some(role) = l.typed("roleType").filter(|_| near.fixed()) else {
            return Err(unsupported(l));
        };
        let (regions, who) = (self.owned_regions()?, self.roles(role, l)?);
        Ok(Box::new(move |c| {
            let who = who.get(c);
            let own = || regions.iter().filter(|(owner, _)| who >> owner & 1 == 1);
            let wanted = least.as_ref().map_or(own().count() as i32, |n| n.get(c));
            let layout = c.rules.layout;
            let (mut open, mut area) = (c.sites(), c.sites());
            open.add(c.state.empty(layout));
            super::functions::ones(who).for_each(|p| open.add(c.state.owned(layout, p)));
            open.keep(c.equipment.on_board.words());
            let mut blocked = true;
            while let Some(site) = open.first().filter(|_| blocked) {
                area.clear();
                near.flood(c, site, &open, &mut area);
                let met = own().filter(|(_, r)| r.of(c, |_, r| area.meets(r.words()))).count();
                blocked = (met as i32) < wanted;
                open.subtract(area.words());
            }
            c.free(open);
            c.free(area);
            blocked
        }))
    }

    /// How many pieces there are: of whom, of what name, where; all that `no Pieces` and
    /// `count Pieces` share.
    pub(crate) fn count_pieces(&mut self, l: &Ludeme, any: bool) -> Result<Int> {
        let who = self.optional_roles(l)?;
        let names = Self::strings(l);
        let wanted = if names.is_empty() { None } else { Some(self.named(&names)) };
        // A name that no piece has may be that of a container.
        let place = match (&names[..], &wanted) {
            ([name], Some(kinds)) if !kinds.contains(&true) => self.container(name),
            _ => None,
        };
        let wanted = wanted.filter(|_| place.is_none());
        let region = match l.labelled("in") {
            Some(v) => Some(self.region(v, l)?),
            None => None,
        };
        let condition = self.optional_bool(l, "if")?;
        let players = self.equipment.players;
        let stacking = self.stacking;
        // Dice are everybody's, and counted where those of all are.
        Ok(Int::new(move |c| {
            let who = match &who {
                Some(who) => who.get(c),
                None => (1 << (players + 2)) - 1,
            };
            let layout = c.rules.layout;
            let mut sites = c.sites();
            if stacking {
                sites.add(c.equipment.everywhere.words());
                sites.subtract(c.state.empty(layout));
            } else {
                super::functions::ones(who).for_each(|o| sites.add(c.state.owned(layout, o)));
            }
            if let Some(region) = &region {
                region.of(c, |_, r| sites.keep(r.words()));
            }
            if let Some(place) = &place {
                sites.keep(place.words());
            }
            let mut n = 0;
            for site in sites.iter() {
                let levels = if stacking { c.state.height(site) } else { 1 };
                for level in 0..levels {
                    let cell = if stacking { c.state.level(site, level) } else { c.cell(site) };
                    let what = usize::from(cell.what);
                    if stacking && who >> c.owner(what) & 1 == 0 {
                        continue;
                    }
                    if wanted.as_ref().is_some_and(|w| w.get(what) != Some(&true)) {
                        continue;
                    }
                    let fits = condition.as_ref().is_none_or(|f| {
                        c.with(Registers { site, to: site, level, ..c.at }, |c| f(c))
                    });
                    if fits {
                        n += i32::from(cell.count.max(1));
                    }
                }
                if any && n > 0 {
                    break;
                }
            }
            c.free(sites);
            n
        }))
    }
}
