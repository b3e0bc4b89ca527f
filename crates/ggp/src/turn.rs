//! One move of a match, shared by two threads: one runs the agent, the other must answer in time.

use ludex_agents::Best;
use ludex_core::Move;
use ludex_core::deadline::Stop;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The state of a move while the agent thinks. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn {
    /// The best move so far.
    pub(crate) best: Best,
    /// Ends the agent's thinking.
    pub(crate) stop: Stop,
    said: Arc<Mutex<Said>>,
}

#[derive(Debug, Default)]
struct Said {
    /// The legal moves in words.
    texts: Vec<(Move, String)>,
    made: Option<Move>,
}

impl Turn {
    fn said(&self) -> std::sync::MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the legal moves with their texts. From now on there is an answer.
    pub(crate) fn offer(&self, texts: Vec<(Move, String)>) {
        if let (Some((first, _)), None) = (texts.first(), self.best.get()) {
            self.best.set(*first);
        }
        self.said().texts = texts;
    }

    /// Is any legal move known?
    pub(crate) fn has_offer(&self) -> bool {
        !self.said().texts.is_empty()
    }

    /// Answers with `mv`, unless the other thread has answered already; returns the move that was made.
    pub(crate) fn make(&self, mv: Move) -> Move {
        *self.said().made.get_or_insert(mv)
    }

    /// The time is up: answers with the text of the best move so far; `None` where no legal move is known.
    pub(crate) fn make_best(&self) -> Option<String> {
        let best = self.best.get();
        let mut said = self.said();
        let legal = |mv: Move| said.texts.iter().find(|(known, _)| *known == mv).cloned();
        let wanted = said.made.or(best).and_then(legal);
        let (mv, text) = wanted.or_else(|| said.texts.first().cloned())?;
        said.made.get_or_insert(mv);
        Some(text)
    }
}

/// How late threads of this machine wake up. An answer goes out so much earlier, to be in time on a busy machine, too.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lateness(Duration);

impl Lateness {
    /// Notes that a thread woke up late by this much. The worst case counts, and fades with each later note.
    pub(crate) fn note(&mut self, late: Duration) {
        self.0 = late.max(self.0 * 15 / 16);
    }

    /// How much earlier to answer.
    pub(crate) fn reserve(self) -> Duration {
        self.0 * 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_counts_and_the_best_one_is_sent() {
        let turn = Turn::default();
        assert_eq!(turn.make_best(), None);
        turn.offer(vec![(Move(1), "a".into()), (Move(2), "b".into())]);
        let other = turn.clone();
        other.best.set(Move(2));
        assert_eq!(turn.make_best().as_deref(), Some("b"));
        assert_eq!(other.make(Move(1)), Move(2), "it is too late for another move");
        // A best move that is not legal is not sent.
        let turn = Turn::default();
        turn.offer(vec![(Move(1), "a".into())]);
        turn.best.set(Move(9));
        assert_eq!(turn.make_best().as_deref(), Some("a"));
    }

    #[test]
    fn lateness_follows_the_worst_and_fades() {
        let mut late = Lateness::default();
        late.note(Duration::from_millis(32));
        late.note(Duration::ZERO);
        assert_eq!(late.reserve(), Duration::from_millis(90));
        (0..200).for_each(|_| late.note(Duration::ZERO));
        assert!(late.reserve() < Duration::from_millis(1));
    }
}
