//! Fern and Lyons Keenan 2021, 'COMP30024 Project B - Report', section 3.
//!
//! The report gives few numbers; the match logs of its authors give more. Some numbers come from faults of their programs,
//! which we know from running the programs. Here the same search plays with the fault and without it.

use crate::claim::{Claim, Wdl};
use crate::play::versus;
use crate::{Options, Result, Verdict};
use ludex_agents::AgentSpec;
use ludex_core::{Error, Game, Match, Player};
use ludex_stats::{Z95, wilson};
use std::time::Instant;

const GAME: &str = "ropasci360";
/// The weights of the report, which are the defaults.
const GREEDY: &str = "ropasci-greedy";
/// The weights that `ludex tune experiments/ropasci-weights.toml` found.
const TUNED: &str = include_str!("../../../experiments/ropasci-tuned.json");
/// Opponents of the strong player that were used for its development, and those that were not.
const POOLS: [(&str, &str); 2] = [
    ("development", include_str!("../../../experiments/ropasci-pool-dev.toml")),
    ("unseen", include_str!("../../../experiments/ropasci-pool-test.toml")),
];

/// The result of the tournament of weight sets.
#[derive(serde::Deserialize)]
struct Tuned {
    best: Set,
    next: Vec<Set>,
    worst: Set,
}

/// One set of weights: throws, kills, distance, diversity.
#[derive(serde::Deserialize)]
struct Set {
    weights: [f64; 4],
}

fn tuned() -> Result<Tuned> {
    serde_json::from_str(TUNED)
        .map_err(|e| Error::Unsupported(format!("experiments/ropasci-tuned.json: {e}")).into())
}

/// The opponents of an experiment file: one name a line in quotes, the champion first.
fn opponents(file: &str) -> Vec<&str> {
    let names = file.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    names.skip(1).collect()
}

/// The criterion for wins, draws and losses.
const WITHIN: &str = "all three shares agree within three standard errors of their difference";

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    pairs(options, tell)?;
    searches(options, tell)?;
    weights(options, tell)?;
    tournament(options, tell)?;
    trees(options, tell)?;
    strong(options, tell)?;
    pools(options, tell)?;
    times(options, tell)
}

fn greedy([throws, kills, distance, diversity]: [f64; 4]) -> String {
    format!(
        "ropasci-greedy(throws={throws},kills={kills},distance={distance},diversity={diversity})"
    )
}

/// The logged matches of weight sets by the authors, 100 games each.
fn pairs(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let logs = [
        ([1.0, 5.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [20, 65, 15]),
        ([1.0, 5.0, 1.0, 1.0], [1.0, 5.0, 5.0, 1.0], [29, 64, 7]),
        ([1.0, 5.0, 1.0, 1.0], [1.0, 5.0, 10.0, 1.0], [27, 72, 1]),
        ([1.0, 5.0, 1.0, 1.0], [1.0, 5.0, 1.0, 5.0], [25, 64, 11]),
        ([1.0, 8.0, 4.0, 1.0], [1.0, 1.0, 1.0, 1.0], [3, 62, 35]),
    ];
    let games = if options.quick { 100 } else { 1000 };
    for (one, two, log) in logs {
        let ours = versus(GAME, [&greedy(one), &greedy(two)], games, options)?;
        let name = |w: [f64; 4]| w.map(|w| w.to_string()).join("-");
        tell(
            Claim::new(
                format!("ropasci.pair-{}-v-{}", name(one), name(two)),
                format!("greedy {} v {}: wins/draws/losses", name(one), name(two)),
                ours.to_string(),
            )
            .record(Wdl(log).to_string(), "the authors' match logs, lucas-fern/COMP30024")
            .judged(WITHIN, Verdict::of(ours.agrees(Wdl(log), 3.0))),
        );
    }
    Ok(())
}

/// Section 3.1: greedy against the searches of the report, with and without their faults.
fn searches(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let games = if options.quick { 100 } else { 1000 };
    let ours = versus(GAME, [GREEDY, "ropasci-rollouts"], games / 2, options)?;
    tell(
        Claim::new(
            "ropasci.rollouts",
            "greedy v the 5-rollout Monte Carlo search: wins/draws/losses",
            ours.to_string(),
        )
        .paper("'won every single game'", "section 3.1")
        .judged("greedy wins every game", Verdict::of(ours.0[0] == ours.games()))
        .note("five visits among a hundred moves make a random player"),
    );
    let faulty = versus(GAME, ["ropasci-negamax-report", GREEDY], games, options)?;
    let mended = versus(GAME, ["ropasci-negamax", GREEDY], games, options)?;
    // The report has 100 to 1000 games per pair. We assume the least.
    let report = Wdl([11, 61, 28]);
    let agrees = |ours: Wdl| ours.agrees(report, 3.0);
    let word = |ours: Wdl| if agrees(ours) { "agrees" } else { "does not agree" };
    tell(
        Claim::new(
            "ropasci.negamax-report",
            "the report's NegaMax v greedy: wins/draws/losses",
            faulty.to_string(),
        )
        .paper("11/61/28 %", "section 3.1, turned to NegaMax's side")
        .judged(
            format!(
                "{WITHIN} (the report's games taken as 100); artefact: so with the fault of its program, and not \
                 without it"
            ),
            Verdict::of_fault(agrees(faulty), agrees(mended)),
        )
        .note(format!(
            "its program plays its first eleven turns at random; with that fault alone ours {}, without it \
             ({mended}) it {}",
            word(faulty),
            word(mended)
        )),
    );
    let [wins, _, losses] = mended.shares();
    let reached = wins >= 0.75 && losses <= 0.01;
    tell(
        Claim::new(
            "ropasci.negamax",
            "the same search without the fault (k = 8) v greedy: wins/draws/losses",
            mended.to_string(),
        )
        .paper("'performing worse than the base heuristic agent'", "section 1.4")
        .goal("at least 75 % wins, at most 1 % losses")
        .judged(
            "beaten: the goal is reached; else falls short",
            if reached { Verdict::Beaten } else { Verdict::FallsShort },
        )
        .note("the report's own heuristic and cap"),
    );
    let ours = versus(GAME, [GREEDY, "random"], games / 2, options)?;
    tell(Claim::new("ropasci.random", "greedy v random: wins/draws/losses", ours.to_string()));
    Ok(())
}

/// Section 3.1: weights against random sets of weights.
fn weights(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let (sets, games) = if options.quick { (10, 10) } else { (50, 60) };
    let mut rng = options.seed.named("weights").rng();
    let sets: Vec<String> =
        (0..sets).map(|_| greedy([0; 4].map(|_| f64::from(rng.below(11))))).collect();
    let against = |agent: &str| -> Result<Wdl> {
        let mut sum = Wdl::default();
        for set in &sets {
            let one = versus(GAME, [agent, set], games, options)?;
            sum.0.iter_mut().zip(one.0).for_each(|(sum, n)| *sum += n);
        }
        Ok(sum)
    };
    let published = against(GREEDY)?;
    tell(
        Claim::new(
            "ropasci.published-weights",
            "greedy 1-5-1-1 v random weight sets: wins/draws/losses",
            published.to_string(),
        )
        .paper("73/16/11 %", "section 3.1, against 'the average set'")
        .judged("at least 70 % wins", Verdict::of(published.shares()[0] >= 0.70))
        .note(
            "the report does not name 'the average set', so ours are drawn from 0 to 10; the authors' own logs \
             (above) show nothing like 73 % either",
        ),
    );
    let best = tuned()?.best.weights;
    let found = against(&greedy(best))?;
    let [wins, _, losses] = found.shares();
    tell(
        Claim::new(
            "ropasci.tuned-weights",
            format!(
                "greedy {} v the same sets: wins/draws/losses",
                best.map(|w| w.to_string()).join("-")
            ),
            found.to_string(),
        )
        .goal("at least 44 % wins, at most 8 % losses")
        .judged("the goal", Verdict::of(wins >= 0.44 && losses <= 0.08))
        .note("weights found by `ludex tune experiments/ropasci-weights.toml`"),
    );
    Ok(())
}

/// Section 3.1: the best set of a tournament of 50 against the worst, and against the five that come next.
fn tournament(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let Tuned { best, next, worst } = tuned()?;
    let best = greedy(best.weights);
    let games = if options.quick { 20 } else { 100 };
    let ours = versus(GAME, [&best, &greedy(worst.weights)], games, options)?;
    tell(
        Claim::new(
            "ropasci.best-v-worst",
            "greedy, the best of 50 weight sets v the worst: wins/draws/losses",
            ours.to_string(),
        )
        .paper("100/100 games", "section 3.1")
        .judged("every game is won", Verdict::of(ours.0[0] == ours.games())),
    );
    for (n, set) in next.iter().enumerate() {
        let ours = versus(GAME, [&best, &greedy(set.weights)], 2 * games, options)?;
        let [wins, draws, _] = ours.shares();
        let interval = wilson(wins + draws / 2.0, ours.games(), Z95);
        let differs = interval.low > 0.5 || interval.high < 0.5;
        let name = set.weights.map(|w| w.to_string()).join("-");
        tell(
            Claim::new(
                format!("ropasci.best-v-next-{}", n + 1),
                format!("greedy, the best of 50 weight sets v number {} ({name})", n + 2),
                ours.to_string(),
            )
            .within(Some([interval.low, interval.high]))
            .paper("no significant difference", "section 3.1, 200 games each")
            .judged("the interval of the score holds one half", Verdict::of(!differs)),
        );
    }
    Ok(())
}

/// Section 1.1 and 1.4: the tree search and the deeper search, like with like.
fn trees(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let games = if options.quick { 4 } else { 40 };
    let pairs = [
        ("tree-v-flat", "ropasci-mcts(rollouts=200,best=0)", "ropasci-rollouts(rollouts=200)"),
        ("tree-ten-best", "ropasci-mcts(rollouts=200)", "ropasci-mcts(rollouts=200,best=0)"),
        ("tree-ten-best-v-greedy", "ropasci-mcts(rollouts=200)", GREEDY),
        (
            "tree-among-ten",
            "ropasci-mcts(rollouts=20,among=10,turns=60)",
            "ropasci-mcts(rollouts=20)",
        ),
        ("depth-two", "ropasci-negamax(depth=2)", "ropasci-negamax"),
        ("plain-distance", "ropasci-greedy(distances=plain)", GREEDY),
    ];
    for (id, one, two) in pairs {
        let ours = versus(GAME, [one, two], games, options)?;
        tell(Claim::new(
            format!("ropasci.{id}"),
            format!("{one} v {two}: wins/draws/losses"),
            ours.to_string(),
        ));
    }
    Ok(())
}

/// Beyond the report: the strong player against opponents that were drawn at random.
fn pools(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let games = if options.quick { 2 } else { 20 };
    for (half, file) in POOLS {
        let (mut sum, mut least) = (0.0, (f64::INFINITY, ""));
        let rivals = opponents(file);
        for rival in &rivals {
            let [wins, draws, _] = versus(GAME, ["ropasci", rival], games, options)?.shares();
            let score = wins + draws / 2.0;
            sum += score;
            if score < least.0 {
                least = (score, rival);
            }
        }
        let mean = sum / rivals.len().max(1) as f64;
        tell(
            Claim::new(
                format!("ropasci.pool-{half}"),
                format!("the strong player v {} opponents, {half}: mean score", rivals.len()),
                format!("{mean:.3}, least {:.3}", least.0),
            )
            .goal("a mean of at least 0.93, none below 0.70")
            .judged("both", Verdict::of(mean >= 0.93 && least.0 >= 0.7))
            .note(format!("{games} games each; least against {}", least.1)),
        );
    }
    Ok(())
}

/// Beyond the report: the strong player against its agents.
fn strong(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let games = if options.quick { 40 } else { 1000 };
    let hoarder = "ropasci-negamax(throws=10,kills=10,distance=2,diversity=0.5)";
    let rivals = [
        ("greedy", GREEDY, 0.95),
        ("negamax", "ropasci-negamax", 0.85),
        ("hoarder", hoarder, 0.85),
    ];
    for (id, rival, least) in rivals {
        let ours = versus(GAME, ["ropasci", rival], games, options)?;
        let [wins, draws, _] = ours.shares();
        let score = wins + draws / 2.0;
        let interval = wilson(score, ours.games(), Z95);
        tell(
            Claim::new(
                format!("ropasci.strong-v-{id}"),
                format!("the strong player v {rival}: wins/draws/losses"),
                format!("{ours}, score {:.1} %", 100.0 * score),
            )
            .within(Some([interval.low, interval.high]))
            .goal(format!("a score of at least {:.0} %", 100.0 * least))
            .judged("the score is at least the goal", Verdict::of(score >= least))
            .note("an expert of the strong player's model of the other plays exactly as this opponent"),
        );
    }
    Ok(())
}

/// Section 3.2: seconds per move, over the positions of some games of greedy against itself.
fn times(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let game = ludex_library::open(GAME)?;
    let mut spectator: Vec<_> = Vec::new();
    let mut rng = options.seed.named("times").rng();
    let mut state = game.start();
    let mut pad = Vec::new();
    let mover: AgentSpec = GREEDY.parse()?;
    let mut movers = [Player(0), Player(1)]
        .map(|seat| mover.build(&game, seat, rng.seed()))
        .into_iter()
        .collect::<ludex_core::Result<Vec<_>>>()?;
    while spectator.len() < 100 {
        if game.is_over(&state) {
            state = game.start();
        }
        // Every position is the origin of a match of its own: the agents see no steps before it.
        let here = Match::at(&game, state.clone());
        let mut joint = Vec::new();
        for (seat, agent) in movers.iter_mut().enumerate() {
            let view = here.view(Player(seat as u8), &mut pad);
            joint.push(agent.choose(&game, &view, mover.budget())?.mv);
        }
        game.try_apply(&mut state, &joint)?;
        spectator.push(here);
    }
    let printed = |name: &str| match name {
        GREEDY => Some(("0.015 s", 0.015)),
        "ropasci-negamax" => Some(("about 1 s", 1.0)),
        _ => None,
    };
    for name in [GREEDY, "ropasci-negamax", "ropasci-rollouts(rollouts=1000)", "ropasci"] {
        let spec: AgentSpec = name.parse()?;
        let mut agent = spec.build(&game, Player(0), options.seed)?;
        let begun = Instant::now();
        options.progress.begin(&format!("{name}: time a move"), spectator.len() as u64);
        for here in &spectator {
            agent.choose(&game, &here.view(Player(0), &mut pad), spec.budget())?;
            options.progress.step();
        }
        let mean = begun.elapsed().as_secs_f64() / spectator.len() as f64;
        let id = format!("ropasci.time-{}", spec.name());
        let mut claim = Claim::new(id, format!("{name}: time a move"), format!("{mean:.6} s"));
        if let Some((paper, seconds)) = printed(name) {
            claim = claim.paper(paper, "section 3.2, on the authors' machine").judged(
                "beaten: less wall time a move than printed; else falls short",
                if mean < seconds { Verdict::Beaten } else { Verdict::FallsShort },
            );
        }
        tell(match name {
            "ropasci-negamax" => claim.note("both look one turn of both players ahead, at the eight best moves"),
            "ropasci" => {
                let seconds = LIMIT / f64::from(TURNS);
                claim
                    .goal(format!("{LIMIT} s a game of {TURNS} turns"))
                    .judged(format!("less than {seconds:.3} s a move"), Verdict::of(mean < seconds))
                    .note("the limit of the course's referee; the report has no such player")
            }
            GREEDY => claim,
            _ => claim.paper("in excess of 60 s", "section 3.2, for a tree search").note(
                "not judged: ours is a flat bandit over the moves of one turn, the report's grows a tree",
            ),
        });
    }
    Ok(())
}

/// The seconds per game that the referee of the course allows a player, and the turns of the longest game.
const LIMIT: f64 = 60.0;
const TURNS: u32 = 360;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_experiments_name_agents_of_ours() {
        for (_, file) in POOLS {
            let names = opponents(file);
            assert_eq!(names.len(), 20);
            for name in names {
                name.parse::<AgentSpec>().unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
        assert_eq!(tuned().unwrap().next.len(), 5);
    }
}
