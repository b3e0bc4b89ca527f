//! From time to work: the number of simulations that an agent makes in a given time.
//!
//! A survey with time budgets would depend on the load of the machine and could not be repeated. So the speed of an agent
//! is measured once per game, in CPU time, and the agent then plays with a fixed number of simulations. Slow searches get
//! fewer simulations, as they would by the clock.

use ludex_agents::clock::cpu_time as cpu;
use ludex_agents::{AgentSpec, Budget};
use ludex_core::{AnyGame, Game, Match, Player, Result, Seed, Turn};
use std::time::Duration;

/// The duration of one measurement, in moves of the wanted time.
const MOVES: u32 = 6;

/// The most simulations of a budget.
const MOST: f64 = 1e7;

/// The budget in simulations that takes the agent about `time` of CPU time per move, measured in random games.
///
/// # Errors
/// The agent can't play the game.
pub(crate) fn pace(
    game: &AnyGame,
    agent: &AgentSpec,
    time: Duration,
    seed: Seed,
) -> Result<Budget> {
    let mut sims = 32.0f64;
    // The cost of a short search is mostly its setup. Later passes use longer searches and are more exact.
    for pass in 0..3 {
        let (moves, spent) = timed(game, agent, sims as u64, time * MOVES, seed.child(pass))?;
        if moves == 0 || spent.is_zero() {
            continue;
        }
        let each = spent.as_secs_f64() / f64::from(moves);
        sims = (sims * (time.as_secs_f64() / each).min(64.0)).clamp(1.0, MOST);
    }
    Ok(Budget::sims(sims as u64))
}

/// Lets the agent choose at its moves of random games. Returns the number of choices and their CPU time.
fn timed(
    game: &AnyGame,
    agent: &AgentSpec,
    sims: u64,
    most: Duration,
    seed: Seed,
) -> Result<(u32, Duration)> {
    const GAMES: u64 = 4;
    const STEPS: usize = 300;
    let seats = game.info().seats();
    let budget = Budget::sims(sims);
    let (mut moves, mut spent) = (0, Duration::ZERO);
    for number in 0..GAMES {
        let seed = seed.child(number);
        let seat = Player((number as usize % seats.max(1)) as u8);
        let mut agent = agent.build(game, seat, seed.named("mind"))?;
        let mut rng = seed.named("moves").rng();
        let mut play = Match::new(game);
        let mut pad = Vec::new();
        while play.len() < STEPS && !play.is_over() {
            let mut joint = Vec::new();
            if play.turn() == Turn::Chance {
                joint.push(play.sample_chance(&mut rng));
            }
            for player in play.turn().movers().iter() {
                let view = play.view(player, &mut pad);
                let legal = view.legal();
                if player == seat && legal.len() > 1 {
                    let begun = cpu();
                    agent.choose(game, &view, &budget)?;
                    spent += cpu().saturating_sub(begun);
                    moves += 1;
                }
                joint.push(legal.get(rng.index(legal.len())).copied().unwrap_or_default());
            }
            if spent >= most {
                return Ok((moves, spent));
            }
            play.apply(&joint);
        }
    }
    Ok((moves, spent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_found_for_every_kind_of_game() {
        for (game, agent) in [
            ("connect4", "alphabeta"),
            ("pig", "uct"),
            ("kuhn", "hyperplay-ismcts"),
            ("rps", "uct"),
            ("nim(1)", "mast"),
        ] {
            let game = ludex_games::open(game).unwrap();
            let agent = agent.parse().unwrap();
            let budget = pace(&game, &agent, Duration::from_micros(300), Seed(1)).unwrap();
            assert!(budget.sims.is_some_and(|sims| sims >= 1), "{budget}");
            assert!(budget.time.is_none());
        }
    }

    #[test]
    fn who_can_not_play_has_no_pace() {
        let game = ludex_games::open("kuhn").unwrap();
        assert!(pace(&game, &"uct".parse().unwrap(), Duration::from_millis(1), Seed(1)).is_err());
    }
}
