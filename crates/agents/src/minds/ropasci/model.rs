//! A model of the other player: a few experts on how to play RoPaSci, each weighted by how well it has predicted in
//! this game.
//!
//! Most programs for this game choose the best move by some heuristic, and who knows their next
//! move takes a token with it. Every turn each expert here spreads a prediction over the
//! other's moves; the move then made tells which expert to believe (Bayes' rule, old
//! evidence fading). How far to trust them all together is measured, not assumed: the mean chance
//! that they gave to the moves that came.

use super::family::{Family, Outlook};
use super::habits::Habits;
use super::negamax::settled;
use super::weights::Weights;
use ludex_core::{Game, Move, Player};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;

/// A chance for each of the other's moves, in the order of the list.
type Prediction = Vec<f64>;

/// The experts' standing in one game.
pub(crate) struct Model {
    /// The logarithm of the belief in each expert.
    belief: [f64; EXPERTS],
    /// The mean chance given to the moves that came.
    trust: f64,
    most: f64,
    habits: Habits,
    family: Option<Family>,
    /// The turn, the moves and what each expert made of them.
    last: Option<(u16, Vec<Move>, Vec<Prediction>)>,
}

/// Weight sets that experts judge by: the report's, and one that hoards throws.
const SETS: [Weights; 2] =
    [Weights::new([1.0, 5.0, 1.0, 1.0]), Weights::new([10.0, 10.0, 2.0, 0.5])];
/// Greedy and cautious with each set, the equilibrium, going back, the habits, the family, anything.
const EXPERTS: usize = 2 * SETS.len() + 5;
/// Factor on the weight of old evidence each turn.
const FADE: f64 = 0.97;
/// How fast trust follows.
const PACE: f64 = 0.1;
/// The share of every prediction that goes to all moves alike.
const DOUBT: f64 = 0.1;
/// A cautious player looks at so many moves of both: the report's cap.
const BEST: usize = 8;

impl Model {
    /// Trusts itself no further than `most`; with or without a family of players.
    pub(crate) fn new(most: f64, family: bool) -> Self {
        Model {
            belief: [0.0; EXPERTS],
            trust: 0.0,
            most,
            habits: Habits::default(),
            family: family.then(Family::default),
            last: None,
        }
    }

    /// The family of players, where the model has one.
    pub(super) fn family(&self) -> Option<&Family> {
        self.family.as_ref()
    }

    /// The other made this move on the turn before `turn`.
    pub(crate) fn learn(&mut self, turn: u16, mv: Move) {
        let Some((then, moves, predictions)) = self.last.take() else { return };
        let Some(at) = moves.iter().position(|&m| m == mv).filter(|_| then + 1 == turn) else {
            return;
        };
        let chance: f64 = self.shares().iter().zip(&predictions).map(|(w, p)| w * p[at]).sum();
        self.trust += PACE * (chance - self.trust);
        self.habits.learn(at);
        if let Some(family) = &mut self.family {
            family.learn(at);
        }
        for (belief, prediction) in self.belief.iter_mut().zip(&predictions) {
            *belief = *belief * FADE + prediction[at].max(1e-6).ln();
        }
    }

    /// The experts' shares of belief.
    fn shares(&self) -> [f64; EXPERTS] {
        let most = self.belief.iter().copied().fold(f64::MIN, f64::max);
        let weights = self.belief.map(|b| (b - most).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|w| w / total)
    }

    /// How far to trust the predictions, 0..=1.
    pub(crate) fn trust(&self) -> f64 {
        self.trust.min(self.most)
    }

    /// Predicts the move of `other`, who plays `equilibrium` if it is as wise as this player;
    /// `back` undoes its last move, where it can.
    pub(crate) fn predict(
        &mut self,
        game: &Ropasci360,
        state: &State,
        other: Player,
        moves: &[Move],
        equilibrium: &[f64],
        back: Option<Move>,
    ) -> Prediction {
        let mut mine = Vec::new();
        let me = Player(1 - other.0.min(1));
        game.moves(state, me, &mut mine);
        let mut experts: Vec<Prediction> = Vec::with_capacity(EXPERTS);
        for weights in &SETS {
            let alone = weights.alone(game, state, other, moves);
            let values: Vec<f64> = alone.iter().map(|(_, value)| *value).collect();
            experts.push(best_of(&values));
            experts.push(cautious(game, state, other, weights, &alone, &mine));
        }
        experts.push(equilibrium.to_vec());
        experts.push(moves.iter().map(|&mv| f64::from(u8::from(Some(mv) == back))).collect());
        experts.push(self.habits.predict(game, state, other, moves, &experts));
        experts.push(match &mut self.family {
            Some(family) => {
                family.predict(game, state, &mut Outlook::new(game, state, other, moves, &mine))
            }
            None => vec![0.0; moves.len()],
        });
        experts.push(vec![0.0; moves.len()]);
        let alike = 1.0 / moves.len().max(1) as f64;
        for prediction in &mut experts {
            let total: f64 = prediction.iter().sum();
            let sure = if total > 0.0 { (1.0 - DOUBT) / total } else { 0.0 };
            let rest = if total > 0.0 { DOUBT } else { 1.0 };
            prediction.iter_mut().for_each(|p| *p = *p * sure + rest * alike);
        }
        let shares = self.shares();
        let mixed = (0..moves.len())
            .map(|i| shares.iter().zip(&experts).map(|(w, prediction)| w * prediction[i]).sum())
            .collect();
        self.last = Some((state.turns(), moves.to_vec(), experts));
        mixed
    }
}

/// Evenly over the best.
fn best_of(values: &[f64]) -> Prediction {
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    values.iter().map(|&value| f64::from(u8::from(value >= most - 1e-9))).collect()
}

/// The moves whose worst reply is best: the report's search.
fn cautious(
    game: &Ropasci360,
    state: &State,
    other: Player,
    weights: &Weights,
    alone: &[(Move, f64)],
    mine: &[Move],
) -> Prediction {
    let me = Player(1 - other.0.min(1));
    let replies = weights.best(game, state, me, mine, BEST);
    let mut order: Vec<usize> = (0..alone.len()).collect();
    order.sort_by(|&a, &b| alone[b].1.total_cmp(&alone[a].1));
    let mut next = state.clone();
    let mut values = vec![f64::MIN; alone.len()];
    for &i in order.iter().take(BEST) {
        let mut worst = f64::INFINITY;
        for &reply in &replies {
            next.clone_from(state);
            let joint = if other == Player(0) { [alone[i].0, reply] } else { [reply, alone[i].0] };
            game.apply(&mut next, &joint);
            worst = worst.min(settled(weights, &next, other));
        }
        values[i] = worst;
    }
    best_of(&values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use crate::minds::ropasci::greedy::Greedy;
    use crate::minds::ropasci::{Judge, Seat};
    use ludex_core::{Seed, Spec};

    #[test]
    fn a_greedy_player_is_soon_known_and_a_random_one_is_not_trusted() {
        let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
        let mut trusts = Vec::new();
        for random in [false, true] {
            let mut model = Model::new(0.9, true);
            let mut rng = Seed(3).rng();
            let mut greedy = Greedy { weights: Weights::default(), rng: Seed(4).rng() };
            let mut state = game.start();
            while state.turns() < 40 && !game.is_over(&state) {
                let lists = [0, 1].map(|p| {
                    let mut list = Vec::new();
                    game.moves(&state, Player(p), &mut list);
                    list
                });
                let even = vec![1.0; lists[1].len()];
                let predicted = model.predict(&game, &state, Player(1), &lists[1], &even, None);
                assert!((predicted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                let mut any = |list: &[Move]| list[rng.index(list.len())];
                let budget = Budget::default();
                let seat =
                    Seat { player: Player(1), legal: &lists[1], last: None, budget: &budget };
                let theirs = match random {
                    true => any(&lists[1]),
                    false => greedy.judge(&game, &state, seat)[0].0,
                };
                let joint = [any(&lists[0]), theirs];
                game.apply(&mut state, &joint);
                model.learn(state.turns(), theirs);
            }
            trusts.push(model.trust());
        }
        assert!(trusts[0] > 0.3 && trusts[1] < 0.1, "{trusts:?}");
    }
}
