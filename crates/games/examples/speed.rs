//! Playouts per CPU second of some games, through [`Game::playouts`] on the concrete
//! type and through [`AnyGame`]: `cargo run --release --example speed [GAME] [SECONDS]`.

use cpu_time::ProcessTime;
use ludex_core::{AnyGame, Game, Outcomes, Seed};
use ludex_games::{Breakthrough, Connect4, Ludo, Ropasci360, TicTacToe};

fn measure<G: Game>(game: &G, seconds: f64) -> f64 {
    let starts = [game.start()];
    let mut out = Outcomes::new(game.info().seats());
    let mut playouts = 0;
    let clock = ProcessTime::now();
    for batch in 0.. {
        out.clear();
        game.playouts(&starts, 4096, Seed(1).child(batch), &mut out);
        playouts += out.len();
        if clock.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    playouts as f64 / clock.elapsed().as_secs_f64()
}

fn show<G: Game + Clone>(game: G, only: Option<&str>, seconds: f64) {
    let name = game.info().name.clone();
    if only.is_some_and(|only| only != name) {
        return;
    }
    let plain = measure(&game, seconds);
    let erased = measure(&AnyGame::new(game), seconds);
    println!("{name:<14} {plain:>12.0} {erased:>12.0}");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let game = args.next().filter(|name| name != "all");
    let seconds = args.next().map_or(Ok(1.0), |text| text.parse())?;
    println!("{:<14} {:>12} {:>12}", "playouts/s", "concrete", "AnyGame");
    show(TicTacToe::new(&"tictactoe".parse()?)?, game.as_deref(), seconds);
    show(Connect4::new(&"connect4".parse()?)?, game.as_deref(), seconds);
    show(Breakthrough::new(&"breakthrough".parse()?)?, game.as_deref(), seconds);
    show(Ropasci360::new(&"ropasci360".parse()?)?, game.as_deref(), seconds);
    show(Ludo::new(&"ludo".parse()?)?, game.as_deref(), seconds);
    Ok(())
}
