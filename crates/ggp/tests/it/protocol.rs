//! Messages print as they are read, and no text breaks the reader or the player.

use ludex_ggp::{Config, Message, News, Player};
use proptest::prelude::*;
use std::time::Instant;

fn term() -> impl Strategy<Value = String> {
    let word = "[a-z][a-z0-9_+-]{0,5}".prop_filter("nil means none", |word| word != "nil");
    word.prop_recursive(3, 12, 3, |inner| {
        proptest::collection::vec(inner, 1..4).prop_map(|items| format!("({})", items.join(" ")))
    })
}

fn news() -> impl Strategy<Value = News> {
    let own = proptest::option::of((any::<u32>(), proptest::option::of(term())));
    let seen = proptest::option::of(proptest::collection::vec(term(), 0..4));
    (own, seen).prop_map(|(own, seen)| News { own, seen })
}

fn message() -> impl Strategy<Value = Message> {
    let id = "[A-Za-z][A-Za-z0-9._-]{0,9}";
    let rules = || {
        let rule = proptest::collection::vec(term(), 1..3);
        let rule = rule.prop_map(|items| format!("({})", items.join(" ")));
        proptest::collection::vec(rule, 0..4).prop_map(|rules| rules.join("\n"))
    };
    prop_oneof![
        Just(Message::Info),
        (rules(), 0u32..1000).prop_map(|(rules, clock)| Message::Preview { rules, clock }),
        (id, term(), rules(), 0u32..1000, 0u32..1000).prop_map(
            |(id, role, rules, startclock, playclock)| Message::Start {
                id,
                role,
                rules,
                startclock,
                playclock
            }
        ),
        (id, news()).prop_map(|(id, news)| Message::Play { id, news }),
        (id, news()).prop_map(|(id, news)| Message::Stop { id, news }),
        id.prop_map(|id| Message::Abort { id }),
    ]
}

proptest! {
    #[test]
    fn printed_messages_read_back(message in message()) {
        prop_assert_eq!(Message::parse(&message.to_string()), Ok(message));
    }

    #[test]
    fn any_text_is_answered_or_refused(
        text in "(\\((START|play|STOP|abort|INFO|PREVIEW|x))?[ ()a-z0-9?;\"é<=]{0,60}"
    ) {
        let player = Player::new(Config::default());
        if let Ok(answer) = player.handle(&text, Instant::now()) {
            prop_assert!(!answer.text.is_empty());
        }
    }
}

#[test]
fn the_two_dialects_are_told_apart_by_their_length() {
    let news = |text: &str| match Message::parse(text) {
        Ok(Message::Play { news, .. } | Message::Stop { news, .. }) => news,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(news("(PLAY M NIL)"), News::default());
    assert_eq!(news("(PLAY m ())"), News { own: None, seen: Some(vec![]) });
    assert_eq!(news("(PLAY m 0 NIL NIL)"), News { own: Some((0, None)), seen: None });
    let seen = News { own: Some((3, Some("(mark 1 1)".into()))), seen: Some(vec!["ok".into()]) };
    assert_eq!(news("(play m 3 ( mark 1 1 ) (ok))"), seen);
    assert_eq!(news("(STOP m 3 (mark 1 1) (ok))"), seen);
}

#[test]
fn what_is_wrong_with_a_message_is_said() {
    let says = |text: &str| Message::parse(text).expect_err(text).to_string();
    assert_eq!(says("(jump m)"), "unknown command `jump`");
    assert_eq!(says("(START m)"), "`start` with 1 arguments");
    assert_eq!(says("(START m x (role x) soon 1)"), "expected seconds, not `soon`");
    assert!(says("(PLAY m").starts_with("not KIF"));
    assert!(says("(PLAY m 1 2)").contains("2 arguments"));
    assert_eq!(says(""), "an empty message");
    assert_eq!(says("(INFO) (INFO)"), "more than one s-expression");
    assert_eq!(says("((INFO))"), "unknown command ``");
}
