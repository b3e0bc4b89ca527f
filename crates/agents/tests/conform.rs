//! Every mind on every kind of game, by the laws of the test kit; and any string as a mind's name.

mod common;

use common::{ask, ask_mind, spec};
use ludex_agents::testkit::{Verdict, check};
use ludex_agents::{AgentSpec, Budget, catalog, supporting};
use ludex_core::testkit::Coins;
use ludex_core::{AnyGame, Game, Player, Seed};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const MINDS: [&str; 22] = [
    "random@sims=30",
    "flat@sims=31",
    "greedy@sims=40",
    "greedy(playouts=3)@sims=20",
    "greedy(heuristic=mobility)@sims=30",
    "uct@sims=100",
    "uct@sims=1",
    "uct(c=1.4,fpu=0.6)@sims=77",
    "uct(expand=5,memory=1,reuse=false)@sims=60",
    "mbm@sims=120",
    "mbm@sims=1",
    "mbm(mock=random,populations=2,merge=sim)@sims=250",
    "mbm(look=2,depth=3,kind=indifferent,threads=2)@sims=60",
    "double-oracle@sims=500",
    "double-oracle(purify=1,heuristic=zero,memory=1)@sims=80",
    "best-reply@sims=200",
    "alphabeta(quiescence=4)@sims=200",
    "alphabeta@sims=500",
    "alphabeta@sims=1",
    "alphabeta(heuristic=zero,others=maxn)@sims=300",
    "alphabeta(heuristic=mobility,table=1)@sims=300",
    "alphabeta(heuristic=terms(mobility=0.5))@sims=200@depth=2",
];

fn games() -> Vec<AnyGame> {
    let mut games = vec![AnyGame::new(Coins::default()), AnyGame::new(Coins::hidden())];
    for entry in ludex_games::catalog() {
        for example in entry.examples {
            games.push(ludex_games::open(example).unwrap());
        }
    }
    games
}

#[test]
fn every_mind_obeys_the_laws_on_every_game() {
    let mut refused = 0;
    for game in games() {
        let info = game.info();
        for name in MINDS {
            match check(name, &game, Seed(11)) {
                Ok(Verdict::Played(choices)) => assert!(choices > 0, "{name}: {}", info.name),
                Ok(Verdict::Refused) => refused += 1,
                Err(law) => panic!("{name} on {}: {law}", info.name),
            }
        }
    }
    assert!(refused > 20, "hidden and simultaneous games are there to be refused: {refused}");
}

#[test]
fn what_a_mind_cannot_play_is_refused_by_name() {
    let refusal = |mind: &str, game: &str| {
        let game = ludex_games::open(game).unwrap();
        spec(mind).build(&game, Player(0), Seed(1)).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        refusal("uct", "kuhn"),
        "uct can't play kuhn: it needs to see the whole position, and this game hides a part; \
         `random` can play it"
    );
    assert_eq!(
        refusal("alphabeta", "rps"),
        "alphabeta can't play rps: it needs players who move one by one, and in this game they \
         move at once; `uct` can play it"
    );
    let no_term = refusal("alphabeta(heuristic=beauty)", "connect4");
    assert!(no_term.contains("has no term `beauty`; there are "), "{no_term}");
    let game = ludex_games::open("nim").unwrap();
    assert!(spec("uct").build(&game, Player(2), Seed(1)).is_err(), "nim has two seats");
}

#[test]
fn supporting_lists_just_those_that_build() {
    for game in games() {
        let listed = supporting(game.info());
        for entry in catalog() {
            let builds = spec(entry.name).build(&game, Player(0), Seed(1)).is_ok();
            assert_eq!(builds, listed.contains(&entry.name), "{}", entry.name);
        }
    }
}

#[test]
fn the_catalog_tells_the_truth_about_parameters() {
    for entry in catalog() {
        let plain = spec(entry.name);
        for param in entry.params {
            let given = format!("{}({}={})", entry.name, param.name, param.default);
            assert_eq!(spec(&given), plain, "{given} is the default");
        }
        let unknown = format!("{}(zzz=1)", entry.name).parse::<AgentSpec>();
        let error = unknown.unwrap_err().to_string();
        assert!(error.contains("no parameter `zzz`"), "{error}");
        let names: Vec<_> = entry.params.iter().map(|param| param.name).collect();
        assert!(error.ends_with(&names.join(", ")) || names.is_empty(), "{error} {names:?}");
    }
}

#[test]
fn malformed_minds_are_refused_in_one_line() {
    for text in [
        "",
        "(",
        "uct(",
        "uct)",
        "uct(c)",
        "uct(c=x)",
        "uct(c=-1)",
        "uct(c=nan)",
        "uct(fpu=-1)",
        "uct(memory=0)",
        "uct(expand=0)",
        "uct(reuse=maybe)",
        "uct@",
        "uct@sims=0",
        "uct@sims=-5",
        "uct@time=-1s",
        "uct@speed=3",
        "uct@sims=1@sims=2",
        "random(1)",
        "greedy(playouts=0)",
        "mbm(agents=0)",
        "mbm(simulations=x)",
        "mbm(kind=odd)",
        "mbm(merge=never)",
        "mbm(threads=0)",
        "alphabeta(others=friends)",
        "alphabeta(threads=0)",
        "alphabeta(quiescence=99)",
        "best-reply(others=maxn)",
        "alphabeta(table=0)",
        "alphabeta(heuristic=terms())",
        "alphabeta(heuristic=terms(a=b))",
        "alphabeta(heuristic=zero(1))",
        "nobody",
    ] {
        let error = text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(!error.contains('\n') && error.len() > 10, "{text}: {error}");
    }
    let error = "alphabet".parse::<AgentSpec>().unwrap_err().to_string();
    assert_eq!(error, "unknown agent `alphabet`: did you mean `alphabeta`?");
}

#[test]
fn the_tree_is_kept_between_moves_and_dropped_between_matches() {
    let game = ludex_games::open("connect4").unwrap();
    // The same mind is asked twice about the start: nothing was played, so all is kept.
    let mut mind = spec("uct@sims=2000").build(&game, Player(0), Seed(1)).unwrap();
    let start = game.start();
    let first = ask_mind(&mut *mind, &game, &start, Player(0)).thought;
    let second = ask_mind(&mut *mind, &game, &start, Player(0)).thought;
    let visits = |t: &ludex_agents::Thought| t.candidates.iter().map(|c| c.visits).sum::<u64>();
    assert_eq!((visits(&first), visits(&second)), (2000, 4000));
    // Another position without a way to it: the old tree says nothing about it.
    let other = game.parse_position("7/7/7/3o3/3x3/2oxx2").unwrap();
    let third = ask_mind(&mut *mind, &game, &other, Player(1)).thought;
    assert_eq!(visits(&third), 2000);
}

#[test]
fn minds_keep_to_their_time() {
    let game = ludex_games::open("breakthrough").unwrap();
    for name in ["uct@time=50ms", "flat@time=50ms", "alphabeta@time=50ms"] {
        let begun = Instant::now();
        let choice = ask(name, &game, &game.start(), Seed(1));
        // Far more than is allowed: the machine may be busy. The law is that it stops.
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}");
        assert!(choice.thought.sims + choice.thought.nodes > 10, "{name}");
    }
}

#[test]
fn uct_mixes_its_play_where_moves_are_simultaneous() {
    let game = ludex_games::open("rps").unwrap();
    let moves: std::collections::HashSet<_> =
        (0..60).map(|i| ask("uct@sims=300", &game, &game.start(), Seed(i)).mv).collect();
    assert_eq!(moves.len(), 3, "rock, paper and scissors are all played");
}

#[test]
fn uct_takes_the_dominant_bid() {
    // The last prize but one is worth more than all the rest: the highest card takes it.
    let game = ludex_games::open("goofspiel(cards=2,order=descending)").unwrap();
    let choice = ask("uct@sims=3000", &game, &game.start(), Seed(2));
    assert_eq!(game.move_text(choice.mv), "2", "{:?}", choice.thought);
}

fn param_text() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        Just("uct".to_string()),
        Just("alphabeta".to_string()),
        Just("greedy".to_string()),
        Just("flat".to_string()),
        "[a-z]{0,6}",
    ];
    let args = "[a-z0-9=.,()@ -]{0,20}";
    let keys = prop_oneof![
        Just("c"),
        Just("fpu"),
        Just("memory"),
        Just("expand"),
        Just("heuristic"),
        Just("others"),
        Just("table"),
        Just("playouts"),
    ];
    (name, keys, args, "(@(sims|time|depth)=[0-9ms]{0,4})?")
        .prop_map(|(name, key, args, budget)| format!("{name}({key}={args}){budget}"))
}

proptest! {
    #[test]
    fn any_string_is_a_mind_that_prints_back_or_an_error(
        text in prop_oneof![param_text(), "\\PC{0,30}"]
    ) {
        if let Ok(mind) = text.parse::<AgentSpec>() {
            prop_assert_eq!(mind.to_string().parse::<AgentSpec>(), Ok(mind.clone()));
            let _ = mind.budget().or(&Budget::default());
        }
    }
}
