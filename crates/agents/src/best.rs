//! The best move so far, for others to see while an agent thinks.
//!
//! A caller that must answer in time gives the agent a [`Best`]: the agent publishes its choice as soon as it has
//! any, and again whenever it knows better. Like a [deadline](ludex_core::deadline) it belongs to the thread that thinks,
//! so that no agent needs to hand it on; agents that ask other agents about *other* positions [hide] it from them.

use ludex_core::Move;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    static CURRENT: RefCell<Option<Best>> = const { RefCell::new(None) };
}

/// The best move so far; copies are the same one.
#[derive(Debug, Clone, Default)]
pub struct Best(Arc<Mutex<Option<Move>>>);

impl Best {
    /// The last move published.
    pub fn get(&self) -> Option<Move> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A better move is known.
    pub fn set(&self, mv: Move) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(mv);
    }

    /// Until the guard is dropped, moves that this thread [publishes](publish) go here.
    pub fn enter(&self) -> Shown {
        Shown { before: CURRENT.replace(Some(self.clone())) }
    }

    /// Where this thread publishes to, for a thread that works for it.
    pub fn current() -> Option<Best> {
        CURRENT.with_borrow(Clone::clone)
    }
}

/// Until the guard is dropped, nothing that this thread publishes is seen.
pub fn hide() -> Shown {
    Shown { before: CURRENT.take() }
}

/// Publishes `mv` as the best move so far, for a thread that waits for this thread's choice.
pub fn publish(mv: Move) {
    CURRENT.with_borrow(|best| best.iter().for_each(|best| best.set(mv)));
}

/// Restores the state before it.
#[must_use = "it ends with the guard"]
#[derive(Debug)]
pub struct Shown {
    before: Option<Best>,
}

impl Drop for Shown {
    fn drop(&mut self) {
        CURRENT.set(self.before.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_published_is_seen_unless_it_is_hidden() {
        let best = Best::default();
        publish(Move(1));
        assert_eq!(best.get(), None, "nobody listens yet");
        let shown = best.enter();
        publish(Move(2));
        {
            let _hidden = hide();
            publish(Move(3));
        }
        assert_eq!(best.get(), Some(Move(2)));
        publish(Move(4));
        drop(shown);
        publish(Move(5));
        assert_eq!(best.get(), Some(Move(4)));
    }
}
