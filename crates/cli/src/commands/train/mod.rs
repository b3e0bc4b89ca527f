//! `ludex train`

mod ludo;
mod model;
mod table;

use crate::error::usage;
use clap::{Args, Subcommand};

/// Train a model of games, or learn the value of positions
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Examples:
  ludex train table --out survey --games connect4 'nim(3,4,5)' --sims 200 --rounds 20
  ludex train model --features survey/features.csv --targets survey/agents.csv --out agents.model
  ludex train ludo --games 200000 --out ludo.bin
  ludex train 'ludo(stars=fixed)' --out fixed.bin
  ludex match ludo 'ludo(file=ludo.bin)' ludo-advanced ludo-smart random

The weights of the agent `ludo` come from `ludex train ludo`; docs/ludo.md has the command. The same seed gives the same \
weights on any number of threads. docs/hyper-agents.md explains models of games.")]
pub(crate) struct Train {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    ludo: Option<ludo::Ludo>,
}

#[derive(Subcommand)]
enum What {
    Model(model::Model),
    Table(table::Table),
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.what {
            Some(What::Model(command)) => command.run(),
            Some(What::Table(command)) => command.run(),
            None => match self.ludo {
                Some(command) => command.run(),
                None => Err(usage!("name what to train; `ludex train --help` shows examples")),
            },
        }
    }
}
