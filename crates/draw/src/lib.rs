//! Boards of any game, drawn from the scene that the game describes ([`ludex_core::scene`]).
//!
//! - [`svg`](mod@svg): a picture for files, pages and notebooks;
//! - [`text`](mod@text): a board of characters for the terminal, with coordinates and a legend;
//! - `png`: the same picture in pixels (feature `png`); `gif`: pictures one after the other;
//! - `glyph`: the shapes of pieces, drawn by us.
//!
//! ```
//! use ludex_core::Game;
//! let game = ludex_games::open("tictactoe").unwrap();
//! let state = game.parse_position("2x/1o1/3").unwrap();
//! let board = ludex_draw::text(&game.scene(), &game.view(&state, None), &Default::default());
//! assert!(board.contains("3  . . X"), "{board}");
//! ```

#[cfg(feature = "png")]
mod gif;
mod glyph;
#[cfg(feature = "png")]
mod outline;
#[cfg(feature = "png")]
mod png;
pub mod svg;
pub mod text;

#[cfg(feature = "png")]
pub use gif::gif;
#[cfg(feature = "png")]
pub use png::png;
pub use svg::svg;
pub use text::text;

use ludex_core::scene::{MoveSites, Scene};
use ludex_core::{Game, Player};

/// A position as text for the terminal, as `viewer` may see it.
pub fn board<G: Game>(game: &G, state: &G::State, viewer: Option<Player>, marks: &Marks) -> String {
    text(&game.scene(), &game.view(state, viewer), marks)
}

/// Additions of a drawing to the position.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The last move.
    pub last: Option<MoveSites>,
    /// Colours in the terminal?
    pub colour: bool,
}

/// The colours of the players.
pub(crate) struct Palette {
    colours: Vec<String>,
}

/// The usual colours by seat: light and dark for the first two, then colours that people with colour blindness can tell
/// apart (Okabe and Ito 2008).
const COLOURS: [&str; 8] =
    ["#f7f3e8", "#33363b", "#e69f00", "#56b4e9", "#009e73", "#d55e00", "#cc79a7", "#0072b2"];

/// The colour of pieces that belong to no seat.
const NEUTRAL: &str = "#b9b4a7";

impl Palette {
    /// The colours of a game: its own where it names different ones, else the usual ones.
    pub(crate) fn of(scene: &Scene) -> Palette {
        let named = scene.colours.iter().filter(|colour| is_colour(colour));
        let mut different: Vec<&String> = named.clone().collect();
        different.sort();
        different.dedup();
        let complete = different.len() == scene.players.len() && !different.is_empty();
        let colours = if complete { scene.colours.clone() } else { Vec::new() };
        Palette { colours }
    }

    /// The fill of a piece of a seat.
    pub(crate) fn fill(&self, owner: Option<u8>) -> &str {
        let Some(seat) = owner.map(usize::from) else { return NEUTRAL };
        self.colours.get(seat).map_or(COLOURS[seat % COLOURS.len()], String::as_str)
    }

    /// The outline of a piece of a seat: light around dark pieces that would vanish otherwise.
    pub(crate) fn outline(&self, owner: Option<u8>) -> &'static str {
        if is_dark(self.fill(owner)) { "#0d0e10" } else { "#26282c" }
    }

    /// A colour that stands out on the fill of a seat.
    pub(crate) fn ink(&self, owner: Option<u8>) -> &'static str {
        if is_dark(self.fill(owner)) { "#f7f3e8" } else { "#26282c" }
    }
}

/// Is this a colour such as `#a0b1c2`?
fn is_colour(text: &str) -> bool {
    text.len() == 7 && text.starts_with('#') && text[1..].bytes().all(|b| b.is_ascii_hexdigit())
}

/// Is a colour dark, by its luminance?
fn is_dark(colour: &str) -> bool {
    let part = |from: usize| {
        let digits = colour.get(from..from + 2).unwrap_or("80");
        f32::from(u8::from_str_radix(digits, 16).unwrap_or(128))
    };
    0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) < 128.0
}
