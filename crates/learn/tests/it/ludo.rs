//! Ludo's learned value, and how it is learned.

use ludex_agents::ludo::chromosome::ADVANCED;
use ludex_agents::ludo::outlook::Outlook;
use ludex_agents::ludo::player::Player;
use ludex_core::Seed;
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_learn::outlook::{Course, Training};
use ludex_learn::play::contest;
use std::sync::Arc;

fn ludo(name: &str) -> Ludo {
    Ludo::new(&name.parse().unwrap()).unwrap()
}

const PAIRS: [bool; 4] = [true, true, false, false];
const ALONE: [bool; 4] = [true, false, false, false];

#[test]
fn the_usual_weights_beat_the_papers_advanced_player_in_both_versions() {
    for name in ["ludo", "ludo(stars=fixed)"] {
        let game = ludo(name);
        let ours = Player::Outlook(Outlook::usual(game.stars()).with_plies(0));
        let advanced = Player::evolved(Kind::Advanced, &ADVANCED).unwrap();
        let wins = contest(&game, &ours, &advanced, &PAIRS, 400, Seed(1));
        // About 70 % over many games: four standard errors below.
        assert!(wins > 240.0, "{name}: {wins} of 400");
        let wins = contest(&game, &ours, &Player::Random, &ALONE, 400, Seed(2));
        assert!(wins > 310.0, "{name}: {wins} of 400 alone against three random players");
    }
}

#[test]
fn training_is_the_same_on_any_number_of_threads() {
    let game = ludo("ludo");
    let nets = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let course = Course { games: 64, round: 32, ..Course::default() };
            let mut training = Training::new(game.clone(), course);
            while training.round() {}
            assert_eq!(training.played(), 64);
            training.net().clone()
        })
    });
    assert!(nets[0] == nets[1]);
}

#[test]
fn a_short_training_beats_random_players() {
    let game = ludo("ludo");
    let course = Course { games: 1536, batch: 256, rate: [4e-3, 2e-3], ..Course::default() };
    let mut training = Training::new(game.clone(), course);
    while training.round() {}
    let ours = Player::Outlook(Outlook::new(Arc::new(training.net().clone()), 0));
    let wins = contest(&game, &ours, &Player::Random, &ALONE, 400, Seed(3));
    // Random players win 100 of them, with a standard deviation of 8.7: three of these.
    assert!(wins > 126.0, "{wins} of 400");
}
