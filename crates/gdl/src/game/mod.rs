//! A rule sheet as a [`Game`].
//!
//! GDL lets all roles move in every step; a game here has turns. Roles with a single legal move
//! have no choice, so: one role with a choice is [`Turn::One`], several are [`Turn::Joint`]. The
//! role `random` is no seat: it is chance, uniform over its legal moves. When it has a choice in
//! the same step as players, the players choose first, then chance.
//!
//! Where the rules hide something, how many turns a step has must not tell the players who had a choice (in the
//! Monty Hall game that would tell where the car is). So chance also makes its only move where nobody has
//! a choice; and in sheets where players and chance may choose in the same step, as far as is known,
//! chance moves after every choice of players, even where it has one move only. With more than
//! one player a step without any choice then has two turns as well, both of chance, the first with one outcome.

mod judge;
mod lanes;
mod load;

pub use self::load::{Engine, LoadError, Options};

use std::sync::{Arc, OnceLock};

use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, Features as Encoded};
use ludex_core::playout::{self, Outcomes};
use ludex_core::random::mix;
use ludex_core::scene::{self, MoveSites, Scene};
use ludex_core::trial::{self, Trial};
use ludex_core::{
    ActionSpace, Encoding, Error, Features, Game, Info, Move, Player, Players, Rng, Seed, Turn,
    View,
};

use crate::encode::Coder;
use crate::engines::lanes::Lanes;
use crate::engines::lanes::histories::Histories;
use crate::engines::lanes::probe::{Fleet, Probe};
use crate::engines::lanes::steps::Steps;
use crate::engines::reasoner::{self, Choices, Playout, Reasoner};
use crate::kif;
use crate::scene::Layout;
use crate::terms::{self, Board};

/// A game given by a rule sheet. Cheap to clone: the rules are shared.
#[derive(Clone)]
pub struct GdlGame {
    info: Info,
    shared: Arc<Shared>,
}

struct Shared {
    engine: Arc<dyn Reasoner>,
    batch: Option<Arc<Fleet>>,
    steps: OnceLock<Steps>,
    /// By seat: its role.
    role_of: Vec<usize>,
    random: Option<usize>,
    /// The roles of the seats, then chance.
    all_roles: Vec<usize>,
    /// By move, where they are known beforehand: does it say something? A plain word (`noop`) does not.
    says: Vec<bool>,
    /// Has every step a turn of the players and one of chance, whatever anybody's choices?
    halves: bool,
    /// The static features of the rule sheet.
    features: Vec<(&'static str, f64)>,
    /// Made when it is first asked for.
    coder: OnceLock<Coder>,
    /// The boards that the facts describe, found when they are first drawn.
    layout: OnceLock<Option<Layout>>,
    /// The board as heuristics see it, made when it is first asked for.
    board: OnceLock<Option<Board>>,
}

/// A state: the facts, and the players' moves of a step in which chance has still to move.
#[derive(Debug, PartialEq, Eq)]
pub struct GdlState {
    facts: reasoner::State,
    pending: Vec<u32>,
}

impl Clone for GdlState {
    fn clone(&self) -> GdlState {
        GdlState { facts: self.facts.clone(), pending: self.pending.clone() }
    }

    fn clone_from(&mut self, other: &GdlState) {
        self.facts.clone_from(&other.facts);
        self.pending.clone_from(&other.pending);
    }
}

/// Fewer steps than this are never made in lanes.
const LEAST: usize = 16;

/// How many random steps show where boards are, with an engine that knows all facts and with one that does not.
const MANY_STEPS: usize = 120;
const FEW_STEPS: usize = 40;

/// Is a move more than a plain word?
fn says(engine: &dyn Reasoner, mv: u32) -> bool {
    engine.move_text(mv).starts_with('(')
}

/// The legal moves of some roles, unless the game is over.
#[derive(Default)]
struct Legal {
    over: bool,
    choices: Choices,
}

impl Legal {
    fn of(engine: &dyn Reasoner, facts: &reasoner::State, roles: &[usize]) -> Legal {
        let mut legal = Legal::default();
        legal.over = engine.view(facts, roles, &mut legal.choices);
        legal
    }

    /// Role by role, in the order in which they were asked for.
    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let Choices { moves, ends } = &self.choices;
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(from, &to)| &moves[from..to])
    }
}

fn is_random(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

impl GdlGame {
    fn coder(&self) -> &Coder {
        let shared = &*self.shared;
        shared.coder.get_or_init(|| Coder::new(&*shared.engine, &shared.role_of))
    }

    /// The boards that the facts describe. Positions of a few random games show which arguments are coordinates.
    fn layout(&self) -> Option<&Layout> {
        let find = || {
            let engine = &self.shared.engine;
            let known = engine.possible_facts();
            let steps = if known.is_empty() { FEW_STEPS } else { MANY_STEPS };
            let mut rng = Seed(0x5ce7e).rng();
            let mut positions = Vec::new();
            let mut state = self.start();
            for _ in 0..steps {
                positions.push(engine.facts(&state.facts));
                if self.is_over(&state) {
                    state = self.start();
                }
                let mut pad = Vec::new();
                let turn = self.turn(&state);
                let joint: Vec<Move> = match turn {
                    Turn::Over => break,
                    Turn::Chance => vec![self.sample_chance(&state, &mut rng)],
                    _ => {
                        let movers = turn.movers();
                        movers.iter().map(|p| self.sample(&state, p, &mut rng, &mut pad)).collect()
                    }
                };
                self.apply(&mut state, &joint);
            }
            Layout::find(&known, &positions, &self.info.players)
        };
        self.shared.layout.get_or_init(find).as_ref()
    }

    /// The rule engine that steps single states.
    pub fn reasoner(&self) -> &dyn Reasoner {
        &*self.shared.engine
    }

    /// The batch engine, if there is one.
    pub fn lanes(&self) -> Option<&Lanes> {
        self.shared.batch.as_ref().map(|b| &b.phased)
    }

    /// The batch engine, asked about single states.
    pub fn probe(&self) -> Option<Probe> {
        self.shared.batch.as_ref().map(|fleet| Probe::new(Arc::clone(fleet)))
    }

    /// Random histories of `seat` in lanes, where there is a batch engine.
    pub fn histories(&self, seat: Player) -> Option<Histories> {
        let fleet = self.shared.batch.as_ref()?;
        let role = *self.shared.role_of.get(seat.index())?;
        Some(Histories::new(&fleet.propnet, role, self.shared.engine.start()))
    }

    /// Have the players moved in this step, and chance has not?
    pub fn is_within_step(&self, state: &GdlState) -> bool {
        !state.pending.is_empty()
    }

    fn legal(&self, state: &GdlState, role: usize) -> Vec<u32> {
        let mut moves = Vec::new();
        self.shared.engine.legal(&state.facts, role, &mut moves);
        moves
    }

    /// All roles' moves of a step from the movers' moves; the rest have one legal move each.
    /// `Err` while chance has still to move.
    fn complete(&self, state: &GdlState, joint: &[Move]) -> Result<Vec<u32>, Vec<u32>> {
        let shared = &*self.shared;
        let mut given = joint.iter().map(|mv| mv.0 as u32);
        if !state.pending.is_empty() {
            let mut all = state.pending.clone();
            if let Some(random) = shared.random {
                all[random] = given.next().unwrap_or(0);
            }
            return Ok(all);
        }
        let mut all: Vec<u32> = vec![0; shared.engine.roles().len()];
        let mut chosen = false;
        let legal = Legal::of(&*shared.engine, &state.facts, &shared.all_roles);
        let mut legal = legal.iter();
        for (&role, legal) in shared.role_of.iter().zip(&mut legal) {
            let choice = legal.len() > 1;
            chosen |= choice;
            all[role] = match choice {
                true => given.next().unwrap_or(0),
                false => legal.first().copied().unwrap_or(0),
            };
        }
        if let Some(random) = shared.random {
            let legal = legal.next().unwrap_or(&[]);
            all[random] = legal.first().copied().unwrap_or(0);
            let first = shared.halves && (chosen || shared.role_of.len() > 1);
            if first || chosen && legal.len() > 1 {
                return Err(all);
            }
            // Nobody else has a choice: the move is chance's, or the only one of a player.
            if !chosen && (legal.len() > 1 || self.info.hidden && !legal.is_empty()) {
                all[random] = given.next().unwrap_or(all[random]);
            }
        }
        Ok(all)
    }
}

impl Game for GdlGame {
    type State = GdlState;

    fn info(&self) -> &Info {
        &self.info
    }

    fn features(&self) -> Features {
        let mut features = Features::of_info(&self.info);
        let own = self.shared.features.iter();
        features.extend(own.map(|(name, value)| ((*name).to_owned(), *value)));
        features
    }

    fn start(&self) -> GdlState {
        GdlState { facts: self.shared.engine.start(), pending: Vec::new() }
    }

    fn turn(&self, state: &GdlState) -> Turn {
        let shared = &*self.shared;
        if !state.pending.is_empty() {
            return Turn::Chance;
        }
        let legal = Legal::of(&*shared.engine, &state.facts, &shared.role_of);
        if legal.over {
            return Turn::Over;
        }
        let mut choosing = Players(0);
        // The player who moves where no player has a choice: one whose move says something.
        let mut forced: Option<(bool, Player)> = None;
        for (seat, legal) in legal.iter().enumerate() {
            let player = Player(seat as u8);
            match legal {
                [] => return Turn::Over,
                [only] if choosing.is_empty() => {
                    let known = shared.says.get(*only as usize).copied();
                    let says = known.unwrap_or_else(|| says(&*shared.engine, *only));
                    if forced.is_none_or(|(said, _)| says && !said) {
                        forced = Some((says, player));
                    }
                }
                [_] => {}
                _ => choosing = choosing.with(player),
            }
        }
        let mut movers = choosing.iter();
        match (movers.next(), movers.next()) {
            (Some(one), None) => Turn::One(one),
            (Some(_), Some(_)) => Turn::Joint(choosing),
            (None, _) => {
                if let Some(random) = shared.random {
                    let pad = self.legal(state, random);
                    if pad.len() > 1 || self.info.hidden && !pad.is_empty() {
                        return Turn::Chance;
                    }
                }
                Turn::One(forced.map_or(Player(0), |(_, player)| player))
            }
        }
    }

    fn moves(&self, state: &GdlState, player: Player, out: &mut Vec<Move>) {
        if let Some(&role) = self.shared.role_of.get(player.index()) {
            out.extend(self.legal(state, role).into_iter().map(|mv| Move(mv.into())));
        }
    }

    fn chances(&self, state: &GdlState, out: &mut Vec<(Move, f64)>) {
        if let Some(random) = self.shared.random {
            let mut moves = self.legal(state, random);
            if state.pending.is_empty() && self.shared.halves && self.shared.role_of.len() > 1 {
                // The players' half of a step in which none of them has a choice.
                moves.truncate(1);
            }
            let probability = 1.0 / moves.len().max(1) as f64;
            out.extend(moves.into_iter().map(|mv| (Move(mv.into()), probability)));
        }
    }

    fn apply(&self, state: &mut GdlState, joint: &[Move]) {
        match self.complete(state, joint) {
            Ok(all) => {
                self.shared.engine.advance(&mut state.facts, &all);
                state.pending.clear();
            }
            Err(players) => state.pending = players,
        }
    }

    fn payoffs(&self, state: &GdlState, out: &mut [f32]) {
        for (payoff, &role) in out.iter_mut().zip(&self.shared.role_of) {
            let goal = self.shared.engine.goal(&state.facts, role);
            *payoff = f32::from(goal.unwrap_or(0)) / 100.0;
        }
    }

    fn hash(&self, state: &GdlState) -> u64 {
        let words = state.facts.iter().copied();
        let pending = state.pending.iter().map(|&mv| u64::from(mv) + 1);
        words.chain(pending).fold(0x6a09_e667_f3bc_c908, |hash, word| {
            mix(hash.rotate_left(5) ^ word).wrapping_add(hash)
        })
    }

    fn move_text(&self, mv: Move) -> String {
        u32::try_from(mv.0).map_or("?".into(), |mv| self.shared.engine.move_text(mv))
    }

    fn position(&self, state: &GdlState) -> String {
        let engine = &self.shared.engine;
        let mut parts = engine.facts(&state.facts);
        if !state.pending.is_empty() {
            for &role in &self.shared.role_of {
                let mv = engine.move_text(state.pending[role]);
                parts.push(format!("(does {} {mv})", engine.roles()[role]));
            }
        }
        parts.join(" ")
    }

    fn scene(&self) -> Scene {
        let empty = || Scene { players: self.info.players.clone(), ..Scene::default() };
        self.layout().map_or_else(empty, Layout::scene)
    }

    fn view(&self, state: &GdlState, viewer: Option<Player>) -> scene::View {
        let turn = self.turn(state);
        let movers = scene::movers(&self.info, turn, viewer);
        let over = turn == Turn::Over;
        let seen = match (self.layout(), viewer) {
            // A seat knows its percepts; no fact is open by itself.
            (_, Some(_)) if self.info.hidden => {
                scene::View { facts: self.draw(state, viewer), ..scene::View::default() }
            }
            (Some(layout), _) => {
                let mut view = layout.view(&self.shared.engine.facts(&state.facts));
                // A fact such as `(control white)` repeats who moves.
                let mover = movers.first().filter(|_| movers.len() == 1);
                let mover = mover.map(|&seat| self.info.player(Player(seat)).to_lowercase());
                view.counters.retain(|(_, value)| mover.as_ref() != Some(value));
                view
            }
            (None, _) => {
                let facts = self.shared.engine.facts(&state.facts).join("\n");
                scene::View { facts, ..scene::View::default() }
            }
        };
        scene::View { movers, over, ..seen }
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        self.layout()
            .map_or_else(MoveSites::default, |layout| layout.move_sites(&self.move_text(mv)))
    }

    fn parse_position(&self, text: &str) -> ludex_core::Result<GdlState> {
        let bad = |reason: String| Error::BadPosition { text: text.to_owned(), reason };
        let engine = &self.shared.engine;
        let (tree, found) = kif::read(text);
        if let Some(error) = found.first() {
            return Err(bad(error.message.clone()));
        }
        let (mut facts, mut moves) = (Vec::new(), Vec::new());
        for sexp in tree {
            match &sexp {
                kif::Sexp::List(items, _)
                    if items.len() == 3 && items[0].word() == Some("does") =>
                {
                    moves.push((items[1].to_string(), items[2].to_string()));
                }
                _ => facts.push(sexp.to_string()),
            }
        }
        let facts = engine
            .state_of(&facts)
            .map_err(|fact| bad(format!("`{fact}` cannot hold in this game")))?;
        let mut state = GdlState { facts, pending: Vec::new() };
        if moves.is_empty() {
            return Ok(state);
        }
        let mut pending = vec![0; engine.roles().len()];
        for &role in &self.shared.role_of {
            let name = &engine.roles()[role];
            let mv = moves.iter().find(|(who, _)| who.eq_ignore_ascii_case(name));
            let mv = mv.and_then(|(_, mv)| engine.find_move(&state.facts, role, mv));
            pending[role] = mv.ok_or_else(|| bad(format!("no legal move of {name} is given")))?;
        }
        match self.shared.random {
            Some(random) => {
                pending[random] = self.legal(&state, random).first().copied().unwrap_or(0);
            }
            None => return Err(bad("moves are given, but chance has none to make".into())),
        }
        state.pending = pending;
        Ok(state)
    }

    fn parse_move(&self, state: &GdlState, player: Player, text: &str) -> ludex_core::Result<Move> {
        let role = self.shared.role_of.get(player.index()).copied();
        let due = role.filter(|_| self.turn(state).includes(player));
        let found = due.and_then(|r| self.shared.engine.find_move(&state.facts, r, text));
        found.map(|mv| Move(mv.into())).ok_or_else(|| {
            let mut legal = due.map(|r| self.legal(state, r)).unwrap_or_default();
            legal.truncate(8);
            let names: Vec<String> =
                legal.iter().map(|&m| self.move_text(Move(m.into()))).collect();
            let hint = if names.is_empty() {
                "no move is due from this player here".into()
            } else {
                format!("legal here: {}", names.join(", "))
            };
            let player = self.info.player(player).to_owned();
            Error::IllegalMove { text: text.trim().to_owned(), player, hint }
        })
    }

    fn percept(
        &self,
        before: &GdlState,
        joint: &[Move],
        _: &GdlState,
        player: Player,
        out: &mut Vec<u64>,
    ) {
        if !self.info.hidden {
            out.extend(joint.iter().map(|mv| mv.0));
            return;
        }
        let Some(&role) = self.shared.role_of.get(player.index()) else { return };
        // Nothing is seen until the whole step is made.
        if let Ok(all) = self.complete(before, joint) {
            let mut seen = Vec::new();
            self.shared.engine.sees(&before.facts, &all, role, &mut seen);
            out.extend(seen.into_iter().map(u64::from));
        }
    }

    /// In GDL-II a step is a tick of a clock that all players see. A turn is one where it completes the step.
    fn noticed(&self, before: &GdlState, joint: &[Move], _: &GdlState) -> bool {
        self.complete(before, joint).is_ok()
    }

    fn explain(
        &self,
        trials: &[Trial<'_, GdlState>],
        player: Player,
        out: &mut Vec<Option<(usize, GdlState)>>,
    ) {
        let count: usize = trials.iter().map(|trial| trial.joints.len()).sum();
        let steps = if self.info.hidden && count >= LEAST { self.steps() } else { None };
        match (steps, self.shared.role_of.get(player.index())) {
            (Some(steps), Some(&role)) if count > steps.few() => {
                self.explain_in_lanes(steps, role, trials, player, out);
            }
            _ => trial::one_by_one(self, trials, player, out),
        }
    }

    fn percept_text(&self, words: &[u64]) -> String {
        let text = |&word: &u64| match (self.info.hidden, u32::try_from(word)) {
            (_, Err(_)) => "?".into(),
            (true, Ok(word)) => self.shared.engine.percept_text(word),
            (false, Ok(word)) => self.shared.engine.move_text(word),
        };
        words.iter().map(text).collect::<Vec<String>>().join(" ")
    }

    fn terms(&self) -> &[&'static str] {
        self.term_names()
    }

    fn fits_terms(&self) -> bool {
        true
    }

    fn evaluate(&self, state: &GdlState, player: Player, out: &mut [f32]) {
        self.judge(state, player, &[true; terms::NAMES.len()], out);
    }

    fn evaluate_some(&self, state: &GdlState, player: Player, wanted: &[bool], out: &mut [f32]) {
        self.judge(state, player, wanted, out);
    }

    fn action_space(&self) -> ActionSpace {
        self.coder().space().unwrap_or_else(|| {
            ActionSpace::slots(encode::widest(self, 5, 200, Seed(0xac7)).saturating_mul(2))
        })
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        self.coder().actions(legal, out);
    }

    fn encoding(&self) -> Encoding {
        self.coder().encoding(self.info.hidden)
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut Encoded) {
        match view.state() {
            Some(state) => self.coder().encode(&state.facts, view.seat(), out),
            None => self.coder().encode_hidden(view.records(), view.seat(), out),
        }
    }

    fn action_key(&self, _: &GdlState, _: Player, mv: Move) -> u64 {
        mv.0
    }

    fn playout_on<C: Cpu>(
        &self,
        cpu: C,
        state: &mut GdlState,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32> {
        // With chance the steps are counted differently; without, the engine plays on its own.
        if self.shared.random.is_none() {
            match self.shared.engine.playout(&mut state.facts, rng, longest) {
                Playout::Over(steps) => return Some(steps),
                Playout::Cut => return None,
                Playout::Unsupported => {}
            }
        }
        playout::playout_on(cpu, self, state, rng, pad, longest)
    }

    fn playouts(&self, starts: &[GdlState], n: usize, seed: Seed, out: &mut Outcomes) {
        let few = self.lanes().map_or(0, Lanes::few);
        if starts.len().saturating_mul(n) <= few {
            playout::one_by_one(self, starts, n, seed, out);
        } else {
            self.playouts_in_lanes(starts, n, seed, out);
        }
    }
}
