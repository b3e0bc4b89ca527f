//! Data of all moves at all depths (seed 004, section 8): a table of every position that the simulations came through.
//!
//! The seed's table knows the core moves alone; behind them everybody moves at random. Here each position keeps the results of
//! its own moves, and the mover there is a bandit, too (UCB1; Auer, Cesa-Bianchi and Fischer 2002). Two players without chance also leave
//! behind what is certain: a position is won if one of its moves leads to a position that is lost for the other, and lost if
//! all lead to won ones (as in MCTS-Solver; Winands, Björnsson and Saito 2008). A move whose replies are nearly all refuted is tried
//! sooner. Positions that come up by several ways are one position. A simulation ends where the result is certain.

use super::arms::{Arm, Ending};
use super::simulation::{ending, renew};
use ludex_core::deadline::{self, Ticker};
use ludex_core::{Game, Move, Player, Rng, Turn};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// One move of a position.
#[derive(Debug, Clone, Copy)]
struct Try {
    mv: Move,
    /// The position behind it.
    behind: u64,
    /// How it ends for the mover, where that is certain.
    certain: Option<Ending>,
    visits: f32,
    /// The mover's payoffs.
    sum: f32,
    /// The share of the replies behind it whose end is not certain yet, as last seen.
    open: f32,
}

/// One position.
#[derive(Debug, Default)]
struct Place {
    tries: Vec<Try>,
    visits: f32,
    /// How it ends for the mover, where that is certain.
    certain: Option<Ending>,
}

/// All positions of one decision.
pub struct Memory<G: Game> {
    places: FxHashMap<u64, Place>,
    /// The positions of the simulation that runs, with the move made and whether its mover is the agent.
    path: Vec<(u64, usize, bool)>,
    state: Option<G::State>,
    next: Option<G::State>,
    pad: Vec<Move>,
    payoffs: Vec<f32>,
    /// Two players: one wins what the other loses, so that results can be certain.
    duel: bool,
    ticker: Ticker,
}

/// UCB1's constant for payoffs from 0 to 1.
const C: f32 = 0.7;
/// How much a move gains where all replies but the last are refuted: what is nearly certain is worth finishing (as in
/// proof-number search; Allis, van der Meulen and van den Herik 1994). On 60 won Nim boards, ten tries each, a winning move is
/// found in 90.5 % with it and in 88.7 % without.
const NEARLY: f32 = 1.0;
/// The urge of a move that was never tried.
const UNTRIED: f32 = 10.0;

/// The result as the other player sees it.
fn turned(end: Ending) -> Ending {
    match end {
        Ending::Win => Ending::Loss,
        Ending::Neutral => Ending::Neutral,
        Ending::Loss => Ending::Win,
    }
}

fn payoff(end: Ending) -> f32 {
    match end {
        Ending::Win => 1.0,
        Ending::Neutral => 0.5,
        Ending::Loss => 0.0,
    }
}

impl Place {
    /// Sets the certain end of the position if the ends of its moves decide it.
    fn conclude(&mut self) {
        let best = self.tries.iter().try_fold(Ending::Loss, |best, one| match one.certain {
            Some(end) if payoff(end) > payoff(best) => Some(end),
            Some(_) => Some(best),
            None => None,
        });
        let won = self.tries.iter().any(|one| one.certain == Some(Ending::Win));
        self.certain = if won { Some(Ending::Win) } else { best };
    }

    /// The share of its moves whose end is not certain.
    fn open(&self) -> f32 {
        let open = self.tries.iter().filter(|one| one.certain.is_none()).count();
        open as f32 / self.tries.len().max(1) as f32
    }

    /// The move that its bandit makes: none that is certain to lose, unless all are.
    fn select(&self, rng: &mut Rng) -> Option<usize> {
        let all = self.visits.max(1.0).ln();
        let mut best: Option<(f32, usize)> = None;
        // Equals in random order: the search begins anywhere.
        let n = self.tries.len();
        let first = rng.index(n.max(1));
        for i in (0..n).map(|i| (first + i) % n) {
            let one = &self.tries[i];
            let urge = match one.certain {
                Some(Ending::Loss) => continue,
                _ if one.visits == 0.0 => UNTRIED,
                _ => one.sum / one.visits + C * (2.0 * all / one.visits).sqrt(),
            };
            let urge = urge - NEARLY * one.open;
            if best.is_none_or(|(most, _)| urge > most) {
                best = Some((urge, i));
            }
        }
        best.map(|(_, i)| i).or_else(|| (n > 0).then_some(first))
    }
}

impl<G: Game> Memory<G> {
    /// An empty memory.
    pub fn new(game: &G) -> Self {
        let seats = game.info().seats();
        Memory {
            places: FxHashMap::default(),
            path: Vec::new(),
            state: None,
            next: None,
            pad: Vec::new(),
            payoffs: vec![0.0; seats],
            duel: seats == 2 && game.info().constant_sum,
            ticker: Ticker::default(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.clear();
    }

    /// How a position after a core move of `me` ends for `me`, where that is certain.
    pub fn certain(&self, game: &G, state: &G::State, me: Player) -> Option<Ending> {
        match game.turn(state) {
            Turn::Over => {
                let mut payoffs = vec![0.0; game.info().seats()];
                game.payoffs(state, &mut payoffs);
                Some(ending(&payoffs, me))
            }
            Turn::One(player) => {
                let end = self.places.get(&game.hash(state))?.certain?;
                Some(if player == me { end } else { turned(end) })
            }
            _ => None,
        }
    }

    /// The place of a position; what ends at once is certain from the beginning.
    fn visit(&mut self, game: &G, state: &G::State, player: Player, key: u64) {
        if !self.places.contains_key(&key) {
            self.pad.clear();
            game.moves(state, player, &mut self.pad);
            let mut next = renew(self.next.take(), state);
            let mut place = Place::default();
            for &mv in &self.pad {
                next.clone_from(state);
                game.apply(&mut next, &[mv]);
                let over = self.duel && game.is_over(&next);
                let certain = over.then(|| {
                    game.payoffs(&next, &mut self.payoffs);
                    ending(&self.payoffs, player)
                });
                let behind = game.hash(&next);
                place.tries.push(Try { mv, behind, certain, visits: 0.0, sum: 0.0, open: 1.0 });
            }
            self.next = Some(next);
            self.places.insert(key, place);
        }
        if self.duel {
            self.recall(game, state, player, key);
        }
    }

    /// Looks up what has become certain of the positions behind the moves.
    fn recall(&mut self, game: &G, state: &G::State, player: Player, key: u64) {
        let Some(mut place) = self.places.remove(&key) else { return };
        if place.certain.is_none() {
            for one in place.tries.iter_mut().filter(|one| one.certain.is_none()) {
                let Some(behind) = self.places.get(&one.behind) else { continue };
                one.open = behind.open();
                let Some(end) = behind.certain else { continue };
                let mut next = renew(self.next.take(), state);
                game.apply(&mut next, &[one.mv]);
                let same = game.turn(&next) == Turn::One(player);
                one.certain = Some(if same { end } else { turned(end) });
                self.next = Some(next);
            }
            place.conclude();
        }
        self.places.insert(key, place);
    }

    /// A game from `start`, the position after the core move of `me`. The depth counts the turns of `me`, the core move
    /// included; beyond `depth` of them the game is neutral. `None` where the clock rings.
    pub fn run(
        &mut self,
        game: &G,
        start: &G::State,
        me: Player,
        depth: u32,
        rng: &mut Rng,
    ) -> Option<(Ending, u32)> {
        let mut state = renew(self.state.take(), start);
        self.path.clear();
        let mut turns = 1;
        let mut sure = self.duel;
        let end = loop {
            if self.ticker.step() {
                self.state = Some(state);
                return None;
            }
            match game.turn(&state) {
                Turn::Over => {
                    game.payoffs(&state, &mut self.payoffs);
                    break ending(&self.payoffs, me);
                }
                Turn::One(player) => {
                    let mine = player == me;
                    if mine && turns >= depth {
                        sure = false;
                        break Ending::Neutral;
                    }
                    let key = game.hash(&state);
                    self.visit(game, &state, player, key);
                    let Some(place) = self.places.get(&key) else { break Ending::Neutral };
                    if let Some(end) = place.certain {
                        break if mine { end } else { turned(end) };
                    }
                    let Some(at) = place.select(rng) else { break Ending::Neutral };
                    turns += u32::from(mine);
                    self.path.push((key, at, mine));
                    game.apply(&mut state, &[place.tries[at].mv]);
                }
                Turn::Chance => {
                    // The end of a position before a throw of dice is never certain.
                    sure = false;
                    let mv = game.sample_chance(&state, rng);
                    game.apply(&mut state, &[mv]);
                }
                Turn::Joint(_) => break Ending::Neutral,
            }
        };
        self.state = Some(state);
        if deadline::expired() {
            return None;
        }
        self.remember(end, sure);
        Some((end, turns))
    }

    /// The result of a simulation goes to all its moves, and as far back as it is certain.
    fn remember(&mut self, end: Ending, mut sure: bool) {
        for &(key, at, mine) in self.path.iter().rev() {
            let Some(place) = self.places.get_mut(&key) else { continue };
            let own = if mine { end } else { turned(end) };
            place.visits += 1.0;
            place.tries[at].visits += 1.0;
            place.tries[at].sum += payoff(own);
            if sure {
                // The last move of the path leads to this very result.
                place.tries[at].certain = Some(own);
                place.conclude();
                // Further back it goes only where this position is now certain, by the same result.
                sure = place.certain == Some(own);
            }
        }
    }

    /// The arms, the best first, and how many share first place: certain wins, then by a bound below the mean payoff.
    pub fn rank(&self, arms: &[Arm], known: &[Option<Ending>]) -> (Vec<usize>, usize) {
        let value = |i: usize| {
            let n = arms[i].trials().max(1) as f64;
            match known.get(i).copied().flatten() {
                Some(Ending::Win) => 2.0,
                Some(Ending::Neutral) => 0.5,
                Some(Ending::Loss) => -2.0,
                None => arms[i].mean() - BOUND / n.sqrt(),
            }
        };
        let mut order: Vec<usize> = (0..arms.len()).collect();
        let compare = |a: &usize, b: &usize| value(*b).total_cmp(&value(*a));
        order.sort_by(compare);
        let first = order.first().copied().unwrap_or(0);
        let ties = order.iter().take_while(|i| compare(&first, i) == Ordering::Equal).count();
        (order, ties.max(1))
    }
}

/// Standard deviations of a payoff below the mean.
const BOUND: f64 = 0.5;
