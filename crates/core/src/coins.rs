//! A tiny game with chance, and with something hidden if wanted.

use crate::encode::{self, ActionSpace, Encoding};
use crate::error::{Error, Result};
use crate::game::{Game, Info, Move, Turn};
use crate::player::Player;
use crate::random::mix;
use crate::view::View;

/// A tiny game for documentation and tests: a fair coin decides who starts; then the players
/// take 1 to 3 coins in turn from the rest of ten, and who takes the last coin wins. Its hidden
/// version does not tell how many coins the other took, only how many may be taken next.
#[derive(Debug, Clone)]
pub struct Coins {
    info: Info,
}

/// A state of [`Coins`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoinsState {
    pub(crate) left: u8,
    /// 0 and 1: that player moves; 2: the coin is tossed.
    mover: u8,
}

impl Default for Coins {
    fn default() -> Self {
        let mut info = Info::new("coins", "Take the last coin", &["first", "second"]);
        info.chance = true;
        info.longest = Some(11);
        info.action_keys = Some(8);
        Coins { info }
    }
}

impl Coins {
    /// The version with hidden moves.
    pub fn hidden() -> Self {
        let mut game = Coins::default();
        game.info.hidden = true;
        game.info.name = "coins(hidden)".into();
        game
    }
}

/// The largest number of coins, and of steps, that an observation tells apart.
const MOST: usize = 11;

impl Game for Coins {
    type State = CoinsState;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> CoinsState {
        CoinsState { left: 10, mover: 2 }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(4)
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| mv.0 as u32));
    }

    fn encoding(&self) -> Encoding {
        Encoding::flat(2 * (MOST + 1), &["coins left", "steps"])
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let feature = match view.state() {
            Some(state) => state.left.into(),
            None => MOST + 1 + view.records().len().min(MOST),
        };
        out.push((feature as u32, 1.0));
    }

    fn turn(&self, state: &CoinsState) -> Turn {
        match state {
            CoinsState { mover: 2, .. } => Turn::Chance,
            CoinsState { left: 0, .. } => Turn::Over,
            _ => Turn::One(Player(state.mover)),
        }
    }

    fn moves(&self, state: &CoinsState, _: Player, out: &mut Vec<Move>) {
        out.extend((1..=state.left.min(3)).map(|n| Move(n.into())));
    }

    fn apply(&self, state: &mut CoinsState, joint: &[Move]) {
        let mv = joint[0].0 as u8;
        if state.mover == 2 {
            state.mover = mv - 4;
        } else {
            state.left -= mv;
            state.mover ^= 1;
        }
    }

    fn payoffs(&self, state: &CoinsState, out: &mut [f32]) {
        out.fill(1.0);
        out[state.mover as usize] = 0.0;
    }

    fn hash(&self, state: &CoinsState) -> u64 {
        mix(u64::from(state.left) << 8 | u64::from(state.mover))
    }

    fn move_text(&self, mv: Move) -> String {
        match mv.0 {
            4 => "heads".into(),
            5 => "tails".into(),
            n => n.to_string(),
        }
    }

    fn position(&self, state: &CoinsState) -> String {
        format!("{} {}", state.left, state.mover)
    }

    fn parse_position(&self, text: &str) -> Result<CoinsState> {
        let (left, mover) = text.split_once(' ').unwrap_or((text, "0"));
        match (left.parse(), mover.parse()) {
            (Ok(left @ 0..=10), Ok(mover @ 0..=2)) => Ok(CoinsState { left, mover }),
            _ => Err(Error::BadPosition {
                text: text.into(),
                reason: "expected `COINS MOVER`".into(),
            }),
        }
    }

    fn chances(&self, _: &CoinsState, out: &mut Vec<(Move, f64)>) {
        out.extend([(Move(4), 0.5), (Move(5), 0.5)]);
    }

    fn percept(
        &self,
        before: &CoinsState,
        joint: &[Move],
        after: &CoinsState,
        _: Player,
        out: &mut Vec<u64>,
    ) {
        let secret = self.info.hidden && before.mover != 2;
        // Both players hear how many coins may be taken next, because their legal moves show it anyway.
        out.push(if secret { u64::from(after.left.min(3)) } else { joint[0].0 });
    }

    fn action_key(&self, _: &CoinsState, player: Player, mv: Move) -> u64 {
        mv.0 + 4 * u64::from(player.0)
    }
}
