//! A value of Ludo positions learned by self-play: the probabilities of all four players to win,
//! and a look-ahead over the throws and replies of those who move next.

pub mod features;
pub mod net;

pub use features::Features;
pub use net::Net;

use ludex_core::deadline;
use ludex_core::{Game, Move, Player};
use ludex_games::Ludo;
use ludex_games::ludo::{Stars, State, token_move};
use std::sync::{Arc, LazyLock};

/// The probabilities of the four seats to win.
pub type Chances = [f32; 4];

/// The learned value with its look-ahead.
#[derive(Debug, Clone)]
pub struct Outlook {
    net: Arc<Net>,
    plies: u32,
}

/// The weights that `ludex train ludo` made, for both versions of the rules.
static WEIGHTS: [&[u8]; 2] =
    [include_bytes!("weights/paper.bin"), include_bytes!("weights/fixed.bin")];

/// The networks of these weights.
static USUAL: LazyLock<[Arc<Net>; 2]> = LazyLock::new(|| {
    WEIGHTS.map(|bytes| {
        // A test holds the files to be whole; without weights all positions are alike.
        Arc::new(Net::from_bytes(bytes).unwrap_or_else(Net::blank))
    })
});

/// Turns of other players that are looked ahead by default.
pub const PLIES: u32 = 1;

impl Outlook {
    /// The best that we have for a version of the rules.
    pub fn usual(stars: Stars) -> Self {
        let [paper, fixed] = &*USUAL;
        let net = if stars == Stars::Paper { paper } else { fixed };
        Outlook::new(Arc::clone(net), PLIES)
    }

    /// Looks so many turns of others ahead; with none it takes the best position after its move.
    pub fn new(net: Arc<Net>, plies: u32) -> Self {
        Outlook { net, plies }
    }

    /// The value function with another look-ahead.
    #[must_use]
    pub fn with_plies(self, plies: u32) -> Self {
        Outlook { plies, ..self }
    }

    /// The chances of all seats where `last` has just moved, or could not.
    pub fn judge(&self, game: &Ludo, state: &State, last: Player) -> Chances {
        if let Some(winner) = state.winner() {
            let mut chances = Chances::default();
            chances[winner.index() & 3] = 1.0;
            return chances;
        }
        let mut says = self.net.judge(&Features::of(&state.places(last), game.stars()));
        says.rotate_right(last.index() & 3);
        says
    }

    /// The chances where `last` has just moved, after `plies` more turns in which each player does
    /// what is best for itself: the mean over the throws.
    pub fn ahead(&self, game: &Ludo, state: &State, last: Player, plies: u32) -> Chances {
        // A value found after the deadline is dropped, so end quickly with any value.
        if plies == 0 || state.winner().is_some() || plies > 1 && deadline::look() {
            return self.judge(game, state, last);
        }
        let mover = state.mover();
        let mut sum = Chances::default();
        // All throws that move no token lead to the same position: compute it once.
        let mut idle: Option<Chances> = None;
        for die in 1..=6 {
            let mut thrown = *state;
            game.apply(&mut thrown, &[Move(die)]);
            let chances = if thrown.die() == 0 {
                *idle.get_or_insert_with(|| self.ahead(game, &thrown, mover, plies - 1))
            } else {
                self.best(game, &thrown, plies - 1).map_or_else(Chances::default, |best| best.1)
            };
            sum.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += chance / 6.0);
        }
        sum
    }

    /// The mover's best token and the chances after it.
    fn best(&self, game: &Ludo, state: &State, plies: u32) -> Option<(usize, Chances)> {
        let seat = state.mover().index() & 3;
        let each = self.each(game, state, plies);
        each.reduce(|best, one| if one.1[seat] > best.1[seat] { one } else { best })
    }

    /// Every token that can move, once a place, with the chances after its move.
    pub fn each(
        &self,
        game: &Ludo,
        state: &State,
        plies: u32,
    ) -> impl Iterator<Item = (usize, Chances)> {
        let mover = state.mover();
        let own = state.places(mover)[0];
        let tokens = (0..4).filter(move |&t| state.can_move(t) && !own[..t].contains(&own[t]));
        tokens.map(move |token| {
            let mut after = *state;
            game.apply(&mut after, &[token_move(token)]);
            (token, self.ahead(game, &after, mover, plies))
        })
    }

    /// The token to move; `None` where none can.
    pub fn token(&self, game: &Ludo, state: &State) -> Option<usize> {
        self.best(game, state, self.plies).map(|(token, _)| token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_at_hand_are_whole() {
        for bytes in WEIGHTS {
            let net = Net::from_bytes(bytes).expect("weights");
            assert_ne!(net, Net::blank());
            assert_eq!(Net::from_bytes(&bytes[..bytes.len() - 1]), None, "cut short");
        }
    }
}
