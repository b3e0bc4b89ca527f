//! Scenes of games without a board: cards and counters on a table.

use ludex_core::scene::{self, Container, Painter, Piece, Placed, Scene, Site, square};
use ludex_core::{Game, Player, Turn};

/// A place on the table.
pub(crate) fn site(label: impl Into<String>, x: f32, y: f32) -> Site {
    Site { x, y, corners: square(x, y), label: label.into(), ..Site::default() }
}

/// A playing card with its value.
pub(crate) fn card(value: &str, owner: Option<u8>) -> Piece {
    Piece::new(&format!("card {value}"), "playing-card", value, owner)
}

/// A table with places and kinds of pieces.
pub(crate) fn scene<G: Game>(game: &G, sites: Vec<Site>, pieces: Vec<Piece>) -> Scene {
    Scene {
        painter: Painter::Table,
        containers: vec![Container { name: "table".into(), ..Container::default() }],
        sites,
        pieces,
        ..Scene::default()
    }
    .with_players(&game.info().players)
}

/// A position: the pieces on the table, and the facts for the terminal.
pub(crate) fn view<G: Game>(
    game: &G,
    state: &G::State,
    viewer: Option<Player>,
    pieces: Vec<Placed>,
) -> scene::View {
    let turn = game.turn(state);
    scene::View {
        pieces,
        movers: scene::movers(game.info(), turn, viewer),
        over: turn == Turn::Over,
        facts: game.draw(state, viewer),
        ..scene::View::default()
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Game, Player};

    #[test]
    fn games_without_a_board_show_cards_and_counters() {
        for (name, position) in
            [("kuhn", "QK:p"), ("pig", "12,30 2 7"), ("goofspiel", "1,2,3,5 1,2,4,5 1,2,5 4 3-0")]
        {
            let game = crate::open(name).unwrap();
            let view = game.view(&game.parse_position(position).unwrap(), None);
            let scene = game.scene();
            assert!(!view.pieces.is_empty(), "{name}");
            for placed in &view.pieces {
                assert!(placed.site < scene.sites.len(), "{name}");
                assert!(placed.piece.is_none_or(|piece| piece < scene.pieces.len()), "{name}");
            }
        }
    }

    #[test]
    fn the_card_of_the_other_player_lies_face_down() {
        let game = crate::open("kuhn").unwrap();
        let seen = |position: &str, viewer: Option<Player>| {
            let view = game.view(&game.parse_position(position).unwrap(), viewer);
            let scene = game.scene();
            let names = view.pieces.iter().filter_map(|placed| placed.piece);
            names.map(|piece| scene.pieces[piece].name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(seen("QK", Some(Player(0))), seen("QJ", Some(Player(0))));
        assert!(seen("QK", None).contains(&"card K".to_string()));
    }
}
