//! `ludex arena run FILE` and `ludex arena resume RUN`

use super::session::Session;
use super::{Db, print};
use crate::commands::threads;
use crate::error::Failed;
use crate::output;
use crate::place::{Place, PlaceArgs};
use crate::world::Here;
use clap::Args;
use ludex_arena::report::counted;
use ludex_arena::{Experiment, Plan, Report};
use serde_json::json;
use std::path::PathBuf;

/// How a run is played and reported.
#[derive(Args)]
struct Manner {
    #[command(flatten)]
    db: Db,
    /// How many games are played at a time (default: one per core); 0 leaves all games to workers
    #[arg(long, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Replace the number of rounds of the experiment
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// Print one JSON object with the whole report
    #[arg(long)]
    json: bool,
    /// Print no report
    #[arg(long)]
    quiet: bool,
}

/// Play an experiment, or resume its run
#[derive(Args)]
#[command(after_help = "Examples:
  ludex arena run experiments/tour.toml --db games.db
  ludex arena run first.toml --dry-run
  ludex arena run first.toml --db postgres://me@server/games --on workers
  ludex arena run first.toml --db postgres://me@server/games --on ray

Ctrl-C abandons the running games, keeps the finished ones and prints the command that resumes the run; a second Ctrl-C \
ends the program at once.")]
pub(super) struct Run {
    /// The experiment in TOML, or in JSON if the name ends in .json
    file: PathBuf,
    #[command(flatten)]
    manner: Manner,
    /// Check the file and show what would be played
    #[arg(long)]
    dry_run: bool,
}

impl Run {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let file = self.file.display().to_string();
        let text = output::read_file(&self.file, "the experiment")?;
        let mut experiment = Experiment::read(&file, &text)?;
        self.manner.adjust(&mut experiment);
        let plan = experiment.plan(&Here).map_err(|problem| problem.at(&file, &text))?;
        if self.dry_run {
            return describe(&experiment, &plan, self.manner.json);
        }
        self.manner.play(&experiment, &plan)
    }
}

/// Resume a run, or play more rounds of it
#[derive(Args)]
#[command(after_help = "Examples:
  ludex arena resume first --db games.db
  ludex arena resume first --rounds 500")]
pub(super) struct Resume {
    /// The run (default: the newest)
    name: Option<String>,
    #[command(flatten)]
    manner: Manner,
}

impl Resume {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (store, run) = self.manner.db.open(self.name.as_deref())?;
        drop(store);
        let mut experiment: Experiment = serde_json::from_str(&run.config)
            .map_err(|e| anyhow::anyhow!("the experiment of `{}` can't be read: {e}", run.name))?;
        self.manner.adjust(&mut experiment);
        let plan = experiment.plan(&Here)?;
        self.manner.play(&experiment, &plan)
    }
}

impl Manner {
    fn adjust(&self, experiment: &mut Experiment) {
        if let Some(rounds) = self.rounds {
            experiment.rounds = Some(rounds);
            experiment.limit = None;
        }
    }

    fn play(&self, experiment: &Experiment, plan: &Plan) -> anyhow::Result<()> {
        let threads = match (self.threads, self.place.on) {
            (Some(0), _) | (_, Place::Workers) => 0,
            (given, _) => threads(given),
        };
        let session = Session { db: &self.db.db, experiment, plan, threads, place: &self.place };
        let (store, run, finished) = session.play()?;
        if !finished {
            return Err(Failed.into());
        }
        if self.quiet {
            return Ok(());
        }
        let report = Report::read(&store, &run)?;
        if self.json {
            return output::json(&serde_json::to_value(&report)?);
        }
        print::report(&report, false)
    }
}

/// Prints what would be played.
fn describe(experiment: &Experiment, plan: &Plan, as_json: bool) -> anyhow::Result<()> {
    let (names, games) = (plan.names(), plan.games());
    if as_json {
        return output::json(&json!({
            "run": experiment.name, "games": games, "agents": names, "round": plan.round(),
            "total": plan.total(), "experiment": experiment,
        }));
    }
    let total = plan.total();
    let games_text = counted(total, "game");
    output::line(format!("{}: {games_text}, {} per round", experiment.name, plan.round()))?;
    output::line(format!("agents: {}", names.join(", ")))?;
    output::line(format!("games:  {}", games.join(", ")))?;
    if !total.is_multiple_of(plan.round()) {
        let odd = total % plan.round();
        output::line(format!(
            "note:   the last round has {odd} of {} games: seats are not balanced",
            plan.round()
        ))?;
    }
    output::line("first games:")?;
    for number in 0..total.min(6) {
        let fixture = plan.fixture(number);
        let seats: Vec<&str> = fixture.seats.iter().map(|&a| names[a].as_str()).collect();
        let game = &games[fixture.table];
        output::line(format!("{number:>6}  {game}  {}  seed {}", seats.join(" - "), fixture.seed))?;
    }
    Ok(())
}
