//! The steps of a game and its variations, as a tree. Each step keeps its position, so that going back costs nothing.

use crate::error::{Error, Result};
use ludex_core::{AnyGame, AnyState, Game, Move, Player, Record, Turn, View};

/// The most steps of a table, variations included.
const MOST_STEPS: usize = 20_000;

/// A position and the step that led to it.
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) ply: u32,
    pub(crate) state: AnyState,
    /// The turn at this node.
    pub(crate) turn: Turn,
    /// The step that led here; empty for the start.
    pub(crate) joint: Vec<Move>,
    /// The records of all seats about the step.
    records: Vec<Record>,
    /// The expected payoff of each seat, where an agent has said so.
    pub(crate) values: Option<Vec<f32>>,
    children: Vec<usize>,
}

/// A game with all variations that were played.
pub(crate) struct Tree {
    game: AnyGame,
    nodes: Vec<Node>,
}

impl Tree {
    pub(crate) fn new(game: AnyGame, origin: AnyState) -> Tree {
        let turn = game.turn(&origin);
        let root = Node {
            parent: None,
            ply: 0,
            state: origin,
            turn,
            joint: Vec::new(),
            records: Vec::new(),
            values: None,
            children: Vec::new(),
        };
        Tree { game, nodes: vec![root] }
    }

    pub(crate) fn game(&self) -> &AnyGame {
        &self.game
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A step by its number.
    ///
    /// # Errors
    /// There is no such step.
    pub(crate) fn node(&self, id: usize) -> Result<&Node> {
        self.nodes.get(id).ok_or_else(|| Error::Missing(format!("there is no step {id}")))
    }

    pub(crate) fn set_values(&mut self, id: usize, values: Vec<f32>) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.values = Some(values);
        }
    }

    /// The steps from the start to `id`, both included.
    pub(crate) fn line(&self, id: usize) -> Vec<usize> {
        let mut line = Vec::new();
        let mut at = Some(id);
        while let Some(node) = at.and_then(|id| self.nodes.get(id)) {
            line.extend(at);
            at = node.parent;
        }
        line.reverse();
        line
    }

    /// Makes a checked step after `at` and returns its number. A step that was made there before is found again.
    ///
    /// # Errors
    /// An illegal step, or too many steps.
    pub(crate) fn play(&mut self, at: usize, joint: &[Move]) -> Result<usize> {
        let before = self.node(at)?;
        let made = before.children.iter().copied();
        let same = |&child: &usize| self.nodes.get(child).is_some_and(|node| node.joint == joint);
        if let Some(child) = made.into_iter().find(same) {
            return Ok(child);
        }
        if self.nodes.len() >= MOST_STEPS {
            return Err(Error::Busy("this table has too many steps; start a new game".into()));
        }
        let mut state = before.state.clone();
        self.game.try_apply(&mut state, joint)?;
        let record = |seat: usize| {
            let seat = Player(seat as u8);
            Record::of_step(&self.game, &before.state, before.turn, joint, &state, seat)
        };
        let records = (0..self.game.info().seats()).map(record).collect();
        let (turn, ply) = (self.game.turn(&state), before.ply + 1);
        let id = self.nodes.len();
        self.nodes.push(Node {
            parent: Some(at),
            ply,
            state,
            turn,
            joint: joint.to_vec(),
            records,
            values: None,
            children: Vec::new(),
        });
        if let Some(before) = self.nodes.get_mut(at) {
            before.children.push(id);
        }
        Ok(id)
    }

    /// The legal moves of a seat; none where it is not to move.
    pub(crate) fn legal(&self, id: usize, seat: Player) -> Vec<Move> {
        let mut out = Vec::new();
        if let Some(node) = self.nodes.get(id)
            && node.turn.includes(seat)
        {
            self.game.moves(&node.state, seat, &mut out);
        }
        out
    }

    /// The record of a seat about the step that led to a node.
    pub(crate) fn record(&self, id: usize, seat: Player) -> Option<&Record> {
        self.nodes.get(id)?.records.get(seat.index())
    }

    /// All that a seat may know at a node, for an agent that thinks in another thread.
    pub(crate) fn sight(&self, id: usize, seat: Player) -> Result<Sight> {
        let line = self.line(id);
        let records = line.iter().filter_map(|&id| self.record(id, seat)).cloned().collect();
        let origin = self.node(0)?.state.clone();
        Ok(Sight {
            game: self.game.clone(),
            origin,
            state: self.node(id)?.state.clone(),
            records,
            legal: self.legal(id, seat),
            seat,
        })
    }

    /// Reads a line of steps after `at`: one line of text a step, ` | ` between moves that are made at once.
    ///
    /// # Errors
    /// The first step that cannot be made.
    pub(crate) fn play_text(&mut self, mut at: usize, text: &str) -> Result<usize> {
        for (index, line) in text.lines().map(str::trim).filter(|l| !l.is_empty()).enumerate() {
            let texts: Vec<&str> = line.split(" | ").map(str::trim).collect();
            let joint = self
                .read_joint(at, &texts)
                .map_err(|error| Error::Bad(format!("step {} (`{line}`): {error}", index + 1)))?;
            at = self.play(at, &joint)?;
        }
        Ok(at)
    }

    fn read_joint(&self, at: usize, texts: &[&str]) -> Result<Vec<Move>> {
        let node = self.node(at)?;
        if node.turn == Turn::Chance {
            let read = |text: &&str| self.game.parse_chance(&node.state, text);
            return Ok(texts.iter().map(read).collect::<ludex_core::Result<_>>()?);
        }
        let movers = node.turn.movers();
        if movers.len() != texts.len() {
            return Err(Error::Bad(format!("{} moves are due", movers.len())));
        }
        let read = |(seat, text): (Player, &&str)| self.game.parse_move(&node.state, seat, text);
        Ok(movers.iter().zip(texts).map(read).collect::<ludex_core::Result<_>>()?)
    }
}

/// All that a seat may know at a point of a game, and the true state for the [`View`] to decide about.
pub(crate) struct Sight {
    pub(crate) game: AnyGame,
    origin: AnyState,
    state: AnyState,
    records: Vec<Record>,
    pub(crate) legal: Vec<Move>,
    pub(crate) seat: Player,
}

impl Sight {
    /// The view of an agent. Only agents that cheat on purpose see the state of a game with hidden information.
    pub(crate) fn view(&self, cheats: bool) -> View<'_, AnyGame> {
        let Sight { game, origin, state, records, legal, seat } = self;
        match cheats {
            true => View::cheating(origin, *seat, records, state, legal),
            false => View::new(game, origin, *seat, records, state, legal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_share_their_beginning_and_equal_steps_are_one() {
        let game = ludex_library::open("tictactoe").unwrap();
        let start = game.start();
        let mut tree = Tree::new(game.clone(), start);
        let legal = tree.legal(0, Player(0));
        let a = tree.play(0, &legal[..1]).unwrap();
        let b = tree.play(0, &legal[1..2]).unwrap();
        assert_ne!(a, b);
        assert_eq!(tree.play(0, &legal[..1]).unwrap(), a);
        assert_eq!(tree.line(b), [0, b]);
        assert!(tree.play(a, &legal[..1]).is_err(), "the cell is taken");
        assert_eq!(tree.len(), 3);
    }

    #[test]
    fn a_line_of_text_is_played() {
        let game = ludex_library::open("rps").unwrap();
        let start = game.start();
        let mut tree = Tree::new(game, start);
        assert!(tree.play_text(0, "rock | paper\n").is_ok());
        let error = tree.play_text(0, "rock | well").unwrap_err().to_string();
        assert!(error.starts_with("step 1 (`rock | well`)"), "{error}");
        assert!(tree.play_text(0, "rock").is_err());
    }

    #[test]
    fn a_sight_of_a_hidden_game_has_no_state() {
        let game = ludex_library::open("kuhn").unwrap();
        let start = game.start();
        let tree = Tree::new(game, start);
        let sight = tree.sight(0, Player(0)).unwrap();
        assert!(sight.view(false).state().is_none());
    }
}
