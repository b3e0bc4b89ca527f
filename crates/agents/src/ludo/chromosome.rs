//! Chromosomes: a few genes in a name, or many in a file (JSON, or NumPy's `.npy`).

use crate::npy;
use ludex_core::{Error, Result, Spec};
use ludex_games::ludo::values::Kind;
use std::fmt;
use std::path::Path;

/// Genes, or where they are.
#[derive(Debug, Clone, PartialEq)]
pub enum Chromosome {
    /// Genes that make a fair player of its kind.
    Usual,
    /// These genes.
    Genes(Vec<f64>),
    /// Those of a file.
    File(String),
}

/// Genes by hand: to leave home and to hit count most.
const SIMPLE: [f64; 4] = [1.3, 0.7, 0.8, 1.2];
/// Genes that one published run of the paper's evolution ended with: of the opponents the strongest
/// counts most.
pub const ADVANCED: [f64; 7] = [0.553, 0.376, 0.519, 0.619, 0.472, 0.300, 0.084];

fn bad(name: &str, reason: String) -> Error {
    Error::BadParameter { name: name.into(), reason }
}

impl Chromosome {
    pub(crate) fn read(spec: &Spec, kind: Kind) -> Result<Self> {
        let most = if kind == Kind::Full { 0 } else { kind.genes() };
        spec.expect(&["file"], most)?;
        let listed: Vec<&Spec> = spec.positional().collect();
        match (spec.get("file"), listed.len()) {
            (Some(file), 0) if file.name == "usual" => Ok(Chromosome::Usual),
            (Some(file), 0) => Ok(Chromosome::File(file.name.clone())),
            (Some(_), _) => Err(bad(&spec.name, "either genes or a file, not both".into())),
            (None, 0) if kind == Kind::Full => Err(bad(
                &spec.name,
                "23,800 genes come from a file, as in ludo-full(file=best.npy)".into(),
            )),
            (None, 0) => Ok(Chromosome::Usual),
            (None, n) if n != kind.genes() => {
                Err(bad(&spec.name, format!("{} genes are due, not {n}", kind.genes())))
            }
            (None, _) => {
                let genes = listed.iter().map(|gene| match gene.name.parse::<f64>() {
                    Ok(value) if value.is_finite() => Ok(value),
                    _ => Err(bad(&spec.name, format!("`{}` is no gene", gene.name))),
                });
                Ok(Chromosome::Genes(genes.collect::<Result<_>>()?))
            }
        }
    }

    /// The genes.
    ///
    /// # Errors
    /// A file that can't be read, or with another number of genes.
    pub(crate) fn load(&self, kind: Kind) -> Result<Vec<f64>> {
        let genes = match self {
            Chromosome::Usual if kind == Kind::Simple => SIMPLE.to_vec(),
            Chromosome::Usual => ADVANCED.to_vec(),
            Chromosome::Genes(genes) => genes.clone(),
            Chromosome::File(file) => read_file(Path::new(file))
                .map_err(|reason| bad("chromosome", format!("{file}: {reason}")))?,
        };
        match genes.len() == kind.genes() && genes.iter().all(|gene| gene.is_finite()) {
            true => Ok(genes),
            false => Err(bad(
                "chromosome",
                format!("a {} player has {} genes, not {}", kind.name(), kind.genes(), genes.len()),
            )),
        }
    }
}

impl fmt::Display for Chromosome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chromosome::Usual => Ok(()),
            Chromosome::Genes(genes) => {
                let genes: Vec<String> = genes.iter().map(ToString::to_string).collect();
                write!(f, "({})", genes.join(","))
            }
            Chromosome::File(file) => write!(f, "(file={})", Spec::new(file)),
        }
    }
}

fn read_file(path: &Path) -> std::result::Result<Vec<f64>, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    match npy::is_npy(&bytes) {
        true => npy::read(&bytes).map(|(_, genes)| genes),
        false => serde_json::from_slice(&bytes).map_err(|e| format!("not a list of genes: {e}")),
    }
}
