//! A match under way: the true state, the moves so far, and what every seat has learned of them.

use crate::error::{Error, Result};
use crate::game::{Game, Move, Turn, count_hint};
use crate::player::Player;
use crate::random::Rng;
use crate::transcript::Transcript;
use crate::view::{Record, View};
use std::fmt;

/// A match under way. It owns the true state; seats get [views](Match::view), which show the state only where the
/// game has no hidden information.
///
/// ```
/// use ludex_core::{Match, Seed, Turn, testkit::Coins};
/// let game = Coins::default();
/// let mut rng = Seed(1).rng();
/// let mut play = Match::new(&game);
/// while play.turn() != Turn::Over {
///     match play.turn() {
///         Turn::One(player) => {
///             let mut pad = Vec::new();
///             let view = play.view(player, &mut pad);
///             let first = view.legal()[0]; // An agent chooses here.
///             play.apply(&[first]);
///         }
///         _ => play.apply_random(&mut rng),
///     }
/// }
/// assert_eq!(play.payoffs().unwrap().iter().sum::<f32>(), 1.0);
/// let again = Match::replay(&game, &play.transcript()).unwrap();
/// assert_eq!(again.records(ludex_core::Player(0)), play.records(ludex_core::Player(0)));
/// ```
///
/// # Who holds the game
/// [`Match::new`] borrows the game, for loops that play one match. [`Match::owning`] takes the game, for a server or
/// another object that outlives the caller; with [`AnyGame`](crate::AnyGame) that costs a pointer.
///
/// # Cost
/// A step clones the state into memory that is reused, asks the game for the percept of each seat and for the next
/// turn, and stores the moves. [`undo`](Match::undo) plays the match again from its origin, so a match that is never
/// undone pays nothing for it.
///
/// # Deadlines
/// After its [`deadline`](crate::deadline) a thread may get wrong answers from a game. So make the steps of a match
/// outside of any deadline that can pass meanwhile.
#[derive(Clone)]
pub struct Match<'g, G: Game> {
    game: Held<'g, G>,
    origin: G::State,
    state: G::State,
    /// The state before the last step; the origin where there was none.
    before: G::State,
    turn: Turn,
    /// The joint moves of all steps, one after the other.
    moves: Vec<Move>,
    /// For each step: where its joint move ends in `moves`.
    ends: Vec<usize>,
    /// By seat.
    records: Vec<Vec<Record>>,
}

/// Room for so many steps from the beginning, so that short games never move their lists to larger memory.
const ROOM: usize = 24;

/// A game, borrowed or owned.
#[derive(Clone)]
enum Held<'g, G> {
    Borrowed(&'g G),
    Owned(G),
}

impl<G> Held<'_, G> {
    #[inline]
    fn get(&self) -> &G {
        match self {
            Held::Borrowed(game) => game,
            Held::Owned(game) => game,
        }
    }
}

impl<G: Game> Match<'static, G> {
    /// A match from the usual start that owns its game.
    pub fn owning(game: G) -> Self {
        let origin = game.start();
        Self::begin(Held::Owned(game), origin)
    }

    /// A match from a position that owns its game.
    pub fn owning_at(game: G, origin: G::State) -> Self {
        Self::begin(Held::Owned(game), origin)
    }
}

impl<'g, G: Game> Match<'g, G> {
    /// A match from the usual start.
    pub fn new(game: &'g G) -> Self {
        Self::at(game, game.start())
    }

    /// A match from a position, which every seat knows.
    pub fn at(game: &'g G, origin: G::State) -> Self {
        Self::begin(Held::Borrowed(game), origin)
    }

    fn begin(game: Held<'g, G>, origin: G::State) -> Self {
        let (state, before) = (origin.clone(), origin.clone());
        let turn = game.get().turn(&state);
        let info = game.get().info();
        let room = info.longest.map_or(ROOM, |longest| ROOM.min(longest as usize));
        let records = (0..info.seats()).map(|_| Vec::with_capacity(room)).collect();
        let (moves, ends) = (Vec::with_capacity(room), Vec::with_capacity(room));
        Match { game, origin, state, before, turn, moves, ends, records }
    }

    /// The game.
    #[inline]
    pub fn game(&self) -> &G {
        self.game.get()
    }

    /// The position in which the match began. Every seat knows it.
    #[inline]
    pub fn origin(&self) -> &G::State {
        &self.origin
    }

    /// The true state. Agents must not see it where the game has hidden information: give them a
    /// [view](Match::view).
    #[inline]
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The true state before the last step; the origin where there was no step.
    #[inline]
    pub fn before(&self) -> &G::State {
        &self.before
    }

    /// Whose turn it is.
    #[inline]
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// Is the game over?
    #[inline]
    pub fn is_over(&self) -> bool {
        self.turn == Turn::Over
    }

    /// How many steps were made.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Was no step made yet?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The joint move of a step, counted from 0: one move per mover in seat order, or one outcome of chance.
    pub fn joint(&self, step: usize) -> Option<&[Move]> {
        let from = step.checked_sub(1).map_or(0, |last| self.ends.get(last).copied().unwrap_or(0));
        self.ends.get(step).and_then(|&to| self.moves.get(from..to))
    }

    /// The joint moves of all steps, oldest first.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = &[Move]> {
        (0..self.len()).map(|step| {
            let joint = self.joint(step);
            debug_assert!(joint.is_some(), "every step of a match has its moves");
            joint.unwrap_or_default()
        })
    }

    /// The moves of all steps as text.
    pub fn moves_text(&self) -> Vec<Vec<String>> {
        let text = |joint: &[Move]| joint.iter().map(|&mv| self.game().move_text(mv)).collect();
        self.joints().map(text).collect()
    }

    /// The true state as one line of text.
    pub fn position(&self) -> String {
        self.game().position(&self.state)
    }

    /// The records of a seat, one a step; none for a seat that the game does not have.
    pub fn records(&self, seat: Player) -> &[Record] {
        self.records.get(seat.index()).map_or(&[], Vec::as_slice)
    }

    /// The legal moves of `seat`; none where it is not among the movers.
    pub fn legal(&self, seat: Player) -> Vec<Move> {
        let mut out = Vec::new();
        self.list_legal(seat, &mut out);
        out
    }

    /// Replaces the contents of `out` by the legal moves of `seat`: [`legal`](Match::legal) for callers with a list
    /// at hand.
    pub fn list_legal(&self, seat: Player, out: &mut Vec<Move>) {
        out.clear();
        if self.turn.includes(seat) {
            self.game().moves(&self.state, seat, out);
        }
    }

    /// The view of a seat now: its legal moves, its records, and the state where the game has no hidden information.
    /// `pad` is memory for the legal moves.
    pub fn view<'a>(&'a self, seat: Player, pad: &'a mut Vec<Move>) -> View<'a, G> {
        self.list_legal(seat, pad);
        View::new(self.game(), &self.origin, seat, self.records(seat), &self.state, pad)
    }

    /// A view that always shows the true state, for agents that cheat on purpose and say so in their name.
    pub fn cheating_view<'a>(&'a self, seat: Player, pad: &'a mut Vec<Move>) -> View<'a, G> {
        self.list_legal(seat, pad);
        View::cheating(&self.origin, seat, self.records(seat), &self.state, pad)
    }

    /// Makes a step. `joint` holds one legal move per mover in seat order, or one outcome of chance. It is trusted;
    /// [`try_apply`](Match::try_apply) checks it.
    pub fn apply(&mut self, joint: &[Move]) {
        debug_assert_eq!(joint.len(), self.due(), "moves of a step");
        self.advance(joint);
        self.moves.extend_from_slice(joint);
        self.ends.push(self.moves.len());
        let game = self.game.get();
        let turn = self.turn;
        for (seat, records) in self.records.iter_mut().enumerate() {
            let seat = Player(seat as u8);
            let (before, after) = (&self.before, &self.state);
            records.push(Record::of_step(game, before, turn, joint, after, seat));
        }
        self.turn = game.turn(&self.state);
    }

    /// Makes a step after checking it.
    ///
    /// # Errors
    /// A move that is not legal, or a wrong number of moves. The match is unchanged then.
    pub fn try_apply(&mut self, joint: &[Move]) -> Result<()> {
        self.game().check(&self.state, joint)?;
        self.apply(joint);
        Ok(())
    }

    /// Makes a step that is given as text: one text per mover in seat order, or one for chance.
    ///
    /// # Errors
    /// A text that names no legal move, or a wrong number of texts. The match is unchanged then.
    pub fn try_apply_text<T: AsRef<str>>(&mut self, texts: &[T]) -> Result<()> {
        let joint = self.parse_joint(texts)?;
        self.apply(&joint);
        Ok(())
    }

    /// Reads the texts of a joint move: one per mover in seat order, or one for chance.
    ///
    /// # Errors
    /// A text that names no legal move, or a wrong number of texts.
    pub fn parse_joint<T: AsRef<str>>(&self, texts: &[T]) -> Result<Vec<Move>> {
        let game = self.game();
        let due = self.due();
        if due == 0 || texts.len() != due {
            let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
            return Err(Error::IllegalMove {
                text: texts.join(" | "),
                player: if self.turn == Turn::Chance {
                    "chance".into()
                } else {
                    "the movers".into()
                },
                hint: match due {
                    0 => "the game is over".into(),
                    _ => count_hint(due, texts.len()),
                },
            });
        }
        if self.turn == Turn::Chance {
            return texts
                .iter()
                .map(|text| game.parse_chance(&self.state, text.as_ref()))
                .collect();
        }
        let movers = self.turn.movers().iter().zip(texts);
        movers.map(|(seat, text)| game.parse_move(&self.state, seat, text.as_ref())).collect()
    }

    /// Draws an outcome of chance by its probability. Only for [`Turn::Chance`].
    pub fn sample_chance(&self, rng: &mut Rng) -> Move {
        self.game().sample_chance(&self.state, rng)
    }

    /// Makes a random step: every mover chooses uniformly, chance by its probabilities. Nothing happens where the
    /// game is over.
    pub fn apply_random(&mut self, rng: &mut Rng) {
        let game = self.game();
        let mut pad = Vec::new();
        let joint: Vec<Move> = match self.turn {
            Turn::Over => return,
            Turn::Chance => vec![self.sample_chance(rng)],
            turn => {
                let sample = |seat| game.sample(&self.state, seat, rng, &mut pad);
                turn.movers().iter().map(sample).collect()
            }
        };
        self.apply(&joint);
    }

    /// Takes the last step back. False where there was none.
    pub fn undo(&mut self) -> bool {
        let last = self.len().checked_sub(1);
        last.inspect(|&steps| self.truncate(steps)).is_some()
    }

    /// Takes steps back until only the first `steps` are left. The cost is that of making these steps again.
    pub fn truncate(&mut self, steps: usize) {
        if steps >= self.len() {
            return;
        }
        let moves = std::mem::take(&mut self.moves);
        let ends = std::mem::take(&mut self.ends);
        self.state.clone_from(&self.origin);
        self.before.clone_from(&self.origin);
        let mut from = 0;
        for &to in ends.iter().take(steps) {
            self.advance(moves.get(from..to).unwrap_or_default());
            from = to;
        }
        (self.moves, self.ends) = (moves, ends);
        self.moves.truncate(from);
        self.ends.truncate(steps);
        self.records.iter_mut().for_each(|records| records.truncate(steps));
        self.turn = self.game.get().turn(&self.state);
    }

    /// Each seat's payoff, where the game is over.
    pub fn payoffs(&self) -> Option<Vec<f32>> {
        self.is_over().then(|| {
            let mut payoffs = vec![0.0; self.records.len()];
            self.game().payoffs(&self.state, &mut payoffs);
            payoffs
        })
    }

    /// The match as plain data, for text and JSON.
    pub fn transcript(&self) -> Transcript {
        let game = self.game();
        let position = game.position(&self.origin);
        Transcript {
            game: game.info().name.clone(),
            rules: game.info().source.to_string(),
            position: (position != game.position(&game.start())).then_some(position),
            steps: self.moves_text(),
        }
    }

    /// Plays a transcript again.
    ///
    /// # Errors
    /// A transcript of another game or of other rules, a position that the game can't read, or a step that is not
    /// legal ([`Error::BadStep`] has its number).
    pub fn replay(game: &'g G, transcript: &Transcript) -> Result<Self> {
        Self::replay_in(Held::Borrowed(game), transcript)
    }

    fn replay_in(held: Held<'g, G>, transcript: &Transcript) -> Result<Self> {
        let game = held.get();
        let info = game.info();
        if transcript.game != info.name {
            let text = format!("it is a match of {}, not of {}", transcript.game, info.name);
            return Err(Error::BadMatch(text));
        }
        if !transcript.fits(&info.source) {
            let text = format!(
                "it was played by other rules ({}) than these ({})",
                transcript.rules, info.source
            );
            return Err(Error::BadMatch(text));
        }
        let origin = match &transcript.position {
            Some(text) => game.parse_position(text)?,
            None => game.start(),
        };
        let mut play = Self::begin(held, origin);
        for (index, step) in transcript.steps.iter().enumerate() {
            play.try_apply_text(step).map_err(|error| Error::BadStep {
                step: index + 1,
                text: step.join(" | "),
                error: Box::new(error),
            })?;
        }
        Ok(play)
    }

    /// How many moves the next step needs; 0 where the game is over.
    fn due(&self) -> usize {
        match self.turn {
            Turn::Over => 0,
            Turn::Chance | Turn::One(_) => 1,
            Turn::Joint(players) => players.len(),
        }
    }

    /// Makes a step of the states alone.
    #[inline]
    fn advance(&mut self, joint: &[Move]) {
        self.before.clone_from(&self.state);
        self.game.get().apply(&mut self.state, joint);
    }
}

impl<G: Game> Match<'static, G> {
    /// As [`replay`](Match::replay), for a match that owns its game.
    ///
    /// # Errors
    /// As [`replay`](Match::replay).
    pub fn replay_owning(game: G, transcript: &Transcript) -> Result<Self> {
        Self::replay_in(Held::Owned(game), transcript)
    }
}

impl<G: Game> fmt::Debug for Match<'_, G> {
    /// Shows the game and the number of steps. The state may be hidden.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Match({}, {} steps)", self.game().info().name, self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::erased::AnyGame;
    use crate::random::Seed;
    use crate::testkit::Coins;

    /// A match of hidden coins after five steps.
    fn begun(game: &Coins) -> Match<'_, Coins> {
        let mut play = Match::new(game);
        play.try_apply_text(&["heads"]).unwrap();
        for text in ["2", "1", "3", "1"] {
            play.try_apply_text(&[text]).unwrap();
        }
        play
    }

    #[test]
    fn records_tell_each_seat_its_own_moves_and_percepts() {
        let game = Coins::hidden();
        let play = begun(&game);
        let own = |seat| {
            play.records(Player(seat)).iter().map(|r| r.own.map(|mv| mv.0)).collect::<Vec<_>>()
        };
        assert_eq!(own(0), [None, Some(2), None, Some(3), None]);
        assert_eq!(own(1), [None, None, Some(1), None, Some(1)]);
        assert_eq!(play.records(Player(0))[4].percept.0, [3], "three may be taken next");
        assert!(play.records(Player(7)).is_empty());
    }

    #[test]
    fn a_view_of_a_hidden_game_shows_no_state() {
        let (hidden, open) = (Coins::hidden(), Coins::default());
        let mut pad = Vec::new();
        assert!(begun(&hidden).view(Player(0), &mut pad).state().is_none());
        assert!(begun(&hidden).cheating_view(Player(0), &mut pad).state().is_some());
        assert!(begun(&open).view(Player(0), &mut pad).state().is_some());
    }

    #[test]
    fn only_movers_have_legal_moves() {
        let game = Coins::default();
        let play = begun(&game);
        assert_eq!(play.legal(Player(0)), [Move(1), Move(2), Move(3)]);
        assert!(play.legal(Player(1)).is_empty());
    }

    #[test]
    fn a_step_that_is_refused_changes_nothing() {
        let game = Coins::default();
        let mut play = begun(&game);
        let position = play.position();
        let error = play.try_apply_text(&["9"]).unwrap_err().to_string();
        assert_eq!(error, "illegal move `9` for first: legal here: 1, 2, 3");
        let error = play.try_apply_text(&["1", "2"]).unwrap_err().to_string();
        assert_eq!(error, "illegal move `1 | 2` for the movers: 1 move is due, not 2");
        assert!(play.try_apply(&[Move(9)]).is_err());
        assert_eq!((play.position(), play.len()), (position, 5));
        assert_eq!(game.position(play.before()), "4 1");
    }

    #[test]
    fn undo_goes_back_to_the_origin_and_then_stops() {
        let game = Coins::default();
        let mut play = begun(&game);
        let mut left = Vec::new();
        while play.undo() {
            left.push(play.position());
        }
        assert_eq!(left, ["4 1", "7 0", "8 1", "10 0", "10 2"]);
        assert!(play.is_empty() && play.records(Player(0)).is_empty());
        assert_eq!(play.turn(), Turn::Chance);
        assert_eq!(play.joint(0), None);
    }

    #[test]
    fn only_a_finished_match_has_payoffs() {
        let game = Coins::default();
        let mut play = begun(&game);
        assert_eq!(play.payoffs(), None);
        play.try_apply_text(&["3"]).unwrap();
        assert_eq!(play.payoffs(), Some(vec![1.0, 0.0]));
        let error = play.try_apply_text(&["1"]).unwrap_err().to_string();
        assert!(error.ends_with("the game is over"), "{error}");
    }

    #[test]
    fn a_transcript_has_the_position_only_where_the_match_began_elsewhere() {
        let game = Coins::default();
        assert_eq!(begun(&game).transcript().position, None);
        let mut play = Match::at(&game, game.parse_position("5 1").unwrap());
        play.apply(&[Move(2)]);
        let transcript = play.transcript();
        assert_eq!(transcript.position.as_deref(), Some("5 1"));
        let again = Match::replay(&game, &transcript).unwrap();
        assert_eq!(again.position(), "3 0");
    }

    #[test]
    fn a_bad_transcript_says_which_step_is_wrong() {
        let game = Coins::default();
        let refuse = |change: fn(&mut Transcript)| {
            let mut transcript = begun(&game).transcript();
            change(&mut transcript);
            Match::replay(&game, &transcript).unwrap_err().to_string()
        };
        assert_eq!(
            refuse(|t| t.steps[2][0] = "heads".into()),
            "step 3 (`heads`): illegal move `heads` for second: legal here: 1, 2, 3"
        );
        assert_eq!(
            refuse(|t| t.steps[0][0] = "edge".into()),
            "step 1 (`edge`): illegal move `edge` for chance: legal here: heads, tails"
        );
        assert_eq!(
            refuse(|t| t.game = "nim".into()),
            "bad match: it is a match of nim, not of coins"
        );
        assert!(refuse(|t| t.rules = "0f".into()).contains("other rules (0f)"));
        assert!(refuse(|t| t.position = Some("x".into())).starts_with("bad position `x`"));
    }

    #[test]
    fn a_match_that_owns_its_game_can_be_kept() {
        let game = AnyGame::new(Coins::hidden());
        let mut kept: Vec<Match<'static, AnyGame>> = vec![Match::owning(game.clone())];
        kept[0].apply_random(&mut Seed(1).rng());
        let transcript = kept[0].transcript();
        kept.push(Match::replay_owning(game, &transcript).unwrap());
        assert_eq!(kept[0].records(Player(1)), kept[1].records(Player(1)));
    }
}
