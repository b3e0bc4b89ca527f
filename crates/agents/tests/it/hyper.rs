//! Agents made of agents: shares, votes, ties, failures.

use ludex_agents::hyper::ensemble::{Ensemble, Rules, Ties};
use ludex_agents::hyper::member::Member;
use ludex_agents::hyper::portfolio::Portfolio;
use ludex_agents::{Agent, AgentSpec, Budget, Candidate, Choice, Failure, Thought};
use ludex_core::{AnyGame, Error, Match, Move, Player, Result, Seed, View};
use std::sync::{Arc, Mutex};

/// What a stub does when it is asked.
#[derive(Clone, Copy)]
enum Does {
    /// Plays the legal move of this number, worth so much, proven or not.
    Play(usize, f32, bool),
    Fail,
    Crash,
    Cheat,
}

struct Stub {
    does: Does,
    asked: Arc<Mutex<Vec<Budget>>>,
}

impl Agent<AnyGame> for Stub {
    fn name(&self) -> String {
        "stub".into()
    }

    fn choose(
        &mut self,
        _: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        self.asked.lock().unwrap().push(budget.clone());
        match self.does {
            Does::Play(number, value, proven) => {
                let mv = view.legal()[number];
                let candidates =
                    vec![Candidate { mv, visits: 1, value, proven, ..Candidate::default() }];
                let value = Some(value);
                Ok(Choice {
                    mv,
                    thought: Thought { value, proven, candidates, ..Thought::default() },
                })
            }
            Does::Fail => Err(Error::Unsupported("no idea".into()).into()),
            Does::Crash => panic!("a member that panics on purpose"),
            Does::Cheat => Ok(Choice::plain(Move(u64::MAX))),
        }
    }
}

type Log = Arc<Mutex<Vec<Budget>>>;

fn members(list: &[(Does, f64)]) -> (Vec<Member>, Vec<Log>) {
    // The names are only names here: what sits behind them are stubs.
    let names = ["uct", "mast", "grave", "ph", "flat"];
    let mut logs = Vec::new();
    let make = |(i, &(does, weight)): (usize, &(Does, f64))| {
        let asked = Log::default();
        logs.push(asked.clone());
        Member::new(names[i].parse().unwrap(), Box::new(Stub { does, asked }), weight)
    };
    let members = list.iter().enumerate().map(make).collect();
    (members, logs)
}

/// Asks an agent for its move at the start of Tic-Tac-Toe: the number of the move, and the thought.
fn ask(mind: &mut dyn Agent<AnyGame>, budget: &Budget) -> Result<(usize, Thought)> {
    let game = ludex_library::open("tictactoe").unwrap();
    let (play, mut pad) = (Match::new(&game), Vec::new());
    let view = play.view(Player(0), &mut pad);
    let choice = mind.choose(&game, &view, budget)?;
    Ok((view.legal().iter().position(|mv| *mv == choice.mv).unwrap(), choice.thought))
}

fn ensemble(rules: Rules, list: &[(Does, f64)]) -> (Ensemble, Vec<Log>) {
    let (members, logs) = members(list);
    (Ensemble::new(rules, members, Vec::new(), Seed(1)), logs)
}

#[test]
fn the_majority_plays() {
    let play = |n| (Does::Play(n, 0.5, false), 1.0);
    let (mut mind, _) = ensemble(Rules::default(), &[play(3), play(4), play(4)]);
    assert_eq!(ask(&mut mind, &Budget::sims(30)).unwrap().0, 4);
}

#[test]
fn weights_share_time_and_votes() {
    let list = [
        (Does::Play(1, 0.9, false), 60.0),
        (Does::Play(2, 0.1, false), 20.0),
        (Does::Play(2, 0.1, false), 20.0),
    ];
    let (mut mind, logs) = ensemble(Rules::default(), &list);
    assert_eq!(ask(&mut mind, &Budget::sims(1000)).unwrap().0, 1);
    let sims: Vec<_> = logs.iter().map(|log| log.lock().unwrap()[0].sims).collect();
    assert_eq!(sims, [Some(600), Some(200), Some(200)]);
}

#[test]
fn parallel_members_have_the_full_time_each_and_share_the_work() {
    let (mut mind, logs) = ensemble(
        Rules { parallel: true, ..Rules::default() },
        &[(Does::Play(0, 0.5, false), 1.0); 4],
    );
    let time = std::time::Duration::from_millis(30);
    ask(&mut mind, &Budget::time(time)).unwrap();
    ask(&mut mind, &Budget::sims(1000)).unwrap();
    for log in &logs {
        let log = log.lock().unwrap();
        assert_eq!((log[0].time, log[1].sims), (Some(time), Some(250)));
    }
}

#[test]
fn ties_go_to_the_best_valued_move_or_as_in_the_thesis_to_the_first() {
    let list = [(Does::Play(5, 0.2, false), 1.0), (Does::Play(6, 0.8, false), 1.0)];
    let budget = Budget::sims(10);
    assert_eq!(ask(&mut ensemble(Rules::default(), &list).0, &budget).unwrap().0, 6);
    assert_eq!(
        ask(&mut ensemble(Rules { ties: Ties::First, ..Rules::default() }, &list).0, &budget)
            .unwrap()
            .0,
        5
    );
}

#[test]
fn a_proved_win_is_played_at_once() {
    let play = |n, proven| (Does::Play(n, 1.0, proven), 1.0);
    let (mut mind, logs) =
        ensemble(Rules::default(), &[play(1, false), play(2, true), play(1, false)]);
    let (mv, thought) = ask(&mut mind, &Budget::sims(30)).unwrap();
    assert!(mv == 2 && thought.proven);
    assert!(logs[2].lock().unwrap().is_empty(), "nobody is asked after it");
}

#[test]
fn members_that_fail_are_dropped_and_named_and_the_others_play_on() {
    let list = [
        (Does::Fail, 1.0),
        (Does::Play(7, 0.5, false), 1.0),
        (Does::Crash, 1.0),
        (Does::Cheat, 1.0),
    ];
    for parallel in [false, true] {
        let (mut mind, logs) = ensemble(Rules { parallel, ..Rules::default() }, &list);
        let (mv, thought) = ask(&mut mind, &Budget::sims(30)).unwrap();
        assert_eq!(mv, 7);
        let notes = thought.notes.join("; ");
        assert!(notes.contains("uct is dropped: no idea"), "{notes}");
        assert!(notes.contains("grave is dropped: it crashed"), "{notes}");
        assert!(notes.contains("ph is dropped: its move is not legal"), "{notes}");
        ask(&mut mind, &Budget::sims(30)).unwrap();
        assert_eq!(logs[0].lock().unwrap().len(), 1, "it is not asked again");
    }
    let (mut mind, _) = ensemble(Rules::default(), &[(Does::Fail, 1.0)]);
    let error = ask(&mut mind, &Budget::sims(30)).unwrap_err().to_string();
    assert!(error.contains("no member is left: uct is dropped"), "{error}");
}

#[test]
fn a_portfolio_asks_the_model_of_its_thinking_time() {
    let notes = |game: &str, agent: &str, budget: &str| {
        let game = ludex_games::open(game).unwrap();
        let spec: AgentSpec = agent.parse().unwrap();
        let mut agent = spec.build(&game, Player(0), Seed(1)).unwrap();
        let (play, mut pad) = (Match::new(&game), Vec::new());
        let view = play.view(Player(0), &mut pad);
        agent.choose(&game, &view, &budget.parse().unwrap()).unwrap().thought.notes.join("; ")
    };
    let long = "expected at 20 ms a move: uct ";
    let said = notes("breakthrough(5,5)", "portfolio", "time=20ms");
    assert!(said.contains(long) && said.contains("trial games for uct"), "{said}");
    assert!(said.starts_with("uct plays") || said.starts_with("alphabeta plays"), "{said}");
    for (game, agent, budget) in [
        ("breakthrough(5,5)", "portfolio", "sims=20"),
        ("breakthrough(5,5)", "portfolio", "time=2ms"),
        ("breakthrough(5,5)", "portfolio(uct,mast)", "time=20ms"),
        // Players move at once: the survey at 20 ms has no such game.
        ("rps", "portfolio", "time=20ms"),
    ] {
        let said = notes(game, agent, budget);
        assert!(!said.contains("at 20 ms"), "{game} {agent} {budget}: {said}");
    }
}

#[test]
fn the_preset_of_the_thesis_asks_a_model_for_the_heuristic() {
    let notes = |game: &str, agent: &str| {
        let game = ludex_library::open(game).unwrap();
        let spec: AgentSpec = agent.parse().unwrap();
        let mut agent = spec.build(&game, Player(0), Seed(1)).unwrap();
        let (play, mut pad) = (Match::new(&game), Vec::new());
        let view = play.view(Player(0), &mut pad);
        agent.choose(&game, &view, &Budget::sims(50)).unwrap().thought.notes.join("; ")
    };
    for agent in [
        "portfolio(preset=thesis)",
        "ensemble(preset=thesis)",
        "weighted-ensemble(preset=thesis)",
        "parallel-ensemble(preset=thesis)",
        "parallel-weighted-ensemble(preset=thesis)",
        "ensemble(alphabeta,uct,heuristics=usual)",
    ] {
        let said = notes("breakthrough(5,5)", agent);
        assert!(said.contains("heuristic: alphabeta"), "{agent}: {said}");
    }
    for (game, agent) in [
        ("breakthrough(5,5)", "ensemble"),
        ("breakthrough(5,5)", "ensemble(preset=thesis,heuristics=none)"),
        // The only alphabeta has a heuristic of its own.
        ("breakthrough(5,5)", "ensemble(alphabeta(heuristic=advance),uct,heuristics=usual)"),
        // Players move at once, which alpha-beta can't.
        ("rps", "ensemble(preset=thesis)"),
    ] {
        let said = notes(game, agent);
        assert!(!said.contains("heuristic: "), "{game} {agent}: {said}");
    }
    let spec: AgentSpec = "ensemble(heuristics=nowhere.model)".parse().unwrap();
    let game = ludex_library::open("tictactoe").unwrap();
    assert!(spec.build(&game, Player(0), Seed(1)).is_err());
}

#[test]
fn a_portfolio_plays_its_best_member_and_falls_back_on_the_next() {
    let list =
        [(Does::Play(1, 0.5, false), 40.0), (Does::Crash, 70.0), (Does::Play(3, 0.5, false), 50.0)];
    let (members, logs) = members(&list);
    let mut mind = Portfolio::new(members, 0, Vec::new(), Seed(1));
    assert_eq!(mind.name(), "portfolio: mast");
    let (mv, thought) = ask(&mut mind, &Budget::sims(30)).unwrap();
    assert_eq!(mv, 3);
    assert_eq!(thought.notes, ["grave plays", "mast is dropped: it crashed"]);
    assert!(logs[0].lock().unwrap().is_empty());
}

#[test]
fn a_check_by_playing_corrects_a_wrong_prediction() {
    // A model that expects most of `random`.
    let game = ludex_library::open("connect4(columns=5,rows=4)").unwrap();
    let member = |name: &str, weight| {
        let spec: AgentSpec = name.parse().unwrap();
        let mind = spec.build(&game, Player(0), Seed(1)).unwrap();
        Member::new(spec, mind, weight)
    };
    let (play, mut pad) = (Match::new(&game), Vec::new());
    let view = play.view(Player(0), &mut pad);
    for (check, expected) in [(0, "random plays"), (12, "uct plays")] {
        let members = vec![member("uct", 45.0), member("random", 55.0)];
        let mut mind = Portfolio::new(members, check, Vec::new(), Seed(2));
        let choice = mind.choose(&game, &view, &Budget::sims(5000)).unwrap();
        assert_eq!(choice.thought.notes[0], expected, "{:?}", choice.thought.notes);
    }
}

#[test]
fn names_print_back_and_members_that_can_t_play_are_left_out() {
    for name in [
        "ensemble",
        "ensemble(uct,mast(c=0.9),grave,votes=ranking,ties=first)",
        "parallel-weighted-ensemble(uct@sims=50,alphabeta,sharpen=4)",
        "portfolio(uct,mast,check=10)",
        "ensemble(uct,mast)@time=1s",
        "ensemble(preset=thesis)",
        "portfolio(preset=thesis,heuristics=none)",
    ] {
        let spec: AgentSpec = name.parse().unwrap();
        assert_eq!(spec.to_string(), name);
    }
    for (name, says) in [
        ("ensemble(nobody)", "unknown agent `nobody`"),
        ("ensemble(human)", "can't be a member"),
        ("ensemble(votes=two)", "one or ranking"),
        ("ensemble(sharpen=2)", "no parameter `sharpen`"),
        ("portfolio(ties=first)", "no parameter `ties`"),
        ("weighted-ensemble(sharpen=-1)", "from 0 to 100"),
    ] {
        let error = name.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(error.contains(says), "{name}: {error}");
    }
    // Rock-Paper-Scissors: players move at once, which alpha-beta can't.
    let game = ludex_library::open("rps").unwrap();
    let spec: AgentSpec = "ensemble(alphabeta,uct)".parse().unwrap();
    let mut mind = spec.build(&game, Player(0), Seed(1)).unwrap();
    let (play, mut pad) = (Match::new(&game), Vec::new());
    let view = play.view(Player(0), &mut pad);
    let choice = mind.choose(&game, &view, &Budget::sims(50)).unwrap();
    assert!(
        choice.thought.notes[0].contains("alphabeta is left out"),
        "{:?}",
        choice.thought.notes
    );
    let none: AgentSpec = "ensemble(alphabeta,mbm)".parse().unwrap();
    assert!(none.build(&game, Player(0), Seed(1)).is_err());
}

#[test]
fn a_missing_or_foreign_model_is_a_clear_error() {
    let game = ludex_library::open("tictactoe").unwrap();
    let says = |name: &str| {
        let spec: AgentSpec = name.parse().unwrap();
        match spec.build(&game, Player(0), Seed(1)) {
            Ok(_) => panic!("{name} was built"),
            Err(error) => error.to_string(),
        }
    };
    let error = says("weighted-ensemble(uct,mast,model=nowhere.model)");
    assert!(error.contains("nowhere.model"), "{error}");
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let error = says(&format!("portfolio(uct,mast,model=\"{here}\")"));
    assert!(error.contains("no model file"), "{error}");
}
