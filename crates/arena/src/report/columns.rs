//! The columns of the tables of a report. One entry is one column: text, HTML and JSON of `arena report`, `match` and
//! `tour` follow from it.

use super::table::{Align, Head};
use super::{AgentReport, Clustered, Cross, GameReport, Steps};
use ludex_stats::Z95;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

/// One column of a table with a row for each `T`.
pub(super) struct Column<T> {
    title: &'static str,
    align: Align,
    note: Option<Note<T>>,
    text: fn(&T) -> Option<String>,
    json: Option<Json<T>>,
}

/// The key and the value of a column in JSON.
type Json<T> = (&'static str, fn(&T) -> Value);

/// The meaning of a column: a fixed line, or one that depends on the rows.
enum Note<T> {
    Line(&'static str),
    OfRows(fn(&[&T]) -> String),
}

impl<T> Column<T> {
    /// A column of numbers. A cell without a value is empty; a column without a single value is left out.
    const fn new(title: &'static str, text: fn(&T) -> Option<String>) -> Self {
        Column { title, align: Align::Right, note: None, text, json: None }
    }

    /// A value that only JSON shows.
    const fn json_only(key: &'static str, value: fn(&T) -> Value) -> Self {
        Column::new("", |_| None).json(key, value)
    }

    /// A column of names.
    const fn left(self) -> Self {
        Column { align: Align::Left, ..self }
    }

    /// Explains the column: `name: what it is`.
    const fn note(self, line: &'static str) -> Self {
        Column { note: Some(Note::Line(line)), ..self }
    }

    /// Explains the column by a line that depends on the rows.
    const fn note_of(self, line: fn(&[&T]) -> String) -> Self {
        Column { note: Some(Note::OfRows(line)), ..self }
    }

    /// The key and the value of the column in JSON.
    const fn json(self, key: &'static str, value: fn(&T) -> Value) -> Self {
        Column { json: Some((key, value)), ..self }
    }

    /// The text of a cell.
    pub(super) fn text(&self, row: &T) -> Option<String> {
        (self.text)(row)
    }

    /// The head of the column above these rows.
    pub(super) fn head(&self, rows: &[&T]) -> Head {
        let note = self.note.as_ref().map(|note| match note {
            Note::Line(line) => line.to_string(),
            Note::OfRows(line) => line(rows),
        });
        Head { title: self.title.to_string(), align: self.align, note }
    }
}

type OfAgent = Column<AgentReport>;
type OfGame = Column<GameReport>;

/// The columns of the table of agents.
pub(super) const AGENTS: &[OfAgent] = &[
    OfAgent::new("", |a| a.rank.map(|rank| rank.to_string()))
        .left()
        .json("rank", |a| json!(a.rank)),
    OfAgent::new("agent", |a| Some(a.agent.clone())).left().json("agent", |a| json!(a.agent)),
    OfAgent::json_only("seats", |a| json!(a.standing.seats)),
    OfAgent::new("score", |a| Some(format!("{:.3}", a.standing.score)))
        .json("score", |a| json!(a.standing.score)),
    OfAgent::new("95 % interval", |a| {
        let interval = a.standing.interval;
        Some(format!("{:.3} .. {:.3}", interval.low, interval.high))
    })
    .note("interval: Wilson")
    .json("interval", |a| json!(a.standing.interval)),
    OfAgent::new("wins", |a| Some(a.standing.wins.to_string()))
        .json("wins", |a| json!(a.standing.wins)),
    OfAgent::new("losses", |a| Some(a.standing.losses.to_string()))
        .json("losses", |a| json!(a.standing.losses)),
    OfAgent::new("forfeits", |a| Some(a.standing.forfeits.to_string()))
        .json("forfeits", |a| json!(a.standing.forfeits)),
    OfAgent::json_only("by_game", |a| match a.by_game.as_slice() {
        [] => Value::Null,
        scores => json!(scores),
    }),
    OfAgent::new("over games", |a| {
        let Clustered { mean, interval } = a.clustered?;
        // Payoffs lie between 0 and 1, and so does their mean.
        let (low, high) = (interval.low.max(0.0), interval.high.min(1.0));
        Some(format!("{mean:.3} ({low:.3} .. {high:.3})"))
    })
    .note("over games: Student's t on the means of the games")
    .json("clustered", |a| json!(a.clustered)),
    OfAgent::new("Elo", |a| a.elo.map(|elo| format!("{:+.0}", elo.value)))
        .note_of(|agents| {
            let anchor = agents.iter().find(|agent| agent.anchor);
            let zero = anchor.map_or("the mean", |agent| agent.agent.as_str());
            format!("Elo: maximum likelihood, {zero} is 0")
        })
        .json("elo", |a| json!(a.elo)),
    OfAgent::new("±95 %", |a| a.elo.map(|elo| format!("{:.0}", Z95 * elo.error))),
    OfAgent::new("LOS", |a| a.los.map(likelihood))
        .note("LOS: likelihood of being stronger than the next")
        .json("los", |a| json!(a.los)),
    OfAgent::new("strength", |a| a.strength.map(|s| format!("{s:.3}")))
        .note("strength: Plackett-Luce")
        .json("strength", |a| json!(a.strength)),
];

/// The columns of agents in the table of ratings that do not assume a ladder of strength.
pub(super) const NO_LADDER: &[OfAgent] = &[
    OfAgent::new("agent", |a| Some(a.agent.clone())).left(),
    OfAgent::new("alpha-Rank", |a| a.alpha_rank.map(|share| format!("{share:.3}")))
        .json("alpha_rank", |a| json!(a.alpha_rank)),
    OfAgent::new("Nash weight", |a| a.nash.map(|nash| format!("{:.3}", nash.weight)))
        .json("nash", |a| json!(a.nash)),
    OfAgent::new("Nash score", |a| a.nash.map(|nash| format!("{:.3}", nash.score))),
];

/// The columns of the table of games.
pub(super) const GAMES: &[OfGame] = &[
    OfGame::new("game", |g| Some(g.game.clone())).left(),
    OfGame::new("games", |g| Some(g.games.to_string())),
    OfGame::new("draws", |g| Some(g.draws.to_string())),
    OfGame::new("steps", |g| {
        let Steps { mean, least, most } = g.steps;
        Some(format!("{mean:.1} ({least}-{most})"))
    }),
    OfGame::new("payoff by seat", |g| {
        let means: Vec<String> = g.seats.iter().map(|seat| format!("{:.3}", seat.mean)).collect();
        Some(means.join(" / "))
    }),
    OfGame::new("equal seats", |g| g.seat_bias.map(|p| format!("p = {p:.3}"))),
];

/// A square table over all pairs of agents.
pub(super) struct PairTable {
    /// The heading on a page.
    pub(super) heading: &'static str,
    /// The meaning of the cells.
    pub(super) caption: &'static str,
    /// Does a short report leave the table out?
    pub(super) detail: bool,
    /// The cell of the row's agent against the column's agent.
    pub(super) cell: fn(&Cross) -> String,
}

/// The tables of pairs.
pub(super) const PAIRS: &[PairTable] = &[
    PairTable {
        heading: "Results of pairs",
        caption: "Score of the row against the column (wins-draws-losses):",
        detail: false,
        cell: |c| format!("{:.3} ({}-{}-{})", c.score, c.wins, c.draws, c.losses),
    },
    PairTable {
        heading: "Pairs of games",
        caption: "Pairs that share opening and dice: counts of 0, 1/2, 1, 3/2, 2 points; difference in normalised Elo; \
                  share of drawn games:",
        detail: true,
        cell: |c| match &c.pairs {
            Some(pairs) => {
                let counts = pairs.pentanomial.0.map(|count| count.to_string()).join("-");
                let elo = pairs
                    .normalised_elo
                    .map(|e| format!(" {:+.0} ±{:.0}", e.value, e.interval.half_width()));
                let draws = 100.0 * c.draw_ratio;
                format!("{counts}{} {draws:.0} %", elo.unwrap_or_default())
            }
            None => "-".into(),
        },
    },
    PairTable {
        heading: "Tests of all results",
        caption: "Two-tailed t-test of all results (t, p, p after Holm):",
        detail: true,
        cell: |c| match &c.t_test {
            Some(test) => format!("{:.3} {:.3} {:.3}", test.t, test.p, test.holm),
            None => "-".into(),
        },
    },
    PairTable {
        heading: "Superiority",
        caption: "Likelihood of superiority:",
        detail: true,
        cell: |c| c.superiority.map_or_else(String::new, |p| format!("{p:.3}")),
    },
    PairTable {
        heading: "Paired tests",
        caption: "Blocks that share opening and dice (p of t, sign and permutation test):",
        detail: true,
        cell: |c| {
            let t = c.paired.t.map_or_else(|| "-".into(), |t| format!("{:.3}", t.p));
            format!("{t} {:.3} {:.3}", c.paired.sign, c.paired.permutation)
        },
    },
];

/// JSON of an agent: the values of all columns.
impl Serialize for AgentReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in AGENTS.iter().chain(NO_LADDER).filter_map(|column| column.json) {
            map.serialize_entry(key, &value(self))?;
        }
        map.end()
    }
}

/// A likelihood in percent. It is never certain, so it is never 100.0 or 0.0.
fn likelihood(p: f64) -> String {
    match 100.0 * p {
        high if high >= 99.95 => "over 99.9 %".into(),
        low if low < 0.05 => "under 0.1 %".into(),
        percent => format!("{percent:.1} %"),
    }
}
