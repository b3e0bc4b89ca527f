//! Every agent keeps to its time in games whose steps are slow, and stops when it is told to.
//!
//! The slow game sleeps in each of its steps and counts those that begin after the time is up, by thread. So a busy machine
//! does not matter: whatever else runs, an agent that looks at the clock makes only a few more steps.

use ludex_agents::best::Best;
use ludex_agents::clock::cpu_time;
use ludex_agents::{Agent, AgentSpec, catalog};
use ludex_core::deadline::{Deadline, Stop};
use ludex_core::random::mix;
use ludex_core::{AnyGame, Game, Info, Match, Move, Player, Players, Seed, Turn, View};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// What a step of the slow game takes.
const STEP: Duration = Duration::from_millis(2);
/// What an agent gets for its move.
const BUDGET: Duration = Duration::from_millis(60);
/// Steps that a thread may make after the time is up: 40 ms.
const LATE: u32 = 20;
/// After so many it is clear that nobody looks at the clock; the game is over then, so that the test ends.
const LOST: u32 = 600;

/// When the steps of a game are slow, and how many were too late.
#[derive(Debug, Default)]
struct Watch {
    slow: AtomicBool,
    lost: AtomicBool,
    end: Mutex<Option<Instant>>,
    late: Mutex<HashMap<ThreadId, u32>>,
}

impl Watch {
    /// One step of the game.
    fn step(&self) {
        if !self.slow.load(Relaxed) {
            return;
        }
        if self.end.lock().unwrap().is_some_and(|end| Instant::now() > end) {
            let mut late = self.late.lock().unwrap();
            let late = late.entry(std::thread::current().id()).or_default();
            *late += 1;
            self.lost.fetch_or(*late > LOST, Relaxed);
        }
        if !self.lost.load(Relaxed) {
            std::thread::sleep(STEP);
        }
    }

    /// From now on steps are slow.
    fn begin(&self, time: Duration) {
        *self.end.lock().unwrap() = Instant::now().checked_add(time);
        self.late.lock().unwrap().clear();
        self.lost.store(false, Relaxed);
        self.slow.store(true, Relaxed);
    }

    /// The most late steps of a thread.
    fn end(&self) -> u32 {
        self.slow.store(false, Relaxed);
        self.late.lock().unwrap().values().copied().max().unwrap_or(0)
    }
}

/// Two players name numbers, 40 at a turn, for 400 turns; a hash of all decides.
#[derive(Debug, Clone)]
struct Slow {
    info: Info,
    /// Has it something to judge by?
    terms: bool,
    watch: Arc<Watch>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct State {
    ply: u32,
    sums: [u64; 2],
}

const PLIES: u32 = 400;
const MOVES: u64 = 40;

impl Slow {
    fn new(name: &str, watch: &Arc<Watch>) -> Self {
        let mut info = Info::new(format!("slow({name})"), "Slow", &["first", "second"]);
        info.hidden = name.contains("hidden");
        info.simultaneous = name.contains("joint");
        info.chance = name.contains("chance");
        info.constant_sum = true;
        Slow { info, terms: name.contains("terms"), watch: watch.clone() }
    }
}

impl Game for Slow {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        if state.ply >= PLIES || self.watch.lost.load(Relaxed) {
            Turn::Over
        } else if self.info.chance && state.ply % 3 == 2 {
            Turn::Chance
        } else if self.info.simultaneous {
            Turn::Joint(Players::all(2))
        } else {
            Turn::One(Player((state.ply % 2) as u8))
        }
    }

    fn moves(&self, _: &State, _: Player, out: &mut Vec<Move>) {
        self.watch.step();
        out.extend((0..MOVES).map(Move));
    }

    fn chances(&self, _: &State, out: &mut Vec<(Move, f64)>) {
        self.watch.step();
        out.extend((0..6).map(|face| (Move(face), 1.0 / 6.0)));
    }

    fn apply(&self, state: &mut State, joint: &[Move]) {
        self.watch.step();
        for (i, mv) in joint.iter().enumerate() {
            let who = if joint.len() > 1 { i } else { (state.ply % 2) as usize };
            state.sums[who] = mix(state.sums[who] ^ mv.0);
        }
        state.ply += 1;
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let first = (state.sums[0] ^ state.sums[1]).is_multiple_of(2);
        out.copy_from_slice(if first { &[1.0, 0.0] } else { &[0.0, 1.0] });
    }

    fn hash(&self, state: &State) -> u64 {
        mix(state.sums[0] ^ mix(state.sums[1] ^ u64::from(state.ply)))
    }

    fn move_text(&self, mv: Move) -> String {
        mv.0.to_string()
    }

    fn position(&self, state: &State) -> String {
        format!("{} {} {}", state.ply, state.sums[0], state.sums[1])
    }

    fn percept(&self, _: &State, joint: &[Move], _: &State, _: Player, out: &mut Vec<u64>) {
        let known = |mv: &Move| if self.info.hidden { mv.0 % 4 } else { mv.0 };
        out.extend(joint.iter().map(known));
    }

    fn terms(&self) -> &[&'static str] {
        if self.terms { &["sum"] } else { &[] }
    }

    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        self.watch.step();
        out.iter_mut().for_each(|slot| *slot = (state.sums[player.index()] % 100) as f32 / 100.0);
    }
}

/// A random match of so many steps.
fn begun(game: &AnyGame, plies: u32) -> Match<'_, AnyGame> {
    let (mut play, mut rng) = (Match::new(game), Seed(5).rng());
    (0..plies).for_each(|_| play.apply_random(&mut rng));
    play
}

/// What an agent may see, or all of it where the agent cheats.
fn view<'a>(
    play: &'a Match<'_, AnyGame>,
    seat: Player,
    agent: &dyn Agent<AnyGame>,
    pad: &'a mut Vec<Move>,
) -> View<'a, AnyGame> {
    match agent.cheats() {
        true => play.cheating_view(seat, pad),
        false => play.view(seat, pad),
    }
}

/// All agents of the catalogue, and what their parameters make of them.
fn agents() -> Vec<String> {
    let plain = catalog()
        .iter()
        .filter(|entry| entry.stands_alone())
        .map(|entry| entry.name)
        .filter(|name| *name != "human");
    let more = [
        "greedy(heuristic=mobility)",
        "uct(threads=2)",
        "uct(threads=3,parallel=tree)",
        "uct(lanes=64)",
        "uct(cap=3)",
        "uct(leaf=8)",
        "mast(threads=2,parallel=tree)",
        "uct(select=grave,playout=nst,backup=bounded)",
        "alphabeta(quiescence=6)",
        "alphabeta(threads=3)",
        "alphabeta(heuristic=mobility)",
        "alphabeta(others=maxn)",
        "best-reply(quiescence=3,threads=2)",
        "double-oracle(heuristic=mobility)",
        "mbm(look=4)",
        "mbm(mock=random)",
        "mbm(threads=2,populations=3,merge=sim)",
        "portfolio(uct,alphabeta,check=6)",
        "ensemble(uct,flat,alphabeta)",
        "parallel-ensemble(uct,flat,mast)",
    ];
    plain.chain(more).map(str::to_string).collect()
}

/// Asks an agent in a slow position. Returns the most late steps of a thread, or nothing where it can't play the game.
fn late_steps(agent: &str, game: &AnyGame, watch: &Watch, plies: u32) -> Option<u32> {
    let spec: AgentSpec = agent.parse().unwrap();
    if spec.supports(game.info()).is_err() {
        return None;
    }
    let seat = Player((plies % 2) as u8);
    let play = begun(game, plies);
    assert!(play.turn().includes(seat));
    let mut mind = spec.build(game, seat, Seed(1)).unwrap();
    let mut pad = Vec::new();
    let view = view(&play, seat, &*mind, &mut pad);
    watch.begin(BUDGET);
    let choice = mind.choose(game, &view, &ludex_agents::Budget::time(BUDGET));
    let late = watch.end();
    // A game that was declared over may have no moves for it.
    if late <= LATE {
        let choice = choice.unwrap_or_else(|error| panic!("{agent}: {error}"));
        assert!(view.legal().contains(&choice.mv), "{agent}");
    }
    Some(late)
}

fn check(names: &[&str], least: usize) {
    let watch = Arc::new(Watch::default());
    let (mut asked, mut wrong) = (0, Vec::new());
    for name in names {
        let game = AnyGame::new(Slow::new(name, &watch));
        for agent in agents() {
            // At the start, and after a long past (of which an agent for hidden information has to make worlds).
            for plies in [0, 36] {
                let Some(late) = late_steps(&agent, &game, &watch, plies) else { continue };
                asked += 1;
                if late > LATE {
                    wrong.push(format!("{agent} in slow({name}) after {plies} plies: {late}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "late steps:\n{}", wrong.join("\n"));
    assert!(asked >= least, "only {asked} cases");
}

#[test]
fn every_agent_keeps_its_time_where_players_move_one_by_one() {
    check(&["open", "open,terms"], 150);
}

#[test]
fn every_agent_keeps_its_time_where_chance_moves() {
    check(&["chance", "chance,terms"], 140);
}

#[test]
fn every_agent_keeps_its_time_where_players_move_at_once() {
    check(&["joint", "joint,terms"], 90);
}

#[test]
fn every_agent_keeps_its_time_where_something_is_hidden() {
    check(&["hidden", "hidden,joint"], 30);
}

#[test]
fn every_agent_stops_when_it_is_told_to_whatever_its_budget() {
    let watch = Arc::new(Watch::default());
    let mut wrong = Vec::new();
    for name in ["open", "joint", "hidden"] {
        let game = AnyGame::new(Slow::new(name, &watch));
        for agent in agents() {
            let spec: AgentSpec = agent.parse().unwrap();
            if spec.supports(game.info()).is_err() {
                continue;
            }
            let play = begun(&game, 4);
            let mut mind = spec.build(&game, Player(0), Seed(1)).unwrap();
            let mut pad = Vec::new();
            let view = view(&play, Player(0), &*mind, &mut pad);
            let stop = Stop::default();
            let deadline = Deadline { stops: vec![stop.clone()], ..Deadline::default() };
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(20));
                    stop.set();
                });
                watch.begin(Duration::from_millis(60));
                let _scope = deadline.enter();
                let budget = "sims=1000000".parse().unwrap();
                let _ = mind.choose(&game, &view, &budget);
            });
            let late = watch.end();
            if late > LATE {
                wrong.push(format!("{agent} in slow({name}): {late}"));
            }
        }
    }
    assert!(wrong.is_empty(), "late steps:\n{}", wrong.join("\n"));
}

/// Agents of one game alone can't be slowed down, but their parameters make them slow: without a clock these would take minutes.
#[test]
fn agents_of_one_game_keep_their_time_whatever_their_parameters() {
    for (game, agent) in [
        ("ludo", "ludo(plies=4)"),
        ("ropasci360", "ropasci-rollouts(rollouts=1000000)"),
        ("ropasci360", "ropasci-negamax(k=1000000)"),
        ("ropasci360", "ropasci-negamax(k=100,depth=4)"),
        ("ropasci360", "ropasci-mcts(rollouts=1000000,among=10)"),
        ("ropasci360", "ropasci-nash(k=100,depth=3)"),
        ("ropasci360", "ropasci-lookahead(k=1000000)"),
        ("ropasci360", "ropasci(first=200,second=200)"),
    ] {
        let open = ludex_games::open(game).unwrap();
        let (mut play, mut rng) = (Match::new(&open), Seed(3).rng());
        // The first position in which there is something to choose, after some moves.
        let choices = |play: &Match<'_, AnyGame>| {
            play.turn().movers().iter().next().map_or(0, |mover| play.legal(mover).len())
        };
        while play.len() <= 12 || choices(&play) <= 2 {
            play.apply_random(&mut rng);
        }
        let here = Match::at(&open, play.state().clone());
        let seat = here.turn().movers().iter().next().unwrap();
        let mut mind = agent.parse::<AgentSpec>().unwrap().build(&open, seat, Seed(1)).unwrap();
        let mut pad = Vec::new();
        let view = here.view(seat, &mut pad);
        let begun = cpu_time();
        let choice = mind.choose(&open, &view, &ludex_agents::Budget::time(BUDGET)).unwrap();
        let spent = cpu_time() - begun;
        assert!(view.legal().contains(&choice.mv), "{agent}");
        assert!(spent < BUDGET + Duration::from_millis(500), "{agent}: {spent:?}");
    }
}

#[test]
fn every_agent_shows_a_best_move_before_it_answers() {
    let watch = Arc::new(Watch::default());
    for name in ["open", "open,terms", "joint", "hidden"] {
        let game = AnyGame::new(Slow::new(name, &watch));
        for agent in agents() {
            let spec: AgentSpec = agent.parse().unwrap();
            if spec.supports(game.info()).is_err() {
                continue;
            }
            let mut mind = spec.build(&game, Player(0), Seed(1)).unwrap();
            let play = Match::new(&game);
            let mut pad = Vec::new();
            let view = view(&play, Player(0), &*mind, &mut pad);
            let best = Best::default();
            let seen = best.clone();
            watch.begin(Duration::from_secs(60));
            let (early, choice) = std::thread::scope(|scope| {
                let thinker = scope.spawn(|| {
                    let _shown = best.enter();
                    mind.choose(&game, &view, &"time=80ms".parse().unwrap()).unwrap().mv
                });
                // `random` answers at once; the others need their time.
                let mut early = None;
                while early.is_none() && !thinker.is_finished() {
                    early = seen.get();
                }
                (early.or(seen.get()), thinker.join().unwrap())
            });
            watch.end();
            assert!(early.is_some_and(|mv| view.legal().contains(&mv)), "{agent} in slow({name})");
            assert_eq!(seen.get(), Some(choice), "{agent} in slow({name})");
        }
    }
}

/// An agent for the tests of [`Agent`] itself: where all goes well nothing is lost by the clock.
#[test]
fn where_the_time_is_ample_the_answer_is_that_of_the_budget_in_simulations() {
    let game = ludex_games::open("connect4").unwrap();
    for agent in ["uct", "mast", "flat", "alphabeta", "mbm", "grave(threads=2)"] {
        let ask = |budget: &str| {
            let spec: AgentSpec = agent.parse().unwrap();
            let mut mind = spec.build(&game, Player(0), Seed(1)).unwrap();
            let (play, mut pad) = (Match::new(&game), Vec::new());
            let view = play.view(Player(0), &mut pad);
            Agent::choose(&mut *mind, &game, &view, &budget.parse().unwrap()).unwrap()
        };
        assert_eq!(ask("sims=700@time=20m"), ask("sims=700"), "{agent}");
    }
}
