//! Ludo as in Haugaard 2019 (seed 003): `ludo(stars=paper)` or `ludo(stars=fixed)`. Four players,
//! four tokens each; who brings all four to the goal first wins.
//!
//! One throw a turn, no second one for a six. A six brings a token from home to its first square
//! and sends all other tokens there home. Else a token walks on. On a square with one token of another
//! player that token goes home; with two or more (or one on a globe) the moving token goes home. Stars carry a token
//! on to the next star, the last one to the goal. The five squares of one's lane are safe; beyond
//! the goal one walks back. There is no passing while a token can move.
//!
//! `stars=paper`: a token on the star that one jumps from goes home, as in the version of the rules
//! that the paper was made with; `stars=fixed`: it stays, as in the later one.
//!
//! Moves are the tokens `1` to `4`; chance throws `1` to `6`. A position is the places of all tokens
//! by player as the first player sees them (-1 home, 0 to 51 the track, 52 to 71 the lanes, 99 goal),
//! who moves, and the throw (0 before it): `-1,-1,-1,-1/-1,-1,14,-1/-1,-1,-1,-1/-1,-1,-1,-1 2 6`.
//!
//! One idea a file: `track` is the path of a token, `frame` the numbers of the paper's engine,
//! [`vulnerability`] how many throws may hit a token, [`values`] the paper's evolved players,
//! [`network`] the largest of them made fast, [`verify`] compares with recorded games.

mod frame;
pub mod network;
mod scene;
mod track;
pub mod values;
pub mod verify;
pub mod vulnerability;

pub use frame::Frame;

use crate::bits::hash;
use crate::catalog::Entry;
use crate::grid::bad_position;
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{Scene, View, movers};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn};
pub use track::Tokens as Places;
use track::{GOAL, HOME, LAST, Tokens};

/// Which version of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stars {
    /// A token that jumps from a star sends home the tokens that stand on the star.
    Paper,
    /// Tokens on a star stay there when another token jumps from it.
    Fixed,
}

ludex_core::words!(Stars { Paper = "paper", Fixed = "fixed" });

/// The rules. A [`Move`] is 16 and a token, 0 to 3; an outcome of chance is the throw, 1 to 6.
#[derive(Debug, Clone)]
pub struct Ludo {
    info: Info,
    stars: Stars,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    tokens: Tokens,
    mover: u8,
    /// 0: the die is to be thrown.
    die: u8,
    /// 0 to 3: that player has won; 4: no winner yet.
    winner: u8,
}

/// The places of a token as its player sees them: home, 56 squares, goal.
const PLACES: usize = 58;
const NO_WINNER: u8 = 4;
/// Added to the number of a token, so that its move differs from a throw.
const TOKEN: u64 = 16;

/// The move of a token, 0 to 3.
pub fn token_move(token: usize) -> Move {
    Move(TOKEN + token as u64)
}

impl State {
    /// The position as the mover sees it.
    pub fn frame(&self) -> Frame {
        frame::seen_by(&self.tokens, usize::from(self.mover))
    }

    /// The throw; 0 before it.
    pub fn die(&self) -> u8 {
        self.die
    }

    /// The player who moves, or throws.
    #[inline]
    pub fn mover(&self) -> Player {
        Player(self.mover)
    }

    /// The winner.
    #[inline]
    pub fn winner(&self) -> Option<Player> {
        (self.winner != NO_WINNER).then_some(Player(self.winner))
    }

    /// All tokens by player, beginning with `seat` and in the order of turns; each where its own
    /// player sees it: 0 at home, 1 to 51 on the track, 52 to 56 in its lane, 57 in goal.
    #[inline]
    pub fn places(&self, seat: Player) -> Places {
        let first = usize::from(seat.0);
        [0, 1, 2, 3].map(|turns| self.tokens[(first + turns) & 3])
    }

    /// Can this token of the mover, 0 to 3, be moved?
    #[inline]
    pub fn can_move(&self, token: usize) -> bool {
        self.die > 0
            && token < 4
            && track::can_move(&self.tokens, usize::from(self.mover), token, self.die)
    }

    #[inline]
    fn stuck(&self) -> bool {
        let p = usize::from(self.mover);
        (0..4).all(|token| !track::can_move(&self.tokens, p, token, self.die))
    }

    #[inline]
    fn pass_on(&mut self) {
        self.mover = (self.mover + 1) % 4;
        self.die = 0;
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "ludo",
    title: "Ludo: four players race four tokens each round the board",
    params: || Params::default().describe(),
    examples: &["ludo", "ludo(stars=fixed)"],
    position: "5,-1,-1,-1/-1,-1,14,-1/-1,-1,-1,99/67,-1,-1,-1 2 6",
    open: |spec| Ludo::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `ludo`.
    struct Params {
        /// What happens to a token on a star that another jumps from: paper (it goes home), fixed (it stays).
        stars: Stars = Stars::Paper;
    }
    places = 1;
}

impl Ludo {
    /// The game with the parameter of `spec`: `stars`.
    ///
    /// # Errors
    /// Unknown or bad parameters.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("ludo", &Params::default()).to_string();
        let Params { stars } = params;
        let mut info = Info::new(name, "Ludo", &["first", "second", "third", "fourth"]);
        info.chance = true;
        info.action_keys = Some(4 * 58);
        Ok(Ludo { info, stars })
    }

    /// The version of the rules.
    pub fn stars(&self) -> Stars {
        self.stars
    }

    /// The positions after each token's move, as the mover sees them; `None` where it can't move.
    pub fn successors(&self, state: &State) -> [Option<Frame>; 4] {
        let p = usize::from(state.mover);
        [0, 1, 2, 3].map(|token| {
            track::can_move(&state.tokens, p, token, state.die).then(|| {
                let mut tokens = state.tokens;
                track::step(&mut tokens, p, token, state.die, self.stars);
                frame::seen_by(&tokens, p)
            })
        })
    }
}

impl Game for Ludo {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State { tokens: [[HOME; 4]; 4], mover: 0, die: 0, winner: NO_WINNER }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.winner != NO_WINNER {
            Turn::Over
        } else if state.die == 0 {
            Turn::Chance
        } else {
            Turn::One(Player(state.mover))
        }
    }

    fn moves(&self, state: &State, player: Player, out: &mut Vec<Move>) {
        let p = usize::from(player.0 & 3);
        let legal = (0..4).filter(|&t| track::can_move(&state.tokens, p, t, state.die));
        out.extend(legal.map(token_move));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        let mv = joint.first().map_or(0, |mv| mv.0);
        if state.die == 0 {
            state.die = (mv as u8).clamp(1, 6);
            if state.stuck() {
                state.pass_on();
            }
            return;
        }
        let (p, token) = (usize::from(state.mover), (mv & 3) as usize);
        if track::can_move(&state.tokens, p, token, state.die) {
            track::step(&mut state.tokens, p, token, state.die, self.stars);
        }
        if state.tokens[p] == [GOAL; 4] {
            (state.winner, state.die) = (state.mover, 0);
        } else {
            state.pass_on();
        }
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        out.iter_mut().enumerate().for_each(|(p, payoff)| {
            *payoff = if usize::from(state.winner) == p { 1.0 } else { 0.0 };
        });
    }

    fn hash(&self, state: &State) -> u64 {
        let [a, b, c, d] = state.tokens.map(u32::from_le_bytes);
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        hash([pair(a, b), pair(c, d), u64::from(state.mover) << 8 | u64::from(state.die)])
    }

    fn chances(&self, _: &State, out: &mut Vec<(Move, f64)>) {
        out.extend((1..=6).map(|die| (Move(die), 1.0 / 6.0)));
    }

    #[inline]
    fn sample_chance(&self, _: &State, rng: &mut Rng) -> Move {
        Move(u64::from(rng.below(6)) + 1)
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        _: C,
        state: &State,
        player: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        let p = usize::from(player.0 & 3);
        let mut legal = [0u8; 4];
        let mut n = 0;
        for token in 0..4 {
            legal[n] = token as u8;
            n += usize::from(track::can_move(&state.tokens, p, token, state.die));
            n = n.min(3 + usize::from(token == 3));
        }
        token_move(legal[rng.below(n as u32) as usize & 3].into())
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(4)
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| (mv.0 & 3) as u32));
    }

    fn encoding(&self) -> Encoding {
        Encoding::flat(16 * PLACES + 4 + 6, &["tokens", "mover", "throw"])
    }

    /// The place of each token, in the order of turns beginning with the seat itself.
    fn encode(&self, view: &ludex_core::View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let places = state.places(view.seat());
        for (token, &place) in places.iter().flatten().enumerate() {
            let place = usize::from(place).min(PLACES - 1);
            out.push(((token * PLACES + place) as u32, 1.0));
        }
        let mover = (state.mover + 4 - (view.seat().0 & 3)) & 3;
        out.push(((16 * PLACES) as u32 + u32::from(mover), 1.0));
        if state.die > 0 {
            out.push(((16 * PLACES + 3) as u32 + u32::from(state.die), 1.0));
        }
    }

    fn move_text(&self, mv: Move) -> String {
        // Tokens are 1 to 4 for people.
        if mv.0 >= TOKEN { (mv.0 - TOKEN + 1).to_string() } else { mv.0.to_string() }
    }

    fn position(&self, state: &State) -> String {
        let rows = frame::seen_by(&state.tokens, 0).map(|row| row.map(|n| n.to_string()).join(","));
        format!("{} {} {}", rows.join("/"), state.mover + 1, state.die)
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        read(text).or_else(|reason| bad_position(text, reason))
    }

    /// The owner of the token and the place that it leaves: tokens of one player are interchangeable.
    fn action_key(&self, state: &State, player: Player, mv: Move) -> u64 {
        let p = usize::from(player.0 & 3);
        let place = state.tokens[p][(mv.0 & 3) as usize];
        p as u64 * 58 + u64::from(place)
    }

    fn scene(&self) -> Scene {
        scene::scene(&self.info.players)
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        let turn = self.turn(state);
        View {
            movers: movers(&self.info, turn, viewer),
            over: turn == Turn::Over,
            ..scene::view(state)
        }
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        draw(state)
    }

    fn terms(&self) -> &[&'static str] {
        &["progress", "goal", "home"]
    }

    /// `progress`: squares walked, of all; `goal`: tokens in goal; `home`: tokens not at home. Each
    /// compared with the mean of the others.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        let me = usize::from(player.0 & 3);
        let of = |p: usize| {
            let tokens = &state.tokens[p];
            let walked: u32 = tokens.iter().map(|&place| u32::from(place)).sum();
            let count = |f: fn(u8) -> bool| tokens.iter().filter(|&&t| f(t)).count() as f32 / 4.0;
            [walked as f32 / 228.0, count(|t| t == GOAL), count(|t| t != HOME)]
        };
        let mut lead = of(me);
        for p in (0..4).filter(|&p| p != me) {
            lead.iter_mut().zip(of(p)).for_each(|(lead, value)| *lead -= value / 3.0);
        }
        out.iter_mut().zip(lead).for_each(|(out, value)| *out = value);
    }
}

fn read(text: &str) -> std::result::Result<State, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [rows, mover, die] = words[..] else {
        return Err("expected the places, who moves and the throw".into());
    };
    let mut frame = Frame::default();
    let lines: Vec<&str> = rows.split('/').collect();
    if lines.len() != 4 {
        return Err("expected the places of four players, parted by `/`".into());
    }
    for (row, line) in frame.iter_mut().zip(lines) {
        let numbers: Vec<i8> = line.split(',').filter_map(|n| n.trim().parse().ok()).collect();
        *row = numbers.try_into().map_err(|_| format!("`{line}` is not four places"))?;
    }
    let Some(tokens) = frame::read(&frame, 0) else {
        return Err("a place is off the board, or in the wrong lane".into());
    };
    let mover = match mover.parse::<u8>() {
        Ok(n @ 1..=4) => n - 1,
        _ => return Err(format!("who moves must be 1 to 4, not `{mover}`")),
    };
    let die = match die.parse::<u8>() {
        Ok(n @ 0..=6) => n,
        _ => return Err(format!("the throw must be 0 to 6, not `{die}`")),
    };
    let done: Vec<usize> = (0..4).filter(|&p| tokens[p] == [GOAL; 4]).collect();
    let winner = match done[..] {
        [] => NO_WINNER,
        [p] => p as u8,
        _ => return Err("two players have all tokens in goal".into()),
    };
    let mut state = State { tokens, mover, die, winner };
    if winner == NO_WINNER && die > 0 && state.stuck() {
        return Err("nothing can move by this throw: the next one throws".into());
    }
    if winner != NO_WINNER {
        state.die = 0;
    }
    Ok(state)
}

/// Where the squares of the track and the lanes are on a board of 15 by 15: the first quarter by
/// hand, the others turned.
fn spot(p: usize, place: u8) -> (usize, usize) {
    let (turns, (x, y)) = match place {
        1..=LAST => {
            let at = usize::from(track::square(p, place));
            let quarter = match at % 13 {
                k @ 0..=5 => (8, k),
                k @ 6..=11 => (3 + k, 6),
                _ => (14, 7),
            };
            (at / 13, quarter)
        }
        52..=56 => (p, (7, usize::from(place) - 51)),
        _ => (p, (7, 6)),
    };
    (0..turns).fold((x, y), |(x, y), _| (14 - y, x))
}

fn draw(state: &State) -> String {
    const LETTERS: [char; 4] = ['A', 'B', 'C', 'D'];
    let mut board = [[' '; 15]; 15];
    for (p, letter) in LETTERS.iter().enumerate() {
        for place in 1..=56 {
            let (x, y) = spot(p, place);
            board[y][x] = match (place, place % 13) {
                (52.., _) => letter.to_ascii_lowercase(),
                (_, 1 | 9) => 'o',
                (_, 6 | 12) => '*',
                _ => '.',
            };
        }
    }
    let mut lines = Vec::new();
    for (p, tokens) in state.tokens.iter().enumerate() {
        for &place in tokens.iter().filter(|place| (1..GOAL).contains(place)) {
            let (x, y) = spot(p, place);
            board[y][x] = match board[y][x] {
                c if c == LETTERS[p] => '2',
                c @ '2'..='8' => char::from(c as u8 + 1),
                c if LETTERS.contains(&c) => '#',
                _ => LETTERS[p],
            };
        }
        let count = |at: u8| tokens.iter().filter(|&&place| place == at).count();
        lines.push(format!("{}: {} home, {} in goal", LETTERS[p], count(HOME), count(GOAL)));
    }
    let mut text: String = board
        .iter()
        .map(|row| {
            row.iter().map(|c| format!("{c} ")).collect::<String>().trim_end().to_string() + "\n"
        })
        .collect();
    let doing = if state.die == 0 { "throws".into() } else { format!("has thrown {}", state.die) };
    text += &format!("{}\n{} {doing}\n", lines.join("; "), LETTERS[usize::from(state.mover & 3)]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    fn game(name: &str) -> Ludo {
        Ludo::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn the_laws_hold() {
        for name in ["ludo", "ludo(stars=fixed)"] {
            ludex_core::testkit::check(&game(name), 6, Seed(1)).unwrap();
        }
    }

    #[test]
    fn every_square_has_its_own_spot() {
        let mut spots: Vec<_> =
            (0..52u8).map(|at| spot(0, if at == 0 { 52 } else { at })).collect();
        spots[0] = (8, 0);
        spots.sort_unstable();
        spots.dedup();
        assert_eq!(spots.len(), 52);
        assert_eq!(spot(0, 51), (7, 0), "before the lane");
        assert_eq!(spot(1, 51), (14, 7));
    }

    #[test]
    fn the_star_that_one_leaves_is_what_the_versions_differ_in() {
        // The first player walks from 4 to the star on 6, where the second stands, and on to 12.
        let text = "4,-1,-1,-1/6,-1,-1,-1/-1,-1,-1,-1/-1,-1,-1,-1 1 2";
        let second = |name: &str| {
            let game = game(name);
            let mut state = game.parse_position(text).unwrap();
            game.try_apply(&mut state, &[token_move(0)]).unwrap();
            (state.frame()[3][0], state.frame()[0][0])
        };
        assert_eq!(second("ludo"), (51, -1), "the first is on 12, seen by the second");
        assert_eq!(second("ludo(stars=fixed)"), (51, 45));
    }
}
