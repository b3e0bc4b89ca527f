//! The state of the server: games, tables, limits.

use crate::Settings;
use crate::atlas::Atlas;
use crate::drafts::Drafts;
use crate::error::{Error, Result};
use crate::runs::Runs;
use crate::shelf::Shelf;
use crate::table::Table;
use crate::wire::TableKeys;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// The limits of a server.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Threads that search at the same time.
    pub searches: usize,
    /// The most tables that are open at once.
    pub tables: usize,
    /// Open pages.
    pub pages: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, |n| n.get());
        Limits { searches: cores.max(2) + 1, tables: 512, pages: 512 }
    }
}

/// Requests of a kind that are worked on at the same time. Rules may take long to load, so pictures and new games must not keep
/// moves waiting.
const PICTURES: usize = 2;
const LOADS: usize = 4;
const MOVES: usize = 32;
/// A table without a page is forgotten after this time.
const FORGET: Duration = Duration::from_secs(4 * 3600);

pub(crate) struct Studio {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) runs: Arc<Runs>,
    pub(crate) atlas: Arc<Atlas>,
    pub(crate) searches: Arc<Semaphore>,
    pub(crate) pictures: Arc<Semaphore>,
    pub(crate) loads: Arc<Semaphore>,
    pub(crate) moves: Arc<Semaphore>,
    pub(crate) pages: Arc<Semaphore>,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    limits: Limits,
    /// A folder with the files of the page, for work on the page.
    pub(crate) page: Option<PathBuf>,
}

impl Studio {
    pub(crate) fn new(settings: Settings) -> Arc<Studio> {
        let Settings { db, limits, page, drafts, .. } = settings;
        Arc::new(Studio {
            page,
            shelf: Arc::new(Shelf::new(Drafts::new(drafts))),
            runs: Arc::new(Runs::new(db)),
            atlas: Arc::default(),
            searches: Arc::new(Semaphore::new(limits.searches)),
            pictures: Arc::new(Semaphore::new(PICTURES)),
            loads: Arc::new(Semaphore::new(LOADS)),
            moves: Arc::new(Semaphore::new(MOVES)),
            pages: Arc::new(Semaphore::new(limits.pages)),
            tables: Mutex::default(),
            limits,
        })
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A table by its name.
    ///
    /// # Errors
    /// There is no such table.
    pub(crate) fn table(&self, id: &str) -> Result<Arc<Table>> {
        let found = self.tables().get(id).cloned();
        found.ok_or_else(|| Error::Missing("this table is gone; start a new game".into()))
    }

    /// Adds a table. Where there are too many, the one that was left longest ago goes.
    ///
    /// # Errors
    /// All tables are in use.
    pub(crate) fn seat(&self, table: Arc<Table>) -> Result<TableKeys> {
        let mut tables = self.tables();
        if tables.len() >= self.limits.tables {
            let oldest = tables.values().max_by_key(|table| table.age()).cloned();
            let Some(oldest) = oldest.filter(|table| !table.age().is_zero()) else {
                return Err(Error::Busy("all tables are in use".into()));
            };
            oldest.interrupt(&mut oldest.lock_idle());
            tables.remove(&oldest.id);
        }
        let keys = TableKeys { table: table.id.clone(), keys: table.keys() };
        tables.insert(table.id.clone(), table);
        Ok(keys)
    }

    /// Ends thoughts at tables that no page shows, and forgets old tables.
    pub(crate) fn tidy(&self) {
        let mut tables = self.tables();
        tables.retain(|_, table| table.age() < FORGET);
        for table in tables.values() {
            let mut inner = table.lock_idle();
            if inner.driving && table.is_idle(&inner) {
                table.interrupt(&mut inner);
            }
        }
    }
}
