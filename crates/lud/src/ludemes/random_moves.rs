//! `(random …)`: moves that chance draws in what follows from a move, or at the start.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    effect(
        "random {float} {moves}",
        "One of several moves, each with its weight.",
        "(then (random {0.25 0.75} {(moveAgain) (addScore Mover 1)}))",
        weighted,
    )
    .refuses("a list of moves to choose from: chance draws only what follows from a move")
    .joins(),
    effect(
        "random moves num:int",
        "So many of the moves, each as likely.",
        "(then (random (remove (sites Occupied by:Next)) num:1))",
        |args| {
            follows(args)?;
            Ok(Box::new(SomeMoves { moves: args.moves("moves")?, num: args.int("num")? }))
        },
    )
    .refuses("a list of moves to choose from: chance draws only what follows from a move")
    .joins(),
];

/// Weights become whole numbers by at most this factor.
const MOST_SHARES: i32 = 1000;

/// Chance draws moves only in consequences and at the start.
fn follows(args: &Args<'_, '_, '_>) -> Result<()> {
    match args.lower.following > 0 || args.lower.starting {
        true => Ok(()),
        false => Err(args.unsupported()),
    }
}

fn weighted(args: &mut Args<'_, '_, '_>) -> Result<Generator> {
    follows(args)?;
    let weights = args.value("{float}")?.items();
    let weights: Option<Vec<f64>> = weights
        .iter()
        .map(|weight| match weight {
            Value::Int(number) => Some(f64::from(*number)),
            Value::Float(number) => Some(f64::from(*number)),
            _ => None,
        })
        .collect();
    let shares = weights.as_deref().and_then(shares).ok_or_else(|| args.unsupported())?;
    let moves = args.value("{moves}")?.items();
    let moves = moves.iter().map(|moves| args.lower.moves(moves, args.ludeme));
    Ok(Box::new(OneOf { shares, moves: moves.collect::<Result<_>>()? }))
}

/// Weights as whole numbers with the same proportions, as small as possible.
fn shares(weights: &[f64]) -> Option<Vec<i32>> {
    let whole = |number: f64| (number - number.round()).abs() < 1e-4;
    let fits = |factor: &i32| weights.iter().all(|weight| whole(weight * f64::from(*factor)));
    let factor = (1..=MOST_SHARES).find(fits).unwrap_or(MOST_SHARES);
    let shares = weights.iter().map(|weight| (weight * f64::from(factor)).round() as i32);
    let shares: Vec<i32> = shares.collect();
    let good = shares.iter().all(|share| (0..=MOST_SHARES * MOST_SHARES).contains(share));
    (good && shares.iter().any(|&share| share > 0)).then_some(shares)
}

node! {
    /// One of several moves.
    struct OneOf = "random", reads DRAWS { shares: Vec<i32>, moves: Vec<Generator> }
}

impl Generate for OneOf {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let all: i32 = self.shares.iter().fold(0, |all, share| all.saturating_add(*share));
        let mut drawn = c.draw(1, all.max(1));
        for (share, moves) in self.shares.iter().zip(&self.moves) {
            drawn -= share;
            if drawn <= 0 {
                return moves.generate(c, out);
            }
        }
    }
}

node! {
    /// Some of the moves.
    struct SomeMoves = "random", reads DRAWS { moves: Generator, num: Int }
}

impl Generate for SomeMoves {
    fn generate(&self, c: &mut Context<'_>, out: &mut Moves) {
        let mut all = c.moves();
        self.moves.generate(c, &mut all);
        for _ in 0..self.num.get(c).max(0) {
            let Some(last) = all.heads.len().checked_sub(1) else { break };
            let drawn = c.draw(0, last as i32).max(0) as usize;
            let head = all.heads.remove(drawn.min(last));
            out.take(&all, head);
        }
        c.free_moves(all);
    }
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn weights_become_small_whole_numbers() {
        assert_eq!(shares(&[0.25, 0.75]), Some(vec![1, 3]));
        assert_eq!(shares(&[0.01, 0.99]), Some(vec![1, 99]));
        assert_eq!(shares(&[2.0, 1.0]), Some(vec![2, 1]));
        assert_eq!(shares(&[0.0]), None);
        assert_eq!(shares(&[-1.0, 2.0]), None);
    }
}
