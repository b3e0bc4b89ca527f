//! The referee with agents that behave badly, and with hidden information.

use ludex_agents::{Agent, AgentSpec, Budget, Choice, Failure};
use ludex_arena::{Fault, GameRecord, Referee, Seat};
use ludex_core::{AnyGame, Error, Game, Move, Player, Result, Seed, View};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An agent that does what its closure says.
struct Puppet<F>(F);

impl<F> Agent<AnyGame> for Puppet<F>
where
    F: FnMut(&AnyGame, &View<'_, AnyGame>) -> Result<Choice> + Send,
{
    fn name(&self) -> String {
        "puppet".into()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        _: &Budget,
    ) -> Result<Choice, Failure> {
        Ok((self.0)(game, view)?)
    }
}

fn seat(f: impl FnMut(&AnyGame, &View<'_, AnyGame>) -> Result<Choice> + Send + 'static) -> Seat {
    Seat { agent: Box::new(Puppet(f)), budget: Budget::time(Duration::from_millis(1)) }
}

fn random(game: &AnyGame, seat: u8) -> Seat {
    let spec: AgentSpec = "random".parse().unwrap();
    Seat { agent: spec.build(game, Player(seat), Seed(1)).unwrap(), budget: Budget::default() }
}

/// The record of a game in which the first seat does `f`.
fn against(
    f: impl FnMut(&AnyGame, &View<'_, AnyGame>) -> Result<Choice> + Send + 'static,
) -> GameRecord {
    let game = ludex_games::open("tictactoe").unwrap();
    let mut seats = [seat(f), random(&game, 1)];
    let referee = Referee { grace: Duration::from_millis(20), ..Referee::default() };
    referee.play(&game, None, &mut seats, Seed(5), |_| {})
}

#[test]
fn bad_agents_forfeit_with_the_reason() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let crash = against(|_, _| panic!("out of ideas"));
    std::panic::set_hook(hook);
    let illegal = against(|_, _| Ok(Choice::plain(Move(987_654))));
    let late = against(|_, view| {
        std::thread::sleep(Duration::from_millis(60));
        Ok(Choice::plain(view.legal()[0]))
    });
    let error = against(|_, _| Err(Error::Unsupported("I'd rather not".into())));
    for (record, fault, says) in [
        (crash, Fault::Crash, "out of ideas"),
        (illegal, Fault::Illegal, "not legal"),
        (late, Fault::Late, "answered after"),
        (error, Fault::Error, "rather not"),
    ] {
        let forfeit = record.forfeit.expect("a forfeit");
        assert_eq!((forfeit.seat, forfeit.fault), (0, fault));
        assert!(forfeit.reason.contains(says), "{}", forfeit.reason);
        assert_eq!(record.payoffs, [0.0, 1.0]);
    }
}

#[test]
fn an_overrun_within_the_grace_is_recorded_and_the_game_goes_on() {
    let record = against(|_, view| {
        std::thread::sleep(Duration::from_millis(3));
        Ok(Choice::plain(view.legal()[0]))
    });
    assert!(record.forfeit.is_none(), "{:?}", record.forfeit);
    assert!(record.overruns[0] >= 3 && record.overruns[1] == 0, "{:?}", record.overruns);
    let game = ludex_games::open("tictactoe").unwrap();
    assert_eq!(record.replay(&game).unwrap().len(), record.moves.len() + 1);
}

#[test]
fn a_record_that_was_tampered_with_does_not_replay() {
    let game = ludex_games::open("tictactoe").unwrap();
    let mut record = against(|_, view| Ok(Choice::plain(view.legal()[0])));
    record.replay(&game).unwrap();
    let moves = record.moves.clone();
    record.moves[1] = record.moves[0].clone();
    assert!(record.replay(&game).is_err());
    record.moves = moves;
    record.payoffs.reverse();
    if record.payoffs[0] != record.payoffs[1] {
        assert!(record.replay(&game).is_err());
    }
}

/// All that an agent sees in Kuhn poker, as text.
fn seen(game: &AnyGame, view: &View<'_, AnyGame>) -> String {
    assert!(view.state().is_none(), "a hidden state was shown");
    let percepts: Vec<String> =
        view.records().iter().map(|r| game.percept_text(&r.percept.0)).collect();
    format!("{:?} {percepts:?} {:?} {:?}", view.seat(), view.legal(), view.records())
}

/// The other's card can't be read: for every deal, what the first player is given depends on its own
/// card and the betting alone.
#[test]
fn kuhn_poker_keeps_its_secret() {
    let game = ludex_games::open("kuhn").unwrap();
    let mut views: std::collections::BTreeMap<(String, Vec<String>), Vec<String>> =
        std::collections::BTreeMap::new();
    for seed in 0..400 {
        let log = Arc::new(Mutex::new(Vec::new()));
        let mut seats: Vec<Seat> = (0..2u8)
            .map(|player| {
                let log = Arc::clone(&log);
                let mut rng = Seed(seed).named("bets").child(player.into()).rng();
                seat(move |game, view| {
                    log.lock().unwrap().push((view.seat(), seen(game, view)));
                    Ok(Choice::plain(view.legal()[rng.index(view.legal().len())]))
                })
            })
            .collect();
        let record = Referee::default().play(&game, None, &mut seats, Seed(seed), |_| {});
        let deal = record.moves[0][0].strip_prefix("deal:").expect("a deal").to_string();
        for (turn, (player, text)) in log.lock().unwrap().iter().enumerate() {
            // Own card (by its letter in the deal) and the public bets before this turn.
            let own = deal.chars().nth(player.index()).unwrap();
            let bets: Vec<String> = record.moves[1..=turn].iter().flatten().cloned().collect();
            views.entry((format!("{player} {own}"), bets)).or_default().push(text.clone());
        }
    }
    // Three cards, and each player decides at two points of the betting.
    assert_eq!(views.len(), 12);
    for (known, mut texts) in views {
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 1, "{known:?} was shown in several ways: {texts:?}");
    }
}

#[test]
fn what_agents_say_of_themselves_is_in_the_record_once() {
    let record = against(|_, view| {
        let mut choice = Choice::plain(view.legal()[0]);
        choice.thought.notes = vec!["mast is dropped: it crashed".into()];
        Ok(choice)
    });
    assert_eq!(record.notes, ["player 1: mast is dropped: it crashed"]);
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap().notes, record.notes);
}
