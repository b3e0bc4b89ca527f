//! An evolution: a population, its generations, measurements, and the choice of the champion.

use super::genome::Genome;
use super::operators::{Individual, Mutation, Recombination};
use super::select::{Group, Selection};
use crate::play::{AtRandom, Policy, contest, play};
use ludex_core::{Game, Rng, Seed};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How a population evolves.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The size of the population.
    pub population: usize,
    /// The number of games of a group.
    pub games: u64,
    /// How groups are formed.
    pub selection: Selection,
    /// How two parents make children.
    pub recombination: Recombination,
    /// How the genes of children change.
    pub mutation: Mutation,
    /// Fixed opponents that every member of a group plays by itself; none: the members play each other.
    pub opponents: Option<String>,
    /// The seed of all randomness.
    pub seed: Seed,
}

/// How a population is measured against random players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluation {
    /// The number of generations between measurements, which also happen at both ends; 0 for no measurements.
    pub every: u64,
    /// The number of individuals to measure, drawn anew every time.
    pub agents: usize,
    /// The number of games of each individual.
    pub games: u64,
}

/// A measurement of the population.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The number of finished generations.
    pub generation: u64,
    /// The number of games that groups have played so far.
    pub games: u64,
    /// The mean win rate against random players.
    pub mean: f64,
    /// The standard deviation of the win rates.
    pub spread: f64,
    /// The win rate of each measured individual.
    pub rates: Vec<f64>,
}

/// A population that evolves.
pub struct Evolution<'a, G: Game> {
    game: &'a G,
    genome: &'a dyn Genome<G>,
    settings: Settings,
    population: Vec<Individual>,
    generation: u64,
}

impl<'a, G: Game> Evolution<'a, G> {
    /// Starts with a random population.
    pub fn new(game: &'a G, genome: &'a dyn Genome<G>, settings: Settings) -> Self {
        let seed = settings.seed.named("first");
        let population = (0..settings.population as u64)
            .map(|i| {
                let mut one = settings.mutation.first(genome.genes(), &mut seed.child(i).rng());
                genome.normalise(&mut one.genes);
                one
            })
            .collect();
        Evolution { game, genome, settings, population, generation: 0 }
    }

    /// Resumes an evolution from a checkpoint.
    pub(crate) fn resume(
        game: &'a G,
        genome: &'a dyn Genome<G>,
        settings: Settings,
        population: Vec<Individual>,
        generation: u64,
    ) -> Self {
        Evolution { game, genome, settings, population, generation }
    }

    /// All individuals.
    pub fn population(&self) -> &[Individual] {
        &self.population
    }

    /// The number of finished generations.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The number of games that groups have played so far.
    pub fn games(&self) -> u64 {
        let each = if self.settings.opponents.is_some() { 4 } else { 1 };
        self.generation * (self.settings.population as u64 / 4) * self.settings.games * each
    }

    /// One generation: all groups play, on all cores. In each group the two best stay, and their children replace the other
    /// two.
    pub fn step(&mut self) {
        let Settings { seed, selection, .. } = self.settings;
        let groups = selection.groups(self.population.len(), self.generation, seed);
        let seed = seed.named("group").child(self.generation);
        let born: Vec<(Group, [Individual; 2])> = groups
            .par_iter()
            .enumerate()
            .map(|(i, group)| self.tournament(group, &mut seed.child(i as u64).rng()))
            .collect();
        for (ranks, [one, two]) in born {
            self.population[ranks[2]] = one;
            self.population[ranks[3]] = two;
        }
        let seed = self.settings.seed;
        let moves = selection.migration(self.population.len(), self.generation, seed);
        let leaving: Vec<Individual> =
            moves.iter().map(|&(from, _)| std::mem::take(&mut self.population[from])).collect();
        for ((_, to), one) in moves.into_iter().zip(leaving) {
            self.population[to] = one;
        }
        self.generation += 1;
    }

    /// Lets a group play. Returns its members from the best to the worst, and the children of the two best.
    fn tournament(&self, group: &Group, rng: &mut Rng) -> (Group, [Individual; 2]) {
        let players = group.map(|i| self.genome.player(&self.population[i].genes));
        let refs = [0, 1, 2, 3].map(|i| &*players[i]);
        let scores = self.scores(&refs, self.settings.games, rng);
        let ranks = ranked(&scores).map(|i| group[i]);
        let parents = [&self.population[ranks[0]], &self.population[ranks[1]]];
        let mut children = self.settings.recombination.apply(parents, rng);
        for child in &mut children {
            self.settings.mutation.apply(child, rng);
            self.genome.normalise(&mut child.genes);
        }
        (ranks, children)
    }

    /// The mean payoffs of four players: against each other, or each by itself against the fixed opponents.
    fn scores(&self, four: &[&dyn Policy<G>; 4], games: u64, rng: &mut Rng) -> [f64; 4] {
        let rival = self.settings.opponents.as_ref().and_then(|name| self.genome.rival(name));
        match rival {
            Some(rival) => four.map(|player| alone(self.game, player, &*rival, games, rng)),
            None => rounds(self.game, four, games, rng),
        }
    }

    /// Measures a sample of the population against random players.
    pub fn evaluate(&self, evaluation: &Evaluation) -> Point {
        let seed = self.settings.seed.named("evaluation").child(self.generation);
        let mut order: Vec<usize> = (0..self.population.len()).collect();
        seed.rng().shuffle(&mut order);
        order.truncate(evaluation.agents.max(1));
        let rates: Vec<f64> = order
            .par_iter()
            .map(|&i| {
                let player = self.genome.player(&self.population[i].genes);
                let seed = seed.child(i as u64);
                against_random(self.game, &*player, evaluation.games, seed)
            })
            .collect();
        let n = rates.len().max(1) as f64;
        let mean = rates.iter().sum::<f64>() / n;
        let variance = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / n;
        let (generation, games) = (self.generation, self.games());
        Point { generation, games, mean, spread: variance.sqrt(), rates }
    }

    /// Recursive reduction (section 2.4 of the Ludo paper): groups of four play, and the best of each group advances.
    /// Individuals that fill no group advance to the front. Random players complete the last group. Returns the index of
    /// the champion.
    pub fn champion(&self, games: u64) -> usize {
        let mut left: Vec<usize> = (0..self.population.len()).collect();
        let seed = self.settings.seed.named("reduction").child(self.generation);
        let mut level = 0;
        while left.len() > 1 {
            let seed = seed.child(level);
            let size = if left.len() < 4 { left.len() } else { 4 };
            let fours: Vec<&[usize]> = left.chunks_exact(size).collect();
            let best: Vec<usize> = fours
                .par_iter()
                .enumerate()
                .map(|(i, four)| self.best_of(four, games, &mut seed.child(i as u64).rng()))
                .collect();
            let over = left.len() % size;
            left = left[left.len() - over..].iter().copied().chain(best).collect();
            level += 1;
        }
        left.first().copied().unwrap_or(0)
    }

    fn best_of(&self, four: &[usize], games: u64, rng: &mut Rng) -> usize {
        let players: Vec<Box<dyn Policy<G>>> =
            four.iter().map(|&i| self.genome.player(&self.population[i].genes)).collect();
        let at = |i: usize| players.get(i).map_or(&AtRandom as &dyn Policy<G>, |p| &**p);
        let scores = self.scores(&[0, 1, 2, 3].map(at), games, rng);
        let best = ranked(&scores).into_iter().find(|&i| i < four.len());
        four[best.unwrap_or(0)]
    }
}

/// The mean payoff of one player against equal opponents on all other seats, each time at a new seat.
fn alone<G: Game>(
    game: &G,
    player: &dyn Policy<G>,
    rival: &dyn Policy<G>,
    games: u64,
    rng: &mut Rng,
) -> f64 {
    let seats = game.info().seats().max(1);
    let mut payoffs = vec![0.0f32; seats];
    let mut table = vec![rival; seats];
    let mut sum = 0.0;
    for _ in 0..games {
        let seat = rng.index(seats);
        table.fill(rival);
        table[seat] = player;
        play(game, &table, rng, &mut payoffs);
        sum += f64::from(payoffs[seat]);
    }
    sum / games.max(1) as f64
}

/// The win rate of one player against random players.
pub(super) fn against_random<G: Game>(
    game: &G,
    player: &dyn Policy<G>,
    games: u64,
    seed: Seed,
) -> f64 {
    let mut teams = vec![false; game.info().seats()];
    teams[0] = true;
    contest(game, player, &AtRandom, &teams, games, seed) / games.max(1) as f64
}

/// The indices of four scores, the highest first; equal scores keep their order.
fn ranked(scores: &[f64; 4]) -> [usize; 4] {
    let mut order = [0, 1, 2, 3];
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}

/// Lets four players play a number of rounds, each time at new seats. A round is one game at a table of four, and two games
/// at tables of two. In games of more than four seats each player fills several. Returns the mean payoffs.
fn rounds<G: Game>(game: &G, four: &[&dyn Policy<G>; 4], rounds: u64, rng: &mut Rng) -> [f64; 4] {
    let seats = game.info().seats().max(1);
    let mut payoffs = vec![0.0f32; seats];
    let mut table: Vec<&dyn Policy<G>> = Vec::with_capacity(seats);
    let (mut sums, mut counts) = ([0.0; 4], [0u32; 4]);
    for _ in 0..rounds {
        let mut order = [0, 1, 2, 3];
        rng.shuffle(&mut order);
        for first in (0..4).step_by(seats).filter(|first| first + seats.min(4) <= 4) {
            let sitting = |seat: usize| order[(first + seat) % 4];
            table.clear();
            table.extend((0..seats).map(|seat| four[sitting(seat)]));
            play(game, &table, rng, &mut payoffs);
            for (seat, &payoff) in payoffs.iter().enumerate() {
                sums[sitting(seat)] += f64::from(payoff);
                counts[sitting(seat)] += 1;
            }
        }
    }
    [0, 1, 2, 3].map(|i| sums[i] / f64::from(counts[i].max(1)))
}
