//! `ludex arena export`

use super::Db;
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Export the games of a run for other tools
#[derive(Args)]
#[command(after_help = "Examples:
  ludex arena export first --format csv > first.csv          one line per seat
  ludex arena export first --format jsonl --out first.jsonl  one object per game, with all moves")]
pub(super) struct Export {
    /// The run (default: the newest)
    name: Option<String>,
    #[command(flatten)]
    db: Db,
    /// The format
    #[arg(long, default_value = "csv")]
    format: Format,
    /// Write to this file (default: stdout)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Jsonl,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (store, run) = self.db.open(self.name.as_deref())?;
        let out: Box<dyn Write + Send> = match &self.out {
            Some(file) => {
                let made = std::fs::File::create(file);
                Box::new(made.with_context(|| format!("can't write {}", file.display()))?)
            }
            None => Box::new(std::io::stdout()),
        };
        let out = BufWriter::new(out);
        let games = match self.format {
            Format::Csv => ludex_arena::export::csv(&store, &run, out)?,
            Format::Jsonl => ludex_arena::export::jsonl(&store, &run, out)?,
            #[cfg(feature = "parquet")]
            Format::Parquet => ludex_arena::export::parquet(&store, &run, out)?,
        };
        if let Some(file) = &self.out {
            eprintln!("{games} games written to {}", file.display());
        }
        Ok(())
    }
}
