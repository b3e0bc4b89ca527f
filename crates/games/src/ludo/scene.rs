//! The board as a scene: the track, a lane to the goal for each player, and the tokens at home.

use super::track::{self, GOAL, HOME, LAST};
use super::{State, spot};
use ludex_core::scene::{
    Container, Painter, Piece, Placed, Scene, Site, Stack, Symbol, View, square,
};

/// Squares of the track.
const TRACK: usize = 52;
/// Squares of a lane, the goal included.
const LANE: usize = 6;

/// The site of a place as its own player sees it; tokens at home have a site each.
fn site(player: usize, place: u8, token: usize) -> usize {
    match place {
        HOME => TRACK + 4 * LANE + player * 4 + token,
        1..=LAST => usize::from(track::square(player, place)),
        _ => TRACK + player * LANE + usize::from(place - LAST - 1).min(LANE - 1),
    }
}

pub(super) fn scene(players: &[String]) -> Scene {
    let cell = |(x, y): (usize, usize), region: Option<u8>, label: String| {
        let (x, y) = (x as f32, 14.0 - y as f32);
        Site { x, y, corners: square(x, y), label, region, ..Site::default() }
    };
    let mut sites = vec![Site::default(); TRACK + 4 * LANE + 16];
    let mut symbols = Vec::new();
    for player in 0..4 {
        let seat = Some(player as u8);
        for place in 1..=GOAL {
            let number = site(player, place, 0);
            let region = seat.filter(|_| place > LAST || place == 1);
            if region.is_some() || sites[number].label.is_empty() {
                let name = players.get(player).map_or("", String::as_str);
                let label = match place {
                    GOAL => format!("goal of {name}"),
                    1..=LAST => format!("{}", number + 1),
                    _ => format!("lane of {name}, {}", place - LAST),
                };
                let at = if place == GOAL { goal(player) } else { spot(player, place) };
                sites[number] = cell(at, region, label);
            }
            if player == 0 && place <= LAST && matches!(place % 13, 6 | 12) {
                symbols.push(Symbol { site: number, text: "star".into() });
            }
        }
        for token in 0..4 {
            let corner = [(11, 2), (11, 11), (2, 11), (2, 2)][player];
            let at = (corner.0 + token % 2, corner.1 + token / 2);
            let name = players.get(player).map_or("", String::as_str);
            sites[site(player, HOME, token)] = cell(at, seat, format!("home of {name}"));
        }
    }
    let piece = |(seat, name): (usize, &String)| {
        let letter = char::from(b'A' + seat as u8).to_string();
        Piece::new(&format!("{name} token"), "pawn", &letter, Some(seat as u8))
    };
    Scene {
        painter: Painter::Cells,
        stack: Stack::Fan,
        containers: vec![Container { name: "board".into(), ..Container::default() }],
        sites,
        symbols,
        pieces: players.iter().enumerate().map(piece).collect(),
        players: players.to_vec(),
        colours: ["#009e73", "#e69f00", "#0072b2", "#d55e00"].map(String::from).into(),
        ..Scene::default()
    }
}

/// The goal of a player lies beside the middle of the board.
fn goal(player: usize) -> (usize, usize) {
    spot(player, GOAL)
}

pub(super) fn view(state: &State) -> View {
    let mut pieces = Vec::new();
    for (player, tokens) in state.tokens.iter().enumerate() {
        for (token, &place) in tokens.iter().enumerate() {
            pieces.push(Placed::new(site(player, place, token), player));
        }
    }
    let dice = if state.die > 0 { vec![u32::from(state.die)] } else { Vec::new() };
    View { pieces, dice, ..View::default() }
}
