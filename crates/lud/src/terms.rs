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
//! | `mobility` | the moves that the player has, or would have if it were the player's turn |
//!
//! The value of a term is the player's part less the mean of the others' parts, divided by the sum of both.

use crate::engine::{Lud, Moves, Pad, State};
use ludex_core::Seed;
use std::cell::RefCell;
use std::sync::OnceLock;

/// The names of the terms.
pub(crate) const NAMES: [&str; 9] =
    ["material", "score", "centre", "corners", "sides", "advance", "region", "line", "mobility"];

const MATERIAL: usize = 0;
const SCORE: usize = 1;
const CENTRE: usize = 2;
const ADVANCE: usize = 5;
const REGION: usize = 6;
const LINE: usize = 7;
const MOBILITY: usize = 8;

/// Tables of one game.
#[derive(Debug)]
pub(crate) struct Terms {
    /// By site: nearness to the centre, to a corner and to the border, 0 to 1.
    near: [Vec<f32>; 3],
    /// By site: the height on the board, 0 to 1.
    height: Vec<f32>,
    /// By player and site: nearness to the player's regions, 0 to 1; empty without such regions.
    region: Vec<Vec<f32>>,
    /// Rows of three neighbouring sites.
    rows: Vec<[u32; 3]>,
    /// By component: its value, worked out when it is first asked for.
    values: OnceLock<Vec<f32>>,
}

/// Memory of a thread for the listing of moves.
#[derive(Default)]
struct Desk {
    pad: Pad,
    moves: Moves,
    state: State,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

impl Terms {
    /// The tables of a game; `regions` lists the sites of each player's regions.
    pub(crate) fn new(lud: &Lud, regions: &[Vec<usize>]) -> Terms {
        let equipment = &lud.equipment;
        let elements = equipment.elements();
        let points: Vec<[f64; 3]> = elements.iter().map(|element| element.centre).collect();
        let middle = equipment.board.graph.middle();
        let named = &equipment.named;
        let near = [
            nearness(&points, &[middle]),
            nearness(&points, &at(&points, &named.corners)),
            nearness(&points, &at(&points, &named.outer)),
        ];
        let low = points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
        let height =
            points.iter().map(|p| ((p[1] - low) / (high - low).max(1e-9)) as f32).collect();
        let region = regions
            .iter()
            .map(|sites| match sites.is_empty() {
                true => Vec::new(),
                false => nearness(&points, &at(&points, sites)),
            })
            .collect();
        let mut rows = Vec::new();
        for (b, element) in elements.iter().enumerate() {
            for (i, &a) in element.adjacent.iter().enumerate() {
                for &c in element.adjacent.iter().skip(i + 1) {
                    if opposite(points.get(a), points.get(b), points.get(c)) {
                        rows.push([a as u32, b as u32, c as u32]);
                    }
                }
            }
        }
        rows.truncate(MOST_ROWS);
        Terms { near, height, region, rows, values: OnceLock::new() }
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
        for (term, slot) in out.iter_mut().enumerate().take(NAMES.len()) {
            *slot = 0.0;
            if !wanted.get(term).copied().unwrap_or(false) {
                continue;
            }
            let (mut mine, mut others) = (0.0, 0.0);
            for player in 1..=players {
                let part = self.part(lud, state, player, term);
                *(if player == me { &mut mine } else { &mut others }) += part;
            }
            others /= (players as f32 - 1.0).max(1.0);
            let scale: f32 = f32::abs(mine) + f32::abs(others);
            if scale > 0.0 {
                *slot = ((mine - others) / scale).clamp(-1.0, 1.0);
            }
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
        match term {
            MATERIAL => {
                let values = self.values(lud);
                let worth = |what: u16| values.get(usize::from(what)).copied().unwrap_or(1.0);
                pieces().map(|(_, cell)| worth(cell.what) * f32::from(cell.count.max(1))).sum()
            }
            SCORE => state.numbers.get(layout.score(player)).copied().unwrap_or(0) as f32,
            CENTRE..ADVANCE => self.near.get(term - CENTRE).map_or(0.0, |table| of(table)),
            ADVANCE => mean(&|site| {
                let height = self.height.get(site).copied().unwrap_or(0.5);
                if player == 1 { height } else { 1.0 - height }
            }),
            REGION => self.region.get(player - 1).map_or(0.0, |table| of(table)),
            LINE => self.lines(lud, state, player),
            MOBILITY => moves_of(lud, state, player) as f32,
            _ => 0.0,
        }
    }

    /// Rows without enemy pieces, by the square of the own pieces in them.
    fn lines(&self, lud: &Lud, state: &State, player: usize) -> f32 {
        let mut sum = 0;
        for row in &self.rows {
            let (mut own, mut enemy) = (0u32, false);
            for &site in row {
                let what = usize::from(state.cell(site as i32).what);
                let owner = lud.equipment.owners.get(what).copied().unwrap_or(0);
                own += u32::from(usize::from(owner) == player);
                enemy |= what != 0 && usize::from(owner) != player;
            }
            sum += if enemy { 0 } else { own * own };
        }
        sum as f32
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
            let value = |(moves, pieces): (&f32, &f32)| {
                if *pieces > 0.0 { 1.0 + moves / pieces } else { 1.0 }
            };
            moves_of.iter().zip(&pieces_of).map(value).collect()
        })
    }
}

/// The most rows of three sites: larger boards are judged by a part of them.
const MOST_ROWS: usize = 4096;

/// The random play behind the values of pieces: games, plies of each, and moves that are listed in all.
const VALUE_GAMES: usize = 12;
const VALUE_PLIES: usize = 80;
const VALUE_MOVES: usize = 40_000;

/// The moves that a player has, or would have if it were the player's turn.
fn moves_of(lud: &Lud, state: &State, player: usize) -> usize {
    DESK.with_borrow_mut(|desk| {
        desk.state.clone_from(state);
        let s = &mut desk.state.s;
        if s.mover != player {
            (s.mover, s.next) = (player, s.mover);
        }
        match lud.legal(&mut desk.state, &mut desk.pad, &mut desk.moves) {
            true => 0,
            false => desk.moves.heads.len(),
        }
    })
}

fn at(points: &[[f64; 3]], sites: &[usize]) -> Vec<[f64; 3]> {
    sites.iter().filter_map(|&site| points.get(site)).copied().collect()
}

/// By point: how near it is to the nearest of some places, 1 at the place and 0 at the farthest point.
fn nearness(points: &[[f64; 3]], places: &[[f64; 3]]) -> Vec<f32> {
    let distance = |point: &[f64; 3]| {
        places
            .iter()
            .map(|&place| crate::board::graph::distance(*point, place))
            .fold(f64::INFINITY, f64::min)
    };
    let far: Vec<f64> = points.iter().map(distance).collect();
    let most = far.iter().copied().filter(|d| d.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
    far.iter().map(|d| if d.is_finite() { (1.0 - d / most) as f32 } else { 0.0 }).collect()
}

/// Does `b` lie in the middle between `a` and `c`?
fn opposite(a: Option<&[f64; 3]>, b: Option<&[f64; 3]>, c: Option<&[f64; 3]>) -> bool {
    let (Some(a), Some(b), Some(c)) = (a, b, c) else { return false };
    (0..3).all(|axis| (a[axis] + c[axis] - 2.0 * b[axis]).abs() < 0.02)
}
