//! RoPaSci 360 (Farrugia-Roberts 2021): `ropasci360`. Rocks, papers and scissors hunt each other
//! on a hexagon of 61 hexes; both players move at once.
//!
//! In a turn each player throws a new token (nine a game, of any symbol, at first on its own edge,
//! one row further with each throw), slides a token to a neighbouring hex, or swings it round a
//! neighbouring token of its own to the far side of that. Where tokens then stand on one hex, the
//! beaten symbol dies, of both players; all die where all three symbols are there. Who has neither
//! tokens nor throws loses. Games are drawn where both have a token that nothing left can beat,
//! where the same configuration comes up for the third time, and after 360 turns; with such a
//! token against the last one of a player without throws, one wins.
//!
//! Moves are `T s 4 -2` (throw scissors to row 4, column -2), `L 4 -2 3 -2` (slide), `W 2 -3 1 -1`
//! (swing). A position is the tokens by hex (`-` for none; upper-case letters for upper), the throws
//! used by both, the turns played, and, where configurations have come up that may come up again,
//! their keys: `-4,3=r 4,-2=S | 1,1 | 1`.
//!
//! One idea a file: `hexes` is the board, [`terms`] and [`features`] judge positions, `text` reads and writes
//! them, [`verify`] compares with recorded games.

pub mod features;
mod hexes;
mod scene;
pub mod terms;
mod text;
pub mod verify;

use crate::bits::{hash, indices};
use crate::catalog::Entry;
use hexes::{HEXES, NEAR, ZONE};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::random::mix;
use ludex_core::scene::{MoveSites, Scene, View, movers};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Players, Result, Rng, Spec, Turn};

/// Throws of a player in a game.
const THROWS: u8 = 9;
/// The game is drawn after so many turns.
const MOST_TURNS: u16 = 360;
/// Rock, paper, scissors: each is beaten by the next.
const SYMBOLS: [char; 3] = ['r', 'p', 's'];

/// The symbol that beats this one.
const fn beater(symbol: usize) -> usize {
    (symbol + 1) % 3
}

/// The rules. A [`Move`] is a kind, a symbol or the hex left, and the hex reached, a byte each.
#[derive(Debug, Clone)]
pub struct Ropasci360 {
    info: Info,
}

/// A move, unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Throw { symbol: u8, to: u8 },
    Slide { from: u8, to: u8 },
    Swing { from: u8, to: u8 },
}

impl Action {
    fn pack(self) -> Move {
        let (kind, what, to) = match self {
            Action::Throw { symbol, to } => (0, symbol, to),
            Action::Slide { from, to } => (1, from, to),
            Action::Swing { from, to } => (2, from, to),
        };
        Move(kind | u64::from(what) << 8 | u64::from(to) << 16)
    }

    /// Bits that mean no move are read as some move: an illegal move must not make the engine panic.
    fn unpack(mv: Move) -> Self {
        let what = (mv.0 >> 8) as u8;
        let from = what % HEXES as u8;
        let to = (mv.0 >> 16) as u8 % HEXES as u8;
        match mv.0 & 0xff {
            0 => Action::Throw { symbol: what % 3, to },
            1 => Action::Slide { from, to },
            _ => Action::Swing { from, to },
        }
    }
}

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The game goes on.
    Not,
    /// Upper has won.
    Upper,
    /// Lower has won.
    Lower,
    /// Neither player has tokens or throws left.
    Empty,
    /// Both have an invincible token.
    Invincible,
    /// The same configuration came up for the third time.
    Repetition,
    /// The turns are over.
    Turns,
}

/// A position. All tokens on one hex have the same symbol, because tokens of different symbols fight.
#[derive(Debug)]
pub struct State {
    /// The hexes of each symbol.
    symbols: [u64; 3],
    /// The hexes of each player.
    sides: [u64; 2],
    /// How many tokens each player has on each hex.
    counts: [[u8; HEXES]; 2],
    /// Throws used.
    used: [u8; 2],
    turn: u16,
    end: End,
    /// The configuration as a sum of keys.
    key: u64,
    /// The configurations since the last throw or death, this one included. Earlier configurations can't
    /// come up again.
    past: Vec<u64>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State { past: self.past.clone(), ..*self }
    }

    fn clone_from(&mut self, from: &Self) {
        let mut past = std::mem::take(&mut self.past);
        past.clone_from(&from.past);
        *self = State { past, ..*from };
    }
}

/// The part of a token in the key of a configuration.
#[inline]
fn token_key(player: usize, symbol: usize, hex: u8) -> u64 {
    mix(0x5bd1_e995 ^ (player as u64) << 16 ^ (symbol as u64) << 8 ^ u64::from(hex) << 24)
}

fn throw_key(player: usize) -> u64 {
    mix(0x1b87_3593 ^ player as u64)
}

impl State {
    fn new() -> Self {
        State {
            symbols: [0; 3],
            sides: [0; 2],
            counts: [[0; HEXES]; 2],
            used: [0; 2],
            turn: 0,
            end: End::Not,
            key: 0,
            past: vec![0],
        }
    }

    /// The symbol on a hex, where there are tokens.
    #[inline]
    fn symbol_at(&self, hex: u8) -> usize {
        (self.symbols[1] >> hex & 1 | (self.symbols[2] >> hex & 1) << 1) as usize
    }

    /// Tokens of a player on the board.
    #[inline]
    fn tokens(&self, player: usize) -> u32 {
        indices(self.sides[player]).map(|h| u32::from(self.counts[player][h as usize])).sum()
    }

    /// Takes one token of `player` from `hex`; nothing happens where there is none.
    #[inline]
    fn lift(&mut self, player: usize, hex: u8) {
        let count = &mut self.counts[player][hex as usize];
        if *count == 0 {
            return;
        }
        *count -= 1;
        let empty = *count == 0;
        let symbol = self.symbol_at(hex);
        self.key = self.key.wrapping_sub(token_key(player, symbol, hex));
        if empty {
            self.sides[player] &= !(1 << hex);
            if (self.sides[0] | self.sides[1]) >> hex & 1 == 0 {
                self.symbols[symbol] &= !(1 << hex);
            }
        }
    }

    /// Sets what stands on `hex` and keeps the key right.
    fn place(&mut self, hex: u8, symbol: usize, counts: [u8; 2]) {
        for (player, count) in counts.into_iter().enumerate() {
            self.counts[player][hex as usize] = count;
            self.sides[player] &= !(1 << hex);
            self.sides[player] |= u64::from(count > 0) << hex;
            let key = token_key(player, symbol, hex).wrapping_mul(count.into());
            self.key = self.key.wrapping_add(key);
        }
        self.symbols.iter_mut().for_each(|set| *set &= !(1 << hex));
        self.symbols[symbol] |= u64::from(counts != [0; 2]) << hex;
    }

    /// Tokens arrive on `hex`; the beaten tokens there die. Returns whether any token died.
    fn battle(&mut self, hex: u8, arrivals: &[(usize, usize)]) -> bool {
        let mut present = [[0u8; 2]; 3];
        if (self.sides[0] | self.sides[1]) >> hex & 1 == 1 {
            let symbol = self.symbol_at(hex);
            for (player, present) in present[symbol].iter_mut().enumerate() {
                let count = self.counts[player][hex as usize];
                *present = count;
                let key = token_key(player, symbol, hex).wrapping_mul(count.into());
                self.key = self.key.wrapping_sub(key);
            }
        }
        for &(player, symbol) in arrivals {
            present[symbol][player] += 1;
        }
        let there = |symbol: usize| present[symbol] != [0; 2];
        let kinds = (0..3).filter(|&s| there(s)).count();
        let winner = (0..3).find(|&s| there(s) && !there(beater(s)));
        match winner.filter(|_| kinds < 3) {
            Some(symbol) => self.place(hex, symbol, present[symbol]),
            None => self.place(hex, 0, [0; 2]),
        }
        kinds > 1
    }

    /// Applies the moves of one or both players and lets the tokens fight. Returns whether
    /// something happened that can't be undone.
    fn resolve(&mut self, actions: &[(usize, Action)]) -> bool {
        let mut final_step = false;
        // (hex, player, symbol): who arrives where. A token that leaves a hex escapes what
        // arrives there at the same time.
        let mut arrivals = [(0u8, 0usize, 0usize); 2];
        for (slot, &(player, action)) in arrivals.iter_mut().zip(actions) {
            *slot = match action {
                Action::Throw { symbol, to } => {
                    self.used[player] += 1;
                    self.key = self.key.wrapping_add(throw_key(player));
                    final_step = true;
                    (to, player, usize::from(symbol))
                }
                Action::Slide { from, to } | Action::Swing { from, to } => {
                    (to, player, self.symbol_at(from))
                }
            };
        }
        for &(player, action) in actions {
            if let Action::Slide { from, .. } | Action::Swing { from, .. } = action {
                self.lift(player, from);
            }
        }
        match arrivals {
            [(a, p, s), (b, q, t)] if actions.len() == 2 && a == b => {
                final_step |= self.battle(a, &[(p, s), (q, t)]);
            }
            _ => {
                for &(hex, player, symbol) in arrivals.iter().take(actions.len()) {
                    final_step |= self.battle(hex, &[(player, symbol)]);
                }
            }
        }
        final_step
    }

    /// Has `player` a token that nothing of the other's can ever beat?
    fn invincible(&self, player: usize) -> bool {
        let other = player ^ 1;
        self.used[other] == THROWS
            && (0..3).any(|symbol| {
                self.symbols[symbol] & self.sides[player] != 0
                    && self.symbols[beater(symbol)] & self.sides[other] == 0
            })
    }

    /// The end test, in the referee's order.
    fn judge(&self) -> End {
        let out = [0, 1].map(|p| self.used[p] == THROWS && self.sides[p] == 0);
        let safe = [0, 1].map(|p| self.invincible(p));
        let last = |p: usize| self.used[p] == THROWS && self.tokens(p) == 1;
        match (out, safe) {
            ([true, true], _) => End::Empty,
            ([true, false], _) => End::Lower,
            ([false, true], _) => End::Upper,
            (_, [true, true]) => End::Invincible,
            (_, [true, false]) if last(1) => End::Upper,
            (_, [false, true]) if last(0) => End::Lower,
            _ if self.repeats() >= 3 => End::Repetition,
            _ if self.turn >= MOST_TURNS => End::Turns,
            _ => End::Not,
        }
    }

    /// How often this configuration has come up.
    pub fn repeats(&self) -> u32 {
        self.past.iter().filter(|&&key| key == self.key).count() as u32
    }

    /// The turns played.
    pub fn turns(&self) -> u16 {
        self.turn
    }

    /// Has a player a token where the other can throw, while the other could also move a token instead?
    pub fn is_exposed(&self, player: Player) -> bool {
        let [me, other] = [player.index() & 1, (player.index() & 1) ^ 1];
        self.used[other] < THROWS
            && self.sides[other] != 0
            && self.zone(other) & self.sides[me] != 0
    }

    /// The throws and tokens that a player has left.
    pub fn alive(&self, player: Player) -> u32 {
        let left = THROWS - self.used[player.index() & 1].min(THROWS);
        u32::from(left) + self.tokens(player.index() & 1)
    }

    /// Throws that a player has used.
    pub fn used(&self, player: Player) -> u8 {
        self.used[side(player)]
    }

    /// How the game stands.
    pub fn end(&self) -> End {
        self.end
    }

    /// The hexes that a token on `hex` may slide and swing to.
    #[inline]
    fn reach(&self, player: usize, hex: u32) -> (u64, u64) {
        let slides = NEAR[hex as usize];
        let pivots = slides & self.sides[player];
        let swings = indices(pivots).fold(0, |set, pivot| set | NEAR[pivot as usize]);
        (slides, swings & !slides & !(1 << hex))
    }

    /// Where `player` may throw.
    #[inline]
    fn zone(&self, player: usize) -> u64 {
        ZONE[player].get(usize::from(self.used[player])).copied().unwrap_or(0)
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci360",
    title: "RoPaSci 360: rocks, papers and scissors hunt each other, both move at once",
    params: || Params::default().describe(),
    examples: &["ropasci360"],
    position: "-4,3=r -3,0=r 2,-2=P 4,-3=S | 2,2 | 4",
    open: |spec| Ropasci360::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `ropasci360`.
    struct Params {}
}

impl Ropasci360 {
    /// The game; it has no parameters.
    ///
    /// # Errors
    /// Parameters.
    pub fn new(spec: &Spec) -> Result<Self> {
        Params::default().read(spec)?;
        let mut info = Info::new("ropasci360", "RoPaSci 360", &["upper", "lower"]);
        info.simultaneous = true;
        info.longest = Some(MOST_TURNS.into());
        info.action_keys = Some(2 * KEYS);
        Ok(Ropasci360 { info })
    }

    /// Makes `next` the position after a move of `player` alone, while the other player does nothing. The game
    /// has no such step; the agents of the report look ahead in this way.
    pub fn alone(&self, state: &State, player: Player, mv: Move, next: &mut State) {
        next.clone_from(state);
        next.resolve(&[(side(player), Action::unpack(mv))]);
    }
}

impl Ropasci360 {
    /// The move that takes a slide or swing back: from its end to its beginning.
    pub fn back(&self, mv: Move) -> Option<Move> {
        match Action::unpack(mv) {
            Action::Throw { .. } => None,
            Action::Slide { from, to } => Some(Action::Slide { from: to, to: from }.pack()),
            Action::Swing { from, to } => Some(Action::Swing { from: to, to: from }.pack()),
        }
    }
}

/// Kinds of a player's actions as keys: throws by symbol and hex, then steps by both hexes.
const KEYS: u32 = (3 * HEXES + 2 * HEXES * HEXES) as u32;

/// The number of an action among those of a player, below [`KEYS`].
fn number(mv: Move) -> u64 {
    let hexes = HEXES as u64;
    match Action::unpack(mv) {
        Action::Throw { symbol, to } => u64::from(symbol) * hexes + u64::from(to),
        Action::Slide { from, to } => (3 + u64::from(from)) * hexes + u64::from(to),
        Action::Swing { from, to } => (3 + hexes + u64::from(from)) * hexes + u64::from(to),
    }
}

/// A seat as an index.
#[inline]
fn side(player: Player) -> usize {
    usize::from(player.0 & 1)
}

impl Game for Ropasci360 {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State::new()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.end {
            End::Not => Turn::Joint(Players(0b11)),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        let p = side(player);
        for symbol in 0..3 {
            for to in indices(state.zone(p)) {
                out.push(Action::Throw { symbol, to: to as u8 }.pack());
            }
        }
        for hex in indices(state.sides[p]) {
            let (slides, swings) = state.reach(p, hex);
            let from = hex as u8;
            out.extend(indices(slides).map(|to| Action::Slide { from, to: to as u8 }.pack()));
            out.extend(indices(swings).map(|to| Action::Swing { from, to: to as u8 }.pack()));
        }
    }

    /// Without a list: counts, then picks.
    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        cpu: C,
        state: &State,
        player: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        let p = side(player);
        let zone = state.zone(p);
        let throws = 3 * zone.count_ones();
        let mut reach = [(0u8, 0u64, 0u64); THROWS as usize];
        let (mut n, mut total) = (0, throws);
        for (slot, hex) in reach.iter_mut().zip(indices(state.sides[p])) {
            let (slides, swings) = state.reach(p, hex);
            *slot = (hex as u8, slides, swings);
            total += slides.count_ones() + swings.count_ones();
            n += 1;
        }
        let mut pick = rng.below(total);
        if pick < throws {
            let (symbol, at) = ((pick % 3) as u8, pick / 3);
            return Action::Throw { symbol, to: cpu.nth_bit(zone, at).trailing_zeros() as u8 }
                .pack();
        }
        pick -= throws;
        for &(from, slides, swings) in &reach[..n] {
            if pick < slides.count_ones() {
                let to = cpu.nth_bit(slides, pick).trailing_zeros() as u8;
                return Action::Slide { from, to }.pack();
            }
            pick -= slides.count_ones();
            if pick < swings.count_ones() {
                let to = cpu.nth_bit(swings, pick).trailing_zeros() as u8;
                return Action::Swing { from, to }.pack();
            }
            pick -= swings.count_ones();
        }
        Move::default()
    }

    fn apply(&self, state: &mut State, joint: &[Move]) {
        let action = |p: usize| Action::unpack(joint.get(p).copied().unwrap_or_default());
        if state.resolve(&[(0, action(0)), (1, action(1))]) {
            state.past.clear();
        }
        state.past.push(state.key);
        state.turn += 1;
        state.end = state.judge();
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let upper = match state.end {
            End::Upper => 1.0,
            End::Lower => 0.0,
            _ => 0.5,
        };
        if let [first, second, ..] = out {
            (*first, *second) = (upper, 1.0 - upper);
        }
    }

    fn hash(&self, state: &State) -> u64 {
        let count = u64::from(state.turn) << 32 | u64::from(state.repeats());
        hash([state.key, count, state.end as u64])
    }

    fn move_text(&self, mv: Move) -> String {
        text::action(Action::unpack(mv))
    }

    fn position(&self, state: &State) -> String {
        text::position(state)
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        text::parse(text)
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        u64::from(KEYS) * side(player) as u64 + number(mv)
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(KEYS)
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|&mv| number(mv) as u32));
    }

    fn encoding(&self) -> Encoding {
        let groups =
            ["own tokens by symbol and hex", "other tokens", "throws used", "repeats", "turn"];
        Encoding::flat(6 * HEXES + 4, &groups)
    }

    fn encode(&self, view: &ludex_core::View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let own = side(view.seat());
        for (block, player) in [own, own ^ 1].into_iter().enumerate() {
            for (symbol, set) in state.symbols.iter().enumerate() {
                let first = ((block * 3 + symbol) * HEXES) as u32;
                let count = |hex: u32| f32::from(state.counts[player][hex as usize]);
                let tokens = indices(set & state.sides[player]);
                out.extend(tokens.map(|hex| (first + hex, count(hex))));
            }
            let used = f32::from(state.used[player]) / f32::from(THROWS);
            out.push(((6 * HEXES + block) as u32, used));
        }
        let rest = (6 * HEXES) as u32 + 2;
        let turn = f32::from(state.turn) / f32::from(MOST_TURNS);
        out.extend([(rest, state.repeats() as f32 / 3.0), (rest + 1, turn)]);
    }

    fn scene(&self) -> Scene {
        scene::scene(&self.info.players)
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        let turn = self.turn(state);
        View {
            movers: movers(&self.info, turn, viewer),
            over: turn == Turn::Over,
            ..scene::view(state, &self.info.players)
        }
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        scene::move_sites(mv)
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        text::draw(state)
    }

    fn terms(&self) -> &[&'static str] {
        &terms::NAMES
    }

    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        for (out, value) in out.iter_mut().zip(terms::of(state, player)) {
            *out = value as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Ropasci360 {
        Ropasci360::new(&Spec::new("ropasci360")).unwrap()
    }

    fn after(position: &str, upper: &str, lower: &str) -> String {
        let game = game();
        let mut state = game.parse_position(position).unwrap();
        let mv = |p, text| game.parse_move(&state, Player(p), text).unwrap();
        let joint = [mv(0, upper), mv(1, lower)];
        game.try_apply(&mut state, &joint).unwrap();
        text::board(&state)
    }

    #[test]
    fn the_laws_hold() {
        ludex_core::testkit::check(&game(), 12, ludex_core::Seed(1)).unwrap();
    }

    #[test]
    fn tokens_that_leave_escape_and_those_that_meet_fight() {
        // Paper takes the hex that rock leaves: no token dies.
        assert_eq!(after("0,0=R 0,1=p | 1,1 | 0", "L 0 0 0 -1", "L 0 1 0 0"), "0,-1=R 0,0=p");
        // Rock and paper meet on one hex: paper wins.
        assert_eq!(after("0,-1=R 0,1=p | 1,1 | 0", "L 0 -1 0 0", "L 0 1 0 0"), "0,0=p");
        // One's own token dies as well.
        assert_eq!(after("0,-1=R 0,0=P 3,0=r | 2,1 | 0", "L 0 -1 0 0", "L 3 0 4 0"), "0,0=P 4,0=r");
        // All three symbols: all die.
        assert_eq!(after("0,-1=R 0,0=S 0,1=p 4,0=S | 3,1 | 0", "L 0 -1 0 0", "L 0 1 0 0"), "4,0=S");
    }

    #[test]
    fn games_end_as_the_referee_says() {
        let end = |position: &str| game().parse_position(position).unwrap().end();
        assert_eq!(end("4,-4=R | 9,9 | 5"), End::Upper);
        assert_eq!(end("- | 9,9 | 5"), End::Empty);
        assert_eq!(end("4,-4=R 0,0=r | 9,9 | 5"), End::Invincible);
        assert_eq!(end("4,-4=R 0,0=s | 9,9 | 5"), End::Upper);
        assert_eq!(end("4,-4=R 0,0=s 0,1=s | 9,9 | 5"), End::Not);
        assert_eq!(end("4,-4=R 0,0=s | 8,9 | 5"), End::Upper);
        assert_eq!(end("4,-4=R 0,0=s | 9,8 | 5"), End::Not);
        assert_eq!(end("4,-4=R 0,0=s | 8,8 | 360"), End::Turns);
    }

    #[test]
    fn the_third_time_is_a_draw() {
        let game = game();
        let mut state = game.parse_position("4,-4=R -4,4=r | 1,1 | 2").unwrap();
        let steps = [("L 4 -4 4 -3", "L -4 4 -4 3"), ("L 4 -3 4 -4", "L -4 3 -4 4")];
        for turn in 0..4 {
            assert_eq!(state.end(), End::Not, "turn {turn}");
            let (u, l) = steps[turn % 2];
            let joint = [
                game.parse_move(&state, Player(0), u).unwrap(),
                game.parse_move(&state, Player(1), l).unwrap(),
            ];
            game.try_apply(&mut state, &joint).unwrap();
        }
        assert_eq!((state.repeats(), state.end()), (3, End::Repetition));
        let again = game.parse_position(&game.position(&state)).unwrap();
        assert_eq!(again.end(), End::Repetition, "the notation keeps the past");
    }
}
