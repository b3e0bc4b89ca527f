//! Games in the notations of their communities: PGN for chess, SGF for Go, Hex, Reversi and Gomoku.

mod pgn;
mod sgf;

use crate::bot::Squares;
use ludex_core::{AnyGame, AnyState, Game, Move, Player, Turn};

/// A game that was played, as a notation needs it.
pub struct Played<'a> {
    /// The game.
    pub game: &'a AnyGame,
    /// The names of the agents by seat.
    pub agents: &'a [String],
    /// All positions, the first one included.
    pub states: &'a [AnyState],
    /// The move that leads from each position to the next.
    pub moves: &'a [Move],
    /// The payoffs by seat, where the game has ended.
    pub payoffs: Option<&'a [f32]>,
}

impl Played<'_> {
    /// The game in its own notation: the end of the name of a file, and the text. `None` where the game has no such notation.
    pub fn text(&self) -> Option<(&'static str, String)> {
        let pgn = pgn::write(self).map(|text| ("pgn", text));
        pgn.or_else(|| sgf::write(self).map(|text| ("sgf", text)))
    }

    /// The steps: the position before each, the seat that moved, and its move.
    fn steps(&self) -> impl Iterator<Item = (&AnyState, Player, Move)> {
        let states = self.states.iter().zip(self.moves);
        states.filter_map(|(state, &mv)| match self.game.turn(state) {
            Turn::One(seat) => Some((state, seat, mv)),
            _ => None,
        })
    }

    fn agent(&self, seat: usize) -> &str {
        self.agents.get(seat).map_or("?", String::as_str)
    }

    /// The result of a game of two players, seen by the first: 1, 1/2 or 0.
    fn score(&self) -> Option<f32> {
        match self.payoffs? {
            [a, b] if a > b => Some(1.0),
            [a, b] if a < b => Some(0.0),
            [_, _] => Some(0.5),
            _ => None,
        }
    }

    /// The squares of a game of two players in turn in which nothing is hidden.
    fn squares(&self) -> Option<Squares> {
        let info = self.game.info();
        let open = info.seats() == 2 && !info.chance && !info.hidden && !info.simultaneous;
        Squares::of(self.game).ok().filter(|_| open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Match;

    /// Plays moves by their texts and writes the game.
    fn written(name: &str, line: &[&str], payoffs: &[f32]) -> Option<(&'static str, String)> {
        let game = ludex_library::open(name).expect("a game");
        let mut play = Match::new(&game);
        let mut states = vec![play.state().clone()];
        let mut moves = Vec::new();
        for text in line {
            let Turn::One(seat) = play.turn() else { panic!("{text}: nobody moves") };
            let legal = play.legal(seat);
            let found = legal.iter().find(|&&mv| game.move_text(mv) == *text);
            let mv = *found.unwrap_or_else(|| panic!("{text} is not legal"));
            play.apply(&[mv]);
            moves.push(mv);
            states.push(play.state().clone());
        }
        let agents = ["a \"b\"".to_string(), "c]d".to_string()];
        let payoffs = Some(payoffs);
        Played { game: &game, agents: &agents, states: &states, moves: &moves, payoffs }.text()
    }

    #[test]
    fn chess_is_written_as_pgn() {
        let line = [
            "E2-E4",
            "D7-D5",
            "E4-D5",
            "E7-E6",
            "D5-E6",
            "A7-A6",
            "E6-F7",
            "E8-E7",
            "F7-G8",
            "G8=Queen1",
            "H8-G8",
            "G1-F3",
            "B8-C6",
            "F1-C4",
            "C6-B4",
            "E1-G1",
            "B4-C2",
            "F1-E1",
        ];
        let (end, text) = written("lud:chess", &line, &[0.5, 0.5]).expect("a notation");
        assert_eq!(end, "pgn");
        assert!(
            text.contains("[White \"a \\\"b\\\"\"]") && text.contains("[Result \"1/2-1/2\"]"),
            "{text}"
        );
        let moves = "1. e4 d5 2. exd5 e6 3. dxe6 a6 4. exf7+ Ke7 5. fxg8=Q Rxg8 6. Nf3 Nc6 7. Bc4 Nb4 \
                     8. O-O Nxc2 9. Re1+ 1/2-1/2";
        let body = text.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
        assert_eq!(body.trim(), moves);
    }

    #[test]
    fn a_mate_and_a_piece_of_two_are_told() {
        let fools = ["F2-F3", "E7-E5", "G2-G4", "D8-H4"];
        let (_, text) = written("lud:chess", &fools, &[0.0, 1.0]).expect("a notation");
        assert!(text.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{text}");
        let knights = ["B1-C3", "A7-A6", "C3-E4", "A6-A5", "G1-F3", "A5-A4", "F3-G5"];
        let (_, text) = written("lud:chess", &knights, &[0.5, 0.5]).expect("a notation");
        assert!(text.contains("4. Nfg5"), "{text}");
    }

    #[test]
    fn go_and_hex_are_written_as_sgf_and_others_have_no_notation() {
        let (end, text) = written("lud:go(9)", &["Stone1@C7", "Stone2@G3", "pass"], &[0.0, 1.0])
            .expect("a notation");
        assert_eq!(end, "sgf");
        assert!(
            text.contains("GM[1]") && text.contains("SZ[9]") && text.contains("RE[W+]"),
            "{text}"
        );
        assert!(text.contains("PW[c\\]d]"), "{text}");
        assert!(text.trim_end().ends_with(";B[cc];W[gg];B[])"), "{text}");
        let (_, hex) = written("lud:hex", &["Marker1@C2"], &[1.0, 0.0]).expect("a notation");
        assert!(hex.contains("GM[11]") && hex.contains(";B[c2]"), "{hex}");
        let line = ["Marker1@C2", "swap", "Marker2@D3", "Marker1@A1"];
        let (_, swapped) = written("lud:hex", &line, &[1.0, 0.0]).expect("a notation");
        // The first player lays white stones once the second one has taken the black stone.
        assert!(swapped.contains(";B[c2];W[swap-sides];W[d3];B[a1])"), "{swapped}");
        assert!(written("connect4", &["d"], &[0.5, 0.5]).is_none());
        assert!(written("lud:konane", &[], &[0.5, 0.5]).is_none());
    }
}
