//! Judging a position without playing it out: weighted terms.

mod contest;
mod fit;

use ludex_core::schema::{Bounds, Kind, Refusal, Value};
use ludex_core::spec::Arg;
use ludex_core::{Error, Game, Move, Player, Result, Spec};
use std::fmt;

/// A heuristic by name: `auto`, `chosen`, `fitted`, `zero`, `mobility`, a term of the game such as `material`, or
/// `terms(material=1,mobility=0.1)`.
///
/// ```
/// use ludex_agents::heuristic::Heuristic;
/// let named = Heuristic::read(&"terms(material=1,mobility=0.1)".parse().unwrap()).unwrap();
/// assert_eq!(named.to_string(), "terms(material=1,mobility=0.1)");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Heuristic {
    /// The game's first term, or mobility where it has none. Where the rules come from a file, the same as `chosen`.
    #[default]
    Auto,
    /// The weights that win short games, of those fitted to random play and of others with more mobility; mobility in a
    /// game without terms.
    Chosen,
    /// All terms with weights that are fitted to random play, in any game that has terms; else mobility.
    Fitted,
    /// Every position is even.
    Zero,
    /// Terms with their weights. `mobility` is known for every game.
    Terms(Vec<(String, f32)>),
}

const MOBILITY: &str = "mobility";

impl Heuristic {
    /// Reads a heuristic's name. Whether the game has the terms shows in
    /// [`resolve`](Heuristic::resolve).
    ///
    /// # Errors
    /// Weights that are no numbers, arguments where none belong.
    pub fn read(spec: &Spec) -> Result<Self> {
        let bad = |reason: String| Error::BadParameter { name: "heuristic".into(), reason };
        if spec.name != "terms" {
            if !spec.args.is_empty() || !spec.budget.is_empty() {
                return Err(bad(format!("`{}` takes no parameters", spec.name)));
            }
            return Ok(match spec.name.as_str() {
                "auto" => Heuristic::Auto,
                "chosen" => Heuristic::Chosen,
                "fitted" => Heuristic::Fitted,
                "zero" => Heuristic::Zero,
                name => Heuristic::Terms(vec![(name.to_string(), 1.0)]),
            });
        }
        let mut terms: Vec<(String, f32)> = Vec::new();
        for arg in &spec.args {
            let (name, weight) = match &arg.key {
                Some(key) => (key.clone(), arg.value.to_string()),
                None => (arg.value.to_string(), "1".into()),
            };
            let weight: f32 = match weight.parse() {
                Ok(weight) if f32::is_finite(weight) => weight,
                _ => return Err(bad(format!("the weight of `{name}` can't be `{weight}`"))),
            };
            if terms.iter().any(|(known, _)| *known == name) {
                return Err(bad(format!("`{name}` is given twice")));
            }
            terms.push((name, weight));
        }
        if terms.is_empty() {
            return Err(bad("`terms` needs at least one, as in terms(material=1)".into()));
        }
        Ok(Heuristic::Terms(terms))
    }

    /// The weights of all terms, where they are worked out from play.
    fn played_weights<G: Game>(&self, game: &G) -> Option<Vec<f32>> {
        match self {
            _ if game.terms().is_empty() => None,
            Heuristic::Auto => game.fits_terms().then(|| fit::chosen(game)),
            Heuristic::Chosen => Some(fit::chosen(game)),
            Heuristic::Fitted => Some(fit::fitted(game)),
            Heuristic::Zero | Heuristic::Terms(_) => None,
        }
    }

    /// The terms and weights that `auto`, `chosen` and `fitted` stand for in a game; other heuristics as they are.
    pub fn explicit<G: Game>(&self, game: &G) -> Heuristic {
        if matches!(self, Heuristic::Zero | Heuristic::Terms(_)) {
            return self.clone();
        }
        let rounded = |weight: f32| (weight * 1000.0).round() / 1000.0;
        match (self.played_weights(game), game.terms()) {
            (Some(weights), terms) => {
                let weights = terms.iter().zip(weights);
                let some = weights.filter(|(_, weight)| rounded(*weight) != 0.0);
                let some: Vec<_> = some.map(|(n, w)| ((*n).to_string(), rounded(w))).collect();
                if some.is_empty() { Heuristic::Zero } else { Heuristic::Terms(some) }
            }
            (None, [first, ..]) => Heuristic::Terms(vec![((*first).to_string(), 1.0)]),
            (None, []) => Heuristic::Terms(vec![(MOBILITY.into(), 1.0)]),
        }
    }

    /// Looks the terms up in a game.
    ///
    /// # Errors
    /// A term that the game does not have.
    pub fn resolve<G: Game>(&self, game: &G) -> Result<Evaluator> {
        let known = game.terms();
        let mut evaluator = Evaluator {
            weights: vec![0.0; known.len()],
            values: vec![0.0; known.len()],
            wanted: Vec::new(),
            mobility: 0.0,
            total: 0.0,
            pad: Vec::new(),
        };
        match self {
            Heuristic::Zero => {}
            Heuristic::Auto | Heuristic::Chosen | Heuristic::Fitted => {
                match (self.played_weights(game), evaluator.weights.first_mut()) {
                    (Some(weights), _) => evaluator.weights = weights,
                    (None, Some(first)) => *first = 1.0,
                    (None, None) => evaluator.mobility = 1.0,
                }
            }
            Heuristic::Terms(terms) => {
                for (name, weight) in terms {
                    match known.iter().position(|term| term == name) {
                        Some(i) => evaluator.weights[i] = *weight,
                        None if name == MOBILITY => evaluator.mobility = *weight,
                        None => {
                            let mut names: Vec<&str> = known.to_vec();
                            names.extend([MOBILITY, "chosen", "fitted", "zero"]);
                            return Err(Error::BadParameter {
                                name: "heuristic".into(),
                                reason: format!(
                                    "{} has no term `{name}`; there are {}",
                                    game.info().name,
                                    names.join(", ")
                                ),
                            });
                        }
                    }
                }
            }
        }
        evaluator.wanted = evaluator.weights.iter().map(|weight| *weight != 0.0).collect();
        evaluator.total =
            evaluator.weights.iter().map(|w| w.abs()).sum::<f32>() + evaluator.mobility.abs();
        Ok(evaluator)
    }
}

impl Value for Heuristic {
    fn kind(_: &Bounds) -> Kind {
        Kind::Name("heuristic")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        Ok(Heuristic::read(value)?)
    }

    fn write(&self, _: &Bounds) -> Spec {
        let weighed = |(name, weight): &(String, f32)| Arg {
            key: Some(name.clone()),
            value: Spec::new(weight.to_string()),
        };
        let plain = |name: &str| !matches!(name, "auto" | "chosen" | "fitted" | "zero" | "terms");
        match self {
            Heuristic::Auto => Spec::new("auto"),
            Heuristic::Chosen => Spec::new("chosen"),
            Heuristic::Fitted => Spec::new("fitted"),
            Heuristic::Zero => Spec::new("zero"),
            Heuristic::Terms(terms) => match terms.as_slice() {
                [(name, 1.0)] if plain(name) => Spec::new(name),
                _ => Spec { args: terms.iter().map(weighed).collect(), ..Spec::new("terms") },
            },
        }
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(&Bounds::default()).fmt(f)
    }
}

/// A heuristic bound to a game.
#[derive(Debug, Clone)]
pub struct Evaluator {
    weights: Vec<f32>,
    values: Vec<f32>,
    /// The terms with a weight.
    wanted: Vec<bool>,
    mobility: f32,
    total: f32,
    pad: Vec<Move>,
}

impl Evaluator {
    /// The payoff that `player` may expect: 0.01 to 0.99, so that no guess outdoes a result.
    pub fn value<G: Game>(&mut self, game: &G, state: &G::State, player: Player) -> f32 {
        if self.total <= 0.0 {
            return 0.5;
        }
        let mut sum = 0.0;
        if !self.weights.is_empty() {
            game.evaluate_some(state, player, &self.wanted, &mut self.values);
            sum += self.weights.iter().zip(&self.values).map(|(w, v)| w * v).sum::<f32>();
        }
        if self.mobility != 0.0 {
            sum += self.mobility * self.mobility_of(game, state, player);
        }
        0.5 + 0.49 * (sum / self.total).clamp(-1.0, 1.0)
    }

    /// Only movers have moves to count: many moves are good for them and bad for the others.
    fn mobility_of<G: Game>(&mut self, game: &G, state: &G::State, player: Player) -> f32 {
        let movers = game.turn(state).movers();
        let (mut own, mut others) = (0.0, 0.0);
        for mover in movers.iter() {
            self.pad.clear();
            game.moves(state, mover, &mut self.pad);
            *(if mover == player { &mut own } else { &mut others }) += self.pad.len() as f32;
        }
        let some = |n: f32| n / (n + 16.0);
        some(own) - some(others)
    }
}
