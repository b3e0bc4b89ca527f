//! Boards of any game, drawn from the scene that the game describes ([`ludex_core::scene`]).
//!
//! - [`svg`](mod@svg): a picture for files, pages and notebooks;
//! - [`text`](mod@text): a board of characters for the terminal, with coordinates and a legend;
//! - `glyph`: the shapes of pieces, drawn by us.
//!
//! ```
//! use ludex_core::Game;
//! let game = ludex_games::open("tictactoe").unwrap();
//! let state = game.parse_position("2x/1o1/3").unwrap();
//! let board = ludex_draw::text(&game.scene(), &game.view(&state, None), &Default::default());
//! assert!(board.contains("3  . . X"), "{board}");
//! ```

mod glyph;
pub mod svg;
pub mod text;

pub use svg::svg;
pub use text::text;

use ludex_core::scene::MoveSites;
use ludex_core::{Game, Player};

/// A position as text for the terminal, as `viewer` may see it.
pub fn board<G: Game>(game: &G, state: &G::State, viewer: Option<Player>, marks: &Marks) -> String {
    text(&game.scene(), &game.view(state, viewer), marks)
}

/// What a drawing shows beside the position.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The last move.
    pub last: Option<MoveSites>,
    /// Colours in the terminal?
    pub colour: bool,
}

/// The centre of a seat's palette: light and dark for the first two, then colours that people with colour blindness can tell
/// apart (Okabe and Ito 2008).
const COLOURS: [&str; 8] =
    ["#f7f3e8", "#33363b", "#e69f00", "#56b4e9", "#009e73", "#d55e00", "#cc79a7", "#0072b2"];

/// The fill of a piece of a seat; neutral pieces are grey.
fn fill(owner: Option<u8>) -> &'static str {
    match owner {
        Some(seat) => COLOURS[usize::from(seat) % COLOURS.len()],
        None => "#b9b4a7",
    }
}

/// A colour that stands out on the fill of a seat.
fn ink(owner: Option<u8>) -> &'static str {
    match owner {
        Some(1 | 7) => "#f7f3e8",
        _ => "#26282c",
    }
}
