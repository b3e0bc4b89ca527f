//! Genomes: how genes make a player of a game.

use crate::play::{AtRandom, Policy};
use ludex_agents::ludo::hand::Hand;
use ludex_agents::ludo::player::Player as LudoPlayer;
use ludex_core::{AnyGame, Error, Game, Move, Player, Result, Rng, Turn};
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;

/// A kind of genome: makes players of a game from genes.
pub trait Genome<G: Game>: Send + Sync {
    /// The number of genes.
    fn genes(&self) -> usize;

    /// The meaning of each gene, for small genomes.
    fn labels(&self) -> Vec<String> {
        Vec::new()
    }

    /// Scales genes so that equal players have equal genes; called after every change.
    fn normalise(&self, _: &mut [f64]) {}

    /// The player that these genes make.
    fn player(&self, genes: &[f64]) -> Box<dyn Policy<G>>;

    /// A fixed opponent by its name; `None` where there is none of that name.
    fn rival(&self, name: &str) -> Option<Box<dyn Policy<G>>> {
        (name == "random").then(|| Box::new(AtRandom) as Box<dyn Policy<G>>)
    }
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
            Kind::Fellow => &["way", "left home", "hit", "may hit", "to safety", "to danger"],
        };
        labels.iter().map(|label| (*label).to_string()).collect()
    }

    /// Scales the genes of the *simple* player so that their absolute values add up to 4.
    fn normalise(&self, genes: &mut [f64]) {
        if *self == Kind::Simple {
            scale(genes, 4.0);
        }
    }

    fn player(&self, genes: &[f64]) -> Box<dyn Policy<Ludo>> {
        Box::new(LudoPlayer::evolved(*self, genes).unwrap_or(LudoPlayer::Random))
    }

    fn rival(&self, name: &str) -> Option<Box<dyn Policy<Ludo>>> {
        Some(Box::new(match name {
            "random" => LudoPlayer::Random,
            "smart" => LudoPlayer::Hand(Hand::Smart),
            "defensive" => LudoPlayer::Hand(Hand::Defensive),
            "aggressive" => LudoPlayer::Hand(Hand::Aggressive),
            "fast" => LudoPlayer::Hand(Hand::Fast),
            _ => return None,
        }))
    }
}

/// Scales genes so that their absolute values add up to `sum`.
fn scale(genes: &mut [f64], sum: f64) {
    let all: f64 = genes.iter().map(|gene| gene.abs()).sum();
    if all > 0.0 {
        genes.iter_mut().for_each(|gene| *gene *= sum / all);
    }
}

/// Weights of the evaluation terms of a game: the player chooses the move with the greatest weighted sum after it.
#[derive(Debug, Clone)]
pub struct Terms {
    labels: Vec<String>,
}

impl Terms {
    /// The terms of a game.
    ///
    /// # Errors
    /// The game has no terms, hidden information, or simultaneous moves.
    pub fn of(game: &AnyGame) -> Result<Self> {
        let info = game.info();
        let labels: Vec<String> = game.terms().iter().map(|term| (*term).to_string()).collect();
        let obstacle = if labels.is_empty() {
            "has no terms to weigh"
        } else if info.hidden {
            "has hidden information"
        } else if info.simultaneous {
            "has simultaneous moves"
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
        // Ties are broken at random. Otherwise a game without chance would be the same every time.
        let mut best = (f64::NEG_INFINITY, 0, legal[0]);
        for &mv in legal {
            let mut after = state.clone();
            game.apply(&mut after, &[mv]);
            let value = if game.turn(&after) == Turn::Over {
                game.payoffs(&after, &mut payoffs);
                // A final position outweighs all terms: the player takes a win and avoids a loss.
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
