//! The loop of play: legal moves, what a move does, and what follows every move.

use super::action::{Action, Head, Kind, Moves, NONE};
use super::context::{Asked, Context, Pad, Registers};
use super::end::{draw, judge};
use super::equipment::Equipment;
use super::last::LastMove;
use super::lots;
use super::lower::unsupported;
use super::matched::Match;
use super::node::Parts;
use super::perform::perform;
use super::questions::holds;
use super::repeat;
use super::rules::{Phase, Rules};
use super::state::{Layout, OFF, State};
use crate::compile::Value;
use crate::concepts::Facts;
use crate::tree::Node;
use ludex_core::diagnostic::Diagnostic;

/// A description that can be played.
#[derive(Debug)]
pub struct Lud {
    /// The name of the game.
    pub name: String,
    /// The equipment.
    pub equipment: Equipment,
    /// The rules.
    pub(crate) rules: Rules,
    /// Do all players choose at the same time?
    pub(crate) simultaneous: bool,
    /// The features that describe it to a model.
    pub features: Vec<(String, f64)>,
    /// The games of a match, if it is one.
    pub(crate) matched: Option<Match>,
}

/// Turns per player after which a game is drawn.
pub(crate) const MOST_TURNS: u32 = 1250;

/// The mark of a pass for want of other moves.
pub(crate) const FORCED: u16 = 1;

/// Moves after which it is.
pub(crate) const MOST_MOVES: u32 = 10_000;

impl Lud {
    /// A game from its description.
    ///
    /// # Errors
    /// Everything that does not fit the table of ludemes, or is not supported yet, and where.
    ///
    /// ```
    /// use ludex_lud::{engine::{Lud, Moves, Pad}, source::Text, tree};
    /// let text = Text::of_file(0, "(game \"Tiny\" (players 2)
    ///     (equipment {(board (square 3)) (piece \"Disc\" P1) (piece \"Cross\" P2)})
    ///     (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))");
    /// let game = Lud::new(&tree::game(&text).0.unwrap()).unwrap();
    /// let (mut pad, mut moves) = (Pad::default(), Moves::default());
    /// game.legal(&mut game.start(), &mut pad, &mut moves);
    /// assert_eq!(moves.len(), 9);
    /// ```
    pub fn new(tree: &Node) -> Result<Lud, Vec<Diagnostic>> {
        Lud::described(tree, Facts::default())
    }

    /// A game from its description and the facts beside its rules.
    pub(crate) fn described(tree: &Node, facts: Facts) -> Result<Lud, Vec<Diagnostic>> {
        let (game, mut found) = crate::compile::compile(tree);
        let Some(game) = game else {
            found.extend(Equipment::board_alone(tree, &found));
            return Err(found);
        };
        let name = match game.arg(0) {
            Some(Value::Str(name)) => name.clone(),
            _ => String::new(),
        };
        if game.signature().result != "game" {
            return Err(vec![unsupported(&game)]);
        }
        let mode = game.call("mode");
        let simultaneous = match mode.and_then(|mode| mode.arg(0)).and_then(Value::word) {
            None | Some("Alternating") => false,
            Some("Simultaneous") => true,
            Some(_) => {
                found.extend(mode.map(|mode| unsupported(mode)));
                false
            }
        };
        let equipment = match Equipment::new(&game) {
            Ok(equipment) => equipment,
            Err(more) => {
                found.extend(more);
                return Err(found);
            }
        };
        let rules = match Rules::new(&game, &equipment) {
            Ok(rules) if found.is_empty() => rules,
            Ok(_) => return Err(found),
            Err(more) => {
                found.extend(more);
                return Err(found);
            }
        };
        let random = rules.random || !equipment.dice.is_empty();
        if simultaneous && (random || rules.hidden || rules.swap) {
            // How chance, hidden pieces and swaps go together with joint moves is not settled.
            return Err(mode.map(|mode| unsupported(mode)).into_iter().collect());
        }
        let mut lud =
            Lud { name, equipment, rules, simultaneous, features: Vec::new(), matched: None };
        lud.features = crate::features::written(&game, &lud, facts);
        if lud.rules.reads.has(Parts::START) {
            lud.rules.first = lud.first();
        }
        Ok(lud)
    }

    /// By site: what stands there at the start. Where chance decides, only what stands there however it does.
    fn first(&self) -> Vec<u16> {
        let mut pad = Pad::default();
        let mut opened = |last: bool| -> Vec<u16> {
            let (mut state, mut sites) = (self.start(), Vec::new());
            while state.s.opening > 0 {
                self.scatter_sites(&mut state, &mut pad, &mut sites);
                let chosen = if last { sites.last() } else { sites.first() };
                let Some(&site) = chosen else { break };
                self.scatter(&mut state, &mut pad, site);
            }
            state.cells.iter().map(|cell| cell.what).collect()
        };
        let (one, other) = (opened(false), opened(true));
        one.into_iter().zip(other).map(|(one, other)| if one == other { one } else { 0 }).collect()
    }

    /// Where the numbers of a state are.
    pub fn layout(&self) -> Layout {
        self.rules.layout
    }

    /// A context over a state.
    pub(crate) fn context<'a>(&'a self, state: &'a mut State, pad: &'a mut Pad) -> Context<'a> {
        pad.known.change();
        Context {
            equipment: &self.equipment,
            rules: &self.rules,
            state,
            at: Registers::NONE,
            asked: Asked::default(),
            pad,
            wants_dice: false,
            record: None,
            region: None,
            heading: None,
            looks: None,
            draws: Default::default(),
            follow: Default::default(),
            drawn: 0,
            wants: None,
            left_level: None,
        }
    }

    /// An empty table.
    pub fn bare(&self) -> State {
        self.seat(self.bare_alone())
    }

    fn bare_alone(&self) -> State {
        let (players, sites, layout) =
            (self.equipment.players, self.equipment.sites, self.rules.layout);
        let mut state = State {
            cells: vec![Default::default(); sites],
            under: if self.rules.stacking { vec![Vec::new(); sites] } else { Vec::new() },
            bits: vec![0; layout.words * (players + 3)],
            numbers: vec![0; layout.len()],
            rank: vec![0.0; players + 1],
            remembered: vec![Vec::new(); self.rules.memories.len()],
            places: {
                let kinds = self.equipment.components.len();
                vec![0; super::track::places(&self.equipment.tracks) * kinds]
            },
            kinds: self.equipment.components.len(),
            hidden: match self.rules.hidden {
                true => vec![0; 2 * layout.words * (players + 2)],
                false => Vec::new(),
            },
            left_values: match self.rules.stacking && self.rules.writes.has(Parts::VALUES) {
                true => vec![0; sites * super::perform::LEFT_LEVELS],
                false => Vec::new(),
            },
            order: if self.rules.ordered { vec![0; sites] } else { Vec::new() },
            relisted: match self.rules.relists {
                true => vec![0; sites * self.equipment.components.len()],
                false => Vec::new(),
            },
            ..State::default()
        };
        (0..sites).for_each(|site| state.bits[site >> 6] |= 1 << (site & 63));
        (0..=players).for_each(|p| state.numbers[layout.value(p)] = OFF);
        (0..layout.vars).for_each(|v| state.numbers[layout.var(v)] = OFF);
        state.s.mover = 1;
        state.s.next = if players > 1 { 2 } else { 1 };
        state.s.last = LastMove::NONE;
        (state.s.counter, state.s.temp) = (-1, OFF);
        state.s.active = ((1u32 << (players + 1)) - 1) & !1;
        for player in 1..=players {
            let own = |p: &Phase| p.owner.is_none_or(|owner| owner == player);
            let phase = self.rules.phases.iter().position(own).unwrap_or(0);
            state.numbers[layout.phase(player)] = phase as i32;
        }
        state
    }

    /// The first state; where chance comes into the start, the one in which it is asked first.
    pub fn start(&self) -> State {
        let mut state = self.bare();
        let mut pad = Pad::default();
        let mut c = self.context(&mut state, &mut pad);
        // Dice lie where they will be thrown.
        for (number, die) in self.equipment.dice.iter().enumerate() {
            let (to, what) = (die.site as i32, number as u16 + 1);
            act(&mut c, Action::Add { to, what, count: 1, state: 0, stack: false });
        }
        state.s.opening = 1;
        self.open(&mut state, &mut pad);
        state
    }

    /// The legal moves: the pass where there is no other. True where dice must be thrown first, see
    /// [`roll`](Lud::roll), or pieces scattered, see [`scatter`](Lud::scatter). The state is changed while moves are looked at and put back.
    pub fn legal(&self, state: &mut State, pad: &mut Pad, out: &mut Moves) -> bool {
        out.clear();
        if state.s.over {
            return false;
        }
        if state.s.between {
            Lud::list_next(state, out);
            return false;
        }
        if let Some(lud) = self.stage(state) {
            return lud.legal(state, pad, out);
        }
        if state.s.opening > 0 {
            return true;
        }
        let mut c = self.context(state, pad);
        c.draws = super::chance::Draws::Listed;
        generate(&mut c, out);
        if c.wants_dice {
            return true;
        }
        if let Some(layers) = &self.rules.layers {
            out.heads.retain(|&head| !layers.forbid(&c, head));
        }
        if let Some(repeat) = self.rules.no_repeat {
            repeat::keep_new(&mut c, repeat, out);
        }
        swap_sides(&c, out);
        if self.simultaneous {
            self.pass_for_others(out);
        } else if out.is_empty() {
            forced_pass(&c, out);
        }
        false
    }

    /// A random legal move, each as likely as it is often in [`legal`](Lud::legal); `None` where dice
    /// must be thrown first. `out` holds it afterwards. `below` gives a number below another.
    pub fn random(
        &self,
        state: &mut State,
        pad: &mut Pad,
        out: &mut Moves,
        mut below: impl FnMut(usize) -> usize,
    ) -> Option<Head> {
        if state.s.between {
            Lud::list_next(state, out);
            return out.heads.first().copied();
        }
        if let Some(lud) = self.stage(state) {
            return random(&mut lud.context(state, pad), out, &mut below);
        }
        random(&mut self.context(state, pad), out, &mut below)
    }

    /// Plays random moves, at most so many, up to the end or to where chance is asked: how many it were.
    pub fn run(
        &self,
        state: &mut State,
        pad: &mut Pad,
        out: &mut Moves,
        longest: u32,
        mut below: impl FnMut(usize) -> usize,
    ) -> u32 {
        if self.matched.is_some() {
            return self.run_match(state, pad, out, longest, &mut below);
        }
        let mut c = self.context(state, pad);
        let mut plies = 0;
        while plies < longest && !c.state.s.over {
            c.at = Registers::NONE;
            let Some(head) = random(&mut c, out, &mut below) else { break };
            if self.rules.random {
                let mut draws = 0;
                while let Some((least, most)) = self.attempt(c.state, c.pad, out, head) {
                    let choice = below((most - least) as usize + 1);
                    c.state.tape.push(least + choice as i32);
                    draws += 1;
                }
                // With hidden information all draws of a move are one turn of chance.
                plies += if self.rules.hidden { 1 } else { draws };
            } else {
                step(&mut c, out, head);
            }
            plies += 1;
        }
        plies
    }

    /// Makes a move of a list.
    pub fn apply(&self, state: &mut State, pad: &mut Pad, moves: &Moves, head: Head) {
        if self.matched.is_some() {
            return self.apply_match(state, pad, moves, head);
        }
        let mut c = self.context(state, pad);
        step(&mut c, moves, head);
    }
}

/// See [`Lud::random`].
fn random(
    c: &mut Context<'_>,
    out: &mut Moves,
    below: &mut impl FnMut(usize) -> usize,
) -> Option<Head> {
    out.clear();
    if c.state.s.opening > 0 {
        return None;
    }
    out.lazy = true;
    c.wants_dice = false;
    let draws = std::mem::replace(&mut c.draws, super::chance::Draws::Listed);
    generate(c, out);
    c.draws = draws;
    if c.wants_dice {
        return None;
    }
    out.lazy = false;
    swap_sides(c, out);
    let found = lots::draw(c, out, below, holds);
    Some(found.unwrap_or_else(|| {
        forced_pass(c, out);
        out.heads[0]
    }))
}

/// The swap of `(meta (swap))`: the last player of the first round may change sides with the player before, instead of a move
/// (decided by Momentum with three players, ply 2). The player before, now of the other side, moves next.
fn swap_sides(c: &Context<'_>, out: &mut Moves) {
    let s = &c.state.s;
    let before = c.equipment.players as u32 - 1;
    if c.rules.swap && before > 0 && s.moves == before && s.turns == before {
        let first = out.actions.len();
        let mover = s.mover as u16;
        out.actions.extend([Action::SwapPlayers(s.prev as u16, mover), Action::Next(mover)]);
        out.close(first, s.mover, Kind::Swap, OFF, OFF);
    }
}

/// A pass for want of other moves, without anything that follows from it.
pub(crate) fn push_forced_pass(c: &Context<'_>, out: &mut Moves) {
    out.pass(c.state.s.mover);
    if let Some(pass) = out.heads.last_mut() {
        pass.extra = FORCED;
    }
}

/// The pass for want of other moves. What follows from all moves follows from it, too.
fn forced_pass(c: &Context<'_>, out: &mut Moves) {
    let mover = c.state.s.mover;
    push_forced_pass(c, out);
    let phase = c.state.numbers[c.rules.layout.phase(mover)];
    if let Some(then) = c.rules.phases.get(phase as usize).and_then(|phase| phase.then) {
        out.follow(0, then, true);
    }
}

#[inline]
fn act(c: &mut Context<'_>, action: Action) {
    if let Some(record) = &mut c.record {
        record.push(action);
    }
    if c.rules.touches {
        let (from, to) = action.sites();
        c.state.touched[0].extend(from);
        c.state.touched[1].extend(to);
    }
    c.pad.known.change();
    perform(c.equipment, c.rules, c.state, action);
}

/// A move, its consequences, and what follows every move.
pub(crate) fn step(c: &mut Context<'_>, moves: &Moves, head: Head) {
    let waiting = c.state.pending.len();
    make(c, moves, head);
    if c.rules.automove {
        follow_forced(c);
    }
    // The sites that waited for this move wait no longer.
    if waiting > 0 {
        c.state.pending.drain(..waiting.min(c.state.pending.len()));
    }
    finish(c, head);
}

/// Makes the moves to sites to which there is only one, one after the other, the first of the list first (decided by Trax, ply 3).
fn follow_forced(c: &mut Context<'_>) {
    for _ in 0..c.equipment.sites {
        let mut moves = c.moves();
        generate(c, &mut moves);
        let alone = |head: &&Head| {
            head.to >= 0 && moves.heads.iter().filter(|other| other.to == head.to).count() == 1
        };
        let forced = moves.heads.iter().find(alone).copied();
        if let Some(head) = forced {
            for &action in moves.actions(head) {
                act(c, action);
            }
        }
        c.free_moves(moves);
        if forced.is_none() {
            break;
        }
    }
}

/// The moves of the mover's phase.
pub(crate) fn generate(c: &mut Context<'_>, out: &mut Moves) {
    let rules = c.rules;
    let phase = c.state.numbers[rules.layout.phase(c.state.s.mover)];
    if let Some(phase) = rules.phases.get(phase as usize) {
        c.left_level = None;
        out.lazy &= !rules.leaves_levels;
        c.with(Registers::NONE, |c| phase.play.generate(c, out));
        c.left_level = None;
    }
}

/// Notes the pieces that a move goes over.
fn goes_over(c: &mut Context<'_>, head: Head) {
    c.state.touched[2].clear();
    let (Ok(from), Ok(to)) = (usize::try_from(head.from), u32::try_from(head.to)) else { return };
    let (directions, mut over) = (&c.equipment.directions, std::mem::take(&mut c.state.touched[2]));
    let lines = directions.of(from).map(|ray| directions.line(ray));
    let way =
        lines.filter_map(|line| Some(&line[..line.iter().position(|&site| site == to)?])).next();
    let sites = way.into_iter().flatten().map(|&site| site as i32);
    over.extend(sites.filter(|&site| !c.is_empty(site)));
    c.state.touched[2] = over;
}

/// Does what a move says, and its consequences.
pub(crate) fn make(c: &mut Context<'_>, moves: &Moves, head: Head) {
    let rules = c.rules;
    c.state.s.moves += 1;
    if c.rules.touches {
        c.state.touched[..2].iter_mut().for_each(Vec::clear);
        c.state.touched[0].push(head.from);
        c.state.touched[1].push(head.to);
    }
    if c.rules.crosses {
        goes_over(c, head);
    }
    // A player who had to pass had no moves; consequences may ask for it.
    let forced = head.kind == Kind::Pass && head.extra == FORCED;
    let bit = 1 << c.state.s.mover;
    c.state.s.stuck = if forced { c.state.s.stuck | bit } else { c.state.s.stuck & !bit };
    // The level on which a piece ends is not part of the move (decided by Chonpa, ply 31, and Tsun K'i, ply 51).
    let level = match head.level {
        0.. => head.level,
        _ if c.rules.stacking => (c.state.height(head.from) as i16 - 1).max(0),
        _ => 0,
    };
    for &action in moves.actions(head) {
        act(c, action);
    }
    // A move without a site becomes the last move if it is a pass or a single effect (decided by the last moves of Nodal Chess).
    if head.to >= 0 || matches!(head.kind, Kind::Pass | Kind::Effect) {
        let above = if head.kind == Kind::Select { level } else { 0 };
        c.state.s.last.set(head.from, head.to, (level, above));
        if head.to >= 0 && c.rules.reads.has(Parts::VISITED) {
            c.state.visited.extend([head.from, head.to]);
        }
    }
    let mover = c.state.s.mover;
    let player = usize::from(head.mover);
    if player == mover || player == 0 || player > c.equipment.players {
        consequences(c, moves, head, 0);
    } else {
        // The consequences of a move of another player's piece belong to that player.
        let next = std::mem::replace(&mut c.state.s.next, mover);
        c.state.s.mover = player;
        consequences(c, moves, head, 0);
        c.state.s.mover = mover;
        if c.state.s.next == mover {
            c.state.s.next = next;
        }
    }
    if let Some(layers) = rules.layers.as_ref().filter(|layers| layers.falls) {
        while let Some(fall) = layers.falling(c) {
            act(c, fall);
        }
    }
}

/// Consequences have consequences, too, but not for ever.
const DEEPEST: usize = 16;

pub(crate) fn consequences(c: &mut Context<'_>, moves: &Moves, head: Head, depth: usize) {
    if head.then == NONE || depth >= DEEPEST {
        return;
    }
    let rules = c.rules;
    // An effect without a site of its own happens at the site of the move. A consequence knows the origin of the move only by
    // `(last From)` (decided by Tai Shogi, ply 165).
    let from = if head.from == OFF { c.at.from } else { OFF };
    let at = Registers { from, level: head.level.into(), ..Registers::NONE };
    c.left_level = None;
    moves.thens(head, &mut |then| {
        let Some(effect) = rules.thens.get(then as usize) else { return };
        if depth == 0 && !c.follow.includes(rules.late.contains(&then)) {
            return;
        }
        let mut out = c.moves();
        c.with(at, |c| effect.generate(c, &mut out));
        for &follow in &out.heads {
            self::effect(c, &out, follow, depth + 1);
        }
        c.free_moves(out);
    });
}

/// Does what an effect says, and its consequences.
pub(crate) fn effect(c: &mut Context<'_>, moves: &Moves, head: Head, depth: usize) {
    for &action in moves.actions(head) {
        act(c, action);
    }
    // A state that is set is a place, too (decided by Khutka Boia, ply 64 of its second record).
    let goals = moves.actions(head).iter().rev().find_map(|action| match *action {
        Action::Move { to, .. } | Action::MoveCount { to, .. } | Action::Sow { to, .. } => Some(to),
        Action::State { at, .. }
        | Action::Count { at, .. }
        | Action::Remove { at, .. }
        | Action::Promote { at, .. }
        | Action::Rotation(at, _) => Some(at),
        Action::Add { to, .. } => Some(to),
        _ => None,
    });
    match (head.kind, goals) {
        // Hands are cells: on a board of vertices they are no place to be last at.
        (_, Some(to)) => {
            let cells = c.equipment.board.sites == crate::board::SiteType::Cell;
            let there = cells || c.equipment.on_board.contains(to);
            c.state.s.last.set_after(if there { to } else { OFF });
        }
        (Kind::Sown, None) => c.state.s.last.set_after(head.to),
        _ => {}
    }
    consequences(c, moves, head, depth);
}

/// The end of every move: the end rules, the phases, and the next player.
pub(crate) fn finish(c: &mut Context<'_>, head: Head) {
    // Passes in the middle of a turn do not count as consecutive.
    let alone = c.equipment.players == 1;
    // A single player may choose to pass as often as they like (decided by Theseus and the Minotaur, ply 2).
    let counts = if alone { head.extra == FORCED } else { c.state.s.same_turn == 0 };
    let in_row = head.kind == Kind::Pass && counts;
    c.state.s.passes = if in_row { c.state.s.passes + 1 } else { 0 };
    c.state.s.rolled = false;
    c.at = Registers::NONE;
    // A single player ends a turn with every move.
    if c.state.s.next != c.state.s.mover || alone {
        clear(c);
    }
    judge_all(c);
    if c.state.s.over {
        return;
    }
    change_phases(c);
    c.state.s.counter += 1;
    pass_turn(c, head);
}

/// Removes the pieces that leave at the end of a turn, with all that lies under them.
fn clear(c: &mut Context<'_>) {
    if c.state.to_clear.is_empty() {
        return;
    }
    let mut sites = std::mem::take(&mut c.state.to_clear);
    for at in sites.drain(..) {
        for _ in 0..c.state.height(at).max(1) {
            act(c, Action::Remove { at, level: -1, count: u16::MAX });
        }
    }
    c.state.to_clear = sites;
}

/// Judges by the end rules of the phase, by those of the game, and by the limits of all games.
fn judge_all(c: &mut Context<'_>) {
    let (rules, players) = (c.rules, c.equipment.players);
    let phase = c.state.numbers[rules.layout.phase(c.state.s.mover)] as usize;
    if let Some(phase) = rules.phases.get(phase) {
        for rule in &phase.end {
            judge(c, rule);
        }
    }
    if !c.state.s.over {
        for rule in &rules.end {
            judge(c, rule);
        }
    }
    if !c.state.s.over {
        let chance = !c.equipment.dice.is_empty() || rules.random;
        let all_passed = rules.pass_ends && !chance && c.state.s.passes as usize >= players;
        let turns = c.state.s.turns + 1;
        let long = turns >= MOST_TURNS * players as u32 || c.state.s.moves >= MOST_MOVES;
        if all_passed || long {
            draw(c);
        }
    }
}

/// Players go to other phases.
fn change_phases(c: &mut Context<'_>) {
    let rules = c.rules;
    if rules.phases.len() < 2 {
        return;
    }
    for player in 1..=c.equipment.players {
        let number = rules.layout.phase(player);
        let at = c.state.numbers[number] as usize;
        let Some(phase) = rules.phases.get(at) else { continue };
        for (who, condition, to) in &phase.next {
            let concerns = who.as_ref().is_none_or(|who| who.get(c) >> player & 1 == 1);
            if concerns && condition.as_ref().is_none_or(|condition| condition.holds(c)) {
                let own = |phase: &Phase| phase.owner.is_none_or(|owner| owner == player);
                // After the last comes the first.
                let next = to.unwrap_or_else(|| {
                    let rest = rules.phases[at + 1..].iter().position(own).map(|i| at + 1 + i);
                    rest.or_else(|| rules.phases.iter().position(own)).unwrap_or(at)
                });
                c.state.numbers[number] = next as i32;
                break;
            }
        }
    }
}

/// The turn goes to the next player, unless the mover moves again.
fn pass_turn(c: &mut Context<'_>, head: Head) {
    let (players, mover) = (c.equipment.players, c.state.s.mover);
    let mut next = c.state.s.next;
    // A player who has lost by another player's move is skipped. A player who has won by it is not (decided by Yavalade, ply 24).
    for _ in 0..players {
        if next == mover || c.state.active(next) || c.state.s.won >> next & 1 == 1 {
            break;
        }
        next = after(next, players);
    }
    repeat::remember(c, head.kind);
    // A player who changes sides and moves on begins a turn.
    if next == mover && head.kind != Kind::Swap {
        c.state.s.same_turn += 1;
    } else {
        c.state.s.turns += 1;
        c.state.s.same_turn = 0;
        if c.rules.reads.has(Parts::BEFORE) {
            c.state.s.before = mover;
        }
        c.state.visited.clear();
    }
    c.state.s.prev = mover;
    c.state.s.mover = next;
    // The one after: the next who still plays.
    let mut then = after(next, players);
    for _ in 0..players {
        if c.state.active(then) {
            break;
        }
        then = after(then, players);
    }
    c.state.s.next = then;
}

/// The player after another, without a division.
#[inline]
fn after(player: usize, players: usize) -> usize {
    if player >= players { 1 } else { player + 1 }
}
