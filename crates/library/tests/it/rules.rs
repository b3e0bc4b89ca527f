//! The rules of the built-in rule files, one by one: what `rules.txt` says of them holds.
//!
//! A line that begins with a game's name opens a case: `NAME | the rule`. The lines below it are commands,
//! from the start of the game on:
//!
//! | command | meaning |
//! |---|---|
//! | `at POSITION` | go to a position in the game's own notation; `3..5:1` stands for `3:1 4:1 5:1` |
//! | `fen FEN` | the same for chess |
//! | `play M M …` | make moves; outcomes of chance are moves, too |
//! | `do MOVE & MOVE` | make one step; the movers' moves are parted by `&` |
//! | `legal M M …` | these moves are legal, and no others |
//! | `has M M …`, `lacks M M …` | these moves are legal, are not legal |
//! | `count N` | so many moves are legal |
//! | `turn PLAYER` | it is this player's turn (or `chance`) |
//! | `sees PLAYER: PERCEPT` | this player perceived this with the last step |
//! | `over P P …` | the game is over with these payoffs |
//! | `board WORD …` | the position has these words |
//! | `turns N N …` | so many turns, of one move or several, from here on of length 1, 2, … |
//! | `runs GAMES: N N …` | in random games a player makes so many moves in a row, each of these numbers occurs |
//!
//! A move is named by its text, or by a part of it that names one legal move alone: without the piece before `@`, and without
//! what comes after `/`, `^` or `~`.

use std::collections::BTreeSet;

use ludex_core::{AnyGame, Game, Move, Player, Seed, Turn};

type State = <AnyGame as Game>::State;

/// Moves, or outcomes of chance, with their texts.
fn named(game: &AnyGame, state: &State, player: Player) -> Vec<(Move, String)> {
    let mut moves = Vec::new();
    match game.turn(state) {
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chances(state, &mut outcomes);
            moves.extend(outcomes.into_iter().map(|(mv, _)| mv));
        }
        turn if turn.includes(player) => game.moves(state, player, &mut moves),
        _ => {}
    }
    moves.into_iter().map(|mv| (mv, game.move_text(mv))).collect()
}

/// Does a short text name a move?
fn names(short: &str, text: &str) -> bool {
    let same = |text: &str| text.eq_ignore_ascii_case(short);
    let bare = text.split_once('@').map_or(text, |(_, site)| site);
    let cut = |text: &str| text.split(['/', '^', '~']).next().is_some_and(same);
    same(text) || same(bare) || cut(text) || cut(bare)
}

fn mover(game: &AnyGame, state: &State) -> Player {
    game.turn(state).movers().iter().next().unwrap_or(Player(0))
}

fn find(game: &AnyGame, state: &State, player: Player, short: &str) -> Result<Move, String> {
    let all = named(game, state, player);
    let exact = all.iter().filter(|(_, text)| text.eq_ignore_ascii_case(short)).count() == 1;
    let fits =
        |text: &str| if exact { text.eq_ignore_ascii_case(short) } else { names(short, text) };
    let found: Vec<&(Move, String)> = all.iter().filter(|(_, text)| fits(text)).collect();
    match found[..] {
        [(mv, _)] => Ok(*mv),
        _ => {
            let all: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
            Err(format!("`{short}` names {} of the moves {}", found.len(), all.join(" ")))
        }
    }
}

/// The number of ways in which `depth` turns can go; a turn is all that a player does in a row.
fn turns(game: &AnyGame, state: &State, depth: u32) -> u64 {
    let turn = game.turn(state);
    let Turn::One(player) = turn else { return 0 };
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let after = |&mv: &Move| {
        let mut next = state.clone();
        game.apply(&mut next, &[mv]);
        match (game.turn(&next) == turn, depth) {
            (true, _) => turns(game, &next, depth),
            (false, 1) => 1,
            (false, _) => turns(game, &next, depth - 1),
        }
    };
    moves.iter().map(after).sum()
}

/// The numbers of moves that one player makes in a row in random games. What chance does is no move.
fn runs(game: &AnyGame, games: u64) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    for seed in 0..games {
        let (mut state, mut rng, mut pad) = (game.start(), Seed(seed).rng(), Vec::new());
        let (mut last, mut run) = (None, 0);
        loop {
            let mv = match game.turn(&state) {
                Turn::One(player) => {
                    if last != Some(player) {
                        seen.insert(run);
                        (last, run) = (Some(player), 0);
                    }
                    run += 1;
                    game.sample(&state, player, &mut rng, &mut pad)
                }
                Turn::Chance => game.sample_chance(&state, &mut rng),
                Turn::Over | Turn::Joint(_) => break,
            };
            game.apply(&mut state, &[mv]);
        }
        seen.insert(run);
    }
    seen.remove(&0);
    seen
}

/// A position of `lud:chess` from the notation of Forsyth and Edwards.
fn chess(fen: &str) -> Result<String, String> {
    let mut fields = fen.split(' ');
    let mut field = || fields.next().ok_or("a field is missing");
    let (rows, to_move, castling, passing) = (field()?, field()?, field()?, field()?);
    let site = |file: char, row: usize| row * 8 + (file as usize - 'a' as usize);
    let mut fresh = Vec::new();
    for (right, rook, king) in [('K', 7, 4), ('Q', 0, 4), ('k', 63, 60), ('q', 56, 60)] {
        if castling.contains(right) {
            fresh.extend([rook, king]);
        }
    }
    let mut text = String::new();
    for (down, row) in rows.split('/').enumerate() {
        let mut file = 'a';
        for piece in row.chars() {
            let skip = piece.to_digit(10).unwrap_or(1);
            if let Some(kind) = "PpRrKkBbNnQq".find(piece) {
                let at = site(file, 7 - down);
                let state = if fresh.contains(&at) { "s1" } else { "" };
                text.push_str(&format!("{at}:{}{state} ", kind + 1));
            }
            file = char::from_u32(file as u32 + skip).ok_or("too long a row")?;
        }
    }
    let (mover, next) = if to_move == "w" { (1, 2) } else { (2, 1) };
    text.push_str(&format!("mover:{mover} next:{next} prev:{next} active:6"));
    if let [file, row] = passing.chars().collect::<Vec<_>>()[..] {
        let row = row.to_digit(10).ok_or("a bad square")? as usize - 1;
        text.push_str(&format!(" pending:{}", site(file, row)));
    }
    Ok(text)
}

/// A position with its ranges of sites written out.
fn written_out(text: &str) -> String {
    let range = |word: &str| {
        let (sites, piece) = word.split_once(':')?;
        let (from, to) = sites.split_once("..")?;
        let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
        Some((from..=to).map(|site| format!("{site}:{piece}")).collect::<Vec<_>>().join(" "))
    };
    let words = text.split(' ').map(|word| range(word).unwrap_or_else(|| word.to_owned()));
    words.collect::<Vec<_>>().join(" ")
}

struct Case<'a> {
    game: &'a AnyGame,
    state: State,
    /// The position before the last step, and the step.
    before: Option<(State, Vec<Move>)>,
}

impl Case<'_> {
    fn step(&mut self, joint: &[&str]) -> Result<(), String> {
        let movers: Vec<Player> = match self.game.turn(&self.state) {
            Turn::Chance => vec![Player(0)],
            turn => turn.movers().iter().collect(),
        };
        if movers.len() != joint.len() {
            return Err(format!("{} moves are due instead of {joint:?}", movers.len()));
        }
        let found = movers.iter().zip(joint).map(|(&p, m)| find(self.game, &self.state, p, m));
        let joint = found.collect::<Result<Vec<Move>, String>>()?;
        let before = self.state.clone();
        self.game.try_apply(&mut self.state, &joint).map_err(|error| error.to_string())?;
        self.before = Some((before, joint));
        Ok(())
    }

    fn run(&mut self, command: &str, rest: &str) -> Result<(), String> {
        let game = self.game;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let is = |what: &str, found: String, wanted: String| match found == wanted {
            true => Ok(()),
            false => Err(format!("{what}: {found} instead of {wanted}")),
        };
        let legal = || named(game, &self.state, mover(game, &self.state));
        match command {
            "at" | "fen" => {
                let text = if command == "fen" { chess(rest)? } else { written_out(rest) };
                self.state = game.parse_position(&text).map_err(|error| error.to_string())?;
                Ok(())
            }
            "play" => words.iter().try_for_each(|mv| self.step(&[mv])),
            "do" => self.step(&rest.split('&').map(str::trim).collect::<Vec<_>>()),
            "count" => is("moves", legal().len().to_string(), rest.to_owned()),
            "has" => {
                let player = mover(game, &self.state);
                words.iter().try_for_each(|mv| find(game, &self.state, player, mv).map(drop))
            }
            "lacks" => match words.iter().find(|w| legal().iter().any(|(_, t)| names(w, t))) {
                Some(word) => Err(format!("`{word}` is legal")),
                None => Ok(()),
            },
            "legal" => {
                let (all, player) = (legal(), mover(game, &self.state));
                let found = words.iter().map(|mv| find(game, &self.state, player, mv));
                let found = found.collect::<Result<BTreeSet<Move>, String>>()?;
                let more: Vec<&str> = all
                    .iter()
                    .filter(|(mv, _)| !found.contains(mv))
                    .map(|(_, text)| text.as_str())
                    .collect();
                is("also legal", more.join(" "), String::new())
            }
            "turn" => {
                let found = match game.turn(&self.state) {
                    Turn::Over => "over".to_owned(),
                    Turn::Chance => "chance".to_owned(),
                    turn => {
                        let names = turn.movers().iter().map(|p| game.info().player(p).to_owned());
                        names.collect::<Vec<_>>().join(" ")
                    }
                };
                is("turn", found, rest.to_owned())
            }
            "over" => {
                let mut payoffs = vec![0.0; game.info().seats()];
                if game.turn(&self.state) != Turn::Over {
                    return Err("the game is not over".into());
                }
                game.payoffs(&self.state, &mut payoffs);
                let found: Vec<String> = payoffs.iter().map(f32::to_string).collect();
                is("payoffs", found.join(" "), rest.to_owned())
            }
            "board" => {
                let text = game.position(&self.state);
                let lacks = |word: &&&str| !text.split_whitespace().any(|w| w == **word);
                match words.iter().find(lacks) {
                    Some(word) => Err(format!("no `{word}` in {text}")),
                    None => Ok(()),
                }
            }
            "sees" => {
                let (who, wanted) = rest.split_once(':').ok_or("`sees PLAYER: PERCEPT`")?;
                let player = game.info().players.iter().position(|p| p == who);
                let player = player.ok_or_else(|| format!("no player `{who}`"))?;
                let (before, joint) = self.before.as_ref().ok_or("nothing was played")?;
                let mut words = Vec::new();
                game.percept(before, joint, &self.state, Player(player as u8), &mut words);
                is("percept", game.percept_text(&words), wanted.trim().to_owned())
            }
            "turns" => {
                let depths = (1..=words.len() as u32).map(|depth| turns(game, &self.state, depth));
                is("turns", join(depths), words.join(" "))
            }
            "runs" => {
                let (games, wanted) = rest.split_once(':').ok_or("`runs GAMES: N N`")?;
                let games = games.parse().map_err(|_| "`runs GAMES: N N`")?;
                is("runs", join(runs(game, games)), wanted.trim().to_owned())
            }
            _ => Err(format!("unknown command `{command}`")),
        }
    }
}

fn join<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(" ")
}

/// Runs the cases of a text; what does not hold, and how many cases there are for each game.
fn check(text: &str) -> (Vec<String>, std::collections::BTreeMap<String, usize>) {
    let mut games: std::collections::BTreeMap<String, AnyGame> = Default::default();
    let (mut faults, mut cases) = (Vec::new(), std::collections::BTreeMap::new());
    let blocks = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let mut lines = blocks.peekable();
    while let Some((at, title)) = lines.next() {
        let mut commands = Vec::new();
        while let Some(line) = lines.next_if(|(_, line)| line.starts_with(' ')) {
            commands.push(line);
        }
        let Some((name, rule)) = title.split_once(" | ") else {
            faults.push(format!("line {}: no `NAME | rule`", at + 1));
            continue;
        };
        let game = games
            .entry(name.to_owned())
            .or_insert_with(|| ludex_library::open(name).unwrap_or_else(|e| panic!("{name}: {e}")));
        *cases.entry(name.to_owned()).or_insert(0) += 1;
        let mut case = Case { game, state: game.start(), before: None };
        for (at, line) in commands {
            let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            if let Err(fault) = case.run(command, rest.trim()) {
                let place = game.position(&case.state);
                faults.push(format!("line {}: {name}: {rule}: {fault}\n    at {place}", at + 1));
                break;
            }
        }
    }
    (faults, cases)
}

#[test]
fn rules_hold() {
    let (faults, cases) = check(include_str!("../rules.txt"));
    assert!(faults.is_empty(), "{} rules do not hold:\n{}", faults.len(), faults.join("\n"));
    let all = ludex_library::SHEETS.iter().map(|(name, _)| format!("kif:{name}"));
    let all = all.chain(ludex_library::DESCRIPTIONS.iter().map(|(name, _)| format!("lud:{name}")));
    let none: Vec<String> = all.filter(|name| !cases.contains_key(name)).collect();
    assert!(none.is_empty(), "rules.txt says nothing of {}", none.join(", "));
}

#[test]
fn heads_tell_how_a_file_was_made() {
    for (name, text) in ludex_library::SHEETS.iter().chain(ludex_library::DESCRIPTIONS) {
        let head: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with("//") || line.starts_with(';'))
            .collect();
        let head = head.join(" ").replace(" // ", " ").replace(" ; ", " ").to_lowercase();
        let told = ["written from the ", "written for this project after "];
        assert!(told.iter().any(|made| head.contains(made)), "{name}: {head}");
    }
}

#[test]
fn a_rule_that_does_not_hold_is_told() {
    let fails = |text: &str| check(text).0.join("\n");
    assert_eq!(fails("lud:tic-tac-toe | nine squares\n count 9\n turns 9 72"), "");
    for (command, fault) in [
        ("count 8", "moves: 9 instead of 8"),
        ("legal a1 b2", "also legal"),
        ("has a4", "`a4` names 0 of the moves"),
        ("lacks a1", "`a1` is legal"),
        ("turn P2", "turn: P1 instead of P2"),
        ("over 1 0", "the game is not over"),
        ("turns 9 80", "turns: 9 72 instead of 9 80"),
        ("runs 2: 1 2", "runs: 1 instead of 1 2"),
        ("play a1 a1", "`a1` names 0"),
        ("board 0:9", "no `0:9`"),
        ("jump", "unknown command"),
    ] {
        let said = fails(&format!("lud:tic-tac-toe | no\n {command}"));
        assert!(said.contains(fault), "{command}: {said}");
    }
}
