//! `ludex arena ...`: tournaments and experiments that survive a kill of the process.

mod export;
mod games_page;
mod plot;
pub(crate) mod print;
mod report;
mod run;
pub(crate) mod session;
mod status;

use clap::{Args, Subcommand};

/// Run tournaments and experiments from files, resume them, report on them
#[derive(Args)]
#[command(after_help = "Examples:
  ludex arena run experiments/tour.toml --db games.db
  ludex arena resume first --db games.db
  ludex arena resume first --rounds 500         more games of the same run
  ludex arena status --db games.db
  ludex arena report first --html first.html
  ludex arena export first --format csv > first.csv
  ludex arena plot first --out figures

A run that was killed is resumed where it stopped; a finished game is never lost and never played again. docs/arena.md \
explains the experiment file.")]
pub(crate) struct Arena {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Resume(run::Resume),
    Status(status::Status),
    Report(report::Report),
    Export(export::Export),
    Plot(plot::Plot),
}

impl Arena {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Run(command) => command.run(),
            Command::Resume(command) => command.run(),
            Command::Status(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Plot(command) => command.run(),
        }
    }
}

/// The database of a command.
#[derive(Args, Clone)]
pub(crate) struct Db {
    /// The database: a file, or postgres://USER@HOST/NAME
    #[arg(long, default_value = "ludex.db", value_name = "FILE|URL")]
    pub(crate) db: String,
}

impl Db {
    /// Opens the database; a missing file is not created.
    pub(crate) fn existing(&self) -> anyhow::Result<ludex_arena::Store> {
        if !self.db.contains("://") && !std::path::Path::new(&self.db).exists() {
            anyhow::bail!("there is no database `{}`; --db names another", self.db);
        }
        Ok(ludex_arena::Store::open(&self.db)?)
    }

    /// A run of the database: by name, or the newest.
    pub(crate) fn open(
        &self,
        name: Option<&str>,
    ) -> anyhow::Result<(ludex_arena::Store, ludex_arena::Run)> {
        let store = self.existing()?;
        let run = match name {
            Some(name) => store.run(name)?,
            None => {
                let newest = store.runs()?.into_iter().next();
                newest.ok_or_else(|| anyhow::anyhow!("`{}` holds no run yet", self.db))?
            }
        };
        Ok((store, run))
    }
}
