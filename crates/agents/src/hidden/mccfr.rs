//! Outcome-sampling Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich and
//! Bowling 2009), from the start of the game: its average strategy comes near an equilibrium in
//! games small enough that every information set is visited often. Samples may be aimed at one information set.

use super::enumerate::step_footprint;
use super::observations::{learn, own_move};
use super::target::Target;
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
    rng: &'a mut Rng,
    /// The information set that samples are aimed at, and the share of samples that are.
    aim: Option<(&'a Target, f64)>,
    /// Is this sample aimed?
    aimed: bool,
}

/// The probabilities of reaching a point. Without an aim, chance counts nowhere: it is drawn as it is and cancels.
#[derive(Clone, Copy)]
struct Reach {
    /// By the choices of the updated player.
    own: f64,
    /// By the choices of all others.
    others: f64,
    /// By a sample that is not aimed; the part of it that the choices of the present step make.
    free: f64,
    step: f64,
    /// By an aimed sample.
    aimed: f64,
    /// The history so far: how many steps, and its footprint.
    depth: usize,
    footprint: u64,
}

/// The result of a sampled game, from which the regrets at its decisions are computed.
#[derive(Clone, Copy)]
struct Leaf {
    /// The probability that the updated player makes the sampled choices from a decision to the end of the game.
    tail: f64,
    /// The importance-weighted payoff: the payoff times the other players' probability of the game, divided by the probability
    /// with which the game is sampled.
    weight: f64,
}

impl<G: Game> Walk<'_, G> {
    /// The probability that a sample passes through a point. `joint` has the choices of the present step so far.
    fn sampled(&self, reach: Reach, joint: &[Move]) -> f64 {
        let Some((target, share)) = self.aim else { return reach.free };
        let aimed = match reach.depth < target.depth() {
            true if joint.is_empty() => reach.aimed,
            true => target.share_of(reach.footprint, joint),
            false => reach.aimed * reach.step,
        };
        share * aimed + (1.0 - share) * reach.free
    }

    /// The joint move that an aimed sample makes here, before it has reached the set.
    fn forced(&mut self, reach: Reach) -> Option<Vec<Move>> {
        let (target, _) = self.aim.filter(|(t, _)| self.aimed && reach.depth < t.depth())?;
        target.draw(reach.footprint, self.rng).map(<[Move]>::to_vec)
    }

    /// A draw of chance and its probability; the latter is 1 without an aim, where it cancels.
    fn chance(&mut self, state: &G::State, forced: Option<Move>) -> (Move, f64) {
        let mv = forced.unwrap_or_else(|| self.game.sample_chance(state, self.rng));
        if self.aim.is_none() {
            return (mv, 1.0);
        }
        let mut outcomes = Vec::new();
        self.game.chances(state, &mut outcomes);
        let found = outcomes.iter().find(|(outcome, _)| *outcome == mv);
        (mv, found.map_or(1.0, |&(_, p)| p))
    }
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
        self.sample(Walk { game, update, rng, aim: None, aimed: false }, origin, known);
    }

    /// One sampled game that passes through `target` with the probability `share` at least: online outcome sampling with
    /// information-set targeting (Lisy, Lanctot and Bowling 2015).
    #[allow(clippy::too_many_arguments, reason = "a sample and its aim")]
    pub fn iterate_at<G: Game>(
        &mut self,
        game: &G,
        origin: &G::State,
        known: &[u64],
        update: Player,
        target: &Target,
        share: f64,
        rng: &mut Rng,
    ) {
        let aimed = rng.unit() < share;
        self.sample(Walk { game, update, rng, aim: Some((target, share)), aimed }, origin, known);
    }

    fn sample<G: Game>(&mut self, mut walk: Walk<'_, G>, origin: &G::State, known: &[u64]) {
        let one = 1.0;
        let reach = Reach {
            own: one,
            others: one,
            free: one,
            step: one,
            aimed: one,
            depth: 0,
            footprint: 0,
        };
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
    ) -> Option<Leaf> {
        if deadline::look() {
            return None;
        }
        let forced = walk.forced(reach);
        match walk.game.turn(state) {
            Turn::Over => {
                let mut payoffs = vec![0.5; known.len()];
                walk.game.payoffs(state, &mut payoffs);
                let payoff = payoffs.get(walk.update.index()).copied().unwrap_or(0.5);
                let weight = (f64::from(payoff) - 0.5) * reach.others / walk.sampled(reach, &[]);
                Some(Leaf { tail: 1.0, weight })
            }
            Turn::Chance => {
                let (mv, p) = walk.chance(state, forced.and_then(|joint| joint.first().copied()));
                let next = Reach {
                    others: reach.others * p,
                    free: reach.free * p,
                    step: reach.step * p,
                    ..reach
                };
                self.after(walk, state, Turn::Chance, &[mv], known, next)
            }
            turn => {
                let forced = forced.unwrap_or_default();
                let step = Step { turn, left: turn.movers(), forced: &forced };
                self.choose(walk, state, step, &mut Vec::new(), known, reach)
            }
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
    ) -> Option<Leaf> {
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
        let footprint = step_footprint(reach.footprint, joint);
        let aimed = match walk.aim {
            Some((target, _)) if reach.depth < target.depth() => target.share(footprint),
            _ => reach.aimed * reach.step,
        };
        let depth = reach.depth + 1;
        self.step(walk, &after, &known, Reach { step: 1.0, aimed, depth, footprint, ..reach })
    }

    /// The movers choose one by one, none knowing what the others chose.
    fn choose<G: Game>(
        &mut self,
        walk: &mut Walk<'_, G>,
        state: &G::State,
        step: Step<'_>,
        joint: &mut Vec<Move>,
        known: &[u64],
        reach: Reach,
    ) -> Option<Leaf> {
        let Some(player) = step.left.iter().next() else {
            let joint = std::mem::take(joint);
            return self.after(walk, state, step.turn, &joint, known, reach);
        };
        let mut moves = Vec::new();
        walk.game.moves(state, player, &mut moves);
        if deadline::look() {
            return None;
        }
        let rest = Step { left: step.left.without(player), ..step };
        debug_assert!(player.index() < known.len(), "every player knows something");
        let known_here = known.get(player.index()).copied().unwrap_or_default();
        let key = set_key(known_here, player, &moves);
        let forced = step.forced.get(joint.len()).copied();
        let updated = player == walk.update;
        if !self.sets.contains_key(&key) {
            if self.sets.len() >= self.most {
                let even = 1.0 / moves.len().max(1) as f64;
                let drawn = moves.get(walk.rng.index(moves.len())).copied();
                joint.push(forced.or(drawn).unwrap_or_default());
                let next = reach.chosen(updated, even, even);
                return self.choose(walk, state, rest, joint, known, next);
            }
            let zeros = vec![0.0; moves.len()];
            let set = Regrets { moves, regret: zeros.clone(), strategy: zeros };
            self.sets.insert(key, set);
        }
        let mut policy = Vec::new();
        let set = self.sets.get(&key)?;
        set.policy(&mut policy);
        let n = policy.len() as f64;
        let sampling = |p: f64| if updated { EXPLORE / n + (1.0 - EXPLORE) * p } else { p };
        let chosen = match forced {
            Some(mv) => set.moves.iter().position(|&known| known == mv)?,
            None => draw(walk.rng, policy.iter().map(|&p| sampling(p))),
        };
        let &mv = set.moves.get(chosen)?;
        let (p, q) = (policy[chosen], sampling(policy[chosen]));
        let here = walk.sampled(reach, joint);
        joint.push(mv);
        let below = self.choose(walk, state, rest, joint, known, reach.chosen(updated, p, q))?;
        if !updated {
            return Some(below);
        }
        if let Some(set) = self.sets.get_mut(&key) {
            for (i, regret) in set.regret.iter_mut().enumerate() {
                let taken = if i == chosen { 1.0 } else { 0.0 };
                *regret += below.weight * below.tail * (taken - p);
            }
            for (strategy, p) in set.strategy.iter_mut().zip(&policy) {
                *strategy += reach.own * p / here;
            }
        }
        Some(Leaf { tail: p * below.tail, ..below })
    }
}

/// The choices of one step: who is still to choose, and the moves that an aimed sample makes.
#[derive(Clone, Copy)]
struct Step<'a> {
    turn: Turn,
    left: Players,
    forced: &'a [Move],
}

impl Reach {
    /// The probabilities after one more choice, which the policy makes with probability `p` and a free sample with `q`.
    fn chosen(self, updated: bool, p: f64, q: f64) -> Self {
        let next = Reach { free: self.free * q, step: self.step * q, ..self };
        match updated {
            true => Reach { own: self.own * p, ..next },
            false => Reach { others: self.others * p, ..next },
        }
    }
}

/// Draws an index by these probabilities; the last one takes what rounding leaves over.
fn draw(rng: &mut Rng, shares: impl ExactSizeIterator<Item = f64>) -> usize {
    let last = shares.len().saturating_sub(1);
    let mut left = rng.unit();
    let mut found = shares.enumerate().find(|&(_, share)| {
        left -= share;
        left < 0.0
    });
    found.take().map_or(last, |(i, _)| i)
}
