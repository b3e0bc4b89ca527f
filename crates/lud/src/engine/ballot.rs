//! What players propose, and how they vote.

use super::action::{Action, Kind};
use super::functions::{Bool, Result};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::state::{Layout, State};
use crate::compile::Ludeme;

/// So many words can be told apart.
const MOST_WORDS: usize = 16;

impl Lower<'_> {
    fn ballot_word(&mut self, l: &Ludeme, word: &str) -> Result<u16> {
        match self.vote(word) {
            number if usize::from(number) <= MOST_WORDS => Ok(number),
            _ => Err(unsupported(l)),
        }
    }

    /// `(propose …)` and `(vote …)`, as decisions or not.
    pub(crate) fn ballot(&mut self, l: &Ludeme, propose: bool) -> Result<Generator> {
        let decision = l.signature().keyword == "move";
        let mut words = Vec::new();
        for word in Self::strings(l) {
            words.push(self.ballot_word(l, &word)?);
        }
        Ok(Box::new(move |c, out| {
            let mover = c.state.s.mover;
            for &word in &words {
                let (kind, action) = match propose {
                    true => (Kind::Propose, Action::Propose(word)),
                    false => (Kind::Vote, Action::Vote(mover as u16, word)),
                };
                let kind = if decision { kind } else { Kind::Effect };
                out.push(mover, kind, super::state::OFF, super::state::OFF, action).extra = word;
            }
        }))
    }

    /// `(is Proposed …)` and `(is Decided …)`.
    pub(crate) fn is_ballot(&mut self, l: &Ludeme, proposed: bool) -> Result<Bool> {
        let words = Self::strings(l);
        let [word] = &words[..] else { return Err(unsupported(l)) };
        let word = self.ballot_word(l, word)?;
        Ok(Box::new(move |c| match proposed {
            true => c.state.s.proposed >> (word - 1) & 1 == 1,
            false => c.state.s.decided == word,
        }))
    }
}

/// A player votes. When all have, what more than half voted for is decided, and what was proposed
/// is settled.
pub(crate) fn vote(layout: Layout, s: &mut State, player: u16, word: u16) {
    s.numbers[layout.vote(player.into())] = word.into();
    let players = || (1..=layout.players).filter(|&p| s.s.active >> p & 1 == 1);
    let votes: Vec<i32> = players().map(|p| s.numbers[layout.vote(p)]).collect();
    if votes.contains(&0) {
        return;
    }
    let most = votes.iter().find(|v| votes.iter().filter(|w| w == v).count() * 2 > votes.len());
    s.s.decided = most.map_or(0, |&word| word as u16);
    s.s.proposed = 0;
    (1..=layout.players).for_each(|p| s.numbers[layout.vote(p)] = 0);
}
