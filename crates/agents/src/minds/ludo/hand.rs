//! The players that come with the paper's engine.

use ludex_core::Rng;
use ludex_games::Ludo;
use ludex_games::ludo::{Frame, Stars, State, values, vulnerability};

/// A player written by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// Meant to move its foremost token, it moves the rearmost: its list is sorted the other way.
    Fast,
    /// Sends others home where it can; else any token. In the paper's version of the program the
    /// comparison that looks for a hit never comes true, and it moves any token always.
    Aggressive,
    /// Moves the token that most throws may hit.
    Defensive,
    /// Brings a token out by a six; else the best sum of places.
    Smart,
}

impl Hand {
    /// The token to move; `None` where none can.
    pub(crate) fn choose(
        self,
        game: &Ludo,
        state: &State,
        next: &[Option<Frame>; 4],
        rng: &mut Rng,
    ) -> Option<usize> {
        let legal: Vec<usize> = (0..4).filter(|&token| next[token].is_some()).collect();
        let before = state.frame();
        let any = |tokens: &[usize], rng: &mut Rng| tokens.get(rng.index(tokens.len())).copied();
        match self {
            Hand::Fast => legal.into_iter().min_by_key(|&token| before[0][token]),
            Hand::Aggressive => {
                let home =
                    |frame: &Frame| frame[1..].iter().flatten().filter(|&&n| n == -1).count();
                let hits = |&token: &usize| {
                    next[token].as_ref().is_some_and(|next| home(next) > home(&before))
                };
                let hit = legal.iter().copied().find(hits);
                match game.stars() {
                    Stars::Fixed if hit.is_some() => hit,
                    _ => any(&legal, rng),
                }
            }
            Hand::Defensive => {
                let hits = vulnerability::of(&before, game.stars());
                let most = legal.iter().map(|&token| hits[token]).max()?;
                let worst: Vec<usize> =
                    legal.into_iter().filter(|&token| hits[token] == most).collect();
                any(&worst, rng)
            }
            Hand::Smart => match values::smart(&before, state.die(), next) {
                Some(token) => Some(token),
                None => {
                    let home: Vec<usize> =
                        legal.into_iter().filter(|&token| before[0][token] == -1).collect();
                    any(&home, rng)
                }
            },
        }
    }
}
