//! Leaf counts against the files of `tests/perft`, and small trees against slow generators.

use ludex_core::{Game, Player, Turn, perft};
use std::collections::HashMap;
use std::path::Path;

#[test]
fn leaf_counts_are_the_published_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let game = ludex_games::open(lines.next().unwrap()).unwrap();
        for (depth, count) in (1..).zip(lines) {
            let count: u64 = count.parse().unwrap();
            let found = perft(&game, &game.start(), depth);
            assert_eq!(found, count, "{} at depth {depth}", game.info().name);
        }
    }
    assert!(files >= 3, "only {files} files");
}

#[test]
fn tictactoe_has_255168_games_and_5478_positions() {
    let game = ludex_games::TicTacToe::default();
    let mut seen: HashMap<String, ()> = HashMap::new();
    let mut ends = HashMap::new();
    let mut stack = vec![game.start()];
    while let Some(state) = stack.pop() {
        seen.insert(game.position(&state), ());
        let Turn::One(player) = game.turn(&state) else {
            let mut payoffs = [0.0; 2];
            game.payoffs(&state, &mut payoffs);
            *ends.entry((payoffs[0] * 2.0) as u8).or_insert(0u32) += 1;
            continue;
        };
        let mut moves = Vec::new();
        game.moves(&state, player, &mut moves);
        for mv in moves {
            let mut next = state;
            game.apply(&mut next, &[mv]);
            stack.push(next);
        }
    }
    assert_eq!(seen.len(), 5478);
    assert_eq!((ends[&2], ends[&0], ends[&1]), (131_184, 77_904, 46_080));
}

/// Minichess and Breakthrough once more, slowly: a board of characters and loops.
struct Slow {
    board: Vec<Vec<char>>, // rows from the bottom
    white: bool,
}

impl Slow {
    fn read(position: &str) -> Self {
        let mut words = position.split(' ');
        let rows = words.next().unwrap().split('/').rev();
        let board = rows.map(|row| {
            row.chars().flat_map(|c| match c.to_digit(10) {
                Some(run) => vec!['.'; run as usize],
                None => vec![c],
            })
        });
        Slow { board: board.map(Iterator::collect).collect(), white: words.next() == Some("w") }
    }

    fn at(&self, c: i32, r: i32) -> Option<char> {
        let row = self.board.get(usize::try_from(r).ok()?)?;
        row.get(usize::try_from(c).ok()?).copied()
    }

    fn is_white(piece: char) -> bool {
        piece == 'w' || piece.is_ascii_uppercase()
    }

    fn moves(&self) -> Vec<String> {
        let mut out = Vec::new();
        let up = if self.white { 1 } else { -1 };
        let all: Vec<(i32, i32)> = (-1..=1)
            .flat_map(|c| (-1..=1).map(move |r| (c, r)))
            .filter(|&step| step != (0, 0))
            .collect();
        for (r, row) in (0..).zip(&self.board) {
            for (c, &piece) in (0..).zip(row) {
                if piece == '.' || Self::is_white(piece) != self.white {
                    continue;
                }
                let mut go = |steps: &[(i32, i32)], far: i32, onto: fn(bool, bool) -> bool| {
                    for &(dc, dr) in steps {
                        for n in 1..=far {
                            let (tc, tr) = (c + n * dc, r + n * dr);
                            let Some(there) = self.at(tc, tr) else { break };
                            let empty = there == '.';
                            let enemy = !empty && Self::is_white(there) != self.white;
                            if onto(empty, enemy) {
                                let name = |c: i32| char::from(b'a' + c as u8);
                                out.push(format!("{}{}{}{}", name(c), r + 1, name(tc), tr + 1));
                            }
                            if !empty {
                                break;
                            }
                        }
                    }
                };
                let straight: Vec<_> = all.iter().copied().filter(|(c, r)| c * r == 0).collect();
                let either = |empty, enemy| empty || enemy;
                match piece.to_ascii_lowercase() {
                    'k' => go(&all, 1, either),
                    'q' => go(&all, 9, either),
                    'r' => go(&straight, 9, either),
                    'p' => {
                        go(&[(0, up)], 1, |empty, _| empty);
                        go(&[(-1, up), (1, up)], 1, |_, enemy| enemy);
                    }
                    _ => {
                        go(&[(0, up)], 1, |empty, _| empty);
                        go(&[(-1, up), (1, up)], 1, either);
                    }
                }
            }
        }
        out.sort();
        out
    }
}

#[test]
fn moves_are_those_of_a_slow_generator() {
    for name in [
        "minichess",
        "minichess(promotion=none)",
        "breakthrough",
        "breakthrough(5,6)",
        "breakthrough(9,7)",
    ] {
        let game = ludex_games::open(name).unwrap();
        let mut rng = ludex_core::Seed(11).rng();
        let mut states = 0;
        for _ in 0..100 {
            let mut state = game.start();
            while let Turn::One(player) = game.turn(&state) {
                let mut moves = Vec::new();
                game.moves(&state, player, &mut moves);
                let mut texts: Vec<_> = moves.iter().map(|&mv| game.move_text(mv)).collect();
                texts.sort();
                let position = game.position(&state);
                assert_eq!(texts, Slow::read(&position).moves(), "{name} {position}");
                game.apply(&mut state, &[moves[rng.index(moves.len())]]);
                states += 1;
            }
        }
        assert!(states > 1000, "{name}: {states}");
    }
}

#[test]
fn recorded_minichess_lines_are_legal() {
    // Two games of a published study, whose second player moves first.
    for (position, line, end) in [
        ("4/k2p/Pp1P/1p2/3K b", "a4a3 d1d2 a3a2 d2d1 a2b1 d1d2 b1a2 d2d1", "4/3p/1p1P/kp2/3K b 7"),
        ("k2r/p2p/P1pP/2PR/3K b", "d5b5 d1c1 b5b3 c2b3 a4b3 d2b2 c3b2", "k3/3p/Pp1P/1p2/2K1 w 0"),
    ] {
        let game = ludex_games::open("minichess").unwrap();
        let mut state = game.parse_position(position).unwrap();
        let mut mover = Player(1);
        for text in line.split(' ') {
            let mv = game.parse_move(&state, mover, text).unwrap();
            game.try_apply(&mut state, &[mv]).unwrap();
            mover = Player(1 - mover.0);
        }
        assert_eq!(game.position(&state), end);
        assert_eq!(game.turn(&state), Turn::One(mover));
    }
}
