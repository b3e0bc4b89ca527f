//! Random games a second of public descriptions: `lud_speed FOLDER [NAME...]`, beside the figures of
//! the system they come from (reference/ludii.md 1.3).

#[path = "common/cpu.rs"]
mod cpu;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cpu::cpu_seconds;
use ludex_core::{Game, Seed};
use ludex_lud::expand::Library;
use ludex_lud::load::load;

/// Path, and playouts a second there.
const TABLE: [(&str, f64); 45] = [
    ("board/space/line/Tic-Tac-Toe", 132_556.2),
    ("board/space/line/Connect Four", 24_759.0),
    ("board/space/connection/Hex", 4908.0),
    ("board/space/territory/Reversi", 587.4),
    ("board/race/reach/Breakthrough", 1807.2),
    ("board/space/blocking/Amazons", 1477.8),
    ("board/war/replacement/checkmate/chess/Chess", 53.3),
    ("board/war/leaping/diagonal/English Draughts", 1745.4),
    ("board/space/territory/Go", 77.7),
    ("board/space/line/Gomoku", 3555.0),
    ("board/space/group/Lines of Action", 146.7),
    ("board/war/replacement/eliminate/all/Surakarta", 388.8),
    ("board/space/line/Nine Men's Morris", 1001.6),
    ("board/space/line/Yavalath", 28_027.8),
    ("board/race/escape/Backgammon", 2.3),
    ("board/race/escape/Pachisi", 53.9),
    ("board/sow/two_rows/Oware", 141.6),
    ("board/sow/two_rows/Awari", 542.4),
    ("board/space/pattern/Kensington", 27.0),
    ("board/war/replacement/checkmate/shogi/Shogi", 1.8),
    ("board/war/replacement/checkmate/chess/Starchess", 205.8),
    ("math/graph/DisPath", 3904.8),
    ("board/race/escape/Ludus Anglicorum", 136.2),
    ("board/space/connection/Trax", 0.7),
    ("board/space/line/Quixo", 714.6),
    ("board/space/blocking/Banqi", 79.8),
    ("board/war/leaping/lines/Terhuchu", 175.1),
    ("board/sow/other/Katro", 283.2),
    ("board/war/replacement/eliminate/target/Mini Wars", 0.3),
    ("board/space/line/Mylna", 892.8),
    ("board/war/replacement/eliminate/target/Ploy", 226.3),
    ("board/war/replacement/eliminate/all/Triad", 420.0),
    ("board/hunt/La Liebre Perseguida", 28_419.0),
    ("board/race/reach/Pylos", 345.6),
    ("math/nim/Chomp", 45_263.4),
    ("board/space/connection/Chameleon", 720.6),
    ("board/war/custodial/Tawlbwrdd", 230.4),
    ("board/war/direction/linear/Vela", 720.0),
    ("board/race/fill/Aralzaa", 7414.8),
    ("puzzle/planning/Chuka", 68_635.2),
    ("experimental/Hops-a-Daisy Generalized", 102.4),
    ("board/war/replacement/eliminate/all/Mehen", 38.7),
    ("board/war/replacement/checkmate/xiangqi/Janggi", 77.8),
    ("board/space/territory/Patok", 41.1),
    ("board/space/group/Omega", 3623.4),
];

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let wanted: Vec<String> = std::env::args().skip(2).collect();
    let library = Library::read(&root.join("def")).0;
    let (mut logs, mut least) = (Vec::new(), f64::INFINITY);
    for (path, theirs) in TABLE {
        if !wanted.is_empty() && !wanted.iter().any(|w| path.contains(w.as_str())) {
            continue;
        }
        let file = root.join("lud").join(format!("{path}.lud"));
        let Ok(source) = std::fs::read_to_string(&file) else { continue };
        let loaded = load(path, path, &source, &library, &[]);
        let Some(game) = loaded.game else {
            loaded.found.iter().take(1).for_each(|f| println!("{path:50} {}", f.message));
            continue;
        };
        let start = game.start();
        let mut state = start.clone();
        let mut rng = Seed(1).rng();
        let mut pad = Vec::new();
        let (begun, cpu) = (Instant::now(), cpu_seconds());
        let (mut games, mut plies) = (0u32, 0u64);
        while begun.elapsed() < Duration::from_millis(1500) {
            state.clone_from(&start);
            plies +=
                u64::from(game.playout(&mut state, &mut rng, &mut pad, 20_000).unwrap_or(20_000));
            games += 1;
        }
        let seconds = (cpu_seconds() - cpu).max(1e-3);
        let (ours, length) = (f64::from(games) / seconds, plies as f64 / f64::from(games));
        let ratio = ours / theirs;
        logs.push(ratio.ln());
        least = least.min(ratio);
        println!("{path:50} {ours:12.1} /s {theirs:10.1} {ratio:7.1} x  {length:7.1} plies");
    }
    let mean = (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
    println!("{} games, geometric mean {mean:.1} x, least {least:.1} x", logs.len());
}
