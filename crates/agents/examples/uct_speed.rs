//! What the tree costs: simulations of `uct` per CPU second beside plain playouts per CPU second
//! on native Connect Four, in turns, through the erased layer and monomorphised.
//!
//! `cargo run --release -p ludex-agents --example uct_speed [sims] [rounds] [expand]`

use cpu_time::ProcessTime;
use ludex_agents::uct::{Params, Uct};
use ludex_agents::{Agent, Budget};
use ludex_core::{AnyGame, Game, Match, Outcomes, Player, Seed, Spec};
use ludex_games::Connect4;

/// Playouts per CPU second from the start.
fn playouts<G: Game>(game: &G, n: usize, seed: Seed) -> f64 {
    let mut out = Outcomes::new(game.info().seats());
    let begun = ProcessTime::now();
    game.playouts(&[game.start()], n, seed, &mut out);
    n as f64 / begun.elapsed().as_secs_f64()
}

/// Simulations per CPU second of one search from the start, and the slots of its tree.
fn sims<G: Game>(game: &G, params: &Params, n: u64, seed: Seed) -> (f64, u64) {
    let (play, mut pad) = (Match::new(game), Vec::new());
    let view = play.view(Player(0), &mut pad);
    let mut mind = Uct::new(game, params.clone(), seed).expect("uct plays Connect Four");
    let begun = ProcessTime::now();
    let choice = mind.choose(game, &view, &Budget::sims(n));
    let seconds = begun.elapsed().as_secs_f64();
    let thought = choice.expect("uct plays Connect Four").thought;
    (thought.sims as f64 / seconds, thought.nodes)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(0.0)
}

fn compare<G: Game>(label: &str, game: &G, params: &Params, n: u64, rounds: u64) {
    let (mut plain, mut tree, mut nodes) = (Vec::new(), Vec::new(), 0);
    for round in 0..rounds {
        plain.push(playouts(game, n as usize, Seed(round)));
        let (speed, slots) = sims(game, params, n, Seed(round));
        tree.push(speed);
        nodes = slots;
    }
    let (plain, tree) = (median(plain), median(tree));
    println!(
        "{label:8} {n:>9} sims a search, {nodes:>8} slots: {:.2} M playouts/s, {:.2} M sims/s, ratio {:.2}",
        plain / 1e6,
        tree / 1e6,
        tree / plain
    );
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>());
    let wanted = args.next().and_then(Result::ok);
    let rounds = args.next().and_then(Result::ok).unwrap_or(9);
    let mut params = Params::default();
    params.expand = args.next().and_then(Result::ok).map_or(params.expand, |n| n as u32);
    let game = Connect4::new(&Spec::new("connect4")).expect("the plain game");
    let erased = AnyGame::new(game.clone());
    let sizes = wanted.map_or(vec![1_000, 10_000, 100_000, 1_000_000], |n| vec![n]);
    for n in sizes {
        compare("erased", &erased, &params, n, rounds);
        compare("generic", &game, &params, n, rounds);
    }
}
