//! Portable Game Notation: games of chess, moves in standard algebraic notation.

use super::Played;
use ludex_core::scene::Scene;
use ludex_core::{AnyGame, AnyState, Game, Move, Player, Turn};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The game as PGN; `None` where it is no chess.
pub(super) fn write(played: &Played<'_>) -> Option<String> {
    let game = played.game;
    let scene = game.scene();
    let kinds: BTreeSet<&str> = scene.pieces.iter().map(|kind| kind.letters.as_str()).collect();
    let chess = kinds == BTreeSet::from(["B", "K", "N", "P", "Q", "R"]);
    if !chess || played.squares()?.size() != (8, 8) {
        return None;
    }
    let result = match played.score() {
        Some(1.0) => "1-0",
        Some(0.0) => "0-1",
        Some(_) => "1/2-1/2",
        None => "*",
    };
    let mut tags = vec![
        ("Event", game.info().name.clone()),
        ("Site", "?".into()),
        ("Date", "????.??.??".into()),
        ("Round", "?".into()),
        ("White", played.agent(0).into()),
        ("Black", played.agent(1).into()),
        ("Result", result.into()),
    ];
    let first = played.states.first()?;
    if game.hash(first) != game.hash(&game.start()) {
        tags.extend([("SetUp", "1".into()), ("FEN", game.forsyth(first)?)]);
    }
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut words = words(played, &scene)?;
    words.push(result.into());
    text.push_str(&wrapped(&words));
    Some(text)
}

/// The moves with their numbers.
fn words(played: &Played<'_>, scene: &Scene) -> Option<Vec<String>> {
    let steps: Vec<(&AnyState, Player, Move)> = played.steps().collect();
    let mut words: Vec<String> = Vec::new();
    let mut number = 1;
    let mut at = 0;
    while let Some(&(state, seat, mv)) = steps.get(at) {
        let board = Board { game: played.game, scene, state };
        let mut word = board.san(seat, mv)?;
        at += 1;
        // A promotion is a step of its own.
        if let Some(&(_, _, next)) = steps.get(at).filter(|step| step.1 == seat) {
            let piece = played.game.move_text(next);
            let (_, piece) = piece.split_once('=')?;
            let letter = if piece.starts_with("Knight") { 'N' } else { piece.chars().next()? };
            let _ = write!(word, "={letter}");
            at += 1;
        }
        let after = played.states.get(at)?;
        word.push_str(Board { game: played.game, scene, state: after }.check(seat));
        match (seat.index(), words.is_empty()) {
            (0, _) => words.push(format!("{number}.")),
            (_, true) => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(word);
        number += u32::from(seat.index() == 1);
    }
    Some(words)
}

/// A position of chess.
struct Board<'a> {
    game: &'a AnyGame,
    scene: &'a Scene,
    state: &'a AnyState,
}

impl Board<'_> {
    fn label(&self, site: usize) -> Option<&str> {
        self.scene.sites.get(site).map(|site| site.label.as_str())
    }

    /// The letter of the piece on a site.
    fn piece(&self, site: usize) -> Option<&str> {
        let view = self.game.view(self.state, None);
        let placed = view.pieces.iter().find(|placed| placed.site == site)?;
        self.scene.pieces.get(placed.piece?).map(|kind| kind.letters.as_str())
    }

    fn legal(&self, seat: Player) -> Vec<Move> {
        let mut legal = Vec::new();
        self.game.moves(self.state, seat, &mut legal);
        legal
    }

    /// A move without the piece that a pawn becomes and without the mark of a check.
    fn san(&self, seat: Player, mv: Move) -> Option<String> {
        let sites = self.game.move_sites(mv);
        let (from, to) = (sites.from?, sites.to?);
        let (start, end) = (self.label(from)?, self.label(to)?);
        let (piece, takes) = (self.piece(from)?, self.piece(to).is_some());
        match (piece, start, end) {
            ("K", "e1", "g1") | ("K", "e8", "g8") => return Some("O-O".into()),
            ("K", "e1", "c1") | ("K", "e8", "c8") => return Some("O-O-O".into()),
            _ => {}
        }
        if piece == "P" {
            // A pawn that leaves its column takes, in passing, too.
            let column = &start[..1];
            let head = if end.starts_with(column) { String::new() } else { format!("{column}x") };
            return Some(format!("{head}{end}"));
        }
        // Other pieces of the kind that may go there.
        let others: Vec<&str> = (self.legal(seat).into_iter())
            .map(|other| self.game.move_sites(other))
            .filter(|other| other.to == Some(to) && other.from != Some(from))
            .filter_map(|other| other.from)
            .filter(|&other| self.piece(other) == Some(piece))
            .filter_map(|other| self.label(other))
            .collect();
        let (column, row) = start.split_at(1);
        let origin = match (
            others.is_empty(),
            others.iter().all(|other| !other.starts_with(column)),
            others.iter().all(|other| !other.ends_with(row)),
        ) {
            (true, ..) => "",
            (_, true, _) => column,
            (_, _, true) => row,
            _ => start,
        };
        Some(format!("{piece}{origin}{}{end}", if takes { "x" } else { "" }))
    }

    /// `#` where the other side is mated, `+` where its king is attacked by a piece that `seat` could move.
    fn check(&self, seat: Player) -> &'static str {
        if self.game.turn(self.state) == Turn::Over {
            let mut payoffs = [0.0; 2];
            self.game.payoffs(self.state, &mut payoffs);
            let won = payoffs.get(seat.index()).is_some_and(|payoff| *payoff == 1.0);
            return if won { "#" } else { "" };
        }
        // The same position with the other side to move: may it take the king?
        let Some(text) = self.game.forsyth(self.state) else { return "" };
        let rows = text.split(' ').next().unwrap_or_default();
        let mover = if seat.index() == 0 { 'w' } else { 'b' };
        let Ok(again) = self.game.parse_position(&format!("{rows} {mover} - - 0 1")) else {
            return "";
        };
        let again = Board { state: &again, ..*self };
        let king = |mv: &Move| {
            let to = self.game.move_sites(*mv).to;
            to.is_some_and(|to| again.piece(to) == Some("K"))
                && self.game.move_sites(*mv).from != to
        };
        let kings = again.legal(seat).into_iter().any(|mv| king(&mv));
        if kings { "+" } else { "" }
    }
}

/// Lines of at most 80 characters.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        if length > 0 && length + 1 + word.len() > 79 {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += word.len();
    }
    text.push('\n');
    text
}
