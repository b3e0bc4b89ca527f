//! Information sets: enumeration, random sampling and HyperPlay's bag, held to each other.

use crate::common;

use ludex_agents::hidden::{
    Bag, Config, Cost, Mccfr, Observations, Remedy, Sampler, Set, Target, Tree, enumerate,
    observe_line,
};
use ludex_agents::{Budget, Choice, Failure};
use ludex_core::{
    AnyGame, AnyState, Error, Game, Match, Move, Player, Record, Rng, Seed, Turn, View,
};
use std::collections::HashMap;

/// A random match up to so many steps, as each seat histories it: its record, and its legal moves
/// now. Ends where `seat` is to move.
fn lived(
    game: &AnyGame,
    seat: Player,
    steps: usize,
    rng: &mut Rng,
) -> Option<(Observations, AnyState)> {
    let mut play = Match::new(game);
    let mut observed = Observations::new(seat);
    while !play.is_over() {
        if play.turn().includes(seat) {
            observed.asked(&play.legal(seat));
            if observed.len() >= steps {
                return Some((observed, play.state().clone()));
            }
        }
        play.apply_random(rng);
        observed.push(play.records(seat).last().unwrap().clone());
    }
    None
}

fn records(observed: &Observations) -> Vec<Record> {
    observed.steps.iter().map(|m| m.record.clone()).collect()
}

/// A bag that lived through it, told its legal moves at the end alone.
fn bag(game: &AnyGame, observed: &Observations, config: Config, seed: Seed) -> Bag<AnyGame> {
    let mut bag = Bag::new(game, &game.start(), observed.seat, config, seed);
    bag.observe(game, &records(observed), observed.now.as_deref(), None).unwrap();
    bag
}

/// The observed as a bag was told it.
fn told(observed: &Observations) -> Observations {
    let mut told = Observations::new(observed.seat);
    observed.steps.iter().for_each(|m| told.push(m.record.clone()));
    told.now.clone_from(&observed.now);
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
        for _ in 0..12 {
            let Some((observed, truth)) = lived(&game, Player(seat), 2, &mut rng) else { continue };
            let observed = told(&observed);
            let mut set = HashMap::new();
            let mut true_is_in = false;
            let all = enumerate(&game, &game.start(), &observed, 500, |history| {
                true_is_in |= game.position(history.state) == game.position(&truth);
                assert!(
                    set.insert(history.footprint, history.ln_chance).is_none(),
                    "{name}: twice"
                );
            });
            let Ok((count, _)) = all else { continue };
            assert_eq!(count as usize, set.len());
            assert!(true_is_in, "{name}: the true state is missing");
            if count > 80 {
                continue;
            }
            let bag =
                bag(&game, &observed, Config { models: 800, ..Config::default() }, rng.seed());
            let worlds = bag.worlds();
            assert_eq!(worlds.len(), 800, "{name}");
            let mut seen = HashMap::new();
            for world in &worlds {
                let ln = set.get(&world.footprint()).copied();
                let ln = ln.unwrap_or_else(|| panic!("{name}: a model outside of the set"));
                assert!((ln - world.ln_chance()).abs() < 1e-9, "{name}: another choice factor");
                *seen.entry(world.footprint()).or_insert(0) += 1;
            }
            // Eight hundred models miss a history of at most 80 rarely, even in a narrow silo.
            assert!(seen.len() * 10 >= set.len() * 8, "{name}: {} of {}", seen.len(), set.len());
            checked += 1;
        }
        assert!(checked >= 1, "{name}: only {checked} information sets were small enough");
    }
}

#[test]
fn random_sampling_finds_histories_as_often_as_they_are_likely() {
    let game = ludex_library::open("monty-hall").unwrap();
    let (observed, _) = lived(&game, Player(0), 3, &mut Seed(2).rng()).unwrap();
    let mut chances: HashMap<String, f64> = HashMap::new();
    enumerate(&game, &game.start(), &observed, 100, |h| {
        *chances.entry(game.position(h.state)).or_default() += h.ln_chance.exp();
    })
    .unwrap();
    let total: f64 = chances.values().sum();
    let mut counts: HashMap<String, f64> = HashMap::new();
    let mut sampler = Sampler::new(Seed(3));
    let cost = sampler.run(&game, &game.start(), &observed, 3000, 1 << 20, |state| {
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
    let (observed, _) = lived(&game, Player(0), 3, &mut Seed(4).rng()).unwrap();
    let bag = bag(&game, &observed, Config { models: 4000, ..Config::default() }, Seed(9));
    let worlds = bag.worlds();
    let switch = game.parse_move(worlds[0].state(), Player(0), "switch").unwrap();
    let value = |weights: Vec<f64>| -> f64 {
        let wins = worlds.iter().zip(weights).map(|(world, weight)| {
            let mut state = world.state().clone();
            game.apply(&mut state, &[switch]);
            while game.turn(&state) == Turn::Chance {
                let only = game.sample_chance(&state, &mut Seed(1).rng());
                game.apply(&mut state, &[only]);
            }
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
    let (observed, _) =
        std::iter::repeat_with(|| lived(&game, Player(1), 7, &mut rng)).flatten().next().unwrap();
    let observed = told(&observed);
    let spread = |remedy| {
        let config = Config { models: 500, remedy, ..Config::default() };
        let bag = bag(&game, &observed, config, Seed(1));
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
        let (mut observed, _) = std::iter::repeat_with(|| lived(&game, Player(seat), 2, &mut rng))
            .flatten()
            .next()
            .unwrap();
        observed.steps.last_mut().unwrap().record.percept.0.push(999_999_999);
        observed.now = None;
        let config = Config { models: 3, ..Config::default() };
        let mut bag = Bag::new(&game, &game.start(), Player(seat), config, Seed(1));
        let error = bag.observe(&game, &records(&observed), None, None);
        assert!(matches!(error, Err(Error::Contradiction(_))), "{name}: {error:?}");
        let error = enumerate(&game, &game.start(), &observed, 1_000_000, |_| {}).map(|_| ());
        assert!(matches!(error, Err(Error::Contradiction(_))), "{name}: {error:?}");
        let cost = Sampler::new(Seed(1))
            .run(&game, &game.start(), &observed, 1, 1000, |_| panic!("{name}"));
        assert_eq!(cost.valid, 0);
        assert_ne!(cost, Cost::default());
    }
}

#[test]
fn a_bag_keeps_to_its_cap_and_its_memory() {
    let game = ludex_library::open("blind-breakthrough5").unwrap();
    let mut rng = Seed(21).rng();
    let (observed, _) =
        std::iter::repeat_with(|| lived(&game, Player(1), 12, &mut rng)).flatten().next().unwrap();
    let config = Config { models: 400, memory: 1000, ..Config::default() };
    let bag = bag(&game, &observed, config, Seed(1));
    assert!(bag.len() <= 1000 / 12, "{}", bag.len());
    assert!(!bag.worlds().is_empty());
    let config = Config { models: 30, cap: 5, revive: false, ..Config::default() };
    let mut bag = Bag::new(&game, &game.start(), Player(1), config, Seed(1));
    bag.observe(&game, &records(&observed), None, None).unwrap();
    for (step, round) in bag.rounds().iter().enumerate() {
        assert!(round.states <= 5 * round.tried, "step {step}: {round:?}");
        assert!(round.first <= round.updated && round.updated == round.active, "{round:?}");
    }
}

/// A match position as `seat` histories it, with the true state.
fn position(game: &AnyGame, seat: Player, line: &[&str]) -> (AnyState, Vec<Record>) {
    observe_line(game, seat, line).unwrap()
}

/// What a fresh agent chooses there.
fn choose(name: &str, game: &AnyGame, at: &(AnyState, Vec<Record>), seed: u64) -> Choice {
    let seat = game.turn(&at.0).movers().iter().next().unwrap();
    let legal = common::legal(game, &at.0, seat);
    let origin = game.start();
    let view = View::new(game, &origin, seat, &at.1, &at.0, &legal);
    let mut mind = common::spec(name).build(game, seat, Seed(seed)).unwrap();
    mind.choose(game, &view, &Budget::default()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The honest agents with a budget, for tests.
const HONEST: [&str; 8] = [
    "hyperplay@sims=400",
    "hyperplay2(models=4,inner=2,playouts=1)@sims=12",
    "pimc@sims=300",
    "so-ismcts@sims=300",
    "mo-ismcts@sims=300",
    "pomcp@sims=300",
    "hyperplay-ismcts@sims=300",
    "mccfr@sims=300",
];

#[test]
fn monty_hall_needs_choice_factors() {
    let game = ludex_library::open("monty-hall").unwrap();
    let at = position(&game, Player(0), &["(choose 1)", "(hide 3)", "(open 2)"]);
    for (name, expected) in [
        ("hyperplay@sims=2000", 2.0 / 3.0),
        ("hyperplay(models=2000,remedy=none)@sims=8000", 2.0 / 3.0),
        ("hyperplay(models=2000,cf=off)@sims=8000", 0.5),
        ("hyperplay-ismcts(models=2000)@sims=8000", 2.0 / 3.0),
        ("pomcp(models=2000)@sims=8000", 2.0 / 3.0),
        ("so-ismcts(models=2000)@sims=8000", 0.5),
        ("so-ismcts(models=2000,cf=on)@sims=8000", 2.0 / 3.0),
    ] {
        // Where both moves are worth the same a tree may look at one of them seldom: each counts by its visits.
        let (mut sum, mut visits) = (0.0, 0.0);
        for seed in 0..8 {
            let choice = choose(name, &game, &at, seed);
            let of = |c: &&ludex_agents::Candidate| game.move_text(c.mv) == "switch";
            let switch = choice.thought.candidates.iter().find(of).unwrap();
            sum += f64::from(switch.value) * switch.visits as f64;
            visits += switch.visits as f64;
        }
        let switch = sum / visits;
        assert!((switch - expected).abs() < 0.04, "{name}: {switch}");
    }
}

#[test]
fn only_minds_that_know_what_they_do_not_know_ask_about_the_bomb() {
    let game = ludex_library::open("exploding-bomb").unwrap();
    for wire in ["(arm red)", "(arm blue)"] {
        let at = position(&game, Player(0), &[wire]);
        for (name, asks) in [
            ("hyperplay(search=uct)@sims=400", false),
            ("pimc@sims=400", false),
            ("hyperplay2@sims=80", true),
            ("so-ismcts@sims=1000", true),
            ("mo-ismcts@sims=1000", true),
            ("pomcp@sims=1000", true),
            ("hyperplay-ismcts@sims=1000", true),
        ] {
            for seed in 0..3 {
                let mv = game.move_text(choose(name, &game, &at, seed).mv);
                assert_eq!(mv == "ask", asks, "{name} plays {mv}");
            }
        }
    }
}

#[test]
fn nested_players_find_a_number_by_binary_search() {
    let game = ludex_library::open("number-guessing").unwrap();
    // One agent for all matches: what it has worked out stays.
    let mut mind = common::spec("hyperplay2@sims=100000").build(&game, Player(0), Seed(1)).unwrap();
    for hidden in 1..=16 {
        let (mut line, mut questions) = (vec![format!("(hide {hidden})")], 0);
        let payoff = loop {
            let words: Vec<&str> = line.iter().map(String::as_str).collect();
            let (state, lived) = position(&game, Player(0), &words);
            if game.is_over(&state) {
                let mut payoff = [0.0];
                game.payoffs(&state, &mut payoff);
                break payoff[0];
            }
            let legal = common::legal(&game, &state, Player(0));
            let origin = game.start();
            let view = View::new(&game, &origin, Player(0), &lived, &state, &legal);
            let mv = game.move_text(mind.choose(&game, &view, &Budget::default()).unwrap().mv);
            questions += u32::from(mv.starts_with("(lessthan"));
            line.push(mv);
        };
        assert_eq!(questions, 4, "for {hidden}");
        assert!((payoff - 0.6).abs() < 1e-6, "for {hidden}: {payoff}");
    }
}

#[test]
fn nested_players_scan_for_a_ship_and_then_hit_it() {
    let game = ludex_library::open("battleships-in-fog").unwrap();
    let name = "hyperplay2(models=16,inner=6)@sims=400";
    let hidden = position(&game, Player(0), &["(place 1 1 2 3)"]);
    assert_eq!(game.move_text(choose(name, &game, &hidden, 1).mv), "scan");
    let found = position(&game, Player(0), &["(place 1 1 2 3)", "scan", "(fire 4 4)"]);
    assert_eq!(game.move_text(choose(name, &game, &found, 1).mv), "(fire 2 3)");
}

#[test]
fn honest_minds_play_the_same_whatever_the_hidden_part_of_the_truth() {
    let games =
        [("krieg-tictactoe", 1, 3), ("transit", 0, 4), ("hidden-connect", 1, 4), ("kuhn", 1, 2)];
    for (name, seat, steps) in games {
        let game = ludex_library::open(name).unwrap();
        let mut rng = Seed(33).rng();
        let (observed, truth) =
            std::iter::repeat_with(|| lived(&game, Player(seat), steps, &mut rng))
                .flatten()
                .find(|(observed, _)| observed.now.as_ref().is_some_and(|legal| legal.len() > 1))
                .unwrap_or_else(|| panic!("{name}"));
        let observed = told(&observed);
        let mut other = None;
        enumerate(&game, &game.start(), &observed, 100_000, |history| {
            if game.position(history.state) != game.position(&truth) {
                other = Some(history.state.clone());
            }
        })
        .unwrap();
        let other = other.unwrap_or_else(|| panic!("{name}: nothing is hidden"));
        let legal = common::legal(&game, &truth, Player(seat));
        let (origin, seen) = (game.start(), records(&observed));
        let more = ["random", "hyperplay(search=uct,remedy=balance)@sims=300"];
        for mind in HONEST.into_iter().chain(more) {
            if common::spec(mind).supports(game.info()).is_err() {
                continue;
            }
            let play = |state: &AnyState| {
                let view = View::new(&game, &origin, Player(seat), &seen, state, &legal);
                let mut mind = common::spec(mind).build(&game, Player(seat), Seed(3)).unwrap();
                mind.choose(&game, &view, &Budget::default()).unwrap()
            };
            assert_eq!(play(&truth), play(&other), "{mind} on {name}");
        }
    }
}

#[test]
fn a_record_that_contradicts_the_rules_is_an_error_of_every_mind_with_a_bag() {
    let game = ludex_library::open("guess-who").unwrap();
    let (state, mut lived) =
        position(&game, Player(0), &["(think red)", "(choose 12)", "(ask hat)"]);
    lived.last_mut().unwrap().percept.0 = vec![424_242];
    let legal = common::legal(&game, &state, Player(0));
    let origin = game.start();
    let view = View::new(&game, &origin, Player(0), &lived, &state, &legal);
    for name in HONEST.iter().filter(|name| !name.starts_with("mccfr")) {
        let mut mind = common::spec(name).build(&game, Player(0), Seed(1)).unwrap();
        let answer = mind.choose(&game, &view, &Budget::default());
        assert!(
            matches!(answer, Err(Failure::Error(Error::Contradiction(_)))),
            "{name}: {answer:?}"
        );
    }
}

#[test]
fn regret_minimisation_finds_kuhns_equilibrium_and_uniform_play_is_exploitable() {
    let game = ludex_library::open("kuhn").unwrap();
    let tree = Tree::new(&game, 10_000).unwrap();
    assert_eq!(tree.sets().len(), 12);
    // Payoffs are a quarter of Kuhn's units plus a half: the game is worth -1/18 to the first.
    let uniform = tree.exploitability(&tree.uniform());
    assert!((uniform - 0.458_333_333 / 4.0).abs() < 1e-6, "{uniform}");
    let mut regrets = Mccfr::new(1000);
    let mut rng = Seed(1).rng();
    for i in 0..400_000u32 {
        regrets.iterate(&game, &game.start(), &[0, 0], Player((i % 2) as u8), &mut rng);
    }
    let policy = tree.policy_from(&regrets);
    let found = tree.exploitability(&policy);
    assert!(found < 0.01, "{found}");
    let first = tree.values(&policy)[0];
    assert!((first - (0.5 - 1.0 / 72.0)).abs() < 0.01, "{first}");
}

#[test]
fn samples_aimed_at_one_information_set_still_find_the_equilibrium_of_the_whole_game() {
    let game = ludex_library::open("kuhn").unwrap();
    let tree = Tree::new(&game, 10_000).unwrap();
    let set = tree.sets().iter().find(|set| set.records.len() == 3).unwrap();
    let target = aim(&game, set);
    let mut regrets = Mccfr::new(1000);
    let mut rng = Seed(1).rng();
    for i in 0..400_000u32 {
        let update = Player((i % 2) as u8);
        regrets.iterate_at(&game, &game.start(), &[0, 0], update, &target, 0.5, &mut rng);
    }
    // The weights of importance put the aim right again: other sets are sampled less, not wrongly.
    let found = tree.exploitability(&tree.policy_from(&regrets));
    assert!(found < 0.015, "{found}");
}

/// A target of all histories of an information set.
fn aim(game: &AnyGame, set: &Set) -> Target {
    let mut observed = Observations::new(set.player);
    set.records.iter().for_each(|record| observed.push(record.clone()));
    observed.asked(&set.moves);
    let start = game.start();
    let bag = Bag::new(game, &start, set.player, Config::default(), Seed(1));
    Target::of(game, &start, &observed, 10_000, &bag).unwrap()
}

#[test]
fn aimed_samples_play_better_in_the_set_than_as_many_that_are_not_aimed() {
    // In each of the twelve information sets of Kuhn poker the regrets are learned from nothing, as by an agent that
    // is asked there, with the same number of sampled games.
    let game = ludex_library::open("kuhn").unwrap();
    let tree = Tree::new(&game, 1_000_000).unwrap();
    let exploited = |games: u32, share: Option<f64>, seed: Seed| {
        let policy = tree.sets().iter().enumerate().map(|(number, set)| {
            let target = aim(&game, set);
            let mut rng = seed.child(number as u64).rng();
            let mut regrets = Mccfr::new(100_000);
            for i in 0..games {
                let (update, start) = (Player((i % 2) as u8), game.start());
                match share {
                    None => regrets.iterate(&game, &start, &[0, 0], update, &mut rng),
                    Some(share) => {
                        regrets.iterate_at(&game, &start, &[0, 0], update, &target, share, &mut rng)
                    }
                }
            }
            let found = regrets.strategy(set.key).unwrap_or_default();
            let even = 1.0 / set.moves.len() as f64;
            let of = |mv| found.iter().find(|(known, _)| known == mv).map_or(even, |(_, p)| *p);
            set.moves.iter().map(of).collect()
        });
        tree.exploitability(&policy.collect())
    };
    let mean =
        |games, share| (1..=24).map(|seed| exploited(games, share, Seed(seed))).sum::<f64>() / 24.0;
    for games in [300, 1000, 6000] {
        let (plain, aimed) = (mean(games, None), mean(games, Some(0.3)));
        println!("{games} sampled games a decision: {plain:.4} plain, {aimed:.4} aimed");
        assert!(aimed < 0.95 * plain, "{games}: {aimed} {plain}");
    }
}

#[test]
fn a_belief_tells_the_worlds_their_chances_and_their_votes() {
    let game = ludex_library::open("monty-hall").unwrap();
    let (state, lived) = position(&game, Player(0), &["(choose 1)", "(hide 3)", "(open 2)"]);
    let legal = common::legal(&game, &state, Player(0));
    let origin = game.start();
    let view = View::new(&game, &origin, Player(0), &lived, &state, &legal);
    let mut mind =
        common::spec("hyperplay(models=500)@sims=2000").build(&game, Player(0), Seed(1)).unwrap();
    mind.choose(&game, &view, &Budget::default()).unwrap();
    let belief = mind.belief(&game).unwrap();
    assert_eq!(belief.possible.len(), 2);
    assert!((belief.possible[0].weight - 2.0 / 3.0).abs() < 0.05);
    assert_eq!(game.move_text(belief.possible[0].best.unwrap()), "switch");
    assert_eq!(game.move_text(belief.possible[1].best.unwrap()), "stay");
}

#[test]
fn random_histories_in_lanes_survive_as_often_as_those_drawn_one_by_one() {
    use ludex_gdl::game::{GdlGame, GdlState};
    use ludex_gdl::lanes::histories::Lived;
    // Games in which each step of the rule sheet is one record.
    for (name, seat) in [("krieg-tictactoe", 1), ("hidden-connect", 1), ("mastermind-small", 0)] {
        let game = ludex_library::open(name).unwrap();
        let gdl: &GdlGame = game.get().unwrap();
        let lanes = gdl.histories(Player(seat)).unwrap();
        let mut rng = Seed(17).rng();
        let (observed, truth) = std::iter::repeat_with(|| lived(&game, Player(seat), 3, &mut rng))
            .flatten()
            .next()
            .unwrap();
        assert!(!gdl.is_within_step(truth.get::<GdlState>().unwrap()));
        let numbers = |moves: &Vec<Move>| moves.iter().map(|mv| mv.0 as u32).collect::<Vec<_>>();
        let steps: Vec<Lived> = observed
            .steps
            .iter()
            .map(|step| Lived {
                own: step.record.own.map(|mv| mv.0 as u32),
                percepts: step.record.percept.0.iter().map(|&word| word as u32).collect(),
                legal: step.legal.as_ref().map(numbers),
            })
            .collect();
        let now = observed.now.as_ref().map(numbers);
        let found = lanes.run(&steps, now.as_deref(), 40_000, Seed(1));
        let origin = game.start();
        let mut cost = Cost::default();
        let mut sampler = Sampler::new(Seed(2));
        while cost.attempts < 20_000 {
            sampler.attempt(&game, &origin, &observed, &mut cost);
        }
        let (a, n) = (found.valid as f64, found.attempts as f64);
        let (b, m) = (cost.valid as f64, cost.attempts as f64);
        let pooled = (a + b) / (n + m);
        let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
        assert!((a / n - b / m).abs() <= 4.0 * error, "{name}: {} and {}", a / n, b / m);
        let visited = found.steps.iter().sum::<u64>() as f64 / n;
        let gap = visited - cost.visited as f64 / m;
        assert!(gap.abs() < 0.06, "{name}: {gap} states an attempt");
    }
}

#[test]
fn a_bag_is_the_same_whether_its_steps_are_made_in_lanes_or_one_by_one() {
    use ludex_gdl::game::{Engine, GdlGame, Options};
    for (name, seat, steps) in [
        ("krieg-tictactoe", 1, 3),
        ("blind-breakthrough5", 1, 9),
        ("battleships-in-fog", 1, 6),
        ("transit", 0, 9),
    ] {
        let path = format!("{}/../../games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
        let rules = std::fs::read_to_string(path).unwrap();
        let bags = [Engine::Lanes, Engine::Single].map(|engine| {
            let options = Options { engine: Some(engine), ..Options::default() };
            let game = AnyGame::new(GdlGame::load(name, &rules, &options).unwrap());
            let mut rng = Seed(8).rng();
            let (observed, _) =
                std::iter::repeat_with(|| lived(&game, Player(seat), steps, &mut rng))
                    .flatten()
                    .next()
                    .unwrap();
            // So low a cap that models go off line and come back.
            let config = Config { cap: 40, ..Config::default() };
            let bag = bag(&game, &observed, config, Seed(2));
            let worlds: Vec<(u64, Vec<u64>)> =
                bag.worlds().iter().map(|w| (w.footprint(), w.known().to_vec())).collect();
            assert!(worlds.len() > 50, "{name}: {}", worlds.len());
            (worlds, bag.rounds().to_vec())
        });
        assert_eq!(bags[0], bags[1], "{name}");
    }
}
