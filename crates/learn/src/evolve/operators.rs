//! Recombination and mutation of genes that are real numbers (Eiben and Smith 2015, chapter 4; the Ludo paper, section
//! 2.2).

use ludex_core::schema::Schema;
use ludex_core::{Error, Result, Rng, Spec};
use rand_core::TryRng;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// An individual of a population: its genes, and its mutation sizes where they evolve, too.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Individual {
    /// The genes that make the player.
    pub genes: Vec<f64>,
    /// The mutation sizes: none, one for all genes, or one for each gene.
    pub sigmas: Vec<f64>,
}

/// How two parents make two children.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Recombination {
    /// Each child is a copy of one parent.
    None,
    /// Each gene of the first child comes from a random parent; the second child gets the other parent's gene.
    Uniform,
    /// Each gene lies between the genes of the parents, or up to `alpha` times their distance beyond. With 0 this is the
    /// *whole arithmetic* recombination of the paper.
    Blend {
        /// How far beyond the parents a gene may lie, in units of their distance.
        alpha: f64,
    },
}

/// How genes change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mutation {
    /// Adds normal deviates of a fixed size.
    Normal {
        /// The standard deviation.
        sigma: f64,
    },
    /// Adds normal deviates whose size evolves, one size for all genes.
    OneStep {
        /// The learning rate of the size.
        rate: f64,
    },
    /// Adds normal deviates whose sizes evolve, one size for each gene.
    NStep {
        /// The learning rate that all sizes share.
        global: f64,
        /// The learning rate of each size.
        local: f64,
    },
}

/// The least mutation size.
const LEAST: f64 = 1e-3;

/// A standard normal deviate.
pub(super) fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(&mut Stream(rng))
}

/// Adapts our random generator to the traits of `rand_core`.
struct Stream<'a>(&'a mut Rng);

impl TryRng for Stream<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> std::result::Result<u32, Infallible> {
        Ok((self.0.bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> std::result::Result<u64, Infallible> {
        Ok(self.0.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> std::result::Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let bits = self.0.bits().to_le_bytes();
            chunk.iter_mut().zip(bits).for_each(|(to, from)| *to = from);
        }
        Ok(())
    }
}

impl Recombination {
    /// Makes two children. Mutation sizes are recombined like genes.
    pub(crate) fn apply(self, parents: [&Individual; 2], rng: &mut Rng) -> [Individual; 2] {
        let mut children = parents.map(Individual::clone);
        let [one, two] = &mut children;
        self.mix(&mut one.genes, &mut two.genes, rng);
        self.mix(&mut one.sigmas, &mut two.sigmas, rng);
        children
    }

    fn mix(self, one: &mut [f64], two: &mut [f64], rng: &mut Rng) {
        let pairs = one.iter_mut().zip(two);
        match self {
            Recombination::None => {}
            Recombination::Uniform => {
                for (a, b) in pairs {
                    if rng.bits() >> 63 == 1 {
                        std::mem::swap(a, b);
                    }
                }
            }
            Recombination::Blend { alpha } => {
                let mut share = || rng.unit() * (1.0 + 2.0 * alpha) - alpha;
                for (a, b) in pairs {
                    let (g, h) = (share(), share());
                    (*a, *b) = (g * *a + (1.0 - g) * *b, h * *b + (1.0 - h) * *a);
                }
            }
        }
    }
}

impl Mutation {
    /// The number of mutation sizes of an individual with this number of genes.
    pub(crate) fn sigmas(self, genes: usize) -> usize {
        match self {
            Mutation::Normal { .. } => 0,
            Mutation::OneStep { .. } => 1,
            Mutation::NStep { .. } => genes,
        }
    }

    /// A random individual. Genes are standard normal. Mutation sizes are lognormal around e^-2, as in the program of the
    /// paper; its text has them around 1.
    pub fn first(self, genes: usize, rng: &mut Rng) -> Individual {
        Individual {
            genes: (0..genes).map(|_| normal(rng)).collect(),
            sigmas: (0..self.sigmas(genes)).map(|_| (normal(rng) - 2.0).exp()).collect(),
        }
    }

    /// Changes the mutation sizes, then every gene.
    pub(crate) fn apply(self, individual: &mut Individual, rng: &mut Rng) {
        let Individual { genes, sigmas } = individual;
        let n = genes.len().max(1) as f64;
        match self {
            Mutation::Normal { sigma } => {
                genes.iter_mut().for_each(|gene| *gene += sigma * normal(rng));
            }
            Mutation::OneStep { rate } => {
                let Some(sigma) = sigmas.first_mut() else { return };
                *sigma = (*sigma * (rate / n.sqrt() * normal(rng)).exp()).max(LEAST);
                genes.iter_mut().for_each(|gene| *gene += *sigma * normal(rng));
            }
            Mutation::NStep { global, local } => {
                let together = global / (2.0 * n).sqrt() * normal(rng);
                let alone = local / (2.0 * n.sqrt()).sqrt();
                for (gene, sigma) in genes.iter_mut().zip(sigmas) {
                    *sigma = (*sigma * (together + alone * normal(rng)).exp()).max(LEAST);
                    *gene += *sigma * normal(rng);
                }
            }
        }
    }
}

ludex_core::params! {
    /// An operator without parameters.
    pub(super) struct Nothing {}
}

ludex_core::params! {
    /// The parameters of `blend`.
    struct Blending {
        /// How far beyond its parents' genes a child's gene may lie, in parts of their distance.
        alpha: f64 = 0.5, 0.0..;
    }
    places = 1;
}

ludex_core::params! {
    /// The parameters of `normal`.
    struct NormalMutation {
        /// Standard deviation.
        sigma: f64 = 0.1, 0.0..;
    }
    places = 1;
}

ludex_core::params! {
    /// The parameters of `one-step`.
    struct OneStepMutation {
        /// Learning rate of the standard deviation.
        rate: f64 = 0.1, 0.0..;
    }
    places = 1;
}

ludex_core::params! {
    /// The parameters of `n-step`.
    struct NStepMutation {
        /// Learning rate that all genes share.
        global: f64 = 0.1, 0.0..;
        /// Learning rate of each gene.
        local: f64 = 0.1, 0.0..;
    }
    places = 2;
}

pub(super) fn unknown(what: &'static str, spec: &Spec, known: &[&str]) -> Error {
    let mut hint = ludex_core::error::did_you_mean(&spec.name, known.iter().copied());
    if hint.is_empty() {
        hint = format!("; there are {}", known.join(", "));
    }
    Error::Unknown { what, name: spec.name.clone(), hint }
}

impl FromStr for Recombination {
    type Err = Error;

    /// `none`, `uniform`, `whole`, `blend(alpha=0.5)`.
    fn from_str(text: &str) -> Result<Self> {
        let spec: Spec = text.parse()?;
        let plain = |kind| Nothing {}.read(&spec).map(|_| kind);
        match spec.name.as_str() {
            "none" => plain(Recombination::None),
            "uniform" => plain(Recombination::Uniform),
            "whole" => plain(Recombination::Blend { alpha: 0.0 }),
            "blend" => Ok(Recombination::Blend { alpha: Blending::default().read(&spec)?.alpha }),
            _ => Err(unknown("recombination", &spec, &["none", "uniform", "whole", "blend"])),
        }
    }
}

impl fmt::Display for Recombination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recombination::None => f.write_str("none"),
            Recombination::Uniform => f.write_str("uniform"),
            Recombination::Blend { alpha: 0.0 } => f.write_str("whole"),
            Recombination::Blend { alpha } => write!(f, "blend(alpha={alpha})"),
        }
    }
}

impl FromStr for Mutation {
    type Err = Error;

    /// `normal(sigma=0.1)`, `one-step(rate=0.1)`, `n-step(global=0.1,local=0.1)`.
    fn from_str(text: &str) -> Result<Self> {
        let spec: Spec = text.parse()?;
        match spec.name.as_str() {
            "normal" => {
                Ok(Mutation::Normal { sigma: NormalMutation::default().read(&spec)?.sigma })
            }
            "one-step" => {
                Ok(Mutation::OneStep { rate: OneStepMutation::default().read(&spec)?.rate })
            }
            "n-step" => {
                let NStepMutation { global, local } = NStepMutation::default().read(&spec)?;
                Ok(Mutation::NStep { global, local })
            }
            _ => Err(unknown("mutation", &spec, &["normal", "one-step", "n-step"])),
        }
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutation::Normal { sigma } => write!(f, "normal(sigma={sigma})"),
            Mutation::OneStep { rate } => write!(f, "one-step(rate={rate})"),
            Mutation::NStep { global, local } => write!(f, "n-step(global={global},local={local})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    fn person(genes: &[f64], sigmas: &[f64]) -> Individual {
        Individual { genes: genes.to_vec(), sigmas: sigmas.to_vec() }
    }

    #[test]
    fn operators_print_back_as_what_makes_them_again() {
        for text in ["none", "uniform", "whole", "blend(alpha=0.5)"] {
            assert_eq!(text.parse::<Recombination>().unwrap().to_string(), text);
        }
        for text in ["normal(sigma=0.1)", "one-step(rate=0.1)", "n-step(global=0.1,local=0.2)"] {
            assert_eq!(text.parse::<Mutation>().unwrap().to_string(), text);
        }
        assert!("normal(sigma=-1)".parse::<Mutation>().is_err());
        let error = "hole".parse::<Recombination>().unwrap_err().to_string();
        assert!(error.contains("did you mean `whole`?"), "{error}");
    }

    #[test]
    fn uniform_children_share_out_their_parents_genes() {
        let (a, b) = (person(&[1.0; 1000], &[0.1]), person(&[2.0; 1000], &[0.2]));
        let [c, d] = Recombination::Uniform.apply([&a, &b], &mut Seed(1).rng());
        assert!(c.genes.iter().zip(&d.genes).all(|(x, y)| x + y == 3.0));
        let ones = c.genes.iter().filter(|&&x| x == 1.0).count();
        // 1000 fair coins: sd 15.8; five sigma.
        assert!((ones as i64 - 500).abs() < 80, "{ones}");
    }

    #[test]
    fn whole_children_lie_between_and_blended_ones_also_beyond() {
        let (a, b) = (person(&[1.0; 1000], &[]), person(&[2.0; 1000], &[]));
        let mut rng = Seed(2).rng();
        let [c, d] = Recombination::Blend { alpha: 0.0 }.apply([&a, &b], &mut rng);
        assert!(c.genes.iter().chain(&d.genes).all(|x| (1.0..=2.0).contains(x)));
        let [c, _] = Recombination::Blend { alpha: 0.5 }.apply([&a, &b], &mut rng);
        assert!(c.genes.iter().all(|x| (0.5..=2.5).contains(x)));
        let beyond = c.genes.iter().filter(|x| !(1.0..=2.0).contains(*x)).count();
        assert!((400..600).contains(&beyond), "half of them: {beyond}");
    }

    #[test]
    fn mutations_have_the_size_that_they_say() {
        let spread = |genes: &[f64]| {
            let n = genes.len() as f64;
            let mean = genes.iter().sum::<f64>() / n;
            (genes.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / n).sqrt()
        };
        let mut rng = Seed(3).rng();
        let mut one = person(&[0.0; 20_000], &[]);
        Mutation::Normal { sigma: 0.1 }.apply(&mut one, &mut rng);
        assert!((spread(&one.genes) - 0.1).abs() < 0.003);
        let mut one = person(&[0.0; 20_000], &[0.5]);
        Mutation::OneStep { rate: 0.1 }.apply(&mut one, &mut rng);
        assert!((spread(&one.genes) - one.sigmas[0]).abs() < 0.015);
        let mut one = person(&[0.0; 20_000], &[0.5; 20_000]);
        Mutation::NStep { global: 0.1, local: 5.0 }.apply(&mut one, &mut rng);
        assert!(one.sigmas.iter().any(|s| *s > 0.6) && one.sigmas.iter().any(|s| *s < 0.4));
        let mut low = person(&[0.0], &[-3.0]);
        Mutation::OneStep { rate: 0.1 }.apply(&mut low, &mut rng);
        assert_eq!(low.sigmas, [LEAST], "what blending made negative");
    }
}
