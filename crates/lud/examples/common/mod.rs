//! Work over a whole library of descriptions: in parallel, and one that hangs or dies is only one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// What came of a case.
pub(crate) enum Outcome {
    /// All is as it should be.
    Good,
    /// It does not load: what is said.
    Refused(String),
    /// It loads and something is wrong.
    Bad(String),
}

/// What came of all cases.
pub(crate) struct Outcomes {
    /// So many are as they should be.
    pub good: usize,
    /// Names, and what is wrong.
    pub bad: Vec<String>,
    /// Names by what is said of them, the most frequent first.
    pub refused: Vec<(String, Vec<String>)>,
}

/// Works on every case, by name, on all cores; one that takes longer than `limit` is bad.
pub(crate) fn each<C: Send + Sync + 'static>(
    cases: Vec<(String, C)>,
    limit: Duration,
    work: impl Fn(&C) -> Outcome + Send + Sync + 'static,
) -> Outcomes {
    let (cases, work) = (Arc::new(cases), Arc::new(work));
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<String, Outcome>> = Mutex::default();
    let one = |number: usize| {
        let (send, receive) = mpsc::channel();
        let (all, work) = (cases.clone(), work.clone());
        let job = move || drop(send.send(work(&all[number].1)));
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(job);
        let waited = thread.map(|_| receive.recv_timeout(limit));
        match waited {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(mpsc::RecvTimeoutError::Timeout)) => {
                Outcome::Bad(format!("takes longer than {} s", limit.as_secs()))
            }
            Ok(Err(mpsc::RecvTimeoutError::Disconnected)) => Outcome::Bad("panics".into()),
            Err(error) => Outcome::Bad(error.to_string()),
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, _)) = cases.get(number) else { break };
                    let outcome = one(number);
                    if let Ok(mut results) = results.lock() {
                        results.insert(name.clone(), outcome);
                    }
                }
            });
        }
    });
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut good, mut bad) = (0, Vec::new());
    for (name, outcome) in results.into_inner().unwrap_or_default() {
        match outcome {
            Outcome::Good => good += 1,
            Outcome::Bad(what) => bad.push(format!("{name}: {what}")),
            Outcome::Refused(what) => refused.entry(what).or_default().push(name),
        }
    }
    let mut refused: Vec<_> = refused.into_iter().collect();
    refused.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    Outcomes { good, bad, refused }
}

impl Outcomes {
    /// Prints the bad ones, and how often what is said.
    pub(crate) fn print(&self) {
        self.bad.iter().for_each(|line| println!("  {line}"));
        for (message, names) in &self.refused {
            let some: Vec<&str> =
                names.iter().take(40).map(|name| name.rsplit('/').next().unwrap_or(name)).collect();
            println!("{:4} {message} ({})", names.len(), some.join(", "));
        }
    }
}
