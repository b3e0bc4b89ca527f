//! Dice, and numbers and sites that chance draws while a move is made.
//!
//! What was drawn for a move is written on a tape. A move that asks for more than the tape holds is
//! taken back: chance has to be asked first, and then the move is made again, from its beginning.

use super::action::{Action, Head, Moves};
use super::context::{Context, Pad};
use super::journal;
use super::perform::perform;
use super::play::{Lud, generate, step};
use super::state::State;

/// Numbers that chance draws are no further apart.
const MOST: i32 = 9_999;

/// The draws of chance that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Draws {
    /// The draws of the move that is being made.
    #[default]
    Made,
    /// None: moves are being listed. Chance draws for a move once it is chosen.
    Listed,
    /// The draws of one move, from a site to another, which is listed again because it was chosen.
    Of(i32, i32),
}

impl Context<'_> {
    /// A number that chance draws. Who looks ahead does not know it: there it is the least.
    pub(crate) fn draw(&mut self, least: i32, most: i32) -> i32 {
        let known = self.draws == Draws::Made && self.asked.ahead == 0;
        self.draw_if(known, least, most)
    }

    /// Is a move being made, so that chance draws?
    pub(crate) fn draws_count(&self) -> bool {
        let asked = self.asked.ahead > 0 || self.asked.depth > 0 || self.asked.threat;
        self.draws == Draws::Made && !asked
    }

    /// A number for a move that is listed: chance draws it once the move is chosen.
    pub(crate) fn draw_for_listed(&mut self, least: i32, most: i32) -> i32 {
        let known = match self.draws {
            Draws::Made | Draws::Listed => false,
            Draws::Of(from, to) => self.at.from == from && (self.at.to == to || self.at.to < 0),
        };
        self.draw_if(known, least, most)
    }

    fn draw_if(&mut self, known: bool, least: i32, most: i32) -> i32 {
        let most = most.min(least.saturating_add(MOST));
        if most <= least || !known || self.asked.depth > 0 || self.asked.threat {
            return least;
        }
        match self.state.tape.get(self.drawn) {
            Some(&number) => {
                self.drawn += 1;
                number.clamp(least, most)
            }
            None => {
                self.wants = self.wants.or(Some((least, most)));
                least
            }
        }
    }
}

impl Lud {
    /// Dice show these faces, by die.
    pub fn roll(&self, state: &mut State, faces: &[u16]) {
        if let Some(lud) = self.stage(state) {
            return lud.roll(state, faces);
        }
        for &face in faces.iter().skip(state.s.thrown.into()).take(self.equipment.dice.len()) {
            self.throw(state, face);
        }
    }

    /// Throws the next die.
    pub fn throw(&self, state: &mut State, face: u16) {
        if let Some(lud) = self.stage(state) {
            return lud.throw(state, face);
        }
        let dice = &self.equipment.dice;
        let number = state.s.thrown;
        if let Some(die) = dice.get(usize::from(number)) {
            let action = Action::Die { site: die.site as i32, die: number, face };
            perform(&self.equipment, &self.rules, state, action);
            state.s.thrown += 1;
        }
        if usize::from(state.s.thrown) >= dice.len() {
            let layout = self.rules.layout;
            let shown = |die: usize| state.numbers.get(layout.die(die));
            state.s.dice_equal = (1..dice.len()).all(|die| shown(die) == shown(0));
            state.s.thrown = 0;
            state.s.rolled = true;
        }
    }

    /// Makes a move of a list, unless chance has to draw a number first: that is at least the first
    /// and at most the second of what is given back. [`State::tape`] takes it.
    pub fn attempt(
        &self,
        state: &mut State,
        pad: &mut Pad,
        moves: &Moves,
        head: Head,
    ) -> Option<(i32, i32)> {
        if let (Some(lud), false) = (self.stage(state), state.s.between) {
            let wants = lud.attempt(state, pad, moves, head);
            self.pause(state);
            return wants;
        }
        if !self.rules.random || state.s.between {
            self.apply(state, pad, moves, head);
            return None;
        }
        let mut c = self.context(state, pad);
        journal::begin(&mut c);
        match self.rules.draws_for_listed {
            true => choose_again(&mut c, moves, head),
            false => step(&mut c, moves, head),
        }
        let wants = c.wants;
        match wants {
            Some(_) => journal::roll_back(&mut c),
            None => {
                journal::keep(&mut c);
                c.state.tape.clear();
            }
        }
        wants
    }
}

/// Makes a move whose numbers chance draws once it is chosen: it is listed again with these numbers.
fn choose_again(c: &mut Context<'_>, moves: &Moves, head: Head) {
    let same = |other: &&Head| {
        (other.kind, other.from, other.to, other.level)
            == (head.kind, head.from, head.to, head.level)
    };
    let before = moves.heads.iter().take_while(|&&other| other != head);
    let number = before.filter(same).count();
    let mut again = c.moves();
    c.draws = Draws::Of(head.from, head.to);
    generate(c, &mut again);
    c.draws = Draws::Made;
    if c.wants.is_none() {
        match again.heads.iter().filter(same).nth(number).copied() {
            Some(drawn) => step(c, &again, drawn),
            // Moves besides the rules of the phase: a pass for want of moves, a swap.
            None => step(c, moves, head),
        }
    }
    c.free_moves(again);
}

#[cfg(test)]
mod tests {
    use ludex_core::{Game, Player, Seed, Turn};

    use crate::game::LudGame;
    use crate::source::Text;
    use crate::tree;

    /// A game of points that chance draws.
    fn game() -> LudGame {
        let text = Text::of_file(
            0,
            "(game \"Luck\" (players 2) (equipment {(board (square 2)) (piece \"Disc\" Each)})
                (rules (play (move Add (to (sites Empty)) (then (and
                    (addScore Mover (value Random (range 1 6)))
                    (remove (sites Random (sites Occupied by:Mover) num:1))))))
                (end (if (> (count Moves) 9) (byScore)))))",
        );
        LudGame::new("luck", &tree::game(&text).0.expect("a tree")).expect("a game")
    }

    #[test]
    fn chance_draws_numbers_while_a_move_is_made() {
        let game = game();
        let mut position = game.start();
        let mut moves = Vec::new();
        game.moves(&position, Player(0), &mut moves);
        game.apply(&mut position, &moves[..1]);
        assert_eq!(game.turn(&position), Turn::Chance);
        let text = game.position(&position);
        let again = game.parse_position(&text).expect("readable");
        assert_eq!((game.turn(&again), game.position(&again)), (Turn::Chance, text));
        let mut outcomes = Vec::new();
        game.chances(&position, &mut outcomes);
        assert_eq!(outcomes.len(), 6);
        assert_eq!(game.move_text(outcomes[4].0), "draw:5");
        game.apply(&mut position, &[outcomes[4].0]);
        // The only piece there is, is the one that goes.
        assert_eq!(game.turn(&position), Turn::One(Player(1)));
        let layout = game.lud().rules.layout;
        assert_eq!(position.state.numbers[layout.score(1)], 5);
        assert!(position.state.tape.is_empty());
    }

    #[test]
    fn random_games_draw_too() {
        let game = game();
        let mut rng = Seed(7).rng();
        let mut position = game.start();
        let plies = game.playout(&mut position, &mut rng, &mut Vec::new(), 100);
        // Ten moves, and a number after each.
        assert_eq!(plies, Some(20));
        let layout = game.lud().rules.layout;
        assert!(position.state.numbers[layout.score(1)] >= 5);
    }
}
