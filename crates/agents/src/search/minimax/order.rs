//! Move ordering: moves that refuted sibling positions are tried first.

use ludex_core::{Game, Move, Player};

/// Killer moves by ply and the history of cut-offs by action.
#[derive(Debug, Clone)]
pub struct Order {
    killers: Vec<[Move; 2]>,
    history: Vec<u32>,
}

/// More action keys than this share places.
const MOST_KEYS: u32 = 1 << 16;

impl Order {
    /// Nothing learned yet.
    pub fn new<G: Game>(game: &G) -> Self {
        let keys = game.info().action_keys.unwrap_or(MOST_KEYS).clamp(1, MOST_KEYS);
        Order { killers: Vec::new(), history: vec![0; keys as usize] }
    }

    /// A new search: killers go, old history counts less.
    pub fn age(&mut self) {
        self.killers.clear();
        for count in &mut self.history {
            *count /= 8;
        }
    }

    fn place(&self, key: u64) -> usize {
        (key % self.history.len() as u64) as usize
    }

    /// Puts the likely best first: the table's move, killers, then by history. Equals keep
    /// their order.
    pub fn sort<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        player: Player,
        ply: usize,
        first: Option<Move>,
        moves: &mut [(u32, Move)],
    ) {
        let killers = self.killers.get(ply);
        for (score, mv) in moves.iter_mut() {
            *score = if Some(*mv) == first {
                u32::MAX
            } else if killers.is_some_and(|pair| pair[0] == *mv) {
                u32::MAX - 1
            } else if killers.is_some_and(|pair| pair[1] == *mv) {
                u32::MAX - 2
            } else {
                self.history[self.place(game.action_key(state, player, *mv))]
            };
        }
        moves.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    }

    /// `mv` cut off a search of this depth.
    pub fn reward<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        ply: usize,
        depth: u32,
        mv: Move,
    ) {
        if self.killers.len() <= ply {
            // A move that no game is likely to have; if one has it, only the order suffers.
            self.killers.resize(ply + 1, [Move(u64::MAX); 2]);
        }
        let pair = &mut self.killers[ply];
        if pair[0] != mv {
            *pair = [mv, pair[0]];
        }
        let place = self.place(game.action_key(state, player, mv));
        let count = &mut self.history[place];
        *count = (*count + depth * depth).min(1 << 24);
    }
}
