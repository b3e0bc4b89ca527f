//! The trait [`Game`]: the questions that every set of rules must answer.

use crate::cpu::{Built, Cpu, Modern};
use crate::encode::{self, ActionSpace, Encoding};
use crate::error::{Error, Result};
use crate::features::Features;
use crate::playout::{self, Guide, Outcomes, Pads};
use crate::random::{Rng, Seed, mix};
use crate::scene::{self, MoveSites, Scene};
use crate::source::Source;
use crate::trial::{self, Trial};
use crate::view::View;
use crate::{Player, Players};

/// One player's move, or one outcome of chance: 64 bits whose meaning is the game's own.
///
/// Within one game, equal bits mean the same action, in whatever state it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Move(pub u64);

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The game is over: [`Game::payoffs`] has the result.
    Over,
    /// Chance moves: one of [`Game::chances`].
    Chance,
    /// One player moves.
    One(Player),
    /// Several players move at once, none knowing the others' choice.
    Joint(Players),
}

impl Turn {
    /// The players who must choose now.
    #[inline]
    pub fn movers(self) -> Players {
        match self {
            Turn::Over | Turn::Chance => Players(0),
            Turn::One(player) => Players::one(player),
            Turn::Joint(players) => players,
        }
    }

    /// Must `player` choose now?
    #[inline]
    pub fn includes(self, player: Player) -> bool {
        self.movers().contains(player)
    }
}

/// The properties of a game that agents and referees must know before the first move.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// The string that opens this very game again, for example `nim(2,3,2)`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The names of the seats, in order.
    pub players: Vec<String>,
    /// Does chance ever move?
    pub chance: bool,
    /// Has the game hidden information? Then agents get percepts and never a state.
    pub hidden: bool,
    /// May a seat's legal moves depend on something that is hidden from the seat? Then the list of legal moves is an
    /// observation of its own, beside the percepts.
    pub tells_moves: bool,
    /// Do players ever choose at the same time?
    pub simultaneous: bool,
    /// Do the payoffs always add up to the same sum?
    pub constant_sum: bool,
    /// No play is longer than this many steps, where that is known.
    pub longest: Option<u32>,
    /// All [`Game::action_key`]s are below this number, where they are dense enough for an array.
    pub action_keys: Option<u32>,
    /// The results that the field writes for the payoffs 0 and 1, such as -2 and 2 chips in Kuhn poker.
    pub returns: [f32; 2],
    /// How fast random playouts are, relative to single steps.
    pub playouts: Playouts,
    /// Where the rules come from.
    pub source: Source,
    /// The name of the engine that runs the rules, for people: `native`, `lanes`, ... No code may depend on it.
    pub engine: &'static str,
}

/// How random playouts run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Playouts {
    /// The rules are compiled code: a playout costs little more than a walk down a search tree.
    Compiled,
    /// The rules are interpreted, one state at a time.
    Interpreted,
    /// [`Game::playouts`] steps hundreds of states at once: a batch costs far less than as many playouts.
    Batched,
}

impl Info {
    /// A perfect-information game of alternating moves with constant sum; change what differs.
    pub fn new(name: impl Into<String>, title: impl Into<String>, players: &[&str]) -> Self {
        Info {
            name: name.into(),
            title: title.into(),
            players: players.iter().map(|p| (*p).to_string()).collect(),
            chance: false,
            hidden: false,
            tells_moves: false,
            simultaneous: false,
            constant_sum: true,
            longest: None,
            action_keys: None,
            returns: if players.len() > 1 { [-1.0, 1.0] } else { [0.0, 1.0] },
            playouts: Playouts::Compiled,
            source: Source::Native,
            engine: "native",
        }
    }

    /// The number of seats.
    #[inline]
    pub fn seats(&self) -> usize {
        self.players.len()
    }

    /// The result that the field writes for a payoff, see [`Info::returns`].
    #[inline]
    pub fn result(&self, payoff: f32) -> f32 {
        let [least, most] = self.returns;
        least + payoff * (most - least)
    }

    /// The name of a seat.
    pub fn player(&self, player: Player) -> &str {
        self.players.get(player.index()).map_or("?", |name| name.as_str())
    }
}

/// The rules of a game: immutable, shared by reference; the state is plain data beside it.
///
/// # How a step is made
/// [`turn`](Game::turn) says who chooses. For [`Turn::One`] and [`Turn::Joint`] each mover has
/// at least one of [`moves`](Game::moves); for [`Turn::Chance`] the outcomes and their
/// probabilities are [`chances`](Game::chances). [`apply`](Game::apply) takes the *joint move*:
/// one [`Move`] per mover in seat order (for chance and a single mover: one). Afterwards each
/// player learns its [`percept`](Game::percept).
///
/// # Two ways to make a step
/// [`apply`](Game::apply) is fast and trusts its caller; [`try_apply`](Game::try_apply) checks
/// everything and is for moves from outside. An engine may give wrong answers, but must not
/// break memory, after an illegal `apply`.
///
/// # Hidden information
/// Where [`Info::hidden`] holds, a seat gets one record a step (its own move and its percept) and its legal
/// moves. The number of records is something that the seat sees, and so is the list of its legal moves. A game
/// must guarantee that neither tells more than the percepts do: *for every two worlds in which a seat has made
/// the same moves, has been told the same words and has noticed the same steps, its records and its legal moves
/// are the same.* In particular:
/// - Chance gets a turn whenever, as far as the seat can know, chance may have had a choice; where it had none,
///   the turn has one outcome. (In the Monty Hall game the host can open two doors or only one. If chance had a
///   turn in the first case only, the number of records would tell where the car is.)
/// - A step of others that a seat is not told of makes a record with an empty percept. Their number may differ
///   from world to world only where the rules let all seats notice such a step: [`Game::noticed`] says so.
/// - If the legal moves follow from something hidden, the percept tells them, or the game says that being told them
///   is an observation: [`Info::tells_moves`].
///
/// # Laws
/// They are executable: [`testkit`](crate::testkit). The main ones: move lists have no doubles
/// and come in the same order for equal states; texts parse back; equal positions have equal
/// hashes; states with equal hashes have the same turn, moves and payoffs; payoffs are in 0..=1; random play
/// ends; records and legal moves leak nothing.
pub trait Game: Send + Sync + 'static {
    /// A position: plain data without history, random generator or shared pointers. `clone_from`
    /// should reuse memory, searches call it once a simulation.
    type State: Clone + Send + Sync + 'static;

    /// Players, kinds of turns and what else is fixed before the first move.
    fn info(&self) -> &Info;

    /// The first position.
    fn start(&self) -> Self::State;

    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends `player`'s legal moves to `out`: none twice, in an order that depends on the
    /// state alone. Only asked of players who are to move.
    fn moves(&self, state: &Self::State, player: Player, out: &mut Vec<Move>);

    /// Makes a step. `joint` holds one legal move per mover in seat order.
    fn apply(&self, state: &mut Self::State, joint: &[Move]);

    /// Makes a line of steps that take one move each (one mover, or chance), without looking at
    /// the positions between. One call a line also through [`AnyGame`](crate::AnyGame): a tree
    /// search walks down to its leaf with it.
    #[inline]
    fn apply_line(&self, state: &mut Self::State, line: &[Move]) {
        for mv in line {
            self.apply(state, std::slice::from_ref(mv));
        }
    }

    /// Writes each player's payoff, 0 (worst) to 1 (best); asked only when the game is over.
    fn payoffs(&self, state: &Self::State, out: &mut [f32]);

    /// A 64-bit hash. Equal positions have equal hashes, and equal hashes mean an equal future: the same
    /// turn, moves and payoffs now, and again after the same steps. Whatever the rules can ask for later
    /// (the last move, earlier positions) belongs to it, and nothing else does.
    fn hash(&self, state: &Self::State) -> u64;

    /// A move's text, the same in every state, without spaces around it.
    fn move_text(&self, mv: Move) -> String;

    /// The position as one line of text that [`parse_position`](Game::parse_position) reads.
    fn position(&self, state: &Self::State) -> String;

    /// The position as people type it: rows from the top, as in FEN. [`parse_position`](Game::parse_position) reads it, too. The
    /// past of the position, such as earlier positions that may not come again, is not part of it. `None` where the game has no
    /// such notation beside [`position`](Game::position).
    fn forsyth(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// Reads a position.
    fn parse_position(&self, text: &str) -> Result<Self::State> {
        Err(Error::BadPosition {
            text: text.to_string(),
            reason: format!("{} has no notation for positions", self.info().name),
        })
    }

    /// Appends the outcomes of chance with their probabilities (they add up to 1). Only asked
    /// at [`Turn::Chance`].
    fn chances(&self, state: &Self::State, out: &mut Vec<(Move, f64)>) {
        let _ = (state, out);
    }

    /// A random legal move, uniform over [`moves`](Game::moves). `pad` is scratch space.
    #[inline]
    fn sample(
        &self,
        state: &Self::State,
        player: Player,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
    ) -> Move {
        match Modern::here() {
            Some(cpu) => self.sample_on(cpu, state, player, rng, pad),
            None => self.sample_on(Built, state, player, rng, pad),
        }
    }

    /// As [`sample`](Game::sample), compiled for a kind of processor. Playouts call this. Override it where a move can be drawn
    /// without listing all.
    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        cpu: C,
        state: &Self::State,
        player: Player,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
    ) -> Move {
        let _ = cpu;
        pad.clear();
        self.moves(state, player, pad);
        debug_assert!(!pad.is_empty(), "a player to move has a legal move");
        pad.get(rng.below(pad.len() as u32) as usize).copied().unwrap_or_default()
    }

    /// A random outcome of chance by its probability.
    fn sample_chance(&self, state: &Self::State, rng: &mut Rng) -> Move {
        let mut outcomes = Vec::new();
        self.chances(state, &mut outcomes);
        let mut left = rng.unit();
        for &(mv, probability) in &outcomes {
            left -= probability;
            if left < 0.0 {
                return mv;
            }
        }
        debug_assert!(!outcomes.is_empty(), "a turn of chance has an outcome");
        outcomes.last().map(|&(mv, _)| mv).unwrap_or_default()
    }

    /// Appends what `player` learned from the step `before` --`joint`--> `after`, as words whose
    /// meaning is the game's own. The default is perfect information: each player learns the
    /// whole joint move. A player always knows its own move; it need not be in the percept.
    fn percept(
        &self,
        before: &Self::State,
        joint: &[Move],
        after: &Self::State,
        player: Player,
        out: &mut Vec<u64>,
    ) {
        let _ = (before, after, player);
        out.extend(joint.iter().map(|mv| mv.0));
    }

    /// Does every seat notice the step `before` --`joint`--> `after`, even where its percept says nothing?
    /// See "Hidden information" above. In games with perfect information this does not matter.
    fn noticed(&self, before: &Self::State, joint: &[Move], after: &Self::State) -> bool {
        let _ = (before, joint, after);
        false
    }

    /// Finds for each of `trials` the first joint move that explains `player`'s observation. Appends its number
    /// and the state after it to `out`, or `None` where no joint move does. Engines that step many states at
    /// once override this.
    fn explain(
        &self,
        trials: &[Trial<'_, Self::State>],
        player: Player,
        out: &mut Vec<Option<(usize, Self::State)>>,
    ) {
        trial::one_by_one(self, trials, player, out);
    }

    /// A percept for people.
    fn percept_text(&self, words: &[u64]) -> String {
        words.iter().map(|&word| self.move_text(Move(word))).collect::<Vec<_>>().join(" ")
    }

    /// A key for statistics about actions (MAST, GRAVE, history): the same for the same action
    /// in other states, below [`Info::action_keys`] where that is given.
    #[inline]
    fn action_key(&self, state: &Self::State, player: Player, mv: Move) -> u64 {
        let _ = state;
        mix(mv.0 ^ u64::from(player.0) << 56)
    }

    /// The action numbers of the game; see [`encode`](mod@encode). The default numbers the legal moves of each position in
    /// the order of their list, with room for twice as many as random games have shown.
    fn action_space(&self) -> ActionSpace
    where
        Self: Sized,
    {
        ActionSpace::slots(encode::widest(self, 20, 200, Seed(0xac7)).saturating_mul(2))
    }

    /// Appends the action number of each of `legal`, the whole list of a seat's legal moves: all different, and below the
    /// size of [`action_space`](Game::action_space) where the list is not longer than the space foresees.
    #[inline]
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(0..legal.len() as u32);
    }

    /// The layout of observations. The default has none.
    fn encoding(&self) -> Encoding {
        Encoding::default()
    }

    /// Appends the features of what a seat sees, each below the width of [`encoding`](Game::encoding) and at most once.
    /// Where seats have the same role, features are relative to the seat: its own pieces come first.
    #[inline]
    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features)
    where
        Self: Sized,
    {
        let _ = (view, out);
    }

    /// Plays random moves from `state` until the game is over; see [`playout`](mod@playout).
    /// One call a playout also through [`AnyGame`](crate::AnyGame).
    fn playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32> {
        match Modern::here() {
            Some(cpu) => cpu.run(
                #[inline(always)]
                || self.playout_on(cpu, state, rng, pad, longest),
            ),
            None => self.playout_on(Built, state, rng, pad, longest),
        }
    }

    /// As [`playout`](Game::playout), compiled for a kind of processor. Engines with playouts of their own override this.
    #[inline(always)]
    fn playout_on<C: Cpu>(
        &self,
        cpu: C,
        state: &mut Self::State,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
        longest: u32,
    ) -> Option<u32> {
        playout::playout_on(cpu, self, state, rng, pad, longest)
    }

    /// As [`playout`](Game::playout), with the moves chosen by `guide`. One call a playout also
    /// through [`AnyGame`](crate::AnyGame).
    fn guided_playout(
        &self,
        state: &mut Self::State,
        rng: &mut Rng,
        pads: &mut Pads,
        longest: u32,
        guide: &mut dyn Guide,
    ) -> Option<u32> {
        playout::guided(self, state, rng, pads, longest, guide)
    }

    /// Plays `n` random games from each of `starts` and appends the results to `out`, all
    /// `n` of the first start before those of the second. The same seed gives the same results.
    /// Engines that step many states at once override this.
    fn playouts(&self, starts: &[Self::State], n: usize, seed: Seed, out: &mut Outcomes) {
        playout::one_by_one(self, starts, n, seed, out);
    }

    /// The board for people, as `viewer` may see it (`None`: everything).
    fn draw(&self, state: &Self::State, viewer: Option<Player>) -> String {
        match viewer {
            Some(_) if self.info().hidden => String::from("(hidden)"),
            _ => self.position(state),
        }
    }

    /// The fixed part of a drawing of this game: sites, kinds of pieces, how to paint them. The default has no board:
    /// [`view`](Game::view) then gives facts as text.
    fn scene(&self) -> Scene {
        Scene { players: self.info().players.clone(), ..Scene::default() }
    }

    /// The position as `viewer` may see it (`None`: everything), in the sites and pieces of [`scene`](Game::scene).
    fn view(&self, state: &Self::State, viewer: Option<Player>) -> scene::View {
        let turn = self.turn(state);
        scene::View {
            movers: scene::movers(self.info(), turn, viewer),
            over: turn == Turn::Over,
            facts: self.draw(state, viewer),
            ..scene::View::default()
        }
    }

    /// The sites of [`scene`](Game::scene) at which a move begins and ends.
    fn move_sites(&self, mv: Move) -> MoveSites {
        let _ = mv;
        MoveSites::default()
    }

    /// The position as JSON. The default wraps the notation.
    fn json(&self, state: &Self::State) -> serde_json::Value {
        serde_json::json!({ "game": self.info().name, "position": self.position(state) })
    }

    /// Reads what [`json`](Game::json) wrote.
    fn parse_json(&self, json: &serde_json::Value) -> Result<Self::State> {
        match json.get("position").and_then(|p| p.as_str()) {
            Some(text) => self.parse_position(text),
            None => Err(Error::BadPosition {
                text: json.to_string(),
                reason: "expected an object with a string `position`".into(),
            }),
        }
    }

    /// The names of the terms that describe a position to a heuristic (`material`, ...).
    fn terms(&self) -> &[&'static str] {
        &[]
    }

    /// Writes the value of each of [`terms`](Game::terms): `player`'s advantage over the
    /// others, -1..=1.
    fn evaluate(&self, state: &Self::State, player: Player, out: &mut [f32]) {
        let _ = (state, player, out);
    }

    /// As [`evaluate`](Game::evaluate), but only the terms that are wanted need a value; others may be 0. Override it where
    /// some terms cost much more than others.
    fn evaluate_some(&self, state: &Self::State, player: Player, wanted: &[bool], out: &mut [f32]) {
        let _ = wanted;
        self.evaluate(state, player, out);
    }

    /// Should the weights of the terms be fitted to random play? The rules of such a game are not known beforehand, so no
    /// person has chosen weights.
    fn fits_terms(&self) -> bool {
        false
    }

    /// Named numbers that describe the game itself to a model.
    fn features(&self) -> Features {
        Features::of_info(self.info())
    }

    /// Is the game over?
    #[inline]
    fn is_over(&self, state: &Self::State) -> bool {
        matches!(self.turn(state), Turn::Over)
    }

    /// Finds the legal move of `player` with this text; upper and lower case are the same
    /// where that leaves no doubt.
    fn parse_move(&self, state: &Self::State, player: Player, text: &str) -> Result<Move> {
        let mut legal = Vec::new();
        if self.turn(state).includes(player) {
            self.moves(state, player, &mut legal);
        }
        find_text(self, &legal, text, self.info().player(player))
    }

    /// Finds the outcome of chance with this text, by the same rule as
    /// [`parse_move`](Game::parse_move).
    fn parse_chance(&self, state: &Self::State, text: &str) -> Result<Move> {
        let mut outcomes = Vec::new();
        if self.turn(state) == Turn::Chance {
            self.chances(state, &mut outcomes);
        }
        let possible: Vec<Move> = outcomes.iter().map(|&(mv, _)| mv).collect();
        find_text(self, &possible, text, "chance")
    }

    /// Checks that `joint` has one legal move per mover, or a possible outcome of chance.
    ///
    /// # Errors
    /// [`Error::IllegalMove`] with a hint at what would be legal.
    fn check(&self, state: &Self::State, joint: &[Move]) -> Result<()> {
        let turn = self.turn(state);
        let illegal = |player: &str, hint: String| Error::IllegalMove {
            text: joint.first().map_or_else(|| "(none)".into(), |&mv| self.move_text(mv)),
            player: player.to_string(),
            hint,
        };
        match turn {
            Turn::Over => Err(illegal("anyone", "the game is over".into())),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.chances(state, &mut outcomes);
                outcomes.retain(|&(_, probability)| probability > 0.0);
                let possible: Vec<Move> = outcomes.iter().map(|&(mv, _)| mv).collect();
                match joint {
                    [mv] => check_listed(self, &possible, *mv, "chance"),
                    _ => Err(illegal("chance", count_hint(1, joint.len()))),
                }
            }
            Turn::One(_) | Turn::Joint(_) => {
                let movers = turn.movers();
                if joint.len() != movers.len() {
                    return Err(illegal("the movers", count_hint(movers.len(), joint.len())));
                }
                let mut legal = Vec::new();
                for (player, &mv) in movers.iter().zip(joint) {
                    legal.clear();
                    self.moves(state, player, &mut legal);
                    check_listed(self, &legal, mv, self.info().player(player))?;
                }
                Ok(())
            }
        }
    }

    /// Makes a step after [checking](Game::check) it. On error the state is unchanged.
    fn try_apply(&self, state: &mut Self::State, joint: &[Move]) -> Result<()> {
        self.check(state, joint)?;
        self.apply(state, joint);
        Ok(())
    }
}

/// The move of `listed` whose text is `text`: exactly, or else the only one that differs in upper and
/// lower case alone.
fn find_text<G: Game + ?Sized>(
    game: &G,
    listed: &[Move],
    text: &str,
    player: &str,
) -> Result<Move> {
    let text = text.trim();
    let named: Vec<(Move, String)> = listed.iter().map(|&mv| (mv, game.move_text(mv))).collect();
    let exact = named.iter().find(|(_, name)| name == text);
    let mut folded = named.iter().filter(|(_, name)| name.eq_ignore_ascii_case(text));
    let found = exact.or_else(|| folded.next().filter(|_| folded.next().is_none()));
    found.map(|&(mv, _)| mv).ok_or_else(|| Error::IllegalMove {
        text: text.to_string(),
        player: player.to_string(),
        hint: legal_hint(game, listed),
    })
}

/// Is `mv` one of `listed`?
fn check_listed<G: Game + ?Sized>(game: &G, listed: &[Move], mv: Move, player: &str) -> Result<()> {
    if listed.contains(&mv) {
        return Ok(());
    }
    Err(Error::IllegalMove {
        text: game.move_text(mv),
        player: player.to_string(),
        hint: legal_hint(game, listed),
    })
}

/// Says that a joint move has the wrong number of moves.
pub(crate) fn count_hint(due: usize, given: usize) -> String {
    match due {
        1 => format!("1 move is due, not {given}"),
        _ => format!("{due} moves are due, not {given}"),
    }
}

/// Names a few legal moves.
fn legal_hint<G: Game + ?Sized>(game: &G, legal: &[Move]) -> String {
    if legal.is_empty() {
        return "no move is due from this player here".into();
    }
    let mut names: Vec<String> = legal.iter().take(8).map(|&mv| game.move_text(mv)).collect();
    if legal.len() > names.len() {
        names.push("...".into());
    }
    format!("legal here: {}", names.join(", "))
}
