//! The rules of a game, lowered: phases, the end, consequences.

use std::sync::Arc;

use super::args::Args;
use super::condition::Bool;
use super::end::EndRule;
use super::equipment::Equipment;
use super::functions::{Result, Who};
use super::lots::{Bound, Candidates};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::node::{Field, Parts, touched_by};
use super::opening::Opening;
use super::pyramid::Layers;
use super::state::Layout;
use crate::board::SiteType;
use crate::compile::{Ludeme, Value};
use crate::ludemes::Read;
use ludex_core::diagnostic::Diagnostic;

/// A way to another phase: for whom, on what condition, and to which, the next one without a name.
pub(crate) type NextPhase = (Option<Who>, Option<Bool>, Option<usize>);

/// A phase of a game.
pub(crate) struct Phase {
    pub(crate) play: Generator,
    /// The consequence of all its moves, and of a pass for want of any.
    pub(crate) then: Option<u32>,
    pub(crate) end: Vec<EndRule>,
    pub(crate) next: Vec<NextPhase>,
    /// Only for this player.
    pub(crate) owner: Option<usize>,
}

/// The positions that count as repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Positions with the same pieces on the same sites.
    Positional,
    /// Positions with the same pieces on the same sites and the same player to move.
    Situational,
    /// Positions with the same pieces, within one turn.
    PositionalInTurn,
    /// Positions with the same pieces and the same player to move, within one turn.
    SituationalInTurn,
}

impl Repeat {
    /// By its word.
    pub(crate) fn named(word: &str) -> Option<Repeat> {
        match word {
            "Positional" => Some(Repeat::Positional),
            "Situational" => Some(Repeat::Situational),
            "PositionalInTurn" => Some(Repeat::PositionalInTurn),
            "SituationalInTurn" => Some(Repeat::SituationalInTurn),
            _ => None,
        }
    }

    /// Do only the positions of a turn count?
    pub(crate) fn in_turn(self) -> bool {
        matches!(self, Repeat::PositionalInTurn | Repeat::SituationalInTurn)
    }
}

/// A rule that holds throughout a game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meta {
    /// The second player may take the first one's side.
    Swap,
    /// Does passing all around end the game in a draw?
    PassEnds(bool),
    /// Positions must not come again.
    NoRepeat(Repeat),
    /// A move to a site to which there is no other is made by itself.
    Automove,
    /// Pieces fall.
    Gravity,
    /// Pieces that hold several others stay.
    Pin,
    /// No piece is put on those that it has just left.
    Firm,
}

/// The rules.
pub(crate) struct Rules {
    pub(crate) start: Vec<Opening>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) end: Vec<EndRule>,
    /// By component: its moves.
    pub(crate) pieces: Vec<Option<Generator>>,
    /// By component: the candidates for its moves from a site.
    pub(crate) bounds: Vec<Bound>,
    pub(crate) thens: Vec<Generator>,
    /// The consequences that wait for the moves of all players, by number.
    pub(crate) late: Vec<u32>,
    /// Conditions on what comes after moves.
    pub(crate) checks: Vec<Arc<Bool>>,
    /// The forms that make moves of candidates, by number.
    pub(crate) trials: Vec<Arc<dyn Candidates>>,
    /// Where numbers of the state are.
    pub(crate) layout: Layout,
    /// Names of variables.
    pub(crate) vars: Vec<String>,
    /// Names of lists of remembered values.
    pub(crate) memories: Vec<String>,
    /// Words that are proposed and voted for, from 1.
    pub(crate) words: Vec<String>,
    /// May the second player take the first one's side?
    pub(crate) swap: bool,
    /// Is a move to a site to which there is no other made by itself?
    pub(crate) automove: bool,
    /// Does passing all around end the game in a draw?
    pub(crate) pass_ends: bool,
    /// Positions must not come again.
    pub(crate) no_repeat: Option<Repeat>,
    /// The parts of positions that rules about repetition compare.
    pub(crate) repeat: Option<Repeat>,
    /// Do rules ask whether play goes round in circles?
    pub(crate) cycles: bool,
    /// Do rules keep a position in mind?
    pub(crate) stores: bool,
    /// Is the hash of positions kept up to date?
    hashes: bool,
    /// By owner: have the pieces of all its kinds as many candidates for moves as one another, and any?
    pub(crate) alike: Vec<bool>,
    /// Do rules ask for all sites that the last move touched?
    pub(crate) touches: bool,
    /// Do rules ask for the pieces that the last move went over?
    pub(crate) crosses: bool,
    /// Can pieces stand on one another?
    pub(crate) stacking: bool,
    /// Do pieces of a kind on the same site count as one pile?
    pub(crate) piles: bool,
    /// Does no site ever hold more than one piece? Hands do, and boards of games with dice.
    pub(crate) singles: bool,
    /// Are there teams?
    pub(crate) teams: bool,
    /// Is anything ever hidden?
    pub(crate) hidden: bool,
    /// Does it matter how often a site is listed among those of a piece?
    pub(crate) relists: bool,
    /// Do forms for each level of a stack leave the last level behind while moves are listed?
    pub(crate) leaves_levels: bool,
    /// Does it matter which of the pieces came first?
    pub(crate) ordered: bool,
    /// By site: what stood there first, where rules ask for it.
    pub(crate) first: Vec<u16>,
    /// The cost of each site.
    pub(crate) costs: Vec<(i32, i32)>,
    /// Does chance draw while moves are made?
    pub(crate) random: bool,
    /// Does chance draw numbers for moves that are listed? It does so once a move is chosen.
    pub(crate) draws_for_listed: bool,
    /// The parts of the state that the rules read. The hash of a state follows from it.
    pub(crate) reads: Parts,
    /// The parts of the state that the rules write.
    pub(crate) writes: Parts,
    /// The rules for pieces that lie on others, if there are any.
    pub(crate) layers: Option<Layers>,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rules({} phases)", self.phases.len())
    }
}

/// The parts of the state that a game has because of the forms that it uses.
fn needs(game: &Arc<Ludeme>) -> Parts {
    let mut needs = Parts::NONE;
    game.walk(&mut |ludeme| {
        if let Some((form, _)) = ludeme.reader() {
            needs |= form.needs;
        }
        needs |= ludeme.needs();
    });
    needs
}

impl Rules {
    /// Do rules ask for earlier positions?
    #[inline]
    pub(crate) fn hashes(&self) -> bool {
        self.hashes
    }

    /// Are earlier positions forgotten after every turn?
    pub(crate) fn forgets(&self) -> bool {
        self.no_repeat.or(self.repeat).is_some_and(Repeat::in_turn)
    }

    /// How many phases there are.
    pub(crate) fn phases(&self) -> usize {
        self.phases.len()
    }

    /// Lowers the rules of a game, and finds everything that is not supported yet.
    pub(crate) fn new(
        game: &Arc<Ludeme>,
        equipment: &Equipment,
    ) -> std::result::Result<Rules, Vec<Diagnostic>> {
        let missing = || vec![Diagnostic::error("L051", game.span, "a game needs rules")];
        let rules = game.call("rules").ok_or_else(missing)?.clone();
        let needs = needs(game);
        let mut lower = Lower::new(game, equipment, needs);
        let mut made = Rules::empty(needs);
        // Rules that ask whether all passed say what comes of it.
        made.pass_ends = !needs.has(Parts::PASSES);
        lower.pieces(equipment, &mut made);
        lower.rules(&rules, equipment, &mut made);
        if !lower.found.is_empty() {
            return Err(lower.found);
        }
        made.layout = Layout { vars: lower.vars.len(), ..lower.layout };
        let flat = !made.stacking && !made.piles;
        made.singles = flat && equipment.containers.len() == 1 && equipment.dice.is_empty();
        made.ordered = needs.has(Parts::ORDER) && !lower.memories.is_empty();
        (made.vars, made.memories, made.words) = (lower.vars, lower.memories, lower.words);
        (made.thens, made.checks, made.trials) = (lower.thens, lower.checks, lower.trials);
        (made.costs, made.repeat) = (lower.costs, lower.repeat);
        (made.reads, made.writes) = made.touched();
        made.cycles = made.reads.has(Parts::TRAIL);
        // Where hands or dice are of another kind than the sites of the board, nothing is listed twice (decided by Awagagae, ply 344).
        let alike = equipment.containers.len() == 1 || equipment.board.sites == SiteType::Cell;
        made.relists = lower.relists && !made.stacking && alike && made.reads.has(Parts::LISTS);
        made.leaves_levels = lower.leaves_levels;
        made.late = lower.late;
        made.draws_for_listed = lower.draws_for_listed;
        made.random = made.reads.has(Parts::DRAWS);
        let compares = made.no_repeat.is_some() || made.repeat.is_some();
        made.hashes = compares || made.cycles || made.stores;
        made.alike =
            (0..=equipment.players + 1).map(|owner| made.are_alike(equipment, owner)).collect();
        Ok(made)
    }

    /// See [`Rules::alike`].
    fn are_alike(&self, equipment: &Equipment, owner: usize) -> bool {
        let owners = equipment.owners.iter().zip(&self.bounds).skip(1);
        let mut own = owners.filter(|(who, _)| usize::from(**who) == owner).map(|(_, bound)| bound);
        own.next()
            .is_some_and(|first| first.most.is_known() && own.all(|bound| bound.most == first.most))
    }

    /// No rules, for a game that has some parts of the state.
    fn empty(needs: Parts) -> Rules {
        Rules {
            start: Vec::new(),
            phases: Vec::new(),
            end: Vec::new(),
            pieces: Vec::new(),
            bounds: Vec::new(),
            thens: Vec::new(),
            late: Vec::new(),
            checks: Vec::new(),
            trials: Vec::new(),
            layout: Layout::default(),
            vars: Vec::new(),
            memories: Vec::new(),
            words: Vec::new(),
            swap: false,
            automove: false,
            pass_ends: false,
            no_repeat: None,
            repeat: None,
            cycles: false,
            stores: needs.has(Parts::STORED),
            hashes: false,
            alike: Vec::new(),
            touches: needs.has(Parts::TOUCHED),
            crosses: needs.has(Parts::CROSSED),
            stacking: needs.has(Parts::STACKS),
            piles: needs.has(Parts::COUNTS),
            singles: false,
            teams: needs.has(Parts::TEAMS),
            hidden: needs.has(Parts::HIDDEN),
            relists: false,
            leaves_levels: false,
            ordered: false,
            first: Vec::new(),
            costs: Vec::new(),
            random: false,
            draws_for_listed: false,
            reads: Parts::NONE,
            writes: Parts::NONE,
            layers: None,
        }
    }

    /// Goes over all parts of the program, each with its name.
    pub(crate) fn each(&self, f: &mut dyn FnMut(String, &dyn Field)) {
        self.start.iter().for_each(|rule| f("start".into(), rule));
        for (number, phase) in self.phases.iter().enumerate() {
            let name = |part: &str| format!("phase {number} {part}");
            f(name("play"), &phase.play);
            phase.end.iter().for_each(|rule| f(name("end"), rule));
            for (who, condition, _) in &phase.next {
                f(name("next for"), who);
                f(name("next if"), condition);
            }
        }
        self.end.iter().for_each(|rule| f("end".into(), rule));
        for (what, moves) in self.pieces.iter().enumerate() {
            moves.iter().for_each(|moves| f(format!("piece {what}"), moves));
        }
        for (number, then) in self.thens.iter().enumerate() {
            f(format!("consequence {number}"), then);
        }
        for (number, check) in self.checks.iter().enumerate() {
            f(format!("afterwards {number}"), &**check);
        }
    }

    /// The parts of the state that the program reads and writes.
    fn touched(&self) -> (Parts, Parts) {
        let (mut reads, mut writes) = (Parts::NONE, Parts::NONE);
        self.each(&mut |_, field| {
            let (more, changed) = touched_by(field);
            reads |= more;
            writes |= changed;
        });
        (reads, writes)
    }
}

impl<'a> Lower<'a> {
    fn new(game: &Arc<Ludeme>, equipment: &'a Equipment, needs: Parts) -> Lower<'a> {
        let layout = Layout {
            players: equipment.players,
            vars: 0,
            dice: equipment.dice.len(),
            words: equipment.sites.div_ceil(64),
        };
        let mut facings: Vec<usize> = match needs.has(Parts::ROTATIONS) {
            true => (0..16).collect(),
            false => {
                let own = equipment.components.iter().filter_map(|kind| kind.facing);
                equipment.facing.iter().copied().chain(own).collect()
            }
        };
        facings.sort_unstable();
        facings.dedup();
        let mut puzzle = false;
        game.walk(&mut |ludeme| {
            puzzle |= ludeme.reader().is_some_and(|(form, _)| form.constrains);
        });
        Lower {
            puzzle,
            equipment,
            game: game.clone(),
            layout,
            vars: Vec::new(),
            memories: Vec::new(),
            words: Vec::new(),
            thens: Vec::new(),
            late: Vec::new(),
            checks: Vec::new(),
            trials: Vec::new(),
            facings,
            names: 0,
            costs: Vec::new(),
            starting: false,
            on_the_way: false,
            following: 0,
            listing: 0,
            relists: false,
            leaves_levels: false,
            draws_for_listed: false,
            repeat: None,
            stacking: needs.has(Parts::STACKS),
            teams: needs.has(Parts::TEAMS),
            regions: 0,
            tables: Default::default(),
            found: Vec::new(),
        }
    }

    /// Lowers more parts of a game whose rules are made. They may not name new variables.
    pub(crate) fn over(game: &Arc<Ludeme>, equipment: &'a Equipment, rules: &Rules) -> Lower<'a> {
        let mut lower = Lower::new(game, equipment, Parts::NONE);
        lower.layout = rules.layout;
        (lower.vars, lower.memories) = (rules.vars.clone(), rules.memories.clone());
        (lower.stacking, lower.teams) = (rules.stacking, rules.teams);
        lower
    }

    /// The moves of all kinds of pieces.
    fn pieces(&mut self, equipment: &Equipment, made: &mut Rules) {
        for component in &equipment.components {
            let moves = component.moves.as_ref().and_then(|moves| {
                let lowered = self.moves(&Value::Call(moves.clone()), moves);
                self.keep(lowered)
            });
            made.bounds.push(moves.as_ref().map(|moves| moves.bound()).unwrap_or_default());
            made.pieces.push(moves);
        }
    }

    /// The parts of `(rules …)`.
    fn rules(&mut self, rules: &Ludeme, equipment: &Equipment, made: &mut Rules) {
        if let Some(meta) = rules.call("meta") {
            for rule in meta.values().flat_map(Value::items) {
                let rule = self.meta_rule(rule, meta);
                if let Some(rule) = self.keep(rule) {
                    made.add(rule, equipment);
                }
            }
        }
        if let Some(start) = rules.call("start") {
            self.starting = true;
            for rule in start.values().flat_map(Value::items) {
                let rule = self.opening(rule, start);
                made.start.extend(self.keep(rule));
            }
            self.starting = false;
        }
        if let Some(end) = rules.call("end") {
            made.end = self.end(end);
        }
        let phases: Vec<&Value> = rules
            .values()
            .filter(|value| matches!(value, Value::List(_)))
            .flat_map(Value::items)
            .collect();
        match (phases.is_empty(), rules.call("play")) {
            (true, Some(play)) => {
                let play = self.play(play);
                made.phases.extend(self.keep(play).map(|play| Phase {
                    then: play.phase_then(),
                    play,
                    end: Vec::new(),
                    next: Vec::new(),
                    owner: None,
                }));
            }
            (false, None) => self.all_phases(&phases, rules, made),
            _ => self.found.push(unsupported(rules)),
        }
    }

    fn meta_rule(&mut self, value: &Value, of: &Ludeme) -> Result<Meta> {
        let Value::Call(rule) = value else { return Err(unsupported(of)) };
        match rule.reader() {
            Some((form, Read::Meta(reader))) => self.read(rule, form, reader),
            _ => Err(unsupported(rule)),
        }
    }

    /// The moves of `(play …)`.
    fn play(&mut self, play: &Ludeme) -> Result<Generator> {
        let moves = play.values().next().ok_or_else(|| unsupported(play))?;
        self.moves(moves, play)
    }

    fn all_phases(&mut self, phases: &[&Value], rules: &Ludeme, made: &mut Rules) {
        let calls = phases.iter().filter_map(|phase| phase.call());
        let names: Vec<&str> =
            calls.map(|phase| phase.values().find_map(Value::text).unwrap_or_default()).collect();
        for phase in phases {
            let phase = match phase {
                Value::Call(phase) => self.phase(phase, &names),
                _ => Err(unsupported(rules)),
            };
            made.phases.extend(self.keep(phase));
        }
    }

    fn phase(&mut self, phase: &Ludeme, names: &[&str]) -> Result<Phase> {
        let mut args = Args::new(self, phase);
        args.take("string");
        // Phases of all players have no owner.
        let owner = match args.word("roleType") {
            None | Some("Shared" | "All" | "Each") => None,
            Some(word) => {
                let player = word.strip_prefix('P').and_then(|number| number.parse().ok());
                Some(player.ok_or_else(|| args.unsupported())?)
            }
        };
        if let Some(Value::Call(mode)) = args.take("mode")
            && mode.first_word() != Some("Alternating")
        {
            return Err(args.unsupported());
        }
        let Some(Value::Call(play)) = args.take("play") else { return Err(args.unsupported()) };
        let play = args.lower.play(play)?;
        let end = match args.take("end") {
            Some(Value::Call(end)) => args.lower.end(end),
            _ => Vec::new(),
        };
        let mut next = Vec::new();
        for rule in args.take_any(&["nextPhase", "{nextPhase}"]).map_or(&[][..], Value::items) {
            let Value::Call(rule) = rule else { return Err(args.unsupported()) };
            next.extend(args.inner(rule, |rule| rule.next_phase(names))?);
        }
        args.finish()?;
        Ok(Phase { then: play.phase_then(), play, end, next, owner })
    }
}

impl Args<'_, '_, '_> {
    /// `(nextPhase …)`; nothing where it names a phase that the game does not have.
    fn next_phase(&mut self, names: &[&str]) -> Result<Option<NextPhase>> {
        // A shared rule is for all players.
        let shared = self.peek("roleType").and_then(Value::word) == Some("Shared");
        let who = match shared {
            true => {
                self.take("roleType");
                None
            }
            false => self.try_who(&["roleType", "player"])?,
        };
        let condition = self.try_bool("boolean")?;
        let to = match self.text("string") {
            Some(name) => match names.iter().position(|own| *own == name) {
                Some(phase) => Some(phase),
                None => return Ok(None),
            },
            None => None,
        };
        Ok(Some((who, condition, to)))
    }
}

impl Rules {
    /// Adds a rule that holds throughout the game.
    fn add(&mut self, rule: Meta, equipment: &Equipment) {
        let mut layers = || Layers::new(equipment);
        match rule {
            Meta::Swap => self.swap = true,
            Meta::Automove => self.automove = true,
            Meta::PassEnds(ends) => self.pass_ends = ends,
            Meta::NoRepeat(repeat) => self.no_repeat = Some(repeat),
            Meta::Gravity => self.layers.get_or_insert_with(&mut layers).falls = true,
            Meta::Pin => self.layers.get_or_insert_with(&mut layers).pins = true,
            Meta::Firm => self.layers.get_or_insert_with(&mut layers).firm = true,
        }
    }
}
