//! Random playouts of every game through [`Game::playouts`], and move lists along a game.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludex_core::{AnyGame, Game, Outcomes, Seed, perft};
use ludex_games::{Breakthrough, Connect4, TicTacToe};
use std::hint::black_box;

const BATCH: usize = 1000;

fn batch<G: Game>(bench: &mut Criterion, kind: &str, game: &G) {
    let mut group = bench.benchmark_group(kind);
    group.throughput(Throughput::Elements(BATCH as u64)).sample_size(20);
    let starts = [game.start()];
    let mut out = Outcomes::new(game.info().seats());
    let mut seeds = 0;
    group.bench_function(&game.info().name, |timer| {
        timer.iter(|| {
            seeds += 1;
            out.clear();
            game.playouts(&starts, BATCH, Seed(seeds), &mut out);
            black_box(out.plies())
        });
    });
}

fn concrete(bench: &mut Criterion) {
    let spec = |name: &str| name.parse().expect("a name");
    batch(bench, "concrete", &TicTacToe::default());
    batch(bench, "concrete", &Connect4::new(&spec("connect4")).expect("connect4"));
    batch(bench, "concrete", &Breakthrough::new(&spec("breakthrough")).expect("breakthrough"));
}

fn erased(bench: &mut Criterion) {
    for entry in ludex_games::catalog() {
        let game: AnyGame = ludex_games::open(entry.name).expect(entry.name);
        batch(bench, "erased", &game);
    }
}

fn lists(bench: &mut Criterion) {
    for (name, depth) in [("tictactoe", 5), ("connect4", 5), ("breakthrough", 3), ("minichess", 4)]
    {
        let game = ludex_games::open(name).expect(name);
        bench.bench_function(&format!("perft/{name}/{depth}"), |timer| {
            timer.iter(|| black_box(perft(&game, &game.start(), depth)));
        });
    }
}

criterion_group!(benches, concrete, erased, lists);
criterion_main!(benches);
