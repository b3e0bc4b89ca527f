//! What a bag of models costs: states visited per CPU second on the sheets of the HyperPlay paper, in lanes
//! and one by one, in turns. Random matches as one seat histories them, and for each a bag that histories through it.
//!
//! `cargo run --release -p ludex-agents --example bag_speed [models] [matches] [sheet]`

use cpu_time::ProcessTime;
use ludex_agents::hidden::{Bag, Config};
use ludex_core::{AnyGame, Game, Match, Move, Player, Record, Seed};

const SHEETS: [(&str, u8); 9] = [
    ("battleships-in-fog", 1),
    ("blind-breakthrough5", 1),
    ("blind-breakthrough8", 1),
    ("border-protection", 0),
    ("guess-who", 0),
    ("hidden-connect", 1),
    ("krieg-tictactoe", 1),
    ("mastermind-small", 0),
    ("transit", 0),
];

/// A step as the seat histories it, with its legal moves afterwards where it is to move.
type Lived = (Record, Option<Vec<Move>>);

/// A random match, up to the last step that is not the end.
fn lived(game: &AnyGame, seat: Player, seed: Seed) -> Vec<Lived> {
    let mut rng = seed.rng();
    let mut play = Match::new(game);
    let mut asked = Vec::new();
    while !play.is_over() {
        play.apply_random(&mut rng);
        asked.push(play.turn().includes(seat).then(|| play.legal(seat)));
    }
    asked.pop();
    play.records(seat).iter().cloned().zip(asked).collect()
}

fn main() -> ludex_core::Result<()> {
    let mut args = std::env::args().skip(1);
    let models = args.next().and_then(|n| n.parse().ok()).unwrap_or(100);
    let matches = args.next().and_then(|n| n.parse().ok()).unwrap_or(10);
    let wanted = args.next();
    println!(
        "{:22} {:>6} {:>9} {:>12} {:>12} {:>6}",
        "sheet", "steps", "states", "lanes, st/s", "single, st/s", "ratio"
    );
    for (sheet, seat) in SHEETS {
        if wanted.as_deref().is_some_and(|wanted| wanted != sheet) {
            continue;
        }
        let open = |engine| ludex_library::open(&format!("kif:{sheet}(engine={engine})"));
        let games = [open("lanes")?, open("single")?];
        let (mut steps, mut states, mut seconds) = (0, [0; 2], [0.0; 2]);
        for number in 0..matches {
            let seed = Seed(7).named(sheet).child(number);
            for (engine, game) in games.iter().enumerate() {
                let observed = lived(game, Player(seat), seed);
                let config = Config { models, memory: 1 << 22, ..Config::default() };
                let seed = seed.named("bag");
                let mut bag = Bag::new(game, &game.start(), Player(seat), config, seed);
                let mut records = Vec::new();
                let begun = ProcessTime::now();
                for (record, legal) in &observed {
                    records.push(record.clone());
                    bag.observe(game, &records, legal.as_deref(), None)?;
                }
                seconds[engine] += begun.elapsed().as_secs_f64();
                states[engine] += bag.rounds().iter().map(|round| round.states).sum::<u64>();
                steps += observed.len();
            }
        }
        assert_eq!(states[0], states[1], "{sheet}: the engine must not matter");
        let [lanes, single] = seconds.map(|seconds| states[0] as f64 / seconds);
        println!(
            "{sheet:22} {:>6} {:>9} {lanes:>12.0} {single:>12.0} {:>6.2}",
            steps / 2,
            states[0],
            lanes / single
        );
    }
    Ok(())
}
