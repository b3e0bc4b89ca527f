//! Outcome-sampling Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich and
//! Bowling 2009), from the start of the game: its average strategy comes near an equilibrium in
//! games small enough that every information set is visited often.

use super::observations::{learn, own_move};
use ludex_core::deadline;
use ludex_core::random::mix;
use ludex_core::{Game, Move, Player, Players, Rng, Turn};
use rustc_hash::FxHashMap;

/// How often the player whose regrets are measured moves at random.
const EXPLORE: f64 = 0.6;

/// The regrets and the average strategy of an information set.
#[derive(Debug, Clone, Default)]
struct Regrets {
    moves: Vec<Move>,
    regret: Vec<f64>,
    strategy: Vec<f64>,
}

impl Regrets {
    /// Regret matching.
    fn policy(&self, out: &mut Vec<f64>) {
        out.clear();
        let sum: f64 = self.regret.iter().map(|r| r.max(0.0)).sum();
        let even = 1.0 / self.regret.len().max(1) as f64;
        out.extend(self.regret.iter().map(|r| if sum > 0.0 { r.max(0.0) / sum } else { even }));
    }
}

/// The regrets of all information sets seen.
#[derive(Debug, Default)]
pub struct Mccfr {
    sets: FxHashMap<u64, Regrets>,
    most: usize,
}

/// The key of an information set: who moves, what it knows, and what it may do, which it sees too.
pub fn set_key(known: u64, player: Player, legal: &[Move]) -> u64 {
    let legal = legal.iter().fold(0u64, |sum, mv| sum.wrapping_add(mix(mv.0 ^ 0xa5a5)));
    mix(known ^ (u64::from(player.0) + 1) << 57).wrapping_add(legal)
}

struct Walk<'a, G> {
    game: &'a G,
    update: Player,
    /// The probability of the sampled path under the sampling policy, as far as it differs from
    /// that of the others and chance.
    rng: &'a mut Rng,
}

/// The probabilities of reaching a point: by the updated player, by all others, as sampled.
#[derive(Clone, Copy)]
struct Reach {
    own: f64,
    others: f64,
    sampled: f64,
}

impl Mccfr {
    /// Remembers at most so many information sets.
    pub fn new(most: usize) -> Self {
        Mccfr { sets: FxHashMap::default(), most }
    }

    /// How many information sets it knows.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Does it know none?
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// One sampled game from `origin`, for the regrets of `update`.
    pub fn iterate<G: Game>(
        &mut self,
        game: &G,
        origin: &G::State,
        known: &[u64],
        update: Player,
        rng: &mut Rng,
    ) {
        let mut walk = Walk { game, update, rng };
        let reach = Reach { own: 1.0, others: 1.0, sampled: 1.0 };
        // A sampled game that was cut short by the clock changes no regrets.
        let _ = self.step(&mut walk, origin, known, reach);
    }

    /// The average strategy at an information set, where it was visited.
    pub fn strategy(&self, key: u64) -> Option<Vec<(Move, f64)>> {
        let set = self.sets.get(&key)?;
        let sum: f64 = set.strategy.iter().sum();
        let even = 1.0 / set.moves.len().max(1) as f64;
        let share = |s: f64| if sum > 0.0 { s / sum } else { even };
        Some(set.moves.iter().zip(&set.strategy).map(|(&mv, &s)| (mv, share(s))).collect())
    }

    fn step<G: Game>(
        &mut self,
        walk: &mut Walk<'_, G>,
        state: &G::State,
        known: &[u64],
        reach: Reach,
    ) -> Option<f64> {
        if deadline::look() {
            return None;
        }
        match walk.game.turn(state) {
            Turn::Over => {
                let mut payoffs = vec![0.5; known.len()];
                walk.game.payoffs(state, &mut payoffs);
                Some(f64::from(payoffs.get(walk.update.index()).copied().unwrap_or(0.5)) - 0.5)
            }
            Turn::Chance => {
                // Drawn as it is: its probability cancels.
                let mv = walk.game.sample_chance(state, walk.rng);
                self.after(walk, state, Turn::Chance, &[mv], known, reach)
            }
            turn => self.choose(walk, state, turn, turn.movers(), &mut Vec::new(), known, reach),
        }
    }

    fn after<G: Game>(
        &mut self,
        walk: &mut Walk<'_, G>,
        state: &G::State,
        turn: Turn,
        joint: &[Move],
        known: &[u64],
        reach: Reach,
    ) -> Option<f64> {
        let mut after = state.clone();
        walk.game.apply(&mut after, joint);
        let known: Vec<u64> = known
            .iter()
            .enumerate()
            .map(|(p, &known)| {
                let player = Player(p as u8);
                let mut words = Vec::new();
                walk.game.percept(state, joint, &after, player, &mut words);
                learn(known, own_move(turn, joint, player), &words)
            })
            .collect();
        self.step(walk, &after, &known, reach)
    }

    /// The movers choose one by one, none knowing what the others chose.
    #[allow(clippy::too_many_arguments, reason = "the state of a recursive walk")]
    fn choose<G: Game>(
        &mut self,
        walk: &mut Walk<'_, G>,
        state: &G::State,
        turn: Turn,
        left: Players,
        joint: &mut Vec<Move>,
        known: &[u64],
        reach: Reach,
    ) -> Option<f64> {
        let Some(player) = left.iter().next() else {
            let joint = std::mem::take(joint);
            return self.after(walk, state, turn, &joint, known, reach);
        };
        let mut moves = Vec::new();
        walk.game.moves(state, player, &mut moves);
        if deadline::look() {
            return None;
        }
        debug_assert!(player.index() < known.len(), "every player knows something");
        let known_here = known.get(player.index()).copied().unwrap_or_default();
        let key = set_key(known_here, player, &moves);
        if !self.sets.contains_key(&key) {
            if self.sets.len() >= self.most {
                joint.push(moves.get(walk.rng.index(moves.len())).copied().unwrap_or_default());
                return self.choose(walk, state, turn, left.without(player), joint, known, reach);
            }
            let zeros = vec![0.0; moves.len()];
            let set = Regrets { moves, regret: zeros.clone(), strategy: zeros };
            self.sets.insert(key, set);
        }
        let mut policy = Vec::new();
        let Some(set) = self.sets.get(&key) else { return Some(0.0) };
        set.policy(&mut policy);
        let updated = player == walk.update;
        let n = policy.len() as f64;
        let sampling = |p: f64| if updated { EXPLORE / n + (1.0 - EXPLORE) * p } else { p };
        let mut left_over = walk.rng.unit();
        let mut chosen = policy.len().saturating_sub(1);
        for (i, &p) in policy.iter().enumerate() {
            left_over -= sampling(p);
            if left_over < 0.0 {
                chosen = i;
                break;
            }
        }
        let Some(&mv) = set.moves.get(chosen) else { return Some(0.0) };
        let (p, q) = (policy[chosen], sampling(policy[chosen]));
        joint.push(mv);
        let next = match updated {
            true => Reach { own: reach.own * p, sampled: reach.sampled * q, ..reach },
            false => Reach { others: reach.others * p, sampled: reach.sampled * q, ..reach },
        };
        let below = self.choose(walk, state, turn, left.without(player), joint, known, next)?;
        // The sampled move's value by importance; the moves not sampled count as zero.
        let sampled = below / q;
        let value = p * sampled;
        if updated && let Some(set) = self.sets.get_mut(&key) {
            let scale = reach.others / reach.sampled;
            for (i, regret) in set.regret.iter_mut().enumerate() {
                *regret += scale * (if i == chosen { sampled } else { 0.0 } - value);
            }
            for (strategy, p) in set.strategy.iter_mut().zip(&policy) {
                *strategy += reach.own * p / reach.sampled;
            }
        }
        Some(value)
    }
}
