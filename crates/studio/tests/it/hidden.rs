//! Hidden information never leaves the server: a seat gets the same bytes in all worlds that look the same to it.

use crate::{Studio, Table};
use ludex_core::{AnyGame, Game, Match, Player, Seed, Turn};
use serde_json::json;
use std::collections::HashMap;

/// The answers that a seat gets, without what differs between any two tables: their names and keys.
fn bytes(table: &Table<'_>) -> Vec<String> {
    let snapshot = table.text().replace(&table.id, "TABLE");
    let version = snapshot.find("\"version\":").map_or(0, |at| at + 10);
    let end = snapshot[version..].find(',').map_or(version, |at| version + at);
    let mut all = vec![format!("{}{}", &snapshot[..version], &snapshot[end..])];
    for rest in
        ["/snapshot?reveal=true", "/export?format=text", "/export?format=svg", "/snapshot?seat=1"]
    {
        let (status, text) = table.studio.get_text(&table.path(rest));
        let text = text.replace(&table.id, "TABLE");
        let version = text.find("\"version\":").map_or(0, |at| at + 10);
        let end = text[version..].find(',').map_or(version, |at| version + at);
        all.push(format!("{status} {}{}", &text[..version], &text[end..]));
    }
    all
}

/// Two tables of a game that differ only in what the first seat may not know.
fn twins(game: &str, worlds: [&str; 2], seat: usize) {
    let studio = Studio::start();
    let [one, other] = worlds.map(|moves| {
        studio.table(json!({ "game": game, "seats": ["human", "human"], "moves": moves }))
    });
    assert_eq!(
        bytes(&one.seat(seat)),
        bytes(&other.seat(seat)),
        "{game}: seat {seat} sees a difference"
    );
    let spectator = [one.holding(""), other.holding("")].map(|table| bytes(&table));
    assert_eq!(spectator[0], spectator[1], "{game}: a spectator sees a difference");
    // The worlds do differ: the other seat sees it.
    let rival = 1 - seat;
    assert_ne!(
        bytes(&one.seat(rival)),
        bytes(&other.seat(rival)),
        "{game}: the worlds are the same"
    );
}

#[test]
fn a_card_of_the_other_is_never_told() {
    twins("kuhn", ["deal:QK", "deal:QJ"], 0);
    twins("kuhn", ["deal:JQ", "deal:KQ"], 1);
    twins("kuhn", ["deal:QK\npass", "deal:QJ\npass"], 0);
}

#[test]
fn keys_of_one_seat_open_nothing_of_the_other() {
    let studio = Studio::start();
    let table =
        studio.table(json!({ "game": "kuhn", "seats": ["human", "human"], "moves": "deal:QK" }));
    let first = table.seat(0);
    let snapshot = first.snapshot();
    assert_eq!((snapshot.viewer, snapshot.hides, snapshot.may_reveal), (Some(0), true, false));
    assert!(snapshot.position.is_none());
    assert_eq!(first.try_play(1, 1, "pass").0, 403);
    assert_eq!(first.control(json!({ "undo": true })).0, 403);
    assert_eq!(first.control(json!({ "live": 0 })).0, 403);
    assert_eq!(studio.post_text(&first.path("/seat"), &json!({ "seat": [1, "random"] })).0, 403);
    assert_eq!(studio.post_text(&first.path("/preview?node=1"), &json!(["pass"])).0, 403);
    assert!(!table.holding("").text().contains('K'), "a spectator sees no card");
}

#[test]
fn everything_is_shown_after_the_end() {
    let studio = Studio::start();
    let table =
        studio.table(json!({ "game": "kuhn", "seats": ["human", "human"], "moves": "deal:QK" }));
    table.seat(0).play(0, "pass");
    let end = table.seat(1).play(1, "pass");
    assert_eq!(end.turn, "over");
    assert!(!end.hides && end.position.is_some());
    assert!(table.seat(0).text().contains("deal:QK"));
}

#[test]
fn a_person_alone_may_reveal_and_need_not() {
    let studio = Studio::start();
    let new = json!({ "game": "kuhn", "seats": ["human", "random"], "moves": "deal:QK" });
    let table = studio.table(new);
    let snapshot = table.snapshot();
    assert!(snapshot.hides && snapshot.may_reveal);
    let all: ludex_studio::wire::Snapshot = studio.get(&table.path("/snapshot?reveal=true"));
    assert!(!all.hides && all.position.is_some());
}

/// Plays of the first steps of a game that look the same to a seat and are different: pairs of lines.
fn pairs(game: &AnyGame, seat: Player) -> Vec<[String; 2]> {
    let mut seen: HashMap<String, String> = HashMap::new();
    let mut pairs = Vec::new();
    for number in 0..120u64 {
        let mut rng = Seed(number).rng();
        let mut play = Match::new(game);
        for _ in 0..1 + number % 5 {
            play.apply_random(&mut rng);
        }
        // At a turn of chance the server would go on by itself.
        if matches!(play.turn(), Turn::Over | Turn::Chance) {
            continue;
        }
        let legal = play.legal(seat);
        let known = format!("{:?} {legal:?}", play.records(seat));
        let line: Vec<String> = play.moves_text().iter().map(|step| step.join(" | ")).collect();
        let line = line.join("\n");
        match seen.get(&known) {
            Some(other) if *other != line => pairs.push([other.clone(), line]),
            Some(_) => {}
            None => {
                seen.insert(known, line);
            }
        }
    }
    pairs.truncate(3);
    pairs
}

/// For every game with hidden information, of every rule language, and every seat: two plays with the same records give the
/// same bytes.
#[test]
fn a_seat_gets_the_same_bytes_in_all_worlds_that_look_the_same_to_it() {
    let studio = Studio::start();
    let (mut games, mut compared) = (0, 0);
    for name in ludex_library::names() {
        let game = ludex_library::open(&name).unwrap();
        let info = game.info().clone();
        if !info.hidden {
            continue;
        }
        games += 1;
        for seat in 0..info.seats() {
            for pair in pairs(&game, Player(seat as u8)) {
                let humans = vec!["human"; info.seats()];
                let [one, other] = pair.clone().map(|moves| {
                    studio.table(json!({ "game": name, "seats": humans, "moves": moves }))
                });
                // A person alone may ask for everything, so only the plain view counts there.
                let all = |table: &Table<'_>| match info.seats() {
                    1 => bytes(table).into_iter().take(1).collect(),
                    _ => bytes(table),
                };
                let [one, other] = [all(&one.seat(seat)), all(&other.seat(seat))];
                assert_eq!(one, other, "{name}, seat {seat}: {pair:?}");
                compared += 1;
            }
        }
    }
    println!("{compared} pairs of worlds in {games} games");
    assert!(games > 5 && compared > 20, "{compared} pairs in {games} games");
}
