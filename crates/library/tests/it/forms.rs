//! Games that exist in several forms are the same game: native, as a rule sheet, as a description.
//!
//! Random games are played in all forms at once. At every step the turn, the legal moves (as the same names), the
//! end and the payoffs are compared.

use ludex_core::{AnyGame, Game, Move, Seed, Turn};

/// A form's name and how its move texts become common names.
type Form = (&'static str, fn(&str) -> String);

fn same(text: &str) -> String {
    text.to_lowercase()
}

/// The words of a term, for example `take a 3` of `(take a 3)`.
fn words(text: &str) -> Vec<&str> {
    text.trim_matches(['(', ')']).split(' ').collect()
}

/// A column's letter.
fn column(number: &str) -> char {
    number.parse().ok().and_then(|n: u8| ('a'..='z').nth(usize::from(n.max(1)) - 1)).unwrap_or('?')
}

/// `(mark row column)`.
fn kif_mark(text: &str) -> String {
    let words = words(text);
    format!("{}{}", column(words[2]), words[1])
}

/// `(drop column)`.
fn kif_drop(text: &str) -> String {
    column(words(text)[1]).to_string()
}

/// `(take heap number)`.
fn kif_take(text: &str) -> String {
    let words = words(text);
    format!("{}{}", words[1], words[2])
}

/// `(move column row column row)`.
fn kif_move(text: &str) -> String {
    let words = words(text);
    format!("{}{}{}{}", column(words[1]), words[2], column(words[3]), words[4])
}

/// `Cross1@A1`.
fn lud_place(text: &str) -> String {
    same(text.split('@').next_back().unwrap_or(text))
}

/// `Disc1@A1`: the site of a column.
fn lud_drop(text: &str) -> String {
    lud_place(text).chars().take(1).collect()
}

/// `A2-B3`.
fn lud_move(text: &str) -> String {
    same(text).replace('-', "")
}

/// `A1-Hand1~3`: three objects of the first heap.
fn lud_take(text: &str) -> String {
    let (site, number) = text.split_once('~').unwrap_or((text, "1"));
    format!("{}{number}", same(site).chars().next().unwrap_or('?'))
}

/// The games, with how many random games are played and to which ply at most.
const GAMES: &[(&[Form], u64, usize)] = &[
    (&[("tictactoe", same), ("kif:tictactoe", kif_mark), ("lud:tic-tac-toe", lud_place)], 60, 9),
    (&[("connect4", same), ("kif:connect4", kif_drop), ("lud:connect-four", lud_drop)], 40, 42),
    (&[("nim(3,4,5)", same), ("kif:nim", kif_take), ("lud:nim", lud_take)], 60, 12),
    (
        &[("breakthrough", same), ("kif:breakthrough", kif_move), ("lud:breakthrough", lud_move)],
        12,
        400,
    ),
    (&[("breakthrough(6,6)", same), ("kif:breakthrough6", kif_move)], 20, 400),
    (&[("minichess(quiet=400)", same), ("kif:minichess", kif_move)], 20, 99),
];

/// The state of one form and what it says of it.
struct Running {
    game: AnyGame,
    state: <AnyGame as Game>::State,
    name: fn(&str) -> String,
}

impl Running {
    fn moves(&self) -> Vec<(String, Move)> {
        let mut moves = Vec::new();
        if let Turn::One(player) = self.game.turn(&self.state) {
            self.game.moves(&self.state, player, &mut moves);
        }
        let mut named: Vec<_> =
            moves.iter().map(|&mv| ((self.name)(&self.game.move_text(mv)), mv)).collect();
        named.sort();
        named
    }

    /// The turn, the names of the moves, and the payoffs where it is over.
    fn said(&self) -> (Turn, Vec<String>, Vec<f32>) {
        let turn = self.game.turn(&self.state);
        let mut payoffs = vec![0.0; self.game.info().seats()];
        if turn == Turn::Over {
            self.game.payoffs(&self.state, &mut payoffs);
        }
        (turn, self.moves().into_iter().map(|(name, _)| name).collect(), payoffs)
    }
}

#[test]
fn forms_of_a_game_agree_along_random_games() {
    for &(forms, games, longest) in GAMES {
        let mut running: Vec<Running> = forms
            .iter()
            .map(|&(form, name)| {
                let game = ludex_library::open(form).unwrap_or_else(|e| panic!("{form}: {e}"));
                Running { state: game.start(), game, name }
            })
            .collect();
        let mut plies = 0;
        for seed in 0..games {
            let mut rng = Seed(seed).rng();
            running.iter_mut().for_each(|form| form.state = form.game.start());
            for ply in 0..=longest {
                let said = running[0].said();
                for (form, (name, _)) in running.iter().zip(forms) {
                    assert_eq!(form.said(), said, "{name} at ply {ply} of game {seed}");
                }
                if said.0 == Turn::Over {
                    break;
                }
                let choice = rng.index(said.1.len());
                for form in &mut running {
                    let mv = form.moves()[choice].1;
                    form.game.apply(&mut form.state, &[mv]);
                }
                plies += 1;
            }
        }
        println!("{}: {plies} plies agree", forms[0].0);
        assert!(plies > games as usize * 3, "{}: only {plies} plies", forms[0].0);
    }
}
