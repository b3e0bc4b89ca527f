//! Games of a run to open in its HTML report: who played, the result, all moves, the last position as a picture.

use crate::world::Here;
use anyhow::Result;
use ludex_arena::{GameRecord, GameResult, Run, Store, World};
use ludex_core::{Game, Player};
use ludex_draw::Marks;
use std::collections::HashMap;
use std::fmt::Write;

/// Games of each pair of agents on each game, and games in all.
const MOST_OF_A_PAIR: usize = 2;
const MOST: usize = 60;
/// Results are read in pages of this size.
const PAGE: u64 = 1024;

/// A part of the page with games that can be opened; empty where nothing is played yet.
pub(super) fn section(store: &Store, run: &Run) -> Result<String> {
    let chosen = choose(store, run)?;
    if chosen.is_empty() {
        return Ok(String::new());
    }
    let mut out = String::from("<h2>Games</h2>\n<p class=\"note\">");
    let _ = writeln!(
        out,
        "The first games of each pair of agents, and the first forfeits. <code>ludex replay {}/NUMBER</code> shows every position \
         of a game.</p>",
        escape(&run.name)
    );
    for number in chosen {
        let stored = store.game(run, number)?;
        let rules = run.games.get(stored.result.table).map(|game| game.rules.as_str());
        one(&mut out, number, &stored.record, rules);
    }
    Ok(out)
}

/// The numbers of the games to show, in order.
fn choose(store: &Store, run: &Run) -> Result<Vec<u64>> {
    let mut seen: HashMap<(usize, Vec<usize>, bool), usize> = HashMap::new();
    let mut chosen = Vec::new();
    let mut from = 0;
    while chosen.len() < MOST {
        let page: Vec<GameResult> = store.results(run, from, PAGE)?;
        let Some(last) = page.last() else { break };
        from = last.number + 1;
        for result in page {
            let mut agents = result.seats.clone();
            agents.sort_unstable();
            let count = seen.entry((result.table, agents, result.forfeit.is_some())).or_default();
            *count += 1;
            if *count <= MOST_OF_A_PAIR && chosen.len() < MOST {
                chosen.push(result.number);
            }
        }
    }
    Ok(chosen)
}

/// One game as a line that opens.
fn one(out: &mut String, number: u64, record: &GameRecord, rules: Option<&str>) {
    let game = Here.game(&record.game).ok();
    // The picture is left out where the rules are no longer those of the game.
    let game = game.filter(|game| rules == Some(game.info().source.to_string().as_str()));
    let seat = |index: usize| match &game {
        Some(game) => game.info().player(Player(index as u8)).to_owned(),
        None => (index + 1).to_string(),
    };
    let players: Vec<String> = record
        .agents
        .iter()
        .enumerate()
        .zip(&record.payoffs)
        .map(|((index, agent), payoff)| {
            format!("{} {} <b>{payoff}</b>", escape(&seat(index)), escape(agent))
        })
        .collect();
    let _ = write!(
        out,
        "<details class=\"game\"><summary>{number}: {}: {} ({} moves)</summary>",
        escape(&record.game),
        players.join(", "),
        record.moves.len()
    );
    if let Some(forfeit) = &record.forfeit {
        let name = escape(&seat(forfeit.seat.into()));
        let _ =
            write!(out, "<p>{name} forfeits ({}): {}</p>", forfeit.fault, escape(&forfeit.reason));
    }
    if let Some(game) = &game
        && let Ok(states) = record.replay(game)
        && let Some(last) = states.last()
    {
        out.push_str("<div class=\"board\">");
        out.push_str(&ludex_draw::svg(&game.scene(), &game.view(last, None), &Marks::default()));
        out.push_str("</div>");
    }
    out.push_str("<p>");
    for (step, moves) in record.moves.iter().enumerate() {
        let _ = write!(out, "{}. {} ", step + 1, escape(&moves.join(" / ")));
    }
    out.push_str("</p></details>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
