//! Plays a run in this process: threads that play, a progress bar, stop rules, Ctrl-C.

use crate::place::{Place, PlaceArgs};
use crate::{output, stop};
use indicatif::ProgressBar;
use ludex_arena::monitor::Monitor;
use ludex_arena::report::counted;
use ludex_arena::runner::{Control, Progress, Runner};
use ludex_arena::store::{LEASE, again, hide_password, play_stored};
use ludex_arena::{Experiment, Plan, Run, Store, StoreError};
use ludex_stats::Standing;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The experiment that is played, and the database that keeps its games.
pub(crate) struct Session<'a> {
    /// The database.
    pub(crate) db: &'a str,
    /// The experiment.
    pub(crate) experiment: &'a Experiment,
    /// The schedule of the experiment.
    pub(crate) plan: &'a Plan,
    /// How many games are played at a time; 0 leaves all games to workers.
    pub(crate) threads: usize,
    /// Where the games are played.
    pub(crate) place: &'a PlaceArgs,
}

/// How often the monitor reads new results.
const POLL: Duration = Duration::from_millis(400);

impl Session<'_> {
    /// Plays the run to its end, or until Ctrl-C. Returns `false` where games are left to play.
    pub(crate) fn play(&self) -> anyhow::Result<(Store, Run, bool)> {
        let store = Store::open(self.db)?;
        let before = store.run(&self.experiment.name).ok().and_then(|run| run.build);
        let run = store.start_or_resume(self.experiment, self.plan)?;
        if let (Some(before), Some(now)) = (before, &run.build)
            && before != *now
        {
            eprintln!(
                "note: the games so far were played by build {before}, the next ones by build {now}"
            );
        }
        // A run that its stop rules end now must not play another game.
        let mut monitor = Monitor::new(self.plan);
        let run = self.apply_stop_rules(&store, &mut monitor, run)?;
        let store = self.play_watched(store, &run, monitor)?;
        let run = store.run(&run.name)?;
        // The last rounds may bring the verdict.
        let run = match self.plan.setup.stop {
            Some(_) => self.apply_stop_rules(&store, &mut Monitor::new(self.plan), run)?,
            None => run,
        };
        let stored = store.count(&run)?;
        let finished = stored >= run.total;
        if !finished {
            let (db, total) = (hide_password(self.db), counted(run.total, "game"));
            eprintln!("stopped after {stored} of {total}; resume with:");
            eprintln!("  ludex arena resume {} --db {db}", run.name);
        }
        Ok((store, run, finished))
    }

    /// Plays while a second thread, with a connection of its own, applies the stop rules and shows the progress.
    fn play_watched(&self, store: Store, run: &Run, mut monitor: Monitor) -> anyhow::Result<Store> {
        let reader = Store::open(self.db)?;
        let bar = output::progress(run.total, "games");
        bar.set_position(monitor.next());
        bar.reset_eta();
        let over = AtomicBool::new(false);
        let watched = self.plan.setup.stop.is_some() || !bar.is_hidden();
        let (played, monitored) = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut run = run.clone();
                while !over.load(Ordering::Relaxed) {
                    std::thread::park_timeout(POLL);
                    if watched && run.verdict.is_none() {
                        run = self.apply_stop_rules(&reader, &mut monitor, run)?;
                        show(&bar, self.plan, &monitor, &run);
                    }
                }
                anyhow::Ok(())
            });
            let played = self.play_games(store, run);
            over.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            let watched = watcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (played, watched)
        });
        bar.finish_and_clear();
        let store = played?;
        monitored?;
        Ok(store)
    }

    /// Plays in this process or on a cluster, or waits for workers.
    fn play_games(&self, store: Store, run: &Run) -> anyhow::Result<Store> {
        if self.place.on == Place::Ray {
            self.place.play_on_ray(self.experiment, self.db)?;
            return Ok(store);
        }
        let control = stop::control();
        let worker = store.register(self.threads, LEASE)?;
        if self.threads == 0 {
            store.free_dead_leases(&worker)?;
            wait_for_workers(&store, run, control)?;
            return Ok(store);
        }
        let progress = Progress::new(self.plan);
        let runner = Runner::new(self.plan, self.threads, &progress, control);
        Ok(play_stored(store, run, &worker, &runner)?)
    }

    /// Reads new results, and ends the run where a stop rule says so.
    fn apply_stop_rules(
        &self,
        store: &Store,
        monitor: &mut Monitor,
        run: Run,
    ) -> anyhow::Result<Run> {
        if run.verdict.is_some() {
            return Ok(run);
        }
        match again(|| monitor.read(store, &run, self.plan))? {
            Some(verdict) => {
                again(|| store.stop_run(&run, monitor.next(), &verdict))?;
                Ok(again(|| store.run(&run.name))?)
            }
            None => Ok(run),
        }
    }
}

/// Waits while workers play.
pub(crate) fn wait_for_workers(
    store: &Store,
    run: &Run,
    control: &Control,
) -> Result<(), StoreError> {
    while !control.stopped() {
        let run = again(|| store.run(&run.name))?;
        if run.next >= run.total && !again(|| store.leased(&run))? {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

/// Updates the bar, with the three best agents so far.
fn show(bar: &ProgressBar, plan: &Plan, monitor: &Monitor, run: &Run) {
    bar.set_length(run.total);
    bar.set_position(monitor.next());
    let standings = monitor.tally().standings();
    let names = plan.names();
    let mut best: Vec<(&String, &Standing)> = names.iter().zip(&standings).collect();
    best.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
    let text: Vec<String> =
        best.iter().take(3).map(|(name, s)| format!("{name} {:.3}", s.score)).collect();
    bar.set_message(text.join(", "));
}
