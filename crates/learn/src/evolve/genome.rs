//! Genomes: how genes become a player of a game.

use crate::play::Policy;
use ludex_agents::ludo::player::Player as LudoPlayer;
use ludex_core::{AnyGame, Error, Game, Move, Player, Result, Rng, Turn};
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;

/// A genome makes players for a game.
pub trait Genome<G: Game>: Send + Sync {
    /// How many genes.
    fn genes(&self) -> usize;

    /// What each gene is for, where there are few.
    fn labels(&self) -> Vec<String> {
        Vec::new()
    }

    /// Brings genes that mean the same to the same numbers; called after every change.
    fn normalise(&self, _: &mut [f64]) {}

    /// The player of these genes.
    fn player(&self, genes: &[f64]) -> Box<dyn Policy<G>>;
}

/// The three players of the Ludo paper.
impl Genome<Ludo> for Kind {
    fn genes(&self) -> usize {
        Kind::genes(*self)
    }

    fn labels(&self) -> Vec<String> {
        let labels: &[&str] = match self {
            Kind::Simple => &["left home", "entered goal", "entered lane", "hit"],
            Kind::Advanced => {
                &["on board", "way", "lane", "goal", "strongest", "middle", "weakest"]
            }
            Kind::Full => &[],
        };
        labels.iter().map(|label| (*label).to_string()).collect()
    }

    /// Only the *simple* player's genes: their absolute values add up to four.
    fn normalise(&self, genes: &mut [f64]) {
        if *self == Kind::Simple {
            scale(genes, 4.0);
        }
    }

    fn player(&self, genes: &[f64]) -> Box<dyn Policy<Ludo>> {
        Box::new(LudoPlayer::evolved(*self, genes).unwrap_or(LudoPlayer::Random))
    }
}

/// Scales genes so that their absolute values add up to `sum`.
fn scale(genes: &mut [f64], sum: f64) {
    let all: f64 = genes.iter().map(|gene| gene.abs()).sum();
    if all > 0.0 {
        genes.iter_mut().for_each(|gene| *gene *= sum / all);
    }
}

/// The weights of a game's own terms: the player takes the move after which their sum is greatest.
#[derive(Debug, Clone)]
pub struct Terms {
    labels: Vec<String>,
}

impl Terms {
    /// The terms of a game.
    ///
    /// # Errors
    /// Games without terms, with hidden parts, or with moves at the same time.
    pub fn of(game: &AnyGame) -> Result<Self> {
        let info = game.info();
        let labels: Vec<String> = game.terms().iter().map(|term| (*term).to_string()).collect();
        let obstacle = if labels.is_empty() {
            "has no terms to weigh"
        } else if info.hidden {
            "hides a part of the position"
        } else if info.simultaneous {
            "has moves at the same time"
        } else {
            return Ok(Terms { labels });
        };
        Err(Error::Unsupported(format!("no weights to evolve: {} {obstacle}", info.name)))
    }
}

impl Genome<AnyGame> for Terms {
    fn genes(&self) -> usize {
        self.labels.len()
    }

    fn labels(&self) -> Vec<String> {
        self.labels.clone()
    }

    fn normalise(&self, genes: &mut [f64]) {
        scale(genes, genes.len() as f64);
    }

    fn player(&self, genes: &[f64]) -> Box<dyn Policy<AnyGame>> {
        Box::new(Weighed(genes.to_vec()))
    }
}

struct Weighed(Vec<f64>);

impl Policy<AnyGame> for Weighed {
    fn choose(
        &self,
        game: &AnyGame,
        state: &<AnyGame as Game>::State,
        seat: Player,
        legal: &[Move],
        rng: &mut Rng,
    ) -> Move {
        let mut terms = vec![0.0f32; self.0.len()];
        let mut payoffs = vec![0.0f32; game.info().seats()];
        // Of equals any: else a game without luck would be the same every time.
        let mut best = (f64::NEG_INFINITY, 0, legal[0]);
        for &mv in legal {
            let mut after = state.clone();
            game.apply(&mut after, &[mv]);
            let value = if game.turn(&after) == Turn::Over {
                game.payoffs(&after, &mut payoffs);
                // Beyond all weights: a win is taken, a loss avoided.
                1e9 * (f64::from(payoffs[seat.index()]) - 0.5)
            } else {
                terms.fill(0.0);
                game.evaluate(&after, seat, &mut terms);
                self.0.iter().zip(&terms).map(|(gene, &term)| gene * f64::from(term)).sum()
            };
            let key = (value, rng.bits(), mv);
            if key.0 > best.0 || key.0 == best.0 && key.1 > best.1 {
                best = key;
            }
        }
        best.2
    }
}
