//! The players of the Ludo paper (Haugaard 2019; seed 003), for that game alone: the evolved ones
//! ([`values`]), by their chromosome, and those written by hand, with the quirks that they have in
//! the program behind the paper.
//!
//! [`values`]: ludex_games::ludo::values

pub mod chromosome;
pub mod hand;
pub mod outlook;
pub mod player;

use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::budget::Budget;
use chromosome::Chromosome;
use hand::Hand;
use ludex_core::{AnyGame, Error, Info, Move, Result, Rng, Seed, Spec, View};
use ludex_games::Ludo;
use ludex_games::ludo::State;
use ludex_games::ludo::token_move;
use ludex_games::ludo::values::Kind;
use std::fmt;

/// The minds by name.
pub const NAMES: [&str; 7] = [
    "ludo-fast",
    "ludo-aggressive",
    "ludo-defensive",
    "ludo-smart",
    "ludo-simple",
    "ludo-advanced",
    "ludo-full",
];

/// A player of the paper with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Params {
    /// Written by hand.
    Hand(Hand),
    /// Evolved.
    Evolved(Kind, Chromosome),
}

impl Params {
    /// Reads a name such as `ludo-simple(1.2,0.9,1.1,0.8)` or `ludo-full(file=best.npy)`.
    ///
    /// # Errors
    /// Unknown keys, too many or bad genes.
    pub fn read(spec: &Spec) -> Result<Self> {
        let hand = [
            ("ludo-fast", Hand::Fast),
            ("ludo-aggressive", Hand::Aggressive),
            ("ludo-defensive", Hand::Defensive),
            ("ludo-smart", Hand::Smart),
        ];
        if let Some((_, hand)) = hand.into_iter().find(|(name, _)| spec.name == *name) {
            spec.expect(&[], 0)?;
            return Ok(Params::Hand(hand));
        }
        let kind = match spec.name.as_str() {
            "ludo-simple" => Kind::Simple,
            "ludo-advanced" => Kind::Advanced,
            _ => Kind::Full,
        };
        Ok(Params::Evolved(kind, Chromosome::read(spec, kind)?))
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        match self {
            Params::Hand(Hand::Fast) => "ludo-fast",
            Params::Hand(Hand::Aggressive) => "ludo-aggressive",
            Params::Hand(Hand::Defensive) => "ludo-defensive",
            Params::Hand(Hand::Smart) => "ludo-smart",
            Params::Evolved(Kind::Simple, _) => "ludo-simple",
            Params::Evolved(Kind::Advanced, _) => "ludo-advanced",
            Params::Evolved(Kind::Full, _) => "ludo-full",
        }
    }

    /// What keeps it from such a game.
    pub(crate) fn obstacle(&self, info: &Info) -> Option<&'static str> {
        let ludo = info.name == "ludo" || info.name.starts_with("ludo(");
        (!ludo).then_some("plays ludo only")
    }

    /// Sits down.
    ///
    /// # Errors
    /// A chromosome's file that can't be read.
    pub(crate) fn build(&self, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let genes = match self {
            Params::Hand(_) => Vec::new(),
            Params::Evolved(kind, chromosome) => chromosome.load(*kind)?,
        };
        Ok(Box::new(Seated { params: self.clone(), genes, rng: seed.rng() }))
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Params::Hand(_) => Ok(()),
            Params::Evolved(_, chromosome) => chromosome.fmt(f),
        }
    }
}

struct Seated {
    params: Params,
    genes: Vec<f64>,
    rng: Rng,
}

impl Agent<AnyGame> for Seated {
    fn name(&self) -> String {
        self.params.to_string()
    }

    fn choose(&mut self, game: &AnyGame, view: &View<'_, AnyGame>, _: &Budget) -> Result<Choice> {
        let name = self.params.name();
        let (Some(game), Some(state)) =
            (game.get::<Ludo>(), view.state().and_then(|state| state.get::<State>()))
        else {
            return Err(Error::Unsupported(format!("{name} plays ludo only")));
        };
        let next = game.successors(state);
        let before = state.frame();
        let mut values: Vec<(usize, f64)> = Vec::new();
        for (token, next) in next.iter().enumerate() {
            let Some(next) = next else { continue };
            let value = match &self.params {
                Params::Evolved(kind, _) => kind.value(&self.genes, &before, next, game.stars()),
                Params::Hand(_) => 0.0,
            };
            values.push((token, value));
        }
        let chosen = match &self.params {
            Params::Hand(hand) => hand.choose(game, state, &next, &mut self.rng),
            // Of equals the first, as in the paper's program.
            Params::Evolved(..) => values
                .iter()
                .copied()
                .reduce(|best, one| if one.1 > best.1 { one } else { best })
                .map(|(token, _)| token),
        };
        let Some(chosen) = chosen else { return Err(crate::spec::not_to_move(name)) };
        let payoff = |value: f64| (0.5 + 0.5 * value.tanh()) as f32;
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
