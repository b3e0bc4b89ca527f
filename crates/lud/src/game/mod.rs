//! A description as a [`Game`] like any other.

mod chance;
mod desk;
mod sight;

use std::sync::{Arc, OnceLock};

use ludex_core::cpu::Cpu;
use ludex_core::deadline;
use ludex_core::diagnostic::Diagnostic;
use ludex_core::encode::Features as Encoded;
use ludex_core::random::mix;
use ludex_core::scene::{MoveSites, Scene};
use ludex_core::{
    ActionSpace, Encoding, Error, Features, Game, Info, Language, Move, Player, Players, Playouts,
    Result, Rng, Source, Turn, View,
};

use crate::code::{self, Labels};
use crate::concepts::Facts;
use crate::encode::Coder;
use crate::engine::state::Cell;
use crate::engine::{Lud, State};
use crate::forsyth;
use crate::graphics::Graphics;
use crate::notation;
use crate::scene::{self, Seen};
use crate::terms::{self, Terms};

pub use self::desk::Position;
use self::desk::{DESK, Desk, LISTS};
pub(crate) use self::sight::{hash_of, hides};

/// A game described by ludemes.
///
/// ```
/// use ludex_core::Game;
/// use ludex_lud::{game::LudGame, source::Text, tree};
/// let text = Text::of_file(0, "(game \"Tiny\" (players 2)
///     (equipment {(board (square 3)) (piece \"Disc\" P1) (piece \"Cross\" P2)})
///     (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))");
/// let game = LudGame::new("lud:tiny", &tree::game(&text).0.unwrap()).unwrap();
/// let mut moves = Vec::new();
/// game.moves(&game.start(), ludex_core::Player(0), &mut moves);
/// assert_eq!(game.move_text(moves[4]), "Disc1@B2");
/// ```
#[derive(Clone, Debug)]
pub struct LudGame {
    lud: Arc<Lud>,
    info: Arc<Info>,
    labels: Arc<Labels>,
    terms: Arc<Terms>,
    graphics: Arc<Graphics>,
    /// Made when it is first asked for: it plays a few games.
    coder: Arc<OnceLock<Coder>>,
    /// Are the dice thrown one by one, since together they have too many outcomes to be listed?
    singly: bool,
    /// Does every move have one turn of chance, which draws all numbers that the move asks for, perhaps none? So
    /// it is in games with hidden information: how many numbers a move asks for can follow from something hidden.
    veiled: bool,
}

/// Dice with more outcomes are thrown one by one.
const MOST_OUTCOMES: u64 = 1 << 10;

impl LudGame {
    /// A game by its tree; `name` opens it again.
    ///
    /// # Errors
    /// What is wrong with the description, or not supported, and where.
    pub fn new(
        name: &str,
        tree: &crate::tree::Node,
    ) -> std::result::Result<LudGame, Vec<Diagnostic>> {
        LudGame::described(name, tree, Facts::default())
    }

    /// A game from its tree and the facts beside its rules.
    pub(crate) fn described(
        name: &str,
        tree: &crate::tree::Node,
        facts: Facts,
    ) -> std::result::Result<LudGame, Vec<Diagnostic>> {
        let mut game = LudGame::of(name, Lud::described(tree, facts)?);
        let mut words = Vec::new();
        tree.words(&mut words);
        Arc::make_mut(&mut game.info).source = Source::of_text(Language::Ludemes, words);
        Ok(game)
    }

    /// A match of several games, with all their words.
    pub(crate) fn of_match(
        name: &str,
        lud: Lud,
        words: Vec<String>,
    ) -> std::result::Result<LudGame, Vec<Diagnostic>> {
        let mut game = LudGame::of(name, lud);
        Arc::make_mut(&mut game.info).source = Source::of_text(Language::Ludemes, words);
        Ok(game)
    }

    /// A game over an engine.
    pub fn of(name: &str, lud: Lud) -> LudGame {
        let players: Vec<String> = (1..=lud.equipment.players).map(|p| format!("P{p}")).collect();
        let seats: Vec<&str> = players.iter().map(String::as_str).collect();
        let mut info = Info::new(name, lud.name.clone(), &seats);
        let any = |is: &dyn Fn(&Lud) -> bool| lud.all().into_iter().any(is);
        info.chance =
            any(&|lud| !lud.equipment.dice.is_empty() || lud.scatters() || lud.rules.random);
        info.hidden = any(&|lud| lud.rules.hidden);
        info.simultaneous = lud.is_simultaneous();
        info.constant_sum = lud.equipment.players > 1;
        info.playouts = Playouts::Interpreted;
        info.engine = "ludemes";
        let labels = Labels::new(&lud.equipment);
        let regions: Vec<Vec<usize>> = (1..=lud.equipment.players)
            .map(|p| scene::sites_of_player(&lud.equipment, p))
            .collect();
        let terms = Terms::new(&lud, &regions);
        let faces = |lud: &Lud| {
            let faces = lud.equipment.dice.iter().map(|die| die.faces.len().max(1) as u64);
            faces.fold(1, u64::saturating_mul)
        };
        let singly = lud.all().into_iter().any(|lud| faces(lud) > MOST_OUTCOMES);
        LudGame {
            singly,
            veiled: lud.rules.hidden && lud.rules.random,
            lud: Arc::new(lud),
            info: Arc::new(info),
            labels: Arc::new(labels),
            terms: Arc::new(terms),
            graphics: Arc::default(),
            coder: Arc::default(),
        }
    }

    fn coder(&self) -> &Coder {
        self.coder.get_or_init(|| Coder::new(self))
    }

    /// The game with the drawing that its description asks for.
    pub(crate) fn with_graphics(self, graphics: Graphics) -> LudGame {
        LudGame { graphics: Arc::new(graphics), ..self }
    }

    /// The engine.
    pub fn lud(&self) -> &Lud {
        &self.lud
    }

    /// A position over a state of the engine.
    fn position_of(&self, state: State) -> Position {
        let mut position = Position { state, roll: false, draw: None, stamp: 0 };
        DESK.with_borrow_mut(|desk| {
            self.settle(desk, &mut position);
            match position.state.waits {
                0 => {}
                _ if self.veiled => position.draw = Some((0, 0)),
                _ => self.go(desk, &mut position),
            }
        });
        position
    }

    /// After a step: a stamp of its own, and whether dice are to be thrown.
    fn settle(&self, desk: &mut Desk, position: &mut Position) {
        position.stamp = desk.stamp();
        position.roll = false;
        // One that was read may be anywhere in the start.
        if position.state.s.opening > 0 {
            self.lud.open(&mut position.state, &mut desk.pad);
        }
        if self.info.chance && !position.state.s.over {
            position.roll = !desk.list(&self.lud, position);
        }
    }

    /// Makes the moves of all players, in the order of the seats.
    fn apply_joint(&self, desk: &mut Desk, position: &mut Position, joint: &[Move]) {
        if !desk.list(&self.lud, position) {
            return;
        }
        let Desk { pad, lists, joint: heads, .. } = desk;
        let list = &lists[(position.stamp as usize) % LISTS];
        let chosen = joint.iter().enumerate().filter_map(|(seat, mv)| {
            let head = list.codes_of(seat + 1).find(|(code, _)| *code == mv.0);
            head.map(|(_, head)| head)
        });
        heads.clear();
        heads.extend(chosen);
        self.lud.apply_joint(&mut position.state, pad, &list.moves, heads);
        self.settle(desk, position);
    }

    /// The seat of a player of the rules, and the player of a seat: players may have changed sides.
    fn seat(&self, state: &State, player: usize) -> usize {
        let players = self.lud.equipment.players;
        match player {
            // The last two of the first round change sides, see `(meta (swap))`.
            last if state.s.swapped && last == players => players.saturating_sub(2),
            before if state.s.swapped && before + 1 == players => players.saturating_sub(1),
            player => player.saturating_sub(1),
        }
    }
}

impl Game for LudGame {
    type State = Position;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> Position {
        self.position_of(self.lud.start())
    }

    fn turn(&self, position: &Position) -> Turn {
        let state = &position.state;
        if state.s.over {
            Turn::Over
        } else if position.roll || position.draw.is_some() {
            Turn::Chance
        } else if self.lud.is_simultaneous() {
            Turn::Joint(Players::all(self.lud.equipment.players))
        } else {
            Turn::One(Player(self.seat(state, state.s.mover) as u8))
        }
    }

    fn moves(&self, position: &Position, player: Player, out: &mut Vec<Move>) {
        DESK.with_borrow_mut(|desk| {
            if desk.list(&self.lud, position) {
                let list = &desk.lists[(position.stamp as usize) % LISTS];
                if self.lud.is_simultaneous() {
                    let own = list.codes_of(player.index() + 1);
                    return out.extend(own.map(|(code, _)| Move(code)));
                }
                out.extend(list.codes.iter().map(|&code| Move(code)));
            }
        });
    }

    fn apply(&self, position: &mut Position, joint: &[Move]) {
        let Some(&mv) = joint.first() else { return };
        DESK.with_borrow_mut(|desk| {
            if self.lud.is_simultaneous() {
                return self.apply_joint(desk, position, joint);
            }
            if position.roll && position.state.s.opening > 0 {
                if let Some(site) = code::placed(mv) {
                    self.lud.scatter(&mut position.state, &mut desk.pad, site);
                }
                self.settle(desk, position);
                return;
            }
            if position.roll && self.singly {
                if let Some((_, face)) = code::singled(mv) {
                    self.lud.throw(&mut position.state, face);
                }
                position.stamp = desk.stamp();
                position.roll = !position.state.s.rolled;
                return;
            }
            if position.roll {
                if let Some(faces) =
                    code::faces(&self.lud.of(&position.state).equipment, code::outcome(mv))
                {
                    self.lud.roll(&mut position.state, &faces);
                }
                position.stamp = desk.stamp();
                position.roll = false;
                return;
            }
            match position.draw {
                None if self.veiled => {
                    (position.state.waits, position.draw) = (mv.0, Some((0, 0)));
                    return;
                }
                None => position.state.waits = mv.0,
                Some(_) if self.veiled => {
                    let mut outcome = code::drawn(mv).unwrap_or(0);
                    self.complete(desk, position, |least, most| {
                        let size = most - least + 1;
                        let number = least + outcome % size;
                        outcome /= size;
                        number
                    });
                    return;
                }
                Some(_) => position.state.tape.extend(code::drawn(mv)),
            }
            self.go(desk, position);
        });
    }

    fn chances(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        self.outcomes(position, out);
    }

    fn sample_chance(&self, position: &Position, rng: &mut Rng) -> Move {
        self.random_outcome(position, rng)
    }

    fn payoffs(&self, position: &Position, out: &mut [f32]) {
        let players = self.lud.equipment.players;
        for player in 1..=players {
            let rank = position.state.rank.get(player).copied().unwrap_or(0.0);
            let payoff = match (players, rank > 0.0) {
                // Alone, a rank is a success.
                (1, success) => f32::from(u8::from(success)),
                (_, false) => 0.5,
                (n, true) => 1.0 - (rank - 1.0) / (n as f32 - 1.0),
            };
            if let Some(slot) = out.get_mut(self.seat(&position.state, player)) {
                *slot = payoff.clamp(0.0, 1.0);
            }
        }
    }

    fn hash(&self, position: &Position) -> u64 {
        let roll = u64::from(position.roll);
        mix(position.state.fingerprint(&self.lud.of(&position.state).rules) ^ roll)
    }

    fn move_text(&self, mv: Move) -> String {
        self.labels.text(&self.lud.equipment, mv)
    }

    fn position(&self, position: &Position) -> String {
        notation::write(&position.state)
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        let bad = |reason: String| Error::BadPosition { text: text.to_owned(), reason };
        let exact = match forsyth::is_forsyth(text) {
            true => {
                let (scene, start) = (self.scene(), self.start());
                let board = forsyth::Board::new(&self.lud, &scene, &start.state);
                board.exact(text).map_err(bad)?
            }
            false => text.to_owned(),
        };
        let state = notation::read(&self.lud, &exact).map_err(bad)?;
        Ok(self.position_of(state))
    }

    fn forsyth(&self, position: &Position) -> Option<String> {
        let (scene, start) = (self.scene(), self.start());
        forsyth::Board::new(&self.lud, &scene, &start.state).write(&position.state)
    }

    fn percept(
        &self,
        before: &Position,
        joint: &[Move],
        after: &Position,
        player: Player,
        out: &mut Vec<u64>,
    ) {
        match self.info.hidden {
            true => self.noticed_by(before, after, player, out),
            false => out.extend(joint.iter().map(|mv| mv.0)),
        }
    }

    /// Everybody sees that a player makes a move and that dice are thrown. What chance draws in the course of a move
    /// is a part of that move.
    fn noticed(&self, before: &Position, _: &[Move], _: &Position) -> bool {
        before.draw.is_none() && before.state.s.opening == 0
    }

    fn percept_text(&self, words: &[u64]) -> String {
        let text = |&word: &u64| match (self.info.hidden, word >> 63) {
            (false, _) => self.move_text(Move(word)),
            (true, 1) => format!("mover:{}", word >> 8 & 0xFF),
            (true, _) if word >> 62 == 1 => format!("moves:{:x}", word & 0xFF_FFFF),
            (true, _) => format!("changed:{}", self.labels.site((word >> 48) as i32)),
        };
        words.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    fn playout_on<C: Cpu>(
        &self,
        cpu: C,
        position: &mut Position,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32> {
        if self.lud.is_simultaneous() || self.lud.is_match() {
            return ludex_core::playout::playout_on(cpu, self, position, rng, pad, longest);
        }
        let mut plies = 0;
        while position.draw.is_some() && plies < longest {
            let drawn = self.sample_chance(position, rng);
            self.apply(position, &[drawn]);
            plies += 1;
        }
        DESK.with_borrow_mut(|desk| {
            let Desk { pad, moves, .. } = desk;
            let mut sites = Vec::new();
            let state = &mut position.state;
            let mut stride = deadline::stride();
            loop {
                let most = longest.saturating_sub(plies).min(stride);
                let made = self.lud.run(state, pad, moves, most, |n| rng.index(n));
                plies += made;
                if state.s.over || plies >= longest {
                    break;
                }
                if made >= most {
                    match deadline::pace() {
                        Some(next) => stride = next,
                        // Nobody may use the position now.
                        None => {
                            position.stamp = desk.stamp();
                            return None;
                        }
                    }
                    continue;
                }
                // Chance is asked.
                if state.s.opening > 0 {
                    self.lud.scatter_sites(state, pad, &mut sites);
                    let at = rng.index(sites.len().max(1));
                    let Some(&site) = sites.get(at) else { break };
                    self.lud.scatter(state, pad, site);
                } else {
                    let dice = self.lud.equipment.dice.len();
                    let first = usize::from(state.s.thrown);
                    for die in first..dice {
                        self.lud.throw(state, LudGame::random_face(&self.lud, die, rng));
                    }
                    plies += if self.singly { dice.saturating_sub(first) as u32 } else { 1 };
                    continue;
                }
                plies += 1;
            }
            let over = state.s.over;
            self.settle(desk, position);
            over.then_some(plies)
        })
    }

    fn draw(&self, position: &Position, viewer: Option<Player>) -> String {
        let me = viewer.map(|p| self.seat(&position.state, p.index() + 1) + 1);
        let words = self.lud.of(&position.state).rules.layout.words;
        let mut seen = position.state.clone();
        for site in 0..seen.cells.len() {
            if me.is_some_and(|me| hides(&seen, words, me, site, true)) {
                seen.cells[site] = Cell::default();
                seen.under.get_mut(site).into_iter().for_each(Vec::clear);
            }
        }
        notation::draw(self.lud.of(&seen), &seen, &|site| {
            me.is_none_or(|me| !hides(&seen, words, me, site, false))
        })
    }

    fn scene(&self) -> Scene {
        scene::scene(&self.lud, &self.labels, &self.graphics, &self.info.players)
    }

    fn view(&self, position: &Position, viewer: Option<Player>) -> ludex_core::scene::View {
        let state = &position.state;
        let me = viewer.map(|p| self.seat(state, p.index() + 1) + 1);
        let words = self.lud.of(&position.state).rules.layout.words;
        let hidden = |site, whole| me.is_some_and(|me| hides(state, words, me, site, whole));
        // A seat knows what its percepts tell: nothing while the table is laid, and then the sites that it may see.
        let partial = self.info.hidden && me.is_some();
        let laying = partial && state.s.opening > 0;
        let seen = |site| match (laying || hidden(site, true), hidden(site, false)) {
            (true, _) => Seen::Nothing,
            (false, true) => Seen::Something,
            (false, false) => Seen::All,
        };
        let turn = self.turn(position);
        let mut view =
            scene::view(self.lud.of(state), state, seen, |player| self.seat(state, player));
        if partial {
            // No percept tells dice and scores: they may follow from hidden pieces.
            view.dice.clear();
            view.counters.clear();
        }
        view.movers = ludex_core::scene::movers(&self.info, turn, viewer);
        view.over = turn == Turn::Over;
        view
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        scene::move_sites(mv)
    }

    fn terms(&self) -> &[&'static str] {
        &terms::NAMES
    }

    fn fits_terms(&self) -> bool {
        true
    }

    fn evaluate(&self, position: &Position, player: Player, out: &mut [f32]) {
        self.evaluate_some(position, player, &[true; terms::NAMES.len()], out);
    }

    fn evaluate_some(&self, position: &Position, player: Player, wanted: &[bool], out: &mut [f32]) {
        // The terms are those of the table of a match, which is that of its first game.
        if position.state.s.game > 0 {
            return out.fill(0.0);
        }
        let me = self.seat(&position.state, player.index() + 1) + 1;
        self.terms.evaluate(&self.lud, &position.state, me, wanted, out);
    }

    fn action_space(&self) -> ActionSpace {
        self.coder().space()
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        self.coder().actions(legal, out);
    }

    fn encoding(&self) -> Encoding {
        self.coder().encoding().clone()
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut Encoded) {
        let seat = view.seat().index() + 1;
        match view.state() {
            Some(position) => {
                let me = self.seat(&position.state, seat) + 1;
                self.coder().encode(&self.lud, &position.state, me, out);
            }
            None => {
                let origin = &view.origin().state;
                let me = self.seat(origin, seat) + 1;
                self.coder().encode_hidden(&self.lud, origin, me, view.records(), out);
            }
        }
    }

    fn features(&self) -> Features {
        crate::features::of(&self.lud, &self.info)
    }
}
