//! `ludex ggp-player`

use super::{SeedArgs, agent, duration};
use crate::output;
use anyhow::Context;
use clap::Args;
use ludex_ggp::{Config, Player, serve};
use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

/// Play matches of a GGP host over HTTP
#[derive(Args)]
#[command(after_help = "Examples:
  ludex ggp-player --port 9147
  ludex ggp-player --port 9147 --agent 'uct(c=0.5)' --name Ludex
  ludex ggp-player --port 0 --once            any free port; ends with its first match

The first line on stdout is `listening on HOST:PORT`; messages go to stderr. docs/ggp.md explains more.")]
pub(crate) struct GgpPlayer {
    /// The port; 0 chooses a free one
    #[arg(long)]
    port: u16,
    /// The address to listen on; 0.0.0.0 is open to the network
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The agent (default: the usual agent of each game); the usual agent also plays the games that this one can't
    #[arg(long)]
    agent: Option<String>,
    /// The name that the player tells the host
    #[arg(long, default_value = "ludex")]
    name: String,
    /// How long before the end of its time the player answers, at most half of the time
    #[arg(long, default_value = "500ms", value_parser = duration)]
    margin: Duration,
    #[command(flatten)]
    seed: SeedArgs,
    /// End after the first match
    #[arg(long)]
    once: bool,
}

impl GgpPlayer {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let agent = self.agent.as_deref().map(agent).transpose()?;
        let log = Arc::new(|text: &str| {
            // A closed stderr is no reason to stop playing.
            let _ = writeln!(std::io::stderr(), "{}", text.replace('\n', " "));
        });
        let listener = TcpListener::bind((self.host.as_str(), self.port))
            .with_context(|| format!("can't listen on {}:{}", self.host, self.port))?;
        output::line(format!("listening on {}", listener.local_addr()?))?;
        std::io::stdout().flush()?;
        let (margin, seed) = (self.margin, self.seed.get());
        let player = Player::new(Config { name: self.name, agent, maker: None, margin, seed, log });
        serve(&listener, &Arc::new(player), self.once)?;
        Ok(())
    }
}
