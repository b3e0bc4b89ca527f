//! Small games for the tests of ludemes: two players' discs and kings and a neutral rock on nine cells, with a hand each. The cells are
//! numbered from the bottom left, row by row.

use crate::engine::{Lud, Moves, Pad, State};
use crate::source::Text;
use crate::tree;

const PIECES: &str = "(piece \"Disc\" Each) (piece \"King\" Each) (piece \"Rock\" Neutral)";

/// The game of a text, or its faults.
pub(crate) fn game(text: &str) -> Result<Lud, String> {
    let (tree, mut found) = tree::game(&Text::of_file(0, text));
    match tree.map(|tree| Lud::new(&tree)) {
        Some(Ok(game)) if found.is_empty() => return Ok(game),
        Some(Err(more)) => found.extend(more),
        _ => {}
    }
    Err(found.into_iter().map(|finding| finding.message).collect::<Vec<_>>().join("\n"))
}

/// A game on a board, from a position, with these moves.
pub(crate) fn load(board: &str, start: &str, play: &str) -> Result<Lud, String> {
    game(&format!(
        "(game \"Ask\" (players 2) (equipment {{(board {board}) (hand Each size:2) {PIECES}
            (regions P1 {{(sites Left) (sites Right)}}) (regions P2 {{(sites Top) (sites Bottom)}})}})
            (rules (start {{{start}}}) (play {play}) (end (if (is Full) (result Mover Win)))))"
    ))
}

fn legal(game: &Lud, state: &mut State) -> Vec<(i32, i32)> {
    let (mut pad, mut moves) = (Pad::default(), Moves::default());
    game.legal(state, &mut pad, &mut moves);
    let mut list: Vec<_> = moves.heads.iter().map(|head| (head.from, head.to)).collect();
    list.sort_unstable();
    list
}

/// Where the moves of the first player begin and end, sorted. A forced pass is left out.
pub(crate) fn moves(start: &str, play: &str) -> Vec<(i32, i32)> {
    let game = load("(square 3)", start, play).expect("a game");
    let list = legal(&game, &mut game.start());
    list.into_iter().filter(|&(from, _)| from >= 0).collect()
}

/// The pieces after the first move that ends on a site, as `site:owner`, in the order of the sites.
pub(crate) fn after(start: &str, play: &str, to: i32) -> String {
    let game = load("(square 3)", start, play).expect("a game");
    let (mut state, mut pad, mut moves) = (game.start(), Pad::default(), Moves::default());
    game.legal(&mut state, &mut pad, &mut moves);
    let head = *moves.heads.iter().find(|head| head.to == to).expect("a legal move");
    game.apply(&mut state, &mut pad, &moves, head);
    let owner = |site| (1..=2).find(|&p| state.sites_of(game.layout(), p).any(|s| s == site));
    let shown = (0..9).filter(|&site| state.cell(site).what != 0);
    let shown: Vec<_> = shown.map(|site| format!("{site}:{}", owner(site).unwrap_or(0))).collect();
    shown.join(" ")
}

/// The sites of a region in a position.
pub(crate) fn sites(start: &str, region: &str) -> Vec<i32> {
    sites_on("(square 3)", start, region)
}

/// The sites of a region in a position on another board.
pub(crate) fn sites_on(board: &str, start: &str, region: &str) -> Vec<i32> {
    let play = format!("(move Select (from {region}))");
    let game = load(board, start, &play).expect("a game");
    let from = legal(&game, &mut game.start()).into_iter().map(|(from, _)| from);
    from.filter(|&site| site >= 0).collect()
}

/// A number from 0 to 9 in a position.
pub(crate) fn number(start: &str, value: &str) -> i32 {
    sites(start, &format!("(forEach (sites Board) if:(< (site) {value}))")).len() as i32
}

/// Does a condition hold in a position?
pub(crate) fn holds(start: &str, condition: &str) -> bool {
    !sites(start, &format!("(if {condition} (sites {{0}}))")).is_empty()
}

/// The state of a game after so many moves, the first legal one each.
pub(crate) fn played(start: &str, play: &str, end: &str, plies: usize) -> State {
    let game = game(&format!(
        "(game \"Play\" (players 2) (equipment {{(board (square 3)) (hand Each size:2) {PIECES}}})
            (rules (start {{{start}}}) (play {play}) (end {end})))"
    ));
    let game = game.expect("a game");
    let (mut state, mut pad, mut moves) = (game.start(), Pad::default(), Moves::default());
    for _ in 0..plies {
        game.legal(&mut state, &mut pad, &mut moves);
        let head = moves.heads[0];
        game.apply(&mut state, &mut pad, &moves, head);
    }
    state
}
