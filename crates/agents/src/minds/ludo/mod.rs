//! Agents for Ludo alone: the players of the paper (Haugaard 2019; seed 003), the evolved ones
//! ([`values`]) by their chromosome and those written by hand with the quirks that they have in the
//! program behind the paper; and `ludo`, which looks ahead over a value learned by self-play
//! ([`outlook`]).
//!
//! [`values`]: ludex_games::ludo::values

pub mod chromosome;
pub mod hand;
pub mod outlook;
pub mod player;

use crate::agent::{Agent, Candidate, Choice, Failure, Thought};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use hand::Hand;
use ludex_core::deadline;
use ludex_core::{AnyGame, Error, Move, Player, Result, Rng, Seed, View};
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_games::ludo::{Frame, State, token_move};
use outlook::{Net, Outlook};
use std::sync::Arc;

/// These agents play this game only.
const NEEDS: Needs = Needs::game("ludo");

pub(crate) const FAST: Entry = Entry {
    name: "ludo-fast",
    summary: "the Ludo engine's racer, which by a slip moves its rearmost token",
    needs: NEEDS,
    usual: || recipe(HandParams { hand: Hand::Fast }),
};

pub(crate) const AGGRESSIVE: Entry = Entry {
    name: "ludo-aggressive",
    summary: "the Ludo engine's hunter (any token in the paper's version)",
    needs: NEEDS,
    usual: || recipe(HandParams { hand: Hand::Aggressive }),
};

pub(crate) const DEFENSIVE: Entry = Entry {
    name: "ludo-defensive",
    summary: "the Ludo engine's coward: moves the token most in danger",
    needs: NEEDS,
    usual: || recipe(HandParams { hand: Hand::Defensive }),
};

pub(crate) const SMART: Entry = Entry {
    name: "ludo-smart",
    summary: "the Ludo paper's opponent: tokens out by sixes, then the best sum of places",
    needs: NEEDS,
    usual: || recipe(HandParams { hand: Hand::Smart }),
};

pub(crate) const ENTRY: Entry = Entry {
    name: "ludo",
    summary: "Ludo: looks ahead over chances to win that it learned by playing itself",
    needs: NEEDS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// A player that is written by hand has nothing to set.
    pub struct HandParams {}
    with {
        /// Which player.
        pub hand: Hand = Hand::Fast;
    }
}

impl Recipe for HandParams {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(seat(Mind::Hand(self.hand), seed))
    }
}

ludex_core::params! {
    /// The parameters of `ludo`.
    pub struct Params {
        /// Turns of other players that are looked ahead, over all throws. Five turns take minutes a move.
        pub plies: u32 = outlook::PLIES, 0..=4;
        /// File of other weights, from `ludex train ludo`.
        pub file: Option<String> = None, "usual";
    }
    places = 1;
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let own = self.file.as_deref().map(read_weights).transpose()?;
        Ok(seat(Mind::Outlook { plies: self.plies, own }, seed))
    }

    fn load(&self) -> Result<()> {
        self.file.as_deref().map_or(Ok(()), |file| read_weights(file).map(|_| ()))
    }
}

fn read_weights(file: &str) -> Result<Arc<Net>> {
    let bad = |reason: String| Error::BadParameter { name: "ludo".into(), reason };
    let bytes = std::fs::read(file).map_err(|e| bad(format!("{file}: {e}")))?;
    let net = Net::from_bytes(&bytes);
    net.map(Arc::new).ok_or_else(|| bad(format!("{file}: no weights of `ludex train ludo`")))
}

/// A player that has read its files.
pub(crate) enum Mind {
    Hand(Hand),
    Evolved(Kind, Vec<f64>),
    /// The usual weights depend on the rules.
    Outlook {
        plies: u32,
        own: Option<Arc<Net>>,
    },
}

struct Seated {
    mind: Mind,
    rng: Rng,
}

fn seat(mind: Mind, seed: Seed) -> Box<dyn Agent<AnyGame>> {
    Box::new(Seated { mind, rng: seed.rng() })
}

impl Mind {
    /// The payoff that it expects of each token, where it judges them.
    fn values(
        &self,
        game: &Ludo,
        state: &State,
        next: &[Option<Frame>; 4],
        timed: bool,
    ) -> Vec<(usize, f64)> {
        match self {
            Mind::Hand(_) => tokens(next).map(|(token, _)| (token, 0.5)).collect(),
            Mind::Evolved(kind, genes) => {
                let before = state.frame();
                tokens(next)
                    .map(|(t, next)| (t, kind.value(genes, &before, next, game.stars())))
                    .collect()
            }
            Mind::Outlook { plies, own } => {
                let outlook = match own {
                    Some(net) => Outlook::new(Arc::clone(net), *plies),
                    None => Outlook::usual(game.stars()).with_plies(*plies),
                };
                let seat = state.mover().index() & 3;
                let values = |plies| -> Vec<(usize, f64)> {
                    let each = outlook.each(game, state, plies);
                    each.map(|(token, chances)| (token, f64::from(chances[seat]))).collect()
                };
                // Against the clock: deeper and deeper, so that there is an answer at any time.
                let first = if timed { 0 } else { *plies };
                let mut best = values(first);
                for plies in first + 1..=*plies {
                    let deeper = values(plies);
                    if deadline::look() {
                        break;
                    }
                    best = deeper;
                }
                best
            }
        }
    }
}

fn tokens(next: &[Option<Frame>; 4]) -> impl Iterator<Item = (usize, &Frame)> {
    next.iter().enumerate().filter_map(|(token, next)| Some((token, next.as_ref()?)))
}

impl Agent<AnyGame> for Seated {
    fn name(&self) -> String {
        "ludo".into()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let name = "ludo";
        let (Some(game), Some(state)) =
            (game.get::<Ludo>(), view.state().and_then(|state| state.get::<State>()))
        else {
            return Err(Error::Unsupported("it plays ludo only".into()).into());
        };
        let clock = Clock::start(budget, true);
        let _scope = clock.enter();
        let next = game.successors(state);
        let values = self.mind.values(game, state, &next, clock.left().is_some());
        let chosen = match &self.mind {
            Mind::Hand(hand) => hand.choose(game, state, &next, &mut self.rng),
            // The first of equal moves is chosen, as in the paper's program.
            _ => values
                .iter()
                .copied()
                .reduce(|best, one| if one.1 > best.1 { one } else { best })
                .map(|(token, _)| token),
        };
        let Some(chosen) = chosen else { return Err(crate::spec::not_to_move(name).into()) };
        let evolved = matches!(self.mind, Mind::Evolved(..));
        // Means of chances may be a rounding beyond one.
        let payoff = |value: f64| {
            if evolved { (0.5 + 0.5 * value.tanh()) as f32 } else { value.clamp(0.0, 1.0) as f32 }
        };
        let mut candidates: Vec<Candidate> = values
            .iter()
            .map(|&(token, value)| {
                let mv: Move = token_move(token);
                let (value, line) = (payoff(value), vec![mv]);
                Candidate { mv, visits: 1, value, line, ..Candidate::default() }
            })
            .collect();
        let mv = token_move(chosen);
        // The choice first; the others by value.
        candidates
            .sort_by(|a, b| (b.mv == mv).cmp(&(a.mv == mv)).then(b.value.total_cmp(&a.value)));
        let value = candidates.first().map(|c| c.value);
        let nodes = candidates.len() as u64;
        let thought = Thought { nodes, depth: 1, value, candidates, ..Thought::default() };
        Ok(Choice { mv, thought })
    }
}
