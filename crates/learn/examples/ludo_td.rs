use ludex_agents::ludo::{
    hand::Hand,
    outlook::{Net, Outlook},
    player::Player as P,
};
use ludex_core::Seed;
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_learn::outlook::{Course, Training};
use ludex_learn::play::contest;
use std::sync::Arc;
use std::time::Instant;
fn arg(n: usize, d: &str) -> String {
    std::env::args().nth(n).unwrap_or(d.into())
}
fn report(game: &Ludo, net: &Net, plies: u32, games: u64) {
    let us = P::Outlook(Outlook::new(Arc::new(net.clone()), plies));
    let adv =
        P::evolved(Kind::Advanced, &[0.553, 0.376, 0.519, 0.619, 0.472, 0.300, 0.084]).unwrap();
    let t = Instant::now();
    let two = [true, true, false, false];
    let one = [true, false, false, false];
    let g = games as f64;
    println!(
        "   plies {plies}: 2:2 adv {:.2} smart {:.2} rnd {:.2} | 1:3 rnd {:.2} smart {:.2} adv {:.2}  ({:.1}s)",
        100.0 * contest(game, &us, &adv, &two, games, Seed(9)) / g,
        100.0 * contest(game, &us, &P::Hand(Hand::Smart), &two, games, Seed(9)) / g,
        100.0 * contest(game, &us, &P::Random, &two, games, Seed(9)) / g,
        100.0 * contest(game, &us, &P::Random, &one, games, Seed(9)) / g,
        100.0 * contest(game, &us, &P::Hand(Hand::Smart), &one, games, Seed(9)) / g,
        100.0 * contest(game, &us, &adv, &one, games, Seed(9)) / g,
        t.elapsed().as_secs_f64()
    );
}
fn main() {
    let game = Ludo::new(&arg(1, "ludo").parse().unwrap()).unwrap();
    let games: u64 = arg(2, "100000").parse().unwrap();
    let lambda: f32 = arg(3, "0.7").parse().unwrap();
    let out = arg(4, "/tmp/ludo-td.bin");
    if games == 0 {
        let net = Net::from_bytes(&std::fs::read(&out).unwrap()).unwrap();
        for plies in 0..=1 {
            report(&game, &net, plies, 10000);
        }
        report(&game, &net, 2, 1000);
        return;
    }
    let course = Course {
        games,
        lambda,
        seed: Seed(arg(5, "1").parse().unwrap()),
        rate: [arg(6, "2e-3").parse().unwrap(), 1e-4],
        ..Course::default()
    };
    let mut tr = Training::new(game.clone(), course);
    let t = Instant::now();
    let mut next = games / 10;
    while tr.round() {
        if tr.played() >= next {
            next += games / 10;
            println!(
                "{} games, {:.0}/s",
                tr.played(),
                tr.played() as f64 / t.elapsed().as_secs_f64()
            );
            report(&game, tr.net(), 0, 2000);
            std::fs::write(&out, tr.net().to_bytes()).unwrap();
        }
    }
    report(&game, tr.net(), 0, 10000);
    report(&game, tr.net(), 1, 2000);
}
