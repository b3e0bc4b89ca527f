//! The hexagon as a scene.

use super::hexes::{NEAR, PLACE};
use super::{Action, State};
use crate::bits::indices;
use ludex_core::Move;
use ludex_core::scene::{Container, MoveSites, Painter, Piece, Placed, Scene, Site, Stack, View};

/// The kinds of tokens: upper's rock, paper and scissors, then lower's.
const SYMBOLS: [(&str, &str); 3] = [("rock", "R"), ("paper", "P"), ("scissors", "S")];

/// The centre of a hex, in board units.
fn centre((r, q): (i32, i32)) -> (f32, f32) {
    (q as f32 + r as f32 / 2.0, r as f32 * 3f32.sqrt() / 2.0)
}

pub(super) fn scene(players: &[String]) -> Scene {
    let radius = 1.0 / 3f32.sqrt();
    let site = |n: usize| {
        let (x, y) = centre(PLACE[n]);
        let corner = |k: u32| {
            let angle = (f64::from(k) * 60.0 + 30.0).to_radians() as f32;
            [x + radius * angle.cos(), y + radius * angle.sin()]
        };
        let way = |other: u32| {
            let (to_x, to_y) = centre(PLACE[other as usize]);
            let sixth = ((to_y - y).atan2(to_x - x).to_degrees() / 60.0).round() as i32;
            let name = ["E", "NE", "NW", "W", "SW", "SE"][sixth.rem_euclid(6) as usize];
            (name.to_string(), other as usize)
        };
        let (r, q) = PLACE[n];
        Site {
            x,
            y,
            corners: (0..6).map(corner).collect(),
            label: format!("{r},{q}"),
            neighbours: indices(NEAR[n]).map(way).collect(),
            ..Site::default()
        }
    };
    let piece = |seat: usize| {
        SYMBOLS.map(|(name, letter)| {
            let who = players.get(seat).map_or("", String::as_str);
            Piece::new(&format!("{who} {name}"), name, letter, Some(seat as u8))
        })
    };
    Scene {
        painter: Painter::Cells,
        stack: Stack::Fan,
        containers: vec![Container { name: "board".into(), ..Container::default() }],
        sites: (0..PLACE.len()).map(site).collect(),
        pieces: [piece(0), piece(1)].concat(),
        players: players.to_vec(),
        ..Scene::default()
    }
}

pub(super) fn view(state: &State, players: &[String]) -> View {
    let mut pieces = Vec::new();
    for hex in indices(state.sides[0] | state.sides[1]) {
        let symbol = state.symbol_at(hex as u8).min(2);
        for seat in 0..2 {
            let count = u32::from(state.counts[seat][hex as usize]);
            if count > 0 {
                let placed = Placed::new(hex as usize, seat * 3 + symbol);
                pieces.push(Placed { count, ..placed });
            }
        }
    }
    let throws = |(seat, name): (usize, &String)| {
        (format!("throws of {name}"), format!("{} of {}", state.used[seat], super::THROWS))
    };
    View {
        pieces,
        counters: players.iter().take(2).enumerate().map(throws).collect(),
        ..View::default()
    }
}

pub(super) fn move_sites(mv: Move) -> MoveSites {
    match Action::unpack(mv) {
        Action::Throw { to, .. } => MoveSites { from: None, to: Some(to.into()) },
        Action::Slide { from, to } | Action::Swing { from, to } => {
            MoveSites { from: Some(from.into()), to: Some(to.into()) }
        }
    }
}
