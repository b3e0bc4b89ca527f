//! Drawing as data: where the sites of a game are, what stands on them, and where moves begin and end.
//!
//! A game describes itself once ([`Scene`]), each position for each viewer ([`View`]), and each move ([`MoveSites`]). Terminal,
//! SVG files, the studio's page and notebooks draw from these three; nothing here knows pixels, colours or fonts.
//!
//! Lengths are in board units: neighbouring sites are about one unit apart, `x` grows to the right, `y` grows upwards.

use crate::game::{Info, Turn};
use crate::player::Player;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The fixed part of the drawing of a game.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Scene {
    /// How the board is painted.
    pub painter: Painter,
    /// How a stack of pieces on one site is shown.
    pub stack: Stack,
    /// Boards, hands, dice.
    pub containers: Vec<Container>,
    /// All sites; views and moves name them by their index here.
    pub sites: Vec<Site>,
    /// Lines that are drawn below the pieces, such as tracks.
    pub lines: Vec<Line>,
    /// Marks on sites, such as the stars of a board.
    pub symbols: Vec<Symbol>,
    /// The kinds of pieces; views name them by their index here.
    pub pieces: Vec<Piece>,
    /// The players by seat.
    pub players: Vec<String>,
    /// The players' colours by seat as `#rrggbb`, where the rules name them; an empty text means a colour of the painter's choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colours: Vec<String>,
}

/// How a board is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Painter {
    /// Cells with borders.
    Cells,
    /// Cells in alternating colours, by [`Site::phase`].
    Checkered,
    /// Points joined by lines.
    Lines,
    /// Round pits with counters.
    Mancala,
    /// The points of a backgammon board.
    Points,
    /// Dots, with edges that are drawn during the game.
    Edges,
    /// Layers on top of each other.
    Pyramid,
    /// Cards and counters on a bare table. In the terminal the facts of the position stand for them.
    Table,
    /// No board: the facts of the position as a table.
    #[default]
    Facts,
}

/// How a stack of pieces on one site is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stack {
    /// Each piece a little above the one below.
    #[default]
    Spread,
    /// The top piece and a number.
    Count,
    /// Side by side.
    Fan,
    /// In a column from the border of the board to its middle, as on the points of a backgammon board.
    Column,
}

/// A group of sites that belongs together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Container {
    /// The container's name for people.
    pub name: String,
    /// The container's kind.
    pub kind: ContainerKind,
    /// The seat that owns it, for hands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<u8>,
}

/// The kinds of containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContainerKind {
    /// The board, or one of several.
    #[default]
    Board,
    /// Pieces in a player's hand.
    Hand,
    /// Dice.
    Dice,
}

/// A place for pieces.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Site {
    /// The index of its container.
    pub container: usize,
    /// The site's kind.
    pub kind: SiteKind,
    /// The horizontal place of the centre.
    pub x: f32,
    /// The vertical place of the centre.
    pub y: f32,
    /// The corners of a cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corners: Vec<[f32; 2]>,
    /// The two ends of an edge, as points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<[[f32; 2]; 2]>,
    /// The site's coordinate for people, such as `e4`.
    pub label: String,
    /// The colour class of a checkered board.
    pub phase: u8,
    /// The layer of a pyramid, from the ground up.
    pub layer: u8,
    /// The seat that owns this part of the board, such as a side of a Hex board or a home row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<u8>,
    /// The nearest site by direction (`N`, `NE` and so on), for the keyboard.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub neighbours: BTreeMap<String, usize>,
}

/// The kinds of sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteKind {
    /// An area.
    #[default]
    Cell,
    /// A point.
    Vertex,
    /// A line between two points.
    Edge,
}

/// A line of the board.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Line {
    /// The points of the line.
    pub points: Vec<[f32; 2]>,
    /// Is it a border or a track, drawn stronger than inner lines?
    pub strong: bool,
}

/// A mark on a site.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Symbol {
    /// The index of the site.
    pub site: usize,
    /// The text or glyph that is shown: a short text, or the name of a glyph.
    pub text: String,
}

/// A kind of piece.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Piece {
    /// The piece's name for people, such as `white knight`.
    pub name: String,
    /// The name of its glyph, such as `knight`; a glyph that is unknown is drawn as a disc with letters.
    pub glyph: String,
    /// One or two letters that tell it from other kinds of pieces, such as `N`.
    pub letters: String,
    /// The seat that owns it; `None`: a neutral piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<u8>,
}

/// The variable part of a drawing: a position as a viewer may see it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The pieces, those of a stack from the bottom up.
    pub pieces: Vec<Placed>,
    /// The values of the dice, where there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<u32>,
    /// Named numbers beside the board: scores, counters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<(String, String)>,
    /// The seats that move.
    pub movers: Vec<u8>,
    /// Is the game over?
    pub over: bool,
    /// The position as text, where no board can show it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub facts: String,
}

/// A piece on a site.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Placed {
    /// The index of the site.
    pub site: usize,
    /// The index of the kind of piece; `None`: the viewer may not know it.
    pub piece: Option<usize>,
    /// How many, for counters in a pit.
    pub count: u32,
    /// The owner where it differs from that of the kind of piece, such as a disc that was turned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<u8>,
    /// The piece's state or value, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<i32>,
    /// By how many degrees it is turned with the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<i32>,
}

/// Where a move begins and ends.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveSites {
    /// The site of the piece that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The site that the move goes to, or on which it places or removes a piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
}

impl Scene {
    /// A board of square cells with labels such as `a1`, the first site at the bottom left, row by row.
    pub fn grid(columns: u32, rows: u32, painter: Painter) -> Scene {
        Scene {
            painter,
            containers: vec![Container { name: "board".into(), ..Container::default() }],
            sites: square_sites(columns, rows, 0),
            ..Scene::default()
        }
    }

    /// The scene with these players, by seat.
    #[must_use]
    pub fn with_players(self, players: &[String]) -> Scene {
        Scene { players: players.to_vec(), ..self }
    }
}

/// Square cells with labels such as `a1`, the first at the bottom left, row by row. `first` is the index of the first cell in its
/// scene, which the neighbours refer to.
pub fn square_sites(columns: u32, rows: u32, first: usize) -> Vec<Site> {
    let at = |column: i64, row: i64| {
        let inside =
            (0..i64::from(columns)).contains(&column) && (0..i64::from(rows)).contains(&row);
        inside.then(|| first + (row * i64::from(columns) + column) as usize)
    };
    let site = |column: i64, row: i64| {
        let (x, y) = (column as f32, row as f32);
        let near = COMPASS
            .iter()
            .filter_map(|&(name, dx, dy)| Some((name.to_string(), at(column + dx, row + dy)?)));
        Site {
            x,
            y,
            corners: square(x, y),
            label: format!("{}{}", column_letters(column as usize), row + 1),
            phase: ((column + row) % 2) as u8,
            neighbours: near.collect(),
            ..Site::default()
        }
    };
    let sites = (0..i64::from(rows))
        .flat_map(|row| (0..i64::from(columns)).map(move |column| (column, row)));
    sites.map(|(column, row)| site(column, row)).collect()
}

/// The corners of a square of one unit around a point.
pub fn square(x: f32, y: f32) -> Vec<[f32; 2]> {
    [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[dx, dy]| [x + dx, y + dy]).into()
}

/// The seats that move, as `viewer` may know them. With hidden information a viewer knows only whether it moves itself: who
/// else has a choice can follow from something hidden.
pub fn movers(info: &Info, turn: Turn, viewer: Option<Player>) -> Vec<u8> {
    let known = |player: &Player| !info.hidden || viewer.is_none_or(|viewer| viewer == *player);
    turn.movers().iter().filter(known).map(|player| player.0).collect()
}

/// The eight directions of a square grid.
pub const COMPASS: [(&str, i64, i64); 8] = [
    ("N", 0, 1),
    ("NE", 1, 1),
    ("E", 1, 0),
    ("SE", 1, -1),
    ("S", 0, -1),
    ("SW", -1, -1),
    ("W", -1, 0),
    ("NW", -1, 1),
];

/// The letters of a column: `a` to `z`, then `aa`, `ab` and so on.
pub fn column_letters(column: usize) -> String {
    let mut text = String::new();
    let mut left = column + 1;
    while left > 0 {
        let digit = (left - 1) % 26;
        text.insert(0, char::from(b'a' + digit as u8));
        left = (left - 1) / 26;
    }
    text
}

impl Piece {
    /// A kind of piece of a seat.
    pub fn new(name: &str, glyph: &str, letters: &str, owner: Option<u8>) -> Piece {
        Piece { name: name.into(), glyph: glyph.into(), letters: letters.into(), owner }
    }
}

impl Placed {
    /// One piece of a kind on a site.
    pub fn new(site: usize, piece: usize) -> Placed {
        Placed { site, piece: Some(piece), count: 1, ..Placed::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_labels_phases_and_neighbours() {
        let scene = Scene::grid(3, 2, Painter::Checkered);
        let labels: Vec<&str> = scene.sites.iter().map(|site| site.label.as_str()).collect();
        assert_eq!(labels, ["a1", "b1", "c1", "a2", "b2", "c2"]);
        assert_eq!(
            scene.sites.iter().map(|site| site.phase).collect::<Vec<_>>(),
            [0, 1, 0, 1, 0, 1]
        );
        assert_eq!(scene.sites[0].neighbours.get("NE"), Some(&4));
        assert_eq!(scene.sites[0].neighbours.len(), 3);
    }

    #[test]
    fn columns_beyond_z_have_two_letters() {
        let letters: Vec<String> = [0, 25, 26, 51, 52, 701, 702].map(column_letters).into();
        assert_eq!(letters, ["a", "z", "aa", "az", "ba", "zz", "aaa"]);
    }

    #[test]
    fn scenes_and_views_are_json() {
        let mut scene = Scene::grid(2, 2, Painter::Cells);
        scene.pieces.push(Piece::new("stone", "disc", "o", Some(1)));
        let text = serde_json::to_string(&scene).unwrap();
        assert_eq!(serde_json::from_str::<Scene>(&text).unwrap(), scene);
        let view = View { pieces: vec![Placed::new(3, 0)], movers: vec![1], ..View::default() };
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<View>(&text).unwrap(), view);
    }
}
