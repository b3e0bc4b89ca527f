//! Minds for Ludo alone: the players of the paper (Haugaard 2019; seed 003), the evolved ones
//! ([`values`]) by their chromosome and those written by hand with the quirks that they have in the
//! program behind the paper; and `ludo`, which looks ahead over a value learned by self-play
//! ([`outlook`]).
//!
//! [`values`]: ludex_games::ludo::values

pub mod chromosome;
pub mod hand;
pub mod outlook;
pub mod player;

use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::budget::Budget;
use crate::clock::Clock;
use chromosome::Chromosome;
use hand::Hand;
use ludex_core::deadline;
use ludex_core::{AnyGame, Error, Info, Move, Result, Rng, Seed, Spec, View};
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_games::ludo::{Frame, State, token_move};
use outlook::{Net, Outlook};
use std::fmt;
use std::sync::Arc;

/// The minds by name.
pub const NAMES: [&str; 8] = [
    "ludo",
    "ludo-fast",
    "ludo-aggressive",
    "ludo-defensive",
    "ludo-smart",
    "ludo-simple",
    "ludo-advanced",
    "ludo-full",
];

/// A player with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Params {
    /// The learned value: how many turns of others it looks ahead, and a file of other weights.
    Outlook {
        /// Turns of others.
        plies: u32,
        /// Weights that `ludex train` wrote.
        file: Option<String>,
    },
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
        if spec.name == "ludo" {
            spec.expect(&["plies", "file"], 1)?;
            let plies: u32 = spec.param("plies", Some(0), outlook::PLIES)?;
            if plies > MOST_PLIES {
                let reason = format!("`plies` must be 0 to {MOST_PLIES}, not {plies}");
                return Err(Error::BadParameter { name: spec.name.clone(), reason });
            }
            let given = spec.get("file").map(|file| file.name.clone());
            let file = given.filter(|file| file != "usual");
            return Ok(Params::Outlook { plies, file });
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
            Params::Outlook { .. } => "ludo",
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
        Ok(Box::new(Seated { params: self.clone(), mind: self.load()?, rng: seed.rng() }))
    }

    /// Reads what it needs.
    pub(crate) fn load(&self) -> Result<Mind> {
        Ok(match self {
            Params::Hand(hand) => Mind::Hand(*hand),
            Params::Evolved(kind, chromosome) => Mind::Evolved(*kind, chromosome.load(*kind)?),
            Params::Outlook { plies, file } => {
                let own = file.as_deref().map(read_weights).transpose()?;
                Mind::Outlook { plies: *plies, own }
            }
        })
    }
}

/// Five turns ahead take minutes a move.
const MOST_PLIES: u32 = 4;

fn read_weights(file: &str) -> Result<Arc<Net>> {
    let bad = |reason: String| Error::BadParameter { name: "ludo".into(), reason };
    let bytes = std::fs::read(file).map_err(|e| bad(format!("{file}: {e}")))?;
    let net = Net::from_bytes(&bytes);
    net.map(Arc::new).ok_or_else(|| bad(format!("{file}: no weights of `ludex train ludo`")))
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Params::Outlook { plies, file } = self {
            let plies = (*plies != outlook::PLIES).then(|| format!("plies={plies}"));
            let file = file.as_ref().map(|file| format!("file={}", Spec::new(file)));
            return crate::spec::write_call(f, self.name(), [plies, file]);
        }
        f.write_str(self.name())?;
        match self {
            Params::Hand(_) | Params::Outlook { .. } => Ok(()),
            Params::Evolved(_, chromosome) => chromosome.fmt(f),
        }
    }
}

/// A player that has read its files.
pub(crate) enum Mind {
    Hand(Hand),
    Evolved(Kind, Vec<f64>),
    /// Which weights are usual depends on the rules.
    Outlook {
        plies: u32,
        own: Option<Arc<Net>>,
    },
}

struct Seated {
    params: Params,
    mind: Mind,
    rng: Rng,
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
        self.params.to_string()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice> {
        let name = self.params.name();
        let (Some(game), Some(state)) =
            (game.get::<Ludo>(), view.state().and_then(|state| state.get::<State>()))
        else {
            return Err(Error::Unsupported(format!("{name} plays ludo only")));
        };
        let clock = Clock::start(budget, true);
        let _scope = clock.enter();
        let next = game.successors(state);
        let values = self.mind.values(game, state, &next, clock.left().is_some());
        let chosen = match &self.mind {
            Mind::Hand(hand) => hand.choose(game, state, &next, &mut self.rng),
            // Of equals the first, as in the paper's program.
            _ => values
                .iter()
                .copied()
                .reduce(|best, one| if one.1 > best.1 { one } else { best })
                .map(|(token, _)| token),
        };
        let Some(chosen) = chosen else { return Err(crate::spec::not_to_move(name)) };
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
