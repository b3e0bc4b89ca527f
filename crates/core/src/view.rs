//! The knowledge of a seat: records, and views for agents.

use crate::game::{Game, Move, Turn};
use crate::player::Player;

/// The observation of a player in one step: words whose meaning is the game's own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Percept(pub Vec<u64>);

/// One step as one seat saw it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Record {
    /// The seat's own move, where it was among the movers.
    pub own: Option<Move>,
    /// The seat's percept. In a game without hidden information: the whole joint move.
    pub percept: Percept,
}

impl Record {
    /// What `seat` keeps of the step `before` --`joint`--> `after`, in which `turn` moved.
    ///
    /// A [`Match`](crate::Match) keeps the records of all seats. This is for steps outside of a match, such as
    /// the steps of a world that a seat holds possible.
    pub fn of_step<G: Game + ?Sized>(
        game: &G,
        before: &G::State,
        turn: Turn,
        joint: &[Move],
        after: &G::State,
        seat: Player,
    ) -> Record {
        let movers = turn.movers();
        let place = movers.contains(seat).then(|| movers.position(seat));
        let own = place.and_then(|place| joint.get(place).copied());
        let mut percept = Percept::default();
        game.percept(before, joint, after, seat, &mut percept.0);
        Record { own, percept }
    }
}

/// All that an agent gets when it must move: its seat, its legal moves, its own moves and percepts
/// so far, and the position only where the game has no hidden information.
///
/// A [`Match`](crate::Match) makes views. [`View::new`] decides itself whether the state may be shown, so
/// a view never gives a hidden state away:
/// ```
/// use ludex_core::{Game, Player, View, testkit::Coins};
/// let game = Coins::hidden();
/// let truth = game.start();
/// let view = View::new(&game, &truth, Player(0), &[], &truth, &[]);
/// assert!(view.state().is_none());
/// ```
/// The fields are private:
/// ```compile_fail
/// # use ludex_core::{Game, Player, View, testkit::Coins};
/// # let game = Coins::hidden();
/// # let truth = game.start();
/// # let view = View::new(&game, &truth, Player(0), &[], &truth, &[]);
/// let _ = view.state;
/// ```
#[derive(Debug)]
pub struct View<'a, G: Game> {
    seat: Player,
    origin: &'a G::State,
    records: &'a [Record],
    state: Option<&'a G::State>,
    legal: &'a [Move],
}

impl<'a, G: Game> View<'a, G> {
    /// What `seat` may see of `truth`, the true state, in a match that began at `origin`, a
    /// position that all seats know.
    pub fn new(
        game: &G,
        origin: &'a G::State,
        seat: Player,
        records: &'a [Record],
        truth: &'a G::State,
        legal: &'a [Move],
    ) -> Self {
        let state = (!game.info().hidden).then_some(truth);
        View { seat, origin, records, state, legal }
    }

    /// A view that always shows the true state, for agents that cheat on purpose: they measure how much
    /// the hidden information is worth.
    pub fn cheating(
        origin: &'a G::State,
        seat: Player,
        records: &'a [Record],
        truth: &'a G::State,
        legal: &'a [Move],
    ) -> Self {
        View { seat, origin, records, state: Some(truth), legal }
    }

    /// The view for a game with other states, each found by `find` in a state of this game.
    pub(crate) fn of_game<H: Game>(
        &self,
        find: impl Fn(&'a G::State) -> &'a H::State,
    ) -> View<'a, H> {
        View {
            seat: self.seat,
            origin: find(self.origin),
            records: self.records,
            state: self.state.map(&find),
            legal: self.legal,
        }
    }

    /// The seat whose view this is.
    #[inline]
    pub fn seat(&self) -> Player {
        self.seat
    }

    /// The position, where the game has no hidden information.
    #[inline]
    pub fn state(&self) -> Option<&'a G::State> {
        self.state
    }

    /// The position in which the match began; all seats know it.
    #[inline]
    pub fn origin(&self) -> &'a G::State {
        self.origin
    }

    /// The seat's legal moves.
    #[inline]
    pub fn legal(&self) -> &'a [Move] {
        self.legal
    }

    /// The steps so far as this seat saw them, oldest first.
    #[inline]
    pub fn records(&self) -> &'a [Record] {
        self.records
    }
}
