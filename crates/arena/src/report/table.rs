//! Tables of a report as plain values. Text and HTML render the same tables.

use super::columns::{AGENTS, Column, GAMES, NO_LADDER, PAIRS, PairTable};
use super::{AgentReport, Report};
use ludex_stats::Standing;

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left, for names.
    Left,
    /// Right, for numbers.
    Right,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The title of the column.
    pub title: String,
    /// The alignment of the title and the cells.
    pub align: Align,
    /// The meaning of the column, where its title does not say it.
    pub note: Option<String>,
}

/// A table for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The heading on a page.
    pub heading: &'static str,
    /// The line above the table: what its cells mean.
    pub caption: Option<&'static str>,
    /// Does a short report leave the table out?
    pub detail: bool,
    /// The heads of the columns.
    pub columns: Vec<Head>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of `rows` with these columns. A column without a single value is left out.
    fn new<T>(heading: &'static str, columns: &[Column<T>], rows: &[&T]) -> Self {
        let mut table =
            Table { heading, caption: None, detail: false, columns: Vec::new(), rows: Vec::new() };
        table.rows.resize(rows.len(), Vec::new());
        for column in columns {
            let cells: Vec<Option<String>> = rows.iter().map(|row| column.text(row)).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            table.columns.push(column.head(rows));
            for (row, cell) in table.rows.iter_mut().zip(cells) {
                row.push(cell.unwrap_or_default());
            }
        }
        table
    }

    /// The notes of all columns, as one line.
    pub fn notes(&self) -> Option<String> {
        let notes: Vec<&str> =
            self.columns.iter().filter_map(|column| column.note.as_deref()).collect();
        (!notes.is_empty()).then(|| format!("({})", notes.join("; ")))
    }
}

/// The table of agents: how each of them did.
pub fn standings(agents: &[&AgentReport]) -> Table {
    Table::new("Standings", AGENTS, agents)
}

/// The mean payoff of every agent in every game, and the mean over games. `games` holds the name of each game and the
/// standings of the agents in it; `digits` is the number of digits after the point.
pub fn payoff_by_game(agents: &[&str], games: &[(String, Vec<&Standing>)], digits: usize) -> Table {
    let head = |title: &str, align| Head { title: title.into(), align, note: None };
    let mut columns = vec![head("agent", Align::Left)];
    columns.extend(games.iter().map(|(name, _)| head(name, Align::Right)));
    columns.push(head("all", Align::Right));
    let row = |(i, agent): (usize, &&str)| {
        let played: Vec<Option<&Standing>> = games
            .iter()
            .map(|(_, standings)| standings.get(i).copied().filter(|s| s.seats > 0))
            .collect();
        let cell = |standing: &Option<&Standing>| {
            standing.map_or_else(String::new, |s| {
                format!("{:.digits$} ±{:.digits$}", s.score, s.interval.half_width())
            })
        };
        let scores: Vec<f64> = played.iter().flatten().map(|s| s.score).collect();
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        let mut row = vec![agent.to_string()];
        row.extend(played.iter().map(cell));
        row.push(format!("{mean:.3}"));
        row
    };
    Table {
        heading: "Payoff by game",
        caption: Some("Mean payoff by game, with half its 95 % interval:"),
        detail: false,
        columns,
        rows: agents.iter().enumerate().map(row).collect(),
    }
}

impl Report {
    /// All tables of the report, in the order in which people read them.
    pub fn tables(&self) -> Vec<Table> {
        let ranking = self.ranking();
        let agents: Vec<&AgentReport> = ranking.iter().map(|&i| &self.agents[i]).collect();
        let mut tables = vec![standings(&agents)];
        if agents.len() > 1 {
            tables.extend(PAIRS.iter().map(|pair| self.pair_table(pair, &ranking)));
        }
        if agents.iter().any(|agent| agent.alpha_rank.is_some()) {
            tables.push(Table {
                caption: Some("Without the assumption of a ladder:"),
                detail: true,
                ..Table::new("alpha-Rank and Nash averaging", NO_LADDER, &agents)
            });
        }
        tables.push(Table::new("Games", GAMES, &self.by_game.iter().collect::<Vec<_>>()));
        if self.by_game.len() > 1 {
            let games: Vec<(String, Vec<&Standing>)> = self
                .by_game
                .iter()
                .map(|game| {
                    (game.game.clone(), ranking.iter().map(|&i| &game.standings[i]).collect())
                })
                .collect();
            let names: Vec<&str> = agents.iter().map(|agent| agent.agent.as_str()).collect();
            tables.push(payoff_by_game(&names, &games, 3));
        }
        tables
    }

    /// A square table over all pairs of agents, in the order of the ranking.
    fn pair_table(&self, pair: &PairTable, ranking: &[usize]) -> Table {
        let head = |title: String, align| Head { title, align, note: None };
        let mut columns = vec![head(String::new(), Align::Left), head("agent".into(), Align::Left)];
        columns.extend((1..=ranking.len()).map(|rank| head(rank.to_string(), Align::Right)));
        let row = |(rank, &a): (usize, &usize)| {
            let mut row = vec![(rank + 1).to_string(), self.agents[a].agent.clone()];
            row.extend(ranking.iter().map(|&b| {
                self.cross[a][b].as_ref().map_or_else(String::new, |cross| (pair.cell)(cross))
            }));
            row
        };
        Table {
            heading: pair.heading,
            caption: Some(pair.caption),
            // The result of the only pair is the table of agents.
            detail: pair.detail || ranking.len() < 3,
            columns,
            rows: ranking.iter().enumerate().map(row).collect(),
        }
    }
}
