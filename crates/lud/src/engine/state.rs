//! The state of a game: plain data, copied without allocation.

use super::last::LastMove;
use super::node::Parts;
use super::past::{Sequence, Set};
use super::rules::Rules;
use super::sites::Ones;

/// Nothing, or a place off the board.
pub(crate) const OFF: i32 = -1;

/// The piece on a site, or on a level of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The component; 0 for none.
    pub what: u16,
    /// How many of it.
    pub count: u16,
    /// The local state of the piece.
    pub state: i16,
    /// The value of the piece.
    pub value: i16,
    /// The rotation of the piece.
    pub rotation: i16,
}

/// The parts of a position besides the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scalars {
    /// The player to move, from 1.
    pub mover: usize,
    /// The player who moves next.
    pub next: usize,
    /// The player who moved before.
    pub prev: usize,
    /// The player who had the turn before this one.
    pub before: usize,
    /// The counter of moves, as rules may set it.
    pub counter: i32,
    /// Moves made.
    pub moves: u32,
    /// Turns made.
    pub turns: u32,
    /// Moves of the same turn so far.
    pub same_turn: u32,
    /// Passes in a row.
    pub passes: u32,
    /// The last move.
    pub last: LastMove,
    /// A number that rules keep for a while.
    pub temp: i32,
    /// A hash of the position that rules keep in mind, see [`State::hash`].
    pub stored: i64,
    /// The sum of the players' stakes.
    pub pot: i32,
    /// By bit: is the player still in the game?
    pub active: u32,
    /// By bit: has the player won?
    pub won: u32,
    /// By bit: had the player no move when last looked at?
    pub stuck: u32,
    /// By bit: the players for whom something was triggered.
    pub triggered: u32,
    /// Is it over?
    pub over: bool,
    /// Have the dice been thrown for this move?
    pub rolled: bool,
    /// How many dice have been thrown, where they are thrown one by one and some are left.
    pub thrown: u16,
    /// Do all dice show the same?
    pub dice_equal: bool,
    /// The players changed sides.
    pub swapped: bool,
    /// The number of the word that was decided by vote; 0 for none.
    pub decided: u16,
    /// By bit: the words that are proposed.
    pub proposed: u16,
    /// The rule of the start that waits for chance, from 1; 0 once the game has begun.
    pub opening: u16,
    /// How many pieces that rule has placed.
    pub placed: u16,
    /// In a match: the number of the game that is being played.
    pub game: u16,
    /// In a match: the number of games that are over.
    pub trials: u32,
    /// In a match: is the game over, and the next one not begun?
    pub between: bool,
}

/// The values that players, pieces and rules remember between moves.
#[derive(Debug, Default, PartialEq)]
pub struct State {
    /// By site: what stands on it, on top if it is a stack.
    pub cells: Vec<Cell>,
    /// By site: what lies under the top, the lowest first; empty in games without stacks.
    pub under: Vec<Vec<Cell>>,
    /// Bits of the empty sites, then of those of each owner, all of the same length.
    pub bits: Vec<u64>,
    /// Numbers: variables, scores and so on; see [`Layout`].
    pub numbers: Vec<i32>,
    /// By player: the rank once it is decided, 1 being best; 0 before.
    pub rank: Vec<f32>,
    /// A hash of [`State::cells`], kept up to date.
    pub key: u64,
    /// Everything else of fixed size.
    pub s: Scalars,
    /// Sites or values that wait for something.
    pub pending: Vec<i32>,
    /// Sites that the piece of this turn has been on.
    pub visited: Vec<i32>,
    /// Sites whose pieces leave at the end of the turn.
    pub to_clear: Vec<i32>,
    /// By name: values remembered.
    pub remembered: Vec<Vec<i32>>,
    /// Earlier positions, where rules ask for them.
    pub history: Set,
    /// Every position so far, where rules ask whether play goes round in circles.
    pub trail: Sequence,
    /// Where the actions of the last move began, where they ended, and what it went over, where rules
    /// ask for it.
    pub touched: [Vec<i32>; 3],
    /// By place of a winding track and kind of piece: how many are there.
    pub places: Vec<i16>,
    /// How many kinds of pieces there are, where that is asked for.
    pub kinds: usize,
    /// By player: bits of the sites on which a part of what is there is hidden from them. Then again by player:
    /// bits of the sites that look empty to them. Empty where nothing is ever hidden.
    pub hidden: Vec<u64>,
    /// By site: a number that is the greater the later its piece came; empty where no rule asks.
    pub order: Vec<u32>,
    /// By site and level: the value that the last piece left behind there. A piece that goes on top of a stack without a level of
    /// its own has this value afterwards (decided by Patol with four players, ply 17). Empty in games without stacks or values.
    pub left_values: Vec<i16>,
    /// By site and kind of piece: how many times more than once the site is listed among those of the kind. A part of a pile that joins a
    /// pile of the same kind lists the site once more, and nothing ever takes that back: `(forEach Piece)` gives the moves from there
    /// as often (decided by Len Doat, ply 102), and `(no Pieces)` takes an empty site for one with pieces (decided by Kiuthi, ply 429). Empty
    /// where no rule asks.
    pub relisted: Vec<u8>,
    /// Numbers that chance has drawn for the move that is to be made.
    pub tape: Vec<i32>,
    /// The code of the move that waits for chance; 0 if none does.
    pub waits: u64,
    /// By player: what was won in a match; empty in other games.
    pub won: Vec<i32>,
    /// The changes of a look-ahead; empty outside of one, and never copied.
    pub(crate) journal: super::journal::Journal,
}

impl Cell {
    /// The site's part of the hash of a position; 0 for an empty site.
    #[inline]
    pub fn key(self, site: usize) -> u64 {
        let low = u64::from(self.what) | u64::from(self.count) << 16;
        let high = u64::from(self.state as u16) << 32 | u64::from(self.value as u16) << 48;
        if (low | high) == 0 && self.rotation == 0 {
            return 0;
        }
        let place = (site as u64 + 1) << 16 | u64::from(self.rotation as u16);
        ludex_core::random::mix((low | high) ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

impl Clone for State {
    fn clone(&self) -> State {
        let mut state = State::default();
        state.clone_from(self);
        state
    }

    fn clone_from(&mut self, other: &State) {
        self.history.clone_from(&other.history);
        self.trail.clone_from(&other.trail);
        self.cells.clone_from(&other.cells);
        self.bits.clone_from(&other.bits);
        self.numbers.clone_from(&other.numbers);
        self.rank.clone_from(&other.rank);
        self.s = other.s;
        self.key = other.key;
        self.waits = other.waits;
        self.kinds = other.kinds;
        self.tape.clone_from(&other.tape);
        self.pending.clone_from(&other.pending);
        self.visited.clone_from(&other.visited);
        self.to_clear.clone_from(&other.to_clear);
        if !(self.won.is_empty() && other.won.is_empty()) {
            self.won.clone_from(&other.won);
        }
        if !(self.under.is_empty() && other.under.is_empty()) {
            self.under.clone_from(&other.under);
        }
        if !(self.remembered.is_empty() && other.remembered.is_empty()) {
            self.remembered.clone_from(&other.remembered);
        }
        for (mine, theirs) in self.touched.iter_mut().zip(&other.touched) {
            mine.clone_from(theirs);
        }
        if !(self.places.is_empty() && other.places.is_empty()) {
            self.places.clone_from(&other.places);
        }
        if !(self.hidden.is_empty() && other.hidden.is_empty()) {
            self.hidden.clone_from(&other.hidden);
        }
        if !(self.order.is_empty() && other.order.is_empty()) {
            self.order.clone_from(&other.order);
        }
        if !(self.left_values.is_empty() && other.left_values.is_empty()) {
            self.left_values.clone_from(&other.left_values);
        }
        if !(self.relisted.is_empty() && other.relisted.is_empty()) {
            self.relisted.clone_from(&other.relisted);
        }
    }
}

/// Where in [`State::numbers`] things are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The number of players.
    pub players: usize,
    /// The number of variables.
    pub vars: usize,
    /// The number of dice.
    pub dice: usize,
    /// Words of bits for each owner.
    pub words: usize,
}

impl Layout {
    /// A player's score.
    #[inline]
    pub fn score(self, player: usize) -> usize {
        player.min(self.players)
    }

    /// A player's value.
    #[inline]
    pub fn value(self, player: usize) -> usize {
        self.players + 1 + player.min(self.players)
    }

    /// A player's phase.
    #[inline]
    pub fn phase(self, player: usize) -> usize {
        2 * (self.players + 1) + player.min(self.players)
    }

    /// A player's team.
    #[inline]
    pub fn team(self, player: usize) -> usize {
        3 * (self.players + 1) + player.min(self.players)
    }

    /// The place of the amount that a player owns.
    #[inline]
    pub fn amount(self, player: usize) -> usize {
        4 * (self.players + 1) + player.min(self.players)
    }

    /// The vote of a player.
    #[inline]
    pub fn vote(self, player: usize) -> usize {
        5 * (self.players + 1) + player.min(self.players)
    }

    /// A variable.
    #[inline]
    pub fn var(self, var: usize) -> usize {
        6 * (self.players + 1) + self.dice + var
    }

    /// The value of a die; 0 once it is used.
    #[inline]
    pub fn die(self, die: usize) -> usize {
        6 * (self.players + 1) + die
    }

    /// How many numbers there are.
    #[inline]
    pub fn len(self) -> usize {
        6 * (self.players + 1) + self.vars + self.dice
    }

    /// Never.
    #[inline]
    pub fn is_empty(self) -> bool {
        false
    }
}

impl State {
    /// The piece on a site; an empty cell outside the board.
    #[inline]
    pub fn cell(&self, site: i32) -> Cell {
        usize::try_from(site).ok().and_then(|s| self.cells.get(s)).copied().unwrap_or_default()
    }

    /// The piece on a level of a site.
    #[inline]
    pub fn level(&self, site: i32, level: i32) -> Cell {
        let (Ok(site), Ok(level)) = (usize::try_from(site), usize::try_from(level)) else {
            return Cell::default();
        };
        let under = self.under.get(site).map_or(&[][..], |under| under);
        match under.get(level) {
            Some(&cell) => cell,
            None if level > under.len() => Cell::default(),
            None => self.cells.get(site).filter(|cell| cell.what != 0).copied().unwrap_or_default(),
        }
    }

    /// How many levels a site has.
    #[inline]
    pub fn height(&self, site: i32) -> i32 {
        let Some(s) = usize::try_from(site).ok().filter(|&s| s < self.cells.len()) else {
            return 0;
        };
        i32::from(self.cells[s].what != 0) + self.under.get(s).map_or(0, |u| u.len() as i32)
    }

    /// The sites that are listed more than once, or although they are empty: the site, the kind of piece, and how many times more.
    pub fn relisted(&self) -> impl Iterator<Item = (i32, usize, u8)> + '_ {
        let kinds = self.kinds.max(1);
        let times = self.relisted.iter().enumerate().filter(|&(_, &times)| times > 0);
        times.map(move |(at, &times)| ((at / kinds) as i32, at % kinds, times))
    }

    /// The bits of the empty sites.
    #[inline]
    pub fn empty(&self, layout: Layout) -> &[u64] {
        &self.bits[..layout.words]
    }

    /// The bits of an owner's sites (owner 0 has the neutral pieces).
    #[inline]
    pub fn owned(&self, layout: Layout, owner: usize) -> &[u64] {
        let at = layout.words * (1 + owner.min(layout.players + 1));
        &self.bits[at..at + layout.words]
    }

    /// The sites of an owner.
    #[inline]
    pub fn sites_of(&self, layout: Layout, owner: usize) -> Ones<'_> {
        Ones::new(self.owned(layout, owner))
    }

    /// Is a player still in the game?
    #[inline]
    pub fn active(&self, player: usize) -> bool {
        self.s.active >> player & 1 == 1
    }

    /// A hash of all that the rules can ask for.
    pub(crate) fn fingerprint(&self, rules: &Rules) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        (&self.cells, &self.under, &self.numbers).hash(&mut hasher);
        (&self.pending, &self.to_clear, &self.remembered, &self.places).hash(&mut hasher);
        let s = &self.s;
        (s.mover, s.next, s.prev, s.before).hash(&mut hasher);
        (s.passes, s.same_turn, s.active, s.stuck).hash(&mut hasher);
        (s.triggered, s.over, s.rolled, s.dice_equal, s.swapped).hash(&mut hasher);
        (s.temp, s.stored, s.pot, s.decided, s.proposed, s.opening, s.placed, s.thrown)
            .hash(&mut hasher);
        if rules.reads.has(Parts::LAST) {
            s.last.hash(&mut hasher);
        }
        (&self.visited, &self.touched, s.won).hash(&mut hasher);
        (self.history.key(), self.trail.key()).hash(&mut hasher);
        if rules.reads.has(Parts::COUNTER) {
            s.counter.hash(&mut hasher);
        }
        if rules.reads.has(Parts::CLOCK) || rules.swap {
            (s.moves, s.turns).hash(&mut hasher);
        }
        self.rank.iter().for_each(|r| r.to_bits().hash(&mut hasher));
        self.hidden.hash(&mut hasher);
        (&self.order, &self.left_values, &self.relisted).hash(&mut hasher);
        (&self.tape, self.waits).hash(&mut hasher);
        if !self.won.is_empty() {
            (&self.won, s.game, s.trials, s.between).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// A hash of what lies on the table.
    #[inline]
    pub fn hash(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        if self.under.is_empty() {
            return self.key;
        }
        let mut hasher = rustc_hash::FxHasher::default();
        (self.key, &self.under).hash(&mut hasher);
        hasher.finish()
    }
}
