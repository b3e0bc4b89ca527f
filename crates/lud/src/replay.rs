//! Recorded games of another system, played again: every move must be legal, the number of legal
//! moves the same at every ply, every position the same, and so the end.

use crate::engine::{Game, Move, State};

/// A recorded game.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The path of the description from `lud/` on.
    pub game: String,
    /// `Heading/Item` each.
    pub options: Vec<String>,
    /// The moves, those of the setup among them.
    pub moves: Vec<Recorded>,
    /// Legal moves at each ply after the setup.
    pub counts: Vec<usize>,
    /// Moves of the setup.
    pub setup: usize,
    /// By player from 1: the rank; empty if the game did not end.
    pub ranking: Vec<f64>,
}

/// A recorded move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// Who made it; 0 in the setup.
    pub mover: usize,
    /// Where it begins.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// Its actions: name and fields.
    pub actions: Vec<(String, Vec<(String, String)>)>,
}

impl Recorded {
    fn read(text: &str) -> Option<Recorded> {
        let text = text.strip_prefix("Move=[Move:")?.strip_suffix(']')?;
        let (head, tail) = text.split_once("actions=")?;
        let fields = |text: &str| -> Vec<(String, String)> {
            let pairs = text.split(',').filter_map(|part| part.split_once('='));
            pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
        };
        let head = fields(head);
        let number = |key: &str| {
            head.iter().find(|(k, _)| k == key).and_then(|(_, value)| value.parse::<i32>().ok())
        };
        let mut actions = Vec::new();
        for part in tail.split('[').filter(|part| !part.is_empty()) {
            let part = part.trim_end_matches(',').trim_end_matches(']');
            let (name, rest) = part.split_once(':').unwrap_or((part, ""));
            actions.push((name.to_owned(), fields(rest)));
        }
        Some(Recorded {
            mover: number("mover")?.max(0) as usize,
            from: number("from").unwrap_or(-1),
            to: number("to").unwrap_or(-1),
            actions,
        })
    }

    /// Has it an action of this name?
    pub fn has(&self, name: &str) -> bool {
        self.actions.iter().any(|(action, _)| action == name)
    }
}

impl Trial {
    /// Reads a recorded game.
    ///
    /// # Errors
    /// The line that is none of a recorded game.
    pub fn read(text: &str) -> Result<Trial, String> {
        let mut trial = Trial::default();
        let mut options = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_end();
            let bad = || format!("line {}: {line:.60}", number + 1);
            if let Some(path) = line.strip_prefix("game=") {
                let from = path.find("/lud/").ok_or_else(bad)?;
                trial.game = path[from + 5..].to_owned();
            } else if line == "START GAME OPTIONS" {
                options = true;
            } else if line == "END GAME OPTIONS" {
                options = false;
            } else if options {
                trial.options.push(line.to_owned());
            } else if line.starts_with("Move=") {
                trial.moves.push(Recorded::read(line).ok_or_else(bad)?);
            } else if let Some(count) = line.strip_prefix("LEGAL MOVES LIST SIZE = ") {
                trial.counts.push(count.parse().map_err(|_| bad())?);
            } else if let Some(count) = line.strip_prefix("numInitialPlacementMoves=") {
                trial.setup = count.parse().map_err(|_| bad())?;
            } else if let Some(list) = line.strip_prefix("rankings=") {
                let ranks: Result<Vec<f64>, _> = list.split(',').map(str::parse).collect();
                trial.ranking = ranks.map_err(|_| bad())?;
            }
        }
        // Older records do not tell how long the setup is: nobody makes its moves.
        let nobody = trial.moves.iter().take_while(|m| m.mover == 0).count();
        trial.setup = trial.setup.max(nobody);
        Ok(trial)
    }
}

/// Replays a recorded game.
///
/// # Errors
/// The first difference.
pub fn replay(game: &Game, trial: &Trial) -> Result<(), String> {
    let mut state = game.start();
    let (setup, play) = trial.moves.split_at(trial.setup.min(trial.moves.len()));
    let expected = Position::of_setup(setup, &state)?;
    expected.compare(&state).map_err(|what| format!("setup: {what}"))?;
    for (ply, recorded) in play.iter().enumerate() {
        if state.over {
            return Err(format!("ply {ply}: over, but a move follows"));
        }
        let legal = game.legal(&state);
        if let Some(&count) = trial.counts.get(ply)
            && legal.len() != count
        {
            return Err(format!("ply {ply}: {} legal moves instead of {count}", legal.len()));
        }
        let mut same = legal.iter().filter(|m| matches(m, recorded));
        let Some(first) = same.next() else {
            return Err(format!(
                "ply {ply}: the move {} to {} of player {} is not legal",
                recorded.from, recorded.to, recorded.mover
            ));
        };
        let position = Position::after(&state, recorded)?;
        // Several moves may begin and end alike: the one that leads to the recorded position.
        let mut difference = None;
        let mut next = None;
        for candidate in std::iter::once(first).chain(same) {
            let after = game.apply(&state, candidate);
            match position.compare(&after) {
                Ok(()) => {
                    next = Some(after);
                    break;
                }
                Err(what) => difference = difference.or(Some(what)),
            }
        }
        state = next.ok_or_else(|| format!("ply {ply}: {}", difference.unwrap_or_default()))?;
    }
    if trial.ranking.is_empty() {
        return if state.over { Err("over, but the recorded game is not".into()) } else { Ok(()) };
    }
    if !state.over {
        return Err("not over, but the recorded game is".into());
    }
    for (player, &rank) in trial.ranking.iter().enumerate().skip(1) {
        let ours = state.rank.get(player).copied().unwrap_or(0.0);
        if (ours - rank).abs() > 1e-6 {
            return Err(format!("player {player} has rank {ours} instead of {rank}"));
        }
    }
    Ok(())
}

fn matches(m: &Move, recorded: &Recorded) -> bool {
    let decision = |name: &str| {
        recorded.actions.iter().any(|(action, fields)| {
            action == name && fields.iter().any(|(k, v)| k == "decision" && v == "true")
        })
    };
    let pass = decision("Pass");
    let swap = decision("Swap");
    if pass || swap || m.is_pass() {
        return pass && m.is_pass()
            || swap && m.actions.contains(&crate::engine::Action::SwapPlayers);
    }
    m.mover == recorded.mover && m.from == recorded.from && m.to == recorded.to
}

/// What the recorded actions make of a position.
struct Position {
    what: Vec<u16>,
    count: Vec<u16>,
}

impl Position {
    fn of_setup(setup: &[Recorded], start: &State) -> Result<Position, String> {
        let n = start.what.len();
        let mut position = Position { what: vec![0; n], count: vec![0; n] };
        for m in setup {
            position.perform(m)?;
        }
        Ok(position)
    }

    fn after(state: &State, m: &Recorded) -> Result<Position, String> {
        let mut position = Position { what: state.what.clone(), count: state.count.clone() };
        position.perform(m)?;
        Ok(position)
    }

    fn perform(&mut self, m: &Recorded) -> Result<(), String> {
        for (name, fields) in &m.actions {
            let number = |key: &str| {
                fields.iter().find(|(k, _)| k == key).and_then(|(_, v)| v.parse::<usize>().ok())
            };
            let inside = |site: Option<usize>| site.filter(|&s| s < self.what.len());
            match name.as_str() {
                "Add" => {
                    let to = inside(number("to")).ok_or("a piece is added off the board")?;
                    let what = number("what").unwrap_or(0) as u16;
                    let count = number("count").unwrap_or(1) as u16;
                    let more = if self.what[to] == what { self.count[to] } else { 0 };
                    self.what[to] = what;
                    self.count[to] = more + count;
                }
                "Remove" => {
                    let to = inside(number("to")).ok_or("a piece is removed off the board")?;
                    if self.count[to] > 1 && number("count").is_none() && self.what[to] != 0 {
                        self.count[to] -= 1;
                    } else {
                        (self.what[to], self.count[to]) = (0, 0);
                    }
                }
                "Move" => {
                    let (Some(from), Some(to)) = (inside(number("from")), inside(number("to")))
                    else {
                        return Err("a piece moves off the board".into());
                    };
                    if from == to {
                        continue;
                    }
                    let what = self.what[from];
                    if self.count[from] > 1 {
                        self.count[from] -= 1;
                        self.count[to] = if self.what[to] == what { self.count[to] + 1 } else { 1 };
                    } else {
                        self.count[to] = self.count[from];
                        (self.what[from], self.count[from]) = (0, 0);
                    }
                    self.what[to] = what;
                }
                "Promote" => {
                    let to = inside(number("to")).ok_or("a promotion off the board")?;
                    self.what[to] = number("what").unwrap_or(0) as u16;
                }
                "SetCount" => {
                    let to = inside(number("to").or(number("site")));
                    let to = to.ok_or("a count off the board")?;
                    self.count[to] = number("count").unwrap_or(0) as u16;
                    if self.count[to] == 0 {
                        self.what[to] = 0;
                    } else if let Some(what) = number("what") {
                        self.what[to] = what as u16;
                    }
                }
                "Swap" => return Ok(()),
                _ => {}
            }
        }
        Ok(())
    }

    fn compare(&self, state: &State) -> Result<(), String> {
        for (site, &what) in self.what.iter().enumerate() {
            if state.what[site] != what {
                return Err(format!("site {site} holds {} instead of {what}", state.what[site]));
            }
        }
        Ok(())
    }
}
