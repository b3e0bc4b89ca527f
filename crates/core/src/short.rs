//! Short texts of moves, as people type them: `g7` for `Marker1@G7`, `e2e4` for `E2-E4`, `4` for `(drop 4)`.

use crate::error::{Error, Result};
use crate::game::{Game, Move};

/// The letters and digits of a text in lower case, cut into words at all other characters.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric() && c != '+' && c != '#');
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The one of `legal` that a person means by `text`. In order of preference:
/// - a move with exactly this text, whatever the case;
/// - the only move whose letters and digits are these;
/// - the only move whose text ends in these letters and digits, at the beginning of a word of the text.
///
/// # Errors
/// No move fits, or several fit equally well; the hint names some of them.
///
/// ```
/// use ludex_core::short::find;
/// use ludex_core::{Game, Player, testkit::Coins};
/// let game = Coins::default();
/// let mut legal = Vec::new();
/// game.moves(&game.start(), Player(0), &mut legal);
/// assert_eq!(find(&game, &legal, " 2 ").unwrap(), legal[1]);
/// assert!(find(&game, &legal, "seven").is_err());
/// ```
pub fn find<G: Game + ?Sized>(game: &G, legal: &[Move], text: &str) -> Result<Move> {
    let text = text.trim();
    let names: Vec<String> = legal.iter().map(|&mv| game.move_text(mv)).collect();
    if let Some(exact) = names.iter().position(|name| name == text) {
        return Ok(legal[exact]);
    }
    let typed = words(text).concat();
    let parts: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    let fits: [&dyn Fn(usize) -> bool; 3] = [
        &|i: usize| names[i].eq_ignore_ascii_case(text),
        &|i: usize| parts[i].concat() == typed,
        &|i: usize| (0..parts[i].len()).any(|from| parts[i][from..].concat() == typed),
    ];
    for fit in fits.into_iter().filter(|_| !text.is_empty()) {
        let found: Vec<usize> = (0..legal.len()).filter(|&i| fit(i)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(legal[*one]),
            several => {
                let some: Vec<&str> = several.iter().take(6).map(|&i| names[i].as_str()).collect();
                let more = if several.len() > 6 { ", ..." } else { "" };
                let hint = format!("it may mean {}{more}", some.join(", "));
                return Err(illegal(text, hint));
            }
        }
    }
    Err(illegal(text, "no legal move is written so".into()))
}

fn illegal(text: &str, hint: String) -> Error {
    Error::IllegalMove { text: text.to_owned(), player: "this player".into(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Coins;

    /// Coins with other texts for its moves.
    struct Texts(Vec<&'static str>);

    impl Texts {
        fn find(&self, text: &str) -> std::result::Result<usize, String> {
            let game = Named(Coins::default(), self.0.clone());
            let legal: Vec<Move> = (0..self.0.len() as u64).map(Move).collect();
            find(&game, &legal, text).map(|mv| mv.0 as usize).map_err(|error| error.to_string())
        }
    }

    struct Named(Coins, Vec<&'static str>);

    impl Game for Named {
        type State = <Coins as Game>::State;
        fn info(&self) -> &crate::Info {
            self.0.info()
        }
        fn start(&self) -> Self::State {
            self.0.start()
        }
        fn turn(&self, state: &Self::State) -> crate::Turn {
            self.0.turn(state)
        }
        fn moves(&self, state: &Self::State, player: crate::Player, out: &mut Vec<Move>) {
            self.0.moves(state, player, out);
        }
        fn apply(&self, state: &mut Self::State, joint: &[Move]) {
            self.0.apply(state, joint);
        }
        fn payoffs(&self, state: &Self::State, out: &mut [f32]) {
            self.0.payoffs(state, out);
        }
        fn hash(&self, state: &Self::State) -> u64 {
            self.0.hash(state)
        }
        fn move_text(&self, mv: Move) -> String {
            self.1[mv.0 as usize].to_string()
        }
        fn position(&self, state: &Self::State) -> String {
            self.0.position(state)
        }
    }

    #[test]
    fn people_need_not_type_a_whole_move() {
        let hex = Texts(vec!["Marker1@G7", "Marker1@G8", "Marker1@A7"]);
        assert_eq!(hex.find("g7"), Ok(0));
        assert_eq!(hex.find("MARKER1@a7"), Ok(2));
        let chess = Texts(vec!["E2-E4", "E2-E3", "D2-D4"]);
        assert_eq!(chess.find("e2e4"), Ok(0));
        assert_eq!(chess.find("e2 e3"), Ok(1));
        assert_eq!(chess.find("d4"), Ok(2));
        let drops = Texts(vec!["(drop 4)", "(drop 14)", "noop"]);
        assert_eq!(drops.find("4"), Ok(0));
    }

    #[test]
    fn a_text_that_may_mean_several_moves_is_refused_with_their_names() {
        let chess = Texts(vec!["E2-E4", "D2-E4"]);
        assert!(chess.find("e4").unwrap_err().contains("it may mean E2-E4, D2-E4"));
        assert!(chess.find("h9").unwrap_err().contains("no legal move is written so"));
        assert!(chess.find("").is_err());
    }
}
