//! The words for a network's fluents, moves and percepts, both ways.

use rustc_hash::FxHashMap;

use crate::engines::reasoner::{State, normal_text};
use crate::net::propnet::Propnet;

/// Fluents and moves by their terms.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    words: usize,
    fluents: FxHashMap<String, u32>,
    /// By role and term.
    moves: FxHashMap<(u32, String), u32>,
}

impl Names {
    /// The names of a network.
    pub(crate) fn new(propnet: &Propnet) -> Names {
        let fluents = propnet.bases.iter().map(|text| normal_text(text)).zip(0..).collect();
        let moves = propnet.moves.iter().map(|m| (m.role, normal_text(&m.text))).zip(0..).collect();
        Names { words: propnet.bases.len().div_ceil(64), fluents, moves }
    }

    /// The state in which exactly these facts hold; an unknown one is given back as the error.
    pub(crate) fn state_of(&self, facts: &[String]) -> Result<State, String> {
        let mut words = vec![0u64; self.words];
        for fact in facts {
            let &i = self.fluents.get(&normal_text(fact)).ok_or_else(|| fact.clone())?;
            words[i as usize / 64] |= 1 << (i % 64);
        }
        Ok(words)
    }

    /// The role's move with this term.
    pub(crate) fn find_move(&self, role: usize, text: &str) -> Option<u32> {
        self.moves.get(&(role as u32, normal_text(text))).copied()
    }
}

impl Propnet {
    /// The first state, one bit a fluent.
    pub(crate) fn start(&self) -> State {
        let mut words = vec![0u64; self.init.len().div_ceil(64)];
        for (i, &holds) in self.init.iter().enumerate() {
            words[i / 64] |= u64::from(holds) << (i % 64);
        }
        words
    }

    /// The terms of the facts that hold in a state.
    pub(crate) fn facts(&self, state: &State) -> Vec<String> {
        let holds = |i: usize| state[i / 64] >> (i % 64) & 1 == 1;
        (0..self.bases.len()).filter(|&i| holds(i)).map(|i| self.bases[i].clone()).collect()
    }

    /// A move's term.
    pub(crate) fn move_text(&self, mv: u32) -> String {
        self.moves.get(mv as usize).map_or("?".into(), |m| m.text.clone())
    }

    /// A percept's term.
    pub(crate) fn percept_text(&self, percept: u32) -> String {
        self.sees.get(percept as usize).map_or("?".into(), |p| p.text.clone())
    }
}
