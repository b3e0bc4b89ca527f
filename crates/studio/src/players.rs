//! The agents that a page may name. Names with a file as a parameter are refused: a page must not read files.

use crate::error::{Error, Result};
use crate::shelf::params;
use crate::wire::AgentInfo;
use ludex_agents::{AgentSpec, Budget, catalog};
use ludex_core::{Info, Spec};
use std::time::Duration;

/// The longest time for one move.
pub(crate) const LONGEST: Duration = Duration::from_secs(120);

/// The most memory of a search tree, in MiB.
const MOST_MEMORY: u64 = 1024;

/// Parameters whose value is a file.
const FILES: [&str; 2] = ["file", "model"];

/// The agents that a page may name.
pub(crate) fn list() -> Vec<AgentInfo> {
    let agents = catalog().iter().filter(|entry| entry.name != "human" && entry.stands_alone());
    agents
        .map(|entry| {
            let mut params = params(&entry.params());
            params.retain(|param| !FILES.contains(&param.key.as_str()));
            AgentInfo {
                name: entry.name.into(),
                summary: entry.summary.into(),
                plays: entry.needs.to_string(),
                params,
            }
        })
        .collect()
}

/// The agents that can play such a game, the default first.
pub(crate) fn able(info: &Info) -> (Vec<String>, String) {
    let usual = ludex_agents::usual(info);
    let able = ludex_agents::supporting(info).into_iter().filter(|name| *name != "human");
    (able.map(str::to_string).collect(), usual.into())
}

/// Reads the name of an agent for a game. An agent without a budget thinks for a second.
///
/// # Errors
/// An unknown name, a name that needs a file, or an agent that cannot play the game.
pub(crate) fn read(name: &str, info: &Info) -> Result<AgentSpec> {
    let agent = AgentSpec::read(&check(name)?)?;
    agent.supports(info)?;
    let budget = limited(agent.budget());
    Ok(agent.with_budget(budget))
}

/// Parses the name of an agent that a page may use.
///
/// # Errors
/// A name that is too long, or that needs a file.
pub(crate) fn check(name: &str) -> Result<Spec> {
    if name.len() > 500 {
        return Err(Error::Bad("the name of the agent is too long".into()));
    }
    let spec: Spec = name.parse()?;
    refuse_files(&spec)?;
    Ok(spec)
}

/// A budget with a limit on time.
fn limited(budget: &Budget) -> Budget {
    let usual = if budget.is_empty() { Budget::DEFAULT_TIME } else { LONGEST };
    Budget { time: Some(budget.time.unwrap_or(usual).min(LONGEST)), ..budget.clone() }
}

fn refuse_files(spec: &Spec) -> Result<()> {
    if spec.name == "human" {
        return Err(Error::Bad("`human` is a person, not an agent".into()));
    }
    for arg in &spec.args {
        if arg.key.as_deref().is_some_and(|key| FILES.contains(&key)) && arg.value.name != "usual" {
            return Err(Error::Forbidden("an agent of the studio cannot read a file".into()));
        }
        if arg.key.as_deref() == Some("memory")
            && arg.value.name.parse::<u64>().is_ok_and(|size| size > MOST_MEMORY)
        {
            return Err(Error::Bad(format!("an agent may use {MOST_MEMORY} MiB at most")));
        }
        refuse_files(&arg.value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Game;

    #[test]
    fn agents_that_would_read_a_file_or_the_terminal_are_refused() {
        let game = ludex_library::open("tictactoe").unwrap();
        let read = |name: &str| read(name, game.info());
        assert!(read("uct(c=1.4)@sims=50").is_ok());
        for name in [
            "human",
            "portfolio(model=/etc/passwd)",
            "ensemble(uct,portfolio(model=x))",
            "ludo-full(file=/etc/passwd)",
            "exec:ls",
        ] {
            assert!(read(name).is_err(), "{name}");
        }
    }

    #[test]
    fn every_budget_has_a_limit_on_time() {
        let game = ludex_library::open("tictactoe").unwrap();
        let time = |name: &str| read(name, game.info()).unwrap().budget().time.unwrap();
        assert_eq!(time("uct"), Duration::from_secs(1));
        assert_eq!(time("uct@sims=5"), LONGEST);
        assert_eq!(time("uct@time=10m"), LONGEST);
        assert!(!list().is_empty());
    }
}
