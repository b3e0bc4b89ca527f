//! The contents of squares as pieces: which word means an empty square, whose a piece is, and how it looks.

use ludex_core::scene::Piece;

/// Words that sheets write for an empty square.
const BLANK: [&str; 12] =
    ["b", "blank", "empty", "e", "none", "nil", "nothing", "free", "-", "0", "z", "dot"];

/// Is this word an empty square, among all words that squares can hold?
pub(super) fn is_blank(word: &str, all: &[String]) -> bool {
    let has = |word: &str| all.iter().any(|known| known == word);
    match word {
        // Beside `w` this is black, and beside `blank` it is a piece.
        "b" => !has("w") && !has("blank") && !has("empty"),
        "e" | "z" | "none" | "nil" | "free" => !has("blank") && !has("b"),
        // Numbers on squares: nothing, or the number 0.
        "0" => !has("blank") && !has("b"),
        word => BLANK.contains(&word),
    }
}

/// The kind of piece that the words of a square describe, such as `wp`, `white pawn` or `x`.
pub(super) fn piece(words: &[&str], roles: &[String]) -> Piece {
    let owner = owner(words, roles);
    let kind: Vec<&str> =
        words.iter().copied().filter(|word| !roles.iter().any(|r| r == word)).collect();
    let name = words.join(" ");
    let (glyph, letters) = look(&kind.join(" "), owner.is_some());
    Piece { name, glyph, letters, owner: owner.and_then(|seat| u8::try_from(seat).ok()) }
}

/// The seat that a piece belongs to, by its name.
fn owner(words: &[&str], roles: &[String]) -> Option<usize> {
    let find = |fits: &dyn Fn(&str, &str) -> bool| {
        words.iter().find_map(|word| {
            let mut seats = (0..roles.len()).filter(|&seat| fits(word, &roles[seat]));
            seats.next().filter(|_| seats.next().is_none())
        })
    };
    let first = |word: &str| word.chars().next().filter(|c| c.is_alphabetic());
    find(&|word, role| word == role)
        .or_else(|| find(&|word, role| word.len() > 2 && word.starts_with(role)))
        .or_else(|| find(&|word, role| role.starts_with(word)))
        // `wp` is white's pawn, where white is the only role that begins so.
        .or_else(|| find(&|word, role| word.len() <= 3 && first(word) == first(role)))
        .or_else(|| find(&|word, role| word.contains(role) || role.ends_with(word)))
}

/// In a game of two, where the names of some pieces tell one role (`bp` and black), pieces that share another first letter
/// (`wp`) belong to the other role, whatever its name (red).
pub(super) fn assign_rest(pieces: &mut [Piece], roles: &[String]) {
    let owners: Vec<u8> = pieces.iter().filter_map(|piece| piece.owner).collect();
    let (Some(&known), 2) = (owners.first(), roles.len()) else { return };
    let rest: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].owner.is_none()).collect();
    let initial = |i: usize| pieces[i].name.chars().next().filter(|c| c.is_alphabetic());
    let Some(letter) = rest.first().and_then(|&i| initial(i)) else { return };
    let taken = (0..pieces.len()).any(|i| pieces[i].owner.is_some() && initial(i) == Some(letter));
    let alike = rest.iter().all(|&i| initial(i) == Some(letter));
    if alike && !taken && known < 2 && owners.iter().all(|&owner| owner == known) {
        for i in rest {
            pieces[i].owner = Some(1 - known);
            let words: Vec<&str> = pieces[i].name.split(' ').collect();
            let (glyph, letters) = look(&words.join(" "), true);
            (pieces[i].glyph, pieces[i].letters) = (glyph, letters);
        }
    }
}

/// The pieces of chess by their usual letters.
const CHESS: [(char, &str); 6] =
    [('p', "pawn"), ('r', "rook"), ('n', "knight"), ('b', "bishop"), ('q', "queen"), ('k', "king")];

/// The words that are the names of glyphs.
const SHAPES: [&str; 12] = [
    "pawn", "rook", "knight", "bishop", "queen", "king", "disc", "stone", "checker", "star",
    "arrow", "wall",
];

/// The glyph of a kind of piece and its letters.
fn look(kind: &str, owned: bool) -> (String, String) {
    let last = kind.chars().last();
    let chess = |c: char| CHESS.iter().find(|(letter, _)| *letter == c).map(|(_, name)| *name);
    let shape = SHAPES.iter().find(|shape| kind.contains(*shape));
    let letters: String =
        kind.chars().filter(|c| c.is_alphanumeric()).take(2).collect::<String>().to_uppercase();
    match kind {
        "x" => ("cross".into(), "X".into()),
        "o" => ("ring".into(), "O".into()),
        // The owner says it all.
        "" | "w" | "b" | "white" | "black" | "red" | "blue" | "green" | "yellow" => {
            let initial = kind.chars().next().unwrap_or('o').to_uppercase().to_string();
            ("disc".into(), initial)
        }
        _ if shape.is_some() => {
            let name = shape.copied().unwrap_or("disc");
            let letter = CHESS.iter().find(|(_, known)| *known == name).map(|(letter, _)| *letter);
            (name.into(), letter.map_or(letters, |letter| letter.to_uppercase().to_string()))
        }
        _ if kind.len() == 2 && owned => match last.and_then(chess) {
            Some(name) => (name.into(), last.unwrap_or('?').to_uppercase().to_string()),
            None => (kind.into(), letters),
        },
        _ => (kind.into(), letters),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_string()).collect()
    }

    #[test]
    fn pieces_belong_to_the_role_that_their_name_tells() {
        let sides = roles(&["white", "black"]);
        assert_eq!(piece(&["wp"], &sides).owner, Some(0));
        assert_eq!(piece(&["wp"], &sides).glyph, "pawn");
        assert_eq!(piece(&["bn"], &sides).owner, Some(1));
        assert_eq!(piece(&["black", "king"], &sides).glyph, "king");
        assert_eq!(piece(&["black"], &sides).owner, Some(1));
        let crosses = roles(&["xplayer", "oplayer"]);
        assert_eq!(piece(&["x"], &crosses).owner, Some(0));
        assert_eq!(piece(&["o"], &crosses).glyph, "ring");
        assert_eq!(piece(&["7"], &crosses).owner, None);
    }

    #[test]
    fn in_a_game_of_two_the_other_pieces_are_the_other_role_s() {
        let sides = roles(&["red", "black"]);
        let mut kinds =
            vec![piece(&["wp"], &sides), piece(&["wk"], &sides), piece(&["bp"], &sides)];
        assert_eq!(kinds[0].owner, None);
        assign_rest(&mut kinds, &sides);
        assert_eq!(kinds.iter().map(|k| k.owner).collect::<Vec<_>>(), [Some(0), Some(0), Some(1)]);
        assert_eq!(kinds[1].glyph, "king");
    }

    #[test]
    fn the_word_b_is_black_beside_w_and_blank_otherwise() {
        let words = |list: &[&str]| roles(list);
        assert!(is_blank("b", &words(&["b", "x", "o"])));
        assert!(!is_blank("b", &words(&["b", "w"])));
        assert!(is_blank("blank", &words(&["blank", "b", "w"])));
        assert!(!is_blank("b", &words(&["blank", "b", "w"])));
    }
}
