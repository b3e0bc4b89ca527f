//! Descriptions with many rules, compared with plain programs for the same games along random games.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use ludex_core::{AnyGame, Game, Move, Player, Rng, Seed, Turn};

type State = <AnyGame as Game>::State;

/// What lies on each site: its kind and how many.
type Sites = BTreeMap<usize, (u32, u32)>;

/// The words of a position: what lies on the sites, and the other numbers by name.
fn read(game: &AnyGame, state: &State) -> (Sites, BTreeMap<String, Vec<i32>>) {
    let (mut sites, mut rest) = (BTreeMap::new(), BTreeMap::new());
    for word in game.position(state).split_whitespace() {
        let (key, value) = word.split_once(':').expect("key and value");
        if let Ok(site) = key.parse::<usize>() {
            let levels: Vec<&str> = value.split('/').collect();
            let number = |text: &str| text.parse::<u32>().expect("a number");
            let (kind, count) = match levels[0].split_once('x') {
                Some((kind, count)) => (number(kind), number(count)),
                None => {
                    let kind = levels[0].split('s').next().unwrap_or_default();
                    (number(kind), levels.len() as u32)
                }
            };
            sites.insert(site, (kind, count));
        } else {
            rest.insert(key.to_owned(), value.split(',').filter_map(|v| v.parse().ok()).collect());
        }
    }
    (sites, rest)
}

fn legal(game: &AnyGame, state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    if let Turn::One(player) = game.turn(state) {
        game.moves(state, player, &mut moves);
    }
    moves
}

fn payoffs(game: &AnyGame, state: &State) -> Option<Vec<f32>> {
    let mut out = vec![0.0; game.info().seats()];
    (game.turn(state) == Turn::Over).then(|| {
        game.payoffs(state, &mut out);
        out
    })
}

/// The payoffs of a game by points.
fn by_points(a: u32, b: u32) -> Vec<f32> {
    match a.cmp(&b) {
        std::cmp::Ordering::Greater => vec![1.0, 0.0],
        std::cmp::Ordering::Equal => vec![0.5, 0.5],
        std::cmp::Ordering::Less => vec![0.0, 1.0],
    }
}

mod backgammon {
    use super::*;

    /// By player and step of the way: 0 is the bar, 25 is off the board.
    pub(super) type Board = [[u8; 26]; 2];

    /// The steps of both ways as sites of the description.
    fn ways() -> [Vec<usize>; 2] {
        let one = [6].into_iter().chain((7..=12).rev()).chain((0..=5).rev());
        let two = [19].into_iter().chain((20..=25).rev()).chain((13..=18).rev());
        [one.chain(13..=18).chain(20..=25).collect(), two.chain(0..=5).chain(7..=12).collect()]
    }

    pub(super) fn board(game: &AnyGame, state: &State) -> Board {
        let (sites, _) = read(game, state);
        let mut board = [[0; 26]; 2];
        for (player, way) in ways().iter().enumerate() {
            for (step, site) in way.iter().enumerate() {
                if let Some(&(kind, count)) = sites.get(site)
                    && kind == player as u32 + 3
                {
                    board[player][step] = count as u8;
                }
            }
            board[player][25] = 15 - board[player][..25].iter().sum::<u8>();
        }
        board
    }

    /// What one man can do by one number.
    fn moves(board: &Board, player: usize, number: usize) -> Vec<Board> {
        let (own, other) = (&board[player], &board[1 - player]);
        let mut all = Vec::new();
        for step in 0..25 {
            if own[step] == 0 || own[0] > 0 && step > 0 {
                continue;
            }
            let to = step + number;
            let mut next = *board;
            next[player][step] -= 1;
            if to < 25 {
                // The other's way is the same the other way round.
                match other[25 - to] {
                    0 => {}
                    1 => {
                        next[1 - player][25 - to] = 0;
                        next[1 - player][0] += 1;
                    }
                    _ => continue,
                }
                next[player][to] += 1;
            } else {
                let home = own[..19].iter().all(|&men| men == 0);
                if !home || to > 25 && own[..step].iter().any(|&men| men > 0) {
                    continue;
                }
                next[player][25] += 1;
            }
            all.push(next);
        }
        all
    }

    fn extend(
        board: Board,
        player: usize,
        numbers: &[usize],
        used: Vec<usize>,
        out: &mut BTreeSet<(Vec<usize>, Board)>,
    ) {
        if !out.insert((used.clone(), board)) {
            return;
        }
        if let Some((&number, rest)) = numbers.split_first() {
            for next in moves(&board, player, number) {
                let used = used.iter().copied().chain([number]).collect();
                // A man who is off last ends the game.
                let rest = if next[player][25] == 15 { &[] } else { rest };
                extend(next, player, rest, used, out);
            }
        }
    }

    /// The boards after all turns that the rules allow.
    pub(super) fn turns(board: &Board, player: usize, dice: [usize; 2]) -> BTreeSet<Board> {
        let [a, b] = dice;
        let orders = if a == b { vec![vec![a; 4]] } else { vec![vec![a, b], vec![b, a]] };
        let mut all = BTreeSet::new();
        for order in orders {
            let mut found = BTreeSet::new();
            extend(*board, player, &order, Vec::new(), &mut found);
            all.extend(found);
        }
        // Who has borne off all men has used enough.
        let won = |(_, board): &(Vec<usize>, Board)| board[player][25] == 15;
        let most = all.iter().map(|(used, _)| used.len()).max().unwrap_or(0);
        let mut best: Vec<_> =
            all.iter().filter(|turn| turn.0.len() == most || won(turn)).collect();
        if most == 1 && a != b {
            let largest = best.iter().map(|(used, _)| used[0]).max();
            best.retain(|(used, _)| used.first().copied() == largest);
        }
        best.into_iter().map(|(_, board)| *board).collect()
    }
}

/// All boards after a turn of the description, and one of the states.
fn turns_of(game: &AnyGame, start: &State, rng: &mut Rng) -> (BTreeSet<backgammon::Board>, State) {
    let Turn::One(player) = game.turn(start) else { panic!("a player's turn") };
    let (mut ends, mut seen, mut todo) = (BTreeSet::new(), HashSet::new(), vec![start.clone()]);
    let mut chosen = start.clone();
    while let Some(state) = todo.pop() {
        for mv in legal(game, &state) {
            let mut next = state.clone();
            game.apply(&mut next, &[mv]);
            let board = backgammon::board(game, &next);
            if game.turn(&next) != Turn::One(player) {
                if ends.insert(board) && rng.index(ends.len()) == 0 {
                    chosen = next;
                }
                continue;
            }
            let (_, rest) = read(game, &next);
            let dice = rest["numbers"].iter().rev().take(2).copied().collect::<Vec<i32>>();
            if seen.insert((board, rest.get("same").cloned(), dice)) {
                todo.push(next);
            }
        }
    }
    (ends, chosen)
}

#[test]
fn backgammon_allows_the_turns_of_a_plain_program() {
    let game = ludex_library::open("lud:backgammon").expect("backgammon");
    let (mut turns, mut doubles, mut single, mut off) = (0, 0, 0, 0);
    for seed in 0..16 {
        let (mut state, mut rng) = (game.start(), Seed(seed).rng());
        while game.turn(&state) != Turn::Over {
            let roll = game.sample_chance(&state, &mut rng);
            let text = game.move_text(roll);
            let dice: Vec<usize> = text
                .trim_start_matches("roll:")
                .split('+')
                .filter_map(|die| die.parse().ok())
                .collect();
            game.apply(&mut state, &[roll]);
            let Turn::One(Player(player)) = game.turn(&state) else { panic!("a player's turn") };
            let player = usize::from(player);
            let before = backgammon::board(&game, &state);
            let wanted = backgammon::turns(&before, player, [dice[0], dice[1]]);
            let (found, next) = turns_of(&game, &state, &mut rng);
            let (more, less) = (found.difference(&wanted).next(), wanted.difference(&found).next());
            assert_eq!((more, less), (None, None), "{text}, player {player}: {before:?}");
            turns += 1;
            doubles += u32::from(dice[0] == dice[1]);
            single += u32::from(found.len() == 1);
            off += u32::from(before[player][25] > 0);
            state = next;
        }
        let board = backgammon::board(&game, &state);
        let winner = usize::from(board[1][25] == 15);
        assert_eq!(board[winner][25], 15);
        assert_eq!(payoffs(&game, &state).expect("over")[winner], 1.0);
    }
    println!("{turns} turns, {doubles} doubles, {single} with one outcome, {off} with men off");
    assert!(turns > 1000 && doubles > 150 && single > 50 && off > 50);
}

/// Sows the seeds of a hole along `way`; the last hole. `again` says whether the hole they came from is sown, too.
fn sow(board: &mut [u32; 14], way: &[usize], from: usize, again: bool) -> usize {
    let (mut seeds, mut at) = (std::mem::take(&mut board[from]), from);
    let mut step = way.iter().position(|&hole| hole == from).expect("a hole of the way");
    while seeds > 0 {
        step = (step + 1) % way.len();
        if way[step] != from || again {
            at = way[step];
            board[at] += 1;
            seeds -= 1;
        }
    }
    at
}

fn holes(game: &AnyGame, state: &State) -> [u32; 14] {
    let mut board = [0; 14];
    read(game, state).0.iter().for_each(|(&site, &(_, count))| board[site] = count);
    board
}

/// The site of a move such as `!B1`; the holes of the lower row are 1 to 6, of the upper row 7 to 12.
fn hole(text: &str) -> usize {
    let mut letters = text.trim_start_matches('!').chars();
    let column = letters.next().map_or(0, |c| c as usize - 'A' as usize);
    if letters.as_str() == "1" { column } else { column + 6 }
}

/// What a plain program says of a move: the board, who moves next (none: it is over), the points.
type Outcome = ([u32; 14], Option<usize>, [u32; 2]);

/// Plays random games and compares every move of every position with a plain program's.
fn compare(name: &str, games: u64, plain: impl Fn(&Sown, usize) -> Option<Outcome>) -> Vec<usize> {
    let game = ludex_library::open(name).expect("a game");
    let mut results = vec![0; 3];
    for seed in 0..games {
        let (mut state, mut rng) = (game.start(), Seed(seed).rng());
        let mut sown = Sown { board: holes(&game, &state), mover: 0, seen: Vec::new() };
        while let Turn::One(player) = game.turn(&state) {
            assert_eq!(usize::from(player.0), sown.mover, "{name}: {:?}", sown.board);
            sown.seen.push((sown.board, sown.mover));
            let moves = legal(&game, &state);
            let found: BTreeSet<usize> = moves.iter().map(|&m| hole(&game.move_text(m))).collect();
            let row = if sown.mover == 0 { 1..=6 } else { 7..=12 };
            let wanted: BTreeSet<usize> = row.filter(|&h| plain(&sown, h).is_some()).collect();
            assert_eq!(found, wanted, "{name}: {:?} of player {}", sown.board, sown.mover);
            for &mv in &moves {
                let mut next = state.clone();
                game.apply(&mut next, &[mv]);
                let (board, mover, points) =
                    plain(&sown, hole(&game.move_text(mv))).expect("legal");
                let what = format!("{name}: {:?}, {}", sown.board, game.move_text(mv));
                assert_eq!(holes(&game, &next), board, "{what}");
                match mover {
                    Some(mover) => {
                        assert_eq!(game.turn(&next), Turn::One(Player(mover as u8)), "{what}");
                    }
                    None => {
                        let wanted = Some(by_points(points[0], points[1]));
                        assert_eq!(payoffs(&game, &next), wanted, "{what}");
                    }
                }
            }
            let mv = moves[rng.index(moves.len())];
            let (board, mover, _) = plain(&sown, hole(&game.move_text(mv))).expect("legal");
            game.apply(&mut state, &[mv]);
            (sown.board, sown.mover) = (board, mover.unwrap_or(sown.mover));
        }
        let first = payoffs(&game, &state).expect("over")[0];
        results[(first * 2.0) as usize] += 1;
    }
    results
}

/// A game of sowing: the seeds, who moves, and the positions so far.
struct Sown {
    board: [u32; 14],
    mover: usize,
    seen: Vec<([u32; 14], usize)>,
}

fn rows(board: &[u32; 14]) -> [u32; 2] {
    [board[1..=6].iter().sum(), board[7..=12].iter().sum()]
}

#[test]
fn oware_is_the_game_of_a_plain_program() {
    const WAY: [usize; 12] = [1, 2, 3, 4, 5, 6, 12, 11, 10, 9, 8, 7];
    const STORES: [usize; 2] = [0, 13];
    /// The board after a move; none if it does not leave the other any seeds.
    fn after(board: &[u32; 14], mover: usize, from: usize) -> Option<[u32; 14]> {
        let mut next = *board;
        if next[from] == 0 {
            return None;
        }
        let last = sow(&mut next, &WAY, from, false);
        let enemy = if mover == 0 { 7..=12 } else { 1..=6 };
        let mut captured = next;
        let mut at = WAY.iter().position(|&hole| hole == last).expect("a hole");
        while enemy.contains(&WAY[at]) && matches!(captured[WAY[at]], 2 | 3) {
            captured[STORES[mover]] += std::mem::take(&mut captured[WAY[at]]);
            at = (at + 11) % 12;
        }
        if rows(&captured)[1 - mover] > 0 {
            next = captured;
        }
        (rows(&next)[1 - mover] > 0).then_some(next)
    }
    let results = compare("lud:oware", 60, |sown, from| {
        let board = after(&sown.board, sown.mover, from)?;
        let other = 1 - sown.mover;
        let row = if other == 0 { 1..=6 } else { 7..=12 };
        let stuck = row.into_iter().all(|hole| after(&board, other, hole).is_none());
        let won = board[STORES[sown.mover]] > 24;
        let over = won || stuck || sown.seen.contains(&(board, other));
        let points = [0, 1].map(|p| board[STORES[p]] + if won { 0 } else { rows(&board)[p] });
        Some((board, (!over).then_some(other), points))
    });
    println!("lost, drawn, won by the first player: {results:?}");
    assert!(results[0] > 5 && results[2] > 5);
}

#[test]
fn kalah_is_the_game_of_a_plain_program() {
    const STORES: [usize; 2] = [13, 0];
    let results = compare("lud:kalah", 100, |sown, from| {
        let mut board = sown.board;
        let (own, enemy) = (STORES[sown.mover], STORES[1 - sown.mover]);
        if board[from] == 0 {
            return None;
        }
        let round = [1, 2, 3, 4, 5, 6, 13, 12, 11, 10, 9, 8, 7, 0];
        let way: Vec<usize> = round.into_iter().filter(|&hole| hole != enemy).collect();
        let last = sow(&mut board, &way, from, true);
        let row = if sown.mover == 0 { 1..=6 } else { 7..=12 };
        let opposite = if last <= 6 { last + 6 } else { last - 6 };
        if row.contains(&last) && board[last] == 1 && board[opposite] > 0 {
            board[own] += std::mem::take(&mut board[last]) + std::mem::take(&mut board[opposite]);
        }
        let over = rows(&board).contains(&0);
        let next = if last == own { sown.mover } else { 1 - sown.mover };
        let points = [0, 1].map(|p| board[STORES[p]] + rows(&board)[p]);
        Some((board, (!over).then_some(next), points))
    });
    println!("lost, drawn, won by the first player: {results:?}");
    assert!(results[0] > 5 && results[2] > 5);
}
