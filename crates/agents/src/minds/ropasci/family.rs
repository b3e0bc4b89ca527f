//! A family of players that may be the other: greedy and cautious players with any weights on the report's terms.
//!
//! Programs for this game mostly play the best move by a weighted sum of a few terms, either after the move alone or after the
//! worst reply. The weights are unknown, but every move of the other says something about them. About two hundred members with
//! different weights predict every turn. A member that predicts badly is replaced by a relative of one that predicts well
//! (a particle filter; Gordon, Salmond and Smith 1993).
//!
//! The terms of a position after each move are computed once a turn; a member then costs some multiplications a move.

use super::joint;
use ludex_core::{Game, Move, Player, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::terms::{self, Way};
use ludex_games::ropasci::{End, State};

/// The report's four terms, and its distance as the text has it.
const TERMS: usize = 5;
type Terms = [f64; TERMS];

/// Members that look at their own move alone, and those that look at replies.
const GREEDY: usize = 64;
const CAUTIOUS: usize = 128;
/// Members that are replaced after each turn.
const REPLACED: usize = 24;
/// A relative differs by about this factor in each weight.
const STEP: f64 = 0.25;
/// Factor on the weight of old evidence each turn.
const FADE: f64 = 0.98;
/// The share of a prediction that goes to all moves alike.
const DOUBT: f64 = 0.1;
/// How fast the certainty follows.
const PACE: f64 = 0.1;
/// The value of a won game to a cautious member.
const WON: f64 = 20.0;

/// One player of the family.
#[derive(Debug, Clone, Copy)]
struct Member {
    weights: Terms,
    /// Moves of each player that it looks at; 0: it looks at its own move alone.
    k: usize,
    /// The logarithm of the belief in it.
    belief: f64,
}

impl Member {
    /// Any member.
    fn any(cautious: bool, rng: &mut Rng) -> Self {
        let mut upto = |most: f64| rng.unit() * most;
        let mut weights = [upto(12.0), upto(10.0), upto(10.0), upto(4.0), 0.0];
        if rng.unit() < 0.3 {
            weights.swap(2, 4);
        }
        let k = if cautious { 5 + rng.index(36) } else { 0 };
        Member { weights, k, belief: 0.0 }
    }

    /// Someone like it.
    fn relative(&self, rng: &mut Rng) -> Self {
        let mut other = *self;
        for weight in &mut other.weights {
            // The sum of three even numbers is near enough to a bell.
            let noise = rng.unit() + rng.unit() + rng.unit() - 1.5;
            *weight *= (2.0 * STEP * noise).exp();
        }
        if self.k > 0 && rng.unit() < 0.5 {
            other.k = (self.k + rng.index(9)).saturating_sub(4).max(3);
        }
        other
    }

    fn value(&self, terms: &Terms) -> f64 {
        self.weights.iter().zip(terms).map(|(weight, term)| weight * term).sum()
    }
}

/// The terms of one turn, which all members use.
pub(super) struct Outlook {
    /// The terms after each move of the other alone, and after each of mine, for their makers.
    theirs: Vec<Terms>,
    mine: Vec<Terms>,
    lists: [Vec<Move>; 2],
    /// The terms after both, for the other; the last number is the value of a finished game.
    both: Vec<Option<(Terms, f64)>>,
    other: Player,
    spare: State,
}

fn all_terms(state: &State, player: Player) -> Terms {
    let [throws, kills, distance, diversity] = terms::of(state, player);
    let plain = terms::of_way(state, player, Way::Plain)[2];
    [throws, kills, distance, diversity, plain]
}

impl Outlook {
    pub(super) fn new(
        game: &Ropasci360,
        state: &State,
        other: Player,
        theirs: &[Move],
        mine: &[Move],
    ) -> Self {
        let mut spare = state.clone();
        let me = Player(1 - other.0.min(1));
        let mut alone = |player: Player, moves: &[Move]| -> Vec<Terms> {
            let terms = moves.iter().map(|&mv| {
                game.alone(state, player, mv, &mut spare);
                all_terms(&spare, player)
            });
            terms.collect()
        };
        Outlook {
            theirs: alone(other, theirs),
            mine: alone(me, mine),
            lists: [theirs.to_vec(), mine.to_vec()],
            both: vec![None; theirs.len() * mine.len()],
            other,
            spare,
        }
    }

    /// The value to a member of both moves together.
    fn cell(
        &mut self,
        game: &Ropasci360,
        state: &State,
        member: &Member,
        i: usize,
        j: usize,
    ) -> f64 {
        let at = i * self.lists[1].len() + j;
        let (terms, over) = match self.both[at] {
            Some(known) => known,
            None => {
                self.spare.clone_from(state);
                let moves = joint(self.other, self.lists[0][i], self.lists[1][j]);
                game.apply(&mut self.spare, &moves);
                let over = match (self.spare.end(), self.other) {
                    (End::Not, _) => f64::NAN,
                    (End::Upper, Player(0)) | (End::Lower, Player(1)) => WON,
                    (End::Upper | End::Lower, _) => -WON,
                    _ => 0.0,
                };
                let known = (all_terms(&self.spare, self.other), over);
                self.both[at] = Some(known);
                known
            }
        };
        if over.is_nan() { member.value(&terms) } else { over }
    }

    /// The moves that a member may make.
    fn choices(&mut self, game: &Ropasci360, state: &State, member: &Member) -> Vec<usize> {
        let mut values: Vec<f64> = self.theirs.iter().map(|terms| member.value(terms)).collect();
        if member.k > 0 {
            let own = best(&values, member.k);
            let mine: Vec<f64> = self.mine.iter().map(|terms| member.value(terms)).collect();
            let replies = best(&mine, member.k);
            values.fill(f64::NEG_INFINITY);
            let mut most = f64::NEG_INFINITY;
            for i in own {
                let mut worst = f64::INFINITY;
                for &j in &replies {
                    worst = worst.min(self.cell(game, state, member, i, j));
                    if worst < most - 1e-9 {
                        break;
                    }
                }
                most = most.max(worst);
                values[i] = worst;
            }
        }
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (0..values.len()).filter(|&i| values[i] >= most - 1e-9).collect()
    }
}

/// The places of the `k` greatest values.
fn best(values: &[f64], k: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order.truncate(k);
    order
}

/// The family in one game.
pub(super) struct Family {
    members: Vec<Member>,
    rng: Rng,
    /// The moves that each member may make this turn, and the number of moves it chooses from.
    last: Vec<Vec<usize>>,
    moves: usize,
    certainty: f64,
}

impl Default for Family {
    fn default() -> Self {
        let mut rng = Seed(360).rng();
        let members = (0..GREEDY + CAUTIOUS).map(|i| Member::any(i >= GREEDY, &mut rng)).collect();
        Family { members, rng, last: Vec::new(), moves: 0, certainty: 0.0 }
    }
}

impl Family {
    /// The chance of each of the other's moves.
    pub(super) fn predict(
        &mut self,
        game: &Ropasci360,
        state: &State,
        outlook: &mut Outlook,
    ) -> Vec<f64> {
        self.last = self.members.iter().map(|m| outlook.choices(game, state, m)).collect();
        self.moves = outlook.lists[0].len();
        let mut chances = vec![0.0; self.moves];
        let shares = self.shares();
        for (share, choices) in shares.iter().zip(&self.last) {
            let each = share / choices.len().max(1) as f64;
            choices.iter().for_each(|&i| chances[i] += each);
        }
        chances
    }

    fn shares(&self) -> Vec<f64> {
        let most = self.members.iter().map(|m| m.belief).fold(f64::MIN, f64::max);
        let weights: Vec<f64> = self.members.iter().map(|m| (m.belief - most).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|w| w / total).collect()
    }

    /// The move of the last prediction that was made.
    pub(super) fn learn(&mut self, made: usize) {
        if self.last.len() != self.members.len() {
            return;
        }
        if let Some(choices) = self.champion().and_then(|i| self.last.get(i)) {
            let hit = f64::from(u8::from(choices.contains(&made))) / choices.len().max(1) as f64;
            self.certainty += PACE * (hit - self.certainty);
        }
        let alike = DOUBT / self.moves.max(1) as f64;
        for (member, choices) in self.members.iter_mut().zip(&self.last) {
            let hit = choices.contains(&made);
            let chance = if hit { (1.0 - DOUBT) / choices.len() as f64 } else { 0.0 };
            member.belief = member.belief * FADE + (chance + alike).ln();
        }
        self.last.clear();
        self.renew();
    }

    /// The worst members make way for relatives of good ones, drawn by belief.
    fn renew(&mut self) {
        let shares = self.shares();
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        for &worst in order.iter().take(REPLACED) {
            let mut left = self.rng.unit();
            let parent = shares.iter().position(|share| {
                left -= share;
                left < 0.0
            });
            let Some(parent) = parent else { continue };
            self.members[worst] = self.members[parent].relative(&mut self.rng);
        }
    }

    /// A move that the most believed member would make, for looking further ahead.
    pub(super) fn choice(
        &self,
        game: &Ropasci360,
        state: &State,
        outlook: &mut Outlook,
    ) -> Option<Move> {
        let member = self.members.get(self.champion()?)?;
        outlook.choices(game, state, member).first().map(|&i| outlook.lists[0][i])
    }

    /// The place of the most believed member.
    fn champion(&self) -> Option<usize> {
        let belief = |i: &usize| self.members[*i].belief;
        (0..self.members.len()).max_by(|a, b| belief(a).total_cmp(&belief(b)))
    }

    /// How often the most believed member was right of late, 0..=1.
    pub(super) fn certainty(&self) -> f64 {
        self.certainty
    }
}
