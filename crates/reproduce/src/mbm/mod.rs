//! Banda 2019, 'General Game Playing as a Bandit-Arms Problem', section 6.

mod games;

use crate::claim::{Claim, Rate};
use crate::oracle::Oracle;
use crate::play::contest;
use crate::{Options, Result, Verdict};
use ludex_agents::AgentSpec;
use ludex_core::{AnyGame, AnyState, Game, Match, Move, Player, Seed, Turn};
use rayon::prelude::*;
use std::sync::Mutex;

/// 50 agents and 50 simulations, as in all tests of the paper but one.
const MBM: &str = "mbm(agents=50,simulations=50)";
/// The agent above with data of all moves at all depths.
const ALL: &str = "mbm(agents=50,simulations=50,data=all)";
/// Playouts a move of the other agents: as many as those above make.
const PLAYOUTS: u64 = 2_500;

/// Runs section 6, and then further comparisons of ours.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let optimal = tic_tac_toe(options, tell)?;
    nim(options, tell)?;
    minichess(options, tell)?;
    future(options, tell)?;
    beyond(optimal, options, tell)?;
    games::run(options, tell)
}

/// Section 8: what the paper leaves for the future, on the board on which it fails most often. Each variant has 250,000 playouts as
/// in section 6.2, but for the nested runs, which come on top.
fn future(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let variants = [
        ("one population", "mbm(agents=500,simulations=500)"),
        ("ten populations, one table", "mbm(agents=50,simulations=500,populations=10,merge=sim)"),
        ("ten populations, tables added", "mbm(agents=50,simulations=500,populations=10)"),
        ("ten equilibria, by vote", "mbm(agents=50,simulations=500,populations=10,merge=vote)"),
        ("best reply by a nested run", "mbm(agents=50,simulations=50,nested=50)"),
        ("data of all moves", "mbm(agents=50,simulations=50,data=all)"),
    ];
    let tries = if options.quick { 10 } else { 50 };
    for (what, agent) in variants {
        let rate = first_moves("nim(1,5,5)", agent, tries, options)?;
        tell(
            rate.line(
                format!("mbm.future-{}", slug(what)),
                format!("nim(1,5,5), {what}, {agent}: the first move wins by the xor rule"),
            )
            .note("Banda 2019, section 8, names the idea and has no figure"),
        );
    }
    Ok(())
}

/// Section 6.1. Returns the share of positions in which the agent's move keeps the value.
fn tic_tac_toe(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<Rate> {
    let games = if options.quick { 20 } else { 100 };
    let draws = Mutex::new(0);
    self_play("tictactoe", MBM, games, options, &|payoffs| {
        if payoffs == [0.5, 0.5]
            && let Ok(mut draws) = draws.lock()
        {
            *draws += 1;
        }
    })?;
    let hits = draws.into_inner().unwrap_or(0);
    tell(Rate { hits, of: games }.claim(
        "mbm.tictactoe-self-play",
        "Tic-Tac-Toe against itself: games tied",
        Rate { hits: 100, of: 100 },
        "Banda 2019, section 6.1",
    ));
    let rate = optimal_rate(options, MBM)?;
    let claim = "Tic-Tac-Toe, positions that can come up: the move keeps the value";
    let part = if options.quick { "every tenth position" } else { "every position" };
    tell(
        rate.line("mbm.tictactoe-positions", claim)
            .paper("100 %", "Banda 2019, section 6.1: 'optimal moves 100% of the time'")
            .judged("every move keeps the value", Verdict::of(rate.hits == rate.of))
            .note(format!(
                "{part} once, those with a single move included; the paper's sentence rests on self-play \
                 and 30 games against a person"
            )),
    );
    Ok(rate)
}

/// Section 6.2.
fn nim(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let wins = |name: &str, agent: &str, games: u64| -> Result<Rate> {
        let wins = Mutex::new(0);
        self_play(name, agent, games, options, &|payoffs| {
            if payoffs == [1.0, 0.0]
                && let Ok(mut wins) = wins.lock()
            {
                *wins += 1;
            }
        })?;
        Ok(Rate { hits: wins.into_inner().unwrap_or(0), of: games })
    };
    // The results of other readings of the cost function.
    let readings = |name: &str, agent: &str, games: u64| -> Result<String> {
        let mut notes = Vec::new();
        for reading in ["versus", "difference"] {
            let agent = format!("{}reading={reading})", agent.replace(')', ","));
            notes.push(format!("reading={reading}: {}", wins(name, &agent, games)?));
        }
        Ok(notes.join("; "))
    };
    for name in ["nim(2,3,2)", "nim(1,2,3,2)"] {
        let rate = wins(name, MBM, 50)?;
        let id = format!("mbm.{}", slug(name));
        let claim = format!("{name} against itself: first player wins");
        tell(
            rate.claim(id, claim, Rate { hits: 50, of: 50 }, "Banda 2019, section 6.2")
                .note(readings(name, MBM, 50)?),
        );
    }
    let (name, big) = ("nim(1,5,5)", "mbm(agents=500,simulations=500)");
    let games = if options.quick { 20 } else { 200 };
    let mut note = readings(name, big, if options.quick { 10 } else { 50 })?;
    let first = first_moves(name, big, if options.quick { 10 } else { 50 }, options)?;
    note += &format!("; the first move wins by the xor rule in {first}");
    let claim = format!("{name}, 500 x 500, against itself: first player wins");
    let paper = Rate { hits: 16, of: 20 };
    let id = format!("mbm.{}", slug(name));
    tell(wins(name, big, games)?.claim(id, claim, paper, "Banda 2019, section 6.2").note(note));
    Ok(())
}

/// The share of first moves that keep the win.
fn first_moves(name: &str, agent: &str, tries: u64, options: &Options<'_>) -> Result<Rate> {
    let game = ludex_library::open(name)?;
    let best = Oracle::new(&game).best(&game.start());
    let spec: AgentSpec = agent.parse()?;
    let start = game.start();
    let seeds: Vec<u64> = (0..tries).collect();
    options.progress.begin(&format!("{name} first moves"), tries);
    let hits = seeds
        .par_iter()
        .map(|&i| {
            let seed = options.seed.named(name).named("first").child(i);
            let mv = choose(&game, &spec, &start, seed)?;
            options.progress.step();
            Ok(u64::from(best.contains(&mv)))
        })
        .collect::<Result<Vec<u64>>>()?;
    Ok(Rate { hits: hits.iter().sum(), of: tries })
}

/// The rules and the two positions of section 6.3, black to move. No pawn promotes in the games of the paper, and its text
/// has no promotion: `promotion=none`.
const RULES: &str = "minichess(promotion=none,quiet=100)";
const FORTRESS: &str = "4/k2p/Pp1P/1p2/3K b 0";
const SECOND: &str = "k2r/p2p/P1pP/2PR/3K b 0";
/// The line that the paper prints for the second position.
const LINE: [&str; 7] = ["d5b5", "d1c1", "b5b3", "c2b3", "a4b3", "d2b2", "c3b2"];

/// Section 6.3.
fn minichess(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let game = ludex_library::open(RULES)?;
    let spec: AgentSpec = MBM.parse()?;
    let tries: u64 = if options.quick { 10 } else { 100 };
    let numbers: Vec<u64> = (0..tries).collect();
    // 20 turns of both.
    let plies = 40;
    options.progress.begin("minichess fortress", tries);
    let held = numbers
        .par_iter()
        .map(|&i| {
            let seed = options.seed.named("fortress").child(i);
            let mut state = game.parse_position(FORTRESS)?;
            for ply in 0..plies {
                if game.is_over(&state) {
                    break;
                }
                let mv = choose(&game, &spec, &state, seed.child(ply))?;
                game.try_apply(&mut state, &[mv])?;
            }
            options.progress.step();
            Ok(u64::from(!decided(&game, &state)))
        })
        .collect::<Result<Vec<u64>>>()?;
    tell(Rate { hits: held.iter().sum(), of: tries }.claim(
        "mbm.minichess-fortress",
        "Minichess, the fortress: no king falls in 20 turns of both",
        Rate { hits: 1, of: 1 },
        "Banda 2019, section 6.3, one game",
    ));
    let mut state = game.parse_position(SECOND)?;
    let judge: AgentSpec = "alphabeta@depth=9".parse()?;
    for (n, text) in LINE.iter().enumerate() {
        let Turn::One(player) = game.turn(&state) else { break };
        let line = game.parse_move(&state, player, text)?;
        options.progress.begin(&format!("minichess line, move {}", n + 1), tries);
        let agree = numbers
            .par_iter()
            .map(|&i| {
                let seed = options.seed.named("line").child(n as u64).child(i);
                let mv = choose(&game, &spec, &state, seed)?;
                options.progress.step();
                Ok(u64::from(mv == line))
            })
            .collect::<Result<Vec<u64>>>()?;
        let judged = choose(&game, &judge, &state, options.seed)?;
        let rate = Rate { hits: agree.iter().sum(), of: tries };
        let (once, own) = (Rate { hits: 1, of: 1 }.interval(), rate.share());
        tell(
            rate.line(
                format!("mbm.minichess-line-{}", n + 1),
                format!("Minichess, second position, move {}: {text}", n + 1),
            )
            .paper("played in its one game", "Banda 2019, section 6.3")
            .judged(
                "chosen at least once: one printed game shows only that the move can be chosen",
                Verdict::of(rate.hits > 0),
            )
            .note(format!(
                "the paper's own 95 % interval (1 of 1) is {:.3} .. {:.3}, and our share is {} it; \
                 alphabeta to depth 9 plays {}",
                once.low,
                once.high,
                if own >= once.low { "within" } else { "below" },
                game.move_text(judged)
            )),
        );
        game.try_apply(&mut state, &[line])?;
    }
    Ok(())
}

/// Is the game over with a winner?
fn decided(game: &AnyGame, state: &AnyState) -> bool {
    let mut payoffs = vec![0.0; game.info().seats()];
    if !game.is_over(state) {
        return false;
    }
    game.payoffs(state, &mut payoffs);
    payoffs.contains(&1.0)
}

/// Other agents with the same number of playouts (positions, for `alphabeta`), and twenty more positions of Nim.
fn beyond(optimal: Rate, options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let agents = [
        MBM.to_string(),
        ALL.to_string(),
        format!("flat@sims={PLAYOUTS}"),
        format!("uct@sims={PLAYOUTS}"),
        format!("alphabeta@nodes={PLAYOUTS}"),
    ];
    for agent in &agents {
        let rate = if agent == MBM { optimal } else { optimal_rate(options, agent)? };
        let line = rate.line(
            format!("mbm.beyond-tictactoe-{}", slug(agent)),
            format!("Tic-Tac-Toe, positions that can come up, {agent}: the move keeps the value"),
        );
        tell(match agent == ALL {
            true => line
                .goal("every position")
                .judged("every move keeps the value", Verdict::of(rate.hits == rate.of)),
            false => line,
        });
    }
    let boards = nim_boards(options.seed.named("boards"), 20);
    let tries: u64 = if options.quick { 5 } else { 50 };
    for agent in &agents {
        let spec: AgentSpec = agent.parse()?;
        let mut sum = Rate::default();
        let mut worst: Option<(Rate, String)> = None;
        options.progress.begin(&format!("20 Nim positions, {agent}"), boards.len() as u64);
        for name in &boards {
            let game = ludex_library::open(name)?;
            let best = Oracle::new(&game).best(&game.start());
            let numbers: Vec<u64> = (0..tries).collect();
            let hits = numbers
                .par_iter()
                .map(|&i| {
                    let seed = options.seed.named(name).child(i);
                    Ok(u64::from(best.contains(&choose(&game, &spec, &game.start(), seed)?)))
                })
                .collect::<Result<Vec<u64>>>()?;
            let rate = Rate { hits: hits.iter().sum(), of: tries };
            if worst.as_ref().is_none_or(|(least, _)| rate.hits < least.hits) {
                worst = Some((rate, name.clone()));
            }
            sum = sum.plus(rate);
            options.progress.step();
        }
        let note = worst.map(|(rate, name)| format!("worst: {rate} on {name}"));
        let id = format!("mbm.beyond-nim-{}", slug(agent));
        let claim = format!("20 won Nim positions, {agent}: the move wins by the xor rule");
        let line = sum.line(id, claim).note(note.unwrap_or_default());
        tell(match agent == ALL {
            true => line
                .goal("at least 90 %")
                .judged("a share of at least 0.9", Verdict::of(sum.share() >= 0.9)),
            false => line,
        });
    }
    Ok(())
}

/// Positions of Nim that the first player wins and that are not in the paper: three to five piles of up to seven.
fn nim_boards(seed: Seed, n: usize) -> Vec<String> {
    let mut rng = seed.rng();
    let mut boards: Vec<String> = Vec::new();
    while boards.len() < n {
        let piles: Vec<u32> = (0..3 + rng.below(3)).map(|_| 1 + rng.below(7)).collect();
        let texts: Vec<String> = piles.iter().map(ToString::to_string).collect();
        let name = format!("nim({})", texts.join(","));
        let won = piles.iter().fold(0, |xor, pile| xor ^ pile) != 0;
        let seen = ["nim(2,3,2)", "nim(1,2,3,2)", "nim(1,5,5)"].contains(&name.as_str());
        if won && !seen && !boards.contains(&name) {
            boards.push(name);
        }
    }
    boards
}

/// The share of all Tic-Tac-Toe positions in which the agent's move keeps the value.
fn optimal_rate(options: &Options<'_>, agent: &str) -> Result<Rate> {
    let game = ludex_library::open("tictactoe")?;
    let spec: AgentSpec = agent.parse()?;
    let mut oracle = Oracle::new(&game);
    let mut tasks: Vec<(AnyState, Vec<Move>)> = oracle
        .reachable()
        .into_iter()
        .map(|state| {
            let best = oracle.best(&state);
            (state, best)
        })
        .collect();
    if options.quick {
        tasks = tasks.into_iter().step_by(10).collect();
    }
    options.progress.begin(&format!("Tic-Tac-Toe positions, {agent}"), tasks.len() as u64);
    let hits = tasks
        .par_iter()
        .enumerate()
        .map(|(i, (state, best))| {
            let mv = choose(&game, &spec, state, options.seed.named("position").child(i as u64))?;
            options.progress.step();
            Ok(u64::from(best.contains(&mv)))
        })
        .collect::<Result<Vec<u64>>>()?;
    Ok(Rate { hits: hits.iter().sum(), of: tasks.len() as u64 })
}

/// The move of a new agent in a position of a game with full information.
fn choose(game: &AnyGame, spec: &AgentSpec, state: &AnyState, seed: Seed) -> Result<Move> {
    let play = Match::at(game, state.clone());
    let player = match play.turn() {
        Turn::One(player) => player,
        _ => Player(0),
    };
    let mut pad = Vec::new();
    let mut agent = spec.build(game, player, seed)?;
    Ok(agent.choose(game, &play.view(player, &mut pad), spec.budget())?.mv)
}

/// Plays games of an agent against itself. `ended` gets the payoffs of each game.
fn self_play(
    game: &str,
    agent: &str,
    games: u64,
    options: &Options<'_>,
    ended: &(dyn Fn(&[f32]) + Sync),
) -> Result<()> {
    Ok(contest(game, [agent, agent], games, options, &|_, payoffs| ended(payoffs))?)
}

/// A name as a part of an id.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c),
            false if !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
    }
    slug.trim_end_matches('-').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_line_is_legal() {
        let game = ludex_library::open(RULES).unwrap();
        let mut state = game.parse_position(SECOND).unwrap();
        for text in LINE {
            let Turn::One(player) = game.turn(&state) else { panic!("over before {text}") };
            let mv = game.parse_move(&state, player, text).unwrap();
            game.try_apply(&mut state, &[mv]).unwrap();
        }
        assert_eq!(game.position(&state), "k3/3p/Pp1P/1p2/2K1 w 0");
    }

    #[test]
    fn the_boards_are_won_and_new() {
        let boards = nim_boards(Seed(1), 20);
        for name in &boards {
            let game = ludex_library::open(name).unwrap();
            let mut oracle = Oracle::new(&game);
            assert_eq!(oracle.value(&game.start()), 1.0, "{name}");
        }
        assert_eq!(boards.len(), 20);
    }

    #[test]
    fn self_play_of_the_seeds_nim_is_won_by_the_first() {
        let options = Options { quick: true, ..Options::default() };
        let lost = Mutex::new(0);
        self_play("nim(2,3,2)", MBM, 6, &options, &|payoffs| {
            *lost.lock().unwrap() += u32::from(payoffs != [1.0, 0.0]);
        })
        .unwrap();
        assert_eq!(lost.into_inner().unwrap(), 0);
    }
}
