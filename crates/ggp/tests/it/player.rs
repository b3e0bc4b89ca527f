//! The player without a network: whole matches, wrong ids, bad rules, odd hosts.

use ludex_agents::{Agent, AgentSpec, Budget, Choice, Failure};
use ludex_core::{AnyGame, View};
use ludex_ggp::{Config, Player};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Two players take one or two of five in turn; who takes the last wins.
const TAKE: &str = "(role A) (role B) (init (left 5)) (init (control A))
    (less 5 1 4) (less 5 2 3) (less 4 1 3) (less 4 2 2) (less 3 1 2) (less 3 2 1)
    (less 2 1 1) (less 2 2 0) (less 1 1 0)
    (<= (legal ?p (Take ?n)) (true (control ?p)) (true (left ?m)) (less ?m ?n ?k))
    (<= (legal A noop) (true (control B))) (<= (legal B noop) (true (control A)))
    (<= (next (left ?k)) (does ?p (take ?n)) (true (left ?m)) (less ?m ?n ?k))
    (<= (next (control A)) (true (control B))) (<= (next (control B)) (true (control A)))
    (<= terminal (true (left 0)))
    (<= (goal A 100) (true (control B))) (<= (goal A 0) (true (control A)))
    (<= (goal B 100) (true (control A))) (<= (goal B 0) (true (control B)))";

/// A guess in the dark: is the coin that `random` threw a head? One question first.
const COIN: &str = "(role guesser) (role random) (init (step 1)) (side head) (side tail)
    (<= (legal random (throw ?s)) (true (step 1)) (side ?s))
    (<= (legal random noop) (not (true (step 1))))
    (<= (legal guesser noop) (true (step 1)))
    (<= (legal guesser look) (true (step 2)))
    (<= (legal guesser (say ?s)) (true (step 3)) (true (coin ?s)))
    (<= (next (coin ?s)) (does random (throw ?s))) (<= (next (coin ?s)) (true (coin ?s)))
    (<= (next (said ?s)) (does guesser (say ?s)))
    (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
    (<= (sees guesser (it ?s)) (does guesser look) (true (coin ?s)))
    (<= terminal (true (said ?s)))
    (<= (goal guesser 100) (true (said ?s)) (true (coin ?s))) (goal random 0)";

struct Game {
    player: Player,
    said: Arc<Mutex<Vec<String>>>,
}

impl Game {
    fn new(agent: &str) -> Game {
        let said = Arc::new(Mutex::new(Vec::new()));
        let log = said.clone();
        let player = Player::new(Config {
            agent: Some(agent.parse().expect("an agent")),
            margin: Duration::from_millis(500),
            log: Arc::new(move |text: &str| log.lock().expect("a log").push(text.to_string())),
            ..Config::default()
        });
        Game { player, said }
    }

    fn say(&self, text: &str) -> String {
        self.player.handle(text, Instant::now()).expect(text).text
    }

    fn log(&self) -> String {
        self.said.lock().expect("a log").join("\n")
    }
}

#[test]
fn a_match_is_played_well_in_the_words_of_the_rules() {
    let game = Game::new("uct@sims=2000");
    assert_eq!(game.say("(INFO)"), "((name ludex) (status available) (species machine))");
    assert_eq!(game.say(&format!("(start M.1 a ({TAKE}) 10 5 extra)")), "ready");
    assert_eq!(game.say("(info)"), "((name ludex) (status busy) (species machine))");
    assert_eq!(game.say(&format!("(START M.2 a ({TAKE}) 10 5)")), "busy");
    assert_eq!(game.say("(PLAY M.2 NIL)"), "busy");
    // Of five one takes two, then three are left: a lost position for the other.
    assert_eq!(game.say("(PLAY M.1 NIL)"), "(Take 2)");
    assert_eq!(game.say("(PLAY M.1 ((TAKE 2) NOOP))"), "noop");
    assert_eq!(game.say("(play m.1 (noop (take 1)))"), "(Take 2)");
    assert_eq!(game.say("(STOP M.1 ((take 2) noop))"), "done");
    assert_eq!(game.say("(STOP M.1 NIL)"), "busy");
    assert_eq!(game.say("(INFO)"), "((name ludex) (status available) (species machine))");
}

#[test]
fn both_dialects_of_gdl_ii_are_followed_to_the_only_legal_move() {
    for side in ["head", "tail"] {
        let game = Game::new("random");
        assert_eq!(game.say(&format!("(START d1 guesser ({COIN}) 10 5)")), "ready");
        assert_eq!(game.say("(PLAY d1 NIL)"), "noop");
        assert_eq!(game.say("(PLAY d1 NIL)"), "look");
        assert_eq!(game.say(&format!("(PLAY d1 ((IT {side})))")), format!("(say {side})"));
        assert_eq!(game.say("(ABORT d1)"), "aborted");
        assert_eq!(game.say(&format!("(START d2 guesser ({COIN}) 10 5)")), "ready");
        assert_eq!(game.say("(PLAY d2 0 NIL NIL)"), "noop");
        // The same message again changes nothing.
        assert_eq!(game.say("(PLAY d2 0 NIL NIL)"), "noop");
        assert_eq!(game.say("(PLAY d2 1 noop ())"), "look");
        assert_eq!(game.say(&format!("(PLAY d2 2 look ((it {side})))")), format!("(say {side})"));
        assert_eq!(game.say(&format!("(STOP d2 3 (say {side}) ())")), "done");
    }
}

#[test]
fn rules_in_which_all_moves_are_seen_are_played_as_open() {
    let seen = format!("{TAKE} (<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))");
    let game = Game::new("uct@sims=2000");
    assert_eq!(game.say(&format!("(START m a ({seen}) 10 5)")), "ready");
    assert_eq!(game.say("(PLAY m NIL)"), "(Take 2)");
    assert_eq!(game.say("(PLAY m ((did B noop) (did A (take 2))))"), "noop");
    assert_eq!(game.say("(PLAY m ((did A noop) (did B (take 2))))"), "(Take 1)");
    assert!(!game.log().contains("legal"), "{}", game.log());
}

#[test]
fn a_mind_that_cannot_play_the_game_is_replaced() {
    let game = Game::new("uct");
    assert_eq!(game.say(&format!("(START m guesser ({COIN}) 10 5)")), "ready");
    assert_eq!(game.say("(PLAY m NIL)"), "noop");
    assert!(game.log().contains("hyperplay-ismcts plays"), "{}", game.log());
}

#[test]
fn bad_rules_are_refused_and_leave_the_player_free() {
    let game = Game::new("uct");
    for rules in ["", "(role", "(rule)", "(role b)", "(role a) (<= (legal a ?x) (not (p ?x)))"] {
        let text = format!("(START m a ({rules}) 2 1)");
        if let Ok(answer) = game.player.handle(&text, Instant::now()) {
            assert_eq!(answer.text, "busy", "{rules}");
        }
        assert!(game.say("(INFO)").contains("available"), "{rules}");
    }
    assert!(game.log().contains("no role `a`"), "{}", game.log());
}

#[test]
fn illegal_moves_of_the_host_are_said_and_survived() {
    let game = Game::new("uct@sims=200");
    assert_eq!(game.say(&format!("(START m a ({TAKE}) 10 5)")), "ready");
    game.say("(PLAY m NIL)");
    assert_eq!(game.say("(PLAY m ((take 9) (fly away)))"), "noop");
    assert!(game.log().contains("`(fly away)` is no legal move of B"), "{}", game.log());
    game.say("(PLAY m (one two three))");
    for _ in 0..9 {
        game.say("(PLAY m (noop noop))");
    }
    assert!(game.log().contains("can't"), "{}", game.log());
    assert_eq!(game.say("(STOP m (what))"), "done");
}

#[test]
fn percepts_that_contradict_the_rules_are_said_and_the_player_keeps_step() {
    let game = Game::new("hyperplay-ismcts");
    for lies in [["(a lie)", "(it tail)"], ["", "(it edge)"], ["(a lie)", "(it head) (it tail)"]] {
        let begun = game.log().lines().count();
        assert_eq!(game.say(&format!("(START g guesser ({COIN}) 10 2)")), "ready");
        assert_eq!(game.say("(PLAY g NIL)"), "noop");
        assert_eq!(game.say(&format!("(PLAY g ({}))", lies[0])), "look");
        let guess = game.say(&format!("(PLAY g ({}))", lies[1]));
        let known =
            if lies[1] == "(it tail)" { ["(say tail)"; 2] } else { ["(say head)", "(say tail)"] };
        assert!(known.contains(&guess.as_str()), "{lies:?}: {guess}");
        let log: Vec<String> = game.log().lines().skip(begun).map(Into::into).collect();
        let told =
            log.iter().filter(|line| line.contains("rules and record contradict each other"));
        let expected = lies.iter().filter(|lie| !["", "(it tail)"].contains(lie)).count();
        assert_eq!(told.count(), expected, "{lies:?}: {log:?}");
        assert_eq!(game.say("(STOP g ())"), "done");
    }
}

#[test]
fn a_host_may_ask_and_abort_while_the_player_thinks() {
    let game = Game::new("uct");
    assert_eq!(game.say(&format!("(START m a ({TAKE}) 10 2)")), "ready");
    std::thread::scope(|scope| {
        let thinking = scope.spawn(|| game.say("(PLAY m NIL)"));
        assert!(game.say("(INFO)").contains("busy"));
        assert_eq!(thinking.join().expect("an answer"), "(Take 2)");
        assert_eq!(game.say("(ABORT m)"), "aborted");
    });
}

/// Thinks with `uct` for a little while, and then sleeps through every deadline.
struct Sleeper {
    uct: Box<dyn Agent<AnyGame>>,
    nap: Duration,
}

impl Agent<AnyGame> for Sleeper {
    fn name(&self) -> String {
        "sleeper".into()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        _: &Budget,
    ) -> Result<Choice, Failure> {
        self.uct.choose(game, view, &"sims=3000".parse()?)?;
        std::thread::sleep(self.nap);
        // Another move than the one that it showed: if it is sent, nobody looked at the best one.
        let best = ludex_agents::Best::current().and_then(|best| best.get());
        let other = view.legal().iter().copied().find(|mv| Some(*mv) != best);
        Ok(Choice::plain(other.unwrap_or_default()))
    }
}

fn sleeper(nap: Duration) -> Game {
    let game = Game::new("uct");
    let log = game.said.clone();
    let maker = move |game: &AnyGame, seat, seed| {
        let uct = "uct".parse::<AgentSpec>().unwrap().build(game, seat, seed).unwrap();
        Box::new(Sleeper { uct, nap }) as Box<dyn Agent<AnyGame>>
    };
    let player = Player::new(Config {
        maker: Some(Arc::new(maker)),
        margin: Duration::from_millis(500),
        log: Arc::new(move |text: &str| log.lock().expect("a log").push(text.to_string())),
        ..Config::default()
    });
    Game { player, ..game }
}

#[test]
fn an_agent_that_overruns_makes_the_best_move_that_it_has_shown() {
    let game = sleeper(Duration::from_secs(20));
    assert_eq!(game.say(&format!("(START m a ({TAKE}) 10 2)")), "ready");
    let begun = Instant::now();
    // Only taking two wins.
    assert_eq!(game.say("(PLAY m NIL)"), "(Take 2)", "{}", game.log());
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(game.log().contains("sending its best move so far"), "{}", game.log());
}

#[test]
fn a_player_whose_agent_still_sleeps_answers_the_next_message_in_time() {
    let game = sleeper(Duration::from_millis(2500));
    assert_eq!(game.say(&format!("(START m a ({TAKE}) 10 2)")), "ready");
    assert_eq!(game.say("(PLAY m NIL)"), "(Take 2)", "{}", game.log());
    assert_eq!(game.say("(PLAY m ((take 2) noop))"), "noop", "{}", game.log());
    assert_eq!(game.say("(PLAY m (noop (take 1)))"), "(Take 2)", "{}", game.log());
    assert!(!game.log().contains("no legal move"), "{}", game.log());
}

#[test]
fn a_match_that_is_called_off_stops_the_thinking() {
    let game = Game::new("uct");
    assert_eq!(game.say(&format!("(START m a ({TAKE}) 10 600)")), "ready");
    std::thread::scope(|scope| {
        let begun = Instant::now();
        let thinking = scope.spawn(|| game.say("(PLAY m NIL)"));
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(game.say("(ABORT m)"), "aborted");
        assert_eq!(thinking.join().expect("an answer"), "(Take 2)");
        assert!(begun.elapsed() < Duration::from_secs(60));
    });
}
