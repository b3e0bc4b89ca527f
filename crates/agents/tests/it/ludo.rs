//! What Ludo's learned value sees, held against the rules.

use ludex_agents::ludo::outlook::{Features, Outlook};
use ludex_core::{Game, Player, Rng, Seed, Turn};
use ludex_games::Ludo;
use ludex_games::ludo::{State, token_move};

fn ludo(name: &str) -> Ludo {
    Ludo::new(&name.parse().unwrap()).unwrap()
}

/// Positions of random games, each a few steps on.
fn positions(game: &Ludo, count: usize, rng: &mut Rng) -> Vec<State> {
    let mut found = Vec::new();
    let mut state = game.start();
    let mut pads = Vec::new();
    while found.len() < count {
        let mv = match game.turn(&state) {
            Turn::Over => {
                state = game.start();
                continue;
            }
            Turn::One(player) => game.sample(&state, player, rng, &mut pads),
            _ => game.sample_chance(&state, rng),
        };
        game.apply(&mut state, &[mv]);
        if rng.below(9) == 0 && state.winner().is_none() {
            found.push(state);
        }
    }
    found
}

/// Whom a player could send home by a throw, and the longest way that one of theirs would lose.
fn hits(game: &Ludo, state: &State, hitter: usize, die: usize) -> [u8; 4] {
    let text = game.position(state);
    let places = text.split(' ').next().unwrap();
    let mut lost = [0; 4];
    // Where nothing can move there is no such position.
    let Ok(thrown) = game.parse_position(&format!("{places} {} {die}", hitter + 1)) else {
        return lost;
    };
    for token in (0..4).filter(|&token| thrown.can_move(token)) {
        let mut after = thrown;
        game.apply(&mut after, &[token_move(token)]);
        let (before, after) = (thrown.places(Player(0)), after.places(Player(0)));
        for victim in (0..4).filter(|&victim| victim != hitter) {
            for (&from, &to) in before[victim].iter().zip(&after[victim]) {
                if from != to {
                    lost[victim] = lost[victim].max(from);
                }
            }
        }
    }
    lost
}

#[test]
fn dangers_are_the_throws_that_send_tokens_home() {
    for name in ["ludo", "ludo(stars=fixed)"] {
        let game = ludo(name);
        let mut rng = Seed(4).rng();
        let mut seen = 0;
        for state in positions(&game, 1500, &mut rng) {
            let last = rng.index(4);
            let features = Features::of(&state.places(Player(last as u8)), game.stars());
            for hitter in 0..4 {
                let lost: Vec<[u8; 4]> =
                    (1..=6).map(|d| hits(&game, &state, (last + hitter) % 4, d)).collect();
                for victim in (0..4).filter(|&victim| victim != hitter) {
                    let ways = lost.iter().map(|by| by[(last + victim) % 4]);
                    let throws = ways.clone().filter(|&way| way > 0).count();
                    let way: u32 = ways.map(u32::from).sum();
                    let pair = 2 * (3 * hitter + (victim + 3 - hitter) % 4);
                    let says = &features.dense[pair..pair + 2];
                    assert!((says[0] - throws as f32 / 6.0).abs() < 1e-6, "{name} {says:?}");
                    assert!((says[1] - way as f32 / 306.0).abs() < 1e-6, "{name} {says:?} {way}");
                    seen += throws;
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}

#[test]
fn chances_are_shares_of_one_win_and_a_win_at_hand_is_taken() {
    let game = ludo("ludo");
    let outlook = Outlook::usual(game.stars());
    let mut rng = Seed(5).rng();
    for state in positions(&game, 60, &mut rng) {
        for plies in 0..2 {
            let last = Player((state.mover().0 + 3) % 4);
            let mut before = state;
            if before.die() > 0 {
                before = game
                    .parse_position(&{
                        let text = game.position(&state);
                        let (head, _) = text.rsplit_once(' ').unwrap();
                        format!("{head} 0")
                    })
                    .unwrap();
            }
            let chances = outlook.ahead(&game, &before, last, plies);
            assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{chances:?}");
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
        }
    }
    // One token is left, and the throw brings it home: the game is won for sure.
    let state = game.parse_position("99,56,99,99/9,-1,-1,-1/-1,-1,-1,-1/99,99,99,71 1 1").unwrap();
    let each: Vec<_> = outlook.each(&game, &state, 1).collect();
    assert_eq!(each, [(1, [1.0, 0.0, 0.0, 0.0])]);
}
