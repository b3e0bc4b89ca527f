//! Chromosomes: a few genes in a name, or many in a file (JSON, or NumPy's `.npy`).

use super::{Mind, NEEDS, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use ludex_core::{AnyGame, Error, Player, Result, Seed};
use ludex_games::ludo::values::Kind;
use ludex_model::npy;
use std::path::Path;

pub(crate) const SIMPLE_ENTRY: Entry = Entry {
    name: "ludo-simple",
    summary: "the Ludo paper's player of four genes",
    needs: NEEDS,
    usual: || recipe(Params { kind: Kind::Simple, ..Params::default() }),
};

pub(crate) const ADVANCED_ENTRY: Entry = Entry {
    name: "ludo-advanced",
    summary: "the Ludo paper's player of seven genes: places and dangers of all tokens",
    needs: NEEDS,
    usual: || recipe(Params { kind: Kind::Advanced, ..Params::default() }),
};

pub(crate) const FULL_ENTRY: Entry = Entry {
    name: "ludo-full",
    summary: "the Ludo paper's network of 23,800 genes, from a file: ludo-full(file=best.npy)",
    needs: NEEDS,
    usual: || recipe(Params { kind: Kind::Full, ..Params::default() }),
};

pub(crate) const FELLOW_ENTRY: Entry = Entry {
    name: "ludo-fellow",
    summary: "the Ludo paper's fellow student's player of six genes, evolved anew against three smart players",
    needs: NEEDS,
    usual: || recipe(Params { kind: Kind::Fellow, ..Params::default() }),
};

ludex_core::params! {
    /// The parameters of the players that the paper evolved.
    pub struct Params {
        /// Genes, as plain arguments.
        pub genes: Vec<f64> = Vec::new();
        /// File of genes, in JSON or NumPy's .npy; usual: genes that make a fair player of its kind.
        pub file: Option<String> = None, "usual";
    }
    with {
        /// Which player.
        pub kind: Kind = Kind::Simple;
    }
    check = Params::check;
}

/// Genes by hand: to leave home and to hit count most.
const SIMPLE: [f64; 4] = [1.3, 0.7, 0.8, 1.2];
/// Genes that one published run of the paper's evolution ended with: of the opponents the strongest
/// counts most.
pub const ADVANCED: [f64; 7] = [0.553, 0.376, 0.519, 0.619, 0.472, 0.300, 0.084];

/// Genes that `ludex evolve experiments/ludo-fellow-smart.toml` ended with.
pub const FELLOW: [f64; 6] = [7.885, 5.167, 6.271, 0.563, 0.892, -2.489];

fn bad(name: &str, reason: String) -> Error {
    Error::BadParameter { name: name.into(), reason }
}

impl Params {
    fn check(&self) -> std::result::Result<(), String> {
        let due = self.kind.genes();
        match (&self.file, self.genes.len()) {
            (Some(_), 0) => Ok(()),
            (Some(_), _) => Err("either genes or a file, not both".into()),
            (None, 0) if self.kind == Kind::Full => {
                Err("23,800 genes come from a file, as in ludo-full(file=best.npy)".into())
            }
            (None, 0) => Ok(()),
            (None, given) if given == due => Ok(()),
            (None, given) => Err(format!("{due} genes are due, not {given}")),
        }
    }

    /// The genes.
    ///
    /// # Errors
    /// A file that can't be read, or with another number of genes.
    fn genes(&self) -> Result<Vec<f64>> {
        let kind = self.kind;
        let genes = match (&self.file, self.genes.as_slice()) {
            (Some(file), _) => read_file(Path::new(file))
                .map_err(|reason| bad("chromosome", format!("{file}: {reason}")))?,
            (None, []) if kind == Kind::Simple => SIMPLE.to_vec(),
            (None, []) if kind == Kind::Fellow => FELLOW.to_vec(),
            (None, []) => ADVANCED.to_vec(),
            (None, genes) => genes.to_vec(),
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

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(seat(Mind::Evolved(self.kind, self.genes()?), seed))
    }

    fn load(&self) -> Result<()> {
        self.genes().map(|_| ())
    }
}

fn read_file(path: &Path) -> std::result::Result<Vec<f64>, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    match npy::is_npy(&bytes) {
        true => npy::read(&bytes).map(|(_, genes)| genes),
        false => serde_json::from_slice(&bytes).map_err(|e| format!("not a list of genes: {e}")),
    }
}
