//! A report as aligned text.

use crate::output;
use ludex_arena::Report;
use ludex_arena::report::{Cross, GameReport};

/// Prints a report; `full` adds the tests of every pair.
pub(crate) fn report(report: &Report, full: bool) -> anyhow::Result<()> {
    let state = if report.games < report.total {
        format!("{} of {} games", report.games, report.total)
    } else {
        format!("{} games", report.games)
    };
    output::line(format!(
        "{}: {state}, {} draws, {} forfeits{}",
        report.run,
        report.draws,
        report.endings.forfeit,
        match (report.endings.cap, report.endings.proven) {
            (0, 0) => String::new(),
            (cap, proven) => format!(", {cap} ended by the cap on steps, {proven} by proof"),
        }
    ))?;
    if let Some(verdict) = &report.verdict {
        output::line(format!("stopped: {verdict}"))?;
    }
    output::line("")?;
    standings(report)?;
    cross_table(report)?;
    if full {
        t_matrix(report)?;
        paired(report)?;
        evolution(report)?;
    }
    games(report)?;
    for forfeit in report.forfeits.iter().take(5) {
        let reason = forfeit.reason.replace('\n', " ");
        output::line(format!("forfeit in game {}: {reason}", forfeit.number))?;
    }
    Ok(())
}

fn standings(report: &Report) -> anyhow::Result<()> {
    let rated = report.agents.iter().any(|agent| agent.elo.is_some());
    let tables = report.agents.iter().any(|agent| agent.strength.is_some());
    let spread = report.agents.iter().any(|agent| agent.clustered.is_some());
    let mut header = vec!["", "agent", "score", "95 % interval", "wins", "losses", "forfeits"];
    if spread {
        header.push("over games");
    }
    if rated {
        header.extend(["Elo", "±95 %", "LOS"]);
    }
    if tables {
        header.push("strength");
    }
    let mut table = output::table(&header, 2);
    let order = report.ranking();
    for (rank, &i) in order.iter().enumerate() {
        let agent = &report.agents[i];
        let s = &agent.standing;
        let mut row = vec![
            (rank + 1).to_string(),
            agent.agent.clone(),
            format!("{:.3}", s.score),
            format!("{:.3} .. {:.3}", s.interval.low, s.interval.high),
            s.wins.to_string(),
            s.losses.to_string(),
            s.forfeits.to_string(),
        ];
        if spread {
            row.push(agent.clustered.as_ref().map_or_else(String::new, |(mean, interval)| {
                format!("{mean:.3} ±{:.3}", (interval.high - interval.low) / 2.0)
            }));
        }
        if rated {
            match agent.elo {
                Some((elo, error)) => {
                    row.extend([format!("{elo:+.0}"), format!("{:.0}", 1.96 * error)])
                }
                None => row.extend([String::new(), String::new()]),
            }
            // The likelihood of superiority over the next one in the table.
            let next = order.get(rank + 1).and_then(|&j| report.cross[i][j].as_ref()?.superiority);
            row.push(next.map_or_else(String::new, |p| format!("{:.1} %", 100.0 * p)));
        }
        if tables {
            row.push(agent.strength.map_or_else(String::new, |s| format!("{s:.3}")));
        }
        table.add_row(row);
    }
    output::print(&table)?;
    let mut notes = vec!["interval: Wilson".to_string()];
    if spread {
        notes.push("over games: Student's t on the means of the games".into());
    }
    if rated {
        notes.push(match report.anchor.and_then(|i| report.agents.get(i)) {
            Some(anchor) => format!("Elo: maximum likelihood, {} is 0", anchor.agent),
            None => "Elo: maximum likelihood, the mean is 0".into(),
        });
        notes.push("LOS: likelihood of being stronger than the next".into());
    }
    if tables {
        notes.push("strength: Plackett-Luce".into());
    }
    output::line(format!("({})", notes.join("; ")))
}

/// A square table over all pairs, in the order of the ranking.
fn square(report: &Report, title: &str, cell: impl Fn(&Cross) -> String) -> anyhow::Result<()> {
    let order = report.ranking();
    if order.len() < 2 {
        return Ok(());
    }
    output::line(format!("\n{title}"))?;
    let numbers: Vec<String> = (1..=order.len()).map(|n| n.to_string()).collect();
    let mut header = vec!["", "agent"];
    header.extend(numbers.iter().map(String::as_str));
    let mut table = output::table(&header, 2);
    for (rank, &a) in order.iter().enumerate() {
        let mut row = vec![(rank + 1).to_string(), report.agents[a].agent.clone()];
        row.extend(
            order.iter().map(|&b| report.cross[a][b].as_ref().map_or_else(String::new, &cell)),
        );
        table.add_row(row);
    }
    output::print(&table)
}

fn cross_table(report: &Report) -> anyhow::Result<()> {
    if report.agents.len() > 2 {
        square(report, "Score of the row against the column (wins-draws-losses):", |c| {
            format!("{:.3} ({}-{}-{})", c.score, c.wins, c.draws, c.losses)
        })?;
    }
    Ok(())
}

fn t_matrix(report: &Report) -> anyhow::Result<()> {
    square(report, "Two-tailed t-test of all results (t, p, p after Holm):", |c| {
        match &c.t_test {
            Some(test) => format!("{:.3} {:.3} {:.3}", test.t, test.p, test.holm),
            None => "-".into(),
        }
    })?;
    square(report, "Likelihood of superiority:", |c| {
        c.superiority.map_or_else(String::new, |p| format!("{p:.3}"))
    })
}

fn paired(report: &Report) -> anyhow::Result<()> {
    square(report, "Blocks that share opening and dice (p of t, sign and permutation test):", |c| {
        let t = c.paired.t.map_or_else(|| "-".into(), |(_, p)| format!("{p:.3}"));
        format!("{t} {:.3} {:.3}", c.paired.sign, c.paired.permutation)
    })
}

fn evolution(report: &Report) -> anyhow::Result<()> {
    if report.agents.iter().all(|agent| agent.alpha_rank.is_none()) {
        return Ok(());
    }
    output::line("\nWithout the assumption of a ladder:")?;
    let mut table = output::table(&["agent", "alpha-Rank", "Nash weight", "Nash score"], 1);
    for &i in &report.ranking() {
        let agent = &report.agents[i];
        let (weight, skill) = agent.nash.unwrap_or_default();
        table.add_row([
            agent.agent.clone(),
            agent.alpha_rank.map_or_else(String::new, |share| format!("{share:.3}")),
            format!("{weight:.3}"),
            format!("{skill:.3}"),
        ]);
    }
    output::print(&table)
}

fn games(report: &Report) -> anyhow::Result<()> {
    output::line("")?;
    let mut table =
        output::table(&["game", "games", "draws", "steps", "payoff by seat", "equal seats"], 1);
    for game in &report.by_game {
        table.add_row([
            game.game.clone(),
            game.games.to_string(),
            game.draws.to_string(),
            format!("{:.1}", game.steps.0),
            seats(game),
            game.seat_bias.map_or_else(String::new, |p| format!("p = {p:.3}")),
        ]);
    }
    output::print(&table)?;
    if report.by_game.len() > 1 {
        output::line("\nMean payoff by game:")?;
        let names: Vec<&str> = report.by_game.iter().map(|game| game.game.as_str()).collect();
        let mut table = output::table(&[&["agent"], names.as_slice()].concat(), 1);
        for &i in &report.ranking() {
            let agent = &report.agents[i];
            let mut row = vec![agent.agent.clone()];
            let score = |s: &Option<f64>| s.map_or_else(String::new, |s| format!("{s:.3}"));
            row.extend(agent.by_game.iter().map(score));
            table.add_row(row);
        }
        output::print(&table)?;
    }
    Ok(())
}

fn seats(game: &GameReport) -> String {
    let means: Vec<String> = game.seats.iter().map(|(mean, _)| format!("{mean:.3}")).collect();
    means.join(" / ")
}
