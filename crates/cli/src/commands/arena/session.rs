//! One sitting of a run: threads that play, a bar that tells, rules that stop, Ctrl-C.

use crate::{output, stop};
use indicatif::ProgressBar;
use ludex_arena::monitor::Monitor;
use ludex_arena::runner::{Control, Progress, Runner};
use ludex_arena::store::{LEASE, StoreQueue, Worker, again, hide_password};
use ludex_arena::{Experiment, Plan, Run, Store, StoreError};
use ludex_stats::Standing;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is to be played, and where it is kept.
pub(crate) struct Session<'a> {
    /// The database.
    pub(crate) db: &'a str,
    /// The experiment.
    pub(crate) experiment: &'a Experiment,
    /// Its games.
    pub(crate) plan: &'a Plan,
    /// Games at a time; 0 only watches over workers.
    pub(crate) threads: usize,
}

impl Session<'_> {
    /// Plays to the end or to Ctrl-C; `false`: there is more to play.
    pub(crate) fn play(&self) -> anyhow::Result<(Store, Run, bool)> {
        let store = Store::open(self.db)?;
        let run = store.start_or_resume(self.experiment, self.plan)?;
        let eyes = Store::open(self.db)?;
        let mut follower = Monitor::new(self.plan);
        // A run that its rules stop with what it has must not play one game more.
        let run = self.look(&eyes, &mut follower, run)?;
        let control = stop::control();
        let progress = Progress::new(self.plan);
        let runner = Runner::new(self.plan, self.threads, &progress, control);
        let worker = store.register(self.threads, LEASE)?;
        store.free_dead_leases(&worker)?;
        let desk = Seat::new(store, &run, worker, self.threads);
        let bar = output::progress(run.total, "games");
        bar.set_position(follower.next());
        bar.reset_eta();
        let over = AtomicBool::new(false);
        let watched = self.plan.setup.stop.is_some() || !bar.is_hidden();
        let (played, looked) = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut run = run.clone();
                while !over.load(Ordering::Relaxed) {
                    std::thread::park_timeout(Duration::from_millis(400));
                    if watched && run.verdict.is_none() {
                        run = self.look(&eyes, &mut follower, run)?;
                        show(&bar, self.plan, &follower, &run);
                    }
                }
                anyhow::Ok(())
            });
            let played = match &desk {
                Seat::Watching(store) => wait_for_workers(store, &run, control),
                Seat::Playing(queue) => runner.play(queue),
            };
            over.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            let looked = watcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (played, looked)
        });
        bar.finish_and_clear();
        let store = match desk {
            Seat::Watching(store) => store,
            Seat::Playing(desk) => desk.close()?,
        };
        played?;
        looked?;
        let run = store.run(&run.name)?;
        // The last rounds may bring the verdict.
        let mut follower = Monitor::new(self.plan);
        let run = if self.plan.setup.stop.is_some() {
            self.look(&store, &mut follower, run)?
        } else {
            run
        };
        let stored = store.count(&run)?;
        let finished = stored >= run.total;
        if !finished {
            let db = hide_password(self.db);
            eprintln!("stopped after {stored} of {} games; go on with:", run.total);
            eprintln!("  ludex arena resume {} --db {db}", run.name);
        }
        Ok((store, run, finished))
    }

    /// Reads on, and stops the run where its rules say so.
    fn look(&self, eyes: &Store, follower: &mut Monitor, run: Run) -> anyhow::Result<Run> {
        if run.verdict.is_some() {
            return Ok(run);
        }
        match follower.read(eyes, &run, self.plan)? {
            Some(verdict) => {
                eyes.stop_run(&run, follower.next(), &verdict)?;
                Ok(eyes.run(&run.name)?)
            }
            None => Ok(run),
        }
    }
}

/// Does this process play, or only watch over workers?
enum Seat {
    Playing(StoreQueue),
    Watching(Store),
}

impl Seat {
    fn new(store: Store, run: &Run, worker: Worker, threads: usize) -> Self {
        match threads {
            0 => Seat::Watching(store),
            _ => Seat::Playing(StoreQueue::open(store, run, worker)),
        }
    }
}

/// Waits while others play.
fn wait_for_workers(store: &Store, run: &Run, control: &Control) -> Result<(), StoreError> {
    while !control.stopped() {
        let run = again(|| store.run(&run.name))?;
        if run.next >= run.total && !again(|| store.leased(&run))? {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

/// The bar with the three best so far.
fn show(bar: &ProgressBar, plan: &Plan, follower: &Monitor, run: &Run) {
    bar.set_length(run.total);
    bar.set_position(follower.next());
    let standings = follower.tally().standings();
    let names = plan.names();
    let mut best: Vec<(&String, &Standing)> = names.iter().zip(&standings).collect();
    best.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
    let text: Vec<String> =
        best.iter().take(3).map(|(name, s)| format!("{name} {:.3}", s.score)).collect();
    bar.set_message(text.join(", "));
}
