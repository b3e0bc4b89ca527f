//! The strength of agents against a reference agent, over a suite of games.
//!
//! ```text
//! cargo run --release -p ludex-arena --example strength -- \
//!     --agents mast,grave,ph --against uct --time 20ms --games 128
//! ```
//! Each pair plays `--games` games of each game of the suite, with rotated seats and paired dice. A row is one game; the
//! last row of a pair pools all games. Elo and its 95 % interval follow from
//! wins, draws and losses by maximum likelihood (`ludex_stats::elo::rate`).
//! Options: `--suite a,b,c` (default: eight native games and rule sheets), `--seed N`,
//! `--threads N` (games at a time).

use ludex_agents::{AgentSpec, Budget};
use ludex_arena::{Contest, Referee};
use ludex_core::{Error, Game, Result, Seed};
use ludex_stats::elo::{Results, Score, rate};

/// Native games and rule sheets, short enough for many games.
const SUITE: &str = "tictactoe;connect4;breakthrough(6,6);breakthrough;minichess;nim(3,4,5);\
                     kif:tictactoe;kif:connect4;kif:breakthrough6;goofspiel";

struct Options {
    agents: Vec<AgentSpec>,
    against: AgentSpec,
    budget: Budget,
    games: u64,
    suite: Vec<String>,
    seed: Seed,
    threads: usize,
}

fn bad(reason: String) -> Error {
    Error::BadParameter { name: "strength".into(), reason }
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Options {
            agents: agents("mast;grave;ph")?,
            against: "uct".parse()?,
            budget: "time=20ms".parse()?,
            games: 100,
            suite: SUITE.split(';').map(String::from).collect(),
            seed: Seed(1),
            threads: 2,
        };
        while let Some(key) = args.next() {
            let value = args.next().ok_or_else(|| bad(format!("`{key}` needs a value")))?;
            let number = || value.parse::<u64>().map_err(|_| bad(format!("`{key}`: `{value}`?")));
            match key.as_str() {
                "--agents" => options.agents = agents(&value)?,
                "--against" => options.against = value.parse()?,
                "--time" => options.budget = format!("time={value}").parse()?,
                "--sims" => options.budget = Budget::sims(number()?),
                "--games" => options.games = number()?,
                "--suite" => options.suite = split(&value),
                "--seed" => options.seed = Seed(number()?),
                "--threads" => options.threads = number()? as usize,
                _ => return Err(bad(format!("no option `{key}`"))),
            }
        }
        Ok(options)
    }
}

/// Parts a list at `;`, or at commas that are not in parentheses.
fn split(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in list.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match (c, parts.last_mut()) {
            (';', _) => parts.push(String::new()),
            (',', _) if depth == 0 => parts.push(String::new()),
            (c, Some(last)) => last.push(c),
            _ => {}
        }
    }
    parts
}

fn agents(list: &str) -> Result<Vec<AgentSpec>> {
    split(list).iter().map(|name| name.parse()).collect()
}

/// Elo of the first over the second with half its 95 % interval, as text.
fn elo(score: Score) -> String {
    let mut results = Results::new(2);
    results.add(0, 1, score);
    let (gap, error) = rate(&results, Some(1)).gap(0, 1);
    format!("{gap:+6.0} ± {:.0}", 1.96 * error)
}

fn row(name: &str, score: Score) {
    let games = score.wins + score.draws + score.losses;
    let points = (score.wins + score.draws / 2.0) / games.max(1.0);
    println!(
        "| {name} | {games} | {} | {} | {} | {points:.3} | {} |",
        score.wins,
        score.draws,
        score.losses,
        elo(score)
    );
}

fn main() -> Result<()> {
    let options = Options::read(std::env::args().skip(1))?;
    for agent in &options.agents {
        println!("\n### {agent} against {}, {} a move\n", options.against, options.budget);
        println!("| game | games | wins | draws | losses | score | Elo |");
        println!("|---|---|---|---|---|---|---|");
        let mut pool = Score::default();
        for name in &options.suite {
            let game = ludex_library::open(name)?;
            let contest = Contest {
                game,
                origin: None,
                agents: vec![agent.clone(), options.against.clone()],
                budget: options.budget.clone(),
                games: options.games,
                seed: options.seed,
                referee: Referee::default(),
            };
            let tally = contest.run(options.threads, |_, _| {})?;
            let standings = tally.standings();
            let Some(first) = standings.first() else { continue };
            let score = Score {
                wins: first.wins as f64,
                draws: tally.draws as f64,
                losses: first.losses as f64,
            };
            pool.wins += score.wins;
            pool.draws += score.draws;
            pool.losses += score.losses;
            row(&contest.game.info().name, score);
        }
        row("**all**", pool);
    }
    Ok(())
}
