//! The stream of a page: snapshots, analysis, cancelling.

use crate::{Studio, Table, limited};
use ludex_studio::Limits;
use ludex_studio::wire::{Ask, Tell};
use serde_json::json;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket, stream::MaybeTlsStream};

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

fn connect(table: &Table<'_>) -> Socket {
    let url = format!("{}{}", table.studio.url.replace("http:", "ws:"), table.path("/live"));
    let (socket, _) = tungstenite::connect(url).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    }
    socket
}

fn send(socket: &mut Socket, ask: &Ask) {
    socket.send(Message::text(serde_json::to_string(ask).unwrap())).unwrap();
}

fn hear(socket: &mut Socket) -> Tell {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

fn analyse(agent: &str, seconds: u32) -> Ask {
    Ask::Analyse { slot: 0, node: 0, agent: agent.into(), seat: None, reveal: false, seconds }
}

#[test]
fn thoughts_come_ten_times_a_second_and_end() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "connect4", "seats": [] }));
    let mut socket = connect(&table);
    send(&mut socket, &analyse("uct", 2));
    let (begun, mut thoughts) = (Instant::now(), 0);
    loop {
        match hear(&mut socket) {
            Tell::Thought { thought } => {
                thoughts += 1;
                assert_eq!(thought.candidates.len(), 7);
                assert!(thought.candidates[0].low <= thought.candidates[0].value);
                if thought.done {
                    break;
                }
            }
            Tell::Snapshot { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    println!("{thoughts} thoughts in {:?}", begun.elapsed());
    assert!(thoughts >= 5, "only {thoughts}");
}

#[test]
fn agents_that_do_not_report_think_in_rounds() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "tictactoe", "seats": [] }));
    let mut socket = connect(&table);
    send(&mut socket, &analyse("flat", 2));
    let mut rounds = 0;
    while let Tell::Thought { thought } = hear(&mut socket) {
        rounds += 1;
        if thought.done {
            break;
        }
    }
    assert!(rounds >= 2);
}

#[test]
fn a_belief_is_shown_to_the_seat_that_holds_it() {
    let studio = Studio::start();
    let table =
        studio.table(json!({ "game": "kuhn", "seats": ["human", "human"], "moves": "deal:QK" }));
    let mut socket = connect(&table.seat(0));
    let ask = |agent: &str| Ask::Analyse {
        slot: 0,
        node: 1,
        agent: agent.into(),
        seat: None,
        reveal: true,
        seconds: 1,
    };
    send(&mut socket, &ask("hyperplay"));
    loop {
        if let Tell::Thought { thought } = hear(&mut socket)
            && let Some(belief) = thought.belief
        {
            assert_eq!(belief.worlds.len(), 2, "the other has the jack or the king");
            break;
        }
    }
    send(&mut socket, &Ask::Stop { slot: 0 });
    send(&mut socket, &ask("cheat-uct"));
    loop {
        match hear(&mut socket) {
            Tell::Error { error } => {
                assert!(error.contains("may not see"), "{error}");
                break;
            }
            Tell::Thought { thought } => assert_ne!(thought.agent, "cheat-uct"),
            _ => {}
        }
    }
    // The other seat does not move, so it has nothing to analyse.
    let mut other = connect(&table.seat(1));
    send(&mut other, &ask("hyperplay"));
    assert!(matches!(hear(&mut other), Tell::Error { .. }));
}

#[test]
fn the_search_of_a_page_that_closes_ends() {
    let studio = Studio::with(limited(Limits { searches: 1, ..Limits::default() }));
    let table = studio.table(json!({ "game": "connect4", "seats": [] }));
    let mut socket = connect(&table);
    send(&mut socket, &analyse("uct", 600));
    assert!(matches!(hear(&mut socket), Tell::Thought { .. }));
    // The only permit is taken.
    let mut second = connect(&table);
    send(&mut second, &analyse("uct", 1));
    assert!(matches!(hear(&mut second), Tell::Error { .. }));
    drop(socket);
    let begun = Instant::now();
    loop {
        send(&mut second, &analyse("uct", 1));
        if matches!(hear(&mut second), Tell::Thought { .. }) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "the search of the closed page goes on");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_move_reaches_every_page() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "tictactoe", "seats": ["human", "human"] }));
    let mut socket = connect(&table.seat(1));
    send(&mut socket, &Ask::Look { node: None, seat: None, reveal: false, known: 0 });
    assert!(matches!(hear(&mut socket), Tell::Snapshot { .. }));
    table.seat(0).play(0, "b2");
    loop {
        if let Tell::Snapshot { snapshot } = hear(&mut socket)
            && snapshot.live == 1
        {
            assert_eq!((snapshot.first, snapshot.steps.len()), (1, 1), "only what is new");
            assert!(!snapshot.moves.is_empty());
            break;
        }
    }
}

#[test]
fn a_finished_game_is_evaluated() {
    let studio = Studio::start();
    let moves = "a1\na2\nb1\nb2\nc1";
    let table = studio.table(json!({ "game": "tictactoe", "seats": [], "moves": moves }));
    let mut socket = connect(&table);
    send(&mut socket, &Ask::Graph { node: 5, agent: "uct".into(), ms: 50, reveal: false });
    let mut values = Vec::new();
    loop {
        if let Tell::Value { values: value, done, .. } = hear(&mut socket) {
            values.push(value);
            if done.0 == done.1 {
                break;
            }
        }
    }
    assert_eq!(values.len(), 6);
    assert_eq!(values.last().unwrap(), &[1.0, 0.0]);
    assert!(table.snapshot().steps.iter().skip(1).all(|step| step.values.is_some()));
}
