//! The loop of play: legal moves, what a move does, and what follows every move.

use super::action::{Action, Move};
use super::context::{Context, Registers};
use super::end::{draw, judge};
use super::equipment::Equipment;
use super::functions::Result;
use super::lower::unsupported;
use super::rules::{Phase, Rules};
use super::state::State;
use crate::compile::Value;
use crate::tree::Node;

/// A game that can be played.
#[derive(Debug)]
pub struct Game {
    /// Its name.
    pub name: String,
    /// What lies on the table.
    pub equipment: Equipment,
    /// What may be done.
    pub rules: Rules,
}

/// Turns per player after which a game is drawn.
const MOST_TURNS: u32 = 1250;

/// Moves after which it is.
const MOST_MOVES: u32 = 10_000;

impl Game {
    /// A game from its description.
    ///
    /// # Errors
    /// What does not fit the table of ludemes, or is not supported yet, and where.
    ///
    /// ```
    /// use ludex_lud::{engine::Game, source::Text, tree};
    /// let text = Text::of_file(0, "(game \"Tiny\" (players 2)
    ///     (equipment {(board (square 3)) (piece \"Disc\" P1) (piece \"Cross\" P2)})
    ///     (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))");
    /// let game = Game::new(&tree::game(&text).unwrap()).unwrap();
    /// assert_eq!(game.legal(&game.start()).len(), 9);
    /// ```
    pub fn new(tree: &Node) -> Result<Game> {
        let game = crate::compile::compile(tree)?;
        let name = match game.arg(0) {
            Some(Value::Str(name)) => name.clone(),
            _ => String::new(),
        };
        if game.signature().keyword != "game" {
            return Err(unsupported(&game));
        }
        let mode = game.args.iter().flatten().find_map(|(_, v)| match v {
            Value::Call(l) if l.signature().keyword == "mode" => Some(l.clone()),
            _ => None,
        });
        if let Some(mode) = mode
            && mode.arg(0).and_then(Value::word) != Some("Alternating")
        {
            return Err(unsupported(&mode));
        }
        let equipment = Equipment::new(&game, tree)?;
        let rules = Rules::new(&game, &equipment)?;
        let mut game = Game { name, equipment, rules };
        if game.rules.starts {
            game.rules.first = game.start().what;
        }
        Ok(game)
    }

    fn context(&self, state: State) -> Context<'_> {
        Context {
            equipment: &self.equipment,
            rules: &self.rules,
            state,
            at: Registers::NONE,
            depth: 0,
        }
    }

    /// The first state.
    pub fn start(&self) -> State {
        let (players, sites) = (self.equipment.players, self.equipment.sites);
        let state = State {
            what: vec![0; sites],
            count: vec![0; sites],
            local: vec![0; sites],
            value: vec![0; sites],
            mover: 1,
            next: if players > 1 { 2 } else { 1 },
            prev: 0,
            phase: vec![0; players + 1],
            score: vec![0; players + 1],
            player_value: vec![-1; players + 1],
            vars: vec![-1; self.rules.vars],
            active: (0..=players).map(|p| p > 0).collect(),
            rank: vec![0.0; players + 1],
            stalemated: vec![false; players + 1],
            ..State::default()
        };
        let mut c = self.context(state);
        for player in 1..=players {
            let own = |p: &Phase| p.owner.is_none_or(|owner| owner == player);
            c.state.phase[player] = self.rules.phases.iter().position(own).unwrap_or(0);
        }
        for rule in &self.rules.start {
            let mut out = Vec::new();
            rule(&mut c, &mut out);
            for action in out.into_iter().flat_map(|m| m.actions) {
                perform(&mut c, action);
            }
        }
        c.state
    }

    /// The legal moves: the pass where there is no other.
    pub fn legal(&self, state: &State) -> Vec<Move> {
        if state.over {
            return Vec::new();
        }
        let mut c = self.context(state.clone());
        let mut out = generate(&mut c);
        if let Some(situational) = self.rules.no_repeat {
            out.retain(|m| {
                let mut after = c.clone();
                make(&mut after, m);
                let next = after.state.next;
                m.is_pass()
                    || !state.history.contains(&after.state.hash(situational.then_some(next)))
            });
        }
        if self.rules.swap && state.moves == 1 && self.equipment.players == 2 {
            let actions = vec![Action::SwapPlayers];
            let mover = state.mover;
            out.push(Move { mover, from: -1, to: -1, actions, then: Vec::new() });
        }
        if out.is_empty() {
            out.push(Move::pass(state.mover));
        }
        out
    }

    /// The state after a move.
    pub fn apply(&self, state: &State, m: &Move) -> State {
        let mut c = self.context(state.clone());
        make(&mut c, m);
        // What waited for this move waits no longer.
        c.state.pending.drain(..state.pending.len());
        finish(&mut c, m);
        c.state
    }
}

/// The moves of the mover's phase.
fn generate(c: &mut Context<'_>) -> Vec<Move> {
    let mut out = Vec::new();
    let rules = c.rules;
    let phase = c.state.phase.get(c.state.mover).copied().unwrap_or(0);
    if let Some(phase) = rules.phases.get(phase) {
        c.with(Registers::NONE, |c| (phase.play)(c, &mut out));
    }
    out
}

/// Has a player no move?
fn stuck(c: &mut Context<'_>, player: usize) -> bool {
    if player == 0 || player > c.equipment.players {
        return true;
    }
    // Rules that ask for moves while moves are made may ask for ever.
    if c.depth >= 4 {
        return false;
    }
    let mut other = c.clone();
    other.depth += 1;
    let (mover, next) = (other.state.mover, other.state.next);
    other.state.mover = player;
    if player == next {
        other.state.next = mover;
    }
    generate(&mut other).is_empty()
}

/// Could an opponent take what is on a site?
pub(super) fn threatened(c: &mut Context<'_>, site: i32) -> bool {
    if c.depth >= 2 {
        return false;
    }
    let mover = c.state.mover;
    (1..=c.equipment.players).filter(|&p| p != mover).any(|enemy| {
        let mut other = c.clone();
        other.depth += 1;
        (other.state.mover, other.state.next) = (enemy, mover);
        generate(&mut other).iter().any(|m| {
            m.actions.iter().any(|action| match *action {
                Action::Remove(at) => at == site,
                Action::Move { to, .. } => to == site,
                _ => false,
            })
        })
    })
}

/// Does what a move says, and its consequences.
pub(super) fn make(c: &mut Context<'_>, m: &Move) {
    c.state.moves += 1;
    for &action in &m.actions {
        perform(c, action);
    }
    // Effects without a place of their own leave the last move as it is.
    if m.to >= 0 || m.is_pass() {
        c.state.last = Some((m.from, m.to));
    }
    let rules = c.rules;
    for &then in &m.then {
        let Some(effect) = rules.thens.get(then as usize) else { continue };
        let mut out = Vec::new();
        let at = Registers { from: m.from, to: m.to, ..Registers::NONE };
        c.with(at, |c| effect(c, &mut out));
        for follow in out {
            consequence(c, &follow, 0);
        }
    }
}

/// Consequences have consequences, too, but not for ever.
const DEEPEST: usize = 16;

fn consequence(c: &mut Context<'_>, m: &Move, depth: usize) {
    for &action in &m.actions {
        perform(c, action);
    }
    let rules = c.rules;
    for &then in m.then.iter().filter(|_| depth < DEEPEST) {
        let Some(effect) = rules.thens.get(then as usize) else { continue };
        let mut out = Vec::new();
        let at = Registers { from: m.from, to: m.to, ..Registers::NONE };
        c.with(at, |c| effect(c, &mut out));
        for follow in out {
            consequence(c, &follow, depth + 1);
        }
    }
}

fn perform(c: &mut Context<'_>, action: Action) {
    let s = &mut c.state;
    let place = |site: i32, s: &State| usize::try_from(site).ok().filter(|&i| i < s.what.len());
    let kinds = c.equipment.components.len();
    let kind = |what: i32| u16::try_from(what).ok().filter(|&what| usize::from(what) < kinds);
    match action {
        Action::Add { to, what, count } => {
            if let (Some(i), Some(what)) = (place(to, s), kind(what)) {
                let more = if s.what[i] == what { s.count[i] } else { 0 };
                s.what[i] = what;
                s.count[i] = more.saturating_add(count.clamp(0, 60_000) as u16);
                (s.local[i], s.value[i]) = (0, 0);
            }
        }
        Action::Move { from, to } => {
            if let (Some(a), Some(b)) = (place(from, s), place(to, s))
                && a != b
            {
                if s.count[a] > 1 {
                    s.count[a] -= 1;
                    let same = s.what[b] == s.what[a];
                    s.count[b] = if same { s.count[b] + 1 } else { 1 };
                    s.what[b] = s.what[a];
                } else {
                    let same = s.what[b] == s.what[a] && s.count[b] > 0;
                    let hand = b >= c.equipment.elements().len();
                    s.count[b] = if same && hand { s.count[b] + 1 } else { s.count[a] };
                    s.what[b] = s.what[a];
                    (s.local[b], s.value[b]) = (s.local[a], s.value[a]);
                    (s.what[a], s.count[a], s.local[a], s.value[a]) = (0, 0, 0, 0);
                }
            }
        }
        Action::Remove(site) => {
            if let Some(i) = place(site, s) {
                if s.count[i] > 1 {
                    s.count[i] -= 1;
                } else {
                    (s.what[i], s.count[i], s.local[i], s.value[i]) = (0, 0, 0, 0);
                }
            }
        }
        Action::Promote { at, what } => {
            if let (Some(i), Some(what)) = (place(at, s), kind(what)) {
                s.what[i] = what;
            }
        }
        Action::Swap(a, b) => {
            if let (Some(a), Some(b)) = (place(a, s), place(b, s)) {
                s.what.swap(a, b);
                s.count.swap(a, b);
                s.local.swap(a, b);
                s.value.swap(a, b);
            }
        }
        Action::Pass | Action::Select => {}
        Action::Next(player) => s.next = player,
        Action::Var(var, value) => s.vars[var] = value,
        Action::Score(player, value) => {
            if let Some(score) = s.score.get_mut(player) {
                *score = value;
            }
        }
        Action::PlayerValue(player, value) => {
            if let Some(slot) = s.player_value.get_mut(player) {
                *slot = value;
            }
        }
        Action::Counter(value) => s.counter = value,
        Action::Local(site, value) => {
            if let Some(i) = place(site, s) {
                s.local[i] = value as i16;
            }
        }
        Action::Value(site, value) => {
            if let Some(i) = place(site, s) {
                s.value[i] = value as i16;
            }
        }
        Action::Count(site, value) => {
            if let Some(i) = place(site, s) {
                s.count[i] = value.clamp(0, 60_000) as u16;
                if value <= 0 {
                    s.what[i] = 0;
                }
            }
        }
        Action::Pending(value) => s.pending.push(value),
        Action::Clear(site) => s.to_clear.push(site),
        Action::SwapPlayers => {
            let owner = |what: u16| c.equipment.components[usize::from(what)].owner;
            let stem = |what: u16| &c.equipment.components[usize::from(what)].stem;
            for what in &mut s.what {
                let other = 3usize.wrapping_sub(owner(*what));
                let mine = stem(*what);
                let all = &c.equipment.components;
                if let Some(n) = all.iter().position(|k| k.owner == other && k.stem == *mine) {
                    *what = n as u16;
                }
            }
        }
    }
}

/// What follows every move: the end rules, the phases, and whose turn it is.
fn finish(c: &mut Context<'_>, m: &Move) {
    c.state.passes = if m.is_pass() { c.state.passes + 1 } else { 0 };
    let rules = c.rules;
    let mover = c.state.mover;
    let phase = c.state.phase.get(mover).copied().unwrap_or(0);
    c.at = Registers::NONE;
    let next = c.state.next;
    if next != mover && !c.state.to_clear.is_empty() {
        for site in std::mem::take(&mut c.state.to_clear) {
            perform(c, Action::Remove(site));
        }
    }
    if rules.asks_moves && next <= c.equipment.players {
        c.state.stalemated[next] = stuck(c, next);
    }
    if let Some(phase) = rules.phases.get(phase) {
        phase.end.iter().for_each(|rule| judge(c, rule));
    }
    if !c.state.over {
        rules.end.iter().for_each(|rule| judge(c, rule));
    }
    let players = c.equipment.players;
    if !c.state.over && c.state.passes as usize >= players && c.state.moves > 0 {
        draw(c);
    }
    if !c.state.over
        && (c.state.turns >= MOST_TURNS * players as u32 || c.state.moves >= MOST_MOVES)
    {
        draw(c);
    }
    if c.state.over {
        return;
    }
    for player in 1..=players {
        let at = c.state.phase[player];
        let Some(phase) = rules.phases.get(at) else { continue };
        for (who, condition, to) in &phase.next {
            let concerns = who.as_ref().is_none_or(|w| w(c).contains(&player));
            if concerns && condition.as_ref().is_none_or(|f| f(c)) {
                let own = |p: &Phase| p.owner.is_none_or(|owner| owner == player);
                let next = to.unwrap_or_else(|| {
                    let rest = rules.phases[at + 1..].iter().position(own);
                    rest.map_or(at, |i| at + 1 + i)
                });
                c.state.phase[player] = next;
                break;
            }
        }
    }
    c.state.counter += 1;
    let next = c.state.next;
    if let Some(situational) = rules.no_repeat {
        let hash = c.state.hash(situational.then_some(next));
        c.state.history.push(hash);
    }
    if next == mover {
        c.state.same_turn += 1;
        if m.to >= 0 {
            if c.state.visited.is_empty() {
                c.state.visited.push(m.from);
            }
            c.state.visited.push(m.to);
        }
    } else {
        c.state.turns += 1;
        c.state.same_turn = 0;
        c.state.visited.clear();
    }
    c.state.prev = mover;
    c.state.mover = next;
    // The one after: the next who still plays.
    let mut after = next % players.max(1) + 1;
    for _ in 0..players {
        if c.state.active[after] {
            break;
        }
        after = after % players + 1;
    }
    c.state.next = after;
}
