//! Ids that differ between processes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// An id that no other process makes: a hash of time, process and a counter.
pub(crate) fn unique() -> i64 {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    let here = u64::from(std::process::id()) << 32 | COUNTER.fetch_add(1, Ordering::Relaxed);
    (ludex_core::random::mix(time ^ ludex_core::random::mix(here)) >> 1) as i64
}
