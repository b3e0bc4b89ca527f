//! The laws of the contract as one test that every game in the project passes.
//!
//! ```
//! use ludex_core::testkit::{self, Coins};
//! let report = testkit::check(&Coins::default(), 20, ludex_core::Seed(1)).unwrap();
//! assert_eq!(report.games, 20);
//! ```

/// Fails with the text of the broken law.
macro_rules! law {
    ($holds:expr, $($text:tt)+) => {{
        let holds: bool = $holds;
        if !holds {
            return Err(format!($($text)+));
        }
    }};
}

mod encode;
mod hash;
mod leak;
mod matches;

pub use crate::coins::{Coins, CoinsState};
pub use leak::check_leaks;

use crate::erased::AnyGame;
use crate::game::{Game, Move, Turn};
use crate::perft::choices;
use crate::player::{Player, Players};
use crate::playout::{self, LONGEST, Outcomes};
use crate::random::{Rng, Seed};
use std::collections::HashSet;

/// How much a check went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Random games played.
    pub games: u32,
    /// States looked at.
    pub states: u64,
    /// Can the game read positions?
    pub positions: bool,
    /// Pairs of worlds that were compared for the law of hidden information.
    pub pairs: u64,
}

/// Plays `games` random games and checks every law of [`Game`] along them.
///
/// # Errors
/// The first broken law, with the position in which it broke.
pub fn check<G: Game + Clone>(game: &G, games: u32, seed: Seed) -> Result<Report, String> {
    let mut report = Report { games, states: 0, positions: true, pairs: 0 };
    check_info(game)?;
    report.positions = game.parse_position(&game.position(&game.start())).is_ok();
    let mut met = hash::Met::default();
    for i in 0..games {
        random_game(game, seed.named("game").child(i.into()), &mut report, &mut met)?;
    }
    matches::check(game, seed, report.positions)?;
    encode::check(game, seed.named("encode"))?;
    if game.info().hidden {
        report.pairs = check_leaks(game, games, seed)?;
    }
    check_batches(game, (30 * games as usize).clamp(60, 300), seed.named("batch"))?;
    Ok(report)
}

/// [`check`] as a test: panics with the broken law.
pub fn conform<G: Game + Clone>(game: &G) {
    if let Err(law) = check(game, 30, Seed(2026)) {
        panic!("{}: {law}", game.info().name);
    }
}

fn check_info<G: Game>(game: &G) -> Result<(), String> {
    let info = game.info();
    law!(info.seats() >= 1, "a game needs a player");
    law!(info.seats() <= Players::MOST, "more than {} players", Players::MOST);
    law!(!info.name.is_empty(), "a game needs a name");
    let names: HashSet<_> = info.players.iter().collect();
    law!(names.len() == info.seats(), "two players have one name");
    let start = game.start();
    law!(game.hash(&start) == game.hash(&game.start()), "two starts differ in hash");
    Ok(())
}

/// The first `CLOSE` states of a random game are all checked, and of the later ones one in [`SPARSE`]. Some games last for
/// thousands of steps, and their position texts grow with every step (they list the positions that must not be repeated).
const CLOSE: u32 = 256;
const SPARSE: u32 = 16;

/// Steps in two orders are tried from each of the first `ORDERS` states, and from one in [`SPARSE`] of the later ones.
const ORDERS: u32 = 24;

/// Plays one random game and checks every law along it.
fn random_game<G: Game + Clone>(
    game: &G,
    seed: Seed,
    report: &mut Report,
    met: &mut hash::Met,
) -> Result<(), String> {
    let info = game.info();
    let mut orders = seed.named("orders").rng();
    let erased = AnyGame::new(game.clone());
    let mut rng = seed.rng();
    let mut state = game.start();
    let mut twin = game.start(); // the same moves, replayed
    let mut other = erased.start(); // the same moves through the erased layer
    let mut payoffs = vec![0.0; info.seats()];
    for ply in 0..=LONGEST {
        law!(ply < LONGEST, "random play does not end within {LONGEST} steps");
        let turn = game.turn(&state);
        if ply > CLOSE && ply % SPARSE != 0 && turn != Turn::Over {
            let lists = choices(game, &state, turn);
            law!(lists.iter().all(|list| !list.is_empty()), "a mover without a move");
            let joint: Vec<Move> = lists.iter().map(|list| list[rng.index(list.len())]).collect();
            game.apply(&mut state, &joint);
            law!(game.try_apply(&mut twin, &joint).is_ok(), "try_apply refuses a legal move");
            erased.apply(&mut other, &joint);
            continue;
        }
        let here = game.position(&state);
        report.states += 1;
        law!(game.position(&twin) == here, "replaying gives another position than {here}");
        law!(game.hash(&twin) == game.hash(&state), "equal positions, other hash: {here}");
        law!(erased.turn(&other) == turn, "erased turn differs: {here}");
        law!(erased.position(&other) == here, "erased position differs: {here}");
        check_position(game, &state, &here, report.positions)?;
        check_terms(game, &state, &here)?;
        met.meet(game, &state)?;
        if ply < ORDERS || ply % SPARSE == 0 {
            hash::two_orders(game, &state, &mut orders)?;
        }
        match turn {
            Turn::Over => {
                game.payoffs(&state, &mut payoffs);
                for &payoff in &payoffs {
                    law!((0.0..=1.0).contains(&payoff), "payoff {payoff} out of 0..=1: {here}");
                }
                if info.longest.is_some_and(|longest| ply > longest) {
                    return Err(format!("{ply} steps, but info says at most {:?}", info.longest));
                }
                let illegal = game.try_apply(&mut state, &[Move(0)]);
                law!(illegal.is_err(), "a step after the end is accepted: {here}");
                return Ok(());
            }
            Turn::Chance => law!(info.chance, "chance moves, but info says never: {here}"),
            Turn::One(_) => {}
            Turn::Joint(players) => {
                law!(info.simultaneous, "joint moves, but info says never: {here}");
                law!(!players.is_empty(), "a joint turn without players: {here}");
            }
        }
        let lists = choices(game, &state, turn);
        check_lists(game, &state, turn, &lists, &here)?;
        law!(lists == choices(&erased, &other, turn), "erased moves differ: {here}");
        if ply < 4 || ply % 16 == 0 {
            check_samples(game, &state, turn, &lists, &mut rng, &here)?;
        }
        let joint: Vec<Move> = lists.iter().map(|list| list[rng.index(list.len())]).collect();
        check_step(game, &state, &joint, &here)?;

        let before = state.clone();
        game.apply(&mut state, &joint);
        law!(game.position(&before) == here, "a step changed a clone: {here}");
        law!(game.try_apply(&mut twin, &joint).is_ok(), "try_apply refuses a legal move: {here}");
        let mut other_next = other.clone();
        erased.apply(&mut other_next, &joint);
        for p in 0..info.seats() {
            let player = Player(p as u8);
            let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
            game.percept(&before, &joint, &state, player, &mut a);
            game.percept(&before, &joint, &twin, player, &mut b);
            erased.percept(&other, &joint, &other_next, player, &mut c);
            law!(a == b && a == c, "percepts differ between replays: {here}");
            if !info.hidden {
                let words: Vec<u64> = joint.iter().map(|mv| mv.0).collect();
                law!(a == words, "nothing is hidden, so the percept is the joint move: {here}");
            }
        }
        other = other_next;
    }
    Ok(())
}

/// A position's text and JSON can be read back.
fn check_position<G: Game>(
    game: &G,
    state: &G::State,
    here: &str,
    readable: bool,
) -> Result<(), String> {
    law!(!here.contains('\n'), "a position is one line: {here}");
    if !readable {
        return Ok(());
    }
    let back = game.parse_position(here).map_err(|e| format!("own position refused: {e}"))?;
    law!(game.position(&back) == here, "position {here} reads back as {}", game.position(&back));
    law!(game.hash(&back) == game.hash(state), "position {here} reads back with another hash");
    law!(game.turn(&back) == game.turn(state), "position {here} reads back with another turn");
    let json = game.json(state);
    let back = game.parse_json(&json).map_err(|e| format!("own JSON refused: {e}"))?;
    law!(game.position(&back) == here, "JSON {json} reads back as {}", game.position(&back));
    law!(game.parse_json(&serde_json::json!(3)).is_err(), "JSON `3` is read as a position");
    Ok(())
}

fn check_terms<G: Game>(game: &G, state: &G::State, here: &str) -> Result<(), String> {
    let mut values = vec![0.0; game.terms().len()];
    for p in 0..game.info().seats() {
        game.evaluate(state, Player(p as u8), &mut values);
        for (name, value) in game.terms().iter().zip(&values) {
            law!((-1.0..=1.0).contains(value), "term {name} is {value}, not in -1..=1: {here}");
        }
    }
    Ok(())
}

/// The most moves of a list that are read back from their texts.
const READ: usize = 64;

/// Move lists: not empty, no doubles, stable, texts parse back, keys in range, probabilities.
fn check_lists<G: Game>(
    game: &G,
    state: &G::State,
    turn: Turn,
    lists: &[Vec<Move>],
    here: &str,
) -> Result<(), String> {
    for list in lists {
        law!(!list.is_empty(), "a mover without a move: {here}");
        let set: HashSet<_> = list.iter().collect();
        law!(set.len() == list.len(), "a move stands twice in the list: {here}");
        let texts: HashSet<_> = list.iter().map(|&mv| game.move_text(mv)).collect();
        law!(texts.len() == list.len(), "two moves have one text: {here}");
    }
    law!(*lists == *choices(game, &state.clone(), turn), "a clone lists other moves: {here}");
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chances(state, &mut outcomes);
        let sum: f64 = outcomes.iter().map(|(_, p)| p).sum();
        law!((sum - 1.0).abs() < 1e-9, "probabilities add up to {sum}: {here}");
        law!(outcomes.iter().all(|&(_, p)| p > 0.0), "an impossible outcome is listed: {here}");
        return Ok(());
    }
    for (player, list) in turn.movers().iter().zip(lists) {
        // Reading one move may list all legal moves, so only some moves of a long list are read.
        for &mv in list.iter().step_by(list.len().div_ceil(READ)) {
            let text = game.move_text(mv);
            let back = game.parse_move(state, player, &text);
            law!(back.as_ref() == Ok(&mv), "move {text} reads back as {back:?}: {here}");
            law!(text == text.trim() && !text.is_empty(), "bad move text `{text}`: {here}");
            if let Some(bound) = game.info().action_keys {
                let key = game.action_key(state, player, mv);
                law!(key < bound.into(), "action key {key} of {text} is not below {bound}");
            }
        }
        let nonsense = game.parse_move(state, player, "\u{1}no move\u{1}");
        law!(nonsense.is_err(), "nonsense is read as a move: {here}");
    }
    Ok(())
}

/// `sample` and `sample_chance` follow the lists: a chi-squared test with a bound so wide that
/// it fails about once in a million calls.
fn check_samples<G: Game>(
    game: &G,
    state: &G::State,
    turn: Turn,
    lists: &[Vec<Move>],
    rng: &mut Rng,
    here: &str,
) -> Result<(), String> {
    let mut pad = Vec::new();
    let mut outcomes = Vec::new();
    if turn == Turn::Chance {
        game.chances(state, &mut outcomes);
    }
    let movers = turn.movers().iter().map(Some).chain((turn == Turn::Chance).then_some(None));
    for (mover, list) in movers.zip(lists) {
        if list.len() > 200 {
            continue;
        }
        let draws = 40 * list.len();
        let mut count = vec![0.0; list.len()];
        for _ in 0..draws {
            let mv = match mover {
                Some(player) => game.sample(state, player, rng, &mut pad),
                None => game.sample_chance(state, rng),
            };
            match list.iter().position(|&legal| legal == mv) {
                Some(i) => count[i] += 1.0,
                None => return Err(format!("sampled {}: not legal: {here}", game.move_text(mv))),
            }
        }
        let expected = |i: usize| match mover {
            Some(_) => draws as f64 / list.len() as f64,
            None => draws as f64 * outcomes[i].1,
        };
        let chi2: f64 =
            count.iter().enumerate().map(|(i, c)| (c - expected(i)).powi(2) / expected(i)).sum();
        let df = (list.len() - 1) as f64;
        // Mean df, variance 2 df; the tail is heavier than normal for few moves.
        let bound = df + 7.0 * (2.0 * df).sqrt() + 30.0;
        law!(chi2 < bound, "samples are not uniform (chi2 {chi2:.0}, df {df}): {here}");
    }
    Ok(())
}

/// `try_apply` refuses an illegal step and leaves the state unchanged.
fn check_step<G: Game>(
    game: &G,
    state: &G::State,
    joint: &[Move],
    here: &str,
) -> Result<(), String> {
    let mut wrong = vec![joint.to_vec(); 3];
    wrong[0].push(joint[0]);
    wrong[1].pop();
    wrong[2][0] = Move(u64::MAX - 12345);
    for bad in wrong {
        let mut copy = state.clone();
        law!(game.try_apply(&mut copy, &bad).is_err(), "an illegal step is accepted: {here}");
        law!(game.position(&copy) == here, "a refused step changed the state: {here}");
    }
    Ok(())
}

/// The number of parts into which playouts are divided to compare their lengths.
const PARTS: usize = 10;

/// The most steps of a batch: of long games fewer are played.
const MOST_STEPS: u64 = 20_000;

/// A batch of at most `n` playouts from each of two starts has the same distribution of results and lengths as playouts one
/// by one, and the same seed gives the same batch.
fn check_batches<G: Game>(game: &G, n: usize, seed: Seed) -> Result<(), String> {
    let players = game.info().seats();
    let mut first = Outcomes::new(players);
    game.playouts(&[game.start()], PARTS, seed.named("length"), &mut first);
    let length = (first.plies() / PARTS as u64).max(1);
    let n = n.min((MOST_STEPS / length) as usize).max(PARTS);
    // A second start, a few steps later: a batch that mixes up its starts is found out.
    let mut later = game.start();
    let mut rng = seed.named("later").rng();
    for _ in 0..4 {
        let turn = game.turn(&later);
        if turn == Turn::Over {
            later = game.start();
            break;
        }
        let lists = choices(game, &later, turn);
        let joint: Vec<Move> = lists.iter().map(|list| list[rng.index(list.len())]).collect();
        game.apply(&mut later, &joint);
    }
    let starts = [game.start(), later];
    let run = |seed| {
        let mut out = Outcomes::new(players);
        game.playouts(&starts, n, seed, &mut out);
        out
    };
    let batch = run(seed);
    law!(batch == run(seed), "the same seed gives another batch");
    law!(batch.len() == 2 * n, "{} results for {} playouts", batch.len(), 2 * n);
    let mut single = Outcomes::new(players);
    playout::one_by_one(game, &starts, n, seed.named("loop"), &mut single);
    for start in 0..2 {
        for p in 0..players {
            let column = |out: &Outcomes| -> Vec<f64> {
                out.rows().skip(start * n).take(n).map(|row| f64::from(row[p])).collect()
            };
            let (a, b) = (column(&batch), column(&single));
            let mean = |v: &[f64]| v.iter().sum::<f64>() / n as f64;
            let variance =
                |v: &[f64]| v.iter().map(|x| (x - mean(v)).powi(2)).sum::<f64>() / n as f64;
            let sigma = ((variance(&a) + variance(&b)) / n as f64).sqrt();
            let gap = (mean(&a) - mean(&b)).abs();
            law!(
                gap <= 5.0 * sigma + 0.02,
                "batch and loop differ: start {start}, player {p}, {gap:.3}"
            );
        }
    }
    // The mean length of each part. Their spread shows how much chance alone can move the mean: a few games may be
    // very long.
    let lengths = |play: &dyn Fn(Seed, &mut Outcomes), name: &str| -> [f64; 2] {
        let parts: Vec<f64> = (0..PARTS)
            .map(|i| {
                let mut out = Outcomes::new(players);
                play(seed.named(name).child(i as u64), &mut out);
                out.plies() as f64 / out.len() as f64
            })
            .collect();
        let mean = parts.iter().sum::<f64>() / PARTS as f64;
        let spread = parts.iter().map(|part| (part - mean).powi(2)).sum::<f64>();
        [mean, spread / (PARTS * (PARTS - 1)) as f64]
    };
    let part = n / PARTS;
    let [a, va] = lengths(&|seed, out| game.playouts(&starts, part, seed, out), "batches");
    let [b, vb] =
        lengths(&|seed, out| playout::one_by_one(game, &starts, part, seed, out), "loops");
    law!(
        (a - b).abs() <= (0.25 * a.max(b)).max(6.0 * (va + vb).sqrt()) + 1.0,
        "batch games take {a:.1} steps, loop games {b:.1}"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Cpu;
    use crate::error::Result;
    use crate::game::Info;

    #[test]
    fn coins_conform() {
        conform(&Coins::default());
        conform(&Coins::hidden());
        conform(&AnyGame::new(Coins::default()));
    }

    /// A game that breaks one law, named by the second field.
    #[derive(Clone)]
    struct Broken(Coins, &'static str);

    impl Game for Broken {
        type State = CoinsState;
        fn info(&self) -> &Info {
            self.0.info()
        }
        fn start(&self) -> CoinsState {
            self.0.start()
        }
        fn turn(&self, s: &CoinsState) -> Turn {
            self.0.turn(s)
        }
        fn moves(&self, s: &CoinsState, p: Player, out: &mut Vec<Move>) {
            self.0.moves(s, p, out);
            if self.1 == "double" {
                out.push(out[0]);
            }
        }
        fn apply(&self, s: &mut CoinsState, joint: &[Move]) {
            self.0.apply(s, joint);
        }
        fn payoffs(&self, s: &CoinsState, out: &mut [f32]) {
            self.0.payoffs(s, out);
            if self.1 == "payoff" {
                out[0] = 1.5;
            }
        }
        fn hash(&self, s: &CoinsState) -> u64 {
            static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
            match self.1 {
                "hash" => COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
                "constant" => 7,
                _ => self.0.hash(s),
            }
        }
        fn move_text(&self, mv: Move) -> String {
            match self.1 {
                "text" => "x".into(),
                "separator" => format!("take | {}", mv.0),
                _ => self.0.move_text(mv),
            }
        }
        fn position(&self, s: &CoinsState) -> String {
            if self.1 == "position" { format!("{} 0", s.left) } else { self.0.position(s) }
        }
        fn parse_position(&self, text: &str) -> Result<CoinsState> {
            self.0.parse_position(text)
        }
        fn chances(&self, s: &CoinsState, out: &mut Vec<(Move, f64)>) {
            self.0.chances(s, out);
            if self.1 == "chance" {
                out[0].1 = 0.6;
            }
        }
        fn sample_on<C: Cpu>(
            &self,
            _: C,
            s: &CoinsState,
            p: Player,
            rng: &mut Rng,
            pad: &mut Vec<Move>,
        ) -> Move {
            if self.1 == "sample" {
                return Move(1);
            }
            pad.clear();
            self.moves(s, p, pad);
            pad[rng.index(pad.len())]
        }
        fn percept(
            &self,
            b: &CoinsState,
            j: &[Move],
            a: &CoinsState,
            p: Player,
            out: &mut Vec<u64>,
        ) {
            self.0.percept(b, j, a, p, out);
            match self.1 {
                "percept" => out.push(1),
                "untold" if out[0] < 4 => *out = vec![0],
                _ => {}
            }
        }
        fn action_key(&self, _: &CoinsState, _: Player, mv: Move) -> u64 {
            if self.1 == "key" { 99 } else { mv.0 }
        }
        fn playouts(&self, starts: &[CoinsState], n: usize, seed: Seed, out: &mut Outcomes) {
            if self.1 == "batch" {
                for _ in 0..starts.len() * n {
                    out.push(5)[0] = 1.0;
                }
            } else {
                playout::one_by_one(self, starts, n, seed, out);
            }
        }
    }

    #[test]
    fn the_kit_finds_each_broken_law() {
        assert!(check(&Broken(Coins::default(), ""), 5, Seed(1)).is_ok());
        for (fault, law) in [
            ("double", "stands twice"),
            ("payoff", "out of 0..=1"),
            ("hash", "hash"),
            ("constant", "equal hash"),
            ("text", "one text"),
            ("position", "reads back"),
            ("chance", "add up to"),
            ("sample", "not uniform"),
            ("percept", "percept is the joint move"),
            ("key", "not below"),
            ("batch", "batch and loop differ"),
            ("separator", "transcript"),
        ] {
            let found = check(&Broken(Coins::default(), fault), 5, Seed(1)).unwrap_err();
            assert!(found.contains(law), "{fault}: {found}");
        }
        let untold = check(&Broken(Coins::hidden(), "untold"), 5, Seed(1)).unwrap_err();
        assert!(untold.contains("legal moves differ"), "{untold}");
    }

    /// The Monty Hall game: chance hides a car behind one of three doors, the player points at the first door, the
    /// host opens another one without the car, and the player keeps the door or takes the third one. An
    /// honest host takes a turn of chance even where only one door can be opened.
    #[derive(Clone)]
    struct Doors {
        info: Info,
        honest: bool,
    }

    impl Doors {
        fn new(honest: bool) -> Doors {
            let mut info = Info::new("doors", "Three doors", &["guest"]);
            (info.chance, info.hidden, info.constant_sum) = (true, true, false);
            Doors { info, honest }
        }
    }

    impl Game for Doors {
        /// The door of the car, the door that the host opened, and how far the game is.
        type State = (u8, u8, u8);
        fn info(&self) -> &Info {
            &self.info
        }
        fn start(&self) -> (u8, u8, u8) {
            (9, 9, 0)
        }
        fn turn(&self, state: &(u8, u8, u8)) -> Turn {
            match state.2 {
                0 | 2 => Turn::Chance,
                1 | 3 => Turn::One(Player(0)),
                _ => Turn::Over,
            }
        }
        fn moves(&self, state: &(u8, u8, u8), _: Player, out: &mut Vec<Move>) {
            out.extend((0..if state.2 == 1 { 1 } else { 2 }).map(Move));
        }
        fn chances(&self, state: &(u8, u8, u8), out: &mut Vec<(Move, f64)>) {
            let doors: Vec<u8> = match state {
                (_, _, 0) => vec![0, 1, 2],
                (car, ..) => (1..3).filter(|door| door != car).collect(),
            };
            out.extend(doors.iter().map(|&d| (Move(d.into()), 1.0 / doors.len() as f64)));
        }
        fn apply(&self, state: &mut (u8, u8, u8), joint: &[Move]) {
            match state.2 {
                0 => *state = (joint[0].0 as u8, 9, 1),
                1 if state.0 != 0 && !self.honest => *state = (state.0, 3 - state.0, 3),
                2 => *state = (state.0, joint[0].0 as u8, 3),
                _ => state.2 += 1,
            }
        }
        fn percept(
            &self,
            _: &(u8, u8, u8),
            _: &[Move],
            after: &(u8, u8, u8),
            _: Player,
            out: &mut Vec<u64>,
        ) {
            out.extend((after.2 == 3).then_some(u64::from(after.1)));
        }
        fn payoffs(&self, _: &(u8, u8, u8), out: &mut [f32]) {
            out[0] = 0.5;
        }
        fn hash(&self, state: &(u8, u8, u8)) -> u64 {
            u64::from(state.0) << 16 | u64::from(state.1) << 8 | u64::from(state.2)
        }
        fn move_text(&self, mv: Move) -> String {
            mv.0.to_string()
        }
        fn position(&self, state: &(u8, u8, u8)) -> String {
            format!("{state:?}")
        }
    }

    #[test]
    fn the_kit_finds_a_leak_through_the_number_of_turns() {
        let honest = check(&Doors::new(true), 20, Seed(1)).unwrap();
        assert!(honest.pairs > 50, "{} pairs of worlds", honest.pairs);
        let leak = check(&Doors::new(false), 20, Seed(1)).unwrap_err();
        assert!(leak.contains("records differ"), "{leak}");
    }
}
