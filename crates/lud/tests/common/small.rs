//! Small games of a test's own, by text.

#![allow(dead_code, reason = "not every test asks for everything")]

use ludex_lud::engine::{Lud, Moves, Pad, State};
use ludex_lud::source::Text;
use ludex_lud::tree;

/// The game of a text, or what is wrong with it.
pub(crate) fn load(text: &str) -> Result<Lud, String> {
    let (tree, mut found) = tree::game(&Text::of_file(0, text));
    let made = tree.map(|tree| Lud::new(&tree));
    match made {
        Some(Ok(game)) if found.is_empty() => return Ok(game),
        Some(Err(more)) => found.extend(more),
        _ => {}
    }
    Err(found.into_iter().map(|finding| finding.message).collect::<Vec<_>>().join("\n"))
}

/// Where the legal moves begin and end.
pub(crate) fn legal(game: &Lud, state: &mut State) -> Vec<(i32, i32)> {
    let (mut pad, mut moves) = (Pad::default(), Moves::default());
    game.legal(state, &mut pad, &mut moves);
    moves.heads.iter().map(|head| (head.from, head.to)).collect()
}

/// Where the legal moves of the first position end.
pub(crate) fn first_to(game: &Lud) -> Vec<i32> {
    legal(game, &mut game.start()).into_iter().map(|(_, to)| to).collect()
}

/// Makes the first legal move, or the first to a site.
pub(crate) fn play(game: &Lud, state: &mut State, to: Option<i32>) {
    let (mut pad, mut moves) = (Pad::default(), Moves::default());
    game.legal(state, &mut pad, &mut moves);
    let wanted = moves.heads.iter().find(|head| to.is_none_or(|to| head.to == to));
    let head = *wanted.expect("a legal move");
    game.apply(state, &mut pad, &moves, head);
}
