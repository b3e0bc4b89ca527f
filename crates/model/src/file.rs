//! Model files: a gzip stream of one JSON object, described in `docs/hyper-agents.md`.

use crate::scaling::{Scaling, cosine_distance};
use crate::{Fitted, Matrix};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use ludex_core::{Error, Features, Result};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::Path;

/// The format name in every model file.
pub const FORMAT: &str = "ludex-model";
/// The version that this program writes, and the newest that it reads.
pub const VERSION: u32 = 1;
/// The most bytes that a model may unpack to.
const LARGEST: u64 = 1 << 30;

/// A trained model with the names of its inputs and outputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The name of the format: [`FORMAT`].
    pub format: String,
    /// The version of the format: [`VERSION`].
    pub version: u32,
    /// A line for people: where the table came from.
    pub about: String,
    /// How it was trained, as `ludex train` names it.
    pub recipe: String,
    /// The names of the inputs.
    pub features: Vec<String>,
    /// The names of the outputs: agents or heuristics, as Ludex can build them.
    pub targets: Vec<String>,
    /// The games that it was trained on.
    pub trained_on: Vec<String>,
    /// The inputs of the known games, by which the nearest of them can be named.
    pub known: Matrix,
    /// Mean regret on games that were not used for training, where it was measured.
    pub regret: Option<f64>,
    /// The opponent of the measured games and its budget, for people; empty where it is not known.
    #[serde(default)]
    pub opponent: String,
    /// By known game: the predictions of models that were trained without its family; empty where there are none.
    #[serde(default)]
    pub held_out: Matrix,
    /// By target: the 2.5th and the 97.5th percentile of measured less predicted values of held-out games.
    #[serde(default)]
    pub errors: Vec<(f64, f64)>,
    /// The model.
    pub fitted: Fitted,
}

/// The prediction of a model for a game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// One number a target.
    pub values: Vec<f64>,
    /// The disagreement of the model's parts, by target: see [`Fitted::spread`].
    pub spread: Option<Vec<f64>>,
    /// The inputs that the game does not supply; they count as 0.
    pub missing: Vec<String>,
    /// The row that was asked about.
    pub row: Vec<f64>,
    /// Was the model trained on this game? Then the values come from models that were trained without it.
    pub held_out: bool,
}

impl Model {
    /// The model as the bytes of a file.
    ///
    /// # Errors
    /// Numbers that JSON can't hold.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let failed = |e: &dyn std::fmt::Display| bad("model", format!("can't be written: {e}"));
        let json = serde_json::to_vec(self).map_err(|e| failed(&e))?;
        let mut out = GzEncoder::new(Vec::new(), Compression::best());
        out.write_all(&json).map_err(|e| failed(&e))?;
        out.finish().map_err(|e| failed(&e))
    }

    /// Reads the bytes of a file, ours or PMML; `name` is for messages.
    ///
    /// # Errors
    /// Bytes that are no model, are damaged, or come from a newer version.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        if bytes.trim_ascii_start().starts_with(b"<") {
            return Model::from_pmml(name, bytes);
        }
        if !bytes.starts_with(&[0x1f, 0x8b]) {
            return Err(bad(name, "no model file: it is not a gzip stream".into()));
        }
        let mut json = Vec::new();
        let damaged = |e: &dyn std::fmt::Display| bad(name, format!("the file is damaged: {e}"));
        GzDecoder::new(bytes).take(LARGEST).read_to_end(&mut json).map_err(|e| damaged(&e))?;
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
            version: Option<u32>,
        }
        let head: Head = serde_json::from_slice(&json).map_err(|e| damaged(&e))?;
        if head.format.as_deref() != Some(FORMAT) {
            return Err(bad(name, format!("no model file: its format is not `{FORMAT}`")));
        }
        match head.version {
            Some(VERSION) => {}
            Some(version) => {
                let reason = format!("version {version}; this program reads up to {VERSION}");
                return Err(bad(name, reason));
            }
            None => return Err(bad(name, "the version is missing".into())),
        }
        let model: Model = serde_json::from_slice(&json).map_err(|e| damaged(&e))?;
        match model.fault() {
            Some(fault) => Err(bad(name, format!("the file is damaged: {fault}"))),
            None => Ok(model),
        }
    }

    /// A forest that another program wrote.
    fn from_pmml(name: &str, bytes: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes).map_err(|e| bad(name, e.to_string()))?;
        let document = crate::pmml::read(text)
            .map_err(|error| bad(name, format!("no model file: {error}")))?;
        Ok(Model {
            format: FORMAT.into(),
            version: VERSION,
            about: "from PMML".into(),
            recipe: "from PMML".into(),
            features: document.features,
            targets: document.targets,
            trained_on: Vec::new(),
            known: Matrix::default(),
            regret: None,
            opponent: String::new(),
            held_out: Matrix::default(),
            errors: Vec::new(),
            fitted: document.fitted,
        })
    }

    /// The first inconsistency of the model, if there is one.
    fn fault(&self) -> Option<String> {
        if self.targets.is_empty() || self.features.is_empty() {
            return Some("no inputs or no outputs".into());
        }
        let known = self.known.rows() == 0
            || (self.known.rows() == self.trained_on.len()
                && self.known.columns() == self.features.len());
        if !known {
            return Some("the known games don't fit the inputs".into());
        }
        let held_out = self.held_out.rows() == 0
            || (self.held_out.rows() == self.trained_on.len()
                && self.held_out.columns() == self.targets.len());
        if !held_out || !(self.errors.is_empty() || self.errors.len() == self.targets.len()) {
            return Some("the held-out predictions don't fit the outputs".into());
        }
        self.fitted.fault(self.features.len(), self.targets.len())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// As [`from_bytes`](Model::from_bytes), and where it can't be read.
    pub fn load(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|e| bad(&name, e.to_string()))?;
        Model::from_bytes(&name, &bytes)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let failed = |e: std::io::Error| bad(&path.display().to_string(), e.to_string());
        let part = path.with_extension("part");
        std::fs::write(&part, self.to_bytes()?).map_err(failed)?;
        std::fs::rename(&part, path).map_err(failed)
    }

    /// The model's prediction for a game. A game that the model was trained on gets the prediction of models that were
    /// trained without it, where the file has it: a row of the training table is no prediction.
    pub fn ask(&self, name: &str, game: &Features) -> Answer {
        let mut missing = Vec::new();
        let known: std::collections::HashMap<&str, f64> = game.iter().collect();
        let row: Vec<f64> = self
            .features
            .iter()
            .map(|name| match known.get(name.as_str()).copied().filter(|v| v.is_finite()) {
                Some(value) => value,
                None => {
                    missing.push(name.clone());
                    0.0
                }
            })
            .collect();
        let known = self.trained_on.iter().position(|known| known == name);
        match known.filter(|&at| at < self.held_out.rows()) {
            Some(at) => {
                let values = self.held_out.row(at).to_vec();
                Answer { values, spread: None, missing, row, held_out: true }
            }
            None => {
                let (values, spread) = (self.fitted.predict(&row), self.fitted.spread(&row));
                Answer { values, spread, missing, row, held_out: false }
            }
        }
    }

    /// The interval in which 95 % of the win rates of held-out games lay around their prediction, for a predicted `value`.
    pub fn interval(&self, target: usize, value: f64) -> Option<(f64, f64)> {
        let &(below, above) = self.errors.get(target)?;
        Some(((value + below).clamp(0.0, 100.0), (value + above).clamp(0.0, 100.0)))
    }

    /// The known games nearest to a row, with their cosine distances.
    pub fn nearest(&self, row: &[f64], most: usize) -> Vec<(&str, f64)> {
        if self.known.rows() == 0 {
            return Vec::new();
        }
        let scaling = Scaling::fit(&self.known, true, None);
        let here = scaling.apply(row);
        let mut near: Vec<(&str, f64)> = self
            .known
            .iter()
            .zip(&self.trained_on)
            .map(|(known, name)| (name.as_str(), cosine_distance(&here, &scaling.apply(known))))
            .collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1));
        near.truncate(most);
        near
    }
}

fn bad(name: &str, reason: String) -> Error {
    Error::BadParameter { name: name.to_string(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;
    use proptest::prelude::*;

    fn small() -> Model {
        let mut tree = Tree::leaf(&[50.0]);
        let (low, high) = (tree.push(&[40.0]), tree.push(&[60.0]));
        (tree.feature[0], tree.threshold[0]) = (1, 0.5);
        (tree.left[0], tree.right[0]) = (low as u32, high as u32);
        Model {
            format: FORMAT.into(),
            version: VERSION,
            about: "a test".into(),
            recipe: "forest(trees=1)".into(),
            features: vec!["NumPlayers".into(), "Stochastic".into()],
            targets: vec!["uct".into(), "mast".into()],
            trained_on: vec!["nim".into(), "pig".into()],
            known: Matrix::from_rows(2, [[2.0, 0.0], [2.0, 1.0]]),
            regret: Some(1.5),
            opponent: "uct".into(),
            held_out: Matrix::from_rows(2, [[30.0, 20.0], [31.0, 21.0]]),
            errors: vec![(-10.0, 20.0), (-5.0, 5.0)],
            fitted: Fitted::Forest { groups: vec![vec![tree.clone()], vec![Tree::leaf(&[45.0])]] },
        }
    }

    #[test]
    fn a_model_file_reads_back_and_answers_by_name() {
        let model = small();
        let back = Model::from_bytes("x", &model.to_bytes().unwrap()).unwrap();
        assert_eq!(back, model);
        let mut game = Features::default();
        game.set("Stochastic", 1.0);
        let answer = back.ask("connect4", &game);
        assert_eq!(answer.values, [60.0, 45.0]);
        assert_eq!(back.interval(0, 60.0), Some((50.0, 80.0)));
        assert_eq!(back.interval(1, 98.0), Some((93.0, 100.0)));
        // The model was trained on Pig: its own leaves are no prediction.
        assert_eq!(back.ask("pig", &game).values, [31.0, 21.0]);
        assert_eq!(answer.missing, ["NumPlayers"]);
        assert_eq!(back.nearest(&[2.0, 1.0], 1)[0].0, "pig");
        assert_eq!(back.fitted.reasons(&answer.row, 0), Some(vec![0.0, 10.0]));
    }

    #[test]
    fn a_forest_of_another_program_is_a_model() {
        let model = small();
        let text = crate::pmml::write(&model.features, &model.targets, &model.fitted).unwrap();
        let read = Model::from_bytes("x.pmml", text.as_bytes()).unwrap();
        let mut game = Features::default();
        game.set("Stochastic", 1.0);
        assert_eq!(read.ask("connect4", &game).values, [60.0, 45.0]);
    }

    #[test]
    fn foreign_and_damaged_files_are_told_apart() {
        let says = |bytes: &[u8]| Model::from_bytes("f", bytes).unwrap_err().to_string();
        let zipped = |text: &str| {
            let mut out = GzEncoder::new(Vec::new(), Compression::fast());
            out.write_all(text.as_bytes()).unwrap();
            out.finish().unwrap()
        };
        assert!(says(b"hello").contains("not a gzip stream"));
        assert!(says(b"<html></html>").contains("no PMML element"));
        assert!(says(&zipped("{}")).contains("format is not"));
        assert!(says(&zipped("[1]")).contains("damaged"));
        let newer = r#"{"format":"ludex-model","version":7}"#;
        assert!(says(&zipped(newer)).contains("version 7; this program reads up to 1"));
        let mut cut = small().to_bytes().unwrap();
        cut.truncate(cut.len() / 2);
        assert!(says(&cut).contains("damaged"));
        let mut wrong = small();
        if let Fitted::Forest { groups } = &mut wrong.fitted {
            groups[0][0].right[0] = 77;
        }
        assert!(says(&wrong.to_bytes().unwrap()).contains("lead nowhere"));
        wrong = small();
        wrong.targets.push("third".into());
        (wrong.held_out, wrong.errors) = (Matrix::default(), Vec::new());
        assert!(says(&wrong.to_bytes().unwrap()).contains("groups of trees: 2 where 3 are due"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_changed_byte_is_an_error_or_still_a_sound_model(at in 0usize..400, to: u8) {
            let mut bytes = small().to_bytes().unwrap();
            let at = at % bytes.len();
            bytes[at] = to;
            if let Ok(model) = Model::from_bytes("f", &bytes) {
                prop_assert_eq!(model.ask("x", &Features::default()).values.len(), 2);
            }
        }
    }
}
