//! Kuhn poker (H. W. Kuhn, "A simplified two-person poker", 1950): three cards J < Q < K, both
//! players put in 1 and get a card; then each may pass or bet 1 more. Pass after a bet folds; two
//! passes or a bet that is met lead to the showdown.
//!
//! Players win or lose 1 or 2; payoffs map -2..=2 to 0..=1. Moves are `pass` and `bet`. A
//! position is both cards and the moves so far: `JQ`, `JQ:pb`; `--` before the deal.
//!
//! The percept of the deal is a player's own card; cards are never shown, also not at the
//! showdown (the payoffs tell).

use crate::bits::hash;
use crate::catalog::Entry;
use crate::grid::bad_position;
use crate::table;
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, Piece, Placed, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};

const CARDS: [char; 3] = ['J', 'Q', 'K'];
const PASS: u64 = 0;
const BET: u64 = 1;
/// Deals are `DEAL + 3 * first card + second card`.
const DEAL: u64 = 16;
/// A player's own card in its percept is `OWN + card`.
const OWN: u64 = 32;

/// The most moves of a game.
const MOST_BETS: usize = 3;

/// The rules.
#[derive(Debug, Clone)]
pub struct Kuhn {
    info: Info,
}

/// The true position. Referees have it; players get percepts only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The card of each player, once dealt.
    cards: Option<[u8; 2]>,
    line: Line,
}

/// The moves so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Line {
    Start,
    P,
    B,
    Pb,
    Pp,
    Bp,
    Bb,
    Pbp,
    Pbb,
}

const LINES: [(Line, &str); 9] = [
    (Line::Start, ""),
    (Line::P, "p"),
    (Line::B, "b"),
    (Line::Pb, "pb"),
    (Line::Pp, "pp"),
    (Line::Bp, "bp"),
    (Line::Bb, "bb"),
    (Line::Pbp, "pbp"),
    (Line::Pbb, "pbb"),
];

impl Line {
    fn text(self) -> &'static str {
        LINES.iter().find(|(line, _)| *line == self).map_or("", |(_, text)| text)
    }

    fn then(self, bet: bool) -> Line {
        match (self, bet) {
            (Line::Start, false) => Line::P,
            (Line::Start, true) => Line::B,
            (Line::P, false) => Line::Pp,
            (Line::P, true) => Line::Pb,
            (Line::B, false) => Line::Bp,
            (Line::B, true) => Line::Bb,
            (Line::Pb, false) => Line::Pbp,
            (Line::Pb, true) => Line::Pbb,
            (over, _) => over,
        }
    }

    /// Has each player put in one more?
    fn bets(self) -> [bool; 2] {
        let bet = |place: usize| self.text().as_bytes().get(place) == Some(&b'b');
        [bet(0) || bet(2), bet(1)]
    }

    /// The player to move, if any.
    fn mover(self) -> Option<Player> {
        match self {
            Line::Start | Line::Pb => Some(Player(0)),
            Line::P | Line::B => Some(Player(1)),
            _ => None,
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "kuhn",
    title: "Kuhn poker: three cards, one bet, hidden hands",
    params: || Params::default().describe(),
    examples: &["kuhn"],
    position: "JQ:pb",
    open: |spec| Kuhn::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `kuhn`.
    struct Params {}
}

impl Kuhn {
    /// The game; it takes no parameters.
    pub fn new(spec: &Spec) -> Result<Self> {
        Params::default().read(spec)?;
        Ok(Kuhn::default())
    }
}

impl Default for Kuhn {
    fn default() -> Self {
        let mut info = Info::new("kuhn", "Kuhn poker", &["first", "second"]);
        info.chance = true;
        info.hidden = true;
        info.longest = Some(4);
        info.action_keys = Some(4);
        info.returns = [-2.0, 2.0];
        Kuhn { info }
    }
}

fn card(card: u8) -> char {
    CARDS.get(usize::from(card)).copied().unwrap_or('?')
}

/// The two cards of a deal.
fn dealt(mv: Move) -> Option<[u8; 2]> {
    let code = mv.0.checked_sub(DEAL).filter(|&code| code < 9)?;
    let cards = [(code / 3) as u8, (code % 3) as u8];
    (cards[0] != cards[1]).then_some(cards)
}

fn deal(first: u8, second: u8) -> Move {
    Move(DEAL + 3 * u64::from(first) + u64::from(second))
}

impl Game for Kuhn {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State { cards: None, line: Line::Start }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match (state.cards, state.line.mover()) {
            (None, _) => Turn::Chance,
            (_, Some(player)) => Turn::One(player),
            (_, None) => Turn::Over,
        }
    }

    fn moves(&self, _: &State, _: Player, out: &mut Vec<Move>) {
        out.extend([Move(PASS), Move(BET)]);
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        _: C,
        _: &State,
        _: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        Move(rng.below(2).into())
    }

    fn chances(&self, _: &State, out: &mut Vec<(Move, f64)>) {
        for first in 0..3 {
            let others = (0..3).filter(|&second| second != first);
            out.extend(others.map(|second| (deal(first, second), 1.0 / 6.0)));
        }
    }

    fn sample_chance(&self, _: &State, rng: &mut Rng) -> Move {
        let first = rng.below(3) as u8;
        let second = (first + 1 + rng.below(2) as u8) % 3;
        deal(first, second)
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        match dealt(joint[0]) {
            Some(cards) => state.cards = Some(cards),
            None => state.line = state.line.then(joint[0].0 == BET),
        }
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let [a, b] = state.cards.unwrap_or_default();
        let shown = |stake: f32| if a > b { stake } else { -stake };
        // The chips that the first player wins.
        let won = match state.line {
            Line::Pp => shown(1.0),
            Line::Bb | Line::Pbb => shown(2.0),
            Line::Bp => 1.0,
            Line::Pbp => -1.0,
            _ => 0.0,
        };
        out[0] = (won + 2.0) / 4.0;
        out[1] = 1.0 - out[0];
    }

    fn hash(&self, state: &State) -> u64 {
        let cards = state.cards.map_or(0, |[a, b]| deal(a, b).0);
        hash([cards << 8 | state.line as u64])
    }

    fn move_text(&self, mv: Move) -> String {
        match (mv.0, dealt(mv)) {
            (PASS, _) => "pass".into(),
            (BET, _) => "bet".into(),
            (_, Some([a, b])) => format!("deal:{}{}", card(a), card(b)),
            _ => "?".into(),
        }
    }

    fn position(&self, state: &State) -> String {
        let Some([a, b]) = state.cards else { return "--".into() };
        match state.line {
            Line::Start => format!("{}{}", card(a), card(b)),
            line => format!("{}{}:{}", card(a), card(b), line.text()),
        }
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let (cards, moves) = match text.trim().split_once(':') {
            Some((cards, moves)) => (cards, moves),
            None => (text.trim(), ""),
        };
        let Some(&(line, _)) = LINES.iter().find(|(_, name)| *name == moves) else {
            return bad_position(text, format!("no line of play is `{moves}`"));
        };
        if cards == "--" {
            return match line {
                Line::Start => Ok(self.start()),
                _ => bad_position(text, "no moves are possible before the deal"),
            };
        }
        let place = |c: char| CARDS.iter().position(|&known| known == c);
        let found: Vec<_> = cards.chars().map(place).collect();
        match found[..] {
            [Some(a), Some(b)] if a == b => bad_position(text, "each card is there only once"),
            [Some(a), Some(b)] => Ok(State { cards: Some([a as u8, b as u8]), line }),
            _ => bad_position(text, "expected two cards of J, Q and K, or `--`"),
        }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(2)
    }

    /// 0 passes, 1 bets.
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| (mv.0 & 1) as u32));
    }

    fn encoding(&self) -> Encoding {
        Encoding::flat(2 + 3 + 2 * MOST_BETS, &["seat", "own card", "moves"])
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        out.push((u32::from(view.seat().0 & 1), 1.0));
        let words = view.records().iter().filter_map(|record| record.percept.0.first());
        let mut moves = 0;
        for &word in words {
            match word.checked_sub(OWN) {
                Some(card) => out.push((2 + (card as u32).min(2), 1.0)),
                None if moves < MOST_BETS as u32 => {
                    out.push((5 + 2 * moves + (word & 1) as u32, 1.0));
                    moves += 1;
                }
                None => {}
            }
        }
    }

    fn percept(&self, _: &State, joint: &[Move], _: &State, player: Player, out: &mut Vec<u64>) {
        out.extend(joint.iter().map(|&mv| match dealt(mv) {
            Some(cards) => OWN + u64::from(cards[usize::from(player.0 & 1)]),
            None => mv.0,
        }));
    }

    fn percept_text(&self, words: &[u64]) -> String {
        let word = |&word: &u64| match word.checked_sub(OWN).filter(|&c| c < 3) {
            Some(own) => format!("card:{}", card(own as u8)),
            None => self.move_text(Move(word)),
        };
        words.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        (mv.0 & 1) * 2 + u64::from(player.0 & 1)
    }

    fn scene(&self) -> Scene {
        let sites = [("first", 0.0), ("second", 2.2)].into_iter().flat_map(|(name, y)| {
            let stake = format!("chips of {name}");
            [table::site(format!("card of {name}"), 0.0, y), table::site(stake, 1.4, y)]
        });
        let mut pieces = CARDS.map(|card| table::card(&card.to_string(), None)).to_vec();
        pieces.push(Piece::new("card, face down", "playing-card", "?", None));
        pieces.push(Piece::new("chip", "coin", "c", None));
        table::scene(self, sites.collect(), pieces)
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> scene::View {
        const FACE_DOWN: usize = CARDS.len();
        const CHIP: usize = FACE_DOWN + 1;
        let mut pieces = Vec::new();
        for (player, bet) in state.line.bets().into_iter().enumerate() {
            if let Some(cards) = state.cards {
                let seen = viewer.is_none_or(|viewer| viewer.index() == player);
                let card = if seen { cards[player].into() } else { FACE_DOWN };
                pieces.push(Placed::new(2 * player, card));
            }
            let count = 1 + u32::from(bet);
            pieces.push(Placed { count, ..Placed::new(2 * player + 1, CHIP) });
        }
        table::view(self, state, viewer, pieces)
    }

    fn draw(&self, state: &State, viewer: Option<Player>) -> String {
        let mut text = String::new();
        for p in 0..2 {
            let seen = match state.cards {
                None => '-',
                Some(_) if viewer.is_some_and(|viewer| viewer.0 != p) => '?',
                Some(cards) => card(cards[usize::from(p)]),
            };
            text += &format!("{:<6} {seen}\n", self.info.player(Player(p)));
        }
        let moves = state.line.text().chars().map(|c| if c == 'p' { "pass" } else { "bet" });
        let moves = moves.collect::<Vec<_>>().join(" ");
        text + format!("moves  {moves}").trim_end() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    #[test]
    fn conforms() {
        conform(&Kuhn::default());
    }

    #[test]
    fn stakes_are_as_kuhn_has_them() {
        let game = Kuhn::default();
        for (position, first) in [
            ("KQ:pp", 0.75),
            ("JQ:pp", 0.25),
            ("KQ:bb", 1.0),
            ("JQ:bb", 0.0),
            ("JQ:bp", 0.75),
            ("KQ:pbp", 0.25),
            ("KQ:pbb", 1.0),
            ("JK:pbb", 0.0),
        ] {
            let mut out = [0.0; 2];
            game.payoffs(&game.parse_position(position).unwrap(), &mut out);
            assert_eq!(out, [first, 1.0 - first], "{position}");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Kuhn::default();
        for text in ["", "J", "JJ", "JQK", "JQ:x", "JQ:ppp", "--:p", "jq", "JQ:p:b"] {
            assert!(game.parse_position(text).is_err(), "{text}");
        }
    }
}
