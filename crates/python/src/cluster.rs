//! Work for many machines: jobs whose numbered units any process can compute, and the leases of a run for a scheduler.
//! The scheduler itself is Python code: `python/ludex/ray.py`.

use crate::contest::{Names, experiment, names};
use crate::error::{LudexError, RefusedError, raise, value};
use crate::game::Game;
use crate::interrupt::interruptible;
use ludex::JobText;
use ludex_arena::job::{AnyJob, compute};
use ludex_arena::runner::{Control, Work};
use ludex_arena::store::{Batch, LEASE, Row, Worker, again};
use ludex_arena::{Digests, Experiment, Plan, Report, Store, StoreError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A tournament as a text for other processes.
#[derive(Serialize, Deserialize)]
struct Spec {
    experiment: Experiment,
    digests: Digests,
}

/// The numbers of some units: ranges without their ends.
type Ranges = Vec<(u64, u64)>;

/// The games of an experiment as numbered units of work.
#[pyclass(frozen, module = "ludex._ludex")]
pub(crate) struct Job {
    experiment: Experiment,
    plan: Arc<Plan>,
    /// Games written in Python, whose exceptions are looked for after each call.
    objects: Vec<Py<Game>>,
}

impl Job {
    fn make(
        py: Python<'_>,
        experiment: Experiment,
        known: &Names,
        objects: Vec<Py<Game>>,
    ) -> PyResult<Self> {
        let plan = py.detach(|| experiment.plan(known).map_err(|e| e.to_string()));
        let plan = Arc::new(plan.map_err(LudexError::new_err)?);
        Ok(Job { experiment, plan, objects })
    }
}

#[pymethods]
impl Job {
    /// The job of an experiment in JSON.
    #[new]
    fn new(
        py: Python<'_>,
        text: &str,
        games: &Bound<'_, PyDict>,
        agents: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let (known, objects) = names(games, agents)?;
        Job::make(py, experiment(text)?, &known, objects)
    }

    /// The job of a text that `spec` gave in another process. Refuses the job if this process would play other games.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        spec: &str,
        games: &Bound<'_, PyDict>,
        agents: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let spec: Spec = serde_json::from_str(spec).map_err(|e| value(e.to_string()))?;
        let (known, objects) = names(games, agents)?;
        let job = Job::make(py, spec.experiment, &known, objects)?;
        job.plan.check(&spec.digests).map_err(RefusedError::new_err)?;
        Ok(job)
    }

    /// The job as a text, with the digests of this program and of the rules.
    #[getter]
    fn spec(&self) -> PyResult<String> {
        let spec = Spec { experiment: self.experiment.clone(), digests: self.plan.digests() };
        serde_json::to_string(&spec).map_err(|e| value(e.to_string()))
    }

    /// The number of games.
    #[getter]
    fn total(&self) -> u64 {
        self.plan.total()
    }

    /// Plays games of a run. With a database, stores them in one transaction; else returns them as a text. Also returns the
    /// number of games, and the wall and processor time in seconds.
    #[pyo3(signature = (ranges, threads, run, db=None))]
    fn play(
        &self,
        py: Python<'_>,
        ranges: Ranges,
        threads: usize,
        run: i64,
        db: Option<&str>,
    ) -> PyResult<(usize, f64, f64, Option<String>)> {
        let (numbers, control) = (numbers(&ranges)?, Control::default());
        let played = interruptible(
            py,
            || control.stop(),
            || {
                let (begun, cpu) = (Instant::now(), processor_seconds());
                let rows =
                    compute(&*self.plan, &numbers, threads, &control).map_err(Failure::Core)?;
                let (wall, cpu) = (begun.elapsed().as_secs_f64(), processor_seconds() - cpu);
                let played = rows.len();
                let rest = keep(run, rows, threads, db)?;
                Ok::<_, Failure>((played, wall, cpu, rest))
            },
        )?;
        self.objects.iter().try_for_each(|game| game.get().check())?;
        played.map_err(|failure| match failure {
            Failure::Core(error) => raise(error),
            Failure::Store(error) => LudexError::new_err(error.to_string()),
        })
    }
}

enum Failure {
    Core(ludex_core::Error),
    Store(StoreError),
}

/// Stores games, or gives them as a text where there is no database.
fn keep(
    run: i64,
    rows: Vec<Row>,
    threads: usize,
    db: Option<&str>,
) -> Result<Option<String>, Failure> {
    let Some(db) = db else {
        let batch = Batch { worker: this_process(threads), rows };
        return Ok(Some(serde_json::to_string(&batch).unwrap_or_default()));
    };
    let connection = connection(db).map_err(Failure::Store)?;
    let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
    let worker = this_process(threads);
    again(|| connection.enrol(&worker)).map_err(Failure::Store)?;
    again(|| connection.add(run, worker.id, &rows)).map_err(Failure::Store)?;
    Ok(None)
}

/// This process as a worker; the same one at every call.
fn this_process(threads: usize) -> Worker {
    static WORKER: OnceLock<Worker> = OnceLock::new();
    WORKER.get_or_init(|| Worker::here(threads, LEASE)).clone()
}

/// The connection of this process to a database, which is opened once. A server that is out of reach is asked again for some
/// seconds.
fn connection(db: &str) -> Result<Arc<Mutex<Store>>, StoreError> {
    static OPEN: Mutex<Option<HashMap<String, Arc<Mutex<Store>>>>> = Mutex::new(None);
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = open.get_or_insert_default();
    if let Some(store) = open.get(db) {
        return Ok(Arc::clone(store));
    }
    let mut pause = Duration::from_millis(100);
    let store = loop {
        match Store::open(db) {
            Err(StoreError::Open { .. }) if pause < Duration::from_secs(20) => {
                std::thread::sleep(pause);
                pause *= 2;
            }
            opened => break Arc::new(Mutex::new(opened?)),
        }
    };
    open.insert(db.into(), Arc::clone(&store));
    Ok(store)
}

/// The processor time of all threads of this process.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The most units of one call.
const MOST: u64 = 1 << 24;

fn numbers(ranges: &Ranges) -> PyResult<Vec<u64>> {
    let size = ranges.iter().map(|&(first, last)| last.saturating_sub(first));
    if size.fold(0, u64::saturating_add) > MOST {
        return Err(value(format!("more than {MOST} units in one call")));
    }
    Ok(ranges.iter().flat_map(|&(first, last)| first..last).collect())
}

/// Numbered units of any job, from the text that another process has made.
#[pyclass(frozen, module = "ludex._ludex")]
pub(crate) struct Units {
    job: Box<dyn AnyJob>,
}

#[pymethods]
impl Units {
    /// Opens a job. Refuses it if this process is another build.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let job: JobText = serde_json::from_str(text).map_err(|e| value(e.to_string()))?;
        Ok(Units { job: job.open().map_err(RefusedError::new_err)? })
    }

    /// The number of units.
    #[getter]
    fn total(&self) -> u64 {
        self.job.total()
    }

    /// Computes units on this number of threads, without the interpreter lock. Returns a JSON text for each, and the wall
    /// and processor time in seconds. Refuses units that would have another result here.
    fn compute(
        &self,
        py: Python<'_>,
        ranges: Ranges,
        threads: usize,
    ) -> PyResult<(Vec<String>, f64, f64)> {
        let (numbers, control) = (numbers(&ranges)?, Control::default());
        let work = || {
            let (begun, cpu) = (Instant::now(), processor_seconds());
            if let Some(reason) = numbers.iter().find_map(|&number| self.job.refuses(number)) {
                return Err(RefusedError::new_err(reason));
            }
            let rows = self.job.compute_json(&numbers, threads, &control).map_err(raise)?;
            Ok((rows, begun.elapsed().as_secs_f64(), processor_seconds() - cpu))
        };
        interruptible(py, || control.stop(), work)?
    }
}

/// Leases the games of a run to a scheduler.
#[pyclass(frozen, module = "ludex._ludex")]
pub(crate) struct Dispatch {
    inner: Mutex<ludex_arena::store::Dispatch>,
}

impl Dispatch {
    fn inner(&self) -> MutexGuard<'_, ludex_arena::store::Dispatch> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(error: StoreError) -> PyErr {
    LudexError::new_err(error.to_string())
}

#[pymethods]
impl Dispatch {
    /// Begins the run of a job, or resumes it.
    #[new]
    fn new(py: Python<'_>, job: &Job, db: &str) -> PyResult<Self> {
        let open =
            || ludex_arena::store::Dispatch::open(db, &job.experiment, Arc::clone(&job.plan));
        Ok(Dispatch { inner: Mutex::new(py.detach(open).map_err(failed)?) })
    }

    /// The number of the run in the database.
    #[getter]
    fn run(&self) -> i64 {
        self.inner().run().id
    }

    /// Can other machines write into the database themselves?
    #[getter]
    fn shared(&self) -> bool {
        self.inner().is_shared()
    }

    /// Leases at most `most` games. Gives the name of the lease and its numbers, the text "wait", or `None` if all games are
    /// played.
    fn claim<'py>(&self, py: Python<'py>, most: u64) -> PyResult<Bound<'py, PyAny>> {
        match py.detach(|| self.inner().claim(most)).map_err(failed)? {
            Work::Play(claim) => {
                let left: Ranges = claim.left.iter().map(|r| (r.start, r.end)).collect();
                Ok((claim.first, left).into_pyobject(py)?.into_any())
            }
            Work::Wait => Ok("wait".into_pyobject(py)?.into_any()),
            Work::Done => Ok(py.None().into_bound(py)),
        }
    }

    /// Ends a lease all of whose games are played. `batch`: the games, where they are not stored yet.
    #[pyo3(signature = (first, batch=None))]
    fn finish(&self, py: Python<'_>, first: u64, batch: Option<&str>) -> PyResult<()> {
        let batch: Option<Batch> = batch
            .map(serde_json::from_str)
            .transpose()
            .map_err(|e| value(format!("not a batch of games: {e}")))?;
        py.detach(|| self.inner().finish(first, batch.as_ref())).map_err(failed)
    }

    /// Renews the leases and applies the stop rules. Gives the state of the run as JSON.
    fn poll(&self, py: Python<'_>) -> PyResult<String> {
        let status = py.detach(|| self.inner().poll()).map_err(failed)?;
        serde_json::to_string(&status).map_err(|e| value(e.to_string()))
    }

    /// The number of stored games.
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        py.detach(|| self.inner().count()).map_err(failed)
    }

    /// The report of the run as JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        let read = || {
            let inner = self.inner();
            let run = inner.store().run(&inner.run().name)?;
            Report::read(inner.store(), &run)
        };
        let report = py.detach(read).map_err(failed)?;
        serde_json::to_string(&report).map_err(|e| value(e.to_string()))
    }

    /// Releases the leases: other processes may play the games that are not finished.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner().close()).map_err(failed)
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Job>()?;
    module.add_class::<Units>()?;
    module.add_class::<Dispatch>()
}
