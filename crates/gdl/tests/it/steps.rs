//! Steps of many states made at once in lanes, held to the same steps one by one.

use ludex_core::trial::{self, Trial};
use ludex_core::{Game, Move, Player, Rng, Seed, Turn};
use ludex_gdl::game::{GdlGame, GdlState, Options};

fn open(name: &str) -> GdlGame {
    let path = format!("{}/../../games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let rules = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    GdlGame::load(name, &rules, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The joint moves in a state, one after the other, and the moves in each.
fn joints(game: &GdlGame, state: &GdlState) -> (Vec<Move>, usize) {
    let turn = game.turn(state);
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chances(state, &mut outcomes);
        return (outcomes.into_iter().map(|(mv, _)| mv).collect(), 1);
    }
    let mut all: Vec<Vec<Move>> = vec![Vec::new()];
    for player in turn.movers().iter() {
        let mut moves = Vec::new();
        game.moves(state, player, &mut moves);
        let with = |one: &Vec<Move>| moves.iter().map(|&mv| [&one[..], &[mv]].concat()).collect();
        all = all.iter().flat_map::<Vec<Vec<Move>>, _>(with).collect();
    }
    (all.concat(), turn.movers().len())
}

/// What a trial needs to own.
struct Lived {
    state: GdlState,
    joints: Vec<Move>,
    movers: usize,
    percept: Vec<u64>,
    legal: Option<Vec<Move>>,
}

/// Steps of random matches: in each state all joint moves in random order, and what `seat` saw of one
/// of them; now and then something that it never could.
fn lived(game: &GdlGame, seat: Player, matches: usize, rng: &mut Rng) -> Vec<Lived> {
    let mut lived = Vec::new();
    for _ in 0..matches {
        let mut state = game.start();
        while !game.is_over(&state) {
            let (flat, movers) = joints(game, &state);
            let mut order: Vec<&[Move]> = flat.chunks(movers).collect();
            let joint = order[rng.index(order.len())].to_vec();
            rng.shuffle(&mut order);
            let mut after = state.clone();
            game.apply(&mut after, &joint);
            let (mut percept, mut legal) = (Vec::new(), None);
            game.percept(&state, &joint, &after, seat, &mut percept);
            if rng.below(8) == 0 {
                percept.push([7, 424_242, u64::MAX][rng.index(3)]);
            }
            if game.turn(&after).includes(seat) {
                let mut moves = Vec::new();
                game.moves(&after, seat, &mut moves);
                moves.sort_unstable();
                if rng.below(8) == 0 {
                    moves.pop();
                }
                legal = Some(moves);
            } else if rng.below(8) == 0 {
                legal = Some(vec![joint[0]]);
            }
            lived.push(Lived { joints: order.concat(), state, movers, percept, legal });
            state = after;
        }
    }
    lived
}

#[test]
fn steps_made_at_once_are_those_made_one_by_one() {
    // With two turns a step, joint turns, many percepts, and one player.
    for (name, seats) in [
        ("krieg-tictactoe", 2),
        ("hidden-connect", 2),
        ("blind-breakthrough5", 2),
        ("battleships-in-fog", 2),
        ("transit", 1),
        ("border-protection", 1),
        ("guess-who", 1),
        ("mastermind-small", 1),
        ("monty-hall", 1),
    ] {
        let game = open(name);
        let mut rng = Seed(5).named(name).rng();
        for seat in (0..seats).map(Player) {
            let lived = lived(&game, seat, 12, &mut rng);
            let trials: Vec<Trial<'_, GdlState>> = lived
                .iter()
                .map(|l| Trial {
                    state: &l.state,
                    joints: &l.joints,
                    movers: l.movers,
                    percept: &l.percept,
                    legal: l.legal.as_deref(),
                })
                .collect();
            let (mut at_once, mut one_by_one) = (Vec::new(), Vec::new());
            game.explain(&trials, seat, &mut at_once);
            trial::one_by_one(&game, &trials, seat, &mut one_by_one);
            let found = one_by_one.iter().flatten().count();
            assert!(found > trials.len() / 2 && found < trials.len(), "{name}: {found}");
            for (i, (a, b)) in at_once.iter().zip(&one_by_one).enumerate() {
                assert_eq!(a, b, "{name}, seat {}, trial {i}", seat.0);
            }
            assert_eq!(at_once.len(), trials.len());
        }
    }
}
