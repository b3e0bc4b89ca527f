//! Where the arena looks up names: all rule languages, all agents, bots and network players.

use ludex_agents::AgentSpec;
use ludex_arena::bot::{Engine, Exec};
use ludex_arena::{Contender, World};
use ludex_core::{AnyGame, Result, Spec};
use ludex_ggp::NetworkPlayer;
use std::sync::Arc;

/// The games and agents that this program knows.
#[derive(Debug, Clone, Copy)]
pub struct Here;

impl World for Here {
    fn game(&self, name: &str) -> Result<AnyGame> {
        ludex_library::open(name)
    }

    fn agent(&self, name: &str) -> Result<Arc<dyn Contender>> {
        Ok(if name.starts_with("exec:") {
            Arc::new(name.parse::<Exec>()?)
        } else if Engine::is_named(name) {
            Arc::new(name.parse::<Engine>()?)
        } else if name.starts_with("ggp:") {
            Arc::new(NetworkPlayer::read(name, kif_of)?)
        } else {
            Arc::new(name.parse::<AgentSpec>()?)
        })
    }

    fn build(&self) -> String {
        env!("LUDEX_BUILD").into()
    }
}

/// The rule sheet of a game in GDL.
fn kif_of(name: &str) -> Result<String> {
    let spec: Spec = name.parse()?;
    match spec.name.starts_with("kif:") {
        true => Ok(ludex_library::find_variant(&spec)?.text),
        false => Err(ludex_core::Error::Unsupported(format!("{name} has no rule sheet"))),
    }
}
