//! How long an engine may think about an answer.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A point in time after which an engine stops thinking; it is set from outside, and the engine
/// looks at it in its inner loops. Once it is [`lost`](Patience::lost), answers are meaningless.
#[derive(Debug, Default)]
pub struct Patience {
    /// Nanoseconds after the epoch of this process; 0: for ever.
    end: AtomicU64,
    lost: AtomicBool,
}

fn since_epoch(at: Instant) -> u64 {
    static EPOCH: OnceLock<Instant> = OnceLock::new();
    let epoch = *EPOCH.get_or_init(|| Instant::now() - Duration::from_secs(1));
    u64::try_from(at.saturating_duration_since(epoch).as_nanos()).unwrap_or(u64::MAX).max(1)
}

impl Patience {
    /// Begins anew: until then, or for ever.
    pub fn until(&self, end: Option<Instant>) {
        self.end.store(end.map_or(0, since_epoch), Ordering::Relaxed);
        self.lost.store(false, Ordering::Relaxed);
    }

    /// Was an answer given up since the last [`Patience::until`]?
    pub fn lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Looks at the clock; true if it is time to give up.
    pub fn check(&self) -> bool {
        let end = self.end.load(Ordering::Relaxed);
        if end != 0 && since_epoch(Instant::now()) > end {
            self.lost.store(true, Ordering::Relaxed);
        }
        self.lost()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_lost_after_its_end_and_not_before() {
        let patience = Patience::default();
        assert!(!patience.check());
        patience.until(Some(Instant::now() + Duration::from_secs(3600)));
        assert!(!patience.check());
        patience.until(Some(Instant::now() - Duration::from_millis(1)));
        assert!(patience.check() && patience.lost());
        patience.until(None);
        assert!(!patience.check() && !patience.lost());
    }
}
