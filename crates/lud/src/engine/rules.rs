//! The rules of a game, lowered: phases, the end, consequences.

use std::sync::Arc;

use super::end::EndRule;
use super::equipment::Equipment;
use super::functions::{Bool, Result, Who};
use super::lots::Candidates;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::state::Layout;
use crate::compile::{Ludeme, Value};
use ludex_core::diagnostic::Diagnostic;

/// A way to another phase: for whom, on what condition, and to which, the next one without a name.
pub(crate) type NextPhase = (Option<Who>, Option<Bool>, Option<usize>);

/// A phase of a game.
pub(crate) struct Phase {
    pub(crate) play: Generator,
    /// What follows from all its moves, and from a pass for want of any.
    pub(crate) then: Option<u32>,
    pub(crate) end: Vec<EndRule>,
    pub(crate) next: Vec<NextPhase>,
    /// Only for this player.
    pub(crate) owner: Option<usize>,
}

/// What of a position must not come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// What lies on the table.
    Positional,
    /// That, and whose turn it is.
    Situational,
    /// What lies on the table, within one turn.
    PositionalInTurn,
    /// That, and whose turn it is.
    SituationalInTurn,
}

impl Repeat {
    /// Do only the positions of a turn count?
    pub fn in_turn(self) -> bool {
        matches!(self, Repeat::PositionalInTurn | Repeat::SituationalInTurn)
    }
}

/// The rules.
pub struct Rules {
    pub(crate) start: Vec<super::opening::Opening>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) end: Vec<EndRule>,
    /// By component: its moves.
    pub pieces: Vec<Option<Generator>>,
    /// By component: the candidates for its moves from a site.
    pub(crate) bounds: Vec<super::lots::Bound>,
    pub(crate) thens: Vec<Generator>,
    /// Conditions on what comes after moves.
    pub checks: Vec<Arc<Bool>>,
    /// What makes moves of candidates, by number.
    pub(crate) trials: Vec<Arc<dyn Candidates>>,
    /// Where numbers of the state are.
    pub layout: Layout,
    /// Names of variables.
    pub vars: Vec<String>,
    /// Names of lists of remembered values.
    pub memories: Vec<String>,
    /// Words that are voted for.
    pub words: Vec<String>,
    /// May the second player take the first one's side?
    pub swap: bool,
    pub(crate) starts: bool,
    /// Does passing all around end the game in a draw?
    pub(crate) pass_ends: bool,
    /// Positions must not come again.
    pub no_repeat: Option<Repeat>,
    /// What rules that ask for earlier positions compare.
    pub repeat: Option<Repeat>,
    /// Do rules ask whether play goes round in circles?
    pub cycles: bool,
    /// Do rules keep a position in mind?
    pub stores: bool,
    /// Do rules ask for all sites that the last move touched?
    pub touches: bool,
    /// Do rules ask for the pieces that the last move went over?
    pub crosses: bool,
    /// Can pieces stand on one another?
    pub stacking: bool,
    /// Do pieces of a kind on the same site count as one pile?
    pub piles: bool,
    /// Are there teams?
    pub teams: bool,
    /// Is anything ever hidden?
    pub hidden: bool,
    /// Does it matter which of the pieces came first?
    pub ordered: bool,
    /// By site: what stood there first, where rules ask for it.
    pub first: Vec<u16>,
    /// What sites cost.
    pub costs: Vec<(i32, i32)>,
    /// Does chance draw while moves are made?
    pub random: bool,
    /// Do rules read the last move? Then it is a part of the hash.
    pub reads_last: bool,
    /// What holds of pieces that lie on others, if anything.
    pub layers: Option<super::pyramid::Layers>,
    /// What the description uses.
    pub uses: Uses,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rules({} phases)", self.phases.len())
    }
}

/// What a description uses.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    vars: Vec<String>,
    /// Does it ask for the sites visited?
    pub visited: bool,
    /// Does it ask for the counter?
    pub counter: bool,
    /// Does it count moves or turns?
    pub counts: bool,
    /// Does it ask who had the turn before?
    pub before: bool,
    /// Does it sow?
    pub sows: bool,
    /// Does it ask whether all passed?
    passes: bool,
    stacking: bool,
    piles: bool,
    rotations: bool,
    teams: bool,
    hidden: bool,
    groups: bool,
    cycles: bool,
    stores: bool,
    touches: bool,
    crosses: bool,
}

impl Uses {
    fn of(game: &Arc<Ludeme>) -> Uses {
        let mut uses = Uses::default();
        game.walk(&mut |l| {
            let keyword = l.signature().keyword.as_str();
            let first = l.arg(0).and_then(Value::word).unwrap_or_default();
            let text = l.args().iter().flatten().find_map(|(_, v)| match v {
                Value::Str(s) => Some(s.clone()),
                _ => None,
            });
            match (keyword, first) {
                ("var", _) | ("set", "Var") => {
                    let name = text.unwrap_or_default();
                    if !uses.vars.contains(&name) {
                        uses.vars.push(name);
                    }
                }
                ("place", "Stack")
                | ("size", "Stack")
                | ("forEach" | "where", "Level")
                | ("count", "Stack")
                | ("topLevel", _) => uses.stacking = true,
                ("sow", _) => (uses.piles, uses.sows) = (true, true),
                ("all", "Passed") => uses.passes = true,
                ("prev", "MoverLastTurn") => uses.before = true,
                ("set", "Count") => uses.piles = true,
                ("set", "Rotation") | ("rotation", _) => uses.rotations = true,
                ("move", "Set") | ("forEach", "Direction") => uses.rotations = true,
                ("set", "Team") => uses.teams = true,
                ("set", "Hidden") => uses.hidden = true,
                ("forEach", "Group") => uses.groups = true,
                ("is", "Cycle") => uses.cycles = true,
                ("last", "Between") => uses.crosses = true,
                ("remember", "State") => uses.stores = true,
                ("sites", "LastTo" | "LastFrom") => uses.touches = true,
                ("counter", _) => uses.counter = true,
                ("count", "Moves" | "Turns") => uses.counts = true,
                ("count", "") if l.labelled("at").is_some() => uses.piles = true,
                _ => {}
            }
            uses.visited |= (keyword, first) == ("is", "Visited");
            if matches!(l.labelled("stack"), Some(Value::Bool(true)))
                || l.labelled("level").is_some()
            {
                uses.stacking = true;
            }
            if l.labelled("rotation").is_some() {
                uses.rotations = true;
            }
            if matches!(keyword, "move" | "fromTo") && l.labelled("count").is_some() {
                uses.piles = true;
            }
        });
        uses
    }
}

impl Rules {
    /// Do rules ask for earlier positions?
    #[inline]
    pub fn hashes(&self) -> bool {
        self.no_repeat.is_some() || self.repeat.is_some() || self.cycles || self.stores
    }

    /// Are earlier positions forgotten after every turn?
    pub fn forgets(&self) -> bool {
        self.no_repeat.or(self.repeat).is_some_and(Repeat::in_turn)
    }

    /// How many phases there are.
    pub fn phases(&self) -> usize {
        self.phases.len()
    }

    /// Lowers the rules of a game, and finds everything that is not supported yet.
    pub(crate) fn new(
        game: &Arc<Ludeme>,
        equipment: &Equipment,
    ) -> std::result::Result<Rules, Vec<Diagnostic>> {
        let uses = Uses::of(game);
        let layout = Layout {
            players: equipment.players,
            vars: uses.vars.len(),
            dice: equipment.dice.len(),
            words: equipment.sites.div_ceil(64),
        };
        let mut facings: Vec<usize> = if uses.rotations {
            (0..16).collect()
        } else {
            let own = equipment.components.iter().filter_map(|k| k.facing);
            equipment.facing.iter().copied().chain(own).collect()
        };
        facings.sort_unstable();
        facings.dedup();
        let mut lower = Lower {
            equipment,
            game: game.clone(),
            layout,
            vars: uses.vars.clone(),
            memories: Vec::new(),
            words: Vec::new(),
            thens: Vec::new(),
            checks: Vec::new(),
            trials: Vec::new(),
            pieces: Vec::new(),
            bounds: Vec::new(),
            bound: Default::default(),
            facings,
            names: 0,
            starts: false,
            costs: Vec::new(),
            following: 0,
            random: false,
            reads_last: false,
            repeat: None,
            stacking: uses.stacking,
            tables: Default::default(),
            found: Vec::new(),
        };
        let rules = game.args().iter().flatten().find_map(|(_, v)| match v {
            Value::Call(l) if l.signature().keyword == "rules" => Some(l.clone()),
            _ => None,
        });
        let missing = || vec![Diagnostic::error("L051", game.span, "a game needs rules")];
        let rules = rules.ok_or_else(missing)?;
        let mut forget = |l: &Ludeme| l.forget();
        let pieces: Vec<&Arc<Ludeme>> =
            equipment.components.iter().filter_map(|k| k.moves.as_ref()).collect();
        rules.walk(&mut forget);
        pieces.iter().for_each(|l| l.walk(&mut forget));
        // Rules that ask whether all passed say what comes of it.
        let (mut swap, mut pass_ends, mut no_repeat) = (false, !uses.passes, None);
        let new_layers = || super::pyramid::Layers::new(equipment);
        let mut layers = None;
        if let Some(Value::Call(meta)) = rules.typed("meta") {
            let list = match meta.arg(0) {
                Some(Value::List(list)) => list.clone(),
                Some(value) => vec![value.clone()],
                None => Vec::new(),
            };
            for rule in list {
                let Value::Call(l) = rule else {
                    lower.found.push(unsupported(meta));
                    continue;
                };
                let second = l.arg(1).and_then(Value::word);
                match (l.signature().keyword.as_str(), l.arg(0).and_then(Value::word)) {
                    ("swap", _) => swap = true,
                    ("passEnd", Some("NoEnd")) => pass_ends = false,
                    ("passEnd", Some("Draw")) => pass_ends = true,
                    ("no", Some("Repeat")) => {
                        no_repeat = Some(match second {
                            None | Some("Positional") => Repeat::Positional,
                            Some("Situational") => Repeat::Situational,
                            Some("PositionalInTurn") => Repeat::PositionalInTurn,
                            _ => Repeat::SituationalInTurn,
                        });
                    }
                    ("gravity", _) => layers.get_or_insert_with(new_layers).falls = true,
                    ("pin", Some("SupportMultiple")) => {
                        layers.get_or_insert_with(new_layers).pins = true;
                    }
                    ("noStackOn", Some("Fallen")) => {
                        layers.get_or_insert_with(new_layers).firm = true;
                    }
                    _ => lower.found.push(unsupported(&l)),
                }
            }
        }
        for component in &equipment.components {
            let moves = component.moves.as_ref().and_then(|l| {
                let moves = lower.moves(&Value::Call(l.clone()), l);
                lower.keep(moves)
            });
            let bound = std::mem::take(&mut lower.bound);
            lower.bounds.push(if moves.is_some() { bound } else { Default::default() });
            lower.pieces.push(moves);
        }
        let start = match rules.typed("start") {
            Some(Value::Call(l)) => lower.start(l),
            _ => Vec::new(),
        };
        let end = match rules.typed("end") {
            Some(Value::Call(l)) => lower.end(l),
            _ => Vec::new(),
        };
        let common = match rules.typed("play") {
            Some(Value::Call(l)) => Some(l.clone()),
            _ => None,
        };
        let mut phases = Vec::new();
        match (rules.labelled("phases"), common) {
            (None, Some(play)) => {
                let play = lower.play(&play);
                phases.extend(lower.keep(play).map(|(play, then)| Phase {
                    play,
                    then,
                    end: Vec::new(),
                    next: Vec::new(),
                    owner: None,
                }));
            }
            (Some(Value::List(list)), None) => {
                let names: Vec<String> = list
                    .iter()
                    .map(|v| match v {
                        Value::Call(l) => Lower::text(l.arg(0)).unwrap_or_default(),
                        _ => String::new(),
                    })
                    .collect();
                for value in list {
                    let phase = match value {
                        Value::Call(l) => lower.phase(l, &names),
                        _ => Err(unsupported(&rules)),
                    };
                    phases.extend(lower.keep(phase));
                }
            }
            _ => lower.found.push(unsupported(&rules)),
        }
        if !lower.found.is_empty() {
            return Err(lower.found);
        }
        // An argument that lowering never looked at would be left out in play.
        let mut left_out = Vec::new();
        let mut look = |l: &Ludeme| {
            if l.unread().any(|slot| !means_nothing(l, slot)) {
                left_out.push(unsupported(l));
            }
        };
        rules.walk(&mut look);
        pieces.iter().for_each(|l| l.walk(&mut look));
        if !left_out.is_empty() {
            left_out.dedup();
            return Err(left_out);
        }
        Ok(Rules {
            start,
            phases,
            end,
            pieces: lower.pieces,
            bounds: lower.bounds,
            thens: lower.thens,
            checks: lower.checks,
            trials: lower.trials,
            layout,
            vars: lower.vars,
            ordered: uses.groups && !lower.memories.is_empty(),
            memories: lower.memories,
            words: lower.words,
            swap,
            starts: lower.starts,
            pass_ends,
            no_repeat,
            repeat: lower.repeat,
            cycles: uses.cycles,
            stores: uses.stores,
            touches: uses.touches,
            crosses: uses.crosses,
            stacking: uses.stacking,
            piles: uses.piles,
            teams: uses.teams,
            hidden: uses.hidden,
            first: Vec::new(),
            layers,
            costs: lower.costs,
            random: lower.random,
            reads_last: lower.reads_last,
            uses,
        })
    }
}

impl Lower<'_> {
    /// The moves of a phase, and the number of what follows from all of them.
    fn play(&mut self, l: &Ludeme) -> Result<(Generator, Option<u32>)> {
        let value = l.arg(0).ok_or_else(|| unsupported(l))?;
        // Only `(do …)` has such a consequence (decided by Ishighan, ply 50, and, for other forms, by Deka, ply 39).
        let follows = matches!(value, Value::Call(k)
            if k.signature().keyword == "do" && k.typed("then").is_some());
        let moves = self.moves(value, l)?;
        // That of the outermost form is the last.
        let then = follows.then(|| self.thens.len() as u32 - 1);
        Ok((moves, then))
    }

    fn phase(&mut self, l: &Arc<Ludeme>, names: &[String]) -> Result<Phase> {
        if let Some(mode) = l.typed("mode")
            && !matches!(mode, Value::Call(m) if m.arg(0).and_then(Value::word) == Some("Alternating"))
        {
            return Err(unsupported(l));
        }
        let owner = match l.typed("roleType").and_then(Value::word) {
            None | Some("Shared" | "All" | "Each") => None,
            Some(word) => match word.strip_prefix('P').and_then(|n| n.parse().ok()) {
                Some(player) => Some(player),
                None => return Err(unsupported(l)),
            },
        };
        let Some(Value::Call(play)) = l.typed("play") else { return Err(unsupported(l)) };
        let (play, then) = self.play(play)?;
        let end = match l.typed("end") {
            Some(Value::Call(end)) => self.end(end),
            _ => Vec::new(),
        };
        let mut next = Vec::new();
        let values = l.args().iter().flatten().flat_map(|(_, v)| match v {
            Value::List(list) => list.iter().collect(),
            value => vec![value],
        });
        for value in values {
            let Value::Call(rule) = value else { continue };
            if rule.signature().keyword != "nextPhase" {
                continue;
            }
            // What is everybody's is for all.
            let shared = rule.typed("roleType").and_then(Value::word) == Some("Shared");
            let who = if shared { None } else { self.optional_roles(rule)? };
            let condition = match rule.typed("boolean") {
                Some(value) => Some(self.bool(value, rule)?),
                None => None,
            };
            let to = match Self::text(rule.typed("string")) {
                Some(name) => match names.iter().position(|n| *n == name) {
                    Some(phase) => Some(phase),
                    // To a phase that is not there nobody goes.
                    None => continue,
                },
                _ => None,
            };
            next.push((who, condition, to));
        }
        Ok(Phase { play, then, end, next, owner })
    }
}

/// Does what a slot says change nothing?
fn means_nothing(l: &Ludeme, slot: usize) -> bool {
    let first = l.slots().next().and_then(|(_, arg)| match arg {
        Some((_, Value::Word(word))) => Some(word.as_str()),
        _ => None,
    });
    match (l.signature().keyword.as_str(), first) {
        // Said to the players.
        ("note", _) => true,
        // Which part of a piece is hidden does not matter: the player knows only that something is there. The name of a triggered
        // event does not matter either (decided by the end of Shatranj al-Mustatila, which asks for another name).
        ("set", Some("Hidden")) | ("is", Some("Triggered")) => slot == 1,
        ("directions", _) => slot == 0,
        _ => false,
    }
}
