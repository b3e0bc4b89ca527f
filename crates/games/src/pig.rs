//! Pig: `pig(target=100,players=2)`. A player rolls a die as often as it likes; a 1 ends the turn
//! with nothing, `hold` adds the turn's total to the score. Who first holds `target` or more wins.
//!
//! Rules that differ between versions of Pig: here a turn begins with a roll (there is nothing to hold yet),
//! and once the target is reached the only move is `hold`.
//!
//! Moves are `roll` and `hold`; chance rolls `1` to `6`. A position is the scores, whose turn it
//! is, the turn's total, and `rolling` while the die is in the air: `12,30 2 7`, `0,0 1 0 rolling`.

use crate::bits::hash;
use crate::catalog::Entry;
use crate::grid::bad_position;
use crate::table;
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, Piece, Placed, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};

/// The most players of a game.
const MOST_PLAYERS: usize = 10;

const HOLD: u64 = 0;
const ROLL: u64 = 7;

/// The rules. A [`Move`] is 0 for hold, 7 for roll; 1 to 6 are the die's.
#[derive(Debug, Clone)]
pub struct Pig {
    info: Info,
    target: u16,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    scores: [u16; MOST_PLAYERS],
    /// The points of the turn so far.
    total: u16,
    mover: u8,
    stage: Stage,
}

/// The next event of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Stage {
    Choice,
    Die,
    /// The mover has won.
    Over,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "pig",
    title: "Pig: roll on or hold, a 1 loses the turn",
    params: || Params::default().describe(),
    examples: &["pig", "pig(target=50,players=3)"],
    position: "12,30 2 7",
    open: |spec| Pig::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `pig`.
    struct Params {
        /// Points that win.
        target: u32 = 100, 2..=1000;
        /// Players.
        players: u32 = 2, 2..=10;
    }
    places = 2;
}

impl Pig {
    /// The game with the parameters `target` and `players`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("pig", &Params::default()).to_string();
        let Params { target, players } = params;
        let names: Vec<String> = (1..=players).map(|p| format!("player{p}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut info = Info::new(name, format!("Pig, first to {target}"), &names);
        info.chance = true;
        info.action_keys = Some(2 * players);
        Ok(Pig { info, target: target as u16 })
    }

    fn score(&self, state: &State) -> u16 {
        state.scores[usize::from(state.mover)]
    }

    fn pass_on(&self, state: &mut State) {
        state.total = 0;
        state.mover += 1;
        if usize::from(state.mover) == self.info.seats() {
            state.mover = 0;
        }
    }

    /// Can rolls of 2 to 6, each made below the target, bring `base` up by `total`?
    fn rolled(&self, base: u16, total: u16) -> bool {
        total == 0
            || (2..=6).any(|last| {
                let before = total.checked_sub(last).filter(|&before| before != 1);
                before.is_some_and(|before| base + before < self.target)
            })
    }

    /// May the mover roll, may it hold?
    #[inline]
    fn options(&self, state: &State) -> (bool, bool) {
        (self.score(state) + state.total < self.target, state.total > 0)
    }
}

impl Game for Pig {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State { scores: [0; MOST_PLAYERS], total: 0, mover: 0, stage: Stage::Choice }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.stage {
            Stage::Choice => Turn::One(Player(state.mover)),
            Stage::Die => Turn::Chance,
            Stage::Over => Turn::Over,
        }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        let (roll, hold) = self.options(state);
        out.extend(roll.then_some(Move(ROLL)));
        out.extend(hold.then_some(Move(HOLD)));
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(2)
    }

    /// 0 rolls, 1 holds.
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| u32::from(mv.0 != ROLL)));
    }

    fn encoding(&self) -> Encoding {
        Encoding::flat(2 * self.info.seats() + 1, &["scores", "mover", "points of the turn"])
    }

    /// Scores and the mover come in the order of turns, beginning with the seat itself.
    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let seats = self.info.seats();
        let target = f32::from(self.target);
        for place in 0..seats {
            let player = (view.seat().index() + place) % seats;
            out.push((place as u32, f32::from(state.scores[player]) / target));
            if player == usize::from(state.mover) {
                out.push(((seats + place) as u32, 1.0));
            }
        }
        out.push((2 * seats as u32, f32::from(state.total) / target));
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        _: C,
        state: &State,
        _: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        match self.options(state) {
            (true, true) => Move(u64::from(rng.below(2)) * ROLL),
            (true, false) => Move(ROLL),
            _ => Move(HOLD),
        }
    }

    fn chances(&self, _: &State, out: &mut Vec<(Move, f64)>) {
        out.extend((1..=6).map(|pips| (Move(pips), 1.0 / 6.0)));
    }

    #[inline]
    fn sample_chance(&self, _: &State, rng: &mut Rng) -> Move {
        Move(1 + u64::from(rng.below(6)))
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        state.stage = Stage::Choice;
        match joint[0].0 {
            ROLL => state.stage = Stage::Die,
            HOLD => {
                let score = self.score(state) + state.total;
                state.scores[usize::from(state.mover)] = score;
                if score >= self.target {
                    state.total = 0;
                    state.stage = Stage::Over;
                } else {
                    self.pass_on(state);
                }
            }
            1 => self.pass_on(state),
            pips => state.total += pips as u16,
        }
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        out.fill(0.0);
        out[usize::from(state.mover)] = 1.0;
    }

    fn hash(&self, state: &State) -> u64 {
        let rest = u64::from(state.total) << 16 | u64::from(state.mover) << 8 | state.stage as u64;
        let scores = state.scores.iter().take(self.info.seats());
        scores.fold(hash([rest]), |sum, &score| hash([sum, score.into()]))
    }

    fn move_text(&self, mv: Move) -> String {
        match mv.0 {
            HOLD => "hold".into(),
            ROLL => "roll".into(),
            pips => pips.to_string(),
        }
    }

    fn position(&self, state: &State) -> String {
        let scores: Vec<String> =
            state.scores.iter().take(self.info.seats()).map(u16::to_string).collect();
        let rolling = if state.stage == Stage::Die { " rolling" } else { "" };
        format!("{} {} {}{rolling}", scores.join(","), state.mover + 1, state.total)
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (scores, mover, total, die) = match words[..] {
            [scores, mover, total] => (scores, mover, total, false),
            [scores, mover, total, "rolling"] => (scores, mover, total, true),
            _ => return bad_position(text, "expected `SCORES MOVER TOTAL [rolling]`"),
        };
        let seats = self.info.seats();
        let list: Vec<Option<u16>> = scores.split(',').map(|score| score.parse().ok()).collect();
        if list.len() != seats {
            return bad_position(text, format!("{seats} scores, not {}", list.len()));
        }
        let mut state = self.start();
        for (place, score) in state.scores.iter_mut().zip(list) {
            match score {
                Some(score) if self.rolled(0, score) => *place = score,
                _ => return bad_position(text, "no turns bring such a score"),
            }
        }
        match mover.parse::<u8>() {
            Ok(mover) if (1..=seats).contains(&mover.into()) => state.mover = mover - 1,
            _ => return bad_position(text, format!("the mover is 1 to {seats}, not `{mover}`")),
        }
        match total.parse::<u16>() {
            Ok(total) if self.rolled(self.score(&state), total) => state.total = total,
            _ => return bad_position(text, "no rolls bring such a total of the turn"),
        }
        let done = state.scores.iter().filter(|&&score| score >= self.target).count();
        if done > 0 {
            if done > 1 || self.score(&state) < self.target || state.total > 0 || die {
                return bad_position(text, "a won game has one winner, who moved last, total 0");
            }
            state.stage = Stage::Over;
            return Ok(state);
        }
        let sum = self.score(&state) + state.total;
        if die {
            if sum >= self.target {
                return bad_position(text, "a player who has reached the target can't roll");
            }
            state.stage = Stage::Die;
        }
        Ok(state)
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        u64::from(player.0) * 2 + u64::from(mv.0 == ROLL)
    }

    /// A track of points: each player has a stone at its score, the mover a ring where it would stand after `hold`.
    fn scene(&self) -> Scene {
        let columns = if self.target > 200 { 40 } else { 10 };
        let place = |points: u16| {
            let (row, column) = (points / columns, points % columns);
            table::site(points.to_string(), f32::from(column), -f32::from(row))
        };
        let seats = 0..self.info.seats() as u8;
        let stone = |seat| Piece::new("score", "disc", "s", Some(seat));
        let ring = |seat| Piece::new("score with this turn", "ring", "t", Some(seat));
        let pieces = seats.clone().map(stone).chain(seats.map(ring)).collect();
        let mut scene = table::scene(self, (0..=self.target).map(place).collect(), pieces);
        scene.stack = scene::Stack::Fan;
        scene
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> scene::View {
        let seats = self.info.seats();
        let at = |points: u16| usize::from(points.min(self.target));
        let scores = state.scores.iter().take(seats).enumerate();
        let mut pieces: Vec<Placed> =
            scores.map(|(seat, &score)| Placed::new(at(score), seat)).collect();
        if state.total > 0 {
            let mover = usize::from(state.mover);
            pieces.push(Placed::new(at(self.score(state) + state.total), seats + mover));
        }
        table::view(self, state, viewer, pieces)
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        let mut text = String::new();
        for (p, (name, score)) in self.info.players.iter().zip(&state.scores).enumerate() {
            let turn = match (p == usize::from(state.mover), state.stage) {
                (false, _) => String::new(),
                (_, Stage::Choice) => format!("  + {}", state.total),
                (_, Stage::Die) => format!("  + {}, rolls", state.total),
                (_, Stage::Over) => "  has won".into(),
            };
            text += &format!("{name:<9} {score:>4}{turn}\n");
        }
        text
    }

    fn terms(&self) -> &[&'static str] {
        &["score"]
    }

    /// `score`: the player's score (with the turn's total) less the best of the others, in
    /// targets.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        let worth = |p: usize| {
            let total = if p == usize::from(state.mover) { state.total } else { 0 };
            (state.scores[p] + total) as f32 / f32::from(self.target)
        };
        let others = (0..self.info.seats()).filter(|&p| p != player.index()).map(worth);
        let best = others.fold(0.0, f32::max);
        if let ([score, ..], true) = (out, player.index() < self.info.seats()) {
            *score = (worth(player.index()) - best).clamp(-1.0, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Pig {
        Pig::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms() {
        for name in ["pig", "pig(20)", "pig(target=50,players=5)", "pig(1000,10)", "pig(2)"] {
            conform(&game(name));
        }
    }

    #[test]
    fn a_one_loses_the_turn_and_hold_keeps_it() {
        let game = game("pig");
        let after = |position: &str, mv: u64| {
            let mut state = game.parse_position(position).unwrap();
            game.try_apply(&mut state, &[Move(mv)]).unwrap();
            game.position(&state)
        };
        assert_eq!(after("12,30 2 7 rolling", 1), "12,30 1 0");
        assert_eq!(after("12,30 2 7 rolling", 6), "12,30 2 13");
        assert_eq!(after("12,30 2 7", HOLD), "12,37 1 0");
        assert_eq!(after("12,30 2 7", ROLL), "12,30 2 7 rolling");
        assert_eq!(after("96,30 1 4", HOLD), "100,30 1 0");
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game("pig");
        for text in [
            "0 1 0",
            "0,0 3 0",
            "0,0 0 0",
            "1,0 1 0",
            "0,0 1 1",
            "106,0 1 0",
            "100,0 2 0",
            "100,100 1 0",
            "96,0 1 4 rolling",
            "96,0 1 10",
            "0,0 1 0 flying",
            "0,0 1 -2",
        ] {
            assert!(game.parse_position(text).is_err(), "{text}");
        }
    }
}
