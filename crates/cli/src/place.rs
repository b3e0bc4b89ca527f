//! Where games are played: in threads of this process, by `ludex worker`, or on a Ray cluster.

use crate::job::JobText;
use anyhow::Context;
use clap::{Args, ValueEnum};
use ludex_arena::Experiment;
use serde::Deserialize;
use std::io::Write;
use std::process::{Command, Stdio};

/// Where games are played.
#[derive(Args, Clone, Default)]
pub(crate) struct PlaceArgs {
    /// Where the games are played
    #[arg(long, value_enum, default_value_t = Place::Threads)]
    pub(crate) on: Place,
    /// The Ray cluster, such as 10.0.0.1:6379 (default: RAY_ADDRESS, or the cluster of this machine)
    #[arg(long, value_name = "ADDRESS")]
    ray_address: Option<String>,
    /// The CPUs of a task on the Ray cluster; it plays as many games at a time
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    cpus_per_task: u16,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Place {
    /// Threads of this process
    #[default]
    Threads,
    /// Processes `ludex worker` that share the database
    Workers,
    /// A Ray cluster; needs the Python package with `pip install 'ludex[ray]'`
    Ray,
}

impl PlaceArgs {
    /// Plays the games of an experiment that are not stored yet on a Ray cluster, by the Python package.
    pub(crate) fn play_on_ray(&self, experiment: &Experiment, db: &str) -> anyhow::Result<()> {
        let text = serde_json::to_string(experiment)?;
        self.call_package(&["run", "-", "--db", db], &text, |_| Ok(()))
    }

    /// Computes the units of a job on a Ray cluster. `told` gets the number and the row of each, as they come.
    pub(crate) fn compute_on_ray(
        &self,
        job: &JobText,
        mut told: impl FnMut(u64, serde_json::Value) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        #[derive(Deserialize)]
        struct Unit {
            number: u64,
            row: serde_json::Value,
        }
        self.call_package(&["units"], &serde_json::to_string(job)?, |line| {
            let unit: Unit = serde_json::from_str(line)
                .with_context(|| format!("a line of the package: {line}"))?;
            told(unit.number, unit.row)
        })
    }

    /// Calls the Python package with an input. `told` gets the lines that it prints.
    fn call_package(
        &self,
        arguments: &[&str],
        input: &str,
        mut told: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        // Ctrl-C also reaches the package, which finishes its batches. This process waits for that.
        let _ = ctrlc::set_handler(|| {});
        // The package itself says which Python runs it.
        let python = std::env::var("LUDEX_PYTHON").unwrap_or_else(|_| "python3".into());
        let mut command = Command::new(&python);
        command.args(["-m", "ludex.ray"]).args(arguments);
        command.args(["--cpus-per-task", &self.cpus_per_task.to_string()]);
        if let Some(address) = &self.ray_address {
            command.args(["--address", address]);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {python}; LUDEX_PYTHON names another"))?;
        if let Some(mut pipe) = child.stdin.take() {
            // A package that does not read its input reports the reason itself.
            let _ = pipe.write_all(input.as_bytes());
        }
        let output = child.stdout.take().map(std::io::BufReader::new);
        for line in output.into_iter().flat_map(std::io::BufRead::lines) {
            told(&line?)?;
        }
        match child.wait()?.success() {
            true => Ok(()),
            false => anyhow::bail!(
                "the games could not be played on Ray; finished games are kept, and the same command resumes"
            ),
        }
    }
}
