//! Loading and playing rule sheets: `cargo bench -p ludex-gdl`.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludex_core::{Game, Outcomes, Seed};
use ludex_gdl::game::{Engine, GdlGame, Options};
use ludex_gdl::{ground, lower::lower, rules::Rules};

fn sheet(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name);
    std::fs::read_to_string(path).expect("one of our rule sheets")
}

fn engines(c: &mut Criterion) {
    for name in ["tictactoe.kif", "connect4.kif", "breakthrough.kif"] {
        let source = sheet(name);
        let (rules, _) = Rules::read(&source);
        let (program, _) = lower(&rules);
        c.bench_function(&format!("ground/{name}"), |b| {
            b.iter(|| ground::ground(black_box(&program), &ground::Budget::default()));
        });
        for engine in [Engine::Lanes, Engine::Single] {
            let options = Options { engine: Some(engine), ..Options::default() };
            let game = GdlGame::load(name, &source, &options).expect("a valid rule sheet");
            let n = if engine == Engine::Lanes { 16_384 } else { 64 };
            let start = game.start();
            let mut out = Outcomes::new(game.info().seats());
            let mut group = c.benchmark_group("playouts");
            group.throughput(Throughput::Elements(n as u64));
            group.bench_function(format!("{}/{name}", engine.name()), |b| {
                b.iter(|| {
                    out.clear();
                    game.playouts(std::slice::from_ref(&start), n, Seed(1), &mut out);
                    black_box(out.plies())
                });
            });
            group.finish();
        }
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
