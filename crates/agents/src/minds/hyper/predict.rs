//! The forecast of a model for the members.

use crate::spec::AgentSpec;
use ludex_core::{AnyGame, Error, Game, Result, Seed};
use ludex_model::{Effort, Model, describe};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

/// The model in the binary: trained on our own agents by `ludex train`, docs/hyper-agents.md.
static BUILT_IN: &[u8] = include_bytes!("../../../models/agents.model");

/// Predicted win rates of members.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forecast {
    /// One number a member, 0 and more.
    pub values: Vec<f64>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

impl Forecast {
    /// The same for all.
    pub fn even(members: usize) -> Self {
        Forecast { values: vec![1.0; members], notes: Vec::new() }
    }
}

/// The model of a file, or the one in the binary; read once a process.
///
/// # Errors
/// A file that is no model.
pub fn model(file: Option<&str>) -> Result<Arc<Model>> {
    static READ: LazyLock<Mutex<HashMap<String, Arc<Model>>>> = LazyLock::new(Mutex::default);
    let key = file.unwrap_or_default().to_string();
    let known = READ.lock().ok().and_then(|read| read.get(&key).cloned());
    if let Some(model) = known {
        return Ok(model);
    }
    let model = Arc::new(match file {
        Some(file) => Model::load(Path::new(file))?,
        None => Model::from_bytes("the model in the binary", BUILT_IN)?,
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
pub fn targets(file: Option<&str>) -> Result<Vec<AgentSpec>> {
    let model = model(file)?;
    let known: Vec<AgentSpec> = model.targets.iter().filter_map(|name| name.parse().ok()).collect();
    match known.is_empty() {
        true => Err(Error::BadParameter {
            name: file.unwrap_or("model").into(),
            reason: format!("none of its targets is an agent: {}", model.targets.join(", ")),
        }),
        false => Ok(known),
    }
}

/// Predicts the win rates of members in a game. Games are described once a process.
///
/// # Errors
/// A model that can't be read, or one that has nothing to say on this game or these members.
pub fn forecast(game: &AnyGame, file: Option<&str>, members: &[AgentSpec]) -> Result<Forecast> {
    static ASKED: LazyLock<Mutex<HashMap<(String, String), Asked>>> = LazyLock::new(Mutex::default);
    let model = model(file)?;
    let key = (game.info().name.clone(), file.unwrap_or_default().to_string());
    let known = ASKED.lock().ok().and_then(|asked| asked.get(&key).cloned());
    let asked = match known {
        Some(asked) => asked,
        None => {
            let answer = model.ask(&describe(game, Effort::default(), Seed(1)));
            let asked = Asked { values: answer.values, missing: answer.missing.len() };
            if let Ok(mut all) = ASKED.lock() {
                all.insert(key, asked.clone());
            }
            asked
        }
    };
    let inputs = model.features.len();
    if asked.missing == inputs {
        return Err(Error::Unsupported(format!(
            "the model knows nothing that {} has: none of its {inputs} inputs",
            game.info().name
        )));
    }
    let mean = asked.values.iter().sum::<f64>() / asked.values.len().max(1) as f64;
    let mut forecast = Forecast::default();
    if asked.missing > 0 {
        forecast.notes.push(format!("{} of {inputs} inputs are missing", asked.missing));
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

#[derive(Clone)]
struct Asked {
    values: Vec<f64>,
    missing: usize,
}
