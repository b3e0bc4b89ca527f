//! The rules of a game, and the loop of play.

use std::rc::Rc;

use super::context::{Context, Registers};
use super::equipment::Equipment;
use super::functions::Function;
use super::lower::{Lower, unsupported};
use super::moves::{Action, Generator, Move};
use super::state::State;
use crate::compile::{Ludeme, Value};
use crate::error::Fault;
use crate::tree::Node;

type Result<T> = std::result::Result<T, Fault>;

/// How a game ends for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Win,
    Loss,
    Draw,
}

/// What an end rule says.
enum Verdict {
    /// For some players.
    Result(Function<Vec<usize>>, Outcome),
    /// The highest score wins, or the lowest.
    ByScore { scores: Vec<(Function<Vec<usize>>, Function<i32>)>, misere: bool },
}

/// A rule of an end.
enum EndRule {
    /// If, then, else.
    If(Function<bool>, Vec<EndRule>, Option<Verdict>),
    /// For each of some players.
    Each(Function<Vec<usize>>, Function<bool>, Verdict),
}

/// A way to another phase: for whom, on what condition, and to which, the next one without a name.
type NextPhase = (Option<Function<Vec<usize>>>, Option<Function<bool>>, Option<usize>);

/// A phase of a game.
struct Phase {
    play: Generator,
    end: Vec<EndRule>,
    next: Vec<NextPhase>,
    /// Only for this player.
    owner: Option<usize>,
}

/// The rules.
pub struct Rules {
    start: Vec<Generator>,
    phases: Vec<Phase>,
    end: Vec<EndRule>,
    /// By component: its moves.
    pub pieces: Vec<Option<Generator>>,
    thens: Vec<Generator>,
    vars: usize,
    swap: bool,
    starts: bool,
    asks_moves: bool,
    /// Positions must not come again: with the mover counted, or without.
    no_repeat: Option<bool>,
    /// By site: what stood there first, where rules ask for it.
    pub first: Vec<u16>,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rules({} phases)", self.phases.len())
    }
}

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

fn judge(c: &mut Context<'_>, rule: &EndRule) {
    if c.state.over {
        return;
    }
    match rule {
        EndRule::If(condition, inner, verdict) => {
            if condition(c) {
                inner.iter().for_each(|rule| judge(c, rule));
                if let Some(verdict) = verdict
                    && !c.state.over
                {
                    pronounce(c, verdict);
                }
            }
        }
        EndRule::Each(who, condition, verdict) => {
            for player in who(c) {
                let at = Registers { player: player as i32, ..c.at };
                let holds = c.with(at, |c| condition(c));
                if holds && !c.state.over {
                    c.with(at, |c| pronounce(c, verdict));
                }
            }
        }
    }
}

fn pronounce(c: &mut Context<'_>, verdict: &Verdict) {
    match verdict {
        Verdict::ByScore { scores, misere } => {
            for (who, score) in scores {
                for player in who(c) {
                    let at = Registers { player: player as i32, ..c.at };
                    let score = c.with(at, |c| score(c));
                    if let Some(slot) = c.state.score.get_mut(player) {
                        *slot = score;
                    }
                }
            }
            let players = c.equipment.players;
            let score = |p: usize| if *misere { -c.state.score[p] } else { c.state.score[p] };
            let ranks: Vec<f64> = (1..=players)
                .map(|p| {
                    let better = (1..=players).filter(|&q| score(q) > score(p)).count();
                    let equal = (1..=players).filter(|&q| score(q) == score(p)).count();
                    1.0 + better as f64 + (equal as f64 - 1.0) / 2.0
                })
                .collect();
            c.state.rank[1..].copy_from_slice(&ranks);
            c.state.over = true;
        }
        Verdict::Result(who, outcome) => {
            let who: Vec<usize> = who(c)
                .into_iter()
                .filter(|&p| p > 0 && p <= c.equipment.players && c.state.active[p])
                .collect();
            match outcome {
                Outcome::Draw => return draw(c),
                Outcome::Win => {
                    let rank = best_free(c) + (who.len() as f64 - 1.0) / 2.0;
                    who.iter().for_each(|&p| c.state.rank[p] = rank);
                }
                // Alone at the table there is no rank to share.
                Outcome::Loss if c.equipment.players == 1 => {
                    c.state.over = true;
                    return;
                }
                Outcome::Loss => {
                    let rank = worst_free(c) - (who.len() as f64 - 1.0) / 2.0;
                    who.iter().for_each(|&p| c.state.rank[p] = rank);
                }
            }
            who.iter().for_each(|&p| c.state.active[p] = false);
            let left: Vec<usize> =
                (1..=c.equipment.players).filter(|&p| c.state.active[p]).collect();
            if left.len() <= 1 {
                if let [last] = left[..] {
                    // Alone at the table: a single player plays on.
                    if c.equipment.players == 1 {
                        return;
                    }
                    c.state.rank[last] = best_free(c);
                }
                c.state.over = true;
            }
        }
    }
}

/// The best rank that nobody has.
fn best_free(c: &Context<'_>) -> f64 {
    let taken = |rank: usize| c.state.rank[1..].iter().any(|&r| (r - rank as f64).abs() < 0.25);
    (1..=c.equipment.players).find(|&rank| !taken(rank)).unwrap_or(1) as f64
}

fn worst_free(c: &Context<'_>) -> f64 {
    let taken = |rank: usize| c.state.rank[1..].iter().any(|&r| (r - rank as f64).abs() < 0.25);
    (1..=c.equipment.players).rev().find(|&rank| !taken(rank)).unwrap_or(1) as f64
}

fn draw(c: &mut Context<'_>) {
    let open: Vec<usize> = (1..=c.equipment.players).filter(|&p| c.state.active[p]).collect();
    let (best, worst) = (best_free(c), worst_free(c));
    open.iter().for_each(|&p| c.state.rank[p] = (best + worst) / 2.0);
    c.state.over = true;
}

impl Rules {
    fn new(game: &Rc<Ludeme>, equipment: &Equipment) -> Result<Rules> {
        let mut lower = Lower {
            equipment,
            game: game.clone(),
            vars: Vec::new(),
            thens: Vec::new(),
            pieces: Vec::new(),
            starts: false,
            asks_moves: false,
        };
        let rules = game.args.iter().flatten().find_map(|(_, v)| match v {
            Value::Call(l) if l.signature().keyword == "rules" => Some(l.clone()),
            _ => None,
        });
        let rules = rules.ok_or_else(|| Fault::new("L051", game.place, "a game needs rules"))?;
        let mut swap = false;
        let mut no_repeat = None;
        if let Some(Value::Call(meta)) = rules.typed("meta") {
            let list = match meta.arg(0) {
                Some(Value::List(list)) => list.clone(),
                Some(value) => vec![value.clone()],
                None => Vec::new(),
            };
            for rule in list {
                match rule {
                    Value::Call(l) if l.signature().keyword == "swap" => swap = true,
                    Value::Call(l) if l.signature().keyword == "no" => {
                        match (l.arg(0).and_then(Value::word), l.arg(1).and_then(Value::word)) {
                            (Some("Repeat"), None | Some("Positional")) => no_repeat = Some(false),
                            (Some("Repeat"), Some("Situational")) => no_repeat = Some(true),
                            _ => return Err(unsupported(&l)),
                        }
                    }
                    Value::Call(l) => return Err(unsupported(&l)),
                    _ => return Err(unsupported(meta)),
                }
            }
        }
        for component in &equipment.components {
            let moves = match &component.moves {
                Some(l) => Some(lower.moves(&Value::Call(l.clone()), l)?),
                None => None,
            };
            lower.pieces.push(moves);
        }
        let start = match rules.typed("start") {
            Some(Value::Call(l)) => lower.start(l)?,
            _ => Vec::new(),
        };
        let end = match rules.typed("end") {
            Some(Value::Call(l)) => lower.end(l)?,
            _ => Vec::new(),
        };
        let common = match rules.typed("play") {
            Some(Value::Call(l)) => Some(l.clone()),
            _ => None,
        };
        let mut phases = Vec::new();
        match rules.labelled("phases") {
            None => {
                let play = common.ok_or_else(|| unsupported(&rules))?;
                let play = lower.moves(play.arg(0).ok_or_else(|| unsupported(&play))?, &play)?;
                phases.push(Phase { play, end: Vec::new(), next: Vec::new(), owner: None });
            }
            Some(Value::List(list)) => {
                let names: Vec<String> = list
                    .iter()
                    .map(|v| match v {
                        Value::Call(l) => match l.arg(0) {
                            Some(Value::Str(name)) => name.clone(),
                            _ => String::new(),
                        },
                        _ => String::new(),
                    })
                    .collect();
                for value in list {
                    let Value::Call(l) = value else { return Err(unsupported(&rules)) };
                    phases.push(lower.phase(l, &names)?);
                }
            }
            _ => return Err(unsupported(&rules)),
        }
        let Lower { vars, thens, pieces, starts, asks_moves, .. } = lower;
        let vars = vars.len();
        let first = Vec::new();
        Ok(Rules {
            start,
            phases,
            end,
            pieces,
            thens,
            vars,
            swap,
            starts,
            asks_moves,
            no_repeat,
            first,
        })
    }
}

impl Lower<'_> {
    fn phase(&mut self, l: &Rc<Ludeme>, names: &[String]) -> Result<Phase> {
        if l.typed("mode").is_some() {
            return Err(unsupported(l));
        }
        let owner = match l.typed("roleType").and_then(Value::word) {
            None => None,
            Some(word) => match word.strip_prefix('P').and_then(|n| n.parse().ok()) {
                Some(player) => Some(player),
                None => return Err(unsupported(l)),
            },
        };
        let Some(Value::Call(play)) = l.typed("play") else { return Err(unsupported(l)) };
        let play = self.moves(play.arg(0).ok_or_else(|| unsupported(play))?, play)?;
        let end = match l.typed("end") {
            Some(Value::Call(end)) => self.end(end)?,
            _ => Vec::new(),
        };
        let mut next = Vec::new();
        let list: Vec<Rc<Ludeme>> = l
            .args
            .iter()
            .flatten()
            .flat_map(|(_, v)| match v {
                Value::Call(k) if k.signature().keyword == "nextPhase" => vec![k.clone()],
                Value::List(list) => list
                    .iter()
                    .filter_map(|v| match v {
                        Value::Call(k) if k.signature().keyword == "nextPhase" => Some(k.clone()),
                        _ => None,
                    })
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        for rule in list {
            let who = match rule.typed("roleType").or(rule.typed("player")) {
                Some(value) => Some(self.roles(value, &rule)?),
                None => None,
            };
            let condition = match rule.typed("boolean") {
                Some(value) => Some(self.bool(value, &rule)?),
                None => None,
            };
            let to = match rule.typed("string") {
                Some(Value::Str(name)) => {
                    Some(names.iter().position(|n| n == name).ok_or_else(|| unsupported(&rule))?)
                }
                _ => None,
            };
            next.push((who, condition, to));
        }
        Ok(Phase { play, end, next, owner })
    }

    fn end(&mut self, l: &Rc<Ludeme>) -> Result<Vec<EndRule>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.end_rule(v, l)).collect(),
            Some(value) => Ok(vec![self.end_rule(value, l)?]),
            None => Ok(Vec::new()),
        }
    }

    fn end_rule(&mut self, value: &Value, of: &Ludeme) -> Result<EndRule> {
        let Value::Call(l) = value else { return Err(unsupported(of)) };
        let verdict = match l.typed("result") {
            Some(Value::Call(result)) => Some(self.verdict(result)?),
            _ => None,
        };
        match l.signature().keyword.as_str() {
            "if" => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let inner = match l.arg(1) {
                    Some(Value::List(list)) => {
                        list.iter().map(|v| self.end_rule(v, l)).collect::<Result<_>>()?
                    }
                    Some(value @ Value::Call(_)) => vec![self.end_rule(value, l)?],
                    _ => Vec::new(),
                };
                Ok(EndRule::If(condition, inner, verdict))
            }
            "forEach" => {
                let who: Function<Vec<usize>> = match l.arg(0) {
                    None => Box::new(|c| (1..=c.equipment.players).collect()),
                    Some(Value::Word(word)) if word == "Player" => {
                        Box::new(|c| (1..=c.equipment.players).collect())
                    }
                    Some(value @ Value::Word(_)) => self.roles(value, l)?,
                    _ => return Err(unsupported(l)),
                };
                let condition = self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
                Ok(EndRule::Each(who, condition, verdict.ok_or_else(|| unsupported(l))?))
            }
            _ => Err(unsupported(l)),
        }
    }

    fn verdict(&mut self, l: &Ludeme) -> Result<Verdict> {
        match l.signature().keyword.as_str() {
            "byScore" => {
                let mut scores = Vec::new();
                if let Some(Value::List(list)) = l.arg(0) {
                    for score in list {
                        let Value::Call(score) = score else { return Err(unsupported(l)) };
                        let who = self.roles(score.arg(0).ok_or_else(|| unsupported(l))?, score)?;
                        let value = self.int(score.arg(1).ok_or_else(|| unsupported(l))?, score)?;
                        scores.push((who, value));
                    }
                }
                let misere = matches!(l.labelled("misere"), Some(Value::Bool(true)));
                Ok(Verdict::ByScore { scores, misere })
            }
            "result" => {
                let role = l.arg(0).ok_or_else(|| unsupported(l))?;
                let who = self.roles(role, l)?;
                let outcome = match l.arg(1).and_then(Value::word) {
                    Some("Win") => Outcome::Win,
                    Some("Loss") => Outcome::Loss,
                    Some("Draw" | "Tie") => Outcome::Draw,
                    _ => return Err(unsupported(l)),
                };
                Ok(Verdict::Result(who, outcome))
            }
            _ => Err(unsupported(l)),
        }
    }

    fn start(&mut self, l: &Rc<Ludeme>) -> Result<Vec<Generator>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.start_rule(v, l)).collect(),
            Some(value) => Ok(vec![self.start_rule(value, l)?]),
            None => Ok(Vec::new()),
        }
    }

    /// A piece of each player in each hand: `(place "Ball" "Hand" count:15)`.
    fn place_in_hands(&mut self, l: &Ludeme, stem: &str) -> Result<Generator> {
        let known = ["count", "value", "state"];
        let others = l.signature().slots.iter().zip(&l.args).any(|(slot, arg)| {
            let label = arg.as_ref().and_then(|(c, _)| slot.choices[*c].label.as_deref());
            label.is_some_and(|label| !known.contains(&label))
        });
        if others {
            return Err(unsupported(l));
        }
        let count = match l.labelled("count") {
            Some(value) => self.int(value, l)?,
            None => Box::new(|_: &mut Context<'_>| 1),
        };
        let mut optional = |label: &str| match l.labelled(label) {
            Some(value) => self.int(value, l).map(Some),
            None => Ok(None),
        };
        let (value, local) = (optional("value")?, optional("state")?);
        let stem = stem.to_owned();
        Ok(Box::new(move |c, out| {
            let count = count(c);
            let (value, local) = (value.as_ref().map(|f| f(c)), local.as_ref().map(|f| f(c)));
            for hand in &c.equipment.containers[1..] {
                let all = &c.equipment.components;
                let own = all.iter().position(|k| k.owner == hand.owner && k.stem == stem);
                let Some(what) = own else { continue };
                let to = hand.from as i32;
                let mut actions = vec![Action::Add { to, what: what as i32, count }];
                actions.extend(value.map(|v| Action::Value(to, v)));
                actions.extend(local.map(|v| Action::Local(to, v)));
                out.push(Move { mover: 0, from: to, to, actions, then: Vec::new() });
            }
        }))
    }

    fn start_rule(&mut self, value: &Value, of: &Ludeme) -> Result<Generator> {
        let Value::Call(l) = value else { return Err(unsupported(of)) };
        self.same_site_type(l)?;
        let first = l.arg(0).and_then(Value::word).unwrap_or_default();
        match (l.signature().keyword.as_str(), first) {
            ("place", "") => {
                let Some(Value::Str(name)) = l.arg(0) else { return Err(unsupported(l)) };
                let what = self.component(name).ok_or_else(|| unsupported(l))? as i32;
                let each =
                    l.args.iter().flatten().skip(1).any(|(_, v)| *v == Value::Str("Hand".into()));
                if each {
                    return self.place_in_hands(l, name);
                }
                for label in ["counts", "rotation"] {
                    if l.labelled(label).is_some() {
                        return Err(unsupported(l));
                    }
                }
                let mut constant = |label: &str| match l.labelled(label) {
                    Some(value) => self.int(value, l).map(Some),
                    None => Ok(None),
                };
                let (count, state, value) =
                    (constant("count")?, constant("state")?, constant("value")?);
                let hand =
                    l.signature().slots.iter().zip(&l.args).skip(1).find_map(
                        |(_, arg)| match arg {
                            Some((_, Value::Str(container))) => Some(container.clone()),
                            _ => None,
                        },
                    );
                let region: Function<Vec<i32>> = match (l.labelled("coord"), hand) {
                    (Some(Value::Str(label)), _) => {
                        let site = self.site(label).ok_or_else(|| unsupported(l))?;
                        Box::new(move |_| vec![site])
                    }
                    (_, Some(container)) => {
                        let owner =
                            container.strip_prefix("Hand").and_then(|n| n.parse::<usize>().ok());
                        let owner = owner.ok_or_else(|| unsupported(l))?;
                        let found =
                            self.equipment.containers[1..].iter().find(|h| h.owner == owner);
                        let from = found.ok_or_else(|| unsupported(l))?.from as i32;
                        Box::new(move |_| vec![from])
                    }
                    _ => {
                        let place = l.args.iter().enumerate().skip(1).find_map(|(i, arg)| {
                            let choice = l.signature().slots[i].choices.first()?;
                            match arg {
                                Some((_, value)) if choice.label.is_none() => match value {
                                    Value::Word(_) => None,
                                    value => Some(value.clone()),
                                },
                                _ => None,
                            }
                        });
                        match place.ok_or_else(|| unsupported(l))? {
                            Value::List(list)
                                if list.iter().all(|v| matches!(v, Value::Str(_))) =>
                            {
                                let sites: Vec<i32> = list
                                    .iter()
                                    .filter_map(|v| {
                                        if let Value::Str(s) = v { self.site(s) } else { None }
                                    })
                                    .collect();
                                if sites.len() != list.len() {
                                    return Err(unsupported(l));
                                }
                                Box::new(move |_| sites.clone())
                            }
                            value => self.region(&value, l)?,
                        }
                    }
                };
                Ok(Box::new(move |c, out| {
                    let count = count.as_ref().map_or(1, |f| f(c));
                    for to in region(c) {
                        let mut actions = vec![Action::Add { to, what, count }];
                        if let Some(f) = &state {
                            actions.push(Action::Local(to, f(c)));
                        }
                        if let Some(f) = &value {
                            actions.push(Action::Value(to, f(c)));
                        }
                        out.push(Move { mover: 0, from: to, to, actions, then: Vec::new() });
                    }
                }))
            }
            ("set", "Score") => {
                let who = match l.typed("roleType") {
                    Some(value) => self.roles(value, l)?,
                    None => return Err(unsupported(l)),
                };
                let value = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                Ok(Box::new(move |c, out| {
                    let value = value(c);
                    for player in who(c) {
                        let actions = vec![Action::Score(player, value)];
                        out.push(Move { mover: 0, from: -1, to: -1, actions, then: Vec::new() });
                    }
                }))
            }
            _ => Err(unsupported(l)),
        }
    }
}
