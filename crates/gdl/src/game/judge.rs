//! The values of [terms](crate::terms) in a position of a rule sheet.

use super::{GdlGame, GdlState};
use crate::scene::Layout;
use crate::terms::{self, Board};
use ludex_core::terms::{balance, piece_values};
use ludex_core::{Game, Move, Player, Seed, Turn};

/// The random play behind the values of pieces: games, and steps of each.
const GAMES: usize = 12;
const STEPS: usize = 60;

/// The number of moves that is worth half of the term's greatest value.
const MANY_MOVES: f32 = 16.0;

impl GdlGame {
    /// The board as heuristics see it. Engines that do not ground the rules do not know the facts that it is made of.
    pub(super) fn board(&self) -> Option<&Board> {
        let make = || {
            let engine = &self.shared.engine;
            engine.fact_count()?;
            let layout = self.layout()?;
            let mut board = Board::new(layout, &engine.possible_facts())?;
            let values = self.values(layout, &board);
            board.set_values(|kind| values.get(kind).copied().unwrap_or(1.0));
            Some(board)
        };
        self.shared.board.get_or_init(make).as_ref()
    }

    /// The value of each kind of piece: 1 and the moves of such a piece in random play, on average.
    fn values(&self, layout: &Layout, board: &Board) -> Vec<f32> {
        let kinds = board.kinds();
        let (mut moves_of, mut pieces_of) = (vec![0.0f32; kinds], vec![0.0f32; kinds]);
        let mut rng = Seed(0x7e7).rng();
        let mut legal: Vec<Move> = Vec::new();
        for _ in 0..GAMES {
            let mut state = self.start();
            for _ in 0..STEPS {
                let turn = self.turn(&state);
                if let Turn::One(player) = turn {
                    legal.clear();
                    self.moves(&state, player, &mut legal);
                    let own = || board.standing(&state.facts).filter(|p| p.seat == player.0);
                    own().for_each(|piece| pieces_of[piece.kind] += 1.0);
                    for from in legal.iter().filter_map(|&mv| self.move_sites(mv).from) {
                        let piece = own().find(|piece| piece.site == from);
                        piece.into_iter().for_each(|piece| moves_of[piece.kind] += 1.0);
                    }
                }
                let joint: Vec<Move> = match turn {
                    Turn::Over => break,
                    Turn::Chance => vec![self.sample_chance(&state, &mut rng)],
                    _ => {
                        let movers = turn.movers();
                        movers
                            .iter()
                            .map(|p| self.sample(&state, p, &mut rng, &mut legal))
                            .collect()
                    }
                };
                self.apply(&mut state, &joint);
            }
        }
        let counted = moves_of.iter().zip(&pieces_of).enumerate();
        let kinds: Vec<(&str, f32, f32)> =
            counted.map(|(kind, (&moves, &pieces))| (layout.class(kind), moves, pieces)).collect();
        piece_values(&kinds)
    }

    /// The names of the terms.
    pub(super) fn term_names(&self) -> &'static [&'static str] {
        if self.board().is_some() { &terms::NAMES } else { &terms::PLAIN }
    }

    /// Writes the values of the wanted terms for a player.
    pub(super) fn judge(&self, state: &GdlState, player: Player, wanted: &[bool], out: &mut [f32]) {
        out.fill(0.0);
        let seats = self.shared.role_of.len();
        if let Some(board) = self.board() {
            board.evaluate(&state.facts, player.index(), seats, wanted, out);
        }
        for (i, name) in self.term_names().iter().enumerate() {
            let value = match *name {
                _ if !wanted.get(i).is_some_and(|wanted| *wanted) => continue,
                "score" => self.score(state, player.index()),
                "mobility" => self.mobility(state, player),
                _ => continue,
            };
            out.get_mut(i).into_iter().for_each(|slot| *slot = value);
        }
    }

    /// The goal values of the position, compared.
    fn score(&self, state: &GdlState, seat: usize) -> f32 {
        let engine = &self.shared.engine;
        let (mut own, mut others) = (0.0, 0.0);
        for (at, &role) in self.shared.role_of.iter().enumerate() {
            let goal = f32::from(engine.goal(&state.facts, role).unwrap_or(0));
            *(if at == seat { &mut own } else { &mut others }) += goal;
        }
        balance(own, others / (self.shared.role_of.len() as f32 - 1.0).max(1.0))
    }

    /// Many moves are good for the player who has them, and bad for the others.
    fn mobility(&self, state: &GdlState, player: Player) -> f32 {
        let Turn::One(mover) = self.turn(state) else { return 0.0 };
        let role = self.shared.role_of.get(mover.index());
        let moves = role.map_or(0, |&role| self.legal(state, role).len()) as f32;
        let value = moves / (moves + MANY_MOVES);
        if mover == player { value } else { -value }
    }
}
