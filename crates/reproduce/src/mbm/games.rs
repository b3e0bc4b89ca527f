//! The games that section 4 of the paper names and section 6 does not play: The 21 Game, Dots and Boxes and Checkers.

use super::{ALL, MBM, PLAYOUTS, choose, slug};
use crate::claim::{Claim, Rate, Wdl};
use crate::oracle::Oracle;
use crate::play::versus;
use crate::{Options, Result};
use ludex_agents::AgentSpec;
use ludex_core::{AnyGame, AnyState, Game, Move, Turn};
use rayon::prelude::*;

/// The note on figures without a published one.
const NOTE: &str = "Banda 2019, section 4, names the game and has no figure";

/// Positions that full search has solved, and games of draughts.
pub(super) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let tries = if options.quick { 2 } else { 20 };
    solved("The 21 Game", "kif:twenty-one", usize::MAX, tries, options, tell)?;
    let positions = if options.quick { 10 } else { 100 };
    solved("Dots and Boxes, 3 by 3 dots", DOTS, positions, 1, options, tell)?;
    checkers(options, tell)
}

/// Four boxes: full search solves it.
const DOTS: &str = "lud:dots-and-boxes(board=3)";

/// The share of positions with a wrong move in which the agent's move keeps the value. All positions that can come up, or a random sample
/// of so many.
fn solved(
    title: &str,
    name: &str,
    most: usize,
    tries: u64,
    options: &Options<'_>,
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    let game = ludex_library::open(name)?;
    let mut tasks = choices(&game);
    options.seed.named(name).rng().shuffle(&mut tasks);
    tasks.truncate(most);
    for agent in [MBM.to_string(), ALL.to_string(), format!("uct@sims={PLAYOUTS}")] {
        let spec: AgentSpec = agent.parse()?;
        options.progress.begin(&format!("{title}, {agent}"), tasks.len() as u64);
        let hits = tasks
            .par_iter()
            .enumerate()
            .map(|(i, (state, best))| {
                let mut hits = 0;
                for n in 0..tries {
                    let seed = options.seed.named(name).child(i as u64).child(n);
                    hits += u64::from(best.contains(&choose(&game, &spec, state, seed)?));
                }
                options.progress.step();
                Ok(hits)
            })
            .collect::<Result<Vec<u64>>>()?;
        let rate = Rate { hits: hits.iter().sum(), of: tries * tasks.len() as u64 };
        tell(
            rate.line(
                format!("mbm.games-{}-{}", slug(title).to_lowercase(), slug(&agent)),
                format!("{title}, positions with a wrong move, {agent}: the move keeps the value"),
            )
            .note(format!("{} positions, {tries} tries each; {NOTE}", tasks.len())),
        );
    }
    Ok(())
}

/// The positions in which a move can give something away, with the moves that do not.
fn choices(game: &AnyGame) -> Vec<(AnyState, Vec<Move>)> {
    let mut oracle = Oracle::new(game);
    let mut legal = Vec::new();
    let mut found = Vec::new();
    for state in oracle.reachable() {
        let Turn::One(player) = game.turn(&state) else { continue };
        legal.clear();
        game.moves(&state, player, &mut legal);
        let best = oracle.best(&state);
        if best.len() < legal.len() {
            found.push((state, best));
        }
    }
    found
}

/// English draughts against flat random games and against a random player.
fn checkers(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let games = if options.quick { 2 } else { 20 };
    for rival in ["random", "flat@sims=400"] {
        let agent = "mbm(agents=20,simulations=20)";
        let Wdl([wins, draws, losses]) =
            versus("lud:english-draughts", [agent, rival], games, options)?;
        let score = (wins as f64 + 0.5 * draws as f64) / games as f64;
        let ludex_stats::Interval { low, high } =
            ludex_stats::wilson(score, games, ludex_stats::Z95);
        tell(
            Claim::new(
                format!("mbm.games-checkers-{}", slug(rival)),
                format!("English draughts, {agent} v {rival}: wins/draws/losses"),
                format!("{wins}/{draws}/{losses} (score {score:.3})"),
            )
            .within(Some([low, high]))
            .note(format!("{games} games; {NOTE}")),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_21_game_the_counts_of_four_are_lost() {
        let game = ludex_library::open("kif:twenty-one").unwrap();
        let choices = choices(&game);
        // From a multiple of four every move loses. Fifteen other counts are below 20; either player may be to move, but at 1.
        assert_eq!(choices.len(), 29);
        for (state, best) in &choices {
            let [only] = best[..] else { panic!("{}", game.position(state)) };
            let mut next = state.clone();
            game.apply(&mut next, &[only]);
            assert_eq!(Oracle::new(&game).value(&next), Oracle::new(&game).value(state));
        }
    }

    #[test]
    fn four_boxes_are_solved() {
        let game = ludex_library::open(DOTS).unwrap();
        let mut oracle = Oracle::new(&game);
        let value = oracle.value(&game.start());
        assert!([0.0, 0.5, 1.0].contains(&value), "{value}");
        assert!(choices(&game).len() > 100);
    }
}
