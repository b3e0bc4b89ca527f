//! A choice between weights of terms by short games.
//!
//! Random play shows what pieces are worth, but hardly what mobility is worth: a random player does not use it. So players that
//! look two plies ahead, each with its own weights, play against each other, and the weights that win clearly are taken. A
//! second ply shows that a piece is taken back; where moves are too many or rules too slow, one ply has to do. The same rules
//! give the same choice, unless they are so slow that time ends the games.

use ludex_core::deadline::cpu_time;
use ludex_core::{Game, Move, Player, Rng, Seed, Turn};
use std::cmp::Ordering;
use std::time::Duration;

/// Games between two candidates, at most. Each opening is played twice, with both seats.
const GAMES: u32 = 100;
/// Fewer games decide nothing.
const FEWEST: u32 = 16;
/// Two plies are looked at where so many games fit into what a challenger has.
const ENOUGH: u32 = 16;
/// Random plies of an opening, and the length at which a game is drawn.
const OPENING: usize = 4;
const LONGEST: usize = 200;
/// Positions that are judged in all games, and the processor time for them, at most.
const POSITIONS: u32 = 400_000;
const TIME: Duration = Duration::from_millis(1000);
/// A challenger takes the place of the champion with a score that is so many standard errors above one half. Ten challengers are
/// tried, so that a lower bar lets one of them pass by luck.
const CLEAR: f64 = 2.3;
/// The least score above one half of a challenger: where payoffs are graded, a small gain is soon clear.
const MARGIN: f64 = 0.05;
/// The least score above one half of a challenger whose terms cost more. In these games every term has the same depth; by the clock,
/// dear terms cost depth. In draughts pieces that no move attacks won games of two plies, and lost searches of 20 ms.
const COST: f64 = 0.2;

/// The effect of a term that is added, in parts of the effect of all others.
const LITTLE: f64 = 0.2;

/// Weights of a game's terms.
pub(super) struct Candidate {
    pub(super) weights: Vec<f32>,
    /// Do moves have to be listed for these terms?
    pub(super) costly: bool,
}

/// The first candidate or a later one that beats it clearly in games of players that look one or two plies ahead.
pub(super) fn best<G: Game>(game: &G, candidates: &[Candidate]) -> usize {
    let mut contest = Contest::new(game);
    if let Some(first) = candidates.first() {
        contest.choose_plies(candidates.len() as u32, &first.weights);
    }
    let mut champion = 0;
    for challenger in 1..candidates.len() {
        // Divide the time that is left equally among the challengers.
        contest.limit((candidates.len() - challenger) as u32);
        let (Some(old), Some(new)) = (candidates.get(champion), candidates.get(challenger)) else {
            continue;
        };
        let more = if new.costly && !old.costly { COST } else { MARGIN };
        if contest.against(&new.weights, &old.weights, more) == Ordering::Greater {
            champion = challenger;
        }
    }
    champion
}

/// Adds a little of one term after another, for positions that are equal by the others. What wins clearly stays; a term that
/// loses clearly is tried with the other sign.
pub(super) fn improved<G: Game>(
    game: &G,
    mut weights: Vec<f32>,
    terms: &[usize],
    spread: &[f64],
) -> Vec<f32> {
    let mut contest = Contest::new(game);
    contest.choose_plies(2 * terms.len() as u32, &weights);
    let effect: f64 = weights.iter().zip(spread).map(|(w, s)| f64::from(w.abs()) * s).sum();
    for (number, &term) in terms.iter().enumerate() {
        let with = |sign: f64| {
            let mut more = weights.clone();
            more[term] += (sign * LITTLE * effect / spread[term]) as f32;
            more
        };
        contest.limit(2 * (terms.len() - number) as u32);
        let [more, less] = [with(1.0), with(-1.0)];
        match contest.against(&more, &weights, 0.0) {
            Ordering::Greater => weights = more,
            Ordering::Equal => {}
            Ordering::Less => {
                contest.limit(2 * (terms.len() - number) as u32);
                if contest.against(&less, &weights, 0.0) == Ordering::Greater {
                    weights = less;
                }
            }
        }
    }
    weights
}

/// The scores of a challenger.
#[derive(Default)]
struct Tally {
    games: u32,
    sum: f64,
    squares: f64,
}

impl Tally {
    fn add(&mut self, score: f64) {
        self.games += 1;
        self.sum += score;
        self.squares += score * score;
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.games)
    }

    /// How far chance alone takes the mean from one half.
    fn clear(&self) -> f64 {
        let n = f64::from(self.games);
        // A run of wins has no spread of its own: a quarter of a game keeps the error above 0.
        let variance = (self.squares / n - self.mean() * self.mean()).max(0.25 / n);
        CLEAR * (variance / n).sqrt()
    }

    fn is_above(&self, score: f64) -> bool {
        self.mean() - score > self.clear()
    }

    fn is_below_half(&self) -> bool {
        0.5 - self.mean() > self.clear()
    }
}

struct Contest<'a, G: Game> {
    game: &'a G,
    /// How far the players look ahead.
    plies: u32,
    /// Positions that were judged, the number at which the games of a challenger end, the time at which they do, and the end of all.
    positions: u32,
    enough: u32,
    late: Duration,
    end: Duration,
    values: Vec<f32>,
    legal: Vec<Move>,
    pad: Vec<Move>,
}

impl<G: Game> Contest<'_, G> {
    fn new(game: &G) -> Contest<'_, G> {
        let end = cpu_time().saturating_add(TIME);
        let values = vec![0.0; game.terms().len()];
        let (legal, pad) = (Vec::new(), Vec::new());
        Contest { game, plies: 2, positions: 0, enough: 0, late: end, end, values, legal, pad }
    }

    /// Leaves it at one ply if too few games of two plies fit into the part of a challenger.
    fn choose_plies(&mut self, challengers: u32, weights: &[f32]) {
        self.limit(challengers.max(1) * ENOUGH);
        if self.play(0, &[weights, weights]).is_none() {
            self.plies = 1;
        }
    }

    /// Gives the next games one of `parts` equal parts of the positions and the time that are left.
    fn limit(&mut self, parts: u32) {
        let (now, parts) = (cpu_time(), parts.max(1));
        self.late = now + self.end.saturating_sub(now) / parts;
        self.enough = self.positions + POSITIONS.saturating_sub(self.positions) / parts;
    }

    fn is_late(&self) -> bool {
        self.positions > self.enough || cpu_time() > self.late
    }

    /// Does `new` score clearly more than one half and `more` against `old`, or clearly less than one half?
    fn against(&mut self, new: &[f32], old: &[f32], more: f64) -> Ordering {
        let mut tally = Tally::default();
        let weights = [new, old];
        for number in 0..GAMES {
            let Some(score) = self.play(number, &weights) else { break };
            tally.add(score);
            if tally.games >= FEWEST && tally.is_below_half() {
                return Ordering::Less;
            }
        }
        match tally.games >= FEWEST && tally.is_above(0.5 + more) {
            true => Ordering::Greater,
            false => Ordering::Equal,
        }
    }

    /// The payoff of the first weights, 0 to 1; nothing if time is up.
    fn play(&mut self, number: u32, weights: &[&[f32]; 2]) -> Option<f64> {
        let game = self.game;
        let seats = game.info().seats().max(1);
        let seat = number as usize % seats;
        let seed = Seed(0xc0).child(u64::from(number / seats as u32));
        let mut rng = seed.rng();
        let mut state = game.start();
        for ply in 0..LONGEST {
            let turn = game.turn(&state);
            let joint: Vec<Move> = match turn {
                Turn::Over => break,
                Turn::Chance => vec![game.sample_chance(&state, &mut rng)],
                Turn::One(player) if ply >= OPENING => {
                    if self.is_late() {
                        return None;
                    }
                    let weights = weights[usize::from(player.index() != seat)];
                    vec![self.choose(&state, player, weights, &mut rng)]
                }
                Turn::One(_) | Turn::Joint(_) => {
                    let movers = turn.movers();
                    movers.iter().map(|p| game.sample(&state, p, &mut rng, &mut self.pad)).collect()
                }
            };
            game.apply(&mut state, &joint);
        }
        if !game.is_over(&state) {
            return Some(0.5);
        }
        let mut payoffs = vec![0.0; seats];
        game.payoffs(&state, &mut payoffs);
        Some(f64::from(payoffs.get(seat).copied().unwrap_or(0.5)))
    }

    /// The move after which the position is worth most; equals are drawn by lot.
    fn choose(&mut self, state: &G::State, player: Player, weights: &[f32], rng: &mut Rng) -> Move {
        let game = self.game;
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        game.moves(state, player, &mut legal);
        let wanted: Vec<bool> = weights.iter().map(|weight| *weight != 0.0).collect();
        let mut chosen = (f32::NEG_INFINITY, legal.first().copied().unwrap_or_default());
        let mut equal = 0;
        for &mv in &legal {
            let mut after = state.clone();
            game.apply(&mut after, &[mv]);
            let value = match game.turn(&after) {
                Turn::One(other) if self.plies > 1 && other != player => {
                    self.worst_reply(&after, (other, player), weights, &wanted, chosen.0)
                }
                _ => self.value(&after, player, weights, &wanted),
            };
            if value > chosen.0 {
                (chosen, equal) = ((value, mv), 1);
            } else if value == chosen.0 {
                equal += 1;
                if rng.below(equal) == 0 {
                    chosen.1 = mv;
                }
            }
        }
        self.legal = legal;
        chosen.1
    }

    /// The value for `player` after the reply of `other` that is worst for it. A value below `least` ends the search.
    fn worst_reply(
        &mut self,
        state: &G::State,
        (other, player): (Player, Player),
        weights: &[f32],
        wanted: &[bool],
        least: f32,
    ) -> f32 {
        let mut replies = std::mem::take(&mut self.pad);
        replies.clear();
        self.game.moves(state, other, &mut replies);
        let mut worst = f32::INFINITY;
        for &reply in &replies {
            let mut after = state.clone();
            self.game.apply(&mut after, &[reply]);
            worst = worst.min(self.value(&after, player, weights, wanted));
            if worst < least {
                break;
            }
        }
        self.pad = replies;
        worst
    }

    /// A result counts more than any sum of terms.
    fn value(&mut self, state: &G::State, player: Player, weights: &[f32], wanted: &[bool]) -> f32 {
        self.positions += 1;
        if self.game.is_over(state) {
            let mut payoffs = vec![0.0; self.game.info().seats()];
            self.game.payoffs(state, &mut payoffs);
            return (payoffs.get(player.index()).copied().unwrap_or(0.5) - 0.5) * 1e6;
        }
        self.game.evaluate_some(state, player, wanted, &mut self.values);
        weights.iter().zip(&self.values).map(|(weight, value)| weight * value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_win_games_are_chosen() {
        let game = ludex_games::open("reversi(6)").unwrap();
        let term = |wanted: &str| {
            let weight = |name: &&str| f32::from(u8::from(*name == wanted));
            Candidate { weights: game.terms().iter().map(weight).collect(), costly: false }
        };
        // To hold many discs early loses Reversi; to have many moves wins it.
        assert_eq!(best(&game, &[term("discs"), term("mobility")]), 1);
        assert_eq!(best(&game, &[term("mobility"), term("discs")]), 0);
        assert_eq!(best(&game, &[term("mobility"), term("mobility")]), 0);
    }

    #[test]
    fn terms_that_win_games_are_added_to_others() {
        let game = ludex_games::open("reversi(6)").unwrap();
        let place = |name: &str| game.terms().iter().position(|term| *term == name).unwrap();
        let (mobility, discs) = (place("mobility"), place("discs"));
        let improved = |first: usize, second: usize| {
            let (mut weights, mut spread) = (vec![0.0; game.terms().len()], vec![0.1; 6]);
            weights[first] = 1.0;
            // A term that hardly differs gets a large weight.
            spread[second] = 0.005;
            improved(&game, weights, &[second], &spread)
        };
        let better = improved(discs, mobility);
        assert!(better[mobility] > 0.0 && better[discs] == 1.0, "{better:?}");
        let better = improved(mobility, discs);
        assert!(better[discs] <= 0.0 && better[mobility] == 1.0, "{better:?}");
    }
}
