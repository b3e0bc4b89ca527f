//! The players of Ludo without names, candidates and thoughts: what evolution, training and tables
//! play their many games with.

use super::hand::Hand;
use super::outlook::Outlook;
use ludex_core::Rng;
use ludex_games::Ludo;
use ludex_games::ludo::State;
use ludex_games::ludo::network::{self, Network};
use ludex_games::ludo::values::Kind;

/// A player that is ready to move.
#[derive(Debug, Clone)]
pub enum Player {
    /// Any token.
    Random,
    /// Written by hand.
    Hand(Hand),
    /// The paper's players of few genes, by their chromosome.
    Evolved(Kind, Vec<f64>),
    /// The paper's network.
    Full(Network),
    /// The learned value, and the look-ahead over it.
    Outlook(Outlook),
}

impl Player {
    /// The player of a chromosome; `None` where the number of genes is wrong.
    pub fn evolved(kind: Kind, genes: &[f64]) -> Option<Self> {
        match kind {
            Kind::Full => Network::new(genes).map(Player::Full),
            _ => (genes.len() == kind.genes()).then(|| Player::Evolved(kind, genes.to_vec())),
        }
    }

    /// The token to move; `None` where none can.
    pub fn token(&self, game: &Ludo, state: &State, rng: &mut Rng) -> Option<usize> {
        let legal = (0..4).filter(|&token| state.can_move(token));
        let first = legal.clone().next()?;
        let count = legal.clone().count();
        if count == 1 {
            return Some(first);
        }
        match self {
            Player::Random => legal.clone().nth(rng.index(count)),
            Player::Hand(hand) => hand.choose(game, state, &game.successors(state), rng),
            Player::Evolved(kind, genes) => {
                let before = state.frame();
                let next = game.successors(state);
                let mut best: Option<(f64, usize)> = None;
                for (token, next) in next.iter().enumerate() {
                    let Some(next) = next else { continue };
                    let value = kind.value(genes, &before, next, game.stars());
                    // The first of equal moves is chosen, as in the paper's program.
                    if best.is_none_or(|(most, _)| value > most) {
                        best = Some((value, token));
                    }
                }
                best.map(|(_, token)| token)
            }
            Player::Full(network) => {
                network::best(network, &state.frame(), &game.successors(state))
            }
            Player::Outlook(outlook) => outlook.token(game, state),
        }
    }
}
