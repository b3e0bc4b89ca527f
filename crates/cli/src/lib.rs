//! The command line of Ludex.

mod commands;
mod completions;
mod cpu;
mod error;
mod job;
mod output;
mod place;
mod stop;
mod world;

pub use job::JobText;
pub use world::Here;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// Tell it the rules of a game; it plays, advises and measures who plays better.
///
/// Without a command, Ludex plays a short tournament of several agents on several games.
#[derive(Parser)]
#[command(name = "ludex", version, long_version = cpu::VERSION.as_str(), max_term_width = 100)]
#[command(after_help = "Examples:
  ludex                                        a one-minute tour: a tournament with its table
  ludex studio                                 play, analyse and edit games in the browser
  ludex games                                  what can be played
  ludex show connect4                          players, position, which agents can play it
  ludex play connect4                          play against the default agent
  ludex advise tictactoe --position 'x2/1o1/3'
  ludex match connect4 uct alphabeta --games 100 --sims 1000
  ludex arena run experiment.toml --db games.db
  ludex tune experiments/ropasci-weights.toml  find the best numbers of an agent by games
  ludex bench tictactoe connect4 breakthrough
  ludex perft breakthrough --depth 5
  ludex check my-game.kif                      is the rule sheet valid?
  ludex reproduce mbm                          measure a published table again
  ludex evolve experiments/ludo-simple.toml    let players evolve by playing each other
  ludex predict connect4                       which agent is expected to be the best, and why
  ludex ggp-player --port 9147                 play matches of a GGP host

Names:   nim(2,3,2)   kif:path/to/game.kif   connect4(columns=5,rows=4)   uct(c=1.4)@sims=500
Output:  data on stdout, progress on stderr; --json prints one JSON object per line.
Exit:    0 success, 1 failure (a file, a database, a check), 2 the request makes no sense.")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Games(commands::games::Games),
    Agents(commands::agents::Agents),
    Show(commands::show::Show),
    Draw(commands::draw::Draw),
    Play(commands::play::Play),
    Advise(commands::advise::Advise),
    Match(commands::r#match::Match),
    Arena(commands::arena::Arena),
    Worker(commands::worker::Worker),
    Replay(commands::replay::Replay),
    Bot(commands::bot::Bot),
    Bench(commands::bench::Bench),
    Perft(commands::perft::Perft),
    Check(commands::check::Check),
    Verify(commands::verify::Verify),
    Evolve(commands::evolve::Evolve),
    Train(commands::train::Train),
    Predict(commands::predict::Predict),
    Concepts(commands::concepts::Concepts),
    Map(commands::map::Map),
    Reproduce(commands::reproduce::Reproduce),
    GgpPlayer(commands::ggp_player::GgpPlayer),
    GgpMatch(commands::ggp_match::GgpMatch),
    Tune(commands::tune::Tune),
    Tour(commands::tour::Tour),
    #[cfg(feature = "studio")]
    #[command(visible_alias = "serve")]
    Studio(commands::studio::Studio),
    Uci(commands::engine::Uci),
    Gtp(commands::engine::Gtp),
    /// Print the completions for a shell
    #[command(
        after_help = "Example:\n  ludex completions bash > ~/.local/share/bash-completion/completions/ludex"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Runs a command line, whose first word is the name of the program. Returns the exit code.
pub fn run(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return error::usage_line(&error.to_string()),
        Err(help) => {
            // The user asked for help or the version. A reader that went away is no error.
            let _ = help.print();
            return 0;
        }
    };
    let result = match cli.command {
        None => commands::tour::Tour::default().run(),
        Some(Command::Games(command)) => command.run(),
        Some(Command::Agents(command)) => command.run(),
        Some(Command::Show(command)) => command.run(),
        Some(Command::Draw(command)) => command.run(),
        Some(Command::Play(command)) => command.run(),
        Some(Command::Advise(command)) => command.run(),
        Some(Command::Match(command)) => command.run(),
        Some(Command::Arena(command)) => command.run(),
        Some(Command::Worker(command)) => command.run(),
        Some(Command::Replay(command)) => command.run(),
        Some(Command::Bot(command)) => command.run(),
        Some(Command::Bench(command)) => command.run(),
        Some(Command::Perft(command)) => command.run(),
        Some(Command::Check(command)) => command.run(),
        Some(Command::Verify(command)) => command.run(),
        Some(Command::Evolve(command)) => command.run(),
        Some(Command::Train(command)) => command.run(),
        Some(Command::Predict(command)) => command.run(),
        Some(Command::Concepts(command)) => command.run(),
        Some(Command::Map(command)) => command.run(),
        Some(Command::Reproduce(command)) => command.run(),
        Some(Command::GgpPlayer(command)) => command.run(),
        Some(Command::GgpMatch(command)) => command.run(),
        Some(Command::Tune(command)) => command.run(),
        Some(Command::Tour(command)) => command.run(),
        #[cfg(feature = "studio")]
        Some(Command::Studio(command)) => command.run(),
        Some(Command::Uci(command)) => command.run(),
        Some(Command::Gtp(command)) => command.run(),
        Some(Command::Completions { shell }) => {
            output::bytes(&completions::script(shell, Cli::command()))
        }
    };
    match result {
        Ok(()) => 0,
        Err(error) => error::report(&error),
    }
}
