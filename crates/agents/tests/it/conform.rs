//! Every agent on every kind of game, by the laws of the test kit; and any string as an agent's name.

use crate::common;

use common::{AUCTION, BIASED_RPS, PUZZLE, ask, ask_mind, gdl, spec};
use ludex_agents::testkit::{Verdict, check};
use ludex_agents::{AgentSpec, Budget, Entry, catalog, supporting};
use ludex_core::schema::Kind;
use ludex_core::testkit::Coins;
use ludex_core::{AnyGame, Game, Player, Seed};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const MINDS: &[&str] = &[
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
    "ropasci@sims=1",
    "ludo@sims=1",
    "ludo(plies=0)@sims=1",
    "ludo-smart@sims=1",
    "ludo-advanced@sims=1",
    "ludo-simple(1,0.5,0.5,2)@sims=1",
    "ropasci-greedy(kills=8)@sims=1",
    "ropasci-negamax-report(k=3)@sims=1",
    "ropasci-rollouts@sims=1",
    "ropasci-mcts(best=4,among=4,turns=20)@sims=8",
    "ropasci-nash(k=4,depth=2)@sims=1",
    "ropasci-chaser(slips=0.1)@sims=1",
    "ropasci-negamax(k=3,depth=2,distances=plain)@sims=1",
    "double-oracle@sims=500",
    "double-oracle(purify=1,heuristic=zero,memory=1)@sims=80",
    "best-reply@sims=200",
    "alphabeta(quiescence=4)@sims=200",
    "uct(backup=mean,final=secure,cap=5)@sims=50",
    "uct(lanes=32)@sims=90",
    "uct(threads=2)@sims=81",
    "uct(select=grave,playout=mast,leaf=3,final=max)@sims=70",
    "uct(joint=ducb)@sims=50",
    "uct(joint=exp3,cap=3,heuristic=mobility)@sims=50",
    "ucb1-tuned@sims=80",
    "bounded@sims=80",
    "bounded(playout=nst)@sims=50",
    "ph@sims=80",
    "ph(playout=nst)@sims=50",
    "grave(ref=4)@sims=80",
    "ucb1-grave(ref=4)@sims=80",
    "nst@sims=80",
    "mast@sims=80",
    "mast(tau=0.2)@sims=50",
    "hyperplay(models=5,cf=off,remedy=weight)@sims=33",
    "hyperplay(search=uct,remedy=balance)@sims=50",
    "hyperplay2(models=3,inner=2,playouts=1,levels=2)@sims=9",
    "so-ismcts(cf=on,c=1)@sims=1",
    "pimc(worlds=3)@sims=20",
    "mccfr(sets=2)@sims=20",
    "alphabeta@sims=500",
    "alphabeta@sims=1",
    "alphabeta(heuristic=zero,others=maxn)@sims=300",
    "alphabeta(heuristic=mobility,table=1)@sims=300",
    "alphabeta(heuristic=terms(mobility=0.5))@sims=200@depth=2",
];

/// The agents whose bare name is enough; `ludo-full` needs a file.
fn typed_bare() -> impl Iterator<Item = &'static Entry> {
    catalog().iter().filter(|entry| entry.stands_alone())
}

fn games() -> Vec<AnyGame> {
    let mut games = vec![AnyGame::new(Coins::default()), AnyGame::new(Coins::hidden())];
    for entry in ludex_games::catalog() {
        for example in entry.examples {
            games.push(ludex_games::open(example).unwrap());
        }
    }
    games.push(ludex_library::open("kif:tictactoe").unwrap());
    games.extend([gdl(PUZZLE), gdl(BIASED_RPS), gdl(AUCTION)]);
    games
}

#[test]
fn every_mind_obeys_the_laws_on_every_game() {
    let mut refused = 0;
    // Whoever is in the catalog, as it is, and the combinations above.
    let catalog = typed_bare().map(|entry| entry.name).filter(|name| *name != "human");
    let minds: Vec<String> = catalog
        .map(|name| format!("{name}@sims=40"))
        .chain(MINDS.iter().map(|&s| s.into()))
        .collect();
    for game in games() {
        let info = game.info();
        for name in &minds {
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
         `hyperplay-ismcts` can play it"
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
        for entry in typed_bare() {
            let builds = spec(entry.name).build(&game, Player(0), Seed(1)).is_ok();
            assert_eq!(builds, listed.contains(&entry.name), "{}", entry.name);
        }
    }
}

#[test]
fn the_catalog_tells_the_truth_about_parameters() {
    for entry in typed_bare() {
        let plain = spec(entry.name);
        let params = entry.params();
        for param in params.iter().filter(|param| !matches!(param.kind, Kind::List(_))) {
            let given = format!("{}({}={})", entry.name, param.key, param.default);
            assert_eq!(spec(&given), plain, "{given} is the default");
            assert_eq!(spec(&given).to_string(), entry.name, "{given} prints as the bare name");
        }
        let unknown = format!("{}(zzz=1)", entry.name).parse::<AgentSpec>();
        let error = unknown.unwrap_err().to_string();
        assert!(error.contains("no parameter `zzz`"), "{error}");
        let names: Vec<_> = params.iter().map(|param| param.key).collect();
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
        "uct(select=best)",
        "uct(select=grave(1))",
        "uct(playout=)",
        "uct(final=last)",
        "uct(joint=nash)",
        "uct(cap=0)",
        "uct(tau=0.001)",
        "uct(epsilon=1.5)",
        "uct(keep=2)",
        "uct(threads=0)",
        "uct(lanes=1)",
        "mast(lanes=64)",
        "grave(lanes=64)",
        "uct(cap=9,lanes=64)",
        "uct(parallel=all)",
        "uct@",
        "uct@sims=0",
        "uct@sims=-5",
        "uct@time=-1s",
        "uct@speed=3",
        "uct@sims=1@sims=2",
        "random(1)",
        "greedy(playouts=0)",
        "ludo-simple(1,2)",
        "ludo-full",
        "ludo(plies=9)",
        "ludo(ply=1)",
        "ludo-advanced(a,b,c,d,e,f,g)",
        "ropasci-greedy(kills=inf)",
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
    // The same agent is asked twice about the start: nothing was played, so all is kept.
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
fn play_at_joint_moves_converges_to_the_mixed_equilibrium_of_a_biased_matrix() {
    // Rock wins double: in equilibrium both play 1/4, 1/2, 1/4. 400 games each: the standard error
    // of a share is 0.025; the bound leaves four of them to chance and to what is left of the way.
    let game = gdl(BIASED_RPS);
    for (rule, sims) in [("regret", 3000), ("exp3", 6000)] {
        let name = format!("uct(joint={rule})@sims={sims}");
        let mut counts = std::collections::HashMap::<String, f32>::new();
        for i in 0..400 {
            let mv = ask(&name, &game, &game.start(), Seed(i)).mv;
            *counts.entry(game.move_text(mv)).or_default() += 1.0 / 400.0;
        }
        for (mv, share) in [("rock", 0.25), ("paper", 0.5), ("scissors", 0.25)] {
            let found = counts.get(mv).copied().unwrap_or(0.0);
            assert!((found - share).abs() < 0.1, "{name}: {counts:?}");
        }
    }
}

#[test]
fn threads_share_the_work_and_stop_together() {
    let game = ludex_games::open("connect4").unwrap();
    for parallel in ["root", "tree"] {
        for mind in ["uct", "grave", "mast"] {
            let name = format!("{mind}(threads=3,parallel={parallel})@sims=3001");
            let thought = ask(&name, &game, &game.start(), Seed(1)).thought;
            assert_eq!(thought.sims, 3001, "{name}");
            let visits: u64 = thought.candidates.iter().map(|c| c.visits).sum();
            assert_eq!(visits, 3001, "{name}");
        }
        let name = format!("uct(threads=2,parallel={parallel})@time=30ms");
        assert!(ask(&name, &game, &game.start(), Seed(1)).thought.sims > 10, "{name}");
    }
    // Without a shared tree, threads don't disturb each other: the same seed, the same search.
    let ask = || ask("uct(threads=2)@sims=2000", &game, &game.start(), Seed(4));
    assert_eq!(ask(), ask());
}

#[test]
fn what_was_pondered_is_kept() {
    let game = ludex_games::open("connect4").unwrap();
    let start = game.start();
    let mut mind = spec("uct@sims=100").build(&game, Player(0), Seed(1)).unwrap();
    let stop = ludex_core::deadline::Stop::default();
    let (play, mut pad) = (ludex_core::Match::new(&game), Vec::new());
    let view = play.view(Player(0), &mut pad);
    std::thread::scope(|scope| {
        let thinker = scope.spawn(|| mind.ponder(&game, &view, &stop));
        std::thread::sleep(Duration::from_millis(30));
        stop.set();
        thinker.join().unwrap();
    });
    let thought = ask_mind(&mut *mind, &game, &start, Player(0)).thought;
    let visits: u64 = thought.candidates.iter().map(|c| c.visits).sum();
    assert_eq!(thought.sims, 100);
    assert!(visits > 100, "{visits}");
}

#[test]
fn a_watched_mind_tells_what_it_thinks() {
    let game = ludex_games::open("breakthrough").unwrap();
    for name in ["uct@time=60ms", "uct(threads=2)@time=60ms", "mast@time=60ms"] {
        let mut mind = spec(name).build(&game, Player(0), Seed(1)).unwrap();
        let (sender, told) = std::sync::mpsc::channel();
        let watch = ludex_agents::Watch::new(Duration::from_millis(5), move |thought| {
            let _ = sender.send(thought.clone());
        });
        mind.watch(Some(watch));
        let choice = ask_mind(&mut *mind, &game, &game.start(), Player(0));
        drop(mind);
        let told: Vec<_> = told.iter().collect();
        assert!(told.len() > 1, "{name}: {}", told.len());
        assert_eq!(told.last(), Some(&choice.thought), "{name}");
        let growing = told.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes);
        assert!(growing && !told[0].candidates.is_empty(), "{name}");
    }
}

#[test]
fn batches_find_the_same_wins_as_single_playouts() {
    // A win in one, and the only defence against one.
    let game = ludex_library::open("kif:tictactoe").unwrap();
    for name in ["uct(lanes=64)@sims=3000", "uct(lanes=off)@sims=3000", "uct@time=50ms"] {
        let choice = ask(name, &game, &game.start(), Seed(2));
        assert!(choice.thought.sims > 50, "{name}: {:?}", choice.thought);
        let payoffs = common::play(&game, &[name, "random"], Seed(3));
        assert!(payoffs[0] >= 0.5, "{name}");
    }
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
        Just("mast".to_string()),
        Just("grave".to_string()),
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
        Just("select"),
        Just("playout"),
        Just("lanes"),
        Just("tau"),
        Just("joint"),
        Just("threads"),
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
