//! The forecast of a model for the members.

use crate::spec::AgentSpec;
use ludex_core::{AnyGame, Error, Features, Game, Player, Result, Seed};
use ludex_model::{Answer, Effort, Model, describe};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

/// The models in the binary, trained on our own agents by `ludex train` (docs/hyper-agents.md). The first knows all agents at 2 ms
/// a move, the second `uct` and `alphabeta` at 20 ms.
static SHORT: &[u8] = include_bytes!("../../../models/agents.model");
static LONG: &[u8] = include_bytes!("../../../models/long.model");

/// A model of the win rates of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which<'a> {
    /// The model in the binary for short thinking times. It knows all agents.
    #[default]
    Short,
    /// The model in the binary for longer thinking times. It knows two agents.
    Long,
    /// The model in a file.
    File(&'a str),
}

impl<'a> From<Option<&'a str>> for Which<'a> {
    fn from(file: Option<&'a str>) -> Self {
        file.map_or(Which::Short, Which::File)
    }
}

/// Predicted win rates of members.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forecast {
    /// One number a member, 0 and more.
    pub values: Vec<f64>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

impl Forecast {
    /// A forecast that prefers no member.
    pub fn even(members: usize) -> Self {
        Forecast { values: vec![1.0; members], notes: Vec::new() }
    }
}

/// A model, read once a process.
///
/// # Errors
/// A file that is no model.
pub fn model<'a>(which: impl Into<Which<'a>>) -> Result<Arc<Model>> {
    static READ: LazyLock<Mutex<HashMap<String, Arc<Model>>>> = LazyLock::new(Mutex::default);
    let which = which.into();
    let key = format!("{which:?}");
    let known = READ.lock().ok().and_then(|read| read.get(&key).cloned());
    if let Some(model) = known {
        return Ok(model);
    }
    let model = Arc::new(match which {
        Which::File(file) => Model::load(Path::new(file))?,
        Which::Short => Model::from_bytes("the model in the binary", SHORT)?,
        Which::Long => Model::from_bytes("the model of longer thinking times", LONG)?,
    });
    if let Ok(mut read) = READ.lock() {
        read.insert(key, model.clone());
    }
    Ok(model)
}

/// The agents that a model knows.
///
/// # Errors
/// A model that can't be read, or that is about something else.
pub fn targets<'a>(which: impl Into<Which<'a>>) -> Result<Vec<AgentSpec>> {
    let model = model(which)?;
    let known: Vec<AgentSpec> = model.targets.iter().filter_map(|name| name.parse().ok()).collect();
    match known.is_empty() {
        true => Err(Error::BadParameter {
            name: "model".into(),
            reason: format!("none of its targets is an agent: {}", model.targets.join(", ")),
        }),
        false => Ok(known),
    }
}

/// The expected win rates of the agents of a model in one game.
#[derive(Debug, Clone)]
pub struct Outlook {
    /// The model.
    pub model: Arc<Model>,
    /// The answer of the model for all of its targets.
    pub answer: Answer,
    /// The agents that can play the game, by number among the targets, best first.
    pub order: Vec<usize>,
    /// The agents that cannot play the game, with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Predicts the win rates of all agents that a model knows and that can play the game with these features.
///
/// # Errors
/// A model that can't be read, or one that knows none of the game's features.
pub fn outlook(game: &AnyGame, features: &Features, file: Option<&str>) -> Result<Outlook> {
    let model = model(file)?;
    let info = game.info();
    let answer = model.ask(&info.name, features);
    check_inputs(&model, answer.missing.len(), &info.name)?;
    let obstacle = |name: &String| name.parse::<AgentSpec>().ok()?.obstacle(info);
    let (mut order, mut left_out) = (Vec::new(), Vec::new());
    for (number, name) in model.targets.iter().enumerate() {
        match obstacle(name) {
            Some(reason) => left_out.push((name.clone(), reason)),
            None => order.push(number),
        }
    }
    order.sort_by(|&a, &b| answer.values[b].total_cmp(&answer.values[a]));
    Ok(Outlook { model, answer, order, left_out })
}

/// A model that knows none of a game's features has nothing to say on it.
fn check_inputs(model: &Model, missing: usize, game: &str) -> Result<()> {
    let inputs = model.features.len();
    if missing < inputs {
        return Ok(());
    }
    let text = format!("the model knows nothing that {game} has: none of its {inputs} inputs");
    Err(Error::Unsupported(text))
}

/// Predicts the win rates of members in a game. Games are described once a process.
///
/// # Errors
/// A model that can't be read, or one that has nothing to say on this game or these members.
pub fn forecast<'a>(
    game: &AnyGame,
    which: impl Into<Which<'a>>,
    members: &[AgentSpec],
) -> Result<Forecast> {
    let model = model(which)?;
    let asked = model.ask(&game.info().name, &described(game));
    check_inputs(&model, asked.missing.len(), &game.info().name)?;
    let inputs = model.features.len();
    let mean = asked.values.iter().sum::<f64>() / asked.values.len().max(1) as f64;
    let mut forecast = Forecast::default();
    if !asked.missing.is_empty() {
        forecast.notes.push(format!("{} of {inputs} inputs are missing", asked.missing.len()));
    }
    for member in members {
        let name = member.to_string();
        let exact = model.targets.iter().position(|target| *target == name);
        let like = || model.targets.iter().position(|target| *target == member.name());
        match exact.or_else(like).and_then(|i| asked.values.get(i)) {
            Some(value) => forecast.values.push(*value),
            None => {
                forecast.notes.push(format!("the model does not know {name}: the mean counts"));
                forecast.values.push(mean);
            }
        }
    }
    Ok(forecast)
}

/// The heuristic of which a model expects most: `alphabeta` under it, and its predicted win rate. Heuristics that the game does not
/// have are passed over; `None` where it has none of them.
///
/// # Errors
/// A model that can't be read, or that knows no heuristic.
pub fn heuristic(
    game: &AnyGame,
    which: Which<'_>,
    seat: Player,
    seed: Seed,
) -> Result<Option<(AgentSpec, f64)>> {
    let mut known = targets(which)?;
    known.retain(|target| target.name() == "alphabeta");
    if known.is_empty() {
        return Err(Error::BadParameter {
            name: "heuristics".into(),
            reason: "none of the model's targets is `alphabeta` with a heuristic".into(),
        });
    }
    let values = forecast(game, which, &known)?.values;
    let mut order: Vec<(AgentSpec, f64)> = known.into_iter().zip(values).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(order.into_iter().find(|(spec, _)| spec.build(game, seat, seed).is_ok()))
}

/// The features of a game. A game is described once in a process: that takes random games.
fn described(game: &AnyGame) -> Arc<Features> {
    static DESCRIBED: LazyLock<Mutex<HashMap<String, Arc<Features>>>> =
        LazyLock::new(Mutex::default);
    let name = &game.info().name;
    let known = DESCRIBED.lock().ok().and_then(|described| described.get(name).cloned());
    known.unwrap_or_else(|| {
        let features = Arc::new(describe(game, Effort::default(), Seed(1)));
        if let Ok(mut described) = DESCRIBED.lock() {
            described.insert(name.clone(), Arc::clone(&features));
        }
        features
    })
}
