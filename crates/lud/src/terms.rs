//! Terms that describe a position to a heuristic, computed from the board and the rules of any description.
//!
//! | term | a player's part of it |
//! |---|---|
//! | `material` | pieces by their value: 1 and the moves that such a piece has in random play, on average |
//! | `score` | the score that the rules keep |
//! | `centre`, `corners`, `sides` | how near the pieces are to these parts of the board, on average |
//! | `advance` | how far the pieces are up the board for the first player, down for the others, on average |
//! | `region` | how near the pieces are to the player's own regions, on average |
//! | `line` | rows of three neighbouring sites without enemy pieces, by the square of the own pieces in them |
//! | `held` | the number of pieces on the player's own regions, whoever owns them |
//! | `mover` | 1 for the player to move |
//! | `mobility` | the moves that the player has, or would have if it were the player's turn |
//! | `influence` | the sites at which these moves end |
//! | `safe` | pieces by their value on sites at which no move of another player ends |
//!
//! The value of a term is the player's part less the mean of the others' parts, divided by the sum of both.

use crate::engine::{Lud, Moves, Pad, State};
use ludex_core::Seed;
use ludex_core::terms::{self, Geometry, Point};
use std::cell::RefCell;
use std::sync::OnceLock;

/// The names of the terms.
pub(crate) const NAMES: [&str; 13] = [
    "material",
    "score",
    "centre",
    "corners",
    "sides",
    "advance",
    "region",
    "line",
    "held",
    "mover",
    "mobility",
    "influence",
    "safe",
];

const MATERIAL: usize = 0;
const SCORE: usize = 1;
const CENTRE: usize = 2;
const CORNERS: usize = 3;
const SIDES: usize = 4;
const ADVANCE: usize = 5;
const REGION: usize = 6;
const LINE: usize = 7;
const HELD: usize = 8;
const MOVER: usize = 9;
const MOBILITY: usize = 10;
const INFLUENCE: usize = 11;
const SAFE: usize = 12;

/// Tables of one game.
#[derive(Debug)]
pub(crate) struct Terms {
    geometry: Geometry,
    /// By player and site: nearness to the player's regions, 0 to 1; empty without such regions.
    region: Vec<Vec<f32>>,
    /// By player: the sites of the player's regions.
    regions: Vec<Vec<usize>>,
    /// By component: its value, worked out when it is first asked for.
    values: OnceLock<Vec<f32>>,
}

/// Memory of a thread for the listing of moves.
#[derive(Default)]
struct Desk {
    pad: Pad,
    moves: Moves,
    state: State,
    /// By player, from 0: what the player's moves reach.
    reach: Vec<Reach>,
}

/// The sites that the moves of a player reach.
#[derive(Default)]
struct Reach {
    moves: usize,
    /// By site: does a move end there?
    ends: Vec<bool>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

impl Terms {
    /// The tables of a game; `regions` lists the sites of each player's regions.
    pub(crate) fn new(lud: &Lud, regions: &[Vec<usize>]) -> Terms {
        let equipment = &lud.equipment;
        let elements = equipment.elements();
        let points: Vec<Point> = elements.iter().map(|element| element.centre).collect();
        let named = &equipment.named;
        let neighbours =
            |site: usize| elements.get(site).map_or(&[][..], |element| &element.adjacent);
        let middle = equipment.board.graph.middle();
        let geometry = Geometry::new(&points, middle, &named.corners, &named.outer, neighbours);
        let nearness = |sites: &Vec<usize>| match sites.is_empty() {
            true => Vec::new(),
            false => terms::nearness(&points, &terms::at(&points, sites)),
        };
        let region = regions.iter().map(nearness).collect();
        Terms { geometry, region, regions: regions.to_vec(), values: OnceLock::new() }
    }

    /// The values of the wanted terms for a player, from 1.
    pub(crate) fn evaluate(
        &self,
        lud: &Lud,
        state: &State,
        me: usize,
        wanted: &[bool],
        out: &mut [f32],
    ) {
        let players = lud.rules.layout.players;
        let wants = |term: usize| wanted.get(term).copied().unwrap_or(false);
        if wants(MOBILITY) || wants(INFLUENCE) || wants(SAFE) {
            look_around(lud, state);
        }
        for (term, slot) in out.iter_mut().enumerate().take(NAMES.len()) {
            *slot = 0.0;
            if !wants(term) {
                continue;
            }
            let (mut mine, mut others) = (0.0, 0.0);
            for player in 1..=players {
                let part = self.part(lud, state, player, term);
                *(if player == me { &mut mine } else { &mut others }) += part;
            }
            others /= (players as f32 - 1.0).max(1.0);
            *slot = terms::balance(mine, others);
        }
    }

    /// A player's part of a term.
    fn part(&self, lud: &Lud, state: &State, player: usize, term: usize) -> f32 {
        let layout = lud.rules.layout;
        let pieces = || state.sites_of(layout, player).map(|site| (site, state.cell(site)));
        // Means, not sums: a sum would tell the number of pieces once more.
        let mean = |value: &dyn Fn(usize) -> f32| -> f32 {
            let (mut sum, mut count) = (0.0, 0.0f32);
            for (site, _) in pieces() {
                sum += value(site as usize);
                count += 1.0;
            }
            sum / count.max(1.0)
        };
        let of = |table: &[f32]| mean(&|site| table.get(site).copied().unwrap_or(0.0));
        let worth = |of: &dyn Fn(usize) -> bool| -> f32 {
            let values = self.values(lud);
            let value = |what: u16| values.get(usize::from(what)).copied().unwrap_or(1.0);
            let counted = pieces().filter(|(site, _)| of(*site as usize));
            counted.map(|(_, cell)| value(cell.what) * f32::from(cell.count.max(1))).sum()
        };
        match term {
            MATERIAL => worth(&|_| true),
            SCORE => state.numbers.get(layout.score(player)).copied().unwrap_or(0) as f32,
            CENTRE => of(&self.geometry.centre),
            CORNERS => of(&self.geometry.corners),
            SIDES => of(&self.geometry.sides),
            ADVANCE => mean(&|site| self.geometry.advance(site, player == 1)),
            REGION => self.region.get(player - 1).map_or(0.0, |table| of(table)),
            LINE => self.geometry.lines(|site| {
                let what = usize::from(state.cell(site as i32).what);
                let owner = lud.equipment.owners.get(what).copied().unwrap_or(0);
                (what != 0).then_some(usize::from(owner) == player)
            }),
            HELD => {
                let sites = self.regions.get(player - 1).into_iter().flatten();
                sites.map(|&site| f32::from(state.cell(site as i32).count)).sum()
            }
            MOVER => f32::from(u8::from(state.s.mover == player)),
            MOBILITY => reached(player, |reach| reach.moves as f32),
            INFLUENCE => {
                reached(player, |reach| reach.ends.iter().filter(|end| **end).count() as f32)
            }
            SAFE => DESK.with_borrow(|desk| {
                let others = || desk.reach.iter().enumerate().filter(|(at, _)| at + 1 != player);
                let is_end = |reach: &Reach, site: usize| reach.ends.get(site) == Some(&true);
                worth(&|site| !others().any(|(_, reach)| is_end(reach, site)))
            }),
            _ => 0.0,
        }
    }

    /// The value of each component: 1 and the moves of such a piece in random play, on average.
    fn values(&self, lud: &Lud) -> &[f32] {
        self.values.get_or_init(|| {
            let kinds = lud.equipment.components.len();
            let (mut moves_of, mut pieces_of) = (vec![0.0f32; kinds], vec![0.0f32; kinds]);
            let mut rng = Seed(0x7e7).rng();
            let (mut pad, mut moves) = (Pad::default(), Moves::default());
            let mut listed = 0;
            'games: for _ in 0..VALUE_GAMES {
                let mut state = lud.start();
                for _ in 0..VALUE_PLIES {
                    if lud.legal(&mut state, &mut pad, &mut moves) || moves.heads.is_empty() {
                        break;
                    }
                    let mover = state.s.mover;
                    for head in moves.heads.iter().filter(|head| head.from != head.to) {
                        let what = usize::from(state.cell(head.from).what);
                        if what > 0 {
                            moves_of[what] += 1.0;
                        }
                    }
                    for site in state.sites_of(lud.rules.layout, mover) {
                        pieces_of[usize::from(state.cell(site).what)] += 1.0;
                    }
                    listed += moves.heads.len();
                    if listed > VALUE_MOVES {
                        break 'games;
                    }
                    let made = lud.run(&mut state, &mut pad, &mut moves, 1, |n| rng.index(n));
                    if made == 0 || state.s.over {
                        break;
                    }
                }
            }
            let counted = moves_of.iter().zip(&pieces_of);
            let kinds: Vec<(&str, f32, f32)> = lud
                .equipment
                .components
                .iter()
                .zip(counted)
                .map(|(component, (&moves, &pieces))| (component.stem.as_str(), moves, pieces))
                .collect();
            terms::piece_values(&kinds)
        })
    }
}

/// The random play behind the values of pieces: games, plies of each, and moves that are listed in all.
const VALUE_GAMES: usize = 12;
const VALUE_PLIES: usize = 80;
const VALUE_MOVES: usize = 40_000;

/// Lists the moves of every player, as if it were that player's turn, and keeps what they reach in the desk of this thread.
fn look_around(lud: &Lud, state: &State) {
    let players = lud.rules.layout.players;
    let sites = state.cells.len();
    DESK.with_borrow_mut(|desk| {
        let Desk { pad, moves, state: copy, reach } = desk;
        reach.resize_with(players, Reach::default);
        for (player, reach) in (1..=players).zip(reach) {
            copy.clone_from(state);
            let s = &mut copy.s;
            if s.mover != player {
                (s.mover, s.next) = (player, s.mover);
            }
            reach.ends.clear();
            reach.ends.resize(sites, false);
            let none = lud.legal(copy, pad, moves);
            reach.moves = if none { 0 } else { moves.heads.len() };
            for head in moves.heads.iter().take(reach.moves) {
                let end = usize::try_from(head.to).ok().and_then(|to| reach.ends.get_mut(to));
                end.into_iter().for_each(|end| *end = true);
            }
        }
    });
}

/// A number of what a player's moves reach.
fn reached(player: usize, number: impl Fn(&Reach) -> f32) -> f32 {
    DESK.with_borrow(|desk| desk.reach.get(player - 1).map_or(0.0, number))
}
