//! In Kuhn poker nothing that a player can reach tells the other's card.

use ludex_core::{Game, Match, Player, Turn};
use ludex_games::Kuhn;

/// Everything that `seat` gets along a play: legal moves, percepts (also as text), drawings.
fn seen(game: &Kuhn, deal: &str, line: &[&str], seat: Player) -> String {
    let mut play = Match::new(game);
    let mut pad = Vec::new();
    let mut log = String::new();
    let mut line = line.iter();
    loop {
        let view = play.view(seat, &mut pad);
        assert!(view.state().is_none(), "the view shows the state");
        log += &format!("{view:?}\n{}", game.draw(play.state(), Some(seat)));
        let deal = format!("deal:{deal}");
        let text = match play.turn() {
            Turn::Chance => deal.as_str(),
            Turn::One(_) => line.next().unwrap(),
            _ => return log,
        };
        play.try_apply_text(&[text]).unwrap();
        log += &game.percept_text(&play.records(seat).last().unwrap().percept.0);
    }
}

const LINES: [&[&str]; 5] = [
    &["pass", "pass"],
    &["bet", "pass"],
    &["bet", "bet"],
    &["pass", "bet", "pass"],
    &["pass", "bet", "bet"],
];

#[test]
fn a_player_sees_the_same_whatever_card_the_other_has() {
    let game = Kuhn::default();
    for line in LINES {
        for (own, [x, y]) in [('J', ["Q", "K"]), ('Q', ["J", "K"]), ('K', ["J", "Q"])] {
            let first = |other: &str| seen(&game, &format!("{own}{other}"), line, Player(0));
            assert_eq!(first(x), first(y), "{own} {line:?}");
            let second = |other: &str| seen(&game, &format!("{other}{own}"), line, Player(1));
            assert_eq!(second(x), second(y), "{own} {line:?}");
        }
    }
}

#[test]
fn a_player_sees_its_own_card() {
    let game = Kuhn::default();
    for line in LINES {
        assert_ne!(seen(&game, "JQ", line, Player(0)), seen(&game, "KQ", line, Player(0)));
        assert_ne!(seen(&game, "QJ", line, Player(1)), seen(&game, "QK", line, Player(1)));
    }
    let drawn = game.draw(&game.parse_position("JK:p").unwrap(), Some(Player(1)));
    assert!(drawn.contains("first  ?") && drawn.contains("second K"), "{drawn}");
}

#[test]
fn the_deal_is_worth_minus_one_eighteenth_to_the_first_player() {
    // Kuhn's equilibrium with alpha = 0: the first player never bets first; K calls, Q calls a
    // third; the second bets K, and J a third after a pass; calls with K, and with Q a third.
    // Value -1/18 (Kuhn 1950), on our scale 1/2 - 1/72.
    let game = Kuhn::default();
    fn value(game: &Kuhn, position: &str, bets: &dyn Fn(&str, char) -> f64) -> f64 {
        let state = game.parse_position(position).unwrap();
        let Turn::One(player) = game.turn(&state) else {
            let mut out = [0.0; 2];
            game.payoffs(&state, &mut out);
            return f64::from(out[0]);
        };
        let (cards, line) = position.split_once(':').unwrap_or((position, ""));
        let bet = bets(line, cards.chars().nth(player.index()).unwrap());
        let then = |c| value(game, &format!("{cards}:{line}{c}"), bets);
        bet * then('b') + (1.0 - bet) * then('p')
    }
    let bets = |line: &str, card: char| match (line, card) {
        ("pb" | "b" | "p", 'K') => 1.0,
        ("pb" | "b", 'Q') | ("p", 'J') => 1.0 / 3.0,
        _ => 0.0,
    };
    let deals = ["JQ", "JK", "QJ", "QK", "KJ", "KQ"];
    let mean: f64 = deals.iter().map(|deal| value(&game, deal, &bets)).sum::<f64>() / 6.0;
    assert!((mean - (0.5 - 1.0 / 72.0)).abs() < 1e-6, "{mean}");
}
