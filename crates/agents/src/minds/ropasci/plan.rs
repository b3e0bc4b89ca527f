//! A plan against a known player: where the other's next moves are as good as known, its moves for several turns are, too, and
//! what is left is a search for one player. A beam keeps the best few positions of each turn.
//!
//! One turn is not enough against a player that waits: it takes several steps to drive a token into a corner, and none of them
//! looks better than another by itself.

use super::evaluation::Evaluation;
use super::family::{Family, Outlook};
use super::joint;
use ludex_core::deadline;
use ludex_core::{Game, Move, Player};
use ludex_games::Ropasci360;
use ludex_games::ropasci::{End, State};

/// How far a plan looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Turns.
    pub(super) turns: u32,
    /// Positions that are kept after each turn.
    pub(super) width: usize,
}

/// A position on the way.
struct Step {
    state: State,
    /// The first move of the plan.
    first: Move,
    /// My expected payoff.
    value: f64,
}

/// The first moves of the best plans with my expected payoff at their ends; `judge` gives upper's expected payoff.
pub(super) fn plan(
    game: &Ropasci360,
    state: &State,
    me: Player,
    family: &Family,
    judge: (&Evaluation, f64),
    shape: Shape,
) -> Vec<(Move, f64)> {
    let mut beam = vec![Step { state: state.clone(), first: Move::default(), value: 0.0 }];
    for turn in 0..shape.turns {
        let mut next: Vec<Step> = Vec::new();
        for step in beam {
            if deadline::look() {
                return Vec::new();
            }
            extend(game, step, me, family, judge, shape.width, turn == 0, &mut next);
        }
        next.sort_by(|a, b| b.value.total_cmp(&a.value));
        next.truncate(shape.width);
        beam = next;
    }
    let mut plans: Vec<(Move, f64)> = Vec::new();
    for step in &beam {
        if !plans.iter().any(|(mv, _)| *mv == step.first) {
            plans.push((step.first, step.value));
        }
    }
    plans
}

/// All my moves against the one that the other is expected to make; the best of them go to `out`.
#[expect(clippy::too_many_arguments, reason = "one step of one loop")]
fn extend(
    game: &Ropasci360,
    step: Step,
    me: Player,
    family: &Family,
    (evaluation, drawn): (&Evaluation, f64),
    width: usize,
    begins: bool,
    out: &mut Vec<Step>,
) {
    if step.state.end() != End::Not {
        out.push(step);
        return;
    }
    let other = Player(1 - me.0.min(1));
    let [mine, theirs] = [me, other].map(|player| {
        let mut list = Vec::new();
        game.moves(&step.state, player, &mut list);
        list
    });
    let mut outlook = Outlook::new(game, &step.state, other, &theirs, &mine);
    let Some(reply) = family.choice(game, &step.state, &mut outlook) else { return };
    let mut next = step.state.clone();
    let mut judged: Vec<(f64, Move)> = Vec::with_capacity(mine.len());
    for &mv in &mine {
        next.clone_from(&step.state);
        game.apply(&mut next, &joint(me, mv, reply));
        let mut value = evaluation.value(&next, drawn);
        if next.repeats() > 1 {
            value = drawn;
        }
        judged.push((if me == Player(0) { value } else { 1.0 - value }, mv));
    }
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    for &(value, mv) in judged.iter().take(width) {
        let mut state = step.state.clone();
        game.apply(&mut state, &joint(me, mv, reply));
        let first = if begins { mv } else { step.first };
        out.push(Step { state, first, value });
    }
}
