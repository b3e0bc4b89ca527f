//! Games: moves, answers of agents, taking back, variations, ends, exports.

use crate::Studio;
use serde_json::json;

#[test]
fn a_person_plays_and_wins() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "tictactoe", "seats": ["human", "human"] }));
    assert_eq!(table.setting().board.sites.len(), 9);
    for (seat, text) in [(0, "a1"), (1, "a2"), (0, "b1"), (1, "b2")] {
        table.play(seat, text);
    }
    let end = table.play(0, "c1");
    assert_eq!((end.turn.as_str(), end.payoffs), ("over", Some(vec![1.0, 0.0])));
    let steps: Vec<String> = table.snapshot().steps.iter().map(|s| s.text.clone()).collect();
    assert_eq!(steps.len(), 6);
}

#[test]
fn the_agent_answers_and_its_answer_is_taken_back_with_the_move() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "connect4", "seats": ["human", "uct@sims=50"] }));
    let first = table.snapshot().moves[0].text.clone();
    table.play(0, &first);
    let answered = table.wait(|s| s.movers == [0] && s.live == 2);
    assert!(answered.steps.last().unwrap().values.is_some(), "the agent tells what it expects");
    let (status, _) = table.control(json!({ "undo": true }));
    assert_eq!(status, 200);
    assert_eq!(table.snapshot().live, 0);
    // Another move begins a variation; the old one is still there.
    let other = table.snapshot().moves[1].text.clone();
    let now = table.play(0, &other);
    assert!(now.steps.iter().filter(|s| s.parent == Some(0)).count() >= 2);
    let (status, text) = table.control(json!({ "live": 2 }));
    assert_eq!(status, 200, "{text}");
    assert_eq!(table.snapshot().node, 2);
}

#[test]
fn agents_play_each_other_and_can_be_paused() {
    let studio = Studio::start();
    let new = json!({ "game": "nim", "seats": ["random", "random"], "paused": true });
    let table = studio.table(new);
    assert_eq!(table.snapshot().live, 0);
    table.control(json!({ "paused": false }));
    let end = table.wait(|s| s.turn == "over");
    assert!(end.payoffs.is_some() && end.live > 0);
}

#[test]
fn chance_moves_by_itself_and_the_same_seed_gives_the_same_dice() {
    let studio = Studio::start();
    let line = |seed: u64| {
        let new =
            json!({ "game": "pig", "seats": ["random@sims=1", "random@sims=1"], "seed": seed });
        let table = studio.table(new);
        let end = table.wait(|s| s.turn == "over");
        end.steps.iter().map(|s| s.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(line(5), line(5));
    assert_ne!(line(5), line(6));
}

#[test]
fn players_who_move_at_once_do_not_see_each_others_choice() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "rps", "seats": ["human", "human"] }));
    let first = table.seat(0).play(0, "rock");
    assert_eq!(first.live, 0, "the other has not chosen");
    assert!(first.moves.is_empty(), "one choice is enough");
    assert!(!table.seat(1).text().contains("\"text\":\"rock\",\"movers\""));
    let end = table.seat(1).play(1, "paper");
    assert_eq!(end.payoffs, Some(vec![0.0, 1.0]));
}

#[test]
fn short_texts_are_understood_and_unclear_ones_offer_a_choice() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "breakthrough", "seats": ["human", "human"] }));
    let snapshot = table.snapshot();
    let setting = table.setting();
    let mv = snapshot.moves.iter().find(|m| m.from.is_some()).unwrap();
    let label = |site: Option<u32>| setting.board.sites[site.unwrap() as usize].label.clone();
    let short = format!("{}{}", label(mv.from), label(mv.to)).to_uppercase();
    let (status, text) = table.try_play(0, 0, &label(mv.from));
    assert_eq!(status, 409, "{text}");
    assert!(text.contains("choices"));
    assert_eq!(table.play(0, &short).steps.last().unwrap().text, mv.text);
    let (status, text) = table.try_play(1, 1, "z99");
    assert_eq!((status, text.contains("no legal move")), (400, true), "{text}");
}

#[test]
fn a_spectator_cannot_change_the_game() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "tictactoe", "seats": ["human", "random"] }));
    let spectator = table.holding("");
    for what in [
        json!({ "undo": true }),
        json!({ "paused": true }),
        json!({ "live": 0 }),
        json!({ "resign": 0 }),
    ] {
        assert_eq!(spectator.control(what.clone()).0, 403, "{what}");
    }
    assert_eq!(spectator.try_play(0, 0, "a1").0, 403);
    assert!(spectator.snapshot().moves.is_empty());
}

#[test]
fn who_resigns_loses() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "tictactoe", "seats": ["human", "random"] }));
    assert_eq!(table.holding("").control(json!({ "resign": 0 })).0, 403);
    assert_eq!(table.control(json!({ "resign": 0 })).0, 200);
    let end = table.snapshot();
    assert_eq!((end.resigned, end.payoffs), (Some(0), Some(vec![0.0, 1.0])));
    assert!(end.moves.is_empty());
}

#[test]
fn a_link_brings_position_moves_and_seed_back() {
    let studio = Studio::start();
    let new = json!({ "game": "tictactoe", "position": "3/1x1/3", "moves": "a1\nc3", "seats": [] });
    let table = studio.table(new);
    let snapshot = table.snapshot();
    assert_eq!((snapshot.steps.len(), snapshot.pieces.len()), (3, 3));
    let (status, text) = studio
        .post_text("api/tables", &json!({ "game": "tictactoe", "moves": "a1\na1", "seats": [] }));
    assert_eq!((status, text.contains("step 2")), (400, true), "{text}");
}

#[test]
fn a_game_is_exported_as_text_json_and_pictures() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "tictactoe", "moves": "a1\nb2", "seats": [] }));
    let file = |format: &str| {
        let (status, text) = studio.get_text(&table.path(&format!("/export?format={format}")));
        assert_eq!(status, 200, "{text}");
        text
    };
    assert!(file("text").contains("game: tictactoe") && file("text").contains("a1\nb2"));
    assert!(file("json").contains("\"moves\""));
    assert!(file("svg").starts_with("<svg") && file("animation").contains("<animate"));
    assert_eq!(studio.get_text(&table.path("/export?format=exe")).0, 400);
}

#[test]
fn a_seat_can_change_hands() {
    let studio = Studio::start();
    let table = studio.table(json!({ "game": "tictactoe", "seats": ["human", "human"] }));
    let (status, text) =
        studio.post_text(&table.path("/seat"), &json!({ "seat": [1, "uct@sims=20"] }));
    assert_eq!(status, 200, "{text}");
    table.play(0, "a1");
    table.wait(|s| s.live == 2);
}
