//! A game on a table: the tree of steps, who sits where, and what each viewer may do.

use crate::error::{Error, Result};
use crate::keys;
use crate::players;
use crate::tree::Tree;
use crate::wire::NewTable;
use ludex_agents::{Agent, AgentSpec};
use ludex_core::deadline::Stop;
use ludex_core::scene::Scene;
use ludex_core::{AnyGame, Game, Info, Move, Player, Seed, Turn};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// A table without a page is kept busy for so long.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest time between two moves of agents.
const SLOWEST: u32 = 60_000;

/// A game on a table.
pub(crate) struct Table {
    pub(crate) id: String,
    /// The name that the page opened the game by.
    pub(crate) name: String,
    pub(crate) game: AnyGame,
    pub(crate) scene: Scene,
    pub(crate) seed: Seed,
    pub(crate) position: Option<String>,
    /// Permits for threads that search.
    pub(crate) searches: Arc<Semaphore>,
    inner: Mutex<Inner>,
    pub(crate) agents: Mutex<Seated>,
    version: watch::Sender<u64>,
    pages: AtomicUsize,
    stop: Mutex<Stop>,
}

/// The agents at the seats, and the epoch in which they sat down.
pub(crate) type Seated = (u64, Vec<Option<Box<dyn Agent<AnyGame>>>>);

/// The part of a table that changes.
pub(crate) struct Inner {
    pub(crate) tree: Tree,
    /// The last step of the game.
    pub(crate) live: usize,
    pub(crate) seats: Vec<Seat>,
    /// Moves that are chosen and not made yet, by seat.
    pub(crate) pending: Vec<Option<Move>>,
    pub(crate) resigned: Option<u8>,
    pub(crate) paused: bool,
    pub(crate) pace: u32,
    pub(crate) note: Option<String>,
    /// Does a thread play for chance and agents?
    pub(crate) driving: bool,
    /// Is everything public, as in a stored game?
    open: bool,
    /// Grows when the game goes back or a seat changes, so that a thought about the old game is dropped.
    pub(crate) epoch: u64,
    pub(crate) last_step: Instant,
    seen: Instant,
}

/// The player at a seat.
pub(crate) enum Seat {
    /// A person who holds this key. The label is shown instead of `human`.
    Person { key: String, label: Option<String> },
    /// An agent, and its name as the page gave it.
    Agent { label: String, spec: Box<AgentSpec> },
}

impl Seat {
    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Seat::Person { .. })
    }

    pub(crate) fn label(&self) -> &str {
        match self {
            Seat::Person { label, .. } => label.as_deref().unwrap_or("human"),
            Seat::Agent { label, .. } => label,
        }
    }
}

/// A page: the seats whose keys it holds, the seat that it looks from, and whether it asks for the whole position.
#[derive(Debug, Clone, Default)]
pub(crate) struct Viewer {
    pub(crate) seats: Vec<u8>,
    pub(crate) seat: Option<u8>,
    pub(crate) reveal: bool,
}

/// How much a viewer may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Eye {
    /// The eye sees everything.
    All,
    /// The view of a seat.
    Seat(Player),
    /// Only that there is a game.
    Blind,
}

/// How a move is named.
pub(crate) enum Named<'a> {
    /// By its index in the list of legal moves.
    Index(usize),
    /// By its text or a short form of it.
    Text(&'a str),
}

impl Table {
    /// Sets up a table.
    ///
    /// # Errors
    /// A position, line or agent that makes no sense.
    pub(crate) fn new(
        game: AnyGame,
        new: &NewTable,
        searches: Arc<Semaphore>,
    ) -> Result<Arc<Table>> {
        let info = game.info().clone();
        let origin = match new.position.as_deref().filter(|text| !text.trim().is_empty()) {
            Some(text) => game.parse_position(text)?,
            None => game.start(),
        };
        let mut tree = Tree::new(game.clone(), origin);
        let live = tree.play_text(0, new.moves.as_deref().unwrap_or_default())?;
        let seat = |index: usize| seat(new.seats.get(index).map_or("human", |s| s), &info);
        let seats: Vec<Seat> = (0..info.seats()).map(seat).collect::<Result<_>>()?;
        let inner = Inner {
            tree,
            live,
            pending: vec![None; seats.len()],
            resigned: None,
            paused: new.paused,
            pace: new.pace.min(SLOWEST),
            note: None,
            driving: false,
            open: false,
            epoch: 0,
            last_step: Instant::now(),
            seen: Instant::now(),
            seats,
        };
        let agents = (0..info.seats()).map(|_| None).collect();
        Ok(Arc::new(Table {
            id: keys::random(),
            name: new.game.clone(),
            scene: game.scene(),
            seed: Seed(new.seed.unwrap_or(1)),
            position: new.position.clone().filter(|text| !text.trim().is_empty()),
            searches,
            inner: Mutex::new(inner),
            agents: Mutex::new((0, agents)),
            version: watch::Sender::new(0),
            pages: AtomicUsize::new(0),
            stop: Mutex::new(Stop::default()),
            game,
        }))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.seen = Instant::now();
        inner
    }

    /// Locks without counting as a sign of life.
    pub(crate) fn lock_idle(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a stored game: people may look at everything, and the seats show the names of those who played.
    pub(crate) fn open_record(&self, labels: &[String]) {
        let mut inner = self.lock();
        inner.open = true;
        for (seat, name) in inner.seats.iter_mut().zip(labels) {
            if let Seat::Person { label, .. } = seat {
                *label = Some(name.clone());
            }
        }
    }

    /// The keys of the human seats.
    pub(crate) fn keys(&self) -> Vec<Option<String>> {
        let key = |seat: &Seat| match seat {
            Seat::Person { key, .. } => Some(key.clone()),
            Seat::Agent { .. } => None,
        };
        self.lock().seats.iter().map(key).collect()
    }

    /// The viewer who holds these keys, with commas between them.
    pub(crate) fn viewer(&self, held: &str, seat: Option<u8>, reveal: bool) -> Viewer {
        let held: Vec<&str> = held.split(',').filter(|key| !key.is_empty()).collect();
        let inner = self.lock();
        let holds = |seat: &Seat| match seat {
            Seat::Person { key, .. } => held.iter().any(|held| keys::same(held, key)),
            Seat::Agent { .. } => false,
        };
        let seats: Vec<u8> =
            (0u8..).zip(&inner.seats).filter(|(_, s)| holds(s)).map(|(i, _)| i).collect();
        let seat = seat.filter(|seat| seats.contains(seat));
        Viewer { seats, seat, reveal }
    }

    /// Tells all pages that something changed.
    pub(crate) fn changed(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    pub(crate) fn version(&self) -> u64 {
        *self.version.borrow()
    }

    /// Counts a page that shows the table, until the guard is dropped.
    pub(crate) fn page(self: &Arc<Self>) -> Page {
        self.pages.fetch_add(1, Ordering::Relaxed);
        Page(self.clone())
    }

    /// Does nothing happen here any more?
    pub(crate) fn is_idle(&self, inner: &Inner) -> bool {
        self.pages.load(Ordering::Relaxed) == 0 && inner.seen.elapsed() > PATIENCE
    }

    /// How long ago a page last asked for the table; zero while a page shows it.
    pub(crate) fn age(&self) -> Duration {
        match self.pages.load(Ordering::Relaxed) {
            0 => self.lock_idle().seen.elapsed(),
            _ => Duration::ZERO,
        }
    }

    /// The flag that ends the thoughts of the agents of this table.
    pub(crate) fn stop_flag(&self) -> Stop {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the thoughts of agents about the game as it was.
    pub(crate) fn interrupt(&self, inner: &mut Inner) {
        inner.epoch += 1;
        inner.pending.fill(None);
        inner.note = None;
        let mut stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        stop.set();
        *stop = Stop::default();
    }

    /// Chooses the move of a seat for a person, and makes the step if all movers have chosen.
    ///
    /// # Errors
    /// The viewer does not hold the seat, the move is not legal, or the seat does not move here.
    pub(crate) fn make(
        &self,
        viewer: &Viewer,
        node: usize,
        seat: u8,
        named: &Named<'_>,
    ) -> Result<()> {
        let mut inner = self.lock();
        if !viewer.seats.contains(&seat) {
            return Err(Error::Forbidden("this seat is not yours".into()));
        }
        if node != inner.live || inner.resigned.is_some() {
            inner.may_branch(&self.game)?;
        }
        let player = Player(seat);
        let legal = inner.tree.legal(node, player);
        let mv = match *named {
            Named::Index(index) => legal.get(index).copied(),
            Named::Text(text) => Some(self.find(&legal, seat, text)?),
        };
        let Some(mv) = mv else {
            let name = self.game.info().player(player);
            return Err(Error::Bad(format!("{name} has no such move here")));
        };
        if node != inner.live {
            self.interrupt(&mut inner);
            inner.live = node;
        }
        inner.resigned = None;
        if let Some(pending) = inner.pending.get_mut(usize::from(seat)) {
            *pending = Some(mv);
        }
        inner.settle()?;
        drop(inner);
        self.changed();
        Ok(())
    }

    /// Takes the last choice of a person back, with the answers to it.
    ///
    /// # Errors
    /// There is nothing to take back, or another person would lose a secret.
    pub(crate) fn undo(&self, viewer: &Viewer) -> Result<()> {
        let mut inner = self.lock();
        inner.may_branch(&self.game)?;
        if viewer.seats.is_empty() && inner.people() > 0 {
            return Err(Error::Forbidden("only a player can take a move back".into()));
        }
        let line = inner.tree.line(inner.live);
        let chose = |&&id: &&usize| {
            let turn = inner.tree.node(id).map_or(Turn::Over, |node| node.turn);
            turn.movers().iter().any(|p| viewer.seats.contains(&p.0) || inner.people() == 0)
        };
        let before = line.iter().rev().skip(1).find(chose).copied();
        let Some(before) = before else {
            return Err(Error::Bad("there is no move to take back".into()));
        };
        self.interrupt(&mut inner);
        inner.live = before;
        inner.resigned = None;
        drop(inner);
        self.changed();
        Ok(())
    }

    /// Makes another step the last one of the game.
    ///
    /// # Errors
    /// There is no such step, or another person would lose a secret.
    pub(crate) fn set_live(&self, viewer: &Viewer, node: usize) -> Result<()> {
        let mut inner = self.lock();
        inner.tree.node(node)?;
        inner.may_branch(&self.game)?;
        if viewer.seats.is_empty() && inner.people() > 0 {
            return Err(Error::Forbidden("only a player can change the game".into()));
        }
        self.interrupt(&mut inner);
        inner.live = node;
        inner.resigned = None;
        drop(inner);
        self.changed();
        Ok(())
    }

    /// A seat gives the game up.
    ///
    /// # Errors
    /// The viewer does not hold the seat, or the game is over.
    pub(crate) fn resign(&self, viewer: &Viewer, seat: u8) -> Result<()> {
        let mut inner = self.lock();
        if !viewer.seats.contains(&seat) {
            return Err(Error::Forbidden("this seat is not yours".into()));
        }
        if inner.is_over() {
            return Err(Error::Bad("the game is over".into()));
        }
        self.interrupt(&mut inner);
        inner.resigned = Some(seat);
        drop(inner);
        self.changed();
        Ok(())
    }

    /// Pauses or resumes the agents, and sets the time between their moves.
    ///
    /// # Errors
    /// The viewer plays no seat at a table where people play.
    pub(crate) fn pause(
        &self,
        viewer: &Viewer,
        paused: Option<bool>,
        pace: Option<u32>,
    ) -> Result<()> {
        let mut inner = self.lock();
        if viewer.seats.is_empty() && inner.people() > 0 {
            return Err(Error::Forbidden("only a player can pause the game".into()));
        }
        if let Some(paused) = paused.filter(|paused| *paused != inner.paused) {
            self.interrupt(&mut inner);
            inner.paused = paused;
        }
        inner.pace = pace.unwrap_or(inner.pace).min(SLOWEST);
        drop(inner);
        self.changed();
        Ok(())
    }

    /// Gives a seat to an agent or to a person.
    ///
    /// # Errors
    /// The viewer plays no seat, the agent cannot play the game, or the seat is another person's.
    pub(crate) fn reseat(&self, viewer: &Viewer, seat: u8, who: &str) -> Result<Option<String>> {
        let new = self::seat(who, self.game.info())?;
        let mut inner = self.lock();
        let people = inner.people();
        let Some(old) = inner.seats.get_mut(usize::from(seat)) else {
            return Err(Error::Missing("there is no such seat".into()));
        };
        let mine = viewer.seats.contains(&seat);
        let allowed = if old.is_person() { mine } else { people == 0 || !viewer.seats.is_empty() };
        if !allowed {
            return Err(Error::Forbidden("this seat is not yours".into()));
        }
        if self.game.info().hidden && new.is_person() && !old.is_person() {
            let text = "in a game with hidden information the seats are given at the start";
            return Err(Error::Forbidden(text.into()));
        }
        let key = match &new {
            Seat::Person { key, .. } => Some(key.clone()),
            Seat::Agent { .. } => None,
        };
        *old = new;
        self.interrupt(&mut inner);
        drop(inner);
        self.changed();
        Ok(key)
    }
}

/// A page that shows a table.
pub(crate) struct Page(Arc<Table>);

impl Drop for Page {
    fn drop(&mut self) {
        let left = self.0.pages.fetch_sub(1, Ordering::Relaxed) - 1;
        if left == 0 {
            self.0.lock_idle().seen = Instant::now();
        }
    }
}

impl Inner {
    /// How many seats people have.
    pub(crate) fn people(&self) -> usize {
        self.seats.iter().filter(|seat| seat.is_person()).count()
    }

    /// Is the game over, by the rules or because a seat resigned?
    pub(crate) fn is_over(&self) -> bool {
        let over = self.tree.node(self.live).is_ok_and(|node| node.turn == Turn::Over);
        over || self.resigned.is_some()
    }

    /// May the game go back to an earlier position?
    ///
    /// # Errors
    /// In a game with hidden information between people it may not: they know more now.
    pub(crate) fn may_branch(&self, game: &AnyGame) -> Result<()> {
        if game.info().hidden && self.people() > 1 && !self.open && !self.is_over() {
            let text = "players with hidden information cannot take moves back";
            return Err(Error::Forbidden(text.into()));
        }
        Ok(())
    }

    /// May a viewer ask for the whole position? Where people play each other with hidden information, only after the end.
    pub(crate) fn may_reveal(&self, game: &AnyGame, viewer: &Viewer) -> bool {
        let people = self.people();
        let alone = people == 0 || people == 1 && !viewer.seats.is_empty();
        !game.info().hidden || self.open || self.is_over() || alone
    }

    /// How much a viewer sees.
    pub(crate) fn eye(&self, game: &AnyGame, viewer: &Viewer) -> Eye {
        if !game.info().hidden || self.open || self.is_over() {
            return Eye::All;
        }
        let wants = viewer.reveal || viewer.seats.is_empty();
        if wants && self.may_reveal(game, viewer) {
            return Eye::All;
        }
        let turn = self.tree.node(self.live).map_or(Turn::Over, |node| node.turn);
        let moving = viewer.seats.iter().find(|&&seat| turn.includes(Player(seat)));
        let seat = viewer.seat.or(moving.copied()).or(viewer.seats.first().copied());
        seat.map_or(Eye::Blind, |seat| Eye::Seat(Player(seat)))
    }

    /// Makes the step if all movers have chosen.
    pub(crate) fn settle(&mut self) -> Result<bool> {
        let movers = self.tree.node(self.live)?.turn.movers();
        if movers.is_empty() {
            return Ok(false);
        }
        let chosen = |p: Player| self.pending.get(p.index()).copied().flatten();
        let Some(joint) = movers.iter().map(chosen).collect::<Option<Vec<Move>>>() else {
            return Ok(false);
        };
        self.pending.fill(None);
        self.advance(&joint)?;
        Ok(true)
    }

    /// Makes a step after the last one.
    pub(crate) fn advance(&mut self, joint: &[Move]) -> Result<usize> {
        self.live = self.tree.play(self.live, joint)?;
        self.last_step = Instant::now();
        Ok(self.live)
    }
}

fn seat(who: &str, info: &Info) -> Result<Seat> {
    Ok(match who.trim() {
        "" | "human" => Seat::Person { key: keys::random(), label: None },
        "usual" => agent(&format!("{}@time=1s", ludex_agents::usual(info)), info)?,
        name => agent(name, info)?,
    })
}

fn agent(name: &str, info: &Info) -> Result<Seat> {
    Ok(Seat::Agent { label: name.to_string(), spec: Box::new(players::read(name, info)?) })
}
