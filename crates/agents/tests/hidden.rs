//! Information sets: enumeration, random sampling and HyperPlay's bag, held to each other.

mod common;

use ludex_agents::hidden::{Bag, Config, Cost, Life, Remedy, Sampler, enumerate};
use ludex_core::{AnyGame, AnyState, Error, Game, Move, Percept, Player, Record, Rng, Seed, Turn};
use std::collections::HashMap;

/// A random match up to so many steps, as each seat lives it: its record, and its legal moves
/// now. Ends where `seat` is to move.
fn lived(game: &AnyGame, seat: Player, steps: usize, rng: &mut Rng) -> Option<(Life, AnyState)> {
    let mut state = game.start();
    let mut life = Life::new(seat);
    let mut pad = Vec::new();
    loop {
        let turn = game.turn(&state);
        if turn == Turn::Over {
            return None;
        }
        if turn.includes(seat) {
            pad.clear();
            game.moves(&state, seat, &mut pad);
            life.asked(&pad);
            if life.len() >= steps {
                return Some((life, state));
            }
        }
        let joint: Vec<Move> = match turn {
            Turn::Chance => vec![game.sample_chance(&state, rng)],
            _ => turn.movers().iter().map(|p| game.sample(&state, p, rng, &mut pad)).collect(),
        };
        let before = state.clone();
        game.apply(&mut state, &joint);
        let mut percept = Percept::default();
        game.percept(&before, &joint, &state, seat, &mut percept.0);
        let movers = turn.movers();
        let own = movers.contains(seat).then(|| joint[movers.position(seat)]);
        life.push(Record { own, percept });
    }
}

fn records(life: &Life) -> Vec<Record> {
    life.moments.iter().map(|m| m.record.clone()).collect()
}

/// A bag that lived through it, told its legal moves at the end alone.
fn bag(game: &AnyGame, life: &Life, config: Config, seed: Seed) -> Bag<AnyGame> {
    let mut bag = Bag::new(game, &game.start(), life.seat, config, seed);
    bag.observe(game, &records(life), life.now.as_deref(), None).unwrap();
    bag
}

/// The life as a bag was told it.
fn told(life: &Life) -> Life {
    let mut told = Life::new(life.seat);
    life.moments.iter().for_each(|m| told.push(m.record.clone()));
    told.now.clone_from(&life.now);
    told
}

const SHEETS: [(&str, u8); 7] = [
    ("krieg-tictactoe", 1),
    ("hidden-connect", 1),
    ("mastermind-small", 0),
    ("transit", 0),
    ("border-protection", 0),
    ("blind-breakthrough5", 1),
    ("kuhn", 1),
];

#[test]
fn every_model_is_a_history_of_the_information_set_and_every_history_is_found() {
    for (name, seat) in SHEETS {
        let game = ludex_library::open(name).unwrap();
        let mut rng = Seed(5).rng();
        let mut checked = 0;
        for _ in 0..40 {
            let Some((life, truth)) = lived(&game, Player(seat), 2, &mut rng) else { continue };
            let life = told(&life);
            let mut set = HashMap::new();
            let mut true_is_in = false;
            let all = enumerate(&game, &game.start(), &life, 5_000, |history| {
                true_is_in |= game.position(history.state) == game.position(&truth);
                assert!(
                    set.insert(history.footprint, history.ln_chance).is_none(),
                    "{name}: twice"
                );
            });
            let Ok((count, _)) = all else { continue };
            assert_eq!(count as usize, set.len());
            assert!(true_is_in, "{name}: the true state is missing");
            if count > 150 {
                continue;
            }
            let bag = bag(&game, &life, Config { models: 2000, ..Config::default() }, rng.seed());
            let worlds = bag.worlds();
            assert_eq!(worlds.len(), 2000, "{name}");
            let mut seen = HashMap::new();
            for world in &worlds {
                let ln = set.get(&world.footprint()).copied();
                let ln = ln.unwrap_or_else(|| panic!("{name}: a model outside of the set"));
                assert!((ln - world.ln_chance()).abs() < 1e-9, "{name}: another choice factor");
                *seen.entry(world.footprint()).or_insert(0) += 1;
            }
            // Two thousand models miss a history of at most 150 rarely, even in a narrow silo.
            assert!(seen.len() * 10 >= set.len() * 8, "{name}: {} of {}", seen.len(), set.len());
            checked += 1;
        }
        assert!(checked >= 3, "{name}: only {checked} information sets were small enough");
    }
}

#[test]
fn random_sampling_finds_histories_as_often_as_they_are_likely() {
    let game = ludex_library::open("monty-hall").unwrap();
    let (life, _) = lived(&game, Player(0), 3, &mut Seed(2).rng()).unwrap();
    let mut chances: HashMap<String, f64> = HashMap::new();
    enumerate(&game, &game.start(), &life, 100, |h| {
        *chances.entry(game.position(h.state)).or_default() += h.ln_chance.exp();
    })
    .unwrap();
    let total: f64 = chances.values().sum();
    let mut counts: HashMap<String, f64> = HashMap::new();
    let mut sampler = Sampler::default();
    let mut rng = Seed(3).rng();
    let cost = sampler.run(&game, &game.start(), &life, 3000, 1 << 20, &mut rng, |state| {
        *counts.entry(game.position(&state)).or_default() += 1.0;
    });
    assert_eq!(cost.valid, 3000);
    for (position, chance) in &chances {
        let (expected, got) = (chance / total, counts[position] / 3000.0);
        assert!((expected - got).abs() < 0.035, "{position}: {got} for {expected}");
    }
    // An attempt agrees with probability 1/2 at the opened door: no door is opened twice as often.
    assert!((cost.valid as f64 / cost.attempts as f64 - total).abs() < 0.03, "{cost:?}");
}

#[test]
fn choice_factors_make_switching_in_monty_hall_worth_two_thirds() {
    let game = ludex_library::open("monty-hall").unwrap();
    let (life, _) = lived(&game, Player(0), 3, &mut Seed(4).rng()).unwrap();
    let bag = bag(&game, &life, Config { models: 4000, ..Config::default() }, Seed(9));
    let worlds = bag.worlds();
    let switch = game.parse_move(worlds[0].state(), Player(0), "switch").unwrap();
    let value = |weights: Vec<f64>| -> f64 {
        let wins = worlds.iter().zip(weights).map(|(world, weight)| {
            let mut state = world.state().clone();
            game.apply(&mut state, &[switch]);
            let mut payoffs = [0.0];
            game.payoffs(&state, &mut payoffs);
            weight * f64::from(payoffs[0])
        });
        wins.sum()
    };
    assert!((value(bag.weights(true)) - 2.0 / 3.0).abs() < 0.02);
    assert!((value(bag.weights(false)) - 0.5).abs() < 0.03);
}

#[test]
fn remedies_even_out_histories() {
    let game = ludex_library::open("hidden-connect").unwrap();
    let mut rng = Seed(11).rng();
    let (life, _) =
        std::iter::repeat_with(|| lived(&game, Player(1), 7, &mut rng)).flatten().next().unwrap();
    let life = told(&life);
    let spread = |remedy| {
        let config = Config { models: 500, remedy, ..Config::default() };
        let bag = bag(&game, &life, config, Seed(1));
        let mut mass: HashMap<u64, f64> = HashMap::new();
        for (world, weight) in bag.worlds().iter().zip(bag.weights(false)) {
            *mass.entry(world.footprint()).or_default() += weight;
        }
        let n = mass.len() as f64;
        mass.values().map(|m| (m * n - 1.0).powi(2)).sum::<f64>() / n
    };
    assert!(spread(Remedy::None) > 0.05);
    assert!(spread(Remedy::Weight) < 1e-9);
    assert!(spread(Remedy::Balance) < 0.05);
}

#[test]
fn a_percept_that_nothing_explains_is_a_contradiction() {
    for (name, seat) in SHEETS {
        let game = ludex_library::open(name).unwrap();
        let mut rng = Seed(8).rng();
        let (mut life, _) = std::iter::repeat_with(|| lived(&game, Player(seat), 2, &mut rng))
            .flatten()
            .next()
            .unwrap();
        life.moments.last_mut().unwrap().record.percept.0.push(999_999_999);
        life.now = None;
        let config = Config { models: 3, ..Config::default() };
        let mut bag = Bag::new(&game, &game.start(), Player(seat), config, Seed(1));
        let error = bag.observe(&game, &records(&life), None, None);
        assert!(matches!(error, Err(Error::Contradiction(_))), "{name}: {error:?}");
        let error = enumerate(&game, &game.start(), &life, 1_000_000, |_| {}).map(|_| ());
        assert!(matches!(error, Err(Error::Contradiction(_))), "{name}: {error:?}");
        let cost = Sampler::default()
            .run(&game, &game.start(), &life, 1, 1000, &mut rng, |_| panic!("{name}"));
        assert_eq!(cost.valid, 0);
        assert_ne!(cost, Cost::default());
    }
}

#[test]
fn a_bag_keeps_to_its_cap_and_its_memory() {
    let game = ludex_library::open("blind-breakthrough5").unwrap();
    let mut rng = Seed(21).rng();
    let (life, _) =
        std::iter::repeat_with(|| lived(&game, Player(1), 12, &mut rng)).flatten().next().unwrap();
    let config = Config { models: 400, memory: 1000, ..Config::default() };
    let bag = bag(&game, &life, config, Seed(1));
    assert!(bag.len() <= 1000 / 12, "{}", bag.len());
    assert!(!bag.worlds().is_empty());
    let config = Config { models: 30, cap: 5, revive: false, ..Config::default() };
    let mut bag = Bag::new(&game, &game.start(), Player(1), config, Seed(1));
    bag.observe(&game, &records(&life), None, None).unwrap();
    for (step, round) in bag.rounds().iter().enumerate() {
        assert!(round.states <= 5 * round.tried, "step {step}: {round:?}");
        assert!(round.first <= round.updated && round.updated == round.active, "{round:?}");
    }
}
