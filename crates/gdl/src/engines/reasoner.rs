//! The interface of all rule engines.

use ludex_core::Rng;

use crate::engines::patience::Patience;

/// A state as words whose meaning is the engine's own. Equal states have equal words.
pub type State = Vec<u64>;

/// A rule engine. Moves and percepts are small numbers of its own, the same number for the same
/// term throughout; roles count from 0 in the order of the rule sheet.
pub trait Reasoner: Send + Sync {
    /// `lanes`, `single`, `joins`, `naive`.
    fn engine(&self) -> &'static str;
    /// The roles' names.
    fn roles(&self) -> &[String];
    /// The first state.
    fn start(&self) -> State;
    /// Is the game over?
    fn terminal(&self, state: &State) -> bool;
    /// Appends the role's legal moves, ascending, none twice.
    fn legal(&self, state: &State, role: usize, out: &mut Vec<u32>);
    /// Is the game over? If not, adds the legal moves of these roles. The same as
    /// [`terminal`](Reasoner::terminal) and [`legal`](Reasoner::legal) in one question.
    fn view(&self, state: &State, roles: &[usize], out: &mut Choices) -> bool {
        let over = self.terminal(state);
        for &role in roles.iter().filter(|_| !over) {
            out.add(|moves| self.legal(state, role, moves));
        }
        over
    }
    /// Goes to the next state; one move per role.
    fn advance(&self, state: &mut State, joint: &[u32]);
    /// Appends the role's goal values in a state, ascending; valid rules give exactly one in a
    /// terminal state.
    fn goals(&self, state: &State, role: usize, out: &mut Vec<u8>);
    /// The role's goal value: the highest, if the rules give several.
    fn goal(&self, state: &State, role: usize) -> Option<u8> {
        let mut values = Vec::new();
        self.goals(state, role, &mut values);
        values.last().copied()
    }
    /// Appends what the role perceives when the joint move is made in the state, ascending.
    fn sees(&self, state: &State, joint: &[u32], role: usize, out: &mut Vec<u32>);
    /// The facts that hold, as KIF terms.
    fn facts(&self, state: &State) -> Vec<String>;
    /// All facts that can hold, as KIF terms, where they are known beforehand; else none.
    fn possible_facts(&self) -> Vec<String> {
        Vec::new()
    }
    /// The state in which exactly these facts hold; an unknown fact is given back as the error.
    fn state_of(&self, facts: &[String]) -> Result<State, String>;
    /// A move's term.
    fn move_text(&self, mv: u32) -> String;
    /// The role's legal move with this term, if there is one.
    fn find_move(&self, state: &State, role: usize, text: &str) -> Option<u32> {
        let wanted = normal_text(text);
        let mut legal = Vec::new();
        self.legal(state, role, &mut legal);
        legal.into_iter().find(|&mv| normal_text(&self.move_text(mv)) == wanted)
    }
    /// A percept's term.
    fn percept_text(&self, percept: u32) -> String;
    /// All moves are below this number, where they are known beforehand.
    fn move_count(&self) -> Option<u32> {
        None
    }

    /// The numbers of a role's moves, where they are known beforehand.
    fn role_moves(&self, role: usize) -> Option<std::ops::Range<u32>> {
        let _ = role;
        None
    }

    /// The number of facts, where bit `i` of a state's words says whether fact `i` holds.
    fn fact_count(&self) -> Option<u32> {
        None
    }

    /// All percepts are below this number, where they are known beforehand.
    fn percept_count(&self) -> Option<u32> {
        None
    }

    /// How long it may think about an answer, if it can be made to stop.
    fn patience(&self) -> Option<&Patience> {
        None
    }

    /// Plays random moves until the game is over or `longest` steps are made, each role uniformly
    /// over its legal moves.
    fn playout(&self, state: &mut State, rng: &mut Rng, longest: u32) -> Playout {
        let _ = (state, rng, longest);
        Playout::Unsupported
    }
}

/// The result of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playout {
    /// The game was over after so many steps.
    Over(u32),
    /// The game was cut: it is too long, or the time is up.
    Cut,
    /// The engine does not play on its own: step by step through its other methods is as fast.
    Unsupported,
}

/// The legal moves of some roles, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The moves.
    pub moves: Vec<u32>,
    /// By role: where its moves end.
    pub ends: Vec<usize>,
}

impl Choices {
    /// Adds the moves of the next role, which `fill` appends.
    #[inline]
    pub(crate) fn add(&mut self, fill: impl FnOnce(&mut Vec<u32>)) {
        fill(&mut self.moves);
        self.ends.push(self.moves.len());
    }
}

/// A KIF term with single spaces and in lower case: the form in which terms are compared.
pub fn normal_text(term: &str) -> String {
    let mut text = String::with_capacity(term.len());
    for part in term.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        if !text.is_empty() && !text.ends_with('(') && part != ")" {
            text.push(' ');
        }
        text.push_str(part);
    }
    text.make_ascii_lowercase();
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn terms_compare_without_regard_to_case_and_space() {
        assert_eq!(super::normal_text("( Cell 1  ( s 2 )b )"), "(cell 1 (s 2) b)");
        assert_eq!(super::normal_text("noop"), "noop");
    }
}
